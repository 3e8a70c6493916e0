//! The scripts of `skillpick init` in the real shells: what the keys do to a command line, and what
//! the shell makes of it. An agent that records its arguments stands in for the real ones.

use super::setup::{PROGRAM, Setup};
use super::terminal::Terminal;
use crate::env::TestEnv;
use crate::support::skipped;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A shell with our keys.
struct Kind {
    name: &'static str,
    /// Its arguments, and what it reads at its start (below home).
    arguments: &'static [&'static str],
    startup: &'static str,
    script: &'static str,
}

const BASH: Kind = Kind {
    name: "bash",
    arguments: &["--norc", "--noprofile", "--rcfile", "RC", "-i"],
    startup: "rc",
    script: "PS1='ready> '\neval \"$(skillpick init bash OPTIONS)\"\n",
};

const ZSH: Kind = Kind {
    name: "zsh",
    arguments: &["-i"],
    startup: ".zshrc",
    script: "PS1='ready> '\nunsetopt prompt_sp\neval \"$(skillpick init zsh OPTIONS)\"\n",
};

const FISH: Kind = Kind {
    name: "fish",
    arguments: &["-i"],
    startup: ".config/fish/config.fish",
    script: "function fish_prompt; echo -n 'ready> '; end\nset -g fish_greeting\n\
             set -g fish_autosuggestion_enabled 0\nskillpick init fish OPTIONS | source\n",
};

const NU: Kind = Kind {
    name: "nu",
    arguments: &["--config", "RC"],
    startup: "rc.nu",
    script: "$env.config.show_banner = false\n$env.PROMPT_COMMAND = {|| 'ready' }\n\
             $env.PROMPT_COMMAND_RIGHT = {|| '' }\nsource init.nu\n",
};

/// Every shell, with what follows for each.
const SHELLS: [&Kind; 4] = [&BASH, &ZSH, &FISH, &NU];

/// Agents that write their arguments, one a line, and `skillpick`.
fn furnish(env: &TestEnv) {
    let program = |name: &str, text: String| {
        let path = env.write(format!("bin/{name}"), text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let record = env.at("ran");
    let agent =
        format!("#!/bin/sh\nprintf '<%s>\\n' \"$@\" >> '{}'\necho agent-ran\n", record.display());
    for name in ["codex", "claude", "npx"] {
        program(name, agent.clone());
    }
    program("skillpick", format!("#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n"));
    env.write("home/.codex/config.toml", "");
    env.write("home/.claude/settings.json", "{}\n");
    env.link("repo/.agents/skills/pdf-forms", "repo/.claude/skills/pdf-forms");
}

/// Where a shell is; `None` if it is missing. The program that npm puts on the path for Nushell only
/// starts the real one, which would outlive it.
fn find(name: &str) -> Option<std::path::PathBuf> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/node_modules/@nushell");
    let built = fs::read_dir(tools).into_iter().flatten().flatten();
    let built = built.map(|package| package.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain(built);
    folders.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file()))
}

/// A shell that waits at its prompt, or `None`, said, where it is missing.
fn shell(env: &TestEnv, kind: &Kind, more: &str) -> Option<Terminal> {
    let Some(program) = find(kind.name) else {
        skipped(&format!("{} is not here (`just ci` installs it)", kind.name));
        return None;
    };
    let path = format!("{}:{}", env.text("bin"), crate::support::path_without_agents().display());
    let (options, more) = more.strip_prefix("OPTIONS ").map_or(("", more), |options| (options, ""));
    if kind.name == "nu" {
        let init = env.command(&["init", "nu"]).output().unwrap().stdout;
        env.write("home/init.nu", init);
    }
    let rc = env.write(
        format!("home/{}", kind.startup),
        format!("{}{more}\n", kind.script.replace("OPTIONS", options)),
    );
    let words: Vec<String> = [program.display().to_string()]
        .into_iter()
        .chain(kind.arguments.iter().map(|word| word.replace("RC", rc.to_str().unwrap())))
        .filter(|word| kind.name != "bash" || word != "--norc")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let terminal = Setup::program(env, &words).env("PATH", &path).env("SHELL", "/bin/sh").start();
    terminal.see("ready");
    Some(terminal)
}

/// The arguments of the agent, when it has written all of them.
fn recorded(env: &TestEnv, terminal: &Terminal) -> String {
    terminal.see("agent-ran");
    env.read("ran")
}

/// Types a line, presses the key, picks `pdf-forms`, types more and runs the line: what the agent
/// got.
#[track_caller]
fn picked(kind: &Kind, more: &str, before: &str, keys: &str) -> Option<String> {
    let env = TestEnv::with_four_skills();
    furnish(&env);
    let terminal = shell(&env, kind, more)?;
    match before.contains('\n') {
        // As a paste, the end of a line does not run it.
        true => terminal.paste(before),
        false => terminal.type_keys(before),
    }
    terminal.type_keys("<alt-m>");
    terminal.see("zebra");
    assert!(!env.at("ran").exists(), "{}: {before}: it was run", kind.name);
    terminal.type_keys("forms");
    terminal.see_current("pdf-forms");
    terminal.type_keys("<enter>");
    if before.is_empty() {
        // The line names no agent, and there are two.
        terminal.see("For which agent?");
        terminal.type_keys("<enter>");
    }
    terminal.miss("pdf-merge");
    terminal.see("ready");
    terminal.type_keys(keys);
    Some(recorded(&env, &terminal))
}

#[test]
fn a_pick_is_put_at_the_cursor_and_the_agent_gets_it_unexpanded() {
    let cases = [
        ("codex ", "review<enter>", "<$pdf-forms review>\n"),
        ("", "<^a>codex <enter>", "<$pdf-forms >\n"),
        ("claude -p ", "x<enter>", "<-p>\n</pdf-forms x>\n"),
        ("env X=1 codex ", "x<enter>", "<$pdf-forms x>\n"),
        ("npx @openai/codex ", "x<enter>", "<@openai/codex>\n<$pdf-forms x>\n"),
        ("codex 'it! ", "on'<enter>", "<it! $pdf-forms on>\n"),
        ("codex \"use now\"<left><left><left><left><left>", "<enter>", "<use $pdf-forms now>\n"),
        ("codex \"ünï 日本 \"<left>", "x<enter>", "<ünï 日本 $pdf-forms x>\n"),
        ("codex -m y \"a\n\nb ", "\"<enter>", "<-m>\n<y>\n<a\n\nb $pdf-forms >\n"),
    ];
    for kind in SHELLS {
        for (before, keys, expected) in cases {
            let Some(got) = picked(kind, "", before, keys) else { break };
            assert_eq!(got, expected, "{}: {before}", kind.name);
        }
    }
}

#[test]
fn the_keys_work_in_vi_mode_with_strict_options_and_read_twice() {
    let again = |kind: &Kind| format!("eval \"$(skillpick init {})\"\n", kind.name);
    for (kind, more) in [
        (&BASH, format!("set -o vi; set -euo pipefail\n{}", again(&BASH))),
        (
            &ZSH,
            format!(
                "bindkey -v; setopt ksharrays shwordsplit errexit nounset noglob\n{}",
                again(&ZSH)
            ),
        ),
        (&FISH, "fish_vi_key_bindings\nskillpick init fish | source\n".to_owned()),
    ] {
        let Some(got) = picked(kind, &more, "codex ", "x<enter>") else { continue };
        assert_eq!(got, "<$pdf-forms x>\n", "{}", kind.name);
    }
}

#[test]
fn escape_leaves_line_and_cursor_as_they_were_and_nothing_runs() {
    for kind in SHELLS {
        let env = TestEnv::with_four_skills();
        furnish(&env);
        let Some(terminal) = shell(&env, kind, "") else { continue };
        terminal.type_keys("codex 'a $b \"c\" é'<left><left><left>");
        for (key, shows) in [("<alt-m>", "zebra"), ("<alt-s>", "to ▸ codex")] {
            terminal.type_keys(key);
            terminal.see(shows);
            let from = terminal.mark();
            terminal.type_keys("<esc>");
            // The picker itself may still draw the word.
            terminal.miss(shows);
            terminal.see_bytes(from, b"codex");
        }
        assert!(!env.at("ran").exists(), "{}: it was run", kind.name);
        terminal.type_keys("X<enter>");
        assert_eq!(recorded(&env, &terminal), "<a $b \"c\"X é>\n", "{}", kind.name);
    }
}

#[test]
fn the_other_key_composes_the_prompt_of_the_line_and_replaces_it() {
    for kind in SHELLS {
        let env = TestEnv::with_four_skills();
        furnish(&env);
        let Some(terminal) = shell(&env, kind, "") else { continue };
        terminal.type_keys("codex -m y 'old $text'");
        terminal.type_keys("<alt-s>");
        terminal.see("to ▸ codex");
        terminal.see("old $text");
        terminal.type_keys("<alt-a>");
        terminal.paste("new it's $x `y` \"z\" !\nsecond");
        terminal.see("second");
        let from = terminal.mark();
        terminal.type_keys("<enter>");
        terminal.see_bytes(from, b"second");
        assert!(!env.at("ran").exists(), "{}: it was run", kind.name);
        terminal.type_keys("<enter>");
        let expected = "<-m>\n<y>\n<new it's $x `y` \"z\" !\nsecond>\n";
        assert_eq!(recorded(&env, &terminal), expected, "{}", kind.name);
    }
}

#[test]
fn what_is_said_stands_on_lines_of_its_own_above_the_line() {
    for kind in [&BASH, &ZSH, &FISH] {
        let env = TestEnv::with_four_skills();
        furnish(&env);
        let Some(terminal) = shell(&env, kind, "") else { continue };
        terminal.type_keys("claude \"fix $HOME it\"<left><left><left><left><alt-s>");
        terminal.see("which would be lost");
        let from = terminal.mark();
        terminal.type_keys("X");
        terminal.see_bytes(from, b"X");
        let text = terminal.still();
        let said = text.lines().position(|line| {
            line.starts_with("skillpick: the prompt holds") && line.trim_end().ends_with("lost")
        });
        let edited = text.lines().position(|line| line.contains("ready> claude \"fix $HOMEX it\""));
        assert!(said.is_some() && edited > said, "{}: {text}", kind.name);
    }
}

#[test]
fn a_prompt_that_the_picker_composed_keeps_its_lines() {
    for kind in [&BASH, &ZSH, &FISH] {
        let env = TestEnv::with_four_skills();
        furnish(&env);
        let Some(terminal) = shell(&env, kind, "") else { continue };
        terminal.type_keys("codex <alt-m>");
        terminal.see("zebra");
        terminal.type_keys(">");
        terminal.see("to ▸ codex");
        terminal.type_keys("one<^j>it's");
        terminal.see("it's");
        let from = terminal.mark();
        terminal.type_keys("<enter>");
        terminal.see_bytes(from, b"it");
        terminal.type_keys("x<enter>");
        assert_eq!(recorded(&env, &terminal), "<one\nit's x>\n", "{}", kind.name);
    }
}

#[test]
fn zsh_composes_no_prompt_that_begins_in_a_line_above() {
    let env = TestEnv::with_four_skills();
    furnish(&env);
    let Some(terminal) = shell(&env, &ZSH, "") else { return };
    terminal.type_keys("codex \"a<enter>");
    terminal.see("dquote>");
    terminal.type_keys("b<alt-s>");
    terminal.see("can no longer be changed");
    terminal.type_keys("c\"<enter>");
    assert_eq!(recorded(&env, &terminal), "<a\nbc>\n");
}

#[test]
fn a_script_that_is_not_interactive_may_read_the_integration() {
    let env = TestEnv::new();
    furnish(&env);
    for (name, line) in [
        ("bash", "set -eu; eval \"$(skillpick init bash)\"; echo fine"),
        ("zsh", "set -eu; eval \"$(skillpick init zsh)\"; echo fine"),
        ("fish", "skillpick init fish | source; echo fine"),
        (
            // As in bash 3.2.
            "bash",
            "enable -n compopt; eval \"$(skillpick completions bash)\"; cd /; \
             COMP_LINE='skillpick -C us'; COMP_POINT=${#COMP_LINE}; _skillpick_complete x us x; \
             [[ ${COMPREPLY[0]} == usr/ ]] && echo fine",
        ),
    ] {
        let Some(program) = find(name) else { continue };
        let path = format!("{}:/usr/bin:/bin", env.text("bin"));
        let mut command = Command::new(program);
        command.args(["-c", line]).env_clear().env("PATH", path).env("HOME", env.at("home"));
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "fine\n", "{name}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    }
}

#[test]
fn the_popup_of_tmux_types_the_mention_into_the_pane_below_and_no_enter() {
    let env = TestEnv::with_four_skills();
    furnish(&env);
    if find("tmux").is_none() {
        return skipped("tmux is not here (`just ci` installs it)");
    }
    // The agent asks for marks around what is pasted, and shows what it reads.
    for (name, pane, expected) in [
        ("codex", "codex", "[200~$pdf-forms ^[[201~"),
        ("claude", "claude", "[200~/pdf-forms ^[[201~"),
        ("a shell", "sh", "ready> '$pdf-forms' "),
    ] {
        for agent in ["codex", "claude"] {
            let script = "#!/bin/sh\nprintf '\\033[?2004hready> '\nstty -icanon -echo\ncat -v\n";
            env.write(format!("bin/{agent}"), script);
        }
        if name == "a shell" {
            // There is one agent alone, so nothing is asked.
            fs::remove_dir_all(env.at("home/.claude")).unwrap();
            fs::remove_dir_all(env.at("repo/.claude")).unwrap();
            fs::remove_file(env.at("bin/claude")).unwrap();
        }
        let init = env.command(&["init", "tmux"]).output().unwrap().stdout;
        let conf = [b"set -g status off\nset -sg escape-time 0\n", &init[..]].concat();
        let conf = env.write("tmux.conf", conf);
        let socket = env.text(&format!("socket-{pane}"));
        let path = format!("{}:/usr/bin:/bin", env.text("bin"));
        let words = ["tmux", "-S", &socket, "-f", conf.to_str().unwrap(), "new-session", pane];
        let prompt = env.write("prompt.sh", "PS1='ready> '\n");
        let setup = Setup::program(&env, &words).env("PATH", &path);
        let mut terminal = setup.env("ENV", prompt.to_str().unwrap()).start();
        terminal.see("ready>");
        terminal.type_keys("<alt-m>");
        terminal.see("zebra");
        terminal.type_keys("forms");
        terminal.see("pdf-forms");
        terminal.miss("zebra");
        terminal.type_keys("<enter>");
        terminal.see(expected);
        assert!(!terminal.text().contains("\n$ "), "{}", terminal.text());
        let kill = Command::new("tmux").args(["-S", &socket, "kill-server"]).status().unwrap();
        assert!(kill.success());
        terminal.exit();
    }
}

#[test]
fn the_scripts_are_sound_and_say_their_keys() {
    let env = TestEnv::new();
    for (shell, keys) in [
        ("bash", ["\\C-g", "\\ey"]),
        ("zsh", ["^G", "^[y"]),
        ("fish", ["\\cg", "\\ey"]),
        ("nu", ["modifier: control keycode: char_g", "modifier: alt keycode: char_y"]),
        ("powershell", ["'Ctrl+g'", "'Alt+y'"]),
    ] {
        let other = env.run(&["init", shell, "--key", "ctrl-g", "--compose-key", "alt-y"]).ended(0);
        assert!(keys.iter().all(|key| other.out().contains(key)), "{}", other.out());
        assert!(!other.out().contains('@'), "{}", other.out());
        let without = env.run(&["init", shell, "--no-keys"]).ended(0);
        assert!(without.out().contains("_skillpick_line"), "{}", without.out());
        assert!(keys.iter().all(|key| !without.out().contains(key)), "{}", without.out());
    }
    for bad in ["ctrl-m", "alt-M", "f1", "alt-é", "alt-"] {
        let ran = env.run(&["init", "bash", "--key", bad]);
        assert_eq!(ran.code, 2, "{bad}");
    }
    assert_eq!(env.run(&["init", "zsh", "--key", "alt-s"]).code, 2, "one key for both");
    for (integration, option) in [("tmux", "--compose-key"), ("pi", "--key"), ("opencode", "--key")]
    {
        let ran = env.run(&["init", integration, option, "alt-x"]).ended(2);
        assert!(ran.err.contains("binds no such key"), "{ran:?}");
    }
    match Command::new("shellcheck").arg("--version").output() {
        Err(_) => skipped("shellcheck is not here (`just ci` installs it)"),
        Ok(_) => {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/shell/init.bash");
            let ran = Command::new("shellcheck").args(["-s", "bash"]).arg(script).output().unwrap();
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
        }
    }
    if find("pwsh").is_none() {
        skipped("PowerShell is not here, so its keys are not tried (pwsh on PATH)");
    }
}
