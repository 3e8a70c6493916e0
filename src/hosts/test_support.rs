//! For the tests of the hosts: what a host sees in a test environment, in words, and what changes
//! do to its files.
#![cfg(test)]

use super::Host;
use crate::catalog::{Enablement, Head, HeadReader, HostHead, Permission, Root, RootState};
use crate::policy::{Entry, Origin, Pattern, Runs, Tool};
use crate::workspace::edit::{ChangeRequest, NewRule};
use crate::workspace::fixture::{self, TestWorkspace};
use std::path::Path;

pub(super) use crate::policy::Layer::{self, Project, User};

/// Skills in folders of their names, seen through a host from the repository's root.
pub(super) fn test(host: &'static Host, skills: &[&str]) -> TestWorkspace {
    let skills: Vec<(&str, &str)> =
        skills.iter().map(|place| (*place, place.rsplit('/').next().unwrap())).collect();
    TestWorkspace::with(&skills).through(host, &[], "repo")
}

fn below(test: &TestWorkspace, path: &Path) -> String {
    path.strip_prefix(&test.env.top).unwrap_or(path).to_str().unwrap().to_owned()
}

/// The roots in their order: path, scope and, if the root is closed, the reason.
pub(super) fn roots(test: &TestWorkspace) -> Vec<String> {
    let say = |root: &Root| {
        let closed = root.closed.map(|why| format!(", {why}")).unwrap_or_default();
        format!("{} {}{closed}", below(test, &root.path), root.scope.word())
    };
    test.workspace.host_contexts[0].roots(&[]).iter().map(say).collect()
}

/// Only the roots in the temporary folder.
pub(super) fn roots_inside(test: &TestWorkspace) -> Vec<String> {
    roots(test).into_iter().filter(|root| !root.starts_with('/')).collect()
}

/// Every skill: its name, its state, what the model sees and may do, and what decided.
pub(super) fn seen(test: &TestWorkspace) -> Vec<String> {
    let view = test.view();
    assert!(view.roots.iter().all(|root| !matches!(root.state, RootState::Failed(_))));
    let say = |entry: &Entry| {
        let (name, verdict) = (&entry.skill.name, &entry.verdict);
        if let Some(check) = entry.refused {
            return format!("{name} refused {}", check.code);
        }
        let decided =
            if verdict.enabled() { &verdict.model.origin } else { &verdict.listed.origin };
        let by = match decided {
            Origin::Shadowed(winner) => format!("by {}", below(test, winner)),
            origin => place(test, origin).unwrap_or_else(|| origin.text().to_owned()),
        };
        format!(
            "{name} {} {} {} {by}",
            entry.state.word(),
            verdict.listed.value.word(),
            verdict.model.value.word()
        )
    };
    view.rows.entries().map(say).collect()
}

fn place(test: &TestWorkspace, origin: &Origin) -> Option<String> {
    origin.place().map(|(file, line)| format!("{}:{line}", below(test, file)))
}

/// The index in the view of the skill whose folder has this ending.
pub(super) fn index(test: &TestWorkspace, folder: &str) -> usize {
    let view = test.view();
    view.rows
        .entries()
        .position(|entry| entry.skill.dir().ends_with(folder))
        .unwrap_or_else(|| panic!("{folder}"))
}

/// The verdict on the skill whose folder has this ending: `listed model user`, and what decided.
pub(super) fn judged(test: &TestWorkspace, folder: &str) -> (String, String) {
    let view = test.view();
    let verdict = &view.rows[index(test, folder)].entry.verdict;
    let user = if verdict.user.value { "yes" } else { "no" };
    let axes = format!("{} {} {user}", verdict.listed.value.word(), verdict.model.value.word());
    let origin = match (&verdict.listed.origin, &verdict.model.origin) {
        (Origin::Default, by) | (by, _) => by,
    };
    let place = place(test, origin).map(|place| format!("{place} ")).unwrap_or_default();
    (axes, format!("{place}{}", origin.text()))
}

pub(super) fn state(test: &TestWorkspace, folder: &str) -> Enablement {
    test.view().rows[index(test, folder)].entry.state
}

/// The alarms, as `file:line message`.
pub(super) fn alarms(test: &TestWorkspace) -> Vec<String> {
    let alarms = &test.workspace.host_contexts[0].policy.alarms;
    alarms
        .iter()
        .map(|alarm| format!("{}:{} {}", below(test, &alarm.file), alarm.line, alarm.message))
        .collect()
}

/// Plans, writes and judges again. Returns how many files were written, or the refusal. The result
/// must be what the plan announced.
fn make(
    test: &mut TestWorkspace,
    request: &ChangeRequest,
    layer: Option<Layer>,
) -> Result<usize, String> {
    let shown = |error: &dyn ToString, test: &TestWorkspace| {
        error.to_string().replace(&format!("{}/", test.env.top.display()), "")
    };
    let plan =
        test.workspace.plan(&test.view(), request, layer).map_err(|error| shown(&error, test))?;
    test.workspace.apply(&plan).unwrap();
    test.workspace = test.workspace.reread();
    let after = test.view();
    for effect in &plan.effects {
        let Some(entry) = after.rows.at(&effect.skill.path).map(|row| &row.entry) else {
            assert!(!after.policy.skills_enabled.value, "where all are off none is looked for");
            continue;
        };
        assert_eq!(entry.verdict.model.value, effect.after.model.value, "{}", entry.skill.name);
        assert_eq!(entry.verdict.listed.value, effect.after.listed.value, "{}", entry.skill.name);
        assert_eq!(entry.state, effect.states.1, "{}", entry.skill.name);
    }
    Ok(plan.files.len())
}

/// Switches the skill whose folder has this ending, in this layer's file or in the default one, and
/// checks the new state.
pub(super) fn switch(
    test: &mut TestWorkspace,
    folder: &str,
    to: Enablement,
    layer: impl Into<Option<Layer>>,
) -> Result<usize, String> {
    let request = fixture::switch(&test.view(), &[index(test, folder)], to);
    let written = make(test, &request, layer.into())?;
    let far = test.workspace.host.control.states.iter().copied().max().unwrap();
    let wanted = if to == Enablement::Off { far } else { to };
    // If all skills are off, none is looked for.
    if test.view().policy.skills_enabled.value || wanted != Enablement::Off {
        assert_eq!(state(test, folder), wanted);
    }
    Ok(written)
}

/// A rule about loading: the pattern in the host's syntax, or in ours if the host has none for it.
fn rule(test: &TestWorkspace, effect: Permission, pattern: &str) -> NewRule {
    let own = test.workspace.host.evaluation.forms.read(pattern);
    let pattern = own.or_else(|_| Pattern::read(pattern)).unwrap();
    NewRule { tool: Tool::SkillLoad, pattern, effect, runs: Runs::ANY, bound: None }
}

pub(super) fn permit(
    test: &mut TestWorkspace,
    effect: Permission,
    pattern: &str,
    layer: impl Into<Option<Layer>>,
) -> Result<usize, String> {
    let request = ChangeRequest::Permit(rule(test, effect, pattern));
    make(test, &request, layer.into())
}

/// Replaces a layer's rules with these.
pub(super) fn set_rules(
    test: &mut TestWorkspace,
    rules: &[(Permission, &str)],
    layer: Layer,
) -> Result<usize, String> {
    let rules = rules.iter().map(|(effect, pattern)| rule(test, *effect, pattern)).collect();
    make(test, &ChangeRequest::SetRules(vec![(layer, rules)]), None)
}

/// A settings file before and after a change.
pub(super) struct Golden<'a> {
    /// Relative to the temporary folder.
    pub(super) file: &'a str,
    /// The layer to change.
    pub(super) place: Option<Layer>,
    /// Empty for no file.
    pub(super) before: &'a str,
    pub(super) after: &'a str,
}

impl Golden<'_> {
    /// Writes the file, makes the change, compares, and undoes the change.
    #[track_caller]
    pub(super) fn check(
        &self,
        test: &mut TestWorkspace,
        change: impl Fn(&mut TestWorkspace, Option<Layer>) -> Result<usize, String>,
    ) {
        if !self.before.is_empty() {
            test.write(self.file, self.before);
        }
        change(test, self.place).unwrap_or_else(|refused| panic!("{refused}: {}", self.before));
        assert_eq!(test.read(self.file), self.after);
        if self.before != self.after {
            test.workspace.undo().unwrap();
        }
        let _ = std::fs::remove_file(test.env.top.join(self.file));
        test.workspace = test.workspace.reread();
    }
}

/// The name and description that a reader takes from a file; `None` if it refuses it.
pub(super) fn taken(reader: &HeadReader, file: &str) -> Option<(String, String)> {
    match (reader.read)(&Head::new(file.as_bytes()), "folder") {
        HostHead::Refused | HostHead::BlocksName { .. } => None,
        HostHead::Read { name, description } => Some((name, description)),
    }
}

/// A file with this frontmatter, and `Body` below it.
fn with_body(yaml: &str) -> String {
    format!("---\n{yaml}\n---\nBody\n")
}

/// A reader takes the name and description behind each frontmatter.
pub(super) fn reads(reader: &HeadReader, rows: &[(&str, &str, &str)]) {
    for (yaml, name, description) in rows {
        let wanted = Some(((*name).to_owned(), (*description).to_owned()));
        assert_eq!(taken(reader, &with_body(yaml)), wanted, "{yaml:?}");
    }
}

/// A reader refuses each frontmatter.
pub(super) fn refuses(reader: &HeadReader, rows: &[&str]) {
    for yaml in rows {
        assert_eq!(taken(reader, &with_body(yaml)), None, "{yaml:?}");
    }
}

/// A reader takes the files with `true`, and refuses the others.
pub(super) fn finds_frontmatter(reader: &HeadReader, rows: &[(String, bool)]) {
    for (file, wanted) in rows {
        assert_eq!(taken(reader, file).is_some(), *wanted, "{file:?}");
    }
}
