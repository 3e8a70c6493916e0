//! The person's own editor.

use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// Editors that take a line as `file:line` or by an option of their own.
const LINE_FORMS: [(&str, &[&str]); 4] = [
    ("code", &["--wait", "--goto", "{file}:{line}"]),
    ("codium", &["--wait", "--goto", "{file}:{line}"]),
    ("hx", &["{file}:{line}"]),
    ("subl", &["--wait", "{file}:{line}"]),
];

/// Opens a file at a line, in `$VISUAL`, else `$EDITOR`, else `vi`, and waits for it. The editor has the terminal.
///
/// The variable may hold options (`emacs -nw`); it is split at blanks, and no shell reads it.
///
/// # Errors
/// The editor cannot be started.
pub(super) fn edit(path: &Path, line: u32) -> io::Result<ExitStatus> {
    let set = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
    let editor = set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let mut command = Command::new(program);
    command.args(words);
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match (LINE_FORMS.iter().find(|(known, _)| *known == name), path.to_str()) {
        (Some((_, form)), Some(file)) => {
            command.args(form.iter().map(|word| word.replace("{file}", file).replace("{line}", &line.to_string())));
        }
        _ => {
            command.arg(format!("+{line}")).arg(path);
        }
    }
    // The editor talks to the terminal itself, also where our stdin and stdout are pipes.
    if let Ok(tty) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/tty") {
        command.stdin(tty.try_clone()?).stdout(tty.try_clone()?).stderr(tty);
    }
    command.status()
}
