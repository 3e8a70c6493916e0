//! Text that a model reads and a person does not see (T5).

mod shown;

use std::ops::Range;

/// Zero-width characters in a row from which on they carry something.
const RUN: usize = 4;
/// Zero-width characters of a whole text, joiners and selectors left aside, from which on they
/// carry something.
const SCATTERED: usize = 16;
/// Blanks before further text on a line, which push it out of sight.
const BLANKS: usize = 200;
/// Empty lines before further text.
const EMPTY_LINES: usize = 100;

/// What a text hides, counted by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Bidi overrides, embeddings and isolates.
    pub bidi: usize,
    /// Tag characters outside well-formed flags.
    pub tags: usize,
    /// Zero-width characters that are more than spelling needs.
    pub invisible: usize,
    /// Places where text is pushed out of sight by blanks or empty lines.
    pub padding: usize,
}

/// A way to hide text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bidi,
    Tags,
    Invisible,
    Blanks,
    EmptyLines,
}

/// A stretch of a text that hides something.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    kind: Kind,
    /// Its bytes; of padding, those of the padding itself.
    range: Range<usize>,
    /// Its characters; of empty lines, the lines.
    count: usize,
}

impl Hidden {
    /// Looks through a text. A byte order mark at its beginning is none.
    pub fn of(text: &str) -> Self {
        let mut hidden = Self::default();
        for Place { kind, count, .. } in places(unmarked(text)) {
            match kind {
                Kind::Bidi => hidden.bidi += count,
                Kind::Tags => hidden.tags += count,
                Kind::Invisible => hidden.invisible += count,
                Kind::Blanks | Kind::EmptyLines => hidden.padding += 1,
            }
        }
        hidden
    }

    /// Whether a person must look first.
    pub fn any(&self) -> bool {
        *self != Self::default()
    }

    /// In words, for a message.
    pub fn words(&self) -> String {
        let parts = [
            (self.bidi, "bidi control", "bidi controls"),
            (self.tags, "tag character", "tag characters"),
            (self.invisible, "zero-width character", "zero-width characters"),
            (self.padding, "place of padding", "places of padding"),
        ];
        let words = |(count, one, several): &(usize, &str, &str)| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {several}")),
        };
        let parts: Vec<String> = parts.iter().filter_map(words).collect();
        parts.join(", ")
    }
}

/// Without the byte order mark at the beginning.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The places of a text that hide something, in order; none lies over another.
fn places(text: &str) -> Vec<Place> {
    let mut places = padding(text);
    if !text.is_ascii() {
        let bidi = text.char_indices().filter(|(_, letter)| is_bidi(*letter));
        places
            .extend(bidi.map(|(at, letter)| Place::new(Kind::Bidi, at..at + letter.len_utf8(), 1)));
        places.extend(tags(text));
        places.extend(invisible(text));
        places.sort_by_key(|place| place.range.start);
    }
    places
}

impl Place {
    fn new(kind: Kind, range: Range<usize>, count: usize) -> Self {
        Self { kind, range, count }
    }
}

/// Whether a character turns the order of text around or hides text of its own, wherever it stands.
fn deceives(letter: char) -> bool {
    is_bidi(letter) || is_tag(letter)
}

fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_tag(letter: char) -> bool {
    matches!(letter, '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

/// Runs of characters that are such, with the character before each.
fn runs(text: &str, such: impl Fn(char) -> bool) -> Vec<(Option<char>, Range<usize>)> {
    let mut runs: Vec<(Option<char>, Range<usize>)> = Vec::new();
    let mut before = None;
    for (at, letter) in text.char_indices() {
        if such(letter) {
            let end = at + letter.len_utf8();
            match runs.last_mut().filter(|(_, run)| run.end == at) {
                Some((_, run)) => run.end = end,
                None => runs.push((before, at..end)),
            }
        }
        before = Some(letter);
    }
    runs
}

fn tags(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for (before, range) in runs(text, is_tag) {
        let run: Vec<char> = text[range.clone()].chars().collect();
        if before != Some('\u{1f3f4}') || !is_flag(&run) {
            places.push(Place::new(Kind::Tags, range, run.len()));
        }
    }
    places
}

/// Whether the tags after a black flag name a part of a country: three to six letters or digits,
/// and the end.
fn is_flag(run: &[char]) -> bool {
    let Some(('\u{e007f}', name)) = run.split_last() else { return false };
    (3..=6).contains(&name.len())
        && name
            .iter()
            .all(|tag| matches!(tag, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}'))
}

fn is_zero_width(letter: char) -> bool {
    crate::text::is_hidden(letter) && !letter.is_control() && !deceives(letter)
}

fn is_spelling(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{61c}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

fn invisible(text: &str) -> Vec<Place> {
    let strange = |range: &Range<usize>| {
        text[range.clone()].chars().filter(|letter| !is_spelling(*letter)).count()
    };
    let runs = runs(text, is_zero_width);
    let scattered = runs.iter().map(|(_, range)| strange(range)).sum::<usize>() >= SCATTERED;
    let place = |(_, range): (Option<char>, Range<usize>)| {
        let count = text[range.clone()].chars().count();
        let hides = count >= RUN || (scattered && strange(&range) > 0);
        hides.then(|| Place::new(Kind::Invisible, range, count))
    };
    runs.into_iter().filter_map(place).collect()
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{2800}'
}

fn padding(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let (mut start, mut empty) = (0, 0..0);
    let mut lines = 0;
    for line in text.split_inclusive('\n') {
        let here = start..start + line.len();
        start = here.end;
        if line.chars().all(is_blank) {
            empty = if lines == 0 { here } else { empty.start..here.end };
            lines += 1;
            continue;
        }
        if lines >= EMPTY_LINES {
            places.push(Place::new(Kind::EmptyLines, empty.clone(), lines));
        }
        lines = 0;
        blanks(line, here.start, &mut places);
    }
    places
}

/// The padding in one line, which begins at this byte.
fn blanks(line: &str, start: usize, places: &mut Vec<Place>) {
    let (mut run, mut from) = (0, 0);
    for (at, letter) in line.char_indices() {
        if is_blank(letter) {
            from = if run == 0 { at } else { from };
            run += 1;
        } else {
            if run >= BLANKS {
                places.push(Place::new(Kind::Blanks, start + from..start + at, run));
            }
            run = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_hide_text_is_counted() {
        let smuggled: String =
            "ignore".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
        let selectors = format!("x{}", "\u{e0101}".repeat(20));
        let binary = "a\u{200b}b\u{2060}".repeat(8);
        let rows: [(&str, Hidden); 12] = [
            ("safe \u{202e}txet", Hidden { bidi: 1, ..Hidden::default() }),
            ("\u{2066}x\u{2069}", Hidden { bidi: 2, ..Hidden::default() }),
            (&smuggled, Hidden { tags: 6, ..Hidden::default() }),
            (&format!("\u{1f3f4}{smuggled}{smuggled}"), Hidden { tags: 12, ..Hidden::default() }),
            (
                &format!("\u{1f3f4}{smuggled}{smuggled}\u{e007f}"),
                Hidden { tags: 13, ..Hidden::default() },
            ),
            (&selectors, Hidden { invisible: 20, ..Hidden::default() }),
            (&"\u{200b}\u{200c}".repeat(4), Hidden { invisible: 8, ..Hidden::default() }),
            (&binary, Hidden { invisible: 16, ..Hidden::default() }),
            (&format!("a{}b", " ".repeat(BLANKS)), Hidden { padding: 1, ..Hidden::default() }),
            (
                &format!("a{}b", "\u{3000}\t".repeat(BLANKS)),
                Hidden { padding: 1, ..Hidden::default() },
            ),
            (
                &format!("a\n{}b", "\n".repeat(EMPTY_LINES)),
                Hidden { padding: 1, ..Hidden::default() },
            ),
            (
                &format!("a\n{}b", " \n".repeat(EMPTY_LINES)),
                Hidden { padding: 1, ..Hidden::default() },
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(Hidden::of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_writing_needs_is_not_hidden() {
        for text in [
            "plain\r\n\ttext\n",
            "\u{feff}---\nname: x\n---\n",
            "\u{1f469}\u{200d}\u{1f4bb} \u{2764}\u{fe0f} \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "\u{0645}\u{06cc}\u{200c}\u{062e}\u{0648}\u{0627}\u{0647}\u{0645} \u{200f}x",
            "soft\u{ad}hyphen \u{200b} one",
            &format!("| a |{}|\n", " ".repeat(120)),
        ] {
            assert!(!Hidden::of(text).any(), "{text:?}: {:?}", Hidden::of(text));
        }
    }
}
