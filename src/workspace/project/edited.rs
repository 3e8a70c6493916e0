//! A text of the project that a person edits: a file in the state folder, kept until it is stored,
//! so that nothing is lost that somebody has typed.

use super::draft::regular;
use super::{DraftError, ProjectStore, SkillDraft, digits};
use crate::files::cache;
use crate::state::StateError;
use crate::store::{Bundle, StoreError, folder_name};
use crate::text::{SafeText, reason};
use crate::workspace::Workspace;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where such files are, in the state folder.
const FOLDER: &str = "drafts";

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
}

impl From<io::Error> for EditedError {
    fn from(error: io::Error) -> Self {
        Self::File(SafeText::line(&reason(&error)))
    }
}

impl Workspace {
    /// The file in which the text of a version is edited. What an earlier edit of this version has
    /// left there is taken up again.
    ///
    /// # Errors
    /// [`EditedError`].
    pub fn begin_edit(
        &self,
        store: &ProjectStore,
        name: &str,
        version: &str,
    ) -> Result<PathBuf, EditedError> {
        let nowhere = || EditedError::Nowhere(SafeText::line(&StateError::Nowhere.to_string()));
        let state = self.state_dir.as_deref().ok_or_else(nowhere)?;
        let folder = state.join(FOLDER).join(digits(version)).join(folder_name(name));
        let file = folder.join("SKILL.md");
        if !file.is_file() {
            let found = store.pool.read(|store| store.version(version))?;
            cache::write(&file, |out| out.write_all(found.content.as_bytes()))?;
        }
        Ok(file)
    }

    /// What was made of the text of a version; `None` if it is as it was. The skill's other files
    /// stay.
    ///
    /// # Errors
    /// [`EditedError`]. The file stays.
    pub fn edited_draft(
        &self,
        store: &ProjectStore,
        name: &str,
        version: &str,
        file: &Path,
    ) -> Result<Option<SkillDraft>, EditedError> {
        let before = store.pool.read(|store| store.version(version))?;
        let text = String::from_utf8(regular(file)?).map_err(|_| DraftError::NotUtf8)?;
        if text == before.content {
            return Ok(None);
        }
        let files = Bundle::of(before.files).map_err(DraftError::from)?;
        Ok(Some(self.draft_of_text(name, &text, None, files)?))
    }

    /// Removes the file: its text is stored, or is as it was.
    pub fn end_edit(file: &Path) {
        // Empty folders are no loss, so nothing is said of an error.
        let _ = fs::remove_file(file);
        for folder in file.ancestors().skip(1).take(2) {
            let _ = fs::remove_dir(folder);
        }
    }
}
