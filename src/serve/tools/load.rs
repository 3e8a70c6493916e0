//! Loads and unloads skills, with the answers of each dialect.

use super::inputs::{KodeletInput, LoadInput, ModeWord, NameInput, RunLoadInput, UnloadInput};
use super::{Answer, Call, ToolError};
use crate::catalog::frontmatter::verbatim;
use crate::catalog::{CallKind, Skill, directory_of};
use crate::inert;
use crate::policy::{Cure, Entry, Origin, listed};
use crate::runtime::dialect::{Dialect, Job};
use crate::runtime::session::{Admitted, Handed, Mode, Rules, SavedSkill, SessionError, Unload};
use crate::runtime::{By, ConsentGate, Contents, LoadError, Loaded};
use crate::serve::confusable::unmistakable;
use crate::serve::consent::Question;
use crate::serve::log::CutText;
use crate::serve::skills::{is_inert, is_plain};
use crate::text::SafeText;
use crate::text::time::utc;
use crate::workspace::clock::now_ms;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::Path;

/// A loaded skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LoadAnswer {
    /// The first 24 hex digits of the SHA-256 of `path`.
    skill_id: String,
    /// Its name.
    name: String,
    /// Path of its SKILL.md.
    path: String,
    /// Its directory; of a single file, the file itself.
    dir: String,
    /// Modification time: Unix time in milliseconds.
    mtime_ms: u64,
    /// `sha256:` and the digest of the whole SKILL.md.
    digest: String,
    /// Size of the whole SKILL.md in bytes.
    bytes: usize,
    /// Whether only the first part is included.
    truncated: bool,
    /// `text`, or `reminder` if it is already loaded and unchanged.
    kind: &'static str,
    /// The skill's text in a `<skill_context>` block, or the reminder.
    text: String,
    /// The names of the skills that were given up for it, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<String>,
}

/// The answer of `skill`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct KodeletAnswer {
    /// `skill`.
    tool_name: &'static str,
    /// Whether it is loaded.
    success: bool,
    /// When: RFC 3339.
    timestamp: String,
    /// For people, if it is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// The instructions, if it is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Why it is not loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The skill, if it is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<KodeletMetadata>,
}

/// The answer of `skill` if nothing is loaded.
pub(in crate::serve) fn failed(error: String) -> Value {
    let (tool_name, timestamp) = ("skill", utc(now_ms()));
    let answer = KodeletAnswer {
        tool_name,
        success: false,
        timestamp,
        result: None,
        text: None,
        error: Some(error),
        metadata: None,
    };
    serde_json::to_value(answer).unwrap_or_default()
}

/// Which skill.
#[derive(Debug, Serialize, JsonSchema)]
struct KodeletMetadata {
    /// Its name.
    skill_name: String,
    /// Its directory; of a single file, the file itself.
    directory: String,
}

/// The answer of `skills.load`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spec0027Answer {
    /// Always true.
    ok: bool,
    /// Its name.
    name: String,
    /// Whose skill it is.
    source: &'static str,
    /// Its directory relative to the repository; null if it is outside, or a project's skill.
    skill_directory: Option<String>,
    /// The body, without the frontmatter.
    content: String,
}

/// The answer of `skills.activate`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RemcochatAnswer {
    /// Its name.
    name: String,
    /// The frontmatter.
    frontmatter: Map<String, Value>,
    /// The body.
    body: String,
    /// Whether only the first part is included.
    truncated: bool,
}

/// The loaded skills after a call.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Receipt {
    /// The loaded skills, newest last.
    active_skills: Vec<ActiveSkill>,
    /// The texts of the skills that this call loaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loaded: Vec<String>,
    /// The names of the skills that this call unloaded.
    unloaded: Vec<String>,
}

/// A loaded skill.
#[derive(Debug, Serialize, JsonSchema)]
struct ActiveSkill {
    /// Its name.
    name: String,
    /// Path of its SKILL.md.
    location: String,
    /// Its directory; of a single file, the file itself.
    root_dir: String,
    /// `sha256:` and the digest of the SKILL.md when it was loaded.
    digest: String,
    /// The frontmatter.
    properties: Map<String, Value>,
}

pub(super) fn load(call: &Call<'_>) -> Result<Answer, ToolError> {
    let (wanted, mode) = wanted(call)?;
    let admitted = admit(call, &wanted, mode)?;
    let answer = answer(call, &admitted)?;
    let cut = admitted.handed.iter().map(Handed::loaded).filter(|loaded| loaded.is_cut());
    let cuts = cut.map(|loaded| CutText {
        path: call.snapshot.workspace.reader.path(&loaded.skill.path),
        given: loaded.text.len(),
        total: loaded.total as u64,
    });
    let cap = call.snapshot.view.config.values.max_active.value;
    // What was replaced on purpose needs no reason.
    let dropped = if mode == Mode::Add { admitted.dropped.as_slice() } else { &[] };
    let notes = dropped_note(cap, dropped).into_iter().collect();
    Ok(Answer { notes, cuts: cuts.collect(), ..answer })
}

fn answer(call: &Call<'_>, admitted: &Admitted) -> Result<Answer, ToolError> {
    let Admitted { handed, dropped } = admitted;
    let [one] = handed.as_slice() else { return receipt(call, handed, dropped) };
    let (loaded, told) = (one.loaded(), matches!(one, Handed::Reminder(_)));
    let skill = &loaded.skill;
    let name = skill.name.clone();
    let body = || {
        format!(
            "{}{}",
            loaded.body(),
            loaded.notice().map(|it| format!("\n\n{it}")).unwrap_or_default()
        )
    };
    let about = name.clone();
    let answer = match call.dialect {
        Dialect::Run => return receipt(call, handed, dropped),
        Dialect::Codelia => {
            let answer = LoadAnswer {
                skill_id: skill.id().as_str().to_owned(),
                name,
                path: text(&skill.path),
                dir: text(skill.dir()),
                mtime_ms: loaded.mtime_ms,
                digest: loaded.digest_word(),
                bytes: loaded.total,
                truncated: loaded.is_cut(),
                kind: if told { "reminder" } else { "text" },
                text: one.text(call.dialect.tool(Job::Unload)),
                dropped: dropped.iter().map(|skill| skill.name.clone()).collect(),
            };
            Answer::new(answer.text.clone(), &answer)
        }
        Dialect::Kodelet => {
            let text_of = if told { one.text(None) } else { loaded.headed() };
            let result = Some(format!("Skill '{}' loaded", SafeText::line(&name)));
            let metadata = KodeletMetadata { skill_name: name, directory: text(skill.dir()) };
            let answer = KodeletAnswer {
                tool_name: "skill",
                success: true,
                timestamp: utc(now_ms()),
                result,
                text: Some(text_of.clone()),
                error: None,
                metadata: Some(metadata),
            };
            Answer::new(text_of, &answer)
        }
        Dialect::Spec0027 => {
            // A skill of a store lies in our cache: its files are read by the tool for that.
            let root = call.snapshot.workspace.context.repo_root.as_deref();
            let root = root.filter(|_| skill.stored.is_none());
            let skill_directory =
                root.and_then(|root| skill.dir().strip_prefix(root).ok()).map(text);
            Answer::of(&Spec0027Answer {
                ok: true,
                name,
                source: skill.scope.word(),
                skill_directory,
                content: body(),
            })
        }
        Dialect::Remcochat => {
            let frontmatter = frontmatter(skill, loaded.text.as_bytes());
            Answer::of(&RemcochatAnswer {
                name,
                frontmatter,
                body: body(),
                truncated: loaded.is_cut(),
            })
        }
    };
    Ok(answer.about(&about))
}

/// Which skills are wanted, and what happens to the others.
fn wanted(call: &Call<'_>) -> Result<(Vec<String>, Mode), ToolError> {
    let one = match call.dialect {
        Dialect::Codelia => {
            let LoadInput { name, path } = call.input()?;
            path.or(name).unwrap_or_default()
        }
        Dialect::Kodelet => {
            let skill_name = call.input::<KodeletInput>()?.skill_name.unwrap_or_default();
            if skill_name.trim().is_empty() {
                return Err(ToolError::refused("empty", "skill_name is required"));
            }
            skill_name
        }
        // This dialect's names are trimmed and in lower case. A path, where a name is not enough,
        // stays as it is.
        Dialect::Spec0027 => {
            let name = call.input::<NameInput>()?.name;
            if name.contains('/') { name } else { name.trim().to_lowercase() }
        }
        Dialect::Remcochat => call.input::<NameInput>()?.name,
        Dialect::Run => {
            let RunLoadInput { names, mode } = call.input()?;
            return Ok((
                names,
                if matches!(mode, ModeWord::Add) { Mode::Add } else { Mode::Replace },
            ));
        }
    };
    Ok((vec![one], Mode::Add))
}

/// Loads all or none, and adds them to the conversation.
fn admit(call: &Call<'_>, wanted: &[String], mode: Mode) -> Result<Admitted, ToolError> {
    wanted.iter().try_for_each(|argument| unmistakable(call.snapshot, argument))?;
    let mut question = None;
    let mut consent = |entry: &Entry, origin: &Origin, contents: Contents| {
        let ask = || {
            let question = Question::load(&call.caller, entry, origin, contents);
            question.about(CallKind::Load, &entry.skill, None)
        };
        call.given.reply(entry, contents, &mut question, ask)
    };
    let session = call.session()?;
    let loaded = call
        .caller
        .load_all(wanted, &mut ConsentGate::new(Some(&session), By::Model, &mut consent));
    let loaded = loaded.map_err(|error| {
        let asks = matches!(&error, SessionError::Load { error, .. } if matches!(**error, LoadError::NeedsConsent(_)));
        match question {
            Some(question) if asks => ToolError::Ask(Box::new(question)),
            _ => match call.caller.session_refusal(&error) {
                refusal if call.dialect == Dialect::Kodelet => refusal.by_name().into(),
                refusal => refusal.into(),
            },
        }
    })?;
    let values = &call.snapshot.view.config.values;
    let rules = Rules {
        cap: values.max_active.value,
        strict: call.strict,
        // Without a tool that unloads skills, the limit would soon refuse every load.
        drop_oldest: values.drops_oldest() || call.dialect.tool(Job::Unload).is_none(),
    };
    let admit = |loaded: Vec<Loaded>| {
        let admitted = call.conversation.admit(call.request, &call.caller, loaded, mode, rules)?;
        Ok((given_again(call.dialect, admitted.handed), admitted.dropped))
    };
    let (handed, dropped) =
        call.caller.hand_over(loaded, admit).map_err(|error| not_admitted(call, &error))?;
    Ok(Admitted { handed, dropped })
}

/// These dialects have no reminder and no way to get the text again, so they give it every time.
fn given_again(dialect: Dialect, handed: Vec<Handed>) -> Vec<Handed> {
    let again = matches!(dialect, Dialect::Spec0027 | Dialect::Remcochat);
    let text = |one| match one {
        Handed::Reminder(loaded) if again => Handed::Text(loaded),
        other => other,
    };
    handed.into_iter().map(text).collect()
}

/// Tells the model which skills were given up, so that at most `cap` are loaded.
pub(in crate::serve) fn dropped_note(cap: usize, dropped: &[SavedSkill]) -> Option<String> {
    let names: Vec<SafeText> = dropped.iter().map(|skill| listed(&skill.name)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "given up, since at most {cap} skills are loaded at once: {}; load again what is still needed",
            SafeText::join(&names, ", ")
        )
    })
}

/// Why nothing is admitted; of too many skills also how the model gives one up.
fn not_admitted(call: &Call<'_>, error: &SessionError) -> ToolError {
    let refusal = call.caller.session_refusal(error);
    let cured = match (error, call.dialect.tool(Job::Unload)) {
        (SessionError::TooMany { active, .. }, Some(tool)) if !active.is_empty() => {
            let how = inert!("Give up those that are not needed with {} {{\"names\": […]}}", tool);
            refusal.cure(Cure::tell(how))
        }
        _ => refusal,
    };
    cured.into()
}

pub(super) fn unload(call: &Call<'_>) -> Result<Answer, ToolError> {
    let UnloadInput { names, all } = call.input()?;
    if names.is_empty() && !all {
        return Err(ToolError::refused("empty", "names, or `all`, is needed"));
    }
    let which = if all { Unload::All } else { Unload::These(&names) };
    let gone = call
        .conversation
        .change_known(&call.caller, |session| Ok(call.caller.unload(session, which)));
    let gone =
        gone.map(Option::unwrap_or_default).map_err(|error| call.caller.session_refusal(&error))?;
    receipt(call, &[], &gone)
}

fn receipt(call: &Call<'_>, handed: &[Handed], gone: &[SavedSkill]) -> Result<Answer, ToolError> {
    let active = call.caller.usable(&call.session()?);
    let row = |active: &SavedSkill| ActiveSkill {
        name: active.name.clone(),
        location: text(&active.path),
        root_dir: text(directory_of(&active.path)),
        digest: format!("sha256:{}", active.digest),
        properties: call
            .caller
            .entry_of(active)
            .map(|entry| frontmatter(&entry.skill, &call.caller.as_loaded(active, &entry.skill)))
            .unwrap_or_default(),
    };
    let receipt = Receipt {
        active_skills: active.iter().map(row).collect(),
        loaded: handed.iter().map(|one| one.text(call.dialect.tool(Job::Unload))).collect(),
        unloaded: gone.iter().map(|skill| skill.name.clone()).collect(),
    };
    let names = SafeText::join(active.iter().map(|active| listed(&active.name)), ", ");
    let active = if active.is_empty() { "none" } else { names.as_str() };
    let mut words = receipt.loaded.join("\n\n");
    if !words.is_empty() {
        words.push_str("\n\n");
    }
    words.push_str(&format!("Loaded skills: {active}"));
    Ok(Answer::new(words, &receipt))
}

/// The frontmatter of this text of the file: the fields of the standard as we read them, and every
/// other one that hides nothing as it is written.
fn frontmatter(skill: &Skill, text: &[u8]) -> Map<String, Value> {
    let mut all = verbatim(text).unwrap_or_default();
    all.retain(|key, value| is_plain(key) && is_inert(value));
    all.extend(known_fields(skill));
    all
}

fn known_fields(skill: &Skill) -> Map<String, Value> {
    let fields = [("name", json!(skill.name)), ("description", json!(skill.description))];
    let known = &skill.properties;
    let metadata = known.metadata().map(|(key, value)| (key.to_owned(), Value::from(value)));
    let metadata: Map<String, Value> = metadata.collect();
    let tools: Vec<&str> = known.allowed_tools().collect();
    let optional = [
        ("license", known.license().map(Value::from)),
        ("compatibility", known.compatibility().map(Value::from)),
        ("metadata", (!metadata.is_empty()).then_some(Value::Object(metadata))),
        ("allowed-tools", (!tools.is_empty()).then(|| tools.join(" ").into())),
    ];
    let optional = optional.into_iter().filter_map(|(key, value)| Some((key, value?)));
    fields.into_iter().chain(optional).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
