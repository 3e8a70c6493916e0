//! Signals that end the running scripts, and then the server, within a second.
//!
//! A separate thread receives them, so that a slow answer does not delay the end.

use super::Event;
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::task::Poll;
use std::thread;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Notify;

/// Listens from now on. A signal sets `ending`, notifies `quit` and sends [`Event::Signal`].
///
/// # Errors
/// Those of the operating system.
pub(super) fn listen(
    ending: Arc<AtomicBool>,
    quit: Arc<Notify>,
    sender: Sender<Event>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let mut listeners = {
        let _guard = runtime.enter();
        kinds
            .map(|kind| signal(kind).map(|listener| (kind, listener)))
            .into_iter()
            .collect::<io::Result<Vec<_>>>()?
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            loop {
                let kind = poll_fn(|context| {
                    let heard = |(kind, listener): &mut (SignalKind, Signal)| {
                        listener.poll_recv(context).is_ready().then_some(*kind)
                    };
                    listeners.iter_mut().find_map(heard).map_or(Poll::Pending, Poll::Ready)
                })
                .await;
                ending.store(true, Ordering::Relaxed);
                // Sent before anything else ends, so that the server knows that the signal was the
                // cause.
                let is_over = sender.send(Event::Signal(kind.as_raw_value())).is_err();
                quit.notify_one();
                if is_over {
                    return;
                }
            }
        });
    })?;
    Ok(())
}
