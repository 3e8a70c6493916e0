//! Commands and paths that are printed to be pasted: each means what it is about, whatever is in
//! its path, or it is not printed.

use crate::env::TestEnv;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::process::Command;

/// What a shell makes of the words of a printed line behind `before`.
fn pasted(env: &TestEnv, said: &str, before: &str) -> Vec<String> {
    let line = said.lines().find_map(|line| line.trim().strip_prefix(before));
    let line = line.unwrap_or_else(|| panic!("no {before}: {said}"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("printf '%s\\n' {line}")]).current_dir(env.at("tmp"));
    let words = String::from_utf8(shell.output().unwrap().stdout).unwrap();
    words.lines().map(str::to_owned).collect()
}

/// A neighbour has the name that is shown.
#[test]
fn a_path_that_cannot_be_shown_exactly_is_in_no_command() {
    let env = TestEnv::new();
    env.raw_skill("repo/.agents/skills/ab", "name: ab\ndescription: d", "");
    fs::create_dir_all(env.at("repo/.claude/skills")).unwrap();
    for name in ["a\tb", "a^Ib"] {
        let link = env.at("repo/.claude/skills").join(name);
        symlink("../../.agents/skills/ab", &link).unwrap();
    }
    let ran = env.run(&["unshare", "ab", "--from", "claude"]).ended(1);
    assert!(ran.err.contains("by hand, since its path cannot be shown exactly"), "{ran:?}");
    assert!(!ran.err.contains("rm "), "{ran:?}");
}

#[test]
fn a_skill_whose_path_cannot_be_shown_or_typed_is_named_by_its_id() {
    let env = TestEnv::new();
    let folders = ["nl\nx", "nl^Jx"];
    for folder in folders {
        env.raw_skill(&format!("repo/.agents/skills/{folder}"), "name: dup\ndescription: d", "");
    }
    let path = |folder: &str| env.text(&format!("repo/.agents/skills/{folder}/SKILL.md"));
    for folder in folders {
        env.run(&["disable", &path(folder)]).ended(0);
    }
    let refused = env.run(&["load", &path(folders[0])]).ended(1);
    let words = pasted(&env, &refused.err, "to switch it on: skillpick ");
    env.run(&words).ended(0);
    env.run(&["load", &path(folders[0])]).ended(0);
    env.run(&["load", &path(folders[1])]).ended(1);
    // One that is not UTF-8 could not be given at all.
    let bytes = OsString::from_vec(b"bad\xff".to_vec());
    let bad = env.at("repo/.agents/skills").join(bytes);
    fs::create_dir(&bad).unwrap();
    fs::write(bad.join("SKILL.md"), "---\nname: dup\ndescription: d\n---\nBytes.\n").unwrap();
    let ran = env.run(&["show", "dup"]).ended(1);
    let line = ran.err.lines().find(|line| line.contains("bad<FF>")).unwrap();
    let id = line.split_whitespace().nth(1).unwrap();
    assert_eq!((id.len(), line.contains("(id of ")), (24, true), "{ran:?}");
    assert!(env.run(&["load", id]).ended(0).out().contains("Bytes."));
    let id = &words[1];
    let permitted = env.run(&["permit", "allow", id]).ended(0);
    let settings = env.read("home/.config/skillpick/config.toml");
    assert!(!settings.contains(id.as_str()), "a rule of the skill, not of a name: {permitted:?}");
}

#[test]
fn a_path_to_choose_runs_nothing_where_it_is_pasted() {
    let env = TestEnv::new();
    let path = |folder: &str| format!("repo/.agents/skills/{folder}");
    let folders = ["it's", "pdf$(touch PWNED)", "plain"];
    for folder in folders {
        env.raw_skill(&path(folder), "name: pdf\ndescription: d", "");
    }
    for words in [&["load", "pdf"][..], &["mention", "pdf"], &["enable", "pdf"]] {
        let ran = env.run(words).ended(1);
        let lines = ran.err.lines().filter(|line| line.starts_with("  repo  "));
        let mut pasted: Vec<_> = lines.flat_map(|line| pasted(&env, line, "repo  ")).collect();
        pasted.sort();
        let files = folders.map(|folder| env.text(&format!("{}/SKILL.md", path(folder))));
        assert_eq!(pasted, files, "{ran:?}");
    }
    assert!(!env.at("tmp/PWNED").exists());
}

#[test]
fn a_file_that_looks_like_an_option_is_approved_by_the_printed_command() {
    let env = TestEnv::new();
    env.raw_skill("repo/.agents/skills/hid", "name: hid\ndescription: d", "See -r.md.\n");
    env.write("repo/.agents/skills/hid/-r.md", "Do it.\u{202e}now\n");
    let refused = env.run(&["read", "--", "hid", "-r.md"]).ended(1);
    let words = pasted(&env, &refused.err, "to look at it: skillpick ");
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .flat_map(|word| match word {
            "--" => vec!["--yes", "--"],
            word => vec![word],
        })
        .collect();
    env.run(&words).ended(0);
    env.run(&["read", "--", "hid", "-r.md"]).ended(0);
}
