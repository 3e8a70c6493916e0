//! `verify`: stand-ins for agents' programs, good ones and bad ones. (The real ones:
//! `tests/hosts`.)

use crate::env::TestEnv;
use crate::support::Ran;
use serde_json::{Value as Json, json};
use std::fs;

/// An environment in which Copilot is a shell script. Its list is what the script prints; it is run
/// in a copy of the environment.
fn env(script: &str) -> TestEnv {
    let env = TestEnv::new();
    for name in ["one", "two"] {
        env.skill("repo/.github/skills", name, "d");
    }
    env.skill("home/.copilot/skills", "own", "d");
    env.program("copilot", script)
}

/// Prints these skills, `name path enabled` each, as Copilot does.
fn list(rows: &[(&str, &str, bool)]) -> String {
    let row = |(name, path, enabled): &(&str, &str, bool)| {
        format!(
            "{{\"name\":\"{name}\",\"source\":\"project\",\"path\":\"'\"{path}\"'/{name}\",\"enabled\":{enabled}}}"
        )
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("echo '[{}]'", rows.join(","))
}

const REPO: &str = "$PWD/.github/skills";
const OWN: &str = "$HOME/.copilot/skills";

/// What the page says of three skills that agree.
const AGREED: &str = "\
agent    version  skills  agree  differ  unknown  asked with
copilot                3      3       0        0  copilot skill list --json

not asked about, since no copy has it (--live asks with it)
  copilot   plugins of a trusted repository's settings, commands of plugins
";

fn verify(env: &TestEnv, more: &[&str]) -> Ran {
    let ran = env.run(&[&["verify", "--host", "copilot"], more].concat());
    ran.is_inert();
    assert_eq!(fs::read_dir(env.at("tmp")).unwrap().count(), 0, "the copy is gone");
    ran
}

#[test]
fn agreement_is_exit_0() {
    let env = env(&list(&[("one", REPO, true), ("two", REPO, true), ("own", OWN, true)]));
    let ran = verify(&env, &[]).ended(0);
    assert_eq!(ran.out(), AGREED);
    assert!(ran.err.contains("asking copilot, in copies of what they read"), "{ran:?}");
    let json = env.json("verify", &["verify", "--host", "copilot", "--json", "--no-index"]);
    let row = &json["hosts"][0];
    assert_eq!(row["kept_from_ms"], Json::Null);
    let words: Vec<&str> =
        row["ran"][0].as_array().unwrap().iter().filter_map(Json::as_str).collect();
    assert!(words.ends_with(&["skill", "list", "--json"]), "{words:?}");
    let copy = env.text("tmp/skillpick-asked.");
    assert!(row["folder"].as_str().unwrap().starts_with(&copy), "{row}");
}

#[test]
fn every_difference_is_printed_with_our_reason() {
    let program = list(&[
        ("one", REPO, false),
        ("gone", REPO, true),
        ("no-front", REPO, true),
        ("own", OWN, true),
    ]);
    let env = env(&program);
    env.write("repo/.github/skills/no-front/SKILL.md", "text\n");
    let ran = verify(&env, &[]).ended(1);
    let place = |name: &str| env.text(&format!("repo/.github/skills/{name}"));
    let wanted = format!(
        "\
agent    version  skills  agree  differ  unknown  asked with
copilot                5      1       4        0  copilot skill list --json

what differs or is unknown
  copilot  one: differs; we say on, the program says off
    {}/SKILL.md
  copilot  two: only we list it
    {}/SKILL.md
  copilot  gone: only the program lists it; we do not find it
    {}
  copilot  no-front: only the program lists it; we say it is refused: no-frontmatter
    {}/SKILL.md

what to do
  copilot: its program is right; skillpick show NAME --host copilot names the rule by which we judge

not asked about",
        place("one"),
        place("two"),
        place("gone"),
        place("no-front")
    );
    assert!(ran.out().starts_with(&wanted), "{}", ran.out());
    let json = env.json("verify", &["verify", "--host", "copilot", "--json"]);
    let kinds: Vec<&Json> =
        json["hosts"][0]["findings"].as_array().unwrap().iter().map(|row| &row["kind"]).collect();
    assert_eq!(kinds, ["differs", "only_ours", "only_theirs", "only_theirs"]);
    let not_copied = "plugins of a trusted repository's settings, commands of plugins";
    assert_eq!(json["hosts"][0]["not_copied"], not_copied);
    assert_eq!((&json["hosts"][0]["skills"], &json["hosts"][0]["same"]), (&json!(5), &json!(1)));
}

#[test]
fn a_program_runs_in_a_copy_with_a_minimal_environment() {
    let script = "printf %s \"$HOME|$PWD|$SECRET|$COPILOT_HOME|$HTTPS_PROXY|$(cat \"$HOME/.copilot/settings.json\")\" >\"${0%/*}/said\"\n\
                  touch \"$HOME/written\" .github/written\nexit 1";
    let elsewhere = env(script);
    let copilot = elsewhere.text("home/.copilot");
    let env = elsewhere.variable("SECRET", "key").variable("COPILOT_HOME", &copilot);
    let settings = format!("{{\"skillDirectories\": [\"{}\"]}}", env.text("home/more"));
    env.write("home/.copilot/settings.json", settings);
    verify(&env, &[]).ended(2);
    let words = env.read("bin/said");
    let parts: Vec<&str> = words.split('|').collect();
    let copy = env.text("tmp/skillpick-asked.");
    let top = parts[0].strip_suffix(&env.text("home")).unwrap();
    assert!(top.starts_with(&copy), "{parts:?}");
    assert_eq!(parts[1], format!("{top}{}", env.text("repo")));
    assert_eq!((parts[2], parts[4]), ("", "http://127.0.0.1:9"));
    assert_eq!(parts[3], format!("{top}{copilot}"));
    assert!(parts[5].contains(&format!("[\"{top}{}\"]", env.text("home/more"))), "{parts:?}");
    assert!(!env.at("home/written").exists() && !env.at("repo/.github/written").exists());
}

#[test]
fn a_variable_with_nothing_in_it_is_one_in_the_copy_too() {
    let script = "printf %s \"${COPILOT_HOME-none}\" >\"${0%/*}/said\"\nexit 1";
    for (given, said) in [(None, "none"), (Some(""), "")] {
        let env = match given {
            Some(text) => env(script).variable("COPILOT_HOME", text),
            None => env(script),
        };
        verify(&env, &[]).ended(2);
        assert_eq!(env.read("bin/said"), said);
    }
}

#[test]
fn a_program_that_hangs_prints_rubbish_or_is_not_there_is_reported() {
    let hangs = env("echo waiting for a login >&2\nsleep 60");
    let ran = verify(&hangs, &["--timeout", "1"]).ended(2);
    let wanted = "\
agent    version  skills  agree  differ  unknown  asked with
copilot                -      -       -        -  copilot skill list --json
  no answer: the program did not end within 1000 ms
  it says: waiting for a login

what to do
  copilot: start it once by hand, since it may want a login; or give it more time with --timeout
";
    assert_eq!(ran.out(), wanted);
    let rubbish = env("printf 'please \\033[31mlog in\\n'");
    let ran = verify(&rubbish, &[]).ended(2);
    let wanted = "  no answer: the program gave no list of its skills\n  it says: please log in\n";
    assert!(ran.out().contains(wanted), "{ran:?}");
    let row =
        &json_of(&rubbish.run(&["verify", "--host", "copilot", "--json"]).ended(2))["hosts"][0];
    assert_eq!(row["error"], "the program gave no list of its skills");
    assert!(row["said"].as_str().unwrap().contains("log in"));
    let absent = TestEnv::new().variable("PATH", "/nowhere");
    let ran = absent.run(&["verify", "--host", "copilot"]).ended(2);
    assert!(ran.out().contains("  no answer: its program is not on PATH\n"), "{ran:?}");
    assert!(ran.out().contains("  copilot: install it, or add the folder"), "{ran:?}");
    let ran = absent.run(&["verify", "--host", "agents"]).ended(2);
    assert!(ran.out().contains("no command of its program"), "{ran:?}");
    assert!(!ran.out().contains("what to do"), "{ran:?}");
    assert!(absent.run(&["verify"]).ended(2).err.contains("no agent on this machine can be asked"));
}

#[test]
fn what_a_program_says_in_the_copy_names_the_real_paths_without_colours() {
    for end in ["exit 1", "sleep 60"] {
        let script = format!("printf '\\033[1;91mError:\\033[0m %s' \"$HOME/x.json\" >&2\n{end}");
        let env = env(&script);
        let ran = verify(&env, &["--timeout", "1"]).ended(2);
        let wanted = format!("  it says: Error: {}\n", env.text("home/x.json"));
        assert!(ran.out().contains(&wanted), "{ran:?}");
    }
}

fn json_of(ran: &Ran) -> Json {
    serde_json::from_str(ran.out()).unwrap()
}

#[test]
fn broken_settings_are_reported_with_their_line() {
    let env = env(&list(&[("one", REPO, true), ("two", REPO, true), ("own", OWN, true)]));
    env.write("home/.copilot/settings.json", "{\n\"disabledSkills\": [\n");
    let ran = verify(&env, &[]);
    assert!(
        ran.err.contains("warning: ") && ran.err.contains("home/.copilot/settings.json:"),
        "{ran:?}"
    );
}

#[test]
fn where_broken_settings_may_have_stopped_the_program_they_are_what_to_mend() {
    let env = env("echo cannot parse settings >&2; exit 1");
    env.write("home/.copilot/settings.json", "{\n\"disabledSkills\": [\n");
    let ran = verify(&env, &[]).ended(2);
    let file = env.text("home/.copilot/settings.json");
    assert!(ran.out().contains(&format!("  copilot: mend {file}:")), "{ran:?}");
    assert!(!ran.out().contains("login") && !ran.out().contains("--timeout"), "{ran:?}");
}

#[test]
fn a_newer_version_is_reported() {
    let env = env(&list(&[("one", REPO, true), ("two", REPO, true), ("own", OWN, true)]));
    env.write("bin/package.json", "{\"version\": \"99.0.0\"}");
    let ran = verify(&env, &[]).ended(0);
    assert!(ran.out().contains("\ncopilot  99.0.0        3      3       0        0  "), "{ran:?}");
    assert!(ran.out().contains("99.0.0 is newer than "), "{ran:?}");
}

#[test]
fn only_live_runs_in_the_real_directories() {
    let env = env("touch \"$HOME/written\"\necho '[]'");
    let ran = verify(&env, &["--live"]).ended(2);
    assert!(ran.err.contains("--live --yes") && !env.at("home/written").exists(), "{ran:?}");
    let ran = verify(&env, &["--live", "--yes"]).ended(1);
    assert!(!ran.out().contains("no copy has it"), "{ran:?}");
    assert!(env.at("home/written").exists());
}

#[test]
fn a_program_is_asked_again_only_if_something_that_it_reads_has_changed() {
    let rows = [("one", REPO, true), ("two", REPO, true), ("own", OWN, true)];
    let env = TestEnv::new();
    let count = format!("echo >>'{}'\n{}", env.text("count"), list(&rows));
    for (root, name) in [("repo/.github", "one"), ("repo/.github", "two"), ("home/.copilot", "own")]
    {
        env.skill(&format!("{root}/skills"), name, "d");
    }
    let env = env.program("copilot", &count);
    let asked = |more: &[&str], code: i32, times: usize| {
        let ran = verify(&env, more).ended(code);
        assert_eq!(env.read("count").lines().count(), times, "{ran:?}");
        let says = "\nnot asked again, since nothing that we copy for them has changed (--no-index asks)\n";
        ran.out().contains(&format!("{says}  just now: copilot\n"))
    };
    assert!(!asked(&[], 0, 1));
    assert!(asked(&[], 0, 1));
    assert!(!asked(&["--no-index"], 0, 2));
    assert!(!asked(&["--live", "--yes"], 0, 3));
    env.write("home/.copilot/settings.json", "{\"disabledSkills\": [\"one\"]}");
    assert!(!asked(&[], 1, 4), "the settings");
    assert!(!asked(&[], 1, 5), "what differs is asked each time");
    fs::remove_file(env.at("home/.copilot/settings.json")).unwrap();
    assert!(!asked(&[], 0, 6) && asked(&[], 0, 6));
    let json = verify(&env, &["--json"]).ended(0);
    let row = &json_of(&json)["hosts"][0];
    assert!(row["kept_from_ms"].as_u64().is_some() && row["ran"] == json!([]), "{row}");
    env.skill("repo/.github/skills", "one", "another text");
    assert!(!asked(&[], 0, 7), "a skill");
    let path = format!("{}:/usr/bin:/bin:/opt/none", env.text("bin"));
    let env = env.variable("PATH", &path);
    verify(&env, &[]).ended(0);
    assert_eq!(env.read("count").lines().count(), 8, "another PATH");
    let env = env.program("copilot", "exit 1");
    verify(&env, &[]).ended(2);
}

/// Each program waits until the other one has begun.
#[test]
fn several_programs_are_asked_at_the_same_time() {
    let env = TestEnv::new();
    let waits = |own: &str, other: &str| {
        format!(
            "touch '{}'; until [ -e '{}' ]; do sleep 0.05; done; echo '[]'",
            env.text(own),
            env.text(other)
        )
    };
    let (one, other) = (waits("began-1", "began-2"), waits("began-2", "began-1"));
    let env = env.program("copilot", &one).program("gemini", &other);
    let ran = env.run(&["verify", "--timeout", "20"]);
    assert!(ran.out().contains("\ncopilot ") && ran.out().contains("\ngemini "), "{ran:?}");
    assert!(!ran.out().contains("did not end"), "{ran:?}");
}
