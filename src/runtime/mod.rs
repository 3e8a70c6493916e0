//! What the chosen skill contains: its text and files, read beneath its directory, and the block
//! for a prompt.
//!
//! Every read goes through one handle on the skill's canonical directory (P1); nothing here joins
//! paths and hopes.

mod block;
mod bodies;
mod calls;
mod desk;
mod facts;
mod fetch;
mod hidden;
mod launch;
mod leave;
mod load;
mod markup;
pub mod prompt;
mod read;
pub mod script;
pub mod session;
mod text;

pub use crate::files::beneath::{Entry as FileEntry, EntryKind, LinkEnd, Refusal, Tree};
/// What the answers of this room are made of.
pub use crate::state::activity::Activity;
pub use block::{Block, BlockError, Files, HARD_BYTES, MAX_FILES, SOFT_BYTES, block};
pub use bodies::Bodies;
pub use calls::{Called, Calls, Means};
pub use desk::{By, Desk};
pub use facts::{Facts, facts, tree};
pub use fetch::{FetchError, Fetched, Within};
pub use hidden::Hidden;
pub use launch::{Clearance, Launch, LaunchError, Wanted, exit_code};
pub use leave::Reply;
pub use load::{Asker, LoadError, Loaded, Suspect, judge};
pub use read::{
    Encoding, HARD_RESOURCE_BYTES, ReadError, Resource, ResourceBody, SOFT_RESOURCE_BYTES,
    read_resource,
};
pub use text::{PREVIEW_BYTES, Style, Text, TextError, bytes, excerpt, lead, page, text};
