//! `permit`.

use super::*;

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

/// What was allowed are the files as they were, so a script that comes later is not.
#[test]
fn a_rule_says_what_it_waits_for_and_only_of_what_is_written() {
    let env = TestEnv::furnished();
    let late = ["permit", "allow", "pdf-forms", "--script", "--path", "scripts/late.sh"];
    let ran = env.run(&late).ended(0);
    assert!(ran.err.contains("allow it again once it is there"), "{ran:?}");
    assert!(!ran.err.contains("the rule applies once"), "{ran:?}");
    let note = "whatever becomes of its files";
    env.skill("home/.agents/skills", "own", "d");
    let ran = env.run(&["permit", "allow", "own", "--path-only"]).ended(0);
    assert!(ran.err.contains("nothing to write") && !ran.err.contains(note), "{ran:?}");
}

#[test]
fn a_named_file_that_stays_as_it_is_is_told_with_what_decides() {
    let env = TestEnv::furnished();
    env.run(&["permit", "deny", "pdf-forms"]).ended(0);
    env.run(&["disable", "release-notes"]).ended(0);
    let again = [["permit", "deny", "pdf-forms"].as_slice(), &["disable", "release-notes"]];
    for command in again {
        let ran = env.run(&[command, &["--in", "project"]].concat()).ended(0);
        let told = "note: the named file stays as it is: decided by ";
        assert!(ran.err.contains(told) && ran.err.contains("config.toml"), "{ran:?}");
        assert!(!env.at("repo/.skillpick.toml").exists());
    }
}

#[test]
fn through_all_agents_a_permission_is_found_that_one_of_them_gives() {
    let env = TestEnv::furnished();
    env.write("home/.config/opencode/opencode.json", "{}");
    env.run(&["permit", "ask", "pdf-*", "--host", "opencode"]).ended(0);
    for host in ["opencode", "all"] {
        let found = env.run(&["search", "perm:ask", "--host", host]).ended(0);
        assert!(found.out().contains("pdf-forms"), "{host}: {found:?}");
        assert!(!found.out().contains("release-notes"), "{host}: {found:?}");
    }
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
        let ran = env.run(&[arguments, &["--in", "project"]].concat()).ended(1);
        assert!(ran.err.contains("config.toml:"), "who stands in the way is named: {ran:?}");
    }
    assert_eq!((env.read("repo/.skillpick.toml"), env.read(CONFIG)), (project, before));
    std::fs::remove_dir(env.at("repo/.git")).unwrap();
    let ran = env.run(&["disable", "pdf-forms", "--in", "project"]).ended(1);
    assert!(ran.err.contains("there is no repository here"), "{ran:?}");
}

#[test]
fn a_rule_for_the_path_alone_is_written_only_on_request_and_only_for_ones_own_skill() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "forms", "One's own.");
    env.skill("repo/.agents/skills", "brought", "Another's.");
    env.settings("[permissions]\ndefault = \"ask\"\n");
    let ran = env.run(&["permit", "allow", "forms", "--path-only", "--dry-run"]).ended(0);
    assert!(ran.err.contains("whatever becomes of its files"), "{ran:?}");
    let change = env.json("change", &["permit", "allow", "forms", "--path-only", "--json"]);
    assert!(change["rule"]["path"].is_string() && change["rule"]["digest"].is_null(), "{change}");
    env.write("home/.agents/skills/forms/more.md", "More.\n");
    env.run(&["load", "forms"]).ended(0);
    let before = env.read(CONFIG);
    let ran = env.run(&["permit", "allow", "forms", "--path-only"]).ended(0);
    assert!(ran.err.contains("nothing to write"), "{ran:?}");
    for (arguments, why) in [
        (
            vec!["allow", "brought"],
            "a path alone allows nothing that a repository or a project brings",
        ),
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

/// One letter, composed and decomposed.
const COMPOSED: &str = "caf\u{e9}";
const DECOMPOSED: &str = "cafe\u{301}";

#[test]
fn a_rule_or_switch_by_name_holds_however_its_letters_are_written() {
    for (has, said) in [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)] {
        let env = TestEnv::new();
        env.skill("home/.agents/skills", has, "d");
        let ran = env.run(&["permit", "deny", said]).ended(0);
        assert!(!ran.err.contains("no skill here"), "{ran:?}");
        env.run(&["load", has]).ended(1);
        env.run(&["load", said]).ended(1);
        // What allows names the skill as it is written, in place of the rule that denies.
        env.run(&["permit", "allow", said]).ended(0);
        assert!(env.read(CONFIG).contains(&format!("skill_name = \"{has}\"")));
        env.run(&["load", said]).ended(0);
        env.settings(&format!("[[skills.config]]\nname = \"{said}\"\nenabled = false\n"));
        env.run(&["load", has]).ended(1);
    }
}

#[test]
fn a_name_that_no_rule_can_have_is_kept_from_models_by_what_is_told() {
    let env = TestEnv::new();
    // The second is no pattern either, so that it is an error of usage.
    for (folder, name, exit) in [("q", "a/b", 1), ("r", "c[d", 2)] {
        let frontmatter = format!("name: \"{name}\"\ndescription: d");
        env.raw_skill(&format!("home/.agents/skills/{folder}"), &frontmatter, "");
        let told = "for such a name: skillpick disable SKILL, or a rule with a beginning and `*`";
        let ran = env.run(&["permit", "deny", name]).ended(exit);
        assert!(ran.err.contains(told), "{ran:?}");
        env.run(&["load", name]).ended(0);
        let prefix = format!("{}*", &name[..1]);
        for keeps in [&["permit", "deny", &prefix][..], &["disable", name]] {
            env.run(keeps).ended(0);
            env.run(&["load", name]).ended(1);
            env.run(&["undo"]).ended(0);
        }
    }
    // Nor is a person told to write what would break the file.
    env.settings("[permissions]\ndefault = \"deny\"\n");
    let ran = env.run(&["load", "a/b"]).ended(1);
    assert!(ran.err.contains("no rule can, since") && !ran.err.contains("by hand"), "{ran:?}");
}

#[test]
fn a_rule_that_would_go_is_named_before_the_command_is_run() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "pdf", "d");
    env.settings("[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n");
    let ran = env.run(&["load", "pdf"]).ended(1);
    let told = ran.err.split_once("skillpick permit allow ").map_or("", |(_, told)| told);
    assert!(told.contains("(it replaces permissions.deny \"pdf\""), "{ran:?}");
}
