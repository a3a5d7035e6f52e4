//! Answers made for the tests: code that knows an input of a test and returns what that test expects, and code that asks
//! whether it is being tested.

use jury_core::severity::Severity;
use std::collections::HashMap;

use super::super::code::{has_word, is_word, words};
use super::super::path::FileKind;
use super::super::side::{Row, Sides};
use super::subject::{Subject, at, following, values};
use super::{Detector, DiffEvidence};

/// The most places in tests that one value is looked up in.
const MOST_PLACES: usize = 32;

/// How a program learns that it is being tested.
const ASKING: &[&str] = &[
    "PYTEST_CURRENT_TEST",
    "JEST_WORKER_ID",
    "VITEST_WORKER_ID",
    "testing.Testing()",
    "process.env.VITEST",
    "\"pytest\" in sys.modules",
    "'pytest' in sys.modules",
    "RUST_TEST_THREADS",
];

pub(super) fn answers(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let tests = Tests::new(subject);
    let mut found = Vec::new();
    for file in subject.sides.iter().filter(|file| file.kind == FileKind::Source) {
        for (index, row) in file.new.changed() {
            if file.new.function_at(index).is_some_and(|function| function.test) || subject.was_there(row) {
                continue;
            }
            // A name that stands alone in a list asks nothing.
            let asks = row.code().contains(|character: char| !matches!(character, '"' | ',' | ' '));
            if let Some(word) =
                ASKING.iter().find(|word| asks && row.text.contains(*word) && !row.parts.is_comment())
            {
                let text = format!("the code asks whether it is being tested: {word}");
                found.push(at(Detector::HardCoded, Severity::Serious, file, row, text));
            } else if is_answer(&tests, file, index, row) {
                let text = "an input that a test uses is answered with the value that the test expects";
                found.push(at(Detector::HardCoded, Severity::Serious, file, row, text));
            }
        }
    }
    found
}

/// A condition with a value, and what is returned for it; both stand together in a test.
fn is_answer(tests: &Tests<'_>, file: &Sides<'_>, index: usize, row: &Row) -> bool {
    let code = row.code();
    let compares = ["==", ".equals(", "=== ", " in ", "Equal("].iter().any(|mark| code.contains(mark));
    let is_condition = (has_word(code, "if") && compares)
        || code.starts_with("case ")
        || (code.contains("=>")
            && code.starts_with(['"', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '(', '[']))
        || (compares && code.contains(" ? "));
    if !is_condition {
        return false;
    }
    let mut asked = values(row);
    let mut answered = Vec::new();
    if let Some(mark) = [" ? ", "=> ", "return "].into_iter().find(|mark| code.contains(mark)) {
        // Both on one line: the answer stands behind the mark.
        let tail = row.text.rsplit(mark).next().unwrap_or_default();
        if is_literal(code.rsplit(mark).next().unwrap_or_default()) {
            answered = asked.iter().filter(|value| tail.contains(value.as_str())).cloned().collect();
            answered.extend(truth(tail));
            asked.retain(|value| !answered.contains(value));
        }
    } else {
        let next =
            following(&file.new, index, 2).find(|next| has_word(next.code(), "return") && next.changed);
        if let Some(next) = next.filter(|next| is_literal(next.code())) {
            answered = values(next);
            answered.extend(truth(next.code()));
        }
    }
    !answered.is_empty()
        && asked.iter().filter(|value| is_particular(value)).any(|value| tests.expects(value, &answered))
}

/// Nothing is computed: a value, perhaps wrapped. What stands behind the colon of a choice is for the other inputs.
fn is_literal(code: &str) -> bool {
    let wraps = [
        "return",
        "to_owned",
        "to_string",
        "into",
        "String",
        "from",
        "Some",
        "Ok",
        "Optional",
        "List",
        "of",
        "vec",
        "new",
        "Decimal",
        "float",
        "int",
        "str",
        "true",
        "false",
        "True",
        "False",
        "None",
        "null",
        "nil",
    ];
    let answer = code.split(" : ").next().unwrap_or(code);
    words(answer).all(|word| wraps.contains(&word) || word.starts_with(|first: char| first.is_ascii_digit()))
}

/// Truth and absence are values, too.
fn truth(code: &str) -> Vec<String> {
    let constants = ["true", "false", "True", "False", "None", "null", "nil"];
    words(code).filter(|word| constants.contains(word)).map(str::to_lowercase).collect()
}

/// A value that somebody chose for a test, and not a unit, a kind or a status that code rightly knows.
fn is_particular(value: &str) -> bool {
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        let known = [
            "12", "16", "24", "32", "64", "128", "255", "256", "365", "366", "512", "1024", "65535", "65536",
        ];
        let status = value.len() == 3 && value.starts_with(['1', '2', '3', '4', '5']);
        return value.len() >= 2 && !value.ends_with('0') && !known.contains(&value) && !status;
    }
    value.len() >= 4 && value.chars().any(|character| !is_word(character) || character.is_ascii_digit())
}

struct Tests<'a> {
    rows: Vec<&'a Row>,
    places: HashMap<String, Vec<usize>>,
}

impl<'a> Tests<'a> {
    fn new(subject: &'a Subject<'_>) -> Self {
        let mut tests = Self { rows: Vec::new(), places: HashMap::new() };
        for file in &subject.sides {
            for (index, row) in file.new.rows.iter().enumerate() {
                if file.kind == FileKind::Test
                    || file.new.function_at(index).is_some_and(|function| function.test)
                {
                    for value in values(row) {
                        let places = tests.places.entry(value).or_default();
                        if places.len() < MOST_PLACES {
                            places.push(tests.rows.len());
                        }
                    }
                    tests.rows.push(row);
                }
            }
        }
        tests
    }

    /// A test has the input and, there or in the next lines, one of the answers.
    fn expects(&self, input: &str, answers: &[String]) -> bool {
        let places = self.places.get(input).map(Vec::as_slice).unwrap_or_default();
        places.iter().any(|place| {
            self.rows.iter().skip(*place).take(3).any(|row| {
                let mut there = values(row);
                there.extend(truth(row.code()));
                answers.iter().any(|answer| answer != input && there.contains(answer))
            })
        })
    }
}
