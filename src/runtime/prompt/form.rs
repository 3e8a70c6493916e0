//! The forms of a catalog. Each has a frame, entries, and a notice if something was left out.

use super::usage::Usage;
use crate::catalog::Listed;
use crate::policy::Entry;
use crate::runtime::markup::content;
use crate::text::SafeText;
use crate::words;
use crate::workspace::View;
use serde_json::json;

/// How a catalog is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `<skills_context>` with rules, name, description, path and scope.
    Codelia,
    /// The rules, then `<available_skills>` as the reference implementation's `to-prompt` writes
    /// it.
    #[default]
    Agentskills,
    /// `{"available_skills": […]}` with name and description, no paths.
    Json,
    /// Headings by name, and how to use them.
    Markdown,
    /// A list with the files' paths, as Codex shows its own.
    Codex,
}

/// For an empty catalog, in the forms that have a text for it.
const NOTHING: &str = "Skills are currently not available.";

words!(
    Format,
    Codelia = "codelia",
    Agentskills = "agentskills",
    Json = "json",
    Markdown = "markdown",
    Codex = "codex"
);

/// A form with the rules in it.
pub(super) struct Form<'v> {
    pub(super) format: Format,
    pub(super) usage: Usage,
    /// The view that decides how a skill is named, for a model that types names into a shell.
    pub(super) typed: Option<&'v View>,
}

impl Form<'_> {
    /// Whether entries are ordered by name instead of by scope.
    pub(super) fn by_name(&self) -> bool {
        self.format == Format::Markdown
    }

    fn separator(&self) -> &'static str {
        match self.format {
            Format::Json => ",",
            Format::Markdown => "\n\n",
            Format::Codelia | Format::Agentskills | Format::Codex => "\n",
        }
    }

    /// One skill, with at most `clamp` characters of its description.
    pub(super) fn entry(&self, entry: &Entry, clamp: usize) -> String {
        let skill = &*entry.skill;
        let name_only = entry.verdict.listed.value == Listed::NameOnly;
        let description =
            if name_only { String::new() } else { clamped(entry.description().trim(), clamp) };
        let typed = self.typed.map(|view| view.shell_word(entry));
        let name = typed.as_ref().map_or(skill.name.as_str(), SafeText::as_str);
        let path = skill.path.to_string_lossy();
        match self.format {
            Format::Codelia => format!(
                "<skill><name>{}</name><description>{}</description><path>{}</path><scope>{}</scope></skill>",
                content(name),
                content(&description),
                content(&path),
                skill.scope.word()
            ),
            Format::Agentskills => format!(
                "<skill>\n<name>\n{}\n</name>\n<description>\n{}\n</description>\n<location>\n{}\n</location>\n</skill>",
                content(name),
                content(&description),
                content(&path)
            ),
            Format::Json => ascii(&json!({ "name": name, "description": description }).to_string()),
            Format::Markdown => {
                let dir = SafeText::path(skill.dir());
                let (name, description) = (SafeText::line(name), SafeText::line(&description));
                let what = if skill.is_single_file() { "File" } else { "Directory" };
                format!("### {name}\n- **Description**: {description}\n- **{what}**: {dir}")
            }
            Format::Codex => {
                let (name, description) = (SafeText::line(name), SafeText::line(&description));
                format!("- {name}: {description} (file: {})", SafeText::path(&skill.path))
            }
        }
    }

    /// Bytes of the frame; `left_out` as in [`Form::whole`].
    pub(super) fn frame_bytes(&self, left_out: Option<usize>) -> usize {
        let (head, tail) = self.frame(left_out);
        head.len() + tail.len()
    }

    /// Bytes of `count` entries with these `bytes` in the frame.
    pub(super) fn entries_bytes(&self, count: usize, bytes: usize) -> usize {
        bytes + count.saturating_sub(1) * self.separator().len() + self.end(count).len()
    }

    /// What follows the last of `count` entries.
    fn end(&self, count: usize) -> &'static str {
        if count == 0 || self.format == Format::Json { "" } else { "\n" }
    }

    /// The whole text. `left_out` is how many skills are not in it, if anything was left out or
    /// shortened.
    pub(super) fn whole(
        &self,
        parts: impl Iterator<Item = String>,
        left_out: Option<usize>,
    ) -> String {
        let mut parts = parts.peekable();
        if parts.peek().is_none() && left_out.is_none() {
            return match self.format {
                Format::Agentskills => "<available_skills>\n</available_skills>".to_owned(),
                Format::Json => "{\"available_skills\":[]}".to_owned(),
                Format::Markdown => NOTHING.to_owned(),
                Format::Codelia | Format::Codex => String::new(),
            };
        }
        let (mut text, tail) = self.frame(left_out);
        let mut count = 0;
        for part in parts {
            text.push_str(if count > 0 { self.separator() } else { "" });
            text.push_str(&part);
            count += 1;
        }
        text.push_str(self.end(count));
        text.push_str(&tail);
        text
    }

    /// What comes before and after the entries.
    fn frame(&self, left_out: Option<usize>) -> (String, String) {
        let truncated = left_out.is_some();
        let missing = left_out.map(|count| self.usage.missing(count));
        let own = self.usage.rules(left_out.unwrap_or_default() == 0);
        let rules: Vec<&str> = own.iter().copied().chain(&missing).map(String::as_str).collect();
        match self.format {
            Format::Codelia => {
                let rules: String =
                    rules.iter().map(|rule| format!("<rule>{}</rule>\n", content(rule))).collect();
                let head = format!(
                    "<skills_context>\n<skills_usage>\n{rules}</skills_usage>\n\
                     <skills_catalog scope=\"initial\" truncated=\"{truncated}\">\n"
                );
                (head, "</skills_catalog>\n</skills_context>".to_owned())
            }
            Format::Agentskills => {
                let note = missing
                    .as_ref()
                    .map(|missing| format!("\n<!-- truncated=\"true\": {missing} -->"));
                (
                    format!("{}\n\n<available_skills>\n", listed(&own)),
                    format!("</available_skills>{}", note.unwrap_or_default()),
                )
            }
            Format::Json => {
                let tail = format!("],\"truncated\":{truncated},\"usage\":{}}}", json!(rules));
                ("{\"available_skills\":[".to_owned(), tail)
            }
            Format::Markdown => (format!("{}\n\n", listed(&rules)), String::new()),
            Format::Codex => (
                String::from("## Skills\n### Available skills\n"),
                format!("### How to use skills\n{}", listed(&rules)),
            ),
        }
    }
}

/// One line for each.
pub(super) fn listed<T: std::fmt::Display>(rules: &[T]) -> String {
    rules.iter().map(|rule| format!("- {rule}")).collect::<Vec<_>>().join("\n")
}

/// At most `most` characters. If the text is cut, the last one is `…`.
fn clamped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let Some(kept) = most.checked_sub(1) else { return String::new() };
    let kept: String = text.chars().take(kept).collect();
    format!("{}…", kept.trim_end())
}

/// JSON in which nothing hides: characters that a reader could not see are escaped.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        if !letter.is_ascii() && crate::text::is_hidden(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(letter);
        }
    }
    out
}
