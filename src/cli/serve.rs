//! `skillpick serve`.

use super::{Exit, Failure, Place, open};
use crate::inert;
use crate::output::Out;
use crate::runtime::dialect::Dialect;
use crate::serve;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::io;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The names and shapes of the tools, and the host if --host names none [default: our own]
    #[arg(long, value_name = "DIALECT",
          value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::word)))]
    dialect: Option<String>,
    /// Continue the conversation with this id, and remember it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Loading an unchanged skill again is an error
    #[arg(long)]
    strict: bool,
    /// Give answers as data too, and their schemas: for programs, since a model reads a text twice
    #[arg(long)]
    structured: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let dialect = options.dialect.as_deref().and_then(Dialect::from_word);
    let place = place.through(dialect.and_then(Dialect::host));
    let workspace = open::checked(&place, &[], out)?;
    let options = serve::Options {
        dialect: dialect.unwrap_or_default(),
        session: options.session.clone(),
        strict: options.strict,
        structured: options.structured,
    };
    let served =
        Out::apart().and_then(|output| serve::serve(workspace, options, io::stdin(), output));
    let signal = served.map_err(|error| {
        Failure::failed(inert!("the server cannot be started: {}", error.to_string()))
    })?;
    Ok(signal.map_or(Exit::Done, Exit::Signal))
}
