//! Copilot CLI's rule. Skills are listed whole, in its order, up to a limit. The names of the next
//! ones follow in one line, which has a limit as well.

use super::{Forecast, ListedSkill, Part, Share, Unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamesBeyond {
    /// Characters of the skills that are listed whole.
    pub limit: usize,
    /// Characters of the names of the others.
    pub names: usize,
}

/// What stands around a skill's name, description and place.
const FRAME: &str =
    "<skill>\n  <name></name>\n  <description></description>\n  <location></location>\n</skill>\n";

impl NamesBeyond {
    pub(super) fn forecast(&self, skills: &[ListedSkill<'_>]) -> Forecast {
        let (mut used, mut names) = (0, 0);
        let share = |skill: &ListedSkill<'_>| {
            let name = escaped(&skill.name);
            let whole = FRAME.len() + name + escaped(&skill.description) + "project".len();
            if used + whole <= self.limit {
                used += whole;
                return Share::whole(whole);
            }
            let separator = if names == 0 { 0 } else { ", ".len() };
            if names + separator + name <= self.names {
                names += separator + name;
                return Share { part: Part::Name, cost: 0, whole, cut: true };
            }
            Share { part: Part::Nothing, cost: 0, whole, cut: true }
        };
        let shares = skills.iter().map(share).collect();
        Forecast { unit: Unit::Characters, limit: Some(self.limit), own: 0, shares }
    }
}

/// Characters of a text in XML.
fn escaped(text: &str) -> usize {
    let width = |character| match character {
        '&' => "&amp;".len(),
        '<' | '>' => "&lt;".len(),
        '"' | '\'' => "&quot;".len(),
        _ => 1,
    };
    text.chars().map(width).sum()
}
