//! Searches words in the bodies of `SKILL.md` files, which a worker reads.

use super::misses::{Bits, Misses};
use super::needle::{NameMatcher, Needle, Outcome};
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
    matcher: NameMatcher,
    room: Room,
}

/// What a body has to do with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyMatch<'q> {
    /// It has every word that neither name nor description has.
    Has,
    /// It lacks this word.
    Lacks(&'q str),
    /// Whatever it has, the skill does not match.
    NoMatch,
}

impl<'q> BodySearch<'q> {
    /// `None` if the query has no word of at least three letters that a body could hold.
    pub fn new(query: &'q Query) -> Option<Self> {
        let needles: Vec<Needle> = query.words.iter().map(Needle::new).collect();
        let search = Self {
            pass: Pass::new(query),
            needles,
            matcher: NameMatcher::default(),
            room: Room::default(),
        };
        search.needles.iter().any(searchable).then_some(search)
    }

    /// The rows whose bodies are worth reading: the filters admit them, no better match is known,
    /// and each missing word could be in the body.
    pub fn candidates(
        &mut self,
        rows: &[Row],
        hits: &[Hit],
        context: &Context,
        misses: &Misses,
    ) -> Vec<u32> {
        let mut found: Vec<u32> =
            hits.iter().filter(|hit| hit.reason > Reason::Body).map(|hit| hit.index).collect();
        found.sort_unstable();
        let lacking: Vec<Vec<&Bits>> =
            self.needles.iter().map(|needle| misses.of(&needle.word.text)).collect();
        let lacks = |word: &usize, index| lacking[*word].iter().any(|rows: &&Bits| rows.has(index));
        let worth = |(index, row): (u32, &Row)| {
            let open =
                found.binary_search(&index).is_err() && self.pass.admits(index, row, context);
            let missing = if open { self.missing(row) } else { None }?;
            (!missing.iter().any(|word| lacks(word, index))).then_some(index)
        };
        (0..).zip(rows).filter_map(worth).collect()
    }

    /// Looks for the words in the body, which is left in lower case. Bytes that are not UTF-8 end
    /// words.
    pub fn look(&mut self, row: &Row, body: &mut [u8]) -> BodyMatch<'q> {
        let Some(missing) = self.missing(row) else { return BodyMatch::NoMatch };
        let mut body = Body::new(body, &mut self.room);
        let lacking = missing.into_iter().find(|word| !body.has(&self.needles[*word]));
        lacking.map_or(BodyMatch::Has, |word| BodyMatch::Lacks(&self.needles[word].word.text))
    }

    /// The words that only the body can have; `None` if it cannot have one of them.
    fn missing(&mut self, row: &Row) -> Option<Vec<usize>> {
        let mut missing = Vec::new();
        for (word, needle) in self.needles.iter().enumerate() {
            if matches!(needle.judge(row, &mut self.matcher), Outcome::Hit(..) | Outcome::Loose(_))
            {
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

/// Texts of a body that are folded only if a word asks for them.
#[derive(Default)]
struct Room {
    odd: String,
    whole: String,
}

/// A body in which words are looked for. Most bodies are nearly all ASCII, and most words are one
/// word of ASCII: for these the body in lower case is as good as the folded one, except where other
/// letters stand.
struct Body<'b> {
    /// In lower case as far as it is ASCII.
    bytes: &'b [u8],
    is_ascii: bool,
    room: &'b mut Room,
    is_folded: bool,
}

impl<'b> Body<'b> {
    fn new(bytes: &'b mut [u8], room: &'b mut Room) -> Self {
        bytes.make_ascii_lowercase();
        let bytes = &*bytes;
        room.odd.clear();
        let is_ascii = bytes.is_ascii();
        if !is_ascii {
            odd_words(bytes, |word| {
                room.odd.push(' ');
                fold_into(&String::from_utf8_lossy(word), &mut room.odd);
            });
        }
        Self { bytes, is_ascii, room, is_folded: false }
    }

    fn has(&mut self, needle: &Needle) -> bool {
        let text = &needle.word.text;
        if text.is_ascii() && !self.is_ascii && needle.is_in(self.bytes) && !text.contains(' ') {
            return true;
        }
        match text.contains(' ') {
            true => needle.is_in(self.folded()),
            false if self.is_ascii => needle.is_in(self.bytes),
            false => needle.is_in(self.room.odd.as_bytes()),
        }
    }

    /// The whole body, folded.
    fn folded(&mut self) -> &[u8] {
        if !self.is_folded {
            self.room.whole.clear();
            fold_into(&String::from_utf8_lossy(self.bytes), &mut self.room.whole);
            self.is_folded = true;
        }
        self.room.whole.as_bytes()
    }
}

/// Calls `each` with the stretches between white space that are not ASCII.
fn odd_words(bytes: &[u8], mut each: impl FnMut(&[u8])) {
    const AT_ONCE: usize = 32;
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let mut from = 0;
    while let Some(rest) = bytes.get(from..).filter(|rest| !rest.is_empty()) {
        let plain = rest.chunks(AT_ONCE).take_while(|chunk| chunk.is_ascii()).count() * AT_ONCE;
        let Some(at) = rest.iter().skip(plain).position(|byte| !byte.is_ascii()) else { return };
        let at = from + plain + at;
        let start =
            bytes[from..at].iter().rposition(is_blank).map_or(from, |blank| from + blank + 1);
        let end = bytes[at..].iter().position(is_blank).map_or(bytes.len(), |blank| at + blank);
        each(&bytes[start..end]);
        from = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::fixture::row;
    use crate::search::{merge_body, rank};
    use crate::text::fold::fold;
    use proptest::prelude::*;

    fn has(search: &mut BodySearch, row: &Row, body: &[u8]) -> bool {
        search.look(row, &mut body.to_owned()) == BodyMatch::Has
    }

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
        assert_eq!(
            search.candidates(&rows, &hits, &Context::PLAIN, &Misses::default()),
            [0, 1, 2, 3]
        );
        assert!(has(&mut search, &rows[0], b"# A BIG\n  QUOKKA\n"));
        assert!(!has(&mut search, &rows[1], b"# big, quokka"));
        assert!(has(&mut search, &rows[3], "pdf, b\u{0ed}g quokka, \u{1f998}".as_bytes()));
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
        assert!(!has(&mut search, &row("pdf", ""), b"zz quokka"));
        assert!(has(&mut search, &row("pdf", "zz"), b"zz quokka"));
    }

    #[test]
    fn filters_and_better_hits_leave_nothing_to_read() {
        let rows = [row("quokka", ""), row("a", "quokka"), row("b", ""), row("draft", "")];
        let query = Query::parse("quokka !draft path:skills");
        let hits = rank(&rows, &query, &Context::PLAIN);
        assert_eq!(
            BodySearch::new(&query).unwrap().candidates(
                &rows,
                &hits,
                &Context::PLAIN,
                &Misses::default()
            ),
            [2]
        );
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let query = Query::parse("quokka");
        let mut search = BodySearch::new(&query).unwrap();
        assert!(has(&mut search, &row("a", ""), b"\xff\xfequokka\xff"));
        assert!(!has(&mut search, &row("a", ""), b"quo\xffkka"));
        assert!(!has(&mut search, &row("a", ""), b""));
    }

    #[test]
    fn a_query_that_grows_reads_no_body_again_that_lacks_its_beginning() {
        let rows = [row("a", ""), row("b", ""), row("quince", ""), row("c", "quo")];
        let bodies = ["quorum", "nothing", "nothing", "a quokka"];
        let (mut misses, mut read) = (Misses::default(), Vec::new());
        for text in ["qui", "quo", "quok", "quok b"] {
            let query = Query::parse(text);
            let hits = rank(&rows, &query, &Context::PLAIN);
            let mut search = BodySearch::new(&query).unwrap();
            let candidates = search.candidates(&rows, &hits, &Context::PLAIN, &misses);
            for index in &candidates {
                let mut body = bodies[*index as usize].as_bytes().to_owned();
                if let BodyMatch::Lacks(word) = search.look(&rows[*index as usize], &mut body) {
                    misses.add(word, *index);
                }
            }
            read.push(candidates);
        }
        // What has the beginning in its description was not read for it, and `b` is too short for
        // bodies.
        assert_eq!(read, [vec![0, 1, 3], vec![0, 1, 2], vec![0, 3], vec![]]);
    }

    proptest! {
        #[test]
        fn a_body_has_what_its_folded_text_has(
            body in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "B", "ab", " ", "  ", "\n", "\u{a0}", "\u{3000}", "é", "E\u{301}", "İ",
                    "\u{301}", "\u{212a}", "ς", "日", "\u{fffd}", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                ]),
                0..24,
            ),
            word in "[abek]{1,2}|[a-b] [a-b]|[σ日ei]{1,2}|k a",
        ) {
            let (body, query) = (body.concat(), Query::parse(&format!("\"{word}\"")));
            let needle = Needle::new(&query.words[0]);
            let expected = fold(&body).contains(&query.words[0].text);
            let mut bytes = body.clone().into_bytes();
            prop_assert_eq!(Body::new(&mut bytes, &mut Room::default()).has(&needle), expected, "{:?}", body);
        }
    }
}
