//! Searches words in the bodies of `SKILL.md` files, which a worker reads.

use super::needle::{Names, Needle, Outcome};
use super::query::{Query, WordKind};
use super::rank::{Context, Hit, Pass, Reason};
use crate::listing::Row;
use crate::text::fold::fold_into;

/// Shorter words are in nearly every body, so they are not searched there.
const SHORTEST: usize = 3;

/// A query prepared for bodies. Each word must be in the name, the description or the body, so a
/// skill is found if one word is in its name and another in its body.
///
/// Excluded words (`!word`) apply to name and description only.
pub struct BodySearch<'q> {
    pass: Pass<'q>,
    needles: Vec<Needle<'q>>,
    names: Names,
    folded: String,
}

impl<'q> BodySearch<'q> {
    /// `None` if the query has no word of at least three letters that a body could hold.
    pub fn new(query: &'q Query) -> Option<Self> {
        let needles: Vec<Needle> = query.words.iter().map(Needle::new).collect();
        let search = Self {
            pass: Pass::new(query),
            needles,
            names: Names::default(),
            folded: String::new(),
        };
        search.needles.iter().any(searchable).then_some(search)
    }

    /// The rows whose bodies are worth reading: the filters admit them, no better match is known,
    /// and each missing word could be in the body.
    pub fn candidates(&mut self, rows: &[Row], hits: &[Hit], context: &Context) -> Vec<u32> {
        let mut found: Vec<u32> =
            hits.iter().filter(|hit| hit.reason > Reason::Body).map(|hit| hit.index).collect();
        found.sort_unstable();
        let worth = |(index, row): (u32, &Row)| {
            let open =
                found.binary_search(&index).is_err() && self.pass.admits(index, row, context);
            (open && self.missing(row).is_some()).then_some(index)
        };
        (0..).zip(rows).filter_map(worth).collect()
    }

    /// Whether the body has every word that neither name nor description has. Bytes that are not
    /// UTF-8 end words.
    pub fn matches(&mut self, row: &Row, body: &[u8]) -> bool {
        let Some(missing) = self.missing(row) else { return false };
        self.folded.clear();
        match std::str::from_utf8(body) {
            Ok(text) => fold_into(text, &mut self.folded),
            Err(_) => fold_into(&String::from_utf8_lossy(body), &mut self.folded),
        }
        let folded = self.folded.as_bytes();
        missing
            .into_iter()
            .all(|word| self.needles.get(word).is_some_and(|needle| needle.is_in(folded)))
    }

    /// The words that only the body can have; `None` if it cannot have one of them.
    fn missing(&mut self, row: &Row) -> Option<Vec<usize>> {
        let mut missing = Vec::new();
        for (word, needle) in self.needles.iter().enumerate() {
            if matches!(needle.judge(row, &mut self.names), Outcome::Hit(..)) {
                continue;
            }
            if !searchable(needle) {
                return None;
            }
            missing.push(word);
        }
        Some(missing)
    }
}

/// Whether the word is searched in bodies.
fn searchable(needle: &Needle) -> bool {
    needle.length() >= SHORTEST && needle.word.kind != WordKind::Prefix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::fixture::row;
    use crate::search::{merge_body, rank};

    #[test]
    fn a_word_in_the_name_and_one_in_the_body_find_the_skill() {
        let rows = [
            row("pdf", "Fills forms"),
            row("pdf-tools", ""),
            row("pdf-form-quokka", ""),
            row("other", ""),
        ];
        let query = Query::parse("pdf \"big Quokka\" !draft");
        let mut hits = rank(&rows, &query, &Context::PLAIN);
        let mut search = BodySearch::new(&query).unwrap();
        assert_eq!(search.candidates(&rows, &hits, &Context::PLAIN), [0, 1, 2, 3]);
        assert!(search.matches(&rows[0], b"# A BIG\n  QUOKKA\n"));
        assert!(!search.matches(&rows[1], b"# big, quokka"));
        assert!(search.matches(&rows[3], "pdf, b\u{0ed}g quokka, \u{1f998}".as_bytes()));
        merge_body(&mut hits, &[3, 0], &rows);
        assert_eq!(
            hits.iter().map(|hit| (hit.index, hit.reason)).collect::<Vec<_>>(),
            [(3, Reason::Body), (0, Reason::Body)]
        );
    }

    #[test]
    fn short_words_and_name_starts_are_not_sought_in_bodies() {
        for text in ["", "ab", "^abc", "!abc", "is:on", "日本"] {
            assert!(BodySearch::new(&Query::parse(text)).is_none(), "{text}");
        }
        let query = Query::parse("zz quokka");
        let mut search = BodySearch::new(&query).unwrap();
        assert!(!search.matches(&row("pdf", ""), b"zz quokka"));
        assert!(search.matches(&row("pdf", "zz"), b"zz quokka"));
    }

    #[test]
    fn filters_and_better_hits_leave_nothing_to_read() {
        let rows = [row("quokka", ""), row("a", "quokka"), row("b", ""), row("draft", "")];
        let query = Query::parse("quokka !draft path:skills");
        let hits = rank(&rows, &query, &Context::PLAIN);
        assert_eq!(BodySearch::new(&query).unwrap().candidates(&rows, &hits, &Context::PLAIN), [2]);
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let query = Query::parse("quokka");
        let mut search = BodySearch::new(&query).unwrap();
        assert!(search.matches(&row("a", ""), b"\xff\xfequokka\xff"));
        assert!(!search.matches(&row("a", ""), b"quo\xffkka"));
        assert!(!search.matches(&row("a", ""), b""));
    }
}
