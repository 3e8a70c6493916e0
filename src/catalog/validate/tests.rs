//! The lenient and the strict check, by the rows of the requirements.

use super::*;
use proptest::prelude::*;

fn lenient(frontmatter: &str, directory: &str) -> Examined {
    examine(format!("---\n{frontmatter}\n---\nbody\n").as_bytes(), directory, FILE_NAME)
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(Diagnostic::code).collect()
}

/// The codes of both checks for a name in a directory, with a valid description.
fn name_codes(name: &str, directory: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let file = format!("---\nname: {name}\ndescription: d\n---\n");
    let both = (
        examine(file.as_bytes(), directory, FILE_NAME),
        strict(file.as_bytes(), directory, FILE_NAME),
    );
    (codes(&both.0.diagnostics), codes(&both.1.diagnostics))
}

#[test]
fn cod_5_3_names_follow_the_specification() {
    for good in ["a", "pdf-tools", "a1-b2", "123", &"a".repeat(64)] {
        assert_eq!(name_codes(good, good), (vec![], vec![]), "{good}");
    }
    for (name, directory, expected) in [
        ("PDF", "PDF", vec!["name-case"]),
        ("a_b", "a_b", vec!["name-chars"]),
        ("-a", "-a", vec!["name-hyphen-edge"]),
        ("a-", "a-", vec!["name-hyphen-edge"]),
        ("a--b", "a--b", vec!["name-double-hyphen"]),
        ("a", "b", vec!["name-dir-mismatch"]),
        (&"a".repeat(65), &"a".repeat(65), vec!["name-length"]),
        ("PDF Old", "pdf", vec!["name-case", "name-chars", "name-dir-mismatch"]),
    ] {
        assert_eq!(name_codes(name, directory), (expected.clone(), expected), "{name}");
    }
}

#[test]
fn rem_4_3_letters_of_other_scripts_are_a_warning_only_in_the_lenient_grade() {
    assert_eq!(name_codes("навык", "навык"), (vec!["name-ascii"], vec![]));
    assert_eq!(name_codes("a\u{b2}", "a2"), (vec!["name-ascii"], vec![]));
    assert_eq!(name_codes("🚀", "🚀"), (vec!["name-chars"], vec!["name-chars"]));
}

#[test]
fn cod_5_3_a_names_finding_points_at_its_value() {
    let examined = lenient("license: MIT\nname:  PDF_Old", "PDF_Old");
    let case =
        examined.diagnostics.iter().find(|diagnostic| diagnostic.code() == "name-case").unwrap();
    assert_eq!(case.place, Place { line: 3, column: 8, width: 7 });
}

#[test]
fn a_missing_name_falls_back_to_the_directorys() {
    for (frontmatter, code) in [
        ("description: d", "name-missing"),
        ("name:\ndescription: d", "name-empty"),
        ("name: ' '\ndescription: d", "name-empty"),
        ("name: [x]\ndescription: d", "name-empty"),
    ] {
        let examined = lenient(frontmatter, "pdf");
        assert_eq!((examined.name.as_str(), examined.name_from_directory), ("pdf", true));
        assert_eq!(codes(&examined.diagnostics), [code]);
    }
    assert!(!lenient("name: ' pdf '\ndescription: d", "pdf").name_from_directory);
}

#[test]
fn cod_5_3b_descriptions_have_1_to_1024_characters() {
    let described = |description: &str| {
        let file = format!("---\nname: a\ndescription: {description}\n---\n");
        let both =
            (examine(file.as_bytes(), "a", FILE_NAME), strict(file.as_bytes(), "a", FILE_NAME));
        assert_eq!(codes(&both.0.diagnostics), codes(&both.1.diagnostics), "{description}");
        codes(&both.0.diagnostics)
    };
    assert_eq!(described(&"ü".repeat(1_024)), Vec::<&str>::new());
    assert_eq!(described(&"ü".repeat(1_025)), ["desc-length"]);
    assert_eq!(described(&format!("\"{} \"", "x".repeat(1_024))), ["desc-length"]);
    for empty in ["", "''", "\" \"", ">", "\n- x", "\n  x: y"] {
        assert_eq!(described(empty), ["desc-empty"], "{empty}");
    }
    assert_eq!(codes(&lenient("name: a", "a").diagnostics), ["desc-missing"]);
}

#[test]
fn kod_4_frontmatter_and_description_are_needed_to_be_offered() {
    let severities = |file: &str| {
        let examined = examine(file.as_bytes(), "a", FILE_NAME);
        let errors = examined
            .diagnostics
            .into_iter()
            .filter(|diagnostic| diagnostic.severity() == Severity::Error);
        errors.map(|diagnostic| diagnostic.code()).collect::<Vec<_>>()
    };
    assert_eq!(severities("# Title"), ["no-frontmatter"]);
    assert_eq!(severities("\n---\nname: a\n---\n"), ["no-frontmatter"]);
    assert_eq!(severities("---\nname: a\n"), ["unclosed"]);
    assert_eq!(severities("---\n---\n"), ["not-mapping"]);
    assert_eq!(severities("---\nname: a\n---\n"), ["desc-missing"]);
    assert_eq!(severities("---\nname: a\ndescription:\n---\n"), ["desc-empty"]);
    assert_eq!(severities(""), ["file-empty"]);
    assert_eq!(
        severities("---\nname: Any Thing_\ndescription: d\nfoo: bar\n---\n"),
        Vec::<&str>::new()
    );
}

#[test]
fn cod_5_3c_known_keys_are_no_warning_and_others_one_each() {
    let known = "name: a\ndescription: d\nversion: 1\nlicense: MIT\nmetadata:\n  short-description: x\nmodel: m\n\
                 when_to_use: w\ndisable-model-invocation: true\ncompatibility: c\nallowed-tools: Read";
    assert_eq!(codes(&lenient(known, "a").diagnostics), Vec::<&str>::new());
    let examined = lenient("name: a\ndescription: d\nauthor: x\ntags: y", "a");
    assert_eq!(codes(&examined.diagnostics), ["unexpected-fields"; 2]);
    assert_eq!(examined.diagnostics[1].place, Place { line: 5, column: 1, width: 4 });
    assert_eq!(examined.fields, ["name", "description", "author", "tags"]);
}

#[test]
fn strict_names_all_unknown_keys_in_one_finding_as_the_reference_does() {
    let verdict =
        strict(b"---\nname: a\nversion: 1\ndescription: d\nauthor: x\n---", "a", FILE_NAME);
    let message = "Unexpected fields in frontmatter: author, version. Only ['allowed-tools', 'compatibility', \
                   'description', 'license', 'metadata', 'name'] are allowed.";
    assert_eq!(verdict.messages, [message]);
    assert_eq!(verdict.diagnostics[0].place, Place { line: 3, column: 1, width: 7 });
}

#[test]
fn compatibility_and_metadata_have_a_type() {
    let long = format!("compatibility: {}", "x".repeat(501));
    for (field, lenient_codes, strict_codes) in [
        ("compatibility:", vec![], vec![]),
        (long.as_str(), vec!["compat-length"], vec!["compat-length"]),
        ("compatibility:\n- x", vec!["compat-type"], vec!["compat-type"]),
        ("metadata: x", vec!["metadata-type"], vec![]),
        ("metadata:\n  a:\n    b: c", vec!["metadata-type"], vec![]),
        ("license:\n  a: b", vec![], vec![]),
    ] {
        let file = format!("---\nname: a\ndescription: d\n{field}\n---\n");
        assert_eq!(
            codes(&examine(file.as_bytes(), "a", FILE_NAME).diagnostics),
            lenient_codes,
            "{field}"
        );
        assert_eq!(
            codes(&strict(file.as_bytes(), "a", FILE_NAME).diagnostics),
            strict_codes,
            "{field}"
        );
    }
}

#[test]
fn optional_fields_become_properties() {
    let yaml = "license: MIT\ncompatibility: git\nmetadata:\n  v: 1.10\n  r: {bins: [uv]}\nallowed-tools: Bash(git:*) Read";
    let properties = lenient(yaml, "a").properties;
    assert_eq!((properties.license(), properties.compatibility()), (Some("MIT"), Some("git")));
    assert!(properties.metadata().eq([("v", "1.10"), ("r", "{bins: [uv]}")]));
    assert!(properties.allowed_tools().eq(["Bash(git:*)", "Read"]));
    let listed = lenient("allowed-tools:\n- Read\n- Bash(a b)", "a").properties;
    assert!(listed.allowed_tools().eq(["Read", "Bash(a b)"]));
}

#[test]
fn diagnostics_stand_in_file_order() {
    let examined = lenient("zzz: 1\nname: A_\ncompatibility:\n- x\nyyy: 2", "a");
    let places: Vec<_> = examined.diagnostics.iter().map(|diagnostic| diagnostic.place).collect();
    assert!(places.is_sorted() && places.len() > 5, "{places:?}");
}

/// Where the strict check differs from the reference, with the reference's verdict and our reason.
#[test]
fn strict_parts_from_the_reference_only_here() {
    let file = |yaml: &str| format!("---\nname: a\n{yaml}\n---\n").into_bytes();
    let marked = [b"\xef\xbb\xbf", &file("description: d")[..]].concat();
    let deep: String = (1..40).map(|i| format!("{}k:\n", " ".repeat(i))).collect();
    for (bytes, file_name, ours, reference) in [
        // Findings of our own, on purpose.
        (marked, FILE_NAME, "bom", "invalid, but as no-frontmatter: the cure would be wrong"),
        (
            file("description: d"),
            "skill.md",
            "file-case",
            "valid: it takes either name, most agents do not",
        ),
        // The reference crashes, and we report a finding.
        (b"---\nname: \xff\n---\n".to_vec(), FILE_NAME, "encoding", "crashes"),
        (file("description: \0"), FILE_NAME, "yaml:control", "crashes"),
        (file("? - a\n: b"), FILE_NAME, "yaml:syntax", "crashes"),
        // The limits on size, depth, nodes and aliases.
        (
            file(&format!("description: d\nmetadata:\n{deep}")),
            FILE_NAME,
            "yaml-budget",
            "valid: it has no limits",
        ),
        // Corners of YAML 1.1 that are not followed.
        (
            file("description: 'd'#c"),
            FILE_NAME,
            "yaml:syntax",
            "valid: a comment may touch a quote",
        ),
        (
            file("description:\u{2028} 'd'"),
            FILE_NAME,
            "yaml:syntax",
            "valid: that character ends a line",
        ),
        (file("description: ="), FILE_NAME, "", "invalid: = is a value of an unknown type"),
    ] {
        let verdict = strict(&bytes, "a", file_name);
        assert_eq!(codes(&verdict.diagnostics).join(" "), ours, "the reference: {reference}");
    }
}

/// Verdicts taken from skills-ref with strictyaml 1.7.3.
#[test]
fn strict_yaml_is_that_of_the_reference() {
    for (yaml, expected) in [
        ("description: [a]", "yaml:flow-mapping"),
        ("description: {a: b}", "yaml:flow-mapping"),
        ("description: &a b", "yaml:anchor"),
        ("description: *a", "yaml:anchor"),
        ("description: !a b", "yaml:tag"),
        ("description: d\nname: b", "yaml:duplicate-key"),
        ("description: d\nmetadata:\n  a:\n    b: c\n    b: d", "yaml:duplicate-key"),
        ("description: d\nmetadata:\n  a:\n    b: c\n  d:\n      e: f", "yaml:indentation"),
        ("description: x: y", "yaml:syntax"),
        ("description: @x", "yaml:syntax"),
        ("description: \"x", "yaml:syntax"),
        ("description: \"a --- b\"", "yaml:syntax"),
        ("description:\tx", "yaml:syntax"),
        ("description: x\ty", "yaml:syntax"),
        ("description: d\n...\nfoo", "yaml:syntax"),
        ("description: d\nmetadata:\n  <<: x", "yaml:syntax"),
        ("description: d\n? a: b", "yaml:syntax"),
        ("description: |\n  a\u{2028}b", "yaml:syntax"),
        ("description: a --- b", ""),
        ("description: \"x\ty\n\tz\"", ""),
        ("description: 'x\ny'", ""),
        ("description: d # a\tb", ""),
        ("description: a\u{feff}b", ""),
        ("description: ~", ""),
        ("description: 1.10\nlicense: yes", ""),
        ("description: d\n<<:\n  license: x", ""),
        ("description: d\n...", ""),
    ] {
        let verdict = strict(format!("---\nname: a\n{yaml}\n---\n").as_bytes(), "a", FILE_NAME);
        let codes = codes(&verdict.diagnostics);
        assert_eq!(codes.join(" "), expected, "{yaml}");
    }
    assert_eq!(
        codes(&strict(b"---\n...\nname: a\n---\n", "a", FILE_NAME).diagnostics),
        ["yaml:syntax"]
    );
    assert!(strict(b"---name: a\ndescription: d---", "a", FILE_NAME).valid());
    assert_eq!(codes(&strict(b"------", "a", FILE_NAME).diagnostics), ["not-mapping"]);
}

#[test]
fn strict_places_count_in_the_file() {
    let verdict = strict(
        "---\r\nname: a\r\ndescription: ü [x]\r\nmetadata: [x]\r\n---\r\n".as_bytes(),
        "a",
        FILE_NAME,
    );
    assert_eq!(verdict.diagnostics[0].place, Place { line: 4, column: 11, width: 1 });
    let verdict = strict(b"---name: A\ndescription: d\n---", "A", FILE_NAME);
    assert_eq!(verdict.diagnostics[0].place, Place { line: 1, column: 10, width: 1 });
}

#[test]
fn bad_bytes_in_the_body_are_a_warning_in_place() {
    let examined = examine(b"---\nname: a\ndescription: d\n---\n\n\xc3\xbc \xff\n", "a", FILE_NAME);
    assert_eq!(codes(&examined.diagnostics), ["encoding"]);
    assert_eq!(examined.diagnostics[0].place, Place { line: 6, column: 3, width: 1 });
    let cut = examine(b"---\nname: a\ndescription: d\n---\n\xc3", "a", FILE_NAME);
    assert_eq!(codes(&cut.diagnostics), Vec::<&str>::new());
}

#[test]
fn whatever_is_no_readable_file_has_a_row() {
    for (kind, reason, code, message) in [
        (Unreadable::Directory, "", "file-kind", "SKILL.md is a directory"),
        (Unreadable::Pipe, "", "file-kind", "SKILL.md is a named pipe"),
        (Unreadable::Socket, "", "file-kind", "SKILL.md is a socket"),
        (Unreadable::Device, "", "file-kind", "SKILL.md is a device"),
        (
            Unreadable::Folder,
            "permission denied",
            "file-unreadable",
            "the skill's folder cannot be read: permission denied",
        ),
        (
            Unreadable::Refused,
            "permission denied",
            "file-unreadable",
            "SKILL.md cannot be read: permission denied",
        ),
        (Unreadable::Empty, "", "file-empty", "SKILL.md is empty"),
        (Unreadable::Dangling, "../x", "link-dangling", "the link leads to nothing: ../x"),
        (Unreadable::TooLarge, "3 MiB", "file-size", "SKILL.md is too large: 3 MiB"),
    ] {
        let diagnostic = unreadable(reason, kind);
        assert_eq!((diagnostic.code(), diagnostic.message.as_str()), (code, message));
        assert_eq!(diagnostic.severity(), Severity::Error);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn both_grades_take_any_bytes(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..80),
            "---\n(name|description|metadata|[a-z]):[ \n]([ -~\t\r\n]|\u{85}|\u{feff}|\u{2028}|ü){0,60}\n---\n".prop_map(String::into_bytes),
        ],
    ) {
        let examined = examine(&bytes, "a", FILE_NAME);
        prop_assert!(examined.body <= bytes.len());
        prop_assert!(examined.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.place));
        let verdict = strict(&bytes, "a", FILE_NAME);
        prop_assert_eq!(verdict.diagnostics.len(), verdict.messages.len());
    }

    /// A skill whose fields keep it from being offered does not pass the strict check either.
    #[test]
    fn a_skill_without_a_description_never_passes(name in "[a-z]{1,9}", rest in "([a-z]{1,5}: [a-z]{0,5}\n){0,3}") {
        let file = format!("---\nname: {name}\n{rest}---\n");
        let offered = examine(file.as_bytes(), &name, FILE_NAME).diagnostics.iter().all(|d| d.severity() < Severity::Error);
        prop_assert!(!offered && !strict(file.as_bytes(), &name, FILE_NAME).valid());
    }
}
