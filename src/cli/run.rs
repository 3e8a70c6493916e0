//! `skillpick run`.

use super::running::Running;
use super::{Exit, Failure, Place, open, support};
use crate::catalog::{CallKind, short_version};
use crate::config::MAX_TIMEOUT;
use crate::inert;
use crate::output::resource::{PreparedRun, RunDocument, notes, notes_beside_bytes};
use crate::output::{Out, terminal};
use crate::runtime::{
    By, CallContext, Clearance, Launch, LaunchError, RunRequest, WantedFile, exit_code,
};
use crate::sandbox::{self, Ran, WorkDir};
use crate::text::SafeText;
use clap::Args;
use std::io;
use std::time::Duration;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A skill's name, path or mention
    #[arg(value_name = "SKILL")]
    skill: String,
    /// The script, relative to the skill or as a list names it
    #[arg(value_name = "SCRIPT")]
    script: String,
    /// Its arguments
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
    /// An environment variable for the script; may be given several times
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    environment: Vec<(String, String)>,
    /// Its working directory: skill (the read-only copy), fresh (an empty directory), or DIR
    #[arg(long, value_name = "skill|fresh|DIR", default_value = "fresh")]
    cwd: String,
    /// End the script after S seconds
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=MAX_TIMEOUT as u64))]
    timeout: Option<u64>,
    /// The conversation, in which the skill must be loaded
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Run without a sandbox, with all of your rights; this is logged
    #[arg(long)]
    no_sandbox: bool,
    /// Run without asking
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
    pair.map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| "write NAME=VALUE".to_owned())
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    sandbox::sweep();
    let view = workspace.view();
    open::warn_about_store(&view, out);
    let caller = support::caller(place, &workspace, &view, options.session.as_deref());
    let session = support::session(&caller, options.session.as_deref())?;
    let wanted = RunRequest {
        skill: Some(&options.skill),
        script: &options.script,
        arguments: &options.arguments,
        environment: &options.environment,
        directory: WorkDir::read(&options.cwd, &workspace.context.cwd),
        timeout: options.timeout.map(Duration::from_secs),
        unshielded: options.no_sandbox,
    };
    let file = WantedFile { skill: wanted.skill, path: wanted.script };
    let failed = |error: LaunchError| Failure::from(caller.run_refusal(&error, file));
    let launch = caller.prepare(session.as_ref(), By::Person, &wanted).map_err(failed)?;
    if !options.yes && launch.clearance == Clearance::Ask {
        agreed(&caller, &launch, out)?;
    }
    if options.no_sandbox {
        out.say("without a sandbox: the script has all of your rights");
    }
    let prepared = PreparedRun::of(&launch);
    let running = Running::begin(launch.prepared.timeout);
    let ran = caller.launch(launch, true, &|| running.goes_on());
    let signal = running.end();
    let ran = ran.map_err(failed)?;
    // One that came when the script had ended by itself has changed nothing.
    let signal = signal.filter(|_| ran.exit == sandbox::Exit::Cancelled);
    let printed = match options.json {
        true => out.json(&RunDocument::of(&prepared, &ran, signal)).map(|()| Exit::Done),
        false => print(&prepared, &ran, out),
    };
    match signal {
        // After a hang-up there may be nothing to print on.
        Some(number) => {
            let _ = out.finish();
            Ok(Exit::Signal(number))
        }
        None => Ok(printed?),
    }
}

/// Asks a person about a run. What was refused is logged.
fn agreed(caller: &CallContext<'_>, launch: &Launch, out: &mut Out) -> Result<(), Failure> {
    let lines = launch.described();
    let question = SafeText::fixed("Run it? [y]es, [a]lways exactly this, [N]o");
    let answer = terminal::ask(&lines, &question);
    let (refusal, shown) = match answer.as_deref() {
        Some("y" | "yes") => return Ok(()),
        Some("a" | "always") => {
            match caller.remember_consent(launch) {
                Ok(()) => out.say(inert!(
                    "remembered; to take it back: skillpick approve --revoke {}",
                    short_version(&launch.fingerprint())
                )),
                Err(error) => {
                    out.say(inert!("this consent is not remembered: {}", error.to_string()));
                }
            }
            return Ok(());
        }
        // They have just seen it.
        Some(_) => (CallContext::declined_run(launch), Vec::new()),
        None => (caller.consent_refusal(launch), lines),
    };
    caller.refused(CallKind::Run, &launch.skill, Some(launch.script()), refusal.code);
    Err(shown.into_iter().fold(Failure::from(refusal), Failure::with))
}

fn print(prepared: &PreparedRun, ran: &Ran, out: &mut Out) -> io::Result<Exit> {
    let notes = if out.is_terminal() {
        support::text(out, &ran.stdout.text())?;
        notes(prepared, ran)
    } else {
        out.exact(&ran.stdout.head)?;
        if ran.stdout.dropped > 0 {
            out.exact(format!("\n[{} bytes dropped]\n", ran.stdout.dropped).as_bytes())?;
        }
        out.exact(&ran.stdout.tail)?;
        out.finish()?;
        notes_beside_bytes(prepared, ran)
    };
    let said = ran.stderr.text();
    out.quote(&said);
    notes.iter().for_each(|note| out.say(note));
    Ok(Exit::Script(exit_code(ran.exit)))
}
