//! Every script ends at its time limit, and no process of it is left.

use super::{Bench, marked, out, sandboxes, started};
use crate::support::skipped;
use skillpick::sandbox::{Exit, Ran, Sandbox};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Name, text of a script for bash, and how it must end.
const SCRIPTS: &[(&str, &str, Exit)] = &[
    ("ignores TERM", "trap '' TERM HUP INT; while :; do sleep 0.05; done", Exit::TimedOut),
    ("leaves a child", "sleep 1000 & echo done", Exit::Code(0)),
    ("leaves its session", "setsid sleep 1000 & sleep 0.1; exit 3", Exit::Code(3)),
    ("forks twice and holds the pipes", "(setsid bash -c 'sleep 1000' &); exit 0", Exit::Code(0)),
    (
        "leaves a child that ignores TERM",
        "setsid bash -c 'trap \"\" TERM HUP INT; while :; do sleep 0.05; done' & sleep 1000",
        Exit::TimedOut,
    ),
    ("floods stdout", "cat /dev/zero", Exit::TimedOut),
    ("floods both", "yes >&2 & yes", Exit::TimedOut),
    ("prints binary", "printf '\\377\\376\\000\\033[2J\\200'", Exit::Code(0)),
    ("waits on stdin", "read -r line; echo \"read $?\"", Exit::Code(0)),
    ("hops", "(setsid bash \"$0\" &) ; sleep 0.01", Exit::Code(0)),
    ("stops itself", "kill -STOP $$", Exit::TimedOut),
    ("kills its starter", "kill -9 $PPID; kill -9 -1; sleep 0.1; echo unharmed", Exit::Code(0)),
    ("closes its streams", "exec >&- 2>&-; sleep 1000", Exit::TimedOut),
    ("dies by a signal", "kill -USR1 $$; sleep 1", Exit::Signal(10)),
    ("a crowd", "for n in {1..60}; do setsid sleep 1000 & done; sleep 1000", Exit::TimedOut),
];

fn watched(bench: &mut Bench, (name, text, exit): (&str, &str, Exit)) -> Ran {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let mark = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    bench.environment = vec![("SKILLPICK_MARK".to_owned(), mark.clone())];
    // What ends by itself may take its time on a busy machine.
    bench.timeout =
        if exit == Exit::TimedOut { Duration::from_millis(400) } else { Duration::from_secs(20) };
    let ran = bench.bash(text);
    let left = marked(&format!("SKILLPICK_MARK={mark}\0"));
    assert!(left.is_empty() && ran.all_ended, "{name}: {left:?} {ran:?}");
    ran
}

#[test]
fn every_script_ends_in_time_and_leaves_no_process() {
    let mut bench = Bench::new();
    crate::env::bar::tried(SCRIPTS.len());
    for (name, text, exit) in SCRIPTS {
        let ran = watched(&mut bench, (name, text, *exit));
        // `kill -9 -1` may reach every process of the sandbox, the script among them.
        let killed_itself = *name == "kills its starter" && ran.exit == Exit::Signal(9);
        assert!(ran.exit == *exit || killed_itself, "{name}: {ran:?}");
        assert!(
            ran.duration <= bench.timeout + Duration::from_secs(5),
            "{name}: {:?}",
            ran.duration
        );
        let kept = [&ran.stdout, &ran.stderr].map(|stream| stream.head.len() + stream.tail.len());
        assert!(kept.iter().all(|bytes| *bytes <= 1 << 20), "{name}: {kept:?}");
        match *name {
            "floods stdout" => assert!(ran.stdout.dropped > 0),
            "prints binary" => assert_eq!(ran.stdout.head, b"\xff\xfe\0\x1b[2J\x80"),
            "waits on stdin" => assert_eq!(ran.stdout.head, b"read 1\n"),
            "leaves a child" => {
                assert!(ran.stdout.head == b"done\n" && ran.stragglers > 0, "{ran:?}")
            }
            "a crowd" => assert!(ran.stragglers >= 10, "{}", ran.stragglers),
            _ => {}
        }
    }
}

#[test]
fn with_bubblewrap_every_script_ends_in_time() {
    let mut bench = Bench::new();
    for sandbox in sandboxes().into_iter().filter(|sandbox| *sandbox == Sandbox::Bubblewrap) {
        bench.sandbox = sandbox;
        for (name, text, exit) in SCRIPTS {
            let ran = watched(&mut bench, (name, text, *exit));
            // bwrap tells of a signal by a code.
            let told = match exit {
                Exit::Signal(number) => Exit::Code(128 + number),
                _ => *exit,
            };
            assert!(ran.exit == told || *name == "kills its starter", "{name}: {ran:?}");
        }
    }
}

#[test]
fn without_a_sandbox_every_script_ends_in_time() {
    let mut bench = Bench::new();
    bench.sandbox = Sandbox::Off;
    let harmless = |name: &str| !matches!(name, "kills its starter");
    for (name, text, exit) in SCRIPTS.iter().filter(|(name, ..)| harmless(name)) {
        assert_eq!(watched(&mut bench, (name, text, *exit)).exit, *exit, "{name}");
    }
}

#[test]
fn a_caller_that_cancels_ends_the_script() {
    let bench = Bench::new();
    bench.script("run.sh", "trap '' TERM; echo begun; while :; do sleep 0.05; done");
    let ran = bench.prepare("run.sh").run_while(&|| false).unwrap();
    assert_eq!((ran.exit, ran.all_ended), (Exit::Cancelled, true));
}

#[test]
fn the_death_of_the_caller_ends_the_script() {
    let mark = format!("gone-{}", std::process::id());
    let text = "trap '' TERM HUP; (setsid sleep 1000 &); echo begun; sleep 1000";
    let (lifeline, mut child) = started(text, &mark);
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(child.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    assert_eq!(line, "begun\n");
    assert!(!marked(&mark).is_empty());
    drop(lifeline);
    child.wait().unwrap();
    assert!(marked(&mark).is_empty());
}

#[test]
fn a_script_that_kills_the_launcher_dies_with_it_and_that_is_an_error() {
    let mut bench = Bench::new();
    bench.sandbox = Sandbox::Off;
    bench.environment =
        vec![("SKILLPICK_MARK".to_owned(), format!("killer-{}", std::process::id()))];
    bench.script("run.sh", "kill -9 $PPID; exec sleep 1000");
    let error = bench.try_run("run.sh").unwrap_err();
    assert!(matches!(error, skillpick::sandbox::RunError::Launcher { .. }), "{error:?}");
    // The kernel's signal is on its way when the launcher is gone.
    let limit = std::time::Instant::now() + Duration::from_secs(10);
    while !marked(&bench.environment[0].1).is_empty() {
        assert!(std::time::Instant::now() < limit, "it lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn run_11_a_script_gets_its_arguments_as_they_are_and_keeps_what_it_writes() {
    let mut bench = Bench::new();
    bench.arguments =
        ["a b", "$HOME", "; echo no", "*", "", "-x", "\u{1f600}\n"].map(str::to_owned).to_vec();
    bench.environment = vec![("MODE".to_owned(), "fast $X".to_owned())];
    bench.script("lib/words.txt", "WORDS");
    let text = "printf '[%s]' \"$@\" \"$MODE\"; cat \"$(dirname \"$0\")/lib/words.txt\"; echo kept > out.txt; \
                echo gone > $TMPDIR/x; exit 7";
    let ran = bench.bash(text);
    let wanted = "[a b][$HOME][; echo no][*][][-x][\u{1f600}\n][fast $X]WORDS";
    assert_eq!((out(&ran.stdout).as_str(), ran.exit), (wanted, Exit::Code(7)), "{ran:?}");
    let kept = ran.kept.unwrap();
    assert_eq!(std::fs::read(kept.join("out.txt")).unwrap(), b"kept\n");
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 1);
    std::fs::remove_dir_all(kept).unwrap();
    assert_eq!(bench.bash("pwd > /dev/null").kept, None);
}

#[test]
fn run_11b_each_interpreter_of_the_table_runs_in_the_sandbox() {
    let bench = Bench::new();
    bench.script(
        "a.py",
        "import shutil, json, subprocess\nopen('x', 'w').write('x')\nshutil.copy2('x', 'y')\n\
                          print(json.dumps([1]), subprocess.run(['echo', 'sub'], capture_output=True).stdout)",
    );
    bench.script(
        "a.js",
        "const {execSync} = require('child_process');\n\
                          console.log('node', execSync('echo sub').toString().trim());",
    );
    bench.script("a.sh", "echo bash; diff <(echo 1) <(echo 1)");
    let plain = bench.script("tool", "#!/bin/sh\necho tool");
    std::fs::set_permissions(plain, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    for (script, program, wanted) in [
        ("a.py", "/usr/bin/python3", "[1] b'sub\\n'\n"),
        ("a.js", "/usr/bin/node", "node sub\n"),
        ("a.sh", "/usr/bin/bash", "bash\n"),
        ("tool", "/bin/sh", "tool\n"),
    ] {
        if !std::path::Path::new(program).exists() {
            skipped(&format!("no {program}, so that {script} was not run (install it)"));
            continue;
        }
        let ran = bench.run(script);
        assert_eq!(
            (out(&ran.stdout).as_str(), ran.exit),
            (wanted, Exit::Code(0)),
            "{script}: {}",
            out(&ran.stderr)
        );
        ran.kept.into_iter().for_each(|kept| std::fs::remove_dir_all(kept).unwrap());
    }
}
