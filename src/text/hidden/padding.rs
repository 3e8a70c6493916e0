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

pub(super) fn places(text: &str) -> Vec<Position> {
    let mut places = Vec::new();
    let (mut empty, mut lines) = (0..0, 0);
    for (start, line) in super::lines(text) {
        let here = start..start + line.len();
        if line.chars().all(is_blank) {
            empty = if lines == 0 { here } else { empty.start..here.end };
            lines += 1;
            continue;
        }
        if lines >= EMPTY_LINES {
            places.push(Position::new(Kind::EmptyLines, empty.clone(), lines));
        }
        lines = 0;
        if line.len() > BLANKS {
            blanks(line, here, &mut places);
        }
    }
    places
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
