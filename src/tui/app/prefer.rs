//! For which agent a pick is written, if several would take it differently and nobody has said so:
//! asked once, and remembered for this repository.

use super::{Action, Chosen, Effect, ListPane, State, choose};
use crate::catalog::HostId;
use crate::listing::{Callers, Listing};
use crate::policy::HostReport;
use crate::text::SafeText;
use ratatui::layout::Position;

/// An agent that can call the skills, and the text that it would get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreferRow {
    pub host: HostId,
    pub name: &'static str,
    pub text: SafeText,
}

/// The question.
#[derive(Debug)]
pub struct Prefer {
    pub list: ListPane,
    pub rows: Vec<PreferRow>,
    /// What is picked then.
    chosen: Chosen,
}

impl Prefer {
    /// `None` if there is nothing to ask: an agent is chosen, or all take the same text.
    pub(super) fn new(state: &State, chosen: Chosen) -> Option<Self> {
        let rows = Self::asked(state, &chosen)?;
        Some(Self { list: ListPane::default(), rows, chosen })
    }

    /// The agents between which a person must choose before these are picked.
    pub(super) fn asked(state: &State, chosen: &Chosen) -> Option<Vec<PreferRow>> {
        let is_told = state.viewed.listing.preferred.is_some()
            || state.viewed.reports.iter().any(|report| report.inside);
        if is_told || !state.options.sees_all() || state.options.format != "mention" {
            return None;
        }
        let rows = rows(state, chosen);
        let differ = rows.windows(2).any(|pair| pair[0].text != pair[1].text);
        differ.then_some(rows)
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.list.moves(action, state.whole().left, self.rows.len()) {
            return;
        }
        match action {
            Action::Accept | Action::Right | Action::Pick => {
                let Some(host) = self.rows.get(self.list.cursor).map(|row| row.host) else {
                    return;
                };
                state.options.preferred = Some(host);
                state.prefer_column();
                state.effects.push(Effect::Prefer(host));
                state.closing = true;
                choose::pick_these(state, std::mem::take(&mut self.chosen));
            }
            Action::Back | Action::Left => state.closing = true,
            _ => {}
        }
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        if self.list.opens(place, twice, state.whole().left, self.rows.len()) {
            self.act(Action::Accept, state);
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        self.list.follow(state.whole().left, self.rows.len());
    }
}

/// The programs that let a person call all of these, with what each would get for the first.
fn rows(state: &State, chosen: &Chosen) -> Vec<PreferRow> {
    let places = chosen.paths.iter().map(|path| state.viewed.rows.index_of(path));
    let Some(picks) = places.collect::<Option<Vec<usize>>>() else { return Vec::new() };
    let calls = |report: &&HostReport| {
        let takes = |pick: &usize| {
            let (Ok(place), Some(entry)) = (u32::try_from(*pick), state.viewed.rows.entry(*pick))
            else {
                return false;
            };
            report.lets_call(place, &entry.skill)
        };
        report.host != HostId::AGENTS && report.speech.form.is_syntax() && picks.iter().all(takes)
    };
    let row = |report: &HostReport| {
        let listing = Listing { preferred: Some(report.host), ..state.viewed.listing.clone() };
        let texts = Callers::of_all(&listing, &picks).texts();
        let call = texts.into_iter().next()?.ok()?;
        let is_its = call.speech.is_some_and(|speech| speech.host == report.host);
        is_its.then(|| PreferRow {
            host: report.host,
            name: report.speech.name,
            text: SafeText::line(&call.text),
        })
    };
    state.viewed.reports.iter().filter(calls).filter_map(row).collect()
}
