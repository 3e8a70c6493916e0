//! One table of cases, run on SQLite and on a real PostgreSQL.

mod cases;
mod model;
mod writers;

use super::*;
use crate::catalog::normalized;
#[cfg(unix)]
use crate::test_env::postgres;

/// A store of a case's own.
pub(crate) struct Bench {
    pub(crate) address: Address,
    pub(crate) store: Store,
    /// Counts, so that times differ and are the same in every run.
    clock: i64,
    _folder: Option<tempfile::TempDir>,
}

impl Bench {
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = Address::Sqlite(folder.path().canonicalize().unwrap().join("skills.db"));
        Self::at(address, Some(folder))
    }

    /// `None` without a server.
    #[cfg(not(unix))]
    pub(crate) fn postgres() -> Option<Self> {
        None
    }

    /// `None` without a server.
    #[cfg(unix)]
    pub(crate) fn postgres() -> Option<Self> {
        let url = postgres::shared()?.schema();
        Some(Self::at(Address::parse(&url, None, None).unwrap(), None))
    }

    fn at(address: Address, folder: Option<tempfile::TempDir>) -> Self {
        let store = Store::open(&address, Open::OrCreate).unwrap();
        let mut bench = Self { address, store, clock: 1_000, _folder: folder };
        bench.create("shop");
        bench
    }

    fn now(&mut self) -> i64 {
        self.clock += 1;
        self.clock
    }

    fn create(&mut self, name: &str) {
        let at_ms = self.now();
        let new = NewProject { name, precedence: Precedence::Over, author: "ann", at_ms };
        self.store.create_project(&new).unwrap();
    }

    fn put(&mut self, name: &str, content: &str) -> Result<Put, StoreError> {
        self.put_as("ann", name, content, Expected::Anything)
    }

    fn put_as(
        &mut self,
        author: &str,
        name: &str,
        content: &str,
        expected: Expected<'_>,
    ) -> Result<Put, StoreError> {
        let at_ms = self.now();
        let files = Bundle::default();
        let draft = Draft {
            name,
            description: "d",
            content,
            metadata: None,
            files: Some(&files),
            author,
            at_ms,
            expected,
        };
        self.store.put("shop", &draft)
    }

    fn put_files(&mut self, name: &str, files: Vec<BundleFile>) -> Result<Put, StoreError> {
        let at_ms = self.now();
        let files = Bundle::of(files)?;
        let draft = Draft {
            name,
            description: "d",
            content: "text",
            metadata: None,
            files: Some(&files),
            author: "ann",
            at_ms,
            expected: Expected::Anything,
        };
        self.store.put("shop", &draft)
    }

    fn delete(&mut self, name: &str) -> Result<Put, StoreError> {
        let at_ms = self.now();
        self.store.delete("shop", name, "ann", at_ms, Expected::Anything)
    }

    fn restore(&mut self, name: &str, version: Option<&str>) -> Result<Put, StoreError> {
        let at_ms = self.now();
        self.store.restore("shop", name, version, "ann", at_ms)
    }

    fn names(&mut self) -> Vec<String> {
        let skills = self.store.skills("shop").unwrap().1;
        skills.into_iter().map(|skill| skill.name).collect()
    }

    fn version(&mut self, name: &str) -> String {
        self.store.skill("shop", name).unwrap().version
    }

    fn content(&mut self, name: &str) -> String {
        let version = self.version(name);
        self.store.version(&version).unwrap().content
    }
}

/// A case: its name, and what it does with a new store.
type Case = (String, Box<dyn Fn(&mut Bench)>);

fn all() -> Vec<Case> {
    cases::all().into_iter().chain(model::all()).collect()
}

/// Runs every case on stores that `make` makes, and names the one that fails.
fn run(make: &dyn Fn() -> Bench) {
    let all = all();
    assert!(all.len() >= 150, "{} cases", all.len());
    for (name, case) in all {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(&mut make())));
        assert!(done.is_ok(), "the case `{name}` failed; see above");
    }
}

#[test]
fn aab_6_every_case_holds_on_sqlite() {
    run(&Bench::sqlite);
}

#[cfg(unix)]
#[test]
fn aab_6_every_case_holds_on_postgresql() {
    if postgres::shared().is_some() {
        run(&|| Bench::postgres().unwrap());
    }
}
