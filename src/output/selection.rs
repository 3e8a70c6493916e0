//! The text that a pick prints, in one of the formats.

use super::json;
use super::skill::SkillRow;
use crate::catalog::{MentionForm, MentionRefusal, Skill};
use crate::inert;
use crate::listing::CallError;
use crate::listing::{Audience, CallText, Callers};
use crate::policy::{Calling, Choices, Entry, Refusal, Speech};
use crate::runtime::{self, BlockError, SizeLimits};
use crate::text::SafeText;
use crate::words;
use crate::workspace::{ALL, View};

/// The format of a pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As the view's agent calls a skill: `$name`, or `[$name](path)` if the name is not unique;
    /// `/name`; prose. In a view through all agents, as one that can call the skill does.
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
    /// The `<skill_context>` block.
    Block,
}

words!(
    Format,
    Mention = "mention",
    Slash = "slash",
    Link = "link",
    Name = "name",
    Path = "path",
    Json = "json",
    Block = "block"
);

/// Why one skill of a selection cannot be printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// No agent has a syntax to call it.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The path has characters that are shown as marks, and the marked path would be another path.
    #[error("the path holds characters that are not printed; use --format path --print0")]
    Path,
    /// The `<skill_context>` block cannot be made.
    #[error(transparent)]
    Block(#[from] BlockError),
}

impl PrintError {
    pub fn refusal(&self, entry: &Entry) -> Refusal {
        let choices = match self {
            Self::Call(CallError::Ambiguous { candidates, .. }) => {
                Choices::Paths(candidates.clone())
            }
            Self::Call(_) | Self::Path | Self::Block(_) => Choices::None,
        };
        let what = inert!("{}: {}", entry.skill.full_name(), self.to_string());
        Refusal { choices, ..Refusal::new("refused", what) }
    }
}

/// The text of a selection, and what is missing in it.
#[derive(Debug, Default)]
pub struct Printed {
    /// The bytes for stdout.
    pub bytes: Vec<u8>,
    /// Entries that are left out, as indexes into the view, and why.
    pub refused: Vec<(usize, PrintError)>,
    /// The agent for which it is written, if others take another form and `--for` named none.
    written_for: Option<Speech>,
    notices: Vec<SafeText>,
}

impl Printed {
    /// Messages for stderr. `option` is the one by which another agent is chosen.
    pub fn notices(&self, option: &'static str) -> impl Iterator<Item = SafeText> {
        let words = |speech: Speech| {
            inert!("written for {}; choose another agent with {}", speech.name, option)
        };
        self.written_for.map(words).into_iter().chain(self.notices.iter().cloned())
    }
}

/// The text of these entries, in their order. Only `path` with `print0` gives the bytes of a path
/// unchanged. Everything else is inert: hidden characters are shown as marks.
pub fn print(view: &View, indexes: &[usize], format: Format, print0: bool) -> Printed {
    let mut printed = Printed::default();
    if format == Format::Json {
        let rows: Vec<SkillRow> =
            indexes.iter().filter_map(|index| SkillRow::at(view, *index)).collect();
        // Writing to memory does not fail.
        let _ = json::write(&mut printed.bytes, &rows);
        printed.bytes.push(if print0 { 0 } else { b'\n' });
        return printed;
    }
    let known: Vec<usize> =
        indexes.iter().copied().filter(|index| *index < view.rows.len()).collect();
    let callers = callers(view, &known);
    let mut parts = Vec::new();
    if format == Format::Mention {
        let (mut texts, mut places) = (Vec::new(), Vec::new());
        for (index, text) in known.iter().zip(callers.texts()) {
            match text {
                Ok(call) => {
                    texts.push(call);
                    places.push(*index);
                }
                Err(error) => printed.refused.push((*index, error.into())),
            }
        }
        let audience = callers.audience();
        // Whoever named the agent need not be told.
        if let Audience::One(speech) = audience
            && !view.listing.for_named
        {
            printed.written_for = Some(speech);
        }
        printed.notices = notices(audience, &texts, print0);
        let by_path = by_path(view, places.into_iter().zip(&texts));
        printed.notices.extend(by_path.or_else(|| unseen(view, &known)));
        parts.extend(texts.into_iter().map(|call| call.text.into_bytes()));
    } else {
        for index in &known {
            match part(view, &callers, *index, format, print0) {
                Ok((part, notice)) => {
                    parts.push(part);
                    printed.notices.extend(notice);
                }
                Err(refusal) => printed.refused.push((*index, refusal)),
            }
        }
    }
    printed.bytes = joined(&parts, format, print0);
    printed
}

pub(super) fn callers<'a>(view: &'a View, indexes: &'a [usize]) -> Callers<'a> {
    match view.host.id.word() {
        ALL => Callers::of_all(view, indexes),
        _ => Callers::of_one(view.host.speech(), view, indexes),
    }
}

/// Messages for skills that no one agent can call, and for several skills if an agent calls only
/// one at a time.
fn notices(audience: Audience, texts: &[CallText], print0: bool) -> Vec<SafeText> {
    let mut notices = Vec::new();
    if audience == Audience::Several {
        let each = texts.iter().take(MAX_NAMED).map(|call| match call.speech {
            Some(speech) => inert!("{} for {}", call.text, speech.name),
            None => inert!("{} by its path", call.text),
        });
        let each = SafeText::join(each.collect::<Vec<_>>(), ", ");
        let more = match texts.len().saturating_sub(MAX_NAMED) {
            0 => SafeText::default(),
            more => inert!(" +{}", more),
        };
        notices.push(inert!("no one agent can call all of these: {}{}", each, more));
    }
    let speeches = texts.iter().filter_map(|call| call.speech);
    let start = speeches.into_iter().find(|speech| matches!(speech.form, MentionForm::Start(_)));
    if let Some(speech) = start.filter(|_| texts.len() > 1 && !print0) {
        let is_first = texts.first().and_then(|call| call.speech) == Some(speech);
        let runs = if is_first { "may run the first of these alone" } else { "runs none of these" };
        notices.push(inert!("{} takes a call only at the very start: it {}", speech.name, runs));
    }
    notices
}

/// A message for a skill that the agent of `--for` does not let a person call by its name.
fn by_path<'a>(
    view: &View,
    mut called: impl Iterator<Item = (usize, &'a CallText)>,
) -> Option<SafeText> {
    let told = view.chosen.filter(|_| view.for_named && view.host.id.word() == ALL)?;
    let (index, _) = called.find(|(_, call)| call.speech.is_none())?;
    let skill = &view.rows.entry(index)?.skill;
    let (name, host) = (SafeText::line(&skill.name), told.word());
    let report = view.reports.iter().find(|report| report.host == told);
    let number = u32::try_from(index).ok()?;
    let why = match report.map(|report| report.calling(number, skill, SafeText::path)) {
        None => inert!("{} is not on this machine", host),
        Some(Calling::Off) => inert!("{} is off for {}", name, host),
        Some(Calling::No(why)) => inert!("{} does not take {} ({})", host, name, why),
        Some(Calling::ByPath | Calling::Yes) => {
            inert!("{} does not look in the folder of {}", host, name)
        }
    };
    Some(inert!("{}: its path says which file is meant", why))
}

/// A message for skills in whose folder nobody looks.
fn unseen(view: &View, known: &[usize]) -> Option<SafeText> {
    let first =
        known.iter().map(|index| &view.rows[*index].entry).find(|entry| !entry.looks.here())?;
    let name = SafeText::line(&first.skill.name);
    let nobody = match view.host.id.word() {
        ALL => SafeText::fixed("no agent looks"),
        _ => inert!("{} does not look", view.host.name),
    };
    Some(inert!("{} in the folder of {}: its path says which file is meant", nobody, name))
}

/// The number of calls that a message shows at most.
const MAX_NAMED: usize = 3;

type Part = (Vec<u8>, Option<SafeText>);

fn part(
    view: &View,
    callers: &Callers,
    index: usize,
    format: Format,
    print0: bool,
) -> Result<Part, PrintError> {
    let skill = &*view.rows[index].entry.skill;
    let plain = |text: String| (text.into_bytes(), None);
    Ok(match format {
        Format::Slash => {
            let (text, taken) = callers.slash(index)?;
            let nobody =
                || inert!("{}: no agent here that sees it understands {}", skill.name, text);
            let notice = (!taken).then(nobody);
            (text.into_bytes(), notice)
        }
        Format::Link => plain(callers.link(index)?),
        Format::Name | Format::Mention | Format::Json => {
            plain(SafeText::line(&skill.name).as_str().to_owned())
        }
        Format::Path => {
            let raw = skill.path.as_os_str().as_encoded_bytes();
            if !print0 && SafeText::path(&skill.path).as_str().as_bytes() != raw {
                return Err(PrintError::Path);
            }
            (raw.to_owned(), None)
        }
        Format::Block => block(skill, SizeLimits::of_skill_md(view))?,
    })
}

impl From<MentionRefusal> for PrintError {
    fn from(refusal: MentionRefusal) -> Self {
        CallError::from(refusal).into()
    }
}

fn block(skill: &Skill, limits: SizeLimits) -> Result<Part, PrintError> {
    let block = runtime::block(skill, limits)?;
    let marks = SafeText::marks(&block.text);
    if marks == 0 {
        return Ok((block.text.into_bytes(), None));
    }
    let lines: Vec<String> =
        block.text.lines().map(|line| SafeText::clean(line).as_str().to_owned()).collect();
    let notice =
        inert!("{}: {} hidden or control characters are printed as marks", skill.name, marks);
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
        assert!(Format::ALL.iter().all(|format| FORMATS.contains(&format.word())));
    }
}
