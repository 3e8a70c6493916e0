//! A Landlock domain around the outer launcher and all that it starts, in which signals stay.
//!
//! A script can fork faster than its processes are found. From within such a domain one call kills
//! them all: the kernel goes through every process while none can be started, and those that have
//! begun to fork see the signal first.

use crate::sandbox::Sandbox;
use crate::sandbox::plan::Plan;
use landlock::{CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid};
use std::marker::PhantomData;

/// The version of Landlock that keeps signals in.
const SIGNALS: i32 = 6;

/// Proof that the signals of this thread reach nothing outside the domain. It stays on its thread.
#[derive(Debug)]
pub(super) struct Domain(PhantomData<*const ()>);

impl Domain {
    /// The domain for a run. Without a sandbox signals stay free, and bubblewrap has its own way:
    /// the kernel ends a process namespace as a whole.
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        let covered = plan.newest_landlock.is_none_or(|version| version >= SIGNALS);
        (plan.sandbox == Sandbox::On && covered).then(Self::enter).flatten()
    }

    /// Enters a domain, or `None` if the kernel has none for signals (before Linux 6.12). Only
    /// threads and processes that are started afterwards belong to it.
    fn enter() -> Option<Self> {
        // The caller is outside. It can be signalled before and must be out of reach after, or
        // nothing is ever signalled this way.
        let caller = getppid();
        kill(caller, None).ok()?;
        let status = restrict().ok()?;
        let is_scoped = status == RulesetStatus::FullyEnforced
            && getppid() == caller
            && kill(caller, None) == Err(Errno::EPERM);
        is_scoped.then_some(Self(PhantomData))
    }

    /// Kills every process of the domain but our own, those included that begin to fork now.
    pub(super) fn kill_all(&self) {
        let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
    }
}

fn restrict() -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::Signal)?
        .create()?
        .set_compatibility(CompatLevel::HardRequirement);
    Ok(ruleset.restrict_self()?.ruleset)
}
