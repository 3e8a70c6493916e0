//! Signals, panics and hang-ups. Each of them leaves the terminal as it was found.

use super::device::{self, Device};
use crate::inert;
use crate::output;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::Signal;
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;
use tokio::signal::unix::{Signal as Listener, SignalKind, signal};

/// The time that a sent signal may take to arrive.
const ON_ITS_WAY: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignalEvent {
    End(Signal),
    Stop,
    Size,
}

impl SignalEvent {
    /// The signal that ends us. With `another` process in the job, interrupt and quit may be keys
    /// meant for that one.
    pub(super) fn end(self, another: bool) -> Option<Signal> {
        match self {
            Self::End(Signal::INT | Signal::QUIT) if another => None,
            Self::End(signal) => Some(signal),
            Self::Stop | Self::Size => None,
        }
    }
}

/// The handled signals. They are listened to before the terminal is entered.
pub(super) struct Signals(Vec<(SignalEvent, Listener)>);

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        let ends = [
            (SignalKind::terminate(), Signal::TERM),
            (SignalKind::interrupt(), Signal::INT),
            (SignalKind::hangup(), Signal::HUP),
            (SignalKind::quit(), Signal::QUIT),
        ];
        let others = [
            (SignalKind::from_raw(Signal::TSTP.as_raw()), SignalEvent::Stop),
            (SignalKind::window_change(), SignalEvent::Size),
        ];
        let all =
            ends.map(|(kind, number)| (kind, SignalEvent::End(number))).into_iter().chain(others);
        all.map(|(kind, event)| Ok((event, signal(kind)?))).collect::<io::Result<_>>().map(Self)
    }

    pub(super) async fn next(&mut self) -> SignalEvent {
        std::future::poll_fn(|context| {
            for (event, listener) in &mut self.0 {
                if listener.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(*event);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }

    /// A signal to end that has been sent already. Others are dropped; for `another` see
    /// [`SignalEvent::end`].
    pub(super) async fn end_sent(&mut self, another: bool) -> Option<Signal> {
        while let Ok(event) = tokio::time::timeout(ON_ITS_WAY, self.next()).await {
            if let Some(signal) = event.end(another) {
                return Some(signal);
            }
        }
        None
    }
}

/// A panic of the loop restores the terminal, then prints its message. A worker's panic becomes a
/// notice of the model.
pub(super) fn hook_panics() {
    let main = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == main {
            device::leave();
            output::last_words(&inert!("this is a bug: {}", info.to_string()));
        }
    }));
}

/// The time that the loop has to end by itself when the terminal is gone: to end an editor, and to
/// keep what was written.
const FAREWELL: Duration = Duration::from_secs(3);

/// Ends the program when the terminal is gone, even if nobody reads from it and the signal is
/// ignored.
pub(super) fn watch_for_hang_up(device: &Device) -> io::Result<()> {
    let tty = device.handle()?;
    let body = move || {
        if waits_for_hang_up(&tty, ASKED, None) {
            std::thread::sleep(FAREWELL);
            std::process::exit(128 + Signal::HUP.as_raw());
        }
    };
    std::thread::Builder::new().name("hang-up".to_owned()).spawn(body)?;
    Ok(())
}

/// Hang-up, if the terminal is gone: a failed read or write may come before the signal.
pub(super) fn hang_up_behind(device: &Device) -> Option<i32> {
    let now = Timespec::default();
    let gone = device.handle().is_ok_and(|tty| waits_for_hang_up(&tty, ASKED, Some(&now)));
    gone.then_some(Signal::HUP.as_raw())
}

/// Linux tells of a hang-up whatever is asked for, macOS only who asks for something.
const ASKED: PollFlags = if cfg!(target_os = "linux") {
    PollFlags::empty()
} else {
    PollFlags::IN.union(PollFlags::HUP)
};

/// How long to wait where keys that are not read would be told of again and again.
const UNREAD: Duration = Duration::from_secs(1);

/// Waits until the terminal is gone. Some systems cannot poll a terminal; there a failing read and
/// the signal must do.
fn waits_for_hang_up(tty: &impl AsFd, asked: PollFlags, at_most: Option<&Timespec>) -> bool {
    loop {
        let mut watched = [PollFd::new(tty, asked)];
        let polled = rustix::event::poll(&mut watched, at_most);
        let revents = watched[0].revents();
        match polled {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) if revents.intersects(PollFlags::HUP | PollFlags::ERR) => return true,
            Ok(_) if revents.contains(PollFlags::NVAL) => return false,
            Ok(_) if at_most.is_some() => return false,
            // Keys that wait to be read.
            Ok(_) => std::thread::sleep(UNREAD),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    #[test]
    fn keys_that_nobody_reads_are_no_hang_up_and_hide_none() {
        let (mut person, tty) = UnixStream::pair().unwrap();
        person.write_all(b"keys").unwrap();
        let now = Timespec::default();
        for asked in [PollFlags::empty(), PollFlags::IN | PollFlags::HUP] {
            assert!(!waits_for_hang_up(&tty, asked, Some(&now)), "{asked:?}");
        }
        let gone = std::thread::spawn(move || {
            waits_for_hang_up(&tty, PollFlags::IN | PollFlags::HUP, None)
                && waits_for_hang_up(&tty, PollFlags::empty(), Some(&now))
        });
        std::thread::sleep(Duration::from_millis(100));
        assert!(!gone.is_finished());
        drop(person);
        assert!(gone.join().unwrap());
    }
}
