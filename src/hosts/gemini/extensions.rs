//! Gemini CLI's extensions: folders in `~/.gemini/extensions`, each with skills. A list of paths
//! says where each is enabled. Checked with the source of 0.61.0 and its program (`tests/hosts`).

use super::{GEMINI, HOME, WALK};
use crate::catalog::{Plugin, Root, Scope};
use crate::hosts::{Context, Reading, SettingsFile, SettingsPath, shapes};
use crate::policy::Policy;
use crate::settings::Node;
use std::path::PathBuf;
use std::sync::Arc;

const FOLDER: &str = ".gemini/extensions";
const ENABLEMENT: &str = "extension-enablement.json";
const MANIFEST: &str = "gemini-extension.json";
const INSTALLED: &str = ".gemini-extension-install.json";

/// The list of paths, and what each extension says of itself and of its installation.
pub(super) fn files(context: &Context) -> Vec<SettingsPath> {
    let Some(folder) = folder(context) else { return Vec::new() };
    let mut files = vec![folder.join(ENABLEMENT)];
    for extension in shapes::children(&folder) {
        files.push(shapes::extension_source(&extension, INSTALLED).join(MANIFEST));
        files.push(extension.join(INSTALLED));
    }
    files.into_iter().filter(|path| path.exists()).map(shapes::plugin_file).collect()
}

fn folder(context: &Context) -> Option<PathBuf> {
    Some(context.folder(HOME)?.join(FOLDER))
}

/// The extensions that have a name and a version; the program loads no others.
fn extensions(reading: &Reading) -> Vec<(PathBuf, Plugin)> {
    let Some(folder) = folder(&reading.context) else { return Vec::new() };
    let extension = |folder: PathBuf| {
        let place = shapes::extension_source(&folder, INSTALLED);
        let node = reading.plugin_file(&place.join(MANIFEST))?.effective()?;
        let said = |key| node.text_of(key).filter(|text| !text.is_empty());
        let (name, version) = (said("name")?, said("version")?);
        let plugin = Plugin {
            kind: "extension",
            id: name.to_owned(),
            prefix: String::new(),
            version: Some(version.to_owned()),
            commit: None,
        };
        Some((place.join("skills"), plugin))
    };
    shapes::children(&folder).into_iter().filter_map(extension).collect()
}

/// The roots of the extensions. A person's own skill of the same name wins.
pub(super) fn roots(reading: &Reading) -> impl Iterator<Item = Root> + use<> {
    let root =
        |(path, plugin)| Root::new(path, Scope::User, GEMINI.id, WALK).of_plugin(&Arc::new(plugin));
    extensions(reading).into_iter().map(root)
}

/// Switches off the skills of the extensions that are not enabled here.
pub(super) fn rulings(reading: &Reading, policy: &mut Policy) {
    for (place, plugin) in extensions(reading) {
        if let Some((file, line, text)) = off(reading, &plugin.id) {
            policy.switches.push(file.switch_off_beneath(place, line, text));
        }
    }
}

/// The line that switches an extension off here: the last path that applies.
pub(super) fn off<'a>(reading: &'a Reading, name: &str) -> Option<(&'a SettingsFile, u32, String)> {
    let file = reading.plugin_file(&folder(&reading.context)?.join(ENABLEMENT))?;
    let here = |rule: &&Node| {
        rule.text().is_some_and(|text| shapes::path_applies(text, &reading.context.cwd))
    };
    let last = file.items(&[name, "overrides"]).iter().rfind(here)?;
    let text = last.text().filter(|text| text.starts_with('!'))?;
    Some((file, last.line, format!("{name} \"{text}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement;
    use crate::hosts::test_support::{Layer, seen, switch, test};
    use crate::workspace::fixture::TestWorkspace;

    const ONE: &str = "home/.gemini/extensions/tools";

    fn extended(overrides: &str) -> TestWorkspace {
        let skills =
            [&format!("{ONE}/skills/alpha"), "home/.gemini/skills/own", "linked/skills/far"];
        let mut test = test(&GEMINI, &skills);
        let manifest = r#"{"name": "tools", "version": "1.2.3"}"#;
        test.write(&format!("{ONE}/{MANIFEST}"), manifest);
        let top = test.text("");
        let overrides = overrides.replace("TOP/", &top);
        let rules = format!(r#"{{"tools": {{"overrides": [{overrides}]}}}}"#);
        test.write(&format!("home/{FOLDER}/{ENABLEMENT}"), &rules);
        test
    }

    /// Whether the extension's skill is on.
    fn is_on(test: &TestWorkspace) -> bool {
        let seen = seen(test);
        let alpha = seen.iter().find(|line| line.starts_with("alpha "));
        alpha.unwrap_or_else(|| panic!("{seen:?}")).starts_with("alpha on")
    }

    #[test]
    fn the_last_path_that_applies_here_decides() {
        let table = [
            ("", true),
            (r#""!TOP/*""#, false),
            (r#""!TOP/home/*""#, true),
            (r#""!TOP/repo/*""#, false),
            (r#""!TOP/repo/""#, false),
            (r#""!TOP/repo""#, true),
            (r#""!TOP/*", "TOP/repo/*""#, true),
            (r#""TOP/repo/*", "!TOP/*""#, false),
            (r#""!TOP/rep*""#, false),
        ];
        for (overrides, expected) in table {
            assert_eq!(is_on(&extended(overrides)), expected, "{overrides}");
        }
    }

    #[test]
    fn an_extension_without_a_version_is_none_and_a_linked_one_is_read_elsewhere() {
        let mut test = extended("");
        test.write(&format!("{ONE}/{MANIFEST}"), r#"{"name": "tools"}"#);
        assert_eq!(test.view().rows.len(), 1);
        let linked = format!(r#"{{"type": "link", "source": "{}"}}"#, test.text("linked"));
        test.write(&format!("{ONE}/{INSTALLED}"), &linked);
        test.write(&format!("linked/{MANIFEST}"), r#"{"name": "far", "version": "2"}"#);
        let view = test.view();
        let sources: Vec<_> = view.rows.entries().filter_map(|one| one.skill.source()).collect();
        assert_eq!(sources.iter().map(|one| one.as_str()).collect::<Vec<_>>(), ["extension far 2"]);
    }

    #[test]
    fn one_skill_of_an_extension_is_switched_by_its_name() {
        let mut test = extended("");
        let place = format!("{ONE}/skills/alpha");
        switch(&mut test, &place, Enablement::Off, Layer::User).unwrap();
        assert!(test.read("home/.gemini/settings.json").contains("\"alpha\""));
        let mut test = extended(r#""!TOP/*""#);
        let why = switch(&mut test, &place, Enablement::On, Layer::User).unwrap_err();
        let (top, file) = (test.text(""), format!("home/{FOLDER}/{ENABLEMENT}"));
        let expected = format!(
            "it is off with its extension by tools \"!{top}*\" ({file}:1); to enable that: gemini \
             extensions enable tools --scope workspace"
        );
        assert_eq!(why, expected.replace(&top, ""));
        // Without a scope the program enables it below the home directory.
        let mut test = test.through(&GEMINI, &[], "home/code");
        let why = switch(&mut test, &place, Enablement::On, Layer::User).unwrap_err();
        assert!(why.ends_with("extensions enable tools"), "{why}");
    }
}
