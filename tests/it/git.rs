//! What git does with a file: our answer is git's own.

use crate::support::skipped;
use skillpick::files::git::{InGit, OwnRules, state};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs git in a folder, with nothing of this machine's settings.
pub(crate) fn git(folder: &Path, options: &[&str]) -> Option<String> {
    let run = Command::new("git")
        .args(options)
        .current_dir(folder)
        .env("HOME", folder.parent()?)
        .env_remove("XDG_CONFIG_HOME")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .ok()?;
    run.status.success().then(|| String::from_utf8_lossy(&run.stdout).into_owned())
}

fn own(top: &Path) -> (PathBuf, PathBuf) {
    (top.to_owned(), top.join(".config"))
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

const FILES: [&str; 9] = [
    "a.json",
    "kept/b.json",
    "kept/c.json",
    "gone/d.json",
    "gone/deep/e.json",
    "local.json",
    "x/local.json",
    "x/own.json",
    "tracked-yet-ignored.json",
];

fn tree(root: &Path) {
    write(&root.join(".gitignore"), "local.json\n/gone/\nkept/*\n!kept/b.json\ntracked-*\n");
    write(&root.join("x/.gitignore"), "!local.json\n\\[odd\n");
    write(&root.join("gone/.gitignore"), "!d.json\n");
    write(&root.parent().unwrap().join(".config/git/ignore"), "own.*\n");
    FILES.iter().for_each(|file| write(&root.join(file), "{}\n"));
}

#[test]
fn what_git_says_of_a_file_is_what_we_say() {
    let folder = tempfile::tempdir().unwrap();
    let top = fs::canonicalize(folder.path()).unwrap();
    let root = top.join("repo");
    tree(&root);
    if git(&root, &["init", "-q"]).is_none() {
        skipped("git is not installed, and is what our answers are held against");
        return;
    }
    write(&root.join(".git/info/exclude"), "a.json\n");
    let (home, settings) = own(&top);
    let own = OwnRules { home: Some(&home), settings: Some(&settings) };
    for version in ["none", "2", "3", "4"] {
        if version != "none" {
            git(&root, &["add", "-f", "tracked-yet-ignored.json", "kept/b.json"]).unwrap();
            // An extended flag makes version 3.
            git(&root, &["add", "-N", "x/local.json"]).unwrap();
            git(&root, &["update-index", "--index-version", version]).unwrap();
        }
        for file in FILES {
            let tracked = git(&root, &["ls-files", "--error-unmatch", file]).is_some();
            let ignored = git(&root, &["check-ignore", "-q", file]).is_some();
            let wanted = match (tracked, ignored) {
                (true, _) => InGit::Tracked,
                (false, true) => InGit::Ignored,
                (false, false) => InGit::Untracked,
            };
            assert_eq!(state(&root, &root.join(file), own), wanted, "{file}, index {version}");
        }
    }
    // Another working tree has an index of its own and shares `info/exclude`.
    git(&root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]).unwrap();
    let other = top.join("other");
    git(&root, &["worktree", "add", "-q", other.to_str().unwrap()]).unwrap();
    assert_eq!(state(&other, &other.join("kept/b.json"), own), InGit::Tracked);
    assert_eq!(state(&other, &other.join("a.json"), own), InGit::Ignored);
    assert_eq!(state(&other, &root.join("a.json"), own), InGit::Outside);
}
