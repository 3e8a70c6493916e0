//! The rule between the rooms (ARCHITECTURE.md): a room imports only the rooms that its row names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Free to all.
const FREE: [&str; 3] = ["text", "catalog", "failpoint"];

/// The rows of the table in ARCHITECTURE.md: room → the rooms that it may import.
fn arrows() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let block = text
        .split("<!-- arrows -->")
        .nth(1)
        .expect("ARCHITECTURE.md has a table between <!-- arrows --> marks");
    let rows = block.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let room = cells[1].trim_matches('`').trim_end_matches('/').to_owned();
        (room, cells[3].split_whitespace().map(|cell| cell.trim_matches('`').to_owned()).collect())
    })
    .collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The room of a file: `tui/app`, `catalog` …; none for the crate's own files.
fn room_of(file: &Path) -> Option<String> {
    let relative = file.strip_prefix(root().join("src")).unwrap();
    let parts: Vec<&str> = relative.iter().map(|part| part.to_str().unwrap()).collect();
    match parts.as_slice() {
        ["tui", screen, _, ..] => Some(format!("tui/{screen}")),
        ["tui", _] | [_] => None,
        [room, ..] => Some((*room).to_owned()),
        [] => None,
    }
}

/// The rooms that a file names: every `crate::room` outside of comments and tests.
fn named(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    let mut rooms = Vec::new();
    for after in code.split("crate::").skip(1) {
        let word: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let behind = &after[word.len()..];
        let room = match (word.as_str(), behind.strip_prefix("::")) {
            ("tui", Some(rest)) => {
                let screen: String =
                    rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                format!("tui/{screen}")
            }
            _ => word,
        };
        rooms.push(room);
    }
    // A room of the terminal UI can import its neighbours without naming the crate.
    for neighbour in ["app", "keymap", "view", "front", "shell"] {
        if code.contains(&format!("super::{neighbour}::")) {
            rooms.push(format!("tui/{neighbour}"));
        }
    }
    rooms
}

/// `use crate::{a, b}` would hide an arrow from the reader of the sources, and from this test.
#[test]
fn rooms_are_imported_one_by_one() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            !text.contains("crate::{"),
            "{}: name each room on a line of its own",
            file.display()
        );
    }
}

#[test]
fn rooms_import_only_what_their_row_names() {
    let arrows = arrows();
    let rooms: Vec<&str> = arrows.keys().map(String::as_str).collect();
    assert!(rooms.len() >= 15, "the table was not read: {rooms:?}");
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let is_test = file.iter().any(|part| part == "tests")
            || file.file_name().is_some_and(|name| name == "tests.rs");
        let Some(room) = room_of(&file).filter(|_| !is_test) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        // A file that only tests use says so in its head.
        if text.contains("#![cfg(test)]") {
            continue;
        }
        let Some(allowed) = arrows.get(&room) else {
            wrong
                .push(format!("{}: the room {room} has no row in ARCHITECTURE.md", file.display()));
            continue;
        };
        for other in named(&text) {
            let known = rooms.contains(&other.as_str());
            if known
                && other != room
                && !FREE.contains(&other.as_str())
                && !allowed.contains(&other)
            {
                wrong.push(format!("{}: {room} may not import {other}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_one_file_turns_text_into_cells() {
    // Nothing but the painter turns text into cells; everything else hands it SafeText.
    let mut files = Vec::new();
    sources(&root().join("src/tui"), &mut files);
    let banned = [
        "set_string",
        "set_symbol",
        "Span::",
        "Line::from",
        "Line::raw",
        "Print(",
        "SetTitle",
        "Paragraph",
    ];
    for file in files.iter().filter(|file| !file.ends_with("view/paint.rs")) {
        let text = fs::read_to_string(file).unwrap();
        for word in banned {
            assert!(!text.contains(word), "{}: {word} belongs in view/paint.rs", file.display());
        }
    }
}

/// A room re-exports only types of other rooms. A re-exported function would be an arrow that the
/// table does not have.
#[test]
fn re_exports_name_types_only() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for statement in text.split("pub use crate::").skip(1) {
            let statement = statement.split(';').next().unwrap_or_default();
            let names = statement.rsplit("::").next().unwrap_or_default().trim_matches(['{', '}']);
            for name in names.split(',').map(str::trim) {
                let is_type = name.starts_with(|first: char| first.is_ascii_uppercase());
                // The macro stands at the root of the crate.
                assert!(is_type || name == "inert", "{}: {name} is handed on", file.display());
            }
        }
    }
}

#[test]
fn only_the_output_room_prints() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    for file in files.iter().filter(|file| room_of(file).as_deref() != Some("output")) {
        let mut text = fs::read_to_string(file).unwrap();
        // These only ask what the streams are, or are the output room's own.
        for harmless in [
            "stderr().is_terminal()",
            "ttyname(stdout(), ",
            "fstat(stdout())",
            "ttyname(stderr(), ",
            "Out::duplicate_stdout()",
        ] {
            text = text.replace(harmless, "");
        }
        for word in ["println!(", "print!(", "eprintln!(", "eprint!(", "stdout()", "stderr()"] {
            assert!(!text.contains(word), "{}: {word} belongs in output", file.display());
        }
    }
}

/// A room that names another one by `super` would hide it from these tests.
#[test]
fn no_path_leads_out_of_its_room_by_super() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    for file in &files {
        let relative = file.strip_prefix(root().join("src")).unwrap();
        // How many modules lie between the file's own and the crate; its tests are one more.
        let below = relative.with_extension("");
        let is_mod = below.ends_with("mod");
        let depth = below.iter().count() - usize::from(is_mod);
        let text = fs::read_to_string(file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let indented = usize::from(line.starts_with(' ') && line.contains("use super::"));
            let longest = line.split(|c: char| !(c.is_alphanumeric() || ":_".contains(c)));
            let ups = longest.map(|path| path.matches("super::").count()).max().unwrap_or(0);
            assert!(ups < depth + indented, "{}: {line}", file.display());
        }
    }
}

#[test]
fn unsafe_code_and_allowances_without_a_reason_are_forbidden() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("unsafe_code = \"deny\""));
    assert!(
        fs::read_to_string(root().join("src/lib.rs")).unwrap().contains("#![forbid(unsafe_code)]")
    );
    // The program has one unsafe call, to the allocator.
    assert_eq!(
        fs::read_to_string(root().join("src/main.rs")).unwrap().matches("unsafe {").count(),
        1
    );
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let lines = text.lines().count();
        let is_test = file.iter().any(|part| part == "tests") || file.ends_with("tests.rs");
        assert!(lines <= 450 || is_test, "{}: {lines} lines are a sign to split", file.display());
        for (index, _) in text.match_indices("#[allow(") {
            let attribute =
                &text[index..text[index..].find(']').map_or(text.len(), |end| index + end)];
            assert!(attribute.contains("reason ="), "{}: {attribute}", file.display());
        }
    }
}
