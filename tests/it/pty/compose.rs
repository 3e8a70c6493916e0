//! A prompt that is written in the real program: sent, kept, edited elsewhere, and refused.

use super::drafts::draft;
use super::setup::Setup;
use super::terminal::{Terminal, eventually};
use crate::env::TestEnv;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

/// Codex and Claude Code are here, and both look at `pdf-forms`.
pub(super) fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write("home/.codex/config.toml", "");
    env.write("home/.claude/settings.json", "{}\n");
    env.skill("repo/.agents/skills", "pdf-forms", "Fills forms.");
    env.skill("repo/.agents/skills", "release-notes", "Writes them.");
    fs::create_dir_all(env.at("repo/.claude/skills")).unwrap();
    let link = env.at("repo/.claude/skills/pdf-forms");
    std::os::unix::fs::symlink("../../.agents/skills/pdf-forms", link).unwrap();
    env
}

/// Starts compose with these options; what it prints is in `repo/out`.
pub(super) fn start(env: &TestEnv, options: &str) -> Terminal {
    start_as(Setup::sh(env, &format!("skillpick compose {options} >out; echo ended $?")))
}

pub(super) fn start_as(setup: Setup) -> Terminal {
    let terminal = setup.start();
    terminal.see("to ▸ ");
    terminal
}

pub(super) fn end(mut terminal: Terminal, code: u32) {
    terminal.see(&format!("ended {code}"));
    terminal.exit();
    terminal.assert_restored();
}

/// Chooses a skill whose name begins with these letters.
pub(super) fn choose(terminal: &Terminal, letters: &str, name: &str) {
    terminal.type_keys(&format!("${letters}"));
    terminal.see_current(name);
    terminal.type_keys("<enter>");
    terminal.see(&format!("[{name}]"));
}

/// As Enter in the list is about all skills.
#[test]
#[cfg(debug_assertions)]
fn a_name_that_is_completed_while_skills_are_read_is_the_best_of_all() {
    let env = env();
    for number in 0..200 {
        env.skill("repo/.agents/skills", &format!("a-pdf-{number}"), "d");
    }
    env.skill("home/.agents/skills", "pdf", "d");
    let setup = Setup::sh(&env, "skillpick compose --host agents >out; echo ended $?");
    let terminal = start_as(setup.env("SKILLPICK_FAILPOINT", "slow-scan"));
    terminal.type_keys("$pdf<tab>");
    terminal.see("[pdf]");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert!(env.read("repo/out").starts_with("$pdf"), "{}", env.read("repo/out"));
}

#[test]
fn a_prompt_is_printed_as_its_target_calls_skills() {
    for (keys, expected) in
        [("", "Use $pdf-forms now\nand more\n"), ("<tab>", "Use /pdf-forms now\nand more\n")]
    {
        let env = env();
        let terminal = start(&env, "--for codex");
        terminal.see("to ▸ codex");
        terminal.type_keys("Use ");
        choose(&terminal, "pdff", "pdf-forms");
        terminal.type_keys("now<^j>and more");
        terminal.type_keys(keys);
        terminal.type_keys("<enter>");
        end(terminal, 0);
        assert_eq!(env.read("repo/out"), expected);
        assert_eq!(draft(&env), None, "what was sent is no draft any more");
    }
}

#[test]
fn with_inject_the_texts_stand_before_the_prompt_as_resolve_prints_them() {
    let env = env();
    let terminal = start(&env, "--for codex --inject");
    terminal.type_keys("Use ");
    choose(&terminal, "pdff", "pdf-forms");
    terminal.type_keys("now, not $release-notes");
    terminal.see_current("release-notes");
    terminal.type_keys("<esc>");
    terminal.see("keep draft");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    let out = env.read("repo/out");
    assert!(out.starts_with("<skill_context"), "{out}");
    assert!(out.ends_with("\n\nUse pdf-forms now, not $release-notes\n"), "{out}");
    assert_eq!(out.matches("<skill_context").count(), 1, "typed text stays text: {out}");
}

#[test]
fn the_editor_gets_links_in_a_private_file_and_pills_survive() {
    let env = env();
    let script = "stat -c %a \"$1\" >\"$HOME/mode\"; cp \"$1\" \"$HOME/given\"; \
                  printf 'First, %s\\n' \"$(cat \"$1\")\" >\"$1\"";
    let editor = env.write("editor", script);
    let line = "skillpick compose --for codex >out; echo ended $?";
    let setup = Setup::sh(&env, line).env("EDITOR", &format!("/bin/sh {}", editor.display()));
    let terminal = start_as(setup);
    terminal.type_keys("use ");
    choose(&terminal, "pdff", "pdf-forms");
    terminal.type_keys("now<^e>");
    terminal.see("First, use [pdf-forms] now");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "First, use $pdf-forms now\n");
    let path = env.at("repo/.agents/skills/pdf-forms/SKILL.md");
    assert_eq!(env.read("home/given"), format!("use [$pdf-forms]({}) now", path.display()));
    assert_eq!(env.read("home/mode"), "600\n");
}

#[test]
fn as_an_editor_of_an_agent_it_writes_its_file_for_the_agent_that_called_it() {
    let env = env();
    let (program, prompt) = (super::setup::PROGRAM, env.write("prompt", "use "));
    // The agent's program stays in between, as a shell that is not the last command does.
    let script = format!("#!/bin/sh\n'{program}' compose --edit '{}'; exit $?\n", prompt.display());
    let agent = env.write("bin/claude", script);
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let editor = env.write("editor", "printf ' edited' >>\"$1\"");
    let line = format!("'{}'; echo ended $?", agent.display());
    let begin = || {
        let editor = format!("/bin/sh {}", editor.display());
        let setup = Setup::sh(&env, &line).env("VISUAL", &format!("{program} compose --edit"));
        start_as(setup.env("EDITOR", &editor))
    };
    let terminal = begin();
    terminal.see("to ▸ claude");
    terminal.see("put it back");
    terminal.type_keys("<esc>");
    end(terminal, 0);
    assert_eq!(env.read("prompt"), "use ");
    assert_eq!(draft(&env), None, "the agent still has the text");
    let terminal = begin();
    terminal.see("to ▸ claude");
    choose(&terminal, "pdff", "pdf-forms");
    terminal.type_keys("now");
    terminal.see("now");
    terminal.type_keys("<^e>");
    terminal.see("now edited");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert_eq!(env.read("prompt"), "use /pdf-forms now edited");
    let terminal = begin();
    terminal.see("now edited");
    terminal.type_keys("<alt-a><backspace>");
    terminal.see("Write the prompt");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert_eq!(env.read("prompt"), "");
    fs::remove_file(&prompt).unwrap();
    fs::create_dir(&prompt).unwrap();
    let mut terminal = Setup::sh(&env, &line).start();
    terminal.see("Is a directory");
    terminal.see("ended 2");
    terminal.exit();
}

#[test]
fn an_edited_file_keeps_the_line_ends_that_all_of_its_lines_have() {
    for (before, after) in [
        ("one\r\ntwo", "one\r\ntwo\r\n!"),
        ("one\r\ntwo\r\n", "one\r\ntwo\r\n!\r\n"),
        ("one\ntwo\n", "one\ntwo\n!\n"),
        ("one\r\ntwo\nthree", "one\ntwo\nthree\n!"),
    ] {
        let env = env();
        let file = env.write("prompt", before);
        let terminal = start(&env, &format!("--edit '{}'", file.display()));
        terminal.type_keys("<^j>!<enter>");
        end(terminal, 0);
        assert_eq!(env.read("prompt"), after);
    }
}

#[test]
fn a_file_that_nobody_changed_keeps_every_byte_and_what_is_left_out_is_said() {
    let env = env();
    let before = "a\u{1b}[31mb\u{7} c\r\nd\n";
    let file = env.write("prompt", before);
    for (keys, after) in [("<enter>", before), ("!<enter>", "a[31mb c\nd!\n")] {
        let terminal = start(&env, &format!("--for claude --edit '{}'", file.display()));
        terminal.see("2 control characters were left out");
        terminal.type_keys(keys);
        end(terminal, 0);
        assert_eq!(env.read("prompt"), after);
    }
}

#[test]
fn an_edited_file_is_no_pipe_that_nobody_writes_to() {
    let env = env();
    let line = "mkfifo pipe; skillpick compose --edit pipe; echo ended $?";
    let mut terminal = Setup::sh(&env, line).start();
    terminal.see("pipe is no regular file");
    terminal.see("ended 2");
    terminal.exit();
}

#[test]
fn a_skill_that_vanished_or_was_switched_off_is_said_at_sending_and_nothing_is_lost() {
    let env = env();
    let terminal = start(&env, "--for codex");
    choose(&terminal, "pdff", "pdf-forms");
    let folder = env.at("repo/.agents/skills/pdf-forms");
    fs::write(
        env.at("home/.codex/config.toml"),
        format!(
            "[[skills.config]]\npath = \"{}\"\nenabled = false\n",
            folder.join("SKILL.md").display()
        ),
    )
    .unwrap();
    terminal.type_keys("<f5>");
    terminal.see("pdf-forms is off there");
    terminal.type_keys("<enter>");
    terminal.see("turn it on, or remove it from the prompt");
    fs::remove_dir_all(folder).unwrap();
    terminal.type_keys("<f5>");
    terminal.see("pdf-forms is gone");
    terminal.type_keys("<enter>");
    terminal.see("is not there any more");
    terminal.type_keys("<backspace><backspace>without it<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "without it\n");
}

#[test]
fn exec_starts_the_agent_with_the_prompt_as_one_argument() {
    let env = env();
    let program = "#!/bin/sh\nprintf '<%s>' \"$@\" >\"$HOME/arguments\"\nstty -a >\"$HOME/modes\"\n\
                   echo $$ >\"$HOME/pid\"\nread line\n";
    let file = env.write("bin/codex", program);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", env.text("bin"), std::env::var("PATH").unwrap());
    let setup = Setup::new(&env, &["compose", "--for", "codex", "--exec"]).env("PATH", &path);
    let mut terminal = start_as(setup);
    terminal.see("starts it");
    let prompt = "--help; `touch broken` $(touch broken) 'a' \"b\" ";
    terminal.paste(prompt);
    choose(&terminal, "pdff", "pdf-forms");
    terminal.type_keys("<^j>end<enter>");
    eventually("the agent", || {
        // It is made empty first.
        fs::read_to_string(env.at("home/pid")).is_ok_and(|text| text.ends_with('\n'))
    });
    let expected = format!("<--><{prompt}$pdf-forms \nend>");
    assert_eq!(env.read("home/arguments"), expected);
    assert_eq!(env.read("home/pid").trim(), terminal.pid().to_string(), "it takes our place");
    assert!(env.read("home/modes").contains(" echo "), "the terminal is as it was found");
    assert!(!env.at("repo/broken").exists());
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
    terminal.assert_restored();
}

#[test]
fn an_agent_that_is_not_installed_is_said_and_the_draft_stays() {
    let env = env();
    let terminal = start(&env, "--for codex --exec");
    terminal.type_keys("hello<enter>");
    terminal.see("Codex is not installed");
    terminal.type_keys("<esc>");
    end(terminal, 130);
    assert!(draft(&env).unwrap().contains("hello"));
}

#[test]
fn a_text_is_taken_from_an_option_or_stdin_and_what_is_too_large_is_refused() {
    let env = env();
    let terminal = start(&env, "--text '-x y'");
    terminal.see("-x y");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "-x y\n");
    let line = "printf 'a\\nb\\n' | skillpick compose --file - >out; echo ended $?";
    let terminal = start_as(Setup::sh(&env, line));
    terminal.type_keys("c<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "a\nbc\n");
    let line =
        "head -c 10000000 /dev/zero | tr '\\0' x | skillpick compose --file -; echo ended $?";
    let mut terminal = Setup::sh(&env, line).start();
    terminal.see("a prompt has at most 4.2 MB");
    terminal.see("ended 2");
    terminal.exit();
}

#[test]
fn a_paste_that_is_too_large_is_refused_as_a_whole() {
    let env = env();
    let terminal = start(&env, "");
    terminal.type_keys("kept");
    terminal.see("kept");
    terminal.paste(&"x".repeat(10_000_000));
    terminal.see("not taken: a prompt has at most 4.2 MB");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "kept\n");
}

#[test]
fn without_a_screen_it_is_said_what_to_do() {
    let env = env();
    let line = "ACCESSIBLE=1 skillpick dock; echo ended $?";
    let mut terminal = Setup::sh(&env, line).env("TMUX_PANE", "%0").start();
    terminal.see("the dock needs a screen");
    terminal.see("skillpick compose --linear");
    terminal.see("ended 2");
    terminal.exit();
    let mut terminal = Setup::sh(&env, "skillpick dock --help; echo ended $?").start();
    terminal.see("ended 0");
    assert!(!terminal.text().contains("--linear"), "the dock has no such option");
    terminal.exit();
}

#[test]
fn a_file_that_cannot_be_written_keeps_its_text_and_the_prompt_is_not_lost() {
    let env = env();
    let file = env.write("prompt", "my prompt").display().to_string();
    // No file may grow, as on a full disk: neither this one nor that of the draft.
    let line =
        format!("trap '' XFSZ; ulimit -f 0; skillpick compose --edit '{file}'; echo ended $?");
    let mut terminal = start_as(Setup::sh(&env, &line));
    terminal.type_keys(", longer<enter>");
    terminal.see("ended 2");
    terminal.see("my prompt, longer");
    terminal.see("no space is left");
    assert_eq!(env.read("prompt"), "my prompt");
    terminal.exit();
}

#[test]
fn a_file_in_a_folder_that_takes_no_other_is_written_in_place() {
    let env = env();
    let file = env.write("closed/prompt", "my prompt");
    let folder = fs::metadata(env.at("closed")).unwrap().permissions();
    fs::set_permissions(env.at("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    let terminal = start(&env, &format!("--edit '{}'", file.display()));
    terminal.type_keys(", longer<enter>");
    end(terminal, 0);
    assert_eq!(env.read("closed/prompt"), "my prompt, longer");
    fs::set_permissions(env.at("closed"), folder).unwrap();
}

/// A key is wanted on the screen within 16 ms among 10,000 skills, and a paste of 1 MB within 50 ms.
/// The program is not optimised here, and not alone: what is wrong takes seconds.
#[test]
fn keys_are_answered_among_very_many_skills_and_after_a_large_paste() {
    let env = env();
    for number in 0..10_000 {
        let folder = env.at(format!("repo/.agents/skills/group-{}/many-{number}", number / 500));
        fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: many-{number}\ndescription: One of many.\n---\nText.\n");
        fs::write(folder.join("SKILL.md"), text).unwrap();
    }
    let terminal = start(&env, "--for codex");
    let frame = |keys: &str| {
        let (from, begun) = (terminal.mark(), Instant::now());
        terminal.type_keys(keys);
        terminal.see_bytes(from, b"\x1b[?2026l");
        begun.elapsed()
    };
    terminal.type_keys("$many");
    terminal.see_current("many-");
    let mut times: Vec<Duration> = ["-", "9", "9", "9", "8", "<backspace>", "7"].map(frame).into();
    terminal.see_current("many-9997");
    terminal.type_keys("<enter>");
    terminal.see("[many-9997]");
    let line = "A line of a large text that somebody pastes, with some words in it.\n";
    let text = line.repeat(1_000_000 / line.len());
    let begun = Instant::now();
    terminal.paste(&(text + "the end"));
    terminal.see("the end");
    let pasted = begun.elapsed();
    assert!(pasted < Duration::from_secs(5), "{pasted:?}");
    times.extend(["x", "<up>", "y", "<down>", "<backspace>", "z"].map(frame));
    terminal.type_keys("<alt-a>");
    terminal.paste(&("one line ".repeat(100_000) + "ended."));
    terminal.see("ended.");
    times.extend(["x", "<up>", "y", "<down>", "<backspace>", "z"].map(frame));
    times.sort();
    let slow = times[times.len() * 9 / 10];
    assert!(slow < Duration::from_millis(500), "{slow:?} of {times:?}");
    terminal.type_keys("<^c>");
    end(terminal, 130);
}
