//! What is listed: tools with schemas and hints, resources, prompts, the Skills extension, and
//! notices of change.

use super::{Client, NAME, names, validated, validation};
use crate::env::TestEnv;
use crate::program::strace;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

#[test]
fn the_first_answer_waits_for_no_scan() {
    if !strace::works() {
        return;
    }
    let env = validated();
    // Each read of this folder takes three seconds, as on a network that is slow.
    let folder = env.text("repo/.agents/skills");
    let slow = ["-o", "/dev/null", "-e", "trace=getdents64", "-P", &folder];
    let delay = ["-e", "inject=getdents64:delay_enter=3000000"];
    let start = Instant::now();
    let command = strace::command(&env, &["serve", "--structured"], &[&slow[..], &delay].concat());
    let mut client = Client::over(command).begun(json!({}));
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let (listed, _) = client.call("skills_list", json!({}));
    assert_eq!(names(&listed["skills"]), [NAME]);
    assert!(start.elapsed() > Duration::from_secs(3), "the folder was not slow");
}

#[test]
fn cod_7_the_tools_say_what_they_take_and_give() {
    let env = validated();
    let mut client = Client::new(&env, &[]);
    let listed = client.result("tools/list", json!({}));
    let expected = [
        "skill_search",
        "skill_load",
        "skill_unload",
        "skill_read",
        "skills_list",
        "context_inspect",
    ];
    assert_eq!(
        names(&listed["tools"]),
        expected,
        "scripts are off, so that no tool for them is listed"
    );
    for tool in listed["tools"].as_array().unwrap() {
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{tool}");
            jsonschema::meta::validate(&tool[schema]).unwrap();
        }
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert!(!tool["description"].as_str().unwrap().is_empty());
    }
}

#[test]
fn rem_7_2_files_are_resources() {
    let env = validated();
    let mut client = Client::new(&env, &[]);
    let listed = client.result("resources/list", json!({}));
    let uris: Vec<&str> = listed["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["uri"].as_str().unwrap())
        .collect();
    let base = format!("skill://{NAME}");
    for file in ["SKILL.md", "references/REFERENCE.md", "assets/data.bin", "scripts/hello.sh"] {
        assert!(uris.contains(&format!("{base}/{file}").as_str()), "{uris:?}");
    }
    let read = client
        .result("resources/read", json!({ "uri": format!("{base}/references/REFERENCE.md") }));
    assert_eq!(read["contents"][0]["text"], "MARKER_REFERENCE\n", "{read}");
    assert_eq!(read["contents"][0]["mimeType"], "text/markdown", "{read}");
    let read = client.result("resources/read", json!({ "uri": format!("{base}/assets/data.bin") }));
    assert!(read["contents"][0]["blob"].is_string(), "{read}");
    for path in ["../secret", "%2e%2e/secret", "/etc/passwd", "none.md", "SKILL.md?x"] {
        let id = client.request("resources/read", json!({ "uri": format!("{base}/{path}") }));
        assert!(client.answer(id)["error"]["code"].is_i64(), "{path}");
    }
}

#[test]
fn manifests_of_the_skills_extension_match_the_files() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.skill("repo/.agents/skills", "twin", "One.");
    env.skill("home/.agents/skills", "twin", "Other.");
    let mut client = Client::new(&env, &[]);
    let listed = client.result("skills/list", json!({}));
    assert_eq!(listed["skills"].as_array().unwrap().len(), 3, "{listed}");
    let uri = format!("skill://{NAME}/SKILL.md");
    let got = client.result("skills/get", json!({ "uri": uri }))["skill"].clone();
    assert_eq!(got["frontmatter"]["license"], "MIT", "{got}");
    let files = got["resources"].as_array().unwrap();
    assert_eq!(files.len(), 4, "{got}");
    for file in files {
        let relative =
            file["uri"].as_str().unwrap().strip_prefix(&format!("skill://{NAME}/")).unwrap();
        let bytes = std::fs::read(env.at(format!("{folder}/{relative}"))).unwrap();
        let digest = format!("sha256:{}", skillpick::files::digest::sha256_hex(&bytes));
        assert_eq!((&file["digest"], &file["size"]), (&json!(digest), &json!(bytes.len())));
    }
    let inside =
        client.result("resources/directory/read", json!({ "uri": format!("skill://{NAME}") }));
    assert_eq!(
        names(&inside["resources"]),
        ["SKILL.md", "assets", "references", "scripts"],
        "{inside}"
    );
    assert_eq!(inside["resources"][1]["mimeType"], "inode/directory", "{inside}");
}

#[test]
fn rem_6_2_a_person_calls_a_skill_as_a_prompt() {
    let env = TestEnv::new();
    let folder = validation(&env);
    // It is kept from the model; the person may call it.
    let text = env
        .read(&format!("{folder}/SKILL.md"))
        .replace("license: MIT", "disable-model-invocation: true");
    env.write(format!("repo/.claude/skills/{NAME}/SKILL.md"), text);
    let mut client = Client::new(&env, &["--host", "claude"]);
    assert!(!client.call("skills_list", json!({})).0.to_string().contains(NAME));
    let (_, text) = client.refusal("skill_load", json!({ "name": NAME }));
    assert!(!text.contains("MARKER_BODY"), "{text}");
    let listed = client.result("prompts/list", json!({}));
    assert_eq!(listed["prompts"][0]["name"], NAME, "{listed}");
    let arguments = json!({ "input": "this branch" });
    let got = client.result("prompts/get", json!({ "name": NAME, "arguments": arguments }));
    let text = got["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("MARKER_BODY") && text.ends_with("this branch"), "{text}");
}

#[test]
fn cod_10_1_changes_are_announced() {
    let env = validated();
    let mut client = Client::new(&env, &[]);
    client.call("skills_list", json!({}));
    env.skill("repo/.agents/skills", "added", "Later.");
    client.expect(|message| message["method"] == "notifications/resources/list_changed");
    client.expect(|message| message["method"] == "notifications/prompts/list_changed");
    assert!(client.call("skill_load", json!({ "name": "added" })).1.contains("added"));
    env.settings("[scripts]\nenabled = true\n");
    client.expect(|message| message["method"] == "notifications/tools/list_changed");
}

#[test]
fn cod_10_1_a_change_of_a_skills_text_is_announced() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.write("repo/.agents/skills/broken/SKILL.md", "No frontmatter.\n");
    let mut client = Client::new(&env, &[]);
    // Problems are logged when the lists are first read.
    client.expect(|message| message["method"] == "notifications/message");
    let changes: [fn(&TestEnv, &str); 3] = [
        |env, file| drop(env.write(file, "one")),
        |env, file| drop(env.write(file, "longer")),
        |env, file| std::fs::remove_file(env.at(file)).unwrap(),
    ];
    for (change, size) in changes.into_iter().zip([Some(3), Some(6), None]) {
        change(&env, &format!("{folder}/references/NEW.md"));
        client.expect(|message| message["method"] == "notifications/resources/list_changed");
        let listed = client.result("resources/list", json!({}))["resources"].clone();
        let row = listed
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["name"] == format!("{NAME}/references/NEW.md"));
        assert_eq!(row.map(|row| row["size"].clone()), size.map(|size| json!(size)), "{listed}");
    }
}

#[test]
fn a_skill_that_comes_or_goes_between_two_pages_moves_no_other() {
    let env = TestEnv::new();
    let name = |number: usize| format!("s{number:02}");
    (10..80).for_each(|number| drop(env.skill("repo/.agents/skills", &name(number), "One.")));
    for [method, rows] in [["resources/list", "resources"], ["skills/list", "skills"]] {
        let mut client = Client::new(&env, &[]);
        let uris = |page: &Json| -> Vec<String> {
            let rows = page[rows].as_array().unwrap().iter();
            rows.map(|row| row["uri"].as_str().unwrap().to_owned()).collect()
        };
        let first = client.result(method, json!({}));
        assert_eq!(uris(&first).len(), 50, "{first}");
        env.skill("repo/.agents/skills", &name(0), "New.");
        for gone in [11, 12, 13] {
            std::fs::remove_dir_all(env.at(format!("repo/.agents/skills/{}", name(gone)))).unwrap();
        }
        client.call("skills_list", json!({ "force_reload": true }));
        let second = client.result(method, json!({ "cursor": first["nextCursor"] }));
        assert!(second.get("nextCursor").is_none(), "{second}");
        let all = [uris(&first), uris(&second)].concat();
        let expected: Vec<String> =
            (10..80).map(|number| format!("skill://{}/SKILL.md", name(number))).collect();
        assert_eq!(all, expected, "{method}");
        std::fs::remove_dir_all(env.at(format!("repo/.agents/skills/{}", name(0)))).unwrap();
        for back in [11, 12, 13] {
            env.skill("repo/.agents/skills", &name(back), "One.");
        }
    }
}

/// Every resource of all pages, by its address.
fn resources(env: &TestEnv) -> Vec<String> {
    let mut client = Client::new(env, &[]);
    let (mut all, mut cursor) = (Vec::new(), json!({}));
    loop {
        let page = client.result("resources/list", cursor);
        let rows = page["resources"].as_array().unwrap().iter();
        all.extend(rows.map(|row| row["uri"].as_str().unwrap().to_owned()));
        match page.get("nextCursor") {
            Some(next) => cursor = json!({ "cursor": next }),
            None => return all,
        }
    }
}

#[test]
fn all_files_of_a_skill_are_listed_wherever_a_page_ends() {
    let env = TestEnv::new();
    let mut expected = Vec::new();
    for skill in 10..30 {
        env.skill("repo/.agents/skills", &format!("s{skill}"), "One.");
        expected.push(format!("skill://s{skill}/SKILL.md"));
        for file in 10..49 {
            env.write(format!("repo/.agents/skills/s{skill}/references/f{file}.md"), "One.");
            expected.push(format!("skill://s{skill}/references/f{file}.md"));
        }
    }
    assert_eq!(resources(&env), expected);
}

#[test]
fn a_file_of_a_nested_skill_is_listed_once() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "outer", "One.");
    env.skill("repo/.agents/skills/outer", "inner", "Two.");
    env.write("repo/.agents/skills/outer/inner/i.txt", "One.");
    // Its address does not begin with that of the skill around it, where it has another one.
    env.skill("repo/.agents/skills/outer", "other", "Three.");
    let file = env.read("repo/.agents/skills/outer/other/SKILL.md");
    env.write(
        "repo/.agents/skills/outer/other/SKILL.md",
        file.replace("name: other", "name: named"),
    );
    assert_eq!(
        resources(&env),
        [
            "skill://outer/SKILL.md",
            "skill://outer/other/SKILL.md",
            "skill://outer/inner/SKILL.md",
            "skill://outer/inner/i.txt",
            "skill://named/SKILL.md",
        ]
    );
}
