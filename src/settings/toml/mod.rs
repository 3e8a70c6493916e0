//! TOML: parsed by `toml_edit` for the places of things, changed by cutting and pasting at those places.
//!
//! The document is never printed back from a tree, so what is not edited cannot change. After each edit the text is
//! parsed again, and must mean exactly what the old text with the edit means ([`meaning`]).

mod comma;
mod lines;
mod meaning;
mod place;
mod render;
mod splice;

#[cfg(test)]
mod tests;

use super::{Edit, EditError, MAX_BYTES};
use meaning::Meaning;
use toml_edit::Document;

const BOM: &str = "\u{feff}";

/// A parsed settings file: the reader's and the writer's one parser (S2).
#[derive(Debug)]
pub struct Parsed {
    /// The document. Its spans count bytes of [`Parsed::text`].
    pub document: Document<String>,
    /// Whether the file began with a byte order mark, which is not in the text.
    pub marked: bool,
}

impl Parsed {
    /// The text without its byte order mark.
    pub fn text(&self) -> &str {
        self.document.raw()
    }

    /// Line and column of a byte of the text, both from 1; the column counts characters.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        place_of(self.text(), offset)
    }
}

/// Reads a settings file. Errors: [`EditError::TooLarge`], [`EditError::NotUtf8`], [`EditError::Syntax`].
pub fn parse(bytes: &[u8]) -> Result<Parsed, EditError> {
    if bytes.len() > MAX_BYTES {
        return Err(EditError::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| EditError::NotUtf8 {
        line: 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count(),
    })?;
    let (marked, text) = text.strip_prefix(BOM).map_or((false, text), |rest| (true, rest));
    let document = Document::parse(text.to_owned()).map_err(|error| {
        let (line, column) = place_of(text, error.span().map_or(0, |span| span.start));
        EditError::Syntax { line, column, message: error.message().to_owned() }
    })?;
    Ok(Parsed { document, marked })
}

fn place_of(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count())
}

pub(super) fn apply(old: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let parsed = parse(old)?;
    let marked = parsed.marked;
    let mut text = parsed.text().to_owned();
    for edit in edits {
        text = apply_one(text, edit)?;
    }
    let mut bytes = if marked { BOM.as_bytes().to_vec() } else { Vec::new() };
    bytes.extend_from_slice(text.as_bytes());
    if bytes.len() > MAX_BYTES { Err(EditError::TooLarge) } else { Ok(bytes) }
}

fn apply_one(text: String, edit: &Edit) -> Result<String, EditError> {
    let parsed = parse(text.as_bytes())?;
    let old = Meaning::of_document(&parsed.document);
    let mut wanted = old.clone();
    wanted.edit(edit)?;
    if wanted == old {
        return Ok(text);
    }
    let changed = splice::changed(&parsed.document, edit, &old)?;
    let found = parse(changed.as_bytes()).map_err(|error| match error {
        EditError::TooLarge => error,
        _ => EditError::SideEffect,
    })?;
    let mut got = Meaning::of_document(&found.document);
    // A list of tables without tables cannot be written in TOML, nor can a table that only held it.
    for meaning in [&mut wanted, &mut got] {
        meaning.prune(edit.path());
    }
    if wanted == got { Ok(changed) } else { Err(EditError::SideEffect) }
}

impl Edit {
    /// The path of the table or list that is edited.
    fn path(&self) -> &[String] {
        match self {
            Self::Set { table, .. } | Self::Remove { table, .. } => table,
            Self::PushTable { array, .. }
            | Self::SetElement { array, .. }
            | Self::RemoveElement { array, .. }
            | Self::PushElement { array, .. }
            | Self::RemoveValue { array, .. } => array,
        }
    }
}
