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
    let mut found = workspace.survey(options.all || named.is_some());
    if let Some(word) = named {
        found.retain(|survey| survey.host.id.word() == word);
    }
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
