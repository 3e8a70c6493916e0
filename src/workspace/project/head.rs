//! What a list needs of a stored text: made once for each version, and kept in the snapshot.

use crate::catalog::validate::{self, FILE_NAME};
use crate::catalog::{
    Cause, Diagnostic, Invocation, Locations, Place as FindingPlace, Properties, Scope, Skill,
    SkillRoot, Stamp, Stored, checks, hidden_in,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::UNIX_EPOCH;

#[derive(Serialize, Deserialize)]
struct Head<'a> {
    name: &'a str,
    description: &'a str,
    properties: Properties,
    invocation: Invocation,
    #[serde(borrow)]
    findings: Vec<Finding<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Finding<'a> {
    /// Its place in the table of checks.
    check: usize,
    place: FindingPlace,
    cause: Cause,
    message: &'a str,
}

/// The program that makes heads. Another build may judge otherwise.
pub(super) fn program() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        let meta = std::env::current_exe().and_then(std::fs::metadata).ok();
        let changed = meta.as_ref().and_then(|meta| meta.modified().ok());
        let since = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let (bytes, nanos) = (meta.map(|meta| meta.len()), since.map(|since| since.as_nanos()));
        format!("{} {bytes:?} {nanos:?}", env!("CARGO_PKG_VERSION"))
    });
    &PROGRAM
}

/// The head of a text, as bytes.
pub(super) fn packed(text: &str, name: &str) -> Vec<u8> {
    let examined = validate::examine(text.as_bytes(), name, FILE_NAME);
    let mut diagnostics = examined.diagnostics;
    diagnostics.extend(validate::large(text.len() as u64));
    let hidden = hidden_in(text);
    diagnostics.extend(hidden.map(|(hidden, at)| validate::hidden_text(&hidden, at)));
    diagnostics.sort_by_key(|diagnostic| diagnostic.place);
    let finding = |found: &'_ Diagnostic| {
        let check = checks::ALL.iter().position(|check| *check == found.check);
        (check.unwrap_or(usize::MAX), found.place)
    };
    let findings = diagnostics.iter().map(|found| {
        let (check, place) = finding(found);
        Finding { check, place, cause: found.cause, message: &found.message }
    });
    let head = Head {
        name: &examined.name,
        description: &examined.description,
        properties: examined.properties,
        invocation: examined.invocation,
        findings: findings.collect(),
    };
    postcard::to_allocvec(&head).unwrap_or_default()
}

/// Where a skill is, and where it comes from.
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) root: Arc<SkillRoot>,
    /// Of its text.
    pub(super) bytes: u64,
    pub(super) stored: Stored,
}

/// The skill that a head describes; `None` if the bytes are none.
pub(super) fn skill(head: &[u8], place: Place) -> Option<Skill> {
    let head: Head = postcard::from_bytes(head).ok()?;
    let finding = |finding: Finding| {
        let check = *checks::ALL.get(finding.check)?;
        Some(Diagnostic::new(check, finding.place, finding.message).of_cause(finding.cause))
    };
    let Place { path, root, bytes, stored } = place;
    let mtime_ns = stored.updated_ms.saturating_mul(1_000_000);
    Some(Skill {
        name: head.name.to_owned(),
        description: head.description.to_owned(),
        path,
        locations: Locations::default(),
        scope: Scope::Project,
        in_repository: false,
        root,
        stamp: Stamp { mtime_ns, ..Stamp::default() },
        bytes,
        whole: true,
        properties: head.properties,
        invocation: head.invocation,
        diagnostics: head.findings.into_iter().map(finding).collect::<Option<_>>()?,
        head: None,
        stored: Some(Arc::new(stored)),
    })
}
