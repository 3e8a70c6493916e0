//! Runs another program within limits of time and output, and leaves no process of it alive.
//!
//! Its output goes to files without a name, not through pipes. A program that leaves without
//! emptying its pipe loses the rest (opencode 1.18.33 loses all beyond 64 KiB), and a grandchild
//! that keeps a pipe open would keep us waiting. The program gets only the environment that is
//! given, and a process group of its own, which ends with it. A program that leaves its group on
//! purpose is not ended.

mod system;
mod watch;

#[cfg(all(test, unix))]
mod tests;

use crate::text::reason_of;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the rest of a process group has to end by itself before it is killed.
const GRACE: Duration = Duration::from_millis(300);

#[derive(Clone, Debug, Default)]
pub struct Run {
    /// See [`find`].
    pub program: PathBuf,
    /// Without the program's own name.
    pub arguments: Vec<OsString>,
    pub folder: PathBuf,
    pub environment: Vec<(OsString, OsString)>,
    pub input: Vec<u8>,
    /// How long stdin stays open after it was written. Some programs answer only while it is open.
    pub hold: Duration,
    /// Ends the program once this is true of its output so far.
    pub enough: Option<fn(&[u8]) -> bool>,
    /// How long its output must not change after that. For a program that does not mark the end of
    /// its answer.
    pub settle: Duration,
    pub timeout: Duration,
    /// In bytes for each stream. A program that writes more is ended.
    pub cap: u64,
    /// Ends the program once this is set: nobody waits for it any more.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Run {
    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// `None` if a signal ended it, such as ours once its output was enough.
    pub code: Option<i32>,
    /// At most [`Run::cap`] bytes.
    pub stdout: Vec<u8>,
    /// At most [`Run::cap`] bytes.
    pub stderr: Vec<u8>,
    /// Whether a stream exceeded [`Run::cap`], and the program was ended for it.
    pub cut: bool,
}

/// Why there is no output. The messages quote no output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("the program is not there")]
    NotFound,
    /// The program exists, but does not start or cannot be watched.
    #[error("the program could not be run; the operating system says: {}", reason_of(*.0))]
    NotStarted(io::ErrorKind),
    /// It was ended before it was done, or not begun.
    #[error("nobody waits for the program any more")]
    Stopped,
    /// It took too long and was ended.
    #[error("the program did not end within {} ms", .after.as_millis())]
    TimedOut {
        after: Duration,
        stdout: Vec<u8>,
        /// Other people's text.
        stderr: Vec<u8>,
    },
}

/// The first executable file of this name in the folders of `path` (a value of `PATH`). Empty and
/// relative folders are skipped, so that a program is never taken from the working directory.
pub fn find(program: &str, path: &OsStr) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(program)).find(|file| system::may_run(file))
}

/// Runs a program to its end.
///
/// # Errors
/// [`Failure`]. The program's group has ended in any case.
pub fn run(run: &Run) -> Result<Output, Failure> {
    let lost = |error: io::Error| Failure::NotStarted(error.kind());
    if run.is_stopped() {
        return Err(Failure::Stopped);
    }
    if !run.folder.is_dir() {
        return Err(Failure::NotStarted(io::ErrorKind::NotADirectory));
    }
    let streams = Streams {
        stdout: tempfile::tempfile().map_err(lost)?,
        stderr: tempfile::tempfile().map_err(lost)?,
    };
    let started = Instant::now();
    let mut child = start(run, &streams)?;
    let seen = watch::Watch::new(run, started).follow(&mut child, &streams);
    let code = system::end(&mut child, GRACE);
    let (stdout, more_out) = first(&streams.stdout, run.cap).map_err(lost)?;
    let (stderr, more_err) = first(&streams.stderr, run.cap).map_err(lost)?;
    match seen.map_err(lost)? {
        watch::Seen::Stopped => Err(Failure::Stopped),
        watch::Seen::TooLate => Err(Failure::TimedOut { after: run.timeout, stdout, stderr }),
        watch::Seen::Ended | watch::Seen::Enough | watch::Seen::TooMuch => {
            Ok(Output { code, stdout, stderr, cut: more_out || more_err })
        }
    }
}

struct Streams {
    stdout: File,
    stderr: File,
}

fn start(run: &Run, streams: &Streams) -> Result<Child, Failure> {
    let lost = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Failure::NotFound,
        kind => Failure::NotStarted(kind),
    };
    let mut command = Command::new(&run.program);
    command
        .args(&run.arguments)
        .current_dir(&run.folder)
        .env_clear()
        .envs(run.environment.iter().cloned());
    command.stdin(Stdio::piped());
    command
        .stdout(streams.stdout.try_clone().map_err(lost)?)
        .stderr(streams.stderr.try_clone().map_err(lost)?);
    system::own_process_group(&mut command);
    command.spawn().map_err(lost)
}

/// The first bytes of a stream, and whether there are more. The file position is not changed, since
/// the program shares it.
fn first(file: &File, cap: u64) -> io::Result<(Vec<u8>, bool)> {
    let length = file.metadata()?.len();
    let mut bytes = vec![0; usize::try_from(length.min(cap)).unwrap_or(0)];
    let mut filled = 0;
    while filled < bytes.len() {
        match system::read_at(file, &mut bytes[filled..], filled as u64)? {
            0 => break,
            count => filled += count,
        }
    }
    bytes.truncate(filled);
    Ok((bytes, length > cap))
}

/// The minimal environment of a program: `PATH` and the home directory.
pub fn environment(home: &Path, path: &OsStr) -> Vec<(OsString, OsString)> {
    vec![
        ("HOME".into(), home.into()),
        ("PATH".into(), path.into()),
        ("LANG".into(), "C.UTF-8".into()),
    ]
}
