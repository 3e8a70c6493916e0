//! What a script has left in its fresh directory. Whoever reads it next is a person or an agent
//! with more rights than the script had, so nothing stays in it that leads elsewhere or blocks.

use std::fs::{self, FileType, Metadata};
use std::path::{Path, PathBuf};

/// Files that are named; more are counted.
const NAMED: usize = 100;

/// Entries that are looked at.
const LOOKED_AT: usize = 100_000;

/// Folders within folders that are looked at.
const DEPTH: usize = 64;

/// What is in the directory after a run. The names are the script's: show them only through
/// [`crate::text::SafeText`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// The first files by name, relative to the directory.
    pub files: Vec<LeftFile>,
    /// How many more there are.
    pub more: usize,
    /// What was taken away, or would have been.
    pub removed: Vec<Removed>,
    /// Whether there is more than was looked at.
    pub cut: bool,
}

/// A regular file, or a link to something in the directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftFile {
    pub path: PathBuf,
    pub bytes: u64,
    /// Whether it has as many bytes as a file may have, so that some may be missing.
    pub full: bool,
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

impl Left {
    /// Looks through a directory. With `settled` nothing changes it any more, and what leads
    /// elsewhere or blocks is removed; otherwise it is only named. No file could grow beyond `most`
    /// bytes.
    pub(super) fn of(directory: &Path, settled: bool, most: u64) -> Self {
        let (left, base) = (Self::default(), PathBuf::new());
        let mut walk = Walk { left, settled, most, looked_at: 0, base };
        if let Ok(base) = directory.canonicalize() {
            walk.base = base;
            walk.folder(&PathBuf::new(), 0);
        }
        let mut left = walk.left;
        // Full files are named before others.
        left.files.sort_by(|one, other| (!one.full, &one.path).cmp(&(!other.full, &other.path)));
        left.removed.sort();
        left.more += left.files.len().saturating_sub(NAMED);
        left.files.truncate(NAMED);
        left.files.sort();
        left
    }
}

struct Walk {
    left: Left,
    settled: bool,
    most: u64,
    looked_at: usize,
    base: PathBuf,
}

impl Walk {
    fn folder(&mut self, relative: &Path, depth: usize) {
        let path = self.base.join(relative);
        if self.settled {
            open_up(&path);
        }
        let Ok(entries) = fs::read_dir(&path) else {
            self.left.cut = true;
            return;
        };
        for entry in entries {
            self.looked_at += 1;
            if self.looked_at > LOOKED_AT || depth > DEPTH {
                self.left.cut = true;
                return;
            }
            let Ok(entry) = entry else { continue };
            let relative = relative.join(entry.file_name());
            match fs::symlink_metadata(entry.path()) {
                Ok(metadata) if metadata.is_dir() => self.folder(&relative, depth + 1),
                Ok(metadata) => self.entry(relative, &metadata),
                Err(_) => {}
            }
        }
    }

    fn entry(&mut self, path: PathBuf, metadata: &Metadata) {
        let place = self.base.join(&path);
        let is_inside = || place.canonicalize().is_ok_and(|real| real.starts_with(&self.base));
        if metadata.is_file() || (metadata.is_symlink() && is_inside()) {
            let (bytes, full) = (metadata.len(), metadata.is_file() && metadata.len() >= self.most);
            self.left.files.push(LeftFile { path, bytes, full });
            return;
        }
        let stays = !self.settled || fs::remove_file(&place).is_err();
        self.left.removed.push(Removed { path, kind: kind(metadata.file_type()), stays });
    }
}

/// A folder in which nothing can be looked at or removed may be the script's way to hide something.
fn open_up(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let closed = |metadata: &Metadata| metadata.permissions().mode() & 0o700 != 0o700;
        if fs::symlink_metadata(folder).is_ok_and(|metadata| closed(&metadata)) {
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
        }
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(unix)]
fn kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_symlink() => "a link that leads out of the directory or nowhere",
        _ if kind.is_fifo() => "a FIFO",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn kind(_: FileType) -> &'static str {
    "no regular file"
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

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
        assert_eq!(fs::read(folder.path().join("secret")).unwrap(), b"outside");
        assert_eq!(Left::of(&run, true, MOST).removed, []);
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
    fn a_file_of_the_largest_size_may_be_cut_and_is_named_before_others() {
        let folder = tempfile::tempdir().unwrap();
        (0..NAMED).for_each(|number| {
            fs::write(folder.path().join(format!("{number:04}")), "1234567").unwrap();
        });
        fs::write(folder.path().join("last"), "12345678").unwrap();
        let left = Left::of(folder.path(), true, MOST);
        let full: Vec<_> = left.files.iter().filter(|file| file.full).collect();
        assert_eq!((left.files.len(), left.more, full.len()), (NAMED, 1, 1));
        assert_eq!(full[0].path, Path::new("last"));
    }
}
