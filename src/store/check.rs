//! What both databases refuse, and what no file could hold.

use super::error::StoreError;
use super::model::{Draft, MAX_CONTENT};

/// The most characters of a name.
const MAX_NAME: usize = 64;

/// The most characters of an author: a person's name and a machine's.
const MAX_AUTHOR: usize = 128;

/// Whether somebody may sign with this name: it is a text like any other, and shown in every list.
pub(super) fn check_author(name: &str) -> Result<(), StoreError> {
    if !(1..=MAX_AUTHOR).contains(&name.chars().count()) {
        return Err(StoreError::Author);
    }
    if name.contains('\0') { Err(StoreError::Nul) } else { Ok(()) }
}

/// Whether a project may have this name.
///
/// # Errors
/// [`StoreError::ProjectName`].
pub fn check_project_name(name: &str) -> Result<(), StoreError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = (1..=64).contains(&name.len()) && name.chars().all(is_plain);
    if fits { Ok(()) } else { Err(StoreError::ProjectName) }
}

/// Whether a skill can be stored.
pub(super) fn check(draft: &Draft<'_>) -> Result<(), StoreError> {
    check_author(draft.author)?;
    let name = draft.name.trim();
    let fits = (1..=MAX_NAME).contains(&name.chars().count());
    if !fits || name.chars().any(char::is_control) {
        return Err(StoreError::SkillName);
    }
    if draft.content.len() > MAX_CONTENT {
        return Err(StoreError::TooLarge);
    }
    let texts = [draft.content, draft.description];
    if texts.iter().any(|text| text.contains('\0')) {
        return Err(StoreError::Nul);
    }
    let is_object = |text: &str| {
        matches!(serde_json::from_str(text), Ok(serde_json::Value::Object(_)))
            && !text.contains('\0')
    };
    if draft.metadata.is_some_and(|text| !is_object(text)) {
        return Err(StoreError::Metadata);
    }
    Ok(())
}
