//! The screens that are opened from the picker: a skill, problems, rules, help, a question, a
//! comparison.

use super::{ALL, MIDDLE, SMALL, USUAL, look, look_after, on, shop};
use crate::model::catalog::{TestCatalog, skill};
use crate::model::screen::play;
use crate::model::script::{self, effect, plan, planned, update};
use skillpick::catalog::{Permission, Scope};
use skillpick::inert;
use skillpick::policy::change::FileChange;
use skillpick::text::SafeText;
use skillpick::tui::app::{DiffKind, Mending, Msg, Notice, Plan};

#[test]
fn detail() {
    look_after("detail", &ALL, "pdf-forms<right>");
}

#[test]
fn detail_of_other_files() {
    look_after("detail-binary", &[USUAL], "pdf-forms<right><down><down>");
    look_after("detail-code", &[USUAL], "pdf-forms<right>Gkkrw");
    look_after("detail-find", &[USUAL], "pdf-forms<right>/form");
}

#[test]
fn problems() {
    look_after("problems", &ALL, "PDF_Old<f3><f2>");
}

#[test]
fn problems_filtered_and_found() {
    look_after("problems-errors", &[USUAL], "<ctrl-d>f");
    look_after("problems-find", &[USUAL], "<ctrl-d>/name");
}

#[test]
fn problems_folded() {
    look_after("problems-folded", &ALL, "<ctrl-d>g<down>");
    look_after("problems-fold", &[USUAL], "<ctrl-d>G");
}

#[test]
fn a_question_before_skills_are_mended() {
    for size in ALL {
        let mut state = script::open(size, TestCatalog::shop().view());
        play(&mut state, "<ctrl-d>");
        let path = |name: &str| format!("/code/shop/.agents/skills/{name}");
        let mending = Mending {
            label: SafeText::fixed("mend 2 findings in 2 skills"),
            told: vec![
                inert!("removes the link {} to {}", path("old"), path("gone")),
                inert!("left as it is: {}/SKILL.md: the file is read-only", path("sealed")),
            ],
            changes: vec![FileChange {
                path: format!("{}/SKILL.md", path("pdf-broken")).into(),
                before: Some(b"# PDF\n\nReads forms.\n".to_vec()),
                after: b"---\nname: pdf-broken\ndescription: Reads forms.\n---\n# PDF\n\nReads forms.\n"
                    .to_vec(),
            }],
            ..Mending::default()
        };
        update(&mut state, Msg::MendPlanned(Ok(Box::new(mending))));
        look("mend-ask", &state, "a question before skills are mended");
    }
}

#[test]
fn rules() {
    look_after("rules", &ALL, "pdf-forms<ctrl-r>");
}

#[test]
fn rules_edited() {
    look_after("rules-typing", &[SMALL, USUAL], "pdf-redact<ctrl-r>a<ctrl-u>pdf-*");
    look_after("rules-unsaved", &[USUAL], "<ctrl-r>a<ctrl-u>pdf-*<enter><space><esc>");
    look_after("rules-test", &[USUAL], "<ctrl-r>tinternal-wiki");
}

#[test]
fn rules_without_any() {
    let mut catalog = TestCatalog::of(vec![skill(Scope::User, "pdf", "Extract text.")]);
    let mut state = on(&mut catalog, USUAL);
    play(&mut state, "<ctrl-r>");
    look("rules-empty", &state, "no rules are written anywhere");
}

#[test]
fn help() {
    look_after("help", &ALL, "<f1>");
    look_after("help-search", &[USUAL], "<ctrl-r>?rule");
}

#[test]
fn confirm() {
    for size in [SMALL, USUAL] {
        let mut state = shop(size);
        planned(&mut state, 7, true);
        look("confirm", &state, "a plan for the project's file has come");
    }
    let mut state = shop(MIDDLE);
    let long = "a-name-that-is-as-long-as-the-standard-lets-a-name-be-64-letters";
    let effect = |name| effect(name, (true, Permission::Allow), (false, Permission::Allow));
    let effects = [long, "scan-ocr", "a-name-that-is-thirty-one-letters"].map(effect).to_vec();
    update(&mut state, Msg::Planned(Ok(Box::new(Plan { effects, ..plan(8, true) }))));
    look("confirm-long", &state, "names that are longer than their column");
}

#[test]
fn confirm_with_hidden_marks() {
    for size in [SMALL, USUAL] {
        let mut state = shop(size);
        play(&mut state, "<tab><tab>merge<tab><ctrl-x>");
        planned(&mut state, 7, false);
        look("confirm-hidden", &state, "two marked skills are filtered away");
    }
}

#[test]
fn a_notice_that_is_longer_than_a_row() {
    for size in ALL {
        let mut state = shop(size);
        let why = "the user settings file is broken at line 2 and is not edited until that is fixed \
                   (/home/ada/some/folder/that/is/deep/.config/skillpick/config.toml)";
        update(&mut state, Msg::Notice(Notice::grave(SafeText::fixed(why))));
        look("notice-long", &state, "a change that is refused");
    }
}

#[test]
fn compare() {
    for size in [SMALL, USUAL] {
        let mut state = shop(size);
        let lines = vec![
            (DiffKind::Header, SafeText::fixed("--- /code/shop/.agents/skills/scan-ocr/SKILL.md")),
            (DiffKind::Header, SafeText::fixed("+++ /home/ada/.agents/skills/scan-ocr/SKILL.md")),
            (DiffKind::Context, SafeText::fixed(" name: scan-ocr")),
            (DiffKind::Removed, SafeText::fixed("-description: Searchable PDFs.")),
            (DiffKind::Added, SafeText::fixed("+description: Searchable PDFs, in five languages.")),
            (DiffKind::Added, SafeText::fixed("only in the second: scripts/ocr.py")),
        ];
        update(&mut state, Msg::Compared(SafeText::fixed("scan-ocr"), Ok(lines)));
        look("compare", &state, "two copies have been held against each other");
    }
}
