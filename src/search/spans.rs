//! Where a shown text has the query's words. Computed only for visible rows.

use super::needle::{NameMatcher, Needle, Outcome, is_word_start};
use super::query::{Query, WordKind};
use super::typo;
use crate::text::fold::Folded;
use std::ops::Range;

/// Words of one or two letters are in nearly every text, so only word starts are highlighted.
const SHORT: usize = 2;

/// Where a name has the query's words: byte ranges of `name` on character boundaries, in order,
/// neither overlapping nor adjacent. An accent belongs to its letter. If the name does not contain
/// a word, the matched subsequence is highlighted, or the word with the typing error.
pub fn highlights(name: &str, query: &Query) -> Vec<Range<usize>> {
    let folded = Folded::new(name);
    let mut matcher = NameMatcher::default();
    let mut found = Vec::new();
    for word in &query.words {
        let needle = Needle::new(word);
        match (needle.places(&folded.text), word.kind) {
            (_, WordKind::Prefix) if folded.text.starts_with(&word.text) => {
                found.push(0..word.text.len())
            }
            (_, WordKind::Prefix) => {}
            (places, _) if !places.is_empty() => {
                found.push(first_at_word_start(&folded.text, places))
            }
            (_, WordKind::Exact) => {}
            (_, WordKind::Fuzzy) => found.extend(fuzzy(&needle, &folded.text, &mut matcher)),
        }
    }
    joined(&folded, found)
}

/// Every place of the query's words in a description or body, without fuzzy matches. The byte
/// ranges are like those of [`highlights`].
pub fn word_spans(text: &str, query: &Query) -> Vec<Range<usize>> {
    let words = query.words.iter().filter(|word| word.kind != WordKind::Prefix);
    let needles: Vec<Needle> = words.map(Needle::new).collect();
    if needles.is_empty() {
        return Vec::new();
    }
    let folded = Folded::new(text);
    let mut found = Vec::new();
    for needle in &needles {
        let mut places = needle.places(&folded.text);
        if needle.length() <= SHORT && needle.word.text.is_ascii() {
            places.retain(|place| folded.text.get(..place.start).is_some_and(is_word_start));
        }
        found.append(&mut places);
    }
    joined(&folded, found)
}

/// The first place at a word's start, or the first place.
fn first_at_word_start(text: &str, places: Vec<Range<usize>>) -> Range<usize> {
    let starts = |place: &&Range<usize>| text.get(..place.start).is_some_and(is_word_start);
    places.iter().find(starts).or(places.first()).cloned().unwrap_or_default()
}

/// The letters of a subsequence that counts as a hit, or the word with the typing error.
fn fuzzy(needle: &Needle, name: &str, matcher: &mut NameMatcher) -> Vec<Range<usize>> {
    if matches!(needle.in_name(name, matcher), Outcome::Hit(..) | Outcome::Loose(_)) {
        let letters: Vec<(usize, char)> = name.char_indices().collect();
        let place = |index: usize| {
            letters.get(index).map(|(start, letter)| *start..start + letter.len_utf8())
        };
        return matcher.indices(name, needle).into_iter().filter_map(place).collect();
    }
    typo::nearest(needle, name).map(|(_, _, place)| place).into_iter().collect()
}

/// Ranges of the folded text as ranges of the original, in order. Adjacent ones are joined.
fn joined(folded: &Folded, found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> =
        found.into_iter().filter_map(|place| folded.origin(place)).collect();
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
            _ => joined.push(place),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown<'t>(text: &'t str, places: &[Range<usize>]) -> Vec<&'t str> {
        places.iter().map(|place| &text[place.clone()]).collect()
    }

    #[test]
    fn names_show_parts_subsequences_and_near_words() {
        let rows: [(&str, &str, &[&str]); 9] = [
            ("code-review", "rev", &["rev"]),
            ("xform-form", "form", &["form"]),
            ("code-review", "cdrv", &["c", "d", "r", "v"]),
            ("kubernetes-helm", "kuberentes", &["kubernetes"]),
            ("Cafe\u{301}-Bar", "café bar", &["Cafe\u{301}", "Bar"]),
            ("Café-Bar", "^cafe", &["Café"]),
            ("my-café", "^cafe", &[]),
            ("code-review", "'cdrv !code is:on", &[]),
            ("日本語", "本語", &["本語"]),
        ];
        for (name, query, expected) in rows {
            assert_eq!(
                shown(name, &highlights(name, &Query::parse(query))),
                expected,
                "{name} {query}"
            );
        }
        assert_eq!(
            highlights("xform-form", &Query::parse("form")).first(),
            Some(&(6..10)),
            "a word's start leads"
        );
    }

    #[test]
    fn texts_show_every_place() {
        let rows: [(&str, &str, &[&str]); 5] = [
            ("Fill a FORM, reform", "form", &["FORM", "form"]),
            ("Fill\n  a form", "\"fill a\"", &["Fill\n  a"]),
            ("aaaa", "aaa", &["aaa"]),
            ("Résumé 🦘", "resume 🦘", &["Résumé", "🦘"]),
            ("code review", "^code cdrv", &[]),
        ];
        for (text, query, expected) in rows {
            assert_eq!(
                shown(text, &word_spans(text, &Query::parse(query))),
                expected,
                "{text} {query}"
            );
        }
        assert_eq!(word_spans("an apple, banana", &Query::parse("a")), [0..1, 3..4]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn places_can_be_sliced_in_order(text in "[\\PC]{0,30}", query in "[\\PCa-c]{0,12}") {
            let query = Query::parse(&query);
            for places in [highlights(&text, &query), word_spans(&text, &query)] {
                let mut end = None;
                for place in places {
                    prop_assert!(place.start < place.end && end.is_none_or(|end| end < place.start));
                    prop_assert!(text.get(place.clone()).is_some());
                    end = Some(place.end);
                }
            }
        }
    }
}
