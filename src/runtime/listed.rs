//! Files by the paths under which results, links and listings name them, which are not always the
//! paths that a file system takes: absolute, escaped, or with marks for what is no text.

use super::facts::tree;
use super::markup::attribute;
use crate::catalog::Skill;
use crate::files::beneath::{EntryKind, LinkEnd};
use crate::text::{SafeText, percent};
use std::path::{Path, PathBuf};

/// The rest of a path that leads into this skill's directory by name; other paths are not of it.
pub fn below<'a>(skill: &Skill, written: &'a str) -> Option<&'a str> {
    let path = written.strip_prefix("file://").unwrap_or(written);
    let directory = skill.path.parent().unwrap_or(&skill.path);
    let below = |dir: &String| path.strip_prefix(&**dir)?.strip_prefix('/');
    let file = shown(directory).iter().find_map(below)?;
    (!skill.is_single_file() || shown(skill.file()).iter().any(|own| own == file)).then_some(file)
}

/// The one listed file of the skill that is named so. It is not opened.
pub(super) fn listed(skill: &Skill, written: &str) -> Option<PathBuf> {
    let relative = below(skill, written).unwrap_or(written).trim_start_matches("./");
    let tree = tree(skill).ok()?;
    let is_file = |kind: &EntryKind| {
        matches!(kind, EntryKind::File { .. } | EntryKind::Link { end: LinkEnd::File(_), .. })
    };
    let find = |wanted: &str| {
        let mut found = tree.entries.iter().filter(|entry| {
            is_file(&entry.kind) && shown(&entry.path).iter().any(|it| it == wanted)
        });
        found.next().filter(|_| found.next().is_none()).map(|entry| entry.path.clone())
    };
    // A link may have escapes, and a place in the file.
    let page = relative.split('#').next().unwrap_or_default();
    [relative, &percent::decoded(relative), page, &percent::decoded(page)]
        .into_iter()
        .find_map(find)
}

/// A path as listings, results and messages write it.
fn shown(path: &Path) -> [String; 3] {
    let plain = path.to_string_lossy().into_owned();
    [attribute(&plain).to_string(), SafeText::path(path).to_string(), plain]
}
