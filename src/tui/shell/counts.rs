//! Commands and screens count skills, refused skills and findings alike, whatever tree it is and
//! whichever host looks.

use super::convert;
use crate::output::as_read;
use crate::output::check::{CheckDocument, Judged};
use crate::output::hosts::HostsDocument;
use crate::output::list::ListDocument;
use crate::search::Ranker;
use crate::tui::app::{Action, Effect, KeyTable, Msg, Options, State, hints, update};
use crate::tui::keymap;
use crate::tui::view::{self, Palette, Theme};
use crate::workspace::fixture::TestWorkspace;
use crate::workspace::{ALL, Workspace, host_by_word, known_hosts};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use serde_json::{Value, json};

const FOLDERS: &[&str] = &[
    "repo/.agents/skills",
    "home/.agents/skills",
    "repo/.claude/skills",
    "home/.claude/skills",
    "home/.codex/skills",
];

/// Frontmatter that is right, or wrong in a way that some hosts forgive.
const FRONTMATTER: &[&str] = &[
    "name: pdf\ndescription: Forms",
    "name: zip\ndescription: Archives",
    "name: pdf",
    "description: Nothing but this",
    "name: Two Words\ndescription: x\nunknown: 1",
    "name: [",
    "",
];

/// What is counted: skills, skills that the host refuses, errors, warnings.
type Counts = [usize; 4];

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn by_list(workspace: &Workspace) -> Counts {
    let view = workspace.view();
    let all: Vec<usize> = (0..view.rows.len()).collect();
    let list = as_read(&ListDocument::of(&view, "any", &all, &[]));
    let rows = |key: &str| list[key].as_array().unwrap().clone();
    let (skills, refused) = (rows("skills"), rows("errors"));
    let of = |severity: &str| {
        let rows = skills.iter().chain(&refused);
        let findings = rows.flat_map(|row| row["diagnostics"].as_array().unwrap());
        findings.filter(|finding| finding["severity"] == severity).count()
    };
    [skills.len() + refused.len(), refused.len(), of("error"), of("warning")]
}

fn by_check(workspace: &Workspace) -> Counts {
    let view = workspace.view();
    let judged: Vec<Judged> = view.rows.entries().map(Judged::of).collect();
    let summary = json!(CheckDocument::of(&view, &judged, false))["summary"].clone();
    ["skills", "invalid", "errors", "warnings"].map(|key| number(&summary[key]))
}

/// The picker with this view.
fn picker(workspace: &Workspace) -> State {
    let (keymap, _) = keymap::with_settings(std::iter::empty());
    let options = Options {
        multi: true,
        ascii: false,
        host: workspace.host.id.word(),
        hosts: known_hosts(),
        mouse: false,
        bindings: keymap.bindings(false),
        format: "mention",
        ..Options::default()
    };
    let mut state = State::new(Rect::new(0, 0, 200, 60), options, "", None);
    let viewed = convert::viewed(&workspace.view(), 1);
    for effect in update(&mut state, Msg::Viewed(Box::new(viewed))) {
        if let Effect::Rank(question) = effect {
            let ranking = question.answer(&mut Ranker::default(), &|| true).unwrap();
            update(&mut state, Msg::Ranked(question.number, Box::new(ranking)));
        }
    }
    state
}

fn drawn(state: &State) -> String {
    let mut terminal = Terminal::new(TestBackend::new(200, 60)).unwrap();
    terminal.draw(|frame| view::draw(state, Theme::new(Palette::Plain), frame)).unwrap();
    let buffer = terminal.backend().buffer();
    buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect()
}

/// The number before these words; 0 if they are not there.
fn before(text: &str, words: &str) -> usize {
    let head = text.find(words).map_or("", |at| &text[..at]);
    head.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_command_and_screen_counts_alike(
        tree in prop::collection::vec(
            (prop::sample::select(FOLDERS), 0..6_u8, prop::sample::select(FRONTMATTER)),
            0..24,
        ),
    ) {
        let test = TestWorkspace::with(&[]);
        for (folder, number, frontmatter) in tree {
            let name = ["pdf", "zip"].get(usize::from(number)).copied().unwrap_or("other");
            test.env.raw_skill(&format!("{folder}/{name}{}", number / 4), frontmatter, "");
        }
        let survey = test.workspace.survey(true);
        let hosts = json!(HostsDocument::of(&survey));
        for host in ["agents", "claude", "codex", "opencode", ALL] {
            let workspace = test.workspace.through(host_by_word(host).unwrap());
            let counts = by_list(&workspace);
            let [skills, refused, errors, warnings] = counts;
            prop_assert_eq!(by_check(&workspace), counts, "check, {}", host);
            let rows = hosts["hosts"].as_array().unwrap();
            if let Some(row) = rows.iter().find(|row| row["id"] == host) {
                let told = [number(&row["skills"]), number(&row["refused"])];
                prop_assert_eq!(told, [skills, refused], "hosts, {}", host);
            }
            let mut state = picker(&workspace);
            prop_assert!(drawn(&state).contains(&format!("{skills} of {skills} ")), "{}", host);
            let hints = hints::hints(&state);
            let alarm = hints.iter().find(|hint| hint.alarm && hint.label.as_str().contains("problem"));
            let alarm = alarm.map_or(0, |hint| before(hint.label.as_str(), " problem"));
            prop_assert_eq!(alarm, errors, "the alarm, {}", host);
            update(&mut state, Msg::Action(Action::Problems));
            if state.context().table == KeyTable::Problems {
                let screen = drawn(&state);
                let told = [before(&screen, " error"), before(&screen, " warning")];
                prop_assert_eq!(told, [errors, warnings], "the problems, {}", host);
                prop_assert!(screen.contains(&format!(" of {skills} skills")), "{}", screen);
            } else {
                prop_assert_eq!(errors + warnings, 0, "{}", host);
            }
        }
    }
}
