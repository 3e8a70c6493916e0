//! 1,437 real skills: the strict verdict is that of the reference validator, and the lenient reader
//! reads them all.
//!
//! The corpus is no part of the repository. Without it these tests say so and skip.

use crate::support::{House, skipped};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use skillpick::catalog::Severity;
use skillpick::catalog::validate::{examine, strict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Once;

/// How many skills the golden file has.
const SKILLS: usize = 1_437;

/// The skills that cannot be offered, and why: no frontmatter, or an empty description.
const NOT_OFFERED: [(&str, &str); 5] = [
    (
        "no-frontmatter",
        "alirezarezvani+claude-skills/engineering/skills/skill-tester/assets/sample-skill",
    ),
    ("desc-empty", "agentskillexchange+skills/skills/apache-spark-job-manager"),
    ("desc-empty", "agentskillexchange+skills/skills/k8s-troubleshooting-runbook"),
    ("desc-empty", "agentskillexchange+skills/skills/notion-mcp-server"),
    ("desc-empty", "agentskillexchange+skills/skills/storybook-component-tester"),
];

/// The skills that the reference's `to-prompt` takes (the others have YAML that it cannot read),
/// and the SHA-256 of what skills-ref 0.1.1 prints of all of them, by path, with the corpus as `/`.
const TO_PROMPT: (usize, &str) =
    (1_323, "e3fe9aa7aeb35c72258ed251d366524d85afe8d75a1ea1cbe2766bdc6fee1979");

static SKIPPED: Once = Once::new();

struct Golden {
    path: String,
    row: Json,
    bytes: Vec<u8>,
}

impl Golden {
    fn directory(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    fn file(&self) -> &str {
        self.row["file"].as_str().unwrap()
    }

    fn codes(&self) -> BTreeSet<&str> {
        self.row["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect()
    }
}

fn place(variable: &str, otherwise: &str) -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::env::var_os(variable).map_or_else(|| manifest.join(otherwise), PathBuf::from)
}

fn corpus() -> PathBuf {
    place("SKILLPICK_CORPUS", "target/corpus")
}

fn golden() -> Option<Vec<Golden>> {
    let corpus = corpus();
    let list = place("SKILLPICK_GOLDEN", "../shared/corpus/golden.jsonl");
    let lines = std::fs::read_to_string(&list).ok().filter(|_| corpus.is_dir());
    let Some(lines) = lines else {
        let (corpus, list) = (corpus.display(), list.display());
        SKIPPED.call_once(|| {
            skipped(&format!(
                "corpus not found, 4 checks of {SKILLS} skills each not made ({corpus} and {list})"
            ));
        });
        return None;
    };
    let read = |line: &str| {
        let row: Json = serde_json::from_str(line).unwrap();
        let path = row["path"].as_str().unwrap().to_owned();
        let bytes = std::fs::read(corpus.join(&path).join(row["file"].as_str().unwrap())).unwrap();
        Golden { path, row, bytes }
    };
    let golden: Vec<_> = lines.lines().map(read).collect();
    assert_eq!(golden.len(), SKILLS);
    Some(golden)
}

/// Without an excuse. The corpus has no byte order mark, no `skill.md`, no `---` inside a value and
/// nothing on which the reference crashes; what we do with those is in `validate`'s own tests.
#[test]
#[allow(clippy::print_stdout, reason = "the agreement is a figure that is quoted")]
fn strict_equals_the_reference_validator() {
    let Some(golden) = golden() else { return };
    let (mut agreed, mut messages, mut parted) = (0, 0, Vec::new());
    for skill in &golden {
        let verdict = strict(&skill.bytes, skill.directory(), skill.file());
        let codes: BTreeSet<_> =
            verdict.diagnostics.iter().map(|diagnostic| diagnostic.code()).collect();
        let same = Some(verdict.valid()) == skill.row["valid"].as_bool() && codes == skill.codes();
        if !same {
            parted.push(format!("{}: {codes:?}, the reference {:?}", skill.path, skill.codes()));
        }
        agreed += usize::from(same);
        let fixed = |text: &&String| !text.starts_with("Invalid YAML");
        let theirs: Vec<String> = serde_json::from_value(skill.row["errors"].clone()).unwrap();
        if verdict.messages.iter().filter(fixed).eq(theirs.iter().filter(fixed)) {
            messages += 1;
        }
    }
    println!("strict: {agreed} of {} verdicts and {messages} sets of messages agree", golden.len());
    assert!(parted.is_empty(), "{} part:\n{}", parted.len(), parted.join("\n"));
    assert_eq!(messages, golden.len());
}

#[test]
#[allow(clippy::print_stdout, reason = "the agreement is a figure that is quoted")]
fn the_lenient_reader_reads_every_name_and_description() {
    let Some(golden) = golden() else { return };
    let (mut described, mut parted) = (0, Vec::new());
    for skill in &golden {
        let examined = examine(&skill.bytes, skill.directory(), skill.file());
        let expected = skill.row.get("lenient").unwrap_or(&skill.row);
        let name = expected["name"].as_str().map_or(skill.directory(), str::trim);
        let hash: String = Sha256::digest(&examined.description)
            .iter()
            .take(8)
            .map(|b| format!("{b:02x}"))
            .collect();
        let chars = examined.description.chars().count() as u64;
        let same = match expected["desc_sha256_16"].as_str() {
            Some(theirs) => theirs == hash && expected["desc_chars"].as_u64() == Some(chars),
            None => chars == 0,
        };
        if examined.name != name || !same {
            parted.push(format!(
                "{}: '{}' {chars} {hash}, expected {expected}",
                skill.path, examined.name
            ));
        }
        described += usize::from(same);
    }
    println!("lenient: {described} of {} descriptions agree", golden.len());
    assert!(parted.is_empty(), "{} part:\n{}", parted.len(), parted.join("\n"));
}

#[test]
fn cod_5_3d_only_what_has_no_description_cannot_be_offered() {
    let Some(golden) = golden() else { return };
    let mut refused = BTreeSet::new();
    for skill in &golden {
        let examined = examine(&skill.bytes, skill.directory(), skill.file());
        for diagnostic in examined
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity() == Severity::Error)
        {
            refused.insert((diagnostic.code(), skill.path.as_str()));
        }
    }
    assert_eq!(refused, BTreeSet::from(NOT_OFFERED));
}

#[test]
fn run_4_the_catalog_of_the_corpus_is_that_of_the_reference_byte_for_byte() {
    let Some(golden) = golden() else { return };
    let corpus = std::fs::canonicalize(corpus()).unwrap();
    let top = format!("{}/", corpus.to_str().unwrap());
    let limits =
        ["--max-entries", "100000", "--max-bytes", "100000000", "--max-description", "100000"];
    let ran = House::new().run(&[["prompt", "--root", &top].as_slice(), &limits].concat()).ended(0);
    let entries = ran
        .out()
        .strip_prefix("<available_skills>\n")
        .unwrap()
        .strip_suffix("</available_skills>\n")
        .unwrap();
    let place = |entry: &str| {
        let location = entry.split("<location>\n").nth(1).unwrap().split('\n').next().unwrap();
        location.strip_prefix(&top).unwrap().to_owned()
    };
    let entries: BTreeMap<String, &str> =
        entries.split_inclusive("</skill>\n").map(|of| (place(of), of)).collect();
    let taken = |skill: &&Golden| skill.row["name"].is_string() && skill.row["desc_chars"] != 0;
    let mut taken: Vec<String> = golden
        .iter()
        .filter(taken)
        .map(|skill| format!("{}/{}", skill.path, skill.file()))
        .collect();
    taken.sort();
    assert_eq!(taken.len(), TO_PROMPT.0);
    let mut text = "<available_skills>\n".to_owned();
    for place in taken {
        text.push_str(&entries[&place].replacen(&format!("<location>\n{top}"), "<location>\n/", 1));
    }
    text.push_str("</available_skills>");
    let digest: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, TO_PROMPT.1);
}
