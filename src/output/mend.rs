//! `check --fix`: what is mended, by file and code, and what is left.

use super::Out;
use super::check::{Judged, Summary};
use super::parts::lossy;
use crate::catalog::ExactPath;
use crate::catalog::validate::FILE_NAME;
use crate::inert;
use crate::text::{SafeText, counted};
use crate::workspace::mend::{LeftAlone, MendPlan, MendedSkill, Move};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The files that are named where several are left for one reason.
pub const NAMED: usize = 3;

/// What `check --fix` has mended, or would mend.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MendDocument<'a> {
    /// Whether it was written: false with `--dry-run`, or if nothing was or could be mended.
    written: bool,
    /// The skills that are mended.
    skills: Vec<MendedRow<'a>>,
    /// Skills that have a finding with a fix, but are left as they are.
    left: Vec<LeftRow<'a>>,
    /// The totals of what `check` finds: afterwards, or now if nothing was written.
    summary: Summary,
}

/// A skill that is mended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MendedRow<'a> {
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// The skill's name before.
    name: &'a str,
    /// The findings that are gone: the number for each code.
    mended: &'a BTreeMap<&'static str, usize>,
    /// The file's path afterwards, if it is renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_to: Option<Cow<'a, str>>,
    /// Where the link leads afterwards, if it is one that changes; empty if it is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<Cow<'a, str>>,
    /// The unified diff of the file's text; empty if only its name or a link changes.
    diff: String,
}

/// A skill that is not mended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeftRow<'a> {
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// Why it is left.
    why: &'a str,
}

impl<'a> MendDocument<'a> {
    /// `judged` is what `check` finds afterwards.
    pub fn of(plan: &'a MendPlan, written: bool, judged: &[Judged]) -> Self {
        let left = |one: &'a LeftAlone| LeftRow { path: ExactPath::of(&one.path), why: &one.why };
        Self {
            written,
            skills: plan.skills.iter().map(MendedRow::of).collect(),
            left: plan.left.iter().map(left).collect(),
            summary: Summary::of(judged),
        }
    }
}

impl<'a> MendedRow<'a> {
    fn of(one: &'a MendedSkill) -> Self {
        let lines = one.change.iter().flat_map(|change| change.diff());
        let (renamed_to, link) = match &one.moved {
            Some(Move::Renamed { to, .. }) => (Some(lossy(to)), None),
            Some(
                Move::Relinked { to: link, .. }
                | Move::Linked { target: link, .. }
                | Move::Replaced { target: link, .. },
            ) => (None, Some(lossy(link))),
            Some(Move::Unlinked { .. }) => (None, Some(Cow::Borrowed(""))),
            None => (None, None),
        };
        Self {
            path: ExactPath::of(one.place()),
            name: &one.name,
            mended: &one.gone,
            renamed_to,
            link,
            diff: lines.flat_map(|line| [line.text, "\n".to_owned()]).collect(),
        }
    }
}

/// Prints each file with the codes that are mended, then the totals. Paths beneath `base` are shown
/// relative to it.
///
/// # Errors
/// Those of stdout.
pub fn print(
    out: &mut Out,
    plan: &MendPlan,
    judged: &[Judged],
    base: &Path,
    written: bool,
) -> io::Result<()> {
    for one in &plan.skills {
        out.line(line(one, base))?;
    }
    let count: usize = plan.skills.iter().flat_map(|one| one.gone.values()).sum();
    let findings = counted(count, "finding");
    let skills = counted(plan.skills.len(), "skill");
    match (plan.skills.is_empty(), written) {
        (true, _) if plan.failed() => out.line("nothing mended")?,
        (true, _) => out.line("nothing to mend")?,
        (false, true) => out.line(inert!("{} in {} mended", findings, skills))?,
        (false, false) => out.line(inert!("would mend {} in {}", findings, skills))?,
    }
    let what = if written { "left" } else { "now" };
    out.line(inert!("{}: {}", what, Summary::of(judged).sentence(judged, false)))
}

fn line(one: &MendedSkill, base: &Path) -> SafeText {
    let codes = one.gone.iter().map(|(code, count)| match count {
        1 => SafeText::fixed(code),
        several => inert!("{} ({})", *code, *several),
    });
    let place = one.place();
    let place = place.strip_prefix(base).unwrap_or(place);
    let what = match &one.moved {
        Some(Move::Renamed { to, .. }) if to.ends_with(FILE_NAME) => {
            SafeText::fixed("; renamed to SKILL.md")
        }
        Some(Move::Renamed { to, .. }) => {
            inert!("; moved to {}", to.strip_prefix(base).unwrap_or(to))
        }
        Some(
            Move::Relinked { to: link, .. }
            | Move::Linked { target: link, .. }
            | Move::Replaced { target: link, .. },
        ) => {
            inert!("; the link leads to {}", link)
        }
        Some(Move::Unlinked { .. }) => SafeText::fixed("; the link is removed"),
        None => SafeText::default(),
    };
    inert!("{}: {}{}", place, SafeText::join(codes, ", "), what)
}

/// Says what is left as it is.
pub fn report_left(out: &mut Out, plan: &MendPlan) {
    left_words(plan, NAMED, &|path| SafeText::path(path))
        .into_iter()
        .for_each(|left| out.say(inert!("not mended: {}", left)));
}

/// What is left as it is and why; of more than `named` files with one reason only the number.
pub fn left_words(
    plan: &MendPlan,
    named: usize,
    shown: &dyn Fn(&Path) -> SafeText,
) -> Vec<SafeText> {
    let mut reasons: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
    for one in &plan.left {
        reasons.entry(&one.why).or_default().push(&one.path);
    }
    let mut words = Vec::new();
    for (why, paths) in reasons {
        match paths.len() > named {
            true => words.push(inert!("{} skills: {}", paths.len(), why)),
            false => words.extend(paths.into_iter().map(|path| inert!("{}: {}", shown(path), why))),
        }
    }
    words
}
