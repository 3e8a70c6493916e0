//! What a key costs in the search, with ten thousand skills.

use divan::{Bencher, black_box};
use skillpick::catalog::{Invocation, Locations, Properties, Scope, Skill, SkillRoot, Stamp};
use skillpick::listing::{Row, Rows};
use skillpick::policy::{Entry, Evaluation, Policy};
use skillpick::search::{BodyMatch, BodySearch, Context, Query, Ranker, rank};
use std::path::PathBuf;
use std::sync::Arc;

const SKILLS: usize = 10_000;

/// One letter, three, eight, two words, a typing error, nothing, a filter alone, and the empty
/// query.
const QUERIES: [&str; 8] =
    ["p", "pdf", "document", "code review", "kuberentes", "zzzzzzzz", "scope:repo !is:off", ""];

const WORDS: [&str; 40] = [
    "pdf",
    "form",
    "code",
    "review",
    "document",
    "table",
    "extract",
    "kubernetes",
    "deploy",
    "test",
    "write",
    "brand",
    "style",
    "guide",
    "artifact",
    "builder",
    "canvas",
    "design",
    "theme",
    "skill",
    "creator",
    "spreadsheet",
    "formula",
    "slides",
    "presentation",
    "internal",
    "comms",
    "server",
    "protocol",
    "when",
    "the",
    "user",
    "asks",
    "for",
    "with",
    "files",
    "that",
    "need",
    "editing",
    "analysis",
];

fn main() {
    divan::main();
}

/// The same words every time: a linear congruence, no randomness.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }

    fn words(&mut self, count: usize, between: &str) -> String {
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.below(WORDS.len())]).collect();
        words.join(between)
    }
}

fn rows() -> Rows {
    let mut draw = Draw(7);
    let policy = Policy::without_settings(Evaluation::AGENTS);
    let skill = |number: usize| {
        let name = format!("{}-{number}", draw.words(2, "-"));
        let count = 15 + draw.below(45);
        let dir = PathBuf::from("/home/someone/.agents/skills").join(&name);
        let skill = Skill {
            description: draw.words(count, " "),
            name,
            path: dir.join("SKILL.md"),
            locations: Locations::default(),
            scope: Scope::ALL[draw.below(3)],
            in_repository: false,
            root: SkillRoot::plain(&dir),
            stamp: Stamp::default(),
            bytes: 0,
            whole: true,
            properties: Properties::default(),
            invocation: Invocation::default(),
            head: None,
            stored: None,
            diagnostics: Vec::new(),
        };
        Row::new(Entry::alone(Arc::new(skill), &policy))
    };
    Rows::new((0..SKILLS).map(skill).collect())
}

#[divan::bench(args = QUERIES)]
fn from_scratch(bencher: Bencher, text: &str) {
    let rows = rows();
    bencher.bench(|| rank(black_box(&rows), &Query::parse(text), &Context::PLAIN).len());
}

#[divan::bench(args = ["code review", "document"])]
fn letter_by_letter(bencher: Bencher, text: &str) {
    let rows = rows();
    bencher.bench(|| {
        let mut ranker = Ranker::default();
        let typed = (1..=text.len()).map(|end| Query::parse(&text[..end]));
        typed
            .filter_map(|query| ranker.rank(black_box(&rows), &query, &Context::PLAIN))
            .map(|hits| hits.len())
            .sum::<usize>()
    });
}

#[divan::bench]
fn make_rows(bencher: Bencher) {
    let rows = rows();
    bencher.bench(|| Rows::new(rows.entries().cloned().map(Row::new).collect()));
}

#[divan::bench]
fn bodies_of_a_megabyte(bencher: Bencher) {
    let rows = rows();
    let mut body = Draw(9).words(1_500, " ").into_bytes();
    let query = Query::parse("quokka");
    bencher.bench_local(|| {
        let mut search = BodySearch::new(&query);
        let found = rows.iter().take(100).filter(|row| {
            let body = black_box(&mut body);
            search.as_mut().is_some_and(|search| search.look(row, body) == BodyMatch::Has)
        });
        found.count()
    });
}
