//! A marker in every known place of a credential, and scripts that try to read it.

use super::{Bench, out, sandboxes};
use crate::support::skipped;
use skillpick::catalog::private_places;
use skillpick::sandbox::{Exit, PrepareError, Sandbox, WorkDir};
use std::path::Path;

const MARKER: &str = "MARKER-OF-A-CREDENTIAL";

/// Where installers keep tokens beside programs, though no table names the very file.
const BESIDE: &[&str] = &[
    ".local/share/uv/tools/x/uv-receipt.toml",
    ".local/share/uv/tools/x/pip.conf",
    ".local/share/uv/cache/token",
    ".rye/.env",
    ".rye/uv/token",
    ".pyenv/versions/3/pip.conf",
    ".pyenv/versions/3/.condarc",
    ".nvm/.npmrc",
    ".nvm/versions/node/20/etc/npmrc",
    ".asdf/.env",
    ".asdf/installs/nodejs/20/etc/npmrc",
    ".asdf/plugins/x/.git/config",
    ".local/share/mise/installs/node/20/etc/npmrc",
    ".local/share/mise/plugins/x/.git/config",
    ".local/share/pipx/venvs/x/pip.conf",
    ".volta/cache/token",
    ".sdkman/candidates/maven/3/conf/settings.xml",
    "miniconda3/etc/conda/condarc",
    "miniconda3/pkgs/token",
    "miniconda3/envs/x/.condarc",
];

const READERS: &[(&str, &str, &str)] = &[
    ("run.sh", "/usr/bin/bash", "cat \"$@\" 2>/dev/null; echo ran"),
    (
        "run.py",
        "/usr/bin/python3",
        "import sys\nfor place in sys.argv[1:]:\n    try: print(open(place).read())\n    \
         except OSError: pass\nprint('ran')",
    ),
    (
        "run.js",
        "/usr/bin/node",
        "const fs = require('fs');\nfor (const place of process.argv.slice(2)) {\n    \
         try { console.log(fs.readFileSync(place, 'utf8')) } catch {}\n}\nconsole.log('ran')",
    ),
];

fn known() -> Vec<&'static str> {
    let found: Vec<_> = private_places::all().collect();
    assert!(found.len() > 150, "{found:?}");
    found
}

/// A bench with a marker in every place, and the places.
fn bench() -> Bench {
    let mut bench = Bench::new();
    let marked = known().into_iter().map(|place| format!("{place}/marker"));
    let marked = marked.chain(BESIDE.iter().map(|place| (*place).to_owned()));
    let mut places: Vec<String> = marked.map(|place| format!("home/{place}")).collect();
    // What variables move, and folders of programs that hold a token.
    let moved = [
        ("CARGO_HOME", "credentials.toml"),
        ("RYE_HOME", "credentials"),
        ("CONDA_PREFIX", ".condarc"),
        ("GNUPGHOME", "secring.gpg"),
        ("UV_CREDENTIALS_DIR", "credentials.toml"),
        ("HF_HOME", "marker"),
    ];
    let mut path = "/usr/bin:/bin".to_owned();
    for (name, file) in moved {
        places.push(format!("moved/{name}/{file}"));
        let folder = bench.env.text(&format!("moved/{name}"));
        path.push_str(&format!(":{folder}"));
        bench.own.push((name.into(), folder.into()));
    }
    for bin in ["miniconda3/bin", ".rye/shims", ".local/bin", ".asdf/shims", ".cargo/bin"] {
        bench.env.write(format!("home/{bin}/tool"), "PROGRAM");
        path.push_str(&format!(":{}", bench.env.text(&format!("home/{bin}"))));
    }
    bench.own[0].1 = path.into();
    for place in &places {
        bench.env.write(place, MARKER);
    }
    bench.arguments = places.iter().map(|place| bench.env.text(place)).collect();
    bench.arguments.push(bench.env.text("home/miniconda3/bin/tool"));
    bench
}

#[test]
fn no_script_reads_a_credential_in_any_known_place() {
    let mut bench = bench();
    let shut_in = sandboxes();
    for (script, program, text) in READERS {
        if !Path::new(program).exists() {
            skipped(&format!("no {program}, so that {script} was not run (install it)"));
            continue;
        }
        bench.script(script, text);
        for sandbox in shut_in.iter().copied().chain([Sandbox::Off]) {
            bench.sandbox = sandbox;
            let ran = bench.run(script);
            let all = out(&ran.stdout);
            let told = || out(&ran.stderr);
            assert!(ran.exit == Exit::Code(0) && all.ends_with("ran\n"), "{all} {}", told());
            // Programs are readable, and without a sandbox everything is: the test can fail.
            assert!(all.contains("PROGRAM"), "{script} {sandbox:?}");
            assert_eq!(all.contains(MARKER), sandbox == Sandbox::Off, "{script} {sandbox:?}");
        }
    }
}

#[test]
fn no_known_place_of_a_credential_is_a_working_directory() {
    let mut bench = bench();
    bench.script("run.sh", "echo ran");
    let unknown = ["home/.new-cloud/marker", "home/.config/new-cloud/marker"];
    unknown.iter().for_each(|place| drop(bench.env.write(place, MARKER)));
    let unknown = unknown.map(|place| bench.env.text(place));
    let places: Vec<String> = bench.arguments.iter().cloned().chain(unknown).collect();
    for place in places.iter().filter(|place| !place.ends_with("/tool")) {
        // Whatever lies beside an installation's programs in a folder that is not hidden is its
        // own, and a person who is asked sees the folder.
        if place.contains("/miniconda3/") && !place.ends_with("condarc/marker") {
            continue;
        }
        let folder = Path::new(place).parent().unwrap().to_owned();
        bench.directory = WorkDir::At(folder);
        let refused = bench.try_prepare("run.sh");
        assert!(matches!(refused, Err(PrepareError::Exposing)), "{place}: {refused:?}");
    }
}
