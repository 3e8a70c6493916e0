//! What a person has approved: texts with hidden characters, and runs of scripts. Each approval is
//! bound to a digest, so that it ends when the files change.

use super::{StateError, bytes_of, rewrite};
use crate::catalog::exact_path;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The most approvals that are remembered. Beyond that the oldest are forgotten.
pub const MAX_ROWS: usize = 500;
/// A longer file is not ours.
const MAX_BYTES: u64 = 4 << 20;
const FILE: &str = "approvals.json";

/// What an approval is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The text of a file; the digest is that of its bytes.
    Text,
    /// A run of a script; the digest covers everything that the person agreed to.
    Run,
}

/// One approval by a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    pub subject: Subject,
    /// The file or the script.
    #[serde(flatten, with = "exact_path")]
    pub path: PathBuf,
    pub digest: String,
    /// What tells a run from others of its script, for a person. Empty for a text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details: String,
    /// Unix time in milliseconds.
    pub at_ms: u64,
}

#[derive(Serialize, Deserialize)]
struct Document<R> {
    version: u32,
    approvals: R,
}

/// Everything that was approved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approvals {
    rows: Vec<Approval>,
}

impl Approvals {
    /// The approvals in this directory. What cannot be read is not approved.
    pub fn load(directory: &Path) -> Self {
        Self::read(directory).unwrap_or_default()
    }

    /// Reads the approvals in this directory; none if there is no file.
    ///
    /// # Errors
    /// [`StateError`]: there is a file, and it cannot be read.
    pub fn read(directory: &Path) -> Result<Self, StateError> {
        let file = directory.join(FILE);
        let Some(bytes) = bytes_of(&file, MAX_BYTES)? else { return Ok(Self::default()) };
        Self::parse(&bytes).ok_or(StateError::Broken { path: file })
    }

    /// Whether exactly this was approved.
    pub fn has(&self, subject: Subject, path: &Path, digest: &str) -> bool {
        self.rows
            .iter()
            .any(|row| row.subject == subject && row.path == path && row.digest == digest)
    }

    /// All of them, the oldest first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &Approval> {
        self.rows.iter()
    }

    /// Remembers an approval.
    ///
    /// # Errors
    /// [`StateError`]; then nothing is approved.
    pub fn add(directory: &Path, approval: Approval) -> Result<(), StateError> {
        Self::change(directory, |rows| {
            rows.retain(|other| {
                (other.subject, &other.path, &other.digest)
                    != (approval.subject, &approval.path, &approval.digest)
            });
            rows.push(approval);
            let over = rows.len().saturating_sub(MAX_ROWS);
            rows.drain(..over);
        })
    }

    /// Forgets these approvals.
    ///
    /// # Errors
    /// [`StateError`]; then all of them hold as before.
    pub fn revoke(directory: &Path, revoked: &[Approval]) -> Result<(), StateError> {
        Self::change(directory, |rows| rows.retain(|row| !revoked.contains(row)))
    }

    /// Changes the file. One that cannot be read is left as it is, since a newer version of ours
    /// may have written it.
    fn change(directory: &Path, change: impl FnOnce(&mut Vec<Approval>)) -> Result<(), StateError> {
        let file = directory.join(FILE);
        rewrite(directory, FILE, MAX_BYTES, |old| {
            let known = old.map_or_else(|| Some(Self::default()), Self::parse);
            let mut all = known.ok_or(StateError::Broken { path: file })?;
            change(&mut all.rows);
            Ok(all.print())
        })
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let document: Document<Vec<Approval>> = serde_json::from_slice(bytes).ok()?;
        (document.version == 1).then_some(Self { rows: document.approvals })
    }

    fn print(&self) -> Vec<u8> {
        let document = Document { version: 1, approvals: &self.rows };
        serde_json::to_vec(&document).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn add(state: &Path, subject: Subject, digest: &str) -> Result<(), StateError> {
        let path = "/s/a/SKILL.md".into();
        Approvals::add(
            state,
            Approval { subject, path, digest: digest.into(), details: String::new(), at_ms: 1 },
        )
    }

    #[test]
    fn an_approval_is_of_one_thing_one_place_and_one_digest() {
        let temp = tempfile::tempdir().unwrap();
        let (state, path) = (temp.path(), Path::new("/s/a/SKILL.md"));
        add(state, Subject::Text, "aa").unwrap();
        let all = Approvals::load(state);
        assert!(all.has(Subject::Text, path, "aa"));
        assert!(!all.has(Subject::Run, path, "aa") && !all.has(Subject::Text, path, "ab"));
        assert!(!all.has(Subject::Text, Path::new("/s/b/SKILL.md"), "aa"));
        for number in 0..MAX_ROWS {
            add(state, Subject::Run, &number.to_string()).unwrap();
        }
        let all = Approvals::load(state);
        assert!(all.rows.len() == MAX_ROWS && !all.has(Subject::Text, path, "aa"));
    }

    #[test]
    fn what_cannot_be_read_is_not_approved_and_not_thrown_away() {
        let temp = tempfile::tempdir().unwrap();
        let (state, file) = (temp.path(), temp.path().join(FILE));
        add(state, Subject::Text, "aa").unwrap();
        let newer = fs::read_to_string(&file).unwrap().replace("\"version\":1", "\"version\":2");
        let odd = "{\"version\":1,\"approvals\":[{\"subject\":\"all\"}]}";
        let long = "x".repeat(usize::try_from(MAX_BYTES).unwrap() + 1);
        for text in [&newer, odd, "", "{", &long] {
            fs::write(&file, text).unwrap();
            assert_eq!(Approvals::load(state), Approvals::default());
            assert_eq!(Approvals::read(state), Err(StateError::Broken { path: file.clone() }));
            let refused = add(state, Subject::Text, "bb");
            assert_eq!(refused, Err(StateError::Broken { path: file.clone() }), "{}", text.len());
            assert_eq!(fs::read_to_string(&file).unwrap(), *text);
        }
    }
}
