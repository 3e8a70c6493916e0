//! Carries out effects. Most go to a worker, whose answer comes back as a message.

use super::Outcome;
use super::clipboard;
use super::device;
use super::jobs::{Jobs, Keep, Snapshot, project_fails};
use super::pause::{self, Pause};
use super::picker_loop::{Loop, Wake};
use super::worker::TIMEOUT;
use crate::catalog::Draft;
use crate::failpoint;
use crate::inert;
use crate::listing::{CallError, Rows};
use crate::output::selection::{self, Format, PrintError};
use crate::output::{Out, last_words};
use crate::text::SafeText;
use crate::tui::app::{
    Action, ChangeAnswer, Compose, CopyForm, Effect, Exit, KeyTable, Msg, Notice, OldDraft,
    RankQuestion, Timer,
};
use crate::workspace::prompts::StateError;
use crate::workspace::{View, host_by_word};
use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;
use rustix::process::{Signal, kill_current_process_group};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// In bytes. Terminals drop or choke on longer clipboard texts.
const MAX_COPY: usize = 100_000;

/// Columns of the copied text in the notice.
const SHOWN_OF_A_COPY: usize = 60;

impl Loop {
    /// Carries out effects in their order.
    pub(super) fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        effects.into_iter().try_for_each(|effect| self.effect(effect))
    }

    fn rank(&mut self, question: Box<RankQuestion>) {
        self.frame_wait.ask(Instant::now());
        self.jobs.rank.ask(question);
    }

    fn wait(&mut self, timer: Timer, usual: Duration) {
        let time = match timer {
            Timer::Early => failpoint::patience(usual),
            _ => usual,
        };
        self.later(time, Wake::Waited(timer));
    }

    fn effect(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Exit(exit) => self.exit(exit)?,
            Effect::Preview(key) => self.read(|jobs, rows| jobs.preview(rows, key)),
            Effect::Learn(path) => self.read(|jobs, rows| jobs.learn(rows, &path)),
            Effect::Excerpt(key) => self.read(|jobs, rows| jobs.excerpt(rows, key)),
            Effect::Rank(question) => self.rank(question),
            Effect::Complete(_)
            | Effect::Recall(_)
            | Effect::KeepDraft(_)
            | Effect::Remember(_)
            | Effect::EditPrompt(_)
            | Effect::FindPanes
            | Effect::Send(_) => self.compose(effect),
            Effect::SearchBodies(question) => {
                self.jobs.bodies.ask(question);
            }
            Effect::Scan => self.scan_again(),
            Effect::Change(number, job) => {
                return self.with_view_or(
                    |jobs, view| jobs.change(number, view, job),
                    |why| Msg::Changed(number, ChangeAnswer::Failed(why)),
                );
            }
            Effect::FindHosts => self.jobs.find_hosts(&self.workspace),
            Effect::CountHosts(generation) => {
                self.with_view(|jobs, view| jobs.count_hosts(view, generation));
            }
            Effect::Prefer(host) => {
                self.workspace.preferred = Some(host);
                // The picker ends with this key, so no thread would outlive it.
                self.workspace.remember_agent(host);
            }
            Effect::LookThrough(host) => self.look_through(host),
            Effect::ReportHosts => self.with_view(Jobs::report),
            Effect::AskAgents => return self.ask_agents(),
            Effect::Share(path, host) => self.with_view(|jobs, view| jobs.share(view, &path, host)),
            Effect::Unshare(path, host) => {
                self.with_view(|jobs, view| jobs.unshare(view, &path, host));
            }
            Effect::Compare(path, other) => {
                if let Some(view) = &self.view {
                    self.jobs.compare(view, &path, other.as_deref());
                }
            }
            Effect::ReadCopies(paths) => self.with_view(|jobs, view| jobs.read_copies(view, paths)),
            Effect::Examples => self.examples(),
            Effect::ReadActivity => self.jobs.read_activity(self.workspace.state_dir.as_deref()),
            Effect::Project(task) => {
                let fails = project_fails(&task);
                return self.with_view_or(|jobs, view| jobs.project(view, task), fails);
            }
            Effect::Changes(task) => self.jobs.changes(&self.workspace, task),
            Effect::Budget(key, without) => {
                self.with_view(|jobs, view| jobs.budget(view, key, without));
            }
            Effect::Edit(path, line) => self.pause = Some(Pause::Edit(path, line)),
            Effect::Copy(form, paths) => self.copy(form, &paths)?,
            Effect::CopyLines(lines) => self.copy_lines(&lines)?,
            Effect::Suspend => return self.suspend(),
            Effect::Repaint => self.wiped = true,
            Effect::TakeMouse(take) => self.device.take_mouse(take)?,
            Effect::Wait(timer, millis) => self.wait(timer, Duration::from_millis(millis)),
        }
        Ok(())
    }

    /// Carries out an effect of the compose screen.
    fn compose(&mut self, effect: Effect) {
        match effect {
            Effect::Complete(question) => {
                self.frame_wait.ask(Instant::now());
                self.jobs.complete.ask(question);
            }
            Effect::Recall(old) => self.jobs.recall(&self.keeper, &self.workspace, old),
            Effect::KeepDraft(draft) => {
                let keep = self.keeping(*draft);
                self.jobs.drafts.ask(keep);
            }
            Effect::Remember(draft) => self.jobs.remember(&self.keeper, &self.workspace, *draft),
            Effect::EditPrompt(draft) => self.pause = Some(Pause::EditPrompt(draft)),
            Effect::FindPanes => self.jobs.find_panes(&self.workspace),
            Effect::Send(sending) => self.with_view(|jobs, view| jobs.send(view, *sending)),
            _ => {}
        }
    }

    /// Gives the terminal back, and says there what was asked for and is not done.
    pub(super) fn tell_unmade(&self) {
        if let Some(words) = self.state.unmade() {
            device::leave();
            last_words(&words);
        }
    }

    fn keeping(&mut self, draft: Draft) -> Keep {
        self.drafts += 1;
        self.keeper.note(&draft);
        let (keeper, workspace) = (self.keeper.clone(), self.workspace.clone());
        Keep { keeper, workspace, draft, number: self.drafts }
    }

    /// Keeps what was written and not sent, after the terminal was given back.
    ///
    /// # Errors
    /// It cannot be kept; in words.
    pub(super) fn keep_at_the_end(&mut self) -> Result<(), SafeText> {
        let Some((mut draft, unread)) = self.state.compose().and_then(Compose::unkept) else {
            return Ok(());
        };
        let why = |error: StateError| inert!("the draft is not kept: {}", error.to_string());
        if let (Some(lot), Ok(prompts)) = (unread, self.keeper.open(&self.workspace)) {
            if lot == OldDraft::Shown {
                // What was typed before the old draft came stands behind it.
                let mut old = prompts.draft().map_err(why)?;
                old.pieces.append(&mut draft.pieces);
                old.private |= draft.private;
                draft = old;
            } else {
                prompts.begin_anew(lot == OldDraft::Remembered).map_err(why)?;
            }
        }
        let keep = self.keeping(draft);
        keep.write().map_err(why).inspect_err(|_| {
            // It is the last place where the text can be had.
            device::leave();
            Out::standard().quote(&keep.draft.text(|pill| format!("${}", pill.name)));
        })
    }

    /// Gives the current view to a job; before the first view nothing starts.
    pub(super) fn with_view(&self, start: impl FnOnce(&Jobs, Snapshot)) {
        if let Some(view) = self.view.clone() {
            let workspace = self.workspace.clone();
            start(&self.jobs, Snapshot { workspace, view, number: self.generation });
        }
    }

    /// The same for a job whose answer is awaited: before the first view, this message comes, with
    /// the reason.
    fn with_view_or(
        &mut self,
        start: impl FnOnce(&Jobs, Snapshot),
        fails: impl FnOnce(SafeText) -> Msg,
    ) -> io::Result<()> {
        if self.view.is_none() {
            return self.update(fails(SafeText::fixed("the skills are still being read")));
        }
        self.with_view(start);
        Ok(())
    }

    /// Gives a reader something to read. One that is busy may hang, which is looked at later.
    fn read(&self, ask: impl FnOnce(&Jobs, &Rows) -> bool) {
        if ask(&self.jobs, &self.state.viewed.rows) {
            self.later(TIMEOUT, Wake::Relieve);
        }
    }

    /// Shows another host's view; nothing of the old one is reused.
    fn look_through(&mut self, host: &'static str) {
        if let Some(row) = host_by_word(host) {
            self.workspace = self.workspace.through(row);
            self.view = None;
            self.scan_again();
        }
    }

    /// Asks the agents' programs; before the first whole view, as soon as it is there.
    fn ask_agents(&mut self) -> io::Result<()> {
        if let Some(why) = self.workspace.unaskable() {
            return self.update(Msg::Notice(Notice::neutral(SafeText::fixed(why))));
        }
        self.workspace = self.workspace.clone().asking();
        if self.view.as_ref().is_some_and(|view| view.complete) {
            self.ask_now()?;
        }
        Ok(())
    }

    /// Asks the agents' programs about the current view.
    pub(super) fn ask_now(&mut self) -> io::Result<()> {
        self.with_view(Jobs::ask_agents);
        self.update(Msg::Asking)
    }

    /// The examples are in this folder: looks at them instead.
    pub(super) fn browse(&mut self, folder: PathBuf) -> io::Result<()> {
        let there = self.workspace.browse(folder);
        self.before_examples = Some(Box::new(std::mem::replace(&mut self.workspace, there)));
        (self.view, self.state.on_examples) = (None, true);
        self.scan_again();
        let key = self.state.key_word(KeyTable::Picker, Action::Back);
        let words = inert!("these are examples, which no agent sees; {} goes back", key);
        self.update(Msg::Notice(Notice::plain(words)))
    }

    /// Browses the examples; from there, goes back to where the person was.
    fn examples(&mut self) {
        match self.before_examples.take() {
            None => self.with_view(Jobs::examples),
            Some(before) => {
                // Another agent may have been chosen there, and settings may have changed.
                let host = host_by_word(self.state.options.host).unwrap_or(before.host);
                (self.workspace, self.view) = (before.through(host), None);
                self.state.on_examples = false;
                self.scan_again();
            }
        }
    }

    pub(super) fn later(&self, after: Duration, wake: Wake) {
        let sender = self.wake.clone();
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let _ = sender.send(wake);
        });
    }

    /// Copies by the terminal's clipboard sequence. Only a person's key leads here: other people's
    /// text must never reach the clipboard by itself.
    fn copy(&mut self, form: CopyForm, paths: &[Arc<Path>]) -> io::Result<()> {
        let Some(view) = &self.view else { return Ok(()) };
        let printed = selection::print(view, &indexes(view, paths), format(form), false);
        let notice = match printed.refused.first() {
            Some((_, refusal)) => Notice::grave(inert!("not copied: {}", refusal.to_string())),
            None => {
                self.hand_to_clipboard(printed.bytes.strip_suffix(b"\n").unwrap_or(&printed.bytes))?
            }
        };
        self.update(Msg::Notice(notice))
    }

    fn copy_lines(&mut self, lines: &[SafeText]) -> io::Result<()> {
        let texts: Vec<&str> = lines.iter().map(SafeText::as_str).collect();
        let notice = self.hand_to_clipboard(texts.join("\n").as_bytes())?;
        self.update(Msg::Notice(notice))
    }

    fn hand_to_clipboard(&mut self, text: &[u8]) -> io::Result<Notice> {
        if text.len() > MAX_COPY {
            return Ok(Notice::grave(SafeText::fixed("not copied: it is larger than 100 KB")));
        }
        let mut tty = self.device.handle()?;
        execute!(tty, CopyToClipboard::to_clipboard_from(text))?;
        clipboard::copy(text);
        let text = String::from_utf8_lossy(text);
        let what = match text.lines().count() {
            0 | 1 => SafeText::line(&text).cut(SHOWN_OF_A_COPY),
            lines => inert!("{} lines", lines),
        };
        Ok(Notice::plain(inert!("copied, if this terminal lets programs copy: {}", what)))
    }

    /// Leaves. A selection must be printable as a whole, so that no pick and no marks are lost.
    fn exit(&mut self, exit: Exit) -> io::Result<()> {
        if let (Exit::Picked(paths), Some(view)) = (&exit, &self.view) {
            let picked = indexes(view, paths);
            let gone = picked.len() < paths.len();
            let gone = gone.then(|| SafeText::fixed("a skill that was picked is gone"));
            if let Some(why) = gone.or_else(|| self.unprintable(view, &picked)) {
                return self.update(Msg::Notice(Notice::grave(why)));
            }
        }
        self.outcome = Some(match (exit, self.view.take()) {
            (Exit::Picked(paths), Some(view)) => {
                let picked = indexes(&view, &paths);
                Outcome::Picked(view, picked)
            }
            (Exit::Picked(_) | Exit::Left, _) => Outcome::Left,
        });
        Ok(())
    }

    /// Why one of these cannot be printed in the chosen format. A block is read only when it is
    /// printed.
    fn unprintable(&self, view: &View, picked: &[usize]) -> Option<SafeText> {
        let format = Format::from_word(self.workspace.config.values.format.value)
            .filter(|format| *format != Format::Block)?;
        let printed = selection::print(view, picked, format, self.print0);
        let (index, refusal) = printed.refused.first()?;
        let name = view
            .rows
            .entry(*index)
            .map(|entry| SafeText::line(&entry.skill.full_name()))
            .unwrap_or_default();
        let is_one_of_several = matches!(refusal, PrintError::Call(CallError::Ambiguous { .. }));
        let path = view.rows.entry(*index).map(|entry| entry.skill.path.as_path());
        let more = path.filter(|_| is_one_of_several);
        let more = more.and_then(|path| self.state.on_in_columns(path)).unwrap_or_default();
        Some(inert!("{}: {}{}", name, refusal.to_string(), more))
    }

    /// Stops the whole job, as the terminal would. The signal comes to our loop as well, which then
    /// stops this process.
    fn suspend(&mut self) -> io::Result<()> {
        if pause::stoppable() {
            kill_current_process_group(Signal::TSTP)?;
            return Ok(());
        }
        self.update(Msg::Notice(Notice::neutral(SafeText::fixed(
            "there is no shell here that could resume the picker",
        ))))
    }
}

/// The rows of these skills, in their order, without skills that are gone.
fn indexes(view: &View, paths: &[Arc<Path>]) -> Vec<usize> {
    paths.iter().filter_map(|path| view.rows.index_of(path)).collect()
}

fn format(form: CopyForm) -> Format {
    match form {
        CopyForm::Name => Format::Name,
        CopyForm::Mention => Format::Mention,
        CopyForm::Link => Format::Link,
        CopyForm::Path => Format::Path,
        CopyForm::Block => Format::Block,
    }
}
