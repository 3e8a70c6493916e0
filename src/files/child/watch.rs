//! Watches a program: writes its input, and enforces its limits on time and output.

use super::{Run, Streams, first, system};
use std::io::{self, Write};
use std::process::{Child, ChildStdin};
use std::time::{Duration, Instant};

/// The longest pause between two checks.
const PAUSE: Duration = Duration::from_millis(15);

pub(super) enum Seen {
    /// It has ended and is not reaped yet.
    Ended,
    /// [`Run::enough`] is true of its output, which has settled.
    Enough,
    TooLate,
    /// [`Run::stop`] is set.
    Stopped,
    /// Its output exceeds [`Run::cap`].
    TooMuch,
}

pub(super) struct Watch<'run> {
    run: &'run Run,
    started: Instant,
    /// Input that it has not read yet.
    rest: &'run [u8],
    /// When all input was written.
    written: Option<Instant>,
    /// Output at the last check, in bytes.
    size: u64,
    /// When it became enough.
    enough_since: Option<Instant>,
}

impl<'run> Watch<'run> {
    pub(super) fn new(run: &'run Run, started: Instant) -> Self {
        Self { run, started, rest: &run.input, written: None, size: 0, enough_since: None }
    }

    /// Checks repeatedly until the program has ended or must be ended. Input that is still open
    /// then stays open: at its end the program could exit by itself before it is ended, and its
    /// code would differ from run to run.
    pub(super) fn follow(mut self, child: &mut Child, streams: &Streams) -> io::Result<Seen> {
        let mut input = child.stdin.take();
        if let Some(input) = &input {
            system::set_nonblocking(input)?;
        }
        let seen = self.check(child, streams, &mut input);
        child.stdin = input;
        seen
    }

    fn check(
        &mut self,
        child: &mut Child,
        streams: &Streams,
        input: &mut Option<ChildStdin>,
    ) -> io::Result<Seen> {
        let mut pause = Duration::from_millis(1);
        loop {
            if system::has_ended(child)? {
                return Ok(Seen::Ended);
            }
            let size = streams.stdout.metadata()?.len();
            if size.max(streams.stderr.metadata()?.len()) > self.run.cap {
                return Ok(Seen::TooMuch);
            }
            if self.is_enough(size, streams)? {
                return Ok(Seen::Enough);
            }
            if self.run.is_stopped() {
                return Ok(Seen::Stopped);
            }
            if self.started.elapsed() >= self.run.timeout {
                return Ok(Seen::TooLate);
            }
            self.feed(input);
            if self.written.is_some_and(|written| written.elapsed() >= self.run.hold) {
                *input = None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
    }

    /// Writes what the program is ready to read. If it closed its input, the rest is dropped.
    fn feed(&mut self, input: &mut Option<ChildStdin>) {
        while let Some(pipe) = input.as_mut().filter(|_| !self.rest.is_empty()) {
            match pipe.write(self.rest) {
                Ok(0) => return,
                Ok(count) => self.rest = self.rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    self.rest = &[];
                    *input = None;
                }
            }
        }
        self.written.get_or_insert_with(Instant::now);
    }

    fn is_enough(&mut self, size: u64, streams: &Streams) -> io::Result<bool> {
        if let Some(judge) = self.run.enough.filter(|_| size > self.size) {
            self.size = size;
            let is_enough = judge(&first(&streams.stdout, self.run.cap)?.0);
            self.enough_since = is_enough.then(Instant::now);
        }
        Ok(self.enough_since.is_some_and(|since| since.elapsed() >= self.run.settle))
    }
}
