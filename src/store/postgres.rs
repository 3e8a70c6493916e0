//! PostgreSQL. The crate `postgres` has a small runtime of its own for each connection, so nothing
//! here may be called on a thread that runs an async runtime.

use super::database::{Connection, Database, Mode, Row, Value, Work, misfit};
use super::error::StoreError;
use super::migrate::{Migration, POSTGRES};
use super::tls;
use crate::text::SafeText;
use postgres::config::{Host, SslMode};
use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::private::BytesMut;
use postgres::types::{Format, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, Statement};
use std::collections::HashMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long the server may take to answer a connection.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long a lost connection is waited for.
const LOST: Duration = Duration::from_secs(10);
/// How often a listener looks whether it should end, and how long it rests after a failure.
const LOOK: Duration = Duration::from_secs(30);
const REST: Duration = Duration::from_millis(500);
/// On which changes are told.
const CHANNEL: &str = "skillpick";
/// Whatever the role says: what is acknowledged is on the disk, and nobody waits for ever.
const SETTINGS: &str = "SET synchronous_commit = on; SET statement_timeout = '60s';
    SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '60s';
    SET client_min_messages = 'warning'; SET standard_conforming_strings = on";

pub(super) struct Postgres {
    client: Client,
    prepared: HashMap<String, Statement>,
}

impl Postgres {
    /// # Errors
    /// [`StoreError::Away`] or [`StoreError::Refused`].
    pub(super) fn open(url: &str) -> Result<Self, StoreError> {
        Ok(Self { client: connect(url)?, prepared: HashMap::new() })
    }
}

/// Connects. Beyond this machine only with TLS, unless the URL says `sslmode=disable`.
fn connect(url: &str) -> Result<Client, StoreError> {
    let (url, roots) = root_file(url);
    let mut config: Config = url.parse().map_err(|error: postgres::Error| {
        // It may quote the URL, and so a password.
        let _ = error;
        StoreError::Refused(SafeText::fixed("the URL of the store cannot be read"))
    })?;
    let is_here = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
        #[cfg(unix)]
        Host::Unix(_) => true,
    });
    if !is_here && config.get_ssl_mode() == SslMode::Prefer {
        config.ssl_mode(SslMode::Require);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    config.tcp_user_timeout(LOST).keepalives_idle(LOST).application_name("skillpick");
    let mut client = config.connect(tls::connector(roots.as_deref())?).map_err(|e| fault(&e))?;
    client.batch_execute(SETTINGS).map_err(|error| fault(&error))?;
    Ok(client)
}

/// The URL without `sslrootcert`, which the driver does not know, and that file.
fn root_file(url: &str) -> (String, Option<PathBuf>) {
    let Some((before, options)) = url.split_once('?') else { return (url.to_owned(), None) };
    let (mut kept, mut roots) = (Vec::new(), None);
    for option in options.split('&') {
        match option.strip_prefix("sslrootcert=") {
            Some(file) => roots = Some(PathBuf::from(crate::text::percent::decoded(file))),
            None => kept.push(option),
        }
    }
    let end = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    (format!("{before}{end}"), roots)
}

impl Database for Postgres {
    fn transaction(&mut self, mode: Mode, work: Work<'_>) -> Result<(), StoreError> {
        let builder = self.client.build_transaction();
        // What is read in several queries belongs together.
        let builder = match mode {
            Mode::Write | Mode::DryRun => builder,
            Mode::Read => {
                builder.read_only(true).isolation_level(postgres::IsolationLevel::RepeatableRead)
            }
        };
        let transaction = builder.start().map_err(|error| fault(&error))?;
        let mut session = Session { transaction, prepared: &mut self.prepared };
        work(&mut session)?;
        let ended = match mode {
            Mode::Read | Mode::Write => session.transaction.commit(),
            Mode::DryRun => session.transaction.rollback(),
        };
        ended.map_err(|error| fault(&error))
    }

    fn migrations(&self) -> &'static [Migration] {
        POSTGRES
    }

    fn hold(&self) -> &'static str {
        // The digits are those of "skillpick" on a telephone.
        "SELECT pg_advisory_xact_lock(754557425)::text"
    }

    fn has_tables(&self) -> &'static str {
        "SELECT count(to_regclass('store_migrations'))"
    }
}

struct Session<'a> {
    transaction: postgres::Transaction<'a>,
    prepared: &'a mut HashMap<String, Statement>,
}

impl Session<'_> {
    fn statement(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(known) = self.prepared.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.transaction.prepare(sql).map_err(|error| fault(&error))?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Connection for Session<'_> {
    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let statement = self.statement(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        self.transaction.execute(&statement, &values).map_err(|error| fault(&error))
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let statement = self.statement(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let found = self.transaction.query(&statement, &values).map_err(|error| fault(&error))?;
        let row = |row: &postgres::Row| {
            let values = (0..row.len()).map(|column| value(row, column));
            values.collect::<Result<_, _>>().map(Row::new)
        };
        found.iter().map(row).collect()
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.transaction.batch_execute(sql).map_err(|error| fault(&error))
    }

    fn announce(&mut self, project: &str) -> Result<(), StoreError> {
        let told = self.rows("SELECT pg_notify('skillpick', $1)::text", &[project.into()]);
        told.map(drop)
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => return Ok(IsNull::Yes),
            Self::Int(number) if *kind == Type::INT4 => {
                out.extend_from_slice(&i32::try_from(*number)?.to_be_bytes());
            }
            Self::Int(number) => out.extend_from_slice(&number.to_be_bytes()),
            Self::Text(text) => out.extend_from_slice(text.as_bytes()),
            Self::Bytes(bytes) => out.extend_from_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Binary
    }

    to_sql_checked!();
}

fn value(row: &postgres::Row, column: usize) -> Result<Value, StoreError> {
    let kind = row.columns().get(column).map(postgres::Column::type_).cloned();
    let found = match kind {
        Some(Type::INT8) => row.try_get::<_, Option<i64>>(column).map(|it| it.map(Value::Int)),
        Some(Type::INT4) => row
            .try_get::<_, Option<i32>>(column)
            .map(|it| it.map(|number| Value::Int(i64::from(number)))),
        Some(Type::BYTEA) => {
            row.try_get::<_, Option<Vec<u8>>>(column).map(|it| it.map(Value::Bytes))
        }
        Some(Type::TEXT | Type::VARCHAR | Type::NAME) => {
            row.try_get::<_, Option<String>>(column).map(|it| it.map(Value::Text))
        }
        _ => return Err(misfit()),
    };
    found.map(|value| value.unwrap_or(Value::Null)).map_err(|_| misfit())
}

fn fault(error: &postgres::Error) -> StoreError {
    let Some(told) = error.as_db_error() else {
        let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        return StoreError::away(&cause);
    };
    let said = SafeText::line(told.message());
    let code = told.code();
    let class = code.code().get(..2).unwrap_or_default();
    match class {
        "08" | "53" | "57" | "58" => StoreError::Away(said),
        "40" => StoreError::Busy,
        "28" | "3D" | "25" => StoreError::Refused(said),
        _ if *code == SqlState::LOCK_NOT_AVAILABLE => StoreError::Busy,
        _ if *code == SqlState::INSUFFICIENT_PRIVILEGE => StoreError::Refused(said),
        _ => StoreError::Broken(said),
    }
}

/// Calls `changed` for every change that the server tells, and after each time without connection.
/// Ends some time after `stop` is set.
pub(super) fn listen(url: &str, stop: &AtomicBool, changed: &dyn Fn()) {
    let mut is_first = true;
    while !stop.load(Ordering::Relaxed) {
        let ended = hear(url, stop, changed, is_first);
        is_first = false;
        if ended.is_ok() {
            return;
        }
        std::thread::sleep(REST);
    }
}

/// Listens until the connection is lost. What was missed before it was made counts as a change.
fn hear(
    url: &str,
    stop: &AtomicBool,
    changed: &dyn Fn(),
    is_first: bool,
) -> Result<(), StoreError> {
    let mut client = connect(url)?;
    client.batch_execute(&format!("LISTEN {CHANNEL}")).map_err(|error| fault(&error))?;
    if !is_first {
        changed();
    }
    while !stop.load(Ordering::Relaxed) {
        let next = client.notifications().timeout_iter(LOOK).next();
        match next.map_err(|error| fault(&error)) {
            Ok(Some(_)) => changed(),
            Ok(None) if client.is_closed() => {
                changed();
                return Err(StoreError::away(&"the connection is closed"));
            }
            Ok(None) => {}
            Err(error) => {
                changed();
                return Err(error);
            }
        }
    }
    Ok(())
}
