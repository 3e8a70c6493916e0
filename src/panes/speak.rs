//! The words of each multiplexer: list the panes, paste into one, press Enter.

use crate::catalog::Multiplexer;
use serde_json::Value;

/// The start and the end of a paste, where we write them ourselves.
const BEGIN: &str = "\x1b[200~";
const END: &str = "\x1b[201~";

/// The longest text that is given as an argument, in bytes; Linux takes 128 KiB.
const MAX_ARGUMENT: usize = 64 << 10;

/// What tmux is to say of a pane, as [`tmux`] reads it.
const OF_TMUX: &str =
    "#{pane_id}\t#{pane_tty}\t#{bracket_paste_flag}\t#{window_active}\t#{pane_current_command}";

/// Asks tmux for this pane, by default the active one.
pub(super) fn one_of_tmux(id: Option<&str>) -> Vec<String> {
    let target: Vec<&str> = id.iter().flat_map(|id| ["-t", *id]).collect();
    words(&[&["display-message", "-p"][..], &target, &[OF_TMUX]].concat())
}

/// Shows a text in tmux for five seconds; `#` would begin a value.
pub(super) fn tell_tmux(text: &str) -> Vec<String> {
    words(&["display-message", "-d", "5000", &text.replace('#', "##")])
}

/// The buffer of tmux that this process uses, and deletes with the paste.
fn buffer() -> String {
    format!("skillpick-{}", std::process::id())
}

/// A pane as a multiplexer lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: String,
    /// The path of its terminal; empty if the multiplexer does not say.
    pub(super) tty: String,
    /// The command lines in it, if the multiplexer says them.
    pub(super) commands: Vec<String>,
    pub(super) bracketed: Option<bool>,
}

/// One call of the multiplexer's program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) arguments: Vec<String>,
    pub(super) input: Vec<u8>,
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn step(arguments: &[&str], input: &str) -> Step {
    Step { arguments: words(arguments), input: input.as_bytes().to_vec() }
}

impl Multiplexer {
    /// Asks for the panes around this one.
    pub(super) fn list(self, own: &str) -> Vec<String> {
        match self {
            Self::Tmux => words(&["list-panes", "-s", "-t", own, "-F", OF_TMUX]),
            Self::Zellij => words(&["action", "list-panes", "--json"]),
            Self::Kitty => words(&["@", "ls"]),
            Self::Wezterm => words(&["cli", "list", "--format", "json"]),
        }
    }

    /// Reads the answer; `None` if it has another form.
    pub(super) fn listed(self, answer: &[u8]) -> Option<Vec<Listed>> {
        if self == Self::Tmux {
            return tmux(&String::from_utf8_lossy(answer));
        }
        let document: Value = serde_json::from_slice(answer).ok()?;
        match self {
            Self::Zellij => Some(document.as_array()?.iter().filter_map(zellij).collect()),
            Self::Wezterm => Some(document.as_array()?.iter().filter_map(wezterm).collect()),
            Self::Kitty | Self::Tmux => {
                let below = |of: &Value, key: &str| {
                    of.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
                };
                let tabs = document.as_array()?.iter().flat_map(|window| below(window, "tabs"));
                let windows = tabs.flat_map(|tab| below(&tab, "windows"));
                Some(windows.filter_map(|window| kitty(&window)).collect())
            }
        }
    }

    /// The calls that paste a text, in which no control character is a key.
    pub(super) fn paste(self, id: &str, text: &str) -> Vec<Step> {
        match self {
            Self::Tmux => vec![
                leave_mode(id),
                step(&["load-buffer", "-b", &buffer(), "-"], text),
                step(&["paste-buffer", "-p", "-r", "-d", "-b", &buffer(), "-t", id], ""),
            ],
            Self::Zellij => chunks(&format!("{BEGIN}{text}{END}"))
                .map(|part| step(&["action", "write-chars", "--pane-id", id, "--", part], ""))
                .collect(),
            // An option for the brackets is there since 0.35 only.
            Self::Kitty => vec![kitty_text(id, &format!("{BEGIN}{text}{END}"))],
            Self::Wezterm => vec![step(&["cli", "send-text", "--pane-id", id], text)],
        }
    }

    pub(super) fn enter(self, id: &str) -> Step {
        match self {
            Self::Tmux => step(&["send-keys", "-t", id, "Enter"], ""),
            Self::Zellij => step(&["action", "write", "--pane-id", id, "13"], ""),
            Self::Kitty => kitty_text(id, "\r"),
            Self::Wezterm => step(&["cli", "send-text", "--no-paste", "--pane-id", id], "\r"),
        }
    }
}

/// Leaves the copy mode of a pane of tmux, or its list of windows: there keys are commands, and a
/// paste has no brackets.
fn leave_mode(id: &str) -> Step {
    let leave = format!("copy-mode -q -t {id}");
    step(&["if-shell", "-F", "-t", id, "#{pane_in_mode}", &leave], "")
}

fn kitty_text(id: &str, text: &str) -> Step {
    step(&["@", "send-text", "--match", &format!("id:{id}"), "--stdin"], text)
}

/// Parts of a text that fit into an argument each.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = Some(rest.floor_char_boundary(MAX_ARGUMENT)).filter(|end| *end > 0)?;
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

/// The panes of the window that is looked at come first.
fn tmux(answer: &str) -> Option<Vec<Listed>> {
    let mut panes = Vec::new();
    for line in answer.lines() {
        let [id, tty, flag, active, command] = line.split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        let bracketed = match flag {
            "1" => Some(true),
            "0" => Some(false),
            // Older ones do not know the flag.
            _ => None,
        };
        let pane = Listed {
            id: id.to_owned(),
            tty: tty.to_owned(),
            commands: vec![command.to_owned()],
            bracketed,
        };
        panes.push((active != "1", pane));
    }
    panes.sort_by_key(|(is_away, _)| *is_away);
    Some(panes.into_iter().map(|(_, pane)| pane).collect())
}

fn text_of(of: &Value, key: &str) -> String {
    of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn zellij(pane: &Value) -> Option<Listed> {
    if pane.get("is_plugin").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let id = pane.get("id")?.as_u64()?.to_string();
    // What runs there. A pane stays when its command has ended, and Enter would run that again:
    // `terminal_command` still names it then, and `exited` of 0.45.1 may say false.
    let commands = vec![text_of(pane, "pane_command")];
    Some(Listed { id, commands, ..Listed::default() })
}

fn wezterm(pane: &Value) -> Option<Listed> {
    let id = pane.get("pane_id")?.as_u64()?.to_string();
    Some(Listed { id, tty: text_of(pane, "tty_name"), ..Listed::default() })
}

fn kitty(window: &Value) -> Option<Listed> {
    let id = window.get("id")?.as_u64()?.to_string();
    let processes = window.get("foreground_processes").and_then(Value::as_array);
    let line = |process: &Value| {
        let words = process.get("cmdline")?.as_array()?.iter().filter_map(Value::as_str);
        Some(words.collect::<Vec<_>>().join(" "))
    };
    let commands = processes.into_iter().flatten().filter_map(line).collect();
    Some(Listed { id, commands, ..Listed::default() })
}
