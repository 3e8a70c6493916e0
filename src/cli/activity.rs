//! `skillpick activity`.

use super::{Exit, Failure, Place, open};
use crate::inert;
use crate::output::Out;
use crate::output::activity::ActivityDocument;
use crate::runtime::Activity;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Print at most N calls, newest first
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?;
    let activity = workspace.state_dir.as_deref().map(Activity::load).unwrap_or_default();
    let document = ActivityDocument::of(&activity, options.limit);
    if options.json {
        out.json(&document)?;
    } else {
        document.print(out)?;
    }
    if activity.broken > 0 {
        let lines = if activity.broken == 1 { "line" } else { "lines" };
        // KOD-7c's words for what cannot be shown.
        out.say(inert!(
            "Error: Invalid metadata type for skill ({} {} of the log)",
            activity.broken,
            lines
        ));
    }
    for file in &activity.cut {
        out.say(inert!("{} is larger than 1 MiB: only its beginning was read", file));
    }
    for file in &activity.unread {
        out.say(inert!("{} cannot be read", file));
    }
    if activity.calls.is_empty() && activity.unread.is_empty() && !options.json {
        out.say("no skill was loaded, read or run yet");
    }
    Ok(if activity.unread.is_empty() { Exit::Done } else { Exit::Failed })
}
