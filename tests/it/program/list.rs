//! `list`.

use crate::env::TestEnv;
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

#[test]
fn the_table_is_aligned_and_has_a_sign_for_every_state() {
    let env = TestEnv::furnished();
    env.fixture("invalid", "home/.agents/skills");
    env.settings("[[skills.config]]\nname = \"release-notes\"\nenabled = false\n");
    let ran = env.run(&["list"]).ended(0);
    ran.is_inert();
    let expected = "\
✓ pdf-forms       repo    Fill in PDF forms and read what they hold. Use when a person asks for a f…
○ release-notes   repo    Write release notes from the commits since the last tag: what changed, fo…
✓ Capital_Name    user    Its name has capitals and an underscore.
✗ no-description  user    there is no description
✗ not-yaml        user    the frontmatter is not made of `key: value` pairs
";
    let shown: Vec<&str> =
        ran.out().lines().map(|line| line.split("  user    the front").next().unwrap()).collect();
    let wanted: Vec<&str> =
        expected.lines().map(|line| line.split("  user    the front").next().unwrap()).collect();
    assert_eq!(shown, wanted);
    let ascii = env.run(&["list", "--ascii", "--scope", "user"]).ended(0);
    assert!(ascii.out().starts_with("+ Capital_Name    user"), "{ascii:?}");
    assert_eq!(ascii.out().lines().count(), 3);
}

#[test]
fn cod_4_1_a_skill_in_json_has_every_field_of_the_contract() {
    let env = TestEnv::furnished();
    let list = env.json("list", &["list", "--json"]);
    assert_eq!((&list["version"], &list["host"]), (&json!(1), &json!("agents")));
    assert!(list.as_object().unwrap().keys().next().is_some_and(|first| first == "version"));
    let skill = &list["skills"][0];
    let path = env.text("repo/.agents/skills/pdf-forms/SKILL.md");
    let id: String =
        Sha256::digest(&path).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    for (key, value) in [
        ("id", json!(id)),
        ("name", json!("pdf-forms")),
        ("path", json!(path)),
        ("dir", json!(env.text("repo/.agents/skills/pdf-forms"))),
        ("file", json!("SKILL.md")),
        ("locations", json!([env.text("repo/.agents/skills/pdf-forms")])),
        ("scope", json!("repo")),
        ("root", json!(env.text("repo/.agents/skills"))),
        ("enabled", json!(true)),
        ("permission", json!("allow")),
        ("shadowed_by", json!(null)),
        ("same_name", json!(1)),
        ("diagnostics", json!([])),
        ("license", json!("Apache-2.0")),
        ("compatibility", json!("needs python3")),
        ("metadata", json!({ "author": "skillpick", "tags": "office, documents" })),
        ("allowed_tools", json!(["Bash(python:*)", "Read"])),
    ] {
        assert_eq!(skill[key], value, "{key}");
    }
    assert!(skill["mtime_ms"].as_u64().unwrap() > 0 && skill["bytes"].as_u64().unwrap() > 100);
    assert!(skill.get("path_b64").is_none());
}

#[test]
fn cod_5_3d_what_cannot_be_offered_is_in_errors_and_only_there() {
    let env = TestEnv::furnished();
    env.fixture("invalid", "repo/.agents/skills");
    let list = env.json("list", &["list", "--json"]);
    let names = |rows: &str| -> Vec<String> {
        list[rows]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("skills"), ["Capital_Name", "pdf-forms", "release-notes"]);
    assert_eq!(names("errors"), ["no-description", "not-yaml"]);
    let error = &list["errors"][0];
    assert_eq!(error["path"], env.text("repo/.agents/skills/no-description/SKILL.md"));
    assert_eq!(error["message"], "there is no description");
    assert_eq!(error["diagnostics"][0]["code"], "desc-missing");
    let codes: Vec<&str> = list["skills"][0]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"name-case") && codes.contains(&"unexpected-fields"), "{codes:?}");
}

#[test]
fn each_axis_names_who_decided() {
    let env = TestEnv::furnished();
    let file = env.settings(
        "[[skills.config]]\nname = \"pdf-forms\"\nenabled = false\n\n\
         [[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"release-*\"\n",
    );
    let list = env.json("list", &["list", "--json"]);
    let [off, asked] = [&list["skills"][0], &list["skills"][1]];
    assert_eq!((&off["enabled"], &off["permission"]), (&json!(false), &json!("deny")));
    assert_eq!(off["verdict"]["listed"], "no");
    let origin = |kind: &str, line: u32, text: &str| json!({ "kind": kind, "file": file, "line": line, "text": text });
    assert_eq!(off["verdict"]["origin"]["user"]["line"], 2);
    assert_eq!(asked["verdict"]["model"], "ask");
    assert_eq!(
        asked["verdict"]["origin"]["model"],
        origin("rule", 6, "permissions.ask \"release-*\"")
    );
    assert_eq!(asked["verdict"]["origin"]["listed"]["kind"], "default");
}

#[test]
fn no_skills_means_no_scan() {
    let env = TestEnv::furnished();
    let ran = env.run(&["list", "--no-skills"]).ended(0);
    assert_eq!(
        (ran.out(), ran.err.as_str()),
        ("", "skillpick: skills are switched off by --no-skills\n")
    );
    let list = env.json("list", &["--no-skills", "list", "--json"]);
    assert_eq!((&list["skills"], &list["roots"]), (&json!([]), &json!([])));
    // With every host (KOD-8b).
    env.write("home/.claude/settings.json", "{}");
    env.skill("repo/.claude/skills", "other", "Another.");
    for host in ["claude", "all"] {
        assert!(env.run(&["list", "--host", host]).ended(0).out().contains("other"));
        let ran = env.run(&["list", "--host", host, "--no-skills"]).ended(0);
        assert_eq!(
            (ran.out(), ran.err.as_str()),
            ("", "skillpick: skills are switched off by --no-skills\n"),
            "{host}"
        );
        env.run(&["-f", "other", "--host", host, "--no-skills"]).ended(1);
    }
    let off = env.variable("SKILLPICK_SKILLS_ENABLED", "false");
    assert_eq!(off.json("list", &["list", "--json"])["skills"], json!([]));
}

#[test]
fn a_limit_that_is_reached_is_in_the_table_and_in_json() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills/1/2/3/4/5/6/7", "deep", "Too deep");
    env.skill("repo/.agents/skills", "flat", "Found");
    let list = env.json("list", &["list", "--json"]);
    assert_eq!(
        (&list["truncated"], &list["cuts"][0]["limit"], &list["cuts"][0]["value"]),
        (&json!(true), &json!("depth"), &json!(6))
    );
    assert!(env.run(&["list"]).ended(0).out().contains("not searched below the depth of 6"));
    let browsed = env.json("list", &["list", "--json", "--root", ".agents"]);
    assert_eq!(
        (browsed["skills"].as_array().unwrap().len(), &browsed["truncated"], &browsed["cuts"]),
        (2, &json!(false), &json!([]))
    );
}

/// Two limits that are reached in two places: each is told, not only the first.
#[cfg(unix)]
#[test]
fn every_cut_is_in_json_with_its_place_and_its_cure() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills/1/2/3/4/5/6/7", "deep", "Too deep");
    env.skill("home/.agents/skills/1/2/3/4/5/6/7", "deep", "Too deep");
    let far = "far/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20";
    env.skill(far, "linked", "Too far");
    env.link("far", "repo/.agents/skills/out");
    env.link("far/1", "repo/.agents/skills/other");
    for command in [&["list", "--json"][..], &["check", "--json"], &["search", "deep", "--json"]] {
        let document = env.json(command[0], command);
        let cuts = document["cuts"].as_array().unwrap();
        let places: Vec<_> = cuts.iter().map(|cut| cut["path"].as_str().unwrap()).collect();
        let expected = [
            ("depth", "repo/.agents/skills/1/2/3/4/5/6/7"),
            ("depth", "home/.agents/skills/1/2/3/4/5/6/7"),
        ];
        for (limit, place) in expected {
            let is_this = |cut: &&Json| cut["limit"] == limit && cut["path"] == env.text(place);
            let cut = cuts.iter().find(is_this).unwrap_or_else(|| panic!("{place}: {places:?}"));
            let words = [&cut["message"], &cut["help"]].map(|words| words.as_str().unwrap());
            assert!(words[0].contains(place) && words[1].contains("--root"), "{cut}");
        }
    }
}

#[test]
fn an_empty_catalog_names_the_folders_that_were_searched() {
    let env = TestEnv::new();
    let ran = env.run(&["list"]).ended(0);
    assert_eq!(ran.out(), "");
    let expected = format!(
        "skillpick: no skills; these folders were searched:\n  {} (missing)\n  {} (missing)\n",
        env.text("repo/.agents/skills"),
        env.text("home/.agents/skills"),
    );
    assert_eq!(ran.err, expected);
}

/// What the variable names wrongly is told, and no empty list of folders follows.
#[test]
fn where_no_folder_may_be_searched_that_is_said() {
    let env = TestEnv::new();
    let mut command = env.command(&["list", "--host", "spec0027"]);
    let ran = command.env("AGENT_SKILLS_DIRS", "/etc").output().unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].contains("AGENT_SKILLS_DIRS:1: only .agents/skills and"), "{err}");
    assert_eq!(lines[1], "skillpick: no skills: there is no folder to search", "{err}");
}

/// The view of nobody in particular is empty where the skills are one agent's.
#[test]
fn where_an_agent_has_none_the_others_that_have_some_are_named() {
    let env = TestEnv::new();
    for name in ["one", "two"] {
        env.skill("home/.claude/skills", name, "d");
    }
    let said = "skillpick: Claude Code has 2: --host claude\n";
    for command in ["list", "check"] {
        let ran = env.run(&[command]).ended(0);
        assert!(ran.err.ends_with(said), "{ran:?}");
        assert!(!env.run(&[command, "--host", "claude"]).ended(0).err.contains("has 2"));
    }
    env.write("home/.codex/config.toml", "");
    env.skill("home/.codex/skills", "three", "d");
    let ran = env.run(&["list"]).ended(0);
    let said = "Codex has 1, Claude Code has 2; --host all looks through every agent\n";
    assert!(ran.err.ends_with(said), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn of_a_folder_that_is_a_link_to_nothing_it_is_said_where_the_link_leads() {
    let env = TestEnv::new();
    std::fs::create_dir_all(env.at("home/.agents")).unwrap();
    std::os::unix::fs::symlink("../dot/skills", env.at("home/.agents/skills")).unwrap();
    std::os::unix::fs::symlink("dot", env.at("repo/.agents")).unwrap();
    let ran = env.run(&["list"]).ended(0);
    let (repo, home) = (env.text("repo/.agents"), env.text("home/.agents/skills"));
    let said = format!("{home} (missing: it is a link to ../dot/skills)");
    assert!(ran.err.contains(&said), "{ran:?}");
    let said = format!("{repo}/skills (missing: {repo} is a link to dot)");
    assert!(ran.err.contains(&said), "{ran:?}");
}

#[test]
fn cod_5_4_same_names_are_all_there_and_marked() {
    let env = TestEnv::new();
    env.fixture("shadowed/repo", "repo/.agents/skills");
    env.fixture("shadowed/user", "home/.agents/skills");
    let list = env.json("list", &["list", "--json"]);
    let rows: Vec<_> = list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["scope"], &row["same_name"]))
        .collect();
    assert_eq!(rows, [(&json!("repo"), &json!(2)), (&json!("user"), &json!(2))]);
}

#[test]
fn cod_13_the_repositorys_chain_and_the_persons_own_are_listed() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "top", "At the root");
    env.skill("repo/a/.agents/skills", "middle", "On the way");
    env.skill("repo/a/b/.agents/skills", "near", "Where we are");
    env.skill("repo/c/.agents/skills", "aside", "Not on the way");
    env.skill("home/.agents/skills", "own", "The person's");
    std::fs::create_dir_all(env.at("repo/a/b/.agents")).unwrap();
    let list = env.json("list", &["-C", "a/b", "list", "--json"]);
    let names: Vec<_> = list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["middle", "near", "top", "own"]);
    let roots: Vec<_> =
        list["roots"].as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap()).collect();
    let expected = ["repo/a/b", "repo/a", "repo", "home"]
        .map(|place| env.text(&format!("{place}/.agents/skills")));
    assert_eq!(roots, expected);
}

#[test]
fn skills_of_a_browsed_folder_name_their_agents_and_are_picked_by_path() {
    let env = TestEnv::new();
    env.write("home/.claude/settings.json", "{}");
    let path = env.text("far/pdf/SKILL.md");
    env.skill("far", "pdf", "Far away.");
    env.skill("repo/.claude/skills", "own", "Claude's.");
    let seen = |host: &str, root: &str| {
        let list = env.json("list", &["list", "--json", "--host", host, "--root", root]);
        let row = list["skills"][0].clone();
        (row["looks"].as_bool().unwrap(), row["enabled"].as_bool().unwrap(), row["hosts"].clone())
    };
    let far = env.text("far");
    assert_eq!(seen("all", &far), (false, false, json!({})));
    assert_eq!(seen("claude", &far), (false, false, json!(null)));
    assert_eq!(seen("agents", &far), (true, true, json!(null)), "our own commands look there");
    let (looks, enabled, hosts) = seen("all", ".claude/skills");
    assert!(looks && enabled && hosts["claude"]["state"] == "on", "{hosts}");
    assert_eq!(hosts.as_object().unwrap().len(), 1);
    assert!(seen("claude", ".claude/skills").0);
    // Every host, the one of the view included, says that it does not look there.
    for host in ["agents", "claude", "all"] {
        let show = env.json("show", &["show", "pdf", "--json", "--host", host, "--root", &far]);
        let rows = show["seen_by"].as_array().unwrap();
        assert!(rows.len() > 1 && rows.iter().all(|row| row["looks"] == false), "{host}: {show}");
    }
    // A pick prints the path, since no agent knows the name there.
    for host in ["claude", "all"] {
        let ran = env.run(&["mention", "pdf", "--host", host, "--root", &far]).ended(0);
        assert_eq!(ran.out().trim_end(), format!("[$pdf]({path})"), "{host}");
        assert!(ran.err.contains("its path says which file is meant"), "{}", ran.err);
    }
    // An agent's own roots are not browsed folders.
    let hosts = env.json("hosts", &["hosts", "--json", "--root", &far]);
    assert!(!hosts.to_string().contains(&far), "{hosts}");
}

#[test]
fn what_only_other_agents_find_is_listed_as_unseen_with_the_reason() {
    let env = TestEnv::new();
    env.skill("repo/.claude/skills", "notes", "Claude's.");
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    env.write("home/.claude/settings.json", "{}");
    let list = |host: &str| env.json("list", &["list", "--json", "--host", host]);
    let names = |list: &Json, part: &str| -> Vec<String> {
        let rows = list[part].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let agents = list("agents");
    assert_eq!(
        (names(&agents, "skills"), names(&agents, "unseen")),
        (vec!["pdf".to_owned()], vec!["notes".to_owned()])
    );
    let why = agents["unseen"][0]["message"].as_str().unwrap();
    assert!(why.contains("does not look in") && why.ends_with("repo/.claude/skills"), "{why}");
    let claude = list("claude");
    assert_eq!(
        (names(&claude, "skills"), names(&claude, "unseen")),
        (vec!["notes".to_owned()], vec!["pdf".to_owned()])
    );
    let all = list("all");
    assert_eq!((names(&all, "skills").len(), names(&all, "unseen").len()), (2, 0));
    let scoped = env.json("list", &["list", "--json", "--host", "claude", "--scope", "user"]);
    assert!(names(&scoped, "unseen").is_empty(), "{scoped}");
    // The table has them on demand.
    let plain = env.run(&["list", "--host", "claude"]).ended(0);
    assert!(!plain.out().contains("pdf"), "{}", plain.out());
    let with = env.run(&["list", "--host", "claude", "--unseen", "--ascii"]).ended(0);
    with.is_inert();
    assert!(with.out().contains("pdf  Claude Code does not look in"), "{}", with.out());
    // Of a folder of its own that is closed to it an agent says why, since a share would not help.
    env.write("home/.gemini/settings.json", r#"{"security": {"folderTrust": {"enabled": true}}}"#);
    let gemini = env.run(&["list", "--host", "gemini", "--unseen"]).ended(0);
    let why = "repo/.agents/skills: the folder is not trusted";
    assert!(gemini.out().contains(why), "{}", gemini.out());
    let mentioned = env.run(&["mention", "pdf", "--host", "gemini"]).ended(1);
    assert!(mentioned.err.contains(why), "{mentioned:?}");
    assert!(with.out().is_ascii(), "{}", with.out());
}
