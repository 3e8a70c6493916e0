//! Reads a file of a skill, with the answer of each dialect.

use super::inputs::{EncodingWord, NamedReadInput, ReadInput};
use super::{Answer, Call, ToolError};
use crate::catalog::CallKind;
use crate::output::Versioned;
use crate::output::resource::ReadDocument;
use crate::policy::{Entry, Origin};
use crate::runtime::dialect::Dialect;
use crate::runtime::session::Session;
use crate::runtime::{
    By, CallContext, ConsentGate, Contents, Encoding, Fetched, ResourceBody, WantedFile, below,
};
use crate::serve::catalog_cache::Snapshot;
use crate::serve::confusable::unmistakable;
use crate::serve::consent::{Given, Question};
use crate::serve::log::CutText;
use crate::serve::uri;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{ContentBlock, ResourceContents};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// The answer of `skills.readFile`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Spec0027Answer {
    /// Always true.
    ok: bool,
    /// The skill's name.
    name: String,
    /// The file, as it was asked for.
    path: String,
    /// Its text.
    content: String,
}

/// The answer of `skills.readResource`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RemcochatAnswer {
    /// The skill's name.
    name: String,
    /// The file, as it was asked for.
    path: String,
    /// Its text.
    content: String,
    /// Whether only the first part is included.
    truncated: bool,
}

pub(super) fn read(call: &Call<'_>) -> Result<Answer, ToolError> {
    let (skill, path, encoding) = match call.dialect {
        Dialect::Spec0027 | Dialect::Remcochat => {
            let NamedReadInput { name, path } = call.input()?;
            // This dialect's names are trimmed and in lower case.
            let name =
                if call.dialect == Dialect::Spec0027 { name.trim().to_lowercase() } else { name };
            (Some(name), path, Encoding::TextOnly)
        }
        _ => {
            let ReadInput { skill, path, encoding } = call.input()?;
            let encoding = match encoding {
                EncodingWord::Text => Encoding::Text,
                EncodingWord::Binary => Encoding::Binary,
            };
            (skill, path, encoding)
        }
    };
    let caller = &call.caller;
    let session = call.session()?;
    let named = addressed(call.snapshot, caller, skill.as_deref(), &path);
    let (skill, file) = named.unwrap_or_else(|| (skill, path.clone()));
    let wanted = WantedFile { skill: skill.as_deref(), path: &file };
    match &skill {
        Some(skill) => unmistakable(call.snapshot, skill)?,
        None if !call.lasts => {
            let text = "nothing stays loaded without a session; name the skill";
            return Err(ToolError::refused("nothing_active", text));
        }
        None => {}
    }
    // RUN-10: files of active skills only. Where nothing stays loaded, a skill that may be loaded is
    // read as in the other dialects.
    if call.dialect == Dialect::Run && call.lasts {
        if session.active().is_empty() {
            return Err(ToolError::refused("nothing_active", "no skill is active; load one first"));
        }
        let active = caller.require_active(&session, wanted.skill);
        active.map_err(|error| caller.file_refusal(&error, wanted))?;
    }
    let fetched = fetch(caller, wanted, encoding, Some(&session), call.given)?;
    let has_files = fetched.skill.stored.as_ref().is_none_or(|stored| stored.bundled);
    if call.dialect == Dialect::Spec0027 && !has_files {
        // AAB-9.
        return Err(ToolError::refused("no_files", "this skill of the project has no files"));
    }
    let name = fetched.skill.name.clone();
    let content = text(&fetched);
    let truncated = fetched.resource.cut;
    let about = name.clone();
    let answer = match call.dialect {
        Dialect::Spec0027 => Answer::of(&Spec0027Answer { ok: true, name, path, content }),
        Dialect::Remcochat => Answer::of(&RemcochatAnswer { name, path, content, truncated }),
        _ => {
            let answer = Answer::new(content, &Versioned::of(ReadDocument::of(&fetched, &path)));
            Answer {
                bytes: bytes(call.snapshot, &fetched, Path::new(&file)).map(Box::new),
                ..answer
            }
        }
    };
    let cut = truncated.then(|| CutText {
        path: call.snapshot.workspace.reader.path(&fetched.skill.place_of(&file)),
        given: fetched.resource.given(),
        total: fetched.resource.total,
    });
    Ok(Answer { cuts: cut.into_iter().collect(), ..answer.about(&about) })
}

/// The skill and the file that an address or an absolute path means where no other skill is named.
pub(super) fn addressed(
    snapshot: &Snapshot,
    caller: &CallContext<'_>,
    named: Option<&str>,
    path: &str,
) -> Option<(Option<String>, String)> {
    let skill = |index: usize| snapshot.view.rows[index].skill();
    let (index, file) = if path.starts_with("skill://") {
        let (index, relative) = uri::find(snapshot, path)?;
        (index, uri::own(snapshot, index, &relative).to_string_lossy().into_owned())
    } else if named.is_none() {
        let around =
            snapshot.shown().into_iter().filter(|index| below(skill(*index), path).is_some());
        (around.max_by_key(|index| skill(*index).dir().as_os_str().len())?, path.to_owned())
    } else {
        return None;
    };
    let other = named.is_some_and(|named| caller.resolve(named) != Ok(index));
    (!other).then(|| (Some(skill(index).path.to_string_lossy().into_owned()), file))
}

/// Reads the file, unless a person must be asked first.
pub(in crate::serve) fn fetch(
    caller: &CallContext<'_>,
    wanted: WantedFile<'_>,
    encoding: Encoding,
    session: Option<&Session>,
    given: &Given,
) -> Result<Fetched, ToolError> {
    let mut question = None;
    let mut consent = |entry: &Entry, origin: &Origin, contents: Contents| {
        given.reply(entry, contents, &mut question, || {
            let meant = caller
                .named(session, wanted.skill)
                .map_or(entry, |index| &caller.view.rows[index].entry);
            Question::load(caller, entry, origin, contents).about(
                CallKind::Read,
                &meant.skill,
                Some(wanted.path),
            )
        })
    };
    let mut gate = ConsentGate::new(session, By::Model, &mut consent);
    let fetched = caller.read(wanted, encoding, &mut gate);
    fetched.map_err(|error| match question {
        Some(question) if error.code() == "needs_consent" => ToolError::Ask(Box::new(question)),
        _ => caller.file_refusal(&error, wanted).into(),
    })
}

/// The text with a notice if it was cut; for bytes a description.
fn text(fetched: &Fetched) -> String {
    let notice = fetched.notice().map(|notice| format!("\n{notice}")).unwrap_or_default();
    match &fetched.resource.body {
        ResourceBody::Text(text) => format!("{text}{notice}"),
        ResourceBody::Binary(bytes) => {
            format!(
                "[{}, {} bytes, which follow]{notice}",
                fetched.resource.media_type,
                bytes.len()
            )
        }
    }
}

/// Bytes in the form that clients give to models: an image as one, another file as a resource.
fn bytes(snapshot: &Snapshot, fetched: &Fetched, file: &Path) -> Option<ContentBlock> {
    let ResourceBody::Binary(bytes) = &fetched.resource.body else { return None };
    let (data, media_type) = (STANDARD.encode(bytes), fetched.resource.media_type);
    if media_type.starts_with("image/") {
        return Some(ContentBlock::image(data, media_type));
    }
    let index = snapshot.view.rows.index_of(&fetched.skill.path)?;
    let relative = file.strip_prefix(fetched.skill.dir()).unwrap_or(file);
    let address = uri::file(&uri::base(snapshot, index), relative);
    let resource = ResourceContents::blob(data, address).with_mime_type(media_type);
    Some(ContentBlock::resource(resource))
}
