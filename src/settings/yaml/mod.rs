//! YAML 1.2, one document, as a [`Tree`]. Adds the places of dashes, colons and absent values,
//! which the parser's events do not have.

pub(super) mod scalar;

use super::commas::Comments;
use super::source::{MAX_DEPTH, syntax};
use super::tree::{DEEP, Item, Pair, Shape, Style, Tree};
use super::{EditError, MAX_BYTES};
use crate::yaml::{self, Cause, Limits, Node, ScalarStyle};
use std::collections::HashMap;
use std::ops::Range;

/// Aliases count as their values, so a file cannot grow by aliases of aliases.
const LIMITS: Limits =
    Limits { depth: MAX_DEPTH, values: 50_000, bytes: 16 * MAX_BYTES, aliases: usize::MAX };

/// Reads a text. A text of blanks and comments is an empty document.
pub(super) fn parse(text: &str) -> Result<Tree, EditError> {
    let document = yaml::read(text, LIMITS);
    if let Some(error) = document.error {
        let message = if error.cause == Cause::Depth { DEEP.to_owned() } else { error.message };
        let start = error.span.start;
        return Err(EditError::Syntax { line: start.line(), column: start.col() + 1, message });
    }
    let mut reader = Reader { text, at: 0, anchors: HashMap::new() };
    let root = document.root.as_ref().map(|root| reader.value(root)).transpose()?;
    // A document that is only `---` is empty too.
    let absent = |tree: &Tree| matches!(tree.shape, Shape::Null) && tree.span.is_empty();
    Ok(root.filter(|tree| !absent(tree)).unwrap_or_else(|| Tree::empty(text.len())))
}

/// Visits the values in the order of the text.
struct Reader<'t> {
    text: &'t str,
    /// The end of the text that was visited.
    at: usize,
    anchors: HashMap<usize, Shape>,
}

impl Reader<'_> {
    fn value(&mut self, node: &Node) -> Result<Tree, EditError> {
        let span = node.span.byte_range().unwrap_or(self.at..self.at);
        if node.alias {
            self.at = self.at.max(span.end);
            let shape = self.anchors.get(&node.anchor).cloned().unwrap_or(Shape::Null);
            return Ok(Tree { span, style: Style::Alias, shape });
        }
        let tree = match &node.shape {
            yaml::Shape::Scalar(value, style) => self.scalar(node, value, *style, span),
            yaml::Shape::List(items) => {
                let start = if node.flow { span.start } else { self.skip_properties(self.at) };
                self.enter(node, start, span.end);
                let item = |item: &Node| {
                    let dash = (!node.flow).then(|| self.pass('-')).flatten();
                    let tree = self.value(item)?;
                    Ok(Item { start: dash.unwrap_or(tree.span.start), tree })
                };
                let items = items.iter().map(item).collect::<Result<_, _>>()?;
                self.leave(node, start, Shape::List(items))
            }
            yaml::Shape::Map(pairs) => {
                self.enter(node, span.start, span.end);
                let pair = |(key, value): &(Node, Node)| {
                    let tree = self.value(key)?;
                    let key = self.key(&tree)?;
                    self.pass(':');
                    Ok(Pair { key, name: tree.span, tree: self.value(value)? })
                };
                let entries = pairs.iter().map(pair).collect::<Result<_, _>>()?;
                self.leave(node, span.start, Shape::Table(entries))
            }
        };
        if node.anchor != 0 {
            self.anchors.insert(node.anchor, tree.shape.clone());
        }
        Ok(tree)
    }

    fn scalar(&mut self, node: &Node, value: &str, style: ScalarStyle, span: Range<usize>) -> Tree {
        let absent = style == ScalarStyle::Plain && span.is_empty();
        let span = match style {
            _ if absent => self.at..self.at,
            ScalarStyle::Literal | ScalarStyle::Folded => self.block_scalar(span),
            _ => span,
        };
        self.at = self.at.max(span.end);
        let shape = match &node.tag {
            Some(tag) if tag.ends_with("str") => Shape::Text(value.to_owned()),
            // The meaning of an unknown tag is unknown, so the value is compared as text.
            Some(tag) => Shape::Text(format!("{tag} {value}")),
            None if style == ScalarStyle::Plain => scalar::resolve(value),
            None => Shape::Text(value.to_owned()),
        };
        Tree { span, style: Style::Flow, shape }
    }

    /// A block scalar, without the trailing blank lines that are not part of it.
    fn block_scalar(&self, span: Range<usize>) -> Range<usize> {
        let rest = &self.text[self.at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let start = (self.at + blanks).min(span.start);
        let raw = &self.text[start..span.end.max(start)];
        let header = raw.lines().next().unwrap_or_default();
        // With `+`, trailing blank lines are part of the value.
        let kept = header.split('#').next().is_some_and(|header| header.contains('+'));
        let body = if kept { raw.strip_suffix('\n').unwrap_or(raw) } else { raw.trim_end() };
        start..start + body.len()
    }

    fn enter(&mut self, node: &Node, start: usize, end: usize) {
        self.at = self.at.max(end);
        if !node.flow {
            self.at = self.at.min(start);
        }
    }

    fn leave(&mut self, node: &Node, start: usize, shape: Shape) -> Tree {
        if node.flow {
            self.at = self.at.max(node.end);
        }
        let style = if node.flow { Style::Flow } else { Style::Block };
        Tree { span: start..self.at.max(start), style, shape }
    }

    fn key(&self, tree: &Tree) -> Result<String, EditError> {
        match &tree.shape {
            Shape::Text(key) | Shape::Number(key) => Ok(key.clone()),
            Shape::Flag(_) | Shape::Null if tree.style == Style::Flow => {
                Ok(self.text[tree.span.clone()].to_owned())
            }
            _ => Err(syntax(self.text, tree.span.start, "a key that is no text")),
        }
    }

    /// Skips a dash or colon, if there is one; returns its offset.
    fn pass(&mut self, mark: char) -> Option<usize> {
        let at = self.skip_properties(self.at);
        self.text[at..].starts_with(mark).then(|| {
            self.at = at + 1;
            at
        })
    }

    /// The offset after blanks, line ends, comments, anchors and tags.
    fn skip_properties(&self, mut at: usize) -> usize {
        loop {
            at = Comments::Hash.skip(self.text, at);
            if !self.text[at..].starts_with(['&', '!']) {
                return at;
            }
            at = self.text[at..]
                .find([' ', '\t', '\r', '\n'])
                .map_or(self.text.len(), |end| at + end);
        }
    }
}
