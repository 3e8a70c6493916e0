//! What holds for every host.

use super::*;
use crate::catalog::validate::{FILE_NAME, examine};
use crate::catalog::{Head, HostHead, checks, private_places, risk};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

#[test]
fn without_a_home_the_working_directorys_own_root_stays() {
    let context = Arc::new(Context { cwd: "/code/a".into(), ..Context::default() });
    let reading = AGENTS.read(&context, &Inputs::default());
    assert_eq!(AGENTS.roots(&reading, &[]).len(), 1);
}

#[test]
fn kod_3e_the_roots_are_replaceable() {
    let context = Arc::new(Context { cwd: "/code/a".into(), ..Context::default() });
    let reading = AGENTS.read(&context, &Inputs::default());
    let roots = AGENTS.roots(&reading, &["/elsewhere".into(), "b".into()]);
    let seen: Vec<_> = roots.iter().map(|root| (root.path.to_str().unwrap(), root.walk)).collect();
    assert_eq!(seen, [("/elsewhere", Walk::BROWSE), ("/code/a/b", Walk::BROWSE)]);
}

#[test]
fn a_host_is_found_by_its_word_and_a_near_miss_is_answered() {
    assert_eq!(by_word("agents").map(|host| host.id), Ok(HostId::AGENTS));
    assert_eq!(
        by_word("agnets").map(|host| host.id),
        Err(UnknownHost { suggestion: Some("agents") })
    );
    for (typed, word) in [
        ("kimi", "kimi-code-cli"),
        ("vibe", "mistral-vibe"),
        ("Claude-Code", "claude"),
        ("gemini-cli", "gemini"),
        ("curser", "cursor"),
        ("al", "all"),
    ] {
        let suggestion = Some(word);
        assert_eq!(by_word(typed).map(|host| host.id), Err(UnknownHost { suggestion }), "{typed}");
    }
    let error = by_word("\u{1b}[31m").map(|host| host.id).unwrap_err();
    assert_eq!((error.suggestion, error.to_string().as_str()), (None, "there is no such host"));
}

#[test]
fn every_word_stands_for_one_host() {
    for (index, host) in every().enumerate() {
        assert!(every().take(index).all(|other| other.id != host.id), "{}", host.id.word());
        assert_ne!(host.id.word(), ALL);
    }
}

/// The settings files of every host, seen from a repository.
fn settings_files() -> Vec<PathBuf> {
    let home = Some("/home/ann".into());
    let repo_root = Some("/code/a".into());
    let context = Context { cwd: "/code/a".into(), repo_root, home, ..Context::default() };
    let files = every().flat_map(|host| (host.settings_paths)(&context));
    files.map(|file| file.path).collect()
}

#[test]
fn the_settings_of_every_host_are_kept_from_scripts() {
    for file in settings_files() {
        let Ok(below) = file.strip_prefix("/home/ann") else { continue };
        let is_known = private_places::AGENTS.iter().any(|place| below.starts_with(place));
        assert!(is_known, "{}", below.display());
    }
}

#[test]
fn a_command_that_writes_the_settings_of_a_host_is_a_fact() {
    // A file of this name can be anybody's.
    let plain = Path::new("/code/a/config.toml");
    let of_macos = ["ampcode", "ClaudeCode", "GeminiCli", "kilo", "opencode", "QwenCode"];
    let of_macos = of_macos.iter().flat_map(|agent| {
        ["Application Support", "Application\\ Support"]
            .map(|folder| PathBuf::from(format!("/Library/{folder}/{agent}/settings.json")))
    });
    let files: Vec<_> = settings_files().into_iter().chain(of_macos).collect();
    for file in files.iter().filter(|file| *file != plain) {
        let text = format!("#!/bin/sh\necho x > {}\n", file.display());
        let found = risk::examine(Path::new("run.sh"), text.as_bytes());
        let is_found = found.iter().any(|finding| finding.rule.code == "agent-settings");
        assert!(is_found, "{}", file.display());
    }
}

/// Text that parsers may take for something else.
fn text() -> impl Strategy<Value = String> {
    const WORDS: [&str; 32] = [
        "a",
        "Reads",
        "Bash(git:*)",
        "it's",
        "\"fine\"",
        "*",
        "*.ts",
        "&x",
        "#",
        "#1",
        "-",
        "--",
        "?",
        "!",
        "!x",
        "%",
        "@",
        "`b`",
        "{a}",
        "[b]",
        ",",
        "a,b",
        "a:b",
        ":",
        "|",
        ">",
        "=",
        "~",
        "1.0",
        "é",
        "🎉",
        "null",
    ];
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 0..6);
    (words, any::<bool>(), any::<bool>()).prop_map(|(words, quoted, begun)| {
        let text = words.join(" ");
        let text = if begun { format!("Use {text}").trim_end().to_owned() } else { text };
        if quoted { format!("\"{text}\"") } else { text }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        max_global_rejects: 50_000,
        ..ProptestConfig::default()
    })]
    #[test]
    fn what_needs_no_reader_of_its_own_every_reader_reads_alike(
        (description, tools, item, value) in (text(), text(), text(), text()),
        shape in 0_u8..4,
    ) {
        let more = match shape {
            0 => String::new(),
            1 => format!("allowed-tools: {tools}\n"),
            2 => format!("allowed-tools:\n  - {item}\n  - {tools}\n"),
            _ => format!("metadata:\n  author: {value}\n  more: {item}\n"),
        };
        let file = format!("---\nname: pdf\ndescription: {description}\n{more}---\nBody\n");
        prop_assume!(Head::of(file.as_bytes(), file.len() - "Body\n".len(), true).is_none());
        let description = match description.strip_prefix('"') {
            Some(inner) => inner.trim_end_matches('"').to_owned(),
            None => description,
        };
        let said = HostHead::Read { name: "pdf".into(), description };
        for host in every() {
            if let Some(reader) = host.evaluation.head {
                let read = (reader.read)(&Head::new(file.as_bytes()), "pdf");
                prop_assert_eq!(&read, &said, "{}: {}", host.name, file);
            }
        }
    }
}

/// What the programs say: a later place takes the name, whatever file it leads to.
#[cfg(unix)]
#[test]
fn where_the_last_of_a_name_is_taken_the_last_of_a_skills_places_counts() {
    use crate::catalog::Scope;
    use crate::hosts::test_support::seen;
    use crate::workspace::fixture::TestWorkspace;
    let table: [(&'static Host, &str, [&str; 2], Scope); 2] = [
        (&GEMINI, "repo/.gemini/skills/x", ["home/.agents", "repo/.agents"], Scope::Repo),
        (&KILO, "repo/.kilo/skills/x", ["home/.agents", "home/.kilo"], Scope::User),
    ];
    for (host, own, links, scope) in table {
        let test = TestWorkspace::with(&[("store/x", "x"), (own, "x")]);
        let links = links.map(|folder| format!("{folder}/skills/x"));
        links.iter().for_each(|link| test.env.link("store/x", link));
        let test = test.through(host, &[("GEMINI_CLI_TRUST_WORKSPACE", "true")], "repo");
        let view = test.view();
        let mut entries = view.rows.entries();
        let found = entries.find(|entry| entry.skill.dir().ends_with("store/x")).unwrap();
        assert!(found.is_on(), "{:?}", seen(&test));
        assert_eq!(found.skill.location(), test.env.at(&links[1]));
        assert_eq!(found.skill.scope, scope);
    }
}

#[test]
fn json_that_an_agent_reads_in_spite_of_something_odd_counts_and_is_not_edited() {
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    let odd: [(Vec<u8>, u32, &str); 3] = [
        (b"\"note\": \"caf\xe9\"".to_vec(), 2, "not UTF-8"),
        (b"\"note\": 1,\n\"note\": 2".to_vec(), 3, "the key stands twice"),
        (format!("\"note\": {deep}").into_bytes(), 2, "nested too deep"),
    ];
    for (host, place, file, said) in [
        (&CLAUDE, ".claude/skills", ".claude/settings.json", r#""skillOverrides": {"pdf": "off"}"#),
        (&COPILOT, ".copilot/skills", ".copilot/settings.json", r#""disabledSkills": ["pdf"]"#),
        (&GEMINI, ".gemini/skills", ".gemini/settings.json", r#""skills": {"disabled": ["pdf"]}"#),
        (&QWEN, ".qwen/skills", ".qwen/settings.json", r#""skills": {"disabled": ["pdf"]}"#),
        (&PI, ".pi/agent/skills", ".pi/agent/settings.json", r#""skills": ["-skills/pdf"]"#),
    ] {
        for (odd, line, why) in &odd {
            let mut test = test_support::test(host, &[&format!("home/{place}/pdf")]);
            let path = test.env.at(format!("home/{file}"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = [b"{\n", odd.as_slice(), b",\n", said.as_bytes(), b"\n}\n"].concat();
            std::fs::write(&path, &text).unwrap();
            test.workspace = test.workspace.reread();
            let (name, seen) = (host.name, test_support::seen(&test));
            assert!(seen.iter().any(|row| row.starts_with("pdf off")), "{name} {why} {seen:?}");
            let alarms = test_support::alarms(&test);
            let start = format!("home/{file}:{line} ");
            assert!(alarms.len() == 1 && alarms[0].starts_with(&start), "{alarms:?}");
            assert!(alarms[0].contains(why), "{alarms:?}");
            let user = test_support::User;
            let to = crate::catalog::Enablement::On;
            let refusal = test_support::switch(&mut test, "pdf", to, user).unwrap_err();
            assert!(
                refusal.contains(&format!("line {line}")) && refusal.contains(why),
                "{refusal}"
            );
            assert_eq!(std::fs::read(&path).unwrap(), text);
        }
    }
}

/// What readers of heads say beside keys: what values may be, and a key below `metadata`.
const NO_KEYS: [&str; 19] = [
    "binary",
    "bool",
    "false",
    "float",
    "flow",
    "inline",
    "json",
    "no",
    "null",
    "off",
    "on",
    "prompt",
    "short-description",
    "skill",
    "timestamp",
    "true",
    "unknown",
    "yaml",
    "yes",
];

/// The fix of an unknown key moves it to where no agent looks.
#[test]
fn every_key_that_an_agent_reads_is_known() {
    let is_unknown = |key: &str| {
        let text = format!("---\nname: a\ndescription: d\n{key}: x\n---\nBody\n");
        let found = examine(text.as_bytes(), "a", FILE_NAME).diagnostics;
        let mut unknown = found.iter().filter(|found| found.check == &checks::UNEXPECTED_FIELDS);
        unknown.any(|found| !found.message.contains("did you mean"))
    };
    let mut met = 0;
    for item in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/hosts")).unwrap() {
        let Ok(source) = std::fs::read_to_string(item.unwrap().path().join("head.rs")) else {
            continue;
        };
        let source = source.split("#[cfg(test)]").next().unwrap();
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        for word in code.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            let is_key = word.chars().all(|c| c.is_ascii_alphabetic() || "-_".contains(c));
            let is_word = word.len() > 3 && word.starts_with(|c: char| c.is_ascii_alphabetic());
            let is_id = every().any(|host| host.evaluation.head.is_some_and(|one| one.id == word));
            if is_key && is_word && !is_id && !NO_KEYS.contains(&&*word.to_lowercase()) {
                assert!(!is_unknown(word), "{word}");
                met += 1;
            }
        }
    }
    assert!(met > 40, "{met}");
}

#[test]
fn an_agent_that_obeys_a_key_reads_the_file_otherwise_without_it() {
    for (line, host) in [
        ("enabled: false", Some("Droid")),
        ("type: flow", Some("Kimi Code CLI")),
        ("isolatedContext: true", Some("Amp")),
        ("author: me", None),
    ] {
        let text = |more: &str| format!("---\nname: a\ndescription: d\n{more}\n---\nBody\n");
        let (before, after) = (text(line), text(&format!("metadata:\n  {line}")));
        let other = reads_otherwise(before.as_bytes(), after.as_bytes(), "a");
        assert_eq!(other.map(|host| host.name), host, "{line}");
    }
}
