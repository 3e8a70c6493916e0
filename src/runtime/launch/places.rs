//! Places that a script may read, as a person is shown them: many in one folder are one entry, so
//! that the lines that matter stay in sight.

use crate::inert;
use crate::text::SafeText;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// So many places in a folder are shown one by one.
const FEW: usize = 4;

/// A folder's path must have more parts than these, `/` included, for one entry to stand for what
/// is in it. Shorter ones are homes and folders such as `/opt/tools`.
const PARTS: usize = 3;

/// Folders in which all kinds of programs have theirs, which are shown one by one.
const SHARED: &[&str] = &[".local", ".local/share", ".config"];

/// A line of the question: a place, or how many places are in a folder.
type Line = (PathBuf, Option<usize>);

/// The places as they are shown.
pub(super) fn shown(places: &[PathBuf]) -> Vec<SafeText> {
    let mut lines: Vec<Line> = places.iter().map(|place| (place.clone(), None)).collect();
    let folders = places.iter().flat_map(|place| place.ancestors().skip(1));
    let mut folders: Vec<&Path> = folders.filter(|folder| may_stand_for_all(folder)).collect();
    folders.sort_by_key(|folder| (Reverse(folder.components().count()), *folder));
    folders.dedup();
    folders.into_iter().for_each(|folder| fold(&mut lines, folder));
    let line = |(place, count): &Line| match count {
        Some(count) => inert!("{} places in {}", *count, SafeText::path(place)),
        None => SafeText::path(place),
    };
    lines.iter().map(line).collect()
}

/// Whether a folder says enough about what lies in it.
fn may_stand_for_all(folder: &Path) -> bool {
    folder.components().count() > PARTS && !SHARED.iter().any(|shared| folder.ends_with(shared))
}

/// Makes one line of the places in this folder, unless they are few, the whole folder is one of
/// them, or there are hidden ones: then it is a home.
fn fold(lines: &mut Vec<Line>, folder: &Path) {
    let is_within = |(place, _): &Line| place.starts_with(folder);
    let is_hidden = |(place, _): &Line| {
        let first = place.strip_prefix(folder).ok().and_then(|below| below.iter().next());
        first.is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    let within = lines.iter().filter(|line| is_within(line));
    if within.clone().count() <= FEW || within.clone().any(is_hidden) {
        return;
    }
    let count = within.map(|(_, count)| count.unwrap_or(1)).sum();
    let first = lines.iter().position(is_within).unwrap_or(0);
    lines.retain(|line| !is_within(line));
    lines.insert(first, (folder.to_owned(), Some(count)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(places: &[&str]) -> Vec<String> {
        let places: Vec<PathBuf> = places.iter().map(PathBuf::from).collect();
        shown(&places).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn many_places_in_one_folder_are_one_entry_and_the_others_stay() {
        let versions = ["2.7", "3.6", "3.11", "3.12", "3.13"];
        let versions: Vec<String> = versions
            .iter()
            .flat_map(|one| {
                ["bin", "lib"].map(|part| format!("/root/.pyenv/versions/{one}/{part}"))
            })
            .collect();
        let mut places = vec!["/root/.cargo/bin", "/root/.pyenv/bin", "/root/.pyenv/libexec"];
        places.extend(["/root/.pyenv/pyenv.d", "/root/.pyenv/shims", "/root/.pyenv/version"]);
        places.extend(versions.iter().map(String::as_str));
        let mut expected = places[..6].to_vec();
        expected.push("10 places in /root/.pyenv/versions");
        assert_eq!(of(&places), expected);
        // In a home, a version manager is one entry, and others are beside it.
        let at_home: Vec<String> =
            places.iter().map(|place| place.replace("/root", "/home/u")).collect();
        let at_home: Vec<&str> = at_home.iter().map(String::as_str).collect();
        assert_eq!(of(&at_home), ["/home/u/.cargo/bin", "15 places in /home/u/.pyenv"]);
    }

    #[test]
    fn neither_a_home_nor_a_whole_folder_nor_a_shared_one_hides_what_is_in_it() {
        for places in [
            ["/a/b/u/.cargo/bin", "/a/b/u/.nvm/x", "/a/b/u/bin", "/a/b/u/c/bin", "/a/b/u/d/bin"],
            ["/a/b/u", "/a/b/u/a", "/a/b/u/b", "/a/b/u/c", "/a/b/u/d"],
            [".local/bin", ".local/share/a/x", ".local/share/b/x", ".local/share/c", ".local/lib"],
            ["/opt/a/bin", "/opt/a/lib", "/opt/b/bin", "/opt/b/lib", "/opt/c/bin"],
        ] {
            let places = places.map(|place| match place.starts_with('/') {
                true => place.to_owned(),
                false => format!("/home/u/{place}"),
            });
            assert_eq!(of(&places.each_ref().map(String::as_str)), places);
        }
    }
}
