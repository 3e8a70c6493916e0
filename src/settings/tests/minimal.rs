//! Every edit in many files: only the bytes of the key differ, and a second run writes nothing.

use super::super::tree::reach;
use super::super::{Edit, EditError, Format, Kind, Node, Value, apply, read};
use super::files::{Dice, contents, file, table};
use crate::test_env::bar;
use std::ops::Range;

fn path(slashed: &str) -> Vec<String> {
    slashed.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn entries(value: &Value) -> Vec<(String, Value)> {
    if let Value::Table(entries) = value { entries.clone() } else { Vec::new() }
}

/// Each file gets one in this many edits; every edit takes minutes.
fn share() -> usize {
    if bar::is_thorough() { 1 } else { 10 }
}

/// What an edit may do to the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Adds,
    Changes,
    Removes,
    Moves,
}

struct Case {
    edit: Edit,
    effect: Effect,
    /// The table or list whose bytes may differ.
    within: Vec<String>,
    /// Reverts the edit.
    undo: Option<Edit>,
}

/// All edits that make sense in a table of texts.
fn in_table(place: &str, node: Option<&Node>, cases: &mut Vec<Case>) {
    let (table, key) = (path(place), "fresh (new)".to_owned());
    let within = table.clone();
    let undo = Some(Edit::Remove { table: table.clone(), key: key.clone() });
    let set = Edit::Set { table: table.clone(), key: key.clone(), value: text("off") };
    cases.push(Case {
        edit: set,
        effect: Effect::Adds,
        within: within.clone(),
        undo: undo.clone(),
    });
    let last = Edit::SetLast { table: table.clone(), key, value: text("off") };
    cases.push(Case { edit: last, effect: Effect::Adds, within: within.clone(), undo });
    for field in node.map_or(&[][..], Node::fields) {
        let Some(old) = field.node.text() else { continue };
        let key = field.key.clone();
        let set =
            |value: &str| Edit::Set { table: table.clone(), key: key.clone(), value: text(value) };
        // A text on several lines is restored on one.
        let (new, old) = (set("changed"), (key != "folded").then(|| set(old)));
        let inner = within.iter().cloned().chain([key.clone()]).collect();
        cases.push(Case { edit: new, effect: Effect::Changes, within: inner, undo: old });
        let last = Edit::SetLast { table: table.clone(), key: key.clone(), value: text("ask") };
        cases.push(Case { edit: last, effect: Effect::Moves, within: within.clone(), undo: None });
        let remove = Edit::Remove { table: table.clone(), key };
        cases.push(Case {
            edit: remove,
            effect: Effect::Removes,
            within: within.clone(),
            undo: None,
        });
    }
}

fn in_list(place: &str, node: Option<&Node>, cases: &mut Vec<Case>) {
    let (array, value) = (path(place), text("fresh"));
    let push = Edit::PushElement { array: array.clone(), value: value.clone() };
    let undo = Some(Edit::RemoveValue { array: array.clone(), value });
    cases.push(Case { edit: push, effect: Effect::Adds, within: array.clone(), undo });
    removals(&array, node, cases);
    if let Some(old) = node.and_then(|node| node.items().first()).and_then(Node::text) {
        let edit = Edit::RemoveValue { array: array.clone(), value: text(old) };
        cases.push(Case { edit, effect: Effect::Removes, within: array, undo: None });
    }
}

fn in_tables(place: &str, node: Option<&Node>, cases: &mut Vec<Case>) {
    let array = path(place);
    let count = node.map_or(0, |node| node.items().len());
    let rule = entries(&table(&[
        ("tool", text("skill")),
        ("matches", table(&[("name", text("fresh"))])),
        ("action", text("reject")),
    ]));
    let undo = |index| Some(Edit::RemoveElement { array: array.clone(), index });
    let push = Edit::PushTable { array: array.clone(), entries: rule.clone() };
    cases.push(Case { edit: push, effect: Effect::Adds, within: array.clone(), undo: undo(count) });
    for index in 0..=count {
        let insert = Edit::InsertTable { array: array.clone(), index, entries: rule.clone() };
        cases.push(Case {
            edit: insert,
            effect: Effect::Adds,
            within: array.clone(),
            undo: undo(index),
        });
    }
    for (index, item) in node.map_or(&[][..], Node::items).iter().enumerate() {
        let set = |tool: &str| {
            let entries = vec![("tool".to_owned(), text(tool))];
            Edit::SetElement { array: array.clone(), index, entries }
        };
        let undo = item.get("tool").and_then(Node::text).map(set);
        cases.push(Case {
            edit: set("changed"),
            effect: Effect::Changes,
            within: array.clone(),
            undo,
        });
        let entries = vec![("note".to_owned(), text("x"))];
        let add = Edit::SetElement { array: array.clone(), index, entries };
        cases.push(Case { edit: add, effect: Effect::Adds, within: array.clone(), undo: None });
    }
    removals(&array, node, cases);
}

fn removals(array: &[String], node: Option<&Node>, cases: &mut Vec<Case>) {
    for index in 0..node.map_or(0, |node| node.items().len()) {
        let edit = Edit::RemoveElement { array: array.to_owned(), index };
        cases.push(Case { edit, effect: Effect::Removes, within: array.to_owned(), undo: None });
    }
}

fn cases(node: &Node) -> Vec<Case> {
    let mut cases = Vec::new();
    let at = |place: &str| node.at(&place.split('/').collect::<Vec<_>>());
    for place in ["skillOverrides", "permission/skill"] {
        in_table(place, at(place), &mut cases);
    }
    in_table("", Some(node), &mut cases);
    for place in ["permissions/deny", "skills/disabled", "disabledSkills"] {
        in_list(place, at(place), &mut cases);
    }
    for place in ["amp.permissions", "denied"] {
        in_tables(place, at(place), &mut cases);
    }
    let flag =
        Edit::Set { table: path("skills"), key: "enabled".to_owned(), value: Value::Flag(false) };
    let undo =
        Edit::Set { table: path("skills"), key: "enabled".to_owned(), value: Value::Flag(true) };
    if at("skills/enabled").is_some() {
        let within = path("skills/enabled");
        cases.push(Case { edit: flag, effect: Effect::Changes, within, undo: Some(undo) });
    }
    cases
}

/// The bytes that differ, in the old text and in the new.
fn difference(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    let prefix = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - prefix;
    let suffix =
        old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    (prefix..old.len() - suffix, prefix..new.len() - suffix)
}

/// The numbers of the comments in a text.
fn comments(text: &str) -> Vec<&str> {
    let numbers =
        text.split(['#', '/', '*']).filter_map(|part| part.strip_prefix(" c")?.split_once('.'));
    numbers.map(|(number, _)| number).collect()
}

fn hold(format: Format, old: &str, case: &Case) -> Result<(), String> {
    let make = |text: &str, edit: &Edit| {
        let new = apply(format, text.as_bytes(), std::slice::from_ref(edit))
            .map_err(|error| format!("{error:?}"))?;
        String::from_utf8(new).map_err(|_| "not UTF-8".to_owned())
    };
    let new = make(old, &case.edit)?;
    let shown = || format!("\n--- {new}");
    let again = !matches!(case.edit, Edit::RemoveElement { .. });
    if again && make(&new, &case.edit)? != new {
        return Err(format!("a second run writes{}", shown()));
    }
    let (gone, come) = difference(old, &new);
    let reach = reach(format, old, &case.within);
    let slack = reach.start.saturating_sub(2)..reach.end + 2;
    if gone.start < slack.start || gone.end > slack.end {
        return Err(format!("{gone:?} is out of {reach:?}{}", shown()));
    }
    let (gone, come) = (old[gone].trim(), new[come].trim());
    let fits = match case.effect {
        Effect::Adds => gone.is_empty() || come.contains(gone),
        Effect::Removes => gone
            .contains(come.trim_start_matches(|c: char| "[]{}".contains(c) || c.is_whitespace())),
        Effect::Changes | Effect::Moves => true,
    };
    if !fits {
        return Err(format!("{gone:?} became {come:?}{}", shown()));
    }
    if matches!(case.effect, Effect::Adds | Effect::Changes) && comments(old) != comments(&new) {
        return Err(format!("comments went{}", shown()));
    }
    let form = |text: &str| {
        let mixed = text.contains("\r\n") && text.replace("\r\n", "").contains('\n');
        (mixed, text.starts_with('\u{feff}'), text.ends_with('\n'), text.contains('\n'))
    };
    if form(old) != form(&new) {
        return Err(format!("the form is another one{}", shown()));
    }
    let Some(undo) = &case.undo else { return Ok(()) };
    let node = read(format, old.as_bytes()).map_err(|error| error.to_string())?;
    let holder = node.at(&case.within.iter().map(String::as_str).collect::<Vec<_>>());
    let there = holder.is_some_and(|holder| holder.kind != Kind::Null);
    let back = make(&new, undo)?;
    if there && back != old { Err(format!("undone it is\n{back}{}", shown())) } else { Ok(()) }
}

fn hold_all(format: Format, files: u64) {
    let (mut wrong, mut made) = (Vec::new(), 0);
    for seed in 1..=files {
        let mut dice = Dice::new(seed);
        let contents = contents(&mut dice);
        let old = file(format, &contents, &mut dice);
        let node = read(format, old.as_bytes())
            .unwrap_or_else(|error| panic!("{seed}: {error:?} in\n{old}"));
        for case in cases(&node).into_iter().filter(|_| dice.one_in(share())) {
            made += 1;
            if let Err(why) = hold(format, &old, &case) {
                wrong.push(format!("=== {seed} {format:?} {:?}: {why}\n--- in\n{old}", case.edit));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {made}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(4)].join("\n")
    );
    bar::tried(usize::try_from(files).unwrap());
}

#[test]
fn only_the_bytes_of_the_key_differ_in_strict_json() {
    hold_all(Format::Json, 300);
}

#[test]
fn only_the_bytes_of_the_key_differ_in_json_with_comments() {
    hold_all(Format::JsonComments, 300);
}

#[test]
fn only_the_bytes_of_the_key_differ_in_json_with_trailing_commas() {
    hold_all(Format::Jsonc, 300);
}

#[test]
fn only_the_bytes_of_the_key_differ_in_yaml() {
    hold_all(Format::Yaml, 300);
}

#[test]
fn nothing_is_written_into_a_broken_file() {
    for format in [Format::Json, Format::JsonComments, Format::Jsonc, Format::Yaml] {
        let mut dice = Dice::new(7);
        let contents = contents(&mut dice);
        let whole = file(format, &contents, &mut dice);
        let edit = [Edit::Set { table: Vec::new(), key: "k".to_owned(), value: Value::Flag(true) }];
        let ten_megabytes = b" ".repeat(10 << 20);
        assert_eq!(apply(format, &ten_megabytes, &edit), Err(EditError::TooLarge));
        // A half-written file is an error, or says what its part of the text says.
        for end in (1..whole.len()).step_by(3).filter(|end| whole.is_char_boundary(*end)) {
            match apply(format, &whole.as_bytes()[..end], &edit) {
                Err(EditError::Syntax { line, column, .. }) => assert!(line > 0 && column > 0),
                Err(error) => panic!("{error:?} in {:?}", &whole[..end]),
                Ok(new) => assert!(read(format, &new).unwrap().get("k").is_some()),
            }
        }
    }
}
