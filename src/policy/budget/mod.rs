//! How much of its skills an agent puts into its model's prompt, and what it leaves out.
//!
//! Each agent has a rule of its own. The rules here were learnt from the agents' programs, and
//! `tests/hosts/budget.rs` holds them against what the programs send to a stand-in for the model. A
//! forecast is still a forecast: another version, another model or a plugin changes it.

mod by_use;
mod even;
mod first;
mod names;
#[cfg(test)]
mod tests;

pub use by_use::ByUse;
pub use even::EvenPortions;
pub use first::FirstThatFit;
pub use names::NamesBeyond;

use crate::catalog::Scope;
use crate::inert;
use crate::text::{SafeText, short_number};
use crate::words;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::path::Path;

/// The rule by which an agent lists its skills to its model.
#[derive(Clone, Debug, PartialEq)]
pub enum Budget {
    /// Nobody has looked.
    Unknown,
    /// Every skill is listed whole.
    Whole,
    /// Descriptions are dropped, those of the least used skills first (Claude Code).
    ByUse(ByUse),
    /// Descriptions are shortened evenly, then skills are dropped (Codex).
    EvenPortions(EvenPortions),
    /// The first skills are listed whole, the next by name (Copilot CLI).
    NamesBeyond(NamesBeyond),
    /// Skills are listed whole up to the first that does not fit (Codelia).
    FirstThatFit(FirstThatFit),
    /// The catalog that `prompt` prints, within the limits of the host.
    Catalog,
}

impl Budget {
    /// The rule in a few words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Unknown => "its rule is not known; every skill is counted whole",
            Self::Whole => "it lists every skill whole",
            Self::ByUse(_) => {
                "beyond the limit it lists names alone; what is used most stays whole"
            }
            Self::EvenPortions(_) => "it shortens descriptions evenly, then leaves skills out",
            Self::NamesBeyond(_) => "beyond the limit it lists names alone, in its own order",
            Self::FirstThatFit(_) => {
                "it lists skills whole, by name, up to the first that does not fit"
            }
            Self::Catalog => "it shortens descriptions, then leaves skills out",
        }
    }

    /// What of these skills the model is told, in their order.
    pub fn forecast(&self, skills: &[ListedSkill<'_>]) -> Forecast {
        match self {
            Self::ByUse(rule) => rule.forecast(skills),
            Self::EvenPortions(rule) => rule.forecast(skills),
            Self::NamesBeyond(rule) => rule.forecast(skills),
            Self::FirstThatFit(rule) => rule.forecast(skills),
            Self::Unknown | Self::Whole | Self::Catalog => Forecast::whole(skills),
        }
    }
}

/// A skill as an agent would list it to its model.
#[derive(Clone, Debug)]
pub struct ListedSkill<'a> {
    /// The name by which the agent knows it.
    pub name: Cow<'a, str>,
    /// The name in its frontmatter.
    pub said: &'a str,
    pub description: Cow<'a, str>,
    pub scope: Scope,
    /// The folder that was scanned, canonical.
    pub root: &'a Path,
    /// The canonical path of the `SKILL.md`.
    pub path: &'a Path,
    /// Whether a person has chosen that only the name is listed.
    pub name_only: bool,
}

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Characters,
    /// Estimated, as the agent does: four bytes each.
    Tokens,
    Bytes,
}

words!(Unit, Characters = "characters", Tokens = "tokens", Bytes = "bytes");

/// What the model gets of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    /// The name, and this many characters of the description.
    Shortened(usize),
    Name,
    /// The skill is left out.
    Nothing,
}

impl Part {
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Shortened(_) => "shortened",
            Self::Name => "name",
            Self::Nothing => "nothing",
        }
    }
}

/// One skill in a forecast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    pub part: Part,
    /// What it takes.
    pub cost: usize,
    /// What it would take whole.
    pub whole: usize,
    /// Whether the agent's limit took something away from it.
    pub cut: bool,
}

impl Portion {
    fn whole(cost: usize) -> Self {
        Self { part: Part::Whole, cost, whole: cost, cut: false }
    }
}

/// What of its skills an agent tells its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub unit: Unit,
    /// `None`: there is no limit.
    pub limit: Option<usize>,
    /// What the agent's own skills take, which no folder has.
    pub own: usize,
    /// For each skill, in the order in which they were given.
    pub portions: Vec<Portion>,
}

impl Forecast {
    /// Every skill whole, four bytes a token.
    fn whole(skills: &[ListedSkill<'_>]) -> Self {
        let portion = |skill: &ListedSkill<'_>| {
            let bytes = skill.name.len() + skill.description.len();
            Portion::whole(bytes.div_ceil(BYTES_PER_TOKEN))
        };
        let portions = skills.iter().map(portion).collect();
        Self { unit: Unit::Tokens, limit: None, own: 0, portions }
    }

    /// What is taken of the limit.
    pub fn used(&self) -> usize {
        self.own + self.portions.iter().map(|portion| portion.cost).sum::<usize>()
    }

    /// What would be taken if there were no limit.
    pub fn wanted(&self) -> usize {
        self.own + self.portions.iter().map(|portion| portion.whole).sum::<usize>()
    }

    /// How much of the limit is taken, and how many skills lost something to it:
    /// `6.9k of 8k characters · 9 of 40 cut`.
    pub fn gauge(&self) -> SafeText {
        let (used, unit) = (short_number(self.used()), self.unit.word());
        let taken = match self.limit {
            Some(limit) => inert!("{} of {} {}", used, short_number(limit), unit),
            None => inert!("{} {}, no limit", used, unit),
        };
        match self.cut() {
            0 => taken,
            cut => inert!("{} · {} of {} cut", taken, cut, self.portions.len()),
        }
    }

    /// The skills by what they take, dearest first. Those that lost something come last, and of
    /// these the ones that are left out.
    pub fn by_cost(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.portions.len()).collect();
        order.sort_by_key(|index| {
            let portion = self.portions[*index];
            let lost = match portion.part {
                _ if !portion.cut => 0,
                Part::Whole | Part::Shortened(_) => 1,
                Part::Name => 2,
                Part::Nothing => 3,
            };
            (lost, Reverse(portion.whole))
        });
        order
    }

    /// How many skills lost something to the limit.
    pub fn cut(&self) -> usize {
        self.portions.iter().filter(|portion| portion.cut).count()
    }
}

/// What agents assume of a token.
const BYTES_PER_TOKEN: usize = 4;
