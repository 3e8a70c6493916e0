//! The text as it is given to the parser, with the changes that let it read what other readers read.

use super::Origin;
use std::borrow::Cow;

/// By how much: more than any map that the depth limit lets through in practice.
pub(super) const INDENT: &str = "                                                                ";

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text as it is given to the parser.
pub(super) struct Source<'text> {
    pub(super) text: Cow<'text, str>,
    pub(super) origin: Origin,
    /// The lines, as the parser counts them, that were indented by [`INDENT`].
    pub(super) indented: Vec<usize>,
    /// What stands for a byte order mark within the text, which the parser refuses and readers of YAML 1.1 let pass.
    stand_in: Option<char>,
}

impl<'text> Source<'text> {
    pub(super) fn new(text: &'text str, origin: Origin) -> Self {
        let mut source = Self { text: Cow::Borrowed(text), origin, indented: Vec::new(), stand_in: None };
        if text.contains(BYTE_ORDER_MARK) {
            source.stand_in = ('\u{e000}'..='\u{f8ff}').find(|&free| !text.contains(free));
        }
        if let Some(free) = source.stand_in {
            source.text = Cow::Owned(text.replace(BYTE_ORDER_MARK, free.encode_utf8(&mut [0; 4])));
        }
        source
    }

    /// A scalar as it was in the file.
    pub(super) fn restored(&self, text: Cow<'_, str>) -> String {
        match self.stand_in {
            Some(stand_in) if text.contains(stand_in) => text.replace(stand_in, "\u{feff}"),
            _ => text.into_owned(),
        }
    }

    /// Whether the line, as the parser counts, is the end of a document or the start of one.
    pub(super) fn ends_document(&self, line: usize) -> bool {
        let start = self.line_start(line).unwrap_or(self.text.len());
        let rest = &self.text[start..];
        let marker = rest.strip_prefix("...").or_else(|| rest.strip_prefix("---"));
        marker.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
    }

    /// Moves the line to the right.
    pub(super) fn indent(&mut self, line: usize) {
        if let Some(start) = self.line_start(line) {
            self.text.to_mut().insert_str(start, INDENT);
        }
        self.indented.push(line);
    }

    fn line_start(&self, line: usize) -> Option<usize> {
        let ends = self.text.match_indices(['\n', '\r']).map(|(end, _)| end);
        let ends = ends.filter(|&end| !self.text[end..].starts_with("\r\n"));
        std::iter::once(0).chain(ends.map(|end| end + 1)).nth(line.saturating_sub(1))
    }
}
