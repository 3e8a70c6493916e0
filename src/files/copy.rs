//! Visits every entry of a directory in order, and copies them. A limit or an entry that cannot be
//! read is an error, never a part of the directory. The kernel keeps each file beneath it.

use super::beneath::{EntryKind, FileEntry, LinkEnd, Refusal, SkillDir, TreeLimits};
use super::digest::{Digest, Hashed};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What no copy takes: folders of no use in another place, and large, and what Finder writes.
pub const NOT_COPIED: &[&str] = &[".git", "node_modules", OF_FINDER];

/// How Finder shows a folder. It writes one wherever a person looks.
pub(super) const OF_FINDER: &str = ".DS_Store";

/// The most entries of a copy.
const MAX_ENTRIES: usize = 20_000;

/// The most bytes of a copy.
const MAX_BYTES: u64 = 256 << 20;

/// Why there is no copy, or no digest. The messages name no path; if one is known, it is in the
/// field.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{refusal}")]
    Refused {
        /// Relative to the directory.
        path: PathBuf,
        refusal: Refusal,
    },
    /// A part of the directory would be another skill, so nothing is copied.
    #[error("the skill holds more than {MAX_ENTRIES} files or {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    #[error("the skill's files changed while they were copied; try again")]
    Unstable,
    /// The copy cannot be written.
    #[error("no copy of the skill could be written: {0}")]
    Io(#[from] io::Error),
}

impl From<Refusal> for CopyError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused { path: PathBuf::new(), refusal }
    }
}

/// An open file that is read only up to the limit, and its mode.
pub(super) type Opened<'a> = (&'a mut dyn Read, u32);

/// Visits every entry except those with these names. A visit returns how many bytes it read.
///
/// # Errors
/// [`CopyError`]. Earlier entries were visited.
pub(super) fn each(
    dir: &SkillDir,
    skipped: &'static [&'static str],
    visit: &mut dyn FnMut(&FileEntry, Option<Opened<'_>>) -> io::Result<u64>,
) -> Result<(), CopyError> {
    let tree = dir.tree(TreeLimits { depth: 64, entries: MAX_ENTRIES, skipped });
    if tree.cut {
        return Err(CopyError::TooLarge);
    }
    if let Some((path, refusal)) = tree.unread.into_iter().next() {
        return Err(CopyError::Refused { path, refusal });
    }
    let mut left = MAX_BYTES;
    for entry in &tree.entries {
        if !matches!(entry.kind, EntryKind::File { .. }) {
            visit(entry, None)?;
            continue;
        }
        let refused = |refusal| CopyError::Refused { path: entry.path.clone(), refusal };
        let (file, _) = dir.open_file(&entry.path).map_err(refused)?;
        let mode = mode_of(&file)?;
        let read = visit(entry, Some((&mut file.take(left + 1), mode)))?;
        left = left.checked_sub(read).ok_or(CopyError::TooLarge)?;
    }
    Ok(())
}

/// A copy in progress, in an empty directory.
///
/// Links that stay inside are links in the copy. Links that lead outside, nowhere or in a circle,
/// and entries that are neither file nor directory, are left out and listed.
pub(super) struct Filling<'a> {
    to: &'a Path,
    mode: fn(u32) -> u32,
    links: Vec<(PathBuf, PathBuf)>,
    /// The directories of the copy.
    pub(super) directories: Vec<PathBuf>,
    /// What is not in the copy, relative; other people's text.
    pub(super) left_out: Vec<PathBuf>,
}

impl<'a> Filling<'a> {
    /// `mode` maps the original's mode to the copy's, to which the umask applies.
    pub(super) fn new(to: &'a Path, mode: fn(u32) -> u32) -> Self {
        Self { to, mode, links: Vec::new(), directories: vec![to.to_owned()], left_out: Vec::new() }
    }

    /// Adds an entry. For a file it returns the digest and length of the copied bytes.
    pub(super) fn put(
        &mut self,
        entry: &FileEntry,
        file: Option<Opened<'_>>,
    ) -> io::Result<Option<Hashed>> {
        let place = self.to.join(&entry.path);
        match (&entry.kind, file) {
            (EntryKind::Directory, _) => {
                fs::create_dir(&place)?;
                self.directories.push(place);
            }
            (EntryKind::File { .. }, Some((file, mode))) => {
                let target = &mut create(&place, (self.mode)(mode))?;
                return Digest::of_reader(TeeReader { source: file, target }).map(Some);
            }
            (EntryKind::Link { target, end: LinkEnd::File(_) | LinkEnd::Directory }, _) => {
                self.links.push((place, target.clone()));
            }
            _ => self.left_out.push(entry.path.clone()),
        }
        Ok(None)
    }

    /// Leaves an entry out. The content of a directory that is left out is not listed separately.
    pub(super) fn leave_out(&mut self, path: &Path) {
        if !self.left_out.iter().any(|known| path.starts_with(known)) {
            self.left_out.push(path.to_owned());
        }
    }

    /// Makes the links. They come last, so that nothing is written through one.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.links.drain(..).try_for_each(|(place, target)| link(&target, &place))
    }
}

/// A reader that also writes what it reads.
struct TeeReader<'a> {
    source: &'a mut dyn Read,
    target: &'a mut File,
}

impl Read for TeeReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.target.write_all(&buffer[..length])?;
        Ok(length)
    }
}

fn create(place: &Path, mode: u32) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options.open(place)
}

/// Takes from a directory the rights that are not in the mode.
#[cfg(unix)]
pub(super) fn narrow(directory: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let now = fs::metadata(directory)?.permissions().mode();
    fs::set_permissions(directory, fs::Permissions::from_mode(now & mode))
}

#[cfg(not(unix))]
pub(super) fn narrow(_directory: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn mode_of(file: &File) -> io::Result<u32> {
    use std::os::unix::fs::MetadataExt;
    Ok(file.metadata()?.mode() & 0o777)
}

#[cfg(not(unix))]
fn mode_of(file: &File) -> io::Result<u32> {
    file.metadata().map(|metadata| if metadata.permissions().readonly() { 0o444 } else { 0o644 })
}

/// Makes a link to a directory or file. Fails if the name is taken.
///
/// # Errors
/// Those of the system. On Windows links need a right that people rarely have.
pub fn link(target: &Path, place: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, place);
    #[cfg(windows)]
    return match place.parent().unwrap_or(place).join(target).is_file() {
        true => std::os::windows::fs::symlink_file(target, place),
        false => std::os::windows::fs::symlink_dir(target, place),
    };
    #[cfg(not(any(unix, windows)))]
    return Err(io::ErrorKind::Unsupported.into());
}
