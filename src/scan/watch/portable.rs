//! Watches with the `notify` crate on systems without inotify.

use super::{Started, Target, WatchError, WatchEvent, Watched, concerns};
use notify::event::{EventKind, MetadataKind, ModifyKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::time::SystemTime;

/// Watches until it is dropped.
pub(super) struct Watcher {
    _watcher: RecommendedWatcher,
}

/// Watches the targets. Returns those that cannot be watched.
pub(super) fn watch(
    targets: &[Target],
    watched: &Watched,
    report: Box<dyn Fn(WatchEvent) + Send>,
) -> Result<Started, WatchError> {
    let scope = watched.clone();
    let on_event = move |event: notify::Result<Event>| match event {
        Err(_) => report(WatchEvent::Stale),
        Ok(event) if relevant(&scope, &event) => report(WatchEvent::Changed),
        Ok(_) => {}
    };
    let config = Config::default().with_follow_symlinks(true);
    let mut watcher =
        RecommendedWatcher::new(on_event, config).map_err(|error| WatchError(error.to_string()))?;
    let mut failed = Vec::new();
    for Target { path, deep, .. } in targets {
        let mode = if *deep { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        if let Err(error) = watcher.watch(path, mode) {
            failed.push((path.clone(), error.to_string()));
        }
    }
    // What was changed before is not known, so it may have been a moment ago.
    Ok(Started { watcher: Watcher { _watcher: watcher }, failed, changed: SystemTime::now() })
}

/// A change of mode can make a skill readable, so metadata counts, except an access time.
fn relevant(watched: &Watched, event: &Event) -> bool {
    let harmless = match event.kind {
        EventKind::Access(_) => true,
        EventKind::Modify(ModifyKind::Metadata(kind)) => kind == MetadataKind::AccessTime,
        _ => false,
    };
    !harmless && (event.need_rescan() || event.paths.iter().any(|path| concerns(watched, path)))
}
