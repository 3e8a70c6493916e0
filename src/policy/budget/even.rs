//! Codex's rule. A skill is a line with its name, its description and its path. If not all lines
//! fit whole, each description gets one character after the other, in turns, while there is room.
//! If not even the names fit, the last skills are left out. Paths are written from their root on,
//! which has a short name (`r0/pdf/SKILL.md`), unless whole paths take less.

use super::{BYTES_PER_TOKEN, Forecast, ListedSkill, Part, Portion, Unit};
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvenPortions {
    /// Tokens of all lines.
    pub limit: usize,
    /// The most characters of one description.
    pub description: usize,
}

/// What stands for the end of a description that is too long.
const ELLIPSIS: usize = 3;

/// Bytes of the text around the list if paths are whole; and if they begin at roots, without the
/// lines that name the roots.
const WHOLE_FRAME: usize = 451;
const ROOTS_FRAME: usize = 310;

/// A skill's line: the bytes without its description, and those of each part of the description.
struct Line {
    bare: usize,
    /// The bytes of the first characters, for each number of them from 0.
    upto: Vec<usize>,
}

impl Line {
    fn of(skill: &ListedSkill<'_>, locator: usize, most: usize) -> Self {
        // `- name: (file: locator)` and the end of the line.
        let bare = skill.name.len() + locator + "- : (file: )".len() + 1;
        let mut upto = vec![0];
        let long = skill.description.chars().nth(most).is_some();
        let kept = if long { most - ELLIPSIS } else { most };
        let mut bytes = 0;
        for character in skill.description.chars().take(kept) {
            bytes += character.len_utf8();
            upto.push(bytes);
        }
        if long {
            upto.extend((1..=ELLIPSIS).map(|dots| bytes + dots));
        }
        Self { bare, upto }
    }

    /// Tokens of the line with that many characters of its description, before which a blank is put.
    fn cost(&self, characters: usize) -> usize {
        let blank = usize::from(characters > 0);
        tokens(self.bare + self.upto[characters] + blank)
    }

    fn characters(&self) -> usize {
        self.upto.len() - 1
    }

    fn portion(&self, characters: usize) -> Portion {
        let all = self.characters();
        let part = match characters {
            _ if characters == all => Part::Whole,
            0 => Part::Name,
            _ => Part::Shortened(characters),
        };
        Portion { part, cost: self.cost(characters), whole: self.cost(all), cut: characters < all }
    }
}

impl EvenPortions {
    pub(super) fn forecast(&self, skills: &[ListedSkill<'_>]) -> Forecast {
        let whole = |skill: &ListedSkill<'_>| skill.path.as_os_str().len();
        let whole = self.plan(skills, 0, &whole);
        let roots: BTreeSet<&Path> = skills.iter().map(|skill| skill.root).collect();
        let roots: Vec<&Path> = roots.into_iter().collect();
        // `- `r0` = `/path`` and the end of the line.
        let named = |(at, root): (usize, &&Path)| {
            format!("- `r{at}` = ``").len() + root.as_os_str().len() + 1
        };
        let frame = ROOTS_FRAME + roots.iter().enumerate().map(named).sum::<usize>();
        let own = tokens(frame).saturating_sub(tokens(WHOLE_FRAME));
        let short = |skill: &ListedSkill<'_>| {
            let alias = roots.binary_search(&skill.root).unwrap_or_default();
            let below = skill.path.strip_prefix(skill.root).unwrap_or(skill.path);
            format!("r{alias}/").len() + below.as_os_str().len()
        };
        let short = self.plan(skills, own, &short);
        if own < self.limit && is_better(&short, &whole) { short } else { whole }
    }

    /// The forecast if a path takes so many bytes and the text around the list so many tokens more.
    fn plan(
        &self,
        skills: &[ListedSkill<'_>],
        own: usize,
        locator: &dyn Fn(&ListedSkill<'_>) -> usize,
    ) -> Forecast {
        let line = |skill: &ListedSkill<'_>| Line::of(skill, locator(skill), self.description);
        let lines: Vec<Line> = skills.iter().map(line).collect();
        let sum = |cost: &dyn Fn(&Line) -> usize| lines.iter().map(cost).sum::<usize>();
        let limit = self.limit.saturating_sub(own);
        let portions = if sum(&|line| line.cost(line.characters())) <= limit {
            lines.iter().map(|line| line.portion(line.characters())).collect()
        } else {
            match limit.checked_sub(sum(&|line| line.cost(0))) {
                Some(room) => in_turns(&lines, room),
                None => Self::names(&lines, limit),
            }
        };
        Forecast { unit: Unit::Tokens, limit: Some(self.limit), own, portions }
    }

    /// Names alone, as far as they fit.
    fn names(lines: &[Line], limit: usize) -> Vec<Portion> {
        let mut used = 0;
        let portion = |line: &Line| {
            let portion = line.portion(0);
            if used + portion.cost <= limit {
                used += portion.cost;
                return portion;
            }
            Portion { part: Part::Nothing, cost: 0, cut: true, ..portion }
        };
        lines.iter().map(portion).collect()
    }
}

fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Whether one list has more skills than another, or more of their descriptions, or is shorter.
fn is_better(one: &Forecast, other: &Forecast) -> bool {
    let left_out = |portion: &&Portion| portion.part == Part::Nothing;
    let lost = |forecast: &Forecast| {
        let left_out = forecast.portions.iter().filter(left_out).count();
        (left_out, forecast.wanted() - forecast.used(), forecast.used())
    };
    lost(one) < lost(other)
}

/// A character for each description in turn, as long as one of them finds room.
fn in_turns(lines: &[Line], mut room: usize) -> Vec<Portion> {
    let mut given = vec![0; lines.len()];
    let mut growing: Vec<usize> = (0..lines.len()).collect();
    loop {
        let before = growing.len();
        let mut changed = false;
        growing.retain(|index| {
            let (line, characters) = (&lines[*index], &mut given[*index]);
            if *characters == line.characters() {
                return false;
            }
            let more = line.cost(*characters + 1) - line.cost(*characters);
            if more <= room {
                room -= more;
                *characters += 1;
                changed = true;
            }
            true
        });
        if !changed && growing.len() == before {
            break;
        }
    }
    lines.iter().zip(given).map(|(line, characters)| line.portion(characters)).collect()
}
