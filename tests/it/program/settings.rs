//! `config`, and what broken settings do to commands.

use crate::env::TestEnv;
use serde_json::json;

#[test]
fn every_value_has_its_origin() {
    let env = TestEnv::furnished().variable("SKILLPICK_THEME", "dark");
    let file = env
        .settings("host = \"agents\"\nroots = [\"~/more\"]\n[skills.search]\ndefault_limit = 5\n");
    env.write(
        "repo/.skillpick.toml",
        "version = 1\nascii = true\n[[permissions.deny]]\ntool = \"skill_load\"\n",
    );
    let config = env.json("config", &["config", "--json", "--no-mouse"]);
    let row = |key: &str| {
        config["values"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap()
    };
    for (key, value, kind) in [
        ("host", json!("agents"), "user"),
        ("theme", json!("dark"), "environment"),
        ("ascii", json!(true), "project"),
        ("mouse", json!(false), "flag"),
        ("format", json!("mention"), "default"),
        ("roots", json!(env.text("home/more")), "user"),
        ("skills.search.default_limit", json!(5), "user"),
        ("permissions.deny", json!({ "tool": "skill_load" }), "project"),
    ] {
        assert_eq!(
            (&row(key)["value"], &row(key)["origin"]["kind"]),
            (&value, &json!(kind)),
            "{key}"
        );
    }
    assert_eq!(row("skills.search.default_limit")["origin"]["line"], 5);
    assert_eq!(row("theme")["origin"]["name"], "SKILLPICK_THEME");
    let states: Vec<_> = config["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["layer"], &row["state"]))
        .collect();
    assert_eq!(states, [(&json!("user"), &json!("read")), (&json!("project"), &json!("read"))]);
    let plain = env.run(&["config"]).ended(0);
    plain.is_inert();
    assert!(plain.out().contains(&format!("# user {}:2\n", file.display())), "{}", plain.out());
    assert!(plain.out().contains("# environment SKILLPICK_THEME\n"), "{}", plain.out());
}

#[test]
fn the_default_file_and_the_path_are_printed() {
    let env = TestEnv::new();
    assert_eq!(env.run(&["config", "--default"]).ended(0).out(), skillpick::config::DEFAULT_FILE);
    let path = env.run(&["config", "--path"]).ended(0);
    assert_eq!(path.out().trim_end(), env.text("home/.config/skillpick/config.toml"));
    let other = env.write("other.toml", "version = 1\n");
    assert_eq!(
        env.run(&["config", "--path", "--config", other.to_str().unwrap()])
            .ended(0)
            .out()
            .trim_end(),
        other.to_str().unwrap()
    );
}

#[test]
fn broken_settings_end_commands_with_line_and_cure() {
    let env = TestEnv::furnished();
    let file = env.settings("host = \"agents\"\nthme = \"dark\"\n");
    let expected = format!(
        "skillpick: {}:3:1: unknown key `thme`\n  help: did you mean `theme`?\n",
        file.display()
    );
    for arguments in [
        ["list"].as_slice(),
        &["search", "pdf"],
        &["show", "pdf-forms"],
        &["check"],
        &["disable", "pdf-forms"],
        &["permit", "allow", "pdf-forms"],
        &["-f", "pdf"],
    ] {
        let ran = env.run(arguments).ended(2);
        assert_eq!((ran.out(), &ran.err), ("", &expected), "{arguments:?}");
    }
    let error = env.fails(&["list", "--json"]);
    assert_eq!((&error["error"]["code"], &error["exit_code"]), (&json!("settings"), &json!(2)));
    let ran = env.run(&["config"]).ended(2);
    assert!(
        ran.out().contains("(broken)")
            && ran.out().contains("error: ")
            && ran.out().contains(":3:1: "),
        "{ran:?}"
    );
    let config = env.json("config", &["config", "--json"]);
    assert_eq!(
        (&config["problems"][0]["line"], &config["problems"][0]["grave"]),
        (&json!(3), &json!(true))
    );
    // The picker opens even so: here it fails only for want of a terminal.
    assert!(env.run(&["-1", "-q", "pdf"]).ended(2).err.contains("the picker needs a terminal"));
}

#[test]
fn a_broken_project_file_is_reported_and_denies() {
    let env = TestEnv::furnished();
    env.write(
        "repo/.skillpick.toml",
        "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskil_name = \"pdf-forms\"\n",
    );
    let ran = env.run(&["list", "--json"]).ended(0);
    assert!(
        ran.err.starts_with("skillpick: warning: ") && ran.err.contains(".skillpick.toml:4:1: "),
        "{ran:?}"
    );
    let list = env.json("list", &["list", "--json"]);
    assert_eq!(list["skills"][0]["permission"], "deny");
    assert_eq!(list["skills"][0]["verdict"]["origin"]["model"]["kind"], "alarm");
}

#[test]
fn a_repository_grants_itself_nothing_and_config_says_so() {
    let env = TestEnv::furnished();
    env.settings("[permissions]\ndefault = \"ask\"\n");
    env.write(
        "repo/.skillpick.toml",
        "version = 1\nroots = [\"/etc\"]\n[[permissions.allow]]\ntool = \"skill_load\"\n",
    );
    let list = env.json("list", &["list", "--json"]);
    assert!(list["skills"].as_array().unwrap().iter().all(|row| row["permission"] == "ask"));
    let ran = env.run(&["config"]).ended(0);
    assert!(
        ran.out().contains("note: ") && ran.out().contains("a project file may only tighten"),
        "{ran:?}"
    );
    assert_eq!(env.run(&["list"]).ended(0).err, "", "remarks are for `config`");
}

#[test]
fn wrong_places_and_hosts_are_usage_errors() {
    let env = TestEnv::furnished();
    for (arguments, words) in [
        (["list", "-C", "nowhere"].as_slice(), "-C nowhere: "),
        (&["list", "--root", "nowhere"], "nowhere: "),
        (&["list", "--host", "agnets"], "did you mean `agents`?"),
        (&["list", "--config", "nowhere.toml"], "--config names a settings file that is not there"),
        (&["list", "--scope", "mine"], "possible values: project, repo, user, system, all"),
        (&["list", "--nope"], "unexpected argument"),
    ] {
        let ran = env.run(arguments).ended(2);
        assert!(ran.out().is_empty() && ran.err.contains(words), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn an_unknown_host_is_an_error_with_the_line_or_the_option_that_named_it() {
    let env = TestEnv::furnished();
    env.settings("host = \"agnets\"\n");
    let ran = env.run(&["list"]).ended(2);
    assert!(
        ran.err.contains("config.toml:2") && ran.err.contains("did you mean `agents`?"),
        "{ran:?}"
    );
    env.settings("");
    let ran = env.run(&["list", "--host", "agnets"]).ended(2);
    assert!(ran.err.contains("--host") && ran.err.contains("did you mean `agents`?"), "{ran:?}");
    // A broken project file ends no command; it denies.
    env.write("repo/.skillpick.toml", "version = 1\nhost = \"agnets\"\n");
    let ran = env.run(&["list"]).ended(0);
    assert!(ran.err.contains(".skillpick.toml:2"), "{ran:?}");
}

#[test]
fn cod_1_3_a_mention_means_the_one_that_may_be_called_and_a_bare_name_stays_ambiguous() {
    let env = TestEnv::new();
    let one = env.skill("repo/.agents/skills", "pdf", "The repository's.");
    env.skill("home/.agents/skills", "pdf", "My own.");
    env.run(&["disable", &env.text("home/.agents/skills/pdf/SKILL.md")]).ended(0);
    let printed = env.run(&["-f", "is:on pdf"]).ended(0);
    assert_eq!(printed.out().trim(), "$pdf", "only one can be called");
    assert_eq!(
        env.json("show", &["show", "$pdf", "--json"])["skill"]["path"],
        *one.to_str().unwrap()
    );
    env.run(&["show", "pdf"]).ended(1);
}

#[test]
fn a_store_that_is_none_is_told_with_its_line_and_shown_as_it_is_written() {
    let env = TestEnv::furnished();
    let file = env.settings("[store]\nurl = \"mysql:x\"\n");
    let ran = env.run(&["config"]).ended(2);
    assert!(ran.out().contains("store.url = \"mysql:x\""), "{}", ran.out());
    assert!(ran.out().contains(&format!("{}:3:1: ", file.display())), "{}", ran.out());
    assert!(ran.out().contains("a store is written `sqlite:PATH` or"), "{}", ran.out());
    env.run(&["list"]).ended(2);
    let env = TestEnv::furnished().variable("SKILLPICK_STORE", "mysql://me:secret@host/team");
    let ran = env.run(&["config"]).ended(2);
    assert!(ran.out().contains("store.url = \"mysql://me@host/team\""), "{}", ran.out());
    assert!(ran.out().contains("error: SKILLPICK_STORE: a store is written"), "{}", ran.out());
    assert!(!ran.out().contains("secret"), "{}", ran.out());
}

#[test]
fn each_wrong_key_is_told_with_its_line_and_the_rest_counts() {
    let env = TestEnv::furnished();
    let file = env.settings(
        "[keys.nonsense]\n\"ctrl-foo\" = \"edit\"\n[keys.picker]\n\"ctrl-o\" = \"nonsense\"\n\
         \"ctrl-g\" = \"edit\"\n",
    );
    env.run(&["list"]).ended(0);
    let ran = env.run(&["config"]).ended(0);
    for (line, what) in [
        (3, "there is no screen of this name"),
        (3, "a terminal sends no such key"),
        (5, "there is no action of this name, `nonsense`"),
    ] {
        let place = format!("note: {}:{line}:1: ", file.display());
        let told = ran.out().lines().any(|row| row.starts_with(&place) && row.contains(what));
        assert!(told, "{what}: {}", ran.out());
    }
    assert!(ran.out().contains("picker-empty"), "the screens are named: {}", ran.out());
    let config = env.json("config", &["config", "--json"]);
    let rows = config["values"].as_array().unwrap().iter();
    let keys: Vec<_> =
        rows.filter(|row| row["key"] == "keys").map(|row| &row["value"]["key"]).collect();
    assert_eq!(keys, [&json!("ctrl-g")]);
}

#[test]
fn what_a_variable_denies_is_not_said_of_a_line_of_the_file() {
    let env = TestEnv::new().variable("SKILLPICK_MOUSE", "maybe");
    let ran = env.run(&["config"]).ended(2);
    let denials: Vec<&str> =
        ran.out().lines().filter(|line| line.starts_with("permissions.deny")).collect();
    assert!(denials.len() == 2, "{}", ran.out());
    assert!(
        denials.iter().all(|line| line.ends_with("# alarm an option or a variable")),
        "{denials:?}"
    );
}
