//! What our own program says of the same environment, and where it differs from what the agent's
//! program says.

use crate::agent::Agent;
use crate::env::TestEnv;
use serde_json::Value as Json;
use skillpick::files::child;
use skillpick::hosts::probe::{Report, Shows};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Our own program, run through this agent's eyes in the environment, as the agent itself is.
pub(crate) fn run(
    agent: &Agent,
    env: &TestEnv,
    folder: &str,
    arguments: &[&str],
) -> (Option<i32>, String, String) {
    let mut environment = agent.environment(env, &[]);
    environment.extend(
        agent.probe.environment.iter().map(|(name, value)| ((*name).into(), (*value).into())),
    );
    let run = child::Run {
        program: env!("CARGO_BIN_EXE_skillpick").into(),
        arguments: arguments
            .iter()
            .chain(&["--host", agent.host().id.word()])
            .map(Into::into)
            .collect(),
        folder: env.at(folder),
        environment,
        timeout: std::time::Duration::from_secs(120),
        cap: 16 << 20,
        ..child::Run::default()
    };
    let output = child::run(&run).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.code, text(&output.stdout), text(&output.stderr))
}

/// The same, which must end well.
#[track_caller]
pub(crate) fn done(agent: &Agent, env: &TestEnv, folder: &str, arguments: &[&str]) -> String {
    let (code, out, err) = run(agent, env, folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {err}{out}");
    out
}

/// What one side says: of each place a skill is seen in, its name there and whether it is on.
type Seen = BTreeMap<String, String>;

/// Fails where our list and the agent's are not the same, skill by skill. `known` are differences
/// that cannot be modelled, by the folder (or, where the agent names no paths, by the skill's
/// name).
#[track_caller]
pub(crate) fn agree(
    agent: &Agent,
    env: &TestEnv,
    folder: &str,
    (report, known): (&Report, &[&str]),
) {
    let list: Json = serde_json::from_str(&done(agent, env, folder, &["list", "--json"])).unwrap();
    let rows = list["skills"].as_array().unwrap();
    let (ours, theirs) = match agent.probe.paths {
        true => (by_path(agent, env, rows), heard_by_path(env, &twins(agent, rows), report)),
        false => (by_name(rows), heard_by_name(rows, report)),
    };
    let mut differences: BTreeMap<&str, (Option<&String>, Option<&String>)> = BTreeMap::new();
    for (place, said) in &ours {
        differences.entry(place).or_default().0 = Some(said);
    }
    for (place, said) in &theirs {
        differences.entry(place).or_default().1 = Some(said);
    }
    assert!(!ours.is_empty(), "we see nothing");
    differences.retain(|_, (ours, theirs)| ours != theirs);
    let is = |place: &str, known: &str| place == known || place.ends_with(&format!("/{known}"));
    // Which of two in one root is taken may be left to the file system: no difference, then, on
    // some days.
    let mut stale = known.iter().filter(|known| !known.starts_with("twice-"));
    let stale = stale.find(|known| !differences.keys().any(|place| is(place, known)));
    assert_eq!(stale, None, "this is no difference any more");
    differences.retain(|place, _| !known.iter().any(|known| is(place, known)));
    let lines: Vec<String> = differences
        .iter()
        .map(|(place, (ours, theirs))| {
            format!("{place}: we say {ours:?}, {} says {theirs:?}", agent.probe.program)
        })
        .collect();
    let errors = list["errors"].as_array().unwrap().iter();
    let refused = errors.map(|row| {
        format!("{}: {}", below(env, text(&row["path"])), row["diagnostics"][0]["code"])
    });
    let refused: Vec<String> = refused
        .filter(|line| differences.keys().any(|place| line.starts_with(&format!("{place}/"))))
        .collect();
    assert!(lines.is_empty(), "{}\nwe refuse: {refused:#?}", lines.join("\n"));
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

/// The real folder of a skill, below the environment.
fn below(env: &TestEnv, path: &str) -> String {
    let path = Path::new(path);
    path.strip_prefix(env.at("")).unwrap_or(path).to_str().unwrap().to_owned()
}

fn state(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// Whether the agent would show this row as on.
fn is_on(agent: &Agent, row: &Json) -> bool {
    match agent.probe.shows {
        Shows::Rules => row["permission"] != "deny",
        Shows::OnOff => row["state"] != "off",
        Shows::OnOnly => row["verdict"]["user"] == true,
    }
}

fn by_path(agent: &Agent, env: &TestEnv, rows: &[Json]) -> Seen {
    let shown = rows.iter().filter(|row| row["shadowed_by"].is_null() && row["scope"] != "system");
    let shown = shown.filter(|row| agent.probe.shows != Shows::OnOnly || is_on(agent, row));
    let said = |row: &Json| format!("{} {}", row_name(row), state(is_on(agent, row)));
    let twins = twins(agent, rows);
    shown
        .map(|row| (key(env, &twins, &real(text(&row["path"])), row_name(row)), said(row)))
        .collect()
}

/// opencode lists any of several of one name: the name stands for all of them.
fn twins<'a>(agent: &Agent, rows: &'a [Json]) -> BTreeSet<&'a str> {
    let random = rows
        .iter()
        .filter(|row| agent.probe.program == "opencode" && row["same_name"].as_u64() > Some(1));
    random.map(row_name).collect()
}

fn key(env: &TestEnv, twins: &BTreeSet<&str>, real: &Path, name: &str) -> String {
    if twins.contains(name) {
        name.to_owned()
    } else {
        below(env, real.parent().unwrap().to_str().unwrap())
    }
}

/// As the agent takes it.
fn row_name(row: &Json) -> &str {
    row["host_name"].as_str().unwrap_or_else(|| text(&row["name"]).trim())
}

fn real(path: &str) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.into())
}

/// The real file of a skill that is named by its folder or its file.
fn file(path: &Path) -> PathBuf {
    let inside = fs::read_dir(path).ok().and_then(|entries| {
        let mut names: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        names.sort();
        names
            .into_iter()
            .find(|file| file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")))
    });
    real(inside.as_deref().unwrap_or(path).to_str().unwrap())
}

fn heard_by_path(env: &TestEnv, twins: &BTreeSet<&str>, report: &Report) -> Seen {
    let own = report.skills.iter().filter(|reported| !reported.bundled);
    own.map(|reported| {
        let place = key(env, twins, &file(reported.path.as_ref().unwrap()), &reported.name);
        (place, format!("{} {}", reported.name, state(reported.enabled != Some(false))))
    })
    .collect()
}

/// Agents that name no paths list what a person may call.
fn by_name(rows: &[Json]) -> Seen {
    let shown = rows.iter().filter(|row| row["shadowed_by"].is_null() && row["scope"] != "system");
    let shown = shown.filter(|row| row["verdict"]["user"] == true);
    shown.map(|row| (row_name(row).to_owned(), "on".to_owned())).collect()
}

fn heard_by_name(rows: &[Json], report: &Report) -> Seen {
    // What is built in is compared apart.
    let rows = rows.iter().filter(|row| row["scope"] != "system");
    let ours: BTreeSet<&str> = rows.map(row_name).collect();
    let callable = report.callable.iter().map(String::as_str).filter(|name| ours.contains(name));
    let own = report
        .skills
        .iter()
        .filter(|reported| !reported.bundled)
        .map(|reported| reported.name.as_str());
    own.chain(callable).map(|name| (name.to_owned(), "on".to_owned())).collect()
}
