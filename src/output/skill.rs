//! The JSON rows that several documents share: skill, diagnostic, root.

use super::parts::{VerdictRow, exact, lossy};
use super::seen::{self, HostStatusRow};
use crate::catalog::{
    Cut, Diagnostic, Enablement, ExactPath, HostId, OwnWord, Permission, Plugin, Precedence,
    RootReport, RootState, Scope, Severity, Skill, Stored,
};
use crate::policy::Entry;
use crate::workspace::{View, refusers, usual_refusers};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One skill as a host sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SkillRow<'a> {
    /// The first 24 hex digits of the SHA-256 of `path`.
    id: String,
    /// Its name.
    name: &'a str,
    /// The name that the host uses in its settings and for calls, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    host_name: Option<Cow<'a, str>>,
    /// What it does and when to use it; empty if missing.
    description: &'a str,
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// Its directory; of a single file, the file itself.
    dir: Cow<'a, str>,
    /// The file's name.
    file: Cow<'a, str>,
    /// The directories in which it was found, in the order of the search.
    locations: Vec<Cow<'a, str>>,
    /// Whose skill it is.
    scope: Scope,
    /// The root where it was found; of several the one that counts for the host.
    root: Cow<'a, str>,
    /// Modification time: Unix time in milliseconds; 0 if unknown.
    mtime_ms: u64,
    /// Size of the SKILL.md, bytes.
    bytes: u64,
    /// Whether the file was read to its end. If not, only its head was, and `diagnostics` does not
    /// tell what the rest hides; `check` reads all.
    whole: bool,
    /// The host's verdict.
    verdict: VerdictRow,
    /// Whether the model knows of it: `looks`, and `verdict.listed` is not `no`.
    enabled: bool,
    /// Whether the host searches its folder; in a view through all hosts, whether any does. It may
    /// be false with `--root`.
    looks: bool,
    /// Its state in the host's settings. In a view through all hosts, the state that enables it
    /// most.
    state: Enablement,
    /// Whether the model may load it: `verdict.model`.
    permission: Permission,
    /// The skill of the same name that the host takes instead.
    shadowed_by: Option<Cow<'a, str>>,
    /// How many usable skills of this view have the name, this one included.
    same_name: u32,
    /// All findings.
    diagnostics: Vec<DiagnosticRow<'a>>,
    /// `license` of the frontmatter.
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
    /// `compatibility` of the frontmatter.
    #[serde(skip_serializing_if = "Option::is_none")]
    compatibility: Option<&'a str>,
    /// `metadata` of the frontmatter.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    metadata: Map<String, Value>,
    /// `allowed-tools` of the frontmatter as a list. It is shown but grants nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allowed_tools: Vec<&'a str>,
    /// Where it comes from, if that is a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<StoredRow<'a>>,
    /// What brings it: an agent's plugin, or an agent's program itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    plugin: Option<PluginRow<'a>>,
    /// By whose word it is known, if only an agent's program lists it.
    #[serde(skip_serializing_if = "Option::is_none")]
    own_word: Option<OwnWordRow<'a>>,
    /// In a view through all hosts: the status for each host that searches its folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    hosts: Option<BTreeMap<&'static str, HostStatusRow>>,
}

impl<'a> SkillRow<'a> {
    /// The row of an entry of a view, with the status for each host if the view has several.
    pub fn at(view: &'a View, index: usize) -> Option<Self> {
        let entry = view.rows.entry(index)?;
        let row = Self::of(entry);
        let host_name = Some(view.policy.order.name_of(&entry.skill))
            .filter(|name| **name != *entry.skill.name);
        let hosts = (view.host.id.word() == crate::workspace::ALL).then(|| seen::rows(view, index));
        Some(Self { hosts, host_name, ..row })
    }

    pub fn of(entry: &'a Entry) -> Self {
        let skill = &*entry.skill;
        let metadata = skill.properties.metadata();
        Self {
            id: skill.id().as_str().to_owned(),
            name: &skill.name,
            host_name: None,
            description: entry.description(),
            path: ExactPath::of(&skill.path),
            dir: lossy(skill.dir()),
            file: file_name(skill),
            locations: skill.locations().map(lossy).collect(),
            scope: skill.scope,
            root: lossy(&skill.root),
            mtime_ms: skill.mtime_ms(),
            bytes: skill.bytes,
            whole: skill.whole,
            verdict: VerdictRow::of(&entry.verdict),
            enabled: entry.is_listed(),
            looks: entry.looks.here(),
            state: entry.state,
            permission: entry.verdict.model.value,
            shadowed_by: entry.shadowed_by.as_deref().map(lossy),
            same_name: entry.same_name,
            diagnostics: diagnostics(entry),
            license: skill.properties.license(),
            compatibility: skill.properties.compatibility(),
            metadata: metadata.map(|(key, value)| (key.to_owned(), Value::from(value))).collect(),
            allowed_tools: skill.properties.allowed_tools().collect(),
            stored: skill.stored.as_deref().map(StoredRow::of),
            plugin: skill.root.plugin.as_deref().map(PluginRow::of),
            own_word: skill.root.word.as_deref().map(OwnWordRow::of),
            hosts: None,
        }
    }
}

/// The version of a skill in a store.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StoredRow<'a> {
    /// The store's address, without secrets.
    store: &'a str,
    /// The project.
    project: &'a str,
    /// The SHA-256 of its text and files.
    version: &'a str,
    /// How often it was changed.
    number: i64,
    /// Who changed it last.
    author: &'a str,
    /// When: Unix time in milliseconds.
    updated_ms: i64,
    /// Whether it has files beside its SKILL.md.
    bundled: bool,
    /// What counts if a file has the same name.
    precedence: Precedence,
}

impl<'a> StoredRow<'a> {
    fn of(stored: &'a Stored) -> Self {
        Self {
            store: &stored.store,
            project: &stored.project,
            version: &stored.version,
            number: stored.number,
            author: &stored.author,
            updated_ms: stored.updated_ms,
            bundled: stored.bundled,
            precedence: stored.precedence,
        }
    }
}

/// What brings skills: a plugin or extension, or an agent's program itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PluginRow<'a> {
    /// The agent's word for such a thing: `plugin`, `extension`, `package`, `download`; `built in`
    /// for what comes with its program.
    kind: &'a str,
    /// How the agent's settings name it.
    id: &'a str,
    /// Its version, where the agent has written it down.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    /// The commit that it was installed from, where the agent has written it down.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
}

impl<'a> PluginRow<'a> {
    fn of(plugin: &'a Plugin) -> Self {
        let Plugin { kind, id, version, commit, .. } = plugin;
        Self { kind, id, version: version.as_deref(), commit: commit.as_deref() }
    }
}

/// By whose word a skill is known: an agent's program lists it, and no folder that we look in has
/// it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OwnWordRow<'a> {
    /// The word for `--host`.
    host: &'static str,
    /// The version of its program, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    /// Whether the program says that it brings the skill itself.
    bundled: bool,
    /// Whether there is a file at `path`. Without one the program holds the skill itself.
    file: bool,
    /// Whether the agent's switch by name works for it.
    switch: bool,
    /// What comes nearest to a switch, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<&'static str>,
}

impl<'a> OwnWordRow<'a> {
    fn of(word: &'a OwnWord) -> Self {
        Self {
            host: word.host.word(),
            version: word.version.as_deref(),
            bundled: word.bundled,
            file: !word.held,
            switch: word.no_switch.is_none(),
            nearest: word.no_switch,
        }
    }
}

pub(super) fn file_name(skill: &Skill) -> Cow<'_, str> {
    skill.path.file_name().unwrap_or_default().to_string_lossy()
}

/// In bytes. Of a longer frontmatter a list does not ask every host's parser: all together they would
/// take a tenth of a second for 64 KiB.
const LONG: usize = 8 << 10;

/// The findings of a listed skill.
pub(super) fn diagnostics(entry: &Entry) -> Vec<DiagnosticRow<'_>> {
    let skill = &entry.skill;
    let is_long = skill.head.as_ref().is_some_and(|head| head.bytes.len() > LONG);
    let found = skill.diagnostics.iter().map(|found| match is_long {
        true => {
            let refusers = usual_refusers(found.check);
            DiagnosticRow::with((skill, found), entry.severity(found), &refusers)
        }
        false => DiagnosticRow::of(skill, found, entry.severity(found)),
    });
    found.collect()
}

/// One finding about one skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiagnosticRow<'a> {
    /// The code of the check (`name-chars`, `yaml:syntax` …).
    code: &'static str,
    /// An error means that this host refuses the skill.
    severity: Severity,
    /// The file.
    path: Cow<'a, str>,
    /// Line, from 1.
    line: u32,
    /// Column, from 1, in characters.
    column: u32,
    /// What is wrong.
    message: &'a str,
    /// What to do about it.
    help: &'static str,
    /// The hosts that refuse the skill because of it, by their own parsers; in a list, of a
    /// frontmatter of more than 8 KiB, by the code alone.
    refused_by: Vec<&'static str>,
}

impl<'a> DiagnosticRow<'a> {
    /// A finding about this skill. The hosts' own readers say who refuses it.
    pub fn of(skill: &'a Skill, diagnostic: &'a Diagnostic, severity: Severity) -> Self {
        Self::with((skill, diagnostic), severity, &refusers(skill, diagnostic.check))
    }

    fn with(
        (skill, diagnostic): (&'a Skill, &'a Diagnostic),
        severity: Severity,
        refused_by: &[HostId],
    ) -> Self {
        Self {
            code: diagnostic.code(),
            severity,
            path: lossy(&skill.path),
            line: diagnostic.place.line,
            column: diagnostic.place.column,
            message: &diagnostic.message,
            help: diagnostic.help(),
            refused_by: refused_by.iter().map(|host| host.word()).collect(),
        }
    }
}

/// A folder that was scanned, and the result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RootRow<'a> {
    /// The folder as configured.
    path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// Whose skills it holds.
    scope: Scope,
    /// The host that declares it.
    host: &'static str,
    /// `read`, `missing`, `failed`, or `closed`: the host does not search it.
    state: &'static str,
    /// Why it could not be read, or is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// Number of places below it that have a skill.
    found: usize,
}

impl<'a> RootRow<'a> {
    pub fn of(reports: &'a [RootReport]) -> Vec<Self> {
        let row = |report: &'a RootReport| {
            let message = match &report.state {
                RootState::Read | RootState::Missing => None,
                RootState::Failed(why) => Some(why.as_str()),
                RootState::Closed { why, .. } => Some(*why),
            };
            Self {
                path: lossy(&report.root.path),
                path_b64: exact(&report.root.path),
                scope: report.root.scope,
                host: report.root.host.word(),
                state: report.state.word(),
                message,
                found: report.found,
            }
        };
        reports.iter().map(row).collect()
    }
}

/// What was left out because of limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cuts<'a> {
    /// Whether a limit left anything out.
    truncated: bool,
    /// Which limits, and what they left out.
    cuts: Vec<CutRow<'a>>,
}

/// Something that was left out because of a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CutRow<'a> {
    /// Which limit: `depth`, `entries`, `link`, `silent`, `skills`, `results`, `files`.
    pub limit: &'static str,
    /// Its value.
    pub value: u64,
    /// How much was left out, as far as it was counted.
    pub dropped: u64,
    /// Where the limit was reached, or where first.
    pub path: Option<Cow<'a, str>>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_b64: Option<String>,
    /// What was left out.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl<'a> Cuts<'a> {
    /// What was left out by a limit of the command, then by those of the scan.
    pub fn of(own: Option<CutRow<'a>>, cuts: &'a [Cut]) -> Self {
        let row = |cut: &'a Cut| CutRow {
            limit: cut.limit.word(),
            value: cut.value as u64,
            dropped: cut.dropped as u64,
            path: Some(lossy(&cut.path)),
            path_b64: exact(&cut.path),
            message: cut.message(),
            help: cut.help(),
        };
        let cuts: Vec<_> = own.into_iter().chain(cuts.iter().map(row)).collect();
        Self { truncated: !cuts.is_empty(), cuts }
    }
}
