//! The problems screen: findings and their causes, filtered, looked for and opened.

use crate::model::catalog::{TestCatalog, USER_FILE, alarm, skill, with};
use crate::model::screen::{draw, text};
use crate::model::script::update;
use crate::model::script::{self, current, effects, go_to, notice, script, shop, top};
use skillpick::catalog::{RootState, Scope, Severity, checks};
use skillpick::listing::Rows;
use skillpick::policy::{Looks, Profile};
use skillpick::text::SafeText;
use skillpick::tui::app::{
    GroupOf, HostRow, Msg, ProblemRow, Problems, Screen, SeverityFilter, State,
};
use skillpick::tui::view::Palette;
use std::sync::Arc;

pub(super) fn problems(state: &State) -> &Problems {
    match state.screens.last() {
        Some(Screen::Problems(problems)) => problems,
        _ => panic!("{} is on top", top(state)),
    }
}

pub(super) fn at(state: &State) -> (String, &'static str) {
    let row = problems(state).current().unwrap();
    row.of_skill(state)
        .map_or((String::new(), ""), |(entry, found)| (entry.skill.name.clone(), found.code()))
}

#[test]
fn problems_open_at_the_current_skills_finding_with_its_cause_unfolded() {
    let mut state = shop();
    go_to(&mut state, "PDF_Old");
    script(&mut state, "<f3><f2>");
    assert_eq!(at(&state), ("PDF_Old".to_owned(), "name-case"));
    assert_eq!(effects(&mut state, "e"), ["edit /code/shop/.agents/skills/pdf-old/SKILL.md:2"]);
    assert_eq!(effects(&mut state, "<f5>"), ["scan", "repaint"]);
    script(&mut state, "nn<right>n");
    assert_eq!(at(&state), ("form-builder".to_owned(), "unexpected-fields"));
}

#[test]
fn while_something_is_looked_for_enter_ends_the_typing_and_the_hint_says_so() {
    let mut state = shop();
    let hints = |state: &State| text(&draw(state, Palette::Ansi)).last().unwrap().clone();
    script(&mut state, "<ctrl-d>/name");
    assert!(hints(&state).contains("↵ done"), "{}", hints(&state));
    script(&mut state, "<enter>");
    assert_eq!(top(&state), "problems");
    assert!(!hints(&state).contains("↵ done"), "{}", hints(&state));
}

#[test]
fn a_search_in_vain_says_so_and_goes_back_to_the_row_and_the_folds() {
    let mut state = script::open((100, 30), to_mend().view());
    script(&mut state, "<f2>gjj");
    let before = (row_words(&state), problems(&state).list.cursor);
    let shown = |state: &State| text(&draw(state, Palette::Ansi)).concat();
    script(&mut state, "/odd-3");
    assert!(shown(&state).contains("1 finding "), "{}", shown(&state));
    assert_eq!(at(&state).0, "odd-3");
    script(&mut state, "x");
    assert!(shown(&state).contains("0 findings"), "{}", shown(&state));
    script(&mut state, "<esc>");
    assert_eq!((row_words(&state), problems(&state).list.cursor), before);
    script(&mut state, "/odd-3x<enter><esc>");
    assert_eq!((row_words(&state), problems(&state).list.cursor), before);
    // What was found and taken stays.
    script(&mut state, "/odd-3<enter><esc>");
    assert_eq!(at(&state).0, "odd-3");
    assert_eq!(top(&state), "problems");
}

#[test]
fn broken_settings_are_opened_at_their_line_and_found() {
    let mut catalog = TestCatalog::shop();
    catalog.alarms = vec![alarm(7)];
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-d>g");
    for key in ["e", "<enter>", "<right>"] {
        assert_eq!(effects(&mut state, key), [format!("edit {USER_FILE}:7")]);
    }
    assert_eq!(top(&state), "problems");
    script(&mut state, "G/config.toml<enter>");
    assert_eq!(problems(&state).list.cursor, 0);
    let rows = text(&draw(&state, Palette::Ansi));
    assert!(rows[0].contains("hurts you 3 · cosmetic 3 · mended 0"), "{}", rows[0]);
    assert!(rows[2].contains("3 errors · 3 warnings · 3 of"), "{}", rows[2]);
    assert!(rows[3].contains("config.toml:7 "), "{}", rows[3]);
    assert!(rows[29].contains("open settings"), "{}", rows[29]);
    // A folder that cannot be read is in no file.
    assert!(effects(&mut state, "<esc>g<down>e").is_empty());
    assert!(notice(&state).contains("no file"), "{}", notice(&state));
}

#[test]
fn problems_open_at_broken_settings_first() {
    let mut catalog = TestCatalog::shop();
    for number in 0..60 {
        let skill = skill(Scope::User, &format!("late-{number}"), "x");
        catalog.skills.push(with(skill, &checks::NAME_CASE, (2, 7, 4), "capitals"));
    }
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "late-59");
    script(&mut state, "<ctrl-d>");
    assert_eq!(
        (at(&state).0, problems(&state).list.cursor),
        (String::new(), 0),
        "what hurts first"
    );
    script(&mut state, "<esc>");
    script(&mut state, "<right><f2>");
    assert_eq!(at(&state).0, "late-59", "from the skill itself, its own problems");
    script(&mut state, "<esc><esc>");
    go_to(&mut state, "PDF_Old");
    catalog.alarms = vec![alarm(7)];
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert!(notice(&state).contains("config.toml:7: not TOML"), "{}", notice(&state));
    script(&mut state, "<ctrl-d>");
    assert_eq!(problems(&state).list.cursor, 0);
    assert!(text(&draw(&state, Palette::Ansi))[3].contains("config.toml:7"));
}

#[test]
fn the_cursor_stays_on_broken_settings() {
    let mut catalog = TestCatalog::shop();
    catalog.alarms = vec![alarm(7)];
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<ctrl-d>Gg");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(problems(&state).list.cursor, 0);
}

#[test]
fn problems_are_filtered_by_severity() {
    let mut state = shop();
    script(&mut state, "<ctrl-d>");
    let count = |state: &State| (problems(state).filter, problems(state).rows.len());
    assert_eq!(count(&state), (SeverityFilter::All, 3), "a folder, an error, the fold");
    script(&mut state, "f");
    assert_eq!(count(&state), (SeverityFilter::Errors, 2));
    let summary = text(&draw(&state, Palette::Ansi))[2].clone();
    assert!(summary.contains(" only errors: 2 of 5 findings"), "{summary}");
    script(&mut state, "f");
    assert_eq!(count(&state), (SeverityFilter::Warnings, 4), "the fold is open");
    script(&mut state, "f");
    assert_eq!(count(&state), (SeverityFilter::All, 3));
}

#[test]
fn a_filter_under_a_search_leaves_no_row_out_of_reach() {
    let mut state = shop();
    script(&mut state, "<ctrl-d>/unexpected<enter>ffnnN");
    assert!(problems(&state).list.cursor < problems(&state).rows.len());
    assert_eq!(at(&state).1, "unexpected-fields");
}

/// Each row of the list in a word: a code with its number, a skill, or what else it is.
pub(super) fn row_words(state: &State) -> Vec<String> {
    let word = |row: &ProblemRow| match row {
        ProblemRow::Group(group) => match group.of {
            GroupOf::Check(check) => format!("{} {}", check.code, group.findings),
            GroupOf::Skill(_) => format!("{} {}", row.about(state).unwrap().kind, group.findings),
        },
        ProblemRow::Skill(..) => row.of_skill(state).unwrap().0.skill.name.clone(),
        row => row.about(state).unwrap().kind.to_string(),
    };
    problems(state).rows.iter().map(word).collect()
}

/// Six skills whose names have capitals, one without a description, one that has a key too much.
pub(super) fn to_mend() -> TestCatalog {
    let odd = |number: u8| {
        let skill = skill(Scope::User, &format!("odd-{number}"), "x");
        with(skill, &checks::NAME_CASE, (2, 7, 4), "has capitals")
    };
    let blank = skill(Scope::User, "blank", "");
    let blank = with(blank, &checks::DESC_EMPTY, (3, 1, 1), "the description is empty");
    let long = skill(Scope::User, "long", "x");
    let long = with(long, &checks::DESC_LENGTH, (3, 1, 1), "it is ‹too› long");
    TestCatalog::of((0..6).map(odd).chain([blank, long]).collect())
}

#[test]
fn what_hurts_nobody_is_folded_and_an_agent_of_this_machine_unfolds_it() {
    let mut state = script::open((100, 30), to_mend().view());
    script(&mut state, "<ctrl-d>");
    let folded = ["folder", "desc-empty 1", "7 cosmetic"];
    assert_eq!(row_words(&state), folded);
    script(&mut state, "G<enter>");
    assert_eq!(row_words(&state)[3..], ["name-case 6", "desc-length 1"]);
    script(&mut state, "<down><right>");
    assert_eq!(row_words(&state).len(), 11);
    script(&mut state, "<right>");
    assert_eq!(at(&state).0, "odd-0", "→ enters what is open");
    script(&mut state, "<left>");
    assert_eq!(row_words(&state).len(), 5, "← folds it, and stands on the fold");
    script(&mut state, "<left>");
    assert_eq!(row_words(&state), folded);
    script(&mut state, "<enter><down>");
    let hosts =
        vec![HostRow { word: "codelia", name: "Codelia", note: SafeText::default(), here: true }];
    update(&mut state, Msg::HostsFound(Arc::new(hosts)));
    assert_eq!(row_words(&state)[2..4], ["name-case 6", "1 cosmetic"], "Codelia refuses these");
    assert_eq!(problems(&state).counts, (8, 1));
    script(&mut state, "g<left>");
    assert_eq!(top(&state), "picker");
}

#[test]
fn hidden_text_hurts_since_no_model_gets_it() {
    let hiding = with(skill(Scope::User, "pdf", "x"), &checks::HIDDEN_TEXT, (1, 1, 1), "hides");
    let mut state = script::open((100, 30), TestCatalog::of(vec![hiding]).view());
    script(&mut state, "<ctrl-d>");
    assert_eq!(problems(&state).counts.1, 0, "none is cosmetic");
}

#[test]
fn enter_shows_the_skill_even_where_the_query_hid_it() {
    let mut state = shop();
    script(&mut state, "kubernetes<ctrl-s><ctrl-d>/unexpected<enter><enter>");
    assert_eq!((top(&state), current(&state)), ("picker", "form-builder"));
    assert!(state.picker.query.is_empty() && state.picker.scope.is_none());
    // From the problems of another skill's detail as well.
    go_to(&mut state, "PDF_Old");
    script(&mut state, "<right><f2>g<down><right><right><enter>");
    assert_eq!((top(&state), current(&state)), ("picker", "pdf-broken"));
}

#[test]
fn a_query_that_shows_the_skill_is_kept() {
    let mut state = shop();
    script(&mut state, "pdf<ctrl-d>/name-case<enter><enter>");
    assert_eq!((current(&state), state.picker.query.text()), ("PDF_Old", "pdf"));
}

#[test]
fn the_cursor_stays_on_its_problem_when_another_is_cured() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "form-builder");
    script(&mut state, "<f3><f2>");
    let old = catalog.skills.iter_mut().find(|skill| skill.name == "PDF_Old").unwrap();
    old.diagnostics.clear();
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(at(&state), ("form-builder".to_owned(), "unexpected-fields"));
    catalog.skills.iter_mut().for_each(|skill| skill.diagnostics.clear());
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(problems(&state).rows.len(), 1, "the folder is still not readable");
}

#[test]
fn a_folder_that_the_host_does_not_look_into_is_a_warning() {
    let mut view = TestCatalog::of(Vec::new()).view();
    let mut roots = (*view.roots).clone();
    roots.truncate(2);
    roots[0].state = RootState::Closed { why: "the folder is not trusted", there: true };
    roots[1].state = RootState::Closed { why: "the folder is not trusted", there: false };
    view.listing.roots = std::sync::Arc::new(roots);
    let mut state = script::open((100, 30), view);
    script(&mut state, "<ctrl-d>");
    let rows: Vec<_> = problems(&state).rows.iter().filter_map(|row| row.about(&state)).collect();
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((row.severity, row.place.as_str()), (Severity::Warning, "./.agents/skills"));
    assert_eq!(row.words.as_str(), "agents does not look into it: the folder is not trusted");
    script(&mut state, "f");
    assert!(problems(&state).rows.is_empty(), "it is no error");
}

#[test]
fn the_host_decides_which_findings_are_errors() {
    let odd = skill(Scope::User, "odd", "Does odd things.");
    let odd = with(odd, &checks::NAME_DIR_MISMATCH, (2, 7, 3), "not the directory's name");
    let blank = with(
        skill(Scope::User, "blank", "What it says."),
        &checks::DESC_MISSING,
        (1, 1, 1),
        "no description",
    );
    let mut catalog = TestCatalog::of(vec![odd, blank]);
    catalog.policy.order.profile =
        Profile { refuses: &["name-dir-mismatch"], takes: &["desc-missing"] };
    let mut state = script::open((100, 30), catalog.view());
    let rows = text(&draw(&state, Palette::Ansi));
    let row = |name: &str| {
        rows.iter()
            .skip(2)
            .find(|row| row.contains(name))
            .unwrap()
            .trim_start_matches(['▌', ' '])
            .to_owned()
    };
    assert!(
        row("odd").starts_with("✗  odd      not the directory's name · ^d mends"),
        "{}",
        row("odd")
    );
    assert!(row("blank").starts_with("✓! blank    What it says."), "{}", row("blank"));
    assert!(rows.last().unwrap().contains("✗ 1 problem "), "{:?}", rows.last());
    go_to(&mut state, "odd");
    script(&mut state, "<ctrl-d>");
    let found: Vec<_> = problems(&state).rows.iter().filter_map(|row| row.about(&state)).collect();
    let found: Vec<_> = found.iter().map(|about| (about.severity, about.kind.as_str())).collect();
    let folder = (Severity::Error, "folder");
    let cause = (Severity::Error, "name-dir-mismatch");
    assert_eq!(found, [folder, cause, cause, (Severity::Warning, "1 cosmetic")]);
}

#[test]
fn an_empty_problems_screen_says_so() {
    let mut view = TestCatalog::of(Vec::new()).view();
    view.listing.roots = std::sync::Arc::default();
    let mut state = script::open((100, 30), view);
    script(&mut state, "<ctrl-d>");
    assert_eq!((top(&state), notice(&state)), ("picker", "no problems"));
}

#[test]
fn what_the_agent_does_not_see_is_counted_with_the_rows_that_it_has() {
    let mut view = TestCatalog::shop().view();
    let mut rows = view.rows.to_vec();
    for row in &mut rows {
        row.entry.looks = Looks::Elsewhere;
    }
    let all = rows.len();
    view.listing.rows = Arc::new(Rows::new(rows));
    let mut state = script::open((100, 30), view);
    script(&mut state, "<f2>");
    let lines = text(&draw(&state, Palette::Ansi));
    assert!(lines[0].contains("hurts you 2 · cosmetic 3"), "{}", lines[0]);
    let counts = format!("2 errors · 3 warnings · 3 of {all} skills");
    assert!(lines[2].contains(&counts), "{}", lines[2]);
}
