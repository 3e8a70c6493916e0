//! Which bodies lack which words. A query that grows reads only the bodies that may still match.

use crate::listing::Rows;
use std::collections::VecDeque;
use std::sync::{Arc, Weak};

/// The most words that are remembered. Each takes a bit for every row.
const WORDS: usize = 32;

/// What earlier searches in the bodies of some rows have not found.
#[derive(Debug, Default)]
pub struct Misses {
    rows: Weak<Rows>,
    words: VecDeque<Miss>,
}

/// The rows whose bodies lack a folded word.
#[derive(Debug)]
struct Miss {
    word: String,
    rows: Bits,
}

/// A set of rows.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn has(&self, row: u32) -> bool {
        self.0.get(row as usize / 64).is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }

    fn add(&mut self, row: u32) {
        let at = row as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (row % 64);
    }
}

impl Misses {
    /// Forgets what is known of any other rows: their files may have changed.
    pub fn keep_to(&mut self, rows: &Arc<Rows>) {
        let rows = Arc::downgrade(rows);
        if !self.rows.ptr_eq(&rows) {
            *self = Self { rows, words: VecDeque::new() };
        }
    }

    /// The body of this row lacks a word of the query.
    pub fn add(&mut self, word: &str, row: u32) {
        let known = self.words.iter().rposition(|miss| miss.word == word);
        let at = known.unwrap_or_else(|| {
            if self.words.len() == WORDS {
                self.words.pop_front();
            }
            self.words.push_back(Miss { word: word.to_owned(), rows: Bits::default() });
            self.words.len() - 1
        });
        if let Some(miss) = self.words.get_mut(at) {
            miss.rows.add(row);
        }
    }

    /// The rows whose bodies lack a part of this word, and so the word.
    pub(super) fn of(&self, word: &str) -> Vec<&Bits> {
        let parts = self.words.iter().filter(|miss| word.contains(&miss.word));
        parts.map(|miss| &miss.rows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::fixture::row;

    #[test]
    fn a_word_is_lacking_where_a_part_of_it_is() {
        let mut misses = Misses::default();
        for row in [0, 63, 64, 900] {
            misses.add("quo", row);
        }
        let lacks = |word: &str, row| misses.of(word).iter().any(|rows| rows.has(row));
        assert!([0, 63, 64, 900].into_iter().all(|row| lacks("quokka", row)));
        assert!(![1, 62, 65, 899, 901, 9_999].into_iter().any(|row| lacks("quokka", row)));
        assert!(lacks("a quo", 0) && !lacks("qu", 0) && !lacks("kka", 0));
    }

    #[test]
    fn what_is_known_is_of_these_rows_and_of_the_last_words() {
        let rows = || Arc::new(Rows::new(vec![row("a", "")]));
        let (first, second) = (rows(), rows());
        let mut misses = Misses::default();
        misses.keep_to(&first);
        misses.add("quo", 0);
        misses.keep_to(&first);
        assert_eq!(misses.of("quo").len(), 1);
        misses.keep_to(&second);
        assert!(misses.of("quo").is_empty());
        for number in 100..200 {
            misses.add(&number.to_string(), 0);
        }
        assert_eq!(misses.words.len(), WORDS);
        assert!(misses.of("199").len() == 1 && misses.of("100").is_empty());
    }
}
