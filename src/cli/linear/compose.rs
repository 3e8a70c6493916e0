//! Compose without a screen: the person writes line by line, and answers which skill is meant.

use crate::catalog::{Draft, MAX_PROMPT, Piece, Pill, cleaned, left_out};
use crate::inert;
use crate::output::compose::{Written, written};
use crate::output::terminal::Lines;
use crate::policy::{Calling, HostReport};
use crate::runtime::CallContext;
use crate::text::{SafeText, counted, human_size, shortened};
use crate::tui::front::{ComposeStart, Composed, Keeper, Sending, Way};
use crate::workspace::{View, Workspace};
use std::io;
use std::sync::Arc;

/// What a line of its own does.
const SENDS: &str = ".";
const TAKES_BACK: &str = ".undo";
const READS: &str = ".read";

/// The most skills of which one is asked for.
const MAX_CHOICES: usize = 9;

struct Writing<'a> {
    workspace: &'a Workspace,
    view: &'a View,
    report: &'a HostReport,
    /// Its lines.
    written: Vec<Draft>,
    lines: &'a mut Lines,
    /// Whether it stays out of the history.
    private: bool,
}

/// Talks until the prompt is sent; `None` if the person leaves, which keeps it as the draft.
///
/// # Errors
/// Those of the terminal.
pub(in crate::cli) fn compose(
    workspace: &Workspace,
    start: ComposeStart,
    lines: &mut Lines,
) -> io::Result<Option<Composed>> {
    let seeing = workspace.clone().with_unseen();
    let mut view = seeing.view();
    view.listing.reports = Arc::new(seeing.reports(&view));
    let Some(report) = view.target(workspace.preferred, workspace.host.id.word()) else {
        lines.tell(SafeText::fixed("there is no agent to write for."))?;
        return Ok(None);
    };
    let keeper = Keeper::default();
    let prompts = keeper.open(workspace).as_ref().ok();
    let before = match (&start.text, prompts) {
        (Some(text), prompts) => {
            // What cannot be read is set aside by the first draft that is kept.
            let _ = prompts.map(|prompts| prompts.begin_anew(start.remember));
            Some(text.clone()).filter(|text| !text.pieces.is_empty())
        }
        (None, prompts) => {
            prompts.and_then(|prompts| prompts.draft().ok()).filter(|draft| !draft.is_blank())
        }
    };
    let private = !start.remember || before.as_ref().is_some_and(|draft| draft.private);
    let written = Vec::new();
    let mut writing = Writing { workspace, view: &view, report, written, lines, private };
    writing.begin(before)?;
    let mut number = 0;
    while let Some(line) = writing.lines.hear()? {
        match line.as_str() {
            SENDS => {
                if let Some((sending, written)) = writing.send(&start)? {
                    return Ok(Some(Composed::new(view, sending, written, keeper)));
                }
            }
            TAKES_BACK => writing.take_back()?,
            READS => writing.read()?,
            line => writing.add(line)?,
        }
        number += 1;
        let kept = prompts.map(|prompts| prompts.keep(&writing.draft(), number));
        if let Some(Err(error)) = kept {
            writing.tell(inert!("the draft is not kept: {}", error.to_string()))?;
        }
    }
    Ok(None)
}

impl Writing<'_> {
    fn tell(&mut self, text: SafeText) -> io::Result<()> {
        self.lines.tell(text)
    }

    fn begin(&mut self, before: Option<Draft>) -> io::Result<()> {
        let host = self.report.host.word();
        self.tell(inert!("prompt for {}. $ and letters put a skill in.", host))?;
        self.tell(inert!(
            "{} alone sends, {} takes the last line back, {} reads it all, ctrl-d leaves.",
            SENDS,
            TAKES_BACK,
            READS
        ))?;
        let Some(before) = before else { return Ok(()) };
        let dropped = self.push(&before);
        self.tell_left_out(dropped)?;
        self.read()
    }

    /// Adds a draft's lines. Returns how many control characters were left out.
    fn push(&mut self, draft: &Draft) -> usize {
        let (mut clean, mut dropped) = (Draft::default(), 0);
        for piece in &draft.pieces {
            match piece {
                Piece::Text(text) => {
                    let (text, left_out) = cleaned(text);
                    clean.push_text(&text);
                    dropped += left_out;
                }
                Piece::Pill(_) => clean.pieces.push(piece.clone()),
            }
        }
        self.written.extend(clean.lines());
        dropped
    }

    fn tell_left_out(&mut self, dropped: usize) -> io::Result<()> {
        left_out(dropped).map_or(Ok(()), |said| self.tell(inert!("{}.", said)))
    }

    fn draft(&self) -> Draft {
        let mut draft = Draft { private: self.private, ..Draft::default() };
        for (place, line) in self.written.iter().enumerate() {
            draft.push_text(if place == 0 { "" } else { "\n" });
            for piece in &line.pieces {
                match piece {
                    Piece::Text(text) => draft.push_text(text),
                    pill @ Piece::Pill(_) => draft.pieces.push(pill.clone()),
                }
            }
        }
        draft
    }

    fn read(&mut self) -> io::Result<()> {
        self.tell(inert!("{}:", counted(self.written.len(), "line")))?;
        let shown = |line: &Draft| line.text(|pill| format!("[{}]", pill.name));
        self.written.iter().try_for_each(|line| self.lines.tell(SafeText::line(&shown(line))))
    }

    fn take_back(&mut self) -> io::Result<()> {
        self.written.pop();
        self.tell(inert!("{} left.", counted(self.written.len(), "line")))
    }

    /// Adds a line, with the skills that the person means.
    fn add(&mut self, line: &str) -> io::Result<()> {
        if self.draft().bytes() + line.len() > MAX_PROMPT {
            let most = human_size(MAX_PROMPT as u64);
            return self.tell(inert!("not taken: a prompt has at most {}.", most));
        }
        let mut draft = Draft::default();
        let mut rest = line;
        while let Some(at) = rest.find('$') {
            let behind = &rest[at + 1..];
            let is_end = |letter: char| !(letter.is_alphanumeric() || "-_:.".contains(letter));
            let word = &behind[..behind.find(is_end).unwrap_or(behind.len())];
            let word = word.trim_end_matches(['.', ':']);
            draft.push_text(&rest[..at]);
            match self.meant(word)? {
                Some(pill) => draft.pieces.push(Piece::Pill(pill)),
                None => draft.push_text(&rest[at..=at + word.len()]),
            }
            rest = &behind[word.len()..];
        }
        draft.push_text(rest);
        let dropped = self.push(&draft);
        self.tell_left_out(dropped)
    }

    /// The skill that a word means, which is asked if several begin with it.
    fn meant(&mut self, word: &str) -> io::Result<Option<Pill>> {
        let choices = self.choices(word);
        let shown = inert!("${}", SafeText::line(word));
        let chosen = match choices.as_slice() {
            [] if word.is_empty() => return Ok(None),
            [] => {
                self.tell(inert!("no skill begins with {}; it stays text.", shown))?;
                return Ok(None);
            }
            [only] => Some(only),
            several => {
                self.tell(inert!("{} is which? Enter leaves it text.", shown))?;
                for (number, (pill, state)) in several.iter().take(MAX_CHOICES).enumerate() {
                    let folder = pill.path.parent().and_then(|folder| folder.parent());
                    let folder = folder.unwrap_or(&pill.path);
                    let folder = shortened(folder, self.workspace.context.home.as_deref());
                    let name = SafeText::line(&pill.name);
                    self.tell(inert!("{}. {}, {}, in {}.", number + 1, name, *state, folder))?;
                }
                if several.len() > MAX_CHOICES {
                    self.tell(inert!("{} more; write more letters.", several.len() - MAX_CHOICES))?;
                }
                self.chosen_of(several)?
            }
        };
        let Some((pill, state)) = chosen else { return Ok(None) };
        self.tell(inert!("{}, {}.", SafeText::line(&pill.name), *state))?;
        Ok(Some(pill.clone()))
    }

    /// The skill that is named next, by its number or its name; `None` if the line is empty.
    fn chosen_of<'c>(
        &mut self,
        several: &'c [(Pill, &'static str)],
    ) -> io::Result<Option<&'c (Pill, &'static str)>> {
        loop {
            let Some(line) = self.lines.hear()? else { return Ok(None) };
            let said = line.trim();
            if said.is_empty() {
                return Ok(None);
            }
            let numbered = said.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let numbered = numbered.and_then(|at| several.iter().take(MAX_CHOICES).nth(at));
            let named = || several.iter().find(|(pill, _)| pill.name == said);
            if let Some(chosen) = numbered.or_else(named) {
                return Ok(Some(chosen));
            }
            self.tell(SafeText::fixed("A number or a name of these; Enter leaves it text."))?;
        }
    }

    /// The skills of that name, else those whose names begin with it, and their states.
    fn choices(&self, word: &str) -> Vec<(Pill, &'static str)> {
        if word.is_empty() {
            return Vec::new();
        }
        let word = word.to_lowercase();
        let begins = |name: &str| name.to_lowercase().starts_with(&word);
        let found = self.view.rows.entries().filter(|entry| begins(&entry.skill.name));
        let found = found.filter_map(|entry| {
            let number = self.view.rows.number_of(&entry.skill.path)?;
            // The agent's own come first, as on the screen.
            let state = match self.report.calling(number, &entry.skill, SafeText::path) {
                Calling::Yes => (0, "on"),
                Calling::Off => (1, "off"),
                Calling::ByPath => (2, "by its path"),
                Calling::No(_) => return None,
            };
            let (name, path) = (entry.skill.name.clone(), entry.skill.path.to_path_buf());
            Some((state, Pill { name, path }))
        });
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|((place, _), _)| *place);
        let found = found.into_iter().map(|((_, state), pill)| (pill, state));
        let found: Vec<(Pill, &'static str)> = found.collect();
        let is_it = |(pill, _): &&(Pill, &'static str)| pill.name.to_lowercase() == word;
        match found.iter().any(|choice| is_it(&choice)) {
            true => found.iter().filter(is_it).cloned().collect(),
            false => found,
        }
    }

    /// The prompt, written out; `None`, said, if it cannot be.
    fn send(&mut self, start: &ComposeStart) -> io::Result<Option<(Sending, Written)>> {
        let (draft, host) = (self.draft(), self.report.host);
        if draft.is_blank() && start.way != Way::Back {
            self.tell(SafeText::fixed("there is nothing to send."))?;
            return Ok(None);
        }
        let (workspace, view) = (self.workspace, self.view);
        let caller = CallContext { workspace, view, client: "cli", session: None, scope: None };
        let &ComposeStart { inject, way, .. } = start;
        match written(&caller, &draft, host, inject) {
            Ok(written) => {
                let plain =
                    Sending { pane: None, submit: false, anyway: false, draft, host, inject, way };
                Ok(Some((plain, written)))
            }
            Err(why) => self.tell(why).map(|()| None),
        }
    }
}
