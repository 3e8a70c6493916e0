//! Other people's text, made inert and readable.
//!
//! Text that we did not write (names, descriptions, bodies, paths, settings values, error texts of
//! the operating system) is shown only as [`SafeText`]. Its constructors turn every character that
//! could act on a terminal, or hide something from a reader, into a visible mark. Documents become
//! a [`Doc`]: lines of (text, [`Role`]), broken at a width, each with its source line. [`Hidden`]
//! counts what a text hides, to decide whether a model may read it.
//!
//! This module knows no colours, terminal, files or other modules: a role says what a span *means*,
//! and the theme says how that looks.

pub mod ascii;
mod characters;
pub mod code;
pub mod diff;
mod doc;
pub mod fold;
mod glyphs;
mod hidden;
mod inert;
mod label;
pub mod markdown;
mod marks;
pub mod percent;
mod plain;
mod reason;
mod safe;
pub mod secret;
pub mod shell;
mod size;
mod source;
mod spelling;
pub mod time;
mod utf8;
mod width;
mod words;
pub mod wrap;

pub use crate::inert;
pub use characters::is_hidden;
pub use doc::{Cutoff, DiffKind, Doc, DocLine, DocSpan, Limit, Role, Syntax};
pub use hidden::{Hidden, HiddenAt, HiddenSearch};
pub use inert::Inert;
pub use label::is_plain_label;
pub use marks::each_letter;
pub use reason::{is_nothing, not_started, reason, reason_of};
pub use safe::{SafeText, shortened};
pub use size::{counted, estimated_tokens, human_size, short_number};
pub use utf8::valid_prefix;
pub use width::{is_joined, width};
