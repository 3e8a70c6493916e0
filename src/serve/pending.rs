//! Requests that have no answer yet. An id is used by one request at a time. The answers to a
//! batch, which only protocol 2025-03-26 has, are sent together.

use super::frame;
use rmcp::RoleServer;
use rmcp::model::{ProtocolVersion, RequestId, ServerResult};
use rmcp::service::TxJsonRpcMessage;
use serde_json::Value;
use std::collections::HashMap;
use std::io;

pub(super) type BatchId = u64;

/// A request that has no answer yet.
#[derive(Debug)]
struct Request {
    bytes: usize,
    batch: Option<BatchId>,
}

/// The answers to a batch so far.
#[derive(Debug, Default)]
struct Batch {
    /// Requests without an answer.
    open: usize,
    answers: Vec<Value>,
    /// Whether all of its messages were read.
    whole: bool,
}

/// The requests that have no answer yet.
#[derive(Debug, Default)]
pub(super) struct PendingRequests {
    asked: HashMap<RequestId, Request>,
    /// The bytes of all of them.
    bytes: usize,
    batches: HashMap<BatchId, Batch>,
    next: BatchId,
    batched: bool,
}

impl PendingRequests {
    /// Whether the protocol that was agreed upon has batches.
    pub(super) fn batched(&self) -> bool {
        self.batched
    }

    /// How many requests have no answer yet.
    pub(super) fn len(&self) -> usize {
        self.asked.len()
    }

    /// How many bytes these have.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn open(&mut self) -> BatchId {
        self.next += 1;
        self.batches.insert(self.next, Batch::default());
        self.next
    }

    /// Adds a request of so many bytes; false if a request with this id is still being answered.
    pub(super) fn ask(&mut self, id: &RequestId, bytes: usize, batch: Option<BatchId>) -> bool {
        if self.asked.contains_key(id) {
            return false;
        }
        self.asked.insert(id.clone(), Request { bytes, batch });
        self.bytes += bytes;
        if let Some(batch) = batch.and_then(|batch| self.batches.get_mut(&batch)) {
            batch.open += 1;
        }
        true
    }

    /// Notes that all messages of the batch were read. Returns its answers if they are complete.
    pub(super) fn close(&mut self, id: BatchId) -> Option<Vec<u8>> {
        self.batches.get_mut(&id)?.whole = true;
        self.done(id)
    }

    /// The error line for an invalid message; `None` until its batch is complete.
    pub(super) fn wrong(
        &mut self,
        answer: &TxJsonRpcMessage<RoleServer>,
        batch: Option<BatchId>,
    ) -> io::Result<Option<Vec<u8>>> {
        match batch.and_then(|batch| self.batches.get_mut(&batch)) {
            Some(batch) => batch.answers.push(serde_json::to_value(answer)?),
            None => return frame::line(answer).map(Some),
        }
        Ok(None)
    }

    /// Notes that a request will not be answered. Returns the answers of its batch if they are
    /// complete.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<Vec<u8>> {
        let batch = self.forget(id)?;
        self.batches.get_mut(&batch)?.open -= 1;
        self.done(batch)
    }

    /// Takes a request away, and returns its batch.
    fn forget(&mut self, id: &RequestId) -> Option<BatchId> {
        let Request { bytes, batch } = self.asked.remove(id)?;
        self.bytes -= bytes;
        batch
    }

    /// The line for a message of ours; `None` while the rest of its batch is missing.
    pub(super) fn send(
        &mut self,
        message: &TxJsonRpcMessage<RoleServer>,
    ) -> io::Result<Option<Vec<u8>>> {
        let id = match message {
            TxJsonRpcMessage::<RoleServer>::Response(response) => {
                if let ServerResult::InitializeResult(result) = &response.result {
                    self.batched = result.protocol_version == ProtocolVersion::V_2025_03_26;
                }
                Some(&response.id)
            }
            TxJsonRpcMessage::<RoleServer>::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let batch = id.and_then(|id| self.forget(id));
        let Some((id, batch)) = batch.and_then(|id| Some((id, self.batches.get_mut(&id)?))) else {
            return frame::line(message).map(Some);
        };
        batch.answers.push(serde_json::to_value(message)?);
        batch.open -= 1;
        Ok(self.done(id))
    }

    /// The answers of a batch if they are complete. A batch of notifications has none.
    fn done(&mut self, id: BatchId) -> Option<Vec<u8>> {
        self.batches.get(&id).filter(|batch| batch.whole && batch.open == 0)?;
        let answers = self.batches.remove(&id)?.answers;
        if answers.is_empty() { None } else { frame::line(&answers).ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::ErrorData;
    use serde_json::json;

    type Message = TxJsonRpcMessage<RoleServer>;

    fn id(number: i64) -> RequestId {
        RequestId::Number(number)
    }

    fn answer(number: i64) -> Message {
        Message::error(ErrorData::invalid_params("x", None), Some(id(number)))
    }

    fn ids(line: Option<Vec<u8>>) -> Option<Vec<Value>> {
        let line: Value = serde_json::from_slice(&line?).unwrap();
        let ids = line.as_array().unwrap().iter();
        Some(ids.map(|one| one.get("id").cloned().unwrap_or_default()).collect())
    }

    #[test]
    fn an_id_is_free_again_once_it_is_answered_or_cancelled() {
        let mut pending = PendingRequests::default();
        assert!(pending.ask(&id(1), 1, None));
        assert!(!pending.ask(&id(1), 1, None));
        assert!(pending.send(&answer(1)).unwrap().is_some());
        assert!(pending.ask(&id(1), 1, None));
        assert_eq!(pending.cancel(&id(1)), None);
        assert_eq!((pending.len(), pending.bytes()), (0, 0));
        assert!(pending.ask(&id(1), 1, None));
        assert!(pending.ask(&RequestId::String("1".into()), 1, None), "a text is another id");
    }

    #[test]
    fn the_answers_to_a_batch_are_sent_together() {
        let mut pending = PendingRequests::default();
        let batch = pending.open();
        assert!(pending.ask(&id(1), 1, Some(batch)));
        assert_eq!(pending.send(&answer(1)).unwrap(), None, "not all of it is taken in");
        assert!(pending.ask(&id(2), 1, Some(batch)));
        assert_eq!(pending.close(batch), None);
        assert_eq!(ids(pending.send(&answer(2)).unwrap()), Some(vec![json!(1), json!(2)]));
        assert!(pending.batches.is_empty());
    }

    #[test]
    fn a_cancelled_request_holds_up_no_batch() {
        let mut pending = PendingRequests::default();
        let batch = pending.open();
        assert!(pending.ask(&id(1), 1, Some(batch)) && pending.ask(&id(2), 1, Some(batch)));
        assert_eq!(pending.close(batch), None);
        assert_eq!(pending.send(&answer(1)).unwrap(), None);
        assert_eq!(ids(pending.cancel(&id(2))), Some(vec![json!(1)]));
        assert_eq!(pending.cancel(&id(2)), None);
    }

    #[test]
    fn what_is_no_message_is_answered_with_its_batch() {
        let mut pending = PendingRequests::default();
        let wrong = Message::error(ErrorData::invalid_request("x", None), None);
        assert!(pending.wrong(&wrong, None).unwrap().is_some(), "alone at once");
        let batch = pending.open();
        assert_eq!(pending.wrong(&wrong, Some(batch)).unwrap(), None);
        assert_eq!(ids(pending.close(batch)), Some(vec![Value::Null]));
    }

    #[test]
    fn a_batch_of_notifications_has_no_answer_and_leaves_nothing() {
        let mut pending = PendingRequests::default();
        let batch = pending.open();
        assert_eq!(pending.close(batch), None);
        assert!(pending.batches.is_empty());
    }
}
