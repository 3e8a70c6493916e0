//! `skillpick show NAME --diff`.

use super::{Exit, Failure, find, target};
use crate::inert;
use crate::output::Out;
use crate::output::compare::{self, DiffDocument, Pair};
use crate::runtime::CallContext;
use crate::workspace::View;

/// The skills to compare.
pub(super) struct Compared<'a> {
    pub(super) name: &'a str,
    /// `None` means every other skill of this name.
    pub(super) other: Option<&'a str>,
    pub(super) json: bool,
}

/// Compares a skill with another one, or with every other skill of its name.
pub(super) fn run(
    caller: &CallContext<'_>,
    asked: &Compared<'_>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let view = caller.view;
    let Compared { name, other, json } = *asked;
    let one = |argument: &str| target::one(caller, argument);
    let (first, others) = match other {
        Some(other) => (one(name)?, vec![one(other)?]),
        None => {
            // Skills of the same name are compared, so a name that is not unique is no error.
            let first = match carriers(view, name.trim()).as_slice() {
                [first, _, ..] => *first,
                _ => one(name)?,
            };
            let mut others = carriers(view, view.rows[first].entry.skill.name.trim());
            others.retain(|index| *index != first);
            (first, others)
        }
    };
    if others.is_empty() {
        let failure = Failure::missing(inert!(
            "no other skill here is named {}",
            view.rows[first].entry.skill.name
        ));
        return Err(failure.with(find::EVERY));
    }
    let mut pairs = Vec::new();
    for index in others {
        let (one, other) = (&*view.rows[first].entry.skill, &*view.rows[index].entry.skill);
        let comparison = crate::workspace::compare(one, other).map_err(|(path, refusal)| {
            Failure::failed(inert!("{}: {}", path, refusal.to_string()))
        })?;
        pairs.push(Pair { one, other, comparison });
    }
    if json {
        out.json(&DiffDocument::of(&pairs))?;
    } else {
        compare::print(out, &pairs)?;
    }
    Ok(Exit::Done)
}

/// The entries of this name, in the order of the view.
fn carriers(view: &View, name: &str) -> Vec<usize> {
    (0..view.rows.len()).filter(|index| view.rows[*index].entry.skill.name.trim() == name).collect()
}
