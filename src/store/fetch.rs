//! What is read from a store.

use super::Store;
use super::bundle::{BundleFile, version_digest};
use super::database::{Connection, Row, Value};
use super::error::StoreError;
use super::model::{Action, Change, Precedence, Project, StoredSkill, Version};
use crate::catalog::normalized;
use crate::text::SafeText;
use std::collections::HashMap;

/// The fewest digits that name a version. Fewer may be meant as a number, which some version begins
/// with too.
const SHORTEST: usize = 4;

/// How many values one statement binds at most; servers have a limit.
const AT_ONCE: usize = 500;

const PROJECT: &str = "SELECT id, name, precedence, revision, created_ms, created_by,
    (SELECT count(*) FROM project_skills s WHERE s.project_id = p.id AND s.deleted_ms IS NULL),
    coalesce((SELECT CAST(c.at_ms AS TEXT) || ' ' || coalesce(c.version, '-') || ' ' || c.name_norm
        || ' ' || c.author FROM changes c WHERE c.project_id = p.id AND c.seq = p.revision), '')
    FROM projects p";

const SKILL: &str =
    "SELECT name_norm, name, description, metadata, version, bundled, number, author,
    updated_ms, octet_length(content) FROM project_skills";

const CHANGE: &str =
    "SELECT seq, at_ms, author, action, name_norm, number, version, previous, undoes
    FROM changes WHERE project_id = $1";

impl Store {
    /// All projects, by name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn projects(&mut self) -> Result<Vec<Project>, StoreError> {
        self.read(|connection| {
            let rows = connection.rows(&format!("{PROJECT} ORDER BY name"), &[])?;
            rows.into_iter().map(project).collect()
        })
    }

    /// # Errors
    /// [`StoreError::NoProject`] and others.
    pub fn project(&mut self, name: &str) -> Result<Project, StoreError> {
        self.read(|connection| find(connection, name))
    }

    /// The skills of a project by their compared names, without their texts, and the project as it
    /// was at that moment.
    ///
    /// # Errors
    /// [`StoreError::NoProject`] and others.
    pub fn skills(&mut self, name: &str) -> Result<(Project, Vec<StoredSkill>), StoreError> {
        self.read(|connection| {
            let project = find(connection, name)?;
            let rows = connection.rows(
                &format!("{SKILL} WHERE project_id = $1 AND deleted_ms IS NULL ORDER BY name_norm"),
                &[(&project.id).into()],
            )?;
            Ok((project, rows.into_iter().map(stored).collect::<Result<_, _>>()?))
        })
    }

    /// The texts of these versions, by their digests. A digest that is not there is left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn texts(&mut self, digests: &[&str]) -> Result<HashMap<String, String>, StoreError> {
        self.read(|connection| {
            let mut texts = HashMap::new();
            for part in digests.chunks(AT_ONCE) {
                let places: Vec<String> = (1..=part.len()).map(|at| format!("${at}")).collect();
                let sql = format!(
                    "SELECT digest, content FROM skill_versions WHERE digest IN ({})",
                    places.join(", ")
                );
                let values: Vec<Value> = part.iter().map(|digest| Value::from(*digest)).collect();
                for mut row in connection.rows(&sql, &values)? {
                    texts.insert(row.text()?, row.text()?);
                }
            }
            Ok(texts)
        })
    }

    /// A skill as it is now.
    ///
    /// # Errors
    /// [`StoreError::NoProject`], [`StoreError::NoSkill`] and others.
    pub fn skill(&mut self, project: &str, name: &str) -> Result<StoredSkill, StoreError> {
        self.read(|connection| {
            let project = find(connection, project)?;
            live(connection, &project.id, &normalized(name))?.ok_or(StoreError::NoSkill)
        })
    }

    /// A version with its files, whatever skill it is of.
    ///
    /// # Errors
    /// [`StoreError::NoVersion`], [`StoreError::Altered`] and others.
    pub fn version(&mut self, digest: &str) -> Result<Version, StoreError> {
        self.read(|connection| version_of(connection, digest))
    }

    /// The one version that a skill of a project ever had whose digest begins so, or that it had
    /// after the change of this number (`#3`).
    ///
    /// # Errors
    /// [`StoreError::NoVersion`], [`StoreError::ManyVersions`], [`StoreError::ShortVersion`] and
    /// others.
    pub fn find_version(
        &mut self,
        project: &str,
        name: &str,
        beginning: &str,
    ) -> Result<String, StoreError> {
        self.read(|connection| {
            let project = find(connection, project)?;
            had(connection, &project.id, &normalized(name), beginning)
        })
    }

    /// The changes of a project, or of one of its skills; the newest first, at most `most`.
    ///
    /// # Errors
    /// [`StoreError::NoProject`] and others.
    pub fn history(
        &mut self,
        project: &str,
        name: Option<&str>,
        most: usize,
    ) -> Result<Vec<Change>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read(|connection| {
            let project = find(connection, project)?;
            let rows = match name {
                Some(name) => connection.rows(
                    &format!("{CHANGE} AND name_norm = $2 ORDER BY seq DESC LIMIT $3"),
                    &[(&project.id).into(), Value::Text(normalized(name)), most.into()],
                )?,
                None => connection.rows(
                    &format!("{CHANGE} ORDER BY seq DESC LIMIT $2"),
                    &[(&project.id).into(), most.into()],
                )?,
            };
            rows.into_iter().map(change).collect()
        })
    }

    /// For each skill that is not there any more, the change that deleted it; the newest first, at
    /// most `most`.
    ///
    /// # Errors
    /// [`StoreError::NoProject`] and others.
    pub fn deleted(&mut self, project: &str, most: usize) -> Result<Vec<Change>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read(|connection| {
            let project = find(connection, project)?;
            let rows = connection.rows(
                &format!(
                    "{CHANGE} AND version IS NULL AND name_norm <> '' AND NOT EXISTS
                     (SELECT 1 FROM changes later WHERE later.project_id = changes.project_id
                      AND later.name_norm = changes.name_norm AND later.seq > changes.seq)
                     ORDER BY seq DESC LIMIT $2"
                ),
                &[(&project.id).into(), most.into()],
            )?;
            rows.into_iter().map(change).collect()
        })
    }
}

/// A version with its files, which are what its digest says. Whatever is taken from the store
/// passes here: text or bytes that were altered would be signed anew with the next version.
pub(super) fn version_of(
    connection: &mut dyn Connection,
    digest: &str,
) -> Result<Version, StoreError> {
    let row = connection.row(
        "SELECT name, description, content FROM skill_versions WHERE digest = $1",
        &[digest.into()],
    )?;
    let mut row = row.ok_or(StoreError::NoVersion)?;
    let (name, description, content) = (row.text()?, row.text()?, row.text()?);
    let files = files_of(connection, digest)?;
    if version_digest(&content, &files) != digest {
        return Err(StoreError::Altered);
    }
    Ok(Version { digest: digest.to_owned(), name, description, content, files })
}

/// The files of a version, as the store has them.
fn files_of(connection: &mut dyn Connection, version: &str) -> Result<Vec<BundleFile>, StoreError> {
    let rows = connection.rows(
        "SELECT f.path, f.executable, b.bytes FROM version_files f
         JOIN blobs b ON b.digest = f.blob WHERE f.version = $1 ORDER BY f.path",
        &[version.into()],
    )?;
    let file = |mut row: Row| {
        let (path, executable) = (row.text()?, row.flag()?);
        Ok(BundleFile { path, executable, bytes: row.bytes()? })
    };
    rows.into_iter().map(file).collect()
}

/// Whether both databases take the name in a question: PostgreSQL refuses NUL. Nothing has such a
/// name.
pub(super) fn is_sayable(name: &str) -> bool {
    !name.contains('\0')
}

/// A project by its name.
pub(super) fn find(connection: &mut dyn Connection, name: &str) -> Result<Project, StoreError> {
    if !is_sayable(name) {
        return Err(StoreError::NoProject);
    }
    let row = connection.row(&format!("{PROJECT} WHERE name = $1"), &[name.into()])?;
    row.map_or(Err(StoreError::NoProject), project)
}

/// A skill that is there.
pub(super) fn live(
    connection: &mut dyn Connection,
    project: &str,
    name_norm: &str,
) -> Result<Option<StoredSkill>, StoreError> {
    if !is_sayable(name_norm) {
        return Ok(None);
    }
    let row = connection.row(
        &format!("{SKILL} WHERE project_id = $1 AND name_norm = $2 AND deleted_ms IS NULL"),
        &[project.into(), name_norm.into()],
    )?;
    row.map(stored).transpose()
}

/// The metadata that a skill had after its change of this number; `None` if it was not there then,
/// or the program that made the next change was an older one, which kept none.
pub(super) fn metadata_at(
    connection: &mut dyn Connection,
    project: &str,
    name_norm: &str,
    number: i64,
) -> Result<Option<String>, StoreError> {
    let row = connection.row(
        "SELECT metadata FROM project_skills
         WHERE project_id = $1 AND name_norm = $2 AND number = $3",
        &[project.into(), name_norm.into(), number.into()],
    )?;
    row.map(|mut row| row.text()).transpose()
}

/// The metadata that a skill had when it was this version last.
pub(super) fn metadata_of(
    connection: &mut dyn Connection,
    project: &str,
    name_norm: &str,
    version: &str,
) -> Result<Option<String>, StoreError> {
    let row = connection.row(
        "SELECT max(number) FROM changes
         WHERE project_id = $1 AND name_norm = $2 AND version = $3",
        &[project.into(), name_norm.into(), version.into()],
    )?;
    match row.map(|mut row| row.maybe_int()).transpose()?.flatten() {
        Some(number) => metadata_at(connection, project, name_norm, number),
        None => Ok(None),
    }
}

/// The newest change of a skill.
pub(super) fn newest_of(
    connection: &mut dyn Connection,
    project: &str,
    name_norm: &str,
) -> Result<Change, StoreError> {
    let row = connection.row(
        &format!("{CHANGE} AND name_norm = $2 ORDER BY seq DESC LIMIT 1"),
        &[project.into(), name_norm.into()],
    )?;
    row.map_or(Err(StoreError::NoSkill), change)
}

/// See [`Store::find_version`].
pub(super) fn had(
    connection: &mut dyn Connection,
    project: &str,
    name_norm: &str,
    beginning: &str,
) -> Result<String, StoreError> {
    let rows = connection.rows(
        "SELECT DISTINCT version, number FROM changes
         WHERE project_id = $1 AND name_norm = $2 AND version IS NOT NULL",
        &[project.into(), name_norm.into()],
    )?;
    let wanted = beginning.trim().to_lowercase();
    let is_hex = wanted.bytes().all(|digit| digit.is_ascii_hexdigit());
    let (is_short, numbered) = (wanted.len() < SHORTEST && is_hex, wanted.strip_prefix('#'));
    let mut fitting: Vec<String> = Vec::new();
    for mut row in rows {
        let (version, number) = (row.text()?, row.int()?);
        let fits = match numbered {
            Some(text) => text.parse() == Ok(number),
            None => version.starts_with(&wanted),
        };
        if fits && !fitting.contains(&version) {
            fitting.push(version);
        }
    }
    let mut fitting = fitting.into_iter();
    match (fitting.next(), fitting.next()) {
        _ if wanted.is_empty() => Err(StoreError::NoVersion),
        _ if is_short => Err(StoreError::ShortVersion),
        (Some(version), None) => Ok(version),
        (Some(_), Some(_)) => Err(StoreError::ManyVersions),
        (None, _) => Err(StoreError::NoVersion),
    }
}

/// The newest change of any skill, or of one, by one author that was not taken back.
pub(super) fn undoable(
    connection: &mut dyn Connection,
    project: &str,
    name_norm: Option<&str>,
    author: &str,
) -> Result<Change, StoreError> {
    if !name_norm.is_none_or(is_sayable) {
        return Err(StoreError::NothingToUndo);
    }
    let of_it = if name_norm.is_some() { "AND name_norm = $3" } else { "" };
    let values: Vec<Value> =
        [Some(project), Some(author), name_norm].into_iter().flatten().map(Value::from).collect();
    let row = connection.row(
        &format!(
            "{CHANGE} AND author = $2 AND action IN ('put', 'delete', 'restore') {of_it}
             AND seq NOT IN
             (SELECT undoes FROM changes WHERE project_id = $1 AND undoes IS NOT NULL)
             ORDER BY seq DESC LIMIT 1"
        ),
        &values,
    )?;
    row.map_or(Err(StoreError::NothingToUndo), change)
}

fn project(mut row: Row) -> Result<Project, StoreError> {
    let (id, name, precedence) = (row.text()?, row.text()?, row.text()?);
    let unknown = || StoreError::Broken(SafeText::fixed("a project has an unknown precedence"));
    Ok(Project {
        id,
        name,
        precedence: Precedence::from_word(&precedence).ok_or_else(unknown)?,
        revision: row.int()?,
        created_ms: row.int()?,
        created_by: row.text()?,
        skills: u32::try_from(row.int()?).unwrap_or_default(),
        newest: row.text()?,
    })
}

fn stored(mut row: Row) -> Result<StoredSkill, StoreError> {
    Ok(StoredSkill {
        name_norm: row.text()?,
        name: row.text()?,
        description: row.text()?,
        metadata: row.text()?,
        version: row.text()?,
        bundled: row.flag()?,
        number: row.int()?,
        author: row.text()?,
        updated_ms: row.int()?,
        bytes: row.int()?,
    })
}

fn change(mut row: Row) -> Result<Change, StoreError> {
    let (seq, at_ms, author, action) = (row.int()?, row.int()?, row.text()?, row.text()?);
    let unknown = || StoreError::Broken(SafeText::fixed("a change is of an unknown kind"));
    Ok(Change {
        seq,
        at_ms,
        author,
        action: Action::from_word(&action).ok_or_else(unknown)?,
        name_norm: row.text()?,
        number: row.int()?,
        version: row.maybe_text()?,
        previous: row.maybe_text()?,
        undoes: row.maybe_int()?,
    })
}
