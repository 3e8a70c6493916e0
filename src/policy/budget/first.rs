//! Codelia's rule. Skills are listed whole, by name, up to the first that does not fit. Only their
//! elements count, not the text around them.

use super::{Forecast, ListedSkill, Part, Portion, Unit};
use crate::catalog::Scope;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstThatFit {
    /// The most skills.
    pub entries: usize,
    /// Bytes of all elements.
    pub bytes: usize,
}

/// An element without its texts.
const FRAME: &str = "  <skill>\n    <name></name>\n    <description></description>\n    \
                     <path></path>\n    <scope></scope>\n  </skill>\n";

impl FirstThatFit {
    pub(super) fn forecast(&self, skills: &[ListedSkill<'_>]) -> Forecast {
        let (mut count, mut used, mut ended) = (0, 0, false);
        let portion = |skill: &ListedSkill<'_>| {
            let whole = element(skill);
            ended |= count == self.entries || used + whole > self.bytes;
            if ended {
                return Portion { part: Part::Nothing, cost: 0, whole, cut: true };
            }
            (count, used) = (count + 1, used + whole);
            Portion::whole(whole)
        };
        let portions = skills.iter().map(portion).collect();
        Forecast { unit: Unit::Bytes, limit: Some(self.bytes), own: 0, portions }
    }
}

fn element(skill: &ListedSkill<'_>) -> usize {
    let scope = if skill.scope == Scope::User { "user" } else { "repo" };
    let texts = [&*skill.name, &*skill.description, &*skill.path.to_string_lossy(), scope];
    FRAME.len() + texts.into_iter().map(escaped).sum::<usize>()
}

/// Bytes of a text in XML.
fn escaped(text: &str) -> usize {
    let width = |byte| match byte {
        b'&' => "&amp;".len(),
        b'"' => "&quot;".len(),
        b'<' | b'>' => "&lt;".len(),
        _ => 1,
    };
    text.bytes().map(width).sum()
}
