//! The places that a walk meets, and what is to be done there.

use super::folder::Folder;
use super::ignored::Ignored;
use super::names::Named;
use crate::catalog::Root;
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
    /// The directory's path in the walk, or that of a single file, links not resolved.
    pub(super) location: PathBuf,
    /// The file in the directory's canonical path: `SKILL.md`, or as it is written where that is
    /// not there; the canonical path of a single file.
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    /// Whether the directory may have an `agents/openai.yaml`.
    pub(super) has_agents: bool,
    /// Whether the directory of the file may be the top of a repository.
    pub(super) may_be_top: bool,
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
    /// A Markdown file without a folder of its own.
    Single,
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

    /// Whether a `SKILL.md` in it that is a link counts as a skill of this root.
    pub(super) fn follows_file(&self, root: &Root, file: &str) -> bool {
        let target = || self.canonical_of(file).canonicalize();
        let leads_within = || target().is_ok_and(|target| root.has_within(&target));
        root.walk.linked_file && (root.within.is_none() || leads_within())
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

/// Something to do that may block.
#[derive(Clone, Debug)]
pub(super) enum Job {
    /// Resolve a root.
    Root(usize),
    /// List a folder, but for the entries for which there is no room.
    Folder { place: Place, path: PathBuf, room: usize },
    /// Read a skill.
    File(FoundFile),
}

/// Without the separator that `join` adds for an empty path.
fn joined(base: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { base.to_owned() } else { base.join(below) }
}
