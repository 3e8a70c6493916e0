//! How many places are taken, and by whom.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many places each one has, and how many there are.
pub(super) struct Quota<K: Eq + Hash> {
    taken: Arc<Mutex<HashMap<K, usize>>>,
    places: usize,
}

/// A place, until it is dropped.
pub(super) struct Place<K: Eq + Hash> {
    taken: Arc<Mutex<HashMap<K, usize>>>,
    of: K,
}

impl<K: Eq + Hash + Clone> Quota<K> {
    pub(super) fn new(places: usize) -> Self {
        Self { taken: Arc::default(), places }
    }

    /// A place for this one; `None` if all are taken, or it has so many already.
    pub(super) fn take(&self, of: K, most: usize) -> Option<Place<K>> {
        let mut taken = locked(&self.taken);
        let all: usize = taken.values().sum();
        let own = taken.get(&of).copied().unwrap_or_default();
        if all >= self.places || own >= most {
            return None;
        }
        taken.insert(of.clone(), own + 1);
        Some(Place { taken: Arc::clone(&self.taken), of })
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = locked(&self.taken);
        if let Some(count) = taken.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.of);
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_part_and_all_together_have_no_more_than_there_is() {
        let quota = Quota::new(4);
        let greedy: Vec<_> = std::iter::from_fn(|| quota.take("greedy", 3)).collect();
        assert_eq!(greedy.len(), 3);
        let other = quota.take("other", 3).unwrap();
        assert!(quota.take("third", 3).is_none() && quota.take("other", 3).is_none());
        drop(other);
        assert!(quota.take("greedy", 3).is_none());
        drop(greedy);
        assert!(locked(&quota.taken).is_empty());
        assert!(quota.take("greedy", 3).is_some());
    }
}
