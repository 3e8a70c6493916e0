//! Removes what we made and nothing else, and moves things only to places that are free.

use super::scratch::{GONE, Scratch};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum NotRemoved {
    /// We did not make it. It is where it was.
    NotOurs,
    /// Another program replaced it twice while it was removed. The first replacement is at this
    /// path.
    Kept(PathBuf),
    /// The system refuses; it is where it was.
    Io(io::ErrorKind),
}

/// Removes a link, file or directory if it `is_ours`.
///
/// It is first moved to a name that no other program uses, and checked again there. So exactly what
/// was checked is deleted. If the second check fails, it is moved back.
///
/// # Errors
/// [`NotRemoved`].
pub fn remove_if(place: &Path, is_ours: impl Fn(&Path) -> bool) -> Result<(), NotRemoved> {
    let failed = |error: io::Error| NotRemoved::Io(error.kind());
    if !is_ours(place) {
        return Err(NotRemoved::NotOurs);
    }
    let folder = place.parent().unwrap_or(place);
    // Were we killed before the second check, this finds the same link or copy again.
    let aside = Scratch::beside(folder, &is_ours).map_err(failed)?;
    let moved = aside.path().join("taken");
    fs::rename(place, &moved).map_err(failed)?;
    if is_ours(&moved) {
        // The place is free, as the caller wanted. What cannot be deleted stays in the hidden
        // folder, for the next one that comes by.
        let _ = fs::rename(&moved, aside.path().join(GONE));
        drop(aside);
        return Ok(());
    }
    match move_to_free(&moved, place) {
        Ok(()) => Err(NotRemoved::NotOurs),
        Err(_) => Err(NotRemoved::Kept(aside.keep().join("taken"))),
    }
}

/// Moves something to a free place on the same file system, in one step.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if the place is taken; others of the system.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    use super::write::is_unsupported;
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // The file system or the kernel cannot do it.
        Err(errno) if is_unsupported(errno) => look_and_move(from, to),
        moved => Ok(moved?),
    }
}

/// In two steps, since this system has no such call.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    look_and_move(from, to)
}

fn look_and_move(from: &Path, to: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::os::unix::fs::symlink;

    fn names(folder: &Path) -> Vec<String> {
        let name = |item: io::Result<fs::DirEntry>| item.unwrap().file_name();
        let names = fs::read_dir(folder).unwrap().map(name);
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn says(target: &'static str) -> impl Fn(&Path) -> bool {
        move |place| fs::read_link(place).is_ok_and(|found| found == Path::new(target))
    }

    #[test]
    fn only_what_is_ours_is_removed() {
        let temp = tempfile::tempdir().unwrap();
        let place = temp.path().join("pdf");
        symlink("ours", &place).unwrap();
        assert!(matches!(remove_if(&place, says("other")), Err(NotRemoved::NotOurs)));
        assert_eq!(names(temp.path()), ["pdf"]);
        remove_if(&place, says("ours")).unwrap();
        assert_eq!(names(temp.path()), [""; 0]);
    }

    #[test]
    fn what_is_replaced_between_the_look_and_the_removal_is_given_back() {
        let temp = tempfile::tempdir().unwrap();
        let place = temp.path().join("pdf");
        let looks = Cell::new(0);
        symlink("ours", &place).unwrap();
        let replaced_after_the_first_look = |at: &Path| {
            let is_ours = says("ours")(at);
            looks.set(looks.get() + 1);
            if looks.get() == 1 {
                fs::remove_file(&place).unwrap();
                symlink("theirs", &place).unwrap();
            }
            is_ours
        };
        let removed = remove_if(&place, replaced_after_the_first_look);
        assert!(matches!(removed, Err(NotRemoved::NotOurs)), "{removed:?}");
        assert_eq!(names(temp.path()), ["pdf"]);
        assert_eq!(fs::read_link(&place).unwrap(), Path::new("theirs"));
    }

    #[test]
    fn what_cannot_be_given_back_is_kept_and_named() {
        let temp = tempfile::tempdir().unwrap();
        let place = temp.path().join("pdf");
        fs::write(&place, "first").unwrap();
        let replaced_after_each_look = |at: &Path| {
            if at != place {
                fs::write(&place, "second").unwrap();
            }
            at == place
        };
        let Err(NotRemoved::Kept(kept)) = remove_if(&place, replaced_after_each_look) else {
            panic!("it was to be kept");
        };
        assert_eq!(fs::read_to_string(&place).unwrap(), "second");
        assert_eq!(fs::read_to_string(kept).unwrap(), "first");
    }

    #[test]
    fn a_move_replaces_nothing_not_even_an_empty_directory() {
        let temp = tempfile::tempdir().unwrap();
        let (from, to) = (temp.path().join("from"), temp.path().join("to"));
        fs::create_dir(&from).unwrap();
        fs::create_dir(&to).unwrap();
        for moved in [move_to_free(&from, &to), look_and_move(&from, &to)] {
            assert_eq!(moved.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        }
        fs::remove_dir(&to).unwrap();
        move_to_free(&from, &to).unwrap();
        assert!(to.is_dir() && !from.exists());
    }
}
