//! The policy, and the one function that turns it into verdicts.

use super::pattern::glob;
use super::{
    Allowlist, Denied, Evaluation, Layer, Layers, Order, Origin, Pattern, Rule, Ruling, Run,
    Subject, Switch, Target, Tool, Verdict,
};
use crate::catalog::{Check, Enablement, Listed, Permission, Skill};
use std::path::Path;
use std::sync::Arc;

/// A settings file that could not be read in full, to be shown for as long as it is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    pub file: Arc<Path>,
    /// The first line that could not be read, from 1.
    pub line: u32,
    /// What is wrong, one sentence without a full stop. May quote other people's text.
    pub message: String,
}

impl Alarm {
    /// The rules that deny everything on account of it, for every tool.
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

/// What holds where no rule speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    pub load: Ruling<Permission>,
    pub script: Ruling<Permission>,
}

impl Default for Defaults {
    /// Load = allow, script = ask (D15, X1).
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
    /// Whether there are skills at all (KOD-8, D4).
    pub skills_enabled: Ruling<bool>,
    /// Switches, lower layers first, in file order.
    pub switches: Vec<Switch>,
    /// Permission rules, lower layers first, in file order.
    pub rules: Vec<Rule>,
    /// Allowlists: a skill must stand in each (KOD-8). They filter last.
    pub allowlists: Vec<Allowlist>,
    /// What holds where no rule speaks.
    pub defaults: Defaults,
    /// The host's order of evaluation.
    pub order: Evaluation,
    /// The settings files that could not be read in full. They are for showing: what they deny
    /// stands in `rules`.
    pub alarms: Vec<Alarm>,
}

impl Policy {
    /// The policy where nothing is written anywhere.
    pub fn open(order: Evaluation) -> Self {
        Self {
            skills_enabled: Ruling::new(true, Origin::Default),
            switches: Vec::new(),
            rules: Vec::new(),
            allowlists: Vec::new(),
            defaults: Defaults::default(),
            order,
            alarms: Vec::new(),
        }
    }

    /// Denies everything, since a settings file cannot be read from this line on: it is never taken
    /// for empty. Shown as an alarm.
    pub fn close(&mut self, file: &Arc<Path>, layer: Layer, (line, message): (u32, String)) {
        let alarm = Alarm { file: Arc::clone(file), line, message };
        self.rules.extend(alarm.denials(layer));
        self.alarms.push(alarm);
    }

    /// The verdict on a resolved skill. Ask it of the catalog's entry, never of what a caller typed
    /// (house rule 3).
    pub fn verdict(&self, skill: &Skill) -> Verdict {
        if self.refusal(skill).is_some() {
            return Verdict::off(Origin::Skill("cannot be offered"));
        }
        let Ruling { value: state, origin } = self.state(skill);
        let user = match self.order.heeds.user && skill.properties.invocation.not_by_user {
            true => Ruling::new(false, Origin::Skill("user-invocable: false")),
            false => Ruling::new(true, origin.clone()),
        };
        let listed = match state {
            Enablement::Off => return Verdict::off(origin),
            Enablement::UserOnly => return Verdict { user, ..Verdict::off(origin) },
            Enablement::NameOnly => Listed::NameOnly,
            Enablement::On => Listed::Full,
        };
        if let Some(word) = self.kept_from_model(skill) {
            return Verdict { user, ..Verdict::off(Origin::Skill(word)) };
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

    /// The finding for which the host does not take this skill at all.
    pub fn refusal(&self, skill: &Skill) -> Option<&'static Check> {
        self.order.profile.refusal(skill)
    }

    /// The skill's own word that keeps it from the model, where the host heeds it.
    fn kept_from_model(&self, skill: &Skill) -> Option<&'static str> {
        let (heeds, said) = (self.order.heeds, skill.properties.invocation);
        let model = heeds.model && said.not_by_model;
        let implicit = heeds.implicit && said.not_implicitly == Some(true);
        model
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

    /// Whether the model may run this skill's scripts, whichever they are. A skill that it may not
    /// load has none to run.
    pub fn script(&self, skill: &Skill) -> Ruling<Permission> {
        self.scripts(skill, None)
    }

    /// Whether this very script may be run with these very arguments (X1).
    pub fn run(&self, skill: &Skill, run: &Run<'_>) -> Ruling<Permission> {
        self.scripts(skill, Some(run))
    }

    fn scripts(&self, skill: &Skill, run: Option<&Run<'_>>) -> Ruling<Permission> {
        let load = self.verdict(skill).model;
        if load.value == Permission::Deny {
            load
        } else {
            self.permission(Tool::SkillScript, skill, run)
        }
    }

    /// Whether the host sees the skill at all: the switch of all, its own switches, then the
    /// allowlists.
    pub fn enablement(&self, skill: &Skill) -> Ruling<bool> {
        let Ruling { value, origin } = self.state(skill);
        Ruling::new(value != Enablement::Off, origin)
    }

    /// How far on the skill is: what [`Policy::enablement`] says, in the host's own states.
    pub fn state(&self, skill: &Skill) -> Ruling<Enablement> {
        if !self.skills_enabled.value {
            return Ruling::new(Enablement::Off, self.skills_enabled.origin.clone());
        }
        let switched = self.switched(skill);
        if switched.value == Enablement::Off {
            return switched;
        }
        match self.allowlists.iter().find(|list| !list.names.contains(&*self.order.name_of(skill)))
        {
            Some(list) => Ruling::new(Enablement::Off, list.origin.clone()),
            None => switched,
        }
    }

    /// Whether a switch is about this skill.
    fn meant(&self, switch: &Switch, skill: &Skill) -> bool {
        let name = self.order.name_of(skill);
        let target = match &switch.target {
            Target::Path(path) => *path == skill.path,
            Target::Beneath(folder) => skill.path.starts_with(folder),
            Target::Name(wanted) => self.order.same(wanted, &name),
            Target::Glob(pattern) => glob(pattern, &name),
            Target::Folder(glob) => skill.locations.iter().any(|place| glob.fits(place)),
        };
        target && switch.within.is_none_or(|scope| scope == skill.scope)
    }

    fn switched(&self, skill: &Skill) -> Ruling<Enablement> {
        let matching = || self.switches.iter().filter(|switch| self.meant(switch, skill));
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

    /// What the rules say to `tool` used with this skill, enablement left aside; `run` is what is
    /// known of the run of a script.
    pub fn permission(
        &self,
        tool: Tool,
        skill: &Skill,
        run: Option<&Run<'_>>,
    ) -> Ruling<Permission> {
        self.permission_as(tool, (skill, &self.subject(skill)), run)
    }

    /// What our own runtime lets the model do with a skill on which this is the verdict: what the
    /// host says, but that no rule by name allows what a repository brings.
    pub fn handed(&self, skill: &Skill, verdict: &Verdict) -> Ruling<Permission> {
        if verdict.model.value != Permission::Allow || !skill.is_brought() {
            return verdict.model.clone();
        }
        let subject = Subject { brought: true, ..self.subject(skill) };
        self.permission_as(Tool::SkillLoad, (skill, &subject), None)
    }

    fn permission_as(
        &self,
        tool: Tool,
        (skill, subject): (&Skill, &Subject<'_>),
        run: Option<&Run<'_>>,
    ) -> Ruling<Permission> {
        let ruling = self.permission_of(tool, subject, run);
        let wants_tools = self.order.asks_for_tools && !skill.properties.allowed_tools.is_empty();
        if wants_tools && ruling == *self.default_for(tool) && ruling.value == Permission::Allow {
            return Ruling::new(Permission::Ask, Origin::Skill("allowed-tools"));
        }
        ruling
    }

    /// What the rules would say to such a skill: for testing a name on the rules screen, and for
    /// planning. Whoever has a skill asks [`Policy::verdict`] instead.
    pub fn permission_of(
        &self,
        tool: Tool,
        subject: &Subject<'_>,
        run: Option<&Run<'_>>,
    ) -> Ruling<Permission> {
        match self.decider(tool, subject, run).and_then(|index| self.rules.get(index)) {
            Some(rule) => Ruling::new(rule.effect, rule.origin.clone()),
            None => self.default_for(tool).clone(),
        }
    }

    /// What holds for `tool` where no rule speaks.
    pub fn default_for(&self, tool: Tool) -> &Ruling<Permission> {
        match tool {
            Tool::SkillLoad => &self.defaults.load,
            Tool::SkillScript => &self.defaults.script,
        }
    }

    /// Whether a rule is only shown: it comes from a layer that may only tighten, and would loosen.
    pub fn ignored(&self, rule: &Rule) -> bool {
        rule.effect == Permission::Allow && self.order.tighten_only(rule.layer)
    }

    /// The index of the rule that decides what `tool` may do with such a skill, in this run of one
    /// of its scripts; nothing if the default does.
    pub fn decider(
        &self,
        tool: Tool,
        subject: &Subject<'_>,
        run: Option<&Run<'_>>,
    ) -> Option<usize> {
        let heard =
            |rule: &Rule| rule.covers(tool, subject) && rule.holds(run) && rule.reaches(subject);
        let matching = |index: &usize| self.rules.get(*index).is_some_and(heard);
        let heard: Vec<usize> = (0..self.rules.len()).filter(matching).collect();
        if let Some(alarm) = heard.iter().copied().find(|index| self.rules[*index].is_alarm()) {
            return Some(alarm);
        }
        let (theirs, own): (Vec<_>, Vec<_>) =
            heard.into_iter().partition(|index| self.order.tighten_only(self.rules[*index].layer));
        let own = self.strongest(&own);
        let theirs: Vec<_> =
            theirs.into_iter().filter(|index| !self.ignored(&self.rules[*index])).collect();
        let effects: Vec<_> = theirs.iter().map(|index| self.rules[*index].effect).collect();
        let theirs = Order::Strictest.evaluate(&effects).map(|index| theirs[index]);
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

    fn strongest(&self, indices: &[usize]) -> Option<usize> {
        let effects: Vec<_> = indices.iter().map(|index| self.rules[*index].effect).collect();
        self.order.rules.evaluate(&effects).map(|index| indices[index])
    }
}

#[cfg(test)]
mod tests;
