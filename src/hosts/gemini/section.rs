//! The section `skills` of its settings, as Gemini CLI joins it over its files (`deepMerge.ts`) and
//! takes its values. Tried with its program.

use crate::hosts::shapes::{self, SETTINGS};
use crate::hosts::{Reading, SettingsFile};
use crate::policy::{Policy, Ruling};
use crate::settings::{Kind, Node};

/// Every name in the list `disabled` is off, and `enabled` is the switch of all skills.
pub(super) fn rulings(reading: &Reading, policy: &mut Policy) {
    let sections = sections(reading);
    for (file, section) in &sections {
        if let Some(disabled) = section.get("disabled") {
            names_off(file, disabled, policy);
        }
    }
    let highest = sections.iter().rev();
    let enabled =
        highest.filter_map(|(file, section)| Some((file, section.get("enabled")?))).next();
    if let Some((file, node)) = enabled {
        let on = is_on(node);
        let origin = file.origin(node.line, format_args!("skills.enabled = {on}"));
        policy.skills_enabled = Ruling::new(on, origin);
    }
}

/// The section in each file, lower layers first. What is no section takes the place of those below.
fn sections(reading: &Reading) -> Vec<(&SettingsFile, &Node)> {
    let mut counted = Vec::new();
    for file in reading.of_role(SETTINGS) {
        match file.at(&["skills"]) {
            Some(node) if matches!(node.kind, Kind::Table(_)) => counted.push((file, node)),
            Some(_) => counted.clear(),
            None => {}
        }
    }
    counted
}

/// The list, which is joined over all files; one name may stand for a list of it. At anything else
/// Gemini stops, so everything is denied.
fn names_off(file: &SettingsFile, disabled: &Node, policy: &mut Policy) {
    let names = match &disabled.kind {
        Kind::List(items) => items.as_slice(),
        _ => std::slice::from_ref(disabled),
    };
    if let Some(other) = names.iter().find(|name| name.text().is_none()) {
        file.deny_all(policy, other.line, "skills.disabled is no list of texts");
        return;
    }
    let off = names.iter().filter_map(|name| Some((name.text()?, name.line)));
    let switches = off.map(|(name, line)| shapes::off(file, super::DISABLED, name, line));
    policy.switches.extend(switches);
}

/// What it makes of a value: what JavaScript takes for true, but a text that says false. `null` is
/// as if it were not there.
fn is_on(node: &Node) -> bool {
    match &node.kind {
        Kind::Flag(on) => *on,
        Kind::Number(number) => number.parse::<f64>().is_ok_and(|number| number != 0.0),
        Kind::Text(text) => !text.is_empty() && !text.eq_ignore_ascii_case("false"),
        Kind::Null | Kind::List(_) | Kind::Table(_) => true,
    }
}
