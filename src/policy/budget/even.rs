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
/// lines that name the roots. Found by trying: the two values with which the forecast is what Codex
/// sends for all generated catalogs (`the_forecast_is_what_codex_sends` in
/// `tests/hosts/budget.rs`).
const WHOLE_FRAME: usize = 451;
const ROOTS_FRAME: usize = 310;

/// A skill's line.
struct Line<'a> {
    /// Bytes of the line without a description.
    bare: usize,
    /// The description, as far as it may be listed.
    text: &'a str,
    /// How many characters stand for the rest of it.
    dots: usize,
    /// The characters of both.
    characters: usize,
}

/// The beginning of a description that is listed. It is counted on from character to character,
/// since a table of all beginnings would take eight times the memory of the description.
#[derive(Clone, Copy, Default)]
struct Given {
    characters: usize,
    bytes: usize,
}

impl<'a> Line<'a> {
    fn of(skill: &'a ListedSkill<'_>, locator: usize, most: usize) -> Self {
        // `- name: (file: locator)` and the end of the line.
        let bare = skill.name.len() + locator + "- : (file: )".len() + 1;
        let description = &*skill.description;
        let end_of = |count| description.char_indices().nth(count).map(|(at, _)| at);
        let long = end_of(most).is_some();
        let (kept, dots) = if long { (most - ELLIPSIS, ELLIPSIS) } else { (most, 0) };
        let text = end_of(kept).map_or(description, |end| &description[..end]);
        Self { bare, text, dots, characters: text.chars().count() + dots }
    }

    fn whole(&self) -> Given {
        Given { characters: self.characters, bytes: self.text.len() + self.dots }
    }

    /// What is given with one character more. Those that stand for the rest have one byte.
    fn more(&self, given: Given) -> Given {
        let rest = self.text.get(given.bytes..).unwrap_or_default();
        let width = rest.chars().next().map_or(1, char::len_utf8);
        Given { characters: given.characters + 1, bytes: given.bytes + width }
    }

    /// Tokens of the line with this much of its description, before which a blank is put.
    fn cost(&self, given: Given) -> usize {
        let blank = usize::from(given.characters > 0);
        tokens(self.bare + given.bytes + blank)
    }

    fn portion(&self, given: Given) -> Portion {
        let (all, characters) = (self.characters, given.characters);
        let part = match characters {
            _ if characters == all => Part::Whole,
            0 => Part::Name,
            _ => Part::Shortened(characters),
        };
        let (cost, whole) = (self.cost(given), self.cost(self.whole()));
        Portion { part, cost, whole, cut: characters < all }
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
        let line = |skill| Line::of(skill, locator(skill), self.description);
        let lines: Vec<Line> = skills.iter().map(line).collect();
        let sum = |cost: &dyn Fn(&Line) -> usize| lines.iter().map(cost).sum::<usize>();
        let limit = self.limit.saturating_sub(own);
        let portions = if sum(&|line| line.cost(line.whole())) <= limit {
            lines.iter().map(|line| line.portion(line.whole())).collect()
        } else {
            match limit.checked_sub(sum(&|line| line.cost(Given::default()))) {
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
            let portion = line.portion(Given::default());
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
    let mut given = vec![Given::default(); lines.len()];
    let mut growing: Vec<usize> = (0..lines.len()).collect();
    loop {
        let before = growing.len();
        let mut changed = false;
        growing.retain(|index| {
            let (line, given) = (&lines[*index], &mut given[*index]);
            if given.characters == line.characters {
                return false;
            }
            let next = line.more(*given);
            let more = line.cost(next) - line.cost(*given);
            if more <= room {
                room -= more;
                *given = next;
                changed = true;
            }
            true
        });
        if !changed && growing.len() == before {
            break;
        }
    }
    lines.iter().zip(given).map(|(line, given)| line.portion(given)).collect()
}
