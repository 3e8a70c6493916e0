//! What the walk asks the file system. Every function here may block, so it runs on a worker and
//! holds no lock.

use super::folder::{EntryType, Folder, Look};
use super::ground::is_marker;
use super::ignored::{Ignored, is_ignore_file};
use super::index::KnownFolders;
use super::listed::Listed;
use super::names::Names;
use super::place::{Base, Beyond, Kind, Place};
use super::visited::{Identity, identity_of};
use crate::catalog::validate::{FILE_NAME, LOWER_CASE, Unreadable};
use crate::catalog::{Root, RootState, Scope, SingleFiles, Stamp};
use crate::text::{is_nothing, reason};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of a folder, or of a link that may lead to one.
#[derive(Debug)]
pub(super) enum Outcome {
    Listing(Box<Listing>),
    /// It is a root, and a Markdown file: its own path, and its canonical one, or why it is not
    /// read.
    Single(PathBuf, Result<PathBuf, String>),
    /// It lies on another file system than the link by which it was reached.
    Foreign,
    /// There is nothing to look at: a file, a circle, or it is gone.
    Gone,
    /// It is there and cannot be entered; the reason may be empty.
    Broken(Unreadable, String),
    /// It does not answer.
    Silent,
}

/// A folder that was listed.
#[derive(Debug)]
pub(super) struct Listing {
    /// The base of what lies below, if the folder was reached by a link.
    pub(super) base: Option<Arc<Base>>,
    /// The ignore files that count in it.
    pub(super) ignored: Option<Arc<Ignored>>,
    /// The folder, if its skill can be asked for through it.
    pub(super) folder: Option<Arc<Folder>>,
    pub(super) identity: Identity,
    /// Its times, before it was listed.
    pub(super) stamp: Stamp,
    /// Whether it was known what it holds.
    pub(super) is_known: bool,
    /// Whether there was room for all its entries.
    pub(super) is_whole: bool,
    /// The Markdown files in a root that count as skills, in order.
    pub(super) single_files: Vec<SingleFile>,
    pub(super) contents: Arc<Contents>,
}

impl Deref for Listing {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.contents
    }
}

/// A Markdown file in a root: its name, and its canonical path, or why it is not read.
pub(super) type SingleFile = (OsString, Result<PathBuf, String>);

/// The contents of a folder.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Contents {
    /// How many entries were read.
    pub(super) read: usize,
    /// The folders and links.
    pub(super) folders: Names,
    pub(super) skill_file: Option<(String, Kind)>,
    /// Whether a `SKILL.md` can be read there.
    pub(super) holds_skill: bool,
    /// Whether one of the folders is called `agents`, as the file system may compare names.
    pub(super) has_agents: bool,
    /// Whether there may be an entry that only the top of a repository has.
    pub(super) may_be_top: bool,
    /// Whether there are ignore files.
    pub(super) has_ignores: bool,
    /// Whether there may be Markdown files beside `SKILL.md`.
    pub(super) has_markdown: bool,
    /// Why the list ended early.
    pub(super) broken_off: Option<String>,
}

/// The canonical path of a root, or why it is not walked.
pub(super) fn open_root(root: &Root) -> Result<PathBuf, RootState> {
    if let Some(why) = root.closed {
        return Err(RootState::Closed { why, there: root.path.is_dir() });
    }
    fs::canonicalize(&root.path).map_err(|error| match () {
        () if is_nothing(&error) => RootState::Missing,
        _ => RootState::Failed(reason(&error)),
    })
}

/// Where a folder's contents may be known.
#[derive(Clone, Copy)]
pub(super) struct Listings<'a> {
    /// From this view.
    pub(super) listed: Option<&'a Listed>,
    /// From earlier processes.
    pub(super) index: Option<KnownFolders<'a>>,
}

/// Lists a folder, unless it is listed already. Reads at most `room` entries and one more; each of
/// them is counted in `beat`.
pub(super) fn list(
    (place, root): (&Place, &Root),
    room: usize,
    Listings { listed, index }: Listings,
    beat: &AtomicUsize,
) -> Outcome {
    if let Some(outcome) = named_file((place, root)) {
        return outcome;
    }
    if let Some(index) = index.filter(|_| !place.is_late())
        && let Some(listing) = unchanged((place, root), (room, beat), index)
    {
        return Outcome::Listing(Box::new(listing));
    }
    let base = match place.is_link.then(|| follow((place, root), &place.location())) {
        Some(Err(outcome)) => return outcome,
        Some(Ok(base)) if !root.follows(&base.canonical) => return Outcome::Gone,
        Some(Ok(base)) => Some(base),
        None => None,
    };
    let canonical = base.as_ref().map_or_else(|| place.canonical(), |base| base.canonical.clone());
    let opened = Folder::open(&canonical);
    let (identity, stamp) = opened
        .as_ref()
        .map_or_else(|_| (identity_of(&canonical), Stamp::default()), Folder::identity);
    let beyond = base.as_ref().map_or(&place.base.beyond, |base| &base.beyond);
    if beyond.as_ref().is_some_and(|beyond| beyond.device != identity.0) {
        return Outcome::Foreign;
    }
    let folder = match opened {
        Ok(folder) => folder,
        Err(error) => return refused(&error),
    };
    let known = listed.and_then(|listed| listed.folder(identity));
    let is_known = known.is_some();
    let contents = known.unwrap_or_else(|| contents(&folder, room, beat));
    let holds_file = matches!(&contents.skill_file, Some((_, Kind::File)));
    let ignored = match root.walk.ignores && contents.has_ignores {
        true => {
            Some(Ignored::read(&folder, (&root.path, &place.location()), place.ignored.clone()))
        }
        false => place.ignored.clone(),
    };
    let folder = (holds_file && folder.may_stay()).then(|| Arc::new(folder));
    Outcome::Listing(Box::new(Listing {
        single_files: single_files((place, root), &contents, (room, beat)),
        base,
        ignored,
        folder,
        identity,
        stamp,
        is_known,
        is_whole: contents.read <= room,
        contents,
    }))
}

/// A folder that is as an earlier process has listed it.
fn unchanged(
    (place, root): (&Place, &Root),
    (room, beat): (usize, &AtomicUsize),
    index: KnownFolders,
) -> Option<Listing> {
    let look = Look::at(&place.canonical()).ok().filter(|look| look.is_folder)?;
    let contents = index.unchanged(look.stamp).filter(|contents| contents.read <= room)?;
    // Ignore files are read each time.
    if root.walk.ignores && contents.has_ignores {
        return None;
    }
    Some(Listing {
        single_files: single_files((place, root), contents, (room, beat)),
        base: None,
        ignored: place.ignored.clone(),
        folder: None,
        identity: (look.stamp.device, look.stamp.inode),
        stamp: look.stamp,
        is_known: true,
        is_whole: true,
        contents: Arc::clone(contents),
    })
}

fn contents(folder: &Folder, room: usize, beat: &AtomicUsize) -> Arc<Contents> {
    let mut listing = Contents {
        read: 0,
        folders: Names::default(),
        skill_file: None,
        holds_skill: false,
        has_agents: false,
        may_be_top: false,
        has_ignores: false,
        has_markdown: false,
        broken_off: None,
    };
    let mut folders: Vec<(Box<OsStr>, bool)> = Vec::new();
    let mut skill_file: Option<(String, EntryType)> = None;
    folder.entries(|entry| {
        beat.fetch_add(1, Ordering::Relaxed);
        listing.read += 1;
        let goes_on = listing.read <= room;
        let (name, entry_type) = match entry {
            Ok(entry) => entry,
            Err(error) => {
                listing.broken_off.get_or_insert(reason(&error));
                return goes_on;
            }
        };
        listing.may_be_top |= is_marker(name);
        if name.eq_ignore_ascii_case(FILE_NAME) {
            let name = name.to_string_lossy().into_owned();
            if skill_file.as_ref().is_none_or(|(known, _)| rank(&name) < rank(known)) {
                skill_file = Some((name, entry_type));
            }
        } else if is_ignore_file(name) {
            listing.has_ignores = true;
        } else if entry_type == EntryType::File {
            listing.has_markdown |= is_markdown(name);
        } else if matches!(entry_type, EntryType::Folder | EntryType::Link) {
            listing.has_agents |= name.eq_ignore_ascii_case("agents");
            listing.has_markdown |= entry_type == EntryType::Link && is_markdown(name);
            folders.push((name.into(), entry_type == EntryType::Link));
        }
        goes_on
    });
    // What was not read may be such an entry.
    listing.may_be_top |= listing.broken_off.is_some() || listing.read > room;
    listing.folders = Names::sorted(folders);
    if let Some((name, entry_type)) = skill_file {
        let may_hold = name != FILE_NAME || entry_type != EntryType::File;
        listing.holds_skill = !may_hold || folder.holds_file(FILE_NAME);
        let is_folded = listing.holds_skill && name != FILE_NAME;
        let kind = if is_folded { Kind::Folded } else { kind_of(entry_type) };
        listing.skill_file = Some((name, kind));
    }
    Arc::new(listing)
}

/// Whether the name of a file says that it is Markdown.
pub(crate) fn is_markdown(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(b".md")
}

/// The single files of a root. It is listed once more for them, which is rare.
fn single_files(
    (place, root): (&Place, &Root),
    contents: &Contents,
    (room, beat): (usize, &AtomicUsize),
) -> Vec<SingleFile> {
    let walk = root.walk;
    let are_none = walk.single_files == SingleFiles::PassedOver;
    if place.depth > 0 || are_none || !contents.has_markdown {
        return Vec::new();
    }
    let folder = place.canonical();
    let has_folder = |name: &OsStr| folder.join(name).with_extension("").join(FILE_NAME).is_file();
    let counts = |name: &OsStr, entry_type: EntryType| {
        is_markdown(name)
            && !name.eq_ignore_ascii_case(FILE_NAME)
            && walk.hidden.sees(name, None)
            && match walk.single_files {
                SingleFiles::PassedOver => false,
                SingleFiles::Skills => matches!(entry_type, EntryType::File | EntryType::Link),
                SingleFiles::SkillsWithoutFolder { links } => {
                    (entry_type == EntryType::File || (links && entry_type == EntryType::Link))
                        && !has_folder(name)
                }
            }
    };
    let mut found = Vec::new();
    let Ok(opened) = Folder::open(&folder) else { return found };
    let mut read = 0;
    opened.entries(|entry| {
        beat.fetch_add(1, Ordering::Relaxed);
        read += 1;
        if let Ok((name, entry_type)) = entry
            && counts(name, entry_type)
            && let Some(path) = single_file(&folder.join(name), root, &place.base.top)
        {
            found.push((name.to_owned(), path));
        }
        read < room
    });
    found.sort();
    found
}

/// What came of a root that is itself a single file, since settings name it.
fn named_file((place, root): (&Place, &Root)) -> Option<Outcome> {
    let may_be = place.depth == 0 && root.walk.single_files == SingleFiles::Skills;
    let name = root.path.file_name().filter(|name| may_be && is_markdown(name))?;
    let is_file = place.canonical().is_file();
    let top = root.path.parent().filter(|_| is_file)?.canonicalize().ok()?;
    let path = single_file(&root.path, root, &top);
    Some(path.map_or(Outcome::Gone, |path| Outcome::Single(top.join(name), path)))
}

/// Where a single file really lies; `None` if it is none. Its text is shown and given to models, so
/// a link to a file of another kind is not followed, nor one of a repository that leaves the root.
fn single_file(file: &Path, root: &Root, top: &Path) -> Option<Result<PathBuf, String>> {
    let path = file.canonicalize().ok().filter(|path| path.is_file())?;
    let name = path.file_name()?;
    if !root.has_within(&path) || name.eq_ignore_ascii_case(FILE_NAME) {
        return None;
    }
    Some(match root.scope {
        _ if !is_markdown(name) => Err("it is a link to a file that is not called *.md".to_owned()),
        Scope::Repo if !path.starts_with(top) => {
            Err("a repository's link out of its folder of skills is not followed".to_owned())
        }
        _ => Ok(path),
    })
}

/// Which of several names counts.
fn rank(name: &str) -> (bool, bool, &str) {
    (name != FILE_NAME, name != LOWER_CASE, name)
}

fn kind_of(entry_type: EntryType) -> Kind {
    match entry_type {
        EntryType::Link => Kind::Link,
        EntryType::File => Kind::File,
        EntryType::Folder => Kind::Broken(Unreadable::Directory, String::new()),
        EntryType::Other(kind) => Kind::Broken(kind, String::new()),
    }
}

/// The folder to which a link leads.
fn follow((place, root): (&Place, &Root), location: &Path) -> Result<Arc<Base>, Outcome> {
    let target = || fs::read_link(location).unwrap_or_default();
    let meta = fs::metadata(location).map_err(|error| match () {
        () if is_nothing(&error) && location.symlink_metadata().is_ok() => {
            Outcome::Broken(Unreadable::Dangling, target().to_string_lossy().into_owned())
        }
        _ if is_loop(&error) => Outcome::Broken(Unreadable::Dangling, "itself".to_owned()),
        _ => refused(&error),
    })?;
    if !meta.is_dir() {
        let leads_to_skill = || {
            let name = target().file_name().map(OsStr::to_owned);
            name.is_some_and(|name| name.eq_ignore_ascii_case(FILE_NAME))
        };
        return Err(match meta.is_file() && leads_to_skill() {
            true => Outcome::Broken(Unreadable::LinkToFile, String::new()),
            false => Outcome::Gone,
        });
    }
    let canonical = fs::canonicalize(location).map_err(|error| refused(&error))?;
    let base = &place.base;
    let is_inside = canonical.starts_with(&base.top);
    // A circle: its target has been walked. But where only children count, a link back to the
    // folder of skills is a child too, with the `SKILL.md` that lies directly in that folder.
    let is_child = root.walk.depth == 1 && !root.walk.itself && canonical == *base.top;
    if is_inside && place.canonical().starts_with(&canonical) && !is_child {
        return Err(Outcome::Gone);
    }
    let beyond = match &base.beyond {
        None if !is_inside => Some(Arc::new(Beyond::new(place, identity_of(&canonical).0))),
        known => known.clone(),
    };
    let (root, location, top) = (base.root, location.to_owned(), Arc::clone(&base.top));
    Ok(Arc::new(Base { root, location, canonical, top, beyond }))
}

fn refused(error: &io::Error) -> Outcome {
    match error.kind() {
        io::ErrorKind::NotFound => Outcome::Gone,
        _ => Outcome::Broken(Unreadable::Folder, reason(error)),
    }
}

#[cfg(unix)]
pub(super) fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
pub(super) fn is_loop(_error: &io::Error) -> bool {
    false
}
