//! Watches on Linux with inotify.
//!
//! The `notify` crate keeps more than a kilobyte for each folder, and wakes up whenever a file is
//! opened for reading, by us too. With ten thousand skills that is half of the program's memory
//! budget. Here only the kernel remembers the folders below a root.

use super::super::MAX_ENTRIES;
use super::super::ignored::is_ignore_file;
use super::super::listing::is_markdown;
use super::super::visited::{Identity, Visited};
use super::{Started, Target, WatchError, WatchEvent, Watched, concerns, links};
use crate::catalog::validate::FILE_NAME;
use crate::text;
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::fd::OwnedFd;
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use walkdir::WalkDir;

/// The events that can change a catalog: names, contents, modes. Reading cannot.
const EVENTS: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// The events of a folder in which watched ones lie: it is renamed or removed. Its files wake nobody.
const OWN_EVENTS: WatchFlags = WatchFlags::DELETE_SELF
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::MASK_ADD);

/// The most folders that are watched below one root. The kernel keeps about a kilobyte for each,
/// and the person's other programs share its limit. A link to `/` in a skill must not use it up.
const MAX_FOLDERS: usize = 1 << 16;

/// The most folders that are watched below one link, which may lead to a whole disk. At most so many
/// are watched only for the links in them, and so many only because watched ones lie in them.
const MAX_LINKED: usize = 1 << 11;

/// The scan never enters these folders either.
const NEVER: [&str; 2] = [".git", "node_modules"];

/// Watches until it is dropped.
pub(super) struct Watcher {
    stop: OwnedFd,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Nobody waits for the thread to end.
        let _ = rustix::io::write(&self.stop, &1_u64.to_ne_bytes());
    }
}

/// Watches the targets. Returns those that cannot be watched.
pub(super) fn watch(
    targets: &[Target],
    watched: &Watched,
    report: Box<dyn Fn(WatchEvent) + Send>,
) -> Result<Started, WatchError> {
    watch_at_most(targets, watched, report, MAX_FOLDERS)
}

fn watch_at_most(
    targets: &[Target],
    watched: &Watched,
    report: Box<dyn Fn(WatchEvent) + Send>,
    most: usize,
) -> Result<Started, WatchError> {
    let failure = |error: Errno| WatchError(text::reason(&error.into()));
    let stop = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(failure)?;
    let mut failed: Vec<(PathBuf, String)> = Vec::new();
    let limits = Limits { depth: watched.depth, folders: most };
    let Armed { kernel, shallow, links, mut changes, .. } = loop {
        let works = |target: &&Target| failed.iter().all(|(path, _)| *path != target.path);
        match arm(targets.iter().filter(works), limits)? {
            Ok(armed) => break armed,
            Err(new) => failed.push(new),
        }
    };
    let shallow_paths = targets.iter().filter(|target| !target.deep).map(|target| &target.path);
    for path in shallow_paths.chain(&watched.files) {
        changes.look(path);
    }
    let own = stop.try_clone().map_err(|error| WatchError(text::reason(&error)))?;
    let files = watched.files.iter().cloned().chain(links).collect();
    let scope = Watched { files, ..watched.clone() };
    let body = move || {
        listen(&kernel, &own, &|number, name| interesting(&shallow, &scope, number, name), &*report)
    };
    thread::Builder::new()
        .name("watch-files".to_owned())
        .spawn(body)
        .map_err(|error| WatchError(error.to_string()))?;
    Ok(Started { watcher: Watcher { stop }, failed, changed: changes.0 })
}

/// What is watched.
struct Armed {
    kernel: OwnedFd,
    /// The folders of which only some names matter, by their numbers. Links may give one of them
    /// several paths.
    shallow: HashMap<i32, Vec<PathBuf>>,
    /// The numbers of the others.
    deep: HashSet<i32>,
    /// The links that were met below the roots.
    links: Vec<PathBuf>,
    /// The folders in which the others lie, up to `/`: if one is renamed, all below it is gone.
    above: HashSet<PathBuf>,
    changes: Changes,
}

/// Watches these targets, or gives the first that cannot be watched, and why. What was watched up
/// to then is given up as a whole: to remove one handle after the other would tell of each, and
/// more than the kernel remembers.
fn arm<'a>(
    targets: impl Iterator<Item = &'a Target>,
    limits: Limits,
) -> Result<Result<Armed, (PathBuf, String)>, WatchError> {
    let kernel = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)
        .map_err(|error| WatchError(text::reason(&error.into())))?;
    let mut armed = Armed {
        kernel,
        shallow: HashMap::new(),
        deep: HashSet::new(),
        links: Vec::new(),
        above: HashSet::new(),
        changes: Changes(UNIX_EPOCH),
    };
    for target in targets {
        let outcome = if target.deep {
            watch_below(&mut armed, &target.path, limits)
        } else {
            armed.add_shallow(&target.path).map(drop).map_err(reason)
        };
        if let Err(reason) = outcome {
            return Ok(Err((target.path.clone(), reason)));
        }
        armed.note_above(&target.path);
    }
    armed.watch_links();
    armed.watch_above();
    Ok(Ok(armed))
}

impl Armed {
    /// Watches a folder of a root.
    fn add_deep(&mut self, folder: &Path) -> Result<(), Errno> {
        let number = add_watch(&self.kernel, folder, EVENTS)?;
        self.shallow.remove(&number);
        self.deep.insert(number);
        Ok(())
    }

    /// Watches a folder for some names in it. Returns whether it is not watched for all of them.
    fn add_shallow(&mut self, folder: &Path) -> Result<bool, Errno> {
        let number = add_watch(&self.kernel, folder, EVENTS)?;
        let is_shallow = !self.deep.contains(&number);
        if is_shallow {
            let paths = self.shallow.entry(number).or_default();
            if !paths.iter().any(|known| known == folder) {
                paths.push(folder.to_owned());
            }
        }
        Ok(is_shallow)
    }

    /// Watches the links that lie in none of the folders. Only a scan on request notices the change
    /// of one that cannot be watched.
    fn watch_links(&mut self) {
        for link in std::mem::take(&mut self.links) {
            let Some(folder) = link.parent() else { continue };
            self.note_above(folder);
            if !link.exists() {
                // It may have been there a moment ago.
                self.changes.look(folder);
            }
            if self.shallow.len() < MAX_LINKED && self.add_shallow(folder) == Ok(true) {
                self.links.push(link);
            }
        }
    }

    /// Notes in which folders this one really lies.
    fn note_above(&mut self, folder: &Path) {
        let Ok(real) = folder.canonicalize() else { return };
        for above in real.ancestors().skip(1) {
            // Those above a known one are known.
            if self.above.len() == MAX_LINKED || !self.above.insert(above.to_owned()) {
                return;
            }
        }
    }

    /// Watches the folders above the others, where that is allowed. They share most of them.
    fn watch_above(&mut self) {
        for folder in std::mem::take(&mut self.above) {
            if add_watch(&self.kernel, &folder, OWN_EVENTS).is_ok() {
                self.changes.look_above(&folder);
            }
        }
    }
}

/// The newest change of what was looked at. A change of its contents, its names or its mode counts,
/// and no program can date it back.
struct Changes(SystemTime);

impl Changes {
    /// Looks at a path, links followed, and identifies it. All that cannot be examined is the same.
    fn look(&mut self, path: &Path) -> Identity {
        let Ok(meta) = std::fs::metadata(path) else { return (0, 0) };
        let (seconds, nanos) = (u64::try_from(meta.ctime()), u32::try_from(meta.ctime_nsec()));
        let since = Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default());
        self.0 = self.0.max(UNIX_EPOCH + since);
        (meta.dev(), meta.ino())
    }

    /// Looks at a folder of which only its own place matters. A new name in it dates both its times,
    /// a new name of its own one of them.
    fn look_above(&mut self, folder: &Path) {
        let is_moved = |meta: &Metadata| {
            (meta.ctime(), meta.ctime_nsec()) != (meta.mtime(), meta.mtime_nsec())
        };
        if std::fs::metadata(folder).is_ok_and(|meta| is_moved(&meta)) {
            self.look(folder);
        }
    }
}

/// Whether a host reads a file of this name when it looks for skills.
fn is_read(name: &OsStr) -> bool {
    let is_main = name.eq_ignore_ascii_case(FILE_NAME);
    is_main || is_markdown(name) || name == "openai.yaml" || is_ignore_file(name)
}

/// How far a watch goes below a root.
#[derive(Clone, Copy)]
struct Limits {
    depth: usize,
    folders: usize,
}

/// Watches a folder and the folders below it, links followed, to the depth of the scan. Each folder
/// is watched once, since links can make the number of paths explode. Stops at the first error,
/// since without handles the next folders would fail too.
fn watch_below(armed: &mut Armed, root: &Path, limits: Limits) -> Result<(), String> {
    armed.add_deep(root).map_err(reason)?;
    let mut visited = Visited::default();
    visited.again(armed.changes.look(root));
    let (mut seen, mut folders) = (0, 1);
    // The folders below a link, and how deep the link lies.
    let (mut linked, mut link) = (0, None);
    let mut walk =
        WalkDir::new(root).min_depth(1).max_depth(limits.depth).follow_links(true).into_iter();
    while let Some(entry) = walk.next() {
        seen += 1;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                // A link that leads nowhere may lead somewhere again.
                armed.links.extend(error.path().into_iter().flat_map(links));
                continue;
            }
        };
        if seen > MAX_ENTRIES || folders >= limits.folders {
            return Err("there are too many files and folders below it".to_owned());
        }
        let is_dir = entry.file_type().is_dir();
        if entry.path_is_symlink() && (is_dir || is_read(entry.file_name())) {
            armed.links.extend(links(entry.path()));
            armed.note_above(entry.path());
        }
        if !is_dir {
            if is_read(entry.file_name()) {
                armed.changes.look(entry.path());
            }
            continue;
        }
        let enters = !NEVER.iter().any(|never| entry.file_name() == *never);
        link = link.filter(|depth| entry.depth() > *depth);
        if link.is_none() && entry.path_is_symlink() {
            (linked, link) = (0, Some(entry.depth()));
        }
        linked += usize::from(link.is_some());
        let is_enough = link.is_some() && linked > MAX_LINKED;
        if !enters || is_enough {
            walk.skip_current_dir();
            continue;
        }
        // It is watched before it is looked at, so that no change is missed in between.
        match armed.add_deep(entry.path()) {
            // It is gone or not readable. The scan reports what that means.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) | Ok(()) => {}
            Err(error) => return Err(reason(error)),
        }
        if visited.again(armed.changes.look(entry.path())) {
            walk.skip_current_dir();
            continue;
        }
        folders += 1;
    }
    Ok(())
}

fn reason(error: Errno) -> String {
    match error {
        Errno::NOSPC => "the system's limit of watches is reached".to_owned(),
        error => text::reason(&error.into()),
    }
}

/// Whether an event in the folder with this number matters. In a folder below a root every event
/// does.
fn interesting(
    shallow: &HashMap<i32, Vec<PathBuf>>,
    watched: &Watched,
    number: i32,
    name: Option<&OsStr>,
) -> bool {
    let Some(folders) = shallow.get(&number) else { return true };
    folders.iter().any(|folder| {
        let path = name.map_or_else(|| folder.clone(), |name| folder.join(name));
        concerns(watched, &path)
    })
}

/// Sleeps until something happens, reports what matters, and ends on request.
fn listen(
    kernel: &OwnedFd,
    stop: &OwnedFd,
    matters: &dyn Fn(i32, Option<&OsStr>) -> bool,
    report: &dyn Fn(WatchEvent),
) {
    let mut buffer = [MaybeUninit::uninit(); 16 << 10];
    loop {
        let mut ready = [PollFd::new(kernel, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
        match poll(&mut ready, None) {
            Err(Errno::INTR) => continue,
            Err(_) => return report(WatchEvent::Stale),
            Ok(_) if !ready[1].revents().is_empty() => return,
            Ok(_) => {}
        }
        let mut events = Reader::new(kernel, &mut buffer);
        loop {
            match events.next() {
                Ok(event) => {
                    let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
                    if let Some(meaning) = meaning(event.events(), matters(event.wd(), name)) {
                        report(meaning);
                    }
                }
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Err(_) => return report(WatchEvent::Stale),
            }
        }
    }
}

/// The meaning of an event. A folder that comes or goes makes the watch stale, and so do lost
/// events.
fn meaning(events: ReadFlags, matters: bool) -> Option<WatchEvent> {
    if events.contains(ReadFlags::IGNORED) {
        return None;
    }
    if events.contains(ReadFlags::QUEUE_OVERFLOW) {
        return Some(WatchEvent::Stale);
    }
    let moved =
        ReadFlags::CREATE | ReadFlags::MOVED_TO | ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF;
    let folder = events.intersects(ReadFlags::ISDIR) && events.intersects(moved);
    let gone = events.intersects(ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF);
    // A new name may be a link to a folder.
    let link = events.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO);
    matters.then_some(if folder || gone || link { WatchEvent::Stale } else { WatchEvent::Changed })
}

#[cfg(test)]
mod tests;
