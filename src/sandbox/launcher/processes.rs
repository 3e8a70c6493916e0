//! Finds and ends the descendants of a process.

use rustix::process::{Pid, Signal};

/// Makes the orphans of all that this process starts its own children.
#[cfg(target_os = "linux")]
pub(crate) fn adopt() -> std::io::Result<()> {
    // Any process id enables it.
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt() -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// A living process. Its start time tells it from a later process with the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Living {
    pid: Pid,
    parent: i32,
    began: u64,
}

/// Every living process that descends from `ancestor`.
#[cfg(target_os = "linux")]
pub(crate) fn descendants(ancestor: Pid) -> Vec<Living> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: Vec<(Living, bool)> = ids.filter_map(look).collect();
    let mut known = vec![ancestor.as_raw_nonzero().get()];
    let mut next = 0;
    while let Some(parent) = known.get(next).copied() {
        known.extend(
            all.iter()
                .filter(|(one, _)| one.parent == parent)
                .map(|(one, _)| one.pid.as_raw_nonzero().get()),
        );
        next += 1;
    }
    let below = |one: &Living| known[1..].contains(&one.pid.as_raw_nonzero().get());
    all.into_iter().filter(|(one, living)| *living && below(one)).map(|(one, _)| one).collect()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn descendants(_: Pid) -> Vec<Living> {
    Vec::new()
}

/// What `/proc` says about a process, and whether it is alive, that is no zombie.
#[cfg(target_os = "linux")]
fn look(pid: i32) -> Option<(Living, bool)> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    // The name in parentheses may itself hold parentheses.
    let rest: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let (state, parent, began) =
        (*rest.first()?, rest.get(1)?.parse().ok()?, rest.get(19)?.parse().ok()?);
    Some((Living { pid: Pid::from_raw(pid)?, parent, began }, !matches!(state, "Z" | "X")))
}

/// Sends a signal to that process, and never to a later one with the same id.
#[cfg(target_os = "linux")]
pub(crate) fn signal(one: Living, signal: Signal) {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    let raw = one.pid.as_raw_nonzero().get();
    let Ok(handle) = pidfd_open(one.pid, PidfdFlags::empty()) else { return };
    if look(raw).is_some_and(|(now, _)| now.began == one.began) {
        let _ = pidfd_send_signal(handle, signal);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn signal(one: Living, signal: Signal) {
    let _ = rustix::process::kill_process(one.pid, signal);
}
