//! A script reaches no other process, and no kernel object by its id.
//!
//! Each probe runs at every version of Landlock, because what an older kernel does not cover has to
//! be refused call by call.

use super::{Bench, out, sandboxes};
use crate::support::skipped;
use nix::libc;
use skillpick::sandbox::Sandbox;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PYTHON: &str = "/usr/bin/python3";

/// The version of Landlock from which on it covers signals.
const COVERS_SIGNALS: i32 = 6;

const EPERM: i32 = libc::EPERM;

/// One call, and what it has to answer.
struct Probe {
    name: &'static str,
    call: i64,
    arguments: [i64; 4],
    answer: i32,
    /// Whether Landlock covers it on newer kernels, so that it is refused on older ones only.
    signal: bool,
}

const fn refused(name: &'static str, call: i64, arguments: [i64; 4]) -> Probe {
    Probe { name, call, arguments, answer: EPERM, signal: false }
}

const fn signal(name: &'static str, call: i64, arguments: [i64; 4]) -> Probe {
    Probe { name, call, arguments, answer: EPERM, signal: true }
}

/// No process has this number, so that a call which is let through answers ESRCH.
const NOBODY: i64 = 0x7fff_fffe;

/// Bits that the kernel does not read.
const HIGH: i64 = 0x5a5a << 32;

/// The arguments are such that the kernel's own answer is another than the filter's.
const PROBES: &[Probe] = &[
    // Descriptor 1 is a pipe.
    refused("F_SETOWN", libc::SYS_fcntl, [1, 8, 0, 0]),
    refused("F_SETOWN to oneself, high bits", libc::SYS_fcntl, [HIGH | 1, HIGH | 8, 0, 0]),
    refused("F_SETSIG", libc::SYS_fcntl, [1, 10, 9, 0]),
    refused("F_SETOWN_EX", libc::SYS_fcntl, [1, 15, 0, 0]),
    refused("F_SETLEASE", libc::SYS_fcntl, [1, 1024, 2, 0]),
    refused("F_NOTIFY", libc::SYS_fcntl, [1, 1026, 1, 0]),
    refused("F_SETDELEG", libc::SYS_fcntl, [1, 1040, 0, 0]),
    refused("FIOSETOWN", libc::SYS_ioctl, [1, 0x8901, 0, 0]),
    refused("FIOSETOWN, high bits", libc::SYS_ioctl, [1, HIGH | 0x8901, 0, 0]),
    refused("SIOCSPGRP", libc::SYS_ioctl, [1, 0x8902, 0, 0]),
    refused("TIOCSTI", libc::SYS_ioctl, [1, 0x5412, 0, 0]),
    refused("TIOCLINUX", libc::SYS_ioctl, [1, 0x541c, 0, 0]),
    refused("FS_IOC_SETFLAGS", libc::SYS_ioctl, [1, 0x4008_6602, 0, 0]),
    refused("FS_IOC_FSSETXATTR", libc::SYS_ioctl, [1, 0x401c_5820, 0, 0]),
    refused("FS_IOC_SETVERSION", libc::SYS_ioctl, [1, 0x4008_7602, 0, 0]),
    refused("FS_IOC_ENABLE_VERITY", libc::SYS_ioctl, [1, 0x4080_6685, 0, 0]),
    refused("FS_IOC_SET_ENCRYPTION_POLICY", libc::SYS_ioctl, [1, 0x800c_6613, 0, 0]),
    refused("FS_IOC_REMOVE_ENCRYPTION_KEY", libc::SYS_ioctl, [1, 0xc040_6618, 0, 0]),
    refused("BTRFS_IOC_SUBVOL_CREATE", libc::SYS_ioctl, [1, 0x5000_940e, 0, 0]),
    refused("BTRFS_IOC_SNAP_DESTROY, high bits", libc::SYS_ioctl, [1, HIGH | 0x5000_940f, 0, 0]),
    refused("F2FS_IOC_START_ATOMIC_WRITE", libc::SYS_ioctl, [1, 0xf501, 0, 0]),
    // System V objects that exist nowhere: EINVAL by itself.
    refused("msgget", libc::SYS_msgget, [0x7b7b_7b7b, 0, 0, 0]),
    refused("msgsnd", libc::SYS_msgsnd, [-1, 0, 0, 0]),
    refused("msgrcv", libc::SYS_msgrcv, [-1, 0, 0, 0]),
    refused("msgctl", libc::SYS_msgctl, [-1, 0, 0, 0]),
    refused("msgctl MSG_STAT_ANY", libc::SYS_msgctl, [0x7000, 13, 0, 0]),
    refused("semget", libc::SYS_semget, [0x7b7b_7b7b, 0, 0, 0]),
    refused("semop", libc::SYS_semop, [-1, 0, 0, 0]),
    refused("semtimedop", libc::SYS_semtimedop, [-1, 0, 0, 0]),
    refused("semctl", libc::SYS_semctl, [-1, 0, 0, 0]),
    refused("shmget", libc::SYS_shmget, [0x7b7b_7b7b, 0, 0, 0]),
    refused("shmat", libc::SYS_shmat, [-1, 0, 0, 0]),
    refused("shmdt", libc::SYS_shmdt, [1, 0, 0, 0]),
    refused("shmctl", libc::SYS_shmctl, [-1, 0, 0, 0]),
    refused("mq_open", libc::SYS_mq_open, [0, 0, 0, 0]),
    refused("mq_unlink", libc::SYS_mq_unlink, [0, 0, 0, 0]),
    refused("mq_timedsend", libc::SYS_mq_timedsend, [-1, 0, 0, 0]),
    refused("mq_timedreceive", libc::SYS_mq_timedreceive, [-1, 0, 0, 0]),
    refused("mq_notify", libc::SYS_mq_notify, [-1, 0, 0, 0]),
    refused("mq_getsetattr", libc::SYS_mq_getsetattr, [-1, 0, 0, 0]),
    refused("keyctl", libc::SYS_keyctl, [0, -3, 0, 0]),
    refused("add_key", libc::SYS_add_key, [0, 0, 0, 0]),
    refused("request_key", libc::SYS_request_key, [0, 0, 0, 0]),
    refused("process_mrelease", 448, [-1, 0, 0, 0]),
    refused("pidfd_getfd", libc::SYS_pidfd_getfd, [-1, 0, 0, 0]),
    refused("kcmp", libc::SYS_kcmp, [NOBODY, NOBODY, 0, 0]),
    refused("ptrace", libc::SYS_ptrace, [16, NOBODY, 0, 0]),
    refused("process_vm_readv", libc::SYS_process_vm_readv, [NOBODY, 0, 0, 0]),
    refused("process_vm_writev", libc::SYS_process_vm_writev, [NOBODY, 0, 0, 0]),
    refused("perf_event_open", libc::SYS_perf_event_open, [0, 0, -1, -1]),
    refused("userfaultfd", libc::SYS_userfaultfd, [0xff, 0, 0, 0]),
    refused("move_pages", libc::SYS_move_pages, [NOBODY, 0, 0, 0]),
    refused("move_pages, high bits", libc::SYS_move_pages, [HIGH | NOBODY, 0, 0, 0]),
    refused("migrate_pages", libc::SYS_migrate_pages, [NOBODY, 0, 0, 0]),
    refused("prlimit64", libc::SYS_prlimit64, [NOBODY, 7, 0, 0]),
    refused("setpriority", libc::SYS_setpriority, [0, NOBODY, 19, 0]),
    refused("setpriority of all", libc::SYS_setpriority, [2, 0, 19, 0]),
    refused("ioprio_set", libc::SYS_ioprio_set, [1, NOBODY, 3 << 13, 0]),
    refused("ioprio_set of all", libc::SYS_ioprio_set, [3, 0, 3 << 13, 0]),
    refused("sched_setaffinity", libc::SYS_sched_setaffinity, [NOBODY, 0, 0, 0]),
    refused("sched_setscheduler", libc::SYS_sched_setscheduler, [NOBODY, 0, 0, 0]),
    refused("sched_setparam", libc::SYS_sched_setparam, [NOBODY, 0, 0, 0]),
    refused("sched_setattr", libc::SYS_sched_setattr, [NOBODY, 0, 0, 0]),
    refused("fanotify_init", libc::SYS_fanotify_init, [0x200, 0, 0, 0]),
    refused("fanotify_mark", libc::SYS_fanotify_mark, [-1, 0, 0, 0]),
    refused("quotactl_fd", 443, [-1, 0, 0, 0]),
    refused("open_tree_attr", 467, [-1, 0, 0, 0]),
    Probe { answer: libc::ENOSYS, ..refused("process_madvise", 440, [-1, 0, 0, 0]) },
    Probe { answer: libc::ENOSYS, ..refused("io_uring_setup", 425, [0, 0, 0, 0]) },
    Probe { answer: libc::ENOSYS, ..refused("memfd_create", libc::SYS_memfd_create, [0, 0, 0, 0]) },
    Probe { answer: libc::ENOSYS, ..refused("memfd_secret", libc::SYS_memfd_secret, [1, 0, 0, 0]) },
    signal("kill", libc::SYS_kill, [NOBODY, 0, 0, 0]),
    signal("kill, high bits", libc::SYS_kill, [HIGH | NOBODY, 0, 0, 0]),
    signal("kill of a group", libc::SYS_kill, [-NOBODY, 0, 0, 0]),
    signal("tkill", libc::SYS_tkill, [NOBODY, 0, 0, 0]),
    signal("tgkill", libc::SYS_tgkill, [NOBODY, NOBODY, 0, 0]),
    signal("rt_sigqueueinfo", libc::SYS_rt_sigqueueinfo, [NOBODY, 0, 0, 0]),
    signal("rt_tgsigqueueinfo", libc::SYS_rt_tgsigqueueinfo, [NOBODY, NOBODY, 0, 0]),
    signal("pidfd_send_signal", libc::SYS_pidfd_send_signal, [-1, 0, 0, 0]),
];

/// The x32 numbers of such calls: ENOSYS where the kernel does not have them.
#[cfg(target_arch = "x86_64")]
const X32: &[Probe] = &[
    refused("x32 fcntl", 0x4000_0000 | libc::SYS_fcntl, [1, 8, 0, 0]),
    refused("x32 ioctl", 0x4000_0000 | 514, [1, 0x8901, 0, 0]),
    refused("x32 msgsnd", 0x4000_0000 | libc::SYS_msgsnd, [-1, 0, 0, 0]),
    refused("x32 mq_notify", 0x4000_0000 | 527, [-1, 0, 0, 0]),
    refused("x32 move_pages", 0x4000_0000 | 533, [NOBODY, 0, 0, 0]),
    signal("x32 rt_sigqueueinfo", 0x4000_0000 | 524, [NOBODY, 0, 0, 0]),
    signal("x32 rt_tgsigqueueinfo", 0x4000_0000 | 536, [NOBODY, NOBODY, 0, 0]),
];
#[cfg(not(target_arch = "x86_64"))]
const X32: &[Probe] = &[];

/// A way of confining a script, and the newest version of Landlock that it finds.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    sandbox: Sandbox,
    landlock: i32,
}

impl Kernel {
    /// This kernel, and older ones.
    fn all() -> Vec<Self> {
        let oldest = |sandbox| if sandbox == Sandbox::On { 1 } else { COVERS_SIGNALS };
        let each = |sandbox| {
            (oldest(sandbox)..=COVERS_SIGNALS).map(move |landlock| Self { sandbox, landlock })
        };
        sandboxes().into_iter().flat_map(each).collect()
    }

    fn bench(self) -> Bench {
        let mut bench = Bench::new();
        bench.sandbox = self.sandbox;
        bench.launcher = bench.launcher.with_landlock(self.landlock);
        bench
    }
}

fn no_python() -> bool {
    let missing = !Path::new(PYTHON).exists();
    if missing {
        skipped("no python3, so that no call was tried");
    }
    missing
}

#[test]
fn system_calls_on_other_processes_are_refused() {
    if no_python() {
        return;
    }
    let mut text = String::from(
        "import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, number, *words):
    ctypes.set_errno(0)
    libc.syscall(*(ctypes.c_long(word) for word in (number, *words)))
    print(name + ':', ctypes.get_errno())
",
    );
    let probes = || PROBES.iter().chain(X32);
    for Probe { name, call, arguments: [a, b, c, d], .. } in probes() {
        text.push_str(&format!("tried('{name}', {call}, {a}, {b}, {c}, {d}, 0, 0)\n"));
    }
    for kernel in Kernel::all() {
        let bench = kernel.bench();
        bench.script("run.py", &text);
        let ran = bench.run("run.py");
        let said = out(&ran.stdout);
        let wrong: Vec<String> = probes()
            .filter(|probe| !probe.signal || kernel.landlock < COVERS_SIGNALS)
            .filter_map(|probe| {
                let line = said.lines().find(|line| line.starts_with(&format!("{}: ", probe.name)));
                let wanted = format!("{}: {}", probe.name, probe.answer);
                (line != Some(&wanted)).then(|| line.unwrap_or(probe.name).to_owned())
            })
            .collect();
        assert!(wrong.is_empty(), "{kernel:?}: {wrong:?} {}", out(&ran.stderr));
    }
}

/// A process of the person's, in a group of its own.
fn bystander() -> Child {
    Command::new("sleep").arg("600").process_group(0).spawn().unwrap()
}

#[test]
fn no_signal_reaches_a_process_outside() {
    if no_python() {
        return;
    }
    for kernel in Kernel::all() {
        let mut bystander = bystander();
        let bench = kernel.bench();
        let mut text = ATTACKS.replace("TARGET", &bystander.id().to_string());
        for (name, call) in SIGNALS {
            text = text.replace(name, &call.to_string());
        }
        bench.script("run.py", &text);
        let ran = bench.run("run.py");
        let alive = bystander.try_wait().unwrap().is_none();
        bystander.kill().unwrap();
        bystander.wait().unwrap();
        let (said, errors) = (out(&ran.stdout), out(&ran.stderr));
        assert!(alive, "{kernel:?}: {said} {errors}");
        assert!(said.contains("finished") && !said.contains("DONE"), "{kernel:?}: {said} {errors}");
    }
}

const SIGNALS: [(&str, i64); 4] = [
    ("SYS_tkill", libc::SYS_tkill),
    ("SYS_tgkill", libc::SYS_tgkill),
    ("SYS_rt_sigqueueinfo", libc::SYS_rt_sigqueueinfo),
    ("SYS_rt_tgsigqueueinfo", libc::SYS_rt_tgsigqueueinfo),
];

/// Every way to send a signal. What needs several steps prints DONE only after the last of them.
const ATTACKS: &str = r#"
import ctypes, fcntl, os, signal, socket, struct
target = TARGET
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    if libc.syscall(number, *words) < 0:
        raise OSError(ctypes.get_errno(), "")
def tried(name, what):
    try:
        what()
        print("DONE", name)
    except (OSError, ValueError) as error:
        print("refused", name, error)
def asynchronous(name, own):
    ends = socket.socketpair()
    def what():
        fcntl.fcntl(ends[0], 10, 9)
        own(ends[0])
        fcntl.fcntl(ends[0], fcntl.F_SETFL, fcntl.fcntl(ends[0], fcntl.F_GETFL) | 0o20000)
        ends[1].send(b"x")
    tried(name, what)
def default(name, own):
    # Without F_SETSIG the signal is SIGIO, which ends a process as well.
    ends = socket.socketpair()
    def what():
        own(ends[0])
        fcntl.fcntl(ends[0], fcntl.F_SETFL, fcntl.fcntl(ends[0], fcntl.F_GETFL) | 0o20000)
        ends[1].send(b"x")
    tried(name, what)
for way in (asynchronous, default):
    way("F_SETOWN", lambda end: fcntl.fcntl(end, 8, target))
    way("F_SETOWN group", lambda end: fcntl.fcntl(end, 8, -target))
    for kind in range(3):
        owner = struct.pack("ii", kind, target)
        way("F_SETOWN_EX %d" % kind, lambda end: fcntl.fcntl(end, 15, owner))
    way("FIOSETOWN", lambda end: fcntl.ioctl(end, 0x8901, struct.pack("i", target)))
    way("SIOCSPGRP", lambda end: fcntl.ioctl(end, 0x8902, struct.pack("i", target)))
    way("SIOCSPGRP group", lambda end: fcntl.ioctl(end, 0x8902, struct.pack("i", -target)))
tried("kill", lambda: os.kill(target, 9))
tried("killpg", lambda: os.killpg(target, 9))
tried("parent", lambda: os.kill(os.getppid(), 9) if os.getppid() > 1 else os.kill(target, 9))
tried("tkill", lambda: call(SYS_tkill, target, 9))
tried("tgkill", lambda: call(SYS_tgkill, target, target, 9))
info = ctypes.create_string_buffer(struct.pack("iii", 9, 0, -1).ljust(128, b"\0"))
tried("sigqueue", lambda: call(SYS_rt_sigqueueinfo, target, 9, info))
tried("tgsigqueue", lambda: call(SYS_rt_tgsigqueueinfo, target, target, 9, info))
tried("pidfd", lambda: signal.pidfd_send_signal(os.pidfd_open(target), 9))
print("finished")
"#;

/// Makes a message queue with a message, a semaphore and a segment, prints their ids, and when told
/// so prints what has become of them and removes them.
const OWNER: &str = r#"
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
queue, semaphore = libc.msgget(0, 0o600), libc.semget(0, 1, 0o600)
segment = libc.shmget(0, 4096, 0o600)
message = ctypes.create_string_buffer((1).to_bytes(8, "little") + b"canary")
libc.semctl(semaphore, 0, 16, 7)
libc.msgsnd(queue, message, 6, 0)
print(queue, semaphore, segment, flush=True)
sys.stdin.readline()
state = ctypes.create_string_buffer(256)
print(libc.msgrcv(queue, message, 6, 0, 0o4000), message.raw[8:14],
      libc.msgrcv(queue, message, 6, 0, 0o4000), libc.semctl(semaphore, 0, 12), libc.shmctl(segment, 2, state), flush=True)
libc.msgctl(queue, 0, 0); libc.semctl(semaphore, 0, 0); libc.shmctl(segment, 0, 0)
"#;

const THIEF: &str = r#"
import ctypes, struct
libc = ctypes.CDLL(None, use_errno=True)
queue, semaphore, segment = IDS
buffer = ctypes.create_string_buffer((1).to_bytes(8, "little") + b"forged" + bytes(250))
def tried(name, *words):
    ctypes.set_errno(0)
    if getattr(libc, name)(*words) != -1:
        print("DONE", name)
tried("msgctl", queue, 2, buffer)
tried("msgrcv", queue, buffer, 6, 0, 0o4000)
tried("msgsnd", queue, buffer, 6, 0o4000)
tried("semctl", semaphore, 0, 12)
tried("semop", semaphore, struct.pack("Hhh", 0, 1, 0), 1)
tried("semtimedop", semaphore, struct.pack("Hhh", 0, 1, 0), 1, None)
tried("semctl", semaphore, 0, 16, 0)
tried("shmctl", segment, 2, buffer)
tried("shmat", segment, None, 0)
for name, which in (("msgctl", queue), ("semctl", semaphore), ("shmctl", segment)):
    tried(name, which, 0, 0)
print("finished")
"#;

#[test]
fn system_v_objects_of_others_are_neither_read_nor_changed() {
    if no_python() {
        return;
    }
    for kernel in Kernel::all() {
        let mut owner = Command::new(PYTHON)
            .args(["-c", OWNER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(owner.stdout.take().unwrap()).lines();
        let ids = lines.next().unwrap().unwrap().replace(' ', ", ");
        let bench = kernel.bench();
        bench.script("run.py", &THIEF.replace("IDS", &ids));
        let ran = bench.run("run.py");
        drop(owner.stdin.take());
        let left = lines.next().unwrap().unwrap();
        owner.wait().unwrap();
        let (said, errors) = (out(&ran.stdout), out(&ran.stderr));
        assert!(said.contains("finished") && !said.contains("DONE"), "{kernel:?}: {said} {errors}");
        assert_eq!(left, "6 b'canary' -1 7 0", "{kernel:?}");
    }
}

/// What programs do with descriptors, processes and their own priority still works.
const USES: &str = r#"
import asyncio, fcntl, os, signal, socket, struct, subprocess, sys, termios, threading, time
ends = socket.socketpair()
fcntl.fcntl(ends[0], fcntl.F_SETFL, fcntl.fcntl(ends[0], fcntl.F_GETFL) | os.O_NONBLOCK | 0o20000)
assert fcntl.fcntl(ends[0], fcntl.F_GETFD) == fcntl.FD_CLOEXEC
fcntl.fcntl(ends[0], fcntl.F_DUPFD_CLOEXEC, 20); fcntl.fcntl(ends[0], 9); fcntl.fcntl(ends[0], 11)
ends[1].send(b"four")
assert struct.unpack("i", fcntl.ioctl(ends[0], termios.FIONREAD, b"0000")) == (4,)
with open("file", "w") as file:
    fcntl.lockf(file, fcntl.LOCK_EX); fcntl.flock(file, fcntl.LOCK_EX); file.write("x")
    try:
        fcntl.ioctl(file, 0x80086601, b"00000000")
    except OSError as error:
        assert error.errno != 1, error
subprocess.run(["cp", "--reflink=auto", "file", "copy"], check=True)
assert subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout == b"1\n"
async def child():
    process = await asyncio.create_subprocess_exec("true")
    return await process.wait()
assert asyncio.run(child()) == 0
heard = []
signal.signal(signal.SIGUSR1, lambda *_: heard.append("usr1"))
signal.signal(signal.SIGALRM, lambda *_: heard.append("alarm"))
os.kill(os.getpid(), signal.SIGUSR1); signal.raise_signal(signal.SIGUSR1)
signal.setitimer(signal.ITIMER_REAL, 0.001); signal.sigtimedwait([], 0.2)
thread = threading.Thread(target=lambda: heard.append("thread")); thread.start(); thread.join()
assert sorted(heard) == ["alarm", "thread", "usr1", "usr1"], heard
os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)); os.nice(1)
for whom in (0, os.getpid()):
    os.sched_setaffinity(whom, os.sched_getaffinity(0))
os.sched_setscheduler(os.getpid(), os.sched_getscheduler(0), os.sched_getparam(0))
print("finished")
"#;

#[test]
fn programs_still_signal_and_schedule_themselves() {
    if no_python() {
        return;
    }
    for kernel in Kernel::all() {
        let bench = kernel.bench();
        bench.script("run.py", USES);
        let ran = bench.run("run.py");
        assert_eq!(out(&ran.stdout), "finished\n", "{kernel:?}: {}", out(&ran.stderr));
        std::fs::remove_dir_all(ran.kept.unwrap()).unwrap();
    }
}
