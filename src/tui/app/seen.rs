//! Seen by: what every host makes of one skill, and keys that change it for a host.

use super::choose::{toggle, why_not_there};
use super::{Action, Chosen, Effect, KeyTable, ListPane, Notice, State};
use crate::catalog::{Enablement, HostId};
use crate::inert;
use crate::policy::{HostReport, HostStatus, Status};
use crate::text::SafeText;
use ratatui::layout::Position;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug)]
pub struct Seen {
    pub path: Arc<Path>,
    pub list: ListPane,
    /// The hosts, what each makes of the skill, and what is to be said of the host. While every
    /// agent is asked again these are the last answers. Empty until there is one, and if the skill
    /// is gone.
    pub rows: Vec<(HostStatus, String)>,
    /// The host on whose row the cursor is.
    host: Option<HostId>,
}

impl Seen {
    pub fn new(path: Arc<Path>) -> Self {
        Self { path, list: ListPane::default(), rows: Vec::new(), host: None }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.list.moves(action, state.whole().left, self.rows.len()) {
            self.host = self.host_at_cursor();
            return;
        }
        let chosen = self
            .rows
            .get(self.list.cursor)
            .map(|(host_status, _)| (host_status.host.word(), host_status.status.clone()));
        match (action, chosen) {
            (Action::Accept | Action::Right, Some((host, _))) => {
                state.look_through(host, Some(&self.path));
                state.closing = true;
            }
            (Action::Toggle, Some((host, status))) => {
                if status.verdict().is_none() {
                    return self.say_why_not(state, host, &status);
                }
                let (paths, host) = (vec![Arc::clone(&self.path)], Some(HostId(host)));
                toggle(state, Chosen { paths, marked: false, host });
            }
            (Action::Share, Some((host, status))) => self.share(state, host, &status),
            (Action::Back | Action::Left | Action::Seen, _) => state.closing = true,
            _ => {}
        }
    }

    /// Shares the skill with a host that does not see it, or ends a share.
    fn share(&self, state: &mut State, host: &'static str, status: &Status) {
        match status {
            Status::NotThere => state.effects.push(Effect::Share(Arc::clone(&self.path), host)),
            Status::Judged { .. } => {
                state.effects.push(Effect::Unshare(Arc::clone(&self.path), host));
            }
            Status::Refused(_) | Status::Shadowed(_) => {
                self.say_why_not(state, host, status);
            }
        }
    }

    /// What the key for shares does in the current row. That a share is ours, the shell knows; here
    /// it is one if the host finds the skill through a link.
    pub(super) fn share_word(&self, state: &State) -> Option<&'static str> {
        let (row, _) = self.rows.get(self.list.cursor)?;
        let index = state.viewed.rows.number_of(&self.path)?;
        let skill = state.viewed.rows.get(index as usize)?.skill();
        let is_linked = || {
            let of_row = |report: &&HostReport| report.host == row.host;
            state.viewed.reports.iter().find(of_row).is_some_and(|report| {
                let found = report.as_found(index, skill);
                found.location() != found.dir()
            })
        };
        match row.status {
            Status::NotThere => Some("share"),
            Status::Judged { .. } => is_linked().then_some("unshare"),
            Status::Refused(_) | Status::Shadowed(_) => None,
        }
    }

    fn say_why_not(&self, state: &mut State, host: &'static str, status: &Status) {
        let why = why_not_there(state, KeyTable::Seen, (HostId(host), &self.path), status);
        state.say(Notice::grave(why));
    }

    pub(super) fn clicked(&mut self, place: Position, state: &State) {
        self.list.clicked(place, state.whole().left, self.rows.len());
        self.host = self.host_at_cursor();
    }

    fn host_at_cursor(&self) -> Option<HostId> {
        self.rows.get(self.list.cursor).map(|(status, _)| status.host)
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        state.want_reports();
        let answers = state.host_statuses(&self.path);
        if !answers.is_empty() || state.entry(&self.path).is_none() {
            let row = |(report, status): (&HostReport, _)| (status, report.remark.clone());
            self.rows = answers.into_iter().map(row).collect();
        }
        let of_host = |host| self.rows.iter().position(|(status, _)| Some(status.host) == host);
        self.list.cursor = of_host(self.host).unwrap_or(self.list.cursor);
        self.list.follow(state.whole().left, self.rows.len());
        self.host = self.host_at_cursor();
    }
}

/// What a host makes of a skill, in a few words; its sign is drawn before them.
pub fn status_words(state: &State, status: &Status) -> SafeText {
    match status {
        Status::Judged { state: on, verdict } => match on {
            Enablement::On | Enablement::NameOnly => {
                inert!("{} · {}", on.word(), verdict.model.value.word())
            }
            Enablement::UserOnly | Enablement::Off => SafeText::fixed(on.word()),
        },
        other => other.why_not(|path| state.short_path(path)).unwrap_or_default(),
    }
}
