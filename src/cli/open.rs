//! Opens the workspace that the options name, and reports problems of its settings.

use super::{Exit, Failure, Place, find};
use crate::catalog::{HostId, NAMED_AND_MISSING, RootState, Scope, Severity};
use crate::config::{Config, Problem};
use crate::inert;
use crate::output::Out;
use crate::policy::HostReport;
use crate::text::SafeText;
use crate::workspace::verify::Patience;
use crate::workspace::{
    ALL, Start, StartError, View, Workspace, foremost_hosts, known_hosts, sum_of_words,
};
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};

/// Opens the workspace for a command. Broken user settings abort it (exit 2); a broken project file
/// is a warning.
pub(super) fn checked(
    place: &Place,
    roots: &[PathBuf],
    out: &mut Out,
) -> Result<Workspace, Failure> {
    let workspace = open(place, roots, None)?;
    check_settings(&workspace.config, out)?;
    if place.ask { asked(&workspace, out) } else { Ok(workspace) }
}

/// The workspace whose view has what the agents' programs say (`--ask`). Reports what came in one
/// line, and each program that did not answer.
pub(super) fn asked(workspace: &Workspace, out: &mut Out) -> Result<Workspace, Failure> {
    if let Some(why) = workspace.unaskable() {
        return Err(Failure::failed(inert!("--ask: {}", why)).coded("usage"));
    }
    if stderr().is_terminal() {
        out.say(match workspace.is_every() {
            true => inert!("asking the agents' own programs"),
            false => inert!("asking {}, in a copy of what it reads", workspace.host.name),
        });
    }
    let (workspace, asked) = workspace.ask_agents(None, &Patience::default());
    let silent = asked.iter().filter(|asked| asked.heard.is_err());
    silent.for_each(|asked| out.say(asked.words()));
    match sum_of_words(&asked) {
        Some(sum) => out.say(sum),
        None if asked.is_empty() => out.say("no agent on this machine can be asked what it sees"),
        None => {}
    }
    Ok(workspace)
}

/// Opens the workspace, also with broken settings.
pub(super) fn open(
    place: &Place,
    roots: &[PathBuf],
    format: Option<String>,
) -> Result<Workspace, Failure> {
    open_at(&place.start(roots, format))
}

/// Opens the workspace for the picker. If no host is named, it is chosen by what is installed.
pub(super) fn detecting(place: &Place, format: Option<String>) -> Result<Workspace, Failure> {
    open_at(&Start { detect: true, ..place.start(&[], format) })
}

fn open_at(start: &Start) -> Result<Workspace, Failure> {
    Workspace::open(start).map_err(|error| {
        let reason = error.to_string();
        Failure::failed(match &error {
            StartError::Directory { path, .. } if start.flags.directory.is_some() => {
                inert!("-C {}: {}", path, reason)
            }
            StartError::Directory { .. } => SafeText::line(&reason),
            StartError::Root { path, .. } => inert!("{}: {}", path, reason),
            StartError::Host { from, word, .. } => {
                let first = foremost_hosts();
                let more = known_hosts().len().saturating_sub(first.len());
                let known: Vec<SafeText> = first
                    .into_iter()
                    .map(|host| host.word())
                    .chain([ALL])
                    .map(SafeText::fixed)
                    .collect();
                let known = SafeText::join(&known, ", ");
                inert!(
                    "{} {}: {}; there are: {}, and {} more (skillpick hosts --all)",
                    *from,
                    word,
                    reason,
                    known,
                    more
                )
            }
        })
    })
}

/// Fails if the user settings are broken; warns if the project file is.
pub(super) fn check_settings(config: &Config, out: &mut Out) -> Result<(), Failure> {
    if config.user_broken() {
        let theirs = |problem: &&Problem| {
            let project = config.project.as_ref();
            problem.grave && !project.is_some_and(|file| file.problems.contains(problem))
        };
        let lines: Vec<SafeText> = config.problems().filter(theirs).flat_map(sentence).collect();
        return Err(Failure::Message { exit: Exit::Failed, code: "settings", lines });
    }
    let project = config.project.iter().flat_map(|file| &file.problems);
    for problem in project.filter(|problem| problem.grave) {
        out.warn(&sentence(problem));
    }
    Ok(())
}

/// The place and the message, then what to do.
pub(super) fn sentence(problem: &Problem) -> Vec<SafeText> {
    let message = SafeText::line(&problem.message);
    let first = match &problem.spot {
        Some(spot) => {
            inert!("{}:{}:{}: {}", spot.file, spot.line, spot.column, message)
        }
        None => message,
    };
    let help = (!problem.help.is_empty()).then(|| inert!("help: {}", problem.help));
    std::iter::once(first).chain(help).collect()
}

/// Reports every root that cannot be read. Says whether there is one.
///
/// # Errors
/// It was not read for want of file handles: nobody can rely on what was found.
pub(super) fn warn_about_roots(view: &View, out: &mut Out) -> Result<bool, Failure> {
    let mut failed = false;
    for report in view.roots.iter() {
        match &report.state {
            RootState::Failed(why) => {
                let told = inert!("{} cannot be read: {}", report.root.path, why);
                if report.state.lacks_handle() {
                    return Err(Failure::failed(told));
                }
                out.say(told);
                failed = true;
            }
            RootState::Missing if report.root.named => {
                out.say(inert!("warning: {}: {}", report.root.path, NAMED_AND_MISSING));
            }
            RootState::Missing | RootState::Read | RootState::Closed { .. } => {}
        }
    }
    Ok(failed)
}

/// Reports a project whose store cannot be read: what is used then is what was read last.
pub(super) fn warn_about_store(view: &View, out: &mut Out) {
    for report in view.roots.iter().filter(|report| report.root.scope == Scope::Project) {
        if let RootState::Failed(why) = &report.state {
            out.say(inert!("{} cannot be read: {}", report.root.path, why));
        }
    }
}

/// Reports a project that settings name and that is not used.
pub(super) fn warn_about_project(view: &View, out: &mut Out) {
    for report in view.roots.iter().filter(|report| report.root.scope == Scope::Project) {
        if let RootState::Closed { why, .. } = &report.state {
            out.say(inert!("warning: {} is not used: {}", report.root.path, *why));
        }
    }
}

/// Reports agents' settings that cannot be read, and folders that an agent does not search.
/// [`check_settings`] reports our own settings.
pub(super) fn warn_about_hosts(view: &View, out: &mut Out) {
    let mut reported = Vec::new();
    let agents =
        view.host_contexts.iter().filter(|host_context| host_context.host.id != HostId::AGENTS);
    for alarm in agents.flat_map(|host_context| &host_context.policy.alarms) {
        // Several agents may read one file.
        if !reported.contains(&alarm) {
            out.say(inert!("warning: {}:{}: {}", alarm.file, alarm.line, alarm.message));
            reported.push(alarm);
        }
    }
    for report in view.roots.iter().filter(|report| report.severity() == Some(Severity::Warning)) {
        if let RootState::Closed { why, .. } = &report.state {
            let host = report.root.host.word();
            out.say(inert!("warning: {} does not look into {}: {}", host, report.root.path, *why));
        }
    }
}

/// Reports that all skills are off, if they are: what follows is empty for no other reason.
/// Returns whether they are.
pub(super) fn warn_about_off(view: &View, out: &mut Out) -> bool {
    let Some(origin) = view.all_off() else { return false };
    let by = SafeText::line(origin.text());
    out.say(match origin.place() {
        Some((file, line)) => inert!("skills are switched off by {} ({}:{})", by, file, line),
        None => inert!("skills are switched off by {}", by),
    });
    true
}

/// Reports that there are no skills, and which folders were searched.
pub(super) fn report_no_skills(view: &View, out: &mut Out) {
    if warn_about_off(view, out) {
        return;
    }
    if view.roots.is_empty() {
        out.say("no skills: there is no folder to search");
        return;
    }
    out.say("no skills; these folders were searched:");
    for report in view.roots.iter() {
        let path = &report.root.path;
        let state = match report.state {
            RootState::Missing => missing(path),
            RootState::Closed { why, .. } => SafeText::line(why),
            RootState::Read => SafeText::fixed("empty"),
            RootState::Failed(_) => SafeText::fixed("cannot be read"),
        };
        out.add(inert!("{} ({})", path, state));
    }
}

/// That a folder is missing. If it is, or lies beneath, a link to nothing: where that leads.
fn missing(path: &Path) -> SafeText {
    let mut above = path.ancestors();
    match above.find_map(|link| Some((link, link.read_link().ok().filter(|_| !link.exists())?))) {
        Some((link, to)) if link == path => inert!("missing: it is a link to {}", to),
        Some((link, to)) => inert!("missing: {} is a link to {}", link, to),
        None => SafeText::fixed("missing"),
    }
}

/// Reports the agents that have skills where the view's agent has none.
pub(super) fn report_others(workspace: &Workspace, scope: Option<Scope>, out: &mut Out) {
    if workspace.is_every() {
        return;
    }
    let view = workspace.through_every().view();
    let is_meant = |index: &&u32| {
        let entry = view.rows.entry(**index as usize);
        entry.is_some_and(|entry| Workspace::admits(scope, entry.skill.scope))
    };
    let counted = |report: &HostReport| {
        let host = view.host_context(report.host)?.host;
        Some((host, report.found.iter().filter(is_meant).count())).filter(|(_, count)| *count > 0)
    };
    let others: Vec<_> = view.reports.iter().filter_map(counted).collect();
    let has = others.iter().map(|(host, count)| inert!("{} has {}", host.name, *count));
    let has = SafeText::join(has.collect::<Vec<_>>(), ", ");
    match *others {
        [] => {}
        [(host, _)] => out.say(inert!("{}: --host {}", has, host.id.word())),
        _ => out.say(inert!("{}; {}", has, find::EVERY)),
    }
}
