//! Finds the frontmatter between its two lines `---`, in bytes, before anything is decoded.

use super::FRONTMATTER_LIMIT;
use memchr::memchr2;
use std::ops::Range;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug, PartialEq, Eq)]
pub(in crate::catalog) struct Parts {
    /// Bytes of the byte order mark: 0 or 3.
    pub(in crate::catalog) mark: usize,
    pub(in crate::catalog) frontmatter: Frontmatter,
    /// Whether the last examined line has no line end, so that more bytes could change the answer.
    pub(in crate::catalog) uncertain: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(in crate::catalog) enum Frontmatter {
    /// The first line is not `---`.
    Absent,
    /// No second line is `---`; the range is what follows the first.
    Unclosed(Range<usize>),
    /// No second line is `---` within the limit; the range is what was examined.
    TooLong(Range<usize>),
    /// The YAML, and the byte and line where the body starts.
    Closed { yaml: Range<usize>, body: usize, body_line: u32 },
}

/// Cuts at lines that are `---`, perhaps followed by blanks. Lines end with LF, CRLF or a lone CR,
/// as in YAML.
pub(in crate::catalog) fn cut(bytes: &[u8]) -> Parts {
    let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let (opener, start) = line(bytes, mark);
    if !is_marker(&bytes[opener.clone()]) {
        return Parts { mark, frontmatter: Frontmatter::Absent, uncertain: start == opener.end };
    }
    let (mut position, mut number) = (start, 2);
    while position < bytes.len() {
        let (content, next) = line(bytes, position);
        if content.start - start > FRONTMATTER_LIMIT {
            return too_long(mark, start);
        }
        if is_marker(&bytes[content.clone()]) {
            let frontmatter = Frontmatter::Closed {
                yaml: start..content.start,
                body: next,
                body_line: number + 1,
            };
            return Parts { mark, frontmatter, uncertain: next == content.end };
        }
        (position, number) = (next, number + 1);
    }
    if bytes.len() - start > FRONTMATTER_LIMIT {
        return too_long(mark, start);
    }
    Parts { mark, frontmatter: Frontmatter::Unclosed(start..bytes.len()), uncertain: true }
}

fn too_long(mark: usize, start: usize) -> Parts {
    let frontmatter = Frontmatter::TooLong(start..start + FRONTMATTER_LIMIT);
    Parts { mark, frontmatter, uncertain: false }
}

/// The line at `start` without its end, and where the next one starts.
fn line(bytes: &[u8], start: usize) -> (Range<usize>, usize) {
    let Some(length) = memchr2(b'\n', b'\r', &bytes[start..]) else {
        return (start..bytes.len(), bytes.len());
    };
    let end = start + length;
    let next = if bytes[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
    (start..end, next)
}

fn is_marker(line: &[u8]) -> bool {
    line.strip_prefix(b"---")
        .is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b' ' | b'\t')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(bytes: &[u8]) -> (&[u8], &[u8], u32) {
        match cut(bytes).frontmatter {
            Frontmatter::Closed { yaml, body, body_line } => {
                (&bytes[yaml], &bytes[body..], body_line)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_whole_lines_are_markers() {
        assert_eq!(
            closed(b"---\na: b --- c\n----\n--- x\n---\nbody"),
            (&b"a: b --- c\n----\n--- x\n"[..], &b"body"[..], 6)
        );
        assert_eq!(closed(b"--- \na: b\n---\t\n"), (&b"a: b\n"[..], &b""[..], 4));
        assert_eq!(cut(b"\n---\n---\n").frontmatter, Frontmatter::Absent);
        assert_eq!(cut(b"----\n---\n").frontmatter, Frontmatter::Absent);
    }

    #[test]
    fn every_kind_of_line_end_counts() {
        assert_eq!(closed(b"---\r\na: b\r\n---\r\nbody"), (&b"a: b\r\n"[..], &b"body"[..], 4));
        assert_eq!(closed(b"---\ra: b\r---\rbody"), (&b"a: b\r"[..], &b"body"[..], 4));
        assert_eq!(closed(b"\xef\xbb\xbf---\n---"), (&b""[..], &b""[..], 3));
    }

    #[test]
    fn a_prefix_says_that_more_bytes_could_change_the_answer() {
        for prefix in [&b""[..], b"-", b"---", b"---\n", b"---\na: b\n", b"---\na: b\n---"] {
            assert!(cut(prefix).uncertain, "{prefix:?}");
        }
        assert!(!cut(b"---\na: b\n---\n").uncertain);
        assert!(!cut(b"# Title\n").uncertain);
    }

    #[test]
    fn the_limit_is_the_same_for_every_longer_prefix() {
        let mut bytes = b"---\n".to_vec();
        bytes.extend(std::iter::repeat_n(b"a: b\n", FRONTMATTER_LIMIT / 5 + 2).flatten());
        let short = cut(&bytes);
        bytes.extend(b"---\nbody\n");
        assert_eq!(short, cut(&bytes));
        assert!(matches!(short.frontmatter, Frontmatter::TooLong(_)) && !short.uncertain);
    }
}
