//! The sign that skills are being read, that the agents are being asked, or that a change is being
//! worked out.

use super::State;
use super::effect::{Effect, Timer};

/// Milliseconds before it is shown: what is quicker needs no sign.
const FIRST_MS: u64 = 200;

/// Milliseconds from one step to the next.
const STEP_MS: u64 = 100;

/// Turns while there is something to wait for. The default is that of the start, with the first
/// timer running.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spinner {
    step: Option<u8>,
    is_asking: bool,
    /// Whether no timer is running.
    rests: bool,
}

impl Spinner {
    /// The effect that begins it at the start.
    pub(super) const FIRST: Effect = Effect::Wait(Timer::Spinner, FIRST_MS);

    /// Its step; `None` while there is nothing to wait for, and for the first 200 ms.
    pub fn step(&self) -> Option<u8> {
        self.step
    }
}

impl State {
    /// Begins to turn it, unless it turns.
    pub(super) fn turn_spinner(&mut self) {
        if std::mem::take(&mut self.spinner.rests) {
            self.effects.push(Spinner::FIRST);
        }
    }

    /// Turns it while the agents' own programs are asked; false when they have answered.
    pub(super) fn asking(&mut self, is_asking: bool) {
        self.spinner.is_asking = is_asking;
        match is_asking {
            true => self.turn_spinner(),
            false => self.stop_spinner(),
        }
    }

    /// Whether there is something to wait for.
    fn awaits(&self) -> bool {
        !self.viewed.complete || self.spinner.is_asking || self.is_planning()
    }

    /// Takes it away if nothing is missing.
    pub(super) fn stop_spinner(&mut self) {
        if !self.awaits() {
            self.spinner.step = None;
        }
    }

    /// Its timer has expired.
    pub(super) fn step_spinner(&mut self) {
        self.spinner.rests = !self.awaits();
        self.tell_planning();
        self.spinner.step = match self.spinner.rests {
            true => None,
            false => {
                self.effects.push(Effect::Wait(Timer::Spinner, STEP_MS));
                Some(self.spinner.step.map_or(0, |step| step.wrapping_add(1)))
            }
        };
    }
}
