//! Compose: a prompt with skills in it, completed, edited and sent.

use crate::model::agents::seen;
use crate::model::catalog::TestCatalog;
use crate::model::screen::{self, play};
use crate::model::script::{self, effects, in_words, top, update};
use skillpick::catalog::{Draft, HostId, Multiplexer, Pane};
use skillpick::policy::Calling;
use skillpick::text::SafeText;
use skillpick::tui::app::{Compose, ComposeStart, Msg, Recalled, Screen, State, Way};
use skillpick::tui::view::Palette;
use std::path::Path;
use std::sync::Arc;

/// The shop, seen by six agents, with an open prompt for Codex.
fn open() -> State {
    let mut state = script::open((100, 30), seen(&mut TestCatalog::shop()));
    play(&mut state, ">");
    update(&mut state, Msg::Recalled(Box::default()));
    assert_eq!(top(&state), "compose");
    state.options.preferred = Some(HostId("codex"));
    state
}

fn compose(state: &State) -> &Compose {
    state.compose().unwrap()
}

fn text(state: &State) -> String {
    compose(state).editor.draft().text(|pill| format!("[{}]", pill.name))
}

fn offered(state: &State) -> Vec<String> {
    let rows = compose(state).completion.iter().flat_map(|completion| &completion.rows);
    rows.map(|row| row.name.to_string()).collect()
}

#[test]
fn a_skill_is_completed_behind_a_sign_at_the_start_of_a_word() {
    let mut state = open();
    play(&mut state, "Use $merge");
    assert_eq!(offered(&state)[0], "pdf-merge-split");
    play(&mut state, "<enter>to join, costs a$5");
    assert_eq!(text(&state), "Use [pdf-merge-split] to join, costs a$5");
    assert!(compose(&state).completion.is_none(), "a sign inside a word is no call");
    play(&mut state, " see /usr");
    assert!(compose(&state).completion.is_some());
    play(&mut state, "/local");
    assert!(compose(&state).completion.is_none(), "a path is no name");
    play(&mut state, " $merge<esc>");
    assert_eq!(top(&state), "compose", "esc closes the completion first");
    assert!(text(&state).ends_with("see /usr/local $merge"));
    assert_eq!(compose(&state).editor.pills().count(), 1, "what is only typed stays text");
}

#[test]
fn the_space_behind_a_pill_gives_way_to_a_typed_one_and_to_a_comma() {
    let mut state = open();
    play(&mut state, "$merge<enter> to join");
    assert_eq!(text(&state), "[pdf-merge-split] to join");
    play(&mut state, ", $merge<enter>, then");
    assert_eq!(text(&state), "[pdf-merge-split] to join, [pdf-merge-split], then");
}

#[test]
fn enter_sends_a_word_that_only_resembles_a_skill_and_takes_one_that_was_moved_to() {
    let words = "read /straighten";
    for (keys, sent, left) in [
        ("<enter>", vec![r#"send "read /straighten" to codex"#], "read /straighten"),
        ("<tab>", Vec::new(), "read [NAME] "),
        ("<down><up><enter>", Vec::new(), "read [NAME] "),
    ] {
        let mut state = open();
        play(&mut state, words);
        let first = offered(&state).first().cloned().unwrap_or_default();
        assert!(
            !first.is_empty() && !first.contains("text"),
            "its description has the word: {first}"
        );
        assert_eq!(effects(&mut state, keys), sent, "{keys}");
        assert_eq!(text(&state), left.replace("NAME", &first), "{keys}");
    }
}

#[test]
fn a_name_that_nothing_has_is_said() {
    let mut state = open();
    play(&mut state, "$merge");
    assert!(!compose(&state).finds_nothing());
    play(&mut state, "zzqq");
    assert!(compose(&state).finds_nothing());
}

#[test]
fn one_key_removes_a_pill() {
    let mut state = open();
    play(&mut state, "a $merge<enter><backspace><backspace>");
    assert_eq!(text(&state), "a ");
    play(&mut state, "<alt-u>");
    assert_eq!(text(&state), "a [pdf-merge-split]");
    play(&mut state, "<left><delete>");
    assert_eq!(text(&state), "a ");
}

#[test]
fn copies_are_told_apart_by_their_folders() {
    let mut state = open();
    play(&mut state, "$");
    let rows = &compose(&state).completion.as_ref().unwrap().rows;
    let several: Vec<_> = rows.iter().filter(|row| row.folder.is_some()).collect();
    assert!(several.len() >= 2, "{rows:?}");
    for row in &several {
        let twins = several.iter().filter(|other| other.name == row.name);
        let folders: std::collections::HashSet<String> =
            twins.clone().map(|twin| twin.folder.clone().unwrap().to_string()).collect();
        assert_eq!(folders.len(), twins.count(), "{several:?}");
    }
}

#[test]
fn of_the_copies_the_one_that_the_target_calls_comes_first() {
    use crate::model::agents::apart;
    use crate::model::catalog::skill;
    use skillpick::catalog::Scope;
    for (host, folder) in [("codex", ".agents"), ("claude", ".claude")] {
        let twin = || skill(Scope::Repo, "twin", "A twin.");
        let mut catalog = TestCatalog::of(vec![twin(), twin()]);
        catalog.skills[1].path = "/code/shop/.claude/skills/twin/SKILL.md".into();
        catalog.skills[1].root =
            skillpick::catalog::SkillRoot::plain(std::path::Path::new("/code/shop/.claude/skills"));
        let mut state = script::open((100, 30), apart(&mut catalog));
        state.options.preferred = Some(HostId(host));
        play(&mut state, ">$twin");
        update(&mut state, Msg::Recalled(Box::default()));
        let rows = &compose(&state).completion.as_ref().unwrap().rows;
        assert!(rows[0].path.to_string_lossy().contains(folder), "{host}: {rows:?}");
    }
}

#[test]
fn the_path_of_the_copy_that_the_target_uses_is_short() {
    let state = open();
    let path = TestCatalog::shop().path("pdf-forms");
    let mut codex = compose(&state).target(&state).unwrap().clone();
    let winner = Arc::from(Path::new("/home/ada/.agents/skills/pdf-forms/SKILL.md"));
    codex.shadowed.insert(state.viewed.rows.number_of(&path).unwrap(), winner);
    let Some(Calling::No(why)) = state.calling(&codex, &path) else { panic!() };
    assert_eq!(why.as_str(), "shadowed by ~/.agents/skills/pdf-forms/SKILL.md");
}

#[test]
fn a_skill_that_is_off_for_the_target_is_turned_on_by_the_usual_change() {
    let mut state = open();
    play(&mut state, "$pdf");
    let at = offered(&state).iter().position(|name| name == "pdf").unwrap();
    play(&mut state, &"<down>".repeat(at));
    assert_eq!(effects(&mut state, "<enter>"), ["plan in codex on pdf"]);
    assert_eq!(text(&state), "[pdf] ");
    let (pill, _) = compose(&state).first_problem(&state).unwrap();
    assert_eq!(pill.name, "pdf");
}

#[test]
fn tab_goes_through_the_agents_and_the_prompt_is_sent_to_the_chosen_one() {
    let mut state = open();
    play(&mut state, "hello<tab><ctrl-t>");
    assert_eq!(effects(&mut state, "<enter>"), ["send \"hello\" to claude with texts"]);
    assert!(effects(&mut state, "<enter>").is_empty(), "nothing is sent twice");
    update(&mut state, Msg::Unsent(SafeText::fixed("no"), false));
    assert_eq!(text(&state), "hello");
    assert_eq!(effects(&mut state, "<enter>").len(), 1, "it can be sent again");
}

#[test]
fn a_prompt_that_goes_back_to_its_place_can_be_emptied() {
    for (way, sent) in [(Way::Back, vec!["send \"\" to codex"]), (Way::Print, Vec::new())] {
        let mut state = script::open((100, 30), seen(&mut TestCatalog::shop()));
        state.options.preferred = Some(HostId("codex"));
        let text = Some(Draft::of_text("given"));
        let start = ComposeStart { text, way, alone: true, ..ComposeStart::default() };
        state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
        update(&mut state, Msg::Recalled(Box::default()));
        play(&mut state, "<alt-a><backspace>");
        assert_eq!(effects(&mut state, "<enter>"), sent);
    }
}

#[test]
fn enter_waits_for_the_skills_and_for_the_draft() {
    let mut state = script::unopened((100, 30), false);
    update(&mut state, Msg::Viewed(Box::default()));
    play(&mut state, ">hello");
    assert!(effects(&mut state, "<enter>").is_empty());
    let view = seen(&mut TestCatalog::shop());
    assert!(in_words(&update(&mut state, Msg::Viewed(Box::new(view)))).is_empty());
    let told = update(&mut state, Msg::Recalled(Box::default()));
    assert_eq!(in_words(&told), ["send \"hello\" to codex"]);
}

#[test]
fn leaving_keeps_the_draft_and_marks_become_pills() {
    let mut state = open();
    play(&mut state, "half a th");
    assert_eq!(effects(&mut state, "<esc>"), ["keep \"half a th\""]);
    assert_eq!(top(&state), "picker");
    script::go_to(&mut state, "pdf-merge-split");
    play(&mut state, "<tab>>");
    let draft = Draft::of_text("half a th");
    update(&mut state, Msg::Recalled(Box::new(Recalled { draft, ..Recalled::default() })));
    assert_eq!(text(&state), "half a th[pdf-merge-split] ");
}

#[test]
fn marks_that_the_draft_has_are_not_put_in_again() {
    let mut state = open();
    play(&mut state, "<esc>");
    script::go_to(&mut state, "pdf-merge-split");
    play(&mut state, "<tab>");
    let mut draft = Draft::default();
    for round in 0..3 {
        play(&mut state, ">");
        let recalled = Recalled { draft: draft.clone(), ..Recalled::default() };
        update(&mut state, Msg::Recalled(Box::new(recalled)));
        assert_eq!(text(&state), "[pdf-merge-split] ", "{round}");
        draft = compose(&state).editor.draft();
        play(&mut state, "<esc>");
    }
    play(&mut state, ">and do it");
    update(&mut state, Msg::Recalled(Box::new(Recalled { draft, ..Recalled::default() })));
    assert_eq!(text(&state), "[pdf-merge-split] and do it", "what was typed meanwhile stays");
}

#[test]
fn the_editor_gets_the_prompt_and_its_text_comes_back() {
    let mut state = open();
    play(&mut state, "a $merge<enter>b");
    assert_eq!(effects(&mut state, "<ctrl-e>"), ["edit \"a [pdf-merge-split] b\""]);
    let mut edited = compose(&state).editor.draft();
    edited.push_text("\nmore");
    update(&mut state, Msg::PromptEdited(Box::new(edited)));
    assert_eq!(text(&state), "a [pdf-merge-split] b\nmore");
    play(&mut state, "<alt-u>");
    assert_eq!(text(&state), "a [pdf-merge-split] b");
}

#[test]
fn the_mouse_puts_the_cursor_and_selects() {
    use ratatui::layout::Position;
    use skillpick::tui::app::Mouse;
    let mut state = open();
    play(&mut state, "one two three");
    let area = compose(&state).text_area(&state);
    let at = |column: u16| Position::new(area.x + column, area.y);
    update(&mut state, Msg::Mouse(Mouse::Click(at(4))));
    update(&mut state, Msg::Mouse(Mouse::Drag(at(8))));
    play(&mut state, "X");
    assert_eq!(text(&state), "one Xthree");
    update(&mut state, Msg::Mouse(Mouse::DoubleClick(at(1))));
    play(&mut state, "<backspace>");
    assert_eq!(text(&state), " Xthree");
}

#[test]
fn nothing_hidden_in_a_prompt_reaches_the_screen_as_it_is() {
    let mut state = open();
    update(&mut state, Msg::Paste("a\u{202e}b\x1b[31mc".to_owned()));
    let drawn = screen::text(&screen::draw(&state, Palette::Ansi)).join("\n");
    assert!(drawn.contains("a<U+202E>b[31mc"), "{drawn}");
    assert!(matches!(state.screens.last(), Some(Screen::Compose(_))));
}

fn pane(id: &str, host: &'static str) -> Pane {
    Pane { of: Multiplexer::Tmux, id: id.to_owned(), host: HostId(host), bracketed: Some(false) }
}

/// The dock beside these panes.
fn dock(panes: Vec<Pane>) -> State {
    let mut state = script::open((100, 30), seen(&mut TestCatalog::shop()));
    let start =
        ComposeStart { way: Way::Pane, alone: true, remember: true, ..ComposeStart::default() };
    state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
    update(&mut state, Msg::Recalled(Box::default()));
    update(&mut state, Msg::PanesFound(Ok(panes)));
    state
}

#[test]
fn the_dock_sends_into_the_chosen_pane_and_enters_only_by_the_second_key() {
    let mut state = dock(vec![pane("%1", "codex"), pane("%3", "claude")]);
    play(&mut state, "hello");
    assert_eq!(effects(&mut state, "<enter>"), ["send \"hello\" to codex in %1"]);
    update(&mut state, Msg::Unsent(SafeText::fixed("gone"), false));
    assert_eq!(text(&state), "hello", "the prompt stays");
    play(&mut state, "<tab>");
    assert_eq!(effects(&mut state, "<ctrl-s>"), ["send \"hello\" to claude in %3 and enter"]);
    let sent = Box::new(Draft::of_text("hello"));
    let told = update(&mut state, Msg::Delivered(sent, SafeText::fixed("sent")));
    assert_eq!(in_words(&told), ["keep \"\"", "remember \"hello\""]);
    assert_eq!(text(&state), "");
    play(&mut state, "<up>");
    assert_eq!(text(&state), "hello", "it is in the history at once");
}

#[test]
fn the_chosen_pane_stays_chosen_and_one_that_has_gone_is_none() {
    let mut state = dock(vec![pane("%1", "codex"), pane("%3", "claude")]);
    play(&mut state, "<tab>x");
    update(&mut state, Msg::PanesFound(Ok(vec![pane("%3", "claude"), pane("%4", "codex")])));
    assert_eq!(effects(&mut state, "<enter>"), ["send \"x\" to claude in %3"]);
    update(&mut state, Msg::Unsent(SafeText::fixed("gone"), false));
    update(&mut state, Msg::PanesFound(Ok(Vec::new())));
    assert!(effects(&mut state, "<enter>").is_empty());
    assert!(state.notice.as_ref().is_some_and(|it| it.text.as_str().contains("no agent")));
}

#[test]
fn lines_that_would_be_entered_one_by_one_are_sent_only_by_a_second_key() {
    let mut state = dock(vec![pane("%1", "codex")]);
    play(&mut state, "a<ctrl-j>b");
    let send = "send \"a\\nb\" to codex in %1";
    assert_eq!(effects(&mut state, "<enter>"), [send]);
    update(&mut state, Msg::Unsent(SafeText::fixed("no brackets"), true));
    play(&mut state, "c");
    assert_eq!(effects(&mut state, "<enter>"), ["send \"a\\nbc\" to codex in %1"]);
    update(&mut state, Msg::Unsent(SafeText::fixed("no brackets"), true));
    assert_eq!(effects(&mut state, "<enter>"), ["send \"a\\nbc\" to codex in %1 anyway"]);
}

#[test]
fn a_pane_of_which_nothing_is_known_is_asked_for_once() {
    for (bracketed, then) in [(None, " anyway"), (Some(false), "")] {
        let mut state = dock(vec![Pane { bracketed, ..pane("%1", "codex") }]);
        play(&mut state, "a<ctrl-j>b<enter>");
        update(&mut state, Msg::Unsent(SafeText::fixed("not known"), true));
        assert_eq!(effects(&mut state, "<enter>"), ["send \"a\\nb\" to codex in %1 anyway"]);
        let sent = Box::new(Draft::of_text("a\nb"));
        update(&mut state, Msg::Delivered(sent, SafeText::fixed("sent")));
        play(&mut state, "c<ctrl-j>d");
        let send = format!("send \"c\\nd\" to codex in %1{then}");
        assert_eq!(effects(&mut state, "<enter>"), [send]);
    }
}

#[test]
fn what_is_typed_while_a_prompt_is_sent_is_not_lost() {
    let mut state = dock(vec![pane("%1", "codex")]);
    play(&mut state, "one<enter> two");
    update(&mut state, Msg::Delivered(Box::new(Draft::of_text("one")), SafeText::fixed("sent")));
    assert_eq!(text(&state), "one two");
}
