//! The person's editor: a child process that has the terminal while it runs.

use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_current_process_group, kill_process, waitpid,
};
use std::env;
use std::io;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Editors that take the line as `file:line` or by an option. Others get `+line`.
const LINE_FORMS: [(&str, &[&str]); 4] = [
    ("code", &["--wait", "--goto", "{file}:{line}"]),
    ("codium", &["--wait", "--goto", "{file}:{line}"]),
    ("hx", &["{file}:{line}"]),
    ("subl", &["--wait", "{file}:{line}"]),
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
    /// The editor cannot be started, or would wait for what may never come: the first byte of a
    /// pipe or a device.
    pub(super) async fn start(path: &Path, line: u32) -> io::Result<Self> {
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(io::Error::other(format!("{} is no regular file", path.display())));
        }
        let child = spawn(command(path, line)?).await?;
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let pid = id.ok_or_else(|| io::Error::other("the editor has no process id"))?;
        let (sender, news) = unbounded_channel();
        let watch = move || {
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
                if sender.send(status).is_err() || !stopped {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("editor".to_owned()).spawn(watch)?;
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

/// Starts a program. Until it runs, its parent waits for it, and a `^Z` that stops it before then
/// would make that wait endless. So it is continued: nobody asked to stop a program that was not
/// there yet.
async fn spawn(mut command: Command) -> io::Result<Child> {
    let mut started = tokio::task::spawn_blocking(move || command.spawn());
    loop {
        match tokio::time::timeout(START, &mut started).await {
            Ok(child) => return child.map_err(io::Error::other)?,
            Err(_) => kill_current_process_group(Signal::CONT)?,
        }
    }
}

fn command(path: &Path, line: u32) -> io::Result<Command> {
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
    let editor = set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let mut command = Command::new(program);
    command.args(words);
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match (LINE_FORMS.iter().find(|(known, _)| *known == name), path.to_str()) {
        (Some((_, form)), Some(file)) => {
            command.args(
                form.iter()
                    .map(|word| word.replace("{file}", file).replace("{line}", &line.to_string())),
            );
        }
        _ => {
            command.arg(format!("+{line}")).arg(path);
        }
    }
    // The editor gets the terminal even if our stdin and stdout are pipes.
    if let Ok(tty) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/tty") {
        command.stdin(tty.try_clone()?).stdout(tty.try_clone()?).stderr(tty);
    }
    Ok(command)
}
