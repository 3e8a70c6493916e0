//! Reads a skill's text for people.

use super::folder;
use crate::catalog::{Skill, frontmatter};
use crate::files::beneath::{Content, Refusal};
use crate::files::sniff::{self, ContentKind};
use crate::text::code::{highlight, language_of};
use crate::text::markdown::{self, Paint};
use crate::text::{Doc, DocLine, Role, human_size};
use std::path::Path;

/// In bytes. Only the first mebibyte of a file is shown.
pub const PREVIEW_BYTES: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Bytes that are not UTF-8 are replaced. The body of a `SKILL.md` is without its frontmatter.
    pub text: String,
    /// The line of the file where `text` begins, from 1.
    pub first_line: u32,
    /// Size of the whole file in bytes.
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
    /// Only the program of this agent has it.
    #[error("it is built into {0}, so there is no file to read")]
    Held(&'static str),
    /// It is not text.
    #[error("{kind}, {}", human_size(*.total))]
    Binary {
        kind: &'static str,
        /// Its size, bytes.
        total: u64,
    },
}

impl TextError {
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Refused(Refusal::NotFound))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The most columns of a line.
    pub columns: usize,
    /// Whether markdown is rendered and code highlighted. Otherwise the text is shown as it is.
    pub rendered: bool,
    /// Whether code is highlighted. It is slower, so a first preview does without.
    pub coloured: bool,
    /// Whether long lines are wrapped, if the text is not rendered markdown.
    pub wrap: bool,
}

/// The bytes of a file of the skill, at most `cap`. Without `file` it is the `SKILL.md`.
///
/// # Errors
/// [`Refusal`]. The file is opened beneath the skill's canonical directory.
pub fn bytes(skill: &Skill, file: Option<&Path>, cap: u64) -> Result<Content, Refusal> {
    let dir = folder::open(skill)?;
    dir.read(file.unwrap_or(skill.file()), cap)
}

/// The text of a file of the skill. Without `file` it is the body of the `SKILL.md`.
///
/// # Errors
/// [`TextError`].
pub fn text(skill: &Skill, file: Option<&Path>, cap: u64) -> Result<Text, TextError> {
    if let Some(word) = skill.root.word.as_ref().filter(|word| word.held) {
        return Err(TextError::Held(word.name));
    }
    let content = bytes(skill, file, cap)?;
    if let ContentKind::Binary(kind) = sniff::classify(&content.bytes) {
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

/// A text laid out as lines, which have their line numbers in the file.
pub fn page(text: &Text, file: Option<&Path>, style: Style) -> Doc {
    let mut doc = match (style.rendered, file) {
        (false, _) => Doc::plain(&text.text, style.columns, style.wrap),
        (true, None) => rendered(&text.text, style),
        (true, Some(file)) if is_markdown(file) => with_head(&text.text, style),
        (true, Some(file)) => {
            source_code(&text.text, &file.file_name().unwrap_or_default().to_string_lossy(), style)
        }
    };
    let before = text.first_line.saturating_sub(1);
    for line in &mut doc.lines {
        line.source = line.source.saturating_add(before);
    }
    if text.cut {
        doc.end_early(style.columns);
    }
    doc
}

/// What comes before the rendered text of a `SKILL.md`: the description, by which a model chooses
/// the skill, and an empty line. Empty without a description.
pub fn lead(description: &str, columns: usize) -> Vec<DocLine> {
    let description = description.trim();
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

fn is_markdown(file: &Path) -> bool {
    let end = file.extension().map(|end| end.to_string_lossy().to_lowercase());
    end.is_some_and(|end| matches!(end.as_str(), "md" | "markdown" | "mdx"))
}

fn rendered(text: &str, style: Style) -> Doc {
    let paint = if style.coloured { Paint::Syntax } else { Paint::Plain };
    markdown::render(text, style.columns, paint)
}

/// Rendered Markdown, and above it the frontmatter as it is written: as Markdown, its end would
/// make a heading of it.
fn with_head(text: &str, style: Style) -> Doc {
    let reading = frontmatter::read(text.as_bytes());
    let Some((head, body)) = text.split_at_checked(reading.body) else {
        return rendered(text, style);
    };
    let mut doc = rendered(body, style);
    for line in &mut doc.lines {
        line.source = line.source.saturating_add(reading.body_line.saturating_sub(1));
    }
    if !head.is_empty() {
        doc.lines.splice(0..0, source_code(head, "head.yaml", style).lines);
    }
    doc
}

fn source_code(text: &str, name: &str, style: Style) -> Doc {
    let first = text.lines().next().unwrap_or_default();
    match language_of(name, first).filter(|_| style.coloured) {
        Some(language) => highlight(text, &language, style.columns, style.wrap),
        None => Doc::plain(text, style.columns, style.wrap),
    }
}

/// The lines of the `SKILL.md` around a line, with `around` lines before and after. Returns the
/// number of the first, and the raw lines.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    #[test]
    fn the_frontmatter_of_a_file_stands_as_it_is_above_its_rendered_text() {
        let style = Style { columns: 60, rendered: true, coloured: false, wrap: true };
        let lines = |text: &str, file: &str, style| {
            let text = Text { text: text.to_owned(), first_line: 1, total: 0, cut: false };
            let doc = page(&text, Some(Path::new(file)), style);
            let of = |line: &DocLine| line.spans.iter().map(|span| span.text.as_str()).collect();
            let each = doc.lines.iter().map(|line| (line.source, of(line)));
            each.filter(|(_, text): &(u32, String)| !text.is_empty()).collect::<Vec<_>>()
        };
        let own = |lines: &[(u32, &str)]| {
            lines.iter().map(|(at, text)| (*at, (*text).to_owned())).collect::<Vec<_>>()
        };
        let head = [(1, "---"), (2, "name: a"), (3, "description: b"), (4, "---")];
        let text = "---\nname: a\ndescription: b\n---\n# Title\n\nWords of *it*.\n";
        for coloured in [false, true] {
            let shown = lines(text, "references/a.md", Style { coloured, ..style });
            assert_eq!(shown[..4], own(&head));
            let rest: Vec<_> = shown[4..].iter().map(|(at, text)| (*at, text.as_str())).collect();
            assert!(rest[0].0 == 5 && rest[0].1.contains("Title"), "{rest:?}");
            assert_eq!(rest.last(), Some(&(7, "Words of it.")));
        }
        assert_eq!(lines("Words *of it*.\n", "b.md", style), own(&[(1, "Words of it.")]));
        // A line of dashes that closes nothing is a rule, and code has no frontmatter.
        assert_eq!(lines("---\nname: a\n", "b.md", style).last().unwrap().1, "name: a");
        assert_eq!(lines("---\na: 1\n---\n", "b.yaml", style).len(), 3);
    }

    #[test]
    fn a_text_of_which_only_the_beginning_was_read_says_so_at_its_end() {
        let test = TestWorkspace::with(&[("repo/.agents/skills/a", "a")]);
        let long = format!("---\nname: a\ndescription: A.\n---\n{}", "line\n".repeat(300_000));
        test.env.write("repo/.agents/skills/a/SKILL.md", &long);
        let view = test.view();
        let read = text(view.rows[0].skill(), None, 100_000).unwrap();
        assert!(read.cut);
        for rendered in [false, true] {
            let style = Style { columns: 60, rendered, coloured: false, wrap: true };
            let doc = page(&read, None, style);
            let last = doc.lines.last().unwrap().plain();
            let shown = &doc.lines[doc.lines.len() - 2];
            assert_eq!(
                last,
                format!("… cut at line {}: only the first 1 MiB is shown", shown.source)
            );
            let whole = page(&Text { cut: false, ..read.clone() }, None, style);
            assert_eq!(whole.cut, None);
        }
    }

    #[test]
    fn an_excerpt_is_the_line_of_a_finding_between_its_neighbours() {
        let test = TestWorkspace::with(&[("repo/.agents/skills/a", "a")]);
        test.env
            .write("repo/.agents/skills/a/SKILL.md", "---\nname: a\r\ndescription: A.\n---\nend");
        let view = test.view();
        let skill = view.rows[0].skill();
        for (line, around, first, lines) in [
            (3, 1, 2, &["name: a", "description: A.", "---"][..]),
            (1, 2, 1, &["---", "name: a", "description: A."]),
            (5, 1, 4, &["---", "end"]),
            (2, 0, 2, &["name: a"]),
        ] {
            let lines = lines.iter().map(|line| (*line).to_owned()).collect();
            assert_eq!(excerpt(skill, line, around), Ok((first, lines)), "{line}");
        }
        // A file that has changed may have fewer lines than when the finding was made.
        assert_eq!(excerpt(skill, 9, 1), Ok((8, Vec::new())));
        std::fs::remove_file(&skill.path).unwrap();
        assert_eq!(excerpt(skill, 1, 1), Err(Refusal::NotFound));
        let text = text(skill, None, PREVIEW_BYTES);
        assert!(text.unwrap_err().is_gone(), "the picker says that it is gone");
    }
}
