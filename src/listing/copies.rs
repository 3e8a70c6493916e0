//! Rows of one name, which a list shows as one.

use super::{Namesakes, Row};
use std::borrow::Cow;
use std::collections::HashMap;

/// The rows that have the same name, with that of a plugin before it, and are not refused, by row.
/// Most rows are in none.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// Row and group, by row.
    groups: Vec<(u32, u32)>,
    /// The rows of each group, ascending.
    rows: Vec<Vec<u32>>,
}

impl Copies {
    pub(super) fn of(rows: &[Row], by_name: &Namesakes) -> Self {
        let mut named: HashMap<Cow<str>, Vec<u32>> = HashMap::new();
        for index in by_name.shared() {
            if let (Some(row), Ok(number)) = (rows.get(index), u32::try_from(index))
                && row.entry.offered()
            {
                named.entry(row.skill().full_name()).or_default().push(number);
            }
        }
        let mut several: Vec<Vec<u32>> = named.into_values().filter(|it| it.len() > 1).collect();
        several.sort_unstable();
        let groups = (0..).zip(&several);
        let mut groups: Vec<(u32, u32)> =
            groups.flat_map(|(group, rows)| rows.iter().map(move |row| (*row, group))).collect();
        groups.sort_unstable();
        Self { groups, rows: several }
    }

    pub(super) fn are_some(&self) -> bool {
        !self.rows.is_empty()
    }

    /// The rows of the group of a row, itself included; empty if it is in none.
    pub(super) fn of_row(&self, row: usize) -> &[u32] {
        let at = self.groups.binary_search_by_key(&row, |(row, _)| *row as usize).ok();
        let group = at.and_then(|at| self.rows.get(self.groups[at].1 as usize));
        group.map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rows;
    use super::super::fixture::{row, row_of, skill};
    use crate::catalog::{Plugin, SkillRoot, checks};
    use std::sync::Arc;

    #[test]
    fn rows_of_one_name_are_copies_unless_they_are_refused() {
        let mut rows: Vec<_> =
            ["a", "pdf", "PDF", "pdf", "b", "pdf"].iter().map(|name| row(name, "")).collect();
        rows[5].entry.refused = Some(&checks::DESC_MISSING);
        let rows = Rows::new(rows);
        let copies = |index| rows.copies_of(index).to_vec();
        assert_eq!((copies(1), copies(3)), (vec![1, 3], vec![1, 3]));
        for alone in [0, 2, 4, 5, 77] {
            assert!(copies(alone).is_empty(), "{alone}");
        }
    }

    #[test]
    fn a_name_with_that_of_a_plugin_before_it_is_another_one() {
        let of_plugin = |prefix: &str| {
            let plugin = Plugin {
                kind: "plugin",
                id: "p".to_owned(),
                prefix: prefix.to_owned(),
                version: None,
                commit: None,
            };
            let mut skill = skill("pdf", "");
            let (path, plugin) = (skill.root.path.clone(), Some(Arc::new(plugin)));
            skill.root = Arc::new(SkillRoot { path, plugin, ..SkillRoot::default() });
            row_of(skill)
        };
        let rows = vec![row("pdf", ""), of_plugin("a:"), of_plugin("b:"), of_plugin("a:")];
        let rows = Rows::new(rows);
        assert_eq!((rows.copies_of(1), rows.copies_of(3)), (&[1, 3][..], &[1, 3][..]));
        assert!(rows.copies_of(0).is_empty() && rows.copies_of(2).is_empty());
    }
}
