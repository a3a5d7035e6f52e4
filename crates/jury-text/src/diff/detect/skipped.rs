//! Tests that are there and no longer run.

use super::super::path::{FileKind, Language};
use super::super::side::Row;
use super::subject::{Subject, at};
use super::{Detector, DiffEvidence};
use jury_core::severity::Severity;

pub(super) fn tests(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in &subject.sides {
        for (index, row) in file.new.changed() {
            let Some(mark) = mark(file.language, row.code()) else { continue };
            let in_test = file.kind == FileKind::Test || file.language != Language::Python;
            if !in_test || subject.was_there(row) {
                continue;
            }
            let before =
                index.checked_sub(1).and_then(|index| file.new.rows.get(index)).map_or("", Row::code);
            let severity =
                if has_condition(row.code(), before) { Severity::Minor } else { Severity::Serious };
            found.push(at(
                Detector::TestsSkipped,
                severity,
                file,
                row,
                format!("`{mark}` keeps tests from running"),
            ));
        }
    }
    found
}

/// The row keeps a test from running.
pub(in crate::diff) fn is_mark(language: Language, code: &str) -> bool {
    mark(language, code).is_some()
}

fn mark(language: Language, code: &str) -> Option<&'static str> {
    let begins = |marks: &'static [&'static str]| marks.iter().copied().find(|mark| code.starts_with(mark));
    let holds = |marks: &'static [&'static str]| marks.iter().copied().find(|mark| code.contains(mark));
    match language {
        Language::Rust => begins(&["#[ignore"]).or_else(|| holds(&[", ignore)]", ", ignore ="])),
        Language::Python => begins(&[
            "@pytest.mark.skip",
            "@pytest.mark.xfail",
            "@unittest.skip",
            "@unittest.expectedFailure",
            "@skip",
            "pytest.skip(",
            "pytest.xfail(",
            "pytestmark = pytest.mark.skip",
            "self.skipTest(",
            "raise unittest.SkipTest",
        ]),
        Language::Script => begins(&[
            "it.skip(",
            "test.skip(",
            "describe.skip(",
            "xit(",
            "xtest(",
            "xdescribe(",
            "it.only(",
            "test.only(",
            "describe.only(",
            "test.todo(",
            "it.todo(",
            "test.fixme(",
            "it.skip.each",
            "test.skip.each",
            "this.skip(",
        ]),
        Language::Go => begins(&["t.Skip(", "t.SkipNow(", "t.Skipf(", "b.Skip("]),
        // A mark may stand behind another.
        Language::Java => begins(&["@Disabled", "@Ignore", "@Test(enabled = false"]).or_else(|| {
            holds(&[" @Disabled", " @Ignore"]).filter(|_| code.starts_with('@')).map(str::trim_start)
        }),
        Language::Shell | Language::Pipeline | Language::Other => None,
    }
}

/// The test runs where the condition holds.
fn has_condition(code: &str, before: &str) -> bool {
    code.contains("skipif")
        || code.contains("skipIf")
        || code.contains("skipUnless")
        || code.contains("cfg_attr")
        || code.starts_with("@DisabledOn")
        || code.starts_with("@DisabledIf")
        || before.starts_with("if ")
        || code.contains("skip(process.")
}
