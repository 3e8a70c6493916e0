//! `skillpick share`, `unshare`.

use super::choice::{Choices, one_of};
use super::{Exit, Failure, Place, open, support, target};
use crate::catalog::Scope;
use crate::inert;
use crate::output::Out;
use crate::output::share::{self, ShareDocument};
use crate::text::SafeText;
use crate::workspace::{How, ShareError, ShareRequest, Workspace};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A name, a path or a mention; searched for in every agent's view, unless --host names one
    #[arg(value_name = "SKILL")]
    skill: String,
    /// The agent that will see the skill
    #[arg(long, value_name = "HOST")]
    to: String,
    /// Make a relative link (the default)
    #[arg(long, conflicts_with = "copy")]
    link: bool,
    /// Copy the skill's directory
    #[arg(long)]
    copy: bool,
    #[command(flatten)]
    change: Change,
}

#[derive(Debug, Args)]
pub(super) struct Back {
    /// A name, or a path of the skill, the link or the copy
    #[arg(value_name = "SKILL")]
    skill: String,
    /// The agent that will no longer see the skill
    #[arg(long, value_name = "HOST")]
    from: String,
    #[command(flatten)]
    change: Change,
}

const WHOSE: Choices<Scope> =
    &[("user", "Your own", Scope::User), ("project", "The repository's", Scope::Repo)];

#[derive(Debug, Args)]
struct Change {
    /// In which of the agent's folders (default: the repository's for its skills, else your own)
    #[arg(long = "in", value_name = "WHOSE", value_parser = one_of(WHOSE))]
    whose: Option<Scope>,
    /// Report what would be done, do nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn share(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = everywhere(place, out)?;
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, None);
    let skill = &*view.rows[target::one(&caller, &options.skill)?].entry.skill;
    let how = if options.copy { How::Copy } else { How::Link };
    let request = ShareRequest { host: &options.to, how, scope: options.change.whose };
    let mut plan =
        workspace.plan_share(skill, request).map_err(|error| refused(&error, &options.to))?;
    if !options.change.dry_run {
        plan = workspace.share(plan).map_err(|error| refused(&error, &options.to))?;
    }
    let done = !options.change.dry_run;
    if options.change.json {
        out.json(&ShareDocument::of(&plan, "share", done))?;
    }
    share::report(out, &plan, "share", done);
    Ok(Exit::Done)
}

pub(super) fn unshare(place: &Place, options: &Back, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = everywhere(place, out)?;
    let plan = workspace
        .plan_unshare(&options.skill, &options.from, options.change.whose)
        .map_err(|error| refused(&error, &options.from))?;
    let done = !options.change.dry_run;
    if done {
        workspace.unshare(&plan).map_err(|error| refused(&error, &options.from))?;
    }
    let still_seen = workspace.still_seen(&plan);
    if options.change.json {
        let document = ShareDocument::of(&plan, "unshare", done);
        out.json(&document.still_seen_at(still_seen.as_deref()))?;
    }
    share::report(out, &plan, "unshare", done);
    if let Some(place) = still_seen {
        let still = if done { "still sees" } else { "would still see" };
        out.add(inert!("{} {} it: {}", plan.host.name, still, place));
    }
    Ok(Exit::Done)
}

/// Opens the view of the host that is named, or of all hosts.
fn everywhere(place: &Place, out: &mut Out) -> Result<Workspace, Failure> {
    let workspace = open::checked(place, &[], out)?;
    Ok(if place.named_host().is_some() { workspace } else { workspace.through_every() })
}

fn refused(error: &ShareError, host: &str) -> Failure {
    let reason = SafeText::line(&error.to_string());
    let places = error.places();
    let message = match (error, places.as_slice()) {
        (ShareError::Unknown(_), _) => inert!("{}: {}", host, reason),
        (ShareError::Several { .. } | ShareError::Twin { .. }, _) | (_, []) => reason,
        (_, [place, ..]) => inert!("{}: {}", place, reason),
    };
    let failure =
        if error.is_about_skills() { Failure::missing(message) } else { Failure::failed(message) };
    let failure = match share::cure(error) {
        Some(command) => failure.with(inert!("to remove it anyway: {}", command)),
        None => failure,
    };
    let listed = matches!(error, ShareError::Several { .. } | ShareError::Twin { .. });
    places
        .into_iter()
        .filter(|_| listed)
        .map(SafeText::path)
        .fold(failure, |failure, place| failure.with(place))
}
