//! The tables of docs/reliability.md: what is required where something goes wrong, which tests show
//! it, and with how many samples. The rows stand in `reliability.toml`; the figures come from the
//! last run of `just bar`.

use super::{hold, root, tests};
use crate::env::bar;
use std::collections::BTreeMap;
use std::fs;
use toml_edit::{DocumentMut, Table};

const ROWS: &str = include_str!("reliability.toml");
const PAGE: &str = "docs/reliability.md";
const FIGURES: &str = "<!-- figures -->";

/// The result of a row of which a test lacked a program or file.
const SKIPPED: &str = "in part: a test was skipped";

/// What a run showed of one test.
#[derive(Clone, Debug)]
struct Figure {
    samples: usize,
    result: String,
}

/// The figures of the tests, by name.
type Figures = BTreeMap<String, Figure>;

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

fn number(row: &Table) -> i64 {
    row["number"].as_integer().unwrap()
}

/// How many samples the row wants of its tests together, and of what.
fn wanted(row: &Table) -> (usize, &str) {
    let samples = row["samples"].as_integer().unwrap();
    (usize::try_from(samples).unwrap(), text(row, "of").unwrap())
}

/// The figures that the page shows.
fn shown() -> Figures {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let table = page.split(FIGURES).nth(1).unwrap_or_default();
    let cells = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let figure = |cells: Vec<&str>| {
        let [_, _, test, samples, result, _] = cells.try_into().ok()?;
        let figure = Figure { samples: samples.parse().ok()?, result: result.to_owned() };
        Some((test.trim_matches('`').to_owned(), figure))
    };
    cells.filter_map(figure).collect()
}

/// The figures of the run whose records these are: results from what the test runner printed.
fn run(folder: &std::path::Path) -> Figures {
    let log = fs::read_to_string(folder.join("log")).unwrap();
    let lines = log.lines().filter_map(|line| line.strip_prefix("test ")?.split_once(" ... "));
    lines
        .map(|(path, result)| {
            let test = path.rsplit("::").next().unwrap();
            let samples = bar::recorded(folder, test);
            let result = match (result, samples) {
                ("ok", Some(0)) => "skipped",
                ("ok", _) => "passed",
                _ => "failed",
            };
            let figure = Figure { samples: samples.unwrap_or(1), result: result.to_owned() };
            (test.to_owned(), figure)
        })
        .collect()
}

/// The page's figures, or those of this run if it writes them.
fn figures() -> Figures {
    let mut figures = shown();
    if let Some(folder) = bar::folder().filter(|_| std::env::var_os("BLESS").is_some()) {
        figures.extend(run(&folder));
    }
    figures
}

/// What the figures say of a row.
fn result(row: &Table, figures: &Figures) -> String {
    if let Some(missing) = text(row, "missing") {
        return format!("*{missing}*");
    }
    let (wanted, _) = wanted(row);
    let figures: Vec<_> = named(row).iter().map(|test| figures.get(*test)).collect();
    let tried = figures.iter().flatten().map(|figure| figure.samples).sum::<usize>();
    if figures.iter().any(|figure| figure.is_some_and(|figure| figure.result == "failed")) {
        "failed".to_owned()
    } else if figures.iter().any(Option::is_none) {
        "not run".to_owned()
    } else if figures.iter().flatten().any(|figure| figure.result == "skipped") {
        SKIPPED.to_owned()
    } else if tried < wanted {
        format!("fewer samples: {tried}")
    } else {
        "passed".to_owned()
    }
}

#[test]
fn every_required_behaviour_names_tests_that_exist() {
    let existing = tests();
    for (index, row) in rows().iter().enumerate() {
        let number = number(row);
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
fn the_reliability_tables_match_their_rows() {
    let figures = figures();
    let mut table = "| # | fault or bad input | required behaviour | samples | result |\n\
                     |---|---|---|---|---|\n"
        .to_owned();
    let mut each = "| # | test | samples | result |\n|---|---|---|---|\n".to_owned();
    for row in rows() {
        let number = number(&row);
        let (samples, of) = wanted(&row);
        let [fault, required] = ["fault", "required"].map(|key| text(&row, key).unwrap());
        let result = result(&row, &figures);
        table.push_str(&format!(
            "| {number} | {fault} | {required} | {samples} {of} | {result} |\n"
        ));
        for test in named(&row) {
            let figure = figures.get(test).map_or_else(
                || "– | not run".to_owned(),
                |figure| format!("{} | {}", figure.samples, figure.result),
            );
            each.push_str(&format!("| {number} | `{test}` | {figure} |\n"));
        }
    }
    hold(PAGE, "<!-- rows -->", &table);
    hold(PAGE, FIGURES, &each);
}

/// `.ci/bar` runs this after the tests of the rows.
#[test]
fn every_row_was_run_with_its_samples() {
    let Some(folder) = bar::folder().filter(|folder| folder.join("log").exists()) else { return };
    let figures = run(&folder);
    let short: Vec<String> = rows()
        .iter()
        .map(|row| format!("{}: {}", number(row), result(row, &figures)))
        .filter(|row| ![": passed", "*", SKIPPED].iter().any(|fine| row.ends_with(fine)))
        .collect();
    assert!(short.is_empty(), "rows that were not shown in full:\n{}", short.join("\n"));
}
