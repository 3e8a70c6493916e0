//! Reads a ZIP archive with a skill, by strict rules: what two readers could take differently is
//! refused, and nothing is unpacked beyond the limits.
//!
//! The usual readers take the last of two entries with one name, follow what the local headers say
//! although the directory says otherwise, and leave the limits to their caller.

use super::bundle::{Bundle, BundleError, BundleFile, MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use super::model::MAX_CONTENT;
use crate::files::mirror::NOT_COPIED;
use std::io::Read;
use std::path::PathBuf;

/// The most bytes of an archive.
pub const MAX_ZIP_BYTES: u64 = 8 << 20;
/// How many times larger a file may be than its packed bytes, beyond the first kilobytes.
const MAX_RATIO: u64 = 200;
const SMALL: u64 = 64 << 10;
/// Folders are entries too.
const MAX_ENTRIES: usize = 2 * MAX_BUNDLE_FILES;

/// Flags of an entry: encrypted; sum and lengths come behind the bytes; the name is UTF-8.
const ENCRYPTED: u16 = 1;
const DESCRIBED: u16 = 8;
const UTF8: u16 = 0x800;
/// The number of the extra field with a name in UTF-8.
const UNICODE_PATH: u16 = 0x7075;

/// What macOS adds to archives.
const OF_MACOS: &str = "__MACOSX";

/// What an archive holds.
#[derive(Debug)]
pub struct Unpacked {
    /// The bytes of its `SKILL.md`.
    pub main: Vec<u8>,
    pub files: Bundle,
    /// What is not taken, as of a folder; other people's text.
    pub left_out: Vec<PathBuf>,
}

/// The `SKILL.md` of an archive and its further files. They lie at the top, or in the one folder
/// that is there.
///
/// # Errors
/// [`BundleError`].
pub fn read_zip(archive: &[u8]) -> Result<Unpacked, BundleError> {
    let (mut files, mut left_out) = files(archive)?;
    let top = files.first().and_then(|file| Some(file.path.split_once('/')?.0.to_owned()));
    if let Some(top) = top.map(|top| top + "/")
        && files.iter().all(|file| file.path.starts_with(&top))
    {
        let paths = files.iter_mut().map(|file| &mut file.path).chain(&mut left_out);
        paths.filter(|path| path.starts_with(&top)).for_each(|path| drop(path.drain(..top.len())));
    }
    let main = files.iter().position(|file| file.path == "SKILL.md");
    let main = main.ok_or_else(|| BundleError::Archive(no_main(&files)))?;
    let main = files.remove(main).bytes;
    left_out.sort();
    left_out.dedup();
    let left_out = left_out.into_iter().map(PathBuf::from).collect();
    Ok(Unpacked { main, files: Bundle::of(files)?, left_out })
}

/// The path of what no skill takes, if an entry is it or lies in it.
fn not_taken(name: &str) -> Option<&str> {
    let is_not_taken =
        |part: &str| NOT_COPIED.iter().chain([&OF_MACOS]).any(|it| part.eq_ignore_ascii_case(it));
    let ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
    ends.map(|end| &name[..end]).find(|path| is_not_taken(path.rsplit('/').next().unwrap_or(path)))
}

/// Why none of the files is the skill's own.
fn no_main(files: &[BundleFile]) -> &'static str {
    match files.iter().filter(|file| file.path.ends_with("/SKILL.md")).count() {
        0 => "it has no SKILL.md",
        1 => "its SKILL.md is neither at the top nor in a folder that holds everything",
        _ => "it has several SKILL.md, and one skill is stored at a time",
    }
}

/// An entry as the directory of the archive has it.
struct Entry<'a> {
    name: &'a str,
    flags: u16,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    mode: u32,
    at: usize,
}

type Outcome<T> = Result<T, BundleError>;

fn refused<T>(why: &'static str) -> Outcome<T> {
    Err(BundleError::Archive(why))
}

/// The files, and what is not taken.
fn files(archive: &[u8]) -> Outcome<(Vec<BundleFile>, Vec<String>)> {
    if archive.len() as u64 > MAX_ZIP_BYTES {
        return refused("it is too large");
    }
    let (directory, entries) = directory(archive)?;
    let mut end = 0;
    let (mut files, mut left_out, mut total) = (Vec::new(), Vec::new(), 0_u64);
    for entry in entries {
        let data = data(archive, &entry, directory)?;
        // In the order of the directory, one after the other: no bytes belong to two entries, and
        // all to one.
        if entry.at != end {
            return refused("its entries overlap, are out of order or have bytes between them");
        }
        end = data.end + trailer(archive, &entry, data.end)?;
        if let Some(path) = not_taken(entry.name) {
            left_out.push(path.to_owned());
            continue;
        }
        let kind = entry.mode & 0o170_000;
        if kind != 0 && kind != 0o100_000 && kind != 0o040_000 {
            return refused("it has a link or a special file");
        }
        if entry.name.ends_with('/') || kind == 0o040_000 {
            if entry.size != 0 || !entry.name.ends_with('/') {
                return refused("a folder in it has bytes");
            }
            continue;
        }
        total += entry.size;
        if total > MAX_BUNDLE_BYTES + MAX_CONTENT as u64 {
            return Err(BundleError::Bytes);
        }
        let bytes = unpacked(&archive[data], &entry)?;
        let executable = entry.mode & 0o111 != 0;
        files.push(BundleFile { path: entry.name.to_owned(), bytes, executable });
    }
    if end != directory {
        return refused("it has bytes that belong to no entry");
    }
    if files.len() > MAX_BUNDLE_FILES + 1 {
        return Err(BundleError::Files);
    }
    Ok((files, left_out))
}

fn short(bytes: &[u8], at: usize) -> Outcome<u16> {
    let found = bytes.get(at..at + 2).and_then(|found| found.try_into().ok());
    found.map(u16::from_le_bytes).ok_or(BundleError::Archive("it ends too early"))
}

fn long(bytes: &[u8], at: usize) -> Outcome<u32> {
    let found = bytes.get(at..at + 4).and_then(|found| found.try_into().ok());
    found.map(u32::from_le_bytes).ok_or(BundleError::Archive("it ends too early"))
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Where the directory begins, and its entries.
fn directory(archive: &[u8]) -> Outcome<(usize, Vec<Entry<'_>>)> {
    const END: usize = 22;
    let Some(last) = archive.len().checked_sub(END) else { return refused("it is no archive") };
    // Behind the last record there may be a comment, whose length it tells.
    let is_end = |at: &usize| {
        archive[*at..].starts_with(b"PK\x05\x06")
            && short(archive, at + 20)
                .is_ok_and(|length| at + END + length as usize == archive.len())
    };
    let earliest = last.saturating_sub(usize::from(u16::MAX));
    let Some(end) = (earliest..=last).rev().find(is_end) else {
        return refused("it is no archive");
    };
    let count = short(archive, end + 10)? as usize;
    let (length, start) = (size(long(archive, end + 12)?), size(long(archive, end + 16)?));
    if short(archive, end + 4)? != 0 || short(archive, end + 8)? as usize != count {
        return refused("it has several parts");
    }
    if count > MAX_ENTRIES {
        return Err(BundleError::Files);
    }
    if start.checked_add(length) != Some(end) {
        return refused("its directory is not where it should be");
    }
    let mut entries = Vec::with_capacity(count);
    let mut at = start;
    for _ in 0..count {
        let (entry, next) = entry(archive, at)?;
        entries.push(entry);
        at = next;
    }
    if at != end {
        refused("its directory has more entries than it says")
    } else {
        Ok((start, entries))
    }
}

fn entry(archive: &[u8], at: usize) -> Outcome<(Entry<'_>, usize)> {
    if !archive.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x01\x02")) {
        return refused("an entry is broken");
    }
    let flags = short(archive, at + 8)?;
    if flags & ENCRYPTED != 0 {
        return refused("a file in it is encrypted");
    }
    let lengths = [short(archive, at + 28)?, short(archive, at + 30)?, short(archive, at + 32)?];
    let [name, extra, comment] = lengths.map(usize::from);
    let bytes = archive.get(at + 46..at + 46 + name);
    let Some(Ok(text)) = bytes.map(std::str::from_utf8) else {
        return refused("a name in it is not UTF-8");
    };
    // Without the flag, what is not ASCII is in a character set that nobody tells.
    if flags & UTF8 == 0 && !text.is_ascii() {
        return refused("a name in it is in an unknown character set");
    }
    let made_by_unix = short(archive, at + 4)? >> 8 == 3;
    let mode = if made_by_unix { long(archive, at + 38)? >> 16 } else { 0 };
    check_extra(archive, at + 46 + name, extra, text)?;
    let entry = Entry {
        name: text,
        flags,
        method: short(archive, at + 10)?,
        crc: long(archive, at + 16)?,
        packed: u64::from(long(archive, at + 20)?),
        size: u64::from(long(archive, at + 24)?),
        mode,
        at: size(long(archive, at + 42)?),
    };
    if short(archive, at + 34)? != 0 || [entry.packed, entry.size].contains(&u64::from(u32::MAX)) {
        return refused("it is of a kind for very large files");
    }
    Ok((entry, at + 46 + name + extra + comment))
}

/// The packed bytes of an entry. Its local header must say what the directory says.
fn data(archive: &[u8], entry: &Entry, directory: usize) -> Outcome<std::ops::Range<usize>> {
    let at = entry.at;
    if !archive.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x03\x04")) {
        return refused("an entry is broken");
    }
    let (name, extra) = (short(archive, at + 26)? as usize, short(archive, at + 28)? as usize);
    let named = archive.get(at + 30..at + 30 + name);
    if named != Some(entry.name.as_bytes()) || short(archive, at + 8)? != entry.method {
        return refused("an entry has two names or forms");
    }
    check_extra(archive, at + 30 + name, extra, entry.name)?;
    let flags = short(archive, at + 6)?;
    if (flags ^ entry.flags) & (ENCRYPTED | DESCRIBED | UTF8) != 0 {
        return refused("an entry has two names or forms");
    }
    let sizes = [14, 18, 22].map(|place| long(archive, at + place).map(u64::from));
    let is_same = sizes == [u64::from(entry.crc), entry.packed, entry.size].map(Ok);
    if flags & DESCRIBED == 0 && !is_same {
        return refused("an entry has two lengths or sums");
    }
    let start = at + 30 + name + extra;
    let end = start + usize::try_from(entry.packed).unwrap_or(usize::MAX - start);
    if end > directory { refused("an entry is broken") } else { Ok(start..end) }
}

/// How many bytes behind the packed ones repeat sum and lengths, for an archive that was written
/// into a pipe. The mark before them may be left out.
fn trailer(archive: &[u8], entry: &Entry, at: usize) -> Outcome<usize> {
    if entry.flags & DESCRIBED == 0 {
        return Ok(0);
    }
    let wanted = [u64::from(entry.crc), entry.packed, entry.size].map(Ok);
    let is_at =
        |at: usize| [0, 4, 8].map(|place| long(archive, at + place).map(u64::from)) == wanted;
    let is_marked = archive.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x07\x08"));
    if is_marked && is_at(at + 4) {
        Ok(16)
    } else if is_at(at) {
        Ok(12)
    } else {
        refused("an entry has two lengths or sums")
    }
}

/// Refuses an extra field that gives an entry another name (Info-ZIP Unicode Path): some programs
/// take that one.
fn check_extra(archive: &[u8], start: usize, length: usize, name: &str) -> Outcome<()> {
    /// Before the name there are a version and a sum.
    const BEFORE: usize = 5;
    let mut rest = archive.get(start..start + length).unwrap_or_default();
    while let (Ok(id), Ok(length)) = (short(rest, 0), short(rest, 2)) {
        let Some(field) = rest.get(4..4 + usize::from(length)) else { break };
        if id == UNICODE_PATH && field.get(BEFORE..) != Some(name.as_bytes()) {
            return refused("an entry has two names or forms");
        }
        rest = &rest[4 + usize::from(length)..];
    }
    Ok(())
}

fn unpacked(packed: &[u8], entry: &Entry) -> Outcome<Vec<u8>> {
    if entry.size > SMALL && entry.size / MAX_RATIO > entry.packed {
        return refused("a file in it is packed beyond measure");
    }
    let mut bytes = Vec::new();
    match entry.method {
        0 => bytes.extend_from_slice(packed),
        8 => {
            let source = flate2::bufread::DeflateDecoder::new(packed);
            let read = source.take(entry.size + 1).read_to_end(&mut bytes);
            if read.is_err() {
                return refused("a file in it cannot be unpacked");
            }
        }
        _ => return refused("a file in it is packed in an unknown way"),
    }
    if bytes.len() as u64 != entry.size || crc32fast::hash(&bytes) != entry.crc {
        return refused("a file in it is not what the archive says");
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
