//! How the text of a prompt stands on the screen: lines are wrapped at words, and a pill is as wide
//! as its label.

use super::editor::{Editor, Spot};
use crate::inert;
use crate::text::SafeText;
use std::ops::Range;
use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;

/// The rows of a line: the bytes of each.
pub(super) type RowRanges = Arc<[Range<usize>]>;

/// The rows of one line, kept while nothing changes.
#[derive(Debug, Default)]
pub(super) struct Wrapped {
    /// The version of the text, the line and the columns of these rows.
    of: (u64, usize, usize),
    rows: Option<RowRanges>,
}

impl Wrapped {
    /// Keeps the rows of the cursor's line.
    pub(super) fn renew(&mut self, editor: &Editor, columns: usize) {
        let of = (editor.version(), editor.cursor().line, columns);
        if self.of != of || self.rows.is_none() {
            (self.of, self.rows) = (of, Some(rows(editor, of.1, columns).into()));
        }
    }

    pub(super) fn get(&self, editor: &Editor, line: usize, columns: usize) -> RowRanges {
        let kept = self.rows.as_ref().filter(|_| self.of == (editor.version(), line, columns));
        kept.cloned().unwrap_or_else(|| rows(editor, line, columns).into())
    }
}

/// Columns of a tab.
const TAB: usize = 4;

/// The label of a pill is cut to so many columns, without its brackets.
const LABEL: usize = 40;

/// What is drawn for a character of the text.
pub fn shown(editor: &Editor, grapheme: &str) -> SafeText {
    match grapheme {
        "\t" => SafeText::spaces(TAB),
        _ => match editor.pill_in(grapheme) {
            Some((pill, at)) => {
                let name = SafeText::line(&pill.name).cut(LABEL);
                let behind = grapheme[at..].chars().skip(1).collect::<String>();
                let (before, behind) = (&grapheme[..at], SafeText::clean(&behind));
                inert!("{}[{}]{}", SafeText::clean(before), name, behind)
            }
            None => SafeText::clean(grapheme),
        },
    }
}

fn width(editor: &Editor, grapheme: &str) -> usize {
    match grapheme.as_bytes() {
        [b' '..=b'~'] => 1,
        _ => shown(editor, grapheme).width(),
    }
}

/// The rows of a line: the bytes of each. A row is at most `columns` wide, unless one character is
/// wider.
pub(super) fn rows(editor: &Editor, line: usize, columns: usize) -> Vec<Range<usize>> {
    let text = &editor.lines()[line];
    let columns = columns.max(1);
    let mut rows = Vec::new();
    // The start of the row, its width, and the last place where it may break with the width there.
    let (mut start, mut wide, mut space) = (0, 0, None);
    let mut step = |at: usize, length: usize, own: usize, is_space: bool| {
        if wide + own > columns && at > start {
            // White space at the end of a row may stand beyond it.
            if is_space && wide == columns {
                wide += own;
                space = Some((at + length, wide));
                return;
            }
            let (end, before) = space.filter(|(end, _)| *end > start).unwrap_or((at, wide));
            rows.push(start..end);
            start = end;
            wide = wide.saturating_sub(before);
            space = None;
        }
        wide += own;
        if is_space {
            space = Some((at + length, wide));
        }
    };
    if text.is_ascii() && !text.contains('\t') {
        text.bytes().enumerate().for_each(|(at, byte)| step(at, 1, 1, byte == b' '));
    } else {
        for (at, grapheme) in text.grapheme_indices(true) {
            let is_space = matches!(grapheme, " " | "\t");
            step(at, grapheme.len(), width(editor, grapheme), is_space);
        }
    }
    rows.push(start..text.len());
    rows
}

/// The row of a line in which a byte stands. At the end of a row that is the next one.
pub(super) fn row_of(rows: &[Range<usize>], byte: usize) -> usize {
    rows.iter().rposition(|row| row.start <= byte).unwrap_or(0)
}

/// The columns before a byte of a line, from the start of its row.
pub fn column(editor: &Editor, line: usize, from: usize, byte: usize) -> usize {
    let text = &editor.lines()[line][from..byte.max(from)];
    text.graphemes(true).map(|grapheme| width(editor, grapheme)).sum()
}

/// The place in a row that a column shows; its end if the row is shorter.
pub(super) fn spot_at(
    editor: &Editor,
    line: usize,
    row: &Range<usize>,
    wanted: usize,
    last: bool,
) -> Spot {
    let text = &editor.lines()[line][row.clone()];
    let (mut at, mut byte) = (0, row.start);
    for grapheme in text.graphemes(true) {
        let own = width(editor, grapheme);
        // Behind the last character of a row that is continued begins the next row.
        let is_end = byte + grapheme.len() == row.end && !last;
        if at + own > wanted || is_end {
            break;
        }
        at += own;
        byte += grapheme.len();
    }
    Spot { line, byte }
}
