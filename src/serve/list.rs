//! Which skills fit a model's words (COD-5.5): the exact path, the exact name, a name that begins so, then by how many of
//! the words stand in name and description. Unlike a person's query, not every word must be found.

use crate::policy::Entry;
use crate::workspace::View;
use std::collections::BTreeSet;
use std::path::Path;

/// A skill that fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// Its index in the view.
    pub(super) index: usize,
    /// `exact_path`, `exact_name`, `prefix` or `tokens`.
    pub(super) reason: &'static str,
    /// How well, from 0 to 1.
    pub(super) score: f64,
}

/// Those of `among` that fit, best first; ties by scope, then path (COD-5.5b).
pub(super) fn fitting(view: &View, among: &[usize], query: &str, cwd: &Path) -> Vec<Fit> {
    let query = query.trim();
    let wanted = words(query);
    let fit = |index: &usize| {
        let entry = view.entries.get(*index)?;
        let (reason, score) = judge(entry, query, (&wanted, cwd))?;
        Some(Fit { index: *index, reason, score })
    };
    let mut fits: Vec<Fit> = among.iter().filter_map(fit).collect();
    fits.sort_by(|one, other| {
        let place = |fit: &Fit| view.entries.get(fit.index).map(|entry| (entry.skill.scope, &entry.skill.path));
        other.score.total_cmp(&one.score).then_with(|| place(one).cmp(&place(other)))
    });
    fits
}

fn judge(entry: &Entry, query: &str, (wanted, cwd): (&BTreeSet<String>, &Path)) -> Option<(&'static str, f64)> {
    let skill = &entry.skill;
    let path = cwd.join(query);
    if !query.is_empty() && (skill.path == path || skill.dir() == path) {
        return Some(("exact_path", 1.0));
    }
    let (name, query) = (skill.name.to_lowercase(), query.to_lowercase());
    if name == query {
        return Some(("exact_name", 0.95));
    }
    if !query.is_empty() && name.starts_with(&query) {
        return Some(("prefix", 0.9));
    }
    let known: BTreeSet<String> = words(&name).union(&words(&skill.description)).cloned().collect();
    let found = wanted.iter().filter(|word| known.contains(*word)).count();
    // At most 0.8, so that the order of the reasons holds.
    (found > 0).then(|| ("tokens", 0.8 * found as f64 / wanted.len() as f64))
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
