//! A command line as its shell reads it, as far as quotes, words and commands go.
//!
//! Nothing is expanded. A word in which the shell would work something out (a variable, a command)
//! is marked, since its text is not what the program would get.

mod odd;

use std::ops::Range;

/// A shell whose command line is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    Nu,
    Powershell,
}

crate::words!(
    Shell,
    Bash = "bash",
    Zsh = "zsh",
    Fish = "fish",
    Nu = "nu",
    Powershell = "powershell"
);

/// The quotes around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    None,
    Single,
    Double,
    /// `$'…'`
    DollarSingle,
    /// `$"…"`
    DollarDouble,
    /// Nushell's third pair of quotes.
    Backtick,
    /// Nushell's `r#'…'#`, with this many signs.
    Raw(usize),
    /// No quotes but a comment, in which nothing is an argument.
    Comment,
    /// Quotes keep nothing from the shell here, or it is not sure which are open: in backticks,
    /// `${…}` or a here-document, or behind one of these whose end is not sure.
    Unsure,
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its bytes in the line, quotes included.
    pub range: Range<usize>,
    /// What the program gets, if `plain`.
    pub text: String,
    /// Whether the shell works nothing out in it.
    pub plain: bool,
}

/// The command in which the cursor stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub words: Vec<Word>,
    /// The quotes in which the cursor stands.
    pub quote: Quote,
    /// The cursor's place, which is never between the signs of an escape.
    pub cursor: usize,
}

/// Reads the command around `cursor`, a place in bytes at the edge of a character.
pub fn command_at(line: &str, cursor: usize, shell: Shell) -> Command {
    let reader = Reader {
        line,
        shell,
        at: 0,
        cursor,
        frames: vec![Frame::new('\0', cursor == 0)],
        quote: Quote::Unsure,
        here: false,
        lost: false,
    };
    reader.read()
}

/// A command that is read: the outer one, or one in parentheses.
struct Frame {
    words: Vec<Word>,
    open: Option<Word>,
    quote: Quote,
    /// The sign that ends it.
    end: char,
    /// Whether the cursor stands in it.
    wanted: bool,
    /// Whether the next word is the file of a redirection.
    file: bool,
}

struct Reader<'a> {
    line: &'a str,
    shell: Shell,
    at: usize,
    cursor: usize,
    frames: Vec<Frame>,
    /// The quotes at the cursor.
    quote: Quote,
    /// Whether a here-document begins with the next line.
    here: bool,
    /// Whether the rest of the line is not surely known, and so not read.
    lost: bool,
}

impl Frame {
    fn new(end: char, wanted: bool) -> Self {
        Self { words: Vec::new(), open: None, quote: Quote::None, end, wanted, file: false }
    }

    fn word(&mut self, at: usize) -> &mut Word {
        let new = || Word { range: at..at, text: String::new(), plain: true };
        self.open.get_or_insert_with(new)
    }

    fn close(&mut self, at: usize) {
        let Some(word) = self.open.take() else { return };
        if !std::mem::take(&mut self.file) {
            self.words.push(Word { range: word.range.start..at, ..word });
        }
    }

    /// Whether a parenthesis may end a pattern of `case`, and not what began with one.
    fn has_patterns(&self) -> bool {
        self.end == ')' && self.words.iter().any(|word| word.text == "case")
    }
}

impl Reader<'_> {
    fn read(mut self) -> Command {
        while let Some(letter) = self.next().filter(|_| !self.lost) {
            if self.at == self.cursor {
                self.note_cursor();
            }
            let from = self.at;
            self.at += letter.len_utf8();
            let ended = match self.top().quote {
                Quote::None => self.bare(letter, from),
                Quote::Comment => self.commented(letter, from),
                Quote::Unsure => self.in_backticks(letter, from),
                quote => self.quoted(letter, from, quote),
            };
            if let Some(words) = ended {
                return Command { words, quote: self.quote, cursor: self.cursor };
            }
            // What was put between a backslash and its sign would take the backslash from the sign.
            if (from + 1..self.at).contains(&self.cursor) {
                self.cursor = self.at;
            }
        }
        if self.cursor >= self.line.len() && !self.lost {
            self.note_cursor();
        }
        let end = self.line.len();
        let wanted = self.frames.iter().position(|frame| frame.wanted).unwrap_or_default();
        let mut frame = self.frames.swap_remove(wanted);
        frame.close(end);
        Command { words: frame.words, quote: self.quote, cursor: self.cursor }
    }

    /// The rest of the line may be read in another way than we would.
    fn lose(&mut self) {
        self.lost = true;
        if let Some(word) = &mut self.top().open {
            word.plain = false;
        }
    }

    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::new('\0', false));
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn note_cursor(&mut self) {
        self.frames.iter_mut().for_each(|frame| frame.wanted = false);
        let frame = self.top();
        frame.wanted = true;
        self.quote = frame.quote;
    }

    fn is_posix(&self) -> bool {
        matches!(self.shell, Shell::Bash | Shell::Zsh)
    }

    fn escape(&self) -> Option<char> {
        match self.shell {
            Shell::Bash | Shell::Zsh | Shell::Fish => Some('\\'),
            Shell::Powershell => Some('`'),
            Shell::Nu => None,
        }
    }

    fn next(&self) -> Option<char> {
        self.line[self.at..].chars().next()
    }

    /// A letter outside quotes. The answer is the command's words if it ends the wanted one.
    fn bare(&mut self, letter: char, from: usize) -> Option<Vec<Word>> {
        let escape = self.escape();
        match self.sign(letter) {
            letter if Some(letter) == escape => self.escaped_bare(from),
            '\'' => self.open(Quote::Single, from),
            '"' => self.open(Quote::Double, from),
            '$' if self.shell != Shell::Fish && matches!(self.next(), Some('\'' | '"')) => {
                let single = self.next() == Some('\'');
                self.at += 1;
                self.open(if single { Quote::DollarSingle } else { Quote::DollarDouble }, from);
            }
            '`' if self.shell == Shell::Nu => self.open(Quote::Backtick, from),
            'r' if self.raw_signs().is_some() => {
                let signs = self.raw_signs().unwrap_or_default();
                self.at += signs + 1;
                self.open(Quote::Raw(signs), from);
            }
            '`' if self.is_posix() => self.backtick(from),
            '$' => self.dollar(from),
            '(' if self.is_posix() && self.next() == Some('(') => self.span(from, 1, "))"),
            '[' if self.is_posix() && self.begins_element() => self.span(from, 0, "]"),
            '(' => self.descend(from, ')'),
            ')' if self.top().end == ')' => return self.ascend(from),
            '#' if self.top().open.is_none() => self.top().quote = Quote::Comment,
            '<' | '@' | '%' if self.shell == Shell::Powershell && self.begins_other(letter) => {
                self.lose();
            }
            '<' | '>' => self.redirected(letter, from),
            '&' | '|' if self.top().file && self.top().open.is_none() => {}
            '&' if self.next() == Some('>') => self.top().close(from),
            ';' | '|' | '&' | '\n' => return self.separate(from),
            '{' | '}' if matches!(self.shell, Shell::Nu | Shell::Powershell) => {
                return self.separate(from);
            }
            _ if letter.is_whitespace() => self.top().close(from),
            _ => {
                let acts = self.acts(letter);
                let word = self.top().word(from);
                word.text.push(letter);
                word.plain &= !acts;
            }
        }
        None
    }

    /// A letter of a comment, which goes on to the end of the line.
    fn commented(&mut self, letter: char, from: usize) -> Option<Vec<Word>> {
        if letter != '\n' {
            return None;
        }
        self.top().quote = Quote::None;
        let ended = self.separate(from);
        // zsh has comments at its prompt only where that is set; else quotes in it are quotes.
        if self.shell == Shell::Zsh {
            self.lose();
        }
        ended
    }

    /// Whether the shell works something out where this letter stands outside quotes: files of a
    /// pattern, each of some words, a home folder, a line of the history, the path of a program.
    fn acts(&mut self, letter: char) -> bool {
        let shell = self.shell;
        let before = self.top().open.as_ref().and_then(|word| word.text.chars().next_back());
        match letter {
            '*' | '?' | '[' | '{' => true,
            '~' => before.is_none_or(|before| "=:".contains(before)),
            '=' => shell == Shell::Zsh && before.is_none(),
            '@' => shell == Shell::Powershell && before.is_none(),
            '!' => self.calls_history(),
            _ => false,
        }
    }

    /// Whether `!`, which was just read, would be replaced by a line of the history.
    fn calls_history(&self) -> bool {
        let ends = |next: char| next.is_whitespace() || "=(\"".contains(next);
        self.is_posix() && self.next().is_some_and(|next| !ends(next))
    }

    /// How many `#` stand behind the `r` that begins a raw text of Nushell.
    fn raw_signs(&mut self) -> Option<usize> {
        let begins = self.shell == Shell::Nu && self.top().open.is_none();
        let rest = self.line[self.at..].trim_start_matches('#');
        let signs = self.line.len() - self.at - rest.len();
        (begins && signs > 0 && rest.starts_with('\'')).then_some(signs)
    }

    fn quoted(&mut self, letter: char, from: usize, quote: Quote) -> Option<Vec<Word>> {
        let double = matches!(quote, Quote::Double | Quote::DollarDouble);
        let sign = self.sign(letter);
        let end = match quote {
            Quote::Single | Quote::DollarSingle | Quote::Raw(_) => '\'',
            Quote::Backtick => '`',
            _ => '"',
        };
        if let Quote::Raw(signs) = quote {
            let closes = letter == end && self.line[self.at..].starts_with(&"#".repeat(signs));
            match closes {
                true => {
                    self.at += signs;
                    self.top().quote = Quote::None;
                }
                false => self.top().word(from).text.push(letter),
            }
            return None;
        }
        if sign == end {
            let next = self.next().filter(|next| self.sign(*next) == end);
            if let Some(next) = next.filter(|_| self.shell == Shell::Powershell) {
                self.at += next.len_utf8();
                self.top().word(from).text.push(letter);
            } else {
                self.top().quote = Quote::None;
            }
            return None;
        }
        let escapes = match self.shell {
            Shell::Bash | Shell::Zsh => double || quote == Quote::DollarSingle,
            Shell::Fish => true,
            Shell::Nu | Shell::Powershell => double,
        };
        let escape = if self.shell == Shell::Powershell { '`' } else { '\\' };
        let interpolates = matches!(quote, Quote::DollarSingle | Quote::DollarDouble);
        match letter {
            letter if escapes && letter == escape => self.escaped(from, quote),
            '`' if double && self.is_posix() => self.backtick(from),
            '$' if double && self.shell != Shell::Nu => self.dollar(from),
            '(' if self.shell == Shell::Nu && interpolates => self.descend(from, ')'),
            letter => {
                let acts = double && letter == '!' && self.calls_history();
                let word = self.top().word(from);
                word.text.push(letter);
                word.plain &= !acts;
            }
        }
        None
    }

    /// The letter after a backslash (or PowerShell's backtick) in quotes.
    fn escaped(&mut self, from: usize, quote: Quote) {
        let Some(next) = self.next() else { return self.lose() };
        self.at += next.len_utf8();
        let special = match (self.shell, quote) {
            (Shell::Bash | Shell::Zsh, Quote::DollarSingle) => "'\\\"",
            (Shell::Bash | Shell::Zsh, _) => "$`\"\\\n",
            (Shell::Fish, Quote::Single) => "'\\",
            (Shell::Fish, _) => "$\"\\\n",
            (Shell::Nu, _) => "\"'\\()",
            (Shell::Powershell, _) => "$`\"\u{201c}\u{201d}\u{201e}",
        };
        // `\n` is a new line in some quotes, and two letters in others.
        let works_out = match self.shell {
            Shell::Bash | Shell::Zsh => quote == Quote::DollarSingle,
            Shell::Fish => false,
            Shell::Nu | Shell::Powershell => true,
        };
        let word = self.top().word(from);
        if special.contains(next) {
            word.text.extend(Some(next).filter(|next| *next != '\n'));
            return;
        }
        // zsh drops the backslash before `!`, bash keeps it.
        word.plain &= !works_out && next != '!';
        word.text.extend(['\\', next]);
        if works_out {
            self.skip_code(next);
        }
    }

    fn open(&mut self, quote: Quote, from: usize) {
        let frame = self.top();
        frame.word(from);
        frame.quote = quote;
    }

    /// `$`: the start of a variable or of a command in parentheses, or nothing special.
    fn dollar(&mut self, from: usize) {
        let posix = self.is_posix();
        match self.next() {
            Some('(') if posix && self.line[self.at..].starts_with("((") => {
                self.span(from, 2, "))");
            }
            Some('[') if posix => self.span(from, 1, "]"),
            Some('{') if posix || self.shell == Shell::Powershell => self.span(from, 1, "}"),
            Some('(') => {
                self.at += 1;
                self.descend(from, ')');
            }
            next => {
                let names = |next: char| next.is_alphanumeric() || "_{?@*#!-$".contains(next);
                let word = self.top().word(from);
                word.text.push('$');
                word.plain &= !next.is_some_and(names);
            }
        }
    }

    fn descend(&mut self, from: usize, end: char) {
        self.top().word(from).plain = false;
        self.frames.push(Frame::new(end, false));
    }

    fn ascend(&mut self, at: usize) -> Option<Vec<Word>> {
        let mut frame = self.frames.pop()?;
        frame.close(at);
        if frame.has_patterns() {
            self.lose();
        }
        frame.wanted.then_some(frame.words)
    }

    /// The end of a command among others.
    fn separate(&mut self, at: usize) -> Option<Vec<Word>> {
        let here = self.here && self.line[at..].starts_with('\n');
        let frame = self.top();
        frame.close(at);
        frame.file = false;
        let patterns = frame.has_patterns();
        let words = std::mem::take(&mut frame.words);
        let ended = frame.wanted.then_some(words);
        if here || patterns {
            self.lose();
        }
        ended
    }
}
