//! What differs between systems: process groups, and reading a file that another process writes.

#[cfg(unix)]
pub(super) use unix::*;

#[cfg(not(unix))]
pub(super) use plain::*;

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::{FileExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, ChildStdin, Command};
    use std::time::{Duration, Instant};

    const PAUSE: Duration = Duration::from_millis(5);

    /// Whether it is a file with an execute bit.
    pub(in super::super) fn may_run(file: &Path) -> bool {
        file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }

    /// Gives the program a process group of its own.
    pub(in super::super) fn own_process_group(command: &mut Command) {
        command.process_group(0);
    }

    pub(in super::super) fn set_nonblocking(input: &ChildStdin) -> io::Result<()> {
        let flags = rustix::fs::fcntl_getfl(input)?;
        Ok(rustix::fs::fcntl_setfl(input, flags | rustix::fs::OFlags::NONBLOCK)?)
    }

    /// Whether the program has ended. It is not reaped yet, so its process number is not reused.
    pub(in super::super) fn has_ended(child: &Child) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match rustix::process::waitid(WaitId::Pid(Pid::from_child(child)), options) {
            Ok(status) => Ok(status.is_some()),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Ends the rest of the program's group, first with TERM, then with KILL, and reaps the
    /// program.
    pub(in super::super) fn end(child: &mut Child, grace: Duration) -> Option<i32> {
        let group = Pid::from_child(child);
        let _ = rustix::process::kill_process_group(group, Signal::TERM);
        let asked = Instant::now();
        let mut code = None;
        let mut fetched = false;
        while asked.elapsed() < grace {
            if !fetched && let Ok(Some(status)) = child.try_wait() {
                (fetched, code) = (true, status.code());
            }
            // The number of a group is not reused while it has members.
            if fetched && rustix::process::test_kill_process_group(group).is_err() {
                return code;
            }
            std::thread::sleep(PAUSE);
        }
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
        if fetched { code } else { child.wait().ok().and_then(|status| status.code()) }
    }

    pub(in super::super) fn read_at(
        file: &File,
        bytes: &mut [u8],
        offset: u64,
    ) -> io::Result<usize> {
        file.read_at(bytes, offset)
    }
}

/// Without process groups only the program itself is ended, not what it has started.
#[cfg(not(unix))]
mod plain {
    use std::fs::File;
    use std::io::{self, Read, Seek, SeekFrom};
    use std::path::Path;
    use std::process::{Child, ChildStdin, Command};
    use std::time::Duration;

    pub(in super::super) fn may_run(file: &Path) -> bool {
        file.is_file()
    }

    pub(in super::super) fn own_process_group(_: &mut Command) {}

    pub(in super::super) fn set_nonblocking(_: &ChildStdin) -> io::Result<()> {
        Ok(())
    }

    pub(in super::super) fn has_ended(child: &mut Child) -> io::Result<bool> {
        Ok(child.try_wait()?.is_some())
    }

    pub(in super::super) fn end(child: &mut Child, _: Duration) -> Option<i32> {
        let _ = child.kill();
        child.wait().ok().and_then(|status| status.code())
    }

    pub(in super::super) fn read_at(
        mut file: &File,
        bytes: &mut [u8],
        offset: u64,
    ) -> io::Result<usize> {
        file.seek(SeekFrom::Start(offset))?;
        file.read(bytes)
    }
}
