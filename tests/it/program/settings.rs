//! `config`, and what broken settings do to commands.

use crate::support::House;
use serde_json::json;

#[test]
fn every_value_has_its_origin() {
    let house = House::furnished().variable("SKILLPICK_THEME", "dark");
    let file = house
        .settings("host = \"agents\"\nroots = [\"~/more\"]\n[skills.search]\ndefault_limit = 5\n");
    house.write(
        "repo/.skillpick.toml",
        "version = 1\nascii = true\n[[permissions.deny]]\ntool = \"skill_load\"\n",
    );
    let config = house.json("config", &["config", "--json", "--no-mouse"]);
    let row = |key: &str| {
        config["values"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap()
    };
    for (key, value, kind) in [
        ("host", json!("agents"), "user"),
        ("theme", json!("dark"), "environment"),
        ("ascii", json!(true), "project"),
        ("mouse", json!(false), "flag"),
        ("format", json!("mention"), "default"),
        ("roots", json!(house.text("home/more")), "user"),
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
    let plain = house.run(&["config"]).ended(0);
    plain.is_inert();
    assert!(plain.out().contains(&format!("# user {}:2\n", file.display())), "{}", plain.out());
    assert!(plain.out().contains("# environment SKILLPICK_THEME\n"), "{}", plain.out());
}

#[test]
fn the_default_file_and_the_path_are_printed() {
    let house = House::new();
    assert_eq!(house.run(&["config", "--default"]).ended(0).out(), skillpick::config::DEFAULT_FILE);
    let path = house.run(&["config", "--path"]).ended(0);
    assert_eq!(path.out().trim_end(), house.text("home/.config/skillpick/config.toml"));
    let other = house.write("other.toml", "version = 1\n");
    assert_eq!(
        house
            .run(&["config", "--path", "--config", other.to_str().unwrap()])
            .ended(0)
            .out()
            .trim_end(),
        other.to_str().unwrap()
    );
}

#[test]
fn broken_settings_end_commands_with_line_and_cure() {
    let house = House::furnished();
    let file = house.settings("host = \"agents\"\nthme = \"dark\"\n");
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
        let ran = house.run(arguments).ended(2);
        assert_eq!((ran.out(), &ran.err), ("", &expected), "{arguments:?}");
    }
    let error = house.fails(&["list", "--json"]);
    assert_eq!((&error["error"]["code"], &error["exit_code"]), (&json!("settings"), &json!(2)));
    let ran = house.run(&["config"]).ended(2);
    assert!(
        ran.out().contains("(broken)")
            && ran.out().contains("error: ")
            && ran.out().contains(":3:1: "),
        "{ran:?}"
    );
    let config = house.json("config", &["config", "--json"]);
    assert_eq!(
        (&config["problems"][0]["line"], &config["problems"][0]["grave"]),
        (&json!(3), &json!(true))
    );
    // The picker opens even so: here it fails only for want of a terminal.
    assert!(house.run(&["-1", "-q", "pdf"]).ended(2).err.contains("the picker needs a terminal"));
}

#[test]
fn a_broken_project_file_is_told_of_and_denies() {
    let house = House::furnished();
    house.write(
        "repo/.skillpick.toml",
        "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskil_name = \"pdf-forms\"\n",
    );
    let ran = house.run(&["list", "--json"]).ended(0);
    assert!(
        ran.err.starts_with("skillpick: warning: ") && ran.err.contains(".skillpick.toml:4:1: "),
        "{ran:?}"
    );
    let list = house.json("list", &["list", "--json"]);
    assert_eq!(list["skills"][0]["permission"], "deny");
    assert_eq!(list["skills"][0]["verdict"]["origin"]["model"]["kind"], "alarm");
}

#[test]
fn a_repository_grants_itself_nothing_and_config_says_so() {
    let house = House::furnished();
    house.settings("[permissions]\ndefault = \"ask\"\n");
    house.write(
        "repo/.skillpick.toml",
        "version = 1\nroots = [\"/etc\"]\n[[permissions.allow]]\ntool = \"skill_load\"\n",
    );
    let list = house.json("list", &["list", "--json"]);
    assert!(list["skills"].as_array().unwrap().iter().all(|row| row["permission"] == "ask"));
    let ran = house.run(&["config"]).ended(0);
    assert!(
        ran.out().contains("note: ") && ran.out().contains("a project file may only tighten"),
        "{ran:?}"
    );
    assert_eq!(house.run(&["list"]).ended(0).err, "", "remarks are for `config`");
}

#[test]
fn wrong_places_and_hosts_are_usage_errors() {
    let house = House::furnished();
    for (arguments, words) in [
        (["list", "-C", "nowhere"].as_slice(), "-C nowhere: "),
        (&["list", "--root", "nowhere"], "nowhere: "),
        (&["list", "--host", "agnets"], "did you mean `agents`?"),
        (&["list", "--config", "nowhere.toml"], "--config names a settings file that is not there"),
        (&["list", "--scope", "mine"], "possible values: repo, user, system, all"),
        (&["list", "--nope"], "unexpected argument"),
    ] {
        let ran = house.run(arguments).ended(2);
        assert!(ran.out().is_empty() && ran.err.contains(words), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn a_host_that_is_none_is_a_fault_of_its_file_with_its_line_and_of_its_option() {
    let house = House::furnished();
    house.settings("host = \"agnets\"\n");
    let ran = house.run(&["list"]).ended(2);
    assert!(
        ran.err.contains("config.toml:2") && ran.err.contains("did you mean `agents`?"),
        "{ran:?}"
    );
    house.settings("");
    let ran = house.run(&["list", "--host", "agnets"]).ended(2);
    assert!(ran.err.contains("--host") && ran.err.contains("did you mean `agents`?"), "{ran:?}");
    // A project's file cannot end anything; it denies.
    house.write("repo/.skillpick.toml", "version = 1\nhost = \"agnets\"\n");
    let ran = house.run(&["list"]).ended(0);
    assert!(ran.err.contains(".skillpick.toml:2"), "{ran:?}");
}

#[test]
fn cod_1_3_a_mention_means_the_one_that_may_be_called_and_a_bare_name_stays_ambiguous() {
    let house = House::new();
    let one = house.skill("repo/.agents/skills", "pdf", "The repository's.");
    house.skill("home/.agents/skills", "pdf", "My own.");
    house.run(&["disable", &house.text("home/.agents/skills/pdf/SKILL.md")]).ended(0);
    let printed = house.run(&["-f", "is:on pdf"]).ended(0);
    assert_eq!(printed.out().trim(), "$pdf", "only one can be called");
    assert_eq!(
        house.json("show", &["show", "$pdf", "--json"])["skill"]["path"],
        *one.to_str().unwrap()
    );
    house.run(&["show", "pdf"]).ended(1);
}
