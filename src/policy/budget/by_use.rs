//! Claude Code's rule. Every skill keeps its name. What is left of the limit goes to descriptions,
//! those of the most used skills first, each whole or not at all. Its own skills keep theirs.

use super::{Forecast, ListedSkill, Part, Portion, Unit};
use crate::text::width;
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq)]
pub struct ByUse {
    /// Columns of the whole list, which it calls characters.
    pub limit: usize,
    /// The most characters of one description.
    pub description: usize,
    /// The agent's own skills, which keep their descriptions: the columns of name and description.
    pub own: &'static [(usize, usize)],
    /// The agent's own commands, which are treated as skills are, after them.
    pub commands: &'static [(usize, usize)],
    /// How much skills were used, by name; a skill that is not in it never was.
    pub uses: HashMap<String, f64>,
}

/// `- ` before a name, `: ` after it, and the end of the line.
const NAME: usize = 3;
const COLON: usize = 2;

impl ByUse {
    pub(super) fn forecast(&self, skills: &[ListedSkill<'_>]) -> Forecast {
        let lines: Vec<(usize, usize)> = skills.iter().map(|skill| self.line(skill)).collect();
        let line =
            |(name, text): &(usize, usize)| (name + NAME, text.min(&self.description) + COLON);
        let commands: Vec<(usize, usize)> = self.commands.iter().map(line).collect();
        let sum =
            |lines: &[(usize, usize)]| lines.iter().map(|(name, text)| name + text).sum::<usize>();
        let own = sum(&self.own.iter().map(line).collect::<Vec<_>>());
        let portion = |(skill, (name, described)): (&ListedSkill<'_>, &(usize, usize))| Portion {
            part: if skill.name_only { Part::Name } else { Part::Whole },
            ..Portion::whole(name + described)
        };
        let mut forecast = Forecast {
            unit: Unit::Characters,
            limit: Some(self.limit),
            own: own + sum(&commands),
            portions: skills.iter().zip(&lines).map(portion).collect(),
        };
        // The last line has no end.
        if forecast.used().saturating_sub(1) <= self.limit {
            return forecast;
        }
        let names = lines.iter().chain(&commands).map(|(name, _)| name).sum::<usize>();
        let names = names + own;
        let mut room = (self.limit + 1).saturating_sub(names);
        let mut order: Vec<usize> =
            (0..skills.len()).filter(|index| !skills[*index].name_only).collect();
        let weight = |index: &usize| self.uses.get(&*skills[*index].name).copied().unwrap_or(0.0);
        order.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
        for index in order {
            let (name, described) = lines[index];
            if described <= room {
                room -= described;
            } else {
                let whole = name + described;
                forecast.portions[index] =
                    Portion { part: Part::Name, cost: name, whole, cut: true };
            }
        }
        for (_, described) in commands {
            if described <= room {
                room -= described;
            } else {
                forecast.own -= described;
            }
        }
        forecast
    }

    /// The columns of a description, whose end is replaced by an ellipsis if it is too long. What
    /// is too long is counted in UTF-16, as programs in JavaScript do.
    fn described(&self, description: &str) -> usize {
        if description.encode_utf16().count() <= self.description {
            return width(description);
        }
        let mut left = self.description - 1;
        let fits = |letter: &char| {
            let fits = letter.len_utf16() <= left;
            left = left.saturating_sub(letter.len_utf16());
            fits
        };
        width(&description.chars().take_while(fits).collect::<String>()) + 1
    }

    /// The columns of a skill's name and of its description in the list.
    fn line(&self, skill: &ListedSkill<'_>) -> (usize, usize) {
        if skill.name_only {
            return (width(&skill.name) + NAME, 0);
        }
        // The name in the frontmatter can be called as well, so it stands behind the folder's.
        let also = skill.said != skill.name && is_name(skill.said);
        let also = if also { width(skill.said) + " ()".len() } else { 0 };
        (width(&skill.name) + also + NAME, self.described(&skill.description) + COLON)
    }
}

/// Whether Claude Code takes a text for the name of a skill.
fn is_name(text: &str) -> bool {
    let may = |letter: char| letter.is_alphanumeric() || "_:.-".contains(letter);
    !text.is_empty() && text.chars().all(may)
}
