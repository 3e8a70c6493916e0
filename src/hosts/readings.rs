//! Whether agents take a skill's file for the same after its text has changed.

use super::{Host, every};
use crate::catalog::{Head, frontmatter};

/// The first agent whose own readers make something else of a skill's file after a change: another
/// name or description, a refusal, or other callers.
pub fn reads_otherwise(before: &[u8], after: &[u8], directory: &str) -> Option<&'static Host> {
    let head = |bytes: &[u8]| Head::of_single_file(bytes, frontmatter::read(bytes).body);
    let both = [before, after].map(head);
    every().find(|host| {
        let evaluation = host.evaluation;
        let reads_otherwise = evaluation.head.is_some_and(|reader| {
            let [old, new] = both.each_ref().map(|head| (reader.read)(head, directory));
            old != new
        });
        let calls_otherwise = evaluation.calls.is_some_and(|reader| {
            let [old, new] = both.each_ref().map(reader.read);
            old != new
        });
        reads_otherwise || calls_otherwise
    })
}
