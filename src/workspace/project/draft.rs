//! What is to be stored: a text and files from a folder, a file or an archive, checked as every
//! skill is, and brought into one form.

use super::super::Workspace;
use crate::catalog::validate::{self, Examined, FILE_NAME};
use crate::catalog::{Diagnostic, Severity, hidden_in, normalized, shown_in};
use crate::files::beneath::{Refusal, SkillDir};
use crate::files::digest::Digest;
use crate::files::sniff::{self, ContentKind};
use crate::state::approvals::{Approvals, Subject};
use crate::store::{
    Bundle, BundleError, MAX_ZIP_BYTES, Unpacked, Version, read_zip, version_digest,
};
use crate::text::{Hidden, SafeText, reason};
use std::path::{Path, PathBuf};

/// A skill that can be stored.
#[derive(Clone, Debug)]
pub struct SkillDraft {
    pub name: String,
    pub description: String,
    /// The whole `SKILL.md`, with name and description in its frontmatter, and line feeds only.
    pub content: String,
    pub files: Bundle,
    /// What of the folder or archive is not stored, such as `.git`; other people's text.
    pub left_out: Vec<PathBuf>,
    /// What is odd about it, but no reason to refuse it.
    pub warnings: Vec<Diagnostic>,
    /// Texts that hide something and that nobody has approved yet.
    pub hidden: Vec<HiddenFile>,
}

/// A file whose text hides something from a reader.
#[derive(Clone, Debug)]
pub struct HiddenFile {
    /// Relative to the skill; other people's text.
    pub file: String,
    pub hidden: Hidden,
    /// Everything that it hides, with marks.
    pub shown: Vec<SafeText>,
}

/// Why a text is not stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    #[error("cannot be read: {0}")]
    Unread(String),
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error("SKILL.md is not UTF-8")]
    NotUtf8,
    #[error("the text has no description, and none was given")]
    NoDescription,
    /// Its frontmatter has another name.
    #[error("the name in its frontmatter is `{0}`")]
    OtherName(SafeText),
    #[error("its frontmatter has a name that is empty or no text; a name with `#` needs quotes")]
    NoName,
    /// Its frontmatter has another description than was given.
    #[error("the description in its frontmatter is `{0}`, and another one was given")]
    OtherDescription(SafeText),
    /// Agents would refuse it.
    #[error("it is no sound skill")]
    Unsound(Vec<Diagnostic>),
}

/// What is to be stored, and from where.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub name: &'a str,
    /// A folder with a `SKILL.md`, such a file alone, or a ZIP archive.
    pub from: &'a Path,
    /// For a text without one.
    pub description: Option<&'a str>,
}

/// A text that is to be stored.
struct Text<'a> {
    /// Its file, if it has one: a person may have approved what it hides.
    main: Option<&'a Path>,
    text: &'a str,
    name: &'a str,
    description: Option<&'a str>,
}

impl Workspace {
    /// Reads and checks what is to be stored.
    ///
    /// # Errors
    /// [`DraftError`].
    pub fn draft(&self, source: &Source<'_>) -> Result<SkillDraft, DraftError> {
        let Given { main, bytes, files, left_out } = read(source.from)?;
        let text = String::from_utf8(bytes).map_err(|_| DraftError::NotUtf8)?;
        let Source { name, description, .. } = *source;
        let text = Text { main: Some(&main), text: &text, name, description };
        Ok(SkillDraft { left_out, ..self.checked(text, files)? })
    }

    /// Checks a text that is to be stored with these files.
    ///
    /// # Errors
    /// [`DraftError`].
    pub fn draft_of_text(
        &self,
        name: &str,
        text: &str,
        description: Option<&str>,
        files: Bundle,
    ) -> Result<SkillDraft, DraftError> {
        self.checked(Text { main: None, text, name, description }, files)
    }

    fn checked(&self, given: Text<'_>, files: Bundle) -> Result<SkillDraft, DraftError> {
        let content = canonical(given.text, given.name.trim(), given.description)?;
        let examined = examine(&content, given.name.trim());
        if normalized(&examined.name) != normalized(given.name) {
            return Err(DraftError::OtherName(SafeText::line(&examined.name)));
        }
        let has_other = |given: &str| {
            // YAML may fold its lines.
            !given.split_whitespace().eq(examined.description.split_whitespace())
        };
        if given.description.is_some_and(has_other) {
            return Err(DraftError::OtherDescription(SafeText::line(&examined.description)));
        }
        let hidden = self.hidden(&given, &content, &files);
        // Who reads it must approve what it hides, each for himself.
        let (errors, warnings): (Vec<_>, Vec<_>) = examined
            .diagnostics
            .into_iter()
            .filter(|found| found.check != &crate::catalog::checks::HIDDEN_TEXT)
            .partition(|found| found.severity() == Severity::Error);
        if !errors.is_empty() {
            return Err(DraftError::Unsound(errors));
        }
        let (name, description) = (examined.name, examined.description);
        let left_out = Vec::new();
        Ok(SkillDraft { name, description, content, files, left_out, warnings, hidden })
    }

    /// The texts that hide something, but for those that a person has approved as files.
    fn hidden(&self, given: &Text<'_>, content: &str, files: &Bundle) -> Vec<HiddenFile> {
        let approvals = self.state_dir.as_deref().map(Approvals::load).unwrap_or_default();
        let approved = |path: &Path, bytes: &[u8]| {
            approvals.has(Subject::Text, path, &Digest::of(bytes).to_string())
        };
        let one = |file: &str, hidden: Hidden, shown: &dyn Fn() -> Vec<SafeText>, known: bool| {
            let file = || file.to_owned();
            (hidden.any() && !known).then(|| HiddenFile { file: file(), shown: shown(), hidden })
        };
        let main = given.main;
        let folder = main.and_then(Path::parent).unwrap_or(Path::new(""));
        let further = files.files().iter().filter_map(|file| {
            let text = std::str::from_utf8(&file.bytes).ok()?;
            let is_text = !matches!(sniff::classify(&file.bytes), ContentKind::Binary(_));
            let known = approved(&folder.join(&file.path), &file.bytes);
            is_text
                .then(|| one(&file.path, Hidden::of(text), &|| Hidden::shown(text), known))
                .flatten()
        });
        let known = main.is_some_and(|main| approved(main, given.text.as_bytes()));
        let hidden = hidden_in(content).map(|(hidden, _)| hidden).unwrap_or_default();
        let main = one(FILE_NAME, hidden, &|| shown_in(content), known);
        main.into_iter().chain(further).collect()
    }
}

impl SkillDraft {
    /// The version that it would be.
    pub fn as_version(&self) -> Version {
        let files = self.files.files();
        Version {
            digest: version_digest(&self.content, files),
            name: self.name.clone(),
            description: self.description.clone(),
            content: self.content.clone(),
            files: files.to_vec(),
        }
    }
}

/// What was given to be stored.
struct Given {
    /// The path and bytes of the main file.
    main: PathBuf,
    bytes: Vec<u8>,
    files: Bundle,
    left_out: Vec<PathBuf>,
}

/// The folder may be reached through links, but no file may be one: others would get what it leads
/// to.
fn read(from: &Path) -> Result<Given, DraftError> {
    let real =
        |path: &Path| path.canonicalize().map_err(|error| DraftError::Unread(reason(&error)));
    if from.is_dir() {
        let folder = real(from)?;
        let main = folder.join(FILE_NAME);
        let bytes = regular(&main).map_err(|error| match error {
            DraftError::Unread(why) if main.symlink_metadata().is_ok() => {
                DraftError::Unread(format!("SKILL.md: {why}"))
            }
            DraftError::Unread(_) => DraftError::Unread("it has no SKILL.md".to_owned()),
            error => error,
        })?;
        let (files, left_out) = Bundle::of_folder(&folder, Path::new(FILE_NAME))?;
        return Ok(Given { main, bytes, files, left_out });
    }
    let name = from.file_name().unwrap_or_default();
    let above = from.parent().filter(|above| !above.as_os_str().is_empty());
    let from = real(above.unwrap_or(Path::new(".")))?.join(name);
    let bytes = regular(&from)?;
    // An archive without files begins with its end.
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        let Unpacked { main: bytes, files, left_out } = read_zip(&bytes)?;
        return Ok(Given { main: from, bytes, files, left_out });
    }
    Ok(Given { main: from, bytes, files: Bundle::default(), left_out: Vec::new() })
}

/// The bytes of a regular file, whose folder is canonical. A link is not followed, and a pipe not
/// opened, which would wait for who writes into it.
pub(super) fn regular(file: &Path) -> Result<Vec<u8>, DraftError> {
    let name = Path::new(file.file_name().unwrap_or_default());
    let meta = file.symlink_metadata().map_err(|error| DraftError::Unread(reason(&error)))?;
    if meta.is_symlink() {
        return Err(BundleError::Link(SafeText::path(name)).into());
    }
    let unread = |refusal: Refusal| DraftError::Unread(refusal.to_string());
    // If it becomes a link meanwhile, this refuses it.
    let read = || SkillDir::open(file)?.read(name, MAX_ZIP_BYTES);
    match meta.is_file().then(read).transpose().map_err(unread)? {
        Some(content) if !content.cut => Ok(content.bytes),
        _ => Err(DraftError::Unread("it is no file, or too large".to_owned())),
    }
}

fn examine(content: &str, name: &str) -> Examined {
    validate::examine(content.as_bytes(), name, FILE_NAME)
}

/// The text in the one form in which texts are stored: line feeds, no byte order mark, a last line
/// that ends, and a frontmatter with name and description.
pub(super) fn canonical(
    text: &str,
    name: &str,
    description: Option<&str>,
) -> Result<String, DraftError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut text = text.replace("\r\n", "\n");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let has_frontmatter = text.starts_with("---\n");
    if !has_frontmatter {
        let description = description.ok_or(DraftError::NoDescription)?;
        let space = if text.is_empty() { "" } else { "\n" };
        let [name, description] = [name, description].map(quoted);
        return Ok(format!("---\nname: {name}\ndescription: {description}\n---\n{space}{text}"));
    }
    let examined = examine(&text, name);
    let mut added = String::new();
    if examined.name_from_directory {
        if examined.fields.iter().any(|field| field == "name") {
            return Err(DraftError::NoName);
        }
        added.push_str(&format!("name: {}\n", quoted(name)));
    }
    if !examined.fields.iter().any(|field| field == "description") {
        let description = description.ok_or(DraftError::NoDescription)?;
        added.push_str(&format!("description: {}\n", quoted(description)));
    }
    text.insert_str("---\n".len(), &added);
    Ok(text)
}

/// A text as YAML has it: plain where it can be, otherwise as in JSON.
fn quoted(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_ .,".contains(c))
        && text.trim() == text;
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aab_6_a_text_is_stored_in_one_form() {
        let whole = "---\nname: pdf\ndescription: d\n---\nbody\n";
        for (text, wanted) in [
            (whole, whole),
            ("\u{feff}---\r\nname: pdf\r\ndescription: d\r\n---\r\nbody", whole),
            ("body", "---\nname: pdf\ndescription: Given.\n---\n\nbody\n"),
            (
                "---\nlicense: MIT\n---\n",
                "---\nname: pdf\ndescription: Given.\nlicense: MIT\n---\n",
            ),
            ("---\ndescription: d\n---\n", "---\nname: pdf\ndescription: d\n---\n"),
            ("", "---\nname: pdf\ndescription: Given.\n---\n"),
        ] {
            assert_eq!(canonical(text, "pdf", Some("Given.")).as_deref(), Ok(wanted), "{text:?}");
            let again = canonical(wanted, "pdf", None);
            assert_eq!(again.as_deref(), Ok(wanted), "what is in that form stays");
        }
        assert_eq!(canonical("body", "pdf", None), Err(DraftError::NoDescription));
        for empty in ["#3", "", "\"\"", "[x]"] {
            let text = format!("---\nname: {empty}\ndescription: d\n---\n");
            assert_eq!(canonical(&text, "#3", None), Err(DraftError::NoName), "{empty}");
        }
        assert!(canonical("---\nname: \"#3\"\ndescription: d\n---\n", "#3", None).is_ok());
        for odd in ["true", "1.5", "a: b", "'x'", "- x", "ü", "null", "# x", " x"] {
            let text = canonical("b", odd, Some(odd)).unwrap();
            let examined = examine(&text, "other");
            assert_eq!(examined.description.trim(), odd.trim(), "{text}");
            assert_eq!(examined.name, odd.trim(), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_out_of_the_named_folder() {
        use std::os::unix::fs::symlink;
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        let link = |name: &str| DraftError::Bundle(BundleError::Link(SafeText::line(name)));
        std::fs::create_dir(at("pdf")).unwrap();
        std::fs::write(at("secret"), "secret").unwrap();
        std::fs::write(at("pdf/notes.md"), "notes").unwrap();
        symlink(at("pdf"), at("alias")).unwrap();
        assert_eq!(
            read(&at("pdf")).err(),
            Some(DraftError::Unread("it has no SKILL.md".to_owned()))
        );
        for target in ["/etc/passwd", "../secret", "notes.md", "nowhere"] {
            symlink(target, at("pdf/SKILL.md")).unwrap();
            for from in ["pdf", "alias", "pdf/SKILL.md", "alias/SKILL.md"] {
                assert_eq!(read(&at(from)).err(), Some(link("SKILL.md")), "{from} {target}");
            }
            std::fs::remove_file(at("pdf/SKILL.md")).unwrap();
        }
        std::fs::write(at("pdf/SKILL.md"), "text").unwrap();
        for (from, files) in [("pdf", 1), ("alias", 1), ("alias/SKILL.md", 0)] {
            let Given { main, bytes, files: bundle, .. } = read(&at(from)).unwrap();
            assert_eq!(main, at("pdf").canonicalize().unwrap().join("SKILL.md"));
            assert_eq!((bytes.as_slice(), bundle.files().len()), (&b"text"[..], files), "{from}");
        }
    }
}
