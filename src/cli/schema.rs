//! `skillpick schema`.

use super::failure::{Exit, Failure};
use crate::output::{Out, schema};
use clap::Args;
use clap::builder::PossibleValuesParser;

/// Options of `schema`.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Whose output
    #[arg(value_name = "COMMAND", default_value = "list", value_parser = PossibleValuesParser::new(schema::DOCUMENTS))]
    document: String,
}

pub(super) fn run(options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    // The parser has admitted the word.
    let text = schema::text(&options.document).unwrap_or_default();
    out.exact(text.as_bytes())?;
    Ok(Exit::Done)
}
