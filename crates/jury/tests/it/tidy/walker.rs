//! What stands in a log or in the database is seen by a test: the name of every event, field and column is in the source of a
//! test, in a snapshot or in a golden file.
//!
//! Settings and the elements of the grammar have tests of their own beside this one. The words of the page are taken one by one
//! by `web/test/locales.test.mjs`: each is shown somewhere, and can be said in every language.

use std::collections::BTreeSet;

use serde_json::Value;

use super::documents::{gather, single};
use super::settle;
use super::tree::files;

const MIGRATIONS: &str = "crates/jury-store/migrations/sqlite/";

/// Everything that tests consist of, but for the rules of the source: those name things without trying them.
fn tests() -> String {
    let mut text = String::new();
    for file in files() {
        if file.path.contains("/tidy/") || file.path.contains("node_modules") {
            continue;
        }
        let whole = file.is_test() || file.path.starts_with("web/test/") || file.has_extension("snap");
        if whole {
            text.push_str(&file.text());
        } else if file.is_rust()
            && let Some((_, unit)) = file.text().split_once("#[cfg(test)]")
        {
            text.push_str(unit);
        }
    }
    text
}

/// Whether a word stands there by itself.
fn names(text: &str) -> BTreeSet<&str> {
    text.split(|one: char| !one.is_ascii_alphanumeric() && one != '_').collect()
}

#[test]
fn every_event_and_its_fields_are_seen_by_a_test() {
    let tests = tests();
    let document: Value = serde_json::from_str(&jury_server::openapi().unwrap()).unwrap();
    let variants = document.pointer("/components/schemas/Event/oneOf").and_then(Value::as_array).unwrap();
    let mut breaches = Vec::new();
    let mut seen = 0;
    for variant in variants.iter().flat_map(|variant| single(variant, &document)) {
        let mut fields = BTreeSet::new();
        let mut name = String::new();
        gather(variant, &document, &mut fields, &mut name);
        seen += fields.len();
        if !tests.contains(&name) {
            breaches.push(format!("{name}: no test names this event"));
        }
        // As it stands in a line of the log, also where that is a text of Rust.
        let stands = |field: &String| {
            tests.contains(&format!("\"{field}\"")) || tests.contains(&format!("\\\"{field}\\\""))
        };
        for field in fields.iter().filter(|field| !stands(field)) {
            breaches.push(format!("{name}: no test names its field {field}"));
        }
    }
    assert!(seen > 200, "only {seen} fields of events were found");
    settle("every event is seen by a test, field by field", &breaches);
}

#[test]
fn every_column_is_seen_by_a_test() {
    let tests = tests();
    let known = names(&tests);
    let mut columns = BTreeSet::new();
    for file in files() {
        if file.path.starts_with(MIGRATIONS) && file.path.ends_with(".up.sql") {
            columns.extend(file.text().lines().filter_map(column));
        }
    }
    assert!(columns.len() > 40, "only {} columns were found: {columns:?}", columns.len());
    let breaches: Vec<String> = columns
        .iter()
        .filter(|column| !known.contains(column.as_str()))
        .map(|column| format!("{MIGRATIONS}: no test names the column {column}"))
        .collect();
    settle("every column of the database is seen by a test", &breaches);
}

/// The column that a line of a migration makes.
fn column(line: &str) -> Option<String> {
    let rest = line.split_once("ADD COLUMN").map_or(line, |(_, rest)| rest);
    let mut words = rest.split_whitespace();
    let name = words.next()?;
    let kind = words.next()?.trim_end_matches([',', ';']);
    ["TEXT", "INTEGER", "REAL", "BLOB"].contains(&kind).then(|| name.to_owned())
}

#[test]
fn a_column_is_found_in_a_line_of_a_migration() {
    let found = |line| column(line);
    assert_eq!(found("    answer_by   INTEGER,").as_deref(), Some("answer_by"));
    assert_eq!(found("ALTER TABLE run ADD COLUMN not_before INTEGER;").as_deref(), Some("not_before"));
    assert_eq!(found("    UNIQUE (run, number),"), None);
    assert_eq!(found("CREATE TABLE decision ("), None);
}
