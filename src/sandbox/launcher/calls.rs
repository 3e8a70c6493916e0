//! The part of the sandbox that seccomp keeps: no network and no other door that is no file.
//!
//! Landlock says nothing of sockets that are files, of modes, owners and times, of keys of the
//! kernel or of the terminal's input queue. What touches those is refused here, as data: a call,
//! when, and what it answers.

use super::Refused;
use crate::sandbox::Part;
use nix::libc;
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};
use std::collections::BTreeMap;

/// What Landlock keeps by itself on this kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Files that may not be written are not emptied by their path either (6.2).
    pub(super) truncate_is_kept: bool,
    /// Signals reach no process outside of the sandbox (6.12).
    pub(super) signals_are_kept: bool,
}

/// What a refused call answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Not permitted.
    Refused,
    /// No such call: the program takes the older way.
    Unknown,
    /// Not supported: programs go on without.
    Unsupported,
    /// Done, though nothing was: programs copy modes, owners and times along and fail where they
    /// may not, but none of these may be changed on files outside, and no filter can tell which
    /// file is meant.
    Pretended,
}

impl Answer {
    const ALL: [Self; 4] = [Self::Refused, Self::Unknown, Self::Unsupported, Self::Pretended];

    fn number(self) -> u32 {
        let number = match self {
            Self::Refused => libc::EPERM,
            Self::Unknown => libc::ENOSYS,
            Self::Unsupported => libc::ENOTSUP,
            Self::Pretended => 0,
        };
        number.unsigned_abs()
    }
}

/// When a call is refused: argument, comparison, value. All must hold; none means always.
type When = Vec<(u8, SeccompCmpArgLen, SeccompCmpOp, u64)>;

type Row = (i64, Answer, When);

/// A session's own keys, other processes' memory, file systems, namespaces, the kernel, and talk
/// with other programs.
const REFUSED: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_shmget,
    libc::SYS_shmat,
];

/// Newer calls, whose numbers are the same on every machine: `setxattrat`, `removexattrat`.
const UNSUPPORTED: &[i64] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    463,
    466,
];

/// Doors behind which the arguments cannot be seen, and `file_setattr`.
const UNKNOWN: &[i64] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    469,
];

/// `fchmodat2` is the number. A file that is open for reading only could be given another mode or
/// time as well.
const PRETENDED: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    452,
];

#[cfg(target_arch = "x86_64")]
const PRETENDED_HERE: &[i64] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const PRETENDED_HERE: &[i64] = &[];

/// Calls that say how a process is scheduled, and which argument says of which.
const SCHEDULING: &[(i64, u8)] = &[
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
];

/// Type into the terminal, paste into the console; a file's flags, in both ways of setting them.
const CONTROLS: &[u64] = &[0x5412, 0x541c, 0x4008_6602, 0x401c_5820];

/// A new user namespace, in which one is root.
const CLONE_NEWUSER: u64 = 0x1000_0000;

/// The bit of the calls with small pointers, which a kernel may take beside its own, and those with
/// their own numbers.
#[cfg(target_arch = "x86_64")]
const SMALL: i64 = 0x4000_0000;
#[cfg(target_arch = "x86_64")]
const SMALL_OWN: &[(i64, i64)] = &[
    (libc::SYS_ioctl, 514),
    (libc::SYS_ptrace, 521),
    (libc::SYS_kexec_load, 528),
    (libc::SYS_process_vm_readv, 539),
    (libc::SYS_process_vm_writev, 540),
];

/// Refuses the calls for this process and all that it starts.
pub(super) fn restrict(level: Level) -> Result<(), Refused> {
    let failed =
        |error: &dyn std::fmt::Display| Refused { part: Part::Calls, reason: error.to_string() };
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| failed(&error))?;
    for answer in Answer::ALL {
        let rules = rules(level, answer).map_err(|error| failed(&error))?;
        let action = SeccompAction::Errno(answer.number());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, machine)
            .map_err(|error| failed(&error))?;
        let program: seccompiler::BpfProgram = filter.try_into().map_err(|error| failed(&error))?;
        apply_filter(&program).map_err(|error| failed(&error))?;
    }
    Ok(())
}

fn rules(
    level: Level,
    answer: Answer,
) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (call, _, when) in rows(level).into_iter().filter(|(_, known, _)| *known == answer) {
        for number in numbers(call) {
            let conditions = when.iter().map(|(index, length, how, value)| {
                SeccompCondition::new(*index, length.clone(), how.clone(), *value)
            });
            let conditions: Vec<SeccompCondition> = conditions.collect::<Result<_, _>>()?;
            let chain = rules.entry(number).or_default();
            // An empty chain is "always".
            if !conditions.is_empty() {
                chain.push(SeccompRule::new(conditions)?);
            }
        }
    }
    Ok(rules)
}

#[cfg(target_arch = "x86_64")]
fn numbers(call: i64) -> Vec<i64> {
    let own =
        SMALL_OWN.iter().filter(|(known, _)| *known == call).map(|(_, number)| SMALL | number);
    [call, SMALL | call].into_iter().chain(own).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn numbers(call: i64) -> Vec<i64> {
    vec![call]
}

fn rows(level: Level) -> Vec<Row> {
    use SeccompCmpArgLen::{Dword, Qword};
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    let always = |answer: Answer| move |call: &i64| (*call, answer, Vec::new());
    let mut rows: Vec<Row> = REFUSED.iter().map(always(Answer::Refused)).collect();
    rows.extend(UNSUPPORTED.iter().map(always(Answer::Unsupported)));
    rows.extend(UNKNOWN.iter().map(always(Answer::Unknown)));
    rows.extend(PRETENDED.iter().chain(PRETENDED_HERE).map(always(Answer::Pretended)));
    rows.extend(
        CONTROLS
            .iter()
            .map(|control| (libc::SYS_ioctl, Answer::Refused, vec![(1, Dword, Eq, *control)])),
    );
    rows.push((
        libc::SYS_clone,
        Answer::Refused,
        vec![(0, Qword, MaskedEq(CLONE_NEWUSER), CLONE_NEWUSER)],
    ));
    // Another process's limits.
    rows.push((libc::SYS_prlimit64, Answer::Refused, vec![(0, Dword, Ne, 0)]));
    // How another process, or every one of the person's, is scheduled: the argument that names it,
    // none being oneself.
    let own = u64::from(std::process::id());
    for (call, whose) in SCHEDULING {
        rows.push((*call, Answer::Refused, vec![(*whose, Dword, Ne, 0), (*whose, Dword, Ne, own)]));
    }
    for (call, user) in [(libc::SYS_setpriority, 2), (libc::SYS_ioprio_set, 3)] {
        rows.push((call, Answer::Refused, vec![(0, Dword, Eq, user)]));
    }
    // Of pairs of sockets only those that cannot be pointed at another socket: not SOCK_DGRAM, nor
    // SOCK_RAW, its alias.
    for kind in [2, 3] {
        rows.push((libc::SYS_socketpair, Answer::Refused, vec![(1, Dword, MaskedEq(0xf), kind)]));
    }
    if !level.truncate_is_kept {
        rows.push((libc::SYS_truncate, Answer::Refused, Vec::new()));
    }
    if !level.signals_are_kept {
        rows.push((libc::SYS_kill, Answer::Refused, vec![(0, Dword, Ne, 0), (0, Dword, Ne, own)]));
        rows.push((libc::SYS_tgkill, Answer::Refused, vec![(0, Dword, Ne, own)]));
        let others = [
            libc::SYS_tkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
            libc::SYS_pidfd_send_signal,
        ];
        rows.extend(others.iter().map(always(Answer::Refused)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [Level; 3] = [
        Level { truncate_is_kept: true, signals_are_kept: true },
        Level { truncate_is_kept: true, signals_are_kept: false },
        Level { truncate_is_kept: false, signals_are_kept: false },
    ];

    #[test]
    fn a_call_is_refused_always_or_sometimes_and_in_one_way() {
        for level in LEVELS {
            let rows = rows(level);
            for (call, answer, when) in &rows {
                let others = rows.iter().filter(|(known, ..)| known == call);
                for (_, other, and_when) in others {
                    assert_eq!((answer, when.is_empty()), (other, and_when.is_empty()), "{call}");
                }
            }
        }
    }

    #[test]
    fn every_filter_can_be_made_and_an_older_kernel_is_kept_by_more_of_them() {
        let sizes = LEVELS.map(|level| {
            Answer::ALL.map(|answer| {
                rules(level, answer)
                    .unwrap()
                    .values()
                    .map(|chain| chain.len().max(1))
                    .sum::<usize>()
            })
        });
        assert!(sizes[0].iter().all(|size| *size > 0));
        assert!(sizes[1][0] > sizes[0][0] && sizes[2][0] > sizes[1][0], "{sizes:?}");
        for answer in Answer::ALL {
            let rules = rules(LEVELS[2], answer).unwrap();
            let action = SeccompAction::Errno(answer.number());
            let machine = TargetArch::try_from(std::env::consts::ARCH).unwrap();
            let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, machine).unwrap();
            let program: seccompiler::BpfProgram = filter.try_into().unwrap();
            assert!(program.len() < 4_096);
        }
    }
}
