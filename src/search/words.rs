//! Which skills fit a model's words: by exact path, exact name or its beginning, then by how many
//! of the words are in name and description. Unlike in a person's query, not every word must be
//! found, since a model writes sentences. A word weighs more if fewer skills have it: `spreadsheet`
//! weighs more than `make a`.

use crate::catalog::Skill;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Its index among the skills.
    pub index: usize,
    /// `exact_path`, `exact_name`, `prefix` or `token_overlap`.
    pub reason: &'static str,
    /// How well, from 0 to 1.
    pub score: f64,
}

/// The words of skills' names and descriptions, each with the skills that have it. It is made once
/// for a catalog and is used for every search in it.
#[derive(Debug)]
pub struct WordIndex(HashMap<String, Vec<usize>>);

impl WordIndex {
    /// Of skills with their numbers, by which searches name them.
    pub fn of<'a>(skills: impl Iterator<Item = (usize, &'a Skill)>) -> Self {
        let mut carriers: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, skill) in skills {
            for text in [&skill.name, &skill.description] {
                each_word(text, |word| match carriers.get_mut(word) {
                    Some(known) if known.last() == Some(&index) => {}
                    Some(known) => known.push(index),
                    None => drop(carriers.insert(word.to_owned(), vec![index])),
                });
            }
        }
        Self(carriers)
    }
}

/// The skills that fit, best first; ties are broken by scope, then by path. A relative path begins
/// at `cwd`. Only these skills count, though the index may know more.
pub fn fitting<'a>(
    skills: impl Iterator<Item = (usize, &'a Skill)>,
    index: &WordIndex,
    query: &str,
    cwd: &Path,
) -> Vec<Fit> {
    let skills: Vec<(usize, &Skill)> = skills.collect();
    let exact = Exact::of(query.trim(), cwd);
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

/// How much of the query is in the name and description of each skill; at most 0.8, so that better
/// reasons rank higher. A word weighs from 1, if no skill has it or one of very many, down to nearly
/// 0, if all have it.
fn overlaps(skills: &[(usize, &Skill)], index: &WordIndex, query: &str) -> HashMap<usize, f64> {
    let mut wanted = BTreeSet::new();
    each_word(query, |word| {
        wanted.insert(word.to_owned());
    });
    let all = skills.len() as f64;
    let mut found: HashMap<usize, f64> = skills.iter().map(|(number, _)| (*number, 0.0)).collect();
    for word in &wanted {
        let known = index.0.get(word).map_or(&[][..], Vec::as_slice);
        let carriers: Vec<_> = known.iter().filter(|number| found.contains_key(number)).collect();
        let weight = (1.0 + all / carriers.len().max(1) as f64).ln() / (1.0 + all).ln();
        for number in carriers {
            *found.entry(*number).or_default() += 0.8 * weight / wanted.len() as f64;
        }
    }
    found
}

/// A whole query as a path and as a name.
struct Exact<'q> {
    query: &'q str,
    path: PathBuf,
}

impl<'q> Exact<'q> {
    fn of(query: &'q str, cwd: &Path) -> Self {
        // Without `.` and doubled slashes, as the paths of skills are.
        Self { query, path: cwd.join(query).components().collect() }
    }

    /// Whether it is the skill's path, its name, or the beginning of the name.
    fn fits(&self, skill: &Skill) -> Option<(&'static str, f64)> {
        let path = self.path.as_os_str();
        let rest = begins(&skill.name, self.query);
        match () {
            () if self.query.is_empty() => None,
            () if skill.path.as_os_str() == path || skill.dir().as_os_str() == path => {
                Some(("exact_path", 1.0))
            }
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

/// Gives the words of a text, in lower case. Scripts without spaces between words give each pair of
/// neighbours.
fn each_word(text: &str, mut give: impl FnMut(&str)) {
    let mut word = String::new();
    for run in text.split(|character: char| !character.is_alphanumeric()) {
        word.clear();
        word.extend(run.chars().flat_map(char::to_lowercase));
        if word.is_ascii() {
            if !word.is_empty() {
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

    fn found(skills: &[Skill], query: &str) -> Vec<Fit> {
        let index = WordIndex::of(skills.iter().enumerate());
        fitting(skills.iter().enumerate(), &index, query, Path::new("/"))
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
        assert_eq!(names, ["slides", "git-size", "report"]);
        assert!(found.iter().all(|fit| fit.score < 0.8));
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
        let index = WordIndex::of(skills.iter().enumerate());
        let only = skills.iter().enumerate().skip(1);
        let fits = fitting(only, &index, "report slide", Path::new("/"));
        let alone = WordIndex::of(skills[1..].iter().enumerate());
        let same = fitting(skills[1..].iter().enumerate(), &alone, "report slide", Path::new("/"));
        assert_eq!((fits.len(), fits[0].index), (1, 1));
        assert_eq!(fits[0].score, same[0].score);
    }
}
