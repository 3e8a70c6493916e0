//! `skillpick list`.

use super::{Exit, Failure, Place, open};
use crate::output::list::{self, ListDocument};
use crate::output::{Out, table::Signs};
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    let admitted =
        |index: &usize| Workspace::admits(place.scope(), view.rows[*index].entry.skill.scope);
    let indexes: Vec<usize> = (0..view.rows.len()).filter(admitted).collect();
    open::warn_about_roots(&view, out);
    open::warn_about_hosts(&view, out);
    if options.json {
        out.json(&ListDocument::of(&view, workspace.host.id.word(), &indexes))?;
        return Ok(Exit::Done);
    }
    if view.rows.is_empty() {
        open::report_no_skills(&view, out);
    }
    list::print(out, &view, &indexes, Signs { ascii: workspace.config.values.ascii.value })?;
    Ok(Exit::Done)
}
