//! What a pick prints: from entries of a view to the text of one format.

use super::json;
use super::skill::SkillRow;
use crate::catalog::{Mention, MentionRefusal, Scope, Skill};
use crate::inert;
use crate::policy::{Entry, Fold};
use crate::runtime::{self, BlockError};
use crate::text::SafeText;
use crate::workspace::{MentionForm, View};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;

/// How a pick is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As the host of the view takes it: `$name`, or `[$name](path)` where the name is not unique;
    /// `/name`; prose.
    Mention,
    /// `/name`.
    Slash,
    /// `[$name](path)` always.
    Link,
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
    /// Several skills of the name are on, and the host cannot tell them apart by anything that a
    /// person writes.
    #[error("{host} cannot tell {} skills of this name apart; switch the others off", .candidates.len())]
    Ambiguous {
        host: &'static str,
        /// Scope and path of each, in the order of the view.
        candidates: Vec<(Scope, PathBuf)>,
    },
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

/// The text of these entries, in their order. Only `path` with `print0` is the bytes of a path as
/// they are; all else is inert (T6), and a block that holds hidden characters shows them as marks.
pub fn print(view: &View, indexes: &[usize], (format, print0): (Format, bool)) -> Printed {
    let mut printed = Printed::default();
    if format == Format::Json {
        let rows: Vec<SkillRow> =
            indexes.iter().filter_map(|index| SkillRow::at(view, *index)).collect();
        // Writing into memory does not fail.
        let _ = json::write(&mut printed.bytes, &rows);
        printed.bytes.push(if print0 { 0 } else { b'\n' });
        return printed;
    }
    let names = Callable::of(view);
    let mut parts = Vec::new();
    for (index, entry) in
        indexes.iter().filter_map(|index| Some((*index, view.rows.entry(*index)?)))
    {
        match part(entry, &names, (format, print0)) {
            Ok((part, notice)) => {
                parts.push(part);
                printed.notices.extend(notice);
            }
            Err(refusal) => printed.refused.push((index, refusal)),
        }
    }
    if parts.len() > 1 && format == Format::Mention && !print0 {
        printed.notices.extend(only_the_first(view));
    }
    printed.bytes = joined(&parts, format, print0);
    printed
}

/// What is to be said where a prompt has several calls and the host takes a call at the very start
/// alone.
fn only_the_first(view: &View) -> Option<SafeText> {
    let start = matches!(view.host.mention, MentionForm::Start(_));
    start.then(|| {
        inert!(
            "{} takes a call only at the very start: it may run the first of these alone",
            view.host.name
        )
    })
}

/// The text by which a person calls one entry of a view, in the form of the view's host (COD-1.3).
///
/// # Errors
/// [`Refusal`] where no form can carry it, or the host would take another skill, or none, for it.
pub fn mention(view: &View, index: usize) -> Result<String, Refusal> {
    let entry = view.rows.entry(index).ok_or(Refusal::Mention(MentionRefusal::Name))?;
    Callable::of(view).mention(entry)
}

/// The skills that a person may invoke, by the names that the host takes for them.
struct Callable<'a> {
    view: &'a View,
    carriers: HashMap<String, Vec<&'a Entry>>,
}

impl<'a> Callable<'a> {
    fn of(view: &'a View) -> Self {
        let mut carriers: HashMap<String, Vec<&Entry>> = HashMap::new();
        for entry in view.rows.entries().filter(|entry| entry.pickable()) {
            carriers.entry(key(view, &entry.skill)).or_default().push(entry);
        }
        Self { view, carriers }
    }

    /// Whether no other that is on has the name.
    fn alone(&self, skill: &Skill) -> bool {
        self.carriers.get(&key(self.view, skill)).is_some_and(|several| several.len() == 1)
    }

    fn name(&self, skill: &'a Skill) -> Cow<'a, str> {
        self.view.policy.order.name_of(skill)
    }

    /// An error where the host has no way to say which of several is meant.
    fn must_be_alone(&self, skill: &Skill) -> Result<(), Refusal> {
        if self.alone(skill) {
            return Ok(());
        }
        let several =
            self.carriers.get(&key(self.view, skill)).map(Vec::as_slice).unwrap_or_default();
        let candidates =
            several.iter().map(|entry| (entry.skill.scope, entry.skill.path.clone())).collect();
        Err(Refusal::Ambiguous { host: self.view.host.name, candidates })
    }

    fn mention(&self, entry: &'a Entry) -> Result<String, Refusal> {
        let skill = &*entry.skill;
        let name = self.name(skill);
        match self.view.host.mention {
            MentionForm::Dollar { link: true } => {
                Ok(Mention::for_pick(&name, &skill.path, self.alone(skill))?.to_string())
            }
            MentionForm::Dollar { link: false } => {
                self.must_be_alone(skill)?;
                match Mention::for_pick(&name, &skill.path, true) {
                    Ok(mention @ Mention::Name(_)) => Ok(mention.to_string()),
                    _ => Err(MentionRefusal::Name.into()),
                }
            }
            MentionForm::Start(sign) => {
                self.must_be_alone(skill)?;
                Ok(format!("{sign}{}", Mention::slash(&name, true)?.name()))
            }
            MentionForm::Prose(before, after) => {
                self.must_be_alone(skill)?;
                if name.is_empty() || SafeText::line(&name).as_str() != name {
                    return Err(MentionRefusal::Name.into());
                }
                Ok(format!("{before}{name}{after}"))
            }
        }
    }
}

/// The skill's name as the host compares it.
fn key(view: &View, skill: &Skill) -> String {
    let order = view.policy.order;
    let name = order.name_of(skill);
    if order.fold == Fold::Names { name.to_lowercase() } else { name.into_owned() }
}

type Part = (Vec<u8>, Option<SafeText>);

fn part<'a>(
    entry: &'a Entry,
    names: &Callable<'a>,
    (format, print0): (Format, bool),
) -> Result<Part, Refusal> {
    let skill = &*entry.skill;
    let plain = |text: String| (text.into_bytes(), None);
    Ok(match format {
        Format::Mention => plain(names.mention(entry)?),
        Format::Slash => plain(Mention::slash(&names.name(skill), names.alone(skill))?.to_string()),
        Format::Link => {
            plain(Mention::for_pick(&names.name(skill), &skill.path, false)?.to_string())
        }
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
    let lines: Vec<String> =
        block.text.lines().map(|line| SafeText::clean(line).as_str().to_owned()).collect();
    let name = SafeText::line(&entry.skill.name);
    let notice = inert!("{}: {} hidden or control characters are printed as marks", name, marks);
    Ok((lines.join("\n").into_bytes(), Some(notice)))
}

fn joined(parts: &[Vec<u8>], format: Format, print0: bool) -> Vec<u8> {
    if print0 {
        return parts.iter().flat_map(|part| part.iter().copied().chain([0])).collect();
    }
    let separator: &[u8] =
        if matches!(format, Format::Mention | Format::Slash) { b" " } else { b"\n" };
    let mut bytes = parts.join(separator);
    if !parts.is_empty() {
        bytes.push(b'\n');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::FORMATS;

    #[test]
    fn every_word_that_the_settings_take_is_a_format_and_every_format_a_word() {
        assert!(FORMATS.iter().all(|word| Format::from_word(word).is_some()));
        assert!(Format::WORDS.iter().all(|(word, _)| FORMATS.contains(word)));
    }
}
