//! Whether there is a terminal to draw on.

use crate::text::{Inert, SafeText};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Why the picker has no terminal to draw on; none if it has one. It draws on the controlling
/// terminal, also if stdin and stdout are redirected.
pub fn absent() -> Option<SafeText> {
    #[cfg(unix)]
    {
        let kind = std::env::var_os("TERM").unwrap_or_default();
        if kind.is_empty() || kind == "dumb" {
            return Some(SafeText::fixed("TERM is unset or dumb"));
        }
        device().err().map(|_| SafeText::fixed("there is no controlling terminal"))
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal;
        (!std::io::stdin().is_terminal()).then(|| SafeText::fixed("stdin is no console"))
    }
}

/// The controlling terminal.
fn device() -> io::Result<File> {
    let path = if cfg!(unix) { "/dev/tty" } else { "CON" };
    File::options().read(true).write(true).open(path)
}

/// Shows these lines on the controlling terminal and reads the answer, also if stdin and stdout
/// are redirected. None if there is no terminal, or it is closed.
pub fn ask(lines: &[SafeText], question: &SafeText) -> Option<String> {
    let mut terminal = device().ok()?;
    for line in lines {
        writeln!(terminal, "{line}").ok()?;
    }
    write!(terminal, "{question} ").ok()?;
    terminal.flush().ok()?;
    let mut answer = String::new();
    // An answer is one word, so no more than 1 KiB is read.
    let read = BufReader::new(Read::take(terminal, 1_024)).read_line(&mut answer).ok()?;
    (read > 0).then(|| answer.trim().to_lowercase())
}

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 4 << 10;

/// The controlling terminal, line by line, also if stdin and stdout are redirected: for a person
/// who hears the screen read out, and for a terminal that has no cursor. Nothing but text and line
/// ends is written, and the terminal's own editing of a line is left as it is.
#[derive(Debug)]
pub struct Lines {
    reader: BufReader<File>,
    writer: File,
}

impl Lines {
    /// `None` if there is no controlling terminal.
    pub fn open() -> Option<Self> {
        Some(Self { reader: BufReader::new(device().ok()?), writer: device().ok()? })
    }

    /// # Errors
    /// Those of the terminal.
    pub fn tell(&mut self, text: impl Inert) -> io::Result<()> {
        writeln!(self.writer, "{}", text.inert())
    }

    /// What the person types, without the end of the line. `None` at the end of the input.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn hear(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = Read::take(&mut self.reader, LONGEST_LINE).read_until(b'\n', &mut line)?;
        let text = String::from_utf8_lossy(&line);
        Ok((read > 0).then(|| text.trim_end_matches(['\r', '\n']).to_owned()))
    }
}
