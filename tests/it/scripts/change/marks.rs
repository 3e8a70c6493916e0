//! Switches of marked skills.

use super::*;

#[test]
fn marks_are_toggled_together_and_off_wins_while_one_is_on() {
    let mut state = shop();
    for name in ["pdf-redact", "pdf"] {
        go_to(&mut state, name);
        script(&mut state, "<tab>");
    }
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf-redact, pdf"]);
    let mut state = marked(&["pdf-redact"]);
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan on pdf-redact"]);
}

fn hint(state: &State, action: Action) -> String {
    let hints = hints::hints(state);
    hints.iter().find(|hint| hint.action == Some(action)).unwrap().label.to_string()
}

#[test]
fn hints_count_the_marks_that_a_key_acts_on_and_the_hidden_ones() {
    let mut state = marked(&["pdf-forms", "pdf", "scan-ocr"]);
    assert_eq!(hint(&state, Action::Toggle), "off 3 marked");
    assert_eq!(hint(&state, Action::Pick), "pick 3");
    script(&mut state, "scan");
    assert_eq!(hint(&state, Action::Pick), "pick 3 (hidden: pdf-forms +1)");
    script(&mut state, "-nothing-has-this");
    assert_eq!(hint(&state, Action::Pick), "pick 3 (hidden: pdf-forms +2)", "they are handed over");
    assert_eq!(hint(&state, Action::Toggle), "off 3 marked");
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-forms, pdf, scan-ocr"]);
    script(&mut state, "<ctrl-w>scan");
    script(&mut state, "<ctrl-y>");
    let rows = text(&draw(&state, Palette::Ansi));
    let title = rows.iter().find(|row| row.contains("copy 3 skills as")).unwrap();
    assert!(title.contains("(hidden: pdf-forms +1)"), "{title}");
    let state = marked(&["pdf-redact"]);
    assert_eq!(hint(&state, Action::Toggle), "on 1 marked");
}

#[test]
fn marks_that_are_filtered_away_are_named_and_asked_for_before_they_are_switched() {
    let mut state = marked(&["pdf-forms", "pdf", "scan-ocr"]);
    assert_eq!(effects(&mut state, "scan<ctrl-x>"), ["plan off pdf-forms, pdf, scan-ocr"]);
    assert_eq!(planned(&mut state, 1, false), [""; 0], "one's own file, and asked all the same");
    assert_eq!(top(&state), "confirm");
    let rows = text(&draw(&state, Palette::Ansi));
    assert!(rows.iter().any(|row| row == " marked but hidden: 2"), "{rows:#?}");
    for (name, folder) in [("pdf-forms", "."), ("pdf", "~")] {
        let line = format!("   {name}  {folder}/.agents/skills/{name}");
        assert!(rows.contains(&line), "{line}: {rows:#?}");
    }
    assert!(!rows.iter().any(|row| row.contains("scan-ocr")), "that one is on the screen");
    assert_eq!(effects(&mut state, "y"), ["save 1"]);
    assert_eq!(state.marks.count(), 3, "until it is written");
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("off"))));
    assert_eq!((state.marks.total(), top(&state)), (0, "picker"));
}

#[test]
fn marks_stay_where_nothing_was_written() {
    let mut state = marked(&["pdf-forms", "pdf"]);
    script(&mut state, "merge<ctrl-x>");
    planned(&mut state, 1, false);
    assert!(effects(&mut state, "n").is_empty());
    assert_eq!(state.marks.count(), 2, "no was said");
    script(&mut state, "<ctrl-x>");
    answered(&mut state, ChangeAnswer::Planned(Err(SafeText::fixed("the skill is gone"))));
    assert_eq!(state.marks.count(), 2, "it could not be worked out");
    script(&mut state, "<esc><ctrl-x>");
    assert_eq!(planned(&mut state, 2, false), ["save 2"], "nothing is hidden any more");
    answered(&mut state, ChangeAnswer::Saved(Err(SafeText::fixed("the disk is full"))));
    assert_eq!(state.marks.count(), 2, "it could not be written");
}

#[test]
fn after_switching_marks_the_key_acts_on_the_current_row_again() {
    let mut catalog = TestCatalog::shop();
    let mut state = marked(&["pdf-redact", "pdf"]);
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf-redact, pdf"]);
    assert_eq!(planned(&mut state, 1, false), ["save 1"]);
    catalog.turn_off("pdf");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("off"))));
    assert_eq!(state.marks.total(), 0);
    go_to(&mut state, "form-builder");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off form-builder"]);
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("off"))));
    assert_eq!(effects(&mut state, "<alt-u>"), ["undo"]);
    answered(&mut state, ChangeAnswer::Applied(Ok(SafeText::fixed("undone"))));
    assert_eq!(state.marks.total(), 0, "what is taken back is not marked again");
}

#[test]
fn a_mark_of_another_agents_skill_is_not_acted_on_and_stays() {
    let mut state = marked(&["pdf-forms", "pdf"]);
    let mut catalog = TestCatalog::shop();
    catalog.skills.retain(|skill| skill.name != "pdf");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(hint(&state, Action::Toggle), "off 1 marked");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf-forms"]);
    assert_eq!(planned(&mut state, 1, false), ["save 1"], "what is gone is not hidden");
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("off"))));
    assert_eq!((state.marks.count(), state.marks.total()), (0, 1), "it may come back");
}

#[test]
fn a_key_that_was_meant_for_marks_which_vanished_is_refused_once() {
    let gone = |names: &[&str]| {
        let mut state = marked(names);
        let mut catalog = TestCatalog::shop();
        catalog.skills.retain(|skill| !names.contains(&skill.name.as_str()));
        update(&mut state, Msg::Viewed(Box::new(catalog.view())));
        (state, catalog)
    };
    let why = "the marked skill is gone: pdf";
    for key in ["<ctrl-x>", "<enter>", "<alt-x>", "<ctrl-y>"] {
        let (mut state, mut catalog) = gone(&["pdf"]);
        assert_eq!(notice(&state), why, "as soon as it is known");
        // Another scan changes nothing about that.
        update(&mut state, Msg::Viewed(Box::new(catalog.view())));
        script(&mut state, "<down>");
        assert_eq!(notice(&state), "");
        assert!(effects(&mut state, key).is_empty(), "{key}");
        assert_eq!((notice(&state), top(&state)), (why, "picker"), "{key}");
        let again = effects(&mut state, key);
        assert!(!again.is_empty() || top(&state) == "copy", "{key} is about the row now");
    }
    let (mut state, _) = gone(&["pdf", "pdf-forms", "form-builder"]);
    assert_eq!(notice(&state), "the marked skills are gone: pdf +2");
    // They are back.
    update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf, pdf-forms, form-builder"]);
    // A new mark is what the key is about.
    let (mut state, _) = gone(&["pdf"]);
    go_to(&mut state, "pdf-forms");
    assert_eq!(effects(&mut state, "<tab><enter>"), ["picked pdf-forms"]);
}

#[test]
fn marks_that_another_view_does_not_have_only_wait() {
    let mut state = marked(&["pdf"]);
    let mut catalog = TestCatalog::shop();
    catalog.skills.retain(|skill| skill.name != "pdf");
    state.on_examples = true;
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!((state.marks.count(), state.marks.total(), notice(&state)), (0, 1, ""));
    go_to(&mut state, "pdf-forms");
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-forms"]);
}

#[test]
fn a_skill_that_is_open_is_switched_whatever_is_marked() {
    let mut state = marked(&["pdf-forms"]);
    go_to(&mut state, "pdf");
    script(&mut state, "<right>");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf"]);
    assert_eq!(planned(&mut state, 1, false), ["save 1"]);
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert_eq!(state.marks.count(), 1);
}
