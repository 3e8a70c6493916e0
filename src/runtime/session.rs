//! The skills of one conversation, which are loaded, replaced, unloaded and resumed.
//!
//! A session knows names, paths and digests. It lives in memory, or in the state directory under
//! the conversation's id ([`super::CallContext::change_session`]); the texts are read again
//! whenever they are needed.

mod in_call;

pub use in_call::Gathered;

use super::block::text_digest;
use super::judge::LoadError;
use super::load::Loaded;
use crate::catalog::Skill;
use crate::config;
use crate::files::digest::Digest;
use crate::policy::listed;
use crate::state::StateError;
use crate::state::sessions::{MAX_ID, allowed_tools};
use crate::text::SafeText;
use crate::workspace::clock::now_ms;
use std::sync::Arc;

/// Types in this room's signatures.
pub use crate::state::sessions::{SavedSession, SavedSkill};

/// How texts reach the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Each once, as a tool's result.
    #[default]
    ToolResult,
    /// All of them, in the instructions of every call.
    Instructions,
}

/// What loading does with the skills that are already loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are unloaded.
    Replace,
    /// They stay, in their order.
    Add,
}

impl Mode {
    /// The default: instructions have only what was loaded last, but tool results stay in the
    /// conversation, so further skills are added.
    pub fn usual(style: Style) -> Self {
        match style {
            Style::ToolResult => Self::Add,
            Style::Instructions => Self::Replace,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The most skills that are loaded at once.
    pub cap: usize,
    /// Whether loading an unchanged skill again is an error instead of a reminder.
    pub strict: bool,
    /// Whether the oldest skills are given up for new ones beyond the cap, instead of an error.
    pub drop_oldest: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { cap: config::MAX_ACTIVE, strict: false, drop_oldest: false }
    }
}

/// What a session has after a load.
#[derive(Clone, Debug)]
pub struct Admitted {
    pub handed: Vec<Handed>,
    /// The skills that were unloaded for these, oldest first.
    pub dropped: Vec<SavedSkill>,
}

#[derive(Clone, Debug)]
pub enum Handed {
    Text(Box<Loaded>),
    /// A short reminder: the conversation already has the unchanged text.
    Reminder(Box<Loaded>),
    /// Nothing yet: the instructions have the text from the next call on.
    Instructions(Box<Loaded>),
}

impl Handed {
    pub fn loaded(&self) -> &Loaded {
        match self {
            Self::Text(loaded) | Self::Reminder(loaded) | Self::Instructions(loaded) => loaded,
        }
    }

    /// The skills of which the text is handed over.
    pub fn texts(handed: &[Self]) -> Vec<Arc<Skill>> {
        let texts = handed.iter().filter(|one| matches!(one, Self::Text(_)));
        texts.map(|one| Arc::clone(&one.loaded().skill)).collect()
    }

    /// The text for the tool's result. `unload` is the tool or command that gives a skill up, if
    /// there is one.
    pub fn text(&self, unload: Option<&str>) -> String {
        let (name, path) =
            (SafeText::line(&self.loaded().skill.name), SafeText::path(&self.loaded().skill.path));
        match self {
            Self::Text(loaded) => loaded.block(),
            Self::Reminder(loaded) => {
                let reference = format!("{path}, {}", loaded.digest_word());
                let again =
                    unload.map(|unload| format!(" To see them again, first call {unload}."));
                format!(
                    "Skill '{name}' ({reference}) is already loaded in this conversation and has not changed; \
                     follow its instructions above.{}",
                    again.unwrap_or_default()
                )
            }
            Self::Instructions(_) => {
                format!(
                    "Skill '{name}' is loaded; its instructions are part of the next call's instructions."
                )
            }
        }
    }
}

/// Why a session is not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// One of the wanted skills cannot be loaded, so none is.
    #[error("{error}")]
    Load {
        /// Other people's text.
        argument: String,
        error: Box<LoadError>,
    },
    /// No skill is named.
    #[error("a skill's name or path is needed")]
    Nothing,
    /// More skills than [`Rules::cap`].
    #[error(
        "{wanted} skills would be loaded, and at most {cap} may be; {}",
        if .active.is_empty() { "load fewer".to_owned() } else {
            format!("load fewer, or unload some first. Loaded, oldest first: {}", names(.active))
        }
    )]
    TooMany {
        wanted: usize,
        cap: usize,
        /// The names of the loaded skills, oldest first; other people's text.
        active: Vec<String>,
    },
    /// It is already loaded and unchanged, and the session is strict.
    #[error("the skill is already active")]
    AlreadyActive {
        /// Its name; other people's text.
        name: String,
    },
    /// It cannot be the id of a conversation.
    #[error("a conversation's id has 1 to {MAX_ID} bytes")]
    Id,
    /// There is no state directory.
    #[error("there is no place to remember conversations: no home directory")]
    Nowhere,
    /// It could not be saved.
    #[error(transparent)]
    State(#[from] StateError),
}

fn names(active: &[String]) -> SafeText {
    SafeText::join(active.iter().map(|name| listed(name)), ", ")
}

/// Whether it can be the id of a conversation.
///
/// # Errors
/// [`SessionError::Id`].
pub fn check_id(id: &str) -> Result<(), SessionError> {
    (1..=MAX_ID).contains(&id.len()).then_some(()).ok_or(SessionError::Id)
}

impl SessionError {
    /// A stable word for JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Load { error, .. } => error.code(),
            Self::Nothing => "empty",
            Self::TooMany { .. } => "too_many",
            Self::AlreadyActive { .. } => "already_active",
            Self::Id => "session_id",
            Self::Nowhere | Self::State(_) => "state",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unload<'a> {
    All,
    /// Those that these names, paths or mentions mean. Skills that are not loaded are ignored.
    These(&'a [String]),
}

/// The state of a loaded skill now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadedState {
    /// As it was loaded.
    Current,
    /// Its text has changed since.
    Updated,
    /// Its file is gone.
    Missing,
    /// It exists, but not in this view, since it was loaded through another host or from another
    /// place.
    Unseen,
    /// It may not or cannot be loaded any more.
    Refused(LoadError),
}

impl LoadedState {
    /// The word used in tables and JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Updated => "updated",
            Self::Missing => "missing",
            Self::Unseen => "unseen",
            Self::Refused(_) => "refused",
        }
    }
}

/// The texts for the instructions of a call, and the state of each skill.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// `<active_skills>…</active_skills>`; empty if nothing is active.
    pub text: String,
    /// One for each active skill, in order.
    pub states: Vec<LoadedState>,
}

/// The skills of one conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    saved: SavedSession,
}

impl Session {
    pub fn new(style: Style) -> Self {
        Self {
            saved: SavedSession { instructions: style == Style::Instructions, skills: Vec::new() },
        }
    }

    /// How texts reach the model.
    pub fn style(&self) -> Style {
        if self.saved.instructions { Style::Instructions } else { Style::ToolResult }
    }

    /// Sets how texts reach the model. After a change, nobody knows which texts the conversation
    /// has.
    pub fn set_style(&mut self, style: Style) {
        if self.style() != style {
            self.compacted();
        }
        self.saved.instructions = style == Style::Instructions;
    }

    /// The loaded skills, newest last.
    pub fn active(&self) -> &[SavedSkill] {
        &self.saved.skills
    }

    /// The newest skill, which is meant if none is named.
    pub fn current(&self) -> Option<&SavedSkill> {
        self.saved.skills.last()
    }

    /// Whether this skill is loaded.
    pub fn has(&self, skill: &Skill) -> bool {
        self.saved.skills.iter().any(|active| active.is(skill))
    }

    /// Whether this skill is loaded and its text and its `files` are unchanged. If a rule asked, a
    /// person consented to these.
    pub fn consents(&self, skill: &Skill, files: impl FnOnce() -> Option<Digest>) -> bool {
        let active = self.saved.skills.iter().find(|active| active.is(skill));
        let now = || text_digest(skill).map(|digest| digest.to_string());
        active.is_some_and(|active| {
            now().as_ref() == Some(&active.digest)
                && (active.files.is_none() || has(active, files()))
        })
    }

    /// Whether this is the text that is loaded, with the same files.
    pub fn holds(&self, loaded: &Loaded) -> bool {
        let active = self.saved.skills.iter().find(|active| active.is(&loaded.skill));
        active.is_some_and(|active| {
            active.digest == loaded.digest.to_string()
                && (active.files.is_none() || has(active, loaded.files_digest))
        })
    }

    /// Adds what was loaded: all of it or, on an error, nothing.
    ///
    /// # Errors
    /// [`SessionError::Nothing`], [`SessionError::TooMany`], [`SessionError::AlreadyActive`].
    pub fn admit(
        &mut self,
        loaded: Vec<Loaded>,
        mode: Mode,
        rules: Rules,
    ) -> Result<Vec<Handed>, SessionError> {
        if loaded.is_empty() {
            return Err(SessionError::Nothing);
        }
        let before = std::mem::take(&mut self.saved.skills);
        let mut next: Vec<SavedSkill> = if mode == Mode::Add { before.clone() } else { Vec::new() };
        let mut handed: Vec<Handed> = Vec::new();
        for one in loaded {
            if handed.iter().any(|other| other.loaded().skill.path == one.skill.path) {
                continue;
            }
            let is_it = |active: &SavedSkill| active.is(&one.skill);
            let known = before.iter().find(|active| is_it(active) && same(active, &one));
            let stands = |active: &SavedSkill| active.told || self.style() == Style::Instructions;
            if rules.strict && known.is_some_and(stands) {
                self.saved.skills = before;
                return Err(SessionError::AlreadyActive { name: one.skill.name.clone() });
            }
            let told = known.is_some_and(|active| active.told);
            let loaded_ms = known.map_or_else(now_ms, |active| active.loaded_ms);
            let style = self.style();
            let row = SavedSkill {
                name: one.skill.name.clone(),
                path: one.skill.path.clone(),
                digest: one.digest.to_string(),
                files: one.files_digest.map(|files| files.to_string()),
                mtime_ms: one.mtime_ms,
                loaded_ms,
                told: style == Style::ToolResult,
                allowed_tools: allowed_tools(&one.skill),
            };
            let place = next.iter().position(is_it).unwrap_or(next.len());
            next.retain(|active| !is_it(active));
            next.insert(place, row);
            let one = Box::new(one);
            handed.push(match style {
                Style::Instructions => Handed::Instructions(one),
                Style::ToolResult if told => Handed::Reminder(one),
                Style::ToolResult => Handed::Text(one),
            });
        }
        if next.len() > rules.cap {
            let active = before.iter().map(|active| active.name.clone()).collect();
            self.saved.skills = before;
            return Err(SessionError::TooMany { wanted: next.len(), cap: rules.cap, active });
        }
        self.saved.skills = next;
        Ok(handed)
    }

    /// Unloads the skills that are meant, and returns them.
    pub fn unload(&mut self, meant: impl Fn(&SavedSkill) -> bool) -> Vec<SavedSkill> {
        let (gone, kept) = std::mem::take(&mut self.saved.skills).into_iter().partition(meant);
        self.saved.skills = kept;
        gone
    }

    /// The texts of these skills did not reach the model, so the next load gives them again.
    pub fn untold(&mut self, skills: &[Arc<Skill>]) {
        let active = self.saved.skills.iter_mut();
        let these = active.filter(|active| skills.iter().any(|skill| active.is(skill)));
        these.for_each(|active| active.told = false);
    }

    /// The conversation was compacted. Its texts may be gone, so the next load gives them again.
    pub fn compacted(&mut self) {
        self.saved.skills.iter_mut().for_each(|active| active.told = false);
    }
}

/// Whether the skill was loaded with these files.
fn has(active: &SavedSkill, files: Option<Digest>) -> bool {
    active.files == files.map(|files| files.to_string())
}

/// Whether these are the same bytes as were loaded, by modification time and digest.
fn same(active: &SavedSkill, loaded: &Loaded) -> bool {
    active.mtime_ms == loaded.mtime_ms && active.digest == loaded.digest.to_string()
}

#[cfg(test)]
mod tests;
