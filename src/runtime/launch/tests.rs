use super::*;
use crate::runtime::allowing;
use crate::sandbox::{Ceiling, Part, RunError};
use crate::state::activity::Activity;
use crate::workspace::fixture::TestWorkspace;

/// A person's skill with a script that leaves a file behind, and settings with these rules.
fn test(rules: &str) -> TestWorkspace {
    let mut test = TestWorkspace::with(&[("home/.agents/skills/a", "a")]);
    let made = test.text("made");
    test.write("home/.agents/skills/a/run.sh", &format!("#!/bin/sh\ntouch '{made}'\n"));
    let settings = format!("version = 1\n[scripts]\nenabled = true\n{rules}");
    test.write("home/.config/skillpick/config.toml", &settings);
    test
}

/// A run as a person wants it, without a sandbox.
fn wanted() -> RunRequest<'static> {
    RunRequest {
        skill: Some("a"),
        script: "run.sh",
        arguments: &[],
        environment: &[],
        directory: WorkDir::Fresh,
        timeout: None,
        unshielded: true,
    }
}

#[test]
fn a_run_to_which_nobody_consented_is_not_made() {
    let test = test("");
    let view = test.view();
    let caller = test.call_context(&view);
    let prepare = || caller.prepare(None, By::Person, &wanted()).unwrap();
    assert_eq!(prepare().clearance, Clearance::Ask);
    let refused = caller.launch(prepare(), false, &|| true).unwrap_err();
    assert!(matches!(refused, LaunchError::NeedsConsent), "{refused:?}");
    assert!(!test.env.at("made").exists());
    let calls = Activity::load(test.workspace.state_dir.as_ref().unwrap()).calls;
    let logged: Vec<_> =
        calls.iter().map(|call| (call.error.as_deref(), call.exit, call.truncated)).collect();
    assert_eq!(logged, [(Some("needs_consent"), None, false)]);
    // With a yes it goes on to the launcher, which is not there in a unit test.
    let ran = caller.launch(prepare(), true, &|| true);
    assert!(matches!(ran, Err(LaunchError::Run(_))), "{ran:?}");
}

#[test]
fn a_remembered_yes_answers_no_rule_that_was_written_since() {
    let mut test = test("");
    let cleared = |test: &TestWorkspace, remember: bool| {
        let view = test.view();
        let caller = test.call_context(&view);
        let launch = caller.prepare(None, By::Person, &wanted()).unwrap();
        if remember {
            caller.remember_consent(&launch).unwrap();
        }
        launch.clearance
    };
    assert_eq!(cleared(&test, true), Clearance::Ask);
    assert_eq!(cleared(&test, false), Clearance::Remembered);
    let settings = |more: &str| {
        format!(
            "version = 1\n{more}[scripts]\nenabled = true\n[[permissions.ask]]\n\
             tool = \"skill_script\"\nskill_name = \"a\"\n"
        )
    };
    test.write("home/.config/skillpick/config.toml", &settings(""));
    assert_eq!(cleared(&test, true), Clearance::Ask);
    assert_eq!(cleared(&test, false), Clearance::Remembered);
    test.write("home/.config/skillpick/config.toml", &settings("# One line more.\n"));
    assert_eq!(cleared(&test, false), Clearance::Remembered);
}

#[test]
fn only_a_usual_run_in_a_sandbox_is_allowed_by_a_rule() {
    let rule = "[[permissions.allow]]\ntool = \"skill_script\"\nskill_name = \"a\"\n";
    let test = test(rule);
    let view = test.view();
    let caller = test.call_context(&view);
    let shut = RunRequest { unshielded: false, ..wanted() };
    let variable = [("A".to_owned(), "b".to_owned())];
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    for (wanted, clearance) in [
        (shut.clone(), Clearance::Allowed),
        (RunRequest { timeout: seconds(120), ..shut.clone() }, Clearance::Allowed),
        (RunRequest { timeout: seconds(121), ..shut.clone() }, Clearance::Ask),
        (RunRequest { environment: &variable, ..shut.clone() }, Clearance::Ask),
        (RunRequest { directory: WorkDir::Skill, ..shut.clone() }, Clearance::Allowed),
        (
            RunRequest { directory: WorkDir::At(test.env.at("repo")), ..shut.clone() },
            Clearance::Ask,
        ),
        (RunRequest { unshielded: true, ..shut }, Clearance::Ask),
    ] {
        let launch = caller.prepare(None, By::Person, &wanted).unwrap();
        assert_eq!(launch.clearance, clearance, "{wanted:?}");
    }
}

#[test]
fn a_person_is_told_what_no_rule_allows_before_and_after_a_rule_allows_the_rest() {
    let variable = [("A".to_owned(), "b".to_owned())];
    let timeout = Some(Duration::from_secs(200));
    let wanted = RunRequest { unshielded: false, environment: &variable, timeout, ..wanted() };
    let said = |test: &TestWorkspace| {
        let view = test.view();
        let caller = test.call_context(&view);
        let launch = caller.prepare(None, By::Person, &wanted).unwrap();
        let lines = launch.described();
        let why = |line: &String| line.starts_with("rule:") || line.starts_with("asked:");
        let why: Vec<String> = lines.iter().map(ToString::to_string).filter(why).collect();
        (launch.prepared.digest.to_string(), allowing::running(&caller, &launch), why)
    };
    let mut test = test("");
    let (digest, how, why) = said(&test);
    assert_eq!(
        how,
        "this script without `env` or a `timeout` above 120 permanently: \
         skillpick permit allow a --script --path run.sh"
    );
    assert_eq!(why, ["rule:      default"]);
    let rule = format!(
        "[[permissions.allow]]\ntool = \"skill_script\"\nskill_name = \"a\"\npath = {:?}\n\
         digest = \"sha256:{digest}\"\nscript = \"run.sh\"\n",
        test.env.at("home/.agents/skills/a/SKILL.md")
    );
    let settings = format!("version = 1\n[scripts]\nenabled = true\n{rule}");
    test.write("home/.config/skillpick/config.toml", &settings);
    let (_, how, why) = said(&test);
    assert_eq!(
        how,
        "this run permanently: no rule can allow a run with `env` and a `timeout` above 120; \
         `skillpick run` asks in a terminal, and remembers *always*"
    );
    let asked = "asked:     no rule allows a run with variables of its caller, \
                 nor one of more than the 120 s in your settings";
    assert_eq!(why, [asked]);
}

/// A skill with two others in it: a script gets neither, since one is denied and the other asked
/// for, whoever runs it.
#[test]
fn a_run_by_a_person_has_the_files_to_which_a_rule_is_bound_and_no_others() {
    let rule = |effect: &str, name: &str| {
        format!("[[permissions.{effect}]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n")
    };
    let mut test = test(&(rule("deny", "no") + &rule("ask", "maybe")));
    for name in ["no", "maybe", "yes"] {
        let page = format!("---\nname: {name}\ndescription: Inside.\n---\n");
        test.write(&format!("home/.agents/skills/a/in/{name}/SKILL.md"), &page);
        test.write(&format!("home/.agents/skills/a/in/{name}/run.sh"), "echo");
    }
    let view = test.view();
    let caller = test.call_context(&view);
    let launch = caller.prepare(None, By::Person, &wanted()).unwrap();
    let skill = &launch.skill;
    assert_eq!(launch.prepared.digest, caller.script_digest(skill).unwrap());
    let lines: Vec<String> = launch.described().iter().map(ToString::to_string).collect();
    for (name, given) in [("no", false), ("maybe", false), ("yes", true)] {
        let file = launch.prepared.copy().join(format!("in/{name}/SKILL.md"));
        assert_eq!(file.exists(), given, "{name}");
        let line = format!("not in the copy: in/{name}");
        assert_eq!(lines.contains(&line), !given, "{name}: {lines:#?}");
        // Nor does a script of theirs run.
        let script = format!("in/{name}/run.sh");
        let wanted = RunRequest { script: &script, ..wanted() };
        let code = caller.prepare(None, By::Person, &wanted).map_err(|error| error.code());
        let refused = match name {
            "no" => Some("denied"),
            "maybe" => Some("needs_consent"),
            _ => None,
        };
        assert_eq!(code.err(), refused, "{name}");
    }
}

#[test]
fn repositories_around_the_person_and_the_skill_are_not_trusted_but_a_home_is() {
    let test = TestWorkspace::with(&[("home/.agents/skills/a", "a"), ("lib/skills/b", "b")]);
    test.env.link("lib/skills/b", "home/.agents/skills/b");
    let untrusted = |name: &str, folder: &str| {
        let view = test.view();
        let skill = &view.rows.entries().find(|entry| entry.skill.name == name).unwrap().skill;
        test.call_context(&view).untrusted_folders(skill).contains(&test.env.at(folder))
    };
    assert!(untrusted("a", "repo") && untrusted("b", "repo"));
    assert!(!untrusted("b", "lib"));
    for sign in ["lib/.git", "lib/.jj", "home/.git"] {
        std::fs::create_dir(test.env.at(sign)).unwrap();
        assert!(untrusted("a", "repo") && untrusted("b", "repo"), "{sign}");
        assert_eq!(untrusted("b", "lib"), sign.starts_with("lib"), "{sign}");
        // Whose home is a repository still has toolchains in it.
        assert!(!untrusted("a", "home") && !untrusted("a", "home/.agents/skills/a"), "{sign}");
        std::fs::remove_dir(test.env.at(sign)).unwrap();
    }
}

#[test]
fn a_question_says_why_an_allow_rule_does_not_reach_the_run() {
    let rule = |rest: &str| {
        format!("[[permissions.allow]]\ntool = \"skill_script\"\nskill_name = \"a\"\n{rest}")
    };
    let settings = |rule: String| format!("version = 1\n[scripts]\nenabled = true\n{rule}");
    let mut test = TestWorkspace::with(&[("repo/.agents/skills/a", "a")]);
    test.write("repo/.agents/skills/a/run.sh", "echo");
    let path = test.env.at("repo/.agents/skills/a/SKILL.md");
    let old = format!("path = {path:?}\ndigest = \"sha256:{}\"\n", "0".repeat(64));
    for (rule, words) in [
        (String::new(), None),
        (rule("script = \"other.sh\"\n"), None),
        (rule("args = [\"x\"]\nscript = \"run.sh\"\n"), None),
        (rule(""), Some("does not reach what a repository brings")),
        (rule("script = \"run.sh\"\n"), Some("does not reach what a repository brings")),
        (rule(&old), Some("its files have changed since they were allowed by")),
    ] {
        test.write("home/.config/skillpick/config.toml", &settings(rule.clone()));
        let view = test.view();
        let wanted = RunRequest { unshielded: false, ..wanted() };
        let launch = test.call_context(&view).prepare(None, By::Person, &wanted).unwrap();
        assert_eq!(launch.clearance, Clearance::Ask, "{rule}");
        let lines = launch.described().iter().map(ToString::to_string).collect::<Vec<_>>();
        let but: Vec<_> = lines.iter().filter(|line| line.starts_with("but: ")).collect();
        assert_eq!(but.len(), usize::from(words.is_some()), "{rule}: {but:?}");
        assert!(words.is_none_or(|words| but[0].contains(words)), "{rule}: {but:?}");
    }
}

#[test]
fn a_script_that_cannot_be_started_says_why_and_what_to_do() {
    use std::os::unix::fs::PermissionsExt;
    let test = test("");
    let view = test.view();
    let own = test.env.write("home/own/sh", "#!/bin/sh\n");
    let tool = test.env.write("home/.agents/skills/a/tool", "");
    for file in [&own, &tool] {
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let own = own.display().to_string();
    for (text, code, words) in [
        ("no interpreter", "no_interpreter", "neither its extension nor a `#!` line"),
        ("#!sh", "no_interpreter", "name an absolute program, or `env` with one name"),
        ("#!/usr/bin/env no-such-program", "not_installed", "not on the PATH: no-such-program"),
        (&format!("#!{own}"), "writable_interpreter", &own),
        (&format!("#!{own}"), "writable_interpreter", "use `#!/usr/bin/env NAME`"),
    ] {
        std::fs::write(&tool, text).unwrap();
        let wanted = RunRequest { script: "tool", ..wanted() };
        let error = test.call_context(&view).prepare(None, By::Person, &wanted).unwrap_err();
        assert_eq!(error.code(), code, "{text}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    let reason = || String::from("no such file");
    for (error, code, cure) in [
        (PrepareError::NoSandbox.into(), "no_sandbox", "--no-sandbox"),
        (
            RunError::Sandbox { part: Part::Files, reason: reason() }.into(),
            "no_sandbox",
            "--no-sandbox",
        ),
        (
            RunError::Interpreter { program: reason() }.into(),
            "interpreter_changed",
            "ask for the run again",
        ),
        (RunError::Start { reason: reason() }.into(), "not_started", "no such file"),
    ] {
        let error: LaunchError = error;
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(cure), "{error}");
    }
}

#[test]
fn a_question_says_that_nothing_is_shut_in_and_that_the_interpreter_is_strange() {
    let test = test("");
    let view = test.view();
    let mut launch = test.call_context(&view).prepare(None, By::Person, &wanted()).unwrap();
    let lines = |launch: &Launch| launch.described().iter().map(ToString::to_string).collect();
    let plain: Vec<String> = lines(&launch);
    for line in ["network:   yes", "writes to: wherever you may", "reads:     whatever you may"] {
        assert!(plain.iter().any(|shown| shown == line), "{line}: {plain:#?}");
    }
    assert!(!plain.iter().any(|line| line.starts_with("warning:")), "{plain:#?}");
    launch.prepared.strange_interpreter = true;
    let program = launch.prepared.command[0].clone();
    let warned: Vec<String> = lines(&launch);
    let warning = warned.iter().find(|line| line.starts_with("warning:")).unwrap();
    assert!(warning.contains("names its interpreter") && warning.ends_with(&program), "{warning}");
}

#[test]
fn no_argument_or_variable_buries_what_is_to_be_known_before_a_yes() {
    let test = test("");
    let view = test.view();
    let arguments = ["x".repeat(20_000)];
    let environment: Vec<(String, String)> =
        (0..2_000).map(|number| (format!("VARIABLE_{number}"), String::new())).collect();
    let wanted = RunRequest { arguments: &arguments, environment: &environment, ..wanted() };
    let launch = test.call_context(&view).prepare(None, By::Person, &wanted).unwrap();
    let lines: Vec<String> = launch.described().iter().map(ToString::to_string).collect();
    let place = |begin: &str| lines.iter().position(|line| line.starts_with(begin)).unwrap();
    for known in ["reaches: ", "rule: ", "network: "] {
        assert!(place(known) < place("command: "), "{lines:#?}");
    }
    assert!(lines.iter().all(|line| line.len() < 4_000), "{lines:#?}");
    assert!(lines[place("command: ")].contains("… (20000 characters, sha256:"), "{lines:#?}");
    assert!(lines[place("variables: ")].contains(" more (sha256:"), "{lines:#?}");
}

#[test]
fn each_way_to_end_has_its_exit_code() {
    for (exit, code) in [
        (Exit::Code(7), 7),
        (Exit::Signal(9), 137),
        (Exit::Signal(15), 143),
        (Exit::TimedOut, 124),
        (Exit::Cancelled, 130),
        (Exit::Over(Ceiling::Memory), 137),
    ] {
        assert_eq!(exit_code(exit), code);
    }
}
