//! Archives are built byte by byte, so that each can be wrong in one way.

use super::*;
use std::io::Write;

#[derive(Clone)]
struct File {
    name: &'static str,
    bytes: Vec<u8>,
    mode: u32,
    packs: bool,
    flags: u16,
    extra: Vec<u8>,
    /// What is behind its bytes.
    behind: Vec<u8>,
}

fn file(name: &'static str, bytes: &[u8]) -> File {
    let (extra, behind) = (Vec::new(), Vec::new());
    File { name, bytes: bytes.to_vec(), mode: 0o100_644, packs: true, flags: 0, extra, behind }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn archive(files: &[File]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let (method, data) =
            if file.packs { (8_u16, packed(&file.bytes)) } else { (0, file.bytes.clone()) };
        let at = u32::try_from(all.len()).unwrap();
        let mut common = Vec::new();
        common.extend(file.flags.to_le_bytes());
        common.extend(method.to_le_bytes());
        common.extend([0; 4]);
        common.extend(crc32fast::hash(&file.bytes).to_le_bytes());
        common.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        common.extend(u32::try_from(file.bytes.len()).unwrap().to_le_bytes());
        common.extend(u16::try_from(file.name.len()).unwrap().to_le_bytes());
        common.extend(u16::try_from(file.extra.len()).unwrap().to_le_bytes());
        all.extend(b"PK\x03\x04\x14\x00");
        all.extend(&common);
        all.extend(file.name.as_bytes());
        all.extend(&file.extra);
        all.extend(data);
        all.extend(&file.behind);
        directory.extend(b"PK\x01\x02\x14\x03\x14\x00");
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((file.mode << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(file.name.as_bytes());
        directory.extend(&file.extra);
    }
    let (start, count) = (u32::try_from(all.len()).unwrap(), u16::try_from(files.len()).unwrap());
    all.extend(&directory);
    all.extend(b"PK\x05\x06\0\0\0\0");
    all.extend(count.to_le_bytes());
    all.extend(count.to_le_bytes());
    all.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    all.extend(start.to_le_bytes());
    all.extend([0, 0]);
    all
}

const MAIN: &str = "SKILL.md";

#[test]
fn a_skill_comes_out_of_an_archive_at_the_top_or_in_one_folder() {
    let run = File { mode: 0o100_755, packs: false, ..file("scripts/run.sh", b"echo") };
    let Unpacked { main, files, .. } = read_zip(&archive(&[file(MAIN, b"text"), run])).unwrap();
    assert_eq!(main, b"text");
    let found = &files.files()[0];
    assert_eq!((found.path.as_str(), found.executable), ("scripts/run.sh", true));
    let folder = File { mode: 0o040_755, packs: false, ..file("pdf/", b"") };
    let inside = archive(&[folder, file("pdf/SKILL.md", b"text"), file("pdf/a.md", b"a")]);
    let Unpacked { main, files, .. } = read_zip(&inside).unwrap();
    assert_eq!((main.as_slice(), files.files()[0].path.as_str()), (&b"text"[..], "a.md"));
}

#[test]
fn what_a_folder_leaves_out_an_archive_leaves_out_too_and_it_is_told() {
    let link = File { mode: 0o120_777, ..file("pdf/node_modules/.bin/x", b"../x") };
    let all = [
        file("pdf/SKILL.md", b"text"),
        file("pdf/.git/config", b"[core]\nfsmonitor = evil"),
        file("pdf/.git/HEAD", b"ref: refs/heads/main"),
        file("pdf/sub/.GIT", b"gitdir: ../x"),
        link,
        file("pdf/a.md", b"a"),
        file("__MACOSX/pdf/._a.md", b"x"),
    ];
    let Unpacked { main, files, left_out } = read_zip(&archive(&all)).unwrap();
    assert_eq!(main, b"text");
    assert_eq!(files.files().iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["a.md"]);
    let told = [".git", "__MACOSX", "node_modules", "sub/.GIT"].map(PathBuf::from);
    assert_eq!(left_out, told);
}

#[test]
fn an_archive_without_one_skill_says_whether_it_has_none_or_several() {
    let said = |names: &[&'static str]| {
        let files: Vec<File> = names.iter().map(|name| file(name, b"text")).collect();
        read_zip(&archive(&files)).unwrap_err().to_string()
    };
    assert!(said(&["a.md", "b.md"]).contains("it has no SKILL.md"));
    assert!(said(&["x/SKILL.md", "y/SKILL.md"]).contains("it has several SKILL.md"));
    assert!(said(&["x/SKILL.md", "a.md"]).contains("its SKILL.md is neither at the top nor"));
}

#[test]
fn what_two_readers_could_take_differently_is_refused() {
    let base = || vec![file(MAIN, b"text"), file("a.md", b"aaaa")];
    let with = |other: File| archive(&[base(), vec![other]].concat());
    let edited = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = archive(&base());
        edit(&mut bytes);
        bytes
    };
    let zeros = vec![0; 5 << 20];
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("no skill", archive(&[file("a.md", b"a")])),
        ("absolute", with(file("/etc/passwd", b"x"))),
        ("above", with(file("../up", b"x"))),
        ("above, inside", with(file("a/../../up", b"x"))),
        ("backslash", with(file("a\\b", b"x"))),
        ("twice", with(file("a.md", b"x"))),
        ("twice, but for case", with(file("A.MD", b"x"))),
        ("twice the main file", with(file("skill.md", b"x"))),
        ("a link", with(File { mode: 0o120_777, ..file("l", b"/etc/passwd") })),
        ("a pipe", with(File { mode: 0o010_644, ..file("p", b"") })),
        ("encrypted", with(File { flags: 1, ..file("e", b"x") })),
        ("a folder with bytes", with(File { mode: 0o040_755, ..file("d/", b"x") })),
        ("packed beyond measure", with(file("bomb", &zeros))),
        ("a name of unknown characters", with(file("ü", b"x"))),
        ("cut", edited(&|bytes| bytes.truncate(bytes.len() - 30))),
        ("bytes behind it", edited(&|bytes| bytes.extend([0; 30]))),
        ("bytes before it", edited(&|bytes| drop(bytes.splice(0..0, [0; 4])))),
        ("another local name", edited(&|bytes| bytes[30] = b'T')),
        (
            "another length",
            edited(&|bytes| {
                let at = bytes.windows(4).position(|found| found == b"PK\x01\x02").unwrap();
                bytes[at + 24] += 1;
            }),
        ),
        (
            "another sum",
            edited(&|bytes| {
                let at = bytes.windows(4).position(|found| found == b"PK\x01\x02").unwrap();
                bytes[at + 16] ^= 1;
            }),
        ),
        (
            "a second part",
            edited(&|bytes| {
                let at = bytes.len() - 22 + 4;
                bytes[at] = 1;
            }),
        ),
        ("another local sum", edited(&|bytes| bytes[14] ^= 1)),
        ("another local packed length", edited(&|bytes| bytes[18] += 1)),
        ("another local length", edited(&|bytes| bytes[22] += 1)),
        ("another local flag", edited(&|bytes| bytes[6] ^= 8)),
        ("bytes between", with(File { behind: vec![0; 4], ..file("b", b"b") })),
        ("another name beside", with(File { extra: path_field("c"), ..file("b", b"b") })),
        ("no trailer", with(File { flags: 8, ..file("b", b"b") })),
        ("another trailer", with(File { flags: 8, behind: vec![1; 12], ..file("b", b"b") })),
        ("nothing", Vec::new()),
    ];
    for (what, bytes) in cases {
        assert!(read_zip(&bytes).is_err(), "{what}");
    }
    let marked = File { flags: 0x800, ..file("ü", b"x") };
    assert!(read_zip(&with(marked)).is_ok(), "UTF-8 that says so");
    let same = File { extra: path_field("b"), ..file("b", b"b") };
    assert!(read_zip(&with(same)).is_ok(), "the same name twice");
    assert!(read_zip(&archive(&base())).is_ok());
}

/// The extra field with a name in UTF-8, behind another one.
fn path_field(name: &str) -> Vec<u8> {
    let length = u8::try_from(name.len() + 5).unwrap();
    let field = [&[0x55, 0x54, 1, 0, 0, 0x75, 0x70, length, 0, 1], &[0; 4][..], name.as_bytes()];
    field.concat()
}

#[test]
fn an_archive_that_was_written_into_a_pipe_is_read() {
    let bytes = b"text";
    for mark in [&b""[..], b"PK\x07\x08"] {
        let mut behind = mark.to_vec();
        behind.extend(crc32fast::hash(bytes).to_le_bytes());
        behind.extend(u32::try_from(packed(bytes).len()).unwrap().to_le_bytes());
        behind.extend(4_u32.to_le_bytes());
        let piped = File { flags: 8, behind, ..file(MAIN, bytes) };
        let mut whole = archive(&[piped.clone(), File { name: "a.md", ..piped }]);
        whole[14..26].fill(0);
        assert_eq!(read_zip(&whole).unwrap().main, bytes);
    }
}

#[test]
fn two_entries_never_share_bytes() {
    let mut bytes = archive(&[file(MAIN, b"text"), file("SKILL.mc", b"text")]);
    // The second entry of the directory points at the first one's bytes.
    let second = bytes.windows(4).rposition(|found| found == b"PK\x01\x02").unwrap();
    bytes[second + 42..second + 46].fill(0);
    assert!(read_zip(&bytes).is_err());
}

#[test]
fn no_bytes_break_the_reader() {
    let whole = archive(&[file(MAIN, b"text"), file("a.md", b"aaaa")]);
    for at in 0..whole.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            let _ = read_zip(&bytes);
        }
        let _ = read_zip(&whole[..at]);
    }
}
