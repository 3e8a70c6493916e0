//! `skillpick enable`, `disable`, `permit`.

use super::choice::{Choices, one_of};
use super::{Exit, Failure, Place, launch, open, support, target};
use crate::catalog::{Enablement, HostId, Permission, Skill, canonically_equal};
use crate::inert;
use crate::output::Out;
use crate::output::change::{self, ChangeDocument};
use crate::policy::change::{NewRule, Plan};
use crate::policy::{Bound, Entry, Layer, Origin, Pattern, PatternError, Runs, ScriptPath, Tool};
use crate::runtime::{CallContext, allowing};
use crate::sandbox::{PrepareError, Route, route};
use crate::workspace::edit::{ChangeError, ChangeRequest};
use crate::workspace::{View, Workspace};
use clap::{Args, ValueEnum};
use std::collections::HashSet;
use std::path::Path;

const STATES: Choices<Enablement> = &[
    ("name-only", "The model sees only its name", Enablement::NameOnly),
    ("user-only", "The model does not see it; you can call it", Enablement::UserOnly),
];

#[derive(Debug, Args)]
pub(super) struct Switch {
    /// Names, paths or mentions
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    /// A state between on and off, if the agent has it
    #[arg(long = "as", value_name = "STATE", value_parser = one_of(STATES))]
    state: Option<Enablement>,
    /// Write nothing; print the command line that starts one session with this change
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["file", "dry_run"])]
    emit: Option<Emit>,
    #[command(flatten)]
    write: Write,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Emit {
    /// The command line of one session
    Launch,
}

const EFFECTS: Choices<Permission> = &[
    ("allow", "Without asking", Permission::Allow),
    ("ask", "After asking", Permission::Ask),
    ("deny", "Not at all", Permission::Deny),
];

#[derive(Debug, Args)]
pub(super) struct Permit {
    /// What the model may do
    #[arg(value_parser = one_of(EFFECTS))]
    effect: Permission,
    /// A name, a prefix and `*`, another glob if the agent's rules can have it, or a skill's path.
    /// `allow` for one skill holds only for its path and while its files stay the same. A pattern
    /// never allows skills that a repository brings
    #[arg(value_name = "PATTERN|SKILL", required_unless_present = "arguments")]
    pattern: Option<String>,
    /// `allow` holds for the skill's path whatever becomes of its files. Only for your own skills
    #[arg(long, conflicts_with = "script")]
    path_only: bool,
    /// The rule is about running scripts, not about loading
    #[arg(long)]
    script: bool,
    /// Only this script: a path relative to the skill, or a prefix and `*`
    #[arg(long, value_name = "SCRIPT", requires = "script")]
    path: Option<String>,
    /// Only without arguments
    #[arg(long, requires = "script", conflicts_with = "arguments")]
    no_args: bool,
    /// Only with exactly these arguments. Without a pattern before, the first one is the pattern
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
    #[command(flatten)]
    write: Write,
}

impl Permit {
    /// The pattern or skill, and the arguments of a script. A pattern that begins with a hyphen
    /// comes after `--`.
    fn words(&self) -> (&str, &[String]) {
        match (self.pattern.as_deref(), self.arguments.split_first()) {
            (Some(pattern), _) => (pattern, &self.arguments),
            (None, Some((pattern, arguments))) => (pattern, arguments),
            (None, None) => ("", &[]),
        }
    }

    /// The runs that the rule covers.
    fn runs(&self) -> Result<Runs, Failure> {
        let script = self.path.as_deref().map(ScriptPath::read).transpose();
        let script = script.map_err(|error| Failure::failed(error.to_string()))?;
        let (_, arguments) = self.words();
        if !arguments.is_empty() && !self.script {
            return Err(Failure::failed("only a script has arguments")
                .with("for a rule about a script: add --script"));
        }
        let named = self.no_args || !arguments.is_empty();
        Ok(Runs { script, arguments: named.then(|| arguments.to_vec()) })
    }
}

const FILES: Choices<Layer> = &[
    ("user", "Your own", Layer::User),
    ("project", "The repository's, which is committed", Layer::Project),
    ("local", "Your own in this repository, which git ignores", Layer::Local),
];

/// Where a change is written.
#[derive(Debug, Args)]
struct Write {
    /// Which settings file (default: your own; never one that is committed with a repository)
    #[arg(long = "in", value_name = "FILE", value_parser = one_of(FILES))]
    file: Option<Layer>,
    /// Print the diff, write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn switch(
    place: &Place,
    options: &Switch,
    to: Enablement,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let to = options.state.unwrap_or(to);
    let workspace = if to == Enablement::Off { workspace } else { workspace.looking_anyway() };
    let view = workspace.view();
    let caller = support::caller(place, &workspace, &view, None);
    let one = |skill: &String| target::one(&caller, skill);
    let entries = options.skills.iter().map(one).collect::<Result<Vec<usize>, Failure>>()?;
    let entries = each_once(entries);
    // A switch for a skill that the host does not take has no effect, and a switch by name would
    // hit the skill that shadows it.
    let taken = |index: &&usize| view.rows[**index].entry.taken();
    let other = entries.iter().find(|index| !taken(index)).map(|index| &view.rows[*index].entry);
    if let Some(refusal) = other.and_then(|entry| workspace.refusal(&view, entry)) {
        return Err(refusal.into());
    }
    match options.emit {
        Some(Emit::Launch) => launch::emit(&view, &entries, to, options.write.json, out),
        None => {
            let paths = entries.iter().map(|index| view.rows[*index].skill().path.as_path().into());
            let request = ChangeRequest::Switch { paths: paths.collect(), to };
            make(&caller, &request, &options.write, out)
        }
    }
}

/// What was named twice counts once, where it was named first.
fn each_once(mut indexes: Vec<usize>) -> Vec<usize> {
    let mut known = HashSet::new();
    indexes.retain(|index| known.insert(*index));
    indexes
}

pub(super) fn permit(place: &Place, options: &Permit, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    if options.script && workspace.host.id != HostId::AGENTS {
        return Err(Failure::failed("rules about scripts are skillpick's own: --host agents"));
    }
    let view = workspace.view();
    let caller = support::caller(place, &workspace, &view, None);
    let unseen = open_unseen(place, &caller, options, out)?;
    let there = unseen.as_ref().map(|(there, view)| support::caller(place, there, view, None));
    let (pattern, bound) = covered(there.as_ref().unwrap_or(&caller), options)?;
    if options.path_only && bound.is_none() {
        let what = "--path-only is for `allow` of one skill, in skillpick's own rules";
        return Err(Failure::failed(what));
    }
    let effect = options.effect;
    let tool = if options.script { Tool::SkillScript } else { Tool::SkillLoad };
    let rule = NewRule { effect, tool, pattern, runs: options.runs()?, bound };
    make(&caller, &ChangeRequest::Permit(rule), &options.write, out)
}

/// What a rule waits for that is about nothing here; nothing if no rule says it.
fn waits(view: &View, rule: &NewRule, plan: &Plan) -> &'static str {
    let policies = || view.host_contexts.iter().map(|host_context| &host_context.policy);
    let is_there = || policies().any(|policy| policy.rules.iter().any(|known| rule.is(known)));
    let has_rule = !plan.files.is_empty() || is_there();
    if has_rule { "; the rule applies once there is one" } else { "" }
}

/// Warns if no skill has the script, or if it is a link: then the rule covers less than it seems.
fn warn_about_script(view: &View, rule: &NewRule, waits: &'static str, out: &mut Out) {
    let Some(ScriptPath::Exact(path)) = &rule.runs.script else { return };
    let named = || view.rows.entries().filter(|entry| rule.names(&view.policy, &entry.skill));
    let mut found = named().filter_map(|entry| route(entry.skill.dir(), path)).peekable();
    match found.peek().cloned() {
        None if named().next().is_some() => {
            let bound = rule.bound.as_ref().is_some_and(|bound| bound.digest.is_some());
            let waits = if bound {
                "; allow it again once it is there: the rule holds for the files as they are"
            } else {
                waits
            };
            out.say(inert!("warning: there is no script `{}` here{}", path, waits));
        }
        Some(Route { real, .. }) if found.all(|route| route.real != Path::new(path)) => {
            out.say(inert!("warning: `{}` is a link; rules are matched against {}", path, real));
        }
        _ => {}
    }
}

/// Opens the folder of a skill that is named by its path and is not visible from here. A server
/// that runs in another directory prints such paths.
fn open_unseen(
    place: &Place,
    caller: &CallContext<'_>,
    options: &Permit,
    out: &mut Out,
) -> Result<Option<(Workspace, View)>, Failure> {
    let (text, _) = options.words();
    let binds = caller.view.policy.order.bound && options.effect == Permission::Allow;
    let unseen = || target::one(caller, text).is_err();
    if !binds || !text.contains('/') || text.starts_with(['$', '[']) || !unseen() {
        return Ok(None);
    }
    let path = caller.workspace.context.from_here(text);
    let folder = if path.is_file() { path.parent().unwrap_or(&path) } else { &path };
    if !folder.is_dir() {
        return Ok(None);
    }
    let there = open::checked(place, &[folder.to_owned()], out)?;
    let view = there.view();
    Ok(Some((there, view)))
}

/// What a rule covers. A name or pattern covers all skills of that name, also future ones. An allow
/// rule for one known skill is bound to it. Otherwise a path or mention stands for the name of its
/// skill.
fn covered(
    caller: &CallContext<'_>,
    options: &Permit,
) -> Result<(Pattern, Option<Bound>), Failure> {
    let (order, (text, _)) = (caller.view.policy.order, options.words());
    let is_id = caller.view.rows.entries().any(|entry| entry.skill.has_id(text));
    let is_name = !is_id && !text.contains('/') && !text.starts_with(['$', '[']);
    let binds = order.bound && options.effect == Permission::Allow;
    if is_name {
        let pattern = order.forms.read(text).map_err(|error| {
            let failure = Failure::failed(error.to_string());
            match error {
                PatternError::Glob | PatternError::Path => failure.with(helps(options.effect)),
                PatternError::Empty | PatternError::Exact | PatternError::Kebab => failure,
            }
        })?;
        let Pattern::Exact(name) = &pattern else { return Ok((pattern, None)) };
        let named = |entry: &Entry| canonically_equal(name, &order.name_of(&entry.skill));
        if !binds || !caller.view.rows.entries().any(named) {
            return Ok((pattern, None));
        }
    }
    let index = target::one(caller, text)?;
    let skill = &caller.view.rows[index].entry.skill;
    let pattern = Pattern::Exact(order.name_of(skill).into_owned());
    let bound = binds.then(|| bound(caller, skill, options)).transpose()?;
    Ok((pattern, bound))
}

/// What helps where no rule can have a skill's name.
fn helps(effect: Permission) -> &'static str {
    match effect {
        Permission::Deny => {
            "for such a name: skillpick disable SKILL, or a rule with a beginning and `*`"
        }
        Permission::Ask | Permission::Allow => "for such a name: a rule with a beginning and `*`",
    }
}

/// Binds a rule to the skill, with the digest of its files unless only its path is wanted.
fn bound(caller: &CallContext<'_>, skill: &Skill, options: &Permit) -> Result<Bound, Failure> {
    let path = skill.path.clone();
    if options.path_only {
        return match skill.is_brought() {
            true => Err(Failure::failed(inert!(
                "{}: a path alone allows nothing that a repository or a project brings",
                skill.dir()
            ))
            .with("to allow it while its files stay the same: leave out --path-only")),
            false => Ok(Bound { path, digest: None }),
        };
    }
    let digest =
        if options.script { caller.script_digest(skill) } else { caller.files_digest(skill) };
    let failed =
        |error: PrepareError| Failure::failed(inert!("{}: {}", skill.dir(), error.to_string()));
    Ok(Bound { path, digest: Some(digest.map_err(failed)?.to_string()) })
}

/// Warns if no skill has the name yet, or if an allow rule by name does not cover skills that a
/// repository brings.
fn warn_about_names(caller: &CallContext<'_>, rule: &NewRule, waits: &'static str, out: &mut Out) {
    if rule.bound.is_some() {
        return;
    }
    let policy = &caller.view.policy;
    let named = |entry: &&Entry| rule.names(policy, &entry.skill);
    let named: Vec<&Entry> = caller.view.rows.entries().filter(named).collect();
    if named.is_empty() {
        let text = rule.pattern.text().unwrap_or_else(|| "*".to_owned());
        out.say(inert!("warning: no skill here is named `{}`{}", text, waits));
    }
    // What is allowed without a rule needs none.
    let is_open = |entry: &Entry| {
        rule.tool == Tool::SkillLoad && entry.verdict.model.value == Permission::Allow
    };
    let is_left = |entry: &&&Entry| entry.skill.is_brought() && !is_open(entry);
    let brought: Vec<_> = named.iter().filter(is_left).collect();
    if rule.effect == Permission::Allow
        && policy.order.bound
        && let Some(first) = brought.first()
    {
        out.say(inert!(
            "warning: a rule by name does not reach what a repository brings, {} of them here",
            brought.len()
        ));
        let script = if rule.tool == Tool::SkillScript { " --script" } else { "" };
        let command = allowing::command(caller, first.skill.shell_word());
        out.add(inert!("to allow one of them: {}{}", command, script));
    }
}

/// Warns if the one skill that is allowed hides something: then no rule is enough to load it.
fn warn_about_hidden(caller: &CallContext<'_>, rule: &NewRule, out: &mut Out) {
    let bound = rule.bound.as_ref().filter(|_| rule.tool == Tool::SkillLoad);
    let place = bound.and_then(|bound| caller.view.rows.index_of(&bound.path));
    let entry = place.map(|index| &caller.view.rows[index].entry);
    let refusal = entry.and_then(|entry| caller.unapproved(entry));
    if let Some(refusal) = refusal {
        out.warn(&refusal.lines());
    }
}

/// Plans the change and writes it. The command is the consent; the messages name every file.
fn make(
    caller: &CallContext<'_>,
    request: &ChangeRequest,
    write: &Write,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let CallContext { workspace, view, .. } = *caller;
    let refused = |error| refused(caller, request, write.file, &error);
    let mut plan = workspace.plan(view, request, write.file).map_err(refused)?;
    if let ChangeRequest::Permit(rule) = request {
        let waits = waits(view, rule, &plan);
        warn_about_names(caller, rule, waits, out);
        warn_about_script(view, rule, waits, out);
        warn_about_hidden(caller, rule, out);
    }
    change::outcome(out, view, &plan);
    if !plan.files.is_empty() {
        if matches!(
            request,
            ChangeRequest::Permit(NewRule { bound: Some(Bound { digest: None, .. }), .. })
        ) {
            out.say("note: the rule holds for this skill whatever becomes of its files");
        }
        plan.notes().for_each(|note| out.say(inert!("note: {}", note)));
    }
    if !write.dry_run {
        if plan.files.len() > 1 {
            change::announce(out, &plan);
        }
        plan = workspace.make(view, request, write.file).map_err(refused)?;
    }
    let written = !write.dry_run && !plan.files.is_empty();
    if write.json {
        out.json(&ChangeDocument::of(view, &plan, written))?;
    } else if write.dry_run {
        plan.files.iter().try_for_each(|file| out.diff(&file.change))?;
    }
    if written || plan.files.is_empty() {
        change::report(out, view, &plan);
    }
    // A person who names a file may want the rule in that file, for a team, though another one
    // decides already.
    if plan.files.is_empty() && write.file.is_some() {
        let by = decider(view, request).map(|by| inert!(": decided by {}", by.shown()));
        out.say(inert!("note: the named file stays as it is{}", by.unwrap_or_default()));
    }
    Ok(Exit::Done)
}

/// What decides now about what was asked for.
fn decider(view: &View, request: &ChangeRequest) -> Option<Origin> {
    match request {
        ChangeRequest::Permit(rule) => Some(rule.weighed(&view.policy).origin),
        ChangeRequest::Switch { paths, .. } => {
            let row = paths.first().and_then(|path| view.rows.at(path))?;
            Some(row.entry.decider().clone())
        }
        ChangeRequest::SetRules(_) => None,
    }
}

fn refused(
    caller: &CallContext<'_>,
    request: &ChangeRequest,
    chosen: Option<Layer>,
    error: &ChangeError,
) -> Failure {
    let failure = match error.is_refusal() {
        true => Failure::missing(error.shown()),
        false => Failure::failed(error.shown()),
    };
    let failure = match request {
        ChangeRequest::Permit(rule) if error.is_for_name() => failure.with(helps(rule.effect)),
        _ => failure,
    };
    let way_out = || caller.workspace.way_out(caller.view, request, error);
    match (error.unchosen(), chosen) {
        (Some(layer), _) => failure.with(inert!("to choose that file: --in {}", layer.word())),
        (None, Some(_)) => failure,
        (None, None) => match way_out().map(Layer::word) {
            Some(word) => {
                failure.with(inert!("the {} settings file can say it: --in {}", word, word))
            }
            None => failure,
        },
    }
}
