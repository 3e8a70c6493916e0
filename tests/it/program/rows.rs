//! Rows of `docs/requirements.md` that are best shown by the program as a whole.

use crate::env::TestEnv;

/// A skill with a reference, a script and a link that leaves it.
fn with_resources(env: &TestEnv) -> String {
    let folder = "repo/.agents/skills/pdf-forms";
    env.write(
        format!("{folder}/SKILL.md"),
        "---\nname: pdf-forms\ndescription: Fill forms.\n---\nSee [fields](references/fields.md).\n",
    );
    env.write(format!("{folder}/references/fields.md"), "FIELDS-MARKER\n");
    env.write(format!("{folder}/scripts/fill.py"), "print('FILL-MARKER')\n");
    env.write("repo/secret.txt", "SECRET-MARKER\n");
    folder.to_owned()
}

#[test]
fn cod_2_2_a_relative_path_begins_at_the_skills_directory_wherever_one_stands() {
    let env = TestEnv::new();
    with_resources(&env);
    env.write("repo/references/fields.md", "WRONG\n");
    let ran = env.run(&["show", "pdf-forms", "references/fields.md"]).ended(0);
    assert!(ran.out().contains("FIELDS-MARKER") && !ran.out().contains("WRONG"), "{ran:?}");
}

#[test]
fn cod_3_1_a_path_beats_a_name_and_the_block_is_structured() {
    let env = TestEnv::new();
    with_resources(&env);
    let other =
        env.skill("home/.agents/skills/other", "pdf-forms", "Another one of the same name.");
    let other = other.to_str().unwrap();
    // The link says one skill's name and another's path: the path decides.
    let third = env.skill("home/.agents/skills", "zip", "Of another name.");
    for (name, path) in
        [("pdf-forms", other), ("pdf-forms", third.to_str().unwrap()), ("zip", other)]
    {
        let mention = format!("[${name}]({path})");
        let shown = env.json("show", &["show", &mention, "--json"]);
        assert_eq!(shown["skill"]["path"], *path, "{mention}");
    }
    let ambiguous = env.run(&["show", "$pdf-forms"]).ended(1);
    assert!(ambiguous.err.contains(other), "{ambiguous:?}");
    let block = env.run(&["-f", "path:other pdf-forms", "--format", "block"]).ended(0);
    assert!(block.out().starts_with("<skill_context name=\"pdf-forms\" path=\""), "{block:?}");
    assert!(block.out().trim_end().ends_with("</skill_context>"));
}

#[test]
fn cod_8_2_no_file_outside_the_skill_is_shown_and_the_list_of_files_is_capped() {
    let env = TestEnv::new();
    let folder = with_resources(&env);
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        env.at("repo/secret.txt"),
        env.at(format!("{folder}/references/link.md")),
    )
    .unwrap();
    let absolute = env.text("repo/secret.txt");
    let outside = [
        "../../../secret.txt",
        &absolute,
        "references/../../../../secret.txt",
        "references/link.md",
    ];
    for file in outside {
        let ran = env.run(&["show", "pdf-forms", file]);
        assert_eq!(ran.code, 2, "{file}: {ran:?}");
        assert!(!ran.out().contains("SECRET-MARKER") && !ran.err.is_empty(), "{file}: {ran:?}");
    }
    for number in 0..2_100 {
        env.write(format!("{folder}/assets/{number}.txt"), "");
    }
    let document = env.json("show", &["show", "pdf-forms", "--json"]);
    assert_eq!(document["files"].as_array().unwrap().len(), 2_000);
    assert_eq!(document["truncated"], true);
    assert_eq!(document["cuts"][0]["limit"], "files");
    let block = env.run(&["-f", "pdf-forms", "--format", "block"]).ended(0);
    assert!(block.out().contains("more files are not listed"), "{}", &block.out()[..400]);
}

#[test]
fn kod_2_a_skill_is_a_directory_with_whatever_else_it_needs() {
    let env = TestEnv::new();
    with_resources(&env);
    let tree = env.run(&["show", "pdf-forms", "--tree"]).ended(0);
    for part in ["SKILL.md", "references/", "fields.md", "scripts/", "fill.py"] {
        assert!(tree.out().contains(part), "{part}: {tree:?}");
    }
    let script = env.run(&["show", "pdf-forms", "scripts/fill.py"]).ended(0);
    assert!(script.out().contains("FILL-MARKER"));
}

#[test]
fn rem_4_2b_the_optional_fields_are_kept_and_unknown_keys_warn() {
    let env = TestEnv::new();
    env.write(
        "repo/.agents/skills/full/SKILL.md",
        "---\nname: full\ndescription: All fields.\nlicense: MIT\ncompatibility: Needs git\nmetadata:\n  author: ada\n\
         allowed-tools: Bash(git:*) Read\ncolour: blue\n---\n",
    );
    let skill = &env.json("list", &["list", "--json"])["skills"][0];
    assert_eq!((&skill["license"], &skill["compatibility"]), (&"MIT".into(), &"Needs git".into()));
    assert_eq!(skill["metadata"]["author"], "ada");
    assert_eq!(skill["allowed_tools"], serde_json::json!(["Bash(git:*)", "Read"]));
    assert_eq!(skill["diagnostics"][0]["code"], "unexpected-fields");
    assert_eq!(skill["diagnostics"][0]["severity"], "warning");
}

#[test]
fn rem_4_3b_a_skill_that_cannot_be_offered_is_listed_with_its_reason() {
    let env = TestEnv::new();
    env.write("repo/.agents/skills/mute/SKILL.md", "---\nname: mute\n---\n");
    let document = env.json("list", &["list", "--json"]);
    assert_eq!(document["skills"], serde_json::json!([]));
    assert_eq!(document["errors"][0]["diagnostics"][0]["code"], "desc-missing");
    let plain = env.run(&["list"]).ended(0);
    assert!(plain.out().contains("mute"), "it is not hidden: {plain:?}");
}

#[test]
fn rem_4_4_a_record_has_its_directory_its_file_and_the_root_it_came_from() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "one", "A record.");
    let skill = &env.json("list", &["list", "--json"])["skills"][0];
    assert_eq!(skill["dir"], env.text("repo/.agents/skills/one"));
    assert_eq!(skill["path"], env.text("repo/.agents/skills/one/SKILL.md"));
    assert_eq!(skill["root"], env.text("repo/.agents/skills"));
    assert_eq!(skill["description"], "A record.");
}
