//! The command line that starts an agent with a prompt.

use super::{Workspace, host_by_word};
use crate::catalog::HostId;
use std::ffi::OsString;
use std::path::PathBuf;

/// The longest argument that Linux takes, in bytes, without its end; others take at least as much.
const MAX_ARGUMENT: usize = 128 * 1024 - 1;

/// Bytes that an option's name may add to the prompt.
const SPARE: usize = 64;

/// Why an agent cannot be started with a prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotStart {
    #[error("{0} is not installed: there is no program of it on PATH")]
    NotInstalled(&'static str),
    #[error("{0} takes no prompt on its command line; print it, or send it with the dock")]
    NoArgument(&'static str),
    #[error(
        "the prompt is larger than 128 KB, which no program takes as an argument; print it, or \
         send it with the dock"
    )]
    TooLong,
}

impl Workspace {
    /// The program of an agent, and its arguments with this prompt.
    ///
    /// # Errors
    /// [`CannotStart`].
    pub fn start_line(
        &self,
        host: HostId,
        prompt: &str,
    ) -> Result<(PathBuf, Vec<OsString>), CannotStart> {
        let row = host_by_word(host.word()).ok_or(CannotStart::NotInstalled(host.word()))?;
        let installed = row.detect.look(&self.context).and_then(|installed| installed.program);
        let program = installed.ok_or(CannotStart::NotInstalled(row.name))?;
        if prompt.len() + SPARE > MAX_ARGUMENT {
            return Err(CannotStart::TooLong);
        }
        let arguments = row.prompt.of(prompt).ok_or(CannotStart::NoArgument(row.name))?;
        Ok((program, arguments))
    }
}
