//! The screen of a project: its skills, the history of one, and the keys that change them.

use crate::model::project::{answer, content, version};
use crate::model::screen::play;
use crate::model::script::{answered, update};
use crate::model::script::{effects, go_to, in_words, notice, script, shop, top};
use skillpick::text::SafeText;
use skillpick::tui::app::{ChangeAnswer, Msg, Project, ProjectRow, Screen, State};
use std::sync::Arc;

fn project(state: &State) -> &Project {
    match state.screens.last() {
        Some(Screen::Project(project)) => project,
        _ => panic!("{} is on top", top(state)),
    }
}

/// The current row: the skill's name, and the number of its change if it is one.
fn at(state: &State) -> (String, Option<usize>) {
    let (row, stored) = project(state).current().unwrap();
    let change = match row {
        ProjectRow::Skill(_) => None,
        ProjectRow::Change(index) => Some(index),
    };
    (stored.name.to_string(), change)
}

fn opened() -> State {
    let mut state = shop();
    go_to(&mut state, "pdf-forms");
    assert_eq!(effects(&mut state, "<f8>"), ["project: read"]);
    answer(&mut state, None);
    state
}

#[test]
fn a_skills_history_unfolds_below_it_and_folds_again() {
    let mut state = opened();
    assert_eq!((at(&state), project(&state).rows().len()), (("pdf".to_owned(), None), 3));
    assert_eq!(effects(&mut state, "j<enter>"), ["project: read with release-notes"]);
    answer(&mut state, Some("release-notes"));
    assert_eq!((at(&state), project(&state).rows().len()), (("release-notes".to_owned(), None), 5));
    play(&mut state, "jj");
    assert_eq!(at(&state), ("release-notes".to_owned(), Some(1)));
    let second = version(1);
    let wanted = format!("project: compare release-notes with {second}");
    assert_eq!(effects(&mut state, "d<enter>"), [wanted.clone(), wanted]);
    assert_eq!(effects(&mut state, "r"), [format!("project: plan restore release-notes {second}")]);
    // One change at a time.
    assert!(effects(&mut state, "r").is_empty());
    assert!(notice(&state).contains("one change at a time"), "{}", notice(&state));
    answered(&mut state, ChangeAnswer::StoredPlanned(Err(SafeText::fixed("it is away"))));
    assert_eq!(notice(&state), "it is away");
    for key in ["e", "x"] {
        assert!(effects(&mut state, key).is_empty());
        assert!(notice(&state).contains("not for one of its changes"), "{}", notice(&state));
    }
    play(&mut state, "h");
    assert_eq!((at(&state), project(&state).rows().len()), (("release-notes".to_owned(), None), 3));
    play(&mut state, "h");
    assert_eq!(top(&state), "picker");
}

#[test]
fn each_key_asks_for_what_it_does_or_says_why_not() {
    let mut state = opened();
    let done = |state: &mut State| {
        answered(state, ChangeAnswer::StoredPlanned(Err(SafeText::fixed("no"))));
    };
    for (keys, wanted) in [
        ("a", "project: plan add /code/shop/.agents/skills/pdf-forms/SKILL.md".to_owned()),
        ("e", format!("project: edit pdf {}", version(0))),
        ("d", "project: compare pdf with its file".to_owned()),
        ("r", "project: plan restore pdf".to_owned()),
        ("x", "project: plan delete pdf".to_owned()),
        ("u", "project: undo".to_owned()),
    ] {
        assert_eq!(effects(&mut state, keys), [wanted], "{keys}");
        done(&mut state);
    }
    play(&mut state, "j");
    assert!(effects(&mut state, "d").is_empty());
    assert!(notice(&state).contains("no file here has this name"), "{}", notice(&state));
    play(&mut state, "j");
    assert_eq!(at(&state).0, "old-notes", "what was deleted comes last");
    for key in ["e", "d", "x"] {
        assert!(effects(&mut state, key).is_empty());
        assert!(notice(&state).contains("deleted"), "{key}: {}", notice(&state));
    }
    assert_eq!(effects(&mut state, "r"), ["project: plan restore old-notes"]);
}

#[test]
fn without_a_skill_of_a_folder_nothing_is_offered() {
    let mut state = shop();
    script(&mut state, "nothingtofind<f8>");
    answer(&mut state, None);
    assert!(effects(&mut state, "a").is_empty());
    assert!(notice(&state).contains("not in a folder"), "{}", notice(&state));
}

#[test]
fn a_change_is_told_with_the_key_that_undoes_it_and_read_again() {
    let mut state = opened();
    script(&mut state, "x");
    let changed = |state: &mut State| {
        let text = SafeText::fixed("delete pdf in shop");
        in_words(&answered(state, ChangeAnswer::Stored(Ok(text))))
    };
    assert!(changed(&mut state).contains(&"project: read".to_owned()));
    assert_eq!(notice(&state), "delete pdf in shop · u undoes it");
    // An undo is no change that the same key would undo.
    let undone = ChangeAnswer::StoredUndone(Ok(SafeText::fixed("undone in shop")));
    let read = in_words(&answered(&mut state, undone));
    assert!(!read.contains(&"project: read".to_owned()), "the last reading has not ended");
    assert_eq!(notice(&state), "undone in shop");
    let read = update(&mut state, Msg::ProjectRead(Ok(Arc::new(content(None)))));
    assert_eq!(in_words(&read), ["project: read"]);
    play(&mut state, "q");
    changed(&mut state);
    assert_eq!(notice(&state), "delete pdf in shop · F8 u undoes it", "the screen was left");
    // Another one has changed the store: the view is new.
    script(&mut state, "<f8>");
    answer(&mut state, None);
    let viewed = Box::new(state.viewed.clone());
    let read = in_words(&update(&mut state, Msg::Viewed(viewed)));
    assert!(read.contains(&"project: read".to_owned()), "{read:?}");
}

#[test]
fn what_cannot_be_read_is_said_and_the_cursor_stays_on_its_skill() {
    let mut state = opened();
    play(&mut state, "j");
    let mut fewer = content(None);
    fewer.skills.remove(0);
    update(&mut state, Msg::ProjectRead(Ok(Arc::new(fewer))));
    assert_eq!(at(&state).0, "release-notes");
    update(&mut state, Msg::ProjectRead(Err(SafeText::fixed("the store cannot be reached"))));
    assert!(project(&state).rows().is_empty());
    for key in ["j", "<enter>", "e", "d", "r", "x"] {
        assert!(effects(&mut state, key).is_empty(), "{key}");
    }
}
