//! Single characters that hide something, judged by their context.

use super::{Kind, Position};
use crate::text::ascii::is_printable_or;
use crate::text::characters::{is_hidden, is_noncharacter, is_odd_space};
use crate::text::spelling;

/// What a character is in its context.
enum Judgement {
    /// Visible, or part of correct writing.
    Innocent,
    /// Correct, but it changes nothing that a reader sees.
    Unseen,
    Hides(Kind),
}

/// Adds the hidden places of a text, in order. Neighbours of one kind are one place. Returns the
/// marks that are in their right place, but that a reader does not see.
pub(super) fn places(text: &str, places: &mut Vec<Position>) -> Vec<Position> {
    let mut unseen = Vec::new();
    // Most texts need not be taken apart.
    if is_printable_or(text.as_bytes(), [b'\t', b'\n']) {
        return unseen;
    }
    for (start, line) in super::lines(text).filter(|(_, line)| !is_plain(line)) {
        Line::new(line).judge(|at, letter, judgement| {
            let range = start + at..start + at + letter.len_utf8();
            match judgement {
                Judgement::Innocent => {}
                Judgement::Unseen => unseen.push(Position::new(Kind::ZeroWidth, range, 1)),
                Judgement::Hides(kind) => add(places, Position::new(kind, range, 1)),
            }
        });
    }
    unseen
}

/// Whether a line has only printable ASCII, tabs and its end, so that nothing can hide in it.
fn is_plain(line: &str) -> bool {
    let end = ["\r\n", "\n"].into_iter().find_map(|end| line.strip_suffix(end));
    is_printable_or(end.unwrap_or(line).as_bytes(), [b'\t'; 2])
}

/// Adds a place, or extends the last one if that ends where this begins.
fn add(places: &mut Vec<Position>, place: Position) {
    match places.last_mut() {
        Some(last) if last.kind == place.kind && last.range.end == place.range.start => {
            last.range.end = place.range.end;
            last.count += place.count;
        }
        _ => places.push(place),
    }
}

/// A line, with facts about the whole line that are computed at most once.
struct Line<'a> {
    text: &'a str,
    wide: std::cell::OnceCell<bool>,
    braille: std::cell::OnceCell<bool>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, wide: Default::default(), braille: Default::default() }
    }

    /// Passes each character that is neither ASCII nor an ordinary letter to `take`.
    fn judge(&self, mut take: impl FnMut(usize, char, Judgement)) {
        let mut flag_end = 0;
        let mut before = None;
        for (at, letter) in self.text.char_indices() {
            if letter == '\u{1f3f4}' {
                let flag = spelling::flag_length(&self.text[at..]);
                flag_end = at + flag * letter.len_utf8();
            }
            let judgement = match letter {
                ' '..='~' | '\t' | '\n' => Judgement::Innocent,
                _ if at < flag_end => Judgement::Innocent,
                _ if letter.is_control() => self.control(at, letter),
                _ if is_hidden(letter) => self.invisible(at, letter, before),
                _ if is_noncharacter(letter) => Judgement::Hides(Kind::ZeroWidth),
                _ if is_odd_space(letter) => self.space(at, letter, before),
                _ => Judgement::Innocent,
            };
            take(at, letter, judgement);
            before = Some(letter);
        }
    }

    fn after(&self, at: usize, letter: char) -> &'a str {
        &self.text[at + letter.len_utf8()..]
    }

    /// A carriage return is innocent only before the line feed that ends the line.
    fn control(&self, at: usize, letter: char) -> Judgement {
        let ends = letter == '\r' && self.after(at, letter) == "\n";
        if ends { Judgement::Innocent } else { Judgement::Hides(Kind::Control) }
    }

    fn invisible(&self, at: usize, letter: char, before: Option<char>) -> Judgement {
        let kind = match letter {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Kind::Bidi,
            '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}' => Kind::Tag,
            _ => Kind::ZeroWidth,
        };
        let after = self.after(at, letter);
        match before {
            _ if is_drawn(letter) => Judgement::Innocent,
            _ if is_direction_mark(letter) && spelling::is_beside_rtl(&self.text[..at], after) => {
                Judgement::Innocent
            }
            Some(before) => match self.spelled(at, letter, before) {
                Judgement::Hides(_) => Judgement::Hides(kind),
                other => other,
            },
            None => Judgement::Hides(kind),
        }
    }

    /// Judges a character that belongs to the one before it.
    fn spelled(&self, at: usize, letter: char, before: char) -> Judgement {
        let after = self.after(at, letter);
        let next = after.chars().next();
        let innocent = match letter {
            '\u{fe0e}' | '\u{fe0f}' if spelling::takes_presentation(before, next) => {
                if !spelling::changes_presentation(before, letter) {
                    return Judgement::Unseen;
                }
                true
            }
            '\u{200c}' | '\u{200d}' => spelling::joins(letter, before, next),
            '\u{200b}' | '\u{2060}' => {
                next.is_some_and(|next| spelling::is_within_spaceless(before, next))
            }
            '\u{ad}' if spelling::is_within_word(&self.text[..at], after) => {
                return Judgement::Unseen;
            }
            '\u{180e}' => {
                matches!(before, '\u{1820}'..='\u{18aa}')
                    && matches!(next, Some('\u{1820}' | '\u{1821}'))
            }
            '\u{13430}'..='\u{13440}' => matches!(before, '\u{13000}'..='\u{1345f}'),
            _ if spelling::takes_variant(before, letter) => return Judgement::Unseen,
            _ => spelling::takes_form(before, letter),
        };
        if innocent { Judgement::Innocent } else { Judgement::Hides(Kind::ZeroWidth) }
    }

    fn space(&self, at: usize, letter: char, before: Option<char>) -> Judgement {
        let innocent = match letter {
            '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}' => {
                spelling::is_typographic(before, self.after(at, letter).chars().next())
            }
            '\u{3000}' => *self.wide.get_or_init(|| spelling::is_wide(self.text)),
            '\u{2800}' => *self
                .braille
                .get_or_init(|| self.text.contains(|c| matches!(c, '\u{2801}'..='\u{28ff}'))),
            _ => false,
        };
        if innocent { Judgement::Innocent } else { Judgement::Hides(Kind::Space) }
    }
}

/// Format characters that fonts draw: Arabic signs for numbers, verses and abbreviations.
fn is_drawn(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0x0600..=0x0605 | 0x06dd | 0x070f | 0x0890..=0x0891 | 0x08e2 | 0x1_10bd | 0x1_10cd
    )
}

fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{61c}')
}
