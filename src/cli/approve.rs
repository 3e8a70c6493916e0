//! `skillpick approve`.

use super::{Exit, Failure, Place, open, support};
use crate::inert;
use crate::output::Out;
use crate::output::approvals::{self, ApprovalsDocument};
use crate::runtime::WantedFile;
use crate::text::shortened;
use crate::workspace::approved::RevokeError;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A name, a path or a mention
    #[arg(value_name = "SKILL", required_unless_present_any = ["list", "revoke"])]
    skill: Option<String>,
    /// One of its files, relative to the skill (default: its SKILL.md)
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Approve without asking
    #[arg(long)]
    yes: bool,
    /// Print what was approved, texts and runs, the newest first
    #[arg(long, conflicts_with_all = ["skill", "file", "yes"])]
    list: bool,
    /// Take an approval back, by the first digits of its digest (at least four)
    #[arg(long, value_name = "DIGEST", conflicts_with_all = ["skill", "file", "yes", "list"])]
    revoke: Option<String>,
    /// With --list: print it as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    // clap drops a requirement where what is required cannot go with another option.
    if options.json && !options.list {
        return Err(Failure::failed("--json goes with --list only").coded("usage"));
    }
    match (&options.skill, &options.revoke) {
        (Some(skill), _) => approve(skill, place, options, out),
        (None, Some(digits)) => revoke(digits, place, out),
        (None, None) => list(options.json, place, out),
    }
}

fn list(json: bool, place: &Place, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?;
    let approvals = workspace.approvals().map_err(|error| Failure::failed(error.to_string()))?;
    let document = ApprovalsDocument::of(&approvals);
    if json {
        out.json(&document)?
    } else {
        document.print(out)?
    }
    Ok(Exit::Done)
}

fn revoke(digits: &str, place: &Place, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?;
    let revoked = workspace.revoke(digits).map_err(|error| match error {
        RevokeError::State(error) => Failure::failed(error.to_string()),
        RevokeError::Missing | RevokeError::Several => {
            Failure::missing(error.to_string()).with("skillpick approve --list has them")
        }
    })?;
    for row in &revoked {
        out.say(inert!("no longer approved: {} {}", approvals::word(row.subject), &*row.path));
    }
    Ok(Exit::Done)
}

fn approve(skill: &str, place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, None);
    let file = options.file.as_deref();
    let wanted = WantedFile { skill: Some(skill), path: file.unwrap_or_default() };
    let suspect = caller.suspect(skill, file);
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
