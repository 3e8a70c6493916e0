//! What was last read of a project, kept in the cache: for the next start, and for the time when
//! the store cannot be reached. Everything here can be read again, so a broken file is made anew.

use super::error::StoreError;
use super::model::{Precedence, Project, StoredSkill};
use super::sqlite::{Alone, connected, create, fault, is_beside};
use crate::files::lock::{Lock, LockError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Other tables go to a file of another name: this one may be open in an older program, which
/// removes the log by its name when it ends.
const FILE: &str = "snapshot-3.db";
/// Another process writes the same, so it is not worth waiting for long.
const TIMEOUT: Duration = Duration::from_millis(250);

/// Texts are long, so large pages take fewer writes.
const SETTINGS: &str = "PRAGMA page_size = 32768; PRAGMA journal_mode = WAL;";

const TABLES: &str = "
    CREATE TABLE project (id TEXT, name TEXT, precedence TEXT, revision INTEGER, newest TEXT,
        skills INTEGER, created_ms INTEGER, created_by TEXT, read_ms INTEGER, program TEXT);
    CREATE TABLE skills (name TEXT, version TEXT, bundled INTEGER, number INTEGER, author TEXT,
        updated_ms INTEGER, bytes INTEGER, head BLOB);
    CREATE TABLE texts (version TEXT PRIMARY KEY, content TEXT NOT NULL);
    PRAGMA user_version = 1;";

/// What is kept of a [`StoredSkill`], and what its reader has made of the head of its text: the
/// head has the description and the metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRow {
    pub name: String,
    pub version: String,
    pub bundled: bool,
    pub number: i64,
    pub author: String,
    pub updated_ms: i64,
    pub bytes: i64,
    pub head: Vec<u8>,
}

impl KnownRow {
    pub fn new(skill: StoredSkill, head: Vec<u8>) -> Self {
        let StoredSkill { name, version, bundled, number, author, updated_ms, bytes, .. } = skill;
        Self { name, version, bundled, number, author, updated_ms, bytes, head }
    }
}

/// A project as it was read last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotRows {
    pub project: Project,
    /// Unix time in milliseconds when it was known to be so.
    pub read_ms: i64,
    pub rows: Vec<KnownRow>,
}

/// The file of one project in one store.
#[derive(Debug)]
pub struct Snapshot {
    connection: Connection,
    /// If it is only read.
    alone: Option<Alone>,
}

impl Snapshot {
    /// Opens the file in this folder, which is made if it is missing. Heads that another program
    /// than `program` has made do not count.
    ///
    /// Where nothing can be written, as on a full disk, the file is only read.
    ///
    /// # Errors
    /// There is no file, and the folder cannot be written.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        create(&folder.join(FILE)).map_err(|error| StoreError::away(&error))?;
        let folder = folder.canonicalize().map_err(|error| StoreError::away(&error))?;
        let file = folder.join(FILE);
        if let Ok(Some(ready)) = Self::ready(&file) {
            return Ok(ready);
        }
        // One at a time, so that nobody removes what another one has just made.
        let lock = Lock::beside(&file).map_err(|error| match error {
            LockError::Busy => StoreError::Busy,
            error @ LockError::Io(_) => StoreError::away(&error),
        });
        let opened = lock.and_then(|_lock| match Self::at(&file) {
            Err(StoreError::Broken(_)) => Self::anew(&file),
            opened => opened,
        });
        match opened {
            // It is there, and only what belongs beside it cannot be made.
            Err(why) if is_beside(&why) => Self::alone(&file).map_err(|_| why),
            opened => opened,
        }
    }

    /// Opens the file to read it only.
    fn alone(file: &Path) -> Result<Self, StoreError> {
        let (connection, alone) = Alone::open(file, TIMEOUT)?;
        Ok(Self { connection, alone: Some(alone) })
    }

    /// Replaces everything in this folder's file. A damaged file is made anew; then the heads whose
    /// texts are not among these are left out, so that the next reader takes text and head again.
    ///
    /// # Errors
    /// Nothing was replaced.
    pub fn write(
        folder: &Path,
        rows: &SnapshotRows,
        texts: &HashMap<String, String>,
        program: &str,
    ) -> Result<(), StoreError> {
        let done = Self::open(folder)?.replace(rows, texts, program);
        let Err(StoreError::Broken(_)) = done else { return done };
        let folder = folder.canonicalize().map_err(|error| StoreError::away(&error))?;
        let file = folder.join(FILE);
        let _lock = Lock::beside(&file).map_err(|error| StoreError::away(&error))?;
        // Another process may have made it anew meanwhile.
        let done = Self::at(&file).and_then(|mut it| it.replace(rows, texts, program));
        let Err(StoreError::Broken(_)) = done else { return done };
        let mut rows = rows.clone();
        let is_known = |row: &KnownRow| texts.contains_key(&row.version);
        rows.rows.iter_mut().filter(|row| !is_known(row)).for_each(|row| row.head.clear());
        Self::anew(&file)?.replace(&rows, texts, program)
    }

    /// Makes the file anew, whose lock the caller has.
    fn anew(file: &Path) -> Result<Self, StoreError> {
        for end in ["", "-wal", "-shm"] {
            let mut name = file.as_os_str().to_owned();
            name.push(end);
            let _ = std::fs::remove_file(PathBuf::from(name));
        }
        create(file).map_err(|error| StoreError::away(&error))?;
        Self::at(file)
    }

    fn connected(file: &Path) -> rusqlite::Result<Self> {
        let connection = connected(file, TIMEOUT)?;
        connection.execute_batch("PRAGMA synchronous = NORMAL;")?;
        Ok(Self { connection, alone: None })
    }

    fn has_tables(&self) -> rusqlite::Result<bool> {
        self.connection.query_row("PRAGMA user_version", [], |row| Ok(row.get::<_, i64>(0)? != 0))
    }

    /// A file that is made already needs no lock.
    fn ready(file: &Path) -> rusqlite::Result<Option<Self>> {
        let snapshot = Self::connected(file)?;
        Ok(snapshot.has_tables()?.then_some(snapshot))
    }

    fn at(file: &Path) -> Result<Self, StoreError> {
        let made = || {
            let snapshot = Self::connected(file)?;
            snapshot.connection.execute_batch(SETTINGS)?;
            if !snapshot.has_tables()? {
                snapshot.connection.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} COMMIT;"))?;
            }
            Ok(snapshot)
        };
        made().map_err(fault)
    }

    /// The project with its skills; `None` if it was never read. With another `program` the heads
    /// are empty.
    pub fn rows(&self, program: &str) -> Option<SnapshotRows> {
        let rows = self.try_rows(program).ok().flatten();
        rows.filter(|_| self.alone.as_ref().is_none_or(Alone::is_same))
    }

    fn try_rows(&self, program: &str) -> rusqlite::Result<Option<SnapshotRows>> {
        let transaction = self.connection.unchecked_transaction()?;
        let sql = "SELECT id, name, precedence, revision, newest, skills, created_ms, created_by,
            read_ms, program FROM project";
        let project = transaction.query_row(sql, [], project).optional()?;
        let Some((project, read_ms, by)) = project else { return Ok(None) };
        let is_own = by == program;
        let mut statement = transaction.prepare(
            "SELECT name, version, bundled, number, author, updated_ms, bytes, head FROM skills",
        )?;
        let rows = statement.query_map([], |row| known(row, is_own))?.collect::<Result<_, _>>()?;
        Ok(Some(SnapshotRows { project, read_ms, rows }))
    }

    /// Notes that the project was seen to be the same at this time.
    pub fn note_read(&self, read_ms: i64) {
        let _ = self.connection.execute("UPDATE project SET read_ms = ?1", [read_ms]);
    }

    /// Replaces everything. `texts` are those that may not be here yet; what no skill has any more
    /// is removed.
    ///
    /// # Errors
    /// Nothing was replaced.
    fn replace(
        &mut self,
        rows: &SnapshotRows,
        texts: &HashMap<String, String>,
        program: &str,
    ) -> Result<(), StoreError> {
        self.try_replace(rows, texts, program).map_err(fault)
    }

    fn try_replace(
        &mut self,
        rows: &SnapshotRows,
        texts: &HashMap<String, String>,
        program: &str,
    ) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch("DELETE FROM project; DELETE FROM skills;")?;
        let SnapshotRows { project, read_ms, rows } = rows;
        transaction.execute(
            "INSERT INTO project VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                project.id,
                project.name,
                project.precedence.word(),
                project.revision,
                project.newest,
                project.skills,
                project.created_ms,
                project.created_by,
                read_ms,
                program
            ],
        )?;
        {
            let mut insert = transaction
                .prepare("INSERT INTO skills VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
            for row in rows {
                insert.execute(params![
                    row.name,
                    row.version,
                    row.bundled,
                    row.number,
                    row.author,
                    row.updated_ms,
                    row.bytes,
                    row.head
                ])?;
            }
            let mut insert = transaction.prepare("INSERT OR IGNORE INTO texts VALUES (?1, ?2)")?;
            for (version, content) in texts {
                insert.execute(params![version, content])?;
            }
        }
        transaction.execute_batch(
            "DELETE FROM texts WHERE version NOT IN (SELECT version FROM skills);",
        )?;
        transaction.commit()
    }

    /// The text of a version, if it was read.
    pub fn text(&self, version: &str) -> Option<String> {
        let sql = "SELECT content FROM texts WHERE version = ?1";
        self.connection.query_row(sql, [version], |row| row.get(0)).optional().ok().flatten()
    }
}

fn project(row: &Row<'_>) -> rusqlite::Result<(Project, i64, String)> {
    let precedence: String = row.get(2)?;
    let project = Project {
        id: row.get(0)?,
        name: row.get(1)?,
        precedence: Precedence::from_word(&precedence).unwrap_or(Precedence::Error),
        revision: row.get(3)?,
        newest: row.get(4)?,
        skills: row.get(5)?,
        created_ms: row.get(6)?,
        created_by: row.get(7)?,
    };
    Ok((project, row.get(8)?, row.get(9)?))
}

fn known(row: &Row<'_>, with_head: bool) -> rusqlite::Result<KnownRow> {
    Ok(KnownRow {
        name: row.get(0)?,
        version: row.get(1)?,
        bundled: row.get(2)?,
        number: row.get(3)?,
        author: row.get(4)?,
        updated_ms: row.get(5)?,
        bytes: row.get(6)?,
        head: if with_head { row.get(7)? } else { Vec::new() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> SnapshotRows {
        let project = Project {
            id: "1".into(),
            name: "shop".into(),
            precedence: Precedence::Under,
            revision: 7,
            newest: "5 aa pdf me".into(),
            skills: 1,
            created_ms: 1,
            created_by: "me".into(),
        };
        let row = KnownRow {
            name: "PDF".into(),
            version: "aa".into(),
            bundled: true,
            number: 3,
            author: "me".into(),
            updated_ms: 5,
            bytes: 9,
            head: vec![1, 2],
        };
        SnapshotRows { project, read_ms: 8, rows: vec![row] }
    }

    #[test]
    fn what_was_read_is_there_again_and_heads_are_the_programs_own() {
        let temp = tempfile::tempdir().unwrap();
        let mut snapshot = Snapshot::open(temp.path()).unwrap();
        assert_eq!(snapshot.rows("a"), None);
        let texts = HashMap::from([("aa".to_owned(), "text".to_owned())]);
        snapshot.replace(&rows(), &texts, "a").unwrap();
        drop(snapshot);
        let mut snapshot = Snapshot::open(temp.path()).unwrap();
        assert_eq!(snapshot.rows("a"), Some(rows()));
        assert!(snapshot.rows("b").unwrap().rows[0].head.is_empty());
        assert_eq!(snapshot.text("aa").as_deref(), Some("text"));
        snapshot.note_read(99);
        assert_eq!(snapshot.rows("a").unwrap().read_ms, 99);
        let empty = SnapshotRows { rows: Vec::new(), ..rows() };
        snapshot.replace(&empty, &HashMap::new(), "a").unwrap();
        assert_eq!((snapshot.rows("a"), snapshot.text("aa")), (Some(empty), None));
    }

    #[test]
    fn a_broken_file_is_made_anew() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join(FILE), "this is no database, and long enough to see it")
            .unwrap();
        let mut snapshot = Snapshot::open(temp.path()).unwrap();
        assert_eq!(snapshot.rows("a"), None);
        snapshot.replace(&rows(), &HashMap::new(), "a").unwrap();
        assert_eq!(snapshot.rows("a"), Some(rows()));
    }

    /// The beginning of every page but the first is overwritten: the file opens, and nothing in it
    /// can be read.
    #[test]
    fn a_file_that_opens_and_is_damaged_behind_its_head_is_made_anew() {
        let temp = tempfile::tempdir().unwrap();
        let texts = HashMap::from([("aa".to_owned(), "text".to_owned())]);
        Snapshot::write(temp.path(), &rows(), &texts, "a").unwrap();
        let file = temp.path().join(FILE);
        let damage = || {
            let mut bytes = std::fs::read(&file).unwrap();
            bytes.chunks_mut(32_768).skip(1).for_each(|page| page[..8].fill(0xff));
            std::fs::write(&file, bytes).unwrap();
        };
        damage();
        assert_eq!(Snapshot::open(temp.path()).unwrap().rows("a"), None);
        Snapshot::write(temp.path(), &rows(), &texts, "a").unwrap();
        let known = || Snapshot::open(temp.path()).unwrap();
        assert_eq!(known().rows("a"), Some(rows()));
        assert_eq!(known().text("aa").as_deref(), Some("text"));
        damage();
        Snapshot::write(temp.path(), &rows(), &HashMap::new(), "a").unwrap();
        assert!(known().rows("a").unwrap().rows[0].head.is_empty(), "its text is missing");
    }

    /// As on a full disk, also where the log of a killed process has what was read last.
    #[cfg(unix)]
    #[test]
    fn where_nothing_can_be_made_beside_the_file_it_is_still_read() {
        let temp = tempfile::tempdir().unwrap();
        let texts = HashMap::from([("aa".to_owned(), "text".to_owned())]);
        let copied = temp.path().join("copied");
        let beside = |folder: &Path, end: &str| folder.join(format!("{FILE}{end}"));
        let mut writer = Snapshot::open(temp.path()).unwrap();
        writer.replace(&rows(), &texts, "a").unwrap();
        std::fs::create_dir(&copied).unwrap();
        for end in ["", "-wal"] {
            std::fs::copy(beside(temp.path(), end), beside(&copied, end)).unwrap();
        }
        drop(writer);
        for folder in [temp.path(), copied.as_path()] {
            std::os::unix::fs::symlink("/nowhere/x", beside(folder, "-shm")).unwrap();
            let known = Snapshot::open(folder).unwrap();
            assert_eq!(known.rows("a"), Some(rows()), "{folder:?}");
            assert_eq!(known.text("aa").as_deref(), Some("text"));
            drop(known);
            std::fs::remove_file(beside(folder, "-shm")).unwrap();
            assert_eq!(Snapshot::open(folder).unwrap().rows("a"), Some(rows()));
        }
    }

    /// A scan writes in one thread while previews read in others, and other processes do the same.
    #[test]
    fn many_threads_open_a_new_file_at_once_and_none_takes_it_from_another() {
        let texts = HashMap::from([("aa".to_owned(), "text".to_owned())]);
        for _ in 0..40 {
            let temp = tempfile::tempdir().unwrap();
            std::thread::scope(|scope| {
                for _ in 0..6 {
                    scope.spawn(|| {
                        let mut snapshot = Snapshot::open(temp.path()).unwrap();
                        let _ = snapshot.rows("a");
                        snapshot.replace(&rows(), &texts, "a").unwrap();
                        let mut again = Snapshot::open(temp.path()).unwrap();
                        assert_eq!(again.rows("a"), Some(rows()));
                        again.replace(&rows(), &texts, "a").unwrap();
                    });
                }
            });
        }
    }
}
