//! The system's clipboard, beside the terminal's: not every terminal lets programs copy.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

/// A program that copies what it reads, and the variable without which it has nothing to copy to.
type Program = (&'static str, &'static [&'static str], Option<&'static str>);

const PROGRAMS: [Program; 5] = [
    ("pbcopy", &[], None),
    ("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    ("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    ("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ("clip.exe", &[], Some("WSL_DISTRO_NAME")),
];

/// Hands the text to the first of these programs that is here and takes it. Nothing waits for it,
/// and no shell reads the text. Over ssh there is none: the clipboard is on the other machine.
pub(super) fn copy(text: &[u8]) {
    if is_set("SSH_CONNECTION") {
        return;
    }
    let fits = |program: &&Program| match program.2 {
        Some(variable) => is_set(variable),
        None => cfg!(target_os = "macos"),
    };
    let programs: Vec<&Program> = PROGRAMS.iter().filter(fits).collect();
    if programs.is_empty() {
        return;
    }
    let text = text.to_owned();
    // Without a thread the terminal's clipboard remains.
    let _ = thread::Builder::new().name("clipboard".to_owned()).spawn(move || {
        programs.into_iter().any(|program| hand_over(program, &text));
    });
}

/// Whether the program took it.
fn hand_over((name, arguments, _): &Program, text: &[u8]) -> bool {
    let mut command = Command::new(name);
    if *name == "pbcopy" {
        // It reads its input as the locale says.
        command.env_remove("LC_ALL").env("LC_CTYPE", "UTF-8");
    }
    command.args(*arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let wrote = child.stdin.take().is_some_and(|mut stdin| stdin.write_all(text).is_ok());
    child.wait().is_ok_and(|status| status.success()) && wrote
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value != OsStr::new(""))
}
