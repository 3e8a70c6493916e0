//! The fallback for frontmatter that is not YAML: it is read field by field, and what does not
//! parse counts as plain text.
//!
//! `description: Use this: when…` is the most common mistake. All major agents read such a skill,
//! so its name and description are recovered, and the caller marks it as repaired.

use super::yaml::{self, Origin, Shape, lines};
use super::{Field, Value};
use crate::catalog::Place;

/// The most fields that are tried as YAML.
const PARSED_LIMIT: usize = 256;
/// The most fields that are kept.
pub(super) const FIELD_LIMIT: usize = 5_000;

pub(super) struct Repaired {
    pub(super) fields: Vec<Field>,
    /// How many fields were beyond the limit.
    pub(super) dropped: usize,
    /// Whether a line was taken into a value, or passed over, that may be a field or belong to the
    /// body.
    pub(super) torn: bool,
}

/// A top-level `key:` line and the lines up to the next one.
struct Piece<'text> {
    text: &'text str,
    /// Its line in the file, from 1.
    line: u32,
    /// Blanks before the key, in characters.
    indent: u32,
    key: &'text str,
}

/// Splits `text` at its top-level `key:` lines and reads each piece by itself. It begins on the
/// file's line `line`.
pub(super) fn repair(text: &str, line: u32) -> Repaired {
    let pieces = split(text, line);
    let dropped = pieces.len().saturating_sub(FIELD_LIMIT);
    let is_key = |line: &str| key_of(line.trim_start_matches(' ')).is_some();
    let mut torn = lines(text).take_while(|line| !is_key(line)).any(is_content);
    let fields = pieces.iter().take(FIELD_LIMIT).enumerate();
    let fields = fields.map(|(index, piece)| {
        let parsed = if index < PARSED_LIMIT { parse(piece) } else { None };
        parsed.unwrap_or_else(|| {
            torn |= is_torn(piece);
            plain(piece)
        })
    });
    Repaired { fields: fields.collect(), dropped, torn }
}

/// Whether lines below the key may be no part of its value: they are not indented below it, or look
/// like fields. A name goes on in no further line.
fn is_torn(piece: &Piece<'_>) -> bool {
    let indent = usize::try_from(piece.indent).unwrap_or(usize::MAX);
    lines(piece.text).skip(1).filter(|line| is_content(line)).any(|line| {
        let depth = line.len() - line.trim_start().len();
        piece.key == "name" || depth <= indent || looks_like_field(line)
    })
}

/// Whether a line is neither blank nor a comment.
pub(in crate::catalog) fn is_content(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// Whether a line may be a field, however it is indented, and also with its key in quotes.
pub(in crate::catalog) fn looks_like_field(line: &str) -> bool {
    key_of(&line.trim_start().replace(['"', '\''], "")).is_some()
}

fn split(text: &str, first_line: u32) -> Vec<Piece<'_>> {
    let mut starts: Vec<(usize, u32, u32, &str)> = Vec::new();
    let mut indent = None;
    let mut offset = 0;
    for (line, number) in lines(text).zip(first_line..) {
        let content = line.trim_start_matches(' ');
        let depth = line.len() - content.len();
        if let Some(key) = key_of(content)
            && *indent.get_or_insert(depth) == depth
        {
            starts.push((offset, number, u32::try_from(depth).unwrap_or(u32::MAX), key));
        }
        offset += line.len();
    }
    let ends = starts.iter().skip(1).map(|start| start.0).chain([text.len()]);
    let piece = |(&(start, line, indent, key), end): (&(usize, u32, u32, _), usize)| {
        let text = &text[start..end];
        Piece { text, line, indent, key }
    };
    starts.iter().zip(ends).map(piece).collect()
}

/// The key of a `key:` line: a word of letters, digits, `_`, `-`, `.`, then a colon and a blank or
/// the line's end.
fn key_of(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let word = key.trim_end();
    let good = !word.is_empty()
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (good && !word.starts_with('-') && rest.chars().next().is_none_or(char::is_whitespace))
        .then_some(word)
}

fn parse(piece: &Piece<'_>) -> Option<Field> {
    let parsed = yaml::parse(piece.text, Origin { line: piece.line, column: 0 });
    match parsed.root.map(|node| node.shape) {
        Some(Shape::Mapping(pairs)) if parsed.broken.is_none() && pairs.len() == 1 => {
            yaml::into_fields(pairs).pop()
        }
        _ => None,
    }
}

/// The piece as text: what follows the colon, without quotes around it. Further lines are joined by
/// blanks, or by line ends after a `|`. Comments between them are left out.
fn plain(piece: &Piece<'_>) -> Field {
    let mut all = lines(piece.text).map(|line| line.trim_end_matches(['\n', '\r']));
    let first = all.next().unwrap_or_default();
    let after = first.split_once(':').map_or("", |(_, after)| after);
    let head = after.trim();
    let literal = head.starts_with('|');
    let header = matches!(head.trim_end_matches(['-', '+']), "|" | ">");
    let further = all.map(str::trim).filter(|line| literal || is_content(line));
    let joined = (!header && !head.is_empty())
        .then_some(head)
        .into_iter()
        .chain(further)
        .collect::<Vec<_>>();
    let text = joined.join(if literal { "\n" } else { " " });
    let characters = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let column = characters(first) - characters(after.trim_start()) + 1;
    let key_place =
        Place { line: piece.line, column: piece.indent + 1, width: characters(piece.key).max(1) };
    let value_place = Place { line: piece.line, column, width: characters(head).max(1) };
    let value = Value::Scalar(unquoted(text.trim()).to_owned());
    Field { key: piece.key.to_owned(), key_place, value, value_place }
}

fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(String, String)> {
        repair(text, 2)
            .fields
            .into_iter()
            .map(|field| (field.key, field.value.flow_text()))
            .collect()
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.into(), value.into())
    }

    #[test]
    fn a_broken_field_does_not_break_the_others() {
        let found =
            texts("name: pdf\ndescription: Use this: when\n  it rains: often\nmetadata:\n  a: 1\n");
        let expected = [
            pair("name", "pdf"),
            pair("description", "Use this: when it rains: often"),
            pair("metadata", "{a: 1}"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn quotes_blocks_and_marks_are_taken_literally() {
        assert_eq!(texts("description: \"a \"b\" c\"\n"), [pair("description", "a \"b\" c")]);
        assert_eq!(texts("description: |\n  a\0\n\n  b\n"), [pair("description", "a\0\n\nb")]);
        assert_eq!(texts("description: *all* of it\n"), [pair("description", "*all* of it")]);
        assert_eq!(
            texts("description: @x: y\r\nname: 'a\r\n"),
            [pair("description", "@x: y"), pair("name", "'a")]
        );
    }

    #[test]
    fn places_are_those_of_the_file() {
        let field = repair("x: 1\n\n  \nü-name:   a: b\n", 2).fields.remove(1);
        assert_eq!(field.key_place, Place { line: 5, column: 1, width: 6 });
        assert_eq!(field.value_place, Place { line: 5, column: 11, width: 4 });
    }
}
