//! Makes visible what a text hides, for the person who is asked to approve it.

use super::padding::is_blank;
use super::{Hidden, Kind, Position, places, unmarked};
use crate::inert;
use crate::text::SafeText;

/// How many characters are shown before the first hidden place of a line.
const BEFORE: usize = 80;

impl Hidden {
    /// Everything that a text hides, line by line with marks: each line that hides something, from
    /// shortly before the place to the line's end, and everything after a hundred empty lines. It
    /// is never cut, so that whoever approves it has seen all of it.
    pub fn shown(text: &str) -> Vec<SafeText> {
        let text = unmarked(text);
        let places = places(text);
        let (mut lines, mut rest) = (Vec::new(), places.as_slice());
        let (mut start, mut far) = (0, false);
        for (line, number) in text.split_inclusive('\n').zip(1_u32..) {
            let end = start + line.len();
            let here = rest.iter().take_while(|place| place.range.start < end).count();
            let (these, later) = rest.split_at(here);
            rest = later;
            if let [Position { kind: Kind::EmptyLines, count, .. }] = these {
                lines.push(inert!("{}: {} empty lines, then:", number, count));
                far = true;
            } else if !these.is_empty() || (far && !line.chars().all(is_blank)) {
                let from =
                    if far { start } else { shortly_before(text, start, these[0].range.start) };
                let more = SafeText::fixed(if from > start { "…" } else { "" });
                lines.push(inert!("{}: {}{}", number, more, marked(text, from..end, these)));
            }
            start = end;
        }
        lines
    }
}

/// The byte that is at most [`BEFORE`] characters before `place`, in the line that begins at
/// `start`.
fn shortly_before(text: &str, start: usize, place: usize) -> usize {
    let last = text[start..place].char_indices().rev().take(BEFORE).last();
    last.map_or(place, |(at, _)| start + at)
}

/// A part of a line, with a mark for each character of the places and for each stretch of blanks.
fn marked(text: &str, part: std::ops::Range<usize>, places: &[Position]) -> SafeText {
    let mut shown = SafeText::default();
    let mut at = part.start;
    for place in places {
        shown.push(&SafeText::clean(&text[at..place.range.start]));
        if place.kind == Kind::Blanks {
            shown.push(&inert!("<{} blanks>", place.count));
        } else {
            text[place.range.clone()].chars().for_each(|letter| shown.push(&mark(letter)));
        }
        at = place.range.end;
    }
    shown.push(&SafeText::clean(text[at..part.end].trim_end()));
    shown
}

/// The mark for one hidden character. A space that is odd only in this context is usually shown as
/// itself, so it needs a mark of its own.
fn mark(letter: char) -> SafeText {
    let shown = SafeText::clean(letter.encode_utf8(&mut [0; 4]));
    let as_itself = shown.as_str().chars().eq([letter]);
    if as_itself { SafeText::clean(&format!("<U+{:04X}>", u32::from(letter))) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        Hidden::shown(text).iter().map(|line| line.as_str().to_owned()).collect()
    }

    #[test]
    fn all_that_is_hidden_is_shown_wherever_it_stands() {
        let long = format!("{}\u{202e}txet\n", "z".repeat(5_000));
        assert_eq!(shown(&long), [format!("1: …{}<U+202E>txet", "z".repeat(80))]);
        let far = format!("x\n{}later\n\nand more\n", "\n".repeat(3_000));
        assert_eq!(shown(&far), ["2: 3000 empty lines, then:", "3002: later", "3004: and more"]);
        let pushed =
            format!("\u{feff}ok{}rm -rf{} / \r\n", " ".repeat(250), "\u{2800}\t".repeat(100));
        assert_eq!(shown(&pushed), ["1: ok<250 blanks>rm -rf<201 blanks>/"]);
        let long_plain = format!("{}x\u{202e}secret{}", "plain\n".repeat(45), "y".repeat(9_000));
        assert_eq!(shown(&long_plain), [format!("46: x<U+202E>secret{}", "y".repeat(9_000))]);
        let many = "a\u{e0041}b\n".repeat(500);
        assert_eq!(shown(&many).len(), 500);
        assert!(
            shown(&many).iter().all(|line| line.ends_with(": a<U+E0041>b")),
            "{:?}",
            shown(&many)[499]
        );
        assert_eq!(shown(&"\u{200c}".repeat(4)), [format!("1: {}", "<U+200C>".repeat(4))]);
        assert_eq!(shown("nothing\n\n\there\n"), [""; 0]);
    }

    #[test]
    fn what_is_counted_is_shown() {
        let joined =
            format!("\u{645}{}\u{645} \u{2764}{}", "\u{200c}".repeat(5), "\u{fe0f}".repeat(6));
        for text in [
            joined,
            "x\u{200b}y\u{2060} ".repeat(9),
            "\u{1f3f4}\u{e0041}\u{2066}\u{2069}".to_owned(),
            "a\u{2003}b\u{a0}c\u{3000}d\u{2800}\u{1b}[8m\rx\u{9b}".to_owned(),
            "soft\u{ad}hyphen ".repeat(3),
        ] {
            let Hidden { bidi, tags, invisible, spaces, controls, padding } = Hidden::of(&text);
            let marks = |line: &String| line.matches("<U+").count() + line.matches('^').count();
            let marks: usize = shown(&text).iter().map(marks).sum();
            let counted = bidi + tags + invisible + spaces + controls;
            assert_eq!((marks, padding), (counted, 0), "{text:?}");
            assert!(marks > 0);
        }
    }
}
