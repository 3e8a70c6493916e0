//! The skills of a project in a store, and the history of one.

use super::paint::{Painter, Shown, Strip, shown};
use super::theme::Meaning;
use super::used::ago;
use crate::inert;
use crate::text::SafeText;
use crate::tui::app::{Action, KeyTable, Project, ProjectRow, State, StoredRow};
use ratatui::layout::Position;

/// The most columns of a name.
const NAME: usize = 24;

pub(super) fn draw(state: &State, project: &Project, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    let about = match &project.content {
        Some(Ok(content)) => content.about.clone(),
        _ => SafeText::default(),
    };
    painter.frame(&panes, "Project", &about);
    match &project.content {
        None => painter.note(panes.left, " reading the store…"),
        Some(Err(why)) => painter.words(panes.left, &[(why.clone(), Meaning::Error)]),
        Some(Ok(content)) if content.skills.is_empty() => {
            painter.words(panes.left, &empty(state, project));
        }
        Some(Ok(_)) => {}
    }
    let rows = project.rows();
    for row in shown(panes.left, &project.list, &rows) {
        if let Some(stored) = project.row(*row.item) {
            let name = NAME.min(usize::from(panes.left.width / 3));
            painter.strip(row.area, &line(state, project, (stored, name), &row));
        }
    }
    painter.scroll_bar(panes.left, project.list.top, rows.len());
    None
}

/// What is said of a project without skills.
fn empty(state: &State, project: &Project) -> Vec<(SafeText, Meaning)> {
    let key = state.key_word(KeyTable::Project, Action::Store);
    let how = match project.offered.as_ref().and_then(|path| state.entry(path)) {
        Some(entry) => inert!("{} stores {}.", key, entry.skill.name),
        None => inert!("Open this screen on a skill of a folder, and {} stores it.", key),
    };
    vec![
        (SafeText::fixed("The project has no skill yet."), Meaning::Text),
        (how, Meaning::Muted),
        (SafeText::fixed("By command: skillpick project put NAME --from DIR"), Meaning::Muted),
    ]
}

fn line(
    state: &State,
    project: &Project,
    (row, columns): (&StoredRow, usize),
    at: &Shown<ProjectRow>,
) -> Strip {
    let mut strip = Strip::row(at.current);
    strip.gap(1);
    let is_there = row.version.is_some();
    match at.item {
        ProjectRow::Skill(_) => {
            let name = match (at.current, is_there) {
                (true, _) => Meaning::Current,
                (false, true) => Meaning::Text,
                (false, false) => Meaning::Off,
            };
            strip.fixed(if project.is_open(row) { "▾" } else { "▸" }, Meaning::Muted).gap(1);
            strip.push(SafeText::line(&row.name).cut(columns), name).until(columns + 5);
        }
        ProjectRow::Change(_) => {
            strip.gap(4);
        }
    }
    let words = if is_there { Meaning::Text } else { Meaning::Off };
    strip.push(row.words.clone(), words);
    strip.push(inert!(" · {}", ago(state.now_ms, row.at_ms)), Meaning::Muted);
    if let Some(file) = &row.file {
        strip.push(inert!(" · also {}", state.short_path(file)), Meaning::Muted);
    }
    strip
}
