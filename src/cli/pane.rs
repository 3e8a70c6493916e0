//! `skillpick pane`: in a popup of tmux, types the mention of a picked skill into the pane below.

use super::{Exit, Failure, Place, open, pick};
use crate::catalog::Multiplexer;
use crate::output::Out;
use crate::panes::{PaneError, Panes};
use crate::text::SafeText;
use crate::text::shell::{Shell, apart};
use crate::workspace::host_of_command;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The pane, as tmux numbers it (%3); by default the active one
    #[arg(long, value_name = "PANE")]
    pane: Option<String>,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let failed = |error: PaneError| Failure::failed(SafeText::line(&error.to_string()));
    let context = open::detecting(place, None)?.context;
    let (environment, folder) = (&context.environment, context.cwd.clone());
    let panes = Panes::of(Multiplexer::Tmux, environment, folder).map_err(failed)?;
    let below = panes.tmux_pane(options.pane.as_deref()).map_err(failed)?;
    let commands = || below.running.iter().map(|line| line.split_whitespace());
    let agent = commands().find_map(host_of_command).map(|(host, _)| host.id);
    // A shell would expand `$name`, so it gets a word in quotes.
    let shell =
        commands().find_map(|mut words| shell_of(words.next()?)).filter(|_| agent.is_none());
    let put = |_: &mut Out, text: &str| {
        let text = text.trim_end_matches('\n');
        let lines = text.matches('\n').count() + 1;
        // Without brackets around the paste, a tab and the end of a line are keys.
        let (text, why) = match below.bracketed {
            Some(true) => (text.to_owned(), None),
            Some(false) => (joined(text), Some("the end of each would be Enter in this pane")),
            None => (
                joined(text),
                Some("this tmux does not say whether the end of each would be Enter"),
            ),
        };
        let text = match shell {
            Some(shell) => {
                let (word, close) = apart(&text, shell);
                format!("{word}{close}")
            }
            None => text,
        };
        panes.paste(&below.id, &format!("{text} ")).map_err(failed)?;
        if let Some(why) = why.filter(|_| lines > 1) {
            // The text is there; nothing fails because this is not said.
            let _ = panes.tell(&format!("skillpick: {lines} lines were joined, since {why}"));
        }
        Ok(())
    };
    pick::mentions(place, &pick::Options::default(), agent, put, out)
}

/// A text without keys.
fn joined(text: &str) -> String {
    text.replace(['\n', '\t'], " ")
}

fn shell_of(word: &str) -> Option<Shell> {
    let name = word.trim_start_matches('-').rsplit('/').next()?;
    match name {
        "sh" | "dash" | "ksh" => Some(Shell::Bash),
        "pwsh" => Some(Shell::Powershell),
        name => Shell::from_word(name),
    }
}
