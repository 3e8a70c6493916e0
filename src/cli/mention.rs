//! `skillpick mention`.

use super::{Exit, Failure, Place, open, support, target};
use crate::output::Out;
use crate::output::mention::MentionDocument;
use crate::output::selection::{self, Format};
use crate::text::SafeText;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Names, paths or mentions
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    /// Text after the mention
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    args: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let args = options.args.as_deref().unwrap_or_default();
    if SafeText::marks(args) > 0 {
        return Err(Failure::failed("--args holds hidden or control characters"));
    }
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, None);
    let one = |skill: &String| target::called(&caller, skill);
    let indexes = options.skills.iter().map(one).collect::<Result<Vec<usize>, Failure>>()?;
    let off: Vec<usize> =
        indexes.iter().copied().filter(|index| !view.rows[*index].entry.pickable()).collect();
    if !off.is_empty() {
        return Err(support::not_pickable(&workspace, &view, &off));
    }
    let printed = selection::print(&view, &indexes, Format::Mention, false);
    if let Some((index, why)) = printed.refused.first() {
        return Err(why.refusal(&view.rows[*index].entry).into());
    }
    printed.notices("--host").for_each(|notice| out.say(&notice));
    let mut text = printed.bytes;
    if !args.is_empty() {
        text.truncate(text.trim_ascii_end().len());
        text.extend_from_slice(format!(" {args}\n").as_bytes());
    }
    if options.json {
        out.json(&MentionDocument::of(&view, &indexes, &String::from_utf8_lossy(&text)))?;
    } else {
        out.exact(&text)?;
    }
    out.finish()?;
    workspace.remember(&view, &indexes);
    Ok(Exit::Done)
}
