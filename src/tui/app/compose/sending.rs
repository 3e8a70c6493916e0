//! What a compose screen begins with, and what leaves it.

use crate::catalog::{Draft, HostId};

/// What a compose screen begins with.
#[derive(Clone, Debug, Default)]
pub struct ComposeStart {
    /// The text at the start, in place of the draft.
    pub text: Option<Draft>,
    /// Whether the skills' texts are put before the prompt.
    pub inject: bool,
    /// What happens to the prompt.
    pub way: Way,
    /// Whether the program ends with this screen: there is no picker below it.
    pub alone: bool,
}

/// What happens to a prompt that is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// It is printed.
    #[default]
    Print,
    /// The agent is started with it.
    Start,
}

/// A prompt on its way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Sending {
    pub draft: Draft,
    pub host: HostId,
    pub inject: bool,
    pub way: Way,
}
