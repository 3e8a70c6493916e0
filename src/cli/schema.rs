//! `skillpick schema`.

use super::{Exit, Failure};
use crate::output::{Out, schema};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The command or document
    #[arg(value_name = "COMMAND", default_value = "list", value_parser = documents())]
    document: String,
}

fn documents() -> PossibleValuesParser {
    let of =
        |document: &'static str| schema::ALSO.iter().filter(move |(_, other)| *other == document);
    let value =
        |document| PossibleValue::new(document).aliases(of(document).map(|(command, _)| *command));
    PossibleValuesParser::new(schema::documents().map(value))
}

pub(super) fn run(options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    // The parser accepts only names of documents.
    let text = schema::text(&options.document).unwrap_or_default();
    out.exact(text.as_bytes())?;
    Ok(Exit::Done)
}
