//! Random hostile folders: every command ends, and what looks like a skill is never passed over.

use crate::env::{TestEnv, bar};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longer than any command takes: what links reach outside is searched for five seconds at most.
const DEADLINE: Duration = Duration::from_secs(60);

/// What is made in a folder.
#[derive(Clone, Debug)]
enum Node {
    /// A file of this name with this text.
    File(&'static [u8], &'static str),
    /// A file of many megabytes without a byte on the disk.
    Sparse,
    Pipe(&'static [u8]),
    Folder(&'static [u8]),
    Link(&'static [u8], &'static str),
    /// So many folders in each other, the last with a skill.
    Deep(usize),
    /// So many folders with a skill each.
    Many(usize),
    /// No entry can be read any more, but for the superuser.
    Closed,
}

const SOUND: &str = "---\nname: sound\ndescription: One.\n---\n";
const FILE_NAMES: [&[u8]; 5] = [b"SKILL.md", b"Skill.md", b"SKILL.MD", b"skill.md", b"sKiLl.Md"];
const FOLDER_NAMES: [&[u8]; 8] = [
    b"a",
    b"SKILL.md",
    b"-rf",
    b"\xff\xfe",
    b"new\nline",
    b"\x1b[2J",
    "\u{202e}gnp".as_bytes(),
    b" ",
];
const TARGETS: [&str; 8] = ["nothing", ".", "..", "/", "/dev", "/proc/self/fd", "SKILL.md", "a"];

fn node() -> impl Strategy<Value = Node> {
    let texts = vec![SOUND, "", "---\n", "\0\0\0", "---\nname: [\n---\n"];
    let (file, folder) = (prop::sample::select(&FILE_NAMES), prop::sample::select(&FOLDER_NAMES));
    let target = prop::sample::select(&TARGETS);
    prop_oneof![
        6 => (file.clone(), prop::sample::select(texts)).prop_map(|(name, text)| Node::File(name, text)),
        1 => Just(Node::Sparse),
        1 => file.clone().prop_map(Node::Pipe),
        1 => folder.clone().prop_map(Node::Pipe),
        2 => file.clone().prop_map(Node::Folder),
        2 => folder.clone().prop_map(Node::Folder),
        2 => (file, target.clone()).prop_map(|(name, to)| Node::Link(name, to)),
        3 => (folder, target).prop_map(|(name, to)| Node::Link(name, to)),
        1 => (0_usize..9).prop_map(Node::Deep),
        1 => (0_usize..300).prop_map(Node::Many),
        1 => Just(Node::Closed),
    ]
}

/// Folders, each below one of those before it, with what is in them.
fn tree() -> impl Strategy<Value = Vec<(usize, &'static [u8], Vec<Node>)>> {
    let folder = (any::<usize>(), prop::sample::select(&FOLDER_NAMES));
    let folder = (folder, prop::collection::vec(node(), 0..4));
    prop::collection::vec(folder.prop_map(|((up, name), nodes)| (up, name, nodes)), 1..14)
}

/// Makes the tree. What cannot be made because its name is taken is left out.
fn plant(top: &Path, tree: &[(usize, &'static [u8], Vec<Node>)]) {
    let (mut folders, mut closed) = (vec![top.to_owned()], Vec::new());
    for (number, (up, name, nodes)) in tree.iter().enumerate() {
        let mut own = name.to_vec();
        own.extend_from_slice(number.to_string().as_bytes());
        let folder = folders[up % folders.len()].join(OsStr::from_bytes(&own));
        fs::create_dir_all(&folder).unwrap();
        for node in nodes {
            if matches!(node, Node::Closed) {
                closed.push(folder.clone());
            }
            let _ = make(&folder, node);
        }
        folders.push(folder);
    }
    for folder in closed {
        fs::set_permissions(folder, Permissions::from_mode(0o0)).unwrap();
    }
}

fn make(folder: &Path, node: &Node) -> std::io::Result<()> {
    let at = |name: &[u8]| folder.join(OsStr::from_bytes(name));
    match node {
        Node::File(name, text) => File::create_new(at(name))?.write_all(text.as_bytes()),
        Node::Sparse => File::create_new(at(b"SKILL.md"))?.set_len(40 << 20),
        Node::Pipe(name) => crate::env::named_pipe(&at(name)),
        Node::Folder(name) => fs::create_dir(at(name)),
        Node::Link(name, target) => symlink(target, at(name)),
        Node::Deep(depth) => {
            let deep = (0..*depth).fold(at(b"deep"), |folder, _| folder.join("d"));
            fs::create_dir_all(&deep)?;
            fs::write(deep.join("SKILL.md"), SOUND)
        }
        Node::Many(count) => (0..*count).try_for_each(|number| {
            let folder = folder.join(format!("many-{number}"));
            fs::create_dir_all(&folder)?;
            fs::write(folder.join("SKILL.md"), SOUND)
        }),
        Node::Closed => Ok(()),
    }
}

/// The folders, links not followed, that have an entry named like a skill's file, and what in the
/// uppermost one is a link that leads nowhere. Of folders below the depth that is searched, none.
fn alike(folder: &Path, depth: usize, found: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        found.insert(folder.to_owned());
        return;
    };
    for entry in entries.map(Result::unwrap) {
        let (name, kind) = (entry.file_name(), entry.file_type().unwrap());
        if name.as_bytes().eq_ignore_ascii_case(b"SKILL.md") {
            found.insert(folder.to_owned());
        } else if depth == 0 && kind.is_symlink() && !entry.path().exists() {
            found.insert(entry.path());
        }
        if kind.is_dir() && depth < 6 {
            alike(&entry.path(), depth + 1, found);
        }
    }
}

/// The paths of skills in a document.
fn folders(rows: &[Json]) -> BTreeSet<PathBuf> {
    use base64::Engine as _;
    let path = |row: &Json| match row["path_b64"].as_str() {
        Some(text) => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
            PathBuf::from(OsStr::from_bytes(&bytes))
        }
        None => PathBuf::from(row["path"].as_str().unwrap()),
    };
    rows.iter().map(|row| path(row).parent().unwrap().to_owned()).collect()
}

#[test]
fn in_random_hostile_folders_every_command_ends_and_nothing_like_a_skill_is_passed_over() {
    let cases = if bar::is_thorough() { 100 } else { 24 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let held = TestRunner::new_with_rng(config, seed).run(&tree(), |tree| {
        let env = TestEnv::new();
        let top = env.at("repo/.agents/skills");
        fs::create_dir_all(&top).unwrap();
        plant(&top, &tree);
        let mut expected = BTreeSet::new();
        alike(&top, 0, &mut expected);
        let started = Instant::now();
        let listed = env.run(&["list", "--json"]).document("list");
        let checked = env.run(&["check", "--json"]).document("check");
        let viewed = env.run(&["-f", "", "--format", "json", "--host", "all"]);
        prop_assert!(started.elapsed() < DEADLINE, "{:?}", started.elapsed());
        prop_assert!(matches!(viewed.code, 0 | 1 | 3), "{viewed:?}");
        let rows = |document: &Json, key: &str| document[key].as_array().unwrap().clone();
        let list = [rows(&listed, "skills"), rows(&listed, "errors")].concat();
        for found in [folders(&list), folders(&rows(&checked, "skills"))] {
            let lost: Vec<_> = expected.difference(&found).collect();
            prop_assert!(lost.is_empty(), "passed over: {lost:?}");
        }
        let open = |folder: &PathBuf| fs::set_permissions(folder, Permissions::from_mode(0o755));
        expected.iter().filter(|folder| folder.is_dir()).for_each(|folder| drop(open(folder)));
        Ok(())
    });
    assert!(held.is_ok(), "{held:?}");
}
