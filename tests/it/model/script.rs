//! Presses keys, `script(&mut state, "pdf<tab><enter>")`, and says in words what the model
//! requests.

use super::catalog::TestCatalog;
use ratatui::layout::Rect;
use skillpick::catalog::HostId;
use skillpick::text::SafeText;
use skillpick::tui::app::{
    ChangeRequest, Effect, Exit, Msg, Options, Plan, PlannedFile, State, Timer, Viewed, update,
};
use skillpick::tui::app::{DiffKind, RuleDraft, Screen};
use skillpick::tui::keymap::{Chord, Keymap, Meaning};
use std::path::Path;
use std::sync::LazyLock;

static KEYMAP: LazyLock<Keymap> = LazyLock::new(Keymap::default);

/// A picker of 100 × 30 with the shop's catalog.
pub(crate) fn shop() -> State {
    open((100, 30), TestCatalog::shop().view())
}

/// A picker with a view.
pub(crate) fn open((columns, rows): (u16, u16), viewed: Viewed) -> State {
    let mut state = unopened((columns, rows), false);
    update(&mut state, Msg::Viewed(Box::new(viewed)));
    state
}

/// A picker before the first view.
pub(crate) fn unopened((columns, rows): (u16, u16), ascii: bool) -> State {
    let bindings = KEYMAP.bindings(ascii);
    let options = Options {
        multi: true,
        ascii,
        host: "agents",
        hosts: vec![HostId::AGENTS],
        mouse: true,
        bindings,
    };
    State::new(Rect::new(0, 0, columns, rows), options, "", None)
}

/// Presses keys: characters as they stand, others as `<name>`: `<enter>`, `<ctrl-x>`, `<lt>` for
/// `<`.
pub(crate) fn script(state: &mut State, keys: &str) -> Vec<Effect> {
    split(keys).iter().flat_map(|key| press(state, key)).collect()
}

pub(crate) fn press(state: &mut State, key: &str) -> Vec<Effect> {
    match meaning(state, key) {
        Meaning::Action(action) => update(state, Msg::Action(action)),
        Meaning::Text(character) => update(state, Msg::Text(character)),
        Meaning::Nothing => Vec::new(),
    }
}

pub(crate) fn meaning(state: &State, key: &str) -> Meaning {
    KEYMAP.meaning(state.context(), Chord::read(key).unwrap_or_else(|| panic!("{key} is no key")))
}

pub(crate) fn split(keys: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let (name, after) = match rest.strip_prefix('<').and_then(|inner| inner.split_once('>')) {
            Some((name, after)) => (name.to_owned(), after),
            None => (first.to_string(), &rest[first.len_utf8()..]),
        };
        names.push(match name.as_str() {
            "lt" => "<".to_owned(),
            " " => "space".to_owned(),
            _ => name,
        });
        rest = after;
    }
    names
}

/// Presses keys and returns the effects in words, without requests that only read or wait.
pub(crate) fn effects(state: &mut State, keys: &str) -> Vec<String> {
    in_words(&script(state, keys))
}

/// Effects in words, without those that only read or wait.
pub(crate) fn in_words(effects: &[Effect]) -> Vec<String> {
    effects.iter().filter_map(in_word).collect()
}

fn in_word(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Preview(_)
        | Effect::Learn(_)
        | Effect::Excerpt(_)
        | Effect::SearchBodies(_)
        | Effect::Wait(..)
        | Effect::FindHosts
        | Effect::ReadActivity
        | Effect::ReportHosts => {
            return None;
        }
        Effect::Exit(Exit::Left) => "left".into(),
        Effect::Exit(Exit::Picked(paths)) => format!("picked {}", names(paths)),
        Effect::Scan => "scan".into(),
        Effect::Plan(ChangeRequest::Switch { paths, to }) => {
            format!("plan {} {}", to.word(), names(paths))
        }
        Effect::Plan(ChangeRequest::Rules { drafts, .. }) => {
            format!("plan {}", drafts.iter().map(draft).collect::<Vec<_>>().join("; "))
        }
        Effect::PlanThrough(host, ChangeRequest::Switch { paths, to }) => {
            format!("plan in {host} {} {}", to.word(), names(paths))
        }
        Effect::PlanThrough(host, ChangeRequest::Rules { .. }) => format!("plan rules in {host}"),
        Effect::LookThrough(host) => format!("look through {host}"),
        Effect::Share(path, host) => format!("share {} {host}", names(std::slice::from_ref(path))),
        Effect::Unshare(path, host) => {
            format!("unshare {} {host}", names(std::slice::from_ref(path)))
        }
        Effect::Compare(path) => format!("compare {}", names(std::slice::from_ref(path))),
        Effect::Save(number) => format!("save {number}"),
        Effect::Undo => "undo".into(),
        Effect::Edit(path, line) => format!("edit {}:{line}", path.display()),
        Effect::Copy(form, paths) => format!("copy {form:?} {}", names(paths)),
        Effect::CopyLines(lines) => {
            format!(
                "copy lines {}",
                lines.iter().map(SafeText::as_str).collect::<Vec<_>>().join(" | ")
            )
        }
        Effect::Suspend => "suspend".into(),
        Effect::Repaint => "repaint".into(),
        Effect::TakeMouse(taken) => format!("mouse {taken}"),
    })
}

/// A rule as it would be saved: `deny internal-* user`.
pub(crate) fn draft(draft: &RuleDraft) -> String {
    format!("{} {} {}", draft.effect.word(), draft.pattern, draft.layer.word())
}

fn names<P: AsRef<Path>>(paths: &[P]) -> String {
    let name = |path: &P| {
        path.as_ref().parent().unwrap().file_name().unwrap().to_string_lossy().into_owned()
    };
    paths.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The names on the picker's rows.
pub(crate) fn rows(state: &State) -> Vec<String> {
    (0..state.picker.hits().len())
        .filter_map(|row| state.picker.entry(&state.viewed, row))
        .map(|entry| entry.skill.name.clone())
        .collect()
}

/// The name on the current row.
pub(crate) fn current(state: &State) -> &str {
    state.current().map_or("", |entry| entry.skill.name.as_str())
}

/// Moves the picker's cursor to the first row of this name.
pub(crate) fn go_to(state: &mut State, name: &str) {
    let row = rows(state)
        .iter()
        .position(|row| row == name)
        .unwrap_or_else(|| panic!("{name} has no row"));
    script(state, "<home>");
    for _ in 0..row {
        script(state, "<down>");
    }
    assert_eq!(current(state), name);
}

/// The notice's words; empty if there is none.
pub(crate) fn notice(state: &State) -> &str {
    state.notice.as_ref().map_or("", |notice| notice.text.as_str())
}

/// The topmost screen's name.
pub(crate) fn top(state: &State) -> &'static str {
    match state.screens.last() {
        None => "picker",
        Some(Screen::Detail(_)) => "detail",
        Some(Screen::Problems(_)) => "problems",
        Some(Screen::Rules(_)) => "rules",
        Some(Screen::Help(_)) => "help",
        Some(Screen::Confirm(_)) => "confirm",
        Some(Screen::Copy(_)) => "copy",
        Some(Screen::Hosts(_)) => "hosts",
        Some(Screen::Seen(_)) => "seen",
        Some(Screen::Compare(_)) => "compare",
        Some(Screen::Activity(_)) => "activity",
    }
}

/// A plan for one file, as the workspace would send it.
pub(crate) fn plan(number: u64, ask: bool) -> Plan {
    let diff = vec![
        (DiffKind::Header, SafeText::fixed("@@ -8,3 +8,7 @@")),
        (DiffKind::Context, SafeText::fixed(" # what I never need here")),
        (DiffKind::Removed, SafeText::fixed("-enabled = true")),
        (DiffKind::Added, SafeText::fixed("+[[skills.config]]")),
        (
            DiffKind::Added,
            SafeText::fixed("+path = \"/code/shop/.agents/skills/pdf-forms/SKILL.md\""),
        ),
        (DiffKind::Added, SafeText::fixed("+enabled = false")),
    ];
    let path = SafeText::fixed("/code/shop/.skillpick.toml (project)");
    Plan {
        number,
        summary: SafeText::fixed("turn pdf-forms off"),
        files: vec![PlannedFile { path, diff }],
        effects: vec![(
            SafeText::fixed("pdf-forms"),
            SafeText::fixed("on · ask"),
            SafeText::fixed("off · deny"),
        )],
        ask,
    }
}

/// Sends a plan, and lets it be visible long enough to be confirmed.
pub(crate) fn planned(state: &mut State, number: u64, ask: bool) -> Vec<String> {
    let effects = update(state, Msg::Planned(Ok(Box::new(plan(number, ask)))));
    update(state, Msg::Waited(Timer::Confirm(number)));
    in_words(&effects)
}
