//! How long a frame waits for the ranking, so that a key is drawn once, with its result.

use std::time::{Duration, Instant};

/// How long a key waits to be drawn. Most rankings come sooner. A key may take 4 ms until it is
/// visible: a timer is up to 1 ms late, and the rest is for drawing.
const PATIENCE: Duration = Duration::from_millis(1);

/// A ranking that takes longer than this will not come in time for the next key either.
const SLOW: Duration = Duration::from_millis(4);

/// The ranking that has been asked for, if it has not come.
#[derive(Debug, Default)]
pub(super) struct FrameWait {
    asked: Option<Asked>,
    /// Whether the last ranking was slow. Then no key waits for its own.
    is_slow: bool,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    /// When the newest one was asked for, without the time of the frames since then.
    at: Instant,
    /// Until then the next frame waits.
    due: Instant,
}

impl FrameWait {
    /// A ranking is asked for. One that is asked for later lets no frame wait longer.
    pub(super) fn ask(&mut self, now: Instant) {
        let due = self.asked.map_or(now + self.patience(), |asked| asked.due);
        self.asked = Some(Asked { at: now, due });
    }

    /// A key came: the next frame waits no longer than for a key.
    pub(super) fn hurry(&mut self, now: Instant) {
        let due = now + self.patience();
        self.asked = self.asked.map(|asked| Asked { due: asked.due.min(due), ..asked });
    }

    /// Lets the next frame wait at least this long for the ranking.
    pub(super) fn linger(&mut self, now: Instant, patience: Duration) {
        let due = now + patience;
        self.asked = self.asked.map(|asked| Asked { due: asked.due.max(due), ..asked });
    }

    /// A frame was drawn, during which nobody could see whether the ranking has come.
    pub(super) fn drew(&mut self, took: Duration) {
        self.asked = self.asked.map(|asked| Asked { at: asked.at + took, ..asked });
    }

    /// The ranking has come, or nobody waits for it any longer.
    pub(super) fn came(&mut self, now: Instant) {
        if let Some(asked) = self.asked.take() {
            self.is_slow = now.saturating_duration_since(asked.at) > SLOW;
        }
    }

    pub(super) fn is_awaited(&self) -> bool {
        self.asked.is_some()
    }

    /// When the next frame is drawn that is not drawn before `frame`.
    pub(super) fn next_frame(&self, frame: Instant) -> Instant {
        self.asked.map_or(frame, |asked| frame.max(asked.due))
    }

    fn patience(&self) -> Duration {
        if self.is_slow { Duration::ZERO } else { PATIENCE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_waits_for_its_ranking_unless_the_last_one_was_slow() {
        let start = Instant::now();
        let ms = |millis| start + Duration::from_millis(millis);
        let mut answer = FrameWait::default();
        assert_eq!(answer.next_frame(start), start, "nothing is asked");
        let mut waits = |from: u64, took: u64| {
            answer.ask(ms(from));
            let waits = answer.next_frame(ms(from)) - ms(from);
            answer.came(ms(from + took));
            assert_eq!(answer.next_frame(ms(from)), ms(from), "it has come");
            waits
        };
        assert_eq!(waits(0, 1), PATIENCE);
        assert_eq!(waits(100, 20), PATIENCE);
        assert_eq!(waits(200, 3), Duration::ZERO, "the last one was slow");
        assert_eq!(waits(300, 3), PATIENCE);
        answer.ask(ms(400));
        answer.drew(Duration::from_millis(10));
        answer.came(ms(411));
        answer.ask(ms(500));
        assert_eq!(answer.next_frame(ms(500)), ms(501), "it was the frame that took long");
        answer.ask(ms(510));
        assert_eq!(answer.next_frame(ms(500)), ms(501), "a second one lets nothing wait longer");
        answer.came(ms(513));
        answer.ask(ms(600));
        assert_eq!(answer.next_frame(ms(600)), ms(601), "only the newest is measured");
    }

    #[test]
    fn new_rows_may_wait_longer_and_a_key_ends_that() {
        let start = Instant::now();
        let mut answer = FrameWait::default();
        answer.linger(start, SLOW);
        assert_eq!(answer.next_frame(start), start, "nothing is asked");
        answer.ask(start);
        answer.linger(start, SLOW);
        assert_eq!(answer.next_frame(start), start + SLOW);
        answer.hurry(start);
        assert_eq!(answer.next_frame(start), start + PATIENCE);
        assert_eq!(answer.next_frame(start + SLOW), start + SLOW, "no frame is drawn too early");
    }
}
