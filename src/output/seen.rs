//! What every host makes of a skill: the *seen by* lines, signs and JSON.

use super::Out;
use super::signs::Signs;
use super::skill::{VerdictRow, lossy};
use crate::catalog::{Enablement, Permission, Skill};
use crate::inert;
use crate::policy::{Glance, Origin, Standing, StatusKind};
use crate::text::SafeText;
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// What one host makes of a skill that lies where it looks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SightRow {
    /// It takes it, on or off.
    Judged {
        /// How far on, in the host's own states.
        state: Enablement,
        /// How it judges.
        verdict: Box<VerdictRow<'static>>,
    },
    /// It does not take it, for the finding of this code.
    Refused {
        /// The code.
        refused: &'static str,
    },
    /// It takes another skill of its name.
    Shadowed {
        /// The path of that one's SKILL.md.
        shadowed_by: String,
    },
}

/// What one host makes of a skill, wherever it lies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeenRow {
    /// Which host.
    host: &'static str,
    /// Whether it looks where the skill lies.
    looks: bool,
    /// What it makes of it then.
    #[serde(flatten)]
    sight: Option<SightRow>,
    /// What there is to know of the host besides: its version is newer than what was proved.
    #[serde(skip_serializing_if = "String::is_empty")]
    remark: String,
}

fn standing(glance: &Glance, index: usize, skill: &Arc<Skill>) -> Standing {
    glance.standing(u32::try_from(index).unwrap_or(u32::MAX), skill)
}

fn row(standing: &Standing) -> Option<SightRow> {
    Some(match standing {
        Standing::NotThere => return None,
        Standing::Refused(check) => SightRow::Refused { refused: check.code },
        Standing::Shadowed(winner) => {
            SightRow::Shadowed { shadowed_by: lossy(winner).into_owned() }
        }
        Standing::Judged { state, verdict } => {
            SightRow::Judged { state: *state, verdict: Box::new(VerdictRow::of(verdict).owned()) }
        }
    })
}

/// What there is to say beside the sign; nothing where the skill is simply on.
fn words(standing: &Standing, base: &Base) -> SafeText {
    let mut words: Vec<SafeText> = standing.why_not(|path| base.path(path)).into_iter().collect();
    if let Standing::Judged { state, verdict } = standing {
        // The sign says on and off.
        let between = !matches!(state, Enablement::On | Enablement::Off);
        words.extend(between.then(|| SafeText::fixed(state.word())));
        let permission = verdict.model.value;
        let told = *state == Enablement::On && permission != Permission::Allow;
        words.extend(told.then(|| SafeText::fixed(permission.word())));
        words.extend(standing.decider().map(|origin| base.origin(origin)));
    }
    SafeText::join(&words, " ")
}

/// Where paths are shortened: below the repository, and below the home directory.
struct Base<'a> {
    repo: Option<&'a Path>,
    home: Option<&'a Path>,
}

impl<'a> Base<'a> {
    fn of(view: &'a View) -> Self {
        let context = view.lenses.first().map(|lens| &lens.reading.context);
        Self {
            repo: context.and_then(|context| context.repo_root.as_deref()),
            home: context.and_then(|context| context.home.as_deref()),
        }
    }

    fn path(&self, path: &Path) -> SafeText {
        if let Some(rest) = self.repo.and_then(|repo| path.strip_prefix(repo).ok()) {
            return SafeText::path(rest);
        }
        match self.home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) => inert!("~/{}", SafeText::path(rest)),
            None => SafeText::path(path),
        }
    }

    fn origin(&self, origin: &Origin) -> SafeText {
        let text = SafeText::line(origin.text());
        match origin.place() {
            Some((file, line)) => inert!("{}:{} {}", self.path(file), line, text),
            None => text,
        }
    }
}

/// What each host makes of an entry of a view through all hosts, for those that look where it lies.
pub(super) fn rows(view: &View, index: usize) -> BTreeMap<&'static str, SightRow> {
    let Some(entry) = view.rows.entry(index) else { return BTreeMap::new() };
    let seen =
        |glance: &Glance| Some((glance.host.word(), row(&standing(glance, index, &entry.skill))?));
    view.glances.iter().filter_map(seen).collect()
}

/// What each host makes of an entry, in the order of the hosts.
pub(super) fn seen_by(view: &View, glances: &[Glance], index: usize) -> Vec<SeenRow> {
    let Some(entry) = view.rows.entry(index) else { return Vec::new() };
    let seen = |glance: &Glance| {
        let sight = row(&standing(glance, index, &entry.skill));
        SeenRow {
            host: glance.host.word(),
            looks: sight.is_some(),
            sight,
            remark: glance.remark.clone(),
        }
    };
    glances.iter().map(seen).collect()
}

/// The signs of every host for an entry, in the order of the hosts.
pub(super) fn signs(view: &View, index: usize) -> SafeText {
    let Some(entry) = view.rows.entry(index) else { return SafeText::default() };
    let each =
        view.glances.iter().map(|glance| Signs::of(standing(glance, index, &entry.skill).status()));
    SafeText::clean(&each.collect::<String>())
}

/// The line that explains those signs.
pub(super) fn legend(view: &View) -> SafeText {
    let hosts: Vec<SafeText> =
        view.glances.iter().map(|glance| SafeText::fixed(glance.host.word())).collect();
    let meaning = "✓ on, ◐ in part, ○ off, ✗ refused, ≡ shadowed, · does not look there";
    inert!("seen by {}: {}", SafeText::join(&hosts, ", "), meaning)
}

/// Prints what every host makes of an entry, one a line; nothing where there is only one host.
///
/// # Errors
/// Those of stdout.
pub fn print(
    out: &mut Out,
    view: &View,
    glances: &[Glance],
    index: usize,
    signs: Signs,
) -> io::Result<()> {
    let Some(entry) = view.rows.entry(index).filter(|_| glances.len() > 1) else { return Ok(()) };
    let base = Base::of(view);
    let widest = glances.iter().map(|glance| glance.host.word().len()).max().unwrap_or(0);
    out.line(&SafeText::fixed("seen by"))?;
    for glance in glances {
        let standing = standing(glance, index, &entry.skill);
        let host = SafeText::fixed(glance.host.word()).pad(widest);
        let words = words(&standing, &base);
        let remark = match glance.remark.as_str() {
            "" => SafeText::default(),
            remark => inert!(" ({})", SafeText::line(remark)),
        };
        let sign = match standing.status() {
            // What is not looked at or not taken is one sign here: the words say which.
            StatusKind::NotThere => Signs::of(StatusKind::Refused),
            status => Signs::of(status),
        };
        let line = inert!("  {}  {} {}{}", host, sign, words, remark);
        out.line(&signs.shown(&SafeText::clean(line.as_str().trim_end())))?;
    }
    Ok(())
}
