//! For systems without `openat2`: walks one component at a time, and resolves the links beneath the
//! skill itself.
//!
//! Every directory on the way is held by a handle and entered with `O_NOFOLLOW`; `..` steps back to
//! the handle before, and never above the first. So a link that is swapped during the walk is an
//! error, not an escape.

use super::Refusal;
use super::located::Located;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, readlinkat, statat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path};

/// As many links as Linux follows.
const MAX_LINKS: usize = 40;
/// The most components still to walk, with links replaced by their targets.
const MAX_PENDING: usize = 4096;

/// Flags that open a directory and nothing else.
const ENTER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Flags that hold a directory on the way to another one.
#[cfg(target_os = "linux")]
const PASS: OFlags =
    OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const PASS: OFlags = ENTER;

/// Opens what has this path with these flags. [`Errno::LOOP`] if a part of the path is a link.
pub(super) fn open_without_links(path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let start = if path.has_root() { "/" } else { "." };
    let mut held = openat(CWD, start, PASS, Mode::empty())?;
    let mut rest = path.components().filter(|part| !matches!(part, Component::RootDir)).peekable();
    while let Some(part) = rest.next() {
        let is_last = rest.peek().is_none();
        let flags = if is_last { flags | OFlags::NOFOLLOW } else { PASS };
        let name = part.as_os_str();
        held = openat(&held, name, flags, Mode::empty()).map_err(|errno| match errno {
            // Systems differ in what they say of a link that should be a directory.
            Errno::NOTDIR if is_link(held.as_fd(), name) => Errno::LOOP,
            other => other,
        })?;
    }
    Ok(held)
}

fn is_link(directory: BorrowedFd<'_>, name: &OsStr) -> bool {
    let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
}

/// Finds what `relative` leads to beneath `top`, following links that stay beneath it.
pub(super) fn locate(top: BorrowedFd<'_>, relative: &Path) -> Result<Located, Refusal> {
    let mut walk = Walk { held: vec![top.try_clone_to_owned()?], links: 0 };
    let mut pending: Vec<OsString> = Vec::new();
    unfold(&mut pending, relative.as_os_str())?;
    while let Some(name) = pending.pop() {
        if let Some(found) = walk.step(&name, &mut pending)? {
            return Ok(found);
        }
    }
    walk.here()
}

struct Walk {
    /// The directories that were entered, the skill's own first; never empty.
    held: Vec<OwnedFd>,
    links: usize,
}

impl Walk {
    fn step(
        &mut self,
        name: &OsStr,
        pending: &mut Vec<OsString>,
    ) -> Result<Option<Located>, Refusal> {
        match name.as_bytes() {
            b"" | b"." => return Ok(None),
            b".." => return self.back().map(|()| None),
            _ => {}
        }
        let here = self.last()?;
        let stat = statat(here, name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => {
                let target = OsString::from_vec(readlinkat(here, name, Vec::new())?.into_bytes());
                self.links += 1;
                if self.links > MAX_LINKS {
                    return Err(Refusal::Loop);
                }
                if target.as_bytes().first() == Some(&b'/') {
                    return Err(Refusal::Outside);
                }
                unfold(pending, &target)?;
                Ok(None)
            }
            FileType::Directory => {
                let inner =
                    openat(here, name, ENTER, Mode::empty()).map_err(|errno| match errno {
                        // It was a directory a moment ago.
                        Errno::LOOP | Errno::NOTDIR => Refusal::Unstable,
                        other => other.into(),
                    })?;
                self.held.push(inner);
                Ok(None)
            }
            _ if pending.is_empty() => {
                let parent = self.held.pop().ok_or(Refusal::NotFound)?;
                Ok(Some(Located::Named { parent, name: name.to_owned(), stat }))
            }
            _ => Err(Refusal::NotFound),
        }
    }

    fn back(&mut self) -> Result<(), Refusal> {
        if self.held.len() < 2 {
            return Err(Refusal::Outside);
        }
        self.held.pop();
        Ok(())
    }

    fn last(&self) -> Result<BorrowedFd<'_>, Refusal> {
        self.held.last().map(AsFd::as_fd).ok_or(Refusal::NotFound)
    }

    fn here(mut self) -> Result<Located, Refusal> {
        let handle = self.held.pop().ok_or(Refusal::NotFound)?;
        Ok(Located::Handle { stat: rustix::fs::fstat(&handle)?, handle })
    }
}

/// Pushes the path's components so that the first is on top. A trailing `/` asks for a directory:
/// it becomes a last component `.`.
fn unfold(pending: &mut Vec<OsString>, path: &OsStr) -> Result<(), Refusal> {
    let parts: Vec<&[u8]> = path.as_bytes().split(|byte| *byte == b'/').collect();
    if pending.len() + parts.len() > MAX_PENDING {
        return Err(Refusal::TooManyComponents);
    }
    pending.extend(parts.iter().rev().map(|part| OsStr::from_bytes(part).to_owned()));
    Ok(())
}
