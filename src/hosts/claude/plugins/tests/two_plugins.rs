//! What two plugins share: the name of a skill, or a folder.

use super::*;
use crate::workspace::resolve_any;

#[test]
fn a_name_of_two_plugins_means_the_skill_of_the_one_that_is_on() {
    let entry = |name: &str| format!(r#"{{"name": "{name}", "source": "./{name}"}}"#);
    let entries = [entry("one"), entry("two")].join(", ");
    let meant = |enabled: &str, argument: &str| {
        let mut test = market(&entries, "", enabled);
        for name in ["one", "two"] {
            test.env.skill(&format!("market/{name}/skills"), "pdf", "d");
        }
        test.write(
            "home/.claude/plugins/installed_plugins.json",
            r#"{"plugins": {"two@shop": []}}"#,
        );
        let view = test.view();
        let found = resolve_any(&view, argument, None, &test.workspace.context.cwd);
        let names = |index: usize| view.policy.order.name_of(view.rows[index].skill()).into_owned();
        found.map(names).map_err(|error| error.refusal(argument, Vec::new()).lines())
    };
    let one = Ok("one:pdf".to_owned());
    assert_eq!(meant(r#""one@shop": true, "two@shop": false"#, "pdf"), one);
    assert_eq!(meant(r#""one@shop": true"#, "pdf"), one);
    for enabled in [r#""one@shop": true, "two@shop": true"#, r#""one@shop": false"#] {
        let lines = meant(enabled, "pdf").unwrap_err();
        let last = lines.last().map(ToString::to_string);
        assert_eq!(last.as_deref(), Some("or one of these names: one:pdf, two:pdf"), "{lines:?}");
        assert_eq!(meant(enabled, "one:pdf"), one);
    }
}

/// A marketplace in which two plugins have one folder.
fn shared(enabled: &str) -> TestWorkspace {
    let entry = |name: &str| format!(r#"{{"name": "{name}", "source": "./tools"}}"#);
    let other = r#"{"name": "other", "source": "./other"}"#;
    let entries = format!("{}, {}, {other}", entry("t3"), entry("t5"));
    let mut test = market(&entries, "", enabled);
    let installed = r#"{"plugins": {"t3@shop": [], "t5@shop": []}}"#;
    test.write("home/.claude/plugins/installed_plugins.json", installed);
    test
}

#[test]
fn a_folder_of_two_plugins_is_the_one_that_settings_name_first() {
    let (t3, t5) = (["t3:alpha", "t3:beta"], ["t5:alpha", "t5:beta"]);
    for (enabled, expected) in [
        (r#""t3@shop": true, "t5@shop": true"#, t3),
        (r#""t5@shop": true, "t3@shop": true"#, t5),
        // One that is off has nothing.
        (r#""t3@shop": false, "t5@shop": true"#, t5),
        (r#""t5@shop": true, "t3@shop": false"#, t5),
    ] {
        assert_eq!(on(&shared(enabled)), expected, "{enabled}");
    }
    let mut test = shared(r#""t5@shop": true"#);
    test.write("repo/.claude/settings.json", r#"{"enabledPlugins": {"t3@shop": true}}"#);
    assert_eq!(on(&test), t5, "the person's settings come first");
}

#[test]
fn a_skill_in_a_folder_of_two_plugins_is_off_only_with_that_to_which_it_belongs() {
    for (t5, expected) in [(true, "ambiguous"), (false, "other:alpha")] {
        let enabled = format!(r#""t3@shop": false, "t5@shop": {t5}, "other@shop": true"#);
        let test = shared(&enabled);
        test.env.skill("market/other/skills", "alpha", "d");
        let test = test.through(&CLAUDE, &[], "repo");
        let view = test.view();
        let found = resolve_any(&view, "alpha", None, &test.workspace.context.cwd);
        let name = |index: usize| view.policy.order.name_of(view.rows[index].skill()).into_owned();
        let found = found.map_or_else(|error| error.refusal("alpha", vec![]).code.into(), name);
        assert_eq!(found, expected, "{enabled}");
    }
}
