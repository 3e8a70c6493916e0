//! Tells text from kinds of binary files by their first bytes, for a preview.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// UTF-8, or close to it.
    Text,
    /// The kind in words, or just "binary".
    Binary(&'static str),
}

/// Offset, bytes there, name of the kind.
const MAGIC: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "PNG image"),
    (0, b"\xff\xd8\xff", "JPEG image"),
    (0, b"GIF87a", "GIF image"),
    (0, b"GIF89a", "GIF image"),
    (8, b"WEBP", "WebP image"),
    (0, b"BM\0\0", "BMP image"),
    (0, b"\0\0\x01\0", "icon"),
    (0, b"%PDF-", "PDF document"),
    (0, b"PK\x03\x04", "zip archive"),
    (0, b"PK\x05\x06", "zip archive"),
    (0, b"\x1f\x8b", "gzip archive"),
    (0, b"BZh", "bzip2 archive"),
    (0, b"\xfd7zXZ\0", "xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "zstd archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (257, b"ustar", "tar archive"),
    (0, b"\x7fELF", "ELF program"),
    (0, b"MZ\x90", "Windows program"),
    (0, b"\xcf\xfa\xed\xfe", "macOS program"),
    (0, b"\xca\xfe\xba\xbe", "Java class or macOS program"),
    (0, b"\0asm", "WebAssembly module"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
    (0, b"\0\x01\0\0\0", "font"),
    (0, b"OTTO\0", "font"),
    (0, b"SQLite format 3\0", "SQLite database"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office document"),
    (0, b"ID3", "MP3 audio"),
    (0, b"OggS", "Ogg audio"),
    (4, b"ftyp", "MP4 video"),
    (0, b"\x1a\x45\xdf\xa3", "Matroska video"),
];

/// In bytes. A text may begin like a binary file, so more than the first few bytes count.
const LOOK_AT: usize = 8 << 10;

/// Only the first 8 KiB count. A NUL, or more than one byte in ten that is not UTF-8, means binary.
pub fn classify(bytes: &[u8]) -> ContentKind {
    let head = &bytes[..bytes.len().min(LOOK_AT)];
    let known = MAGIC
        .iter()
        .find(|(offset, magic, _)| head.get(*offset..).is_some_and(|rest| rest.starts_with(magic)));
    match known {
        // A text may begin with `BZh`, `ID3` or `OggS` too.
        Some((_, _, words)) if !reads_as_text(head) || head.starts_with(b"%PDF-") => {
            ContentKind::Binary(words)
        }
        _ if reads_as_text(head) || mostly_text(head) => ContentKind::Text,
        _ => ContentKind::Binary("binary"),
    }
}

fn reads_as_text(head: &[u8]) -> bool {
    // A character may be cut at the end of the sample.
    let whole =
        std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true);
    whole && !head.iter().any(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31))
}

fn mostly_text(head: &[u8]) -> bool {
    let bad: usize = head.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    !head.contains(&0) && bad * 10 <= head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_binaries_are_told_apart() {
        for text in [
            &b""[..],
            b"plain",
            "# Caf\u{e9} \u{1f600}\n".as_bytes(),
            b"\x1b[1m",
            b"BZh is a header",
            b"ID3 tags",
        ] {
            assert_eq!(classify(text), ContentKind::Text, "{text:?}");
        }
        let mut latin = b"a text in another encoding ".repeat(10);
        latin.push(0xe9);
        assert_eq!(classify(&latin), ContentKind::Text);
        let cut = "\u{e9}".repeat(LOOK_AT);
        assert_eq!(classify(&cut.as_bytes()[1..]), ContentKind::Text);
        assert_eq!(classify(b"a\0b"), ContentKind::Binary("binary"));
        assert_eq!(classify(&[0x80, 0xff, 0xfe, 0x81].repeat(9)), ContentKind::Binary("binary"));
    }

    #[test]
    fn known_binaries_are_named() {
        for (bytes, words) in [
            (&b"\x89PNG\r\n\x1a\n\0\0"[..], "PNG image"),
            (b"RIFF\x01\x02\0\0WEBPVP8", "WebP image"),
            (b"%PDF-1.7\n%text", "PDF document"),
            (b"PK\x03\x04\x14\0", "zip archive"),
            (b"\x7fELF\x02\x01\x01\0", "ELF program"),
            (b"\0asm\x01\0\0\0", "WebAssembly module"),
            (b"SQLite format 3\0", "SQLite database"),
            (b"\x1f\x8b\x08\0", "gzip archive"),
        ] {
            assert_eq!(classify(bytes), ContentKind::Binary(words));
        }
    }
}
