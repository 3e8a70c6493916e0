//! `skillpick list`.

use super::{Exit, Failure, Place, open};
use crate::output::list::{self, ListDocument};
use crate::output::tree::{self, TreeDocument};
use crate::output::{Out, table::Signs};
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also list the skills that only other agents of this machine find; JSON always has them
    #[arg(long)]
    unseen: bool,
    /// Look from every directory of the repository that has skills or settings of its own
    #[arg(long, conflicts_with_all = ["unseen", "roots"])]
    tree: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    if options.tree {
        return print_tree(&workspace, place, options, out);
    }
    let with_unseen = options.json || options.unseen;
    let workspace = if with_unseen { workspace.with_unseen() } else { workspace };
    let view = workspace.view();
    let admitted =
        |index: &usize| Workspace::admits(place.scope(), view.rows[*index].entry.skill.scope);
    let is_elsewhere = |index: &usize| view.rows[*index].entry.is_elsewhere();
    let (unseen, indexes): (Vec<usize>, Vec<usize>) =
        (0..view.rows.len()).filter(admitted).partition(is_elsewhere);
    open::warn_about_roots(&view, out)?;
    open::warn_about_hosts(&view, out);
    if options.json {
        out.json(&ListDocument::of(&view, workspace.host.id.word(), &indexes, &unseen))?;
        return Ok(Exit::Done);
    }
    if view.rows.is_empty() {
        open::report_no_skills(&view, out);
        open::report_others(&workspace, place.scope(), out);
    }
    let signs = Signs { ascii: workspace.config.values.ascii.value };
    list::print(out, &view, &indexes, signs)?;
    list::print_unseen(out, &view, &unseen, signs)?;
    Ok(Exit::Done)
}

fn print_tree(
    workspace: &Workspace,
    place: &Place,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let tree = workspace.tree(place.scope());
    if options.json {
        out.json(&TreeDocument::of(&tree, workspace.host.id.word()))?;
    } else {
        tree::print(out, &tree, Signs { ascii: workspace.config.values.ascii.value })?;
    }
    Ok(Exit::Done)
}
