//! The defaults of the panel stand in one file.

use std::collections::BTreeSet;

use super::tree::{read, rust_files};
use super::{rust, settle};

const DEFAULTS: &str = "crates/jury-core/src/settings/defaults.rs";

/// The fields that the file of defaults gives a value.
fn fields() -> BTreeSet<String> {
    let text = read(DEFAULTS);
    let (_, body) = text.split_once("CritiqueConfig {\n").expect("the defaults are one value");
    let (body, _) = body.split_once("\n    }\n").expect("the value ends");
    body.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned())).collect()
}

/// The field that a line of code gives a number, behind a word such as `Millis(` or without one.
fn given(code: &str) -> Option<&str> {
    let (field, value) = code.trim().split_once(": ")?;
    let value = value
        .split_once('(')
        .map_or(value, |(word, inner)| if word.chars().all(char::is_alphanumeric) { inner } else { value });
    value.starts_with(|first: char| first.is_ascii_digit()).then_some(field)
}

#[test]
fn every_default_of_the_panel_is_in_one_file() {
    let fields = fields();
    assert!(fields.len() >= 15, "{fields:?}");
    let mut breaches = Vec::new();
    for file in rust_files() {
        if file.is_test() || !file.path.contains("/src/") || file.path == DEFAULTS {
            continue;
        }
        for (line, number) in rust::lines(&file.text()).iter().zip(1_usize..) {
            if let Some(field) = given(&line.code).filter(|field| fields.contains(*field)) {
                breaches.push(format!(
                    "{}:{number}: `{field}` gets a number: take it from {DEFAULTS}",
                    file.path
                ));
            }
        }
    }
    settle("every default stands in one file", &breaches);
}

#[test]
fn a_number_is_told_from_a_name() {
    for (code, field) in [
        ("max_rounds: 3,", Some("max_rounds")),
        ("total_timeout_ms: Millis(240_000),", Some("total_timeout_ms")),
        ("max_rounds: u32,", None),
        ("max_rounds: given.max_rounds,", None),
        ("cast: Role::ALL.to_vec(),", None),
    ] {
        assert_eq!(given(code), field, "{code}");
    }
}
