//! Reads the body of a skill in pieces, only to see whether a load would be refused.

use crate::text::{Hidden, HiddenAt, HiddenSearch};
use std::io::{self, Read};

/// The most bytes of a file that are held at once.
const PIECE: usize = 256 << 10;

/// What a file hides, of which `held` was read already. Text that is not UTF-8 is never loaded, so
/// it hides nothing.
pub(super) fn hidden(source: impl Read, held: Vec<u8>) -> io::Result<Option<(Hidden, HiddenAt)>> {
    let (mut search, mut is_text) = (HiddenSearch::default(), true);
    pieces(source, held, |piece| {
        match std::str::from_utf8(piece) {
            Ok(text) => search.read(text),
            Err(_) => is_text = false,
        }
        is_text
    })?;
    Ok(search.end().filter(|_| is_text))
}

/// Hands out the bytes in pieces that end where a line ends, while `go_on` wants more.
fn pieces(
    mut source: impl Read,
    mut held: Vec<u8>,
    mut go_on: impl FnMut(&[u8]) -> bool,
) -> io::Result<()> {
    loop {
        let room = PIECE - held.len();
        let read = source.by_ref().take(room as u64).read_to_end(&mut held)?;
        let is_last = read < room;
        let end = if is_last { held.len() } else { last_line_end(&held) };
        if !go_on(&held[..end]) || is_last {
            return Ok(());
        }
        held.drain(..end);
    }
}

/// Where the last whole line ends. A line that is longer than a piece is parted between two
/// characters: what stands there may be judged otherwise than by a load, which sees it whole.
fn last_line_end(bytes: &[u8]) -> usize {
    let between = || match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    memchr::memrchr(b'\n', bytes).map_or_else(between, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines that hide something, lines that do not, and stretches of empty lines.
    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ -~]{0,90}\n",
            "[a-z]{0,9}[\u{ad}\u{200b}\u{202e}\u{3000}\u{fe0f}é❤]{1,3}[a-z]{0,9}\r?\n",
            "[ \u{3000}\t]{0,3}\n",
            (0_usize..130).prop_map(|count| "\n".repeat(count)),
            (0_usize..230).prop_map(|count| format!("x{}y\n", " ".repeat(count))),
        ]
    }

    proptest! {
        #[test]
        fn in_pieces_a_text_hides_what_it_hides_as_a_whole(
            lines in prop::collection::vec((line(), any::<bool>()), 0..40), mark in any::<bool>(),
        ) {
            let mark = if mark { "\u{feff}" } else { "" };
            let parts = lines.iter().map(|(line, ends)| format!("{line}{}", if *ends { "\0" } else { "" }));
            let text = mark.to_owned() + &parts.collect::<String>();
            let whole = text.replace('\0', "");
            let (mut once, mut piecewise) = (HiddenSearch::default(), HiddenSearch::default());
            once.read(&whole);
            text.split('\0').for_each(|piece| piecewise.read(piece));
            let found = piecewise.end();
            prop_assert_eq!(found, once.end());
            prop_assert_eq!(found.map(|(hidden, _)| hidden).unwrap_or_default(), Hidden::of(&whole));
        }
    }

    #[test]
    fn a_long_file_is_never_held_whole_and_its_pieces_end_with_its_lines() {
        let line = |number: usize| format!("{number} {}\n", "é".repeat(number % 700));
        let lines: String = (0..9_000).map(line).collect();
        let one_line = "é".repeat(3 * PIECE);
        for (text, ends) in [(&lines, true), (&one_line, false)] {
            let (first, rest) = text.as_bytes().split_at(1_001);
            let mut whole = Vec::new();
            pieces(rest, first.to_vec(), |piece| {
                assert!(piece.len() <= PIECE && std::str::from_utf8(piece).is_ok());
                assert!(!ends || piece.ends_with(b"\n"));
                whole.extend_from_slice(piece);
                true
            })
            .unwrap();
            assert!(whole == text.as_bytes());
        }
    }

    #[test]
    fn what_is_hidden_behind_the_first_pieces_is_found_at_its_place() {
        let mut text = "a line that hides nothing\n".repeat(40_000);
        text.push_str("and \u{202e}one\n");
        let (hidden, at) = hidden(text.as_bytes(), Vec::new()).unwrap().unwrap();
        assert_eq!((hidden.bidi, at.line, at.column), (1, 40_001, 5));
        let spread: String =
            (0..3).map(|_| "x".repeat(PIECE / 2) + "\nsoft\u{ad}hyphen\n").collect();
        let (hidden, at) = self::hidden(spread.as_bytes(), Vec::new()).unwrap().unwrap();
        assert_eq!((hidden.invisible, at.line), (3, 2));
    }
}
