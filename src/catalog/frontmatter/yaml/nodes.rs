//! The nodes of a document with what stands around them, for the rules of single libraries.

use crate::yaml::{Node, ScalarStyle, Shape};

/// What a node is in its list or map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Root,
    Item,
    /// The first key of a map.
    FirstKey,
    Key,
    Value,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'tree> {
    pub(super) node: &'tree Node,
    pub(super) parent: Option<&'tree Node>,
    pub(super) role: Role,
    /// Whether it stands inside brackets.
    pub(super) in_flow: bool,
    /// The byte at which it starts.
    pub(super) at: usize,
}

/// A document's nodes, parents first. What an alias stands for is not among them once more.
pub(super) fn all(root: &Node) -> Vec<Seen<'_>> {
    let mut seen = Vec::new();
    note(root, None, Role::Root, false, &mut seen);
    seen
}

fn note<'tree>(
    node: &'tree Node,
    parent: Option<&'tree Node>,
    role: Role,
    in_flow: bool,
    seen: &mut Vec<Seen<'tree>>,
) {
    let Some(bytes) = node.span.byte_range() else { return };
    seen.push(Seen { node, parent, role, in_flow, at: bytes.start });
    if node.alias {
        return;
    }
    let is_flow = in_flow || node.flow;
    match &node.shape {
        Shape::Scalar(..) => {}
        Shape::List(items) => {
            items.iter().for_each(|item| note(item, Some(node), Role::Item, is_flow, seen));
        }
        Shape::Map(pairs) => {
            for (index, (key, value)) in pairs.iter().enumerate() {
                let role = if index == 0 { Role::FirstKey } else { Role::Key };
                note(key, Some(node), role, is_flow, seen);
                note(value, Some(node), Role::Value, is_flow, seen);
            }
        }
    }
}

impl Seen<'_> {
    /// Whether it is a list or map without brackets. A list at the column of its key is left out,
    /// since the parser gives it the place behind its hyphen.
    pub(super) fn is_block_collection(&self, text: &str) -> bool {
        let is_open = !self.node.alias && !self.node.flow;
        match self.node.shape {
            Shape::Map(_) => is_open,
            Shape::List(_) => is_open && text[self.at..].starts_with('-'),
            Shape::Scalar(..) => false,
        }
    }

    pub(super) fn is_key(&self) -> bool {
        matches!(self.role, Role::FirstKey | Role::Key)
    }

    /// A key that is not there, before a colon without a question mark.
    pub(super) fn is_missing_key(&self, text: &str) -> bool {
        let is_absent = |node: &Node| match &node.shape {
            Shape::Scalar(text, ScalarStyle::Plain) => {
                text.is_empty() && node.tag.is_none() && node.anchor == 0
            }
            _ => false,
        };
        let before = || text[..self.at].trim_end();
        let is_explicit = || {
            let rest = before().strip_suffix('?');
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '\t', '\n', '\r', '{']))
        };
        self.is_key() && is_absent(self.node) && !is_explicit()
    }

    /// Whether it has a tag or an anchor of its own.
    pub(super) fn has_properties(&self) -> bool {
        self.node.tag.is_some() || (self.node.anchor != 0 && !self.node.alias)
    }

    /// The column of the list or map without brackets in which it stands: that of its keys or
    /// hyphens.
    pub(super) fn outer_column(&self, text: &str) -> Option<usize> {
        let parent = self.parent.filter(|parent| !parent.flow)?;
        let at = parent.span.byte_range()?.start;
        let is_beside = matches!(parent.shape, Shape::List(_)) && !text[at..].starts_with('-');
        let column = parent.span.start.col();
        Some(if is_beside { column.saturating_sub(2) } else { column })
    }

    /// What stands before it on its line, without the blanks directly before it, and those.
    pub(super) fn before<'text>(&self, text: &'text str) -> (&'text str, &'text str) {
        let line = text[..self.at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let before = &text[line..self.at];
        before.split_at(before.trim_end_matches([' ', '\t']).len())
    }

    /// The style and the bytes of a scalar.
    pub(super) fn scalar(&self) -> Option<(ScalarStyle, std::ops::Range<usize>)> {
        match self.node.shape {
            Shape::Scalar(_, style) if !self.node.alias => {
                Some((style, self.node.span.byte_range()?))
            }
            _ => None,
        }
    }
}
