//! Effects, carried out: most are handed to a worker, and their answer comes back as a message.

use super::Outcome;
use super::picker_loop::{Loop, Wake};
use crate::tui::app::{CopyForm, Effect, Exit};
use rustix::process::{Signal, kill_current_process_group};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

impl Loop {
    /// Carries out effects in their order.
    pub(super) fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        effects.into_iter().try_for_each(|effect| self.effect(effect))
    }

    fn effect(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Exit(exit) => self.exit(exit),
            Effect::Preview(key) => self.jobs.preview(&self.state.viewed.items, key),
            Effect::Learn(path) => self.jobs.learn(&self.state.viewed.items, &path),
            Effect::Excerpt(key) => self.jobs.excerpt(&self.state.viewed.items, key),
            Effect::SearchBodies(question) => self.jobs.bodies(question),
            Effect::Scan => {
                self.jobs.scan(&self.workspace, !self.scanned);
                self.scanned = true;
            }
            Effect::Plan(aim) => {
                if let Some(view) = &self.view {
                    self.jobs.plan(&self.workspace, view, aim);
                }
            }
            Effect::Save(number) => self.save(number),
            Effect::Undo => {
                if let Some(view) = &self.view {
                    self.jobs.undo(&self.workspace, view);
                }
            }
            Effect::Edit(path, line) => {
                self.keys_paused = true;
                self.editing = Some((path, line));
            }
            Effect::Copy(form, paths) => self.copy(form, &paths)?,
            Effect::Suspend => kill_current_process_group(Signal::TSTP)?,
            Effect::Repaint => self.repaint(self.state.area)?,
            Effect::TakeMouse(take) => self.device.take_mouse(take)?,
            Effect::Wait(timer, millis) => self.later(Duration::from_millis(millis), Wake::Waited(timer)),
        }
        Ok(())
    }

    /// Wakes the loop after a while.
    pub(super) fn later(&self, after: Duration, wake: Wake) {
        let sender = self.wake.clone();
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let _ = sender.send(wake);
        });
    }

    /// Copies by the terminal's own clipboard sequence (T4): only here, on a person's key.
    fn copy(&mut self, form: CopyForm, paths: &[Arc<Path>]) -> io::Result<()> {
        let _ = (form, paths);
        Ok(())
    }

    fn exit(&mut self, exit: Exit) {
        self.outcome = Some(match (exit, self.view.take()) {
            (Exit::Picked(paths), Some(view)) => {
                let index = |path: &Arc<Path>| view.entries.iter().position(|entry| *entry.skill.path == **path);
                let picked = paths.iter().filter_map(index).collect();
                Outcome::Picked(view, picked)
            }
            (Exit::Picked(_) | Exit::Left, _) => Outcome::Left,
        });
    }

    fn save(&mut self, number: u64) {
        if let Some((_, workspace, plan)) = self.plan.take_if(|(own, ..)| *own == number)
            && let Some(view) = &self.view
        {
            self.jobs.save(&workspace, view, plan);
        }
    }
}
