//! `skillpick project diff`.

use super::{Chosen, Exit, Failure};
use crate::inert;
use crate::output::Out;
use crate::output::project::{ProjectDiffDocument, digits};
use crate::store::{Bundle, Version, normalized};
use crate::text::diff::unified;
use crate::workspace::Workspace;
use clap::Args;
use std::collections::BTreeMap;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The skill's name
    #[arg(value_name = "NAME")]
    name: String,
    /// Compare with this version, by its first digits, instead of the file
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One side: what it is called, its text and its files.
struct Side {
    name: String,
    text: String,
    files: BTreeMap<String, Vec<u8>>,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let chosen = Chosen::of(workspace)?;
    let (now, other) = chosen.read(|store, project| {
        let digest = store.skill(project, &options.name)?.version;
        let other = match &options.version {
            Some(beginning) => {
                let digest = store.find_version(project, &options.name, beginning)?;
                Some(store.version(&digest)?)
            }
            None => None,
        };
        Ok((store.version(&digest)?, other))
    })?;
    let other = match other {
        Some(version) => of_version(version),
        None => of_file(workspace, &options.name)?,
    };
    let now = of_version(now);
    let document = compared(&other, &now);
    if options.json {
        out.json(&document)?
    } else {
        document.print(out)?
    }
    Ok(Exit::Done)
}

fn of_version(version: Version) -> Side {
    Side {
        name: digits(&version.digest).to_owned(),
        text: version.content,
        files: version.files.into_iter().map(|file| (file.path, file.bytes)).collect(),
    }
}

/// The first file of this name, which the project's skill shadows or is shadowed by.
fn of_file(workspace: &Workspace, name: &str) -> Result<Side, Failure> {
    let view = workspace.view();
    let is_it = |skill: &&std::sync::Arc<crate::catalog::Skill>| {
        skill.stored.is_none() && normalized(&skill.name) == normalized(name)
    };
    let skill = view.rows.skills().find(is_it).ok_or_else(|| {
        Failure::missing(inert!("no file here has the name {}", name))
            .coded("unknown")
            .with("to compare with an earlier version: --version VERSION")
    })?;
    let unread = |why: String| Failure::failed(inert!("{}: {}", skill.path, why));
    let text = std::fs::read(&skill.path).map_err(|error| unread(error.kind().to_string()))?;
    let bundle = Bundle::of_folder(skill.dir(), skill.file());
    let bundle = bundle.map_err(|error| unread(error.to_string()))?;
    let files = bundle.files().iter().map(|file| (file.path.clone(), file.bytes.clone()));
    Ok(Side {
        name: skill.path.display().to_string(),
        text: String::from_utf8_lossy(&text).into_owned(),
        files: files.collect(),
    })
}

fn compared(one: &Side, other: &Side) -> ProjectDiffDocument {
    let lines = unified("SKILL.md", Some(one.text.as_bytes()), other.text.as_bytes());
    let only = |here: &Side, there: &Side| -> Vec<String> {
        here.files.keys().filter(|path| !there.files.contains_key(*path)).cloned().collect()
    };
    let differs = |(path, bytes): (&String, &Vec<u8>)| {
        let found = other.files.get(path)?;
        (found != bytes).then(|| path.clone())
    };
    let document = ProjectDiffDocument {
        one: one.name.clone(),
        other: other.name.clone(),
        same: one.text == other.text && one.files == other.files,
        diff: String::new(),
        only_one: only(one, other),
        only_other: only(other, one),
        differing: one.files.iter().filter_map(differs).collect(),
    };
    document.with_lines(&lines)
}
