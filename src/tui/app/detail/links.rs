//! Links in a skill's text: one is chosen, followed to a file or heading of the skill, and left
//! again.

use super::{Detail, Focus};
use crate::inert;
use crate::text::{Doc, Role, SafeText, percent};
use crate::tui::app::{Effect, Notice, State};
use std::path::{Component, Path, PathBuf};

/// A text that was left by a link.
#[derive(Debug)]
pub(super) struct Left {
    /// Relative to the skill; `None` is the `SKILL.md`.
    file: Option<PathBuf>,
    place: Place,
    link: Option<u16>,
}

/// Where a text is shown from when it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Line(usize),
    /// The heading that an address names after `#`.
    Heading(String),
}

/// What a link means.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// A file of the skill, relative to the folder of the text, and a heading in it.
    File(String, Option<String>),
    /// A heading of the same text.
    Heading(String),
    /// Something else: an address, an absolute path.
    Outside,
}

impl Detail {
    /// The chosen link, which is drawn so.
    pub fn link(&self) -> Option<u16> {
        self.link
    }

    /// Whether the text that is shown has links.
    pub fn has_links(&self) -> bool {
        self.pane.doc().is_some_and(|doc| !doc.links.is_empty())
    }

    /// Where the chosen link leads; other people's text.
    pub fn target(&self) -> Option<&str> {
        let links = &self.pane.doc()?.links;
        links.get(usize::from(self.link?)).map(String::as_str)
    }

    /// Chooses the next link, or the one before, round the end.
    pub(super) fn next_link(&mut self, forward: bool, state: &mut State) {
        let links = self.pane.doc().map(|doc| links(doc)).unwrap_or_default();
        if links.is_empty() {
            return state.say(Notice::neutral(SafeText::fixed("there is no link in this text")));
        }
        let scroll = self.pane.scroll;
        let chosen = links.iter().position(|(link, _)| Some(*link) == self.link);
        let next = match (chosen, forward) {
            (Some(at), true) => (at + 1) % links.len(),
            (Some(at), false) => (at + links.len() - 1) % links.len(),
            // The first one in what is shown.
            (None, true) => links.iter().position(|(_, line)| *line >= scroll).unwrap_or(0),
            (None, false) => {
                links.iter().rposition(|(_, line)| *line < scroll).unwrap_or(links.len() - 1)
            }
        };
        let (link, line) = links[next];
        (self.link, self.focus) = (Some(link), Focus::Text);
        let height = Self::text_height(state);
        if !(scroll..scroll + height).contains(&line) {
            self.pane.scroll_to(line.saturating_sub(height / 3), height);
        }
    }

    /// Follows the chosen link. An address is copied, since nothing is opened but the skill's
    /// files.
    pub(super) fn follow_link(&mut self, state: &mut State) {
        let Some(target) = self.target().map(str::to_owned) else { return };
        match read(&target) {
            Target::Outside => {
                state.effects.push(Effect::CopyLines(vec![SafeText::line(&target)]));
            }
            Target::Heading(heading) => {
                let Some(line) = self.pane.doc().and_then(|doc| heading_at(doc, &heading)) else {
                    let why = inert!("there is no heading {} here", SafeText::line(&heading));
                    return state.say(Notice::neutral(why));
                };
                self.leave(state);
                self.go(&Place::Line(line), state);
            }
            Target::File(path, heading) => {
                let own = self.file(state);
                let from = own.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
                let wanted = normal(&from.join(&path));
                let is_it = |file: &Path| wanted.as_deref() == Some(file);
                match state.files_of(&self.path).iter().find(|row| is_it(&row.relative)) {
                    None => {
                        let why = inert!("there is no {} in this skill", SafeText::line(&path));
                        state.say(Notice::neutral(why));
                    }
                    Some(_) => {
                        self.leave(state);
                        self.show_file(wanted, state);
                        self.arrival = heading.map(Place::Heading);
                    }
                }
            }
        }
    }

    /// Remembers what is shown.
    fn leave(&mut self, state: &State) {
        let (file, place) = (self.file(state), Place::Line(self.pane.scroll));
        self.left.push(Left { file, place, link: self.link });
    }

    /// Goes back to what the last link was followed from; `false` if none was.
    pub(super) fn return_from_link(&mut self, state: &State) -> bool {
        let Some(Left { file, place, link }) = self.left.pop() else { return false };
        let is_same = file == self.file(state);
        self.show_file(file, state);
        self.link = link;
        match is_same {
            true => self.go(&place, state),
            false => self.arrival = Some(place),
        }
        true
    }

    /// Puts the cursor of the tree on a file; `None` is the `SKILL.md`.
    fn show_file(&mut self, file: Option<PathBuf>, state: &State) {
        let own = self.path.file_name().map(PathBuf::from);
        let Some(file) = file.or(own) else { return };
        self.folded.retain(|folder| !file.starts_with(folder));
        let row = self.rows(state).iter().position(|row| row.relative == file);
        self.tree.cursor = row.unwrap_or(self.tree.cursor);
        (self.link, self.find, self.focus) = (None, None, Focus::Text);
    }

    /// Scrolls to a place of the text that is shown.
    pub(super) fn go(&mut self, place: &Place, state: &State) {
        let line = match (place, self.pane.doc()) {
            (Place::Line(line), _) => Some(*line),
            (Place::Heading(wanted), Some(doc)) => heading_at(doc, wanted),
            (Place::Heading(_), None) => None,
        };
        if let Some(line) = line {
            self.pane.scroll_to(line, Self::text_height(state));
        }
    }
}

/// The line of the heading that an address names; a long heading is cut where its line ends.
fn heading_at(doc: &Doc, wanted: &str) -> Option<usize> {
    let wanted = wanted.to_lowercase();
    let headings = doc.lines.iter().enumerate().filter(|(_, line)| {
        let first = line.spans.iter().find(|span| !span.text.is_empty());
        first.is_some_and(|span| matches!(span.role, Role::Heading(_)))
    });
    let slugs: Vec<(usize, String)> = headings
        .map(|(at, line)| (at, slug(&line.plain())))
        .filter(|it| !it.1.is_empty())
        .collect();
    let own = slugs.iter().find(|(_, slug)| *slug == wanted);
    let cut = || {
        let begins = slugs.iter().filter(|(_, slug)| wanted.starts_with(slug.as_str()));
        begins.max_by_key(|(_, slug)| slug.len())
    };
    own.or_else(cut).map(|(at, _)| *at)
}

/// The links of a text in their order, each with its first line.
fn links(doc: &Doc) -> Vec<(u16, usize)> {
    let mut links: Vec<(u16, usize)> = Vec::new();
    for (line, shown) in doc.lines.iter().enumerate() {
        for span in &shown.spans {
            if let Role::Link(link) = span.role
                && usize::from(link) < doc.links.len()
                && links.last().is_none_or(|(last, _)| *last != link)
            {
                links.push((link, line));
            }
        }
    }
    links
}

fn read(target: &str) -> Target {
    let (path, heading) = match target.split_once('#') {
        Some((path, heading)) => {
            (path, Some(percent::decoded(heading)).filter(|it| !it.is_empty()))
        }
        None => (target, None),
    };
    let path = path.split('?').next().unwrap_or_default();
    let has_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    match (path.is_empty(), heading) {
        (true, Some(heading)) => Target::Heading(heading),
        (true, None) => Target::Outside,
        _ if has_scheme || path.starts_with(['/', '~', '\\']) => Target::Outside,
        (false, heading) => Target::File(percent::decoded(path.trim_end_matches('/')), heading),
    }
}

/// The path without `.` and `..`; `None` if it leads out.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir if normal.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

/// A heading as an address names it: small letters, hyphens for spaces, no other signs.
fn slug(heading: &str) -> String {
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || letter == '-' || letter == '_' => Some(letter),
        _ => None,
    };
    heading.trim().to_lowercase().chars().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_means_a_file_a_heading_or_something_outside() {
        let file = |path: &str, heading: Option<&str>| {
            Target::File(path.to_owned(), heading.map(str::to_owned))
        };
        for (target, meaning) in [
            ("references/a%20b.md", file("references/a b.md", None)),
            ("a.md#The-end", file("a.md", Some("The-end"))),
            ("scripts/", file("scripts", None)),
            ("#steps", Target::Heading("steps".to_owned())),
            ("#", Target::Outside),
            ("", Target::Outside),
            ("https://a.example/x#y", Target::Outside),
            ("mailto:a@b", Target::Outside),
            ("/etc/passwd", Target::Outside),
            ("~/.ssh/id", Target::Outside),
        ] {
            assert_eq!(read(target), meaning, "{target}");
        }
    }

    #[test]
    fn a_path_out_of_the_skill_is_none() {
        let of = |path: &str| normal(Path::new(path));
        assert_eq!(of("references/../a.md"), Some("a.md".into()));
        assert_eq!(of("./a/./b"), Some("a/b".into()));
        assert_eq!((of("../a"), of("a/../../b"), of("/a")), (None, None, None));
    }

    #[test]
    fn the_very_heading_comes_before_one_that_is_its_beginning() {
        let render = |text: &str| crate::text::markdown::render(text, 40, Default::default());
        let doc = render("# Steps\n\n## Steps to release\n\n# 🎉\n\nText.\n");
        let at = |wanted: &str| heading_at(&doc, wanted).map(|line| doc.lines[line].plain());
        assert_eq!(at("steps-to-release").as_deref(), Some("Steps to release"));
        assert_eq!(at("Steps").as_deref(), Some("Steps"));
        assert_eq!(at("elsewhere"), None);
    }

    #[test]
    fn a_heading_is_named_as_on_the_web() {
        assert_eq!(slug(" When it *fails*: read on "), "when-it-fails-read-on");
        assert_eq!(slug("Über uns"), "über-uns");
    }
}
