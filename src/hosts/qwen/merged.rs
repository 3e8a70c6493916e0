//! How Qwen Code joins the lists of its settings files (`cli/utils/deepMerge.ts`): of two lists the
//! items of both count, of other values the later one, even if it is of a wrong type.

use super::SETTINGS;
use crate::hosts::{Reading, SettingsFile};
use crate::settings::Kind;

/// The texts of the list `skills.KEY`, each with its file and line.
pub(super) fn texts<'a>(reading: &'a Reading, key: &str) -> Vec<(&'a SettingsFile, &'a str, u32)> {
    texts_at(reading, "skills", key)
}

/// The texts of the list `TABLE.KEY`, each with its file and line.
pub(super) fn texts_at<'a>(
    reading: &'a Reading,
    table: &str,
    key: &str,
) -> Vec<(&'a SettingsFile, &'a str, u32)> {
    let mut joined = None;
    for file in reading.of_role(SETTINGS) {
        let Some(said) = file.at(&[table]) else { continue };
        if !matches!(said.kind, Kind::Table(_)) {
            joined = None;
        }
        let Some(node) = said.at(&[key]) else { continue };
        let (items, is_list) = match &node.kind {
            Kind::List(items) => (items.as_slice(), true),
            _ => (std::slice::from_ref(node), false),
        };
        let texts = items.iter().filter_map(|item| Some((file, item.text()?, item.line)));
        match &mut joined {
            Some(joined) => Vec::extend(joined, texts),
            None => joined = is_list.then(|| texts.collect()),
        }
    }
    joined.unwrap_or_default()
}
