//! Names that are shown as they are.

use super::characters::is_odd_space;
use super::marks::each_letter;

/// In UTF-16 units.
const LONGEST: usize = 256;

/// Whether a program that shows names as they are can show this one: nothing in it is hidden, acts
/// on its neighbours or looks like markup, and its blanks are single and inside. Claude Code
/// (2.1.330) takes no other names.
pub fn is_plain_label(name: &str) -> bool {
    let mut shown = !name.is_empty() && name.encode_utf16().count() <= LONGEST;
    each_letter(name, |letter, as_itself| {
        let is_odd = is_odd_space(letter) || is_private(letter) || matches!(letter, '<' | '>');
        shown &= as_itself && !is_odd;
    });
    let is_edged = |part: &str| part.starts_with(' ') || part.ends_with(' ');
    let has_edge = name.starts_with(':') || name.ends_with(':') || name.split(':').any(is_edged);
    shown && !has_edge && !name.contains("  ")
}

/// Whether Unicode leaves the character to private use.
fn is_private(letter: char) -> bool {
    matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
}

#[cfg(test)]
mod tests {
    use super::is_plain_label;

    /// What the program says of each.
    #[test]
    fn a_label_hides_nothing() {
        for name in [
            "pdf",
            "größe",
            "gro\u{308}ße",
            "日本語",
            "party-🎉",
            "👩\u{200d}💻",
            "❤\u{fe0f}",
            "a b",
            "a:b",
            "a::b",
            "[list]",
            "~",
            "it's",
            "-x",
            "x.",
            "a&b",
            "\u{fffd}",
        ] {
            assert!(is_plain_label(name), "{name}");
        }
        for name in [
            "",
            "nb\u{a0}sp",
            "a\u{200b}b",
            "a\u{200d}b",
            "a\u{202e}b",
            "a\u{feff}b",
            "a\tb",
            "a\u{7f}b",
            "a<b",
            "a>b",
            " a",
            "a ",
            "a  b",
            ":a",
            "a:",
            "a: b",
            "a :b",
            "\u{308}a",
            "a\u{3000}b",
            "a\u{e000}b",
            "\u{2800}",
        ] {
            assert!(!is_plain_label(name), "{name:?}");
        }
        assert!(is_plain_label(&"n".repeat(256)) && !is_plain_label(&"n".repeat(257)));
    }
}
