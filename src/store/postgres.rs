//! PostgreSQL. Each connection has a small runtime of its own, so nothing here may be called on a
//! thread that runs an async runtime. Nothing is waited for without a limit: a server may accept a
//! connection and never say a word.

use super::database::{Connection, Database, Mode, Row, Value, Work, misfit};
use super::error::StoreError;
use super::migrate::{Migration, POSTGRES};
use super::threads::start_thread;
use super::tls;
use crate::text::{SafeText, not_started};
use std::collections::HashMap;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{Format, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{AsyncMessage, Client, Config, IsolationLevel, Statement};

/// How long the server may take to let us in, and to begin a transaction.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How long it may take for anything else. It gives up itself a little earlier.
const ANSWER: Duration = Duration::from_secs(30);
/// How long a server that let nobody in is not asked again.
const PAUSE: Duration = Duration::from_secs(10);
/// How long a lost connection is waited for.
const LOST: Duration = Duration::from_secs(10);
/// How often a listener looks whether it should end, and how long it rests after a failure.
const LOOK: Duration = Duration::from_secs(30);
const REST: Duration = Duration::from_millis(500);
/// On which changes are told.
const CHANNEL: &str = "skillpick";
/// Whatever the role says: what is acknowledged is on the disk, and nobody waits for ever.
const SETTINGS: &str = "SET synchronous_commit = on; SET statement_timeout = '25s';
    SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '60s';
    SET client_min_messages = 'warning'; SET standard_conforming_strings = on";

/// The servers that let nobody in, by their URLs, and when that was. Who asks them again and again
/// would wait each time.
static SILENT: Mutex<Vec<(String, Instant)>> = Mutex::new(Vec::new());

pub(super) struct Postgres {
    client: Client,
    prepared: HashMap<String, Statement>,
    line: Line,
}

/// The runtime of one connection.
struct Line(Option<Runtime>);

/// A connection, and what the server tells on it without being asked.
struct Connected {
    line: Line,
    client: Client,
    told: UnboundedReceiver<()>,
}

impl Line {
    /// Names of servers are looked up on a thread of the runtime.
    fn new() -> Result<Self, StoreError> {
        let made = Builder::new_current_thread().enable_all().build();
        let started = made.and_then(|runtime| start_thread(&runtime).map(|()| runtime));
        Ok(Self(Some(started.map_err(|error| StoreError::away(&not_started(&error)))?)))
    }

    /// What comes of some work; `None` if it takes longer than `limit`.
    fn within<T>(&self, limit: Duration, work: impl Future<Output = T>) -> Option<T> {
        let runtime = self.0.as_ref()?;
        runtime.block_on(async { timeout(limit, work).await.ok() })
    }

    fn ask<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StoreError> {
        let done = self.within(limit, work).ok_or_else(silent)?;
        done.map_err(|error| fault(&error))
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // It may still look for the address of the server, which nobody waits for.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

fn silent() -> StoreError {
    StoreError::away(&"the server does not answer")
}

impl Postgres {
    /// # Errors
    /// [`StoreError::Away`] or [`StoreError::Refused`].
    pub(super) fn open(url: &str) -> Result<Self, StoreError> {
        let Connected { line, client, .. } = connect(url)?;
        Ok(Self { client, prepared: HashMap::new(), line })
    }
}

/// Connects. Beyond this machine only with TLS, unless the URL says `sslmode=disable`.
fn connect(url: &str) -> Result<Connected, StoreError> {
    let (config, roots) = configured(url)?;
    let tls = tls::connector(roots.as_deref())?;
    let patience = config.get_connect_timeout().copied().unwrap_or(TIMEOUT);
    let hosts = config.get_hosts().len().max(config.get_hostaddrs().len()).max(1);
    let patience = patience.saturating_mul(u32::try_from(hosts).unwrap_or(1));
    let silent_ones = || SILENT.lock().unwrap_or_else(PoisonError::into_inner);
    {
        let mut known = silent_ones();
        known.retain(|(_, since)| since.elapsed() < PAUSE);
        if known.iter().any(|(known, _)| known == url) {
            return Err(silent());
        }
    }
    let line = Line::new()?;
    let (tell, told) = unbounded_channel();
    let entered = line.within(patience, async {
        let (client, mut connection) = config.connect(tls).await?;
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await
            {
                if matches!(message, AsyncMessage::Notification(_)) {
                    // Most connections have nobody who listens.
                    let _ = tell.send(());
                }
            }
        });
        client.batch_execute(SETTINGS).await?;
        Ok(client)
    });
    match entered {
        Some(entered) => {
            let client = entered.map_err(|error| fault(&error))?;
            Ok(Connected { line, client, told })
        }
        None => {
            silent_ones().push((url.to_owned(), Instant::now()));
            Err(silent())
        }
    }
}

/// How to connect, and the file of certificates that are trusted.
fn configured(url: &str) -> Result<(Config, Option<PathBuf>), StoreError> {
    let (url, roots) = root_file(url);
    let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
        // It may quote the URL, and so a password.
        let _ = error;
        StoreError::Refused(SafeText::fixed("the URL of the store cannot be read"))
    })?;
    if !is_here(&config) && config.get_ssl_mode() == SslMode::Prefer {
        config.ssl_mode(SslMode::Require);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(TIMEOUT);
    }
    config.tcp_user_timeout(LOST).keepalives_idle(LOST).application_name("skillpick");
    Ok((config, roots))
}

/// Whether the server is on this machine. Addresses count instead of names where both are given.
fn is_here(config: &Config) -> bool {
    let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
    if !addresses.is_empty() {
        return addresses.iter().all(IpAddr::is_loopback);
    }
    hosts.iter().all(|host| match host {
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// The URL without `sslrootcert`, which the driver does not know, and that file. Certificates are
/// verified with their names in any case, so that `verify-ca` and `verify-full` require TLS.
fn root_file(url: &str) -> (String, Option<PathBuf>) {
    let Some((before, options)) = url.split_once('?') else { return (url.to_owned(), None) };
    let (mut kept, mut roots) = (Vec::new(), None);
    for option in options.split('&') {
        match option.strip_prefix("sslrootcert=") {
            Some(file) => roots = Some(PathBuf::from(crate::text::percent::decoded(file))),
            None if matches!(option, "sslmode=verify-ca" | "sslmode=verify-full") => {
                kept.push("sslmode=require");
            }
            None => kept.push(option),
        }
    }
    let end = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    (format!("{before}{end}"), roots)
}

impl Database for Postgres {
    fn transaction(&mut self, mode: Mode, work: Work<'_>) -> Result<(), StoreError> {
        let Self { client, prepared, line } = self;
        let builder = client.build_transaction();
        // What is read in several queries belongs together.
        let builder = match mode {
            Mode::Write | Mode::DryRun => builder,
            Mode::Read => builder.read_only(true).isolation_level(IsolationLevel::RepeatableRead),
        };
        let transaction = line.ask(TIMEOUT, builder.start())?;
        let mut session = Session { transaction, prepared, line };
        let done = work(&mut session);
        let Session { transaction, .. } = session;
        match (done, mode) {
            (Ok(()), Mode::Read) => line.ask(ANSWER, transaction.commit()),
            (Ok(()), Mode::Write) => {
                line.ask(ANSWER, transaction.commit()).map_err(|error| match error {
                    // The server may have done it, and only its answer be lost.
                    StoreError::Away(said) => StoreError::Unsure(said),
                    error => error,
                })
            }
            (Ok(()), Mode::DryRun) => line.ask(ANSWER, transaction.rollback()),
            // Such a connection is not used again, and the server takes back what was begun.
            (Err(error @ StoreError::Away(_)), _) => Err(error),
            (Err(error), _) => {
                // Otherwise what is held would stay held until the connection's next use.
                let _ = line.ask(TIMEOUT, transaction.rollback());
                Err(error)
            }
        }
    }

    fn migrations(&self) -> &'static [Migration] {
        POSTGRES
    }

    fn migration_lock_sql(&self) -> &'static str {
        // The digits are those of "skillpick" on a telephone.
        "SELECT pg_advisory_xact_lock(754557425)::text"
    }

    fn tables_sql(&self) -> &'static str {
        "SELECT count(to_regclass('store_migrations'))"
    }
}

struct Session<'a> {
    transaction: tokio_postgres::Transaction<'a>,
    prepared: &'a mut HashMap<String, Statement>,
    line: &'a Line,
}

impl Session<'_> {
    fn statement(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(known) = self.prepared.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.line.ask(ANSWER, self.transaction.prepare(sql))?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Connection for Session<'_> {
    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let statement = self.statement(sql)?;
        self.line.ask(ANSWER, self.transaction.execute(&statement, &bound(values)))
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let statement = self.statement(sql)?;
        let found = self.line.ask(ANSWER, self.transaction.query(&statement, &bound(values)))?;
        let row = |row: &tokio_postgres::Row| {
            let values = (0..row.len()).map(|column| value(row, column));
            values.collect::<Result<_, _>>().map(Row::new)
        };
        found.iter().map(row).collect()
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.line.ask(ANSWER, self.transaction.batch_execute(sql))
    }

    fn announce(&mut self, project: &str) -> Result<(), StoreError> {
        let told = self.rows("SELECT pg_notify('skillpick', $1)::text", &[project.into()]);
        told.map(drop)
    }
}

fn bound(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as _).collect()
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

fn value(row: &tokio_postgres::Row, column: usize) -> Result<Value, StoreError> {
    let kind = row.columns().get(column).map(tokio_postgres::Column::type_).cloned();
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

fn fault(error: &tokio_postgres::Error) -> StoreError {
    let Some(told) = error.as_db_error() else {
        let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        let refused = cure(&cause).map(|cure| StoreError::Refused(SafeText::fixed(cure)));
        return refused.unwrap_or_else(|| StoreError::away(&cause));
    };
    let said = SafeText::line(told.message());
    let code = told.code();
    let class = code.code().get(..2).unwrap_or_default();
    match class {
        "08" | "53" | "57" | "58" => StoreError::Away(said),
        "40" => StoreError::Busy,
        "28" | "3D" | "25" => StoreError::Refused(said),
        // What the encoding of the database has not, and what is too long for it.
        "22" | "54" => StoreError::Unfit(said),
        _ if *code == SqlState::LOCK_NOT_AVAILABLE => StoreError::Busy,
        _ if *code == SqlState::INSUFFICIENT_PRIVILEGE => StoreError::Refused(said),
        _ => StoreError::Broken(said),
    }
}

/// What to do where the driver does not get in by the URL alone. It has no codes for that.
fn cure(cause: &str) -> Option<&'static str> {
    match cause {
        "password missing" => Some(
            "it wants a password; write it into the URL, postgres://NAME:PASSWORD@HOST/…, in \
             SKILLPICK_STORE or in your settings ([store] url)",
        ),
        "server does not support TLS" => Some(
            "it has no TLS, which is wanted beyond this machine; where the way to it is safe, \
             ?sslmode=disable in the URL does without",
        ),
        _ => None,
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
    let Connected { line, client, mut told } = connect(url)?;
    line.ask(TIMEOUT, client.batch_execute(&format!("LISTEN {CHANNEL}")))?;
    if !is_first {
        changed();
    }
    while !stop.load(Ordering::Relaxed) {
        match line.within(LOOK, told.recv()) {
            Some(Some(())) => changed(),
            Some(None) => {
                changed();
                return Err(StoreError::away(&"the connection is closed"));
            }
            None => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
