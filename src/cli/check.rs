//! `skillpick check`.

use super::{Exit, Failure, Place, fix, open, target};
use crate::catalog::validate::{self, Unreadable};
use crate::catalog::{Check, Diagnostic, Skill, checks};
use crate::inert;
use crate::output::Out;
use crate::output::check::{self, CheckDocument, Judged};
use crate::output::risk::{self, Examined, RiskDocument, RiskSummary};
use crate::output::{github, sarif};
use crate::policy::{Entry, Refusal};
use crate::runtime::{self, risk::Examiner};
use crate::text::SafeText;
use crate::workspace::mend::Reach;
use crate::workspace::{ResolveError, View, Workspace, resolve_any};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// SKILL.md files, or folders to search at any depth, also hidden ones; or names of skills that
    /// the host sees (default: all that it sees)
    #[arg(value_name = "PATH|NAME")]
    paths: Vec<PathBuf>,
    /// Check as the reference validator does, and for hidden text; any finding fails
    #[arg(long)]
    strict: bool,
    /// Say instead what the text and scripts reach: facts and alarms, which are no verdict; with
    /// --strict an alarm fails
    #[arg(long)]
    risk: bool,
    #[command(flatten)]
    fix: fix::Mending,
    /// How to print: for people, as JSON, as annotations of a GitHub workflow, or as a SARIF 2.1.0
    /// log for code scanning
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "json")]
    format: Option<Format>,
    /// Print JSON: the same as --format json
    #[arg(long)]
    json: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Github,
    Sarif,
}

impl Options {
    fn format(&self) -> Format {
        self.format.unwrap_or(if self.json { Format::Json } else { Format::Text })
    }

    /// Whether JSON is printed. What is no list of findings has no other formats.
    fn is_json(&self) -> Result<bool, Failure> {
        match self.format() {
            Format::Text => Ok(false),
            Format::Json => Ok(true),
            Format::Github | Format::Sarif => Err(Failure::failed(
                "--format github and sarif are for findings, not for --fix and --risk",
            )
            .coded("usage")),
        }
    }
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let by_name = !options.paths.is_empty() && options.paths.iter().all(|it| is_name(place, it));
    let (names, paths) =
        if by_name { (&*options.paths, &[][..]) } else { (&[][..], &*options.paths) };
    let (files, folders): (Vec<&PathBuf>, Vec<&PathBuf>) =
        paths.iter().partition(|path| place.beneath(path).is_file());
    let roots: Vec<PathBuf> =
        files.iter().map(|file| folder_of(file)).chain(folders.iter().map(PathBuf::from)).collect();
    let workspace = open::checked(place, &roots, out)?.reading_bodies();
    // What lies too deep is checked too, though no agent here finds it.
    let workspace = if options.paths.is_empty() { workspace.with_unseen() } else { workspace };
    let view = workspace.view();
    let failed = open::warn_about_roots(&view, out)?;
    open::warn_about_project(&view, out);
    open::warn_about_off(&view, out);
    let real = |file: &&PathBuf| std::fs::canonicalize(place.beneath(file)).ok();
    let mut named = Named {
        files: files.iter().filter_map(real).collect(),
        folders: folders.iter().map(|folder| workspace.context.cwd.join(folder)).collect(),
    };
    for name in names {
        let name = name.to_string_lossy();
        let found = resolve_any(&view, &name, place.scope(), &workspace.context.cwd);
        let found = found.map_err(|error| {
            let refusal = error.refusal(&name, Vec::new());
            let what = inert!("{}; there is no such folder either", refusal.what);
            let is_unknown = matches!(error, ResolveError::Unknown { .. });
            let refusal = if is_unknown { Refusal { what, ..refusal } } else { refusal };
            let here = (&workspace, place.scope());
            target::explained(here, &name, &error, Failure::from(refusal))
        })?;
        named.files.extend(view.rows.entry(found).map(|entry| entry.skill.path.clone()));
    }
    let chosen = |entry: &Entry| {
        let skill = &entry.skill;
        let is_meant = options.paths.is_empty() || named.has(skill);
        let is_here = !entry.is_elsewhere() || entry.is_too_deep();
        is_meant && is_here && Workspace::admits(place.scope(), skill.scope)
    };
    let entries: Vec<&Entry> = view.rows.entries().filter(|entry| chosen(entry)).collect();
    let sound = if options.fix.fix {
        let asked = fix::Asked { chosen: &chosen, reach: fix::reach(place, paths) };
        fix::run((&workspace, &view), &asked, &options.fix, options.is_json()?, out)?
    } else if options.risk {
        examined(&view, &entries, options, out)?
    } else {
        let reach = fix::reach(place, paths);
        judged((&workspace, &view), &entries, &reach, options, out)?
    };
    if entries.is_empty() && options.paths.is_empty() && options.format() == Format::Text {
        open::report_others(&workspace, place.scope(), out);
    }
    if entries.is_empty() && !options.paths.is_empty() {
        let paths: Vec<SafeText> = options.paths.iter().map(|path| SafeText::path(path)).collect();
        return Err(Failure::missing(inert!(
            "no SKILL.md was found in {}",
            SafeText::join(&paths, ", ")
        )));
    }
    Ok(if failed { Exit::Failed } else { ended(sound) })
}

fn ended(sound: bool) -> Exit {
    if sound { Exit::Done } else { Exit::Missing }
}

/// Prints what is wrong with these skills. Returns whether all of them pass.
fn judged(
    (workspace, view): (&Workspace, &View),
    entries: &[&Entry],
    reach: &Reach,
    options: &Options,
    out: &mut Out,
) -> Result<bool, Failure> {
    let judge = |entry: &&Entry| match options.strict {
        true => judge_strictly(&entry.skill, workspace.config.values.file_limit()),
        false => Judged::of(entry),
    };
    let judged: Vec<Judged> = entries.iter().map(judge).collect();
    let strict = options.strict;
    let printed = match options.format() {
        Format::Text => check::print(out, view, &judged, &here(), strict),
        Format::Json => out.json(&CheckDocument::of(view, &judged, strict)),
        Format::Github => github::print(out, &judged, &here(), strict),
        Format::Sarif => {
            let mender = workspace.mender(view, reach);
            let mends = |skill: &Skill, check: &Check| {
                let (mended, _) = mender.one(skill, &|wanted| wanted == check).ok()?;
                mended.filter(|mended| mended.moved.is_none())?.change
            };
            out.foreign_json(&sarif::log(&judged, &here(), strict, &mends))
        }
    };
    Failure::unless_closed(printed.map_err(Failure::Output))?;
    Ok(judged.iter().all(|one| one.valid))
}

/// Prints what these skills reach. Returns whether they pass: facts never fail, and an alarm does
/// if strict.
fn examined(
    view: &View,
    entries: &[&Entry],
    options: &Options,
    out: &mut Out,
) -> Result<bool, Failure> {
    let examiner = Examiner::default();
    let examine = |entry: &&Entry| Examined {
        risk: examiner.examine(entry.skill.dir()).map_err(|refusal| refusal.to_string()),
        skill: Arc::clone(&entry.skill),
    };
    let examined: Vec<Examined> = entries.iter().map(examine).collect();
    let printed = match options.is_json()? {
        true => out.json(&RiskDocument::of(view, &examined)),
        false => risk::print(out, view, &examined, &here()),
    };
    Failure::unless_closed(printed.map_err(Failure::Output))?;
    let sum = RiskSummary::of(&examined);
    Ok(!options.strict || sum.alarm + sum.unreadable == 0)
}

/// Whether an argument can only be a skill's name.
fn is_name(place: &Place, path: &Path) -> bool {
    path.components().count() == 1 && !place.beneath(path).exists()
}

/// What the command line names. For a file only that file counts, not its folder.
struct Named {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Named {
    fn has(&self, skill: &Skill) -> bool {
        let lies_in = |folder: &PathBuf| skill.locations().any(|place| place.starts_with(folder));
        self.files.contains(&skill.path) || self.folders.iter().any(lies_in)
    }
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => file.to_owned(),
    }
}

/// The current directory, to which printed paths are relative.
pub(super) fn here() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    std::fs::canonicalize(&here).unwrap_or(here)
}

/// As the reference validator judges it, which knows no host. A file of more than `limit` bytes could
/// not be loaded either; for it the findings of the scan hold.
fn judge_strictly(skill: &Arc<Skill>, limit: u64) -> Judged {
    let diagnostics = match runtime::bytes(skill, None, limit) {
        Ok(content) if !content.cut => {
            let directory = skill.location().file_name().or_else(|| skill.dir().file_name());
            let directory = directory.unwrap_or_default().to_string_lossy();
            let is_single = skill.is_single_file();
            let file = if is_single { Path::new(validate::FILE_NAME) } else { skill.file() };
            let file = file.to_string_lossy();
            let mut found = validate::strict(&content.bytes, &directory, &file).diagnostics;
            found.retain(|found| !is_single || validate::fits_single_file(found.check));
            let hidden = |diagnostic: &&Diagnostic| diagnostic.check == &checks::HIDDEN_TEXT;
            found.extend(skill.diagnostics.iter().filter(hidden).cloned());
            found
        }
        // The scan has reported this already, unless the file was removed in the meantime.
        Err(refusal) if skill.diagnostics.is_empty() => {
            vec![validate::unreadable(&refusal.to_string(), Unreadable::Refused)]
        }
        _ => skill.diagnostics.clone(),
    };
    let findings: Vec<_> = diagnostics.into_iter().map(|one| (one.severity(), one)).collect();
    Judged { valid: findings.is_empty(), findings, skill: Arc::clone(skill) }
}
