//! How a host is told: which states and rules it has, and the edits that bring them about.
//!
//! A planner is pure: it offers candidates from the smallest on. The workspace applies each to the
//! parsed files, judges anew, and takes the first that reaches the aim; so key order, shadowing,
//! unions and names against paths are caught in one place.

use super::{Candidate, Reading};
use crate::catalog::{Enablement, Permission, Skill};
use crate::config::{NewRule, Refusal};
use crate::policy::Layer;

/// A switch that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The resolved skill.
    pub skill: &'a Skill,
    /// Its name as the host takes it.
    pub name: &'a str,
    /// Whether no other skill of the view has the name, so that a switch by name is about it alone.
    pub alone: bool,
    /// The other names that the host takes here, sorted: an allowlist that begins must hold those
    /// that stay on. None where not all folders could be read, so that nobody knows them.
    pub others: Option<&'a [String]>,
    /// How far on it shall be.
    pub state: Enablement,
    /// Whose file is to say so.
    pub layer: Layer,
}

/// Rules that are wanted.
#[derive(Clone, Copy, Debug)]
pub enum WantedRules<'a> {
    One(&'a NewRule),
    /// The file's rules are exactly these, in this order where order is meaning.
    All(&'a [NewRule]),
}

/// Candidates for a switch.
pub type PlanSwitch = fn(&Reading, &Wanted<'_>) -> Result<Vec<Candidate>, Refusal>;

/// Candidates for rules in this layer's file.
pub type PlanRules = fn(&Reading, &WantedRules<'_>, Layer) -> Result<Vec<Candidate>, Refusal>;

/// The line that starts a session in which these names are off, and nothing is written.
pub type LaunchLine = fn(&Reading, &[&str]) -> Option<String>;

/// How a host is told what to use.
#[derive(Debug)]
pub struct Control {
    /// Whose files it reads that we write; the first is where its own program would write.
    pub layers: &'static [Layer],
    /// The states that its switch has; empty where it has no switch for one skill.
    pub states: &'static [Enablement],
    /// Candidates for a switch.
    pub switch: Option<PlanSwitch>,
    /// Whether that switch is a permission rule (opencode): what is denied is off for the model,
    /// and on for a person.
    pub by_rule: bool,
    /// What its rules can say; empty where it has none for one skill.
    pub effects: &'static [Permission],
    pub rules: Option<PlanRules>,
    /// Why one file cannot undo what another says, for a refusal; may be empty.
    pub because: &'static str,
    /// How to start a session with skills off.
    pub launch: Option<LaunchLine>,
}

impl Control {
    /// A host that has neither switches nor rules for one skill: it can be browsed.
    pub const NONE: Self = Self {
        layers: &[],
        states: &[],
        switch: None,
        by_rule: false,
        effects: &[],
        rules: None,
        because: "",
        launch: None,
    };

    /// The states of a switch that knows on and off alone.
    pub const ON_OFF: &'static [Enablement] = &[Enablement::On, Enablement::Off];

    /// Every effect of a rule.
    pub const EFFECTS: &'static [Permission] =
        &[Permission::Allow, Permission::Ask, Permission::Deny];
}
