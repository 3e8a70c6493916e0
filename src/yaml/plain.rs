//! Reads what most frontmatters are, without the parser: lines `key: value`, and maps of such lines
//! below a key. A first list of skills spent a fifth of its processor time in the parser. What may
//! be anything else is left to it, so there is one answer to every text.

use super::{Document, Limits, Node, ScalarStyle, Shape, Span};
use crate::text::ascii::is_printable_or;
use granit_parser::Marker;

/// The longest key, and the most keys of a map, that are not left to the parser.
const LONGEST_KEY: usize = 64;
const MAX_KEYS: usize = 64;

/// Reads such a document; `None` if it may be another one.
pub(super) fn read(text: &str, limits: Limits) -> Option<Document> {
    let is_readable =
        || is_printable_or(text.as_bytes(), [b'\n'; 2]) || text.chars().all(is_ordinary);
    if text.len() > limits.bytes || !is_readable() {
        return None;
    }
    let mut reader = Reader { text, at: 0, chars: 0, line: 1, left: limits.values };
    let root = reader.map(0, limits.depth)?;
    (reader.at == text.len()).then(|| Document { root: Some(root), ..Document::default() })
}

/// A character that YAML allows everywhere in a line, or a line's end.
fn is_ordinary(character: char) -> bool {
    match character {
        ' '..='~' | '\n' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        _ => matches!(character, '\u{a1}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..),
    }
}

struct Reader<'text> {
    text: &'text str,
    /// Where the next line begins: the byte, the character, and its number.
    at: usize,
    chars: usize,
    line: usize,
    /// How many more values the limit allows.
    left: usize,
}

/// A line `key: value`. The value may be empty.
struct Line<'text> {
    whole: &'text str,
    indent: usize,
    key: &'text str,
    value: &'text str,
}

impl<'text> Reader<'text> {
    /// The next line; `None` if it is of another kind, or the text ends.
    fn peek(&self) -> Option<Line<'text>> {
        let (whole, _) = self.text[self.at..].split_once('\n')?;
        let content = whole.trim_start_matches(' ');
        let (key, value) = content.split_once(':')?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let is_key = key.len() <= LONGEST_KEY
            && key.bytes().all(is_word)
            && key.starts_with(|first: char| first.is_ascii_alphabetic());
        let is_apart = value.is_empty() || value.starts_with(' ');
        (is_key && is_apart).then(|| Line {
            whole,
            indent: whole.len() - content.len(),
            key,
            value: value.trim_matches(' '),
        })
    }

    /// The map that begins here with this indentation.
    fn map(&mut self, indent: usize, depth: usize) -> Option<Node> {
        let start = self.marker(indent, indent);
        let mut pairs: Vec<(Node, Node)> = Vec::new();
        let depth = depth.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        let mut end = self.text.len();
        while self.at < self.text.len() {
            let line = self.peek()?;
            if line.indent < indent {
                end = self.at + line.indent;
                break;
            }
            if line.indent != indent || pairs.len() == MAX_KEYS || has(&pairs, line.key) {
                return None;
            }
            let key = self.key(&line);
            self.left = self.left.checked_sub(1)?;
            let value = if line.value.is_empty() {
                self.advance(&line);
                let below = self.peek().filter(|below| below.indent > indent)?;
                self.map(below.indent, depth)?
            } else {
                let value = self.value(&line)?;
                self.left = self.left.checked_sub(1)?;
                self.advance(&line);
                value
            };
            pairs.push((key, value));
        }
        if pairs.is_empty() {
            return None;
        }
        Some(Node { end, ..node(Span::empty(start), Shape::Map(pairs)) })
    }

    fn key(&self, line: &Line<'_>) -> Node {
        let span = self.span(line.indent, line.key).with_indent(Some(line.indent));
        node(span, Shape::Scalar(line.key.to_owned(), ScalarStyle::Plain))
    }

    /// The value in a line; `None` if it may not be text of this line alone.
    fn value(&self, line: &Line<'_>) -> Option<Node> {
        let (text, style) = match line.value.as_bytes() {
            [b'"', inner @ .., b'"'] if !inner.iter().any(|byte| matches!(byte, b'"' | b'\\')) => {
                (&line.value[1..=inner.len()], ScalarStyle::DoubleQuoted)
            }
            [b'\'', inner @ .., b'\''] if !inner.contains(&b'\'') => {
                (&line.value[1..=inner.len()], ScalarStyle::SingleQuoted)
            }
            [first, ..] if first.is_ascii_alphanumeric() => {
                let ends = line.value.contains(": ") || line.value.contains(" #");
                (line.value, (!ends && !line.value.ends_with(':')).then_some(ScalarStyle::Plain)?)
            }
            _ => return None,
        };
        let before = line.whole.trim_end_matches(' ').len() - line.value.len();
        Some(node(self.span(before, line.value), Shape::Scalar(text.to_owned(), style)))
    }

    fn advance(&mut self, line: &Line<'_>) {
        self.at += line.whole.len() + 1;
        self.chars += line.whole.chars().count() + 1;
        self.line += 1;
    }

    /// A place in the next line: so many bytes and characters after its beginning.
    fn marker(&self, bytes: usize, chars: usize) -> Marker {
        Marker::new(self.chars + chars, self.line, chars).with_byte_offset(Some(self.at + bytes))
    }

    /// A token in the next line, after so many ASCII characters.
    fn span(&self, before: usize, token: &str) -> Span {
        let end = self.marker(before + token.len(), before + token.chars().count());
        Span::new(self.marker(before, before), end)
    }
}

fn has(pairs: &[(Node, Node)], key: &str) -> bool {
    pairs.iter().any(|(known, _)| matches!(&known.shape, Shape::Scalar(text, _) if text == key))
}

/// A node without anchor, tag and brackets.
fn node(span: Span, shape: Shape) -> Node {
    let end = span.byte_range().map_or(0, |range| range.end);
    Node { span, end, anchor: 0, alias: false, flow: false, tag: None, shape }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use proptest::prelude::*;

    const LIMITS: Limits = Limits { depth: 32, values: 5_000, bytes: 256 * 1024, aliases: 100 };

    /// What lines are made of, and what must be left to the parser.
    const PIECES: &[&str] = &[
        "a: b\n",
        "name: x-y\n",
        "m:\n",
        "  k: v\n",
        "  k: v\n",
        " n: 1\n",
        "    d: e\n",
        "key",
        "b1",
        ": ",
        ":",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\"",
        "'",
        "# c",
        " #",
        "é",
        "😀",
        "\\",
        "- ",
        "-",
        "---",
        "...",
        "|",
        ">-",
        "{",
        "[",
        "]",
        ",",
        "&a ",
        "*a",
        "!t ",
        "%",
        "@",
        "`",
        "? ",
        "~",
        "null",
        "<<",
        "\t",
        "\r",
        "\0",
        "\u{7f}",
        "\u{85}",
        "\u{a0}",
        "\u{ad}",
        "\u{200b}",
        "\u{2028}",
        "\u{feff}",
        "\u{fffe}",
        "\u{e000}",
    ];

    fn document(text: &str, limits: Limits) -> String {
        format!("{:?}", parse(text, limits))
    }

    #[test]
    fn what_most_frontmatters_are_is_read_as_the_parser_reads_it() {
        for text in [
            "a: b\n",
            "name: pdf\ndescription: \"Fills forms: all of them # really\"  \n",
            "description:   It's \"so\" - isn't it,#1 & *all*, {no} [list] ü😀\n",
            "empty: ''\nquoted: ' a \"b\" '\n",
            "metadata:\n  author: e é\n  version: '1.0'\nlicense: MIT\n",
            "a:\n b:\n  c:\n   d: e\n f: g\nh: i\n",
        ] {
            let read = read(text, LIMITS).unwrap_or_else(|| panic!("left to the parser: {text}"));
            assert_eq!(format!("{read:?}"), document(text, LIMITS), "{text}");
        }
    }

    #[test]
    fn what_may_be_anything_else_is_left_to_the_parser() {
        for text in [
            "",
            "\n",
            "a: b",
            "a:\n",
            "a: b\n c\n",
            "a: b\n  c: d\n",
            "a:b\n",
            "a: b: c\n",
            "a: b:\n",
            "a: b #c\n",
            "a: *b\n",
            "a: \"b\\n\"\n",
            "a: 'b''c'\n",
            "a: 'b' c\n",
            "a: \"b\n",
            "- a\n",
            "a: b\na: c\n",
            "a:\n    b: c\n  d: e\n",
            " a: b\nc: d\n",
            "a: b\r\n",
            "a:\tb\n",
            "a: \u{85}\n",
            "a: b\n---\n",
            "? a\n",
            "<<: b\n",
            "# c\na: b\n",
        ] {
            assert!(read(text, LIMITS).is_none(), "{text:?}");
        }
        let deep = "a:\n a:\n  a: b\n";
        assert!(read(deep, Limits { depth: 3, ..LIMITS }).is_some());
        assert!(read(deep, Limits { depth: 2, ..LIMITS }).is_none());
        assert!(read(deep, Limits { values: 7, ..LIMITS }).is_some());
        assert!(read(deep, Limits { values: 6, ..LIMITS }).is_none());
    }

    proptest! {
        #[test]
        fn no_text_is_read_in_another_way_than_by_the_parser(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 1..16),
            (depth, values) in (1_usize..5, 1_usize..20),
        ) {
            let text = pieces.concat();
            for limits in [LIMITS, Limits { depth, values, ..LIMITS }] {
                if let Some(read) = read(&text, limits) {
                    prop_assert_eq!(format!("{:?}", read), document(&text, limits));
                }
            }
        }
    }
}
