//! `skillpick project show`.

use super::{Chosen, Exit, Failure};
use crate::output::Out;
use crate::output::project::ProjectSkillDocument;
use crate::store::StoreError;
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The skill's name
    #[arg(value_name = "NAME")]
    name: String,
    /// A version that it had, by its first digits or its number ('#3')
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// Print the exact SKILL.md
    #[arg(long, conflicts_with = "json")]
    raw: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let chosen = Chosen::of(workspace)?.about(&options.name);
    let (version, now) = chosen.read(|store, project| {
        let now = match store.skill(project, &options.name) {
            Ok(now) => Some(now),
            Err(StoreError::NoSkill) if options.version.is_some() => None,
            Err(error) => return Err(error),
        };
        let digest = match (&options.version, &now) {
            (Some(beginning), _) => store.find_version(project, &options.name, beginning)?,
            (None, Some(now)) => now.version.clone(),
            (None, None) => return Err(StoreError::NoSkill),
        };
        Ok((store.version(&digest)?, now))
    })?;
    if options.raw && !out.is_terminal() {
        out.exact(version.content.as_bytes())?;
        return Ok(Exit::Done);
    }
    let document = ProjectSkillDocument::of(&chosen.store.project, &version, now.as_ref());
    if options.json {
        out.json(&document)?
    } else {
        document.print(out)?
    }
    Ok(Exit::Done)
}
