//! How many columns a text takes, counted as ratatui 0.30 draws it.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The columns that `text` takes on the screen.
///
/// This is the sum over extended grapheme clusters, as ratatui fills its cells. A cluster with a
/// control character takes none, because ratatui drops it; a [`crate::text::SafeText`] has none.
pub fn width(text: &str) -> usize {
    let (mut rest, mut columns) = (text, 0);
    loop {
        let plain = plain_length(rest);
        columns += plain;
        rest = &rest[plain..];
        let Some(grapheme) = graphemes(rest).next() else { return columns };
        columns += of_grapheme(grapheme);
        rest = &rest[grapheme.len()..];
    }
}

/// The extended grapheme clusters of `text`.
///
/// The segmenter searches its tables for each character, so printable ASCII, which is nearly all
/// text, skips it: two such characters in a row are never one cluster.
pub(super) fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.as_bytes() {
            [] => return None,
            [0x20..0x7f] | [0x20..0x7f, 0x20..0x7f, ..] => 1,
            _ => rest.graphemes(true).next().map_or(rest.len(), str::len),
        };
        let grapheme;
        (grapheme, rest) = rest.split_at(end);
        Some(grapheme)
    })
}

/// How many bytes of printable ASCII `text` begins with, each of them a grapheme: what follows the
/// last one does not belong to it.
pub(super) fn plain_length(text: &str) -> usize {
    let is_plain = |byte: &u8| (0x20..0x7f).contains(byte);
    let length = text.bytes().take_while(is_plain).count();
    match text.as_bytes().get(length) {
        Some(0x80..) => length.saturating_sub(1),
        _ => length,
    }
}

/// Whether `text` has only printable ASCII: each byte is one column and needs no cleaning.
pub(super) fn is_plain_ascii(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// Whether a terminal may draw the parts of a grapheme one beside the other: joined, coloured or
/// selected emoji, flags and key caps.
pub fn is_joined(grapheme: &str) -> bool {
    let joins = |sign| {
        matches!(
            sign,
            '\u{200d}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{1f1e6}'..='\u{1f1ff}'
        )
    };
    grapheme.len() > 4 && grapheme.chars().skip(1).any(joins)
}

/// The columns of one extended grapheme cluster.
pub(super) fn of_grapheme(grapheme: &str) -> usize {
    if let [byte] = grapheme.as_bytes() {
        return usize::from(!byte.is_ascii_control());
    }
    if grapheme.contains(char::is_control) {
        return 0;
    }
    // Terminals give the half-width katakana sound marks a cell of their own; `unicode-width` does
    // not, and ratatui's `CellWidth` makes up for it in the same way.
    let sound_marks = grapheme.chars().filter(|c| matches!(c, '\u{ff9e}' | '\u{ff9f}')).count();
    grapheme.width() + sound_marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn drawn(text: &str) -> usize {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2_000, 1));
        usize::from(buffer.set_stringn(0, 0, text, 2_000, Style::new()).0)
    }

    #[test]
    fn signs_of_several_parts_are_joined() {
        for sign in ["👨‍👩‍👧‍👦", "👍🏽", "🇩🇪", "☺️", "1️⃣"] {
            assert!(is_joined(sign), "{sign}");
        }
        for sign in ["a", "é", "e\u{301}", "日", "👍", "क्ष", "שָׁ", "ffi"] {
            assert!(!is_joined(sign), "{sign}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn width_is_what_ratatui_draws(text in "\\PC{0,60}") {
            let text = crate::text::SafeText::line(&text);
            prop_assert_eq!(width(text.as_str()), drawn(text.as_str()));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn graphemes_are_those_of_the_segmenter(text in crate::text::safe::tests::hostile()) {
            prop_assert_eq!(graphemes(&text).collect::<Vec<_>>(), text.graphemes(true).collect::<Vec<_>>());
        }
    }

    #[test]
    fn width_of_known_texts() {
        for (text, columns) in
            [("abc", 3), ("日本", 4), ("❤️", 2), ("👩‍👩‍👧", 2), ("e\u{301}", 1), ("🇩🇪", 2)]
        {
            assert_eq!(width(text), columns, "{text}");
            assert_eq!(drawn(text), columns, "{text}");
        }
        // Two cells on most terminals. What matters is that we agree with ratatui.
        assert_eq!(width("ｶﾞ"), drawn("ｶﾞ"));
    }
}
