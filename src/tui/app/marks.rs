//! The marks, in the order in which they were set.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The marked skills. They are told by path, so they outlive a new scan, a filter that hides them
/// and a look through a host that does not have them.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// All of them, and the same for a quick look.
    order: Vec<Arc<Path>>,
    set: HashSet<Arc<Path>>,
    /// Those that the catalog has.
    here: Vec<Arc<Path>>,
}

impl Marks {
    /// Whether a skill is marked.
    pub fn has(&self, path: &Path) -> bool {
        self.set.contains(path)
    }

    /// How many skills of the catalog are marked.
    pub fn count(&self) -> usize {
        self.here.len()
    }

    /// How many are marked, whether the catalog has them or not.
    pub fn total(&self) -> usize {
        self.order.len()
    }

    /// The marked skills of the catalog, first marked first.
    pub fn in_order(&self) -> &[Arc<Path>] {
        &self.here
    }

    /// Marks a skill, or takes its mark away.
    pub fn toggle(&mut self, path: &Arc<Path>) {
        if self.set.remove(path) {
            self.order.retain(|marked| marked != path);
            self.here.retain(|marked| marked != path);
        } else {
            self.add(path);
        }
    }

    /// Marks a skill that may be marked already.
    pub fn add(&mut self, path: &Arc<Path>) {
        if self.set.insert(Arc::clone(path)) {
            self.order.push(Arc::clone(path));
            self.here.push(Arc::clone(path));
        }
    }

    /// Takes the marks of these skills away.
    pub fn remove(&mut self, paths: &[Arc<Path>]) {
        for path in paths {
            self.set.remove(path);
        }
        let set = &self.set;
        self.order.retain(|marked| set.contains(marked));
        self.here.retain(|marked| set.contains(marked));
    }

    /// Takes every mark away.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Another catalog: these are the skills that it has. The marks of others wait for one that has
    /// them again.
    pub fn meet(&mut self, exists: impl Fn(&Path) -> bool) {
        self.here = self.order.iter().filter(|path| exists(path)).cloned().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_keep_the_order_in_which_they_were_set() {
        let path = |name: &str| Arc::<Path>::from(Path::new(name));
        let mut marks = Marks::default();
        for name in ["/c", "/a", "/b", "/a"] {
            marks.toggle(&path(name));
        }
        marks.add(&path("/c"));
        marks.add(&path("/a"));
        assert_eq!(marks.in_order(), [path("/c"), path("/b"), path("/a")]);
        marks.meet(|path| path != Path::new("/b"));
        assert_eq!((marks.in_order(), marks.total()), ([path("/c"), path("/a")].as_slice(), 3));
        marks.toggle(&path("/c"));
        marks.add(&path("/d"));
        marks.meet(|_| true);
        assert_eq!(marks.in_order(), [path("/b"), path("/a"), path("/d")]);
        marks.remove(&[path("/a"), path("/never-marked")]);
        assert_eq!((marks.in_order(), marks.total()), ([path("/b"), path("/d")].as_slice(), 2));
        assert!(!marks.has(Path::new("/a")));
        marks.clear();
        assert_eq!((marks.count(), marks.total()), (0, 0));
    }
}
