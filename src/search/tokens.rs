//! Which skills fit a model's words: by exact path, exact name or its beginning, then by how many
//! of the words are in name and description. Unlike in a person's query, not every word must be
//! found, since a model writes sentences. A word weighs more if fewer skills have it: `spreadsheet`
//! weighs more than `make a`.

use crate::catalog::Skill;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Its index among the skills.
    pub index: usize,
    /// `exact_path`, `exact_name`, `prefix` or `token_overlap`.
    pub reason: &'static str,
    /// How well, from 0 to 1.
    pub score: f64,
}

/// The skills that fit, best first; ties are broken by scope, then by path. A relative path begins
/// at `cwd`.
pub fn fitting<'a>(
    skills: impl Iterator<Item = (usize, &'a Skill)>,
    query: &str,
    cwd: &Path,
) -> Vec<Fit> {
    let query = query.trim();
    let (skills, known): (Vec<_>, Vec<_>) =
        skills.map(|(index, skill)| ((index, skill), words_of(skill))).unzip();
    let wanted = Wanted::of(query, &known);
    let fit = |((index, skill), known): ((usize, &'a Skill), &BTreeSet<String>)| {
        let (reason, score) = exactly(skill, query, cwd).or_else(|| wanted.overlap(known))?;
        Some((Fit { index, reason, score }, (skill.scope, &skill.path)))
    };
    let mut fits: Vec<_> = skills.into_iter().zip(&known).filter_map(fit).collect();
    fits.sort_by(|one, other| {
        other.0.score.total_cmp(&one.0.score).then_with(|| one.1.cmp(&other.1))
    });
    fits.into_iter().map(|(fit, _)| fit).collect()
}

/// Whether the whole query is the skill's path, its name, or the beginning of the name.
fn exactly(skill: &Skill, query: &str, cwd: &Path) -> Option<(&'static str, f64)> {
    let path = cwd.join(query);
    let (name, text) = (skill.name.to_lowercase(), query.to_lowercase());
    match () {
        () if query.is_empty() => None,
        () if skill.path == path || skill.dir() == path => Some(("exact_path", 1.0)),
        () if name == text => Some(("exact_name", 0.95)),
        () if name.starts_with(&text) => Some(("prefix", 0.9)),
        () => None,
    }
}

/// The words of a query, each with its weight.
struct Wanted(BTreeMap<String, f64>);

impl Wanted {
    /// Weighs the words: from 1 if no skill has it, or one of very many, down to nearly 0 if all
    /// have it.
    fn of(query: &str, known: &[BTreeSet<String>]) -> Self {
        let all = known.len() as f64;
        let weigh = |word: String| {
            let carriers = known.iter().filter(|known| known.contains(&word)).count().max(1);
            (word, (1.0 + all / carriers as f64).ln() / (1.0 + all).ln())
        };
        Self(words(query).into_iter().map(weigh).collect())
    }

    /// How much of the query is in name and description; at most 0.8, so that better reasons rank
    /// higher.
    fn overlap(&self, known: &BTreeSet<String>) -> Option<(&'static str, f64)> {
        let found: f64 =
            self.0.iter().filter(|(word, _)| known.contains(*word)).map(|(_, weight)| weight).sum();
        (found > 0.0).then(|| ("token_overlap", 0.8 * found / self.0.len() as f64))
    }
}

fn words_of(skill: &Skill) -> BTreeSet<String> {
    let mut all = words(&skill.name);
    all.extend(words(&skill.description));
    all
}

/// The words of a text, in lower case. Scripts without spaces between words give each pair of
/// neighbours.
fn words(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for run in text.split(|character: char| !character.is_alphanumeric()) {
        let characters: Vec<char> = run.chars().flat_map(char::to_lowercase).collect();
        for part in characters.chunk_by(|one, other| is_unspaced(*one) == is_unspaced(*other)) {
            match part {
                [first, _, _, ..] if is_unspaced(*first) => {
                    all.extend(part.windows(2).map(String::from_iter))
                }
                _ => drop(all.insert(String::from_iter(part))),
            }
        }
    }
    all
}

/// Whether this character's script has no spaces between words: Han and Kana.
fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::fixture::skill;

    #[test]
    fn cod_4_3_the_four_reasons() {
        let skills = [
            skill("forms", "Fill a PDF"),
            skill("pdf-tools", ""),
            skill("pdf", ""),
            skill("other", ""),
        ];
        let fits = |query: &str| {
            let found = fitting(skills.iter().enumerate(), query, Path::new("/"));
            found
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
        let found =
            fitting(skills.iter().enumerate(), "make a powerpoint presentation", Path::new("/"));
        let names: Vec<_> = found.iter().map(|fit| skills[fit.index].name.as_str()).collect();
        assert_eq!(names, ["slides", "git-size", "report"]);
        assert!(found.iter().all(|fit| fit.score < 0.8));
    }

    #[test]
    fn words_without_spaces_between_them_are_found() {
        let forms = [skill("forms", "处理PDF表单，提取文本和表格。")];
        for query in ["pdf", "表单", "PDF表单", "请提取文本"] {
            assert_eq!(
                fitting(forms.iter().enumerate(), query, Path::new("/")).len(),
                1,
                "{query}"
            );
        }
        assert!(fitting(forms.iter().enumerate(), "天气", Path::new("/")).is_empty());
    }
}
