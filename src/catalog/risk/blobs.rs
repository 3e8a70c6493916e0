//! Encoded data within text: a run of letters and digits that is no word of any language.

use super::page::Page;
use super::{Hit, rules};

/// The shortest run in bytes that counts; longer than any key, digest or token.
const LONG: usize = 256;

pub(super) fn hits(page: &Page) -> Vec<Hit> {
    let mut found = Vec::new();
    for line in page.lines.iter().filter(|line| line.text.len() >= LONG) {
        let mut start = 0;
        for part in line.text.split_inclusive(|letter: char| !is_coded(letter)) {
            let run = part.trim_end_matches(|letter: char| !is_coded(letter));
            if run.len() >= LONG && is_mixed(run) {
                let (number, column) = line.place(start);
                found.push((&rules::ENCODED, number, column));
                break;
            }
            start += part.len();
        }
    }
    found
}

fn is_coded(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '_' | '-' | '\\')
}

/// Whether a run is Base64 or hexadecimal: a rule of signs is neither, and a path has few digits.
fn is_mixed(run: &str) -> bool {
    let count = |is: fn(&u8) -> bool| run.bytes().filter(is).count();
    let digits = count(u8::is_ascii_digit);
    let signs = run.len() - count(u8::is_ascii_alphanumeric);
    digits * 20 >= run.len() && signs * 3 < run.len()
}
