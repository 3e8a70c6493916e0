//! The picker in a pane of another program: every way out leaves the pane as it was found, and the
//! end of the pane is the end of the picker.
//!
//! Such a program keeps a terminal of its own for each pane, and draws it into the one that it has.

mod dock;
mod kitty;
mod tmux;
mod zellij;

use super::setup::PROGRAM;
use super::terminal::eventually;
use super::typing::bytes_of;
use crate::env::{TestEnv, bar};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A pane in which a shell waits.
trait Pane {
    fn env(&self) -> &TestEnv;

    /// What the pane shows.
    fn text(&self) -> String;

    /// Types what a terminal sends.
    fn send(&self, bytes: &[u8]);

    /// What the program tells of the pane's modes, if it tells anything.
    fn modes(&self) -> String;
}

/// What a terminal sends that would tell of a mode that was left on: a paste in its marks, a click,
/// and keys of which each has several forms. Without the modes, a click is the other program's own.
const PROBE: &str = "\x1b[200~pasted\x1b[201~\x1b[<0;5;5M\x1b[<0;5;5m\x1b[A\x1b[H\x1bx";

fn see(pane: &impl Pane, text: &str) {
    eventually(text, || pane.text().contains(text));
}

/// Types a line into the shell.
fn line(pane: &impl Pane, line: &str) {
    pane.send(format!("{line}\r").as_bytes());
}

/// The modes of the pane: what stty says, what a reader gets to see of the probe, and what the other
/// program tells.
fn state(pane: &impl Pane, name: &str) -> String {
    let [stty, keys] = ["stty", "keys"].map(|what| pane.env().at(format!("{what}-{name}")));
    let (modes, read) = (stty.display(), keys.display());
    line(pane, &format!("stty -a > '{modes}'; echo rea''ds-{name}; head -n 1 | cat -v > '{read}'"));
    see(pane, &format!("reads-{name}"));
    pane.send(PROBE.as_bytes());
    line(pane, "");
    line(pane, &format!("echo to''ld-{name}"));
    see(pane, &format!("told-{name}"));
    let [stty, keys] = [stty, keys].map(|path| fs::read_to_string(path).unwrap());
    format!("{}\n{stty}\n{keys}", pane.modes())
}

/// Starts the picker in the pane, with these words before and after it: its process.
fn start(pane: &impl Pane, before: &str, after: &str) -> i32 {
    let file = pane.env().at("picker");
    let _ = fs::remove_file(&file);
    let shell = format!("echo $$ > '{}'; exec {PROGRAM} {after}", file.display());
    let script = pane.env().write("start", shell);
    line(pane, &format!("{before} /bin/sh '{}'; echo le''ft-$?", script.display()));
    let mut process = None;
    eventually("the picker's process", || {
        let text = fs::read_to_string(&file).unwrap_or_default();
        process = text.strip_suffix('\n').and_then(|number| number.parse().ok());
        process.is_some()
    });
    process.unwrap()
}

/// How the picker is left.
#[derive(Clone, Copy, Debug)]
enum Way {
    Keys(&'static str),
    Signal(&'static str),
    Panic(&'static str),
    Stop,
}

const WAYS: [Way; 11] = [
    Way::Keys("<enter>"),
    Way::Keys("<esc>"),
    Way::Keys("<^c>"),
    Way::Signal("TERM"),
    Way::Signal("INT"),
    Way::Signal("HUP"),
    Way::Signal("QUIT"),
    Way::Panic("panic-at-start"),
    Way::Panic("panic-in-draw"),
    Way::Panic("panic-in-input"),
    Way::Stop,
];

fn leave(pane: &impl Pane, way: Way, after: &str) {
    let failpoint = match way {
        Way::Panic(place) => format!("SKILLPICK_FAILPOINT={place}"),
        _ => String::new(),
    };
    let process = start(pane, &failpoint, after);
    // The others panic by themselves; the shell would get the key.
    let waits = !matches!(way, Way::Panic("panic-at-start" | "panic-in-draw"));
    if waits {
        see(pane, "zebra");
    }
    match way {
        Way::Keys(keys) => pane.send(&bytes_of(keys)),
        Way::Panic(_) if waits => pane.send(b"x"),
        Way::Panic(_) => {}
        Way::Signal(signal) => {
            Command::new("kill").args(["-s", signal, &process.to_string()]).status().unwrap();
        }
        Way::Stop => {
            pane.send(&bytes_of("<^z>"));
            eventually("the stop", || pane.text().contains("Stopped"));
            // The shell went on at the stop, with what stood behind the picker.
            line(pane, "kill -CONT %1; fg; echo en''ded-$?");
            see(pane, "zebra");
            pane.send(&bytes_of("<^c>"));
            see(pane, "ended-");
        }
    }
    see(pane, "left-");
}

/// Leaves the picker in every way, on the whole screen and below a prompt.
fn leave_in_every_way(pane: &impl Pane) {
    for after in ["", "--height 12"] {
        for (index, way) in WAYS.into_iter().enumerate() {
            let name = format!("{index}{}", after.len());
            line(pane, "clear");
            eventually("an empty pane", || !pane.text().contains("left-"));
            let before = state(pane, &format!("before-{name}"));
            leave(pane, way, after);
            assert!(
                pane.text().contains(&format!("told-before-{name}")),
                "{way:?}: {}",
                pane.text()
            );
            assert_eq!(state(pane, &format!("after-{name}")), before, "{way:?} {after}");
            bar::tried(1);
        }
    }
}

/// Starts the picker, ends its pane, and waits for its end.
fn end_with(pane: &impl Pane, end: impl FnOnce()) {
    let process = start(pane, "", "");
    see(pane, "zebra");
    end();
    let folder = format!("/proc/{process}");
    eventually("the end of the picker", || !Path::new(&folder).exists());
    bar::tried(1);
}
