//! `skillpick project diff`.

use super::{Chosen, Exit, Failure};
use crate::inert;
use crate::output::Out;
use crate::output::project::ProjectDiffDocument;
use crate::workspace::{Against, CompareError, Workspace};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The skill's name
    #[arg(value_name = "NAME")]
    name: String,
    /// Compare with this version, by its first digits or its number ('#3'), instead of the file
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let chosen = Chosen::of(workspace)?.about(&options.name);
    let compared = match options.version.as_deref() {
        Some(beginning) => chosen.store.compare(&options.name, Against::Version(beginning)),
        None => chosen.store.compare(&options.name, Against::File(&workspace.view())),
    };
    let compared = compared.map_err(|error| not_compared(&chosen, &options.name, &error))?;
    let document = ProjectDiffDocument::of(&compared);
    if options.json {
        out.json(&document)?
    } else {
        document.print(out)?
    }
    Ok(Exit::Done)
}

fn not_compared(chosen: &Chosen<'_>, name: &str, error: &CompareError) -> Failure {
    match error {
        CompareError::Store(error) => chosen.refused(error),
        CompareError::NoFile => Failure::missing(inert!("no file here has the name {}", name))
            .coded("unknown")
            .with("to compare with an earlier version: --version VERSION"),
        CompareError::Unread(path, why) => Failure::failed(inert!("{}: {}", path, why)),
    }
}
