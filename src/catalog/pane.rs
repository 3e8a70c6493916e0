//! A pane of a terminal in which an agent runs.

use super::HostId;
use crate::words;

/// A program that has panes and lets others write into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplexer {
    Tmux,
    Zellij,
    Kitty,
    Wezterm,
}

words!(Multiplexer, Tmux = "tmux", Zellij = "zellij", Kitty = "kitty", Wezterm = "wezterm");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pane {
    pub of: Multiplexer,
    /// As the multiplexer names it: `%3`, `7`.
    pub id: String,
    /// The agent that runs in it.
    pub host: HostId,
    /// Whether the agent takes a paste in brackets, so that no line of it is a key. `None` if the
    /// multiplexer does not say.
    pub bracketed: Option<bool>,
}
