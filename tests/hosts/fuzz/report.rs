//! A run over many trees, and what is told of it.

use super::agents::Fuzzed;
use super::compare::{Difference, compare};
use super::shrink::shrink;
use super::toggle::{Toggled, toggle};
use super::tree::{Item, Tree};
use super::{corpus_folder, places};
use crate::agent::say;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Trees at a time: an agent's start takes one processor.
const THREADS: usize = 2;

/// How many differences are shrunk.
const SHRUNK: usize = 12;

#[derive(Default)]
pub(crate) struct Run {
    pub(crate) program: &'static str,
    trees: usize,
    skills: usize,
    /// Of each tree that has any: its seed, and its differences.
    pub(crate) differing: BTreeMap<u64, Vec<Difference>>,
    /// The first difference of each class, shrunk.
    shown: Vec<(u64, Difference, Tree)>,
    toggled: usize,
    refused: Vec<String>,
    pub(crate) wrong: Vec<String>,
}

/// What differs where every fault of a file is there alone, each with its file.
pub(crate) fn each(agent: &Fuzzed) -> String {
    let tree = places::each(agent);
    let outcome = compare(agent, &tree);
    let mut out = String::new();
    for Difference { skill, what } in &outcome.differences {
        let file = tree.items.iter().filter(|item| match item {
            Item::File(path, _) => path == skill || path.ends_with(&format!("/{skill}/SKILL.md")),
            _ => false,
        });
        let only = Tree { items: file.cloned().collect(), ..Tree::default() };
        let listing = only.listing();
        writeln!(out, "{skill}: {what}\n{}", listing.lines().skip(1).collect::<String>()).unwrap();
    }
    let (all, other) = (outcome.skills, outcome.differences.len());
    writeln!(out, "{}: each fault alone: {other} of {all} differ", agent.host.id.word()).unwrap();
    out
}

/// Compares the trees of these seeds, and toggles; differences are shrunk, and what each tree has
/// come to is told, if wanted.
pub(crate) fn run(agent: &Fuzzed, seeds: Range<u64>, corpus: &[Vec<u8>], shrinks: bool) -> Run {
    let (next, run) = (AtomicU64::new(seeds.start), Mutex::new(Run::default()));
    let program = agent.host.id.word();
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= seeds.end {
            break;
        }
        let differ = one(agent, (seed, corpus), &run, shrinks);
        if shrinks {
            let (done, of) = (run.lock().unwrap().trees, seeds.end - seeds.start);
            say(&format!("{program} {done} of {of}: seed {seed}, {differ} differ"));
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(work))));
    Run { program, ..run.into_inner().unwrap() }
}

/// One tree: how many of its skills differ.
fn one(
    agent: &Fuzzed,
    (seed, corpus): (u64, &[Vec<u8>]),
    run: &Mutex<Run>,
    shrinks: bool,
) -> usize {
    let tree = places::tree(agent, seed, corpus);
    let outcome = compare(agent, &tree);
    let toggled = toggle(agent, &tree, seed);
    let differ = outcome.differences.len();
    let mut fresh = Vec::new();
    {
        let mut run = run.lock().unwrap();
        run.trees += 1;
        run.skills += outcome.skills;
        match toggled {
            Toggled::Right => run.toggled += 1,
            Toggled::Refused(why) => run.refused.push(format!("{seed}: {why}")),
            Toggled::Wrong(what) => run.wrong.push(format!("{seed}: {what}\n{}", tree.listing())),
        }
        for difference in &outcome.differences {
            let is_known =
                run.shown.iter().any(|(_, shown, _)| shown.class() == difference.class());
            if shrinks && !is_known && run.shown.len() < SHRUNK {
                fresh.push(difference.clone());
                run.shown.push((seed, difference.clone(), tree.clone()));
            }
        }
        if !outcome.differences.is_empty() {
            run.differing.insert(seed, outcome.differences);
        }
    }
    for difference in fresh {
        let small = shrink(agent, &tree, &difference);
        let mut run = run.lock().unwrap();
        let shown = run.shown.iter_mut().find(|(at, shown, _)| *at == seed && *shown == difference);
        shown.unwrap().2 = small;
    }
    differ
}

fn percent(of: usize, all: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    number(of) * 100.0 / number(all.max(1))
}

impl Run {
    fn different(&self) -> usize {
        self.differing.values().map(Vec::len).sum()
    }

    pub(crate) fn skills_percent(&self) -> f64 {
        percent(self.skills - self.different(), self.skills)
    }

    pub(crate) fn trees_percent(&self) -> f64 {
        percent(self.trees - self.differing.len(), self.trees)
    }

    /// What differs, shrunk where that was done, and the line of the agent.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for (seed, difference, tree) in &self.shown {
            writeln!(out, "seed {seed}: {}: {}", difference.skill, difference.what).unwrap();
            writeln!(out, "{}", tree.listing()).unwrap();
        }
        for (seed, differences) in &self.differing {
            for Difference { skill, what } in differences {
                writeln!(out, "seed {seed}: {skill}: {what}").unwrap();
            }
        }
        self.refused.iter().for_each(|line| writeln!(out, "not toggled, seed {line}").unwrap());
        self.wrong.iter().for_each(|line| writeln!(out, "toggled wrongly, seed {line}").unwrap());
        writeln!(out, "{}", self.line()).unwrap();
        out
    }

    fn line(&self) -> String {
        format!(
            "{}: {} trees, {} skills: {:.1} % of skills and {:.1} % of trees agree; toggles: {} right, {} wrong, {} not possible",
            self.program,
            self.trees,
            self.skills,
            self.skills_percent(),
            self.trees_percent(),
            self.toggled,
            self.wrong.len(),
            self.refused.len()
        )
    }

    fn row(&self, version: &str) -> String {
        format!(
            "| {} | {version} | {} | {} | {:.1} % | {:.1} % | {} of {} |",
            self.program,
            self.trees,
            self.skills,
            self.skills_percent(),
            self.trees_percent(),
            self.toggled,
            self.toggled + self.wrong.len()
        )
    }
}

/// Real skill files, some of each collection; none where there is no corpus.
pub(crate) fn corpus() -> Vec<Vec<u8>> {
    const EACH: usize = 25;
    let entries = |folder: &std::path::Path| {
        let read = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut paths: Vec<_> = read.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let mut found = Vec::new();
    for collection in entries(&corpus_folder()) {
        let mut files = Vec::new();
        let mut waiting = vec![collection];
        while let Some(folder) = waiting.pop().filter(|_| files.len() < EACH) {
            files.extend(fs::read(folder.join("SKILL.md")).ok().map(shortened));
            waiting.extend(entries(&folder).into_iter().rev().filter(|path| path.is_dir()));
        }
        found.extend(files);
    }
    found
}

/// The first lines of a file: opencode prints all of it.
fn shortened(file: Vec<u8>) -> Vec<u8> {
    const MOST: usize = 4_000;
    let end = file.iter().take(MOST).rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if file.len() > MOST { file[..end].to_vec() } else { file }
}

/// With `BLESS` the agent's row is written into the table of the docs.
pub(crate) fn record(agent: &Fuzzed, run: &Run) {
    const MARK: &str = "<!-- differ -->";
    if std::env::var_os("BLESS").is_none() {
        return;
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/agents.md");
    let text = fs::read_to_string(&path).unwrap();
    let parts: Vec<&str> = text.split(MARK).collect();
    let [before, table, after] = parts.as_slice() else { panic!("docs/agents.md lost {MARK}") };
    let row = run.row(agent.host.probe.unwrap().proved);
    let begin = format!("| {} |", run.program);
    let mut rows: Vec<&str> = table.trim().lines().filter(|row| !row.starts_with(&begin)).collect();
    rows.push(&row);
    rows[2..].sort_unstable();
    let table = rows.join("\n");
    fs::write(path, format!("{before}{MARK}\n{table}\n{MARK}{after}")).unwrap();
}
