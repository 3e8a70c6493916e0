use super::*;
use crate::test_env::bar;
use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

mod listing;

/// A skill with every kind of entry, and secrets around it.
fn test() -> (tempfile::TempDir, PathBuf) {
    let temp = bar::quick_folder();
    let top = temp.path().canonicalize().unwrap();
    let skill = top.join("skill");
    for folder in
        ["skill/sub/deep", "skill/.hidden", "skill/node_modules/x", "skill/.git", "skill2"]
    {
        fs::create_dir_all(top.join(folder)).unwrap();
    }
    for (file, text) in [
        ("skill/SKILL.md", "body"),
        ("skill/sub/deep/x", "deep"),
        ("skill/.hidden/h", "hidden"),
        ("skill/back\\slash", "back"),
        ("skill/%2e%2e", "percent"),
        ("skill/caf\u{e9}", "nfc"),
        ("skill/node_modules/x/y", "no"),
        ("secret", "SECRET"),
        ("skill2/secret", "SECRET"),
    ] {
        fs::write(top.join(file), text).unwrap();
    }
    fs::write(skill.join("empty"), "").unwrap();
    fs::hard_link(skill.join("SKILL.md"), skill.join("hard")).unwrap();
    crate::test_env::named_pipe(&skill.join("fifo")).unwrap();
    drop(std::os::unix::net::UnixListener::bind(skill.join("socket")).unwrap());
    for (link, target) in [
        ("in", "sub/deep/x"),
        ("chain", "in"),
        ("sub/up", "../SKILL.md"),
        ("dir", "sub/deep"),
        ("self", "."),
        ("round", "../skill/SKILL.md"),
        ("out", "../secret"),
        ("outchain", "out"),
        ("outdir", ".."),
        ("twin", "../skill2"),
        ("nowhere", "missing"),
        ("circle", "circle2"),
        ("circle2", "circle"),
        ("proc", "/proc/self/root/etc/passwd"),
        ("null", "/dev/null"),
        ("tofifo", "fifo"),
        ("sub/deep/far", "../../../secret"),
    ] {
        symlink(target, skill.join(link)).unwrap();
    }
    symlink(skill.join("SKILL.md"), skill.join("absolute")).unwrap();
    (temp, skill)
}

fn both(skill: &Path) -> [SkillDir; 2] {
    [SkillDir::open(skill).unwrap(), SkillDir::open_by_hand(skill).unwrap()]
}

const READABLE: &[(&str, &str)] = &[
    ("SKILL.md", "body"),
    ("./SKILL.md", "body"),
    (".//SKILL.md", "body"),
    ("sub/../SKILL.md", "body"),
    ("sub/deep/../../SKILL.md", "body"),
    ("sub/deep/x", "deep"),
    ("sub//deep///x", "deep"),
    (".hidden/h", "hidden"),
    ("back\\slash", "back"),
    ("%2e%2e", "percent"),
    ("caf\u{e9}", "nfc"),
    ("empty", ""),
    ("hard", "body"),
    ("in", "deep"),
    ("chain", "deep"),
    ("sub/up", "body"),
    ("dir/x", "deep"),
    // The kernel resolves `..` after a link from where the link leads.
    ("dir/../deep/x", "deep"),
    ("dir/../up", "body"),
    ("self/SKILL.md", "body"),
    ("self/self/./self/SKILL.md", "body"),
];

fn refused() -> Vec<(String, Refusal)> {
    use Refusal::*;
    let directory = NotRegular(Kind::Directory);
    let mut rows: Vec<(String, Refusal)> = [
        ("", Empty),
        ("/", Absolute),
        ("/etc/passwd", Absolute),
        ("//etc/passwd", Absolute),
        ("..", Parent),
        ("../secret", Parent),
        ("../skill/SKILL.md", Parent),
        ("../skill2/secret", Parent),
        ("sub/../../secret", Parent),
        ("sub/../../skill/SKILL.md", Parent),
        ("./../secret", Parent),
        ("self/../secret", Outside),
        ("sub/deep/../../../secret", Parent),
        ("dir/../../../secret", Parent),
        ("dir/../../..", Parent),
        ("self/..", Outside),
        ("out", Outside),
        ("outchain", Outside),
        ("outdir/secret", Outside),
        ("outdir/skill/SKILL.md", Outside),
        ("twin/secret", Outside),
        ("round", Outside),
        ("sub/deep/far", Outside),
        ("dir/far", Outside),
        ("absolute", Outside),
        ("proc", Outside),
        ("null", Outside),
        ("nowhere", NotFound),
        ("missing", NotFound),
        ("missing/../SKILL.md", NotFound),
        ("SKILL.md/", NotFound),
        ("SKILL.md/x", NotFound),
        ("SKILL.md/..", NotFound),
        ("in/", NotFound),
        ("skill.md", NotFound),
        ("cafe\u{301}", NotFound),
        ("%2e%2e/secret", NotFound),
        ("..\\secret", NotFound),
        ("C:\\secret", NotFound),
        ("~/secret", NotFound),
        ("file:///etc/passwd", NotFound),
        (".. /secret", NotFound),
        ("circle", Loop),
        ("circle/x", Loop),
        ("nul\0x", Nul),
        ("SKILL.md\0", Nul),
        (".", directory.clone()),
        ("./", directory.clone()),
        ("sub", directory.clone()),
        ("sub/", directory.clone()),
        ("dir", directory.clone()),
        ("self", directory.clone()),
        ("sub/..", directory),
        ("fifo", NotRegular(Kind::Fifo)),
        ("tofifo", NotRegular(Kind::Fifo)),
        ("socket", NotRegular(Kind::Socket)),
    ]
    .map(|(path, refusal)| (path.to_owned(), refusal))
    .into();
    rows.push(("x/".repeat(5_000), TooManyComponents));
    rows.push((format!("{}secret", "../".repeat(5_000)), TooManyComponents));
    rows.push(("n".repeat(256), NameTooLong));
    rows.push((format!("{}x", "./".repeat(200)), NotFound));
    rows
}

#[test]
fn paths_are_refused_by_name_and_nothing_outside_is_read() {
    let (_temp, skill) = test();
    let refused = refused();
    assert!(READABLE.len() + refused.len() >= 60);
    for dir in both(&skill) {
        for (path, text) in READABLE {
            let content = dir
                .read(Path::new(path), 100)
                .unwrap_or_else(|refusal| panic!("{path:?}: {refusal}"));
            assert_eq!(content.bytes, text.as_bytes(), "{path:?} by {dir:?}");
        }
        for (path, refusal) in &refused {
            let got = dir
                .read(Path::new(path), 100)
                .map(|content| String::from_utf8(content.bytes).unwrap());
            assert_eq!(got, Err(refusal.clone()), "{:?} by {dir:?}", &path[..path.len().min(40)]);
        }
    }
}

#[cfg(not(target_os = "macos"))]
#[test]
fn a_name_that_is_not_utf8_is_read() {
    use std::os::unix::ffi::OsStrExt;
    let (_temp, skill) = test();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff\xfename");
    fs::write(skill.join(name), "odd").unwrap();
    for dir in both(&skill) {
        assert_eq!(dir.read(Path::new(name), 9).unwrap().bytes, b"odd");
    }
}

#[test]
fn a_link_swapped_during_reads_never_escapes() {
    let (_temp, skill) = test();
    // A real directory and a real file that change places with links out of the skill.
    fs::create_dir(skill.join("real")).unwrap();
    fs::write(skill.join("real/secret"), "inner").unwrap();
    fs::write(skill.join("file"), "inner").unwrap();
    symlink("../skill2", skill.join("real2")).unwrap();
    symlink("../secret", skill.join("file2")).unwrap();
    let rounds = bar::share(84_000);
    for dir in both(&skill) {
        let over = AtomicBool::new(false);
        let read = std::thread::scope(|scope| {
            scope.spawn(|| {
                // `f` and `d` lead in turn to something inside and out of the skill.
                for round in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let [file, folder] =
                        if round % 2 == 0 { ["../secret", "../skill2"] } else { ["in", "sub"] };
                    for (target, name) in [(file, "f"), (folder, "d")] {
                        symlink(target, skill.join("staged")).unwrap();
                        fs::rename(skill.join("staged"), skill.join(name)).unwrap();
                    }
                    #[cfg(target_os = "linux")]
                    for (one, other) in [("real", "real2"), ("file", "file2")] {
                        use rustix::fs::{CWD, RenameFlags, renameat_with};
                        renameat_with(
                            CWD,
                            skill.join(one),
                            CWD,
                            skill.join(other),
                            RenameFlags::EXCHANGE,
                        )
                        .unwrap();
                    }
                }
            });
            // Judged after the race: a panic here would leave the other thread running.
            let (mut read, mut escaped) = (0, Vec::new());
            for _ in 0..rounds {
                for path in ["f", "d/secret", "d/../secret", "d/../SKILL.md", "real/secret", "file"]
                {
                    if let Ok(content) = dir.read(Path::new(path), 100) {
                        if content.bytes == b"SECRET" {
                            escaped.push(path);
                        }
                        read += 1;
                    }
                }
            }
            over.store(true, Ordering::Relaxed);
            assert!(escaped.is_empty(), "{} escapes by {:?}: {dir:?}", escaped.len(), escaped[0]);
            read
        });
        assert!(read > 0, "the race was never won, so nothing was shown");
        bar::tried(rounds * 6);
    }
}

#[test]
fn a_directory_moved_away_is_still_the_one_that_was_opened() {
    let (temp, skill) = test();
    for dir in both(&skill) {
        fs::rename(&skill, temp.path().join("moved")).unwrap();
        symlink("skill2", &skill).unwrap();
        assert_eq!(dir.read(Path::new("secret"), 100), Err(Refusal::NotFound));
        assert_eq!(dir.read(Path::new("SKILL.md"), 100).unwrap().bytes, b"body");
        fs::remove_file(&skill).unwrap();
        fs::rename(temp.path().join("moved"), &skill).unwrap();
    }
}

#[test]
fn a_fifo_does_not_block_and_wakes_no_writer() {
    let (_temp, skill) = test();
    for dir in both(&skill) {
        assert_eq!(dir.read(Path::new("fifo"), 1), Err(Refusal::NotRegular(Kind::Fifo)));
        // If anything had it open for reading, this would not be `ENXIO`.
        let flags = rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::NONBLOCK;
        let opened = rustix::fs::open(skill.join("fifo"), flags, rustix::fs::Mode::empty());
        assert_eq!(opened.unwrap_err(), rustix::io::Errno::NXIO);
    }
}

#[test]
fn a_huge_file_is_read_up_to_the_cap_and_marked() {
    let (_temp, skill) = test();
    fs::File::create(skill.join("sparse")).unwrap().set_len(1 << 40).unwrap();
    for dir in both(&skill) {
        let content = dir.read(Path::new("sparse"), 1000).unwrap();
        assert_eq!((content.bytes.len(), content.total, content.cut), (1000, 1 << 40, true));
        let whole = dir.read(Path::new("SKILL.md"), 4).unwrap();
        assert_eq!((whole.bytes.len(), whole.total, whole.cut), (4, 4, false));
        let part = dir.read(Path::new("SKILL.md"), 3).unwrap();
        assert_eq!((part.bytes.as_slice(), part.total, part.cut), (&b"bod"[..], 4, true));
    }
}

#[test]
fn a_growing_file_is_cut_though_it_was_small_when_opened() {
    let content = Content::read(std::io::repeat(b'x'), 3, 10).unwrap();
    assert_eq!((content.bytes.len(), content.cut), (10, true));
    assert!(content.total > 10);
}

#[test]
fn opening_names_what_is_wrong() {
    let (_temp, skill) = test();
    assert_eq!(SkillDir::open(&skill.join("missing")).unwrap_err(), Refusal::NotFound);
    assert_eq!(SkillDir::open(&skill.join("SKILL.md/below")).unwrap_err(), Refusal::NotFound);
    assert_eq!(SkillDir::open(Path::new("a\0b")).unwrap_err(), Refusal::Nul);
}

#[test]
fn a_folder_is_not_opened_through_a_link_that_came_after_it_was_judged() {
    let (_temp, skill) = test();
    let skill = skill.canonicalize().unwrap();
    let above = skill.parent().unwrap();
    let (moved, outside) = (above.join("moved"), above.join("outside"));
    fs::create_dir_all(outside.join("sub")).unwrap();
    fs::write(outside.join("SKILL.md"), "SECRET").unwrap();
    let opened = |path: &Path| [SkillDir::open(path), SkillDir::open_by_hand(path)];
    // The folder itself, one above it, and the folder of a skill that is a single file.
    let (sub, file) = (skill.join("sub"), skill.join("SKILL.md"));
    for (swapped, given) in [(&skill, &skill), (&skill, &sub), (&sub, &sub), (&skill, &file)] {
        fs::rename(swapped, &moved).unwrap();
        symlink(&outside, swapped).unwrap();
        for refused in opened(given) {
            assert_eq!(refused.unwrap_err(), Refusal::Unstable, "{swapped:?} {given:?}");
        }
        assert!(read_plain(given, 9, &mut Vec::new()).is_err());
        // Where a person names the folder, the link is followed.
        let dir = SkillDir::open_through_links(&skill).unwrap();
        assert!(dir.read(Path::new("SKILL.md"), 9).is_ok());
        fs::remove_file(swapped).unwrap();
        fs::rename(&moved, swapped).unwrap();
    }
    assert!(opened(&skill).into_iter().all(|dir| dir.is_ok()));
    // A link to nothing, and one to itself.
    for (target, refusal) in [("nowhere", Refusal::NotFound), ("circle", Refusal::Loop)] {
        let link = above.join("circle");
        symlink(target, &link).unwrap();
        for refused in opened(&link) {
            assert_eq!(refused.unwrap_err(), refusal, "{target}");
        }
        fs::remove_file(&link).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_path_of_these_parts_reads_outside_and_both_walks_agree(
        parts in prop::collection::vec(
            prop::sample::select(vec!["..", ".", "", "sub", "deep", "x", "in", "dir", "self", "outdir", "twin", "out",
                "SKILL.md", "skill", "skill2", "secret", "circle", "sub/up", "absolute", "%2e%2e"]), 0..7)
    ) {
        thread_local! { static HOUSE: (tempfile::TempDir, PathBuf) = test(); }
        let path = parts.join("/");
        HOUSE.with(|(_, skill)| {
            let [kernel, hand] = both(skill).map(|dir| dir.read(Path::new(&path), 100));
            prop_assert!(kernel.as_ref().map_or(true, |content| content.bytes != b"SECRET"));
            prop_assert_eq!(kernel, hand);
            Ok(())
        })?;
    }
}

#[test]
fn a_plain_read_takes_the_beginning_of_a_regular_file_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("file"), "0123456789").unwrap();
    std::fs::write(at("empty"), "").unwrap();
    std::os::unix::fs::symlink("file", at("link")).unwrap();
    crate::test_env::named_pipe(&at("pipe")).unwrap();
    let mut room = b"of the file before".to_vec();
    for (name, cap, content) in [("file", 99, "0123456789"), ("file", 4, "0123"), ("empty", 9, "")]
    {
        read_plain(&at(name), cap, &mut room).unwrap();
        assert_eq!(room, content.as_bytes(), "{name}");
    }
    for name in ["link", "pipe", ".", "none"] {
        assert!(read_plain(&at(name), 9, &mut room).is_err(), "{name}");
        assert!(room.is_empty(), "{name}");
    }
}

#[test]
fn a_skill_that_is_a_single_file_has_nothing_else() {
    let (_temp, skill) = test();
    fs::write(skill.join("single.md"), "text").unwrap();
    for dir in both(&skill.join("single.md")) {
        assert_eq!(dir.read(Path::new("single.md"), 100).unwrap().bytes, b"text");
        for other in ["SKILL.md", "./SKILL.md", "scripts", "..", ".", "single.md/.."] {
            assert!(dir.read(Path::new(other), 100).is_err(), "{other}");
        }
        let tree = dir.tree(TreeLimits::default());
        let paths: Vec<&Path> = tree.entries.iter().map(|entry| entry.path.as_path()).collect();
        assert_eq!(paths, [Path::new("single.md")]);
        // It becomes a link to what lies beside it.
        fs::rename(skill.join("single.md"), skill.join("kept.md")).unwrap();
        symlink("SKILL.md", skill.join("single.md")).unwrap();
        assert_eq!(dir.read(Path::new("single.md"), 100), Err(Refusal::Outside));
        fs::rename(skill.join("kept.md"), skill.join("single.md")).unwrap();
    }
}
