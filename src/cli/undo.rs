//! `skillpick undo` and `redo`: the changes that were made here, taken back and made again.

use super::{Exit, Failure, Place, open};
use crate::inert;
use crate::output::Out;
use crate::output::undo::{ChangesDocument, UndoDocument, applied_words, left_behind};
use crate::workspace::Workspace;
use crate::workspace::edit::{Direction, UndoError, Undone};
use clap::Args;
use std::path::Path;

#[derive(Debug, Args)]
pub(super) struct Undo {
    /// A change by its number (default: the last one)
    #[arg(value_name = "NUMBER", conflicts_with = "list", value_parser = number)]
    number: Option<u64>,
    /// Print the last changes, the newest first
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Redo {
    /// A change by its number (default: the one that was undone last)
    #[arg(value_name = "NUMBER", value_parser = number)]
    number: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn number(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "it is no number; `skillpick undo --list` has them")
}

/// The files that are named when a change is undone.
const TOLD: usize = 10;

/// Undoes a change. Broken settings are accepted, since undoing may repair them.
pub(super) fn undo(place: &Place, options: &Undo, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?;
    if options.list {
        let changes = workspace.changes().map_err(|error| Failure::failed(error.to_string()))?;
        let document = ChangesDocument::of(&changes);
        if options.json {
            out.json(&document)?
        } else {
            document.print(out)?
        }
        return Ok(Exit::Done);
    }
    let undone = match options.number {
        None => workspace.undo(),
        Some(number) => workspace.apply_change(number, Direction::Undo),
    };
    let undone = undone.map_err(|error| not_done(&workspace, "undone", &error))?;
    told("undone", &undone, options.json, out)
}

/// Makes a change again that was undone.
pub(super) fn redo(place: &Place, options: &Redo, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?;
    let done = match options.number {
        None => workspace.redo(),
        Some(number) => workspace.apply_change(number, Direction::Redo),
    };
    let done = done.map_err(|error| not_done(&workspace, "redone", &error))?;
    told("redone", &done, options.json, out)
}

fn told(word: &'static str, done: &Undone, json: bool, out: &mut Out) -> Result<Exit, Failure> {
    if json {
        out.json(&UndoDocument::of(done))?;
    }
    for left in &done.left {
        out.say(inert!("not {}: {}", word, left_behind(left)));
    }
    let words = applied_words(word, done);
    let places: Vec<&Path> = done.change.places().take(TOLD).collect();
    match *places {
        [one] => out.say(inert!("{}: {}", words, one)),
        _ => {
            out.say(words);
            places.iter().for_each(|place| out.add(inert!("{}", *place)));
        }
    }
    let more = done.change.places().skip(TOLD).count();
    if more > 0 {
        out.add(inert!("and {} more", more));
    }
    Ok(Exit::Done)
}

fn not_done(workspace: &Workspace, word: &'static str, error: &UndoError) -> Failure {
    match error {
        UndoError::Nothing
        | UndoError::NothingUndone
        | UndoError::NoChange(_)
        | UndoError::UndoneAlready(_)
        | UndoError::NotUndone(_) => Failure::missing(error.to_string()),
        UndoError::State(_) => Failure::failed(error.to_string()),
        UndoError::Left { left, next } => {
            let message = inert!("not {}: {}", word, left_behind(left));
            let failure = match left.why.failed() {
                true => Failure::failed(message),
                false => Failure::missing(message),
            };
            match (next, workspace.first_needed(&left.why)) {
                (Some(label), _) => failure.with(inert!(
                    "to leave it and undo the change before it ({}): skillpick undo",
                    label
                )),
                (None, Some((Direction::Undo, number))) => {
                    failure.with(inert!("to undo that first: skillpick undo {}", number))
                }
                (None, Some((Direction::Redo, number))) => {
                    failure.with(inert!("to redo that first: skillpick redo {}", number))
                }
                (None, None) => failure,
            }
        }
    }
}
