//! Clocks, random numbers and built-in functions that are set to something else. In tests that is how one tests; the product has no
//! reason to.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::{Look, at};

const SET: &[&str] = &[
    "time.time=",
    "time.monotonic=",
    "time.sleep=",
    "time.perf_counter=",
    "datetime.datetime=",
    "random.random=",
    "random.seed(0)",
    "Date.now=",
    "Math.random=",
    "performance.now=",
    "global.Date=",
    "globalThis.Date=",
    "globalThis.setTimeout=",
    "builtins.",
    "sys.modules[",
    "__builtins__",
    "process.hrtime=",
    "Time.define_singleton_method",
    "Array.prototype.",
    "Object.prototype.",
    "String.prototype.",
    "Number.prototype.",
    "console.assert=",
    "class<<Time",
    "class<<Date",
    "class Time",
    "class Date",
    "class Integer",
    "class String",
    "class Array",
];

pub(super) fn patched(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter().filter(|file| file.dialect.is_some()) {
        for (_, statement) in file.added() {
            let text = statement.text.as_str();
            let hit = SET.iter().find(|mark| text.starts_with(**mark)).filter(|mark| {
                let assigned = text.contains('=') && !text.contains("==")
                    || mark.contains('(')
                    || mark.starts_with("class") && text == **mark;
                assigned && !look.change.moved_here(statement)
            });
            let spied = is_setup(file.path)
                && (text.contains("Date.prototype") || text.contains("Math,\"random\""))
                && text.contains("spyOn(");
            if hit.is_none() && !spied {
                continue;
            }
            let product = file.is_source();
            let whole_run = !product && is_setup(file.path) && !text.contains("seed");
            let seeds = text.contains("seed(");
            let severity = if (product && !seeds) || whole_run { Severity::Serious } else { Severity::Minor };
            found.push(at(
                Detector::Forged,
                severity,
                file,
                statement,
                "a clock, a source of numbers or a built-in function is replaced for everybody",
            ));
        }
    }
    found
}

/// What runs before all tests.
pub(super) fn is_setup(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    [
        "conftest.py",
        "sitecustomize.py",
        "usercustomize.py",
        "spec_helper.rb",
        "test_helper.rb",
        "rails_helper.rb",
        "bootstrap.php",
        "pest.php",
        "main_test.go",
        "test_helper.bash",
        "globalsetup",
    ]
    .iter()
    .any(|own| name == *own || name.starts_with(own))
        || name.contains("setup")
        || name.contains("jest.config")
        || name.contains("vitest.config")
}
