//! `skillpick dock`: compose that stays open beside an agent, and writes into its pane.

use super::compose::{self, Given};
use super::{Exit, Failure, Place, linear};
use crate::output::Out;
use crate::panes::{PaneError, around};
use crate::text::SafeText;
use crate::tui::front::{ComposeStart, Outcome, Way};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    given: Given,
    /// Press Enter in the agent's pane behind the prompt
    #[arg(long)]
    submit: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = compose::open(place, None, out)?;
    if around(&workspace.context.environment).is_empty() {
        let why = PaneError::NoMultiplexer.to_string();
        return Err(Failure::failed(SafeText::line(&why)));
    }
    if linear::is_wanted(false, &workspace) {
        let failure = Failure::failed("the dock needs a screen");
        return Err(failure.with("skillpick compose --linear writes a prompt line by line"));
    }
    let start =
        ComposeStart { submit: options.submit, ..options.given.start(&workspace, Way::Pane)? };
    match compose::screen(place, &workspace, start, "dock")? {
        Outcome::Signal(number) => Ok(Exit::Signal(number)),
        // To leave it is its usual end.
        Outcome::Composed(_) | Outcome::Picked(..) | Outcome::Left => Ok(Exit::Done),
    }
}
