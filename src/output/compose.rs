//! A composed prompt as text for its agent.

use crate::catalog::{Draft, HostId, MentionForm, Piece, Pill, mentions};
use crate::inert;
use crate::listing::Callers;
use crate::policy::{Calling, HostReport, Speech};
use crate::runtime::{CallContext, Called, Calls, Means};
use crate::text::SafeText;
use crate::workspace::View;
use std::ops::Range;

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
    let mut calls = texts.iter().peekable();
    let mut prompt = Prompt::default();
    let mut pieces = draft.pieces.iter().peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Text(part) => prompt.text.push_str(part),
            Piece::Pill(pill) => {
                let Some((call, speech)) = calls.next() else { continue };
                let next = match pieces.peek() {
                    Some(Piece::Text(part)) => part,
                    Some(Piece::Pill(_)) => calls.peek().map_or("", |(call, _)| call),
                    None => "",
                };
                prompt.call(call, speech.as_ref(), pill, next);
            }
        }
    }
    let notices = by_path.into_iter().chain(prompt.notices(report.speech)).collect();
    Ok(Written { text: prompt.text, skills: picks, notices })
}

/// A prompt while its pieces are put together.
#[derive(Default)]
struct Prompt<'a> {
    text: String,
    /// Where the calls in the agent's syntax stand.
    calls: Vec<(Range<usize>, &'a Pill)>,
    /// Calls that are run only at the very start, and stand elsewhere.
    hints: Vec<&'a Pill>,
}

impl<'a> Prompt<'a> {
    /// Adds the call of a pill that has `next` behind it.
    fn call(&mut self, call: &str, speech: Option<&Speech>, pill: &'a Pill, next: &str) {
        let form = speech.map(|speech| speech.form);
        let at_start = self.text.trim().is_empty();
        let starts = matches!(form, Some(MentionForm::Start(_)));
        if starts && at_start {
            self.text.clear();
        }
        let is_call = form.is_none_or(MentionForm::is_syntax) && (at_start || !starts);
        let said = in_place(call, form, &pill.name, at_start);
        let (before, behind) = blanks(&self.text, Some(&*said).filter(|_| is_call), next);
        self.text.push_str(before);
        let start = self.text.len();
        self.text.push_str(&said);
        match form {
            Some(_) if is_call => self.calls.push((start..self.text.len(), pill)),
            Some(_) if starts => self.hints.push(pill),
            _ => {}
        }
        self.text.push_str(behind);
    }

    /// Which calls its agent does not take for calls, and why.
    fn notices(&self, Speech { name, .. }: Speech) -> impl Iterator<Item = SafeText> {
        let hints = names(self.hints.iter().copied()).map(|(names, one)| {
            let are = if one { "is a hint" } else { "are hints" };
            inert!("{} runs a call only at the very start; {} {} for its model", name, names, are)
        });
        let found = if self.calls.is_empty() { Vec::new() } else { mentions(&self.text) };
        let is_found = |range: &Range<usize>| {
            let at = found.binary_search_by_key(&range.start, |found| found.range.start);
            at.is_ok_and(|at| found[at].range == *range)
        };
        let lost = self.calls.iter().filter(|(range, _)| !is_found(range)).map(|(_, pill)| *pill);
        let lost = names(lost).map(|(names, one)| {
            let stand = if one { "stands" } else { "stand" };
            inert!("{} {} in code, which is text for {} and no call", names, stand, name)
        });
        hints.into_iter().chain(lost)
    }
}

/// As much of what stands behind a call is looked at to see whether it would be part of the name.
const NEXT: usize = 64;

/// What must stand before and behind a call, so that no letter or sign beside it becomes part of
/// its name or makes it no call: nothing, or a blank. What is no call in a syntax (`None`) is
/// parted where a `$name` would be.
fn blanks(text: &str, call: Option<&str>, next: &str) -> (&'static str, &'static str) {
    let last = text.chars().next_back().filter(|last| !last.is_whitespace());
    let before = last.map(String::from).unwrap_or_default();
    let word = next.split(char::is_whitespace).next().unwrap_or_default();
    let next = &word[..word.floor_char_boundary(NEXT)];
    let is_parted = |(left, right): &(&str, &str)| {
        let (said, start) = (call.unwrap_or("$x"), before.len() + left.len());
        let tried = [before.as_str(), left, said, right, next].concat();
        let joins = call.is_none() && right.is_empty() && next.starts_with(char::is_alphanumeric);
        let whole = start..start + said.len();
        !joins && mentions(&tried).iter().any(|found| found.range == whole)
    };
    let ways = [("", ""), ("", " "), (" ", ""), (" ", " ")];
    ways.into_iter().find(is_parted).unwrap_or_default()
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
    match report.calling(number, &entry.skill, SafeText::path) {
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
fn in_place(call: &str, form: Option<MentionForm>, name: &str, at_start: bool) -> String {
    match form {
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

#[cfg(test)]
mod tests;
