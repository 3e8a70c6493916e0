//! The picker's keys: typing, moving, marking, picking, leaving.

use crate::model::catalog::{TestCatalog, skill};
use crate::model::screen::{self, draw, text};
use crate::model::script::{self, current, effects, go_to, notice, rows, script, shop, top};
use crate::model::script::{answered, update};
use skillpick::catalog::Scope;
use skillpick::tui::app::{ChangeAnswer, Effect, Msg, PreviewPlace, PreviewStyle, State};
use skillpick::tui::keymap::Meaning;
use skillpick::tui::view::Palette;

#[test]
fn letters_search_and_enter_picks_the_current_row() {
    let mut state = shop();
    assert_eq!(effects(&mut state, "merge<enter>"), ["picked pdf-merge-split"]);
    assert_eq!(state.picker.query.text(), "merge");
}

#[test]
fn cod_14_every_printable_key_can_be_typed() {
    let mut state = shop();
    let mut typed = String::new();
    // The first key is a letter: space and ? are commands only while nothing is typed.
    for character in std::iter::once('a').chain(' '..='~').chain("é日🎉".chars()) {
        let key = if character == ' ' { "space".to_owned() } else { character.to_string() };
        assert_eq!(script::meaning(&state, &key), Meaning::Text(character));
        script::press(&mut state, &key);
        typed.push(character);
    }
    assert_eq!(state.picker.query.text(), typed);
    assert_eq!(top(&state), "picker");
}

#[test]
fn space_and_question_mark_are_commands_only_while_nothing_is_typed() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, " "), ["plan off pdf"]);
    script(&mut state, "?");
    assert_eq!(top(&state), "help");
    script(&mut state, "<esc>x ?");
    assert_eq!((top(&state), state.picker.query.text()), ("picker", "x ?"));
}

#[test]
fn marks_are_picked_in_the_order_in_which_they_were_set() {
    let mut state = shop();
    for name in ["pdf-merge-split", "form-builder", "pdf"] {
        go_to(&mut state, name);
        script(&mut state, "<tab>");
    }
    // The current row is not among them, and a query that hides them changes nothing.
    assert_eq!(
        effects(&mut state, "kubernetes<enter>"),
        ["picked pdf-merge-split, form-builder, pdf"]
    );
}

#[test]
fn tab_marks_and_steps_and_unmarks() {
    let mut state = shop();
    script(&mut state, "<tab><tab><backtab>");
    assert_eq!((state.marks.count(), state.picker.list.cursor), (3, 1));
    script(&mut state, "<tab>");
    assert_eq!((state.marks.count(), state.picker.list.cursor), (2, 2));
}

#[test]
fn marking_all_takes_what_matches_and_can_be_picked_and_then_clears() {
    let mut state = shop();
    script(&mut state, "pdf<ctrl-space>");
    let catalog = TestCatalog::shop();
    let has = |state: &State, name: &str| state.marks.has(&catalog.path(name));
    // One that is off is marked too, since it can be switched; a refused one cannot.
    assert!(has(&state, "pdf") && has(&state, "pdf-redact") && !has(&state, "pdf-broken"));
    assert!(
        notice(&state).contains(" marked, 1 cannot be picked or switched"),
        "{}",
        notice(&state)
    );
    script(&mut state, "<ctrl-space>");
    assert_eq!(state.marks.count(), 0);
}

#[test]
fn marking_all_leaves_hidden_marks_as_they_are() {
    let mut state = shop();
    go_to(&mut state, "form-builder");
    script(&mut state, "<tab>");
    let hidden = state.marks.in_order().to_vec();
    script(&mut state, "<ctrl-u>zzzzzz<ctrl-space>");
    assert_eq!(state.marks.in_order(), hidden);
    assert_eq!(notice(&state), "nothing to mark: no match");
    script(&mut state, "<ctrl-u>pdf-merge<ctrl-space>");
    assert!(state.marks.count() > 1 && notice(&state).contains("1 of them hidden"));
    script(&mut state, "<ctrl-space>");
    assert_eq!(state.marks.in_order(), hidden);
}

#[test]
fn with_no_multi_only_one_skill_is_picked() {
    let mut state = shop();
    state.options.multi = false;
    script(&mut state, "<tab><ctrl-space>");
    assert_eq!((state.marks.count(), state.picker.list.cursor), (0, 1));
    assert_eq!(effects(&mut state, "<enter>"), ["picked form-builder"]);
}

#[test]
fn a_skill_that_is_off_is_not_picked_and_the_cure_is_named() {
    let mut state = shop();
    go_to(&mut state, "pdf-redact");
    assert!(effects(&mut state, "<enter>").is_empty());
    assert!(
        notice(&state).contains("config.toml:12") && notice(&state).contains("^x turns it on"),
        "{}",
        notice(&state)
    );
    go_to(&mut state, "pdf-broken");
    assert!(effects(&mut state, "<enter>").is_empty());
    assert!(
        notice(&state).contains("cannot be offered") && notice(&state).contains("^d"),
        "{}",
        notice(&state)
    );
    script(&mut state, "<up>");
    assert_eq!(notice(&state), "", "a key takes the notice away");
}

#[test]
fn one_mark_that_is_off_blocks_the_whole_pick() {
    let mut state = shop();
    go_to(&mut state, "pdf-redact");
    script(&mut state, "<tab>");
    go_to(&mut state, "pdf");
    assert!(effects(&mut state, "<tab><enter>").is_empty());
    assert!(notice(&state).starts_with("pdf-redact is off"));
}

#[test]
fn enter_on_an_empty_list_says_so() {
    let mut state = shop();
    assert!(effects(&mut state, "zzzzzz<enter>").is_empty());
    assert!(notice(&state).contains("no skill matches"));
    assert!(effects(&mut state, "<ctrl-x><tab><ctrl-y><right><ctrl-o><ctrl-space>").is_empty());
    assert_eq!(top(&state), "picker");
    for key in ["<ctrl-x>", "<alt-x>", "<ctrl-y>", "<right>", "<f6>", "<ctrl-o>"] {
        assert!(effects(&mut state, key).is_empty());
        assert_eq!(notice(&state), "there is no skill here", "{key}");
    }
}

#[test]
fn a_denied_skill_is_on_and_can_be_picked_by_the_person() {
    let mut state = shop();
    go_to(&mut state, "internal-deploy");
    assert_eq!(effects(&mut state, "<enter>"), ["picked internal-deploy"]);
    assert_eq!(
        effects(&mut state, "<ctrl-x>"),
        ["plan off internal-deploy"],
        "enablement is not permission"
    );
}

#[test]
fn escape_clears_the_query_and_then_leaves() {
    let mut state = shop();
    assert!(effects(&mut state, "pdf<esc>").is_empty());
    assert!(state.picker.query.is_empty());
    assert_eq!(rows(&state).len(), 13);
    assert_eq!(effects(&mut state, "<esc>"), ["left"]);
}

#[test]
fn control_c_leaves_from_everywhere() {
    for keys in [
        "",
        "pdf",
        "<right>",
        "<right>/x",
        "<ctrl-d>",
        "<ctrl-r>",
        "<ctrl-r>a",
        "?",
        "?x",
        "<ctrl-y>",
    ] {
        let mut state = shop();
        script(&mut state, keys);
        assert_eq!(effects(&mut state, "<ctrl-c>"), ["left"], "{keys}");
    }
}

#[test]
fn right_opens_only_at_the_end_of_the_query() {
    let mut state = shop();
    script(&mut state, "pdf<left><left><right>");
    assert_eq!(top(&state), "picker");
    script(&mut state, "<right>");
    assert_eq!(top(&state), "picker", "the cursor has only now come to the end");
    script(&mut state, "<right>");
    assert_eq!(top(&state), "detail");
    let mut state = shop();
    script(&mut state, "pdf<left><f3>");
    assert_eq!(top(&state), "detail");
}

#[test]
fn the_query_is_edited_by_word_and_line() {
    let mut state = shop();
    script(&mut state, "fill the form<ctrl-w>");
    assert_eq!(state.picker.query.text(), "fill the ");
    script(&mut state, "<ctrl-a><delete><ctrl-e><backspace>x");
    assert_eq!(state.picker.query.text(), "ill thex");
    script(&mut state, "<left><ctrl-u>");
    assert_eq!(state.picker.query.text(), "x");
}

#[test]
fn moving_stays_in_the_list() {
    let mut state = shop();
    script(&mut state, "<up><ctrl-p><ctrl-k><pageup>");
    assert_eq!(state.picker.list.cursor, 0);
    script(&mut state, "<ctrl-n><ctrl-j><down>");
    assert_eq!(state.picker.list.cursor, 3);
    script(&mut state, "<pagedown><pagedown>");
    assert_eq!(state.picker.list.cursor, 12);
    script(&mut state, "<home><end><down>");
    assert_eq!(state.picker.list.cursor, 12);
}

#[test]
fn a_paste_is_one_edit_and_never_presses_enter() {
    let mut state = shop();
    let effects = update(&mut state, Msg::Paste("pdf\r\nform\u{1b}[A\n".into()));
    assert_eq!(state.picker.query.text(), "pdf form[A ");
    assert!(script::in_words(&effects).is_empty());
    let mut state = shop();
    script(&mut state, "<ctrl-y>");
    assert!(script::in_words(&update(&mut state, Msg::Paste("\n y\n".into()))).is_empty());
    assert_eq!(top(&state), "copy", "a paste types nothing where nothing is typed");
}

#[test]
fn a_paste_that_is_too_long_is_cut_and_that_is_said() {
    let mut state = shop();
    update(&mut state, Msg::Paste("é".repeat(2048)));
    assert!(!notice(&state).contains("left out"), "{}", notice(&state));
    update(&mut state, Msg::Paste("x".into()));
    assert_eq!(notice(&state), "a line holds 4096 bytes; what is behind them was left out");
    script(&mut state, "<ctrl-u><ctrl-d>/");
    update(&mut state, Msg::Paste("x".repeat(4097)));
    assert!(notice(&state).contains("left out"), "{}", notice(&state));
}

#[test]
fn scopes_go_round_and_the_cursor_stays_on_its_skill() {
    let mut state = shop();
    go_to(&mut state, "pdf-forms");
    let mut seen = Vec::new();
    for _ in 0..4 {
        script(&mut state, "<ctrl-s>");
        seen.push((state.picker.scope.map(Scope::word), rows(&state).len()));
        if state.picker.scope == Some(Scope::Repo) {
            assert_eq!(current(&state), "pdf-forms");
        }
    }
    assert_eq!(seen, [(Some("repo"), 5), (Some("user"), 8), (Some("system"), 1), (None, 13)]);
    script(&mut state, "<ctrl-s>kubernetes");
    assert_eq!(
        (rows(&state).len(), state.picker.shown.elsewhere),
        (0, 1),
        "what the scope hides is counted"
    );
}

#[test]
fn filters_that_hide_everything_say_how_much() {
    let mut state = shop();
    script(&mut state, "pdf is:marked");
    assert_eq!((rows(&state).len(), state.picker.filtered()), (0, Some(("is:marked", 7))));
    script(&mut state, "<ctrl-w>");
    assert_eq!(state.picker.filtered(), None);
    script(&mut state, "<ctrl-u>zzzz");
    assert_eq!(state.picker.filtered(), None, "no filter, nothing hidden");
}

#[test]
fn the_preview_goes_to_the_other_side_then_raw_then_away() {
    let mut state = shop();
    let previews = |effects: &[Effect]| {
        effects.iter().filter(|effect| matches!(effect, Effect::Preview(_))).count()
    };
    let mut after = || {
        let read = previews(&script(&mut state, "<ctrl-t>"));
        (state.picker.place, state.picker.mode, read)
    };
    assert_eq!(after(), (PreviewPlace::Beside, PreviewStyle::Rendered, 1), "in other columns");
    assert_eq!(after(), (PreviewPlace::Beside, PreviewStyle::Raw, 1));
    assert_eq!(after(), (PreviewPlace::Nowhere, PreviewStyle::Rendered, 0));
    assert_eq!(after(), (PreviewPlace::Auto, PreviewStyle::Rendered, 1));
}

#[test]
fn keys_for_the_clipboard_the_editor_and_the_system_return_effects() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<ctrl-o>"), ["edit /home/ada/.agents/skills/pdf/SKILL.md:1"]);
    assert_eq!(effects(&mut state, "<ctrl-l>"), ["scan", "repaint"]);
    assert_eq!(effects(&mut state, "<f5>"), ["scan", "repaint"]);
    assert_eq!(effects(&mut state, "<ctrl-z>"), ["suspend"]);
    assert_eq!(effects(&mut state, "<alt-u>"), ["undo"]);
    assert_eq!(effects(&mut state, "<f4><f4>"), ["mouse false", "mouse true"]);
    assert_eq!(effects(&mut state, "<ctrl-y><enter>"), ["copy Mention pdf"]);
}

#[test]
fn cod_3_2_filters_look_at_the_state_and_words_at_the_text() {
    let found = |query: &str| {
        let mut state: State = shop();
        script(&mut state, query);
        rows(&state)
    };
    assert_eq!(found("is:invalid"), ["pdf-broken"]);
    assert!(found("is:off").contains(&"pdf-redact".to_owned()));
    assert_eq!(found("perm:ask"), ["pdf-forms"]);
    assert_eq!(found("scope:system"), ["kubernetes-troubleshooting-runbook-for-on-call-engineers"]);
    assert_eq!(found("is:shadowed"), ["scan-ocr"]);
    let mut state = shop();
    script(&mut state, "<tab>is:marked");
    assert_eq!(rows(&state).len(), 1);
}

#[test]
fn cod_14_each_of_two_skills_of_one_name_can_be_picked() {
    let mut catalog = TestCatalog::of(vec![
        skill(Scope::Repo, "scan-ocr", "Scans of the shop."),
        skill(Scope::User, "scan-ocr", "My own scans."),
    ]);
    let paths = [catalog.skills[0].path.clone(), catalog.skills[1].path.clone()];
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "scan");
    let mut picked = Vec::new();
    for keys in ["<enter>", "<right>jp"] {
        let effects = script(&mut state, keys);
        picked.extend(effects.iter().filter_map(|effect| match effect {
            Effect::Exit(skillpick::tui::app::Exit::Picked(paths)) => Some(paths[0].to_path_buf()),
            _ => None,
        }));
    }
    picked.sort();
    let mut both = paths.to_vec();
    both.sort();
    assert_eq!(picked, both);
}

#[test]
fn enter_before_the_first_rows_picks_the_best_of_them() {
    let mut state = script::unopened((100, 30), false);
    assert!(effects(&mut state, "merge<enter>").is_empty());
    let picked = update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    assert!(script::in_words(&picked).contains(&"picked pdf-merge-split".to_owned()), "{picked:?}");
    // Any other key takes it back.
    let mut state = script::unopened((100, 30), false);
    script(&mut state, "merge<enter><backspace>");
    let listed = update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    assert!(!script::in_words(&listed).iter().any(|deed| deed.starts_with("picked")), "{listed:?}");
}

#[test]
fn a_filter_that_is_not_understood_hides_nothing_and_says_so() {
    let mut state = shop();
    script(&mut state, "is:bogus");
    assert_eq!(rows(&state).len(), 13);
    assert!(
        notice(&state).contains("is: has no value bogus; use one of off, on"),
        "{}",
        notice(&state)
    );
    script(&mut state, "<ctrl-u>host:nobody");
    assert!(notice(&state).contains("use one of agents"), "{}", notice(&state));
    script(&mut state, "<ctrl-u>is:off");
    assert_eq!(notice(&state), "");
}

#[test]
fn without_any_skill_three_letters_begin_and_with_one_they_are_typed() {
    let mut state = script::open((100, 30), TestCatalog::empty().view());
    let shown = text(&draw(&state, Palette::Ansi)).join("\n");
    for line in
        ["n  makes a new one here", "l  links a folder", "b  browses the examples", "Searched:"]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert_eq!(effects(&mut state, "b"), ["examples"]);
    // Esc goes back from them, once nothing is typed.
    state.on_examples = true;
    assert!(effects(&mut state, "z<esc>").is_empty());
    assert_eq!(effects(&mut state, "<esc>"), ["examples"]);
    state.on_examples = false;
    assert_eq!(effects(&mut state, "<esc>"), ["left"]);
    assert_eq!(effects(&mut state, "nnotes<enter>"), ["plan to make notes"]);
    let why = skillpick::text::SafeText::fixed("there is one already");
    answered(&mut state, ChangeAnswer::MendPlanned(Err(why)));
    assert_eq!(top(&state), "begin", "the name can be mended");
    assert!(effects(&mut state, "<esc>").is_empty());
    assert_eq!(effects(&mut state, "l~/mine<enter>"), ["plan to link ~/mine"]);
    answered(&mut state, ChangeAnswer::MendPlanned(Err(skillpick::text::SafeText::fixed("x"))));
    answered(&mut state, ChangeAnswer::Mended(Ok((0, skillpick::text::SafeText::fixed("linked")))));
    assert_eq!(top(&state), "picker");
    // As soon as something is typed, they are letters.
    assert!(effects(&mut state, "xnlb").is_empty());
    assert_eq!((state.picker.query.text(), top(&state)), ("xnlb", "picker"));
    let mut state = shop();
    assert!(effects(&mut state, "nlb").is_empty());
    assert_eq!(state.picker.query.text(), "nlb");
}

#[test]
fn on_a_narrow_screen_the_folder_outlives_size_and_default() {
    let mut state = script::open((60, 20), TestCatalog::shop().view());
    go_to(&mut state, "pdf");
    let folder = state.short_path(state.current().unwrap().skill.dir());
    assert!(screen::shown(&state).contains(folder.as_str()), "{}", screen::shown(&state));
    // A rule stays, and the end of the folder.
    go_to(&mut state, "pdf-forms");
    let shown = screen::shown(&state);
    let line = shown.lines().find(|line| line.contains("skills/pdf-forms")).unwrap();
    assert!(line.contains("‹.skillpick.toml:2›"), "{shown}");
}
