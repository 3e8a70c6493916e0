//! Finds the patterns in a page. A pattern is tried only near one of its words, since a search for
//! words is a hundred times faster.

use super::context::Context;
use super::page::{Line, Page};
use super::patterns::{PATTERNS, Pattern, STEPS, Steps};
use super::{Hit, Level, Rule};
use memchr::memmem::Finder;
use regex_lite::{Regex, RegexBuilder};
use std::sync::LazyLock;

/// A longer line is examined around the words only, in parts of this many bytes.
const PART: usize = 4 << 10;

/// A row of the table, ready to be looked for.
struct Ready {
    words: Vec<Finder<'static>>,
    regex: LazyLock<Option<Regex>, Box<dyn FnOnce() -> Option<Regex> + Send>>,
}

impl Ready {
    fn of(words: &'static str, pattern: &'static str) -> Self {
        Self {
            words: words.split(' ').map(Finder::new).collect(),
            regex: LazyLock::new(Box::new(move || build(pattern))),
        }
    }
}

/// A pattern of the table, with the parts that many of them have.
pub(super) fn build(pattern: &str) -> Option<Regex> {
    use super::patterns::{AGENT, COMMAND, INTO_SHELL};
    let pattern =
        pattern.replace("{cmd}", COMMAND).replace("{run}", INTO_SHELL).replace("{agent}", AGENT);
    RegexBuilder::new(&pattern).case_insensitive(true).size_limit(1 << 22).build().ok()
}

static READY: LazyLock<Vec<Ready>> =
    LazyLock::new(|| PATTERNS.iter().map(|row| Ready::of(row.words, row.pattern)).collect());
static FIRST: LazyLock<Vec<Ready>> =
    LazyLock::new(|| STEPS.iter().map(|row| Ready::of(row.words, row.first)).collect());
static THEN: LazyLock<Vec<Ready>> =
    LazyLock::new(|| STEPS.iter().map(|row| Ready::of(row.then_words, row.then)).collect());

/// The text of all lines in lower case. ASCII letters keep their places.
struct Folded<'p> {
    text: Vec<u8>,
    starts: Vec<usize>,
    lines: &'p [Line],
}

impl<'p> Folded<'p> {
    fn of(lines: &'p [Line]) -> Self {
        let mut text = Vec::with_capacity(lines.iter().map(|line| line.text.len() + 1).sum());
        let mut starts = Vec::with_capacity(lines.len());
        for line in lines {
            starts.push(text.len());
            text.extend(line.text.bytes().map(|byte| byte.to_ascii_lowercase()));
            text.push(b'\n');
        }
        Self { text, starts, lines }
    }

    /// The lines with one of the words, and where in the line it is; in order.
    fn near(&self, words: &[Finder<'static>]) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for word in words {
            for at in word.find_iter(&self.text) {
                let line = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
                places.push((line, at - self.starts[line]));
            }
        }
        places.sort_unstable();
        places
    }
}

/// Every line that a pattern fits.
pub(super) fn hits(page: &Page) -> Vec<Hit> {
    let folded = Folded::of(&page.lines);
    let mut found = Vec::new();
    for (row, ready) in PATTERNS.iter().zip(READY.iter()) {
        each(
            &folded,
            ready,
            |line| fits(row, line),
            |line, at, _| {
                found.push(hit(row.rule, line, at));
            },
        );
    }
    for ((row, first), then) in STEPS.iter().zip(FIRST.iter()).zip(THEN.iter()) {
        steps(&folded, row, first, then, &mut found);
    }
    found
}

fn hit(rule: &'static Rule, line: &Line, at: usize) -> Hit {
    let (number, column) = line.place(at);
    (rule, number, column)
}

/// A comment runs nothing, and a row of a table is no pipe; its code is examined by itself.
fn fits(row: &Pattern, line: &Line) -> bool {
    let text = line.text.trim_start();
    let silent = match line.context {
        Context::Shell | Context::Code => {
            row.rule.level == Level::Fact && (text.starts_with("//") || text.starts_with('#'))
        }
        Context::Prose => text.starts_with('|'),
        _ => false,
    };
    !silent && row.within.has(line.context)
}

/// Something is given a name by a line that fits `first`, and a later line of the same block, which
/// fits `then`, uses that name.
fn steps(folded: &Folded, row: &Steps, first: &Ready, then: &Ready, found: &mut Vec<Hit>) {
    let mut named: Vec<(usize, u32, String)> = Vec::new();
    each(
        folded,
        first,
        |line| row.within.has(line.context),
        |line, _, name| {
            named.push((line.block, line.number, name.to_owned()));
        },
    );
    if named.is_empty() {
        return;
    }
    each(
        folded,
        then,
        |line| row.within.has(line.context),
        |line, at, name| {
            let known = named.iter().any(|(block, number, known)| {
                *block == line.block && *number <= line.number && known == name
            });
            if known {
                found.push(hit(row.rule, line, at));
            }
        },
    );
}

/// Calls `take` for the first match in each line that `wanted` admits, with its place and the text
/// of its group.
fn each<'p>(
    folded: &Folded<'p>,
    ready: &Ready,
    wanted: impl Fn(&Line) -> bool,
    mut take: impl FnMut(&'p Line, usize, &str),
) {
    let (mut done, mut examined) = (None, 0);
    let places = folded.near(&ready.words);
    for (nth, (index, at)) in places.iter().copied().enumerate() {
        let line = &folded.lines[index];
        if done == Some(index) || !wanted(line) {
            continue;
        }
        let Some(regex) = &*ready.regex else { return };
        let (from, to) = part(&line.text, at);
        if from > 0 && to <= examined {
            continue;
        }
        examined = to;
        if let Some(captures) = regex.captures(&line.text[from..to])
            && let Some(all) = captures.get(0)
        {
            done = Some(index);
            let mut groups = captures.iter().skip(1).flatten();
            let name = groups.next().map_or("", |name| name.as_str());
            // The match may begin in the line before, with the sign that ends a command.
            let start = from + all.start();
            let mut words = places[nth..].iter().take_while(|(of, _)| *of == index);
            let at = words
                .find(|(_, at)| *at >= start)
                .map_or(start, |(_, at)| *at)
                .min(from + all.end());
            take(line, at, name);
        }
    }
}

/// The bytes to examine for a word at this place: the line, or a part of a long one.
fn part(text: &str, at: usize) -> (usize, usize) {
    if text.len() <= PART {
        return (0, text.len());
    }
    let from = text.floor_char_boundary(at.saturating_sub(PART / 4));
    (from, text.ceil_char_boundary((at + PART - PART / 4).min(text.len())))
}
