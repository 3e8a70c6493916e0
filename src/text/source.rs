//! A document's source: its lines, and how much of it is read.

use super::{Cutoff, DocLine, DocSpan, Limit, Role, SafeText};
use crate::inert;

/// The most bytes of a document that are shown.
const MAX_BYTES: usize = 1 << 20;

/// The most characters of a source line that are shown.
const MAX_LINE: usize = 2_000;

/// The part of `source` that is shown, and the cut if there is more.
pub(super) fn head(source: &str) -> (&str, Option<Cutoff>) {
    if source.len() <= MAX_BYTES {
        return (source, None);
    }
    let shown = &source[..source.floor_char_boundary(MAX_BYTES)];
    let breaks = memchr::memchr_iter(b'\n', shown.as_bytes()).count();
    (shown, Some(Cutoff { limit: Limit::Bytes, source: number(breaks) }))
}

/// The lines of `source` with their numbers from 1, without line ends. A line break at the very end
/// does not start another line.
pub(super) fn lines(source: &str) -> impl Iterator<Item = (u32, &str)> {
    source.lines().enumerate().map(|(index, line)| (number(index), line))
}

/// The number of the line with this index.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

/// The start of a line that is shown, and how many characters are not.
pub(super) fn cut_line(line: &str) -> (&str, usize) {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) if line.len() > MAX_LINE => (&line[..end], line[end..].chars().count()),
        _ => (line, 0),
    }
}

/// A source line as one span of this role, with a mark if it was cut.
pub(super) fn plain_line(line: &str, role: Role, source: u32) -> (DocLine, Option<Cutoff>) {
    let (shown, dropped) = cut_line(line);
    let mut doc_line = DocLine { spans: Vec::new(), source };
    if !shown.is_empty() {
        doc_line.spans.push(DocSpan::new(SafeText::clean(shown), role));
    }
    if dropped == 0 {
        return (doc_line, None);
    }
    doc_line.spans.push(DocSpan::new(inert!("… {} more characters", dropped), Role::Muted));
    (doc_line, Some(Cutoff { limit: Limit::LineLength, source }))
}
