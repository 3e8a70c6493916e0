//! Reads one file of a skill for a model.

use super::folder;
use super::sizes::SizeLimits;
use super::text::{TextError, bytes};
use crate::catalog::Skill;
use crate::catalog::validate::TooLarge;
use crate::files::beneath::{Content, Refusal};
use crate::files::digest::Digest;
use crate::files::sniff::{self, ContentKind};
use crate::text::{human_size, valid_prefix};
use std::path::Path;

/// How the caller wants the bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As UTF-8 text. Anything else is an error.
    #[default]
    Text,
    /// The same where no bytes can be asked for.
    TextOnly,
    Binary,
    /// As text if it is text, otherwise as bytes.
    Either,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceBody {
    /// Other people's text, unchanged.
    Text(String),
    Binary(Vec<u8>),
}

impl ResourceBody {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Binary(bytes) => bytes,
        }
    }

    /// The digest of what is handed over.
    pub(super) fn digest(&self) -> Digest {
        Digest::of(self.bytes())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// At most as much as the limits give. Text is cut between two characters.
    pub body: ResourceBody,
    /// Size of the whole file in bytes.
    pub total: u64,
    /// Whether `body` is only its first part.
    pub cut: bool,
    /// By the extension and the first bytes.
    pub media_type: &'static str,
}

impl Resource {
    /// Bytes of `body`.
    pub fn given(&self) -> usize {
        match &self.body {
            ResourceBody::Text(text) => text.len(),
            ResourceBody::Binary(bytes) => bytes.len(),
        }
    }
}

/// Why a file is not read. The messages name no path: the caller knows it, and shows it cleaned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The path is refused, or nothing is there.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is larger than the settings allow.
    #[error("the file is too large: {0}")]
    TooLarge(TooLarge),
    /// Only the program of this agent has it.
    #[error("it is built into {0}, so there is no file to read")]
    Held(&'static str),
    /// Text was requested, but the file is not text.
    #[error(
        "this is not text but {kind}, {}; {}",
        human_size(*.total),
        if *.bytes { "it can be read as binary only" } else { "binary not supported" }
    )]
    Binary {
        kind: &'static str,
        /// Its size, bytes.
        total: u64,
        /// Whether its bytes can be asked for instead.
        bytes: bool,
    },
}

impl From<TextError> for ReadError {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Refused(refusal) => Self::Refused(refusal),
            TextError::Held(agent) => Self::Held(agent),
            TextError::Binary { kind, total } => Self::Binary { kind, total, bytes: true },
        }
    }
}

impl ReadError {
    /// A stable word for JSON and the log.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => path_code(refusal),
            Self::Held(_) => "held",
            Self::TooLarge(_) => "too_large",
            Self::Binary { .. } => "binary",
        }
    }
}

/// A stable word for JSON and the log.
pub(super) fn path_code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Empty => "empty_path",
        Refusal::Absolute => "absolute_path",
        Refusal::Parent => "parent_path",
        Refusal::Outside => "link_out",
        Refusal::NotFound => "not_found",
        Refusal::NotRegular(_) => "not_regular",
        Refusal::Loop => "link_loop",
        Refusal::Nul => "nul_in_path",
        Refusal::TooManyComponents | Refusal::NameTooLong => "long_path",
        Refusal::Denied => "permission_denied",
        _ => "refused",
    }
}

/// Reads a file of the skill. `relative` is a path beneath its directory, as the skill writes it.
///
/// # Errors
/// [`ReadError`]. The kernel keeps the file beneath the skill's canonical directory.
pub fn read_resource(
    skill: &Skill,
    relative: impl AsRef<Path>,
    encoding: Encoding,
    limits: SizeLimits,
) -> Result<Resource, ReadError> {
    let relative = relative.as_ref();
    let content = content(skill, relative, limits)?;
    let total = content.total;
    let content_kind = sniff::classify(&content.bytes);
    let media_type = media_type(relative, content_kind);
    let given = given(&content, limits);
    let text = |bytes| decoded(&content, content_kind, bytes).map(|text| first_part(text, given));
    let bytes = || ResourceBody::Binary(content.bytes[..given].to_owned());
    let body = match encoding {
        Encoding::Binary => bytes(),
        Encoding::Text => ResourceBody::Text(text(true)?),
        Encoding::TextOnly => ResourceBody::Text(text(false)?),
        Encoding::Either => text(true).map_or_else(|_| bytes(), ResourceBody::Text),
    };
    Ok(Resource { body, total, cut: given < content.bytes.len(), media_type })
}

/// How many bytes of a file are given.
fn given(content: &Content, limits: SizeLimits) -> usize {
    usize::try_from(limits.given).unwrap_or(usize::MAX).min(content.bytes.len())
}

/// So many bytes of a text, or fewer: it is cut between two characters.
fn first_part(text: &str, given: usize) -> String {
    text[..text.floor_char_boundary(given)].to_owned()
}

/// The text of a file of the skill.
pub(super) fn resource_text(
    skill: &Skill,
    relative: &str,
    limits: SizeLimits,
) -> Result<String, ReadError> {
    let content = content(skill, Path::new(relative), limits)?;
    let text = decoded(&content, sniff::classify(&content.bytes), true)?;
    Ok(first_part(text, given(&content, limits)))
}

/// The whole file, even if only its first part is given: a later part may show that it is no text.
fn content(skill: &Skill, relative: &Path, limits: SizeLimits) -> Result<Content, ReadError> {
    let content = bytes(skill, Some(relative), limits.file)?;
    folder::require_same_name(skill, relative, &content.bytes)?;
    let limit = limits.file;
    match content.total {
        total if total > limit => Err(ReadError::TooLarge(TooLarge { total, limit })),
        _ => Ok(content),
    }
}

/// `bytes` says whether the bytes can be asked for instead.
fn decoded(content: &Content, content_kind: ContentKind, bytes: bool) -> Result<&str, ReadError> {
    let binary = |kind| ReadError::Binary { kind, total: content.total, bytes };
    if let ContentKind::Binary(kind) = content_kind {
        return Err(binary(kind));
    }
    if content.bytes.contains(&0) {
        return Err(binary("binary"));
    }
    std::str::from_utf8(&content.bytes).map_err(|_| binary("bytes that are not UTF-8"))
}

/// The bytes as UTF-8. If the file is cut, its last character may be incomplete.
pub(super) fn as_text(bytes: &[u8], cut: bool) -> Option<&str> {
    if cut { valid_prefix(bytes) } else { std::str::from_utf8(bytes).ok() }
}

/// Extension, media type, and whether it is text.
const BY_EXTENSION: &[(&str, &str, bool)] = &[
    ("md", "text/markdown", true),
    ("markdown", "text/markdown", true),
    ("mdx", "text/markdown", true),
    ("txt", "text/plain", true),
    ("csv", "text/csv", true),
    ("tsv", "text/tab-separated-values", true),
    ("html", "text/html", true),
    ("htm", "text/html", true),
    ("css", "text/css", true),
    ("js", "text/javascript", true),
    ("mjs", "text/javascript", true),
    ("cjs", "text/javascript", true),
    ("ts", "text/x-typescript", true),
    ("py", "text/x-python", true),
    ("sh", "text/x-shellscript", true),
    ("json", "application/json", true),
    ("jsonl", "application/jsonl", true),
    ("xml", "application/xml", true),
    ("xsd", "application/xml", true),
    ("yaml", "application/yaml", true),
    ("yml", "application/yaml", true),
    ("toml", "application/toml", true),
    ("svg", "image/svg+xml", true),
    ("tar", "application/x-tar", false),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", false),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", false),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", false),
    ("mp3", "audio/mpeg", false),
    ("mp4", "video/mp4", false),
    ("ttf", "font/ttf", false),
    ("otf", "font/otf", false),
    ("woff", "font/woff", false),
    ("woff2", "font/woff2", false),
];

/// The sniffer's words for a kind of binary, media type.
const BY_KIND: &[(&str, &str)] = &[
    ("PNG image", "image/png"),
    ("JPEG image", "image/jpeg"),
    ("GIF image", "image/gif"),
    ("WebP image", "image/webp"),
    ("BMP image", "image/bmp"),
    ("icon", "image/vnd.microsoft.icon"),
    ("PDF document", "application/pdf"),
    ("zip archive", "application/zip"),
    ("gzip archive", "application/gzip"),
    ("WebAssembly module", "application/wasm"),
    ("SQLite database", "application/vnd.sqlite3"),
    ("Ogg audio", "audio/ogg"),
    ("MP3 audio", "audio/mpeg"),
    ("MP4 video", "video/mp4"),
];

/// The media type of a file for a list, by its name or, if that does not tell, by its first bytes;
/// `None` if it cannot be read. Nobody is handed its content.
pub fn listed_media_type(skill: &Skill, relative: &Path) -> Option<&'static str> {
    let extension = relative.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let named = BY_EXTENSION.iter().find(|(end, ..)| end.eq_ignore_ascii_case(extension));
    let sniffed = || {
        let content = bytes(skill, Some(relative), HEAD_BYTES).ok()?;
        Some(media_type(relative, sniff::classify(&content.bytes)))
    };
    named.map(|(_, media_type, _)| *media_type).or_else(sniffed)
}

/// How much of a file is read to see what it is.
const HEAD_BYTES: u64 = 4 << 10;

/// The extension counts unless the first bytes contradict it: text is not a font, and a picture is
/// not text.
fn media_type(relative: &Path, content_kind: ContentKind) -> &'static str {
    let extension = relative.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let is_text = content_kind == ContentKind::Text;
    let named = BY_EXTENSION
        .iter()
        .find(|(end, _, text)| end.eq_ignore_ascii_case(extension) && *text == is_text);
    let (named, fallback) =
        (named.map(|(_, media_type, _)| *media_type), "application/octet-stream");
    match content_kind {
        ContentKind::Text => named.unwrap_or("text/plain"),
        ContentKind::Binary(kind) => {
            let sniffed =
                BY_KIND.iter().find(|(words, _)| *words == kind).map(|(_, media_type)| *media_type);
            named.or(sniffed).unwrap_or(fallback)
        }
    }
}

#[cfg(test)]
mod tests;
