//! Fork chains that outrun a search for processes, and the limits of a run.

use super::{Bench, marked, sandboxes};
use crate::env::bar;
use skillpick::sandbox::{Ceiling, Exit, Limits, Part, Ran, Sandbox};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Each process of a chain lives only until it has started the next one.
const CHAINS: &str = "import os, sys, time
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        while True:
            if os.fork():
                os._exit(0)
            if sys.argv[2] == 'sessions':
                os.setsid()
if sys.argv[3] == 'stays':
    time.sleep(1000)
";

const CHAIN_COUNTS: [&str; 3] = ["1", "12", "40"];

fn run(bench: &mut Bench, mark: &str, arguments: [&str; 3]) -> Ran {
    bench.environment = vec![("SKILLPICK_MARK".to_owned(), mark.to_owned())];
    bench.arguments = arguments.map(str::to_owned).to_vec();
    bench.timeout = Duration::from_millis(500);
    bench.script("run.py", CHAINS);
    bench.run("run.py")
}

fn rounds() -> usize {
    bar::share(8)
}

/// On a very busy machine a report may come before the end is proven. Then it says so, and the
/// launcher goes on until nothing is left.
#[test]
fn no_fork_chain_outlives_its_run() {
    let mut proven = 0;
    for sandbox in sandboxes() {
        let mut bench = Bench::new();
        bench.sandbox = sandbox;
        for (round, count) in
            (0..rounds()).flat_map(|round| CHAIN_COUNTS.map(|count| (round, count)))
        {
            for arguments in [[count, "sessions", "stays"], [count, "groups", "leaves"]] {
                let mark =
                    format!("chain-{}-{sandbox:?}-{round}-{arguments:?}", std::process::id());
                let ran = run(&mut bench, &mark, arguments);
                let left = marked(&mark);
                assert!(!ran.all_ended || left.is_empty(), "{mark}: {left:?} {ran:?}");
                proven += usize::from(ran.all_ended);
                gone(&mark, &ran);
            }
        }
    }
    assert!(proven > 0, "no end was proven");
}

/// Waits until no process has this mark, at most a minute.
fn gone(mark: &str, ran: &Ran) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !marked(mark).is_empty() {
        assert!(Instant::now() < limit, "{mark}: {ran:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn without_signal_scoping_no_protection_is_claimed_and_the_script_runs() {
    let older = |version: i32| {
        let mut bench = Bench::new();
        bench.launcher = bench.launcher.clone().with_landlock(version);
        bench
    };
    let unshielded = || Bench { sandbox: Sandbox::Off, ..Bench::new() };
    for (name, mut bench) in [("landlock-5", older(5)), ("off", unshielded())] {
        let mark = format!("old-{}-{name}", std::process::id());
        let ran = run(&mut bench, &mark, ["12", "sessions", "stays"]);
        assert!(!ran.all_ended || marked(&mark).is_empty(), "{name} claims too much: {ran:?}");
        gone(&mark, &ran);
    }
}

#[test]
fn where_orphans_are_not_adopted_their_end_is_not_claimed() {
    let mut bench = Bench { sandbox: Sandbox::Off, ..Bench::new() };
    bench.launcher = bench.launcher.clone().without(Part::Orphans);
    let mark = format!("orphan-{}", std::process::id());
    bench.environment = vec![("SKILLPICK_MARK".to_owned(), mark.clone())];
    let ran = bench.bash("(setsid sleep 3 &) ; exit 0");
    assert!(!ran.all_ended, "{ran:?}");
    gone(&mark, &ran);
}

#[test]
fn ending_a_script_ends_no_other_process() {
    let mut bystander = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap();
    let bench = Bench::new();
    let ran = bench.bash("setsid sleep 1000 & (setsid sleep 1000 &) ; exit 0");
    let lives = bystander.try_wait().unwrap().is_none();
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    assert!(lives && ran.all_ended && ran.stragglers > 0, "{ran:?}");
}

#[test]
fn a_run_that_exceeds_a_limit_is_ended_and_names_the_limit() {
    let many = "for n in {1..300}; do sleep 1000 & done 2> /dev/null; sleep 1000";
    let memory = "import time\nkept = []\nwhile True:\n    kept.append(bytearray(1 << 20))\n    \
                  time.sleep(0.002)\n";
    let together = "import os, time\nfor _ in range(8):\n    if os.fork() == 0: break\n\
                    kept = bytearray(os.urandom(1 << 10)) * (40 << 10)\ntime.sleep(1000)\n";
    let file = "exec head -c 4000000 /dev/zero > big";
    let limits = Limits { memory: 128 << 20, processes: 100, file_size: 1 << 20 };
    for sandbox in sandboxes().into_iter().chain([Sandbox::Off]) {
        let bench = Bench { sandbox, limits, ..Bench::new() };
        for (script, text, ceiling) in [
            ("many.sh", many, Ceiling::Processes),
            ("memory.py", memory, Ceiling::Memory),
            ("together.py", together, Ceiling::Memory),
            ("file.sh", file, Ceiling::FileSize),
        ] {
            bench.script(script, text);
            let ran = bench.run(script);
            assert_eq!(ran.exit, Exit::Over(ceiling), "{script} {sandbox:?}: {ran:?}");
            assert!(ran.all_ended, "{script} {sandbox:?}: {ran:?}");
            if let Some(kept) = ran.kept {
                assert_eq!(std::fs::metadata(kept.join("big")).unwrap().len(), 1 << 20);
                std::fs::remove_dir_all(kept).unwrap();
            }
        }
    }
}

#[test]
fn what_stays_below_the_limits_is_not_disturbed() {
    let bench = Bench::new();
    let text = "import os\nprint(len(bytearray(300 << 20)))\n\
                print(sum(os.waitpid(-1, 0)[1] for _ in range(50) if os.fork() or os._exit(0)))\n\
                open('file', 'wb').truncate(900 << 20)\n";
    bench.script("run.py", text);
    let ran = bench.run("run.py");
    assert_eq!((ran.exit, super::out(&ran.stdout).as_str()), (Exit::Code(0), "314572800\n0\n"));
    std::fs::remove_dir_all(ran.kept.unwrap()).unwrap();
}
