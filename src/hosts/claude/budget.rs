//! How many characters Claude Code gives to its list of skills, and whose descriptions stay.
//!
//! Read in its program and held against what it sends to a model (`tests/hosts/budget.rs`).

use super::{Context, HOME, Reading};
use crate::files::write::{final_target, open_regular};
use crate::policy::Budget;
use crate::policy::budget::ByUse;
use crate::settings::Node;
use serde::Deserialize;
use std::collections::HashMap;
use std::io::Read;
use std::time::{Duration, SystemTime};

/// The part of the context window, unless the settings say another one.
const FRACTION: f64 = 0.01;

/// The most characters of one description, unless the settings say otherwise.
const DESCRIPTION: usize = 1_536;

/// The skills that come with it, with the columns of name and description; with
/// `disableBundledSkills` only the last of them is left.
const OWN: &[(usize, usize)] = &[
    (7, 1_436),
    (13, 690),
    (16, 228),
    (11, 835),
    (8, 176),
    (24, 163),
    (4, 336),
    (10, 1_155),
    (18, 230),
    (3, 361),
    (16, 255),
];

/// Its own commands in the list, `init` and `security-review`.
const COMMANDS: &[(usize, usize)] = &[(4, 59), (15, 71)];

/// Models whose tokens it takes for four characters, with the window of their time.
const EARLIER: &[&str] = &[
    "claude-3-",
    "claude-opus-4-0",
    "claude-opus-4-1",
    "claude-opus-4-5",
    "claude-opus-4-6",
    "claude-sonnet-4-0",
    "claude-sonnet-4-5",
    "claude-sonnet-4-6",
    "claude-haiku-4-5",
];

/// The context window of a model, and how many characters it takes for a token.
struct Model {
    window: usize,
    characters: usize,
}

/// A file with more bytes is not read for what is used; Claude Code keeps its history there too.
const MOST: u64 = 64 << 20;

/// What is used least counts for this part of what was used today.
const LEAST: f64 = 0.1;

const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

pub(super) fn budget(reading: &Reading, window: Option<usize>) -> Budget {
    let said = |path: &[&str]| said(reading, path);
    let variable = "SLASH_COMMAND_TOOL_CHAR_BUDGET";
    let named = said(&["env", variable])
        .and_then(Node::text)
        .map(str::to_owned)
        .or_else(|| Some(reading.context.variable(variable)?.to_str()?.to_owned()));
    let named = named.and_then(|text| text.trim().parse::<usize>().ok()).filter(|limit| *limit > 0);
    let model = model(reading);
    let fraction = said(&["skillListingBudgetFraction"]).and_then(Node::number::<f64>);
    let fraction = fraction.filter(|part| *part > 0.0 && *part <= 1.0).unwrap_or(FRACTION);
    let longest = said(&["skillListingMaxDescChars"])
        .and_then(Node::number::<f64>)
        .filter(|most| *most >= 1.0);
    let characters = window.unwrap_or(model.window) * model.characters;
    let disabled = said(&["disableBundledSkills"]).and_then(Node::flag) == Some(true);
    Budget::ByUse(ByUse {
        limit: named.unwrap_or_else(|| floor(characters as f64 * fraction).max(1)),
        description: longest.map_or(DESCRIPTION, floor),
        own: if disabled { &OWN[OWN.len() - 1..] } else { OWN },
        commands: if disabled { &[] } else { COMMANDS },
        uses: uses(&reading.context).unwrap_or_default(),
    })
}

/// The value in the highest settings file that Claude Code does not ignore.
fn said<'a>(reading: &'a Reading, path: &[&str]) -> Option<&'a Node> {
    super::sound(reading).into_iter().rev().find_map(|file| file.at(path))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of characters")]
fn floor(amount: f64) -> usize {
    amount.floor() as usize
}

fn model(reading: &Reading) -> Model {
    let variable = reading.context.variable("ANTHROPIC_MODEL").and_then(|name| name.to_str());
    let name = variable.or_else(|| said(reading, &["model"]).and_then(Node::text)).unwrap_or("");
    let earlier = EARLIER.iter().any(|known| name.starts_with(known)) && !name.ends_with("[1m]");
    let is_small = earlier || reading.context.flag("CLAUDE_CODE_DISABLE_1M_CONTEXT");
    Model {
        window: if is_small { 200_000 } else { 1_000_000 },
        characters: if earlier { 4 } else { 3 },
    }
}

#[derive(Deserialize)]
struct Memory {
    #[serde(default, rename = "skillUsage")]
    skill_usage: HashMap<String, Use>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Use {
    #[serde(default)]
    usage_count: f64,
    /// Milliseconds since 1970.
    #[serde(default)]
    last_used_at: f64,
}

/// How much each skill was used: how often, halved for each week since, down to a tenth.
fn uses(context: &Context) -> Option<HashMap<String, f64>> {
    let folder = context.variable(HOME.variable).map(|folder| context.cwd.join(folder));
    let path = folder.or_else(|| context.home.clone())?.join(".claude.json");
    // Opening a pipe waits for who writes into it.
    let target = final_target(&path).ok()?;
    let mut bytes = Vec::new();
    open_regular(&target.path).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    let memory: Memory = serde_json::from_slice(&bytes).ok()?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let weight = |used: &Use| {
        let weeks = (now.as_millis() as f64 - used.last_used_at) / WEEK.as_millis() as f64;
        used.usage_count * 0.5_f64.powf(weeks).max(LEAST)
    };
    Some(memory.skill_usage.iter().map(|(name, used)| (name.clone(), weight(used))).collect())
}
