//! How often a list is shown that is still being read.

use std::time::Duration;

/// The time between the first two views. It triples each time, since nobody reads a moving list.
const PATIENCE: Duration = Duration::from_millis(60);

/// How many times the rows of the view before the next one has. A view costs what its rows cost, so
/// all together cost a seventh of the last one.
const GROWTH: usize = 8;

/// The time after which a scan that finds little is shown all the same.
const LONG: Duration = Duration::from_secs(3);

/// So many rows cost little to show.
const LITTLE: usize = 4_096;

pub(super) struct Pace {
    patience: Duration,
    /// When the last view was shown, since the scan began, and its rows.
    last: Option<(Duration, usize)>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { patience: PATIENCE, last: None }
    }
}

impl Pace {
    /// Whether so many rows are to be shown, at this time since the scan began. Then they are.
    pub(super) fn wants(&mut self, now: Duration, rows: usize) -> bool {
        if let Some((then, before)) = self.last {
            let passed = now.saturating_sub(then);
            let has_grown = rows >= before.saturating_mul(GROWTH);
            let is_slow = passed >= LONG && rows <= LITTLE;
            if passed < self.patience || !(has_grown || is_slow) {
                return false;
            }
            self.patience *= 3;
        }
        self.last = Some((now, rows));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown of a scan that finds so many rows a millisecond: when, and how many rows.
    fn shown(all: usize, each: f64) -> Vec<(u64, usize)> {
        let mut pace = Pace::default();
        let mut shown = Vec::new();
        for milli in 1..100_000 {
            let rows = (milli as f64 * each) as usize;
            if rows >= all {
                break;
            }
            if pace.wants(Duration::from_millis(milli), rows) {
                shown.push((milli, rows));
            }
        }
        shown
    }

    #[test]
    fn all_views_before_the_whole_cost_half_of_it() {
        let sizes: Vec<usize> =
            (0..60).map(|step| (1_000.0 * 1.08_f64.powi(step)) as usize).collect();
        let cost = |all: &usize| {
            let shown = shown(*all, 33.0);
            assert_eq!(shown[0].0, 1, "the first rows are shown at once");
            assert!(shown.windows(2).all(|pair| pair[1].1 >= GROWTH * pair[0].1), "{shown:?}");
            shown.iter().map(|(_, rows)| *rows as f64 / *all as f64).sum::<f64>()
        };
        let mean = sizes.iter().map(cost).sum::<f64>() / sizes.len() as f64;
        assert!(mean < 0.5, "{mean}");
    }

    #[test]
    fn a_slow_scan_is_shown_as_it_goes_on() {
        let shown = shown(100, 0.01);
        assert!(shown.len() >= 4 && shown[1].0 <= 3_001, "{shown:?}");
        // What is slow because it is much is not made slower.
        let much = self::shown(100_000, 7.0);
        assert!(much.iter().map(|(_, rows)| rows).sum::<usize>() < 100_000 / 2, "{much:?}");
    }
}
