//! Finds and ends the descendants of a process.

use rustix::process::Pid;
#[cfg(target_os = "linux")]
use rustix::process::Signal;

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
    began: u64,
}

/// What `/proc` says of a process.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
struct Seen {
    living: Living,
    /// Whether it is no zombie.
    is_alive: bool,
    parent: i32,
    group: i32,
    threads: u64,
    /// In pages.
    resident: u64,
}

/// Every living process that descends from `ancestor`.
#[cfg(target_os = "linux")]
pub(crate) fn descendants(ancestor: Pid) -> Vec<Living> {
    below(ancestor, &all()).into_iter().map(|seen| seen.living).collect()
}

#[cfg(target_os = "linux")]
fn all() -> Vec<Seen> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter_map(look).collect()
}

#[cfg(target_os = "linux")]
fn below(ancestor: Pid, all: &[Seen]) -> Vec<Seen> {
    let mut known = vec![ancestor.as_raw_nonzero().get()];
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(parent) = known.get(next).copied() {
        let children = all.iter().filter(|seen| seen.parent == parent);
        for child in children {
            known.push(child.living.pid.as_raw_nonzero().get());
            found.extend(child.is_alive.then_some(*child));
        }
        next += 1;
    }
    found
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn descendants(_: Pid) -> Vec<Living> {
    Vec::new()
}

/// Ends every descendant that can be found, and says which were. All are stopped first, because a
/// process that forks faster than it is found would never end. A group is killed as a whole where
/// nobody else is in it, which reaches a child that was not there yet.
#[cfg(target_os = "linux")]
pub(crate) fn end_descendants(ancestor: Pid) -> Vec<Living> {
    let all = all();
    let found = below(ancestor, &all);
    found.iter().for_each(|seen| signal(seen.living, Signal::STOP));
    let is_own = |group: i32| {
        let members = all.iter().filter(|seen| seen.group == group);
        members.clone().all(|member| found.iter().any(|seen| seen.living == member.living))
    };
    let mut groups: Vec<i32> = found.iter().map(|seen| seen.group).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in groups.into_iter().filter(|group| *group > 1 && is_own(*group)) {
        if let Some(group) = Pid::from_raw(group) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
    found.iter().for_each(|seen| signal(seen.living, Signal::KILL));
    found.into_iter().map(|seen| seen.living).collect()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end_descendants(_: Pid) -> Vec<Living> {
    Vec::new()
}

/// What the descendants of a process take.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(super) struct Usage {
    pub(super) processes: Vec<Living>,
    pub(super) threads: u64,
    /// In bytes; what several share is counted for each.
    pub(super) memory: u64,
}

#[cfg(target_os = "linux")]
pub(super) fn usage(ancestor: Pid) -> Usage {
    let found = below(ancestor, &all());
    let page = rustix::param::page_size() as u64;
    Usage {
        threads: found.iter().map(|seen| seen.threads).sum(),
        memory: found.iter().map(|seen| seen.resident * page).sum(),
        processes: found.into_iter().map(|seen| seen.living).collect(),
    }
}

/// The bytes of memory that these processes take together, each page counted once; `None` if the
/// kernel does not say.
#[cfg(target_os = "linux")]
pub(super) fn shared_memory(processes: &[Living]) -> Option<u64> {
    let of = |one: &Living| {
        let path = format!("/proc/{}/smaps_rollup", one.pid.as_raw_nonzero());
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    processes.iter().map(of).sum::<Option<u64>>().map(|kilobytes| kilobytes << 10)
}

/// The threads of all processes of a person.
#[cfg(target_os = "linux")]
pub(super) fn threads_of(person: rustix::process::Uid) -> u64 {
    let is_theirs = |seen: &Seen| {
        let path = format!("/proc/{}", seen.living.pid.as_raw_nonzero());
        let metadata = std::fs::metadata(path);
        metadata
            .is_ok_and(|metadata| std::os::unix::fs::MetadataExt::uid(&metadata) == person.as_raw())
    };
    all().iter().filter(|seen| is_theirs(seen)).map(|seen| seen.threads).sum()
}

#[cfg(target_os = "linux")]
fn look(pid: i32) -> Option<Seen> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    // The name in parentheses may itself hold parentheses.
    let rest: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: usize| rest.get(field)?.parse::<u64>().ok();
    Some(Seen {
        living: Living { pid: Pid::from_raw(pid)?, began: number(19)? },
        is_alive: !matches!(*rest.first()?, "Z" | "X"),
        parent: rest.get(1)?.parse().ok()?,
        group: rest.get(2)?.parse().ok()?,
        threads: number(17)?,
        resident: number(21)?,
    })
}

/// Sends a signal to that process, and never to a later one with the same id.
#[cfg(target_os = "linux")]
fn signal(one: Living, signal: Signal) {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    let raw = one.pid.as_raw_nonzero().get();
    let Ok(handle) = pidfd_open(one.pid, PidfdFlags::empty()) else { return };
    if look(raw).is_some_and(|now| now.living == one) {
        let _ = pidfd_send_signal(handle, signal);
    }
}
