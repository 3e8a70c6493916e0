//! `skillpick approve`.

use super::{Exit, Failure, Place, open, support};
use crate::inert;
use crate::output::Out;
use crate::runtime::WantedFile;
use crate::text::shortened;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A name, a path or a mention
    #[arg(value_name = "SKILL")]
    skill: String,
    /// One of its files, relative to the skill (default: its SKILL.md)
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Approve without asking
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, None);
    let file = options.file.as_deref();
    let wanted = WantedFile { skill: Some(&options.skill), path: file.unwrap_or_default() };
    let suspect = caller.suspect(&options.skill, file);
    let suspect = suspect.map_err(|error| caller.file_refusal(&error, wanted))?;
    if !suspect.hidden.any() {
        out.say(inert!(
            "{} {}: nothing is hidden, so there is nothing to approve",
            suspect.skill.name,
            suspect.file
        ));
        return Ok(Exit::Done);
    }
    let mut lines =
        vec![inert!("{} {} hides {}:", suspect.skill.name, suspect.file, suspect.hidden.words())];
    // Several skills may have this name, and the same file.
    let file = suspect.skill.place_of(&suspect.file);
    lines.push(inert!("in {}", shortened(&file, workspace.context.home.as_deref())));
    lines.extend(suspect.shown.iter().cloned());
    if !options.yes {
        let question = "Let models read exactly this text? [y/N]";
        let refused = support::Refused {
            no: "not approved",
            unasked: "not approved; to approve it without a terminal: --yes",
        };
        support::agreed(lines, question, "refused", &refused)?;
    }
    caller.approve(&suspect).map_err(|error| Failure::failed(error.to_string()))?;
    out.say(inert!(
        "approved: {} {} (sha256:{})",
        suspect.skill.name,
        suspect.file,
        suspect.digest.to_string()
    ));
    Ok(Exit::Done)
}
