//! Lists of rules before and after a change: which rule is which, and the three-way merge of a
//! change with what another program wrote meanwhile.

use super::change::NewRule;

impl NewRule {
    /// Whether both are about the same calls, whatever they say of them.
    pub fn is_about(&self, other: &Self) -> bool {
        (self.tool, &self.runs) == (other.tool, &other.runs)
            && (&self.pattern, &self.bound) == (&other.pattern, &other.bound)
    }
}

/// For each new rule its old one: the equal one, else one about the same calls. Order counts: a
/// rule that was moved counts as new.
pub fn found<T: PartialEq>(
    old: &[T],
    new: &[T],
    is_about: impl Fn(&T, &T) -> bool,
) -> Vec<Option<usize>> {
    let same = |(old, new): &(&T, &T)| old == new;
    let head = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut next = head;
    let mut between = |rule: &T| {
        let rest = &old[next..old_end];
        let place = rest.iter().position(|old| old == rule);
        let place = place.or_else(|| rest.iter().position(|old| is_about(old, rule)))? + next;
        next = place + 1;
        Some(place)
    };
    let middle: Vec<_> = new[head..new_end].iter().map(&mut between).collect();
    (0..head).map(Some).chain(middle).chain((old_end..old.len()).map(Some)).collect()
}

/// Like [`found`], but a new rule between two kept ones takes the place of a removed one there: its
/// pattern was edited.
pub fn placed<T: PartialEq>(
    old: &[T],
    new: &[T],
    is_about: impl Fn(&T, &T) -> bool,
) -> Vec<Option<usize>> {
    let mut places = found(old, new, is_about);
    let mut free = 0;
    for at in 0..places.len() {
        let end = places[at..].iter().flatten().next().copied().unwrap_or(old.len());
        if places[at].is_none() && free < end {
            places[at] = Some(free);
        }
        free = places[at].map_or(free, |place| place + 1);
    }
    places
}

/// A rule of a merged list: the one at this index in the list as it is now, or as it is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergedRule {
    Now(usize),
    Wanted(usize),
}

/// A three-way merge: the person's change from the `shown` rules to the `wanted` ones, made to the
/// rules as they are `now`. What another program wrote meanwhile stays, unless both changed the
/// same rule: then the person's word counts.
pub fn merged_rules<T: PartialEq>(
    (shown, wanted): (&[T], &[T]),
    now: &[T],
    is_about: impl Fn(&T, &T) -> bool,
) -> Vec<MergedRule> {
    let wanted_to_shown = placed(shown, wanted, &is_about);
    let now_to_shown = kept(shown, now, &is_about);
    let is_edit = |at: &usize| wanted_to_shown[*at].is_none_or(|old| shown[old] != wanted[*at]);
    let mut edits: Vec<usize> = (0..wanted.len()).filter(is_edit).collect();
    let mut merged = Vec::new();
    for (index, rule) in now.iter().enumerate() {
        let edits_it = |at: &usize| match now_to_shown[index] {
            Some(old) => wanted_to_shown[*at] == Some(old),
            None => is_about(&wanted[*at], rule),
        };
        // What a person removed goes, unless it says something else by now.
        let is_removed = |old: usize| shown[old] == *rule && !wanted_to_shown.contains(&Some(old));
        if let Some(edit) = edits.iter().position(edits_it) {
            merged.push(MergedRule::Wanted(edits.remove(edit)));
        } else if !now_to_shown[index].is_some_and(is_removed) {
            merged.push(MergedRule::Now(index));
        }
    }
    insert(&mut merged, edits, &wanted_to_shown, &now_to_shown);
    merged
}

/// For each rule as it is now the one that was shown, also if it was moved.
fn kept<T: PartialEq>(
    shown: &[T],
    now: &[T],
    is_about: impl Fn(&T, &T) -> bool,
) -> Vec<Option<usize>> {
    let mut kept = found(shown, now, is_about);
    for (index, rule) in now.iter().enumerate() {
        let mut same = (0..shown.len()).filter(|old| shown[*old] == *rule);
        let moved = same.find(|old| !kept.contains(&Some(*old)));
        kept[index] = kept[index].or(moved);
    }
    kept
}

/// Inserts the edits that stand for no rule of now before the rule that they stood before.
fn insert(
    merged: &mut Vec<MergedRule>,
    edits: Vec<usize>,
    wanted_to_shown: &[Option<usize>],
    now_to_shown: &[Option<usize>],
) {
    for at in edits.into_iter().rev() {
        let is_it = |rule: &MergedRule, after: usize| match rule {
            MergedRule::Wanted(other) => *other == after,
            MergedRule::Now(index) => {
                now_to_shown[*index].is_some() && now_to_shown[*index] == wanted_to_shown[after]
            }
        };
        let mut after = at + 1..wanted_to_shown.len();
        let place = after.find_map(|after| merged.iter().position(|rule| is_it(rule, after)));
        merged.insert(place.unwrap_or(merged.len()), MergedRule::Wanted(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules as `a-` (deny), `a?` (ask) and `a+` (allow).
    fn list(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    fn about(one: &&str, other: &&str) -> bool {
        one[..1] == other[..1]
    }

    #[test]
    fn a_rule_is_found_again_by_what_it_is_about_and_in_its_order() {
        for (old, new, expected) in [
            ("a- b- c-", "a- b? c-", [Some(0), Some(1), Some(2)].to_vec()),
            ("a- a+", "a+", vec![Some(1)]),
            ("a- a+ c-", "a? a+ c-", vec![Some(0), Some(1), Some(2)]),
            ("a- b-", "b- a-", vec![Some(1), None]),
            ("a- b-", "a- x- b-", vec![Some(0), None, Some(1)]),
            ("", "a-", vec![None]),
        ] {
            assert_eq!(found(&list(old), &list(new), about), expected, "{old}: {new}");
        }
        for (old, new, expected) in [
            ("a- b- c-", "a- x- c-", vec![Some(0), Some(1), Some(2)]),
            ("a- b-", "x- y- z-", vec![Some(0), Some(1), None]),
            ("a- b-", "b- a-", vec![Some(1), None]),
            ("a- b- c-", "x- c-", vec![Some(0), Some(2)]),
        ] {
            assert_eq!(placed(&list(old), &list(new), about), expected, "{old}: {new}");
        }
    }

    #[test]
    fn a_change_is_made_on_top_of_what_was_written_meanwhile() {
        for (shown, wanted, now, expected) in [
            // Nothing was written meanwhile.
            ("a- b-", "a? b- c-", "a- b-", "a? b- c-"),
            ("a- b-", "", "a- b-", ""),
            // A rule came, went, was changed, was moved.
            ("a-", "a?", "a- b-", "a? b-"),
            ("a-", "a?", "b- a-", "b- a?"),
            ("a- b-", "a? b-", "a-", "a?"),
            ("a- b-", "a? b-", "a- b+", "a? b+"),
            ("a- b-", "a? b-", "b- a-", "b- a?"),
            ("a-", "", "a- b-", "b-"),
            ("a- b-", "b-", "b- a-", "b-"),
            ("a-", "a- c-", "a- b-", "a- b- c-"),
            ("a- b-", "x- a- b-", "n- a- b-", "n- x- a- b-"),
            ("a- b-", "x- b-", "a- n- b-", "x- n- b-"),
            // Both changed, added, or removed the same rule.
            ("a-", "a?", "a+", "a?"),
            ("a-", "a- c-", "a- c-", "a- c-"),
            ("a-", "a- c-", "a- c+", "a- c-"),
            ("a- b-", "b-", "b-", "b-"),
            // One removed what the other changed.
            ("a- b-", "a- b?", "a-", "a- b?"),
            ("a- b-", "a-", "a- b+", "a- b+"),
        ] {
            let (wanted, now) = (list(wanted), list(now));
            let all = merged_rules((&list(shown), &wanted), &now, about);
            let rules: Vec<&str> = all
                .into_iter()
                .map(|one| match one {
                    MergedRule::Now(index) => now[index],
                    MergedRule::Wanted(index) => wanted[index],
                })
                .collect();
            assert_eq!(rules, list(expected), "{shown}: {wanted:?} on {now:?}");
        }
    }
}
