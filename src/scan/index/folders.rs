//! What folders held when an earlier process listed them, in one file for each root. To look at a
//! folder costs a fifth of listing it.
//!
//! A folder counts as unchanged by its own stat, as a skill's file does: whatever is made, removed
//! or renamed in it changes its times. That holds for the usual local file systems only, so others
//! have no such file.

use super::super::listing::Contents;
use super::super::place::Kind;
use super::super::stamp::is_settled;
use super::format::{NewFile, decoded, path_of};
use super::{Place, WORTHWHILE};
use crate::catalog::Stamp;
use crate::catalog::validate::FILE_NAME;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// How the names of these files begin, and what they say they hold.
pub(super) const PREFIX: &str = "folders-";

/// Folders of one device, with what they hold.
#[derive(Debug, Default)]
pub(in crate::scan) struct Folders {
    device: u64,
    /// By inode, if they were read from a file.
    folders: Vec<Folder>,
    /// Equal ones are here once: most folders of skills hold the same.
    contents: Vec<Arc<Contents>>,
    /// Where contents are in the list.
    places: HashMap<Arc<Contents>, u32>,
    /// How many of them were listed, and not known before.
    anew: usize,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Folder {
    inode: u64,
    mtime_ns: i64,
    ctime_ns: i64,
    /// Index of its contents.
    contents: u32,
}

#[derive(Debug, Serialize, Deserialize)]
enum Row<'a> {
    /// The first row.
    Device(u64),
    /// Contents come before the folders that have them.
    #[serde(borrow)]
    Contents(Holds<'a>),
    Folder(Folder),
}

#[derive(Debug, Serialize, Deserialize)]
struct Holds<'a> {
    read: usize,
    /// Each with whether it is a link.
    #[serde(borrow)]
    folders: Vec<(&'a [u8], bool)>,
    skill: bool,
    agents: bool,
    ignores: bool,
}

impl Folders {
    /// What this folder holds, unless it has changed or may have changed.
    pub(in crate::scan) fn unchanged(
        &self,
        stamp: Stamp,
        now: SystemTime,
    ) -> Option<&Arc<Contents>> {
        let at = self.folders.binary_search_by_key(&stamp.inode, |folder| folder.inode).ok()?;
        let folder = self.folders.get(at)?;
        let is_same = stamp.device == self.device
            && stamp.mtime_ns == folder.mtime_ns
            && stamp.ctime_ns == folder.ctime_ns
            && is_settled(stamp, now);
        is_same.then(|| self.contents.get(folder.contents as usize)).flatten()
    }

    /// Adds a folder of a walk. `is_known` says that it was not listed.
    pub(in crate::scan) fn add(&mut self, stamp: Stamp, contents: &Arc<Contents>, is_known: bool) {
        if self.folders.is_empty() {
            self.device = stamp.device;
        }
        if stamp.device != self.device || !is_plain(contents) {
            return;
        }
        let place = match self.places.get(contents) {
            Some(place) => *place,
            None => {
                let place = u32::try_from(self.contents.len()).unwrap_or(u32::MAX);
                self.places.insert(Arc::clone(contents), place);
                self.contents.push(Arc::clone(contents));
                place
            }
        };
        let Stamp { inode, mtime_ns, ctime_ns, .. } = stamp;
        self.folders.push(Folder { inode, mtime_ns, ctime_ns, contents: place });
        self.anew += usize::from(!is_known);
    }

    /// What was written for a root.
    pub(super) fn load(place: &Place) -> Option<Self> {
        let device = local_device(&place.canonical)?;
        let rows = place.rows(PREFIX)?;
        let mut found = Self::default();
        rows.each(|bytes| {
            match decoded(bytes)? {
                Row::Device(written) => found.device = written,
                Row::Contents(holds) => found.contents.push(Arc::new(holds.contents()?)),
                Row::Folder(folder) => {
                    let is_after =
                        found.folders.last().is_none_or(|last| last.inode < folder.inode);
                    let has_contents = (folder.contents as usize) < found.contents.len();
                    (is_after && has_contents).then(|| found.folders.push(folder))?;
                }
            }
            Some(())
        })?;
        (found.device == device).then_some(found)
    }

    /// Writes what a walk of a root has listed, if much of it is new. What may still change
    /// unnoticed is left out.
    pub(super) fn end(&self, place: &Place, now: SystemTime) {
        let is_worthwhile = self.anew * WORTHWHILE > self.folders.len();
        if is_worthwhile && local_device(&place.canonical) == Some(self.device) {
            let kept = self.settled(now);
            if !kept.is_empty() {
                place.write(PREFIX, |to| self.write(kept, &place.canonical, to));
            }
        }
    }

    /// By inode.
    fn settled(&self, now: SystemTime) -> Vec<Folder> {
        let is_kept = |folder: &&Folder| {
            let Folder { inode, mtime_ns, ctime_ns, .. } = **folder;
            is_settled(Stamp { device: self.device, inode, mtime_ns, ctime_ns }, now)
        };
        let mut kept: Vec<Folder> = self.folders.iter().filter(is_kept).copied().collect();
        kept.sort_unstable_by_key(|folder| folder.inode);
        kept.dedup_by_key(|folder| folder.inode);
        kept
    }

    fn write(&self, kept: Vec<Folder>, root: &Path, to: &mut dyn Write) -> io::Result<()> {
        let mut file = NewFile::begin(PREFIX, root, to)?;
        file.put(&Row::Device(self.device))?;
        // Contents that are too long for a row are left out, with their folders.
        let mut written = vec![None; self.contents.len()];
        let mut count = 0;
        for (place, contents) in written.iter_mut().zip(&self.contents) {
            if file.put(&Row::Contents(Holds::of(contents)))? {
                *place = Some(count);
                count += 1;
            }
        }
        for folder in kept {
            if let Some(contents) = written[folder.contents as usize] {
                file.put(&Row::Folder(Folder { contents, ..folder }))?;
            }
        }
        file.end()
    }
}

impl<'a> Holds<'a> {
    fn of(contents: &'a Contents) -> Self {
        let name = |(name, is_link): &'a (OsString, bool)| (name.as_encoded_bytes(), *is_link);
        Self {
            read: contents.read,
            folders: contents.folders.iter().map(name).collect(),
            skill: contents.holds_skill,
            agents: contents.has_agents,
            ignores: contents.has_ignores,
        }
    }

    fn contents(self) -> Option<Contents> {
        let name = |(name, is_link)| Some((path_of(name)?.into_os_string(), is_link));
        Some(Contents {
            read: self.read,
            folders: self.folders.into_iter().map(name).collect::<Option<_>>()?,
            skill_file: self.skill.then(|| (FILE_NAME.to_owned(), Kind::File)),
            holds_skill: self.skill,
            has_agents: self.agents,
            has_ignores: self.ignores,
            broken_off: None,
        })
    }
}

/// Whether nothing about a folder depends on more than its own entries: what a link leads to, or
/// an error.
fn is_plain(contents: &Contents) -> bool {
    let is_usual = match &contents.skill_file {
        None => !contents.holds_skill,
        Some((name, kind)) => contents.holds_skill && name == FILE_NAME && *kind == Kind::File,
    };
    is_usual && contents.broken_off.is_none()
}

/// The device of a folder, if its file system is sure to note each change of a folder in its times.
/// Network folders, FAT and what runs in user space may not.
#[cfg(target_os = "linux")]
fn local_device(folder: &Path) -> Option<u64> {
    /// Their numbers in Linux' `magic.h`: ext2 to ext4, XFS, Btrfs, F2FS, bcachefs, ZFS, tmpfs and
    /// overlayfs.
    const LOCAL: [u32; 8] = [
        0xef53,
        0x5846_5342,
        0x9123_683e,
        0xf2f5_2010,
        0xca45_1a4e,
        0x2fc1_2fc1,
        0x0102_1994,
        0x794c_7630,
    ];
    let system = rustix::fs::statfs(folder).ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "the numbers have 32 bits")]
    #[expect(clippy::cast_sign_loss, reason = "they are bit patterns")]
    let is_local = LOCAL.contains(&(system.f_type as u32));
    is_local.then(|| super::super::visited::identity_of(folder).0)
}

#[cfg(not(target_os = "linux"))]
fn local_device(_: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
