//! Many switches in one edit of the settings. One by one, each of them reads, edits and judges
//! whole files again, which takes minutes for a thousand skills.

use super::draft::Draft;
use super::goal;
use super::target::Attempt;
use crate::catalog::{Enablement, Skill};
use crate::hosts::{Candidate, FileEdit};
use crate::policy::Policy;
use crate::settings::Edit;
use crate::workspace::HostContext;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

impl Draft<'_> {
    /// Switches those of these entries for which the best edits do not depend on each other and
    /// reach all that is wanted. Returns the others, which are to be switched one by one.
    pub(super) fn switch_together(
        &mut self,
        host: usize,
        entries: &[usize],
        to: Enablement,
        names: Option<&BTreeSet<String>>,
    ) -> Vec<usize> {
        let best = |entry: &usize| {
            let skill = self.taken(host, *entry)?;
            let (state, offer) = self.offer_of(host, *entry, skill, to, names).ok()?;
            let HostContext { host: row, policy, .. } = &self.after[host];
            let is_so = goal::has_state(row, policy, skill, state).is_ok();
            Some((*entry, skill, state, if is_so { Candidate::new() } else { offer.best()? }))
        };
        let offered: Vec<_> = entries.iter().filter_map(best).collect();
        let candidates = offered.iter().map(|(.., candidate)| candidate.clone());
        let row = self.after[host].host;
        let reached = |policy: &Policy| {
            let has = |(_, skill, state, _): &(_, &Arc<Skill>, _, _)| {
                goal::has_state(row, policy, skill, *state)
            };
            offered.iter().try_for_each(has)
        };
        let made = merged(candidates).filter(|_| offered.len() > 1).is_some_and(|edits| {
            let places: Vec<_> = edits.iter().map(|edit| edit.location.clone()).collect();
            matches!(self.attempt(host, edits, &places, &reached), Ok(Attempt::Made))
        });
        let done: HashSet<usize> = offered.iter().map(|(entry, ..)| *entry).collect();
        entries.iter().copied().filter(|entry| !(made && done.contains(entry))).collect()
    }
}

/// The edits of all of these, file by file; `None` if one would change what another one changes, or
/// where it finds it.
fn merged(candidates: impl Iterator<Item = Candidate>) -> Option<Candidate> {
    let mut files: Vec<FileEdit> = Vec::new();
    for FileEdit { location, edits } in candidates.flatten() {
        match files.iter_mut().find(|file| file.location.path == location.path) {
            Some(file) => file.edits.extend(edits),
            None => files.push(FileEdit { location, edits }),
        }
    }
    for file in &mut files {
        file.edits = independent(std::mem::take(&mut file.edits))?;
    }
    Some(files)
}

/// These edits, equal ones once, in an order in which each index still means its element; `None` if
/// there is no such order, or if two change one thing.
fn independent(edits: Vec<Edit>) -> Option<Vec<Edit>> {
    let mut known = HashSet::new();
    let mut keys: HashSet<Vec<String>> = HashSet::new();
    let mut elements = HashSet::new();
    let (mut others, mut removed) = (Vec::new(), Vec::new());
    for edit in edits.into_iter().filter(|edit| known.insert(edit.clone())) {
        let is_alone = match &edit {
            Edit::Set { table, key, .. }
            | Edit::SetLast { table, key, .. }
            | Edit::Replace { table, key, .. }
            | Edit::Remove { table, key } => keys.insert(path_of(table, key)),
            Edit::SetElement { array, index, .. } | Edit::RemoveElement { array, index } => {
                elements.insert((array.clone(), *index))
            }
            Edit::PushTable { .. } | Edit::PushElement { .. } | Edit::RemoveValue { .. } => true,
            Edit::InsertTable { .. } | Edit::Rename { .. } => false,
        };
        if !is_alone {
            return None;
        }
        match edit {
            Edit::RemoveElement { array, index } => removed.push((Reverse(index), array)),
            edit => others.push(edit),
        }
    }
    let is_moved = others.iter().any(|edit| match edit {
        Edit::RemoveValue { array, .. } => elements.iter().any(|(counted, _)| counted == array),
        Edit::Remove { table, key } | Edit::Replace { table, key, .. } => {
            let gone = path_of(table, key);
            keys.iter().any(|key| key.len() > gone.len() && key.starts_with(&gone))
        }
        _ => false,
    });
    removed.sort();
    let removed =
        removed.into_iter().map(|(Reverse(index), array)| Edit::RemoveElement { array, index });
    (!is_moved).then(|| others.into_iter().chain(removed).collect())
}

fn path_of(table: &[String], key: &str) -> Vec<String> {
    table.iter().cloned().chain([key.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remove(index: usize) -> Edit {
        Edit::RemoveElement { array: vec!["list".to_owned()], index }
    }

    fn set(table: &[&str], key: &str, value: bool) -> Edit {
        let table = table.iter().map(|key| (*key).to_owned()).collect();
        Edit::Set { table, key: key.to_owned(), value: value.into() }
    }

    #[test]
    fn an_index_means_its_element_to_the_end() {
        let all = independent(vec![remove(1), set(&[], "a", true), remove(4), remove(1)]);
        assert_eq!(all, Some(vec![set(&[], "a", true), remove(4), remove(1)]));
        let value = Edit::RemoveValue { array: vec!["list".to_owned()], value: true.into() };
        assert_eq!(independent(vec![remove(1), value]), None);
        let array = vec!["list".to_owned()];
        let insert = Edit::InsertTable { array, index: 0, entries: Vec::new() };
        assert_eq!(independent(vec![insert]), None);
    }

    #[test]
    fn two_edits_of_one_thing_are_not_made_together() {
        assert_eq!(independent(vec![set(&["t"], "a", true), set(&["t"], "a", false)]), None);
        let both = vec![set(&["t"], "a", true), set(&["t"], "b", false)];
        assert_eq!(independent(both.clone()), Some(both));
        let gone = Edit::Remove { table: Vec::new(), key: "t".to_owned() };
        assert_eq!(independent(vec![gone.clone(), set(&["t"], "a", true)]), None);
        let both = vec![gone, set(&["u"], "a", true)];
        assert_eq!(independent(both.clone()), Some(both));
    }
}
