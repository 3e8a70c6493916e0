//! Finds the skills that some agent takes for one name, without reading all rows.
//!
//! Agents differ in what a name is: that of the frontmatter or of the folder, with or without case,
//! with a hyphen in place of some characters. So the table has each name in a spelling that is equal
//! whenever any agent sees one name. What it finds are candidates; the caller compares them as the
//! agent does.

use super::Row;
use crate::catalog::Skill;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The rows by the hashes of their names and folders, sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Namesakes(Arc<[(u32, u32)]>);

impl Namesakes {
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut all = Vec::with_capacity(rows.len());
        for (index, row) in (0..).zip(rows) {
            all.extend(hashes(row.skill()).map(|hash| (hash, index)));
        }
        all.sort_unstable();
        all.dedup();
        Self(all.into())
    }

    /// The indexes of the rows with one of these names, in their order.
    pub(super) fn candidates(&self, names: [&str; 2]) -> Vec<usize> {
        let mut found: Vec<usize> =
            names.into_iter().flat_map(|name| self.with(hash(name))).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn with(&self, hash: u32) -> impl Iterator<Item = usize> {
        let start = self.0.partition_point(|(other, _)| *other < hash);
        let same = self.0[start..].iter().take_while(move |(other, _)| *other == hash);
        same.map(|(_, index)| *index as usize)
    }
}

/// The name, and the folder in each place where an agent may find the skill.
fn hashes(skill: &Skill) -> impl Iterator<Item = u32> {
    let folders = skill.locations().filter_map(|place| place.file_name()?.to_str());
    std::iter::once(skill.name.as_str()).chain(folders).map(hash)
}

/// Equal for names that any agent takes for the same.
fn hash(name: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    for letter in name.trim().chars().flat_map(char::to_lowercase) {
        // The lower case of a sigma depends on its place.
        let letter = if letter == 'ς' { 'σ' } else { letter };
        if letter.is_alphanumeric() { letter } else { '-' }.hash(&mut hasher);
    }
    // Two names with one hash only give a candidate too many.
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{row_of, skill};
    use super::*;
    use crate::catalog::Locations;
    use crate::policy::{Evaluation, Fold, Identity};
    use std::path::{Path, PathBuf};

    const NAMES: [&str; 12] =
        ["pdf", "PDF", " pdf ", "a:b", "a-b", "a/b", "ΑΣ", "ας", "ασ", "İ", "i\u{307}", ""];

    #[test]
    fn whatever_an_agent_takes_for_one_name_is_a_candidate() {
        let mut rows = Vec::new();
        for name in NAMES {
            for folder in ["pdf", "A-B", "ΑΣ"] {
                let mut skill = skill(name, "d");
                let places = vec![PathBuf::from("/x").join(folder), PathBuf::from("/y/PDF")];
                skill.locations = Locations::of(places, Path::new("/x"));
                rows.push(row_of(skill));
            }
        }
        let names = Namesakes::of(&rows);
        let plain = Identity::Hyphened(&[':', '/']);
        for identity in [Identity::Name, Identity::Directory, Identity::Plugin, plain] {
            for fold in [Fold::Never, Fold::Switches, Fold::Names] {
                let order = Evaluation { identity, fold, ..Evaluation::AGENTS };
                for skill in rows.iter().map(Row::skill) {
                    let found = names.candidates([&skill.name, &order.name_of(skill)]);
                    let same = |row: &Row| order.key_of(row.skill()) == order.key_of(skill);
                    let missing =
                        (0..rows.len()).find(|at| same(&rows[*at]) && !found.contains(at));
                    assert_eq!(missing, None, "{:?} {identity:?} {fold:?}", skill.name);
                }
            }
        }
    }

    #[test]
    fn other_names_are_no_candidates() {
        let rows: Vec<Row> =
            (0..500).map(|number| row_of(skill(&format!("s{number}"), ""))).collect();
        let names = Namesakes::of(&rows);
        let found = names.candidates(["s7", "s7"]);
        assert!(found.contains(&7) && found.len() < 5, "{found:?}");
    }
}
