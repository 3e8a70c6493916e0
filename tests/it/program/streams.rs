//! stdout and stderr that are closed, full or no terminal (L4).

use crate::env::{TestEnv, bar};
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let env = TestEnv::new();
    for number in 0..800 {
        env.skill("repo/.agents/skills", &format!("skill-{number:03}"), &"long ".repeat(40));
    }
    for arguments in [
        ["list", "--json"].as_slice(),
        &["list"],
        &["check", "--json"],
        &["-f", "", "--format", "block"],
    ] {
        let mut child =
            env.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 1];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn check_ends_with_its_verdict_also_where_its_reader_had_enough() {
    let env = TestEnv::new();
    for number in 0..800 {
        let folder = format!("repo/x/skill-{number:03}");
        env.write(format!("{folder}/SKILL.md"), format!("---\nname: n\n---\n{number}\n"));
    }
    for arguments in [
        ["check", "x"].as_slice(),
        &["check", "x", "--json"],
        &["check", "x", "--format", "github"],
        &["check", "x", "--fix", "--dry-run", "--only", "name-dir-mismatch"],
    ] {
        let mut child =
            env.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 1];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    }
    // Where all of it is still in memory when the reader goes.
    let mut child = env.command(&["check", "x/skill-000"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_clear_error() {
    let env = TestEnv::furnished();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = env.command(&["list"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(err.starts_with("skillpick: stdout cannot be written: "), "{err}");
}

/// How a shell starts it, the exit code, and what is said.
#[cfg(target_os = "linux")]
const STARTS: [(&str, i32, &str); 22] = [
    ("list >&-", 0, ""),
    ("list --json >&-", 0, ""),
    ("show pdf-forms >&-", 0, ""),
    ("list 2>&-", 0, ""),
    ("list <&-", 0, ""),
    ("list <&- >&- 2>&-", 0, ""),
    ("list </dev/null", 0, ""),
    ("list --json >/dev/full", 2, "stdout cannot be written"),
    ("show pdf-forms >/dev/full", 2, "stdout cannot be written"),
    ("load pdf-forms >/dev/full", 2, "stdout cannot be written"),
    ("-f pdf-forms >/dev/full", 2, "stdout cannot be written"),
    ("-1 -q pdf-forms >/dev/full", 2, "stdout cannot be written"),
    ("--help >/dev/full", 2, "stdout cannot be written"),
    ("list 2>/dev/full", 0, ""),
    ("no-such-command 2>/dev/full", 2, ""),
    ("no-such-command 2>&-", 2, ""),
    ("serve <&-", 0, ""),
    ("serve </dev/null >/dev/full", 0, ""),
    ("TERM= list", 0, ""),
    ("TERM= ", 2, "TERM is unset or dumb"),
    ("TERM=dumb </dev/null", 2, "TERM is unset or dumb"),
    ("TERM=dumb -f pdf-forms <&-", 0, ""),
];

#[cfg(target_os = "linux")]
#[test]
fn every_way_to_start_has_its_exit_code_and_never_panics() {
    let env = TestEnv::furnished();
    for (start, code, said) in STARTS {
        let program = env.command(&[""; 0]);
        let (variable, line) = match start.split_once(' ') {
            Some((variable, line)) if variable.starts_with("TERM=") => (variable, line),
            _ => ("", start),
        };
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{variable} \"$0\" {line}")]).arg(program.get_program());
        shell.env_clear().current_dir(env.at("repo")).stdin(Stdio::null());
        shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = shell.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{start}: {err}");
        assert!(err.contains(said) && !err.contains("panic"), "{start}: {err}");
        assert_eq!(err.is_empty(), said.is_empty(), "{start}: {err}");
        bar::tried(1);
    }
}

#[test]
fn without_a_terminal_the_picker_says_what_works() {
    let env = TestEnv::furnished();
    for term in ["dumb", ""] {
        let output = env.command(&[""; 0]).env("TERM", term).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), b"".as_slice()));
        assert!(
            err.contains("TERM is unset or dumb") && err.contains("skillpick list, search QUERY"),
            "{err}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_controlling_terminal_the_picker_is_refused() {
    let env = TestEnv::furnished();
    // A session of its own has no controlling terminal.
    let inner = env.command(&[""; 0]);
    let mut outer = Command::new("setsid");
    outer
        .arg("--wait")
        .arg(inner.get_program())
        .current_dir(env.at("repo"))
        .env_clear()
        .stdin(Stdio::null());
    outer
        .envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env("TERM", "xterm-256color");
    let Ok(output) = outer.output() else {
        return crate::support::skipped("there is no setsid here (util-linux has it)");
    };
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("there is no controlling terminal"), "{err}");
}

#[test]
fn help_and_version_go_to_stdout() {
    let env = TestEnv::new();
    for arguments in [["--help"].as_slice(), &["-h"], &["--version"], &["check", "--help"]] {
        let ran = env.run(arguments).ended(0);
        assert!(!ran.out().is_empty() && ran.err.is_empty(), "{arguments:?}");
        ran.is_inert();
    }
    assert_eq!(
        env.run(&["--version"]).ended(0).out(),
        format!("skillpick {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn without_home_and_state_it_starts_and_says_what_is_missing() {
    let env = TestEnv::furnished();
    let run = |arguments: &[&str]| {
        let mut command = env.command(arguments);
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
            command.env(name, env.at("nowhere"));
        }
        command.output().unwrap()
    };
    assert_eq!(run(&["-f", "pdf"]).stdout, b"$pdf-forms\n");
    assert_eq!(run(&["-1", "-q", "pdf"]).status.code(), Some(0));
}
