//! `skillpick project put`.

use super::{Chosen, Exit, Failure, Writing};
use crate::cli::{Place, support};
use crate::inert;
use crate::output::Out;
use crate::store::Expected;
use crate::text::SafeText;
use crate::workspace::{DraftError, SkillDraft, Source, StoredChange, Workspace};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The skill's name
    #[arg(value_name = "NAME")]
    name: String,
    /// A folder with a SKILL.md, such a file alone, or a ZIP archive
    #[arg(long, value_name = "DIR|FILE")]
    from: PathBuf,
    /// For a text whose frontmatter has none
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Only if the skill has this version now, or `none` if it is not there
    #[arg(long, value_name = "VERSION")]
    expect: Option<String>,
    /// Store hidden text without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    writing: Writing,
}

pub(super) fn run(
    place: &Place,
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let chosen = Chosen::of(workspace)?.about(&options.name);
    let from = place.beneath(&options.from);
    let source =
        Source { name: &options.name, from: &from, description: options.description.as_deref() };
    let draft = workspace.draft(&source).map_err(|error| unsound(&error, &from))?;
    for warning in &draft.warnings {
        let (line, code) = (warning.place.line, warning.code());
        out.say(inert!("warning: SKILL.md:{}: {} [{}]", line, warning.message, code));
    }
    let version = match options.expect.as_deref() {
        None | Some("none") => None,
        Some(beginning) => Some(
            chosen.read(|store, project| store.find_version(project, &draft.name, beginning))?,
        ),
    };
    let expected = match (options.expect.as_deref(), &version) {
        (None, _) => Expected::Anything,
        (_, Some(version)) => Expected::Version(version),
        (Some(_), None) => Expected::Nothing,
    };
    let change = StoredChange::Put { draft: &draft, expected };
    if !draft.hidden.is_empty() && !options.yes && !options.writing.dry_run {
        // Nobody is asked about what would be refused anyway.
        chosen.store.dry_run(&change).map_err(|error| chosen.refused(&error))?;
        agree(&draft)?;
    }
    for file in draft.files.files().iter().filter(|file| may_be_secret(&file.path)) {
        out.say(inert!("warning: {}: files of this name often hold a secret", file.path));
    }
    let exit = chosen.change("put", &change, options.writing, out)?;
    match draft.files.files().len() {
        0 => {}
        1 => out.add("with 1 file beside its SKILL.md"),
        many => out.add(inert!("with {} files beside its SKILL.md", many)),
    }
    Ok(exit)
}

/// Whether a file has a name that is usual for keys and passwords. Everybody who may read the store
/// gets it, and its version stays when the skill is deleted.
fn may_be_secret(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let is_example = [".example", ".sample", ".template"].iter().any(|end| name.ends_with(end));
    let is_key = [".pem", ".key", ".p12", ".pfx", ".jks"].iter().any(|end| name.ends_with(end));
    let is_known = ["id_rsa", "id_ecdsa", "id_ed25519", ".netrc", ".npmrc", ".pypirc"];
    let is_environment = name == ".env" || name.starts_with(".env.");
    !is_example && (is_environment || is_key || is_known.contains(&name.as_str()))
}

/// Asks about hidden text; nothing of it is stored before a person has said yes.
fn agree(draft: &SkillDraft) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for found in &draft.hidden {
        lines.push(inert!("{} {} hides {}:", draft.name, found.file, found.hidden.words()));
        lines.extend(found.shown.iter().cloned());
    }
    let question = "Store exactly this text for others? [y/N]";
    let refused = support::Refused {
        no: "not stored",
        unasked: "not stored; to store it without a terminal: --yes",
    };
    support::agreed(lines, question, "hidden_text", &refused)
}

fn unsound(error: &DraftError, from: &Path) -> Failure {
    let failure = Failure::failed(inert!("{}: {}", from, error.to_string())).coded("invalid");
    let found = match error {
        DraftError::Unsound(found) => found,
        DraftError::NoDescription => return failure.with("to give one: --description TEXT"),
        _ => return failure,
    };
    found.iter().fold(failure, |failure, found| {
        let message = SafeText::line(&found.message);
        let line = inert!("SKILL.md:{}: {} [{}]", found.place.line, message, found.code());
        failure.with(line)
    })
}
