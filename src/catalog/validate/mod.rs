//! Judges a `SKILL.md`: leniently, with warnings and errors, for every skill that is listed, and
//! strictly as the reference validator does. It does not depend on a host: profiles say which hosts
//! refuse a skill for a finding.

pub(super) mod fields;
pub(super) mod name;
mod sidecar;
mod strict;

pub use sidecar::Sidecar;
pub use strict::{Strict, strict};

use super::frontmatter::{self, OPENER, Reading};
use super::{Cause, Check, Diagnostic, Invocation, Place, Properties, Severity, checks};
use crate::text::{Hidden, HiddenAt, estimated_tokens, human_size};
use std::path::Path;

/// The file name that every agent looks for.
pub const FILE_NAME: &str = "SKILL.md";

/// The result of examining a `SKILL.md`. All texts are other people's: show them only through
/// [`crate::text::SafeText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// The frontmatter's name, trimmed, or the directory's name if there is none.
    pub name: String,
    /// Whether the name is the directory's.
    pub name_from_directory: bool,
    /// The description as YAML gives it; empty if there is none.
    pub description: String,
    pub properties: Properties,
    pub invocation: Invocation,
    /// The top-level keys, in file order.
    pub fields: Vec<String>,
    /// Everything that is wrong, in file order.
    pub diagnostics: Vec<Diagnostic>,
    /// The byte at which the body starts.
    pub body: usize,
    /// The body's first line, from 1.
    pub body_line: u32,
    /// See [`Reading::unclosed`].
    pub unclosed: bool,
}

/// Why a skill must not have this name: a rule of the specification, or a letter beyond a–z, which
/// some agents refuse. Other people's text.
pub fn refused_name(text: &str) -> Option<String> {
    let found = name::diagnostics(text, text, Place::START);
    let blank = text.trim().is_empty().then(|| "the name is empty".to_owned());
    blank.or_else(|| found.into_iter().next().map(|finding| finding.message))
}

/// The name of a skill's file that the reference validator also accepts.
pub const LOWER_CASE: &str = "skill.md";

/// What is wrong with the name of a skill's file.
fn misnamed(file_name: &str) -> Option<Diagnostic> {
    let check = match file_name {
        FILE_NAME => return None,
        LOWER_CASE => &checks::FILE_CASE,
        _ => &checks::FILE_NAME,
    };
    Some(named(check, file_name))
}

fn named(check: &'static Check, file_name: &str) -> Diagnostic {
    let message = format!("the file's name is '{file_name}', not {FILE_NAME}");
    Diagnostic::new(check, Place::START, message)
}

/// The finding about a file that is `SKILL.md` only where upper and lower case are the same.
pub fn folded(file_name: &str) -> Diagnostic {
    named(&checks::FILE_FOLDED, file_name)
}

/// Whether a finding applies to a single file, which needs no name and has no directory whose name
/// it should have.
pub fn fits_single_file(check: &Check) -> bool {
    let of_name = [&checks::NAME_MISSING, &checks::NAME_EMPTY, &checks::NAME_DIR_MISMATCH];
    !of_name.contains(&check)
}

/// Examines a skill file, or a prefix of it that holds the frontmatter. `directory` is the name of
/// the directory as found, `file_name` that of the file. It never fails: a skill with errors is a
/// result too, but cannot be offered.
pub fn examine(bytes: &[u8], directory: &str, file_name: &str) -> Examined {
    let reading = frontmatter::read(bytes);
    let mut diagnostics = Vec::new();
    diagnostics.extend(misnamed(file_name));
    if bytes.is_empty() {
        diagnostics.push(unreadable("", Unreadable::Empty));
    } else {
        diagnostics.extend(reading.findings.iter().cloned());
        diagnostics.extend(body_encoding(bytes, &reading));
    }
    // If the frontmatter cannot be read, nobody knows what it lacks.
    if !reading.findings.iter().any(|finding| finding.severity() == Severity::Error) {
        field_diagnostics(&reading, directory, &mut diagnostics);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.place);
    let own_name = own_name(&reading);
    Examined {
        name: own_name.unwrap_or(directory).to_owned(),
        name_from_directory: own_name.is_none(),
        description: reading
            .field("description")
            .and_then(|field| field.value.text())
            .unwrap_or_default()
            .to_owned(),
        properties: fields::properties(&reading),
        invocation: fields::invocation(&reading),
        diagnostics,
        body: reading.body,
        body_line: reading.body_line,
        unclosed: reading.unclosed(),
        fields: reading.fields.into_iter().map(|field| field.key).collect(),
    }
}

/// The frontmatter's name, trimmed; `None` if it has none, and the directory's counts.
pub fn own_name(reading: &Reading) -> Option<&str> {
    let name = reading.field("name").and_then(|field| field.value.text()).map(name::strip);
    name.filter(|name| !name.is_empty())
}

fn field_diagnostics(reading: &Reading, directory: &str, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.extend(fields::unexpected(reading));
    match reading.field("name") {
        None => {
            let message = format!("there is no name; the directory's, '{directory}', is used");
            diagnostics.push(Diagnostic::new(&checks::NAME_MISSING, OPENER, message));
        }
        Some(field) => match field.value.text() {
            Some(text) if !name::strip(text).is_empty() => {
                diagnostics.extend(name::diagnostics(text, directory, field.value_place));
            }
            text => {
                let what = text.map_or_else(|| fields::kind(&field.value), |_| "empty");
                let message =
                    format!("the name is {what}; the directory's, '{directory}', is used");
                diagnostics.push(Diagnostic::new(&checks::NAME_EMPTY, field.value_place, message));
            }
        },
    }
    match reading.field("description") {
        None => {
            // It may be there, as a part of the value above it.
            let cause = if reading.torn { Cause::Indent } else { Cause::Usual };
            let missing = Diagnostic::new(&checks::DESC_MISSING, OPENER, "there is no description");
            diagnostics.push(missing.of_cause(cause));
        }
        Some(field) => diagnostics.extend(fields::description(field)),
    }
    diagnostics.extend(reading.field("compatibility").and_then(fields::compatibility));
    diagnostics.extend(reading.field("metadata").and_then(fields::metadata));
}

/// The first byte of the body that is not UTF-8, unless the frontmatter already has one. The bytes
/// may be a prefix of the file, so a character that is cut off at their end does not count.
fn body_encoding(bytes: &[u8], reading: &Reading) -> Option<Diagnostic> {
    let body = bytes.get(reading.body..).unwrap_or_default();
    let error = std::str::from_utf8(body).err()?;
    let known = reading.findings.iter().any(|finding| finding.check == &checks::ENCODING);
    if known || error.error_len().is_none() {
        return None;
    }
    Some(frontmatter::not_utf8(
        &String::from_utf8_lossy(&body[..error.valid_up_to()]),
        reading.body_line,
    ))
}

/// The finding about a file that ends within a character, if these bytes are all of it.
pub fn cut_off(bytes: &[u8], size: u64) -> Option<Diagnostic> {
    let error = std::str::from_utf8(bytes).err()?;
    let is_whole = bytes.len() as u64 >= size;
    let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
    (is_whole && error.error_len().is_none()).then(|| frontmatter::not_utf8(&before, 1))
}

/// The finding about a skill file that hides something from a reader, first at this place.
pub fn hidden_text(hidden: &Hidden, at: HiddenAt) -> Diagnostic {
    let place = Place { line: at.line, column: at.column, width: at.width };
    let message =
        format!("the text hides {}; it is not loaded until it is approved", hidden.words());
    Diagnostic::new(&checks::HIDDEN_TEXT, place, message)
}

/// In bytes. A longer `SKILL.md` is offered with a warning, and a load gives its first part.
pub const LARGE_BYTES: usize = 200_000;

/// The finding about a `SKILL.md` of this size, if it is large.
pub fn large(bytes: u64) -> Option<Diagnostic> {
    let (size, tokens) = (human_size(bytes), estimated_tokens(bytes) / 1000);
    let message = || format!("SKILL.md has {size}, which costs about {tokens}k tokens");
    (bytes > LARGE_BYTES as u64)
        .then(|| Diagnostic::new(&checks::FILE_LARGE, Place::START, message()))
}

/// The finding about a skill at this place, if the place is not UTF-8.
pub fn path_encoding(location: &Path) -> Option<Diagnostic> {
    let message = || format!("the path is not UTF-8: {}", location.to_string_lossy());
    let is_wrong = location.to_str().is_none();
    is_wrong.then(|| Diagnostic::new(&checks::PATH_ENCODING, Place::START, message()))
}

/// A file of a skill is larger than the settings allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{total} bytes; at most {} MiB are read (setting skills.file_size)", limit >> 20)]
pub struct TooLarge {
    /// Its size, bytes.
    pub total: u64,
    /// The setting, bytes.
    pub limit: u64,
}

/// Why a `SKILL.md` could not be read at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unreadable {
    /// It is a directory.
    Directory,
    /// It is a named pipe.
    Pipe,
    /// It is a socket.
    Socket,
    /// It is a device.
    Device,
    /// The operating system refuses. Its reason is needed.
    Refused,
    /// Its folder cannot be read. The operating system's reason is needed.
    Folder,
    /// It has no bytes.
    Empty,
    /// It is a link to nothing. The target is needed.
    Dangling,
    /// Where a folder should be is a link to a file.
    LinkToFile,
    /// It is too large to be loaded. [`TooLarge`] is needed.
    TooLarge,
}

/// The finding for a `SKILL.md` that is a link to a file of another name.
pub fn renamed_link(target: &Path) -> Diagnostic {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let message = format!("SKILL.md is a link to {name}, which has another name");
    Diagnostic::new(&checks::LINK_NAME, Place::START, message)
}

/// The one diagnostic of a skill that could not be read. `reason` adds to the kind: the operating
/// system's words, the link's target or the size. It may be empty.
pub fn unreadable(reason: &str, kind: Unreadable) -> Diagnostic {
    let (check, message) = match kind {
        Unreadable::Directory => (&checks::FILE_KIND, "SKILL.md is a directory"),
        Unreadable::Pipe => (&checks::FILE_KIND, "SKILL.md is a named pipe"),
        Unreadable::Socket => (&checks::FILE_KIND, "SKILL.md is a socket"),
        Unreadable::Device => (&checks::FILE_KIND, "SKILL.md is a device"),
        Unreadable::Refused => (&checks::FILE_UNREADABLE, "SKILL.md cannot be read"),
        Unreadable::Folder => (&checks::FILE_UNREADABLE, "the skill's folder cannot be read"),
        Unreadable::Empty => (&checks::FILE_EMPTY, "SKILL.md is empty"),
        Unreadable::Dangling => (&checks::LINK_DANGLING, "the link leads to nothing"),
        Unreadable::LinkToFile => {
            (&checks::LINK_FILE, "the link leads to a SKILL.md, not to the folder that holds it")
        }
        Unreadable::TooLarge => (&checks::FILE_SIZE, "SKILL.md is too large"),
    };
    let message =
        if reason.is_empty() { message.to_owned() } else { format!("{message}: {reason}") };
    let cause = if kind == Unreadable::Folder { Cause::Folder } else { Cause::Usual };
    Diagnostic::new(check, Place::START, message).of_cause(cause)
}

#[cfg(test)]
mod tests;
