//! What is read of a project's store, and the snapshot in which it is kept for the next start.

use super::{ProjectLink, ProjectSkills, digits, head};
use crate::listing::in_halves;
use crate::store::{KnownRow, Project, Snapshot, SnapshotRows, StoreError, StoredSkill};
use crate::workspace::clock::signed_now_ms;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

impl ProjectLink {
    /// What the snapshot has, or else the store, which is noted in the snapshot.
    pub(super) fn read_anew(&self, project: &Project) -> Result<Arc<ProjectSkills>, StoreError> {
        let read_ms = signed_now_ms();
        self.await_writer();
        let is_whole = |last: &mut SnapshotRows| {
            is_same(&last.project, project) && last.rows.iter().all(|row| !row.head.is_empty())
        };
        let mut last = self.last_read().filter(|_| self.trusts_snapshot);
        if let Some(whole) = last.take_if(is_whole) {
            self.in_background(move |folder| {
                let _ = Snapshot::open(&folder).map(|snapshot| snapshot.note_read(read_ms));
            });
            return Ok(self.made(SnapshotRows { read_ms, ..whole }));
        }
        let known = last.into_iter().flat_map(|last| last.rows);
        let known = known.filter(|row| !row.head.is_empty()).map(|row| (row.version, row.head));
        let (rows, texts) = self.read_rest(read_ms, &known.collect())?;
        self.write(rows.clone(), texts);
        Ok(self.made(rows))
    }

    /// All skills of the project, and the texts of those whose heads are not known.
    fn read_rest(
        &self,
        read_ms: i64,
        known: &HashMap<String, Vec<u8>>,
    ) -> Result<(SnapshotRows, HashMap<String, String>), StoreError> {
        let (project, skills, texts) = self.pool.read(|store| {
            let (project, skills) = store.skills(&self.project)?;
            let versions = skills.iter().map(|skill| skill.version.as_str());
            let missing: Vec<&str> = versions.filter(|it| !known.contains_key(*it)).collect();
            let texts = store.texts(&missing)?;
            Ok((project, skills, texts))
        })?;
        let head = |skill: &StoredSkill| {
            let text = || texts.get(&skill.version);
            let read = || Some(head::packed(text()?, &skill.name));
            known.get(&skill.version).cloned().or_else(read).unwrap_or_default()
        };
        let heads = in_halves(&skills, |_, part| part.iter().map(head).collect());
        let rows = skills.into_iter().zip(heads).map(|(skill, head)| KnownRow::new(skill, head));
        Ok((SnapshotRows { project, read_ms, rows: rows.collect() }, texts))
    }

    /// Writes the snapshot, and removes folders that no skill has any more.
    fn write(&self, rows: SnapshotRows, texts: HashMap<String, String>) {
        let folders = self.folders.clone();
        self.in_background(move |folder| {
            // Without it the next start reads everything again.
            let _ = Snapshot::write(&folder, &rows, &texts, head::program());
            let live: HashSet<&str> = rows.rows.iter().map(|row| digits(&row.version)).collect();
            folders.sweep(SystemTime::now(), |version| live.contains(version));
        });
    }

    /// Writes into the project's folder beside what comes next.
    fn in_background(&self, write: impl FnOnce(PathBuf) + Send + 'static) {
        let folder = self.folders.usual.clone();
        let write = move || write(folder);
        let started = thread::Builder::new().name("snapshot".to_owned()).spawn(write);
        *self.writer.lock().unwrap_or_else(PoisonError::into_inner) = started.ok();
    }

    pub(super) fn await_writer(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        // If it has failed, the next start reads everything again.
        let _ = writer.take().map(JoinHandle::join);
    }

    pub(super) fn last_read(&self) -> Option<SnapshotRows> {
        // Nothing is made where nothing was read yet.
        let folder = &self.folders.usual;
        folder.is_dir().then(|| Snapshot::open(folder).ok()?.rows(head::program())).flatten()
    }
}

/// Whether nothing was changed between the two, as far as the log of changes says.
pub(super) fn is_same(one: &Project, other: &Project) -> bool {
    (&one.id, one.revision, &one.newest, one.precedence)
        == (&other.id, other.revision, &other.newest, other.precedence)
}
