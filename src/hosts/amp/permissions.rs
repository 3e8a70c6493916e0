//! Amp's permissions: a list of entries for tools, the first that matches decides.

use crate::catalog::Permission;
use crate::hosts::rule_order::{List, WrittenRule, arranged, place};
use crate::hosts::shapes::SETTINGS;
use crate::hosts::{Candidate, Candidates, Content, Reading, SettingsFile, WantedRules};
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{Layer, Pattern, Policy, Rule, SUCH_NAMES, Tool};
use crate::settings::{Edit, Entries, Kind, Node, Value, entry, keys};

/// The key; the dot is part of it.
const KEY: &str = "amp.permissions";

/// The tool by which the model loads a skill.
const TOOL: &str = "skill";

/// What an entry says about skills.
struct ReadEntry<'a> {
    patterns: Vec<Pattern>,
    /// `None` if Amp asks a program.
    effect: Option<Permission>,
    /// Whether all of it is understood.
    understood: bool,
    action: &'a str,
}

/// All rules about loading. Amp stops at an entry that it does not accept, so such a file denies
/// everything.
pub(super) fn rules(reading: &Reading, policy: &mut Policy) {
    for file in reading.of_role(SETTINGS) {
        let node = file.at(&[KEY]).filter(|node| !matches!(node.kind, Kind::Null));
        let Some(node) = node else { continue };
        let Kind::List(items) = &node.kind else {
            file.deny_all(policy, node.line, "amp.permissions is no list");
            continue;
        };
        let read = |item| read(item).map(|entry| Some((item.line, entry?)));
        match items.iter().map(read).collect::<Result<Vec<_>, _>>() {
            Ok(entries) => {
                let skills = entries.into_iter().flatten();
                skills.for_each(|(line, entry)| add(policy, file, line, entry));
            }
            Err((line, why)) => file.deny_all(policy, line, why),
        }
    }
}

fn add(policy: &mut Policy, file: &SettingsFile, line: u32, entry: ReadEntry<'_>) {
    if !entry.understood {
        let Some(effect) = entry.effect.map_or(Some(Permission::Deny), Rule::effect_in_part) else {
            return;
        };
        let (origin, layer) = (file.unreadable(line, entry.action), file.location.layer);
        policy.rules.push(Rule::loading(Pattern::Any, effect, origin, layer));
        return file.report(policy, line, "this pattern is not understood, so the entry denies");
    }
    let effect = entry.effect.unwrap_or(Permission::Deny);
    for pattern in entry.patterns {
        let named = pattern.text().map(|name| format!(" {name}")).unwrap_or_default();
        let text = format_args!("{KEY} {}{named}", entry.action);
        policy.rules.push(file.rule(pattern, effect, line, text));
    }
}

/// What one entry says about skills; `None` if it is about other tools, or requires what a call of
/// a skill never has.
fn read(entry: &Node) -> Result<Option<ReadEntry<'_>>, (u32, &'static str)> {
    let tool = entry.text_of("tool").filter(|tool| !tool.is_empty());
    let tool = tool.ok_or((entry.line, "an entry names no tool"))?;
    let action = entry.text_of("action").unwrap_or_default();
    let effect = match action {
        "allow" => Some(Permission::Allow),
        "ask" => Some(Permission::Ask),
        "reject" => Some(Permission::Deny),
        "delegate" => None,
        _ => return Err((entry.line, "an entry's action is not allow, ask, reject or delegate")),
    };
    if entry.get("to").is_some() != (action == "delegate") {
        return Err((entry.line, "an entry names a program if and only if it delegates"));
    }
    // Whatever its tool is: Amp takes no file with such an entry.
    let name = entry.get("matches").and_then(|matches| matches.get("name"));
    if let Some(node) = name
        && matches!(&node.kind, Kind::List(names) if names.is_empty())
    {
        return Err((node.line, "an entry's list of names is empty"));
    }
    let subagent = entry.text_of("context") == Some("subagent");
    let covered = pattern(tool).map(|tool| tool.matches(TOOL));
    if subagent || covered == Some(false) {
        return Ok(None);
    }
    let fields = entry.get("matches").map_or(&[][..], Node::fields);
    // A call of the tool has a name and nothing else, so a condition on anything else is never met.
    if fields.iter().any(|field| field.key != "name") {
        return Ok(None);
    }
    let patterns = match fields.first().map(|field| &field.node) {
        None => Some(vec![Pattern::Any]),
        Some(node) => names(node),
    };
    let understood = covered.is_some() && patterns.is_some();
    Ok(Some(ReadEntry { patterns: patterns.unwrap_or_default(), effect, understood, action }))
}

/// The patterns of `matches.name`: one text, or several.
fn names(node: &Node) -> Option<Vec<Pattern>> {
    match &node.kind {
        Kind::Text(text) => Some(vec![pattern(text)?]),
        Kind::List(items) => items.iter().map(|item| pattern(item.text()?)).collect(),
        _ => None,
    }
}

/// A text in which only `*` is special; `None` for a regular expression between slashes.
pub(in crate::hosts) fn pattern(text: &str) -> Option<Pattern> {
    let stars = text.matches('*').count();
    match text.strip_suffix('*') {
        _ if text.len() > 1 && text.starts_with('/') && text.ends_with('/') => None,
        Some("") => Some(Pattern::Any),
        Some(start) if stars == 1 => Some(Pattern::Prefix(start.to_owned())),
        // No skill of Amp has a name with blanks, and our exact names are compared without.
        _ if stars == 0 && text.trim() == text => Some(Pattern::Exact(text.to_owned())),
        // In our globs `?` is special as well.
        _ if text.contains('?') => None,
        _ => Some(Pattern::Glob(text.to_owned())),
    }
}

/// Candidates for entries in the person's file. Entries that are also or only about other tools
/// stay.
pub(super) fn plan(reading: &Reading, wanted: &WantedRules<'_>, layer: Layer) -> Candidates {
    let file = reading.writable(layer, SETTINGS)?;
    let insert = |index, entries| Edit::InsertTable { array: keys(&[KEY]), index, entries };
    let own = own(file);
    match wanted {
        WantedRules::One(rule) => {
            let entries = table(rule)?;
            let same = own
                .iter()
                .filter(|(_, pattern, _)| *pattern == rule.pattern)
                .map(|(index, ..)| *index);
            let mut candidates: Vec<Candidate> = vec![Vec::new()];
            for index in same {
                let entries = vec![entry("action", action(rule.effect))];
                let set = Edit::SetElement { array: keys(&[KEY]), index, entries };
                candidates.push(vec![file.edit(vec![set])]);
            }
            candidates.push(vec![file.edit(vec![insert(0, entries)])]);
            Ok(candidates)
        }
        WantedRules::All(rules) => set_rules(file, rules),
    }
}

/// Gives the file these rules. Entries stay where they stand, and what is the same in them as it is
/// written.
fn set_rules(file: &SettingsFile, rules: &[NewRule]) -> Candidates {
    let entries = file.items(&[KEY]);
    let (places, written): (Vec<usize>, Vec<WrittenRule>) = written_rules(file).into_iter().unzip();
    let arranged = arranged(&written, rules);
    let mut new = Vec::new();
    for one in &arranged.new {
        let place = place(&written, one).map_err(|unread| {
            let entry = &entries[places[unread]];
            let action = entry.text_of("action").unwrap_or_default();
            Refusal::Blocked { by: file.unreadable(entry.line, action), off: false }
        })?;
        let index = place.checked_sub(1).map_or(0, |above| places[above] + 1);
        new.push((index, table(one.1)?));
    }
    let list = List { path: &[KEY], pattern: "matches" };
    let edits = list.rewritten(&written, &arranged, new, |_, rule| table(rule))?;
    Ok(vec![if edits.is_empty() { Vec::new() } else { vec![file.edit(edits)] }])
}

/// The rules of all entries about skills, each with the index of its entry.
fn written_rules(file: &SettingsFile) -> Vec<(usize, WrittenRule)> {
    let mut all = Vec::new();
    let own = own(file);
    for (index, item) in file.items(&[KEY]).iter().enumerate() {
        // What is said of calls with arguments may be about this tool too.
        let of_tool = || item.text_of("tool").and_then(pattern).is_none_or(|it| it.matches(TOOL));
        let entry = match read(item) {
            Ok(Some(entry)) => entry,
            Ok(None) if of_tool() => {
                let is_open = item.text_of("action") == Some("allow");
                all.push((index, if is_open { WrittenRule::Unread } else { WrittenRule::Fixed }));
                continue;
            }
            _ => continue,
        };
        let rule = |pattern, effect| NewRule::of(&file.rule(pattern, effect, item.line, TOOL));
        let effect = entry.effect.unwrap_or(Permission::Deny);
        if let Some((_, pattern, effect)) = own.iter().find(|(place, ..)| *place == index) {
            all.push((index, WrittenRule::Own(index, rule(pattern.clone(), *effect))));
        } else if entry.understood {
            let rules = entry.patterns.into_iter().map(|pattern| rule(pattern, effect));
            all.extend(rules.map(|rule| (index, WrittenRule::Other(rule))));
        } else {
            let is_open = effect == Permission::Allow;
            all.push((index, if is_open { WrittenRule::Unread } else { WrittenRule::Fixed }));
        }
    }
    all
}

/// The entries with one pattern that are only about skills: index, pattern, effect.
fn own(file: &SettingsFile) -> Vec<(usize, Pattern, Permission)> {
    let Content::Read(node) = &file.content else { return Vec::new() };
    let entries = node.items_of(KEY).iter().enumerate();
    let ours = |(index, entry): (usize, &Node)| {
        let plain = entry
            .fields()
            .iter()
            .all(|field| ["tool", "matches", "action"].contains(&field.key.as_str()));
        let read = self::read(entry).ok().flatten()?;
        let named = entry.text_of("tool") == Some(TOOL);
        let mut patterns = read.patterns.into_iter();
        let (pattern, more) = (patterns.next()?, patterns.next());
        (plain && named && read.understood && more.is_none()).then_some((
            index,
            pattern,
            read.effect?,
        ))
    };
    entries.filter_map(ours).collect()
}

fn action(effect: Permission) -> &'static str {
    match effect {
        Permission::Allow => "allow",
        Permission::Ask => "ask",
        Permission::Deny => "reject",
    }
}

/// A rule as its entry.
fn table(rule: &NewRule) -> Result<Entries, Refusal> {
    if rule.tool != Tool::SkillLoad {
        return Err(Refusal::Lacks("rules for the scripts of a skill"));
    }
    let mut entries = vec![entry("tool", TOOL)];
    if let Some(name) = rule.pattern.text() {
        // It must mean the same when Amp reads it.
        if pattern(&name).as_ref() != Some(&rule.pattern) {
            return Err(Refusal::Lacks(SUCH_NAMES));
        }
        entries.push(entry("matches", Value::Table(vec![entry("name", &*name)])));
    }
    entries.push(entry("action", action(rule.effect)));
    Ok(entries)
}
