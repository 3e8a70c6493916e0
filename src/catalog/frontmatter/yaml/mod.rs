//! YAML 1.2 events into a small tree with places, under a budget (R1).
//!
//! The tree keeps what a serde reader hides and the strict verdict needs: flow style, anchors, tags
//! and duplicate keys, each with its place. What was read before an error is kept beside the error.

mod reader;
mod source;

use super::{Field, Value};
use crate::catalog::Place;
use granit_parser::{ErrorKind, Parser, options};
use reader::Reader;
use source::Source;
pub(super) use source::lines;

/// Nested lists and maps.
const DEPTH_LIMIT: usize = 32;
/// Bytes that are read again because a line inside quotes had to be indented.
const REREAD_LIMIT: usize = 256 * 1024;

/// Where a piece of YAML stands in its file.
#[derive(Clone, Copy, Debug)]
pub(in crate::catalog) struct Origin {
    /// The file's line of the YAML's first line, from 1.
    pub(in crate::catalog) line: u32,
    /// How many characters stand before it on that line.
    pub(in crate::catalog) column: u32,
}

/// A scalar, list or map with the place of its token; a block list or map is placed at its first
/// entry.
#[derive(Clone, Debug)]
pub(in crate::catalog) struct Node {
    pub(in crate::catalog) place: Place,
    pub(in crate::catalog) shape: Shape,
}

#[derive(Clone, Debug)]
pub(in crate::catalog) enum Shape {
    Scalar(String),
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

/// Something that is YAML, but that the reference refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::catalog) enum Oddity {
    Flow,
    Anchor,
    Tag,
    /// A tab outside quotes, block scalars and comments.
    Tab,
    Duplicate(String),
}

#[derive(Clone, Debug)]
pub(in crate::catalog) struct Broken {
    pub(in crate::catalog) place: Place,
    pub(in crate::catalog) message: String,
    pub(in crate::catalog) cause: Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::catalog) enum Cause {
    Syntax,
    UnknownAlias,
    Budget,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Parsed {
    /// The document; `None` if there is none, or if it is broken.
    pub(in crate::catalog) root: Option<Node>,
    /// In the order in which they were met.
    pub(in crate::catalog) oddities: Vec<(Oddity, Place)>,
    pub(in crate::catalog) broken: Option<Broken>,
}

/// Reads one YAML document. Never takes more than the budget, whatever the text is.
///
/// Lines inside quotes may begin further left than YAML 1.2 allows: libyaml and PyYAML read them,
/// so do the agents. Such a line is indented, which does not change the value, and the text is read
/// again.
pub(in crate::catalog) fn parse(text: &str, origin: Origin) -> Parsed {
    let mut source = Source::new(text, origin);
    let mut spent = 0;
    loop {
        let (parsed, line) = attempt(&source);
        spent += source.text.len();
        if !line.is_some_and(|line| spent < REREAD_LIMIT && source.indent(line)) {
            return parsed;
        }
    }
}

/// Reads once; beside what was read the line that should be indented more, if that is what is
/// wrong.
fn attempt(source: &Source<'_>) -> (Parsed, Option<usize>) {
    let tabs = source.text.contains('\t');
    let options = options! {
        emit_comments: tabs,
        max_buffered_comment_events: usize::MAX,
        emit_anchor_events: true,
        flow_nesting_limit: DEPTH_LIMIT,
        block_nesting_limit: DEPTH_LIMIT,
    };
    let mut reader = Reader::new(source);
    for next in Parser::new_from_str_with_options(&source.text, options) {
        let mut line = None;
        let step = match next {
            Ok((event, span)) => reader.take(event, &span),
            Err(error) => {
                line = left_of_quotes(error.kind()).then(|| error.marker().line());
                Err(reader.scan_error(&error))
            }
        };
        if let Err(broken) = step {
            if broken.cause == Cause::UnknownAlias {
                reader.oddities.push((Oddity::Anchor, broken.place));
            }
            reader.find_tab();
            return (Parsed { root: None, oddities: reader.oddities, broken: Some(broken) }, line);
        }
    }
    reader.find_tab();
    (Parsed { root: reader.root, oddities: reader.oddities, broken: None }, None)
}

/// A line inside quotes begins too far left, or with a tab there.
fn left_of_quotes(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::InvalidQuotedScalarIndent | ErrorKind::TabInIndentation)
}

impl Node {
    /// The node without its places.
    pub(in crate::catalog) fn into_value(self) -> Value {
        match self.shape {
            Shape::Scalar(text) => Value::Scalar(text),
            Shape::Sequence(items) => {
                Value::Sequence(items.into_iter().map(Node::into_value).collect())
            }
            Shape::Mapping(pairs) => Value::Mapping(
                pairs
                    .into_iter()
                    .map(|(key, value)| (key.into_text(), value.into_value()))
                    .collect(),
            ),
        }
    }

    /// The text of a key; a key that is a list or a map in flow notation.
    pub(in crate::catalog) fn into_text(self) -> String {
        match self.shape {
            Shape::Scalar(text) => text,
            _ => self.into_value().flow_text(),
        }
    }

    /// How many nodes, how many bytes of text, how deep. Recursion ends: depth is limited while
    /// nodes are made.
    fn weight(&self) -> (usize, usize, usize) {
        let sum = |all: &mut dyn Iterator<Item = &Node>| {
            all.map(Node::weight)
                .fold((1, 0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2.max(one.2)))
        };
        match &self.shape {
            Shape::Scalar(text) => (1, text.len(), 0),
            Shape::Sequence(items) => deeper(sum(&mut items.iter())),
            Shape::Mapping(pairs) => {
                deeper(sum(&mut pairs.iter().flat_map(|(key, value)| [key, value])))
            }
        }
    }
}

fn deeper((nodes, bytes, depth): (usize, usize, usize)) -> (usize, usize, usize) {
    (nodes, bytes, depth + 1)
}

/// The pairs of a map as fields.
pub(in crate::catalog) fn into_fields(pairs: Vec<(Node, Node)>) -> Vec<Field> {
    let field = |(key, value): (Node, Node)| {
        let (key_place, value_place) = (key.place, value.place);
        Field { key: key.into_text(), key_place, value: value.into_value(), value_place }
    };
    pairs.into_iter().map(field).collect()
}
