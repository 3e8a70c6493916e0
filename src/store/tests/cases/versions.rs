//! Versions: expected ones, deleted and restored ones.

use super::*;
use crate::store::database::Value;
use std::collections::HashMap;

pub(super) fn all() -> Vec<Case> {
    cases![
        what_others_have_changed_is_not_overwritten,
        only_a_new_skill_is_stored_if_none_is_expected,
        a_deleted_skill_is_gone_and_its_version_stays,
        a_skill_that_is_not_there_is_not_deleted,
        what_was_deleted_comes_back,
        a_restore_without_a_version_takes_the_one_before,
        a_version_is_found_by_its_first_digits,
        a_number_is_not_taken_for_the_first_digit_of_a_version,
        a_version_of_another_skill_is_not_taken,
        a_skill_without_history_has_nothing_to_restore,
        a_deleted_name_can_be_used_again_and_counts_on,
        a_version_has_its_own_files,
        texts_are_given_by_their_digests,
        altered_bytes_are_not_taken_over_by_a_change_of_the_text,
        what_is_there_under_a_digest_already_is_compared,
        an_altered_version_is_not_given_and_not_restored,
    ]
}

fn what_others_have_changed_is_not_overwritten(bench: &mut Bench) {
    let first = bench.put("a", "1").unwrap().version.unwrap();
    let second = bench.put("a", "2").unwrap().version.unwrap();
    let changed = Err(StoreError::Changed(Some(second.clone())));
    assert_eq!(bench.put_as("bob", "a", "3", Expected::Version(&first)), changed);
    let at_ms = bench.now();
    let expected = Expected::Version(&first);
    assert_eq!(bench.store.delete("shop", "a", "bob", at_ms, expected), changed);
    assert_eq!(bench.content("a"), "2");
    bench.put_as("bob", "a", "3", Expected::Version(&second)).unwrap();
    bench.delete("a").unwrap();
    let gone = bench.put_as("bob", "a", "4", Expected::Version(&second));
    assert_eq!(gone, Err(StoreError::Changed(None)));
}

fn only_a_new_skill_is_stored_if_none_is_expected(bench: &mut Bench) {
    bench.put_as("ann", "a", "1", Expected::Nothing).unwrap();
    let again = bench.put_as("ann", "A", "2", Expected::Nothing);
    assert!(matches!(again, Err(StoreError::SkillExists(_))));
    bench.delete("a").unwrap();
    bench.put_as("ann", "a", "2", Expected::Nothing).unwrap();
}

fn a_deleted_skill_is_gone_and_its_version_stays(bench: &mut Bench) {
    let version = bench.put("a", "x").unwrap().version.unwrap();
    let gone = bench.delete("A").unwrap();
    assert_eq!((gone.version, gone.previous), (None, Some(version.clone())));
    assert_eq!(bench.store.skill("shop", "a").err(), Some(StoreError::NoSkill));
    assert_eq!(bench.store.version(&version).unwrap().content, "x");
    assert!(bench.names().is_empty());
}

fn a_skill_that_is_not_there_is_not_deleted(bench: &mut Bench) {
    assert_eq!(bench.delete("a"), Err(StoreError::NoSkill));
    bench.put("a", "x").unwrap();
    bench.delete("a").unwrap();
    assert_eq!(bench.delete("a"), Err(StoreError::NoSkill));
}

fn what_was_deleted_comes_back(bench: &mut Bench) {
    with_metadata(bench, Some("{}")).unwrap();
    bench.delete("a").unwrap();
    let back = bench.restore("a", None).unwrap();
    assert!(back.changed && back.number == 3);
    assert_eq!(bench.content("a"), "x");
}

fn a_restore_without_a_version_takes_the_one_before(bench: &mut Bench) {
    for text in ["1", "2", "3"] {
        bench.put("a", text).unwrap();
    }
    bench.restore("a", None).unwrap();
    assert_eq!(bench.content("a"), "2");
    bench.restore("a", None).unwrap();
    assert_eq!(bench.content("a"), "3", "to and fro");
}

fn a_version_is_found_by_its_first_digits(bench: &mut Bench) {
    let first = bench.put("a", "1").unwrap().version.unwrap();
    bench.put("a", "2").unwrap();
    let found = |bench: &mut Bench, text: &str| bench.store.find_version("shop", "A", text);
    assert_eq!(found(bench, &first[..8]), Ok(first.clone()));
    assert_eq!(found(bench, &first.to_uppercase()), Ok(first.clone()));
    assert_eq!(found(bench, ""), Err(StoreError::NoVersion));
    assert_eq!(found(bench, "%"), Err(StoreError::NoVersion));
    // Two texts whose digests begin alike: of so many, some do.
    let mut known = HashMap::new();
    let alike = (0..5_000).map(|number| format!("more {number}")).find_map(|text| {
        let digits = version_digest(&text, &[])[..4].to_owned();
        known.insert(digits.clone(), text.clone()).map(|other| (digits, other, text))
    });
    let (digits, one, other) = alike.unwrap();
    bench.put("a", &one).unwrap();
    let last = bench.put("a", &other).unwrap().version.unwrap();
    assert_eq!(found(bench, &digits), Err(StoreError::ManyVersions));
    assert_eq!(found(bench, &last), Ok(last));
}

fn a_number_is_not_taken_for_the_first_digit_of_a_version(bench: &mut Bench) {
    let versions: Vec<String> =
        (0..20).map(|text| bench.put("a", &text.to_string()).unwrap().version.unwrap()).collect();
    let found = |bench: &mut Bench, text: &str| bench.store.find_version("shop", "a", text);
    for short in ["5", "12", "abc", &versions[0][..3]] {
        assert_eq!(found(bench, short), Err(StoreError::ShortVersion), "{short}");
    }
    assert_eq!(found(bench, "#5"), Ok(versions[4].clone()));
    assert_eq!(found(bench, "#20"), Ok(versions[19].clone()));
    for none in ["#", "#0", "#21", "#x"] {
        assert_eq!(found(bench, none), Err(StoreError::NoVersion), "{none}");
    }
    bench.restore("a", Some("#5")).unwrap();
    assert_eq!(bench.content("a"), "4");
}

fn a_version_of_another_skill_is_not_taken(bench: &mut Bench) {
    let other = bench.put("b", "other").unwrap().version.unwrap();
    bench.put("a", "1").unwrap();
    assert_eq!(bench.restore("a", Some(&other)), Err(StoreError::NoVersion));
}

fn a_skill_without_history_has_nothing_to_restore(bench: &mut Bench) {
    assert_eq!(bench.restore("a", None), Err(StoreError::NoSkill));
    bench.put("a", "1").unwrap();
    assert_eq!(bench.restore("a", None), Err(StoreError::NoEarlier));
}

fn a_deleted_name_can_be_used_again_and_counts_on(bench: &mut Bench) {
    for text in ["1", "2"] {
        bench.put("a", text).unwrap();
        bench.delete("a").unwrap();
    }
    assert_eq!(bench.put("a", "3").unwrap().number, 5);
    assert_eq!(bench.names(), ["a"]);
}

fn a_version_has_its_own_files(bench: &mut Bench) {
    let one = bench.put_files("pdf", vec![file("a.md", b"1")]).unwrap().version.unwrap();
    let two = bench.put_files("pdf", vec![file("a.md", b"2"), file("b", b"")]).unwrap();
    let two = two.version.unwrap();
    let none = bench.put_files("pdf", vec![]).unwrap().version.unwrap();
    let mut files = |version: &str| bench.store.version(version).unwrap().files;
    assert_eq!(files(&one), [file("a.md", b"1")]);
    assert_eq!(files(&two), [file("a.md", b"2"), file("b", b"")]);
    assert!(files(&none).is_empty());
    bench.restore("pdf", Some(&two[..10])).unwrap();
    assert!(bench.store.skill("shop", "pdf").unwrap().bundled);
}

fn texts_are_given_by_their_digests(bench: &mut Bench) {
    let versions: Vec<String> = (0..30)
        .map(|number| bench.put(&format!("n{number}"), &format!("t{number}")).unwrap())
        .filter_map(|put| put.version)
        .collect();
    let mut wanted: Vec<&str> = versions.iter().map(String::as_str).collect();
    wanted.push("unknown");
    // More than one statement binds.
    let many: Vec<&str> = wanted.iter().copied().cycle().take(1_200).collect();
    let texts = bench.store.texts(&many).unwrap();
    assert_eq!(texts.len(), 30);
    assert_eq!(texts[&versions[7]], "t7");
    assert!(bench.store.texts(&[]).unwrap().is_empty());
}

/// Stores a text and keeps the files that are there.
fn put_text(bench: &mut Bench, content: &str) -> Result<Put, StoreError> {
    let draft = Draft {
        name: "pdf",
        description: "d",
        content,
        metadata: None,
        files: None,
        author: "ann",
        at_ms: bench.now(),
        expected: Expected::Anything,
    };
    bench.store.put("shop", &draft)
}

/// Lets rows be altered, as damage of a disk or an owner of the database can.
fn unguarded(bench: &mut Bench) {
    let is_file = matches!(bench.address, Address::Sqlite(_));
    for (trigger, table) in [("blobs_stay", "blobs"), ("versions_stay", "skill_versions")] {
        let on = if is_file { String::new() } else { format!("ON {table}") };
        script(bench, &format!("DROP TRIGGER {trigger} {on}")).unwrap();
    }
}

fn with_evil(bench: &mut Bench, sql: &str) {
    let bytes = Value::from(&b"evil"[..]);
    bench.store.write(|connection| connection.run(sql, &[bytes])).unwrap();
}

fn altered_bytes_are_not_taken_over_by_a_change_of_the_text(bench: &mut Bench) {
    unguarded(bench);
    let first = bench.put_files("pdf", vec![file("a.sh", b"1")]).unwrap().version.unwrap();
    put_text(bench, "other").unwrap();
    bench.restore("pdf", Some(&first)).unwrap();
    with_evil(bench, "UPDATE blobs SET bytes = $1");
    assert_eq!(put_text(bench, "more"), Err(StoreError::Altered));
    assert_eq!(bench.version("pdf"), first);
    bench.delete("pdf").unwrap();
}

fn what_is_there_under_a_digest_already_is_compared(bench: &mut Bench) {
    unguarded(bench);
    let digest = crate::files::digest::sha256_hex(b"1");
    with_evil(bench, &format!("INSERT INTO blobs (bytes, digest) VALUES ($1, '{digest}')"));
    let files = || vec![file("a.sh", b"1")];
    assert_eq!(bench.put_files("pdf", files()), Err(StoreError::Altered));
    assert!(bench.names().is_empty());
    script(bench, "DELETE FROM blobs").unwrap();
    bench.put_files("pdf", files()).unwrap();
    script(bench, "UPDATE skill_versions SET content = 'evil'").unwrap();
    assert_eq!(bench.put_files("pdf", files()), Err(StoreError::Altered));
}

fn an_altered_version_is_not_given_and_not_restored(bench: &mut Bench) {
    unguarded(bench);
    let first = bench.put("a", "1").unwrap().version.unwrap();
    bench.put("a", "2").unwrap();
    let alter = format!("UPDATE skill_versions SET content = 'evil' WHERE digest = '{first}'");
    script(bench, &alter).unwrap();
    assert_eq!(bench.store.version(&first).err(), Some(StoreError::Altered));
    assert_eq!(bench.restore("a", None), Err(StoreError::Altered));
    assert_eq!(bench.content("a"), "2");
}
