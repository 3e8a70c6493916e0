//! Places at which development builds can be made to fail or to wait, for tests.

use std::time::Duration;

/// Panics if `SKILLPICK_FAILPOINT` names this place. Release builds ignore it.
#[cfg(debug_assertions)]
#[allow(clippy::panic, reason = "this is what it is for")]
pub(crate) fn reach(name: &str) {
    if std::env::var("SKILLPICK_FAILPOINT").is_ok_and(|wanted| wanted == name) {
        panic!("the failpoint {name} \x1b]0;was\x07 reached");
    }
}

/// Takes half a second if `SKILLPICK_FAILPOINT` names this place, so that a test can type
/// meanwhile.
#[cfg(debug_assertions)]
pub(crate) fn linger(name: &str) {
    if std::env::var("SKILLPICK_FAILPOINT").is_ok_and(|wanted| wanted == name) {
        std::thread::sleep(Duration::from_millis(500));
    }
}

#[cfg(not(debug_assertions))]
pub(crate) fn linger(_name: &str) {}

/// How long to wait for something. Much longer if `SKILLPICK_FAILPOINT` is `patient`, or makes the
/// scan slow, so that a test on a busy machine sees it.
#[cfg(debug_assertions)]
pub(crate) fn patience(usual: Duration) -> Duration {
    let wanted = std::env::var("SKILLPICK_FAILPOINT").unwrap_or_default();
    if ["patient", "slow-scan"].contains(&wanted.as_str()) {
        Duration::from_secs(30)
    } else {
        usual
    }
}

#[cfg(not(debug_assertions))]
pub(crate) fn patience(usual: Duration) -> Duration {
    usual
}

#[cfg(not(debug_assertions))]
pub(crate) fn reach(_name: &str) {}
