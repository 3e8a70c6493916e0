//! How often and when last each skill was picked, for the order of an empty query.
//!
//! A pick is one line, which is added to the file: that takes no time, and can be lost in a power
//! failure. A file with many lines is written anew, with one line for each skill and repository.

use super::{At as _, StateError, append, bytes_of, line, prepare, put, rows};
use crate::catalog::exact_path;
use crate::files::lock::{Lock, open_or_create};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most rows that are kept when the file is written anew; a row is a skill in one repository.
/// Beyond that, those with the lowest score are forgotten.
pub const MAX_ROWS: usize = 1_000;
/// A file with more lines is written anew.
const MAX_LINES: usize = 2 * MAX_ROWS;
/// A longer file is not ours.
const MAX_BYTES: u64 = 16 << 20;
const FILE: &str = "history.jsonl";
/// After this many milliseconds (14 days) a pick counts half.
const HALF_LIFE_MS: f64 = 14.0 * 24.0 * 3_600_000.0;

/// So many times as much as elsewhere a pick weighs in its own repository: a skill that was picked
/// here once comes before one that was picked often elsewhere.
const HERE: f64 = 16.0;

/// How often and when last a skill was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picks {
    pub count: u32,
    /// Unix time in milliseconds.
    pub last_ms: u64,
}

/// The picks of all skills, by the canonical path of the `SKILL.md` and the repository in which
/// they were picked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    rows: BTreeMap<(PathBuf, Option<String>), Picks>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(flatten, with = "exact_path")]
    path: PathBuf,
    /// The repository, or the working directory; none in lines of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(flatten)]
    picks: Picks,
}

/// The weight of picks: it grows with each and halves every 14 days since the last. 0 for none.
pub fn score(count: u32, age_ms: u64) -> f64 {
    if count == 0 {
        return 0.0;
    }
    #[allow(
        clippy::cast_precision_loss,
        reason = "an age of 285,000 years may be off by a millisecond"
    )]
    let age = age_ms as f64;
    // The logarithm makes the tenth pick count less than the first one.
    (1.0 + f64::from(count).ln()) * 0.5_f64.powf(age / HALF_LIFE_MS)
}

impl History {
    /// Reads the history in this directory; empty if it cannot be read. Broken lines are skipped.
    pub fn load(directory: &Path) -> Self {
        let read = bytes_of(&directory.join(FILE), MAX_BYTES).ok().flatten();
        read.map(|bytes| Self::parse(&bytes)).unwrap_or_default()
    }

    /// Adds one pick of each of these skills to the file, as made in this place.
    ///
    /// # Errors
    /// [`StateError::At`], which a caller may ignore.
    pub fn record(
        directory: &Path,
        place: Option<&Path>,
        paths: &[PathBuf],
        now_ms: u64,
    ) -> Result<(), StateError> {
        prepare(directory)?;
        let file = directory.join(FILE);
        let _turn = Lock::beside(&file).at(&file)?;
        let pick = |path: &PathBuf| Row {
            path: path.clone(),
            place: place.map(named),
            picks: Picks { count: 1, last_ms: now_ms },
        };
        let added: Vec<u8> = paths.iter().flat_map(|path| line(&pick(path))).collect();
        // What is there and cannot be read is no file of ours.
        let old = bytes_of(&file, MAX_BYTES)?;
        let known = old.as_deref().unwrap_or_default().split(|byte| *byte == b'\n').count();
        if known + paths.len() <= MAX_LINES {
            return open_or_create(&file).and_then(|mut log| append(&mut log, &added)).at(&file);
        }
        let mut history =
            Self::parse(&[old.as_deref().unwrap_or_default(), b"\n", &added].concat());
        history.bound(now_ms);
        put(&file, old.as_deref(), &history.print())
    }

    /// The picks of a skill everywhere.
    pub fn picks(&self, path: &Path) -> Option<Picks> {
        let all = self.rows.range((path.to_owned(), None)..);
        let all = all.take_while(|((of, _), _)| of == path).map(|(_, picks)| *picks);
        all.reduce(|one, other| Picks {
            count: one.count.saturating_add(other.count),
            last_ms: one.last_ms.max(other.last_ms),
        })
    }

    /// The weight of one skill's picks at this time; 0 if it was never picked. Those in this place
    /// weigh more than all others.
    pub fn score(&self, path: &Path, place: Option<&Path>, now_ms: u64) -> f64 {
        let weight = |picks: Option<Picks>| {
            picks.map_or(0.0, |picks| score(picks.count, now_ms.saturating_sub(picks.last_ms)))
        };
        let here = place.and_then(|place| self.rows.get(&(path.to_owned(), Some(named(place)))));
        weight(self.picks(path)) + HERE * weight(here.copied())
    }

    fn bound(&mut self, now_ms: u64) {
        let weight = |picks: &Picks| score(picks.count, now_ms.saturating_sub(picks.last_ms));
        let mut scores: Vec<(f64, (PathBuf, Option<String>))> =
            self.rows.iter().map(|(key, picks)| (weight(picks), key.clone())).collect();
        scores.sort_by(|a, b| b.0.total_cmp(&a.0));
        scores.iter().skip(MAX_ROWS).for_each(|(_, key)| {
            self.rows.remove(key);
        });
    }

    fn parse(bytes: &[u8]) -> Self {
        let mut history = Self::default();
        for Row { path, place, picks } in rows(bytes) {
            let all = history.rows.entry((path, place)).or_insert(Picks { count: 0, last_ms: 0 });
            all.count = all.count.saturating_add(picks.count);
            all.last_ms = all.last_ms.max(picks.last_ms);
        }
        history
    }

    fn print(&self) -> Vec<u8> {
        let row = |((path, place), picks): (&(PathBuf, Option<String>), &Picks)| Row {
            path: path.clone(),
            place: place.clone(),
            picks: *picks,
        };
        self.rows.iter().flat_map(|each| line(&row(each))).collect()
    }
}

fn named(place: &Path) -> String {
    place.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn picks_are_counted_and_read_back() {
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path().join("state/skillpick");
        let [a, b] = ["/s/a\nb/SKILL.md", "/s/b/SKILL.md"].map(PathBuf::from);
        assert_eq!(History::load(&state), History::default());
        History::record(&state, None, &[a.clone(), b.clone()], 5).unwrap();
        History::record(&state, None, std::slice::from_ref(&a), 9).unwrap();
        // A clock that went back does not make a pick older.
        History::record(&state, None, std::slice::from_ref(&a), 7).unwrap();
        let history = History::load(&state);
        assert_eq!(history.picks(&a), Some(Picks { count: 3, last_ms: 9 }));
        assert_eq!(history.picks(&b), Some(Picks { count: 1, last_ms: 5 }));
        assert_eq!(history.picks(Path::new("/c")), None);
        assert!(history.score(&a, None, 9) > history.score(&b, None, 9));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf8_comes_back_exactly_and_the_files_are_private() {
        use std::os::unix::{ffi::OsStrExt, fs::PermissionsExt};
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path().join("state");
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/s/\xff\xfe/SKILL.md"));
        History::record(&state, None, std::slice::from_ref(&path), 1).unwrap();
        assert_eq!(History::load(&state).picks(&path), Some(Picks { count: 1, last_ms: 1 }));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&state), mode(&state.join(FILE))), (0o700, 0o600));
    }

    #[test]
    fn a_broken_line_costs_only_itself_and_a_broken_directory_nothing() {
        let temp = tempfile::tempdir().unwrap();
        History::record(temp.path(), None, &["/a".into()], 1).unwrap();
        let mut bytes = fs::read(temp.path().join(FILE)).unwrap();
        bytes.splice(0..0, *b"{\"path\": 3}\n\xff\xfe\n");
        fs::write(temp.path().join(FILE), bytes).unwrap();
        assert_eq!(History::load(temp.path()).rows.len(), 1);
        History::record(temp.path(), None, &["/b".into()], 2).unwrap();
        assert_eq!(History::load(temp.path()).rows.len(), 2);
        let no_folder = temp.path().join(FILE);
        assert!(History::record(&no_folder, None, &["/b".into()], 2).is_err());
        assert_eq!(History::load(&no_folder), History::default());
    }

    #[test]
    fn processes_at_once_lose_no_pick() {
        let temp = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let directory = temp.path();
                scope.spawn(move || {
                    for round in 0..10 {
                        let paths = ["/both".into(), PathBuf::from(format!("/{thread}"))];
                        while History::record(directory, None, &paths, round).is_err() {}
                    }
                });
            }
        });
        let history = History::load(temp.path());
        assert_eq!(history.picks(Path::new("/both")).map(|picks| picks.count), Some(40));
        assert!(
            (0..4)
                .all(|thread| history.picks(Path::new(&format!("/{thread}"))).unwrap().count == 10)
        );
    }

    #[test]
    fn the_least_and_oldest_are_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        let many: Vec<PathBuf> = (0..MAX_ROWS).map(|row| format!("/{row}").into()).collect();
        History::record(temp.path(), None, &many, 1_000).unwrap();
        History::record(temp.path(), None, &many[1..], 2_000).unwrap();
        History::record(temp.path(), None, &["/new".into(), "/newer".into()], 3_000).unwrap();
        let history = History::load(temp.path());
        assert_eq!(history.rows.len(), MAX_ROWS);
        assert!(
            history.picks(Path::new("/0")).is_none() && history.picks(Path::new("/new")).is_some()
        );
    }

    #[test]
    fn a_pick_is_added_and_what_was_there_stays_as_it_is() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join(FILE);
        History::record(temp.path(), None, &["/a".into()], 1).unwrap();
        // A process was killed while it wrote.
        fs::write(&file, [fs::read(&file).unwrap(), b"{\"path\":\"/b".to_vec()].concat()).unwrap();
        let before = fs::read(&file).unwrap();
        History::record(temp.path(), None, &["/a".into()], 2).unwrap();
        assert!(fs::read(&file).unwrap().starts_with(&before));
        let history = History::load(temp.path());
        assert_eq!(history.picks(Path::new("/a")), Some(Picks { count: 2, last_ms: 2 }));
        assert_eq!(history.rows.len(), 1);
    }

    #[test]
    fn a_score_grows_with_picks_and_halves_in_a_fortnight() {
        let fortnight = 14 * 24 * 3_600_000;
        assert_eq!(score(0, 0).to_bits(), 0.0_f64.to_bits());
        assert!(score(2, 5) > score(1, 5) && score(1, 0) > score(1, 5));
        assert!((score(7, fortnight) * 2.0 - score(7, 0)).abs() < 1e-9);
        assert!(score(u32::MAX, u64::MAX) >= 0.0);
    }

    #[test]
    fn a_pick_in_this_repository_comes_before_many_elsewhere() {
        let temp = tempfile::tempdir().unwrap();
        let [here, there] = ["/here", "/there"].map(Path::new);
        let record = |place, skill: &str| {
            History::record(temp.path(), Some(place), &[skill.into()], 1).unwrap();
        };
        (0..1_000).for_each(|_| record(there, "/much"));
        (0..2).for_each(|_| record(here, "/once"));
        let history = History::load(temp.path());
        let score = |skill: &str, place| history.score(Path::new(skill), place, 1);
        assert!(score("/once", Some(here)) > score("/much", Some(here)));
        assert!(score("/much", Some(there)) > score("/once", Some(there)));
        assert!(score("/much", None) > score("/once", None));
        assert_eq!(history.picks(Path::new("/much")).map(|picks| picks.count), Some(1_000));
        // The place survives that the file is written anew.
        let many: Vec<PathBuf> = (0..2 * MAX_LINES).map(|row| format!("/{row}").into()).collect();
        History::record(temp.path(), None, &many, 0).unwrap();
        let history = History::load(temp.path());
        assert!(history.score(Path::new("/once"), Some(here), 1) > HERE);
    }
}
