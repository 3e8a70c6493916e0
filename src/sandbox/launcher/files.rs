//! The part of the sandbox that Landlock keeps: files, signals to others, abstract sockets, TCP.

use super::Refused;
use super::calls::Level;
use super::granted::Granted;
use crate::sandbox::Part;
use crate::sandbox::grants::system;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus,
    PathBeneath, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};
use rustix::fs::{FileType, fstat};
use std::os::fd::OwnedFd;

/// The newest version that is used; what an older kernel lacks is kept by the refused calls instead
/// ([`Level`]).
const NEWEST: ABI = ABI::V6;

/// Without these Landlock would be no sandbox.
const NEEDED: ABI = ABI::V1;

/// Written by nearly every program, and of no consequence.
const SINKS: &[&str] = &["/dev/null", "/dev/zero"];

/// Shuts this process in, and says what the kernel's version of Landlock leaves to others.
pub(super) fn restrict(granted: &Granted) -> Result<Level, Refused> {
    let refused = |reason: String| Refused { part: Part::Files, reason };
    let status = rules(granted).map_err(|error| refused(error.to_string()))?;
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        return Err(refused("this kernel has no Landlock, or it is switched off".to_owned()));
    };
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err(refused("the kernel did not enforce the rules".to_owned()));
    }
    Ok(Level {
        truncate_is_kept: effective_abi >= ABI::V3,
        signals_are_kept: effective_abi >= ABI::V6,
    })
}

fn rules(granted: &Granted) -> Result<landlock::RestrictionStatus, RulesetError> {
    let reading = AccessFs::from_read(NEWEST);
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock;
    let writing: BitFlags<AccessFs> = AccessFs::from_all(NEWEST) & !devices;
    let sinks = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(system(), reading))?
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
