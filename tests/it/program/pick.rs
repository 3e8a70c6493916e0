//! The picker's answers without a screen: `-f`, `-1`, `-0`, and every format.

use crate::env::TestEnv;
use serde_json::Value as Json;

fn forms(env: &TestEnv) -> String {
    env.text("repo/.agents/skills/pdf-forms/SKILL.md")
}

#[test]
fn a_filter_prints_everything_best_first_as_mentions() {
    let env = TestEnv::furnished();
    assert_eq!(env.run(&["-f", "pdf"]).ended(0).out(), "$pdf-forms\n");
    assert_eq!(env.run(&["-f", ""]).ended(0).out(), "$pdf-forms $release-notes\n");
    let ran = env.run(&["-f", "kubernetes"]).ended(1);
    assert_eq!((ran.out(), ran.err.as_str()), ("", "skillpick: no skill matches `kubernetes`\n"));
}

#[test]
fn a_filter_reads_bodies() {
    let env = TestEnv::furnished();
    assert_eq!(env.run(&["-f", "quokka", "--format", "name"]).ended(0).out(), "pdf-forms\n");
    assert_eq!(env.run(&["-f", "Apache-2.0"]).ended(1).out(), "", "the frontmatter is no body");
}

#[test]
fn every_format_prints_its_form() {
    let env = TestEnv::furnished();
    let path = forms(&env);
    for (format, expected) in [
        ("mention", "$pdf-forms\n".to_owned()),
        ("slash", "/pdf-forms\n".to_owned()),
        ("link", format!("[$pdf-forms]({path})\n")),
        ("name", "pdf-forms\n".to_owned()),
        ("path", format!("{path}\n")),
    ] {
        assert_eq!(
            env.run(&["-f", "pdf", "--format", format]).ended(0).out(),
            expected,
            "{format}"
        );
    }
    let json: Json =
        serde_json::from_slice(&env.run(&["-f", "", "--format", "json"]).ended(0).bytes).unwrap();
    let names: Vec<_> =
        json.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["pdf-forms", "release-notes"]);
    env.run(&["-f", "pdf", "--format", "xml"]).ended(2);
}

#[test]
fn several_picks_are_separated_by_spaces_newlines_or_nul() {
    let env = TestEnv::furnished();
    let notes = env.text("repo/.agents/skills/release-notes/SKILL.md");
    let forms = forms(&env);
    for (arguments, expected) in [
        (["--format", "slash"].as_slice(), "/pdf-forms /release-notes\n".to_owned()),
        (&["--format", "name"], "pdf-forms\nrelease-notes\n".to_owned()),
        (&["--format", "path", "--print0"], format!("{forms}\0{notes}\0")),
        (&["--print0"], "$pdf-forms\0$release-notes\0".to_owned()),
    ] {
        let ran = env.run(&[&["-f", ""], arguments].concat()).ended(0);
        assert_eq!(ran.out(), expected, "{arguments:?}");
    }
}

#[test]
fn cod_6_2b_a_block_is_the_whole_text_with_base_directory_and_files() {
    let env = TestEnv::furnished();
    let ran = env.run(&["-f", "pdf", "--format", "block"]).ended(0);
    let (path, dir) = (forms(&env), env.text("repo/.agents/skills/pdf-forms"));
    let own = env.read("repo/.agents/skills/pdf-forms/SKILL.md");
    let expected = format!(
        "<skill_context name=\"pdf-forms\" path=\"{path}\">\n{own}\nBase directory: file://{dir}/\n\
         Relative paths in this skill are relative to the base directory.\n<skill_files>\n\
         <file>{dir}/references/fields.md</file>\n<file>{dir}/scripts/check_fields.py</file>\n</skill_files>\n\
         </skill_context>\n"
    );
    assert_eq!(ran.out(), expected);
}

#[test]
fn a_block_keeps_tabs_and_shows_hidden_characters_as_marks() {
    let env = TestEnv::new();
    env.write(
        "repo/.agents/skills/tab/SKILL.md",
        "---\nname: tab\ndescription: d\n---\nall:\n\tmake\r\n",
    );
    assert!(
        env.run(&["-f", "tab", "--format", "block"]).ended(0).out().contains("\nall:\n\tmake\r\n")
    );
    env.write(
        "repo/.agents/skills/esc/SKILL.md",
        "---\nname: esc\ndescription: d\n---\n\u{1b}]0;owned\u{7}\u{202e}\n",
    );
    let ran = env.run(&["-f", "esc", "--format", "block"]).ended(0);
    ran.is_inert();
    assert!(ran.out().contains("^[]0;owned^G<U+202E>\n"), "{ran:?}");
    assert_eq!(ran.err, "skillpick: esc: 3 hidden or control characters are printed as marks\n");
}

#[test]
fn a_name_that_is_not_unique_is_picked_by_its_path() {
    let env = TestEnv::new();
    env.fixture("shadowed/repo", "repo/.agents/skills");
    env.fixture("shadowed/user", "home/.agents/skills");
    let [repo, user] =
        ["repo", "home"].map(|place| env.text(&format!("{place}/.agents/skills/deploy/SKILL.md")));
    let both = format!("[$deploy]({repo}) [$deploy]({user})\n");
    assert_eq!(env.run(&["-f", "deploy"]).ended(0).out(), both);
    let slash = env.run(&["-f", "deploy", "--format", "slash"]).ended(1);
    assert!(
        slash.out().is_empty() && slash.err.contains("another skill has the same name"),
        "{slash:?}"
    );
    // Unique means that only one skill of the name is offered and on.
    env.run(&["disable", &user]).ended(0);
    assert_eq!(env.run(&["-f", "deploy"]).ended(0).out(), "$deploy\n");
}

#[test]
fn a_path_that_a_mention_cannot_carry_is_refused_with_the_cure() {
    let env = TestEnv::furnished();
    let odd = env.write(
        "home/.agents/skills/a)b/deploy/SKILL.md",
        "---\nname: deploy\ndescription: d\n---\n",
    );
    env.fixture("shadowed/repo", "repo/.agents/skills");
    let ran = env.run(&["-1", "-q", "path:a)b deploy"]).ended(2);
    assert_eq!(ran.out(), "");
    assert!(
        ran.err.contains(
            "deploy: the path holds what a mention cannot carry; pick it with --format path --print0"
        ),
        "{ran:?}"
    );
    let ran = env.run(&["-1", "-q", "path:a)b deploy", "--format", "path", "--print0"]).ended(0);
    assert_eq!(ran.out(), format!("{}\0", odd.display()));
    // A filter leaves it out and says so: one skill hides no other.
    let ran = env.run(&["-f", ""]).ended(0);
    assert!(
        ran.out().contains("$pdf-forms") && ran.err.contains("--format path --print0"),
        "{ran:?}"
    );
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn a_path_with_control_characters_goes_out_only_with_print0() {
    use std::os::unix::ffi::OsStrExt;
    let env = TestEnv::new();
    let dir = env.at("repo/.agents/skills").join(std::ffi::OsStr::from_bytes(b"x\x1b\xff"));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("SKILL.md"), "---\nname: x\ndescription: d\n---\n").unwrap();
    let ran = env.run(&["-f", "x", "--format", "path"]).ended(1);
    ran.is_inert();
    assert!(ran.err.contains("--print0"), "{ran:?}");
    let ran = env.run(&["-f", "x", "--format", "path", "--print0"]).ended(0);
    assert_eq!(ran.bytes, [dir.join("SKILL.md").as_os_str().as_bytes(), b"\0"].concat());
    let list = env.json("list", &["list", "--json"]);
    assert!(list["skills"][0]["path_b64"].is_string());
}

#[test]
fn one_hit_is_picked_without_a_screen_and_remembered() {
    let env = TestEnv::furnished();
    assert_eq!(env.run(&["-1", "-q", "release"]).ended(0).out(), "$release-notes\n");
    assert_eq!(
        env.run(&["-f", ""]).ended(0).out(),
        "$release-notes $pdf-forms\n",
        "picked ones come first"
    );
    assert!(
        env.read("home/.local/state/skillpick/history.jsonl").contains("release-notes/SKILL.md")
    );
    // Two skills match, and there is no terminal to choose on.
    env.run(&["-1", "-q", ""]).ended(2);
    let ran = env.run(&["-0", "-q", "kubernetes"]).ended(1);
    assert_eq!(ran.err, "skillpick: no skill matches `kubernetes`\n");
}

#[test]
fn no_match_names_the_agent_that_was_searched() {
    let env = TestEnv::furnished();
    env.skill("repo/.claude/skills", "other", "Another.");
    env.write("home/.claude/settings.json", "{}");
    let chosen =
        "searched the view of claude, chosen by what is on this machine; --host chooses another";
    assert!(
        env.run(&["-f", "pdf"]).ended(1).err.contains(chosen),
        "{}",
        env.run(&["-f", "pdf"]).err
    );
    assert!(
        !env.run(&["-f", "kubernetes", "--host", "claude"])
            .ended(1)
            .err
            .contains("searched the view")
    );
}

#[test]
fn skills_that_are_off_or_broken_are_not_picked() {
    let env = TestEnv::furnished();
    env.fixture("invalid", "home/.agents/skills");
    env.run(&["disable", "pdf-forms"]).ended(0);
    assert_eq!(env.run(&["-f", "forms"]).code, 1);
    for arguments in [["-f", "pdf"].as_slice(), &["-1", "-q", "pdf-forms"]] {
        let ran = env.run(arguments).ended(1);
        assert_eq!(ran.out(), "");
        assert!(
            ran.err.contains("config.toml:3") && ran.err.contains("skillpick enable pdf-forms"),
            "{ran:?}"
        );
    }
    let ran = env.run(&["-f", "no-description"]).ended(1);
    assert!(
        ran.err.contains("cannot be offered") && ran.err.contains("skillpick check"),
        "{ran:?}"
    );
    assert_eq!(env.run(&["-f", ""]).ended(0).out(), "$Capital_Name $release-notes\n");
}

#[test]
fn a_query_that_is_not_understood_is_a_usage_error() {
    let env = TestEnv::furnished();
    for arguments in [["-f", "is:sleepy"], ["search", "host:nobody pdf"]] {
        let ran = env.run(&arguments).ended(2);
        assert!(ran.out().is_empty() && ran.err.starts_with("skillpick: query: "), "{ran:?}");
    }
}

#[test]
fn a_bare_word_is_an_unknown_command() {
    let env = TestEnv::furnished();
    let ran = env.run(&["pdf"]).ended(2);
    assert_eq!(
        ran.err,
        "skillpick: there is no command `pdf`\n  to look for it in the picker: skillpick -q pdf\n  \
         skillpick --help lists the commands\n"
    );
    for (words, meant) in [
        (&["chek"][..], Some("check")),
        (&["on", "pdf"], Some("enable")),
        (&["ls"], Some("list")),
        (&["fix"], Some("check --fix")),
        (&["toggle"], None),
        (&["project", "ls"], Some("list")),
        (&["project", "crate"], Some("create")),
    ] {
        let ran = env.run(words).ended(2);
        let told = ran.err.lines().find_map(|line| line.trim().strip_prefix("did you mean "));
        assert_eq!(told, meant.map(|own| format!("`{own}`?")).as_deref(), "{ran:?}");
    }
    let odd = env.run(&["it's"]).ended(2);
    assert!(odd.err.contains(r"skillpick -q 'it'\''s'"), "{odd:?}");
    assert!(
        env.run(&["project", "x"]).ended(2).err.contains("skillpick project --help lists them")
    );
}

#[test]
fn options_of_the_picker_that_contradict_or_make_no_sense_are_refused() {
    let env = TestEnv::new();
    let both = env.run(&["-f", "x", "-q", "y"]).ended(2);
    assert!(both.err.contains("cannot be used with"), "{both:?}");
    for height in ["0", "101%", "x"] {
        let ran = env.run(&["--height", height]).ended(2);
        assert!(ran.err.contains(&format!("invalid value '{height}' for '--height")), "{ran:?}");
    }
}

#[test]
fn help_is_a_word_as_well() {
    let env = TestEnv::furnished();
    for (words, option) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "check"], &["check", "--help"]),
        (&["help", "project", "put"], &["project", "put", "--help"]),
    ] {
        assert_eq!(env.run(words).ended(0).out(), env.run(option).ended(0).out(), "{words:?}");
    }
    assert!(env.run(&["help", "pdf"]).ended(2).err.contains("there is no command `pdf`"));
}

#[test]
fn a_word_too_many_and_an_option_of_another_command_are_told() {
    let env = TestEnv::furnished();
    for (arguments, told) in [
        (
            &["share", "a", "b", "--to", "pi"][..],
            "`share` takes one SKILL at a time: `b` is one too many",
        ),
        (&["unshare", "a", "b", "--from", "pi"], "`unshare` takes one SKILL at a time: `b` is"),
        (
            &["permit", "allow", "a", "b"],
            "`permit` takes one EFFECT and one PATTERN|SKILL at a time",
        ),
        (&["undo", "1", "2"], "`undo` takes one NUMBER at a time: `2` is one too many"),
        (&["run", "a", "b.sh", "one"], "`run`: `one` must stand behind `--`"),
        (
            &["unshare", "a", "--to", "pi"],
            "`unshare` has no option --to\n  its option is --from HOST",
        ),
        (
            &["share", "a", "--from", "pi"],
            "`share` has no option --from\n  its option is --to HOST",
        ),
        (&["verify", "a"], "`verify` takes no words: `a`"),
    ] {
        let ran = env.run(arguments).ended(2);
        assert!(ran.err.starts_with(&format!("skillpick: {told}")), "{ran:?}");
    }
}

#[test]
fn a_skill_that_is_named_twice_is_switched_once() {
    let env = TestEnv::furnished();
    let ran = env.run(&["disable", "pdf-forms", "pdf-forms"]).ended(0);
    assert!(ran.err.starts_with("skillpick: pdf-forms off: "), "{ran:?}");
}

#[test]
fn a_rule_that_an_agent_cannot_have_and_a_key_of_another_kind_are_told() {
    let env = TestEnv::furnished();
    let ran =
        env.run(&["permit", "deny", "skill:pdf", "--host", "claude", "--in", "user"]).ended(1);
    assert!(ran.err.contains("Claude Code takes no rule that says this of such a name"), "{ran:?}");
    env.skill("home/.gemini/skills", "mine", "My own.");
    env.write("home/.gemini/settings.json", "{\n  \"skills\": {\"disabled\": \"x\"}\n}\n");
    let ran = env.run(&["disable", "mine", "--host", "gemini", "--in", "user"]).ended(2);
    let told = "gemini/settings.json: the settings file cannot be edited: \
                line 2: `skills.disabled` is a text, where a list must be";
    assert!(ran.err.contains(told), "{ran:?}");
}

#[test]
fn the_settings_choose_the_format_and_the_option_overrules_them() {
    let env = TestEnv::furnished();
    env.settings("format = \"name\"\n");
    assert_eq!(env.run(&["-f", "pdf"]).ended(0).out(), "pdf-forms\n");
    assert_eq!(env.run(&["-f", "pdf", "--format", "slash"]).ended(0).out(), "/pdf-forms\n");
}

#[test]
fn no_multi_prints_the_best_one_only() {
    let env = TestEnv::furnished();
    assert_eq!(env.run(&["-f", "", "--format", "name"]).ended(0).out().lines().count(), 2);
    assert_eq!(
        env.run(&["-f", "", "--format", "name", "--no-multi"]).ended(0).out().lines().count(),
        1
    );
}

#[test]
fn no_match_says_that_all_skills_are_switched_off() {
    let env = TestEnv::furnished();
    env.settings("[skills]\nenabled = false\n");
    let ran = env.run(&["-f", "pdf"]).ended(1);
    assert!(ran.err.contains("switched off") && ran.err.contains("config.toml:3"), "{ran:?}");
}

#[test]
fn select_1_picks_no_skill_that_matches_only_in_its_body() {
    let env = TestEnv::furnished();
    // Only one skill's body has the word: the picker would open, and without a terminal that is an
    // error.
    let ran = env.run(&["-q", "quokka", "-1"]).ended(2);
    assert!(ran.out().is_empty() && ran.err.contains("terminal"), "{ran:?}");
    assert_eq!(env.run(&["-q", "pdf-forms", "-1"]).ended(0).out().trim(), "$pdf-forms");
}

#[test]
fn body_matches_do_not_stop_select_1_from_picking_a_name_match() {
    let env = TestEnv::furnished();
    env.raw_skill("repo/.agents/skills/other", "name: other\ndescription: x", "See pdf-forms.");
    assert_eq!(env.run(&["-q", "pdf-forms", "-1"]).ended(0).out().trim(), "$pdf-forms");
}
