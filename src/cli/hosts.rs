//! `skillpick hosts`.

use super::{Exit, Failure, Place, open};
use crate::output::Out;
use crate::output::hosts::{self, HostsDocument};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// List every known agent, not only those on this machine
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?.reading_bodies();
    let named = place.named_host();
    let found = match named {
        Some(word) => workspace.survey_named(word).into_iter().collect(),
        None => workspace.survey(options.all),
    };
    if options.json {
        out.json(&HostsDocument::of(&found))?;
        return Ok(Exit::Done);
    }
    hosts::print(out, &found)?;
    if named.is_none() && !options.all && found.iter().all(|survey| survey.installed.is_none()) {
        out.say(
            "no agent was found on this machine; to list all known agents: skillpick hosts --all",
        );
    }
    Ok(Exit::Done)
}
