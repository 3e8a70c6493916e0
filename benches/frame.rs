//! What a key costs from the message to the cells, with ten thousand skills.

use divan::{Bencher, black_box};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use skillpick::catalog::{Invocation, Locations, Properties, Scope, Skill, SkillRoot, Stamp};
use skillpick::listing::{Listing, Row, Rows};
use skillpick::policy::{Entry, Evaluation, Policy};
use skillpick::search::Ranker;
use skillpick::tui::app::{Action, Effect, Msg, Options, State, Viewed, update};
use skillpick::tui::view::{self, Theme};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SKILLS: usize = 10_000;
const WORDS: [&str; 16] = [
    "pdf",
    "form",
    "review",
    "deploy",
    "kubernetes",
    "extract",
    "table",
    "invoice",
    "react",
    "notebook",
    "audit",
    "ledger",
    "schema",
    "render",
    "quality",
    "query",
];

fn main() {
    divan::main();
}

fn skill(index: usize) -> Arc<Skill> {
    let word = |step: usize| WORDS[(index * 7 + step * 13 + index / 16) % WORDS.len()];
    let name = format!("{}-{}-{index}", word(0), word(1));
    let description: Vec<&str> = (0..24).map(word).collect();
    let dir = PathBuf::from(format!("/home/ada/.agents/skills/{name}"));
    Arc::new(Skill {
        name,
        description: description.join(" "),
        path: dir.join("SKILL.md"),
        locations: Locations::default(),
        scope: Scope::User,
        in_repository: false,
        root: SkillRoot::plain(Path::new("/home/ada/.agents/skills")),
        stamp: Stamp::default(),
        bytes: 4_000,
        whole: true,
        properties: Properties::default(),
        invocation: Invocation::default(),
        head: None,
        stored: None,
        diagnostics: Vec::new(),
    })
}

fn viewed() -> Viewed {
    let policy = Policy::without_settings(Evaluation::AGENTS);
    let row = |skill| Row::new(Entry::alone(skill, &policy));
    let rows = Arc::new(Rows::new((0..SKILLS).map(skill).map(row).collect()));
    let listing = Listing { rows, complete: true, ..Listing::default() };
    Viewed { listing, generation: 1, ..Viewed::default() }
}

fn state() -> State {
    let options = Options { multi: true, host: "agents", ..Options::default() };
    let mut state = State::new(Rect::new(0, 0, 160, 45), options, "", None);
    let effects = update(&mut state, Msg::Viewed(Box::new(viewed())));
    rank(&mut state, effects);
    state
}

/// Answers the ranking requests of the list.
fn rank(state: &mut State, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Rank(question) = effect
            && let Some(ranking) = question.answer(&mut Ranker::default(), &|| true)
        {
            update(state, Msg::Ranked(question.number, Box::new(ranking)));
        }
    }
}

/// The first, second and third letter of a query, until its rows are ranked.
#[divan::bench(args = ["q", "qu", "que", "kuberentes", "code review"])]
fn key(bencher: Bencher, query: &str) {
    let mut state = state();
    let (before, last) = query.split_at(query.len() - 1);
    let last = last.chars().next().unwrap_or_default();
    bencher.with_inputs(|| ()).bench_local_values(|()| {
        update(&mut state, Msg::Action(Action::DeleteLine));
        update(&mut state, Msg::Paste(before.to_owned()));
        let effects = update(&mut state, Msg::Text(last));
        rank(black_box(&mut state), effects);
    });
}

/// One row down, and the frame.
#[divan::bench]
fn down_and_draw(bencher: Bencher) {
    let mut state = state();
    let mut terminal =
        Terminal::new(TestBackend::new(160, 45)).unwrap_or_else(|never| match never {});
    bencher.bench_local(|| {
        update(&mut state, Msg::Action(Action::Down));
        let _ = terminal.draw(|frame| view::draw(&state, Theme::default(), frame));
    });
}

/// A new view of everything.
#[divan::bench]
fn new_view(bencher: Bencher) {
    let mut state = state();
    bencher
        .with_inputs(|| Box::new(viewed()))
        .bench_local_values(|viewed| update(&mut state, Msg::Viewed(viewed)));
}
