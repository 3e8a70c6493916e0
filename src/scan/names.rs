//! The names of the folders and links in a folder, in one block of memory: some folders hold very
//! many.

use std::ffi::OsStr;
use std::sync::Arc;

/// A name, and whether it is that of a link.
pub(super) type Named<'a> = (&'a OsStr, bool);

/// Names in their order, but those that are not UTF-8 come last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Names(Arc<Packed>);

#[derive(Debug, Default, PartialEq, Eq, Hash)]
struct Packed {
    count: usize,
    /// After each name of a folder is a slash, after that of a link a NUL. No name has either.
    text: Box<str>,
    odd: Box<[(Box<OsStr>, bool)]>,
}

impl Names {
    /// The names in any order.
    pub(super) fn sorted(mut names: Vec<(Box<OsStr>, bool)>) -> Self {
        names.sort_unstable();
        names.iter().map(|(name, is_link)| (&**name, *is_link)).collect()
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.0.count
    }

    /// The name at this position, and the position of the next one. The first name is at 0.
    pub(super) fn at(&self, position: usize) -> Option<(Named<'_>, usize)> {
        let Packed { text, odd, .. } = &*self.0;
        match text.get(position..).filter(|rest| !rest.is_empty()) {
            Some(rest) => {
                let end = memchr::memchr2(b'/', 0, rest.as_bytes())?;
                let is_link = rest.as_bytes()[end] == 0;
                Some(((OsStr::new(&rest[..end]), is_link), position + end + 1))
            }
            None => {
                let (name, is_link) = odd.get(position.checked_sub(text.len())?)?;
                Some(((name, *is_link), position + 1))
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Named<'_>> {
        let mut position = 0;
        std::iter::from_fn(move || {
            let (name, next) = self.at(position)?;
            position = next;
            Some(name)
        })
    }
}

impl<'a> FromIterator<Named<'a>> for Names {
    fn from_iter<T: IntoIterator<Item = Named<'a>>>(names: T) -> Self {
        let (mut count, mut text, mut odd) = (0, String::new(), Vec::new());
        for (name, is_link) in names {
            count += 1;
            match name.to_str() {
                Some(name) => {
                    text.push_str(name);
                    text.push(if is_link { '\0' } else { '/' });
                }
                None => odd.push((name.into(), is_link)),
            }
        }
        Self(Arc::new(Packed { count, text: text.as_str().into(), odd: odd.into() }))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::os::unix::ffi::OsStrExt as _;

    proptest! {
        #[test]
        fn every_name_comes_back(
            names in prop::collection::vec(("[^/\0]{1,9}", any::<bool>(), any::<bool>()), 0..9),
        ) {
            let names: Vec<(Box<OsStr>, bool)> = names
                .iter()
                .map(|(name, is_odd, is_link)| {
                    let odd: &[u8] = if *is_odd { b"\xff" } else { b"" };
                    (OsStr::from_bytes(&[name.as_bytes(), odd].concat()).into(), *is_link)
                })
                .collect();
            let packed = Names::sorted(names.clone());
            prop_assert_eq!(packed.len(), names.len());
            let mut wanted = names;
            wanted.sort_by_key(|(name, is_link)| (name.to_str().is_none(), name.clone(), *is_link));
            let wanted = wanted.iter().map(|(name, is_link)| (&**name, *is_link));
            prop_assert!(packed.iter().eq(wanted));
            prop_assert_eq!(packed.at(usize::MAX), None);
        }
    }
}
