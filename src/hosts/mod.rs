//! The coding agents we know, as data: one row of [`HOSTS`] and one small file for each.
//!
//! A host's row says where it looks for skills, what it does with two of one name, what it refuses,
//! how its settings enable and permit, how a person calls a skill, and how much it shows a model. A
//! new agent needs its file and its row. This module scans and writes nothing: it declares roots,
//! turns an agent's settings into a policy, and offers edits.

mod agents;
mod amp;
mod built_in;
mod bun_yaml;
mod called;
mod claude;
mod codelia;
mod codex;
mod context;
mod control;
mod copilot;
mod cursor;
mod droid;
mod gemini;
pub mod generic;
mod goose;
mod installed;
mod javascript;
mod js_yaml;
mod kimi;
mod kodelet;
mod npm_yaml;
mod opencode;
mod pi;
pub mod probe;
mod pyyaml;
mod qoder;
mod qwen;
mod readings;
mod remcochat;
mod rule_order;
mod scalar;
mod settings_file;
mod shapes;
mod siblings;
mod spec0027;
mod starting;
#[cfg(test)]
mod test_support;
mod vibe;
#[cfg(test)]
mod yaml_answers;

pub use agents::AGENTS;
pub use amp::AMP;
pub use called::of_command;
pub use claude::CLAUDE;
pub use codelia::CODELIA;
pub use codex::CODEX;
pub use context::Context;
pub use control::{Candidates, Control, LaunchLine, PlanRules, PlanSwitch, Wanted, WantedRules};
pub use copilot::COPILOT;
pub use cursor::{CURSOR, VS_CODE};
pub use droid::DROID;
pub use gemini::GEMINI;
pub use goose::GOOSE;
pub use installed::{Detect, Folder, Installed, Version};
pub use kimi::KIMI;
pub use kodelet::KODELET;
pub use opencode::{FETCHED, KILO, OPENCODE};
pub use pi::PI;
pub use qoder::QODER;
pub use qwen::QWEN;
pub use readings::reads_otherwise;
pub use remcochat::REMCOCHAT;
pub use settings_file::{Candidate, Content, FileEdit, Reading, SettingsFile, SettingsPath};
pub use shapes::{PLUGINS, once};
pub use siblings::Siblings;
pub use spec0027::SPEC_0027;
pub use starting::{LineOptions, PromptArgument};
pub use vibe::VIBE;

pub use crate::catalog::MentionForm;
use crate::catalog::{HostId, PlaceThatCounts, Root, Walk};
use crate::config::{Inputs, did_you_mean};
use crate::policy::{Budget, Evaluation, Layer, Limits, Policy, Speech};
use crate::words;
use probe::AgentProbe;
use std::path::PathBuf;
use std::sync::Arc;

/// What a name means if several skills have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// An error that lists the candidates.
    Ambiguous,
    /// The first in the order of the roots; the others are shadowed.
    First,
    /// The last; the others are shadowed.
    Last,
    /// The choice is random in the host itself (opencode).
    Random,
}

words!(
    Duplicates,
    Ambiguous = "all are kept; a bare name is ambiguous",
    First = "the first is taken",
    Last = "the last is taken",
    Random = "which one is taken is chance"
);

impl Duplicates {
    /// Whether nobody can say which skill of several with a name is meant.
    pub fn is_unsure(self) -> bool {
        matches!(self, Self::Ambiguous | Self::Random)
    }
}

/// When a change of its settings takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesEffect {
    Now,
    /// In a new session.
    NewSession,
    /// After this command, or in a new session.
    Reload(&'static str),
}

impl TakesEffect {
    pub fn words(self) -> String {
        match self {
            Self::Now => "now".to_owned(),
            Self::NewSession => "in a new session".to_owned(),
            Self::Reload(command) => format!("after {command}, or in a new session"),
        }
    }
}

/// How the facts about a host were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Against the answers of its own program, in this version.
    Program(&'static str),
    /// By reading its source, in this version. What we write is verified by reading it again.
    Source(&'static str),
    /// By its documentation.
    Documentation,
}

impl Proof {
    /// The version that was checked.
    pub fn version(self) -> Option<&'static str> {
        match self {
            Self::Program(version) | Self::Source(version) => Some(version),
            Self::Documentation => None,
        }
    }
}

/// One agent that reads skills.
#[derive(Debug)]
pub struct Host {
    /// The word for `--host`.
    pub id: HostId,
    /// For people.
    pub name: &'static str,
    /// How we notice that it is installed.
    pub detect: Detect,
    /// For which version this row was checked, and how.
    pub proof: Proof,
    /// Rows for versions below a number, the lowest number first.
    pub older: &'static [(&'static str, &'static Host)],
    /// Its settings files, lower layers first.
    pub settings_paths: fn(&Context) -> Vec<SettingsPath>,
    /// Where it looks, in its order. A root need not exist. Without a home directory the roots in
    /// it are left out.
    pub roots: fn(&Reading) -> Vec<Root>,
    /// What it does with two skills of one name.
    pub duplicates: Duplicates,
    /// Where it takes a skill from that it finds in several places.
    pub place: PlaceThatCounts,
    pub siblings: Siblings,
    pub evaluation: Evaluation,
    /// Adds what its settings say to a policy.
    pub rulings: fn(&Reading, &mut Policy),
    /// How skills are enabled and permitted.
    pub control: Control,
    /// How a person calls a skill.
    pub mention: MentionForm,
    /// How much it shows a model.
    pub limits: Limits,
    /// By which rule it lists its skills to a model with a context window of this many tokens; by
    /// default that of the model that its settings name.
    pub budget: fn(&Reading, Option<usize>) -> Budget,
    /// When a change takes effect.
    pub takes_effect: TakesEffect,
    /// How its program is started with a prompt.
    pub prompt: PromptArgument,
    /// What may stand before a prompt on its command line.
    pub line: LineOptions,
    /// How its own program is asked what it sees, if it can be asked.
    pub probe: Option<&'static AgentProbe>,
}

impl Host {
    /// An agent of which only the folders are known. Other rows say what differs.
    pub(super) const PLAIN: Self = Self {
        id: HostId(""),
        name: "",
        detect: Detect::NEVER,
        proof: Proof::Documentation,
        older: &[],
        settings_paths: |_| Vec::new(),
        roots: |_| Vec::new(),
        duplicates: Duplicates::First,
        place: PlaceThatCounts::First,
        siblings: Siblings::Folders,
        evaluation: Evaluation::HOST,
        rulings: |_, _| {},
        control: Control::NONE,
        mention: MentionForm::Start("/"),
        limits: Limits::NONE,
        budget: |_, _| Budget::Unknown,
        takes_effect: TakesEffect::NewSession,
        prompt: PromptArgument::Nowhere,
        line: LineOptions::NONE,
        probe: None,
    };

    /// Its settings on the disk, or as the drafts have them.
    pub fn read(&self, context: &Arc<Context>, inputs: &Inputs) -> Reading {
        Reading::of((self.settings_paths)(context), context, inputs)
    }

    /// Where to look: the host's roots, or these folders instead (`--root DIR`).
    pub fn roots(&self, reading: &Reading, instead: &[PathBuf]) -> Vec<Root> {
        if instead.is_empty() {
            (self.roots)(reading)
        } else {
            self.browse(&reading.context, instead)
        }
    }

    /// These folders as roots for browsing: deep, with hidden folders, and each may itself be a
    /// skill.
    fn browse(&self, context: &Context, folders: &[PathBuf]) -> Vec<Root> {
        let root = |folder: &PathBuf| {
            let path = context.cwd.join(folder);
            let scope = context.scope(&path);
            Root::new(path, scope, self.id, Walk::BROWSE)
        };
        folders.iter().map(root).collect()
    }

    /// The policy that its settings make. A file that cannot be read denies everything, with an
    /// alarm: it does not count as empty, except for hosts whose own program ignores such a file
    /// (Claude Code, Copilot CLI, pi; Gemini CLI's policies). A plugin's own file does not count
    /// then, with an alarm.
    pub fn policy(&self, reading: &Reading) -> Policy {
        let mut policy = Policy::without_settings(self.evaluation);
        (self.rulings)(reading, &mut policy);
        for file in reading.files.iter().filter(|file| file.location.ignored.is_none()) {
            let Some((line, reason)) = file.content.fault() else { continue };
            if policy.alarms.iter().any(|alarm| alarm.file == file.shown) {
                continue;
            }
            match file.location.role {
                PLUGINS => {
                    file.report(
                        &mut policy,
                        line,
                        format!("{reason}: this file of a plugin does not count"),
                    );
                }
                _ => file.deny_all(&mut policy, line, reason),
            }
        }
        let written = reading.files.iter().filter(|file| file.location.role != PLUGINS);
        for file in written.filter(|file| file.location.ignored.is_none()) {
            if let Some((line, reason)) = &file.odd {
                let name = self.name;
                let message = format!("{reason}: it is read as {name} reads it, and is not edited");
                file.report(&mut policy, *line, message);
            }
        }
        policy
    }

    /// The row for the installed version.
    pub fn fitting(&'static self, installed: Option<&Installed>) -> &'static Self {
        let version = installed.and_then(|installed| installed.version.as_ref());
        let older = version
            .and_then(|version| self.older.iter().find(|(below, _)| version.is_below(below)));
        older.map_or(self, |(_, row)| row)
    }

    /// If the installed version is newer than the one that was checked: both versions.
    pub fn unproved(&self, installed: Option<&Installed>) -> Option<(String, &'static str)> {
        let (version, proved) = (installed?.version.as_ref()?, self.proof.version()?);
        version.is_above(proved).then(|| (version.to_string(), proved))
    }

    /// How skills are called in its prompt.
    pub fn speech(&self) -> Speech {
        Speech { host: self.id, name: self.name, form: self.mention }
    }

    /// What its program may show and we do not look for, in a few words.
    pub fn unseen(&self) -> &'static str {
        self.probe.map_or("", |probe| probe.unseen)
    }

    /// The layer of a change for which nobody names one: a file of the person's own.
    pub fn own_layer(&self) -> Layer {
        self.control.layers.first().copied().unwrap_or(Layer::User)
    }
}

/// The hosts with a file of their own, in the order in which they are offered.
#[rustfmt::skip]
pub const HOSTS: &[&Host] = &[
    &AGENTS,
    &CODEX,
    &CLAUDE,
    &OPENCODE,
    &GEMINI,
    &COPILOT,
    &PI,
    &QWEN,
    &AMP,
    &KILO,
    &KIMI,
    &QODER,
    &VIBE,
    &DROID,
    &CODELIA,
    &KODELET,
    &REMCOCHAT,
    &SPEC_0027,
    &GOOSE,
    &CURSOR,
    &VS_CODE,
];

/// Every host: those of [`HOSTS`], then those of which no more is known than their folders.
pub fn every() -> impl Iterator<Item = &'static Host> {
    HOSTS.iter().chain(generic::HOSTS).copied()
}

/// The installed hosts, each with the row for its version, in the order of the table. `agents` is
/// no program, so it is not among them.
pub fn detected(context: &Context) -> Vec<(&'static Host, Installed)> {
    let found = every().filter_map(|host| Some((host, host.detect.look(context)?)));
    found.map(|(host, installed)| (host.fitting(Some(&installed)), installed)).collect()
}

/// An unknown host. The message does not quote the name, which may be hostile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such host{}", .suggestion.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default())]
pub struct UnknownHost {
    /// The most similar word.
    pub suggestion: Option<&'static str>,
}

/// The word for every host at once.
pub const ALL: &str = "all";

/// Every host at once: the union over `agents` and the hosts of this machine. It has no roots,
/// settings or rules of its own, and is no row of the table.
pub const EVERY: Host = Host {
    id: HostId(ALL),
    name: "every agent",
    duplicates: Duplicates::Ambiguous,
    evaluation: Evaluation::AGENTS,
    mention: MentionForm::Dollar { link: true },
    ..Host::PLAIN
};

/// The host that `word` names, as `--host` and the settings write it. `all` is not a host here.
///
/// # Errors
/// [`UnknownHost`], with the nearest word.
pub fn by_word(word: &str) -> Result<&'static Host, UnknownHost> {
    let found = every().find(|host| host.id.word() == word);
    found.ok_or_else(|| UnknownHost { suggestion: meant(word) })
}

/// The word of the host that another one may mean: that of its program, or a longer or shorter form
/// of its name; otherwise the most similar word.
fn meant(typed: &str) -> Option<&'static str> {
    let typed = typed.to_lowercase();
    let names = |host: &Host| [host.id.word().to_owned(), host.name.to_lowercase()];
    let tests: [&dyn Fn(&Host) -> bool; 3] = [
        &|host| host.detect.programs.contains(&typed.as_str()),
        &|host| names(host).iter().any(|name| name.starts_with(&typed)),
        &|host| typed.starts_with(host.id.word()),
    ];
    let is_long = typed.chars().count() >= 3;
    let found = tests.iter().filter(|_| is_long).find_map(|test| every().find(|host| test(host)));
    let words = || every().map(|host| host.id.word()).chain([ALL]);
    found.map(|host| host.id.word()).or_else(|| did_you_mean(&typed, words()))
}

#[cfg(test)]
mod tests;
