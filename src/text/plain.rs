//! Raw text as a [`Doc`](super::Doc).
