//! The inner launcher: confines itself and becomes the interpreter.

use crate::sandbox::plan::{Plan, Report, read_plan, send};
use crate::sandbox::{Part, Sandbox};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

pub(super) fn main() -> ExitCode {
    let Ok(mut outer) = io::stdin().as_fd().try_clone_to_owned().map(File::from) else {
        return ExitCode::FAILURE;
    };
    let report = match read_plan(io::stdin().lock()) {
        Ok(plan) => become_interpreter(&plan, &mut outer),
        Err(error) => Report::NotStarted { reason: error.to_string() },
    };
    let _ = send(&mut outer, &report);
    ExitCode::FAILURE
}

/// Returns only if something failed.
fn become_interpreter(plan: &Plan, outer: &mut File) -> Report {
    // A session and a process group of its own: no terminal, and one group to signal.
    let _ = rustix::process::setsid();
    super::limits::restrict(plan.limits);
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    let mut command = Command::new(&plan.program);
    if plan.sandbox == Sandbox::Off {
        command.current_dir(&plan.directory);
    } else if let Err(report) = shut_in(plan) {
        return report;
    }
    if let Err(error) = send(outer, &Report::Ready) {
        return Report::NotStarted { reason: error.to_string() };
    }
    let error = command
        .args(&plan.arguments)
        .env_clear()
        .envs(plan.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .exec();
    Report::NotStarted { reason: error.to_string() }
}

/// Confines this process, and goes to the directory in which the script starts.
#[cfg(target_os = "linux")]
fn shut_in(plan: &Plan) -> Result<(), Report> {
    use super::table::LandlockCovers;
    use super::{Refused, calls, files, granted::Granted};
    let refused = |Refused { part, reason }: Refused| Report::Refused { part, reason };
    if let Some(part) = plan.lacking.iter().find(|part| **part != Part::Orphans) {
        return Err(refused(Refused {
            part: *part,
            reason: "it is taken to be missing".to_owned(),
        }));
    }
    privileges()
        .map_err(|error| refused(Refused { part: Part::Privileges, reason: error.to_string() }))?;
    let granted = Granted::of(plan).map_err(|reason| Report::NotStarted { reason })?;
    let covers = match plan.sandbox {
        // Namespaces take the place of Landlock there.
        Sandbox::Bubblewrap => LandlockCovers { truncation: true, signals: true },
        _ => files::restrict(plan, &granted).map_err(refused)?,
    };
    calls::restrict(covers).map_err(refused)
}

/// Set-user-id programs grant nothing, and root loses its capabilities.
#[cfg(target_os = "linux")]
fn privileges() -> rustix::io::Result<()> {
    use rustix::thread::{
        CapabilitySet, CapabilitySets, clear_ambient_capability_set, set_capabilities,
        set_no_new_privs,
    };
    let none = CapabilitySet::empty();
    set_no_new_privs(true)?;
    clear_ambient_capability_set()?;
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
}

#[cfg(not(target_os = "linux"))]
fn shut_in(_: &Plan) -> Result<(), Report> {
    Err(Report::Refused {
        part: Part::System,
        reason: "it has no sandbox that skillpick knows".to_owned(),
    })
}
