//! Runs the program under strace, which tells its system calls and makes one of them fail, or kills
//! the program at one.

use crate::env::TestEnv;
use crate::support::{Ran, skipped};
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::process::{Command, Stdio};

/// The calls that are made to fail.
const CALLS: &str = "openat,read,write,fsync,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,\
                     flock,fchmod,fchown,ftruncate,newfstatat,statx,getdents64,linkat,\
                     symlink,symlinkat";

/// One call of the main thread.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: String,
    /// Which one of that name, from 1.
    count: usize,
    /// As strace writes them, with the path of each open file.
    pub(super) arguments: String,
}

impl fmt::Display for Call {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} {} ({})", self.name, self.count, self.arguments)
    }
}

impl Call {
    /// Whether it removes a file or folder.
    pub(super) fn removes(&self) -> bool {
        self.name.starts_with("unlink") || self.name == "rmdir"
    }

    /// Runs the program, for which this call fails.
    pub(super) fn fails(&self, env: &TestEnv, arguments: &[&str], error: &str) -> Ran {
        self.inject(env, arguments, &format!("error={error}"))
    }

    /// Runs the program, which is killed at this call.
    #[track_caller]
    pub(super) fn kills(&self, env: &TestEnv, arguments: &[&str]) {
        let ran = self.inject(env, arguments, "signal=KILL");
        assert_ne!(ran.code, 0, "{self}: it was to be killed");
    }

    fn inject(&self, env: &TestEnv, arguments: &[&str], what: &str) -> Ran {
        let fault = format!("inject={}:{what}:when={}", self.name, self.count);
        traced(env, arguments, &["-o", "/dev/null", "-e", &fault])
    }
}

/// Whether strace is here and may trace; where not, the test is skipped and says so.
pub(super) fn works() -> bool {
    let ran = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let works = ran.is_ok_and(|output| output.status.success());
    if !works {
        skipped("strace is not here (`just ci` installs it) or may not trace");
    }
    works
}

/// The calls of a run that succeeds, as far as they are wanted.
pub(super) fn calls(
    env: &TestEnv,
    arguments: &[&str],
    mut is_wanted: impl FnMut(&Call) -> bool,
) -> Vec<Call> {
    let trace = env.text("trace");
    traced(env, arguments, &["-y", "-e", &format!("trace={CALLS}"), "-o", &trace]).ended(0);
    let trace = fs::read_to_string(trace).unwrap();
    let main = trace.split(' ').next().unwrap();
    let (mut calls, mut counts) = (Vec::new(), HashMap::<String, usize>::new());
    for line in trace.lines() {
        let Some((process, call)) = line.split_once(' ') else { continue };
        let Some((name, rest)) = call.trim_start().split_once('(') else { continue };
        if process != main || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            continue;
        }
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        let arguments = rest.rsplit_once(" = ").map_or(rest, |(arguments, _)| arguments);
        let call =
            Call { name: name.to_owned(), count: *count, arguments: arguments.trim().to_owned() };
        if is_wanted(&call) {
            calls.push(call);
        }
    }
    calls
}

/// Runs the program, whose files cannot grow beyond this many bytes: the write that would is short,
/// and the next one fails.
pub(super) fn limited(env: &TestEnv, arguments: &[&str], bytes: usize) -> Ran {
    let script = "trap '' XFSZ; limit=$1; shift; exec prlimit --fsize=\"$limit\" -- \"$@\"";
    let program = env.command(arguments);
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh", &bytes.to_string()]);
    shell.arg(program.get_program()).args(program.get_args()).env_clear().stdin(Stdio::null());
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("LLVM_PROFILE_FILE", "/dev/null"); // a measurement of coverage would not fit either
    let output = shell.current_dir(env.at("repo")).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran { code: output.status.code().unwrap_or(-1), bytes: output.stdout, err }
}

fn traced(env: &TestEnv, arguments: &[&str], options: &[&str]) -> Ran {
    let output = command(env, arguments, options).stdin(Stdio::null()).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran { code: output.status.code().unwrap_or(-1), bytes: output.stdout, err }
}

/// The program under strace, with these options of strace.
pub(super) fn command(env: &TestEnv, arguments: &[&str], options: &[&str]) -> Command {
    let mut strace = Command::new("strace");
    strace.arg("-f").args(options);
    let mut program = env.command(arguments);
    // Calls are counted, so a run must make the same ones each time; with the index the first run
    // makes others. A test of the index says so.
    if env.variables.iter().all(|(name, _)| *name != "SKILLPICK_INDEX") {
        program.env("SKILLPICK_INDEX", "false");
    }
    strace.arg(program.get_program()).args(program.get_args()).env_clear();
    strace.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    strace.current_dir(env.at("repo"));
    strace
}
