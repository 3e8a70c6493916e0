//! The menu of hosts and the screen "seen by".

use crate::model::agents::{counts, rows, seen};
use crate::model::catalog::TestCatalog;
use crate::model::screen::{draw, text};
use crate::model::script::{self, effects, go_to, notice, script, top};
use crate::model::script::{answered, update};
use skillpick::catalog::{Enablement, Locations};
use skillpick::text::SafeText;
use skillpick::tui::app::{
    Action, ChangeAnswer, DiffKind, Effect, HostRow, Msg, Screen, State, hints,
};
use skillpick::tui::view::Palette;
use std::path::PathBuf;
use std::sync::Arc;

fn shop() -> State {
    let view = seen(&mut TestCatalog::shop());
    script::open((100, 30), view)
}

fn menu() -> State {
    menu_of(shop())
}

fn menu_of(mut state: State) -> State {
    let asked = script(&mut state, "<ctrl-g>");
    assert!(asked.iter().any(|effect| matches!(effect, Effect::FindHosts)), "the machine is asked");
    update(&mut state, Msg::HostsFound(rows()));
    state
}

#[test]
fn the_menu_begins_on_the_host_that_is_looked_through_and_asks_until_it_knows_the_others() {
    let mut state = shop();
    // The first request has failed.
    script(&mut state, "<ctrl-g>");
    let still = script(&mut state, "j<esc>");
    assert!(!still.iter().any(|effect| matches!(effect, Effect::FindHosts)));
    let mut state = menu_of(state);
    assert_eq!(top(&state), "hosts");
    script(&mut state, "<esc>");
    assert_eq!(top(&state), "picker");
    let again = script(&mut state, "<ctrl-g>");
    assert!(!again.iter().any(|effect| matches!(effect, Effect::FindHosts)));
    assert!(effects(&mut state, "<enter>").is_empty(), "it is looked through already");
    assert_eq!(top(&state), "picker");
}

#[test]
fn the_numbers_are_asked_for_once_a_view_and_older_ones_are_dropped() {
    let mut state = shop();
    let asks = |asked: &[Effect]| {
        asked
            .iter()
            .any(|effect| matches!(effect, Effect::CountHosts(generation) if *generation > 0))
    };
    let asked = script(&mut state, "<ctrl-g>");
    assert!(asks(&asked), "{asked:?}");
    let again = script(&mut state, "<esc><ctrl-g>");
    assert!(!asks(&again), "{again:?}");
    let generation = state.viewed.generation;
    update(&mut state, Msg::HostsCounted(generation + 1, counts()));
    assert!(state.counts("claude").is_none());
    update(&mut state, Msg::HostsCounted(generation, counts()));
    assert_eq!(state.counts("claude").map(|counts| counts.cut), Some(1_204));
}

#[test]
fn another_host_is_looked_through_and_nothing_of_the_old_view_stays() {
    let mut state = menu();
    assert_eq!(effects(&mut state, "j<enter>"), ["look through codex"]);
    assert_eq!((state.options.host, script::rows(&state).len()), ("codex", 0));
    assert!(!state.viewed.complete, "rows come with the next view");
    let mut state = menu();
    assert_eq!(effects(&mut state, "g<enter>"), ["look through all"]);
}

#[test]
fn seen_by_switches_in_one_host() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<f6>");
    assert_eq!(top(&state), "seen");
    assert_eq!(effects(&mut state, "<space>"), ["plan in agents off pdf"]);
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert_eq!(effects(&mut state, "j<space>"), ["plan in codex on pdf"], "it is off there");
    assert!(effects(&mut state, "<space>").is_empty(), "the first is still on its way");
}

#[test]
fn a_denied_skill_is_on_there_as_it_is_in_the_list() {
    let mut state = shop();
    go_to(&mut state, "internal-deploy");
    script(&mut state, "<f6>");
    let rows = text(&draw(&state, Palette::Ansi));
    let agents = rows.iter().find(|row| row.contains("agents")).unwrap();
    assert!(agents.contains("✓ on · deny"), "{agents}");
    assert_eq!(effects(&mut state, "<space>"), ["plan in agents off internal-deploy"]);
}

#[test]
fn seen_by_shares_with_a_host_and_unshares() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<f6>Gs"), ["share pdf gemini"]);
    assert_eq!(effects(&mut state, "gs"), ["unshare pdf agents"]);
    assert!(effects(&mut state, "G<space>").is_empty());
    assert!(notice(&state).contains("does not look in this skill's folder"), "{}", notice(&state));
}

#[test]
fn the_hint_says_which_way_the_key_for_shares_goes() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<f6>");
    let last = |state: &State| text(&draw(state, Palette::Ansi)).last().unwrap().clone();
    assert!(!last(&state).contains("share"), "it finds it by itself: {}", last(&state));
    let index = state.viewed.rows.number_of(&TestCatalog::shop().path("pdf")).unwrap();
    let mut reports = (*state.viewed.reports).clone();
    let mut linked = (**state.viewed.rows[index as usize].skill()).clone();
    let place = PathBuf::from("/home/ada/.claude/skills/pdf");
    linked.locations = Locations::of(vec![place], linked.dir());
    reports[0].own.insert(index, Arc::new(linked));
    update(&mut state, Msg::HostsReported(Arc::new(reports)));
    assert!(last(&state).contains("s unshare"), "{}", last(&state));
    script(&mut state, "G");
    assert!(last(&state).contains("s share"), "{}", last(&state));
}

#[test]
fn seen_by_says_why_a_host_does_not_take_a_skill() {
    let mut state = shop();
    go_to(&mut state, "PDF_Old");
    script(&mut state, "<f6>jjjj");
    assert!(effects(&mut state, "s").is_empty());
    assert!(
        notice(&state).contains("codelia does not take this skill: name-"),
        "{}",
        notice(&state)
    );
    assert_eq!(effects(&mut state, "<enter>"), ["look through codelia"]);
    assert_eq!(top(&state), "picker");
}

#[test]
fn unknown_statuses_are_requested_once_a_view() {
    let mut state = script::open((100, 30), TestCatalog::shop().view());
    let count = |effects: &[Effect]| {
        effects.iter().filter(|effect| matches!(effect, Effect::ReportHosts)).count()
    };
    let asked = script(&mut state, "<f6>jk");
    assert_eq!(count(&asked), 1);
    let reports = Arc::clone(&seen(&mut TestCatalog::shop()).reports);
    update(&mut state, Msg::HostsReported(reports));
    assert_eq!(state.host_statuses(&state.current().unwrap().skill.path.clone()).len(), 6);
}

#[test]
fn marks_wait_for_an_agent_that_sees_their_skills() {
    let mut catalog = TestCatalog::shop();
    let whole = seen(&mut catalog);
    let mut state = script::open((100, 30), whole);
    for name in ["pdf", "form-builder"] {
        go_to(&mut state, name);
        script(&mut state, "<tab>");
    }
    script(&mut state, "<ctrl-g>");
    update(&mut state, Msg::HostsFound(rows()));
    assert_eq!(effects(&mut state, "j<enter>"), ["look through codex"]);
    assert!(
        effects(&mut state, "<enter>").is_empty(),
        "the marks are not known to be gone before all rows have come"
    );
    script(&mut state, "<down>");
    let kept: Vec<_> = catalog.skills.iter().filter(|skill| skill.name != "pdf").cloned().collect();
    let all = std::mem::replace(&mut catalog.skills, kept);
    update(&mut state, Msg::Viewed(Box::new(seen(&mut catalog))));
    assert!(text(&draw(&state, Palette::Ansi))[0].contains("1 of 2 marked"));
    assert_eq!(effects(&mut state, "<enter>"), ["picked form-builder"]);
    catalog.skills = all;
    update(&mut state, Msg::Viewed(Box::new(seen(&mut catalog))));
    assert!(text(&draw(&state, Palette::Ansi))[0].contains("2 marked"));
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf, form-builder"]);
}

#[test]
fn a_host_with_several_states_cycles_and_others_toggle() {
    let mut view = seen(&mut TestCatalog::shop());
    view.files.states = Enablement::ALL.to_vec();
    let mut state = script::open((100, 30), view);
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<alt-x>"), ["plan name-only pdf"]);
    let mut state = shop();
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<alt-x>"), ["plan off pdf"], "on and off alone");
}

#[test]
fn copies_are_compared_from_the_detail_screen() {
    let mut state = shop();
    go_to(&mut state, "scan-ocr");
    assert_eq!(effects(&mut state, "<f3><enter>d"), ["compare scan-ocr"]);
    let lines = (0..80).map(|_| (DiffKind::Context, SafeText::fixed(" the same"))).collect();
    update(&mut state, Msg::Compared(SafeText::fixed("scan-ocr"), Ok(lines)));
    assert_eq!(top(&state), "compare");
    script(&mut state, "G<pageup>gjjd");
    assert_eq!(top(&state), "detail");
    // A long line is folded.
    let long =
        "+a paragraph of a skill that is written on one line and has its change at the end: here";
    update(
        &mut state,
        Msg::Compared(SafeText::default(), Ok(vec![(DiffKind::Added, SafeText::fixed(long))])),
    );
    let Some(Screen::Compare(compare)) = state.screens.last() else { panic!("{}", top(&state)) };
    assert_eq!(compare.rows.len(), 1);
    state.area.width = 60;
    script(&mut state, "j");
    let Some(Screen::Compare(compare)) = state.screens.last() else { panic!("{}", top(&state)) };
    assert_eq!(compare.rows.len(), 2);
    assert!(compare.rows[1].1.as_str().ends_with(" end: here"), "{:?}", compare.rows);
    script(&mut state, "<esc>");
    update(
        &mut state,
        Msg::Compared(
            SafeText::default(),
            Err(SafeText::fixed("no other skill here has this name")),
        ),
    );
    assert!(notice(&state).contains("no other skill"));
}

#[test]
fn with_all_agents_the_hint_names_the_agent_that_enter_prints_for() {
    let mut state = shop();
    state.options.host = "all";
    let pick = |state: &State| {
        let hints = hints::hints(state);
        hints.iter().find(|hint| hint.action == Some(Action::Pick)).unwrap().label.to_string()
    };
    // Without an answer from before it would be asked.
    state.options.preferred = Some(skillpick::catalog::HostId("codex"));
    script(&mut state, "<alt-right><alt-left>");
    go_to(&mut state, "pdf-forms");
    assert_eq!(pick(&state), "pick for codex");
    // Codex has it off, so the next one that lets a person call it is spoken to.
    go_to(&mut state, "pdf");
    assert_eq!(pick(&state), "pick for claude");
    script(&mut state, "<tab>");
    go_to(&mut state, "pdf-forms");
    script(&mut state, "<tab>");
    assert_eq!(pick(&state), "pick 2 for claude", "one that can call both");
    script(&mut state, "merge");
    assert_eq!(pick(&state), "pick 2 for claude (hidden: pdf +1)");
    script(&mut state, "<ctrl-y>");
    let rows = text(&draw(&state, Palette::Ansi));
    assert!(rows.iter().any(|row| row.contains("mention   /pdf … for claude")), "{rows:#?}");
    state.options.host = "codex";
    script(&mut state, "<esc>");
    assert_eq!(pick(&state), "pick 2 (hidden: pdf +1)", "who is looked through stands above");
}

#[test]
fn the_cursor_stays_on_its_agent_while_all_are_asked_again() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<f6>jj");
    let at = |state: &State| match state.screens.last() {
        Some(skillpick::tui::app::Screen::Seen(seen)) => {
            let rows = &seen.rows;
            rows.get(seen.list.cursor).map(|(status, _)| status.host.word())
        }
        _ => panic!("{}", top(state)),
    };
    assert_eq!(at(&state), Some("claude"));
    let reports = Arc::clone(&state.viewed.reports);
    // While every agent is asked again, the last answers stay.
    update(&mut state, Msg::HostsReported(Arc::default()));
    assert_eq!(at(&state), Some("claude"));
    // One agent fewer stands before it now.
    let fewer = reports.iter().filter(|report| report.host.word() != "codex").cloned();
    update(&mut state, Msg::HostsReported(Arc::new(fewer.collect())));
    assert_eq!(at(&state), Some("claude"));
}

#[test]
fn the_longest_word_of_an_agent_does_not_touch_what_stands_beside_it() {
    let mut state = shop();
    let long = HostRow {
        word: "kimi-code-cli",
        name: "Kimi Code CLI",
        note: SafeText::default(),
        here: true,
    };
    let mut reports = (*state.viewed.reports).clone();
    let long_id = skillpick::catalog::HostId(long.word);
    let found = Arc::clone(&reports[1].found);
    let last = reports.last_mut().unwrap();
    (last.host, last.speech.host, last.speech.name) = (long_id, long_id, long.name);
    // It calls in a form of its own, so that the question is asked.
    last.found = found;
    state.viewed.listing.reports = Arc::new(reports);
    update(&mut state, Msg::HostsFound(Arc::new(vec![long])));
    state.options.host = "all";
    go_to(&mut state, "pdf-forms");
    let touches = |state: &State| {
        let rows = text(&draw(state, Palette::Ansi));
        let row = rows.iter().find(|row| row.contains("kimi-code-cli"));
        let row = row.unwrap_or_else(|| panic!("{rows:#?}"));
        let after = row.split("kimi-code-cli").nth(1).unwrap().chars().next();
        after != Some(' ')
    };
    update(&mut state, Msg::Resize(200, 45));
    assert!(!touches(&state), "the third pane");
    script(&mut state, "<enter>");
    assert!(!touches(&state), "the question");
    script(&mut state, "<esc><ctrl-g>");
    assert!(!touches(&state), "the table");
}
