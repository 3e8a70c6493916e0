//! The screens that are opened from the picker: a skill, problems, rules, help, a question, a
//! comparison.

use super::{ALL, MIDDLE, SMALL, USUAL, look, look_after, on, shop};
use crate::model::catalog::{TestCatalog, skill};
use crate::model::screen::play;
use crate::model::script::{self, answered, effect, plan, planned, update};
use crate::model::{self, log, project};
use skillpick::catalog::{HostId, Permission, Scope};
use skillpick::inert;
use skillpick::policy::change::FileChange;
use skillpick::text::SafeText;
use skillpick::tui::app::{
    BudgetKey, ChangeAnswer, DiffKind, Mending, Msg, Notice, Plan, ProjectContent, StoredPlan,
    StoredRequest,
};
use std::sync::Arc;

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
    look_after("problems-by-skill", &[SMALL, USUAL], "<ctrl-d>s");
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
        answered(&mut state, ChangeAnswer::MendPlanned(Ok(Box::new(mending))));
        look("mend-ask", &state, "a question before skills are mended");
    }
}

#[test]
fn changes() {
    for size in ALL {
        let mut state = script::open(size, TestCatalog::shop().view());
        state.now_ms = log::NOW;
        play(&mut state, "<alt-z>");
        update(&mut state, Msg::ChangesRead(Ok(Arc::new(model::changes::changes(3)))));
        play(&mut state, "j");
        look("changes", &state, "<alt-z>j");
    }
    let mut state = script::open(USUAL, TestCatalog::shop().view());
    play(&mut state, "<alt-z>");
    update(&mut state, Msg::ChangesRead(Ok(Arc::default())));
    look("changes-none", &state, "<alt-z>, and nothing was changed");
}

#[test]
fn a_budget() {
    for size in ALL {
        let mut state = script::open(size, TestCatalog::shop().view());
        play(&mut state, "%");
        look("budget-counting", &state, "%, and nothing has come");
        let known = Arc::new(model::budget::budget(&state));
        let key =
            BudgetKey { host: HostId::AGENTS, window: None, generation: state.viewed.generation };
        update(&mut state, Msg::Budgeted(key, Some(known)));
        play(&mut state, "jj");
        look("budget", &state, "%jj");
        play(&mut state, "<esc>");
        look("budget-gauge", &state, "%<esc>, with the gauge in the first line");
    }
}

#[test]
fn a_project() {
    for size in ALL {
        let mut state = script::open(size, TestCatalog::shop().view());
        state.now_ms = log::NOW;
        play(&mut state, "pdf-forms<f8>");
        look("project-reading", &state, "<f8>, and nothing has come");
        project::answer(&mut state, None);
        play(&mut state, "j<enter>");
        project::answer(&mut state, Some("release-notes"));
        play(&mut state, "j");
        look("project", &state, "<f8>j<enter>j");
    }
    let mut state = script::open(USUAL, TestCatalog::shop().view());
    play(&mut state, "pdf-forms<f8>");
    let about = project::content(None).about;
    let empty = ProjectContent { about, ..ProjectContent::default() };
    update(&mut state, Msg::ProjectRead(Ok(Arc::new(empty))));
    look("project-empty", &state, "<f8>, a project without skills");
    let why = "no project is chosen: skillpick project use NAME, or --project NAME";
    update(&mut state, Msg::ProjectRead(Err(SafeText::fixed(why))));
    look("project-none", &state, "<f8> without a project");
}

#[test]
fn a_question_before_a_skill_is_stored() {
    let mut state = script::open(USUAL, TestCatalog::shop().view());
    play(&mut state, "pdf-forms<f8>");
    project::answer(&mut state, None);
    let plan = StoredPlan {
        request: StoredRequest::Delete(Arc::from("pdf")),
        label: SafeText::fixed("store a new version of pdf in shop"),
        told: vec![
            SafeText::fixed("! SKILL.md hides 1 invisible character:"),
            SafeText::fixed("3: Reads<U+200B> forms."),
            SafeText::fixed("adds the file scripts/fill.py"),
        ],
        changes: vec![FileChange {
            path: "pdf/SKILL.md".into(),
            before: Some(b"---\nname: pdf\n---\nReads.\n".to_vec()),
            after: "---\nname: pdf\n---\nReads\u{200b} forms.\n".into(),
        }],
    };
    answered(&mut state, ChangeAnswer::StoredPlanned(Ok(Box::new(plan))));
    look("project-ask", &state, "a question before a skill is stored");
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
    answered(&mut state, ChangeAnswer::Planned(Ok(Box::new(Plan { effects, ..plan(8, true) }))));
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
        let why = "the user settings file is not edited until line 2 is mended: a key is there twice \
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

#[test]
fn the_copies_of_a_skill() {
    for size in ALL {
        let mut state = script::open(size, model::agents::seen(&mut TestCatalog::shop()));
        state.now_ms = log::NOW;
        script::go_to(&mut state, "scan-ocr");
        play(&mut state, "<right>");
        look("copies-reading", &state, "scan-ocr<right>, and nothing has come");
        update(&mut state, Msg::CopiesRead(Arc::new(model::copies::facts(2))));
        play(&mut state, "j");
        look("copies", &state, "scan-ocr<right>j");
        play(&mut state, "r");
        look("copies-rename", &state, "scan-ocr<right>jr");
    }
}

#[test]
fn a_skill_with_links_and_folded_folders() {
    for size in [SMALL, USUAL] {
        let mut catalog = TestCatalog::shop();
        catalog.skills.push(skill(Scope::User, "linked", "Has links."));
        let mut state = script::open(size, catalog.view());
        play(&mut state, "linked<right>j<enter>kn#");
        look("detail-links", &state, "linked<right>j<enter>kn#");
    }
}
