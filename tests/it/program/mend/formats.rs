//! Findings and their fixes as other programs read them: annotations, SARIF, JSON.

use super::*;

#[cfg(unix)]
#[test]
fn a_finding_of_a_link_is_at_the_link() {
    let env = TestEnv::new();
    env.skill("repo/y", "docx", "d");
    fs::create_dir_all(env.at("repo/x")).unwrap();
    std::os::unix::fs::symlink("../y/docx/SKILL.md", env.at("repo/x/fl")).unwrap();
    std::os::unix::fs::symlink("/nowhere", env.at("repo/x/dang")).unwrap();
    for (format, begin, end) in
        [("github", "file=x/", ","), ("sarif", "\"uri\":\"x/", "\""), ("text", "-->x/", ":")]
    {
        let ran = env.run(&["check", "x", "--format", format]).ended(1);
        let out = ran.out().replace(' ', "");
        for link in ["fl", "dang"] {
            assert!(out.contains(&format!("{begin}{link}{end}")), "{link}: {out}");
        }
        assert!(!out.contains("dang/SKILL.md"), "{out}");
    }
}

#[test]
fn findings_are_annotations_of_a_workflow() {
    let env = TestEnv::new();
    env.raw_skill("repo/x/a,b:c%", "name: a\ndescription: d\nk%: v", "");
    let ran = env.run(&["check", "x", "--format", "github"]).ended(0);
    ran.is_inert();
    let head =
        "::warning file=x/a%2Cb%3Ac%25/SKILL.md,line=4,col=1,endColumn=3,title=unexpected-fields::";
    let line = ran.out().lines().find(|line| line.contains("unexpected-fields")).unwrap();
    assert!(line.starts_with(head) && line.contains("the key 'k%25'"), "{line}");
    let strict = env.run(&["check", "x", "--strict", "--format", "github"]).ended(1);
    assert!(strict.out().lines().all(|line| line.starts_with("::error ")), "{}", strict.out());
}

/// The properties that the SARIF 2.1.0 schema requires and the forms that it gives them, then all of
/// it.
#[test]
fn a_sarif_log_holds_to_the_schema() {
    let env = TestEnv::new();
    env.raw_skill("repo/x/ü #1", "name: PDF\ndescription: d\nauthor: me", "");
    broken(&env, "repo/x");
    let ran = env.run(&["check", "x", "--format", "sarif"]).ended(1);
    ran.is_inert();
    let log: Json = serde_json::from_str(ran.out()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(run["tool"]["driver"]["name"].is_string());
    assert!(rules.iter().all(|rule| rule["id"].is_string() && rule["help"]["text"].is_string()));
    let results = run["results"].as_array().unwrap();
    let mut fixes = 0;
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].is_string());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64() >= Some(1), "{place}");
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(
            uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte)),
            "{uri}"
        );
        for change in result["fixes"].as_array().into_iter().flatten() {
            let change = &change["artifactChanges"][0];
            assert!(change["artifactLocation"]["uri"].is_string());
            let replacement = &change["replacements"][0];
            assert!(replacement["deletedRegion"]["endColumn"].is_u64(), "{replacement}");
            assert!(replacement["insertedContent"]["text"].is_string(), "{replacement}");
            fixes += 1;
        }
    }
    assert!(results.iter().any(|result| result.to_string().contains("x/%C3%BC%20%231/SKILL.md")));
    assert!(fixes >= 3, "{fixes}");
    holds_to_the_schema(&log);
    let strict = env.run(&["check", "x", "--strict", "--format", "sarif"]).ended(1);
    holds_to_the_schema(&serde_json::from_str(strict.out()).unwrap());
    let none = env.run(&["check", "--format", "sarif"]).ended(0);
    holds_to_the_schema(&serde_json::from_str(none.out()).unwrap());
}

/// A place in a text, by its line and column.
fn offset(text: &str, line: &Json, column: &Json) -> usize {
    let number = |value: &Json| usize::try_from(value.as_u64().unwrap() - 1).unwrap();
    // A CR alone ends a line too.
    let same_length = text.replace("\r\n", " \n").replace('\r', "\n");
    let start: usize = same_length.split_inclusive('\n').take(number(line)).map(str::len).sum();
    start + text[start..].chars().take(number(column)).map(char::len_utf8).sum::<usize>()
}

#[test]
fn each_fix_in_a_sarif_log_makes_what_check_fix_makes() {
    let env = TestEnv::new();
    broken(&env, "repo/x");
    env.write(
        "repo/x/crlf/SKILL.md",
        "---\r\nname: CRLF\r\ndescription: é日 d\r\n---\r\nText.\r\n",
    );
    env.write("repo/x/open/SKILL.md", "---\nname: open\ndescription: é: 日\nauthor: me\n\nText.\n");
    env.write("repo/x/cr/SKILL.md", "---\rname: CR\rdescription: d\r---\rText.\r");
    let run = |words: &[&str]| env.run(&[&["check", "x"][..], words].concat());
    let log: Json = serde_json::from_str(run(&["--format", "sarif"]).out()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let mut fixes = 0;
    for result in results.iter().filter(|result| result["fixes"].is_array()) {
        let change = &result["fixes"][0]["artifactChanges"][0];
        let file = format!("repo/{}", change["artifactLocation"]["uri"].as_str().unwrap());
        let [replacement] = change["replacements"].as_array().unwrap().as_slice() else { panic!() };
        let (before, region) = (env.read(&file), &replacement["deletedRegion"]);
        let at = |line: &str, column: &str| offset(&before, &region[line], &region[column]);
        let mut wanted = before.clone();
        let range = at("startLine", "startColumn")..at("endLine", "endColumn");
        wanted.replace_range(range, replacement["insertedContent"]["text"].as_str().unwrap());
        run(&["--fix", "--only", result["ruleId"].as_str().unwrap()]);
        assert_eq!(env.read(&file), wanted, "{result}");
        env.run(&["undo"]).ended(0);
        fixes += 1;
    }
    assert!(fixes >= 6, "{fixes}");
}

#[test]
fn a_sarif_log_offers_no_edit_that_check_fix_refuses() {
    let env = TestEnv::new();
    let file = "repo/x/deploy/SKILL.md";
    env.write(file, "---\nname: Deploy_Prod\ndescription: d\n---\nText.\n");
    let edits = || env.run(&["check", "x", "--format", "sarif"]).out().matches("\"fixes\"").count();
    assert!(edits() > 0);
    env.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[[skills.config]]\nname = \"Deploy_Prod\"\nenabled = false\n",
    );
    assert_eq!(edits(), 0);
    let fix = env.run(&["check", "x", "--fix"]).ended(0);
    assert!(fix.err.contains("its name stays, since a rule goes by it"), "{}", fix.err);
}

/// Holds a log against the whole schema, which `.ci/sarif-schema` fetches.
fn holds_to_the_schema(log: &Json) {
    let path = std::env::var_os("SKILLPICK_SARIF_SCHEMA").filter(|path| !path.is_empty());
    let Some(path) = path else {
        return skipped("the schema of SARIF is not here (.ci/sarif-schema)");
    };
    let mut schema: Json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    // One pattern in it is no regular expression; it is of a property that the log does not have.
    for of in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][of]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn format_json_is_the_document_of_json() {
    let env = TestEnv::new();
    broken(&env, "repo/x");
    let text = |arguments: &[&str]| env.run(arguments).ended(1).out().to_owned();
    assert_eq!(text(&["check", "x", "--json"]), text(&["check", "x", "--format", "json"]));
    for format in [&["--format", "json"][..], &["--format=json"], &["--json"]] {
        env.fails(&[&["check", "nowhere"][..], format].concat());
    }
    assert_eq!(text(&["check", "x"]), text(&["check", "x", "--format", "text"]));
}
