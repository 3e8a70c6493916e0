//! Places at which a build for development can be made to fail, for the tests of what happens then.

use std::time::Duration;

/// Panics where `SKILLPICK_FAILPOINT` names this place. Release builds have no such thing.
#[cfg(debug_assertions)]
#[allow(clippy::panic, reason = "this is what it is for")]
pub(super) fn reach(name: &str) {
    if std::env::var("SKILLPICK_FAILPOINT").is_ok_and(|wanted| wanted == name) {
        panic!("the failpoint {name} \x1b]0;was\x07 reached");
    }
}

/// How long an answer is waited for: not so short where `SKILLPICK_FAILPOINT` is `patient`, so that
/// a test whose terminal answers sees the answer used on a busy machine too.
#[cfg(debug_assertions)]
pub(super) fn patience(usual: Duration) -> Duration {
    let patient = std::env::var("SKILLPICK_FAILPOINT").is_ok_and(|wanted| wanted == "patient");
    if patient { Duration::from_secs(30) } else { usual }
}

#[cfg(not(debug_assertions))]
pub(super) fn patience(usual: Duration) -> Duration {
    usual
}

#[cfg(not(debug_assertions))]
pub(super) fn reach(_name: &str) {}
