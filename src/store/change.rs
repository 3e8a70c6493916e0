//! What is written to a store. Who changes a project holds its row until the end, so that two
//! changes of one project never mix.

use super::Store;
use super::bundle::{Bundle, version_digest};
use super::check::{check, check_author, check_project_name};
use super::database::{Connection, Value};
use super::error::{Overtaken, StoreError};
use super::fetch::{
    find, had, is_sayable, live, metadata_at, metadata_of, newest_of, undoable, version_of,
};
use super::model::{Action, Change, Draft, Expected, NewProject, Put, StoredSkill};
use super::versions::keep_version;
use crate::catalog::normalized;
use crate::files::digest::sha256_hex;

/// Who does something to a skill of a project, and when.
#[derive(Clone, Copy, Debug)]
struct By<'a> {
    action: Action,
    author: &'a str,
    at_ms: i64,
    undoes: Option<i64>,
}

/// A project that is held until the transaction ends.
struct Held {
    id: String,
    revision: i64,
}

impl Store {
    /// Makes a project.
    ///
    /// # Errors
    /// [`StoreError::ProjectExists`], [`StoreError::ProjectName`] and others.
    pub fn create_project(&mut self, new: &NewProject<'_>) -> Result<(), StoreError> {
        check_project_name(new.name)?;
        check_author(new.author)?;
        let NewProject { name, precedence, author, at_ms } = *new;
        self.write(|connection| {
            if find(connection, name).is_ok() {
                return Err(StoreError::ProjectExists);
            }
            // A project of this name may come again, and is another one then.
            let seed = format!("{name}\0{author}\0{at_ms}\0{}", std::process::id());
            let mut id = sha256_hex(seed.as_bytes());
            id.truncate(32);
            let values: [Value; 5] =
                [(&id).into(), name.into(), precedence.word().into(), at_ms.into(), author.into()];
            let made = connection.run(
                "INSERT INTO projects (id, name, precedence, created_ms, created_by)
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING",
                &values,
            )?;
            if made == 0 {
                return Err(StoreError::ProjectExists);
            }
            let held = hold(connection, name)?;
            let by = By { action: Action::Create, author, at_ms, undoes: None };
            log(connection, &held, &by, Step::NONE)?;
            connection.announce(&held.id)
        })
    }

    /// Removes a project that has no skills. What was changed in it stays in the log, but no skill
    /// that was deleted can be restored any more.
    ///
    /// # Errors
    /// [`StoreError::NoProject`], [`StoreError::ProjectHasSkills`] and others.
    pub fn remove_project(
        &mut self,
        name: &str,
        author: &str,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        self.write(|connection| {
            let held = hold(connection, name)?;
            if find(connection, name)?.skills > 0 {
                return Err(StoreError::ProjectHasSkills);
            }
            let by = By { action: Action::Remove, author, at_ms, undoes: None };
            log(connection, &held, &by, Step::NONE)?;
            connection.run("DELETE FROM projects WHERE id = $1", &[(&held.id).into()])?;
            connection.announce(&held.id)
        })
    }

    /// Stores a skill. The same text and files again are no change.
    ///
    /// # Errors
    /// [`StoreError::Changed`] or [`StoreError::SkillExists`] if the skill is not what is expected,
    /// and others.
    pub fn put(&mut self, project: &str, draft: &Draft<'_>) -> Result<Put, StoreError> {
        check(draft)?;
        self.write(|connection| {
            let held = hold(connection, project)?;
            let before = live(connection, &held.id, &normalized(draft.name))?;
            expect(before.as_ref(), draft.expected)?;
            let kept;
            let files = match (draft.files, &before) {
                (Some(files), _) => files.files(),
                (None, Some(now)) => {
                    kept = Bundle::of_stored(version_of(connection, &now.version)?.files)?;
                    kept.files()
                }
                (None, None) => &[],
            };
            let version = version_digest(draft.content, files);
            keep_version(connection, &version, draft, files)?;
            let by =
                By { action: Action::Put, author: draft.author, at_ms: draft.at_ms, undoes: None };
            let to = To { version: &version, metadata: draft.metadata };
            become_version(connection, &held, &normalized(draft.name), before, Some(to), &by)
        })
    }

    /// Deletes a skill. Its versions stay.
    ///
    /// # Errors
    /// [`StoreError::NoSkill`], [`StoreError::Changed`] and others.
    pub fn delete(
        &mut self,
        project: &str,
        name: &str,
        author: &str,
        at_ms: i64,
        expected: Expected<'_>,
    ) -> Result<Put, StoreError> {
        self.write(|connection| {
            let held = hold(connection, project)?;
            let before = live(connection, &held.id, &normalized(name))?;
            if before.is_none() {
                return Err(StoreError::NoSkill);
            }
            expect(before.as_ref(), expected)?;
            let by = By { action: Action::Delete, author, at_ms, undoes: None };
            become_version(connection, &held, &normalized(name), before, None, &by)
        })
    }

    /// Takes an earlier version of a skill; `beginning` names it as in [`Store::find_version`].
    /// Without it, it is the version that a deleted skill had, or the one before the present one.
    ///
    /// # Errors
    /// [`StoreError::NoVersion`], [`StoreError::NoEarlier`], [`StoreError::ManyVersions`] and
    /// others.
    pub fn restore(
        &mut self,
        project: &str,
        name: &str,
        beginning: Option<&str>,
        author: &str,
        at_ms: i64,
    ) -> Result<Put, StoreError> {
        let name_norm = normalized(name);
        self.write(|connection| {
            let held = hold(connection, project)?;
            let before = live(connection, &held.id, &name_norm)?;
            let version = match beginning {
                Some(beginning) => had(connection, &held.id, &name_norm, beginning)?,
                None => last_but(connection, &held.id, &name_norm, before.as_ref())?,
            };
            let metadata = metadata_of(connection, &held.id, &name_norm, &version)?;
            let by = By { action: Action::Restore, author, at_ms, undoes: None };
            let to = To { version: &version, metadata: metadata.as_deref() };
            become_version(connection, &held, &name_norm, before, Some(to), &by)
        })
    }

    /// Takes back the newest change of an author that was not taken back, or the newest one of one
    /// skill. The change stays in the log, and this is one more.
    ///
    /// # Errors
    /// [`StoreError::NothingToUndo`], and [`StoreError::Overtaken`] if somebody has changed the
    /// skill since.
    pub fn undo(
        &mut self,
        project: &str,
        name: Option<&str>,
        author: &str,
        at_ms: i64,
    ) -> Result<(Change, Put), StoreError> {
        self.write(|connection| {
            let held = hold(connection, project)?;
            let name = name.map(normalized);
            let change = undoable(connection, &held.id, name.as_deref(), author)?;
            let before = live(connection, &held.id, &change.name_norm)?;
            let now = before.as_ref().map(|skill| skill.version.clone());
            let mut metadata =
                |number| metadata_at(connection, &held.id, &change.name_norm, number);
            let (was, after) = (metadata(change.number - 1)?, metadata(change.number)?);
            let is_other = before.as_ref().zip(after).is_some_and(|(it, was)| it.metadata != was);
            if now != change.version || is_other {
                let by = newest_of(connection, &held.id, &change.name_norm)?.author;
                return Err(StoreError::Overtaken(Box::new(Overtaken { change, by })));
            }
            let by = By { action: Action::Undo, author, at_ms, undoes: Some(change.seq) };
            let metadata = was.as_deref();
            let to = change.previous.as_deref().map(|version| To { version, metadata });
            let put = become_version(connection, &held, &change.name_norm, before, to, &by)?;
            Ok((change, put))
        })
    }
}

/// What a skill becomes.
struct To<'a> {
    version: &'a str,
    /// `None` keeps what is there.
    metadata: Option<&'a str>,
}

/// Makes a version what the skill is, or removes the skill, and logs it.
fn become_version(
    connection: &mut dyn Connection,
    held: &Held,
    name_norm: &str,
    before: Option<StoredSkill>,
    to: Option<To<'_>>,
    by: &By<'_>,
) -> Result<Put, StoreError> {
    if let Some(to) = &to {
        // What was there under a digest already may be something else.
        version_of(connection, to.version)?;
    }
    let previous = before.as_ref().map(|skill| skill.version.clone());
    let metadata = to.as_ref().and_then(|to| to.metadata);
    let kept = before.as_ref().map(|skill| skill.metadata.as_str());
    let is_same = previous.as_deref() == to.as_ref().map(|to| to.version)
        && metadata.is_none_or(|metadata| Some(metadata) == kept);
    let number = number_of(connection, held, name_norm)?;
    // What an undo finds to be so already is noted all the same: the next undo goes on from there.
    if is_same && by.undoes.is_none() {
        let version = previous.clone();
        return Ok(Put { version, previous, number, revision: held.revision, changed: false });
    }
    let number = number + 1;
    let version = to.as_ref().map(|to| to.version.to_owned());
    let row: [Value; 2] = [(&held.id).into(), name_norm.into()];
    // What the skill was stays for its metadata. Its text stays with its version.
    connection.run(
        "UPDATE project_skills SET deleted_ms = $1, content = ''
         WHERE project_id = $2 AND name_norm = $3 AND deleted_ms IS NULL",
        &[vec![by.at_ms.into()], row.to_vec()].concat(),
    )?;
    if let Some(to) = &to {
        let metadata = metadata.or(kept).unwrap_or("{}");
        let rest: Vec<Value> = vec![
            metadata.into(),
            number.into(),
            by.author.into(),
            by.at_ms.into(),
            to.version.into(),
        ];
        connection.run(
            "INSERT INTO project_skills (project_id, name_norm, metadata, number, author,
                updated_ms, name, description, content, version, bundled)
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT),
                CAST($5 AS TEXT), CAST($6 AS BIGINT), name, description, content, digest, bundled
             FROM skill_versions WHERE digest = $7",
            &[row.to_vec(), rest].concat(),
        )?;
    }
    let step =
        Step { name_norm, number, version: version.as_deref(), previous: previous.as_deref() };
    let revision = log(connection, held, by, step)?;
    connection.announce(&held.id)?;
    Ok(Put { version, previous, number, revision, changed: !is_same })
}

/// What a row of the log says of a skill.
struct Step<'a> {
    name_norm: &'a str,
    number: i64,
    version: Option<&'a str>,
    previous: Option<&'a str>,
}

impl Step<'_> {
    /// A change of the project itself.
    const NONE: Step<'static> = Step { name_norm: "", number: 0, version: None, previous: None };
}

/// Adds a row to the log and counts it. Returns the count.
fn log(
    connection: &mut dyn Connection,
    held: &Held,
    by: &By<'_>,
    step: Step<'_>,
) -> Result<i64, StoreError> {
    check_author(by.author)?;
    let revision = held.revision + 1;
    connection.run(
        "UPDATE projects SET revision = $1 WHERE id = $2",
        &[revision.into(), (&held.id).into()],
    )?;
    let values: [Value; 10] = [
        (&held.id).into(),
        revision.into(),
        by.at_ms.into(),
        by.author.into(),
        by.action.word().into(),
        step.name_norm.into(),
        step.number.into(),
        step.version.into(),
        step.previous.into(),
        by.undoes.into(),
    ];
    connection.run(
        "INSERT INTO changes (project_id, seq, at_ms, author, action, name_norm, number, version,
            previous, undoes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &values,
    )?;
    Ok(revision)
}

/// Holds a project until the transaction ends. Others who want to change it wait.
fn hold(connection: &mut dyn Connection, name: &str) -> Result<Held, StoreError> {
    if !is_sayable(name) {
        return Err(StoreError::NoProject);
    }
    let row = connection.row(
        "UPDATE projects SET revision = revision WHERE name = $1 RETURNING id, revision",
        &[name.into()],
    )?;
    let mut row = row.ok_or(StoreError::NoProject)?;
    Ok(Held { id: row.text()?, revision: row.int()? })
}

/// How often a skill of this name was changed.
fn number_of(
    connection: &mut dyn Connection,
    held: &Held,
    name_norm: &str,
) -> Result<i64, StoreError> {
    let row = connection.row(
        "SELECT max(number) FROM changes WHERE project_id = $1 AND name_norm = $2",
        &[(&held.id).into(), name_norm.into()],
    )?;
    row.map_or(Ok(0), |mut row| Ok(row.maybe_int()?.unwrap_or(0)))
}

/// The newest version of a skill that it does not have now.
fn last_but(
    connection: &mut dyn Connection,
    project: &str,
    name_norm: &str,
    now: Option<&StoredSkill>,
) -> Result<String, StoreError> {
    let version = now.map_or("", |now| now.version.as_str());
    let row = connection.row(
        "SELECT previous FROM changes WHERE project_id = $1 AND name_norm = $2
         AND previous IS NOT NULL AND previous <> $3 ORDER BY seq DESC LIMIT 1",
        &[project.into(), name_norm.into(), version.into()],
    )?;
    let none = if now.is_some() { StoreError::NoEarlier } else { StoreError::NoSkill };
    row.ok_or(none)?.text()
}

fn expect(now: Option<&StoredSkill>, expected: Expected<'_>) -> Result<(), StoreError> {
    match (expected, now.map(|skill| skill.version.as_str())) {
        (Expected::Anything, _) | (Expected::Nothing, None) => Ok(()),
        (Expected::Version(wanted), Some(version)) if version == wanted => Ok(()),
        (Expected::Version(_), version) => Err(StoreError::Changed(version.map(str::to_owned))),
        (Expected::Nothing, Some(version)) => Err(StoreError::SkillExists(version.to_owned())),
    }
}
