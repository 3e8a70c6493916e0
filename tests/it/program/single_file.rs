//! Skills that are a Markdown file without a folder of its own, as pi and Kimi Code take them.

use crate::env::TestEnv;

const FILE: &str = "repo/.pi/skills/notes.md";

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write(FILE, "---\nname: notes\ndescription: Takes notes.\n---\nA quokka; see beside.txt.\n");
    env.write("repo/.pi/skills/beside.txt", "beside");
    env.write("repo/.pi/skills/group/deeper.md", "---\nname: deeper\ndescription: d\n---\n");
    env
}

#[test]
fn an_agent_that_takes_it_lists_it_and_no_other_does() {
    let env = env();
    let listed = |host: &str| {
        let ran = env.run(&["-f", "", "--format", "path", "--host", host]);
        ran.out().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed("pi"), [env.text(FILE)]);
    for host in ["agents", "claude", "codex", "kimi-code-cli"] {
        assert!(listed(host).is_empty(), "{host}");
    }
    let found = env.run(&["-f", "quokka", "--format", "name", "--host", "pi"]).ended(0);
    assert_eq!(found.out(), "notes\n", "its body is searched");
}

#[test]
fn nothing_beside_it_belongs_to_it() {
    let env = env();
    let loaded = env.run(&["load", "notes", "--host", "pi"]).ended(0);
    assert!(loaded.out().contains("A quokka") && !loaded.out().contains("beside.txt</file>"));
    assert!(!loaded.out().contains("Base directory"));
    let read = |file: &str| env.run(&["read", "notes", file, "--host", "pi"]);
    assert!(read("notes.md").ended(0).out().contains("A quokka"));
    let whole = env.text(FILE);
    assert!(read(&whole).ended(0).out().contains("A quokka"));
    for file in ["beside.txt", "./beside.txt", "group/deeper.md", "../skills/beside.txt"] {
        assert!(!read(file).err.is_empty() && read(file).out().is_empty(), "{file}");
    }
    let files = env.run(&["show", "notes", "--tree", "--host", "pi"]).ended(0);
    assert!(!files.out().contains("beside"), "{}", files.out());
    let run = env.run(&["run", "notes", "beside.txt", "--host", "pi"]);
    assert_ne!(run.code, Some(0));
}

#[test]
fn it_is_switched_by_its_path_and_every_byte_comes_back() {
    let env = env();
    let settings = "{\n  // kept\n  \"theme\": \"dark\"\n}\n".replace("  // kept\n", "");
    env.write("repo/.pi/settings.json", &settings);
    env.run(&["disable", "notes", "--host", "pi"]).ended(0);
    let written = std::fs::read_to_string(env.at("repo/.pi/settings.json")).unwrap();
    assert!(written.contains("\"-skills/notes.md\""), "{written}");
    env.run(&["undo"]).ended(0);
    assert_eq!(std::fs::read_to_string(env.at("repo/.pi/settings.json")).unwrap(), settings);
}

#[test]
fn a_link_in_its_place_shows_nothing_of_another_file() {
    let env = env();
    env.write("home/secret", "SECRET=one\n");
    env.write("home/notes.md", "---\nname: n\ndescription: SECRET\n---\n");
    env.link(&env.text("home/secret"), "repo/.pi/skills/one.md");
    env.link(&env.text("home/notes.md"), "repo/.pi/skills/two.md");
    for command in [&["check", "--host", "pi"][..], &["list", "--json", "--host", "pi"]] {
        let ran = env.run(command);
        assert!(!ran.out().contains("SECRET") && !ran.err.contains("SECRET"), "{}", ran.out());
        assert!(ran.out().contains("two.md"), "{}", ran.out());
    }
}

#[test]
fn it_is_neither_shared_nor_mended() {
    let env = env();
    let shared = env.run(&["share", "notes", "--to", "claude", "--host", "pi"]);
    assert!(shared.err.contains("it is a single file"), "{}", shared.err);
    env.write(FILE, "---\nname: Notes\ndescription: Takes notes: all of them\n---\n");
    let before = std::fs::read(env.at(FILE)).unwrap();
    let mended = env.run(&["check", "--fix", "--host", "pi"]);
    assert!(mended.err.contains("it is a single file"), "{}", mended.err);
    assert_eq!(std::fs::read(env.at(FILE)).unwrap(), before);
}
