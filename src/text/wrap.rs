//! Breaks lines of spans at a width.
//!
//! No output line is wider than the given columns, and only white space at a break is lost. The one
//! exception is a character that is wider than a line, which becomes `…`.

use super::width::of_grapheme;
use super::{DocLine, DocSpan, Role, SafeText};

/// The prefixes of a block's lines. They get at most half of the columns and are cut beyond that,
/// so that there is always room for the text.
#[derive(Clone, Debug, Default)]
pub struct Indent {
    /// Before the first line.
    pub first: Vec<DocSpan>,
    /// Before every other line.
    pub rest: Vec<DocSpan>,
}

/// Joins the source lines of one paragraph with spaces and breaks them between words. Words that
/// are too long are broken anywhere. `columns` of 0 counts as 1. Returns at least one line.
pub fn words(lines: &[DocLine], columns: usize, indent: &Indent) -> Vec<DocLine> {
    fill(lines, columns, indent, false)
}

/// Breaks one line of code wherever it is too long, and keeps its spaces. Returns at least one
/// line.
pub fn hard(line: &DocLine, columns: usize, indent: &Indent) -> Vec<DocLine> {
    fill(std::slice::from_ref(line), columns, indent, true)
}

/// The prefix, cut to half of `columns`.
pub(super) fn fitting(prefix: &[DocSpan], columns: usize) -> Vec<DocSpan> {
    let mut room = columns / 2;
    let mut fitting = Vec::with_capacity(prefix.len());
    for span in prefix {
        // A cut marker gets `…`, cut blanks do not.
        let blank = span.text.as_str().trim_matches(' ').is_empty();
        let text =
            if blank { SafeText::spaces(span.text.width().min(room)) } else { span.text.cut(room) };
        room -= text.width();
        if !text.is_empty() {
            fitting.push(DocSpan::new(text, span.role));
        }
    }
    fitting
}

fn fill(lines: &[DocLine], columns: usize, indent: &Indent, hard: bool) -> Vec<DocLine> {
    let columns = columns.max(1);
    let source = lines.first().map_or(1, |line| line.source);
    let indent =
        Indent { first: fitting(&indent.first, columns), rest: fitting(&indent.rest, columns) };
    let mut filler = Filler::new(columns, &indent, source);
    let mut before = Role::Plain;
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            let after = line.spans.first().map_or(Role::Plain, |span| span.role);
            let role = if before == after { before } else { Role::Plain };
            filler.space(Cell { grapheme: " ", role, width: 1, source: line.source });
        }
        for span in &line.spans {
            for grapheme in span.text.graphemes() {
                let cell = Cell {
                    grapheme,
                    role: span.role,
                    width: u16::try_from(of_grapheme(grapheme)).unwrap_or(u16::MAX),
                    source: line.source,
                };
                match grapheme {
                    _ if hard => filler.put(cell),
                    " " => filler.space(cell),
                    _ => filler.letter(cell),
                }
            }
            before = span.role;
        }
    }
    filler.finish()
}

#[derive(Clone, Copy)]
struct Cell<'a> {
    grapheme: &'a str,
    role: Role,
    /// In columns. A long word has many cells, so they are small.
    width: u16,
    source: u32,
}

struct Filler<'a> {
    columns: usize,
    indent: &'a Indent,
    done: Vec<DocLine>,
    line: DocLine,
    /// Columns left on the line.
    room: usize,
    /// Whether the line has text after its indent.
    begun: bool,
    spaces: Vec<Cell<'a>>,
    word: Vec<Cell<'a>>,
    word_width: usize,
}

impl<'a> Filler<'a> {
    fn new(columns: usize, indent: &'a Indent, source: u32) -> Self {
        let line = DocLine { spans: indent.first.clone(), source };
        let room = columns - line.width();
        let (done, spaces, word) = (Vec::new(), Vec::new(), Vec::new());
        Self { columns, indent, done, line, room, begun: false, spaces, word, word_width: 0 }
    }

    fn space(&mut self, cell: Cell<'a>) {
        self.end_word();
        self.spaces.push(cell);
    }

    fn letter(&mut self, cell: Cell<'a>) {
        if let Some(last) = self.word.last()
            && breaks_between(last, &cell)
        {
            self.end_word();
        }
        self.word_width += usize::from(cell.width);
        self.word.push(cell);
    }

    /// Puts the gathered word on this line or the next.
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let fits = self.spaces.len() + self.word_width <= self.room;
        if !fits && self.begun {
            self.break_line(self.word[0].source);
        } else {
            // Spaces before a line's first word are its own indent.
            let kept = if fits { self.spaces.len() } else { self.spaces.len().min(self.room / 2) };
            let spaces = std::mem::take(&mut self.spaces);
            spaces.into_iter().take(kept).for_each(|cell| self.put(cell));
        }
        self.spaces.clear();
        self.word_width = 0;
        let word = std::mem::take(&mut self.word);
        word.into_iter().for_each(|cell| self.put(cell));
    }

    /// Puts one grapheme, on a new line if this one is full.
    fn put(&mut self, mut cell: Cell<'a>) {
        if usize::from(cell.width) > self.room && self.begun {
            self.break_line(cell.source);
        }
        if usize::from(cell.width) > self.room {
            cell = Cell { grapheme: super::safe::ELLIPSIS, width: 1, ..cell };
        }
        if !self.begun {
            self.line.source = cell.source;
        }
        match self.line.spans.last_mut() {
            Some(span) if self.begun && span.role == cell.role => {
                span.text.push_grapheme(cell.grapheme)
            }
            _ => {
                let mut text = SafeText::default();
                text.push_grapheme(cell.grapheme);
                self.line.spans.push(DocSpan::new(text, cell.role));
            }
        }
        self.room -= usize::from(cell.width);
        self.begun = true;
    }

    fn break_line(&mut self, source: u32) {
        let next = DocLine { spans: self.indent.rest.clone(), source };
        self.room = self.columns - next.width();
        self.begun = false;
        self.done.push(std::mem::replace(&mut self.line, next));
    }

    fn finish(mut self) -> Vec<DocLine> {
        self.end_word();
        self.done.push(self.line);
        self.done
    }
}

/// Whether a line may break between two graphemes without a space: beside wide East Asian
/// characters, but not before their closing punctuation.
fn breaks_between(before: &Cell<'_>, after: &Cell<'_>) -> bool {
    const CLOSING: &str = "、。，．：；！？）］｝〉》」』】〕ー々…";
    (before.width > 1 || after.width > 1) && !CLOSING.contains(after.grapheme)
}

#[cfg(test)]
mod tests;
