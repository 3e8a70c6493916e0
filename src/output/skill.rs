//! The JSON rows that several documents share: skill, diagnostic, root.

use super::seen::{self, HostStatusRow};
use crate::catalog::{
    Cut, Diagnostic, Enablement, Listed, Permission, RootReport, RootState, Scope, Severity, Skill,
};
use crate::policy::{self, Entry, Verdict};
use crate::workspace::View;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// The version of every JSON document. New fields do not change it; a renamed or removed field
/// does.
pub const VERSION: u32 = 1;

/// A path as text; bytes that are not UTF-8 are replaced.
pub(super) fn lossy(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// The bytes of a path in base64; none if the path is UTF-8.
pub(super) fn exact(path: &Path) -> Option<String> {
    path.to_str().is_none().then(|| STANDARD.encode(path.as_os_str().as_encoded_bytes()))
}

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
    /// Canonical path of its SKILL.md.
    path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// Its directory.
    dir: Cow<'a, str>,
    /// The file's name.
    file: Cow<'a, str>,
    /// The directories in which it was found, in the order of the search.
    locations: Vec<Cow<'a, str>>,
    /// Whose skill it is.
    scope: Scope,
    /// The root where it was first found.
    root: Cow<'a, str>,
    /// Modification time: Unix time in milliseconds; 0 if unknown.
    mtime_ms: u64,
    /// Size of the SKILL.md, bytes.
    bytes: u64,
    /// The host's verdict.
    verdict: VerdictRow<'a>,
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
    same_name: usize,
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
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    allowed_tools: &'a [String],
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
        let metadata = skill.properties.metadata.iter();
        Self {
            id: skill.id().as_str().to_owned(),
            name: &skill.name,
            host_name: None,
            description: &skill.description,
            path: lossy(&skill.path),
            path_b64: exact(&skill.path),
            dir: lossy(skill.dir()),
            file: file_name(skill),
            locations: skill.locations.iter().map(|place| lossy(place)).collect(),
            scope: skill.scope,
            root: lossy(&skill.root),
            mtime_ms: skill.mtime_ms,
            bytes: skill.bytes,
            verdict: VerdictRow::of(&entry.verdict),
            enabled: entry.is_listed(),
            looks: entry.looks,
            state: entry.state,
            permission: entry.verdict.model.value,
            shadowed_by: entry.shadowed_by.as_deref().map(lossy),
            same_name: entry.same_name,
            diagnostics: diagnostics(entry),
            license: skill.properties.license.as_deref(),
            compatibility: skill.properties.compatibility.as_deref(),
            metadata: metadata
                .map(|(key, value)| (key.clone(), Value::from(value.as_str())))
                .collect(),
            allowed_tools: &skill.properties.allowed_tools,
            hosts: None,
        }
    }
}

pub(super) fn file_name(skill: &Skill) -> Cow<'_, str> {
    skill.path.file_name().unwrap_or_default().to_string_lossy()
}

pub(super) fn diagnostics(entry: &Entry) -> Vec<DiagnosticRow<'_>> {
    let row = |found| DiagnosticRow::of(found, entry.severity(found), &entry.skill.path);
    entry.skill.diagnostics.iter().map(row).collect()
}

/// The verdict of a host on a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerdictRow<'a> {
    /// Whether the model knows of it.
    listed: Listed,
    /// Whether the model may load it by its own decision.
    model: Permission,
    /// Whether a person may invoke it.
    user: bool,
    /// What decided each of the three.
    origin: OriginsRow<'a>,
}

/// What decided each part of a verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OriginsRow<'a> {
    /// Whether the model knows of it.
    listed: OriginRow<'a>,
    /// Whether the model may load it.
    model: OriginRow<'a>,
    /// Whether a person may invoke it.
    user: OriginRow<'a>,
}

impl VerdictRow<'_> {
    pub(super) fn owned(self) -> VerdictRow<'static> {
        let OriginsRow { listed, model, user } = self.origin;
        let origin =
            OriginsRow { listed: listed.owned(), model: model.owned(), user: user.owned() };
        VerdictRow { listed: self.listed, model: self.model, user: self.user, origin }
    }
}

impl<'a> VerdictRow<'a> {
    pub fn of(verdict: &'a Verdict) -> Self {
        Self {
            listed: verdict.listed.value,
            model: verdict.model.value,
            user: verdict.user.value,
            origin: OriginsRow {
                listed: OriginRow::of(&verdict.listed.origin),
                model: OriginRow::of(&verdict.model.origin),
                user: OriginRow::of(&verdict.user.origin),
            },
        }
    }
}

/// The kind of origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OriginKind {
    /// The default: no settings file says anything.
    Default,
    /// A rule, switch or value of a settings file.
    Rule,
    /// A settings file that cannot be read in full: what it could deny is denied.
    Alarm,
    /// An option or an environment variable of this run.
    Session,
    /// The skill itself.
    Skill,
}

/// What decided: a setting, a default or the skill itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OriginRow<'a> {
    /// The kind of origin.
    kind: OriginKind,
    /// The settings file, if one decided.
    file: Option<Cow<'a, str>>,
    /// Its line, from 1.
    line: Option<u32>,
    /// The rule in a few words.
    text: Cow<'a, str>,
}

impl OriginRow<'_> {
    fn owned(self) -> OriginRow<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        OriginRow {
            kind: self.kind,
            file: self.file.map(owned),
            line: self.line,
            text: owned(self.text),
        }
    }
}

impl<'a> OriginRow<'a> {
    pub fn of(origin: &'a policy::Origin) -> Self {
        use policy::Origin;
        let kind = match origin {
            Origin::Default | Origin::Host(_) => OriginKind::Default,
            Origin::Rule { .. } => OriginKind::Rule,
            Origin::Alarm { .. } => OriginKind::Alarm,
            Origin::Session(_) => OriginKind::Session,
            Origin::Skill(_) | Origin::Shadowed(_) => OriginKind::Skill,
        };
        let place = origin.place();
        let (file, line) = (place.map(|(file, _)| lossy(file)), place.map(|(_, line)| line));
        Self { kind, file, line, text: origin.text().into() }
    }
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
    /// The hosts that refuse the skill because of it.
    refused_by: Vec<&'static str>,
}

impl<'a> DiagnosticRow<'a> {
    /// `path` is the file of the finding.
    pub fn of(diagnostic: &'a Diagnostic, severity: Severity, path: &'a Path) -> Self {
        Self {
            code: diagnostic.code(),
            severity,
            path: lossy(path),
            line: diagnostic.place.line,
            column: diagnostic.place.column,
            message: &diagnostic.message,
            help: diagnostic.check.help,
            refused_by: diagnostic.refused_by.iter().map(|host| host.word()).collect(),
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

/// A limit that left something out of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TruncatedRow {
    /// Which limit: `depth`, `entries`, `results`, `bytes`, `files`.
    pub limit: &'static str,
    /// Its value.
    pub value: u64,
    /// How much was left out, as far as it was counted.
    pub dropped: u64,
}

impl TruncatedRow {
    /// The first limit that cut a scan, and all that it left out; none if nothing was cut.
    pub fn of(cuts: &[Cut]) -> Option<Self> {
        let first = cuts.first()?;
        let dropped =
            cuts.iter().filter(|cut| cut.limit == first.limit).map(|cut| cut.dropped as u64).sum();
        Some(Self { limit: first.limit.word(), value: first.value as u64, dropped })
    }
}
