//! Our view of a tree held against what the agent's program says of it.

use super::agents::Fuzzed;
use super::tree::Tree;
use crate::agent::{count, programs};
use crate::env::TestEnv;
use skillpick::catalog::{Permission, Scope};
use skillpick::files::child;
use skillpick::hosts::Context;
use skillpick::policy::Rule;
use skillpick::workspace::Workspace;
use skillpick::workspace::verify::{Asking, Finding, Patience, Row, Verified, VerifyError};
use std::path::Path;

/// A skill of which the two say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The skill's path from the test's folder, or its name.
    pub(crate) skill: String,
    pub(crate) what: String,
}

impl Difference {
    /// What is different, without what differs from tree to tree.
    pub(crate) fn class(&self) -> String {
        let unquoted = self.what.split('"').step_by(2).collect::<String>();
        let words = unquoted.split(' ').filter(|word| !word.contains("name-"));
        words.collect::<Vec<_>>().join(" ")
    }
}

#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) skills: usize,
    pub(crate) differences: Vec<Difference>,
}

/// The place as the agent's program would see it.
pub(crate) fn workspace(agent: &Fuzzed, env: &TestEnv, tree: &Tree) -> Workspace {
    let path =
        std::env::join_paths([programs().as_path(), Path::new("/usr/bin"), Path::new("/bin")]);
    let home = env.at("home");
    let plain = child::environment(&home, &path.unwrap());
    let mut environment: std::collections::BTreeMap<_, _> =
        plain.into_iter().map(|(name, value)| (name.into_string().unwrap(), value)).collect();
    environment.insert("TMPDIR".to_owned(), env.at("tmp").into());
    for (name, value) in &tree.variables {
        environment.insert(name.clone(), Tree::filled(env, value).into());
    }
    let context = Context::at(&env.at(&tree.folder), Some(home), environment);
    Workspace::within(agent.host, context, Some(env.at("state")))
}

/// Asks the program, in the place itself: everything there is made for it.
pub(crate) fn ask(workspace: &Workspace) -> Result<Verified, VerifyError> {
    let told = &mut |_: &_| count();
    workspace.verify(
        &workspace.host_contexts[0],
        Asking { live: true, patience: Patience::default(), told },
    )
}

/// Lays a tree out, and compares.
pub(crate) fn compare(agent: &Fuzzed, tree: &Tree) -> Outcome {
    let env = tree.lay();
    let workspace = workspace(agent, &env, tree);
    outcome(&env, &workspace, &ask(&workspace))
}

pub(crate) fn outcome(
    env: &TestEnv,
    workspace: &Workspace,
    asked: &Result<Verified, VerifyError>,
) -> Outcome {
    match asked {
        Ok(verified) => {
            let rows = verified.rows.iter().filter(|row| is_ours(env, row));
            let rows: Vec<&Row> =
                rows.filter(|row| !matches!(row.finding, Finding::Unknown(_))).collect();
            let differing = rows.iter().filter(|row| row.finding.is_difference());
            let differences = differing
                .map(|row| (key(env, row), what(verified, row).replace(&env.text(""), "@TOP@/")))
                .map(|(skill, what)| Difference { skill, what })
                .collect();
            Outcome { skills: rows.len(), differences }
        }
        Err(error) => mute(env, workspace, error),
    }
}

/// A program that says nothing shows nothing: so must we.
fn mute(env: &TestEnv, workspace: &Workspace, error: &VerifyError) -> Outcome {
    let view = workspace.view();
    let own = view.rows.entries().filter(|entry| entry.skill.scope != Scope::System);
    let taken: Vec<_> = own.filter(|entry| entry.taken()).collect();
    let words = error.words().replace(&env.text(""), "@TOP@/");
    let said = words.lines().find(|line| line.to_lowercase().contains("error"));
    let said = said.unwrap_or_else(|| words.lines().next().unwrap_or_default());
    let said: String = said.chars().take(120).collect();
    // Broken settings deny; a skill that denies itself to the model says so first.
    let denies_all = view.policy.rules.iter().any(Rule::is_alarm);
    let shown =
        taken.iter().filter(|entry| !(entry.verdict.model.value == Permission::Deny && denies_all));
    let differences = shown
        .map(|entry| Difference {
            skill: below(env, &entry.skill.path),
            what: format!("the program shows nothing ({error}: {said})"),
        })
        .collect();
    Outcome { skills: taken.len().max(1), differences }
}

/// Amp and others look above the test's folder, and an agent's own skills lie in its package; what
/// they see there is none of ours.
pub(crate) fn is_ours(env: &TestEnv, row: &Row) -> bool {
    row.path.as_ref().is_none_or(|path| path.starts_with(&env.top))
}

pub(crate) fn below(env: &TestEnv, path: &Path) -> String {
    path.strip_prefix(&env.top).unwrap_or(path).to_string_lossy().into_owned()
}

pub(crate) fn key(env: &TestEnv, row: &Row) -> String {
    row.path.as_ref().map_or_else(|| row.name.clone(), |path| below(env, path))
}

/// What differs, with our reason where we do not list a skill.
fn what(verified: &Verified, row: &Row) -> String {
    let entry = row.entry.and_then(|index| verified.view.rows.entry(index));
    match (&row.finding, entry) {
        (Finding::OnlyTheirs, Some(entry)) => match (entry.refused, &entry.shadowed_by) {
            (Some(check), _) => format!("we refuse it ({}), the program lists it", check.code),
            (None, Some(_)) => "we take another one of its name, the program this one".to_owned(),
            (None, None) => "we do not take it, the program lists it".to_owned(),
        },
        (Finding::OnlyTheirs, None) => "we do not find it, the program lists it".to_owned(),
        (Finding::OnlyOurs, entry) => {
            let codes = entry.iter().flat_map(|entry| &entry.skill.diagnostics);
            let codes: Vec<_> = codes.map(|found| found.check.code).collect();
            format!("we list it, the program does not (findings: {})", codes.join(" "))
        }
        (Finding::Named(theirs), _) => {
            format!("the name is {:?} to us, {theirs:?} there", row.name)
        }
        (Finding::Described(theirs), Some(entry)) => {
            let ours = verified.view.policy.order.description_of(&entry.skill);
            format!("the description is {ours:?} to us, {theirs:?} there")
        }
        (Finding::Differs { ours, .. }, Some(entry)) => {
            let state = if *ours { "on" } else { "off" };
            format!("it is {state} to us ({}), not there", entry.decider().shown())
        }
        (finding, _) => format!("{finding:?}"),
    }
}
