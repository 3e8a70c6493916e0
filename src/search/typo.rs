//! Typing errors: the bounded Damerau-Levenshtein distance, and the search in names.

use super::needle::Needle;
use super::query::WordKind;

/// How many errors a word of this length may have: 1 from four letters on, 2 from seven.
pub(super) fn allowance(letters: usize) -> usize {
    match letters {
        0..4 => 0,
        4..7 => 1,
        _ => 2,
    }
}

/// The edit distance of two texts in letters; `None` beyond `bound`. Two swapped neighbours are one
/// error.
pub fn distance(one: &str, other: &str, bound: usize) -> Option<usize> {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    bounded(&one, &other, bound)
}

/// In letters. Few names are longer, and the bound keeps the table small.
const LONGEST: usize = 128;

/// How well the nearest word of the folded name matches with typing errors, below
/// [`super::needle::QUALITIES`]; `None` if none is near enough.
pub(super) fn in_name(needle: &Needle, name: &str) -> Option<u32> {
    nearest(needle, name).map(|(errors, same_start, place)| {
        // A name that is meant as a whole comes before the names that have it in them.
        quality(errors, same_start) + if place.len() == name.len() { WHOLE } else { 0 }
    })
}

/// How well several words together match the whole folded name with typing errors.
pub(super) fn in_whole_name(phrase: &str, name: &str) -> Option<u32> {
    let bound = allowance(phrase.chars().count());
    // A letter has one to four bytes.
    if bound == 0 || phrase.len().abs_diff(name.len()) > 4 * bound || phrase.len() > 4 * LONGEST {
        return None;
    }
    distance(phrase, name, bound).map(|errors| quality(errors, true) + WHOLE)
}

/// What a name gains that matches as a whole; less than a letter at its beginning.
const WHOLE: u32 = 2_500;

fn quality(errors: usize, same_start: bool) -> u32 {
    let errors = u32::try_from(errors).unwrap_or(9).min(9);
    90_000 - errors * 10_000 + u32::from(same_start) * 5_000
}

/// The nearest word of the name, or the name as a whole: its errors, whether it begins alike, and
/// its bytes in the name.
pub(super) fn nearest(
    needle: &Needle,
    name: &str,
) -> Option<(usize, bool, std::ops::Range<usize>)> {
    let bound = allowance(needle.length());
    if bound == 0 || needle.length() > LONGEST || needle.word.kind != WordKind::Fuzzy {
        return None;
    }
    let mut letters: Vec<char> = Vec::new();
    let mut best: Option<(usize, bool, std::ops::Range<usize>)> = None;
    // An error may be in a hyphen as well.
    for word in name.split(|letter: char| !letter.is_alphanumeric()).chain([name]) {
        // A letter has one to four bytes.
        if word.len() + bound < needle.length() || word.len() > 4 * LONGEST {
            continue;
        }
        letters.clear();
        letters.extend(word.chars());
        if too_strange(needle.letters(), &letters, bound) {
            continue;
        }
        let Some(errors) = bounded(needle.letters(), &letters, bound) else { continue };
        let same_start = needle.letters().first() == letters.first();
        if best.as_ref().is_none_or(|(least, same, _)| (errors, !same_start) < (*least, !*same)) {
            let start = word.as_ptr() as usize - name.as_ptr() as usize;
            best = Some((errors, same_start, start..start + word.len()));
        }
    }
    best
}

/// Whether one text has more letters that the other lacks than `bound` errors could explain: a
/// cheap check before the table. Different letters may share a bit; then it answers no.
fn too_strange(one: &[char], other: &[char], bound: usize) -> bool {
    let bits = |letters: &[char]| {
        letters.iter().fold(0u64, |bits, letter| bits | 1 << (u32::from(*letter) % 64))
    };
    let (one, other) = (bits(one), bits(other));
    (one & !other).count_ones() as usize > bound || (other & !one).count_ones() as usize > bound
}

fn bounded(one: &[char], other: &[char], bound: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > bound {
        return None;
    }
    let width = other.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut above: Vec<usize> = (0..width).collect();
    let mut current: Vec<usize> = vec![0; width];
    for (row, letter) in one.iter().enumerate() {
        current[0] = row + 1;
        let mut least = current[0];
        for (column, against) in other.iter().enumerate() {
            let mut cost = (above[column] + usize::from(letter != against))
                .min(above[column + 1] + 1)
                .min(current[column] + 1);
            let swapped =
                row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *against;
            if swapped {
                cost = cost.min(before[column - 1] + 1);
            }
            current[column + 1] = cost;
            least = least.min(cost);
        }
        // No later row is below this one, not even by a swap, since the row that it starts from is
        // at most one less.
        if least > bound {
            return None;
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut current);
    }
    above.last().copied().filter(|errors| *errors <= bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_cheap_look_passes_over_what_is_plainly_another_word() {
        let strange = |one: &str, other: &str| {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            too_strange(&letters(one), &letters(other), 2)
        };
        assert!(strange("kubernetes", "photoshop") && strange("pdf", "grammar"));
        assert!(!strange("kuberentes", "kubernetes"));
        // `a` and `¡` share a bit, so this check answers no and the table decides.
        assert!(!strange("aaa", "¡¡¡"));
    }

    #[test]
    fn neighbours_that_changed_places_are_one_error() {
        assert_eq!(distance("kuberentes", "kubernetes", 2), Some(1));
        assert_eq!(distance("qoukka", "quokka", 1), Some(1));
        assert_eq!(distance("pfd", "pdf", 1), Some(1));
        assert_eq!(distance("kitten", "sitting", 3), Some(3));
        assert_eq!(distance("kitten", "sitting", 2), None);
        assert_eq!(distance("", "ab", 2), Some(2));
        assert_eq!(distance("日本", "日本語", 1), Some(1));
    }

    fn naive(one: &[char], other: &[char]) -> usize {
        let (Some((last, head)), Some((against, rest))) = (one.split_last(), other.split_last())
        else {
            return one.len().max(other.len());
        };
        let mut least = (naive(head, rest) + usize::from(last != against))
            .min(naive(head, other) + 1)
            .min(naive(one, rest) + 1);
        if let ([.., a, b], [.., c, d]) = (one, other)
            && a == d
            && b == c
        {
            least = least.min(naive(&one[..one.len() - 2], &other[..other.len() - 2]) + 1);
        }
        least
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn the_bounded_distance_is_the_textbook_one(one in "[abc¡]{0,6}", other in "[abc¡]{0,6}", bound in 0usize..4) {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            let textbook = naive(&letters(&one), &letters(&other));
            prop_assert_eq!(distance(&one, &other, bound), (textbook <= bound).then_some(textbook));
            prop_assert_eq!(distance(&one, &other, bound), distance(&other, &one, bound));
            // The check may only skip texts that are too far away.
            if too_strange(&letters(&one), &letters(&other), bound) {
                prop_assert!(textbook > bound, "{one} {other}: {textbook} within {bound}");
            }
        }
    }
}
