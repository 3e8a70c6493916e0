//! A store that is away, slow or damaged, and what is said of it.

use super::{put, rows, shop, stores};
use crate::env::random::Random;
use crate::env::{TestEnv, bar, postgres};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

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
fn a_change_whose_answer_was_lost_may_have_been_made_and_the_history_tells() {
    let Some(server) = postgres::shared() else { return };
    server.sql("CREATE SCHEMA unsure");
    let env = shop(Some(&server.address("unsure")));
    put(&env, "pdf", "Team text.\n");
    let (_folder, url) = server.losing_answers("unsure");
    let losing = ["--store", &url];
    let refused = env.fails(&[&["project", "delete", "pdf", "--json"], &losing[..]].concat());
    assert_eq!(refused["error"]["code"], "store_unsure");
    let told = env.run(&[&["project", "restore", "pdf"], &losing[..]].concat()).ended(2);
    assert!(told.err.contains("not known whether the change was made"), "{told:?}");
    assert!(told.err.contains("skillpick project history --store "), "{told:?}");
    assert!(!told.err.contains("nothing was changed"), "{told:?}");
    let history = env.run(&["project", "history", "pdf"]).ended(0);
    assert_eq!(history.out().lines().count(), 3, "both were made: {history:?}");
}

#[test]
fn aab_7_a_database_file_that_is_gone_is_away_if_it_was_read_before() {
    let env = shop(None);
    put(&env, "pdf", "Team text.\n");
    assert_eq!(rows(&env, &[]).len(), 1);
    let (file, gone) = ("home/.local/state/skillpick/store", "home/gone");
    fs::rename(env.at(file), env.at(gone)).unwrap();
    let listed = env.run(&["list"]).ended(0);
    assert!(listed.out().contains("pdf"), "{listed:?}");
    assert!(listed.err.contains("there is no such store now; used is what was read"), "{listed:?}");
    let projects = env.run(&["project", "list"]).ended(0);
    assert!(projects.err.contains("there is no store there yet"), "{projects:?}");
    fs::rename(env.at(gone), env.at(file)).unwrap();
    assert!(env.run(&["list"]).ended(0).err.is_empty());
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
    let mut random = Random::new(6);
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

/// A link that leads to itself stands for a folder that nobody can write, not even the superuser.
#[test]
fn where_the_cache_cannot_be_written_a_skill_is_used_from_a_private_folder() {
    use std::os::unix::fs::PermissionsExt;
    let env = shop(None);
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "See notes.md.\n");
    env.write("tmp/pdf/notes.md", "Notes.\n");
    env.run(&["project", "put", "pdf", "--from", &env.text("tmp/pdf")]).ended(0);
    let _ = fs::remove_dir_all(env.at("home/.cache"));
    env.link("home/.cache", "home/.cache");
    let dir = rows(&env, &[])[0]["dir"].as_str().unwrap().to_owned();
    assert!(dir.starts_with(&env.text("tmp")) && !fs::exists(&dir).unwrap(), "{dir}");
    let loaded = env.run(&["load", "pdf"]).ended(0);
    assert!(loaded.out().contains("See notes.md.") && loaded.out().contains(&dir), "{loaded:?}");
    assert_eq!(env.run(&["read", "pdf", "notes.md"]).ended(0).out(), "Notes.\n");
    // Others could put something else there.
    let private = env.at("tmp").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let private = private.into_iter().find(|path| dir.starts_with(path.to_str().unwrap()));
    let open = fs::Permissions::from_mode(0o777);
    fs::set_permissions(private.unwrap(), open).unwrap();
    let refused = env.run(&["load", "pdf"]).ended(2);
    assert!(refused.err.contains("could not be written to the cache folder"), "{refused:?}");
}

/// That the store is away is said only if it is.
#[test]
fn why_the_files_of_a_stored_skill_are_not_there_is_said() {
    let env = shop(None);
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "See notes.md.\n");
    env.write("tmp/pdf/notes.md", "Notes.\n");
    env.run(&["project", "put", "pdf", "--from", &env.text("tmp/pdf")]).ended(0);
    let dir = rows(&env, &[])[0]["dir"].as_str().unwrap().to_owned();
    let read = || env.run(&["read", "pdf", "notes.md"]);
    // A file stands where the folder of the version should be.
    let folder = std::path::Path::new(&dir).parent().unwrap();
    fs::write(folder, "").unwrap();
    let refused = read();
    assert!(refused.code != 0 && refused.err.contains("could not be written"), "{refused:?}");
    fs::remove_file(folder).unwrap();
    let store = rusqlite::Connection::open(env.at("home/.local/state/skillpick/store/skills.db"));
    let store = store.unwrap();
    for path in ["other.md", ".git/config"] {
        store.execute("UPDATE version_files SET path = ?1", [path]).unwrap();
        let refused = read();
        assert!(
            refused.code != 0 && refused.err.contains("somebody has altered it"),
            "{refused:?}"
        );
        assert!(!fs::exists(&dir).unwrap());
    }
    store.execute("UPDATE version_files SET path = 'notes.md'", []).unwrap();
    assert_eq!(read().ended(0).out(), "Notes.\n");
}
