//! The further files of a stored skill, under strict rules: what is stored is written to other
//! people's disks.

use crate::files::beneath::{EntryKind, Refusal, SkillDir, TreeLimits};
use crate::files::digest::{Digest, TreeDigest, Type};
use crate::files::mirror::NOT_COPIED;
use crate::text::SafeText;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// The most bytes of all files of a skill together, its `SKILL.md` left out.
pub const MAX_BUNDLE_BYTES: u64 = 5 << 20;
/// The most files of a skill, its `SKILL.md` left out.
pub const MAX_BUNDLE_FILES: usize = 1_000;
/// The most bytes of a path, and of a name in it.
const MAX_PATH: usize = 512;
const MAX_NAME: usize = 200;
/// The most folders of a path.
const MAX_DEPTH: usize = 16;
/// The main file, which is no file of the bundle.
const SKILL: &str = "SKILL.md";

/// One file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BundleFile {
    /// Relative to the skill, with `/`; other people's text.
    pub path: String,
    pub bytes: Vec<u8>,
    pub executable: bool,
}

/// The further files of a skill, in the order of their paths. They keep the rules of
/// [`Bundle::of`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle(Vec<BundleFile>);

/// Why files are no bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    #[error("{0}: {1}")]
    Path(SafeText, PathFault),
    #[error("{0}: a link; a stored skill has files only")]
    Link(SafeText),
    #[error("{0}: neither a file nor a folder")]
    Special(SafeText),
    #[error("{0}: {1}")]
    Unread(SafeText, Refusal),
    #[error("more than {MAX_BUNDLE_FILES} files")]
    Files,
    #[error("the files have more than {} MiB", MAX_BUNDLE_BYTES >> 20)]
    Bytes,
    /// An archive that cannot be read.
    #[error("the archive is refused: {0}")]
    Archive(&'static str),
}

/// What is wrong with the path of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    #[error("the path is empty")]
    Empty,
    #[error("the path is absolute")]
    Absolute,
    #[error("the path has `.` or `..`")]
    Dots,
    #[error("the path has a character that no file name should have")]
    Character,
    #[error("the path is too long or too deep")]
    Long,
    #[error("the path is not UTF-8")]
    NotUtf8,
    #[error("another file has this path, upper and lower case and forms of Unicode aside")]
    Twice,
    #[error("a file and a folder have this path")]
    Folder,
    #[error("Windows takes a name in it for another one, or for a device")]
    Windows,
    #[error("git would take its folder for a repository, and run what that says")]
    Git,
}

impl Bundle {
    /// Takes files under the rules: relative paths without `..`, links and duplicates (also if only
    /// upper and lower case or the form of Unicode differ), and the limits.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn of(files: Vec<BundleFile>) -> Result<Self, BundleError> {
        let odd = |file: &&BundleFile| file.path.split('/').any(is_odd_on_windows);
        let odd = files.iter().find(odd).map(|file| SafeText::line(&file.path));
        let bundle = Self::checked(files, compared)?;
        odd.map_or(Ok(bundle), |path| Err(BundleError::Path(path, PathFault::Windows)))
    }

    /// The same of what a store has. It may be older than the rules for names that other systems
    /// take for one, and stays usable where they are two.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn of_stored(files: Vec<BundleFile>) -> Result<Self, BundleError> {
        Self::checked(files, str::to_lowercase)
    }

    /// `key` is the same for paths that are one.
    fn checked(mut files: Vec<BundleFile>, key: fn(&str) -> String) -> Result<Self, BundleError> {
        files.sort();
        if files.len() > MAX_BUNDLE_FILES {
            return Err(BundleError::Files);
        }
        let total: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
        if total > MAX_BUNDLE_BYTES {
            return Err(BundleError::Bytes);
        }
        let mut seen = BTreeSet::from([SKILL.to_lowercase()]);
        for file in &files {
            let refused = |fault| BundleError::Path(SafeText::line(&file.path), fault);
            check_path(&file.path).map_err(refused)?;
            if !seen.insert(key(&file.path)) {
                return Err(refused(PathFault::Twice));
            }
        }
        for file in &files {
            let lower = key(&file.path);
            let mut above = lower.match_indices('/').map(|(at, _)| &lower[..at]);
            if above.any(|folder| seen.contains(folder)) {
                return Err(BundleError::Path(SafeText::line(&file.path), PathFault::Folder));
            }
            if is_head_of_git(&lower, &seen) {
                return Err(BundleError::Path(SafeText::line(&file.path), PathFault::Git));
            }
        }
        Ok(Self(files))
    }

    /// The files of a skill's folder but for its `SKILL.md`, and what is left out: each `.git`,
    /// `node_modules` and `.DS_Store`.
    ///
    /// # Errors
    /// [`BundleError`]. Nothing else is left out.
    pub fn of_folder(folder: &Path, main: &Path) -> Result<(Self, Vec<PathBuf>), BundleError> {
        let unread = |path: &Path, refusal| BundleError::Unread(SafeText::path(path), refusal);
        let open = |path: &Path| SkillDir::open(path).map_err(|refusal| unread(path, refusal));
        let dir = open(folder)?;
        let limits = TreeLimits { depth: 64, entries: 4 * MAX_BUNDLE_FILES, skipped: NOT_COPIED };
        let mut tree = dir.tree(limits);
        tree.skipped.sort();
        if tree.cut {
            return Err(BundleError::Files);
        }
        if let Some((path, refusal)) = tree.unread.into_iter().next() {
            return Err(unread(&path, refusal));
        }
        let (mut files, mut left) = (Vec::new(), MAX_BUNDLE_BYTES);
        for entry in tree.entries.iter().filter(|entry| entry.path != main) {
            let named = SafeText::path(&entry.path);
            match &entry.kind {
                EntryKind::Directory => continue,
                EntryKind::Link { .. } => return Err(BundleError::Link(named)),
                EntryKind::Other(_) => return Err(BundleError::Special(named)),
                EntryKind::File { executable, .. } => {
                    let Some(path) = entry.path.to_str() else {
                        return Err(BundleError::Path(named, PathFault::NotUtf8));
                    };
                    let content = dir.read(&entry.path, left + 1);
                    let content = content.map_err(|refusal| unread(&entry.path, refusal))?;
                    let length = content.bytes.len() as u64;
                    left = left.checked_sub(length).ok_or(BundleError::Bytes)?;
                    let (path, executable) = (path.to_owned(), *executable);
                    files.push(BundleFile { path, bytes: content.bytes, executable });
                }
            }
        }
        Ok((Self::of(files)?, tree.skipped))
    }

    /// In the order of their paths.
    pub fn files(&self) -> &[BundleFile] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A path as file systems compare it that know no upper and lower case (Windows, macOS), nor
/// whether an accent is a character of its own (macOS).
fn compared(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    path.nfc().collect::<String>().to_lowercase().nfc().collect()
}

/// Whether Windows takes a name for another one, without its end, or for a device, whatever comes
/// behind a dot.
fn is_odd_on_windows(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_lowercase();
    let is_port = |port: &str| {
        let number = stem.strip_prefix(port).and_then(|it| it.strip_prefix(['¹', '²', '³']));
        let digit = |it: &str| matches!(it.as_bytes(), [b'1'..=b'9']);
        number == Some("") || stem.strip_prefix(port).is_some_and(digit)
    };
    part.ends_with(['.', ' '])
        || matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || ["com", "lpt"].into_iter().any(is_port)
}

/// Whether a file is the `HEAD` of what git takes for a repository without files of its own. Git
/// obeys the settings of the one in which it is started.
fn is_head_of_git(path: &str, all: &BTreeSet<String>) -> bool {
    let Some(folder) = path.strip_suffix("head") else { return false };
    let beside = |name: &str| {
        let start = format!("{folder}{name}");
        all.range(start.clone()..).next().is_some_and(|found| found.starts_with(&start))
    };
    let is_plain = folder.is_empty() || folder.ends_with('/');
    is_plain
        && (all.contains(&format!("{folder}commondir")) || beside("objects/") && beside("refs/"))
}

/// Whether some file system takes this name for `.git`. A program that asks git would run what the
/// settings in it say.
fn is_git(part: &str) -> bool {
    let part = part.trim_end_matches(['.', ' ']);
    part.eq_ignore_ascii_case(".git") || part.eq_ignore_ascii_case("git~1")
}

/// Whether a file may have this path in a skill, wherever it is written.
pub(super) fn check_path(path: &str) -> Result<(), PathFault> {
    if path.is_empty() {
        return Err(PathFault::Empty);
    }
    if path.starts_with('/') {
        return Err(PathFault::Absolute);
    }
    // What other systems take for a separator, a drive or a stream, and what hides.
    let is_odd = |c: char| c.is_control() || matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>');
    if path.chars().any(is_odd) || SafeText::marks(path) > 0 {
        return Err(PathFault::Character);
    }
    let parts: Vec<&str> = path.split('/').collect();
    if parts.iter().any(|part| matches!(*part, "" | "." | "..")) {
        return Err(PathFault::Dots);
    }
    if parts.iter().any(|part| is_git(part)) {
        return Err(PathFault::Git);
    }
    let is_long = path.len() > MAX_PATH || parts.iter().any(|part| part.len() > MAX_NAME);
    if is_long || parts.len() > MAX_DEPTH {
        return Err(PathFault::Long);
    }
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if plain { Ok(()) } else { Err(PathFault::Absolute) }
}

/// The digest of a version: of its `SKILL.md` and all further files, 64 hex digits.
pub fn version_digest(content: &str, files: &[BundleFile]) -> String {
    let main = (Path::new(SKILL), false, Digest::of(content.as_bytes()), content.len());
    let further = files.iter().map(|file| {
        let digest = Digest::of(&file.bytes);
        (Path::new(file.path.as_str()), file.executable, digest, file.bytes.len())
    });
    tree_digest(std::iter::once(main).chain(further))
}

/// The digest of files: path, whether it is executable, digest and length of its bytes.
pub(super) fn tree_digest<'a>(
    files: impl Iterator<Item = (&'a Path, bool, Digest, usize)>,
) -> String {
    let mut tree = TreeDigest::default();
    for (path, executable, digest, length) in files {
        let hashed = crate::files::digest::Hashed { digest, length: length as u64 };
        tree.add_hashed(path, Type::File, if executable { 0o755 } else { 0o644 }, hashed);
    }
    tree.finish().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, bytes: &[u8]) -> BundleFile {
        BundleFile { path: path.to_owned(), bytes: bytes.to_vec(), executable: false }
    }

    #[test]
    fn a_path_is_relative_plain_and_there_once() {
        let cases = [
            ("scripts/run.sh", None),
            ("a b/ü.md", None),
            ("", Some(PathFault::Empty)),
            ("/etc/passwd", Some(PathFault::Absolute)),
            ("../a", Some(PathFault::Dots)),
            ("a/../../b", Some(PathFault::Dots)),
            ("./a", Some(PathFault::Dots)),
            ("a//b", Some(PathFault::Dots)),
            ("a/", Some(PathFault::Dots)),
            ("a\\b", Some(PathFault::Character)),
            ("C:/a", Some(PathFault::Character)),
            ("a\u{0}b", Some(PathFault::Character)),
            ("a\u{1b}[31m", Some(PathFault::Character)),
            ("a\u{202e}b", Some(PathFault::Character)),
            ("skill.MD", Some(PathFault::Twice)),
            (".git/config", Some(PathFault::Git)),
            ("a/.GIT", Some(PathFault::Git)),
            (".git./config", Some(PathFault::Git)),
            ("GIT~1/config", Some(PathFault::Git)),
            (".gitignore", None),
            ("a/.github/b.yml", None),
            ("HEAD", None),
            ("con", Some(PathFault::Windows)),
            ("a/aux.md", Some(PathFault::Windows)),
            ("Lpt1 .tar.gz", Some(PathFault::Windows)),
            ("COM²", Some(PathFault::Windows)),
            ("a./b", Some(PathFault::Windows)),
            ("notes.md ", Some(PathFault::Windows)),
            ("a/console.md", None),
            ("com10", None),
            ("common/lpt.md", None),
            (" a", None),
        ];
        for (path, fault) in cases {
            let made = Bundle::of(vec![file(path, b"x")]);
            let expected = fault.map(|fault| BundleError::Path(SafeText::line(path), fault));
            assert_eq!(made.err(), expected, "{path:?}");
        }
        let deep = "a/".repeat(MAX_DEPTH) + "b";
        let long = "a".repeat(MAX_NAME + 1);
        for path in [deep, long] {
            assert!(
                matches!(
                    Bundle::of(vec![file(&path, b"")]),
                    Err(BundleError::Path(_, PathFault::Long))
                ),
                "{path}"
            );
        }
        for (one, other) in
            [("a", "a"), ("Read.md", "read.MD"), ("Ä", "ä"), ("caf\u{e9}", "CAFE\u{301}")]
        {
            let twice = Bundle::of(vec![file(one, b"1"), file(other, b"2")]);
            assert!(matches!(twice, Err(BundleError::Path(_, PathFault::Twice))), "{one} {other}");
        }
        let old = vec![file("caf\u{e9}", b""), file("cafe\u{301}", b""), file("aux.md", b"")];
        assert!(Bundle::of_stored(old).is_ok(), "what is stored stays usable");
        let both = Bundle::of(vec![file("a", b""), file("A/b", b"")]);
        assert!(matches!(both, Err(BundleError::Path(_, PathFault::Folder))));
    }

    #[test]
    fn no_folder_is_what_git_takes_for_a_repository() {
        let made = |paths: &[&str]| {
            let files = paths.iter().map(|path| file(path, b"x")).collect();
            Bundle::of(files).err().map(|error| error.to_string())
        };
        for paths in [
            &["HEAD", "config", "objects/x", "refs/x"][..],
            &["a/head", "a/OBJECTS/x", "a/refs/heads/x"],
            &["HEAD", "commondir", "b/objects/x", "b/refs/x"],
        ] {
            assert!(made(paths).is_some_and(|said| said.contains("git")), "{paths:?}");
        }
        for paths in [&["HEAD", "objects/x"][..], &["a/HEAD", "objects/x", "refs/x"]] {
            assert_eq!(made(paths), None, "{paths:?}");
        }
        assert_eq!(made(&["ahead", "aobjects/x", "arefs/x", "acommondir"]), None);
    }

    #[test]
    fn a_bundle_has_a_thousand_files_and_five_mebibytes_at_most() {
        let many = |count| (0..count).map(|index| file(&format!("f{index}"), b"")).collect();
        assert_eq!(Bundle::of(many(MAX_BUNDLE_FILES)).map(|it| it.0.len()), Ok(MAX_BUNDLE_FILES));
        assert_eq!(Bundle::of(many(MAX_BUNDLE_FILES + 1)), Err(BundleError::Files));
        let most = usize::try_from(MAX_BUNDLE_BYTES).unwrap();
        assert!(Bundle::of(vec![file("a", &vec![0; most])]).is_ok());
        let over = vec![file("a", &vec![0; most]), file("b", b"x")];
        assert_eq!(Bundle::of(over), Err(BundleError::Bytes));
    }

    #[test]
    fn every_part_of_a_version_counts() {
        let base = version_digest("text", &[file("a", b"1")]);
        assert_eq!(base, version_digest("text", &[file("a", b"1")]));
        let executable = BundleFile { executable: true, ..file("a", b"1") };
        for (content, files) in [
            ("texu", vec![file("a", b"1")]),
            ("text", vec![file("b", b"1")]),
            ("text", vec![file("a", b"2")]),
            ("text", vec![executable]),
            ("text", vec![]),
        ] {
            assert_ne!(base, version_digest(content, &files));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_with_a_link_is_no_bundle() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(temp.path().join("scripts")).unwrap();
        std::fs::write(temp.path().join("SKILL.md"), "x").unwrap();
        std::fs::write(temp.path().join("scripts/a.sh"), "x").unwrap();
        let folder = temp.path().canonicalize().unwrap();
        for skipped in ["node_modules/x", "scripts/.git"] {
            std::fs::create_dir_all(folder.join(skipped)).unwrap();
        }
        std::fs::write(folder.join(".DS_Store"), "x").unwrap();
        let (bundle, left_out) = Bundle::of_folder(&folder, Path::new(SKILL)).unwrap();
        assert_eq!(bundle.files(), [file("scripts/a.sh", b"x")]);
        assert_eq!(left_out, [".DS_Store", "node_modules", "scripts/.git"].map(PathBuf::from));
        std::os::unix::fs::symlink("/etc/passwd", folder.join("leak")).unwrap();
        assert_eq!(
            Bundle::of_folder(&folder, Path::new(SKILL)),
            Err(BundleError::Link(SafeText::fixed("leak")))
        );
    }
}
