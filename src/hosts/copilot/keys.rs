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

const BANNER: &str = "banner";
const MODEL: &str = "model";

/// The keys whose types we know. Others have types too.
const TYPED: [&str; 6] = [DISABLED, FURTHER, ENABLED, MARKETPLACES, BANNER, MODEL];

/// The spelling under which this table has the key; the key's own if it has none. Of several the
/// last one counts. But if any key's last value has a wrong type, the program takes every key in
/// its own spelling only.
pub(super) fn spelling<'a>(table: &'a Node, key: &'a str) -> &'a str {
    let last = |key: &str| {
        let is_it = |field: &&Field| with_underscores(&field.key) == with_underscores(key);
        table.fields().iter().rfind(is_it)
    };
    let is_sound = |key: &&str| last(key).is_none_or(|field| fault(key, &field.node).is_none());
    let found = last(key).filter(|_| TYPED.iter().all(is_sound));
    found.map_or(key, |field| &field.key)
}

/// The line of the first value of a wrong type that we know of, under a key's own spelling. The
/// program ignores the whole table then.
pub(super) fn mistyped(table: &Node) -> Option<u32> {
    TYPED.iter().find_map(|key| fault(key, table.get(key)?))
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

/// The line of a value that has not the type of its key.
fn fault(key: &str, node: &Node) -> Option<u32> {
    let first = |fields: &[Field], is_right: &dyn Fn(&Node) -> bool| {
        fields.iter().find(|field| !is_right(&field.node)).map(|field| field.node.line)
    };
    match (key, &node.kind) {
        (DISABLED | FURTHER, Kind::List(items)) => {
            items.iter().find(|item| item.text().is_none()).map(|item| item.line)
        }
        (ENABLED, Kind::Table(fields)) => first(fields, &|node| node.flag().is_some()),
        (MARKETPLACES, Kind::Table(fields)) => first(fields, &is_marketplace),
        (BANNER | MODEL, Kind::Text(_)) => None,
        _ => Some(node.line),
    }
}

fn is_marketplace(node: &Node) -> bool {
    let Some(source) = node.get("source") else { return false };
    let kind = source.text_of("source");
    kind.is_some() && (kind != Some("directory") || source.text_of("path").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Format, Reader, read_as};

    fn table(text: &str) -> Node {
        read_as(Format::Jsonc, text.as_bytes(), Reader::Strict).unwrap()
    }

    /// What the program takes from each table.
    #[test]
    fn the_last_spelling_counts_unless_a_value_that_counts_so_has_a_wrong_type() {
        let rows = [
            (DISABLED, r#"{"disabledSkills": ["a"], "disabled_skills": ["b"]}"#, "disabled_skills"),
            (DISABLED, r#"{"disabled_skills": ["b"], "disabledSkills": ["a"]}"#, DISABLED),
            (DISABLED, r#"{"disabledSkills": ["a"], "disabled_skills": null}"#, DISABLED),
            (DISABLED, r#"{"disabledSkills": ["a"], "disabled_skills": ["b", 5]}"#, DISABLED),
            (DISABLED, r#"{"DisabledSkills": ["a"], "disabled_skills": 5}"#, DISABLED),
            (DISABLED, r#"{"disabled_skills": ["a"], "MODEL": 5}"#, DISABLED),
            (DISABLED, r#"{"disabled_skills": ["a"], "enabled_plugins": {"a@b": 5}}"#, DISABLED),
            (DISABLED, r#"{"disabled_skills": ["a"], "other_key": 5}"#, "disabled_skills"),
            (DISABLED, "{}", DISABLED),
            (FURTHER, r#"{"skill_directories": ["a"]}"#, "skill_directories"),
            (FURTHER, r#"{"skill_directories": ["a"], "disabled_skills": 5}"#, FURTHER),
            (ENABLED, r#"{"enabled_plugins": {"a@b": true}}"#, "enabled_plugins"),
            (MARKETPLACES, r#"{"extra_known_marketplaces": {"b": {}}}"#, MARKETPLACES),
            (COPIED, r#"{"installedPlugins": [], "installed_plugins": 5}"#, "installed_plugins"),
        ];
        for (key, text, expected) in rows {
            assert_eq!(spelling(&table(text), key), expected, "{text}");
        }
    }

    /// The program ignores each of these files.
    #[test]
    fn a_value_of_a_wrong_type_under_a_keys_own_spelling_is_found() {
        for text in [
            r#"{"disabledSkills": null, "disabled_skills": ["a"]}"#,
            r#"{"disabledSkills": 5}"#,
            r#"{"skillDirectories": ["a", 5]}"#,
            r#"{"enabledPlugins": {"a@b": 5}}"#,
            r#"{"enabledPlugins": null}"#,
            r#"{"extraKnownMarketplaces": {"b": {}}}"#,
            r#"{"extraKnownMarketplaces": {"b": {"source": {"source": "directory"}}}}"#,
            r#"{"model": null}"#,
        ] {
            assert_eq!(mistyped(&table(text)), Some(1), "{text}");
        }
        let sound = r#"{"disabled_skills": 5, "MODEL": 5, "enabledPlugins": {}, "other": 5}"#;
        assert_eq!(mistyped(&table(sound)), None);
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
