//! Skills of one name: one row in the list, and the screen that tells them apart.

use crate::model::agents::{apart, seen};
use crate::model::catalog::{TestCatalog, skill, with};
use crate::model::copies::facts;
use crate::model::screen::{self, play};
use crate::model::script::{
    self, answered, current, effects, go_to, in_words, notice, rows, script, shop, top, update,
};
use skillpick::catalog::{Scope, checks};
use skillpick::text::SafeText;
use skillpick::tui::app::{Action, ChangeAnswer, Effect, Msg, Screen, State, hints};
use std::path::PathBuf;
use std::sync::Arc;

fn paths(state: &State) -> Vec<PathBuf> {
    match state.screens.last() {
        Some(Screen::Copies(copies)) => {
            copies.paths.iter().map(|path| path.to_path_buf()).collect()
        }
        _ => panic!("{} is on top", top(state)),
    }
}

fn opened() -> State {
    let mut state = shop();
    go_to(&mut state, "scan-ocr");
    let effects = script(&mut state, "<right>");
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::ReadCopies(all) if all.len() == 2))
    );
    update(&mut state, Msg::CopiesRead(Arc::new(facts(2))));
    state
}

#[test]
fn skills_of_one_name_are_one_row_that_says_how_many() {
    let mut state = shop();
    assert_eq!(rows(&state).iter().filter(|name| *name == "scan-ocr").count(), 1);
    go_to(&mut state, "scan-ocr");
    let shown = screen::shown(&state);
    let line = shown.lines().skip(1).find(|line| line.contains("scan-ocr")).unwrap();
    assert!(line.contains("⇉2"), "{line}");
    // All of them are counted.
    assert!(shown.lines().next().unwrap().contains("14 of 14"), "{shown}");
    // A refused one is not hidden behind another one: its reason has to be seen.
    let broken = with(skill(Scope::User, "scan-ocr", ""), &checks::DESC_MISSING, (1, 1, 1), "none");
    let mut catalog = TestCatalog::shop();
    catalog.skills.push(broken);
    let state = script::open((100, 30), catalog.view());
    assert_eq!(rows(&state).iter().filter(|name| *name == "scan-ocr").count(), 2);
}

#[test]
fn the_row_stays_with_its_skill_while_only_states_change_and_follows_a_query() {
    let mut state = shop();
    go_to(&mut state, "scan-ocr");
    let shown = state.current().unwrap().skill.path.clone();
    // The words are of the other one alone.
    play(&mut state, "scanner's");
    assert_eq!(current(&state), "scan-ocr");
    assert_ne!(state.current().unwrap().skill.path, shown);
    play(&mut state, "<esc>");
    go_to(&mut state, "scan-ocr");
    assert_eq!(state.current().unwrap().skill.path, shown);
}

#[test]
fn a_row_means_the_same_skill_whatever_is_typed() {
    let skills = || {
        vec![
            skill(Scope::Repo, "pdf", "One."),
            skill(Scope::User, "pdf", "Two."),
            skill(Scope::System, "pdf", "Three, a pdf."),
        ]
    };
    let mut catalog = TestCatalog::of(skills());
    let paths: Vec<PathBuf> = skills().into_iter().map(|skill| skill.path).collect();
    let mut view = catalog.view();
    let mut rows: Vec<_> = view.rows.iter().cloned().collect();
    rows[2].frecency = 7;
    view.listing.rows = Arc::new(skillpick::listing::Rows::new(rows));
    let mut state = script::open((100, 30), view);
    let queries = ["", "p", "pdf", "is:on", "'pdf"];
    let shown = |state: &mut State| {
        queries.map(|query| {
            play(state, &format!("<ctrl-u>{query}"));
            assert_eq!(script::rows(state).len(), 1);
            state.current().unwrap().skill.path.clone()
        })
    };
    assert_eq!(shown(&mut state), queries.map(|_| paths[2].clone()), "the one that was picked");
    // A mark decides first.
    play(&mut state, "<ctrl-u>scope:user<tab>");
    assert_eq!(shown(&mut state), queries.map(|_| paths[1].clone()));
    let mut state = script::open((100, 30), catalog.view());
    assert_eq!(shown(&mut state), queries.map(|_| paths[0].clone()));
}

#[test]
fn through_all_agents_a_row_means_the_copy_that_most_of_them_use() {
    let mut catalog =
        TestCatalog::of(vec![skill(Scope::Repo, "pdf", "One."), skill(Scope::User, "pdf", "Two.")]);
    let paths = [catalog.skills[0].path.clone(), catalog.skills[1].path.clone()];
    let mut view = seen(&mut catalog);
    let mut reports = (*view.reports).clone();
    for report in &mut reports {
        report.found = Arc::new(vec![u32::from(report.host.word() != "claude")]);
        (report.shadowed, report.contested) = Default::default();
    }
    view.listing.reports = Arc::new(reports);
    let mut state = script::unopened((160, 45), false);
    state.options.host = "all";
    update(&mut state, Msg::Viewed(Box::new(view.clone())));
    assert_eq!(state.current().unwrap().skill.path, paths[1]);
    let state = script::open((160, 45), view);
    assert_eq!(state.current().unwrap().skill.path, paths[0], "one agent is not several");
}

#[test]
fn a_skill_without_a_row_of_its_own_is_shown_by_the_row_of_its_name() {
    let mut catalog = TestCatalog::shop();
    let scans = catalog.skills.iter_mut().filter(|skill| skill.name == "scan-ocr");
    let other = scans.last().unwrap();
    *other = with(other.clone(), &checks::NAME_CASE, (2, 7, 4), "capitals");
    let mut state = script::open((100, 30), catalog.view());
    let is_odd = |skill: &&skillpick::catalog::Skill| !skill.diagnostics.is_empty();
    let mut scans = catalog.skills.iter().filter(|skill| skill.name == "scan-ocr");
    let path = scans.find(is_odd).unwrap().path.clone();
    go_to(&mut state, "scan-ocr");
    assert_ne!(state.current().unwrap().skill.path, path);
    play(&mut state, "<right>j<enter><f2>");
    let Some(Screen::Problems(problems)) = state.screens.last() else { panic!("{}", top(&state)) };
    let current_one = problems.current().unwrap().of_skill(&state).unwrap();
    assert_eq!(current_one.0.skill.path, path);
    // Its row stands for the other one, so it is shown among the copies.
    play(&mut state, "<enter>");
    assert_eq!((top(&state), current(&state)), ("copies", "scan-ocr"));
    let Some(Screen::Copies(copies)) = state.screens.last() else { unreachable!() };
    assert_eq!(*copies.paths[copies.list.cursor], *path);
}

#[test]
fn copies_are_told_apart_and_each_is_opened_picked_and_compared() {
    let mut state = opened();
    let shown = screen::shown(&state);
    for words in ["Copies", "in git", "4.7 KB in 3 files", "the others are compared with this one"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let both = paths(&state);
    play(&mut state, "j");
    assert!(screen::shown(&state).contains("differs from line 3"), "{}", screen::shown(&state));
    let compared = format!("compare {} and {}", both[1].display(), both[0].display());
    assert_eq!(effects(&mut state, "d"), [compared]);
    let picked = script(&mut state, "p");
    let exits = picked.iter().filter_map(|effect| match effect {
        Effect::Exit(skillpick::tui::app::Exit::Picked(paths)) => Some(paths[0].to_path_buf()),
        _ => None,
    });
    assert_eq!(exits.collect::<Vec<_>>(), [both[1].clone()]);
    play(&mut state, "m");
    assert_eq!(state.marks.count(), 1);
    play(&mut state, "<enter>");
    let Some(Screen::Detail(detail)) = state.screens.last() else { panic!("{}", top(&state)) };
    assert_eq!(*detail.path, *both[1]);
    play(&mut state, "<esc><esc>");
    assert_eq!(top(&state), "picker");
}

#[test]
fn the_key_that_keeps_one_is_dim_where_it_would_refuse() {
    let hint = |state: &State| {
        let mut hints = hints::hints(state).into_iter();
        let hint = hints.find(|hint| hint.action == Some(Action::KeepCopy)).unwrap();
        (hint.label.to_string(), hint.dim)
    };
    let mut state = opened();
    state.options.own = "/code/shop".into();
    let both = paths(&state);
    assert!(both[0].starts_with("/code/shop") && both[1].starts_with("/home/ada"), "{both:?}");
    assert_eq!(hint(&state), ("keep (the others are yours)".to_owned(), true));
    play(&mut state, "j");
    assert_eq!(hint(&state), ("keep".to_owned(), false));
    // Seen from another repository, the first one is not for us to replace.
    state.options.own = "/code/other".into();
    assert_eq!(hint(&state), ("keep (others bring the rest)".to_owned(), true));
}

#[test]
fn one_is_kept_or_renamed_after_a_question() {
    let mut state = opened();
    let both = paths(&state);
    assert_eq!(effects(&mut state, "jK"), [format!("plan to keep {}", both[1].display())]);
    assert!(effects(&mut state, "K").is_empty(), "one change at a time");
    let why = SafeText::fixed("nothing was written: it is read-only");
    answered(&mut state, ChangeAnswer::MendPlanned(Err(why)));
    assert!(notice(&state).contains("read-only"));
    play(&mut state, "r<ctrl-u>scan-mine");
    assert!(screen::shown(&state).contains("new name ❯ scan-mine"), "{}", screen::shown(&state));
    let asked = format!("plan to rename {} to scan-mine", both[1].display());
    assert_eq!(effects(&mut state, "<enter>"), [asked]);
    answered(&mut state, ChangeAnswer::MendPlanned(Err(SafeText::fixed("x"))));
    // A name that is refused can be mended; what is typed can be taken back, and is no command.
    assert!(screen::shown(&state).contains("new name ❯ scan-mine"), "{}", screen::shown(&state));
    assert!(effects(&mut state, "K<esc>").is_empty());
    assert_eq!(top(&state), "copies");
}

#[test]
fn the_screen_closes_when_one_is_left_and_reads_again_what_changed() {
    let mut state = opened();
    let again = update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    assert!(
        again.iter().any(|effect| matches!(effect, Effect::ReadCopies(_))),
        "{:?}",
        in_words(&again)
    );
    let mut catalog = TestCatalog::shop();
    let at = catalog.skills.iter().position(|skill| skill.name == "scan-ocr").unwrap();
    catalog.skills.remove(at);
    let newer = skillpick::tui::app::Viewed { generation: 99, ..catalog.view() };
    update(&mut state, Msg::Viewed(Box::new(newer)));
    assert_eq!(top(&state), "picker");
    let mut state = shop();
    go_to(&mut state, "pdf-forms");
    assert!(effects(&mut state, "<alt-c>").is_empty());
    assert!(notice(&state).contains("no other skill"), "{}", notice(&state));
}

/// Two copies of `pdf`, of which Codex sees the first and Claude Code the second.
fn apart_in_two() -> (TestCatalog, [PathBuf; 2]) {
    let mut catalog = TestCatalog::of(vec![
        skill(Scope::User, "pdf", "Where Codex looks."),
        skill(Scope::Repo, "pdf", "Where Claude looks."),
    ]);
    catalog.skills[1].path = "/code/shop/.claude/skills/pdf/SKILL.md".into();
    catalog.skills[1].root =
        skillpick::catalog::SkillRoot::plain(std::path::Path::new("/code/shop/.claude/skills"));
    let paths = [catalog.skills[0].path.clone(), catalog.skills[1].path.clone()];
    (catalog, paths)
}

#[test]
fn where_a_copy_is_off_the_column_in_which_another_one_is_on_is_named() {
    let (mut catalog, [first, second]) = apart_in_two();
    let mut state = script::open((160, 45), apart(&mut catalog));
    let others = |state: &State, path| state.on_in_columns(path).map(|words| words.to_string());
    assert_eq!(others(&state, &first), None, "there are no columns");
    state.options.host = "all";
    play(&mut state, "<alt-right><alt-right>");
    assert_eq!(others(&state, &second).as_deref(), Some(" · codex has it on (Alt-←)"));
    catalog.turn_off("pdf");
    let mut view = apart(&mut catalog);
    let mut reports = (*view.reports).clone();
    reports[0].policy = Arc::clone(&view.policy);
    view.listing.reports = Arc::new(reports);
    update(&mut state, Msg::Viewed(Box::new(view)));
    assert_eq!(others(&state, &second), None);
    assert!(effects(&mut state, "<alt-left><enter>").is_empty());
    let said = notice(&state);
    assert!(said.ends_with("^x turns it on · claude has it on (Alt-→)"), "{said}");
    assert_eq!(effects(&mut state, "<alt-right><enter>"), ["picked pdf"]);
}

#[test]
fn through_several_agents_a_row_is_the_skill_that_each_of_them_uses() {
    let (mut catalog, paths) = apart_in_two();
    let mut state = script::open((160, 45), apart(&mut catalog));
    state.options.host = "all";
    assert_eq!(rows(&state), ["pdf"]);
    for (host, path) in [("codex", &paths[0]), ("claude", &paths[1])] {
        state.picker.column = None;
        while state.column().is_none_or(|report| report.host.word() != host) {
            play(&mut state, "<alt-right>");
        }
        assert_eq!(*state.chosen().paths[0], **path, "{host}");
    }
    let shown = screen::shown(&state);
    let line = shown.lines().find(|line| line.contains("▌   pdf")).unwrap();
    assert_eq!(line.matches('✓').count(), 2, "{line}");
}

#[test]
fn a_screen_that_closes_by_itself_says_why_and_its_keys_do_nothing_in_the_list() {
    let mut state = opened();
    let mut catalog = TestCatalog::shop();
    let at = catalog.skills.iter().rposition(|skill| skill.name == "scan-ocr").unwrap();
    catalog.skills.remove(at);
    let mut newer = || {
        let view = skillpick::tui::app::Viewed { generation: 99, ..catalog.view() };
        Msg::Viewed(Box::new(view))
    };
    let gone = update(&mut state, newer());
    assert_eq!((top(&state), notice(&state)), ("picker", "the other copies are gone"));
    assert!(effects(&mut state, "<ctrl-x>x").is_empty(), "they were meant for the copies");
    assert_eq!(notice(&state), "the other copies are gone");
    assert_eq!(effects(&mut state, "<ctrl-c>"), ["left"], "this key is never lost");
    script::seen_long_enough(&mut state, &gone);
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off scan-ocr"]);
    // After a change of its own it has done what it was for.
    let mut state = opened();
    let written = Ok((1, SafeText::fixed("kept")));
    answered(&mut state, ChangeAnswer::Mended(written));
    update(&mut state, newer());
    assert_eq!((top(&state), notice(&state)), ("picker", "kept · Alt-u undoes it"));
    assert_eq!(effects(&mut state, "<enter>"), ["picked scan-ocr"]);
}

#[test]
fn the_cursor_and_a_name_that_is_typed_stay_with_their_skill() {
    let mut catalog = TestCatalog::of(vec![
        skill(Scope::Repo, "pdf", "One."),
        skill(Scope::User, "pdf", "Two."),
        skill(Scope::System, "pdf", "Three."),
    ]);
    let last = catalog.skills[2].path.clone();
    let mut state = script::open((100, 30), catalog.view());
    play(&mut state, "<right>jjr<ctrl-u>mine");
    catalog.skills.remove(1);
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    let asked = format!("plan to rename {} to mine", last.display());
    assert_eq!(effects(&mut state, "<enter>"), [asked]);
    answered(&mut state, ChangeAnswer::MendPlanned(Err(SafeText::fixed("x"))));
    // One that comes back is shown again.
    catalog.skills.insert(0, skill(Scope::User, "pdf", "Two."));
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(paths(&state).len(), 3);
    let Some(Screen::Copies(copies)) = state.screens.last() else { unreachable!() };
    assert_eq!(**copies.current().unwrap(), *last, "the cursor stays");
    catalog.skills.truncate(1);
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(top(&state), "picker", "one is left");
}

#[test]
fn a_marked_copy_is_no_hidden_mark_and_its_row_shows_it() {
    let mut state = opened();
    play(&mut state, "jm<esc>scan");
    assert_eq!(state.hidden(&state.chosen()), []);
    let shown = screen::shown(&state);
    let line = shown.lines().skip(1).find(|line| line.contains("scan-ocr")).unwrap();
    assert!(line.contains('●'), "{line}");
    play(&mut state, "<ctrl-u>merge");
    assert_eq!(state.hidden(&state.chosen()).len(), 1);
}

#[test]
fn a_row_with_a_mark_loses_it_whichever_of_its_skills_has_it() {
    for key in ["<tab>", "<backtab>"] {
        let mut state = opened();
        play(&mut state, "jm<esc>");
        assert_eq!(state.marks.count(), 1);
        play(&mut state, key);
        assert_eq!(state.marks.count(), 0, "{key}");
        go_to(&mut state, "scan-ocr");
        assert!(!screen::shown(&state).contains('●'), "{key}");
        play(&mut state, key);
        assert_eq!(state.marks.count(), 1, "{key} marks it again");
    }
    // Both have one, by the screen that tells them apart.
    let mut state = opened();
    play(&mut state, "mjm<esc><tab>");
    assert_eq!(state.marks.count(), 0);
}

#[test]
fn marking_all_adds_no_second_mark_to_a_row_and_takes_all_away() {
    let mut state = opened();
    play(&mut state, "jm<esc><ctrl-space>");
    assert_eq!(notice(&state), "12 marked, 1 cannot be picked or switched");
    play(&mut state, "<ctrl-space>");
    assert_eq!(state.marks.count(), 0);
}

#[test]
fn the_row_keeps_its_place_when_the_filter_hides_the_one_that_had_it() {
    let mut state = shop();
    play(&mut state, "is:on");
    let before = rows(&state);
    let mut catalog = TestCatalog::shop();
    let at = catalog.skills.iter().position(|skill| skill.name == "scan-ocr").unwrap();
    let path = catalog.skills[at].path.clone();
    catalog.policy.switches.push(skillpick::policy::Switch {
        target: skillpick::policy::Target::Path(path),
        within: None,
        state: skillpick::catalog::Enablement::Off,
        origin: skillpick::policy::Origin::Default,
        layer: skillpick::policy::Layer::User,
    });
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(rows(&state), before);
}

#[test]
fn from_a_problem_that_the_query_hides_no_other_copies_are_opened() {
    let mut state = shop();
    play(&mut state, "scan<f2>");
    // The cursor goes to a finding of a skill that the query hides.
    play(&mut state, "<home>j<right>j");
    let Some(Screen::Problems(problems)) = state.screens.last() else { panic!("{}", top(&state)) };
    let name =
        problems.current().and_then(|row| row.of_skill(&state)).map(|it| it.0.skill.name.clone());
    assert!(name.is_some_and(|name| name != "scan-ocr"));
    play(&mut state, "<enter>");
    assert_eq!(top(&state), "picker");
}

#[test]
fn the_part_of_a_long_place_that_tells_copies_apart_is_not_cut() {
    let name = "guidelines-for-the-brand-and-its-many-colours";
    let mut catalog = TestCatalog::shop();
    catalog.skills.extend([Scope::Repo, Scope::User].map(|scope| skill(scope, name, "Colours.")));
    let mut state = script::open((80, 24), catalog.view());
    go_to(&mut state, name);
    script(&mut state, "<right>");
    assert_eq!(top(&state), "copies");
    let shown = screen::shown(&state);
    for place in ["./.agents", "~/.agents"] {
        let is_its = |line: &&str| line.contains('✓') && line.contains(place);
        assert!(shown.lines().any(|line| is_its(&line)), "{place}: {shown}");
    }
}

#[test]
fn agents_in_which_a_copy_is_off_do_not_use_it() {
    let mut catalog = TestCatalog::shop();
    catalog.turn_off("scan-ocr");
    let mut state = script::open((160, 45), seen(&mut catalog));
    go_to(&mut state, "scan-ocr");
    script(&mut state, "<alt-c>");
    let off = catalog.path("scan-ocr");
    let place = paths(&state).iter().position(|path| *path == off).unwrap();
    play(&mut state, &"j".repeat(place));
    let shown = screen::shown(&state);
    let fact = |label: &str| {
        let mut found = shown.lines().filter_map(|line| line.split_once(label));
        found.next().map(|(_, hosts)| hosts.trim().to_owned())
    };
    assert_eq!(fact("used by").as_deref(), Some("codex, claude, opencode, codelia"));
    assert_eq!(fact("off in").as_deref(), Some("agents"));
}

#[test]
fn every_copy_is_held_against_the_first_one() {
    let mut state = opened();
    let all = paths(&state);
    let wanted = format!("compare {} and {}", all[1].display(), all[0].display());
    assert_eq!(effects(&mut state, "d"), [wanted.as_str()], "the first has no other one");
    assert_eq!(effects(&mut state, "<down>d"), [wanted]);
}
