//! What a script writes, within bounds: the beginning, the end, and how much lies between.

use std::collections::VecDeque;

/// Bytes kept of each stream: half of them from the beginning, half from the end.
pub(super) const KEPT: usize = 1 << 20;

/// What was written on one stream; other people's bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes. Empty if nothing was dropped: then `head` holds all.
    pub tail: Vec<u8>,
    /// How many bytes between the two were dropped.
    pub dropped: u64,
}

impl Captured {
    /// All that was kept, with a mark where bytes were dropped. Bytes that are not UTF-8 are
    /// replaced.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.dropped > 0 {
            text.push_str(&format!("\n[{} bytes dropped]\n", self.dropped));
        }
        text.push_str(&String::from_utf8_lossy(&self.tail));
        text
    }

    /// Whether bytes are replaced in the text that were no UTF-8 when they were written: a
    /// character of which a part was dropped does not count.
    pub fn is_altered(&self) -> bool {
        let is_cut = self.dropped > 0;
        let begin = self.tail.iter().take(3).take_while(|byte| is_cut && **byte & 0xc0 == 0x80);
        let begin = begin.count();
        let head_fault = std::str::from_utf8(&self.head).err();
        let altered = head_fault.is_some_and(|fault| !is_cut || fault.error_len().is_some());
        altered || std::str::from_utf8(&self.tail[begin..]).is_err()
    }
}

#[derive(Debug, Default)]
pub(super) struct Collector {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Collector {
    pub(super) fn take(&mut self, bytes: &[u8]) {
        let room = (KEPT / 2).saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(KEPT / 2);
        self.tail.drain(..over);
        self.dropped += over as u64;
    }

    pub(super) fn captured(&self) -> Captured {
        let (mut head, mut tail) = (self.head.clone(), self.tail.iter().copied().collect());
        if self.dropped == 0 {
            head.append(&mut tail);
        }
        Captured { head, tail, dropped: self.dropped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_bytes_are_kept_and_the_rest_is_counted() {
        let all: Vec<u8> = (0..3 * KEPT).map(|number| (number % 251) as u8).collect();
        for chunk in [7_919, 65_536, all.len()] {
            let mut collector = Collector::default();
            all.chunks(chunk).for_each(|part| collector.take(part));
            let kept = collector.captured();
            assert_eq!(kept.head, all[..KEPT / 2]);
            assert_eq!(kept.tail, all[all.len() - KEPT / 2..]);
            assert_eq!(kept.dropped, 2 * KEPT as u64);
            assert!(kept.text().contains("[2097152 bytes dropped]"));
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_told_and_a_cut_character_is_none_of_them() {
        let captured = |bytes: &[u8]| {
            let mut collector = Collector::default();
            collector.take(bytes);
            collector.captured()
        };
        for (bytes, altered) in [(&b"plain \xc3\xa9"[..], false), (b"a\xff", true), (b"\xc3", true)]
        {
            assert_eq!(captured(bytes).is_altered(), altered, "{bytes:?}");
        }
        for begin in ["", "x", "xx", "xxx"] {
            let mut long = format!("{begin}{}", "😀".repeat(KEPT)).into_bytes();
            assert!(captured(&long).dropped > 0 && !captured(&long).is_altered());
            for place in [9, 4 * KEPT - 9] {
                let whole = std::mem::replace(&mut long[place], 0xff);
                assert!(captured(&long).is_altered());
                long[place] = whole;
            }
        }
    }

    #[test]
    fn what_fits_is_kept_as_it_is() {
        let all = vec![b'x'; KEPT];
        let mut collector = Collector::default();
        collector.take(&all);
        assert_eq!(collector.captured(), Captured { head: all.clone(), ..Captured::default() });
        collector.take(b"y");
        assert_eq!(collector.captured().dropped, 1);
    }
}
