//! Paths and links that lead out of a skill, the limits, and what kind of file it is.

use super::*;
use crate::catalog::SkillRoot;
use crate::files::beneath::Kind;
use crate::test_env::bar;
use std::fs;
use std::path::PathBuf;

/// The default limits.
const LIMITS: SizeLimits = SizeLimits { file: 16 << 20, given: 2_000_000 };

struct TestSkill {
    top: PathBuf,
    skill: Skill,
    _folder: tempfile::TempDir,
}

impl TestSkill {
    fn new() -> Self {
        let folder = bar::quick_folder();
        let top = fs::canonicalize(folder.path()).unwrap();
        for (path, text) in [
            ("skill/SKILL.md", "BODY"),
            ("skill/references/fields.md", "FIELDS"),
            ("skill/references/deep/er.txt", "DEEPER"),
            ("skill/with space/a%2fb", "PERCENT"),
            ("skill/..hidden", "HIDDEN"),
            ("skill/...", "DOTS"),
            ("secret.txt", "SECRET"),
            ("skill-twin/secret.txt", "SECRET"),
            ("skillSECRET/x", "SECRET"),
        ] {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let path = top.join("skill/SKILL.md");
        let skill = Skill {
            name: "skill".into(),
            description: String::new(),
            locations: crate::catalog::Locations::default(),
            scope: crate::catalog::Scope::User,
            in_repository: false,
            root: SkillRoot::plain(&top),
            stamp: crate::catalog::Stamp::default(),
            bytes: 4,
            whole: true,
            properties: crate::catalog::Properties::default(),
            invocation: crate::catalog::Invocation::default(),
            diagnostics: Vec::new(),
            head: None,
            stored: None,
            path,
        };
        Self { top, skill, _folder: folder }
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        fs::write(self.top.join("skill").join(path), bytes).unwrap();
    }

    fn read(&self, path: &str, encoding: Encoding) -> Result<Resource, ReadError> {
        read_resource(&self.skill, path, encoding, LIMITS)
    }
}

/// The result of a case.
enum Gives {
    Text(&'static str),
    Refused(Refusal),
}

#[cfg(unix)]
fn links(test: &TestSkill) {
    use std::os::unix::fs::symlink;
    let skill = test.top.join("skill");
    let absolute = test.top.join("secret.txt");
    for (name, target) in [
        ("in", "references/fields.md"),
        ("in-dir", "references"),
        ("in-chain", "in"),
        ("in-up", "references/../SKILL.md"),
        ("out", "../secret.txt"),
        ("out-chain", "out"),
        ("out-dir", ".."),
        ("out-twin", "../skill-twin"),
        ("out-long", "references/deep/../../../secret.txt"),
        ("out-back", "../skill/SKILL.md"),
        ("absolute", absolute.to_str().unwrap()),
        ("absolute-in", skill.join("SKILL.md").to_str().unwrap()),
        ("magic-root", "/proc/self/root"),
        ("magic-cwd", "/proc/self/cwd"),
        ("magic-fd", "/proc/self/fd/0"),
        ("dangling", "nothing"),
        ("loop", "loop"),
        ("loop-a", "loop-b"),
        ("loop-b", "loop-a"),
        ("device", "/dev/zero"),
    ] {
        symlink(target, skill.join(name)).unwrap();
    }
    crate::test_env::named_pipe(&skill.join("fifo")).unwrap();
}

#[cfg(unix)]
#[test]
fn a_path_out_of_the_skill_is_refused_by_name_and_gives_no_byte() {
    use Gives::{Refused, Text};
    use Refusal::*;
    let test = TestSkill::new();
    links(&test);
    let absolute = test.top.join("secret.txt").to_str().unwrap().to_owned();
    let inner_absolute = test.top.join("skill/SKILL.md").to_str().unwrap().to_owned();
    let many = "a/".repeat(5_000) + "x";
    let many_up = "../".repeat(5_000) + "etc/passwd";
    let long = "n".repeat(300);
    let directory = || Refused(NotRegular(Kind::Directory));
    let cases: Vec<(&str, Gives)> = vec![
        ("SKILL.md", Text("BODY")),
        ("./SKILL.md", Text("BODY")),
        ("references/fields.md", Text("FIELDS")),
        ("references//fields.md", Text("FIELDS")),
        ("references/./fields.md", Text("FIELDS")),
        ("references/../SKILL.md", Text("BODY")),
        ("references/deep/../fields.md", Text("FIELDS")),
        ("..hidden", Text("HIDDEN")),
        ("...", Text("DOTS")),
        ("with space/a%2fb", Text("PERCENT")),
        ("in", Text("FIELDS")),
        ("in-dir/deep/er.txt", Text("DEEPER")),
        ("in-chain", Text("FIELDS")),
        ("in-up", Text("BODY")),
        ("in-dir/../SKILL.md", Text("BODY")),
        ("", Refused(Empty)),
        (".", directory()),
        ("references", directory()),
        ("references/", directory()),
        ("references/..", directory()),
        ("SKILL.md/", Refused(NotFound)),
        ("SKILL.md/x", Refused(NotFound)),
        ("missing", Refused(NotFound)),
        ("skill.md", Refused(NotFound)),
        ("..", Refused(Parent)),
        ("../", Refused(Parent)),
        ("../secret.txt", Refused(Parent)),
        ("../../etc/passwd", Refused(Parent)),
        ("references/../../secret.txt", Refused(Parent)),
        ("references/deep/../../../secret.txt", Refused(Parent)),
        ("./../secret.txt", Refused(Parent)),
        ("../skill/SKILL.md", Refused(Parent)),
        ("../skill-twin/secret.txt", Refused(Parent)),
        ("../skillSECRET/x", Refused(Parent)),
        ("-twin/secret.txt", Refused(NotFound)),
        ("..\\secret.txt", Refused(NotFound)),
        ("%2e%2e/secret.txt", Refused(NotFound)),
        ("%2e%2e%2fsecret.txt", Refused(NotFound)),
        ("..%2fsecret.txt", Refused(NotFound)),
        ("with space/a/b", Refused(NotFound)),
        ("\u{ff0e}\u{ff0e}/secret.txt", Refused(NotFound)),
        ("..\u{2215}secret.txt", Refused(NotFound)),
        ("~/secret.txt", Refused(NotFound)),
        ("$HOME/secret.txt", Refused(NotFound)),
        ("file:///etc/passwd", Refused(NotFound)),
        ("/etc/passwd", Refused(Absolute)),
        ("//etc/passwd", Refused(Absolute)),
        (&absolute, Refused(Absolute)),
        (&inner_absolute, Refused(Absolute)),
        ("SKILL.md\0.txt", Refused(Nul)),
        ("\0", Refused(Nul)),
        ("../secret.txt\0SKILL.md", Refused(Nul)),
        (&many, Refused(TooManyComponents)),
        (&many_up, Refused(TooManyComponents)),
        (&long, Refused(NameTooLong)),
        ("out", Refused(Outside)),
        ("out-chain", Refused(Outside)),
        ("out-dir/secret.txt", Refused(Outside)),
        ("out-twin/secret.txt", Refused(Outside)),
        ("out-long", Refused(Outside)),
        ("out-back", Refused(Outside)),
        ("absolute", Refused(Outside)),
        ("absolute-in", Refused(Outside)),
        ("magic-root/etc/passwd", Refused(Outside)),
        ("magic-cwd/Cargo.toml", Refused(Outside)),
        ("magic-fd", Refused(Outside)),
        ("device", Refused(Outside)),
        ("dangling", Refused(NotFound)),
        ("loop", Refused(Loop)),
        ("loop-a", Refused(Loop)),
        ("fifo", Refused(NotRegular(Kind::Fifo))),
    ];
    assert!(cases.len() >= 60);
    for (path, gives) in &cases {
        let shown = &path[..path.len().min(60)];
        for encoding in [Encoding::Text, Encoding::Binary] {
            match (test.read(path, encoding), gives) {
                (Ok(resource), Text(text)) => {
                    let bytes = match resource.body {
                        ResourceBody::Text(text) => text.into_bytes(),
                        ResourceBody::Binary(bytes) => bytes,
                    };
                    assert_eq!(bytes, text.as_bytes(), "{shown}");
                }
                (Err(ReadError::Refused(refusal)), Refused(wanted)) => {
                    assert_eq!(refusal, *wanted, "{shown}")
                }
                (other, _) => panic!("{shown:?}: {other:?}"),
            }
        }
    }
}

#[cfg(unix)]
struct Stopping<'a>(&'a std::sync::atomic::AtomicBool);

#[cfg(unix)]
impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_is_swapped_while_it_is_read_never_leads_out() {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    let test = TestSkill::new();
    let skill = test.top.join("skill");
    // The path is in turn a file, a link out, and a file in a directory that is a link out.
    fs::create_dir(skill.join("turn")).unwrap();
    test.write("turn/x.txt", b"INSIDE");
    fs::create_dir(test.top.join("evil")).unwrap();
    fs::write(test.top.join("evil/x.txt"), "SECRET").unwrap();
    symlink("../evil", skill.join("turn-evil")).unwrap();
    let (stop, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (mut inside, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                for (from, to) in [
                    ("turn", "turn-good"),
                    ("turn-evil", "turn"),
                    ("turn", "turn-evil"),
                    ("turn-good", "turn"),
                ] {
                    fs::rename(skill.join(from), skill.join(to)).unwrap();
                }
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        // Ends the swapping, however the rounds end.
        let _stopping = Stopping(&stop);
        let rounds = bar::share(1_000_000);
        for _ in 0..rounds {
            match test.read("turn/x.txt", Encoding::Text) {
                Ok(resource) => {
                    assert_eq!(resource.body, ResourceBody::Text("INSIDE".into()));
                    inside += 1;
                }
                Err(ReadError::Refused(
                    Refusal::Outside | Refusal::NotFound | Refusal::Unstable,
                )) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
    });
    assert!(
        swaps.into_inner() > 0 && inside > 0 && refused > 0,
        "nothing raced: {inside} {refused}"
    );
    bar::tried(inside + refused);
}

#[test]
fn rem_11_1_a_long_text_is_cut_between_two_characters_and_says_so() {
    let test = TestSkill::new();
    // The limit is in the middle of a character.
    let text = "a".to_owned() + &"\u{e9}".repeat(1_000_000);
    test.write("long.txt", text.as_bytes());
    let read = test.read("long.txt", Encoding::Text).unwrap();
    assert_eq!((read.total, read.cut), (2_000_001, true));
    let ResourceBody::Text(part) = read.body else { panic!("text was asked for") };
    assert_eq!(part.len(), 1_999_999);
    assert!(text.starts_with(&part));
    let ResourceBody::Binary(part) = test.read("long.txt", Encoding::Binary).unwrap().body else {
        panic!("bytes")
    };
    assert_eq!(part.len(), 2_000_000);
    test.write("fits.txt", &text.as_bytes()[..1_999_999]);
    assert!(!test.read("fits.txt", Encoding::Text).unwrap().cut);
}

#[test]
fn aab_9b_beyond_the_hard_limit_nothing_is_read() {
    let test = TestSkill::new();
    let file = fs::File::create(test.top.join("skill/huge.txt")).unwrap();
    file.set_len(LIMITS.file + 1).unwrap();
    let error = ReadError::TooLarge(TooLarge { total: LIMITS.file + 1, limit: LIMITS.file });
    for encoding in [Encoding::Text, Encoding::Binary] {
        assert_eq!(test.read("huge.txt", encoding).unwrap_err(), error);
    }
    file.set_len(LIMITS.file).unwrap();
    assert!(test.read("huge.txt", Encoding::Binary).unwrap().cut);
    assert!(error.to_string().contains("16 MiB"), "{error}");
}

#[test]
fn rem_7_2b_text_refuses_what_is_not_text_and_binary_takes_it() {
    let test = TestSkill::new();
    for (name, bytes, media_type) in [
        ("a.png", &b"\x89PNG\r\n\x1a\n\0\0"[..], "image/png"),
        ("nul.txt", b"a\0b", "application/octet-stream"),
        ("late-nul.txt", &[&b"text ".repeat(2_000)[..], b"\0"].concat(), "text/plain"),
        (
            "latin.txt",
            &[&b"a text in another encoding ".repeat(10)[..], b"\xe9"].concat(),
            "text/plain",
        ),
        (
            "book.docx",
            b"PK\x03\x04\x14\0",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        ("fake.md", b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
        ("raw", &[0x80, 0xff, 0xfe].repeat(9), "application/octet-stream"),
    ] {
        test.write(name, bytes);
        let refused = test.read(name, Encoding::Text).unwrap_err();
        assert!(
            matches!(refused, ReadError::Binary { total, .. } if total == bytes.len() as u64),
            "{name}: {refused}"
        );
        assert_eq!(
            refused.to_string().matches("text").count(),
            1,
            "it is either text or not: {refused}"
        );
        let read = test.read(name, Encoding::Binary).unwrap();
        assert_eq!(
            (read.body, read.media_type),
            (ResourceBody::Binary(bytes.to_vec()), media_type),
            "{name}"
        );
    }
}

#[test]
fn a_text_has_the_media_type_of_its_name() {
    let test = TestSkill::new();
    for (name, media_type) in [
        ("a.md", "text/markdown"),
        ("A.JSON", "application/json"),
        ("a.svg", "image/svg+xml"),
        ("a.docx", "text/plain"),
        ("noext", "text/plain"),
    ] {
        test.write(name, b"{}");
        assert_eq!(test.read(name, Encoding::Text).unwrap().media_type, media_type, "{name}");
    }
}

#[test]
fn rem_7_2b_whether_a_file_is_text_does_not_depend_on_how_much_of_it_is_given() {
    let test = TestSkill::new();
    let text = b"t".repeat(150);
    for (name, rest) in [("nul.txt", &b"\0\0"[..]), ("latin.txt", b"\xe9\xe9")] {
        test.write(name, &[&text[..], &rest.repeat(60)].concat());
        for given in [u64::MAX, 100] {
            let limits = SizeLimits { file: 1 << 20, given };
            let refused = read_resource(&test.skill, name, Encoding::TextOnly, limits).unwrap_err();
            assert_eq!(refused.code(), "binary", "{name} {given}");
            let either = read_resource(&test.skill, name, Encoding::Either, limits).unwrap();
            assert_eq!((either.given(), either.cut), (given.min(270) as usize, given == 100));
        }
    }
    test.write("ü.txt", "ü".repeat(100).as_bytes());
    let limits = SizeLimits { file: 1 << 20, given: 101 };
    let read = read_resource(&test.skill, "ü.txt", Encoding::Text, limits).unwrap();
    assert_eq!((read.given(), read.total, read.cut), (100, 200, true));
}
