//! The places that a walk meets.

use super::folder::Folder;
use super::ignored::Ignored;
use super::names::{Named, Names};
use crate::catalog::validate::Unreadable;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// The place of a skill, or of something that stands where one should.
#[derive(Clone, Debug)]
pub(super) struct FoundFile {
    /// Index of the root.
    pub(super) root: usize,
    /// The directory's path in the walk, links not resolved.
    pub(super) location: PathBuf,
    /// The file in the directory's canonical path: `SKILL.md`, or as it is written where that is
    /// not there.
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    /// Whether the directory may have an `agents/openai.yaml`.
    pub(super) has_agents: bool,
    /// The canonical directory, if it is still open.
    pub(super) folder: Option<Arc<Folder>>,
}

impl FoundFile {
    /// The directory's canonical path.
    pub(super) fn canonical(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// The name of the file.
    pub(super) fn file(&self) -> &str {
        self.path.file_name().and_then(OsStr::to_str).unwrap_or_default()
    }
}

/// What is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    File,
    /// It is read as `SKILL.md` too, since the file system takes upper and lower case for the same.
    Folded,
    /// A link that the walk has not followed: to a regular file, or to nothing.
    Link,
    /// There is no file to read. The reason may be empty.
    Broken(Unreadable, String),
}

/// A root or a followed link. The paths of folders are relative to it.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) root: usize,
    pub(super) location: PathBuf,
    pub(super) canonical: PathBuf,
    /// The canonical path of the root.
    pub(super) top: Arc<Path>,
    /// Set if the walk has left the root.
    pub(super) beyond: Option<Arc<Beyond>>,
}

/// What a link reaches outside its root, which nobody put there for us to search.
#[derive(Debug)]
pub(super) struct Beyond {
    /// The link by which the walk left the root.
    pub(super) link: PathBuf,
    /// How deep below the root it lies.
    pub(super) depth: usize,
    /// Other file systems are not entered.
    pub(super) device: u64,
    pub(super) entries: AtomicUsize,
}

impl Beyond {
    /// What this link reaches.
    pub(super) fn new(link: &Place, device: u64) -> Self {
        Self { link: link.location(), depth: link.depth, device, entries: AtomicUsize::new(0) }
    }
}

/// A folder, or a link that may lead to one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) base: Arc<Base>,
    pub(super) below: PathBuf,
    /// How deep it lies below the root; 0 is the root.
    pub(super) depth: usize,
    pub(super) is_link: bool,
    /// Whether it belongs to a skill that lies above it.
    pub(super) in_skill: bool,
    /// The ignore files that count in it, if the host obeys any.
    pub(super) ignored: Option<Arc<Ignored>>,
}

impl Place {
    /// The first folder of a root.
    pub(super) fn of_root(root: usize, path: &Path, canonical: PathBuf) -> Self {
        let (top, location) = (Arc::from(canonical.as_path()), path.to_owned());
        let base = Arc::new(Base { root, location, canonical, top, beyond: None });
        let (below, ignored) = (PathBuf::new(), None);
        Self { base, below, depth: 0, is_link: false, in_skill: false, ignored }
    }

    /// The folder of this name in it, or the link.
    pub(super) fn child(&self, (name, is_link): Named) -> Self {
        Self { below: self.below.join(name), depth: self.depth + 1, is_link, ..self.clone() }
    }

    pub(super) fn location(&self) -> PathBuf {
        joined(&self.base.location, &self.below)
    }

    pub(super) fn canonical(&self) -> PathBuf {
        joined(&self.base.canonical, &self.below)
    }

    /// The canonical path of a file in it, without room to grow: each skill keeps one.
    pub(super) fn canonical_of(&self, file: &str) -> PathBuf {
        let (base, below) = (&self.base.canonical, &self.below);
        let length = base.as_os_str().len() + below.as_os_str().len() + file.len() + 2;
        let mut path = PathBuf::with_capacity(length);
        path.push(base);
        path.push(below);
        path.push(file);
        path
    }

    /// Whether an ignore file leaves out what has this name in it.
    pub(super) fn leaves_out(&self, name: impl AsRef<Path>, is_folder: bool) -> bool {
        let ignored = self.ignored.as_ref();
        ignored.is_some_and(|ignored| ignored.has(&self.location().join(name), is_folder))
    }

    /// Whether it waits until all other folders have been listed.
    pub(super) fn is_late(&self) -> bool {
        self.is_link || self.is_beyond()
    }

    /// Whether it lies below a link that leaves its root.
    pub(super) fn is_beyond(&self) -> bool {
        self.base.beyond.is_some()
    }
}

/// Folders and links in one folder that wait to be listed. Some folders hold very many, so each
/// becomes a place when its turn comes. The paths are those of a [`Place`].
#[derive(Debug)]
pub(super) struct Siblings {
    base: Arc<Base>,
    above: Box<Path>,
    ignored: Option<Arc<Ignored>>,
    names: Names,
    /// The position of the next one.
    next: u32,
    depth: u32,
    in_skill: bool,
}

impl Siblings {
    /// These children of a folder; `None` if there are none.
    pub(super) fn new(above: &Place, names: Names) -> Option<Self> {
        (names.len() > 0).then(|| Self {
            base: Arc::clone(&above.base),
            above: above.below.as_path().into(),
            ignored: above.ignored.clone(),
            names,
            next: 0,
            depth: u32::try_from(above.depth).unwrap_or(u32::MAX),
            in_skill: above.in_skill,
        })
    }

    /// Whether none is left.
    pub(super) fn is_empty(&self) -> bool {
        self.names.at(self.next as usize).is_none()
    }
}

impl Iterator for Siblings {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let (child, next) = self.names.at(self.next as usize)?;
        self.next = u32::try_from(next).unwrap_or(u32::MAX);
        let above = Place {
            base: Arc::clone(&self.base),
            below: self.above.to_path_buf(),
            depth: self.depth as usize,
            is_link: false,
            in_skill: self.in_skill,
            ignored: self.ignored.clone(),
        };
        Some(above.child(child))
    }
}

/// Without the separator that `join` adds for an empty path.
fn joined(base: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { base.to_owned() } else { base.join(below) }
}
