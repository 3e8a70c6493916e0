//! What git does with a file, read from its own files. No program runs for it: what a repository's
//! settings name (hooks, a file system monitor) must not be started by a question.
//!
//! Not followed: settings that git's settings include, and a `core.worktree`. A file that only
//! those ignore counts as one that git takes.

use super::write::open_regular;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What git does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InGit {
    /// There is no git repository around it.
    Outside,
    /// Git has it, also if a rule says to ignore it; or it cannot be told.
    Tracked,
    /// Git does not have it and ignores it.
    Ignored,
    /// Git does not have it and would take it.
    Untracked,
}

impl InGit {
    /// In a few words; empty outside a repository.
    pub fn words(self) -> &'static str {
        match self {
            Self::Outside => "",
            Self::Tracked => "in git",
            Self::Ignored => "ignored by git",
            Self::Untracked => "not in git yet",
        }
    }
}

/// Where a person keeps rules for every repository.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnRules<'a> {
    pub home: Option<&'a Path>,
    /// The folder for settings: `~/.config`, or what `XDG_CONFIG_HOME` says.
    pub settings: Option<&'a Path>,
}

/// In bytes: an index of some 500,000 files. Beyond it every file counts as tracked.
const MAX_INDEX: u64 = 64 << 20;

/// In bytes. Beyond it the rest of a file with rules does not count.
const MAX_RULES: u64 = 1 << 20;

/// What git does with a file below the root of a repository. The file need not exist.
pub fn state(root: &Path, file: &Path, own: OwnRules<'_>) -> InGit {
    let (Some(folder), Ok(below)) = (git_folder(root), file.strip_prefix(root)) else {
        return InGit::Outside;
    };
    match is_tracked(&folder.join("index"), below) {
        Some(true) | None => InGit::Tracked,
        Some(false) if is_ignored(root, &common_folder(&folder), below, own) => InGit::Ignored,
        Some(false) => InGit::Untracked,
    }
}

/// The repository's `.git`, or the folder that the file of this name leads to.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let place = root.join(".git");
    let meta = fs::metadata(&place).ok()?;
    if meta.is_dir() {
        return Some(place);
    }
    let text = text(&place)?;
    Some(root.join(text.trim().strip_prefix("gitdir:")?.trim()))
}

/// Whether git takes the `.git` of a folder for a repository (`is_git_directory` in its `setup.c`).
/// A file of this name counts, wherever it leads: git does not look further up then.
pub fn is_repository(folder: &Path) -> bool {
    let place = folder.join(".git");
    let has = |name: &str| place.join(name).symlink_metadata().is_ok();
    place.is_file() || (has("HEAD") && has("objects") && has("refs"))
}

/// The folder that several working trees share.
fn common_folder(folder: &Path) -> PathBuf {
    let named = text(&folder.join("commondir"));
    named.map_or_else(|| folder.to_owned(), |named| folder.join(named.trim()))
}

/// The main working tree, if this is the root of a linked one (`git worktree`) and both sides name
/// each other.
pub fn main_tree(root: &Path) -> Option<PathBuf> {
    let real = |path: PathBuf| fs::canonicalize(path).ok();
    let folder = real(git_folder(root)?)?;
    let common = real(folder.join(text(&folder.join("commondir"))?.trim()))?;
    let back = folder.join(text(&folder.join("gitdir"))?.trim());
    let is_linked = folder.parent()? == common.join("worktrees")
        && real(back.parent()?.to_owned())? == real(root.to_owned())?;
    let main = if common.ends_with(".git") { common.parent()? } else { &common };
    is_linked.then(|| main.to_owned())
}

fn text(path: &Path) -> Option<String> {
    let bytes = bytes(path, MAX_RULES).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// At most so many bytes of a regular file.
fn bytes(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    let file = open_regular(path).map_err(|error| std::io::Error::other(error.to_string()))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the index has a path; `None` if it cannot be read.
fn is_tracked(index: &Path, below: &Path) -> Option<bool> {
    let index = match bytes(index, MAX_INDEX) {
        Ok(index) => index,
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(false),
        Err(_) => return None,
    };
    let wanted = below.as_os_str().as_encoded_bytes();
    // An id is a SHA-1, or in some repositories a SHA-256.
    has(&index, wanted, 20).or_else(|| has(&index, wanted, 32))
}

/// Reads an index of version 2, 3 or 4 (gitformat-index); `None` if it is not one, or if parts of
/// it are in another file.
fn has(index: &[u8], wanted: &[u8], id: usize) -> Option<bool> {
    const EXTENDED: u16 = 0x4000;
    const LENGTH: u16 = 0xfff;
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    let (version, count) = (number(4)?, number(8)?);
    if !index.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return None;
    }
    let (mut at, mut name, mut found) = (12, Vec::new(), false);
    for _ in 0..count {
        let flags = at + 40 + id;
        let flag = u16::from_be_bytes(index.get(flags..flags + 2)?.try_into().ok()?);
        let mut start = flags + if version > 2 && flag & EXTENDED != 0 { 4 } else { 2 };
        let kept = if version == 4 {
            let (dropped, behind) = offset(index, start)?;
            start = behind;
            name.len().checked_sub(dropped)?
        } else {
            0
        };
        name.truncate(kept);
        let rest = index.get(start..)?;
        let length = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(rest.get(..length)?);
        if usize::from(flag & LENGTH) != name.len().min(usize::from(LENGTH)) {
            return None;
        }
        found |= name == wanted;
        // Before version 4 an entry is filled up with NULs to a multiple of eight bytes.
        let end = start + length;
        at = if version == 4 { end + 1 } else { at + (end - at) / 8 * 8 + 8 };
    }
    let is_split = index.get(at..at + 4) == Some(b"link");
    (!is_split).then_some(found)
}

/// The number at a place of the index, in git's variable length, and where it ends.
fn offset(index: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *index.get(at)?;
    let mut value = usize::from(byte & 127);
    while byte & 128 != 0 {
        at += 1;
        byte = *index.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 127);
    }
    Some((value, at + 1))
}

/// Whether a rule ignores the file or a folder above it. Of the rules about one of these the last
/// one decides: the person's, `info/exclude`, then each `.gitignore` from the root down.
fn is_ignored(root: &Path, git: &Path, below: &Path, own: OwnRules<'_>) -> bool {
    let exclude = git.join("info/exclude");
    let mut rules: Vec<Gitignore> =
        own_rules(git, own).iter().chain([&exclude]).map(|file| read(file, root)).collect();
    let mut place = root.to_owned();
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        rules.push(read(&place.join(".gitignore"), &place));
        place.push(part);
        let is_folder = parts.peek().is_some();
        let decided = rules.iter().rev().map(|rules| rules.matched(&place, is_folder));
        if decided.into_iter().find(|said| !said.is_none()).is_some_and(|said| said.is_ignore()) {
            return true;
        }
    }
    false
}

fn read(file: &Path, root: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(root);
    for line in text(file).unwrap_or_default().lines() {
        // Git passes over a line that it does not understand.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The file with the person's rules: what `core.excludesFile` says, else `git/ignore`.
fn own_rules(git: &Path, own: OwnRules<'_>) -> Option<PathBuf> {
    let settings = own.settings.map(|folder| folder.join("git"));
    let files = [
        Some(git.join("config")),
        own.home.map(|home| home.join(".gitconfig")),
        settings.as_ref().map(|folder| folder.join("config")),
    ];
    let named = files.into_iter().flatten().find_map(|file| excludes_file(&text(&file)?));
    match named {
        Some(named) => match named.strip_prefix("~/") {
            Some(rest) => own.home.map(|home| home.join(rest)),
            None => Some(PathBuf::from(named)),
        },
        None => settings.map(|folder| folder.join("ignore")),
    }
}

/// The last `excludesFile` in the section `core` of a settings file.
fn excludes_file(settings: &str) -> Option<String> {
    let (mut core, mut named) = (false, None);
    for line in settings.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            core = section.trim_start().to_lowercase().starts_with("core]");
        } else if let Some((key, value)) = line.split_once('=').filter(|_| core)
            && key.trim().eq_ignore_ascii_case("excludesfile")
        {
            named = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn an_index_that_cannot_be_read_has_every_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join(".git")).unwrap();
        let file = root.join("a.json");
        write(&root.join(".gitignore"), "a.json\n");
        let said = || state(root, &file, OwnRules::default());
        assert_eq!(said(), InGit::Ignored);
        for index in ["", "DIRC", "DIRC\0\0\0\x02\0\0\0\x01", "nonsense that is no index"] {
            write(&root.join(".git/index"), index);
            assert_eq!(said(), InGit::Tracked, "{index:?}");
        }
        fs::remove_dir_all(root.join(".git")).unwrap();
        assert_eq!(said(), InGit::Outside);
    }

    #[test]
    fn a_linked_working_tree_leads_to_the_main_one_if_both_agree() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let (main, tree, own) =
            (top.join("main"), top.join("tree"), top.join("main/.git/worktrees/tree"));
        fs::create_dir_all(main.join(".git")).unwrap();
        write(&tree.join(".git"), "gitdir: ../main/.git/worktrees/tree\n");
        write(&own.join("commondir"), "../..\n");
        write(&own.join("gitdir"), &format!("{}\n", tree.join(".git").display()));
        assert_eq!(main_tree(&tree), Some(main.clone()));
        assert_eq!(main_tree(&main), None);
        write(&own.join("gitdir"), &format!("{}\n", top.join("other/.git").display()));
        assert_eq!(main_tree(&tree), None);
        write(&main.join("sub/.git"), "gitdir: ../.git/modules/sub\n");
        fs::create_dir_all(main.join(".git/modules/sub")).unwrap();
        assert_eq!(main_tree(&main.join("sub")), None);
    }

    #[test]
    fn the_file_of_a_persons_own_rules_can_be_named() {
        assert_eq!(excludes_file("[user]\nexcludesFile = no\n"), None);
        let settings = "[core]\n\tautocrlf = false\n\texcludesfile = ~/.mine\n[core \"x\"]\nexcludesFile = no\n";
        assert_eq!(excludes_file(settings).as_deref(), Some("~/.mine"));
    }
}
