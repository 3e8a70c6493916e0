//! A skill file in pieces: where each field of its frontmatter begins and ends, and how a value is
//! written there.

use crate::catalog::frontmatter::{self, Field, Frontmatter, Reading, Value, cut, lines};
use crate::catalog::validate::fields;
use std::ops::Range;

/// A skill file whose frontmatter is to be changed, as valid UTF-8.
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    /// The name of its folder.
    pub(super) directory: &'a str,
    pub(super) reading: Reading,
    /// The length of the byte order mark.
    pub(super) mark: usize,
    /// The YAML between the two lines `---`; `None` without closed frontmatter.
    pub(super) yaml: Option<Range<usize>>,
    /// The line end of the file's first line.
    pub(super) end: &'static str,
}

/// A field with its lines.
pub(super) struct Piece<'a> {
    pub(super) field: &'a Field,
    /// In the file: whole lines, without the blank lines and comments that follow.
    pub(super) range: Range<usize>,
}

impl<'a> Page<'a> {
    /// `None` if the file is not UTF-8: what its bytes mean is then a guess.
    pub(super) fn of(bytes: &'a [u8], directory: &'a str) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let parts = cut(bytes);
        let yaml = match parts.frontmatter {
            Frontmatter::Closed { yaml, .. } => Some(yaml),
            _ => None,
        };
        let first = lines(text).next().unwrap_or_default();
        let end = ["\r\n", "\r"].into_iter().find(|end| first.ends_with(end)).unwrap_or("\n");
        let (reading, mark) = (frontmatter::read(bytes), parts.mark);
        Some(Self { text, directory, reading, mark, yaml, end })
    }

    pub(super) fn body(&self) -> &'a str {
        &self.text[self.reading.body.max(self.mark)..]
    }

    /// The fields with their lines, in file order; `None` if a line holds several fields.
    pub(super) fn pieces(&self) -> Option<Vec<Piece<'_>>> {
        let yaml = self.yaml.clone()?;
        let mut starts = vec![yaml.start];
        for line in lines(&self.text[yaml.clone()]) {
            starts.push(starts.last()? + line.len());
        }
        // The YAML begins on the file's second line.
        let index = |field: &Field| usize::try_from(field.key_place.line).ok()?.checked_sub(2);
        let fields = &self.reading.fields;
        let at: Vec<usize> = fields.iter().map(index).collect::<Option<_>>()?;
        let alike = fields.iter().all(|one| one.key_place.column == fields[0].key_place.column);
        if !alike || at.windows(2).any(|two| two[0] >= two[1]) {
            return None;
        }
        let ends = at.iter().skip(1).copied().chain([starts.len() - 1]);
        let piece = |((field, &from), to): ((_, &usize), usize)| {
            let is_kept = |line: &usize| {
                let line = self.text[starts[*line]..starts[*line + 1]].trim_end();
                !line.is_empty() && !line.starts_with('#')
            };
            let last = (from..to).rev().find(is_kept)?;
            Some(Piece { field, range: starts[from]..starts[last + 1] })
        };
        fields.iter().zip(&at).zip(ends).map(piece).collect()
    }

    /// The comments that stand directly above a field and are indented as it is: its explanation.
    pub(super) fn comments(&self, piece: &Piece<'_>) -> Range<usize> {
        let (end, outer) = (piece.range.start, self.indent());
        let above: Vec<&str> =
            lines(&self.text[self.yaml.clone().unwrap_or_default().start..end]).collect();
        let is_comment =
            |line: &&&str| line.strip_prefix(&outer).is_some_and(|line| line.starts_with('#'));
        let length: usize = above.iter().rev().take_while(is_comment).map(|line| line.len()).sum();
        end - length..end
    }

    /// The lines of the field that counts for this key.
    pub(super) fn piece(&self, key: &str) -> Option<Piece<'_>> {
        self.pieces()?.into_iter().rfind(|piece| piece.field.key == key)
    }

    /// Whether a field is there under another spelling of its key.
    pub(super) fn has_other_spelling(&self, key: &str) -> bool {
        self.reading.fields.iter().any(|field| fields::meant(&field.key) == Some(key))
    }

    /// How far the fields are indented.
    pub(super) fn indent(&self) -> String {
        let column = self.reading.fields.first().map_or(1, |field| field.key_place.column);
        " ".repeat(usize::try_from(column.saturating_sub(1)).unwrap_or_default())
    }

    /// The file with a new value for a field: only the value is replaced if it is on one line.
    pub(super) fn with_value(&self, key: &str, value: &str) -> Option<Vec<u8>> {
        let piece = self.piece(key)?;
        let value = scalar(value)?;
        Some(self.with(&[self.replaced(&piece, &value)?]))
    }

    /// The edit that gives a field this value, which is written YAML.
    pub(super) fn replaced(
        &self,
        piece: &Piece<'_>,
        value: &str,
    ) -> Option<(Range<usize>, String)> {
        let text = &self.text[piece.range.clone()];
        let Field { key_place, value_place, value: old, .. } = piece.field;
        let is_written = old.text().is_some_and(|old| !old.is_empty());
        if lines(text).count() == 1 && value_place.line == key_place.line && is_written {
            let place = |column: u32| {
                let column = usize::try_from(column).ok()?.checked_sub(1)?;
                let at = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(column)?;
                Some(piece.range.start + at)
            };
            let range = place(value_place.column)?..place(value_place.column + value_place.width)?;
            return Some((range, value.to_owned()));
        }
        // A comment would be lost.
        if text.contains(" #") {
            return None;
        }
        let key = text.split_once(':')?.0;
        Some((piece.range.clone(), format!("{key}: {value}{}", self.end)))
    }

    /// The text with these parts replaced, which are in order and do not overlap.
    pub(super) fn with(&self, edits: &[(Range<usize>, String)]) -> Vec<u8> {
        let mut made = String::with_capacity(self.text.len() + 256);
        let mut from = 0;
        for (range, new) in edits {
            made.push_str(&self.text[from..range.start]);
            made.push_str(new);
            from = range.end;
        }
        made.push_str(&self.text[from..]);
        made.into_bytes()
    }
}

/// Text as YAML on one line: plain if no reader can take it for anything else, otherwise in quotes.
/// `None` if it has line ends or other control characters.
pub(super) fn scalar(text: &str) -> Option<String> {
    if text.is_empty() || text.chars().any(char::is_control) {
        return None;
    }
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let plain = text.starts_with(char::is_alphabetic)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !words.contains(&text.to_ascii_lowercase().as_str());
    Some(match text {
        _ if plain => text.to_owned(),
        _ if text.contains(['"', '\\']) => format!("'{}'", text.replace('\'', "''")),
        _ => format!("\"{text}\""),
    })
}

/// A quote that nothing closes, and the text behind it, if that can stand between two such quotes
/// as it is.
pub(super) fn unclosed(text: &str) -> Option<(char, &str)> {
    let quote = text.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let behind = &text[1..];
    let is_literal = quote == '\'' || !behind.contains('\\');
    (!behind.contains(quote) && !behind.trim().is_empty() && is_literal).then_some((quote, behind))
}

/// A list of texts as one text, `a, b`; `None` if that could be read in another way.
pub(in crate::catalog) fn joined(value: &Value) -> Option<String> {
    let Value::Sequence(items) = value else { return None };
    let texts: Vec<&str> = items.iter().map(Value::text).collect::<Option<_>>()?;
    let good = |text: &&str| !text.is_empty() && !text.contains(',') && text.trim() == *text;
    (!texts.is_empty() && texts.iter().all(good)).then(|| texts.join(", "))
}
