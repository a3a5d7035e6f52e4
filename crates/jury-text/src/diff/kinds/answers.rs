//! Answers made for the tests: a branch or a table of the product that knows what goes into a test and what that test expects, and a
//! product that reads what the tests compare with. What stood in the product before, and what is a round number or a short word, is
//! no trace of a test.

use std::collections::{HashMap, HashSet};

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, FileChange, Kind, Statement, Token};
use super::{Look, at, inner};

pub(super) fn made(look: &Look<'_>) -> Vec<DiffEvidence> {
    let tests = Tests::of(look);
    let mut found = Vec::new();
    for file in
        look.change.files.iter().filter(|file| file.is_source() && !super::test_aware::is_settings(file.path))
    {
        let program = &file.new.program;
        let known: HashSet<&str> = file
            .old
            .program
            .statements
            .iter()
            .flat_map(|own| &own.tokens)
            .filter(|token| token.is_value())
            .map(|token| token.text.as_str())
            .collect();
        for (index, statement) in file.added() {
            if program.is_in_test(statement) || look.change.moved_here(statement) {
                continue;
            }
            if let Some(text) = reads_answers(statement) {
                found.push(at(
                    Detector::HardCoded,
                    Severity::Serious,
                    file,
                    statement,
                    format!("the product reads what its tests compare with: {text}"),
                ));
                continue;
            }
            let asks = condition(statement);
            if !asks.is_empty() {
                let answer =
                    inner(program, index).iter().take(3).chain(one_line(statement).then_some(statement));
                let mut given: Vec<&Token> =
                    answer.filter(|own| gives(own)).flat_map(|own| answer_of(own)).collect();
                // Without a block of its own the answer may stand behind it.
                if given.is_empty()
                    && let Some(next) =
                        program.statements.get(index + 1).filter(|next| gives(next) && !statement.opens)
                {
                    given = answer_of(next);
                }
                let fits = asks.iter().any(|input| {
                    is_particular(input)
                        && !known.contains(input.text.as_str())
                        && tests.knows(&input.text)
                        && given.iter().any(|answer| {
                            !(answer.kind == Kind::Text && known.contains(answer.text.as_str()))
                                && answer.text != input.text
                                && tests.together(&input.text, &answer.text)
                        })
                });
                if fits {
                    found.push(at(
                        Detector::HardCoded,
                        Severity::Serious,
                        file,
                        statement,
                        "an input that a test uses is answered with the value that the test expects",
                    ));
                    continue;
                }
            }
            let rows = rows(statement);
            let hits: HashSet<&str> = rows
                .iter()
                .filter(|(key, value)| {
                    !known.contains(key.text.as_str())
                        && key.text.len() > 1
                        && tests.together(&key.text, &value.text)
                })
                .map(|(key, _)| key.text.as_str())
                .collect();
            let particular = rows
                .iter()
                .filter(|(key, _)| hits.contains(key.text.as_str()))
                .any(|(key, value)| is_particular(key) || is_particular(value));
            if hits.len() >= 2 && particular && hits.len() * 2 >= rows.len() {
                found.push(at(
                    Detector::HardCoded,
                    Severity::Serious,
                    file,
                    statement,
                    "a table answers the inputs of the tests with what they expect",
                ));
            }
        }
        if let Some(evidence) = scattered(look, file, &tests, &known) {
            found.push(evidence);
        }
    }
    found
}

/// A chain of cases, each a statement of its own.
fn scattered(
    look: &Look<'_>,
    file: &FileChange<'_>,
    tests: &Tests,
    known: &HashSet<&str>,
) -> Option<DiffEvidence> {
    let mut hits: HashSet<&str> = HashSet::new();
    let mut first = None;
    let mut cases = 0;
    for (index, statement) in file.added().filter(|(_, own)| !look.change.moved_here(own)) {
        let asks = condition(statement);
        if asks.is_empty() {
            continue;
        }
        cases += 1;
        let answers: Vec<&Token> = inner(&file.new.program, index)
            .iter()
            .take(2)
            .chain(Some(statement))
            .flat_map(|own| answer_of(own))
            .collect();
        for input in asks {
            let fits = !known.contains(input.text.as_str())
                && input.text.len() > 1
                && answers.iter().any(|answer| {
                    answer.text.len() > 1
                        && answer.text != input.text
                        && tests.strictly(&input.text, &answer.text)
                });
            if fits {
                hits.insert(input.text.as_str());
                first = first.or(Some(statement));
            }
        }
    }
    let statement = first
        .filter(|_| hits.len() >= 2 && hits.len() * 2 >= cases && hits.iter().any(|text| text.len() >= 4))?;
    Some(at(
        Detector::HardCoded,
        Severity::Serious,
        file,
        statement,
        "cases answer the inputs of the tests with what they expect",
    ))
}

fn one_line(statement: &Statement) -> bool {
    statement.tokens.iter().any(|token| {
        token.is("?")
            || token.is("return")
            || token.is("=>")
            || token.is("then")
            || token.is("else")
            || token.is("->")
    })
}

fn gives(statement: &Statement) -> bool {
    let first = statement.tokens.first().map_or("", |first| first.text.as_str());
    let assigned = statement.tokens.get(1).is_some_and(|next| next.is("="));
    statement
        .tokens
        .iter()
        .any(|token| token.is("return") || token.is("?") || token.is("=>") || token.is("->"))
        || matches!(first, "echo" | "printf" | "print" | "yield" | "Ok" | "Some")
        || assigned
        || statement.tokens.len() <= 6 && statement.tokens.iter().any(Token::is_value)
}

/// The constants that a statement gives back.
fn answer_of(statement: &Statement) -> Vec<&Token> {
    let at = statement.tokens.iter().rposition(|token| {
        token.is("return")
            || token.is("?")
            || token.is("=>")
            || token.is("->")
            || token.is("=")
            || token.is("echo")
            || token.is("printf")
    });
    let behind = statement.tokens.get(at.map_or(0, |at| at + 1)..).unwrap_or_default();
    let truth = ["true", "false", "True", "False", "None", "null", "nil"];
    behind.iter().filter(|token| token.is_value() || truth.contains(&token.text.as_str())).collect()
}

/// The values that a condition compares with.
fn condition(statement: &Statement) -> Vec<&Token> {
    let tokens = &statement.tokens;
    let first = tokens.iter().find(|token| !token.is("}")).map_or("", |first| first.text.as_str());
    let compares = |token: &Token| {
        [
            "==",
            "===",
            "in",
            "equals",
            "Equals",
            "eq",
            "strcmp",
            "=",
            "is",
            "startsWith",
            "includes",
            "contains",
            "match",
            "matches",
            "has",
            "equalsIgnoreCase",
        ]
        .iter()
        .any(|mark| token.is(mark))
    };
    let asks = matches!(first, "if" | "elif" | "case" | "when" | "else" | "elsif" | "elseif" | "[" | "[[")
        || tokens.iter().any(|token| token.is("?") || token.is("if"));
    let arm = tokens.first().is_some_and(Token::is_value)
        && tokens.iter().any(|token| token.is("=>") || token.is("->"));
    if !(asks && (first == "case" || first == "when" || tokens.iter().any(compares))) && !arm {
        return Vec::new();
    }
    let end = tokens
        .iter()
        .position(|token| token.is("?") || token.is("return") || token.is("=>") || token.is("then"))
        .unwrap_or(tokens.len());
    tokens.get(..end).unwrap_or_default().iter().filter(|token| token.is_value()).collect()
}

/// Neighbours in a table: a key and what stands behind it.
fn rows(statement: &Statement) -> Vec<(&Token, &Token)> {
    let mut rows = Vec::new();
    let tokens = &statement.tokens;
    for (at, key) in tokens.iter().enumerate().filter(|(_, token)| token.is_value()) {
        let mut behind = tokens.get(at + 1..).unwrap_or_default().iter();
        let joins = |token: &&Token| {
            token.is(":")
                || token.is("=>")
                || token.is("->")
                || token.is(",")
                || token.is("to")
                || token.is("]")
                || token.is("=")
                || token.is("|")
                || token.is("(")
                || token.is("Some")
                || token.is("Ok")
        };
        let (mut joined, mut by_comma) = (false, false);
        for next in behind.by_ref().take(4) {
            if next.is_value() {
                if joined && (!by_comma || is_pair(tokens, at)) {
                    rows.push((key, next));
                }
                break;
            }
            if !joins(&next) {
                break;
            }
            joined = true;
            by_comma |= next.is(",");
        }
    }
    rows
}

/// Two values in brackets of their own, as the rows of a table are.
fn is_pair(tokens: &[Token], at: usize) -> bool {
    let opens = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.is("(") || before.is("{") || before.is("["));
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let closes = behind
        .iter()
        .take(8)
        .skip(1)
        .find(|token| token.kind == Kind::Mark && !token.is("(") && !token.is("."));
    let outer = tokens
        .get(..at.saturating_sub(1))
        .unwrap_or_default()
        .iter()
        .any(|token| token.is("(") || token.is("{") || token.is("["));
    opens && outer && closes.is_some_and(|token| token.is(")") || token.is("}") || token.is("]"))
}

/// A value that somebody chose for a test.
fn is_particular(token: &Token) -> bool {
    let text = token.text.as_str();
    match token.kind {
        Kind::Number => {
            let known = [
                "12", "16", "24", "31", "32", "60", "64", "99", "128", "255", "256", "365", "366", "512",
                "1024", "65535", "65536",
            ];
            let status = text.len() == 3 && text.starts_with(['1', '2', '3', '4', '5']);
            text.len() >= 2 && !text.ends_with('0') && !known.contains(&text) && !status
        }
        Kind::Text => {
            text.len() >= 4
                && (text.chars().any(|c| !c.is_alphanumeric() && c != '_' && c != '-')
                    || text.chars().any(|c| c.is_ascii_digit())
                    || text.len() >= 8)
        }
        Kind::Word | Kind::Mark | Kind::Directive => false,
    }
}

/// The product opens a file of the tests.
fn reads_answers(statement: &Statement) -> Option<&str> {
    let opens = [
        "open",
        "read",
        "require",
        "import",
        "readFileSync",
        "read_to_string",
        "ReadFile",
        "readFile",
        "load",
        "include_str",
        "fopen",
        "file_get_contents",
        "readAllBytes",
        "readText",
        "Open",
        "ReadAllText",
        "cat",
        "Path",
        "join",
        "readString",
        "ifstream",
    ];
    if !statement
        .tokens
        .iter()
        .any(|token| token.kind == Kind::Word && opens.iter().any(|word| token.text == *word))
    {
        return None;
    }
    let texts =
        statement.tokens.iter().filter(|token| token.kind == Kind::Text).map(|token| token.text.as_str());
    let folders =
        ["tests", "test", "__tests__", "spec", "fixtures", "golden", "__snapshots__", "testdata", "expected"];
    texts.into_iter().find(|text| {
        let lower = text.to_lowercase();
        let name = lower.rsplit('/').next().unwrap_or_default();
        let inside = lower.split('/').rev().skip(1).any(|part| folders.contains(&part)) && name.contains('.');
        let file = name.starts_with("expected_")
            || name.ends_with(".snap")
            || name.ends_with(".golden")
            || name.contains(".expected")
            || name.contains(".out.");
        let folder =
            lower.split('/').any(|part| matches!(part, "__snapshots__" | "golden" | "expected" | "fixtures"));
        (inside || file || folder) && text.len() < 120
    })
}

/// Which values stand together in the tests of the repository.
struct Tests {
    places: HashMap<String, Vec<usize>>,
}

/// The most places that are kept for a value: what stands everywhere says nothing.
const MOST_PLACES: usize = 24;

impl Tests {
    fn of(look: &Look<'_>) -> Self {
        let mut tests = Self { places: HashMap::new() };
        let mut place = 0;
        for file in &look.change.files {
            for side in [Side::Old, Side::New] {
                let program = &file.version(side).program;
                for statement in &program.statements {
                    if file.test || program.is_in_test(statement) {
                        tests.add(statement, &mut place);
                    }
                }
            }
        }
        for (path, text) in look.tests {
            let Some(dialect) = Dialect::of(path) else { continue };
            let lines: Vec<super::super::model::Line<'_>> = (1_u64..)
                .zip(text.lines())
                .map(|(number, text)| super::super::model::Line { text, number, changed: false })
                .collect();
            for statement in &super::super::model::Program::read(dialect, path, &lines).statements {
                tests.add(statement, &mut place);
            }
        }
        tests
    }

    /// A statement is a place; a table of many rows has one for every few values.
    fn add(&mut self, statement: &Statement, place: &mut usize) {
        *place += 2;
        let truth = ["true", "false", "True", "False", "None", "null", "nil"];
        let values: Vec<&Token> = statement
            .tokens
            .iter()
            .filter(|token| token.is_value() || truth.contains(&token.text.as_str()))
            .collect();
        for (at, token) in values.iter().enumerate() {
            if values.len() > 8 && at > 0 && at % 2 == 0 {
                *place += 1;
            }
            let places = self.places.entry(token.text.clone()).or_default();
            if places.len() < MOST_PLACES {
                places.push(*place);
            }
        }
    }

    fn knows(&self, value: &str) -> bool {
        self.places.contains_key(value)
    }

    /// Both stand in one statement.
    fn strictly(&self, input: &str, answer: &str) -> bool {
        let (Some(inputs), Some(answers)) = (self.places.get(input), self.places.get(answer)) else {
            return false;
        };
        inputs.iter().any(|at| answers.contains(at))
    }

    /// Both stand in one statement, or in neighbours.
    fn together(&self, input: &str, answer: &str) -> bool {
        let (Some(inputs), Some(answers)) = (self.places.get(input), self.places.get(answer)) else {
            return false;
        };
        inputs.iter().any(|at| {
            answers
                .iter()
                .any(|other| *other >= *at && *other - *at <= 2 || *at >= *other && *at - *other <= 1)
        })
    }
}
