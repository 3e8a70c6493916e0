//! Types of YAML values as `serde_yaml` 0.9 finds them: the rules of YAML 1.2 for unquoted text.

use crate::catalog::frontmatter::{Tree, core_tag};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Typed<'a> {
    Null,
    Truth(bool),
    Number(f64),
    Text(&'a str),
    /// A list, a map, or anything with a tag of its own that is no text.
    Other(&'a Tree),
}

pub(super) fn typed(tree: &Tree) -> Typed<'_> {
    let Tree::Scalar { text, plain, tag } = tree else { return Typed::Other(tree) };
    let core = tag.as_deref().and_then(core_tag);
    match (tag, core) {
        (None, _) | (_, Some("bool" | "int" | "float" | "null")) if *plain => unquoted(text),
        (Some(_), None) if *plain => match unquoted(text) {
            text @ (Typed::Text(_) | Typed::Null | Typed::Truth(_)) => text,
            _ => Typed::Other(tree),
        },
        _ => Typed::Text(text),
    }
}

/// Whether no map has a key twice, and each value with a tag is of its type. `serde_yaml` refuses
/// other documents.
pub(super) fn is_sound(tree: &Tree) -> bool {
    match tree {
        Tree::Scalar { tag, .. } => match (tag.as_deref().and_then(core_tag), typed(tree)) {
            (Some("bool"), found) => matches!(found, Typed::Truth(_)),
            (Some("int" | "float"), found) => matches!(found, Typed::Number(_)),
            (Some("null"), found) => found == Typed::Null,
            _ => true,
        },
        Tree::List(items) => items.iter().all(is_sound),
        Tree::Map(pairs) => pairs.iter().enumerate().all(|(index, (key, value))| {
            let is_new = pairs[..index].iter().all(|(other, _)| typed(other) != typed(key));
            is_new && is_sound(key) && is_sound(value)
        }),
    }
}

fn unquoted(text: &str) -> Typed<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Typed::Null,
        "true" | "True" | "TRUE" => Typed::Truth(true),
        "false" | "False" | "FALSE" => Typed::Truth(false),
        _ => number(text).map_or(Typed::Text(text), Typed::Number),
    }
}

/// Whole numbers also in the bases 2, 8 and 16. Digits after a zero are text.
fn number(text: &str) -> Option<f64> {
    let positive = text.strip_prefix('+').unwrap_or(text);
    let (sign, digits) = match positive.strip_prefix('-') {
        Some(_) if positive != text => return None,
        Some(digits) => (-1.0, digits),
        None => (1.0, positive),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = digits.strip_prefix(prefix) {
            let is_plain = !digits.starts_with('+');
            let number = u64::from_str_radix(digits, base).ok().filter(|_| is_plain)?;
            #[expect(clippy::cast_precision_loss, reason = "it is only compared")]
            return Some(sign * number as f64);
        }
    }
    let has_zero = digits.len() > 1 && digits.starts_with('0');
    if has_zero && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match digits {
        ".inf" | ".Inf" | ".INF" => Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if text == digits => Some(f64::NAN),
        _ => digits.parse::<f64>().ok().filter(|number| number.is_finite()).map(|it| sign * it),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::frontmatter::tree;

    #[test]
    fn unquoted_text_has_a_type() {
        for (text, wanted) in [
            ("~", Typed::Null),
            ("", Typed::Null),
            ("TRUE", Typed::Truth(true)),
            ("yes", Typed::Text("yes")),
            ("0x1f", Typed::Number(31.0)),
            ("-5", Typed::Number(-5.0)),
            ("+.5", Typed::Number(0.5)),
            ("5.", Typed::Number(5.0)),
            ("01", Typed::Text("01")),
            ("0x", Typed::Text("0x")),
            ("1_000", Typed::Text("1_000")),
            ("1e400", Typed::Text("1e400")),
            ("+-5", Typed::Text("+-5")),
            ("nan", Typed::Text("nan")),
            ("-.inf", Typed::Number(f64::NEG_INFINITY)),
        ] {
            assert_eq!(unquoted(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_tag_decides_and_must_fit() {
        for (text, wanted, sound) in [
            ("!!str 5", Typed::Text("5"), true),
            ("!!int 5", Typed::Number(5.0), true),
            ("!!int x", Typed::Text("x"), false),
            ("!x text", Typed::Text("text"), true),
            ("'5'", Typed::Text("5"), true),
        ] {
            let tree = tree(text).unwrap();
            assert_eq!((typed(&tree), is_sound(&tree)), (wanted, sound), "{text}");
        }
        let list = tree("!x 5").unwrap();
        assert_eq!(typed(&list), Typed::Other(&list));
        let twice = |text: &str| !is_sound(&tree(text).unwrap());
        assert!(twice("a: 1\na: 2") && twice("b: [{~: 1, null: 2}]") && twice("1: a\n0x1: b"));
        assert!(!twice("1: a\n'1': b"));
    }
}
