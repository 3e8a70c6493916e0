//! Rules that name a script or arguments.

use super::*;
use crate::catalog::Skill;
use crate::policy::{Ruling, Run};

fn judged(config: &Config, name: &str, (script, arguments): (&str, &[&str])) -> Ruling<Permission> {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let run = Run { script: Some(script), names: &[], arguments: &arguments, digest: None };
    config.policy.run(&skill(name), Some(&run))
}

const FILL: (&str, &[&str]) = ("scripts/fill.py", &["--dry-run"]);

fn rule(effect: &str, rest: &str) -> String {
    format!(
        "version = 1\n[[permissions.{effect}]]\ntool = \"skill_script\"\nskill_name = \"pdf\"\n{rest}\n"
    )
}

#[test]
fn a_rule_names_a_script_and_arguments_and_says_so() {
    let both = "script = \"./scripts//fill.py\"\nargs = [\"--dry-run\"]";
    let config = TestSettings::new().user(rule("allow", both)).load();
    assert_eq!(config.problems().count(), 0);
    let ruling = judged(&config, "pdf", FILL);
    let text = "permissions.allow skill_script \"pdf\" scripts/fill.py [\"--dry-run\"]";
    assert_eq!((ruling.value, ruling.origin.text()), (Allow, text));
    assert_eq!(ruling.origin.place().map(|(_, line)| line), Some(2));
    for (name, run) in [
        ("docx", FILL),
        ("pdf", ("scripts/fill.sh", ["--dry-run"].as_slice())),
        ("pdf", ("scripts/fill.py", &[])),
        ("pdf", ("scripts/fill.py", &["--dry-run", "x"])),
        ("pdf", ("scripts/fill.py", &["--dry-run "])),
    ] {
        assert_eq!(
            judged(&config, name, run),
            Ruling::new(Ask, Decided::Default),
            "{name} {run:?}"
        );
    }
    assert_eq!(
        config.policy.run(&skill("pdf"), None).value,
        Ask,
        "of a run that is not known it says nothing"
    );
    // An empty list means no arguments. An empty word is an argument.
    for (written, run, value) in
        [("[]", [].as_slice(), Allow), ("[]", &[""], Ask), ("[\"\"]", &[""], Allow)]
    {
        let config = TestSettings::new().user(rule("allow", &format!("args = {written}"))).load();
        assert_eq!(judged(&config, "pdf", ("x", run)).value, value, "{written} {run:?}");
    }
}

#[test]
fn a_project_denies_and_asks_by_script_and_allows_nothing() {
    let user = rule("allow", "");
    for (effect, here, elsewhere) in
        [("deny", Deny, Allow), ("ask", Ask, Allow), ("allow", Allow, Allow)]
    {
        let project = rule(effect, "script = \"scripts/f*\"");
        let config = TestSettings::new().user(&user).project(&project).load();
        assert_eq!(judged(&config, "pdf", FILL).value, here, "{effect}");
        assert_eq!(judged(&config, "pdf", ("other.py", &[])).value, elsewhere, "{effect}");
        let alone = TestSettings::new().project(&project).load();
        assert_eq!(judged(&alone, "pdf", FILL).value, if effect == "deny" { Deny } else { Ask });
        assert_eq!(
            alone.problems().any(|problem| problem.message.contains("is ignored")),
            effect == "allow"
        );
    }
}

#[test]
fn what_cannot_be_read_in_a_rule_about_runs_is_never_wider() {
    const FAULTS: [(&str, &str); 14] = [
        ("script = 3", "`script` must be a text"),
        ("script = [\"scripts/fill.py\"]", "`script` must be a text"),
        ("script = \"\"", "a script's path is empty"),
        ("script = \"../fill.py\"", "relative to its skill"),
        ("script = \"scripts/../scripts/fill.py\"", "relative to its skill"),
        ("script = \"/scripts/fill.py\"", "relative to its skill"),
        ("script = \"scripts/\"", "this is a folder"),
        ("script = \"*.py\"", "only one `*`"),
        ("script = \"scripts\\\\fill.py\"", "written with `/`"),
        ("args = \"--dry-run\"", "`args` must be a list of texts"),
        ("args = [\"--dry-run\", 1]", "`args` must be a list of texts"),
        ("scripts = \"scripts/fill.py\"", "unknown key"),
        ("arguments = []", "unknown key"),
        ("tool_args = []", "unknown key"),
    ];
    let other: (&str, &[&str]) = ("other.py", &["x"]);
    for (fault, message) in FAULTS {
        for effect in ["deny", "ask", "allow"] {
            let text = rule(effect, fault);
            let config = TestSettings::new().user(&text).load();
            assert_eq!((fault_line(&config), config.user_broken()), (5, true), "{text}");
            assert!(
                super::fault(&config).1.contains(message),
                "{text}: {:?}",
                super::fault(&config)
            );
            for (name, run) in [("pdf", FILL), ("pdf", other), ("docx", other)] {
                assert_eq!(judged(&config, name, run).value, Deny, "{text}");
            }
            // In a project's file it covers all that the rule could have meant, although the
            // person's file allows all.
            let project = TestSettings::new()
                .user("version = 1\npermissions.allow = [{ tool = \"skill_script\" }]\n");
            let config = project.project(&text).load();
            assert_eq!(config.policy.alarms.len(), 1, "{text}");
            assert_eq!(
                [FILL, other].map(|run| judged(&config, "pdf", run).value),
                [Deny; 2],
                "{text}"
            );
            // Without a name it could have meant every skill; then an allow has no effect.
            let nameless = text.replace("skill_name = \"pdf\"\n", "");
            let config = TestSettings::new().project(&nameless).load();
            let all = if effect == "allow" { Ask } else { Deny };
            assert_eq!(
                ["pdf", "docx"].map(|name| judged(&config, name, FILL).value),
                [all; 2],
                "{nameless}"
            );
        }
    }
}

#[test]
fn script_and_arguments_belong_to_rules_about_scripts() {
    for fault in ["script = \"scripts/fill.py\"", "args = []"] {
        for effect in ["deny", "ask", "allow"] {
            let text = rule(effect, fault).replace("skill_script", "skill_load");
            let config = TestSettings::new().project(&text).load();
            assert_eq!(fault_line(&config), 5);
            assert!(super::fault(&config).1.contains("belongs to rules about scripts"), "{text}");
            assert_eq!(permission(&config, "pdf"), Deny, "{text}");
            assert_eq!(
                judged(&config, "pdf", FILL).value,
                Deny,
                "it may have been meant so: {text}"
            );
            assert_eq!(permission(&config, "docx"), Allow, "{text}");
            assert!(TestSettings::new().user(&text).load().user_broken());
        }
    }
}

#[test]
fn an_allow_is_bound_to_a_path_and_the_digest_of_its_files() {
    let settings = TestSettings::new();
    let sum = "a1".repeat(32);
    let at = |digest: &str| rule("allow", &format!("path = \"~/skills/pdf\"\n{digest}"));
    let settings = settings.user(at(&format!("digest = \"sha256:{sum}\"")));
    let config = settings.load();
    assert_eq!(config.problems().count(), 0);
    let folder = settings.inputs.home.as_ref().unwrap().join("skills/pdf");
    let bound = config.user.rules[0].bound.clone().unwrap();
    assert!(bound.path.starts_with(&folder), "{bound:?}");
    assert_eq!(bound.digest.as_deref(), Some(sum.as_str()));
    let mut here = skill("pdf");
    here.path.clone_from(&bound.path);
    here.in_repository = true;
    let judged = |config: &Config, skill: &Skill, digest: Option<&str>| {
        let run = Run { script: Some("x"), names: &[], arguments: &[], digest };
        config.policy.run(skill, Some(&run)).value
    };
    assert_eq!(judged(&config, &here, Some(&sum)), Allow);
    let other = "b2".repeat(32);
    assert_eq!([Some(other.as_str()), None].map(|sum| judged(&config, &here, sum)), [Ask; 2]);
    assert_eq!(judged(&config, &skill("pdf"), Some(&sum)), Ask, "elsewhere");
    here.name = "zip".to_owned();
    assert_eq!(judged(&config, &here, Some(&sum)), Ask, "another name");
    // A path is enough for the person's own skills, but not for those that a repository brings.
    let config = TestSettings::new().user(at("")).load();
    let path = config.user.rules[0].bound.clone().unwrap().path;
    let own = Skill { path, ..skill("pdf") };
    assert_eq!(judged(&config, &own, Some(&sum)), Allow);
    assert_eq!(judged(&config, &Skill { in_repository: true, ..own }, Some(&sum)), Ask);
}

#[test]
fn what_cannot_be_read_of_a_binding_breaks_the_file_at_its_line() {
    let sum = "a1".repeat(32);
    let path = "path = \"/skills/pdf\"";
    for (effect, rest, line, message) in [
        ("deny", path, 5, "`path` binds a rule that allows"),
        ("ask", path, 5, "`path` binds a rule that allows"),
        ("deny", "digest = \"x\"", 5, "`digest` binds a rule that allows"),
        ("allow", "path = 3", 5, "`path` must be a text"),
        ("allow", "path = \"skills/pdf\"", 5, "`path`: "),
        ("allow", "digest = \"x\"", 5, "`digest` is of the files at a `path`"),
        ("allow", &format!("{path}\ndigest = \"{sum}\""), 6, "must be `sha256:` and 64 hex"),
        (
            "allow",
            &format!("{path}\ndigest = \"sha256:{}\"", &sum[1..]),
            6,
            "must be `sha256:` and 64 hex",
        ),
        ("allow", &format!("{path}\ndigest = 7"), 6, "`digest` must be a text"),
        ("allow", "paths = \"/skills/pdf\"", 5, "unknown key"),
    ] {
        let text = rule(effect, rest);
        let config = TestSettings::new().user(&text).load();
        assert_eq!((fault_line(&config), config.user_broken()), (line, true), "{text}");
        assert!(fault(&config).1.contains(message), "{text}: {:?}", fault(&config));
        assert_eq!(judged(&config, "pdf", FILL).value, Deny, "{text}");
    }
    let digest = format!("{path}\ndigest = \"sha256:{sum}\"");
    let load = rule("allow", &digest).replace("skill_script", "skill_load");
    let config = TestSettings::new().user(&load).load();
    assert!(!config.user_broken(), "a rule about loading is bound to files as well");
    assert_eq!(config.user.rules[0].bound.as_ref().unwrap().digest.as_deref(), Some(&*sum));
}

fn fault_line(config: &Config) -> u32 {
    fault(config).0
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]
    /// Damage anywhere in a rule never allows a run that the whole rule does not allow.
    #[test]
    fn a_damaged_allow_is_never_wider(at in 0_usize..200, junk in "[\\[\\]{}=\",*./a-z\n ]{0,4}", cut in 0_usize..4) {
        let text = rule("allow", "script = \"scripts/fill.py\"\nargs = [\"--dry-run\"]");
        let at = at.min(text.len());
        let end = (at + cut).min(text.len());
        let dirty = format!("{}{junk}{}", &text[..at], &text[end..]);
        let config = TestSettings::new().user(&dirty).load();
        let written = &config.user.rules;
        // It may have become another rule, but not one with fewer conditions.
        let wider = |rule: &super::super::super::WrittenRule| rule.runs.script.is_none() || rule.runs.arguments.is_none();
        let gone = !dirty.contains("script =") || !dirty.contains("args =");
        proptest::prop_assert!(config.user_broken() || gone || !written.iter().any(wider), "{}", dirty);
    }
}
