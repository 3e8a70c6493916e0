//! Files that cannot be read in full, and values that break their file or are left out.

use super::*;
use crate::policy::{Subject, Tool};

#[test]
fn bytes_that_are_no_settings_are_named_and_close_everything() {
    for (bytes, line, message) in [
        (b"version = 1\nhost = \"\xff\"\n".to_vec(), 2, "not UTF-8"),
        (vec![b'#'; 1 << 21], 1, "larger than 1 MiB"),
    ] {
        let user = TestSettings::new().user(&bytes).load();
        assert_eq!((fault(&user).0, fault(&user).1.contains(message)), (line, true));
        let project = TestSettings::new().project(&bytes).load();
        assert!(!project.user_broken());
        assert_eq!((permission(&user, "pdf"), permission(&project, "pdf")), (Deny, Deny));
    }
    let folder = TestSettings::new();
    fs::create_dir(folder.inputs.project_file().unwrap()).unwrap();
    assert!(fault(&folder.load()).1.contains("not a regular file"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_not_no_file() {
    let settings = TestSettings::new();
    std::os::unix::fs::symlink("/no/such/file", settings.inputs.project_file().unwrap()).unwrap();
    assert!(fault(&settings.load()).1.contains("leads nowhere"));
}

/// A broken project file, the names that it denies, and names that it leaves alone.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "version = 1\n[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\nx = 1\n",
        &["pdf"],
        &["docx"],
    ),
    (
        "version = 1\nx = 1\n[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n",
        &["pdf"],
        &["docx"],
    ),
    (
        "version = 2\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"pdf-*\"\n",
        &["pdf-x"],
        &["docx"],
    ),
    (
        "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_nam = \"pdf\"\n",
        &["pdf", "docx"],
        &[],
    ),
    (
        "version = 1\n[[permissions.denny]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n",
        &["pdf", "docx"],
        &[],
    ),
    (
        "version = 1\n[[permission.deny]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n",
        &["pdf", "docx"],
        &[],
    ),
    (
        "version = 1\nx = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = false\n",
        &["pdf"],
        &["docx"],
    ),
    ("version = 1\n[[skills.config]]\nname = \"pdf\"\n", &["pdf"], &["docx"]),
    ("version = 1\nskills.allowed = \"pdf\"\n", &["pdf", "docx"], &[]),
    ("version = 1\n[skills]\nenabled = \"false\"\n", &["pdf", "docx"], &[]),
    ("version = 1\n[skills]\nenable = false\n", &["pdf", "docx"], &[]),
    ("version = 1\n[skills]\nenabled = true\nx = 1\n", &[], &["pdf", "docx"]),
    ("version = 1\nskills = false\n", &["pdf", "docx"], &[]),
    ("version = 1\n[[skills.config]]\nenabled = false\n", &["pdf", "docx"], &[]),
    ("version = 1\n[[skills.config]]\nenabled = true\n", &[], &["pdf", "docx"]),
    ("version = 1\n[[skills.config]]\nnam = \"pdf\"\nenabled = false\n", &["pdf", "docx"], &[]),
    ("version = 1\n[[skills.conf]]\nname = \"pdf\"\nenabled = false\n", &["pdf", "docx"], &[]),
    // Not valid TOML: what parses without the faulty line still counts.
    (
        "version = 1\nhost = \n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n",
        &["pdf"],
        &["docx"],
    ),
    (
        "version = 1\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = pdf\n",
        &["pdf", "docx"],
        &[],
    ),
    (
        "version = 1\n[[permissions.deny\ntool = \"skill_load\"\nskill_name = \"pdf\"\n",
        &["pdf", "docx"],
        &[],
    ),
    (
        "version = 1\n[permissions]\ndeny = [\n  { tool = \"skill_load\", skill_name = \"pdf\" },\n",
        &["pdf", "docx"],
        &[],
    ),
    ("version = 1\n[skills]\nallowed = [\"pdf\n", &["pdf", "docx"], &[]),
    ("version = 1\n[skills]\nenabled = False\n", &["pdf", "docx"], &[]),
    ("version = 1\nskills.enabled = False\n", &["pdf", "docx"], &[]),
    ("version = 1\n[skills\nenabled = false\n", &["pdf", "docx"], &[]),
    ("version = 1\n[[skills.config]\nname = \"pdf\"\nenabled = false\n", &["pdf", "docx"], &[]),
    ("version = 1\n[skills]\nconfig = [{name = pdf, enabled = false}]\n", &["pdf", "docx"], &[]),
    ("version = 1\nskills = {\n host = x, enabled = false }\n", &["pdf", "docx"], &[]),
    ("version = 1\n[permission\ndefault = \"deny\"\n", &["pdf", "docx"], &[]),
    ("version = 1\npermission.default = deny\n", &["pdf", "docx"], &[]),
    ("version = 1\n[[skils.config]]\nname = \"pdf\"\nenabled = false\n", &["pdf", "docx"], &[]),
    ("version = 1\nenabled = false\n", &["pdf", "docx"], &[]),
    ("version = 1\n[store]\nproject = shop\n", &[], &["pdf", "docx"]),
    ("version = 1\nx = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = true\n", &[], &["pdf"]),
];

#[test]
fn a_broken_project_file_denies_the_names_it_could_be_read_for() {
    for (text, denied, free) in CASES {
        let config = TestSettings::new().project(text).load();
        assert!(!config.user_broken(), "nothing exits");
        assert_eq!(config.policy.alarms.len(), 1, "{text}");
        for name in *denied {
            assert_eq!(permission(&config, name), Deny, "{name} in {text}");
        }
        for name in *free {
            assert_eq!(permission(&config, name), Allow, "{name} in {text}");
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]
    /// Damage anywhere in a project file never allows a skill that it denies, unless the whole deny
    /// is gone.
    #[test]
    fn a_damaged_deny_never_becomes_an_allow(at in 0_usize..200, junk in "[\\[\\]{}=\",a-z\n ]{1,4}") {
        let text = "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n";
        let at = at.min(text.len());
        let dirty = format!("{}{junk}{}", &text[..at], &text[at..]);
        let config = TestSettings::new().project(&dirty).load();
        let rule = config.project.as_ref().unwrap().rules.first().and_then(|rule| rule.pattern.clone());
        let renamed = config.policy.alarms.is_empty() && rule.is_some_and(|pattern| !pattern.matches("pdf"));
        proptest::prop_assert!(renamed || config.policy.permission_of(Tool::SkillLoad, &Subject::named("pdf"), None).value == Deny, "{}", dirty);
    }

    /// The same for a switch by name, and for the one for all skills.
    #[test]
    fn a_damaged_switch_never_switches_on(one: bool, at in 0_usize..200, junk in "[\\[\\]{}=\",a-z\n ]{1,4}") {
        let switch = if one { "[[skills.config]]\nname = \"pdf\"" } else { "[skills]" };
        let text = format!("version = 1\n{switch}\nenabled = false\n");
        let at = at.min(text.len());
        let dirty = format!("{}{junk}{}", &text[..at], &text[at..]);
        let config = TestSettings::new().project(&dirty).load();
        // Sound TOML may have another key instead, as `aaaenabled`.
        let renamed = config.policy.alarms.is_empty()
            && (one || dirty.parse::<toml_edit::DocumentMut>().is_ok_and(|read| {
                read.get("skills").and_then(|skills| skills.get("enabled")).is_none()
            }));
        proptest::prop_assert!(renamed || permission(&config, "pdf") == Deny, "{}", dirty);
    }
}

#[test]
fn what_is_no_toml_says_what_still_counts() {
    let config = TestSettings::new().project("version = 1\ntheme = dark\n").load();
    assert_eq!(fault(&config).2, "until it is fixed, the file only denies");
}

#[test]
fn a_store_that_is_none_breaks_what_names_it() {
    let fault = |setting: &Setting<String>| {
        (!setting.value.starts_with("sqlite:")).then(|| "is no store".to_owned())
    };
    let text = "version = 1\n[store]\nurl = \"mysql:x\"\n";
    let config = TestSettings::new().user(text).load().with_checked_store(fault);
    let broken = || (3, "`store.url`: is no store".to_owned(), String::new());
    assert_eq!((self::fault(&config), config.user_broken()), (broken(), true));
    assert_eq!(config.values.store.value, "mysql:x", "it is shown as it is written");
    // A variable does not hide what is wrong in the file, and is looked at itself.
    let mut settings = TestSettings::new().user(text);
    settings.inputs.environment.insert("SKILLPICK_STORE".to_owned(), "sqlite:/a.db".into());
    assert_eq!(self::fault(&settings.load().with_checked_store(fault)), broken());
    settings.inputs.environment.insert("SKILLPICK_STORE".to_owned(), "x".into());
    let config = settings.load().with_checked_store(fault);
    assert!(config.problems().any(|it| it.message == "SKILLPICK_STORE: is no store" && it.grave));
    let sound = TestSettings::new().user("version = 1\n[store]\nurl = \"sqlite:/a.db\"\n").load();
    assert!(!sound.with_checked_store(fault).user_broken());
}

#[test]
fn a_key_that_the_keymap_does_not_take_is_left_out_and_told() {
    let text = "version = 1\n[keys.picker]\n\"ctrl-o\" = \"edti\"\n\"ctrl-g\" = \"edit\"\n";
    let config = TestSettings::new().user(text).load();
    let wrong = [(0, "no action".to_owned(), "edti".to_owned(), vec!["edit", "none"])];
    let config = config.without_keys(&wrong);
    assert!(!config.user_broken(), "all else counts");
    assert_eq!(config.values.keys.len(), 1);
    assert_eq!(config.values.keys[0].value.key, "ctrl-g");
    let told = config.problems().next().unwrap();
    assert_eq!(told.spot.as_ref().unwrap().line, 3);
    assert_eq!(told.message, "`ctrl-o` of `[keys.picker]` is left out: no action");
    assert_eq!(told.help, "did you mean `edit`?");
}
