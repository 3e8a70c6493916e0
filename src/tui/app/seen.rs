//! Seen by: what every host makes of one skill, and keys that change it for a host.

use super::layout::{self, PairLayout};
use super::screen::Step;
use super::{Action, Aim, Effect, Layer, ListPane, Notice, State};
use crate::catalog::Enablement;
use crate::inert;
use crate::policy::{Glance, Sight, Standing};
use crate::text::SafeText;
use ratatui::layout::Position;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug)]
pub struct Seen {
    pub path: Arc<Path>,
    pub list: ListPane,
}

impl Seen {
    pub fn new(path: Arc<Path>) -> Self {
        Self { path, list: ListPane::default() }
    }

    pub fn layout(state: &State) -> PairLayout {
        layout::whole(state.area, state.notice_rows())
    }

    /// The hosts and what each makes of the skill. Empty until that is known, and if the skill is
    /// gone.
    pub fn rows<'a>(&self, state: &'a State) -> Vec<(&'a Glance, Sight)> {
        state.sights(&self.path)
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) -> Step {
        let rows = self.rows(state);
        if self.list.moves(action, Self::layout(state).left, rows.len()) {
            return Step::default();
        }
        let chosen = rows
            .get(self.list.cursor)
            .map(|(_, sight)| (sight.host.word(), sight.standing.clone()));
        match (action, chosen) {
            (Action::Accept | Action::Right, Some((host, _))) => {
                let mut effects = state.look_through(host);
                effects.extend(super::update::show(state, &self.path.clone()));
                Step::close(effects)
            }
            (Action::Toggle, Some((host, standing))) => {
                Step::stay(self.toggle(state, host, &standing))
            }
            (Action::Share, Some((host, standing))) => {
                Step::stay(self.share(state, host, &standing))
            }
            (Action::Back | Action::Left | Action::Seen, _) => Step::close(Vec::new()),
            _ => Step::default(),
        }
    }

    /// Turns the skill on or off for this host.
    fn toggle(&self, state: &mut State, host: &'static str, standing: &Standing) -> Vec<Effect> {
        if standing.verdict().is_none() {
            return state.say(Notice::grave(why_not_there(state, host, standing)));
        }
        if state.changing {
            return Vec::new();
        }
        let on = matches!(standing.state(), Enablement::On | Enablement::NameOnly);
        state.changing = true;
        let aim = Aim::Switch { paths: vec![Arc::clone(&self.path)], to: (!on).into() };
        vec![Effect::PlanThrough(host, aim)]
    }

    /// Shares the skill with a host that does not see it, or ends a share.
    fn share(&self, state: &mut State, host: &'static str, standing: &Standing) -> Vec<Effect> {
        match standing {
            Standing::NotThere => vec![Effect::Share(Arc::clone(&self.path), host)],
            Standing::Judged { .. } => vec![Effect::Unshare(Arc::clone(&self.path), host)],
            Standing::Refused(_) | Standing::Shadowed(_) => {
                state.say(Notice::grave(why_not_there(state, host, standing)))
            }
        }
    }

    pub(super) fn clicked(&mut self, place: Position, state: &State) -> Step {
        let count = self.rows(state).len();
        self.list.clicked(place, Self::layout(state).left, count);
        Step::default()
    }

    pub(super) fn follow(&mut self, state: &mut State) -> Vec<Effect> {
        let effects = state.want_glances();
        let count = self.rows(state).len();
        self.list.follow(Self::layout(state).left, count);
        effects
    }
}

/// Why a host does not have the skill.
fn why_not_there(state: &State, host: &'static str, standing: &Standing) -> SafeText {
    match standing {
        Standing::NotThere => {
            let key = state.key_word(Layer::Seen, Action::Share);
            inert!("{} does not look in this skill's folder; {} shares it", host, key)
        }
        Standing::Refused(check) => inert!("{} does not take this skill: {}", host, check.code),
        _ => inert!("{} takes another skill of this name", host),
    }
}

/// What a host makes of a skill, in a few words; its sign is drawn before them.
pub fn sight_words(standing: &Standing) -> SafeText {
    match standing {
        Standing::Judged { state, verdict } => match state {
            Enablement::On | Enablement::NameOnly => {
                inert!("{} · {}", state.word(), verdict.model.value.word())
            }
            Enablement::UserOnly | Enablement::Off => SafeText::fixed(state.word()),
        },
        other => other.why_not(SafeText::path).unwrap_or_default(),
    }
}
