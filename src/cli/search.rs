//! `skillpick search`.

use super::{Exit, Failure, Place, find, open};
use crate::inert;
use crate::output::Out;
use crate::output::search::{SearchDocument, ShownHits};
use crate::output::table::{self, Signs};
use crate::policy::Refusal;
use crate::search::{Context, suggest};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Words, and filters such as is:off or scope:repo
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// Print at most N results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let query = find::query(&options.query.join(" "), &workspace)?;
    if query.is_empty() {
        return Err(Failure::failed("a search needs a word or a filter"));
    }
    let view = workspace.view();
    let limits = view.limits();
    let asked = options.limit.map_or(limits.found.unwrap_or(1), |limit| limit as usize);
    let limit = asked.min(limits.most_found.unwrap_or(usize::MAX));
    if limit < asked {
        out.say(inert!(
            "--limit {} is above the settings' max_limit of {}, which applies",
            asked,
            limit
        ));
    }
    open::warn_about_roots(&view, out)?;
    open::warn_about_hosts(&view, out);
    let hits = find::find(&view, &query, place.scope(), &Context::PLAIN);
    let shown = ShownHits { hits: &hits[..hits.len().min(limit)], total: hits.len(), limit };
    if options.json {
        out.json(&SearchDocument::of(&view, workspace.host.id.word(), query.text(), shown))?;
        return Ok(if hits.is_empty() { Exit::Missing } else { Exit::Done });
    }
    if let Some(origin) = view.all_off() {
        return Err(Refusal::all_off(origin).into());
    }
    if hits.is_empty() {
        let failure = Failure::missing(inert!("no skill matches `{}`", query.text()));
        let names =
            suggest(query.text(), view.rows.entries().map(|entry| entry.skill.name.as_str()));
        let nearest = names.first().map(|name| inert!("did you mean `{}`?", name));
        let failure = nearest.into_iter().fold(failure, Failure::with);
        let of_one = (!workspace.is_every())
            .then(|| inert!("searched the view of {}; {}", workspace.host.id.word(), find::EVERY));
        return Err(of_one.into_iter().fold(failure, Failure::with));
    }
    let indexes: Vec<usize> = shown.hits.iter().map(|hit| hit.index as usize).collect();
    table::print(out, &view, &indexes, Signs { ascii: workspace.config.values.ascii.value })?;
    table::print_cuts(out, &view)?;
    if shown.hits.len() < shown.total {
        let (count, total) = (shown.hits.len(), shown.total);
        out.say(inert!("{} of {} are shown; more with --limit N", count, total));
    }
    Ok(Exit::Done)
}
