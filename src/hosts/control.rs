//! How skills are enabled and permitted in a host: its states, its rules, and the edits that make a
//! change.
//!
//! A planner is pure: it offers candidates, the smallest change first. The workspace applies each
//! to the parsed files, judges again, and takes the first that has the wanted result. So the order
//! of keys, shadowing, joined lists and names against paths are handled in one place.

use super::{Candidate, Reading};
use crate::catalog::{Enablement, Skill};
use crate::policy::Layer;
use crate::policy::change::{NewRule, Refusal};

/// A wanted switch.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The resolved skill.
    pub skill: &'a Skill,
    /// Its name in this host.
    pub name: &'a str,
    /// Whether the name is unique in the view, so that a switch by name affects only this skill.
    pub alone: bool,
    /// The other names in the view, sorted, for a new allowlist, which must name every skill that
    /// stays enabled. `None` if a folder could not be read.
    pub others: Option<&'a [String]>,
    /// The wanted enablement.
    pub state: Enablement,
    /// The layer whose file is edited.
    pub layer: Layer,
}

/// Wanted rules.
#[derive(Clone, Copy, Debug)]
pub enum WantedRules<'a> {
    One(&'a NewRule),
    /// The file has exactly these rules, in this order.
    All(&'a [NewRule]),
}

/// Candidates for a change, the best first.
pub type Candidates = Result<Vec<Candidate>, Refusal>;

/// Candidates for a switch.
pub type PlanSwitch = fn(&Reading, &Wanted<'_>) -> Candidates;

/// Candidates for rules in this layer's file.
pub type PlanRules = fn(&Reading, &WantedRules<'_>, Layer) -> Candidates;

/// The command that starts a session with these names disabled, without writing anything.
pub type LaunchLine = fn(&Reading, &[&str]) -> Option<String>;

/// How skills are enabled and permitted in a host.
#[derive(Debug)]
pub struct Control {
    /// The layers that we write to. A person's own come first: what one person wants is written to
    /// a file that a repository commits only where that one is named.
    pub layers: &'static [Layer],
    /// The states of its switch; empty if it has no switch for one skill.
    pub states: &'static [Enablement],
    /// Candidates for a switch.
    pub switch: Option<PlanSwitch>,
    /// Whether the switch is a permission rule (opencode): a denied skill is off for the model and
    /// on for a person.
    pub by_rule: bool,
    /// Candidates for rules; which ones it can have is in its evaluation.
    pub rules: Option<PlanRules>,
    /// Why one file cannot undo what another says. Part of the refusal.
    pub because: &'static str,
    pub launch: Option<LaunchLine>,
    /// Whether the host would expand a part of this text when it reads its JSON files: the name of
    /// a variable, or a reference to a file.
    pub expands: fn(&str) -> bool,
}

impl Control {
    /// A host without switches and rules for one skill. It can only be browsed.
    pub const NONE: Self = Self {
        layers: &[],
        states: &[],
        switch: None,
        by_rule: false,
        rules: None,
        because: "",
        launch: None,
        expands: |_| false,
    };

    /// The states of a switch that is on or off.
    pub const ON_OFF: &'static [Enablement] = &[Enablement::On, Enablement::Off];
}
