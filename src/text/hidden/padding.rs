//! Text pushed out of sight by blanks or empty lines.

use super::{Kind, Position};
use std::ops::Range;

/// Blanks before further text on a line, which push it out of sight.
pub(super) const BLANKS: usize = 200;
/// Empty lines before further text.
pub(super) const EMPTY_LINES: usize = 100;

pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{2800}'
}

/// Empty lines after which the text has not gone on yet.
#[derive(Clone, Debug, Default)]
pub(super) struct EmptyLines {
    pub(super) lines: usize,
    /// Where they are in the part that is examined.
    pub(super) range: Range<usize>,
}

/// The padding in a part of a text. `empty` tells the next part which empty lines end this one.
pub(super) fn places(text: &str, empty: &mut EmptyLines) -> Vec<Position> {
    let mut places = Vec::new();
    empty.range = 0..0;
    // Most texts need not be taken apart.
    if empty.lines == 0 && !has_blank_part(text.as_bytes(), BLANKS.min(EMPTY_LINES) / 2) {
        *empty = last_lines(text);
        return places;
    }
    for (start, line) in super::lines(text) {
        let here = start..start + line.len();
        if line.chars().all(is_blank) {
            let from = if empty.lines == 0 { start } else { empty.range.start };
            *empty = EmptyLines { lines: empty.lines + 1, range: from..here.end };
            continue;
        }
        if empty.lines >= EMPTY_LINES {
            places.push(Position::new(Kind::EmptyLines, empty.range.clone(), empty.lines));
        }
        empty.lines = 0;
        if may_have_blanks(line) {
            blanks(line, here, &mut places);
        }
    }
    places
}

/// Whether a line may have so many blanks in a row.
fn may_have_blanks(line: &str) -> bool {
    line.len() > BLANKS && has_blank_part(line.as_bytes(), BLANKS / 2)
}

/// Whether one of the parts of this length may be blank as a whole. Twice as many blanks in a row
/// would fill at least one. Nearly every part has a letter among its first bytes. A shorter last
/// part does not count.
fn has_blank_part(text: &[u8], length: usize) -> bool {
    let may_be_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b || !byte.is_ascii();
    text.chunks_exact(length).any(|part| part.iter().all(may_be_blank))
}

/// The empty lines at the end of a text.
fn last_lines(text: &str) -> EmptyLines {
    let blank = text.split_inclusive('\n').rev().take_while(|line| line.chars().all(is_blank));
    let (lines, bytes) = blank.fold((0, 0), |(lines, bytes), line| (lines + 1, bytes + line.len()));
    let range = if lines == 0 { 0..0 } else { text.len() - bytes..text.len() };
    EmptyLines { lines, range }
}

/// Adds the padding in the line at `here`.
fn blanks(line: &str, here: Range<usize>, places: &mut Vec<Position>) {
    let (mut run, mut from) = (0, 0);
    for (at, letter) in line.char_indices() {
        if is_blank(letter) {
            from = if run == 0 { at } else { from };
            run += 1;
        } else {
            if run >= BLANKS {
                places.push(Position::new(Kind::Blanks, here.start + from..here.start + at, run));
            }
            run = 0;
        }
    }
}
