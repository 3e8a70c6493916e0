//! What a hint says that its key does here.

use crate::inert;
use crate::text::SafeText;
use crate::tui::app::choose::any_on;
use crate::tui::app::{
    Action, Chosen, Compose, Focus, Group, GroupBy, ProblemRow, Problems, ProjectRow, Rules,
    Screen, State, Way,
};

pub(super) fn label(state: &State, action: Action) -> SafeText {
    match state.screens.last() {
        Some(Screen::Compose(compose)) => compose_label(compose, action),
        _ => screen_label(state, action),
    }
}

/// What the switch does with all that is marked.
fn marked_words(state: &State) -> SafeText {
    let to = if any_on(state, &state.chosen()) { "off" } else { "on" };
    inert!("{} {} marked", to, state.marks.count())
}

/// What Enter does with the row of a problem.
fn on_enter(problems: &Problems) -> &'static str {
    match problems.current() {
        Some(ProblemRow::Alarm(_)) => "open settings",
        Some(
            ProblemRow::Group(Group { open: true, .. }) | ProblemRow::Cosmetic { open: true, .. },
        ) => "fold",
        Some(ProblemRow::Group(_) | ProblemRow::Cosmetic { .. }) => "unfold",
        _ => "show skill",
    }
}

fn screen_label(state: &State, action: Action) -> SafeText {
    let top = state.screens.last();
    let is_list = matches!(top, Some(Screen::Problems(_) | Screen::Activity(_)));
    let is_finding = is_list && top.is_some_and(|top| top.line().is_some());
    match (action, top) {
        (Action::Accept, _) if is_finding => SafeText::fixed("done"),
        (Action::Pick, None) => pick_words(state),
        (Action::Seen, None) => SafeText::fixed("share"),
        (Action::Toggle, None) if state.marks.count() > 0 => marked_words(state),
        (Action::Toggle, Some(Screen::Budget(_))) => SafeText::fixed("off"),
        (Action::Share, Some(Screen::Seen(seen))) => {
            SafeText::fixed(seen.share_word(state).unwrap_or_default())
        }
        (Action::Mend, Some(Screen::Problems(problems))) if problems.count_chosen(state) > 0 => {
            inert!("mend {} chosen", problems.count_chosen(state))
        }
        (Action::Sort, Some(Screen::Problems(problems))) => SafeText::fixed(match problems.by {
            GroupBy::Check => "by skill",
            GroupBy::Skill => "by cause",
        }),
        (Action::Accept, Some(Screen::Problems(problems))) => SafeText::fixed(on_enter(problems)),
        (Action::Accept, Some(Screen::Project(project))) => {
            SafeText::fixed(match project.current() {
                Some((ProjectRow::Skill(_), row)) if project.is_open(row) => "fold",
                Some((ProjectRow::Change(_), _)) => "diff",
                _ => "history",
            })
        }
        (Action::Store, Some(Screen::Project(project))) => {
            let offered = project.offered.as_ref().and_then(|path| state.entry(path));
            offered.map_or_else(SafeText::default, |entry| inert!("add {}", entry.skill.name))
        }
        (Action::Accept, Some(Screen::Changes(_))) => SafeText::fixed("diff"),
        (Action::Accept, Some(Screen::Prefer(_))) => SafeText::fixed("pick for it"),
        (Action::Accept, Some(Screen::Copies(copies))) if copies.name().is_some() => {
            SafeText::fixed("rename")
        }
        (Action::Accept, Some(Screen::Budget(_) | Screen::Copies(_))) => SafeText::fixed("open"),
        (Action::Accept, Some(Screen::Help(_))) => SafeText::fixed("run"),
        (Action::Accept, Some(Screen::Copy(_))) => SafeText::fixed("copy"),
        (Action::Accept, Some(Screen::Hosts(_) | Screen::Seen(_))) => {
            SafeText::fixed("show its view")
        }
        (Action::Accept, Some(Screen::Activity(activity))) => {
            SafeText::fixed(if activity.on_open() { "close" } else { "details" })
        }
        (Action::CopyCall, Some(Screen::Activity(activity))) => match activity.field() {
            Some((label, _)) => inert!("copy {}", label),
            None => SafeText::fixed("copy"),
        },
        (Action::Narrow, Some(Screen::Activity(activity))) if activity.only.is_some() => {
            SafeText::fixed("all skills")
        }
        (Action::Accept, Some(Screen::Confirm(_))) => SafeText::fixed("write"),
        (Action::Accept, Some(Screen::Detail(detail))) if detail.find.is_none() => {
            SafeText::fixed(match detail.focus {
                Focus::Text => "follow",
                Focus::Tree => "fold",
            })
        }
        (Action::Accept, Some(_)) => SafeText::fixed("done"),
        (Action::Back, Some(_)) => SafeText::fixed("cancel"),
        (Action::Right, Some(Screen::Detail(_))) => SafeText::fixed("read"),
        (Action::Next, Some(Screen::Detail(_))) => SafeText::fixed("link"),
        (Action::Left, Some(Screen::Detail(_))) => SafeText::fixed("files"),
        (Action::Save, Some(Screen::Rules(rules))) if !Rules::is_unsaved(rules) => {
            SafeText::fixed("save")
        }
        _ => SafeText::fixed(action.hint()),
    }
}

fn compose_label(compose: &Compose, action: Action) -> SafeText {
    SafeText::fixed(match action {
        Action::Accept if compose.takes_by_enter() => "take",
        Action::Target if compose.offers() => "take",
        Action::Accept if compose.way == Way::Pane => "into its prompt",
        Action::Accept if compose.way == Way::Back => "put it back",
        Action::Accept => "send",
        Action::Up => "history",
        Action::Edit => "$EDITOR",
        Action::Back if compose.completion.is_some() => "close",
        Action::Back => "keep draft",
        Action::Inject if compose.inject => "names only",
        other => other.hint(),
    })
}

/// How many skills Enter picks, if there are marks.
pub(super) fn pick_count(chosen: &Chosen) -> SafeText {
    match chosen.marked {
        true => inert!("pick {}", chosen.paths.len()),
        false => SafeText::fixed(Action::Pick.hint()),
    }
}

/// How many skills Enter picks, for which agent, and which marked skills the query hides.
fn pick_words(state: &State) -> SafeText {
    let chosen = state.chosen();
    let hidden = state.hidden_words(&chosen).map(|hidden| inert!("({})", hidden));
    let whom = match state.asks_for_whom(&chosen) {
        true => Some(SafeText::fixed("(asks for which agent)")),
        false => state.for_whom(&chosen),
    };
    let words = [Some(pick_count(&chosen)), whom, hidden];
    SafeText::join(words.into_iter().flatten(), " ")
}
