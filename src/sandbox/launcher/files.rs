//! The part of the sandbox that Landlock enforces: files, signals to other processes, abstract
//! sockets, TCP.

use super::Refused;
use super::granted::Granted;
use super::table::LandlockCovers;
use crate::sandbox::Part;
use crate::sandbox::plan::Plan;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus,
    PathBeneath, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};
use rustix::fs::{FileType, fstat};
use std::os::fd::OwnedFd;

/// The newest version that is used. What an older kernel does not cover is refused by seccomp
/// ([`LandlockCovers`]).
const NEWEST: ABI = ABI::V6;

/// With less than this, nothing is run.
const NEEDED: ABI = ABI::V1;

/// Written by nearly every program, and of no consequence.
const SINKS: &[&str] = &["/dev/null", "/dev/zero"];

/// Confines this process, and says what Landlock covers; a `newest` version stands for an older
/// kernel.
pub(super) fn restrict(plan: &Plan, granted: &Granted) -> Result<LandlockCovers, Refused> {
    let refused = |reason: String| Refused { part: Part::Files, reason };
    let newest = plan.newest_landlock.map_or(NEWEST, |version| ABI::from(version).min(NEWEST));
    let status = rules(plan, granted, newest).map_err(|error| refused(error.to_string()))?;
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        return Err(refused("this kernel has no Landlock, or it is switched off".to_owned()));
    };
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err(refused("the kernel did not enforce the rules".to_owned()));
    }
    let enforced = effective_abi.min(newest);
    Ok(LandlockCovers { truncation: enforced >= ABI::V3, signals: enforced >= ABI::V6 })
}

fn rules(
    plan: &Plan,
    granted: &Granted,
    newest: ABI,
) -> Result<landlock::RestrictionStatus, RulesetError> {
    let (all, network) = (AccessFs::from_all(newest), AccessNet::from_all(newest));
    let (scope, reading) = (Scope::from_all(newest), AccessFs::from_read(newest));
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock;
    let writing: BitFlags<AccessFs> = all & !devices;
    let sinks = (AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev) & all;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?;
    // Older versions have neither, and an empty set is an error.
    if !network.is_empty() {
        ruleset = ruleset.handle_access(network)?;
    }
    if !scope.is_empty() {
        ruleset = ruleset.scope(scope)?;
    }
    ruleset
        .create()?
        .add_rules(path_beneath_rules(&plan.system, reading))?
        .add_rules(beneath(&granted.read, reading))?
        .add_rules(beneath(&granted.write, writing))?
        .add_rules(path_beneath_rules(SINKS, sinks))?
        .restrict_self()
}

/// On a file, only what can be done with files.
fn beneath(
    handles: &[OwnedFd],
    access: BitFlags<AccessFs>,
) -> impl Iterator<Item = Result<PathBeneath<&OwnedFd>, RulesetError>> {
    handles.iter().map(move |handle| {
        let kind = fstat(handle).map(|stat| FileType::from_raw_mode(stat.st_mode));
        let access = if kind == Ok(FileType::Directory) {
            access
        } else {
            access & AccessFs::from_file(NEWEST)
        };
        Ok(PathBeneath::new(handle, access))
    })
}
