//! What the file of a skill hides: in its text, or in the values of its frontmatter. YAML has
//! escapes for characters (`"\u202e"`), and agents give their models what they stand for.

use super::frontmatter::{self, Field, Value};
use crate::text::{Hidden, HiddenAt, HiddenSearch, SafeText};

/// What the whole file of a skill hides, and where first. Escapes are looked at only where the text
/// itself hides nothing.
pub fn hidden_in(text: &str) -> Option<(Hidden, HiddenAt)> {
    let mut search = HiddenSearch::default();
    search.read(text);
    search.end().or_else(|| hidden_by_escapes(text.as_bytes()))
}

/// What the values of a frontmatter hide, and where the first of them is. The bytes may be the
/// beginning of a file.
pub fn hidden_by_escapes(bytes: &[u8]) -> Option<(Hidden, HiddenAt)> {
    let fields = hiding(bytes);
    let place = fields.first()?.0.value_place;
    let at = HiddenAt { line: place.line, column: place.column, width: place.width };
    let texts: String = fields.into_iter().map(|(_, text)| text).collect();
    Some((Hidden::of(&texts), at))
}

/// Everything that the file of a skill hides, with marks, for whoever is to approve it.
pub fn shown_in(text: &str) -> Vec<SafeText> {
    let mut lines = Hidden::shown(text);
    for (field, text) in hiding(text.as_bytes()) {
        lines.push(crate::inert!("line {} for a model:", field.value_place.line));
        lines.extend(Hidden::shown(&text));
    }
    lines
}

/// The fields of a frontmatter with escapes that hide something in their keys or values, and all
/// texts of each.
fn hiding(bytes: &[u8]) -> Vec<(Field, String)> {
    let frontmatter::Frontmatter::Closed { yaml, .. } = frontmatter::cut(bytes).frontmatter else {
        return Vec::new();
    };
    if memchr::memchr(b'\\', &bytes[yaml]).is_none() {
        return Vec::new();
    }
    let with_text = |field: Field| {
        let mut text = format!("{}: ", field.key);
        add_texts(&field.value, &mut text);
        (field, text)
    };
    let fields = frontmatter::read(bytes).fields.into_iter().map(with_text);
    fields.filter(|(_, text)| Hidden::of(text).any()).collect()
}

fn add_texts(value: &Value, text: &mut String) {
    match value {
        Value::Scalar(scalar) => {
            text.push_str(scalar);
            text.push('\n');
        }
        Value::Sequence(items) => items.iter().for_each(|item| add_texts(item, text)),
        Value::Mapping(pairs) => {
            for (key, value) in pairs {
                text.push_str(key);
                text.push_str(": ");
                add_texts(value, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(frontmatter: &str) -> Option<(String, u32)> {
        let text = format!("---\nname: x\n{frontmatter}\n---\nText with \\u202e.\n");
        hidden_in(&text).map(|(hidden, at)| (hidden.words(), at.line))
    }

    #[test]
    fn an_escape_hides_what_it_stands_for() {
        for (frontmatter, words, line) in [
            (r#"description: "nice\U000E0041\U000E0042 tool""#, "2 tag characters", 3),
            (r#"description: "nice \u202e tool""#, "1 bidi control", 3),
            (r#"description: "\x1b[8mnice""#, "1 control character", 3),
            ("a: b\nmetadata:\n  a: [b, \"c\\u200bd\"]", "1 zero-width character", 5),
            ("a: b\nmetadata: {\"c\\u200bd\": e}", "1 zero-width character", 4),
            ("\"d\\u200be\": f", "1 zero-width character", 3),
        ] {
            assert_eq!(found(frontmatter), Some((words.to_owned(), line)), "{frontmatter}");
        }
    }

    #[test]
    fn what_stands_there_as_it_is_and_what_writing_needs_hides_nothing() {
        for frontmatter in [
            r"description: Removes \u200b and \U000E0041.",
            r"description: 'Removes \u200b.'",
            "description: >\n  Removes \\u200b.",
            r#"description: "Removes \\u200b.""#,
            r#"description: "A \"rocket\"\n\tis \U0001F469\u200D\U0001F680.""#,
        ] {
            assert_eq!(found(frontmatter), None, "{frontmatter}");
        }
    }

    #[test]
    fn whoever_approves_sees_the_text_and_what_escapes_stand_for() {
        let text = "---\nname: x\ndescription: \"a\\u202eb\"\n---\nc\u{202e}d\n";
        let shown: Vec<String> = shown_in(text).iter().map(SafeText::to_string).collect();
        let lines = ["5: c<U+202E>d", "line 3 for a model:", "1: description: a<U+202E>b"];
        assert_eq!(shown, lines);
    }
}
