//! The skills that only an agent's program knows.

use crate::catalog::{
    Diagnostic, Invocation, Locations, OwnWord, Place, Properties, Scope, Skill, SkillRoot, Stamp,
    checks, validate,
};
use crate::files::beneath::SkillDir;
use crate::files::digest::sha256_hex;
use crate::hosts::probe::{AgentProbe, Report, SkillReport};
use crate::policy::Entry;
use crate::scan::stamp_of;
use crate::text::is_plain_label;
use crate::workspace::verify::is_on;
use crate::workspace::{HostContext, View, Workspace};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most skills of one program that are shown by its own word.
const MOST: usize = 1_000;

/// In characters; a longer name or description is cut.
const NAME: usize = 256;
const DESCRIPTION: usize = 4_096;

/// In bytes: what is read of a file for its description.
const HEAD: u64 = 64 << 10;

/// What a program says of skills that our view of its host does not have.
pub(super) fn unknown<'a>(
    view: &View,
    probe: &AgentProbe,
    report: &'a Report,
) -> Vec<&'a SkillReport> {
    let name = |entry: &Entry| view.policy.order.name_of(&entry.skill).trim().to_owned();
    let all: HashSet<String> = view.rows.entries().map(name).collect();
    let taken: HashSet<String> =
        view.rows.entries().filter(|entry| entry.taken()).map(name).collect();
    let is_known = |reported: &&SkillReport| match (&reported.path, reported.bundled) {
        (_, true) if probe.brings_commands => true,
        (Some(path), _) if probe.paths => view.rows.at(path).is_some(),
        (_, true) => taken.contains(reported.name.trim()),
        (_, false) => all.contains(reported.name.trim()),
    };
    report.skills.iter().filter(|reported| !is_known(reported)).collect()
}

impl Workspace {
    /// The skills by a program's own word, and how many are left out because there are too many.
    pub(super) fn skills_of(
        &self,
        host_context: &HostContext,
        program: &Path,
        reports: &[&SkillReport],
    ) -> (Vec<Arc<Skill>>, usize) {
        let mut met = HashSet::new();
        let skills = reports.iter().take(MOST);
        let skills = skills.map(|reported| self.skill_of(host_context, program, reported));
        let skills = skills.filter(|skill| met.insert(skill.path.clone()));
        (skills.map(Arc::new).collect(), reports.len().saturating_sub(MOST))
    }

    fn skill_of(
        &self,
        host_context: &HostContext,
        program: &Path,
        reported: &SkillReport,
    ) -> Skill {
        let (path, is_plain) = file_of(program, reported);
        let folder = path.parent().unwrap_or(&path).to_owned();
        let meta = fs::metadata(&path).ok().filter(fs::Metadata::is_file);
        let described = reported.description.clone().unwrap_or_else(|| described(&path));
        let probe = host_context.host.probe;
        let by_hand = (!is_plain).then_some("its settings by hand, since its name is unusual");
        let word = OwnWord {
            host: host_context.host.id,
            name: host_context.host.name,
            version: host_context
                .installed
                .as_ref()
                .and_then(|installed| Some(installed.version.as_ref()?.to_string())),
            bundled: reported.bundled,
            off: false,
            held: meta.is_none(),
            no_switch: probe.and_then(|probe| probe.no_switch).or(by_hand),
        };
        let scope = match reported.bundled {
            true => Scope::System,
            false => self.context.scope(&folder),
        };
        let root = SkillRoot { path: folder, ..SkillRoot::default() };
        let skill = Skill {
            name: first(&reported.name, NAME),
            description: first(&described, DESCRIPTION),
            locations: Locations::default(),
            scope,
            in_repository: self.is_in_repository(&path),
            root: Arc::new(root.clone()),
            stamp: meta.as_ref().map_or(Stamp::default(), stamp_of),
            bytes: meta.as_ref().map_or(0, fs::Metadata::len),
            whole: meta.is_none(),
            properties: Properties::default(),
            invocation: Invocation::default(),
            diagnostics: Vec::new(),
            head: None,
            stored: None,
            path,
        };
        judged(host_context, reported, skill, (root, word))
    }
}

/// The skill with its word, and with a finding if the program says another state than its settings.
fn judged(
    host_context: &HostContext,
    reported: &SkillReport,
    mut skill: Skill,
    (root, mut word): (SkillRoot, OwnWord),
) -> Skill {
    let alone = Entry::alone(Arc::new(skill.clone()), &host_context.policy);
    let ours = host_context.host.probe.is_some_and(|probe| is_on(probe, &alone));
    let theirs = reported.enabled != Some(false);
    let name = word.name;
    let said = match (ours, theirs) {
        (true, false) => {
            word.off = true;
            Some(format!("{name} itself says that it is off, and no setting that we read says so"))
        }
        (false, true) => Some(format!("we say off, {name} itself says on")),
        (true, true) | (false, false) => None,
    };
    let at = |check, message| Diagnostic::new(check, Place::START, message);
    skill.diagnostics.extend(said.map(|said| at(&checks::AGENT_DIFFERS, said)));
    if !reported.bundled {
        let message = format!("only {name} itself lists it; no folder that we look in has it");
        skill.diagnostics.push(at(&checks::AGENT_ONLY, message));
    }
    skill.root = Arc::new(SkillRoot { word: Some(Arc::new(word)), ..root });
    skill
}

/// The skill's file, or where it would be if the program had files, and whether that has the
/// skill's name. Below a program there can be no file.
fn file_of(program: &Path, reported: &SkillReport) -> (PathBuf, bool) {
    let is_markdown = |path: &Path| path.extension().is_some_and(|end| end == "md");
    match &reported.path {
        Some(path) if is_markdown(path) => (path.clone(), true),
        Some(path) => (path.join(validate::FILE_NAME), true),
        None => {
            let name = reported.name.trim();
            let is_plain = is_plain_label(name) && !name.contains('/') && !name.starts_with('.');
            let folder: Cow<str> =
                if is_plain { name.into() } else { sha256_hex(name.as_bytes()).into() };
            (program.join(&*folder).join(validate::FILE_NAME), is_plain)
        }
    }
}

/// The description in a skill's file; empty if there is none.
fn described(path: &Path) -> String {
    let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else {
        return String::new();
    };
    let content =
        SkillDir::open_through_links(folder).and_then(|folder| folder.read(Path::new(file), HEAD));
    let examined = |bytes: &[u8]| {
        let (folder, file) = (folder.file_name().unwrap_or_default(), file.to_string_lossy());
        validate::examine(bytes, &folder.to_string_lossy(), &file).description
    };
    content.map_or_else(|_| String::new(), |content| examined(&content.bytes))
}

fn first(text: &str, most: usize) -> String {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end]).to_owned()
}
