//! The picker without a screen (`--linear`): one printed line for each row and each answer, states
//! in words, numbers in place of a cursor. It is for people who hear the screen read out, and for
//! terminals that have no cursor.

mod act;
mod compose;
mod said;

use super::{Failure, find};
use crate::catalog::Scope;
use crate::inert;
use crate::output::terminal::Lines;
use crate::policy::Entry;
use crate::search::Context;
use crate::text::{SafeText, counted, shortened};
use crate::tui;
use crate::workspace::{View, Workspace};
pub(super) use compose::compose;
use said::{COMMANDS, Command, Said, begin, read};
use std::io;
use std::path::{Path, PathBuf};

/// Rows that are read out at once.
const PAGE: usize = 9;

/// The longest description that is read out, in columns.
const DESCRIPTION: usize = 120;

/// How it ended.
pub(super) enum Ended {
    /// With these entries of the view, in mark order.
    Picked(Box<View>, Vec<usize>),
    Left,
}

/// What the person asked for at the start.
pub(super) struct Start<'a> {
    pub(super) query: &'a str,
    pub(super) scope: Option<Scope>,
    pub(super) multi: bool,
}

/// A conversation about the skills of a place.
struct Linear<'a> {
    workspace: Workspace,
    view: View,
    scope: Option<Scope>,
    multi: bool,
    query: String,
    /// The rows that the query finds, best first.
    hits: Vec<usize>,
    /// How many of them have been read out.
    told: usize,
    /// In mark order.
    marks: Vec<PathBuf>,
    /// What was looked at before the examples.
    before: Option<Workspace>,
    lines: &'a mut Lines,
}

/// Whether to talk line by line: by `--linear`, by the variable, or where no screen can be drawn.
pub(super) fn is_wanted(option: bool, workspace: &Workspace) -> bool {
    option || workspace.context.flag("ACCESSIBLE") || !tui::HAS_SCREEN
}

/// Names this way to talk, for a terminal on which no screen can be drawn.
pub(super) fn cure(failure: Failure) -> Failure {
    match Lines::open().is_some() {
        true => failure.with("--linear talks line by line on this one"),
        false => failure,
    }
}

/// Talks until the person picks or leaves.
///
/// # Errors
/// Those of the terminal.
pub(super) fn run(workspace: Workspace, start: &Start, lines: &mut Lines) -> io::Result<Ended> {
    let view = workspace.view();
    let mut linear = Linear {
        workspace,
        view,
        scope: start.scope,
        multi: start.multi,
        query: start.query.to_owned(),
        hits: Vec::new(),
        told: 0,
        marks: Vec::new(),
        before: None,
        lines,
    };
    let host = linear.view.host.name;
    linear.tell(inert!("skillpick, {}. ? is help, q leaves.", host))?;
    linear.search()?;
    while let Some(line) = linear.lines.hear()? {
        if let Some(picked) = linear.answer(&line)? {
            return Ok(match picked.is_empty() {
                true => Ended::Left,
                false => Ended::Picked(Box::new(linear.view), picked),
            });
        }
    }
    Ok(Ended::Left)
}

impl Linear<'_> {
    fn tell(&mut self, text: SafeText) -> io::Result<()> {
        self.lines.tell(text)
    }

    /// Answers a line. The picked entries if the conversation ends; none if the person leaves.
    fn answer(&mut self, line: &str) -> io::Result<Option<Vec<usize>>> {
        if self.has_no_skills()
            && let Some(begin) = begin(line)
        {
            self.begin(begin)?;
            return Ok(None);
        }
        match read(line) {
            Said::Nothing => self.page()?,
            Said::Query(words) => {
                self.query = words;
                self.search()?;
            }
            Said::Command(Command::Leave, _) => return Ok(Some(Vec::new())),
            Said::Command(Command::Pick, numbers) => return self.pick(&numbers),
            Said::Command(Command::Help, _) => self.help()?,
            Said::Command(Command::Back, _) => {
                if let Some(before) = self.before.take() {
                    self.workspace = before.reread();
                    self.view = self.workspace.view();
                    return self.search().map(|()| None);
                }
                self.told = 0;
                self.page()?;
            }
            Said::Command(Command::Undo, _) => self.undo()?,
            Said::Command(Command::Cost, _) => self.cost()?,
            Said::Command(command, numbers) => self.act(command, &numbers)?,
        }
        Ok(None)
    }

    /// Whether there is no skill at all, though skills are switched on.
    fn has_no_skills(&self) -> bool {
        self.view.rows.is_empty() && self.view.policy.skills_enabled.value
    }

    fn help(&mut self) -> io::Result<()> {
        self.tell(inert!("{}", "Type words to search. A number picks that skill."))?;
        self.tell(inert!("{}", "An empty line goes on with the list. / before words searches."))?;
        for (letter, _, help) in COMMANDS {
            self.tell(inert!("{}: {}", SafeText::clean(&letter.to_string()), *help))?;
        }
        Ok(())
    }

    /// Finds the rows of the query, and reads the first ones out.
    fn search(&mut self) -> io::Result<()> {
        let query = find::parsed(&self.query, &self.workspace);
        for problem in find::problems(&query, self.workspace.host.id) {
            self.tell(problem)?;
        }
        let marks = self.marks.iter().filter_map(|path| self.view.rows.index_of(path));
        let marks: Vec<usize> = marks.collect();
        let marked = |index: u32| marks.contains(&(index as usize));
        let context = Context { marked: &marked, frecency: true, ..Context::PLAIN };
        let hits = find::find(&self.view, &query, self.scope, &context);
        self.hits = hits.into_iter().map(|hit| hit.index as usize).collect();
        self.told = 0;
        let (count, words) = (self.hits.len(), SafeText::line(&self.query));
        match (count, self.query.is_empty()) {
            (0, true) if self.has_no_skills() => {
                self.tell(SafeText::fixed("no skills yet."))?;
                self.tell(SafeText::fixed("n and a name makes one here."))?;
                self.tell(SafeText::fixed("l and a folder links the skills in it."))?;
                self.tell(SafeText::fixed("b browses the examples."))?;
            }
            (_, true) => self.tell(inert!("{}.", counted(count, "skill")))?,
            (0, false) => self.tell(inert!("nothing matches {}.", words))?,
            (_, false) => self.tell(inert!("{} for {}.", counted(count, "skill"), words))?,
        }
        if self.hits.is_empty() { Ok(()) } else { self.page() }
    }

    /// Reads the next rows out.
    fn page(&mut self) -> io::Result<()> {
        if self.told >= self.hits.len() {
            return self.tell(SafeText::fixed("that was the last one; b begins again."));
        }
        let until = (self.told + PAGE).min(self.hits.len());
        for place in self.told..until {
            let row = self.row(place);
            self.tell(row)?;
        }
        self.told = until;
        let left = self.hits.len() - until;
        if left == 0 { Ok(()) } else { self.tell(inert!("{} more.", left)) }
    }

    /// `1. pdf-forms, on, marked. Fill form fields …`
    fn row(&self, place: usize) -> SafeText {
        let index = self.hits.get(place);
        let Some(entry) = index.and_then(|index| self.view.rows.entry(*index)) else {
            return SafeText::default();
        };
        let mut words = vec![SafeText::line(&entry.skill.name), state(entry)];
        if entry.same_name > 1 || entry.shadowed_by.is_some() {
            words.push(inert!("in {}", self.folder(&entry.skill.path)));
        }
        if self.marks.contains(&entry.skill.path) {
            words.push(SafeText::fixed("marked"));
        }
        let about = SafeText::line(entry.about()).cut(DESCRIPTION);
        inert!("{}. {}. {}", place + 1, SafeText::join(&words, ", "), about)
    }

    /// The folder that holds a skill, from home.
    fn folder(&self, path: &Path) -> SafeText {
        let folder = path.parent().and_then(Path::parent).unwrap_or(path);
        shortened(folder, self.workspace.context.home.as_deref())
    }

    /// The entries with these numbers; without numbers, the marked ones. If one is missing, that is
    /// said.
    fn named(&mut self, numbers: &[usize]) -> io::Result<Option<Vec<usize>>> {
        if numbers.is_empty() {
            let marked = self.marks.iter().filter_map(|path| self.view.rows.index_of(path));
            let marked: Vec<usize> = marked.collect();
            if marked.is_empty() {
                self.tell(SafeText::fixed("say which: a number after the letter."))?;
            }
            return Ok((!marked.is_empty()).then_some(marked));
        }
        let mut found = Vec::new();
        for number in numbers {
            match number.checked_sub(1).and_then(|at| self.hits.get(at)) {
                Some(index) => found.push(*index),
                None => {
                    self.tell(inert!("there is no number {} in this list.", *number))?;
                    return Ok(None);
                }
            }
        }
        Ok(Some(found))
    }

    fn pick(&mut self, numbers: &[usize]) -> io::Result<Option<Vec<usize>>> {
        let Some(picked) = self.named(numbers)? else { return Ok(None) };
        if !self.multi && picked.len() > 1 {
            self.tell(SafeText::fixed("only one can be picked here."))?;
            return Ok(None);
        }
        let refused = picked.iter().filter_map(|index| self.view.rows.entry(*index));
        let refused = refused.filter(|entry| !entry.pickable());
        let why = refused.filter_map(|entry| self.workspace.refusal(&self.view, entry)).next();
        match why {
            Some(why) => {
                for line in why.lines() {
                    self.tell(line)?;
                }
                Ok(None)
            }
            None => Ok(Some(picked)),
        }
    }
}

/// `on`, `off`, `shadowed`, `not there`.
fn state(entry: &Entry) -> SafeText {
    SafeText::fixed(entry.status().word())
}
