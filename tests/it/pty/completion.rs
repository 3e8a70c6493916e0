//! Completion in the real shells: names of skills, of agents and of checks.

use super::setup::{PROGRAM, Setup};
use super::terminal::Terminal;
use crate::env::TestEnv;
use crate::support::skipped;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// A shell with our completions, at its prompt. Without it that is said.
fn shell(env: &TestEnv, name: &str) -> Option<Terminal> {
    if Command::new(name).arg("--version").output().is_err() {
        skipped(&format!("{name} is not here (`just ci` installs it)"));
        return None;
    }
    fs::create_dir_all(env.at("bin")).unwrap();
    if !env.at("bin/skillpick").exists() {
        symlink(PROGRAM, env.at("bin/skillpick")).unwrap();
    }
    let bash = "PS1='ready> '\neval \"$(skillpick completions bash)\"\n";
    let zsh = "PS1='ready> '\nunsetopt prompt_sp\nautoload -Uz compinit; compinit -u\n\
               eval \"$(skillpick completions zsh)\"\n";
    let fish = "function fish_prompt; echo -n 'ready> '; end\nset -g fish_greeting\n\
                set -g fish_autosuggestion_enabled 0\nskillpick completions fish | source\n";
    let rc = env.write("home/rc", bash);
    env.write("home/.zshrc", zsh);
    env.write("home/.config/fish/config.fish", fish);
    let words: &[&str] = match name {
        "bash" => &["bash", "--rcfile", rc.to_str().unwrap(), "-i"],
        name => &[name, "-i"],
    };
    let path = format!("{}:{}", env.text("bin"), crate::support::path_without_agents().display());
    let terminal = Setup::program(env, words).env("PATH", &path).start();
    terminal.see("ready>");
    Some(terminal)
}

/// Names that a shell would take for something else.
fn with_odd_names() -> TestEnv {
    let env = TestEnv::with_four_skills();
    for (folder, name) in [
        ("blank", "two words"),
        ("colon", "plugin:thing"),
        ("run", "$(touch ran)`touch ran`;touch ran"),
        ("quote", "it's \"so\""),
        ("bell", "\"bell\\u0007rings\""),
    ] {
        let frontmatter = match folder {
            "bell" => format!("name: {name}\ndescription: d"),
            _ => format!("name: '{}'\ndescription: d", name.replace('\'', "''")),
        };
        env.raw_skill(&format!("repo/.agents/skills/{folder}"), &frontmatter, "");
    }
    env
}

#[test]
fn names_of_skills_agents_and_checks_are_completed_in_each_shell() {
    for name in ["bash", "zsh", "fish"] {
        for (typed, then, expected) in [
            ("skillpick show ze", "", "skillpick show zebra"),
            ("skillpick show pd", "m<tab>", "show pdf-merge"),
            ("skillpick disable --host cla", "", "--host claude"),
            ("skillpick check --only desc-mi", "", "--only desc-missing"),
            ("skillpick compl", "", "skillpick completions"),
        ] {
            let env = TestEnv::with_four_skills();
            let Some(terminal) = shell(&env, name) else { break };
            terminal.type_keys(typed);
            terminal.type_keys("<tab>");
            terminal.type_keys(then);
            terminal.see(expected);
        }
    }
}

#[test]
fn an_odd_name_is_completed_as_one_word_in_which_nothing_acts() {
    for name in ["bash", "zsh", "fish"] {
        for (typed, expected) in [
            ("skillpick mention two", "[$two words]"),
            ("skillpick mention plugin:t", "$plugin:thing"),
            ("skillpick mention 'two w", "[$two words]"),
            ("skillpick mention \"two w", "[$two words]"),
            ("skillpick show '$(t", "touch ran"),
            ("skillpick show it", "it's"),
        ] {
            let env = with_odd_names();
            let Some(terminal) = shell(&env, name) else { break };
            terminal.type_keys(typed);
            terminal.type_keys("<tab><enter>");
            terminal.see(expected);
            assert!(!env.at("repo/ran").exists(), "{name}: {typed}");
        }
    }
}

#[test]
fn what_odd_names_share_ends_with_no_half_of_a_sign() {
    for name in ["bash", "zsh"] {
        let env = TestEnv::with_four_skills();
        for (folder, skill) in [("one", "q$(touch ran)"), ("two", "q](y")] {
            let frontmatter = format!("name: '{skill}'\ndescription: It is {folder} of both");
            env.raw_skill(&format!("repo/.agents/skills/{folder}"), &frontmatter, "");
        }
        let Some(terminal) = shell(&env, name) else { continue };
        terminal.type_keys("skillpick show q<tab>");
        terminal.type_keys("\\]<tab><enter>");
        terminal.see("It is two of both");
        assert!(!env.at("repo/ran").exists(), "{name}");
    }
}

#[test]
fn a_name_with_control_characters_is_left_out_and_others_are_escaped_for_bash() {
    let env = with_odd_names();
    let complete = |before: &str, word: &str| {
        let words = ["complete", "--shell", "bash", "--before", before, "--word", word];
        env.run(&words).ended(0).out().to_owned()
    };
    assert_eq!(complete("skillpick show be", "be"), "");
    assert_eq!(complete("skillpick show two", "two"), "two\\ words\n");
    assert_eq!(complete("skillpick show plugin:t", "t"), "thing\n");
    assert_eq!(complete("skillpick show \"it", "it"), "it's \\\"so\\\"\n");
    env.raw_skill("repo/.agents/skills/q1", "name: 'q$x'\ndescription: d", "");
    env.raw_skill("repo/.agents/skills/q2", "name: 'q]x'\ndescription: d", "");
    let mut both: Vec<String> =
        complete("skillpick show q", "q").lines().map(str::to_owned).collect();
    both.sort();
    assert!(both[0].starts_with("q''\\") != both[1].starts_with("q''\\"), "{both:?}");
    let acts = complete("skillpick show '$(", "$(");
    assert_eq!(acts, "$(touch ran)`touch ran`;touch ran\n");
    let acts = complete("skillpick show \\$", "\\$");
    assert_eq!(acts, "\\$\\(touch\\ ran\\)\\`touch\\ ran\\`\\;touch\\ ran\n");
    assert!(complete("cd /; sudo skillpick -C . show ze", "ze").starts_with("zebra"));
    assert!(complete("sp show ze", "ze").starts_with("zebra"));
    assert_eq!(complete("skillpick --host claude show ze", "ze"), "");
}

#[test]
fn a_name_that_begins_with_a_dash_is_offered_where_it_is_no_option() {
    let env = TestEnv::with_four_skills();
    env.raw_skill("repo/.agents/skills/dash", "name: '-dash'\ndescription: d", "");
    for (before, expected) in [
        ("skillpick show -d", ""),
        ("skillpick show -- -d", "-dash\n"),
        ("skillpick -C . show -- -d", "-dash\n"),
        ("skillpick show -- ze", "zebra\n"),
    ] {
        let word = format!("--word={}", before.rsplit(' ').next().unwrap());
        let words = ["complete", "--shell", "bash", "--before", before, &word];
        assert_eq!(env.run(&words).ended(0).out(), expected, "{before}");
    }
    // Short options that are known are joined.
    let words = ["complete", "--shell", "fish", "--before", "skillpick show -h"];
    assert!(env.run(&words).ended(0).out().contains("-hC\t"));
}

#[test]
fn paths_the_codes_that_can_be_mended_and_skills_beside_paths_are_completed() {
    let env = TestEnv::with_four_skills();
    env.write("repo/docs/note.txt", "x");
    env.write("repo/inner/deep/x", "x");
    let complete = |before: &str| {
        let words = ["complete", "--shell", "fish", "--before", before];
        env.run(&words).ended(0).out().to_owned()
    };
    for (before, wanted) in [
        ("skillpick check .ag", ".agents/\t"),
        ("skillpick check ze", "zebra\t"),
        ("skillpick permit deny ze", "zebra\t"),
        ("skillpick -C inn", "inner/\t"),
        ("skillpick --config docs/n", "docs/note.txt\t"),
        ("skillpick compose --file docs/n", "docs/note.txt\t"),
        ("skillpick project put x --from inn", "inner/\t"),
        ("skillpick -C inner check de", "deep/\t"),
        ("skillpick -C inner --config docs/n", "docs/note.txt\t"),
        ("skillpick check --fix --only name-di", "name-dir-mismatch\t"),
    ] {
        assert!(complete(before).starts_with(wanted), "{before}: {}", complete(before));
    }
    // A code without a fix is refused, and a file of a skill is no file of this folder.
    for before in ["skillpick check --fix --only hidden-t", "skillpick show zebra do"] {
        assert_eq!(complete(before), "", "{before}");
    }
}
