//! The comments in a piece of TOML.

/// From each `#` that stands in no text to the end of its line.
pub(super) fn comments(toml: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = toml;
    while let Some(at) = rest.find(['#', '"', '\'']) {
        let (length, is_comment) = match &rest[at..] {
            comment if comment.starts_with('#') => {
                (comment.lines().next().map_or(0, str::len), true)
            }
            text => (text_length(text), false),
        };
        let (item, after) = rest[at..].split_at(length);
        if is_comment {
            found.push(item.trim_end());
        }
        rest = after;
    }
    found
}

/// The length of a text with its quotes: one, or three that may hold lines and single quotes.
fn text_length(text: &str) -> usize {
    let quote = &text[..1];
    let three = quote.repeat(3);
    let fence = if text.starts_with(&three) { three.as_str() } else { quote };
    let mut at = fence.len();
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(behind) = rest.strip_prefix(fence) {
            // Up to two quotes may stand before the last three.
            let more = behind.chars().take(fence.len() - 1);
            return at + fence.len() + more.take_while(|sign| quote.starts_with(*sign)).count();
        }
        let escaped = quote == "\"" && rest.starts_with('\\');
        at += rest.chars().take(1 + usize::from(escaped)).map(char::len_utf8).sum::<usize>();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::comments;

    #[test]
    fn a_sign_in_a_text_begins_no_comment() {
        for (toml, found) in [
            ("a = 1", &[][..]),
            ("# one\r\na = '#' # two \nb = [ # three\n]", &["# one", "# two", "# three"]),
            (r##"a = "\"#" # it's"##, &["# it's"]),
            (r"a = '\' # b", &["# b"]),
            ("a = '' # b\nc = \"\"#d", &["# b", "#d"]),
            ("a = \"\"\"\n# é \\\"\"\"\"\"# b", &["# b"]),
            ("a = '''\n'# ''''' # b\n", &["# b"]),
        ] {
            assert_eq!(comments(toml), found, "{toml}");
        }
    }
}
