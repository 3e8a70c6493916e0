//! Archives and other odd places that a skill is stored from.

use super::shop;
use crate::program::layouts::fifo;

/// A ZIP archive of these files, without compression.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
            })
        })
    }
    let (mut local, mut central) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let (length, at) =
            (u32::try_from(text.len()).unwrap(), u32::try_from(local.len()).unwrap());
        let name_length = u16::try_from(name.len()).unwrap();
        let mut common = Vec::new();
        // Version, flags, method, time, date.
        [20_u16, 0, 0, 0, 0x21].iter().for_each(|it| common.extend(it.to_le_bytes()));
        [crc(text.as_bytes()), length, length]
            .iter()
            .for_each(|it| common.extend(it.to_le_bytes()));
        [name_length, 0].iter().for_each(|it| common.extend(it.to_le_bytes()));
        local.extend(b"PK\x03\x04".iter().chain(&common));
        local.extend(name.bytes().chain(text.bytes()));
        central.extend(b"PK\x01\x02\x14\x03".iter().chain(&common));
        // Comment, disk, internal and external attributes, place.
        [0_u16, 0, 0].iter().for_each(|it| central.extend(it.to_le_bytes()));
        [0o100_644_u32 << 16, at].iter().for_each(|it| central.extend(it.to_le_bytes()));
        central.extend(name.bytes());
    }
    let (count, size) =
        (u16::try_from(files.len()).unwrap(), u32::try_from(central.len()).unwrap());
    let start = u32::try_from(local.len()).unwrap();
    let mut whole = [local, central].concat();
    whole.extend(b"PK\x05\x06");
    [0_u16, 0, count, count].iter().for_each(|it| whole.extend(it.to_le_bytes()));
    [size, start].iter().for_each(|it| whole.extend(it.to_le_bytes()));
    whole.extend(0_u16.to_le_bytes());
    whole
}

/// A text with a NUL hides something, and is refused all the same.
#[test]
fn nobody_is_asked_about_a_text_that_is_refused_anyway() {
    let env = shop(None);
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "a\0b\n");
    let from = env.text("tmp/pdf");
    for more in [&[][..], &["--yes"]] {
        let words = [&["project", "put", "pdf", "--from", &from, "--json"], more].concat();
        let refused = env.fails(&words);
        assert_eq!(refused["error"]["code"], "invalid", "{refused}");
    }
}

#[test]
fn an_archive_is_stored_whole_or_not_at_all() {
    let env = shop(None);
    let text = "---\nname: pdf\ndescription: From an archive.\n---\n\nText.\n";
    let good = [("pdf/SKILL.md", text), ("pdf/references/more.md", "More.\n")];
    std::fs::write(env.at("repo/pdf.zip"), zip(&good)).unwrap();
    env.run(&["project", "put", "pdf", "--from", "pdf.zip"]).ended(0);
    let read = env.run(&["read", "pdf", "references/more.md"]).ended(0);
    assert_eq!(read.out(), "More.\n");
    let stored = || env.run(&["project", "history", "--json"]).ended(0).bytes;
    let before = stored();
    std::fs::write(env.at("repo/empty.zip"), zip(&[])).unwrap();
    let ran = env.run(&["project", "put", "none", "--from", "empty.zip"]).ended(2);
    assert!(ran.err.contains("SKILL.md"), "an archive without files is no text: {ran:?}");
    for (name, why) in [
        ("pdf/../../evil", "path"),
        ("/etc/evil", "path"),
        ("pdf/references/more.md", "twice"),
        ("pdf/REFERENCES/More.md", "case"),
    ] {
        let bad = [&good[..], &[(name, "x")]].concat();
        std::fs::write(env.at("repo/bad.zip"), zip(&bad)).unwrap();
        let ran = env.run(&["project", "put", "pdf", "--from", "bad.zip"]).ended(2);
        assert!(ran.err.contains("bad.zip: "), "{why}: {ran:?}");
    }
    assert_eq!(stored(), before);
}

/// Git obeys the settings of a repository, so it would run what the archive says.
#[test]
fn no_archive_brings_a_repository_of_git_to_others() {
    let env = shop(None);
    let text = "---\nname: pdf\ndescription: From an archive.\n---\n\nText.\n";
    let of_git = [("HEAD", "ref: refs/heads/main\n"), ("objects/x", ""), ("refs/x", "")];
    let put = |folder: &str| {
        let names = of_git.map(|(name, text)| (format!("{folder}{name}"), text));
        let names = names.iter().map(|(name, text)| (name.as_str(), *text));
        let all: Vec<_> = [("SKILL.md", text)].into_iter().chain(names).collect();
        std::fs::write(env.at("repo/pdf.zip"), zip(&all)).unwrap();
        env.run(&["project", "put", "pdf", "--from", "pdf.zip"])
    };
    let ran = put(".git/").ended(0);
    assert!(ran.err.contains("left out: .git"), "{ran:?}");
    env.run(&["load", "pdf"]).ended(0);
    let tree = env.run(&["show", "pdf", "--tree", "--json"]).ended(0);
    assert!(!tree.out().contains("refs"), "{tree:?}");
    for folder in ["", "a/", ".git./"] {
        let ran = put(folder).ended(2);
        assert!(ran.err.contains("git would take its folder for a repository"), "{ran:?}");
    }
}

#[test]
fn a_pipe_is_no_text_and_is_not_waited_for() {
    let env = shop(None);
    env.write("tmp/pdf/notes.md", "");
    fifo(&env.at("tmp/pdf/SKILL.md"));
    for from in ["tmp/pdf", "tmp/pdf/SKILL.md"] {
        let from = env.text(from);
        let failed = env.fails(&["project", "put", "pdf", "--from", &from, "--json"]);
        assert!(failed["error"]["message"].as_str().unwrap().contains("it is no file"), "{failed}");
    }
}
