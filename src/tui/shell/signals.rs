//! Signals, panics and hang-ups: every way out passes here, and leaves the terminal as it was found (L1–L3).

use super::device::{self, Device};
use crate::text::SafeText;
use rustix::event::{PollFd, PollFlags};
use rustix::process::Signal;
use std::io::{self, Write};
use tokio::signal::unix::{Signal as Listener, SignalKind, signal};

/// The signals that end or stop the program.
pub(super) struct Signals(Vec<(i32, Listener)>);

impl Signals {
    /// Listens from now on.
    pub(super) fn listen() -> io::Result<Self> {
        let wanted = [
            (SignalKind::terminate(), Signal::TERM),
            (SignalKind::interrupt(), Signal::INT),
            (SignalKind::hangup(), Signal::HUP),
            (SignalKind::quit(), Signal::QUIT),
            (SignalKind::from_raw(Signal::TSTP.as_raw()), Signal::TSTP),
        ];
        let listen = |(kind, number): (SignalKind, Signal)| Ok((number.as_raw(), signal(kind)?));
        wanted.into_iter().map(listen).collect::<io::Result<_>>().map(Self)
    }

    /// The number of the next one.
    pub(super) async fn next(&mut self) -> i32 {
        std::future::poll_fn(|context| {
            for (number, listener) in &mut self.0 {
                if listener.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(*number);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }
}

/// A panic of the loop restores the terminal before it is told; a worker's is a message of the model (L1).
pub(super) fn hook_panics() {
    let before = std::panic::take_hook();
    let main = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == main {
            device::leave();
            let what = SafeText::line(&info.to_string());
            let _ = writeln!(io::stderr(), "skillpick: this is a bug: {what}");
        }
    }));
    drop(before);
}

/// Ends the program when the terminal is gone, also where nobody reads from it and the signal is ignored (L3).
pub(super) fn watch_for_hang_up(device: &Device) -> io::Result<()> {
    let tty = device.handle()?;
    let body = move || {
        loop {
            let mut watched = [PollFd::new(&tty, PollFlags::empty())];
            let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
            if rustix::event::poll(&mut watched, None).is_ok() && watched[0].revents().intersects(gone) {
                std::process::exit(128 + Signal::HUP.as_raw());
            }
        }
    };
    std::thread::Builder::new().name("hang-up".to_owned()).spawn(body)?;
    Ok(())
}
