//! Tells when something that the catalog was made of may have changed (D14).
//!
//! The watcher sleeps in the kernel; nothing here polls. It says *that* something changed, not what: the
//! catalog is scanned again, which costs less than being wrong.

use notify::event::{EventKind, ModifyKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Folders with everything below them; one that does not exist is watched for by its nearest ancestor.
    pub roots: Vec<PathBuf>,
    /// Single files, watched by their folder, so that a replaced file is still watched.
    pub files: Vec<PathBuf>,
}

/// Watches until it is dropped.
pub struct Watch {
    _watcher: RecommendedWatcher,
    targets: Vec<Target>,
    /// The system told of an error since: something is no longer seen.
    broken: Arc<AtomicBool>,
    /// The places that could not be watched, with the reason: they are seen on the next scan by hand only.
    pub failed: Vec<(PathBuf, String)>,
}

impl Watch {
    /// Starts watching; `changed` is called from the watcher's thread for every relevant change, often many
    /// times for one save, so it must be cheap.
    ///
    /// # Errors
    /// The system has no watching (or no handles left for it).
    pub fn start(watched: &Watched, changed: impl Fn() + Send + 'static) -> Result<Self, notify::Error> {
        let (scope, broken) = (watched.clone(), Arc::new(AtomicBool::new(false)));
        let failing = Arc::clone(&broken);
        let on_event = move |event: notify::Result<Event>| {
            failing.fetch_or(event.is_err(), Ordering::Relaxed);
            if event.map_or(true, |event| relevant(&scope, &event)) {
                changed();
            }
        };
        let config = Config::default().with_follow_symlinks(true);
        let mut watcher = RecommendedWatcher::new(on_event, config)?;
        let mut failed = Vec::new();
        let targets = targets(watched);
        for Target { path, mode, .. } in &targets {
            if let Err(error) = watcher.watch(path, *mode) {
                failed.push((path.clone(), error.to_string()));
            }
        }
        Ok(Self { _watcher: watcher, targets, broken, failed })
    }

    /// Whether it still sees everything that a fresh start would: a root that was missing may be there by now, one
    /// that was there may have been replaced, and then the system watches what is gone.
    pub fn holds(&self, watched: &Watched) -> bool {
        !self.broken.load(Ordering::Relaxed) && self.targets == targets(watched)
    }
}

/// A folder that the system is asked to watch.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    path: PathBuf,
    mode: RecursiveMode,
    /// Which folder it is: the same path may be another one later.
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
    let mut add = |path: &Path, mode| {
        if !targets.iter().any(|seen| seen.path == path) {
            targets.push(Target { path: path.to_owned(), mode, identity: identity(path) });
        }
    };
    for root in &watched.roots {
        if root.is_dir() {
            add(root, RecursiveMode::Recursive);
        } else if let Some(ancestor) = nearest(root) {
            add(&ancestor, RecursiveMode::NonRecursive);
        }
    }
    for folder in watched.files.iter().filter_map(|file| file.parent()) {
        if let Some(ancestor) = nearest(folder) {
            add(&ancestor, RecursiveMode::NonRecursive);
        }
    }
    targets
}

/// The nearest folder that exists, from `path` upwards.
fn nearest(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|ancestor| ancestor.is_dir()).map(Path::to_owned)
}

/// Whether an event can change the catalog: reading a file does not, nor does a neighbour of what is watched.
fn relevant(watched: &Watched, event: &Event) -> bool {
    let harmless = matches!(event.kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)));
    // A change of mode can make a skill readable or not, so metadata counts unless it is an access time.
    let harmless = harmless
        && !matches!(event.kind, EventKind::Modify(ModifyKind::Metadata(kind)) if kind != notify::event::MetadataKind::AccessTime);
    !harmless
        && (event.need_rescan()
            || event.paths.iter().any(|path| {
                let below = watched.roots.iter().any(|root| path.starts_with(root) || root.starts_with(path));
                below || watched.files.iter().any(|file| file == path || file.starts_with(path))
            }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_root_that_appears_or_is_replaced_is_no_longer_held() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("skills");
        let watched = Watched { roots: vec![root.clone()], files: vec![folder.path().join("config/config.toml")] };
        let start = || Watch::start(&watched, || {}).unwrap();

        let waiting = start();
        assert!(waiting.failed.is_empty() && waiting.holds(&watched));
        fs::create_dir(&root).unwrap();
        assert!(!waiting.holds(&watched), "it appeared");

        let there = start();
        fs::create_dir(root.join("new")).unwrap();
        assert!(there.holds(&watched), "what is below it is seen as it comes");
        fs::rename(&root, folder.path().join("old")).unwrap();
        fs::create_dir(&root).unwrap();
        assert!(!there.holds(&watched), "it was replaced");

        let again = start();
        fs::create_dir(folder.path().join("config")).unwrap();
        assert!(!again.holds(&watched), "the settings' folder appeared");
        let other = Watched { roots: vec![root], files: Vec::new() };
        assert!(!again.holds(&other));
    }
}
