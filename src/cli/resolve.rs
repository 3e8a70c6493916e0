//! `skillpick resolve`.

use super::{Exit, Failure, Place, open, support};
use crate::catalog::Permission;
use crate::inert;
use crate::output::Out;
use crate::output::calls::ResolveDocument;
use crate::policy::{Choices, Origin, Refusal};
use crate::runtime::session::{Admitted, Gathered, Mode, Rules, SessionError};
use crate::runtime::{CallContext, Calls, Means, called_texts};
use crate::workspace::View;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::io::Read;

/// The longest prompt that is read, bytes.
const MAX_BYTES: u64 = 8 << 20;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Print the prompt with the text of the skills before it
    #[arg(long, conflicts_with = "json")]
    inject: bool,
    /// With --inject: the conversation, which remembers the skills that are called; what it has
    /// loaded is listed
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Read the JSON that an agent gives its hook before a prompt, and answer with the text of the
    /// skills that the prompt calls; with nothing if it calls none
    #[arg(long, conflicts_with_all = ["json", "inject"])]
    hook: bool,
    /// Print JSON (the default)
    #[arg(long)]
    json: bool,
}

/// What agents give a hook before a prompt.
#[derive(Deserialize)]
struct Hook {
    prompt: String,
    #[serde(default, rename = "hook_event_name")]
    event: String,
}

/// What agents add to the prompt: most take it from the answer to a named event, Copilot CLI and our
/// own extensions, which name none, from the top.
#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum HookAnswer<'a> {
    #[serde(rename_all = "camelCase")]
    Named { hook_specific_output: HookContext<'a> },
    #[serde(rename_all = "camelCase")]
    Plain { additional_context: &'a str },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HookContext<'a> {
    hook_event_name: &'a str,
    additional_context: &'a str,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    // clap drops a requirement where what is required cannot go with another option.
    if options.session.is_some() && !options.inject {
        return Err(Failure::failed("--session goes with --inject only").coded("usage"));
    }
    let workspace = open::open(place, &[], None)?;
    if !options.hook {
        open::check_settings(&workspace.config, out)?;
    }
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, options.session.as_deref());
    let mut prompt = stdin()?;
    let mut event = String::new();
    if options.hook {
        let hook: Hook = serde_json::from_str(&prompt)
            .map_err(|_| Failure::failed("stdin is not the JSON of a hook with a `prompt`"))?;
        (prompt, event) = (hook.prompt, hook.event);
    }
    let calls = caller.calls(&prompt);
    if options.hook {
        // Every prompt comes by here. Broken settings matter to those that call a skill.
        if calls.called.iter().all(|called| called.means == Means::Nothing) {
            return Ok(Exit::Done);
        }
        open::check_settings(&workspace.config, out)?;
    }
    warn_about_ignored(&caller, &prompt, &calls, out);
    if !options.inject && !options.hook {
        out.json(&ResolveDocument::of(&prompt, &view, &calls))?;
        return Ok(Exit::Done);
    }
    // The person has to resolve an ambiguous name: no skill is guessed, and none is left out
    // silently.
    for called in &calls.called {
        if let Means::Several(candidates) = &called.means {
            let message = inert!(
                "`{}` could mean {} skills; write [$name](path), without a shell's quotes:",
                prompt[called.range.clone()],
                candidates.len()
            );
            let choices = Choices::Paths(candidates.clone());
            return Err(Refusal { choices, ..Refusal::new("refused", message) }.into());
        }
    }
    let gathered = caller
        .gather(&calls)
        .map_err(|(index, error)| caller.entry_refusal(&error, &view.rows[index].entry))?;
    warn_about_denied(&view, &calls, out);
    if options.hook && gathered.is_empty() {
        return Ok(Exit::Done);
    }
    if options.hook {
        // The agent adds it to the prompt, which is not repeated.
        let context = called_texts(&caller.hand_over_texts(gathered));
        let named = HookContext { hook_event_name: &event, additional_context: &context };
        out.foreign_json(&match event.is_empty() {
            true => HookAnswer::Plain { additional_context: &context },
            false => HookAnswer::Named { hook_specific_output: named },
        })?;
        return Ok(Exit::Done);
    }
    let Some(id) = options.session.as_deref() else {
        support::text(out, &calls.injected(&caller.hand_over_texts(gathered), &[]))?;
        return Ok(Exit::Done);
    };
    inject(&caller, id, &calls, gathered, out)
}

/// Prints the prompt, and remembers in the conversation what it calls.
fn inject(
    caller: &CallContext<'_>,
    id: &str,
    calls: &Calls,
    gathered: Gathered,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let refused = |error: SessionError| Failure::from(caller.session_refusal(&error));
    if gathered.is_empty() {
        let session = caller.session(id).map_err(refused)?.unwrap_or_default();
        support::text(out, &calls.injected(&[], &caller.usable(&session)))?;
        return Ok(Exit::Done);
    }
    let cap = caller.view.config.values.max_active.value;
    // A person calls them now, so they take the place of what was loaded before.
    let rules = Rules { cap, strict: false, drop_oldest: true };
    let admit = |loaded| {
        caller.change_session(id, |session| {
            let Admitted { handed, dropped } = caller.admit(session, loaded, Mode::Add, rules)?;
            Ok((handed, (session.clone(), dropped)))
        })
    };
    let (handed, (session, dropped)) = caller.hand_over(gathered, admit).map_err(refused)?;
    for skill in dropped {
        out.say(inert!("given up, since at most {} are loaded at once: {}", cap, skill.name));
    }
    let text = calls.injected(&handed, &caller.usable(&session));
    let printed = support::text(out, &text).map_err(Failure::from);
    support::finish_handing_over(caller, id, &handed, printed, out)
}

/// Reports mentions that stay text because of a rule or an error, since their author meant the
/// skill.
fn warn_about_ignored(caller: &CallContext<'_>, prompt: &str, calls: &Calls, out: &mut Out) {
    let CallContext { workspace, view, .. } = *caller;
    if !calls.called.is_empty() {
        open::warn_about_off(view, out);
    }
    for called in &calls.called {
        if let Means::Barred(index, _) = &called.means
            && let Some(refusal) = workspace.refusal(view, &view.rows[*index].entry)
        {
            out.say(inert!("`{}` stays text: {}", prompt[called.range.clone()], refusal.line()));
        }
    }
}

/// Reports skills that a rule denies to models. The rule does not bind the person who calls the
/// skill.
fn warn_about_denied(view: &View, calls: &Calls, out: &mut Out) {
    for entry in calls.skills().into_iter().map(|index| &view.rows[index].entry) {
        let model = &entry.verdict.model;
        if model.value == Permission::Deny && !matches!(model.origin, Origin::Skill(_)) {
            out.say(inert!(
                "{}: loading this skill is denied to models; its text is there because you call it",
                entry.skill.name
            ));
            out.add(inert!("decided by {}", model.origin.shown()));
        }
    }
}

fn stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::failed(inert!("stdin: {}", error.to_string())))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::failed("the prompt on stdin is larger than 8 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| Failure::failed("the prompt on stdin is not UTF-8"))
}
