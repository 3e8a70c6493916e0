//! A person who knows a skill finds it by a few of its words, at least as often as a ranking by BM25
//! over name, description and body does; and by its name with one typing error. The figures are in
//! `docs/performance.md`.

use crate::corpus::corpus;
use crate::support::skipped;
use skillpick::catalog::{Hidden, HostId, Root, Scope, Skill, Walk};
use skillpick::listing::{Row, Rows};
use skillpick::policy::{Entry, Policy};
use skillpick::scan::{Options, scan};
use skillpick::search::{Context, Query, rank};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A query has so many words of a skill's name and description.
const WORDS: usize = 3;
/// They are drawn from so many that the fewest other skills have.
const TELLING: usize = 8;
/// Who finds a skill looks at so many rows.
const LOOKED_AT: usize = 10;

/// Numbers that are always the same for one seed (xorshift).
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric());
    parts.filter(|word| word.chars().count() > 2).map(str::to_lowercase)
}

/// The collection as the picker has it, and as BM25 has it.
struct Collection {
    rows: Rows,
    /// For each skill, how often each word is in name, description and body.
    bags: Vec<HashMap<String, f64>>,
    /// How many words each skill has, as a share of the mean.
    lengths: Vec<f64>,
    /// How many skills have a word.
    carriers: HashMap<String, f64>,
}

impl Collection {
    fn read() -> Option<Self> {
        let folder = corpus();
        if !folder.is_dir() {
            skipped("the search for known skills: there is no collection (`just corpus DIR`)");
            return None;
        }
        let walk = Walk { hidden: Hidden::Entered, depth: 64, ..Walk::STANDARD };
        let root = Root::new(folder, Scope::User, HostId::AGENTS, walk);
        let skills = scan(&[root], &Options::default(), |_| {}).skills;
        let policy = Policy::default();
        let entry = |skill: &Arc<Skill>| Row::new(Entry::alone(Arc::clone(skill), &policy));
        let offered = skills.iter().filter(|skill| skill.offerable());
        let rows = Rows::new(offered.map(entry).collect());
        let bag = |row: &Row| {
            // The frontmatter is in the file, and counts once.
            let text =
                String::from_utf8_lossy(&std::fs::read(&row.skill().path).unwrap()).into_owned();
            let mut bag = HashMap::new();
            words(&text).for_each(|word| *bag.entry(word).or_default() += 1.0);
            bag
        };
        let bags: Vec<HashMap<String, f64>> = rows.iter().map(bag).collect();
        let lengths: Vec<f64> = bags.iter().map(|bag| bag.values().sum()).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        let lengths = lengths.into_iter().map(|length| length / mean).collect();
        let mut carriers = HashMap::new();
        for word in bags.iter().flat_map(HashMap::keys) {
            *carriers.entry(word.clone()).or_default() += 1.0;
        }
        Some(Self { rows, bags, lengths, carriers })
    }

    /// What somebody may remember of a skill; `None` if it has too few words.
    fn query(&self, skill: &Skill, draw: &mut Draw) -> Option<String> {
        let text = format!("{} {}", skill.name, skill.description);
        let distinct: BTreeSet<String> = words(&text).collect();
        let known = |word: &String| self.carriers.get(word).copied().unwrap_or(1.0);
        let mut telling: Vec<String> = distinct.into_iter().collect();
        telling.sort_by(|one, other| known(one).total_cmp(&known(other)).then(one.cmp(other)));
        telling.truncate(TELLING);
        if telling.len() < WORDS {
            return None;
        }
        let drawn: Vec<String> =
            (0..WORDS).map(|_| telling.swap_remove(draw.below(telling.len()))).collect();
        Some(drawn.join(" "))
    }

    /// The rows by BM25, with its usual constants.
    fn by_bm25(&self, query: &str) -> Vec<usize> {
        let count = self.bags.len() as f64;
        let wanted: Vec<String> = words(query).collect();
        let score = |(bag, length): (&HashMap<String, f64>, &f64)| -> f64 {
            let share = 0.25 + 0.75 * length;
            let of = |word: &String| {
                let (times, has) = (bag.get(word).copied()?, self.carriers[word]);
                let weight = ((count - has + 0.5) / (has + 0.5) + 1.0).ln();
                Some(weight * times * 2.2 / (times + 1.2 * share))
            };
            wanted.iter().filter_map(of).sum()
        };
        let mut scores: Vec<(f64, usize)> =
            self.bags.iter().zip(&self.lengths).map(score).zip(0..).collect();
        scores.retain(|(score, _)| *score > 0.0);
        scores.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        scores.into_iter().map(|(_, index)| index).collect()
    }

    /// The rows as the picker has them, before bodies are searched.
    fn by_picker(&self, query: &str) -> Vec<usize> {
        let hits = rank(&self.rows, &Query::parse(query), &Context::PLAIN);
        hits.into_iter().map(|hit| hit.index as usize).collect()
    }

    /// At which place a skill or a copy of it is found.
    fn place(&self, found: &[usize], skill: &Skill) -> Option<usize> {
        let is_it = |index: &usize| {
            let other = self.rows[*index].skill();
            other.name == skill.name && other.description == skill.description
        };
        found.iter().take(LOOKED_AT).position(is_it)
    }
}

#[derive(Default)]
struct Found {
    first: usize,
    looked_at: usize,
}

impl Found {
    fn add(&mut self, place: Option<usize>) {
        self.first += usize::from(place == Some(0));
        self.looked_at += usize::from(place.is_some());
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the figures are quoted")]
fn a_known_skill_is_found_by_three_of_its_words_at_least_as_often_as_by_bm25() {
    let Some(collection) = Collection::read() else { return };
    let (mut ours, mut theirs, mut asked) = (Found::default(), Found::default(), 0);
    let mut missed = BTreeMap::new();
    let mut draw = Draw(0x5eed);
    for row in collection.rows.iter() {
        let skill = row.skill();
        let Some(query) = collection.query(skill, &mut draw) else { continue };
        asked += 1;
        let (our, their) = (collection.by_picker(&query), collection.by_bm25(&query));
        let (our, their) = (collection.place(&our, skill), collection.place(&their, skill));
        ours.add(our);
        theirs.add(their);
        if our.is_none_or(|our| their.is_some_and(|their| our > their)) {
            missed.insert(query, (skill.name.clone(), our, their));
        }
    }
    println!("{asked} queries: first {} and BM25 {}", ours.first, theirs.first);
    println!("among {LOOKED_AT}: {} and BM25 {}", ours.looked_at, theirs.looked_at);
    println!("worse than BM25: {missed:#?}");
    assert!(asked > 0 && ours.first >= theirs.first, "{} of {}", ours.first, theirs.first);
    assert!(ours.looked_at >= theirs.looked_at, "{} of {}", ours.looked_at, theirs.looked_at);
}

#[test]
#[allow(clippy::print_stdout, reason = "the figures are quoted")]
fn a_name_with_one_typing_error_is_found() {
    let Some(collection) = Collection::read() else { return };
    let mut draw = Draw(0x7e57);
    let (mut asked, mut missed) = (0, BTreeMap::new());
    for row in collection.rows.iter() {
        let name = row.skill().name.trim();
        // Shorter ones are other words with one letter changed.
        if !name.is_ascii() || name.len() < 6 {
            continue;
        }
        asked += 1;
        let typed = mistyped(name, &mut draw);
        let place = collection.place(&collection.by_picker(&typed), row.skill());
        if place.is_none() {
            missed.insert(typed, name.to_owned());
        }
    }
    println!("{} of {asked} mistyped are not found: {missed:#?}", missed.len());
    // Where ten other names have the letters in their order, the one with the error comes later.
    assert!(asked > 0 && missed.len() * 1_000 <= asked, "{} of {asked}", missed.len());
}

/// With one letter left out, doubled, replaced, or in the place of the next one.
fn mistyped(name: &str, draw: &mut Draw) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let at = 1 + draw.below(letters.len() - 2);
    match draw.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters[at] = char::from(b'a' + u8::try_from(draw.below(26)).unwrap()),
        _ => letters.swap(at - 1, at),
    }
    letters.into_iter().collect()
}
