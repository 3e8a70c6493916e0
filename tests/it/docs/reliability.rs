//! The table of docs/reliability.md: what is required where something goes wrong, and which tests
//! show it. The rows stand in `reliability.toml`.

use super::{hold, tests};
use toml_edit::{DocumentMut, Table};

const ROWS: &str = include_str!("reliability.toml");

fn rows() -> Vec<Table> {
    let document: DocumentMut = ROWS.parse().unwrap();
    document["row"].as_array_of_tables().unwrap().iter().cloned().collect()
}

fn text<'row>(row: &'row Table, key: &str) -> Option<&'row str> {
    row.get(key).map(|value| value.as_str().unwrap())
}

fn named(row: &Table) -> Vec<&str> {
    let names = row["tests"].as_array().unwrap();
    names.iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn every_required_behaviour_names_tests_that_exist() {
    let existing = tests();
    for (index, row) in rows().iter().enumerate() {
        let number = row["number"].as_integer().unwrap();
        assert_eq!(number, index as i64 + 1, "rows keep their numbers");
        for name in named(row) {
            assert!(
                existing.iter().any(|test| test == name),
                "row {number} names {name}, which is no test"
            );
        }
        assert!(
            !named(row).is_empty() || text(row, "missing").is_some(),
            "row {number} has no test and does not say that one is missing"
        );
    }
}

#[test]
fn the_reliability_table_matches_its_rows() {
    let mut table =
        "| # | fault or bad input | required behaviour | shown by |\n|---|---|---|---|\n"
            .to_owned();
    for row in rows() {
        let mut shown: Vec<String> = named(&row).iter().map(|name| format!("`{name}`")).collect();
        shown.extend(text(&row, "missing").map(|missing| format!("*{missing}*")));
        table.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            row["number"].as_integer().unwrap(),
            text(&row, "fault").unwrap(),
            text(&row, "required").unwrap(),
            shown.join(" ")
        ));
    }
    hold("docs/reliability.md", "<!-- rows -->", &table);
}
