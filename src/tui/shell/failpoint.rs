//! Places at which a build for development can be made to fail, for the tests of what happens then.

/// Panics where `SKILLPICK_FAILPOINT` names this place. Release builds have no such thing.
#[cfg(debug_assertions)]
#[allow(clippy::panic, reason = "this is what it is for")]
pub(super) fn reach(name: &str) {
    if std::env::var("SKILLPICK_FAILPOINT").is_ok_and(|wanted| wanted == name) {
        panic!("the failpoint {name} \x1b]0;was\x07 reached");
    }
}

/// Nothing.
#[cfg(not(debug_assertions))]
pub(super) fn reach(_name: &str) {}
