//! `/api/skills` of the server over HTTP: its bodies, and the OpenAPI document about them.

use crate::catalog::Diagnostic;
use crate::store::{Project, Put, StoredSkill};
use crate::text::SafeText;
use schemars::generate::{SchemaGenerator, SchemaSettings};
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

/// A skill that is to be stored. The files that it has beside its SKILL.md are not kept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiPut {
    /// The project.
    pub project_id: String,
    /// The skill's name. Names are compared without regard to case and outer blanks.
    pub name: String,
    /// What it does and when to use it, for a text whose frontmatter does not say so.
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
        }
    }
}

impl ApiRefusal {
    pub fn new(code: &str, message: &str, findings: &[Diagnostic]) -> Self {
        let finding = |found: &Diagnostic| ApiFinding {
            code: found.code().to_owned(),
            line: found.place.line,
            message: SafeText::line(&found.message).to_string(),
        };
        let (code, message) = (code.to_owned(), message.to_owned());
        let findings = findings.iter().map(finding).collect();
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

/// Why each status is answered, beside success.
const REFUSALS: [(u16, &str); 14] = [
    (400, "The query, the body or the name is not what it should be."),
    (401, "A token is needed, or it is unknown, revoked or over."),
    (403, "The token's role does not suffice, or the request is not meant for this server."),
    (404, "There is no such project or skill, or no store yet."),
    (405, "Only GET, POST and DELETE."),
    (408, "The body did not come in time."),
    (409, "Somebody has changed the skill at this moment."),
    (412, "The skill is not what `If-Match` or `If-None-Match` says; look at it again."),
    (413, "The body is too large."),
    (415, "The body is no `application/json`."),
    (422, "The text is no sound skill, or it hides something, which a person has to approve."),
    (429, "Too many requests."),
    (500, "The server failed."),
    (503, "The store cannot be reached, or the server cannot read its tokens."),
];

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
    let mut schemas = taken(&mut answers);
    schemas.extend(taken(&mut bodies));
    let project = parameter("projectId", "query", true, "The project");
    let name = parameter("name", "query", true, "The skill's name");
    let is = parameter("If-Match", "header", false, "Only if the skill has this version now");
    let new = parameter("If-None-Match", "header", false, "`*`: only if there is no such skill");
    let changed = [(200, "The change, or that everything was so already.", &change)];
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
            "get": operation("listSkills", "The skills of a project", &[&project], None,
                &[(200, "Its skills.", &skills)], &refusal),
            "post": operation("putSkill", "Store a skill, or a new version of it", &[&is, &new],
                Some(&put), &changed, &refusal),
            "delete": operation("deleteSkill", "Delete a skill; its versions stay",
                &[&project, &name, &is], None, &changed, &refusal),
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

fn taken(generator: &mut SchemaGenerator) -> Map<String, Value> {
    generator.take_definitions(true)
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

fn operation(
    id: &str,
    summary: &str,
    parameters: &[&Value],
    body: Option<&Schema>,
    answers: &[(u16, &str, &Schema)],
    refusal: &Schema,
) -> Value {
    let content = |schema: &Schema| json!({ "application/json": { "schema": schema } });
    let answer = |(status, words, schema): &(u16, &str, &Schema)| {
        (status.to_string(), json!({ "description": words, "content": content(schema) }))
    };
    let refusals = REFUSALS.map(|(status, words)| (status, words, refusal));
    let responses: Map<String, Value> = answers.iter().chain(&refusals).map(answer).collect();
    let mut operation = json!({
        "operationId": id,
        "summary": summary,
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(body) = body {
        operation["requestBody"] = json!({ "required": true, "content": content(body) });
    }
    operation
}
