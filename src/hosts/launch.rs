//! Lines that start an agent's session in which skills are off, and write nothing.

/// `text` as one word of a POSIX shell; nothing for a text with control characters, which no line
/// can show.
pub(super) fn quoted(text: &str) -> Option<String> {
    let plain = !text.chars().any(char::is_control);
    plain.then(|| format!("'{}'", text.replace('\'', r"'\''")))
}

/// `text` as JSON writes it, which TOML reads too.
pub(super) fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_the_shell_stays_one() {
        assert_eq!(quoted("a b").as_deref(), Some("'a b'"));
        assert_eq!(quoted("it's $HOME").as_deref(), Some(r"'it'\''s $HOME'"));
        assert_eq!(quoted("a\nb"), None);
        assert_eq!(json("a\"b"), r#""a\"b""#);
    }
}
