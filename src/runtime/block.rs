//! A skill as text for a prompt: the `<skill_context>` block.

use super::folder;
use super::markup::{attribute, guarded};
use super::sizes::SizeLimits;
use super::text::bytes;
use crate::catalog::Skill;
use crate::catalog::validate::TooLarge;
use crate::config::MAX_FILE_SIZE;
use crate::files::beneath::{Content, EntryKind, FileEntry, Refusal, TreeLimits};
use crate::files::digest::Digest;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The most files that are listed. Further ones are counted.
pub const MAX_FILES: usize = 200;

/// The most bytes of the listed paths.
const MAX_FILE_BYTES: usize = 16 << 10;

/// Our own tags, which a `SKILL.md` may not write.
const FRAME: [&str; 2] = ["skill_context", "skill_files"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Other people's text, unchanged except for tags with the block's own names.
    pub text: String,
    /// Whether the `SKILL.md` was cut.
    pub cut: bool,
}

/// Why there is no block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The file cannot be read.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The `SKILL.md` is larger than the settings allow.
    #[error("SKILL.md is too large: {0}")]
    TooLarge(TooLarge),
}

/// The skill's other files, within the limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Absolute paths.
    pub paths: Vec<PathBuf>,
    /// How many more there are.
    pub more: usize,
    /// Whether `more` is only a lower bound.
    pub at_least: bool,
}

impl Files {
    /// The subject and verb of the notice about files that are not listed; `None` if all are.
    fn missing(&self) -> Option<String> {
        match (self.more, self.at_least) {
            (0, false) => None,
            (0, true) => Some("more files are".to_owned()),
            (1, false) => Some("1 more file is".to_owned()),
            (1, true) => Some("at least 1 more file is".to_owned()),
            (more, false) => Some(format!("{more} more files are")),
            (more, true) => Some(format!("at least {more} more files are")),
        }
    }
}

/// The digest of a skill's whole `SKILL.md` as it is now; `None` if it cannot be read. A file that
/// has grown beyond the limit is told apart when it is loaded.
pub fn text_digest(skill: &Skill) -> Option<Digest> {
    whole(skill, (MAX_FILE_SIZE as u64) << 20).ok().map(|text| Digest::of(text.as_bytes()))
}

/// The whole of a `SKILL.md`, which may have `limit` bytes. Bytes that are not UTF-8 become U+FFFD,
/// as most agents read them, and as they are listed and shown.
///
/// # Errors
/// [`BlockError`].
pub(super) fn whole(skill: &Skill, limit: u64) -> Result<String, BlockError> {
    let content: Content = bytes(skill, None, limit)?;
    if content.cut {
        return Err(BlockError::TooLarge(TooLarge { total: content.total, limit }));
    }
    folder::require_same_name(skill, skill.file(), &content.bytes)?;
    Ok(String::from_utf8_lossy(&content.bytes).into_owned())
}

/// The block of a skill: its `SKILL.md` within the limits, its base directory, and its files. It
/// does not check whether the skill may be loaded, since a person picked it.
///
/// # Errors
/// [`BlockError`].
pub fn block(skill: &Skill, limits: SizeLimits) -> Result<Block, BlockError> {
    let whole = whole(skill, limits.file)?;
    let given = given(&whole, limits);
    let text = framed(skill, given, whole.len(), &files(skill, &|_| true)?);
    Ok(Block { text, cut: given.len() < whole.len() })
}

/// The text that is given, cut between two characters.
pub(super) fn given(whole: &str, limits: SizeLimits) -> &str {
    let most = usize::try_from(limits.given).unwrap_or(usize::MAX);
    &whole[..whole.floor_char_boundary(most)]
}

/// The block around the shown part of a `SKILL.md` that has `total` bytes.
pub(super) fn framed(skill: &Skill, shown: &str, total: usize, files: &Files) -> String {
    let (name, path) = (attribute(&skill.name), attribute(&skill.path.to_string_lossy()));
    let (body, changed) = guarded(shown, &FRAME);
    let mut text = format!("<skill_context name=\"{name}\" path=\"{path}\">\n{body}");
    if !body.ends_with('\n') {
        text.push('\n');
    }
    if shown.len() < total {
        let file = attribute(&skill.file().to_string_lossy());
        let _ = writeln!(text, "[{file} is cut: {} of {total} bytes are here]", shown.len());
    }
    text.push_str(&changed_tags(changed));
    // A single file has no directory of its own, and no other file is given.
    if !skill.is_single_file() {
        let dir = attribute(&skill.dir().to_string_lossy());
        let _ = writeln!(text, "\nBase directory: file://{}/", dir.trim_end_matches('/'));
        text.push_str("Relative paths in this skill are relative to the base directory.\n");
    }
    text.push_str("<skill_files>\n");
    for path in &files.paths {
        let _ = writeln!(text, "<file>{}</file>", attribute(&path.to_string_lossy()));
    }
    if let Some(missing) = files.missing() {
        let _ = writeln!(text, "<!-- {missing} not listed -->");
    }
    text.push_str("</skill_files>\n</skill_context>");
    text
}

/// A notice that the `<` of tags with the block's own names was escaped; empty if there were none.
pub(super) fn changed_tags(count: usize) -> String {
    let tags = if count == 1 { "tag" } else { "tags" };
    let line = || {
        format!(
            "[in {count} {tags} above, which this block itself uses, `<` is written as `&lt;`]\n"
        )
    };
    if count > 0 { line() } else { String::new() }
}

/// The absolute paths of the skill's other files that `gives` allows, within the limits.
pub(super) fn files(skill: &Skill, gives: &dyn Fn(&Path) -> bool) -> Result<Files, Refusal> {
    let tree = folder::open(skill)?.tree(TreeLimits::default());
    let is_file = |entry: &&FileEntry| {
        matches!(entry.kind, EntryKind::File { .. }) && entry.path != skill.file()
    };
    let files = tree.entries.iter().filter(is_file);
    let paths = files.map(|entry| skill.place_of(&entry.path));
    let mut paths: Vec<PathBuf> = paths.filter(|path| gives(path)).collect();
    let mut bytes = 0;
    let fits = |path: &PathBuf| {
        bytes += path.as_os_str().len();
        bytes <= MAX_FILE_BYTES
    };
    let listed = paths.iter().take(MAX_FILES).map(fits).take_while(|fits| *fits).count();
    let more = paths.len() - listed;
    paths.truncate(listed);
    Ok(Files { paths, more, at_least: tree.cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_tags_are_counted_in_words() {
        assert_eq!(changed_tags(0), "");
        assert!(
            changed_tags(1).starts_with("[in 1 tag above, ")
                && changed_tags(2).starts_with("[in 2 tags above, ")
        );
    }

    #[test]
    fn what_is_not_listed_is_counted_in_words() {
        for (more, at_least, words) in [
            (0, false, None),
            (0, true, Some("more files are")),
            (1, false, Some("1 more file is")),
            (1, true, Some("at least 1 more file is")),
            (7, false, Some("7 more files are")),
            (7, true, Some("at least 7 more files are")),
        ] {
            let files = Files { more, at_least, ..Files::default() };
            assert_eq!(files.missing().as_deref(), words, "{more} {at_least}");
        }
    }
}
