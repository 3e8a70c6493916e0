//! Skills of one name, and of names that look like one.

use crate::env::TestEnv;
use serde_json::Value;

/// A skill: its folder below the environment, and its `name` as YAML.
type Skill = (&'static str, &'static str);

/// Skills that have one name as it is drawn.
const SAME: &[&[Skill]] = &[
    &[("repo/.agents/skills/x", "x"), ("home/.agents/skills/x", "x")],
    &[("repo/.agents/skills/a/x", "x"), ("repo/.agents/skills/b/x", "x")],
    &[("repo/.agents/skills/x", "x"), ("repo/.agents/skills/y", "x")],
    &[("repo/.agents/skills/x", "x"), ("repo/.agents/skills/x/x", "x")],
    &[("repo/.agents/skills/x", "x"), ("home/.agents/skills/x", "'x '")],
    &[("repo/.agents/skills/x", "x"), ("home/.agents/skills/x", "\"\\xa0x\"")],
    &[("repo/.agents/skills/x", "x"), ("home/.agents/skills/x", "|\n  x")],
    &[("repo/.agents/skills/1", "caf\u{e9}"), ("home/.agents/skills/2", "cafe\u{301}")],
    &[
        ("repo/.agents/skills/x", "x"),
        ("home/.agents/skills/x", "x"),
        ("home/.agents/skills/y", "x"),
    ],
];

/// Two that have names which look alike.
const ALIKE: &[[&str; 2]] = &[
    ["deploy", "d\u{435}\u{440}loy"],
    ["copy", "\u{441}\u{43e}\u{440}\u{443}"],
    ["deploy", "dep1oy"],
    ["tools", "t00ls"],
    ["modern", "modem"],
    ["web", "vveb"],
    ["pdf-forms", "pdf_forms"],
    ["pdf-forms", "pdf\u{2011}forms"],
    ["pdf", "PDF"],
    ["pdf", "\u{ff50}\u{ff44}\u{ff46}"],
    ["pdf", "p\u{200b}df"],
    ["files", "\u{fb01}les"],
];

fn write(env: &TestEnv, (folder, name): Skill) -> String {
    let path = format!("{folder}/SKILL.md");
    env.write(&path, format!("---\nname: {name}\ndescription: In {folder}.\n---\n"));
    env.text(&path)
}

fn listed(env: &TestEnv) -> Vec<Value> {
    env.json("list", &["list", "--json"])["skills"].as_array().unwrap().clone()
}

fn loads_itself(env: &TestEnv, paths: &[String]) {
    for path in paths {
        // An odd space in a name hides something, also as an escape.
        env.run(&["approve", path, "--yes"]).ended(0);
        assert_eq!(env.json("load", &["load", path, "--json"])["loaded"][0]["path"], **path);
    }
}

#[test]
fn skills_of_one_name_are_listed_flagged_and_loaded_by_path_only() {
    for skills in SAME {
        let env = TestEnv::new();
        let paths: Vec<String> = skills.iter().map(|skill| write(&env, *skill)).collect();
        let rows = listed(&env);
        assert_eq!(rows.len(), skills.len(), "{skills:?}");
        let flagged = |row: &Value| row["same_name"] == skills.len() || alike(row);
        assert!(rows.iter().all(flagged), "{skills:?}: {rows:?}");
        let name = if skills[0].1 == "x" { "x" } else { skills[0].1 };
        // `$` is for names in plain letters.
        let mention = if name.is_ascii() { "$" } else { "" };
        for argument in [name.to_owned(), format!("{mention}{name}"), format!(" {name} ")] {
            let error = env.fails(&["load", &argument, "--yes", "--json"]);
            assert_eq!(error["error"]["code"], "ambiguous", "{skills:?} {argument}");
            assert_eq!(error["error"]["details"].as_array().unwrap().len(), skills.len());
        }
        loads_itself(&env, &paths);
    }
}

#[test]
fn look_alikes_are_listed_flagged_and_never_confused() {
    assert!(SAME.len() + ALIKE.len() >= 20);
    for names in ALIKE {
        let env = TestEnv::new();
        let folders = ["repo/.agents/skills/one", "home/.agents/skills/two"];
        let paths: Vec<String> = folders
            .into_iter()
            .zip(names)
            .map(|(folder, name)| write(&env, (folder, name)))
            .collect();
        let rows = listed(&env);
        assert!(rows.len() == 2 && rows.iter().all(alike), "{names:?}: {rows:?}");
        for (name, path) in names.iter().zip(&paths) {
            // Where the name hides a character, a person must have approved it.
            env.run(&["approve", path, "--yes"]).ended(0);
            assert_eq!(
                env.json("load", &["load", name, "--json"])["loaded"][0]["path"],
                **path,
                "{name}"
            );
        }
        loads_itself(&env, &paths);
        let check = env.run(&["check"]);
        check.is_inert();
        assert_eq!(check.out().matches("name-look-alike").count(), 2, "{check:?}");
        let show = env.json("show", &["show", &paths[0], "--json"]);
        assert!(alike(&show["skill"]));
    }
}

fn alike(row: &Value) -> bool {
    row["diagnostics"].as_array().unwrap().iter().any(|found| found["code"] == "name-look-alike")
}
