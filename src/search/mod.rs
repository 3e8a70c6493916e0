//! Search: typed text becomes a [`Query`], and a query finds [`Hit`]s in order.
//!
//! It is pure: no files, no clock, no threads. A worker reads the bodies of `SKILL.md` files, and
//! [`BodySearch`] judges them. It knows no settings of hosts: a [`Row`](crate::listing::Row) says
//! how a host judges a skill.

mod body;
mod misses;
mod needle;
mod query;
mod rank;
mod ranker;
mod spans;
mod stop_words;
mod suggest;
mod typo;
mod words;

pub use body::{BodyMatch, BodySearch};
pub use misses::Misses;
pub use query::{Filter, IsValue, Query, QueryProblem, Word, WordKind};
pub use rank::{Context, Hit, Reason, merge_body, rank, seen_first};
pub use ranker::Ranker;
pub use spans::{highlights, word_spans};
pub use suggest::suggest;
pub use typo::distance;
pub use words::{Fit, WordIndex, fitting};
