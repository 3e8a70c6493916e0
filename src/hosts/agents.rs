//! `agents`: the plain Agent Skills standard, with our own settings file.

use super::{Context, Duplicates, Host, Limits, MentionForm, TakesEffect};
use crate::catalog::{HostId, Root, Scope};
use crate::config::Config;
use crate::policy::Layer;
use std::path::PathBuf;

/// The folder in which the standard keeps skills.
const FOLDER: &str = ".agents/skills";

/// How many directories below a root may hold a skill (D3).
const DEPTH: usize = 6;

/// The plain standard.
pub const AGENTS: Host = Host {
    id: HostId::AGENTS,
    name: "Agent Skills",
    roots,
    depth: DEPTH,
    duplicates: Duplicates::Ambiguous,
    profile: &[],
    mention: MentionForm { sign: "$", at_start: false, link: true },
    limits: Limits { entries: Some(200), bytes: Some(32_768), description: None },
    takes_effect: TakesEffect::Now,
};

/// Each directory from the working directory up to the repository root, nearest first; the person's; then the
/// settings' `roots` (COD-5.1, COD-5.1b, D23). A folder is named once.
fn roots(context: &Context, config: &Config) -> Vec<Root> {
    let root = |path: PathBuf, scope| Root { path, scope, host: HostId::AGENTS, depth: DEPTH, browse: false };
    let chain = context.chain().into_iter().map(|folder| root(folder.join(FOLDER), Scope::Repo));
    let own = context.home.iter().map(|home| root(home.join(FOLDER), Scope::User));
    let further = config.values.roots.iter().map(|setting| {
        let scope = match setting.layer {
            Layer::Project => Scope::Repo,
            Layer::User => context.scope(&setting.path),
        };
        root(setting.path.clone(), scope)
    });
    let mut roots: Vec<Root> = Vec::new();
    for root in chain.chain(own).chain(further) {
        if roots.iter().all(|other| other.path != root.path) {
            roots.push(root);
        }
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Inputs, load};
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    /// The roots seen from `cwd` in a house with these settings, as `(path below the house, scope)`.
    fn seen(cwd: &str, user: &str, project: &str) -> Vec<(String, Scope)> {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["home/config/skillpick", "repo/.git", "repo/a/b", "repo/a/.agents", "plain/sub"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        let write = |path: &str, text: &str| fs::write(top.join(path), format!("version = 1\n{text}\n")).unwrap();
        write("home/config/skillpick/config.toml", user);
        write("repo/.skillpick.toml", project);
        let context = Context::at(&top.join(cwd), Some(top.join("home")), BTreeMap::new());
        let inputs = Inputs {
            config_dir: Some(top.join("home/config")),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            ..Inputs::default()
        };
        let below = |path: &Path| path.strip_prefix(&top).unwrap_or(path).to_str().unwrap().to_owned();
        let roots = AGENTS.roots(&context, &load(&inputs), &[]);
        assert!(roots.iter().all(|root| root.depth == 6 && !root.browse && root.host == HostId::AGENTS));
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
    fn d23_outside_a_repository_the_working_directory_alone() {
        assert_eq!(seen("plain/sub", "", ""), pairs(&[("plain/sub/.agents/skills", Scope::Repo), HOME]));
    }

    #[test]
    fn d23_the_settings_roots_come_last() {
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
        let roots = AGENTS.roots(&context, &load(&Inputs::default()), &["skills".into(), "/".into()]);
        assert_eq!(roots.iter().map(|root| root.scope).collect::<Vec<_>>(), [Scope::Repo, Scope::User]);
    }
}
