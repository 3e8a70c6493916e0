//! SQLite: one file of the person's own, with a write-ahead log. Readers never wait for a writer.

use super::Open;
use super::database::{Connection, Database, Mode, Row, Value, Work, misfit};
use super::error::StoreError;
use super::migrate::{Migration, SQLITE};
use crate::text::SafeText;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags, ToSql, TransactionBehavior};
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Sqlite(rusqlite::Connection);

impl Sqlite {
    /// Opens the file. A new one gets mode 600, also its log; its folders get mode 700.
    pub(super) fn open(path: &Path, open: Open) -> Result<Self, StoreError> {
        match open {
            Open::OrCreate => create(path).map_err(|error| StoreError::away(&error))?,
            Open::Existing => match path.try_exists() {
                Ok(true) => {}
                Ok(false) => return Err(StoreError::Missing),
                Err(error) => return Err(StoreError::away(&error)),
            },
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let real = path.canonicalize().map_err(|error| StoreError::away(&error))?;
        let connection = rusqlite::Connection::open_with_flags(real, flags).map_err(fault)?;
        connection.busy_timeout(PATIENCE).map_err(fault)?;
        // FULL: what was acknowledged outlives a power failure.
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;";
        connection.execute_batch(settings).map_err(fault)?;
        Ok(Self(connection))
    }
}

/// Makes an empty file of mode 600, unless there is one, and its folders with mode 700.
///
/// The file gets its name when nobody has it open any more: a process that closes a file loses all
/// locks that its other threads hold on it, and SQLite counts on them.
pub(super) fn create(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut folders = std::fs::DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders.create(folder)?;
    if path.try_exists()? {
        return Ok(());
    }
    let made = tempfile::NamedTempFile::new_in(folder)?.into_temp_path();
    match made.persist_noclobber(path) {
        Err(failed) if failed.error.kind() != ErrorKind::AlreadyExists => Err(failed.error),
        _ => Ok(()),
    }
}

impl Database for Sqlite {
    fn transaction(&mut self, mode: Mode, work: Work<'_>) -> Result<(), StoreError> {
        let behavior = match mode {
            Mode::Read => TransactionBehavior::Deferred,
            Mode::Write | Mode::DryRun => TransactionBehavior::Immediate,
        };
        let transaction = self.0.transaction_with_behavior(behavior).map_err(fault)?;
        work(&mut Session(&transaction))?;
        let ended = match mode {
            Mode::Read | Mode::Write => transaction.commit(),
            Mode::DryRun => transaction.rollback(),
        };
        ended.map_err(fault)
    }

    fn migrations(&self) -> &'static [Migration] {
        SQLITE
    }

    fn hold(&self) -> &'static str {
        // An immediate transaction holds the whole file.
        "SELECT 1"
    }

    fn has_tables(&self) -> &'static str {
        "SELECT count(*) FROM sqlite_schema WHERE name = 'store_migrations'"
    }
}

struct Session<'a>(&'a rusqlite::Connection);

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl Connection for Session<'_> {
    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let mut statement = self.0.prepare_cached(sql).map_err(fault)?;
        let changed = statement.execute(rusqlite::params_from_iter(values)).map_err(fault)?;
        Ok(changed as u64)
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let mut statement = self.0.prepare_cached(sql).map_err(fault)?;
        let columns = statement.column_count();
        let mut found = statement.query(rusqlite::params_from_iter(values)).map_err(fault)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(fault)? {
            let value = |column| value(row.get_ref(column).map_err(fault)?);
            rows.push(Row::new((0..columns).map(value).collect::<Result<_, _>>()?));
        }
        Ok(rows)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.0.execute_batch(sql).map_err(fault)
    }

    fn announce(&mut self, _: &str) -> Result<(), StoreError> {
        // Those who watch look at a file; see `super::watch`.
        Ok(())
    }
}

fn value(value: ValueRef<'_>) -> Result<Value, StoreError> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| misfit());
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(bytes) => Value::Text(text(bytes)?),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        ValueRef::Real(_) => return Err(misfit()),
    })
}

pub(super) fn fault(error: rusqlite::Error) -> StoreError {
    let said = || SafeText::line(&error.to_string());
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::Broken(said()),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::Refused(said()),
        Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure | ErrorCode::DiskFull) => {
            StoreError::Away(said())
        }
        _ => StoreError::Broken(said()),
    }
}
