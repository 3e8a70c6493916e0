//! What a person keeps secret is not shown to a script.

use super::{Bench, out, sandboxes};
use skillpick::sandbox::{Exit, PrepareError, RunError, Sandbox, WorkDir};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const FILES: &[&str] = &[
    ".ssh/id_ed25519",
    ".ssh/config",
    ".gnupg/secring.gpg",
    ".aws/credentials",
    ".azure/token",
    ".kube/config",
    ".docker/config.json",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".gitconfig",
    ".password-store/x.gpg",
    ".config/gh/hosts.yml",
    ".config/gcloud/credentials.db",
    ".config/skillpick/config.toml",
    ".local/share/keyrings/login.keyring",
    ".local/share/opencode/auth.json",
    ".codex/auth.json",
    ".claude/.credentials.json",
    ".claude.json",
    ".gemini/oauth_creds.json",
    ".cursor/mcp.json",
    ".bash_history",
    ".zsh_history",
    ".cargo/credentials.toml",
    ".mozilla/firefox/key4.db",
    ".vault-token",
    "notes.txt",
    "work/.env",
];

#[test]
fn no_planted_secret_is_visible_to_a_script() {
    let mut bench = Bench::new();
    for number in 0..30 {
        bench.own.push((format!("SECRET_{number}").into(), format!("CANARY-{number}").into()));
    }
    for file in FILES {
        bench.env.write(format!("home/{file}"), format!("CANARY in {file}"));
    }
    bench.env.write("repo/inside.txt", "INSIDE");
    bench.directory = WorkDir::At(bench.env.at("repo"));
    bench.arguments =
        FILES.iter().map(|file| bench.env.at("home").join(file).display().to_string()).collect();
    let text = "env; export; cat \"$@\"; cat /proc/$PPID/environ /proc/[0-9]*/environ /proc/[0-9]*/cmdline; \
                for f in \"$@\"; do cp \"$f\" $TMPDIR/stolen; ln \"$f\" $TMPDIR/linked; ln -s \"$f\" $TMPDIR/soft; \
                cat $TMPDIR/stolen $TMPDIR/linked $TMPDIR/soft; done; ls $HOME $HOME/.ssh; cat inside.txt; \
                python3 -c 'import sys; [print(open(f).read()) for f in sys.argv[1:]]' \"$@\"; exit 0";
    for sandbox in sandboxes() {
        bench.sandbox = sandbox;
        let ran = bench.bash(text);
        let all = out(&ran.stdout);
        assert_eq!(ran.exit, Exit::Code(0));
        assert!(
            all.contains("INSIDE") && all.contains("HOME="),
            "the script ran: {all} {}",
            out(&ran.stderr)
        );
        assert!(!all.contains("CANARY"), "{sandbox:?}: {all}");
        assert!(!all.lines().any(|line| line == "id_ed25519"), "{sandbox:?}: {all}");
    }
    // Without a sandbox the same script sees the files, though not the variables: so the test can
    // fail.
    bench.sandbox = Sandbox::Off;
    let all = out(&bench.bash(text).stdout);
    assert!(all.contains("CANARY in .ssh/id_ed25519") && !all.contains("CANARY-7"), "{all}");
}

#[test]
fn a_directory_that_holds_credentials_is_no_working_directory() {
    let mut bench = Bench::new();
    bench.script("run.sh", "echo ran");
    for place in ["home", "", "home/.ssh"] {
        fs::create_dir_all(bench.env.at(place)).unwrap();
        bench.directory = WorkDir::At(bench.env.at(place));
        let error = bench.try_prepare("run.sh").unwrap_err();
        assert!(matches!(error, PrepareError::Exposing), "{place}: {error:?}");
    }
}

/// A place that was judged, and how it is exchanged before the run. Each leads to the same canary.
type Exchange = (&'static str, fn(&Path));

const EXCHANGES: &[Exchange] = &[
    ("repo/part/w", |top| {
        fs::rename(top.join("repo/part/w"), top.join("repo/old")).unwrap();
        symlink(top.join("home/.ssh/w"), top.join("repo/part/w")).unwrap();
    }),
    // A link on the way to it.
    ("repo/part/w", |top| {
        fs::rename(top.join("repo/part"), top.join("repo/old")).unwrap();
        symlink(top.join("home/.ssh"), top.join("repo/part")).unwrap();
    }),
    // No link at all.
    ("repo/part/w", |top| {
        fs::rename(top.join("repo/part/w"), top.join("repo/old")).unwrap();
        fs::rename(top.join("home/.ssh/w"), top.join("repo/part/w")).unwrap();
    }),
    // A folder of programs.
    ("fresh", |top| {
        fs::rename(top.join("programs"), top.join("old")).unwrap();
        symlink(top.join("home/.ssh/w"), top.join("programs")).unwrap();
    }),
];

#[test]
fn a_directory_exchanged_after_judging_is_not_read() {
    let shut_in = sandboxes();
    for (number, (place, exchange)) in EXCHANGES.iter().enumerate() {
        // Without a sandbox it is read: the test can fail.
        for sandbox in shut_in.iter().copied().chain([Sandbox::Off]) {
            let mut bench = Bench::new();
            let top = bench.env.top.clone();
            bench.env.write("home/.ssh/w/key", "CANARY");
            bench.env.write("repo/part/w/inside.txt", "");
            bench.env.write("programs/tool", "");
            bench.own[0].1 = format!("/usr/bin:/bin:{}", bench.env.text("programs")).into();
            bench.sandbox = sandbox;
            bench.directory = WorkDir::read(place, &top);
            let canaries = ["home/.ssh/w/key", "repo/part/w/key", "programs/key"]
                .map(|key| bench.env.text(key));
            bench.arguments = canaries.into();
            bench.script("run.sh", "cat key \"$@\" /proc/self/cwd/key; exit 0");
            let prepared = bench.prepare("run.sh");
            exchange(&top);
            match (sandbox, prepared.run()) {
                (Sandbox::Off, ran) => {
                    assert!(out(&ran.unwrap().stdout).contains("CANARY"), "{number}")
                }
                (_, Err(RunError::Start { reason })) => {
                    assert!(
                        reason.contains("something else stands there"),
                        "{number} {sandbox:?}: {reason}"
                    );
                }
                (_, Ok(ran)) => {
                    panic!("{number} {sandbox:?}: {} {}", out(&ran.stdout), out(&ran.stderr))
                }
                (_, Err(error)) => panic!("{number} {sandbox:?}: {error:?}"),
            }
        }
    }
}

#[test]
fn a_proc_fd_path_is_refused_as_working_directory() {
    let mut bench = Bench::new();
    bench.script("run.sh", "echo ran");
    let held = fs::File::open(bench.env.at("repo")).unwrap();
    let number = std::os::fd::AsRawFd::as_raw_fd(&held);
    let own = std::process::id();
    symlink(format!("/proc/{own}/fd/{number}"), bench.env.at("repo/link")).unwrap();
    let places = [
        format!("/proc/{own}/fd/{number}"),
        format!("/proc/self/fd/{number}/skill"),
        format!("/tmp/../proc//{own}/task/{own}/fd/{number}/skill"),
        format!("/proc/{own}/cwd/src"),
        format!("/proc/{own}/root/usr"),
        bench.env.text("repo/link"),
        bench.env.text("repo/link/skill"),
    ];
    for place in places {
        bench.directory = WorkDir::At(place.clone().into());
        let error = bench.try_prepare("run.sh").unwrap_err();
        assert!(matches!(error, PrepareError::Exposing), "{place}: {error:?}");
    }
    bench.directory = WorkDir::At(bench.env.at("repo/skill/../skill"));
    assert_eq!(out(&bench.run("run.sh").stdout), "ran\n");
}
