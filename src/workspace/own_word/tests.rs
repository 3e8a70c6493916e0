//! Stand-ins for an agent's program, good ones and bad ones. (The real ones: `tests/hosts`.)

use super::*;
use crate::catalog::{Enablement, checks};
use crate::hosts::{COPILOT, Context, EVERY, Host, OPENCODE};
use crate::policy::Entry;
use crate::runtime::{PREVIEW_BYTES, text};
use crate::workspace::fixture::{TestWorkspace, switch};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const SKILLS: [(&str, &str); 2] =
    [("repo/.github/skills/one", "one"), ("home/.copilot/skills/own", "own")];

/// A place with two skills, in which the program of this host is a shell script.
fn stand_in(host: &'static Host, program: &str, script: &str) -> TestWorkspace {
    let test = TestWorkspace::with(&SKILLS);
    test.env.raw_skill("package/brought", "name: brought\ndescription: in the package", "Text.\n");
    write_program(&test, program, script);
    let path = format!("{}:/usr/bin:/bin", test.text("bin"));
    let mut test = test.through(host, &[("PATH", &path)], "repo");
    test.workspace.cache_dir = Some(test.env.at("cache"));
    test
}

fn write_program(test: &TestWorkspace, program: &str, script: &str) {
    let file = test.env.write(format!("bin/{program}"), format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Prints what Copilot would: rows of `name|source|path|enabled`.
fn copilot(test_rows: &[(&str, &str, &str, bool)]) -> String {
    let row = |(name, source, path, enabled): &(&str, &str, &str, bool)| {
        format!(
            "{{\"name\":\"{name}\",\"description\":\"of {name}\",\"source\":\"{source}\",\"path\":\"'\"{path}\"'\",\"enabled\":{enabled}}}"
        )
    };
    let rows: Vec<String> = test_rows.iter().map(row).collect();
    format!("echo x >> RUNS\necho '[{}]'", rows.join(","))
}

const ONE: &str = "$PWD/.github/skills/one";
const OWN: &str = "$HOME/.copilot/skills/own";

fn both() -> [(&'static str, &'static str, &'static str, bool); 2] {
    [("one", "project", ONE, true), ("own", "personal", OWN, true)]
}

/// Copilot with these rows; how often it was run is in the file `runs`.
fn with_rows(rows: &[(&str, &str, &str, bool)]) -> TestWorkspace {
    let test = stand_in(&COPILOT, "copilot", "");
    rewrite(&test, rows);
    test
}

fn rewrite(test: &TestWorkspace, rows: &[(&str, &str, &str, bool)]) {
    let script = copilot(rows).replace("RUNS", &test.text("runs"));
    write_program(test, "copilot", &script.replace("PACKAGE", &test.text("package")));
}

fn runs(test: &TestWorkspace) -> usize {
    fs::read_to_string(test.env.at("runs")).map_or(0, |text| text.lines().count())
}

/// Asks, and gives the place that knows, its view, and what is said about it.
fn heard(test: &TestWorkspace) -> (Workspace, View, String) {
    let (workspace, asked) = test.workspace.ask_agents(None, &Patience::default());
    let view = workspace.view();
    let words: Vec<String> = asked.iter().map(|asked| asked.words().as_str().to_owned()).collect();
    (workspace, view, words.join("; "))
}

fn names(view: &View) -> Vec<&str> {
    view.rows.skills().map(|skill| skill.name.as_str()).collect()
}

fn entry<'a>(view: &'a View, name: &str) -> &'a Entry {
    view.rows.named(name).next().unwrap()
}

fn findings<'a>(view: &'a View, name: &str) -> Vec<(&'static str, &'a str)> {
    let row = |found: &'a Diagnostic| (found.code(), found.message.as_str());
    // The description of the fixture is not the program's.
    let is_about = |found: &&Diagnostic| !found.message.contains("describes it");
    entry(view, name).skill.diagnostics.iter().filter(is_about).map(row).collect()
}

#[test]
fn what_only_the_program_knows_is_a_row_by_its_own_word() {
    let rows = [
        both()[0],
        both()[1],
        ("brought", "builtin", "PACKAGE/brought", true),
        ("held", "builtin", "$HOME/.cache/held", false),
    ];
    let test = with_rows(&rows);
    let (_, view, said) = heard(&test);
    assert_eq!(names(&view), ["one", "own", "brought", "held"]);
    // Descriptions of the two differ, and nothing explains why `held` is off.
    assert_eq!(said, "Copilot CLI: 2 more by its own word; 3 differ");
    let brought = entry(&view, "brought");
    let word = brought.skill.root.word.as_ref().unwrap();
    assert!(word.bundled && !word.held && word.no_switch.is_none());
    assert!(brought.is_seen() && brought.is_on() && brought.is_listed());
    assert_eq!(brought.skill.description, "of brought");
    assert_eq!(text(&brought.skill, None, PREVIEW_BYTES).unwrap().text, "Text.\n");
    let held = entry(&view, "held");
    assert_eq!(held.state, Enablement::Off);
    assert_eq!(findings(&view, "held")[0].0, "agent-differs");
    let why = text(&held.skill, None, PREVIEW_BYTES).unwrap_err().to_string();
    assert_eq!(why, "it is built into Copilot CLI, so there is no file to read");
    let one = findings(&view, "one");
    assert!(one.is_empty(), "{one:?}");
}

#[test]
fn what_differs_is_a_finding_with_a_cure() {
    let rows = [("one", "project", ONE, false), ("gone", "project", "$PWD/elsewhere/gone", true)];
    let (_, view, said) = heard(&with_rows(&rows));
    assert_eq!(said, "Copilot CLI: 1 more by its own word; 2 differ");
    assert_eq!(
        findings(&view, "one"),
        [("agent-differs", "we say on, Copilot CLI itself says off")]
    );
    assert_eq!(findings(&view, "own"), [("agent-unlisted", "Copilot CLI itself does not list it")]);
    let only = "only Copilot CLI itself lists it; no folder that we look in has it";
    assert_eq!(findings(&view, "gone"), [("agent-only", only)]);
    for check in [&checks::AGENT_DIFFERS, &checks::AGENT_UNLISTED, &checks::AGENT_ONLY] {
        assert!(!check.help.is_empty());
    }
}

#[test]
fn another_winner_is_a_finding_on_both() {
    let other = "$PWD/.agents/skills/one";
    let test = with_rows(&[("one", "project", other, true), both()[1]]);
    test.env.raw_skill("repo/.agents/skills/one", "name: one\ndescription: of one", "");
    let (_, view, said) = heard(&test);
    assert!(said.starts_with("Copilot CLI: nothing more by its own word; "), "{said}");
    let of = |place: &str| {
        let path = test.env.at(place).join("SKILL.md");
        let found = &view.rows.at(&path).unwrap().skill().diagnostics[0];
        (found.code(), found.message.clone())
    };
    assert_eq!(of("repo/.github/skills/one").0, "agent-unlisted");
    let (code, message) = of("repo/.agents/skills/one");
    assert_eq!(code, "agent-differs");
    assert!(message.contains("itself lists it; we say that it is shadowed by"), "{message}");
}

#[test]
fn a_kept_answer_is_taken_for_the_same_files_only() {
    let mut test = with_rows(&both());
    let asked = |test: &TestWorkspace, times: usize, why: &str| {
        heard(test);
        assert_eq!(runs(test), times, "{why}");
    };
    asked(&test, 1, "nothing is kept");
    asked(&test, 1, "all is as it was");
    let kept = kept_file(&test);
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o7777, 0o600);
    test.env.raw_skill("repo/.github/skills/two", "name: two\ndescription: d", "");
    asked(&test, 2, "a new skill");
    test.env.raw_skill("repo/.github/skills/two", "name: two\ndescription: e", "");
    asked(&test, 3, "its text has changed");
    test.write("home/.copilot/settings.json", "{\"disabledSkills\": [\"one\"]}");
    asked(&test, 4, "the settings have changed");
    rewrite(&test, &[both()[0]]);
    asked(&test, 5, "another program");
    asked(&test, 5, "all is as it was");
    let text = fs::read_to_string(&kept).unwrap();
    let (_, content) = text.split_once('\n').unwrap();
    let signed = |content: String| {
        let sum = crate::files::digest::sha256_hex(content.as_bytes());
        format!("{sum}\n{content}")
    };
    let old = super::super::clock::now_ms() - 25 * 3_600_000;
    let at = content.find("\"asked_ms\":").unwrap() + 11;
    let end = at + content[at..].find(',').unwrap();
    for (times, (spoilt, why)) in (6..).zip([
        (text.replacen("one", "two", 1), "bytes that do not fit the digest"),
        (text[..text.len() / 2].to_owned(), "half of it"),
        (String::new(), "nothing in it"),
        ("rubbish\n".repeat(9), "no answer at all"),
        (signed("{}".to_owned()), "another program's"),
        (signed(content.replacen("\"format\":2", "\"format\":1", 1)), "an older format"),
        (signed(format!("{}{old}{}", &content[..at], &content[end..])), "a day old"),
    ]) {
        fs::write(&kept, spoilt).unwrap();
        asked(&test, times, why);
        assert!(heard(&test).2.starts_with("Copilot CLI: nothing more"), "{why}");
    }
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o644)).unwrap();
    asked(&test, 13, "a file that others may read");
}

fn kept_file(test: &TestWorkspace) -> PathBuf {
    let files = fs::read_dir(test.env.at("cache")).unwrap().flatten().map(|entry| entry.path());
    let mut files =
        files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("asked-"));
    files.next().unwrap()
}

#[test]
fn a_program_that_gives_no_answer_leaves_the_plain_view() {
    let patience = |timeout: u64| Patience {
        timeout: Some(Duration::from_secs(timeout)),
        ..Patience::default()
    };
    for (script, limit, words) in [
        ("sleep 60", 1, "gave no answer: the program did not end within 1000 ms"),
        ("kill -9 $$", 60, "gave no answer: the program gave no list of its skills"),
        ("printf '\\033[31mlog in'", 60, "gave no answer: the program gave no list of its skills"),
        ("head -c 100000000 /dev/zero", 60, "gave no answer: the program's answer was too long"),
    ] {
        let test = stand_in(&COPILOT, "copilot", script);
        let (workspace, asked) = test.workspace.ask_agents(None, &patience(limit));
        assert_eq!(asked[0].words().as_str(), format!("Copilot CLI {words}"));
        assert_eq!(names(&workspace.view()), ["one", "own"]);
        assert!(!workspace.awaits_words() && !workspace.reread().awaits_words());
        assert_eq!(sum(&asked), None);
    }
    let test = stand_in(&COPILOT, "other", "");
    assert_eq!(heard(&test).2, "Copilot CLI was not asked: its program is not on PATH");
    let stop = Patience { stop: Some(Arc::new(AtomicBool::new(true))), ..Patience::default() };
    let (_, asked) = with_rows(&both()).workspace.ask_agents(None, &stop);
    assert!(asked[0].words().as_str().contains("nobody waits"), "{asked:?}");
}

#[test]
fn without_a_place_for_the_copy_or_the_answer_one_sentence_says_so() {
    let mut test = with_rows(&both());
    // A file where the folder should be: no account may make a folder below it, not even root's.
    test.env.write("taken", "");
    test.workspace.cache_dir = Some(test.env.at("taken/cache"));
    let (_, view, said) = heard(&test);
    assert!(said.contains("; the answer is not kept: Not a directory"), "{said}");
    assert_eq!(names(&view), ["one", "own"]);
    let homeless = Context { home: None, ..(*test.workspace.context).clone() };
    test.workspace.context = Arc::new(homeless);
    let (_, view, said) = heard(&test);
    assert!(said.starts_with("Copilot CLI was not asked: there is no home directory"), "{said}");
    assert_eq!(names(&view), ["one", "own"]);
}

#[test]
fn after_a_change_the_rows_stay_and_the_differences_go_until_it_is_asked_again() {
    let rows = [both()[0], ("held", "builtin", "$HOME/.cache/held", true)];
    let test = with_rows(&rows);
    let (workspace, view, _) = heard(&test);
    assert_eq!(findings(&view, "own").len(), 1);
    assert!(!workspace.awaits_words());
    let again = workspace.reread();
    assert!(again.awaits_words() && again.was_asked());
    for after in [again.rejudge(&view), again.view_after(&view, scan_options())] {
        assert_eq!(names(&after), ["one", "own", "held"]);
        assert!(findings(&after, "own").is_empty());
        assert_eq!(names(after.plain()), ["one", "own"]);
    }
    // Another host has said nothing yet.
    let elsewhere = workspace.through(&OPENCODE);
    assert!(!names(&elsewhere.view()).contains(&"held"));
    assert!(elsewhere.awaits_words() && !elsewhere.was_asked());
}

fn scan_options() -> crate::scan::Options {
    crate::scan::Options::default()
}

#[test]
fn a_switch_by_name_turns_off_what_the_program_brings() {
    let rows = [both()[0], both()[1], ("held", "builtin", "$HOME/.cache/held", true)];
    let test = with_rows(&rows);
    let (workspace, view, _) = heard(&test);
    let index = view.rows.index_of(&entry(&view, "held").skill.path).unwrap();
    let off = switch(&view, &[index], false);
    workspace.make(&view, &off, None).unwrap();
    let settings = test.read("home/.copilot/settings.json");
    assert!(settings.contains("\"disabledSkills\"") && settings.contains("\"held\""), "{settings}");
    let view = workspace.reread().rejudge(&view);
    assert_eq!(entry(&view, "held").state, Enablement::Off);
}

#[test]
fn where_no_switch_exists_the_nearest_is_named() {
    let skills = "echo '[{\"name\":\"customize\",\"location\":\"<built-in>\",\"content\":\"\"}]'";
    let agent = "echo '{\"permission\":[]}'";
    let script = format!("if [ \"$2\" = skill ]; then {skills}; else {agent}; fi");
    let test = stand_in(&OPENCODE, "opencode", &script);
    let (workspace, view, said) = heard(&test);
    assert!(said.starts_with("opencode: 1 more by its own word"), "{said}");
    let own = entry(&view, "customize");
    let word = own.skill.root.word.as_ref().unwrap();
    assert!(word.held && own.skill.path.starts_with(test.env.at("bin/opencode")));
    let words = word.unswitched().unwrap();
    assert!(words.as_str().contains("permission.skill in opencode.json"), "{words}");
    let index = view.rows.index_of(&own.skill.path).unwrap();
    let why = workspace.plan(&view, &switch(&view, &[index], false), None).unwrap_err();
    assert!(why.to_string().contains("nearest: a rule for its name"), "{why}");
}

#[test]
fn through_all_agents_only_its_own_one_has_the_skill() {
    let test = with_rows(&[both()[0], ("held", "builtin", "$HOME/.cache/held", true)]);
    let every = Workspace { cache_dir: None, ..test.workspace.through(&EVERY) };
    let (workspace, asked) = every.ask_agents(None, &Patience::default());
    assert_eq!(sum(&asked).unwrap().as_str(), "Copilot CLI: 1 more by its own word; 2 differ");
    assert_eq!(
        sum(&[two(&asked), two(&asked)]).unwrap().as_str(),
        "2 more by their own word: Copilot CLI 1, Copilot CLI 1; 4 differ: Copilot CLI 2, Copilot CLI 2"
    );
    let view = workspace.view();
    let index = view.rows.index_of(&entry(&view, "held").skill.path).unwrap();
    let seen: Vec<&str> = view
        .statuses(index)
        .into_iter()
        .filter(|status| status.status.verdict().is_some())
        .map(|status| status.host.word())
        .collect();
    assert_eq!(seen, ["copilot"]);
    assert_eq!(entry(&view, "held").hosts.len(), 1);
    assert_eq!(findings(&view, "own")[0].0, "agent-unlisted");
}

/// The same answer once more.
fn two(asked: &[AskedAgent]) -> AskedAgent {
    AskedAgent { host: asked[0].host, heard: Ok(Arc::clone(asked[0].heard.as_ref().unwrap())) }
}

#[test]
fn other_peoples_text_is_short_and_cannot_leave_the_program() {
    let long = "x".repeat(9_000);
    for (name, shown) in [("../../etc", None), ("a/b", None), ("plain", Some("plain"))] {
        let reported = crate::hosts::probe::SkillReport {
            name: name.to_owned(),
            path: None,
            description: Some(long.clone()),
            enabled: Some(true),
            bundled: true,
        };
        let test = TestWorkspace::with(&[]).through(&COPILOT, &[], "repo");
        let program = Path::new("/opt/bin/copilot");
        let context = &test.workspace.host_contexts[0];
        let (skills, _) = test.workspace.skills_of(context, program, &[&reported]);
        let below = skills[0].path.strip_prefix(program).unwrap();
        assert_eq!(below.components().count(), 2, "{below:?}");
        assert!(shown.is_none_or(|shown| below.starts_with(shown)), "{below:?}");
        assert_eq!((skills[0].name.as_str(), skills[0].description.len()), (name, 4_096));
    }
}
