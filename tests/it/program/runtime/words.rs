//! A refusal names the file, the skill and the place that it is about, and no other.

use super::calls::resolve;
use crate::env::TestEnv;

/// A rule of the person's own about loading this skill.
fn rule(kind: &str, name: &str) -> String {
    format!("[[permissions.{kind}]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n")
}

/// Nested skills, with binary files.
fn nested() -> TestEnv {
    let env = TestEnv::new();
    let folder = "repo/.agents/skills/outer";
    env.skill("repo/.agents/skills", "outer", "d");
    env.skill(folder, "inner", "d");
    env.write(format!("{folder}/inner/f.md"), "MARKER\n");
    env.write(format!("{folder}/own.md"), "OWN\n");
    env.write(format!("{folder}/sly.md"), "a\u{202e}b\n");
    env.write(format!("{folder}/pixels.bin"), [0_u8, 1, 2, 0xff]);
    env.write(format!("{folder}/large.bin"), vec![b'x'; (16 << 20) + 1]);
    env
}

#[test]
fn a_refusal_of_approve_names_the_file() {
    let env = nested();
    for (file, code, words) in [
        ("large.bin", 2, "large.bin: the file is too large: 16777217 bytes; at most 16 MiB"),
        ("pixels.bin", 2, "pixels.bin: this is not text"),
        ("nothing.md", 1, "nothing.md: there is no such file"),
    ] {
        for command in ["approve", "read"] {
            let ran = env.run(&[command, "outer", file]).ended(code);
            assert!(ran.err.contains(words) && !ran.err.contains("SKILL.md"), "{command}: {ran:?}");
        }
    }
}

#[test]
fn a_file_that_hides_text_is_named_with_the_command_that_shows_it() {
    let env = nested();
    let words = "outer sly.md: the text hides 1 bidi control";
    env.run(&["load", "outer", "--session", "chat"]).ended(0);
    for which in [&["read", "outer", "sly.md"][..], &["read", "sly.md", "--session", "chat"]] {
        let ran = env.run(which).ended(1);
        assert!(
            ran.err.contains(words) && ran.err.ends_with("skillpick approve outer sly.md\n"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_refusal_names_the_skill_whose_rule_refuses() {
    let env = nested();
    env.run(&["load", "outer", "--session", "chat"]).ended(0);
    env.settings(&rule("deny", "inner"));
    let ran = env.run(&["read", "outer", "inner/f.md", "--yes"]).ended(1);
    assert!(ran.err.contains("inner: loading this skill is denied"), "{ran:?}");
    env.settings(&rule("deny", "outer"));
    let ran = env.run(&["read", "own.md", "--session", "chat"]).ended(1);
    assert!(ran.err.contains("outer: loading this skill is denied"), "{ran:?}");
}

/// Consent covers only what was asked: the nested skill stays denied.
#[test]
fn consent_to_an_outer_skill_does_not_open_a_denied_nested_one() {
    let env = nested();
    env.settings(&(rule("ask", "outer") + &rule("deny", "inner")));
    assert_eq!(env.run(&["read", "outer", "own.md", "--yes"]).ended(0).out(), "OWN\n");
    let ran = env.run(&["read", "outer", "inner/f.md", "--yes"]).ended(1);
    assert!(
        ran.out().is_empty() && ran.err.contains("inner: loading this skill is denied"),
        "{ran:?}"
    );
}

#[test]
fn kod_6_where_skills_are_off_every_command_says_so() {
    let env = nested();
    for words in [
        &["load", "outer"][..],
        &["read", "outer", "own.md"],
        &["approve", "outer"],
        &["mention", "outer"],
        &["show", "outer"],
        &["disable", "outer"],
        &["share", "outer", "--to", "claude"],
        &["search", "outer"],
    ] {
        let arguments: Vec<&str> = words.iter().copied().chain(["--no-skills"]).collect();
        let ran = env.run(&arguments).ended(1);
        let said = "skillpick: skills are disabled\n  decided by --no-skills\n";
        assert_eq!(ran.err, said, "{words:?}");
    }
    let said = "skillpick: skills are switched off by --no-skills\n";
    for words in [&["check"][..], &["prompt"]] {
        let arguments: Vec<&str> = words.iter().copied().chain(["--no-skills"]).collect();
        assert_eq!(env.run(&arguments).ended(0).err, said, "{words:?}");
    }
    for (prompt, said) in [("Use $outer now", said), ("No skill", "")] {
        let ran = resolve(&env, prompt, &["--inject", "--no-skills"]).ended(0);
        assert_eq!((ran.out().trim_end(), &*ran.err), (prompt, said));
    }
}

#[test]
fn broken_saved_state_is_reported_with_its_path() {
    let env = nested();
    env.run(&["load", "outer", "--session", "chat"]).ended(0);
    let folder = "home/.local/state/skillpick/sessions";
    let files = std::fs::read_dir(env.at(folder)).unwrap().map(|file| file.unwrap().path());
    let saved =
        files.into_iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    std::fs::write(&saved, "{").unwrap();
    let place = saved.to_str().unwrap();
    for words in [&["session", "chat"][..], &["load", "outer", "--session", "chat"]] {
        let ran = env.run(words).ended(2);
        assert!(ran.err.contains(place) && ran.err.contains("remove it to begin anew"), "{ran:?}");
    }
    std::fs::remove_dir_all(env.at(folder)).unwrap();
    env.write(folder, "");
    let ran = env.run(&["load", "outer", "--session", "chat"]).ended(2);
    assert!(ran.err.contains(&env.text(folder)), "{ran:?}");
}

#[test]
fn a_count_of_one_is_singular_in_the_catalog() {
    let env = nested();
    let ran = env.run(&["prompt", "--max-entries", "1"]).ended(0);
    assert!(
        ran.err.contains("1 of 2 skills is left out:")
            && ran.out().contains("1 skill is left out."),
        "{ran:?}"
    );
    env.skill("repo/.agents/skills", "long", "so many words");
    let ran = env.run(&["prompt", "--max-description", "4"]).ended(0);
    assert!(ran.err.contains("1 description is shortened to 4 characters"), "{ran:?}");
    assert!(ran.out().contains(" Descriptions are shortened."), "{ran:?}");
}

#[test]
fn long_arguments_are_shortened_in_errors() {
    let env = nested();
    let long = "x".repeat(10_000);
    for words in [["read", "outer", &long], ["read", &long, "own.md"], ["approve", "outer", &long]]
    {
        let ran = env.run(&words);
        assert!(ran.code != 0 && ran.err.len() < 1_000 && ran.err.contains("xxx…"), "{}", ran.err);
    }
}
