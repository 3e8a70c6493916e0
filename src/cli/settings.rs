//! `skillpick config`.

use super::{Exit, Failure, Place, open};
use crate::config::DEFAULT_FILE;
use crate::output::Out;
use crate::output::settings::ConfigDocument;
use crate::tui::front::own_keys;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Print JSON
    #[arg(long, conflicts_with_all = ["default", "path"])]
    json: bool,
    /// Print the commented default file
    #[arg(long, conflicts_with = "path")]
    default: bool,
    /// Print the path of your settings file, also if it does not exist
    #[arg(long)]
    path: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    if options.default {
        out.exact(DEFAULT_FILE.as_bytes())?;
        return Ok(Exit::Done);
    }
    let workspace = open::open(place, &[], None)?;
    let config = &*workspace.config;
    if options.path {
        if !config.user_place {
            return Err(Failure::failed("there is no home directory; name a file with --config"));
        }
        out.line(&config.user.path)?;
        return Ok(Exit::Done);
    }
    let config = &config.clone().without_keys(&own_keys::wrong_keys(&workspace));
    let document = ConfigDocument::of(config);
    if options.json {
        out.json(&document)?;
    } else {
        document.print(out)?;
        for problem in config.problems() {
            let mut lines = open::sentence(problem).into_iter();
            out.line("")?;
            let grade = if problem.grave { "error" } else { "note" };
            lines.next().map_or(Ok(()), |first| out.line(crate::inert!("{}: {}", grade, first)))?;
            lines.try_for_each(|line| out.line(crate::inert!("  {}", line)))?;
        }
    }
    Ok(if config.user_broken() { Exit::Failed } else { Exit::Done })
}
