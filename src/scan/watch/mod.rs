//! Tells when something that the catalog was made of may have changed.
//!
//! The watcher sleeps in the kernel and never polls. It reports *that* something changed, not what:
//! a new scan costs less than a wrong catalog.

#[cfg(target_os = "linux")]
mod inotify;
// On Linux only its tests use it.
#[cfg(any(test, not(target_os = "linux")))]
mod portable;

#[cfg(target_os = "linux")]
use inotify as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Folders with everything below them. If one does not exist, its nearest ancestor is watched.
    /// On Linux a new name of a folder above one is noticed as well.
    pub roots: Vec<PathBuf>,
    /// The depth of skills below a root. Deeper folders are not watched.
    pub depth: usize,
    /// Single files. Their folders are watched, so that a replaced file is still noticed.
    pub files: Vec<PathBuf>,
}

/// Watches until it is dropped.
pub struct Watch {
    _watcher: system::Watcher,
    targets: Vec<Target>,
    /// Not everything is watched any more: an error, or a folder came or went.
    stale: Arc<AtomicBool>,
    /// Paths that could not be watched, with the reason. Only a scan on request notices their
    /// changes.
    pub failed: Vec<(PathBuf, String)>,
    /// When something that is watched was changed last, before it was watched. A scan that began
    /// later need not be repeated.
    pub changed: SystemTime,
}

/// A system's watcher that has started.
struct Started<W = system::Watcher> {
    watcher: W,
    failed: Vec<(PathBuf, String)>,
    /// See [`Watch::changed`].
    changed: SystemTime,
}

/// What a system's watcher reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WatchEvent {
    /// A relevant change.
    Changed,
    /// A relevant change after which not everything is watched any more.
    Stale,
}

/// Why nothing is watched.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WatchError(String);

impl Watch {
    /// Starts watching. `changed` is called on the watcher's thread for every relevant change,
    /// often many times for one save, so it must be cheap.
    ///
    /// # Errors
    /// The system has no watching (or no handles left for it).
    pub fn start(
        watched: &Watched,
        changed: impl Fn() + Send + 'static,
    ) -> Result<Self, WatchError> {
        let stale = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&stale);
        let watched = &watched.with_links();
        let targets = targets(watched);
        let report = move |event| {
            own.fetch_or(event == WatchEvent::Stale, Ordering::Relaxed);
            changed();
        };
        let Started { watcher, failed, changed } =
            system::watch(&targets, watched, Box::new(report))?;
        Ok(Self { _watcher: watcher, targets, stale, failed, changed })
    }

    /// Whether it still watches everything that a new watcher would. A missing root may exist by
    /// now, and if an existing one was replaced, the system still watches the old one.
    pub fn holds(&self, watched: &Watched) -> bool {
        !self.stale.load(Ordering::Relaxed) && self.targets == targets(&watched.with_links())
    }
}

impl Watched {
    /// The same with the links by which its roots and files are reached: to turn one of them may
    /// change all that is found.
    fn with_links(&self) -> Self {
        let mut all = self.clone();
        for link in self.roots.iter().chain(&self.files).flat_map(|path| links(path)) {
            // Some folders may be passed through and not be watched.
            let may = link.parent().is_some_and(|folder| folder.read_dir().is_ok());
            if may && !all.files.contains(&link) {
                all.files.push(link);
            }
        }
        all
    }
}

/// How many links a path may have, as for the kernel.
const MAX_LINKS: usize = 40;

/// The links by which a path leads to its end, each in its real folder; and what is at the end of
/// them, if it is a file or missing.
fn links(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let (mut real, mut rest) = (PathBuf::new(), path.to_owned());
    loop {
        let mut parts = rest.components();
        let Some(part) = parts.next() else { break };
        if part == Component::ParentDir {
            real.pop();
            rest = parts.as_path().to_owned();
            continue;
        }
        let here = real.join(part);
        match here.read_link() {
            Ok(_) if found.len() == MAX_LINKS => return found,
            Ok(target) => {
                rest = target.join(parts.as_path());
                found.push(here);
            }
            // It may come again.
            Err(error) if error.kind() == ErrorKind::NotFound && !found.is_empty() => {
                found.push(here);
                return found;
            }
            Err(_) => {
                rest = parts.as_path().to_owned();
                real = here;
            }
        }
    }
    if !found.is_empty() && real.is_file() {
        found.push(real);
    }
    found
}

/// A folder that the system is asked to watch.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    path: PathBuf,
    /// With everything below it.
    deep: bool,
    /// Identifies the folder, since another one may get the same path later.
    identity: Option<(u64, u64)>,
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_path: &Path) -> Option<(u64, u64)> {
    None
}

/// The folders that the system is asked to watch.
fn targets(watched: &Watched) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    let mut add = |path: &Path, deep| {
        if !targets.iter().any(|seen| seen.path == path) {
            targets.push(Target { path: path.to_owned(), deep, identity: identity(path) });
        }
    };
    for root in &watched.roots {
        if root.is_dir() {
            add(root, true);
        } else if let Some(ancestor) = nearest(root) {
            add(&ancestor, false);
        }
    }
    for folder in watched.files.iter().filter_map(|file| file.parent()) {
        if let Some(ancestor) = nearest(folder) {
            add(&ancestor, false);
        }
    }
    targets
}

/// The nearest existing folder, from `path` upwards.
fn nearest(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|ancestor| ancestor.is_dir()).map(Path::to_owned)
}

/// Whether an event at `path` can change the catalog. A neighbor of a watched file cannot.
fn concerns(watched: &Watched, path: &Path) -> bool {
    let below = watched.roots.iter().any(|root| path.starts_with(root) || root.starts_with(path));
    below || watched.files.iter().any(|file| file == path || file.starts_with(path))
}

#[cfg(test)]
mod tests;
