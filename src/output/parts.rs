//! The parts of JSON rows: the version, paths, verdicts.

pub(super) use crate::catalog::exact_path::exact;
use crate::catalog::{Listed, Permission};
use crate::policy::{Origin, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// The version of every JSON document. New fields do not change it; a renamed or removed field
/// does.
pub const VERSION: u32 = 1;

/// A path as text; bytes that are not UTF-8 are replaced.
pub(super) fn lossy(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
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
pub(super) struct OriginsRow<'a> {
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
pub(super) enum OriginKind {
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
pub(super) struct OriginRow<'a> {
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
    fn of(origin: &'a Origin) -> Self {
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
