//! YAML 1.2 events into a small tree with places, under a budget (R1).
//!
//! The tree keeps what a serde reader hides and the strict verdict needs: flow style, anchors, tags and duplicate keys,
//! each with its place. What was read before an error is kept beside the error.

use super::{Field, Value};
use crate::catalog::Place;
use granit_parser::{ErrorKind, Event, Marker, Parser, ScanError, Span, StructureStyle, options};
use std::collections::{HashMap, HashSet};

/// Nested lists and maps.
const DEPTH_LIMIT: usize = 32;
/// Scalars, lists and maps, aliases expanded.
const NODE_LIMIT: usize = 5_000;
/// Bytes of all scalars, aliases expanded.
const TEXT_LIMIT: usize = 256 * 1024;
/// Anchors and aliases together.
const ALIAS_LIMIT: usize = 100;

/// Where a piece of YAML stands in its file.
#[derive(Clone, Copy, Debug)]
pub(in crate::catalog) struct Origin {
    /// The file's line of the YAML's first line, from 1.
    pub(in crate::catalog) line: u32,
    /// How many characters stand before it on that line.
    pub(in crate::catalog) column: u32,
}

/// A scalar, list or map with the place of its token; a block list or map is placed at its first entry.
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
    Duplicate(String),
}

/// Why reading stopped.
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
pub(in crate::catalog) fn parse(text: &str, origin: Origin) -> Parsed {
    let options = options! {
        emit_comments: false,
        emit_anchor_events: true,
        flow_nesting_limit: DEPTH_LIMIT,
        block_nesting_limit: DEPTH_LIMIT,
    };
    let mut reader = Reader::new(text, origin);
    for next in Parser::new_from_str_with_options(text, options) {
        let step = match next {
            Ok((event, span)) => reader.take(event, &span),
            Err(error) => Err(reader.scan_error(&error)),
        };
        if let Err(broken) = step {
            return Parsed { root: None, oddities: reader.oddities, broken: Some(broken) };
        }
    }
    Parsed { root: reader.root, oddities: reader.oddities, broken: None }
}

impl Node {
    /// The node without its places.
    pub(in crate::catalog) fn into_value(self) -> Value {
        match self.shape {
            Shape::Scalar(text) => Value::Scalar(text),
            Shape::Sequence(items) => Value::Sequence(items.into_iter().map(Node::into_value).collect()),
            Shape::Mapping(pairs) => {
                Value::Mapping(pairs.into_iter().map(|(key, value)| (key.into_text(), value.into_value())).collect())
            }
        }
    }

    /// The text of a key; a key that is a list or a map in flow notation.
    pub(in crate::catalog) fn into_text(self) -> String {
        match self.shape {
            Shape::Scalar(text) => text,
            _ => self.into_value().flow_text(),
        }
    }

    /// How many nodes, how many bytes of text, how deep. Recursion ends: depth is limited while nodes are made.
    fn weight(&self) -> (usize, usize, usize) {
        let sum = |all: &mut dyn Iterator<Item = &Node>| {
            all.map(Node::weight).fold((1, 0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2.max(one.2)))
        };
        match &self.shape {
            Shape::Scalar(text) => (1, text.len(), 0),
            Shape::Sequence(items) => deeper(sum(&mut items.iter())),
            Shape::Mapping(pairs) => deeper(sum(&mut pairs.iter().flat_map(|(key, value)| [key, value]))),
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

/// A list or map that is not closed yet.
struct Open {
    place: Place,
    anchor: usize,
    shape: Shape,
    /// A map's key that waits for its value.
    key: Option<Node>,
}

struct Reader<'text> {
    text: &'text str,
    origin: Origin,
    open: Vec<Open>,
    root: Option<Node>,
    anchors: HashMap<usize, Node>,
    oddities: Vec<(Oddity, Place)>,
    nodes: usize,
    bytes: usize,
    aliases: usize,
}

impl<'text> Reader<'text> {
    fn new(text: &'text str, origin: Origin) -> Self {
        let (open, root, anchors, oddities) = (Vec::new(), None, HashMap::new(), Vec::new());
        Self { text, origin, open, root, anchors, oddities, nodes: 0, bytes: 0, aliases: 0 }
    }

    fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Broken> {
        if let Some(tag) = span.tag_span() {
            let place = self.place(&tag);
            self.oddities.push((Oddity::Tag, place));
        }
        match event {
            Event::Scalar(text, _, anchor, _) => {
                self.spend(span, (1, text.len(), 0))?;
                let node = Node { place: self.place(span), shape: Shape::Scalar(text.into_owned()) };
                self.complete(node, anchor);
            }
            Event::SequenceStart(style, anchor, _) => self.begin(span, style, anchor, Shape::Sequence(Vec::new()))?,
            Event::MappingStart(style, anchor, _) => self.begin(span, style, anchor, Shape::Mapping(Vec::new()))?,
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Anchor(..) => {
                self.spend_alias(span)?;
                let place = self.place(span);
                self.oddities.push((Oddity::Anchor, place));
            }
            Event::Alias(id) => self.alias(id, span)?,
            Event::DocumentStart(..) if self.root.is_some() => {
                return Err(self.broken(span, Cause::Syntax, "a second document begins here".into()));
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, span: &Span, style: StructureStyle, anchor: usize, shape: Shape) -> Result<(), Broken> {
        self.spend(span, (1, 0, 1))?;
        let place = self.place(span);
        if style == StructureStyle::Flow {
            self.oddities.push((Oddity::Flow, place));
        }
        self.open.push(Open { place, anchor, shape, key: None });
        Ok(())
    }

    fn end(&mut self) {
        let Some(Open { place, anchor, shape, .. }) = self.open.pop() else { return };
        if let Shape::Mapping(pairs) = &shape {
            self.oddities.extend(duplicates(pairs));
        }
        self.complete(Node { place, shape }, anchor);
    }

    fn complete(&mut self, node: Node, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut parent.shape {
            Shape::Sequence(items) => items.push(node),
            Shape::Mapping(pairs) => match parent.key.take() {
                Some(key) => pairs.push((key, node)),
                None => parent.key = Some(node),
            },
            Shape::Scalar(_) => {}
        }
    }

    /// Puts a copy of the anchored node here; copies are paid from the same budget.
    fn alias(&mut self, id: usize, span: &Span) -> Result<(), Broken> {
        self.spend_alias(span)?;
        let place = self.place(span);
        self.oddities.push((Oddity::Anchor, place));
        let Some(weight) = self.anchors.get(&id).map(Node::weight) else {
            return Err(self.broken(span, Cause::Syntax, "the alias refers to the value in which it stands".into()));
        };
        self.spend(span, weight)?;
        if let Some(node) = self.anchors.get(&id) {
            let shape = node.shape.clone();
            self.complete(Node { place, shape }, 0);
        }
        Ok(())
    }

    fn spend(&mut self, span: &Span, (nodes, bytes, depth): (usize, usize, usize)) -> Result<(), Broken> {
        self.nodes += nodes;
        self.bytes += bytes;
        let message = if self.open.len() + depth > DEPTH_LIMIT {
            format!("the YAML is nested more than {DEPTH_LIMIT} deep")
        } else if self.nodes > NODE_LIMIT {
            format!("the YAML has more than {NODE_LIMIT} values")
        } else if self.bytes > TEXT_LIMIT {
            format!("the YAML's values have more than {} KiB", TEXT_LIMIT / 1024)
        } else {
            return Ok(());
        };
        Err(self.broken(span, Cause::Budget, message))
    }

    fn spend_alias(&mut self, span: &Span) -> Result<(), Broken> {
        self.aliases += 1;
        if self.aliases <= ALIAS_LIMIT {
            return Ok(());
        }
        Err(self.broken(span, Cause::Budget, format!("the YAML has more than {ALIAS_LIMIT} anchors and aliases")))
    }

    fn broken(&self, span: &Span, cause: Cause, message: String) -> Broken {
        Broken { place: self.place(span), message, cause }
    }

    fn scan_error(&self, error: &ScanError) -> Broken {
        let cause = match error.kind() {
            ErrorKind::RecursionLimitExceeded => Cause::Budget,
            ErrorKind::UnknownAnchor => Cause::UnknownAlias,
            _ => Cause::Syntax,
        };
        let message = match cause {
            Cause::Budget => format!("the YAML is nested more than {DEPTH_LIMIT} deep"),
            _ => error.info(),
        };
        Broken { place: self.at(*error.marker(), 1), message, cause }
    }

    /// The place of a token: of its first line, if it has several.
    fn place(&self, span: &Span) -> Place {
        let token = span.slice(self.text).unwrap_or_default();
        let first = token.split(['\n', '\r']).next().unwrap_or_default().trim_end();
        self.at(span.start, first.chars().count())
    }

    fn at(&self, marker: Marker, width: usize) -> Place {
        let before = if marker.line() == 1 { self.origin.column } else { 0 };
        Place {
            line: self.origin.line + number(marker.line()).saturating_sub(1),
            column: before + number(marker.col()) + 1,
            width: number(width).max(1),
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The keys that are there again, at their second place and further ones.
fn duplicates(pairs: &[(Node, Node)]) -> Vec<(Oddity, Place)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for (key, _) in pairs {
        if let Shape::Scalar(text) = &key.shape
            && !seen.insert(text.as_str())
        {
            found.push((Oddity::Duplicate(text.clone()), key.place));
        }
    }
    found
}
