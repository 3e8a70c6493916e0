//! The sandbox prevents what a script may not do; without a sandbox the script does not run.

use super::{Bench, out, sandboxes, started};
use crate::env::bar;
use crate::support::skipped;
use skillpick::sandbox::{Part, PrepareError, RunError, Sandbox, WorkDir};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// Every file below a directory: path, mode, time, and content.
fn picture(top: &Path) -> Vec<(PathBuf, u32, i64, Vec<u8>)> {
    let mut rows = Vec::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let content = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            if metadata.is_dir() {
                waiting.push(path.clone());
            }
            rows.push((path, metadata.mode(), metadata.mtime(), content));
        }
    }
    rows.sort();
    rows
}

/// What is tried, one a line: `$T` is the top of the person's files. Each says its number where it
/// succeeded.
const WRITES: &str = r#"
echo x > $T/repo/new.txt
echo x >> $T/repo/file.txt
: > $T/repo/file.txt
echo x > $T/repo/.git/config
echo x > $T/repo/.git/hooks/post-commit
echo x > $T/home/.claude/settings.json
mkdir -p $T/home/.codex && echo x > $T/home/.codex/config.toml
echo x > $T/repo/skill/run.sh
echo x > "$0"
echo x > "$(dirname "$0")/new.sh"
ln -sf $T/repo/file.txt soft && echo x > soft
ln $T/repo/file.txt hard && echo x > hard
echo x > $T/repo/inside-link
cp /bin/true $T/repo/true
mkdir $T/repo/dir
test -e $T/repo/file.txt && rm -f $T/repo/file.txt && ! test -e $T/repo/file.txt
test -e $T/repo/.git && rm -rf $T/repo/.git && ! test -e $T/repo/.git
mv $T/repo/file.txt moved
echo y > mine; mv mine $T/repo/mine
truncate -s 0 $T/repo/file.txt
ln -s /etc/passwd $T/repo/link
mkfifo $T/repo/fifo
echo x > /proc/self/root$T/repo/new.txt
cd $T/repo && echo x > new.txt
echo x > /dev/shm/skillpick-escape
echo x > /tmp/skillpick-escape
echo x > $HOME/.bashrc
exec 7<> $T/repo/file.txt && echo x >&7
python3 -c "import os; os.truncate('$T/repo/file.txt', 0)"
python3 -c "import os; f=os.open('$T/repo/file.txt', os.O_RDONLY); os.ftruncate(f, 0)"
setfattr -n user.x -v y $T/repo/file.txt
dd if=/dev/zero of=$T/repo/file.txt count=1
sed -i s/a/b/ $T/repo/file.txt
git -C $T/repo init --quiet && test -e $T/repo/.git/HEAD
unshare -Ur true
unshare -Urm mount -t tmpfs none $T/repo
mount -t tmpfs none $T/repo
chroot $T/repo /bin/true
mknod sda b 8 0
"#;

/// Calls that report success without an effect: only the state of the files shows it.
const PRETENDED: &str = "chmod 777 $T/repo/file.txt; touch -d 2001-01-01 $T/repo/file.txt; chown 1:1 $T/repo/file.txt
python3 -c \"import os; f=os.open('$T/repo/file.txt', os.O_RDONLY); os.fchmod(f, 0o777); os.utime(f, (1, 1))\"";

fn attempts(bench: &Bench) -> String {
    let mut text = format!("T='{}'\n", bench.env.top.display());
    for (number, line) in WRITES.lines().filter(|line| !line.is_empty()).enumerate() {
        text.push_str(&format!(
            "( {line} ) 2>/dev/null && echo \"ESCAPED {number}: {}\"\n",
            line.replace(['"', '$', '`'], "")
        ));
    }
    text + PRETENDED + "\necho finished\n"
}

fn furnished() -> Bench {
    let mut bench = Bench::new();
    bench.env.write("repo/file.txt", "a");
    bench.env.write("repo/.git/config", "[core]\n");
    bench.env.write("repo/.git/hooks/x", "");
    bench.env.write("home/.claude/settings.json", "{}");
    symlink(bench.env.at("home/.claude/settings.json"), bench.env.at("repo/inside-link")).unwrap();
    bench.directory = WorkDir::At(bench.env.at("repo"));
    bench
}

#[test]
fn nothing_outside_the_fresh_directory_is_written() {
    let mut bench = furnished();
    let text = attempts(&bench);
    bench.script("run.sh", &text);
    let directories = [WorkDir::At(bench.env.at("repo")), WorkDir::Fresh, WorkDir::Skill];
    let both = sandboxes()
        .into_iter()
        .flat_map(|sandbox| directories.clone().map(|directory| (sandbox, directory)));
    for (sandbox, directory) in both.collect::<Vec<_>>() {
        (bench.sandbox, bench.directory) = (sandbox, directory);
        let before = picture(&bench.env.top);
        let ran = bench.run("run.sh");
        let said = out(&ran.stdout);
        assert!(
            !said.contains("ESCAPED") && said.contains("finished"),
            "{:?}: {said}",
            bench.directory
        );
        let after = picture(&bench.env.top);
        let changed: Vec<_> = after
            .iter()
            .filter(|row| !before.contains(row))
            .map(|row| (&row.0, row.1, row.2))
            .collect();
        assert!(changed.is_empty() && after.len() == before.len(), "{changed:?}");
        ran.kept.into_iter().for_each(|kept| fs::remove_dir_all(kept).unwrap());
        bar::tried(text.matches("ESCAPED").count());
    }
    assert!(
        !Path::new("/dev/shm/skillpick-escape").exists()
            && !Path::new("/tmp/skillpick-escape").exists()
    );
}

#[test]
fn what_the_sandbox_refuses_succeeds_without_it() {
    let mut bench = furnished();
    bench.sandbox = Sandbox::Off;
    let text = attempts(&bench);
    // Not the attempts on the machine itself: those on files do.
    let ours = |line: &&str| {
        line.contains("$T/repo/file.txt") || line.starts_with("T=") || line.starts_with("echo")
    };
    let said = out(&bench.bash(&text.lines().filter(ours).collect::<Vec<_>>().join("\n")).stdout);
    assert!(said.matches("ESCAPED").count() > 8, "{said}");
}

#[test]
fn no_socket_leads_out() {
    let mut bench = Bench::new();
    if !Path::new("/usr/bin/python3").exists() {
        return skipped("no python3, so that no socket was tried (install it)");
    }
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let local = UnixListener::bind(bench.env.at("agent.sock")).unwrap();
    let datagram = std::os::unix::net::UnixDatagram::bind(bench.env.at("log.sock")).unwrap();
    datagram.set_nonblocking(true).unwrap();
    tcp.set_nonblocking(true).unwrap();
    local.set_nonblocking(true).unwrap();
    bench.script(
        "run.py",
        &format!(
            r#"
import ctypes, fcntl, os, socket
def tried(name, what):
    try:
        what()
        print("ESCAPED", name)
    except OSError as error:
        print("refused", name, error.errno)
port, top = {port}, {top:?}
tried("tcp", lambda: socket.create_connection(("127.0.0.1", port), 1))
tried("tcp6", lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM))
tried("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port)))
tried("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
tried("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
tried("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
tried("unix", lambda: socket.socket(socket.AF_UNIX).connect(top + "/agent.sock"))
tried("abstract", lambda: socket.socket(socket.AF_UNIX).bind("\0skillpick-test"))
tried("pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"x", top + "/log.sock"))
tried("pair raw", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)[0].sendto(b"x", top + "/log.sock"))
tried("typing", lambda: fcntl.ioctl(0, 0x5412, b"x"))
tried("tty", lambda: open("/dev/tty", "w"))
tried("parent", lambda: os.kill(os.getppid(), 9))
tried("outside", lambda: os.kill({outside}, 9))
tried("limits", lambda: __import__("resource").prlimit({outside}, 7, (1, 1)))
tried("priority", lambda: os.setpriority(os.PRIO_PROCESS, {outside}, 19))
tried("priorities", lambda: os.setpriority(os.PRIO_USER, 0, 19))
tried("affinity", lambda: os.sched_setaffinity({outside}, os.sched_getaffinity(0)))
tried("scheduler", lambda: os.sched_setscheduler({outside}, os.SCHED_BATCH, os.sched_param(0)))
tried("scheduling", lambda: os.sched_setparam({outside}, os.sched_param(0)))
# Of itself a script changes it, to what it is: nobody may take back a nice that the tests run with.
os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)); os.nice(1)
os.sched_setaffinity(0, os.sched_getaffinity(0))
os.sched_setscheduler(os.getpid(), os.sched_getscheduler(0), os.sched_getparam(0))
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    if libc.syscall(number, *words) < 0:
        raise OSError(ctypes.get_errno(), "")
tried("ptrace", lambda: call(101, 16, {outside}, 0, 0))
tried("small socket", lambda: call(0x40000000 | 41, 2, 1, 0))
tried("io priority", lambda: call(251, 1, {outside}, 3 << 13))
tried("io priorities", lambda: call(251, 3, 0, 3 << 13))
tried("attributes", lambda: call(314, {outside}, (ctypes.c_uint32 * 12)(48), 0))
tried("ring", lambda: call(425, 8, ctypes.create_string_buffer(256)))
tried("keys", lambda: call(250, 0, -3, 1))
a, b = socket.socketpair()
a.send(b"pair"); print(b.recv(9))
print("fds", sorted(os.listdir("/proc/self/fd"))[:4])
"#,
            port = tcp.local_addr().unwrap().port(),
            top = bench.env.top.to_str().unwrap(),
            outside = std::process::id(),
        ),
    );
    for sandbox in sandboxes() {
        bench.sandbox = sandbox;
        let ran = bench.run("run.py");
        let mut said = out(&ran.stdout);
        if sandbox == Sandbox::Bubblewrap {
            // The parent is the first process of the sandbox there, to which no signal of its own
            // comes.
            said = said.replace("ESCAPED parent", "refused parent");
        }
        assert!(
            !said.contains("ESCAPED") && said.contains("b'pair'"),
            "{sandbox:?}: {said} {}",
            out(&ran.stderr)
        );
        assert_eq!(said.matches("refused").count(), 27, "{sandbox:?}: {said}");
        bar::tried(27);
        assert!(
            said.contains("refused typing 1\n"),
            "by the filter, not for want of a terminal: {said}"
        );
    }
    assert!(
        tcp.accept().is_err() && local.accept().is_err() && datagram.recv(&mut [0; 9]).is_err()
    );
}

#[test]
fn a_missing_part_refuses_the_run_with_one_message() {
    for (part, word) in [
        (Part::Files, "Landlock"),
        (Part::Calls, "seccomp"),
        (Part::Privileges, "no_new_privs"),
        (Part::Orphans, "subreaper"),
    ] {
        let mut bench = Bench::new();
        bench.launcher = bench.launcher.without(part);
        bench.script("run.sh", "echo ran");
        let prepared = bench.prepare("run.sh");
        let fresh = prepared.directory.clone();
        let error = prepared.run().unwrap_err();
        assert!(
            matches!(&error, RunError::Sandbox { part: named, .. } if *named == part),
            "{error:?}"
        );
        let message = error.to_string();
        assert!(
            message.contains(word) && message.contains("--no-sandbox") && !message.contains('\n'),
            "{message}"
        );
        assert!(!fresh.exists());
        bench.sandbox = Sandbox::Off;
        assert_eq!(out(&bench.run("run.sh").stdout), "ran\n");
    }
}

#[test]
fn a_system_without_a_sandbox_refuses_before_anything_is_asked() {
    let mut bench = Bench::new();
    bench.launcher = bench.launcher.without(Part::System);
    bench.script("run.sh", "echo ran");
    for sandbox in [Sandbox::On, Sandbox::Bubblewrap] {
        bench.sandbox = sandbox;
        let error = bench.try_prepare("run.sh").unwrap_err();
        assert!(matches!(error, PrepareError::NoSandbox), "{error:?}");
        let message = error.to_string();
        let said = message.contains("operating system") && message.contains("--no-sandbox");
        assert!(said && !message.contains('\n'), "{message}");
    }
    bench.sandbox = Sandbox::Off;
    assert_eq!(out(&bench.run("run.sh").stdout), "ran\n");
}

#[test]
fn bubblewrap_is_refused_where_it_is_missing_or_cannot_start() {
    let mut bench = Bench::new();
    bench.sandbox = Sandbox::Bubblewrap;
    bench.script("run.sh", "echo ran");
    let programs = bench.env.at("programs");
    fs::create_dir(&programs).unwrap();
    symlink("/bin/bash", programs.join("bash")).unwrap();
    bench.own.retain(|(name, _)| name != "PATH");
    bench.own.push(("PATH".into(), programs.clone().into()));
    let refused = |bench: &Bench| {
        let error = bench.try_run("run.sh").unwrap_err();
        assert!(matches!(error, RunError::Sandbox { part: Part::Bubblewrap, .. }), "{error:?}");
        let message = error.to_string();
        assert!(
            message.contains("bwrap")
                && message.contains("--no-sandbox")
                && !message.contains('\n'),
            "{message}"
        );
        message
    };
    assert!(refused(&bench).contains("not on the PATH"));
    // One that ends before it has started anything, as where namespaces are forbidden.
    let broken = bench.env.write("programs/bwrap", "#!/bin/sh\nexit 1\n");
    fs::set_permissions(&broken, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert!(refused(&bench).contains("Code(1)"));
}

#[test]
fn a_file_that_our_starter_left_open_does_not_reach_the_script() {
    let (lifeline, mut child) = started("echo x >&9", "open");
    let mut answer = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(&lifeline), &mut answer).unwrap();
    child.wait().unwrap();
    assert!(answer.contains("\"ended\"") && answer.contains("\"code\":1"), "{answer}");
}
