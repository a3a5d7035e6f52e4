//! Thresholds that fell or are gone, limits that rose, and tests that are tried again by a setting.

use std::collections::HashMap;

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::{FileChange, at_line};

const FLOORS: &[&str] = &[
    "fail_under",
    "fail-under",
    "cov-fail-under",
    "lines",
    "branches",
    "functions",
    "statements",
    "minimum",
    "threshold",
    "target",
    "minimum_coverage",
    "coverage_threshold",
    "minimumcoverage",
    "linecoverage",
    "minvalue",
    "min-msi",
    "minmsi",
    "minimum_coverage_by_file",
    "break",
    "high",
    "low",
    "mutationthreshold",
    "fail-under-lines",
    "fail-under-functions",
    "coverallsmin",
    "min_coverage",
    "lowupperbound",
    "highlowerbound",
    "level",
    "errorlevel",
    "min-covered-msi",
    "minimum_instruction",
    "coverage",
];

/// Settings where more is less.
const CEILINGS: &[&str] = &[
    "max-warnings",
    "max_warnings",
    "maxwarnings",
    "max-complexity",
    "max-line",
    "retries",
    "retry",
    "max-lines",
    "max-len",
    "max_line_length",
    "max-branches",
    "testretries",
    "reruns",
    "max-statements",
    "maxfailures",
    "max-nested-callbacks",
    "cognitive-complexity-threshold",
    "too-many-lines-threshold",
    "max",
    "rerun",
    "testtimeout",
    "bail",
    "tolerance",
    "maxdiffpixels",
    "maxdiffpixelratio",
];

fn numbers(line: &str) -> Option<(String, f64)> {
    let lower = line.to_lowercase();
    let at = lower.find(|c: char| c.is_ascii_digit())?;
    let mut end = at;
    for c in lower.get(at..)?.chars() {
        if !(c.is_ascii_digit() || c == '.') {
            break;
        }
        end += c.len_utf8();
    }
    let number = lower.get(at..end)?.trim_end_matches('.').parse().ok()?;
    let key: String =
        lower.get(..at)?.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
    Some((key, number))
}

/// A threshold that fell, or is gone.
pub(super) fn lowered(file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let mut now: HashMap<String, Vec<f64>> = HashMap::new();
    for line in &file.new.lines {
        if let Some((key, number)) = numbers(&line.text) {
            now.entry(key).or_default().push(number);
        }
    }
    let about = |key: &str, words: &[&str]| {
        words.iter().any(|word| {
            let word: String =
                word.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
            key.ends_with(&word) || (word.len() > 6 && key.contains(&word))
        })
    };
    // The same word elsewhere in what is new: it stands in another place of a line.
    let still = |text: &str| {
        let lower = text.to_lowercase();
        let words = ["fail_under", "fail-under", "thresholds", "minimum_coverage", "threshold", "minimum"];
        words.iter().any(|word| {
            lower.contains(word) && file.new.lines.iter().any(|own| own.text.to_lowercase().contains(word))
        })
    };
    for line in file.old.changed() {
        let Some((key, was)) = numbers(&line.text) else { continue };
        let floor =
            about(&key, FLOORS) && !key.contains("version") && !key.contains("uses") && !key.contains("node");
        let ceiling = about(&key, CEILINGS) && !key.contains("version");
        if !floor && !ceiling {
            continue;
        }
        let new = file.new.changed().find(|own| numbers(&own.text).is_some_and(|(own, _)| own == key));
        match new.and_then(|own| numbers(&own.text).map(|(_, number)| (own.number, number))) {
            Some((number, is)) if floor && is < was || ceiling && is > was && !floor => {
                found.push(at_line(
                    Detector::RunnerNarrowed,
                    Severity::Serious,
                    file,
                    Side::New,
                    number,
                    format!("the threshold goes from {was} to {is}"),
                ));
            }
            Some(_) => {}
            None if floor
                && !still(&line.text)
                && !now.contains_key(&key)
                && (key.contains("fail")
                    || key.contains("thresh")
                    || key.contains("minimum")
                    || key.contains("cov")
                    || matches!(key.as_str(), "lines" | "branches" | "functions" | "statements")) =>
            {
                found.push(at_line(
                    Detector::RunnerNarrowed,
                    Severity::Serious,
                    file,
                    Side::Old,
                    line.number,
                    "the threshold is gone",
                ));
            }
            None => {}
        }
    }
    // A limit that was not there lets something pass that did not.
    for line in file.new.changed() {
        let Some((key, is)) = numbers(&line.text) else { continue };
        let retry =
            ["retries", "retry", "reruns", "testretries", "rerun"].iter().any(|word| key.ends_with(word));
        let before = file
            .old
            .lines
            .iter()
            .filter_map(|own| numbers(&own.text))
            .any(|(own, was)| own == key && was >= is);
        let known = file.old.lines.iter().filter_map(|own| numbers(&own.text)).any(|(own, _)| own == key);
        let network = ["network", "http", "fetch", "npm", "pip", "download", "curl", "backoff"]
            .iter()
            .any(|word| line.text.to_lowercase().contains(word));
        if retry && is > 0.0 && !before && !known && !network {
            found.push(at_line(
                Detector::WaitsAdded,
                Severity::Serious,
                file,
                Side::New,
                line.number,
                "tests are tried again until they pass",
            ));
        }
    }
    found
}
