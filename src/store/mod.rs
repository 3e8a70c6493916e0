//! The store of a team: skills in a database, by project, with every version they had.
//!
//! [`Store`] has all statements once. What differs between SQLite and PostgreSQL is beneath it, in
//! [`database`]: how a connection is made, how a transaction begins, and how values are bound. This
//! room knows texts, files and digests, but no hosts, settings or verdicts.

mod address;
mod bundle;
mod change;
mod check;
mod database;
mod error;
mod fetch;
mod migrate;
mod mirror;
mod model;
mod pool;
mod postgres;
mod snapshot;
mod sqlite;
mod threads;
mod tls;
mod versions;
mod watch;
mod zip;

pub use address::{Address, AddressError};
pub use bundle::{
    Bundle, BundleError, BundleFile, MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES, version_digest,
};
pub use check::check_project_name;
pub use error::{Overtaken, StoreError};
pub use mirror::{folder_name, is_as_stored, note_use, provide, sweep};
pub use model::{
    Action, Change, Draft, Expected, NewProject, Precedence, Project, Put, StoredSkill, Version,
};
pub use pool::Pool;
pub use snapshot::{KnownRow, Snapshot, SnapshotRows};
pub use threads::start_thread;
pub use watch::{Listener, watched_files};
pub use zip::{MAX_ZIP_BYTES, Unpacked, read_zip};

use database::{Connection, Database, Mode};

/// A store that is open. Every call is one transaction: what it has acknowledged is durable, and
/// what it has not is not there.
pub struct Store {
    database: Box<dyn Database>,
    /// How a change ends.
    changes: Mode,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Store")
    }
}

/// Whether a store may be made that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    Existing,
    /// Makes the file of SQLite, and the tables. A database of PostgreSQL must exist.
    OrCreate,
}

impl Store {
    /// Opens a store and brings its tables up to date.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Missing`] if there is none and none may be made.
    pub fn open(address: &Address, open: Open) -> Result<Self, StoreError> {
        let mut database: Box<dyn Database> = match address {
            Address::Sqlite(path) => Box::new(sqlite::Sqlite::open(path, open)?),
            Address::Postgres(server) => Box::new(postgres::Postgres::open(server)?),
        };
        migrate::migrate(&mut *database, open)?;
        Ok(Self { database, changes: Mode::Write })
    }

    /// Does some work whose changes are rolled back, to tell what would come of them.
    ///
    /// # Errors
    /// Those of the work.
    pub fn dry_run<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.changes = Mode::DryRun;
        let done = work(self);
        self.changes = Mode::Write;
        done
    }

    fn read<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        database::transaction(&mut *self.database, Mode::Read, work)
    }

    fn write<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        database::transaction(&mut *self.database, self.changes, work)
    }
}

#[cfg(test)]
pub(crate) mod tests;
