//! A public item that nobody uses is not there. The compiler sees this within a crate only.

use std::collections::BTreeMap;

use super::tree::rust_files;
use super::{rust, settle};

/// What a line of code declares for other crates, with the name behind it.
const DECLARED: [&str; 9] = [
    "pub struct ",
    "pub enum ",
    "pub trait ",
    "pub type ",
    "pub const fn ",
    "pub async fn ",
    "pub fn ",
    "pub const ",
    "pub static ",
];

fn declared(code: &str) -> Option<&str> {
    let behind = DECLARED.iter().find_map(|word| code.trim_start().strip_prefix(word))?;
    names(behind).next()
}

/// The names in a line of code.
fn names(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

#[test]
fn every_public_item_is_used() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut items: Vec<(String, String)> = Vec::new();
    for file in rust_files() {
        for (line, number) in rust::lines(&file.text()).iter().zip(1_usize..) {
            for name in names(&line.code) {
                *seen.entry(name.to_owned()).or_default() += 1;
            }
            if file.path.starts_with("crates/") && file.path.contains("/src/") && !file.is_test() {
                let name = declared(&line.code);
                items.extend(name.map(|name| (name.to_owned(), format!("{}:{number}", file.path))));
            }
        }
    }
    assert!(items.len() > 1000, "{}", items.len());
    let breaches: Vec<String> = items
        .iter()
        .filter(|(name, _)| seen.get(name) == Some(&1))
        .map(|(name, place)| format!("{place}: nobody uses `{name}`: remove it"))
        .collect();
    settle("every public item is used somewhere", &breaches);
}

#[test]
fn a_public_item_is_told_from_others() {
    for (code, name) in [
        ("pub fn lines(text: &str) -> Vec<Line> {", Some("lines")),
        ("    pub const fn zero() -> Self {", Some("zero")),
        ("pub(crate) fn inside() {}", None),
        ("use a::pub_fn;", None),
    ] {
        assert_eq!(declared(code), name, "{code}");
    }
}
