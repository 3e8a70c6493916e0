//! The columns of agents in the list, and the skills below the rule.

use crate::model::agents::seen;
use crate::model::catalog::{self, TestCatalog, skill};
use crate::model::screen::{draw, text};
use crate::model::script::{self, current, effects, go_to, notice, script, top};
use crate::model::script::{answered, update};
use skillpick::catalog::{HostId, RootState, Scope};
use skillpick::listing::{Listing, Rows};
use skillpick::policy::{Entry, Evaluation, HostReport, Looks, Origin, Policy, Verdict};
use skillpick::text::SafeText;
use skillpick::tui::app::{
    Action, AgentColumn, ChangeAnswer, Columns, Effect, Msg, Screen, State, Timer, Viewed, hints,
};
use skillpick::tui::view::Palette;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The shop through six agents at once.
fn shop(size: (u16, u16)) -> State {
    let mut state = script::open(size, seen(&mut TestCatalog::shop()));
    state.options.host = "all";
    update(&mut state, Msg::Resize(size.0, size.1));
    state
}

fn header(state: &State) -> String {
    text(&draw(state, Palette::Ansi))[2].clone()
}

#[test]
fn the_cursor_goes_over_the_columns_and_back_to_the_row() {
    let mut state = shop((100, 30));
    let hosts: Vec<&str> = state.agents().iter().map(|report| report.host.word()).collect();
    assert_eq!(hosts.len(), 6);
    let column = |state: &State| state.column().map(|report| report.host.word());
    script(&mut state, "<alt-left>");
    assert_eq!(column(&state), None, "there is nothing on the left");
    for host in &hosts {
        script(&mut state, "<alt-right>");
        assert_eq!(column(&state), Some(*host));
        assert!(header(&state).contains(&host[..host.len().min(7)]), "{}", header(&state));
    }
    script(&mut state, "<alt-right>");
    assert_eq!(column(&state), Some(hosts[5]), "it stays on the last one");
    script(&mut state, "<alt-left><alt-left><alt-left><alt-left><alt-left><alt-left>");
    assert_eq!(column(&state), None);
    let mut one = script::shop();
    script(&mut one, "<alt-right>");
    assert!(notice(&one).contains("no columns"), "{}", notice(&one));
}

#[test]
fn where_no_column_is_drawn_the_cursor_goes_to_none_and_leaves_it() {
    let mut state = shop((50, 24));
    script(&mut state, "<alt-right>");
    assert_eq!(state.column().map(|report| report.host.word()), None);
    assert!(notice(&state).contains("no room for columns here: ^g shows"), "{}", notice(&state));
    script(&mut state, "<alt-left>");
    update(&mut state, Msg::Resize(100, 30));
    script(&mut state, "<alt-right>");
    assert!(state.column().is_some());
    update(&mut state, Msg::Resize(50, 24));
    assert!(state.column().is_none() && state.viewed.preferred.is_none());
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf"], "for all agents again");
}

#[test]
fn while_skills_are_read_no_agent_is_said_not_to_look_there() {
    let mut state = shop((160, 45));
    let row = |state: &State| {
        let lines = text(&draw(state, Palette::Ansi));
        lines.into_iter().find(|line| line.contains("pdf-forms")).unwrap()
    };
    assert!(row(&state).contains('·'), "gemini does not: {}", row(&state));
    state.viewed.listing.complete = false;
    assert!(!row(&state).contains('·'), "not yet known: {}", row(&state));
    assert!(row(&state).contains('✓'), "what is known is shown: {}", row(&state));
}

#[test]
fn with_a_column_the_switch_is_for_that_agent_and_says_why_not() {
    let mut state = shop((160, 45));
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<alt-right><ctrl-x>"), ["plan in agents off pdf"]);
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert_eq!(effects(&mut state, "<alt-right><ctrl-x>"), ["plan in codex on pdf"]);
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf on"))));
    state.picker.column = Some(HostId("gemini"));
    assert!(effects(&mut state, "<ctrl-x>").is_empty());
    assert!(notice(&state).contains("gemini does not look"), "{}", notice(&state));
    assert_eq!(top(&state), "picker");
}

#[test]
fn with_a_column_calls_are_for_that_agent() {
    let mut state = shop((160, 45));
    go_to(&mut state, "pdf-forms");
    let first = |state: &State| text(&draw(state, Palette::Ansi))[0].clone();
    for (host, call) in
        [("codex", "prints $pdf-forms for codex"), ("claude", "prints /pdf-forms for claude")]
    {
        state.picker.column = None;
        while state.column().is_none_or(|report| report.host.word() != host) {
            script(&mut state, "<alt-right>");
        }
        assert_eq!(state.viewed.preferred, Some(HostId(host)));
        assert!(first(&state).ends_with(call), "{}", first(&state));
    }
}

#[test]
fn for_whom_enter_prints_is_said_wherever_there_is_room_for_a_short_call() {
    let name = "camelot-of-the-round-table-and-all-its-many-knights";
    for columns in [80, 100, 160, 220] {
        let mut catalog = TestCatalog::of(vec![skill(Scope::Repo, name, "Knights.")]);
        let mut state = script::open((columns, 24), seen(&mut catalog));
        state.options.host = "all";
        state.options.preferred = Some(HostId("codex"));
        script(&mut state, "<alt-right><alt-left>camelot");
        let first = text(&draw(&state, Palette::Ansi))[0].clone();
        assert!(first.contains("prints $camel") && first.ends_with("for codex"), "{first}");
    }
}

#[test]
fn with_a_column_whose_agent_does_not_see_the_skill_calls_are_for_the_agent_of_for() {
    let mut state = shop((160, 45));
    go_to(&mut state, "pdf-forms");
    let first = |state: &State| text(&draw(state, Palette::Ansi))[0].clone();
    let to_gemini = |state: &mut State| {
        state.picker.column = None;
        script(state, &"<alt-right>".repeat(6));
        assert_eq!(state.column().map(|report| report.host.word()), Some("gemini"));
    };
    // As if it had been remembered, and as if `--for` had named it.
    for for_named in [false, true] {
        state.options.preferred = Some(HostId("claude"));
        state.viewed.listing.for_named = for_named;
        to_gemini(&mut state);
        let line = first(&state);
        assert!(line.ends_with("prints /pdf-forms for claude"), "{for_named}: {line}");
    }
    // No agent but that of `--for` is written for, even if that one does not see it.
    state.options.preferred = Some(HostId("gemini"));
    to_gemini(&mut state);
    assert!(first(&state).contains("prints [$pdf-forms]("), "{}", first(&state));
}

#[test]
fn with_a_column_the_agent_is_looked_through_at_the_same_skill_and_query() {
    let mut state = shop((160, 45));
    script(&mut state, "pdf<down><alt-right><alt-right>");
    let name = current(&state).to_owned();
    assert_eq!(effects(&mut state, "<ctrl-g>"), ["look through codex"]);
    let mut view = TestCatalog::shop().view();
    view.generation = 99;
    update(&mut state, Msg::Viewed(Box::new(view)));
    assert_eq!((current(&state), state.picker.query.text()), (&*name, "pdf"));
}

#[test]
fn a_click_on_the_name_of_a_column_puts_the_cursor_there_or_takes_it_away() {
    let mut state = shop((160, 45));
    let place = header(&state).find("claude").unwrap();
    let place = ratatui::layout::Position::new(u16::try_from(place).unwrap(), 2);
    for expected in [Some("claude"), None] {
        update(&mut state, Msg::Mouse(skillpick::tui::app::Mouse::Click(place)));
        assert_eq!(state.column().map(|report| report.host.word()), expected);
    }
}

#[test]
fn every_row_has_a_sentence_from_sixty_columns_on() {
    for width in [60, 70, 80, 100, 119, 120, 160, 180, 220] {
        let mut state = shop((width, 30));
        for column in [None, Some(HostId("gemini"))] {
            state.picker.column = column;
            let list = usize::from(state.panes().list.width);
            let columns = Columns::of(&state, list);
            assert!(columns.description >= 30, "{width}: {columns:?}");
            let last = columns.agents.last();
            assert!(last.is_none_or(|last| last.start + last.width <= list), "{columns:?}");
            let shown = columns.agents.len() + columns.more;
            assert!(columns.agents.is_empty() || shown == 6, "{width}: {columns:?}");
            let chosen = columns
                .agents
                .iter()
                .any(|agent| Some(state.agents()[agent.report].host) == column);
            assert!(chosen || column.is_none() || columns.agents.is_empty(), "{columns:?}");
        }
    }
    assert!(Columns::of(&shop((60, 30)), 60).agents.is_empty(), "there is no room for one");
    assert_eq!(Columns::of(&shop((160, 30)), 160).more, 0);
}

const UNSEEN: &str = "kubernetes-troubleshooting-runbook-for-on-call-engineers";

/// The shop as an agent sees it that does not look in the folder of two skills.
fn partly() -> Viewed {
    let view = TestCatalog::shop().view();
    let rows = view.rows.iter().map(|row| {
        let mut row = row.clone();
        if ["pdf-redact", UNSEEN].contains(&&*row.entry.skill.name) {
            let verdict = Arc::new(Verdict::off(Origin::Host("does not look in its folder")));
            row.entry = Entry { looks: Looks::Elsewhere, verdict, refused: None, ..row.entry };
        }
        row
    });
    let rows = Arc::new(Rows::new(rows.collect()));
    Viewed { listing: Listing { rows, ..view.listing }, ..view }
}

#[test]
fn what_the_agent_does_not_see_is_below_a_rule_with_reason_and_cure() {
    let mut state = script::open((100, 60), partly());
    let screen = text(&draw(&state, Palette::Ansi));
    let rule = screen.iter().position(|line| line.contains("not seen by agents")).unwrap();
    let unseen: Vec<&String> = screen[rule + 1..]
        .iter()
        .take_while(|line| line.len() > 1 && !line.starts_with('─'))
        .collect();
    assert!(unseen.iter().any(|line| line.contains("does not look in") && line.contains("F6")));
    let seen = state.picker.shown.seen;
    let all = seen + state.picker.shown.folded[0];
    // What it refuses stands below the rule as well.
    let first = format!("{all} of {all} · {} not seen", unseen.len());
    assert!(screen[0].contains(&first), "{}", screen[0]);
    assert_eq!(unseen.len(), state.picker.hits().len() - seen);
    for row in 0..state.picker.hits().len() {
        assert_eq!(state.picker.entry(row).unwrap().is_seen(), row < seen, "{row}");
    }
    // A query that only finds such a skill puts the cursor on it; it is neither picked nor switched.
    script(&mut state, "kubernetes");
    assert_eq!((state.picker.shown.seen, current(&state)), (0, UNSEEN));
    for key in ["<enter>", "<ctrl-x>"] {
        assert!(effects(&mut state, key).is_empty(), "{key}");
        assert!(notice(&state).contains("does not look in"), "{key}: {}", notice(&state));
    }
}

#[test]
fn a_folder_that_is_closed_to_the_agent_is_no_reason_to_share() {
    let mut view = partly();
    let mut roots = (*view.roots).clone();
    for root in &mut roots {
        root.state = RootState::Closed { why: "the folder is not trusted", there: true };
    }
    view.listing.roots = Arc::new(roots);
    let mut state = script::open((160, 60), view);
    script(&mut state, "kubernetes<enter>");
    let said = notice(&state);
    assert!(said.contains(": the folder is not trusted") && !said.contains("F6"), "{said}");
}

/// The hint of an action, and whether it is dim.
fn hint(state: &State, action: Action) -> Option<(String, bool)> {
    let hint = hints::hints(state).into_iter().find(|hint| hint.action == Some(action))?;
    Some((hint.label.to_string(), hint.dim))
}

#[test]
fn keys_that_would_refuse_are_dim_with_the_reason_and_the_key_that_helps_is_named() {
    let mut state = script::open((100, 60), partly());
    go_to(&mut state, "pdf-forms");
    assert_eq!(hint(&state, Action::Toggle), Some(("on/off".to_owned(), false)));
    assert_eq!(hint(&state, Action::Seen), None, "there is nothing to share");
    script(&mut state, "kubernetes");
    assert_eq!(current(&state), UNSEEN);
    assert_eq!(hint(&state, Action::Pick), Some(("pick (not there)".to_owned(), true)));
    assert_eq!(hint(&state, Action::Toggle), Some(("on/off".to_owned(), true)));
    assert_eq!(hint(&state, Action::Seen), Some(("share".to_owned(), false)));
    // Marks are about other rows.
    script(&mut state, "<ctrl-u><tab>kubernetes");
    assert!(hint(&state, Action::Pick).is_some_and(|(_, dim)| !dim));
}

#[test]
fn pick_is_dim_on_a_skill_that_is_off_in_the_list_and_where_it_is_shown() {
    let mut catalog = TestCatalog::shop();
    catalog.turn_off("pdf");
    let mut state = script::open((160, 45), catalog.view());
    go_to(&mut state, "pdf");
    for keys in ["", "<right>"] {
        script(&mut state, keys);
        assert_eq!(hint(&state, Action::Pick), Some(("pick (off)".to_owned(), true)), "{keys}");
        assert!(hint(&state, Action::Toggle).is_some_and(|(_, dim)| !dim), "{keys}");
    }
    assert_eq!(top(&state), "detail");
    // A marked one is picked instead of it.
    script(&mut state, "<esc>");
    go_to(&mut state, "pdf-forms");
    script(&mut state, "<tab>");
    go_to(&mut state, "pdf");
    script(&mut state, "<right>");
    assert!(hint(&state, Action::Pick).is_some_and(|(_, dim)| !dim));
    let mut state = script::open((160, 60), partly());
    script(&mut state, "kubernetes<right>");
    assert_eq!(hint(&state, Action::Toggle), Some(("on/off (not there)".to_owned(), true)));
    assert_eq!(hint(&state, Action::Pick), Some(("pick".to_owned(), true)));
}

#[test]
fn keys_that_the_view_of_all_agents_or_a_column_does_not_have_are_dim() {
    let mut state = shop((220, 45));
    go_to(&mut state, "pdf-forms");
    assert_eq!(hint(&state, Action::Rules), Some(("rules (^g first)".to_owned(), true)));
    state.picker.column = Some(HostId("gemini"));
    assert_eq!(hint(&state, Action::Toggle), Some(("on/off (not there)".to_owned(), true)));
    assert!(hint(&state, Action::Pick).is_some_and(|(_, dim)| !dim));
    assert_eq!(hint(&state, Action::Seen), Some(("share".to_owned(), false)));
    state.picker.column = Some(HostId("claude"));
    assert_eq!(hint(&state, Action::Toggle), Some(("on/off".to_owned(), false)));
}

#[test]
fn a_click_below_the_rule_means_the_row_that_is_drawn_there() {
    let mut state = script::open((100, 60), partly());
    let screen = text(&draw(&state, Palette::Ansi));
    let rule = screen.iter().position(|line| line.contains("not seen by agents")).unwrap();
    let rule = u16::try_from(rule).unwrap();
    let click = |state: &mut State, y: u16| {
        let place = ratatui::layout::Position::new(5, y);
        update(state, Msg::Mouse(skillpick::tui::app::Mouse::Click(place)));
        state.picker.list.cursor
    };
    let seen = state.picker.shown.seen;
    assert_eq!(click(&mut state, rule + 1), seen);
    assert_eq!(click(&mut state, rule), seen, "the rule is no row");
    assert_eq!(click(&mut state, rule - 1), seen - 1);
}

#[test]
fn rules_are_weighed_by_the_agents_own_skills() {
    let viewed = partly();
    let offered = |entry: &&Entry| entry.offered();
    let all = viewed.rows.entries().filter(offered).count();
    let mut state = script::open((100, 60), viewed);
    script(&mut state, "<ctrl-r>");
    let screen = text(&draw(&state, Palette::Ansi)).join("\n");
    assert!(screen.contains(&format!("effect on {} skills", all - 2)), "{screen}");
    let Some(Screen::Rules(rules)) = state.screens.last() else { panic!("{screen}") };
    let shown = rules.effects(&state);
    assert!(shown.iter().all(|effect| effect.skill.name != UNSEEN), "{screen}");
}

#[test]
fn the_gauge_goes_with_the_column() {
    let mut state = shop((160, 45));
    let waits = |effects: &[Effect]| {
        effects.iter().any(|effect| matches!(effect, Effect::Wait(Timer::Gauge(_), _)))
    };
    for _ in 0..2 {
        assert!(waits(&script(&mut state, "<alt-right>")));
    }
    assert!(!waits(&script(&mut state, "<down>")));
}

#[test]
fn in_a_folder_that_is_browsed_rows_have_their_descriptions() {
    let view = TestCatalog::shop().view();
    let browsed = view.rows.iter().map(|row| {
        let entry = Entry { looks: Looks::Browsed, ..row.entry.clone() };
        skillpick::listing::Row::new(entry)
    });
    let rows = Arc::new(Rows::new(browsed.collect()));
    let view = Viewed { listing: Listing { rows, ..view.listing }, ..view };
    let state = script::open((100, 60), view);
    let shown = text(&draw(&state, Palette::Ansi)).join("\n");
    assert!(shown.contains("not seen by agents"), "the rule says it once: {shown}");
    assert!(shown.contains("Join, split and reorder"), "{shown}");
    assert!(!shown.contains("does not look in"), "{shown}");
    // What is refused has its reason all the same.
    assert!(shown.contains("no description"), "{shown}");
}

/// Two skills called `pdf` through Codex, which keeps all, and Claude Code. These paths are off in
/// Codex.
fn two_of_a_name(off: &[usize]) -> (State, [PathBuf; 2]) {
    let mut catalog =
        TestCatalog::of(vec![skill(Scope::Repo, "pdf", "One."), skill(Scope::User, "pdf", "Two.")]);
    let paths = [catalog.skills[0].path.clone(), catalog.skills[1].path.clone()];
    let mut view = seen(&mut catalog);
    let mut reports: Vec<HostReport> = (*view.reports).clone();
    reports.retain(|report| ["codex", "claude"].contains(&report.host.word()));
    let mut policy = Policy::without_settings(Evaluation::HOST);
    policy.switches = off.iter().map(|at| catalog::off(&paths[*at], 4)).collect();
    reports[0].policy = Arc::new(policy);
    reports[0].contested = vec![0, 1];
    view.listing.reports = Arc::new(reports);
    let mut state = script::open((160, 45), view);
    state.options.host = "all";
    (state, paths)
}

/// The cells of a row, from the left.
fn cells(state: &State, row: usize) -> String {
    let list = state.panes().list;
    let line = &text(&draw(state, Palette::Ansi))[usize::from(list.y) + row];
    let columns = Columns::of(state, usize::from(list.width)).agents;
    let cell = |it: &AgentColumn| line.chars().nth(it.start + (it.width - 1) / 2).unwrap();
    columns.iter().map(cell).collect()
}

#[test]
fn a_cell_shows_the_copy_that_is_on_and_asks_which_one_only_where_several_are() {
    for (off, sign, used) in [(&[][..], '?', 0), (&[0], '✓', 1), (&[1], '✓', 0), (&[0, 1], '○', 0)]
    {
        let (mut state, paths) = two_of_a_name(off);
        assert_eq!(cells(&state, 0).chars().next(), Some(sign), "{off:?}");
        script(&mut state, "<alt-right>");
        assert_eq!(state.column().map(|report| report.host.word()), Some("codex"));
        assert_eq!(*state.chosen().paths[0], *paths[used], "{off:?}");
        state.picker.column = None;
        state.viewed.listing.preferred = Some(HostId("codex"));
        assert_eq!(*state.chosen().paths[0], *paths[used], "--for codex, {off:?}");
    }
}

#[test]
fn the_rule_counts_what_stands_below_it_and_a_row_there_is_about_its_own_skill() {
    let mut catalog = TestCatalog::of(vec![
        skill(Scope::User, "pdf", "Taken by all."),
        skill(Scope::Repo, "pdf", "Taken by none."),
        skill(Scope::User, "zip", "Nobody looks there."),
        skill(Scope::User, "docx", "Seen."),
    ]);
    catalog.skills[2].path = "/elsewhere/zip/SKILL.md".into();
    let winner: Arc<Path> = Arc::from(catalog.skills[0].path.as_path());
    let mut view = seen(&mut catalog);
    let mut rows = view.rows.to_vec();
    rows[1].entry.shadowed_by = Some(Arc::clone(&winner));
    rows[2].entry.looks = Looks::Elsewhere;
    view.listing.rows = Arc::new(Rows::new(rows));
    let mut reports: Vec<HostReport> = (*view.reports).clone();
    reports.retain(|report| ["codex", "claude"].contains(&report.host.word()));
    for report in &mut reports {
        report.found = Arc::new(vec![0, 1, 3]);
        report.shadowed.insert(1, Arc::clone(&winner));
    }
    view.listing.reports = Arc::new(reports);
    let mut state = script::open((160, 45), view);
    state.options.host = "all";
    let rule = |state: &State| {
        let screen = text(&draw(state, Palette::Ansi));
        let count =
            screen[0].split(" · ").find(|part| part.contains("not seen")).map(str::to_owned);
        (screen.into_iter().find(|line| line.contains("by no agent here")).unwrap(), count)
    };
    let (line, count) = rule(&state);
    assert_eq!(state.picker.hits().len(), 3);
    assert!(line.contains(" 1 seen by no agent here"), "the other `pdf` is above: {line}");
    assert_eq!(count.as_deref(), Some("1 not seen"));
    // Where the query hides the one that is taken, the other has a row.
    script(&mut state, "'none");
    let (line, _) = rule(&state);
    assert!(line.contains(" 1 seen by no agent here"), "{line}");
    assert_eq!((state.picker.shown.seen, cells(&state, 1).as_str()), (0, "≡≡"));
}
