//! A change of settings: what a person wants, the rule that is wanted, and the plan, which goes
//! from the planner over the question on the screen to the writer.

use super::Verdict;
use super::{Bound, Layer, Origin, Pattern, Policy, Rule, Ruling, Runs, SampleRun, Subject, Tool};
use crate::catalog::{Enablement, HostId, Permission, Skill};
use crate::inert;
pub use crate::text::diff::FileChange;
use crate::text::{DiffKind, SafeText};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a person wants to be true of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeRequest {
    /// Set these skills to an enablement.
    Switch {
        /// The canonical paths of their `SKILL.md`.
        paths: Vec<Arc<Path>>,
        /// [`Enablement::Off`] means the lowest that the host has.
        to: Enablement,
    },
    /// Set what the model may do with skills that match a pattern.
    Permit(NewRule),
    /// Give each file these rules in place of those that the view has. What another program has
    /// written since then stays.
    SetRules(Vec<(Layer, Vec<NewRule>)>),
}

impl Default for ChangeRequest {
    /// A request that changes nothing.
    fn default() -> Self {
        Self::SetRules(Vec::new())
    }
}

/// What a change would write, judged as if it were written.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What it does, in a few words; has other people's text.
    pub label: String,
    /// What it is to make true.
    pub request: ChangeRequest,
    /// What a switch or a rule comes to, for every host that it concerns.
    pub outcome: Vec<HostOutcome>,
    /// Empty if nothing has to be changed.
    pub files: Vec<PlannedFile>,
    pub effects: Vec<PlannedEffect>,
    /// The rules that ask or deny by name and that a rule for one skill replaces.
    pub replaced: Vec<Origin>,
    /// The name, if other skills of it are asked for because of a rule for one skill.
    pub asked: Option<String>,
    /// The hosts that have nothing to change, so that the skills stay as they are for them.
    pub left_out: Vec<HostId>,
    /// Whether the diff is shown before anything is written: the change touches a repository's
    /// file, several files, or is a rule set, or its outcome is more than the label says.
    pub ask: bool,
    /// When it takes effect, where that is not at once.
    pub later: Option<String>,
    /// The same change in other settings files, which a person may choose in its place.
    pub instead: Vec<Plan>,
}

impl Plan {
    /// The outcome where it is more than the label says: for one skill all of it, so that the hosts
    /// can be compared, and for several only what is more.
    pub fn told(&self) -> impl Iterator<Item = &HostOutcome> {
        let several =
            matches!(&self.request, ChangeRequest::Switch { paths, .. } if paths.len() > 1);
        let more = |outcome: &HostOutcome| !outcome.expected;
        let whole = !several && self.outcome.iter().any(more);
        self.outcome.iter().filter(move |outcome| whole || more(outcome))
    }

    /// What a person should know of a rule for one skill besides what it allows.
    pub fn notes(&self) -> impl Iterator<Item = SafeText> {
        let replaced = self.replaced.iter().map(|origin| inert!("it replaces {}", origin.shown()));
        let asked = self.asked.iter();
        replaced.chain(asked.map(|name| inert!("other skills named '{}' are asked for", &**name)))
    }

    /// Whose files it changes, each kind once.
    pub fn kinds(&self) -> Vec<FileKind> {
        let mut kinds: Vec<FileKind> = self.files.iter().map(|file| file.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }
}

/// What a change comes to for the hosts of which the same is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostOutcome {
    pub hosts: Vec<HostId>,
    /// The names of the skills that it is about; empty if it is about all that were chosen.
    pub skills: Vec<String>,
    /// What happens, or why nothing does; quotes settings.
    pub words: String,
    /// The folders of the copies that the words are about.
    pub copies: Vec<PathBuf>,
    /// Whether that is what the label says, and no more.
    pub expected: bool,
}

impl HostOutcome {
    /// `codex, pi: off`, and a line for each copy.
    pub fn lines(&self) -> Vec<SafeText> {
        let hosts = SafeText::join(self.hosts.iter().map(|host| host.word()), ", ");
        let skills = self.skills.iter().map(|name| SafeText::line(name));
        let head = match self.skills.is_empty() {
            true => inert!("{}: {}", hosts, self.words),
            false => inert!("{}: {}: {}", hosts, SafeText::join(skills, ", "), self.words),
        };
        let copies = self.copies.iter().map(|copy| inert!("  {}", copy));
        std::iter::once(head).chain(copies).collect()
    }
}

#[derive(Clone, Debug)]
pub struct PlannedEffect {
    pub host: HostId,
    pub skill: Arc<Skill>,
    pub before: Verdict,
    /// As it would be.
    pub after: Verdict,
    /// Enablement before and after, in the host's own states.
    pub states: (Enablement, Enablement),
}

/// Whose a settings file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// The person's own, for every repository.
    User,
    /// In a repository, which ignores it.
    Ignored,
    /// The person's own in a repository, which does not ignore it yet.
    Local,
    /// The repository's: committed, or to be committed.
    Project,
}

impl FileKind {
    /// The value of `--in` that means it.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Ignored | Self::Local => "local",
            Self::Project => "project",
        }
    }

    /// What it is, for a question.
    pub fn words(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Ignored => "local, ignored by git",
            Self::Local => "local, not ignored by git",
            Self::Project => "project, committed",
        }
    }
}

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    /// Which host reads it.
    pub host: HostId,
    pub layer: Layer,
    pub kind: FileKind,
    pub change: FileChange,
    /// The line that the change is about, from 1.
    pub line: u32,
}

impl PlannedFile {
    /// The line to look at, from 1; `None` if lines were only removed.
    pub fn mark(&self) -> Option<u32> {
        self.change.diff().iter().any(|line| line.kind == DiffKind::Added).then_some(self.line)
    }
}

/// A rule as it is to stand in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    pub effect: Permission,
    pub tool: Tool,
    pub pattern: Pattern,
    /// Which runs of the skills' scripts; [`Runs::ANY`] in a rule about loading.
    pub runs: Runs,
    /// The one skill that an allow rule is bound to.
    pub bound: Option<Bound>,
}

impl NewRule {
    /// What a rule of a policy says. Only a rule that allows is bound.
    pub fn of(rule: &Rule) -> Self {
        let Rule { effect, tool, pattern, runs, .. } = rule.clone();
        Self { effect, tool, pattern, runs, bound: rule.bound_to().cloned() }
    }

    /// What a policy decides for the rule's subject.
    pub fn weighed(&self, policy: &Policy) -> Ruling<Permission> {
        let (name, sample) =
            (self.pattern.sample(), SampleRun::of(&self.runs, self.bound.as_ref()));
        let named = policy.named(&name);
        let subject = match &self.bound {
            // A rule that is bound to files also allows a skill that a repository brings.
            Some(Bound { path, digest }) => {
                let files = digest.as_deref();
                Subject { path: Some(path), brought: files.is_some(), files, ..named }
            }
            None => named,
        };
        policy.permission_of(self.tool, &subject, sample.as_ref().map(SampleRun::run).as_ref())
    }

    /// Whether it is about a skill's name, as this host takes names.
    pub fn names(&self, policy: &Policy, skill: &Skill) -> bool {
        policy.subject(skill).is_named_by(&self.pattern, self.effect)
    }

    /// Whether it is the same rule as one of a policy.
    pub fn is(&self, rule: &Rule) -> bool {
        (rule.tool, rule.effect) == (self.tool, self.effect)
            && (&rule.pattern, &rule.runs, &rule.bound) == (&self.pattern, &self.runs, &self.bound)
    }
}

/// Why a change is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such file to write: no home directory, or no repository.
    NoPlace(Layer),
    /// The file has a fault, so that it is not edited; or the host stops at a part of it, whatever
    /// it says about skills.
    Stopped {
        layer: Layer,
        /// The line of the first fault, from 1.
        line: u32,
        /// The file; other people's text.
        file: PathBuf,
        /// May quote the file.
        why: String,
    },
    Unreadable {
        layer: Layer,
        /// The file; other people's text.
        file: PathBuf,
        why: String,
    },
    /// The change would have no effect, since another setting decides.
    Blocked {
        by: Origin,
        /// Whether that switches the skill off; otherwise a rule or default decides.
        off: bool,
    },
    /// The extension that brings the skill is off here, which only the host's program changes.
    ExtensionOff {
        by: Origin,
        /// The command that enables it; other people's text.
        command: String,
    },
    /// No edit of the file has the wanted result.
    NoEdit,
    /// The host ignores this file, so writing to it would change nothing.
    Ignored { layer: Layer, why: &'static str },
    /// The skill's path is not UTF-8, but settings are.
    Path,
    /// What the host lacks.
    Lacks(&'static str),
    /// The host has no switch for a skill that only its program knows; what comes nearest to one.
    NoSwitch { nearest: &'static str },
    /// The host would expand a part of this text; other people's text.
    Expanded(String),
    /// A new allowlist must name all skills that stay on, but some folder could not be read.
    Unread,
    /// Only a file that is committed with a repository can say it, and nobody has chosen that file.
    Committed {
        /// Which one it is for the host: a person's own may lie in a repository too.
        layer: Layer,
        /// The file; other people's text.
        file: PathBuf,
    },
    /// The host has no file of a person's own in a repository, and git does not ignore the one that
    /// it has there.
    NotIgnored {
        /// The file; other people's text.
        file: PathBuf,
    },
    /// The change would also switch another skill, for example because the host takes the name for
    /// a pattern.
    Others {
        /// Other people's text.
        name: String,
        /// The plugin that is switched as a whole, if that is why; other people's text.
        plugin: Option<String>,
    },
}

impl Refusal {
    /// Whether the host has no means for the change. Through several hosts it is left as it is
    /// then.
    pub fn is_lack(&self) -> bool {
        matches!(
            self,
            Self::Lacks(_)
                | Self::NoSwitch { .. }
                | Self::Expanded(_)
                | Self::NoPlace(_)
                | Self::Ignored { .. }
                | Self::Committed { .. }
                | Self::NotIgnored { .. }
        )
    }
}
