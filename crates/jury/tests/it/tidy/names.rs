//! One name, one concept: how often a public type has the name of another.

use std::collections::BTreeMap;

use super::tree::rust_files;
use super::{rust, settle};

/// What a line of code declares, with the name behind it.
const DECLARED: [&str; 4] = ["pub struct ", "pub enum ", "pub trait ", "pub type "];

/// So many names, and more, may not be shared by public types of all crates.
const SHARED_NAMES: usize = 40;

/// The name of the public type that a line declares.
fn declared(code: &str) -> Option<&str> {
    let behind = DECLARED.iter().find_map(|word| code.trim_start().strip_prefix(word))?;
    behind.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// The names with more than one public type below these folders, with where they are.
fn shared(folders: &[&str]) -> Vec<String> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in rust_files() {
        let counts =
            folders.iter().any(|folder| file.path.starts_with(folder)) && file.path.contains("/src/");
        if !counts {
            continue;
        }
        for (line, number) in rust::lines(&file.text()).iter().zip(1_usize..) {
            if let Some(name) = declared(&line.code) {
                types.entry(name.to_owned()).or_default().push(format!("{}:{number}", file.path));
            }
        }
    }
    types.retain(|_, places| places.len() > 1);
    types.into_iter().map(|(name, places)| format!("{name}: {}", places.join(", "))).collect()
}

#[test]
fn a_public_type_of_the_core_has_a_name_of_its_own() {
    settle(
        "give each of these the word of its concept (docs/glossary.md):",
        &shared(&["crates/jury-core/src/"]),
    );
}

#[test]
fn few_public_types_share_a_name() {
    let names = shared(&["crates/"]);
    assert!(
        names.len() < SHARED_NAMES,
        "{} names are those of several public types, and fewer than {SHARED_NAMES} may be:\n  {}\n",
        names.len(),
        names.join("\n  ")
    );
}

#[test]
fn a_declaration_is_told_from_a_use() {
    for (code, name) in [
        ("pub struct Place {", Some("Place")),
        ("    pub enum Scale<T> {", Some("Scale")),
        ("pub type Outbox = Vec<Output>;", Some("Outbox")),
        ("pub(crate) struct Places;", None),
        ("pub use place::Place;", None),
        ("type Data = Bytes;", None),
    ] {
        assert_eq!(declared(code), name, "{code}");
    }
}
