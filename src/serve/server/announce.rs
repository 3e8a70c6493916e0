//! Tells the client that a list has changed, once for a burst of changes and only if the list
//! really differs. Also reports what is wrong with settings and skills.

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

/// Hashes of the lists that a client may have. Connections share those of a snapshot.
#[derive(Clone, Copy)]
pub(in crate::serve) struct Lists {
    tools: u64,
    prompts: u64,
    resources: u64,
}

impl Lists {
    fn of(snapshot: &Snapshot, dialect: Dialect) -> Self {
        let text = |text: serde_json::Result<String>| hash(text.unwrap_or_default());
        let row = |index: usize| {
            let entry = &snapshot.view.rows[index].entry;
            let (skill, files) =
                (&entry.skill, resources::files(snapshot, index, &NestedSkills::default()));
            // The permission decides whether the files are listed.
            let permission = entry.handed.value.word();
            hash((
                files,
                permission,
                &skill.path,
                skill.mtime_ms(),
                skill.bytes,
                &skill.description,
            ))
        };
        Self {
            tools: text(serde_json::to_string(&tools::listed(dialect, snapshot, false))),
            prompts: text(serde_json::to_string(&prompts::all(snapshot))),
            resources: hash(snapshot.shown().into_iter().map(row).collect::<Vec<_>>()),
        }
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
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

    /// Runs until it is dropped. Without a peer, only subscriptions are told.
    pub(in crate::serve) async fn run(mut self, peer: Option<Peer<RoleServer>>) {
        let mut changed = self.catalogs.changed();
        let Some((mut known, _)) = self.look().await else { return };
        loop {
            let Some((lists, snapshot)) = self.look().await else { return };
            if let Some(peer) = &peer {
                self.log.announce(peer, &snapshot).await;
            }
            self.tell(peer.as_ref(), known, lists).await;
            known = lists;
            if changed.changed().await.is_err() {
                return;
            }
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
            (snapshot.lists(|| Lists::of(&snapshot, dialect)), snapshot)
        };
        tokio::task::spawn_blocking(look).await.ok()
    }

    async fn tell(&self, peer: Option<&Peer<RoleServer>>, old: Lists, new: Lists) {
        let tools = old.tools != new.tools;
        let prompts = old.prompts != new.prompts;
        let resources = old.resources != new.resources;
        // Only clients of the older protocols are told without a subscription.
        if let Some(peer) = peer.filter(|peer| peer.peer_info().is_some()) {
            if tools {
                let _ = peer.notify_tool_list_changed().await;
            }
            if prompts {
                let _ = peer.notify_prompt_list_changed().await;
            }
            if resources {
                let _ = peer.notify_resource_list_changed().await;
            }
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
