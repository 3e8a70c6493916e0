//! The record of what was shared with which host. What is not in it was made by a person, and is
//! never deleted.

use super::{StateError, bytes_of, line, rewrite, rows};
use crate::catalog::exact_path;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const FILE: &str = "shares.jsonl";
/// We write no longer file, so a longer one is not read.
const MAX_BYTES: u64 = 4 << 20;

/// One skill that was made visible to one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Where the link or copy is.
    #[serde(with = "exact_path")]
    pub place: PathBuf,
    #[serde(with = "exact_path")]
    pub source: PathBuf,
    pub host: String,
    #[serde(flatten)]
    pub made: Made,
    /// How many of the folders above the place were created for it, counted from the nearest. It is
    /// `made` in the file since before [`Made`] had its type.
    #[serde(default, rename = "made")]
    pub folders: usize,
}

/// What was made at a place, with what is needed to recognize it later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Made {
    /// A link with this target.
    #[serde(rename = "target", with = "exact_path")]
    Link(PathBuf),
    /// A copy with this digest, 64 hex digits.
    #[serde(rename = "digest")]
    Copy(String),
}

impl Share {
    /// The folders that were created for it, the nearest first.
    pub fn made_folders(&self) -> impl Iterator<Item = &Path> {
        self.place.ancestors().skip(1).take(self.folders)
    }
}

/// Everything that was shared and not taken back, oldest first; empty if the file cannot be read.
/// Broken lines are skipped. What they record is then not known as ours, and is not removed.
pub fn load(directory: &Path) -> Vec<Share> {
    let bytes = bytes_of(&directory.join(FILE), MAX_BYTES).ok().flatten();
    rows(&bytes.unwrap_or_default()).collect()
}

/// Remembers one share, and forgets an earlier one at the same place. The folders that were created
/// for that one are still ours.
///
/// # Errors
/// [`StateError`]; then the file is as it was.
pub fn remember(directory: &Path, share: &Share) -> Result<(), StateError> {
    change(directory, |shares| {
        let before = shares.iter().find(|other| other.place == share.place);
        let folders = before.map_or(0, |other| other.folders).max(share.folders);
        shares.retain(|other| other.place != share.place);
        shares.push(Share { folders, ..share.clone() });
    })
}

/// Forgets what was shared at this place. If another share lies in the same folder, the folders
/// that were created are recorded for that one.
///
/// # Errors
/// [`StateError`]; then the file is as it was.
pub fn forget(directory: &Path, place: &Path) -> Result<(), StateError> {
    change(directory, |shares| {
        let folders =
            shares.iter().find(|share| share.place == place).map_or(0, |share| share.folders);
        shares.retain(|other| other.place != place);
        if let Some(heir) = shares.iter_mut().find(|other| other.place.parent() == place.parent()) {
            heir.folders = heir.folders.max(folders);
        }
    })
}

fn change(directory: &Path, edit: impl FnOnce(&mut Vec<Share>)) -> Result<(), StateError> {
    rewrite(directory, FILE, MAX_BYTES, |old| {
        let mut shares = rows(old.unwrap_or_default()).collect();
        edit(&mut shares);
        Ok(shares.iter().flat_map(line).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_remembered_once_a_place_and_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        let share = |place: &str, digest: Option<&str>| Share {
            place: place.into(),
            source: "/skills/pdf".into(),
            host: "claude".to_owned(),
            made: digest.map_or(Made::Link("../pdf".into()), |it| Made::Copy(it.to_owned())),
            folders: 0,
        };
        remember(temp.path(), &share("/a", None)).unwrap();
        remember(temp.path(), &share("/b", Some("00"))).unwrap();
        remember(temp.path(), &share("/a", Some("11"))).unwrap();
        assert_eq!(load(temp.path()), [share("/b", Some("00")), share("/a", Some("11"))]);
        let mut bytes = std::fs::read(temp.path().join(FILE)).unwrap();
        bytes.splice(0..0, *b"nonsense\n");
        std::fs::write(temp.path().join(FILE), bytes).unwrap();
        forget(temp.path(), Path::new("/b")).unwrap();
        assert_eq!(load(temp.path()), [share("/a", Some("11"))]);
        assert_eq!(load(&temp.path().join("no/such")), []);
    }

    #[test]
    fn a_share_that_is_made_again_keeps_the_folders_of_the_first() {
        let temp = tempfile::tempdir().unwrap();
        let share = |folders| Share {
            place: "/repo/.claude/skills/a".into(),
            source: "/skills/a".into(),
            host: "claude".to_owned(),
            made: Made::Link("../a".into()),
            folders,
        };
        for (folders, known) in [(2, 2), (0, 2), (3, 3)] {
            remember(temp.path(), &share(folders)).unwrap();
            assert_eq!(load(temp.path()), [share(known)]);
        }
    }

    #[test]
    fn folders_that_were_made_pass_to_the_last_share_in_them() {
        let temp = tempfile::tempdir().unwrap();
        let share = |place: &str, folders| Share {
            place: place.into(),
            source: "/skills/pdf".into(),
            host: "claude".to_owned(),
            made: Made::Link("../pdf".into()),
            folders,
        };
        remember(temp.path(), &share("/repo/.claude/skills/a", 2)).unwrap();
        remember(temp.path(), &share("/repo/.claude/skills/b", 0)).unwrap();
        forget(temp.path(), Path::new("/repo/.claude/skills/a")).unwrap();
        let left = load(temp.path());
        assert_eq!(left, [share("/repo/.claude/skills/b", 2)]);
        let folders: Vec<_> = left[0].made_folders().collect();
        assert_eq!(folders, [Path::new("/repo/.claude/skills"), Path::new("/repo/.claude")]);
    }
}
