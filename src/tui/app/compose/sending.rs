//! What a compose screen begins with, and what leaves it.

use super::Compose;
use crate::catalog::{Draft, HostId, Pane};
use crate::text::estimated_tokens;
use crate::tui::app::State;
use std::collections::HashSet;
use std::path::Path;

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
    /// Whether the prompts are kept in the history.
    pub remember: bool,
    /// Whether Enter is pressed in the agent's pane behind each prompt.
    pub submit: bool,
}

/// What happens to a prompt that is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// It is printed.
    #[default]
    Print,
    /// The agent is started with it.
    Start,
    /// It is written into the pane of an agent, and another one can be written.
    Pane,
    /// It goes back to where its text came from: an agent's prompt, or the line of a shell.
    Back,
}

/// A prompt on its way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Sending {
    pub draft: Draft,
    pub host: HostId,
    pub inject: bool,
    pub way: Way,
    /// The pane into which it is written.
    pub pane: Option<Pane>,
    /// Whether Enter is pressed there behind it.
    pub submit: bool,
    /// Whether it is written also if each of its lines is entered by itself.
    pub anyway: bool,
}

impl Compose {
    /// The tokens of text and chosen skills, as estimated, and how many skills these are.
    pub fn tokens(&self, state: &State) -> (u64, usize) {
        let mut chosen: HashSet<&Path> = HashSet::new();
        let skills: u64 = self
            .editor
            .pills()
            .filter(|pill| chosen.insert(&pill.path))
            .filter_map(|pill| state.entry(&pill.path))
            .map(|entry| entry.skill.bytes)
            .sum();
        (estimated_tokens(self.editor.bytes() as u64 + skills), chosen.len())
    }
}
