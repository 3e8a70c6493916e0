//! The tables, in the versions in which they came. Each migration runs once, in one transaction.

use super::Open;
use super::database::{Connection, Database, Mode, Value, transaction};
use super::error::StoreError;
use crate::files::digest::sha256_hex;
use crate::text::SafeText;

/// One step of the tables.
#[derive(Debug)]
pub(super) struct Migration {
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

pub(super) const SQLITE: &[Migration] = &[Migration {
    name: "0001_skills",
    sql: include_str!("../../assets/migrations/sqlite/0001_skills.sql"),
}];

pub(super) const POSTGRES: &[Migration] = &[Migration {
    name: "0001_skills",
    sql: include_str!("../../assets/migrations/postgres/0001_skills.sql"),
}];

const TABLE: &str = "CREATE TABLE IF NOT EXISTS store_migrations (
    version BIGINT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL)";

/// Brings the tables up to date. Another program that does so at the same time is waited for.
///
/// # Errors
/// [`StoreError::Newer`] if they are newer than this program; [`StoreError::Broken`] if another
/// migration of the same name has made them; [`StoreError::Missing`] if there are none and none may
/// be made.
pub(super) fn migrate(database: &mut dyn Database, open: Open) -> Result<(), StoreError> {
    let (steps, tables_sql) = (database.migrations(), database.tables_sql());
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    let done =
        transaction(database, Mode::Read, |connection| applied(connection, tables_sql, steps))?;
    if done == known {
        return Ok(());
    }
    if done > known {
        return Err(StoreError::Newer(done, known));
    }
    if done == 0 && open == Open::Existing {
        return Err(StoreError::Missing);
    }
    let hold = database.migration_lock_sql();
    let migrated = transaction(database, Mode::Write, |connection| {
        connection.rows(hold, &[])?;
        connection.script(TABLE)?;
        let done = usize::try_from(applied(connection, tables_sql, steps)?).unwrap_or_default();
        for (number, step) in steps.iter().enumerate().skip(done) {
            connection.script(step.sql)?;
            let version = i64::try_from(number + 1).unwrap_or(i64::MAX);
            let digest = sha256_hex(step.sql.as_bytes());
            connection.run(
                "INSERT INTO store_migrations (version, name, digest) VALUES ($1, $2, $3)",
                &[version.into(), step.name.into(), Value::Text(digest)],
            )?;
        }
        Ok(())
    });
    migrated.map_err(|error| match error {
        // What was wanted comes after the tables, and was not begun.
        StoreError::Unsure(said) => StoreError::Away(said),
        error => error,
    })
}

/// How many migrations were done.
fn applied(
    connection: &mut dyn Connection,
    tables_sql: &str,
    steps: &[Migration],
) -> Result<i64, StoreError> {
    let counted = connection.rows(tables_sql, &[])?.pop().map_or(Ok(0), |mut row| row.int())?;
    if counted == 0 {
        return Ok(0);
    }
    let rows = connection
        .rows("SELECT version, name, digest FROM store_migrations ORDER BY version", &[])?;
    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    for (mut row, step) in rows.into_iter().zip(steps) {
        let (_, name, digest) = (row.int()?, row.text()?, row.text()?);
        if name != step.name || digest != sha256_hex(step.sql.as_bytes()) {
            return Err(StoreError::Broken(SafeText::fixed("its tables were made by other rules")));
        }
    }
    Ok(count)
}
