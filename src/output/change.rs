//! `enable`, `disable`, `permit`, `undo`: what a change of settings writes, and whose verdict it
//! changes.

use super::Out;
use super::skill::{VERSION, VerdictRow, lossy};
use crate::catalog::HostId;
use crate::inert;
use crate::policy::{Bound, Layer, ScriptPath};
use crate::text::SafeText;
use crate::workspace::edit::{Left, NewRule, Plan, PlannedFile, Undone};
use crate::workspace::{TakesEffect, View};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;

/// A change of settings, made or only worked out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangeDocument<'a> {
    /// 1.
    version: u32,
    /// What it does, in a few words.
    label: &'a str,
    /// The rule, of `permit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<RuleRow>,
    /// Whether it was written; not with `--dry-run`, nor where everything was so already.
    written: bool,
    /// The settings files that it changes.
    files: Vec<FileRow<'a>>,
    /// The skills whose verdict changes.
    effects: Vec<EffectRow<'a>>,
    /// The hosts that have nothing to change: for them the skills stay as they are.
    left_out: Vec<&'static str>,
}

/// A permission rule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleRow {
    /// `allow`, `ask` or `deny`.
    effect: &'static str,
    /// `skill_load` or `skill_script`.
    tool: &'static str,
    /// A name, or a beginning and `*`; absent where the rule is about every skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_name: Option<String>,
    /// The `SKILL.md` of the one skill to which an allow rule is bound; absent where the rule goes
    /// by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// `sha256:` and 64 hex digits: the skill's files, to which a rule about scripts is bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// The script, relative to the skill, or a beginning and `*`; absent where the rule is about
    /// each.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// The exact arguments; absent where the rule is about any.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
}

impl RuleRow {
    fn of(rule: &NewRule) -> Self {
        Self {
            effect: rule.effect.word(),
            tool: rule.tool.word(),
            skill_name: rule.pattern.text(),
            path: rule.bound.as_ref().map(|bound| lossy(&bound.path).into_owned()),
            digest: rule.bound.as_ref().and_then(Bound::digest_word),
            script: rule.runs.script.as_ref().map(ScriptPath::text),
            args: rule.runs.arguments.clone(),
        }
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
    /// The line that the change is about.
    line: u32,
    /// When the host heeds it: `now`, `in a new session`, `after /skills reload`.
    takes_effect: String,
    /// Where the host heeds it, if that is not everywhere in the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
    /// The unified diff.
    diff: String,
}

/// A skill whose verdict changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EffectRow<'a> {
    /// For which host.
    host: &'static str,
    /// Its name.
    name: &'a str,
    /// Path of its SKILL.md.
    path: Cow<'a, str>,
    /// As it was.
    before: VerdictRow<'a>,
    /// As it is, or would be.
    after: VerdictRow<'a>,
}

impl<'a> ChangeDocument<'a> {
    /// The document of a plan.
    pub fn of(view: &'a View, plan: &'a Plan, written: bool) -> Self {
        let files = plan.files.iter().map(|file| FileRow {
            host: file.host.word(),
            path: lossy(&file.change.path),
            layer: file.layer.word(),
            line: file.line,
            takes_effect: effect_of(view, file.host).as_str().to_owned(),
            remark: remark(view, file),
            diff: file.diff().iter().flat_map(|line| [line.text.as_str(), "\n"]).collect(),
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
        let rule = plan.rule.as_ref().map(RuleRow::of);
        Self { version: VERSION, label: &plan.label, rule, written, files, effects, left_out }
    }
}

/// A change of settings, or a share, that was taken back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UndoDocument<'a> {
    /// 1.
    version: u32,
    /// What had been done, in a few words.
    label: &'a str,
    /// The settings files that are as they were before; of a share the link or copy.
    files: Vec<Cow<'a, str>>,
    /// Newer changes that cannot be taken back and stay, the newest first.
    left: Vec<LeftRow<'a>>,
}

/// A change that cannot be taken back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct LeftRow<'a> {
    /// What had been done, in a few words; absent where that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    /// The settings file, link or copy that is in the way.
    file: Cow<'a, str>,
    /// Why it cannot be taken back.
    why: String,
}

impl<'a> UndoDocument<'a> {
    /// The document of what was taken back.
    pub fn of(undone: &'a Undone) -> Self {
        let left = undone.left.iter().map(|left| LeftRow {
            label: left.label.as_deref(),
            file: lossy(left.why.path()),
            why: left.why.to_string(),
        });
        Self {
            version: VERSION,
            label: &undone.change.label,
            files: undone.change.paths().map(lossy).collect(),
            left: left.collect(),
        }
    }
}

/// A change that cannot be taken back, and why.
pub fn left_behind(left: &Left) -> SafeText {
    let path = SafeText::path(left.why.path());
    let why = SafeText::line(&left.why.to_string());
    match &left.label {
        Some(label) => inert!("{}: {}: {}", SafeText::line(label), path, why),
        None => inert!("{}: {}", path, why),
    }
}

/// Prints what a plan would write.
///
/// # Errors
/// Those of stdout.
pub fn print_diff(out: &mut Out, plan: &Plan) -> io::Result<()> {
    for file in &plan.files {
        for line in file.diff() {
            out.line(&SafeText::clean(&line.text))?;
        }
    }
    Ok(())
}

/// Names the files before they are written, where one change is of several.
pub fn announce(out: &mut Out, plan: &Plan) {
    out.say(&inert!("{}: {} files change:", SafeText::line(&plan.label), plan.files.len()));
    for file in &plan.files {
        out.add(&inert!("{}  {}", file.host.word(), SafeText::path(&file.change.path)));
    }
}

/// Tells what was written and where, and when the hosts heed it.
pub fn tell(out: &mut Out, view: &View, plan: &Plan) {
    let label = SafeText::line(&plan.label);
    if plan.files.is_empty() {
        out.say(&inert!("{}: so already, nothing to write", label));
    }
    for file in &plan.files {
        let whose = match file.layer {
            Layer::Project => " (the repository's)",
            Layer::Local => " (your own in this repository)",
            Layer::User | Layer::Managed => "",
        };
        let whose = remark(view, file)
            .map_or(SafeText::fixed(whose), |remark| inert!(" ({})", SafeText::line(remark)));
        let path = SafeText::path(&file.change.path);
        out.say(&match file.mark() {
            Some(line) => inert!("{}: {}:{}{}", label, path, line, whose),
            None => inert!("{}: {}{}", label, path, whose),
        });
        if file.layer == Layer::Local && file.change.old.is_none() {
            out.add(&SafeText::fixed("a new file: git shows it unless it is told to ignore it"));
        }
        let when = effect_of(view, file.host);
        out.add(&match view.host_contexts.len() {
            1 => inert!("takes effect: {}", when),
            _ => inert!("takes effect in {}: {}", host_name(view, file.host), when),
        });
    }
}

/// Tells for which hosts everything stays as it is, and why.
pub fn tell_left_out(out: &mut Out, view: &View, plan: &Plan, switch: bool) {
    for host_context in view
        .host_contexts
        .iter()
        .filter(|host_context| plan.left_out.contains(&host_context.host.id))
    {
        let why =
            if switch { "it has no switch for one skill" } else { "it has no rules for one skill" };
        out.say(&inert!("{} is left out: {}", host_context.host.name, why));
    }
}

/// When the host heeds a file, where that is not always.
fn remark<'a>(view: &'a View, file: &PlannedFile) -> Option<&'a str> {
    let host_context =
        view.host_contexts.iter().find(|host_context| host_context.host.id == file.host)?;
    let read =
        host_context.reading.files.iter().find(|read| read.location.path == file.change.path)?;
    read.location.remark.as_deref()
}

fn host_name(view: &View, host: HostId) -> &'static str {
    view.host_contexts
        .iter()
        .find(|host_context| host_context.host.id == host)
        .map_or("", |host_context| host_context.host.name)
}

fn effect_of(view: &View, host: HostId) -> SafeText {
    let host_context = view.host_contexts.iter().find(|host_context| host_context.host.id == host);
    host_context
        .map_or_else(SafeText::default, |host_context| effect(host_context.host.takes_effect))
}

/// When a change of a host's settings takes effect, in words.
pub(super) fn effect(when: TakesEffect) -> SafeText {
    SafeText::line(&when.words())
}
