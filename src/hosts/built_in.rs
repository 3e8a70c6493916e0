//! Skills that come with an agent's program, as files in a folder of its own.

use super::{Context, Host};
use crate::catalog::{Plugin, Root, Scope, Walk};
use std::path::PathBuf;
use std::sync::Arc;

/// The root of the skills that come with a host's program, in this version of it.
pub(super) fn root(host: &Host, version: Option<String>, folder: PathBuf, walk: Walk) -> Root {
    let (id, prefix, commit) = (host.name.to_owned(), String::new(), None);
    let plugin = Plugin { kind: Plugin::BUILT_IN, id, prefix, version, commit };
    Root::new(folder, Scope::System, host.id, walk).of_plugin(&Arc::new(plugin))
}

/// The root of the skills in this folder beside the file of a host's program, to which the program
/// on `PATH` is a link. No path is assumed: where the program is no such link, there is no root.
pub(super) fn beside_program(
    host: &Host,
    context: &Context,
    folder: &str,
    walk: Walk,
) -> Option<Root> {
    let installed = host.detect.look(context)?;
    let file = std::fs::canonicalize(installed.program?).ok()?;
    let folder = file.parent()?.join(folder);
    let version = installed.version.map(|version| version.to_string());
    folder.is_dir().then(|| root(host, version, folder, walk))
}

#[cfg(all(test, unix))]
mod tests {
    use crate::catalog::Enablement::Off;
    use crate::hosts::test_support::{User, roots, seen, switch, test};
    use crate::hosts::{GEMINI, Host, QWEN};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    const PATH: (&str, &str) = ("PATH", "test/path");

    #[test]
    fn they_lie_beside_the_program_and_others_of_their_names_win() {
        let table: [(&'static Host, &str, &str, &str); 2] = [
            (&GEMINI, "gemini", "pkg/bundle/builtin/maker", "home/.gemini/skills/maker"),
            (&QWEN, "qwen", "pkg/bundle/bundled/maker", "home/.qwen/skills/maker"),
        ];
        for (host, program, built_in, own) in table {
            let test = test(host, &[built_in]);
            test.env.write("pkg/package.json", r#"{"version": "1.2.3"}"#);
            let file = test.env.write("pkg/bundle/main.js", "");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
            fs::create_dir_all(test.env.at("path")).unwrap();
            symlink(&file, test.env.at("path").join(program)).unwrap();
            let mut test = test.from("repo", &[PATH]);
            let view = test.view();
            let sources = view.rows.entries().filter_map(|entry| entry.skill.source());
            let sources: Vec<String> = sources.map(|text| text.as_str().to_owned()).collect();
            assert_eq!(sources, [format!("built in {} 1.2.3", host.name)]);
            switch(&mut test, built_in, Off, User).unwrap();
            assert!(seen(&test)[0].starts_with("maker off"), "{:?}", seen(&test));
            test.workspace.undo().unwrap();
            test.env.skill(own.rsplit_once('/').unwrap().0, "maker", "mine");
            let test = test.from("repo", &[PATH]);
            let by = format!("by {own}/SKILL.md");
            assert!(seen(&test).iter().any(|line| line.ends_with(&by)), "{:?}", seen(&test));
        }
    }

    #[test]
    fn a_program_that_is_no_link_into_a_package_has_none() {
        let test = test(&GEMINI, &["home/.gemini/skills/own"]);
        let file = test.env.write("path/gemini", "#!/bin/sh\n");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let test = test.from("repo", &[PATH]);
        assert!(!roots(&test).iter().any(|root| root.contains("builtin")), "{:?}", roots(&test));
    }
}
