//! Search: typed text becomes a [`Query`], and a query finds [`Hit`]s in order.
//!
//! Pure: no files, no clock, no threads. The bodies of `SKILL.md` files are read elsewhere (a
//! worker) and judged here by [`BodySearch`]. This module knows nothing of hosts' settings: how a
//! host judges a skill comes in with its [`Row`](crate::listing::Row).

mod body;
mod needle;
mod query;
mod rank;
mod ranker;
mod spans;
mod suggest;
mod tokens;
mod typo;

pub use body::BodySearch;
pub use query::{Filter, IsValue, Query, QueryProblem, Word, WordKind};
pub use rank::{Context, Hit, Reason, merge_body, rank};
pub use ranker::Ranker;
pub use spans::{highlights, word_spans};
pub use suggest::suggest;
pub use tokens::{Fit, fitting};
pub use typo::distance;
