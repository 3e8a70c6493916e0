//! Sizes and numbers for people.

use super::SafeText;
use crate::inert;

/// `812 B`, `2.4 KB`, `1.2 GB`: units of 1,000, as in file managers.
pub fn human_size(bytes: u64) -> String {
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes / 100 + u64::from(bytes % 100 >= 50);
    for unit in ["KB", "MB", "GB", "TB", "PB"] {
        if tenths < 10_000 {
            return if tenths < 1_000 {
                format!("{}.{} {unit}", tenths / 10, tenths % 10)
            } else {
                format!("{} {unit}", tenths / 10)
            };
        }
        tenths = tenths / 1_000 + u64::from(tenths % 1_000 >= 500);
    }
    format!("{} EB", tenths / 10) // as much as a u64 can say
}

/// The estimated number of tokens, within 20 % of what tokenizers count.
pub fn estimated_tokens(bytes: u64) -> u64 {
    (bytes.saturating_mul(10).saturating_add(21)) / 42 // 4.2 bytes each
}

/// `1 file`, `2 files`: of a word whose plural has an s.
pub fn counted(count: usize, what: &'static str) -> SafeText {
    inert!("{} {}{}", count, what, if count == 1 { "" } else { "s" })
}

/// A number in at most five characters: `950`, `6.9k`, `30k`, `1.2m`. It is rounded down.
pub fn short_number(number: usize) -> String {
    let (number, unit) = match number {
        0..1_000 => return number.to_string(),
        1_000..1_000_000 => (number / 100, "k"),
        _ => (number / 100_000, "m"),
    };
    match (number / 10, number % 10) {
        (whole, 0) | (whole @ 100.., _) => format!("{whole}{unit}"),
        (whole, tenth) => format!("{whole}.{tenth}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_short_and_never_more_than_there_is() {
        for (number, words) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (6_999, "6.9k"),
            (30_000, "30k"),
            (99_999, "99.9k"),
            (272_512, "272k"),
            (1_250_000, "1.2m"),
        ] {
            assert_eq!(short_number(number), words);
        }
    }

    #[test]
    fn sizes_are_readable_and_never_jump_back() {
        for (bytes, words) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (2_449, "2.4 KB"),
            (2_450, "2.5 KB"),
            (99_949, "99.9 KB"),
            (99_950, "100 KB"),
            (999_949, "999 KB"),
            (1_200_000, "1.2 MB"),
            (1_200_000_000, "1.2 GB"),
            (u64::MAX, "18 EB"),
        ] {
            assert_eq!(human_size(bytes), words, "{bytes}");
        }
    }
}
