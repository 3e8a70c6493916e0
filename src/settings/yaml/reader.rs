//! Events into a tree, with the places of dashes, colons and absent values, which the events do not
//! tell.

use super::scalar;
use crate::settings::EditError;
use crate::settings::source::syntax;
use crate::settings::tree::{Entry, Item, Shape, Style, Tree};
use granit_parser::{Event, ScalarStyle, StructureStyle, Tag};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Values in a document, aliases written out; against files that double themselves.
const MAX_VALUES: usize = 200_000;

/// A list or table that is not closed yet.
struct Open {
    start: usize,
    style: Style,
    anchor: usize,
    shape: Shape,
    /// A table's key that waits for its value.
    key: Option<(String, Range<usize>)>,
    /// Where the element of a list starts whose value is being read.
    dash: usize,
}

pub(super) struct Reader<'t> {
    text: &'t str,
    /// The end of what was read.
    at: usize,
    open: Vec<Open>,
    root: Option<Tree>,
    /// Anchored values with the number of values in them.
    anchors: HashMap<usize, (Tree, usize)>,
    values: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, open: Vec::new(), root: None, anchors: HashMap::new(), values: 0 }
    }

    pub(super) fn document(self) -> Tree {
        let end = self.text.len();
        let absent = |tree: &Tree| matches!(tree.shape, Shape::Null) && tree.span.is_empty();
        // A document that is only `---` is as empty as one that is nothing.
        self.root.filter(|tree| !absent(tree)).unwrap_or_else(|| Tree::empty(end))
    }

    pub(super) fn take(&mut self, event: Event<'_>, span: Range<usize>) -> Result<(), EditError> {
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                Err(syntax(self.text, span.start, "a second document begins here"))
            }
            Event::DocumentStart(true, _) => {
                self.at = span.end;
                Ok(())
            }
            Event::Scalar(value, style, anchor, tag) => {
                self.scalar((&value, style, tag), anchor, span)
            }
            Event::SequenceStart(style, anchor, _) => {
                self.begin(style, anchor, Shape::List(Vec::new()), span)
            }
            Event::MappingStart(style, anchor, _) => {
                self.begin(style, anchor, Shape::Table(Vec::new()), span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(id) => self.alias(id, span),
            _ => Ok(()),
        }
    }

    /// Past blanks, line ends and comments.
    fn skip(&self, mut at: usize) -> usize {
        loop {
            at =
                self.text.len() - self.text[at..].trim_start_matches([' ', '\t', '\r', '\n']).len();
            if !self.text[at..].starts_with('#') {
                return at;
            }
            at = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end);
        }
    }

    /// Past an anchor and a tag as well.
    fn skip_properties(&self, mut at: usize) -> usize {
        loop {
            at = self.skip(at);
            if !self.text[at..].starts_with(['&', '!']) {
                return at;
            }
            at = self.text[at..]
                .find([' ', '\t', '\r', '\n'])
                .map_or(self.text.len(), |end| at + end);
        }
    }

    /// A value begins: what stands before it is passed, its dash or its colon.
    fn before(&mut self) -> Result<(), EditError> {
        self.spend(1)?;
        let mark = match self.open.last() {
            Some(open) if matches!(open.shape, Shape::List(_)) && open.style == Style::Block => '-',
            Some(open) if open.key.is_some() => ':',
            _ => return Ok(()),
        };
        let at = self.skip_properties(self.at);
        if self.text[at..].starts_with(mark) {
            self.at = at + 1;
            if let Some(open) = self.open.last_mut() {
                open.dash = at;
            }
        }
        Ok(())
    }

    fn spend(&mut self, values: usize) -> Result<(), EditError> {
        self.values += values;
        if self.values > MAX_VALUES {
            Err(syntax(self.text, self.at, "the file has too many values"))
        } else {
            Ok(())
        }
    }

    fn scalar(
        &mut self,
        (value, style, tag): (&str, ScalarStyle, Option<Cow<'_, Tag>>),
        anchor: usize,
        span: Range<usize>,
    ) -> Result<(), EditError> {
        self.before()?;
        let absent = style == ScalarStyle::Plain && span.is_empty();
        let span = match style {
            _ if absent => self.at..self.at,
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let blanks = self.text[self.at..].len()
                    - self.text[self.at..].trim_start_matches([' ', '\t']).len();
                let start = (self.at + blanks).min(span.start);
                let raw = &self.text[start..span.end.max(start)];
                let header = raw.lines().next().unwrap_or_default();
                // Where blank lines at the end count (`|+`), they are of the value.
                let kept = header.split('#').next().is_some_and(|header| header.contains('+'));
                let body =
                    if kept { raw.strip_suffix('\n').unwrap_or(raw) } else { raw.trim_end() };
                start..start + body.len()
            }
            _ => span,
        };
        self.at = self.at.max(span.end);
        let text = || Shape::Text(if absent { String::new() } else { value.to_owned() });
        let shape = match (style, tag.map(|tag| tag.to_string())) {
            (_, Some(tag)) if tag.ends_with("str") => text(),
            // What a tag of somebody's own makes of it, nobody knows: it is held equal as text.
            (_, Some(tag)) => Shape::Text(format!("{tag} {value}")),
            (ScalarStyle::Plain, None) => scalar::resolve(if absent { "" } else { value }),
            _ => text(),
        };
        self.complete(Tree { span, style: Style::Flow, shape }, (anchor, 1))
    }

    fn begin(
        &mut self,
        style: StructureStyle,
        anchor: usize,
        shape: Shape,
        span: Range<usize>,
    ) -> Result<(), EditError> {
        self.before()?;
        let style = if style == StructureStyle::Flow { Style::Flow } else { Style::Block };
        let start = match shape {
            Shape::List(_) if style == Style::Block => self.skip_properties(self.at),
            _ => span.start,
        };
        self.at = self.at.max(span.end);
        if style == Style::Block {
            self.at = self.at.min(start);
        }
        self.open.push(Open { start, style, anchor, shape, key: None, dash: start });
        Ok(())
    }

    fn end(&mut self, span: Range<usize>) -> Result<(), EditError> {
        let Some(Open { start, style, anchor, shape, .. }) = self.open.pop() else { return Ok(()) };
        if style == Style::Flow {
            self.at = self.at.max(span.end);
        }
        let count = weight(&shape);
        self.complete(Tree { span: start..self.at.max(start), style, shape }, (anchor, count))
    }

    fn alias(&mut self, id: usize, span: Range<usize>) -> Result<(), EditError> {
        self.before()?;
        let Some((tree, count)) = self.anchors.get(&id) else {
            return Err(syntax(
                self.text,
                span.start,
                "the alias stands in the value that it names",
            ));
        };
        let (shape, count) = (tree.shape.clone(), *count);
        self.spend(count)?;
        self.at = self.at.max(span.end);
        self.complete(Tree { span, style: Style::Alias, shape }, (0, count))
    }

    fn complete(&mut self, tree: Tree, (anchor, count): (usize, usize)) -> Result<(), EditError> {
        if anchor != 0 {
            self.anchors.insert(anchor, (tree.clone(), count));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(tree);
            return Ok(());
        };
        match &mut parent.shape {
            Shape::List(items) => {
                let start =
                    if parent.style == Style::Block { parent.dash } else { tree.span.start };
                items.push(Item { start, tree });
            }
            Shape::Table(entries) => match parent.key.take() {
                Some((key, name)) => entries.push(Entry { key, name, tree }),
                None => {
                    let key = match &tree.shape {
                        Shape::Text(key) | Shape::Number(key) => key.clone(),
                        Shape::Flag(_) | Shape::Null if tree.style == Style::Flow => {
                            self.text[tree.span.clone()].to_owned()
                        }
                        _ => {
                            return Err(syntax(
                                self.text,
                                tree.span.start,
                                "a key that is no text",
                            ));
                        }
                    };
                    parent.key = Some((key, tree.span));
                }
            },
            _ => {}
        }
        Ok(())
    }
}

fn weight(shape: &Shape) -> usize {
    let of = |tree: &Tree| weight(&tree.shape);
    1 + match shape {
        Shape::List(items) => items.iter().map(|item| of(&item.tree)).sum::<usize>(),
        Shape::Table(entries) => entries.iter().map(|entry| 1 + of(&entry.tree)).sum(),
        _ => 0,
    }
}
