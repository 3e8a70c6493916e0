//! A folder that never answers: a FUSE mount without a program behind it.

use crate::env::{TestEnv, bar};
use crate::support::skipped;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Mounts it at `$1`, in a mount namespace of its own, and becomes the rest of the arguments. The
/// open descriptor keeps the mount alive.
pub(crate) const SILENT: &str = "exec 3<>/dev/fuse && mount -i -t fuse silent \"$1\" \
                      -o fd=3,rootmode=40000,user_id=0,group_id=0 && shift && exec \"$@\"";

/// The words that run a program with the person's skills on a folder that never answers; none if
/// the system does not let us.
pub(crate) fn beside_silence(env: &TestEnv, program: &[&str]) -> Option<Vec<String>> {
    let folder = env.text("home/.agents/skills");
    std::fs::create_dir_all(&folder).unwrap();
    let words = |program: &[&str]| {
        let words = ["unshare", "-Urm", "sh", "-c", SILENT, "sh", &folder];
        words.iter().chain(program).map(|word| (*word).to_owned()).collect::<Vec<String>>()
    };
    let try_it = words(&["true"]);
    let works = Command::new(&try_it[0]).args(&try_it[1..]).stderr(Stdio::null()).status();
    if works.is_ok_and(|status| status.success()) {
        return Some(words(program));
    }
    skipped("no folder that never answers could be made (FUSE, user namespaces)");
    None
}

#[test]
fn commands_name_a_root_that_never_answers_and_list_the_others() {
    let env = TestEnv::furnished();
    let runs: [&[&str]; 4] =
        [&["list"], &["-f", "pdf"], &["check"], &["load", "pdf-forms", "--session", "chat"]];
    for run in runs {
        let program = env.command(run);
        let words: Vec<&str> = std::iter::once(program.get_program())
            .chain(program.get_args())
            .map(|word| word.to_str().unwrap())
            .collect();
        let Some(words) = beside_silence(&env, &words) else { return };
        let mut outer = Command::new(&words[0]);
        outer.args(&words[1..]).env_clear().stdin(Stdio::null()).current_dir(env.at("repo"));
        outer.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let begun = Instant::now();
        let ran = outer.output().unwrap();
        let (out, err) =
            (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.code().is_some_and(|code| code <= 2), "{run:?}: {ran:?}");
        assert!(run[0] == "check" || out.contains("pdf-forms"), "{run:?}: {out}{err}");
        let told =
            format!("{} cannot be read: it does not answer", env.text("home/.agents/skills"));
        assert!(run[0] == "load" || err.contains(&told), "{run:?}: {err}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{run:?}: {:?}", begun.elapsed());
        bar::tried(1);
    }
}
