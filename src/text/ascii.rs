//! Printable ASCII. Most texts are nothing else, and need not be looked at letter by letter.

/// Whether all bytes are printable ASCII (U+0020 to U+007E).
pub fn is_printable(bytes: &[u8]) -> bool {
    is_printable_or(bytes, [b' '; 2])
}

/// Whether all bytes are printable ASCII, or one of these two. It looks at eight bytes at once,
/// since a list reads megabytes through it.
pub fn is_printable_or(bytes: &[u8], also: [u8; 2]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let is_one = |byte: &u8| matches!(byte, 0x20..0x7f) || also.contains(byte);
    words.iter().all(|word| are_printable(u64::from_ne_bytes(*word), also))
        && rest.iter().all(is_one)
}

/// The same for eight bytes. No sum carries into the next byte, since each is of two numbers below
/// 128. The highest bit of each byte of a result is the answer for that byte.
fn are_printable(word: u64, [one, other]: [u8; 2]) -> bool {
    const HIGHEST: u64 = each(0x80);
    let low = word & !HIGHEST;
    let differs = |byte: u8| (low ^ each(byte)) + each(0x7f);
    let is_printable = (low + each(0x80 - 0x20)) & differs(0x7f);
    (is_printable | !differs(one) | !differs(other)) & !word & HIGHEST == HIGHEST
}

/// A word of eight such bytes.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_is_judged_alone() {
        for byte in 0..=u8::MAX {
            for (length, place) in
                (1..20).flat_map(|length| (0..length).map(move |at| (length, at)))
            {
                let mut bytes = vec![b'~'; length];
                bytes[place] = byte;
                let printable = (b' '..=b'~').contains(&byte);
                assert_eq!(is_printable(&bytes), printable, "{byte} at {place} of {length}");
                let also = printable || byte == b'\t' || byte == b'\n';
                assert_eq!(is_printable_or(&bytes, [b'\t', b'\n']), also, "{byte}");
            }
        }
    }
}
