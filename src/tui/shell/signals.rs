//! Signals, panics and hang-ups: every way out passes here, and leaves the terminal as it was found
//! (L1–L3).

use super::device::{self, Device};
use crate::inert;
use crate::output;
use crate::text::SafeText;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::Signal;
use std::fs::File;
use std::io;
use std::time::Duration;
use tokio::signal::unix::{Signal as Listener, SignalKind, signal};

/// How long a signal that has been sent may be on its way to the listeners.
const ON_ITS_WAY: Duration = Duration::from_millis(20);

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// To end; the signal.
    End(Signal),
    /// To stop until continued.
    Stop,
    /// The terminal has another size.
    Size,
}

impl Told {
    /// The signal to end, unless it may be a key that was meant for `another` process of the job.
    pub(super) fn end(self, another: bool) -> Option<Signal> {
        match self {
            Self::End(Signal::INT | Signal::QUIT) if another => None,
            Self::End(signal) => Some(signal),
            Self::Stop | Self::Size => None,
        }
    }
}

/// The signals that end, stop or resize the program. They are listened to before the terminal is
/// entered.
pub(super) struct Signals(Vec<(Told, Listener)>);

impl Signals {
    /// Listens from now on.
    pub(super) fn listen() -> io::Result<Self> {
        let ends = [
            (SignalKind::terminate(), Signal::TERM),
            (SignalKind::interrupt(), Signal::INT),
            (SignalKind::hangup(), Signal::HUP),
            (SignalKind::quit(), Signal::QUIT),
        ];
        let others = [
            (SignalKind::from_raw(Signal::TSTP.as_raw()), Told::Stop),
            (SignalKind::window_change(), Told::Size),
        ];
        let all = ends.map(|(kind, number)| (kind, Told::End(number))).into_iter().chain(others);
        all.map(|(kind, told)| Ok((told, signal(kind)?))).collect::<io::Result<_>>().map(Self)
    }

    pub(super) async fn next(&mut self) -> Told {
        std::future::poll_fn(|context| {
            for (told, listener) in &mut self.0 {
                if listener.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(*told);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }

    /// The signal to end that has been sent already, if one has; other signals are forgotten, and
    /// so are those that a key sends to every process of the job if they were meant for `another`.
    pub(super) async fn end_sent(&mut self, another: bool) -> Option<Signal> {
        while let Ok(told) = tokio::time::timeout(ON_ITS_WAY, self.next()).await {
            if let Some(signal) = told.end(another) {
                return Some(signal);
            }
        }
        None
    }
}

/// A panic of the loop restores the terminal before it is told; a worker's is a message of the
/// model (L1).
pub(super) fn hook_panics() {
    let main = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == main {
            device::leave();
            output::last_words(&inert!("this is a bug: {}", SafeText::line(&info.to_string())));
        }
    }));
}

/// Ends the program when the terminal is gone, also where nobody reads from it and the signal is
/// ignored (L3).
pub(super) fn watch_for_hang_up(device: &Device) -> io::Result<()> {
    let tty = device.handle()?;
    let body = move || {
        if waits_for_hang_up(&tty, None) {
            std::process::exit(128 + Signal::HUP.as_raw());
        }
    };
    std::thread::Builder::new().name("hang-up".to_owned()).spawn(body)?;
    Ok(())
}

/// The signal of a terminal that is gone already: a read or a write that fails may be heard of
/// before it.
pub(super) fn hang_up_behind(device: &Device) -> Option<i32> {
    let gone = device.handle().is_ok_and(|tty| waits_for_hang_up(&tty, Some(&Timespec::default())));
    gone.then_some(Signal::HUP.as_raw())
}

/// Waits until the terminal is gone. Some systems cannot poll one: there the reader's end and the
/// signal must do.
fn waits_for_hang_up(tty: &File, at_most: Option<&Timespec>) -> bool {
    loop {
        let mut watched = [PollFd::new(tty, PollFlags::empty())];
        let polled = rustix::event::poll(&mut watched, at_most);
        let revents = watched[0].revents();
        match polled {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) | Ok(0) => return false,
            Ok(_) if revents.intersects(PollFlags::HUP | PollFlags::ERR) => return true,
            Ok(_) if revents.contains(PollFlags::NVAL) => return false,
            Ok(_) => {}
        }
    }
}
