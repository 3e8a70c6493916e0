//! What libyaml and PyYAML, which read YAML 1.1, refuse or read otherwise. Found by trying libyaml
//! 0.2.5 and PyYAML 6.0.3; `tests/hosts/fuzz/yaml` has their answers.

use super::nodes::Seen;
use crate::yaml::{Node, ScalarStyle, Shape};

/// Whether both take a document that YAML 1.2 allows.
pub(super) fn take(text: &str, nodes: &[Seen]) -> bool {
    let is_name = |name: &str| {
        let is_sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-');
        !name.is_empty() && name.chars().all(is_sign)
    };
    nodes.iter().all(|seen| !seen.is_missing_key(text) && anchor(seen, text).is_none_or(is_name))
}

/// Whether unquoted text in brackets has a question mark, which PyYAML takes for that of a key.
pub(super) fn asks_in_brackets(nodes: &[Seen]) -> bool {
    nodes.iter().any(|seen| match &seen.node.shape {
        Shape::Scalar(text, ScalarStyle::Plain) => seen.in_flow && text.contains('?'),
        _ => false,
    })
}

/// The name of the anchor of a node.
fn anchor<'text>(seen: &Seen, text: &'text str) -> Option<&'text str> {
    if seen.node.anchor == 0 || seen.node.alias {
        return None;
    }
    let rest = match text[seen.at..].strip_prefix('&') {
        Some(rest) => rest,
        None => &text[text[..seen.at].rfind('&')? + 1..],
    };
    rest.split([' ', '\t', '\n', '\r', ',', '[', ']', '{', '}']).next()
}

/// Takes the line end from a block scalar with which a text ends that has none itself.
pub(super) fn without_end(text: &str, node: &mut Node) {
    if text.ends_with(['\n', '\r']) {
        return;
    }
    match &mut node.shape {
        Shape::Scalar(value, ScalarStyle::Literal | ScalarStyle::Folded) => {
            let is_last = node.span.byte_range().is_some_and(|bytes| bytes.end >= text.len());
            if is_last && value.ends_with('\n') {
                value.pop();
            }
        }
        Shape::Scalar(..) => {}
        Shape::List(items) => items.iter_mut().for_each(|item| without_end(text, item)),
        Shape::Map(pairs) => pairs.iter_mut().for_each(|(_, value)| without_end(text, value)),
    }
}
