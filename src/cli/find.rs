//! Searches skills and their bodies, for `search`, `-f`, `-1` and `-0`.

use super::{Exit, Failure};
use crate::catalog::{HostId, Scope};
use crate::inert;
use crate::runtime::Bodies;
use crate::search::{BodySearch, Context, Hit, Misses, Query, merge_body, rank, seen_first};
use crate::text::SafeText;
use crate::workspace::{View, Workspace, known_hosts};

/// What helps where the view of one agent has not what is looked for.
pub(super) const EVERY: &str = "--host all looks through every agent";

/// Threads that read bodies.
const THREADS: usize = 2;

/// Parses a query of this workspace's view. An unknown filter ends the command (exit 2).
pub(super) fn query(text: &str, workspace: &Workspace) -> Result<Query, Failure> {
    let query = parsed(text, workspace);
    let lines = problems(&query, workspace.host.id);
    match lines.is_empty() {
        true => Ok(query),
        false => Err(Failure::Message { exit: Exit::Failed, code: "failed", lines }),
    }
}

/// The query, in which paths may begin with `~/` and `./`.
pub(super) fn parsed(text: &str, workspace: &Workspace) -> Query {
    Query::parse(text).with_folders(workspace.context.home.as_deref(), workspace.place())
}

/// What is wrong with a query: unknown filters, values and agents, and agents of which the view of
/// the agent `viewed` says nothing.
pub(super) fn problems(query: &Query, viewed: HostId) -> Vec<SafeText> {
    let unknown = query.unknown_hosts(&known_hosts(), viewed);
    let problems = query.problems.iter().chain(&unknown);
    let mut lines: Vec<SafeText> =
        problems.map(|problem| inert!("query: {}", problem.to_string())).collect();
    if unknown.iter().any(|problem| problem.view.is_some()) {
        lines.push(SafeText::fixed(EVERY));
    }
    lines
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
