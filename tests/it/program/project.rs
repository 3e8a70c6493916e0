//! The skills of a project in a store, beside files.

mod remove;

use super::layouts::fifo;
use crate::env::random::Random;
use crate::env::{TestEnv, bar, postgres};
use serde_json::{Value as Json, json};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

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
fn aab_9_a_bundle_is_read_by_its_digest_and_made_again_if_it_was_changed() {
    for env in stores() {
        env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "See notes.md.\n");
        env.write("tmp/pdf/notes.md", "Notes.\n");
        env.write("tmp/pdf/scripts/fill.sh", "echo\n");
        let from = env.text("tmp/pdf");
        env.run(&["project", "put", "pdf", "--from", &from]).ended(0);
        let row = rows(&env, &[])[0].clone();
        let dir = row["dir"].as_str().unwrap().to_owned();
        assert!(!fs::exists(&dir).unwrap(), "a list makes no folders");
        assert_eq!(env.run(&["read", "pdf", "notes.md"]).ended(0).out(), "Notes.\n");
        let notes = format!("{dir}/notes.md");
        fs::remove_file(&notes).unwrap();
        fs::write(&notes, "Theirs.\n").unwrap();
        fs::write(format!("{dir}/more.md"), "Theirs.\n").unwrap();
        assert_eq!(env.run(&["read", "pdf", "notes.md"]).ended(0).out(), "Notes.\n");
        assert!(!fs::exists(format!("{dir}/more.md")).unwrap());
        for path in ["../notes.md", "/etc/passwd", "more.md"] {
            assert!(env.run(&["read", "pdf", path]).code != 0, "{path}");
        }
        let tree = env.run(&["show", "pdf", "--tree"]).ended(0);
        assert!(tree.out().contains("fill.sh"), "{tree:?}");
    }
}

#[test]
fn aab_7_with_the_store_away_what_was_read_is_used_and_nothing_is_written() {
    let Some(mut server) = postgres::Cluster::start() else { return };
    server.sql("CREATE SCHEMA team");
    let env = shop(Some(&server.address("team")));
    put(&env, "pdf", "Team text.\n");
    put(&env, "zip", "Zip text.\n");
    assert_eq!(rows(&env, &[]).len(), 2);
    server.stop();
    let listed = env.run(&["list"]).ended(0);
    assert!(listed.out().contains("pdf"), "{listed:?}");
    assert!(
        listed.err.contains("cannot be reached") && listed.err.contains("just now"),
        "{listed:?}"
    );
    let loaded = env.run(&["load", "pdf"]).ended(0);
    assert!(loaded.out().contains("Team text."), "never loaded before");
    // Whoever uses it learns how old it is, or why a skill is unknown.
    let unknown = env.run(&["show", "new"]).ended(1);
    let shown = env.run(&["show", "pdf"]).ended(0);
    for told in [&loaded, &unknown, &shown] {
        assert!(
            told.err.contains("cannot be reached") && told.err.contains("just now"),
            "{told:?}"
        );
    }
    let refused = env.fails(&["project", "delete", "pdf", "--json"]);
    assert_eq!(refused["error"]["code"], "store_away");
    server.run();
    let listed = env.run(&["list"]).ended(0);
    assert!(listed.err.is_empty(), "{listed:?}");
    env.run(&["project", "delete", "pdf"]).ended(0);
    assert_eq!(rows(&env, &[]).len(), 1);
}

#[test]
fn aab_7_a_store_that_says_nothing_is_away() {
    let env = TestEnv::new();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://me@127.0.0.1:{}/team", silent.local_addr().unwrap().port());
    env.settings(&format!("[store]\nurl = \"{url}\"\nproject = \"shop\"\n"));
    let listed = env.run(&["list"]).ended(0);
    assert!(listed.err.contains("the server does not answer"), "{listed:?}");
    assert!(listed.err.contains("#shop (cannot be read)"), "not empty: {listed:?}");
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "");
    let from = env.text("tmp/pdf");
    for words in [&["project", "list"][..], &["project", "put", "pdf", "--from", &from]] {
        let refused = env.fails(&[words, &["--json"]].concat());
        assert_eq!(refused["error"]["code"], "store_away");
    }
}

#[test]
fn no_password_of_a_store_is_printed() {
    let env = TestEnv::new();
    env.settings("[store]\nurl = \"postgres://me:geheim@127.0.0.1:1/team\"\nproject = \"shop\"\n");
    for command in [
        &["list", "--json"][..],
        &["config"],
        &["config", "--json"],
        &["project", "list"],
        &["project", "show", "a"],
        &["project", "create", "b"],
    ] {
        let ran = env.run(command);
        let all = format!("{}{}", ran.out(), ran.err);
        assert!(!all.contains("geheim") && all.contains("127.0.0.1"), "{command:?}: {all}");
    }
    for password in ["ge/heim", "ge?heim", "ge#heim", "ge@heim", "ge/h?e#im", "ge?x=heim"] {
        let url = format!("postgres://me:{password}@127.0.0.1:1/team");
        let env = TestEnv::new().variable("SKILLPICK_STORE", &url);
        for command in [&["config"][..], &["config", "--json"], &["project", "list"]] {
            let ran = env.run(command);
            let all = format!("{}{}", ran.out(), ran.err);
            let leaks = all.contains("me:") || all.contains("heim");
            assert!(!leaks && all.contains("postgres://me@"), "{command:?} {password}: {all}");
        }
    }
    let broken = env.run(&["project", "list", "--store", "geheim://x"]).ended(2);
    assert!(!broken.err.contains("geheim") && broken.err.contains("--store"), "{broken:?}");
}

/// A writer is killed at every stage of its write: the store is whole, what was acknowledged is
/// there, and nothing else than what was wanted.
#[test]
fn aab_6_a_writer_that_is_killed_tears_nothing() {
    let mut random = Random(6);
    for env in stores() {
        put(&env, "pdf", "0");
        let (mut there, tries) = ("0".to_owned(), bar::share(100));
        for number in 1..=tries {
            let text = number.to_string();
            env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", &text);
            let arguments = ["project", "put", "pdf", "--from", &env.text("tmp/pdf")];
            let mut command = env.command(&arguments);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let pause = Duration::from_micros(random.below(60_000) as u64);
            let start = Instant::now();
            let ended = loop {
                match child.try_wait().unwrap() {
                    Some(status) => break status,
                    None if start.elapsed() > pause => {
                        child.kill().unwrap();
                        break child.wait().unwrap();
                    }
                    None => thread::yield_now(),
                }
            };
            let shown = env.json("project-show", &["project", "show", "pdf", "--json"]);
            let content = shown["content"].as_str().unwrap();
            let now = content.trim_end().rsplit('\n').next().unwrap().to_owned();
            assert!(now == text || (now == there && !ended.success()), "{now}, not {text}");
            there = now;
        }
        let history = env.json("project-history", &["project", "history", "--json"]);
        let changes = history["changes"].as_array().unwrap();
        for pair in changes.windows(2).take_while(|pair| pair[1]["name"] == "pdf") {
            assert_eq!(pair[0]["previous"], pair[1]["version"]);
            assert_eq!(pair[0]["seq"].as_i64().unwrap(), pair[1]["seq"].as_i64().unwrap() + 1);
        }
    }
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

/// A ZIP archive of these files, without compression.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
            })
        })
    }
    let (mut local, mut central) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let (length, at) =
            (u32::try_from(text.len()).unwrap(), u32::try_from(local.len()).unwrap());
        let name_length = u16::try_from(name.len()).unwrap();
        let mut common = Vec::new();
        // Version, flags, method, time, date.
        [20_u16, 0, 0, 0, 0x21].iter().for_each(|it| common.extend(it.to_le_bytes()));
        [crc(text.as_bytes()), length, length]
            .iter()
            .for_each(|it| common.extend(it.to_le_bytes()));
        [name_length, 0].iter().for_each(|it| common.extend(it.to_le_bytes()));
        local.extend(b"PK\x03\x04".iter().chain(&common));
        local.extend(name.bytes().chain(text.bytes()));
        central.extend(b"PK\x01\x02\x14\x03".iter().chain(&common));
        // Comment, disk, internal and external attributes, place.
        [0_u16, 0, 0].iter().for_each(|it| central.extend(it.to_le_bytes()));
        [0o100_644_u32 << 16, at].iter().for_each(|it| central.extend(it.to_le_bytes()));
        central.extend(name.bytes());
    }
    let (count, size) =
        (u16::try_from(files.len()).unwrap(), u32::try_from(central.len()).unwrap());
    let start = u32::try_from(local.len()).unwrap();
    let mut whole = [local, central].concat();
    whole.extend(b"PK\x05\x06");
    [0_u16, 0, count, count].iter().for_each(|it| whole.extend(it.to_le_bytes()));
    [size, start].iter().for_each(|it| whole.extend(it.to_le_bytes()));
    whole.extend(0_u16.to_le_bytes());
    whole
}

/// A text with a NUL hides something, and is refused all the same.
#[test]
fn nobody_is_asked_about_a_text_that_is_refused_anyway() {
    let env = shop(None);
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "a\0b\n");
    let from = env.text("tmp/pdf");
    for more in [&[][..], &["--yes"]] {
        let words = [&["project", "put", "pdf", "--from", &from, "--json"], more].concat();
        let refused = env.fails(&words);
        assert_eq!(refused["error"]["code"], "invalid", "{refused}");
    }
}

#[test]
fn an_archive_is_stored_whole_or_not_at_all() {
    let env = shop(None);
    let text = "---\nname: pdf\ndescription: From an archive.\n---\n\nText.\n";
    let good = [("pdf/SKILL.md", text), ("pdf/references/more.md", "More.\n")];
    std::fs::write(env.at("repo/pdf.zip"), zip(&good)).unwrap();
    env.run(&["project", "put", "pdf", "--from", "pdf.zip"]).ended(0);
    let read = env.run(&["read", "pdf", "references/more.md"]).ended(0);
    assert_eq!(read.out(), "More.\n");
    let stored = || env.run(&["project", "history", "--json"]).ended(0).bytes;
    let before = stored();
    for (name, why) in [
        ("pdf/../../evil", "path"),
        ("/etc/evil", "path"),
        ("pdf/references/more.md", "twice"),
        ("pdf/REFERENCES/More.md", "case"),
    ] {
        let bad = [&good[..], &[(name, "x")]].concat();
        std::fs::write(env.at("repo/bad.zip"), zip(&bad)).unwrap();
        let ran = env.run(&["project", "put", "pdf", "--from", "bad.zip"]).ended(2);
        assert!(ran.err.contains("bad.zip: "), "{why}: {ran:?}");
    }
    assert_eq!(stored(), before);
}

#[test]
fn a_pipe_is_no_text_and_is_not_waited_for() {
    let env = shop(None);
    env.write("tmp/pdf/notes.md", "");
    fifo(&env.at("tmp/pdf/SKILL.md"));
    for from in ["tmp/pdf", "tmp/pdf/SKILL.md"] {
        let from = env.text(from);
        let failed = env.fails(&["project", "put", "pdf", "--from", &from, "--json"]);
        assert!(failed["error"]["message"].as_str().unwrap().contains("it is no file"), "{failed}");
    }
}

/// The words of a command that was printed, without the program's name.
fn printed<'a>(said: &'a str, before: &str) -> Vec<&'a str> {
    let line = said.lines().find_map(|line| line.trim().strip_prefix(before));
    let line = line.unwrap_or_else(|| panic!("no {before}: {said}"));
    line.trim().strip_prefix("skillpick ").unwrap().split(' ').collect()
}

#[test]
fn a_printed_command_means_the_store_and_the_project_that_options_named() {
    let env = shop(None);
    put(&env, "deploy", "Team text.\n");
    env.run(&["project", "create", "team"]).ended(0);
    env.raw_skill("tmp/other", "name: other\ndescription: d", "Of another.\n");
    let from = env.text("tmp/other");
    let own = ["--project", "team"];
    let options = ["--store", "sqlite:a.db", "--project", "fresh"];
    let created = env.run(&["--store", "sqlite:a.db", "project", "create", "fresh"]).ended(0);
    for options in [&own[..], &options] {
        let put = [options, &["project", "put", "other", "--from", &from]].concat();
        let done = env.run(&put).ended(0);
        env.run(&printed(&done.err, "to undo it:")).ended(0);
        env.run(&[options, &["project", "show", "other"]].concat()).ended(1);
    }
    assert_eq!(rows(&env, &[])[0]["name"], "deploy", "nothing was undone in shop");
    // What is hidden is looked at in the same project.
    env.raw_skill("tmp/b", "name: b\ndescription: d", "a\u{e0041}\u{e0042}\n");
    let from = env.text("tmp/b");
    let put = [&options[..], &["project", "put", "b", "--from", &from, "--yes"]].concat();
    env.run(&put).ended(0);
    let load = [&options[..], &["load", "b"]].concat();
    let refused = env.run(&load).ended(1);
    let approve = printed(&refused.err, "to look at it:");
    env.run(&[&approve[..], &["--yes"]].concat()).ended(0);
    env.run(&load).ended(0);
    // Only the name is written, so it is said where later commands look.
    let used = env.run(&printed(&created.err, "to use its skills:")).ended(0);
    let other = "but your settings have another store, sqlite:";
    assert!(used.err.contains(other), "{used:?}");
    let used = env.run(&["project", "use", "team"]).ended(0);
    assert!(!used.err.contains(other), "{used:?}");
}

#[test]
fn what_keeps_the_use_of_a_project_without_effect_is_named() {
    let env = shop(None);
    env.run(&["project", "create", "q1"]).ended(0);
    env.write("repo/.skillpick.toml", "version = 1\n[store]\nproject = \"shop\"\n");
    for dry_run in [&["--dry-run"][..], &[]] {
        let used = env.run(&[&["project", "use", "q1"], dry_run].concat()).ended(0);
        let by = format!("but here shop is used: {}:3 says so", env.text("repo/.skillpick.toml"));
        assert!(used.err.contains(&by), "{used:?}");
    }
    let used = env.json("project", &["project", "use", "q1", "--json"]);
    let by = used["overridden_by"].as_str().unwrap();
    assert!(by.ends_with(".skillpick.toml:3"), "{by}");
    let used = env.json("project", &["project", "use", "shop", "--json"]);
    assert_eq!(used["overridden_by"], Json::Null, "both say the same");
    let none = env.run(&["project", "use", "--none"]).ended(0);
    assert!(none.err.contains("use no project: done"), "{none:?}");
    assert!(none.err.contains("but here shop is used"), "{none:?}");
    // Of the repository's file, what the person's own says instead.
    env.run(&["project", "use", "q1"]).ended(0);
    let none = env.run(&["project", "use", "--none", "--in", "project"]).ended(0);
    assert!(none.err.contains("but here q1 is used"), "{none:?}");
    let env = shop(None).variable("SKILLPICK_PROJECT", "shop");
    let none = env.json("project", &["project", "use", "--none", "--json"]);
    assert_eq!(
        (&none["project"], &none["overridden_by"]),
        (&json!(""), &json!("SKILLPICK_PROJECT"))
    );
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
        (&json!(false), &json!(["a.sh"]), &json!([]), &json!(["a.sh"]))
    );
    let now = &second["skill_version"].as_str().unwrap()[..12];
    let told = env.run(&diff).ended(0);
    assert!(told.out().contains(&format!("executable only in {now}: a.sh")), "{told:?}");
    assert!(!told.out().contains("the same"), "{told:?}");
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
