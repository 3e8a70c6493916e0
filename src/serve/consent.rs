//! Asks a person for consent through the client, by elicitation. If the client has none, the
//! refusal says how to allow.

use crate::catalog::{CallKind, Permission, Skill};
use crate::policy::{Entry, Origin};
use crate::runtime::session::Session;
use crate::runtime::{
    CallContext, Contents, Digest, Launch, LoadError, Reply, allowing, text_digest,
};
use crate::text::SafeText;
use rmcp::RoleServer;
use rmcp::model::{
    ClientResult, ElicitRequest, ElicitationAction, InputRequest, InputRequests,
    InputRequiredResult, InputResponses, ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a person is asked in one call about a skill that changes meanwhile.
const ROUNDS: usize = 3;

/// The code and the text of the refusal then.
pub(super) const STILL_CHANGING: (&str, &str) = (
    "restless",
    "the user has agreed three times, and each time the skill had changed by then, so something is writing its files. Tell the user, and call again when it has stopped",
);

/// What a person refused, for the log of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RefusedUse {
    pub(super) kind: CallKind,
    pub(super) skill: Arc<Skill>,
    pub(super) file: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// Identifies the skill, or a run with all of its parts.
    key: String,
    /// The beginning of the keys of all questions about the same skill, or the same run.
    about: String,
    /// For the person; other people's text in it is cleaned.
    message: String,
    /// For the model, if nobody can be asked.
    pub(super) unanswered: String,
    /// For the model, after a no. It says how to allow too, since agents without a terminal decline
    /// by themselves (Codex, Claude Code and Copilot CLI do).
    pub(super) declined: String,
    /// What the person is told that *always* does.
    always: String,
    /// For the log of a no; `None` if it is no use of a skill.
    pub(super) refused: Option<RefusedUse>,
}

impl Question {
    /// Whether a skill may be loaded, or a file of it read, with these contents.
    pub(super) fn load(
        caller: &CallContext<'_>,
        entry: &Entry,
        origin: &Origin,
        contents: Contents,
    ) -> Self {
        let name = SafeText::line(&entry.skill.name);
        let path = SafeText::path(&caller.workspace.reader.path(&entry.skill.path));
        let how = allowing::loading(caller, &entry.skill);
        let refusal = caller.entry_refusal(&LoadError::NeedsConsent(origin.clone()), entry);
        Self {
            key: load_key(entry, contents),
            about: load_prefix(entry),
            message: format!(
                "May the skill '{name}' be loaded? A rule asks ({}).\n{path}\nsha256:{}",
                refusal.decider(),
                contents.handed
            ),
            unanswered: refusal.for_model(),
            declined: declined(&format!("loading '{name}'"), &format!("it permanently: {how}")),
            always: match contents.files {
                Some(files) => format!(
                    "Write a rule into your settings that allows loading this skill as long as none of its files changes (sha256:{files}), so that you are not asked again before"
                ),
                None => "Not possible here: the files of this skill cannot all be read, so no rule can be bound to them".to_owned(),
            },
            refused: None,
        }
    }

    /// Sets what is logged after a no.
    pub(super) fn about(self, kind: CallKind, skill: &Arc<Skill>, file: Option<&str>) -> Self {
        Self {
            refused: Some(RefusedUse {
                kind,
                skill: Arc::clone(skill),
                file: file.map(str::to_owned),
            }),
            ..self
        }
    }

    pub(super) fn run(caller: &CallContext<'_>, launch: &Launch) -> Self {
        let name = SafeText::line(&launch.skill.name);
        let lines: Vec<String> = launch.described().iter().map(SafeText::to_string).collect();
        let what = format!("running this script of '{name}'");
        let how = allowing::running(caller, launch);
        Self {
            key: run_key(launch),
            about: RUN.to_owned(),
            message: format!("May this script be run?\n{}", lines.join("\n")),
            unanswered: caller.consent_refusal(launch).for_model(),
            declined: declined(&what, &how),
            always: "Remember this yes for exactly this run: the same files, command, variables and directory".to_owned(),
            refused: None,
        }
        .about(CallKind::Run, &launch.skill, Some(launch.script()))
    }

    /// The form has one box, which is not ticked by default; without `always` it has none.
    fn request(&self, always: bool) -> Option<ElicitRequest> {
        let about = json!({ "type": "boolean", "title": "Always", "description": self.always, "default": false });
        let fields = if always { json!({ "always": about }) } else { json!({}) };
        let schema = json!({ "type": "object", "properties": fields });
        let params = json!({ "mode": "form", "message": self.message, "requestedSchema": schema });
        serde_json::from_value(json!({ "method": "elicitation/create", "params": params })).ok()
    }
}

fn declined(what: &str, how: &str) -> String {
    format!(
        "{what} was declined: by the user, or by a client that had nobody to ask. Tell the user; to allow {how}"
    )
}

/// What is handed over counts, and every file of the skill: other bytes need another yes.
fn load_key(entry: &Entry, Contents { handed, files }: Contents) -> String {
    let files = files.map(|files| files.to_string()).unwrap_or_default();
    format!("{}{handed}:{files}", load_prefix(entry))
}

/// The beginning of the keys of one skill.
fn load_prefix(entry: &Entry) -> String {
    format!("load:{}:", entry.skill.id().as_str())
}

/// The beginning of the key of a run. A call is about one.
const RUN: &str = "run:";

/// Every part of the run counts.
fn run_key(launch: &Launch) -> String {
    format!("{RUN}{}", launch.fingerprint())
}

/// A person's answers during one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    yes: BTreeSet<String>,
    no: BTreeSet<String>,
    /// Consents that always hold.
    always: BTreeSet<String>,
    /// Consents that this call has needed.
    needed: RefCell<BTreeSet<String>>,
    /// Whether the person may be another one than the one whose settings these are. Then a yes is
    /// for the conversation, and nothing is remembered.
    remote: bool,
}

/// The result of a question.
pub(super) enum ConsentAnswer {
    Yes,
    No,
    /// Nobody can be asked.
    Nobody,
    /// Yes was said often enough, and each time there was something else by then.
    StillChanging,
    /// The client asks, and calls again with the answer.
    Later(InputRequiredResult),
    /// The call was cancelled, so nobody waits for an answer.
    Cancelled,
}

impl Given {
    /// The answers that a client sends when it repeats the call, as only clients of protocol
    /// 2026-07-28 do.
    pub(super) fn of(
        responses: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
        remote: bool,
    ) -> Self {
        let mut given = Self { remote, ..Self::default() };
        let responses = responses.filter(|_| asks(context) && calls_again(context));
        for (key, response) in responses.into_iter().flatten() {
            if response.get("action").and_then(Value::as_str) == Some("accept") {
                given.accept(key, response.get("content"));
            } else {
                given.no.insert(key.clone());
            }
        }
        given
    }

    /// Only the value `true` means *always*.
    fn accept(&mut self, key: &str, content: Option<&Value>) {
        self.yes.insert(key.to_owned());
        let always = content.and_then(|content| content.get("always"));
        if !self.remote && always == Some(&Value::Bool(true)) {
            self.always.insert(key.to_owned());
        }
    }

    /// Whether the person consented to handing over these contents.
    pub(super) fn load(&self, entry: &Entry, contents: Contents) -> bool {
        let key = load_key(entry, contents);
        let yes = self.yes.contains(&key);
        if yes {
            self.needed.borrow_mut().insert(key);
        }
        yes
    }

    /// A person's answer if a rule asks. Without one, `question` is set.
    pub(super) fn reply(
        &self,
        entry: &Entry,
        contents: Contents,
        question: &mut Option<Question>,
        make: impl FnOnce() -> Question,
    ) -> Reply {
        if self.load(entry, contents) {
            return Reply::Yes;
        }
        question.get_or_insert_with(make);
        Reply::Later
    }

    /// Whether the model may get a skill's content: if a rule asks, a person has consented now, or
    /// when it was loaded.
    pub(super) fn hands_over(
        &self,
        caller: &CallContext<'_>,
        entry: &Entry,
        session: Option<&Session>,
    ) -> bool {
        let skill = &entry.skill;
        let asks = || {
            caller.handed(entry, || caller.files(skill, None)).value == Permission::Ask
                && !caller.consents(session, skill)
        };
        // A list of many skills does not read the files of all that are asked about.
        let prefix = load_prefix(entry);
        let has_answer = self.yes.iter().any(|key| key.starts_with(&prefix));
        !asks() || has_answer && self.load(entry, whole_text(caller, skill))
    }

    /// Like [`Given::hands_over`], with the question if a person must be asked.
    ///
    /// # Errors
    /// The question.
    pub(super) fn hand_over(
        &self,
        caller: &CallContext<'_>,
        entry: &Entry,
        session: Option<&Session>,
    ) -> Result<(), Box<Question>> {
        if self.hands_over(caller, entry, session) {
            return Ok(());
        }
        let contents = whole_text(caller, &entry.skill);
        let origin = caller.handed(entry, || contents.files).origin;
        Err(Box::new(Question::load(caller, entry, &origin, contents)))
    }

    /// Whether the person always allows anything.
    pub(super) fn has_always(&self) -> bool {
        !self.always.is_empty()
    }

    /// If the call needed this load and the person always allows it: the digest of the files that
    /// the person agreed to, which is empty if they cannot be read.
    pub(super) fn load_always(&self, entry: &Entry) -> Option<String> {
        let prefix = load_prefix(entry);
        let needed = self.needed.borrow();
        let key = self.always.intersection(&needed).find(|key| key.starts_with(&prefix))?;
        key.rsplit(':').next().map(str::to_owned)
    }

    /// Whether the person consented to this run.
    pub(super) fn run(&self, launch: &Launch) -> bool {
        self.yes.contains(&run_key(launch))
    }

    /// Whether the person always allows this run.
    pub(super) fn run_always(&self, launch: &Launch) -> bool {
        self.always.contains(&run_key(launch))
    }

    /// Asks the person, and remembers a yes.
    pub(super) async fn ask(
        &mut self,
        question: &Question,
        context: &RequestContext<RoleServer>,
    ) -> ConsentAnswer {
        if self.yes.contains(&question.key) {
            return ConsentAnswer::Yes;
        }
        if self.no.contains(&question.key) {
            return ConsentAnswer::No;
        }
        let agreed = self.yes.iter().filter(|key| key.starts_with(&question.about)).count();
        if agreed >= ROUNDS {
            return ConsentAnswer::StillChanging;
        }
        let request = question.request(!self.remote);
        let Some(request) = request.filter(|_| asks(context)) else {
            return ConsentAnswer::Nobody;
        };
        if calls_again(context) {
            let requests =
                InputRequests::from([(question.key.clone(), InputRequest::Elicitation(request))]);
            return ConsentAnswer::Later(InputRequiredResult::from_input_requests(requests));
        }
        let request = ServerRequest::ElicitRequest(request);
        let asked =
            context.peer.send_cancellable_request(request, PeerRequestOptions::no_options());
        let Ok(mut asked) = asked.await else { return ConsentAnswer::No };
        let answer = tokio::select! {
            answer = &mut asked.rx => answer,
            () = context.ct.cancelled() => {
                // Without a message the client would keep showing a question that is no longer
                // needed.
                let _ = asked.cancel(Some("the call was cancelled".to_owned())).await;
                return ConsentAnswer::Cancelled;
            }
        };
        match answer {
            Ok(Ok(ClientResult::ElicitResult(result)))
                if result.action == ElicitationAction::Accept =>
            {
                self.accept(&question.key, result.content.as_ref());
                ConsentAnswer::Yes
            }
            _ => ConsentAnswer::No,
        }
    }
}

/// The contents of a skill's `SKILL.md`. A text that cannot be read is not handed over, so what is
/// asked about it is of no consequence.
fn whole_text(caller: &CallContext<'_>, skill: &Skill) -> Contents {
    let handed = text_digest(skill).unwrap_or(Digest::of(&[]));
    Contents { handed, files: caller.files(skill, None) }
}

/// Whether the client can ask a person with a form. A client that names no way to ask means forms,
/// as clients did before there was another way.
fn asks(context: &RequestContext<RoleServer>) -> bool {
    let how = context.client_capabilities().and_then(|client| client.elicitation);
    how.is_some_and(|how| how.form.is_some() || how.url.is_none())
}

/// Whether the client takes a question as the result of a call, and repeats the call with the
/// answer.
fn calls_again(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

#[cfg(test)]
mod tests;
