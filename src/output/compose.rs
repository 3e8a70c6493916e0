//! A composed prompt as text for its agent.

use crate::catalog::{Draft, HostId, MentionForm, Piece, Pill};
use crate::inert;
use crate::listing::Callers;
use crate::policy::{Calling, HostReport, Speech};
use crate::runtime::{CallContext, Called, Calls, Means};
use crate::text::SafeText;
use crate::workspace::View;

/// A prompt, written out.
#[derive(Clone, Debug, Default)]
pub struct Written {
    pub text: String,
    /// The skills in it, as indexes into the view.
    pub skills: Vec<usize>,
    /// What the person should know of it.
    pub notices: Vec<SafeText>,
}

/// Writes a prompt for an agent: with the mentions that it takes, or with the skills' texts before
/// it. The view must have the reports of its hosts.
///
/// # Errors
/// A sentence about the first skill that the agent cannot be given.
pub fn written(
    caller: &CallContext<'_>,
    draft: &Draft,
    host: HostId,
    inject: bool,
) -> Result<Written, SafeText> {
    let view = caller.view;
    let report = view.reports.iter().find(|report| report.host == host);
    let report = report.ok_or_else(|| inert!("{} is not on this machine", host.word()))?;
    let picks = draft.pills().map(|pill| usable(view, report, pill));
    let picks = picks.collect::<Result<Vec<usize>, SafeText>>()?;
    if inject {
        return injected(caller, draft, picks);
    }
    let callers = Callers::of_agent(report, view, &picks);
    let texts = callers.texts().into_iter().zip(draft.pills()).map(|(text, pill)| {
        let call = text.map_err(|error| inert!("{}: {}", pill.name, error.to_string()))?;
        Ok((call.text, call.speech))
    });
    let texts = texts.collect::<Result<Vec<_>, SafeText>>()?;
    let by_path = texts.iter().zip(draft.pills()).filter(|((_, speech), _)| speech.is_none());
    let by_path = names(by_path.map(|(_, pill)| pill)).map(|(names, one)| {
        let (folder, path) =
            if one { ("folder", "its path says") } else { ("folders", "their paths say") };
        inert!("{} does not look in the {} of {}: {} which file", host.word(), folder, names, path)
    });
    let mut calls = texts.iter().zip(draft.pills());
    let mut text = String::new();
    let mut hints = Vec::new();
    for piece in &draft.pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Pill(_) => {
                let Some(((call, speech), pill)) = calls.next() else { continue };
                let at_start = text.trim().is_empty();
                let is_call = speech.is_some() && !at_start;
                if is_call && matches!(report.speech.form, MentionForm::Start(_)) {
                    hints.push(pill);
                }
                text.push_str(&in_place(call, speech.as_ref(), &pill.name, at_start));
            }
        }
    }
    let hints = names(hints.into_iter()).map(|(names, one)| {
        let are = if one { "is a hint" } else { "are hints" };
        let name = report.speech.name;
        inert!("{} runs a call only at the very start; {} {} for its model", name, names, are)
    });
    Ok(Written { text, skills: picks, notices: by_path.into_iter().chain(hints).collect() })
}

/// The names of these skills, and whether it is one skill; `None` if there is none.
fn names<'a>(pills: impl Iterator<Item = &'a Pill>) -> Option<(SafeText, bool)> {
    let mut each: Vec<&Pill> = Vec::new();
    for pill in pills {
        if each.iter().all(|known| known.path != pill.path) {
            each.push(pill);
        }
    }
    let names = SafeText::join(each.iter().map(|pill| pill.name.as_str()), ", ");
    (!each.is_empty()).then_some((names, each.len() == 1))
}

/// The index of a chosen skill, if the agent lets a person call it.
fn usable(view: &View, report: &HostReport, pill: &Pill) -> Result<usize, SafeText> {
    let cure = "remove it from the prompt, or choose another";
    let gone = || inert!("{} is not there any more: {}", pill.name, cure);
    let index = view.rows.index_of(&pill.path).ok_or_else(gone)?;
    let (Ok(number), Some(entry)) = (u32::try_from(index), view.rows.entry(index)) else {
        return Err(gone());
    };
    let host = report.host.word();
    match report.calling(number, &entry.skill) {
        Calling::Yes | Calling::ByPath => Ok(index),
        Calling::Off => Err(inert!(
            "{} is off for {}: turn it on, or remove it from the prompt",
            pill.name,
            host
        )),
        Calling::No(why) => Err(inert!("{} does not take {}: {}; {}", host, pill.name, why, cure)),
    }
}

/// A call inside a sentence. An agent without a syntax is told in prose: whole at the start, else
/// without the verb, which the person's own sentence has.
fn in_place(call: &str, speech: Option<&Speech>, name: &str, at_start: bool) -> String {
    match speech.map(|speech| speech.form) {
        Some(MentionForm::Prose(before, after)) if !at_start => {
            let before = before.strip_prefix("Use ").unwrap_or(before);
            let after = after.trim_end();
            let after = after.strip_suffix(" to").unwrap_or(after).trim_end_matches('.');
            format!("{before}{name}{after}")
        }
        Some(MentionForm::Prose(..)) => call.trim_end().to_owned(),
        _ => call.to_owned(),
    }
}

/// The skills' texts, and the prompt with their names, as `resolve --inject` prints them.
fn injected(
    caller: &CallContext<'_>,
    draft: &Draft,
    picks: Vec<usize>,
) -> Result<Written, SafeText> {
    let called = picks.iter().zip(draft.pills()).map(|(index, pill)| Called {
        range: 0..0,
        mention: crate::catalog::Mention::Name(pill.name.clone()),
        means: Means::Skill(*index),
    });
    let remaining = draft.text(|pill| SafeText::line(&pill.name).as_str().to_owned());
    let calls = Calls { called: called.collect(), remaining };
    let gathered = caller.gather(&calls).map_err(|(index, error)| {
        caller.entry_refusal(&error, &caller.view.rows[index].entry).line()
    })?;
    let text = calls.injected(&caller.hand_over_texts(gathered), &[]);
    Ok(Written { text, skills: picks, notices: Vec::new() })
}
