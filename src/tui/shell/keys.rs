//! The thread that reads the terminal. It can be paused, so that an editor or a shell gets every
//! key.

use super::input::{Input, Parser};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The longest wait for the reader to pause.
const LET_GO: Duration = Duration::from_secs(1);

pub(super) struct Keys {
    inputs: UnboundedReceiver<Vec<Input>>,
    /// One byte pauses the reader, the next resumes it; closing it ends the reader.
    bell: UnixStream,
    answers: Receiver<()>,
    paused: bool,
}

impl Keys {
    /// Starts the reader. `early` was read before, together with an answer of the terminal.
    pub(super) fn read(tty: File, early: &[u8]) -> io::Result<Self> {
        let (bell, ear) = UnixStream::pair()?;
        let (sender, inputs) = unbounded_channel();
        let (pausing, answers) = sync_channel(1);
        let mut parser = Parser::default();
        let early = parser.feed(early);
        let reader = Reader { tty, ear, parser, sender, pausing };
        let _ = reader.tell(early);
        thread::Builder::new().name("keys".to_owned()).spawn(move || reader.run())?;
        Ok(Self { inputs, bell, answers, paused: false })
    }

    /// The next inputs, all that have come; `None` if the terminal is gone.
    pub(super) async fn next(&mut self) -> Option<Vec<Input>> {
        let mut inputs = self.inputs.recv().await?;
        while let Ok(more) = self.inputs.try_recv() {
            inputs.extend(more);
        }
        Some(inputs)
    }

    /// Stops reading until [`Self::go_on`].
    pub(super) fn pause(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.paused, true) {
            return Ok(());
        }
        self.bell.write_all(b"p")?;
        self.answers
            .recv_timeout(LET_GO)
            .map_err(|_| io::Error::other("the keyboard's reader does not answer"))
    }

    pub(super) fn go_on(&mut self, early: &[u8]) -> io::Result<()> {
        self.paused = false;
        let length = u16::try_from(early.len()).unwrap_or(u16::MAX);
        self.bell.write_all(&length.to_le_bytes())?;
        self.bell.write_all(&early[..usize::from(length)])
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // From now on typed keys are the shell's.
        let _ = self.pause();
    }
}

struct Reader {
    tty: File,
    ear: UnixStream,
    parser: Parser,
    sender: UnboundedSender<Vec<Input>>,
    pausing: SyncSender<()>,
}

impl Reader {
    fn run(mut self) {
        // It ends when the picker is left or the terminal is gone; then the loop's channel closes.
        while self.turn().is_ok() {}
    }

    fn turn(&mut self) -> io::Result<()> {
        let patience = self.parser.patience().and_then(|left| Timespec::try_from(left).ok());
        let mut ready =
            [PollFd::new(&self.ear, PollFlags::IN), PollFd::new(&self.tty, PollFlags::IN)];
        match poll(&mut ready, patience.as_ref()) {
            Err(Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
            Ok(_) => {}
        }
        let [ear, tty] = ready.map(|fd| fd.revents());
        if !ear.is_empty() {
            return self.pause();
        }
        if tty.is_empty() {
            let inputs = self.parser.give_up();
            return self.tell(inputs);
        }
        let mut chunk = [0; 4096];
        let count = match (&self.tty).read(&mut chunk) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(error),
        };
        let inputs = self.parser.feed(&chunk[..count]);
        self.tell(inputs)
    }

    /// Tells what was read. The beginning of a key is no input yet, and wakes nobody.
    fn tell(&self, inputs: Vec<Input>) -> io::Result<()> {
        if inputs.is_empty() {
            return Ok(());
        }
        self.sender.send(inputs).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn pause(&mut self) -> io::Result<()> {
        self.ear.read_exact(&mut [0])?;
        let _ = self.pausing.try_send(());
        let mut length = [0; 2];
        self.ear.read_exact(&mut length)?;
        let mut early = vec![0; usize::from(u16::from_le_bytes(length))];
        self.ear.read_exact(&mut early)?;
        let inputs = self.parser.feed(&early);
        self.tell(inputs)
    }
}
