//! Signals to end: they end the scripts that run, and then the server, within a second (row 38 of the reliability bar).

use super::Event;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use tokio::signal::unix::{SignalKind, signal};

/// Listens from now on, on the runtime that this is called from; `ending` is set and [`Event::Signal`] told.
///
/// # Errors
/// The operating system does not let us.
pub(super) fn listen(ending: Arc<AtomicBool>, told: Sender<Event>) -> io::Result<()> {
    for kind in [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()] {
        let mut listener = signal(kind)?;
        let (ending, told) = (Arc::clone(&ending), told.clone());
        tokio::spawn(async move {
            while listener.recv().await.is_some() {
                ending.store(true, Ordering::Relaxed);
                let _ = told.send(Event::Signal(kind.as_raw_value()));
            }
        });
    }
    Ok(())
}
