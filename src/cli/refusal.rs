//! Why a skill cannot be picked or called, and the cure.

use super::failure::Failure;
use super::target;
use crate::catalog::HostId;
use crate::inert;
use crate::output::selection::{CallError, Refusal};
use crate::output::shell;
use crate::policy::{Entry, Origin};
use crate::runtime::{Asker, LoadError, judge};
use crate::text::SafeText;
use crate::workspace::{ALL, View};

/// Why no mention can be printed for this entry; a further line for each skill that has its name.
pub(super) fn lines(view: &View, index: usize, refusal: &Refusal) -> Vec<SafeText> {
    let name =
        view.rows.entry(index).map(|entry| SafeText::line(&entry.skill.name)).unwrap_or_default();
    let mut lines = vec![inert!("{}: {}", name, SafeText::line(&refusal.to_string()))];
    if let Refusal::Call(CallError::Ambiguous { candidates, .. }) = refusal {
        lines.extend(target::choices(candidates));
    }
    lines
}

/// Why what was found cannot be picked, and the cure (exit 1).
pub(super) fn cannot_be_picked<'a>(
    view: &View,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Failure {
    let why = |entry| sentence(view, entry, &judge(entry, Asker::PERSON).err()?);
    let mut sentences = entries.into_iter().filter_map(why);
    let first =
        sentences.next().unwrap_or_else(|| SafeText::fixed("nothing that was found can be picked"));
    sentences.fold(Failure::missing(first), Failure::with)
}

/// Why a skill is not taken or not on, and the cure; none where something else keeps it back.
pub(super) fn sentence(view: &View, entry: &Entry, error: &LoadError) -> Option<SafeText> {
    let name = SafeText::line(&entry.skill.name);
    Some(match error {
        LoadError::Invalid { code, message } => {
            let (place, message) = (SafeText::path(entry.skill.dir()), SafeText::line(message));
            let why = match view.host.id {
                HostId::AGENTS => SafeText::fixed("cannot be offered"),
                host if host.word() == ALL => SafeText::fixed("is taken by no agent"),
                _ => inert!("is not taken by {}", view.host.name),
            };
            inert!(
                "{} {}: {} ({}); to see why: skillpick check {}",
                name,
                why,
                message,
                *code,
                shell::word(&place)
            )
        }
        LoadError::Off(Origin::Shadowed(winner)) => {
            inert!("{} is shadowed: {} takes {}", name, view.host.name, SafeText::path(winner))
        }
        LoadError::Off(Origin::Skill(word)) => inert!("{} is off by its own text: {}", name, *word),
        LoadError::Off(origin) => {
            let enable = inert!("skillpick enable {}{}", shell::word(&name), option(view));
            inert!("{} is off by {}; to switch it on: {}", name, origin.shown(), enable)
        }
        LoadError::NotForPeople(origin) => {
            inert!("{} is not for a person to call: {}", name, origin.shown())
        }
        _ => return None,
    })
}

/// ` --host H`, where the view is not that of the plain standard.
fn option(view: &View) -> SafeText {
    match view.host.id {
        HostId::AGENTS => SafeText::default(),
        host => inert!(" --host {}", host.word()),
    }
}
