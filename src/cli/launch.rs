//! `--emit launch`: the command line of one session in which skills are off; nothing is written.

use super::failure::{Exit, Failure};
use crate::catalog::Enablement;
use crate::inert;
use crate::output::launch::LaunchDocument;
use crate::output::{Out, shell};
use crate::policy::Glance;
use crate::text::SafeText;
use crate::workspace::View;

/// Prints the line of the view's host, or of each host that sees the skills and has one.
pub(super) fn emit(
    view: &View,
    entries: &[usize],
    (to, json): (Enablement, bool),
    out: &mut Out,
) -> Result<Exit, Failure> {
    if to != Enablement::Off {
        return Err(Failure::failed(SafeText::fixed("the command line of a session can only switch skills off")));
    }
    let mut lines = Vec::new();
    let mut left_out = Vec::new();
    for (place, lens) in view.lenses.iter().enumerate() {
        let seen = |index: &&usize| view.glances.get(place).is_none_or(|glance| takes(view, glance, **index));
        let skills = entries.iter().filter(seen).map(|index| &*view.entries[*index].skill);
        let names: Vec<_> = skills.map(|skill| lens.policy.order.name_of(skill)).collect();
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        if let Some(name) = names.iter().find(|name| !shell::is_plain(name)) {
            let name = SafeText::line(name);
            let why = "the name holds what a command line cannot carry safely";
            return Err(Failure::failed(inert!("{}: {}; switch it off in a settings file", name, why)));
        }
        let line = lens.host.control.launch.filter(|_| !names.is_empty());
        match line.and_then(|line| line(&lens.reading, &names)) {
            Some(line) => lines.push((lens.host.id.word(), line)),
            None => left_out.push(lens.host.name),
        }
    }
    if lines.is_empty() {
        let hosts: Vec<SafeText> = left_out.iter().map(|name| SafeText::fixed(name)).collect();
        let names = SafeText::join(&hosts, ", ");
        let failure =
            Failure::failed(inert!("{}: no option of its program switches a skill off for one session", names));
        return Err(
            failure.with(SafeText::fixed("without --emit launch its settings file is changed; `undo` takes it back"))
        );
    }
    if json {
        out.json(&LaunchDocument::of(&lines))?;
    } else {
        for (_, line) in &lines {
            out.line(&SafeText::line(line))?;
        }
    }
    for name in left_out.iter().filter(|_| view.lenses.len() > 1) {
        out.say(&inert!("{} is left out: it has no such option, or does not see the skill", *name));
    }
    Ok(Exit::Done)
}

/// Whether a host of a view through all of them takes the entry.
fn takes(view: &View, glance: &Glance, index: usize) -> bool {
    let place = u32::try_from(index).unwrap_or(u32::MAX);
    view.entries.get(index).is_some_and(|entry| glance.standing(place, &entry.skill).verdict().is_some())
}
