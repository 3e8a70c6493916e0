//! What the two databases have in common: statements with bound values, and transactions.
//!
//! Every statement is written once, in what both understand. Values are `$1`, `$2` …, and appear in
//! this order for the first time, since SQLite counts them so.

use super::error::StoreError;
use crate::text::SafeText;

/// A value that is bound, or was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Int(i64::from(truth))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A row that was read, column by column.
#[derive(Debug)]
pub(super) struct Row(std::vec::IntoIter<Value>);

impl Row {
    pub(super) fn new(values: Vec<Value>) -> Self {
        Self(values.into_iter())
    }

    pub(super) fn int(&mut self) -> Result<i64, StoreError> {
        match self.0.next() {
            Some(Value::Int(number)) => Ok(number),
            _ => Err(misfit()),
        }
    }

    pub(super) fn flag(&mut self) -> Result<bool, StoreError> {
        Ok(self.int()? != 0)
    }

    pub(super) fn text(&mut self) -> Result<String, StoreError> {
        self.maybe_text()?.ok_or_else(misfit)
    }

    pub(super) fn maybe_text(&mut self) -> Result<Option<String>, StoreError> {
        match self.0.next() {
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(Value::Null) => Ok(None),
            _ => Err(misfit()),
        }
    }

    pub(super) fn maybe_int(&mut self) -> Result<Option<i64>, StoreError> {
        match self.0.next() {
            Some(Value::Int(number)) => Ok(Some(number)),
            Some(Value::Null) => Ok(None),
            _ => Err(misfit()),
        }
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        match self.0.next() {
            Some(Value::Bytes(bytes)) => Ok(bytes),
            _ => Err(misfit()),
        }
    }
}

/// A column is of another kind than our tables have.
pub(super) fn misfit() -> StoreError {
    StoreError::Broken(SafeText::fixed("a value is not what it should be"))
}

/// A transaction in progress. Every error is [`StoreError`]: the database cannot be reached, or
/// refuses. Then the transaction is given up.
pub(super) trait Connection {
    /// Runs a statement. Returns how many rows it changed.
    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError>;
    /// The rows of a query.
    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError>;
    /// The first row of a query.
    fn row(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, values)?.into_iter().next())
    }
    /// Runs several statements without values.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;
    /// Tells those that listen, once the transaction is done, that a project has changed.
    fn announce(&mut self, project: &str) -> Result<(), StoreError>;
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Read,
    /// Excludes others from what is written; the changes are durable at the end.
    Write,
    /// As `Write`, but everything is rolled back at the end.
    DryRun,
}

/// What is done in a transaction.
pub(super) type Work<'a> = &'a mut dyn FnMut(&mut dyn Connection) -> Result<(), StoreError>;

/// A database that is open.
pub(super) trait Database: Send {
    /// Does some work in one transaction. If the work fails, nothing was done.
    fn transaction(&mut self, mode: Mode, work: Work<'_>) -> Result<(), StoreError>;
    /// The migrations in its dialect, in order.
    fn migrations(&self) -> &'static [super::migrate::Migration];
    /// The statement that holds off other programs that would migrate at the same time.
    fn migration_lock_sql(&self) -> &'static str;
    /// The query that tells whether the table of migrations is there.
    fn tables_sql(&self) -> &'static str;
    /// Whether a later transaction sees what others have changed meanwhile.
    fn sees_changes(&self) -> bool {
        true
    }
}

/// Like [`Database::transaction`], with a result.
pub(super) fn transaction<T>(
    database: &mut dyn Database,
    mode: Mode,
    work: impl FnOnce(&mut dyn Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let (mut work, mut result) = (Some(work), None);
    database.transaction(mode, &mut |connection| {
        let work = work.take().ok_or_else(misfit)?;
        result = Some(work(connection)?);
        Ok(())
    })?;
    result.ok_or_else(misfit)
}
