//! `load`, `unload`, `session`, `read`, `prompt`, `approve`.

use super::{SKILL, house, with_body};
use crate::support::House;
use serde_json::json;
use std::process::Stdio;

#[test]
fn rem_12_the_conformance_skill_is_loaded_and_read_to_its_markers() {
    let house = house();
    let ran = house.run(&["load", SKILL]).ended(0);
    let block = ran.out();
    assert!(
        block.contains("MARKER-BODY-7f3a") && block.contains("references/REFERENCE.md</file>"),
        "{block}"
    );
    assert!(!block.contains("MARKER-REFERENCE"), "files are not read before they are asked for");
    assert_eq!(
        house.run(&["read", SKILL, "references/REFERENCE.md"]).ended(0).out(),
        "MARKER-REFERENCE-91bc\n"
    );
    let asset = house.json("read", &["read", SKILL, "assets/data.json", "--json"]);
    assert_eq!(
        (&asset["media_type"], &asset["encoding"]),
        (&json!("application/json"), &json!("text"))
    );
    assert!(asset["content"].as_str().unwrap().contains("MARKER-ASSET-c04d"));
    let bytes =
        house.json("read", &["read", SKILL, "assets/data.json", "--encoding", "binary", "--json"]);
    assert_eq!((&bytes["content"], bytes["content_b64"].is_string()), (&json!(null), true));
}

#[cfg(unix)]
#[test]
fn rem_7_2_no_path_leads_out_of_the_skill() {
    let house = house();
    house.write("repo/secret", "hidden");
    let dir = house.at(&format!("repo/.agents/skills/{SKILL}"));
    std::os::unix::fs::symlink(house.at("repo/secret"), dir.join("out.md")).unwrap();
    std::os::unix::fs::symlink("../../..", dir.join("up")).unwrap();
    let absolute = house.text("repo/secret");
    for path in [
        absolute.as_str(),
        "../../../secret",
        "references/../../../../secret",
        "out.md",
        "up/secret",
        "nothing",
        "references",
    ] {
        let ran = house.run(&["read", SKILL, path]);
        assert!(ran.code != 0 && ran.out().is_empty(), "{path}: {ran:?}");
    }
}

#[test]
fn run_3_instructions_change_from_call_to_call_and_old_ones_do_not_persist() {
    let house = House::new();
    with_body(&house, "a", "Body of a.\n");
    with_body(&house, "b", "Body of b.\n");
    let instructions = |name: &str| {
        let text = house.run(&["load", name, "--session", "chat", "--as", "instructions"]).ended(0);
        assert!(!text.out().contains("Body of"), "messages do not carry it");
        house.run(&["session", "chat", "--instructions"]).ended(0).out().to_owned()
    };
    assert!(instructions("a").contains("Body of a."));
    let next = instructions("b");
    assert!(next.contains("Body of b.") && !next.contains("Body of a."), "{next}");
}

#[test]
fn run_8b_a_receipt_has_place_digest_and_properties() {
    let house = house();
    let load = ["load", SKILL, "--session", "chat", "--as", "instructions", "--json"];
    let receipt = house.json("load", &load);
    let (loaded, active) = (&receipt["loaded"][0], &receipt["session"]["active"][0]);
    assert_eq!((&loaded["kind"], &loaded["body"]), (&json!("instructions"), &json!(null)));
    assert!(
        loaded["digest"].as_str().unwrap().starts_with("sha256:")
            && loaded["digest"] == active["digest"]
    );
    assert_eq!(loaded["properties"]["allowed_tools"], json!(["Bash(*)", "Read"]));
    assert_eq!(loaded["repo_dir"], format!(".agents/skills/{SKILL}"));
    assert_eq!(active["dir"], house.text(&format!("repo/.agents/skills/{SKILL}")));
    let next = house.json("session", &["session", "chat", "--json"]);
    assert!(
        next["instructions"].as_str().unwrap().contains("MARKER-BODY-7f3a"),
        "from the next call on"
    );
    house.run(&["unload", "--all", "--session", "chat"]).ended(0);
    let after = house.json("session", &["session", "chat", "--json"]);
    assert_eq!((&after["instructions"], &after["session"]["current"]), (&json!(""), &json!(null)));
}

#[test]
fn aab_8_and_8c_name_directory_and_content_or_an_error() {
    let house = house();
    house.skill("home/.agents/skills", "own", "Mine.");
    let loaded = house.json("load", &["load", SKILL, "own", "--json"])["loaded"].clone();
    assert!(loaded[0]["body"].as_str().unwrap().starts_with("# Skills system validation"));
    assert_eq!(loaded[0]["repo_dir"], format!(".agents/skills/{SKILL}"));
    assert_eq!(loaded[1]["repo_dir"], json!(null), "outside of the repository there is none");
    let ran = house.run(&["load", "skill-system-validation"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains("did you mean"), "{ran:?}");
}

#[test]
fn processes_resume_a_conversation_and_lose_nothing_of_it() {
    let house = House::new();
    for name in ["a", "b", "c", "d"] {
        with_body(&house, name, &format!("Body of {name}.\n"));
    }
    let children: Vec<_> = ["a", "b", "c", "d"]
        .map(|name| {
            house
                .command(&["load", name, "--session", "chat"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .into_iter()
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let session = house.json("session", &["session", "chat", "--json"]);
    let mut names: Vec<_> = session["session"]["active"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert!(
        house.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("already loaded")
    );
    assert!(
        house
            .run(&["load", "a", "--session", "chat", "--strict"])
            .ended(1)
            .err
            .contains("already active")
    );
    house.run(&["session", "chat", "--compacted"]).ended(0);
    assert!(house.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("Body of a."));
    with_body(&house, "b", "New.\n");
    std::fs::remove_dir_all(house.at("repo/.agents/skills/c")).unwrap();
    let ran = house.run(&["session", "chat"]).ended(0);
    assert!(ran.out().contains("b  updated  ") && ran.out().contains("c  missing  "), "{ran:?}");
    house.settings("[skills.session]\nmax_active = 4\n");
    with_body(&house, "e", "x");
    assert!(house.run(&["load", "e", "--session", "chat"]).ended(1).err.contains("at most 4"));
    house.run(&["session", "unknown"]).ended(1);
}

#[test]
fn run_9_unload_takes_what_load_takes_and_tells_what_is_not_loaded() {
    let house = House::new();
    with_body(&house, "a", "Body of a.\n");
    house.run(&["load", "a", "--session", "chat"]).ended(0);
    let ran = house.run(&["unload", "nothing", ".agents/skills/b", "--session", "chat"]).ended(0);
    assert_eq!(
        ran.err,
        "skillpick: not loaded here: nothing\nskillpick: not loaded here: .agents/skills/b\n"
    );
    for spelling in [".agents/skills/a", "./.agents/skills/a/SKILL.md", "$a", "a"] {
        house.run(&["load", "a", "--session", "chat"]).ended(0);
        let ran = house.run(&["unload", spelling, "--session", "chat"]).ended(0);
        assert_eq!(ran.err, "skillpick: unloaded: a\n", "{spelling}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn cod_6_3_a_text_that_could_not_be_written_is_not_taken_for_told() {
    let house = House::new();
    with_body(&house, "a", "Body of a.\n");
    for more in [&["--json"][..], &[]] {
        let load = [&["load", "a", "--session", "chat"], more].concat();
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = house.command(&load).stdout(full).stderr(Stdio::null()).status().unwrap();
        assert_eq!(ended.code(), Some(2));
    }
    assert!(house.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("Body of a."));
    assert!(
        house.run(&["load", "a", "--session", "chat"]).ended(0).out().contains("already loaded")
    );
}

#[test]
fn run_10_in_instructions_mode_the_newest_is_read_and_nothing_without_one() {
    let house = house();
    let read = ["read", "references/REFERENCE.md", "--session", "chat"];
    assert!(house.run(&read).ended(1).err.contains("no skill is active"));
    house.run(&["load", SKILL, "--session", "chat", "--as", "instructions"]).ended(0);
    assert_eq!(house.run(&read).ended(0).out(), "MARKER-REFERENCE-91bc\n");
    house.run(&["read", "references/REFERENCE.md"]).ended(2);
}

#[test]
fn hidden_text_is_refused_shown_with_marks_approved_and_then_exact() {
    let house = House::new();
    with_body(&house, "sly", "Do it.\u{e0041}\u{202e}now\n");
    let ran = house.run(&["load", "sly"]).ended(1);
    ran.is_inert();
    assert!(
        ran.out().is_empty() && ran.err.contains("1 bidi control, 1 tag character;"),
        "{ran:?}"
    );
    let ran = house.run(&["approve", "sly"]).ended(1);
    ran.is_inert();
    assert!(
        ran.err.contains("5: Do it.<U+E0041><U+202E>now") && ran.err.contains("not approved"),
        "{ran:?}"
    );
    house.run(&["load", "sly"]).ended(1);
    house.run(&["approve", "sly", "--yes"]).ended(0);
    let ran = house.run(&["load", "sly"]).ended(0);
    assert!(ran.out().contains("Do it.\u{e0041}\u{202e}now\n"), "{ran:?}");
    assert!(ran.err.contains("2 hidden or control characters"), "{ran:?}");
    with_body(&house, "sly", "Do it.\u{e0041}\u{202e}now!\n");
    house.run(&["load", "sly"]).ended(1);
}

/// One joiner between Latin letters, an escape sequence, an overprinted line: each alone.
#[test]
fn spread_and_overprinted_text_is_told_before_a_load_refuses_it_and_no_more_once_approved() {
    let house = House::new();
    for (body, line) in [
        ("a\nplain\u{200d}text\n", 6),
        ("x\u{e0141}y\n", 5),
        ("\u{1b}[8mhidden\u{1b}[0m\n", 5),
        ("rm -rf /\rls\n", 5),
        ("bad\u{8}\u{8}\u{8}good\n", 5),
    ] {
        with_body(&house, "sly", body);
        house.run(&["load", "sly"]).ended(1);
        for command in
            [&["check", "--json"][..], &["list", "--json"], &["check", "--strict", "--json"]]
        {
            let row = &house.json(command[0], command)["skills"][0]["diagnostics"][0];
            assert_eq!(
                (&row["code"], &row["line"]),
                (&json!("hidden-text"), &json!(line)),
                "{row}"
            );
            assert_eq!(row["severity"], "warning");
            assert!(row["help"].as_str().unwrap().contains("skillpick approve"), "{row}");
        }
        let shown = house.run(&["show", "sly"]).ended(0);
        shown.is_inert();
        assert!(shown.out().contains("hidden-text"), "{shown:?}");
        house.run(&["check", "--strict"]).ended(1);
        house.run(&["approve", "sly", "--yes"]).ended(0);
        house.run(&["load", "sly"]).ended(0);
        let strict = house.run(&["check", "--strict"]).ended(0);
        assert!(!strict.out().contains("hidden-text"), "{strict:?}");
    }
}

#[test]
fn approve_shows_all_that_is_hidden_however_far_and_however_much() {
    let house = House::new();
    let many = "plain words\n".repeat(60) + &"x\u{202e}secret\n".repeat(100);
    for (body, shown) in [
        (format!("{}\u{202e}secret\n", "z".repeat(5_000)), "z<U+202E>secret"),
        (format!("x\n{}later\n", "\n".repeat(3_000)), "3006: later"),
        (format!("ok{}rm -rf\n", " ".repeat(250)), "5: ok<250 blanks>rm -rf"),
        (many, "164: x<U+202E>secret"),
    ] {
        with_body(&house, "far", &body);
        let ran = house.run(&["approve", "far"]).ended(1);
        ran.is_inert();
        assert!(ran.err.contains(shown), "{shown}: {ran:?}");
    }
}

#[test]
fn cod_8_1_a_denied_skill_is_not_loaded_by_any_spelling_and_an_asked_one_by_yes() {
    let house = house();
    house.skill("repo/.agents/skills", "harmless", "x");
    house.settings(&format!(
        "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"{SKILL}\"\n"
    ));
    let dir = house.text(&format!("repo/.agents/skills/{SKILL}"));
    for argument in [
        SKILL.to_owned(),
        dir.clone(),
        format!("{dir}/./SKILL.md"),
        format!("[$harmless]({dir}/SKILL.md)"),
    ] {
        let ran = house.run(&["load", "--yes", &argument]).ended(1);
        assert!(
            ran.out().is_empty() && ran.err.contains("denied") && ran.err.contains("config.toml:2"),
            "{ran:?}"
        );
        house.run(&["read", &argument, "references/REFERENCE.md", "--yes"]).ended(1);
    }
    house.settings(&format!(
        "[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"{SKILL}\"\n"
    ));
    assert!(house.run(&["load", SKILL]).ended(1).err.contains("--yes"));
    house.run(&["load", SKILL, "--yes"]).ended(0);
}

#[test]
fn two_skills_of_one_name_need_a_path_to_be_loaded() {
    let house = House::new();
    house.fixture("shadowed/repo", "repo/.agents/skills");
    house.fixture("shadowed/user", "home/.agents/skills");
    let ran = house.run(&["load", "deploy"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains("2 skills are named"), "{ran:?}");
    let path = house.text("home/.agents/skills/deploy/SKILL.md");
    assert_eq!(house.json("load", &["load", &path, "--json"])["loaded"][0]["path"], path);
    let prompt = house.json("prompt", &["prompt", "--format", "codelia", "--json"]);
    assert_eq!(prompt["included"].as_array().unwrap().len(), 2, "both are listed");
    // A look-alike is another name: it is never taken for the other.
    house.skill("repo/.agents/skills", "dерloy", "With Cyrillic letters.");
    assert!(house.run(&["load", "dерloy"]).ended(0).out().contains("With Cyrillic letters."));
    assert!(house.run(&["load", "deploy"]).ended(1).err.contains("2 skills are named"));
}

#[test]
fn cod_13_the_acceptance_of_the_whole_by_commands() {
    let house = House::new();
    house.skill("repo/.agents/skills", "release-notes", "Writes notes.");
    house.skill("repo/crates/core/.agents/skills", "publish", "Publishes a release.");
    let user = house.skill("home/.agents/skills", "release-notes", "Mine.");
    let core = house.text("repo/crates/core");
    fn in_folder<'a>(folder: &'a str, words: &[&'a str]) -> Vec<&'a str> {
        [&["-C", folder], words].concat()
    }
    let names = |json: &serde_json::Value| {
        let rows = json["skills"]
            .as_array()
            .or(json["results"].as_array())
            .unwrap_or_else(|| panic!("{json}"));
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let listed = names(&house.json("list", &in_folder(&core, &["list", "--json"])));
    assert_eq!(
        (listed.len(), listed.contains(&"publish".to_owned())),
        (3, true),
        "the repository's chain and the person's"
    );
    let found = names(&house.json("search", &in_folder(&core, &["search", "release", "--json"])));
    assert_eq!(found.len(), 3, "by name and by description: {found:?}");
    assert_eq!(
        house.fails(&in_folder(&core, &["load", "release-notes", "--json"]))["error"]["code"],
        "ambiguous"
    );
    let load = in_folder(&core, &["load", user.to_str().unwrap(), "--session", "chat"]);
    let first = house.run(&load).ended(0);
    assert!(
        first.out().contains("description: Mine.")
            && first.out().contains("Base directory: file://"),
        "{first:?}"
    );
    assert!(house.run(&load).ended(0).out().contains("already loaded"));
    // After a compaction the conversation still knows what was loaded, and gives it again.
    let session =
        house.json("session", &in_folder(&core, &["session", "chat", "--compacted", "--json"]));
    assert_eq!(session["session"]["active"][0]["name"], "release-notes");
    assert!(house.run(&load).ended(0).out().contains("description: Mine."));
}

#[test]
fn kod_6_off_means_no_catalog_and_no_load() {
    let house = house();
    assert!(
        house.run(&["load", SKILL, "--no-skills"]).ended(1).err.contains("skills are disabled")
    );
    let ran = house.run(&["prompt", "--format", "markdown", "--no-skills"]).ended(0);
    assert_eq!(ran.out(), "Skills are currently not available.\n");
}

#[test]
fn what_fell_out_of_the_catalog_is_told() {
    let house = House::new();
    (10..40).for_each(|number| {
        house.skill("repo/.agents/skills", &format!("s{number}"), &"word ".repeat(40));
    });
    let ran = house.run(&["prompt", "--max-bytes", "4000"]).ended(0);
    ran.is_inert();
    assert!(
        ran.out().len() <= 4_001 && ran.err.contains("descriptions are shortened to"),
        "{ran:?}"
    );
    assert!(ran.err.contains("skills are left out:\n  s"), "{ran:?}");
    let json =
        house.json("prompt", &["prompt", "--max-entries", "3", "--format", "codex", "--json"]);
    assert_eq!((json["dropped"].as_array().unwrap().len(), &json["truncated"]), (27, &json!(true)));
    assert_eq!(json["dropped"][0]["limit"], "entries");
    house.settings("[skills.initial]\nmax_entries = 2\n");
    let json = house.json("prompt", &["prompt", "--json"]);
    assert_eq!(json["included"].as_array().unwrap().len(), 2);
    // A repository shows no more than the host does, nor than the person wants.
    house.write("repo/.skillpick.toml", "version = 1\n[skills.initial]\nmax_entries = 120\n");
    assert_eq!(house.json("prompt", &["prompt", "--json"])["limits"]["entries"], 2);
    house.settings("");
    let limits = |host: &str| {
        house.json("prompt", &["prompt", "--host", host, "--json"])["limits"]["entries"].clone()
    };
    assert_eq!([limits("spec0027"), limits("agents")], [json!(50), json!(120)]);
}

#[test]
fn cod_6_1_what_is_off_denied_or_broken_is_in_no_form_of_the_catalog() {
    let house = House::new();
    for name in ["fine", "denied", "off"] {
        house.skill("repo/.agents/skills", name, "x");
        house.skill("repo/.claude/skills", name, "x");
    }
    house.write("repo/.agents/skills/broken/SKILL.md", "no frontmatter");
    let rule = "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"denied\"\n";
    house.settings(&format!("{rule}[[skills.config]]\nname = \"off\"\nenabled = false\n"));
    // Claude Code lists what it denies; a model that is told of it can only ask in vain.
    let claude =
        r#"{"permissions": {"deny": ["Skill(denied)"]}, "skillOverrides": {"off": "off"}}"#;
    house.write("home/.claude/settings.json", claude);
    for host in ["agents", "claude"] {
        for form in ["agentskills", "codelia", "json", "markdown", "codex"] {
            let ran = house.run(&["prompt", "--host", host, "--format", form]).ended(0);
            assert!(ran.out().contains("fine"), "{host} {form}: {ran:?}");
            for absent in ["denied", "off/", "broken"] {
                assert!(!ran.out().contains(absent), "{host} {form} {absent}: {ran:?}");
            }
        }
        let json = house.json("prompt", &["prompt", "--host", host, "--json"]);
        assert_eq!(
            (json["included"].as_array().unwrap().len(), json["dropped"].as_array().unwrap().len()),
            (1, 0)
        );
    }
}

/// CallKind, skill and error word of each call in the log, oldest first.
fn log(house: &House) -> Vec<(String, String, String)> {
    let calls = house.calls();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let row = |call: &serde_json::Value| {
        (word(&call["deed"]), word(&call["skill"]), word(&call["error"]))
    };
    calls.iter().rev().map(row).collect()
}

fn load_row(name: &str, error: &str) -> (String, String, String) {
    ("load".to_owned(), name.to_owned(), error.to_owned())
}

#[test]
fn kod_7c_and_rem_9_a_load_that_a_conversation_refuses_is_logged_as_refused() {
    let house = House::new();
    let names: Vec<String> = (0..9).map(|number| format!("s{number}")).collect();
    names.iter().for_each(|name| with_body(&house, name, "x"));
    let load = |names: &[String], more: &[&str]| {
        let names = names.iter().map(String::as_str);
        house.run(
            &["load", "--session", "chat"]
                .into_iter()
                .chain(names)
                .chain(more.iter().copied())
                .collect::<Vec<_>>(),
        )
    };
    load(&names[..8], &[]).ended(0);
    let mut expected: Vec<_> = names[..8].iter().map(|name| load_row(name, "")).collect();
    assert_eq!(log(&house), expected);
    load(&names[8..], &[]).ended(1);
    load(&names[..1], &["--strict"]).ended(1);
    load(&names[7..], &["--strict"]).ended(1);
    expected.push(load_row("s8", "too_many"));
    expected.push(load_row("s0", "already_active"));
    // All or none: of what is refused together nothing was loaded.
    expected.extend(["s7", "s8"].map(|name| load_row(name, "already_active")));
    assert_eq!(log(&house), expected);
    // A conversation's own id may be no id.
    house.run(&["load", "s0", "--session", ""]).ended(2);
    expected.push(load_row("s0", "session_id"));
    assert_eq!(log(&house), expected);
    // Without a conversation nothing refuses.
    house.run(&["load", "s0"]).ended(0);
    expected.push(load_row("s0", ""));
    assert_eq!(log(&house), expected);
}

#[test]
fn run_9_to_unload_from_an_unknown_conversation_begins_none() {
    let house = house();
    for arguments in [[SKILL].as_slice(), &["--all"], &["--all", "--json"]] {
        let ran =
            house.run(&[["unload", "--session", "nobody"].as_slice(), arguments].concat()).ended(1);
        let told = format!("{}{}", ran.out(), ran.err);
        assert!(told.contains("no conversation is known as `nobody`"), "{ran:?}");
    }
    assert!(!house.at("home/.local/state/skillpick/sessions").exists());
    house.run(&["session", "nobody"]).ended(1);
    house.run(&["load", SKILL, "--session", "chat"]).ended(0);
    house.run(&["unload", "absent", "--session", "chat"]).ended(0);
    assert_eq!(log(&house), [load_row(SKILL, "")]);
}

#[test]
fn run_8_a_skill_that_is_named_twice_is_loaded_once() {
    for session in [&[][..], &["--session", "chat"]] {
        let house = house();
        let path = house.text(&format!("repo/.agents/skills/{SKILL}"));
        let words: Vec<&str> =
            ["load", SKILL, &path, SKILL].into_iter().chain(session.iter().copied()).collect();
        assert_eq!(house.run(&words).ended(0).out().matches("MARKER-BODY-7f3a").count(), 1);
        assert_eq!(log(&house), [load_row(SKILL, "")]);
    }
}
