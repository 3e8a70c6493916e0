//! The cases that stand for themselves.

use super::*;

macro_rules! cases {
    ($($name:ident),+ $(,)?) => {
        vec![$((stringify!($name).to_owned(), Box::new($name) as Box<dyn Fn(&mut Bench)>)),+]
    };
}

pub(super) fn all() -> Vec<Case> {
    let mut all: Vec<Case> = cases![
        a_new_project_is_empty,
        a_project_is_there_once,
        a_project_has_a_plain_name,
        projects_are_listed_by_name_with_their_precedence,
        an_unknown_project_is_an_error_everywhere,
        a_removed_project_had_no_skills_and_leaves_its_log,
        a_project_made_again_is_another_one,
        a_stored_skill_is_read_as_it_was_written,
        a_name_is_one_name_trimmed_and_in_small_letters,
        the_newest_spelling_of_a_name_counts,
        skills_are_listed_by_their_compared_names,
        two_projects_do_not_see_each_other,
        the_same_again_is_no_change,
        other_metadata_are_a_change,
        metadata_stay_if_none_are_given,
        a_name_is_refused_if_no_file_could_have_it,
        a_text_without_nul_is_stored_byte_by_byte,
        a_text_may_be_a_mebibyte,
        metadata_are_an_object,
        what_others_have_changed_is_not_overwritten,
        only_a_new_skill_is_stored_if_none_is_expected,
        a_deleted_skill_is_gone_and_its_version_stays,
        a_skill_that_is_not_there_is_not_deleted,
        what_was_deleted_comes_back,
        a_restore_without_a_version_takes_the_one_before,
        a_version_is_found_by_its_first_digits,
        a_version_of_another_skill_is_not_taken,
        a_skill_without_history_has_nothing_to_restore,
        a_deleted_name_can_be_used_again_and_counts_on,
        files_are_kept_once_and_come_back_in_order,
        a_version_has_its_own_files,
        files_that_break_the_rules_are_not_stored,
        the_log_says_who_did_what_and_when,
        the_log_of_one_skill_is_its_own,
        the_log_is_cut_at_its_newest,
        the_log_has_no_text,
        undo_takes_back_ones_own_newest_change,
        undo_of_a_first_put_removes_the_skill,
        undo_of_a_delete_brings_the_skill_back,
        undo_goes_back_further_each_time,
        undo_goes_back_to_the_first_of_many_changes,
        undo_does_not_touch_what_others_have_changed,
        undo_of_one_skill_reaches_behind_what_others_have_changed,
        a_restored_version_has_the_metadata_that_it_had_last,
        a_projects_newest_change_is_known,
        undo_without_a_change_is_an_error,
        undo_and_restore_bring_metadata_back,
        undo_does_not_touch_metadata_of_others,
        undo_goes_on_behind_metadata_that_were_not_kept,
        a_put_without_files_keeps_them,
        nothing_has_a_name_with_nul,
        every_change_raises_the_projects_count,
        texts_are_given_by_their_digests,
        a_store_opens_again_with_everything_in_it,
        a_store_that_is_newer_is_not_touched,
        a_store_whose_tables_are_others_is_not_touched,
        the_log_cannot_be_rewritten,
        a_failed_change_leaves_nothing,
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

fn file(path: &str, bytes: &[u8]) -> BundleFile {
    BundleFile { path: path.to_owned(), bytes: bytes.to_vec(), executable: path.ends_with(".sh") }
}

fn a_new_project_is_empty(bench: &mut Bench) {
    let (project, skills) = bench.store.skills("shop").unwrap();
    assert_eq!((project.name.as_str(), project.revision, project.skills), ("shop", 1, 0));
    assert!(skills.is_empty());
}

fn a_project_is_there_once(bench: &mut Bench) {
    let new = NewProject { name: "shop", precedence: Precedence::Under, author: "b", at_ms: 1 };
    assert_eq!(bench.store.create_project(&new), Err(StoreError::ProjectExists));
    assert_eq!(bench.store.project("shop").unwrap().precedence, Precedence::Over);
}

fn a_project_has_a_plain_name(bench: &mut Bench) {
    for name in ["", "a b", "a/b", "ü", "a\n", &"x".repeat(65)] {
        let new = NewProject { name, precedence: Precedence::Over, author: "b", at_ms: 1 };
        assert_eq!(bench.store.create_project(&new), Err(StoreError::ProjectName), "{name:?}");
    }
}

fn projects_are_listed_by_name_with_their_precedence(bench: &mut Bench) {
    for (name, precedence) in [("b", Precedence::Under), ("Z", Precedence::Error)] {
        let new = NewProject { name, precedence, author: "bob", at_ms: 7 };
        bench.store.create_project(&new).unwrap();
    }
    bench.put("a", "x").unwrap();
    let all = bench.store.projects().unwrap();
    let seen: Vec<_> =
        all.iter().map(|it| (it.name.as_str(), it.precedence.word(), it.skills)).collect();
    assert_eq!(seen, [("Z", "error", 0), ("b", "under", 0), ("shop", "over", 1)]);
    assert_eq!((all[0].created_by.as_str(), all[0].created_ms), ("bob", 7));
}

fn an_unknown_project_is_an_error_everywhere(bench: &mut Bench) {
    let store = &mut bench.store;
    let missing = StoreError::NoProject;
    assert_eq!(store.project("x").err(), Some(missing.clone()));
    assert_eq!(store.skills("x").err(), Some(missing.clone()));
    assert_eq!(store.skill("x", "a").err(), Some(missing.clone()));
    assert_eq!(store.history("x", None, 9).err(), Some(missing.clone()));
    assert_eq!(store.undo("x", None, "ann", 1).err(), Some(missing.clone()));
    assert_eq!(store.remove_project("x", "ann", 1).err(), Some(missing.clone()));
    assert_eq!(store.restore("x", "a", None, "ann", 1).err(), Some(missing.clone()));
    assert_eq!(store.delete("x", "a", "ann", 1, Expected::Anything).err(), Some(missing));
}

fn a_removed_project_had_no_skills_and_leaves_its_log(bench: &mut Bench) {
    bench.put("a", "x").unwrap();
    let version = bench.store.skill("shop", "a").unwrap().version;
    let refused = bench.store.remove_project("shop", "bob", 9);
    assert_eq!(refused, Err(StoreError::ProjectHasSkills));
    bench.store.delete("shop", "a", "ann", 8, Expected::Anything).unwrap();
    bench.store.remove_project("shop", "bob", 9).unwrap();
    assert_eq!(bench.store.project("shop").err(), Some(StoreError::NoProject));
    let (skills, log) = bench
        .store
        .read(|connection| {
            let count = |rows: Vec<database::Row>| rows.len();
            let skills = connection.rows("SELECT name FROM project_skills", &[])?;
            let log = connection.rows("SELECT seq FROM changes", &[])?;
            Ok((count(skills), count(log)))
        })
        .unwrap();
    assert_eq!((skills, log), (0, 4), "created, put, deleted, removed");
    assert_eq!(bench.store.version(&version).unwrap().content, "x");
}

fn a_project_made_again_is_another_one(bench: &mut Bench) {
    bench.put("a", "x").unwrap();
    let before = bench.store.project("shop").unwrap();
    bench.store.delete("shop", "a", "ann", 8, Expected::Anything).unwrap();
    bench.store.remove_project("shop", "ann", 9).unwrap();
    bench.create("shop");
    let after = bench.store.project("shop").unwrap();
    assert!(before.id != after.id && after.skills == 0);
    assert_eq!(bench.restore("a", None), Err(StoreError::NoSkill));
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

fn two_projects_do_not_see_each_other(bench: &mut Bench) {
    bench.create("other");
    let put = bench.put("a", "x").unwrap();
    assert!(bench.store.skills("other").unwrap().1.is_empty());
    assert_eq!(bench.store.skill("other", "a").err(), Some(StoreError::NoSkill));
    let version = put.version.unwrap();
    assert_eq!(
        bench.store.restore("other", "a", Some(&version), "ann", 1),
        Err(StoreError::NoVersion)
    );
    assert_eq!(bench.store.history("other", None, 9).unwrap().len(), 1);
}

fn the_same_again_is_no_change(bench: &mut Bench) {
    let first = bench.put("a", "x").unwrap();
    let again = bench.put("A", "x").unwrap();
    assert!(!again.changed);
    assert_eq!((again.version, again.revision), (first.version, first.revision));
    assert_eq!(bench.store.history("shop", Some("a"), 9).unwrap().len(), 1);
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
    for number in 0..40 {
        bench.put("a", &format!("more {number}")).unwrap();
    }
    assert_eq!(found(bench, &first), Ok(first.clone()));
    // Of 42 digests at least three begin with one digit.
    let several = (0..16)
        .filter(|digit| found(bench, &format!("{digit:x}")) == Err(StoreError::ManyVersions));
    assert!(several.count() > 0);
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

fn files_that_break_the_rules_are_not_stored(bench: &mut Bench) {
    for path in ["../a", "/a", "SKILL.md", "a\\b", "a/./b"] {
        let put = bench.put_files("pdf", vec![file(path, b"x")]);
        assert!(matches!(put, Err(StoreError::Bundle(_))), "{path}");
    }
    assert!(bench.names().is_empty());
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

fn undo(bench: &mut Bench, author: &str) -> Result<Put, StoreError> {
    let at_ms = bench.now();
    bench.store.undo("shop", None, author, at_ms).map(|(_, put)| put)
}

fn undo_takes_back_ones_own_newest_change(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    bench.put("a", "2").unwrap();
    bench.put_as("bob", "b", "1", Expected::Anything).unwrap();
    let at_ms = bench.now();
    let tried = bench.store.dry_run(|store| store.undo("shop", None, "ann", at_ms));
    let (change, _) = tried.as_ref().unwrap();
    assert_eq!((change.seq, change.name_norm.as_str()), (3, "a"));
    assert_eq!(bench.content("a"), "2", "a dry run changes nothing");
    assert_eq!(bench.store.undo("shop", None, "ann", at_ms), tried);
    assert_eq!((bench.content("a").as_str(), bench.names().len()), ("1", 2));
    let log = bench.store.history("shop", None, 1).unwrap();
    assert_eq!((log[0].action, log[0].undoes), (Action::Undo, Some(3)));
}

fn undo_of_a_first_put_removes_the_skill(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    assert_eq!(undo(bench, "ann").unwrap().version, None);
    assert!(bench.names().is_empty());
}

fn undo_of_a_delete_brings_the_skill_back(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    bench.delete("a").unwrap();
    undo(bench, "ann").unwrap();
    assert_eq!(bench.content("a"), "1");
}

fn undo_goes_back_further_each_time(bench: &mut Bench) {
    for text in ["1", "2", "3"] {
        bench.put("a", text).unwrap();
    }
    for text in ["2", "1"] {
        undo(bench, "ann").unwrap();
        assert_eq!(bench.content("a"), text);
    }
    undo(bench, "ann").unwrap();
    assert!(bench.names().is_empty());
    assert_eq!(undo(bench, "ann"), Err(StoreError::NothingToUndo));
}

fn undo_goes_back_to_the_first_of_many_changes(bench: &mut Bench) {
    for number in 0..120 {
        bench.put("a", &number.to_string()).unwrap();
    }
    for number in (0..119).rev() {
        undo(bench, "ann").unwrap();
        assert_eq!(bench.content("a"), number.to_string());
    }
    undo(bench, "ann").unwrap();
    assert_eq!(undo(bench, "ann"), Err(StoreError::NothingToUndo));
}

fn undo_does_not_touch_what_others_have_changed(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    bench.put_as("bob", "a", "2", Expected::Anything).unwrap();
    let Err(StoreError::Overtaken(found)) = undo(bench, "ann") else { panic!() };
    let Overtaken { change, by } = *found;
    assert_eq!((change.number, change.name_norm.as_str(), by.as_str()), (1, "a", "bob"));
    assert_eq!(bench.content("a"), "2");
}

fn undo_and_restore_bring_metadata_back(bench: &mut Bench) {
    let metadata = |bench: &mut Bench| bench.store.skill("shop", "a").unwrap().metadata;
    with_metadata(bench, Some("{}")).unwrap();
    for number in 1..=3 {
        with_metadata(bench, Some(&format!("{{\"a\":{number}}}"))).unwrap();
    }
    assert!(undo(bench, "ann").unwrap().changed);
    assert_eq!(metadata(bench), "{\"a\":2}");
    assert!(undo(bench, "ann").unwrap().changed);
    assert_eq!(metadata(bench), "{\"a\":1}");
    bench.delete("a").unwrap();
    undo(bench, "ann").unwrap();
    assert_eq!(metadata(bench), "{\"a\":1}");
    bench.delete("a").unwrap();
    bench.restore("a", None).unwrap();
    assert_eq!(metadata(bench), "{\"a\":1}");
    // The restore, and the deletion.
    undo(bench, "ann").unwrap();
    undo(bench, "ann").unwrap();
    undo(bench, "ann").unwrap();
    assert_eq!(metadata(bench), "{}");
    assert_eq!(undo(bench, "ann").unwrap().version, None);
    assert_eq!(undo(bench, "ann"), Err(StoreError::NothingToUndo));
}

fn undo_does_not_touch_metadata_of_others(bench: &mut Bench) {
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    with_metadata(bench, Some("{\"a\":2}")).unwrap();
    let (at_ms, files) = (bench.now(), Bundle::default());
    let draft = Draft {
        name: "a",
        description: "d",
        content: "x",
        metadata: Some("{\"a\":3}"),
        files: Some(&files),
        author: "bob",
        at_ms,
        expected: Expected::Anything,
    };
    bench.store.put("shop", &draft).unwrap();
    assert!(matches!(undo(bench, "ann"), Err(StoreError::Overtaken(_))));
}

fn undo_of_one_skill_reaches_behind_what_others_have_changed(bench: &mut Bench) {
    bench.put("b", "1").unwrap();
    bench.put("B", "2").unwrap();
    bench.put("a", "1").unwrap();
    bench.put_as("bob", "a", "2", Expected::Anything).unwrap();
    let mut undo_of = |name: &str| {
        let at_ms = bench.now();
        let done = bench.store.undo("shop", Some(name), "ann", at_ms);
        done.map(|(change, put)| (change.name_norm, put.version.is_some()))
    };
    assert!(matches!(undo_of("a"), Err(StoreError::Overtaken(_))));
    assert_eq!(undo_of(" B "), Ok(("b".to_owned(), true)));
    assert_eq!(undo_of("b"), Ok(("b".to_owned(), false)));
    for none in ["b", "c", "\0"] {
        assert_eq!(undo_of(none), Err(StoreError::NothingToUndo), "{none:?}");
    }
}

fn a_restored_version_has_the_metadata_that_it_had_last(bench: &mut Bench) {
    let metadata = |bench: &mut Bench| bench.store.skill("shop", "a").unwrap().metadata;
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    with_metadata(bench, Some("{\"a\":2}")).unwrap();
    let with = bench.version("a");
    bench.put("a", "other").unwrap();
    let other = bench.version("a");
    let (at_ms, files) = (bench.now(), Bundle::default());
    let content = bench.store.version(&other).unwrap().content;
    let draft = Draft {
        name: "a",
        description: "d",
        content: &content,
        metadata: Some("{\"a\":3}"),
        files: Some(&files),
        author: "ann",
        at_ms,
        expected: Expected::Anything,
    };
    bench.store.put("shop", &draft).unwrap();
    bench.restore("a", Some(&with)).unwrap();
    assert_eq!(metadata(bench), "{\"a\":2}");
    bench.restore("a", Some(&other)).unwrap();
    assert_eq!(metadata(bench), "{\"a\":3}");
}

fn a_projects_newest_change_is_known(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    let project = |bench: &mut Bench| bench.store.project("shop").unwrap();
    let before = project(bench);
    bench.put("a", "2").unwrap();
    let now = project(bench);
    assert!(before.newest != now.newest && now.newest.contains(&bench.version("a")));
    assert_eq!(project(bench), now);
    bench.delete("a").unwrap();
    assert!(project(bench).newest.contains(" - a "));
}

fn undo_goes_on_behind_metadata_that_were_not_kept(bench: &mut Bench) {
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    with_metadata(bench, Some("{\"a\":2}")).unwrap();
    // As an older program leaves it.
    let old = |connection: &mut dyn Connection| {
        connection.run("DELETE FROM project_skills WHERE deleted_ms IS NOT NULL", &[])
    };
    bench.store.write(old).unwrap();
    assert!(!undo(bench, "ann").unwrap().changed);
    assert_eq!(undo(bench, "ann").unwrap().version, None);
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

fn undo_without_a_change_is_an_error(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    assert_eq!(undo(bench, "bob"), Err(StoreError::NothingToUndo));
}

fn every_change_raises_the_projects_count(bench: &mut Bench) {
    let mut last = bench.store.project("shop").unwrap().revision;
    let mut raised = |bench: &mut Bench| {
        let now = bench.store.project("shop").unwrap().revision;
        let by = now - last;
        last = now;
        by
    };
    bench.put("a", "1").unwrap();
    assert_eq!(raised(bench), 1);
    bench.put("a", "1").unwrap();
    assert_eq!(raised(bench), 0);
    bench.delete("a").unwrap();
    bench.restore("a", None).unwrap();
    assert_eq!(raised(bench), 2);
    bench.delete("none").unwrap_err();
    assert_eq!(raised(bench), 0);
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

fn a_store_opens_again_with_everything_in_it(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    for open in [Open::Existing, Open::OrCreate] {
        bench.store = Store::open(&bench.address, open).unwrap();
        assert_eq!(bench.content("a"), "1");
    }
}

fn script(bench: &mut Bench, sql: &str) -> Result<(), StoreError> {
    bench.store.write(|connection| connection.script(sql))
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
