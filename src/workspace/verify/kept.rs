//! Answers of programs, kept in the cache folder: one file for each question in each working
//! directory.
//!
//! The first line is the digest of the rest, so that what a power failure or another program has
//! left there is ignored. The key is the digest of everything on which an answer depends, as far as
//! we know: our own build, the program, the variables that it gets, whether it has a network, and
//! the copy in which it is asked.

use super::Copied;
use crate::files::cache;
use crate::files::digest::sha256_hex;
use crate::hosts::probe::{Report, without_network};
use crate::scan::{stamp_of, this_program};
use crate::workspace::{HostContext, Workspace};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Of the files; another one is ignored.
const FORMAT: u32 = 2;

/// How the names of the files begin.
const PREFIX: &str = "asked-";

/// In bytes. A longer answer is not kept.
const LONGEST: u64 = 16 << 20;

/// At most so many answers are kept, with so many bytes; the oldest are removed.
const MOST: (usize, u64) = (64, 64 << 20);

/// In milliseconds: a day. What changes beside the files that we know, such as other parts of the
/// program or settings that we do not model, is seen then at the latest.
const OLDEST: u64 = 24 * 3_600_000;

/// Where an answer is kept, and under which key.
pub(super) struct Kept {
    file: PathBuf,
    key: String,
}

#[derive(Serialize, Deserialize)]
struct Content<R> {
    format: u32,
    key: String,
    /// Unix time in milliseconds.
    asked_ms: u64,
    report: R,
}

impl Kept {
    /// `None` if there is no place for it, or the person wants nothing kept.
    pub(super) fn of(
        workspace: &Workspace,
        host_context: &HostContext,
        copied: &Copied,
    ) -> Option<Self> {
        let folder = workspace.index()?.folder;
        let host = host_context.host.id.word();
        let question = (question(copied), &workspace.context.cwd);
        let question = sha256_hex(&serde_json::to_vec(&question).ok()?);
        let file = folder.join(format!("{PREFIX}{host}-{}.json", question.get(..16)?));
        Some(Self { file, key: key(workspace, host_context, copied)? })
    }

    /// The answer and when it was given, if it is one to the same question and not too old.
    pub(super) fn read(&self, now_ms: u64) -> Option<(Report, u64)> {
        let (file, length) = cache::open(&self.file, LONGEST)?;
        let mut text = String::with_capacity(usize::try_from(length).ok()?);
        file.take(LONGEST).read_to_string(&mut text).ok()?;
        let (sum, content) = text.split_once('\n')?;
        let content: Content<Report> =
            Some(content).filter(|content| sha256_hex(content.as_bytes()) == sum).and_then(read)?;
        let is_same = content.format == FORMAT && content.key == self.key;
        let age = now_ms.checked_sub(content.asked_ms)?;
        (is_same && age <= OLDEST).then_some((content.report, content.asked_ms))
    }

    /// # Errors
    /// Those of the system; and if the answer is too long.
    pub(super) fn write(&self, report: &Report, asked_ms: u64) -> io::Result<()> {
        let content = Content { format: FORMAT, key: self.key.clone(), asked_ms, report };
        let content = serde_json::to_string(&content)?;
        if content.len() as u64 + 65 > LONGEST {
            return Err(io::Error::other("it is too long"));
        }
        let sum = sha256_hex(content.as_bytes());
        cache::write(&self.file, |out| write!(out, "{sum}\n{content}"))?;
        cache::bound(self.file.parent().unwrap_or(Path::new("")), PREFIX, MOST.0, MOST.1);
        Ok(())
    }
}

fn read(content: &str) -> Option<Content<Report>> {
    serde_json::from_str(content).ok()
}

/// What the program is asked.
fn question(copied: &Copied) -> impl Serialize {
    let arguments: Vec<_> = copied.probe.steps.iter().map(|step| step.arguments).collect();
    (copied.probe.what, arguments, copied.probe.environment)
}

/// The digest of everything on which an answer depends, as far as we know; `None` if a part of it
/// cannot be read.
fn key(workspace: &Workspace, host_context: &HostContext, copied: &Copied) -> Option<String> {
    let installed = host_context.installed.as_ref()?;
    let program = fs::canonicalize(installed.program.as_ref()?).ok()?;
    let meta = fs::metadata(&program).ok()?;
    let version = installed.version.as_ref().map(ToString::to_string);
    let context = &workspace.context;
    let parts = (
        (FORMAT, this_program()?, host_context.host.id.word(), question(copied)),
        (program, meta.len(), stamp_of(&meta), version),
        (&context.cwd, &context.home, &copied.given),
        (context.variable("HOME"), context.variable("PATH"), without_network()),
        copied.digest().to_string(),
    );
    serde_json::to_vec(&parts).ok().map(|parts| sha256_hex(&parts))
}
