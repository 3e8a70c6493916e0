//! Reads the files of one skill relative to a handle on its directory. The kernel keeps every path
//! beneath it.
//!
//! Nothing here is decided by the text of a path. The directory itself is opened by its canonical
//! path, in which no link is followed. On Linux `openat2` walks paths, those beneath it under
//! `RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS`; where it is missing, and on other systems, [`walk`]
//! opens one component after the other with `O_NOFOLLOW` and resolves links itself.

mod refusal;
mod tree;

#[cfg(unix)]
mod list;
#[cfg(unix)]
mod located;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod walk;

#[cfg(any(test, not(unix)))]
pub mod plain;

#[cfg(all(test, unix))]
mod tests;

#[cfg(not(unix))]
pub use plain::{SkillDir, read_plain};
pub use refusal::{Kind, Refusal};
pub use tree::{EntryKind, FileEntry, LinkEnd, Tree, TreeLimits};
#[cfg(unix)]
pub use unix::{SkillDir, read_plain};

use std::io::Read;
use std::path::Path;

/// More components than this in one relative path are refused before anything is opened.
pub const MAX_COMPONENTS: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The first bytes of the file.
    pub bytes: Vec<u8>,
    /// The file's size in bytes, as `fstat` said when it was opened; more if more was read.
    pub total: u64,
    /// Whether the file is longer than `bytes`, because of the cap.
    pub cut: bool,
}

impl Content {
    /// Reads at most `cap` bytes; memory is bounded by `cap` whatever the file's size or growth.
    pub(crate) fn read(source: impl Read, size: u64, cap: u64) -> Result<Self, Refusal> {
        let mut bytes =
            Vec::with_capacity(usize::try_from(size.min(cap)).unwrap_or(0).min(1 << 20) + 1);
        source.take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
        let read = bytes.len() as u64;
        let cut = read > cap;
        if cut {
            bytes.truncate(usize::try_from(cap).unwrap_or(usize::MAX));
        }
        Ok(Self { bytes, total: size.max(read), cut })
    }
}

/// Checks what can be checked before anything is opened.
///
/// `..` is not refused here: `a/../b` stays inside, and only the walk can tell whether `link/..`
/// does.
fn check(relative: &Path) -> Result<(), Refusal> {
    let bytes = relative.as_os_str().as_encoded_bytes();
    if bytes.is_empty() {
        return Err(Refusal::Empty);
    }
    if bytes.contains(&0) {
        return Err(Refusal::Nul);
    }
    if relative.has_root() || relative.is_absolute() {
        return Err(Refusal::Absolute);
    }
    if bytes.split(|byte| *byte == b'/').count() > MAX_COMPONENTS {
        return Err(Refusal::TooManyComponents);
    }
    Ok(())
}

/// Whether the path leaves by its own `..` rather than by a link. This only chooses the name of a
/// refusal that the kernel has decided.
fn leaves_by_itself(relative: &Path) -> bool {
    use std::path::Component;
    let mut depth = 0_i64;
    relative.components().any(|component| {
        depth += match component {
            Component::ParentDir => -1,
            Component::Normal(_) => 1,
            _ => 0,
        };
        depth < 0
    })
}
