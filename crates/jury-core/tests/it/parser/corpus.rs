//! Inputs that were worth keeping: the fixtures, and what fuzzing found.

use std::fs;
use std::path::Path;

use jury_testkit::mutate::mutate;
use jury_testkit::oracle;
use jury_testkit::random::TestRandom;

use super::golden::fixtures;

#[test]
fn the_oracle_accepts_every_fixture() {
    for fixture in fixtures() {
        let input = fs::read(&fixture).unwrap();
        oracle::check(&input).unwrap_or_else(|trouble| panic!("{}: {trouble}", fixture.display()));
    }
}

#[test]
fn the_oracle_accepts_what_fuzzing_kept() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/parse");
    let mut seen = 0;
    for entry in fs::read_dir(&corpus).unwrap() {
        let path = entry.unwrap().path();
        let input = fs::read(&path).unwrap();
        oracle::check(&input).unwrap_or_else(|trouble| panic!("{}: {trouble}", path.display()));
        seen += 1;
    }
    assert!(seen > 0, "the corpus is empty");
}

#[test]
fn the_oracle_accepts_fixtures_after_accidents() {
    for (number, fixture) in fixtures().iter().enumerate() {
        let whole = fs::read(fixture).unwrap();
        if whole.len() > 8192 {
            continue;
        }
        let mut random = TestRandom::new(number as u64);
        for _ in 0..25 {
            let mut input = whole.clone();
            mutate(&mut input, &mut random);
            oracle::check(&input).unwrap_or_else(|trouble| panic!("{trouble}\n{}", input.escape_ascii()));
        }
    }
}
