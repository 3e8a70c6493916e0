//! How much of its skills a host puts into its model's prompt, from here and with its settings as
//! they are.

use super::prompt::{Cost, Fitted};
use crate::catalog::{HostId, Listed, Scope, Skill};
use crate::policy::budget::{Budget, Forecast, ListedSkill, Part, Portion, Unit};
use crate::policy::{Evaluation, Verdict};
use crate::runtime::dialect::Dialect;
use crate::workspace::{HostContext, View, Workspace};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A forecast for one host.
#[derive(Clone, Debug)]
pub struct HostForecast {
    pub host: HostId,
    /// The host as people write it, with its version if one is installed.
    pub name: String,
    /// The rule in a few words.
    pub rule: &'static str,
    /// That the installed version is newer than the one for which the rule was proved; else empty.
    pub remark: String,
    /// The skills that are listed to the model, in the host's order; one for each portion.
    pub skills: Vec<Arc<Skill>>,
    pub forecast: Forecast,
}

/// A skill that a host lists to its model, as the host finds it.
struct Seen {
    skill: Arc<Skill>,
    name_only: bool,
    /// By what the host orders its list before it looks at names; see [`Places::rank`].
    rank: usize,
}

/// What is to be forecast.
#[derive(Clone, Copy, Debug)]
pub struct ForecastRequest<'a> {
    pub host: HostId,
    /// The model's context window in tokens; by default that of the model in the host's settings.
    pub window: Option<usize>,
    /// A skill that is counted as if it were off. Our own catalog does not know this.
    pub without: Option<&'a Path>,
}

/// What a host tells its model of the skills of a view. `None` if the view is not through this host
/// or all of them.
pub fn forecast(
    workspace: &Workspace,
    view: &View,
    wanted: &ForecastRequest<'_>,
) -> Option<HostForecast> {
    let ForecastRequest { host, window, without } = *wanted;
    let host_context = view.host_context(host)?;
    let budget = host_context.budget(window);
    if without.is_some() && budget == Budget::Catalog {
        return None;
    }
    let (skills, forecast) = if budget == Budget::Catalog {
        let through = workspace.is_every().then(|| workspace.seen_through(host_context.host, view));
        catalog(through.as_ref().map_or(view, |(_, view)| view))
    } else {
        let places = Places::of(host_context);
        let rank = |skill: &Skill| places.rank(skill, &budget);
        let mut seen = seen(workspace, view, host_context, &rank);
        seen.retain(|seen| without != Some(seen.skill.path.as_path()));
        sort(&mut seen, host_context.policy.order);
        let forecast = budget.forecast(&listed(&seen, &places, &budget, host_context));
        (seen.into_iter().map(|seen| seen.skill).collect(), forecast)
    };
    let version = host_context.installed.as_ref().and_then(|found| found.version.as_ref());
    let version = version.map(|version| format!(" {version}")).unwrap_or_default();
    Some(HostForecast {
        host,
        name: format!("{}{version}", host_context.host.name),
        rule: budget.words(),
        remark: host_context.remark(),
        skills,
        forecast,
    })
}

/// The skills that the host lists to its model.
fn seen(
    workspace: &Workspace,
    view: &View,
    host_context: &HostContext,
    rank: &dyn Fn(&Skill) -> usize,
) -> Vec<Seen> {
    let listed = |skill: &Arc<Skill>, verdict: &Verdict| {
        let name_only = verdict.listed.value == Listed::NameOnly;
        // What is known by the program's own word alone was not measured.
        (verdict.enabled() && skill.root.word.is_none()).then(|| Seen {
            skill: Arc::clone(skill),
            name_only,
            rank: rank(skill),
        })
    };
    if !workspace.is_every() {
        let seen = view.rows.entries().filter(|entry| entry.is_seen());
        return seen.filter_map(|entry| listed(&entry.skill, &entry.verdict)).collect();
    }
    let Some(report) = view.reports.iter().find(|report| report.host == host_context.host.id)
    else {
        return Vec::new();
    };
    let rows = (0..).zip(view.rows.skills());
    let of = |(index, skill): (u32, &Arc<Skill>)| {
        listed(report.as_found(index, skill), report.status(index, skill).verdict()?)
    };
    rows.filter_map(of).collect()
}

/// By rank, then name, then scope, then path.
fn sort(seen: &mut [Seen], order: Evaluation) {
    seen.sort_by(|one, other| {
        let names = || order.name_of(&one.skill).cmp(&order.name_of(&other.skill));
        let scopes = || one.skill.scope.cmp(&other.skill.scope);
        let paths = || one.skill.path.cmp(&other.skill.path);
        one.rank.cmp(&other.rank).then_with(names).then_with(scopes).then_with(paths)
    });
}

/// The roots of a host, in its order.
struct Places {
    /// The place of each root as it was declared, and its canonical path.
    roots: HashMap<PathBuf, (usize, PathBuf)>,
}

impl Places {
    fn of(host_context: &HostContext) -> Self {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let roots = host_context.roots(&[]).into_iter().enumerate();
        Self {
            roots: roots.map(|(at, root)| (root.path.clone(), (at, real(&root.path)))).collect(),
        }
    }

    /// The canonical path of the skill's root.
    fn root<'a>(&'a self, skill: &'a Skill) -> &'a Path {
        self.roots.get(&skill.root.path).map_or(&skill.root.path, |(_, real)| real)
    }

    /// By what the host orders its list before it looks at names.
    fn rank(&self, skill: &Skill, budget: &Budget) -> usize {
        if matches!(budget, Budget::FirstThatFit(_)) {
            return 0;
        }
        if matches!(budget, Budget::EvenPortions(_)) {
            // Codex lists those of the system first, then those of the repository.
            return match skill.scope {
                Scope::System => 0,
                Scope::Repo | Scope::Project => 1,
                Scope::User => 2,
            };
        }
        self.roots.get(&skill.root.path).map_or(usize::MAX, |(at, _)| *at)
    }
}

fn listed<'a>(
    seen: &'a [Seen],
    places: &'a Places,
    budget: &Budget,
    host_context: &HostContext,
) -> Vec<ListedSkill<'a>> {
    let adds_when = matches!(budget, Budget::ByUse(_));
    let reads_lines = matches!(budget, Budget::FirstThatFit(_));
    let order = host_context.policy.order;
    let listed = |Seen { skill, name_only, .. }: &'a Seen| {
        let description = match order.description_of(skill) {
            whole if reads_lines => whole,
            Cow::Borrowed(text) => text.trim().into(),
            Cow::Owned(text) => text.trim().to_owned().into(),
        };
        let when = skill.properties.when_to_use().filter(|_| adds_when);
        ListedSkill {
            name: order.name_of(skill),
            said: &skill.name,
            description: match when {
                Some(when) => format!("{description} - {when}").into(),
                None => description,
            },
            scope: skill.scope,
            root: places.root(skill),
            path: &skill.path,
            name_only: *name_only,
        }
    };
    seen.iter().map(listed).collect()
}

/// The forecast of the catalog that our own `prompt` prints for a host.
fn catalog(view: &View) -> (Vec<Arc<Skill>>, Forecast) {
    let dialect = Dialect::of_host(view.host.id.word());
    let limits = view.limits();
    let fitted = Fitted::of(view, None, dialect.into(), limits);
    let portion = |Cost { skill, given, whole }: Cost<'_>| {
        let cut = given != Some(whole);
        let part = match given {
            None => Part::Nothing,
            Some(_) if cut => Part::Shortened(fitted.description_limit().unwrap_or_default()),
            Some(_) => Part::Whole,
        };
        (Arc::clone(skill), Portion { part, cost: given.unwrap_or_default(), whole, cut })
    };
    let (skills, portions) = fitted.costs().map(portion).unzip();
    let (limit, own) = (limits.bytes, fitted.own_bytes());
    (skills, Forecast { unit: Unit::Bytes, limit, own, portions })
}

#[cfg(test)]
mod tests;
