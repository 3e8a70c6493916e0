//! Only the consented files run, with the consented arguments.

use super::{Bench, out};
use crate::env::bar;
use skillpick::catalog::Properties;
use skillpick::files::beneath::{Kind, Refusal};
use skillpick::sandbox::{Consent, PrepareError, RunError, Sandbox, WorkDir};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[test]
fn a_script_changed_after_consent_runs_the_consented_copy_and_asks_again() {
    let bench = Bench::new();
    let script = bench.script("run.sh", "cat \"$(dirname \"$0\")/part.txt\"; echo old");
    bench.script("part.txt", "part ");
    let prepared = bench.prepare("run.sh");
    let consent = Consent::to(&prepared);
    fs::write(&script, "echo new").unwrap();
    bench.script("part.txt", "other ");
    assert_eq!(out(&prepared.run().unwrap().stdout), "part old\n");
    let again = bench.prepare("run.sh");
    assert!(!consent.matches(&again));
    assert_eq!(out(&again.run().unwrap().stdout), "new\n");
}

#[test]
fn consent_covers_every_part_of_a_run() {
    let mut bench = Bench::new();
    let script = bench.script("run.sh", "echo old");
    bench.script("other.sh", "echo old");
    bench.environment = vec![("MODE".into(), "a".into())];
    bench.arguments = vec!["a b".into()];
    let consent = Consent::to(&bench.prepare("run.sh"));
    let stored: Consent = serde_json::from_str(&serde_json::to_string(&consent).unwrap()).unwrap();
    assert!(stored.matches(&bench.prepare("run.sh")), "the same run is not asked for twice");
    assert!(!stored.matches(&bench.prepare("other.sh")));
    let mut asks_again = |change: &dyn Fn(&mut Bench)| {
        change(&mut bench);
        assert!(!stored.matches(&bench.prepare("run.sh")));
        bench.environment = vec![("MODE".into(), "a".into())];
        bench.arguments = vec!["a b".into()];
        (bench.sandbox, bench.directory) = (Sandbox::On, WorkDir::Fresh);
        bench.timeout = Duration::from_secs(20);
        fs::write(&script, "echo old").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
        let _ = fs::remove_file(bench.env.at("repo/skill/new.md"));
        assert!(stored.matches(&bench.prepare("run.sh")));
    };
    asks_again(&|bench| bench.arguments = vec!["a".into(), "b".into()]);
    asks_again(&|bench| bench.arguments = vec![]);
    asks_again(&|bench| bench.environment[0].1 = "b".into());
    asks_again(&|bench| bench.environment[0].0 = "MODE2".into());
    asks_again(&|bench| bench.sandbox = Sandbox::Off);
    asks_again(&|bench| bench.directory = WorkDir::At(bench.env.at("repo")));
    asks_again(&|bench| bench.timeout = Duration::from_secs(3_600));
    asks_again(&|bench| drop(bench.script("run.sh", "echo olD")));
    asks_again(&|bench| drop(bench.script("new.md", "")));
    asks_again(&|bench| {
        fs::set_permissions(bench.env.at("repo/skill/run.sh"), fs::Permissions::from_mode(0o755))
            .unwrap();
    });
}

#[test]
fn a_folder_exchanged_after_consent_is_asked_about_again() {
    let mut bench = Bench::new();
    bench.script("run.sh", "cat inside.txt");
    bench.env.write("repo/inputs/inside.txt", "old");
    bench.directory = WorkDir::At(bench.env.at("repo/inputs"));
    let consent = Consent::to(&bench.prepare("run.sh"));
    bench.env.write("repo/inputs/more.txt", "what lies in it is not shown, and may change");
    assert!(consent.matches(&bench.prepare("run.sh")));
    fs::rename(bench.env.at("repo/inputs"), bench.env.at("repo/old")).unwrap();
    bench.env.write("repo/inputs/inside.txt", "new");
    assert!(!consent.matches(&bench.prepare("run.sh")));
}

struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_swap_at_any_moment_runs_the_files_of_the_digest() {
    let bench = Bench::new();
    let script = bench.script("run.sh", "echo A");
    let a = bench.prepare("run.sh").digest;
    fs::write(&script, "echo B").unwrap();
    let b = bench.prepare("run.sh").digest;
    let stop = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let (top, stop) = (&bench.env.top, &stop);
        scope.spawn(move || {
            let ways = ["echo A", "echo B"];
            for text in ways.iter().cycle().take_while(|_| !stop.load(Ordering::Relaxed)) {
                let fresh = top.join("fresh.sh");
                fs::write(&fresh, text).unwrap();
                fs::rename(&fresh, top.join("repo/skill/run.sh")).unwrap();
            }
        });
        // However the rounds end, the swapping does.
        let _stopping = Stopping(stop);
        let rounds = bar::share(500);
        (0..rounds)
            .map(|_| {
                let prepared = bench.prepare("run.sh");
                let digest = prepared.digest;
                let text = out(&prepared.run().unwrap().stdout);
                assert_eq!(text, if digest == a { "A\n" } else { "B\n" });
                assert!(digest == a || digest == b, "a mix was copied");
                digest == a
            })
            .collect::<Vec<bool>>()
    });
    assert!(seen.contains(&true) && seen.contains(&false), "nothing raced");
}

#[test]
fn consent_can_show_everything() {
    let mut bench = Bench::new();
    let script = bench.script("run.sh", "");
    bench.skill.properties = Properties::new(None, None, &[], &["Bash(*)".into()]);
    bench.arguments = vec!["--all".into()];
    bench.environment = vec![("MODE".into(), "fast".into())];
    symlink("../../home", bench.env.at("repo/skill/out")).unwrap();
    let prepared = bench.prepare("run.sh");
    assert_eq!(prepared.script, script);
    assert_eq!(prepared.argv(), ["/usr/bin/bash".into(), script.into_os_string(), "--all".into()]);
    assert_eq!(prepared.environment, ["TMPDIR", "HOME", "PATH", "MODE"]);
    assert_eq!(prepared.left_out, [std::path::PathBuf::from("out")]);
    assert_eq!(
        (prepared.network, prepared.allowed_tools.as_slice()),
        (false, ["Bash(*)".to_owned()].as_slice())
    );
    let writes = prepared.writes.clone().unwrap();
    assert!(writes.len() == 2 && writes.contains(&prepared.directory));
    bench.sandbox = Sandbox::Off;
    let prepared = bench.prepare("run.sh");
    assert_eq!((prepared.network, prepared.writes), (true, None));
}

#[test]
fn the_text_of_a_question_is_bounded() {
    let mut bench = Bench::new();
    bench.script("run.sh", "echo ${#1} ${#LONG}");
    let most = 128 << 10;
    bench.arguments = vec!["x".repeat(most - 1)];
    assert_eq!(
        out(&bench.run("run.sh").stdout),
        format!("{} 0\n", most - 1),
        "as much as a program can be given"
    );
    let mut refused = |arguments: Vec<String>, variable: Option<usize>| {
        bench.arguments = arguments;
        bench.environment =
            variable.map(|length| ("LONG".to_owned(), "x".repeat(length))).into_iter().collect();
        let error = bench.try_prepare("run.sh").unwrap_err();
        assert!(
            matches!(error, PrepareError::TooLong) && error.to_string().contains("128 KiB"),
            "{error:?}"
        );
    };
    refused(vec!["x".repeat(most)], None);
    refused(vec![String::new(); most + 1], None);
    refused(vec!["x".repeat(most / 2); 2], None);
    refused(vec![], Some(most - 5));
    refused(vec!["x".repeat(most / 2)], Some(most / 2));
}

#[test]
fn a_script_that_is_not_in_the_copy_is_refused_by_name() {
    let bench = Bench::new();
    bench.env.write("repo/outside.sh", "echo ran");
    symlink("../outside.sh", bench.env.at("repo/skill/out.sh")).unwrap();
    symlink(bench.env.at("repo/outside.sh"), bench.env.at("repo/skill/absolute.sh")).unwrap();
    symlink("loop.sh", bench.env.at("repo/skill/loop.sh")).unwrap();
    symlink("none.sh", bench.env.at("repo/skill/dangling.sh")).unwrap();
    symlink("..", bench.env.at("repo/skill/up")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(bench.env.at("repo/skill/pipe.sh"))
        .status()
        .unwrap();
    assert!(made.success());
    bench.script(".git/hook.sh", "echo ran");
    for (script, expected) in [
        ("out.sh", Refusal::Outside),
        ("absolute.sh", Refusal::Outside),
        ("up/outside.sh", Refusal::Outside),
        ("loop.sh", Refusal::Loop),
        ("pipe.sh", Refusal::NotRegular(Kind::Fifo)),
        ("dangling.sh", Refusal::NotFound),
        ("none.sh", Refusal::NotFound),
        // It is executable, but not part of the skill.
        (".git/hook.sh", Refusal::NotFound),
    ] {
        let error = bench.try_prepare(script).unwrap_err();
        assert!(
            matches!(&error, PrepareError::Script(refusal) if *refusal == expected),
            "{script}: {error:?}"
        );
    }
}

#[test]
fn another_interpreter_than_the_one_that_was_shown_does_not_run() {
    let mut bench = Bench::new();
    let program = |text: &str| {
        let program =
            bench.env.write("bin/mysh", format!("#!/bin/sh\n{text}exec /bin/sh \"$@\"\n"));
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("");
    let path = format!("{}:/usr/bin:/bin", bench.env.text("bin"));
    let script = bench.script("tool", "#!/usr/bin/env mysh\necho ran\n");
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    program("");
    bench.own[0].1 = path.into();
    let shown = bench.prepare("tool");
    let consent = Consent::to(&shown);
    assert!(consent.matches(&bench.prepare("tool")), "nothing has changed");
    bench.env.write("bin/mysh", "#!/bin/sh\necho HOSTILE\n");
    assert!(!consent.matches(&bench.prepare("tool")), "a remembered yes is not for this program");
    assert!(matches!(shown.run(), Err(RunError::Interpreter { .. })));
    assert_eq!(super::out(&bench.run("tool").stdout), "HOSTILE\n", "it is asked for anew");
}

#[test]
fn a_script_names_no_interpreter_that_its_author_may_have_written() {
    let bench = Bench::new();
    for place in ["repo/skill/own/sh", "tmp/sh", "home/own/sh"] {
        let program = bench.env.write(place, "#!/bin/sh\necho HOSTILE\n");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let script = bench.script("tool", &format!("#!{}\n", program.display()));
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
        let error = bench.try_prepare("tool").unwrap_err();
        assert!(matches!(error, PrepareError::Writable { .. }), "{place}: {error:?}");
        assert!(error.to_string().contains("/usr/bin/env NAME"), "{error}");
    }
}
