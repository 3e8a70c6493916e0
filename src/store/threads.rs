//! The first thread of an asynchronous runtime.

use std::io;
use std::thread;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Lets a runtime start its first blocking thread. Tokio panics if that cannot be started, so we
/// first start a thread ourselves, which fails with an error. If Tokio cannot start further ones,
/// their work waits for the first.
///
/// # Errors
/// Those of the operating system.
pub fn start_thread(runtime: &Runtime) -> io::Result<()> {
    let _ = thread::Builder::new().spawn(|| {})?.join();
    // For a moment the system still counts a thread that has ended; how long is a guess.
    thread::sleep(Duration::from_millis(1));
    drop(runtime.spawn_blocking(|| {}));
    Ok(())
}
