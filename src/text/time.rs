//! Times for people.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Milliseconds since 1970 as date and time in UTC: `2026-01-02 03:04:05Z`. A time after the year
/// 9999 is its end.
pub fn utc(at_ms: u64) -> String {
    timestamp(at_ms).strftime("%F %TZ").to_string()
}

/// A time zone.
#[derive(Clone, Debug)]
pub struct Zone(TimeZone);

impl Default for Zone {
    /// UTC.
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

impl Zone {
    /// The zone of this machine: `TZ`, or what the system is set to. UTC where neither says.
    pub fn here() -> Self {
        Self(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    /// Milliseconds since 1970 as date and time in this zone, to the minute: `2026-01-02 03:04`.
    pub fn minute(&self, at_ms: u64) -> String {
        timestamp(at_ms).to_zoned_datetime(self.0.clone()).strftime("%F %H:%M").to_string()
    }
}

fn timestamp(at_ms: u64) -> Timestamp {
    let signed = i64::try_from(at_ms).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(signed).unwrap_or(Timestamp::MAX)
}

/// The smallest age for a unit and the unit itself, both in milliseconds, its letter and its word.
const UNITS: [(u64, u64, char, &str); 5] = [
    (365 * DAY, 365 * DAY, 'y', "year"),
    (14 * DAY, 7 * DAY, 'w', "week"),
    (DAY, DAY, 'd', "day"),
    (3_600_000, 3_600_000, 'h', "hour"),
    (60_000, 60_000, 'm', "minute"),
];

const DAY: u64 = 86_400_000;

/// An age in whole units; `None` if it is less than a minute.
fn units(age_ms: u64) -> Option<(u64, char, &'static str)> {
    let row = UNITS.iter().find(|(from, ..)| age_ms >= *from);
    row.map(|(_, unit, letter, word)| (age_ms / unit, *letter, *word))
}

/// Milliseconds as an age of a few columns: `now`, `5m`, `3h`, `2d`, `30w`, `4y`.
pub fn short_age(age_ms: u64) -> String {
    units(age_ms).map_or_else(|| "now".to_owned(), |(count, letter, _)| format!("{count}{letter}"))
}

/// Milliseconds as an age in words: `just now`, `1 hour ago`, `2 days ago`.
pub fn age(age_ms: u64) -> String {
    match units(age_ms) {
        None => "just now".to_owned(),
        Some((1, _, word)) => format!("1 {word} ago"),
        Some((count, _, word)) => format!("{count} {word}s ago"),
    }
}

/// Milliseconds as a length of time: `340 ms`, `2.4 s`, `3 min`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..100_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min", ms / 60_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_date_in_utc() {
        for (at, text) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_400_000, "2000-02-29 00:00:00Z"),
            (1_767_225_599_999, "2025-12-31 23:59:59Z"),
            (u64::MAX, "9999-12-30 22:00:00Z"),
        ] {
            assert_eq!(utc(at), text);
        }
    }

    #[test]
    fn a_time_of_a_zone_follows_its_summer_time() {
        let Ok(zone) = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3") else {
            unreachable!("a zone as POSIX writes it")
        };
        let zone = Zone(zone);
        assert_eq!(zone.minute(1_767_225_599_999), "2026-01-01 00:59");
        assert_eq!(zone.minute(1_782_864_000_000), "2026-07-01 02:00");
        assert_eq!(Zone::default().minute(0), "1970-01-01 00:00");
    }

    #[test]
    fn an_age_is_said_in_the_largest_unit_that_says_enough() {
        for (age_ms, short, words) in [
            (0, "now", "just now"),
            (59_999, "now", "just now"),
            (60_000, "1m", "1 minute ago"),
            (7_200_000, "2h", "2 hours ago"),
            (13 * DAY, "13d", "13 days ago"),
            (15 * DAY, "2w", "2 weeks ago"),
            (800 * DAY, "2y", "2 years ago"),
        ] {
            assert_eq!((short_age(age_ms).as_str(), age(age_ms).as_str()), (short, words));
        }
        assert!(short_age(u64::MAX).ends_with('y'));
    }

    #[test]
    fn a_duration_keeps_two_figures() {
        assert_eq!([3, 2_449, 61_000, 240_000].map(duration), ["3 ms", "2.4 s", "61.0 s", "4 min"]);
    }
}
