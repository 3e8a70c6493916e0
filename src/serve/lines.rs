//! Lines that are read and written: how long they may be, how many bytes of them may wait, and
//! whether the other end is still there.

use super::frame::MAX_LINE;
#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, poll};
use std::io::{self, BufRead, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::sync::Arc;
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::Duration;
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

/// Beyond so many bytes of answers that are not written, no other answer is begun.
pub(super) const UNWRITTEN: usize = 4 << 20;

/// What a waiting line takes besides its bytes.
pub(super) const LINE: usize = 64;

/// A line of input.
pub(super) enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// Longer than [`MAX_LINE`]. Its content is dropped.
    TooLong,
}

/// Lines that wait to be written.
#[derive(Clone)]
pub(super) struct Output {
    pub(super) lines: UnboundedSender<Vec<u8>>,
    /// Their bytes.
    pub(super) unwritten: Arc<watch::Sender<usize>>,
}

impl Output {
    pub(super) fn new() -> (Self, UnboundedReceiver<Vec<u8>>) {
        let (lines, written) = unbounded_channel();
        (Self { lines, unwritten: Arc::new(watch::Sender::new(0)) }, written)
    }

    pub(super) fn send(&self, line: Vec<u8>) -> io::Result<()> {
        self.unwritten.send_modify(|bytes| *bytes += line.len() + LINE);
        self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Waits until another answer may be begun; false if the output is closed.
    pub(super) async fn room(&self) -> bool {
        let mut unwritten = self.unwritten.subscribe();
        tokio::select! {
            biased;
            () = self.lines.closed() => false,
            room = unwritten.wait_for(|bytes| *bytes < UNWRITTEN) => room.is_ok(),
        }
    }
}

/// Linux always reports a hang-up, but a half-closed socket only if asked.
#[cfg(target_os = "linux")]
fn asked(is_input: bool) -> PollFlags {
    if is_input { PollFlags::RDHUP } else { PollFlags::empty() }
}

/// macOS reports a hang-up only if something is asked, and half of a socket as all of it.
#[cfg(all(unix, not(target_os = "linux")))]
fn asked(_is_input: bool) -> PollFlags {
    PollFlags::IN | PollFlags::HUP
}

/// Waits until the other end of this stream is closed, even if unread or unwritten bytes wait.
/// Returns false if this cannot be determined.
#[cfg(unix)]
pub(super) fn hung_up(stream: &impl AsFd, is_input: bool) -> bool {
    let asked = asked(is_input);
    loop {
        let mut wanted = [PollFd::new(stream, asked)];
        match poll(&mut wanted, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            // Bytes that nobody reads yet: they would be reported again at once.
            Ok(_) if wanted[0].revents() == PollFlags::IN => thread::sleep(Duration::from_secs(1)),
            Ok(_) => {
                let told = PollFlags::HUP | PollFlags::ERR | asked;
                return wanted[0].revents().intersects(told);
            }
        }
    }
}

/// Reads lines until the input ends or the receiver is gone. The last line needs no line end.
pub(super) fn read(mut input: impl BufRead, lines: &Sender<Line>) {
    let (mut line, mut dropping) = (Vec::new(), false);
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let end = memchr::memchr(b'\n', part);
        let ended = part.is_empty();
        let taken = end.unwrap_or(part.len());
        if !dropping && line.len() + taken > MAX_LINE {
            (line, dropping) = (Vec::new(), true);
        } else if !dropping {
            line.extend_from_slice(&part[..taken]);
        }
        let used = taken + usize::from(end.is_some());
        input.consume(used);
        if end.is_none() && !ended {
            continue;
        }
        let whole = if dropping { Line::TooLong } else { Line::Whole(std::mem::take(&mut line)) };
        dropping = false;
        if lines.blocking_send(whole).is_err() || ended {
            return;
        }
    }
}

pub(super) fn write(
    mut output: impl Write,
    mut lines: UnboundedReceiver<Vec<u8>>,
    unwritten: &watch::Sender<usize>,
) -> io::Result<()> {
    while let Some(line) = lines.blocking_recv() {
        output.write_all(&line)?;
        output.flush()?;
        unwritten.send_modify(|bytes| *bytes -= line.len() + LINE);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use tokio::sync::mpsc::channel;

    /// The lines of an input that comes in parts of `part` bytes; `None` for each that is too long.
    fn lines(input: impl io::Read, part: usize) -> Vec<Option<Vec<u8>>> {
        let (sender, mut lines) = channel(64);
        read(BufReader::with_capacity(part, input), &sender);
        let mut read = Vec::new();
        while let Ok(line) = lines.try_recv() {
            read.push(match line {
                Line::Whole(line) => Some(line),
                Line::TooLong => None,
            });
        }
        read
    }

    #[test]
    fn a_line_is_whole_however_its_bytes_arrive() {
        let text = "\u{fc}\u{1f600}\n\n\u{e9}x\r\nend";
        let expected = ["\u{fc}\u{1f600}", "", "\u{e9}x\r", "end"];
        for part in 1..=text.len() + 1 {
            let read = lines(text.as_bytes(), part);
            let expected: Vec<_> =
                expected.iter().map(|line| Some(line.as_bytes().to_vec())).collect();
            assert_eq!(read, expected, "{part}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_whole() {
        use std::io::Read;
        let long = |bytes: usize| io::repeat(b'x').take(bytes as u64);
        let input =
            long(MAX_LINE).chain(&b"\n"[..]).chain(long(MAX_LINE + 1)).chain(&b"\nnext\n"[..]);
        let read: Vec<Option<usize>> =
            lines(input, 64 << 10).iter().map(|line| line.as_ref().map(Vec::len)).collect();
        assert_eq!(read, [Some(MAX_LINE), None, Some(4), Some(0)]);
    }

    #[test]
    fn a_line_that_is_too_long_at_the_end_is_reported_too() {
        use std::io::Read;
        let read = lines(io::repeat(b'x').take(MAX_LINE as u64 + 1), 64 << 10);
        assert_eq!(read, [None]);
    }
}
