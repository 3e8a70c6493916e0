//! What is watched by other names than the system reports.

use super::super::targets;
use super::*;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Far longer than a report takes, so that only a broken watch waits so long.
const DEADLINE: Duration = Duration::from_secs(20);

fn start(watched: &Watched) -> (Watcher, Receiver<WatchEvent>) {
    let (sender, events) = channel();
    let watched = &watched.with_links();
    let report = Box::new(move |event| {
        let _ = sender.send(event);
    });
    let Started { watcher, failed, .. } = watch(&targets(watched), watched, report).unwrap();
    assert!(failed.is_empty(), "{failed:?}");
    (watcher, events)
}

#[cfg(unix)]
#[test]
fn what_lies_behind_a_link_is_reported_by_whatever_name_it_is_known() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    for folder in ["real/skills/own", "real/settings", "far/linked/scripts", "far/next", "beside"] {
        fs::create_dir_all(at(folder)).unwrap();
    }
    fs::write(at("far/flat.md"), "x").unwrap();
    symlink(at("real"), at("alias")).unwrap();
    symlink(at("far/linked"), at("real/skills/linked")).unwrap();
    symlink(at("far/flat.md"), at("real/skills/own/SKILL.md")).unwrap();
    symlink(at("far/next"), at("far/linked/next")).unwrap();
    // Nothing around the root is watched for it.
    symlink(dir.path(), at("real/skills/around")).unwrap();
    let watched = Watched {
        roots: vec![at("alias/skills")],
        depth: 6,
        files: vec![at("alias/settings/config.toml")],
    };
    for file in [
        "real/skills/own/notes.md",
        "real/settings/config.toml",
        "far/linked/scripts/run.sh",
        "far/next/SKILL.md",
        "far/flat.md",
    ] {
        let (_watcher, events) = start(&watched);
        for beside in ["beside/x", "real/settings/other.toml", "far/other.md"] {
            fs::write(at(beside), "x").unwrap();
        }
        assert!(events.recv_timeout(Duration::from_millis(200)).is_err(), "{file}");
        fs::write(at(file), "x").unwrap();
        let told = events.recv_timeout(DEADLINE);
        assert_eq!(told, Ok(WatchEvent::Changed), "{file}");
    }
    let (_watcher, events) = start(&watched);
    symlink(at("beside"), at("real/skills/new")).unwrap();
    assert_eq!(events.recv_timeout(DEADLINE), Ok(WatchEvent::Stale), "it leads elsewhere");
}
