//! Signals that end what is running, and then the program, within a second.
//!
//! A separate thread receives them, so that a slow answer does not delay the end.

use std::fs::File;
use std::future::poll_fn;
use std::io;
use std::task::Poll;
use std::thread;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end a server or a script: HUP, INT, TERM.
pub const ENDING: [i32; 3] = [1, 2, 15];

/// The file handles that a runtime opens first.
const HANDLES: usize = 6;

/// Whether a runtime can be made: tokio panics where it may not open so many files.
///
/// # Errors
/// Those of the operating system.
pub fn can_open() -> io::Result<()> {
    (0..HANDLES).map(|_| File::open("/")).collect::<io::Result<Vec<_>>>().map(drop)
}

/// Listens to these signals from now on. `heard` gets the number of each, until it returns false.
///
/// # Errors
/// Those of the operating system.
pub fn listen(
    signals: impl IntoIterator<Item = i32>,
    heard: impl Fn(i32) -> bool + Send + 'static,
) -> io::Result<()> {
    can_open()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let mut listeners = {
        let _guard = runtime.enter();
        let listener = |number| signal(SignalKind::from_raw(number)).map(|heard| (number, heard));
        signals.into_iter().map(listener).collect::<io::Result<Vec<_>>>()?
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            loop {
                let number = poll_fn(|context| {
                    let received = |(number, listener): &mut (i32, Signal)| {
                        listener.poll_recv(context).is_ready().then_some(*number)
                    };
                    listeners.iter_mut().find_map(received).map_or(Poll::Pending, Poll::Ready)
                })
                .await;
                if !heard(number) {
                    return;
                }
            }
        });
    })?;
    Ok(())
}
