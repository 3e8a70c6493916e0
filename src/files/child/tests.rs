//! Programs that do not behave.

use super::*;
use std::fs;

const SECOND: Duration = Duration::from_secs(1);
const CAP: u64 = 1 << 20;

/// `/bin/sh -c script`, with ten seconds.
fn shell(script: &str) -> Run {
    Run {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: "/".into(),
        environment: environment(Path::new("/nowhere"), OsStr::new("/usr/bin:/bin")),
        input: Vec::new(),
        hold: Duration::ZERO,
        enough: None,
        settle: Duration::ZERO,
        timeout: 10 * SECOND,
        cap: CAP,
        stop: None,
    }
}

fn says(script: &str) -> Output {
    run(&shell(script)).unwrap()
}

#[test]
fn an_output_has_both_streams_and_the_exit_code() {
    let output = says("echo out; echo err >&2; exit 3");
    assert_eq!(
        output,
        Output { code: Some(3), stdout: b"out\n".to_vec(), stderr: b"err\n".to_vec(), cut: false }
    );
    assert_eq!(says("kill -9 $$").code, None);
}

#[test]
fn it_gets_the_given_environment_and_folder_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let run_there = Run { folder: fs::canonicalize(folder.path()).unwrap(), ..shell("pwd; env") };
    let stdout = String::from_utf8(run(&run_there).unwrap().stdout).unwrap();
    assert!(stdout.starts_with(run_there.folder.to_str().unwrap()), "{stdout}");
    assert!(stdout.contains("HOME=/nowhere\n") && !stdout.contains("CARGO"), "{stdout}");
}

#[test]
fn input_is_written_whole_and_closed() {
    let input = b"line\n".repeat(60_000);
    let output = run(&Run { input: input.clone(), ..shell("cat") }).unwrap();
    assert_eq!((output.stdout == input, output.cut), (true, false));
    // A program that does not read its input, and one that stops halfway.
    assert_eq!(run(&Run { input: input.clone(), ..shell("echo done") }).unwrap().stdout, b"done\n");
    assert_eq!(
        run(&Run { input, ..shell("read a; echo $a; exec 0<&-; echo end") }).unwrap().stdout,
        b"line\nend\n"
    );
}

#[test]
fn an_input_is_held_open_until_its_time_or_until_it_is_enough() {
    let held = Run { hold: SECOND / 10, ..shell("read more || echo closed") };
    assert_eq!(run(&held).unwrap().stdout, b"closed\n");
    let enough: fn(&[u8]) -> bool = |so_far| so_far.ends_with(b"answer\n");
    let asked = Run {
        input: b"question\n".to_vec(),
        hold: 60 * SECOND,
        enough: Some(enough),
        ..shell("read a; echo answer; read b")
    };
    let output = run(&asked).unwrap();
    assert_eq!(
        (output.stdout.as_slice(), output.code, output.cut),
        (&b"answer\n"[..], None, false)
    );
    // Two lines that are written one after the other are both kept, if the output must settle.
    let settles = Run {
        enough: Some(|so_far| so_far.ends_with(b"\n")),
        settle: 2 * SECOND,
        ..shell("echo one; sleep 0.1; echo two; sleep 60")
    };
    assert_eq!(run(&settles).unwrap().stdout, b"one\ntwo\n");
    // Without enough output it runs to its end.
    assert_eq!(
        run(&Run { enough: Some(|_| false), ..shell("echo all; exit 1") }).unwrap().code,
        Some(1)
    );
}

#[test]
fn one_that_hangs_is_ended_and_what_it_said_is_kept() {
    let hangs = Run {
        timeout: SECOND / 5,
        ..shell("echo begun; echo help >&2; trap '' TERM; while :; do sleep 60; done")
    };
    let failure = run(&hangs).unwrap_err();
    let expected = Failure::TimedOut {
        after: SECOND / 5,
        stdout: b"begun\n".to_vec(),
        stderr: b"help\n".to_vec(),
    };
    assert_eq!(failure, expected);
    assert_eq!(failure.to_string(), "the program did not end within 200 ms");
}

#[test]
fn a_grandchild_neither_keeps_us_waiting_nor_survives() {
    let folder = tempfile::tempdir().unwrap();
    let number = folder.path().join("number");
    for stubborn in ["", "trap '' TERM;"] {
        let script = format!(
            "({stubborn} echo here; sleep 300; sleep 300) & echo $! > '{}'; echo left",
            number.display()
        );
        let output = says(&script);
        assert!(
            output.stdout.ends_with(b"left\n") || output.stdout.ends_with(b"here\n"),
            "{output:?}"
        );
        let pid = fs::read_to_string(&number).unwrap().trim().parse().unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        // A killed process exists until its new parent has reaped it.
        let deadline = Instant::now() + 10 * SECOND;
        while rustix::process::test_kill_process(pid).is_ok() && !is_dead(pid) {
            assert!(Instant::now() < deadline, "the grandchild lives on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn is_dead(pid: rustix::process::Pid) -> bool {
    let stat =
        fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'))
}

#[test]
fn a_flood_is_cut_and_stopped() {
    for (script, out, err) in [("yes", CAP as usize, 0), ("yes >&2", 0, CAP as usize)] {
        let output = says(script);
        assert_eq!(
            (output.cut, output.stdout.len(), output.stderr.len()),
            (true, out, err),
            "{script}"
        );
    }
    // The output is cut even if the program ends before the first check.
    assert!(says("head -c 1048577 /dev/zero").cut);
    assert!(!says("head -c 1048576 /dev/zero").cut);
}

#[test]
fn a_program_that_does_not_start_has_an_error_of_its_own() {
    let of = |run_: Run| run(&run_).unwrap_err();
    assert_eq!(of(Run { program: "/no/such/program".into(), ..shell("") }), Failure::NotFound);
    assert_eq!(
        of(Run { program: "/etc/passwd".into(), ..shell("") }),
        Failure::NotStarted(io::ErrorKind::PermissionDenied)
    );
    assert_eq!(
        of(Run { folder: "/no/such/folder".into(), ..shell("") }),
        Failure::NotStarted(io::ErrorKind::NotADirectory)
    );
}

#[test]
fn a_program_is_found_on_the_path_and_never_in_the_working_directory() {
    let folder = tempfile::tempdir().unwrap();
    let path = |text: &str| {
        std::env::join_paths(
            text.split(' ').map(|part| part.replace('@', folder.path().to_str().unwrap())),
        )
        .unwrap()
    };
    fs::write(folder.path().join("sh"), "not executable").unwrap();
    assert_eq!(find("sh", &path("@ /nowhere /bin")), Some("/bin/sh".into()));
    assert_eq!(find("sh", &path("@ . bin")), None);
    fs::create_dir(folder.path().join("folder")).unwrap();
    assert_eq!(find("folder", &path("@")), None);
}
