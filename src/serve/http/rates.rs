//! How many requests a client may send. Each may send [`BURST`] at once, and one more every
//! [`EVERY`].

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two requests of a client that sends without end.
const EVERY: Duration = Duration::from_millis(5);
/// The most requests at once.
const BURST: u32 = 1000;
/// The most clients of which this is known, before those who may send everything are forgotten.
const CLIENTS: usize = 4096;

/// For each client, when it may send [`BURST`] requests again.
pub(super) struct Rates<K>(Mutex<HashMap<K, Instant>>);

impl<K: Eq + Hash> Rates<K> {
    pub(super) fn new() -> Self {
        Self(Mutex::default())
    }

    /// Whether this client may send a request now, which then counts.
    pub(super) fn take(&self, client: K, now: Instant) -> bool {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= CLIENTS {
            clients.retain(|_, full| *full > now);
        }
        let full = clients.entry(client).or_insert(now);
        let after = (*full).max(now) + EVERY;
        let room = after - now <= EVERY * BURST;
        if room {
            *full = after;
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_its_own_measure_which_fills_again() {
        let (rates, start) = (Rates::new(), Instant::now());
        for number in 0..BURST {
            assert!(rates.take("a", start), "{number}");
        }
        assert!(!rates.take("a", start));
        assert!(rates.take("b", start));
        assert!(rates.take("a", start + EVERY) && !rates.take("a", start + EVERY));
        let later = start + EVERY * (BURST + 1);
        assert_eq!((0..2 * BURST).filter(|_| rates.take("a", later)).count() as u32, BURST);
    }

    #[test]
    fn of_clients_that_are_gone_nothing_is_kept() {
        let (rates, start) = (Rates::new(), Instant::now());
        for client in 0..2 * CLIENTS {
            let now = start + EVERY * 2 * u32::try_from(client).unwrap();
            assert!(rates.take(client, now));
        }
        assert!(rates.0.lock().unwrap().len() <= CLIENTS);
    }
}
