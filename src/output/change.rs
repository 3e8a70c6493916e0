//! `enable`, `disable`, `permit`: what a change of settings writes, and which verdicts it changes.

use super::Out;
use super::parts::{VerdictRow, lossy};
use crate::catalog::HostId;
use crate::inert;
use crate::policy::change::{FileKind, HostOutcome};
use crate::policy::{Bound, Layer, Pattern, Runs, ScriptPath, Tool};
use crate::text::SafeText;
use crate::workspace::edit::{ChangeRequest, NewRule, Plan, PlannedFile};
use crate::workspace::{TakesEffect, View};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// A change of settings, written or only planned.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangeDocument<'a> {
    /// What the change does, in a few words.
    label: &'a str,
    /// The rule that `permit` adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<RuleRow>,
    /// Whether it was written: false with `--dry-run`, or if nothing had to change.
    written: bool,
    /// The settings files that it changes.
    files: Vec<FileRow<'a>>,
    /// The skills whose verdict changes.
    effects: Vec<EffectRow<'a>>,
    /// What the change comes to for each host that it concerns: the same lines as in the text.
    outcome: Vec<OutcomeRow<'a>>,
    /// The hosts for which nothing changes.
    left_out: Vec<&'static str>,
}

/// What a change comes to for the hosts of which the same is true.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutcomeRow<'a> {
    /// The hosts.
    hosts: Vec<&'static str>,
    /// The names of the skills that it is about; absent if it is about all that were chosen.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    skills: &'a [String],
    /// What happens, or why nothing does.
    words: &'a str,
    /// The folders of the copies that the words are about.
    copies: Vec<Cow<'a, str>>,
    /// Whether that is what `label` says, and no more.
    expected: bool,
}

impl<'a> OutcomeRow<'a> {
    fn of(outcome: &'a HostOutcome) -> Self {
        Self {
            hosts: outcome.hosts.iter().map(|host| host.word()).collect(),
            skills: &outcome.skills,
            words: &outcome.words,
            copies: outcome.copies.iter().map(|copy| lossy(copy)).collect(),
            expected: outcome.expected,
        }
    }
}

/// A permission rule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleRow {
    /// `allow`, `ask` or `deny`.
    effect: &'static str,
    #[serde(flatten)]
    covered: CoveredRow,
}

/// What a permission rule covers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct CoveredRow {
    /// `skill_load` or `skill_script`.
    tool: &'static str,
    /// A name, or a prefix and `*`; absent if the rule covers every skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_name: Option<String>,
    /// The `SKILL.md` of the one skill that the rule covers; absent if the rule matches by
    /// name.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// `sha256:` and 64 hex digits: the rule holds only while the skill's files match.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// The script's path relative to the skill, or a prefix and `*`; absent if the rule covers
    /// every script.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// The exact arguments; absent if any arguments match.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
}

impl CoveredRow {
    pub(super) fn of(tool: Tool, pattern: &Pattern, runs: &Runs, bound: Option<&Bound>) -> Self {
        Self {
            tool: tool.word(),
            skill_name: pattern.text(),
            path: bound.map(|bound| lossy(&bound.path).into_owned()),
            digest: bound.and_then(Bound::digest_word),
            script: runs.script.as_ref().map(ScriptPath::text),
            args: runs.arguments.clone(),
        }
    }
}

impl RuleRow {
    fn of(rule: &NewRule) -> Self {
        let NewRule { effect, tool, pattern, runs, bound } = rule;
        let covered = CoveredRow::of(*tool, pattern, runs, bound.as_ref());
        Self { effect: effect.word(), covered }
    }
}

/// A settings file that changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileRow<'a> {
    /// The host that reads it.
    host: &'static str,
    /// The file.
    path: Cow<'a, str>,
    /// `user`, `project` or `local`.
    layer: &'static str,
    /// Whose file it is: `user`; `local` if it is the person's own in the repository, or git ignores
    /// it; `project` if it is committed with the repository.
    kind: &'static str,
    /// The line of the switch or rule that changes, from 1.
    line: u32,
    /// When the change takes effect: `now`, `in a new session`, `after /skills reload`.
    takes_effect: String,
    /// Where in the repository the host reads this file, if not everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
    /// The unified diff.
    diff: String,
}

/// A skill whose verdict changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EffectRow<'a> {
    /// The host whose verdict changes.
    host: &'static str,
    /// Its name.
    name: &'a str,
    /// Path of its SKILL.md.
    path: Cow<'a, str>,
    /// The verdict before the change.
    before: VerdictRow,
    /// The verdict after the change.
    after: VerdictRow,
}

impl<'a> ChangeDocument<'a> {
    pub fn of(view: &'a View, plan: &'a Plan, written: bool) -> Self {
        let files = plan.files.iter().map(|file| FileRow {
            host: file.host.word(),
            path: lossy(&file.change.path),
            layer: file.layer.word(),
            kind: file.kind.word(),
            line: file.line,
            takes_effect: effect_of(view, file.host).as_str().to_owned(),
            remark: remark(view, file),
            diff: file.change.diff().iter().flat_map(|line| [line.text.as_str(), "\n"]).collect(),
        });
        let effects = plan.effects.iter().map(|effect| EffectRow {
            host: effect.host.word(),
            name: &effect.skill.name,
            path: lossy(&effect.skill.path),
            before: VerdictRow::of(&effect.before),
            after: VerdictRow::of(&effect.after),
        });
        let left_out = plan.left_out.iter().map(|host| host.word()).collect();
        let (files, effects) = (files.collect(), effects.collect());
        let rule = match &plan.request {
            ChangeRequest::Permit(rule) => Some(RuleRow::of(rule)),
            ChangeRequest::Switch { .. } | ChangeRequest::SetRules(_) => None,
        };
        let outcome = plan.outcome.iter().map(OutcomeRow::of).collect();
        Self { label: &plan.label, rule, written, files, effects, outcome, left_out }
    }
}

/// The command lines that start a session in which skills are off (`--emit launch`).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LaunchDocument {
    /// One for each host whose program has such an option.
    lines: Vec<LaunchRow>,
}

/// The command line for one host.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LaunchRow {
    /// The host.
    pub host: &'static str,
    /// The command line for a shell.
    pub line: String,
}

impl LaunchDocument {
    pub fn of(lines: Vec<LaunchRow>) -> Self {
        Self { lines }
    }
}

/// Names the files before they are written, for a change of several files.
pub fn announce(out: &mut Out, plan: &Plan) {
    out.say(inert!("{}: {} files change:", plan.label, plan.files.len()));
    for file in &plan.files {
        out.add(inert!("{}  {}", file.host.word(), file.change.path));
    }
}

/// Reports what was written where, and when it takes effect.
pub fn report(out: &mut Out, view: &View, plan: &Plan) {
    if plan.files.is_empty() {
        out.say(inert!("{}: so already, nothing to write", plan.label));
    }
    let mut contexts = view.host_contexts.iter().map(|there| &there.reading.context);
    let in_repository = contexts.any(|context| context.repo_root.is_some());
    for file in &plan.files {
        let whose = match file.kind {
            FileKind::Project if file.layer == Layer::User => " (your own, kept in a repository)",
            FileKind::Project => " (the repository's)",
            FileKind::Local | FileKind::Ignored if !in_repository => {
                " (only for sessions from this folder; everywhere: --in user)"
            }
            FileKind::Local | FileKind::Ignored => " (your own in this repository)",
            FileKind::User => "",
        };
        let whose =
            remark(view, file).map_or(SafeText::fixed(whose), |remark| inert!(" ({})", remark));
        out.say(match file.mark() {
            Some(line) => inert!("{}: {}:{}{}", plan.label, file.change.path, line, whose),
            None => inert!("{}: {}{}", plan.label, file.change.path, whose),
        });
        let is_new = file.kind == FileKind::Local && file.change.before.is_none();
        if is_new && in_repository {
            out.add("a new file: git shows it unless it is told to ignore it");
        }
        let when = effect_of(view, file.host);
        out.add(match view.host_contexts.len() {
            1 => inert!("takes effect: {}", when),
            _ => {
                let name = view.host_context(file.host).map_or("", |there| there.host.name);
                inert!("takes effect in {}: {}", name, when)
            }
        });
    }
}

/// Says what the change comes to for every agent, and for every copy of which another thing is true
/// than of the chosen skill. With one agent only if that is more than the label says.
pub fn outcome(out: &mut Out, view: &View, plan: &Plan) {
    let several = view.host_contexts.len() > 1;
    let mut told = plan.outcome.iter().filter(|told| several || !told.expected).peekable();
    if told.peek().is_some() {
        out.say(inert!("{}, by agent:", plan.label));
        told.flat_map(HostOutcome::lines).for_each(|line| out.add(line));
    }
}

/// When the host reads a file, if not always.
fn remark<'a>(view: &'a View, file: &PlannedFile) -> Option<&'a str> {
    let files = &view.host_context(file.host)?.reading.files;
    let read = files.iter().find(|read| read.location.path == file.change.path)?;
    read.location.remark.as_deref()
}

fn effect_of(view: &View, host: HostId) -> SafeText {
    view.host_context(host).map_or_else(SafeText::default, |there| effect(there.host.takes_effect))
}

/// When a change of a host's settings takes effect, in words.
pub(super) fn effect(when: TakesEffect) -> SafeText {
    SafeText::line(&when.words())
}
