//! The prompt in the person's own editor: a private file in which each pill is a link.

use super::picker_loop::Loop;
use super::signals::Signals;
use crate::catalog::{Draft, MAX_PROMPT, Pill};
use crate::inert;
use crate::text::{SafeText, reason};
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use tempfile::NamedTempFile;

impl Loop {
    /// Lets the person edit a draft. If the editor fails, or what it left cannot be taken, a file
    /// that was changed stays, and the reason says where.
    pub(super) async fn edit_prompt(
        &mut self,
        draft: &Draft,
        signals: &mut Signals,
    ) -> Result<Draft, SafeText> {
        let before = draft.text(link);
        let file = written(&before)
            .map_err(|error| inert!("the prompt cannot be edited: {}", reason(&error)))?;
        let path = file.path().to_owned();
        // An editor that ends with us has not failed.
        let failed = self.edit(&path, 1, signals).await.filter(|_| self.outcome.is_none());
        let after = fs::read(&path);
        let why = match (failed, after) {
            (None, Ok(bytes)) => match taken(bytes, &before) {
                Ok(text) => {
                    let pills: Vec<Pill> = draft.pills().cloned().collect();
                    return Ok(Draft::read_back(&text, &pills, link));
                }
                Err(why) => why,
            },
            (None, Err(error)) => inert!("the edited prompt cannot be read: {}", reason(&error)),
            (Some(why), Ok(bytes)) if bytes == before.as_bytes() => return Err(why),
            (Some(why), _) => why,
        };
        Err(match stays(file) {
            Some(path) => inert!("{}; what was edited is in {}", why, SafeText::path(&path)),
            None => why,
        })
    }
}

/// A pill as the editor shows it. The path says which skill is meant.
fn link(pill: &Pill) -> String {
    format!("[${}]({})", SafeText::line(&pill.name), SafeText::path(&pill.path))
}

/// A file with this text that only the person can read.
fn written(text: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("skillpick-prompt-").suffix(".md").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(file)
}

/// The text that an editor left, without the line end that it put behind the last line.
fn taken(bytes: Vec<u8>, before: &str) -> Result<String, SafeText> {
    if bytes.len() > MAX_PROMPT {
        return Err(SafeText::fixed("the edited prompt is larger than 4.2 MB, and is not taken"));
    }
    let mut text = String::from_utf8(bytes)
        .map_err(|_| SafeText::fixed("the edited prompt is not UTF-8, and is not taken"))?;
    if text.ends_with('\n') && !before.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}

/// Keeps the file; its path, unless the editor has removed it.
fn stays(file: NamedTempFile) -> Option<PathBuf> {
    file.keep().ok().map(|(_, path)| path).filter(|path| path.exists())
}
