//! What a script has left in its fresh directory. Whoever reads it next is a person or an agent
//! with more rights than the script had, so nothing stays in it that leads elsewhere or blocks.

#[cfg(unix)]
mod walk;

use std::path::PathBuf;

/// How many files are named, and how many removed entries; more are counted.
#[cfg(unix)]
const NAMED: usize = 100;

/// What is in the directory after a run. The names are the script's: show them only through
/// [`crate::text::SafeText`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// The first files by name, relative to the directory.
    pub files: Vec<LeftFile>,
    /// How many more there are.
    pub more: usize,
    /// What was taken away, or would have been: what is still there first, then by name.
    pub removed: Vec<Removed>,
    /// How many more of it there are.
    pub more_removed: usize,
    /// Whether there is more than was looked at.
    pub cut: bool,
}

/// A regular file, or a link to something in the directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftFile {
    pub path: PathBuf,
    pub kind: LeftKind,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftKind {
    File {
        bytes: u64,
        /// Whether it has as many bytes as a file may have, so that some may be missing.
        full: bool,
    },
    /// A link, and where it leads; the script's word.
    Link(PathBuf),
}

impl LeftFile {
    /// Whether some of it may be missing.
    pub fn is_full(&self) -> bool {
        matches!(self.kind, LeftKind::File { full: true, .. })
    }
}

/// An entry that is no file and no folder of the directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removed {
    pub path: PathBuf,
    /// What it was.
    pub kind: &'static str,
    /// Whether it is still there.
    pub stays: bool,
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::files::clear::open;
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, renameat, statat, symlinkat};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    /// The largest size of a file.
    const MOST: u64 = 8;

    fn furnished() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("run/sub/deep")).unwrap();
        fs::write(at("secret"), "outside").unwrap();
        fs::write(at("run/sub/a.txt"), "four").unwrap();
        symlink("sub/a.txt", at("run/inside")).unwrap();
        symlink(at("secret"), at("run/report.md")).unwrap();
        symlink("../secret", at("run/up")).unwrap();
        symlink("sub/../../secret", at("run/winding")).unwrap();
        symlink("none-yet", at("run/dangling")).unwrap();
        symlink("loop", at("run/loop")).unwrap();
        symlink("/", at("run/sub/deep/root")).unwrap();
        drop(std::os::unix::net::UnixListener::bind(at("run/sub/socket")).unwrap());
        folder
    }

    #[test]
    fn links_that_lead_elsewhere_are_removed_and_reported_and_the_rest_stays() {
        let folder = furnished();
        let run = folder.path().join("run");
        let named = Left::of(&run, false, MOST);
        assert!(named.removed.iter().all(|entry| entry.stays) && run.join("report.md").exists());
        let left = Left::of(&run, true, MOST);
        let paths: Vec<_> = left.removed.iter().filter_map(|entry| entry.path.to_str()).collect();
        let gone =
            ["dangling", "loop", "report.md", "sub/deep/root", "sub/socket", "up", "winding"];
        assert_eq!(paths, gone);
        assert!(left.removed.iter().all(|entry| !entry.stays), "{left:?}");
        assert!(paths.iter().all(|path| run.join(path).symlink_metadata().is_err()));
        let files: Vec<_> = left.files.iter().filter_map(|file| file.path.to_str()).collect();
        assert_eq!(files, ["inside", "sub/a.txt"]);
        let kinds = [&left.files[0].kind, &left.files[1].kind];
        let link = LeftKind::Link("sub/a.txt".into());
        assert_eq!(kinds, [&link, &LeftKind::File { bytes: 4, full: false }]);
        assert_eq!(fs::read(folder.path().join("secret")).unwrap(), b"outside");
        assert_eq!(Left::of(&run, true, MOST).removed, []);
    }

    /// No path is that long: such entries can only be reached by way of their folders.
    #[test]
    fn what_lies_deeper_than_any_path_is_found_too() {
        let folder = tempfile::tempdir().unwrap();
        let name = "n".repeat(200);
        let mut deepest = open(CWD, folder.path()).unwrap();
        for _ in 0..25 {
            mkdirat(&deepest, &name, Mode::RWXU).unwrap();
            deepest = open(&deepest, &name).unwrap();
        }
        symlinkat("/etc/passwd", &deepest, "link").unwrap();
        let socket = folder.path().join("s");
        drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
        renameat(CWD, &socket, &deepest, "socket").unwrap();
        openat(&deepest, "data.txt", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
        let left = Left::of(folder.path(), true, MOST);
        assert!(!left.cut && left.files.len() == 1, "{left:?}");
        let (path, last) = (&left.files[0].path, "data.txt");
        assert_eq!((path.as_os_str().len(), path.ends_with(last)), (25 * 201 + 8, true));
        let removed: Vec<_> = left.removed.iter().map(|one| (one.kind, one.stays)).collect();
        let link = "a link, whose end cannot be told since its path is too long";
        assert_eq!(removed, [(link, false), ("a socket", false)]);
        let there = |name: &str| statat(&deepest, name, AtFlags::SYMLINK_NOFOLLOW).is_ok();
        assert_eq!([last, "link", "socket"].map(there), [true, false, false]);
    }

    #[test]
    fn what_is_too_deep_to_be_looked_at_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("d/".repeat(65))).unwrap();
        assert!(!Left::of(folder.path(), true, MOST).cut, "an empty folder hides nothing");
        symlink("/", folder.path().join("d/".repeat(65)).join("link")).unwrap();
        assert!(Left::of(folder.path(), true, MOST).cut);
    }

    #[test]
    fn files_beyond_the_named_ones_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        (0..NAMED + 7).for_each(|number| {
            fs::write(folder.path().join(format!("{number:04}")), "").unwrap();
        });
        let left = Left::of(folder.path(), true, MOST);
        assert_eq!((left.files.len(), left.more, left.cut), (NAMED, 7, false));
        assert_eq!(left.files[0].path, Path::new("0000"));
    }

    #[test]
    fn removed_entries_beyond_the_named_ones_are_removed_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..NAMED + 7 {
            symlink("/etc/passwd", folder.path().join(format!("{number:04}"))).unwrap();
        }
        let named = Left::of(folder.path(), false, MOST);
        assert_eq!((named.removed.len(), named.more_removed), (NAMED, 7));
        let left = Left::of(folder.path(), true, MOST);
        assert_eq!((left.removed.len(), left.more_removed), (NAMED, 7));
        assert_eq!(left.removed[0].path, Path::new("0000"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_of_the_largest_size_may_be_cut_and_is_named_before_others() {
        let folder = tempfile::tempdir().unwrap();
        (0..NAMED).for_each(|number| {
            fs::write(folder.path().join(format!("{number:04}")), "1234567").unwrap();
        });
        fs::write(folder.path().join("last"), "12345678").unwrap();
        let left = Left::of(folder.path(), true, MOST);
        let full: Vec<_> = left.files.iter().filter(|file| file.is_full()).collect();
        assert_eq!((left.files.len(), left.more, full.len()), (NAMED, 1, 1));
        assert_eq!(full[0].path, Path::new("last"));
    }
}
