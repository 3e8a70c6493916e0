//! What client and server say to each other, written down for `.ci/frames`, which holds each frame
//! of the server against the protocol's own schemas.

use serde_json::json;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A conversation's record: nothing, unless `SKILLPICK_FRAMES` names a folder.
#[derive(Clone)]
pub(super) struct Record(Option<Arc<Mutex<File>>>);

impl Record {
    pub(super) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let folder = std::env::var_os("SKILLPICK_FRAMES").map(PathBuf::from);
        Self(folder.map(|folder| {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            fs::create_dir_all(&folder).unwrap();
            let path = folder.join(format!("{}-{number}.jsonl", std::process::id()));
            Arc::new(Mutex::new(File::create(path).unwrap()))
        }))
    }

    /// Bytes for the server: any part of a line, or several lines.
    pub(super) fn sent(&self, bytes: &[u8]) {
        self.write("sent", bytes);
    }

    /// A line of the server.
    pub(super) fn told(&self, line: &[u8]) {
        self.write("told", line);
    }

    fn write(&self, who: &str, bytes: &[u8]) {
        let Some(file) = &self.0 else { return };
        let line = json!({ who: String::from_utf8_lossy(bytes) });
        writeln!(file.lock().unwrap(), "{line}").unwrap();
    }
}
