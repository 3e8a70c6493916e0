//! The search for a model, over a collection of real skills.

use super::Client;
use crate::corpus::corpus;
use crate::env::TestEnv;
use crate::support::skipped;
use serde_json::json;

/// What somebody asks a model for, each with the skills that do it. They are written as people
/// write: in plurals and other forms than the descriptions have, and with words that say nothing.
const TASKS: [(&str, &[&str]); 15] = [
    ("summarize the transcript of our meeting", &["meeting-minutes", "meeting-analyzer"]),
    ("merge these two PDFs and rotate a page", &["pdftk-server", "pdf"]),
    (
        "build MCP servers in Python",
        &["python-mcp-server-generator", "mcp-builder", "mcp-server-builder"],
    ),
    ("convert markdown to a Word document", &["md-to-docx", "docx"]),
    ("make an animated GIF for Slack", &["slack-gif-creator"]),
    (
        "my queries on postgres are slow, please optimize the SQL",
        &["sql-optimization", "sql-optimization-patterns", "postgresql-optimization"],
    ),
    (
        "I need pytest fixtures and mocking for unit testing",
        &["python-testing-patterns", "pytest-coverage"],
    ),
    ("set up monitoring of our services with Prometheus", &["prometheus-configuration"]),
    ("accept payments with Stripe", &["stripe-integration", "stripe-integration-expert"]),
    ("migrate the tests to React 19", &["react19-test-patterns"]),
    ("review this pull request", &["pr-review-expert"]),
    ("scan the repository for leaked secrets", &["secret-scanning"]),
    ("write a postmortem of yesterday's incident", &["postmortem", "postmortem-writing"]),
    ("make slides for my scientific talk", &["scientific-slides"]),
    ("test my web app in a browser with playwright", &["webapp-testing"]),
];

/// The search for a model, over a collection that has hundreds of skills for each of the words.
#[test]
#[allow(clippy::print_stdout, reason = "the number of sentences is a figure that is quoted")]
fn cod_7_1_a_sentence_about_a_task_finds_its_skill_among_the_first_eight() {
    let corpus = corpus();
    if !corpus.is_dir() {
        skipped(&format!("searches of a collection: no {}", corpus.display()));
        return;
    }
    let env = TestEnv::new();
    let mut client = Client::new(&env, &["--root", corpus.to_str().unwrap()]);
    let mut missed = Vec::new();
    for (sentence, wanted) in TASKS {
        let data = client.call("skill_search", json!({ "query": sentence, "limit": 8 })).0;
        let names = data["candidates"].as_array().unwrap().iter();
        let names: Vec<&str> = names.map(|it| it["name"].as_str().unwrap()).collect();
        if !names.iter().any(|name| wanted.contains(name)) {
            missed.push(format!("{sentence}: {names:?}"));
        }
    }
    println!("search: {} of {} sentences", TASKS.len() - missed.len(), TASKS.len());
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
