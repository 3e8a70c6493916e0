//! For which agent a person picks in a repository, if several would take a pick differently.

use super::{StateError, bytes_of, rewrite};
use crate::catalog::exact_path;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const FILE: &str = "preferred.json";

/// A longer file is not ours.
const MAX_BYTES: u64 = 1 << 20;

/// The most repositories that are remembered; the oldest answers are forgotten.
const MAX_ROWS: usize = 500;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    #[serde(flatten, with = "exact_path")]
    path: PathBuf,
    /// The word of the agent.
    agent: String,
}

/// The word of the agent for this repository; none if there is none, or the file cannot be read.
pub fn load(directory: &Path, repository: &Path) -> Option<String> {
    let bytes = bytes_of(&directory.join(FILE), MAX_BYTES).ok().flatten();
    let rows = read(bytes.as_deref());
    rows.into_iter().rev().find(|row| row.path == repository).map(|row| row.agent)
}

/// Remembers an agent for this repository.
///
/// # Errors
/// [`StateError::At`], which a caller may ignore.
pub fn record(directory: &Path, repository: &Path, agent: &str) -> Result<(), StateError> {
    rewrite(directory, FILE, MAX_BYTES, |bytes| {
        let mut rows = read(bytes);
        rows.retain(|row| row.path != repository);
        rows.push(Row { path: repository.to_owned(), agent: agent.to_owned() });
        let many = rows.len().saturating_sub(MAX_ROWS);
        Ok(serde_json::to_vec(&rows[many..]).unwrap_or_default())
    })
}

fn read(bytes: Option<&[u8]>) -> Vec<Row> {
    bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_answer_counts_and_a_broken_file_is_none() {
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path().join("skillpick");
        let (one, other) = (Path::new("/one"), Path::new("/other"));
        assert_eq!(load(&state, one), None);
        for agent in ["codex", "claude"] {
            record(&state, one, agent).unwrap();
        }
        record(&state, other, "pi").unwrap();
        assert_eq!(load(&state, one).as_deref(), Some("claude"));
        assert_eq!(load(&state, other).as_deref(), Some("pi"));
        std::fs::write(state.join(FILE), "{").unwrap();
        assert_eq!(load(&state, one), None);
        record(&state, one, "pi").unwrap();
        assert_eq!(load(&state, one).as_deref(), Some("pi"));
    }

    #[test]
    fn the_oldest_answers_are_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        for index in 0..MAX_ROWS + 2 {
            record(temp.path(), &PathBuf::from(format!("/{index}")), "pi").unwrap();
        }
        assert_eq!(load(temp.path(), Path::new("/1")), None);
        assert!(load(temp.path(), Path::new("/2")).is_some());
    }
}
