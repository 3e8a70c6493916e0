//! The two streams: results on stdout, messages on stderr.

use super::json;
use crate::inert;
use crate::text::SafeText;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
#[cfg(unix)]
use std::os::fd::AsFd as _;
#[cfg(windows)]
use std::os::windows::io::AsHandle as _;

/// Columns of plain output that goes to no terminal.
const COLUMNS: usize = 100;

/// How much is gathered before it is written, bytes.
const BUFFER: usize = 64 << 10;

/// Everything that is printed passes here: results on stdout, messages on stderr.
///
/// Errors of stdout come back to the caller, a broken pipe among them; those of stderr are
/// nobody's.
pub struct Out {
    results: BufWriter<Box<dyn Write>>,
    messages: Box<dyn Write>,
    columns: usize,
    terminal: bool,
    /// Whether a document was printed.
    told: bool,
}

/// A message where there is no [`Out`] to say it through: the last words of a panic.
pub fn last_words(text: &SafeText) {
    let _ = writeln!(io::stderr(), "{}", inert!("skillpick: {}", text));
}

impl Out {
    /// The process's own streams. Plain output is as wide as the terminal, or 100 columns where
    /// stdout is none.
    pub fn standard() -> Self {
        let terminal = io::stdout().is_terminal();
        let columns = if terminal {
            crossterm::terminal::size().map_or(0, |(columns, _)| columns)
        } else {
            0
        };
        let columns = if columns == 0 { COLUMNS } else { usize::from(columns) };
        Self::new(Box::new(io::stdout()), Box::new(io::stderr()), terminal, columns)
    }

    /// Stdout for a protocol that is written beside this, without the lock under which everything
    /// else is printed: where nobody reads it, whoever writes there waits alone, and the program
    /// still ends.
    ///
    /// # Errors
    /// The process has no file left to open.
    pub fn apart() -> io::Result<File> {
        let stdout = io::stdout();
        #[cfg(unix)]
        let same = stdout.as_fd().try_clone_to_owned();
        #[cfg(windows)]
        let same = stdout.as_handle().try_clone_to_owned();
        same.map(File::from)
    }

    /// Streams of the caller's; `terminal` is whether results go to one, and the columns of plain
    /// output.
    pub fn new(
        results: Box<dyn Write>,
        messages: Box<dyn Write>,
        terminal: bool,
        columns: usize,
    ) -> Self {
        Self {
            results: BufWriter::with_capacity(BUFFER, results),
            messages,
            columns,
            terminal,
            told: false,
        }
    }

    /// Columns of plain output; at least 20, below which nothing could be read.
    pub fn columns(&self) -> usize {
        self.columns.max(20)
    }

    /// Whether results go to a terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// A line of the result.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn line(&mut self, text: &SafeText) -> io::Result<()> {
        writeln!(self.results, "{text}")
    }

    /// A JSON document on one line, with every control character escaped.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn json(&mut self, document: &impl Serialize) -> io::Result<()> {
        self.told = true;
        json::write(&mut self.results, document)?;
        self.results.write_all(b"\n")
    }

    /// A JSON document about a failure, unless a document was printed before it: there is only one
    /// on stdout.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn json_instead(&mut self, document: &impl Serialize) -> io::Result<()> {
        if self.told { Ok(()) } else { self.json(document) }
    }

    /// Bytes as they are: what another program asked for by name (`--print0`, `--raw` into a pipe),
    /// or text that was found to need no mark. Never used for anything else.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn exact(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.results.write_all(bytes)
    }

    /// A message for the person, on stderr. The result so far is written first, so that the two
    /// stand in order.
    pub fn say(&mut self, text: &SafeText) {
        // A stdout that is gone is told of by the next write to it.
        let _ = self.results.flush();
        let _ = writeln!(self.messages, "{}", inert!("skillpick: {}", text));
    }

    /// A further line of the message before.
    pub fn add(&mut self, text: &SafeText) {
        let _ = writeln!(self.messages, "{}", inert!("  {}", text));
    }

    /// A line of another program's making (a usage error, a help text), on stderr.
    pub fn quote(&mut self, text: &str) {
        for line in text.trim_end().lines() {
            let _ = writeln!(self.messages, "{}", SafeText::clean(line));
        }
    }

    /// Writes what is still gathered.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn finish(&mut self) -> io::Result<()> {
        self.results.flush()
    }
}
