//! Agents of which only the folders are known, with one row each in [`rows`]. Their skills can be
//! browsed and mentioned. Their settings have not been examined.

mod rows;

pub use rows::HOSTS;

use super::{Folder, Reading, shapes};
use crate::catalog::{HostId, Root, Scope, Walk};

/// Where a person's own skills are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Own {
    /// In the agent's own folder: the first that exists, or the first.
    Beneath(&'static str),
    /// In the home directory, shared with other agents.
    Shared(&'static str),
    /// Nowhere.
    Nowhere,
}

/// `<folder>/<name>/SKILL.md`, as installers lay out these folders.
pub(super) const CHILDREN: Walk = Walk { depth: 1, itself: false, nested: false, ..Walk::STANDARD };

/// The folders of the working directory, then the person's own, each once.
pub(super) fn roots(
    reading: &Reading,
    host: HostId,
    walk: Walk,
    project: &[&str],
    own: impl IntoIterator<Item = std::path::PathBuf>,
) -> Vec<Root> {
    let context = &reading.context;
    // In the home directory the agent's own folder is the person's.
    let scope = if context.home.as_ref() == Some(&context.cwd) { Scope::User } else { Scope::Repo };
    let here = project.iter().map(|folder| (context.cwd.join(folder), scope));
    let all = here.chain(own.into_iter().map(|folder| (folder, Scope::User)));
    shapes::once(all.map(|(path, scope)| Root::new(path, scope, host, walk)))
}

pub(super) fn own(reading: &Reading, folders: &[Folder], own: Own) -> Option<std::path::PathBuf> {
    let context = &reading.context;
    match own {
        Own::Nowhere => None,
        Own::Shared(path) => context.home.as_ref().map(|home| home.join(path)),
        Own::Beneath(path) => {
            let mut places = folders.iter().filter_map(|folder| context.folder(*folder));
            let first = places.next()?;
            let there = if first.is_dir() { None } else { places.find(|folder| folder.is_dir()) };
            Some(there.unwrap_or(first).join(path))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement;
    use crate::hosts::{self, test_support};
    use crate::workspace::fixture::TestWorkspace;
    use std::collections::HashSet;

    /// The roots of a host where these folders exist, seen from `cwd`.
    fn seen(word: &str, folders: &[&str], cwd: &str) -> Vec<String> {
        let test = TestWorkspace::with(&[]);
        folders
            .iter()
            .for_each(|folder| std::fs::create_dir_all(test.env.top.join(folder)).unwrap());
        test_support::roots(&test.through(hosts::by_word(word).unwrap(), &[], cwd))
    }

    #[test]
    fn an_agent_is_one_row_its_folder_here_and_its_folder_at_home() {
        let pair = |here: &str, own: &str| [format!("{here} repo"), format!("{own} user")];
        for (word, here, own) in [
            ("continue", "repo/.continue/skills", "home/.continue/skills"),
            ("cline", "repo/.agents/skills", "home/.agents/skills"),
            ("windsurf", "repo/.windsurf/skills", "home/.codeium/windsurf/skills"),
            ("trae-cn", "repo/.trae/skills", "home/.trae-cn/skills"),
            ("tabnine-cli", "repo/.tabnine/agent/skills", "home/.tabnine/agent/skills"),
            ("openclaw", "repo/skills", "home/.openclaw/skills"),
            ("universal", "repo/.agents/skills", "home/.config/agents/skills"),
        ] {
            assert_eq!(seen(word, &[], "repo"), pair(here, own), "{word}");
        }
        assert_eq!(
            seen("openclaw", &["home/.moltbot"], "repo"),
            pair("repo/skills", "home/.moltbot/skills")
        );
        assert_eq!(seen("eve", &[], "repo"), ["repo/agent/skills repo"]);
        assert_eq!(seen("roo", &[], "home"), ["home/.roo/skills user"], "named once");
    }

    #[test]
    fn a_skill_is_an_immediate_child_and_the_first_of_a_name_is_taken() {
        let skills = [
            ("repo/.roo/skills/pdf", "pdf"),
            ("repo/.roo/skills/deep/er", "er"),
            ("home/.roo/skills/other", "pdf"),
            ("home/.roo/skills/zip", "zip"),
        ];
        let view = TestWorkspace::with(&skills)
            .through(hosts::by_word("roo").unwrap(), &[], "repo")
            .view();
        let row =
            |entry: &crate::policy::Entry| (entry.skill.name.clone(), entry.verdict.enabled());
        let expected =
            [("pdf", true), ("pdf", false), ("zip", true)].map(|(name, on)| (name.to_owned(), on));
        assert_eq!(view.rows.entries().map(row).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_agent_is_found_by_its_folder_alone_wherever_that_is_named() {
        let test = TestWorkspace::with(&[]);
        std::fs::create_dir_all(test.env.top.join("home/.roo/x")).unwrap();
        std::fs::create_dir_all(test.env.top.join("elsewhere")).unwrap();
        let named = test.env.top.join("elsewhere").to_str().unwrap().to_owned();
        let test = test.through(
            &hosts::AGENTS,
            &[("AUTOHAND_HOME", &named), ("PATH", "/bin:/usr/bin")],
            "repo",
        );
        let found = hosts::detected(&test.workspace.context);
        assert_eq!(
            found.iter().map(|(host, _)| host.id.word()).collect::<Vec<_>>(),
            ["autohand-code", "roo"]
        );
        assert!(
            HOSTS
                .iter()
                .all(|host| host.detect.programs.is_empty() && host.detect.folders.len() <= 3)
        );
    }

    #[test]
    fn every_agent_of_the_installer_is_here_or_has_a_file_of_its_own() {
        let ids: HashSet<&str> = HOSTS.iter().map(|host| host.id.word()).collect();
        assert_eq!((ids.len(), HOSTS.len()), (65, 65));
        let elsewhere = [
            "codex",
            "claude",
            "opencode",
            "gemini",
            "copilot",
            "pi",
            "qwen",
            "amp",
            "goose",
            "cursor",
            "kilo",
            "kimi-code-cli",
            "qoder",
            "mistral-vibe",
            "droid",
        ];
        assert!(elsewhere.iter().all(|word| !ids.contains(word)));
        for host in HOSTS {
            assert!(
                host.control.switch.is_none()
                    && host.control.rules.is_none()
                    && host.control.layers.is_empty()
            );
        }
    }

    #[test]
    fn nothing_can_be_switched_and_the_sentence_says_so() {
        let mut test =
            test_support::test(hosts::by_word("roo").unwrap(), &["repo/.roo/skills/pdf"]);
        let refusal = test_support::switch(&mut test, "pdf", Enablement::Off, None).unwrap_err();
        assert_eq!(refusal, "Roo Code does not have a switch for one skill");
    }
}
