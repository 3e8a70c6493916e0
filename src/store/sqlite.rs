//! SQLite: one file of the person's own, with a write-ahead log. Readers never wait for a writer.

use super::Open;
use super::database::{Connection, Database, Mode, Row, Value, Work, misfit};
use super::error::StoreError;
use super::migrate::{Migration, SQLITE};
use crate::text::{SafeText, percent};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags, ToSql, TransactionBehavior};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long a writer waits for another one.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How many tables and indexes there are, and whether the table that only our stores have is one.
const TABLES: &str = "SELECT count(*), count(*) FILTER (WHERE name = 'store_migrations')
    FROM sqlite_schema";

pub(super) struct Sqlite {
    connection: rusqlite::Connection,
    /// Of a file that is read without locks: where it is, and what it was when it was opened.
    unlocked: Option<(PathBuf, Stamp)>,
}

/// When a file was written last, and its length.
type Stamp = (Option<SystemTime>, u64);

impl Sqlite {
    /// Opens the file, and writes nothing to it. A new one gets mode 600, also its log; its folders
    /// get mode 700. A file with the tables of another program is refused.
    pub(super) fn open(path: &Path, open: Open) -> Result<Self, StoreError> {
        match open {
            Open::OrCreate => create(path).map_err(|error| StoreError::away(&error))?,
            Open::Existing => match path.try_exists() {
                Ok(true) => {}
                Ok(false) => return Err(StoreError::Missing),
                Err(error) => return Err(StoreError::away(&error)),
            },
        }
        let real = path.canonicalize().map_err(|error| StoreError::away(&error))?;
        let mut sqlite = Self { connection: connected(&real)?, unlocked: None };
        if sqlite.connection.is_readonly("main").map_err(fault)? && !has_log(&real) {
            sqlite = Self::unlocked(real)?;
        }
        // Some of these read the file, so they come after the question whether it may be written.
        // FULL: what was acknowledged outlives a power failure.
        let settings = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;";
        sqlite.connection.execute_batch(settings).map_err(fault)?;
        let count = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (all, ours): (i64, i64) =
            sqlite.connection.query_row(TABLES, [], count).map_err(fault)?;
        if all > 0 && ours == 0 {
            return Err(StoreError::Broken(SafeText::fixed("it has tables of another program")));
        }
        Ok(sqlite)
    }

    /// Opens a file that may only be read and that nobody writes now. The locks and the log would
    /// be files of ours beside it, which its owner could not write.
    fn unlocked(path: PathBuf) -> Result<Self, StoreError> {
        let stamp = stamp(&path)?;
        let encoded = percent::encoded(path.as_os_str().as_encoded_bytes());
        let connection = connected(Path::new(&format!("file://{encoded}?immutable=1")))?;
        Ok(Self { connection, unlocked: Some((path, stamp)) })
    }
}

fn connected(path: &Path) -> Result<rusqlite::Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = rusqlite::Connection::open_with_flags(path, flags).map_err(fault)?;
    connection.busy_timeout(TIMEOUT).map_err(fault)?;
    Ok(connection)
}

/// Whether somebody has the file open, or was killed with it: its log may have changes.
fn has_log(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    Path::new(&name).exists()
}

fn stamp(path: &Path) -> Result<Stamp, StoreError> {
    let meta = std::fs::metadata(path).map_err(|error| StoreError::away(&error))?;
    Ok((meta.modified().ok(), meta.len()))
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
        if mode == Mode::Write {
            // It stays so. A new file gets it before its first table.
            self.connection.execute_batch("PRAGMA journal_mode = WAL").map_err(fault)?;
        }
        let transaction = self.connection.transaction_with_behavior(behavior).map_err(fault)?;
        let worked = work(&mut Session(&transaction));
        if let Some((path, before)) = &self.unlocked
            && (has_log(path) || stamp(path)? != *before)
        {
            return Err(StoreError::Busy);
        }
        worked?;
        let ended = match mode {
            Mode::Read | Mode::Write => transaction.commit(),
            Mode::DryRun => transaction.rollback(),
        };
        ended.map_err(fault)
    }

    fn sees_changes(&self) -> bool {
        self.unlocked.is_none()
    }

    fn migrations(&self) -> &'static [Migration] {
        SQLITE
    }

    fn migration_lock_sql(&self) -> &'static str {
        // An immediate transaction holds the whole file.
        "SELECT 1"
    }

    fn tables_sql(&self) -> &'static str {
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
    let said = || match &error {
        // The whole statement would follow.
        rusqlite::Error::SqlInputError { msg, .. } => SafeText::line(msg),
        error => SafeText::line(&error.to_string()),
    };
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
