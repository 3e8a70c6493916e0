//! SQLite: one file of the person's own, with a write-ahead log. Readers never wait for a writer.

use super::Open;
use super::database::{Connection, Database, Mode, Row, Value, Work, misfit};
use super::error::StoreError;
use super::migrate::{Migration, SQLITE};
use crate::files::write::persist_at_free;
use crate::text::{SafeText, percent};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags, ToSql, TransactionBehavior, ffi};
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
    /// Of a file that is only read: how it was opened, and why nothing can be written, unless the
    /// database says so itself.
    alone: Option<(Alone, Option<StoreError>)>,
}

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
        let connection = connected(&real, TIMEOUT).map_err(fault)?;
        if connection.is_readonly("main").map_err(fault)? && !has_log(&real) {
            return Self::alone(&real, None);
        }
        match (Self { connection, alone: None }).prepared() {
            Err(why) if is_beside(&why) => Self::alone(&real, Some(why.clone())).map_err(|_| why),
            opened => opened,
        }
    }

    fn alone(path: &Path, why: Option<StoreError>) -> Result<Self, StoreError> {
        let (connection, alone) = Alone::open(path, TIMEOUT)?;
        Self { connection, alone: Some((alone, why)) }.prepared()
    }

    /// Some of these read the file, so they come after the question whether it may be written.
    fn prepared(self) -> Result<Self, StoreError> {
        // FULL: what was acknowledged outlives a power failure.
        let settings = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;";
        self.connection.execute_batch(settings).map_err(fault)?;
        let count = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (all, ours): (i64, i64) =
            self.connection.query_row(TABLES, [], count).map_err(fault)?;
        if all > 0 && ours == 0 {
            return Err(StoreError::Broken(SafeText::fixed("it has tables of another program")));
        }
        Ok(self)
    }
}

/// A file that is read without the locks and the log that SQLite lays beside it: its owner could
/// not write them, or there is no space for them.
#[derive(Debug)]
pub(super) struct Alone {
    path: PathBuf,
    stamp: Stamp,
}

/// When a file was written last, its length, and that of its log.
type Stamp = (Option<SystemTime>, u64, u64);

impl Alone {
    /// Without a log the file is taken as one that nobody writes, and looked at again after it was
    /// read. Changes in a log count, so then SQLite keeps its index in memory; for that nobody else
    /// may have the file open.
    pub(super) fn open(
        path: &Path,
        patience: Duration,
    ) -> Result<(rusqlite::Connection, Self), StoreError> {
        let stamp = stamp(path)?;
        let opened = if stamp.2 > 0 {
            connected(path, patience).and_then(|connection| {
                connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE;")?;
                // Else the log would be written into the file when it is closed.
                connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
                Ok(connection)
            })
        } else {
            let encoded = percent::encoded(path.as_os_str().as_encoded_bytes());
            connected(Path::new(&format!("file://{encoded}?immutable=1")), patience)
        };
        Ok((opened.map_err(fault)?, Self { path: path.to_owned(), stamp }))
    }

    /// Whether nobody has written it since. Otherwise what was read may be of two times.
    pub(super) fn is_same(&self) -> bool {
        stamp(&self.path).is_ok_and(|now| now == self.stamp)
    }
}

/// Whether it may be because of the files beside a database that it cannot be read.
pub(super) fn is_beside(error: &StoreError) -> bool {
    matches!(error, StoreError::Away(_) | StoreError::Refused(_))
}

pub(super) fn connected(path: &Path, patience: Duration) -> rusqlite::Result<rusqlite::Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = rusqlite::Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(patience)?;
    Ok(connection)
}

/// Whether the log has something: somebody has the file open, or was killed with it.
fn has_log(path: &Path) -> bool {
    log_bytes(path) > 0
}

fn log_bytes(path: &Path) -> u64 {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    std::fs::metadata(name).map_or(0, |meta| meta.len())
}

fn stamp(path: &Path) -> Result<Stamp, StoreError> {
    let meta = std::fs::metadata(path).map_err(|error| StoreError::away(&error))?;
    Ok((meta.modified().ok(), meta.len(), log_bytes(path)))
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
    match persist_at_free(made, path) {
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
        if mode != Mode::Read
            && let Some((_, Some(why))) = &self.alone
        {
            return Err(why.clone());
        }
        if mode == Mode::Write {
            // It stays so. A new file gets it before its first table.
            self.connection.execute_batch("PRAGMA journal_mode = WAL").map_err(fault)?;
        }
        let transaction = self.connection.transaction_with_behavior(behavior).map_err(fault)?;
        let worked = work(&mut Session(&transaction));
        if self.alone.as_ref().is_some_and(|(alone, _)| !alone.is_same()) {
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
        self.alone.is_none()
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
        Some(_) if is_full(&error) => StoreError::Away(SafeText::fixed("no space is left")),
        Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => StoreError::Away(said()),
        _ => StoreError::Broken(said()),
    }
}

/// Whether there was no space: for a page, or for the locks beside the file.
fn is_full(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(code, Some(ffi::SQLITE_FULL | ffi::SQLITE_IOERR_SHMSIZE))
}
