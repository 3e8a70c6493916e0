//! The transport of the protocol: lines in, lines out. It limits the length of a line, answers
//! invalid messages, and knows no tools.
//!
//! Two threads read and write, so that a client that neither reads nor writes blocks nobody. Two
//! others notice if the client goes away while nothing is read or written.
//!
//! What waits is limited by bytes. While too many bytes of answers are not written, no line is read
//! and no answer is begun. A request that comes while too many bytes of requests have no answer is
//! refused, since the line behind it may be what the others wait for.

use super::Event;
use super::frame::{self, Frame, MAX_LINE};
use super::pending::{BatchId, PendingRequests};
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Stdin, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::{
    Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel,
};
use tokio::sync::watch;
#[cfg(unix)]
use {
    rustix::event::{PollFd, PollFlags, poll},
    std::os::fd::AsFd,
};

/// The most lines that were read and wait, each of up to [`MAX_LINE`] bytes.
const WAITING: usize = 1;

/// The most requests without an answer. Beyond that no line is read.
const MOST: usize = 1024;

/// The most bytes of requests without an answer, of which one may have [`MAX_LINE`].
const MOST_BYTES: usize = MAX_LINE;

/// Beyond so many bytes of answers that are not written, no other answer is begun.
const UNWRITTEN: usize = 4 << 20;

/// What a waiting line takes beside its bytes.
const LINE: usize = 64;

/// A line of input.
enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// Longer than [`MAX_LINE`]. Its content is dropped.
    TooLong,
}

/// Lines that wait to be written.
#[derive(Clone)]
pub(super) struct Output {
    lines: UnboundedSender<Vec<u8>>,
    /// Their bytes.
    unwritten: Arc<watch::Sender<usize>>,
}

impl Output {
    pub(super) fn new() -> (Self, UnboundedReceiver<Vec<u8>>) {
        let (lines, written) = unbounded_channel();
        (Self { lines, unwritten: Arc::new(watch::Sender::new(0)) }, written)
    }

    fn send(&self, line: Vec<u8>) -> io::Result<()> {
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

/// What is told when a stream ends.
pub(super) struct Ends {
    pub(super) ending: Arc<AtomicBool>,
    /// Notified when nobody reads any more, so that nobody waits for an answer either.
    pub(super) quit: Arc<Notify>,
    pub(super) events: mpsc::Sender<Event>,
}

impl Ends {
    fn input(&self) {
        self.ending.store(true, Ordering::Relaxed);
        let _ = self.events.send(Event::Ended);
    }

    fn output(&self) {
        self.input();
        self.quit.notify_one();
    }
}

/// The server's end of the connection.
pub(super) struct StdioTransport {
    lines: Receiver<Line>,
    output: Option<Output>,
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
    /// Starts the threads. `ends` is told when a stream ends.
    pub(super) fn start(
        input: Stdin,
        output: impl Write + Send + 'static,
        ends: Ends,
    ) -> io::Result<(Self, Writer)> {
        let (lines, reader) = channel(WAITING);
        let (queue, written) = Output::new();
        let (done, flushed) = mpsc::channel();
        let ends = Arc::new(ends);
        #[cfg(unix)]
        {
            let (at_input, at_output) = (Arc::clone(&ends), Arc::clone(&ends));
            let input = move || {
                if hung_up(&io::stdin(), END_OF_INPUT) {
                    at_input.input();
                }
            };
            let output = move || {
                if hung_up(&io::stdout(), PollFlags::empty()) {
                    at_output.output();
                }
            };
            thread::Builder::new().name("hang-up".to_owned()).spawn(input)?;
            thread::Builder::new().name("unread".to_owned()).spawn(output)?;
        }
        let at_input = Arc::clone(&ends);
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            read(BufReader::with_capacity(64 << 10, input), &lines);
            at_input.input();
        })?;
        let unwritten = Arc::clone(&queue.unwritten);
        thread::Builder::new().name("output".to_owned()).spawn(move || {
            if write(output, written, &unwritten).is_err() {
                ends.output();
            }
            let _ = done.send(());
        })?;
        Ok((Self::over(reader, queue), Writer(flushed)))
    }

    fn over(lines: Receiver<Line>, output: Output) -> Self {
        Self {
            lines,
            output: Some(output),
            ready: VecDeque::new(),
            pending: PendingRequests::default(),
            begun: false,
        }
    }

    /// The queue of lines to write, which says whether there is room for another answer.
    pub(super) fn output(&self) -> Option<Output> {
        self.output.clone()
    }

    /// Answers an invalid message, or sends a batch that is complete.
    fn reply(&self, line: Option<Vec<u8>>) -> io::Result<()> {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        line.map_or(Ok(()), |line| self.output.as_ref().ok_or_else(closed)?.send(line))
    }

    /// Handles a frame of so many bytes.
    fn take(&mut self, frame: Frame, bytes: usize, batch: Option<BatchId>) -> io::Result<()> {
        match frame {
            Frame::Nothing => Ok(()),
            Frame::Wrong(answer) => self.refuse(&answer, batch),
            Frame::Message(message) => self.admit(*message, bytes, batch),
            Frame::Batch(parts) => {
                let (batch, bytes) = (self.pending.open(), bytes / parts.len().max(1));
                for part in parts {
                    self.take(part, bytes, Some(batch))?;
                }
                let whole = self.pending.close(batch);
                self.reply(whole)
            }
        }
    }

    fn refuse(
        &mut self,
        answer: &TxJsonRpcMessage<RoleServer>,
        batch: Option<BatchId>,
    ) -> io::Result<()> {
        let line = self.pending.wrong(answer, batch)?;
        self.reply(line)
    }

    fn admit(
        &mut self,
        message: RxJsonRpcMessage<RoleServer>,
        bytes: usize,
        batch: Option<BatchId>,
    ) -> io::Result<()> {
        match &message {
            RxJsonRpcMessage::<RoleServer>::Request(request) => {
                self.begun |= frame::begins(request);
                if let Some(answer) = self.unasked(&request.id, bytes, batch) {
                    return self.refuse(&answer, batch);
                }
            }
            // Before a connection has begun there are no notifications and no answers.
            _ if !self.begun => return Ok(()),
            RxJsonRpcMessage::<RoleServer>::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    let rest = self.pending.cancel(id);
                    self.reply(rest)?;
                }
            }
            _ => {}
        }
        self.ready.push_back(message);
        Ok(())
    }

    /// Notes a request as one without an answer, or returns the error for it.
    fn unasked(
        &mut self,
        id: &RequestId,
        bytes: usize,
        batch: Option<BatchId>,
    ) -> Option<TxJsonRpcMessage<RoleServer>> {
        if self.pending.bytes() + bytes > MOST_BYTES {
            return Some(frame::too_much(id.clone()));
        }
        (!self.pending.ask(id, bytes, batch)).then(|| frame::asked_twice(id.clone()))
    }
}

impl Transport<RoleServer> for StdioTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        // The bytes count from now on, and the sender waits until there is room for more.
        let sent = self.pending.send(&item).and_then(|line| self.reply(line));
        let output = self.output.clone();
        async move {
            sent?;
            if let Some(output) = output {
                output.room().await;
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            let output = self.output.clone()?;
            // A client that sends requests but reads no answers has to wait. This is called again
            // after each answer.
            if !output.room().await {
                return None;
            }
            if self.pending.len() >= MOST {
                output.lines.closed().await;
                return None;
            }
            let line = tokio::select! {
                line = self.lines.recv() => line?,
                () = output.lines.closed() => return None,
            };
            let (frame, bytes) = match line {
                Line::Whole(line) => (frame::read(&line, self.pending.batched()), line.len()),
                Line::TooLong => (frame::too_long(), 0),
            };
            self.take(frame, bytes, None).ok()?;
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output = None;
        Ok(())
    }
}

/// The kernel always reports that both ends are closed, but a half-closed socket only if asked.
#[cfg(target_os = "linux")]
const END_OF_INPUT: PollFlags = PollFlags::RDHUP;
#[cfg(all(unix, not(target_os = "linux")))]
const END_OF_INPUT: PollFlags = PollFlags::empty();

/// Waits until the other end of this stream is closed, even if unread or unwritten bytes wait.
/// Returns false if this cannot be determined.
#[cfg(unix)]
fn hung_up(stream: &impl AsFd, asked: PollFlags) -> bool {
    loop {
        let mut wanted = [PollFd::new(stream, asked)];
        match poll(&mut wanted, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => {
                let told = PollFlags::HUP | PollFlags::ERR | asked;
                return wanted[0].revents().intersects(told);
            }
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

fn write(
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
    use serde_json::{Value, json};

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
    fn what_is_too_long_at_the_end_is_told_as_well() {
        use std::io::Read;
        let read = lines(io::repeat(b'x').take(MAX_LINE as u64 + 1), 64 << 10);
        assert_eq!(read, [None]);
    }

    /// The server's end of a connection with these lines as input, and what it writes.
    fn connection(lines: &[Value]) -> (StdioTransport, UnboundedReceiver<Vec<u8>>) {
        let (sender, reader) = channel(64);
        for line in lines {
            assert!(sender.try_send(Line::Whole(line.to_string().into_bytes())).is_ok());
        }
        let (output, written) = Output::new();
        (StdioTransport::over(reader, output), written)
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

    #[tokio::test]
    async fn requests_are_refused_while_too_many_of_their_bytes_wait_and_then_taken_again() {
        let large = |id: &str| {
            let mut ping = ping(id);
            ping["params"] = json!({ "x": "x".repeat(MOST_BYTES / 2) });
            ping
        };
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": { "requestId": "a" } });
        let (mut transport, mut written) =
            connection(&[begin(), large("a"), large("b"), ping("c"), cancel, large("d")]);
        let expected = [json!(0), json!("a"), json!("c"), Value::Null, json!("d")];
        assert_eq!(ids(&mut transport).await, expected);
        let answer: Value = serde_json::from_slice(&written.try_recv().unwrap()).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("b"), &json!(-32000)));
        assert!(written.try_recv().is_err());
    }

    #[tokio::test]
    async fn nothing_is_taken_while_too_many_bytes_are_not_written() {
        let (mut transport, mut written) = connection(&[ping("a")]);
        let output = transport.output().unwrap();
        output.send(vec![b'x'; UNWRITTEN]).unwrap();
        let mut waiting = Box::pin(transport.receive());
        assert!(poll_once(&mut waiting).is_pending());
        drop(waiting);
        let line = written.try_recv().unwrap();
        output.unwritten.send_modify(|bytes| *bytes -= line.len() + LINE);
        assert!(transport.receive().await.is_some());
    }

    fn poll_once<F: Future + Unpin>(future: &mut F) -> std::task::Poll<F::Output> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        std::pin::Pin::new(future).poll(&mut context)
    }
}
