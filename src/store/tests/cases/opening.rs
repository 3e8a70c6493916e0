//! A store that opens again, or not, and a change that fails.

use super::*;

pub(super) fn all() -> Vec<Case> {
    cases![
        a_store_opens_again_with_everything_in_it,
        a_store_that_is_newer_is_not_touched,
        a_store_whose_tables_are_others_is_not_touched,
        a_failed_change_leaves_nothing,
    ]
}

fn a_store_opens_again_with_everything_in_it(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    for open in [Open::Existing, Open::OrCreate] {
        bench.store = Store::open(&bench.address, open).unwrap();
        assert_eq!(bench.content("a"), "1");
    }
}

fn a_store_that_is_newer_is_not_touched(bench: &mut Bench) {
    script(bench, "INSERT INTO store_migrations VALUES (2, '0002_later', 'x')").unwrap();
    let opened = Store::open(&bench.address, Open::OrCreate);
    assert_eq!(opened.err(), Some(StoreError::Newer(2, 1)));
}

fn a_store_whose_tables_are_others_is_not_touched(bench: &mut Bench) {
    script(bench, "UPDATE store_migrations SET digest = 'x'").unwrap();
    let opened = Store::open(&bench.address, Open::OrCreate);
    assert!(matches!(opened, Err(StoreError::Broken(_))));
}

fn a_failed_change_leaves_nothing(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    let broken = bench.store.write(|connection| {
        connection.run("UPDATE projects SET revision = 99 WHERE name = $1", &["shop".into()])?;
        connection.run("INSERT INTO nowhere VALUES ($1)", &[1.into()])
    });
    assert!(broken.is_err());
    assert_eq!(bench.store.project("shop").unwrap().revision, 2);
    bench.put("a", "2").unwrap();
}
