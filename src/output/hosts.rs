//! `hosts`: the agents on this machine, their folders and their settings files.

use super::Out;
use super::change::effect;
use super::parts::{exact, lossy};
use super::skill::RootRow;
use crate::catalog::{Enablement, HostId, RootReport, RootState};
use crate::inert;
use crate::policy::Tally;
use crate::text::SafeText;
use crate::workspace::{FileState, FileSurvey, HostSurvey, MentionForm, Proof, ToldBy};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;

/// The agents on this machine, or all known agents.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HostsDocument<'a> {
    /// The agents.
    hosts: Vec<HostRow<'a>>,
}

/// One agent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HostRow<'a> {
    /// The word for `--host`.
    id: &'static str,
    /// Its display name.
    name: &'static str,
    /// Whether it is on this machine; always true for `agents`, which is no program.
    detected: bool,
    /// Its program, as found on PATH.
    program: Option<Cow<'a, str>>,
    /// Its version.
    version: Option<String>,
    /// Where the version was read: `package` (the file beside the program) or `program`.
    version_from: Option<&'static str>,
    /// Why the program did not print its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version_failure: Option<&'a str>,
    /// The evidence for our model of it: `program`, `source` or `documentation`.
    proof: &'static str,
    /// The version for which the evidence holds.
    proved_for: Option<&'static str>,
    /// Whether the installed version is newer than `proved_for`.
    unproved: bool,
    /// The folders that it searches, in its order.
    roots: Vec<RootRow<'a>>,
    /// Number of skills in them, each counted once.
    skills: usize,
    /// Number of those that it refuses.
    refused: usize,
    /// Its settings files, lowest layer first.
    files: Vec<SettingsRow<'a>>,
    /// How a person calls a skill in its prompt.
    mention: String,
    /// What it does with two skills of the same name.
    duplicates: &'static str,
    /// The states that its settings have for one skill; empty if it has no such setting.
    states: Vec<Enablement>,
    /// The effects of its rules for one skill; empty if it has no rules.
    rules: Vec<&'static str>,
    /// The values of `--in` that it supports.
    layers: Vec<&'static str>,
    /// When a change takes effect.
    takes_effect: String,
    /// What its program also shows and we cannot see.
    unseen: &'static str,
}

/// One settings file of an agent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SettingsRow<'a> {
    /// Its path, also if it does not exist.
    path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// Its layer: `user`, `project`, `local` or `managed`.
    layer: &'static str,
    /// What it is for.
    role: &'static str,
    /// `missing`, `read` or `broken`.
    state: &'static str,
    /// The line at which parsing failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// Why the agent ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored: Option<&'static str>,
    /// When the agent reads it, if not always.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
    /// Whether skillpick may write it.
    writable: bool,
}

impl<'a> SettingsRow<'a> {
    fn of(file: &'a FileSurvey) -> Self {
        let (state, line, message) = match &file.state {
            FileState::Missing => ("missing", None, None),
            FileState::Read => ("read", None, None),
            FileState::Broken { line, reason } => ("broken", Some(*line), Some(reason.as_str())),
            FileState::Unreadable { reason } => ("broken", None, Some(reason.as_str())),
        };
        Self {
            path: lossy(&file.path),
            path_b64: exact(&file.path),
            layer: file.layer.word(),
            role: file.role,
            state,
            line,
            message,
            ignored: file.ignored,
            remark: file.remark.as_deref(),
            writable: file.writable,
        }
    }
}

impl<'a> HostRow<'a> {
    fn of(survey: &'a HostSurvey) -> Self {
        let host = survey.host;
        let installed = survey.installed.as_ref();
        let version = installed.and_then(|installed| installed.version.as_ref());
        let (version_from, version_failure) = match &survey.told_by {
            ToldBy::Nobody => (None, None),
            ToldBy::Package => (Some("package"), None),
            ToldBy::Program => (Some("program"), None),
            ToldBy::Silent(why) => (None, Some(why.as_str())),
        };
        Self {
            id: host.id.word(),
            name: host.name,
            detected: is_here(survey),
            program: installed.and_then(|installed| installed.program.as_deref()).map(lossy),
            version: version.map(ToString::to_string),
            version_from,
            version_failure,
            proof: match host.proof {
                Proof::Program(_) => "program",
                Proof::Source(_) => "source",
                Proof::Documentation => "documentation",
            },
            proved_for: host.proof.version(),
            unproved: host.unproved(installed).is_some(),
            roots: RootRow::of(&survey.roots),
            skills: survey.tally.skills,
            refused: survey.tally.refused,
            files: survey.files.iter().map(SettingsRow::of).collect(),
            mention: mention(host.mention).as_str().to_owned(),
            duplicates: duplicates(survey),
            states: host.control.states.to_vec(),
            rules: host.evaluation.forms.effects().iter().map(|effect| effect.word()).collect(),
            layers: host.control.layers.iter().map(|layer| layer.word()).collect(),
            takes_effect: effect(host.takes_effect).as_str().to_owned(),
            unseen: host.unseen(),
        }
    }
}

impl<'a> HostsDocument<'a> {
    pub fn of(hosts: &'a [HostSurvey]) -> Self {
        Self { hosts: hosts.iter().map(HostRow::of).collect() }
    }
}

/// The plain standard (`agents`) is no program, so it is always on this machine.
fn is_here(survey: &HostSurvey) -> bool {
    survey.installed.is_some() || survey.host.id == crate::catalog::HostId::AGENTS
}

fn duplicates(survey: &HostSurvey) -> &'static str {
    use crate::workspace::Duplicates;
    match survey.host.duplicates {
        Duplicates::Ambiguous => "ambiguous",
        Duplicates::First => "first",
        Duplicates::Last => "last",
        Duplicates::Random => "random",
    }
}

fn mention(form: MentionForm) -> SafeText {
    match form {
        MentionForm::Dollar { link: true } => SafeText::fixed("$name, [$name](path)"),
        MentionForm::Dollar { link: false } => SafeText::fixed("$name"),
        MentionForm::Start(sign) => inert!("{}name at the start", sign),
        MentionForm::Prose(before, after) => inert!("{}name{}", before, after),
    }
}

/// Prints one block for each agent.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, hosts: &[HostSurvey]) -> io::Result<()> {
    for (index, survey) in hosts.iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        block(out, survey)?;
    }
    Ok(())
}

fn block(out: &mut Out, survey: &HostSurvey) -> io::Result<()> {
    let host = survey.host;
    let installed = survey.installed.as_ref();
    let version = installed.and_then(|installed| installed.version.as_ref());
    let version =
        version.map_or_else(SafeText::default, |version| inert!(" {}", version.to_string()));
    let absent = if is_here(survey) { "" } else { "  (not on this machine)" };
    out.line(inert!("{}  {}{}{}", host.id.word(), host.name, version, absent))?;
    if let Some(program) = installed.and_then(|installed| installed.program.as_deref()) {
        let note = match &survey.told_by {
            ToldBy::Silent(why) => inert!(" (version unknown: {})", why),
            ToldBy::Nobody | ToldBy::Package | ToldBy::Program => SafeText::default(),
        };
        fact(out, "program", &inert!("{}{}", program, note))?;
    }
    fact(out, "proved", &proved(survey))?;
    for (number, report) in survey.roots.iter().enumerate() {
        fact(out, if number == 0 { "roots" } else { "" }, &root(report))?;
    }
    fact(out, "skills", &skills(survey.tally))?;
    for (number, file) in survey.files.iter().enumerate() {
        fact(out, if number == 0 { "settings" } else { "" }, &settings(file))?;
    }
    fact(out, "mention", &mention(host.mention))?;
    fact(out, "effect", &effect(host.takes_effect))?;
    if host.unseen().is_empty() {
        Ok(())
    } else {
        fact(out, "unseen", &SafeText::fixed(host.unseen()))
    }
}

/// `35, 2 of them refused`; one that lies in two folders counts once.
fn skills(tally: Tally) -> SafeText {
    match tally {
        Tally { skills, refused: 0, .. } => inert!("{}", skills),
        Tally { skills, refused, .. } => inert!("{}, {} of them refused", skills, refused),
    }
}

fn fact(out: &mut Out, about: &'static str, text: &SafeText) -> io::Result<()> {
    out.line(inert!("  {}  {}", SafeText::fixed(about).pad("settings".len()), text))
}

fn proved(survey: &HostSurvey) -> SafeText {
    let how = match survey.host.proof {
        Proof::Program(version) => inert!("by its own program, {}", version),
        Proof::Source(version) => inert!("by its source, {}", version),
        Proof::Documentation if survey.host.id == HostId::AGENTS => {
            SafeText::fixed("our own settings")
        }
        Proof::Documentation => SafeText::fixed("by its documentation"),
    };
    match survey.host.unproved(survey.installed.as_ref()) {
        Some((version, _)) => {
            inert!("{}; the installed {} is newer", how, version)
        }
        None => how,
    }
}

fn root(report: &RootReport) -> SafeText {
    let state = match &report.state {
        RootState::Read if report.found == 1 => SafeText::fixed("1 skill"),
        RootState::Read => inert!("{} skills", report.found),
        RootState::Missing => SafeText::fixed("missing"),
        RootState::Failed(why) => inert!("cannot be read: {}", why),
        RootState::Closed { why, .. } => inert!("not looked into: {}", *why),
    };
    inert!("{}  {}, {}", report.root.path, report.root.scope.word(), state)
}

fn settings(file: &FileSurvey) -> SafeText {
    let state = match &file.state {
        FileState::Missing => SafeText::fixed("missing"),
        FileState::Read => SafeText::fixed("read"),
        FileState::Broken { line, reason } => {
            inert!("broken at line {}: {}", *line, reason)
        }
        FileState::Unreadable { reason } => inert!("cannot be read: {}", reason),
    };
    let ignored = file.ignored.map_or_else(SafeText::default, |why| inert!(", ignored: {}", why));
    let remark = file.remark.as_deref().map_or_else(SafeText::default, |why| inert!(", {}", why));
    let writable = if file.writable { "" } else { ", not writable" };
    let role =
        if file.role == "settings" { SafeText::default() } else { inert!("{}, ", file.role) };
    inert!(
        "{}  {}{}, {}{}{}{}",
        file.path,
        role,
        file.layer.word(),
        state,
        ignored,
        remark,
        writable
    )
}
