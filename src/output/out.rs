//! The two streams: results on stdout, messages on stderr.

use super::json;
use super::parts::Versioned;
use crate::inert;
use crate::text::diff::FileChange;
use crate::text::{Inert, SafeText};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
#[cfg(unix)]
use std::os::fd::AsFd as _;
#[cfg(windows)]
use std::os::windows::io::AsHandle as _;

/// Columns of plain output if stdout is no terminal.
const COLUMNS: usize = 100;

/// Size of the buffer of results, bytes.
const BUFFER: usize = 64 << 10;

/// Everything is printed through this type.
///
/// Errors of stdout, such as a broken pipe, are returned to the caller. Errors of stderr are
/// ignored, since there is nowhere left to report them.
pub struct Out {
    results: BufWriter<Box<dyn Write>>,
    messages: Box<dyn Write>,
    columns: usize,
    terminal: bool,
    leads_nowhere: bool,
    has_document: bool,
}

/// In place of a closed stdout the standard library opens the null device for reading and writing,
/// and a write to that succeeds. So do Python (`DEVNULL`) and Node (`ignore`) for a program that
/// they start; a shell (`>/dev/null`) opens it for writing only, which is a person's own wish.
#[cfg(unix)]
fn leads_nowhere() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let null = stat("/dev/null").map(|null| null.st_rdev);
    let is_null = fstat(io::stdout()).is_ok_and(|it| it.st_rdev != 0 && Ok(it.st_rdev) == null);
    is_null && fcntl_getfl(io::stdout()).is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR)
}

#[cfg(not(unix))]
fn leads_nowhere() -> bool {
    false
}

/// Prints a message without an [`Out`]: the last words of a panic.
pub fn last_words(text: &SafeText) {
    let _ = writeln!(io::stderr(), "{}", inert!("skillpick: {}", text));
}

impl Out {
    /// The process's own streams. Plain output is as wide as the terminal, or 100 columns if
    /// stdout is no terminal.
    pub fn standard() -> Self {
        let terminal = io::stdout().is_terminal();
        let columns = if terminal {
            crossterm::terminal::size().map_or(0, |(columns, _)| columns)
        } else {
            0
        };
        let columns = if columns == 0 { COLUMNS } else { usize::from(columns) };
        let own = Self::new(Box::new(io::stdout()), Box::new(io::stderr()), terminal, columns);
        Self { leads_nowhere: leads_nowhere(), ..own }
    }

    /// A second handle of stdout for a protocol, without the lock of `io::stdout()`. If nobody
    /// reads stdout, only the protocol's writer blocks, and the program can still end.
    ///
    /// # Errors
    /// The process has no free file descriptor.
    pub fn duplicate_stdout() -> io::Result<File> {
        let stdout = io::stdout();
        #[cfg(unix)]
        let same = stdout.as_fd().try_clone_to_owned();
        #[cfg(windows)]
        let same = stdout.as_handle().try_clone_to_owned();
        same.map(File::from)
    }

    /// The caller's streams. `terminal` says whether results go to a terminal.
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
            leads_nowhere: false,
            has_document: false,
        }
    }

    /// Columns of plain output, at least 20: below that nothing is readable.
    pub fn columns(&self) -> usize {
        self.columns.max(20)
    }

    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Prints a line of the result.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn line(&mut self, text: impl Inert) -> io::Result<()> {
        writeln!(self.results, "{}", text.inert())
    }

    /// Prints the unified diff of a file. Its tabs stay, so that other programs can apply it.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn diff(&mut self, change: &FileChange) -> io::Result<()> {
        for line in change.diff() {
            let parts: Vec<SafeText> = line.text.split('\t').map(SafeText::clean).collect();
            let parts: Vec<&str> = parts.iter().map(SafeText::as_str).collect();
            writeln!(self.results, "{}", parts.join("\t"))?;
        }
        Ok(())
    }

    /// Prints a JSON document on one line, with every control character escaped.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn json(&mut self, document: &impl Serialize) -> io::Result<()> {
        self.has_document = true;
        json::write(&mut self.results, &Versioned::of(document))?;
        self.results.write_all(b"\n")
    }

    /// Prints a JSON document in another program's format, which has no version of ours.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn foreign_json(&mut self, document: &impl Serialize) -> io::Result<()> {
        self.has_document = true;
        json::write(&mut self.results, document)?;
        self.results.write_all(b"\n")
    }

    /// Prints a JSON document about a failure, unless a document was printed before: stdout has
    /// only one.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn json_instead(&mut self, document: &impl Serialize) -> io::Result<()> {
        if self.has_document { Ok(()) } else { self.json(document) }
    }

    /// Prints bytes unchanged. Only for what another program asked for by an option (`--print0`,
    /// `--raw` into a pipe), or for text that needs no mark.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn exact(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.results.write_all(bytes)
    }

    /// Prints a message on stderr. The buffered result is written first, to keep the order.
    pub fn say(&mut self, text: impl Inert) {
        // If stdout is closed, the next write to it returns the error.
        let _ = self.results.flush();
        let _ = writeln!(self.messages, "{}", inert!("skillpick: {}", text));
    }

    /// Prints a further line of the last message.
    pub fn add(&mut self, text: impl Inert) {
        let _ = writeln!(self.messages, "{}", inert!("  {}", text));
    }

    /// Prints a message of several lines on stderr.
    pub fn message(&mut self, lines: &[SafeText]) {
        for (index, line) in lines.iter().enumerate() {
            if index == 0 { self.say(line) } else { self.add(line) }
        }
    }

    /// Prints a warning of several lines on stderr.
    pub fn warn(&mut self, lines: &[SafeText]) {
        for (index, line) in lines.iter().enumerate() {
            if index == 0 { self.say(inert!("warning: {}", line)) } else { self.add(line) }
        }
    }

    /// Prints text that we did not word (a usage error, a script's stderr) on stderr.
    pub fn quote(&mut self, text: &str) {
        for line in text.trim_end().lines() {
            let _ = writeln!(self.messages, "{}", SafeText::clean(line));
        }
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn finish(&mut self) -> io::Result<()> {
        self.results.flush()
    }

    /// Whether results reach nobody, since stdout is closed or leads to the null device.
    pub fn leads_nowhere(&self) -> bool {
        self.leads_nowhere
    }

    /// As [`Out::finish`], for what must have reached somebody.
    ///
    /// # Errors
    /// Those of stdout; it [`Out::leads_nowhere`].
    pub fn deliver(&mut self) -> io::Result<()> {
        self.finish()?;
        match self.leads_nowhere {
            true => Err(io::Error::other("it is closed, or leads to the null device")),
            false => Ok(()),
        }
    }
}
