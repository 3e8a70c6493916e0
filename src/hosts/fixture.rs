#![cfg(test)]
//! Looking through a host in a house, in words: for the tests of hosts.

use crate::catalog::{Enablement, Permission};
use crate::config::NewRule;
use crate::policy::{Origin, Pattern, Tool};
use crate::workspace::edit::Aim;
use crate::workspace::fixture::House;

pub(super) use crate::policy::Layer::{Project, User};

/// The roots, each as its path in the house and its scope; with why it is closed.
pub(super) fn roots(house: &House) -> Vec<String> {
    let top = house.top.to_str().unwrap();
    let say = |root: &crate::catalog::Root| {
        let path = root.path.to_str().unwrap();
        let path = path.strip_prefix(top).map_or(path, |below| below.trim_start_matches('/'));
        let closed = root.closed.map(|why| format!(", {why}")).unwrap_or_default();
        format!("{path} {}{closed}", root.scope.word())
    };
    house.workspace.roots().iter().map(say).collect()
}

/// The roots in the house alone, without those above it.
pub(super) fn roots_inside(house: &House) -> Vec<String> {
    roots(house).into_iter().filter(|root| !root.starts_with('/')).collect()
}

/// Every skill by its name: how far on it is, what the model may do, and who says so.
pub(super) fn seen(house: &House) -> Vec<String> {
    let view = house.view();
    let say = |entry: &crate::policy::Entry| {
        let name = &entry.skill.name;
        if let Some(check) = entry.refused {
            return format!("{name} refused {}", check.code);
        }
        let verdict = &entry.verdict;
        let origin = if verdict.enabled() { &verdict.model.origin } else { &verdict.listed.origin };
        let by = who(house, origin);
        format!("{name} {} {} {} {by}", entry.state.word(), verdict.listed.value.word(), verdict.model.value.word())
    };
    view.entries.iter().map(say).collect()
}

fn who(house: &House, origin: &Origin) -> String {
    let top = format!("{}/", house.top.display());
    match (origin.place(), origin) {
        (Some((file, line)), _) => format!("{}:{line}", file.display().to_string().trim_start_matches(&top)),
        (None, Origin::Shadowed(by)) => format!("by {}", by.display().to_string().trim_start_matches(&top)),
        (None, other) => other.text().to_owned(),
    }
}

/// That the skill of this name is so far on.
pub(super) fn switch(house: &House, name: &str, to: Enablement) -> Aim {
    let view = house.view();
    let named = view.entries.iter().enumerate().filter(|(_, entry)| entry.skill.name == name);
    Aim::Switch { entries: named.map(|(at, _)| at).collect(), to }
}

/// A rule about loading.
pub(super) fn rule(effect: Permission, pattern: &str) -> NewRule {
    NewRule { effect, tool: Tool::SkillLoad, pattern: Pattern::read(pattern).unwrap() }
}

/// Plans, writes and judges again; the sentence where nothing is done. What the plan says it would do must be so.
pub(super) fn make(house: &mut House, aim: &Aim, place: Option<crate::policy::Layer>) -> Result<(), String> {
    let view = house.view();
    let plan = house
        .workspace
        .plan(&view, aim, place)
        .map_err(|error| error.to_string().replace(&format!("{}/", house.top.display()), ""))?;
    house.workspace.apply(&plan).unwrap();
    house.workspace = house.workspace.reread();
    let after = house.view();
    for effect in &plan.effects {
        let entry = after.entries.iter().find(|entry| entry.skill.path == effect.skill.path).unwrap();
        assert_eq!(entry.verdict.model.value, effect.after.model.value, "{}", entry.skill.name);
        assert_eq!(entry.verdict.listed.value, effect.after.listed.value, "{}", entry.skill.name);
    }
    Ok(())
}

/// A settings file before and after a change.
pub(super) struct Golden<'a> {
    /// The file, below the house.
    pub(super) file: &'a str,
    /// Whose file is asked for.
    pub(super) place: Option<crate::policy::Layer>,
    /// What stands in it; nothing for no file.
    pub(super) before: &'a str,
    /// What shall stand in it.
    pub(super) after: &'a str,
}

impl Golden<'_> {
    /// Writes the file, makes the change and compares; then takes the change back.
    #[track_caller]
    pub(super) fn check(&self, house: &mut House, aim: impl Fn(&House) -> Aim) {
        if !self.before.is_empty() {
            house.write(self.file, self.before);
        }
        let wanted = aim(house);
        make(house, &wanted, self.place).unwrap_or_else(|refused| panic!("{refused}: {}", self.before));
        assert_eq!(house.read(self.file), self.after);
        if self.before != self.after {
            house.workspace.undo().unwrap();
        }
        let _ = std::fs::remove_file(house.top.join(self.file));
        house.workspace = house.workspace.reread();
    }
}
