//! `skillpick verify`.

use super::{Exit, Failure, Place, open};
use crate::catalog::HostId;
use crate::inert;
use crate::output::Out;
use crate::output::verify::{self, Asked, VerifyDocument};
use crate::text::SafeText;
use crate::workspace::verify::{Asking, Patience, Run, at_once, unasked};
use crate::workspace::{HostContext, Workspace};
use clap::Args;
use std::io::{IsTerminal, stdin};
use std::time::Duration;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Run the programs in the real directories, not in a copy: they may write into your home, and
    /// run the repository's hooks
    #[arg(long)]
    live: bool,
    /// Do not ask before a --live run
    #[arg(long, requires = "live")]
    yes: bool,
    /// Time limit for each program
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let host_contexts = host_contexts(&workspace, place, out)?;
    if options.live && !options.yes {
        consent(&host_contexts, out)?;
    }
    for host_context in &host_contexts {
        for alarm in &host_context.policy.alarms {
            out.say(inert!("warning: {}:{}: {}", alarm.file, alarm.line, alarm.message));
        }
    }
    verify::announce(out, &host_contexts, options.live);
    let asked = at_once(&host_contexts, |host_context| ask(&workspace, host_context, options));
    if options.json {
        out.json(&VerifyDocument::of(&asked))?;
    } else {
        verify::print(out, &asked)?;
    }
    let differs = |asked: &Asked<'_>| {
        asked
            .verified
            .as_ref()
            .is_ok_and(|done| done.rows.iter().any(|row| row.finding.is_difference()))
    };
    Ok(match () {
        () if asked.iter().any(|asked| asked.verified.is_err()) => Exit::Failed,
        () if asked.iter().any(differs) => Exit::Missing,
        () => Exit::Done,
    })
}

/// The host that is named, or every host on this machine whose program can be asked.
fn host_contexts(
    workspace: &Workspace,
    place: &Place,
    out: &mut Out,
) -> Result<Vec<HostContext>, Failure> {
    if place.named_host().is_some() {
        return Ok(workspace.host_contexts.to_vec());
    }
    let mut asked = Vec::new();
    for host_context in workspace.everyone() {
        match unasked(&host_context) {
            None => asked.push(host_context),
            Some(_) if host_context.host.id == HostId::AGENTS => {}
            Some(why) => {
                out.say(inert!("{} is not asked: {}", host_context.host.name, why.to_string()))
            }
        }
    }
    match asked.is_empty() {
        true => Err(Failure::failed("no agent on this machine can be asked what it sees")),
        false => Ok(asked),
    }
}

fn ask<'a>(workspace: &Workspace, host_context: &'a HostContext, options: &Options) -> Asked<'a> {
    let mut ran: Vec<Run> = Vec::new();
    let patience =
        Patience { timeout: options.timeout.map(Duration::from_secs), ..Patience::default() };
    let mut told = |run: &Run| ran.push(run.clone());
    let asking = Asking { live: options.live, patience, told: &mut told };
    let verified = workspace.verify(host_context, asking);
    Asked { host_context, ran, verified }
}

/// Asks on the terminal whether the programs may run in the real directories.
fn consent(host_contexts: &[HostContext], out: &mut Out) -> Result<(), Failure> {
    let names: Vec<SafeText> =
        host_contexts.iter().map(|host_context| SafeText::fixed(host_context.host.name)).collect();
    let names = SafeText::join(&names, ", ");
    if !stdin().is_terminal() {
        let failure = Failure::failed(inert!(
            "--live runs {} in the real directories, and there is no terminal to ask on",
            names
        ));
        return Err(failure.with("to do it without being asked: --live --yes"));
    }
    out.say(inert!("--live runs {} here, with your home directory and your environment:", names));
    out.add(
        "they may write into your home, and run what this repository tells them to. Go on? [y/N]",
    );
    let mut answer = String::new();
    let heard = stdin().read_line(&mut answer).is_ok();
    match heard && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
        true => Ok(()),
        false => Err(Failure::Message {
            exit: Exit::Left,
            code: "cancelled",
            lines: vec![SafeText::fixed("nothing was run")],
        }),
    }
}
