//! No path leads out of a skill, however it is written, in any request that reads files.

use super::{Client, validation};
use crate::env::TestEnv;
use crate::support::paths::{Gives, SKILL, cases, furnish};
use serde_json::json;

fn env() -> TestEnv {
    let env = TestEnv::new();
    furnish(&env);
    env
}

/// The refused paths of the table, each with the code of its refusal.
fn refused(env: &TestEnv) -> Vec<(String, &'static str)> {
    let code = |gives: Gives| match gives {
        Gives::Refused(code) => Some(code),
        Gives::Text(_) => None,
    };
    let refused: Vec<_> =
        cases(env).into_iter().filter_map(|(path, gives)| Some((path, code(gives)?))).collect();
    assert!(refused.len() >= 60);
    refused
}

#[track_caller]
fn is_clean(path: &str, said: &str) {
    let shown: String = path.chars().take(80).collect();
    assert!(
        !said.contains("SECRET") && !said.contains("root:x:") && !said.contains("FIELDS"),
        "{shown:?}: {said}"
    );
}

#[test]
fn no_path_given_to_skill_read_leads_out_of_a_skill() {
    let env = env();
    let mut client = Client::new(&env, &[]);
    let mut wrong = Vec::new();
    for (path, code) in refused(&env) {
        let (said, text) = client.refusal("skill_read", json!({ "skill": SKILL, "path": path }));
        is_clean(&path, &text);
        let binary = json!({ "skill": SKILL, "path": path, "encoding": "binary" });
        let (again, text) = client.refusal("skill_read", binary);
        is_clean(&path, &text);
        if (said.as_str(), again.as_str()) != (code, code) {
            wrong.push(format!(
                "{:?}: {said} {again}, not {code}",
                &path.chars().take(60).collect::<String>()
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (path, gives) in cases(&env) {
        if let Gives::Text(text) = gives {
            assert_eq!(
                client.call("skill_read", json!({ "skill": SKILL, "path": path })).1,
                text,
                "{path}"
            );
        }
    }
}

/// Each byte as `%XX`.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn no_resource_uri_leads_out_of_a_skill() {
    let env = env();
    let mut client = Client::new(&env, &[]);
    let mut addresses: Vec<String> = Vec::new();
    for (path, _) in refused(&env) {
        let path: String = path.chars().take(20_000).collect();
        addresses.push(format!("skill://{SKILL}/{path}"));
        addresses.push(format!("skill://{SKILL}/{}", encoded(&path)));
        addresses.push(format!("skill://{SKILL}/{}", encoded(&encoded(&path))));
    }
    let odd = [
        "skill://paths/../paths-twin/secret.txt",
        "skill://paths-twin/secret.txt",
        "skill://paths%2f..%2f..%2fsecret.txt",
        "skill://paths%00/SKILL.md",
        "skill://../secret.txt",
        "skill://./SKILL.md",
        "skill:///etc/passwd",
        "skill://localhost/etc/passwd",
        "skill:/etc/passwd",
        "skill://user@paths/SKILL.md",
        "skill://paths:80/SKILL.md",
        "SKILL://paths/SKILL.md",
        "skill://Paths/SKILL.md",
        "skill://paths/SKILL.md?x=../secret.txt",
        "skill://paths/SKILL.md#x",
        "skill://paths/SKILL.md%",
        "skill://paths/%ff",
        "file:///etc/passwd",
        "",
    ];
    addresses.extend(odd.map(str::to_owned));
    for address in addresses {
        // The address of the skill itself is not a file of it either.
        for method in ["resources/read", "skills/get"] {
            let id = client.request(method, json!({ "uri": address }));
            let answer = client.answer(id);
            assert!(answer["error"]["code"].is_i64(), "{method} {address:.120}: {answer}");
            is_clean(&address, &answer.to_string());
        }
        let id = client.request("resources/directory/read", json!({ "uri": address }));
        let answer = client.answer(id).to_string();
        assert!(
            !answer.contains("secret.txt\"") && !answer.contains("SECRET"),
            "{address:.120}: {answer}"
        );
    }
    let fine = client.result(
        "resources/read",
        json!({ "uri": format!("skill://{SKILL}/{}", encoded("SKILL.md")) }),
    );
    assert!(fine["contents"][0]["text"].as_str().unwrap().contains("Files to read."));
}

#[test]
fn the_suggested_approve_command_quotes_its_arguments() {
    let env = TestEnv::new();
    let folder = validation(&env);
    let name = folder.rsplit('/').next().unwrap();
    env.write(format!("{folder}/$(touch y).md"), "MARKER \u{202e}hidden\n");
    let mut client = Client::new(&env, &[]);
    let (code, text) =
        client.refusal("skill_read", json!({ "skill": name, "path": "$(touch y).md" }));
    assert!(
        code == "hidden_text"
            && text.ends_with(&format!("skillpick approve {name} '$(touch y).md'")),
        "{text}"
    );
}
