//! Tells that a store was changed, without polling.
//!
//! A store in a file has a second file beside it, which every writer touches after its change; the
//! file watcher sees that. A server tells those that listen. A thread listens, and touches a file
//! of the caller's, so that pickers and servers watch files only.

use super::address::Address;
use super::postgres;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The files whose change tells of a change of the store; `own` is touched by a [`Listener`].
pub fn watched_files(address: &Address, own: &Path) -> Vec<PathBuf> {
    match address {
        Address::Sqlite(path) => vec![beside(path)],
        Address::Postgres(_) => vec![own.to_owned()],
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-changed");
    PathBuf::from(name)
}

/// After a change: wakes those who watch. A writer that is killed between the two leaves a change
/// that is seen with the next one.
pub(super) fn tell(address: &Address) {
    if let Address::Sqlite(path) = address {
        touch(&beside(path));
    }
}

/// Writes a file of ours anew. If that fails, nobody is woken, and the change is there all the
/// same.
pub(super) fn touch(file: &Path) {
    if let Ok(file) = crate::files::lock::open_or_create(file) {
        let _ = file.set_modified(std::time::SystemTime::now());
    }
}

/// Listens to a server until it is dropped.
#[derive(Debug)]
pub struct Listener {
    stop: Arc<AtomicBool>,
}

impl Listener {
    /// Touches `file` whenever the server tells of a change, and whenever it comes back. `None` for
    /// a store in a file, which needs nobody to listen.
    pub fn start(address: &Address, file: PathBuf) -> Option<Self> {
        let Address::Postgres(server) = address else { return None };
        let stop = Arc::new(AtomicBool::new(false));
        let (server, ends) = (server.clone(), Arc::clone(&stop));
        let body = move || postgres::listen(&server, &ends, &|| touch(&file));
        std::thread::Builder::new().name("listen-store".to_owned()).spawn(body).ok()?;
        Some(Self { stop })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // The thread notices it within its next wait; nobody waits for it.
        self.stop.store(true, Ordering::Relaxed);
    }
}
