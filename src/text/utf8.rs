//! Bytes of a file that may have been cut anywhere, as text.

use std::str::from_utf8;

/// The bytes as UTF-8, but for a last character that the end cuts in two.
pub fn valid_prefix(bytes: &[u8]) -> Option<&str> {
    match from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_last_character_may_be_cut() {
        let cases: [(&[u8], Option<&str>); 5] = [
            ("né".as_bytes(), Some("né")),
            (b"n\xc3", Some("n")),
            (b"\xc3", Some("")),
            (b"n\xc3e", None),
            (b"n\xff", None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(valid_prefix(bytes), expected, "{bytes:?}");
        }
    }
}
