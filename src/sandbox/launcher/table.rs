//! The system calls that a script may not make: which call, under which conditions, and with what
//! result.
//!
//! Landlock decides which files a script reaches, and on newer kernels which processes its signals
//! reach. It does not cover sockets, System V objects, message queues, the kernel's keys, the
//! owners, modes and times of files, or the terminal's input. This table does.

use nix::libc;
use seccompiler::SeccompCmpOp::{self, Eq, MaskedEq, Ne};

/// What Landlock covers on this kernel. The table covers the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LandlockCovers {
    /// `truncate` by path (Linux 6.2).
    pub(super) truncation: bool,
    /// Signals to processes outside the sandbox (Linux 6.12).
    pub(super) signals: bool,
}

/// The result of a refused call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Not permitted.
    Refused,
    /// There is no such call: the program falls back to an older one.
    Unknown,
    /// Not supported: programs go on without it.
    Unsupported,
    /// Success, although nothing was done. Programs copy modes, owners and times and fail where
    /// they cannot. The filter cannot tell the script's own files from others, so none change.
    Pretended,
}

impl Answer {
    pub(super) const ALL: [Self; 4] =
        [Self::Refused, Self::Unknown, Self::Unsupported, Self::Pretended];

    pub(super) fn number(self) -> u32 {
        let number = match self {
            Self::Refused => libc::EPERM,
            Self::Unknown => libc::ENOSYS,
            Self::Unsupported => libc::ENOTSUP,
            Self::Pretended => 0,
        };
        number.unsigned_abs()
    }
}

/// A condition on one argument. Only its low 32 bits are compared: the kernel reads no more of the
/// arguments named here, so a script cannot hide a value behind high bits.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) argument: u8,
    pub(super) comparison: SeccompCmpOp,
    pub(super) value: u64,
}

fn is(argument: u8, value: u64) -> Condition {
    Condition { argument, comparison: Eq, value }
}

fn is_not(argument: u8, value: u64) -> Condition {
    Condition { argument, comparison: Ne, value }
}

fn has_bits(argument: u8, mask: u64, value: u64) -> Condition {
    Condition { argument, comparison: MaskedEq(mask), value }
}

/// A call is refused where all conditions of one of its rows hold; a row without any refuses it
/// always.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) call: i64,
    pub(super) answer: Answer,
    pub(super) conditions: Vec<Condition>,
}

fn always(answer: Answer) -> impl Fn(&i64) -> Row {
    move |call| Row { call: *call, answer, conditions: Vec::new() }
}

fn refused(call: i64, conditions: Vec<Condition>) -> Row {
    Row { call, answer: Answer::Refused, conditions }
}

const REFUSED: &[i64] = &[
    // The network and local sockets.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Other processes: their memory, their descriptors, what they share.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    PROCESS_MRELEASE,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    // System V objects and message queues. They are reached by a number or a name that is no path,
    // so refusing to create or open them is not enough.
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmdt,
    libc::SYS_shmctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_notify,
    libc::SYS_mq_getsetattr,
    // The kernel's keys.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Files by a handle instead of a path, and news of what happens to files anywhere.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    // The system as a whole.
    libc::SYS_bpf,
    libc::SYS_quotactl,
    QUOTACTL_FD,
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
];

// Newer calls have the same number on every machine, and not every libc has their names.
const PROCESS_MADVISE: i64 = 440;
const QUOTACTL_FD: i64 = 443;
const PROCESS_MRELEASE: i64 = 448;
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const OPEN_TREE_ATTR: i64 = 467;
const FILE_SETATTR: i64 = 469;

const UNSUPPORTED: &[i64] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
];

/// Calls whose arguments lie in memory, where a filter cannot see them, and calls for which
/// programs have an older way. What a file without a name holds is memory that is counted nowhere
/// while nobody maps it.
const UNKNOWN: &[i64] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    PROCESS_MADVISE,
    FILE_SETATTR,
];

/// A descriptor that is open for reading is enough to change a mode, an owner or a time.
const PRETENDED: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    FCHMODAT2,
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

/// Calls that act on the process that one argument names: its priority, its processors, its pages.
const ON_A_PROCESS: &[(i64, u8)] = &[
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_move_pages, 0),
    (libc::SYS_migrate_pages, 0),
];

/// `fcntl` commands by which a descriptor sends signals, to any process and of any kind, or holds
/// up whoever opens the file: F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY, F_SETDELEG.
///
/// They are refused on every kernel, also where Landlock covers signals. Programs that skills run
/// wait with poll or epoll instead; one rule for all kernels is the one that gets tested.
const DESCRIPTOR_COMMANDS: &[u64] = &[8, 10, 15, 1024, 1026, 1040];

/// `ioctl` requests: type into the terminal (TIOCSTI), paste into the console (TIOCLINUX), and name
/// the process that a descriptor signals (FIOSETOWN, SIOCSPGRP).
const REQUESTS: &[u64] = &[0x5412, 0x541c, 0x8901, 0x8902];

/// `ioctl` requests of file systems. A descriptor that is open for reading is enough for many of
/// them to change a file for good, lock an encrypted folder, or make and delete subvolumes, and
/// Landlock does not cover them. Of each kind only those pass that read, or that write to a
/// descriptor which is open for writing.
struct FileSystemRequests {
    /// The second byte of the request.
    kind: u64,
    allowed: &'static [u64],
}

const FILE_SYSTEM_REQUESTS: &[FileSystemRequests] = &[
    // ext4 and common: FS_IOC_GETFLAGS, FS_IOC_FIEMAP.
    FileSystemRequests { kind: b'f' as u64, allowed: &[0x8008_6601, 0xc020_660b] },
    // Common: FS_IOC_GETVERSION.
    FileSystemRequests { kind: b'v' as u64, allowed: &[0x8008_7601] },
    // XFS and common: FS_IOC_FSGETXATTR.
    FileSystemRequests { kind: b'X' as u64, allowed: &[0x801c_581f] },
    // btrfs and common: FICLONE, FICLONERANGE, FIDEDUPERANGE, FS_IOC_GETFSLABEL.
    FileSystemRequests {
        kind: 0x94,
        allowed: &[0x4004_9409, 0x4020_940d, 0xc018_9436, 0x8100_9431],
    },
    // f2fs.
    FileSystemRequests { kind: 0xf5, allowed: &[] },
];

/// A new user namespace, in which the script would be root.
const CLONE_NEWUSER: u64 = 0x1000_0000;

/// All rows for a kernel on which Landlock covers this much. `own` is the process that becomes the
/// interpreter.
pub(super) fn rows(covers: LandlockCovers, own: u32) -> Vec<Row> {
    let own = u64::from(own);
    let mut rows: Vec<Row> = REFUSED.iter().map(always(Answer::Refused)).collect();
    rows.extend(UNSUPPORTED.iter().map(always(Answer::Unsupported)));
    rows.extend(UNKNOWN.iter().map(always(Answer::Unknown)));
    rows.extend(PRETENDED.iter().chain(PRETENDED_HERE).map(always(Answer::Pretended)));
    rows.extend(descriptors());
    rows.extend(other_processes(own));
    rows.push(refused(libc::SYS_clone, vec![has_bits(0, CLONE_NEWUSER, CLONE_NEWUSER)]));
    // A pair of datagram sockets (SOCK_DGRAM, or its alias SOCK_RAW) can be pointed at another one.
    rows.extend([2, 3].map(|kind| refused(libc::SYS_socketpair, vec![has_bits(1, 0xf, kind)])));
    if !covers.truncation {
        rows.push(refused(libc::SYS_truncate, Vec::new()));
    }
    if !covers.signals {
        rows.extend(signals(own));
    }
    rows
}

/// What a script may not do with a descriptor.
fn descriptors() -> Vec<Row> {
    let commands = DESCRIPTOR_COMMANDS.iter().map(|command| (libc::SYS_fcntl, *command));
    let requests = REQUESTS.iter().map(|request| (libc::SYS_ioctl, *request));
    let plain = commands.chain(requests).map(|(call, value)| refused(call, vec![is(1, value)]));
    let file_systems = FILE_SYSTEM_REQUESTS.iter().map(|requests| {
        let kind = has_bits(1, 0xff00, requests.kind << 8);
        let allowed = requests.allowed.iter().map(|request| is_not(1, *request));
        refused(libc::SYS_ioctl, std::iter::once(kind).chain(allowed).collect())
    });
    plain.chain(file_systems).collect()
}

/// What a script may not do to processes other than the interpreter itself; zero means the caller.
fn other_processes(own: u64) -> Vec<Row> {
    let named = ON_A_PROCESS
        .iter()
        .map(|(call, argument)| refused(*call, vec![is_not(*argument, 0), is_not(*argument, own)]));
    // PRIO_USER and IOPRIO_WHO_USER: every process of the person.
    let whole_user = [(libc::SYS_setpriority, 2), (libc::SYS_ioprio_set, 3)]
        .map(|(call, user)| refused(call, vec![is(0, user)]));
    let limits = refused(libc::SYS_prlimit64, vec![is_not(0, 0)]);
    named.chain(whole_user).chain([limits]).collect()
}

/// Every call that sends a signal, except to the interpreter and the script's own group.
fn signals(own: u64) -> Vec<Row> {
    let mut rows = vec![
        refused(libc::SYS_kill, vec![is_not(0, 0), is_not(0, own)]),
        refused(libc::SYS_tgkill, vec![is_not(0, own)]),
    ];
    let others = [
        libc::SYS_tkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_pidfd_send_signal,
    ];
    rows.extend(others.iter().map(always(Answer::Refused)));
    rows
}

/// The bit of the x32 calls, which a kernel may have besides its own.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// The x32 calls with a number of their own.
#[cfg(target_arch = "x86_64")]
const X32_OWN: &[(i64, i64)] = &[
    (libc::SYS_ioctl, 514),
    (libc::SYS_ptrace, 521),
    (libc::SYS_rt_sigqueueinfo, 524),
    (libc::SYS_mq_notify, 527),
    (libc::SYS_kexec_load, 528),
    (libc::SYS_move_pages, 533),
    (libc::SYS_rt_tgsigqueueinfo, 536),
    (libc::SYS_process_vm_readv, 539),
    (libc::SYS_process_vm_writev, 540),
];

/// All numbers under which this machine knows a call.
#[cfg(target_arch = "x86_64")]
pub(super) fn numbers(call: i64) -> Vec<i64> {
    let own = X32_OWN.iter().filter(|(known, _)| *known == call).map(|(_, number)| X32 | number);
    [call, X32 | call].into_iter().chain(own).collect()
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn numbers(call: i64) -> Vec<i64> {
    vec![call]
}
