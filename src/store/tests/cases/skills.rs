//! What is stored of a skill: its name, text, metadata and files.

use super::*;

pub(super) fn all() -> Vec<Case> {
    let mut all: Vec<Case> = cases![
        a_stored_skill_is_read_as_it_was_written,
        a_name_is_one_name_trimmed_and_in_small_letters,
        the_newest_spelling_of_a_name_counts,
        skills_are_listed_by_their_compared_names,
        the_same_again_is_no_change,
        other_metadata_are_a_change,
        metadata_stay_if_none_are_given,
        a_name_is_refused_if_no_file_could_have_it,
        a_text_without_nul_is_stored_byte_by_byte,
        a_text_may_be_a_mebibyte,
        metadata_are_an_object,
        files_are_kept_once_and_come_back_in_order,
        files_that_break_the_rules_are_not_stored,
        a_put_without_files_keeps_them,
        nothing_has_a_name_with_nul,
    ];
    // Names and texts that statements, encodings and file systems could take differently.
    for (number, odd) in ODD.iter().enumerate() {
        let case = move |bench: &mut Bench| odd_text(bench, odd);
        all.push((format!("an odd text is a text like any other, {number}"), Box::new(case)));
    }
    all
}

const ODD: [&str; 12] = [
    "'; DROP TABLE projects; --",
    "$1 $2 ?1 :name @name",
    "\\x41 \\u0041 \\",
    "100% _ %",
    "日本語 ü 🦀",
    "e\u{301} É",
    "\u{202e}tfel",
    "\t\r\n\u{7f}",
    "\"quoted\" `ticks`",
    "NULL",
    "--\n/* */",
    "İI ıi ß ẞ",
];

fn odd_text(bench: &mut Bench, odd: &str) {
    bench.put("a", odd).unwrap();
    assert_eq!(bench.content("a"), odd);
    let author = bench.put_as(odd, "b", "x", Expected::Anything).unwrap();
    assert!(author.changed);
    assert_eq!(bench.store.skill("shop", "b").unwrap().author, odd);
    if !odd.chars().any(char::is_control) {
        bench.put(odd, "named").unwrap();
        assert_eq!(bench.content(odd), "named");
        assert_eq!(bench.content(&odd.to_lowercase()), "named");
        let row = bench.store.skill("shop", odd).unwrap();
        assert_eq!((row.name.as_str(), row.name_norm), (odd.trim(), normalized(odd)));
        bench.delete(odd).unwrap();
    }
    assert_eq!(bench.names(), ["a", "b"]);
}

fn a_stored_skill_is_read_as_it_was_written(bench: &mut Bench) {
    let put = bench.put(" PDF ", "---\nname: PDF\n---\n").unwrap();
    let skill = bench.store.skill("shop", "pdf").unwrap();
    assert_eq!((skill.name.as_str(), skill.name_norm.as_str()), ("PDF", "pdf"));
    assert_eq!((skill.description.as_str(), skill.metadata.as_str()), ("d", "{}"));
    assert_eq!((skill.number, skill.author.as_str(), skill.bundled), (1, "ann", false));
    assert_eq!((Some(&skill.version), skill.bytes), (put.version.as_ref(), 18));
    assert_eq!(skill.version, version_digest("---\nname: PDF\n---\n", &[]));
    assert_eq!((put.previous, put.changed, put.revision), (None, true, 2));
}

fn a_name_is_one_name_trimmed_and_in_small_letters(bench: &mut Bench) {
    bench.put("PDF Forms", "1").unwrap();
    for name in ["pdf forms", "  PDF FORMS\u{3000}", "Pdf Forms"] {
        assert_eq!(bench.content(name), "1", "{name}");
    }
    assert_eq!(bench.store.skill("shop", "pdfforms").err(), Some(StoreError::NoSkill));
}

fn the_newest_spelling_of_a_name_counts(bench: &mut Bench) {
    bench.put("pdf", "1").unwrap();
    bench.put("PDF", "2").unwrap();
    assert_eq!(bench.names(), ["PDF"]);
    assert_eq!(bench.content("pdf"), "2");
}

fn skills_are_listed_by_their_compared_names(bench: &mut Bench) {
    for name in ["b", "C", "a", "Ä", "_", "B2"] {
        bench.put(name, name).unwrap();
    }
    assert_eq!(bench.names(), ["_", "a", "b", "B2", "C", "Ä"]);
}

fn the_same_again_is_no_change(bench: &mut Bench) {
    let first = bench.put("a", "x").unwrap();
    let again = bench.put("A", "x").unwrap();
    assert!(!again.changed);
    assert_eq!((again.version, again.revision), (first.version, first.revision));
    assert_eq!(bench.store.history("shop", Some("a"), 9).unwrap().len(), 1);
}

fn other_metadata_are_a_change(bench: &mut Bench) {
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    assert!(!with_metadata(bench, Some("{\"a\":1}")).unwrap().changed);
    assert!(with_metadata(bench, Some("{\"a\":2}")).unwrap().changed);
    assert_eq!(bench.store.skill("shop", "a").unwrap().metadata, "{\"a\":2}");
}

fn metadata_stay_if_none_are_given(bench: &mut Bench) {
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    bench.put("a", "another text").unwrap();
    assert_eq!(bench.store.skill("shop", "a").unwrap().metadata, "{\"a\":1}");
}

fn a_name_is_refused_if_no_file_could_have_it(bench: &mut Bench) {
    for name in ["", "   ", "a\nb", "a\u{0}b", "\u{1b}[31m", &"x".repeat(65)] {
        assert_eq!(bench.put(name, "x"), Err(StoreError::SkillName), "{name:?}");
    }
    bench.put(&"ü".repeat(64), "x").unwrap();
    assert_eq!(bench.names().len(), 1);
}

fn a_text_without_nul_is_stored_byte_by_byte(bench: &mut Bench) {
    let all: String = (1..=0xffff).filter_map(char::from_u32).collect();
    bench.put("a", &all).unwrap();
    assert!(bench.content("a") == all);
    assert_eq!(bench.put("a", "x\0y"), Err(StoreError::Nul));
    bench.put("a", "").unwrap();
    assert_eq!(bench.content("a"), "");
}

fn a_text_may_be_a_mebibyte(bench: &mut Bench) {
    let text = "x".repeat(1 << 20);
    bench.put("a", &text).unwrap();
    assert!(bench.content("a") == text);
    assert_eq!(bench.put("a", &(text + "x")), Err(StoreError::TooLarge));
}

fn metadata_are_an_object(bench: &mut Bench) {
    for metadata in ["", "[]", "1", "\"a\"", "{", "null"] {
        assert_eq!(with_metadata(bench, Some(metadata)), Err(StoreError::Metadata), "{metadata}");
    }
    with_metadata(bench, Some("{\"a\":\"\u{20ac}\"}")).unwrap();
}

fn files_are_kept_once_and_come_back_in_order(bench: &mut Bench) {
    let all: Vec<u8> = (0..=255).collect();
    let files = vec![file("scripts/b.sh", &all), file("a.md", b"a"), file("copy.md", b"a")];
    let put = bench.put_files("pdf", files).unwrap();
    let version = bench.store.version(&put.version.unwrap()).unwrap();
    let seen: Vec<_> = version.files.iter().map(|it| (it.path.as_str(), it.executable)).collect();
    assert_eq!(seen, [("a.md", false), ("copy.md", false), ("scripts/b.sh", true)]);
    assert_eq!(version.files[2].bytes, all);
    assert!(bench.store.skill("shop", "pdf").unwrap().bundled);
    let blobs = bench
        .store
        .read(|connection| Ok(connection.rows("SELECT digest FROM blobs", &[])?.len()))
        .unwrap();
    assert_eq!(blobs, 2);
}

fn files_that_break_the_rules_are_not_stored(bench: &mut Bench) {
    for path in ["../a", "/a", "SKILL.md", "a\\b", "a/./b"] {
        let put = bench.put_files("pdf", vec![file(path, b"x")]);
        assert!(matches!(put, Err(StoreError::Bundle(_))), "{path}");
    }
    assert!(bench.names().is_empty());
}

fn a_put_without_files_keeps_them(bench: &mut Bench) {
    let file = BundleFile { path: "f".into(), bytes: b"bytes".to_vec(), executable: true };
    bench.put_files("a", vec![file.clone()]).unwrap();
    let at_ms = bench.now();
    let draft = Draft {
        name: "a",
        description: "d",
        content: "another text",
        metadata: None,
        files: None,
        author: "ann",
        at_ms,
        expected: Expected::Anything,
    };
    let version = bench.store.put("shop", &draft).unwrap().version.unwrap();
    assert_eq!(bench.store.version(&version).unwrap().files, [file]);
    assert!(!bench.store.put("shop", &draft).unwrap().changed);
    let new = bench.store.put("shop", &Draft { name: "new", ..draft }).unwrap().version.unwrap();
    assert_eq!(bench.store.version(&new).unwrap().files, []);
}

fn nothing_has_a_name_with_nul(bench: &mut Bench) {
    assert_eq!(bench.store.skills("shop\0").err(), Some(StoreError::NoProject));
    assert_eq!(bench.store.skill("shop", "a\0").err(), Some(StoreError::NoSkill));
    assert_eq!(bench.delete("a\0").err(), Some(StoreError::NoSkill));
    let deleted = bench.store.delete("shop\0", "a", "ann", 1, Expected::Anything);
    assert_eq!(deleted.err(), Some(StoreError::NoProject));
}
