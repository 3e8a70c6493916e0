//! A handle on a skill's directory, and how files beneath it are opened.

use super::located::{Located, READ, require_regular};
use super::{Content, Refusal, check, leaves_by_itself, walk};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, stat, statat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

pub(super) const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Who walks along a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walker {
    /// The kernel; where it cannot, [`walk`].
    Kernel,
    /// [`walk`] alone.
    #[cfg(test)]
    Hand,
}

/// Opens what has this canonical path. [`Errno::LOOP`] if a part of it is a link.
fn open_canonical(path: &Path, flags: OFlags, walker: Walker) -> Result<OwnedFd, Errno> {
    #[cfg(target_os = "linux")]
    if walker == Walker::Kernel {
        use rustix::fs::{CWD, ResolveFlags, openat2};
        match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            // Old kernels have no such call, and some sandboxes forbid it.
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return opened,
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = walker;
    walk::open_without_links(path, flags)
}

/// One handle on a skill's canonical directory; every file of the skill is opened relative to it.
///
/// A hard link to a file elsewhere counts as a regular file of the skill: no handle can tell them
/// apart.
#[derive(Debug)]
pub struct SkillDir {
    handle: OwnedFd,
    /// Of a skill that is a single file: its name. Nothing beside it belongs to the skill.
    pub(super) only: Option<OsString>,
    #[cfg(target_os = "linux")]
    /// Whether the kernel walks for us. Once it has refused, it is not asked again.
    by_kernel: std::sync::atomic::AtomicBool,
}

impl SkillDir {
    /// Opens a skill's directory by its canonical path, as it was found when the skill was judged.
    /// If it is a file, the skill has this file alone.
    ///
    /// # Errors
    /// [`Refusal::Nul`], [`Refusal::NotFound`], [`Refusal::Denied`], [`Refusal::Io`];
    /// [`Refusal::Unstable`] if a part of the path has become a link since: it would lead to another
    /// directory, which nobody has judged.
    pub fn open(canonical_dir: &Path) -> Result<Self, Refusal> {
        Self::open_by(canonical_dir, Walker::Kernel)
    }

    /// The same for a path that may have links, since a person or another program gave it.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_through_links(dir: &Path) -> Result<Self, Refusal> {
        Self::open(&dir.canonicalize()?)
    }

    /// Walks by hand even if the kernel could, so that tests run the same cases on both walks.
    #[cfg(test)]
    pub(super) fn open_by_hand(canonical_dir: &Path) -> Result<Self, Refusal> {
        Self::open_by(canonical_dir, Walker::Hand)
    }

    fn open_by(canonical_dir: &Path, walker: Walker) -> Result<Self, Refusal> {
        if canonical_dir.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(Refusal::Nul);
        }
        let open = |path: &Path| open_canonical(path, DIRECTORY, walker);
        let (handle, only) = match open(canonical_dir) {
            Err(Errno::NOTDIR) => {
                let name = canonical_dir.file_name().map(OsStr::to_owned);
                (open(canonical_dir.parent().ok_or(Refusal::NotFound)?), name)
            }
            opened => (opened, None),
        };
        let handle = handle.map_err(|errno| match errno {
            // A link that leads to nothing, or in a circle, leads to no other directory.
            Errno::LOOP => stat(canonical_dir).err().map_or(Refusal::Unstable, Refusal::from),
            other => other.into(),
        })?;
        Ok(Self {
            handle,
            only,
            #[cfg(target_os = "linux")]
            by_kernel: (walker == Walker::Kernel).into(),
        })
    }

    /// Reads at most `cap` bytes of a regular file of the skill.
    ///
    /// Links inside the skill are followed; a link that leaves it, or is absolute, is
    /// [`Refusal::Outside`]. Nothing but a regular file is ever opened for reading.
    pub fn read(&self, relative: &Path, cap: u64) -> Result<Content, Refusal> {
        let (file, size) = self.open_file(relative)?;
        Content::read(file, size, cap)
    }

    /// Opens a regular file of the skill for reading. Also returns its size in bytes.
    pub fn open_file(&self, relative: &Path) -> Result<(File, u64), Refusal> {
        let located = self.locate(relative)?;
        require_regular(located.stat())?;
        let file = match located.reopen() {
            // Without `/proc` a path-only handle cannot be reopened: walk again by hand.
            Err(Refusal::Io(std::io::ErrorKind::Unsupported)) => {
                let located = walk::locate(self.handle.as_fd(), relative)?;
                require_regular(located.stat())?;
                located.reopen()?
            }
            other => other?,
        };
        let size = u64::try_from(fstat(&file)?.st_size).unwrap_or(0);
        Ok((file, size))
    }

    /// Finds what a relative path leads to, without opening it.
    pub(super) fn locate(&self, relative: &Path) -> Result<Located, Refusal> {
        check(relative)?;
        if let Some(only) = &self.only {
            if relative.as_os_str() != only {
                return Err(Refusal::NotFound);
            }
            // Its path is canonical: it was replaced by a link, perhaps to a file beside it.
            let stat = statat(&self.handle, relative, AtFlags::SYMLINK_NOFOLLOW)?;
            if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
                return Err(Refusal::Outside);
            }
        }
        self.find(relative).map_err(|refusal| match refusal {
            Refusal::Outside if leaves_by_itself(relative) => Refusal::Parent,
            other => other,
        })
    }

    /// Opens a directory of the skill for listing; the empty path is the skill's own.
    pub(super) fn open_dir(&self, relative: &Path) -> Result<OwnedFd, Refusal> {
        if relative.as_os_str().is_empty() {
            return Ok(openat(&self.handle, ".", DIRECTORY, Mode::empty())?);
        }
        match self.locate(relative)? {
            Located::Handle { handle, .. } => Ok(openat(handle, ".", DIRECTORY, Mode::empty())?),
            Located::Named { .. } => Err(Refusal::NotFound),
        }
    }

    /// The mode of a directory of the skill; the empty path is the skill's own.
    pub(in crate::files) fn mode_of(&self, directory: &Path) -> Result<u32, Refusal> {
        Ok(File::from(self.open_dir(directory)?).metadata()?.mode() & 0o777)
    }

    #[cfg(target_os = "linux")]
    fn find(&self, relative: &Path) -> Result<Located, Refusal> {
        use rustix::fs::{ResolveFlags, openat2};
        use std::sync::atomic::Ordering;
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let follow = if self.only.is_some() { OFlags::NOFOLLOW } else { OFlags::empty() };
        // `EAGAIN`: a rename elsewhere raced with a `..` in the path, so try again.
        for _ in 0..16 {
            if !self.by_kernel.load(Ordering::Relaxed) {
                break;
            }
            match openat2(
                &self.handle,
                relative,
                OFlags::PATH | OFlags::CLOEXEC | follow,
                Mode::empty(),
                beneath,
            ) {
                Ok(handle) => return Ok(Located::Handle { stat: fstat(&handle)?, handle }),
                Err(Errno::AGAIN) => {}
                // Old kernels have no such call, and some sandboxes forbid it. A path-only open
                // needs no right that could be missing otherwise.
                Err(Errno::NOSYS | Errno::PERM) => self.by_kernel.store(false, Ordering::Relaxed),
                Err(other) => return Err(other.into()),
            }
        }
        walk::locate(self.handle.as_fd(), relative)
    }

    #[cfg(not(target_os = "linux"))]
    fn find(&self, relative: &Path) -> Result<Located, Refusal> {
        walk::locate(self.handle.as_fd(), relative)
    }
}

/// Reads the beginning of the regular file at a canonical path into `room`: with one handle where
/// [`SkillDir`] needs three, since many files are searched for a word. As there, no part of the path
/// may be a link.
///
/// # Errors
/// [`Refusal`].
pub fn read_plain(canonical: &Path, cap: u64, room: &mut Vec<u8>) -> Result<(), Refusal> {
    room.clear();
    let handle = open_canonical(canonical, READ, Walker::Kernel)?;
    let stat = fstat(&handle)?;
    require_regular(&stat)?;
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    // The end of a file that is read to its size is not looked for. Some say that they are empty
    // and are not.
    let wanted = if size == 0 { cap } else { size.min(cap) };
    room.reserve(usize::try_from(size.min(cap)).unwrap_or(0));
    File::from(handle).take(wanted).read_to_end(room)?;
    Ok(())
}
