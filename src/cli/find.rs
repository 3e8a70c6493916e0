//! Searches skills and their bodies, for `search`, `-f`, `-1` and `-0`.

use super::{Exit, Failure};
use crate::catalog::Scope;
use crate::inert;
use crate::runtime::Bodies;
use crate::search::{BodySearch, Context, Hit, Misses, Query, merge_body, rank, seen_first};
use crate::text::SafeText;
use crate::workspace::{View, Workspace, known_hosts};

/// Threads that read bodies.
const THREADS: usize = 2;

/// Parses a query. An unknown filter ends the command (exit 2).
pub(super) fn query(text: &str) -> Result<Query, Failure> {
    let query = Query::parse(text);
    let lines = problems(&query);
    match lines.is_empty() {
        true => Ok(query),
        false => Err(Failure::Message { exit: Exit::Failed, code: "failed", lines }),
    }
}

/// What is wrong with a query: unknown filters, values and agents.
pub(super) fn problems(query: &Query) -> Vec<SafeText> {
    let unknown = query.unknown_hosts(&known_hosts());
    let problems = query.problems.iter().chain(&unknown);
    problems.map(|problem| inert!("query: {}", problem.to_string())).collect()
}

/// The skills that the query finds, best first.
pub(super) fn find(
    view: &View,
    query: &Query,
    scope: Option<Scope>,
    context: &Context<'_>,
) -> Vec<Hit> {
    let mut hits = rank(&view.rows, query, context);
    let worth = BodySearch::new(query)
        .map(|mut bodies| bodies.candidates(&view.rows, &hits, context, &Misses::default()));
    if let Some(candidates) = worth {
        // An unreadable file has no body to search; the list says why.
        let mut found = Vec::new();
        let bodies = Bodies {
            rows: &view.rows,
            candidates: &candidates,
            query,
            threads: THREADS,
            go_on: &|| true,
        };
        bodies.search(|part| found.extend(part.found));
        merge_body(&mut hits, &found, &view.rows);
    }
    let admitted = |hit: &Hit| {
        let entry = view.rows.entry(hit.index as usize);
        entry.is_some_and(|entry| Workspace::admits(scope, entry.skill.scope))
    };
    hits.retain(admitted);
    seen_first(&view.rows, &mut hits);
    hits
}
