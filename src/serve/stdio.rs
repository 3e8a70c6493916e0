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
#[cfg(unix)]
use super::lines::hung_up;
use super::lines::{Line, Output, read, write};
use super::pending::{BatchId, PendingRequests};
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, channel};

/// The most lines that were read and wait, each of up to [`MAX_LINE`] bytes.
const WAITING: usize = 1;

/// The most requests without an answer. Beyond that no line is read.
const MOST: usize = 1024;

/// The most bytes of requests without an answer, of which one may have [`MAX_LINE`].
const MAX_BYTES: usize = MAX_LINE;

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
    pub(super) fn start(input: Stdin, output: File, ends: Ends) -> io::Result<(Self, Writer)> {
        let (lines, reader) = channel(WAITING);
        let (queue, written) = Output::new();
        let (done, flushed) = mpsc::channel();
        let ends = Arc::new(ends);
        #[cfg(unix)]
        {
            let (at_input, at_output) = (Arc::clone(&ends), Arc::clone(&ends));
            let input = move || {
                if hung_up(&io::stdin(), true) {
                    at_input.input();
                }
            };
            let stream = output.try_clone()?;
            let output = move || {
                if hung_up(&stream, false) {
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
        if self.pending.bytes() + bytes > MAX_BYTES {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::lines::{LINE, UNWRITTEN};
    use serde_json::{Value, json};
    use tokio::sync::mpsc::UnboundedReceiver;

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
            ping["params"] = json!({ "x": "x".repeat(MAX_BYTES / 2) });
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
