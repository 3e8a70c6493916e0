//! Gives the terminal to the shell after a stop, or to the person's editor, and takes it back.

use super::Outcome;
use super::device;
use super::editor::Editor;
use super::keys::Keys;
use super::picker_loop::Loop;
use super::signals::Signals;
use super::start::inline_area;
use crate::catalog::Draft;
use crate::failpoint;
use crate::inert;
use crate::output::last_words;
use crate::text::{SafeText, reason};
use crate::tui::app::{Msg, Notice, StoredDraft};
use rustix::process::{
    Signal, WaitStatus, getpgid, getpgrp, getpid, getppid, getsid, kill_process,
};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an editor may take to end after a signal.
const LAST_WORDS: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) enum Pause {
    /// The job was stopped.
    Stop,
    /// The size has changed, so the terminal is asked for the row of an inline picker.
    Size,
    /// The editor opens this file at this line.
    Edit(PathBuf, u32),
    /// The editor opens the prompt that is being written.
    EditPrompt(Box<Draft>),
    /// The editor opens a text of the project, which is planned as a change when it ends.
    EditDraft(StoredDraft),
}

/// Whether somebody could continue us. Nobody can in the shell's own process group, for example in
/// a command substitution. Where another program leads the session, such as macOS's `login` or an
/// outer shell, that group is known by our parent, which waits for what we write. A script that
/// waits for us looks the same, and is not stopped either.
pub(super) fn stoppable() -> bool {
    let is_ours = |parent| getpgid(Some(parent)).is_ok_and(|group| group == getpgrp());
    let waits = || getppid().is_some_and(is_ours) && device::writes_into_pipe();
    getsid(None).is_ok_and(|session| session != getpgrp()) && !waits()
}

impl Loop {
    /// Gives the terminal away and takes it back.
    pub(super) async fn pause(
        &mut self,
        pause: Pause,
        keys: &mut Keys,
        signals: &mut Signals,
    ) -> io::Result<()> {
        if matches!(pause, Pause::Size) {
            return self.find_again(keys);
        }
        // Our reader must not take keys from whoever has the terminal.
        keys.pause()?;
        let modes = device::leave();
        let notice = match &pause {
            Pause::Size => None,
            Pause::Stop => self.stop(signals).await?,
            Pause::Edit(path, line) => self.edit(path, *line, signals).await,
            Pause::EditDraft(draft) => self.edit(&draft.file, 1, signals).await,
            Pause::EditPrompt(draft) => match self.edit_prompt(draft, signals).await {
                Ok(draft) => {
                    // Also if a signal ends us: what the editor has saved is the draft then.
                    self.update(Msg::PromptEdited(Box::new(draft)))?;
                    None
                }
                Err(why) => Some(why),
            },
        };
        // An editor that was killed leaves its own modes. What a person changes in the shell stays.
        // In the background, setting them would stop us, also if a signal has ended us.
        let is_ours = self.outcome.is_none() || self.device.in_foreground();
        if let Some(modes) = modes.filter(|_| is_ours && !matches!(pause, Pause::Stop)) {
            self.device.set_modes(&modes);
        }
        if self.outcome.is_some() {
            // No screen comes that could say it.
            notice.iter().for_each(last_words);
            return Ok(());
        }
        let early = self.come_back()?;
        keys.go_on(&early)?;
        match (notice, pause) {
            (Some(text), _) => self.update(Msg::Notice(Notice::grave(text)))?,
            (None, Pause::EditDraft(draft)) => {
                self.update(Msg::StoredEdited(draft))?;
            }
            (None, Pause::Size | Pause::Stop | Pause::Edit(..) | Pause::EditPrompt(_)) => {}
        }
        self.jobs.scan(&self.workspace, self.view.as_ref());
        Ok(())
    }

    /// Takes the terminal again, at its current size and row. Returns what was typed meanwhile.
    fn come_back(&mut self) -> io::Result<Vec<u8>> {
        failpoint::reach("panic-in-return");
        let mut early = Vec::new();
        let size = self.device.size();
        let area = match self.height {
            None => None,
            Some(height) => inline_area(&mut self.device, height, size, &mut early)?,
        };
        let area = self.whole_or(area, size);
        early.extend(self.device.enter(self.device.mouse)?);
        self.move_to(area)?;
        self.wiped = true;
        Ok(early)
    }

    /// Stops, and returns when the job is continued in the foreground.
    async fn stop(&mut self, signals: &mut Signals) -> io::Result<Option<SafeText>> {
        loop {
            kill_process(getpid(), Signal::STOP)?;
            // A stopped job that is ended is continued first. It must not wait for the terminal
            // then.
            if let Some(signal) = signals.end_sent(false).await {
                self.outcome = Some(Outcome::Signal(signal.as_raw()));
                return Ok(None);
            }
            if self.device.in_foreground() {
                return Ok(None);
            }
        }
    }

    /// Runs the editor. Keys that interrupt or stop concern only the editor; a signal that ends us
    /// ends it first.
    pub(super) async fn edit(
        &mut self,
        path: &Path,
        line: u32,
        signals: &mut Signals,
    ) -> Option<SafeText> {
        let notice = self.wait_for_editor(path, line, signals).await;
        // A signal for the editor may reach us only now.
        if self.outcome.is_none() {
            self.outcome =
                signals.end_sent(true).await.map(|signal| Outcome::Signal(signal.as_raw()));
        }
        notice
    }

    async fn wait_for_editor(
        &mut self,
        path: &Path,
        line: u32,
        signals: &mut Signals,
    ) -> Option<SafeText> {
        let cannot = |error: io::Error| inert!("the editor is not started: {}", reason(&error));
        let mut editor = match Editor::start(path, line).await {
            Ok(editor) => editor,
            Err(error) => return Some(cannot(error)),
        };
        loop {
            tokio::select! {
                news = editor.next() => match news {
                    Ok(status) if status.stopped() => {
                        // The shell waits for us, so we stop as well. Without a shell nobody would
                        // continue us.
                        if stoppable() {
                            let _ = kill_process(getpid(), Signal::STOP);
                        }
                        editor.signal(Signal::CONT);
                    }
                    Ok(status) => return ended(status),
                    Err(error) => return Some(cannot(error)),
                },
                event = signals.next() => {
                    if let Some(signal) = event.end(true) {
                        editor.signal(signal);
                        if tokio::time::timeout(LAST_WORDS, editor.next()).await.is_err() {
                            editor.signal(Signal::KILL);
                        }
                        self.outcome = Some(Outcome::Signal(signal.as_raw()));
                        return None;
                    }
                }
            }
        }
    }
}

/// How the editor failed, if it did.
fn ended(status: WaitStatus) -> Option<SafeText> {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(inert!("the editor ended with code {}", code)),
        (None, Some(signal)) => Some(inert!("the editor ended by signal {}", signal)),
        (None, None) => None,
    }
}
