//! Our readers of YAML against the answers of the libraries that agents read it with.
//! `tests/hosts/fuzz/yaml` asks them: `just yaml`.

use super::bun_yaml;
use super::js_yaml::{self, Version};
use super::npm_yaml::{self, Value};
use crate::catalog::frontmatter::{Tree, libyaml_tree, pyyaml_tree};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::fs;

const ANSWERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hosts/fuzz/yaml/answers.jsonl");

/// How many of the differing documents are shown, the shortest first.
const SHOWN: usize = 12;

const LIBRARIES: [&str; 6] = ["js3", "js4", "npm", "bun", "py", "lib"];

/// What our reader for a library makes of a document, as the answers say it: `null` for a refusal.
fn ours(library: &str, text: &str) -> Json {
    match library {
        "js3" => by_js_yaml(text, Version::Three),
        "js4" => by_js_yaml(text, Version::Four),
        "npm" => by_npm(text),
        "bun" => by_bun(text),
        "py" => pyyaml_tree(text).as_ref().map_or(Json::Null, tree),
        _ => libyaml_tree(text).as_ref().map_or(Json::Null, tree),
    }
}

fn by_js_yaml(text: &str, version: Version) -> Json {
    let kind = |value: &Tree| match (js_yaml::text(value, version), js_yaml::truth(value)) {
        (Some(text), _) => json!(["text", text]),
        (None, Some(truth)) => json!(["truth", truth]),
        (None, None) => json!("other"),
    };
    fields(js_yaml::fields(text, version), |value| kind(&value))
}

fn by_npm(text: &str) -> Json {
    let pairs = match npm_yaml::document(text) {
        None => return Json::Null,
        Some(Tree::Map(pairs)) => pairs,
        Some(other) if npm_yaml::value(&other) == Value::Null => return Json::Null,
        Some(_) => return json!({}),
    };
    let named = pairs.iter().filter_map(|(key, value)| match npm_yaml::value(key) {
        Value::Text(name) => Some((name.to_owned(), npm_yaml::value(value))),
        _ => None,
    });
    let kind = |value: Value| match value {
        Value::Null => json!("null"),
        Value::Truth(truth) => json!(["truth", truth]),
        Value::Number(_) => json!("number"),
        Value::Text(text) => json!(["text", text]),
        Value::Other(_) => json!("other"),
    };
    fields(Some(named), kind)
}

fn by_bun(text: &str) -> Json {
    let kind = |value: bun_yaml::Value| match value {
        bun_yaml::Value::Null => json!("null"),
        bun_yaml::Value::Flag(truth) => json!(["truth", truth]),
        bun_yaml::Value::Number(_) => json!("number"),
        bun_yaml::Value::Text(text) => json!(["text", text]),
        bun_yaml::Value::List(_) | bun_yaml::Value::Map => json!("other"),
    };
    fields(bun_yaml::fields(text), kind)
}

/// The fields of a map by name. Of two with one name the first one counts.
fn fields<T>(
    fields: Option<impl IntoIterator<Item = (String, T)>>,
    kind: impl Fn(T) -> Json,
) -> Json {
    let Some(fields) = fields else { return Json::Null };
    let mut shown = Map::new();
    for (name, value) in fields {
        shown.entry(name).or_insert_with(|| kind(value));
    }
    Json::Object(shown)
}

fn tree(node: &Tree) -> Json {
    match node {
        Tree::Scalar { text, plain, .. } => json!({ "text": text, "plain": plain }),
        Tree::List(items) => items.iter().map(tree).collect(),
        Tree::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, value)| json!([tree(key), tree(value)]));
            json!({ "map": pairs.collect::<Json>() })
        }
    }
}

/// What of an answer counts. `js-yaml` refuses here too what is no map; a key that is no word may
/// have another text in each library; and our readers for `js-yaml` tell no null from a number.
fn that_counts(library: &str, mut answer: Json) -> Json {
    if ["py", "lib"].contains(&library) {
        let nothing = json!({ "text": "", "plain": true });
        return if answer == nothing { Json::Null } else { answer };
    }
    let is_js_yaml = library.starts_with("js");
    let Some(fields) = answer.as_object_mut() else {
        let is_refused = answer.is_null() || is_js_yaml || (library == "npm" && answer == "null");
        return if is_refused { Json::Null } else { json!({}) };
    };
    let is_word = |name: &str| {
        name.starts_with(|c: char| c.is_alphabetic()) && !["true", "false", "null"].contains(&name)
    };
    fields.retain(|name, _| is_word(name));
    for kind in fields.values_mut().filter(|kind| is_js_yaml && kind.is_string()) {
        *kind = json!("other");
    }
    answer
}

/// The libraries of which our reader says something else than they do, with both.
fn differing(case: &Json) -> BTreeMap<&'static str, (Json, Json)> {
    let text = case["text"].as_str().unwrap();
    let differs = |library: &'static str| {
        let theirs = that_counts(library, case.get(library)?.clone());
        let ours = that_counts(library, ours(library, text));
        (ours != theirs).then_some((library, (ours, theirs)))
    };
    LIBRARIES.into_iter().filter_map(differs).collect()
}

fn cases(file: &str) -> Vec<Json> {
    let lines = fs::read_to_string(file).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The few documents that a reader takes otherwise are marked so in the file.
#[test]
fn our_readers_say_what_the_libraries_say() {
    let mut cases = cases(ANSWERS);
    assert!(cases.len() > 900);
    let mut wrong = Vec::new();
    for case in &mut cases {
        let found = differing(case);
        let known = json!(found.keys().collect::<Vec<_>>());
        if case["differ"] != known {
            wrong.push(format!("{} {found:#?}", case["text"]));
            case["differ"] = known;
        }
    }
    if std::env::var_os("BLESS").is_some() {
        let lines: Vec<String> = cases.iter().map(|case| format!("{case}\n")).collect();
        fs::write(ANSWERS, lines.concat()).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for library in LIBRARIES {
        let is_known = |case: &&Json| case["differ"].as_array().unwrap().contains(&json!(library));
        let known = cases.iter().filter(is_known).count();
        assert!(known * 50 < cases.len(), "{library}: {known} of {}", cases.len());
    }
}

/// Other documents: those of the file that `SKILLPICK_YAML` names. Which ones differ is written
/// beside it.
#[test]
fn other_documents_are_compared_if_a_file_of_them_is_named() {
    let Ok(file) = std::env::var("SKILLPICK_YAML") else { return };
    let mut cases = cases(&file);
    cases.sort_by_key(|case| case["text"].as_str().unwrap().len());
    let found: Vec<_> = cases.iter().map(|case| (case, differing(case))).collect();
    let mut report = String::new();
    for library in LIBRARIES {
        let of = |(case, found): &(&Json, BTreeMap<&str, (Json, Json)>)| {
            found.get(library).map(|(ours, theirs)| {
                format!("  {}\n    ours   {ours}\n    theirs {theirs}\n", case["text"])
            })
        };
        let shown: Vec<String> = found.iter().filter_map(of).collect();
        let first: String = shown.iter().take(SHOWN).cloned().collect();
        report += &format!("{library}: {} of {} differ\n{first}", shown.len(), cases.len());
    }
    fs::write(format!("{file}.differing"), report).unwrap();
}
