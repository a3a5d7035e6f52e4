//! Every transcript in `fixtures/v1` gives exactly the lines of the golden file beside it.
//!
//! `JURY_UPDATE=1` rewrites the golden files. A file `NAME.max_block` lowers the largest block for `NAME.txt`.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot be read fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

use jury_core::protocol::{ParserLimits, SeenPrinter};
use jury_core::unit::Bytes;
use jury_testkit::cut::Cut;
use jury_testkit::oracle;

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1")
}

/// The transcripts, in order of their names.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    paths
}

fn limits(fixture: &Path) -> ParserLimits {
    let max_block = fs::read_to_string(fixture.with_extension("max_block"))
        .map_or(ParserLimits::default().max_block, |text| Bytes(text.trim().parse().unwrap()));
    ParserLimits { max_block, ..ParserLimits::default() }
}

/// What the parser says about this input, one line per event.
fn lines(input: &[u8], limits: ParserLimits, cut: Cut) -> String {
    let mut lines = Vec::new();
    let mut printer = SeenPrinter::default();
    let fault = oracle::feed(input, limits, cut, &mut |signal| printer.print(&signal, &mut lines));
    if let Some(fault) = fault {
        SeenPrinter::print_fault(&fault, &mut lines);
    }
    String::from_utf8(lines).unwrap()
}

#[test]
fn every_fixture_gives_its_golden_lines_however_it_is_cut() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 40, "only {} fixtures", fixtures.len());
    let update = std::env::var_os("JURY_UPDATE").is_some();
    let mut wrong = Vec::new();
    for fixture in &fixtures {
        let input = fs::read(fixture).unwrap();
        let limits = limits(fixture);
        let golden = fixture.with_extension("ndjson");
        if update {
            fs::write(&golden, lines(&input, limits, Cut::Whole)).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        for cut in Cut::USUAL {
            let found = lines(&input, limits, cut);
            if found != expected {
                wrong.push(format!(
                    "{} cut as {cut:?}\n{}",
                    golden.display(),
                    first_difference(&expected, &found)
                ));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn first_difference(expected: &str, found: &str) -> String {
    let (mut expected, mut found) = (expected.lines(), found.lines());
    for number in 1.. {
        let pair = (expected.next(), found.next());
        if pair.0 != pair.1 || pair == (None, None) {
            return format!("line {number}\n  expected {:?}\n  found    {:?}", pair.0, pair.1);
        }
    }
    String::new()
}

#[test]
fn no_golden_file_has_lost_its_transcript() {
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.with_extension("txt").exists(), "{} has no transcript", path.display());
    }
}
