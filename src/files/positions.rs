//! In which order the file system lists what is in a folder.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The positions of names in folders, as the file system lists them. Each folder is listed once.
#[derive(Debug, Default)]
pub struct Positions(HashMap<PathBuf, HashMap<OsString, usize>>);

impl Positions {
    /// For each name on the way from `from` down to `to`, the last one included, its position in
    /// the list of the folder above it. `None` if it is not in that list, or the list cannot be
    /// read. Empty if `to` does not lie below `from`.
    pub fn along(&mut self, from: &Path, to: &Path) -> Vec<Option<usize>> {
        let Ok(below) = to.strip_prefix(from) else { return Vec::new() };
        let mut at = from.to_owned();
        let position = |part: &OsStr| {
            let found = self.of(part, &at);
            at.push(part);
            found
        };
        below.iter().map(position).collect()
    }

    fn of(&mut self, name: &OsStr, folder: &Path) -> Option<usize> {
        if !self.0.contains_key(folder) {
            let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let names = listed.map(|entry| entry.file_name()).zip(0..).collect();
            self.0.insert(folder.to_owned(), names);
        }
        self.0.get(folder)?.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn each_folder_on_the_way_has_its_position() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path();
        for name in ["a/x", "b/x", "c/x"] {
            fs::create_dir_all(top.join(name)).unwrap();
        }
        let listed: Vec<_> =
            fs::read_dir(top).unwrap().flatten().map(|it| it.file_name()).collect();
        let mut positions = Positions::default();
        for (at, name) in listed.iter().enumerate() {
            let along = positions.along(top, &top.join(name).join("x"));
            assert_eq!(along, [Some(at), Some(0)]);
        }
        assert_eq!(positions.along(top, &top.join("gone/x")), [None, None]);
        assert_eq!(positions.along(&top.join("a"), top), []);
    }
}
