//! Open connections of a store, kept for the next call.

use super::{Address, Open, Store, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most connections that are kept. More are opened where more calls run at once.
const KEPT: usize = 4;

/// A store with connections that wait for their next use.
#[derive(Debug)]
pub struct Pool {
    address: Address,
    idle: Mutex<Vec<Kept>>,
    /// Whether those who watch could not be told of a change.
    is_untold: AtomicBool,
}

/// A connection, and the file that it is open on.
#[derive(Debug)]
struct Kept {
    store: Store,
    file: Option<FileId>,
}

/// Device and inode of a file of SQLite.
type FileId = (u64, u64);

impl Pool {
    /// Opens nothing yet.
    pub fn new(address: Address) -> Self {
        Self { address, idle: Mutex::default(), is_untold: AtomicBool::new(false) }
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Does something with a connection. One that was kept and is broken is replaced, once, if
    /// `work` only reads.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read<T>(
        &self,
        work: impl Fn(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Some(kept) = self.take() {
            match self.run(kept, &work) {
                Err(StoreError::Away(_)) => self.clear(),
                done => return done,
            }
        }
        self.run(self.opened(Open::Existing)?, work)
    }

    /// Changes something, through a new connection: a kept one may be broken, and nobody could tell
    /// whether the change was made.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn write<T>(
        &self,
        open: Open,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = self.run(self.opened(open)?, work);
        let may_be_done = matches!(done, Ok(_) | Err(StoreError::Unsure(_)));
        if may_be_done && !super::watch::tell(&self.address) {
            self.is_untold.store(true, Ordering::Relaxed);
        }
        done
    }

    /// Whether pickers and servers that run see a change only when they read the store again.
    pub fn is_untold(&self) -> bool {
        self.is_untold.load(Ordering::Relaxed)
    }

    fn opened(&self, open: Open) -> Result<Kept, StoreError> {
        // Looked at before it is opened: if it is replaced meanwhile, the connection is not reused.
        let file = self.file();
        Ok(Kept { store: Store::open(&self.address, open)?, file })
    }

    /// The file that is at the address now.
    fn file(&self) -> Option<FileId> {
        let Address::Sqlite(path) = &self.address else { return None };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            std::fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()))
        }
        #[cfg(not(unix))]
        {
            path.exists().then_some((0, 0))
        }
    }

    fn run<T>(
        &self,
        mut kept: Kept,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        use StoreError::{Away, Broken, Unsure};
        let done = work(&mut kept.store);
        let is_sound = !matches!(done, Err(Away(_) | Broken(_) | Unsure(_)));
        if is_sound && kept.store.database.sees_changes() {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < KEPT {
                idle.push(kept);
            }
        }
        done
    }

    fn take(&self) -> Option<Kept> {
        let now = self.file();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody else sees what happens in a file that was removed or replaced.
        idle.retain(|kept| kept.file == now);
        idle.pop()
    }

    fn clear(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
