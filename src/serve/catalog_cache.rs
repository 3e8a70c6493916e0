//! The catalog that is served: the place and its newest view. A file watcher marks it stale, and
//! the next call scans again. The settings files are checked at every call, since the watcher
//! reports late and no call may use outdated settings.

use super::confusable::Confusables;
use super::server::Lists;
use super::stamp::Stamps;
use super::uri::Addresses;
use crate::failpoint;
use crate::policy::Entry;
use crate::runtime::CallContext;
use crate::runtime::prompt::shown;
use crate::scan::Options;
use crate::scan::watch::Watch;
use crate::search::WordIndex;
use crate::workspace::{StartError, View, Workspace};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::watch;

/// A place and its view at one moment, and what calls look up in it.
pub(super) struct Snapshot {
    pub(super) workspace: Workspace,
    pub(super) view: View,
    /// For each name the number of entries that the model may know of.
    names: HashMap<String, usize>,
    words: OnceLock<WordIndex>,
    confusables: OnceLock<Confusables>,
    lists: OnceLock<Lists>,
    addresses: OnceLock<Addresses>,
}

impl Snapshot {
    fn new(workspace: Workspace, view: View) -> Self {
        let mut names = HashMap::new();
        for entry in view.rows.entries().filter(|entry| shown(entry)) {
            *names.entry(entry.skill.name.clone()).or_insert(0) += 1;
        }
        let (words, confusables, lists, addresses) = Default::default();
        Self { workspace, view, names, words, confusables, lists, addresses }
    }

    /// The words of all skills, made for the first search.
    pub(super) fn words(&self) -> &WordIndex {
        fn texts(entry: &Entry) -> [&str; 2] {
            [&entry.skill.name, entry.description()]
        }
        let skills = self.view.rows.entries().map(texts).enumerate();
        self.words.get_or_init(|| WordIndex::of(skills))
    }

    /// The addresses of the skills that the model may know of, made for the first that is needed.
    pub(super) fn addresses(&self) -> &Addresses {
        self.addresses.get_or_init(|| Addresses::of(self))
    }

    /// The lists that a client may have, made for the first connection that asks.
    pub(super) fn lists(&self, make: impl FnOnce() -> Lists) -> Lists {
        *self.lists.get_or_init(make)
    }

    /// The skills that the model may know of, by what their names look like.
    pub(super) fn confusables(&self) -> &Confusables {
        self.confusables.get_or_init(|| Confusables::of(&self.view, self.shown().into_iter()))
    }

    /// Whether the model may know of several skills of this name.
    pub(super) fn has_twins(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|count| *count > 1)
    }

    /// The context of one call.
    pub(super) fn caller<'a>(
        &'a self,
        client: &'a str,
        session: Option<&'a str>,
    ) -> CallContext<'a> {
        CallContext { workspace: &self.workspace, view: &self.view, client, session, scope: None }
    }

    /// The entries that the model may know of, as indexes into the view.
    pub(super) fn shown(&self) -> Vec<usize> {
        (0..self.view.rows.len()).filter(|index| shown(&self.view.rows[*index].entry)).collect()
    }
}

/// How many catalogs of other directories are kept. The least recently used one goes.
const MAX_ELSEWHERE: usize = 8;

/// The newest snapshot, and what shows whether it is outdated.
struct Cached {
    snapshot: Arc<Snapshot>,
    /// `None` if nothing can be watched.
    watch: Option<Watch>,
    /// The settings files as they were before they were read.
    settings: Stamps,
}

/// What a watcher notifies of a change.
#[derive(Clone, Default)]
struct Changes {
    stale: Arc<AtomicBool>,
    told: watch::Sender<()>,
}

impl Changes {
    fn watch(&self, workspace: &Workspace) -> Option<Watch> {
        let Self { stale, told } = self.clone();
        let report = move || {
            stale.store(true, Ordering::Release);
            told.send_replace(());
        };
        Watch::start(&workspace.watched(), report).ok()
    }
}

/// Keeps the newest [`Snapshot`] of the server's directory and of other directories that a client
/// requested.
pub(super) struct CatalogCache {
    place: Workspace,
    /// Empty until the first scan has ended. Whoever asks earlier waits for it.
    cached: OnceLock<Mutex<Cached>>,
    /// The caches of other directories, most recently used first.
    elsewhere: Mutex<Vec<Arc<CatalogCache>>>,
    changes: Changes,
}

impl CatalogCache {
    /// Reads nothing yet: a client's first request must not wait for a large catalog.
    pub(super) fn new(place: Workspace) -> Self {
        Self {
            place,
            cached: OnceLock::new(),
            elsewhere: Mutex::default(),
            changes: Changes::default(),
        }
    }

    /// The place as it was when the server started.
    pub(super) fn place(&self) -> &Workspace {
        &self.place
    }

    /// Scans for the first time, and watches.
    fn first(&self) -> Mutex<Cached> {
        // Watching begins first, so that changes during the scan cause another one. The place was
        // read before, so it is read once more.
        let watch = self.changes.watch(&self.place);
        let settings = Stamps::unknown(&self.place).now();
        let workspace = self.place.reread().reading_bodies();
        let settings = settings.before(&workspace);
        failpoint::linger("slow-catalog");
        let view = workspace.view();
        let snapshot = Arc::new(Snapshot::new(workspace, view));
        Mutex::new(Cached { snapshot, watch, settings })
    }

    fn cached(&self) -> MutexGuard<'_, Cached> {
        let cached = self.cached.get_or_init(|| self.first());
        cached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cache of another directory: the kept one, or a new one.
    ///
    /// # Errors
    /// [`StartError`]: it is no directory.
    pub(super) fn of(&self, directory: &Path) -> Result<Arc<CatalogCache>, StartError> {
        let real = directory.canonicalize().ok();
        let known = |kept: &mut Vec<Arc<CatalogCache>>| {
            let found =
                kept.iter().position(|cache| Some(&cache.place.context.cwd) == real.as_ref())?;
            let cache = kept.remove(found);
            kept.insert(0, Arc::clone(&cache));
            Some(cache)
        };
        if let Some(cache) = known(&mut self.others()) {
            return Ok(cache);
        }
        let cache = Arc::new(Self::new(self.place.elsewhere(directory)?));
        let mut kept = self.others();
        if let Some(cache) = known(&mut kept) {
            return Ok(cache);
        }
        kept.insert(0, Arc::clone(&cache));
        kept.truncate(MAX_ELSEWHERE);
        Ok(cache)
    }

    /// The cached snapshots of other directories, most recently used first.
    pub(super) fn elsewhere(&self) -> Vec<Arc<Snapshot>> {
        // The list is not locked while a large directory is scanned.
        let kept = self.others().clone();
        kept.iter().map(|cache| cache.newest()).collect()
    }

    fn others(&self) -> MutexGuard<'_, Vec<Arc<CatalogCache>>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached snapshot, which may be outdated.
    pub(super) fn newest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.cached().snapshot)
    }

    /// The newest snapshot, or a new one if something has changed.
    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot_after(false)
    }

    /// A new snapshot, whether or not a change was reported.
    pub(super) fn refresh(&self) -> Arc<Snapshot> {
        self.snapshot_after(true)
    }

    fn snapshot_after(&self, refresh: bool) -> Arc<Snapshot> {
        let mut cached = self.cached();
        let stale = self.changes.stale.swap(false, Ordering::AcqRel);
        let settings = cached.settings.now();
        // If something cannot be watched, every call scans.
        let blind = cached.watch.as_ref().is_none_or(|watch| !watch.failed.is_empty());
        if !(refresh || stale || blind || settings != cached.settings) {
            return Arc::clone(&cached.snapshot);
        }
        let workspace = cached.snapshot.workspace.reread();
        cached.settings = settings.before(&workspace);
        if !cached.watch.as_ref().is_some_and(|watch| watch.holds(&workspace.watched())) {
            cached.watch = self.changes.watch(&workspace);
        }
        let view = workspace.view_after(&cached.snapshot.view, Options::default());
        cached.snapshot = Arc::new(Snapshot::new(workspace, view));
        Arc::clone(&cached.snapshot)
    }

    /// Told whenever something may have changed from now on.
    pub(super) fn changed(&self) -> watch::Receiver<()> {
        self.changes.told.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Permission;
    use crate::scan::watch::Watched;
    use crate::workspace::fixture::TestWorkspace;
    use std::fs;

    #[test]
    fn cod_10_1_changed_settings_apply_before_their_change_is_announced() {
        let test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
        let cache = CatalogCache::new(test.workspace.clone());
        // A watcher without targets, like one that has not reported yet.
        cache.cached().watch = Watch::start(&Watched::default(), || ()).ok();
        let may = || cache.snapshot().view.rows[0].entry.verdict.model.value;
        assert_eq!(may(), Permission::Allow);
        let before = cache.snapshot();
        assert!(
            Arc::ptr_eq(&before, &cache.snapshot()),
            "what has not changed is not looked at again"
        );
        let rule = |effect: &str| {
            format!(
                "version = 1\n[[permissions.{effect}]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n"
            )
        };
        let project = test.env.top.join("repo/.skillpick.toml");
        fs::write(&project, rule("deny")).unwrap();
        assert_eq!(may(), Permission::Deny, "a new file");
        let beside = test.env.top.join("repo/.new");
        fs::write(&beside, rule("ask ")).unwrap();
        fs::rename(&beside, &project).unwrap();
        assert_eq!(may(), Permission::Ask, "another file in its place, as long as the first");
        fs::remove_file(&project).unwrap();
        assert_eq!(may(), Permission::Allow, "no file");
        let user = test.env.top.join("home/.config/skillpick/config.toml");
        fs::create_dir_all(user.parent().unwrap()).unwrap();
        fs::write(&user, rule("deny")).unwrap();
        assert_eq!(may(), Permission::Deny, "the person's own");
    }

    #[test]
    fn of_other_directories_those_asked_for_last_are_kept() {
        let test = TestWorkspace::with(&[]);
        let cache = CatalogCache::new(test.workspace.clone());
        let folder = |number: usize| {
            let folder = test.env.at(format!("repo/d{number}"));
            fs::create_dir_all(&folder).unwrap();
            folder
        };
        let first = cache.of(&folder(0)).unwrap();
        let second = cache.of(&folder(1)).unwrap();
        assert!(Arc::ptr_eq(&first, &cache.of(&folder(0)).unwrap()), "kept, and first again");
        for number in 2..=MAX_ELSEWHERE {
            cache.of(&folder(number)).unwrap();
        }
        let kept: Vec<_> =
            cache.elsewhere().iter().map(|one| one.workspace.context.cwd.clone()).collect();
        assert_eq!(kept.len(), MAX_ELSEWHERE);
        assert_eq!((&kept[0], &kept[7]), (&folder(MAX_ELSEWHERE), &folder(0)));
        assert!(!Arc::ptr_eq(&second, &cache.of(&folder(1)).unwrap()), "it had to go");
        assert!(cache.of(&test.env.at("repo/none")).is_err());
    }
}
