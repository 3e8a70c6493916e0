//! From folders to skills: walk, read, index, watch.
//!
//! The scan knows roots and limits, but no hosts, settings or verdicts. It follows links, enters
//! every directory once (by device and inode), and a bad skill never hides another one: an
//! unreadable skill is a row with a reason.

mod body;
mod collect;
mod folder;
mod ground;
mod handles;
mod ignored;
mod index;
mod jobs;
mod known;
mod listed;
mod listing;
mod names;
mod place;
mod pool;
mod read;
mod stamp;
mod stuck;
mod visited;
mod waiting;
mod walk;
pub mod watch;

use crate::catalog::{Catalog, PlaceThatCounts, Root, Scope, Skill};
use listed::Tree;
use read::{Found, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The most entries below one root. Beyond it the scan stops, with a mark.
pub const MAX_ENTRIES: usize = 500_000;

/// The most entries that one link reaches outside its root. A collection of thousands of skills has
/// fewer, a disk has more.
const BEYOND_ENTRIES: usize = 100_000;

/// The most folders below such a link.
const BEYOND_DEPTH: usize = 16;

/// The time that all such links together may take in one view.
const BEYOND_TIME: Duration = Duration::from_secs(5);

/// How long one call of the file system may take before the scan goes on without it.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Skills per batch: enough to make telling them cheap, few enough to show results early.
const BATCH: usize = 64;

pub use ground::{Ground, is_top};
pub(crate) use ignored::is_ignore_file;
pub use index::{Index, KnownFile};
pub use known::Known;
pub use listed::Listed;
pub(crate) use listing::is_markdown;
pub use read::{body_finding, skill_path};
pub use stamp::{stamp_of, this_program};

/// The time that has been spent on what links reach outside their roots.
#[derive(Clone, Debug, Default)]
pub struct BeyondTime(Arc<AtomicU64>);

impl BeyondTime {
    fn spend(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.0.fetch_add(micros, Ordering::Relaxed);
    }

    fn spent(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

/// Limits, cancellation and known skills.
#[derive(Clone)]
pub struct Options {
    /// Entries below one root, at most.
    pub entries: usize,
    /// Bytes of a `SKILL.md`, at most.
    pub file_limit: u64,
    /// Whether files are read to their end, to see what they hide. Otherwise it is their head: the
    /// first 8 KiB, or more if the frontmatter is longer.
    pub bodies: bool,
    /// How long one call of the file system may take.
    pub patience: Duration,
    /// Shared by the scans of one view.
    pub beyond: BeyondTime,
    /// Set by the caller: the scan ends at the next batch with an incomplete result.
    pub stop: Arc<AtomicBool>,
    /// The skills of an earlier scan. Unchanged ones are not read again.
    pub known: Known,
    /// What earlier processes have read; `None` if it is not wanted.
    pub index: Option<Index>,
    /// What other scans of the same view have listed; `None` if there are none.
    pub listed: Option<Listed>,
    /// Which place counts of a skill that is found in several.
    pub place: PlaceThatCounts,
    /// What tells the person's own skills from those of a repository.
    pub ground: Ground,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            entries: MAX_ENTRIES,
            file_limit: u64::MAX,
            bodies: false,
            patience: TIMEOUT,
            beyond: BeyondTime::default(),
            stop: Arc::new(AtomicBool::new(false)),
            known: Known::default(),
            index: None,
            listed: None,
            place: PlaceThatCounts::default(),
            ground: Ground::default(),
        }
    }
}

/// Scans `roots` in order and returns everything in them.
///
/// `progress` is called on the calling thread with the skills so far after each batch. The slice is
/// unordered and its skills may still gain locations. The result is ordered and complete, unless
/// [`Options::stop`] was set.
pub fn scan(roots: &[Root], options: &Options, progress: impl FnMut(&[Arc<Skill>])) -> Catalog {
    scan_with(roots, options, |_| {}, progress)
}

fn scan_with(
    roots: &[Root],
    options: &Options,
    look: pool::Look,
    mut progress: impl FnMut(&[Arc<Skill>]),
) -> Catalog {
    let mut collector = collect::Collector::new(roots, options);
    let tree = |root| options.listed.as_ref().and_then(|listed| listed.tree(root));
    let trees: Vec<Option<Arc<Tree>>> = roots.iter().map(tree).collect();
    let pool = pool::Pool::start(roots, &trees, options, look);
    loop {
        let (batch, is_last) = pool.results();
        if !batch.is_empty() {
            collector.add(batch);
            progress(collector.skills());
        }
        if is_last {
            break;
        }
    }
    let mut end = pool.finish();
    collector.add(end.last);
    let anew = if options.index.is_some() { collector.anew() } else { Vec::new() };
    let skills = match known_union(roots, &trees, options).filter(|_| collector.is_empty()) {
        Some(skills) => {
            for (report, tree) in end.reports.iter_mut().zip(&trees) {
                report.found = tree.as_ref().map_or(0, |tree| tree.skills.len());
            }
            skills.to_vec()
        }
        None => {
            for (root, tree) in trees.iter().enumerate() {
                let skills = tree.iter().flat_map(|tree| &tree.skills);
                let known =
                    |skill| Read { root, may_be_top: true, skill: Found::Known(Arc::clone(skill)) };
                collector.add(skills.map(known));
            }
            collector.finish(&mut end.reports)
        }
    };
    let is_complete = !options.stop.load(Ordering::Relaxed);
    if let Some(listed) = options.listed.as_ref().filter(|_| is_complete) {
        for (report, extent) in end.reports.iter().zip(end.extents) {
            listed.add_tree(report, extent, &skills);
        }
        listed.add_union(&end.reports, options.place, &skills);
    }
    // A scan that reads bodies knows more of some skills than a list does, which must look the same
    // with and without the index.
    if is_complete && !options.bodies {
        pool.write_index(&skills, &anew, &end.folders);
    }
    if let Some(listed) = options.listed.as_ref().filter(|_| is_complete) {
        listed.add_folders(end.folders);
    }
    Catalog { skills, roots: end.reports, cuts: end.cuts, too_deep: end.too_deep }
}

/// What an earlier scan has made of the trees of these roots.
fn known_union(
    roots: &[Root],
    trees: &[Option<Arc<Tree>>],
    options: &Options,
) -> Option<Arc<[Arc<Skill>]>> {
    let with_skills = |(root, tree): (&Root, &Option<Arc<Tree>>)| {
        let tree = tree.as_ref().filter(|tree| !tree.skills.is_empty())?;
        Some((Arc::clone(tree), root.scope))
    };
    let of: Vec<(Arc<Tree>, Scope)> = roots.iter().zip(trees).filter_map(with_skills).collect();
    options.listed.as_ref().filter(|_| !of.is_empty())?.union(&of, options.place)
}

#[cfg(test)]
mod tests;
