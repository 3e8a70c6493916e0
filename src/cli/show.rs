//! `skillpick show`.

use super::compare::Compared;
use super::{Exit, Failure, Place, compare, open, support, target};
use crate::catalog::validate::TooLarge;
use crate::inert;
use crate::output::show::{self, Content, ShowDocument};
use crate::output::table::Signs;
use crate::output::{Out, seen};
use crate::policy::Entry;
use crate::runtime::{self, Facts, PREVIEW_BYTES, ReadError, Style, TextError};
use crate::workspace::{View, Workspace};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A name, a path or a mention
    #[arg(value_name = "SKILL")]
    skill: String,
    /// One of its files, relative to the skill
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::Other)]
    file: Option<PathBuf>,
    /// Print the source: exact bytes into a pipe or file; on a terminal hidden characters are shown
    /// as marks
    #[arg(long, conflicts_with_all = ["rendered", "tree", "json"])]
    raw: bool,
    /// Print formatted Markdown (the default)
    #[arg(long, conflicts_with_all = ["tree", "json"])]
    rendered: bool,
    /// Print its file tree
    #[arg(long, conflicts_with = "file")]
    tree: bool,
    /// Compare the skills of this name, or this one with OTHER
    #[arg(long, value_name = "OTHER", num_args = 0..=1, conflicts_with_all = ["file", "raw", "rendered", "tree"])]
    diff: Option<Option<String>>,
    /// Print JSON, files included
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, None);
    if let Some(other) = &options.diff {
        let json = options.json;
        let asked = Compared { name: &options.skill, other: other.as_deref(), json };
        return compare::run(&caller, &asked, out);
    }
    let index = target::one(&caller, &options.skill)?;
    let view = workspace.with_body(view, index);
    let entry = &view.rows[index].entry;
    let file = options.file.as_deref();
    let is_held = entry.skill.root.word.as_ref().is_some_and(|word| word.held);
    let facts = || match runtime::facts(&entry.skill) {
        // What a program holds itself has no files.
        Err(_) if is_held => Ok(Facts::default()),
        facts => facts.map_err(|refusal| refused(entry, None, refusal)),
    };
    if options.tree && !options.json {
        show::print_tree(out, &facts()?.tree)?;
    } else if options.json {
        let facts = facts()?;
        let content = content(entry, file)?;
        let reports = workspace.reports(&view);
        if let Some(document) =
            ShowDocument::of(&view, index, &reports, file, &content, &facts.tree)
        {
            out.json(&document)?;
        }
    } else if options.raw && !is_held && !out.is_terminal() {
        let limit = workspace.config.values.file_limit();
        let content = runtime::bytes(&entry.skill, file, limit)
            .map_err(|refusal| refused(entry, file, refusal))?;
        if content.cut {
            let too_large = TooLarge { total: content.total, limit };
            return Err(refused(entry, file, ReadError::TooLarge(too_large)));
        }
        out.exact(&content.bytes)?;
    } else {
        plain(&workspace, &view, index, file, options.raw, out)?;
    }
    Ok(Exit::Done)
}

fn plain(
    workspace: &Workspace,
    view: &View,
    index: usize,
    file: Option<&Path>,
    raw: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let entry = &view.rows[index].entry;
    // The raw SKILL.md has its frontmatter; in the formatted one the head replaces it.
    let own = entry.skill.path.file_name().map(Path::new);
    let asked = if raw { file.or(own) } else { file };
    let text = match content(entry, asked)? {
        Content::Text(text) => text,
        Content::Binary(kind, total) => {
            return Err(refused(entry, asked, ReadError::Binary { kind, total, bytes: true }));
        }
        Content::Held(agent) if file.is_some() || raw => {
            return Err(refused(entry, asked, ReadError::Held(agent)));
        }
        Content::Held(agent) => {
            print_head(workspace, view, index, out)?;
            out.line(inert!("{}", ReadError::Held(agent).to_string()))?;
            return Ok(());
        }
    };
    if file.is_none() && !raw {
        print_head(workspace, view, index, out)?;
    }
    let style = Style { columns: out.columns(), rendered: !raw, coloured: false, wrap: !raw };
    // The source is shown as it is.
    let signs = Signs { ascii: !raw && workspace.config.values.ascii.value };
    show::print_doc(out, &runtime::page(&text, asked, style), signs)?;
    if text.cut {
        out.say(inert!("only the first 1 MiB of {} bytes is shown", text.total));
    }
    Ok(())
}

/// What stands above the text.
fn print_head(
    workspace: &Workspace,
    view: &View,
    index: usize,
    out: &mut Out,
) -> Result<(), Failure> {
    let signs = Signs { ascii: workspace.config.values.ascii.value };
    show::print_head(out, view, &view.rows[index].entry, signs)?;
    seen::print(out, view, &workspace.reports(view), index, signs)?;
    out.line("")?;
    Ok(())
}

fn content(entry: &Entry, file: Option<&Path>) -> Result<Content, Failure> {
    match runtime::text(&entry.skill, file, PREVIEW_BYTES) {
        Ok(text) => Ok(Content::Text(text)),
        Err(TextError::Binary { kind, total }) => Ok(Content::Binary(kind, total)),
        Err(TextError::Held(agent)) => Ok(Content::Held(agent)),
        Err(error) => Err(refused(entry, file, error)),
    }
}

fn refused(entry: &Entry, file: Option<&Path>, error: impl Into<ReadError>) -> Failure {
    runtime::show_refusal(&entry.skill, file, &error.into()).into()
}
