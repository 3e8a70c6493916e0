//! Turning skills on and off: plans, questions, refusals.

use crate::model::catalog::TestCatalog;
use crate::model::screen::{draw, text};
use crate::model::script::{
    self, effects, go_to, in_words, notice, plan, planned, script, seen_long_enough, shop, top,
};
use crate::model::script::{answered, update};
use skillpick::catalog::{Enablement, HostId};
use skillpick::listing::Rows;
use skillpick::policy::change::{FileKind, HostOutcome, Plan};
use skillpick::policy::{Origin, Verdict};
use skillpick::text::SafeText;
use skillpick::tui::app::{Action, ChangeAnswer, Effect, Msg, Notice, State, Timer, hints};
use skillpick::tui::keymap;
use skillpick::tui::view::Palette;
use std::path::Path;
use std::sync::Arc;

mod marks;
mod waiting;

#[test]
fn cod_14_a_skill_is_turned_off_and_on_by_the_same_key() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "pdf");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan off pdf"]);
    catalog.turn_off("pdf");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert_eq!(notice(&state), "pdf off · Alt-u undoes it");
    assert_eq!(script::current(&state), "pdf", "the row stays under the cursor");
    assert_eq!(effects(&mut state, "<ctrl-x>"), ["plan on pdf"]);
}

#[test]
fn the_question_begins_with_the_effect_of_the_switch() {
    let mut state = shop();
    let copies = vec!["/x/pdf".into()];
    let outcome = vec![
        told(&["codex"], "off", true),
        HostOutcome { copies, ..told(&["opencode"], "user-only, and other copies with it", false) },
    ];
    let plan = Plan { outcome, ..plan(1, true) };
    answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(plan))));
    let rows = text(&draw(&state, Palette::Ansi));
    let lines = [
        "turn pdf-forms off",
        "codex: off",
        "opencode: user-only, and other copies with it",
        "  /x/pdf",
    ];
    for (row, line) in rows[2..].iter().zip(lines) {
        assert!(row.contains(line), "{row}");
    }
}

#[test]
fn a_long_outcome_is_read_to_its_end_on_a_narrow_screen() {
    let mut state = script::open((60, 20), TestCatalog::shop().view());
    let hosts = ["agents", "codex", "claude", "opencode", "gemini", "copilot", "pi", "qwen", "amp"];
    let folder = "/home/ada/projects/a-long-name-of-a-folder/packages/web/.claude/skills/pdf-forms";
    let outcome = vec![
        HostOutcome {
            copies: vec![folder.into(); 9],
            ..told(&hosts, "off by settings.local.json:5, and other copies with it", false)
        },
        told(&["kodelet"], "unchanged: it takes the last copy", false),
    ];
    let asked = Plan { outcome, ..plan(1, true) };
    let effects = answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(asked))));
    seen_long_enough(&mut state, &effects);
    let mut read = String::new();
    for _ in 0..60 {
        let rows = text(&draw(&state, Palette::Ansi));
        assert!(rows[2..18].iter().all(|row| !row.contains('…')), "{rows:#?}");
        read += &rows[2].trim_end_matches('▐').trim().replace(' ', "");
        script(&mut state, "<down>");
    }
    read += &text(&draw(&state, Palette::Ansi)).concat().replace(' ', "");
    for words in [hosts.join(",").as_str(), folder, "unchanged:ittakesthelastcopy"] {
        assert!(read.contains(words), "{words}: {read}");
    }
}

#[test]
fn a_change_within_one_long_line_is_read_at_any_width() {
    let folders: Vec<String> = (0..30).map(|number| format!("\"/srv/{number}\"")).collect();
    let file = |off: &str| {
        format!("{{\"trusted\":[{}],\"disabledSkills\":[{off}]}}", folders.join(",")).into_bytes()
    };
    let (old, new) = ("\"deploy\"", "\"deploy\",\"pdf-forms\"");
    for (width, height) in [(160, 45), (60, 20), (40, 12)] {
        let mut state = script::open((width, height), TestCatalog::shop().view());
        let mut plan = plan(1, true);
        let change = &mut plan.files[0].change;
        (change.before, change.after) = (Some(file(old)), file(new));
        let effects = answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(plan))));
        seen_long_enough(&mut state, &effects);
        script(&mut state, "<end>");
        let mut read = String::new();
        for _ in 0..30 {
            let rows = text(&draw(&state, Palette::Ansi));
            let rows = rows[2..].iter().map(|row| row.trim_end_matches('▐').trim());
            read += &rows.collect::<String>();
            script(&mut state, "<up>");
        }
        for end in [old, new] {
            assert!(read.contains(&format!("\"disabledSkills\":[{end}]}}")), "{width}: {read}");
        }
    }
}

/// What some hosts make of a change.
fn told(hosts: &[&'static str], words: &str, expected: bool) -> HostOutcome {
    let hosts = hosts.iter().map(|host| HostId(host)).collect();
    HostOutcome { hosts, skills: Vec::new(), words: words.to_owned(), copies: Vec::new(), expected }
}

#[test]
fn a_notice_of_a_change_names_the_bound_undo_key() {
    let rows = [("picker", "ctrl-v", "undo"), ("picker", "alt-u", "none")];
    let (keymap, _) = keymap::with_settings(rows.into_iter());
    let mut state = script::shop();
    state.options.bindings = keymap.bindings(false);
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert_eq!(notice(&state), "pdf off · ^v undoes it");
    update(&mut state, Msg::Shared(SafeText::fixed("pdf is shared")));
    assert_eq!(notice(&state), "pdf is shared · ^v undoes it");
}

#[test]
fn a_shadowed_skill_is_named_as_such_and_cannot_be_switched() {
    let mut view = TestCatalog::shop().view();
    let winner: Arc<Path> = Arc::from(Path::new("/code/shop/.agents/skills/pdf/SKILL.md"));
    let mut rows = view.rows.to_vec();
    let pdf = rows.iter_mut().map(|row| &mut row.entry).find(|entry| entry.skill.name == "pdf");
    let pdf = pdf.unwrap();
    pdf.shadowed_by = Some(Arc::clone(&winner));
    pdf.verdict = Arc::new(Verdict::off(Origin::Shadowed(winner)));
    pdf.state = Enablement::Off;
    view.listing.rows = Arc::new(Rows::new(rows));
    view.files.states = vec![Enablement::On, Enablement::NameOnly, Enablement::Off];
    let mut state = script::open((180, 30), view);
    go_to(&mut state, "pdf");
    let rows = text(&draw(&state, Palette::Ansi));
    assert!(rows.iter().any(|row| row.contains("▌ ≡  pdf ")), "{rows:#?}");
    assert!(
        rows.iter().any(|row| row.contains("pdf  user · shadowed ‹another skill has its name›")),
        "{rows:#?}"
    );
    assert!(rows.iter().any(|row| row.contains("state       ≡ shadowed")), "{rows:#?}");
    for keys in ["<ctrl-x>", "<alt-x>", "<enter>"] {
        assert_eq!(effects(&mut state, keys), [""; 0], "{keys}");
        assert_eq!(
            notice(&state),
            "pdf is shadowed: agents takes /code/shop/.agents/skills/pdf/SKILL.md",
            "{keys}"
        );
        script(&mut state, "<esc>");
    }
}

/// The shop, with these skills marked.
fn marked(names: &[&str]) -> State {
    let mut state = shop();
    for name in names {
        go_to(&mut state, name);
        script(&mut state, "<tab>");
    }
    state
}

#[test]
fn one_file_of_the_persons_own_is_saved_at_once() {
    let mut state = shop();
    assert_eq!(planned(&mut state, 3, false), ["save 3"]);
    assert_eq!(top(&state), "picker");
}

#[test]
fn a_repositorys_file_is_saved_after_its_diff() {
    for (key, deed) in [("y", "save 4"), ("<enter>", "save 4")] {
        let mut state = shop();
        assert!(planned(&mut state, 4, true).is_empty());
        assert_eq!(top(&state), "confirm");
        assert_eq!(effects(&mut state, key), [deed]);
        assert_eq!(top(&state), "picker");
    }
    for key in ["n", "<esc>", "q"] {
        let mut state = shop();
        planned(&mut state, 4, true);
        assert!(effects(&mut state, key).is_empty());
        assert_eq!(top(&state), "picker");
    }
}

#[test]
fn a_key_of_the_question_chooses_another_settings_file() {
    let mut state = shop();
    let mut user = plan(2, true);
    user.files[0].kind = FileKind::User;
    user.files[0].change.path = "/home/ada/.config/skillpick/config.toml".into();
    let mut local = plan(3, true);
    local.files[0].kind = FileKind::Ignored;
    let plan = Plan { instead: vec![user, local], ..plan(1, true) };
    let asked = answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(plan))));
    seen_long_enough(&mut state, &asked);
    let shown = |state: &State| text(&draw(state, Palette::Ansi)).join("\n");
    for (choice, heading) in [
        ("to: project · i for user, local", "./.skillpick.toml (project, committed)"),
        ("to: user · i for local, project", "~/.config/skillpick/config.toml (user)"),
        ("to: local · i for project, user", "./.skillpick.toml (local, ignored by git)"),
        ("to: project · i for user, local", "./.skillpick.toml (project, committed)"),
    ] {
        let screen = shown(&state);
        assert!(screen.contains(choice) && screen.contains(heading), "{choice}: {screen}");
        assert!(screen.contains("i file"), "{screen}");
        assert!(effects(&mut state, "i").is_empty(), "the plans are there already");
    }
    assert_eq!(effects(&mut state, "y"), ["save 2"], "the one that is shown");
    let mut state = shop();
    planned(&mut state, 1, true);
    assert!(!shown(&state).contains("i file"));
    script(&mut state, "i");
    assert_eq!(notice(&state), "no other settings file can say this");
}

#[test]
fn a_plan_that_changes_nothing_says_so() {
    let mut state = shop();
    let nothing = skillpick::tui::app::Plan { files: Vec::new(), ..plan(1, true) };
    assert!(
        in_words(&answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(nothing))))).is_empty()
    );
    assert_eq!((top(&state), notice(&state)), ("picker", "turn pdf-forms off: nothing to change"));
    assert!(!is_told_as_done(&state), "nothing was done");
}

fn is_told_as_done(state: &State) -> bool {
    let rows = text(&draw(state, Palette::Ansi));
    rows[rows.len() - 2].trim_start().starts_with('✓')
}

#[test]
fn a_switch_of_what_no_agent_sees_says_so_and_not_that_it_was_done() {
    let view = TestCatalog::shop().view();
    let browsed = view.rows.iter().map(|row| {
        let entry = skillpick::policy::Entry {
            looks: skillpick::policy::Looks::Browsed,
            ..row.entry.clone()
        };
        skillpick::listing::Row::new(entry)
    });
    let rows = Arc::new(Rows::new(browsed.collect()));
    let listing = skillpick::listing::Listing { rows, ..view.listing };
    let mut state = script::open((100, 30), skillpick::tui::app::Viewed { listing, ..view });
    for (host, nobody) in [("all", "no agent sees it"), ("codex", "codex does not see it")] {
        state.options.host = host;
        go_to(&mut state, "pdf-forms");
        script(&mut state, "<ctrl-x>");
        let nothing = skillpick::tui::app::Plan { files: Vec::new(), ..plan(1, true) };
        answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(nothing))));
        assert!(notice(&state).ends_with(nobody), "{}", notice(&state));
        assert!(!is_told_as_done(&state));
    }
}

#[test]
fn a_key_that_does_nothing_is_not_told_as_done() {
    let mut state = shop();
    for key in ["<alt-right>", "<alt-c>"] {
        go_to(&mut state, "form-builder");
        script(&mut state, key);
        assert!(!notice(&state).is_empty(), "{key}");
        assert!(!is_told_as_done(&state), "{key}");
    }
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("pdf off"))));
    assert!(is_told_as_done(&state));
}

#[test]
fn what_cannot_be_offered_is_not_toggled() {
    let mut state = shop();
    go_to(&mut state, "pdf-broken");
    assert!(effects(&mut state, "<ctrl-x>").is_empty());
    assert!(notice(&state).contains("cannot be offered"));
}

#[test]
fn a_broken_settings_file_is_not_written() {
    let mut catalog = TestCatalog::shop();
    catalog.read_only = true;
    let mut state = script::open((100, 30), catalog.view());
    assert!(effects(&mut state, "<ctrl-x>").is_empty());
    assert!(notice(&state).contains("nothing is written"));
}

#[test]
fn a_failed_save_stays_until_a_key_and_a_good_one_goes_by_itself() {
    let mut state = shop();
    answered(&mut state, ChangeAnswer::Saved(Err(SafeText::fixed("the disk is full"))));
    for number in 0..9 {
        update(&mut state, Msg::Waited(Timer::Notice(number)));
    }
    assert_eq!(notice(&state), "the disk is full");
    script(&mut state, "<down>");
    assert_eq!(notice(&state), "");
    answered(&mut state, ChangeAnswer::Saved(Ok(SafeText::fixed("saved"))));
    update(&mut state, Msg::Notice(Notice::plain(SafeText::fixed("copied"))));
    update(&mut state, Msg::Waited(Timer::Notice(2)));
    assert_eq!(notice(&state), "copied", "the timer of an earlier notice ends nothing");
    update(&mut state, Msg::Waited(Timer::Notice(3)));
    assert_eq!(notice(&state), "");
}
