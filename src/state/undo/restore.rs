//! Gives all files of one change the bytes that they had before it, or after it, or none of them.

use super::{Change, Direction, FileChange, Move, Why, entry};
use crate::files::moves::Stage;
use crate::files::write::{
    NewFile, WriteError, final_target, open_regular, remove, replace, sweep,
};
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

/// Takes a change back or makes it again, and returns whether there was anything to do. Files are
/// written before the moves are made, so they are restored after these are taken back. What is
/// removed is noted in the folder of the entry, as far as its bytes do not tell.
pub(super) fn restore(change: &Change, folder: &Path, direction: Direction) -> Result<bool, Why> {
    let (files, moves) = (&change.files, &change.moves);
    let other = moves.iter().find(|one| one.stage() == Stage::Other);
    if let Some(other) = other {
        return Err(not_as_made(other.place(), other.after()));
    }
    if direction == Direction::Undo {
        entry::note_modes(folder, files);
    }
    let births = &entry::births(folder, files);
    match direction {
        Direction::Undo => {
            let moved = moved(moves, direction)?;
            let written =
                contents(files, births, direction).inspect_err(|_| reversed(&moved, direction))?;
            Ok(written || !moved.is_empty())
        }
        // Everything was renamed already, so the files are at their new places.
        Direction::Redo
            if !moves.is_empty() && moves.iter().all(|one| one.stage() == Stage::After) =>
        {
            Ok(false)
        }
        Direction::Redo => {
            let written = contents(files, births, direction)?;
            let moved = moved(moves, direction)
                .inspect_err(|_| drop(contents(files, births, Direction::Undo)))?;
            Ok(written || !moved.is_empty())
        }
    }
}

/// The moves that were taken back or made; if one fails, none.
fn moved(moves: &[Move], direction: Direction) -> Result<Vec<&Move>, Why> {
    let from = stage_before(direction);
    let mut wanted: Vec<&Move> = moves.iter().filter(|one| one.stage() == from).collect();
    if direction == Direction::Undo {
        wanted.reverse();
    }
    for (index, one) in wanted.iter().enumerate() {
        let done = match direction {
            Direction::Undo => one.take_back(),
            Direction::Redo => one.make(),
        };
        if let Err(error) = done {
            reversed(&wanted[..index], direction);
            return Err(why(one.place(), error));
        }
    }
    Ok(wanted)
}

/// The stage of a move that is yet to be taken back, or made again.
fn stage_before(direction: Direction) -> Stage {
    match direction {
        Direction::Undo => Stage::After,
        Direction::Redo => Stage::Before,
    }
}

/// Undoes what was done with these moves; what another program has changed meanwhile stays.
fn reversed(done: &[&Move], direction: Direction) {
    for one in done.iter().rev() {
        let _ = match direction {
            Direction::Undo => one.make(),
            Direction::Redo => one.take_back(),
        };
    }
}

/// What becomes of one file.
#[derive(Clone, Copy)]
struct Step<'a> {
    path: &'a Path,
    /// Its bytes now; `None` if it is not there.
    from: Option<&'a [u8]>,
    to: Option<&'a [u8]>,
    /// How it is made if it is not there.
    birth: NewFile,
}

impl<'a> Step<'a> {
    fn of(file: &'a FileChange, birth: NewFile, direction: Direction) -> Self {
        let (before, after) = (file.before.as_deref(), Some(file.after.as_slice()));
        let (from, to) = match direction {
            Direction::Undo => (after, before),
            Direction::Redo => (before, after),
        };
        Self { path: &file.path, from, to, birth }
    }

    fn make(self) -> Result<(), WriteError> {
        match (self.from, self.to) {
            (from, Some(to)) => replace(self.path, from, to, self.birth).map(|_| ()),
            (Some(from), None) => {
                final_target(self.path).and_then(|target| remove(&target.path, from))
            }
            (None, None) => Ok(()),
        }
    }

    fn back(self) -> Self {
        Self { from: self.to, to: self.from, ..self }
    }
}

/// Whether there is anything of a change to take back.
pub(super) fn is_there(files: &[FileChange], moves: &[Move]) -> Result<bool, Why> {
    if moves.iter().any(|one| one.stage() == Stage::After) {
        return Ok(true);
    }
    steps(files, &[], Direction::Undo).map(|steps| !steps.is_empty())
}

/// Whether something of a change is there that can be taken back or made again, though perhaps not
/// all of it.
pub(super) fn is_in_part(change: &Change, direction: Direction) -> bool {
    let from = stage_before(direction);
    let is_there = |file: &FileChange| {
        let step = Step::of(file, NewFile::Plain, direction);
        step.from != step.to && present(step.path).is_ok_and(|bytes| bytes.as_deref() == step.from)
    };
    change.moves.iter().any(|one| one.stage() == from) || change.files.iter().any(is_there)
}

/// Writes the files, and returns whether there was anything to write.
fn contents(files: &[FileChange], births: &[NewFile], direction: Direction) -> Result<bool, Why> {
    let steps = steps(files, births, direction)?;
    for file in files.iter().filter(|file| steps.iter().all(|step| step.path != file.path)) {
        // A process that was killed before it came to this file may have left one beside it.
        sweep(&file.path, SystemTime::now());
    }
    for (index, step) in steps.iter().enumerate() {
        if let Err(error) = step.make() {
            // If another program has just written a file, its bytes stay.
            steps[..index].iter().rev().for_each(|done| drop(done.back().make()));
            return Err(why(step.path, error));
        }
    }
    Ok(!steps.is_empty())
}

/// What is to be written, in its order. A file that has the wanted bytes is skipped: the change was
/// never made there, or somebody has done the same by hand.
fn steps<'a>(
    files: &'a [FileChange],
    births: &[NewFile],
    direction: Direction,
) -> Result<Vec<Step<'a>>, Why> {
    let mut steps = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let birth = births.get(number).copied().unwrap_or(NewFile::Plain);
        let step = Step::of(file, birth, direction);
        let present = present(step.path).map_err(|error| why(step.path, error))?;
        if present.as_deref() == step.to {
            continue;
        }
        if present.as_deref() != step.from {
            return Err(not_as_made(&file.path, None));
        }
        steps.push(step);
    }
    // The last written file is restored first.
    if direction == Direction::Undo {
        steps.reverse();
    }
    Ok(steps)
}

/// What is at these places is not what a change has made.
fn not_as_made(path: &Path, other: Option<&Path>) -> Why {
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    match is_there(path) || other.is_some_and(is_there) {
        true => Why::Changed { path: path.to_owned() },
        false => Why::Deleted { path: path.to_owned() },
    }
}

fn why(path: &Path, error: WriteError) -> Why {
    let path = path.to_owned();
    match error {
        WriteError::Changed => Why::Changed { path },
        error => Why::Io { path, error },
    }
}

fn present(path: &Path) -> Result<Option<Vec<u8>>, WriteError> {
    let target = final_target(path)?;
    match target.metadata {
        None => Ok(None),
        Some(metadata) if metadata.is_file() => {
            let mut bytes = Vec::new();
            open_regular(&target.path)?.read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        }
        Some(_) => Err(WriteError::NotRegular),
    }
}
