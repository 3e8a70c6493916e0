//! What the commands of the runtime share: the call context, texts for a model, consent, and refusals in
//! words.

use super::failure::Failure;
use super::place::Place;
use super::{refusal, target};
use crate::catalog::Skill;
use crate::inert;
use crate::output::shell;
use crate::output::{Out, terminal};
use crate::policy::{Entry, Origin, Tool};
use crate::runtime::session::{Session, SessionError};
use crate::runtime::{CallContext, FetchError, LoadError};
use crate::text::SafeText;
use crate::workspace::{View, Workspace};
use std::io;

/// The longest quotation of what a person has typed, columns.
const MAX_ECHO: usize = 300;

/// The context of a call from the command line.
pub(super) fn caller<'a>(
    place: &Place,
    (workspace, view): (&'a Workspace, &'a View),
    session: Option<&'a str>,
) -> CallContext<'a> {
    CallContext { workspace, view, client: "cli", session, scope: place.scope() }
}

/// Prints a text for a model: its exact bytes into a pipe or file, on a terminal with marks.
pub(super) fn text(out: &mut Out, text: &str) -> io::Result<()> {
    if out.is_terminal() {
        return text.lines().try_for_each(|line| out.line(&SafeText::clean(line)));
    }
    out.exact(text.as_bytes())?;
    if text.is_empty() || text.ends_with('\n') { Ok(()) } else { out.exact(b"\n") }
}

/// What a person has typed, as it is quoted to them: not whole where it is longer than anybody
/// reads.
pub(super) fn echo(typed: &str) -> SafeText {
    SafeText::line(typed).cut(MAX_ECHO)
}

/// The conversation of this id, a new one where it is not known; none where no id is given.
pub(super) fn session(
    caller: &CallContext<'_>,
    id: Option<&str>,
) -> Result<Option<Session>, Failure> {
    let known = |id| {
        caller
            .session(id)
            .map(Option::unwrap_or_default)
            .map_err(|error| session_failure(caller, &error))
    };
    id.map(known).transpose()
}

/// Whether a person at the terminal says yes to a question; without a terminal nobody has.
pub(super) fn agrees(lines: &[SafeText], question: &'static str) -> bool {
    matches!(terminal::ask(lines, &SafeText::fixed(question)).as_deref(), Some("y" | "yes"))
}

/// Asks whether a skill may be loaded; without a terminal nobody has said yes.
pub(super) fn consent(skill: &Skill, origin: &Origin) -> bool {
    let (name, path) = (SafeText::line(&skill.name), SafeText::path(&skill.path));
    let lines =
        [inert!("A rule asks before the skill {} is loaded ({}):", name, origin.shown()), path];
    agrees(&lines, "Load it? [y/N]")
}

/// Why a skill is not loaded, with the cure.
pub(super) fn load_failure(caller: &CallContext<'_>, error: &LoadError, argument: &str) -> Failure {
    let meant = caller.resolve(argument).ok().map(|index| &caller.view.rows[index].entry);
    refused(caller, meant, error, argument)
}

/// The same, where it is known which skill the argument means.
pub(super) fn refused(
    caller: &CallContext<'_>,
    meant: Option<&Entry>,
    error: &LoadError,
    argument: &str,
) -> Failure {
    if let Some(sentence) = meant.and_then(|entry| refusal::sentence(caller.view, entry, error)) {
        return Failure::missing(sentence).coded(error.code());
    }
    let shown = SafeText::line(argument);
    let reason = SafeText::line(&error.to_string());
    let message = inert!("{}: {}", echo(argument), reason);
    let failure = match error {
        LoadError::Unresolved(error) => target::unresolved(error, argument),
        LoadError::Off(origin) | LoadError::NotForPeople(origin) | LoadError::Denied(origin) => {
            Failure::missing(message).with(inert!("decided by {}", origin.shown()))
        }
        LoadError::NeedsConsent(origin) => shortfall(caller, meant)
            .into_iter()
            .fold(Failure::missing(message), Failure::with)
            .with(inert!("decided by {}", origin.shown()))
            .with(SafeText::fixed("say yes with --yes, or at a terminal")),
        LoadError::Hidden { file, .. } => {
            let (file, word) = (SafeText::path(file), shell::word(&shown));
            Failure::missing(inert!("{} {}: {}", echo(argument), file, reason)).with(inert!(
                "to look at it: skillpick approve {} {}",
                word,
                shell::word(&file)
            ))
        }
        LoadError::AllOff => Failure::missing(message)
            .with(inert!("decided by {}", caller.view.policy.skills_enabled.origin.shown())),
        LoadError::Invalid { .. } => Failure::missing(message),
        LoadError::Unreadable(_) => Failure::failed(message),
    };
    failure.coded(error.code())
}

/// Why a rule that allows skills of this name does not allow this one, and the command that does.
fn shortfall(caller: &CallContext<'_>, meant: Option<&Entry>) -> Vec<SafeText> {
    let policy = &caller.view.policy;
    let why = |skill| policy.shortfall(Tool::SkillLoad, skill, None).map(|why| (skill, why));
    let Some((skill, why)) = meant.and_then(|entry| why(&entry.skill)) else { return Vec::new() };
    let allow = inert!("to allow this one: {}", permit(skill));
    let allow = policy.order.bound.then_some(allow);
    [Some(why.shown()), allow].into_iter().flatten().collect()
}

/// The command that allows exactly this skill.
pub(super) fn permit(skill: &Skill) -> SafeText {
    inert!("skillpick permit allow {}", shell::word(&SafeText::path(&skill.path)))
}

/// Why a session is not changed.
pub(super) fn session_failure(caller: &CallContext<'_>, error: &SessionError) -> Failure {
    let reason = SafeText::line(&error.to_string());
    let failure = match error {
        SessionError::Load { argument, error } => return load_failure(caller, error, argument),
        SessionError::AlreadyActive { name } => {
            Failure::missing(inert!("{}: {}", SafeText::line(name), reason))
        }
        SessionError::TooMany { .. } => Failure::missing(reason),
        _ => Failure::failed(reason),
    };
    failure.coded(error.code())
}

/// What is wrong with a path that a person has typed.
pub(super) fn of_path(path: &str, reason: SafeText) -> SafeText {
    if path.is_empty() { reason } else { inert!("{}: {}", echo(path), reason) }
}

/// Why a file is not read.
pub(super) fn fetch_failure(
    caller: &CallContext<'_>,
    error: &FetchError,
    (argument, path): (Option<&str>, &str),
) -> Failure {
    let reason = SafeText::line(&error.to_string());
    let failure = match error {
        FetchError::Skill(error) => {
            load_failure(caller, error, argument.unwrap_or("the newest active skill"))
        }
        FetchError::Other { skill, error } => {
            let meant = caller.view.rows.at(&skill.path).map(|row| &row.entry);
            refused(caller, meant, error, &skill.name)
        }
        FetchError::Lost { name, .. } => {
            Failure::missing(inert!("{}: {}", SafeText::line(name), reason))
        }
        FetchError::NothingActive | FetchError::NotActive => Failure::missing(reason),
        FetchError::File(_) => {
            let message = of_path(path, reason);
            if error.code() == "not_found" {
                Failure::missing(message)
            } else {
                Failure::failed(message)
            }
        }
    };
    failure.coded(error.code())
}
