//! Rules that are read in an order, as they stand in settings files, and what to change so that
//! they become the wanted ones. What stays is not touched, and keeps its place and its comments.

use crate::catalog::Permission;
use crate::policy::Pattern;
use crate::policy::change::{NewRule, Refusal};
use crate::policy::replay::{found, placed};
use crate::settings::{Edit, Entries, keys};
use std::ops::Range;

/// A rule as it stands; in the order in which the host reads them.
pub(super) enum WrittenRule {
    /// Ours to write: the one of this index in its list.
    Own(usize, NewRule),
    /// One that stays as it is.
    Other(NewRule),
    /// One that the rules screen cannot change, and shows before the others.
    Fixed,
    /// One that allows what we cannot read.
    Unread,
}

impl WrittenRule {
    fn rule(&self) -> Option<&NewRule> {
        match self {
            Self::Own(_, rule) | Self::Other(rule) => Some(rule),
            Self::Fixed | Self::Unread => None,
        }
    }
}

/// What becomes of rules, by their index.
#[derive(Default)]
pub(super) struct Arranged<'a> {
    pub(super) changed: Vec<(usize, &'a NewRule)>,
    pub(super) gone: Vec<usize>,
    /// New rules in their order, and between which others each of them belongs.
    pub(super) new: Vec<(Range<usize>, &'a NewRule)>,
}

/// Finds for each wanted rule the one to keep or change.
pub(super) fn arranged<'a>(written: &[WrittenRule], wanted: &'a [NewRule]) -> Arranged<'a> {
    let readable: Vec<usize> =
        (0..written.len()).filter(|index| written[*index].rule().is_some()).collect();
    let rules: Vec<NewRule> =
        readable.iter().filter_map(|index| written[*index].rule().cloned()).collect();
    let is_sound = |(place, new): (&Option<usize>, &NewRule)| {
        place.is_none_or(|place| {
            matches!(written[readable[place]], WrittenRule::Own(..)) || rules[place] == *new
        })
    };
    let mut places = placed(&rules, wanted, NewRule::is_about);
    if !places.iter().zip(wanted).all(is_sound) {
        // What stays as it is becomes no other rule.
        places = found(&rules, wanted, |_, _| false);
    }
    let places: Vec<Option<usize>> =
        places.into_iter().map(|place| place.map(|place| readable[place])).collect();
    let mut arranged = Arranged::default();
    for (at, rule) in wanted.iter().enumerate() {
        match places[at] {
            Some(place) if written[place].rule() == Some(rule) => {}
            Some(place) => arranged.changed.push((place, rule)),
            None => {
                let above = places[..at].iter().rev().flatten().next();
                let below = places[at..].iter().flatten().next();
                let start = above.map_or(0, |above| above + 1);
                arranged.new.push((start..below.copied().unwrap_or(written.len()), rule));
            }
        }
    }
    let is_gone = |index: &usize| {
        matches!(written[*index], WrittenRule::Own(..)) && !places.contains(&Some(*index))
    };
    arranged.gone = (0..written.len()).filter(is_gone).collect();
    arranged
}

/// Before which rule a new one goes, where the first that matches decides: after those that are
/// shown before all others. Error: what it would come after is not known to let it have its effect.
pub(super) fn place(
    written: &[WrittenRule],
    (between, rule): &(Range<usize>, &NewRule),
) -> Result<usize, usize> {
    let is_fixed = |index: &usize| matches!(written[*index], WrittenRule::Fixed);
    let place = between.clone().rev().find(is_fixed).map_or(between.start, |fixed| fixed + 1);
    let is_unread = |index: &usize| matches!(written[*index], WrittenRule::Unread);
    match (between.start..place).find(is_unread) {
        Some(unread) if rule.effect != Permission::Allow => Err(unread),
        _ => Ok(place),
    }
}

/// A list of rules that are tables.
pub(super) struct List<'a> {
    pub(super) path: &'a [&'a str],
    /// The key that says what a rule is about; without it, about every skill.
    pub(super) pattern: &'a str,
}

impl List<'_> {
    /// The edits of the rules that change or go, and of new ones, each before the one of its index.
    /// `table` makes the table of a rule that changes.
    pub(super) fn rewritten(
        &self,
        written: &[WrittenRule],
        arranged: &Arranged<'_>,
        mut new: Vec<(usize, Entries)>,
        table: impl Fn(usize, &NewRule) -> Result<Entries, Refusal>,
    ) -> Result<Vec<Edit>, Refusal> {
        let own = |at: &usize| match &written[*at] {
            WrittenRule::Own(index, rule) => Some((*index, rule)),
            _ => None,
        };
        let mut gone: Vec<usize> = arranged.gone.iter().filter_map(own).map(|own| own.0).collect();
        let mut edits = Vec::new();
        for (at, rule) in &arranged.changed {
            let Some((index, old)) = own(at) else { continue };
            let mut entries = table(*at, rule)?;
            let is_same = old.pattern == rule.pattern;
            if !is_same && rule.pattern == Pattern::Any {
                gone.push(index);
                new.push((index, entries));
                continue;
            }
            // What is the same stays as it is written.
            entries.retain(|(key, _)| !is_same || key != self.pattern);
            edits.push(Edit::SetElement { array: keys(self.path), index, entries });
        }
        let gone = gone.into_iter().map(|index| (index, Edit::remove_element(self.path, index)));
        let new = new.into_iter().rev().map(|(index, entries)| {
            (index, Edit::InsertTable { array: keys(self.path), index, entries })
        });
        let mut moved: Vec<(usize, Edit)> = gone.chain(new).collect();
        // From the end, so that the indices before stay right.
        moved.sort_by_key(|(index, _)| std::cmp::Reverse(*index));
        edits.extend(moved.into_iter().map(|(_, edit)| edit));
        Ok(edits)
    }
}
