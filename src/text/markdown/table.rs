//! Tables: shrunk to the width, or stacked if that is too narrow.

use super::super::wrap::{self, Indent};
use super::super::{DocLine, DocSpan, Role, SafeText, width};
use pulldown_cmark::Alignment;

/// The fewest columns of a cell when the table shrinks. If that does not fit, rows are stacked.
const MIN_CELL: usize = 6;

const GAP: &str = " │ ";

/// A cell: its text by source line.
type Cell = Vec<DocLine>;

/// A row and its line in the source.
struct Row {
    cells: Vec<Cell>,
    source: u32,
}

/// The first row is the head.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Row>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    pub(super) fn add_row(&mut self, source: u32) {
        self.rows.push(Row { cells: Vec::new(), source });
    }

    pub(super) fn add_cell(&mut self, cell: Cell) {
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(cell);
        }
    }

    /// Adds to the last cell of the last row.
    pub(super) fn add_to_cell(&mut self, text: DocLine) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.cells.last_mut()) {
            match cell.last_mut() {
                Some(line) => line.spans.extend(text.spans),
                None => cell.push(text),
            }
        }
    }

    pub(super) fn source(&self) -> u32 {
        self.rows.first().map_or(1, |row| row.source)
    }

    /// None of the lines is wider than `columns`.
    pub(super) fn lines(&self, columns: usize) -> Vec<DocLine> {
        match self.widths(columns) {
            Some(widths) => self.grid(&widths),
            None => self.stack(columns),
        }
    }

    /// The width of each column if the cells fit side by side. The widest shrink first. Words are
    /// broken only if nothing else fits.
    fn widths(&self, columns: usize) -> Option<Vec<usize>> {
        let count = self.alignments.len();
        let room = columns.checked_sub(count.checked_sub(1)? * GAP.chars().count())?;
        if room < count {
            return None;
        }
        let widest = |measure: fn(&Cell) -> usize| -> Vec<usize> {
            let of_column = |index| {
                self.rows.iter().filter_map(move |row| row.cells.get(index)).map(measure).max()
            };
            (0..count).map(|index| of_column(index).unwrap_or(0).max(1)).collect()
        };
        let natural = widest(cell_width);
        let words = widest(longest_word);
        capped(&natural, &words, room).or_else(|| capped(&natural, &vec![MIN_CELL; count], room))
    }

    fn grid(&self, widths: &[usize]) -> Vec<DocLine> {
        let mut lines = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            lines.extend(self.grid_row(row, widths));
            if index == 0 {
                let dashes: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
                let rule = SafeText::line(&dashes.join("─┼─"));
                lines.push(DocLine::of(rule, Role::TableRule, row.source.saturating_add(1)));
            }
        }
        lines
    }

    fn grid_row(&self, row: &Row, widths: &[usize]) -> Vec<DocLine> {
        let empty = Vec::new();
        let cells: Vec<Vec<DocLine>> = widths
            .iter()
            .enumerate()
            .map(|(index, &width)| {
                wrap::words(row.cells.get(index).unwrap_or(&empty), width, &Indent::default())
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        (0..height)
            .map(|at| {
                let mut spans = Vec::new();
                for (index, (cell, &width)) in cells.iter().zip(widths).enumerate() {
                    if index > 0 {
                        spans.push(DocSpan::fixed(GAP, Role::TableRule));
                    }
                    let last = index + 1 == widths.len();
                    spans.extend(aligned(cell.get(at), width, self.alignments.get(index), last));
                }
                DocLine { spans, source: row.source }
            })
            .collect()
    }

    /// Each row as lines of `head: cell`.
    fn stack(&self, columns: usize) -> Vec<DocLine> {
        let Some((head, rows)) = self.rows.split_first() else { return Vec::new() };
        if rows.is_empty() {
            return head
                .cells
                .iter()
                .flat_map(|cell| wrap::words(cell, columns, &Indent::default()))
                .collect();
        }
        let hanging = Indent { first: Vec::new(), rest: vec![DocSpan::fixed("  ", Role::Plain)] };
        let mut lines = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                lines.push(DocLine { spans: Vec::new(), source: row.source });
            }
            for (at, cell) in row.cells.iter().enumerate() {
                let title = head.cells.get(at).filter(|title| cell_width(title) > 0);
                if cell_width(cell) == 0 && (title.is_none() || index > 0) {
                    continue;
                }
                let mut text = title.cloned().unwrap_or_default();
                if let Some(line) = text.last_mut() {
                    line.spans.push(DocSpan::fixed(":", Role::TableHead));
                }
                text.extend(cell.iter().cloned());
                text.iter_mut().for_each(|line| line.source = row.source);
                lines.extend(wrap::words(&text, columns, &hanging));
            }
        }
        lines
    }
}

/// The natural widths, with the widest cut to a common width so that all fit `room`, but none below
/// its `least`. `None` if that does not fit.
fn capped(natural: &[usize], least: &[usize], room: usize) -> Option<Vec<usize>> {
    let widths = |cap: usize| {
        natural.iter().zip(least).map(move |(&width, &least)| width.min(cap.max(least)))
    };
    let cap =
        (MIN_CELL..=room.max(MIN_CELL)).rev().find(|&cap| widths(cap).sum::<usize>() <= room)?;
    let mut widths: Vec<usize> = widths(cap).collect();
    let mut spare = room - widths.iter().sum::<usize>();
    for (width, &wanted) in widths.iter_mut().zip(natural) {
        let more = spare.min(wanted - *width).min(1);
        *width += more;
        spare -= more;
    }
    Some(widths)
}

fn longest_word(cell: &Cell) -> usize {
    let spans = cell.iter().flat_map(|line| &line.spans);
    spans.flat_map(|span| span.text.as_str().split(' ')).map(width).max().unwrap_or(0)
}

fn cell_width(cell: &Cell) -> usize {
    cell.iter().map(DocLine::width).sum::<usize>() + cell.len().saturating_sub(1)
}

/// A line of a cell, filled with spaces to the cell's width, except at the end of the table's last
/// column.
fn aligned(
    line: Option<&DocLine>,
    width: usize,
    alignment: Option<&Alignment>,
    last: bool,
) -> Vec<DocSpan> {
    let mut spans = line.map(|line| line.spans.clone()).unwrap_or_default();
    if last && spans.is_empty() {
        return spans;
    }
    let missing = width.saturating_sub(line.map_or(0, DocLine::width));
    let before = match alignment {
        Some(Alignment::Right) => missing,
        Some(Alignment::Center) => missing / 2,
        _ => 0,
    };
    let filler = |count| DocSpan::new(SafeText::spaces(count), Role::Plain);
    if before > 0 {
        spans.insert(0, filler(before));
    }
    if !last && missing > before {
        spans.push(filler(missing - before));
    }
    spans
}
