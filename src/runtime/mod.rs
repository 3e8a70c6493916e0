//! What the chosen skill contains: its text and files, read beneath its directory, and the block
//! for a prompt.
//!
//! Every read goes through one handle on the skill's canonical directory; a path is never joined
//! and opened without this check.

pub mod allowing;
mod block;
mod bodies;
pub mod budget;
mod by_bytes;
mod call_context;
mod calls;
mod consent_gate;
pub mod dialect;
mod facts;
mod fetch;
#[cfg(test)]
mod fixture;
mod folder;
mod judge;
mod launch;
mod listed;
mod load;
mod markup;
mod nested;
mod picture;
pub mod prompt;
mod read;
mod refusal;
pub mod risk;
pub mod session;
mod sizes;
mod suspect;
mod text;

pub use crate::files::beneath::Refusal as PathRefusal;
pub use crate::files::beneath::{EntryKind, FileEntry, LinkEnd, Tree};
/// Types in this room's signatures.
pub use crate::files::digest::Digest;
pub use crate::state::activity::Activity;
pub use block::{Block, BlockError, Files, MAX_FILES, block, text_digest};
pub use bodies::{Bodies, Searched};
pub use by_bytes::{Contents, Part};
pub use call_context::{By, CallContext};
pub use calls::{Called, Calls, Means, called_texts};
pub use consent_gate::{ConsentGate, Reply};
pub use facts::{Facts, directory, facts, tree};
pub use fetch::{FetchError, Fetched};
pub use judge::{Asker, LoadError, judge};
pub use launch::{Clearance, Extra, Launch, LaunchError, MAX_TIMEOUT, RunRequest, exit_code};
pub use listed::below;
pub use load::Loaded;
pub use nested::NestedSkills;
pub use picture::{PICTURE_BYTES, picture};
pub use read::{Encoding, ReadError, Resource, ResourceBody, listed_media_type, read_resource};
pub use refusal::{WantedFile, show_refusal, unread};
pub use sizes::SizeLimits;
pub use suspect::Suspect;
pub use text::{PREVIEW_BYTES, Style, Text, TextError, bytes, excerpt, lead, page, text};
