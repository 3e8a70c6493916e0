//! Other people's text, made inert and readable.
//!
//! Everything that was not written by us (names, descriptions, bodies, paths, settings values,
//! error texts of the operating system) is shown only as [`SafeText`], whose constructors turn
//! every character that could act on a terminal, or hide something from a reader, into a visible
//! mark. Documents become a [`Doc`]: lines of (text, [`Role`]), broken at a width,
//! each with the source line it came from.
//!
//! This room may not know colours, the terminal, files or any other room: a role says what a span
//! *means*, and the view's theme says what that looks like.

mod characters;
pub mod code;
mod doc;
pub mod fold;
mod glyphs;
mod hidden;
mod inert;
pub mod markdown;
mod marks;
mod plain;
mod safe;
mod size;
mod source;
mod spelling;
pub mod time;
mod width;
pub mod wrap;

pub use crate::inert;
pub use characters::is_hidden;
pub use doc::{Cutoff, Doc, DocLine, DocSpan, Limit, Role, Syntax};
pub use hidden::{Hidden, HiddenAt};
pub use inert::{Inert, Shown};
pub use marks::letters;
pub use safe::SafeText;
pub use size::human_size;
pub use width::width;
