//! Which skills are marked, and in which order.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The marked skills, in mark order. Marks go by path, so they outlive a new scan, a filter that
/// hides the skills, and a host that does not see them.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// All marks; `set` has the same paths, for lookups.
    order: Vec<Arc<Path>>,
    set: HashSet<Arc<Path>>,
    /// The marks of skills in this view.
    here: Vec<Arc<Path>>,
}

impl Marks {
    pub fn has(&self, path: &Path) -> bool {
        self.set.contains(path)
    }

    /// Marked skills in this view.
    pub fn count(&self) -> usize {
        self.here.len()
    }

    /// All marked skills, also those that this view does not have.
    pub fn total(&self) -> usize {
        self.order.len()
    }

    /// The marked skills in this view, in mark order.
    pub fn in_order(&self) -> &[Arc<Path>] {
        &self.here
    }

    pub fn toggle(&mut self, path: &Arc<Path>) {
        if self.set.remove(path) {
            self.order.retain(|marked| marked != path);
            self.here.retain(|marked| marked != path);
        } else {
            self.add(path);
        }
    }

    pub fn add(&mut self, path: &Arc<Path>) {
        if self.set.insert(Arc::clone(path)) {
            self.order.push(Arc::clone(path));
            self.here.push(Arc::clone(path));
        }
    }

    pub fn remove(&mut self, paths: &[Arc<Path>]) {
        for path in paths {
            self.set.remove(path);
        }
        let set = &self.set;
        self.order.retain(|marked| set.contains(marked));
        self.here.retain(|marked| set.contains(marked));
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Applies a new view, in which `exists` says which skills there are. Other marks wait for a
    /// view that has their skill.
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
