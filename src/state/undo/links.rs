//! What stands against taking back a move, or making it again, besides the bytes of files.
//!
//! A newer change may have put a link in the place of a folder, which reads like that folder. And a
//! link of another change may lead to a folder that would go. A folder to which links lead gets no
//! other name; undo and redo are no way around that.

use super::{Change, Direction, EntryName, FileChange, Journal, entry, is_blocked};
use crate::files::moves::{Move, Stage};
use std::fs;
use std::path::{Path, PathBuf};

impl Journal {
    /// The place of a move at which a newer change of ours has put something else.
    pub(super) fn moved_since(&self, own: &EntryName, change: &Change) -> Option<PathBuf> {
        if change.moves.is_empty() {
            return None;
        }
        let newer = self.newer(&self.entries().unwrap_or_default(), own);
        is_blocked(change, &newer).map(Path::to_owned)
    }

    /// The link of another change to a folder that goes if this one is taken back or made again.
    pub(super) fn link_to_gone(
        &self,
        own: &EntryName,
        change: &Change,
        direction: Direction,
    ) -> Option<PathBuf> {
        let moved: Vec<PathBuf> =
            change.moves.iter().filter_map(|one| moved(one, direction)).filter_map(real).collect();
        let is_removed = |file: &&FileChange| file.before.is_none() && direction == Direction::Undo;
        let emptied: Vec<PathBuf> = change
            .files
            .iter()
            .filter(is_removed)
            .filter_map(|it| real(it.path.parent()?))
            .collect();
        if moved.is_empty() && emptied.is_empty() {
            return None;
        }
        let leads_there = |link: &&Path| {
            let to = real(link).filter(|_| link.is_symlink());
            let is_gone = |to: PathBuf| {
                moved.iter().any(|folder| to.starts_with(folder)) || emptied.contains(&to)
            };
            to.is_some_and(is_gone) && change.paths().all(|path| path != *link)
        };
        // Also of those that are undone: an undone removal has put its link back.
        let others = self.entries().unwrap_or_default().into_iter().rev();
        let mut others = others
            .filter(|other| other != own)
            .filter_map(|other| entry::load(&self.folder.join(&other.0)).ok());
        others.find_map(|other| other.paths().find(leads_there).map(Path::to_owned))
    }
}

/// What gets another name.
fn moved(one: &Move, direction: Direction) -> Option<&Path> {
    match (one, one.stage(), direction) {
        (Move::Renamed { from, .. }, Stage::Before, Direction::Redo) => Some(from),
        (Move::Renamed { to, .. }, Stage::After, Direction::Undo) => Some(to),
        _ => None,
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}
