//! Whether there is a terminal to draw on.

use crate::text::SafeText;

/// Why there is no terminal for the picker; none where there is one. It draws on the controlling terminal, whatever
/// stdin and stdout are.
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
