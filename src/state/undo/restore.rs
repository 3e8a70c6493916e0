//! Gives all files of one change the bytes that they had before, or none of them.

use super::{FileChange, Move, Why};
use crate::files::moves::Stage;
use crate::files::write::{NewFile, WriteError, final_target, open_regular, remove, replace};
use std::io::Read;
use std::path::Path;

/// Takes the moves back and restores the files, and returns whether there was anything to do. If
/// the files cannot be restored, the moves are made again.
pub(super) fn restore(files: &[FileChange], moves: &[Move]) -> Result<bool, Why> {
    let other = moves.iter().find(|one| one.stage() == Stage::Other);
    if let Some(other) = other {
        return Err(Why::Changed { path: other.place().to_owned() });
    }
    let made: Vec<&Move> = moves.iter().filter(|one| one.stage() == Stage::After).collect();
    let again = |moves: &[&Move]| moves.iter().for_each(|one| drop(one.make()));
    for (index, one) in made.iter().enumerate().rev() {
        if let Err(error) = one.take_back() {
            again(&made[index + 1..]);
            let path = one.place().to_owned();
            return Err(match error {
                WriteError::Changed => Why::Changed { path },
                error => Why::Io { path, error },
            });
        }
    }
    let restored = contents(files).inspect_err(|_| again(&made))?;
    Ok(restored || !made.is_empty())
}

/// Restores the files, and returns whether there was anything to restore. A file that has its
/// earlier bytes is skipped: the change was never made there, or was reverted by hand.
fn contents(files: &[FileChange]) -> Result<bool, Why> {
    let mut changed = Vec::new();
    for file in files {
        let failed = |error| Why::Io { path: file.path.clone(), error };
        let present = present(&file.path).map_err(failed)?;
        if present.as_ref() == Some(&file.after) && present != file.before {
            changed.push(file);
        } else if present != file.before {
            return Err(Why::Changed { path: file.path.clone() });
        }
    }
    put_back(&changed).map(|()| !changed.is_empty())
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

/// Restores the last written file first. If one fails, those that were already restored get the
/// bytes of the change again.
fn put_back(files: &[&FileChange]) -> Result<(), Why> {
    for (index, file) in files.iter().enumerate().rev() {
        let result = match &file.before {
            Some(before) => {
                replace(&file.path, Some(&file.after), before, NewFile::Plain).map(|_| ())
            }
            None => final_target(&file.path).and_then(|target| remove(&target.path, &file.after)),
        };
        if let Err(error) = result {
            for again in &files[index + 1..] {
                // If another program has just written the file, its bytes stay.
                let _ = replace(&again.path, again.before.as_deref(), &again.after, NewFile::Plain);
            }
            return Err(match error {
                WriteError::Changed => Why::Changed { path: file.path.clone() },
                error => Why::Io { path: file.path.clone(), error },
            });
        }
    }
    Ok(())
}
