//! Work on many things by two threads.

use std::thread;

/// For fewer things a thread is not worth its start.
const MANY: usize = 1_000;

/// What `work` makes of all things, in their order. It is given a part of them, and the index of
/// the first of these.
pub fn in_halves<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(usize, &[T]) -> Vec<R> + Sync,
) -> Vec<R> {
    if things.len() < MANY {
        return work(0, things);
    }
    let half = things.len() / 2;
    let (first, second) = things.split_at(half);
    thread::scope(|scope| {
        let rest = scope.spawn(|| work(half, second));
        let mut all = work(0, first);
        match rest.join() {
            Ok(rest) => all.extend(rest),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_one_thread() {
        for count in [0, 1, MANY - 1, MANY, MANY + 1, 3 * MANY] {
            let things: Vec<usize> = (0..count).collect();
            let twice = in_halves(&things, |first, part| {
                assert!(part.is_empty() || part[0] == first);
                part.iter().map(|thing| thing * 2).collect()
            });
            assert_eq!(twice, (0..count).map(|thing| thing * 2).collect::<Vec<_>>());
        }
    }
}
