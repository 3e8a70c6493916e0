//! The program: parse, run, exit code.

use skillpick::cli;
use skillpick::output::Out;
use skillpick::sandbox::launcher;
use std::process::ExitCode;

fn main() -> ExitCode {
    // If the program was started as the launcher of a script, it does nothing else.
    if let Some(exit) = launcher::main(std::env::args_os()) {
        return exit;
    }
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    give_memory_back();
    #[cfg(unix)]
    {
        raise_handles();
        outlive_large_files();
    }
    let mut out = Out::standard();
    cli::run(std::env::args_os(), &mut out).into()
}

/// A write beyond the largest size of a file (`ulimit -f`) is an error like any other from now on.
/// By default its signal ends the program, also a server that only wanted to log a call. It is
/// heard and not ignored, so that programs that we start have the default again.
#[cfg(unix)]
fn outlive_large_files() {
    use tokio::signal::unix::{SignalKind, signal};
    if skillpick::serve::signals::can_open().is_err() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let Ok(runtime) = runtime else { return };
    let _inside = runtime.enter();
    // The handler stays when the listener and the runtime are gone.
    let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
}

/// Allows as many open files as most systems do, if the limit that cannot be raised allows it.
/// Programs that we start have it too, and know what to do with so many.
#[cfg(unix)]
fn raise_handles() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    const USUAL: u64 = 1024;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < USUAL) {
        let current = Some(limit.maximum.map_or(USUAL, |most| most.min(USUAL)));
        let _ = setrlimit(Resource::Nofile, Rlimit { current, ..limit });
    }
}

/// Gives the threads four heaps, one for each worker of a scan and one for the rest, and returns
/// freed blocks of 128 KiB and more to the system. By default glibc makes a heap for every thread,
/// and keeps freed blocks: at 10,000 skills that is a tenth to a fifth of the picker's memory. With
/// two heaps the workers wait for each other, and a list takes a sixth longer.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(
    unsafe_code,
    reason = "the allocator has no other interface; it reads numbers, before any thread is started"
)]
fn give_memory_back() {
    // SAFETY: mallopt takes two integers and may be called at any time; no other thread runs yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 4);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 128 << 10);
    }
}
