//! Loads a skill: resolves, judges and reads it, checks it for hidden text, and returns its text.

use super::block::{self, Files};
use super::by_bytes::{Contents, Part};
use super::call_context::{CallContext, since};
use super::judge::{Asker, LoadError, judge};
use super::nested::NestedSkills;
use super::sizes::SizeLimits;
use crate::catalog::{Skill, frontmatter, hidden_in};
use crate::files::digest::Digest;
use crate::state::activity::CallKind;
use crate::state::approvals::{Approvals, Subject};
use crate::state::sessions::allowed_tools;
use crate::text::{Hidden, SafeText};
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, UNIX_EPOCH};

#[derive(Clone, Debug)]
pub struct Loaded {
    pub skill: Arc<Skill>,
    /// The `SKILL.md`, unchanged, up to the limit of the view; other people's text.
    pub text: String,
    /// The byte of `text` at which the body begins.
    body: usize,
    /// Size of the whole `SKILL.md` in bytes.
    pub total: usize,
    /// The digest of the whole `SKILL.md`.
    pub digest: Digest,
    /// The digest of all files of the skill, if a person is asked about them or a rule is bound to
    /// them, and they can be read.
    pub files_digest: Option<Digest>,
    /// Its modification time, milliseconds since 1970; 0 if unknown.
    pub mtime_ms: u64,
    /// How many characters of `text` are shown to a person as marks.
    pub marks: usize,
    /// The skill's other files.
    pub files: Files,
}

impl CallContext<'_> {
    /// Loads the skill that `argument` (a path, a name or a mention) means, and logs it.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(&self, argument: &str, asker: Asker) -> Result<Loaded, LoadError> {
        self.load_entry(self.wanted(argument)?, asker)
    }

    /// The entry that is to be loaded.
    pub(super) fn wanted(&self, argument: &str) -> Result<usize, LoadError> {
        Ok(self.resolve(argument)?)
    }

    /// Like [`CallContext::load`], for an entry of the view.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load_entry(&self, index: usize, asker: Asker) -> Result<Loaded, LoadError> {
        let start = Instant::now();
        let loaded = self.try_entry(index, asker);
        self.note_load(
            index,
            since(start),
            loaded.as_ref().map(Noted::of).map_err(LoadError::code),
        );
        loaded
    }

    /// Like [`CallContext::load_entry`], without a log entry.
    pub(super) fn try_entry(&self, index: usize, asker: Asker) -> Result<Loaded, LoadError> {
        let entry = self.entry(index);
        if !self.is_by_bytes(entry, asker.by) {
            return judge(entry, asker).and_then(|()| self.read_text(&entry.skill));
        }
        // The files are judged together with the text that was read of them.
        judge(entry, Asker { consented: true, ..asker })?;
        let loaded = self.read_text(&entry.skill)?;
        let files = self.files(&entry.skill, Some(loaded.part()));
        let loaded = loaded.with_files(files);
        self.judge_files(entry, asker, || loaded.files_digest)?;
        Ok(loaded)
    }

    /// Logs a load, or the stable word of its failure.
    pub(super) fn note_load(
        &self,
        index: usize,
        duration_ms: u64,
        loaded: Result<Noted, &'static str>,
    ) {
        let skill = &self.entry(index).skill;
        self.note(CallKind::Load, skill, |call| {
            call.duration_ms = duration_ms;
            match loaded {
                Ok(Noted { bytes, truncated, digest }) => {
                    (call.bytes, call.truncated, call.digest) =
                        (Some(bytes), truncated, Some(digest));
                    call.allowed_tools = allowed_tools(skill);
                }
                Err(word) => call.error = Some(word.to_owned()),
            }
        });
    }

    pub(super) fn read_text(&self, skill: &Arc<Skill>) -> Result<Loaded, LoadError> {
        let limits = SizeLimits::of_skill_md(self.view);
        let whole = block::whole(skill, limits.file)?;
        let digest = Digest::of(whole.as_bytes());
        self.refuse_hidden(&whole, digest, skill, skill.file())?;
        let text = block::given(&whole, limits).to_owned();
        let body = frontmatter::read(whole.as_bytes()).body.min(text.len());
        let modified = std::fs::metadata(&skill.path).and_then(|metadata| metadata.modified()).ok();
        let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
        let nested = NestedSkills::of(self, skill, |_| Asker::MODEL);
        Ok(Loaded {
            marks: SafeText::marks(&text),
            files: block::files(skill, &|path| nested.gives(path))?,
            total: whole.len(),
            mtime_ms: since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX)),
            skill: Arc::clone(skill),
            text,
            body,
            digest,
            files_digest: None,
        })
    }

    /// Refuses a text that hides something, unless a person has approved these exact bytes.
    pub(super) fn refuse_hidden(
        &self,
        text: &str,
        digest: Digest,
        skill: &Skill,
        file: &Path,
    ) -> Result<(), LoadError> {
        let hidden = hidden_of(text, skill, file);
        let place = skill.place_of(file);
        if !hidden.any() || self.approved(Subject::Text, &place, &digest.to_string()) {
            return Ok(());
        }
        Err(LoadError::Hidden { hidden, file: file.to_owned(), digest })
    }

    /// Whether a person has approved this text or run.
    pub(super) fn approved(&self, subject: Subject, path: &Path, digest: &str) -> bool {
        let directory = self.workspace.state_dir.as_deref();
        directory.is_some_and(|directory| Approvals::load(directory).has(subject, path, digest))
    }
}

/// What a file of a skill hides. Only the skill's own file has a frontmatter that agents decode.
pub(super) fn hidden_of(text: &str, skill: &Skill, file: &Path) -> Hidden {
    match file == skill.file() {
        true => hidden_in(text).map(|(hidden, _)| hidden).unwrap_or_default(),
        false => Hidden::of(text),
    }
}

pub(super) struct Noted {
    pub(super) bytes: u64,
    truncated: bool,
    digest: String,
}

impl Noted {
    pub(super) fn of(loaded: &Loaded) -> Self {
        Self {
            bytes: loaded.text.len() as u64,
            truncated: loaded.is_cut(),
            digest: loaded.digest.to_string(),
        }
    }
}

impl Loaded {
    #[must_use]
    pub fn with_files(self, files_digest: Option<Digest>) -> Self {
        Self { files_digest, ..self }
    }

    /// The part of the `SKILL.md` that is handed over.
    pub fn part(&self) -> Part<'_> {
        let (path, bytes) = (self.skill.file(), self.text.as_bytes());
        Part { path, bytes, total: self.total as u64 }
    }

    /// What a person says yes to.
    pub fn contents(&self) -> Contents {
        Contents { handed: self.digest, files: self.files_digest }
    }

    /// Without the frontmatter.
    pub fn body(&self) -> &str {
        &self.text[self.body..]
    }

    /// Whether `text` is only the first part.
    pub fn is_cut(&self) -> bool {
        self.text.len() < self.total
    }

    /// A notice to the model about what was cut.
    pub fn notice(&self) -> Option<String> {
        self.is_cut().then(|| {
            let (file, total) = (SafeText::path(self.skill.file()), self.total);
            format!("[{file} is cut: {} of {total} bytes are here]", self.text.len())
        })
    }

    /// `sha256:` and 64 hex digits.
    pub fn digest_word(&self) -> String {
        format!("sha256:{}", self.digest)
    }

    /// The `<skill_context>` block.
    pub fn block(&self) -> String {
        block::framed(&self.skill, &self.text, self.total, &self.files)
    }

    /// The body below a heading and the skill's directory, as KOD-7 prints them.
    pub fn headed(&self) -> String {
        let (name, dir) = (SafeText::line(&self.skill.name), SafeText::path(self.skill.dir()));
        let what = if self.skill.is_single_file() { "file" } else { "directory" };
        let notice = self.notice().map(|notice| format!("\n{notice}\n")).unwrap_or_default();
        let body = self.body();
        format!(
            "# Skill: {name}\n\nThe skill {what} is located at: {dir}\n\n## Instructions\n\n{body}{notice}"
        )
    }
}

#[cfg(test)]
mod tests;
