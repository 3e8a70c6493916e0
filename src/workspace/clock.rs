//! The time of day, as journals, logs and stores keep it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970; 0 where the clock stands before that.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The same as a store keeps it: databases have no unsigned numbers.
pub fn signed_now_ms() -> i64 {
    i64::try_from(now_ms()).unwrap_or(i64::MAX)
}
