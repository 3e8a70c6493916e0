//! Why a script is not run, as its caller is told.

use crate::catalog::Skill;
use crate::files::beneath::Refusal;
use crate::policy::Origin;
use crate::runtime::fetch::FetchError;
use crate::runtime::judge::LoadError;
use crate::runtime::read::path_code;
use crate::sandbox::{PrepareError, RunError};
use crate::state::StateError;
use std::sync::Arc;

/// Why a script is not run.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The settings do not allow scripts.
    #[error(
        "scripts are off; to allow them, write `enabled = true` under [scripts] in your own settings file"
    )]
    ScriptsOff,
    /// The skill is not active, or may not be loaded.
    #[error(transparent)]
    Skill(#[from] FetchError),
    /// It belongs to a nested skill that may not be loaded.
    #[error("{error}")]
    Nested { skill: Arc<Skill>, error: LoadError },
    /// A rule denies it.
    #[error("this run is denied")]
    Denied(Origin),
    /// It cannot be prepared.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// A person must be asked first.
    #[error("running this script needs a person's consent")]
    NeedsConsent,
    /// It would run without a sandbox, and the log of calls cannot be written.
    #[error("a run without a sandbox must be logged, and the log cannot be written: {0}")]
    Unlogged(#[from] StateError),
    /// It did not run, or its end is not known.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl LaunchError {
    /// A stable word for JSON and the log.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ScriptsOff => "scripts_off",
            Self::Skill(error) => error.code(),
            Self::Nested { error, .. } => error.code(),
            Self::Denied(_) => "denied",
            Self::Prepare(PrepareError::Script(refusal)) => path_code(refusal),
            Self::Prepare(PrepareError::Upward) => path_code(&Refusal::Parent),
            Self::Prepare(PrepareError::NoInterpreter | PrepareError::Shebang) => "no_interpreter",
            Self::Prepare(PrepareError::Writable { .. }) => "writable_interpreter",
            Self::Prepare(PrepareError::NotInstalled { .. }) => "not_installed",
            Self::Prepare(PrepareError::TooLong) => "too_large",
            Self::Prepare(PrepareError::Steering { .. } | PrepareError::Unspeakable) => {
                "environment"
            }
            Self::NeedsConsent => "needs_consent",
            Self::Unlogged(_) => "state",
            Self::Prepare(PrepareError::NoSandbox) | Self::Run(RunError::Sandbox { .. }) => {
                "no_sandbox"
            }
            Self::Prepare(_) => "not_prepared",
            Self::Run(RunError::Interpreter { .. }) => "interpreter_changed",
            Self::Run(_) => "not_started",
        }
    }
}
