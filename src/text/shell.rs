//! Words for a shell's command line.

use super::SafeText;

/// The text as one word that a POSIX shell reads back unchanged: in single quotes if it needs them.
pub fn word(text: &SafeText) -> SafeText {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:@+,=".contains(letter);
    if !text.is_empty() && text.as_str().chars().all(plain) {
        return text.clone();
    }
    SafeText::clean(&format!("'{}'", text.as_str().replace('\'', "'\\''")))
}

/// Whether a name is safe in the command line of an agent's row, within single quotes and within
/// the double quotes of TOML and JSON there: only letters, digits and signs without a meaning in
/// any of them.
pub fn is_plain(name: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || "_-.:@+".contains(letter);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_read_something_else() {
        for (text, expected) in [
            ("pdf-forms", "pdf-forms"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", "'it'\\''s'"),
            ("$(rm -r x);`y`", "'$(rm -r x);`y`'"),
            ("~/a", "'~/a'"),
        ] {
            assert_eq!(word(&SafeText::line(text)).as_str(), expected, "{text}");
        }
    }

    #[test]
    fn only_a_plain_name_stands_in_a_composed_line() {
        for name in ["pdf-forms", "plugin:name", "日本語", "a.b_c"] {
            assert!(is_plain(name), "{name}");
        }
        for name in [
            "", "-x", "it's", "a\"b", "a\\b", "a b", "$HOME", "a\nb", "`x`", "a;b", "a\u{1b}b",
            "a*",
        ] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
