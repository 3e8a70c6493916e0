//! Real answers of the programs (with shortened paths), and made-up ones.

use super::*;
use crate::hosts::HOSTS;
use proptest::prelude::*;

fn said(stdout: &str) -> child::Output {
    child::Output { code: Some(0), stdout: stdout.as_bytes().to_vec(), ..child::Output::default() }
}

/// Every agent that can be asked.
fn probes() -> impl Iterator<Item = &'static AgentProbe> {
    HOSTS.iter().filter_map(|host| host.probe)
}

fn read(probe: &AgentProbe, outputs: &[&str]) -> Result<Report, BadAnswer> {
    (probe.parse)(&outputs.iter().map(|text| said(text)).collect::<Vec<_>>(), Path::new("/repo"))
}

/// `(name, path, enabled, bundled)`.
type Row<'a> = (&'a str, &'a str, Option<bool>, bool);

fn row(reported: &SkillReport) -> Row<'_> {
    let path = reported.path.as_deref().and_then(Path::to_str).unwrap_or("-");
    (&reported.name, path, reported.enabled, reported.bundled)
}

fn rows(report: &Report) -> Vec<Row<'_>> {
    report.skills.iter().map(row).collect()
}

const CODEX_SAID: &str = r#"{"id":1,"result":{"userAgent":"x"}}
{"method":"remoteControl/status/changed","params":{"status":"disabled"}}
{"id":2,"result":{"data":[{"cwd":"/repo","skills":[{"name":"one","description":"d","path":"/repo/.agents/skills/one/SKILL.md","scope":"repo","enabled":false,"pluginId":null},{"name":"imagegen","description":"d","path":"/home/.codex/skills/.system/imagegen/SKILL.md","scope":"system","enabled":true,"pluginId":null}],"errors":[{"path":"/repo/.agents/skills/bom/SKILL.md","message":"missing YAML frontmatter delimited by ---"}]}]}}
"#;

#[test]
fn codex_lists_on_and_off_and_what_it_refuses() {
    let report = read(&CODEX, &[CODEX_SAID]).unwrap();
    let expected = [
        ("one", "/repo/.agents/skills/one", Some(false), false),
        ("imagegen", "/home/.codex/skills/.system/imagegen", Some(true), true),
    ];
    assert_eq!(rows(&report), expected);
    let refused = Refused {
        path: "/repo/.agents/skills/bom/SKILL.md".into(),
        reason: "missing YAML frontmatter delimited by ---".into(),
    };
    assert_eq!(report.refused, [refused]);
    let enough = CODEX.steps[0].enough.unwrap();
    assert!(
        enough(CODEX_SAID.as_bytes()) && !enough(&CODEX_SAID.as_bytes()[..CODEX_SAID.len() - 9])
    );
}

#[test]
fn codex_says_which_setting_it_cannot_read() {
    let text = r#"{"id":2,"result":{"data":[{"cwd":"/repo","skills":[],"errors":[{"path":"/repo","message":"failed to reload config: config.toml:1:1: missing field `enabled`"}]}]}}"#;
    let message = "failed to reload config: config.toml:1:1: missing field `enabled`";
    assert_eq!(read(&CODEX, &[text]), Err(BadAnswer(message.into())));
    let text = r#"{"id":2,"error":{"code":-32600,"message":"Not initialized"}}"#;
    assert_eq!(read(&CODEX, &[text]), Err(BadAnswer("Not initialized".into())));
}

#[test]
fn codex_is_asked_about_the_working_directory() {
    let lines = String::from_utf8((CODEX.steps[0].input)(Path::new("/re\"po"))).unwrap();
    let asked: serde_json::Value = serde_json::from_str(lines.lines().nth(2).unwrap()).unwrap();
    assert_eq!(asked["params"]["cwds"][0], "/re\"po");
}

#[test]
fn claude_and_qwen_name_what_may_be_called() {
    let text = r#"{"type":"system","subtype":"init","cwd":"/repo","slash_commands":["init","one","no-desc"],"skills":["doctor","one"]}
{"type":"assistant","message":{}}"#;
    let report = read(&CLAUDE, &[text]).unwrap();
    assert_eq!(rows(&report), [("doctor", "-", None, true), ("one", "-", None, false)]);
    let report = read(&QWEN, &[text]).unwrap();
    assert_eq!(
        rows(&report),
        [("init", "-", None, true), ("one", "-", None, false), ("no-desc", "-", None, false)]
    );
}

#[test]
fn what_claude_brings_is_what_it_has_without_settings() {
    let first = |names: &str| format!(r#"{{"type":"system","subtype":"init","skills":[{names}]}}"#);
    let (as_it_is, without) = (first(r#""one","verify""#), first(r#""verify","dataviz""#));
    let report = read(CLAUDE.all.unwrap(), &[&as_it_is, &without]).unwrap();
    let expected = [
        ("one", "-", None, false),
        ("verify", "-", None, true),
        ("dataviz", "-", Some(false), true),
    ];
    assert_eq!(rows(&report), expected);
    assert_eq!(read(CLAUDE.all.unwrap(), &[&as_it_is]), Err(BadAnswer(String::new())));
}

#[test]
fn opencode_is_judged_by_its_last_rule() {
    let skills = r#"[{"name":"customize-opencode","description":"d","location":"<built-in>","content":"c"},
        {"name":"one","description":"d","location":"/repo/.agents/skills/one/SKILL.md","content":"c"},
        {"name":"two","location":"/repo/.agents/skills/two/SKILL.md","content":"c"}]"#;
    let agent = r#"{"name":"build","permission":[{"permission":"*","action":"allow","pattern":"*"},
        {"permission":"external_directory","pattern":"*","action":"ask"},
        {"permission":"skill","pattern":"*","action":"deny"},{"permission":"skill","pattern":"tw?","action":"ask"}]}"#;
    let report = read(&OPENCODE, &[skills, agent]).unwrap();
    let expected = [
        ("customize-opencode", "-", Some(false), true),
        ("one", "/repo/.agents/skills/one", Some(false), false),
        ("two", "/repo/.agents/skills/two", Some(true), false),
    ];
    assert_eq!(rows(&report), expected);
    assert_eq!(report.rules.len(), 3);
    let wrong = "Error: Configuration is invalid at /repo/opencode.json";
    assert_eq!(read(&OPENCODE, &[skills, wrong]), Err(BadAnswer(wrong.into())));
}

#[test]
fn gemini_prints_for_people() {
    let text = "Discovered Agent Skills:\n\n [Enabled]\n  Description: d\n  Location:    /repo/.agents/skills/empty/SKILL.md\n\ntwo words [Disabled]\n  Description: two\nlines [Enabled]\n  Location:    /repo/.agents/skills/two/SKILL.md\n\nskill-creator [Enabled] [Built-in]\n  Description: d\n  Location:    /opt/gemini/builtin/skill-creator/SKILL.md\n\n";
    let expected = [
        ("", "/repo/.agents/skills/empty", Some(true), false),
        ("two words", "/repo/.agents/skills/two", Some(false), false),
        ("skill-creator", "/opt/gemini/builtin/skill-creator", Some(true), true),
    ];
    assert_eq!(rows(&read(&GEMINI, &[text]).unwrap()), expected);
    assert_eq!(read(&GEMINI, &["No skills discovered.\n"]), Ok(Report::default()));
    let complaint = child::Output { stderr: b"Error in settings.json".to_vec(), ..said("") };
    assert_eq!(
        (GEMINI.parse)(&[complaint], Path::new("/repo")),
        Err(BadAnswer("Error in settings.json".into()))
    );
}

#[test]
fn copilot_lists_and_complains() {
    let list = r#"[{"name":"one","description":"d","source":"project","path":"/repo/.github/skills/one","enabled":false},
        {"name":"github-pr-media","description":"d","source":"builtin","path":"/home/.cache/copilot/github-pr-media","enabled":true}]"#;
    let complaints = "\u{2716} The following skills failed to load:\n  \u{2022} .agents/skills/number/SKILL.md: Skill name must be a string\n\n";
    let output = child::Output { stderr: complaints.as_bytes().to_vec(), ..said(list) };
    let report = (COPILOT.parse)(&[output], Path::new("/repo")).unwrap();
    let expected = [
        ("one", "/repo/.github/skills/one", Some(false), false),
        ("github-pr-media", "/home/.cache/copilot/github-pr-media", Some(true), true),
    ];
    assert_eq!(rows(&report), expected);
    let path = PathBuf::from(".agents/skills/number/SKILL.md");
    assert_eq!(report.refused, [Refused { path, reason: "Skill name must be a string".into() }]);
}

#[test]
fn pi_offers_skills_among_commands() {
    let text = r#"{"id":"1","type":"response","command":"get_commands","success":true,"data":{"commands":[{"name":"skill:one","description":"d","source":"skill","sourceInfo":{"path":"/repo/.pi/skills/one/SKILL.md","source":"auto","scope":"project"}},{"name":"skill:loose","source":"skill","sourceInfo":{"path":"/repo/.pi/skills/loose.md"}},{"name":"skill:fake","source":"prompt","sourceInfo":{}}]}}"#;
    let expected = [
        ("one", "/repo/.pi/skills/one", None, false),
        ("loose", "/repo/.pi/skills/loose.md", None, false),
    ];
    assert_eq!(rows(&read(&PI, &[text]).unwrap()), expected);
}

#[test]
fn amp_is_judged_by_its_first_rule() {
    let skills = r#"{"skills":[{"name":"one","description":"d","baseDir":"file:///repo/a%20b/.agents/skills/one","source":"workspace-agents"},
        {"name":"two","description":"d","baseDir":"file:///home/.agents/skills/two","source":"user-agents"},
        {"name":"gmail","description":"d","baseDir":"builtin:///skills","source":"builtin"}],
        "errors":[{"path":"file:///repo/.agents/skills/x/SKILL.md","error":"Invalid skill name","hint":"Shorter"}]}"#;
    let rules = r#"[{"tool":"skill","matches":{"name":["t*","x"]},"action":"reject"},{"tool":"skill","action":"ask"},{"tool":"Bash","action":"reject"}]"#;
    let report = read(&AMP, &[skills, rules]).unwrap();
    let expected = [
        ("one", "/repo/a b/.agents/skills/one", Some(true), false),
        ("two", "/home/.agents/skills/two", Some(false), false),
        ("gmail", "-", Some(true), true),
    ];
    assert_eq!(rows(&report), expected);
    assert_eq!(
        report.rules.iter().map(|rule| rule.pattern.as_str()).collect::<Vec<_>>(),
        ["t*", "x", "*"]
    );
    assert_eq!(report.refused[0].reason, "Invalid skill name: Shorter");
    let delegated = r#"[{"tool":"skill","action":"delegate","to":"x"}]"#;
    assert!(
        rows(&read(&AMP, &[skills, delegated]).unwrap()).iter().all(|row| row.2 == Some(false))
    );
    for bad in [
        r#"5"#,
        r#"{"tool":"Bash"}"#,
        r#"{"tool":"Bash","action":"delegate"}"#,
        r#"{"tool":"Bash","action":"ask","to":"x"}"#,
        r#"{"tool":"Bash","action":"ask","matches":{"name":[]}}"#,
    ] {
        let rules = format!(r#"[{{"tool":"skill","action":"allow"}},{bad}]"#);
        let report = read(&AMP, &[skills, &rules]).unwrap();
        let on = rows(&report).iter().any(|row| row.2 == Some(true));
        assert!(!on, "it stops at {bad}");
    }
}

/// What `amp permissions test` says of them.
#[test]
fn amps_patterns_have_stars_alone_and_an_expression_is_not_understood() {
    let skills = r#"{"skills":[{"name":"one","source":"user-agents"}]}"#;
    for (entry, expected) in [
        (r#""matches":{"name":"o?e"}"#, Some(true)),
        (r#""matches":{"name":"o*e"}"#, Some(false)),
        (r#""matches":{"name":"/on.$/"}"#, None),
        (r#""matches":{"name":"one","x":"y"}"#, Some(true)),
        (r#""context":"subagent""#, Some(true)),
    ] {
        let rules = format!(r#"[{{"tool":"skill","action":"reject",{entry}}}]"#);
        let report = read(&AMP, &[skills, &rules]).unwrap();
        assert_eq!(report.skills[0].enabled, expected, "{entry}");
    }
    let rules = r#"[{"tool":"/sk.*/","action":"reject"}]"#;
    assert_eq!(read(&AMP, &[skills, rules]).unwrap().skills[0].enabled, None);
}

#[test]
fn what_is_shown_of_rubbish_is_short() {
    for probe in probes() {
        let Err(BadAnswer(text)) =
            read(probe, &["\u{1b}[91m\u{1b}[1;31mlogin\u{1b}[0m \u{1b}[2Jplease\u{1b}["; 2])
        else {
            panic!("{}", probe.program)
        };
        assert_eq!(text, "login \u{1b}[2Jplease\u{1b}[", "without colours");
        let Err(BadAnswer(text)) = read(probe, &[&"x".repeat(9000)]) else {
            panic!("{}", probe.program)
        };
        assert!(text.len() <= 400);
        let error = format!(r#"{{"id":"list","error":{{"message":"{}"}}}}"#, "x".repeat(9000));
        let Err(BadAnswer(text)) = read(probe, &[&error, &error]) else {
            panic!("{}", probe.program)
        };
        assert!(text.len() <= 400, "{}", probe.program);
        assert_eq!(read(probe, &[]), Err(BadAnswer(String::new())));
    }
}

const VIBE_SAID: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"availableCommands":[{"name":"help","description":"Show available commands"},{"name":"mcp","description":"Show MCP status","input":{"hint":"status | login <alias>"}},{"name":"one","description":"d","input":{"hint":"instructions for the skill"}},{"name":"shop:two","description":"d","input":{"hint":"instructions for the skill"}},{"name":"vibe:worktree","description":"d","input":{"hint":"instructions for the skill"}}],"sessionUpdate":"available_commands_update"}}}
"#;

#[test]
fn vibe_lists_skills_among_commands_and_says_why_there_is_no_session() {
    let report = read(&VIBE, &[VIBE_SAID]).unwrap();
    let expected = [
        ("one", "-", None, false),
        ("shop:two", "-", None, false),
        ("vibe:worktree", "-", None, true),
    ];
    assert_eq!(rows(&report), expected);
    let enough = VIBE.steps[0].enough.unwrap();
    let begun = VIBE_SAID.find("\n").unwrap();
    assert!(enough(VIBE_SAID.as_bytes()) && !enough(&VIBE_SAID.as_bytes()[..begun]));
    let error = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-31002,"message":"Cannot load the Vibe config."}}"#;
    assert_eq!(read(&VIBE, &[error]), Err(BadAnswer("Cannot load the Vibe config.".into())));
    assert!(enough(error.as_bytes()));
}

#[test]
fn opencode_has_answered_once_its_json_is_whole() {
    let enough = OPENCODE.steps[0].enough.unwrap();
    let answer = br#"[{"name":"a","content":"[1]\n{}"},{}]"#;
    let first = (0..=answer.len()).find(|length| enough(&answer[..*length]));
    assert_eq!(first, Some(answer.len()));
    assert!(enough(&[&answer[..], b"\n"].concat()));
}

const DROID_LISTED: &str = r##"{"jsonrpc":"2.0","type":"notification","method":"droid.session_notification","params":{"notification":{"type":"mcp_status_changed","servers":[]}}}
{"jsonrpc":"2.0","type":"response","factoryApiVersion":"1.0.0","id":"list","result":{"skills":[{"name":"one","description":"d","location":"project","filePath":"/repo/.factory/skills/one/SKILL.md","enabled":true,"userInvocable":true,"content":"Body"},{"name":"off","description":"d","location":"personal","filePath":"/home/.agents/skills/off/SKILL.md","enabled":false,"userInvocable":true,"disabledBy":{"kind":"ledger","sources":[{"level":"user","folderPath":"/home/.factory"}]}},{"name":"own","description":"d","location":"project","filePath":"/repo/.factory/skills/own/SKILL.md","enabled":false,"disabledBy":{"kind":"frontmatter"}},{"name":"Two X","description":"d","location":"project","filePath":"/repo/.factory/skills/two/SKILL.md","enabled":true,"userInvocable":true},{"name":"three!","description":"d","location":"project","filePath":"/repo/.factory/skills/three/SKILL.md","enabled":false,"userInvocable":true},{"name":"model","description":"d","location":"project","filePath":"/repo/.factory/skills/model/SKILL.md","enabled":true,"userInvocable":false},{"name":"Model","description":"d","location":"project","filePath":"/repo/.factory/skills/m/SKILL.md","enabled":true,"userInvocable":false},{"name":"init","description":"d","location":"builtin","filePath":"builtin:init","enabled":true,"userInvocable":true}],"projectAvailable":true}}
"##;

const DROID_COMMANDS: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"x"}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"x","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"init","description":"d"},{"name":"one","description":"d"}]}}}
"#;

#[test]
fn droid_refuses_what_is_no_command_and_what_nothing_or_its_own_file_disables() {
    let report = read(&DROID, &[DROID_LISTED, DROID_COMMANDS]).unwrap();
    let expected = [
        ("one", "/repo/.factory/skills/one", Some(true), false),
        ("off", "/home/.agents/skills/off", Some(false), false),
        ("model", "/repo/.factory/skills/model", Some(true), false),
        ("init", "-", Some(true), true),
    ];
    assert_eq!(rows(&report), expected);
    let refused = report.refused.iter().map(|it| it.path.iter().nth(4).unwrap().to_str().unwrap());
    assert_eq!(refused.collect::<Vec<_>>(), ["own", "two", "three", "m"]);
    let enough = |step: usize, text: &str| DROID.steps[step].enough.unwrap()(text.as_bytes());
    assert!(enough(0, DROID_LISTED) && enough(1, DROID_COMMANDS));
    assert!(!enough(0, DROID_COMMANDS) && !enough(1, DROID_LISTED));
}

#[test]
fn droid_says_that_settings_keep_it_from_listing() {
    let text = r#"{"type":"response","id":"list","error":{"code":-32603,"message":"number is not iterable"}}"#;
    let expected = Err(BadAnswer("error: number is not iterable".into()));
    assert_eq!(read(&DROID, &[text, DROID_COMMANDS]), expected);
    assert!(read(&DROID, &[DROID_LISTED, ""]).is_err() && read(&DROID, &["", ""]).is_err());
}

#[test]
fn patterns_match_as_the_agents_do() {
    for (pattern, name, expected) in [
        ("*", "", true),
        ("a*", "abc", true),
        ("*c", "abc", true),
        ("a?c", "abc", true),
        ("a?", "abc", false),
        ("*b*b", "abab", true),
        ("", "a", false),
        ("a", "A", false),
        ("**", "x", true),
        ("a*b*c", "aXbYbc", true),
    ] {
        assert_eq!(read::glob(pattern, name), expected, "{pattern} {name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Random bytes and damaged real answers are read or refused; nothing panics.
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0usize..900, cut in any::<bool>()) {
        let mut wounded = CODEX_SAID.as_bytes().to_vec();
        let at = at.min(wounded.len());
        if cut { wounded.truncate(at) } else { wounded.splice(at..at, bytes.iter().copied()); }
        for text in [bytes, wounded] {
            let output = child::Output { stdout: text.clone(), stderr: text.clone(), ..child::Output::default() };
            for probe in probes() {
                let _ = (probe.parse)(&[output.clone(), output.clone()], Path::new("/"));
                for step in probe.steps {
                    let _ = step.enough.map(|enough| enough(&text));
                }
            }
        }
    }

    /// The same for JSON of any shape.
    #[test]
    fn no_json_makes_a_reader_panic(text in "[\\[\\]{},:\"a0]{0,60}", key in "skills|permission|data|id|subtype|errors|slash_commands") {
        for line in [format!("{{\"{key}\":{text}}}"), format!("{{\"id\":2,\"subtype\":\"init\",\"command\":\"get_commands\",\"{key}\":[{{}},{text}]}}")] {
            for probe in probes() {
                let _ = read(probe, &[&line, &line]);
            }
        }
    }
}

#[test]
fn opencode_is_asked_with_every_variable_that_we_read_for_it() {
    let sources = [include_str!("../opencode.rs"), include_str!("../opencode/merge.rs")].concat();
    let words = sources.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'));
    let read: std::collections::BTreeSet<&str> =
        words.filter(|word| word.starts_with("OPENCODE_")).collect();
    let missing: Vec<_> = read.iter().filter(|name| !OPENCODE.variables.contains(name)).collect();
    assert!(read.len() > 5 && missing.is_empty(), "{missing:?}");
}
