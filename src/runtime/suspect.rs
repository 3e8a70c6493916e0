//! Lets a person look at the hidden text of a skill and approve it.

use super::block;
use super::call_context::CallContext;
use super::fetch::FetchError;
use super::judge::LoadError;
use super::load::hidden_of;
use super::read::resource_text;
use super::sizes::SizeLimits;
use crate::catalog::{Skill, shown_in};
use crate::files::digest::Digest;
use crate::policy::{Entry, Refusal};
use crate::state::StateError;
use crate::state::activity::CallKind;
use crate::state::approvals::{Approval, Approvals, Subject};
use crate::text::{Hidden, SafeText};
use crate::workspace::clock::now_ms;
use std::path::PathBuf;
use std::sync::Arc;

/// A file of a skill with hidden text.
#[derive(Clone, Debug)]
pub struct Suspect {
    pub skill: Arc<Skill>,
    /// Relative to the skill.
    pub file: PathBuf,
    pub hidden: Hidden,
    /// Everything that is hidden, with marks.
    pub shown: Vec<SafeText>,
    /// The digest that an approval is bound to.
    pub digest: Digest,
}

impl CallContext<'_> {
    /// What a file of a skill hides, to be shown to a person before [`CallContext::approve`].
    /// Without `file` it is the `SKILL.md`.
    ///
    /// # Errors
    /// [`FetchError`]: the argument does not mean exactly one skill, or the file cannot be
    /// read as text.
    pub fn suspect(&self, argument: &str, file: Option<&str>) -> Result<Suspect, FetchError> {
        let skill = Arc::clone(&self.entry(self.wanted(argument)?).skill);
        let limits = SizeLimits::of_resource(self.view);
        let text = match file {
            None => block::whole(&skill, limits.file).map_err(LoadError::from)?,
            Some(file) => resource_text(&skill, file, limits)?,
        };
        let file = file.map_or_else(|| skill.file().to_owned(), PathBuf::from);
        let (hidden, digest) = (hidden_of(&text, &skill, &file), Digest::of(text.as_bytes()));
        let is_main = *file == *skill.file();
        let shown = if is_main { shown_in(&text) } else { Hidden::shown(&text) };
        Ok(Suspect { skill, file, hidden, shown, digest })
    }

    /// Why the skill's own text is not loaded until a person approves it, whatever a rule says;
    /// `None` if it hides nothing, or was approved.
    pub fn unapproved(&self, entry: &Entry) -> Option<Refusal> {
        let skill = &entry.skill;
        let text = block::whole(skill, SizeLimits::of_skill_md(self.view).file).ok()?;
        let digest = Digest::of(text.as_bytes());
        let error = self.refuse_hidden(&text, digest, skill, skill.file()).err()?;
        Some(self.entry_refusal(&error, entry))
    }

    /// Remembers that a person has approved this text. It can be loaded from now on, until a byte
    /// of it changes.
    ///
    /// # Errors
    /// [`StateError`]. Then nothing is approved.
    pub fn approve(&self, suspect: &Suspect) -> Result<(), StateError> {
        let Some(directory) = self.workspace.state_dir.as_deref() else {
            return Err(StateError::Nowhere);
        };
        let (path, digest) = (suspect.skill.place_of(&suspect.file), suspect.digest.to_string());
        let approval = Approval {
            subject: Subject::Text,
            path,
            digest: digest.clone(),
            details: String::new(),
            at_ms: now_ms(),
        };
        Approvals::add(directory, approval)?;
        self.note(CallKind::Approve, &suspect.skill, |call| {
            (call.file, call.digest) =
                (Some(suspect.file.to_string_lossy().into_owned()), Some(digest));
        });
        Ok(())
    }
}
