//! The checks against a reader: ten documents with lists of what is wrong with them, made by reading them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jury_text::document::{Check, Document, NearbyFiles, measure};
use serde::Deserialize;

/// What a reader found in a document.
#[derive(Deserialize)]
struct Reading {
    paths: BTreeSet<String>,
    #[serde(default)]
    anchors: BTreeMap<String, BTreeSet<String>>,
    finding: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    check: String,
    line: usize,
    /// For whoever reads the list.
    why: String,
}

/// Right, wrong and missed places of one check.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    missed: usize,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents")
}

fn documents() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("there are documents");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths
}

#[test]
fn checks_agree_with_a_reader() {
    let mut tallies: BTreeMap<Check, Tally> = BTreeMap::new();
    let mut differences = String::new();
    for path in documents() {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = fs::read_to_string(&path).expect("a document");
        let list = fs::read_to_string(path.with_extension("findings.toml")).expect("a list of findings");
        let reading: Reading = toml::from_str(&list).expect("a list of findings");
        let lines = text.lines().count();
        assert!(lines >= 100, "{name} has {lines} lines");
        assert!(reading.finding.iter().all(|place| place.line <= lines && !place.why.is_empty()), "{name}");
        let surroundings = NearbyFiles::Known { paths: reading.paths, anchors: reading.anchors };
        let document = Document::read(&text, &surroundings);
        for &check in Check::ALL {
            let tally = tallies.entry(check).or_default();
            let mut expected: Vec<&Place> =
                reading.finding.iter().filter(|place| place.check == check.as_str()).collect();
            for finding in measure(&document, check).affected {
                if let Some(index) = expected.iter().position(|place| place.line == finding.line) {
                    expected.remove(index);
                    tally.right += 1;
                } else {
                    tally.wrong += 1;
                    writeln!(differences, "wrong  {name}:{} {check:?} {}", finding.line, finding.text)
                        .expect("memory");
                }
            }
            tally.missed += expected.len();
            for place in expected {
                writeln!(differences, "missed {name}:{} {check:?} {}", place.line, place.why)
                    .expect("memory");
            }
        }
        let named: BTreeSet<&str> = Check::ALL.iter().map(|check| check.as_str()).collect();
        assert!(
            reading.finding.iter().all(|place| named.contains(place.check.as_str())),
            "{name} names a check that is none"
        );
    }
    let (table, precision, recall) = render(&tallies);
    write!(std::io::stderr(), "{table}\n{differences}").expect("a place for the table");
    assert!(precision >= 0.9, "precision {precision:.3}\n{table}\n{differences}");
    assert!(recall >= 0.8, "recall {recall:.3}\n{table}\n{differences}");
    golden(&table);
}

/// The table and both figures over all checks.
fn render(tallies: &BTreeMap<Check, Tally>) -> (String, f64, f64) {
    let mut table =
        String::from("| check | right | wrong | missed | precision | recall |\n|---|---|---|---|---|---|\n");
    let mut all = Tally::default();
    for (check, tally) in tallies {
        row(&mut table, check.as_str(), tally);
        all.right += tally.right;
        all.wrong += tally.wrong;
        all.missed += tally.missed;
    }
    row(&mut table, "all", &all);
    let (precision, recall) = figures(&all);
    (table, precision, recall)
}

fn row(table: &mut String, name: &str, tally: &Tally) {
    let (precision, recall) = figures(tally);
    writeln!(
        table,
        "| `{name}` | {} | {} | {} | {precision:.2} | {recall:.2} |",
        tally.right, tally.wrong, tally.missed
    )
    .expect("memory");
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few dozens")]
fn figures(tally: &Tally) -> (f64, f64) {
    let share = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
    (share(tally.right, tally.right + tally.wrong), share(tally.right, tally.right + tally.missed))
}

/// The table stands in the design document; `JURY_UPDATE=1` writes it there.
fn golden(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/design/007-critic.md");
    let text = fs::read_to_string(&path).expect("the design document");
    let head = table.lines().next().expect("a head");
    let (before, rest) = text.split_once("| check | right |").expect("the table is in the document");
    let (_, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let updated = format!("{before}{table}\n{after}");
    assert!(head.starts_with("| check | right |"), "{head}");
    if std::env::var_os("JURY_UPDATE").is_some() {
        fs::write(&path, updated).expect("the design document can be written");
    } else {
        assert_eq!(text, updated, "run it with JURY_UPDATE=1 and look at docs/design/007-critic.md");
    }
}

#[test]
fn a_list_belongs_to_every_document_and_to_no_other() {
    let stems: BTreeSet<String> = fs::read_dir(folder())
        .expect("there are documents")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .map(|name| name.replace(".findings.toml", ".md"))
        .collect();
    let names: BTreeSet<String> =
        documents().iter().filter_map(|path| path.file_name()?.to_str().map(ToOwned::to_owned)).collect();
    assert_eq!(stems, names);
    assert!(names.len() >= 10);
}
