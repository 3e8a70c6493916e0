//! The skills of an earlier scan, to be taken over where nothing has changed.

use crate::catalog::{Root, Skill};
use std::fs::Metadata;
use std::path::Path;
use std::sync::Arc;

/// Skills by canonical path.
#[derive(Clone, Debug, Default)]
pub struct Known(Vec<Arc<Skill>>);

impl Known {
    /// The skills of an earlier scan, in any order.
    pub fn new(skills: impl Iterator<Item = Arc<Skill>>) -> Self {
        let mut skills: Vec<Arc<Skill>> = skills.collect();
        skills.sort_unstable_by(|one, other| key(&one.path).cmp(key(&other.path)));
        Self(skills)
    }

    /// The skills, by path.
    pub fn skills(&self) -> impl Iterator<Item = &Arc<Skill>> {
        self.0.iter()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The skill at this path, if its file has the time and size that it had, and it was found here, and only here,
    /// below the same root. (A skill that was found in several places is put together anew.)
    pub(super) fn unchanged(
        &self,
        path: &Path,
        (location, root): (&Path, &Root),
        meta: &Metadata,
    ) -> Option<Arc<Skill>> {
        let index = self.0.binary_search_by(|known| key(&known.path).cmp(key(path))).ok()?;
        let known = self.0.get(index)?;
        let same_file = known.mtime_ms == super::read::mtime_ms(meta) && known.bytes == meta.len() && meta.is_file();
        let same_place = known.scope == root.scope && *known.root == *root.path && known.locations == [location];
        let same_looks = root.walk.sidecar == known.properties.invocation.not_implicitly.is_some();
        (same_file && same_place && same_looks && !root.walk.sidecar).then(|| Arc::clone(known))
    }
}

fn key(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
