//! How a person can always allow what a rule asks for or denies: a command, or why no command would
//! help. The change is planned before the command is shown, but nothing is written here.

use super::{CallContext, Launch};
use crate::catalog::{HostId, Permission, Skill};
use crate::inert;
use crate::policy::{
    Bound, NO_COMMAND, Origin, Pattern, Policy, Runs, ScriptPath, Shortfall, Tool,
};
use crate::text::{SafeText, shell};
use crate::workspace::View;
use crate::workspace::edit::{ChangeError, ChangeRequest, NewRule};

/// The rule that allows loading this skill: bound to its files with this digest, or by its name in
/// the host if the host's rules go by name.
pub fn rule(policy: &Policy, skill: &Skill, digest: Option<String>) -> NewRule {
    let pattern = Pattern::Exact(policy.order.name_of(skill).into_owned());
    let bound = Bound { path: skill.path.clone(), digest };
    NewRule {
        effect: Permission::Allow,
        tool: Tool::SkillLoad,
        pattern,
        runs: Runs::ANY,
        bound: policy.order.bound.then_some(bound),
    }
}

/// Why no rule of this host can allow this skill: its rules go by name.
pub fn beyond_names(view: &View, skill: &Skill) -> Option<SafeText> {
    let beyond = !view.policy.order.bound && skill.is_brought();
    beyond.then(|| {
        inert!(
            "the rules of {} go by name, and a name alone allows nothing that a repository brings",
            view.host.name
        )
    })
}

/// Why an allow rule for this name does not allow loading this skill.
pub fn shortfall(caller: &CallContext<'_>, skill: &Skill) -> Option<Shortfall> {
    caller.policy_now(skill).shortfall(Tool::SkillLoad, skill, None)
}

/// How a person allows loading this skill.
pub fn loading(caller: &CallContext<'_>, skill: &Skill) -> SafeText {
    if !caller.workspace.reader.is_owner() {
        return SafeText::fixed(NO_COMMAND);
    }
    if is_by_ours(caller, skill) {
        return SafeText::fixed("change that rule, which is yours and holds for every agent");
    }
    let handed = caller.by_path(&skill.path).map(|entry| &entry.handed);
    let denied = handed.filter(|handed| handed.value == Permission::Deny);
    if let Some(Origin::Skill(field)) = denied.map(|denied| &denied.origin) {
        return inert!("no rule can, since its own file keeps it from models ({})", *field);
    }
    // Where a rule denies it, that rule is the first obstacle, and the plan names it.
    let by_rule = denied.is_some_and(|denied| matches!(denied.origin, Origin::Rule { .. }));
    if let Some(why) = beyond_names(caller.view, skill).filter(|_| !by_rule) {
        return inert!("no rule can: {}", why);
    }
    let binds = caller.view.policy.order.bound;
    let digest = match binds.then(|| caller.files_digest(skill)).transpose() {
        Ok(digest) => digest,
        Err(error) => return inert!("no rule can be bound to its files: {}", error.to_string()),
    };
    let request = ChangeRequest::Permit(rule(
        &caller.view.policy,
        skill,
        digest.map(|digest| digest.to_string()),
    ));
    let planned = caller.workspace.plan(caller.view, &request, None);
    match planned {
        Err(error) => by_hand(&error),
        Ok(plan) => {
            let command = command(caller, wanted(caller, skill));
            let replaced = SafeText::join(plan.replaced.iter().map(Origin::shown), ", ");
            match plan.replaced.is_empty() {
                true => command,
                false => inert!("{} (it replaces {})", command, replaced),
            }
        }
    }
}

/// Whether our own settings decide, in the view of one other agent, whose rules cannot loosen them.
fn is_by_ours(caller: &CallContext<'_>, skill: &Skill) -> bool {
    let CallContext { workspace, view, .. } = caller;
    if workspace.is_every() || workspace.host.id == HostId::AGENTS {
        return false;
    }
    let place = caller.by_path(&skill.path).and_then(|entry| entry.handed.origin.place());
    let files = [Some(&view.config.user), view.config.project.as_ref()];
    place.is_some_and(|(file, _)| files.into_iter().flatten().any(|ours| *ours.path == *file))
}

/// This skill as a word of a command: its name if it is the person's own and the name means no other
/// skill, otherwise its path or id.
fn wanted(caller: &CallContext<'_>, skill: &Skill) -> SafeText {
    let is_own = !skill.is_brought() && !caller.workspace.is_browsing();
    match caller.by_path(&skill.path).filter(|entry| is_own && entry.same_name == 1) {
        Some(entry) => caller.view.argument(entry),
        None => skill.shell_word(),
    }
}

/// The command that allows loading this word of a shell.
pub fn command(caller: &CallContext<'_>, word: SafeText) -> SafeText {
    let options = inert!("{}{}", caller.workspace.host_option(), caller.workspace.told_options());
    shell::command("skillpick permit allow", [word], &options)
}

fn by_hand(error: &ChangeError) -> SafeText {
    match error.is_for_name() {
        true => inert!("no rule can, since {}; another name helps", error.shown()),
        false => inert!("change the settings by hand, since {}", error.shown()),
    }
}

/// How a person allows a run that `by` denies. No command does: the strictest of the rules about a
/// run counts, so another rule would change nothing.
pub fn denied_run(caller: &CallContext<'_>, by: &Origin) -> Option<&'static str> {
    let how = match by {
        Origin::Rule { .. } => "change that rule",
        Origin::Alarm { .. } => "mend that file, which denies as long as it cannot be read",
        Origin::Default
        | Origin::Host(_)
        | Origin::Session(_)
        | Origin::Skill(_)
        | Origin::Shadowed(_) => return None,
    };
    Some(if caller.workspace.reader.is_owner() { how } else { NO_COMMAND })
}

/// How a person allows the script of a run, or all scripts of its skill if no rule can name this
/// one.
pub fn running(caller: &CallContext<'_>, launch: &Launch) -> String {
    let route = launch.prepared.route();
    let exact = route.as_ref().and_then(|route| route.real.to_str()).map(ScriptPath::read);
    let script = exact.and_then(Result::ok).filter(|script| matches!(script, ScriptPath::Exact(_)));
    let extras: Option<Vec<String>> = launch.extras.iter().map(|extra| extra.argument()).collect();
    let Some(extras) = extras else { return by_terminal("allow it as it is") };
    let plain = match extras.as_slice() {
        [] => String::new(),
        extras => format!(" without {}", extras.join(" or ")),
    };
    let (what, path) = match &script {
        Some(script) => {
            let path = shell::value(script.text());
            (format!("this script{plain} permanently"), inert!(" --path {}", path))
        }
        None => (format!("the scripts of this skill{plain} permanently"), SafeText::default()),
    };
    let CallContext { workspace, view, .. } = caller;
    if workspace.host.id != HostId::AGENTS {
        return by_terminal(&format!("where skills are seen through {}", workspace.host.name));
    }
    let skill = &launch.skill;
    if caller.inner(skill, launch.script()).is_some() {
        return by_terminal("for a script of a skill within another");
    }
    let runs = Runs { script, arguments: None };
    let rule = rule(&view.policy, skill, Some(launch.prepared.digest.to_string()));
    let rule = NewRule { tool: Tool::SkillScript, runs, ..rule };
    match workspace.plan(view, &ChangeRequest::Permit(rule), None) {
        Err(error) => format!("{what}: {}", by_hand(&error)),
        Ok(plan) if plan.files.is_empty() && extras.is_empty() => {
            by_terminal(&format!("allow it, since another one decides ({})", launch.origin.shown()))
        }
        Ok(plan) if plan.files.is_empty() => {
            by_terminal(&format!("allow a run with {}", extras.join(" and ")))
        }
        Ok(_) => {
            format!("{what}: {} --script{path}", command(caller, wanted(caller, skill)))
        }
    }
}

/// No rule can allow the run; the person can still approve exactly this one.
fn by_terminal(where_not: &str) -> String {
    format!(
        "this run permanently: no rule can {where_not}; `skillpick run` asks in a terminal, and remembers *always*"
    )
}
