//! `skillpick hosts`.

use super::{Exit, Failure, Place, open};
use crate::inert;
use crate::output::Out;
use crate::output::hosts::{self, HostsDocument};
use crate::text::{SafeText, reason};
use clap::Args;
use std::io::ErrorKind;
use std::path::Path;

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
        let all = "to list all known agents: skillpick hosts --all";
        match workspace.context.home.as_deref().and_then(closed) {
            Some(why) => out.say(inert!("no agent was found, but {}; {}", why, all)),
            None => out.say(inert!("no agent was found on this machine; {}", all)),
        }
    }
    Ok(Exit::Done)
}

/// Why the folders of agents in the home directory could not be seen.
fn closed(home: &Path) -> Option<SafeText> {
    let error = home.join(".").symlink_metadata().err()?;
    let is_closed = error.kind() == ErrorKind::PermissionDenied;
    is_closed.then(|| inert!("{} could not be searched: {}", home, reason(&error)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_closed_home_directory_is_told_and_a_missing_one_is_not() {
        let home = tempfile::tempdir().unwrap();
        assert!(closed(home.path()).is_none() && closed(&home.path().join("none")).is_none());
        set_permissions(home.path(), Permissions::from_mode(0o000)).unwrap();
        let told = closed(home.path()).map(|why| why.to_string());
        let is_told = told.is_some_and(|why| why.ends_with("permission denied"));
        assert!(is_told || rustix::process::geteuid().is_root(), "root may search it");
        set_permissions(home.path(), Permissions::from_mode(0o700)).unwrap();
    }
}
