//! The person's editor: a child process that has the terminal while it runs.

use super::device;
use crate::text::not_started;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_current_process_group, kill_process, waitpid,
};
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// How editors take the line. Others get the file alone: they would open `+7` as a file.
const LINE_FORMS: [(&[&str], &[&str]); 4] = [
    (&["hx", "helix", "zed", "zeditor"], &["{file}:{line}"]),
    (&["subl"], &["--wait", "{file}:{line}"]),
    (
        &["code", "code-insiders", "codium", "cursor", "windsurf"],
        &["--wait", "--goto", "{file}:{line}"],
    ),
    (
        &[
            "emacs",
            "emacsclient",
            "ex",
            "gvim",
            "jed",
            "joe",
            "kak",
            "mcedit",
            "mg",
            "micro",
            "mvim",
            "nano",
            "ne",
            "nvi",
            "nvim",
            "pico",
            "rnano",
            "vi",
            "view",
            "vim",
            "vim.basic",
            "vim.tiny",
            "vis",
        ],
        &["+{line}", "{file}"],
    ),
];

/// A program that has not started after this time may have been stopped.
const START: Duration = Duration::from_millis(200);

pub(super) struct Editor {
    pid: Pid,
    news: UnboundedReceiver<io::Result<WaitStatus>>,
}

impl Editor {
    /// Opens a file at a line in `$VISUAL`, else `$EDITOR`, else `vi`; never in this program.
    ///
    /// The variable may have options (`emacs -nw`). It is split at blanks; no shell reads it.
    ///
    /// # Errors
    /// The editor cannot be started (the error names it), or would wait for what may never come:
    /// the first byte of a pipe or a device.
    pub(super) async fn start(path: &Path, line: u32) -> io::Result<Self> {
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(io::Error::other(format!("{} is no regular file", path.display())));
        }
        let (value, named_by) = chosen();
        let program = value.split_whitespace().next().unwrap_or_default();
        let command = command(value.split_whitespace(), path, line)?;
        let failed = |error: io::Error| {
            io::Error::other(format!("`{program}` {named_by}: {}", not_started(&error)))
        };
        let ((tell, started), (sender, news)) = (oneshot::channel(), unbounded_channel());
        let body = move || attend(command, tell, &sender);
        std::thread::Builder::new().name("editor".to_owned()).spawn(body).map_err(failed)?;
        let pid = begun(started).await.map_err(failed)?;
        Ok(Self { pid, news })
    }

    /// Waits until the editor stops or ends.
    pub(super) async fn next(&mut self) -> io::Result<WaitStatus> {
        self.news
            .recv()
            .await
            .unwrap_or_else(|| Err(io::Error::other("the editor's watcher ended")))
    }

    pub(super) fn signal(&self, signal: Signal) {
        // It may just have ended.
        let _ = kill_process(self.pid, signal);
    }
}

/// Starts the editor, and tells its process id, each time it stops, and its end.
fn attend(
    mut command: Command,
    started: oneshot::Sender<io::Result<Pid>>,
    news: &UnboundedSender<io::Result<WaitStatus>>,
) {
    let child = command.spawn().map(|child| Pid::from_child(&child));
    // It has the terminal's handles.
    drop(command);
    let pid = child.as_ref().ok().copied();
    let _ = started.send(child);
    let Some(pid) = pid else { return };
    loop {
        let status = waitpid(Some(pid), WaitOptions::UNTRACED);
        if matches!(status, Err(rustix::io::Errno::INTR) | Ok(None)) {
            continue;
        }
        let status = status.map_err(io::Error::from).and_then(|found| {
            found
                .map(|(_, status)| status)
                .ok_or_else(|| io::Error::other("the editor is not a child process"))
        });
        let stopped = matches!(&status, Ok(status) if status.stopped());
        if news.send(status).is_err() || !stopped {
            return;
        }
    }
}

/// Waits for the start of a program. Until it runs, its parent waits for it, and a `^Z` that stops
/// it before then would make that wait endless. So it is continued: nobody asked to stop a program
/// that was not there yet.
async fn begun(mut started: oneshot::Receiver<io::Result<Pid>>) -> io::Result<Pid> {
    loop {
        match tokio::time::timeout(START, &mut started).await {
            Ok(pid) => return pid.map_err(io::Error::other)?,
            Err(_) => kill_current_process_group(Signal::CONT)?,
        }
    }
}

/// The person's editor with its options, and what names it.
fn chosen() -> (String, &'static str) {
    // An agent's `$VISUAL` may be this program, which would open itself again.
    let is_ours = |value: &str| {
        let program = value.split_whitespace().next().unwrap_or_default();
        let name = Path::new(program).file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("skillpick"))
    };
    let set = |name: &str| {
        let value = env::var(name).ok();
        value.filter(|value| !value.trim().is_empty() && !is_ours(value))
    };
    let named = |name: &str, by: &'static str| set(name).map(|value| (value, by));
    named("VISUAL", "of $VISUAL")
        .or_else(|| named("EDITOR", "of $EDITOR"))
        .unwrap_or_else(|| ("vi".to_owned(), "as neither $VISUAL nor $EDITOR names an editor"))
}

fn command<'a>(
    mut words: impl Iterator<Item = &'a str>,
    path: &Path,
    line: u32,
) -> io::Result<Command> {
    let program = words.next().unwrap_or_default();
    let mut command = Command::new(program);
    command.args(words);
    command.args(arguments(program, path, line));
    // The editor gets the terminal even if our stdin and stdout are pipes.
    if let Ok(tty) = device::open() {
        command.stdin(tty.try_clone()?).stdout(tty.try_clone()?).stderr(tty);
    }
    Ok(command)
}

/// The file, at the line where this program is known to take one.
fn arguments(program: &str, path: &Path, line: u32) -> Vec<OsString> {
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let known = LINE_FORMS.iter().find(|(names, _)| names.contains(&name));
    let (Some((_, form)), Some(file)) = (known, path.to_str()) else {
        return vec![path.into()];
    };
    let filled = |word: &&str| match *word {
        "{file}" => path.into(),
        word => word.replace("{line}", &line.to_string()).replace("{file}", file).into(),
    };
    form.iter().map(filled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_editor_gets_the_line() {
        for (program, expected) in [
            ("vi", &["+7", "/x/a b.md"][..]),
            ("/usr/bin/nvim", &["+7", "/x/a b.md"]),
            ("hx", &["/x/a b.md:7"]),
            ("zed", &["/x/a b.md:7"]),
            ("code", &["--wait", "--goto", "/x/a b.md:7"]),
            ("gedit", &["/x/a b.md"]),
            ("/bin/sh", &["/x/a b.md"]),
        ] {
            assert_eq!(arguments(program, Path::new("/x/a b.md"), 7), expected, "{program}");
        }
    }
}
