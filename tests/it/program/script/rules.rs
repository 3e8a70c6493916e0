//! Rules that name a script and arguments, through the commands and the server (X1).

use crate::env::TestEnv;
use crate::program::serve::Client;
use crate::support::Ran;
use serde_json::{Value as Json, json};
use std::os::unix::fs::symlink;

const CONFIG: &str = "home/.config/skillpick/config.toml";
const FOLDER: &str = "home/.agents/skills/forms";
const FILL: &str = "scripts/fill.sh";

/// A skill of one's own with two scripts, links to one of them and to their folder.
fn env(rules: &str) -> TestEnv {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "forms", "Fills forms.");
    env.write(format!("{FOLDER}/{FILL}"), "echo FILLED \"$@\"\n");
    env.write(format!("{FOLDER}/scripts/wipe.sh"), "echo WIPED \"$@\"\n");
    symlink("fill.sh", env.at(format!("{FOLDER}/scripts/link.sh"))).unwrap();
    symlink("scripts", env.at(format!("{FOLDER}/other"))).unwrap();
    symlink("other/link.sh", env.at(format!("{FOLDER}/chain.sh"))).unwrap();
    env.settings(&format!("[scripts]\nenabled = true\n{rules}"));
    env
}

fn rule(effect: &str, rest: &str) -> String {
    format!("\n[[permissions.{effect}]]\ntool = \"skill_script\"\nskill_name = \"forms\"\n{rest}\n")
}

const ONE: &str = "script = \"scripts/fill.sh\"\nargs = [\"--dry-run\", \"a b\"]";

/// Script, arguments, and whether [`ONE`] covers them. By whatever way, what is judged is the file
/// that runs.
const RUNS: [(&str, &[&str], bool); 11] = [
    (FILL, &["--dry-run", "a b"], true),
    ("./scripts//fill.sh", &["--dry-run", "a b"], true),
    ("scripts/./fill.sh", &["--dry-run", "a b"], true),
    ("scripts/link.sh", &["--dry-run", "a b"], true),
    ("other/fill.sh", &["--dry-run", "a b"], true),
    (FILL, &["--dry-run"], false),
    (FILL, &["a b", "--dry-run"], false),
    (FILL, &["--dry-run", "a", "b"], false),
    (FILL, &["--dry-run", "a b", ""], false),
    (FILL, &[], false),
    ("scripts/wipe.sh", &["--dry-run", "a b"], false),
];

fn run(env: &TestEnv, script: &str, arguments: &[&str]) -> Ran {
    env.run(&[["run", "forms", script, "--"].as_slice(), arguments].concat())
}

#[test]
fn a_rule_for_a_script_with_arguments_allows_exactly_that_run() {
    let env = env(&rule("allow", ONE));
    for (script, arguments, covered) in RUNS {
        let ran = run(&env, script, arguments);
        if covered {
            assert_eq!((ran.code, ran.out()), (0, "FILLED --dry-run a b\n"), "{script}: {ran:?}");
        } else {
            assert!(
                ran.code == 1 && ran.err.contains("needs the user's consent"),
                "{script} {arguments:?}: {ran:?}"
            );
            assert!(ran.err.contains("rule:      default"), "{ran:?}");
        }
    }
    // Only a link's target counts: an allow rule that names the link allows nothing.
    let linked = "script = \"scripts/link.sh\"";
    env.settings(&format!("[scripts]\nenabled = true\n{}", rule("allow", linked)));
    for script in [FILL, "scripts/link.sh"] {
        assert!(
            run(&env, script, &[]).ended(1).err.contains("needs the user's consent"),
            "{script}"
        );
    }
    // A deny rule that names the link denies.
    env.settings(&format!(
        "[scripts]\nenabled = true\n{}{}",
        rule("allow", ""),
        rule("deny", linked)
    ));
    for script in ["scripts/link.sh", "other/link.sh", "other/../scripts/link.sh", "chain.sh"] {
        assert!(run(&env, script, &[]).ended(1).err.contains("denied"), "{script}");
    }
    run(&env, FILL, &[]).ended(0);
    run(&env, "other/fill.sh", &[]).ended(0);
    // A path that goes up is not run at all.
    let ran = run(&env, "scripts/../scripts/fill.sh", &[]).ended(2);
    assert!(ran.out().is_empty() && ran.err.contains("without `..`"), "{ran:?}");
}

#[test]
fn a_deny_of_one_script_beats_an_allow_of_the_skill_in_either_file() {
    for file in [CONFIG, "repo/.skillpick.toml"] {
        let env = env(&rule("allow", ""));
        let before = if file == CONFIG { env.read(CONFIG) } else { "version = 1\n".to_owned() };
        env.write(file, before + &rule("deny", "script = \"scripts/w*\""));
        run(&env, FILL, &["x"]).ended(0);
        for script in ["scripts/wipe.sh", "other/wipe.sh", ".//scripts/wipe.sh"] {
            let ran = env.run(&["run", "forms", script, "--yes"]).ended(1);
            assert!(
                ran.out().is_empty() && ran.err.contains("this run is denied"),
                "{script}: {ran:?}"
            );
            let place =
                format!("permissions.deny skill_script \"forms\" scripts/w*, {}:", env.text(file));
            assert!(ran.err.contains(&place), "{place}: {ran:?}");
            assert!(ran.err.contains("to allow it: change that rule"), "{ran:?}");
        }
        // A missing script is reported as missing, not as denied.
        let ran = env.run(&["run", "forms", "scripts/none.sh", "--yes"]).ended(1);
        assert!(ran.err.contains("scripts/none.sh") && !ran.err.contains("denied"), "{ran:?}");
        // An ask rule overrides the allow rule as well, and the question names it.
        env.write(file, env.read(file).replace("permissions.deny", "permissions.ask"));
        let ran = run(&env, "scripts/wipe.sh", &[]).ended(1);
        assert!(
            ran.err.contains("rule:      permissions.ask skill_script \"forms\" scripts/w*, "),
            "{ran:?}"
        );
    }
    // A repository allows nothing.
    let env = env("");
    env.write("repo/.skillpick.toml", "version = 1\n".to_owned() + &rule("allow", ONE));
    assert!(
        run(&env, FILL, &["--dry-run", "a b"]).ended(1).err.contains("needs the user's consent")
    );
}

#[test]
fn an_unreadable_rule_runs_nothing_and_is_reported_with_its_line() {
    for (effect, fault) in
        [("allow", "script = \"../fill.sh\""), ("deny", "args = \"x\""), ("ask", "scirpt = \"x\"")]
    {
        let env = env(&rule(effect, fault));
        let ran = env.run(&["run", "forms", FILL, "--yes"]).ended(2);
        assert!(ran.out().is_empty() && ran.err.contains("config.toml:8:"), "{ran:?}");
        // In a repository's file as well; one that is broken switches scripts off besides.
        let text = env.read(CONFIG).replace("[scripts]\nenabled = true\n", "");
        env.settings("[scripts]\nenabled = true\n[[permissions.allow]]\ntool = \"skill_script\"\n");
        env.write("repo/.skillpick.toml", text);
        let ran = env.run(&["run", "forms", FILL, "--yes"]).ended(1);
        assert!(ran.out().is_empty() && ran.err.contains(".skillpick.toml:6:"), "{fault}: {ran:?}");
    }
}

#[test]
fn a_script_of_a_nested_skill_is_judged_by_the_rules_of_both_skills() {
    let env = env("");
    env.skill(FOLDER, "inner", "Inside.");
    env.write(format!("{FOLDER}/inner/run.sh"), "echo INNER\n");
    let inner = |effect: &str, script: &str| {
        rule(effect, &format!("script = \"{script}\"")).replace("\"forms\"", "\"inner\"")
    };
    let judge = |rules: String| {
        env.settings(&format!("[scripts]\nenabled = true\n{rules}"));
        run(&env, "inner/run.sh", &[])
    };
    let outer = || rule("allow", "script = \"inner/run.sh\"");
    judge(outer() + &inner("allow", "run.sh")).ended(0);
    judge(outer()).ended(1);
    judge(outer() + &inner("allow", "inner/run.sh")).ended(1);
    judge(rule("allow", "") + &inner("allow", "*") + &inner("deny", "./run.sh")).ended(1);
}

#[test]
fn permit_writes_a_script_rule_and_prints_it() {
    let env = env("");
    let permit = |arguments: &[&str]| env.run(&[["permit"].as_slice(), arguments].concat());
    permit(&[
        "allow",
        "forms",
        "--script",
        "--path",
        "./scripts//fill.sh",
        "--",
        "--dry-run",
        "a b",
    ])
    .ended(0);
    let path = env.text(&format!("{FOLDER}/SKILL.md"));
    let written = env.read(CONFIG);
    let start = rule("allow", &format!("path = \"{path}\"\ndigest = \"sha256:"));
    assert!(written.contains(start.trim_end()), "{written}");
    assert!(written.ends_with(&format!("\"\n{ONE}\n")), "{written}");
    assert_eq!(run(&env, FILL, &["--dry-run", "a b"]).ended(0).out(), "FILLED --dry-run a b\n");
    // The same rule again changes nothing; other arguments are another rule; another effect
    // replaces only the same rule.
    permit(&["allow", "forms", "--script", "--path", FILL, "--", "--dry-run", "a b"]).ended(0);
    assert_eq!(env.read(CONFIG), written);
    let rows = env.json("config", &["config", "--json"])["values"].clone();
    let is_bound = |row: &Json| {
        let digest = row["value"]["digest"].as_str();
        row["value"]["path"] == path && digest.is_some_and(|sum| sum.starts_with("sha256:"))
    };
    assert!(rows.as_array().unwrap().iter().any(is_bound), "{rows}");
    let change = env.json(
        "change",
        &["permit", "deny", "forms", "--script", "--path", FILL, "--no-args", "--json"],
    );
    let expected = json!({ "effect": "deny", "tool": "skill_script", "skill_name": "forms", "script": FILL, "args": [] });
    assert_eq!(
        (&change["rule"], &change["label"]),
        (&expected, &json!("deny forms (scripts/fill.sh [])"))
    );
    run(&env, FILL, &["--dry-run", "a b"]).ended(0);
    assert!(run(&env, FILL, &[]).ended(1).err.contains("denied"));
    permit(&["ask", "forms", "--script", "--path", FILL, "--", "--dry-run", "a b"]).ended(0);
    assert!(
        run(&env, FILL, &["--dry-run", "a b"]).ended(1).err.contains("needs the user's consent")
    );
    assert!(run(&env, FILL, &[]).ended(1).err.contains("denied"));
    let rows = env.json("config", &["config", "--json"])["values"].clone();
    let said = |row: &Json| {
        row["value"]
            == json!({ "tool": "skill_script", "skill_name": "forms", "script": FILL, "args": [] })
    };
    assert!(rows.as_array().unwrap().iter().any(said), "{rows}");
    // A rule that covers less than it seems to is reported.
    let dry = ["deny", "forms", "--script", "--dry-run", "--path"];
    for (path, told) in [
        ("scripts/none.sh", "no script `scripts/none.sh` here"),
        ("scripts/link.sh", "is a link; rules are matched against scripts/fill.sh"),
        (FILL, ""),
        ("scripts/*", ""),
    ] {
        let ran = permit(&[dry.as_slice(), &[path]].concat()).ended(0);
        assert!(
            ran.err.contains(told) && ran.err.contains("warning") != told.is_empty(),
            "{path}: {ran:?}"
        );
    }
    let before = env.read(CONFIG);
    for wrong in [
        ["allow", "forms", "--script", "--path", "../x.sh"].as_slice(),
        &["allow", "forms", "--script", "--path", "/x.sh"],
        &["allow", "forms", "--script", "--path", ""],
        &["allow", "forms", "--path", FILL],
        &["allow", "forms", "--", "x"],
        &["allow", "forms", "--no-args"],
        &["allow", "forms", "--script", "--no-args", "--", "x"],
    ] {
        permit(wrong).ended(2);
    }
    assert_eq!(env.read(CONFIG), before);
}

#[test]
fn the_server_allows_asks_and_denies_the_same_runs() {
    let env = env(&(rule("allow", ONE) + &rule("deny", "args = [\"never\"]")));
    let mut client = Client::new(&env, &[]);
    client.call("skill_load", json!({ "name": "forms" }));
    for (script, arguments, covered) in RUNS {
        let call = json!({ "path": script, "args": arguments });
        if covered {
            let (data, _) = client.call("skill_run_script", call);
            assert_eq!(data["stdout"], "FILLED --dry-run a b\n", "{script}");
        } else {
            assert_eq!(
                client.refusal("skill_run_script", call).0,
                "needs_consent",
                "{script} {arguments:?}"
            );
        }
    }
    let (code, text) =
        client.refusal("skill_run_script", json!({ "path": FILL, "args": ["never"] }));
    let place =
        format!("permissions.deny skill_script \"forms\" [\"never\"], {}:", env.text(CONFIG));
    assert!(code == "denied" && text.contains(&place), "{code} {text}");
    // The question names the rule that asks.
    let mut client = Client::with(&env, &[], json!({ "elicitation": {} }));
    client.call("skill_load", json!({ "name": "forms" }));
    client.request(
        "tools/call",
        json!({ "name": "skill_run_script", "arguments": { "path": FILL } }),
    );
    let asked = client.expect(|message| message["method"] == "elicitation/create");
    assert!(asked["params"]["message"].as_str().unwrap().contains("rule:      default"), "{asked}");
}
