//! Detail, help, and the copy menu.

use crate::model::agents;
use crate::model::catalog::TestCatalog;
use crate::model::screen::{self, play};
use crate::model::script::update;
use crate::model::script::{self, current, effects, go_to, notice, script, shop, top};
use skillpick::catalog::{HostId, MentionForm};
use skillpick::policy::Speech;
use skillpick::text::SafeText;
use skillpick::tui::app::hints::hints;
use skillpick::tui::app::{
    Action, Binding, Focus, Help, HelpRow, Layer, Msg, PreviewStyle, Screen, State,
};
use skillpick::tui::keymap::Chord;
use skillpick::tui::view::Palette;

#[test]
fn detail_opens_on_the_skill_and_its_files_are_walked() {
    let mut state = shop();
    play(&mut state, "pdf-forms<right>");
    let detail = |state: &State| match state.screens.last() {
        Some(Screen::Detail(detail)) => {
            (detail.tree.cursor, detail.focus, detail.style, detail.wrap)
        }
        _ => panic!("{} is on top", top(state)),
    };
    assert_eq!(detail(&state), (0, Focus::Tree, PreviewStyle::Rendered, true));
    play(&mut state, "jjrw");
    assert_eq!(detail(&state), (2, Focus::Tree, PreviewStyle::Raw, false));
    assert_eq!(
        effects(&mut state, "e"),
        ["edit /code/shop/.agents/skills/pdf-forms/assets/form.png:1"]
    );
    assert!(effects(&mut state, "ke").is_empty());
    assert!(notice(&state).contains("folder"));
    assert_eq!(effects(&mut state, " "), ["plan off pdf-forms"]);
    play(&mut state, "<right>");
    assert_eq!(detail(&state).1, Focus::Text);
    play(&mut state, "h");
    assert_eq!(detail(&state).1, Focus::Tree);
    play(&mut state, "h");
    assert_eq!((top(&state), current(&state)), ("picker", "pdf-forms"));
}

#[test]
fn text_is_found_in_detail_and_n_goes_round() {
    let mut state = shop();
    play(&mut state, "pdf-forms<right>/form<enter>");
    let rows = |state: &State| match state.screens.last() {
        Some(Screen::Detail(detail)) => detail.find.as_ref().map(|find| find.rows.len()),
        _ => None,
    };
    assert_eq!(rows(&state), Some(4));
    play(&mut state, "nnnN");
    assert_eq!((rows(&state), top(&state)), (Some(4), "detail"));
    play(&mut state, "<esc>");
    assert_eq!((rows(&state), top(&state)), (None, "detail"), "the first esc ends the search");
}

#[test]
fn help_is_searched_and_runs_the_row_on_the_screen_below() {
    let mut state = shop();
    script(&mut state, "<f1>permission<enter>");
    assert_eq!((top(&state), state.screens.len()), ("rules", 1));
    script(&mut state, "?delete the rule<enter>");
    let Some(Screen::Rules(rules)) = state.screens.last() else { panic!("{}", top(&state)) };
    assert_eq!(rules.drafts.len(), 2);
    let mut state = shop();
    assert_eq!(effects(&mut state, "?leave now<enter>"), ["left"]);
    let mut state = shop();
    script(&mut state, "?zzzz<enter>");
    assert_eq!(top(&state), "picker", "a palette without rows only closes");
}

#[test]
fn escape_in_help_clears_its_query_first() {
    let mut state = shop();
    script(&mut state, "<f1>mark<esc>");
    assert_eq!(top(&state), "help");
    script(&mut state, "<esc>");
    assert_eq!(top(&state), "picker");
}

#[test]
fn a_skills_screen_goes_on_in_the_list_marks_and_picks() {
    let mut state = shop();
    go_to(&mut state, "pdf");
    play(&mut state, "<right>r");
    let shown = |state: &State| match state.screens.last() {
        Some(Screen::Detail(detail)) => {
            (state.entry(&detail.path).unwrap().skill.name.clone(), detail.style)
        }
        _ => panic!("{} is on top", top(state)),
    };
    let names = script::rows(&state);
    let at = names.iter().position(|name| name == "pdf").unwrap();
    play(&mut state, "]");
    assert_eq!(shown(&state), (names[at + 1].clone(), PreviewStyle::Raw));
    play(&mut state, "[[");
    assert_eq!(shown(&state).0, names[at - 1]);
    play(&mut state, &"[".repeat(names.len()));
    assert_eq!((shown(&state).0, notice(&state)), (names[0].clone(), "the list ends here"));
    play(&mut state, &"]".repeat(at));
    play(&mut state, "m");
    assert_eq!((state.marks.count(), notice(&state)), (1, "1 marked"));
    play(&mut state, "]mm");
    assert_eq!(state.marks.count(), 1);
    assert_eq!(effects(&mut state, "p"), ["picked pdf"]);
    play(&mut state, "[m");
    assert_eq!(state.marks.count(), 0);
    assert_eq!(effects(&mut state, "p"), ["picked pdf"]);
}

#[test]
fn help_lists_every_key_of_a_layers_own_tables() {
    let state = shop();
    let keymap: toml_edit::DocumentMut =
        include_str!("../../../assets/keymap.toml").parse().unwrap();
    for layer in Layer::ALL {
        let name = layer.word();
        let help = Help::new(layer);
        let rows = help.rows(&state.options.bindings);
        let rows: Vec<&Binding> = rows
            .iter()
            .filter_map(|row| if let HelpRow::Key(row) = row { Some(*row) } else { None })
            .collect();
        // `picker-empty` is a table of the picker.
        let own = keymap.iter().filter(|(table, _)| table.split('-').next() == Some(name));
        let keys: Vec<_> = own.flat_map(|(_, keys)| keys.as_table().unwrap().iter()).collect();
        assert!(!keys.is_empty(), "{name} has no key of its own");
        for (key, action) in keys {
            let (key, action) = (Chord::read(key).unwrap().label(false), action.as_str().unwrap());
            let row = rows.iter().find(|row| row.action.name() == action);
            let row = row.unwrap_or_else(|| panic!("{name}: help has no {action}"));
            // A label may also have the sign of an empty query.
            let listed = row.keys.iter().any(|listed| listed.as_str().starts_with(key.as_str()));
            assert!(listed, "{name}: {action} has {:?}, not {key}", row.keys);
            assert!(!row.help.is_empty(), "{name}: {action} says nothing");
        }
    }
}

#[test]
fn help_in_the_picker_explains_signs_and_puts_filters_into_the_query() {
    let mut state = shop();
    play(&mut state, "?is:off<enter>");
    assert_eq!((top(&state), state.picker.query.text()), ("picker", "is:off"));
    play(&mut state, "<f1>look<space>in<space>its<enter>");
    assert_eq!(top(&state), "help", "a sign is only explained");
    play(&mut state, "<esc><esc><f1>scope:repo<enter>");
    assert_eq!(state.picker.query.text(), "is:off scope:repo");
    assert!(notice(&state).is_empty(), "{}", notice(&state));
}

/// Gives an action another key, or none.
fn rebind(mut state: State, action: Action, key: Option<&'static str>) -> State {
    for binding in state.options.bindings.iter_mut().filter(|binding| binding.action == action) {
        binding.keys = key.map(SafeText::fixed).into_iter().collect();
    }
    state
}

#[test]
fn messages_name_rebound_keys() {
    let mut state = rebind(shop(), Action::Save, Some("F9"));
    script(&mut state, "<ctrl-r>a<ctrl-u>pdf-*<enter><esc>");
    assert_eq!(notice(&state), "unsaved rules: F9 saves, esc again drops them");
    let mut catalog = TestCatalog::shop();
    catalog.read_only = true;
    let mut state = rebind(script::open((100, 30), catalog.view()), Action::Problems, Some("F9"));
    script(&mut state, "<ctrl-x>");
    assert!(notice(&state).ends_with("see the problems (F9)"), "{}", notice(&state));
    let mut state = rebind(
        script::open((100, 30), agents::seen(&mut TestCatalog::shop())),
        Action::Share,
        None,
    );
    go_to(&mut state, "pdf");
    script(&mut state, "<f6>G<space>");
    assert!(notice(&state).ends_with("folder; share shares it"), "{}", notice(&state));
}

#[test]
fn the_copy_menu_offers_every_form() {
    for (keys, form) in
        [("<up>", "Name"), ("", "Mention"), ("j", "Link"), ("jj", "Path"), ("G", "Block")]
    {
        let mut state = shop();
        go_to(&mut state, "pdf");
        script(&mut state, "<ctrl-y>");
        script(&mut state, keys);
        assert_eq!(effects(&mut state, "<enter>"), [format!("copy {form} pdf")]);
        assert_eq!(top(&state), "picker");
    }
    let mut state = shop();
    assert_eq!(effects(&mut state, "pdf-m<ctrl-y><ctrl-y>"), ["copy Mention pdf-merge-split"]);
}

#[test]
fn the_copy_menu_shows_the_agents_mention_and_scrolls_with_its_cursor() {
    let shows = |state: &State, words: &str| {
        screen::text(&screen::draw(state, Palette::Plain)).iter().any(|row| row.contains(words))
    };
    let mut state = shop();
    let form = MentionForm::Start("/skill:");
    state.viewed.files.speech = Some(Speech { host: HostId::AGENTS, name: "pi", form });
    go_to(&mut state, "pdf");
    script(&mut state, "<ctrl-y>");
    assert!(shows(&state, "mention   /skill:pdf"));
    update(&mut state, Msg::Resize(20, 5));
    for form in ["mention", "link", "path", "block"] {
        assert!(shows(&state, &format!("▌ {form}")), "{form}");
        script(&mut state, "j");
    }
}

#[test]
fn signs_and_hints_show_which_pane_has_the_keys() {
    let mut state = shop();
    play(&mut state, "pdf-forms<right>");
    let hinted = |state: &State| {
        hints(state).iter().map(|hint| hint.label.as_str().to_owned()).collect::<Vec<_>>()
    };
    let text = |state: &State| screen::text(&screen::draw(state, Palette::Plain)).join("\n");
    assert!(
        hinted(&state).contains(&"read".to_owned())
            && !hinted(&state).contains(&"files".to_owned())
    );
    assert!(text(&state).contains("▌ SKILL.md") && !text(&state).contains("▌SKILL.md"));
    play(&mut state, "<right>");
    assert!(
        hinted(&state).contains(&"files".to_owned())
            && !hinted(&state).contains(&"read".to_owned())
    );
    assert!(text(&state).contains("▌SKILL.md · rendered") && !text(&state).contains("▌ SKILL.md"));
}
