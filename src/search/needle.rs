//! One word of the query against one skill.

use super::query::{Word, WordKind};
use super::rank::Reason;
use crate::listing::Row;
use memchr::memmem::Finder;
use nucleo::{Config, Matcher, Utf32Str};
use std::ops::Range;

/// The matcher's score for each letter found. Word starts and runs add to it, gaps subtract from
/// it. A subsequence below this average is scattered over the name and does not match.
const SCORE_PER_LETTER: usize = 16;

/// The quality of a loose name among hits in descriptions: above the middle of a word there.
const LOOSE: u32 = 25_000;

/// The longest word for the fuzzy matcher, which counts in 16 bits. A longer word must be a
/// substring.
const LONGEST_FUZZY: usize = 1_000;

/// The span of quality within one [`Reason`].
pub(super) const QUALITIES: u32 = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Miss,
    /// Its letters are in the name in this order, but scattered. This is no hit, but a longer word
    /// may hit.
    Near,
    /// Its letters are in the name in this order and not far apart, but some are in the middle of a
    /// word: this counts less than the whole word in the description.
    Loose(u32),
    /// Where it matches, and how well (below [`QUALITIES`]).
    Hit(Reason, u32),
}

/// A word, prepared once for many skills.
pub(super) struct Needle<'q> {
    pub(super) word: &'q Word,
    finder: Finder<'q>,
    letters: Vec<char>,
}

impl<'q> Needle<'q> {
    pub(super) fn new(word: &'q Word) -> Self {
        Self {
            word,
            finder: Finder::new(word.text.as_bytes()),
            letters: word.text.chars().collect(),
        }
    }

    /// How many letters the folded word has.
    pub(super) fn length(&self) -> usize {
        self.letters.len()
    }

    /// The letters of the folded word.
    pub(super) fn letters(&self) -> &[char] {
        &self.letters
    }

    /// Whether the folded `text` contains the word.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        self.finder.find(text).is_some()
    }

    /// Every place of the word in the folded `text`.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        self.finder
            .find_iter(text.as_bytes())
            .map(|start| start..start + self.word.text.len())
            .collect()
    }

    /// Looks for the word in name and text.
    pub(super) fn judge(&self, row: &Row, matcher: &mut NameMatcher) -> Outcome {
        let (name, text) = (row.name(), self.word.text.as_str());
        if let Some(rest) = name.strip_prefix(text) {
            return if rest.is_empty() {
                let as_typed = row.skill().name.trim() == self.word.raw;
                Outcome::Hit(Reason::ExactName, if as_typed { 98_000 } else { 97_000 })
            } else {
                Outcome::Hit(Reason::Prefix, prefix_quality(rest))
            };
        }
        if self.word.kind == WordKind::Prefix {
            return Outcome::Miss;
        }
        let in_name = self.in_name(name, matcher);
        match (in_name, self.in_text(row.text(&mut matcher.room))) {
            (Outcome::Hit(..), _) | (_, None) => in_name,
            (Outcome::Loose(loose), Some(quality)) if quality < loose => in_name,
            (_, Some(quality)) => Outcome::Hit(Reason::Description, quality),
        }
    }

    /// Matches the word in the name: as a substring, or as a subsequence that is not scattered.
    pub(super) fn in_name(&self, name: &str, matcher: &mut NameMatcher) -> Outcome {
        let whole = self.is_in(name.as_bytes());
        if !whole && self.word.kind == WordKind::Exact {
            return Outcome::Miss;
        }
        let score = if self.length() <= LONGEST_FUZZY { matcher.score(name, self) } else { None };
        match score {
            Some(score) if whole || score >= SCORE_PER_LETTER * self.length() => {
                match whole || matcher.is_by_word_starts(name, self) {
                    true => Outcome::Hit(Reason::Name, name_quality(score, name)),
                    false => Outcome::Loose(LOOSE + name_quality(score, name) / 10),
                }
            }
            Some(_) => Outcome::Near,
            None if whole => Outcome::Hit(Reason::Name, name_quality(0, name)),
            None => Outcome::Miss,
        }
    }

    /// Matches the word in description, tools and tags: best as a whole word, then at a word's
    /// start, then anywhere.
    fn in_text(&self, text: &str) -> Option<u32> {
        let bytes = text.as_bytes();
        let mut best = None;
        for start in self.finder.find_iter(bytes) {
            let (before, after) = (text.get(..start)?, text.get(start + self.word.text.len()..)?);
            if !is_word_start(before) {
                best = best.or(Some(20_000));
            } else if after.chars().next().is_none_or(|letter| !letter.is_alphanumeric()) {
                return Some(60_000);
            } else {
                best = Some(40_000);
            }
        }
        best
    }
}

/// Whether a word may begin after `before`.
pub(super) fn is_word_start(before: &str) -> bool {
    before.chars().next_back().is_none_or(|letter| !letter.is_alphanumeric())
}

/// A prefix that is a whole word ranks first, then the shorter name.
fn prefix_quality(rest: &str) -> u32 {
    let whole_word = rest.chars().next().is_none_or(|letter| !letter.is_alphanumeric());
    let length = u32::try_from(rest.chars().count()).unwrap_or(u32::MAX);
    u32::from(whole_word) * 40_000 + 50_000 - length.min(500) * 100
}

/// The matcher's score, then the shorter name.
fn name_quality(score: usize, name: &str) -> u32 {
    let score = u32::try_from(score.min(2_200)).unwrap_or(0);
    let length = u32::try_from(name.len().min(39)).unwrap_or(39);
    score * 40 + 39 - length
}

/// The fuzzy matcher with its buffers. It costs 130 KB, so one serves a whole pass.
pub(super) struct NameMatcher {
    matcher: Matcher,
    letters: Vec<char>,
    /// For a text that is folded.
    room: String,
}

impl Default for NameMatcher {
    fn default() -> Self {
        // Both texts are already folded.
        let mut config = Config::DEFAULT;
        config.ignore_case = false;
        config.normalize = false;
        Self { matcher: Matcher::new(config), letters: Vec::new(), room: String::new() }
    }
}

impl NameMatcher {
    /// The matcher's score for the word in the folded name; `None` if its letters are not there in
    /// this order.
    fn score(&mut self, name: &str, needle: &Needle) -> Option<usize> {
        let haystack = as_letters(name, &mut self.letters);
        self.matcher.fuzzy_match(haystack, needle.utf32()).map(usize::from)
    }

    /// Whether each matched letter begins a word of the name or follows the one before it.
    fn is_by_word_starts(&mut self, name: &str, needle: &Needle) -> bool {
        let found = self.indices(name, needle);
        let mut before = None;
        let mut letters = name.chars().enumerate().scan('-', |last, (at, letter)| {
            let begins = !last.is_alphanumeric();
            *last = letter;
            Some((at, begins))
        });
        found.iter().all(|index| {
            let begins = letters.find(|(at, _)| at == index).is_some_and(|(_, begins)| begins);
            let follows = before.is_some_and(|before| before + 1 == *index);
            before = Some(*index);
            begins || follows
        })
    }

    /// The indexes of the matched characters in the folded name.
    pub(super) fn indices(&mut self, name: &str, needle: &Needle) -> Vec<usize> {
        let haystack = as_letters(name, &mut self.letters);
        let mut found = Vec::new();
        self.matcher.fuzzy_indices(haystack, needle.utf32(), &mut found);
        found.into_iter().map(|index| index as usize).collect()
    }
}

impl Needle<'_> {
    fn utf32(&self) -> Utf32Str<'_> {
        match self.word.text.is_ascii() {
            true => Utf32Str::Ascii(self.word.text.as_bytes()),
            false => Utf32Str::Unicode(&self.letters),
        }
    }
}

/// The matcher's form of a text, character by character (not by grapheme, so that indexes are
/// ours).
fn as_letters<'a>(text: &'a str, buffer: &'a mut Vec<char>) -> Utf32Str<'a> {
    if text.is_ascii() {
        return Utf32Str::Ascii(text.as_bytes());
    }
    buffer.clear();
    buffer.extend(text.chars());
    Utf32Str::Unicode(buffer)
}

impl Needle<'_> {
    /// Whether `!word` excludes the row: name or text contain the word. It never matches fuzzily.
    pub(super) fn refuses(&self, row: &Row, matcher: &mut NameMatcher) -> bool {
        match self.word.kind {
            WordKind::Prefix => row.name().starts_with(&self.word.text),
            _ => {
                self.is_in(row.name().as_bytes())
                    || self.is_in(row.text(&mut matcher.room).as_bytes())
            }
        }
    }
}
