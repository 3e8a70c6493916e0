//! `budget`: what of its skills a host puts into its model's prompt.

use super::Out;
use super::prompt::NamedRow;
use super::table::Signs;
use crate::catalog::Skill;
use crate::inert;
use crate::policy::budget::{Part, Portion};
use crate::runtime::budget::HostForecast;
use crate::text::SafeText;
use schemars::JsonSchema;
use serde::Serialize;
use std::io;
use std::sync::Arc;

/// What hosts tell their models of the skills.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BudgetDocument<'a> {
    /// The hosts.
    hosts: Vec<BudgetRow<'a>>,
}

/// What one host tells its model: a forecast by the host's rule, not its own word.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BudgetRow<'a> {
    /// The host.
    host: &'static str,
    /// The host as people write it, with its version if one is installed.
    name: &'a str,
    /// Its rule in a few words.
    rule: &'static str,
    /// That its version is newer than the one for which the rule was proved.
    #[serde(skip_serializing_if = "str::is_empty")]
    remark: &'a str,
    /// What is counted: `characters`, `tokens` (four bytes each) or `bytes`.
    unit: &'static str,
    /// The most that its list may take; null if there is no limit.
    limit: Option<usize>,
    /// What the list takes.
    used: usize,
    /// What it would take if there were no limit.
    wanted: usize,
    /// What of `used` the host's own skills and the frame of the list take.
    own: usize,
    /// Number of skills that lost something to the limit.
    cut: usize,
    /// The skills that the host would list, in its order.
    skills: Vec<PortionRow<'a>>,
}

/// What the model gets of one skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PortionRow<'a> {
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// `whole`, `shortened`, `name` or `nothing`.
    part: &'static str,
    /// Characters of the description that are left, if it is shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<usize>,
    /// What it takes.
    cost: usize,
    /// What it would take whole.
    whole: usize,
    /// Whether the limit took something away.
    cut: bool,
}

impl<'a> BudgetDocument<'a> {
    pub fn of(forecasts: &'a [HostForecast]) -> Self {
        Self { hosts: forecasts.iter().map(BudgetRow::of).collect() }
    }
}

impl<'a> BudgetRow<'a> {
    fn of(of: &'a HostForecast) -> Self {
        let forecast = &of.forecast;
        let portion = |(skill, portion): (&'a Arc<Skill>, &Portion)| {
            let Portion { part, cost, whole, cut } = *portion;
            let description = if let Part::Shortened(left) = part { Some(left) } else { None };
            PortionRow {
                skill: NamedRow::of(skill),
                part: part.word(),
                description,
                cost,
                whole,
                cut,
            }
        };
        Self {
            host: of.host.word(),
            name: &of.name,
            rule: of.rule,
            remark: &of.remark,
            unit: forecast.unit.word(),
            limit: forecast.limit,
            used: forecast.used(),
            wanted: forecast.wanted(),
            own: forecast.own,
            cut: forecast.cut(),
            skills: of.skills.iter().zip(&forecast.portions).map(portion).collect(),
        }
    }
}

/// Prints one host's list: what stays whole, dearest first, and below a rule what was cut.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, of: &HostForecast, signs: Signs) -> io::Result<()> {
    let mut line = |text: SafeText| out.line(signs.shown(&text));
    line(inert!("{}: {}", of.name, of.forecast.gauge()))?;
    line(inert!("a forecast: {}", of.rule))?;
    if !of.remark.is_empty() {
        line(inert!("{}", of.remark))?;
    }
    let order = of.forecast.by_cost();
    let mut ruled = false;
    line(inert!("{}", ""))?;
    for index in order {
        let (portion, skill) = (of.forecast.portions[index], &of.skills[index]);
        if portion.cut && !ruled {
            ruled = true;
            line(inert!("── {} ──", "the limit is here"))?;
        }
        let cost = SafeText::clean(&format!("{:>7} of {:>6}", portion.cost, portion.whole));
        let part = match portion.part {
            Part::Shortened(left) => inert!("{} characters", left),
            Part::Whole | Part::Name | Part::Nothing => SafeText::fixed(portion.part.word()),
        };
        line(inert!("{}  {}  {}", cost, part.pad(16), SafeText::line(&skill.name)))?;
    }
    Ok(())
}

/// Prints a line for each host.
///
/// # Errors
/// Those of stdout.
pub fn print_several(out: &mut Out, several: &[HostForecast], signs: Signs) -> io::Result<()> {
    let width = several.iter().map(|of| SafeText::line(&of.name).width()).max().unwrap_or(0);
    for of in several {
        let name = SafeText::line(&of.name).pad(width);
        out.line(signs.shown(&inert!("{}  {}", name, of.forecast.gauge())))?;
    }
    Ok(())
}
