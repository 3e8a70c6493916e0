//! Copilot CLI's rule. Skills are listed whole, in its order, up to the first that does not fit.
//! The names of the others follow in one line, which has a limit as well.

use super::{Forecast, ListedSkill, Part, Portion, Unit};
use crate::catalog::Scope;

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
        let (mut full, mut ended) = (false, false);
        let portion = |skill: &ListedSkill<'_>| {
            let name = escaped(&skill.name);
            let place = if skill.scope == Scope::User { "user" } else { "project" };
            let whole = FRAME.len() + name + escaped(&skill.description) + place.len();
            full |= used + whole > self.limit;
            if !full {
                used += whole;
                return Portion::whole(whole);
            }
            let separator = if names == 0 { 0 } else { ", ".len() };
            ended |= names + separator + name > self.names;
            if !ended {
                names += separator + name;
                return Portion { part: Part::Name, cost: 0, whole, cut: true };
            }
            Portion { part: Part::Nothing, cost: 0, whole, cut: true }
        };
        let portions = skills.iter().map(portion).collect();
        Forecast { unit: Unit::Characters, limit: Some(self.limit), own: 0, portions }
    }
}

/// Characters of a text in XML, as a program in JavaScript counts them: in UTF-16.
fn escaped(text: &str) -> usize {
    let width = |character| match character {
        '&' => "&amp;".len(),
        '<' | '>' => "&lt;".len(),
        '"' | '\'' => "&quot;".len(),
        letter => letter.len_utf16(),
    };
    text.chars().map(width).sum()
}
