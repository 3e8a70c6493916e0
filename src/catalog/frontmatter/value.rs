//! The value of a field: text, a list or a map, never a number or a boolean.

/// Scalars stay as they are written: `1.10` is the text `1.10`, `yes` is `yes`, and an absent value
/// is empty text. Other people's text: show it only through [`crate::text::SafeText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Scalar(String),
    Sequence(Vec<Value>),
    /// A map, in file order; a key that is not text is written in flow notation.
    Mapping(Vec<(String, Value)>),
}

impl Value {
    /// The text, if it is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(text) => Some(text),
            Self::Sequence(_) | Self::Mapping(_) => None,
        }
    }

    /// The value on one line: text as it is, a list or a map in YAML flow notation (`{level: 2,
    /// tags: [a, "b, c"]}`).
    pub fn flow_text(&self) -> String {
        match self {
            Self::Scalar(text) => text.clone(),
            nested => nested.flow(),
        }
    }

    fn flow(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match self {
            Self::Scalar(text) => scalar(text),
            Self::Sequence(items) => {
                format!("[{}]", joined(items.iter().map(Self::flow).collect()))
            }
            Self::Mapping(pairs) => {
                let pair =
                    |(key, value): &(String, Self)| format!("{}: {}", scalar(key), value.flow());
                format!("{{{}}}", joined(pairs.iter().map(pair).collect()))
            }
        }
    }
}

/// Text inside a flow collection: plain if that cannot be misread, otherwise in double quotes.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | ' ');
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '/'));
    if text.chars().all(plain) && edge(text.chars().next()) && !text.ends_with(' ') {
        return text.to_owned();
    }
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_are_written_in_flow_notation() {
        let scalar = |text: &str| Value::Scalar(text.into());
        let list = Value::Sequence(vec![scalar("a"), scalar("b, c"), scalar(""), scalar("- x\n")]);
        let map = Value::Mapping(vec![("level".into(), scalar("2")), ("a:b".into(), list)]);
        assert_eq!(map.flow_text(), r#"{level: 2, "a:b": [a, "b, c", "", "- x\n"]}"#);
        assert_eq!(scalar("a, b: c").flow_text(), "a, b: c");
    }
}
