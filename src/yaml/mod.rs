//! One YAML 1.2 document as a tree with places, within limits.
//!
//! `granit-parser` gives events. This builds a tree of them for frontmatter and for settings. It
//! keeps what a serde reader hides: flow style, anchors, tags and duplicate keys. It also keeps
//! what was read before an error.

mod plain;

use granit_parser::{ErrorKind, Event, Marker, Parser, ScanError, StructureStyle, options};
pub(crate) use granit_parser::{ScalarStyle, Span};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The most that is read. Aliases count as their values.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Lists and maps within each other.
    pub(crate) depth: usize,
    /// Scalars, lists and maps.
    pub(crate) values: usize,
    /// Bytes of all scalars.
    pub(crate) bytes: usize,
    /// Anchors and aliases together.
    pub(crate) aliases: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// For a list or map, only its first token.
    pub(crate) span: Span,
    /// The end as a byte offset; for a block list or map, possibly on a later line.
    pub(crate) end: usize,
    /// The number of its anchor, or of the anchor that it is an alias of; 0 for none.
    pub(crate) anchor: usize,
    pub(crate) alias: bool,
    /// A list or map in brackets.
    pub(crate) flow: bool,
    pub(crate) tag: Option<String>,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The text is empty for an absent value.
    Scalar(String, ScalarStyle),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

/// A feature of YAML that stricter readers refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    Flow,
    /// An anchor or an alias.
    Anchor,
    Tag,
    /// The first tab outside quotes, block scalars and comments.
    Tab,
    Duplicate(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Error {
    /// In a box, since it is large compared with what is usually returned.
    pub(crate) span: Box<Span>,
    pub(crate) message: String,
    pub(crate) cause: Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Syntax,
    /// A line inside quotes is indented too little, or with a tab.
    QuotedIndent,
    /// The text ends within quotes.
    UnclosedQuote,
    /// A tab stands where only blanks may.
    Tab,
    /// A `#` directly behind a quote or a bracket.
    LooseComment,
    /// A control character, which no YAML may have.
    Control,
    UnknownAlias,
    Depth,
    Size,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// `None` if there is no document, or if it is broken.
    pub(crate) root: Option<Node>,
    /// In the order of the text.
    pub(crate) oddities: Vec<(Oddity, Span)>,
    pub(crate) error: Option<Error>,
}

/// Reads one document. Stops with an error at a limit.
pub(crate) fn read(text: &str, limits: Limits) -> Document {
    plain::read(text, limits).unwrap_or_else(|| parse(text, limits))
}

/// Reads one document with the parser.
fn parse(text: &str, limits: Limits) -> Document {
    let options = options! {
        emit_comments: text.contains('\t'),
        max_buffered_comment_events: usize::MAX,
        emit_anchor_events: true,
        flow_nesting_limit: limits.depth,
        block_nesting_limit: limits.depth,
    };
    let mut builder = Builder::new(limits);
    for next in Parser::new_from_str_with_options(text, options) {
        let step = match next {
            Ok((event, span)) => builder.take(event, span),
            Err(error) => Err(builder.scan_error(&error)),
        };
        if let Err(error) = step {
            if error.cause == Cause::UnknownAlias {
                builder.odd(Oddity::Anchor, *error.span);
            }
            builder.document.root = None;
            builder.document.error = Some(error);
            break;
        }
    }
    if let Some(tab) = builder.tab(text) {
        builder.odd(Oddity::Tab, tab);
    }
    builder.document
}

/// A list or map that is not closed yet.
struct Open {
    node: Node,
    /// A map's key that waits for its value.
    key: Option<Node>,
}

struct Builder {
    limits: Limits,
    document: Document,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    /// The bytes of quotes, block scalars and, where the text has tabs, comments.
    opaque: Vec<Range<usize>>,
    spent: Weight,
    aliases: usize,
}

/// What a value counts toward the limits.
#[derive(Clone, Copy, Default)]
struct Weight {
    values: usize,
    bytes: usize,
    depth: usize,
}

impl Builder {
    fn new(limits: Limits) -> Self {
        Self {
            limits,
            document: Document::default(),
            open: Vec::new(),
            anchors: HashMap::new(),
            opaque: Vec::new(),
            spent: Weight::default(),
            aliases: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Error> {
        if let Some(tag) = span.tag_span() {
            self.odd(Oddity::Tag, tag);
        }
        let (tag, anchor, flow, shape) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                if style != ScalarStyle::Plain {
                    self.opaque.extend(span.byte_range());
                }
                // The parser gives `~` for an absent value.
                let absent = style == ScalarStyle::Plain && span.is_empty();
                let text = if absent { String::new() } else { text.into_owned() };
                (tag, anchor, false, Shape::Scalar(text, style))
            }
            Event::SequenceStart(style, anchor, tag) => {
                (tag, anchor, style == StructureStyle::Flow, Shape::List(Vec::new()))
            }
            Event::MappingStart(style, anchor, tag) => {
                (tag, anchor, style == StructureStyle::Flow, Shape::Map(Vec::new()))
            }
            other => return self.take_mark(&other, span),
        };
        let tag = tag.map(|tag| tag.to_string());
        let end = span.byte_range().map_or(0, |range| range.end);
        let node = Node { span, end, anchor, alias: false, flow, tag, shape };
        self.spend(node.weight(), span)?;
        if flow {
            self.odd(Oddity::Flow, span);
        }
        match node.shape {
            Shape::Scalar(..) => self.complete(node),
            _ => self.open.push(Open { node, key: None }),
        }
        Ok(())
    }

    /// Handles an event that begins no value of its own.
    fn take_mark(&mut self, event: &Event<'_>, span: Span) -> Result<(), Error> {
        match event {
            Event::Comment(..) => self.opaque.extend(span.byte_range()),
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Anchor(..) => self.spend_alias(span)?,
            Event::Alias(id) => self.alias(*id, span)?,
            Event::DocumentStart(..) if self.document.root.is_some() => {
                return Err(broken(Cause::Syntax, span, "a second document begins here"));
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, span: Span) {
        let Some(Open { mut node, .. }) = self.open.pop() else { return };
        node.end = span.byte_range().map_or(node.end, |range| range.end);
        if let Shape::Map(pairs) = &node.shape {
            self.document.oddities.extend(duplicates(pairs));
        }
        self.complete(node);
    }

    fn complete(&mut self, node: Node) {
        if node.anchor != 0 && !node.alias {
            self.anchors.insert(node.anchor, node.clone());
        }
        let Some(parent) = self.open.last_mut() else {
            self.document.root = Some(node);
            return;
        };
        match &mut parent.node.shape {
            Shape::List(items) => items.push(node),
            Shape::Map(pairs) => match parent.key.take() {
                Some(key) => pairs.push((key, node)),
                None => parent.key = Some(node),
            },
            Shape::Scalar(..) => {}
        }
    }

    /// Adds a copy of the anchored node. The copy counts toward the limits.
    fn alias(&mut self, id: usize, span: Span) -> Result<(), Error> {
        self.spend_alias(span)?;
        let Some(weight) = self.anchors.get(&id).map(Node::weight) else {
            let message = "the alias refers to the value in which it stands";
            return Err(broken(Cause::Syntax, span, message));
        };
        self.spend(weight, span)?;
        if let Some(node) = self.anchors.get(&id) {
            let end = span.byte_range().map_or(0, |range| range.end);
            self.complete(Node { span, end, alias: true, ..node.clone() });
        }
        Ok(())
    }

    /// The first tab between tokens or in a plain scalar.
    fn tab(&self, text: &str) -> Option<Span> {
        let mut opaque = self.opaque.iter().peekable();
        let (tab, _) = text.match_indices('\t').find(|(tab, _)| {
            while opaque.next_if(|range| range.end <= *tab).is_some() {}
            opaque.peek().is_none_or(|range| range.start > *tab)
        })?;
        let before = text[..tab].rsplit(['\n', '\r']).next().unwrap_or_default();
        let line = text[..tab].replace("\r\n", "\n").matches(['\n', '\r']).count() + 1;
        Some(Span::empty(Marker::new(tab, line, before.chars().count())))
    }

    fn odd(&mut self, oddity: Oddity, span: Span) {
        self.document.oddities.push((oddity, span));
    }

    fn spend(&mut self, weight: Weight, span: Span) -> Result<(), Error> {
        let limits = self.limits;
        self.spent.values += weight.values;
        self.spent.bytes += weight.bytes;
        if self.open.len() + weight.depth > limits.depth {
            Err(broken(Cause::Depth, span, too_deep(limits)))
        } else if self.spent.values > limits.values {
            let message = format!("the YAML has more than {} values", limits.values);
            Err(broken(Cause::Size, span, message))
        } else if self.spent.bytes > limits.bytes {
            let message = format!("the YAML's values have more than {} KiB", limits.bytes / 1024);
            Err(broken(Cause::Size, span, message))
        } else {
            Ok(())
        }
    }

    fn spend_alias(&mut self, span: Span) -> Result<(), Error> {
        self.aliases += 1;
        if self.aliases > self.limits.aliases {
            let limit = self.limits.aliases;
            let message = format!("the YAML has more than {limit} anchors and aliases");
            return Err(broken(Cause::Size, span, message));
        }
        self.odd(Oddity::Anchor, span);
        Ok(())
    }

    fn scan_error(&self, error: &ScanError) -> Error {
        let cause = match error.kind() {
            ErrorKind::RecursionLimitExceeded => Cause::Depth,
            ErrorKind::UnknownAnchor => Cause::UnknownAlias,
            ErrorKind::InvalidQuotedScalarIndent | ErrorKind::TabInIndentation => {
                Cause::QuotedIndent
            }
            ErrorKind::UnclosedQuotedScalar => Cause::UnclosedQuote,
            ErrorKind::TabInBlockIndentation | ErrorKind::TabNotAllowed => Cause::Tab,
            ErrorKind::CommentNotSeparated => Cause::LooseComment,
            ErrorKind::UnexpectedCharacter { character } if character.is_control() => {
                Cause::Control
            }
            _ => Cause::Syntax,
        };
        let message = if cause == Cause::Depth { too_deep(self.limits) } else { explained(error) };
        broken(cause, Span::empty(*error.marker()), message)
    }
}

impl Node {
    /// The recursion is limited, since the depth of nodes is.
    fn weight(&self) -> Weight {
        let sum = |inner: &mut dyn Iterator<Item = &Self>| {
            let own = Weight { values: 1, bytes: 0, depth: 1 };
            inner.map(Self::weight).fold(own, |sum, one| Weight {
                values: sum.values + one.values,
                bytes: sum.bytes + one.bytes,
                depth: sum.depth.max(one.depth + 1),
            })
        };
        match &self.shape {
            Shape::Scalar(text, _) => Weight { values: 1, bytes: text.len(), depth: 0 },
            Shape::List(items) => sum(&mut items.iter()),
            Shape::Map(pairs) => sum(&mut pairs.iter().flat_map(|(key, value)| [key, value])),
        }
    }
}

fn broken(cause: Cause, span: Span, message: impl Into<String>) -> Error {
    Error { span: Box::new(span), message: message.into(), cause }
}

fn too_deep(limits: Limits) -> String {
    format!("the YAML is nested more than {} deep", limits.depth)
}

/// Describes usual mistakes in our own words, and others in the parser's.
fn explained(error: &ScanError) -> String {
    let message = match error.kind() {
        ErrorKind::UnknownAnchor => {
            "a value that begins with * is an alias, and there is no such anchor"
        }
        ErrorKind::MappingValueNotAllowed => "a colon and a blank stand within an unquoted value",
        ErrorKind::UnclosedQuotedScalar => "a quote is not closed",
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => "text follows the closing quote",
        ErrorKind::SimpleKeyExpected | ErrorKind::ExpectedBlockMappingKey => {
            "a line is neither `key: value` nor indented"
        }
        ErrorKind::UnexpectedCharacter { character: character @ ('@' | '`' | '%') } => {
            return format!("a value that begins with {character} needs quotes");
        }
        ErrorKind::UnexpectedCharacter { character } if character.is_control() => {
            return format!(
                "YAML cannot have the control character U+{:04X}",
                u32::from(*character)
            );
        }
        ErrorKind::InvalidBlockScalarHeader => {
            "the text of a block begins below its > or |, and not beside it"
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            "a backslash within double quotes begins an escape that YAML does not have"
        }
        _ => return error.info(),
    };
    message.to_owned()
}

/// Duplicate keys, at their second place and later ones.
fn duplicates(pairs: &[(Node, Node)]) -> Vec<(Oddity, Span)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for (key, _) in pairs {
        if let Shape::Scalar(text, _) = &key.shape
            && !seen.insert(text.as_str())
        {
            found.push((Oddity::Duplicate(text.clone()), key.span));
        }
    }
    found
}
