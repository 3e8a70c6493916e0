//! The cases that stand for themselves.

mod log;
mod opening;
mod projects;
mod skills;
mod undo;
mod versions;

use super::*;

macro_rules! cases {
    ($($name:ident),+ $(,)?) => {
        vec![$((stringify!($name).to_owned(), Box::new($name) as Box<dyn Fn(&mut Bench)>)),+]
    };
}
use cases;

pub(super) fn all() -> Vec<Case> {
    let topics = [projects::all, skills::all, versions::all, log::all, undo::all, opening::all];
    topics.into_iter().flat_map(|all| all()).collect()
}

fn file(path: &str, bytes: &[u8]) -> BundleFile {
    BundleFile { path: path.to_owned(), bytes: bytes.to_vec(), executable: path.ends_with(".sh") }
}

fn script(bench: &mut Bench, sql: &str) -> Result<(), StoreError> {
    bench.store.write(|connection| connection.script(sql))
}

fn with_metadata(bench: &mut Bench, metadata: Option<&str>) -> Result<Put, StoreError> {
    let (at_ms, files) = (bench.now(), Bundle::default());
    let draft = Draft {
        name: "a",
        description: "d",
        content: "x",
        metadata,
        files: Some(&files),
        author: "ann",
        at_ms,
        expected: Expected::Anything,
    };
    bench.store.put("shop", &draft)
}
