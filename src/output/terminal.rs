//! Whether there is a terminal to draw on.

use crate::text::SafeText;

/// Why the picker has no terminal to draw on; none if it has one. It draws on the controlling
/// terminal, also if stdin and stdout are redirected.
pub fn absent() -> Option<SafeText> {
    #[cfg(unix)]
    {
        let kind = std::env::var_os("TERM").unwrap_or_default();
        if kind.is_empty() || kind == "dumb" {
            return Some(SafeText::fixed("TERM is unset or dumb"));
        }
        let device = std::fs::File::options().read(true).write(true).open("/dev/tty");
        device.err().map(|_| SafeText::fixed("there is no controlling terminal"))
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal;
        (!std::io::stdin().is_terminal()).then(|| SafeText::fixed("stdin is no console"))
    }
}

/// Shows these lines on the controlling terminal and reads the answer, also if stdin and stdout
/// are redirected. None if there is no terminal, or it is closed.
pub fn ask(lines: &[SafeText], question: &SafeText) -> Option<String> {
    use std::io::{BufRead, BufReader, Write};
    let device = if cfg!(unix) { "/dev/tty" } else { "CON" };
    let mut terminal = std::fs::File::options().read(true).write(true).open(device).ok()?;
    for line in lines {
        writeln!(terminal, "{line}").ok()?;
    }
    write!(terminal, "{question} ").ok()?;
    terminal.flush().ok()?;
    let mut answer = String::new();
    // An answer is one word, so no more than 1 KiB is read.
    let read = BufReader::new(std::io::Read::take(terminal, 1_024)).read_line(&mut answer).ok()?;
    (read > 0).then(|| answer.trim().to_lowercase())
}
