//! Skills of one name from several plugins. If the host lists each with its plugin's name before
//! it, they get these names before anything is judged.

use super::HostContext;
use super::names::{Found, Names};
use crate::catalog::{Plugin, Root, Skill, SkillRoot};
use std::path::PathBuf;
use std::sync::Arc;

/// Gives the skills of plugins the names by which the host lists them; see
/// [`crate::policy::Evaluation::plugin_names`]. `skills` are all that the host finds in its roots,
/// or in those that a person browses instead.
pub(super) fn tell_apart(
    skills: &mut [Arc<Skill>],
    host_context: &HostContext,
    instead: &[PathBuf],
) {
    let Some(roots) = roots_of_several(host_context, instead) else { return };
    for (index, renamed) in renamed(skills, host_context, &roots) {
        skills[index] = renamed;
    }
}

/// Whether the host tells skills of several plugins apart here.
pub(super) fn depend_on_plugins(host_context: &HostContext) -> bool {
    roots_of_several(host_context, &[]).is_some()
}

/// The roots of a host that tells skills of several plugins apart, if it has several here.
fn roots_of_several(host_context: &HostContext, instead: &[PathBuf]) -> Option<Vec<Root>> {
    let plugin_names = host_context.policy.order.plugin_names;
    let roots = plugin_names.then(|| host_context.roots(instead))?;
    are_of_several(&roots).then_some(roots)
}

fn are_of_several(roots: &[Root]) -> bool {
    let plugins = roots.iter().filter_map(|root| root.plugin.as_deref());
    let mut names = plugins.filter(|plugin| !plugin.is_built_in()).map(Plugin::name);
    let first = names.next();
    names.any(|other| Some(other) != first)
}

/// The skills whose names change, with their indexes.
fn renamed(
    skills: &[Arc<Skill>],
    host_context: &HostContext,
    roots: &[Root],
) -> Vec<(usize, Arc<Skill>)> {
    let names = Names::of(&Found::of(skills), host_context, roots);
    let one = |(index, skill): (usize, &Arc<Skill>)| {
        let plugin = skill.plugin()?;
        let is_told_apart = names.is_of_several_plugins(skill);
        let prefix = if is_told_apart { plugin.before() } else { String::new() };
        (plugin.prefix != prefix).then(|| (index, Arc::new(with_prefix(skill, plugin, prefix))))
    };
    skills.iter().enumerate().filter_map(one).collect()
}

fn with_prefix(skill: &Skill, plugin: &Plugin, prefix: String) -> Skill {
    let plugin = Some(Arc::new(Plugin { prefix, ..plugin.clone() }));
    let root = Arc::new(SkillRoot { plugin, ..SkillRoot::clone(&skill.root) });
    Skill { root, ..skill.clone() }
}
