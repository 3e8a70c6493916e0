//! `enable`, `disable`, `permit`, `undo`.

#[cfg(unix)]
mod files;

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
    let refused = env.run(&["enable", "pdf-forms"]).ended(2).err;
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
fn undo_reverts_one_change_after_the_other() {
    let env = TestEnv::furnished();
    env.run(&["disable", "pdf-forms", "release-notes"]).ended(0);
    env.run(&["permit", "deny", "pdf-*"]).ended(0);
    assert!(env.run(&["undo"]).ended(0).err.starts_with("skillpick: undone: deny pdf-*: "));
    assert!(!verdict(&env, "release-notes").0);
    let undone = env.json("undo", &["undo", "--json"]);
    let file = env.text(CONFIG);
    assert_eq!(
        undone,
        json!({
            "version": 1,
            "label": "pdf-forms, release-notes off",
            "files": [file],
            "left": []
        })
    );
    assert!(!env.at(CONFIG).exists(), "the file was not there before");
    assert_eq!(env.run(&["undo"]).ended(1).err, "skillpick: there is nothing to undo\n");
}

#[test]
fn undo_leaves_a_file_that_someone_else_changed() {
    let env = TestEnv::furnished();
    env.run(&["disable", "pdf-forms"]).ended(0);
    let theirs = env.read(CONFIG) + "# theirs\n";
    env.write(CONFIG, &theirs);
    let ran = env.run(&["undo"]).ended(2);
    assert!(ran.err.contains("config.toml: the file was changed since"), "{ran:?}");
    assert_eq!(env.read(CONFIG), theirs);
}

#[test]
fn undo_of_a_change_that_was_undone_by_hand_undoes_no_other_one() {
    let env = TestEnv::furnished();
    let project = "repo/.skillpick.toml";
    env.run(&["permit", "deny", "pdf-forms"]).ended(0);
    env.run(&["disable", "pdf-forms", "--in", "project"]).ended(0);
    std::fs::remove_file(env.at(project)).unwrap();
    let ran = env.run(&["undo"]).ended(2);
    assert!(
        ran.err.contains("not undone: pdf-forms off: ")
            && ran.err.contains("nothing of it is left to undo")
            && ran.err.contains("undo the change before it (deny pdf-forms): skillpick undo"),
        "{ran:?}"
    );
    assert!(env.read(CONFIG).contains("permissions.deny"), "it was not asked for");
    let ran = env.run(&["undo"]).ended(0);
    assert!(ran.err.contains("undone: deny pdf-forms: "), "{ran:?}");
}

#[test]
fn a_hand_edited_file_does_not_block_undo_of_another_file() {
    let env = TestEnv::furnished();
    let project = "repo/.skillpick.toml";
    env.run(&["disable", "pdf-forms", "--in", "project"]).ended(0);
    env.run(&["disable", "release-notes"]).ended(0);
    let theirs = env.read(CONFIG) + "# theirs\n";
    env.write(CONFIG, &theirs);
    let ran = env.run(&["undo"]).ended(2);
    assert!(
        ran.err.contains("not undone: release-notes off: ")
            && ran.err.contains("undo the change before it (pdf-forms off): skillpick undo"),
        "{ran:?}"
    );
    assert!(env.at(project).exists(), "another change than the last was not asked for");
    let ran = env.run(&["undo"]).ended(0);
    assert!(
        ran.err.contains("not undone: release-notes off: ")
            && ran.err.contains("undone: pdf-forms off: "),
        "{ran:?}"
    );
    assert!(!env.at(project).exists());
    assert_eq!(env.read(CONFIG), theirs);
}

#[test]
fn undo_works_where_the_settings_are_broken() {
    let env = TestEnv::furnished();
    env.run(&["disable", "pdf-forms"]).ended(0);
    env.write("repo/.skillpick.toml", "nonsense");
    env.run(&["undo"]).ended(0);
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

#[test]
fn cod_8_1_rules_are_made_by_name_by_beginning_and_by_path() {
    let env = TestEnv::furnished();
    env.run(&["permit", "ask", "pdf-*"]).ended(0);
    env.run(&["permit", "deny", ".agents/skills/release-notes"]).ended(0);
    assert_eq!(verdict(&env, "pdf-forms").1, "ask");
    assert_eq!(verdict(&env, "release-notes"), (false, "deny".into()));
    assert!(env.read(CONFIG).contains("skill_name = \"release-notes\""));
    let ran = env.run(&["permit", "deny", "later"]).ended(0);
    let waits = "warning: no skill here is named `later`; the rule applies once there is one\n";
    assert!(ran.err.contains(waits), "{ran:?}");
    let again = env.run(&["permit", "deny", "later"]).ended(0).err;
    assert!(again.contains(waits) && again.contains("deny later: so already"), "{again}");
    // Where the default says it already there is no rule that could apply.
    let none = env.run(&["permit", "allow", "nope"]).ended(0).err;
    assert!(none.contains("warning: no skill here is named `nope`\n"), "{none}");
    assert!(none.contains("allow nope: so already, nothing to write"), "{none}");
    env.run(&["permit", "deny", "a*b"]).ended(2);
    env.run(&["permit", "deny", "no/such/skill"]).ended(1);
    env.run(&["permit", "allow", "pdf-forms", "--script"]).ended(0);
    assert!(env.read(CONFIG).contains("tool = \"skill_script\""));
    assert_eq!(verdict(&env, "pdf-forms").1, "ask", "running is not loading");
}

#[test]
fn a_project_file_may_only_tighten() {
    let env = TestEnv::furnished();
    let ran = env.run(&["disable", "pdf-forms", "--in", "project"]).ended(0);
    assert!(
        ran.err.contains(".skillpick.toml:") && ran.err.contains("(the repository's)"),
        "{ran:?}"
    );
    assert!(!verdict(&env, "pdf-forms").0);
    let project = env.read("repo/.skillpick.toml");
    env.settings(
        "[[permissions.ask]]\ntool = \"skill_load\"\n\n[[skills.config]]\nname = \"release-notes\"\nenabled = false\n",
    );
    let before = env.read(CONFIG);
    for arguments in [["permit", "allow", "release-notes"].as_slice(), &["enable", "release-notes"]]
    {
        let ran = env.run(&[arguments, &["--in", "project"]].concat()).ended(2);
        assert!(ran.err.contains("config.toml:"), "who stands in the way is named: {ran:?}");
    }
    assert_eq!((env.read("repo/.skillpick.toml"), env.read(CONFIG)), (project, before));
    std::fs::remove_dir(env.at("repo/.git")).unwrap();
    let ran = env.run(&["disable", "pdf-forms", "--in", "project"]).ended(2);
    assert!(ran.err.contains("there is no repository here"), "{ran:?}");
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
    let refused = disable(&[]).ended(2).err;
    assert!(refused.contains(&file) && refused.contains("--in project"), "{refused}");
    assert!(!env.at("repo/.pi/settings.json").exists());
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
fn a_rule_for_the_path_alone_is_written_only_on_request_and_only_for_ones_own_skill() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "forms", "One's own.");
    env.skill("repo/.agents/skills", "brought", "Another's.");
    env.settings("[permissions]\ndefault = \"ask\"\n");
    let change = env.json("change", &["permit", "allow", "forms", "--path-only", "--json"]);
    assert!(change["rule"]["path"].is_string() && change["rule"]["digest"].is_null(), "{change}");
    env.write("home/.agents/skills/forms/more.md", "More.\n");
    env.run(&["load", "forms"]).ended(0);
    let before = env.read(CONFIG);
    let ran = env.run(&["permit", "allow", "forms", "--path-only"]).ended(0);
    assert!(ran.err.contains("whatever becomes of its files"), "{ran:?}");
    for (arguments, why) in [
        (vec!["allow", "brought"], "a repository brings this skill"),
        (vec!["deny", "forms"], "--path-only is for `allow` of one skill"),
        (vec!["allow", "f*"], "--path-only is for `allow` of one skill"),
    ] {
        let ran = env.run(&[vec!["permit"], arguments, vec!["--path-only"]].concat()).ended(2);
        assert!(ran.err.contains(why), "{ran:?}");
    }
    assert_eq!(env.read(CONFIG), before);
}

#[test]
fn permit_says_which_rule_it_replaces_and_what_becomes_of_others_of_the_name() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "forms", "One's own.");
    let permit = || env.run(&["permit", "allow", "forms"]).ended(0);
    let (replaces, asked) =
        ("note: it replaces ", "note: other skills named 'forms' are asked for");
    env.run(&["permit", "deny", "forms"]).ended(0);
    let ran = permit();
    assert!(ran.err.contains(&format!("{replaces}permissions.deny \"forms\", ")));
    assert!(ran.err.contains(asked), "{ran:?}");
    // Nothing is said where nothing changes.
    assert!(!permit().err.contains("note: "));
    env.settings("[permissions]\ndefault = \"deny\"\n");
    let ran = permit();
    assert!(!ran.err.contains(replaces) && !ran.err.contains(asked), "{ran:?}");
}

#[test]
fn an_allow_rule_is_bound_to_one_skill() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "forms", "One's own.");
    env.settings("[permissions]\ndefault = \"ask\"\n");
    let model = |place: &str| {
        let path = env.text(&format!("{place}/.agents/skills/forms"));
        let shown = env.json("show", &["show", &path, "--json"]);
        shown["skill"]["verdict"]["model"].as_str().unwrap().to_owned()
    };
    env.run(&["permit", "allow", "forms"]).ended(0);
    let path = env.text("home/.agents/skills/forms/SKILL.md");
    let bound = format!("skill_name = \"forms\"\npath = \"{path}\"\ndigest = \"sha256:");
    assert!(env.read(CONFIG).contains(&bound), "{}", env.read(CONFIG));
    assert_eq!(model("home"), "allow");
    // An ambiguous name allows neither skill.
    env.skill("repo/.agents/skills", "forms", "The twin.");
    assert_eq!((model("home"), model("repo")), ("allow".into(), "ask".into()));
    let before = env.read(CONFIG);
    let ran = env.run(&["permit", "allow", "forms"]).ended(1);
    assert!(ran.err.contains("2 skills are named 'forms'"), "{ran:?}");
    assert_eq!(env.read(CONFIG), before);
    let twin = env.text("repo/.agents/skills/forms");
    let change = env.json("change", &["permit", "allow", &twin, "--json"]);
    assert_eq!(change["rule"]["path"], env.text("repo/.agents/skills/forms/SKILL.md"));
    let effects = change["effects"].as_array().unwrap();
    assert_eq!((effects.len(), model("repo").as_str()), (1, "allow"), "{change}");
    assert!(change["rule"]["digest"].as_str().unwrap().starts_with("sha256:"), "{change}");
    // It is asked for again if one of its files changes, and allowed again by the same command.
    env.write("repo/.agents/skills/forms/more.md", "More.\n");
    assert_eq!((model("home"), model("repo")), ("allow".into(), "ask".into()));
    let shown = env.run(&["show", &twin]).ended(0);
    assert!(shown.out().contains("files have changed since they were allowed"), "{shown:?}");
    env.run(&["permit", "allow", &twin]).ended(0);
    assert_eq!(model("repo"), "allow");
    // An ask rule by name overrides allow rules for single skills.
    env.run(&["permit", "ask", "forms"]).ended(0);
    assert_eq!((model("home"), model("repo")), ("ask".into(), "ask".into()));
    // A rule that goes by name says what it does not reach, and how to allow that.
    env.run(&["undo"]).ended(0);
    env.settings("[permissions]\ndefault = \"ask\"\n");
    let ran = env.run(&["permit", "allow", "for*"]).ended(0);
    let path = env.text("repo/.agents/skills/forms/SKILL.md");
    let told = format!("to allow one of them: skillpick permit allow {path}");
    assert!(ran.err.contains("does not reach what a repository brings"), "{ran:?}");
    assert!(ran.err.contains(&told), "{ran:?}");
    let shown = env.run(&["show", &env.text("repo/.agents/skills/forms")]).ended(0);
    assert!(shown.out().contains("does not reach what a repository brings"), "{shown:?}");
    assert_eq!((model("home"), model("repo")), ("allow".into(), "ask".into()));
    // Nor does it have to, where nothing has to be allowed.
    env.settings("");
    let ran = env.run(&["permit", "allow", "*"]).ended(0);
    assert!(!ran.err.contains("warning"), "{ran:?}");
}

#[test]
fn any_change_is_listed_undone_and_made_again() {
    let env = TestEnv::of("agents");
    for name in ["one", "two"] {
        env.skill("home/.agents/skills", name, "d");
        env.run(&["disable", name, "--host", "agents", "--in", "user"]).ended(0);
    }
    let config = "home/.config/skillpick/config.toml";
    let whole = env.read(config);
    let listed = || env.json("undo-list", &["undo", "--list", "--json"])["changes"].clone();
    let changes = listed();
    assert_eq!((&changes[0]["number"], &changes[0]["label"]), (&json!(2), &json!("two off")));
    assert_eq!(changes[1]["undone"], json!(false));
    // The newer one has changed the same file.
    let refused = env.run(&["undo", "1"]).ended(2);
    assert!(refused.err.contains("a newer change"), "{refused:?}");
    assert_eq!(env.read(config), whole);
    env.run(&["undo", "2"]).ended(0);
    env.run(&["undo"]).ended(0);
    assert!(listed().as_array().unwrap().iter().all(|change| change["undone"] == true));
    let text = env.run(&["undo", "--list"]).ended(0);
    assert!(text.out().contains("one off (undone)"), "{}", text.out());
    let redone = env.json("undo", &["redo", "--json"]);
    assert_eq!(redone["label"], "one off");
    env.run(&["redo", "2"]).ended(0);
    assert_eq!(env.read(config), whole);
    for (arguments, said) in [
        (&["redo"][..], "nothing to redo"),
        (&["redo", "2"], "was not undone"),
        (&["undo", "77"], "no change 77"),
    ] {
        let ran = env.run(arguments).ended(1);
        assert!(ran.err.contains(said), "{ran:?}");
    }
}

#[test]
fn undo_takes_the_folders_along_that_a_change_made() {
    let env = TestEnv::new();
    env.skill("repo/.kodelet/skills", "k1", "d");
    env.skill("repo/.agents/skills", "pdf", "d");
    env.run(&["disable", "k1", "--host", "kodelet", "--in", "user"]).ended(0);
    assert!(env.at("home/.kodelet/config.yaml").is_file());
    env.run(&["undo"]).ended(0);
    assert!(!env.at("home/.kodelet").exists());
    env.run(&["redo"]).ended(0);
    assert!(env.at("home/.kodelet/config.yaml").is_file());
    env.run(&["undo"]).ended(0);
    assert!(!env.at("home/.kodelet").exists());
    // A share too.
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    assert!(env.at("repo/.claude/skills/pdf").exists());
    env.run(&["undo"]).ended(0);
    assert!(!env.at("repo/.claude").exists());
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
    let ran = env.run(&["enable", "q1", "--host", "qoder"]).ended(2);
    assert!(
        ran.err.contains("skills.enabled = false") && ran.err.contains(".qoder/settings.json:1"),
        "{ran:?}"
    );
}
