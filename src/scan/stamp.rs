//! The metadata by which a changed file is noticed.

use crate::catalog::Stamp;
use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The coarsest step in which a file system counts time: FAT takes two seconds.
const STEP: Duration = Duration::from_secs(2);

/// The metadata by which a change of the file is noticed.
#[cfg(unix)]
pub fn stamp_of(meta: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds =
        |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    Stamp {
        device: meta.dev(),
        inode: meta.ino(),
        mtime_ns: nanoseconds(meta.mtime(), meta.mtime_nsec()),
        ctime_ns: nanoseconds(meta.ctime(), meta.ctime_nsec()),
    }
}

/// The metadata by which a change of the file is noticed.
#[cfg(not(unix))]
pub fn stamp_of(meta: &Metadata) -> Stamp {
    let mtime_ns = meta.modified().map_or(0, nanoseconds);
    Stamp { mtime_ns, ..Stamp::default() }
}

/// A build of this program. Another one may read and judge otherwise, so what it has kept does not
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program<'a> {
    version: &'a str,
    /// Of the program's file.
    stamp: Stamp,
    bytes: u64,
}

/// This program; `None` if its file cannot be found.
pub fn this_program() -> Option<Program<'static>> {
    static THIS: OnceLock<Option<Program>> = OnceLock::new();
    let look = || {
        let meta = std::env::current_exe().and_then(std::fs::metadata).ok()?;
        let (version, stamp) = (env!("CARGO_PKG_VERSION"), stamp_of(&meta));
        Some(Program { version, stamp, bytes: meta.len() })
    };
    *THIS.get_or_init(look)
}

/// Whether a later change of a file is sure to give it another stamp: its times are older than a
/// step of the file system's clock. A time that is not known, or lies ahead, never is.
pub(super) fn is_settled(stamp: Stamp, now: SystemTime) -> bool {
    let before = nanoseconds(now.checked_sub(STEP).unwrap_or(UNIX_EPOCH));
    stamp.ctime_ns > 0 && stamp.ctime_ns < before && stamp.mtime_ns < before
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
