//! YAML 1.2, one document, read by `granit-parser` into a [`Tree`](super::tree::Tree).

pub(super) mod reader;
pub(super) mod scalar;

use super::EditError;
use super::source::{MAX_DEPTH, syntax};
use super::tree::Tree;
use granit_parser::{ErrorKind, Parser, options};

/// Reads a text; nothing but blanks and comments is an empty document.
pub(super) fn parse(text: &str) -> Result<Tree, EditError> {
    let options = options! {
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut reader = reader::Reader::new(text);
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| {
            let message = match error.kind() {
                ErrorKind::RecursionLimitExceeded => "the values are nested too deep".to_owned(),
                ErrorKind::UnknownAnchor => "an alias of an anchor that is not there".to_owned(),
                _ => error.info().to_string(),
            };
            let marker = error.marker();
            EditError::Syntax { line: marker.line(), column: marker.col() + 1, message }
        })?;
        let range = span.byte_range().ok_or_else(|| syntax(text, 0, "a place is missing"))?;
        reader.take(event, range)?;
    }
    Ok(reader.document())
}
