//! SHA-256 of bytes, files and directories. What is approved, shown, loaded and run is compared by
//! the same digest.

use super::beneath::{EntryKind, FileEntry};
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};
use std::io::{self, Read};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Hashes everything that a reader gives, in constant memory.
    pub fn of_reader(mut source: impl Read) -> io::Result<Hashed> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0_u8; 64 << 10];
        let mut length = 0;
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return Ok(Hashed { digest: Self(hash.finalize().into()), length }),
                Ok(read) => {
                    hash.update(&buffer[..read]);
                    length += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Bytes that were hashed while they were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashed {
    pub digest: Digest,
    /// In bytes.
    pub length: u64,
}

impl fmt::Display for Digest {
    /// 64 hex digits.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// As 64 hex digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    let _ = write!(text, "{}", Digest::of(bytes));
    text
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Its bytes count.
    File,
    /// It has no bytes.
    Directory,
    /// The text of its target counts.
    Link,
}

/// The digest of many files: of (relative path, type, mode, bytes), each with its length before it.
///
/// Without the lengths two different trees could give one digest (`a` + `bc`, `ab` + `c`).
#[derive(Clone, Debug, Default)]
pub struct TreeDigest {
    rows: Vec<(Vec<u8>, [u8; 32])>,
}

impl TreeDigest {
    /// Adds an entry. `mode` counts in its last nine bits. The order of calls does not matter.
    pub fn add(&mut self, path: &Path, what: Type, mode: u32, bytes: &[u8]) {
        let hashed = Hashed { digest: Digest::of(bytes), length: bytes.len() as u64 };
        self.add_hashed(path, what, mode, hashed);
    }

    /// Adds an entry of a directory; of a file with its mode and what was hashed of it.
    pub fn add_entry(&mut self, entry: &FileEntry, file: Option<(u32, Hashed)>) {
        match (&entry.kind, file) {
            (_, Some((mode, bytes))) => self.add_hashed(&entry.path, Type::File, mode, bytes),
            (EntryKind::Directory, _) => self.add(&entry.path, Type::Directory, 0, &[]),
            (EntryKind::Link { target, .. }, _) => {
                self.add(&entry.path, Type::Link, 0, target.as_os_str().as_encoded_bytes());
            }
            // A file of another kind has no bytes.
            _ => {}
        }
    }

    /// Adds an entry whose bytes are already hashed.
    pub fn add_hashed(&mut self, path: &Path, what: Type, mode: u32, hashed: Hashed) {
        let path = path.as_os_str().as_encoded_bytes();
        let mut hash = Sha256::new();
        hash.update((path.len() as u64).to_be_bytes());
        hash.update(path);
        hash.update([match what {
            Type::File => b'f',
            Type::Directory => b'd',
            Type::Link => b'l',
        }]);
        hash.update((mode & 0o777).to_be_bytes());
        hash.update(hashed.length.to_be_bytes());
        hash.update(hashed.digest.0);
        self.rows.push((path.to_owned(), hash.finalize().into()));
    }

    /// The digest of all entries. It does not depend on the order in which they were added.
    pub fn finish(mut self) -> Digest {
        self.rows.sort();
        let mut hash = Sha256::new();
        hash.update((self.rows.len() as u64).to_be_bytes());
        self.rows.iter().for_each(|(_, row)| hash.update(row));
        Digest(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(rows: &[(&str, Type, u32, &str)]) -> Digest {
        let mut tree = TreeDigest::default();
        rows.iter().for_each(|(path, what, mode, bytes)| {
            tree.add(Path::new(path), *what, *mode, bytes.as_bytes())
        });
        tree.finish()
    }

    #[test]
    fn every_part_of_an_entry_counts_and_the_order_does_not() {
        let base = ("a/b", Type::File, 0o644, "text");
        let same = digest(&[base, ("c", Type::Directory, 0o755, "")]);
        assert_eq!(same, digest(&[("c", Type::Directory, 0o755, ""), base]));
        let others = [
            digest(&[base]),
            digest(&[("a/c", Type::File, 0o644, "text"), ("c", Type::Directory, 0o755, "")]),
            digest(&[("a/b", Type::Link, 0o644, "text"), ("c", Type::Directory, 0o755, "")]),
            digest(&[("a/b", Type::File, 0o744, "text"), ("c", Type::Directory, 0o755, "")]),
            digest(&[("a/b", Type::File, 0o644, "texu"), ("c", Type::Directory, 0o755, "")]),
            digest(&[("a/bt", Type::File, 0o644, "ext"), ("c", Type::Directory, 0o755, "")]),
            digest(&[base, base, ("c", Type::Directory, 0o755, "")]),
            digest(&[]),
        ];
        others.iter().for_each(|other| assert_ne!(*other, same));
    }

    #[test]
    fn reading_and_having_give_the_same() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let bytes = vec![7_u8; 200_000];
        let hashed = Hashed { digest: Digest::of(&bytes), length: 200_000 };
        assert_eq!(Digest::of_reader(&bytes[..]).unwrap(), hashed);
    }
}
