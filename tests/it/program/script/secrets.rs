//! Row 32: what a person keeps secret is not shown to a script.

use super::{Bench, out, sandboxes};
use skillpick::runtime::script::{Exit, Sandbox, WorkDir};

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
fn bar_32_no_planted_secret_is_visible_to_a_script() {
    let mut bench = Bench::new();
    for number in 0..30 {
        bench.own.push((format!("SECRET_{number}").into(), format!("CANARY-{number}").into()));
    }
    for file in FILES {
        bench.house.write(&format!("home/{file}"), format!("CANARY in {file}"));
    }
    bench.house.write("repo/inside.txt", "INSIDE");
    bench.directory = WorkDir::At(bench.house.at("repo"));
    bench.arguments = FILES.iter().map(|file| bench.house.at("home").join(file).display().to_string()).collect();
    let text = "env; export; cat \"$@\"; cat /proc/$PPID/environ /proc/[0-9]*/environ /proc/[0-9]*/cmdline; \
                for f in \"$@\"; do cp \"$f\" $TMPDIR/stolen; ln \"$f\" $TMPDIR/linked; ln -s \"$f\" $TMPDIR/soft; \
                cat $TMPDIR/stolen $TMPDIR/linked $TMPDIR/soft; done; ls $HOME $HOME/.ssh; cat inside.txt; \
                python3 -c 'import sys; [print(open(f).read()) for f in sys.argv[1:]]' \"$@\"; exit 0";
    for sandbox in sandboxes() {
        bench.sandbox = sandbox;
        let ran = bench.bash(text);
        let all = out(&ran.stdout);
        assert_eq!(ran.exit, Exit::Code(0));
        assert!(all.contains("INSIDE") && all.contains("HOME="), "the script ran: {all} {}", out(&ran.stderr));
        assert!(!all.contains("CANARY"), "{sandbox:?}: {all}");
        assert!(!all.lines().any(|line| line == "id_ed25519"), "{sandbox:?}: {all}");
    }
    // The very same script without a sandbox sees the files, though not the variables: the test can fail.
    bench.sandbox = Sandbox::Off;
    let all = out(&bench.bash(text).stdout);
    assert!(all.contains("CANARY in .ssh/id_ed25519") && !all.contains("CANARY-7"), "{all}");
}

#[test]
fn a_directory_that_holds_credentials_is_no_working_directory() {
    let mut bench = Bench::new();
    bench.script("run.sh", "echo ran");
    for place in ["home", "", "home/.ssh"] {
        std::fs::create_dir_all(bench.house.at(place)).unwrap();
        bench.directory = WorkDir::At(bench.house.at(place));
        let error = bench.try_prepare("run.sh").unwrap_err();
        assert!(matches!(error, skillpick::runtime::script::PrepareError::Exposing), "{place}: {error:?}");
    }
}
