//! A collection of real skills: the strict verdict is that of the reference validator, and the
//! lenient reader reads them all.
//!
//! `SKILLPICK_CORPUS` names the folder and `SKILLPICK_GOLDEN` the reference's verdicts; `just
//! corpus DIR` makes the verdicts of any folder and runs these tests on it. Without the two, they
//! skip.

use crate::env::TestEnv;
use crate::support::skipped;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use skillpick::catalog::Severity;
use skillpick::catalog::frontmatter::verbatim;
use skillpick::catalog::risk::Finding;
use skillpick::catalog::validate::{examine, hidden_text, strict};
use skillpick::runtime::risk::{Examiner, Risk};
use skillpick::text::{HiddenSearch, SafeText};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::{Duration, Instant};

/// Verdicts of CI's collection, made before they told of prompts: how many skills the reference's
/// `to-prompt` takes, and the SHA-256 of what skills-ref 0.1.1 prints of all of them, by path, with
/// the folder as `/`.
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

    /// How long the description is that the reference reads, or a lenient reader where it cannot.
    fn described(&self) -> Option<u64> {
        self.row.get("lenient").unwrap_or(&self.row)["desc_chars"].as_u64()
    }

    /// Whether no YAML reader can read its frontmatter: there is no verdict to compare with.
    fn unread(&self) -> bool {
        let blank = !self.codes().contains("no-frontmatter") || self.bytes.is_empty();
        self.row["name"].is_null() && self.row.get("lenient").is_none() && blank
    }

    /// Whether the reference puts it into a prompt: it can parse it, and finds a description.
    fn in_prompt(&self) -> bool {
        self.row["name"].is_string() && self.row["desc_chars"].as_u64() > Some(0)
    }
}

fn place(variable: &str, otherwise: &str) -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::env::var_os(variable).map_or_else(|| manifest.join(otherwise), PathBuf::from)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folder of the collection, which may be absent.
pub(crate) fn corpus() -> PathBuf {
    place("SKILLPICK_CORPUS", "target/corpus")
}

fn golden() -> Option<Vec<Golden>> {
    let corpus = corpus();
    let list = place("SKILLPICK_GOLDEN", "target/golden.jsonl");
    let lines = std::fs::read_to_string(&list).ok().filter(|_| corpus.is_dir());
    let Some(lines) = lines else {
        let (corpus, list) = (corpus.display(), list.display());
        SKIPPED.call_once(|| {
            skipped(&format!(
                "6 checks of a collection against the reference: no {corpus} or no {list} \
                 (`just corpus DIR` runs them on any folder of skills)"
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
    // A byte order mark is refused by both, by us under its own name.
    let unmarked = |skill: &Golden| !skill.bytes.starts_with(b"\xef\xbb\xbf");
    let golden: Vec<_> = lines.lines().map(read).filter(unmarked).collect();
    assert!(!golden.is_empty(), "{} has no verdicts", list.display());
    Some(golden)
}

/// No exceptions. The deliberate differences (`---` inside a value) are in the tests of `validate`;
/// a collection that has such a file fails here.
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
    let (mut described, mut unread, mut parted) = (0, 0, Vec::new());
    for skill in &golden {
        let examined = examine(&skill.bytes, skill.directory(), skill.file());
        let expected = skill.row.get("lenient").unwrap_or(&skill.row);
        let name = expected["name"].as_str().map_or(skill.directory(), str::trim);
        let hash = hex(&Sha256::digest(&examined.description)[..8]);
        let chars = examined.description.chars().count() as u64;
        if skill.unread() {
            unread += 1;
            continue;
        }
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
    println!("lenient: {described} of {} descriptions agree", golden.len() - unread);
    assert!(parted.is_empty(), "{} part:\n{}", parted.len(), parted.join("\n"));
}

/// Frequent warnings are not read: at most one skill in a hundred may have one for hidden text.
#[test]
#[allow(clippy::print_stdout, reason = "the rate of false alarms is a figure that is quoted")]
fn hidden_text_is_found_in_at_most_one_skill_of_a_hundred() {
    let Some(golden) = golden() else { return };
    let found = |skill: &Golden| {
        let mut search = HiddenSearch::default();
        search.read(std::str::from_utf8(&skill.bytes).ok()?);
        let (hidden, at) = search.end()?;
        let finding = hidden_text(&hidden, at);
        Some(format!("{}:{}: {}", skill.path, finding.place.line, finding.message))
    };
    let alarmed: Vec<String> = golden.iter().filter_map(found).collect();
    println!("hidden text: {} of {} skills:\n{}", alarmed.len(), golden.len(), alarmed.join("\n"));
    assert!(alarmed.len() * 100 <= golden.len().max(100), "{}", alarmed.join("\n"));
}

#[test]
fn cod_5_3d_only_what_has_no_description_cannot_be_offered() {
    let Some(golden) = golden() else { return };
    let mut parted = Vec::new();
    for skill in &golden {
        let examined = examine(&skill.bytes, skill.directory(), skill.file());
        let errors =
            examined.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
        let refused: BTreeSet<_> = errors.map(|error| error.code()).collect();
        let described = match skill.described() {
            // Our own limits stand before any reading.
            _ if refused.contains("yaml-budget") => continue,
            Some(chars) => chars > 0 && !skill.codes().contains("desc-empty"),
            None if skill.unread() => continue,
            None => false,
        };
        // What the reference can parse is refused for one of its reasons.
        let reason = skill.row.get("lenient").is_some() || refused.is_subset(&skill.codes());
        if refused.is_empty() != described || !reason {
            parted.push(format!("{}: {refused:?}, the reference {:?}", skill.path, skill.codes()));
        }
    }
    assert!(parted.is_empty(), "{} part:\n{}", parted.len(), parted.join("\n"));
}

#[test]
fn run_4_the_catalog_of_the_corpus_is_that_of_the_reference_byte_for_byte() {
    let Some(golden) = golden() else { return };
    let corpus = std::fs::canonicalize(corpus()).unwrap();
    let top = format!("{}/", corpus.to_str().unwrap());
    let limits =
        ["--max-entries", "100000", "--max-bytes", "100000000", "--max-description", "100000"];
    let ran =
        TestEnv::new().run(&[["prompt", "--root", &top].as_slice(), &limits].concat()).ended(0);
    // Before it are the rules.
    let (rules, catalog) = ran.out().split_once("\n\n<available_skills>\n").unwrap();
    assert!(rules.lines().all(|line| line.starts_with("- ")), "{rules}");
    let entries = catalog.strip_suffix("</available_skills>\n").unwrap();
    let place = |entry: &str| {
        let location = entry.split("<location>\n").nth(1).unwrap().split('\n').next().unwrap();
        location.strip_prefix(&top).unwrap().to_owned()
    };
    let entries: BTreeMap<String, &str> =
        entries.split_inclusive("</skill>\n").map(|of| (place(of), of)).collect();
    let mut blocks = BTreeMap::new();
    for skill in golden.iter().filter(|skill| skill.in_prompt()) {
        let path = format!("{}/{}", skill.path, skill.file());
        let block = entries.get(&path).unwrap_or_else(|| panic!("{path} is not in the prompt"));
        let block = block.replacen(&format!("<location>\n{top}"), "<location>\n/", 1);
        // Characters that act on a terminal or hide from a reader stay out of our prompt.
        let raw = examine(&skill.bytes, skill.directory(), skill.file()).description;
        let inert = SafeText::clean(&raw).as_str() == raw;
        if let Some(theirs) = skill.row["prompt_sha256_16"].as_str().filter(|_| inert) {
            assert_eq!(hex(&Sha256::digest(&block)[..8]), theirs, "{path}");
        }
        blocks.insert(path, block);
    }
    assert!(!blocks.is_empty());
    if golden.iter().all(|skill| skill.row.get("prompt_sha256_16").is_none()) {
        let count = blocks.len();
        let blocks: String = blocks.values().map(String::as_str).collect();
        let digest = Sha256::digest(format!("<available_skills>\n{blocks}</available_skills>"));
        assert_eq!((count, hex(&digest).as_str()), TO_PROMPT);
    }
}

/// The directories of all skills in a folder of the collection; none, said loudly, without it.
fn skills_of(folders: &[&str]) -> Vec<PathBuf> {
    let corpus = corpus();
    let folders: Vec<PathBuf> = match std::fs::canonicalize(&corpus) {
        Ok(corpus) => folders.iter().map(|folder| corpus.join(folder)).collect(),
        Err(_) => Vec::new(),
    };
    let mut found = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
        let skill = |entry: &walkdir::DirEntry| entry.file_name() == "SKILL.md";
        let dirs = entries.filter(skill).map(|entry| entry.path().parent().unwrap().to_owned());
        found.extend(dirs);
    }
    if found.is_empty() {
        skipped(&format!("risk facts of a collection: no skills in {}", corpus.display()));
    }
    found
}

#[test]
#[allow(clippy::print_stdout, reason = "the number of skills is a figure that is quoted")]
fn the_vendors_own_skills_raise_no_alarm() {
    let vendors =
        ["anthropics+skills", "openai+skills", "vercel-labs+agent-skills", "obra+superpowers"];
    let (examiner, skills) = (Examiner::default(), skills_of(&vendors));
    let alarm = |one: &Finding| format!("{}: {} {}", one.place(), one.rule.code, one.shown);
    let risks: Vec<Risk> = skills.iter().map(|dir| examiner.examine(dir).unwrap()).collect();
    let alarms: Vec<String> = risks.iter().flat_map(Risk::alarms).map(alarm).collect();
    let with = risks.iter().filter(|risk| risk.level().is_some()).count();
    let (all, alarmed) = (skills.len(), alarms.len());
    println!("risk: {all} skills of vendors, {with} with facts, {alarmed} alarms");
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
    assert!(skills.is_empty() || with > 5, "the vendors' skills reach something");
}

/// The figure is for a release build; without optimisation there is room for four times as much.
#[test]
#[allow(clippy::print_stdout, reason = "the time is a figure that is quoted")]
fn the_median_skill_is_examined_in_five_milliseconds_and_a_known_one_in_less() {
    let skills = skills_of(&["."]);
    let median = |examiner: &Examiner| {
        let time = |dir: &PathBuf| {
            let start = Instant::now();
            examiner.examine(dir).unwrap();
            start.elapsed()
        };
        let mut times: Vec<Duration> = skills.iter().map(time).collect();
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    let examiner = Examiner::default();
    let (first, again) = (median(&examiner), median(&examiner));
    println!("risk: {} skills, median {first:?}, known {again:?}", skills.len());
    let limit = if cfg!(debug_assertions) { 20 } else { 5 };
    assert!(first <= Duration::from_millis(limit), "{first:?}");
    assert!(again <= first, "{again:?} {first:?}");
}

/// Runs the catalog generator; false, said loudly, without Python.
fn made_up(env: &TestEnv, arguments: &[&str]) -> bool {
    let tool = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/tools/catalog.py");
    match Command::new("python3").arg(tool).arg(env.at("made")).args(arguments).output() {
        Ok(ran) => {
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            true
        }
        Err(_) => {
            skipped("no python3, so that no collection was made up (install it, then `just test`)");
            false
        }
    }
}

#[test]
fn a_generated_collection_is_valid_and_its_broken_skills_are_inert() {
    let env = TestEnv::new();
    if !made_up(&env, &["-n", "40"]) {
        return;
    }
    let made = env.at("made/.agents/skills");
    let made = made.to_str().unwrap();
    env.run(&["check", "--strict", made]).ended(0);
    let list = env.json("list", &["list", "--json", "--root", made]);
    assert_eq!(list["skills"].as_array().unwrap().len(), 41);
    let found = env.json("search", &["search", "quokka", "--json", "--root", made]);
    assert_eq!(found["skills"].as_array().unwrap().len(), 1);

    made_up(&env, &["--hostile"]);
    let all = env.run(&["list", "--root", made]).ended(0);
    all.is_inert();
    assert!(all.out().contains("x-no-frontmatter"), "{}", all.out());
    env.run(&["check", made]).ended(1).is_inert();
}

/// The bytes of every file below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    let read = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(folder).unwrap().to_owned();
        (path, std::fs::read(entry.path()).unwrap())
    };
    entries.filter(|entry| entry.file_type().is_file()).map(read).collect()
}

/// The number of findings for each skill and code.
fn found(env: &TestEnv, folder: &str) -> BTreeMap<(String, String), usize> {
    let judged = env.json("check", &["check", folder, "--json"]);
    let mut found = BTreeMap::new();
    for skill in judged["skills"].as_array().unwrap() {
        for one in skill["diagnostics"].as_array().unwrap() {
            let text = |value: &Json| value.as_str().unwrap().to_owned();
            *found.entry((text(&skill["path"]), text(&one["code"]))).or_default() += 1;
        }
    }
    found
}

#[test]
#[allow(clippy::print_stdout, reason = "the number of mended findings is a figure that is quoted")]
fn what_is_mended_is_gone_nothing_else_changes_and_undo_brings_every_byte_back() {
    if !corpus().is_dir() {
        skipped(&format!("mending a collection: there is no {}", corpus().display()));
        return;
    }
    let env = TestEnv::new();
    for (path, bytes) in files(&corpus()) {
        env.write(Path::new("repo/x").join(path), bytes);
    }
    let folder = env.at("repo/x");
    let (before, bytes) = (found(&env, "x"), files(&folder));
    let document = env.json("mend", &["check", "--fix", "x", "--json"]);
    let (after, mended) = (found(&env, "x"), files(&folder));
    let mut wanted = before.clone();
    let mut count = 0;
    for row in document["skills"].as_array().unwrap() {
        let path = row["path"].as_str().unwrap();
        for (code, gone) in row["mended"].as_object().unwrap() {
            let key = (path.to_owned(), code.clone());
            let left = wanted.get_mut(&key).unwrap();
            *left -= usize::try_from(gone.as_u64().unwrap()).unwrap();
            count += gone.as_u64().unwrap();
            if *left == 0 {
                wanted.remove(&key);
            }
        }
        let path = Path::new(path).strip_prefix(&folder).unwrap();
        let body = skillpick::catalog::frontmatter::body;
        assert!(bytes[path].ends_with(body(&mended[path])), "{}", path.display());
    }
    println!("mended: {count} of {} findings", before.values().sum::<usize>());
    assert_eq!(after, wanted);
    let changed = bytes.iter().filter(|(path, old)| mended[*path] != **old).count();
    assert_eq!(changed, document["skills"].as_array().unwrap().len());
    let again = env.json("mend", &["check", "--fix", "x", "--json"]);
    assert_eq!(
        (&again["written"], again["skills"].as_array().unwrap().len()),
        (&Json::from(false), 0)
    );
    env.run(&["undo"]).ended(0);
    assert!(files(&folder) == bytes, "undo has left something");
}

/// `1.0` and `1` are equal for a program that compares numbers.
fn floats(value: Json) -> Json {
    match value {
        Json::Number(number) => number.as_f64().into(),
        Json::Object(map) => map.into_iter().map(|(key, value)| (key, floats(value))).collect(),
        Json::Array(items) => items.into_iter().map(floats).collect(),
        other => other,
    }
}

/// A strict host reads the frontmatter by its own reader and compares it with ours.
#[test]
fn the_frontmatter_for_a_strict_host_is_what_another_reader_makes_of_the_file() {
    let Some(all) = golden() else { return };
    let mut compared = 0;
    let mut differing = Vec::new();
    for skill in &all {
        let Ok(text) = std::str::from_utf8(&skill.bytes) else { continue };
        let text = text.replace("\r\n", "\n");
        let yaml = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---"));
        let Some((yaml, _)) = yaml else { continue };
        let options = serde_yaml::options! { strict_booleans: true };
        let theirs = serde_yaml::from_str_with_options::<Json>(yaml, options);
        let Ok(theirs @ Json::Object(_)) = theirs else { continue };
        let ours = verbatim(&skill.bytes).map(Json::Object).unwrap_or_default();
        compared += 1;
        if floats(ours.clone()) != floats(theirs.clone()) {
            differing.push(format!("{}: {ours} and {theirs}", skill.path));
        }
    }
    assert!(differing.is_empty(), "{} of {compared}: {differing:#?}", differing.len());
    assert!(compared * 10 > all.len() * 9, "{compared} of {}", all.len());
}
