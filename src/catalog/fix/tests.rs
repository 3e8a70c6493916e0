use super::*;
use crate::catalog::Severity;

mod generated;

fn mended(text: &str, directory: &str) -> Option<(String, Vec<&'static str>)> {
    let source = Source { bytes: text.as_bytes(), directory, file: "SKILL.md" };
    let mended = mend(source, &|_| true)?;
    let gone = mended.gone.iter().flat_map(|(check, count)| vec![check.code; *count]);
    Some((String::from_utf8(mended.bytes).unwrap(), gone.collect()))
}

/// A skill in the folder `pdf` with this frontmatter and this body.
fn skill(frontmatter: &str) -> String {
    format!("---\n{frontmatter}---\n# PDF\n\nFills forms.\n")
}

#[test]
fn each_fix_changes_the_lines_of_its_finding() {
    let good = "name: pdf\ndescription: d\n";
    check(&[
        ("name-missing", "description: d\n", good),
        ("name-missing", "  description: d\n", "  name: pdf\n  description: d\n"),
        ("name-empty", "name:\ndescription: d\n", good),
        ("name-empty", "name: ''\ndescription: d\n", good),
        ("name-case", "name: PDF # mine\ndescription: d\n", "name: pdf # mine\ndescription: d\n"),
        ("name-chars", "name: \"pdf_\"\ndescription: d\n", good),
        ("name-dir-mismatch", "name: other\ndescription: d\n", good),
        ("name-ascii", "name: pdfé\ndescription: d\n", good),
        ("name-hyphen-edge", "name: -pdf\ndescription: d\n", good),
        ("name-double-hyphen", "name: p--df\ndescription: d\n", good),
        ("desc-missing", "name: pdf\n", "name: pdf\ndescription: Fills forms.\n"),
        (
            "desc-missing",
            "name: pdf\nlicense: MIT\n",
            "name: pdf\ndescription: Fills forms.\nlicense: MIT\n",
        ),
        ("desc-empty", "name: pdf\ndescription: ''\n", "name: pdf\ndescription: Fills forms.\n"),
        ("not-mapping", "\n", "name: pdf\ndescription: Fills forms.\n\n"),
        (
            "yaml-repaired",
            "name: pdf\ndescription: Use this: when\n",
            "name: pdf\ndescription: \"Use this: when\"\n",
        ),
        (
            "yaml-repaired",
            "name: pdf\ndescription: say \"a: b\": c\n",
            "name: pdf\ndescription: 'say \"a: b\": c'\n",
        ),
        (
            "yaml-repaired",
            "name: pdf\ndescription: *all* of it\n",
            "name: pdf\ndescription: \"*all* of it\"\n",
        ),
        (
            "yaml-repaired",
            "name: pdf\ndescription: a: b\n  c d\n# e\nlicense: MIT\n",
            "name: pdf\ndescription: \"a: b c d\"\n# e\nlicense: MIT\n",
        ),
        (
            "yaml-repaired",
            "name: pdf\ndescription: \"Sheets: make\nlicense: MIT\n",
            "name: pdf\ndescription: \"Sheets: make\"\nlicense: MIT\n",
        ),
        (
            "yaml-repaired",
            "name: pdf\ndescription: 'Sheets\n  and more\n",
            "name: pdf\ndescription: 'Sheets and more'\n",
        ),
        ("yaml-repaired", "name: pdf\ndescription: \"a\\b\n", "name: pdf\ndescription: '\"a\\b'\n"),
        ("yaml:duplicate-key", "name: pdf\nname: pdf\ndescription: d\n", good),
    ]);
}

#[test]
fn a_field_that_is_indented_by_mistake_is_moved_and_not_replaced() {
    let good = "name: pdf\ndescription: Extract text.\n";
    let block = "name: pdf\ndescription: >-\n  Extract\n\n  text.\nlicense: MIT\n";
    check(&[
        ("yaml-repaired", "name: pdf\n  description: Extract text.\n", good),
        ("desc-missing", "name: pdf\n\tdescription: Extract text.\n", good),
        (
            "desc-missing",
            "name: pdf\nlicense: MIT\n  description: Extract text.\n",
            "name: pdf\nlicense: MIT\ndescription: Extract text.\n",
        ),
        (
            "name-chars",
            "name: pdf\n  description: >-\n    Extract\n\n    text.\n  license: MIT\n",
            block,
        ),
        (
            "name-case",
            "  name: PDF\n  license: MIT\ndescription: Extract text.\n",
            "name: pdf\nlicense: MIT\ndescription: Extract text.\n",
        ),
    ]);
}

#[test]
fn what_belongs_below_metadata_is_moved_there_and_lists_are_one_text() {
    check(&[
        (
            "compat-type",
            "name: pdf\ndescription: d\ncompatibility: [a, b]\n",
            "name: pdf\ndescription: d\ncompatibility: a, b\n",
        ),
        (
            "compat-type",
            "name: pdf\ndescription: d\ncompatibility:\n- a\n- b c\n",
            "name: pdf\ndescription: d\ncompatibility: a, b c\n",
        ),
        (
            "metadata-type",
            "name: pdf\ndescription: d\nmetadata:\n  a: 1\n  b:\n    - x\n    - y\n  c: [z]\n",
            "name: pdf\ndescription: d\nmetadata:\n  a: 1\n  b: x, y\n  c: z\n",
        ),
        (
            "unexpected-fields",
            "name: pdf\nauthor: me\ndescription: d\n",
            "name: pdf\ndescription: d\nmetadata:\n  author: me\n",
        ),
        (
            "unexpected-fields",
            "author: me\nname: pdf\ndescription: d\nmetadata:\n    a: 1\nlicense: MIT\n",
            "name: pdf\ndescription: d\nmetadata:\n    a: 1\n    author: me\nlicense: MIT\n",
        ),
        (
            "unexpected-fields",
            "name: pdf\ndescription: d\n# about it\nnote: |\n  a\n\n    b\ntags: [x, y]\n",
            "name: pdf\ndescription: d\nmetadata:\n  # about it\n  note: |\n    a\n\n      b\n  tags: x, y\n",
        ),
        (
            "unexpected-fields",
            "name: pdf\ndescription: d\nmetadata:\nauthor: me\n",
            "name: pdf\ndescription: d\nmetadata:\n  author: me\n",
        ),
    ]);
}

#[test]
fn a_comment_stays_with_the_field_that_it_explains() {
    check(&[
        (
            "unexpected-fields",
            "name: pdf\n# internal owner,\n# do not publish\nowner: bob\nlicense: MIT\ndescription: d\n",
            "name: pdf\nlicense: MIT\ndescription: d\nmetadata:\n  # internal owner,\n  # do not publish\n  owner: bob\n",
        ),
        (
            "unexpected-fields",
            "name: pdf\ndescription: d\nmetadata:\n  a: b\n  # of a\n# of owner\nowner: bob\n# of tags\ntags: [x, y]\n",
            "name: pdf\ndescription: d\nmetadata:\n  a: b\n  # of a\n  # of owner\n  owner: bob\n  # of tags\n  tags: x, y\n",
        ),
        (
            "unexpected-fields",
            "  name: pdf\n  description: d\n  # of owner\n  owner: bob\n  license: MIT\n",
            "  name: pdf\n  description: d\n  license: MIT\n  metadata:\n    # of owner\n    owner: bob\n",
        ),
        // What stands apart may be about all that follows.
        (
            "unexpected-fields",
            "name: pdf\n# about all\n\nowner: bob\ndescription: d\n",
            "name: pdf\n# about all\n\ndescription: d\nmetadata:\n  owner: bob\n",
        ),
    ]);
    let twice = skill("# the name\nname: pdf\ndescription: d\nname: pdf\n");
    assert_eq!(mended(&twice, "pdf"), None);
}

/// Each row has a code, and a frontmatter in the folder `pdf` before and after.
fn check(rows: &[(&str, &str, &str)]) {
    for (code, before, after) in rows {
        let (text, gone) = mended(&skill(before), "pdf").unwrap_or_else(|| panic!("{before}"));
        assert_eq!(text, skill(after), "{before}");
        assert!(gone.contains(code), "{code}: {gone:?}");
    }
}

#[test]
fn a_file_without_frontmatter_gets_one() {
    let body = "# PDF\n\n- one\n\n![b](x) Fills *all*\n`forms`.\n";
    let front = "---\nname: pdf\ndescription: Fills all forms.\n---\n";
    let whole = format!("{front}{body}");
    assert_eq!(mended(body, "pdf").unwrap(), (whole.clone(), vec!["no-frontmatter"]));
    assert_eq!(mended(&format!("\n\n{whole}"), "pdf").unwrap().0, whole);
    assert_eq!(
        mended(&format!("\u{feff}{body}"), "pdf").unwrap(),
        (whole.clone(), vec!["bom", "no-frontmatter"])
    );
    let unopened = whole.strip_prefix("---\n").unwrap();
    assert_eq!(mended(unopened, "pdf").unwrap().0, whole);
    let windows = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(mended(&windows(body), "pdf").unwrap().0, windows(&whole));
    // The name of a folder that is none is written as it should be.
    let (text, _) = mended("Fills.\n", "My PDF").unwrap();
    assert_eq!(text, "---\nname: my-pdf\ndescription: Fills.\n---\nFills.\n");
    let long = "word ".repeat(400);
    let (text, _) = mended(&long, "pdf").unwrap();
    assert!(text.contains(" word…\n"), "{text}");
    assert!(
        mended("```\ncode\n```\n", "pdf").is_none() && mended("--\nname: x\n", "pdf").is_none()
    );
}

#[test]
fn what_may_be_fields_in_another_form_is_no_description() {
    for text in [
        "name: pdf\ndescription: Fills forms\n\n# PDF\n\nText of more than five words.\n",
        "# PDF\n\n**Description:** Fills all forms of any kind.\n",
        "+++\ntitle = \"pdf\"\n+++\nText of more than five words.\n",
        "name = \"pdf\"\n\nText.\n",
        "{\"title\": \"pdf\"}\n",
        "{\n  \"title\": \"pdf\"\n}\n",
        "```yaml\n---\nname, description\n---\n```\nText.\n",
        "~~~\nname: pdf\n~~~\nText.\n",
        "---\nname: pdf\n---\n\ndescription: Fills forms\n",
        "---\n---\ndescription: Fills forms\n",
    ] {
        assert_eq!(mended(text, "pdf"), None, "{text}");
        let source = Source { bytes: text.as_bytes(), directory: "pdf", file: "SKILL.md" };
        assert!(left_to_author(source, &|_| true).is_some(), "{text}");
        assert!(left_to_author(source, &|check| check.code == "bom").is_none(), "{text}");
    }
    for text in ["Names and descriptions: all.\n", "{pdf} is filled.\n", "```\nx\n```\nname\n"] {
        assert!(mended(text, "pdf").is_some(), "{text}");
    }
}

#[test]
fn an_open_frontmatter_is_closed_after_its_last_field() {
    let (text, gone) =
        mended("---\nname: pdf\ndescription: >-\n  a\n  b\n\n# PDF\n", "pdf").unwrap();
    assert_eq!(text, "---\nname: pdf\ndescription: >-\n  a\n  b\n---\n\n# PDF\n");
    assert_eq!(gone, ["unclosed"]);
    assert_eq!(
        mended("---\nname: pdf\ndescription: d", "pdf").unwrap().0,
        "---\nname: pdf\ndescription: d\n---\n"
    );
    assert!(mended("---\nname: pdf\n\nNo description.\n", "pdf").is_none());
    for body in ["# PDF\n", "\n```yaml\nname: x\n```\n", "\nUse it so: well.\n"] {
        let (text, _) = mended(&format!("---\nname: pdf\ndescription: d\n{body}"), "pdf").unwrap();
        assert_eq!(text, format!("---\nname: pdf\ndescription: d\n---\n{body}"));
    }
}

#[test]
fn an_open_frontmatter_that_may_go_on_is_left_to_its_author() {
    for rest in [
        "# only a person may start it\ndisable-model-invocation: true\n\n# Deploy\n",
        "\nuser-invocable: false\n\n# Deploy\n",
        "# a\n\nText.\n\nModel: haiku\n",
        "allowed-tools:\n- Read\n- Write\n\n# Deploy\n",
        "license: |\n  One part.\n\n  Second part.\n",
        "license: \"MIT\nor Apache\"\n\nText.\n",
        "license: \"MIT\n\nor Apache\"\n",
        "Warning: never delete files without asking.\nMore.\n",
        "Warning: never delete files without asking.\n\nMore.\n",
        "  more of it\n ---\n# Deploy\n",
    ] {
        let text = format!("---\nname: pdf\ndescription: Deploys.\n{rest}");
        assert_eq!(mended(&text, "pdf"), None, "{text}");
        let source = Source { bytes: text.as_bytes(), directory: "pdf", file: "SKILL.md" };
        let why = left_to_author(source, &|_| true);
        assert_eq!(why, Some("where its frontmatter ends, only its author can tell"), "{text}");
        assert!(left_to_author(source, &|check| check.code == "bom").is_none());
    }
}

#[test]
fn what_only_an_author_can_decide_is_left() {
    for (frontmatter, directory) in [
        ("name: PDF\ndescription: d\n", "My PDF"),
        ("name: pdf\ndescripton: Fills all kinds of forms.\n", "pdf"),
        ("name: [a]\ndescription: d\n", "pdf"),
        ("name: pdf\ndescription: [d]\n", "pdf"),
        ("name: pdf\nname: PDF\nname: pdf\ndescription: d\n", "pdf"),
        ("name: pdf\ndescription: d\nrequires:\n  mcp: [a]\n", "pdf"),
        ("name: pdf\ndescription: d\ntags: ['a, b']\n", "pdf"),
        ("name: pdf\ndescription: d\nauthor: me\nmetadata: {a: 1}\n", "pdf"),
        ("name: pdf\ndescription: d\nauthor: me\nmetadata:\n  author: you\n", "pdf"),
        ("name: pdf\ndescription: d\ncompatibility: {a: b}\n", "pdf"),
        ("name: pdf\ndescription: a --- b\n", "pdf"),
        ("{name: PDF, description: d}\n", "pdf"),
        ("name: pdf\nx: &a b\ndescription: *a\n", "pdf"),
        // What is a field, what is its value, and where the body begins.
        ("name: pdf\ndescription: a: b\n  c: d\nlicense: MIT\n", "pdf"),
        ("name: pdf\n  author: me\ndescription: d\n", "pdf"),
        ("name: pdf\n  - description: d\n", "pdf"),
        ("name: pdf\ndescription:d\n", "pdf"),
        ("name: pdf\ndescription: d\n----\nBody: it\n\n", "pdf"),
        ("name: pdf\n--- x\ndescription: d\n", "pdf"),
        ("description; d\nname: pdf\n", "pdf"),
        ("name: pdf\ndescription: a: b\n# note\n  c\n", "pdf"),
        ("name: PDF\n  forms are filled\ndescription: d\n", "pdf"),
        ("name: PDF # mine\nname: PDF # yours\ndescription: d\n", "PDF"),
        ("name: pdf\nDescription: d\n", "pdf"),
        ("Name: PDF\ndescription: d\nallowed_tools: Read\n", "pdf"),
    ] {
        assert_eq!(mended(&skill(frontmatter), directory), None, "{frontmatter}");
    }
    let long = format!("name: pdf\ndescription: {}\n", "d".repeat(2000));
    assert_eq!(mended(&skill(&long), "pdf"), None);
    let bytes = b"---\nname: PDF\ndescription: \xff\n---\n";
    assert_eq!(mend(Source { bytes, directory: "pdf", file: "SKILL.md" }, &|_| true), None);
}

#[test]
fn text_that_hides_something_is_not_copied() {
    assert_eq!(mended("---\nname: pdf\n---\nFills\u{202e} forms.\n", "pdf"), None);
}

#[test]
fn only_what_is_wanted_is_mended() {
    let text = skill("name: PDF\ndescription: d\nauthor: me\n");
    let source = Source { bytes: text.as_bytes(), directory: "pdf", file: "SKILL.md" };
    let mended = mend(source, &|check| check.code == "unexpected-fields").unwrap();
    let wanted = skill("name: PDF\ndescription: d\nmetadata:\n  author: me\n");
    assert_eq!(String::from_utf8(mended.bytes).unwrap(), wanted);
    assert_eq!(mended.gone, [(&checks::UNEXPECTED_FIELDS, 1)]);
}

#[test]
fn every_row_names_another_check() {
    for (index, fix) in ALL.iter().enumerate() {
        assert!(ALL[..index].iter().all(|other| other.check != fix.check), "{}", fix.check.code);
        assert!(!fix.what.ends_with('.'), "{}", fix.what);
    }
}

/// The finding of this code, with its cure, its cause, and whether a rule is offered for it.
fn found(frontmatter: &str, code: &str) -> (&'static str, Cause, bool) {
    let text = skill(frontmatter);
    let source = Source { bytes: text.as_bytes(), directory: "pdf", file: "SKILL.md" };
    let mut findings = prove::findings(source).into_iter();
    let finding = findings.find(|finding| finding.code() == code).unwrap();
    (finding.help(), finding.cause, of_finding(&finding).is_some())
}

#[test]
fn a_cause_has_a_cure_of_its_own() {
    let (help, cause, _) = found("name: pdf\ndescription: d\nmetadata:\n\ta: b\n", "yaml-repaired");
    assert_eq!((help, cause), ("put blanks in place of the tab", Cause::Tab));
    let (help, cause, _) = found("name: pdf\ndescription: a: b\n", "yaml-repaired");
    assert_eq!((help, cause), (checks::YAML_REPAIRED.help, Cause::Usual));
    for (frontmatter, code, help) in [
        ("name: pdf\ndescription: a\x0cb\n", "yaml-repaired", "remove the control character"),
        (" name: pdf\ndescription: d\n", "yaml-repaired", "indent all fields alike"),
        (" name: pdf\ndescription: d\n", "desc-missing", "indent all fields alike"),
        (
            "name: pdf\ndescripton: d\n",
            "unexpected-fields",
            "spell the key as agents know it, or move it below metadata:",
        ),
        (
            "name: pdf\ndescription: d\nauthor: d\n",
            "unexpected-fields",
            checks::UNEXPECTED_FIELDS.help,
        ),
    ] {
        assert_eq!(found(frontmatter, code).0, help, "{frontmatter}");
    }
    let strict = |frontmatter: &str| {
        let text = skill(frontmatter);
        crate::catalog::validate::strict(text.as_bytes(), "pdf", "SKILL.md").diagnostics[0].help()
    };
    let tab = "put blanks in place of the tab";
    assert_eq!(strict("name: pdf\ndescription: d\nmetadata:\n\ta: b\n"), tab);
    assert_eq!(strict("name: pdf\ndescription: a: b\n"), checks::YAML_SYNTAX.help);
}

#[test]
fn no_rule_is_offered_for_a_shape_that_only_the_author_can_change() {
    for (field, code, offered) in [
        ("metadata: text", "metadata-type", false),
        ("metadata:\n\ta: b", "metadata-type", false),
        ("metadata:\n  a: {b: c}", "metadata-type", false),
        ("metadata:\n  a:\n    - b\n  c:\n    d: e", "metadata-type", false),
        ("metadata:\n  a:\n    - b\n    - c", "metadata-type", true),
        ("compatibility:\n  a: b", "compat-type", false),
        ("compatibility:\n  - a\n  - b", "compat-type", true),
    ] {
        let frontmatter = format!("name: pdf\ndescription: d\n{field}\n");
        assert_eq!(found(&frontmatter, code).2, offered, "{field}");
        let gone =
            mended(&skill(&frontmatter), "pdf").is_some_and(|(_, gone)| gone.contains(&code));
        assert_eq!(gone, offered, "what is offered is mended: {field}");
    }
}
