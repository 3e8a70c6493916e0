//! Changes are reported, and reading is not.

use super::*;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Far longer than a report takes, so that only a broken watch waits so long.
const DEADLINE: Duration = Duration::from_secs(20);

fn watch(watched: &Watched) -> (Watch, Receiver<()>) {
    let (sender, changes) = channel();
    let watch = Watch::start(watched, move || {
        let _ = sender.send(());
    })
    .unwrap();
    assert!(watch.failed.is_empty(), "{:?}", watch.failed);
    (watch, changes)
}

fn below(root: &Path) -> Watched {
    Watched { roots: vec![root.to_owned()], depth: 6, files: Vec::new() }
}

#[test]
fn a_write_deep_below_a_root_is_reported() {
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
    let watched = Watched {
        roots: vec![dir.path().join("a/skills")],
        depth: 6,
        files: vec![dir.path().join("config.toml")],
    };
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
fn reading_and_neighbours_report_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("root")).unwrap();
    let file = dir.path().join("root/SKILL.md");
    fs::write(&file, "x").unwrap();
    let watched = Watched {
        roots: vec![dir.path().join("root")],
        depth: 6,
        files: vec![dir.path().join("config.toml")],
    };
    let (_watch, changes) = watch(&watched);
    fs::read(&file).unwrap();
    fs::write(dir.path().join("neighbour.txt"), "x").unwrap();
    // The next change is reported, and nothing was reported before it.
    fs::write(&file, "y").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
    assert!(
        changes.try_iter().count() <= 1,
        "one write is reported once, or twice if it also changes attributes"
    );
}

#[test]
fn a_root_that_appears_or_is_replaced_is_no_longer_held() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("skills");
    let watched = Watched {
        roots: vec![root.clone()],
        depth: 6,
        files: vec![folder.path().join("config/config.toml")],
    };
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
    let other = Watched { roots: vec![root], depth: 6, files: Vec::new() };
    assert!(!again.holds(&other));
}

/// A program that keeps several versions of its skills turns one link from one to the next.
#[cfg(target_os = "linux")]
#[test]
fn a_link_that_is_turned_anywhere_on_the_way_is_reported() {
    use std::os::unix::fs::symlink;
    for (root, file) in [
        // The root, a skill's folder and a skill's file are reached over `current`.
        ("skills", None),
        ("own", Some("own/skill")),
        ("flat", Some("flat/skill/SKILL.md")),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let at = |path: &str| top.join(path);
        for version in ["v1", "v2"] {
            fs::create_dir_all(at(&format!("x/{version}/skill"))).unwrap();
            fs::write(at(&format!("x/{version}/skill/SKILL.md")), version).unwrap();
        }
        fs::create_dir_all(at("flat/skill")).unwrap();
        fs::create_dir_all(at("own")).unwrap();
        fs::create_dir_all(at("y")).unwrap();
        symlink("v1", at("x/current")).unwrap();
        symlink(at("x/current"), at("y/way")).unwrap();
        symlink("y/way", at("skills")).unwrap();
        symlink(at("y/way/skill"), at("own/skill")).unwrap();
        symlink(at("y/way/skill/SKILL.md"), at("flat/skill/SKILL.md")).unwrap();
        let (watch, changes) = watch(&below(&at(root)));
        fs::write(at("x/neighbour"), "x").unwrap();
        assert!(changes.recv_timeout(Duration::from_millis(100)).is_err(), "{root}");
        symlink("v2", at("x/new")).unwrap();
        fs::rename(at("x/new"), at("x/current")).unwrap();
        changes.recv_timeout(DEADLINE).unwrap();
        assert!(!watch.holds(&below(&at(root))), "{root}: the new way is not watched yet");
        drop(watch);
        // It leads nowhere for a time.
        fs::remove_file(at("x/current")).unwrap();
        let (watch, changes) = super::tests::watch(&below(&at(root)));
        symlink("v1", at("x/current")).unwrap();
        changes.recv_timeout(DEADLINE).unwrap();
        drop(watch);
        let (_watch, changes) = super::tests::watch(&below(&at(root)));
        let path = file.map_or_else(|| at("skills/skill/SKILL.md"), at);
        let path = if path.is_dir() { path.join("SKILL.md") } else { path };
        fs::write(path, "other").unwrap();
        changes.recv_timeout(DEADLINE).unwrap();
    }
}

/// What is watched lies two folders deeper than the one that is renamed.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_renamed_anywhere_on_the_way_is_reported() {
    use std::os::unix::fs::symlink;
    for (root, moved) in [
        ("home/own/skills", "home/own"),
        ("home/own/skills", "home"),
        // The root, a skill's folder and a skill's file are links.
        ("linked", "dot"),
        ("folders", "dot"),
        ("files", "dot"),
        // Not there yet.
        ("home/own/none/skills", "home"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let at = |path: &str| top.join(path);
        for folder in ["home/own/skills", "dot/ai/skills/one", "new/ai/skills/one"] {
            fs::create_dir_all(at(folder)).unwrap();
            fs::write(at(folder).join("SKILL.md"), "x").unwrap();
        }
        fs::create_dir_all(at("folders")).unwrap();
        fs::create_dir_all(at("files/one")).unwrap();
        symlink(at("dot/ai/skills"), at("linked")).unwrap();
        symlink(at("dot/ai/skills/one"), at("folders/one")).unwrap();
        symlink(at("dot/ai/skills/one/SKILL.md"), at("files/one/SKILL.md")).unwrap();
        let watched = below(&at(root));
        let (held, changes) = watch(&watched);
        for beside in ["beside", "home/beside", "dot/beside", "dot/ai/beside"] {
            fs::create_dir(at(beside)).unwrap();
            fs::write(at(beside).join("SKILL.md"), "x").unwrap();
            fs::remove_dir_all(at(beside)).unwrap();
        }
        assert!(changes.recv_timeout(Duration::from_millis(100)).is_err(), "{root} {moved}");
        fs::rename(at(moved), at("old")).unwrap();
        let told = changes.recv_timeout(DEADLINE);
        assert!(told.is_ok() && !held.holds(&watched), "{root} {moved}");
        // A watch that begins now waits for it, and sees another one in its place.
        let (held, changes) = watch(&watched);
        fs::rename(at("new"), at(moved)).unwrap();
        let told = changes.recv_timeout(DEADLINE);
        assert!(told.is_ok() && !held.holds(&watched), "{root} {moved}");
    }
}

/// A list that was read before may show what lay there.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_on_the_way_that_was_renamed_before_the_watch_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    fs::create_dir_all(top.join("old/own/skills")).unwrap();
    fs::create_dir(top.join("linked")).unwrap();
    std::os::unix::fs::symlink(top.join("new/own/skills"), top.join("linked/one")).unwrap();
    // Steps of the clock of some file systems.
    let pause = || std::thread::sleep(Duration::from_millis(50));
    for (from, to) in [("old", "new"), ("new", "old")] {
        pause();
        let before = SystemTime::now();
        pause();
        assert!(watch(&below(&top.join("linked"))).0.changed < before, "nothing since then");
        fs::rename(top.join(from), top.join(to)).unwrap();
        fs::write(top.join("beside"), to).unwrap();
        assert!(watch(&below(&top.join("linked"))).0.changed >= before, "{from}");
    }
}

/// A file of settings may lie in a folder of a root that is watched as a whole already.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_watched_as_a_whole_stays_so_by_any_name() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    fs::create_dir_all(top.join("root/skill")).unwrap();
    std::os::unix::fs::symlink(top.join("root/skill"), top.join("alias")).unwrap();
    let watched = Watched { files: vec![top.join("alias/x.toml")], ..below(&top.join("root")) };
    let (_watch, changes) = watch(&watched);
    fs::write(top.join("root/skill/SKILL.md"), "x").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
}

/// Each folder has two links to the next one: 2^24 ways to the last of them.
#[cfg(unix)]
#[test]
fn folders_that_links_lead_to_many_times_are_watched_once() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |number: usize| dir.path().join(format!("outside/{number:02}"));
    for number in 0..24 {
        fs::create_dir_all(folder(number)).unwrap();
    }
    for number in 0..23 {
        for link in ["one", "two"] {
            std::os::unix::fs::symlink(folder(number + 1), folder(number).join(link)).unwrap();
        }
    }
    let watched = Watched { roots: vec![folder(0)], depth: 64, files: Vec::new() };
    let (done, finished) = channel();
    std::thread::spawn(move || drop(done.send(watch(&watched))));
    let (_watch, changes) = finished.recv_timeout(DEADLINE).expect("the watch stands");
    fs::write(folder(23).join("SKILL.md"), "x").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn what_lies_deeper_than_the_scan_goes_is_not_watched() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("1/2/3")).unwrap();
    let watched = Watched { roots: vec![dir.path().to_owned()], depth: 2, files: Vec::new() };
    let (_watch, changes) = watch(&watched);
    fs::write(dir.path().join("1/2/3/SKILL.md"), "x").unwrap();
    assert!(changes.recv_timeout(Duration::from_millis(200)).is_err());
    fs::write(dir.path().join("1/2/SKILL.md"), "x").unwrap();
    changes.recv_timeout(DEADLINE).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn the_newest_change_before_the_watch_is_known() {
    use std::os::unix::fs::MetadataExt;
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("group/skill/agents");
    fs::create_dir_all(&folder).unwrap();
    let (old, settings) = (dir.path().join("group/skill/SKILL.md"), dir.path().join("x.toml"));
    for path in [&old, &settings, &folder.join("openai.yaml")] {
        fs::write(path, "x").unwrap();
    }
    let watched = Watched { files: vec![settings.clone()], ..below(&dir.path().join("group")) };
    for path in [&old, &settings, &folder.join("openai.yaml")] {
        // A date that is set back is a change like any other.
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let meta = fs::metadata(path).unwrap();
        let (seconds, nanos) = (meta.ctime().cast_unsigned(), meta.ctime_nsec().cast_unsigned());
        let nanos = u32::try_from(nanos).unwrap();
        let written = SystemTime::UNIX_EPOCH + std::time::Duration::new(seconds, nanos);
        assert_eq!(watch(&watched).0.changed, written, "{path:?}");
    }
}
