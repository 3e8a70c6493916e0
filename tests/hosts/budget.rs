//! What of its skills an agent puts into its model's prompt: our forecast against what the agent's
//! program sends to the stand-in for the model, on generated catalogs.

use crate::env::bar;
use crate::env::random::Random;
use crate::mock::{Agent, Asked, Mock, Scene, run};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;

/// What the model gets of each skill, by the name in the agent's list: the characters of its
/// description that are left.
type Given = BTreeMap<String, usize>;

/// Letters for descriptions: of one byte, of several, of two columns, and outside of 16 bits.
const LETTERS: [&str; 8] = ["a", "e", "s", " ", "é", "日", "𝛼", "n"];

/// A text of so many characters that begins and ends with a letter, and that no reader of YAML takes
/// for anything but text.
fn text(random: &mut Random, characters: usize) -> String {
    let mut text: String = (0..characters).map(|_| *random.pick(&LETTERS)).collect();
    while text.contains("  ") {
        text = text.replace("  ", " x");
    }
    format!("d{}d", text.trim())
}

/// A skill of a generated catalog.
struct Made {
    /// `home` or `repo`.
    side: &'static str,
    folder: String,
    name: String,
    description: String,
    when: Option<String>,
}

fn catalog(random: &mut Random) -> Vec<Made> {
    let longest = *random.pick(&[60, 300, 1_900]);
    let most = *random.pick(&[12, 90, 320]);
    let several = 3 + random.below(most);
    let mut make = |index: usize| {
        let most = 1 + random.below(longest);
        let folder = format!("{}-{index:03}", ["pdf", "notes", "a", "zip-of-all"][random.below(4)]);
        // Claude Code knows a skill by its folder and shows the other name as well.
        let name = if random.below(4) == 0 { format!("n{index}") } else { folder.clone() };
        Made {
            side: ["home", "repo"][random.below(2)],
            name,
            folder,
            description: text(random, most),
            when: (random.below(6) == 0).then(|| text(random, 20)),
        }
    };
    (0..several).map(&mut make).collect()
}

fn lay(scene: &Scene, root: &str, catalog: &[Made]) {
    for Made { side, folder, name, description, when } in catalog {
        let when = when.as_ref().map(|when| format!("when_to_use: {when}\n")).unwrap_or_default();
        let text = format!("---\nname: {name}\ndescription: {description}\n{when}---\nbody\n");
        scene.write(&format!("{side}/{root}/{folder}/SKILL.md"), &text);
    }
}

/// Our forecast in the same place.
fn forecast(scene: &Scene, agent: Agent, arguments: &[&str]) -> Json {
    let mut command = scene.command(Path::new(env!("CARGO_BIN_EXE_skillpick")));
    // As the agent itself is run (`mock/point.rs`).
    command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    let ran = run(command.args(["budget", "--json", "--host", agent.name()]).args(arguments));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let document: Json = serde_json::from_str(&ran.out).unwrap();
    document["hosts"][0].clone()
}

/// The names in our forecast with the characters of their descriptions that are left.
fn given(forecast: &Json, whole: impl Fn(&str) -> usize) -> Given {
    let row = |row: &Json| {
        let name = row["name"].as_str().unwrap();
        let left = match row["part"].as_str().unwrap() {
            "whole" => whole(name),
            "shortened" => usize::try_from(row["description"].as_u64().unwrap()).unwrap(),
            "name" => 0,
            _ => return None,
        };
        Some((name.to_owned(), left))
    };
    forecast["skills"].as_array().unwrap().iter().filter_map(row).collect()
}

/// How many catalogs each agent is asked about, with two windows each. Each is a start of its
/// program, so all of them take minutes.
fn seeds() -> u64 {
    if bar::is_thorough() { 50 } else { 15 }
}

mod claude {
    use super::*;

    fn settings(random: &mut Random, catalog: &[Made], model: Option<&str>) -> Json {
        let mut settings = json!({});
        if let Some(model) = model {
            settings["model"] = model.into();
        }
        if random.below(2) == 0 {
            settings["disableBundledSkills"] = true.into();
        }
        if random.below(4) == 0 {
            settings["skillListingMaxDescChars"] = json!(40 + random.below(200));
        }
        match random.below(5) {
            0 => settings["skillListingBudgetFraction"] = json!(0.002),
            1 => settings["env"] = json!({ "SLASH_COMMAND_TOOL_CHAR_BUDGET": "5000" }),
            _ => {}
        }
        for made in catalog {
            let state = ["name-only", "off", "user-invocable-only"].get(random.below(30));
            if let Some(state) = state {
                settings["skillOverrides"][&made.folder] = (*state).into();
            }
        }
        settings
    }

    /// The columns of a line and its end. Line ends within a description take none.
    fn columns(line: &str) -> usize {
        // Half of a letter outside of 16 bits, at which a description was cut, takes none either.
        let line = line.replace('\u{fffd}', "");
        skillpick::text::width(&line) + usize::from(line.starts_with("- "))
    }

    /// The lines of the list that are about skills of the catalog, and the columns of all lines.
    fn listed(asked: &Asked, catalog: &[Made]) -> (Given, usize) {
        let all = asked.all();
        let (_, list) = all.split_once("use with the Skill tool:\n\n").expect("no list");
        let end =
            ["\n\n", "\n</system-reminder>"].into_iter().filter_map(|end| list.find(end)).min();
        let list = &list[..end.unwrap_or(list.len())];
        let mut given = Given::new();
        for line in list.lines() {
            let line = line.strip_prefix("- ").unwrap_or(line);
            let (head, left) = line.split_once(": ").unwrap_or((line, ""));
            let folder = head.split(' ').next().unwrap();
            if let Some(made) = catalog.iter().find(|made| made.folder == folder) {
                given.insert(made.name.clone(), left.encode_utf16().count());
            }
        }
        (given, list.lines().map(columns).sum())
    }

    #[test]
    fn the_forecast_is_what_claude_code_sends() {
        if Agent::Claude.program().is_none() {
            return;
        }
        for seed in 1..=seeds() {
            let mut random = Random::new(seed);
            let catalog = catalog(&mut random);
            let uses: BTreeMap<&str, Json> = catalog
                .iter()
                .filter_map(|made| {
                    let at = 1_600_000_000_000_u64 + random.below(200_000_000) as u64 * 1_000;
                    let used = json!({ "usageCount": random.below(9), "lastUsedAt": at });
                    (random.below(5) == 0).then_some((made.folder.as_str(), used))
                })
                .collect();
            for model in [None, Some("claude-sonnet-4-5")] {
                let scene = Scene::new();
                lay(&scene, ".claude/skills", &catalog);
                let settings = settings(&mut random, &catalog, model);
                scene.write("repo/.claude/settings.local.json", &settings.to_string());
                scene.write("home/.claude.json", &json!({ "skillUsage": uses }).to_string());
                let forecast = forecast(&scene, Agent::Claude, &[]);
                let answered = Agent::Claude.ask(&scene, &Mock::start(), &["hello"]).unwrap();
                let (theirs, length) = listed(answered.first(), &catalog);
                let most = settings["skillListingMaxDescChars"].as_u64().unwrap_or(1_536);
                let whole = |name: &str| {
                    let made = catalog.iter().find(|made| made.name == name).unwrap();
                    let when = made.when.as_ref().map(|when| format!(" - {when}"));
                    let text = format!("{}{}", made.description, when.unwrap_or_default());
                    text.encode_utf16().count().min(usize::try_from(most).unwrap())
                };
                assert_eq!(given(&forecast, whole), theirs, "seed {seed}, {settings}");
                let used = usize::try_from(forecast["used"].as_u64().unwrap()).unwrap();
                // A text of its own has two line ends, and may be cut before them.
                assert!(used.abs_diff(length) <= 2, "{used} {length}: seed {seed}, {settings}");
            }
        }
    }
}

mod codex {
    use super::*;

    /// The lines of the list that are about skills of the catalog.
    fn listed(asked: &Asked, catalog: &[Made]) -> Given {
        let all = asked.all();
        let (_, list) = all.split_once("### Available skills\n").expect("no list");
        let line = |line: &str| {
            let (name, rest) = line.strip_prefix("- ")?.split_once(": ")?;
            let text = &rest[..rest.rfind("(file: ")?];
            catalog.iter().find(|made| made.name == name)?;
            Some((name.to_owned(), text.strip_suffix(' ').unwrap_or(text).chars().count()))
        };
        list.lines().take_while(|line| line.starts_with("- ")).filter_map(line).collect()
    }

    #[test]
    fn the_forecast_is_what_codex_sends() {
        if Agent::Codex.program().is_none() {
            return;
        }
        for seed in 1..=seeds() {
            let mut random = Random::new(seed);
            let catalog = catalog(&mut random);
            for window in ["", "model_context_window = 60000\n"] {
                let scene = Scene::new();
                lay(&scene, ".agents/skills", &catalog);
                let mut settings = window.to_owned();
                if random.below(5) == 0 {
                    settings += "skills.max_context_tokens = 2500\n";
                }
                if random.below(3) == 0 {
                    settings += "skills.bundled.enabled = false\n";
                }
                for made in &catalog {
                    if random.below(20) == 0 {
                        let name = &made.name;
                        settings +=
                            &format!("[[skills.config]]\nname = \"{name}\"\nenabled = false\n");
                    }
                }
                scene.write("home/.codex/config.toml", &settings);
                let answered = Agent::Codex.ask(&scene, &Mock::start(), &["hello"]).unwrap();
                // Codex unpacks its own skills when it is run first.
                let forecast = forecast(&scene, Agent::Codex, &[]);
                let theirs = listed(answered.first(), &catalog);
                let whole = |name: &str| {
                    let made = catalog.iter().find(|made| made.name == name);
                    made.map_or(0, |made| made.description.chars().count().min(1_024))
                };
                let mut ours = given(&forecast, whole);
                ours.retain(|name, _| catalog.iter().any(|made| made.name == *name));
                assert_eq!(ours, theirs, "seed {seed}, {settings}");
            }
        }
    }
}

mod copilot {
    use super::*;

    /// The names of the skills that are listed whole (1) and by name (0).
    fn listed(asked: &Asked, catalog: &[Made]) -> Given {
        let all = asked.all();
        let (_, list) = all.split_once("<available_skills>\n").expect("no list");
        let (list, _) = list.split_once("</available_skills>").unwrap();
        let (whole, names) = list.split_once("Additional skills available").unwrap_or((list, ""));
        let of = |made: &Made| {
            let name = &made.name;
            if whole.contains(&format!("<name>{name}</name>")) {
                return Some((name.clone(), 1));
            }
            let is_it = |word: &str| word.trim_end_matches("...") == name.as_str();
            names.split([' ', ',', '\n']).any(is_it).then(|| (name.clone(), 0))
        };
        catalog.iter().filter_map(of).collect()
    }

    #[test]
    fn the_forecast_is_what_copilot_sends() {
        if Agent::Copilot.program().is_none() {
            return;
        }
        for seed in 1..=10 {
            let mut random = Random::new(seed);
            let mut catalog = catalog(&mut random);
            // It refuses longer ones, which it counts in UTF-16.
            catalog.retain(|made| made.description.encode_utf16().count() <= 1_024);
            if seed == 10 {
                let more = |index: usize| Made {
                    side: "repo",
                    folder: format!("more-{index:04}"),
                    name: format!("more-{index:04}"),
                    description: "One of many.".to_owned(),
                    when: None,
                };
                catalog.extend((0..1_000).map(more));
            }
            let scene = Scene::new();
            lay(&scene, ".agents/skills", &catalog);
            let forecast = forecast(&scene, Agent::Copilot, &[]);
            let answered = Agent::Copilot.ask(&scene, &Mock::start(), &["hello"]).unwrap();
            let theirs = listed(answered.first(), &catalog);
            assert_eq!(given(&forecast, |_| 1), theirs, "seed {seed}");
        }
    }
}

#[test]
fn the_others_list_every_skill_whole() {
    for agent in [Agent::Opencode, Agent::Gemini, Agent::Pi, Agent::Qwen] {
        let scene = Scene::new();
        for index in 0..300 {
            let (name, description) = (format!("skill-{index:03}"), "word ".repeat(180));
            let text =
                format!("---\nname: {name}\ndescription: {description}end{index:03}\n---\nbody\n");
            scene.write(&format!("repo/.agents/skills/{name}/SKILL.md"), &text);
        }
        let Some(answered) = agent.ask(&scene, &Mock::start(), &["hello"]) else { continue };
        let told = format!("{}", answered.first().body);
        assert!((0..300).all(|index| told.contains(&format!("end{index:03}"))), "{agent:?}");
        let forecast = forecast(&scene, agent, &[]);
        let parts = forecast["skills"].as_array().unwrap().iter().map(|row| &row["part"]);
        assert!(parts.filter(|part| *part == "whole").count() >= 300, "{agent:?}");
        assert_eq!((&forecast["limit"], &forecast["cut"]), (&Json::Null, &json!(0)), "{agent:?}");
    }
}
