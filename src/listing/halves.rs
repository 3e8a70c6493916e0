//! Work on many things by two threads.

use std::sync::LazyLock;

/// For fewer things a second thread is not worth its start.
const MANY: usize = 1_000;

/// The results of two pieces of work, done by two threads if they are about many things.
///
/// The threads are those of a pool, which sleep between two calls: Linux often starts a new thread
/// on the processor that its parent keeps busy, but wakes a sleeping one on an idle processor.
pub fn both<R: Send, S: Send>(
    count: usize,
    one: impl FnOnce() -> R + Send,
    other: impl FnOnce() -> S + Send,
) -> (R, S) {
    // Without a pool, as where no thread can be started, `join` would panic.
    static HAS_POOL: LazyLock<bool> =
        LazyLock::new(|| rayon::ThreadPoolBuilder::new().build_global().is_ok());
    if count < MANY || !*HAS_POOL { (one(), other()) } else { rayon::join(one, other) }
}

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
    let (mut all, rest) = both(things.len(), || work(0, first), || work(half, second));
    all.extend(rest);
    all
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
