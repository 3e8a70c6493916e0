//! The log of changes.

use super::*;

pub(super) fn all() -> Vec<Case> {
    cases![
        the_log_says_who_did_what_and_when,
        the_log_of_one_skill_is_its_own,
        the_log_is_cut_at_its_newest,
        the_log_has_no_text,
        the_log_cannot_be_rewritten,
        who_changes_something_has_a_name_of_a_limited_length,
    ]
}

fn the_log_says_who_did_what_and_when(bench: &mut Bench) {
    let one = bench.put_as("ann", "A", "1", Expected::Anything).unwrap().version;
    let two = bench.put_as("bob", "a", "2", Expected::Anything).unwrap().version;
    bench.delete("a").unwrap();
    bench.restore("a", None).unwrap();
    let log = bench.store.history("shop", None, 9).unwrap();
    let seen: Vec<_> = log
        .iter()
        .map(|it| (it.seq, it.author.as_str(), it.action.word(), it.name_norm.as_str(), it.number))
        .collect();
    assert_eq!(
        seen,
        [
            (5, "ann", "restore", "a", 4),
            (4, "ann", "delete", "a", 3),
            (3, "bob", "put", "a", 2),
            (2, "ann", "put", "a", 1),
            (1, "ann", "create", "", 0),
        ]
    );
    let versions: Vec<_> = log.iter().map(|it| (it.previous.clone(), it.version.clone())).collect();
    assert_eq!(
        versions,
        [(None, two.clone()), (two.clone(), None), (one.clone(), two), (None, one), (None, None)]
    );
    assert!(log.windows(2).all(|pair| pair[0].at_ms > pair[1].at_ms));
}

fn the_log_of_one_skill_is_its_own(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    bench.put("b", "1").unwrap();
    bench.put("A", "2").unwrap();
    let log = bench.store.history("shop", Some(" A "), 9).unwrap();
    assert_eq!(log.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 1]);
    assert!(bench.store.history("shop", Some("none"), 9).unwrap().is_empty());
}

fn the_log_is_cut_at_its_newest(bench: &mut Bench) {
    for number in 0..9 {
        bench.put("a", &number.to_string()).unwrap();
    }
    let log = bench.store.history("shop", None, 2).unwrap();
    assert_eq!(log.iter().map(|it| it.seq).collect::<Vec<_>>(), [10, 9]);
}

fn the_log_has_no_text(bench: &mut Bench) {
    bench.put("a", "SECRET").unwrap();
    let log = format!("{:?}", bench.store.history("shop", None, 9).unwrap());
    assert!(!log.contains("SECRET"));
}

fn the_log_cannot_be_rewritten(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    for sql in [
        "UPDATE changes SET author = 'nobody'",
        "DELETE FROM changes",
        "UPDATE skill_versions SET content = 'other'",
    ] {
        assert!(script(bench, sql).is_err(), "{sql}");
    }
    assert_eq!(bench.store.history("shop", None, 9).unwrap().len(), 2);
}

fn who_changes_something_has_a_name_of_a_limited_length(bench: &mut Bench) {
    let (longest, long) = ("ü".repeat(128), "x".repeat(129));
    bench.put_as(&longest, "a", "1", Expected::Anything).unwrap();
    let new = NewProject { name: "b", precedence: Precedence::Over, author: &long, at_ms: 1 };
    assert_eq!(bench.store.create_project(&new), Err(StoreError::Author));
    for author in ["", &long] {
        let refused = Err(StoreError::Author);
        assert_eq!(bench.put_as(author, "a", "2", Expected::Anything), refused);
        assert_eq!(bench.store.delete("shop", "a", author, 1, Expected::Anything), refused);
    }
    assert_eq!(bench.content("a"), "1");
}
