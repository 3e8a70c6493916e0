//! Text that a model reads and a person does not see (T5, bar row 4).

/// Zero-width characters in a row from which on they carry something.
const RUN: usize = 4;
/// Zero-width characters of a whole text, joiners and selectors left aside, from which on they carry something.
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

impl Hidden {
    /// Looks through a text. A byte order mark at its beginning is none.
    pub fn of(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let letters: Vec<char> = text.chars().filter(|letter| !letter.is_ascii()).collect();
        let mut hidden = Self { padding: padding(text), ..Self::default() };
        if letters.is_empty() {
            return hidden;
        }
        hidden.bidi = letters.iter().filter(|letter| is_bidi(**letter)).count();
        hidden.tags = tags(text);
        hidden.invisible = invisible(text);
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

/// Whether a character turns the order of text around or hides text of its own, wherever it stands.
pub(super) fn deceives(letter: char) -> bool {
    is_bidi(letter) || is_tag(letter)
}

fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_tag(letter: char) -> bool {
    matches!(letter, '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

fn tags(text: &str) -> usize {
    let mut count = 0;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1f3f4}' {
            let run: Vec<char> = std::iter::from_fn(|| letters.next_if(|next| is_tag(*next))).collect();
            count += if is_flag(&run) { 0 } else { run.len() };
        } else if is_tag(letter) {
            count += 1;
        }
    }
    count
}

/// Whether the tags after a black flag name a part of a country: three to six letters or digits, and the end.
fn is_flag(run: &[char]) -> bool {
    let Some(('\u{e007f}', name)) = run.split_last() else { return false };
    (3..=6).contains(&name.len())
        && name.iter().all(|tag| matches!(tag, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}'))
}

fn is_zero_width(letter: char) -> bool {
    crate::text::is_hidden(letter) && !letter.is_control() && !deceives(letter)
}

fn invisible(text: &str) -> usize {
    let spelling = |letter: char| matches!(letter, '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{61c}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    let (mut run, mut in_runs, mut scattered) = (0, 0, 0);
    for letter in text.chars().chain(['\n']) {
        if is_zero_width(letter) {
            run += 1;
            scattered += usize::from(!spelling(letter));
        } else {
            in_runs += if run >= RUN { run } else { 0 };
            run = 0;
        }
    }
    if scattered >= SCATTERED { in_runs.max(scattered) } else { in_runs }
}

fn padding(text: &str) -> usize {
    let (mut count, mut empty) = (0, 0);
    for line in text.lines() {
        let blank = |letter: char| letter.is_whitespace() || letter == '\u{2800}';
        if line.chars().all(blank) {
            empty += 1;
            continue;
        }
        count += usize::from(empty >= EMPTY_LINES);
        empty = 0;
        let mut run = 0;
        for letter in line.chars() {
            if blank(letter) {
                run += 1;
            } else {
                count += usize::from(run >= BLANKS);
                run = 0;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_4_each_way_to_hide_text_is_counted() {
        let smuggled: String = "ignore".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
        let selectors = format!("x{}", "\u{e0101}".repeat(20));
        let binary = "a\u{200b}b\u{2060}".repeat(8);
        let rows: [(&str, Hidden); 12] = [
            ("safe \u{202e}txet", Hidden { bidi: 1, ..Hidden::default() }),
            ("\u{2066}x\u{2069}", Hidden { bidi: 2, ..Hidden::default() }),
            (&smuggled, Hidden { tags: 6, ..Hidden::default() }),
            (&format!("\u{1f3f4}{smuggled}{smuggled}"), Hidden { tags: 12, ..Hidden::default() }),
            (&format!("\u{1f3f4}{smuggled}{smuggled}\u{e007f}"), Hidden { tags: 13, ..Hidden::default() }),
            (&selectors, Hidden { invisible: 20, ..Hidden::default() }),
            (&"\u{200b}\u{200c}".repeat(4), Hidden { invisible: 8, ..Hidden::default() }),
            (&binary, Hidden { invisible: 16, ..Hidden::default() }),
            (&format!("a{}b", " ".repeat(BLANKS)), Hidden { padding: 1, ..Hidden::default() }),
            (&format!("a{}b", "\u{3000}\t".repeat(BLANKS)), Hidden { padding: 1, ..Hidden::default() }),
            (&format!("a\n{}b", "\n".repeat(EMPTY_LINES)), Hidden { padding: 1, ..Hidden::default() }),
            (&format!("a\n{}b", " \n".repeat(EMPTY_LINES)), Hidden { padding: 1, ..Hidden::default() }),
        ];
        for (text, expected) in rows {
            assert_eq!(Hidden::of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn bar_4_what_writing_needs_is_not_hidden() {
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
