//! Reads the listed skills to their end once the list is whole. The scan reads only their heads,
//! and a person should see what a body hides before a load is refused for it.

use super::{JobResult, JobResults, Snapshot, step_back};
use crate::catalog::{ByPath, Skill};
use crate::listing::Row;
use crate::scan::{self, KnownFile};
use crate::tui::shell::worker::Slot;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The pause after a new list. The next one often comes soon, and a person begins to type.
const PAUSE: Duration = Duration::from_millis(400);

/// Remembers which skills hide nothing, so that no file is read twice.
#[derive(Default)]
pub(super) struct BodyReader {
    read: Mutex<HashSet<ByPath>>,
}

impl BodyReader {
    /// Reads what has not been read, and tells of all findings at once. A newer list ends it, and
    /// goes on where it ended.
    pub(super) fn serve(&self, job: &Snapshot, slot: &Slot<Snapshot>, results: &JobResults) {
        step_back();
        if slot.overtaken_within(PAUSE) {
            return;
        }
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = &job.view.rows;
        let is_listed = |ByPath(skill): &ByPath| {
            rows.at(&skill.path).is_some_and(|row| Arc::ptr_eq(row.skill(), skill))
        };
        read.retain(is_listed);
        let before = read.len();
        let mut found = Vec::new();
        for (index, skill) in rows.iter().map(Row::skill).enumerate() {
            if slot.overtaken() {
                return;
            }
            if skill.whole || is_known(&read, skill) {
                continue;
            }
            match scan::body_finding(skill) {
                Ok(None) => drop(read.insert(ByPath(Arc::clone(skill)))),
                Ok(finding) => found.push((index, finding)),
                // The next scan reads a file that has changed; what cannot be read is not loaded.
                Err(_) => {}
            }
        }
        if read.len() > before {
            job.workspace.note_whole(&|file| hides_nothing(&read, file));
        }
        if !found.is_empty() {
            let view = job.workspace.with_findings(&job.view, found);
            let _ = results.send(JobResult::BodiesRead(job.number, Box::new(view)));
        }
    }
}

fn is_known(read: &HashSet<ByPath>, skill: &Arc<Skill>) -> bool {
    read.get(skill.path.as_os_str()).is_some_and(|ByPath(known)| Arc::ptr_eq(known, skill))
}

/// Whether a skill's file was read and hides nothing.
fn hides_nothing(read: &HashSet<ByPath>, file: &KnownFile) -> bool {
    let same = |ByPath(known): &ByPath| known.stamp == file.stamp && known.bytes == file.bytes;
    read.get(file.path.as_os_str()).is_some_and(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::checks::HIDDEN_TEXT;
    use crate::tui::shell::worker::Worker;
    use crate::workspace::fixture::TestWorkspace;
    use std::sync::mpsc;
    use tokio::sync::mpsc::unbounded_channel;

    #[test]
    fn what_a_body_hides_is_reported_once_and_no_file_is_read_twice() {
        let test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
        let lines = "a line that hides nothing\n".repeat(500);
        for (name, end) in [("sly", "\u{202e}"), ("good", "")] {
            let head = format!("name: {name}\ndescription: x");
            test.env.raw_skill(
                &format!("repo/.agents/skills/{name}"),
                &head,
                &(lines.clone() + end),
            );
        }
        let view = test.view();
        assert!(view.rows.skills().all(|skill| skill.diagnostics.is_empty()));
        let (results, mut told) = unbounded_channel();
        let (reader, (ended, end)) = (BodyReader::default(), mpsc::channel());
        let serve = move |job: Snapshot, slot: &Slot<Snapshot>| {
            reader.serve(&job, slot, &results);
            let read = reader.read.lock().unwrap();
            ended.send(read.iter().map(|ByPath(skill)| skill.name.clone()).collect()).unwrap();
        };
        let worker = Worker::new("test", serve, |_| {});
        let snapshot = |view| Snapshot { workspace: test.workspace.clone(), view, number: 7 };
        worker.ask(snapshot(view));
        let read: Vec<String> = end.recv().unwrap();
        assert_eq!(read, ["good"]);
        let Ok(JobResult::BodiesRead(7, after)) = told.try_recv() else { unreachable!() };
        let found =
            |skill: &Arc<Skill>| skill.diagnostics.iter().any(|one| one.check == &HIDDEN_TEXT);
        let names: Vec<&str> =
            after.rows.skills().filter(|skill| found(skill)).map(|skill| &*skill.name).collect();
        assert_eq!(names, ["sly"]);
        worker.ask(snapshot(*after));
        end.recv().unwrap();
        assert!(told.try_recv().is_err(), "nothing new is found");
    }

    #[test]
    fn the_next_process_reads_no_body_again_that_hides_nothing() {
        let mut test = TestWorkspace::with(&[]);
        let lines = "a line that hides nothing\n".repeat(500);
        for (name, end) in [("sly", "\u{202e}"), ("good", "")] {
            let head = format!("name: {name}\ndescription: x");
            test.env.raw_skill(
                &format!("repo/.agents/skills/{name}"),
                &head,
                &(lines.clone() + end),
            );
        }
        test.workspace.cache_dir = Some(test.env.top.join("home/cache"));
        // Only what was written some time ago is kept.
        let written = std::time::SystemTime::now();
        while written.elapsed().unwrap() < Duration::from_millis(2_500) {
            std::thread::sleep(Duration::from_millis(100));
        }
        let unread = |view: &crate::workspace::View| -> Vec<String> {
            let skills = view.rows.skills().filter(|skill| !skill.whole);
            skills.map(|skill| skill.name.clone()).collect()
        };
        let view = test.view();
        assert_eq!(unread(&view), ["good", "sly"]);
        let (results, _told) = unbounded_channel();
        let (reader, (ended, end)) = (BodyReader::default(), mpsc::channel());
        let serve = move |job: Snapshot, slot: &Slot<Snapshot>| {
            reader.serve(&job, slot, &results);
            ended.send(()).unwrap();
        };
        let worker = Worker::new("test", serve, |_| {});
        worker.ask(Snapshot { workspace: test.workspace.clone(), view, number: 7 });
        end.recv().unwrap();
        assert_eq!(unread(&test.view()), ["sly"]);
    }
}
