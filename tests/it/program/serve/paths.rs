//! Row 7 of the reliability bar: no path, however it is written, leads out of a skill; through every door that reads files.

use super::{Client, validation};
use crate::support::House;
use serde_json::json;
use std::os::unix::fs::symlink;

const NAME: &str = "skills-system-validation";

/// Stands in every file that nobody may read.
const SECRET: &str = "SECRET_OUTSIDE";

/// A path, and the stable word of its refusal. `@` is the folder of the house.
const PATHS: &[(&str, &str)] = &[
    // By `..`.
    ("../secret.txt", "parent_path"),
    ("../../../secret.txt", "parent_path"),
    ("..", "parent_path"),
    ("../", "parent_path"),
    ("../skills-system-validation", "parent_path"),
    ("../skills-system-validation/../../../secret.txt", "parent_path"),
    ("references/../../secret.txt", "parent_path"),
    ("references/../../../../secret.txt", "parent_path"),
    ("./../../../secret.txt", "parent_path"),
    ("references/./.././../secret.txt", "parent_path"),
    ("references//..//..//secret.txt", "parent_path"),
    ("assets/../../skills-system-validation-twin/secret.txt", "parent_path"),
    ("../skills-system-validation-twin/secret.txt", "parent_path"),
    ("none/../../secret.txt", "not_found"),
    ("SKILL.md/../../secret.txt", "not_found"),
    ("../../../../../../../../../../../../../../../../etc/passwd", "parent_path"),
    ("../SKILLS-SYSTEM-VALIDATION/SKILL.md", "parent_path"),
    // Absolute.
    ("/etc/passwd", "absolute_path"),
    ("//etc/passwd", "absolute_path"),
    ("/", "absolute_path"),
    ("/.", "absolute_path"),
    ("/proc/self/root/etc/passwd", "absolute_path"),
    ("/proc/self/environ", "absolute_path"),
    ("/dev/stdin", "absolute_path"),
    ("@/repo/secret.txt", "absolute_path"),
    ("@/repo/.agents/skills/skills-system-validation/SKILL.md", "absolute_path"),
    ("@/repo/.agents/skills/skills-system-validation/../../../secret.txt", "absolute_path"),
    ("@/repo/.agents/skills/skills-system-validation-twin/secret.txt", "absolute_path"),
    // Written in ways that other systems read as the above.
    ("%2e%2e/%2e%2e/%2e%2e/secret.txt", "not_found"),
    ("..%2f..%2f..%2fsecret.txt", "not_found"),
    ("%252e%252e%252fsecret.txt", "not_found"),
    ("%2fetc%2fpasswd", "not_found"),
    ("..\\..\\..\\secret.txt", "not_found"),
    ("\\etc\\passwd", "not_found"),
    ("C:\\secret.txt", "not_found"),
    ("file:///etc/passwd", "not_found"),
    ("~/secret.txt", "not_found"),
    ("$HOME/secret.txt", "not_found"),
    ("．．/secret.txt", "not_found"),
    ("..\u{200b}/secret.txt", "not_found"),
    ("․․/secret.txt", "not_found"),
    ("..∕secret.txt", "not_found"),
    (".. /secret.txt", "not_found"),
    (".../secret.txt", "not_found"),
    // NUL, nothing, the skill itself, a folder.
    ("references/REFERENCE.md\0.png", "nul_in_path"),
    ("\0", "nul_in_path"),
    ("", "empty_path"),
    (".", "not_regular"),
    ("./", "not_regular"),
    ("assets", "not_regular"),
    ("assets/", "not_regular"),
    ("references/REFERENCE.md/", "not_found"),
    ("references/REFERENCE.md/.", "not_found"),
    ("SKILL.md/x", "not_found"),
    // Other names of what is there.
    ("references/reference.md", "not_found"),
    ("REFERENCES/REFERENCE.md", "not_found"),
    ("references/REFERENCE.md ", "not_found"),
    // Links, and what is no file.
    ("out.txt", "link_out"),
    ("relative.txt", "link_out"),
    ("chain.txt", "link_out"),
    ("folder/secret.txt", "link_out"),
    ("folder/.agents/skills/skills-system-validation/SKILL.md", "link_out"),
    ("twin.txt", "link_out"),
    ("loop.txt", "link_loop"),
    ("dangling.txt", "link_out"),
    ("magic/passwd", "link_out"),
    ("here/secret.txt", "link_out"),
    ("stdin", "link_out"),
    ("pipe", "not_regular"),
];

/// A skill with links that lead out of it in every way, and secrets around it.
fn house() -> House {
    let house = House::new();
    let folder = validation(&house);
    for place in ["secret.txt", "repo/secret.txt", "repo/.agents/secret.txt", "repo/.agents/skills/secret.txt"] {
        house.write(place, SECRET);
    }
    house.write("home/secret.txt", SECRET);
    house.write(&format!("{folder}-twin/secret.txt"), SECRET);
    let at = |name: &str| house.at(&format!("{folder}/{name}"));
    for (name, target) in [
        ("out.txt", house.text("repo/secret.txt").as_str()),
        ("relative.txt", "../../../secret.txt"),
        ("chain.txt", "out.txt"),
        ("folder", "../../.."),
        ("twin.txt", "../skills-system-validation-twin/secret.txt"),
        ("loop.txt", "loop2.txt"),
        ("loop2.txt", "loop.txt"),
        ("dangling.txt", "../none.txt"),
        ("magic", "/proc/self/root/etc"),
        ("here", "/proc/self/cwd"),
        ("stdin", "/dev/stdin"),
    ] {
        symlink(target, at(name)).unwrap();
    }
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    house
}

/// Every path of the table, the longest ones too.
fn paths(house: &House) -> Vec<(String, &'static str)> {
    let mut paths: Vec<(String, &str)> =
        PATHS.iter().map(|(path, code)| (path.replace('@', house.top.to_str().unwrap()), *code)).collect();
    paths.push(("a/".repeat(5_000), "long_path"));
    paths.push((format!("{}secret.txt", "../".repeat(5_000)), "long_path"));
    paths.push((format!("{}SKILL.md", "./".repeat(5_000)), "long_path"));
    paths.push(("x".repeat(300), "long_path"));
    assert!(paths.len() >= 60);
    paths
}

#[track_caller]
fn is_clean(path: &str, said: &str) {
    let shown: String = path.chars().take(80).collect();
    assert!(!said.contains(SECRET) && !said.contains("root:x:") && !said.contains("MARKER"), "{shown:?}: {said}");
}

#[test]
fn bar_07_no_path_leads_out_of_a_skill_by_the_tool() {
    let house = house();
    let mut client = Client::new(&house, &[]);
    let mut wrong = Vec::new();
    for (path, code) in paths(&house) {
        let (said, text) = client.refusal("skill_read", json!({ "skill": NAME, "path": path }));
        is_clean(&path, &text);
        let binary = json!({ "skill": NAME, "path": path, "encoding": "binary" });
        let (again, text) = client.refusal("skill_read", binary);
        is_clean(&path, &text);
        if (said.as_str(), again.as_str()) != (code, code) {
            wrong.push(format!("{:?}: {said} {again}, not {code}", &path.chars().take(60).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        client.call("skill_read", json!({ "skill": NAME, "path": "references/REFERENCE.md" })).1,
        "MARKER_REFERENCE\n"
    );
}

#[test]
fn bar_07_no_path_leads_out_of_a_skill_by_the_command() {
    let house = house();
    for (path, _) in paths(&house).iter().filter(|(path, _)| !path.contains('\0')) {
        let ran = house.run(&["read", NAME, "--", path]);
        assert!(ran.code != 0 && ran.bytes.is_empty() && !ran.err.is_empty(), "{path:.80}: {ran:?}");
        is_clean(path, &ran.err);
    }
    assert_eq!(house.run(&["read", NAME, "references/REFERENCE.md"]).ended(0).out(), "MARKER_REFERENCE\n");
}

/// Each byte as `%XX`.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn bar_07_no_address_leads_out_of_a_skill() {
    let house = house();
    let mut client = Client::new(&house, &[]);
    let mut addresses: Vec<String> = Vec::new();
    for (path, _) in paths(&house) {
        let path: String = path.chars().take(20_000).collect();
        addresses.push(format!("skill://{NAME}/{path}"));
        addresses.push(format!("skill://{NAME}/{}", encoded(&path)));
        addresses.push(format!("skill://{NAME}/{}", encoded(&encoded(&path))));
    }
    let odd = [
        "skill://skills-system-validation/../skills-system-validation-twin/secret.txt",
        "skill://skills-system-validation-twin/secret.txt",
        "skill://skills-system-validation%2f..%2f..%2fsecret.txt",
        "skill://skills-system-validation%00/SKILL.md",
        "skill://../secret.txt",
        "skill://./SKILL.md",
        "skill:///etc/passwd",
        "skill://localhost/etc/passwd",
        "skill:/etc/passwd",
        "skill://user@skills-system-validation/SKILL.md",
        "skill://skills-system-validation:80/SKILL.md",
        "SKILL://skills-system-validation/SKILL.md",
        "skill://Skills-System-Validation/SKILL.md",
        "skill://skills-system-validation/SKILL.md?x=../secret.txt",
        "skill://skills-system-validation/SKILL.md#x",
        "skill://skills-system-validation/SKILL.md%",
        "skill://skills-system-validation/%ff",
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
        assert!(!answer.contains("secret.txt\"") && !answer.contains(SECRET), "{address:.120}: {answer}");
    }
    let fine = client.result("resources/read", json!({ "uri": format!("skill://{NAME}/{}", encoded("SKILL.md")) }));
    assert!(fine["contents"][0]["text"].as_str().unwrap().contains("MARKER_BODY"));
}
