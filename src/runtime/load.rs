//! Loading a skill: resolved, judged, read, looked through, and handed over as text (COD-6.2,
//! KOD-7, AAB-8, REM-7.1).

use super::block::{self, BlockError, Files};
use super::desk::{By, Desk, since};
use super::fetch::{FetchError, Within};
use super::hidden::Hidden;
use crate::catalog::{Permission, Skill, frontmatter};
use crate::files::beneath::Refusal;
use crate::files::digest::Digest;
use crate::policy::{Entry, Origin};
use crate::state::StateError;
use crate::state::activity::Deed;
use crate::state::approvals::{Approvals, Subject};
use crate::text::SafeText;
use crate::workspace::ResolveError;
use crate::workspace::edit::now_ms;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, UNIX_EPOCH};

/// Who loads, and what a person has said already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    /// Who wants the skill.
    pub by: By,
    /// Whether a person has said yes to this load, which answers a permission of `ask` and nothing
    /// else.
    pub consented: bool,
}

impl Asker {
    /// The model, with no person asked.
    pub const MODEL: Self = Self { by: By::Model, consented: false };
    /// The model, where a person has been asked, now or earlier, if a rule wants it.
    pub const ASKED: Self = Self { by: By::Model, consented: true };
    /// A person, who needs not be asked.
    pub const PERSON: Self = Self { by: By::Person, consented: true };
}

/// A skill's text, read and judged.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub skill: Arc<Skill>,
    /// Its `SKILL.md`, at most [`super::SOFT_BYTES`] of it, exactly as it is; other people's text.
    pub text: String,
    /// The byte of `text` at which the body begins.
    body: usize,
    /// Size of the whole `SKILL.md`, bytes.
    pub total: usize,
    /// The digest of the whole `SKILL.md`.
    pub digest: Digest,
    /// Its modification time, milliseconds since 1970; 0 where unknown.
    pub mtime_ms: u64,
    /// Characters of `text` that are shown as marks where a person reads it.
    pub marks: usize,
    /// The skill's other files.
    pub files: Files,
}

/// Why a skill is not loaded. Judged on the entry that the argument means, never on the argument
/// (house rule 3). The texts hold no other people's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The argument means no one skill.
    #[error(transparent)]
    Unresolved(#[from] ResolveError),
    /// Skills are switched off as a whole (KOD-6, KOD-8).
    #[error("skills are disabled")]
    AllOff,
    /// The host does not take it (D19).
    #[error("the skill cannot be offered: {message} ({code})")]
    Invalid {
        /// The code of the finding.
        code: &'static str,
        /// What is wrong, cleaned.
        message: String,
    },
    /// It is switched off.
    #[error("the skill is switched off")]
    Off(Origin),
    /// Its own text keeps it from being called by a person (`user-invocable: false`).
    #[error("the skill is not for a person to call")]
    NotForPeople(Origin),
    /// A rule denies it.
    #[error("loading this skill is denied")]
    Denied(Origin),
    /// A person must be asked first: ask, and load again with [`Asker::consented`].
    #[error("loading this skill needs a person's consent")]
    NeedsConsent(Origin),
    /// The text hides something: a person must look, and approve this digest (T5).
    #[error("the text hides {}; it is loaded only after a person has approved it", .hidden.words())]
    Hidden {
        hidden: Hidden,
        /// The file that hides it, relative to the skill.
        file: PathBuf,
        /// The digest to approve.
        digest: Digest,
    },
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] BlockError),
}

impl LoadError {
    /// A stable word for JSON and the log.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unresolved(ResolveError::Unknown { .. }) => "unknown",
            Self::Unresolved(ResolveError::Ambiguous { .. }) => "ambiguous",
            Self::Unresolved(ResolveError::Empty) => "empty",
            Self::AllOff => "skills_disabled",
            Self::Invalid { .. } => "invalid",
            Self::Off(_) => "disabled",
            Self::NotForPeople(_) => "not_for_people",
            Self::Denied(_) => "denied",
            Self::NeedsConsent(_) => "needs_consent",
            Self::Hidden { .. } => "hidden_text",
            Self::Unreadable(BlockError::TooLarge) => "too_large",
            Self::Unreadable(BlockError::NotUtf8) => "not_utf8",
            Self::Unreadable(BlockError::Refused(_)) => "unreadable",
        }
    }

    /// The rule that decided, where one did.
    pub fn origin(&self) -> Option<&Origin> {
        match self {
            Self::Off(origin)
            | Self::NotForPeople(origin)
            | Self::Denied(origin)
            | Self::NeedsConsent(origin) => Some(origin),
            _ => None,
        }
    }
}

impl From<Refusal> for LoadError {
    fn from(refusal: Refusal) -> Self {
        Self::Unreadable(refusal.into())
    }
}

impl Desk<'_> {
    /// Loads the skill that `argument` (a path, a name or a mention) means, and notes it in the
    /// log.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(&self, argument: &str, asker: Asker) -> Result<Loaded, LoadError> {
        self.load_entry(self.wanted(argument)?, asker)
    }

    /// The entry that is to be loaded.
    pub(super) fn wanted(&self, argument: &str) -> Result<usize, LoadError> {
        self.none_at_all().map_or_else(|| Ok(self.resolve(argument)?), Err)
    }

    /// Why there are no skills at all, where they are off.
    pub(super) fn none_at_all(&self) -> Option<LoadError> {
        let off = !self.view.policy.skills_enabled.value && self.view.entries.is_empty();
        off.then_some(LoadError::AllOff)
    }

    /// The same for an entry of the view.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load_entry(&self, index: usize, asker: Asker) -> Result<Loaded, LoadError> {
        let start = Instant::now();
        let loaded = self.try_entry(index, asker);
        self.note_load(
            index,
            since(start),
            loaded.as_ref().map(Noted::of).map_err(LoadError::code),
        );
        loaded
    }

    /// The same, not noted.
    pub(super) fn try_entry(&self, index: usize, asker: Asker) -> Result<Loaded, LoadError> {
        let entry = self.entry(index);
        judge(entry, asker).and_then(|()| self.read_text(&entry.skill))
    }

    /// Reads an entry for whom it is handed over to later: how long it took, and the text. A
    /// failure is noted at once.
    pub(super) fn gather(
        &self,
        index: usize,
        read: impl FnOnce() -> Result<Loaded, LoadError>,
    ) -> Result<(usize, u64, Loaded), LoadError> {
        let start = Instant::now();
        let loaded = read();
        if let Err(error) = &loaded {
            self.note_load(index, since(start), Err(error.code()));
        }
        Ok((index, since(start), loaded?))
    }

    /// Notes a load, or by its stable word why there was none.
    pub(super) fn note_load(
        &self,
        index: usize,
        duration_ms: u64,
        loaded: Result<Noted, &'static str>,
    ) {
        self.note(Deed::Load, &self.entry(index).skill, |call| {
            call.duration_ms = duration_ms;
            match loaded {
                Ok(Noted { bytes, truncated, digest }) => {
                    (call.bytes, call.truncated, call.digest) =
                        (Some(bytes), truncated, Some(digest));
                }
                Err(word) => call.error = Some(word.to_owned()),
            }
        });
    }

    pub(super) fn read_text(&self, skill: &Arc<Skill>) -> Result<Loaded, LoadError> {
        let whole = block::whole(skill)?;
        let digest = Digest::of(whole.as_bytes());
        self.look(&whole, digest, (skill, skill.file().to_owned()))?;
        let text = block::soft(&whole).to_owned();
        let body = frontmatter::read(whole.as_bytes()).body.min(text.len());
        let modified = std::fs::metadata(&skill.path).and_then(|metadata| metadata.modified()).ok();
        let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
        Ok(Loaded {
            marks: SafeText::marks(&text),
            files: block::files(skill, &Within::of(self.view, skill, |_| Asker::MODEL))?,
            total: whole.len(),
            mtime_ms: since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX)),
            skill: Arc::clone(skill),
            text,
            body,
            digest,
        })
    }

    /// Refuses a text that hides something, unless a person has approved these very bytes (T5).
    pub(super) fn look(
        &self,
        text: &str,
        digest: Digest,
        (skill, file): (&Skill, PathBuf),
    ) -> Result<(), LoadError> {
        let hidden = Hidden::of(text);
        let approved = || {
            let directory = self.workspace.state_dir.as_deref();
            directory.is_some_and(|directory| {
                Approvals::load(directory).has(
                    Subject::Text,
                    &skill.dir().join(&file),
                    &digest.to_string(),
                )
            })
        };
        if !hidden.any() || approved() {
            return Ok(());
        }
        Err(LoadError::Hidden { hidden, file, digest })
    }
}

/// What the log says of a load.
pub(super) struct Noted {
    pub(super) bytes: u64,
    truncated: bool,
    digest: String,
}

impl Noted {
    pub(super) fn of(loaded: &Loaded) -> Self {
        Self {
            bytes: loaded.text.len() as u64,
            truncated: loaded.is_cut(),
            digest: loaded.digest.to_string(),
        }
    }
}

/// A file of a skill that a person is to look at.
#[derive(Clone, Debug)]
pub struct Suspect {
    pub skill: Arc<Skill>,
    /// The file, relative to the skill.
    pub file: PathBuf,
    pub hidden: Hidden,
    /// The whole text; other people's.
    pub text: String,
    /// The digest that an approval is bound to.
    pub digest: Digest,
}

impl Desk<'_> {
    /// What a file of a skill hides, for a person to see before [`Desk::approve`]; no file means
    /// the `SKILL.md`.
    ///
    /// # Errors
    /// [`FetchError`]: the argument means no one skill, or the file cannot be read as text.
    pub fn suspect(&self, argument: &str, file: Option<&str>) -> Result<Suspect, FetchError> {
        let skill = Arc::clone(&self.entry(self.wanted(argument)?).skill);
        let text = match file {
            None => block::whole(&skill).map_err(LoadError::from)?,
            Some(file) => super::read::resource_text(&skill, file)?,
        };
        let (hidden, digest) = (Hidden::of(&text), Digest::of(text.as_bytes()));
        let file = file.map_or_else(|| skill.file().to_owned(), PathBuf::from);
        Ok(Suspect { skill, file, hidden, text, digest })
    }

    /// Remembers that a person has looked at this text: it is loaded from now on, as long as no
    /// byte of it changes.
    ///
    /// # Errors
    /// [`StateError`]: then nothing is approved.
    pub fn approve(&self, suspect: &Suspect) -> Result<(), StateError> {
        let Some(directory) = self.workspace.state_dir.as_deref() else {
            return Err(StateError::Nowhere);
        };
        let (place, digest) = (suspect.skill.dir().join(&suspect.file), suspect.digest.to_string());
        Approvals::add(directory, (Subject::Text, &place), &digest, now_ms())?;
        self.note(Deed::Approve, &suspect.skill, |call| {
            (call.file, call.digest) =
                (Some(suspect.file.to_string_lossy().into_owned()), Some(digest));
        });
        Ok(())
    }
}

/// Whether this entry may be loaded.
///
/// # Errors
/// [`LoadError`], without a look at the text.
pub fn judge(entry: &Entry, asker: Asker) -> Result<(), LoadError> {
    if let Some(check) = entry.refused {
        let message = entry.fault().map_or(check.help, |fault| &fault.message);
        return Err(LoadError::Invalid {
            code: check.code,
            message: SafeText::line(message).to_string(),
        });
    }
    let verdict = &entry.verdict;
    let off = !verdict.enabled() && !verdict.user.value;
    let user = || verdict.user.origin.clone();
    match asker.by {
        By::Person if verdict.user.value => Ok(()),
        By::Person if matches!(verdict.user.origin, Origin::Skill(_)) => {
            Err(LoadError::NotForPeople(user()))
        }
        By::Person => Err(LoadError::Off(user())),
        By::Model if off => Err(LoadError::Off(verdict.listed.origin.clone())),
        By::Model => match verdict.model.value {
            Permission::Allow => Ok(()),
            Permission::Ask if asker.consented => Ok(()),
            Permission::Ask => Err(LoadError::NeedsConsent(verdict.model.origin.clone())),
            Permission::Deny => Err(LoadError::Denied(verdict.model.origin.clone())),
        },
    }
}

impl Loaded {
    /// Without the frontmatter (D6, KOD-4b, AAB-8b).
    pub fn body(&self) -> &str {
        &self.text[self.body..]
    }

    /// Whether `text` is only the first part.
    pub fn is_cut(&self) -> bool {
        self.text.len() < self.total
    }

    /// What was cut, as a notice to the model; none where nothing was.
    pub fn notice(&self) -> Option<String> {
        self.is_cut().then(|| {
            format!("[SKILL.md is cut: {} of {} bytes are here]", self.text.len(), self.total)
        })
    }

    /// `sha256:` and 64 hex digits (RUN-8b).
    pub fn digest_word(&self) -> String {
        format!("sha256:{}", self.digest)
    }

    /// The `<skill_context>` block (COD-6.2b).
    pub fn block(&self) -> String {
        block::framed(&self.skill, (&self.text, self.total), &self.files)
    }

    /// The body below a heading, and where the skill lies (KOD-7).
    pub fn headed(&self) -> String {
        let (name, dir) = (SafeText::line(&self.skill.name), SafeText::path(self.skill.dir()));
        let notice = self.notice().map(|notice| format!("\n{notice}\n")).unwrap_or_default();
        let body = self.body();
        format!(
            "# Skill: {name}\nThe skill directory is located at: {dir}\n\n## Instructions\n\n{body}{notice}"
        )
    }
}

#[cfg(test)]
mod tests;
