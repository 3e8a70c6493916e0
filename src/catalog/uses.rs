//! How often skills were used, and when last: loaded or run, by anybody.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Loads and runs without an error.
    pub count: u32,
    /// The last of them, milliseconds since 1970.
    pub last_ms: u64,
    /// The client of the last one; other people's text.
    pub client: Box<str>,
}

/// Skills that were never used take no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// By the canonical path of the `SKILL.md`, as text, which compares faster than a path.
    by_path: HashMap<OsString, Use>,
}

impl Uses {
    /// Counts one more use of the skill at this canonical path.
    pub fn add(&mut self, path: &Path, at_ms: u64, client: &str) {
        if !self.by_path.contains_key(path.as_os_str()) {
            self.by_path.insert(path.as_os_str().to_owned(), Use::default());
        }
        let Some(row) = self.by_path.get_mut(path.as_os_str()) else { return };
        row.count = row.count.saturating_add(1);
        if at_ms >= row.last_ms {
            (row.last_ms, row.client) = (at_ms, client.into());
        }
    }

    /// The use of the skill at this canonical path; `None` if it was never used.
    pub fn of(&self, path: &Path) -> Option<&Use> {
        self.by_path.get(path.as_os_str())
    }

    /// Every skill that was used, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Use)> {
        self.by_path.iter().map(|(path, row)| (Path::new(path), row))
    }

    /// Whether no skill was used.
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_use_is_the_latest_one_whatever_the_order() {
        let mut uses = Uses::default();
        assert!(uses.is_empty());
        for (at, client) in [(5, "codex"), (9, "cli"), (7, "claude")] {
            uses.add(Path::new("/s/pdf/SKILL.md"), at, client);
        }
        let expected = Use { count: 3, last_ms: 9, client: "cli".into() };
        assert_eq!(uses.of(Path::new("/s/pdf/SKILL.md")), Some(&expected));
        assert_eq!((uses.of(Path::new("/s/docx/SKILL.md")), uses.iter().count()), (None, 1));
    }
}
