//! What the YAML libraries of JavaScript refuse, or read otherwise, that YAML 1.2 allows. Found by
//! trying `js-yaml` 3.14 and 4.1 and `yaml` 2.9; `tests/hosts/fuzz/yaml` has their answers.

use super::nodes::{Role, Seen};
use crate::catalog::frontmatter::core_tag;
use crate::yaml::{Node, ScalarStyle, Shape};
use std::ops::Range;

/// A library that agents written in JavaScript use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    JsYaml3,
    JsYaml4,
    /// `yaml` of npm.
    Yaml,
    /// That of Bun.
    Bun,
}

/// Whether the library takes a document that YAML 1.2 allows.
pub(super) fn takes(text: &str, nodes: &[Seen], library: Library) -> bool {
    let refuses = |seen: &Seen| match library {
        Library::JsYaml3 | Library::JsYaml4 => {
            (library == Library::JsYaml4 && is_behind_tab(seen, text))
                || is_torn_by_tab(seen, text, library)
                || (!seen.in_flow && seen.is_missing_key(text))
                || first_key_has_properties(seen, text)
                || has_strange_tag(seen.node)
        }
        Library::Yaml | Library::Bun => {
            is_behind_tab(seen, text)
                || is_torn_by_tab(seen, text, library)
                || is_indented_by_tab(seen, text)
                || is_flow_too_far_left(seen, text, library)
        }
    };
    !nodes.iter().any(refuses)
}

/// Whether `yaml` of npm takes for text what our parser refuses or takes for a line end.
pub(super) fn is_text_for_yaml(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\t' | '\n'))
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// A list or map whose first line has a tab directly before it.
fn is_behind_tab(seen: &Seen, text: &str) -> bool {
    !seen.in_flow && seen.is_block_collection(text) && seen.before(text).1.contains('\t')
}

/// A map of which the first key has a tag or an anchor: `js-yaml` takes them for those of the map.
fn first_key_has_properties(seen: &Seen, text: &str) -> bool {
    let is_explicit = || {
        let at = seen.parent.and_then(|parent| parent.span.byte_range()).map_or(0, |it| it.start);
        text[at..].starts_with('?')
    };
    seen.role == Role::FirstKey && !seen.in_flow && seen.has_properties() && !is_explicit()
}

/// A list or map with a tag that `js-yaml` does not know for one.
fn has_strange_tag(node: &Node) -> bool {
    let Some(tag) = node.tag.as_deref().filter(|_| !node.alias) else { return false };
    match node.shape {
        Shape::Map(_) => !matches!(core_tag(tag), Some("map" | "set")),
        Shape::List(_) => !matches!(core_tag(tag), Some("seq" | "omap" | "pairs")),
        Shape::Scalar(..) => false,
    }
}

/// A block scalar with a blank line in which a tab stands where its indentation should be.
/// `js-yaml` and Bun end it there, so that they refuse further text; `yaml` of npm refuses such a
/// line anywhere.
fn is_torn_by_tab(seen: &Seen, text: &str, library: Library) -> bool {
    let Some((ScalarStyle::Literal | ScalarStyle::Folded, bytes)) = seen.scalar() else {
        return false;
    };
    let line = text[..bytes.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let is_blank = |line: &&str| line.trim_matches([' ', '\t', '\r', '\n']).is_empty();
    let mut lines = super::lines(&text[line..]).peekable();
    // The header may stand on the line on which the text is said to begin.
    lines.next_if(|line| !is_blank(line) && line.trim_end().ends_with(is_header));
    let mut is_torn = false;
    for line in lines {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let is_within = seen.node.span.indent.is_some_and(|indent| spaces >= indent);
        if is_blank(&line) {
            is_torn |= line[spaces..].starts_with('\t') && !is_within;
        } else if is_torn && is_within {
            return true;
        } else if !is_within {
            break;
        }
    }
    is_torn && library == Library::Yaml
}

fn is_header(sign: char) -> bool {
    matches!(sign, '|' | '>' | '+' | '-') || sign.is_ascii_digit()
}

/// A node that is first on its line, behind a tab that is no further right than the list or map in
/// which it stands.
fn is_indented_by_tab(seen: &Seen, text: &str) -> bool {
    let (before, blanks) = seen.before(text);
    let Some(tab) = blanks.find('\t').filter(|_| !seen.in_flow) else { return false };
    let is_indicator = |part: &str| part.is_empty() || ["-", "?", ":"].contains(&part);
    let is_first = before.split([' ', '\t']).all(is_indicator);
    let column = before.chars().count() + tab;
    is_first && seen.outer_column(text).is_some_and(|outer| column <= outer)
}

/// A list or map in brackets with a line that is not indented further than its key. The closing
/// bracket alone may have the column of the key, and with Bun any.
fn is_flow_too_far_left(seen: &Seen, text: &str, library: Library) -> bool {
    let Some(outer) = seen.outer_column(text).filter(|_| seen.node.flow && !seen.node.alias) else {
        return false;
    };
    let lines: Vec<&str> = super::lines(&text[seen.at..seen.node.end]).collect();
    lines.iter().enumerate().skip(1).any(|(index, line)| {
        let rest = line.trim_start_matches(' ');
        let column = line.len() - rest.len();
        let is_empty = rest.trim_matches(['\t', ' ', '\r', '\n']).is_empty();
        let is_end = index + 1 == lines.len() && rest.len() == 1;
        let is_end = is_end && (column == outer || library == Library::Bun);
        !is_empty && !rest.starts_with('#') && !is_end && column <= outer
    })
}

/// The blanks at the ends of lines within quotes, which `js-yaml` keeps and YAML 1.2 drops. Those
/// on further lines that are blank do not count.
pub(super) fn kept_blanks(text: &str, nodes: &[Seen]) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    for seen in nodes {
        let Some((ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted, bytes)) = seen.scalar()
        else {
            continue;
        };
        let mut at = bytes.start;
        for (index, line) in super::lines(&text[bytes]).enumerate() {
            let inner = line.trim_end_matches(['\n', '\r']);
            let filled = inner.trim_end_matches([' ', '\t']);
            let is_ended = inner.len() < line.len();
            if is_ended && filled.len() < inner.len() && (index == 0 || !filled.is_empty()) {
                kept.push(at + filled.len()..at + inner.len());
            }
            at += line.len();
        }
    }
    kept
}
