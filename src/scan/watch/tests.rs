//! Changes are told, and reading is not.

use super::*;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Far longer than any change takes to be told, so that only a broken watch waits so long.
const DEADLINE: Duration = Duration::from_secs(20);

fn watch(watched: &Watched) -> (Watch, Receiver<()>) {
    let (told, changes) = channel();
    let watch = Watch::start(watched, move || {
        let _ = told.send(());
    })
    .unwrap();
    assert!(watch.failed.is_empty(), "{:?}", watch.failed);
    (watch, changes)
}

fn below(root: &Path) -> Watched {
    Watched { roots: vec![root.to_owned()], files: Vec::new() }
}

#[test]
fn a_write_deep_below_a_root_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("group/skill/references");
    fs::create_dir_all(&folder).unwrap();
    let (watch, changes) = watch(&below(dir.path()));
    fs::write(folder.join("new.md"), "x").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
    drop(watch);
}

#[test]
fn a_new_folder_makes_the_watch_stale_and_a_fresh_one_sees_into_it() {
    let dir = tempfile::tempdir().unwrap();
    let watched = below(dir.path());
    let (first, changes) = watch(&watched);
    assert!(first.holds(&watched));
    fs::create_dir(dir.path().join("skill")).unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
    if cfg!(target_os = "linux") {
        assert!(!first.holds(&watched));
    }
    let (_second, changes) = watch(&watched);
    fs::write(dir.path().join("skill/SKILL.md"), "x").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
}

#[test]
fn a_missing_root_is_watched_for_and_a_file_by_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    let watched = Watched { roots: vec![dir.path().join("a/skills")], files: vec![dir.path().join("config.toml")] };
    let (watch, changes) = watch(&watched);
    fs::write(dir.path().join("neighbour.txt"), "x").unwrap();
    fs::create_dir_all(dir.path().join("a/skills")).unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
    assert!(!watch.holds(&watched), "what was missing is there now");
    let (_watch, changes) = super::tests::watch(&watched);
    fs::write(dir.path().join("config.toml"), "version = 1\n").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn reading_and_neighbours_tell_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("root")).unwrap();
    let file = dir.path().join("root/SKILL.md");
    fs::write(&file, "x").unwrap();
    let watched = Watched { roots: vec![dir.path().join("root")], files: vec![dir.path().join("config.toml")] };
    let (_watch, changes) = watch(&watched);
    fs::read(&file).unwrap();
    fs::write(dir.path().join("neighbour.txt"), "x").unwrap();
    // What comes after is told; nothing else was told before it.
    fs::write(&file, "y").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
    assert!(changes.try_iter().count() <= 1, "one write is told once, or twice where it also changes its attributes");
}

#[test]
fn a_root_that_appears_or_is_replaced_is_no_longer_held() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("skills");
    let watched = Watched { roots: vec![root.clone()], files: vec![folder.path().join("config/config.toml")] };
    let start = || Watch::start(&watched, || {}).unwrap();

    let waiting = start();
    assert!(waiting.failed.is_empty() && waiting.holds(&watched));
    fs::create_dir(&root).unwrap();
    assert!(!waiting.holds(&watched), "it appeared");

    let there = start();
    assert!(there.holds(&watched));
    fs::rename(&root, folder.path().join("old")).unwrap();
    fs::create_dir(&root).unwrap();
    assert!(!there.holds(&watched), "it was replaced");

    let again = start();
    fs::create_dir(folder.path().join("config")).unwrap();
    assert!(!again.holds(&watched), "the settings' folder appeared");
    let other = Watched { roots: vec![root], files: Vec::new() };
    assert!(!again.holds(&other));
}
