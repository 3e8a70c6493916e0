//! Findings that are mended from the problems screen, one or all of a cause.

use crate::model::catalog::{TestCatalog, skill, with};
use crate::model::screen::{draw, text};
use crate::model::script::{self, effects, go_to, notice, script, shop, top};
use crate::model::script::{answered, update};
use skillpick::catalog::{Cause, Scope, checks};
use skillpick::text::SafeText;
use skillpick::tui::app::{ChangeAnswer, Mending, Msg, State};
use skillpick::tui::view::Palette;

use super::problems::{at, problems, row_words, to_mend};

#[test]
fn what_is_chosen_over_several_causes_is_mended_together() {
    let mut catalog = to_mend();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "odd-2");
    // Three of one cause, and then the last of them is given up again.
    script(&mut state, "<f3><f2><space><space><space><up><space>");
    assert_eq!(problems(&state).count_chosen(&state), 2);
    let shown = text(&draw(&state, Palette::Ansi));
    assert_eq!(shown.iter().filter(|line| line.contains("● ") && line.contains("odd-")).count(), 2);
    assert!(shown.last().unwrap().contains("mend 2 chosen"), "{}", shown.last().unwrap());
    assert_eq!(effects(&mut state, "x"), ["plan to mend name-case of odd-2, odd-3"]);
    answered(&mut state, ChangeAnswer::MendPlanned(Err(SafeText::fixed("the file is read-only"))));
    // What is mended by somebody else is not chosen any more.
    let odd_3 = catalog.skills.iter_mut().find(|skill| skill.name.ends_with("-3")).unwrap();
    odd_3.diagnostics.clear();
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(effects(&mut state, "x"), ["plan to mend name-case of odd-2"]);
}

#[test]
fn findings_are_counted_when_they_are_chosen_and_none_is_once_it_is_written() {
    let mut catalog = to_mend();
    let place = catalog.skills.iter().position(|skill| skill.name.ends_with("-2")).unwrap();
    let odd = with(catalog.skills.remove(place), &checks::NAME_CASE, (4, 7, 4), "again");
    catalog.skills.push(odd);
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "odd-2");
    script(&mut state, "<f3><f2><space>");
    let last = |state: &State| text(&draw(state, Palette::Ansi)).last().unwrap().clone();
    assert!(last(&state).contains("mend 2 chosen"), "{}", last(&state));
    script(&mut state, "<up><up><space>");
    assert_eq!(effects(&mut state, "x").len(), 1);
    let asked = answered(&mut state, ChangeAnswer::MendPlanned(Ok(Box::default())));
    script::seen_long_enough(&mut state, &asked);
    script(&mut state, "y");
    answered(&mut state, ChangeAnswer::Mended(Ok((3, SafeText::fixed("3 findings mended")))));
    assert_eq!(problems(&state).count_chosen(&state), 0, "before they are scanned again");
}

#[test]
fn one_finding_or_all_of_a_cause_is_mended_after_a_question() {
    let mut catalog = to_mend();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "odd-2");
    assert_eq!(effects(&mut state, "<f3><f2>x"), ["plan to mend name-case of odd-2"]);
    assert!(effects(&mut state, "x").is_empty(), "one change at a time");
    let why = SafeText::fixed("the file is read-only");
    answered(&mut state, ChangeAnswer::MendPlanned(Err(why)));
    assert_eq!(notice(&state), "the file is read-only");
    let all = "plan to mend name-case of odd-0, odd-1, odd-2, odd-3, odd-4, odd-5";
    assert_eq!(effects(&mut state, "X"), [all]);
    let label = SafeText::fixed("mend 6 findings in 6 skills");
    let mending = Mending { label, ..Mending::default() };
    let asked = answered(&mut state, ChangeAnswer::MendPlanned(Ok(Box::new(mending))));
    assert!(effects(&mut state, "y").is_empty(), "not before it can be read");
    script::seen_long_enough(&mut state, &asked);
    assert_eq!(effects(&mut state, "y"), ["mend: mend 6 findings in 6 skills"]);
    let words = SafeText::fixed("6 findings in 6 skills mended");
    answered(&mut state, ChangeAnswer::Mended(Ok((6, words))));
    assert_eq!(notice(&state), "6 findings in 6 skills mended · u undoes it");
    catalog.skills.iter_mut().take(6).for_each(|skill| skill.diagnostics.clear());
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(row_words(&state), ["folder", "desc-empty 1", "1 cosmetic", "desc-length 1"]);
    let head = |state: &State| text(&draw(state, Palette::Ansi))[0].clone();
    assert!(head(&state).contains("mended 6"), "{}", head(&state));
    assert_eq!(effects(&mut state, "u"), ["undo"]);
    update(&mut state, Msg::Unmended);
    assert!(head(&state).contains("mended 0"), "{}", head(&state));
}

#[test]
fn what_no_rule_mends_is_copied_as_a_prompt() {
    let mut state = script::open((100, 30), to_mend().view());
    go_to(&mut state, "long");
    assert!(effects(&mut state, "<f3><f2>x").is_empty());
    assert_eq!(notice(&state), "no rule can mend this; a copies a prompt for an agent");
    let copied = effects(&mut state, "a");
    let [copied] = copied.as_slice() else { panic!("{copied:?}") };
    let parts = ["long/SKILL.md, line 3: it is ‹too› long (desc-length)", checks::DESC_LENGTH.help];
    assert!(parts.iter().all(|part| copied.contains(part)), "{copied}");
    let copied = effects(&mut state, "<left><left>a").concat();
    assert!(copied.contains("these findings: /home/ada/.agents/skills/odd-0/"), "{copied}");
    script(&mut state, "g");
    assert!(effects(&mut state, "ax").is_empty(), "a folder has no line");
}

#[test]
fn findings_are_grouped_by_skill_and_all_of_one_are_mended() {
    let mut catalog = to_mend();
    let place = catalog.skills.iter().position(|skill| skill.name.ends_with("-2")).unwrap();
    let odd = catalog.skills.remove(place);
    catalog.skills.push(with(odd, &checks::BOM, (1, 1, 1), "a mark"));
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "odd-2");
    script(&mut state, "<f3><f2>");
    let finding = at(&state);
    script(&mut state, "s");
    assert_eq!(at(&state), finding, "the cursor stays on its finding");
    script(&mut state, "<left>");
    let shown = text(&draw(&state, Palette::Ansi));
    let line = shown.iter().find(|line| line.starts_with('▌')).unwrap();
    assert!(line.contains("odd-2") && line.contains("name-case, bom"), "{line}");
    assert_eq!(effects(&mut state, "x"), ["plan to mend bom, name-case of odd-2"]);
    answered(&mut state, ChangeAnswer::MendPlanned(Err(SafeText::fixed("no"))));
    script(&mut state, "<space>");
    assert_eq!(problems(&state).count_chosen(&state), 2);
    script(&mut state, "s");
    assert_eq!(problems(&state).count_chosen(&state), 2, "what is chosen stays so");
}

#[test]
fn no_text_that_is_not_utf_8_is_offered_to_be_mended_and_the_cure_is_said() {
    let mut catalog = to_mend();
    let odd = catalog.skills.iter_mut().find(|skill| skill.name == "odd-2").unwrap();
    *odd = with(odd.clone(), &checks::ENCODING, (5, 2, 1), "the file is not UTF-8");
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "odd-2");
    script(&mut state, "<f3><f2>");
    assert_eq!(at(&state), ("odd-2".to_owned(), "name-case"));
    let shown = text(&draw(&state, Palette::Ansi));
    assert!(!shown[29].contains("x mend"), "{}", shown[29]);
    for key in ["x", "<space>"] {
        assert!(effects(&mut state, key).is_empty(), "{key}");
        let why = "not mended: 1 skill: it is not UTF-8; save it as UTF-8 first";
        assert_eq!(notice(&state), why, "{key}");
    }
}

#[test]
fn what_others_bring_is_not_offered_and_the_refusal_says_how_many() {
    let mut state = shop();
    // The person works in another repository than that of the shop.
    state.options.own = "/code/other".into();
    go_to(&mut state, "PDF_Old");
    script(&mut state, "<f3><f2>");
    assert_eq!(at(&state), ("PDF_Old".to_owned(), "name-case"));
    let screen = |state: &State| text(&draw(state, Palette::Ansi));
    assert!(!screen(&state)[29].contains("x mend"), "{}", screen(&state)[29]);
    assert!(screen(&state).join(" ").contains("not mended from here"), "{:#?}", screen(&state));
    for key in ["x", "X", "<space>"] {
        assert!(effects(&mut state, key).is_empty(), "{key}");
        let why = "not mended: 1 skill: another repository brings it";
        assert!(notice(&state).starts_with(why), "{key}: {}", notice(&state));
    }
    state.options.own = "/code/shop".into();
    assert_eq!(effects(&mut state, "x").len(), 1);
}

#[test]
fn a_name_whose_folder_has_no_valid_one_is_not_offered_and_not_chosen_with_others() {
    let mut catalog = to_mend();
    let odd = skill(Scope::User, "日本語-skill", "x");
    catalog.skills.push(with(odd, &checks::NAME_CASE, (2, 7, 4), "has capitals"));
    // Nor one whose folder has another skill's name.
    let odd = skillpick::catalog::Skill {
        name: "ODD-1".to_owned(),
        path: "/code/shop/.agents/skills/odd-1/SKILL.md".into(),
        ..skill(Scope::Repo, "odd-1", "x")
    };
    catalog.skills.push(with(odd, &checks::NAME_CASE, (2, 7, 4), "has capitals"));
    let mut state = script::open((120, 30), catalog.view());
    let screen = |state: &State| text(&draw(state, Palette::Ansi));
    for (name, why) in [
        ("日本語-skill", "its folder has no valid name; rename the folder"),
        ("ODD-1", "another skill has the name of its folder"),
    ] {
        go_to(&mut state, name);
        script(&mut state, "<f3><f2>");
        assert_eq!(at(&state), (name.to_owned(), "name-case"));
        let shown = screen(&state);
        assert!(!shown[29].contains("x mend"), "{}", shown[29]);
        let words = shown.join(" ").replace('│', " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert!(words.join(" ").contains("not mended from here"), "{shown:#?}");
        assert!(effects(&mut state, "x").is_empty());
        assert!(notice(&state).contains(why), "{}", notice(&state));
        while top(&state) != "picker" {
            script(&mut state, "<esc>");
        }
    }
    go_to(&mut state, "odd-2");
    // The whole cause, of which two cannot be mended.
    script(&mut state, "<f3><f2><left><space>");
    assert_eq!(problems(&state).count_chosen(&state), 6);
    assert!(screen(&state)[29].contains("mend 6 chosen"), "{}", screen(&state)[29]);
}

#[test]
fn what_only_the_author_can_mend_has_no_sign_and_says_so() {
    let shown = |cause: Cause| {
        let mut catalog = TestCatalog::shop();
        let odd = skill(Scope::User, "odd", "x");
        let mut odd = with(odd, &checks::METADATA_TYPE, (4, 1, 4), "metadata is text, not a map");
        odd.diagnostics.last_mut().unwrap().cause = cause;
        catalog.skills = vec![odd];
        let mut state = script::open((140, 30), catalog.view());
        go_to(&mut state, "odd");
        script(&mut state, "<f3><f2>");
        let rows = text(&draw(&state, Palette::Ansi));
        let asked = effects(&mut state, "x");
        (rows.join("\n"), asked)
    };
    let (rows, asked) = shown(Cause::Shape);
    assert!(!rows.contains("on one line"), "{rows}");
    assert!(rows.contains("no rule mends it"), "{rows}");
    assert!(asked.is_empty(), "{asked:?}");
    let (rows, asked) = shown(Cause::Usual);
    assert!(rows.contains("on one line"), "{rows}");
    assert!(!asked.is_empty());
}
