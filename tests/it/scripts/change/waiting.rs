//! Keys that come while a change is made, and what waits for it.

use super::*;
use crate::model::agents::rows;
use crate::model::script::{edited, number};
use skillpick::tui::app::{StoredPlan, StoredRequest};

#[test]
fn a_second_press_waits_for_the_first_and_reverses_it() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf"]);
    assert!(effects(&mut state, "<ctrl-x>").is_empty(), "the first is still on its way");
    catalog.turn_off("pdf");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    let next = answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert!(in_words(&next).contains(&"plan on pdf".to_owned()), "{:?}", in_words(&next));
}

#[test]
fn a_press_that_waits_is_forgotten_when_the_first_fails() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-x><ctrl-x>");
    let next = answered(&mut state, ChangeAnswer::Saved(Err(SafeText::fixed("the disk is full"))));
    assert!(in_words(&next).is_empty(), "{:?}", in_words(&next));
    assert_eq!(
        effects(&mut state, "<ctrl-x>"),
        ["plan off pdf"],
        "and the next press counts again"
    );
}

#[test]
fn keys_typed_before_a_question_do_not_answer_it() {
    let mut state = shop();
    let asked = answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(plan(4, true)))));
    assert!(effects(&mut state, "y<enter>").is_empty());
    assert_eq!(top(&state), "confirm");
    seen_long_enough(&mut state, &asked);
    assert_eq!(effects(&mut state, "y"), ["save 4"]);
}

#[test]
fn undo_does_nothing_while_a_plan_waits() {
    let mut state = shop();
    planned(&mut state, 1, true);
    assert!(effects(&mut state, "u").is_empty());
    assert_eq!(top(&state), "confirm");
    // Nor does it on a screen above the question.
    assert!(effects(&mut state, "<f1><alt-u><alt-z>").is_empty());
    assert_eq!(top(&state), "help");
    script(&mut state, "<esc>");
    assert_eq!(effects(&mut state, "y"), ["save 1"]);
}

#[test]
fn while_a_plan_is_made_that_is_shown_and_esc_gives_it_up_first() {
    let mut state = marked(&["pdf-forms", "pdf"]);
    // What the start waited for has come.
    update(&mut state, Msg::Waited(Timer::Spinner));
    let asked = script(&mut state, "<ctrl-x>");
    assert!(asked.iter().any(|effect| matches!(effect, Effect::Wait(Timer::Spinner, _))));
    update(&mut state, Msg::Waited(Timer::Spinner));
    assert!(state.spinner.step().is_some());
    assert_eq!(notice(&state), "working out the change; esc gives it up");
    // A waiting toggle is given up as well.
    assert_eq!(effects(&mut state, "<ctrl-x><esc>"), [""; 0], "the picker stays");
    assert_eq!((notice(&state), state.marks.count()), ("given up: nothing is written", 2));
    assert!(state.spinner.step().is_none());
    // Its answer is told apart from that to another one, which is asked for at once.
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf-forms, pdf"]);
    let late = Msg::Changed(number(&asked), ChangeAnswer::Planned(Ok(Box::new(plan(7, false)))));
    assert_eq!(in_words(&update(&mut state, late)), [""; 0], "7 is not written");
    assert_eq!(planned(&mut state, 8, false), ["save 8"]);
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("2 off"))));
    assert_eq!(effects(&mut state, "<esc>"), ["left"]);
}

#[test]
fn enter_waits_for_the_change_that_was_asked_for_before_it() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<ctrl-x><enter>"), ["plan off pdf"]);
    assert_eq!(planned(&mut state, 1, false), ["save 1"], "it is not left before it is written");
    catalog.turn_off("pdf");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    let after = answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert_eq!(in_words(&after), [""; 0]);
    assert!(notice(&state).starts_with("pdf is off"), "{}", notice(&state));
    // What is on by then is picked.
    go_to(&mut state, "pdf-redact");
    assert_eq!(effects(&mut state, "<ctrl-x><enter>"), ["plan on pdf-redact"]);
    planned(&mut state, 2, false);
    catalog.policy.switches.retain(|switch| switch.origin.place().unwrap().1 == 20);
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    let after = answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf-redact on"))));
    assert_eq!(in_words(&after), ["picked pdf-redact"]);
}

#[test]
fn enter_waits_for_every_change_and_picks_what_was_marked_when_it_was_pressed() {
    let mut state = shop();
    go_to(&mut state, "pdf-forms");
    let written = |state: &mut State| {
        planned(state, 1, false);
        in_words(&answered(state, ChangeAnswer::Saved(Ok(SafeText::fixed("off")))))
    };
    assert_eq!(effects(&mut state, "<ctrl-x><down><ctrl-x><enter>"), ["plan off pdf-forms"]);
    assert!(written(&mut state)[0].starts_with("plan off "));
    assert_eq!(written(&mut state).len(), 1, "then the second row is picked");
    let mut state = marked(&["pdf-forms", "pdf"]);
    script(&mut state, "<ctrl-x><enter>");
    assert_eq!(written(&mut state), ["picked pdf-forms, pdf"], "though their marks are gone");
}

#[test]
fn a_pick_that_waits_ends_with_the_change_that_is_not_made() {
    let asked = || {
        let mut state = shop();
        go_to(&mut state, "pdf-forms");
        script(&mut state, "<ctrl-x><enter>");
        state
    };
    let written = |state: &mut State| {
        in_words(&answered(state, ChangeAnswer::Saved(Ok(SafeText::fixed("")))))
    };
    let mut state = asked();
    planned(&mut state, 4, true);
    assert_eq!(top(&state), "confirm");
    assert_eq!(effects(&mut state, "y"), ["save 4"]);
    assert!(written(&mut state).is_empty(), "the question came between");
    let mut state = asked();
    answered(&mut state, ChangeAnswer::Planned(Err(SafeText::fixed("the disk is full"))));
    assert!(written(&mut state).is_empty());
    let mut state = asked();
    let nothing = Plan { files: Vec::new(), ..plan(1, true) };
    assert!(
        in_words(&answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(nothing))))).is_empty()
    );
    assert!(notice(&state).contains("nothing to change"));
    // Another key takes it back, as Esc does both.
    let mut state = asked();
    script(&mut state, "<down>");
    planned(&mut state, 1, false);
    assert!(written(&mut state).is_empty());
    let mut state = shop();
    go_to(&mut state, "pdf-forms");
    let asked = number(&script(&mut state, "<ctrl-x><enter>"));
    assert!(effects(&mut state, "<esc>").is_empty());
    let late = Msg::Changed(asked, ChangeAnswer::Planned(Ok(Box::new(plan(1, false)))));
    assert!(in_words(&update(&mut state, late)).is_empty());
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-forms"]);
}

#[test]
fn who_leaves_before_a_change_is_worked_out_is_told_that_it_is_not_made() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    assert_eq!(state.unmade(), None);
    assert_eq!(effects(&mut state, "<ctrl-x><ctrl-c>"), ["plan off pdf", "left"]);
    assert!(state.unmade().is_some());
    planned(&mut state, 1, false);
    assert_eq!(state.unmade(), None, "it is being written, which is waited for");
    script(&mut state, "<ctrl-x>");
    assert!(state.unmade().is_some(), "the next one waits");
}

#[test]
fn undo_waits_for_the_change_before_it_and_what_follows_waits_for_the_undo() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf"]);
    assert!(effects(&mut state, "<alt-u>").is_empty(), "it would revert an older change");
    let plan = ChangeAnswer::Planned(Ok(Box::new(plan(4, false))));
    assert_eq!(in_words(&answered(&mut state, plan)), ["save 4"]);
    let saved = ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off")));
    assert_eq!(in_words(&answered(&mut state, saved)), ["undo"]);
    assert!(effects(&mut state, "<ctrl-x>").is_empty(), "it inverts what the undo leaves");
    let undone = ChangeAnswer::Applied(Ok(SafeText::fixed("undone: pdf off")));
    let next = answered(&mut state, undone);
    assert_eq!((in_words(&next), notice(&state)), (vec!["plan off pdf".into()], "undone: pdf off"));
}

#[test]
fn undo_waits_while_a_confirmed_change_is_written() {
    let mut state = shop();
    planned(&mut state, 1, true);
    assert_eq!(effects(&mut state, "y<alt-u>"), ["save 1"]);
    let saved = ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off")));
    assert_eq!(in_words(&answered(&mut state, saved)), ["undo"]);
    // A second one waits for the first, and is dropped if that is refused.
    assert!(effects(&mut state, "<alt-u>").is_empty());
    let next =
        answered(&mut state, ChangeAnswer::Applied(Err(SafeText::fixed("nothing was undone"))));
    assert!(in_words(&next).is_empty(), "{:?}", in_words(&next));
    assert_eq!(effects(&mut state, "<alt-u>"), ["undo"]);
}

#[test]
fn an_undo_that_fails_drops_those_that_follow_on_it_and_nothing_else() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<alt-u><alt-u><ctrl-x>"), ["undo"]);
    let next = answered(
        &mut state,
        ChangeAnswer::Applied(Err(SafeText::fixed("there is nothing to undo"))),
    );
    assert_eq!(in_words(&next), ["plan off pdf"]);
}

#[test]
fn an_undo_that_is_not_made_says_so() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-x><alt-u>");
    planned(&mut state, 4, true);
    let said = "the undo is not made: this question comes first";
    assert_eq!((top(&state), notice(&state)), ("confirm", said));
    let mut state = shop();
    script(&mut state, "<ctrl-x>");
    planned(&mut state, 1, false);
    script(&mut state, "<alt-u><ctrl-c>");
    let said = state.unmade().unwrap();
    assert!(said.as_str().contains("undo"), "the change itself is made: {said:?}");
}

#[test]
fn an_edited_text_waits_for_what_is_written_and_keeps_what_waits_before_it() {
    let mut state = marked(&["pdf-forms", "pdf"]);
    script(&mut state, "<ctrl-x>");
    planned(&mut state, 1, false);
    script(&mut state, "<alt-u>");
    assert!(in_words(&update(&mut state, Msg::StoredEdited(edited()))).is_empty());
    assert_eq!(notice(&state), "the text of pdf waits for the change before it");
    let saved = answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("2 off"))));
    assert_eq!((in_words(&saved), state.marks.count()), (vec!["undo".into()], 0));
    let undone = ChangeAnswer::Applied(Ok(SafeText::fixed("undone: 2 off")));
    assert_eq!(in_words(&answered(&mut state, undone)), ["project: plan edited pdf"]);
    // What follows on a text that is as it was is not made, which is said.
    assert!(effects(&mut state, "<alt-u>").is_empty());
    let why = ChangeAnswer::StoredPlanned(Err(SafeText::fixed("pdf is as it was")));
    assert_eq!(in_words(&answered(&mut state, why)), [""; 0]);
    assert_eq!(notice(&state), "pdf is as it was · what waited for it is not made");
    assert_eq!(effects(&mut state, "<alt-u>"), ["undo"]);
}

#[test]
fn an_edited_text_gives_up_no_plan_and_a_failure_before_it_does_not_drop_it() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-x>");
    assert!(in_words(&update(&mut state, Msg::StoredEdited(edited()))).is_empty());
    assert_eq!(planned(&mut state, 1, false), ["save 1"]);
    let next = answered(&mut state, ChangeAnswer::Saved(Err(SafeText::fixed("the disk is full"))));
    assert_eq!(in_words(&next), ["project: plan edited pdf"]);
    assert_eq!(notice(&state), "the disk is full");
    // Esc is about all of it.
    update(&mut state, Msg::StoredEdited(edited()));
    assert!(effects(&mut state, "<esc>").is_empty());
    assert_eq!(notice(&state), "given up: nothing is written");
    assert_eq!(effects(&mut state, "<esc>"), ["left"]);
}

#[test]
fn an_edited_text_is_planned_when_the_view_of_another_agent_is_there() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-x>");
    update(&mut state, Msg::StoredEdited(edited()));
    update(&mut state, Msg::HostsFound(rows()));
    assert_eq!(effects(&mut state, "<ctrl-g>j<enter>"), ["look through codex"]);
    let viewed = Msg::Viewed(Box::new(TestCatalog::shop().view()));
    assert_eq!(in_words(&update(&mut state, viewed)), ["project: plan edited pdf"]);
}

#[test]
fn an_answer_that_nobody_waits_for_is_told_and_ends_nothing() {
    let mut state = shop();
    let undo = number(&script(&mut state, "<alt-u>"));
    let undone = ChangeAnswer::Applied(Ok(SafeText::fixed("undone: pdf off")));
    answered(&mut state, undone);
    script(&mut state, "<alt-u><alt-u>");
    for (answer, words) in [(Ok("undone: pdf off"), "undone: pdf off"), (Err("no"), "no")] {
        let answer = answer.map(SafeText::fixed).map_err(SafeText::fixed);
        for number in [undo, undo + 2] {
            let late = Msg::Changed(number, ChangeAnswer::Applied(answer.clone()));
            assert_eq!(in_words(&update(&mut state, late)), [""; 0], "the newer one is not ended");
            assert_eq!(notice(&state), words);
        }
    }
    let undone = ChangeAnswer::Applied(Ok(SafeText::fixed("undone: pdf on")));
    assert_eq!(in_words(&answered(&mut state, undone.clone())), ["undo"]);
    answered(&mut state, undone);
    let late = Msg::Changed(undo + 2, ChangeAnswer::Planned(Ok(Box::new(plan(1, false)))));
    assert_eq!(in_words(&update(&mut state, late)), [""; 0], "nothing is on its way");
}

#[test]
fn a_change_that_is_written_is_waited_for_also_when_another_agent_is_chosen() {
    let other = |state: &mut State| {
        update(state, Msg::HostsFound(rows()));
        script(state, "<ctrl-g>j<enter>");
        assert_eq!(state.options.host, "codex");
        update(state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    };
    let mut state = shop();
    let first = script(&mut state, "<alt-u>");
    other(&mut state);
    go_to(&mut state, "pdf");
    // What the undo does to this view comes only with the next scan.
    for key in ["<ctrl-x>", "<alt-x>"] {
        assert!(effects(&mut state, key).is_empty(), "the undo has not ended");
        assert_eq!(notice(&state), "one change at a time: the one before is not finished");
    }
    let undone = ChangeAnswer::Applied(Ok(SafeText::fixed("undone")));
    let next = update(&mut state, Msg::Changed(number(&first), undone));
    assert_eq!(in_words(&next), [""; 0]);
    let next = script(&mut state, "<ctrl-x>");
    assert_eq!(in_words(&next), ["plan off pdf"]);
    // A plan for the agent before is given up, and what waited for it was meant for that agent.
    script(&mut state, "<alt-u>");
    let asked = number(&next);
    update(&mut state, Msg::HostsFound(rows()));
    script(&mut state, "<ctrl-g>g<enter>");
    assert_eq!(notice(&state), "given up: nothing is written");
    let late = Msg::Changed(asked, ChangeAnswer::Planned(Ok(Box::new(plan(1, false)))));
    assert_eq!(in_words(&update(&mut state, late)), [""; 0]);
    // So was what waits for a change that is being written, which is said.
    let mut state = shop();
    script(&mut state, "<alt-u><alt-u>");
    other(&mut state);
    let said = "another agent was chosen: what waited for the change is not made";
    assert_eq!(notice(&state), said);
    let undone = ChangeAnswer::Applied(Ok(SafeText::fixed("undone")));
    assert_eq!(in_words(&answered(&mut state, undone)), [""; 0]);
}

#[test]
fn an_edited_text_waits_for_the_answer_to_a_question() {
    let asked = || {
        let mut state = shop();
        planned(&mut state, 4, true);
        // The editor that was asked for before has ended.
        assert!(in_words(&update(&mut state, Msg::StoredEdited(edited()))).is_empty());
        state
    };
    assert_eq!(effects(&mut asked(), "n"), ["project: plan edited pdf"]);
    let mut state = asked();
    assert_eq!(effects(&mut state, "y"), ["save 4"]);
    let next = answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert_eq!(in_words(&next), ["project: plan edited pdf"]);
    let plan = StoredPlan {
        request: StoredRequest::Edited(edited()),
        label: SafeText::fixed("store pdf"),
        told: Vec::new(),
        changes: Vec::new(),
    };
    let asked = answered(&mut state, ChangeAnswer::StoredPlanned(Ok(Box::new(plan))));
    assert!(effects(&mut state, "y").is_empty(), "a key that was meant for the first one");
    seen_long_enough(&mut state, &asked);
    assert_eq!(effects(&mut state, "y"), ["project: store pdf"]);
}
