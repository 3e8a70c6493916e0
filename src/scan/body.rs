//! Reads the body of a skill in chunks, only to see whether a load would be refused.

use crate::text::{Hidden, HiddenAt, HiddenSearch};
use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most bytes of a file that are held at once, unless a line is longer.
const CHUNK: usize = 256 << 10;

/// A source of which every read is counted, so that a long file on a slow disk shows that it
/// answers.
pub(super) struct CountingReader<'a, R> {
    pub(super) source: R,
    pub(super) reads: &'a AtomicUsize,
}

impl<R: Read> Read for CountingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.reads.fetch_add(1, Ordering::Relaxed);
        Ok(read)
    }
}

/// What a file hides, of which `held` was read already. Text that is not UTF-8 is never loaded, so
/// it hides nothing.
pub(super) fn hidden(
    source: impl Read,
    held: &mut Vec<u8>,
) -> io::Result<Option<(Hidden, HiddenAt)>> {
    let (mut search, mut is_text) = (HiddenSearch::default(), true);
    chunks(source, held, |chunk| {
        match std::str::from_utf8(chunk) {
            Ok(text) => search.read(text),
            Err(_) => is_text = false,
        }
        is_text
    })?;
    Ok(search.end().filter(|_| is_text))
}

/// Whether the whole lines of a file's beginning hide something.
pub(super) fn head_hides(head: &[u8]) -> bool {
    let mut search = HiddenSearch::default();
    let lines = memchr::memrchr(b'\n', head).and_then(|end| head.get(..=end)).unwrap_or_default();
    let Ok(text) = std::str::from_utf8(lines) else { return false };
    search.read(text);
    search.end().is_some()
}

/// Hands out the bytes in chunks that end where a line ends, while `go_on` wants more. What a
/// character hides depends on its line, so a line is never parted, however long it is.
fn chunks(
    mut source: impl Read,
    held: &mut Vec<u8>,
    mut go_on: impl FnMut(&[u8]) -> bool,
) -> io::Result<()> {
    let mut most = CHUNK;
    loop {
        let room = most - held.len();
        let read = source.by_ref().take(room as u64).read_to_end(held)?;
        let is_last = read < room;
        let end = match memchr::memrchr(b'\n', held) {
            _ if is_last => held.len(),
            Some(last) => last + 1,
            None => {
                most = held.len() + CHUNK;
                continue;
            }
        };
        if !go_on(&held[..end]) || is_last {
            return Ok(());
        }
        held.drain(..end);
        most = CHUNK.max(held.len());
    }
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
        fn in_chunks_a_text_hides_what_it_hides_as_a_whole(
            lines in prop::collection::vec((line(), any::<bool>()), 0..40), mark in any::<bool>(),
        ) {
            let mark = if mark { "\u{feff}" } else { "" };
            let parts = lines.iter().map(|(line, ends)| format!("{line}{}", if *ends { "\0" } else { "" }));
            let text = mark.to_owned() + &parts.collect::<String>();
            let whole = text.replace('\0', "");
            let (mut once, mut piecewise) = (HiddenSearch::default(), HiddenSearch::default());
            once.read(&whole);
            text.split('\0').for_each(|chunk| piecewise.read(chunk));
            let found = piecewise.end();
            prop_assert_eq!(found, once.end());
            prop_assert_eq!(found.map(|(hidden, _)| hidden).unwrap_or_default(), Hidden::of(&whole));
        }
    }

    #[test]
    fn a_long_file_is_never_held_whole_and_its_chunks_end_with_its_lines() {
        let line = |number: usize| format!("{number} {}\n", "é".repeat(number % 700));
        let text: String = (0..9_000).map(line).collect();
        let (first, rest) = text.as_bytes().split_at(1_001);
        let mut whole = Vec::new();
        chunks(rest, &mut first.to_vec(), |chunk| {
            assert!(chunk.len() <= CHUNK && chunk.ends_with(b"\n"));
            whole.extend_from_slice(chunk);
            true
        })
        .unwrap();
        assert!(whole == text.as_bytes());
    }

    #[test]
    fn a_line_that_is_longer_than_a_chunk_is_judged_as_a_whole() {
        // The joiner of an emoji stands at the seam, and the sign that makes a line a Japanese one,
        // in which a wide space is ordinary, behind the second.
        for (before, at_seam, after) in [
            ("x".repeat(CHUNK - 4), "👩\u{200d}🚀", String::new()),
            ("x".repeat(CHUNK - 4), "\u{3000}", "x".repeat(2 * CHUNK) + "日本語\u{3000}日本語"),
        ] {
            let text = format!("first\n{}{at_seam}{after}\nlast\n", &before[6..]);
            assert_eq!(Hidden::of(&text), Hidden::default());
            assert_eq!(hidden(text.as_bytes(), &mut Vec::new()).unwrap(), None, "{at_seam:?}");
        }
    }

    #[test]
    fn every_read_of_a_long_file_shows_that_it_answers() {
        struct Slow(usize);
        impl Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = buffer.len().min(4096).min(self.0);
                buffer[..count].fill(b'x');
                self.0 -= count;
                Ok(count)
            }
        }
        let reads = AtomicUsize::new(0);
        hidden(CountingReader { source: Slow(CHUNK), reads: &reads }, &mut Vec::new()).unwrap();
        assert!(reads.into_inner() >= CHUNK / 4096);
    }

    #[test]
    fn a_head_that_is_cut_within_a_line_is_judged_up_to_that_line() {
        let cut = "a\u{202e}b\n\u{1f469}\u{200d}".as_bytes();
        assert!(head_hides(cut));
        assert!(!head_hides("plain\n\u{1f469}\u{200d}".as_bytes()));
        assert!(!head_hides(&cut[..3]));
    }

    #[test]
    fn what_is_hidden_behind_the_first_chunks_is_found_at_its_place() {
        let mut text = "a line that hides nothing\n".repeat(40_000);
        text.push_str("and \u{202e}one\n");
        let (hidden, at) = hidden(text.as_bytes(), &mut Vec::new()).unwrap().unwrap();
        assert_eq!((hidden.bidi, at.line, at.column), (1, 40_001, 5));
        let spread: String =
            (0..3).map(|_| "x".repeat(CHUNK / 2) + "\nsoft\u{ad}hyphen\n").collect();
        let (hidden, at) = self::hidden(spread.as_bytes(), &mut Vec::new()).unwrap().unwrap();
        assert_eq!((hidden.invisible, at.line), (3, 2));
    }
}
