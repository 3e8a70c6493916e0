//! Parts of a line in which a text could act whatever its quotes: they are stepped over whole, or
//! they end the reading. And the signs that belong together.

use super::{Quote, Reader, Shell, Word};

impl Reader<'_> {
    /// The letter as a quote, which has several forms in PowerShell.
    pub(super) fn sign(&self, letter: char) -> char {
        match letter {
            '\u{2018}'..='\u{201b}' if self.shell == Shell::Powershell => '\'',
            '\u{201c}'..='\u{201e}' if self.shell == Shell::Powershell => '"',
            letter => letter,
        }
    }

    /// Steps over `${…}`, `$((…))`, `((…))`, `$[…]` or the index of `a[…]=`; `more` of its opening
    /// signs are not read yet. Quotes have other rules in it, so the cursor must not stand there.
    /// If it holds more than plain text, its end is not sure, and the rest of the line is not read.
    pub(super) fn span(&mut self, from: usize, more: usize, close: &str) {
        let start = self.at + more;
        let inside = &self.line[start..];
        let special = |letter: char| "'\"`\\$\n{}()".contains(letter) || close.contains(letter);
        let end = inside.find(special).filter(|end| inside[*end..].starts_with(close));
        let end = end.map(|end| start + end + close.len());
        self.top().word(from).plain = false;
        match end.filter(|end| !(self.at..*end).contains(&self.cursor)) {
            Some(end) => {
                let text = &self.line[from..end];
                self.top().word(from).text.push_str(text);
                self.at = end;
            }
            None => self.lose(),
        }
    }

    /// Whether `[`, which was just read, begins the index of an assignment, which is worked out.
    pub(super) fn begins_element(&mut self) -> bool {
        let frame = self.top();
        let names = |letter: char| letter.is_alphanumeric() || letter == '_';
        let named = |word: &Word| !word.text.is_empty() && word.text.chars().all(names);
        frame.words.is_empty() && frame.open.as_ref().is_some_and(named)
    }

    /// Whether this sign of PowerShell begins `<#`, `@"` or the rest of a line behind `--%`.
    pub(super) fn begins_other(&mut self, letter: char) -> bool {
        let next = self.next().map(|next| self.sign(next));
        let open = self.top().open.as_ref().map(|word| word.text.as_str());
        match letter {
            '<' => next == Some('#'),
            '@' => open.is_none() && matches!(next, Some('"' | '\'')),
            _ => open == Some("--"),
        }
    }

    /// `<` or `>`: the next word is a file, or the word that ends a here-document.
    pub(super) fn redirected(&mut self, letter: char, from: usize) {
        if letter == '<' && self.is_posix() {
            let rest = &self.line[self.at..];
            let more = rest.len() - rest.trim_start_matches('<').len();
            // `<<<` has its text behind it.
            self.here |= more == 1;
            self.at += more;
        }
        let frame = self.top();
        // `2>`: the number is part of the redirection.
        let numbered = |word: &Word| word.text.bytes().all(|byte| byte.is_ascii_digit());
        frame.open = frame.open.take().filter(|word| !numbered(word));
        frame.close(from);
        frame.file = true;
    }

    /// Backticks are read twice: first for their end, whatever quotes are in them, and then without
    /// some backslashes. What is in them is left alone.
    pub(super) fn backtick(&mut self, from: usize) {
        self.descend(from, '`');
        self.top().quote = Quote::Unsure;
    }

    pub(super) fn in_backticks(&mut self, letter: char, at: usize) -> Option<Vec<Word>> {
        match letter {
            '\\' => self.at += self.next().map_or(0, char::len_utf8),
            '`' => return self.ascend(at),
            _ => {}
        }
        None
    }

    /// The letter after a backslash (or PowerShell's backtick) outside quotes.
    pub(super) fn escaped_bare(&mut self, from: usize) {
        let Some(next) = self.next() else { return self.lose() };
        self.at += next.len_utf8();
        let works_out = matches!(self.shell, Shell::Fish | Shell::Powershell);
        let word = self.top().word(from);
        word.text.extend(Some(next).filter(|next| *next != '\n'));
        word.plain &= !(works_out && next.is_ascii_alphanumeric());
        if works_out {
            self.skip_code(next);
        }
    }

    /// The digits of `\x41`, `\u{e9}` or `\101`, which belong to the escape.
    pub(super) fn skip_code(&mut self, sign: char) {
        if "xXuU01234567".contains(sign) {
            let belongs = |byte: &u8| byte.is_ascii_hexdigit() || b"{}".contains(byte);
            let rest = &self.line.as_bytes()[self.at..];
            self.at += rest.iter().take(10).take_while(|byte| belongs(byte)).count();
        }
    }
}
