//! Generated parts of the docs are current, and the rest is true. `BLESS=1` writes instead of
//! comparing.

mod codes;
mod reliability;

use crate::model::agents::seen;
use crate::model::catalog::TestCatalog;
use crate::model::screen::{draw, play, text};
use crate::model::script;
use skillpick::hosts::{Host, Proof};
use skillpick::tui::keymap::Keymap;
use skillpick::tui::view::Palette;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares what stands between two marks of a file with what should, or writes it.
fn hold(file: &str, mark: &str, wanted: &str) {
    let path = root().join(file);
    let text = fs::read_to_string(&path).unwrap();
    let parts: Vec<&str> = text.split(mark).collect();
    assert_eq!(parts.len(), 3, "{file} has the mark {mark} twice");
    let new = [parts[0], mark, "\n", wanted.trim_end(), "\n", mark, parts[2]].concat();
    if new != text && std::env::var_os("BLESS").is_some() {
        fs::write(&path, new).unwrap();
    } else {
        assert!(
            new == text,
            "{file} is not true any more between {mark}: run `BLESS=1 cargo test docs`"
        );
    }
}

#[test]
fn the_key_table_matches_the_keymap() {
    hold("docs/keys.md", "<!-- keys -->", &Keymap::default().markdown());
    hold("docs/keys.md", "<!-- words -->", &Keymap::words());
}

#[test]
fn the_agents_table_matches_the_hosts() {
    let mut table =
        "| agent | `--host` | of one name | on/off | permission | mention | takes effect | verified by |\n".to_owned();
    table.push_str("|---|---|---|---|---|---|---|---|\n");
    for host in skillpick::hosts::HOSTS {
        let cells = [
            host.name.to_owned(),
            format!("`{}`", host.id.word()),
            host.duplicates.word().to_owned(),
            switch_of(host),
            list(host.evaluation.forms.effects().iter().map(|effect| effect.word())),
            mention_of(host),
            host.takes_effect.words(),
            proof_of(host),
        ];
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    hold("docs/agents.md", "<!-- hosts -->", &table);
    let others: Vec<&str> = skillpick::hosts::generic::HOSTS.iter().map(|host| host.name).collect();
    let others = wrapped(&format!("{}.", others.join(", ")));
    hold("docs/agents.md", "<!-- other hosts -->", &others);
}

#[test]
fn the_readmes_agents_match_the_hosts() {
    let mut table = "| agent | `--host` | on/off | permission | mention |\n".to_owned();
    table.push_str("|---|---|---|---|---|\n");
    for host in skillpick::hosts::HOSTS {
        let cells = [
            host.name.to_owned(),
            format!("`{}`", host.id.word()),
            list(host.control.states.iter().map(|state| state.word())),
            list(host.evaluation.forms.effects().iter().map(|effect| effect.word())),
            mention_of(host),
        ];
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    hold("README.md", "<!-- agents -->", &table);
}

#[test]
fn the_readme_has_at_most_140_lines() {
    let lines = fs::read_to_string(root().join("README.md")).unwrap().lines().count();
    assert!(lines <= 140, "README.md has {lines} lines, which is more than 140");
}

/// `.ci/run` runs both.
#[test]
fn the_readme_has_the_two_commands_that_set_everything_up() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for command in ["cargo run --release", "cargo test"] {
        assert!(readme.lines().any(|line| line.starts_with(command)), "{command}");
    }
}

/// Rustfmt checks Rust, and a test writes the schemas. Table rows, code blocks and a skill's
/// description cannot be broken into lines.
#[test]
fn pages_and_scripts_have_at_most_100_columns() {
    let mut files = Vec::new();
    for place in [".agents", ".ci", ".github", "assets", "benches", "docs"] {
        codes::files(&root().join(place), &mut files);
    }
    let top = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
    files.extend(top.filter(|path| path.is_file() && !path.ends_with("Cargo.lock")));
    files.retain(|file| file.extension().is_none_or(|end| end != "json" && end != "rs"));
    let mut wide = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let mut fenced = false;
        for (at, line) in text.lines().enumerate() {
            fenced ^= line.trim_start().starts_with("```");
            let whole = fenced || line.starts_with('|') || line.starts_with("description:");
            if line.chars().count() > 100 && !whole {
                wide.push(format!("{}:{}", file.display(), at + 1));
            }
        }
    }
    assert!(wide.is_empty(), "wider than 100 columns:\n{}", wide.join("\n"));
}

#[test]
fn the_worked_examples_name_existing_files() {
    for (page, least) in [("a-key", 8), ("an-agent", 4)] {
        let text = fs::read_to_string(root().join(format!("docs/contributing/{page}.md"))).unwrap();
        let files: Vec<&str> = text
            .split('`')
            .filter(|word| word.contains('.') && !word.contains([' ', '"', '(', '\n', '~']))
            .filter(|word| !word.starts_with('.'))
            .collect();
        assert!(files.len() >= least, "{page}: {files:?}");
        for file in files {
            assert!(root().join(file).exists(), "{page}: {file}");
        }
    }
}

/// The words in lines of at most 100 columns.
fn wrapped(words: &str) -> String {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let last = lines.last_mut().unwrap();
        if last.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(word.to_owned());
        } else {
            last.push_str(if last.is_empty() { "" } else { " " });
            last.push_str(word);
        }
    }
    lines.join("\n")
}

fn mention_of(host: &Host) -> String {
    format!("`{}`", host.mention.example("name").replace('|', "\\|"))
}

/// The states of a host's switch, and whose files say so.
fn switch_of(host: &Host) -> String {
    if host.control.switch.is_none() {
        return "–".to_owned();
    }
    let states = list(host.control.states.iter().map(|state| state.word()));
    format!("{states} ({})", list(host.control.layers.iter().map(|layer| layer.word())))
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    if words.is_empty() { "–".to_owned() } else { words.join(", ") }
}

/// What shows that a row is true.
fn proof_of(host: &Host) -> String {
    match (host.probe, host.proof) {
        (Some(probe), _) => format!("its own program, {} ({})", probe.proved, probe.what),
        (None, Proof::Program(version)) => format!("its own program, {version}"),
        (None, Proof::Source(version)) => {
            format!("its source, {version}; what is written is read again")
        }
        (None, Proof::Documentation) if host.id.word() == "agents" => "our own settings".to_owned(),
        (None, Proof::Documentation) => "its documentation".to_owned(),
    }
}

#[test]
fn the_settings_page_shows_the_default_file() {
    let wanted = format!("```toml\n{}\n```", skillpick::config::DEFAULT_FILE.trim_end());
    hold("docs/settings.md", "<!-- default -->", &wanted);
}

#[test]
fn every_check_is_explained() {
    let head = "| code | severity | what to do | what `--fix` does |\n|---|---|---|---|\n";
    let mut table = head.to_owned();
    for check in skillpick::catalog::checks::ALL {
        table.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            check.code,
            check.severity.word(),
            check.help,
            skillpick::catalog::fix::of(check).map_or("", |fix| fix.what)
        ));
    }
    hold("docs/diagnostics.md", "<!-- checks -->", &table);
}

#[test]
fn the_risk_table_matches_the_rules() {
    let mut table = "| rule | level | reason |\n|---|---|---|\n".to_owned();
    for rule in skillpick::catalog::risk::rules::ALL {
        table.push_str(&format!("| `{}` | {} | {} |\n", rule.code, rule.level.word(), rule.reason));
    }
    hold("docs/risk.md", "<!-- rules -->", &table);
}

#[test]
fn the_readmes_frame_is_drawn_by_the_picker() {
    let mut state = script::open((100, 18), seen(&mut TestCatalog::shop()));
    state.options.host = "all";
    play(&mut state, "pdf<down><tab><up>");
    let frame: Vec<String> =
        text(&draw(&state, Palette::Plain)).iter().map(|row| row.trim_end().to_owned()).collect();
    hold("README.md", "<!-- frame -->", &format!("```text\n{}\n```", frame.join("\n")));
}

/// Every test of the crate, by name.
fn tests() -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["src", "tests"] {
        collect(&root().join(folder), &mut names);
    }
    names.sort();
    names.dedup();
    names
}

fn collect(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, names);
            continue;
        }
        if path.extension().is_none_or(|end| end != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            // In a property test, comments may stand between the attribute and the function.
            if line == "#[test]" {
                let function = lines.by_ref().find_map(|line| line.strip_prefix("fn "));
                names.extend(function.and_then(|rest| rest.split('(').next()).map(str::to_owned));
            }
        }
    }
}

/// `COD-5.4b` → `cod_5_4b`.
fn prefix(row: &str) -> String {
    row.to_lowercase().replace(['-', '.'], "_")
}

fn belongs(test: &str, row: &str) -> bool {
    let prefix = prefix(row);
    test == prefix || test.starts_with(&format!("{prefix}_")) || {
        // `cod_9_2_and_9_3_…` shows both.
        let (family, number) = prefix.split_once('_').unwrap_or((&prefix, ""));
        test.starts_with(&format!("{family}_")) && test.contains(&format!("_and_{number}_"))
    }
}

#[test]
fn every_requirement_marked_here_has_a_test() {
    let text = fs::read_to_string(root().join("docs/requirements.md")).unwrap();
    let block = text.split("<!-- rows -->").nth(1).unwrap();
    let tests = tests();
    let mut table = String::new();
    let mut missing = Vec::new();
    for line in block.trim().lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [row, what, place, otherwise, _] = cells.as_slice() else {
            panic!("a row of another shape: {line}")
        };
        if !row.contains('-') || row.starts_with("---") {
            table.push_str(line);
        } else {
            let own: Vec<String> = tests
                .iter()
                .filter(|test| belongs(test, row))
                .map(|test| format!("`{test}`"))
                .collect();
            if *place == "here" && own.is_empty() {
                missing.push(*row);
            }
            assert!(!what.contains('…'), "the text of {row} is whole");
            assert!(*place == "here" || !otherwise.is_empty(), "{row} says how else it is met");
            let cells = [*row, *what, *place, *otherwise, &own.join(" ")];
            table.push_str(&format!("| {} |", cells.join(" | ")).replace("|  |", "| |"));
        }
        table.push('\n');
    }
    assert!(missing.is_empty(), "rows without a test: {missing:?}");
    hold("docs/requirements.md", "<!-- rows -->", &table);
}
