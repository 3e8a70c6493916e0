//! A folder that is open: what it is, what it holds, and its files. Each is asked through the
//! handle, since to find a folder by its path again costs as much as to list it.

use super::handles::noted;
use super::visited::Identity;
use crate::catalog::Stamp;
use crate::catalog::validate::Unreadable;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// What an entry is, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryType {
    Folder,
    Link,
    File,
    /// As why it cannot be read.
    Other(Unreadable),
}

/// What tells whether a file or folder has changed, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) is_file: bool,
    pub(super) is_folder: bool,
    pub(super) bytes: u64,
    pub(super) stamp: Stamp,
}

impl Look {
    /// Looks at a path.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        std::fs::symlink_metadata(path).map(|meta| Self::of(&meta))
    }

    fn of(meta: &Metadata) -> Self {
        Self {
            is_file: meta.is_file(),
            is_folder: meta.is_dir(),
            bytes: meta.len(),
            stamp: super::stamp::stamp_of(meta),
        }
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::Folder;
#[cfg(not(target_os = "linux"))]
pub(super) use portable::Folder;

#[cfg(target_os = "linux")]
mod linux {
    use super::{EntryType, File, Identity, Look, OsStr, Path, Stamp, Unreadable, io, noted};
    use rustix::fd::{AsRawFd, OwnedFd};
    use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, Stat, fstat, open, openat, statat};
    use rustix::process::{Resource, getrlimit};
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt;
    use std::sync::LazyLock;

    /// A folder stays open while its skill waits to be read only if its handle has a lower number:
    /// three quarters of those that the process may have are for other things.
    static MOST: LazyLock<i32> = LazyLock::new(|| {
        let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        i32::try_from(limit / 4).map_or(128, |quarter| quarter.min(128))
    });

    #[derive(Debug)]
    pub(in crate::scan) struct Folder(OwnedFd);

    impl Folder {
        /// Opens a folder, links followed.
        pub(in crate::scan) fn open(path: &Path) -> io::Result<Self> {
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::DIRECTORY;
            Ok(Self(noted(open(path, flags, Mode::empty()).map_err(io::Error::from))?))
        }

        /// What it is, and its times. All that cannot be examined is the same.
        pub(in crate::scan) fn identity(&self) -> (Identity, Stamp) {
            let stamp = fstat(&self.0).map_or(Stamp::default(), |stat| look(&stat).stamp);
            ((stamp.device, stamp.inode), stamp)
        }

        /// Whether it may stay open.
        pub(in crate::scan) fn may_stay(&self) -> bool {
            self.0.as_raw_fd() < *MOST
        }

        /// Calls `each` for every entry until it returns false. An error is the last.
        pub(in crate::scan) fn entries(
            &self,
            mut each: impl FnMut(io::Result<(&OsStr, EntryType)>) -> bool,
        ) {
            let mut room = [MaybeUninit::uninit(); 32 << 10];
            let mut entries = RawDir::new(&self.0, &mut room);
            while let Some(entry) = entries.next() {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => {
                        each(Err(error.into()));
                        return;
                    }
                };
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                if name == "." || name == ".." {
                    continue;
                }
                let entry_type = match entry.file_type() {
                    // Some file systems do not say it here.
                    FileType::Unknown => {
                        statat(&self.0, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)
                            .map(|stat| entry_type(FileType::from_raw_mode(stat.st_mode)))
                    }
                    kind => Ok(entry_type(kind)),
                };
                if !each(entry_type.map(|entry_type| (name, entry_type)).map_err(io::Error::from)) {
                    return;
                }
            }
        }

        /// Looks at a file in it.
        pub(in crate::scan) fn look(&self, name: &str) -> io::Result<Look> {
            Ok(look(&statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?))
        }

        /// Whether a regular file of this name can be found in it, links followed.
        pub(in crate::scan) fn holds_file(&self, name: &str) -> bool {
            let stat = statat(&self.0, name, AtFlags::empty());
            stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
        }

        /// Opens a file in it to be read, links followed. Never blocks on a pipe.
        pub(in crate::scan) fn file(&self, name: &str) -> io::Result<File> {
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
            let opened = openat(&self.0, name, flags, Mode::empty());
            Ok(File::from(noted(opened.map_err(io::Error::from))?))
        }
    }

    fn entry_type(kind: FileType) -> EntryType {
        match kind {
            FileType::Directory => EntryType::Folder,
            FileType::Symlink => EntryType::Link,
            FileType::RegularFile => EntryType::File,
            FileType::Fifo => EntryType::Other(Unreadable::Pipe),
            FileType::Socket => EntryType::Other(Unreadable::Socket),
            _ => EntryType::Other(Unreadable::Device),
        }
    }

    #[expect(clippy::unnecessary_cast, reason = "the types differ between processors")]
    fn look(stat: &Stat) -> Look {
        let nanoseconds =
            |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Look {
            is_file: FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile,
            is_folder: FileType::from_raw_mode(stat.st_mode) == FileType::Directory,
            bytes: u64::try_from(stat.st_size).unwrap_or_default(),
            stamp: Stamp {
                device: stat.st_dev as u64,
                inode: stat.st_ino as u64,
                mtime_ns: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
                ctime_ns: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            },
        }
    }
}

#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(
    all(test, target_os = "linux"),
    allow(dead_code, reason = "only its entries are tested here")
)]
mod portable {
    use super::{EntryType, File, Identity, Look, OsStr, Path, Stamp, Unreadable, io, noted};
    use crate::scan::visited::identity_of;
    use std::fs::{FileType, ReadDir, read_dir};
    use std::path::PathBuf;
    use std::sync::Mutex;

    /// Where no handle can be asked, it is asked by its path.
    #[derive(Debug)]
    pub(in crate::scan) struct Folder {
        path: PathBuf,
        entries: Mutex<Option<ReadDir>>,
    }

    impl Folder {
        pub(in crate::scan) fn open(path: &Path) -> io::Result<Self> {
            let entries = noted(read_dir(path))?;
            Ok(Self { path: path.to_owned(), entries: Mutex::new(Some(entries)) })
        }

        pub(in crate::scan) fn identity(&self) -> (Identity, Stamp) {
            (identity_of(&self.path), Stamp::default())
        }

        pub(in crate::scan) fn may_stay(&self) -> bool {
            false
        }

        pub(in crate::scan) fn entries(
            &self,
            mut each: impl FnMut(io::Result<(&OsStr, EntryType)>) -> bool,
        ) {
            let entries = self.entries.lock().ok().and_then(|mut entries| entries.take());
            for entry in entries.into_iter().flatten() {
                let entry = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
                let entry =
                    entry.as_ref().map(|(name, kind)| (name.as_os_str(), entry_type(*kind)));
                if !each(entry.map_err(|error| io::Error::new(error.kind(), error.to_string()))) {
                    return;
                }
            }
        }

        pub(in crate::scan) fn look(&self, name: &str) -> io::Result<Look> {
            Look::at(&self.path.join(name))
        }

        pub(in crate::scan) fn holds_file(&self, name: &str) -> bool {
            self.path.join(name).is_file()
        }

        pub(in crate::scan) fn file(&self, name: &str) -> io::Result<File> {
            noted(File::open(self.path.join(name)))
        }
    }

    #[cfg(unix)]
    fn other(kind: FileType) -> Unreadable {
        use std::os::unix::fs::FileTypeExt;
        match kind {
            _ if kind.is_fifo() => Unreadable::Pipe,
            _ if kind.is_socket() => Unreadable::Socket,
            _ => Unreadable::Device,
        }
    }

    #[cfg(not(unix))]
    fn other(_kind: FileType) -> Unreadable {
        Unreadable::Device
    }

    fn entry_type(kind: FileType) -> EntryType {
        match kind {
            _ if kind.is_dir() => EntryType::Folder,
            _ if kind.is_symlink() => EntryType::Link,
            _ if kind.is_file() => EntryType::File,
            kind => EntryType::Other(other(kind)),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::ffi::OsString;
    use std::fs;

    #[test]
    fn a_handle_tells_what_the_path_tells() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("SKILL.md"), "text").unwrap();
        fs::write(at(".hidden"), "").unwrap();
        std::os::unix::fs::symlink("SKILL.md", at("link")).unwrap();
        std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        crate::test_env::named_pipe(&at("pipe")).unwrap();
        // More than fit into one answer of the system.
        for number in 0..2_000 {
            fs::write(at(&format!("a-file-with-a-long-name-{number:030}")), "").unwrap();
        }
        let open = Folder::open(dir.path()).unwrap();
        let by_path = portable::Folder::open(dir.path()).unwrap();
        let mut found: BTreeMap<OsString, EntryType> = BTreeMap::new();
        open.entries(|entry| {
            let (name, entry_type) = entry.unwrap();
            found.insert(name.to_owned(), entry_type).is_none()
        });
        let mut expected = BTreeMap::new();
        by_path.entries(|entry| {
            let (name, entry_type) = entry.unwrap();
            expected.insert(name.to_owned(), entry_type).is_none()
        });
        assert_eq!(found, expected);
        assert_eq!(
            (found.len(), found[OsStr::new("pipe")]),
            (2_006, EntryType::Other(Unreadable::Pipe))
        );
        assert_eq!(open.identity().0, by_path.identity().0);
        for name in ["SKILL.md", "link", "folder"] {
            assert_eq!(open.look(name).unwrap(), Look::at(&at(name)).unwrap(), "{name}");
        }
        assert!(open.look("SKILL.md").unwrap().is_file && !open.look("link").unwrap().is_file);
        let mut count = 0;
        Folder::open(dir.path()).unwrap().entries(|_| {
            count += 1;
            count < 3
        });
        assert_eq!(count, 3);
        assert!(Folder::open(&at("SKILL.md")).is_err() && Folder::open(&at("none")).is_err());
    }
}
