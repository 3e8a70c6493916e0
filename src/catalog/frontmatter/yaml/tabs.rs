//! Where libyaml takes a tab for a blank: not everywhere where YAML 1.2 does.

use crate::yaml::{Node, ScalarStyle, Shape};
use std::ops::Range;

/// A scalar that is not empty.
struct Scalar {
    bytes: Range<usize>,
    style: ScalarStyle,
    /// The column from which on its further lines belong to it.
    least: usize,
}

struct Reader<'text> {
    text: &'text str,
    /// In the order of the text.
    scalars: Vec<Scalar>,
    /// Lists and maps in brackets.
    flows: Vec<Range<usize>>,
}

/// Whether every tab of a document stands where libyaml allows one. Outside brackets, it allows
/// none where a key may begin: first on a line, and behind `-`, `?` or `:` there. It also takes
/// none for the indentation of a scalar.
pub(super) fn fit(text: &str, root: &Node) -> bool {
    if !text.contains('\t') {
        return true;
    }
    let mut reader = Reader { text, scalars: Vec::new(), flows: Vec::new() };
    reader.note(root, 0);
    text.match_indices('\t').all(|(tab, _)| reader.fits(tab))
}

impl Reader<'_> {
    /// Notes what stands in a node. Plain text in it goes on from the column `least`.
    fn note(&mut self, node: &Node, least: usize) {
        let Some(bytes) = node.span.byte_range() else { return };
        // What an alias stands for is elsewhere.
        if node.alias {
            return;
        }
        if node.flow {
            self.flows.push(bytes.start..node.end);
        }
        // A list that is not indented has the column of its key, and its place behind the hyphen.
        let is_list = matches!(node.shape, Shape::List(_));
        let is_beside = is_list && !self.text[bytes.start..].starts_with('-');
        let inner = if node.flow || is_beside { least } else { node.span.start.col() + 1 };
        match &node.shape {
            Shape::Scalar(..) if bytes.is_empty() => {}
            Shape::Scalar(_, style) => {
                let least = if is_block(*style) { self.indent(&bytes, node) } else { least };
                self.scalars.push(Scalar { bytes, style: *style, least });
            }
            Shape::List(items) => items.iter().for_each(|item| self.note(item, inner)),
            Shape::Map(pairs) => {
                let nodes = pairs.iter().flat_map(|(key, value)| [key, value]);
                nodes.for_each(|node| self.note(node, inner));
            }
        }
    }

    /// How far the lines of a block scalar are indented. If its header does not say it, its text
    /// may not begin with a tab.
    fn indent(&self, bytes: &Range<usize>, node: &Node) -> usize {
        let header = self.text[..bytes.start].trim_end().rsplit(['\n', '\r']).next();
        let words = header.unwrap_or_default().split([' ', '\t']);
        let words = words.filter(|word| !word.is_empty()).take_while(|word| !word.starts_with('#'));
        let says =
            words.last().is_some_and(|word| word.contains(|sign: char| sign.is_ascii_digit()));
        let is_guessed = !says && self.text[bytes.clone()].starts_with('\t');
        node.span.indent.filter(|_| !is_guessed).unwrap_or(usize::MAX)
    }

    fn fits(&self, tab: usize) -> bool {
        let line = self.text[..tab].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let before = &self.text[line..tab];
        let is_first = before.trim_matches([' ', '\t']).is_empty();
        let count = self.scalars.partition_point(|scalar| scalar.bytes.start <= tab);
        if let Some(Scalar { bytes, style, least }) = self.scalars[..count].last() {
            // The blanks behind plain text are read with it.
            let is_within = match style {
                ScalarStyle::Plain => self.text[bytes.end.min(tab)..tab].trim().is_empty(),
                _ => tab < bytes.end,
            };
            match style {
                ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted if is_within => return true,
                _ if is_within => return !is_first || before.len() >= *least,
                _ if bytes.start >= line => return true,
                _ => {}
            }
        }
        before.starts_with("---")
            || before.contains(|sign| !" \t-?:".contains(sign))
            || self.flows.iter().any(|flow| flow.contains(&tab))
    }
}

fn is_block(style: ScalarStyle) -> bool {
    matches!(style, ScalarStyle::Literal | ScalarStyle::Folded)
}
