//! `skillpick init`: the integration of a shell or an agent, to be read by it.

use super::{Exit, Failure};
use crate::inert;
use crate::output::Out;
use clap::{Args, ValueEnum};
use std::str::FromStr;

/// The usual keys.
const PICKS: &str = "alt-m";
const COMPOSES: &str = "alt-s";

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Which shell or agent
    shell: Target,
    /// The key that puts the mention of a picked skill at the cursor: alt-LETTER or ctrl-LETTER
    #[arg(long, value_name = "KEY", default_value = PICKS)]
    key: Key,
    /// The key that composes the prompt of the agent on the line
    #[arg(long, value_name = "KEY", default_value = COMPOSES)]
    compose_key: Key,
    /// Bind no keys, for those who bind them themselves
    #[arg(long, conflicts_with_all = ["key", "compose_key"])]
    no_keys: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    Bash,
    Zsh,
    Fish,
    Nu,
    Powershell,
    /// A popup over the pane of an agent
    Tmux,
    /// An extension
    Pi,
    /// A plugin
    Opencode,
}

/// A key that every shell can bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    ctrl: bool,
    letter: char,
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (ctrl, letter) = match text.split_once('-') {
            Some(("alt", letter)) => (false, letter),
            Some(("ctrl", letter)) => (true, letter),
            _ => (false, ""),
        };
        let mut letters = letter.chars();
        match (letters.next(), letters.next()) {
            // A terminal sends Ctrl-i, Ctrl-j and Ctrl-m for Tab and Enter, and c, d, s, z are its
            // own signals.
            (Some(letter), None) if ctrl && "cdijmqsz".contains(letter) => {
                Err(format!("ctrl-{letter} is the terminal's own key"))
            }
            (Some(letter), None) if letter.is_ascii_lowercase() => Ok(Self { ctrl, letter }),
            _ => Err("write alt-LETTER or ctrl-LETTER, with a small letter".to_owned()),
        }
    }
}

impl Key {
    /// As this shell writes it.
    fn word(self, target: Target) -> String {
        let Self { ctrl, letter } = self;
        match (target, ctrl) {
            (Target::Bash, true) => format!("\\C-{letter}"),
            (Target::Bash | Target::Fish, false) => format!("\\e{letter}"),
            (Target::Zsh, true) => format!("^{}", letter.to_ascii_uppercase()),
            (Target::Zsh, false) => format!("^[{letter}"),
            (Target::Fish, true) => format!("\\c{letter}"),
            (Target::Nu, _) => format!("char_{letter}"),
            (Target::Powershell, _) => format!("{}+{letter}", if ctrl { "Ctrl" } else { "Alt" }),
            // They bind none.
            (Target::Pi | Target::Opencode, _) => String::new(),
            (Target::Tmux, _) => format!("{}-{letter}", if ctrl { 'C' } else { 'M' }),
        }
    }

    fn modifier(self) -> &'static str {
        if self.ctrl { "control" } else { "alt" }
    }
}

impl Target {
    fn script(self) -> &'static str {
        match self {
            Self::Bash => include_str!("../../assets/shell/init.bash"),
            Self::Zsh => include_str!("../../assets/shell/init.zsh"),
            Self::Fish => include_str!("../../assets/shell/init.fish"),
            Self::Nu => include_str!("../../assets/shell/init.nu"),
            Self::Powershell => include_str!("../../assets/shell/init.ps1"),
            Self::Tmux => include_str!("../../assets/shell/init.tmux"),
            Self::Pi => include_str!("../../assets/agents/pi.ts"),
            Self::Opencode => include_str!("../../assets/agents/opencode.js"),
        }
    }
}

/// Where the part of a script begins that binds keys.
const KEYS: &str = "# keys\n";

pub(super) fn run(options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let Options { shell, key, compose_key, no_keys } = *options;
    if key == compose_key && !no_keys {
        return Err(Failure::failed("--key and --compose-key are the same key").coded("usage"));
    }
    let (functions, keys) = shell.script().split_once(KEYS).unwrap_or((shell.script(), ""));
    for (option, mark, key, usual) in
        [("--key", "@key@", key, PICKS), ("--compose-key", "@compose-key@", compose_key, COMPOSES)]
    {
        if !keys.contains(mark) && Ok(key) != usual.parse() {
            let failure = Failure::failed(inert!("{}: this integration binds no such key", option));
            return Err(failure.coded("usage"));
        }
    }
    if no_keys && functions.lines().all(|line| line.starts_with('#')) {
        return Err(Failure::failed(inert!("--no-keys leaves nothing of this integration")));
    }
    out.exact(functions.as_bytes())?;
    if no_keys {
        return Ok(Exit::Done);
    }
    let keys = keys
        .replace("@key@", &key.word(shell))
        .replace("@compose-key@", &compose_key.word(shell))
        .replace("@modifier@", key.modifier())
        .replace("@compose-modifier@", compose_key.modifier());
    out.exact(keys.as_bytes())?;
    Ok(Exit::Done)
}
