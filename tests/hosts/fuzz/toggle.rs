//! One skill of a tree is switched off by our planner, and on again: the program must see exactly
//! that skill change, with those that the plan says change with it. What was written is then taken
//! back, byte for byte.

use super::agents::Fuzzed;
use super::compare::{ask, below, is_ours, key, workspace};
use super::tree::Tree;
use crate::env::TestEnv;
use crate::env::random::Random;
use skillpick::catalog::{Enablement, Permission};
use skillpick::hosts::Duplicates;
use skillpick::policy::change::{ChangeRequest, NewRule, Plan};
use skillpick::policy::{Entry, Layer, Pattern, Runs, Tool};
use skillpick::workspace::Workspace;
use skillpick::workspace::verify::{Finding, Row, Verified};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

pub(crate) enum Toggled {
    Right,
    /// There was nothing to switch, or our planner says why it cannot.
    Refused(String),
    /// What went wrong.
    Wrong(String),
}

/// What the program says of each skill that it lists: its state by its place.
type Seen = BTreeMap<String, Option<bool>>;

pub(crate) fn toggle(agent: &Fuzzed, tree: &Tree, seed: u64) -> Toggled {
    let random = &mut Random::new(seed ^ 0x70_67_67_6c_65);
    let env = tree.lay();
    let here = workspace(agent, &env, tree);
    let Ok(before) = ask(&here) else {
        return Toggled::Refused("the program says nothing".to_owned());
    };
    let Some((index, skill)) = choose(random, &env, &before) else {
        return Toggled::Refused("nothing is on".to_owned());
    };
    let layers = agent.host.control.layers;
    if layers.is_empty() {
        return Toggled::Refused("it has no switch".to_owned());
    }
    let layer = if random.chance(40) { None } else { Some(*random.pick(layers)) };
    let entry = before.view.rows.entry(index).unwrap();
    match there_and_back((&env, &here), &before, (entry, &skill, layer)) {
        Ok(()) => Toggled::Right,
        Err(Wrong::Refused(why)) => Toggled::Refused(format!("{skill}: {why}")),
        Err(Wrong::Seen(what)) => {
            Toggled::Wrong(format!("{skill} in {layer:?}: {what}\n{}", tree.listing()))
        }
    }
}

enum Wrong {
    Refused(String),
    Seen(String),
}

fn there_and_back(
    (env, here): (&TestEnv, &Workspace),
    before: &Verified,
    (entry, skill, layer): (&Entry, &str, Option<Layer>),
) -> Result<(), Wrong> {
    let at_first = seen(env, before);
    let mut kept: BTreeMap<PathBuf, Option<Vec<u8>>> = BTreeMap::new();
    for off in [true, false] {
        let here = here.reread();
        let view = here.view();
        let plan = here.plan(&view, &request(&here, entry, off), layer);
        let plan: Plan = plan.map_err(|error| match off {
            true => Wrong::Refused(error.shown().to_string()),
            false => Wrong::Seen(format!("it is not switched on again: {}", error.shown())),
        })?;
        // A tree without a repository lies in the one around the tests.
        if plan.files.iter().any(|file| !file.change.path.starts_with(&env.top)) {
            return Err(Wrong::Refused("it is written outside of the tree".to_owned()));
        }
        for file in &plan.files {
            let path = file.change.path.clone();
            kept.entry(path).or_insert_with_key(|path| fs::read(path).ok());
        }
        here.apply(&plan).map_err(|error| Wrong::Seen(error.shown().to_string()))?;
        let after = ask(&here.reread())
            .map_err(|error| Wrong::Seen(format!("{error}: {}", error.words())))?;
        let now = seen(env, &after);
        let keys: BTreeSet<&String> = at_first.keys().chain(now.keys()).collect();
        let changed: Vec<&str> = keys
            .into_iter()
            .filter(|key| at_first.get(*key) != now.get(*key))
            .map(String::as_str)
            .collect();
        let expected = if off { announced(env, before, &plan) } else { BTreeSet::new() };
        let has_skill = expected.contains(skill) == off;
        if !has_skill || !changed.iter().copied().eq(&expected) {
            let word = if off { "off" } else { "on again" };
            return Err(Wrong::Seen(format!("switched {word}, changed: {changed:?}")));
        }
    }
    while here.changes().is_ok_and(|changes| changes.iter().any(|kept| !kept.undone)) {
        here.undo().map_err(|error| Wrong::Seen(format!("it is not undone: {error:?}")))?;
    }
    match kept.iter().find(|(path, bytes)| fs::read(path).ok() != **bytes) {
        Some((path, _)) => Err(Wrong::Seen(format!("undo leaves {} otherwise", path.display()))),
        None => Ok(()),
    }
}

/// The keys of the skills that change by a plan: where a host ignores upper and lower case, one
/// switch applies to several names.
fn announced(env: &TestEnv, before: &Verified, plan: &Plan) -> BTreeSet<String> {
    let changes = |row: &&Row| {
        let entry = row.entry.and_then(|index| before.view.rows.entry(index));
        let path = entry.map(|entry| &entry.skill.path);
        row.finding == Finding::Same
            && plan.effects.iter().any(|effect| Some(&effect.skill.path) == path)
    };
    before.rows.iter().filter(changes).map(|row| place(env, before, row)).collect()
}

/// Hosts without a switch have rules.
fn request(here: &Workspace, entry: &Entry, off: bool) -> ChangeRequest {
    if here.host.control.switch.is_some() {
        let paths = vec![entry.skill.path.as_path().into()];
        let to = if off { Enablement::Off } else { Enablement::On };
        return ChangeRequest::Switch { paths, to };
    }
    let name = here.host.evaluation.name_of(&entry.skill).into_owned();
    ChangeRequest::Permit(NewRule {
        tool: Tool::SkillLoad,
        pattern: Pattern::Exact(name),
        effect: if off { Permission::Deny } else { Permission::Allow },
        runs: Runs::ANY,
        bound: None,
    })
}

/// A skill that both say is on; names that are hard to write come first in half of the trees.
fn choose(random: &mut Random, env: &TestEnv, verified: &Verified) -> Option<(usize, String)> {
    let rows = verified.rows.iter().filter(|row| row.finding == Finding::Same);
    let rows = rows.filter(|row| is_ours(env, row));
    let on = rows.filter_map(|row| {
        let entry = verified.view.rows.entry(row.entry?)?;
        let is_on = entry.state == Enablement::On && entry.verdict.model.value != Permission::Deny;
        let is_on = is_on && entry.verdict.user.value && entry.same_name == 1;
        is_on.then(|| (row.entry.unwrap(), place(env, verified, row), &row.name))
    });
    let on: Vec<_> = on.collect();
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let odd: Vec<_> =
        on.iter().filter(|(_, _, name)| !plain(name) || name.starts_with('-')).collect();
    let from: Vec<_> = if odd.is_empty() || random.chance(50) { on.iter().collect() } else { odd };
    if from.is_empty() {
        return None;
    }
    let (index, key, _) = random.pick(&from);
    Some((*index, key.clone()))
}

/// By what [`seen`] knows a skill.
fn place(env: &TestEnv, verified: &Verified, row: &Row) -> String {
    if has_places(verified) { key(env, row) } else { row.name.clone() }
}

/// Whether the program names places, and those of the same skills each time.
fn has_places(verified: &Verified) -> bool {
    let host = verified.view.host;
    host.probe.is_some_and(|probe| probe.paths) && host.duplicates != Duplicates::Random
}

/// What the program says, by places where it names them; of some a person may only call the name.
fn seen(env: &TestEnv, verified: &Verified) -> Seen {
    let has_places = has_places(verified);
    let own = verified.report.skills.iter().filter(|reported| !reported.bundled);
    let own = own.map(|reported| {
        let place = reported.path.as_deref().filter(|_| has_places).map(|path| below(env, path));
        (place.unwrap_or_else(|| reported.name.clone()), reported.enabled)
    });
    let callable = verified.report.callable.iter().map(|name| (name.clone(), None));
    callable.chain(own).collect()
}
