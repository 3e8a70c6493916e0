//! A text of the project that a person edits: a file in the state folder, kept until it is stored,
//! so that nothing is lost that somebody has typed.
//!
//! Each skill of a project has a folder of its own, and in it each process that edits it at the
//! same time has one, which it locks. A text outlives the version that it was made from: it becomes
//! the next one, and what it would overwrite is shown before.

use super::draft::{canonical, regular};
use super::{DraftError, ProjectStore, SkillDraft};
use crate::catalog::normalized;
use crate::files::cache;
use crate::files::digest::sha256_hex;
use crate::files::lock::{Lock, LockError};
use crate::state::{self, StateError};
use crate::store::{Bundle, StoreError, folder_name};
use crate::text::{SafeText, reason};
use crate::workspace::Workspace;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where such files are, in the state folder.
const FOLDER: &str = "drafts";
/// The processes that may edit one skill at once.
const MOST: usize = 8;

/// The most changes of a skill among which a text is looked for.
const MAX_CHANGES: usize = 200;

/// The texts that this process edits: their folders, locked until they are stored or the process
/// ends.
#[derive(Debug, Default)]
pub struct Drafts(Mutex<BTreeMap<PathBuf, Lock>>);

/// Why a text is not edited, or not stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditedError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Draft(#[from] DraftError),
    #[error("there is no folder for it: {0}")]
    Nowhere(SafeText),
    #[error("the text cannot be kept or read: {0}")]
    File(SafeText),
    #[error("{MOST} windows edit it already; finish in one of them first")]
    Many,
}

impl From<StateError> for EditedError {
    fn from(error: StateError) -> Self {
        Self::File(SafeText::line(&error.to_string()))
    }
}

impl From<LockError> for EditedError {
    fn from(error: LockError) -> Self {
        Self::File(SafeText::line(&error.to_string()))
    }
}

impl From<io::Error> for EditedError {
    fn from(error: io::Error) -> Self {
        Self::File(SafeText::line(&reason(&error)))
    }
}

impl Workspace {
    /// The file in which this process edits the text of a version. What an earlier edit of the
    /// skill has left, of whatever version, is taken up again, unless another process has it.
    ///
    /// # Errors
    /// [`EditedError`].
    pub fn begin_edit(
        &self,
        store: &ProjectStore,
        name: &str,
        version: &str,
        drafts: &Drafts,
    ) -> Result<PathBuf, EditedError> {
        let nowhere = || EditedError::Nowhere(SafeText::line(&StateError::Nowhere.to_string()));
        let state = self.state_dir.as_deref().ok_or_else(nowhere)?;
        let (address, name_norm) = (store.pool.address().shown(), normalized(name));
        let key = sha256_hex(format!("{address}\0{}\0{name_norm}", store.project).as_bytes());
        let folder = state.join(FOLDER).join(&key[..16]);
        let below = Path::new(&folder_name(name)).join("SKILL.md");
        let file = drafts.take(&folder, &below)?.join(below);
        let left = fs::read_to_string(&file).ok();
        if !file.is_file() || left.is_some_and(|text| was_stored(store, name, &text)) {
            let found = store.pool.read(|store| store.version(version))?;
            cache::write(&file, |out| out.write_all(found.content.as_bytes()))?;
        }
        Ok(file)
    }

    /// What was made of the text of a version; `None` if it is as it was, and then the file is
    /// removed. The skill's other files stay.
    ///
    /// # Errors
    /// [`EditedError`]. The file stays.
    pub fn edited_draft(
        &self,
        store: &ProjectStore,
        (name, version): (&str, &str),
        file: &Path,
        drafts: &Drafts,
    ) -> Result<Option<SkillDraft>, EditedError> {
        let before = store.pool.read(|store| store.version(version))?;
        let text = String::from_utf8(regular(file)?).map_err(|_| DraftError::NotUtf8)?;
        if text == before.content {
            drafts.end(name, file, &before.content);
            return Ok(None);
        }
        let files = Bundle::of_stored(before.files).map_err(DraftError::from)?;
        Ok(Some(self.draft_of_text(name, &text, None, files)?))
    }
}

/// Whether a text is that of a version which the skill has or had, so that nobody has typed
/// anything that would be lost.
fn was_stored(store: &ProjectStore, name: &str, text: &str) -> bool {
    let known = store.read(|store, project| {
        let changes = store.history(project, Some(name), MAX_CHANGES)?;
        let versions: Vec<&str> = changes.iter().filter_map(|it| it.version.as_deref()).collect();
        store.texts(&versions)
    });
    known.is_ok_and(|texts| texts.values().any(|stored| stored == text))
}

impl Drafts {
    /// The folder of this process below that of a skill, locked.
    fn take(&self, folder: &Path, below: &Path) -> Result<PathBuf, EditedError> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = held.keys().find(|own| own.parent() == Some(folder)) {
            return Ok(own.clone());
        }
        state::prepare(folder.parent().unwrap_or(folder))?;
        let _turn = turn(folder)?;
        state::prepare(folder)?;
        let mut all: Vec<PathBuf> = (1..=MOST).map(|it| folder.join(it.to_string())).collect();
        // A text that was left comes first, the newest of them before the others.
        all.sort_by_key(|own| {
            Reverse(fs::metadata(own.join(below)).and_then(|found| found.modified()).ok())
        });
        for own in all {
            match Lock::now(&own) {
                Ok(lock) => {
                    held.insert(own.clone(), lock);
                    return Ok(own);
                }
                Err(LockError::Busy) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(EditedError::Many)
    }

    /// Removes the file, whose text is stored as this one. `false` if it has another text, which
    /// somebody has written meanwhile: it stays.
    pub fn end(&self, name: &str, file: &Path, stored: &str) -> bool {
        let is_stored = |text: &str| {
            text == stored || canonical(text, name.trim(), None).is_ok_and(|text| text == stored)
        };
        if !fs::read_to_string(file).is_ok_and(|text| is_stored(&text)) {
            return false;
        }
        // Empty folders are no loss, so nothing is said of an error from here on.
        let _ = fs::remove_file(file);
        let above = |count| file.ancestors().nth(count).unwrap_or(file);
        let (own, folder) = (above(2), above(3));
        let turn = turn(folder);
        let _ = fs::remove_dir(above(1));
        let _ = fs::remove_dir(own);
        let lock = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(own);
        // Nobody waits for this lock while it is our turn, so its file may go.
        if lock.is_some() && turn.is_ok() {
            let _ = fs::remove_file(own.with_extension("lock"));
            let _ = fs::remove_dir(folder);
        }
        true
    }
}

/// One process at a time takes or leaves a folder: `drafts.lock` beside all of them.
fn turn(folder: &Path) -> Result<Lock, LockError> {
    Lock::beside(folder.parent().unwrap_or(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Expected;
    use crate::test_env::TestEnv;
    use crate::workspace::fixture::TestWorkspace;
    use crate::workspace::{StoredChange, StoredOutcome};

    const NAME: &str = "notes";

    /// The project of this name in a store of the test, with a skill; and the skill's version.
    fn project(test: &TestWorkspace, project: &str) -> (ProjectStore, String) {
        use crate::store::{Address, NewProject, Open, Pool, Precedence};
        let pool = Pool::new(Address::Sqlite(test.env.top.join("store.db")));
        let new =
            NewProject { name: project, precedence: Precedence::Over, author: "ann", at_ms: 1 };
        pool.write(Open::OrCreate, |store| store.create_project(&new)).unwrap();
        let store = ProjectStore { pool, project: project.to_owned(), author: "ann".to_owned() };
        let put = put(test, &store, "Text.\n", Expected::Anything).unwrap().put;
        (store, put.version.unwrap())
    }

    fn put(
        test: &TestWorkspace,
        store: &ProjectStore,
        text: &str,
        expected: Expected<'_>,
    ) -> Result<StoredOutcome, StoreError> {
        let files = Bundle::default();
        let draft = test.workspace.draft_of_text(NAME, text, Some("Of tests."), files).unwrap();
        store.change(&StoredChange::Put { draft: &draft, expected })
    }

    #[test]
    fn a_text_is_of_one_project_and_of_one_window() {
        let test = TestWorkspace::with(&[]);
        let ((shop, version), (team, same)) = (project(&test, "shop"), project(&test, "team"));
        assert_eq!(version, same);
        let windows = [Drafts::default(), Drafts::default()];
        let begin = |store, window: usize| {
            test.workspace.begin_edit(store, NAME, &version, &windows[window]).unwrap()
        };
        let files = [begin(&shop, 0), begin(&shop, 1), begin(&team, 0)];
        assert!(files[0] != files[1] && files[0] != files[2] && files[1] != files[2]);
        assert_eq!(begin(&shop, 0), files[0], "its own is gone on with");
        let edited = |file: &Path, line: &str| {
            let text = fs::read_to_string(file).unwrap() + line;
            fs::write(file, &text).unwrap();
            text
        };
        let texts = ["One.\n", "Two.\n", "Three.\n"];
        let texts: Vec<_> =
            files.iter().zip(texts).map(|(file, line)| edited(file, line)).collect();
        // The second stores first: the other two keep file and text.
        put(&test, &shop, &texts[1], Expected::Version(&version)).unwrap();
        assert!(windows[1].end(NAME, &files[1], &texts[1]));
        assert!(!files[1].exists());
        assert_eq!(fs::read_to_string(&files[0]).unwrap(), texts[0]);
        assert_eq!(fs::read_to_string(&files[2]).unwrap(), texts[2]);
        // A window that comes later takes up what one that has ended has left, and nothing else.
        let later = Drafts::default();
        let taken = test.workspace.begin_edit(&shop, NAME, &version, &later).unwrap();
        assert_eq!(taken, files[1]);
        assert!(later.end(NAME, &taken, &fs::read_to_string(&taken).unwrap()));
        let [first, second] = windows;
        drop((first, second));
        let taken = test.workspace.begin_edit(&shop, NAME, &version, &later).unwrap();
        assert_eq!(taken, files[0]);
        assert_eq!(fs::read_to_string(&taken).unwrap(), texts[0]);
    }

    #[test]
    fn only_a_file_whose_text_is_stored_is_removed() {
        let test = TestWorkspace::with(&[]);
        let (shop, version) = project(&test, "shop");
        let drafts = Drafts::default();
        let begin = || test.workspace.begin_edit(&shop, NAME, &version, &drafts).unwrap();
        let file = begin();
        let stored = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{stored}More.\n")).unwrap();
        assert!(!drafts.end(NAME, &file, &stored));
        assert_eq!(begin(), file);
        // The form in which it is stored is not that in which it was typed.
        fs::write(&file, stored.replace('\n', "\r\n")).unwrap();
        assert!(drafts.end(NAME, &file, &stored));
        let left = |env: &TestEnv| fs::read_dir(env.top.join("home/state/drafts")).unwrap().count();
        assert_eq!(left(&test.env), 0, "nothing is left behind");
        let file = begin();
        let kept = |drafts| test.workspace.edited_draft(&shop, (NAME, &version), &file, drafts);
        assert!(kept(&drafts).unwrap().is_none());
        assert!(!file.exists(), "it was as it had been");
    }

    /// Somebody else was faster: the text is gone on with, and then stored over what it was shown
    /// to overwrite.
    #[test]
    fn a_text_that_was_not_stored_is_gone_on_with_for_the_next_version() {
        let test = TestWorkspace::with(&[]);
        let (shop, first) = project(&test, "shop");
        let drafts = Drafts::default();
        let begin = |version: &str, drafts: &Drafts| {
            test.workspace.begin_edit(&shop, NAME, version, drafts).unwrap()
        };
        let file = begin(&first, &drafts);
        let mine = fs::read_to_string(&file).unwrap() + "Mine.\n";
        fs::write(&file, &mine).unwrap();
        let theirs = put(&test, &shop, "Theirs.\n", Expected::Version(&first)).unwrap().put;
        let second = theirs.version.unwrap();
        let draft = |version: &str| {
            test.workspace.edited_draft(&shop, (NAME, version), &file, &drafts).unwrap().unwrap()
        };
        let stored = draft(&first);
        let change = StoredChange::Put { draft: &stored, expected: Expected::Version(&first) };
        assert!(matches!(shop.change(&change), Err(StoreError::Changed(_))));
        assert_eq!(begin(&second, &drafts), file);
        assert_eq!(fs::read_to_string(&file).unwrap(), mine);
        let stored = draft(&second);
        let change = StoredChange::Put { draft: &stored, expected: Expected::Version(&second) };
        let before = shop.plan(&change).unwrap().before.unwrap();
        assert!(before.content.ends_with("Theirs.\n"), "what is overwritten is shown");
        assert_eq!(stored.content, mine);
        // A process that ended without a change has left nothing that somebody typed.
        let other = begin(&first, &Drafts::default());
        assert_ne!(other, file);
        fs::write(&other, before.content.replace("Theirs.", "Text.")).unwrap();
        let later = Drafts::default();
        assert_eq!(begin(&second, &later), other);
        assert!(fs::read_to_string(&other).unwrap().ends_with("Theirs.\n"));
    }
}
