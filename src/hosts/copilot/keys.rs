//! How Copilot CLI's settings spell a key. `disabled_skills` and `DisabledSkills` are
//! `disabledSkills` too. Tried with the program, 1.0.102.

use crate::settings::{Field, Kind, Node};

/// The disabled names.
pub(super) const DISABLED: &str = "disabledSkills";

/// Further folders, from the working directory; `~` means nothing in them.
pub(super) const FURTHER: &str = "skillDirectories";

/// The plugins that are on or off.
pub(super) const ENABLED: &str = "enabledPlugins";

/// The marketplaces, by name.
pub(super) const MARKETPLACES: &str = "extraKnownMarketplaces";

/// In the program's own file: the plugins that it has copied.
pub(super) const COPIED: &str = "installedPlugins";

/// The spelling under which this table has the key. If there are several, the last one counts, but
/// not if it is another spelling than the key's own and its value has a wrong type. A key's own
/// `null` makes the others count for nothing. If there is none, it is the key's own.
pub(super) fn spelling<'a>(table: &'a Node, key: &'a str) -> &'a str {
    let is_nothing = |node: &Node| matches!(node.kind, Kind::Null);
    let is_it = |field: &&Field| with_underscores(&field.key) == with_underscores(key);
    let last = table.fields().iter().rfind(is_it);
    let counts = last.filter(|field| has_type(key, &field.node));
    match counts {
        Some(field) if !table.get(key).is_some_and(is_nothing) => &field.key,
        _ => key,
    }
}

/// The value that the table has for the key in any spelling.
pub(super) fn value<'a>(table: &'a Node, key: &str) -> Option<&'a Node> {
    table.get(spelling(table, key))
}

/// `disabledSkills` as `disabled_skills`: a capital after a small letter begins a word.
fn with_underscores(key: &str) -> String {
    let mut text = String::with_capacity(key.len() + 2);
    for letter in key.chars() {
        if letter.is_ascii_uppercase() && text.ends_with(|it: char| it.is_ascii_lowercase()) {
            text.push('_');
        }
        text.push(letter);
    }
    text.to_ascii_lowercase()
}

/// Whether the value of a key has its type. In the program's own file nothing else counts instead.
fn has_type(key: &str, node: &Node) -> bool {
    let all = |is_right: fn(&Field) -> bool| {
        matches!(node.kind, Kind::Table(_)) && node.fields().iter().all(is_right)
    };
    match key {
        DISABLED | FURTHER => {
            let is_list = matches!(node.kind, Kind::List(_));
            is_list && node.items().iter().all(|item| item.text().is_some())
        }
        ENABLED => all(|field| field.node.flag().is_some()),
        MARKETPLACES => all(|field| field.node.at(&["source", "source"]).is_some()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Format, Twice, read_twice};

    /// What the program takes from each table.
    #[test]
    fn the_last_spelling_with_the_right_type_counts() {
        let table = [
            (DISABLED, r#"{"disabledSkills": ["a"], "disabled_skills": ["b"]}"#, "disabled_skills"),
            (DISABLED, r#"{"disabled_skills": ["b"], "disabledSkills": ["a"]}"#, DISABLED),
            (DISABLED, r#"{"disabledSkills": ["a"], "disabled_skills": null}"#, DISABLED),
            (DISABLED, r#"{"disabledSkills": ["a"], "disabled_skills": ["b", 5]}"#, DISABLED),
            (DISABLED, r#"{"disabledSkills": null, "disabled_skills": ["b"]}"#, DISABLED),
            (DISABLED, r#"{"DisabledSkills": ["a"], "disabled_skills": 5}"#, DISABLED),
            (DISABLED, "{}", DISABLED),
            (FURTHER, r#"{"skill_directories": ["a"]}"#, "skill_directories"),
            (ENABLED, r#"{"enabled_plugins": {"a@b": true}}"#, "enabled_plugins"),
            (ENABLED, r#"{"enabledPlugins": {}, "enabled_plugins": {"a@b": 5}}"#, ENABLED),
            (
                MARKETPLACES,
                r#"{"extraKnownMarketplaces": {}, "extra_known_marketplaces": 5}"#,
                MARKETPLACES,
            ),
            (COPIED, r#"{"installedPlugins": [], "installed_plugins": 5}"#, "installed_plugins"),
        ];
        for (key, text, expected) in table {
            let node = read_twice(Format::Jsonc, text.as_bytes(), Twice::Refused).unwrap();
            assert_eq!(spelling(&node, key), expected, "{text}");
        }
    }

    #[test]
    fn words_are_told_by_underscores_and_capitals() {
        for same in ["DisabledSkills", "disabled_Skills", "DISABLED_SKILLS", "DisabledSKills"] {
            assert_eq!(with_underscores(same), "disabled_skills");
        }
        let others = ["disabledskills", "DISABLEDSKILLS", "disabled_sKills", "disabled-skills"];
        for other in
            others.iter().chain(&["disabled__skills", "_disabled_skills", "dISABLED_SKILLS"])
        {
            assert_ne!(with_underscores(other), "disabled_skills");
        }
    }
}
