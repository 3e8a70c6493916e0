//! A skill's text, read for people.

use crate::catalog::{Skill, frontmatter};
use crate::files::beneath::{Content, Refusal, SkillDir};
use crate::files::sniff::{self, Sort};
use crate::text::code::{highlight, language_of};
use crate::text::markdown::{self, Paint};
use crate::text::{Doc, DocLine, Role, human_size};
use std::path::Path;

/// How much of a file is shown: the first mebibyte.
pub const PREVIEW_BYTES: u64 = 1 << 20;

/// A text file of a skill, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its text, bytes that are not UTF-8 replaced; without a `SKILL.md`'s frontmatter where that
    /// was asked.
    pub text: String,
    /// The line of the file on which `text` begins, from 1.
    pub first_line: u32,
    /// Size of the whole file, bytes.
    pub total: u64,
    /// Whether only the first part was read.
    pub cut: bool,
}

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The path is refused, or nothing is there.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is not text.
    #[error("{kind}, {}", human_size(*.total))]
    Binary {
        kind: &'static str,
        /// Its size, bytes.
        total: u64,
    },
}

impl TextError {
    /// Whether there is a file that is not text.
    pub fn is_binary(&self) -> bool {
        matches!(self, Self::Binary { .. })
    }

    /// Whether there is nothing.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Refused(Refusal::NotFound))
    }
}

/// How a text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns; no line is wider.
    pub columns: usize,
    /// Markdown rendered and code highlighted, or the text as it is.
    pub rendered: bool,
    /// Whether code is highlighted: slower, so that a first answer can do without.
    pub coloured: bool,
    /// Whether long lines are wrapped, where the text is not rendered markdown.
    pub wrap: bool,
}

/// The bytes of a file of the skill, at most `cap`; no file means the `SKILL.md` itself.
///
/// # Errors
/// [`Refusal`]; the file is opened beneath the skill's canonical directory.
pub fn bytes(skill: &Skill, file: Option<&Path>, cap: u64) -> Result<Content, Refusal> {
    let dir = SkillDir::open(skill.dir())?;
    dir.read(file.unwrap_or(skill.file()), cap)
}

/// The text of a file of the skill; no file means the body of the `SKILL.md`, without its
/// frontmatter.
///
/// # Errors
/// [`TextError`].
pub fn text(skill: &Skill, file: Option<&Path>, cap: u64) -> Result<Text, TextError> {
    let content = bytes(skill, file, cap)?;
    if let Sort::Binary(kind) = sniff::sort(&content.bytes) {
        return Err(TextError::Binary { kind, total: content.total });
    }
    let (from, first_line) = match file {
        Some(_) => (0, 1),
        None => {
            let reading = frontmatter::read(&content.bytes);
            (reading.body, reading.body_line)
        }
    };
    let text = String::from_utf8_lossy(content.bytes.get(from..).unwrap_or_default()).into_owned();
    Ok(Text { text, first_line, total: content.total, cut: content.cut })
}

/// A text laid out as lines; its lines know where they stand in the file.
pub fn page(text: &Text, file: Option<&Path>, style: Style) -> Doc {
    let mut doc = match (style.rendered, file) {
        (false, _) => Doc::plain(&text.text, style.columns, style.wrap),
        (true, file) if is_markdown(file) => markdown::render(
            &text.text,
            style.columns,
            if style.coloured { Paint::Syntax } else { Paint::Plain },
        ),
        (true, file) => source_code(text, file, style),
    };
    let before = text.first_line.saturating_sub(1);
    for line in &mut doc.lines {
        line.source = line.source.saturating_add(before);
    }
    doc
}

/// What a model chooses the skill by, and an empty line: what stands before the rendered text of a
/// `SKILL.md`. Nothing where there is no description.
pub fn lead(skill: &Skill, columns: usize) -> Vec<DocLine> {
    let description = skill.description.trim();
    if description.is_empty() {
        return Vec::new();
    }
    let mut lines = Doc::plain(description, columns, true).lines;
    for line in &mut lines {
        line.source = 1;
        line.spans
            .iter_mut()
            .filter(|span| span.role == Role::Plain)
            .for_each(|span| span.role = Role::Emphasis);
    }
    lines.push(DocLine { source: 1, ..DocLine::default() });
    lines
}

fn is_markdown(file: Option<&Path>) -> bool {
    let extension =
        file.map(|file| file.extension().map(|end| end.to_string_lossy().to_lowercase()));
    extension
        .is_none_or(|end| end.is_some_and(|end| matches!(end.as_str(), "md" | "markdown" | "mdx")))
}

fn source_code(text: &Text, file: Option<&Path>, style: Style) -> Doc {
    let name = file.and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let first = text.text.lines().next().unwrap_or_default();
    match language_of(&name, first).filter(|_| style.coloured) {
        Some(language) => highlight(&text.text, &language, style.columns, style.wrap),
        None => Doc::plain(&text.text, style.columns, style.wrap),
    }
}

/// The lines of the `SKILL.md` around a line, `around` before and after: the number of the first,
/// and the lines as they stand in the file, raw.
///
/// # Errors
/// [`Refusal`].
pub fn excerpt(skill: &Skill, line: u32, around: u32) -> Result<(u32, Vec<String>), Refusal> {
    let content = bytes(skill, None, PREVIEW_BYTES)?;
    let text = String::from_utf8_lossy(&content.bytes).into_owned();
    let first = line.saturating_sub(around).max(1);
    let count = (line - first.min(line) + around + 1) as usize;
    let lines = text.split('\n').skip(first as usize - 1).take(count);
    Ok((first, lines.map(|line| line.trim_end_matches('\r').to_owned()).collect()))
}
