//! Removes a folder that somebody else's program has filled, however deep and closed it is.
//!
//! No path is longer than one name, few folders are open at a time, and nothing calls itself. So it
//! needs neither a large stack nor many descriptors. No link is followed.

#[cfg(not(unix))]
pub(super) use std::fs::remove_dir_all as remove;
#[cfg(unix)]
pub(super) use system::remove;
#[cfg(unix)]
pub use system::{names, open, open_up};

#[cfg(unix)]
mod system {
    use rustix::fd::{AsFd, OwnedFd};
    use rustix::fs::{
        AtFlags, CWD, Dir, DirEntry, FileType, Mode, OFlags, openat, renameat, statat, unlinkat,
    };
    use rustix::io::{Errno, Result};
    use rustix::path::Arg;
    use std::ffi::{CStr, CString};
    use std::io;
    use std::path::Path;

    /// Removes a folder with everything in it. If it cannot or is killed, the entries that are left
    /// in the folder itself have the names that they had.
    ///
    /// # Errors
    /// Those of the system. Then a part of it is left.
    pub(in crate::files) fn remove(place: &Path) -> io::Result<()> {
        open_up(CWD, place)?;
        let folder = open(CWD, place)?;
        for name in names(&folder)? {
            remove_entry(&folder, &name?)?;
        }
        std::fs::remove_dir(place)
    }

    /// Opens a folder for reading, and no link to one.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(parent: impl AsFd, name: impl Arg) -> Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(parent, name, flags, Mode::empty())
    }

    /// Lets its owner read, write and search a folder, for a closed one may be a script's way to
    /// hide something.
    ///
    /// # Errors
    /// Those of the system; it is no folder.
    pub fn open_up(parent: impl AsFd, name: impl Arg + Copy) -> Result<()> {
        let parent = parent.as_fd();
        let stat = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            return Err(Errno::NOTDIR);
        }
        let mode = Mode::from_raw_mode(stat.st_mode);
        if mode.contains(Mode::RWXU) {
            return Ok(());
        }
        change_mode(parent, name, mode | Mode::RWXU)
    }

    /// Linux has no such call that leaves links alone, but a name for each open file.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn change_mode(parent: impl AsFd, name: impl Arg, mode: Mode) -> Result<()> {
        use std::os::fd::AsRawFd;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(parent, name, flags, Mode::empty())?;
        rustix::fs::chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), mode)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn change_mode(parent: impl AsFd, name: impl Arg, mode: Mode) -> Result<()> {
        rustix::fs::chmodat(parent, name, mode, AtFlags::SYMLINK_NOFOLLOW)
    }

    /// The names in a folder.
    ///
    /// # Errors
    /// Those of the system, also for the names.
    pub fn names(folder: &OwnedFd) -> Result<impl Iterator<Item = Result<CString>> + use<>> {
        let own = |name: &CStr| matches!(name.to_bytes(), b"." | b"..");
        let owned = |entry: Result<DirEntry>| entry.map(|entry| entry.file_name().to_owned());
        let names = Dir::read_from(folder)?.map(owned);
        Ok(names.filter(move |name| !name.as_deref().is_ok_and(own)))
    }

    /// Removes an entry of a folder with everything in it.
    fn remove_entry(parent: &OwnedFd, name: &CStr) -> Result<()> {
        if !is_folder(unlinkat(parent, name, AtFlags::empty()))? {
            return Ok(());
        }
        open_up(parent, name)?;
        Emptying { folder: open(parent, name)?, free: 0, done: 0 }.empty()?;
        unlinkat(parent, name, AtFlags::REMOVEDIR)
    }

    /// Whether an entry was not removed because it is a folder: Linux and POSIX have two words.
    fn is_folder(removed: Result<()>) -> Result<bool> {
        match removed {
            Ok(()) => Ok(false),
            Err(Errno::ISDIR | Errno::PERM) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// A folder of which every folder within is moved up into it, until it has no entry.
    struct Emptying {
        folder: OwnedFd,
        /// The number that is tried next as a name.
        free: u64,
        /// How many entries were removed or moved.
        done: u64,
    }

    impl Emptying {
        fn empty(mut self) -> Result<()> {
            loop {
                let (before, mut fault) = (self.done, None);
                for name in names(&self.folder)? {
                    fault = name.and_then(|name| self.flatten(&name)).err().or(fault);
                }
                // What is moved up while the names are read may be among them or not.
                if self.done == before {
                    return fault.map_or(Ok(()), Err);
                }
            }
        }

        /// Removes an entry. If it is a folder, the folders in it are moved up.
        fn flatten(&mut self, name: &CStr) -> Result<()> {
            if is_folder(unlinkat(&self.folder, name, AtFlags::empty()))? {
                open_up(&self.folder, name)?;
                let inner = open(&self.folder, name)?;
                for name in names(&inner)? {
                    let name = name?;
                    if is_folder(unlinkat(&inner, name.as_c_str(), AtFlags::empty()))? {
                        self.move_up(&inner, &name)?;
                    }
                    self.done += 1;
                }
                unlinkat(&self.folder, name, AtFlags::REMOVEDIR)?;
            }
            self.done += 1;
            Ok(())
        }

        fn move_up(&mut self, inner: &OwnedFd, name: &CStr) -> Result<()> {
            // A folder that nobody may write to has to stay where it is.
            open_up(inner, name)?;
            loop {
                let free = self.free.to_string();
                self.free += 1;
                match renameat(inner, name, &self.folder, free) {
                    // The name is taken.
                    Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                    moved => return moved,
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::fs::{CWD, Mode, mkdirat};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::{Path, PathBuf};

    /// A folder in a new one, and beside it something that does not belong to it.
    fn furnished() -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("folder");
        fs::create_dir_all(folder.join("skill")).unwrap();
        fs::create_dir(temp.path().join("others")).unwrap();
        fs::write(temp.path().join("others/precious"), "x").unwrap();
        fs::set_permissions(temp.path().join("others"), fs::Permissions::from_mode(0o500)).unwrap();
        (temp, folder)
    }

    fn keeps_others(temp: &Path) {
        assert_eq!(fs::read(temp.join("others/precious")).unwrap(), b"x");
        let mode = fs::metadata(temp.join("others")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o500);
    }

    #[test]
    fn a_folder_of_any_depth_is_removed_on_a_small_stack() {
        let (temp, folder) = furnished();
        let mut deepest = open(CWD, folder.join("skill")).unwrap();
        for _ in 0..3_000 {
            mkdirat(&deepest, "d", Mode::RWXU).unwrap();
            deepest = open(&deepest, "d").unwrap();
        }
        rustix::fs::symlinkat(temp.path().join("others"), &deepest, "link").unwrap();
        drop(deepest);
        let small = std::thread::Builder::new().stack_size(64 << 10);
        let place = folder.clone();
        small.spawn(move || remove(&place)).unwrap().join().unwrap().unwrap();
        assert!(!folder.exists());
        keeps_others(temp.path());
    }

    #[test]
    fn closed_folders_links_and_taken_names_are_no_hindrance() {
        let (temp, folder) = furnished();
        let skill = folder.join("skill");
        // The names that folders get when they are moved up.
        fs::write(skill.join("0"), "x").unwrap();
        fs::create_dir_all(skill.join("1/1/0/1/2")).unwrap();
        fs::create_dir_all(skill.join("a/2/3")).unwrap();
        fs::create_dir_all(skill.join("a/4/5")).unwrap();
        symlink(temp.path().join("others"), skill.join("a/link")).unwrap();
        symlink("../a", skill.join("1/back")).unwrap();
        drop(std::os::unix::net::UnixListener::bind(skill.join("socket")).unwrap());
        for closed in ["a/2/3", "a/2", "a", "1/1/0", "1"] {
            fs::set_permissions(skill.join(closed), fs::Permissions::from_mode(0o0)).unwrap();
        }
        fs::set_permissions(&skill, fs::Permissions::from_mode(0o300)).unwrap();
        remove(&folder).unwrap();
        assert!(!folder.exists());
        keeps_others(temp.path());
        // A link in its place is not taken for it.
        symlink(temp.path().join("others"), &folder).unwrap();
        assert!(remove(&folder).is_err() && folder.is_symlink());
        keeps_others(temp.path());
    }
}
