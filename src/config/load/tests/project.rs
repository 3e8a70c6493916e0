//! A file of the repository only tightens.

use super::*;

#[test]
fn a_project_file_may_only_tighten_and_says_what_it_ignores() {
    let user = "version = 1\n[permissions]\ndefault = \"ask\"\n";
    let project = concat!(
        "version = 1\nroots = [\"more\", \"/etc\", \"../outside\"]\n[permissions]\ndefault = \"allow\"\n",
        "allow = [{ tool = \"skill_load\" }]\ndeny = [{ tool = \"skill_load\", skill_name = \"pdf\" }]\n",
        "[keys.picker]\nenter = \"quit\"\n",
    );
    let config = TestSettings::new().user(user).project(project).load();
    assert_eq!([permission(&config, "pdf"), permission(&config, "docx")], [Deny, Ask]);
    assert_eq!(config.values.roots.len(), 1);
    assert!(config.values.roots[0].value.ends_with("repo/more") && config.values.keys.is_empty());
    let ignored: Vec<_> =
        config.problems().map(|problem| problem.spot.as_ref().unwrap().line).collect();
    assert_eq!(ignored, [5, 4, 8, 2, 2]);
    assert!(
        config.problems().all(|problem| !problem.grave && problem.message.contains("is ignored"))
    );
    assert!(config.policy.alarms.is_empty());
    let tighter =
        TestSettings::new().project("version = 1\npermissions.default = \"deny\"\n").load();
    assert_eq!(permission(&tighter, "docx"), Deny);
    assert_eq!(tighter.policy.run(&skill("docx"), None).value, Deny);
}

#[test]
fn a_project_file_lowers_limits_and_raises_none() {
    let limits = |entries: usize, bytes: usize, search: [usize; 2], active: usize| {
        let ([usual, most], size) = (search, entries.min(99));
        format!(
            "version = 1\nskills.file_size = {size}\n[skills.initial]\nmax_entries = {entries}\nmax_bytes = {bytes}\n[skills.search]\n\
             default_limit = {usual}\nmax_limit = {most}\n[skills.session]\nmax_active = {active}\n"
        )
    };
    let holds = |config: &Config| {
        let values = &config.values;
        let all = [
            &values.file_size,
            &values.max_entries,
            &values.max_bytes,
            &values.default_limit,
            &values.max_limit,
            &values.max_active,
        ];
        all.map(|limit| limit.value)
    };
    let own = limits(3, 500, [4, 6], 2);
    let (raised, lowered) = (limits(1_000, 100_000, [50, 90], 50), limits(2, 400, [3, 5], 1));
    let config = TestSettings::new().user(&own).project(&raised).load();
    assert_eq!(holds(&config), [3, 3, 500, 4, 6, 2]);
    let told: Vec<u32> =
        config.problems().map(|problem| problem.spot.as_ref().unwrap().line).collect();
    assert_eq!(told, [2, 4, 5, 7, 8, 10]);
    assert!(
        config.problems().all(|problem| !problem.grave && problem.message.contains("is ignored"))
    );
    assert_eq!(
        holds(&TestSettings::new().project(&raised).load()),
        [16, 200, 32_768, 8, 50, 8],
        "nor above the defaults"
    );
    for settings in [
        TestSettings::new().user(&own).project(&lowered),
        TestSettings::new().user(&own).project(&own),
    ] {
        assert_eq!(settings.load().problems().count(), 0);
    }
    assert_eq!(
        holds(&TestSettings::new().user(&own).project(&lowered).load()),
        [2, 2, 400, 3, 5, 1]
    );
}

#[cfg(unix)]
#[test]
fn a_project_root_cannot_leave_by_a_link() {
    let settings = TestSettings::new().project("version = 1\nroots = [\"link\", \"link/../..\"]\n");
    std::os::unix::fs::symlink("/", settings.inputs.repo_root.as_ref().unwrap().join("link"))
        .unwrap();
    let config = settings.load();
    assert!(config.values.roots.is_empty() && config.problems().count() == 2);
}

#[cfg(unix)]
#[test]
fn a_settings_file_of_ones_own_that_lies_in_the_repository_only_tightens() {
    let text = r#"version = 1
roots = ["/etc"]
[scripts]
enabled = true
[permissions]
default = "ask"
[[permissions.allow]]
tool = "skill_load"
skill_name = "pdf"
[[permissions.deny]]
tool = "skill_load"
skill_name = "zip"
"#;
    let inside = || {
        let mut test = TestSettings::new();
        let folder = test.inputs.repo_root.as_ref().unwrap().join("conf");
        fs::create_dir_all(folder.join("skillpick")).unwrap();
        test.inputs.config_dir = Some(folder);
        test.user(text)
    };
    let judged = |config: &Config| ["pdf", "zip"].map(|name| permission(config, name));
    let told = |config: &Config| {
        let mut problems = config.problems();
        problems.any(|problem| problem.message.contains("lies in the repository"))
    };
    let outside = TestSettings::new().user(text).load();
    assert_eq!((judged(&outside), told(&outside)), ([Allow, Deny], false));
    let config = inside().load();
    assert_eq!((judged(&config), told(&config)), ([Ask, Deny], true));
    assert!(!config.values.scripts.enabled.value && config.values.roots.is_empty());
    assert!(!config.user_broken());
    // Also where an option names it, or a link leads there.
    let mut linked = TestSettings::new();
    let file = inside();
    let path = file.inputs.config_dir.as_ref().unwrap().join("skillpick/config.toml");
    linked.inputs = Inputs { config_dir: None, ..file.inputs.clone() };
    linked.inputs.flags.config = Some(path);
    assert_eq!(judged(&linked.load()), [Ask, Deny]);
    // One's own link from the home directory into a repository with dotfiles is one's own.
    let mut dotfiles = TestSettings::new();
    dotfiles.inputs = Inputs { config_dir: None, ..file.inputs.clone() };
    let link = dotfiles.inputs.home.as_ref().unwrap().join(".config");
    std::os::unix::fs::symlink(file.inputs.config_dir.as_ref().unwrap(), &link).unwrap();
    dotfiles.inputs.config_dir = Some(link);
    assert_eq!((judged(&dotfiles.load()), told(&dotfiles.load())), ([Allow, Deny], false));
    // A home directory that is a repository is the person's own.
    let mut home = inside();
    home.inputs.home = home.inputs.repo_root.clone();
    assert_eq!((judged(&home.load()), told(&home.load())), ([Allow, Deny], false));
}
