//! `/api/skills` of the server over HTTP: its bodies, and the OpenAPI document about them.

use crate::catalog::Diagnostic;
use crate::store::{Project, Put, StoredSkill};
use crate::text::SafeText;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The skills of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiSkills {
    /// The project.
    project_id: String,
    /// How often it was changed.
    revision: i64,
    /// By name.
    skills: Vec<ApiSkill>,
}

/// A skill of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ApiSkill {
    /// Its name.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// The SHA-256 of its text and files.
    version: String,
    /// How often it was changed.
    number: i64,
    /// Who changed it last.
    author: String,
    /// When: Unix time in milliseconds.
    updated_ms: i64,
    /// Size of its SKILL.md, bytes.
    bytes: i64,
    /// Whether it has files beside its SKILL.md.
    bundled: bool,
    /// What else is known of it.
    metadata: Map<String, Value>,
}

impl ApiSkill {
    fn of(skill: &StoredSkill) -> Self {
        Self {
            name: skill.name.clone(),
            description: skill.description.clone(),
            version: skill.version.clone(),
            number: skill.number,
            author: skill.author.clone(),
            updated_ms: skill.updated_ms,
            bytes: skill.bytes,
            bundled: skill.bundled,
            metadata: serde_json::from_str(&skill.metadata).unwrap_or_default(),
        }
    }
}

impl ApiSkills {
    pub fn of(project: &Project, skills: &[StoredSkill]) -> Self {
        Self {
            project_id: project.name.clone(),
            revision: project.revision,
            skills: skills.iter().map(ApiSkill::of).collect(),
        }
    }
}

/// A skill that is to be stored. The files that it has beside its SKILL.md stay.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiPut {
    /// The project.
    pub project_id: String,
    /// The skill's name. Names are compared without regard to case and outer blanks.
    pub name: String,
    /// What it does and when to use it; if the frontmatter says so too, the same.
    #[serde(default)]
    pub description: Option<String>,
    /// The SKILL.md, with or without frontmatter.
    pub content: String,
    /// What else is known of it; if it is left out, that stays as it is.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

/// What came of a change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiChange {
    /// The project.
    project_id: String,
    /// The skill's name.
    name: String,
    /// The SHA-256 of its text and files now; null if it is deleted.
    version: Option<String>,
    /// What it was before; null if it was not there.
    previous: Option<String>,
    /// How often it was changed.
    number: i64,
    /// The project's count of changes.
    revision: i64,
    /// False if everything was so already.
    changed: bool,
    /// What is odd about the text. It is stored, but some agents refuse it or cut it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<ApiFinding>,
}

impl ApiChange {
    pub fn of(project: &str, name: &str, put: &Put) -> Self {
        Self {
            project_id: project.to_owned(),
            name: name.to_owned(),
            version: put.version.clone(),
            previous: put.previous.clone(),
            number: put.number,
            revision: put.revision,
            changed: put.changed,
            warnings: Vec::new(),
        }
    }

    /// The same with what is odd about the text.
    #[must_use]
    pub fn with_warnings(self, warnings: &[Diagnostic]) -> Self {
        Self { warnings: warnings.iter().map(ApiFinding::of).collect(), ..self }
    }
}

impl ApiRefusal {
    pub fn new(code: &str, message: &str, findings: &[Diagnostic]) -> Self {
        let (code, message) = (code.to_owned(), message.to_owned());
        let findings = findings.iter().map(ApiFinding::of).collect();
        Self { error: ApiReason { code, message, findings } }
    }
}

/// Why a request is refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiRefusal {
    /// Why.
    error: ApiReason,
}

/// A reason.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ApiReason {
    /// A stable word.
    code: String,
    /// A sentence for people.
    message: String,
    /// What is wrong with the text, if it is that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<ApiFinding>,
}

/// Something that is wrong with a text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ApiFinding {
    /// The code of the check.
    code: String,
    /// From 1.
    line: u32,
    /// What is wrong.
    message: String,
}

impl ApiFinding {
    fn of(found: &Diagnostic) -> Self {
        Self {
            code: found.code().to_owned(),
            line: found.place.line,
            message: SafeText::line(&found.message).to_string(),
        }
    }
}

/// Why a status is answered, beside success, and to which calls.
const REFUSALS: [(u16, &str, &[Call]); 14] = {
    use Call::{Delete, Get, Post};
    const ALL: &[Call] = &[Get, Post, Delete];
    [
        (400, "The query, the body or a header is not what it should be.", ALL),
        (401, "A token is needed, or it is unknown, revoked or over.", ALL),
        (
            403,
            "The token's role does not suffice, or the request is not meant for this server.",
            ALL,
        ),
        (404, "There is no such project or skill, or no store yet.", ALL),
        (408, "The body did not come in time.", &[Post]),
        (409, "Another process is writing to the store; try again.", ALL),
        (412, "The skill is not what the header says; look at it again.", &[Post, Delete]),
        (413, "The body is too large.", &[Post]),
        (415, "The body is no `application/json`.", &[Post]),
        (
            422,
            "The text is no sound skill, or hides something that a person must approve.",
            &[Post],
        ),
        (429, "Too many requests.", ALL),
        (500, "The server failed.", ALL),
        (503, "The store cannot be reached, or the server cannot read its tokens.", ALL),
        (
            504,
            "The store's answer was lost: it is not known whether the change was made.",
            &[Post, Delete],
        ),
    ]
};

/// A call, by its method.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Get,
    Post,
    Delete,
}

/// What the document says of a call.
struct Operation<'a> {
    call: Call,
    id: &'a str,
    summary: &'a str,
    parameters: &'a [&'a Value],
    body: Option<&'a Schema>,
    /// Words and schema of the answer 200.
    answer: (&'a str, &'a Schema),
}

/// The OpenAPI document of the calls.
pub fn openapi() -> Value {
    let settings = || {
        SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        })
    };
    let mut answers = settings().for_serialize().into_generator();
    let mut bodies = settings().for_deserialize().into_generator();
    let [skills, change, refusal] = [
        answers.subschema_for::<ApiSkills>(),
        answers.subschema_for::<ApiChange>(),
        answers.subschema_for::<ApiRefusal>(),
    ];
    let put = bodies.subschema_for::<ApiPut>();
    let mut schemas = answers.take_definitions(true);
    schemas.extend(bodies.take_definitions(true));
    let project = parameter("projectId", "query", true, "The project");
    let name = parameter("name", "query", true, "The skill's name");
    let is = parameter("If-Match", "header", false, "Only if the skill has this version now");
    let new = parameter("If-None-Match", "header", false, "`*`: only if there is no such skill");
    let changed = ("The change, or that everything was so already.", &change);
    let get = Operation {
        call: Call::Get,
        id: "listSkills",
        summary: "The skills of a project",
        parameters: &[&project],
        body: None,
        answer: ("Its skills.", &skills),
    };
    let post = Operation {
        call: Call::Post,
        id: "putSkill",
        summary: "Store a skill, or a new version of it",
        parameters: &[&is, &new],
        body: Some(&put),
        answer: changed,
    };
    let delete = Operation {
        call: Call::Delete,
        id: "deleteSkill",
        summary: "Delete a skill; its versions stay",
        parameters: &[&project, &name, &is],
        body: None,
        answer: changed,
    };
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "skillpick: the skills of a project",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Skills that are stored for a team; `skillpick serve --http` has these \
                calls. Files beside a SKILL.md are stored by `skillpick project put`.",
        },
        "security": [{}, { "token": [] }],
        "paths": { "/api/skills": {
            "get": get.described(&refusal),
            "post": post.described(&refusal),
            "delete": delete.described(&refusal),
        } },
        "components": {
            "schemas": schemas,
            "securitySchemes": { "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "`skillpick token create` makes one. Reading needs the role read, \
                    changes need write. On the server's own machine no token is needed as long as \
                    there is none.",
            } },
        },
    })
}

fn parameter(name: &str, place: &str, required: bool, description: &str) -> Value {
    json!({
        "name": name,
        "in": place,
        "required": required,
        "description": description,
        "schema": { "type": "string" },
    })
}

impl Operation<'_> {
    fn described(&self, refusal: &Schema) -> Value {
        let content = |schema: &Schema| json!({ "application/json": { "schema": schema } });
        let answer = |(status, words, schema): (u16, &str, &Schema)| {
            (status.to_string(), json!({ "description": words, "content": content(schema) }))
        };
        let refusals = REFUSALS.iter().filter(|(.., calls)| calls.contains(&self.call));
        let refusals = refusals.map(|(status, words, _)| (*status, *words, refusal));
        let whole = std::iter::once((200, self.answer.0, self.answer.1));
        let responses: Map<String, Value> = whole.chain(refusals).map(answer).collect();
        let mut operation = json!({
            "operationId": self.id,
            "summary": self.summary,
            "parameters": self.parameters,
            "responses": responses,
        });
        if let Some(body) = self.body {
            operation["requestBody"] = json!({ "required": true, "content": content(body) });
        }
        operation
    }
}
