//! What is done with skills: mark, switch, read, explain, mend, undo. A change is told first, and
//! asked about where the picker asks.

use super::said::Begin;
use super::{Command, Linear, state};
use crate::catalog::{Check, Enablement, Skill, fix};
use crate::inert;
use crate::output::undo::applied_words;
use crate::policy::change::{HostOutcome, Plan};
use crate::policy::{Entry, HostStatus, Status};
use crate::runtime::budget::{ForecastRequest, forecast};
use crate::runtime::{self, PREVIEW_BYTES};
use crate::text::{SafeText, counted, reason};
use crate::workspace::View;
use crate::workspace::edit::ChangeRequest;
use crate::workspace::mend::{MendPlan, MendedSkill, Move, Reach};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names that are read out in one line.
const NAMES: usize = 9;

impl Linear<'_> {
    pub(super) fn act(&mut self, command: Command, numbers: &[usize]) -> io::Result<()> {
        let Some(chosen) = self.named(numbers)? else { return Ok(()) };
        match command {
            Command::Mark => self.mark(&chosen),
            Command::Switch => self.switch(&chosen),
            Command::Read => self.each(&chosen, Self::read),
            Command::Why => self.each(&chosen, Self::why),
            Command::Share => self.each(&chosen, Self::share),
            Command::Mend => self.each(&chosen, Self::mend),
            Command::Keep => self.each(&chosen, Self::keep),
            _ => Ok(()),
        }
    }

    /// Does this with each. A change lists the skills anew, so each is found again by its path.
    fn each(
        &mut self,
        chosen: &[usize],
        tell: fn(&mut Self, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        let entries = chosen.iter().filter_map(|index| self.view.rows.entry(*index));
        let paths: Vec<PathBuf> = entries.map(|entry| entry.skill.path.clone()).collect();
        paths.iter().try_for_each(|path| match self.view.rows.index_of(path) {
            Some(index) => tell(self, index),
            None => self.tell(inert!("{} is gone.", self.folder(path))),
        })
    }

    fn tell_all(&mut self, lines: impl IntoIterator<Item = SafeText>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.tell(line))
    }

    fn mark(&mut self, chosen: &[usize]) -> io::Result<()> {
        let view = self.view.clone();
        for entry in chosen.iter().filter_map(|index| view.rows.entry(*index)) {
            let path = &entry.skill.path;
            let was_marked = self.marks.contains(path);
            self.marks.retain(|marked| marked != path);
            if !was_marked {
                self.marks.push(path.clone());
            }
            let word = if was_marked { "not marked" } else { "marked" };
            let count = self.marks.len();
            self.tell(inert!("{}: {}. {} marked.", entry.skill.name, word, count))?;
        }
        Ok(())
    }

    /// Turns them on if all are off, else off.
    fn switch(&mut self, chosen: &[usize]) -> io::Result<()> {
        let entries: Vec<&Entry> =
            chosen.iter().filter_map(|index| self.view.rows.entry(*index)).collect();
        let other = entries.iter().find(|entry| !entry.taken() || entry.is_elsewhere());
        if let Some(why) = other.and_then(|entry| self.workspace.refusal(&self.view, entry)) {
            return self.tell_all(why.lines());
        }
        let to = Enablement::from(!entries.iter().any(|entry| entry.is_on()));
        let paths = entries.iter().map(|entry| Arc::from(entry.skill.path.as_path())).collect();
        let request = ChangeRequest::Switch { paths, to };
        let plan = match self.workspace.plan_with_choice(&self.view, &request) {
            Ok(plan) => plan,
            Err(why) => return self.tell(why.shown()),
        };
        let label = SafeText::line(&plan.label);
        if plan.files.is_empty() {
            return self.tell(inert!("{}: nothing to change.", label));
        }
        let told: Vec<SafeText> = plan.told().flat_map(HostOutcome::lines).collect();
        self.tell_all(told)?;
        if plan.ask && !self.agrees(&plan)? {
            return self.tell(SafeText::fixed("nothing was changed."));
        }
        match self.workspace.apply(&plan) {
            Ok(()) => self.changed(inert!("{}. u undoes it.", label)),
            Err(why) => self.tell(why.shown()),
        }
    }

    /// Tells which files a plan changes, and asks.
    fn agrees(&mut self, plan: &Plan) -> io::Result<bool> {
        for file in &plan.files {
            self.tell(inert!("changes {} ({}):", file.change.path, file.kind.words()))?;
            let lines = file.change.diff();
            self.tell_all(lines.iter().map(|line| SafeText::clean(&line.text)))?;
        }
        self.asks()
    }

    fn asks(&mut self) -> io::Result<bool> {
        self.tell(SafeText::fixed("write it? yes or no."))?;
        let answer = self.lines.hear()?.unwrap_or_default();
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Something was changed: the list is judged again.
    fn changed(&mut self, words: SafeText) -> io::Result<()> {
        let before: Vec<PathBuf> = self.paths();
        self.workspace = self.workspace.reread();
        self.view = self.workspace.view();
        let found = before.iter().filter_map(|path| self.view.rows.index_of(path));
        self.hits = found.collect();
        self.tell(words)
    }

    fn paths(&self) -> Vec<PathBuf> {
        let entries = self.hits.iter().filter_map(|index| self.view.rows.entry(*index));
        entries.map(|entry| entry.skill.path.clone()).collect()
    }

    pub(super) fn undo(&mut self) -> io::Result<()> {
        match self.workspace.undo() {
            Ok(undone) => self.changed(inert!("{}.", applied_words("undone", &undone))),
            Err(why) => self.tell(inert!("{}.", why.to_string())),
        }
    }

    fn read(&mut self, index: usize) -> io::Result<()> {
        let Some(entry) = self.view.rows.entry(index) else { return Ok(()) };
        let skill = Arc::clone(&entry.skill);
        self.tell(inert!("{}: {}", skill.name, SafeText::line(entry.description())))?;
        match runtime::text(&skill, None, PREVIEW_BYTES) {
            Ok(text) => self.tell_all(text.text.lines().map(SafeText::clean)),
            Err(why) => self.tell(inert!("{}", why.to_string())),
        }
    }

    /// What each agent makes of a skill: its state, and who decided it.
    fn why(&mut self, index: usize) -> io::Result<()> {
        let view = self.reported();
        let Some(entry) = view.rows.entry(index) else { return Ok(()) };
        let folder = self.folder(&entry.skill.path);
        self.tell(inert!("{}, {}, in {}.", entry.skill.name, state(entry), folder))?;
        for HostStatus { host, status } in view.statuses(index) {
            let words = status.why_not(|path: &Path| self.folder(path));
            let words = words.unwrap_or_else(|| SafeText::fixed(status.state().word()));
            let decider = status.decider().map(|origin| inert!(", by {}", origin.shown()));
            self.tell(inert!("{}: {}{}", host.word(), words, decider.unwrap_or_default()))?;
        }
        Ok(())
    }

    /// The view, with what each agent makes of it.
    fn reported(&self) -> View {
        let mut view = self.view.clone();
        if view.reports.is_empty() {
            view.listing.reports = Arc::new(self.workspace.reports(&view));
        }
        view
    }

    /// Shares a skill with each agent that does not look in its folder, after a yes for each.
    fn share(&mut self, index: usize) -> io::Result<()> {
        let view = self.reported();
        let Some(entry) = view.rows.entry(index) else { return Ok(()) };
        let (skill, name) = (Arc::clone(&entry.skill), SafeText::line(&entry.skill.name));
        let statuses = view.statuses(index).into_iter();
        let lacking = statuses.filter(|found| found.status == Status::NotThere);
        let hosts: Vec<&str> = lacking.map(|found| found.host.word()).collect();
        if hosts.is_empty() {
            return self.tell(inert!("{}: every agent here looks in its folder.", name));
        }
        for host in hosts {
            let share = match self.workspace.plan_plain_share(&skill, host) {
                Ok(share) => share,
                Err(why) => {
                    self.tell(inert!("{}, {}: {}", name, host, why.to_string()))?;
                    continue;
                }
            };
            let (agent, place) = (share.host.name, SafeText::path(&share.place));
            self.tell(inert!("shares {} with {}: {}", name, agent, place))?;
            if !self.asks()? {
                self.tell(SafeText::fixed("nothing was changed."))?;
                continue;
            }
            match self.workspace.share(share) {
                Ok(_) => {
                    self.changed(inert!("{} is shared with {}. u undoes it.", name, agent))?;
                }
                Err(why) => self.tell(inert!("{}, {}: {}", name, host, why.to_string()))?,
            }
        }
        Ok(())
    }

    /// The problems of a skill with their places and cures, and their fix if there is one.
    fn mend(&mut self, index: usize) -> io::Result<()> {
        let view = self.view.clone();
        let Some(entry) = view.rows.entry(index) else { return Ok(()) };
        let name = SafeText::line(&entry.skill.name);
        match entry.skill.diagnostics.len() {
            0 => return self.tell(inert!("{}: no problems.", name)),
            count => self.tell(inert!("{}: {}.", name, counted(count, "problem")))?,
        }
        for found in &entry.skill.diagnostics {
            let words = SafeText::line(&found.message);
            let severity = entry.severity(found).word();
            self.tell(inert!(
                "{}, line {}: {}. {}",
                severity,
                found.place.line,
                words,
                found.help()
            ))?;
        }
        let has_fix = |_: &Skill, check: &Check| fix::of(check).is_some();
        let plan = self.workspace.plan_mend(&view, &[entry], &Reach::Own, &has_fix);
        self.write(plan, inert!("{} is mended", name))
    }

    /// Keeps a skill; all others of its name become links to it.
    fn keep(&mut self, index: usize) -> io::Result<()> {
        let Some(entry) = self.view.rows.entry(index) else { return Ok(()) };
        let path = entry.skill.path.clone();
        let words = inert!("{} in {} is kept for all", entry.skill.name, self.folder(&path));
        let plan = self.workspace.plan_keep(&self.view, &path);
        if plan.skills.is_empty() && plan.left.is_empty() {
            return self.tell(SafeText::fixed("no other skill here has this name."));
        }
        self.write(plan, words)
    }

    /// Makes the first skill, links some, or goes to the examples.
    pub(super) fn begin(&mut self, with: Begin<'_>) -> io::Result<()> {
        let plan = match with {
            Begin::New(name) => self.workspace.plan_new(name),
            Begin::Links(folder) => self.workspace.plan_links(folder),
            Begin::Examples => match self.workspace.examples() {
                Ok(folder) => {
                    let there = self.workspace.browse(folder);
                    self.before = Some(std::mem::replace(&mut self.workspace, there));
                    self.view = self.workspace.view();
                    self.query.clear();
                    self.tell(SafeText::fixed(
                        "these are examples, which no agent sees; b goes back.",
                    ))?;
                    return self.search();
                }
                Err(error) => Err(reason(&error)),
            },
        };
        match plan {
            Err(why) => self.tell(inert!("{}.", why)),
            Ok(plan) => {
                let words = SafeText::line(plan.label.as_deref().unwrap_or_default());
                self.write(plan, words)?;
                self.search()
            }
        }
    }

    /// How much of its limit the list of each agent takes, and which skills the limit cuts.
    pub(super) fn cost(&mut self) -> io::Result<()> {
        let view = self.view.clone();
        for context in view.host_contexts.iter() {
            let wanted = ForecastRequest { host: context.host.id, window: None, without: None };
            let Some(of) = forecast(&self.workspace, &view, &wanted) else { continue };
            self.tell(inert!("{}: {}.", of.name, of.forecast.gauge()))?;
            let portions = of.skills.iter().zip(&of.forecast.portions);
            let cut = portions.filter(|(_, portion)| portion.cut).map(|(skill, _)| &skill.name);
            let cut: Vec<SafeText> = cut.map(|name| SafeText::line(name)).collect();
            for some in cut.chunks(NAMES) {
                self.tell(inert!("cut: {}.", SafeText::join(some.iter().cloned(), ", ")))?;
            }
        }
        Ok(())
    }

    /// Tells what a plan does to skills, asks, and does it.
    fn write(&mut self, mut plan: MendPlan, words: SafeText) -> io::Result<()> {
        for left in &plan.left {
            self.tell(inert!("left as it is: {}: {}", self.folder(&left.path), &*left.why))?;
        }
        if plan.skills.is_empty() {
            return Ok(());
        }
        let moves = plan.skills.iter().filter_map(|one| one.moved.as_ref()).map(Move::words);
        self.tell_all(moves.collect::<Vec<_>>())?;
        let changes = plan.skills.iter().filter_map(MendedSkill::shown);
        let lines: Vec<SafeText> =
            changes.flat_map(|it| it.diff()).map(|line| SafeText::clean(&line.text)).collect();
        self.tell_all(lines)?;
        if !self.asks()? {
            return self.tell(SafeText::fixed("nothing was changed."));
        }
        let told = plan.left.len();
        let written = self.workspace.mend(&mut plan);
        // What could not be written after all.
        for left in plan.left.get(told..).unwrap_or_default() {
            self.tell(inert!("left as it is: {}: {}", self.folder(&left.path), &*left.why))?;
        }
        match written {
            Ok(()) if plan.skills.is_empty() => self.tell(SafeText::fixed("nothing was changed.")),
            Ok(()) => self.changed(inert!("{}. u undoes it.", words)),
            Err(why) => self.tell(why.shown()),
        }
    }
}
