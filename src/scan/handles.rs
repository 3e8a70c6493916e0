//! Notes that no file handle is left.

use std::cell::Cell;
use std::io;

thread_local! {
    static RAN_OUT: Cell<bool> = const { Cell::new(false) };
}

/// Passes on what came of opening something. That no handle is left says nothing of what was to be
/// opened, so it is noted for [`ran_out`].
pub(super) fn noted<T>(opened: io::Result<T>) -> io::Result<T> {
    if opened.as_ref().is_err_and(says_none_left) {
        RAN_OUT.set(true);
    }
    opened
}

/// Whether no handle was left for this thread at some time since the last call.
pub(super) fn ran_out() -> bool {
    RAN_OUT.take()
}

#[cfg(unix)]
fn says_none_left(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}

#[cfg(not(unix))]
fn says_none_left(_error: &io::Error) -> bool {
    false
}
