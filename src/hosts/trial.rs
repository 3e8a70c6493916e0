//! Hosts on trial, for the tests of their rows: what one sees in a house, and what changes do to its files.
#![cfg(test)]

use super::Host;
use crate::catalog::{Enablement, Permission, RootState, Scope};
use crate::policy::{Layer, Origin, Tool};
use crate::workspace::edit::{Aim, NewRule};
use crate::workspace::fixture::House;

/// A house with these skills in folders of their names, seen through a host from the repository's root.
pub(super) fn house(host: &'static Host, skills: &[&str]) -> House {
    let skills: Vec<(&str, &str)> = skills.iter().map(|place| (*place, place.rsplit('/').next().unwrap())).collect();
    House::with(&skills).through(host, &[], "repo")
}

fn below(house: &House, path: &std::path::Path) -> String {
    path.strip_prefix(&house.top).unwrap_or(path).to_str().unwrap().to_owned()
}

/// The roots in their order, as `scope folder`, those that are closed in brackets.
pub(super) fn roots(house: &House) -> Vec<String> {
    let roots = house.workspace.lenses[0].roots(&[]);
    let shown = |root: &crate::catalog::Root| {
        let scope = match root.scope {
            Scope::Repo => "repo",
            Scope::User => "user",
            Scope::System => "system",
        };
        let text = format!("{scope} {}", below(house, &root.path));
        if root.closed.is_some() { format!("[{text}]") } else { text }
    };
    roots.iter().map(shown).collect()
}

/// The skills that are found, as `name folder`, whether they are taken or not.
pub(super) fn found(house: &House) -> Vec<String> {
    let view = house.view();
    assert!(view.roots.iter().all(|root| !matches!(root.state, RootState::Failed(_))));
    let shown = |entry: &crate::policy::Entry| format!("{} {}", entry.skill.name, below(house, entry.skill.dir()));
    view.entries.iter().map(shown).collect()
}

/// The place in the view of the skill whose folder ends so.
fn index(house: &House, folder: &str) -> usize {
    let view = house.view();
    view.entries.iter().position(|entry| entry.skill.dir().ends_with(folder)).unwrap_or_else(|| panic!("{folder}"))
}

/// The verdict on the skill whose folder ends so: `listed model user`, and who says it.
pub(super) fn judged(house: &House, folder: &str) -> (String, String) {
    let view = house.view();
    let verdict = &view.entries[index(house, folder)].verdict;
    let user = if verdict.user.value { "yes" } else { "no" };
    let axes = format!("{} {} {user}", verdict.listed.value.word(), verdict.model.value.word());
    let by = match (&verdict.listed.origin, &verdict.model.origin) {
        (Origin::Default, by) | (by, _) => by,
    };
    let place = by.place().map(|(file, line)| format!("{}:{line} ", below(house, file))).unwrap_or_default();
    (axes, format!("{place}{}", by.text()))
}

pub(super) fn state(house: &House, folder: &str) -> Enablement {
    house.view().entries[index(house, folder)].state
}

/// The alarms, as `file:line message`.
pub(super) fn alarms(house: &House) -> Vec<String> {
    let alarms = &house.workspace.lenses[0].policy.alarms;
    alarms.iter().map(|alarm| format!("{}:{} {}", below(house, &alarm.file), alarm.line, alarm.message)).collect()
}

fn make(house: &mut House, aim: &Aim, layer: Option<Layer>) -> Result<usize, String> {
    let view = house.view();
    let plan = house.workspace.make(&view, aim, layer).map_err(|error| {
        let top = format!("{}/", house.top.display());
        error.to_string().replace(&top, "")
    })?;
    house.workspace = house.workspace.reread();
    Ok(plan.files.len())
}

/// Switches a skill and looks whether it is so then: how many files were written, or why not.
pub(super) fn switch(house: &mut House, folder: &str, to: Enablement, layer: Layer) -> Result<usize, String> {
    let written = make(house, &Aim::Switch { entries: vec![index(house, folder)], to }, Some(layer))?;
    let far = house.workspace.host.control.states.iter().copied().max().unwrap();
    assert_eq!(state(house, folder), if to == Enablement::Off { far } else { to });
    Ok(written)
}

fn rule(house: &House, (effect, pattern): (Permission, &str)) -> NewRule {
    let pattern = house.workspace.host.evaluation.pattern(pattern).unwrap();
    NewRule { tool: Tool::SkillLoad, pattern, effect }
}

/// Makes a rule hold.
pub(super) fn permit(house: &mut House, new: (Permission, &str), layer: Layer) -> Result<usize, String> {
    let aim = Aim::Permit(rule(house, new));
    make(house, &aim, Some(layer))
}

/// Makes a layer's rules exactly these.
pub(super) fn set_rules(house: &mut House, rules: &[(Permission, &str)], layer: Layer) -> Result<usize, String> {
    let rules = rules.iter().map(|new| rule(house, *new)).collect();
    make(house, &Aim::SetRules(vec![(layer, rules)]), None)
}
