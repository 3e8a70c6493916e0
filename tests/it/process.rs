//! What a process takes, as Linux tells it.

use std::fs;
use std::time::Duration;

/// A row of the status that is a size, in KiB: `VmRSS` is the memory it has, `VmHWM` the most it ever had.
pub(crate) fn kib(pid: i32, row: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix(row)?.strip_prefix(':'));
    size.unwrap().trim().trim_end_matches(" kB").parse().unwrap()
}

/// The most memory that a process ever had, in KiB, without the pages of its own file: those are
/// many where the program is not optimised, and how many it touches differs from run to run.
pub(crate) fn own_peak(pid: i32) -> u64 {
    kib(pid, "VmHWM") - kib(pid, "RssFile")
}

pub(crate) fn open_files(pid: i32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count()
}

/// The first child of a process, and the time of the processor that the child has taken.
pub(crate) fn child(pid: i32) -> (i32, Duration) {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    let child: i32 = children.split_whitespace().next().unwrap().parse().unwrap();
    let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    // Fields 14 and 15 of the whole line, in ticks of which a second has a hundred.
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    (child, Duration::from_millis(ticks * 10))
}
