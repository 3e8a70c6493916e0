//! `show`.

use crate::env::TestEnv;
use serde_json::json;

#[test]
fn the_body_is_laid_out_below_a_short_head() {
    let env = TestEnv::furnished();
    let ran = env.run(&["show", "pdf-forms"]).ended(0);
    ran.is_inert();
    let path = env.text("repo/.agents/skills/pdf-forms/SKILL.md");
    assert!(
        ran.out().starts_with(&format!(
            "pdf-forms  repo · on · allow <default> · 474 B\n{path}\nFill in PDF"
        )),
        "{ran:?}"
    );
    assert!(
        ran.out().contains("\nFilling PDF forms\n") && !ran.out().contains("name: pdf-forms"),
        "{ran:?}"
    );
}

#[test]
fn with_ascii_nothing_that_we_draw_is_beyond_it() {
    let env = TestEnv::new();
    let page =
        "---\nname: pdf\ndescription: d\n---\n- a\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    env.write("repo/.agents/skills/pdf/SKILL.md", page);
    let drawn = env.run(&["show", "pdf"]).ended(0);
    assert!(drawn.out().contains('·') && drawn.out().contains('─'), "{drawn:?}");
    let ran = env.run(&["--ascii", "show", "pdf"]).ended(0);
    assert!(ran.out().is_ascii() && ran.out().contains("repo - on - allow"), "{ran:?}");
    assert_eq!(env.run(&["--ascii", "show", "pdf", "--raw"]).ended(0).out(), page);
}

#[test]
fn raw_into_a_pipe_is_the_exact_bytes_of_the_file() {
    let env = TestEnv::new();
    let bytes = b"---\nname: raw\ndescription: d\n---\n\tcaf\xe9 \x1b[31m\r\n";
    env.write("repo/.agents/skills/raw/SKILL.md", bytes);
    assert_eq!(env.run(&["show", "raw", "--raw"]).ended(0).bytes, bytes);
    let ran = env.run(&["show", "raw"]).ended(0);
    ran.is_inert();
    assert!(ran.out().contains("^[[31m"), "{ran:?}");
}

#[test]
fn a_file_of_the_skill_is_named_relative_to_it() {
    let env = TestEnv::furnished();
    let ran = env.run(&["show", "pdf-forms", "scripts/check_fields.py"]).ended(0);
    assert_eq!(ran.out(), env.read("repo/.agents/skills/pdf-forms/scripts/check_fields.py"));
    assert!(env.run(&["show", "pdf-forms", "nothing.md"]).ended(1).err.contains("--tree"));
    for escape in [
        "../release-notes/SKILL.md",
        "/etc/hostname",
        "references/../../release-notes/SKILL.md",
        "",
    ] {
        let ran = env.run(&["show", "pdf-forms", escape]).ended(2);
        assert_eq!(ran.out(), "", "{escape}");
    }
    env.write("repo/.agents/skills/pdf-forms/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    let ran = env.run(&["show", "pdf-forms", "logo.png"]).ended(2);
    assert!(ran.err.contains("logo.png: this is not text but PNG image, 11 B"), "{ran:?}");
    assert_eq!(env.run(&["show", "pdf-forms", "logo.png", "--raw"]).ended(0).bytes.len(), 11);
}

#[test]
fn a_file_is_refused_by_the_same_code_in_show_and_read() {
    let env = TestEnv::furnished();
    for (file, code) in [
        ("nothing.md", "not_found"),
        ("../release-notes/SKILL.md", "parent_path"),
        ("/etc/hostname", "absolute_path"),
    ] {
        let code_of = |command: &str| env.run(&[command, "pdf-forms", file]).code;
        assert_eq!(code_of("show"), code_of("read"), "{file}");
        for command in ["show", "read"] {
            let ran = env.run(&[command, "pdf-forms", file, "--json"]);
            let refused: serde_json::Value = serde_json::from_str(ran.out()).unwrap();
            assert_eq!(refused["error"]["code"], code, "{command} {file}: {ran:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn of_a_skill_that_could_not_be_read_show_says_what_check_says() {
    let env = TestEnv::furnished();
    std::fs::create_dir(env.at("repo/.agents/skills/far")).unwrap();
    for (name, link, target, said) in [
        ("lost", "lost", "nowhere", "nowhere"),
        ("circle", "circle", "circle", "itself"),
        ("far", "far/SKILL.md", "/nowhere/S.md", "/nowhere/S.md"),
    ] {
        let link = env.at("repo/.agents/skills").join(link);
        std::os::unix::fs::symlink(target, link).unwrap();
        let found = format!("the link leads to nothing: {said}");
        assert!(env.run(&["check", name]).out().contains(&found), "{name}");
        for how in [&[][..], &["--raw"], &["--json"]] {
            let ran = env.run(&[&["show", name], how].concat()).ended(2);
            let told = if how == ["--json"] { ran.out() } else { &ran.err };
            assert!(told.contains(&found), "{ran:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_skill_is_named_and_not_read() {
    let env = TestEnv::furnished();
    env.write("secret", "hidden");
    std::os::unix::fs::symlink(env.at("secret"), env.at("repo/.agents/skills/pdf-forms/leak.md"))
        .unwrap();
    let ran = env.run(&["show", "pdf-forms", "leak.md"]).ended(2);
    assert!(ran.err.contains("a link on the path leaves the skill's directory"), "{ran:?}");
    let ran = env.run(&["show", "pdf-forms", "--tree"]).ended(0);
    let tree = ran.out();
    assert!(
        tree.contains("leak.md -> ") && tree.contains("(leaves the skill, not read)"),
        "{tree}"
    );
    assert!(tree.contains("references/\n  fields.md  "), "{tree}");
    let files = env.json("show", &["show", "pdf-forms", "--tree", "--json"])["files"].clone();
    assert!(
        files
            .as_array()
            .unwrap()
            .iter()
            .any(|row| row["path"] == "leak.md" && row["kind"] == "link"),
        "{files}"
    );
}

#[test]
fn json_has_the_skill_its_body_and_its_files() {
    let env = TestEnv::furnished();
    let shown = env.json("show", &["show", "$pdf-forms", "--json"]);
    assert_eq!(shown["skill"]["name"], "pdf-forms");
    assert!(shown["text"].as_str().unwrap().starts_with("# Filling PDF forms\n"));
    assert_eq!(
        (&shown["first_line"], &shown["file"], &shown["cut"]),
        (&json!(11), &json!(null), &json!(false))
    );
    let paths: Vec<_> = shown["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        ["SKILL.md", "references", "references/fields.md", "scripts", "scripts/check_fields.py"]
    );
    let file = env.json("show", &["show", "pdf-forms", "references/fields.md", "--json"]);
    assert_eq!(file["file"], "references/fields.md");
    env.write("repo/.agents/skills/pdf-forms/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    let image = env.json("show", &["show", "pdf-forms", "logo.png", "--json"]);
    assert_eq!(
        (&image["text"], &image["binary"], &image["bytes"]),
        (&json!(null), &json!("PNG image"), &json!(11))
    );
}

#[test]
fn cod_5_4b_an_ambiguous_name_is_an_error_that_lists_the_candidates() {
    let env = TestEnv::new();
    env.fixture("shadowed/repo", "repo/.agents/skills");
    env.fixture("shadowed/user", "home/.agents/skills");
    let [repo, user] =
        ["repo", "home"].map(|place| env.text(&format!("{place}/.agents/skills/deploy/SKILL.md")));
    let expected = format!(
        "skillpick: 2 skills are named 'deploy'; give one of these paths:\n  repo  {repo}\n  user  {user}\n"
    );
    for command in ["show", "enable", "disable"] {
        let ran = env.run(&[command, "deploy"]).ended(1);
        assert_eq!((ran.out(), &ran.err), ("", &expected), "{command}");
    }
    for argument in
        [user.clone(), format!("[$deploy]({user})"), env.text("home/.agents/skills/deploy")]
    {
        assert!(
            env.run(&["show", &argument]).ended(0).out().contains("Deploy anything of mine."),
            "{argument}"
        );
    }
    assert!(
        env.run(&["show", "deploy", "--scope", "user"])
            .ended(0)
            .out()
            .contains("Deploy anything of mine.")
    );
}

#[test]
fn of_a_skill_that_only_another_agent_has_it_is_said_where_this_one_does_not_look() {
    let env = TestEnv::new();
    env.skill("home/.claude/skills", "notes", "Notes.");
    for words in [&["show", "notes"][..], &["mention", "notes"], &["disable", "notes"]] {
        let ran = env.run(&[words, &["--host", "codex"]].concat()).ended(1);
        assert!(ran.err.starts_with("skillpick: unknown skill 'notes'\n"), "{ran:?}");
        assert!(ran.err.contains("Codex does not look in "), "{ran:?}");
        assert!(ran.err.contains(".claude/skills"), "{ran:?}");
    }
    let ran = env.run(&["show", "nothing", "--host", "codex"]).ended(1);
    assert!(!ran.err.contains("does not look"), "{ran:?}");
}

#[test]
fn a_path_in_the_home_directory_is_one_also_where_no_agent_looks() {
    let env = TestEnv::new();
    env.skill("home/elsewhere", "pdf", "Lies apart.");
    let above = format!("to browse it: skillpick --root {} …", env.text("home/elsewhere"));
    env.skill("home/elsewhere", "zip", "Lies apart.");
    env.link("home/elsewhere/zip", "repo/work");
    for path in ["~/elsewhere/pdf", "../home/elsewhere/pdf/SKILL.md", "work/../pdf"] {
        let permitted = env.run(&["permit", "allow", path, "--dry-run"]).ended(0);
        assert!(permitted.err.contains("allow pdf: so already"), "{permitted:?}");
        let ran = env.run(&["show", path]).ended(1);
        assert!(ran.err.contains(&above), "{ran:?}");
    }
}

#[test]
fn the_description_is_the_one_that_the_agent_reads() {
    let env = TestEnv::new();
    let text = "---\nname: pdf\ndescription: |\n  Fills forms.\n---\nBody.\n";
    env.write("repo/.agents/skills/pdf/SKILL.md", text);
    let listed = |host: &str| {
        let list = env.json("list", &["list", "--json", "--host", host]);
        list["skills"][0]["description"].as_str().unwrap().trim().to_owned()
    };
    assert_eq!([listed("codelia"), listed("agents")], ["|", "Fills forms."]);
    let tree = env.json("tree", &["list", "--tree", "--json", "--host", "codelia"]);
    assert_eq!(tree["skills"][0]["description"], "|");
    let prompt = env.run(&["prompt", "--host", "codelia"]).ended(0);
    assert!(prompt.out().contains("<description>\n|\n</description>"), "{prompt:?}");
}

#[test]
fn an_unknown_name_is_exit_1_with_the_nearest() {
    let env = TestEnv::furnished();
    let ran = env.run(&["show", "pdf-from"]).ended(1);
    assert_eq!(ran.err, "skillpick: unknown skill 'pdf-from'\n  did you mean `pdf-forms`?\n");
    assert_eq!(
        env.run(&["show", "PDF-forms"]).ended(1).err.lines().count(),
        2,
        "names are compared exactly"
    );
    env.run(&["show", " pdf-forms "]).ended(0);
    env.run(&["show", " "]).ended(2);
}

#[test]
fn run_1_a_package_is_one_record_with_location_directory_and_body() {
    let env = TestEnv::furnished();
    let shown = env.json("show", &["show", "pdf-forms", "--json"]);
    let record = &shown["skill"];
    assert_eq!(record["path"], env.text("repo/.agents/skills/pdf-forms/SKILL.md"));
    assert_eq!(record["dir"], env.text("repo/.agents/skills/pdf-forms"));
    assert_eq!(record["metadata"]["author"], "skillpick");
    let own = env.read("repo/.agents/skills/pdf-forms/SKILL.md");
    assert!(own.ends_with(shown["text"].as_str().unwrap()));
}
