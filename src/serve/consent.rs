//! A person's yes, asked for through the client (COD-8.1, D15): by elicitation where the client has it, else not at all,
//! and then the refusal says how to allow.

use super::trouble::decided;
use crate::policy::{Entry, Origin};
use crate::runtime::Launch;
use crate::runtime::script::{Consent, Digest};
use crate::text::SafeText;
use rmcp::RoleServer;
use rmcp::model::{
    ClientResult, ElicitRequest, ElicitationAction, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    ProtocolVersion, ServerRequest,
};
use rmcp::service::RequestContext;
use serde_json::json;
use std::collections::BTreeSet;

/// What a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// Stands for exactly this: the skill, or the whole of a run.
    key: String,
    /// What the person reads; other people's words in it are cleaned.
    message: String,
    /// What the model is told where nobody can be asked.
    pub(super) unanswered: String,
    /// What the model is told after a no. Agents without a terminal say it by themselves (Codex, Claude Code and Copilot
    /// CLI do), so that this too says how to allow.
    pub(super) declined: String,
}

impl Question {
    /// Whether a skill may be loaded.
    pub(super) fn load(entry: &Entry, origin: &Origin) -> Self {
        let (name, path) = (SafeText::line(&entry.skill.name), SafeText::path(&entry.skill.path));
        Self {
            key: load_key(entry),
            message: format!("May the skill '{name}' be loaded? A rule asks ({}).\n{path}", decided(origin)),
            unanswered: Self::unanswered(&name, origin),
            declined: declined(&format!("loading '{name}'"), &format!("it for good: skillpick permit allow {name}")),
        }
    }

    /// What the model is told of a skill whose loading needs a yes that nobody gave.
    pub(super) fn unanswered(name: &SafeText, origin: &Origin) -> String {
        format!(
            "loading '{name}' needs the user's consent ({}), and this client cannot ask for it. Tell the user; to \
             allow it for good: skillpick permit allow {name}",
            decided(origin)
        )
    }

    /// Whether a script may be run (X2).
    pub(super) fn run(launch: &Launch) -> Self {
        let prepared = &launch.prepared;
        let name = SafeText::line(&launch.skill.name);
        let words: Vec<String> = prepared
            .argv()
            .iter()
            .map(|word| format!("{:?}", SafeText::line(&word.to_string_lossy()).as_str()))
            .collect();
        let writes = match &prepared.writes {
            Some(paths) => paths.iter().map(|path| SafeText::path(path).to_string()).collect::<Vec<_>>().join(", "),
            None => "wherever you may".to_owned(),
        };
        let variables = SafeText::line(&prepared.environment.join(" "));
        Self {
            key: format!("run:{}", fingerprint(launch)),
            message: format!(
                "May this script of the skill '{name}' be run?\nscript: {}\ncommand: {}\nskill digest: sha256:{}\n\
                 variables: {variables}\nnetwork: {}\nwrites to: {writes}\nstarts in: {}\nat most: {} s",
                SafeText::path(&prepared.script),
                words.join(" "),
                prepared.digest,
                if prepared.network { "yes" } else { "no" },
                SafeText::path(&prepared.directory),
                prepared.timeout.as_secs(),
            ),
            unanswered: format!(
                "running this script of '{name}' needs the user's consent, and this client cannot ask for it. Tell the \
                 user; to allow the scripts of this skill for good: skillpick permit allow {name} --script"
            ),
            declined: declined(
                &format!("running this script of '{name}'"),
                &format!("the scripts of this skill for good: skillpick permit allow {name} --script"),
            ),
        }
    }

    fn request(&self) -> Option<ElicitRequest> {
        let schema = json!({ "type": "object", "properties": {} });
        let params = json!({ "mode": "form", "message": self.message, "requestedSchema": schema });
        serde_json::from_value(json!({ "method": "elicitation/create", "params": params })).ok()
    }
}

fn declined(what: &str, how: &str) -> String {
    format!("{what} was declined: by the user, or by a client that had nobody to ask. Tell the user; to allow {how}")
}

/// All of a run, in 64 hex digits: every part counts.
fn fingerprint(launch: &Launch) -> Digest {
    Digest::of(&serde_json::to_vec(&Consent::to(&launch.prepared)).unwrap_or_default())
}

fn load_key(entry: &Entry) -> String {
    format!("load:{}", entry.skill.id().as_str())
}

/// What a person has said during one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    yes: BTreeSet<String>,
    no: BTreeSet<String>,
}

/// What came of a question.
pub(super) enum Said {
    /// Yes.
    Yes,
    /// No, or nothing.
    No,
    /// Nobody can be asked.
    Nobody,
    /// The client asks, and calls again with the answer.
    Later(InputRequiredResult),
}

impl Given {
    /// The answers that a client brings along when it calls again (protocol 2026-07-28).
    pub(super) fn of(responses: Option<&InputResponses>) -> Self {
        let mut given = Self::default();
        for (key, response) in responses.into_iter().flatten() {
            let yes = response.get("action").and_then(|action| action.as_str()) == Some("accept");
            if yes {
                given.yes.insert(key.clone())
            } else {
                given.no.insert(key.clone())
            };
        }
        given
    }

    /// Whether this skill may be loaded.
    pub(super) fn load(&self, entry: &Entry) -> bool {
        self.yes.contains(&load_key(entry))
    }

    /// Asks, and remembers a yes.
    pub(super) async fn ask(&mut self, question: &Question, context: &RequestContext<RoleServer>) -> Said {
        if self.yes.contains(&question.key) {
            return Said::Yes;
        }
        if self.no.contains(&question.key) {
            return Said::No;
        }
        let can = context.client_capabilities().is_some_and(|client| client.elicitation.is_some());
        let Some(request) = question.request().filter(|_| can) else { return Said::Nobody };
        if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            let requests = InputRequests::from([(question.key.clone(), InputRequest::Elicitation(request))]);
            return Said::Later(InputRequiredResult::from_input_requests(requests));
        }
        let asked = context.peer.send_request(ServerRequest::ElicitRequest(request));
        let answer = tokio::select! {
            answer = asked => answer,
            () = context.ct.cancelled() => return Said::No,
        };
        match answer {
            Ok(ClientResult::ElicitResult(result)) if result.action == ElicitationAction::Accept => {
                self.yes.insert(question.key.clone());
                Said::Yes
            }
            _ => Said::No,
        }
    }
}
