//! Which texts Gemini CLI takes for a regular expression (`isSafeRegExp` in its `policy/utils.ts`):
//! those that JavaScript reads without the flags `u` and `v`, that are not long, and that do not
//! repeat what is repeated. They are matched by [`Expression`](crate::policy::Expression), which
//! knows fewer forms.

use std::iter::Peekable;
use std::str::Chars;

/// In units of UTF-16, in which JavaScript measures a text.
const LONGEST: usize = 2_048;

/// Whether it takes the text.
pub(super) fn takes(text: &str) -> bool {
    text.encode_utf16().count() <= LONGEST && !repeats_twice(text) && is_one(text)
}

/// Whether a text is a regular expression.
pub(in crate::hosts) fn is_one(text: &str) -> bool {
    Reader::new(text).reads()
}

/// Its own test, `\([^)]*[*+?{].*\)[*+?{]`.
fn repeats_twice(text: &str) -> bool {
    let is_sign = |letter: char| "*+?{".contains(letter);
    text.match_indices('(').any(|(at, _)| {
        let inner = &text[at + 1..];
        let group = inner.split(')').next().unwrap_or(inner);
        let Some(sign) = group.rfind(is_sign) else { return false };
        let line = inner[sign + 1..].split(['\n', '\r', '\u{2028}', '\u{2029}']).next();
        line.unwrap_or_default().split(')').skip(1).any(|behind| behind.starts_with(is_sign))
    })
}

/// Reads a pattern as ECMAScript's Annex B says (B.1.2).
struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars().peekable() }
    }

    /// Whether the whole text is a pattern.
    fn reads(mut self) -> bool {
        // Whether each open group may be repeated.
        let mut groups = Vec::new();
        let mut repeatable = false;
        while let Some(letter) = self.rest.next() {
            repeatable = match letter {
                '\\' => match self.rest.next() {
                    None => return false,
                    Some(next) => !"bB".contains(next),
                },
                '[' => match self.class() {
                    false => return false,
                    true => true,
                },
                '(' => match self.group() {
                    None => return false,
                    Some(repeats) => {
                        groups.push(repeats);
                        false
                    }
                },
                ')' => match groups.pop() {
                    None => return false,
                    Some(repeats) => repeats,
                },
                '|' | '^' | '$' => false,
                '*' | '+' | '?' => match repeatable {
                    false => return false,
                    true => self.lazy(),
                },
                '{' => match self.counts() {
                    None => true,
                    Some((least, most)) if repeatable && most.is_none_or(|most| least <= most) => {
                        self.lazy()
                    }
                    Some(_) => return false,
                },
                _ => true,
            };
        }
        groups.is_empty()
    }

    /// Passes the sign after a repetition that makes it take as little as it can. What is repeated
    /// cannot be repeated again.
    fn lazy(&mut self) -> bool {
        self.rest.next_if_eq(&'?');
        false
    }

    /// The counts of `{2}`, `{2,}` or `{2,3}` behind the brace; nothing is passed if there are
    /// none.
    fn counts(&mut self) -> Option<(u128, Option<u128>)> {
        let mut ahead = self.rest.clone();
        let number = |ahead: &mut Peekable<Chars<'a>>| {
            let digits: String =
                std::iter::from_fn(|| ahead.next_if(char::is_ascii_digit)).collect();
            (!digits.is_empty()).then(|| digits.parse().unwrap_or(u128::MAX))
        };
        let least = number(&mut ahead)?;
        let most = match ahead.next_if_eq(&',') {
            None => Some(least),
            Some(_) => number(&mut ahead),
        };
        ahead.next_if_eq(&'}')?;
        self.rest = ahead;
        Some((least, most))
    }

    /// Passes the beginning of a group, and says whether the group may be repeated; `None` if it is
    /// no group.
    fn group(&mut self) -> Option<bool> {
        if self.rest.next_if_eq(&'?').is_none() {
            return Some(true);
        }
        match self.rest.next()? {
            ':' | '=' | '!' => Some(true),
            '<' if self.rest.next_if(|next| "=!".contains(*next)).is_some() => Some(false),
            '<' => {
                let is_part = |letter: &char| letter.is_alphanumeric() || "_$".contains(*letter);
                let name: String = std::iter::from_fn(|| self.rest.next_if(is_part)).collect();
                let begins = name.chars().next().is_some_and(|first| !first.is_numeric());
                (begins && self.rest.next_if_eq(&'>').is_some()).then_some(true)
            }
            _ => None,
        }
    }

    /// Passes the rest of a class; `false` if it has no end, or a range that ends before it begins.
    fn class(&mut self) -> bool {
        self.rest.next_if_eq(&'^');
        loop {
            let Some(first) = self.rest.next() else { return false };
            if first == ']' {
                return true;
            }
            let Ok(from) = self.element(first) else { return false };
            let mut ahead = self.rest.clone();
            if ahead.next_if_eq(&'-').is_none() || ahead.peek() == Some(&']') {
                continue;
            }
            self.rest = ahead;
            let Some(last) = self.rest.next() else { return false };
            let Ok(to) = self.element(last) else { return false };
            if from.zip(to).is_some_and(|(from, to)| from > to) {
                return false;
            }
        }
    }

    /// The code of an element of a class, of which the first letter is passed. `None` for a set of
    /// characters, a control character and an octal number. Errors: the text ends.
    fn element(&mut self, first: char) -> Result<Option<u32>, ()> {
        if first != '\\' {
            return Ok(Some(first.into()));
        }
        Ok(match self.rest.next().ok_or(())? {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' | 'c' | '0'..='9' => None,
            'x' => Some(self.code(2).unwrap_or('x'.into())),
            'u' => Some(self.code(4).unwrap_or('u'.into())),
            'b' => Some(0x08),
            't' => Some(0x09),
            'n' => Some(0x0a),
            'v' => Some(0x0b),
            'f' => Some(0x0c),
            'r' => Some(0x0d),
            other => Some(other.into()),
        })
    }

    /// A code of so many hexadecimal digits; nothing is passed if there are fewer.
    fn code(&mut self, digits: usize) -> Option<u32> {
        let mut ahead = self.rest.clone();
        let is_digit = |letter: &char| letter.is_ascii_hexdigit();
        let code: String = (0..digits).map_while(|_| ahead.next_if(is_digit)).collect();
        let code = u32::from_str_radix(&code, 16).ok().filter(|_| code.len() == digits)?;
        self.rest = ahead;
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each was given to `new RegExp` of Node 22.
    #[test]
    fn a_text_is_taken_that_javascript_reads() {
        for text in [
            "",
            "a|b",
            "a{",
            "a{2",
            "{2",
            "]",
            "}",
            "a{1,2}?",
            "[]",
            "[^]",
            "[-a]",
            "[a-]",
            "[\\d-z]",
            "(?:a)",
            "(?<n>a)",
            "(?<=a)b",
            "\\k",
            "\\-",
            "[a\\]b]",
            "a{2,}",
            "x{,3}",
            "\\c",
            "[\\u004a-Z]",
            "[\\x4-9]",
            "[\\u4-z]",
        ] {
            assert!(takes(text), "{text}");
        }
        for text in [
            "(", ")", "a)", "[", "[a", "\\", "*", "a**", "a|*", "(?", "(?P<n>a)", "(?<1>a)",
            "[z-a]", "[p-b]", "a{2,1}", "^*", "\\b+", "(?<=a)*", "(*)", "a{1}{2}", "(?<n", "[\\",
            "+",
        ] {
            assert!(!takes(text), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_long_or_repeats_what_is_repeated_is_not_taken() {
        assert!(takes(&"a".repeat(LONGEST)) && !takes(&"a".repeat(LONGEST + 1)));
        for text in ["(a+)+", "(a*)*", "(a?b){2}", "(a+)(b)*", "(a+\nb?)*"] {
            assert!(!takes(text), "{text}");
        }
        for text in ["(a)+", "(ab)*", "(a)(b+)", "(a+)\n(b)*", "(a+)b"] {
            assert!(takes(text), "{text}");
        }
    }
}
