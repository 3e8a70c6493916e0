//! Folding: the common spelling in which texts and queries are compared.
//!
//! Letters become lower case, Latin, Greek and Cyrillic accents are dropped (`Café` → `cafe`), a
//! run of white space becomes one space, and none is left at the ends. Marks of other scripts carry
//! meaning and stay.

use super::ascii::is_printable;
use memchr::memmem;
use std::ops::Range;
use unicode_normalization::char::decompose_canonical;

pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

/// The words with one space between them. Letters stay as they are.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether folding changes nothing but ASCII letters to lower case.
pub fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let is_odd = |byte: &u8| is_blank(byte) && *byte != b' ';
    (is_printable(bytes) || bytes.is_ascii() && !bytes.iter().any(is_odd))
        && memmem::find(bytes, b"  ").is_none()
        && !bytes.first().is_some_and(is_blank)
        && !bytes.last().is_some_and(is_blank)
}

/// Appends the folded `text` to `folded`, word by word: most words are ASCII, and those are copied
/// whole.
pub fn fold_into(text: &str, folded: &mut String) {
    folded.reserve(text.len());
    let start = folded.len();
    for word in text.split_whitespace() {
        let before = folded.len();
        if before > start {
            folded.push(' ');
        }
        let begun = folded.len();
        if word.is_ascii() {
            folded.push_str(word);
        } else {
            walk(word, |letter, _| folded.push(letter));
        }
        // A word of accents only folds to nothing and separates nothing.
        if folded.len() == begun {
            folded.truncate(before);
        }
    }
    if let Some(fresh) = folded.get_mut(start..) {
        fresh.make_ascii_lowercase();
    }
}

/// A folded text that remembers where each of its bytes comes from.
pub struct Folded {
    /// The folded text.
    pub text: String,
    /// For each byte of `text`, the bytes of the original character (with the accents that follow
    /// it).
    origin: Vec<Range<usize>>,
}

impl Folded {
    pub fn new(text: &str) -> Self {
        let mut folded = Self {
            text: String::with_capacity(text.len()),
            origin: Vec::with_capacity(text.len()),
        };
        walk(text, |letter, place| {
            folded.text.push(letter);
            folded.origin.extend(std::iter::repeat_n(place, letter.len_utf8()));
        });
        folded
    }

    /// The original bytes of a range of the folded text; always on character boundaries of the
    /// original.
    pub fn origin(&self, range: Range<usize>) -> Option<Range<usize>> {
        let first = self.origin.get(range.start)?;
        let last = self.origin.get(range.end.checked_sub(1)?)?;
        Some(first.start..last.end.max(first.end))
    }
}

/// Calls `emit` for every character of the folded text, with the original bytes it comes from.
fn walk(text: &str, mut emit: impl FnMut(char, Range<usize>)) {
    let mut letters = text.char_indices().peekable();
    let mut blank: Option<Range<usize>> = None;
    let mut any = false;
    while let Some((start, letter)) = letters.next() {
        let mut end = start + letter.len_utf8();
        if letter.is_whitespace() {
            let from = blank.map_or(start, |range| range.start);
            blank = Some(from..end);
            continue;
        }
        if is_accent(letter) {
            continue;
        }
        while let Some((at, mark)) = letters.next_if(|(_, next)| is_accent(*next)) {
            end = at + mark.len_utf8();
        }
        if let Some(range) = blank.take().filter(|_| any) {
            emit(' ', range);
        }
        any = true;
        if letter.is_ascii() {
            emit(letter.to_ascii_lowercase(), start..end);
        } else {
            each_folded(letter, |folded| emit(folded, start..end));
        }
    }
}

/// The folded form of one character that is not ASCII.
fn each_folded(letter: char, mut emit: impl FnMut(char)) {
    decompose_canonical(letter, |part| {
        if is_accent(part) {
            return;
        }
        for lower in part.to_lowercase().filter(|lower| !is_accent(*lower)) {
            // The two small sigmas are the same letter.
            emit(if lower == 'ς' { 'σ' } else { lower });
        }
    });
}

/// The combining accents of Latin, Greek and Cyrillic.
fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn case_accents_and_blanks_are_folded() {
        assert_eq!(fold("  Café\n\tAU  lait "), "cafe au lait");
        assert_eq!(fold("Cafe\u{301}"), "cafe");
        assert_eq!(fold("ΟΔΟΣ"), fold("οδος"));
        assert_eq!(fold("ÅNGSTRÖM İstanbul"), "angstrom istanbul");
        assert_eq!(fold("日本語 🦘"), "日本語 🦘");
        assert_ne!(fold("か"), fold("が"), "a mark that makes another letter stays");
        assert_eq!(fold("\u{301}"), "");
    }

    #[test]
    fn a_range_takes_its_accents_along() {
        let folded = Folded::new("a Cafe\u{301}  x");
        assert_eq!(folded.text, "a cafe x");
        assert_eq!(folded.origin(2..6), Some(2..8));
        assert_eq!(folded.origin(6..7), Some(8..10));
        assert_eq!(folded.origin(0..99), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn a_plain_text_is_folded_by_lower_case_alone(text in "([A-z \x00-\x7f]|[A-Z] [a-zé]){0,12}") {
            prop_assert_eq!(is_plain(&text), text.is_ascii() && fold(&text) == text.to_ascii_lowercase());
        }

        #[test]
        fn origins_can_be_sliced(text in "([\\x00-\\x7f]{0,40}|[\\PC\\s]{0,40})", from in 0usize..40, length in 1usize..9) {
            let folded = Folded::new(&text);
            prop_assert_eq!(&folded.text, &fold(&text));
            let end = (from + length).min(folded.text.len());
            if from < end {
                let range = folded.origin(from..end).unwrap();
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
