//! `enable`, `disable`, `permit`, `undo`.

mod beside;
mod files;
#[cfg(unix)]
mod rules;
mod undoing;

use crate::env::TestEnv;
use serde_json::json;

const CONFIG: &str = "home/.config/skillpick/config.toml";

fn verdict(env: &TestEnv, name: &str) -> (bool, String) {
    let list = env.json("list", &["list", "--json"]);
    let row =
        list["skills"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    (row["enabled"].as_bool().unwrap(), row["permission"].as_str().unwrap().to_owned())
}

#[test]
fn cod_14_off_and_on_again_keeps_every_other_byte() {
    let env = TestEnv::furnished();
    let before = "# mine\nversion = 1\n\n[permissions]   # rules\ndefault = \"ask\"\n\n# the end\n";
    env.write(CONFIG, before);
    let ran = env.run(&["disable", "pdf-forms"]).ended(0);
    assert_eq!(ran.out(), "");
    assert!(
        ran.err.starts_with(&format!("skillpick: pdf-forms off: {}:", env.text(CONFIG))),
        "{ran:?}"
    );
    assert_eq!(verdict(&env, "pdf-forms"), (false, "deny".into()));
    assert_eq!(verdict(&env, "release-notes"), (true, "ask".into()));
    let off = env.read(CONFIG);
    for line in before.lines() {
        assert!(off.contains(line), "{line}: {off}");
    }
    let again = env.run(&["disable", "pdf-forms"]).ended(0);
    assert!(again.err.contains("so already, nothing to write"), "{again:?}");
    assert_eq!(env.read(CONFIG), off);
    env.run(&["enable", "pdf-forms"]).ended(0);
    assert_eq!(env.read(CONFIG), before, "a toggle there and back leaves no trace");
    assert!(verdict(&env, "pdf-forms").0);
}

#[test]
fn cod_14_a_denied_skill_is_on_everywhere_until_it_is_switched_off_and_comes_back() {
    let env = TestEnv::furnished();
    env.settings("[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"pdf-forms\"\n");
    let before = env.read(CONFIG);
    let says = |sign: &str, filter: &str| {
        let list = env.run(&["list"]).ended(0);
        assert!(list.out().contains(&format!("{sign} pdf-forms")), "{list:?}");
        assert!(env.run(&["search", "pdf-forms", filter]).ended(0).out().starts_with(sign));
    };
    says("✓", "is:on");
    let refused = env.run(&["enable", "pdf-forms"]).ended(1).err;
    assert!(
        refused.contains("permissions.deny"),
        "on already, and no switch grants it to the model: {refused}"
    );
    env.run(&["disable", "pdf-forms"]).ended(0);
    says("○", "is:off");
    env.run(&["enable", "pdf-forms"]).ended(0);
    says("✓", "is:on");
    assert_eq!(env.read(CONFIG), before);
}

#[test]
fn a_dry_run_prints_the_difference_and_writes_nothing() {
    let env = TestEnv::furnished();
    let file = env.settings("# mine\n");
    let before = env.read(CONFIG);
    let ran = env.run(&["disable", "pdf-forms", "--dry-run"]).ended(0);
    let path = env.text("repo/.agents/skills/pdf-forms/SKILL.md");
    let expected = format!(
        "--- {0}\n+++ {0}\n@@ -1,2 +1,6 @@\n version = 1\n # mine\n+\n+[[skills.config]]\n+path = \"{path}\"\n+enabled = false\n",
        file.display()
    );
    assert_eq!((ran.out(), ran.err.as_str()), (expected.as_str(), ""));
    assert_eq!(env.read(CONFIG), before);
    let change = env.json("change", &["permit", "deny", "*", "--dry-run", "--json"]);
    assert_eq!(
        (&change["written"], change["effects"].as_array().unwrap().len()),
        (&json!(false), 2)
    );
    assert_eq!(env.read(CONFIG), before);
    assert!(!env.at("home/.local/state/skillpick/undo").exists());
}

#[test]
fn a_dry_run_keeps_the_tabs_of_a_file_and_shows_other_signs_as_marks() {
    let env = TestEnv::new();
    env.skill("repo/.claude/skills", "pdf", "d");
    let file = env.write("home/.claude/settings.json", "{\n\t\"x\": \"\u{202e}\"\n}\n");
    let words = ["disable", "pdf", "--host", "claude", "--in", "user", "--dry-run"];
    let ran = env.run(&words).ended(0);
    let expected = format!(
        "--- {0}\n+++ {0}\n@@ -1,3 +1,6 @@\n {{\n-\t\"x\": \"<U+202E>\"\n+\t\"x\": \"<U+202E>\",\n\
         +\t\"skillOverrides\": {{\n+\t\t\"pdf\": \"off\"\n+\t}}\n }}\n",
        file.display()
    );
    assert_eq!(ran.out(), expected);
}

#[test]
fn json_names_the_files_and_whose_verdict_changes() {
    let env = TestEnv::furnished();
    let change = env.json("change", &["permit", "ask", "release-notes", "--json"]);
    assert_eq!((&change["written"], &change["label"]), (&json!(true), &json!("ask release-notes")));
    assert_eq!(change["files"][0]["path"], env.text(CONFIG));
    assert_eq!(
        (&change["files"][0]["layer"], &change["files"][0]["line"]),
        (&json!("user"), &json!(3))
    );
    let effect = &change["effects"][0];
    assert_eq!(
        (&effect["name"], &effect["before"]["model"], &effect["after"]["model"]),
        (&json!("release-notes"), &json!("allow"), &json!("ask"))
    );
}

#[cfg(unix)]
#[test]
fn a_linked_settings_file_stays_a_link() {
    let env = TestEnv::furnished();
    env.write("dotfiles/skillpick.toml", "version = 1\n");
    std::fs::create_dir_all(env.at("home/.config/skillpick")).unwrap();
    std::os::unix::fs::symlink("../../../dotfiles/skillpick.toml", env.at(CONFIG)).unwrap();
    env.run(&["disable", "pdf-forms"]).ended(0);
    assert!(env.at(CONFIG).is_symlink());
    assert!(env.read("dotfiles/skillpick.toml").contains("enabled = false"));
}

#[test]
fn a_broken_skill_cannot_be_switched() {
    let env = TestEnv::new();
    env.fixture("invalid", "repo/.agents/skills");
    let ran = env.run(&["enable", "no-description"]).ended(1);
    assert!(
        ran.err.contains("cannot be offered") && ran.err.contains("skillpick check"),
        "{ran:?}"
    );
    assert!(!env.at(CONFIG).exists());
}

#[test]
fn one_unknown_name_changes_nothing() {
    let env = TestEnv::furnished();
    env.run(&["disable", "pdf-forms", "no-such"]).ended(1);
    assert!(!env.at(CONFIG).exists());
}

#[cfg(unix)]
#[test]
fn a_project_file_that_links_out_of_the_repository_is_not_written() {
    let env = TestEnv::furnished();
    let theirs = env.write("elsewhere/.skillpick.toml", "version = 1\n");
    std::os::unix::fs::symlink(&theirs, env.at("repo/.skillpick.toml")).unwrap();
    let ran = env.run(&["disable", "pdf-forms", "--in", "project"]).ended(2);
    assert!(ran.err.contains("a link out of the repository"), "{ran:?}");
    assert_eq!(env.read("elsewhere/.skillpick.toml"), "version = 1\n");
    // Within the repository a link is followed, and stays one.
    std::fs::remove_file(env.at("repo/.skillpick.toml")).unwrap();
    env.write("repo/settings/skillpick.toml", "version = 1\n");
    std::os::unix::fs::symlink("settings/skillpick.toml", env.at("repo/.skillpick.toml")).unwrap();
    env.run(&["disable", "pdf-forms", "--in", "project"]).ended(0);
    assert!(env.read("repo/settings/skillpick.toml").contains("pdf-forms"));
}

#[test]
fn a_change_warns_if_its_file_counts_in_one_folder_only_or_git_may_commit_it() {
    let env = TestEnv::new();
    env.skill("repo/.claude/skills", "pdf", "d");
    env.write("home/.claude/settings.json", "{}\n");
    std::fs::create_dir_all(env.at("repo/packages/web")).unwrap();
    let disable = |more: &[&str]| {
        let options =
            ["-C", "packages/web", "disable", "pdf", "--host", "claude", "--in", "project"];
        env.run(&[&options[..], more].concat()).ended(0)
    };
    let remark = "counts only when Claude Code starts in packages/web";
    let json: serde_json::Value =
        serde_json::from_str(disable(&["--dry-run", "--json"]).out()).unwrap();
    assert_eq!(json["files"][0]["remark"], remark);
    let ran = disable(&[]);
    assert!(
        ran.err.contains("packages/web/.claude/settings.json")
            && ran.err.contains(&format!(" ({remark})")),
        "{ran:?}"
    );
    let ran = env.run(&["disable", "pdf", "--host", "claude", "--in", "local"]).ended(0);
    assert!(ran.err.contains("a new file: git shows it"), "{ran:?}");
    let ran = env.run(&["enable", "pdf", "--host", "claude", "--in", "local"]).ended(0);
    assert!(!ran.err.contains("a new file"), "{ran:?}");
}

#[test]
fn a_committed_file_is_written_only_where_it_is_chosen() {
    let env = TestEnv::new();
    env.skill("repo/.pi/skills", "pdf", "The repository's.");
    let disable = |more: &[&str]| env.run(&[&["disable", "pdf", "--host", "pi"], more].concat());
    let file = env.text("repo/.pi/settings.json");
    let refused = disable(&[]).ended(1).err;
    assert!(refused.contains(&file) && refused.contains("--in project"), "{refused}");
    assert!(!env.at("repo/.pi/settings.json").exists());
    let ran = disable(&["--json"]).ended(1);
    let error: serde_json::Value = serde_json::from_str(ran.out()).unwrap();
    assert_eq!((&error["error"]["code"], &error["exit_code"]), (&json!("refused"), &json!(1)));
    let dry = |more: &[&str]| -> serde_json::Value {
        let ran = disable(&[&["--dry-run", "--json"], more].concat()).ended(0);
        serde_json::from_str(ran.out()).unwrap()
    };
    assert_eq!(dry(&["--in", "project"])["files"][0]["kind"], "project");
    env.write("repo/.gitignore", "/.pi/settings.json\n");
    assert_eq!(dry(&["--in", "local"])["files"][0]["kind"], "local");
    let ran = disable(&[]).ended(0);
    assert!(ran.err.contains(&format!("{file}:3 (your own in this repository)")), "{ran:?}");
}

#[test]
fn what_a_committed_file_has_off_comes_on_by_a_file_that_is_named() {
    let env = TestEnv::new().variable("GEMINI_CLI_TRUST_WORKSPACE", "true");
    env.skill("repo/.gemini/skills", "gem", "d");
    env.write("repo/.gemini/settings.json", "{\"skills\": {\"disabled\": [\"gem\"]}}\n");
    let enable = |more: &[&str]| env.run(&[&["enable", "gem", "--host", "gemini"], more].concat());
    let refused = enable(&[]).ended(1).err;
    assert!(refused.contains("it stays off because of skills.disabled \"gem\""), "{refused}");
    assert!(refused.contains("the project settings file can say it: --in project"), "{refused}");
    let told = env.run(&["load", "gem", "--host", "gemini"]).ended(1).err;
    assert!(told.contains("skillpick enable gem --host gemini --in project"), "{told}");
    assert!(!enable(&["--in", "user"]).ended(1).err.contains("--in project"));
    enable(&["--in", "project"]).ended(0);
    env.run(&["load", "gem", "--host", "gemini", "--yes"]).ended(0);
}

/// The switch of all skills, which switching the last one off has turned, is turned back.
#[test]
fn in_kodelet_the_last_skill_that_was_switched_off_comes_on_again() {
    let env = TestEnv::new();
    env.skill("home/.kodelet/skills", "k1", "d");
    env.skill("home/.kodelet/skills", "k2", "d");
    let own = "home/.kodelet/config.yaml";
    env.write(own, "# mine\nskills:\n  enabled: true\n  allowed: [k1]\n");
    env.run(&["disable", "k1", "--host", "kodelet"]).ended(0);
    assert!(env.read(own).contains("enabled: false"), "{}", env.read(own));
    env.run(&["enable", "k1", "--host", "kodelet"]).ended(0);
    assert!(env.read(own).starts_with("# mine\nskills:\n  enabled: true\n"), "{}", env.read(own));
    let list = env.json("list", &["list", "--host", "kodelet", "--json"]);
    let on = list["skills"].as_array().unwrap().iter().filter(|row| row["enabled"] == true);
    assert_eq!(on.map(|row| row["name"].as_str().unwrap()).collect::<Vec<_>>(), ["k1"]);
    env.run(&["disable", "nothing", "--host", "kodelet"]).ended(1);
    env.write("home/.qoder/settings.json", "{\"skills\": {\"enabled\": false}}\n");
    env.skill("home/.qoder/skills", "q1", "d");
    let ran = env.run(&["enable", "q1", "--host", "qoder"]).ended(1);
    assert!(
        ran.err.contains("skills.enabled = false") && ran.err.contains(".qoder/settings.json:1"),
        "{ran:?}"
    );
}
