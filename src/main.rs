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
    let mut out = Out::standard();
    cli::run(std::env::args_os(), &mut out).into()
}

/// Lets the threads share two heaps, and returns freed blocks of 128 KiB and more to the system. By
/// default glibc gives every thread its own heap and keeps freed blocks: at 10,000 skills that is a
/// tenth to a fifth of the picker's memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(
    unsafe_code,
    reason = "the allocator has no other interface; it reads two numbers, before any thread is started"
)]
fn give_memory_back() {
    // SAFETY: mallopt takes two integers and may be called at any time; no other thread runs yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 128 << 10);
    }
}
