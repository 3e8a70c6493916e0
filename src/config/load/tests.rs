use super::super::{Flags, Origin, did_you_mean};
use super::*;
use crate::catalog::Permission::{self, Allow, Ask, Deny};
use crate::config::Scripts;
use crate::policy::Origin as Decided;
use crate::policy::fixture::{skill, skill_in};
use std::fs;
use tempfile::TempDir;

/// A home with a settings folder, and a repository.
struct TestSettings {
    folder: TempDir,
    inputs: Inputs,
}

impl TestSettings {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["home/config/skillpick", "repo/.git"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        let inputs = Inputs {
            config_dir: Some(top.join("home/config")),
            repo_root: Some(top.join("repo")),
            home: Some(top.join("home")),
            ..Inputs::default()
        };
        Self { folder, inputs }
    }

    fn user(self, text: impl AsRef<[u8]>) -> Self {
        fs::write(self.inputs.config_dir.as_ref().unwrap().join("skillpick/config.toml"), text)
            .unwrap();
        self
    }

    fn project(self, text: impl AsRef<[u8]>) -> Self {
        fs::write(self.inputs.project_file().unwrap(), text).unwrap();
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.inputs.environment.insert(name.to_owned(), value.into());
        self
    }

    fn flags(mut self, flags: Flags) -> Self {
        self.inputs.flags = flags;
        self
    }

    fn load(&self) -> Config {
        load(&self.inputs)
    }
}

fn permission(config: &Config, name: &str) -> Permission {
    config.policy.verdict(&skill(name)).model.value
}

#[test]
fn colours_are_the_persons_own() {
    let said = "version = 1\n[colors]\naccent = \"#12aBff\"\nrow = \"#000001\"\n";
    let colours = |config: &Config| -> Vec<(&str, u32)> {
        config.values.colours.iter().map(|colour| colour.value).collect()
    };
    let config = TestSettings::new().user(said).load();
    assert_eq!(colours(&config), [("accent", 0x12_ab_ff), ("row", 1)]);
    let config = TestSettings::new().project(said).load();
    assert_eq!(colours(&config), []);
    assert!(config.problems().any(|problem| problem.message.contains("`[colors]`")));
}

#[test]
fn scripts_are_off_and_only_the_person_can_allow_them() {
    let on = "version = 1\n[scripts]\nenabled = true\ntimeout = 5\nsandbox = \"bubblewrap\"\n\
              memory = 256\nprocesses = 9\nfile_size = 7\n[scripts.interpreters]\n\
              ts = [\"deno\", \"run\"]\n";
    let scripts = TestSettings::new().load().values.scripts;
    assert_eq!(
        (scripts.enabled.value, scripts.sandbox.value, scripts.timeout.value),
        (false, "landlock", 120)
    );
    let scripts = TestSettings::new().user(on).load().values.scripts;
    assert_eq!(
        (scripts.enabled.value, scripts.sandbox.value, scripts.timeout.value),
        (true, "bubblewrap", 5)
    );
    let limits = |scripts: &Scripts| {
        [&scripts.memory, &scripts.processes, &scripts.file_size].map(|setting| setting.value)
    };
    assert_eq!(limits(&scripts), [256, 9, 7]);
    assert_eq!(scripts.interpreters[0].value.words, ["deno", "run"]);
    // A repository grants itself nothing, and everything that is ignored is reported.
    let config = TestSettings::new().project(on).load();
    let scripts = &config.values.scripts;
    assert_eq!(
        (scripts.enabled.value, scripts.sandbox.value, scripts.timeout.value),
        (false, "landlock", 120)
    );
    assert_eq!(limits(scripts), [4_096, 1_024, 1_024]);
    assert!(scripts.interpreters.is_empty());
    assert_eq!(
        config.problems().filter(|problem| problem.message.contains("only you can allow")).count(),
        7
    );
    assert!(!config.user_broken());
    // It can switch them off, as does a file that cannot be read.
    for project in
        ["version = 1\n[scripts]\nenabled = false\n", "version = 1\n[scripts]\nenabled = 3\n"]
    {
        assert!(
            !TestSettings::new().user(on).project(project).load().values.scripts.enabled.value,
            "{project}"
        );
    }
    for bad in [
        "enabled = 1",
        "sandbox = \"none\"",
        "timeout = 0",
        "shell = true",
        "interpreters = { ts = [] }",
    ] {
        let config = TestSettings::new().user(format!("version = 1\n[scripts]\n{bad}\n")).load();
        assert!(config.user_broken() && !config.values.scripts.enabled.value, "{bad}");
    }
}

/// Line, message and help of the first grave problem.
fn fault(config: &Config) -> (u32, String, String) {
    let problem = config.problems().find(|problem| problem.grave).unwrap();
    (
        problem.spot.as_ref().map_or(0, |spot| spot.line),
        problem.message.clone(),
        problem.help.clone(),
    )
}

#[test]
fn the_shipped_default_file_parses_and_says_the_defaults() {
    let written = TestSettings::new().user(super::super::DEFAULT_FILE).load();
    let silent = TestSettings::new().load();
    assert_eq!(written.problems().count(), 0);
    assert_eq!(written.values.host.value, silent.values.host.value);
    assert_eq!(written.values.theme.value, silent.values.theme.value);
    assert_eq!(written.values.format.value, silent.values.format.value);
    assert_eq!((written.values.ascii.value, written.values.mouse.value), (false, true));
    assert_eq!(written.policy.defaults.script, silent.policy.defaults.script);
    assert!(written.policy.allowlists.is_empty() && written.policy.skills_enabled.value);
}

#[test]
fn every_example_of_the_default_file_is_understood_when_uncommented() {
    let example = |line: &str| {
        let body = line.strip_prefix("# ").unwrap_or(line);
        if body.starts_with('[') || body.contains(" = ") {
            body.to_owned()
        } else {
            line.to_owned()
        }
    };
    let text = super::super::DEFAULT_FILE.lines().map(example).collect::<Vec<_>>().join("\n");
    let config = TestSettings::new().user(text.replace("[] # ", "")).load();
    assert_eq!(
        config.problems().map(|problem| &problem.message).collect::<Vec<_>>(),
        Vec::<&String>::new()
    );
    assert_eq!(
        (config.user.switches.len(), config.user.rules.len(), config.user.keys.len()),
        (1, 2, 1)
    );
    let runs = config
        .user
        .rules
        .iter()
        .map(|rule| (rule.runs.script.is_some(), rule.runs.arguments.is_some()));
    assert!(runs.eq([(false, false), (true, true)]));
    assert_eq!(config.values.roots.len(), 1);
}

#[test]
fn cod_9_1_skills_are_on_until_somebody_says_no() {
    assert!(TestSettings::new().load().policy.skills_enabled.value);
    let off = TestSettings::new().user("version = 1\n[skills]\nenabled = false\n").load();
    assert_eq!(off.policy.skills_enabled.origin.place().map(|(_, line)| line), Some(3));
    assert!(!off.policy.verdict(&skill("pdf")).enabled());
}

#[test]
fn cod_9_2_and_9_3_the_limits_and_their_defaults() {
    let values = TestSettings::new().load().values;
    let limits = [&values.max_entries, &values.max_bytes, &values.default_limit, &values.max_limit];
    assert_eq!(limits.map(|limit| limit.value), [200, 32_768, 8, 50]);
    let text =
        "version = 1\n[skills]\ninitial = { max_entries = 5 }\n[skills.search]\nmax_limit = 4\n";
    let config = TestSettings::new().user(text).load();
    assert_eq!((config.values.max_entries.value, config.values.default_limit.value), (5, 4));
    assert!(!config.user_broken() && config.problems().count() == 1, "a clamped limit says so");
    let (line, message, _) =
        fault(&TestSettings::new().user("version = 1\n[skills.search]\nmax_limit = -1\n").load());
    assert_eq!((line, message.contains("whole number")), (3, true));
}

#[test]
fn kod_8_the_allowlist_filters_last_and_unknown_names_are_ignored() {
    let text = "version = 1\n[skills]\nallowed = [\"pdf\", \" docx \", \"no-such\"]\n[[skills.config]]\nname = \"docx\"\nenabled = false\n";
    let config = TestSettings::new().user(text).load();
    let enabled = |name: &str| config.policy.verdict(&skill(name)).enabled();
    assert_eq!([enabled("pdf"), enabled("docx"), enabled("xlsx")], [true, false, false]);
    let both =
        TestSettings::new().user(text).project("version = 1\nskills.allowed = [\"xlsx\"]\n").load();
    assert!(!both.policy.verdict(&skill("pdf")).enabled(), "a project's list filters further");
    assert!(!both.policy.verdict(&skill("xlsx")).enabled(), "and admits nothing");
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_a_cure() {
    for (text, line, message, help) in [
        ("", 1, "`version` is missing", "version = 1"),
        ("version = 2\n", 1, "`version` must be 1", ""),
        ("version = 1\nasci = true\n", 2, "unknown key `asci`", "did you mean `ascii`?"),
        (
            "version = 1\n[skills]\nenabeld = true\n",
            3,
            "unknown key `skills.enabeld`",
            "did you mean `enabled`?",
        ),
        ("version = 1\nascii = \"yes\"\n", 2, "`ascii` must be true or false", ""),
        (
            "version = 1\n[colors]\nacent = \"#123456\"\n",
            3,
            "unknown key `colors.acent`",
            "did you mean `accent`?",
        ),
        ("version = 1\n[colors]\nrow = \"blue\"\n", 3, "`row` must be a colour such as", ""),
        ("version = 1\n[colors]\nrow = \"#12345\"\n", 3, "`row` must be a colour such as", ""),
        ("version = 1\ntheme = \"blue\"\n", 2, "`theme` must be one of", ""),
        ("version = 1\nascii = true\nascii = false\n", 3, "duplicate key", ""),
        ("version = 1\nhost = \n", 2, "not valid TOML", ""),
        ("version = 1\nroots = [\n  \"more\",\n]\n", 3, "absolute or begins with ~/", ""),
        (
            "version = 1\n[[skills.config]]\npath = \"/a\"\nname = \"a\"\nenabled = false\n",
            2,
            "both `path` and `name`",
            "",
        ),
        ("version = 1\n[[skills.config]]\nname = \"a\"\n", 2, "`enabled` is missing", ""),
        ("version = 1\n[[permissions.deny]]\nskill_name = \"a\"\n", 2, "`tool` is missing", ""),
        (
            "version = 1\n[permissions]\ndeny = [{ tool = \"skill_lod\" }]\n",
            3,
            "`tool` must be",
            "",
        ),
        (
            "version = 1\n[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"a*b\"\n",
            4,
            "only one `*`",
            "",
        ),
        ("version = 1\npermissions = 3\n", 2, "`permissions` must be a table", ""),
    ] {
        let config = TestSettings::new().user(text).load();
        let found = fault(&config);
        assert_eq!(found.0, line, "{text:?}: {found:?}");
        assert!(found.1.contains(message) && found.2.contains(help), "{text:?}: {found:?}");
        assert!(config.user_broken());
        assert_eq!(permission(&config, "anything"), Deny, "{text:?}");
        assert_eq!(config.policy.run(&skill("anything"), None).value, Deny);
        assert!(config.policy.verdict(&skill("anything")).user.value, "a person still may");
    }
}

#[test]
fn a_column_is_a_character() {
    let config = TestSettings::new().user("version = 1\nroots = [\"/\u{e9}\u{e9}\", 3]\n").load();
    let spot = config.problems().next().and_then(|problem| problem.spot.clone()).unwrap();
    assert_eq!((spot.line, spot.column), (2, 17));
}

#[test]
fn a_file_named_by_hand_must_be_there() {
    let config = TestSettings::new().variable("SKILLPICK_CONFIG", "/no/such/config.toml").load();
    assert!(config.user_broken() && fault(&config).1.contains("SKILLPICK_CONFIG"));
    let settings = TestSettings::new();
    let named = settings.folder.path().join("mine.toml");
    fs::write(&named, "version = 1\nhost = \"codex\"\n").unwrap();
    let flags = Flags { config: Some(named), ..Flags::default() };
    assert_eq!(
        settings.variable("SKILLPICK_CONFIG", "/no").flags(flags).load().values.host.value,
        "codex"
    );
}

#[test]
fn cod_8_1_rules_in_both_notations() {
    let lists = "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"internal-*\"\n\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n";
    let inline = "version = 1\n[permissions]\nask = [{ tool = \"skill_load\", skill_name = \"pdf\" }]\ndeny = [\n  { tool = \"skill_load\", skill_name = \"internal-*\" },\n]\n";
    for (text, line) in [(lists, 2), (inline, 5)] {
        let config = TestSettings::new().user(text).load();
        assert_eq!(config.problems().count(), 0, "{text}");
        let verdict = config.policy.verdict(&skill("internal-deploy"));
        assert_eq!(
            (verdict.model.value, verdict.model.origin.text()),
            (Deny, "permissions.deny \"internal-*\"")
        );
        assert_eq!(verdict.model.origin.place().map(|(_, line)| line), Some(line));
        assert_eq!([permission(&config, "pdf"), permission(&config, "docx")], [Ask, Allow]);
    }
}

#[test]
fn cod_8_1b_a_rule_without_a_name_is_the_whole_tool() {
    let config = TestSettings::new()
        .user("version = 1\npermissions.ask = [{ tool = \"skill_load\" }]\n")
        .load();
    let verdict = config.policy.verdict(&skill("pdf"));
    assert_eq!(
        (verdict.model.value, verdict.model.origin.text()),
        (Ask, "permissions.ask skill_load")
    );
    let text =
        "version = 1\npermissions.allow = [{ tool = \"skill_script\", skill_name = \"pdf\" }]\n";
    let config = TestSettings::new().user(text).load();
    assert_eq!(config.policy.run(&skill("pdf"), None).value, Allow);
    assert_eq!(config.policy.run(&skill("docx"), None).value, Ask);
}

#[cfg(unix)]
#[test]
fn a_switch_finds_its_skill_however_the_path_is_spelt() {
    let settings = TestSettings::new();
    let home = settings.inputs.home.clone().unwrap();
    let folder = home.join(".agents/skills/pdf");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), "").unwrap();
    std::os::unix::fs::symlink(&folder, home.join("link")).unwrap();
    let mut pdf = skill_in("pdf", "pdf");
    pdf.path = folder.join("SKILL.md");
    let settings = std::cell::RefCell::new(Some(settings));
    for spelling in [
        "~/.agents/skills/pdf/SKILL.md",
        "~/.agents/skills/../skills/pdf/./SKILL.md",
        "~/link/SKILL.md",
        "~/link",
    ] {
        let text =
            format!("version = 1\n[[skills.config]]\npath = \"{spelling}\"\nenabled = false\n");
        let written = settings.take().unwrap().user(text);
        assert!(!written.load().policy.verdict(&pdf).enabled(), "{spelling}");
        settings.replace(Some(written));
    }
}

#[test]
fn without_a_home_everything_that_needs_none_works() {
    let mut settings = TestSettings::new().project("version = 1\nhost = \"codex\"\n");
    (settings.inputs.home, settings.inputs.config_dir) = (None, None);
    let config = settings.load();
    assert_eq!((config.values.host.value.as_str(), config.user_broken()), ("codex", false));
    assert!(config.file(Layer::User).is_none() && config.file(Layer::Project).is_some());
    assert_eq!(permission(&config, "pdf"), Allow);
    let needed = settings.project("version = 1\nroots = [\"~/x\"]\n").load();
    assert!(fault(&needed).1.contains("no home directory"));
    let nothing = load(&Inputs::default());
    assert_eq!((nothing.problems().count(), nothing.project.is_none()), (0, true));
}

#[test]
fn rem_3_1_a_byte_order_mark_and_crlf_are_no_fault() {
    let config = TestSettings::new().user("\u{feff}version = 1\r\nhost = \"codex\"\r\n").load();
    assert_eq!((config.problems().count(), config.values.host.value.as_str()), (0, "codex"));
    assert_eq!(did_you_mean("", [""; 0]), None);
}

mod broken;
mod project;
mod runs;
mod sources;
