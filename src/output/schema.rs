//! The JSON schemas of our documents.

use super::activity::ActivityDocument;
use super::approvals::ApprovalsDocument;
use super::budget::BudgetDocument;
use super::calls::ResolveDocument;
use super::change::{ChangeDocument, LaunchDocument};
use super::check::CheckDocument;
use super::compare::DiffDocument;
use super::failure::ErrorDocument;
use super::hosts::HostsDocument;
use super::list::ListDocument;
use super::mend::MendDocument;
use super::mention::MentionDocument;
use super::parts::Versioned;
use super::project::{
    ProjectChangeDocument, ProjectDiffDocument, ProjectHistoryDocument, ProjectSkillDocument,
    ProjectSkillsDocument, ProjectsDocument,
};
use super::prompt::PromptDocument;
use super::resource::{ReadDocument, RunDocument};
use super::risk::RiskDocument;
use super::search::SearchDocument;
use super::session::{LoadDocument, SessionDocument};
use super::settings::ConfigDocument;
use super::share::ShareDocument;
use super::show::ShowDocument;
use super::token::TokenDocument;
use super::tree::TreeDocument;
use super::undo::{ChangesDocument, UndoDocument};
use super::verify::VerifyDocument;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};

type MakeSchema = fn() -> Schema;

/// Every document: its name, as an argument of `schema`, and how its schema is made.
const SCHEMAS: [(&str, MakeSchema); 34] = [
    ("list", schema::<ListDocument>),
    ("tree", schema::<TreeDocument>),
    ("search", schema::<SearchDocument>),
    ("show", schema::<ShowDocument>),
    ("check", schema::<CheckDocument>),
    ("mend", schema::<MendDocument>),
    ("risk", schema::<RiskDocument>),
    ("config", schema::<ConfigDocument>),
    ("change", schema::<ChangeDocument>),
    ("undo", schema::<UndoDocument>),
    ("undo-list", schema::<ChangesDocument>),
    ("approve", schema::<ApprovalsDocument>),
    ("mention", schema::<MentionDocument>),
    ("launch", schema::<LaunchDocument>),
    ("hosts", schema::<HostsDocument>),
    ("share", schema::<ShareDocument>),
    ("diff", schema::<DiffDocument>),
    ("verify", schema::<VerifyDocument>),
    ("prompt", schema::<PromptDocument>),
    ("budget", schema::<BudgetDocument>),
    ("load", schema::<LoadDocument>),
    ("session", schema::<SessionDocument>),
    ("read", schema::<ReadDocument>),
    ("run", schema::<RunDocument>),
    ("resolve", schema::<ResolveDocument>),
    ("project", schema::<ProjectChangeDocument>),
    ("project-list", schema::<ProjectsDocument>),
    ("project-skills", schema::<ProjectSkillsDocument>),
    ("project-show", schema::<ProjectSkillDocument>),
    ("project-diff", schema::<ProjectDiffDocument>),
    ("project-history", schema::<ProjectHistoryDocument>),
    ("activity", schema::<ActivityDocument>),
    ("token", schema::<TokenDocument>),
    ("error", schema::<ErrorDocument>),
];

/// The OpenAPI document of the server over HTTP, which has schemas of its own.
const OPENAPI: &str = "openapi";

/// The names of all documents, and of the OpenAPI document.
pub fn documents() -> [&'static str; SCHEMAS.len() + 1] {
    std::array::from_fn(|place| SCHEMAS.get(place).map_or(OPENAPI, |(name, _)| *name))
}

/// Commands that print the document of another command, and that command.
pub const ALSO: [(&str, &str); 6] = [
    ("unload", "session"),
    ("enable", "change"),
    ("disable", "change"),
    ("permit", "change"),
    ("unshare", "share"),
    ("redo", "undo"),
];

/// The schema of a document, by its own name or by a command that prints it.
pub fn of(word: &str) -> Option<Schema> {
    let document =
        ALSO.iter().find(|(command, _)| *command == word).map_or(word, |(_, document)| document);
    SCHEMAS.iter().find(|(name, _)| *name == document).map(|(_, schema)| schema())
}

/// The schema as it is published: indented, with a line break at its end.
pub fn text(document: &str) -> Option<String> {
    // A JSON value always serializes.
    let text = match document {
        OPENAPI => serde_json::to_string_pretty(&super::api::openapi()),
        _ => serde_json::to_string_pretty(&of(document)?),
    };
    text.ok().map(|text| text + "\n")
}

fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<Versioned<T>>()
}
