//! What folders held when an earlier process listed them, in one file for each root. To look at a
//! folder costs a fifth of listing it.
//!
//! A folder counts as unchanged by its own stat, as a skill's file does: whatever is made, removed
//! or renamed in it changes its times. That holds for the usual local file systems only, so others
//! have no such file.

use super::super::listing::{Contents, Listing};
use super::super::names::{Named, Names};
use super::super::place::Kind;
use super::super::stamp::is_settled;
use super::super::visited::Identity;
use super::format::{NewFile, decoded, path_of};
use super::{Place, WORTHWHILE};
use crate::catalog::Stamp;
use crate::catalog::validate::FILE_NAME;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// How the names of these files begin, and what they say they hold.
pub(super) const PREFIX: &str = "folders-";

/// The folders that a walk has listed below one root, with what they hold.
#[derive(Debug, Default)]
pub(in crate::scan) struct Folders {
    /// Where they lie; the root first.
    regions: Vec<Region>,
    /// By region and inode, once the walk has ended.
    folders: Vec<Folder>,
    /// Equal ones are here once: most folders of skills hold the same.
    contents: Vec<Arc<Contents>>,
    /// Where contents are in the list.
    places: HashMap<Arc<Contents>, u32>,
    /// How many of them a file can hold.
    lasting: usize,
    /// How many of those were listed, and not known before.
    anew: usize,
}

/// A device, within the root or beyond a link that leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    device: u64,
    is_beyond: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Folder {
    inode: u64,
    mtime_ns: i64,
    ctime_ns: i64,
    /// Index of its contents.
    contents: u32,
    /// Index of its region. Only those of the first are in a file.
    #[serde(skip)]
    region: u32,
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
    top: bool,
    ignores: bool,
    markdown: bool,
}

impl Folders {
    /// What this folder holds, unless it has changed or may have changed.
    pub(in crate::scan) fn unchanged(
        &self,
        stamp: Stamp,
        now: SystemTime,
    ) -> Option<&Arc<Contents>> {
        let folder = self.at((0, stamp.inode))?;
        let is_same = self.regions.first().is_some_and(|region| region.device == stamp.device)
            && stamp.mtime_ns == folder.mtime_ns
            && stamp.ctime_ns == folder.ctime_ns
            && is_settled(stamp, now);
        is_same.then(|| self.contents.get(folder.contents as usize)).flatten()
    }

    /// What this folder held when it was listed.
    pub(in crate::scan) fn listed(&self, (device, inode): Identity) -> Option<&Arc<Contents>> {
        let on_device = self.regions.iter().zip(0..).filter(|(region, _)| region.device == device);
        let folder = on_device.filter_map(|(_, region)| self.at((region, inode))).next()?;
        self.contents.get(folder.contents as usize)
    }

    fn at(&self, key: (u32, u64)) -> Option<&Folder> {
        let at = self.folders.binary_search_by_key(&key, Folder::key).ok()?;
        self.folders.get(at)
    }

    /// Whether nothing was listed.
    pub(in crate::scan) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// Orders them, after the walk.
    pub(in crate::scan) fn sort(&mut self) {
        self.folders.sort_unstable_by_key(Folder::key);
    }

    /// Adds a folder of a walk, the root first. `is_beyond` says that a link outside the root leads
    /// to it. No folder is added twice. Returns what it holds, as it is kept.
    pub(in crate::scan) fn add(&mut self, listing: &Listing, is_beyond: bool) -> Arc<Contents> {
        let Listing { identity: (device, inode), stamp, ref contents, .. } = *listing;
        let region = Region { device, is_beyond };
        let known = self.regions.iter().position(|known| *known == region);
        let region = known.unwrap_or_else(|| {
            self.regions.push(region);
            self.regions.len() - 1
        });
        let place = match self.places.get(contents) {
            Some(place) => *place,
            None => {
                let place = u32::try_from(self.contents.len()).unwrap_or(u32::MAX);
                self.places.insert(Arc::clone(contents), place);
                self.contents.push(Arc::clone(contents));
                place
            }
        };
        let Stamp { mtime_ns, ctime_ns, .. } = stamp;
        let region = u32::try_from(region).unwrap_or(u32::MAX);
        self.folders.push(Folder { inode, mtime_ns, ctime_ns, contents: place, region });
        let is_lasting = region == 0 && is_plain(contents);
        self.lasting += usize::from(is_lasting);
        self.anew += usize::from(is_lasting && !listing.is_known);
        Arc::clone(&self.contents[place as usize])
    }

    /// What was written for a root.
    pub(super) fn load(place: &Place) -> Option<Self> {
        let device = local_device(&place.canonical)?;
        let rows = place.rows(PREFIX)?;
        let mut found = Self::default();
        rows.each(|bytes| {
            match decoded(bytes)? {
                Row::Device(device) => found.regions.push(Region { device, is_beyond: false }),
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
        (found.regions == [Region { device, is_beyond: false }]).then_some(found)
    }

    /// Writes what a walk of a root has listed, if much of it is new. What may still change
    /// unnoticed is left out.
    pub(super) fn end(&self, place: &Place, now: SystemTime) {
        let Some(region) = self.regions.first() else { return };
        let is_worthwhile = self.anew * WORTHWHILE > self.lasting;
        if is_worthwhile
            && local_device(&place.canonical) == Some(region.device)
            && self.settled(now).next().is_some()
        {
            place.write(PREFIX, |to| self.write(now, &place.canonical, to));
        }
    }

    /// Those of the root's own region that are sure to show a change.
    fn settled(&self, now: SystemTime) -> impl Iterator<Item = &Folder> {
        self.folders.iter().take_while(|folder| folder.region == 0).filter(move |folder| {
            let Folder { inode, mtime_ns, ctime_ns, .. } = **folder;
            is_settled(Stamp { device: 0, inode, mtime_ns, ctime_ns }, now)
        })
    }

    fn write(&self, now: SystemTime, root: &Path, to: &mut dyn Write) -> io::Result<()> {
        let mut file = NewFile::begin(PREFIX, root, to)?;
        file.put(&Row::Device(self.regions.first().map_or(0, |region| region.device)))?;
        // What is too long for a row, or does not depend on the folder alone, is left out.
        let mut written = vec![None; self.contents.len()];
        let mut count = 0;
        for (place, contents) in written.iter_mut().zip(&self.contents) {
            if is_plain(contents) && file.put(&Row::Contents(Holds::of(contents)))? {
                *place = Some(count);
                count += 1;
            }
        }
        for folder in self.settled(now) {
            if let Some(contents) = written[folder.contents as usize] {
                file.put(&Row::Folder(Folder { contents, ..*folder }))?;
            }
        }
        file.end()
    }
}

impl Folder {
    fn key(&self) -> (u32, u64) {
        (self.region, self.inode)
    }
}

impl<'a> Holds<'a> {
    fn of(contents: &'a Contents) -> Self {
        let name = |(name, is_link): Named<'a>| (name.as_encoded_bytes(), is_link);
        Self {
            read: contents.read,
            folders: contents.folders.iter().map(name).collect(),
            skill: contents.holds_skill,
            agents: contents.has_agents,
            top: contents.may_be_top,
            ignores: contents.has_ignores,
            markdown: contents.has_markdown,
        }
    }

    fn contents(self) -> Option<Contents> {
        let name = |(name, is_link)| Some((path_of(name)?.into_os_string().into(), is_link));
        let names = self.folders.into_iter().map(name).collect::<Option<_>>()?;
        Some(Contents {
            read: self.read,
            folders: Names::sorted(names),
            skill_file: self.skill.then(|| (FILE_NAME.to_owned(), Kind::File)),
            holds_skill: self.skill,
            has_agents: self.agents,
            may_be_top: self.top,
            has_ignores: self.ignores,
            has_markdown: self.markdown,
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
