//! `skillpick check --fix`.

use super::{Failure, Place};
use crate::catalog::{Check, Skill, checks, fix};
use crate::inert;
use crate::output::Out;
use crate::output::check::Judged;
use crate::output::mend::{self, MendDocument};
use crate::policy::Entry;
use crate::workspace::mend::{MendPlan, Reach};
use crate::workspace::{View, Workspace};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct Mending {
    /// Mend what needs no decision, by an edit that changes nothing else; `skillpick undo` takes it
    /// back. Without PATH only in your own skills and those of this repository; what another
    /// repository or an agent brings is mended only if its folder is named
    #[arg(long, conflicts_with_all = ["strict", "risk"])]
    pub(super) fix: bool,
    /// Mend only findings of this code (repeatable)
    #[arg(long, value_name = "CODE", requires = "fix", hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(fix::ALL.iter().map(|fix| fix.check.code)))]
    only: Vec<String>,
    /// Print the diff, write nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
}

/// What was asked for.
pub(super) struct Asked<'a> {
    /// Which skills.
    pub(super) chosen: &'a dyn Fn(&Entry) -> bool,
    pub(super) reach: Reach,
}

/// Mends the chosen skills. Returns whether all of them pass now.
pub(super) fn run(
    (workspace, view): (&Workspace, &View),
    asked: &Asked<'_>,
    options: &Mending,
    json: bool,
    out: &mut Out,
) -> Result<bool, Failure> {
    let only = |_: &Skill, check: &Check| {
        let is_named = options.only.iter().any(|code| code == check.code);
        // A folder may lie deep because somebody put it out of the agents' sight.
        is_named || (options.only.is_empty() && check != &checks::TOO_DEEP)
    };
    let entries: Vec<&Entry> = view.rows.entries().filter(|entry| (asked.chosen)(entry)).collect();
    let mut plan = workspace.plan_mend(view, &entries, &asked.reach, &only);
    let mut after = view.clone();
    if !options.dry_run && !plan.skills.is_empty() {
        workspace.mend(&mut plan).map_err(|error| Failure::failed(error.shown()))?;
        after = workspace.view();
    }
    let written = !options.dry_run && !plan.skills.is_empty();
    // A file that was named may have another name now.
    let moved = renamed(&plan);
    let is_asked = |entry: &&Entry| (asked.chosen)(entry) || moved.contains(&entry.skill.path);
    let left = after.rows.entries().filter(is_asked);
    let judged: Vec<Judged> = left.map(Judged::of).collect();
    let printed = match json {
        true => out.json(&MendDocument::of(&plan, written, &judged)),
        false => {
            let changes = plan.skills.iter().filter_map(|one| one.change.as_ref());
            let mut shown = changes.filter(|_| options.dry_run);
            let diffs = shown.try_for_each(|change| out.diff(change));
            diffs.and_then(|()| mend::print(out, &plan, &judged, &super::check::here(), written))
        }
    };
    Failure::unless_closed(printed.map_err(Failure::Output))?;
    mend::report_left(out, &plan);
    if written {
        out.say(inert!("to take it back: {}", workspace.undo_command()));
    }
    if plan.failed() && !options.dry_run {
        return Err(Failure::failed("not all could be written"));
    }
    Ok(judged.iter().all(|one| one.valid))
}

/// Files that have another name now.
fn renamed(plan: &MendPlan) -> Vec<PathBuf> {
    let moves = plan.skills.iter().filter_map(|one| one.moved.as_ref()?.after());
    moves.map(Path::to_owned).collect()
}

/// Whose files may be written: the named ones, else the person's own.
pub(super) fn reach(place: &Place, paths: &[PathBuf]) -> Reach {
    if paths.is_empty() {
        return Reach::Own;
    }
    let real = |path: &PathBuf| std::fs::canonicalize(place.beneath(path)).ok();
    Reach::Named(paths.iter().filter_map(real).collect())
}
