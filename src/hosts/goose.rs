//! Goose: read from its source (`crates/goose/src/skills`, `crates/goose/src/plugins`). Several
//! folders in the project and at home, whole trees; the first skill of a name counts.
//!
//! Not modelled: its own skills, which are in its program; that a head ends at the next `---`,
//! wherever that stands; `GOOSE_PATH_ROOT`.

mod plugins;

use super::generic;
use super::{Detect, Folder, Host, Proof, Reading};
use crate::catalog::{HostId, Root, Walk};
use crate::policy::{Evaluation, Profile};

pub const GOOSE: Host = Host {
    id: HostId("goose"),
    name: "Goose",
    detect: Detect {
        programs: &[],
        folders: &[CONFIG],
        inside: &["GOOSE_TERMINAL"],
        ..Detect::NEVER
    },
    proof: Proof::Source("57f1b3f"),
    settings_paths: plugins::files,
    roots,
    evaluation: Evaluation {
        profile: Profile {
            refuses: &[
                "file-case",
                "name-missing",
                "name-empty",
                "yaml-repaired",
                "yaml:duplicate-key",
            ],
            takes: &["desc-missing", "desc-empty"],
        },
        ..Evaluation::HOST
    },
    ..Host::PLAIN
};

const CONFIG: Folder = Folder::fixed(".config/goose");

/// Whole trees, links followed; `.git` is left out.
const WALK: Walk = Walk { modules: true, ..Walk::BROWSE };

/// The project's, the person's, then those of the plugins.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let at_home = |folder: &str| context.home.as_ref().map(|home| home.join(folder));
    let config = context.folder(CONFIG).map(|folder| folder.join("skills"));
    let own = [
        at_home(".agents/skills"),
        config,
        at_home(".claude/skills"),
        at_home(".config/agents/skills"),
    ];
    let own = own.into_iter().flatten();
    let project = [".agents/skills", ".goose/skills", ".claude/skills"];
    let mut roots = generic::roots(reading, GOOSE.id, WALK, &project, own);
    roots.extend(plugins::roots(reading));
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    #[test]
    fn whole_trees_of_several_folders_and_the_first_of_a_name() {
        let skills = [
            ("home/.config/agents/skills/pdf", "pdf"),
            ("home/.config/goose/skills/deep/er/zip", "zip"),
            ("repo/.claude/skills/pdf", "pdf"),
            ("repo/.goose/skills/x", "pdf"),
        ];
        let view = TestWorkspace::with(&skills).through(&GOOSE, &[], "repo").view();
        let on: Vec<_> = view.rows.entries().filter(|entry| entry.verdict.enabled()).collect();
        let places: Vec<&str> = on.iter().map(|entry| entry.skill.description.as_str()).collect();
        assert_eq!((view.roots.len(), view.rows.len()), (7, 4));
        assert_eq!(places, ["in repo/.goose/skills/x", "in home/.config/goose/skills/deep/er/zip"]);
    }
}
