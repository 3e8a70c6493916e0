//! What is no index, or none of ours.

use super::*;

/// The index with other bytes and the right checksum.
fn summed(one: &Collection, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(one.index_file()).unwrap();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    fs::write(one.index_file(), bytes).unwrap();
}

#[test]
fn an_index_with_any_byte_changed_or_any_end_missing_is_none() {
    let one = Collection::forged();
    let bytes = fs::read(one.index_file()).unwrap();
    let read = |bytes: &[u8]| {
        let root = one.root();
        Rows::of(PREFIX, bytes, bytes.len() as u64, &root.path)?.skills(&root)
    };
    assert_eq!(read(&bytes).unwrap().len(), 1);
    for at in 0..bytes.len() {
        assert!(read(&bytes[..at]).is_none(), "cut at {at}");
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        assert!(read(&other).is_none(), "changed at {at}");
    }
    assert!(read(&[&bytes[..], b"x"].concat()).is_none());
    fs::write(one.index_file(), &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(one.told(SETTLED), "from the file1");
    assert_eq!(one.rows().unwrap().len(), 1, "it is made again");
}

#[test]
fn the_index_of_another_format_program_or_root_is_none() {
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let find = |bytes: &[u8], what: &[u8]| {
        bytes.windows(what.len()).position(|part| part == what).unwrap()
    };
    type Change<'a> = Box<dyn Fn(&mut Vec<u8>) + 'a>;
    let changes: [(&str, Change); 5] = [
        ("nothing", Box::new(|_| {})),
        ("another format", Box::new(|bytes| bytes[7] += 1)),
        (
            "another version",
            Box::new(|bytes| {
                let at = find(bytes, version);
                bytes[at] += 1;
            }),
        ),
        // The stamp of the program's file comes after the version.
        (
            "another build of the program",
            Box::new(|bytes| {
                let at = find(bytes, version) + version.len() + 1;
                bytes[at] ^= 1;
            }),
        ),
        (
            "another root",
            Box::new(|bytes| {
                let at = find(bytes, b"/tmp");
                bytes[at + 1] = b'x';
            }),
        ),
    ];
    for (what, change) in changes {
        let one = Collection::forged();
        summed(&one, change);
        let expected = if what == "nothing" { FORGED } else { "from the file1" };
        assert_eq!(one.told(SETTLED), expected, "{what}");
    }
}

#[test]
fn rows_that_are_no_rows_are_none_however_right_the_checksum_is() {
    let one = Collection::forged();
    let whole = fs::read(one.index_file()).unwrap();
    let head = whole.windows(3).rposition(|part| part == b"pdf").unwrap() - 8;
    proptest!(ProptestConfig::with_cases(500), |(at in head..whole.len() - 4, byte: u8, cut: bool)| {
        summed(&one, |bytes| {
            bytes[at] = byte;
            if cut {
                bytes.truncate(at);
            }
        });
        // Nothing panics, and what is read has a place.
        for skill in one.rows().unwrap_or_default() {
            prop_assert!(skill.path.parent().is_some());
        }
        fs::write(one.index_file(), &whole).unwrap();
    });
}

#[test]
fn an_index_that_is_not_the_persons_own_alone_is_none() {
    for mode in [0o644, 0o640, 0o606, 0o700, 0o400, 0o1600] {
        let one = Collection::forged();
        fs::set_permissions(one.index_file(), fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(one.told(SETTLED), "from the file1", "{mode:o}");
        assert_eq!(fs::metadata(one.index_file()).unwrap().mode() & 0o7777, 0o600);
    }
    let one = Collection::forged();
    let elsewhere = one.skills.path().join("index");
    fs::rename(one.index_file(), &elsewhere).unwrap();
    let place = one.index_file();
    symlink(&elsewhere, &place).unwrap();
    assert_eq!(one.told(SETTLED), "from the file1", "a link");
    assert!(!fs::symlink_metadata(&place).unwrap().is_symlink(), "it is replaced");
    assert!(elsewhere.exists(), "and not what it leads to");
    if rustix::process::geteuid().is_root() {
        let one = Collection::forged();
        std::os::unix::fs::chown(one.index_file(), Some(1), None).unwrap();
        assert_eq!(one.told(SETTLED), "from the file1", "another owner");
    }
}

#[test]
fn a_pipe_in_place_of_the_index_blocks_nothing() {
    let one = Collection::of(&["pdf"]);
    let place = one.index_file();
    crate::test_env::named_pipe(&place).unwrap();
    assert_eq!(one.told(SETTLED), "from the file1");
    assert!(one.rows().is_some(), "it is replaced");
}
