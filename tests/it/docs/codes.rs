//! A comment or a page may cite a decision, a promise, a row or a document only if this repository
//! has it.

use super::root;
use regex_lite::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What is read: comments in sources and settings, and pages as a whole.
const PLACES: [&str; 14] = [
    "src",
    "tests",
    "benches",
    "docs",
    ".agents",
    ".ci",
    "assets",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
    "clippy.toml",
    "justfile",
];

pub(super) fn files(place: &Path, found: &mut Vec<PathBuf>) {
    if place.is_dir() {
        for entry in fs::read_dir(place).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if place.exists() {
        found.push(place.to_owned());
    }
}

fn every_file() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for place in PLACES {
        files(&root().join(place), &mut found);
    }
    found
}

/// What a person wrote about the program on this line: the whole line of a page, else the comment.
fn prose<'line>(file: &Path, line: &'line str) -> Option<&'line str> {
    let comment = |sign: &str| {
        let at = line.find(sign)?;
        (at == 0 || line[..at].ends_with(' ')).then(|| &line[at + sign.len()..])
    };
    match file.extension().and_then(|end| end.to_str()) {
        Some("md") => Some(line),
        Some("rs") => comment("//"),
        Some("toml") | None => comment("#"),
        _ => None,
    }
}

/// Everything that `pattern`'s first group finds in a file.
fn all(file: &str, pattern: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(&text).map(|found| found[1].to_owned()).collect()
}

/// The decisions, promises and rows that there are.
fn defined() -> BTreeSet<String> {
    let mut codes = all("docs/decisions.md", r"(?m)^### (D\d+)$");
    codes.extend(all("docs/reliability.md", r"\*\*([A-Z]\d)\*\*"));
    codes.extend(all("docs/requirements.md", r"(?m)^\| ([A-Z]{3}-[0-9.]+[a-z]?) \|"));
    codes
}

/// What is in the repository and may be cited.
struct Known {
    codes: BTreeSet<String>,
    pages: BTreeSet<String>,
}

impl Known {
    /// `COD-7` stands for all rows that begin with `COD-7.`.
    fn has_code(&self, code: &str) -> bool {
        let group = format!("{code}.");
        self.codes.contains(code) || self.codes.iter().any(|row| row.starts_with(&group))
    }
}

static CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b([DTPSLRXBV]\d{1,2}|(?:COD|KOD|AAB|REM|RUN)-\d+(?:\.\d+)?[a-z]?)\b").unwrap()
});
static PAGE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[a-z][a-z-]+\.md\b").unwrap());
static OUTSIDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"§ ?\d|\bbar_\d|\bbar \d|\b[Bb]ar rows?\b|\b[Rr]ows? \d+ of the\b").unwrap()
});

/// What a line cites that is nowhere in the repository.
fn unknown(line: &str, known: &Known) -> Vec<String> {
    let found = |shape: &Regex| -> Vec<String> {
        shape.find_iter(line).map(|found| found.as_str().to_owned()).collect()
    };
    let mut unknown = found(&OUTSIDE);
    unknown.extend(found(&CODE).into_iter().filter(|code| !known.has_code(code)));
    unknown.extend(found(&PAGE).into_iter().filter(|page| !known.pages.contains(page)));
    unknown
}

#[test]
fn every_cited_code_is_defined() {
    let files = every_file();
    let mut pages: BTreeSet<String> = files
        .iter()
        .filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()))
        .filter(|name| name.ends_with(".md"))
        .collect();
    // Files of skills, which are what the program is about, and of an agent's command.
    pages.extend(["skill.md", "reference.md", "examples.md", "skillpick.md"].map(str::to_owned));
    let known = Known { codes: defined(), pages };
    let mut wrong = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            let cited = prose(&file, line).map(|prose| unknown(prose, &known));
            for code in cited.into_iter().flatten() {
                let file = file.strip_prefix(root()).unwrap().display();
                wrong.push(format!("{file}:{number}: {code}"));
            }
        }
    }
    assert!(wrong.is_empty(), "cited, and nowhere defined:\n{}", wrong.join("\n"));
}

#[test]
fn an_undefined_code_is_found() {
    let known = Known {
        codes: BTreeSet::from(["D1".to_owned(), "RUN-2".to_owned(), "COD-7.1".to_owned()]),
        pages: BTreeSet::from(["runtime.md".to_owned()]),
    };
    let none: [&str; 0] = [];
    for line in ["(D1, RUN-2, COD-7)", "see runtime.md", "F6 shows U+D800 and C1", "the rows of it"]
    {
        assert_eq!(unknown(line, &known), none, "{line}");
    }
    for (line, code) in [
        ("(D2)", "D2"),
        ("RUN-3b says", "RUN-3b"),
        ("as ux.md has it", "ux.md"),
        ("hosts §4", "§4"),
        ("row 38 of the list", "row 38 of the"),
    ] {
        assert_eq!(unknown(line, &known), [code], "{line}");
    }
}

/// Only rows of docs/requirements.md stand in the names of tests: the table there is made from them.
#[test]
fn no_test_is_named_by_a_code() {
    let coded = Regex::new(r"^(bar|[dtpslrxbv])_?\d+_").unwrap();
    let named: Vec<String> =
        super::tests().into_iter().filter(|name| coded.is_match(name)).collect();
    assert!(named.is_empty(), "{named:?}");
}

/// Readers of a schema do not know the codes of this repository.
#[test]
fn no_schema_cites_a_code() {
    let mut schemas = Vec::new();
    files(&root().join("assets/schema"), &mut schemas);
    assert!(!schemas.is_empty());
    for file in schemas {
        let text = fs::read_to_string(&file).unwrap();
        let cited: Vec<&str> = CODE.find_iter(&text).map(|code| code.as_str()).collect();
        assert!(cited.is_empty(), "{}: {cited:?}", file.display());
    }
}
