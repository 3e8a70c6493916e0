//! The transport of the protocol: lines in, lines out. It limits the length of a line, answers
//! invalid messages, and knows no tools.
//!
//! Two threads read and write, so that a client that neither reads nor writes blocks nobody. A
//! third one notices if the client goes away while no input is read.

use super::Event;
use super::frame::{self, Frame, MAX_LINE};
use super::pending::{BatchId, PendingRequests};
use rmcp::RoleServer;
use rmcp::model::ClientNotification;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Stdin, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The most lines that wait in each direction.
const WAITING: usize = 64;

/// The most requests without an answer. Beyond that no line is read.
const MOST: usize = 1024;

/// A line of input.
enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// Longer than [`MAX_LINE`]. Its content is dropped.
    TooLong,
}

/// The server's end of the connection.
pub(super) struct StdioTransport {
    lines: Receiver<Line>,
    output: Option<Sender<Vec<u8>>>,
    /// Answers to invalid messages.
    replies: VecDeque<Vec<u8>>,
    /// Messages that were read and wait to be handled.
    ready: VecDeque<RxJsonRpcMessage<RoleServer>>,
    pending: PendingRequests,
    begun: bool,
}

/// The thread that writes.
pub(super) struct Writer(mpsc::Receiver<()>);

impl Writer {
    /// Waits at most `limit` until everything is written.
    pub(super) fn flushed(&self, limit: Duration) {
        let _ = self.0.recv_timeout(limit);
    }
}

impl StdioTransport {
    /// Starts the threads. When a stream ends, `ending` is set and [`Event::Ended`] sent.
    pub(super) fn start(
        input: Stdin,
        output: impl Write + Send + 'static,
        ending: Arc<AtomicBool>,
        events: mpsc::Sender<Event>,
    ) -> io::Result<(Self, Writer)> {
        let (lines, reader) = channel(WAITING);
        let (sender, written) = channel(WAITING);
        let (done, flushed) = mpsc::channel();
        let end = move || {
            ending.store(true, Ordering::Relaxed);
            let _ = events.send(Event::Ended);
        };
        #[cfg(unix)]
        {
            let gone = end.clone();
            let listen = move || {
                if hung_up(&io::stdin()) {
                    gone()
                }
            };
            thread::Builder::new().name("hang-up".to_owned()).spawn(listen)?;
        }
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
        let transport = Self {
            lines: reader,
            output: Some(sender),
            replies: VecDeque::new(),
            ready: VecDeque::new(),
            pending: PendingRequests::default(),
            begun: false,
        };
        Ok((transport, Writer(flushed)))
    }

    /// Sends the answers to invalid messages one by one, so that none is lost if this future is
    /// dropped. `None` if the output is closed.
    async fn reply(&mut self) -> Option<()> {
        while !self.replies.is_empty() {
            let permit = self.output.as_ref()?.reserve().await.ok()?;
            permit.send(self.replies.pop_front().unwrap_or_default());
        }
        Some(())
    }

    /// Handles a frame.
    fn take(&mut self, frame: Frame, batch: Option<BatchId>) -> io::Result<()> {
        match frame {
            Frame::Nothing => {}
            Frame::Wrong(answer) => self.replies.extend(self.pending.wrong(&answer, batch)?),
            Frame::Message(message) => self.admit(*message, batch)?,
            Frame::Batch(parts) => {
                let batch = self.pending.open();
                for part in parts {
                    self.take(part, Some(batch))?;
                }
                self.replies.extend(self.pending.close(batch));
            }
        }
        Ok(())
    }

    fn admit(
        &mut self,
        message: RxJsonRpcMessage<RoleServer>,
        batch: Option<BatchId>,
    ) -> io::Result<()> {
        match &message {
            RxJsonRpcMessage::<RoleServer>::Request(request) => {
                self.begun |= frame::begins(request);
                if !self.pending.ask(&request.id, batch) {
                    let answer = frame::asked_twice(request.id.clone());
                    self.replies.extend(self.pending.wrong(&answer, batch)?);
                    return Ok(());
                }
            }
            // Before a connection has begun there are no notifications and no answers.
            _ if !self.begun => return Ok(()),
            RxJsonRpcMessage::<RoleServer>::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.replies.extend(self.pending.cancel(id));
                }
            }
            _ => {}
        }
        self.ready.push_back(message);
        Ok(())
    }
}

impl Transport<RoleServer> for StdioTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let (line, output) = (self.pending.send(&item), self.output.clone());
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let Some(line) = line? else { return Ok(()) };
            output.ok_or_else(closed)?.send(line).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.reply().await?;
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            let output = self.output.clone()?;
            // A client that sends requests but reads no answers has to wait, since the answers for
            // it are limited. This is called again after each answer.
            drop(output.reserve().await.ok()?);
            if self.pending.len() >= MOST {
                output.closed().await;
                return None;
            }
            let line = tokio::select! {
                line = self.lines.recv() => line?,
                () = output.closed() => return None,
            };
            let frame = match line {
                Line::Whole(line) => frame::read(&line, self.pending.batched()),
                Line::TooLong => frame::too_long(),
            };
            self.take(frame, None).ok()?;
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output = None;
        Ok(())
    }
}

/// Waits until nobody can write to this stream any more, even if it has unread input. Returns false
/// if this cannot be determined.
#[cfg(unix)]
fn hung_up(stream: &impl AsFd) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    // The kernel always reports a hang-up, but a half-closed socket only if asked.
    #[cfg(target_os = "linux")]
    let asked = PollFlags::RDHUP;
    #[cfg(not(target_os = "linux"))]
    let asked = PollFlags::empty();
    loop {
        let mut wanted = [PollFd::new(stream, asked)];
        match poll(&mut wanted, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => return wanted[0].revents().intersects(PollFlags::HUP | asked),
        }
    }
}

/// Reads lines until the input ends or the receiver is gone. The last line needs no line end.
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The lines of an input that comes in parts of `part` bytes; `None` for each that is too long.
    fn lines(input: impl io::Read, part: usize) -> Vec<Option<Vec<u8>>> {
        let (sender, mut lines) = channel(WAITING);
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
    fn what_is_too_long_at_the_end_is_told_as_well() {
        use std::io::Read;
        let read = lines(io::repeat(b'x').take(MAX_LINE as u64 + 1), 64 << 10);
        assert_eq!(read, [None]);
    }

    /// The server's end of a connection with these lines as input, and what it writes.
    fn connection(lines: &[Value]) -> (StdioTransport, Receiver<Vec<u8>>) {
        let (sender, reader) = channel(WAITING);
        for line in lines {
            assert!(sender.try_send(Line::Whole(line.to_string().into_bytes())).is_ok());
        }
        let (output, written) = channel(WAITING);
        let transport = StdioTransport {
            lines: reader,
            output: Some(output),
            replies: VecDeque::new(),
            ready: VecDeque::new(),
            pending: PendingRequests::default(),
            begun: false,
        };
        (transport, written)
    }

    fn begin() -> Value {
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" } } })
    }

    fn ping(id: &str) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })
    }

    /// The ids of all messages that arrive; a notification has none.
    async fn ids(transport: &mut StdioTransport) -> Vec<Value> {
        let mut ids = Vec::new();
        while let Some(message) = transport.receive().await {
            ids.push(serde_json::to_value(&message).unwrap()["id"].clone());
        }
        ids
    }

    #[tokio::test]
    async fn before_it_has_begun_a_connection_takes_requests_alone() {
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let (mut transport, _written) = connection(&[note.clone(), ping("a"), begin(), note]);
        assert_eq!(ids(&mut transport).await, [json!("a"), json!(0), Value::Null]);
    }

    #[tokio::test]
    async fn a_second_request_of_an_id_is_an_error_until_the_first_is_cancelled() {
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": { "requestId": "a" } });
        let (mut transport, mut written) =
            connection(&[begin(), ping("a"), ping("a"), cancel, ping("a")]);
        let expected = [json!(0), json!("a"), Value::Null, json!("a")];
        assert_eq!(ids(&mut transport).await, expected);
        let answer: Value = serde_json::from_slice(&written.try_recv().unwrap()).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("a"), &json!(-32600)));
        assert!(written.try_recv().is_err());
    }

    #[tokio::test]
    async fn an_error_is_written_before_the_next_message_is_taken() {
        let (mut transport, mut written) = connection(&[json!(7), ping("a")]);
        assert!(transport.receive().await.is_some());
        let answer: Value = serde_json::from_slice(&written.try_recv().unwrap()).unwrap();
        assert_eq!(answer["error"]["code"], -32600);
    }

    #[tokio::test]
    async fn nothing_is_taken_once_nobody_reads_the_answers() {
        let (mut transport, written) = connection(&[ping("a")]);
        drop(written);
        assert!(transport.receive().await.is_none());
    }
}
