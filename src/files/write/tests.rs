use super::*;
use crate::files::lock::Lock;
use crate::test_env::bar;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().canonicalize().unwrap();
    (temp, path)
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|item| item.unwrap().file_name()).collect();
    names.sort();
    names.into_iter().map(|name| name.into_string().unwrap()).collect()
}

fn write(path: &Path, old: Option<&str>, new: &str) -> Result<Replaced, WriteError> {
    replace(path, old.map(str::as_bytes), new.as_bytes(), NewFile::Plain)
}

#[test]
fn links_are_kept_and_their_final_target_is_written() {
    let (_temp, top) = folder();
    fs::create_dir_all(top.join("dots/deep")).unwrap();
    fs::create_dir_all(top.join("home")).unwrap();
    symlink("dots", top.join("dirlink")).unwrap();
    let target = top.join("dots/config");
    symlink(&target, top.join("home/absolute")).unwrap();
    symlink("../dots/config", top.join("home/relative")).unwrap();
    symlink("relative", top.join("home/chained")).unwrap();
    symlink("chained", top.join("home/thrice")).unwrap();
    symlink("../dirlink/config", top.join("home/through")).unwrap();
    // The text alone would mean `home/config`, but the system goes up from where `dirlink` leads.
    symlink("deep", top.join("dots/entry")).unwrap();
    symlink("../dirlink/entry/../config", top.join("home/updown")).unwrap();
    symlink(top.join("home"), top.join("homelink")).unwrap();
    let layouts = [
        "home/absolute",
        "home/relative",
        "home/chained",
        "home/thrice",
        "home/through",
        "home/updown",
    ];
    for path in layouts.into_iter().chain([
        "homelink/chained",
        "dirlink/config",
        "dots/config",
        "dots/./config",
    ]) {
        fs::write(&target, "old").unwrap();
        let path = top.join(path);
        let link = fs::read_link(&path).ok();
        let replaced =
            write(&path, Some("old"), "new").unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(
            replaced,
            Replaced { target: target.clone(), created: false, written: true },
            "{path:?}"
        );
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::read_link(&path).ok(), link, "{path:?}");
        assert_eq!(names(&top.join("dots")), ["config", "deep", "entry"]);
        bar::tried(1);
    }
}

#[test]
fn what_cannot_be_written_is_named_and_left_alone() {
    let (_temp, top) = folder();
    fs::create_dir(top.join("folder")).unwrap();
    symlink("missing", top.join("dangling")).unwrap();
    symlink("dangling", top.join("dangling2")).unwrap();
    symlink("circle2", top.join("circle")).unwrap();
    symlink("circle", top.join("circle2")).unwrap();
    symlink("folder", top.join("tofolder")).unwrap();
    symlink("nowhere", top.join("lostfolder")).unwrap();
    fs::write(top.join("store"), "old").unwrap();
    fs::set_permissions(top.join("store"), fs::Permissions::from_mode(0o444)).unwrap();
    symlink("store", top.join("tostore")).unwrap();
    crate::test_env::named_pipe(&top.join("fifo")).unwrap();
    fs::write(top.join("plain"), "old").unwrap();
    let before = names(&top);
    for (path, old, error) in [
        ("dangling", None, WriteError::Dangling),
        ("dangling", Some("old"), WriteError::Dangling),
        ("dangling2", Some("old"), WriteError::Dangling),
        ("lostfolder/config", None, WriteError::Dangling),
        ("circle", Some("old"), WriteError::Cycle),
        ("circle/x", Some("old"), WriteError::Cycle),
        ("folder", Some("old"), WriteError::NotRegular),
        ("tofolder", Some("old"), WriteError::NotRegular),
        ("fifo", Some("old"), WriteError::NotRegular),
        ("store", Some("old"), WriteError::ReadOnly),
        ("tostore", Some("old"), WriteError::ReadOnly),
        ("plain", Some("other"), WriteError::Changed),
        ("plain", Some("ol"), WriteError::Changed),
        ("plain", Some("old and more"), WriteError::Changed),
        ("plain", None, WriteError::Changed),
        ("missing", Some("old"), WriteError::Changed),
        ("plain/x", None, WriteError::Io(std::io::ErrorKind::NotADirectory)),
    ] {
        assert_eq!(write(&top.join(path), old, "new"), Err(error), "{path} {old:?}");
        assert_eq!(names(&top), before);
        bar::tried(1);
    }
    assert_eq!(fs::read(top.join("plain")).unwrap(), b"old");
    assert_eq!(fs::read(top.join("store")).unwrap(), b"old");
}

#[test]
fn mode_owner_and_attributes_are_kept() {
    let (_temp, top) = folder();
    for mode in [0o600, 0o644, 0o640, 0o755, 0o200] {
        let path = top.join(format!("{mode:o}"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        // Only root may give files away, and not every file system has attributes.
        let owner = std::os::unix::fs::chown(&path, Some(4321), Some(4322)).is_ok();
        let flags = rustix::fs::XattrFlags::empty();
        let attribute = rustix::fs::setxattr(&path, "user.note", b"kept", flags).is_ok();
        if mode & 0o400 == 0 && !rustix::process::geteuid().is_root() {
            continue;
        }
        write(&path, Some("old"), "new").unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!(metadata.mode() & 0o7777, mode);
        if owner {
            assert_eq!((metadata.uid(), metadata.gid()), (4321, 4322));
        }
        if attribute {
            let mut value = [0; 9];
            let length = rustix::fs::getxattr(&path, "user.note", &mut value[..]).unwrap();
            assert_eq!(&value[..length], b"kept");
        }
        bar::tried(1);
    }
}

#[test]
fn a_hard_linked_file_keeps_its_names() {
    let (_temp, top) = folder();
    fs::write(top.join("one"), "a long old text").unwrap();
    fs::hard_link(top.join("one"), top.join("two")).unwrap();
    write(&top.join("one"), Some("a long old text"), "new").unwrap();
    assert_eq!(fs::read(top.join("two")).unwrap(), b"new");
    assert_eq!(fs::metadata(top.join("one")).unwrap().nlink(), 2);
    assert_eq!(names(&top), ["one", "two"]);
}

#[test]
fn new_files_have_the_rights_of_their_kind() {
    let (_temp, top) = folder();
    let state = top.join("state/skillpick/history");
    assert!(replace(&state, None, b"x", NewFile::Private).unwrap().created);
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!((mode(&state), mode(state.parent().unwrap())), (0o600, 0o700));
    let settings = top.join("config/skillpick/config.toml");
    assert!(replace(&settings, None, b"x", NewFile::Plain).unwrap().created);
    // The umask applies, as to any other program's new file.
    let control = top.join("control");
    fs::write(&control, "").unwrap();
    assert_eq!(mode(&settings), mode(&control) & 0o644);
    assert_eq!(names(&top.join("config/skillpick")), ["config.toml"]);
}

#[test]
fn the_same_bytes_again_write_nothing() {
    let (_temp, top) = folder();
    let path = top.join("config");
    fs::write(&path, "same").unwrap();
    let before = fs::metadata(&path).unwrap();
    assert!(!write(&path, Some("same"), "same").unwrap().written);
    let after = fs::metadata(&path).unwrap();
    assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
}

#[test]
fn a_planted_file_or_link_at_the_temporary_name_is_not_touched() {
    let (_temp, top) = folder();
    let planted = top.join(format!("{}{}", STAGED.0, STAGED.1));
    let turn = Turn::take(&top, SystemTime::now());
    for plant in [true, false] {
        if plant {
            symlink(top.join("victim"), &planted).unwrap();
        } else {
            fs::write(&planted, "planted").unwrap();
        }
        // Without the random part, the planted name is the only one that can be tried.
        assert!(turn.builder(None).rand_bytes(0).tempfile_in(&top).is_err());
        assert!(!top.join("victim").exists());
        fs::remove_file(&planted).unwrap();
    }
    turn.builder(None).rand_bytes(0).tempfile_in(&top).unwrap();
}

#[test]
fn strays_of_a_killed_process_go_and_nothing_else_does() {
    let (_temp, top) = folder();
    for name in
        ["config", ".skillpick-abcdefghijkl.tmp", ".skillpick-abc.kept", "other.tmp", ".skillpick"]
    {
        fs::write(top.join(name), "x").unwrap();
    }
    symlink("config", top.join(".skillpick-link.tmp")).unwrap();
    let busy = Lock::of_directory(&top).unwrap();
    sweep(&top.join("config"), SystemTime::now());
    assert_eq!(names(&top).len(), 6, "a young one may be in use");
    let kept = [".skillpick", ".skillpick-abc.kept", ".skillpick-link.tmp", "config", "other.tmp"];
    sweep(&top.join("config"), SystemTime::now() + Duration::from_secs(601));
    assert_eq!(names(&top), kept);
    fs::write(top.join(".skillpick-abcdefghijkl.tmp"), "x").unwrap();
    let late = Turn::take(&top, SystemTime::now()).staging().unwrap();
    drop(busy);
    sweep(&top.join("config"), SystemTime::now());
    assert!(late.path().exists(), "whoever came too late for the lock may be writing still");
    drop(late);
    assert_eq!(names(&top), kept, "nobody is writing, so it was left");
    let copy = Turn::take(&top, SystemTime::now()).copy(b"old").unwrap();
    sweep(&top.join("config"), SystemTime::now() + Duration::from_secs(601));
    assert!(copy.exists(), "it may be the only one that is left of a file");
}

#[test]
fn nobody_takes_the_temporary_file_of_a_cache() {
    let (_temp, top) = folder();
    let path = top.join("index");
    crate::files::cache::write(&path, |to| {
        sweep(&path, SystemTime::now());
        to.write_all(b"whole")
    })
    .unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"whole");
}

#[test]
fn strays_go_when_a_file_is_made_changed_or_removed() {
    let (_temp, top) = folder();
    for (old, new) in [(None, "new"), (Some("new"), "newer")] {
        fs::write(top.join(".skillpick-abcdefghijkl.tmp"), "x").unwrap();
        write(&top.join("config"), old, new).unwrap();
        assert_eq!(names(&top), ["config"]);
    }
    fs::write(top.join(".skillpick-abcdefghijkl.tmp"), "x").unwrap();
    remove(&top.join("config"), b"newer").unwrap();
    assert_eq!(names(&top), Vec::<String>::new());
}

#[test]
fn bytes_written_between_the_look_and_the_exchange_come_back() {
    let (_temp, top) = folder();
    let path = top.join("config");
    // The state right after an exchange with a file that was changed just before it.
    fs::write(&path, "ours").unwrap();
    let temp = Turn::take(&top, SystemTime::now()).staged(b"theirs", None).unwrap();
    assert_eq!(settle(temp, &path, b"old", b"ours"), Err(WriteError::Changed));
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    assert_eq!(names(&top), ["config"]);
    // They wrote once more over ours before their old file was put back: the newer one stays.
    fs::write(&path, "newer").unwrap();
    let temp = Turn::take(&top, SystemTime::now()).staged(b"theirs", None).unwrap();
    assert_eq!(settle(temp, &path, b"old", b"ours"), Err(WriteError::Changed));
    assert_eq!(fs::read(&path).unwrap(), b"newer");
    assert_eq!(names(&top), ["config"]);
}

/// Adds a line `<who> <n>` before the last line, `end`; `None` for a half-written file.
fn counted(text: &str, who: &str) -> Option<(u32, String)> {
    let body = text.strip_suffix("end\n")?;
    let mark = format!("{who} ");
    let lines: Vec<&str> = body.lines().collect();
    let last =
        lines.iter().find_map(|line| line.strip_prefix(&mark)).map_or(0, |n| n.parse().unwrap());
    let mut new: String = lines
        .iter()
        .filter(|line| !line.starts_with(&mark))
        .map(|line| format!("{line}\n"))
        .collect();
    new.push_str(&format!("{mark}{}\nend\n", last + 1));
    Some((last, new))
}

/// One guarded update, repeated if somebody else was faster.
fn update(path: &Path, who: &str) {
    for _ in 0..1_000_000 {
        let Ok(old) = fs::read_to_string(path) else { continue };
        let Some((_, new)) = counted(&old, who) else { continue };
        match write(path, Some(&old), &new) {
            Ok(_) => return,
            Err(WriteError::Changed) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    panic!("never got through");
}

#[test]
fn two_guarded_writers_lose_no_update() {
    let rounds = bar::share(10_000);
    let temp = bar::quick_folder();
    let top = temp.path().canonicalize().unwrap();
    let path = top.join("config");
    fs::write(&path, "end\n").unwrap();
    std::thread::scope(|scope| {
        for who in ["a", "b"] {
            let path = &path;
            scope.spawn(move || (0..rounds).for_each(|_| update(path, who)));
        }
    });
    let text = fs::read_to_string(&path).unwrap();
    let both = [["a", "b"], ["b", "a"]]
        .map(|[one, other]| format!("{one} {rounds}\n{other} {rounds}\nend\n"));
    assert!(both.contains(&text), "{text}");
    assert_eq!(names(&top), ["config"]);
    bar::tried(2 * rounds);
}

#[test]
fn what_an_unguarded_agent_writes_is_never_lost_or_torn() {
    // Each round takes turns with the other writer, which is given up after a million looks.
    let rounds = u32::try_from(bar::share(10_000)).unwrap();
    for truncates in [false, true] {
        let temp = bar::quick_folder();
        let top = temp.path().canonicalize().unwrap();
        let path = top.join("config");
        fs::write(&path, "end\n").unwrap();
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    update(&path, "us");
                }
            });
            for round in 0..rounds {
                // It may read just before its own bytes are put back, but they must come back.
                let new = (0..1_000_000).find_map(|_| {
                    let (seen, new) = counted(&fs::read_to_string(&path).ok()?, "agent")?;
                    (seen == round).then_some(new)
                });
                let Some(new) = new else {
                    over.store(true, Ordering::Relaxed);
                    panic!("lost in round {round}, truncates: {truncates}");
                };
                if truncates {
                    fs::write(&path, new).unwrap();
                } else {
                    fs::write(top.join("agent.tmp"), new).unwrap();
                    fs::rename(top.join("agent.tmp"), &path).unwrap();
                }
            }
            over.store(true, Ordering::Relaxed);
        });
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("agent {rounds}\n")) && text.ends_with("end\n"), "{text}");
        assert_eq!(names(&top), ["config"]);
        bar::tried(rounds as usize);
    }
}

#[test]
fn removing_is_guarded_too() {
    let (_temp, top) = folder();
    let path = top.join("config");
    assert_eq!(remove(&path, b"ours"), Err(WriteError::Changed));
    fs::write(&path, "theirs").unwrap();
    assert_eq!(remove(&path, b"ours"), Err(WriteError::Changed));
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    symlink("config", top.join("link")).unwrap();
    assert_eq!(remove(&top.join("link"), b"theirs"), Err(WriteError::Changed));
    remove(&path, b"theirs").unwrap();
    assert_eq!(names(&top), ["link"]);
}
