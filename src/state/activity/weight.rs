//! What is kept of the log when there is no room for all of it.

use super::{CallSummary, lines};
use crate::catalog::CallKind;
use std::cmp::Reverse;
use std::collections::HashSet;

/// What a line weighs. Calls of one weight push out older ones of the same weight and lighter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// A client can have as many of them as it likes; so can whoever writes what is no call.
    Refused,
    Read,
    Loaded,
    /// What had effects, and what a person has said.
    Run,
}

impl Weight {
    fn of(line: &[u8]) -> Self {
        match serde_json::from_slice::<CallSummary>(line) {
            Ok(CallSummary { error: None, kind, .. }) => match kind {
                CallKind::Run | CallKind::Approve => Self::Run,
                CallKind::Load | CallKind::Unload => Self::Loaded,
                CallKind::Read => Self::Read,
            },
            Ok(_) | Err(_) => Self::Refused,
        }
    }
}

/// The lines of both files that fit into `most` bytes, in their order: in a quarter of it the
/// newest ones, whatever they are, and in the rest those that weigh most, newer ones first.
pub(super) fn weightiest(old: &[u8], new: &[u8], most: u64) -> Vec<u8> {
    // If we were killed at the last time, they are in both.
    let known: HashSet<&[u8]> = lines(old).collect();
    let all: Vec<&[u8]> =
        lines(old).chain(lines(new).filter(|line| !known.contains(line))).collect();
    let mut order: Vec<usize> = (0..all.len()).rev().collect();
    let size = |index: &usize| all[*index].len() as u64 + 1;
    let mut bytes = 0;
    let newest = order.iter().take_while(|index| {
        bytes += size(index);
        bytes <= most / 4
    });
    let newest = newest.count();
    order[newest..].sort_by_cached_key(|index| (Reverse(Weight::of(all[*index])), Reverse(*index)));
    let mut room = most;
    order.retain(|index| {
        let fits = size(index) <= room;
        room -= if fits { size(index) } else { 0 };
        fits
    });
    order.sort_unstable();
    order.iter().flat_map(|index| all[*index].iter().copied().chain([b'\n'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Call;
    use std::path::Path;

    fn line(kind: CallKind, number: u64, error: bool) -> Vec<u8> {
        let mut call = Call::new(kind, number, "pdf", Path::new("/s/pdf/SKILL.md"));
        call.error = error.then(|| "denied".to_owned());
        crate::state::line(&call)
    }

    fn numbers(lines_of: &[u8]) -> Vec<u64> {
        let call = |line: &[u8]| serde_json::from_slice::<Call>(line).unwrap().at_ms;
        lines(lines_of).map(call).collect()
    }

    #[test]
    fn runs_stay_before_loads_before_reads_before_refusals_and_the_newest_stay_in_any_case() {
        let kinds = [CallKind::Run, CallKind::Load, CallKind::Read];
        let old: Vec<u8> = (0..30)
            .flat_map(|at| line(kinds[usize::try_from(at).unwrap() % 3], at, false))
            .collect();
        let new: Vec<u8> = (30..90).flat_map(|at| line(CallKind::Run, at, true)).collect();
        let kept = |calls: u64| {
            numbers(&weightiest(&old, &new, calls * line(CallKind::Run, 89, true).len() as u64))
        };
        assert_eq!(kept(90), (0..90).collect::<Vec<_>>());
        let of = |kind: u64| (0..10).map(move |number| number * 3 + kind);
        let some = kept(20);
        assert!(of(0).all(|run| some.contains(&run)) && some.ends_with(&[85, 86, 87, 88, 89]));
        assert!(some.is_sorted() && of(2).all(|read| !some.contains(&read)), "{some:?}");
        assert!(!some.contains(&1) && some.contains(&28), "the newest loads: {some:?}");
        let more = kept(44);
        assert!((0..30).all(|call| more.contains(&call)), "{more:?}");
    }

    #[test]
    fn lines_that_are_in_both_files_are_kept_once_and_broken_ones_go_first() {
        let (one, other) = (line(CallKind::Read, 1, false), line(CallKind::Read, 2, false));
        let old = [&one[..], b"nonsense\n"].concat();
        let new = [&one[..], &other].concat();
        let both = weightiest(&old, &new, 1 << 20);
        assert_eq!(both, [&one[..], b"nonsense\n", &other].concat());
        let room = (one.len() + other.len()) as u64;
        assert_eq!(numbers(&weightiest(&old, &new, room)), [1, 2]);
    }
}
