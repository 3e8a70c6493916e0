//! Which skills fit a model's words: by exact path, exact name or its beginning, then by the words
//! of name and description. Unlike in a person's query, not every word must be found, since a model
//! writes sentences.
//!
//! Words are compared by their stems (`testing` finds `tests`), without stop words, and are ranked
//! by BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): a word that few
//! skills have weighs more, and so does one in a short description.

use super::stop_words::is_stop_word;
use crate::catalog::Skill;
use rust_stemmers::{Algorithm, Stemmer};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// BM25's `k1`: how soon it no longer matters that a word is there once more.
const SATURATION: f64 = 1.2;
/// BM25's `b`: how much a long description lowers the weight of each of its words.
const LENGTH_SHARE: f64 = 0.75;
/// A word of the name counts as often as so many of the description.
const NAME_TIMES: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Its index among the skills.
    pub index: usize,
    /// `exact_path`, `exact_name`, `prefix` or `token_overlap`.
    pub reason: &'static str,
    /// How well, from 0 to 1.
    pub score: f64,
}

/// The stems of the words in skills' names and descriptions, each with the skills that have it. It
/// is made once for a catalog and is used for every search in it.
#[derive(Debug, Default)]
pub struct WordIndex {
    /// From a stem to its place among the carriers.
    stems: HashMap<String, usize>,
    carriers: Vec<Vec<Carrier>>,
    /// How many words each skill has.
    lengths: HashMap<usize, u32>,
}

/// A skill that has a word, and how often.
#[derive(Debug)]
struct Carrier {
    skill: usize,
    times: u32,
}

impl WordIndex {
    /// The words of the name and the description of each skill. A search names a skill by the number
    /// that they come with.
    pub fn of<'a>(skills: impl Iterator<Item = (usize, [&'a str; 2])>) -> Self {
        let stemmer = stemmer();
        // The words themselves with the places of their stems, since a stem takes long to find.
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut index = Self::default();
        for (number, [name, description]) in skills {
            let mut length = 0;
            for (text, times) in [(name, NAME_TIMES), (description, 1)] {
                each_word(text, |word| {
                    let place = known.get(word).copied().unwrap_or_else(|| {
                        let place = index.place_of(stem(&stemmer, word));
                        known.insert(word.to_owned(), place);
                        place
                    });
                    length += times;
                    match index.carriers[place].last_mut() {
                        Some(last) if last.skill == number => last.times += times,
                        _ => index.carriers[place].push(Carrier { skill: number, times }),
                    }
                });
            }
            index.lengths.insert(number, length);
        }
        index
    }

    fn place_of(&mut self, stem: String) -> usize {
        *self.stems.entry(stem).or_insert_with(|| {
            self.carriers.push(Vec::new());
            self.carriers.len() - 1
        })
    }

    fn carriers(&self, stem: &str) -> &[Carrier] {
        self.stems.get(stem).map_or(&[], |place| self.carriers[*place].as_slice())
    }

    fn length(&self, skill: usize) -> f64 {
        self.lengths.get(&skill).copied().unwrap_or_default().into()
    }
}

/// The skills that fit, best first; ties are broken by scope, then by path. `path` is the query as
/// a path. Only these skills count, though the index may know more.
pub fn fitting<'a>(
    skills: impl Iterator<Item = (usize, &'a Skill)>,
    index: &WordIndex,
    query: &str,
    path: &Path,
) -> Vec<Fit> {
    let skills: Vec<(usize, &Skill)> = skills.collect();
    let exact = Exact::of(query.trim(), path);
    let overlaps = overlaps(&skills, index, query);
    let fit = |(index, skill): &(usize, &'a Skill)| {
        let overlap = || Some(("token_overlap", *overlaps.get(index).filter(|it| **it > 0.0)?));
        let (reason, score) = exact.fits(skill).or_else(overlap)?;
        Some((Fit { index: *index, reason, score }, (skill.scope, &skill.path)))
    };
    let mut fits: Vec<_> = skills.iter().filter_map(fit).collect();
    fits.sort_by(|one, other| {
        other.0.score.total_cmp(&one.0.score).then_with(|| one.1.cmp(&other.1))
    });
    fits.into_iter().map(|(fit, _)| fit).collect()
}

/// How well the words of name and description fit the query, by BM25; at most 0.8, so that better
/// reasons rank higher.
fn overlaps(skills: &[(usize, &Skill)], index: &WordIndex, query: &str) -> HashMap<usize, f64> {
    let stemmer = stemmer();
    let mut wanted = BTreeSet::new();
    each_word(query, |word| {
        wanted.insert(stem(&stemmer, word));
    });
    let all = skills.len() as f64;
    let mean = skills.iter().map(|(number, _)| index.length(*number)).sum::<f64>() / all;
    let mut found: HashMap<usize, f64> = skills.iter().map(|(number, _)| (*number, 0.0)).collect();
    let mut best = 0.0;
    for word in &wanted {
        let known = index.carriers(word).iter();
        let carriers: Vec<_> = known.filter(|it| found.contains_key(&it.skill)).collect();
        let having = carriers.len() as f64;
        let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
        best += rarity;
        for Carrier { skill, times } in carriers {
            let times = f64::from(*times);
            let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * index.length(*skill) / mean;
            *found.entry(*skill).or_default() += rarity * times / (times + SATURATION * length);
        }
    }
    found.values_mut().for_each(|score| *score *= 0.8 / best);
    found
}

fn stemmer() -> Stemmer {
    Stemmer::create(Algorithm::English)
}

/// The stem of a word in lower case. Words in other scripts than Latin have none, and are returned
/// as they are.
fn stem(stemmer: &Stemmer, word: &str) -> String {
    if word.is_ascii() { stemmer.stem(word).into_owned() } else { word.to_owned() }
}

/// A whole query as a path and as a name.
struct Exact<'q> {
    query: &'q str,
    path: PathBuf,
}

impl<'q> Exact<'q> {
    fn of(query: &'q str, path: &Path) -> Self {
        // Without `.` and doubled slashes, as the paths of skills are.
        Self { query, path: path.components().collect() }
    }

    /// Whether it is the skill's path, its name, or the beginning of the name.
    fn fits(&self, skill: &Skill) -> Option<(&'static str, f64)> {
        let rest = begins(&skill.name, self.query.strip_prefix('$').unwrap_or(self.query));
        match () {
            () if self.query.is_empty() => None,
            () if skill.is_at(&self.path) => Some(("exact_path", 1.0)),
            () if rest == Some(true) => Some(("exact_name", 0.95)),
            () if rest.is_some() => Some(("prefix", 0.9)),
            () => None,
        }
    }
}

/// Whether the name is the beginning and nothing else, if it begins so at all; without upper and
/// lower case.
fn begins(name: &str, beginning: &str) -> Option<bool> {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let wanted = beginning.chars().flat_map(char::to_lowercase);
    for letter in wanted {
        if letters.next() != Some(letter) {
            return None;
        }
    }
    Some(letters.next().is_none())
}

/// Gives the words of a text, in lower case and without stop words. Scripts without spaces between
/// words give each pair of neighbours.
fn each_word(text: &str, mut give: impl FnMut(&str)) {
    let mut word = String::new();
    for run in text.split(|character: char| !character.is_alphanumeric()) {
        word.clear();
        word.extend(run.chars().flat_map(char::to_lowercase));
        if word.is_ascii() {
            if !word.is_empty() && !is_stop_word(&word) {
                give(&word);
            }
            continue;
        }
        let characters: Vec<char> = word.chars().collect();
        for part in characters.chunk_by(|one, other| is_unspaced(*one) == is_unspaced(*other)) {
            match part {
                [first, _, _, ..] if is_unspaced(*first) => {
                    part.windows(2).for_each(|pair| give(&String::from_iter(pair)));
                }
                _ => give(&String::from_iter(part)),
            }
        }
    }
}

/// Whether this character's script has no spaces between words: Han and Kana.
fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::fixture::skill;

    fn index(skills: &[Skill]) -> WordIndex {
        WordIndex::of(skills.iter().map(|it| [&*it.name, &*it.description]).enumerate())
    }

    fn found(skills: &[Skill], query: &str) -> Vec<Fit> {
        let index = index(skills);
        fitting(skills.iter().enumerate(), &index, query, &Path::new("/").join(query))
    }

    #[test]
    fn cod_4_3_the_four_reasons() {
        let skills = [
            skill("forms", "Fill a PDF"),
            skill("pdf-tools", ""),
            skill("pdf", ""),
            skill("other", ""),
        ];
        let fits = |query: &str| {
            found(&skills, query)
                .iter()
                .map(|fit| (skills[fit.index].name.as_str(), fit.reason))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            fits("pdf"),
            [("pdf", "exact_name"), ("pdf-tools", "prefix"), ("forms", "token_overlap")]
        );
        let path = skills[3].path.display().to_string();
        assert_eq!(fits(&path)[0], ("other", "exact_path"));
        assert_eq!(fits("$pdf")[0], ("pdf", "exact_name"));
        assert_eq!(fits("please fill it in")[0], ("forms", "token_overlap"));
        assert!(fits("nothing of this").is_empty() && fits("").is_empty());
    }

    #[test]
    fn a_word_that_few_have_says_more_than_those_that_all_have() {
        let skills = [
            skill("git-size", "Make a small repository of a big one."),
            skill("report", "Make a report and a summary"),
            skill("slides", "Writes a presentation"),
        ];
        let found = found(&skills, "make a powerpoint presentation");
        let names: Vec<_> = found.iter().map(|fit| skills[fit.index].name.as_str()).collect();
        assert_eq!(names, ["slides", "report", "git-size"]);
        assert!(found.iter().all(|fit| fit.score < 0.8));
    }

    #[test]
    fn words_are_found_by_their_stems_and_stop_words_find_nothing() {
        let skills = [skill("one", "Optimizes the queries of a database"), skill("two", "The end")];
        for query in ["optimize a query", "optimized", "querying databases", "QUERY"] {
            let found = found(&skills, query);
            assert_eq!(found.iter().map(|fit| fit.index).collect::<Vec<_>>(), [0], "{query}");
        }
        assert!(found(&skills, "the of a I would like to").is_empty());
        assert_eq!(found(&skills, "two")[0].reason, "exact_name");
    }

    #[test]
    fn a_word_of_the_name_or_of_a_short_description_weighs_more() {
        let skills = [
            skill(
                "notes",
                "Keeps a slack of time, among many other things that it does with plans",
            ),
            skill("chat", "Posts to slack"),
            skill("slack-gifs", "Makes pictures"),
        ];
        let order: Vec<_> = found(&skills, "message on slack").iter().map(|it| it.index).collect();
        assert_eq!(order, [2, 1, 0]);
    }

    #[test]
    fn words_without_spaces_between_them_are_found() {
        let forms = [skill("forms", "处理PDF表单，提取文本和表格。")];
        for query in ["pdf", "表单", "PDF表单", "请提取文本"] {
            assert_eq!(found(&forms, query).len(), 1, "{query}");
        }
        assert!(found(&forms, "天气").is_empty());
    }

    #[test]
    fn skills_that_are_not_asked_about_say_nothing_of_a_word() {
        let skills = [skill("one", "Make a report"), skill("two", "Make a slide")];
        let all = index(&skills);
        let only = skills.iter().enumerate().skip(1);
        let fits = fitting(only, &all, "report slide", Path::new("/report slide"));
        let alone = index(&skills[1..]);
        let same = fitting(
            skills[1..].iter().enumerate(),
            &alone,
            "report slide",
            Path::new("/report slide"),
        );
        assert_eq!((fits.len(), fits[0].index), (1, 1));
        assert_eq!(fits[0].score, same[0].score);
    }
}
