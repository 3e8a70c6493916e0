//! The log of calls: what was loaded, read and run, by whom and when; never what was in it (REM-9, KOD-7c).
//!
//! One line of JSON a call, appended under a lock, so that any number of processes write at once. Two files of at most
//! half a mebibyte each: when the newer one is full it takes the place of the older one.

use super::{SavedPath, StateError, lock, prepare};
use crate::files::lock::Lock;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file beyond this is turned over, bytes.
pub const MAX_BYTES: u64 = 512 << 10;
/// A text of a call longer than this is cut, bytes: a line stays small whatever a client is named.
const MAX_TEXT: usize = 4_096;
const FILE: &str = "activity.jsonl";
const OLDER: &str = "activity.1.jsonl";
/// How often the lock is asked for, half a second each.
const TRIES: usize = 4;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// A skill's text was loaded.
    Load,
    /// It was given up.
    Unload,
    /// One of its files was read.
    Read,
    /// One of its scripts was run.
    Run,
    /// A person approved something of it.
    Approve,
}

impl Deed {
    /// The word used in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Unload => "unload",
            Self::Read => "read",
            Self::Run => "run",
            Self::Approve => "approve",
        }
    }
}

/// One call. All texts are other people's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What.
    pub deed: Deed,
    /// When, milliseconds since 1970.
    pub at_ms: u64,
    /// The skill's name.
    pub skill: String,
    /// The canonical path of its `SKILL.md`.
    pub path: PathBuf,
    /// The file or script, relative to the skill.
    pub file: Option<String>,
    /// By which client.
    pub client: String,
    /// In which conversation.
    pub session: Option<String>,
    /// Bytes that were handed over; of a run those of both streams.
    pub bytes: Option<u64>,
    /// Whether something was cut.
    pub truncated: bool,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// The script's exit code; 128 + n for signal n.
    pub exit: Option<i32>,
    /// The digest of what was loaded, read or run, hex.
    pub digest: Option<String>,
    /// How a script was shut in; `off` is a deliberate choice (X6).
    pub sandbox: Option<String>,
    /// Why nothing came of it, one word.
    pub error: Option<String>,
}

/// A call as it stands in the file.
#[derive(Serialize, Deserialize)]
struct Line {
    deed: Deed,
    at_ms: u64,
    skill: String,
    #[serde(flatten)]
    path: SavedPath,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default)]
    client: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(default)]
    truncated: bool,
    #[serde(default)]
    duration_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sandbox: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Call {
    /// A call of which nothing more is known yet.
    pub fn new(deed: Deed, at_ms: u64, skill: &str, path: &Path) -> Self {
        Self {
            deed,
            at_ms,
            skill: skill.to_owned(),
            path: path.to_owned(),
            file: None,
            client: String::new(),
            session: None,
            bytes: None,
            truncated: false,
            duration_ms: 0,
            exit: None,
            digest: None,
            sandbox: None,
            error: None,
        }
    }

    fn line(&self) -> Option<Vec<u8>> {
        let short = |text: &String| text[..text.floor_char_boundary(MAX_TEXT)].to_owned();
        let line = Line {
            deed: self.deed,
            at_ms: self.at_ms,
            skill: short(&self.skill),
            path: SavedPath::of(&self.path),
            file: self.file.as_ref().map(short),
            client: short(&self.client),
            session: self.session.as_ref().map(short),
            bytes: self.bytes,
            truncated: self.truncated,
            duration_ms: self.duration_ms,
            exit: self.exit,
            digest: self.digest.clone(),
            sandbox: self.sandbox.clone(),
            error: self.error.clone(),
        };
        let mut bytes = serde_json::to_vec(&line).ok()?;
        bytes.push(b'\n');
        Some(bytes)
    }

    fn parse(line: &[u8]) -> Option<Self> {
        let line: Line = serde_json::from_slice(line).ok()?;
        Some(Self {
            deed: line.deed,
            at_ms: line.at_ms,
            skill: line.skill,
            path: line.path.restore()?,
            file: line.file,
            client: line.client,
            session: line.session,
            bytes: line.bytes,
            truncated: line.truncated,
            duration_ms: line.duration_ms,
            exit: line.exit,
            digest: line.digest,
            sandbox: line.sandbox,
            error: line.error,
        })
    }
}

/// How often a skill was used, and when last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Loads and runs that came to something.
    pub count: u32,
    /// The last of them, milliseconds since 1970.
    pub last_ms: u64,
}

/// The calls that are remembered, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The calls.
    pub calls: Vec<Call>,
}

impl Activity {
    /// Reads what is remembered in this directory: nothing, if it cannot be read. A broken line is skipped.
    pub fn load(directory: &Path) -> Self {
        // While the files change places, a reader waits; without a lock it reads all the same.
        let _turn = Lock::beside(&directory.join(FILE));
        let calls = [OLDER, FILE].iter().flat_map(|name| {
            let bytes = read(&directory.join(name)).unwrap_or_default();
            bytes.split(|byte| *byte == b'\n').filter_map(Call::parse).collect::<Vec<_>>()
        });
        Self { calls: calls.collect() }
    }

    /// Adds a call.
    ///
    /// # Errors
    /// [`StateError`]; a caller may ignore them.
    pub fn append(directory: &Path, call: &Call) -> Result<(), StateError> {
        let Some(line) = call.line() else { return Ok(()) };
        prepare(directory)?;
        let file = directory.join(FILE);
        let _turn = lock(&file, TRIES)?;
        let mut log = open(&file)?;
        let mut length = log.seek(SeekFrom::End(0))?;
        if length + line.len() as u64 > MAX_BYTES && length > 0 {
            drop(log);
            fs::rename(&file, directory.join(OLDER))?;
            log = open(&file)?;
            length = 0;
        }
        // A process that was killed while it wrote has left a part of a line.
        let torn = length > 0 && {
            let mut last = [b'\n'];
            log.seek(SeekFrom::End(-1))?;
            log.read_exact(&mut last)?;
            last != *b"\n"
        };
        let line = if torn { [b"\n".as_slice(), &line].concat() } else { line };
        log.seek(SeekFrom::End(0))?;
        Ok(log.write_all(&line)?)
    }

    /// How often and when last each skill was used, by the path of its `SKILL.md`.
    pub fn uses(&self) -> HashMap<&Path, Use> {
        let mut uses: HashMap<&Path, Use> = HashMap::new();
        let used = |call: &&Call| call.error.is_none() && matches!(call.deed, Deed::Load | Deed::Run);
        for call in self.calls.iter().filter(used) {
            let row = uses.entry(&call.path).or_default();
            row.count = row.count.saturating_add(1);
            row.last_ms = row.last_ms.max(call.at_ms);
        }
        uses
    }
}

/// For reading and writing, made with mode 600; a link in its place is not followed (bar row 24).
fn open(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        options.mode(0o600).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    let file = options.open(file)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    crate::files::write::open_regular(file)
        .map_err(|_| io::Error::from(io::ErrorKind::Other))?
        .take(2 * MAX_BYTES)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: u64) -> Call {
        let mut call = Call::new(Deed::Load, number, "pdf", Path::new("/s/pdf/SKILL.md"));
        (call.client, call.bytes) = ("cli".into(), Some(number));
        call
    }

    #[test]
    fn rem_9_calls_are_read_back_as_they_were_noted() {
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path().join("state");
        assert_eq!(Activity::load(&state), Activity::default());
        let mut run = Call::new(Deed::Run, 2, "a\nb\u{1b}", Path::new("/s/a\nb/SKILL.md"));
        (run.file, run.session, run.exit) = (Some("x.sh".into()), Some("chat 1".into()), Some(137));
        (run.sandbox, run.error, run.truncated) = (Some("off".into()), Some("denied".into()), true);
        Activity::append(&state, &call(1)).unwrap();
        Activity::append(&state, &run).unwrap();
        let activity = Activity::load(&state);
        assert_eq!(activity.calls, [call(1), run]);
        let uses = activity.uses();
        assert_eq!(uses.len(), 1, "what came to nothing is no use");
        assert_eq!(uses[Path::new("/s/pdf/SKILL.md")], Use { count: 1, last_ms: 1 });
    }

    #[cfg(unix)]
    #[test]
    fn the_log_is_private_and_a_planted_link_is_not_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path().join("state");
        Activity::append(&state, &call(1)).unwrap();
        assert_eq!(fs::metadata(state.join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(state.join(FILE)).unwrap();
        symlink(temp.path().join("victim"), state.join(FILE)).unwrap();
        assert!(Activity::append(&state, &call(1)).is_err());
        assert!(!temp.path().join("victim").exists());
    }

    #[test]
    fn the_log_is_bounded_and_keeps_the_newest() {
        let temp = tempfile::tempdir().unwrap();
        let mut long = call(0);
        long.file = Some("x".repeat(100_000));
        for number in 0..600 {
            long.at_ms = number;
            Activity::append(temp.path(), &long).unwrap();
        }
        let size = |name: &str| fs::metadata(temp.path().join(name)).unwrap().len();
        assert!(size(FILE) <= MAX_BYTES && size(OLDER) <= MAX_BYTES);
        let calls = Activity::load(temp.path()).calls;
        assert!(calls.len() > 100 && calls.last().unwrap().at_ms == 599);
        assert!(calls.is_sorted_by_key(|call| call.at_ms));
    }

    #[test]
    fn a_torn_or_broken_line_costs_only_itself() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join(FILE), "{\"deed\":\"load\",\"at_\u{ff}").unwrap();
        Activity::append(temp.path(), &call(7)).unwrap();
        assert_eq!(Activity::load(temp.path()).calls, [call(7)]);
    }

    #[test]
    fn writers_at_once_lose_no_call() {
        let temp = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let directory = temp.path();
                scope.spawn(move || {
                    for round in 0..25 {
                        while Activity::append(directory, &call(thread * 100 + round)).is_err() {}
                    }
                });
            }
        });
        let mut seen: Vec<u64> = Activity::load(temp.path()).calls.iter().map(|call| call.at_ms).collect();
        seen.sort_unstable();
        let expected: Vec<u64> = (0..4).flat_map(|thread| (0..25).map(move |round| thread * 100 + round)).collect();
        assert_eq!(seen, expected);
    }
}
