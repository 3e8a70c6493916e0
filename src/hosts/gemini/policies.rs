//! Gemini's policies: rules in TOML files and in its settings, the highest priority first.
//!
//! We write to `skills.toml` in the person's folder of policies; all other files are only read.

use super::expression;
use crate::catalog::Permission;
use crate::hosts::shapes;
use crate::hosts::{Content, Reading, SettingsFile, SettingsPath};
use crate::policy::{Expression, Layer, Pattern, Policy, Rule};
use crate::settings::{Format, Kind, Node};
pub(super) use plan::plan;
use std::path::{Path, PathBuf};

mod plan;

/// The role of policies that are read.
const POLICIES: &str = "policies";

/// The role of the file to which new rules go.
const OWN: &str = "policies for skills";

/// The tool by which the model loads a skill.
const TOOL: &str = "activate_skill";

/// The highest priority of a rule.
const HIGHEST: i64 = 999;

/// Added to an administrator's priorities.
const ADMINISTRATOR: i64 = 1_000;

/// The person's policies, or those that the setting `policyPaths` names instead; then the
/// machine's.
pub(super) fn settings_paths(home: Option<&Path>, settings: &[SettingsPath]) -> Vec<SettingsPath> {
    let role = |path: PathBuf, layer| SettingsPath {
        role: POLICIES,
        ..shapes::file(path, layer, Format::Toml)
    };
    let named: Vec<PathBuf> = settings
        .iter()
        .filter(|location| location.ignored.is_none())
        .filter_map(|location| shapes::on_disk(&location.path, location.format))
        .flat_map(|node| named(&node))
        .collect();
    let mut settings_paths: Vec<SettingsPath> = files(&PathBuf::from(super::SYSTEM).join(POLICIES))
        .into_iter()
        .map(|path| role(path, Layer::Managed))
        .collect();
    let ignored = (!named.is_empty()).then_some("its setting policyPaths names other policies");
    for path in named {
        let paths = if path.is_dir() { files(&path) } else { vec![path] };
        settings_paths.extend(paths.into_iter().map(|path| role(path, Layer::User)));
    }
    if let Some(folder) = home.map(|home| home.join(".gemini").join(POLICIES)) {
        let own = folder.join("skills.toml");
        let others = files(&folder)
            .into_iter()
            .filter(|path| *path != own)
            .map(|path| role(path, Layer::User));
        settings_paths.extend(others.map(|location| SettingsPath { ignored, ..location }));
        settings_paths.push(SettingsPath { role: OWN, ignored, ..role(own, Layer::User) });
    }
    settings_paths
}

/// The absolute paths of `policyPaths`.
fn named(settings: &Node) -> Vec<PathBuf> {
    settings
        .items_of("policyPaths")
        .iter()
        .filter_map(Node::text)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .collect()
}

/// The TOML files of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    files
}

/// A rule with its priority in thousandths of the person's tier.
struct Ranked {
    priority: i64,
    /// The index in its file's list of policies.
    index: Option<usize>,
    rule: Rule,
}

/// A rule about loading in a file.
enum Found {
    Counts(Box<Ranked>),
    /// The one in this line, whose `argsPattern` Gemini does not take.
    PassedOver(u32),
}

impl Found {
    fn counts(self) -> Option<Ranked> {
        if let Self::Counts(ranked) = self { Some(*ranked) } else { None }
    }

    /// What is wrong with it, and in which line. What is understood in part counts as its strictest
    /// reading.
    fn fault(&self) -> Option<(u32, &'static str)> {
        match self {
            Self::PassedOver(line) => Some((
                *line,
                "an argsPattern is no regular expression that Gemini CLI takes, so it ignores the rule",
            )),
            Self::Counts(ranked) if ranked.rule.is_alarm() => {
                let line = ranked.rule.origin.place().map_or(1, |(_, line)| line);
                Some((line, "this argsPattern is not understood, so the rule denies"))
            }
            Self::Counts(_) => None,
        }
    }
}

/// All rules about loading, in the order in which Gemini judges them.
pub(super) fn rules(reading: &Reading, policy: &mut Policy) {
    let ranked = ranked(reading, policy);
    policy.rules.extend(ranked.into_iter().map(|ranked| ranked.rule));
}

/// The same with their priorities; faults go to the policy.
fn ranked(reading: &Reading, policy: &mut Policy) -> Vec<Ranked> {
    let mut ranked = Vec::new();
    let mut files: Vec<&SettingsFile> =
        reading.files.iter().filter(|file| [POLICIES, OWN].contains(&file.location.role)).collect();
    files.sort_by_key(|file| (file.location.layer != Layer::Managed, &file.location.path));
    for file in files {
        if let Content::Broken { line, reason, malformed: true } = &file.content {
            pass_over(file, policy, (*line, reason));
        }
        match of_file(file) {
            Ok(rules) => {
                for (line, why) in rules.iter().filter_map(Found::fault) {
                    file.report(policy, line, why);
                }
                ranked.extend(rules.into_iter().filter_map(Found::counts));
            }
            Err(why) => pass_over(file, policy, why),
        }
    }
    for file in reading.of_role(shapes::SETTINGS) {
        of_settings(file, policy, &mut ranked);
    }
    ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.priority));
    ranked
}

/// Gemini ignores a whole file with a fault, and says so. What an administrator's was meant to
/// forbid we do not know, so it denies.
fn pass_over(file: &SettingsFile, policy: &mut Policy, (line, why): (u32, &str)) {
    if file.location.layer == Layer::Managed {
        file.deny_all(policy, line, why);
    } else {
        file.report(policy, line, format!("{why}, so Gemini CLI ignores this file"));
    }
}

fn of_file(file: &SettingsFile) -> Result<Vec<Found>, (u32, &'static str)> {
    let rules = file.at(&["rule"]);
    match rules.map(|node| (&node.kind, node.line)) {
        None => Ok(Vec::new()),
        Some((Kind::List(items), _)) => {
            let each = items.iter().enumerate().map(|item| one(file, item));
            let each = each.collect::<Result<Vec<_>, _>>()?;
            Ok(each.into_iter().flatten().collect())
        }
        Some((_, line)) => Err((line, "rule is no list of tables")),
    }
}

/// One rule; `None` if it is not about loading a skill in a session with a person. Errors: what
/// Gemini does not accept.
fn one(
    file: &SettingsFile,
    (index, node): (usize, &Node),
) -> Result<Option<Found>, (u32, &'static str)> {
    let tools =
        node.get("toolName").and_then(tools).ok_or((node.line, "a rule has no toolName"))?;
    let (text, effect) = DECISIONS
        .into_iter()
        .find(|(word, _)| node.text_of("decision") == Some(word))
        .ok_or((node.line, "a rule's decision is not allow, ask_user or deny"))?;
    let priority =
        node.get("priority").and_then(Node::number).filter(|number| (0..=HIGHEST).contains(number));
    let priority =
        priority.ok_or((node.line, "a rule's priority is no whole number from 0 to 999"))?;
    if !tools.iter().any(|tool| [TOOL, "*"].contains(tool)) || !here(node) {
        return Ok(None);
    }
    let layer = file.location.layer;
    let priority = if layer == Layer::Managed { priority + ADMINISTRATOR } else { priority };
    let (pattern, understood) = match node.get("argsPattern").map(|node| (node.line, node.text())) {
        None => (Pattern::Any, true),
        // What an administrator's was meant to forbid we do not know.
        Some((line, Some(text))) if !expression::takes(text) => match layer {
            Layer::Managed => (Pattern::Any, false),
            _ => return Ok(Some(Found::PassedOver(line))),
        },
        Some((_, Some(text))) => {
            pattern(text).map_or((Pattern::Any, false), |pattern| (pattern, true))
        }
        Some((line, None)) => return Err((line, "an argsPattern is no text")),
    };
    // We do not know whether the tool has the annotations that a rule asks for.
    let understood = understood && node.get("toolAnnotations").is_none();
    let named = pattern.text().map(|name| format!(" {name}")).unwrap_or_default();
    let (effect, origin) = match understood {
        true => (Some(effect), file.origin(node.line, format_args!("{text} {TOOL}{named}"))),
        false => {
            (Rule::effect_in_part(effect), file.unreadable(node.line, &format!("{text} {TOOL}")))
        }
    };
    Ok(effect.map(|effect| {
        let rule = Rule::loading(pattern, effect, origin, layer);
        Found::Counts(Box::new(Ranked { priority, index: Some(index), rule }))
    }))
}

/// Whether a rule counts in a session with a person, in the default mode, for the main agent.
fn here(node: &Node) -> bool {
    let modes = node.items_of("modes");
    let mode = modes.is_empty() || modes.iter().any(|mode| mode.text() == Some("default"));
    let interactive = node.get("interactive").and_then(Node::flag) != Some(false);
    mode && interactive && ["mcpName", "subagent"].iter().all(|key| node.get(key).is_none())
}

fn tools(node: &Node) -> Option<Vec<&str>> {
    match &node.kind {
        Kind::Text(tool) => Some(vec![tool]),
        Kind::List(items) => items.iter().map(Node::text).collect(),
        _ => None,
    }
}

const DECISIONS: [(&str, Permission); 3] =
    [("allow", Permission::Allow), ("ask_user", Permission::Ask), ("deny", Permission::Deny)];

/// The names that an `argsPattern` matches. `None` for a pattern that we cannot read.
fn pattern(text: &str) -> Option<Pattern> {
    let named = text.strip_prefix(NAME).and_then(of_name);
    named.or_else(|| Expression::read(text).map(Pattern::Arguments))
}

/// The beginning of an expression about the name.
const NAME: &str = "\"name\":\"";

/// What stands for a `*` and for a `?` of a glob: anything within the quotes.
const MANY: &str = "[^\"]*";
const ONE: &str = "[^\"]";

/// The pattern of an expression as we write it; `None` for any other one. `text` begins after the
/// opening quote. Without the closing quote it is a beginning.
fn of_name(text: &str) -> Option<Pattern> {
    let (mut rest, closed) = match text.strip_suffix('"') {
        Some(rest) if !rest.ends_with("[^") => (rest, true),
        _ => (text, false),
    };
    let (mut name, mut wild) = (String::new(), false);
    while let Some(letter) = rest.chars().next() {
        let (read, behind) = if let Some(behind) = rest.strip_prefix(MANY) {
            wild = true;
            ('*', behind)
        } else if let Some(behind) = rest.strip_prefix(ONE) {
            wild = true;
            ('?', behind)
        } else if letter == '\\' {
            let sign =
                rest[1..].chars().next().filter(|sign| is_sign(*sign) && !"*?".contains(*sign))?;
            (sign, &rest[1 + sign.len_utf8()..])
        } else if is_sign(letter) || is_quoted(letter) {
            return None;
        } else {
            (letter, &rest[letter.len_utf8()..])
        };
        name.push(read);
        rest = behind;
    }
    match (name.is_empty(), closed, wild) {
        (false, true, false) => Some(Pattern::Exact(name)),
        (false, true, true) => Some(Pattern::Glob(name)),
        (false, false, false) => Some(Pattern::Prefix(name)),
        _ => None,
    }
}

/// Whether a character has a special meaning in an expression.
fn is_sign(letter: char) -> bool {
    "\\^$.|?*+()[]{}".contains(letter)
}

/// Whether a character is written otherwise in the JSON that an expression is matched against.
fn is_quoted(letter: char) -> bool {
    letter.is_control() || "\"\\".contains(letter)
}

/// The rules of its settings about tools, with Gemini's priorities for them.
fn of_settings(file: &SettingsFile, policy: &mut Policy, ranked: &mut Vec<Ranked>) {
    let lists = [
        ("exclude", Permission::Deny, 400),
        ("confirmationRequired", Permission::Ask, 350),
        ("allowed", Permission::Allow, 300),
        ("core", Permission::Allow, 250),
    ];
    for (key, effect, priority) in lists {
        let path = ["tools", key];
        for (tool, line) in shapes::texts_or_deny(policy, file, &path) {
            if [TOOL, "*"].contains(&tool.split('(').next().unwrap_or_default()) {
                let text = format_args!("tools.{key} \"{tool}\"");
                let rule = file.rule(Pattern::Any, effect, line, text);
                ranked.push(Ranked { priority, index: None, rule });
            }
        }
    }
    // A list of core tools forbids all others.
    if let Some(node) = file.at(&["tools", "core"]) {
        let rule = file.rule(Pattern::Any, Permission::Deny, node.line, "tools.core");
        ranked.push(Ranked { priority: 240, index: None, rule });
    }
}
