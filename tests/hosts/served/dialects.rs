//! A model in Claude Code meets our server in each dialect: it is told the rules and the names of
//! the skills at the start, loads by the tool that the rules name, and hears of no tool that is not
//! there.

use super::{NAME, program, serving};
use crate::mock::{Agent, Call, Mock, Scene};
use serde_json::{Value as Json, json};

/// A dialect, its tools, and how it loads the skill.
struct Dialect {
    name: &'static str,
    tools: &'static [&'static str],
    load: (&'static str, &'static str),
}

const DIALECTS: [Dialect; 5] = [
    Dialect {
        name: "codelia",
        tools: &[
            "skill_search",
            "skill_load",
            "skill_unload",
            "skill_read",
            "skills_list",
            "context_inspect",
        ],
        load: ("skill_load", "name"),
    },
    Dialect { name: "kodelet", tools: &["skill"], load: ("skill", "skill_name") },
    Dialect {
        name: "spec0027",
        tools: &["skills.load", "skills.readFile"],
        load: ("skills.load", "name"),
    },
    Dialect {
        name: "remcochat",
        tools: &["skills.activate", "skills.readResource"],
        load: ("skills.activate", "name"),
    },
    Dialect {
        name: "run",
        tools: &["skills.load", "skills.unload", "skills.read"],
        load: ("skills.load", "names"),
    },
];

/// As Claude Code names a tool of our server.
fn offered(tool: &str) -> String {
    format!("mcp__skills__{}", tool.replace('.', "_"))
}

fn words(scene: &Scene, dialect: &Dialect) -> Vec<String> {
    let more = ["--dialect", dialect.name, "--host", "agents"].map(str::to_owned);
    [serving(scene), more.to_vec()].concat()
}

fn load(dialect: &Dialect, name: &str) -> Mock {
    let (_, key) = dialect.load;
    let value = if key == "names" { json!([NAME]) } else { json!(NAME) };
    Mock::calling([Call::new(name, Json::from_iter([(key, value)]))])
}

/// The tools of other dialects that a text names. `skill` is a word of its own as well.
fn strange<'a>(text: &str, own: &Dialect) -> Vec<&'a str> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || "_.".contains(letter)));
    let words: Vec<&str> = words.map(|word| word.trim_matches('.')).collect();
    let all = DIALECTS.iter().flat_map(|dialect| dialect.tools).copied();
    let other = |tool: &&str| *tool != "skill" && !own.tools.contains(tool);
    all.filter(other).filter(|tool| words.contains(tool)).collect()
}

#[test]
fn in_every_dialect_a_model_knows_rules_and_names_and_loads_by_the_named_tool() {
    for dialect in &DIALECTS {
        let scene = Scene::new();
        // On a busy machine the first answer has no list, as `docs/runtime.md` says.
        let patient = json!({ "SKILLPICK_FAILPOINT": "patient" });
        let server =
            json!({ "command": program(), "args": words(&scene, dialect), "env": patient });
        let servers = json!({ "mcpServers": { "skills": server } });
        let file = scene.write("servers.json", &servers.to_string());
        let tools: Vec<String> = dialect.tools.iter().map(|tool| offered(tool)).collect();
        let (tool, _) = dialect.load;
        let mock = load(dialect, &offered(tool));
        let allowed = tools.join(",");
        let flags = ["hello", "--mcp-config", file.to_str().unwrap(), "--allowedTools", &allowed];
        let Some(answered) = Agent::Claude.ask(&scene, &mock, &flags) else { return };
        let told = mock.turns()[0].all();
        // What our server has said, up to what the agent says of its own skills.
        let ours = told.split("\n## skills\n").nth(1).unwrap_or_else(|| panic!("{told}"));
        let ours = ours.split("The following skills are available").next().unwrap();
        if dialect.name == "kodelet" {
            assert!(ours.contains("the description of the tool skill"), "{ours}");
        } else {
            assert!(ours.contains(&format!("MUST call {tool} before")), "{}: {ours}", dialect.name);
            assert!(ours.contains(NAME), "{}: {ours}", dialect.name);
        }
        assert_eq!(strange(ours, dialect), [""; 0], "{}: {ours}", dialect.name);
        let mut named: Vec<&str> =
            told.lines().filter(|line| line.starts_with("mcp__skills__")).collect();
        let mut wanted: Vec<&str> = tools.iter().map(String::as_str).collect();
        named.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(named, wanted, "{}", dialect.name);
        let results = answered.results();
        assert!(results[0].contains("MARKER_BODY"), "{}: {results:?}", dialect.name);
        assert_eq!(strange(&results[0], dialect), [""; 0], "{}: {results:?}", dialect.name);
    }
}

/// An agent that gives its model the descriptions of tools at once gives it Kodelet's catalog.
#[test]
fn kodelets_model_has_rules_and_names_in_the_tools_description() {
    let scene = Scene::new();
    let dialect = DIALECTS.iter().find(|dialect| dialect.name == "kodelet").unwrap();
    let command = [vec![program().to_owned()], words(&scene, dialect)].concat();
    let server = json!({ "mcp": { "skills": { "type": "local", "command": command } } });
    scene.write("repo/opencode.json", &server.to_string());
    let mock = load(dialect, "skills_skill");
    let Some(answered) = Agent::Opencode.ask(&scene, &mock, &["hello"]) else { return };
    let offers = mock.turns()[0].offers();
    let offer = offers.iter().find(|offer| offer.name == "skills_skill").unwrap();
    for words in ["BLOCKING REQUIREMENT", "IMMEDIATELY", NAME] {
        assert!(offer.declaration.to_string().contains(words), "{words}: {}", offer.declaration);
    }
    assert!(answered.results()[0].contains("MARKER_BODY"), "{:?}", answered.results());
}
