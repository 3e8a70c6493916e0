//! Cursor, and VS Code with Copilot: by their documentation. Neither has a known settings file that
//! switches a skill; both obey the fields in the skill's frontmatter.

use super::generic::{CHILDREN, roots};
use super::{Detect, Folder, Host, Reading};
use crate::catalog::HostId;
use crate::policy::{Evaluation, InvocationFields, Profile};
use std::path::PathBuf;

pub const CURSOR: Host = Host {
    id: HostId("cursor"),
    name: "Cursor",
    detect: Detect {
        programs: &[],
        folders: &[Folder::fixed(".cursor")],
        inside: &["CURSOR_AGENT"],
        ..Detect::NEVER
    },
    roots: |reading| {
        let own = [".cursor/skills", ".claude/skills", ".codex/skills"];
        let project = [".cursor/skills", ".agents/skills", ".claude/skills", ".codex/skills"];
        roots(reading, HostId("cursor"), CHILDREN, &project, at_home(reading, &own))
    },
    evaluation: Evaluation {
        reads: InvocationFields { model: true, ..InvocationFields::NONE },
        ..Evaluation::HOST
    },
    ..Host::PLAIN
};

/// A skill that neither the model nor the user may invoke is one of its *disabled skills*.
pub const VS_CODE: Host = Host {
    id: HostId("vscode"),
    name: "VS Code",
    detect: Detect { programs: &[], folders: &[Folder::fixed(".vscode")], ..Detect::NEVER },
    roots: |reading| {
        let own = [".copilot/skills", ".agents/skills", ".claude/skills"];
        let project = [".github/skills", ".agents/skills", ".claude/skills"];
        roots(reading, HostId("vscode"), CHILDREN, &project, at_home(reading, &own))
    },
    evaluation: Evaluation {
        reads: InvocationFields { model: true, user: true, ..InvocationFields::NONE },
        profile: Profile { refuses: &["name-dir-mismatch"], takes: &[] },
        ..Evaluation::HOST
    },
    ..Host::PLAIN
};

fn at_home(reading: &Reading, folders: &[&str]) -> Vec<PathBuf> {
    let home = reading.context.home.iter();
    home.flat_map(|home| folders.iter().map(|folder| home.join(folder))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Permission;
    use crate::workspace::View;
    use crate::workspace::fixture::TestWorkspace;

    /// A skill that the model may not invoke, and one that nobody may invoke.
    fn view(host: &'static Host) -> View {
        let mut test =
            TestWorkspace::with(&[("repo/.claude/skills/x", "other")]).through(host, &[], "repo");
        for (name, words) in [("kept", ""), ("off", "user-invocable: false\n")] {
            let text = format!(
                "---\nname: {name}\ndescription: d\ndisable-model-invocation: true\n{words}---\n"
            );
            test.write(&format!("repo/.claude/skills/{name}/SKILL.md"), &text);
        }
        test.view()
    }

    fn judged(view: &View) -> Vec<(&str, Permission, bool)> {
        let row = |entry: &crate::policy::Entry| (entry.verdict.model.value, entry.pickable());
        view.rows
            .entries()
            .map(|entry| (entry.skill.name.as_str(), row(entry).0, row(entry).1))
            .collect()
    }

    #[test]
    fn cursor_obeys_what_a_skill_says_about_the_model() {
        let view = view(&CURSOR);
        let expected = [
            ("kept", Permission::Deny, true),
            ("off", Permission::Deny, true),
            ("other", Permission::Allow, true),
        ];
        assert_eq!((judged(&view), view.roots.len()), (expected.to_vec(), 7));
    }

    #[test]
    fn vs_code_obeys_both_fields_and_requires_the_directorys_name() {
        let view = view(&VS_CODE);
        let expected = [
            ("kept", Permission::Deny, true),
            ("off", Permission::Deny, false),
            ("other", Permission::Deny, false),
        ];
        assert_eq!(judged(&view), expected);
        assert_eq!(view.rows[2].entry.refused.map(|check| check.code), Some("name-dir-mismatch"));
    }
}
