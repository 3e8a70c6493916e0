//! The text for the parser, with the changes that it needs to read what other readers read.

use super::Origin;
use crate::catalog::Place;
use crate::yaml::{Cause, Error, Span};
use memchr::memchr2;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// How far lines are indented: further than any map within the depth limit in practice.
const INDENT: &str = "                                                                ";

/// In bytes. The text may grow to this by indentation.
const GROWN_LIMIT: usize = 128 * 1024;
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text as it is given to the parser.
pub(in crate::catalog::frontmatter) struct Source<'text> {
    pub(super) text: Cow<'text, str>,
    origin: Origin,
    /// The lines, as the parser counts them, that were indented by [`INDENT`].
    indented: BTreeSet<usize>,
    /// The substitutes for characters that the parser refuses or drops and other readers take.
    stand_ins: Vec<(char, char)>,
}

impl<'text> Source<'text> {
    pub(super) fn new(text: &'text str, origin: Origin) -> Self {
        let text = Cow::Borrowed(text);
        let source = Self { text, origin, indented: BTreeSet::new(), stand_ins: Vec::new() };
        match source.text.contains(BYTE_ORDER_MARK) {
            true => source.replacing(|letter| letter == BYTE_ORDER_MARK),
            false => source,
        }
    }

    /// Lets another character stand for each of these.
    pub(super) fn replacing(mut self, is_odd: impl Fn(char) -> bool) -> Self {
        let odd: BTreeSet<char> = self.text.chars().filter(|letter| is_odd(*letter)).collect();
        for letter in odd {
            if let Some(free) = self.stand_in_for(letter) {
                self.text = Cow::Owned(self.text.replace(letter, free.encode_utf8(&mut [0; 4])));
            }
        }
        self
    }

    /// A character that does not occur in the text, to stand for this one.
    fn stand_in_for(&mut self, letter: char) -> Option<char> {
        let is_free = |free: &char| {
            !self.text.contains(*free) && !self.stand_ins.iter().any(|(used, _)| used == free)
        };
        let free = ('\u{e000}'..='\u{f8ff}').find(is_free)?;
        self.stand_ins.push((free, letter));
        Some(free)
    }

    pub(in crate::catalog::frontmatter) fn restored(&self, text: String) -> String {
        let is_stand_in = |(free, _): &&(char, char)| text.contains(*free);
        if !self.stand_ins.iter().any(|it| is_stand_in(&it)) {
            return text;
        }
        let restored = |letter: char| {
            let known = self.stand_ins.iter().find(|(free, _)| *free == letter);
            known.map_or(letter, |(_, letter)| *letter)
        };
        text.chars().map(restored).collect()
    }

    /// Lets the parser keep these blanks, which follow each other.
    pub(super) fn keep(&mut self, blanks: &[Range<usize>]) {
        let (Some(space), Some(tab)) = (self.stand_in_for(' '), self.stand_in_for('\t')) else {
            return;
        };
        let mut kept = String::with_capacity(self.text.len() * 2);
        let mut end = 0;
        for range in blanks {
            kept.push_str(&self.text[end..range.start]);
            let blanks = self.text[range.clone()].chars();
            kept.extend(blanks.map(|blank| if blank == ' ' { space } else { tab }));
            end = range.end;
        }
        kept.push_str(&self.text[end..]);
        self.text = Cow::Owned(kept);
    }

    /// Puts a blank before a comment that stands directly behind a quote or a bracket. Returns
    /// false if there is none.
    pub(super) fn separate(&mut self, error: &Error) -> bool {
        let at = error.span.byte_range().map(|range| range.start);
        let Some(at) = at.filter(|at| self.text[*at..].starts_with('#')) else { return false };
        self.text = Cow::Owned([&self.text[..at], " ", &self.text[at..]].concat());
        true
    }

    /// The place of a token: of its first line, if it has several.
    pub(super) fn place(&self, span: &Span) -> Place {
        let token = span.slice(&self.text).unwrap_or_default();
        let end = memchr2(b'\n', b'\r', token.as_bytes()).unwrap_or(token.len());
        let first = token[..end].trim_end();
        self.at(span.start.line(), span.start.col(), first.chars().count())
    }

    /// The place of the quote within which the text ends, if that is the error.
    pub(super) fn unclosed_quote(&self, error: &Error) -> Option<Place> {
        let text = self.text.as_ref();
        let is_at_end = || {
            let mut below = lines(text).skip(error.span.start.line().saturating_sub(1));
            below.all(|line| line.trim().is_empty())
        };
        let is_unclosed = match error.cause {
            Cause::UnclosedQuote => true,
            Cause::QuotedIndent => is_at_end(),
            _ => false,
        };
        let at = is_unclosed.then(|| opening_quote(text)).flatten()?;
        let (above, before) = text[..at].rsplit_once(['\n', '\r']).unwrap_or(("", &text[..at]));
        let line = if at == before.len() { 1 } else { lines(above).count() + 1 };
        Some(self.at(line, before.chars().count(), 1))
    }

    /// The place of a token with `width` characters that follows `column` characters of a line,
    /// which is counted from 1.
    fn at(&self, line: usize, column: usize, width: usize) -> Place {
        let before = if line == 1 { self.origin.column } else { 0 };
        let inserted = if self.indented.contains(&line) { INDENT.len() } else { 0 };
        Place {
            line: self.origin.line + number(line).saturating_sub(1),
            column: before + number(column.saturating_sub(inserted)) + 1,
            width: number(width).max(1),
        }
    }

    /// Indents a line within quotes, and the lines below it up to a quote that could end the text.
    /// Returns false if that cannot help.
    pub(super) fn indent(&mut self, line: usize) -> bool {
        if self.indented.contains(&line) {
            return false;
        }
        let mut moved = String::with_capacity(self.text.len() * 2);
        let mut within = false;
        for (text, number) in lines(&self.text).zip(1..) {
            within = (within || number == line) && !ends_document(text);
            if within {
                moved.push_str(INDENT);
                self.indented.insert(number);
            }
            moved.push_str(text);
            if moved.len() > GROWN_LIMIT {
                return false;
            }
            within &= !text.contains(['"', '\'']);
        }
        self.text = Cow::Owned(moved);
        self.indented.contains(&line)
    }
}

/// The byte at which the quote stands that is open at the end of a text. It begins a value, and no
/// quote of its kind follows it. If that holds for one of each kind, the second is text within the
/// first.
fn opening_quote(text: &str) -> Option<usize> {
    let begins_value = |at: &usize| {
        let before = text[..*at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with([':', '-', '[', '{', ',', '\n', '\r'])
    };
    ['"', '\''].into_iter().filter_map(|quote| text.rfind(quote).filter(begins_value)).min()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether the line ends a document or starts one.
fn ends_document(line: &str) -> bool {
    let rest = line.strip_prefix("...").or_else(|| line.strip_prefix("---"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
}

/// The lines with their ends: LF, CRLF or a lone CR, as YAML counts them.
pub(in crate::catalog) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .find(['\n', '\r'])
            .map_or(rest.len(), |end| end + if rest[end..].starts_with("\r\n") { 2 } else { 1 });
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}
