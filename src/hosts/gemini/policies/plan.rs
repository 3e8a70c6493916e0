//! Changes of our file of policies.

use super::{DECISIONS, HIGHEST, MANY, NAME, ONE, OWN, Ranked, TOOL, is_sign, pattern, ranked};
use crate::catalog::Permission;
use crate::hosts::gemini::GEMINI;
use crate::hosts::rule_order::{Arranged, List, WrittenRule, arranged, place};
use crate::hosts::{Candidates, Content, Reading, SettingsFile, WantedRules};
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{Layer, Pattern, Policy, SUCH_NAMES, Tool};
use crate::settings::{Edit, Entries, Node, entry, keys};

/// The list of rules in a file.
const LIST: &[&str] = &["rule"];

/// The priority of a new rule.
const PRIORITY: i64 = 200;

fn decision(effect: Permission) -> &'static str {
    DECISIONS.iter().find(|(_, other)| *other == effect).map_or("deny", |(word, _)| word)
}

/// Candidates for rules, in the person's own file, which is the only one that we write.
pub(in crate::hosts::gemini) fn plan(
    reading: &Reading,
    wanted: &WantedRules<'_>,
    layer: Layer,
) -> Candidates {
    if layer != Layer::User {
        return Err(Refusal::Ignored { layer, why: "its policies are the person's alone" });
    }
    let file = reading.writable(Layer::User, OWN)?;
    match wanted {
        WantedRules::One(rule) => permit(file, rule),
        WantedRules::All(rules) => replace(reading, file, rules),
    }
}

/// The rules of our file that are only about skills and that we could write again, each with its
/// index in the file. Conditions, messages and other expressions are a person's own, and stay.
fn own(file: &SettingsFile) -> Vec<(usize, &Node)> {
    let Content::Read(node) = &file.content else { return Vec::new() };
    let rules = node.items_of("rule").iter().enumerate();
    let ours = |rule: &Node| {
        let known = ["toolName", "argsPattern", "decision", "priority"];
        let plain = rule.fields().iter().all(|field| known.contains(&field.key.as_str()));
        let said = rule.get("argsPattern").map(|node| node.text().and_then(pattern));
        let named = !matches!(said, Some(None | Some(Pattern::Arguments(_))));
        rule.text_of("toolName") == Some(TOOL) && plain && named
    };
    rules.filter(|(_, rule)| ours(rule)).collect()
}

/// In this order: no change; another effect for the rule with this pattern; a new rule; a new rule
/// with a priority above all others.
fn permit(file: &SettingsFile, rule: &NewRule) -> Candidates {
    let table = table(rule, PRIORITY)?;
    let wanted = arguments(&rule.pattern)?;
    let says = |node: &Node| node.text_of("argsPattern").map(str::to_owned);
    let same: Vec<usize> = own(file)
        .into_iter()
        .filter(|(_, node)| says(node) == wanted)
        .map(|(index, _)| index)
        .collect();
    let set = |index: usize, priority: Option<i64>| {
        let mut entries = vec![entry("decision", decision(rule.effect))];
        entries.extend(priority.map(|priority| entry("priority", priority)));
        vec![file.edit(vec![Edit::SetElement { array: keys(LIST), index, entries }])]
    };
    let push = |entries| vec![file.edit(vec![Edit::push_table(LIST, entries)])];
    let mut candidates = vec![Vec::new()];
    candidates.extend(same.iter().map(|index| set(*index, None)));
    candidates.extend(same.iter().map(|index| set(*index, Some(HIGHEST))));
    if same.is_empty() {
        candidates.push(push(table));
        candidates.push(push(self::table(rule, HIGHEST)?));
    }
    Ok(candidates)
}

/// Gives the person's files these rules. Those of other files, and what is the same in ours, stay
/// as they are; only a new rule gets a priority.
fn replace(reading: &Reading, file: &SettingsFile, rules: &[NewRule]) -> Candidates {
    let ranked = ranked(reading, &mut Policy::without_settings(GEMINI.evaluation));
    let own = own(file);
    let own_index = |Ranked { index, rule, .. }: &Ranked| {
        let is_here = rule.origin.place().is_some_and(|(path, _)| *path == *file.shown);
        index.filter(|index| is_here && own.iter().any(|(own, _)| own == index))
    };
    let mut priorities = Vec::new();
    let mut written = Vec::new();
    for one in &ranked {
        let rule = &one.rule;
        written.push(match own_index(one) {
            Some(index) => WrittenRule::Own(index, NewRule::of(rule)),
            None if rule.is_fixed() => WrittenRule::Fixed,
            None if rule.layer == Layer::User => WrittenRule::Other(NewRule::of(rule)),
            // The rules of other layers are not among the wanted ones.
            None => continue,
        });
        priorities.push(one.priority);
    }
    let arranged = arranged(&written, rules);
    let list = List { path: LIST, pattern: "argsPattern" };
    let same = |at: usize, rule: &NewRule| table(rule, priorities[at]);
    let mut edits = list.rewritten(&written, &arranged, Vec::new(), same)?;
    for (rule, priority) in prioritised(&written, &priorities, &arranged)? {
        edits.push(Edit::push_table(LIST, table(rule, priority)?));
    }
    Ok(vec![if edits.is_empty() { Vec::new() } else { vec![file.edit(edits)] }])
}

/// New rules with priorities that put them between those above and below them. At the same priority
/// the one that comes later in our file is below.
fn prioritised<'a>(
    written: &[WrittenRule],
    priorities: &[i64],
    arranged: &Arranged<'a>,
) -> Result<Vec<(&'a NewRule, i64)>, Refusal> {
    let mut new = Vec::new();
    for one in &arranged.new {
        let place = place(written, one).map_err(|_| Refusal::NoEdit)?;
        new.push((place, one.1));
    }
    let mut all: Vec<(&NewRule, i64)> = Vec::new();
    for together in new.chunk_by(|one, next| one.0 == next.0) {
        let place = together[0].0;
        let above = place.checked_sub(1);
        let stays = |at: &usize| !arranged.gone.contains(at);
        let below = (place..priorities.len()).find(stays).map(|at| priorities[at]);
        let count = i64::try_from(together.len()).map_err(|_| Refusal::NoEdit)?;
        let highest = above.map_or(HIGHEST, |above| (priorities[above] - 1).min(HIGHEST));
        let lowest = below.map_or(0, |priority| priority + 1) + count - 1;
        let (mut next, step) = if lowest <= highest {
            (PRIORITY.clamp(lowest, highest), 1)
        } else {
            // There is no room but below the one above, later in its file.
            let own = |above: &usize| matches!(written[*above], WrittenRule::Own(..));
            let priority = above.filter(own).map(|above| priorities[above]);
            let priority = priority.filter(|priority| below.is_none_or(|below| below < *priority));
            (priority.ok_or(Refusal::NoEdit)?, 0)
        };
        for (_, rule) in together {
            all.push((rule, next));
            next -= step;
        }
    }
    Ok(all)
}

/// A rule as its table.
fn table(rule: &NewRule, priority: i64) -> Result<Entries, Refusal> {
    if rule.tool != Tool::SkillLoad {
        return Err(Refusal::Lacks("rules for the scripts of a skill"));
    }
    let mut entries = vec![entry("toolName", TOOL)];
    entries.extend(arguments(&rule.pattern)?.map(|pattern| entry("argsPattern", &*pattern)));
    entries.push(entry("decision", decision(rule.effect)));
    entries.push(entry("priority", priority));
    Ok(entries)
}

/// The `argsPattern` of a pattern; `None` for the whole tool.
fn arguments(pattern: &Pattern) -> Result<Option<String>, Refusal> {
    let (name, wild, end) = match pattern {
        Pattern::Any => return Ok(None),
        Pattern::Arguments(expression) => return Ok(Some(expression.text().to_owned())),
        Pattern::Exact(name) => (name, false, "\""),
        Pattern::Prefix(name) => (name, false, ""),
        Pattern::Glob(glob) => (glob, true, "\""),
    };
    let mut text = NAME.to_owned();
    for letter in name.chars() {
        match letter {
            '*' if wild => text.push_str(MANY),
            '?' if wild => text.push_str(ONE),
            _ if is_sign(letter) => text.extend(['\\', letter]),
            _ => text.push(letter),
        }
    }
    text.push_str(end);
    // It must mean the same when it is read again.
    let same = super::pattern(&text).as_ref() == Some(pattern);
    if same { Ok(Some(text)) } else { Err(Refusal::Lacks(SUCH_NAMES)) }
}
