//! Detail, help, and the copy menu.

use crate::model::agents;
use crate::model::catalog::{TestCatalog, skill};
use crate::model::screen::{self, draw, play, text};
use crate::model::script::update;
use crate::model::script::{self, current, effects, go_to, notice, script, shop, top};
use skillpick::catalog::{HostId, MentionForm, Scope};
use skillpick::policy::Speech;
use skillpick::text::SafeText;
use skillpick::tui::app::hints::hints;
use skillpick::tui::app::{
    Action, Binding, Focus, Help, HelpRow, KeyTable, Msg, Notice, PreviewStyle, Screen, State,
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
    for table in KeyTable::ALL {
        let name = table.word();
        let help = Help::new(table);
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
fn a_notice_stands_below_the_copy_menu_and_hides_none_of_its_forms() {
    for size in [(40, 12), (60, 20)] {
        let mut state = script::open(size, TestCatalog::shop().view());
        script(&mut state, "pdf<ctrl-y>");
        let undone = SafeText::fixed("undone: pdf off (change 3)");
        update(&mut state, Msg::Notice(Notice::plain(undone)));
        let rows = text(&draw(&state, Palette::Ansi));
        let has = |row: &str| rows.iter().any(|it| it.trim_start_matches('▌').trim() == row);
        assert!(has("✓ undone: pdf off (change 3)"), "{rows:?}");
        for (_, name, _) in skillpick::tui::app::COPY_FORMS {
            assert!(
                rows.iter().any(|row| row.starts_with(&format!("  {name} "))
                    || row.starts_with(&format!("▌ {name} "))),
                "{name}: {rows:?}"
            );
        }
    }
}

#[test]
fn help_shows_the_whole_text_of_every_row_on_a_narrow_screen() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for size in [(40, 12), (50, 15), (60, 20)] {
        for table in KeyTable::ALL {
            let mut state = script::open(size, TestCatalog::shop().view());
            let help = Help::new(table);
            let rows = help.rows(&state.options.bindings);
            let wanted = rows.iter().map(|row| format!("{} {}", row.keys(), row.help()));
            let wanted: Vec<String> = wanted.map(|text| squeezed(&text)).collect();
            state.screens.push(Screen::Help(help));
            script(&mut state, "<home>");
            for row in wanted {
                let shown = squeezed(&screen::shown(&state));
                assert!(shown.contains(&row), "{size:?} {table:?}: {row}: {shown}");
                script(&mut state, "<down>");
            }
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

/// A skill whose text has links, opened with the keys in the text.
fn linked() -> State {
    let mut catalog = TestCatalog::shop();
    catalog.skills.push(skill(Scope::User, "linked", "Has links."));
    let mut state = script::open((100, 30), catalog.view());
    play(&mut state, "linked<right>");
    state
}

fn detail(state: &State) -> &skillpick::tui::app::Detail {
    match state.screens.last() {
        Some(Screen::Detail(detail)) => detail,
        _ => panic!("{} is on top", top(state)),
    }
}

/// The file that is shown, and the first line of its text.
fn shown(state: &State) -> (String, String) {
    let detail = detail(state);
    let file = detail.file(state).map_or("SKILL.md".to_owned(), |it| it.display().to_string());
    (file, detail.pane.doc().unwrap().lines[detail.pane.scroll].plain())
}

#[test]
fn links_are_followed_to_files_and_headings_and_back() {
    let mut state = linked();
    play(&mut state, "n");
    assert_eq!(detail(&state).target(), Some("references/fields.md#the-kinds"));
    play(&mut state, "<enter>");
    let in_fields = ("references/fields.md".to_owned(), "The kinds".to_owned());
    assert_eq!(shown(&state), in_fields);
    play(&mut state, "nn");
    assert_eq!(detail(&state).target(), Some("../../../etc/passwd"));
    assert!(effects(&mut state, "<enter>").is_empty());
    assert!(notice(&state).contains("there is no ../../../etc/passwd in this skill"));
    play(&mut state, "N<enter>");
    assert_eq!(shown(&state).0, "SKILL.md");
    play(&mut state, "<esc>");
    assert_eq!(shown(&state), in_fields, "back to where the link was followed from");
    play(&mut state, "<esc>");
    assert_eq!((shown(&state).0.as_str(), detail(&state).link()), ("SKILL.md", Some(0)));
    // An address is copied: nothing is opened but the skill's files.
    assert_eq!(effects(&mut state, "n<enter>"), ["copy lines https://a.example/x"]);
    play(&mut state, "n<enter>");
    assert_eq!(shown(&state), ("SKILL.md".to_owned(), "The end".to_owned()));
    play(&mut state, "<esc>n<enter>");
    assert!(notice(&state).contains("there is no gone.md"), "{}", notice(&state));
    play(&mut state, "<esc>");
    assert_eq!(top(&state), "picker");
}

#[test]
fn folders_of_the_tree_fold_and_a_link_unfolds_them() {
    let mut state = linked();
    play(&mut state, "j<enter>");
    let lines = text(&draw(&state, Palette::Ansi));
    assert!(lines.iter().any(|line| line.contains("references/  +2")), "{lines:?}");
    assert_eq!(detail(&state).rows(&state).len(), 2);
    play(&mut state, "kn<enter>");
    assert_eq!(
        (shown(&state).0.as_str(), detail(&state).rows(&state).len()),
        ("references/fields.md", 4)
    );
    play(&mut state, "h<up><enter><enter>");
    assert_eq!(detail(&state).rows(&state).len(), 4);
}

#[test]
fn lines_have_the_numbers_of_the_file() {
    let mut state = linked();
    play(&mut state, "r#");
    let lines = text(&draw(&state, Palette::Ansi));
    assert!(lines[2].contains("│     1 ---"), "{}", lines[2]);
    assert!(lines[6].contains("│     5 See"), "{}", lines[6]);
    // A wrapped line has one number.
    assert!(!lines[7].contains(" 5 ") && !lines[7].contains(" 6 "), "{}", lines[7]);
    play(&mut state, "#");
    assert!(!text(&draw(&state, Palette::Ansi))[2].contains(" 1 ---"));
}
