//! Why a skill cannot be picked or called, and the cure.

use super::failure::Failure;
use super::target;
use crate::catalog::HostId;
use crate::inert;
use crate::output::selection::Refusal;
use crate::output::shell;
use crate::policy::{Entry, Origin};
use crate::text::SafeText;
use crate::workspace::{ALL, View};

/// Why no mention can be printed for this entry; a further line for each skill that has its name.
pub(super) fn lines(view: &View, index: usize, refusal: &Refusal) -> Vec<SafeText> {
    let name = view.entries.get(index).map(|entry| SafeText::line(&entry.skill.name)).unwrap_or_default();
    let mut lines = vec![inert!("{}: {}", name, SafeText::line(&refusal.to_string()))];
    if let Refusal::Ambiguous { candidates, .. } = refusal {
        lines.extend(target::choices(candidates));
    }
    lines
}

/// Why what was found cannot be picked, and the cure (exit 1).
pub(super) fn cannot_be_picked<'a>(view: &View, entries: impl IntoIterator<Item = &'a Entry>) -> Failure {
    let mut sentences = entries.into_iter().map(|entry| sentence(view, entry));
    let first = sentences.next().unwrap_or_else(|| SafeText::fixed("nothing that was found can be picked"));
    sentences.fold(Failure::missing(first), Failure::with)
}

fn sentence(view: &View, entry: &Entry) -> SafeText {
    let name = SafeText::line(&entry.skill.name);
    if let Some(check) = entry.refused {
        let place = SafeText::path(entry.skill.dir());
        let why = match view.host.id {
            HostId::AGENTS => SafeText::fixed("cannot be offered"),
            host if host.word() == ALL => inert!("is taken by no agent ({})", check.code),
            _ => inert!("is not taken by {} ({})", view.host.name, check.code),
        };
        return inert!("{} {}; to see why: skillpick check {}", name, why, shell::word(&place));
    }
    let origin = &entry.verdict.user.origin;
    let text = SafeText::line(origin.text());
    if let Origin::Shadowed(winner) = origin {
        return inert!("{} is shadowed: {} takes {}", name, view.host.name, SafeText::path(winner));
    }
    if let Origin::Skill(_) = origin {
        return inert!("{} is not for a person to call: {}", name, text);
    }
    let by = match origin.place() {
        Some((file, line)) => inert!("{} ({}:{})", text, SafeText::path(file), line),
        None => text,
    };
    inert!("{} is off by {}; to switch it on: skillpick enable {}{}", name, by, shell::word(&name), option(view))
}

/// ` --host H`, where the view is not that of the plain standard.
fn option(view: &View) -> SafeText {
    match view.host.id {
        HostId::AGENTS => SafeText::default(),
        host => inert!(" --host {}", host.word()),
    }
}
