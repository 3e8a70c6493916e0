//! Why a call is not answered, in words for a model: what is wrong, and what a person can do about
//! it.

use super::allowing;
use super::consent::Question;
use crate::catalog::Scope;
use crate::inert;
use crate::output::shell;
use crate::policy::Origin;
use crate::runtime::session::SessionError;
use crate::runtime::{CallContext, FetchError, LaunchError, LoadError};
use crate::text::SafeText;
use crate::workspace::ResolveError;
use rmcp::ErrorData;
use serde_json::json;
use std::path::PathBuf;

/// The most names that an answer about an unknown one lists.
const NAMES: usize = 50;

/// The most characters of a client's own words that an answer repeats: no name and no path that
/// means anything is longer.
const ECHO: usize = 4096;

/// What a client has written, shown to it again.
pub(super) fn echo(words: &str) -> SafeText {
    match words.char_indices().nth(ECHO) {
        None => SafeText::line(words),
        Some((end, _)) => inert!("{}… ({} bytes)", SafeText::line(&words[..end]), words.len()),
    }
}

/// What is wrong with a path that a client has written.
fn of_path(path: &str, reason: &str) -> String {
    if path.is_empty() { reason.to_owned() } else { format!("{}: {reason}", echo(path)) }
}

/// Why a call is not answered.
#[derive(Debug)]
pub(super) enum ToolError {
    /// A person must be asked first.
    Ask(Box<Question>),
    Refused {
        /// A stable word.
        code: &'static str,
        /// For the model.
        text: String,
    },
}

/// Why a request that is no call of a tool is not answered.
#[derive(Debug)]
pub(super) enum RequestError {
    /// A person must be asked first.
    Ask(Box<Question>),
    Error(ErrorData),
}

impl From<ErrorData> for RequestError {
    fn from(error: ErrorData) -> Self {
        Self::Error(error)
    }
}

impl From<ToolError> for RequestError {
    fn from(refused: ToolError) -> Self {
        match refused {
            ToolError::Ask(question) => Self::Ask(question),
            ToolError::Refused { code, text } => Self::Error(error(code, text)),
        }
    }
}

/// A refusal as an error of the protocol: words for a model, and the stable word for programs.
pub(super) fn error(code: &str, text: String) -> ErrorData {
    let data = Some(json!({ "skillpick/code": code }));
    match code {
        "not_found" => ErrorData::resource_not_found("there is no such resource", data),
        _ => ErrorData::invalid_params(text, data),
    }
}

/// The stable word of a refusal among the protocol's errors.
pub(super) fn code(error: &ErrorData) -> Option<&str> {
    error.data.as_ref()?.get("skillpick/code")?.as_str()
}

/// The skills that a model is to choose from, a line each with a line break before it.
pub(super) fn choices(candidates: &[(Scope, PathBuf)]) -> String {
    candidates
        .iter()
        .map(|(scope, path)| format!("\n{}  {}", scope.word(), SafeText::path(path)))
        .collect()
}

impl ToolError {
    pub(super) fn refused(code: &'static str, text: impl Into<String>) -> Self {
        Self::Refused { code, text: text.into() }
    }

    /// A skill that is not loaded.
    pub(super) fn load(error: &LoadError, argument: &str, caller: &CallContext<'_>) -> Self {
        let shown = echo(argument);
        let how = || match caller.resolve(argument) {
            Ok(index) => allowing::loading(caller, &caller.view.rows[index].entry.skill),
            Err(_) => allowing::command(caller, &shown).to_string(),
        };
        let text = match error {
            LoadError::Unresolved(ResolveError::Unknown { .. }) => {
                let known = caller.available();
                let names: Vec<String> =
                    known.iter().take(NAMES).map(|name| SafeText::line(name).to_string()).collect();
                let more = if known.len() > NAMES {
                    format!(" and {} more", known.len() - NAMES)
                } else {
                    String::new()
                };
                match names.as_slice() {
                    [] => format!("unknown skill '{shown}'. No skills are available."),
                    names => format!(
                        "unknown skill '{shown}'. Available skills: {}{more}",
                        names.join(", ")
                    ),
                }
            }
            LoadError::Unresolved(ResolveError::Ambiguous { candidates }) => {
                let (count, lines) = (candidates.len(), choices(candidates));
                format!("{count} skills are named '{shown}'; give one of these as `path`:{lines}")
            }
            LoadError::Off(origin) => {
                format!("skill '{shown}' is switched off ({})", origin.shown())
            }
            LoadError::NotForPeople(origin) => format!("'{shown}': {error} ({})", origin.shown()),
            LoadError::Denied(origin) => {
                format!(
                    "loading '{shown}' is denied ({}). Only the user can allow it: {}",
                    origin.shown(),
                    how()
                )
            }
            LoadError::NeedsConsent(origin) => {
                let meant =
                    caller.resolve(argument).ok().map(|index| &caller.view.rows[index].entry);
                let why = meant.map(|entry| allowing::shortfall(caller, &entry.skill));
                Question::unanswered(&shown, (origin, &why.unwrap_or_default()), &how())
            }
            LoadError::Hidden { file, .. } => {
                format!(
                    "{error}: skillpick approve {} {}",
                    shell::word(&shown),
                    shell::word(&SafeText::path(file))
                )
            }
            LoadError::Unresolved(ResolveError::Empty) => {
                "a skill's name or path is needed".to_owned()
            }
            LoadError::Invalid { .. } | LoadError::AllOff | LoadError::Unreadable(_) => {
                format!("'{shown}': {error}")
            }
        };
        Self::refused(error.code(), text)
    }

    /// A conversation that is not changed.
    pub(super) fn session(error: &SessionError, caller: &CallContext<'_>) -> Self {
        match error {
            SessionError::Load { argument, error } => Self::load(error, argument, caller),
            SessionError::AlreadyActive { name } => Self::refused(
                "already_active",
                format!("skill '{}' is already active", SafeText::line(name)),
            ),
            SessionError::TooMany { .. } => Self::refused("too_many", error.to_string()),
            SessionError::Nothing => Self::refused("empty", error.to_string()),
            SessionError::Id | SessionError::Nowhere | SessionError::State(_) => {
                Self::refused("state", SafeText::line(&error.to_string()).to_string())
            }
        }
    }

    /// A file that is not read.
    pub(super) fn fetch(
        error: &FetchError,
        (argument, path): (Option<&str>, &str),
        caller: &CallContext<'_>,
    ) -> Self {
        match error {
            FetchError::Skill(error) => {
                Self::load(error, argument.unwrap_or("the newest active skill"), caller)
            }
            FetchError::Other { skill, error } => Self::load(error, &skill.name, caller),
            FetchError::NothingActive | FetchError::NotActive => {
                Self::refused(error.code(), error.to_string())
            }
            FetchError::Lost { name, .. } => {
                Self::refused(error.code(), format!("'{}': {error}", echo(name)))
            }
            FetchError::File(_) => Self::refused(error.code(), of_path(path, &error.to_string())),
        }
    }

    fn another_text(skill: &str, origin: &Origin) -> Self {
        let (skill, origin) = (echo(skill), origin.shown());
        Self::refused(
            "needs_consent",
            format!("'{skill}' has a text that no person has allowed ({origin}): load it again"),
        )
    }

    /// A script that is not run.
    pub(super) fn launch(
        error: &LaunchError,
        (argument, path): (Option<&str>, &str),
        caller: &CallContext<'_>,
    ) -> Self {
        let reason = echo(&error.to_string());
        match error {
            // A script's skill is loaded, so a person was asked already: what is there now is
            // another text.
            LaunchError::Skill(FetchError::Skill(LoadError::NeedsConsent(origin))) => {
                Self::another_text(argument.unwrap_or_default(), origin)
            }
            LaunchError::Skill(FetchError::Other {
                skill,
                error: LoadError::NeedsConsent(origin),
            }) => Self::another_text(&skill.name, origin),
            LaunchError::Skill(error) => Self::fetch(error, (argument, path), caller),
            LaunchError::Denied(origin) => {
                Self::refused(error.code(), format!("{reason} ({})", origin.shown()))
            }
            _ => Self::refused(error.code(), of_path(path, reason.as_str())),
        }
    }
}
