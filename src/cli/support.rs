//! What several commands share: the call context, texts for a model, and consent.

use super::{Exit, Failure, Place};
use crate::inert;
use crate::output::{Out, terminal};
use crate::policy::{Entry, Origin};
use crate::runtime::session::{Handed, Session};
use crate::runtime::{CallContext, LoadError, Reply};
use crate::text::SafeText;
use crate::workspace::{View, Workspace};
use std::io;

/// If none of so many skills can be picked, the rest is only counted: each reason is worked out anew,
/// with its cure.
const MAX_REFUSALS: usize = 10;

pub(super) fn caller<'a>(
    place: &Place,
    workspace: &'a Workspace,
    view: &'a View,
    session: Option<&'a str>,
) -> CallContext<'a> {
    CallContext { workspace, view, client: "cli", session, scope: place.scope() }
}

/// Prints a text for a model: exact bytes into a pipe or file, with marks on a terminal.
pub(super) fn text(out: &mut Out, text: &str) -> io::Result<()> {
    if out.is_terminal() {
        return text.lines().try_for_each(|line| out.line(SafeText::clean(line)));
    }
    out.exact(text.as_bytes())?;
    if text.is_empty() || text.ends_with('\n') { Ok(()) } else { out.exact(b"\n") }
}

/// The conversation with this id, or a new one if the id is unknown; none without an id.
pub(super) fn session(
    caller: &CallContext<'_>,
    id: Option<&str>,
) -> Result<Option<Session>, Failure> {
    let known = |id| {
        caller
            .session(id)
            .map(Option::unwrap_or_default)
            .map_err(|error| caller.session_refusal(&error).into())
    };
    id.map(known).transpose()
}

/// Ends a command that has `printed` texts for a conversation. If they reached nobody, the model
/// does not have them, and the conversation forgets that it was told.
pub(super) fn finish_handing_over(
    caller: &CallContext<'_>,
    id: &str,
    handed: &[Handed],
    printed: Result<(), Failure>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let texts = Handed::texts(handed);
    let printed = printed.and_then(|()| Ok(out.finish()?));
    let is_lost = out.leads_nowhere() && !texts.is_empty();
    if is_lost && printed.is_ok() {
        out.say(
            "stdout is closed, or leads to the null device: the next load gives the text again",
        );
    }
    if is_lost || printed.is_err() {
        let untold = |session: &mut Session| {
            session.untold(&texts);
            Ok(())
        };
        caller.change_session(id, untold).map_err(|error| caller.session_refusal(&error))?;
    }
    printed.map(|()| Exit::Done)
}

/// What is said where a person does not agree.
pub(super) struct Refused {
    /// After a no.
    pub(super) no: &'static str,
    /// Where there is no terminal, with the option that helps.
    pub(super) unasked: &'static str,
}

/// Asks a person at the terminal. Where there is none, the lines are printed with the refusal.
pub(super) fn agreed(
    mut lines: Vec<SafeText>,
    question: &'static str,
    code: &'static str,
    refused: &Refused,
) -> Result<(), Failure> {
    let why = match reply(&lines, question) {
        Reply::Yes => return Ok(()),
        Reply::No => {
            lines.clear();
            refused.no
        }
        Reply::Nobody | Reply::Later => refused.unasked,
    };
    Err(Failure::Message { exit: Exit::Missing, code, lines }.with(why))
}

/// What a person at the terminal answers. Everything but a yes is a no.
fn reply(lines: &[SafeText], question: &'static str) -> Reply {
    match terminal::ask(lines, &SafeText::fixed(question)).as_deref() {
        Some("y" | "yes") => Reply::Yes,
        Some(_) => Reply::No,
        None => Reply::Nobody,
    }
}

/// Asks whether a skill may be loaded, unless `agreed` says so.
pub(super) fn consent(
    caller: &CallContext<'_>,
    entry: &Entry,
    origin: &Origin,
    agreed: bool,
) -> Reply {
    if agreed {
        return Reply::Yes;
    }
    let refusal = caller.entry_refusal(&LoadError::NeedsConsent(origin.clone()), entry);
    let (name, decider) = (SafeText::line(&entry.skill.name), refusal.decider());
    let lines = [
        inert!("A rule asks before the skill {} is loaded ({}):", name, decider),
        SafeText::path(&entry.skill.path),
    ];
    reply(&lines, "Load it? [y/N]")
}

/// Why none of these skills can be picked (exit 1).
pub(super) fn not_pickable(workspace: &Workspace, view: &View, indexes: &[usize]) -> Failure {
    let (told, more) = indexes.split_at(indexes.len().min(MAX_REFUSALS));
    let entries = told.iter().map(|index| &view.rows[*index].entry);
    let refusals = entries.filter_map(|entry| workspace.refusal(view, entry));
    let mut lines = refusals.flat_map(|refusal| refusal.lines());
    let first =
        lines.next().unwrap_or_else(|| SafeText::fixed("nothing that was found can be picked"));
    let cut = (!more.is_empty()).then(|| inert!("{} more cannot be picked", more.len()));
    lines.chain(cut).fold(Failure::missing(first), Failure::with)
}
