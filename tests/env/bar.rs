//! How many samples a test tries, and the record of it: docs/reliability.md is written from that.
//!
//! `cargo test` tries a tenth. `.ci/bar` sets `SKILLPICK_THOROUGH` to 1, with which all are tried, and
//! names in `SKILLPICK_BAR` the folder of the records. A larger number tries so many times as many,
//! where samples are counted.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// How many times all samples are tried; nothing if only a tenth is.
fn times() -> Option<usize> {
    std::env::var("SKILLPICK_THOROUGH").ok().map(|times| times.parse().unwrap())
}

/// Whether all samples are tried, and not a tenth.
pub(crate) fn is_thorough() -> bool {
    times().is_some()
}

/// How many of all these samples are tried in this run.
pub(crate) fn share(all: usize) -> usize {
    times().map_or(all.div_ceil(10), |times| all * times)
}

/// A folder in memory, where the system has such a place: on a disk, a rename can take 10 ms.
pub(crate) fn quick_folder() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap()
}

/// How much of the processor this thread needs for something: that does not depend on what else the
/// machine does.
pub(crate) fn spent(work: impl FnOnce()) -> Duration {
    #[cfg(target_os = "linux")]
    let now = || {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = getrusage(UsageWho::RUSAGE_THREAD).unwrap();
        let [user, system] = [usage.user_time(), usage.system_time()]
            .map(|time| time.tv_sec() * 1_000_000 + time.tv_usec());
        Duration::from_micros(u64::try_from(user + system).unwrap())
    };
    #[cfg(not(target_os = "linux"))]
    let now = {
        let begun = std::time::Instant::now();
        move || begun.elapsed()
    };
    let before = now();
    work();
    now() - before
}

/// The folder of the records, if this run has one.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os("SKILLPICK_BAR").map(PathBuf::from)
}

/// Records that the test whose thread this is has tried so many samples more. Nothing is recorded
/// of a test that fails, if it calls this at its end.
pub(crate) fn tried(samples: usize) {
    let thread = std::thread::current();
    let Some((folder, name)) = folder().zip(thread.name()) else { return };
    let test = name.rsplit("::").next().unwrap_or(name);
    fs::create_dir_all(&folder).unwrap();
    let mut record = fs::File::options().append(true).create(true).open(folder.join(test)).unwrap();
    writeln!(record, "{samples}").unwrap();
}

/// What a test has recorded: the sum, which is 0 if it left something out.
pub(crate) fn recorded(folder: &Path, test: &str) -> Option<usize> {
    let record = fs::read_to_string(folder.join(test)).ok()?;
    let tried: Vec<usize> = record.lines().map(|line| line.parse().unwrap()).collect();
    Some(if tried.contains(&0) { 0 } else { tried.iter().sum() })
}
