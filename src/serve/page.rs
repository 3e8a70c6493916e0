//! Pages of lists. The rows of a list are in the order of their paths, and a cursor is the path of
//! the last one that was given. So what comes or goes between two pages moves no other row.

use super::catalog_cache::Snapshot;
use super::error::error;
use crate::runtime::FileEntry;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rmcp::ErrorData;
use rmcp::model::PaginatedRequestParams;
use serde::Serialize;
use std::path::Path;

/// Skills on one page of resources.
pub(super) const SKILLS: usize = 50;

/// Prompts on one page. They are small, and not every client asks for a second page.
pub(super) const PROMPTS: usize = 500;

/// The most bytes of the items of a page. An answer has 64 KiB, with the frame around them.
pub(super) const ROOM: usize = 60 << 10;

/// The stable word for a cursor that is none of this list.
pub(super) const CODE: &str = "invalid_cursor";

/// No cursor of ours is longer, in bytes: a path and the name of a list.
const LONGEST: usize = 16 << 10;

/// A cursor that no page of this list gave.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoCursor;

impl NoCursor {
    pub(super) const TEXT: &str =
        "there is no such cursor in this list; begin again without a cursor";
}

impl From<NoCursor> for ErrorData {
    fn from(_: NoCursor) -> Self {
        error(CODE, NoCursor::TEXT.to_owned())
    }
}

/// A list that is given in pages. A cursor is good for its own list only.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    pub(super) name: &'a str,
    /// The directory whose skills or files are listed, if there are several.
    pub(super) of: Option<&'a Path>,
}

impl<'a> List<'a> {
    pub(super) fn named(name: &'a str) -> Self {
        Self { name, of: None }
    }

    fn prefix(&self) -> Vec<u8> {
        let of = self.of.map_or(&[][..], |of| of.as_os_str().as_encoded_bytes());
        [self.name.as_bytes(), b"\0", of, b"\0"].concat()
    }

    /// The cursor for what follows this path.
    pub(super) fn cursor(&self, last: &[u8]) -> String {
        URL_SAFE_NO_PAD.encode([&self.prefix(), last].concat())
    }

    /// The path after which a page begins; empty for the first page.
    pub(super) fn last(&self, cursor: Option<&str>) -> Result<Vec<u8>, NoCursor> {
        let Some(cursor) = cursor else { return Ok(Vec::new()) };
        let decoded = Some(cursor).filter(|cursor| cursor.len() <= LONGEST);
        let decoded =
            decoded.and_then(|cursor| URL_SAFE_NO_PAD.decode(cursor).ok()).ok_or(NoCursor)?;
        let last = decoded.strip_prefix(&*self.prefix()).filter(|last| !last.is_empty());
        last.map(<[u8]>::to_vec).ok_or(NoCursor)
    }

    /// The rows after the cursor, in the order of their paths.
    pub(super) fn after<'b>(
        &self,
        mut rows: Vec<usize>,
        path: impl Fn(&usize) -> &'b [u8],
        cursor: Option<&str>,
    ) -> Result<Vec<usize>, NoCursor> {
        let last = self.last(cursor)?;
        rows.retain(|index| path(index) > last.as_slice());
        rows.sort_by(|one, other| path(one).cmp(path(other)));
        Ok(rows)
    }

    /// The first rows after the cursor, at most `most`, and the next page's cursor.
    fn page<'b>(
        &self,
        rows: Vec<usize>,
        path: impl Fn(&usize) -> &'b [u8],
        most: usize,
        cursor: Option<&str>,
    ) -> Result<(Vec<usize>, Option<String>), NoCursor> {
        let mut rows = self.after(rows, &path, cursor)?;
        let next = (rows.len() > most).then(|| self.cursor(path(&rows[most - 1])));
        rows.truncate(most);
        Ok((rows, next))
    }

    /// The items of the rows of a page, as far as it has room for them, and the next page's cursor.
    fn filled<'b, T: Serialize>(
        &self,
        (rows, mut next): (Vec<usize>, Option<String>),
        path: impl Fn(&usize) -> &'b [u8],
        mut items: impl FnMut(usize) -> Vec<T>,
    ) -> (Vec<T>, Option<String>) {
        let (mut page, mut room) = (Vec::new(), ROOM);
        for (place, index) in rows.iter().enumerate() {
            let items = items(*index);
            let bytes: usize = items.iter().map(bytes).sum();
            if let Some(last) = place.checked_sub(1).filter(|_| bytes > room) {
                next = Some(self.cursor(path(&rows[last])));
                break;
            }
            room = room.saturating_sub(bytes);
            page.extend(items);
        }
        (page, next)
    }

    /// The items of the files of a directory that go on one page, and the next page's cursor.
    pub(super) fn of_files<T: Serialize>(
        &self,
        files: &[&FileEntry],
        cursor: Option<&str>,
        item: impl Fn(&FileEntry) -> Option<T>,
    ) -> Result<(Vec<T>, Option<String>), NoCursor> {
        let path = |index: &usize| files[*index].path.as_os_str().as_encoded_bytes();
        let rows = self.page((0..files.len()).collect(), path, files.len(), cursor)?;
        Ok(self.filled(rows, path, |index| item(files[index]).into_iter().collect()))
    }
}

/// The path of an entry, by which lists are ordered.
pub(super) fn path(snapshot: &Snapshot, index: usize) -> &[u8] {
    snapshot.view.rows[index].skill().path.as_os_str().as_encoded_bytes()
}

/// The entries of a view whose items go on one page, and the next page's cursor. `items` gives all
/// items of an entry. Those of the first entry are given in any case, so that every page leads on.
pub(super) fn page<T: Serialize>(
    snapshot: &Snapshot,
    name: &str,
    rows: Vec<usize>,
    most: usize,
    request: Option<PaginatedRequestParams>,
    items: impl FnMut(usize) -> Vec<T>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let path = |index: &usize| path(snapshot, *index);
    let rows = List::named(name).page(rows, path, most, cursor.as_deref())?;
    Ok(List::named(name).filled(rows, path, items))
}

/// The bytes of an item, with the comma after it.
pub(super) fn bytes(item: &impl Serialize) -> usize {
    serde_json::to_vec(item).map_or(0, |text| text.len() + 1)
}

/// Refuses a cursor for a list that has only one page.
pub(super) fn only(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    if request.is_some_and(|request| request.cursor.is_some()) {
        Err(NoCursor.into())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: List<'static> = List { name: "resources/list", of: None };

    /// Pages of rows whose numbers are their paths.
    fn pages(
        rows: &[usize],
        cursor: Option<&str>,
    ) -> Result<(Vec<usize>, Option<String>), NoCursor> {
        let paths: Vec<String> = (0..200).map(|row| format!("/{row:03}/SKILL.md")).collect();
        LIST.page(rows.to_vec(), |row| paths[*row].as_bytes(), SKILLS, cursor)
    }

    #[test]
    fn the_pages_are_the_whole_list_once() {
        for count in [0, 1, 49, 50, 51, 100, 120] {
            let (rows, mut all, mut next): (Vec<_>, _, _) =
                ((0..count).collect(), Vec::new(), None);
            loop {
                let (part, more) = pages(&rows, next.as_deref()).unwrap();
                assert!(part.len() <= SKILLS);
                all.extend(part);
                next = more;
                if next.is_none() {
                    break;
                }
            }
            assert_eq!(all, rows);
        }
    }

    #[test]
    fn what_comes_or_goes_between_two_pages_moves_no_other_row() {
        let rows: Vec<usize> = (20..140).rev().collect();
        let (first, next) = pages(&rows, None).unwrap();
        assert_eq!(first, (20..70).collect::<Vec<_>>());
        // One before the cursor comes, and some go, the last one given among them.
        let rows: Vec<usize> = (19..140).filter(|row| ![20, 40, 69, 70].contains(row)).collect();
        let (second, next) = pages(&rows, next.as_deref()).unwrap();
        assert_eq!(second, (71..121).collect::<Vec<_>>());
        assert_eq!(pages(&rows, next.as_deref()).unwrap(), ((121..140).collect(), None));
    }

    #[test]
    fn a_cursor_that_no_page_of_the_list_gave_is_refused() {
        let long = LIST.cursor(&vec![b'x'; LONGEST]);
        let [other, elsewhere, empty] = [
            List::named("skills/list").cursor(b"/x/SKILL.md"),
            List { of: Some(Path::new("/there")), ..LIST }.cursor(b"/x/SKILL.md"),
            LIST.cursor(b""),
        ];
        let cursors =
            ["", "0", "50", "-50", " 50", "x", "L2V0Yw", &long, &other, &elsewhere, &empty];
        for wrong in cursors {
            assert_eq!(pages(&[1, 2], Some(wrong)), Err(NoCursor), "{wrong}");
        }
        assert!(pages(&[1, 2], Some(&LIST.cursor(b"/x/SKILL.md"))).is_ok());
    }

    #[test]
    fn a_list_of_one_page_takes_no_cursor() {
        assert!(only(None).is_ok());
        let cursor = PaginatedRequestParams::default().with_cursor(Some("50".to_owned()));
        assert!(only(Some(cursor)).is_err());
    }
}
