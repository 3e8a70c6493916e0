//! The policy, and how it turns into verdicts.

use super::limits::Limits;
use super::pattern::glob;
use super::{
    Allowlist, Denied, Evaluation, Layer, Layers, Order, Origin, Pattern, Rule, Ruling, Run,
    Subject, Switch, Target, Tool, Verdict,
};
use crate::catalog::{Calls, Check, Enablement, Listed, Permission, Skill};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A settings file that could not be read in full. Shown until it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    pub file: Arc<Path>,
    /// The first line that could not be read, from 1.
    pub line: u32,
    /// What is wrong, one sentence without a full stop. May quote other people's text.
    pub message: String,
}

impl Alarm {
    /// Rules that deny everything, for every tool.
    pub fn denials(&self, layer: Layer) -> [Rule; 2] {
        let origin = Origin::Alarm {
            file: Arc::clone(&self.file),
            line: self.line,
            text: "broken settings".into(),
        };
        Tool::ALL.map(|tool| Rule {
            tool,
            ..Rule::loading(Pattern::Any, Permission::Deny, origin.clone(), layer)
        })
    }
}

/// The permissions if no rule applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    pub load: Ruling<Permission>,
    pub script: Ruling<Permission>,
}

impl Default for Defaults {
    /// Loading is allowed, as the standard expects. A script can do anything the person can, so it
    /// is asked for.
    fn default() -> Self {
        Self {
            load: Ruling::new(Permission::Allow, Origin::Default),
            script: Ruling::new(Permission::Ask, Origin::Default),
        }
    }
}

/// Everything that decides which skills an agent may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether there are skills at all.
    pub skills_enabled: Ruling<bool>,
    /// Whether the model is told of any skill. A person calls them all the same.
    pub told: Ruling<bool>,
    /// The names of skills that a person cannot call, though the model may load them.
    pub uncalled: Vec<Ruling<String>>,
    /// Switches, lower layers first, in file order.
    pub switches: Vec<Switch>,
    /// Permission rules, lower layers first, in file order.
    pub rules: Vec<Rule>,
    /// Allowlists: a skill must be in each of them. They are applied after the switches.
    pub allowlists: Vec<Allowlist>,
    pub defaults: Defaults,
    pub order: Evaluation,
    /// The limits that the host's settings name.
    pub limits: Limits,
    /// The digests of all files of the skills in [`Policy::bound_to_files`], by the canonical paths
    /// of their `SKILL.md`. Files are checked again at the moment when they are handed over.
    pub files: BTreeMap<PathBuf, String>,
    /// The settings files that could not be read in full, to be shown. The rules that deny because
    /// of them are in `rules`.
    pub alarms: Vec<Alarm>,
    /// Our own settings, where this is the policy of another agent and they may forbid something:
    /// what they keep from a model, our runtime hands over through no agent's view.
    pub own: Option<Arc<Policy>>,
}

impl Default for Policy {
    fn default() -> Self {
        Self::without_settings(Evaluation::AGENTS)
    }
}

impl Policy {
    /// The policy if there are no settings.
    pub fn without_settings(order: Evaluation) -> Self {
        Self {
            skills_enabled: Ruling::new(true, Origin::Default),
            told: Ruling::new(true, Origin::Default),
            uncalled: Vec::new(),
            switches: Vec::new(),
            rules: Vec::new(),
            allowlists: Vec::new(),
            defaults: Defaults::default(),
            order,
            limits: Limits::NONE,
            files: BTreeMap::new(),
            alarms: Vec::new(),
            own: None,
        }
    }

    /// Denies everything, because a settings file of this layer cannot be read in full. It is never
    /// treated as empty.
    pub fn deny_all(&mut self, layer: Layer, alarm: Alarm) {
        self.rules.extend(alarm.denials(layer));
        self.alarms.push(alarm);
    }

    /// The alarm for which this file denies everything.
    pub fn stop_at(&self, file: &Path) -> Option<&Alarm> {
        let denies =
            |alarm: &Alarm| self.rules.iter().any(|rule| alarm.denials(rule.layer).contains(rule));
        self.alarms.iter().find(|alarm| *alarm.file == *file && denies(alarm))
    }

    /// The verdict on a resolved skill. Callers pass the skill of the catalog, never one made from
    /// what somebody typed.
    pub fn verdict(&self, skill: &Skill) -> Verdict {
        if self.refusal(skill).is_some() {
            return Verdict::off(Origin::Skill("cannot be offered"));
        }
        let Ruling { value: state, origin } = self.state(skill);
        let calls = self.order.calls(skill);
        let user = match calls.by_person {
            false => Ruling::new(false, Origin::Skill("user-invocable: false")),
            true => match self.uncalled(skill) {
                Some(by) => Ruling::new(false, by.clone()),
                None => Ruling::new(true, origin.clone()),
            },
        };
        let listed = match state {
            Enablement::Off => return Verdict::off(origin),
            _ if calls.later => return Verdict::off(Origin::Skill("paths")),
            Enablement::UserOnly => return Verdict { user, ..Verdict::off(origin) },
            Enablement::NameOnly => Listed::NameOnly,
            Enablement::On => Listed::Full,
        };
        if let Some(word) = self.kept_from_model(skill, calls) {
            return Verdict { user, ..Verdict::off(Origin::Skill(word)) };
        }
        if !self.told.value {
            return Verdict { user, ..Verdict::off(self.told.origin.clone()) };
        }
        let model = self.permission(Tool::SkillLoad, skill, None);
        let unlisted =
            |code: &&'static str| skill.diagnostics.iter().any(|found| found.check.code == *code);
        if let Some(code) = self.order.unlisted.iter().find(|code| unlisted(code)) {
            return Verdict { listed: Ruling::new(Listed::No, Origin::Skill(code)), model, user };
        }
        let listed = match model.value == Permission::Deny && self.hides(skill) {
            true => Ruling::new(Listed::No, model.origin.clone()),
            false => Ruling::new(listed, origin),
        };
        Verdict { listed, model, user }
    }

    /// Who keeps a person from calling the skill.
    fn uncalled(&self, skill: &Skill) -> Option<&Origin> {
        let names = |ruling: &&Ruling<String>| self.order.is_switched_by(&ruling.value, skill);
        self.uncalled.iter().find(names).map(|ruling| &ruling.origin)
    }

    /// The finding for which the host refuses this skill.
    pub fn refusal(&self, skill: &Skill) -> Option<&'static Check> {
        self.order.refusal(skill)
    }

    /// The frontmatter field that keeps the skill from the model, if the host reads it.
    fn kept_from_model(&self, skill: &Skill, calls: Calls) -> Option<&'static str> {
        let implicit = self.order.reads.implicit && skill.invocation.not_implicitly;
        (!calls.by_model)
            .then_some("disable-model-invocation")
            .or(implicit.then_some("allow_implicit_invocation: false"))
    }

    /// Whether a denied skill is not even listed.
    fn hides(&self, skill: &Skill) -> bool {
        let rule = self
            .decider(Tool::SkillLoad, &self.subject(skill), None)
            .and_then(|index| self.rules.get(index));
        match self.order.denied {
            Denied::Hidden => true,
            Denied::Listed => {
                rule.is_none_or(|rule| rule.pattern == Pattern::Any || rule.is_alarm())
            }
            Denied::Kept => rule.is_some_and(Rule::is_alarm),
        }
    }

    /// Whether the model may run a script of the skill. `run` says which one and with which
    /// arguments; it is `None` if that is not known. The scripts of a skill that it may not load
    /// are denied.
    pub fn run(&self, skill: &Skill, run: Option<&Run<'_>>) -> Ruling<Permission> {
        let load = self.verdict(skill).model;
        if load.value == Permission::Deny {
            load
        } else {
            self.permission(Tool::SkillScript, skill, run)
        }
    }

    /// The skill's enablement in the host's own states: the switch for all skills, then the
    /// switches, then the allowlists.
    pub fn state(&self, skill: &Skill) -> Ruling<Enablement> {
        if !self.skills_enabled.value {
            return Ruling::new(Enablement::Off, self.skills_enabled.origin.clone());
        }
        let switched = self.switched(skill);
        if switched.value == Enablement::Off {
            return switched;
        }
        if skill.root.word.as_ref().is_some_and(|word| word.off) {
            return Ruling::new(Enablement::Off, Origin::Host("the agent's own word"));
        }
        match self.allowlists.iter().find(|list| !list.names.contains(&*self.order.name_of(skill)))
        {
            Some(list) => Ruling::new(Enablement::Off, list.origin.clone()),
            None => switched,
        }
    }

    /// Whether the skill leaves its name to others: it belongs to a plugin that is off as a whole,
    /// or is off itself where that is enough.
    pub fn leaves_its_name(&self, skill: &Skill) -> bool {
        self.order.off_leaves_name && self.state(skill).value == Enablement::Off
            || self.is_of_plugin_off(skill)
    }

    /// Whether the skill belongs to a plugin that is off as a whole. Several plugins may have its
    /// folder, and their switches decide as all others do.
    pub fn is_of_plugin_off(&self, skill: &Skill) -> bool {
        let of_plugins = |switch: &&Switch| {
            matches!(switch.target, Target::Beneath(_)) && self.applies(switch, skill)
        };
        let decides = || self.among(self.switches.iter().filter(of_plugins));
        skill.root.plugin.is_some()
            && decides().is_some_and(|switch| switch.state == Enablement::Off)
    }

    fn applies(&self, switch: &Switch, skill: &Skill) -> bool {
        let name = self.order.name_of(skill);
        let target = match &switch.target {
            Target::Path(path) => *path == skill.path,
            Target::Beneath(folder) => skill.path.starts_with(folder),
            Target::Name(wanted) => self.order.is_switched_by(wanted, skill),
            Target::Glob(pattern) => glob(pattern, &name),
            Target::Expression(expression) => expression.finds(&name),
            Target::Place(place) => skill.location() == place,
            Target::Folder(glob) => glob.fits(skill.location(), skill.is_single_file()),
        };
        target && switch.within.as_ref().is_none_or(|within| within.has(skill))
    }

    fn switched(&self, skill: &Skill) -> Ruling<Enablement> {
        let matching = || self.switches.iter().filter(|switch| self.applies(switch, skill));
        let decided = match self.order.layers {
            Layers::Pooled => self.among(matching()),
            Layers::TightenOnly(guest) => {
                let own = self.among(matching().filter(|switch| switch.layer != guest));
                let theirs = self.among(matching().filter(|switch| switch.layer == guest));
                match (own, theirs) {
                    (None, theirs) => theirs,
                    (Some(_), Some(theirs)) if theirs.state == Enablement::Off => Some(theirs),
                    (own, _) => own,
                }
            }
        };
        decided.map_or_else(
            || Ruling::new(Enablement::On, Origin::Default),
            |switch| Ruling::new(switch.state, switch.origin.clone()),
        )
    }

    /// The switch that decides among these, all of which match.
    fn among<'a>(&self, switches: impl Iterator<Item = &'a Switch>) -> Option<&'a Switch> {
        let mut switches: Vec<_> = switches.collect();
        let by_path = |switch: &&Switch| matches!(switch.target, Target::Path(_));
        if self.order.path_beats_name && switches.iter().any(by_path) {
            switches.retain(by_path);
        }
        let states: Vec<_> = switches.iter().map(|switch| switch.state).collect();
        self.order.switches.evaluate(&states).and_then(|index| switches.get(index).copied())
    }

    /// What the rules say about `tool` used with this skill, whether it is on or off. `run` is what
    /// is known of the run of a script.
    pub fn permission(
        &self,
        tool: Tool,
        skill: &Skill,
        run: Option<&Run<'_>>,
    ) -> Ruling<Permission> {
        self.permission_as(tool, skill, &self.subject(skill), run)
    }

    /// What our own runtime lets the model do with a skill that has this verdict. It follows the
    /// host, except that no rule by name allows a skill that a repository brings, and that our own
    /// settings count too: the stricter of both decides.
    pub fn handed(&self, skill: &Skill, verdict: &Verdict) -> Ruling<Permission> {
        let theirs = match verdict.model.value != Permission::Allow || !skill.is_brought() {
            true => verdict.model.clone(),
            false => {
                let subject = Subject { brought: true, ..self.subject(skill) };
                self.permission_as(Tool::SkillLoad, skill, &subject, None)
            }
        };
        let ours = self.own.as_ref().map(|own| own.kept(skill));
        let decides =
            |ours: &Ruling<_>| ours.origin != Origin::Default && ours.value >= theirs.value;
        ours.filter(decides).unwrap_or(theirs)
    }

    /// What these settings say of handing a skill over that another agent's view has. Its switches
    /// are those of that agent.
    fn kept(&self, skill: &Skill) -> Ruling<Permission> {
        match self.skills_enabled.value {
            true => self.permission(Tool::SkillLoad, skill, None),
            false => Ruling::new(Permission::Deny, self.skills_enabled.origin.clone()),
        }
    }

    /// Whether something may be kept from a model by these settings.
    pub fn keeps(&self) -> bool {
        let strict = |rule: &Rule| rule.tool == Tool::SkillLoad && rule.effect != Permission::Allow;
        !self.skills_enabled.value
            || self.defaults.load.value != Permission::Allow
            || self.rules.iter().any(strict)
    }

    fn permission_as(
        &self,
        tool: Tool,
        skill: &Skill,
        subject: &Subject<'_>,
        run: Option<&Run<'_>>,
    ) -> Ruling<Permission> {
        let ruling = self.permission_of(tool, subject, run);
        let wants_tools = self.order.asks_for_tools && skill.properties.has_tools();
        if wants_tools && ruling == *self.default_for(tool) && ruling.value == Permission::Allow {
            return Ruling::new(Permission::Ask, Origin::Skill("allowed-tools"));
        }
        ruling
    }

    /// What the rules would say about such a skill: to test a name on the rules screen, and for
    /// planning. For a skill of the catalog use [`Policy::verdict`].
    pub fn permission_of(
        &self,
        tool: Tool,
        subject: &Subject<'_>,
        run: Option<&Run<'_>>,
    ) -> Ruling<Permission> {
        match self.decider(tool, subject, run).and_then(|index| self.rules.get(index)) {
            Some(rule) if rule.holds(subject, run) => Ruling::new(rule.effect, rule.origin.clone()),
            Some(lapsed) => Ruling::new(Permission::Ask, lapsed.origin.clone()),
            None => self.default_for(tool).clone(),
        }
    }

    /// The permission for `tool` if no rule applies.
    pub fn default_for(&self, tool: Tool) -> &Ruling<Permission> {
        match tool {
            Tool::SkillLoad => &self.defaults.load,
            Tool::SkillScript => &self.defaults.script,
        }
    }

    /// Whether a rule has no effect, because it would loosen and its layer may only tighten.
    pub fn ignored(&self, rule: &Rule) -> bool {
        rule.effect == Permission::Allow && self.order.tighten_only(rule.layer)
    }

    /// The index of the rule that decides about `tool` used with such a skill, in this run of one
    /// of its scripts; `None` if the default decides. A rule that allowed the skill with other
    /// files asks in place of the default.
    pub fn decider(
        &self,
        tool: Tool,
        subject: &Subject<'_>,
        run: Option<&Run<'_>>,
    ) -> Option<usize> {
        self.ruled(tool, subject, run).or_else(|| self.lapsed(tool, subject))
    }

    fn ruled(&self, tool: Tool, subject: &Subject<'_>, run: Option<&Run<'_>>) -> Option<usize> {
        let applies = |rule: &Rule| rule.tool == tool && rule.holds(subject, run);
        let matching: Vec<usize> =
            (0..self.rules.len()).filter(|index| applies(&self.rules[*index])).collect();
        if let Some(alarm) = matching.iter().copied().find(|index| self.rules[*index].is_alarm()) {
            return Some(alarm);
        }
        let (theirs, own): (Vec<_>, Vec<_>) = matching
            .into_iter()
            .partition(|index| self.order.tighten_only(self.rules[*index].layer));
        let own = self.deciding(self.order.rules, &own);
        let theirs: Vec<_> =
            theirs.into_iter().filter(|index| !self.ignored(&self.rules[*index])).collect();
        let theirs = self.deciding(Order::Strictest, &theirs);
        match (own, theirs) {
            (Some(own), Some(theirs)) if self.rules[theirs].effect > self.rules[own].effect => {
                Some(theirs)
            }
            (None, Some(theirs)) if self.rules[theirs].effect >= self.default_for(tool).value => {
                Some(theirs)
            }
            (own, _) => own,
        }
    }

    fn deciding(&self, order: Order, indices: &[usize]) -> Option<usize> {
        let effects: Vec<_> = indices.iter().map(|index| self.rules[*index].effect).collect();
        order.evaluate(&effects).map(|index| indices[index])
    }
}

#[cfg(test)]
mod tests;
