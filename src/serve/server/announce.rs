//! Tells the client that a list has changed, once for a burst of changes and only if the list really
//! differs. Also reports what is wrong with settings and skills.

use crate::runtime::NestedSkills;
use crate::runtime::dialect::Dialect;
use crate::serve::catalog_cache::{CatalogCache, Snapshot};
use crate::serve::log::Log;
use crate::serve::{prompts, resources, tools};
use rmcp::RoleServer;
use rmcp::model::RequestId;
use rmcp::service::{Peer, SubscriptionSink};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How long a burst of changes is collected.
const BURST: Duration = Duration::from_millis(100);

/// The clients' subscriptions of protocol 2026-07-28.
#[derive(Clone, Default)]
pub(super) struct Listeners(Arc<Mutex<Vec<SubscriptionSink>>>);

impl Listeners {
    pub(super) fn add(&self, sink: SubscriptionSink) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sink);
    }

    pub(super) fn remove(&self, id: &RequestId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|sink| sink.id() != id);
    }

    fn all(&self) -> Vec<SubscriptionSink> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The contents of the lists that a client may have.
struct Lists {
    tools: String,
    prompts: String,
    resources: String,
}

pub(in crate::serve) struct Announcer {
    catalogs: Arc<CatalogCache>,
    dialect: Dialect,
    listeners: Listeners,
    log: Log,
    /// The first scan. A client may read its lists before [`Announcer::run`] begins.
    first: Option<JoinHandle<Arc<Snapshot>>>,
}

impl Announcer {
    /// Starts the first scan on another thread.
    pub(super) fn new(
        catalogs: Arc<CatalogCache>,
        dialect: Dialect,
        listeners: Listeners,
        log: Log,
    ) -> Self {
        let scanned = Arc::clone(&catalogs);
        let first = Some(tokio::task::spawn_blocking(move || scanned.newest()));
        Self { catalogs, dialect, listeners, log, first }
    }

    /// Runs until it is dropped.
    pub(in crate::serve) async fn run(mut self, peer: Peer<RoleServer>) {
        let changed = self.catalogs.changed();
        let Some((mut known, _)) = self.look().await else { return };
        loop {
            let Some((lists, snapshot)) = self.look().await else { return };
            self.log.announce(&peer, &snapshot).await;
            self.tell(&peer, &known, &lists).await;
            known = lists;
            changed.notified().await;
            tokio::time::sleep(BURST).await;
        }
    }

    /// The lists of the first snapshot, then the current ones, computed on another thread.
    async fn look(&mut self) -> Option<(Lists, Arc<Snapshot>)> {
        let (catalogs, dialect) = (Arc::clone(&self.catalogs), self.dialect);
        let first = match self.first.take() {
            Some(first) => Some(first.await.ok()?),
            None => None,
        };
        let look = move || {
            let snapshot = first.unwrap_or_else(|| catalogs.snapshot());
            (Self::lists(&snapshot, dialect), snapshot)
        };
        tokio::task::spawn_blocking(look).await.ok()
    }

    fn lists(snapshot: &Snapshot, dialect: Dialect) -> Lists {
        let tools =
            serde_json::to_string(&tools::listed(dialect, snapshot, false)).unwrap_or_default();
        let prompts = serde_json::to_string(&prompts::all(snapshot)).unwrap_or_default();
        let row = |index: usize| {
            let entry = &snapshot.view.rows[index].entry;
            let skill = &entry.skill;
            // For files only a hash, since a skill may have thousands. The permission decides
            // whether they are listed.
            let mut files = DefaultHasher::new();
            (
                resources::files(snapshot, index, &NestedSkills::default()),
                entry.handed.value.word(),
            )
                .hash(&mut files);
            let (files, path) = (files.finish(), skill.path.display());
            format!(
                "{path}\0{files:x}\0{}\0{}\0{}\n",
                skill.mtime_ms(),
                skill.bytes,
                skill.description
            )
        };
        Lists { tools, prompts, resources: snapshot.shown().into_iter().map(row).collect() }
    }

    async fn tell(&self, peer: &Peer<RoleServer>, old: &Lists, new: &Lists) {
        let tools = old.tools != new.tools;
        let prompts = old.prompts != new.prompts;
        let resources = old.resources != new.resources;
        // Only clients of the older protocols are told without a subscription.
        let legacy = peer.peer_info().is_some();
        if legacy && tools {
            let _ = peer.notify_tool_list_changed().await;
        }
        if legacy && prompts {
            let _ = peer.notify_prompt_list_changed().await;
        }
        if legacy && resources {
            let _ = peer.notify_resource_list_changed().await;
        }
        for sink in self.listeners.all() {
            if tools {
                let _ = sink.notify_tool_list_changed().await;
            }
            if prompts {
                let _ = sink.notify_prompt_list_changed().await;
            }
            if resources {
                let _ = sink.notify_resource_list_changed().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    #[test]
    fn a_change_before_the_announcer_runs_is_a_change_of_the_lists() {
        let mut test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
        let catalogs = Arc::new(CatalogCache::new(test.workspace.reread()));
        let (listeners, log) = (Listeners::default(), Log::default());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            catalogs.newest();
            let mut announcer = Announcer::new(catalogs, Dialect::Codelia, listeners, log);
            while !announcer.first.as_ref().unwrap().is_finished() {
                tokio::task::yield_now().await;
            }
            let pdf = "repo/.agents/skills/pdf/SKILL.md";
            test.write(pdf, "---\nname: zip\ndescription: d\n---\n");
            announcer.catalogs.refresh();
            let (known, _) = announcer.look().await.unwrap();
            let (now, _) = announcer.look().await.unwrap();
            assert_ne!(known.prompts, now.prompts);
        });
    }
}
