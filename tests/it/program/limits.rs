//! Where the system gives little: few file handles, no home.

use super::strace;
use crate::env::TestEnv;
use std::process::{Command, Output, Stdio};

/// Runs the program with at most so many file handles.
fn with_handles(env: &TestEnv, handles: usize, arguments: &[&str]) -> Output {
    let inner = env.command(arguments);
    let mut outer = Command::new("/bin/sh");
    outer.args(["-c", "ulimit -n \"$0\"; exec \"$@\"", &handles.to_string()]);
    outer.arg(inner.get_program()).args(inner.get_args()).env_clear();
    outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer.current_dir(inner.get_current_dir().unwrap()).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn with_few_handles_every_skill_is_read() {
    let env = TestEnv::new();
    for number in 0..200 {
        env.skill("repo/.agents/skills", &format!("skill-{number:03}"), "Forms.");
    }
    let usual = env.run(&["list", "--no-index"]).ended(0);
    for handles in [64, 16, 8, 6] {
        let ran = with_handles(&env, handles, &["list", "--no-index"]);
        assert!(ran.status.success() && ran.stderr.is_empty(), "{handles}: {ran:?}");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), usual.out(), "{handles}");
    }
    let serve = with_handles(&env, 8, &["serve"]);
    let said = String::from_utf8_lossy(&serve.stderr);
    assert!(serve.status.code() == Some(2) && said.contains("cannot be started"), "{serve:?}");
}

/// Each thread or program that a run starts fails in turn, also those of the launcher. Of a store
/// whose server has a name, all fail: a moment later another one may be had.
#[test]
fn where_no_thread_can_be_started_the_reason_is_said_and_nothing_panics() {
    if !strace::works() {
        return;
    }
    let env = TestEnv::new();
    env.settings("[scripts]\nenabled = true\n");
    env.skill("repo/.agents/skills", "pdf", "Forms.");
    env.write("repo/.agents/skills/pdf/run.sh", "echo RAN\n");
    let run = &["run", "pdf", "run.sh", "--yes"][..];
    let list = &["list", "--project", "x", "--store", "postgres://me@localhost:1/x"][..];
    let turns = (1..9).map(|turn| (run, turn.to_string()));
    let mut said = 0;
    for (arguments, turn) in turns.chain([(list, "1+".to_owned()), (&["serve"], "1+".to_owned())]) {
        let fault = format!("inject=clone3:error=EAGAIN:when={turn}");
        let mut command = strace::command(&env, arguments, &["-o", "/dev/null", "-e", &fault]);
        let ran = command.stdin(Stdio::null()).output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(!err.contains("panic"), "{arguments:?} {turn}: {err}");
        let is_said = err.contains("the system starts no more threads or processes");
        assert!(is_said || ran.status.success(), "{arguments:?} {turn}: {err}");
        assert!(is_said || arguments == run, "{arguments:?}: {err}");
        said += usize::from(is_said);
    }
    assert!(said > 4, "{said}");
}

#[test]
fn a_file_in_place_of_the_home_directory_holds_nothing() {
    let mut env = TestEnv::furnished();
    env.variables.push(("HOME", "/dev/null".to_owned()));
    for (name, folder) in
        [("XDG_CONFIG_HOME", ".config"), ("XDG_STATE_HOME", ".state"), ("XDG_DATA_HOME", ".data")]
    {
        env.variables.push((name, format!("/dev/null/{folder}")));
    }
    for host in ["agents", "codex", "goose"] {
        let ran = env.run(&["list", "--host", host]).ended(0);
        assert_eq!((ran.err.as_str(), ran.out().contains("pdf-forms")), ("", true), "{host}");
    }
    env.run(&["check"]).ended(0);
    let hosts = env.run(&["hosts", "--host", "codex"]).ended(0);
    assert!(
        hosts.out().contains("missing") && !hosts.out().contains("cannot be read"),
        "{hosts:?}"
    );
}
