//! When the screen of a project reads its store.

/// Whether to read again. Jobs run at once, so an older answer could come after a newer one; that
/// is why the next reading begins when the last one has ended.
#[derive(Debug)]
pub(super) struct Reading {
    stale: bool,
    running: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self { stale: true, running: false }
    }
}

impl Reading {
    /// What was read is no longer so.
    pub(super) fn outdated(&mut self) {
        self.stale = true;
    }

    /// Whether to begin to read now. The caller does so.
    pub(super) fn begins(&mut self) -> bool {
        let begins = self.stale && !self.running;
        if begins {
            *self = Self { stale: false, running: true };
        }
        begins
    }

    pub(super) fn ended(&mut self) {
        self.running = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_read_at_a_time_and_a_change_meanwhile_is_read_after_it() {
        let mut reading = Reading::default();
        assert!(reading.begins());
        assert!(!reading.begins());
        reading.outdated();
        assert!(!reading.begins(), "the first answer is not there yet");
        reading.ended();
        assert!(reading.begins());
        reading.ended();
        assert!(!reading.begins());
    }
}
