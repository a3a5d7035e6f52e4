//! The page of conformance: every row that is whole is held by tests, every test that is named is there, and what the page says
//! about itself follows from its rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use super::tree::{read, root, rust_files};
use super::{rust, settle};

const CONFORMANCE: &str = "docs/conformance.md";

const SUMMARY: &str = "## Summary\n";

const OPEN: &str = "\n## Open\n";

/// One thing that was asked for.
struct Row<'a> {
    line: usize,
    id: &'a str,
    /// The heading of the document that asks for it.
    document: &'a str,
    stands: &'a str,
    tests: Vec<&'a str>,
}

impl Row<'_> {
    fn is(&self, word: &str) -> bool {
        self.stands.split(':').next() == Some(word)
    }

    /// What stands behind the word.
    fn why(&self) -> &str {
        self.stands.split_once(':').map_or("", |(_, why)| why.trim())
    }
}

#[test]
fn every_row_of_the_conformance_holds() {
    let text = read(CONFORMANCE);
    let rows = rows(&text);
    assert!(rows.len() > 300, "{CONFORMANCE} has {} rows; a row begins with its id", rows.len());
    let known = Known::gather();
    let mut ids = BTreeSet::new();
    let mut breaches = Vec::new();
    for row in &rows {
        let mut breach =
            |what: String| breaches.push(format!("{CONFORMANCE}:{}: {}: {what}", row.line, row.id));
        if !ids.insert(row.id) {
            breach("another row has this id: give it the next number".to_owned());
        }
        let settled = row.stands == "whole";
        let explained = (row.is("differs") || row.is("open")) && !row.why().is_empty();
        if !(settled || explained) {
            breach("it stands as `whole`, `differs: why` or `open: what is missing`".to_owned());
        }
        if settled && row.tests.is_empty() {
            breach("name the test that holds it, or say what is open".to_owned());
        }
        for test in &row.tests {
            if let Some(what) = known.trouble(test) {
                breach(what);
            }
        }
    }
    settle("every row of the conformance is held by a test or says what is open", &breaches);
}

#[test]
fn the_summary_of_the_conformance_follows_from_its_rows() {
    let text = read(CONFORMANCE);
    let (head, rest) = text.split_once(SUMMARY).expect("the page has a summary");
    let (_, tables) = rest.split_once("\n## ").expect("tables follow the summary");
    let (tables, _) = tables.split_once(OPEN).expect("the page ends with what is open");
    let rows = rows(&text);
    let made = format!("{head}{SUMMARY}\n{}\n## {tables}{OPEN}\n{}", summary(&rows), open(&rows));
    if text != made && std::env::var_os("JURY_UPDATE").is_some_and(|value| value == "1") {
        fs::write(root().join(CONFORMANCE), &made).expect("the page can be written");
        return;
    }
    let differs = text.lines().zip(made.lines()).position(|(found, expected)| found != expected);
    let line = differs.unwrap_or_else(|| text.lines().count().min(made.lines().count()));
    let expected = made.lines().nth(line).unwrap_or("nothing more");
    let breach = format!("{CONFORMANCE}:{}: expected {expected}; JURY_UPDATE=1 writes it", line + 1);
    let breaches = if text == made { Vec::new() } else { vec![breach] };
    settle("the summary and the list of what is open follow from the rows", &breaches);
}

/// The rows of all tables. A row begins with its id: a letter, a dash, a number.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut document = "";
    for (index, line) in text.lines().enumerate() {
        if let Some(heading) = line.strip_prefix("## ") {
            document = heading;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let &["", id, _, stands, tests, ""] = cells.as_slice() else { continue };
        if is_id(id) {
            let tests = tests.split('`').skip(1).step_by(2).collect();
            rows.push(Row { line: index + 1, id, document, stands, tests });
        }
    }
    rows
}

fn is_id(text: &str) -> bool {
    text.split_once('-').is_some_and(|(letter, number)| {
        letter.len() == 1
            && letter.chars().all(|c| c.is_ascii_uppercase())
            && number.len() == 3
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

/// How many rows there are of each document, and how they stand.
fn summary(rows: &[Row<'_>]) -> String {
    let mut text = "| document | rows | whole | differs | open |\n|---|---:|---:|---:|---:|\n".to_owned();
    let mut documents: Vec<&str> = rows.iter().map(|row| row.document).collect();
    documents.dedup();
    let mut add = |name: &str, part: &[&Row<'_>]| {
        let count = |word: &str| part.iter().filter(|row| row.is(word)).count();
        let (whole, differs, open) = (count("whole"), count("differs"), count("open"));
        writeln!(text, "| {name} | {} | {whole} | {differs} | {open} |", part.len())
            .expect("a text can be written to");
    };
    for document in documents {
        let part: Vec<&Row<'_>> = rows.iter().filter(|row| row.document == document).collect();
        let letter = part.first().and_then(|row| row.id.split('-').next()).unwrap_or_default();
        add(&format!("{document} ({letter})"), &part);
    }
    add("all", &rows.iter().collect::<Vec<_>>());
    text
}

/// What is open, so that nobody overlooks it.
fn open(rows: &[Row<'_>]) -> String {
    let open = rows.iter().filter(|row| row.is("open"));
    open.map(|row| format!("- {}: {}\n", row.id, row.why())).collect::<Vec<_>>().concat()
}

/// What a row may name.
struct Known {
    /// The tests in Rust and the files that have them.
    tests: BTreeMap<String, BTreeSet<String>>,
    /// The scripts of the page.
    scripts: Value,
    /// The steps of `make test`.
    steps: BTreeSet<String>,
    /// The kinds of the red team that an attack still gets through.
    broken: BTreeSet<String>,
}

impl Known {
    fn gather() -> Self {
        let mut tests: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in rust_files() {
            let mut is_test = false;
            for line in rust::lines(&file.text()) {
                let code = line.code.trim_start();
                is_test |= code.starts_with("#[test]") || code.starts_with("#[tokio::test");
                if let Some((_, rest)) = line.code.split_once("fn ") {
                    let name: String =
                        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if is_test {
                        tests.entry(name).or_default().insert(file.path.clone());
                    }
                    is_test = false;
                }
            }
        }
        let package: Value = serde_json::from_str(&read("web/package.json")).expect("a package is JSON");
        let makefile = read("Makefile");
        let (_, recipe) = makefile.split_once("\ntest:").expect("the Makefile has a target `test`");
        let run = recipe.lines().find_map(|line| line.trim().strip_prefix("@scripts/steps \"$(MAKE)\" "));
        let steps = run.expect("`make test` runs its steps").split_whitespace().map(str::to_owned);
        let nextest = read(".config/nextest.toml");
        let broken = nextest.split(['(', '|', ')']).filter(|kind| kind.contains("::")).map(str::to_owned);
        Self { tests, scripts: package["scripts"].clone(), steps: steps.collect(), broken: broken.collect() }
    }

    /// Why this is no test that holds anything.
    fn trouble(&self, test: &str) -> Option<String> {
        if let Some(script) = test.strip_prefix("npm run ") {
            return self.scripts.get(script).is_none().then(|| format!("web/package.json has no `{script}`"));
        }
        if let Some(step) = test.strip_prefix("make ") {
            return (!self.steps.contains(step)).then(|| format!("`make test` has no step `{step}`"));
        }
        if let Some(kind) = test.strip_prefix("held::") {
            let file = format!("redteam/{}.toml", kind.replace("::", "/"));
            let is_broken = self.broken.contains(kind);
            return match (root().join(&file).exists(), is_broken) {
                (false, _) => Some(format!("there is no {file}")),
                (true, true) => Some(format!("`{kind}` is among the kinds that do not hold")),
                (true, false) => None,
            };
        }
        if let Some((path, title)) = test.split_once(": ") {
            if path.starts_with("crates/") {
                let is_there = self.tests.get(title).is_some_and(|files| files.contains(path));
                return (!is_there).then(|| format!("{path} has no test `{title}`"));
            }
            let text = read(path);
            let is_there =
                text.contains(&format!("test(\"{title}\"")) || text.contains(&format!("test(`{title}`"));
            return (!is_there).then(|| format!("{path} has no test '{title}'"));
        }
        match self.tests.get(test).map_or(0, BTreeSet::len) {
            0 => Some(format!("there is no test `{test}`: name the one there is")),
            1 => None,
            _ => Some(format!("several files have a test `{test}`: put its file in front, with a colon")),
        }
    }
}
