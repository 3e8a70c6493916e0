//! A body that ends when something else does, as a stream of events without an end of its own.

use super::reply::Body;
use hyper::body::{Bytes, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

pub(super) struct Until<K> {
    pub(super) body: Body,
    pub(super) over: Pin<Box<dyn Future<Output = ()> + Send + Sync>>,
    /// What is held as long as the body.
    pub(super) _kept: K,
}

impl<K: Unpin> hyper::body::Body for Until<K> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.over.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(context)
    }
}
