//! `enable`, `disable`, `permit`, `undo`: what a change of settings writes, and whose verdict it changes.

use super::Out;
use super::skill::{VERSION, VerdictRow, lossy};
use crate::inert;
use crate::policy::Layer;
use crate::text::SafeText;
use crate::workspace::edit::Plan;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// A change of settings, made or only worked out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangeDocument<'a> {
    /// 1.
    version: u32,
    /// What it does, in a few words.
    label: &'a str,
    /// Whether it was written; not with `--dry-run`, nor where everything was so already.
    written: bool,
    /// The settings files that it changes.
    files: Vec<FileRow<'a>>,
    /// The skills whose verdict changes.
    effects: Vec<EffectRow<'a>>,
    /// The hosts that have nothing to change: for them the skills stay as they are.
    left_out: Vec<&'static str>,
}

/// A settings file that changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileRow<'a> {
    /// The host that reads it.
    host: &'static str,
    /// The file.
    path: Cow<'a, str>,
    /// `user`, `project` or `local`.
    layer: &'static str,
    /// The line that the change is about.
    line: u32,
    /// The unified diff.
    diff: String,
}

/// A skill whose verdict changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EffectRow<'a> {
    /// For which host.
    host: &'static str,
    /// Its name.
    name: &'a str,
    /// Path of its SKILL.md.
    path: Cow<'a, str>,
    /// As it was.
    before: VerdictRow<'a>,
    /// As it is, or would be.
    after: VerdictRow<'a>,
}

impl<'a> ChangeDocument<'a> {
    /// The document of a plan.
    pub fn of(plan: &'a Plan, written: bool) -> Self {
        let files = plan.files.iter().map(|file| FileRow {
            host: file.host.word(),
            path: lossy(&file.change.path),
            layer: file.layer.word(),
            line: file.line,
            diff: file.diff().iter().flat_map(|line| [line.text.as_str(), "\n"]).collect(),
        });
        let effects = plan.effects.iter().map(|effect| EffectRow {
            host: effect.host.word(),
            name: &effect.skill.name,
            path: lossy(&effect.skill.path),
            before: VerdictRow::of(&effect.before),
            after: VerdictRow::of(&effect.after),
        });
        let left_out = plan.left_out.iter().map(|host| host.word()).collect();
        let (files, effects) = (files.collect(), effects.collect());
        Self { version: VERSION, label: &plan.label, written, files, effects, left_out }
    }
}

/// A change of settings that was taken back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UndoDocument<'a> {
    /// 1.
    version: u32,
    /// What had been done, in a few words.
    label: &'a str,
    /// The settings files that are as they were before.
    files: Vec<Cow<'a, str>>,
}

impl<'a> UndoDocument<'a> {
    /// The document of what had been done, to these files.
    pub fn of(label: &'a str, files: impl Iterator<Item = &'a Path>) -> Self {
        Self { version: VERSION, label, files: files.map(lossy).collect() }
    }
}

/// Prints what a plan would write.
///
/// # Errors
/// Those of stdout.
pub fn print_diff(out: &mut Out, plan: &Plan) -> io::Result<()> {
    for file in &plan.files {
        for line in file.diff() {
            out.line(&SafeText::clean(&line.text))?;
        }
    }
    Ok(())
}

/// Tells what was written and where.
pub fn tell(out: &mut Out, plan: &Plan) {
    let label = SafeText::line(&plan.label);
    if plan.files.is_empty() {
        out.say(&inert!("{}: so already, nothing to write", label));
    }
    for file in &plan.files {
        let whose = match file.layer {
            Layer::Project => " (the repository's)",
            Layer::User | Layer::Local | Layer::Managed => "",
        };
        out.say(&inert!("{}: {}:{}{}", label, SafeText::path(&file.change.path), file.line, whose));
    }
}
