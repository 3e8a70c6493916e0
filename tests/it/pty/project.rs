//! The screen of a project, on a store.

use super::setup::Setup;
use super::terminal::Terminal;
use crate::env::{TestEnv, postgres};
use crate::program::project::{put, shop};
use serde_json::Value as Json;
use std::fs;

/// An editor that adds a line, or makes the text unsound while there is a file `unsound`.
const EDITOR: &str = r#"
for file; do :; done
if [ -e "$HOME/unsound" ]; then echo 'no frontmatter' >"$file"; else echo 'Edited by hand.' >>"$file"; fi
"#;

fn each_store(check: impl Fn(&TestEnv)) {
    let server = postgres::shared().map(|server| shop(Some(&server.schema())));
    std::iter::once(shop(None)).chain(server).for_each(|env| {
        env.skill("repo/.agents/skills", "pdf", "The repository's.");
        env.raw_skill("repo/.agents/skills/tool", "name: tool\ndescription: Runs.", "Words.");
        env.write("repo/.agents/skills/tool/scripts/run.sh", "echo 1\n");
        check(&env);
    });
}

fn start(env: &TestEnv) -> Terminal {
    let script = env.write("editor", EDITOR);
    let editor = format!("/bin/sh {}", script.display());
    let setup = Setup::new(env, &["--host", "agents"]);
    setup.env("SKILLPICK_AUTHOR", "ann").env("EDITOR", &editor).start()
}

fn actions(env: &TestEnv, name: &str) -> Vec<String> {
    let history = env.json("project-history", &["project", "history", name, "--json"]);
    let changes = history["changes"].as_array().unwrap();
    changes.iter().map(|change| change["action"].as_str().unwrap().to_owned()).collect()
}

fn show(env: &TestEnv, name: &str) -> Json {
    env.json("project-show", &["project", "show", name, "--json"])
}

#[test]
fn aab_13_in_the_picker_a_skill_is_added_edited_deleted_restored_and_undone() {
    each_store(|env| {
        put(env, "pdf", "Team text.\n");
        let mut terminal = start(env);
        terminal.see("tool");
        terminal.type_keys("tool");
        terminal.see_current("tool");
        terminal.type_keys("<f8>");
        terminal.see("▸ pdf");
        terminal.type_keys("a");
        terminal.agree("store tool in shop");
        terminal.see("u undoes it");
        assert_eq!(show(env, "tool")["files"][0]["path"], "scripts/run.sh");
        terminal.see("▸ tool");
        terminal.type_keys("<down>");
        terminal.see_current("tool");
        terminal.type_keys("e");
        terminal.agree("+Edited by hand.");
        terminal.see("store a new version of tool in shop · u undoes it");
        let now = show(env, "tool");
        assert!(now["content"].as_str().unwrap().ends_with("Words.\nEdited by hand.\n"), "{now}");
        assert_eq!(now["files"][0]["path"], "scripts/run.sh", "the files stay");
        // The history, and what the first version was.
        terminal.type_keys("<enter>");
        terminal.see("#1 put");
        terminal.type_keys("<down><down><enter>");
        terminal.see("Difference");
        terminal.see("+Edited by hand.");
        terminal.type_keys("<esc>");
        terminal.miss("Difference");
        terminal.type_keys("<left>x");
        terminal.agree("delete tool in shop");
        terminal.see("#3 deleted by ann");
        terminal.type_keys("r");
        terminal.agree("restore tool in shop");
        terminal.see("restore tool in shop · u undoes it");
        terminal.type_keys("u");
        terminal.see("undone in shop: the last change of tool");
        terminal.see("#5 deleted by ann");
        assert_eq!(actions(env, "tool"), ["undo", "restore", "delete", "put", "put"]);
        // The other skill beside the file that it covers.
        terminal.type_keys("<up>");
        terminal.see_current("pdf");
        terminal.type_keys("d");
        terminal.see("+Team text.");
        terminal.type_keys("<^c>");
        terminal.exit();
    });
}

#[test]
fn aab_6_what_was_edited_is_kept_until_it_is_stored() {
    each_store(|env| {
        put(env, "pdf", "Team text.\n");
        env.write("home/unsound", "");
        let mut terminal = start(env);
        terminal.see("pdf");
        terminal.type_keys("<f8>");
        terminal.see("▸ pdf");
        terminal.type_keys("e");
        terminal.see("your text is kept in");
        assert_eq!(actions(env, "pdf"), ["put"]);
        // The same text is edited again, and stored once it is sound.
        let draft = |env: &TestEnv| {
            let drafts = walkdir::WalkDir::new(env.at("home/.local/state/skillpick/drafts"));
            let files = drafts.into_iter().filter_map(Result::ok);
            files.map(|entry| entry.into_path()).find(|path| path.ends_with("SKILL.md"))
        };
        let kept = draft(env).unwrap();
        assert_eq!(fs::read_to_string(&kept).unwrap(), "no frontmatter\n");
        fs::write(&kept, "---\nname: pdf\ndescription: d\n---\n").unwrap();
        fs::remove_file(env.at("home/unsound")).unwrap();
        terminal.type_keys("e");
        terminal.see("Confirm the change");
        // Somebody else is faster.
        put(env, "pdf", "Their text.\n");
        terminal.agree("+Edited by hand.");
        terminal.see("your text is kept in");
        assert!(show(env, "pdf")["content"].as_str().unwrap().contains("Their text."));
        let text = fs::read_to_string(draft(env).unwrap()).unwrap();
        assert!(text.ends_with("Edited by hand.\n"), "{text}");
        // What is new is edited from what is there now, and nothing is left behind.
        fs::remove_file(draft(env).unwrap()).unwrap();
        terminal.see("#2");
        terminal.type_keys("e");
        terminal.agree(" Their text.");
        terminal.see("u undoes it");
        assert!(show(env, "pdf")["content"].as_str().unwrap().contains("Edited by hand."));
        assert_eq!(draft(env), None);
        terminal.type_keys("<^c>");
        terminal.exit();
    });
}

#[test]
fn before_the_first_rows_the_screens_say_so_and_read_when_they_can() {
    let env = shop(None);
    put(&env, "pdf", "Team text.\n");
    let setup = Setup::new(&env, &["--host", "agents"]).env("SKILLPICK_FAILPOINT", "late-rows");
    let mut terminal = setup.start();
    terminal.type_keys("<f8>");
    terminal.see("the skills are still being read");
    terminal.see("▸ pdf");
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn without_a_project_the_screen_says_how_to_choose_one() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    terminal.type_keys("<f8>");
    terminal.see("skillpick project use NAME");
    terminal.type_keys("<^c>");
    terminal.exit();
}
