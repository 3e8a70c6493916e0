//! A version of a stored skill as a folder, so that it is loaded, read and run like any other.
//!
//! The folder is below the cache, named by the version's digest. It is written beside and renamed,
//! once, and compared with the digest each time it is used: somebody may have changed it since.

use super::bundle::{Bundle, BundleError, tree_digest, version_digest};
use super::model::Version;
use crate::files::beneath::{EntryKind, SkillDir, TreeLimits};
use crate::files::digest::Digest;
use crate::files::scratch::{GONE, MADE, Scratch};
use crate::files::write::private_folder;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const SKILL: &str = "SKILL.md";

/// The name of a skill's folder: its own name, as far as any file system takes it.
pub fn folder_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = name.trim().chars().map(plain).take(48).collect();
    let name = name.trim_start_matches('.').to_owned();
    if name.is_empty() { "skill".to_owned() } else { name }
}

/// Whether a folder holds exactly what the version with this digest holds.
pub fn is_as_stored(folder: &Path, digest: &str) -> bool {
    found(folder).is_some_and(|found| found == digest)
}

/// The digest of a folder; `None` if it has anything but files and folders, or cannot be read.
fn found(folder: &Path) -> Option<String> {
    let dir = SkillDir::open(folder).ok()?;
    let limits = TreeLimits { depth: 64, entries: 10_000, skipped: &[] };
    let tree = dir.tree(limits);
    if tree.cut || !tree.unread.is_empty() {
        return None;
    }
    let mut files = Vec::new();
    for entry in &tree.entries {
        match &entry.kind {
            EntryKind::Directory => {}
            EntryKind::File { executable, .. } => {
                let (file, _) = dir.open_file(&entry.path).ok()?;
                let hashed = Digest::of_reader(file).ok()?;
                let length = usize::try_from(hashed.length).ok()?;
                files.push((entry.path.as_path(), *executable, hashed.digest, length));
            }
            EntryKind::Link { .. } | EntryKind::Other(_) => return None,
        }
    }
    Some(tree_digest(files.into_iter()))
}

/// Makes `folder` hold this version, whatever it holds now. It is read-only, for the person alone.
///
/// # Errors
/// Those of the system; [`io::ErrorKind::InvalidData`] if the version is not what its digest says
/// or breaks the rules for files, so that nothing of it is written.
pub fn provide(folder: &Path, version: &Version) -> io::Result<()> {
    if is_as_stored(folder, &version.digest) {
        return Ok(());
    }
    let bundle = Bundle::of_stored(version.files.clone()).map_err(broken)?;
    if version_digest(&version.content, bundle.files()) != version.digest {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let parent = folder.parent().ok_or(io::ErrorKind::InvalidInput)?;
    private_folder(parent)?;
    let staged = Scratch::beside(parent, |_| false)?;
    let place = staged.path().join(MADE);
    private_folder(&place)?;
    write(&place.join(SKILL), version.content.as_bytes(), false)?;
    for file in bundle.files() {
        let path: PathBuf = place.join(&file.path);
        private_folder(path.parent().unwrap_or(&place))?;
        write(&path, &file.bytes, file.executable)?;
    }
    match fs::rename(&place, folder) {
        Ok(()) => Ok(()),
        // Another process was faster, or what is there is not what it should be.
        Err(_) if is_as_stored(folder, &version.digest) => Ok(()),
        Err(_) => {
            fs::rename(folder, staged.path().join(GONE))?;
            fs::rename(&place, folder)
        }
    }
}

/// The files of a version break the rules, so we have not stored it so.
fn broken(error: BundleError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// How long the folder of a version stays that no skill has any more.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Removes the folders below `top` of versions that were not used for 30 days. `is_live` says of a
/// folder's name whether a skill has that version now. Links are not followed, `top` included.
pub fn sweep(top: &Path, now: SystemTime, is_live: impl Fn(&str) -> bool) {
    if !top.symlink_metadata().is_ok_and(|top| top.is_dir()) {
        return;
    }
    for entry in fs::read_dir(top).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_version = |name: &&str| name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let Some(name) = name.to_str().filter(is_version) else { continue };
        let used = entry.metadata().ok().filter(fs::Metadata::is_dir);
        let used = used.and_then(|meta| meta.modified().ok());
        let is_old =
            used.and_then(|used| now.duration_since(used).ok()).is_some_and(|it| it > KEPT);
        if is_old && !is_live(name) {
            // What cannot be removed is tried again the next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Notes that the folder of a version is used now, for [`sweep`].
pub fn note_use(folder: &Path) {
    if let Some(Ok(version)) = folder.parent().map(fs::File::open) {
        let _ = version.set_modified(SystemTime::now());
    }
}

fn write(path: &Path, bytes: &[u8], executable: bool) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if executable { 0o500 } else { 0o400 });
    #[cfg(not(unix))]
    let _ = executable;
    options.open(path)?.write_all(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::BundleFile;
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn version() -> Version {
        let files = vec![BundleFile {
            path: "scripts/run.sh".to_owned(),
            bytes: b"echo".to_vec(),
            executable: true,
        }];
        Version {
            digest: version_digest("text", &files),
            name: "pdf".to_owned(),
            description: String::new(),
            content: "text".to_owned(),
            files,
        }
    }

    #[test]
    fn a_folder_that_was_changed_is_made_again() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().canonicalize().unwrap().join("0123/pdf");
        let version = version();
        provide(&folder, &version).unwrap();
        let script = folder.join("scripts/run.sh");
        assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o500);
        let spoil: [&dyn Fn(); 5] = [
            &|| {
                fs::remove_file(&script).unwrap();
                fs::write(&script, "rm -rf ~").unwrap();
            },
            &|| fs::write(folder.join("more"), "").unwrap(),
            &|| symlink("/etc/passwd", folder.join("leak")).unwrap(),
            &|| fs::set_permissions(&script, fs::Permissions::from_mode(0o400)).unwrap(),
            &|| fs::remove_dir_all(&folder).unwrap(),
        ];
        for spoil in spoil {
            spoil();
            assert!(!is_as_stored(&folder, &version.digest));
            provide(&folder, &version).unwrap();
            assert!(is_as_stored(&folder, &version.digest));
        }
        let beside = fs::read_dir(temp.path().join("0123")).unwrap().count();
        assert_eq!(beside, 1, "nothing is left beside it");
    }

    #[test]
    fn a_version_that_nobody_has_or_used_for_a_month_gives_up_its_folder() {
        let temp = tempfile::tempdir().unwrap();
        let top = &temp.path().canonicalize().unwrap();
        let now = SystemTime::now();
        for (version, days) in [("aa", 31), ("bb", 31), ("cc", 29), ("dd", 31), ("snapshot", 90)] {
            provide(&top.join(version).join("pdf"), &self::version()).unwrap();
            let used = now - Duration::from_secs(days * 24 * 60 * 60);
            fs::File::open(top.join(version)).unwrap().set_modified(used).unwrap();
        }
        fs::create_dir(top.join("ee")).unwrap();
        symlink(top.join("cc"), top.join("ff")).unwrap();
        note_use(&top.join("dd/pdf"));
        sweep(top, now, |version| version == "bb");
        let mut left: Vec<String> = fs::read_dir(top)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["bb", "cc", "dd", "ee", "ff", "snapshot"]);
        assert!(is_as_stored(&top.join("cc/pdf"), &self::version().digest));
        sweep(&top.join("none"), now, |_| false);
    }

    #[test]
    fn what_is_not_what_its_digest_says_is_not_written() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().canonicalize().unwrap().join("pdf");
        let mut with_git = version();
        with_git.files[0].path = ".git/config".to_owned();
        with_git.digest = version_digest(&with_git.content, &with_git.files);
        for wrong in [
            Version { content: "other".to_owned(), ..version() },
            Version { digest: "00".repeat(32), ..version() },
            Version {
                files: vec![BundleFile {
                    path: "../leak".to_owned(),
                    bytes: Vec::new(),
                    executable: false,
                }],
                ..version()
            },
            with_git,
        ] {
            assert!(provide(&folder, &wrong).is_err());
            assert!(!folder.exists() && !temp.path().join("leak").exists());
        }
    }

    #[test]
    fn a_folder_has_the_skills_name_as_far_as_file_systems_take_it() {
        for (name, folder) in [
            ("pdf-forms", "pdf-forms"),
            ("PDF Forms", "PDF-Forms"),
            ("../../etc", "-..-etc"),
            ("..", "skill"),
            ("a/b:c", "a-b-c"),
        ] {
            assert_eq!(folder_name(name), folder);
        }
    }
}
