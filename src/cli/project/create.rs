//! `skillpick project create`.

use super::{Exit, Failure, Writing, operand, refused, refused_at, told};
use crate::inert;
use crate::output::Out;
use crate::output::project::ProjectChangeDocument;
use crate::store::{NewProject, Open, Precedence, StoreError, check_project_name};
use crate::workspace::Workspace;
use crate::workspace::clock::signed_now_ms;
use clap::Args;
use clap::builder::PossibleValuesParser;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Letters, digits, `-`, `_` and `.`
    #[arg(value_name = "NAME")]
    name: String,
    /// What counts if a file and a skill of the project have one name: the project's (over), the
    /// file's (under), or neither (error)
    #[arg(long, value_name = "WORD", default_value = "over", value_parser = PossibleValuesParser::new(Precedence::ALL.map(Precedence::word)))]
    precedence: String,
    #[command(flatten)]
    writing: Writing,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let Writing { dry_run, json } = options.writing;
    let pool = workspace.store().map_err(|error| refused(workspace, &error))?;
    let author = workspace.author();
    let precedence = Precedence::from_word(&options.precedence).unwrap_or(Precedence::Over);
    let new =
        NewProject { name: &options.name, precedence, author: &author, at_ms: signed_now_ms() };
    if dry_run {
        check_project_name(&options.name).map_err(|error| refused_at(workspace, &pool, &error))?;
        match pool.read(|store| store.project(&options.name)) {
            Ok(_) => return Err(refused_at(workspace, &pool, &StoreError::ProjectExists)),
            Err(StoreError::NoProject | StoreError::Missing) => {}
            Err(error) => return Err(refused_at(workspace, &pool, &error)),
        }
    } else {
        pool.write(Open::OrCreate, |store| store.create_project(&new))
            .map_err(|error| refused_at(workspace, &pool, &error))?;
    }
    let change = ProjectChangeDocument {
        action: "create",
        store: pool.address().shown(),
        project: options.name.clone(),
        done: !dry_run,
        changed: true,
        ..ProjectChangeDocument::default()
    };
    let exit = told(change, json, out)?;
    if !dry_run && workspace.project_name() != Some(options.name.as_str()) {
        let (place, name) = (workspace.place_options(), operand(&options.name));
        out.add(inert!("to use its skills: skillpick project use{} {}", place, name));
    }
    Ok(exit)
}
