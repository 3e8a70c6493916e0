//! A host that ends its search after so many skills: what lies behind them it never sees.

use super::HostContext;
use crate::catalog::{Catalog, Cut, Limit, Skill};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Whether the host ends its search.
pub(super) fn ends(host_context: &HostContext) -> bool {
    most(host_context).is_some()
}

fn most(host_context: &HostContext) -> Option<usize> {
    let limits = host_context.policy.limits.or(host_context.host.limits);
    // None at all would be no search.
    limits.discovered.map(|most| most.max(1))
}

/// Takes what the host does not reach from what was found in its own roots. Skills of one name
/// count once, and refused ones do not count.
pub(super) fn end_search(catalog: &mut Catalog, host_context: &HostContext) {
    let Some(most) = most(host_context).filter(|most| *most < catalog.skills.len()) else { return };
    let (host, policy) = (host_context.host, &host_context.policy);
    let roots = host_context.roots(&[]);
    let place = |skill: &Skill| roots.iter().position(|root| root.path == skill.root.path);
    let files = catalog.skills.iter().filter(|skill| skill.stored.is_none());
    let mut met: Vec<&Arc<Skill>> = files.collect();
    met.sort_by(|one, other| {
        let within = || host.siblings.order(one, other);
        place(one).cmp(&place(other)).then_with(within)
    });
    let mut names = HashSet::new();
    let is_last = |skill: &&Arc<Skill>| {
        let is_new = policy.refusal(skill).is_none()
            && names.insert(policy.order.rival_key(skill).into_owned());
        is_new && names.len() == most
    };
    let Some(last) = met.iter().position(is_last) else { return };
    let beyond: HashSet<PathBuf> = met[last + 1..].iter().map(|skill| skill.path.clone()).collect();
    if !beyond.is_empty() {
        catalog.skills.retain(|skill| !beyond.contains(&skill.path));
        let (dropped, path) = (beyond.len(), PathBuf::from(host.name));
        catalog.cuts.push(Cut { limit: Limit::Skills, value: most, dropped, path });
    }
}
