//! `agents`: the plain Agent Skills standard, with our own settings file.

use super::{Control, Duplicates, Host, Limits, MentionForm, Reading, TakesEffect, shapes};
use crate::catalog::{HostId, Root, Scope, Walk};
use crate::config::Origin;
use crate::policy::{Evaluation, Layer, Policy};
use std::path::PathBuf;

mod plan;

/// The folder in which the standard keeps skills.
const FOLDER: &str = ".agents/skills";

/// Its files are our own settings, which every reading has: their places are theirs to say (flag,
/// variable, platform).
pub const AGENTS: Host = Host {
    id: HostId::AGENTS,
    name: "Agent Skills",
    roots,
    duplicates: Duplicates::Ambiguous,
    evaluation: Evaluation::AGENTS,
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(plan::switch),
        rules: Some(plan::rules),
        ..Control::NONE
    },
    mention: MentionForm::Dollar { link: true },
    limits: Limits { entries: Some(200), bytes: Some(32_768), ..Limits::NONE },
    takes_effect: TakesEffect::Now,
    ..Host::PLAIN
};

/// Each directory from the working directory up to the repository root, nearest first; the
/// person's; then the settings' `roots`. A folder is named once.
fn roots(reading: &Reading) -> Vec<Root> {
    let (context, config) = (&reading.context, &reading.config);
    let root = |path: PathBuf, scope| Root::new(path, scope, HostId::AGENTS, Walk::STANDARD);
    let chain = context.chain().into_iter().map(|folder| root(folder.join(FOLDER), Scope::Repo));
    let own = context.home.iter().map(|home| root(home.join(FOLDER), Scope::User));
    let further = config.values.roots.iter().map(|setting| {
        let scope = match setting.origin {
            Origin::File { layer: Layer::User, .. } => context.scope(&setting.value),
            _ => Scope::Repo,
        };
        root(setting.value.clone(), scope).named()
    });
    shapes::once(chain.chain(own).chain(further))
}

/// The policy is made in [`crate::config`], which knows what a project may only tighten.
fn rulings(reading: &Reading, policy: &mut Policy) {
    *policy = reading.config.policy.clone();
}

#[cfg(test)]
mod tests {
    use super::super::Context;
    use super::*;
    use crate::config::Inputs;
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    /// The roots seen from `cwd` in a test folder with these settings, as `(path below the test
    /// folder, scope)`.
    fn seen(cwd: &str, user: &str, project: &str) -> Vec<(String, Scope)> {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in
            ["home/config/skillpick", "repo/.git", "repo/a/b", "repo/a/.agents", "plain/sub"]
        {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        let write = |path: &str, text: &str| {
            fs::write(top.join(path), format!("version = 1\n{text}\n")).unwrap()
        };
        write("home/config/skillpick/config.toml", user);
        write("repo/.skillpick.toml", project);
        let context = Context::at(&top.join(cwd), Some(top.join("home")), BTreeMap::new());
        let inputs = Inputs {
            config_dir: Some(top.join("home/config")),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            ..Inputs::default()
        };
        let below =
            |path: &Path| path.strip_prefix(&top).unwrap_or(path).to_str().unwrap().to_owned();
        let roots = AGENTS.roots(&AGENTS.read(&Arc::new(context), &inputs), &[]);
        assert!(
            roots.iter().all(|root| root.walk == Walk::STANDARD && root.host == HostId::AGENTS)
        );
        roots.iter().map(|root| (below(&root.path), root.scope)).collect()
    }

    fn pairs(expected: &[(&str, Scope)]) -> Vec<(String, Scope)> {
        expected.iter().map(|(path, scope)| ((*path).to_owned(), *scope)).collect()
    }

    const HOME: (&str, Scope) = ("home/.agents/skills", Scope::User);

    #[test]
    fn cod_5_1_every_directory_up_to_the_repository_root_nearest_first() {
        let chain = ["repo/a/b/.agents/skills", "repo/a/.agents/skills", "repo/.agents/skills"];
        let expected = [chain.map(|path| (path, Scope::Repo)).as_slice(), &[HOME]].concat();
        assert_eq!(seen("repo/a/b", "", ""), pairs(&expected));
    }

    #[test]
    fn cod_5_1b_the_persons_own_come_after_the_repositorys_and_once() {
        assert_eq!(seen("repo", "", ""), pairs(&[("repo/.agents/skills", Scope::Repo), HOME]));
        assert_eq!(seen("home", "", ""), pairs(&[HOME]));
    }

    #[test]
    fn outside_a_repository_the_working_directory_alone() {
        assert_eq!(
            seen("plain/sub", "", ""),
            pairs(&[("plain/sub/.agents/skills", Scope::Repo), HOME])
        );
    }

    #[test]
    fn the_settings_roots_come_last() {
        let user = "roots = [\"~/more\", \"/srv/skills\", \"~/.agents/skills\"]";
        let expected = [
            ("repo/.agents/skills", Scope::Repo),
            HOME,
            ("home/more", Scope::User),
            ("/srv/skills", Scope::User),
            ("repo/tools", Scope::Repo),
        ];
        assert_eq!(seen("repo", user, "roots = [\"tools\", \"/etc\"]"), pairs(&expected));
    }

    #[test]
    fn rem_3_1b_a_person_may_name_a_folder_of_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(top.join(".git")).unwrap();
        fs::create_dir_all(top.join("skills")).unwrap();
        let context = Context::at(&top, None, BTreeMap::new());
        assert_eq!(context.scope(&top.join("skills")), Scope::Repo);
        let reading = AGENTS.read(&Arc::new(context), &Inputs::default());
        let roots = AGENTS.roots(&reading, &["skills".into(), "/".into()]);
        assert_eq!(
            roots.iter().map(|root| root.scope).collect::<Vec<_>>(),
            [Scope::Repo, Scope::User]
        );
    }
}
