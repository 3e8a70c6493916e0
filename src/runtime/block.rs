//! A skill as text for a prompt: the `<skill_context>` block (COD-6.2b).

use super::text::bytes;
use crate::catalog::Skill;
use crate::files::beneath::{EntryKind, Refusal, SkillDir, TreeLimits};
use std::fmt::Write as _;

/// A `SKILL.md` beyond this is cut, with a notice (D11), bytes.
pub const SOFT_BYTES: usize = 200_000;

/// A `SKILL.md` beyond this is refused (D11), bytes.
const HARD_BYTES: u64 = 2 << 20;

/// Files that are listed; more are counted (COD-8.2).
pub const MAX_FILES: usize = 200;

/// Bytes of the listed paths, at most (COD-8.2).
const MAX_FILE_BYTES: usize = 16 << 10;

/// A block, and whether something had to be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The text: other people's, exactly as it is.
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
    /// The `SKILL.md` is beyond the hard limit.
    #[error("SKILL.md is larger than 2 MiB")]
    TooLarge,
    /// The `SKILL.md` is not UTF-8, and a prompt is.
    #[error("SKILL.md is not UTF-8")]
    NotUtf8,
}

/// The block of a skill: the whole `SKILL.md`, its base directory, and its files (COD-2.2, COD-6.2b, D6).
///
/// # Errors
/// [`BlockError`].
pub fn block(skill: &Skill) -> Result<Block, BlockError> {
    let content = bytes(skill, None, HARD_BYTES)?;
    if content.cut {
        return Err(BlockError::TooLarge);
    }
    let whole = String::from_utf8(content.bytes).map_err(|_| BlockError::NotUtf8)?;
    let cut = whole.len() > SOFT_BYTES;
    let shown = &whole[..whole.floor_char_boundary(SOFT_BYTES)];
    let dir = skill.dir().to_string_lossy();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<skill_context name=\"{}\" path=\"{}\">",
        escape(&skill.name),
        escape(&skill.path.to_string_lossy())
    );
    text.push_str(shown);
    if !shown.ends_with('\n') {
        text.push('\n');
    }
    if cut {
        let _ = writeln!(text, "[SKILL.md is cut: {SOFT_BYTES} of {} bytes are here]", whole.len());
    }
    let _ = writeln!(text, "\nBase directory: file://{}/", dir.trim_end_matches('/'));
    text.push_str("Relative paths in this skill are relative to the base directory.\n");
    files(skill, &mut text)?;
    text.push_str("</skill_context>");
    Ok(Block { text, cut })
}

/// The skill's other files, by absolute path.
fn files(skill: &Skill, text: &mut String) -> Result<(), Refusal> {
    let tree = SkillDir::open(skill.dir())?.tree(TreeLimits::default());
    let own = skill.path.file_name().unwrap_or_default();
    let files = tree.entries.iter().filter(|entry| matches!(entry.kind, EntryKind::File { .. }) && entry.path != *own);
    let paths: Vec<String> = files.map(|entry| skill.dir().join(&entry.path).to_string_lossy().into_owned()).collect();
    text.push_str("<skill_files>\n");
    let mut bytes = 0;
    let mut listed = 0;
    for path in paths.iter().take(MAX_FILES) {
        bytes += path.len();
        if bytes > MAX_FILE_BYTES {
            break;
        }
        let _ = writeln!(text, "<file>{}</file>", escape(path));
        listed += 1;
    }
    if listed < paths.len() || tree.cut {
        let more = paths.len() - listed;
        let _ = writeln!(text, "<!-- {more}{} more files are not listed -->", if tree.cut { "+" } else { "" });
    }
    text.push_str("</skill_files>\n");
    Ok(())
}

/// For attributes and element text; line breaks in a path cannot make an element of their own.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            character if character.is_control() => {
                let _ = write!(out, "&#x{:x};", u32::from(character));
            }
            character => out.push(character),
        }
    }
    out
}
