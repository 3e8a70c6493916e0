//! Goose: read from its source. Several folders in the project and at home, whole trees; the first
//! skill of a name counts.

use super::generic::roots;
use super::{Detect, Folder, Host, Proof};
use crate::catalog::{HostId, Walk};

pub const GOOSE: Host = Host {
    id: HostId("goose"),
    name: "Goose",
    detect: Detect {
        programs: &[],
        folders: &[CONFIG],
        inside: &["GOOSE_TERMINAL"],
        ..Detect::NEVER
    },
    proof: Proof::Source("main of 2026"),
    roots: |reading| {
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
        roots(reading, HostId("goose"), WALK, &project, own)
    },
    ..Host::PLAIN
};

const CONFIG: Folder = Folder::fixed(".config/goose");

/// Whole trees, links followed; `.git` is left out.
const WALK: Walk = Walk { modules: true, ..Walk::BROWSE };

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
