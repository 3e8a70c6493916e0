//! `check --risk`: what skills reach, grouped by skill and rule. No word here is a verdict.

use super::Out;
use super::parts::lossy;
use super::skill::Cuts;
use super::table;
use crate::catalog::risk::{Finding, Level, Rule};
use crate::catalog::{ExactPath, Skill};
use crate::inert;
use crate::runtime::risk::Risk;
use crate::text::{SafeText, counted};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The most places of one rule that are printed; JSON has all.
const PLACES: usize = 3;

/// A skill and what it reaches, or why its folder cannot be read.
#[derive(Clone, Debug)]
pub struct Examined {
    pub skill: Arc<Skill>,
    pub risk: Result<Risk, String>,
}

/// What the text and scripts of skills reach: facts, and no verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RiskDocument<'a> {
    /// The totals.
    summary: RiskSummary,
    /// Every skill, also those of which nothing was found.
    skills: Vec<RiskRow<'a>>,
    #[serde(flatten)]
    left_out: Cuts<'a>,
}

/// How many skills there are of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RiskSummary {
    /// Number of skills examined.
    pub skills: usize,
    /// Those with an alarm.
    pub alarm: usize,
    /// Those with facts and no alarm.
    pub facts: usize,
    /// Those of which nothing was found.
    pub nothing_found: usize,
    /// Those whose folder cannot be read.
    pub unreadable: usize,
}

/// A skill and what it reaches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RiskRow<'a> {
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// Its directory; of a single file, the file itself.
    dir: Cow<'a, str>,
    /// The skill's name, or the directory's if it has none.
    name: &'a str,
    /// The highest level of its findings; null if nothing was found, or nothing could be read.
    level: Option<Level>,
    /// By file and line, at most 1,000.
    findings: Vec<FindingRow<'a>>,
    /// How many further findings there are.
    more: usize,
    /// Why its folder cannot be read; null if it can.
    error: Option<&'a str>,
}

/// One place that a rule fits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingRow<'a> {
    /// The rule's code (`download-run`).
    rule: &'static str,
    level: Level,
    /// Why it is reported.
    reason: &'static str,
    /// Relative to the skill's directory.
    file: Cow<'a, str>,
    /// From 1; null if the finding is about the whole file.
    line: Option<u32>,
    /// What is there, at most 160 columns; hidden characters are shown as marks.
    text: &'a str,
}

impl<'a> FindingRow<'a> {
    fn of(finding: &'a Finding) -> Self {
        let Rule { code, level, reason } = *finding.rule;
        let (file, text) = (lossy(&finding.file), finding.shown.as_str());
        Self { rule: code, level, reason, file, line: finding.line, text }
    }
}

impl RiskSummary {
    pub fn of(examined: &[Examined]) -> Self {
        let mut sum = Self { skills: examined.len(), ..Self::default() };
        for one in examined {
            let count = match one.risk.as_ref().map(Risk::level) {
                Ok(Some(Level::Alarm)) => &mut sum.alarm,
                Ok(Some(Level::Fact)) => &mut sum.facts,
                Ok(None) => &mut sum.nothing_found,
                Err(_) => &mut sum.unreadable,
            };
            *count += 1;
        }
        sum
    }

    fn sentence(self) -> SafeText {
        let unread = match self.unreadable {
            0 => SafeText::default(),
            count => inert!(", {} that cannot be read", count),
        };
        inert!(
            "{}: {} with an alarm, {} with facts, {} with nothing found{}",
            counted(self.skills, "skill"),
            self.alarm,
            self.facts,
            self.nothing_found,
            unread
        )
    }
}

impl<'a> RiskDocument<'a> {
    pub fn of(view: &'a View, examined: &'a [Examined]) -> Self {
        let row = |one: &'a Examined| {
            let risk = one.risk.as_ref();
            RiskRow {
                path: ExactPath::of(&one.skill.path),
                dir: lossy(one.skill.dir()),
                name: &one.skill.name,
                level: risk.ok().and_then(Risk::level),
                findings: risk.iter().flat_map(|risk| &risk.findings).map(FindingRow::of).collect(),
                more: risk.map_or(0, |risk| risk.more),
                error: risk.err().map(String::as_str),
            }
        };
        Self {
            summary: RiskSummary::of(examined),
            skills: examined.iter().map(row).collect(),
            left_out: Cuts::of(None, &view.cuts),
        }
    }
}

/// Prints the totals, then each skill of which something was found: alarms first, a rule once, with
/// its first places. Paths beneath `base` are shown relative to it.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, view: &View, examined: &[Examined], base: &Path) -> io::Result<()> {
    out.line(RiskSummary::of(examined).sentence())?;
    for one in examined {
        let dir = one.skill.dir();
        let place = SafeText::path(dir.strip_prefix(base).unwrap_or(dir));
        match &one.risk {
            Ok(risk) if risk.findings.is_empty() => continue,
            Ok(risk) => {
                out.line("")?;
                out.line(inert!("{} ({}): {}", one.skill.name, place, risk.word()))?;
                rules(out, risk)?;
            }
            Err(why) => {
                out.line("")?;
                out.line(inert!("{} ({}): cannot be read: {}", one.skill.name, place, why))?;
            }
        }
    }
    table::print_cuts(out, view)
}

fn rules(out: &mut Out, risk: &Risk) -> io::Result<()> {
    for rule in crate::catalog::risk::rules::ALL {
        let found: Vec<&Finding> =
            risk.findings.iter().filter(|finding| finding.rule == *rule).collect();
        if found.is_empty() {
            continue;
        }
        out.line(inert!("  {}[{}]: {}", rule.level.word(), rule.code, rule.reason))?;
        let shown = found.iter().take(PLACES);
        let places: Vec<SafeText> = shown.clone().map(|finding| finding.place()).collect();
        let width = places.iter().map(SafeText::width).max().unwrap_or(0).min(40);
        for (place, finding) in places.iter().zip(shown) {
            let gap = SafeText::spaces(width.saturating_sub(place.width()));
            let row = inert!("    {}{}  {}", place, gap, finding.shown);
            out.line(row.cut(out.columns()))?;
        }
        if found.len() > PLACES {
            out.line(inert!("    … and {} more", found.len() - PLACES))?;
        }
    }
    if risk.more > 0 {
        out.line(inert!("  … and {} more facts", risk.more))?;
    }
    Ok(())
}
