//! The skills of a project in a store, beside files.

mod archives;
mod away;
mod printed;
mod remove;
mod snapshot;

use crate::env::{TestEnv, postgres};
use serde_json::{Value as Json, json};
use std::fs;

/// A project `shop` that is used, in the store at `url` or in the person's own file.
pub(crate) fn shop(url: Option<&str>) -> TestEnv {
    let env = TestEnv::new().variable("SKILLPICK_AUTHOR", "ann");
    let url = url.map(|url| format!("[store]\nurl = \"{url}\"\n"));
    env.settings(url.as_deref().unwrap_or_default());
    env.json("project", &["project", "create", "shop", "--json"]);
    env.run(&["project", "use", "shop"]).ended(0);
    env
}

/// Each of the two stores; the second where there is a server.
fn stores() -> Vec<TestEnv> {
    let server = postgres::shared().map(|server| shop(Some(&server.schema())));
    std::iter::once(shop(None)).chain(server).collect()
}

pub(crate) fn put(env: &TestEnv, name: &str, body: &str) -> Json {
    let from = format!("tmp/{name}");
    env.raw_skill(&from, &format!("name: {name}\ndescription: The team's {name}."), body);
    env.json("project", &["project", "put", name, "--from", &env.text(&from), "--json"])
}

fn rows(env: &TestEnv, more: &[&str]) -> Vec<Json> {
    let list = env.json("list", &[&["list", "--json"], more].concat());
    list["skills"].as_array().unwrap().clone()
}

#[test]
fn aab_3_a_projects_skill_comes_before_the_file_of_its_name() {
    for env in stores() {
        env.skill("repo/.agents/skills", "PDF", "The repository's.");
        env.skill("repo/.agents/skills", "zip", "Another.");
        let version = put(&env, "pdf", "Team text.\n")["skill_version"].clone();
        for host in ["agents", "spec0027"] {
            let all = rows(&env, &["--host", host]);
            let seen: Vec<_> = all
                .iter()
                .map(|row| {
                    let name = row["name"].as_str().unwrap();
                    (name, row["scope"].as_str().unwrap(), row["enabled"] == true)
                })
                .collect();
            assert_eq!(
                seen,
                [("pdf", "project", true), ("PDF", "repo", false), ("zip", "repo", true)],
                "{host}"
            );
            assert_eq!(all[1]["shadowed_by"], all[0]["path"]);
            let stored = &all[0]["stored"];
            assert_eq!(
                (&stored["version"], &stored["author"], &stored["project"], &stored["number"]),
                (&version, &json!("ann"), &json!("shop"), &json!(1))
            );
            let loaded = env.run(&["load", "pdf", "--host", host]).ended(0);
            assert!(loaded.out().contains("Team text."), "{loaded:?}");
        }
        assert_eq!(rows(&env, &["--host", "codex"]).len(), 2, "other agents know no store");
        let own = rows(&env, &["--scope", "project"]);
        assert_eq!((own.len(), &own[0]["name"]), (1, &json!("pdf")));
        let shown = env.run(&["show", "pdf"]).ended(0);
        let words = format!("shop #1 {} by ann", &version.as_str().unwrap()[..12]);
        assert!(shown.out().contains(&words), "{shown:?}");
        // The file says which version of whom is taken instead.
        let file = env.text("repo/.agents/skills/PDF");
        let shown = env.run(&["show", &file]).ended(0);
        assert!(shown.out().contains(&format!("shadowed by {words}")), "{shown:?}");
    }
}

#[test]
fn aab_3_precedence_is_a_setting() {
    let env = shop(None);
    env.skill("repo/.agents/skills", "pdf", "The repository's.");
    put(&env, "pdf", "Team text.\n");
    let used = |precedence: &str| {
        env.settings(&format!("[store]\nproject = \"shop\"\nprecedence = \"{precedence}\"\n"));
        env.run(&["load", "pdf"])
    };
    assert!(used("over").ended(0).out().contains("Team text."));
    assert!(!used("under").ended(0).out().contains("Team text."));
    let all = rows(&env, &[]);
    assert_eq!((&all[0]["shadowed_by"], &all[0]["enabled"]), (&all[1]["path"], &json!(false)));
    let refused = used("error").ended(1);
    assert!(refused.err.contains("project") && refused.err.contains("repo"), "{refused:?}");
    // A repository may make it an error, and not turn it round.
    env.write("repo/.skillpick.toml", "version = 1\n[store]\nprecedence = \"under\"\n");
    assert!(used("over").ended(0).out().contains("Team text."));
}

#[test]
fn a_new_version_of_a_loaded_skill_is_the_same_skill_and_not_one_more() {
    let env = shop(None);
    let load = ["load", "deploy", "--session", "chat"];
    let active = || {
        let session = env.json("session", &["session", "chat", "--json"]);
        let active = session["session"]["active"].as_array().unwrap().clone();
        active.iter().map(|row| row["state"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // A conversation has eight skills at most.
    for version in 0..9 {
        put(&env, "deploy", &format!("Text {version}.\n"));
        let loaded = env.run(&load).ended(0);
        assert!(loaded.out().contains(&format!("Text {version}.")), "{loaded:?}");
    }
    assert_eq!(active(), ["current"]);
    put(&env, "deploy", "Newest.\n");
    assert_eq!(active(), ["updated"]);
    let read = env.run(&["read", "SKILL.md", "--session", "chat"]).ended(0);
    assert!(read.out().contains("Newest."), "{read:?}");
    env.run(&["unload", "deploy", "--session", "chat"]).ended(0);
    assert!(active().is_empty());
}

#[test]
fn names_that_differ_in_case_are_one_name_to_a_project() {
    let env = shop(None);
    env.skill("repo/.agents/skills", "Deploy", "The repository's.");
    put(&env, "deploy", "Team text.\n");
    let load = |precedence: &str, name: &str| {
        env.settings(&format!("[store]\nproject = \"shop\"\nprecedence = \"{precedence}\"\n"));
        env.run(&["load", name])
    };
    for name in ["deploy", "Deploy", "$Deploy"] {
        assert!(load("over", name).ended(0).out().contains("Team text."), "{name}");
        assert!(!load("under", name).ended(0).out().contains("Team text."), "{name}");
        let refused = load("error", name).ended(1);
        assert!(refused.err.contains("2 skills are named"), "{refused:?}");
    }
    // A path means its skill, which is refused with what is taken instead.
    let refused = load("over", &env.text("repo/.agents/skills/Deploy")).ended(1);
    assert!(refused.err.contains("Deploy is shadowed"), "{refused:?}");
}

#[test]
fn aab_3_a_repository_names_the_project_and_not_the_store() {
    let env = shop(None);
    put(&env, "pdf", "Team text.\n");
    env.settings("");
    assert!(rows(&env, &[]).is_empty());
    let text = "version = 1\n[store]\nproject = \"shop\"\nurl = \"sqlite:/tmp/theirs.db\"\n";
    env.write("repo/.skillpick.toml", text);
    assert_eq!(rows(&env, &[])[0]["name"], "pdf");
    let config = env.run(&["config"]).ended(0);
    assert!(config.out().contains("`store.url` is ignored"), "{config:?}");
    // Where there is no such store, that is told, and nothing is made.
    let other = TestEnv::new();
    other.write("repo/.skillpick.toml", text);
    let listed = other.run(&["list"]).ended(0);
    assert!(listed.err.contains("there is no such store yet"), "{listed:?}");
    assert!(!other.at("home/.local/state/skillpick/store").exists());
}

#[test]
fn aab_13_a_skill_is_put_shown_compared_restored_deleted_and_undone() {
    for env in stores() {
        let first = put(&env, "pdf", "One.\n");
        assert_eq!((&first["changed"], &first["number"]), (&json!(true), &json!(1)));
        let version = first["skill_version"].as_str().unwrap().to_owned();
        assert_eq!(put(&env, "pdf", "One.\n")["changed"], false);
        put(&env, "pdf", "Two.\n");
        let shown = env.json("project-show", &["project", "show", "PDF", "--json"]);
        assert!(shown["content"].as_str().unwrap().ends_with("Two.\n"), "{shown}");
        let early = ["project", "show", "pdf", "--version", &version[..9], "--json"];
        assert_eq!(env.json("project-show", &early)["skill_version"], version);
        let diff = ["project", "diff", "pdf", "--version", &version[..9], "--json"];
        let diff = env.json("project-diff", &diff);
        assert!(diff["diff"].as_str().unwrap().contains("-One.\n+Two."), "{diff}");
        let restored = env.json("project", &["project", "restore", "pdf", "--json"]);
        assert_eq!(restored["skill_version"], version);
        let deleted = env.json("project", &["project", "delete", "pdf", "--json"]);
        assert_eq!(
            (&deleted["skill_version"], &deleted["previous_version"]),
            (&Json::Null, &json!(version))
        );
        assert!(rows(&env, &[]).is_empty());
        let undone = env.json("project", &["project", "undo", "--json"]);
        assert_eq!((&undone["skill_version"], &undone["name"]), (&json!(version), &json!("pdf")));
        assert!(env.run(&["load", "pdf"]).ended(0).out().contains("One."));
        let history = env.json("project-history", &["project", "history", "pdf", "--json"]);
        let actions: Vec<_> = history["changes"].as_array().unwrap().iter().collect();
        let actions: Vec<_> =
            actions.iter().map(|change| change["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["undo", "delete", "restore", "put", "put"]);
        let listed = env.json("project-list", &["project", "list", "--json"]);
        assert_eq!(
            (&listed["projects"][0]["skills"], &listed["projects"][0]["used"]),
            (&json!(1), &json!(true))
        );
        let skills = env.json("project-skills", &["project", "list", "shop", "--json"]);
        assert_eq!(skills["skills"][0]["number"], 5);
        for command in ["show", "delete", "diff", "restore"] {
            let ran = env.fails(&["project", command, "none", "--json"]);
            assert_eq!(ran["error"]["code"], "unknown", "{command}");
        }
    }
}

#[test]
fn a_stored_skill_that_is_off_stays_off_with_its_next_version() {
    let env = shop(None);
    let row = || rows(&env, &[]).swap_remove(0);
    put(&env, "deploy", "One.\n");
    let first = row()["path"].as_str().unwrap().to_owned();
    env.run(&["disable", "deploy"]).ended(0);
    assert_eq!(row()["enabled"], false);
    put(&env, "deploy", "Two.\n");
    assert_eq!(row()["enabled"], false);
    env.run(&["enable", "deploy"]).ended(0);
    assert_eq!(row()["enabled"], true);
    env.run(&["undo"]).ended(0);
    assert_eq!(row()["enabled"], false);
    // Earlier versions of ours wrote the path of one version.
    let by_path = |enabled: bool| {
        let switch = format!("[[skills.config]]\npath = \"{first}\"\nenabled = {enabled}\n");
        env.settings(&format!("[store]\nproject = \"shop\"\n\n{switch}"));
    };
    by_path(false);
    assert_eq!(row()["enabled"], true);
    env.run(&["disable", "deploy"]).ended(0);
    assert_eq!(row()["enabled"], false);
    env.run(&["enable", "deploy"]).ended(0);
    assert_eq!(row()["enabled"], true);
    put(&env, "deploy", "One.\n");
    assert_eq!((&row()["enabled"], &row()["path"]), (&json!(false), &json!(first)));
    env.run(&["enable", "deploy"]).ended(0);
    by_path(true);
    env.run(&["disable", "deploy"]).ended(0);
    put(&env, "deploy", "Three.\n");
    assert_eq!(row()["enabled"], false);
    // A file that gives way to it does not keep it from that.
    env.skill("repo/.agents/skills", "deploy", "The repository's.");
    let stored = || rows(&env, &["--scope", "project"]).swap_remove(0);
    env.run(&["enable", stored()["path"].as_str().unwrap()]).ended(0);
    assert_eq!(stored()["enabled"], true);
    env.run(&["disable", stored()["path"].as_str().unwrap()]).ended(0);
    put(&env, "deploy", "Four.\n");
    assert_eq!(stored()["enabled"], false);
}

#[test]
fn what_keeps_a_stored_skill_keeps_it_whatever_its_case() {
    let env = shop(None);
    let load = |name: &str| env.run(&["load", name]);
    put(&env, "foo", "One.\n");
    env.run(&["permit", "deny", "foo"]).ended(0);
    put(&env, "FOO", "Two.\n");
    let refused = load("FOO").ended(1);
    assert!(refused.err.contains("is denied"), "{refused:?}");
    // The cure that is named works.
    let path = rows(&env, &[]).swap_remove(0)["path"].as_str().unwrap().to_owned();
    env.run(&["permit", "allow", &path]).ended(0);
    load("FOO").ended(0);
    env.run(&["undo"]).ended(0);
    env.run(&["undo"]).ended(0);
    env.run(&["permit", "deny", "fo*"]).ended(0);
    load("FOO").ended(1);
    env.run(&["undo"]).ended(0);
    assert!(load("FOO").ended(0).out().contains("Two."));
    // A rule that differs in case reaches what is there now, and says so.
    let asked = env.run(&["permit", "deny", "foo"]).ended(0);
    assert!(!asked.err.contains("no skill here"), "{asked:?}");
    load("FOO").ended(1);
    env.run(&["undo"]).ended(0);
    env.run(&["disable", "FOO"]).ended(0);
    put(&env, "Foo", "Three.\n");
    load("Foo").ended(1);
    env.run(&["enable", "Foo"]).ended(0);
    assert!(load("Foo").ended(0).out().contains("Three."));
    assert!(!env.read("home/.config/skillpick/config.toml").contains("FOO"), "taken back");
}

#[test]
fn a_repository_around_the_persons_folders_holds_no_store() {
    let env = TestEnv::new();
    env.write(".git/HEAD", "ref: refs/heads/main\n");
    env.write("src/main.c", "");
    let mut create = env.command(&["project", "create", "shop"]);
    let ran = create.current_dir(env.at("src")).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(!ran.status.success() && said.contains("--store sqlite:PATH"), "{said}");
    assert!(!env.at("home/.local/state/skillpick/store").exists());
}

#[test]
fn aab_13_a_dry_run_writes_nothing() {
    let env = shop(None);
    put(&env, "pdf", "One.\n");
    put(&env, "pdf", "Two.\n");
    let before = env.run(&["project", "history", "--json"]).ended(0).bytes;
    let settings = env.read("home/.config/skillpick/config.toml");
    env.raw_skill("tmp/zip", "name: zip\ndescription: d", "");
    for command in [
        &["create", "other"][..],
        &["put", "zip", "--from", &env.text("tmp/zip")],
        &["restore", "pdf"],
        &["delete", "pdf"],
        &["undo"],
        &["use", "--none"],
    ] {
        let arguments = [&["project"], command, &["--dry-run", "--json"]].concat();
        let told = env.json("project", &arguments);
        assert_eq!((&told["done"], &told["changed"]), (&json!(false), &json!(true)), "{command:?}");
    }
    assert_eq!(env.run(&["project", "history", "--json"]).ended(0).bytes, before);
    assert_eq!(env.read("home/.config/skillpick/config.toml"), settings);
    env.run(&["undo"]).ended(0);
    assert!(!env.read("home/.config/skillpick/config.toml").contains("shop"), "use is undone");
}

#[test]
fn a_name_that_is_refused_or_unknown_is_refused_by_every_command() {
    let env = shop(None);
    put(&env, "pdf", "One.\n");
    for more in [&[][..], &["--dry-run"]] {
        let ran = env.run(&[&["project", "create", "te am"], more].concat()).ended(2);
        assert!(ran.err.contains("the name of a project"), "{ran:?}");
    }
    for command in ["history", "show", "delete", "restore"] {
        let ran = env.run(&["project", command, "nosuch"]).ended(1);
        assert!(ran.err.contains("no skill of this name"), "{ran:?}");
    }
    env.run(&["project", "delete", "pdf"]).ended(0);
    let ran = env.run(&["project", "history", "pdf"]).ended(0);
    assert!(ran.out().contains("delete"), "what is gone has a history: {ran:?}");
    // The numbers are those that other commands take, and another skill's changes do not count.
    put(&env, "other", "One.\n");
    put(&env, "other", "Two.\n");
    let history = env.run(&["project", "history", "other"]).ended(0);
    let second = history.out().lines().find(|line| line.contains(" other #2 ")).unwrap();
    let shown = env.run(&["project", "show", "other", "--version", "#2"]).ended(0);
    assert!(shown.out().contains("Two.") && !second.starts_with("2 "), "{second} {shown:?}");
}

#[test]
fn a_stored_skill_is_mended_by_a_new_version() {
    let env = shop(None);
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: Fills forms.\nodd: x", "Text.\n");
    env.run(&["project", "put", "pdf", "--from", &env.text("tmp/pdf")]).ended(0);
    let ran = env.run(&["check", "--fix"]);
    let all = format!("{}{}", ran.out(), ran.err);
    assert!(all.contains("project put NAME") && !all.contains("--fix FOLDER"), "{all}");
}

#[test]
fn aab_6_what_no_agent_would_take_is_not_stored() {
    let env = shop(None);
    let refused = |name: &str, frontmatter: &str, body: &str| {
        env.raw_skill("tmp/x", frontmatter, body);
        let arguments = ["project", "put", name, "--from", &env.text("tmp/x"), "--json"];
        env.fails(&arguments)["error"]["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(refused("x", "name: x", ""), "invalid", "no description");
    assert_eq!(refused("x", "name: other\ndescription: d", ""), "invalid", "another name");
    assert_eq!(refused("x", "name: [x\ndescription: d", ""), "invalid", "no YAML");
    let escaped = r#"description: "nice\U000E0041\U000E0042 tool""#;
    assert_eq!(refused("x", &format!("name: x\n{escaped}"), ""), "hidden_text");
    assert_eq!(refused("x", "name: x\ndescription: d", "\u{e0041}\u{e0042}"), "hidden_text");
    let from = env.text("tmp/x");
    env.run(&["project", "put", "x", "--from", &from, "--yes"]).ended(0);
    // Each reader looks at it once more.
    let load = env.run(&["load", "x"]);
    assert!(load.code != 0 && load.err.contains("hides"), "{load:?}");
    env.run(&["approve", "x", "--yes"]).ended(0);
    env.run(&["load", "x"]).ended(0);
    // A plain text gets its frontmatter.
    let plain = env.write("tmp/plain.md", "Do it.\r\n");
    let from = plain.to_str().unwrap();
    let arguments = ["project", "put", "plain", "--from", from, "--description", "Says: how."];
    env.run(&arguments).ended(0);
    let raw = env.run(&["project", "show", "plain", "--raw"]).ended(0);
    assert_eq!(raw.out(), "---\nname: plain\ndescription: \"Says: how.\"\n---\n\nDo it.\n");
}

#[test]
fn a_script_of_a_stored_skill_runs_from_the_version_that_was_stored() {
    for env in stores() {
        let text = "[scripts]\nenabled = true\n";
        env.settings(&format!(
            "{}{text}",
            env.read("home/.config/skillpick/config.toml").replace("version = 1\n", "")
        ));
        env.write("tmp/forms/scripts/fill.sh", "echo \"filled $1\"\n");
        put(&env, "forms", "Run scripts/fill.sh.\n");
        // What lies where it came from is not what runs.
        env.write("tmp/forms/scripts/fill.sh", "echo changed\n");
        let ran = env.run(&["run", "forms", "scripts/fill.sh", "--yes", "--", "a form"]);
        assert_eq!((ran.code, ran.out()), (0, "filled a form\n"), "{ran:?}");
        put(&env, "forms", "Run scripts/fill.sh again.\n");
        let ran = env.run(&["run", "forms", "scripts/fill.sh", "--yes"]).ended(0);
        assert_eq!(ran.out(), "changed\n", "a new version was stored");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_became_executable_is_a_difference() {
    use std::os::unix::fs::PermissionsExt;
    let env = shop(None);
    env.write("tmp/nm/a.sh", "echo\n");
    env.write("tmp/nm/.git/config", "");
    env.write("tmp/nm/scripts/node_modules/x.js", "");
    let first = put(&env, "nm", "Text.\n");
    assert_eq!(first["left_out"], json!([".git", "scripts/node_modules"]));
    let mode = |mode| {
        fs::set_permissions(env.at("tmp/nm/a.sh"), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o755);
    let second = put(&env, "nm", "Text.\n");
    assert_eq!(second["changed"], true);
    let version = first["skill_version"].as_str().unwrap();
    let diff = ["project", "diff", "nm", "--version", version];
    let told = env.json("project-diff", &[&diff[..], &["--json"]].concat());
    assert_eq!(
        (&told["same"], &told["differing"], &told["executable_one"], &told["executable_other"]),
        (&json!(false), &json!([]), &json!([]), &json!(["a.sh"]))
    );
    let now = &second["skill_version"].as_str().unwrap()[..12];
    let told = env.run(&diff).ended(0);
    assert!(told.out().contains(&format!("executable only in {now}: a.sh")), "{told:?}");
    assert!(!told.out().contains("the same"), "{told:?}");
    assert!(!told.out().contains("differs"), "its bytes are the same: {told:?}");
    let from = env.text("tmp/nm");
    let again = env.run(&["project", "put", "nm", "--from", &from]).ended(0);
    assert!(again.err.contains("left out: .git"), "{again:?}");
}

#[cfg(unix)]
#[test]
fn a_stored_skill_is_shared_by_a_copy_and_not_by_a_link_into_the_cache() {
    let env = shop(None);
    env.write("tmp/nm/a.sh", "echo\n");
    put(&env, "nm", "Text.\n");
    let copy = env.at("home/.claude/skills/nm");
    for link in [&[][..], &["--link"]] {
        let refused = env.run(&[&["share", "nm", "--to", "claude"], link].concat()).ended(1);
        assert!(refused.err.contains("--copy copies this version"), "{refused:?}");
        assert!(!copy.exists() && !copy.is_symlink());
    }
    // Its folder is not on the disk yet.
    assert!(!fs::exists(rows(&env, &[])[0]["dir"].as_str().unwrap()).unwrap());
    env.run(&["share", "nm", "--to", "claude", "--copy"]).ended(0);
    assert!(!copy.is_symlink());
    assert!(fs::read_to_string(copy.join("SKILL.md")).unwrap().ends_with("Text.\n"));
    assert_eq!(fs::read_to_string(copy.join("a.sh")).unwrap(), "echo\n");
    env.run(&["unshare", "nm", "--from", "claude"]).ended(0);
    assert!(!copy.exists());
}
