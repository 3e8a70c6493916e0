//! `--emit launch`: prints the command line of a session in which skills are off.

use super::{Exit, Failure};
use crate::catalog::{Enablement, Skill};
use crate::inert;
use crate::output::Out;
use crate::output::change::{LaunchDocument, LaunchRow};
use crate::policy::HostReport;
use crate::text::SafeText;
use crate::text::shell;
use crate::workspace::View;
use std::sync::Arc;

/// Prints the command line for the view's host. In a view through all hosts, it prints one for each
/// that sees the skills and has such an option.
pub(super) fn emit(
    view: &View,
    entries: &[usize],
    to: Enablement,
    json: bool,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if to != Enablement::Off {
        return Err(Failure::failed("the command line of a session can only switch skills off"));
    }
    let mut lines = Vec::new();
    let mut left_out = Vec::new();
    for (place, host_context) in view.host_contexts.iter().enumerate() {
        let skills = entries.iter().filter_map(|index| met(view, view.reports.get(place), *index));
        let names: Vec<_> = skills.map(|skill| host_context.policy.order.name_of(skill)).collect();
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        if let Some(name) = names.iter().find(|name| !shell::is_plain(name)) {
            let why = "the name holds what a command line cannot carry safely";
            return Err(Failure::failed(inert!(
                "{}: {}; switch it off in a settings file",
                name,
                why
            )));
        }
        let line = host_context.host.control.launch.filter(|_| !names.is_empty());
        match line.and_then(|line| line(&host_context.reading, &names)) {
            Some(line) => lines.push(LaunchRow { host: host_context.host.id.word(), line }),
            None => left_out.push(host_context.host.name),
        }
    }
    if lines.is_empty() {
        let hosts: Vec<SafeText> = left_out.iter().map(|name| SafeText::fixed(name)).collect();
        let names = SafeText::join(&hosts, ", ");
        let failure = Failure::failed(inert!(
            "{}: no option of its program would switch this off for one session here",
            names
        ));
        return Err(
            failure.with("without --emit launch its settings file is changed; `undo` reverts it")
        );
    }
    for entry in
        entries.iter().map(|index| &view.rows[*index].entry).filter(|entry| entry.same_name > 1)
    {
        let others = entry.same_name;
        out.say(inert!(
            "warning: {} skills are named {}; the line switches off all of them",
            others,
            entry.skill.name
        ));
    }
    if json {
        out.json(&LaunchDocument::of(lines))?;
    } else {
        for row in &lines {
            out.line(&row.line)?;
        }
    }
    for name in left_out.iter().filter(|_| view.host_contexts.len() > 1) {
        out.say(inert!("{} is left out: it has no such option, or does not see the skill", *name));
    }
    Ok(Exit::Done)
}

/// The skill at the path where this host finds it. In a view through all hosts, none if the host
/// does not take it.
fn met<'v>(view: &'v View, report: Option<&'v HostReport>, index: usize) -> Option<&'v Arc<Skill>> {
    let skill = &view.rows.entry(index)?.skill;
    let Some(report) = report else { return Some(skill) };
    let place = u32::try_from(index).ok()?;
    report.status(place, skill).verdict().map(|_| report.as_found(place, skill))
}
