//! Source code as a [`Doc`] of highlighted lines.
//!
//! It knows grammars, not colours: each piece of text gets a [`Role::Syntax`]. Grammars are foreign
//! code that reads hostile text, so their time is limited. If it is over or a grammar fails, the
//! rest is plain.

mod grammar;
mod scopes;

use super::wrap::{self, Indent};
use super::{Cutoff, Doc, DocLine, DocSpan, Role, SafeText, source};
use grammar::Highlighter;
use std::time::{Duration, Instant};

pub use grammar::language_of;

/// The most lines of one source that are highlighted.
const MAX_LINES: usize = 2_000;

/// The most bytes of one source that are highlighted.
const MAX_BYTES: usize = 64 << 10;

/// The time limit for highlighting one document. It is checked between lines.
const TIME: Duration = Duration::from_millis(50);

/// Columns by which the continuation of a broken line is indented.
const HANG: usize = 2;

/// The time that is left for highlighting one document.
#[derive(Debug)]
pub(super) struct Budget(Duration);

impl Default for Budget {
    fn default() -> Self {
        Self(TIME)
    }
}

/// `source` line by line, highlighted as `language`: a name, file extension or the label of a code
/// fence.
///
/// Lines are broken at `columns` if `wrap`, and their continuation is indented. These lines are
/// plain: all if the language is unknown, those after the 2,000th, after 64 KiB or after 50 ms, and
/// those of more than 2,000 characters, which are cut with a mark. At most 1 MiB of the source is
/// shown.
pub fn highlight(source: &str, language: &str, columns: usize, wrap: bool) -> Doc {
    let (shown, cut) = source::head(source);
    let mut doc = Doc::default();
    for (line, line_cut) in lines(shown, language, 1, &mut Budget::default()) {
        if let Some(cut) = line_cut {
            doc.note_cut(cut.limit, cut.source);
        }
        let parts = if wrap { broken(&line, columns, &Indent::default()) } else { vec![line] };
        if !parts.into_iter().all(|line| doc.push(line)) {
            break;
        }
    }
    doc.end(cut, columns);
    doc
}

/// The lines of a piece of code that begins at line `first` of its document, not yet broken.
pub(super) fn lines(
    source: &str,
    language: &str,
    first: u32,
    budget: &mut Budget,
) -> Vec<(DocLine, Option<Cutoff>)> {
    let mut highlighter = if budget.0.is_zero() { None } else { Highlighter::new(language) };
    let started = Instant::now();
    let mut bytes = 0;
    let mut out = Vec::new();
    for (index, (number, line)) in source::lines(source).enumerate() {
        let number = number.saturating_add(first - 1);
        bytes += line.len() + 1;
        if index >= MAX_LINES || bytes > MAX_BYTES || started.elapsed() > budget.0 {
            highlighter = None;
        }
        out.push(one_line(line, number, &mut highlighter));
    }
    budget.0 = budget.0.saturating_sub(started.elapsed());
    out
}

fn one_line(
    line: &str,
    number: u32,
    highlighter: &mut Option<Highlighter>,
) -> (DocLine, Option<Cutoff>) {
    let (_, dropped) = source::cut_line(line);
    if dropped == 0
        && let Some(parser) = highlighter
    {
        if let Some(pieces) = parser.line(line) {
            return (DocLine { spans: spans(line, &pieces), source: number }, None);
        }
        *highlighter = None;
    }
    source::plain_line(line, Role::CodeBlock, number)
}

/// The line as cleaned spans, one for each piece.
fn spans(line: &str, pieces: &[(usize, Role)]) -> Vec<DocSpan> {
    let mut spans = Vec::with_capacity(pieces.len());
    let (mut start, mut column) = (0, 0);
    for &(end, role) in pieces {
        let text = SafeText::clean_from(&line[start..end], column);
        (start, column) = (end, column + text.width());
        spans.push(DocSpan::new(text, role));
    }
    spans
}

/// Breaks a line of code at `columns`, with its continuation below its own indent.
pub(super) fn broken(line: &DocLine, columns: usize, indent: &Indent) -> Vec<DocLine> {
    let text = line.plain();
    let own = text.len() - text.trim_start_matches(' ').len();
    let mut rest = indent.rest.clone();
    rest.push(DocSpan::new(SafeText::spaces(own + HANG), Role::Plain));
    wrap::hard(line, columns, &Indent { first: indent.first.clone(), rest })
}

#[cfg(test)]
mod tests;
