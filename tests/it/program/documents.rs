//! YAML and JSON that are meant to hang a reader or to fill the memory.

use crate::env::{TestEnv, bar};
use crate::support::Ran;
use std::time::{Duration, Instant};

/// Documents of a skill's frontmatter (`skill`), and settings by their path in the home.
pub(crate) fn documents() -> Vec<(&'static str, &'static str, String)> {
    let skill = "skill";
    let claude = ".claude/settings.json";
    let copilot = ".copilot/settings.json";
    let kodelet = ".kodelet/config.yaml";
    let codex = ".codex/config.toml";
    let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let bomb = |levels: usize| {
        let level = |i: usize| {
            let before = format!("*a{}", i.saturating_sub(1));
            format!("a{i}: &a{i} [{}]\n", vec![before; 9].join(", "))
        };
        "a0: &a0 [x, x, x]\n".to_owned() + &(1..levels).map(level).collect::<String>()
    };
    let quadratic = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(30_000), "*a, ".repeat(90));
    let merged = format!("a: &a {{{}}}\n<<: [{}]\n", "k: v, ".repeat(90), "*a, ".repeat(90));
    vec![
        ("an alias bomb", skill, bomb(9)),
        ("a shallow alias bomb", skill, bomb(6)),
        ("quadratic aliases", skill, quadratic.clone()),
        ("many anchors", skill, lines(3_000, |i| format!("k{i}: &a{i} v\n"))),
        ("an alias of itself", skill, "a: &a [*a]\n".into()),
        (
            "a chain of aliases",
            skill,
            "a0: &a0 []\n".to_owned()
                + &lines(60, |i| format!("a{}: &a{} [*a{i}]\n", i + 1, i + 1)),
        ),
        ("merged aliases", skill, merged),
        ("deep lists", skill, format!("a: {}\n", "[".repeat(60_000))),
        ("deep tables", skill, format!("a: {}\n", "{a: ".repeat(15_000))),
        ("deep blocks", skill, format!("a:\n {}x\n", "- ".repeat(30_000))),
        (
            "deep indents",
            skill,
            "a:\n".to_owned() + &lines(300, |i| format!("{}k:\n", " ".repeat(i + 1))),
        ),
        ("100,000 deep", skill, format!("a: {}\n", "[".repeat(100_000))),
        ("a long key", skill, format!("{}: v\n", "k".repeat(64 << 10))),
        ("a long complex key", skill, format!("? {}\n: v\n", "k".repeat(60_000))),
        ("very many keys", skill, lines(6_000, |i| format!("k{i}: v\n"))),
        ("one key very often", skill, "dup: z\n".repeat(8_000)),
        ("a long text", skill, format!("a: \"{}\"\n", "x\n".repeat(30_000))),
        ("an open text", skill, format!("a: '{}\n", "x''\n".repeat(15_000))),
        ("very many documents", skill, "a: b\n...\n".repeat(6_000)),
        ("JSON 100,000 deep", claude, "[".repeat(100_000)),
        ("JSON tables 100,000 deep", claude, "{\"a\":".repeat(100_000)),
        ("JSON with a long key", claude, format!("{{\"{}\": 1}}", "k".repeat(64 << 10))),
        (
            "JSON with one key very often",
            claude,
            format!("{{{}\"a\": 1}}", "\"a\": 1,".repeat(9_000)),
        ),
        ("JSON with comments, deep", copilot, "/**/[//\n".repeat(50_000)),
        ("YAML settings, deep", kodelet, format!("a: {}\n", "[".repeat(100_000))),
        ("YAML settings, quadratic", kodelet, quadratic),
        ("YAML settings with a bomb", kodelet, bomb(9)),
        ("TOML, deep", codex, format!("a = {}\n", "[".repeat(100_000))),
    ]
}

/// A row of a document is wanted within 50 ms; a busy machine may take ten times as long.
const MORE: Duration = Duration::from_millis(500);

/// What is long and can be read is nothing to tell.
const READABLE: [&str; 3] =
    ["JSON with a long key", "JSON with one key very often", "YAML settings, quadratic"];

fn timed(env: &TestEnv) -> (Ran, Duration) {
    let begun = Instant::now();
    (env.run(&["list", "--json", "--host", "all"]).ended(0), begun.elapsed())
}

#[test]
fn a_hostile_document_is_a_row_at_once() {
    let plain = TestEnv::furnished();
    let usual = (0..3).map(|_| timed(&plain).1).min().unwrap();
    for (name, place, text) in documents() {
        let env = TestEnv::furnished();
        if place == "skill" {
            let frontmatter = format!("name: hostile\ndescription: d\n{text}");
            env.raw_skill("repo/.agents/skills/hostile", &frontmatter, "body");
        } else {
            env.write(format!("home/{place}"), &text);
        }
        let (ran, mut taken) = timed(&env);
        for _ in 0..3 {
            // Once more where something else took the processor.
            if taken > usual + MORE {
                taken = timed(&env).1;
            }
        }
        assert!(taken <= usual + MORE, "{name}: {taken:?}, a plain list {usual:?}");
        let said = format!("{}{}", ran.out(), ran.err);
        let told = if place == "skill" { "\"name\":\"hostile\"" } else { place };
        assert!(READABLE.contains(&name) || said.contains(told), "{name}: {said}");
        assert!(said.contains("\"pdf-forms\""), "{name}: {said}");
        bar::tried(1);
    }
}
