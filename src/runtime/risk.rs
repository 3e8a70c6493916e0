//! What a skill reaches: every file of it is read and examined by the rules of `catalog::risk`.
//! What cannot be examined is a finding as well.

use crate::catalog::risk::{Finding, Level, examine, rules};
use crate::files::beneath::{EntryKind, FileEntry, LinkEnd, Refusal, SkillDir, Tree, TreeLimits};
use crate::files::digest::Digest;
use crate::files::sniff::{self, ContentKind};
use crate::inert;
use crate::text::{SafeText, human_size};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// In bytes. A larger file, and what goes beyond the sum, is not examined; a finding says so.
const LARGEST: u64 = 16 << 20;
const MOST: u64 = 64 << 20;

/// The most findings that are kept of a skill. Further facts are counted; alarms come first.
const KEPT: usize = 1_000;

/// The most files whose findings are remembered.
const REMEMBERED: usize = 4_096;

/// Folders whose files are not examined, though they are part of a skill; a finding says so.
const PASSED_OVER: [&str; 2] = [".git", "node_modules"];

/// What a skill reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Risk {
    /// By file and line.
    pub findings: Vec<Finding>,
    /// How many more there are.
    pub more: usize,
}

impl Risk {
    /// The highest level; `None` if nothing was found.
    pub fn level(&self) -> Option<Level> {
        self.findings.iter().map(|finding| finding.rule.level).max()
    }

    /// The level in words, never a verdict.
    pub fn word(&self) -> &'static str {
        match self.level() {
            Some(Level::Alarm) => "alarm",
            Some(Level::Fact) => "facts",
            None => "nothing found",
        }
    }

    pub fn alarms(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.rule.level == Level::Alarm)
    }
}

type Known = HashMap<(PathBuf, Digest), Arc<Vec<Finding>>>;

/// Examines skills, and remembers the findings of each file by its name and digest.
#[derive(Debug, Default)]
pub struct Examiner {
    known: Mutex<Known>,
    /// Held while a file is examined, which may take 50 MB, since several threads may do so.
    alone: Mutex<()>,
}

impl Examiner {
    /// Reads all files in this canonical directory of a skill.
    ///
    /// # Errors
    /// The directory cannot be opened.
    pub fn examine(&self, directory: &Path) -> Result<Risk, Refusal> {
        let dir = SkillDir::open(directory)?;
        let limits = TreeLimits { skipped: &PASSED_OVER, ..TreeLimits::default() };
        let tree = dir.tree(limits);
        let mut findings = passed_over(&dir, &tree);
        let mut read = 0;
        for entry in &tree.entries {
            match &entry.kind {
                EntryKind::File { size, executable } => {
                    read += size;
                    if *size > LARGEST || read > MOST {
                        let why = inert!("too large to be examined: {}", human_size(*size));
                        findings.push(unread(&entry.path, why));
                        continue;
                    }
                    self.file(&dir, entry, &mut findings);
                    let found = findings.iter().rev().take_while(|one| one.file == entry.path);
                    if *executable && found.into_iter().all(|one| one.rule != &rules::SCRIPT) {
                        let shown = SafeText::fixed("it may be executed");
                        findings.push(whole(&rules::SCRIPT, &entry.path, shown));
                    }
                }
                EntryKind::Link { target, end: LinkEnd::Leaves } => {
                    let shown = inert!("→ {}", target);
                    findings.push(whole(&rules::LINK_OUT, &entry.path, shown));
                }
                EntryKind::Link { end: LinkEnd::Unknown, .. } => {
                    let why = SafeText::fixed("a link whose end cannot be determined");
                    findings.push(unread(&entry.path, why));
                }
                EntryKind::Other(kind) => {
                    findings.push(unread(&entry.path, SafeText::fixed(kind.word())));
                }
                EntryKind::Link { .. } | EntryKind::Directory => {}
            }
        }
        Ok(bounded(findings))
    }

    fn file(&self, dir: &SkillDir, entry: &FileEntry, findings: &mut Vec<Finding>) {
        let content = match dir.read(&entry.path, LARGEST) {
            Ok(content) if !content.cut => content,
            Ok(_) => {
                let why = SafeText::fixed("it grew while it was read");
                return findings.push(unread(&entry.path, why));
            }
            Err(refusal) => {
                return findings.push(unread(&entry.path, SafeText::line(&refusal.to_string())));
            }
        };
        if let ContentKind::Binary(kind) = sniff::classify(&content.bytes) {
            let what = inert!("{}, {}", kind, human_size(content.total));
            return findings.push(unread(&entry.path, what));
        }
        let key = (entry.path.clone(), Digest::of(&content.bytes));
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&key).cloned();
        let found = known.unwrap_or_else(|| {
            let _alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
            let found = Arc::new(examine(&entry.path, &content.bytes));
            let mut known = lock();
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(key, Arc::clone(&found));
            found
        });
        findings.extend(found.iter().cloned());
    }
}

/// What of the skill's folder is not listed, or not entered.
fn passed_over(dir: &SkillDir, tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    if tree.cut {
        let why = SafeText::fixed("there are more files, or deeper folders, than are examined");
        found.push(unread(Path::new("."), why));
    }
    for (path, refusal) in &tree.unread {
        found.push(unread(path, SafeText::line(&refusal.to_string())));
    }
    let folders = tree.entries.iter().filter(|entry| entry.kind == EntryKind::Directory);
    let folders = folders.map(|entry| entry.path.as_path()).chain([Path::new("")]);
    for path in folders.flat_map(|folder| PASSED_OVER.map(|name| folder.join(name))) {
        if !matches!(dir.open_file(&path), Err(Refusal::NotFound)) {
            found.push(unread(&path, SafeText::fixed("such folders are passed over")));
        }
    }
    found
}

fn whole(rule: &'static crate::catalog::risk::Rule, file: &Path, shown: SafeText) -> Finding {
    Finding { rule, file: file.to_owned(), line: None, shown }
}

fn unread(file: &Path, why: SafeText) -> Finding {
    whole(&rules::UNREAD, file, why)
}

/// At most [`KEPT`], alarms before facts; then by file and line.
fn bounded(mut findings: Vec<Finding>) -> Risk {
    let more = findings.len().saturating_sub(KEPT);
    if more > 0 {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.rule.level));
        findings.truncate(KEPT);
    }
    findings.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    Risk { findings, more }
}
