//! Reads a file of a skill for a model: finds the skill, judges it, and checks the file for hidden
//! text.

use super::call_context::{CallContext, since};
use super::consent_gate::ConsentGate;
use super::judge::LoadError;
use super::listed::listed;
use super::nested::lies_in;
use super::read::as_text;
use super::refusal::WantedFile;
use super::session::{LoadedState, SavedSkill, Session, Style};
use super::sizes::SizeLimits;
use super::{Encoding, ReadError, Resource, ResourceBody, read_resource};
use crate::catalog::Skill;
use crate::files::beneath::Refusal;
use crate::files::digest::Digest;
use crate::policy::Entry;
use crate::state::activity::CallKind;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Why a file is not read, or a script not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// No skill is named, and none is active.
    #[error("no skill is active; load one first{}", if *.must { "" } else { ", or name it" })]
    NothingActive {
        /// Whether a skill must be active, so that it does not help to name one.
        must: bool,
    },
    /// The skill must be loaded first.
    #[error("the skill is not active in this conversation; load it first")]
    NotActive,
    /// The skill may not be loaded, so neither may its files be read; or the file hides something.
    #[error(transparent)]
    Skill(#[from] LoadError),
    /// [`FetchError::Skill`] for a skill that the argument does not name: the newest active one, or
    /// one nested in the named one.
    #[error("{error}")]
    Other { skill: Arc<Skill>, error: LoadError },
    /// The newest active skill is not in this view.
    #[error("{}", if *.gone { "it was loaded in this conversation, and is gone now" } else {
        "it is loaded in this conversation, and not among the skills that are seen from here"
    })]
    Lost {
        /// Other people's text.
        name: String,
        /// Whether its file is gone.
        gone: bool,
    },
    /// The file is refused.
    #[error(transparent)]
    File(#[from] ReadError),
}

impl FetchError {
    /// A stable word for JSON and the log.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NothingActive { .. } => "nothing_active",
            Self::NotActive => "not_active",
            Self::Skill(error) | Self::Other { error, .. } => error.code(),
            Self::Lost { gone, .. } => {
                (if *gone { LoadedState::Missing } else { LoadedState::Unseen }).word()
            }
            Self::File(error) => error.code(),
        }
    }

    /// This error of a call for which a skill must be active.
    pub(super) fn where_active(self) -> Self {
        match self {
            Self::NothingActive { .. } => Self::NothingActive { must: true },
            other => other,
        }
    }

    /// Names the skill that the error is about if the caller named none.
    pub(super) fn of(self, skill: &Arc<Skill>, argument: Option<&str>) -> Self {
        match (self, argument) {
            (Self::Skill(error), None) => Self::Other { skill: Arc::clone(skill), error },
            (error, _) => error,
        }
    }
}

/// Whether only files of active skills are read, since texts are kept in the instructions.
fn must_be_active(session: Option<&Session>) -> bool {
    session.is_some_and(|session| session.style() == Style::Instructions)
}

#[derive(Clone, Debug)]
pub struct Fetched {
    pub skill: Arc<Skill>,
    pub resource: Resource,
}

impl Fetched {
    /// A notice to the model about what was cut.
    pub fn notice(&self) -> Option<String> {
        let length = self.resource.given();
        self.resource.cut.then(|| {
            format!("[the file is cut: {length} of {} bytes are here]", self.resource.total)
        })
    }
}

impl CallContext<'_> {
    /// The named entry, or the newest active one. It is not judged.
    ///
    /// # Errors
    /// [`FetchError`]: there is no such skill, or none is named and none is active.
    pub fn named(
        &self,
        session: Option<&Session>,
        argument: Option<&str>,
    ) -> Result<usize, FetchError> {
        // Only skills of the call's scope count.
        let of_scope = |active: &&SavedSkill| {
            let entry = self.entry_of(active);
            self.scope.is_none()
                || entry.is_some_and(|entry| Workspace::admits(self.scope, entry.skill.scope))
        };
        match (argument, session.and_then(|session| session.active().iter().rev().find(of_scope))) {
            (Some(argument), _) => Ok(self.wanted(argument)?),
            (None, None) => Err(FetchError::NothingActive { must: must_be_active(session) }),
            (None, Some(newest)) => {
                let place = self.index_of(newest);
                place.ok_or_else(|| match self.lost(newest) {
                    LoadedState::Refused(error) => error.into(),
                    state => FetchError::Lost {
                        name: newest.name.clone(),
                        gone: state == LoadedState::Missing,
                    },
                })
            }
        }
    }

    /// Checks that the named skill is active, or that any is if none is named.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn require_active(
        &self,
        session: &Session,
        argument: Option<&str>,
    ) -> Result<(), FetchError> {
        let index = self.named(Some(session), argument).map_err(FetchError::where_active)?;
        Self::active(Some(session), true, &self.entry(index).skill)
    }

    /// Checks that the skill is active, if `must` is set or the session keeps texts in the
    /// instructions.
    ///
    /// # Errors
    /// [`FetchError::NotActive`].
    pub(super) fn active(
        session: Option<&Session>,
        must: bool,
        skill: &Skill,
    ) -> Result<(), FetchError> {
        if (must || must_be_active(session)) && !session.is_some_and(|session| session.has(skill)) {
            return Err(FetchError::NotActive);
        }
        Ok(())
    }

    /// Judges an entry of which a file was read, and the nested skill to which the file belongs: a
    /// file of a nested skill may be read only if both skills may be loaded. An error that names no
    /// skill is about the entry.
    ///
    /// # Errors
    /// [`FetchError`].
    pub(super) fn judge_file(
        &self,
        entry: &Entry,
        relative: &Path,
        read: Option<&Resource>,
        gate: &mut ConsentGate<'_>,
    ) -> Result<(), FetchError> {
        gate.judge(self, entry, read.map(|read| (relative, read)))?;
        let Some(owner) = self.inner(&entry.skill, relative) else { return Ok(()) };
        let file = entry.skill.place_of(relative);
        gate.judge(self, owner, read.map(|read| (&*file, read)))
            .map_err(|error| FetchError::Other { skill: Arc::clone(&owner.skill), error })
    }

    /// Reads a file of a skill, and logs it.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn read(
        &self,
        wanted: WantedFile<'_>,
        encoding: Encoding,
        gate: &mut ConsentGate<'_>,
    ) -> Result<Fetched, FetchError> {
        let start = Instant::now();
        let entry = self.entry(self.named(gate.session, wanted.skill)?);
        let skill = Arc::clone(&entry.skill);
        // A yes is about the bytes that are handed over, so they are read before it is asked for.
        let read = Self::active(gate.session, false, &skill)
            .and_then(|()| {
                let (file, fetched) = self.fetch_named(&skill, wanted.path, encoding);
                self.judge_file(entry, &file, fetched.as_ref().ok(), gate).and(fetched)
            })
            .map_err(|error| error.of(&skill, wanted.skill));
        if read.is_ok() || !gate.later {
            self.note(CallKind::Read, &skill, |call| {
                call.file = Some(wanted.path.to_owned());
                call.duration_ms = since(start);
                match &read {
                    Ok(resource) => {
                        (call.bytes, call.truncated) = (Some(resource.total), resource.cut)
                    }
                    Err(error) => call.error = Some(error.code().to_owned()),
                }
            });
        }
        read.map(|resource| Fetched { skill, resource })
    }

    /// The nested skill of this one to which the file belongs.
    pub fn inner(&self, skill: &Skill, relative: impl AsRef<Path>) -> Option<&Entry> {
        let file = std::fs::canonicalize(skill.place_of(relative)).ok()?;
        let around = |entry: &&Entry| file.starts_with(entry.skill.dir()) && lies_in(entry, skill);
        let innermost = self
            .view
            .rows
            .entries()
            .filter(around)
            .max_by_key(|entry| entry.skill.dir().as_os_str().len());
        innermost.filter(|entry| entry.skill.path != skill.path)
    }

    /// The file of this path or, if there is none, the one that is listed under it; and what was
    /// read of it.
    fn fetch_named(
        &self,
        skill: &Skill,
        written: &str,
        encoding: Encoding,
    ) -> (PathBuf, Result<Resource, FetchError>) {
        let plain = PathBuf::from(written);
        let fetched = self.fetch(skill, &plain, encoding);
        let Err(FetchError::File(ReadError::Refused(Refusal::NotFound | Refusal::Absolute))) =
            &fetched
        else {
            return (plain, fetched);
        };
        let Some(file) = listed(skill, written) else { return (plain, fetched) };
        let fetched = self.fetch(skill, &file, encoding);
        (file, fetched)
    }

    fn fetch(
        &self,
        skill: &Skill,
        relative: &Path,
        encoding: Encoding,
    ) -> Result<Resource, FetchError> {
        let resource =
            read_resource(skill, relative, encoding, SizeLimits::of_resource(self.view))?;
        // Text is checked even if it was requested as bytes, since it reaches the model in any
        // case. A file with a NUL is never given as text, and a picture may have any bytes.
        let text = match &resource.body {
            ResourceBody::Text(text) => Some(text.as_str()),
            ResourceBody::Binary(bytes) if bytes.contains(&0) => None,
            ResourceBody::Binary(bytes) => as_text(bytes, resource.cut),
        };
        if let Some(text) = text {
            self.refuse_hidden(text, Digest::of(text.as_bytes()), skill, relative)?;
        }
        Ok(resource)
    }
}

#[cfg(test)]
mod tests;
