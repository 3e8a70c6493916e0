//! Which of the flags, the environment and the files counts, and what each value says of it.

use super::*;

#[test]
fn kod_8b_flag_over_environment_over_project_over_user() {
    let on = "version = 1\nskills.enabled = true\n";
    let off = "version = 1\nskills.enabled = false\n";
    let value = |settings: TestSettings| settings.load().policy.skills_enabled.value;
    assert!(!value(TestSettings::new().user(on).project(off)));
    assert!(value(TestSettings::new().project(on)));
    assert!(!value(TestSettings::new().user(off).project(on)), "a project may only tighten");
    assert!(value(TestSettings::new().user(off).variable("SKILLPICK_SKILLS_ENABLED", "true")));
    let all = TestSettings::new().user(on).variable("SKILLPICK_SKILLS_ENABLED", "1");
    let config = all.flags(Flags { no_skills: true, ..Flags::default() }).load();
    assert_eq!(config.policy.skills_enabled.origin, Decided::Session("--no-skills".into()));
    assert!(!config.policy.skills_enabled.value);
}

#[test]
fn every_value_knows_where_it_comes_from() {
    let settings = || {
        TestSettings::new().user("version = 1\ntheme = \"dark\"\nhost = \"codex\"\nascii = true\n")
    };
    let config = settings()
        .project("version = 1\n\nhost = \"claude\"\n")
        .variable("SKILLPICK_THEME", "light")
        .load();
    let user = Arc::clone(&config.user.path);
    let project = Arc::clone(&config.project.as_ref().unwrap().path);
    assert_eq!(
        config.values.ascii.origin,
        Origin::File { layer: Layer::User, file: user, line: 4 }
    );
    assert_eq!(
        config.values.host.origin,
        Origin::File { layer: Layer::Project, file: project, line: 3 }
    );
    assert_eq!(config.values.theme.origin, Origin::Environment("SKILLPICK_THEME"));
    assert_eq!(config.values.mouse.origin, Origin::Default);
    let flags =
        Flags { host: Some("agents".into()), theme: Some("none".into()), ..Flags::default() };
    let config = settings().variable("SKILLPICK_THEME", "light").flags(flags).load();
    assert_eq!(
        (config.values.host.origin, config.values.theme.value),
        (Origin::Flag("--host"), "none")
    );
}

#[test]
fn a_variable_or_flag_that_cannot_be_read_closes_everything() {
    let config = TestSettings::new().variable("SKILLPICK_SKILLS_ENABLED", "nope").load();
    assert!(config.user_broken() && permission(&config, "pdf") == Deny);
    let config =
        TestSettings::new().flags(Flags { theme: Some("drak".into()), ..Flags::default() }).load();
    assert_eq!(
        fault(&config),
        (
            0,
            "--theme must be one of auto, dark, light, gruvbox, catppuccin, ansi, none".into(),
            "did you mean `dark`?".into()
        )
    );
    let config = TestSettings::new()
        .variable("SKILLPICK_ASCI", "1")
        .variable("SKILLPICK_CACHE_DIRECTORY", "/x")
        .load();
    assert_eq!(
        config.problems().map(|problem| problem.help.as_str()).collect::<Vec<_>>(),
        ["did you mean SKILLPICK_ASCII?"]
    );
    assert!(!config.user_broken());
}

/// As docs/settings.md says of the keys that stand first in the file.
#[test]
fn each_key_at_the_beginning_of_the_file_has_a_variable() {
    let file = "host = \"claude\"\ntheme = \"dark\"\nascii = true\nmouse = false\n\
                preview = \"below\"\nindex = false\nhistory = false\nformat = \"path\"\n";
    let by_file = TestSettings::new().user(format!("version = 1\n{file}")).load();
    let by_variables = file.lines().fold(TestSettings::new(), |settings, line| {
        let (key, value) = line.split_once(" = ").unwrap();
        settings.variable(&format!("SKILLPICK_{}", key.to_uppercase()), value.trim_matches('"'))
    });
    let by_variables = by_variables.load();
    let of = |config: &Config| {
        let values = config.values.clone();
        let words =
            (values.host.value, values.theme.value, values.preview.value, values.format.value);
        let truths = [values.ascii, values.mouse, values.index, values.history];
        (words, truths.map(|truth| truth.value))
    };
    assert_eq!(of(&by_variables), of(&by_file));
    assert_ne!(of(&by_file), of(&TestSettings::new().load()));
}
