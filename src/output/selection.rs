//! What a pick prints: from entries of a view to the text of one format (contract, "Picking").

use super::json;
use super::skill::SkillRow;
use crate::catalog::{Mention, MentionRefusal};
use crate::inert;
use crate::policy::Entry;
use crate::runtime::{self, BlockError};
use crate::text::SafeText;
use crate::workspace::View;
use std::collections::HashMap;

/// How a pick is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `$name`, or `[$name](path)` where the name is not unique.
    Mention,
    /// `/name`.
    Slash,
    /// `[$name](path)` always.
    Link,
    /// The name.
    Name,
    /// The path of the `SKILL.md`.
    Path,
    /// One array of skills.
    Json,
    /// The `<skill_context>` block (COD-6.2b).
    Block,
}

impl Format {
    /// Every format with the word that `--format` and the settings use.
    pub const WORDS: [(&'static str, Self); 7] = [
        ("mention", Self::Mention),
        ("slash", Self::Slash),
        ("link", Self::Link),
        ("name", Self::Name),
        ("path", Self::Path),
        ("json", Self::Json),
        ("block", Self::Block),
    ];

    /// The format that `word` names.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, format)| format)
    }
}

/// Why one skill of a selection cannot be printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No mention can carry it.
    #[error(transparent)]
    Mention(#[from] MentionRefusal),
    /// The path holds what would be shown as a mark, and a marked path is another path.
    #[error("the path holds characters that are not printed; use --format path --print0")]
    Path,
    /// There is no block.
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// What a selection prints, and what could not be.
#[derive(Debug, Default)]
pub struct Printed {
    /// The bytes for stdout.
    pub bytes: Vec<u8>,
    /// The entries that are not in it, as indexes into the view, and why.
    pub refused: Vec<(usize, Refusal)>,
    /// What a person is told besides.
    pub notices: Vec<SafeText>,
}

/// The text of these entries, in their order. Only `path` with `print0` is the bytes of a path as they are; all
/// else is inert (T6), and a block that holds hidden characters shows them as marks.
pub fn print(view: &View, indexes: &[usize], (format, print0): (Format, bool)) -> Printed {
    let mut printed = Printed::default();
    let entries: Vec<(usize, &Entry)> =
        indexes.iter().filter_map(|index| Some((*index, view.entries.get(*index)?))).collect();
    if format == Format::Json {
        let rows: Vec<SkillRow> = entries.iter().map(|(_, entry)| SkillRow::of(entry)).collect();
        // Writing into memory does not fail.
        let _ = json::write(&mut printed.bytes, &rows);
        printed.bytes.push(if print0 { 0 } else { b'\n' });
        return printed;
    }
    let carriers = carriers(view);
    let mut parts = Vec::new();
    for (index, entry) in entries {
        let unique = carriers.get(entry.skill.name.trim()).copied().unwrap_or(0) == 1;
        match part(entry, unique, (format, print0)) {
            Ok((part, notice)) => {
                parts.push(part);
                printed.notices.extend(notice);
            }
            Err(refusal) => printed.refused.push((index, refusal)),
        }
    }
    printed.bytes = joined(&parts, format, print0);
    printed
}

/// How many skills that a person may invoke carry each name (unique means one).
fn carriers(view: &View) -> HashMap<&str, usize> {
    let mut carriers: HashMap<&str, usize> = HashMap::new();
    for entry in view.entries.iter().filter(|entry| entry.pickable()) {
        *carriers.entry(entry.skill.name.trim()).or_default() += 1;
    }
    carriers
}

type Part = (Vec<u8>, Option<SafeText>);

fn part(entry: &Entry, unique: bool, (format, print0): (Format, bool)) -> Result<Part, Refusal> {
    let skill = &*entry.skill;
    let plain = |text: String| (text.into_bytes(), None);
    Ok(match format {
        Format::Mention => plain(Mention::for_pick(&skill.name, &skill.path, unique)?.to_string()),
        Format::Slash => plain(Mention::slash(&skill.name, unique)?.to_string()),
        Format::Link => plain(Mention::for_pick(&skill.name, &skill.path, false)?.to_string()),
        Format::Name | Format::Json => plain(SafeText::line(&skill.name).as_str().to_owned()),
        Format::Path => {
            let raw = skill.path.as_os_str().as_encoded_bytes();
            if !print0 && SafeText::path(&skill.path).as_str().as_bytes() != raw {
                return Err(Refusal::Path);
            }
            (raw.to_owned(), None)
        }
        Format::Block => block(entry)?,
    })
}

fn block(entry: &Entry) -> Result<Part, Refusal> {
    let block = runtime::block(&entry.skill)?;
    let marks = SafeText::marks(&block.text);
    if marks == 0 {
        return Ok((block.text.into_bytes(), None));
    }
    let lines: Vec<String> = block.text.lines().map(|line| SafeText::clean(line).as_str().to_owned()).collect();
    let name = SafeText::line(&entry.skill.name);
    let notice = inert!("{}: {} hidden or control characters are printed as marks", name, marks);
    Ok((lines.join("\n").into_bytes(), Some(notice)))
}

fn joined(parts: &[Vec<u8>], format: Format, print0: bool) -> Vec<u8> {
    if print0 {
        return parts.iter().flat_map(|part| part.iter().copied().chain([0])).collect();
    }
    let separator: &[u8] = if matches!(format, Format::Mention | Format::Slash) { b" " } else { b"\n" };
    let mut bytes = parts.join(separator);
    if !parts.is_empty() {
        bytes.push(b'\n');
    }
    bytes
}
