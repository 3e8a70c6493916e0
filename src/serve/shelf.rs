//! What is served: the place and its newest view. A change of a file makes the shelf stale as soon
//! as it is told of, and the next call looks again. At its settings files each call looks itself,
//! so that none is answered by settings that do not hold any more (D14).

use super::stamp::Stamps;
use crate::runtime::CallContext;
use crate::runtime::prompt::shown;
use crate::scan::Options;
use crate::scan::watch::Watch;
use crate::workspace::{StartError, View, Workspace};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A place and what is seen from there.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) workspace: Workspace,
    pub(super) view: View,
    /// How many of the entries that the model may know of carry a name.
    names: HashMap<String, usize>,
}

impl Seen {
    fn new(workspace: Workspace, view: View) -> Self {
        let mut names = HashMap::new();
        for entry in view.rows.entries().filter(|entry| shown(entry)) {
            *names.entry(entry.skill.name.clone()).or_insert(0) += 1;
        }
        Self { workspace, view, names }
    }

    /// Whether the model may know of several skills of this name.
    pub(super) fn has_twins(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|count| *count > 1)
    }

    /// The place to work at, for one call.
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

/// Directories beside the server's own whose catalogs are kept, at most; the one that was asked for
/// least lately goes.
const ELSEWHERE: usize = 8;

/// What was seen last.
struct Held {
    seen: Arc<Seen>,
    /// None where nothing can be watched.
    watch: Option<Watch>,
    /// The settings files, looked at before they were read.
    settings: Stamps,
}

/// The newest [`Seen`].
pub(super) struct Shelf {
    held: Mutex<Held>,
    /// Those of other directories, asked for last first (COD-10.2).
    elsewhere: Mutex<Vec<Arc<Shelf>>>,
    stale: Arc<AtomicBool>,
    changed: Arc<Notify>,
}

impl Shelf {
    /// Looks for the first time, and watches.
    pub(super) fn new(workspace: Workspace) -> Self {
        let (stale, changed) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
        // Watched first: what changes while we look is looked at again. The place was read before
        // that.
        let watch = watching(&workspace, (&stale, &changed));
        let settings = Stamps::unknown(&workspace).now();
        let workspace = workspace.reread();
        let settings = settings.before(&workspace);
        let view = workspace.view();
        let seen = Arc::new(Seen::new(workspace, view));
        Self {
            held: Mutex::new(Held { seen, watch, settings }),
            elsewhere: Mutex::default(),
            stale,
            changed,
        }
    }

    /// The shelf of another directory, which must be there; looked at for the first time, or kept
    /// since.
    ///
    /// # Errors
    /// [`StartError`]: it is no directory.
    pub(super) fn of(&self, directory: &Path) -> Result<Arc<Shelf>, StartError> {
        let real = directory.canonicalize().ok();
        let known = |kept: &mut Vec<Arc<Shelf>>| {
            let found = kept
                .iter()
                .position(|shelf| Some(&shelf.held().workspace.context.cwd) == real.as_ref())?;
            let shelf = kept.remove(found);
            kept.insert(0, Arc::clone(&shelf));
            Some(shelf)
        };
        if let Some(shelf) = known(&mut self.others()) {
            return Ok(shelf);
        }
        let place = self.held().workspace.elsewhere(directory)?;
        // Nobody waits while a large directory is looked at.
        let shelf = Arc::new(Self::new(place));
        let mut kept = self.others();
        if let Some(shelf) = known(&mut kept) {
            return Ok(shelf);
        }
        kept.insert(0, Arc::clone(&shelf));
        kept.truncate(ELSEWHERE);
        Ok(shelf)
    }

    /// What has been seen of other directories, asked for last first; nothing is looked at.
    pub(super) fn elsewhere(&self) -> Vec<Arc<Seen>> {
        self.others().iter().map(|shelf| shelf.held()).collect()
    }

    fn others(&self) -> MutexGuard<'_, Vec<Arc<Shelf>>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> Arc<Seen> {
        Arc::clone(&self.held.lock().unwrap_or_else(PoisonError::into_inner).seen)
    }

    /// What is there now.
    pub(super) fn seen(&self) -> Arc<Seen> {
        self.look(false)
    }

    /// The same, looked at again whether or not anything has been told of a change (COD-10.1).
    pub(super) fn fresh(&self) -> Arc<Seen> {
        self.look(true)
    }

    fn look(&self, again: bool) -> Arc<Seen> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let stale = self.stale.swap(false, Ordering::AcqRel);
        let settings = held.settings.now();
        // Where nothing can be watched, every call looks.
        let blind = held.watch.as_ref().is_none_or(|watch| !watch.failed.is_empty());
        if !(again || stale || blind || settings != held.settings) {
            return Arc::clone(&held.seen);
        }
        let workspace = held.seen.workspace.reread();
        held.settings = settings.before(&workspace);
        if !held.watch.as_ref().is_some_and(|watch| watch.holds(&workspace.watched())) {
            held.watch = watching(&workspace, (&self.stale, &self.changed));
        }
        let view = workspace.view_after(&held.seen.view, Options::default());
        held.seen = Arc::new(Seen::new(workspace, view));
        Arc::clone(&held.seen)
    }

    /// Told whenever something may have changed.
    pub(super) fn changed(&self) -> Arc<Notify> {
        Arc::clone(&self.changed)
    }
}

fn watching(
    workspace: &Workspace,
    (stale, changed): (&Arc<AtomicBool>, &Arc<Notify>),
) -> Option<Watch> {
    let (stale, changed) = (Arc::clone(stale), Arc::clone(changed));
    let tell = move || {
        stale.store(true, Ordering::Release);
        changed.notify_one();
    };
    Watch::start(&workspace.watched(), tell).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Permission;
    use crate::scan::watch::Watched;
    use crate::workspace::fixture::House;
    use std::fs;

    #[test]
    fn cod_10_1_settings_hold_before_anybody_has_told_of_their_change() {
        let house = House::with(&[("repo/.agents/skills/pdf", "pdf")]);
        let shelf = Shelf::new(house.workspace.clone());
        // A watcher that sees nothing, as one that has not come to it yet.
        shelf.held.lock().unwrap().watch = Watch::start(&Watched::default(), || ()).ok();
        let may = || shelf.seen().view.rows[0].entry.verdict.model.value;
        assert_eq!(may(), Permission::Allow);
        let before = shelf.seen();
        assert!(Arc::ptr_eq(&before, &shelf.seen()), "what has not changed is not looked at again");
        let rule = |effect: &str| {
            format!(
                "version = 1\n[[permissions.{effect}]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n"
            )
        };
        let project = house.top.join("repo/.skillpick.toml");
        fs::write(&project, rule("deny")).unwrap();
        assert_eq!(may(), Permission::Deny, "a new file");
        let beside = house.top.join("repo/.new");
        fs::write(&beside, rule("ask ")).unwrap();
        fs::rename(&beside, &project).unwrap();
        assert_eq!(may(), Permission::Ask, "another file in its place, as long as the first");
        fs::remove_file(&project).unwrap();
        assert_eq!(may(), Permission::Allow, "no file");
        let user = house.top.join("home/.config/skillpick/config.toml");
        fs::create_dir_all(user.parent().unwrap()).unwrap();
        fs::write(&user, rule("deny")).unwrap();
        assert_eq!(may(), Permission::Deny, "the person's own");
    }
}
