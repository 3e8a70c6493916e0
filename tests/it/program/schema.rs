//! The published JSON schemas.

use crate::env::TestEnv;
use crate::support::published;
use skillpick::output::schema;
use std::path::Path;

/// Set to write the schemas instead of comparing them.
const BLESS: &str = "BLESS";

#[test]
fn cod_4_2_the_published_schemas_are_those_of_the_types() {
    for document in schema::documents() {
        let text = schema::text(document).unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("assets/schema")
            .join(format!("{document}.json"));
        if std::env::var_os(BLESS).is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        assert_eq!(
            published(document),
            text,
            "{document}: run the test with {BLESS}=1 and look at the difference"
        );
    }
}

#[test]
fn the_program_prints_every_schema() {
    let env = TestEnv::new();
    for document in schema::documents() {
        assert_eq!(env.run(&["schema", document]).ended(0).out(), published(document));
    }
    assert_eq!(env.run(&["schema"]).ended(0).out(), published("list"));
    env.run(&["schema", "nothing"]).ended(2);
    for (command, document) in schema::ALSO {
        assert_eq!(env.run(&["schema", command]).ended(0).out(), published(document), "{command}");
    }
}

#[test]
fn every_command_that_prints_json_has_a_schema() {
    let env = TestEnv::new();
    let help = env.run(&["--help"]).ended(0);
    let commands =
        help.out().split("Commands:\n").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
    let mut seen = 0;
    for command in commands.map(|line| line.split_whitespace().next().unwrap()) {
        if env.run(&[command, "--help"]).out().contains("--json") {
            env.run(&["schema", command]).ended(0);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}: {}", help.out());
}

#[test]
fn every_shell_gets_completions_that_know_the_commands() {
    let env = TestEnv::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = env.run(&["completions", shell]).ended(0);
        assert!(ran.out().contains("skillpick complete --shell"), "{shell}");
        for (line, word) in [
            ("skillpick disa", "disable"),
            ("skillpick --sele", "--select-1"),
            ("skillpick check --str", "--strict"),
        ] {
            let ran = env.run(&["complete", "--shell", shell, "--before", line]).ended(0);
            assert!(ran.out().starts_with(word), "{shell}: {line}: {ran:?}");
        }
    }
    for shell in ["elvish", "powershell"] {
        let ran = env.run(&["completions", shell]).ended(0);
        for word in ["disable", "select-1", "strict"] {
            assert!(ran.out().contains(word), "{shell}: {word}");
        }
    }
}
