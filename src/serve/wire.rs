//! Lines in, lines out: the transport under the protocol. It bounds a line, answers what is no message, and knows
//! nothing of tools.
//!
//! Two threads of its own stand at the streams, so that a client that neither reads nor writes holds nobody up.

use super::Event;
use super::frame::{self, Frame, MAX_LINE};
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Lines that wait on either side.
const WAITING: usize = 64;

/// A line of input.
enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// Longer than [`MAX_LINE`], and dropped.
    TooLong,
}

/// The server's end of the connection.
pub(super) struct Wire {
    lines: Receiver<Line>,
    output: Option<Sender<Vec<u8>>>,
    /// Answers to what is no message.
    replies: VecDeque<Vec<u8>>,
    begun: bool,
}

/// The thread that writes.
pub(super) struct Writer(mpsc::Receiver<()>);

impl Writer {
    /// Waits until everything is written, no longer than `limit`.
    pub(super) fn flushed(&self, limit: Duration) {
        let _ = self.0.recv_timeout(limit);
    }
}

impl Wire {
    /// Starts the threads; when a stream ends, `ending` is set and [`Event::Ended`] told.
    pub(super) fn start(
        (input, output): (impl Read + Send + 'static, impl Write + Send + 'static),
        (ending, told): (Arc<AtomicBool>, mpsc::Sender<Event>),
    ) -> io::Result<(Self, Writer)> {
        let (lines, reader) = channel(WAITING);
        let (sender, written) = channel(WAITING);
        let (done, flushed) = mpsc::channel();
        let end = move || {
            ending.store(true, Ordering::Relaxed);
            let _ = told.send(Event::Ended);
        };
        let at_end = end.clone();
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            read(BufReader::with_capacity(64 << 10, input), &lines);
            at_end();
        })?;
        thread::Builder::new().name("output".to_owned()).spawn(move || {
            if write(output, written).is_err() {
                end();
            }
            let _ = done.send(());
        })?;
        let wire = Self { lines: reader, output: Some(sender), replies: VecDeque::new(), begun: false };
        Ok((wire, Writer(flushed)))
    }

    /// Whether the messages that answer a frame are the next to be sent; they are sent one by one, so that nothing is
    /// lost where this future is dropped.
    async fn reply(&mut self) -> Option<()> {
        while !self.replies.is_empty() {
            let permit = self.output.as_ref()?.reserve().await.ok()?;
            permit.send(self.replies.pop_front().unwrap_or_default());
        }
        Some(())
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let (line, output) = (frame::line(&item), self.output.clone());
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            output.ok_or_else(closed)?.send(line?).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.reply().await?;
            let output = self.output.clone()?;
            let line = tokio::select! {
                line = self.lines.recv() => line?,
                () = output.closed() => return None,
            };
            let frame = match line {
                Line::Whole(line) => frame::read(&line),
                Line::TooLong => frame::too_long(),
            };
            match frame {
                Frame::Nothing => {}
                Frame::Wrong(answer) => self.replies.push_back(frame::line(&answer).ok()?),
                Frame::Message(message) => {
                    let request = matches!(*message, RxJsonRpcMessage::<RoleServer>::Request(_));
                    self.begun |= request;
                    // Before the first request there is nothing to notify of and nothing to answer.
                    if request || self.begun {
                        return Some(*message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output = None;
        Ok(())
    }
}

/// Reads lines until the input ends or nobody wants them any more; a last line needs no end.
fn read(mut input: impl BufRead, lines: &Sender<Line>) {
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

fn write(mut output: impl Write, mut lines: Receiver<Vec<u8>>) -> io::Result<()> {
    while let Some(line) = lines.blocking_recv() {
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}
