//! Frees what is no longer shown. To free the rows of a hundred thousand skills takes longer than a
//! frame, so another thread does it.

use std::sync::mpsc::{Sender, channel};
use std::thread;

/// Takes what is to be freed.
pub(super) struct Discard<T>(Sender<T>);

impl<T: Send + 'static> Discard<T> {
    pub(super) fn start() -> Self {
        let (sender, discarded) = channel();
        // Without a thread, `take` frees.
        let body = move || discarded.into_iter().for_each(drop);
        let _ = thread::Builder::new().name("free".to_owned()).spawn(body);
        Self(sender)
    }

    pub(super) fn take(&self, unwanted: T) {
        let _ = self.0.send(unwanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::ThreadId;

    struct Heavy(Sender<ThreadId>);

    impl Drop for Heavy {
        fn drop(&mut self) {
            let _ = self.0.send(thread::current().id());
        }
    }

    #[test]
    fn what_is_discarded_is_freed_by_another_thread() {
        let (freed, by) = channel();
        let discard = Discard::start();
        discard.take(Heavy(freed));
        assert_ne!(by.recv().unwrap(), thread::current().id());
    }
}
