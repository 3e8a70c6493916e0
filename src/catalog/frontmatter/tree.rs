//! A YAML document as hosts' own parsers see it: with what is needed to tell text from other types.

use super::yaml::{Library, START, Source, by_javascript, by_libyaml, by_pyyaml, whole};
use crate::yaml::{Node, ScalarStyle, Shape};

/// A value. Other people's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// `plain` is without quotes, so that it may be null, a number or a truth value.
    Scalar {
        text: String,
        plain: bool,
        tag: Option<String>,
    },
    List(Vec<Tree>),
    /// In the order of the text, with duplicate keys.
    Map(Vec<(Tree, Tree)>),
}

/// The first document of a text; `None` if there is none, or it is broken.
pub fn tree(text: &str) -> Option<Tree> {
    let (root, source) = whole(text, START)?;
    Some(of(root, &|text| source.restored(text)))
}

/// The document as a library of JavaScript reads it; `None` if it refuses the text.
pub fn javascript_tree(text: &str, library: Library) -> Option<Tree> {
    let (root, source) = by_javascript(text, library)?;
    Some(of(root, &|text| source.restored(text)))
}

/// The one document of a text as libyaml and `serde_yaml` read it: see [`is_one`].
pub fn libyaml_tree(text: &str) -> Option<Tree> {
    one_document(text, by_libyaml)
}

/// The one document of a text as PyYAML reads it: see [`is_one`].
pub fn pyyaml_tree(text: &str) -> Option<Tree> {
    one_document(text, by_pyyaml)
}

fn one_document(text: &str, read: fn(&str) -> Option<(Node, Source)>) -> Option<Tree> {
    let text = text.replace(LINE_ENDS, "\n");
    let (root, source) = read(&text).filter(|_| is_one(&text))?;
    Some(of(root, &|text| source.restored(text)))
}

/// Line ends of YAML 1.1 that are none in YAML 1.2.
const LINE_ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Whether a text has no control characters, no directives and no second document, which readers of
/// YAML 1.1 refuse. Its line ends are those of YAML 1.2.
fn is_one(text: &str) -> bool {
    let is_printable = |c: char| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{a0}'..='\u{fffd}') || c > '\u{ffff}'
    };
    let is_end = |line: &str| {
        let rest = line.strip_prefix("...").or_else(|| line.strip_prefix("---"));
        rest.is_some_and(|rest| rest.trim().is_empty())
    };
    let (begin, further) = text.split_at(text.find('\n').map_or(text.len(), |at| at + 1));
    let mut lines = further.lines().skip_while(|line| !is_end(line)).peekable();
    let is_second = lines.peek().is_some_and(|line| line.starts_with("---"));
    let is_more = lines.skip(1).any(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let is_bad =
        is_second || is_more || is_end(begin) && begin.starts_with('.') || begin.starts_with('%');
    text.chars().all(is_printable) && !is_bad
}

/// The pairs of maps.
pub type Pairs = Vec<(Tree, Tree)>;

/// `int` of the tag `!!int`, which parsers may write out; `None` for a tag that is not YAML's own.
pub fn core_tag(tag: &str) -> Option<&str> {
    tag.strip_prefix("!!").or_else(|| tag.strip_prefix("tag:yaml.org,2002:"))
}

/// The pairs that stand in a map itself, and those of the maps that its merge keys (`<<`) name.
pub fn split_merges(pairs: Pairs, is_merge: impl Fn(&(Tree, Tree)) -> bool) -> (Pairs, Pairs) {
    let (merges, own): (Pairs, Pairs) = pairs.into_iter().partition(is_merge);
    let maps = merges.into_iter().flat_map(|(_, value)| match value {
        Tree::List(maps) => maps,
        map => vec![map],
    });
    let merged = maps.flat_map(|map| match map {
        Tree::Map(pairs) => pairs,
        Tree::List(_) | Tree::Scalar { .. } => Vec::new(),
    });
    let merged = merged.collect();
    (own, merged)
}

fn of(node: Node, restored: &dyn Fn(String) -> String) -> Tree {
    match node.shape {
        Shape::Scalar(text, style) => {
            Tree::Scalar { text: restored(text), plain: style == ScalarStyle::Plain, tag: node.tag }
        }
        Shape::List(items) => {
            Tree::List(items.into_iter().map(|item| of(item, restored)).collect())
        }
        Shape::Map(pairs) => Tree::Map(
            pairs
                .into_iter()
                .map(|(key, value)| (of(key, restored), of(value, restored)))
                .collect(),
        ),
    }
}

impl Tree {
    /// The text of a scalar, whatever its type.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar { text, .. } => Some(text),
            Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Whether it is an absent value or a word for null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Scalar { text, plain: true, tag } if tag.as_deref().is_none_or(|tag| tag.ends_with("null"))
            && ["", "~", "null", "Null", "NULL"].contains(&text.as_str()))
    }

    /// The truth value of YAML 1.2.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Scalar { text, plain: true, .. } => match text.as_str() {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// The pairs of a map with text keys; `None` for everything else.
    pub fn pairs(&self) -> Option<Vec<(&str, &Self)>> {
        let Self::Map(pairs) = self else { return None };
        pairs.iter().map(|(key, value)| Some((key.text()?, value))).collect()
    }
}

/// The value of a key. The outer `None` means that the key is there twice.
pub fn single<'a>(pairs: &[(&str, &'a Tree)], key: &str) -> Option<Option<&'a Tree>> {
    let mut values = pairs.iter().filter(|(found, _)| *found == key).map(|(_, value)| *value);
    let first = values.next();
    values.next().is_none().then_some(first)
}
