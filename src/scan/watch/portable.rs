//! Watches with the `notify` crate on systems without inotify.

use super::super::MAX_ENTRIES;
use super::{Started, Target, WatchError, WatchEvent, Watched, concerns, links};
use crate::files::access::real;
use notify::event::{EventKind, MetadataKind, ModifyKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use walkdir::WalkDir;

/// The most folders outside the roots that are watched because links lead there.
const MAX_LINKED: usize = 1 << 11;

/// Watches until it is dropped.
pub(super) struct Watcher {
    _watcher: RecommendedWatcher,
}

/// Watches the targets. Returns those that cannot be watched.
pub(super) fn watch(
    targets: &[Target],
    watched: &Watched,
    report: Box<dyn Fn(WatchEvent) + Send>,
) -> Result<Started<Watcher>, WatchError> {
    let Real { scope, deep, shallow } = Real::of(targets, watched);
    let on_event = move |event: notify::Result<Event>| match event {
        Err(_) => report(WatchEvent::Stale),
        Ok(event) => meaning(&scope, &event).into_iter().for_each(&report),
    };
    let failure = |error: notify::Error| WatchError(error.to_string());
    let config = Config::default().with_follow_symlinks(false);
    let mut watcher = RecommendedWatcher::new(on_event, config).map_err(failure)?;
    let mut failed = Vec::new();
    // All at once: on macOS each change of what is watched begins everything anew.
    let mut paths = watcher.paths_mut();
    let deep = deep.into_iter().map(|path| (path, RecursiveMode::Recursive));
    let shallow = shallow.into_iter().map(|path| (path, RecursiveMode::NonRecursive));
    for (path, mode) in deep.chain(shallow) {
        if let Err(error) = paths.add(&path, mode) {
            failed.push((path, error.to_string()));
        }
    }
    paths.commit().map_err(failure)?;
    // What was changed before is not known, so it may have been a moment ago.
    Ok(Started { watcher: Watcher { _watcher: watcher }, failed, changed: SystemTime::now() })
}

/// What is watched, by canonical paths: macOS reports no others, and follows no links.
struct Real {
    scope: Watched,
    /// Folders with everything below them, each once and none in another one.
    deep: BTreeSet<PathBuf>,
    shallow: BTreeSet<PathBuf>,
}

impl Real {
    fn of(targets: &[Target], watched: &Watched) -> Self {
        let in_real_folder = |path: &PathBuf| match (path.parent().map(real), path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path.clone(),
        };
        let mut scope = Watched {
            roots: watched.roots.iter().map(|root| real(root)).collect(),
            files: watched.files.iter().map(in_real_folder).collect(),
            depth: watched.depth,
        };
        let places = |deep: bool| targets.iter().filter(move |target| target.deep == deep);
        let mut shallow: BTreeSet<_> = places(false).map(|target| real(&target.path)).collect();
        let mut deep: BTreeSet<_> = places(true).map(|target| real(&target.path)).collect();
        let mut waiting: Vec<PathBuf> = deep.iter().cloned().collect();
        let (mut seen, mut linked) = (0, 0);
        while let Some(folder) = waiting.pop() {
            for link in links_below(&folder, watched.depth, &mut seen) {
                let way = links(&link);
                shallow.extend(way.iter().filter_map(|link| link.parent()).map(real));
                scope.files.extend(way);
                let Ok(end) = link.canonicalize() else { continue };
                // To watch all around a root would report whatever happens on the disk.
                let is_around = deep.iter().any(|root| root.starts_with(&end));
                let is_known = deep.iter().any(|root| end.starts_with(root));
                if end.is_dir() && !is_around && !is_known && linked < MAX_LINKED {
                    linked += 1;
                    scope.roots.push(end.clone());
                    deep.insert(end.clone());
                    waiting.push(end);
                }
            }
        }
        let all = deep.clone();
        let is_within = |path: &PathBuf| path.ancestors().skip(1).any(|above| all.contains(above));
        deep.retain(|path| !is_within(path));
        shallow.retain(|path| !all.contains(path) && !is_within(path));
        Self { scope, deep, shallow }
    }
}

/// The links below a folder, to the depth of the scan. `seen` counts the entries of all folders.
fn links_below(folder: &Path, depth: usize, seen: &mut usize) -> Vec<PathBuf> {
    let enters = |entry: &walkdir::DirEntry| {
        entry.depth() == 0
            || ![".git", "node_modules"].iter().any(|name| entry.file_name() == *name)
    };
    let walk = WalkDir::new(folder).max_depth(depth).into_iter().filter_entry(enters);
    walk.take_while(|_| {
        *seen += 1;
        *seen <= MAX_ENTRIES
    })
    .flatten()
    .filter(walkdir::DirEntry::path_is_symlink)
    .map(walkdir::DirEntry::into_path)
    .collect()
}

/// The meaning of an event. A change of mode can make a skill readable, so metadata counts, except
/// an access time. A folder or link that comes may lead to what is not watched yet.
fn meaning(scope: &Watched, event: &Event) -> Option<WatchEvent> {
    let harmless = match event.kind {
        EventKind::Access(_) => true,
        EventKind::Modify(ModifyKind::Metadata(kind)) => kind == MetadataKind::AccessTime,
        _ => false,
    };
    let mut met = event.paths.iter().filter(|path| concerns(scope, path)).peekable();
    let matters = !harmless && (event.need_rescan() || met.peek().is_some());
    let leads_on = met.any(|path| path.is_symlink() || path.is_dir());
    matters.then_some(if leads_on { WatchEvent::Stale } else { WatchEvent::Changed })
}

#[cfg(test)]
mod tests;
