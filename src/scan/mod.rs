//! From folders to skills: walk, read, resources, watch.
//!
//! The scan knows roots and limits, but no hosts, settings or verdicts. It follows links, enters
//! every directory once (by device and inode), and a bad skill never hides another one: an
//! unreadable skill is a row with a reason.

mod collect;
mod ground;
mod known;
mod read;
mod visited;
mod walk;
pub mod watch;

use crate::catalog::{Catalog, Refusers, Root, Skill};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

/// The most entries below one root. Beyond it the scan stops, with a mark.
pub const MAX_ENTRIES: usize = 500_000;

/// Workers that read and parse; two keep up with one walker, and leave a core for the screen.
const WORKERS: usize = 2;

/// Places per batch for a worker: enough to make the channel cheap, few enough to show results
/// early.
const BATCH: usize = 64;

pub use ground::Ground;
pub use known::Known;

/// Limits, cancellation and known skills.
pub struct Options {
    /// Entries below one root, at most.
    pub entries: usize,
    /// Set by the caller: the scan ends at the next batch with an incomplete result.
    pub stop: Arc<AtomicBool>,
    /// The skills of an earlier scan. Unchanged ones are not read again.
    pub known: Known,
    /// Names the hosts that refuse a skill for a finding.
    pub refusers: Refusers,
    /// What tells the person's own skills from those of a repository.
    pub ground: Ground,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            entries: MAX_ENTRIES,
            stop: Arc::new(AtomicBool::new(false)),
            known: Known::default(),
            refusers: |_| &[],
            ground: Ground::default(),
        }
    }
}

/// Scans `roots` in order and returns everything in them.
///
/// `progress` is called on the calling thread with the skills so far after each batch. The slice is
/// unordered and its skills may still gain locations. The result is ordered and complete, unless
/// [`Options::stop`] was set.
pub fn scan(roots: &[Root], options: &Options, mut progress: impl FnMut(&[Arc<Skill>])) -> Catalog {
    let mut collector = collect::Collector::new(roots, &options.ground);
    let mut reports = Vec::new();
    let mut cuts = Vec::new();
    thread::scope(|scope| {
        let (places, inbox) = mpsc::sync_channel::<Vec<walk::FoundFile>>(WORKERS * 4);
        let (read, results) = mpsc::sync_channel::<Vec<read::Read>>(WORKERS * 4);
        let inbox = Arc::new(std::sync::Mutex::new(inbox));
        let walker = scope.spawn(move || walk::roots(roots, options, &places));
        for _ in 0..WORKERS {
            let (inbox, read) = (Arc::clone(&inbox), read.clone());
            scope.spawn(move || work(&inbox, &read, roots, options));
        }
        // The workers have the only receivers and senders left, so the channels end with them.
        drop((inbox, read));
        for batch in results {
            collector.add(batch);
            progress(collector.skills());
        }
        if let Ok(walked) = walker.join() {
            (reports, cuts) = walked;
        }
    });
    Catalog { skills: collector.finish(&mut reports), roots: reports, cuts }
}

/// A worker: reads batches of places until there are no more, or until the scan is stopped.
fn work(
    inbox: &std::sync::Mutex<mpsc::Receiver<Vec<walk::FoundFile>>>,
    read: &mpsc::SyncSender<Vec<read::Read>>,
    roots: &[Root],
    options: &Options,
) {
    loop {
        let batch = match inbox.lock() {
            Ok(receiver) => receiver.recv(),
            Err(_) => return,
        };
        let Ok(batch) = batch else { return };
        if options.stop.load(Ordering::Relaxed) {
            // Keep receiving so that the walker is not blocked; it sees the same flag and ends.
            continue;
        }
        if read
            .send(batch.into_iter().map(|place| read::skill(place, roots, options)).collect())
            .is_err()
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
