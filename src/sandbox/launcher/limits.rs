//! What a run may take of the machine. The kernel keeps each process to it; the outer launcher adds
//! up what all of them take.

#[cfg(target_os = "linux")]
use super::processes;
use crate::sandbox::{Ceiling, Limits};
use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{Pid, Resource, Rlimit, setrlimit};

/// Limits this process and all that it starts, each by itself. A process that grows steadily is
/// told of by the outer launcher, so the kernel's limit is a quarter higher.
pub(super) fn restrict(limits: Limits) {
    // If memory is short, the kernel ends the script first, and no program of the person.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    // A crash leaves no core dump in a directory that is kept.
    set(Resource::Core, 0);
    set(Resource::Fsize, limits.file_size);
    set(Resource::Data, limits.memory.saturating_add(limits.memory / 4));
    // The kernel counts all processes of the person, except for root.
    #[cfg(target_os = "linux")]
    set(
        Resource::Nproc,
        limits.processes.saturating_add(processes::threads_of(rustix::process::getuid())),
    );
}

/// Lowers a limit. A lower one that holds already stays.
fn set(resource: Resource, most: u64) {
    let now = rustix::process::getrlimit(resource);
    let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    let limit = Rlimit { current: lower(now.current), maximum: lower(now.maximum) };
    let _ = setrlimit(resource, limit);
}

/// Whether one of the ended processes had more memory than all may. If it grew faster than it was
/// looked at, the kernel has refused it more, and it has ended by itself.
pub(super) fn was_beyond(limits: Limits) -> bool {
    // Linux counts kilobytes, macOS bytes.
    let unit = if cfg!(target_os = "linux") { 1 << 10 } else { 1 };
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| usage.max_rss());
    usage.is_ok_and(|most| u64::try_from(most).unwrap_or(0).saturating_mul(unit) > limits.memory)
}

/// The ceiling that the descendants of a process are beyond, if they are beyond one.
#[cfg(target_os = "linux")]
pub(super) fn exceeded(ancestor: Pid, limits: Limits) -> Option<Ceiling> {
    let usage = processes::usage(ancestor);
    if usage.threads > limits.processes {
        return Some(Ceiling::Processes);
    }
    // Memory that processes share is counted once only in the slower way.
    let is_beyond = usage.memory > limits.memory
        && processes::shared_memory(&usage.processes).is_none_or(|bytes| bytes > limits.memory);
    is_beyond.then_some(Ceiling::Memory)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exceeded(_: Pid, _: Limits) -> Option<Ceiling> {
    None
}
