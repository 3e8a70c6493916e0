//! Events into nodes, under the budget.

use super::source::{INDENT, Source};
use super::{Broken, Cause, DEPTH_LIMIT, Node, Oddity, Shape};
use crate::catalog::Place;
use granit_parser::{ErrorKind, Event, Marker, ScalarStyle, ScanError, Span, StructureStyle};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Scalars, lists and maps, aliases expanded.
const NODE_LIMIT: usize = 5_000;
/// Bytes of all scalars, aliases expanded.
const TEXT_LIMIT: usize = 256 * 1024;
/// Anchors and aliases together.
const ALIAS_LIMIT: usize = 100;

/// A list or map that is not closed yet.
struct Open {
    place: Place,
    anchor: usize,
    shape: Shape,
    /// A map's key that waits for its value.
    key: Option<Node>,
}

pub(super) struct Reader<'source> {
    source: &'source Source<'source>,
    open: Vec<Open>,
    pub(super) root: Option<Node>,
    anchors: HashMap<usize, Node>,
    pub(super) oddities: Vec<(Oddity, Place)>,
    /// The bytes of quotes, block scalars and comments, where tabs may stand; gathered only if
    /// there are tabs.
    free: Vec<Range<usize>>,
    nodes: usize,
    bytes: usize,
    aliases: usize,
}

impl<'source> Reader<'source> {
    pub(super) fn new(source: &'source Source<'source>) -> Self {
        let (open, root, anchors, oddities) = (Vec::new(), None, HashMap::new(), Vec::new());
        Self {
            source,
            open,
            root,
            anchors,
            oddities,
            free: Vec::new(),
            nodes: 0,
            bytes: 0,
            aliases: 0,
        }
    }

    pub(super) fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Broken> {
        if let Some(tag) = span.tag_span() {
            let place = self.place(&tag);
            self.oddities.push((Oddity::Tag, place));
        }
        match event {
            Event::Comment(..) => self.free.extend(span.byte_range()),
            Event::Scalar(text, style, anchor, _) => {
                self.spend(span, (1, text.len(), 0))?;
                if style != ScalarStyle::Plain {
                    self.free.extend(span.byte_range());
                }
                // The parser says `~` where nothing is written.
                let absent = style == ScalarStyle::Plain && span.is_empty();
                let text = if absent { String::new() } else { self.source.restored(text) };
                let node = Node { place: self.place(span), shape: Shape::Scalar(text) };
                self.complete(node, anchor);
            }
            Event::SequenceStart(style, anchor, _) => {
                self.begin(span, style, anchor, Shape::Sequence(Vec::new()))?
            }
            Event::MappingStart(style, anchor, _) => {
                self.begin(span, style, anchor, Shape::Mapping(Vec::new()))?
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Anchor(..) => {
                self.spend_alias(span)?;
                let place = self.place(span);
                self.oddities.push((Oddity::Anchor, place));
            }
            Event::Alias(id) => self.alias(id, span)?,
            Event::DocumentStart(..) if self.root.is_some() => {
                return Err(self.broken(
                    span,
                    Cause::Syntax,
                    "a second document begins here".into(),
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(
        &mut self,
        span: &Span,
        style: StructureStyle,
        anchor: usize,
        shape: Shape,
    ) -> Result<(), Broken> {
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
            return Err(self.broken(
                span,
                Cause::Syntax,
                "the alias refers to the value in which it stands".into(),
            ));
        };
        self.spend(span, weight)?;
        if let Some(node) = self.anchors.get(&id) {
            let shape = node.shape.clone();
            self.complete(Node { place, shape }, 0);
        }
        Ok(())
    }

    fn spend(
        &mut self,
        span: &Span,
        (nodes, bytes, depth): (usize, usize, usize),
    ) -> Result<(), Broken> {
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
        Err(self.broken(
            span,
            Cause::Budget,
            format!("the YAML has more than {ALIAS_LIMIT} anchors and aliases"),
        ))
    }

    fn broken(&self, span: &Span, cause: Cause, message: String) -> Broken {
        Broken { place: self.place(span), message, cause }
    }

    pub(super) fn scan_error(&self, error: &ScanError) -> Broken {
        let cause = match error.kind() {
            ErrorKind::RecursionLimitExceeded => Cause::Budget,
            ErrorKind::UnknownAnchor => Cause::UnknownAlias,
            _ => Cause::Syntax,
        };
        let message = match cause {
            Cause::Budget => format!("the YAML is nested more than {DEPTH_LIMIT} deep"),
            Cause::UnknownAlias => {
                "a value that begins with * is an alias, and there is no such anchor".to_owned()
            }
            Cause::Syntax => explained(error),
        };
        Broken { place: self.at(*error.marker(), 1), message, cause }
    }

    /// Notes the first tab between tokens or in a plain scalar.
    pub(super) fn find_tab(&mut self) {
        let text = &self.source.text;
        let tabs = text.match_indices('\t').map(|(index, _)| index);
        let mut free = self.free.iter().peekable();
        for tab in tabs {
            while free.next_if(|range| range.end <= tab).is_some() {}
            if free.peek().is_none_or(|range| range.start > tab) {
                let before = text[..tab].rsplit(['\n', '\r']).next().unwrap_or_default();
                let line = text[..tab].replace("\r\n", "\n").matches(['\n', '\r']).count() + 1;
                let place = self.at(Marker::new(tab, line, before.chars().count()), 1);
                return self.oddities.push((Oddity::Tab, place));
            }
        }
    }

    /// The place of a token: of its first line, if it has several.
    fn place(&self, span: &Span) -> Place {
        let token = span.slice(&self.source.text).unwrap_or_default();
        let first = token.split(['\n', '\r']).next().unwrap_or_default().trim_end();
        self.at(span.start, first.chars().count())
    }

    fn at(&self, marker: Marker, width: usize) -> Place {
        let origin = self.source.origin;
        let before = if marker.line() == 1 { origin.column } else { 0 };
        let inserted = if self.source.indented.contains(&marker.line()) { INDENT.len() } else { 0 };
        Place {
            line: origin.line + number(marker.line()).saturating_sub(1),
            column: before + number(marker.col().saturating_sub(inserted)) + 1,
            width: number(width).max(1),
        }
    }
}

/// The usual mistakes in words of their own, all others in the parser's.
fn explained(error: &ScanError) -> String {
    match error.kind() {
        ErrorKind::MappingValueNotAllowed => {
            "a colon and a blank stand within an unquoted value".to_owned()
        }
        ErrorKind::UnclosedQuotedScalar => "a quote is not closed".to_owned(),
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "text follows the closing quote".to_owned()
        }
        ErrorKind::SimpleKeyExpected => "a line is neither `key: value` nor indented".to_owned(),
        _ => error.info(),
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
