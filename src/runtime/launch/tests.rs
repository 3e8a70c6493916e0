use super::*;
use crate::sandbox::Ceiling;
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

fn caller<'a>(test: &'a TestWorkspace, view: &'a crate::workspace::View) -> CallContext<'a> {
    let (session, scope) = (None, None);
    CallContext { workspace: &test.workspace, view, client: "test", session, scope }
}

/// A run as a person wants it, without a sandbox.
fn wanted() -> Wanted<'static> {
    Wanted {
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
    let caller = caller(&test, &view);
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
fn only_a_usual_run_in_a_sandbox_is_allowed_by_a_rule() {
    let rule = "[[permissions.allow]]\ntool = \"skill_script\"\nskill_name = \"a\"\n";
    let test = test(rule);
    let view = test.view();
    let caller = caller(&test, &view);
    let shut = Wanted { unshielded: false, ..wanted() };
    let variable = [("A".to_owned(), "b".to_owned())];
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    for (wanted, clearance) in [
        (shut.clone(), Clearance::Allowed),
        (Wanted { timeout: seconds(120), ..shut.clone() }, Clearance::Allowed),
        (Wanted { timeout: seconds(121), ..shut.clone() }, Clearance::Ask),
        (Wanted { environment: &variable, ..shut.clone() }, Clearance::Ask),
        (Wanted { directory: WorkDir::Skill, ..shut.clone() }, Clearance::Allowed),
        (Wanted { directory: WorkDir::At(test.env.at("repo")), ..shut.clone() }, Clearance::Ask),
        (Wanted { unshielded: true, ..shut }, Clearance::Ask),
    ] {
        let launch = caller.prepare(None, By::Person, &wanted).unwrap();
        assert_eq!(launch.clearance, clearance, "{wanted:?}");
    }
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
