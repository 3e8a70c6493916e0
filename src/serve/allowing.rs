//! How a person allows for good what a rule asks for or denies, in words for whoever cannot ask: a
//! command, which is planned before it is told of, or why no command would help and what decides
//! instead. Nothing is written here.

use crate::catalog::{HostId, Permission, Skill};
use crate::inert;
use crate::output::shell;
use crate::policy::{Pattern, Policy, Runs, ScriptPath, Tool};
use crate::runtime::{CallContext, Launch};
use crate::sandbox::Consent;
use crate::text::SafeText;
use crate::workspace::edit::{Aim, ChangeError, NewRule};

/// The rule that allows loading this skill, by the name that it has there.
pub(super) fn rule(policy: &Policy, skill: &Skill) -> NewRule {
    let pattern = Pattern::Exact(policy.order.name_of(skill).into_owned());
    NewRule { effect: Permission::Allow, tool: Tool::SkillLoad, pattern, runs: Runs::ANY }
}

/// Why a rule is not written, in a sentence.
pub(super) fn reason(error: &ChangeError) -> String {
    let reason = SafeText::line(&error.to_string());
    error
        .path()
        .map_or_else(|| reason.to_string(), |path| format!("{}: {reason}", SafeText::path(path)))
}

/// How loading this skill is allowed; `shown` is what it is called.
pub(super) fn loading(caller: &CallContext<'_>, skill: &Skill, shown: &SafeText) -> String {
    let planned =
        caller.workspace.plan(caller.view, &Aim::Permit(rule(&caller.view.policy, skill)), None);
    planned.map_or_else(|error| by_hand(&error), |_| command(caller, shown).to_string())
}

/// The command by which loading is allowed, where nothing stands in its way.
pub(super) fn command(caller: &CallContext<'_>, shown: &SafeText) -> SafeText {
    let host = caller
        .workspace
        .told_host()
        .map(|host| inert!(" --host {}", shell::word(&SafeText::line(host))));
    inert!("skillpick permit allow {}{}", shell::word(shown), host.unwrap_or_default())
}

fn by_hand(error: &ChangeError) -> String {
    format!("change the settings by hand, since {}", reason(error))
}

/// The same for the script of a run, or, where no rule can name it, for all of its skill.
pub(super) fn running(caller: &CallContext<'_>, launch: &Launch) -> String {
    let route = launch.prepared.route();
    let exact = route.as_ref().and_then(|route| route.real.to_str()).map(ScriptPath::read);
    let script = exact.and_then(Result::ok).filter(|script| matches!(script, ScriptPath::Exact(_)));
    // No rule allows a run with variables of the caller's.
    let plain =
        if Consent::to(&launch.prepared).environment.is_empty() { "" } else { " without `env`" };
    let (what, path) = match &script {
        Some(script) => {
            let path = shell::word(&SafeText::line(&script.text()));
            (format!("this script{plain} for good"), inert!(" --path {}", path))
        }
        None => (format!("the scripts of this skill{plain} for good"), SafeText::default()),
    };
    let CallContext { workspace, view, .. } = caller;
    if workspace.host.id != HostId::AGENTS {
        return by_terminal(&format!("where skills are seen through {}", workspace.host.name));
    }
    let runs = Runs { script, arguments: None };
    let rule = NewRule { tool: Tool::SkillScript, runs, ..rule(&view.policy, &launch.skill) };
    match workspace.plan(view, &Aim::Permit(rule), None) {
        Err(error) => format!("{what}: {}", by_hand(&error)),
        Ok(plan) if plan.files.is_empty() => {
            by_terminal("with what it has besides (`env`, `workdir`)")
        }
        Ok(_) => {
            format!(
                "{what}: {} --script{path}",
                command(caller, &SafeText::line(&launch.skill.name))
            )
        }
    }
}

/// What is left where no rule allows a run: a yes to exactly this one.
fn by_terminal(where_not: &str) -> String {
    format!(
        "this run for good: no rule can {where_not}; `skillpick run` asks in a terminal, and remembers *always*"
    )
}
