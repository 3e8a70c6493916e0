//! What an administrator forbids in Claude Code. Tried with its program, 2.1.332.
//!
//! `managed-settings.json` counts first, then the files of `managed-settings.d` by name: lists are
//! joined, any other value replaces the earlier one. A value of a wrong type forbids.

use super::SETTINGS;
use crate::hosts::Reading;
use crate::policy::Layer;
use crate::settings::{Kind, Node};
use std::path::{Path, PathBuf};

/// The administrator's folder.
pub(super) const FOLDER: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode"
} else {
    "/etc/claude-code"
};

const LOCK: &str = "strictPluginOnlyCustomization";

/// Why a folder of skills is closed.
pub(super) const LOCKED: &str = "strictPluginOnlyCustomization is set by the administrator";

/// What can be locked.
const KINDS: [&str; 4] = [SKILLS, "agents", "hooks", "mcp"];

const SKILLS: &str = "skills";

const RULES_ALONE: &str = "allowManagedPermissionRulesOnly";

/// Why a file's permission rules have no effect.
pub(super) const OTHER_RULES: &str =
    "allowManagedPermissionRulesOnly is set by the administrator, so its rules do not count";

/// The administrator's settings files in this folder, lower ones first.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let further = std::fs::read_dir(folder.join("managed-settings.d"));
    let entries = further.into_iter().flatten().flatten();
    let mut further: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let is_read = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        name.ends_with(b".json") && !name.starts_with(b".") && !path.is_dir()
    };
    further.retain(is_read);
    further.sort();
    [folder.join("managed-settings.json")].into_iter().chain(further).collect()
}

/// What only plugins and the administrator may bring.
pub(super) struct Locked(Vec<&'static str>);

impl Locked {
    pub(super) fn of(reading: &Reading) -> Self {
        Self::by(said(reading, LOCK))
    }

    fn by<'a>(nodes: impl Iterator<Item = &'a Node>) -> Self {
        let (mut locked, mut is_list) = (Vec::new(), false);
        for node in nodes {
            let Kind::List(items) = &node.kind else {
                is_list = false;
                locked = if node.flag() == Some(false) { Vec::new() } else { KINDS.to_vec() };
                continue;
            };
            if !std::mem::replace(&mut is_list, true) {
                locked.clear();
            }
            let named = |kind: &&str| items.iter().any(|item| item.text() == Some(*kind));
            locked.extend(KINDS.into_iter().filter(named));
        }
        Self(locked)
    }

    /// Why the person's and the repository's folders are closed, if they are.
    pub(super) fn skills(&self) -> Option<&'static str> {
        self.0.contains(&SKILLS).then_some(LOCKED)
    }

    /// Why plugins that lie in the person's folder of skills are closed: a plugin may bring
    /// anything.
    pub(super) fn plugins_in_skills(&self) -> Option<&'static str> {
        (!self.0.is_empty()).then_some(LOCKED)
    }
}

/// Whether only the administrator's permission rules count.
pub(super) fn rules_alone(reading: &Reading) -> bool {
    said(reading, RULES_ALONE).last().is_some_and(|node| node.flag() != Some(false))
}

/// What the administrator's files say under a key, in their order.
fn said<'a>(reading: &'a Reading, key: &'a str) -> impl Iterator<Item = &'a Node> {
    let files = reading.of_role(SETTINGS).filter(|file| file.location.layer == Layer::Managed);
    let nodes = files.filter_map(move |file| file.at(&[key]));
    nodes.filter(|node| !matches!(node.kind, Kind::Null))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement::{Off, On};
    use crate::catalog::Permission::Deny;
    use crate::hosts::CLAUDE;
    use crate::hosts::test_support::{User, judged, permit, roots, state, test};
    use crate::settings::{self, Format};
    use crate::workspace::fixture::TestWorkspace;

    const A: &str = "repo/.claude/skills/a";

    /// A skill of the repository's, one of the person's, and a plugin in the person's folder, where
    /// the administrator says this.
    fn administered(text: &str) -> TestWorkspace {
        let mut test =
            test(&CLAUDE, &[A, "home/.claude/skills/u", "home/.claude/skills/sd/skills/in"]);
        test.write("home/.claude/skills/sd/.claude-plugin/plugin.json", "{\"name\": \"sd\"}");
        test.write("home/.claude/settings.json", "{\"permissions\": {\"deny\": [\"Skill(u)\"]}}");
        test.with_draft(&Path::new(FOLDER).join("managed-settings.json"), text)
    }

    #[test]
    fn its_files_are_read_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let further = folder.path().join("managed-settings.d");
        std::fs::create_dir_all(further.join("x.json")).unwrap();
        for name in ["9.json", "10.json", ".hidden.json", "readme.txt"] {
            std::fs::write(further.join(name), "{}").unwrap();
        }
        let read = files(folder.path());
        let names: Vec<&str> =
            read.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["managed-settings.json", "10.json", "9.json"]);
    }

    #[test]
    fn what_it_locks_only_plugins_bring() {
        let open = [false, false];
        for (text, expected) in [
            ("true", [true, true]),
            ("[\"skills\", \"new\"]", [true, true]),
            ("\"no\"", [true, true]),
            ("[\"hooks\"]", [false, true]),
            ("[\"new\"]", open),
            ("[]", open),
            ("false", open),
            ("null", open),
        ] {
            let test = administered(&format!("{{\"{LOCK}\": {text}}}"));
            let roots = roots(&test);
            let closed = |place: &str| {
                let root = roots.iter().find(|root| root.starts_with(place)).unwrap();
                root.ends_with(LOCKED)
            };
            let user = closed("home/.claude/skills user");
            assert_eq!(user, closed("repo/.claude/skills repo"), "{text}");
            assert!(!closed(FOLDER), "{text}");
            assert_eq!([user, closed("home/.claude/skills/sd")], expected, "{text}");
        }
    }

    #[test]
    fn later_files_join_lists_and_replace_anything_else() {
        let locked = |texts: [&str; 2]| {
            let file = |text: &str| format!("{{\"{LOCK}\": {text}}}").into_bytes();
            let read = |text| settings::read(Format::Json, &file(text)).unwrap();
            let files = texts.map(read);
            Locked::by(files.iter().filter_map(|file| file.get(LOCK))).0
        };
        assert_eq!(locked(["true", "[\"hooks\"]"]), ["hooks"]);
        assert_eq!(locked(["[\"skills\"]", "[\"hooks\"]"]), ["skills", "hooks"]);
        assert!(locked(["true", "false"]).is_empty());
    }

    #[test]
    fn it_may_let_its_own_rules_alone_count() {
        let rules =
            "\"permissions\": {\"deny\": [\"Skill(a)\"]}, \"skillOverrides\": {\"u\": \"off\"}";
        for (alone, of_u) in
            [("false", "full deny yes"), ("true", "full allow yes"), ("1", "full allow yes")]
        {
            let mut test = administered(&format!("{{\"{RULES_ALONE}\": {alone}, {rules}}}"));
            assert_eq!(judged(&test, A).0, "full deny yes", "{alone}");
            assert_eq!((state(&test, A), state(&test, "skills/u")), (On, Off));
            let said = permit(&mut test, Deny, "other", User);
            assert_eq!(said.is_err(), alone != "false", "{said:?}");
            let text = format!("{{\"{RULES_ALONE}\": {alone}}}");
            assert_eq!(judged(&administered(&text), "skills/u").0, of_u, "{alone}");
        }
    }
}
