//! Work on many things by two threads.

use std::sync::mpsc;
use std::thread;

/// For fewer things a thread is not worth its start.
const MANY: usize = 1_000;

/// What `work` makes of all things, in their order. It is given a part of them, and the index of the
/// first of these.
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

/// How many things wait to be worked on at most, in pieces of [`PIECE`].
const AHEAD: usize = 4;
const PIECE: usize = 128;

/// Gives `work` what `make` makes of all things, in their order. Where they are many, another thread
/// makes them, a few pieces ahead.
pub fn ahead<T: Sync, M: Send, R>(
    things: &[T],
    make: impl Fn(&T) -> Option<M> + Sync,
    work: impl FnOnce(&mut dyn Iterator<Item = M>) -> R,
) -> R {
    if things.len() < MANY {
        return work(&mut things.iter().filter_map(make));
    }
    let make = &make;
    thread::scope(|scope| {
        let (send, made) = mpsc::sync_channel::<Vec<M>>(AHEAD);
        scope.spawn(move || {
            let pieces = things.chunks(PIECE).map(|piece| piece.iter().filter_map(make).collect());
            // Nobody waits for the rest once the work has failed.
            pieces.map(|piece| send.send(piece)).take_while(Result::is_ok).for_each(drop);
        });
        work(&mut made.into_iter().flatten())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_ahead_comes_in_order_and_need_not_be_taken() {
        for count in [0, 1, MANY - 1, MANY, 3 * MANY + 1] {
            let things: Vec<usize> = (0..count).collect();
            let odd = |thing: &usize| (thing % 2 == 1).then_some(thing * 2);
            let all: Vec<usize> = ahead(&things, odd, |made| made.collect());
            assert_eq!(all, things.iter().filter_map(odd).collect::<Vec<_>>());
            assert_eq!(ahead(&things, odd, |made| made.next()), all.first().copied());
        }
    }

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
