//! The text by which a person calls skills, and the agent for which it is written.
//!
//! In a view through one agent, it is written for that one. In a view through all of them, it is
//! written for an agent that lets a person call the skills and has a syntax for it: the one that
//! the person chose, otherwise the one that started this process, otherwise the first program in
//! the order of the table of agents, otherwise the plain standard. If one agent can call all of
//! several skills, they are all written for it. Where the person has told the agent (`--for`), no
//! other one is asked: what it does not let a person call is called by its path.

use super::{Listing, Rows};
use crate::catalog::{HostId, Mention, MentionForm, MentionRefusal, Scope, Skill};
use crate::policy::{Evaluation, HostReport, Speech};
use crate::text::SafeText;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The text that calls one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallText {
    pub text: String,
    /// The agent for which it is written. `None` if no agent has a syntax for the skill. Then the
    /// text is a link, and its path says which skill is meant.
    pub speech: Option<Speech>,
}

/// Why no text calls a skill.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// No mention can carry it.
    #[error(transparent)]
    Mention(#[from] MentionRefusal),
    /// Several skills of the name are on, and the agent cannot tell them apart by anything that a
    /// person writes.
    #[error(
        "{host} cannot tell {} skills of this name apart; rename one, or keep one for all \
         (Copies in the picker)",
        .candidates.len()
    )]
    Ambiguous {
        host: &'static str,
        /// Scope and path of each, in the order of the view.
        candidates: Vec<(Scope, PathBuf)>,
    },
}

/// Which agents take the texts of some skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Every agent that can call them takes the same texts.
    All,
    /// This one; others take another form, or mean another skill by the name.
    One(Speech),
    /// No agent can call all of them, so they are written for different agents.
    Several,
}

/// Some skills of a view, and the agents in whose prompts a person may call them.
pub struct Callers<'a> {
    rows: &'a Rows,
    picks: &'a [usize],
    /// The view as it is: its own agent, or all of them as one.
    whole: Prompt<'a>,
    /// The agents of a view through all of them, the preferred one first.
    agents: Vec<Prompt<'a>>,
    /// So many of these may be written for.
    writers: usize,
}

impl<'a> Callers<'a> {
    /// For a view through one agent.
    pub fn of_one(speech: Speech, listing: &'a Listing, picks: &'a [usize]) -> Self {
        let order = listing.policy.order;
        let whole = Prompt { speech, order, report: None, namesakes: OnceCell::new() };
        Self { rows: &listing.rows, picks, whole, agents: Vec::new(), writers: 0 }
    }

    /// For a view through every agent.
    pub fn of_all(listing: &'a Listing, picks: &'a [usize]) -> Self {
        let plain = Speech {
            host: HostId::AGENTS,
            name: "Agent Skills",
            form: MentionForm::Dollar { link: true },
        };
        let wanted = [listing.preferred, listing.chosen];
        let is_wanted = |report: &HostReport| wanted.contains(&Some(report.host));
        let spoken = |report: &&HostReport| {
            report.inside || is_wanted(report) || report.speech.form.is_syntax()
        };
        let mut preferred: Vec<&HostReport> = listing.reports.iter().filter(spoken).collect();
        preferred.sort_by_key(|report| {
            let [first, second] = wanted.map(|host| host != Some(report.host));
            (first, second, !report.inside, report.host == HostId::AGENTS)
        });
        let agents: Vec<Prompt> = preferred.into_iter().map(Prompt::of).collect();
        let writers = agents.len();
        let callers = Self { agents, writers, ..Self::of_one(plain, listing, picks) };
        if listing.for_named { callers.told(wanted) } else { callers }
    }

    /// The callers if the person has named an agent. Calls are written for the first of these
    /// agents if it can call all of the skills, otherwise only for the second, which may not be on
    /// this machine.
    fn told(mut self, [first, second]: [Option<HostId>; 2]) -> Self {
        let place = |host| self.agents.iter().position(|agent| Some(agent.speech.host) == host);
        let can_all =
            |at: &usize| self.picks.iter().all(|pick| self.calls(&self.agents[*at], *pick));
        let at = place(first).filter(can_all).or_else(|| place(second));
        self.writers = usize::from(at.is_some());
        if let Some(at) = at {
            self.agents.swap(0, at);
        }
        self
    }

    /// For one agent, whatever the view is of. What it does not find is called by its path.
    pub fn of_agent(report: &'a HostReport, listing: &'a Listing, picks: &'a [usize]) -> Self {
        let agents = vec![Prompt::of(report)];
        Self { agents, writers: 1, ..Self::of_one(report.speech, listing, picks) }
    }

    fn sees_all(&self) -> bool {
        !self.agents.is_empty()
    }

    /// The agents that may be written for.
    fn writers(&self) -> &[Prompt<'a>] {
        &self.agents[..self.writers]
    }

    /// The text for each of the skills, in their order.
    pub fn texts(&self) -> Vec<Result<CallText, CallError>> {
        if !self.sees_all() {
            return self.picks.iter().map(|pick| self.by_one(*pick)).collect();
        }
        match self.common() {
            Some(agent) => self.picks.iter().map(|pick| self.written(agent, *pick)).collect(),
            None => self.picks.iter().map(|pick| self.alone(*pick)).collect(),
        }
    }

    /// Which agents take these texts.
    pub fn audience(&self) -> Audience {
        if !self.sees_all() || self.picks.is_empty() {
            return Audience::All;
        }
        let Some(agent) = self.common() else {
            if let ([only], true) = (self.writers(), self.writers < self.agents.len()) {
                return Audience::One(only.speech);
            }
            let texts = self.texts();
            let hosts: HashSet<Option<HostId>> =
                texts.iter().flatten().map(|call| call.speech.map(|speech| speech.host)).collect();
            return if hosts.len() > 1 { Audience::Several } else { Audience::All };
        };
        let otherwise = |pick: &usize| {
            let same_name = self.rows.entry(*pick).is_some_and(|entry| entry.same_name > 1);
            let example = agent.example(self.rows, *pick);
            let others = self.agents.iter().filter_map(|other| other.example(self.rows, *pick));
            same_name || others.map(Some).any(|other| other != example)
        };
        match self.picks.iter().any(otherwise) {
            true => Audience::One(agent.speech),
            false => Audience::All,
        }
    }

    /// `/name`, and whether an agent that can call the skill takes it.
    ///
    /// # Errors
    /// If the name is not valid after a slash.
    pub fn slash(&self, pick: usize) -> Result<(String, bool), MentionRefusal> {
        let takes = |agent: &&Prompt| {
            agent.speech.form == MentionForm::Start("/") && agent.takes(self.rows, pick)
        };
        let taker = self.agents.iter().find(takes);
        let agent = taker.unwrap_or(&self.whole);
        let Some(skill) = agent.skill(self.rows, pick) else { return Err(MentionRefusal::Name) };
        let mention = Mention::slash(&agent.order.name_of(skill), self.is_alone(agent, pick))?;
        let looks = self.rows.entry(pick).is_some_and(|entry| entry.looks.here());
        Ok((mention.to_string(), taker.is_some() || (!self.sees_all() && looks)))
    }

    /// `[$name](path)`.
    ///
    /// # Errors
    /// If the skill is not valid in a link.
    pub fn link(&self, pick: usize) -> Result<String, MentionRefusal> {
        let skill = self.whole.skill(self.rows, pick).ok_or(MentionRefusal::Name)?;
        let name = self.whole.order.name_of(skill);
        Ok(Mention::for_pick(&name, &skill.path, false)?.to_string())
    }

    /// The text for a skill in the prompt of the view's agent. Where that one does not look, a name
    /// means nothing to it, but a path may.
    fn by_one(&self, pick: usize) -> Result<CallText, CallError> {
        match self.rows.entry(pick).is_some_and(|entry| entry.looks.here()) {
            true => self.written(&self.whole, pick),
            false => Ok(CallText { text: self.link(pick)?, speech: None }),
        }
    }

    /// Whether the agent can call the skill.
    fn calls(&self, agent: &Prompt, pick: usize) -> bool {
        agent.takes(self.rows, pick) && self.written(agent, pick).is_ok()
    }

    /// The first agent that can call all of them.
    fn common(&self) -> Option<&Prompt<'a>> {
        self.writers().iter().find(|agent| self.picks.iter().all(|pick| self.calls(agent, *pick)))
    }

    /// The text for one skill, written for the first agent that can call it.
    fn alone(&self, pick: usize) -> Result<CallText, CallError> {
        let takers = || self.writers().iter().filter(|agent| agent.takes(self.rows, pick));
        let mut texts = takers().map(|agent| self.written(agent, pick));
        match (texts.find(Result::is_ok), takers().next()) {
            (Some(text), _) => text,
            (None, Some(agent)) => self.written(agent, pick),
            (None, None) => Ok(CallText { text: self.link(pick)?, speech: None }),
        }
    }

    /// The text for a skill in one agent's prompt.
    fn written(&self, agent: &Prompt, pick: usize) -> Result<CallText, CallError> {
        let skill = agent.skill(self.rows, pick).ok_or(MentionRefusal::Name)?;
        let name = agent.order.name_of(skill);
        let only = || match self.is_alone(agent, pick) {
            true => Ok(()),
            false => Err(agent.ambiguous(self.rows, self.picks, pick)),
        };
        let text = match agent.speech.form {
            MentionForm::Dollar { link: true } => {
                // In a view through all agents, a reader must be able to tell copies apart.
                let unique = self.is_alone(agent, pick) && self.is_alone(&self.whole, pick);
                Mention::for_pick(&name, &skill.path, unique)?.to_string()
            }
            MentionForm::Dollar { link: false } => {
                only()?;
                match Mention::for_pick(&name, &skill.path, true) {
                    Ok(mention @ Mention::Name(_)) => mention.to_string(),
                    _ => return Err(MentionRefusal::Name.into()),
                }
            }
            MentionForm::Start(sign) => {
                only()?;
                format!("{sign}{}", Mention::slash(&name, true)?.name())
            }
            form @ MentionForm::Prose(..) => {
                only()?;
                if name.is_empty() || SafeText::line(&name).as_str() != name {
                    return Err(MentionRefusal::Name.into());
                }
                form.example(&name)
            }
        };
        Ok(CallText { text, speech: Some(agent.speech) })
    }

    /// Whether it is the only one of its name that a person may call there.
    fn is_alone(&self, agent: &Prompt, pick: usize) -> bool {
        agent.namesakes(self.rows, self.picks, pick).len() == 1
    }
}

/// One agent, and the skills that a person may call in its prompt.
struct Prompt<'a> {
    speech: Speech,
    order: Evaluation,
    /// How it judges the skills of a view through all agents; `None` for a view through this agent.
    report: Option<&'a HostReport>,
    /// For the name of each picked skill, the skills that a person may call by it.
    namesakes: OnceCell<HashMap<String, Vec<usize>>>,
}

impl<'a> Prompt<'a> {
    fn of(report: &'a HostReport) -> Self {
        let (speech, order) = (report.speech, report.policy.order);
        Self { speech, order, report: Some(report), namesakes: OnceCell::new() }
    }

    /// The skill as the agent has it.
    fn skill(&self, rows: &'a Rows, pick: usize) -> Option<&'a Arc<Skill>> {
        let skill = &rows.entry(pick)?.skill;
        match self.report {
            Some(report) => Some(report.as_found(u32::try_from(pick).ok()?, skill)),
            None => Some(skill),
        }
    }

    /// Whether it lets a person call the skill.
    fn takes(&self, rows: &Rows, pick: usize) -> bool {
        let Some(entry) = rows.entry(pick) else { return false };
        match (self.report, u32::try_from(pick)) {
            (Some(report), Ok(place)) => report.lets_call(place, &entry.skill),
            _ => entry.pickable(),
        }
    }

    /// The text if no other skill had its name; `None` if the agent does not let a person call it.
    fn example(&self, rows: &'a Rows, pick: usize) -> Option<String> {
        let skill = self.skill(rows, pick).filter(|_| self.takes(rows, pick))?;
        Some(self.speech.form.example(&self.order.name_of(skill)))
    }

    /// The skills that a person may call by the name of this one.
    fn namesakes(&self, rows: &'a Rows, picks: &[usize], pick: usize) -> &[usize] {
        let all = self.namesakes.get_or_init(|| self.namesakes_of(rows, picks));
        let key = self.skill(rows, pick).map(|skill| self.order.key_of(skill));
        key.and_then(|key| all.get(&*key)).map(Vec::as_slice).unwrap_or_default()
    }

    fn namesakes_of(&self, rows: &'a Rows, picks: &[usize]) -> HashMap<String, Vec<usize>> {
        let mut all = HashMap::new();
        for skill in picks.iter().filter_map(|pick| self.skill(rows, *pick)) {
            let key = self.order.key_of(skill);
            if !all.contains_key(&*key) {
                let mut same = rows.with_name([&skill.name, &self.order.name_of(skill)]);
                same.retain(|index| self.is_called(rows, *index, &key));
                all.insert(key.into_owned(), same);
            }
        }
        all
    }

    /// Whether a person may call the skill by this name.
    fn is_called(&self, rows: &'a Rows, index: usize, key: &str) -> bool {
        let skill = self.skill(rows, index);
        skill.is_some_and(|skill| self.order.key_of(skill) == key) && self.takes(rows, index)
    }

    fn ambiguous(&self, rows: &'a Rows, picks: &[usize], pick: usize) -> CallError {
        let several = self.namesakes(rows, picks, pick);
        let candidate = |index: &usize| {
            let skill = &rows.entry(*index)?.skill;
            Some((skill.scope, skill.path.clone()))
        };
        let candidates = several.iter().filter_map(candidate).collect();
        CallError::Ambiguous { host: self.speech.name, candidates }
    }
}
