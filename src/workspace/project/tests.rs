//! A project beside files.

use super::ago;

#[test]
fn a_copy_whose_time_lies_ahead_was_not_read_just_now() {
    assert_eq!(ago(1_000, 1_000), "just now");
    assert_eq!(ago(0, 7_200_000), "2 hours ago");
    assert_eq!(
        ago(951_782_400_000, 1_000),
        "at a time that lies ahead of the clock (2000-02-29 00:00:00Z)"
    );
}
