//! Text as JavaScript has it, in which most agents are written.

/// Signs that it takes for the end of a line.
pub(super) const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// The blanks of its `trim` and of `\s` in its patterns.
pub(super) fn is_blank(letter: char) -> bool {
    (letter.is_whitespace() && letter != '\u{85}') || letter == '\u{feff}'
}

/// As its `trim` does it.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// The value of the first field of this name.
pub(super) fn field<'a, V>(fields: &'a [(String, V)], name: &str) -> Option<&'a V> {
    fields.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// Whether a program takes this text for a yes: `1`, `true`, `yes` or `on`, in any case of letters.
pub(super) fn is_yes(text: &str) -> bool {
    ["1", "true", "yes", "on"].contains(&trim(&text.to_lowercase()))
}

/// The signs that stand before digits, in their order (`localeCompare`, whose table is that of the
/// Unicode Collation Algorithm).
const SIGNS: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// A key that compares as `localeCompare` compares words: all letters without case, then their case.
/// Signs and letters beyond ASCII stand behind, by their numbers.
pub(super) fn locale_key(text: &str) -> (Vec<u32>, Vec<bool>) {
    let place = |letter: char| match SIGNS.find(letter) {
        _ if letter == ' ' => 0,
        Some(at) => 1 + at as u32,
        None => 0x100 + u32::from(letter),
    };
    let letters = text.chars().flat_map(char::to_lowercase).map(place);
    (letters.collect(), text.chars().map(char::is_uppercase).collect())
}

/// A number as its `String` writes it.
pub(super) fn number(number: f64) -> String {
    match number {
        _ if number.is_nan() => "NaN".to_owned(),
        _ if number.is_infinite() => format!("{}Infinity", if number < 0.0 { "-" } else { "" }),
        0.0 => "0".to_owned(),
        _ if (1e-6..1e21).contains(&number.abs()) => number.to_string(),
        _ => {
            let text = format!("{number:e}");
            if number.abs() < 1.0 { text } else { text.replace('e', "e+") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_blanks_are_those_of_javascript() {
        for (value, text) in [
            (-0.0, "0"),
            (1.5, "1.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-2.5e22, "-2.5e+22"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(trim("\u{feff}\u{a0}\u{2028} x\u{85} \t"), "x\u{85}");
    }
}
