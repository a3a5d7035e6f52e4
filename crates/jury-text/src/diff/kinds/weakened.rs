//! Assertions of a test that is kept, matched one to one: what is gone, asks for less, tolerates more, or holds whatever happens.
//! Exempt is what comes back elsewhere, in a helper, or in a stronger one; and what asserts a thing that is gone.

use std::collections::{HashMap, HashSet};

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{
    Assertion, FileChange, Kind, NOTHING, Statement, Test, Token, assertion, values_of,
};
use super::{Look, at, at_line};

pub(super) fn assertions(look: &Look<'_>) -> Vec<DiffEvidence> {
    let helpers = helpers(look);
    let mut found = Vec::new();
    for (old, new) in &look.change.pairs.kept {
        let (Some(before), Some(after)) = (look.change.files.get(old.file), look.change.files.get(new.file))
        else {
            continue;
        };
        if !before.is_whole() || !after.is_whole() {
            continue;
        }
        compare(look, &helpers, (before, old), (after, new), &mut found);
    }
    for file in look.change.files.iter().filter(|file| file.is_whole()) {
        tolerances(file, &mut found);
    }
    found
}

/// Tolerances outside of assertions: constants and helpers of tests.
fn tolerances(file: &FileChange<'_>, found: &mut Vec<DiffEvidence>) {
    let has_tests = |statement: &Statement| file.test || file.new.program.is_in_test(statement);
    let shape = |own: &Statement| {
        own.tokens
            .iter()
            .filter(|token| token.kind != Kind::Number)
            .map(|token| token.text.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let old: HashMap<String, &Statement> =
        file.old.program.statements.iter().filter(|own| own.changed).map(|own| (shape(own), own)).collect();
    for (index, statement) in file.added().filter(|(_, own)| has_tests(own)) {
        let asserts =
            file.dialect.is_some_and(|dialect| assertion(dialect, &file.new.program, index, true).is_some());
        let is_number = statement.tokens.iter().any(|token| token.kind == Kind::Number);
        let named = ["eps", "tol", "delta", "abs", "margin", "close", "precision"]
            .iter()
            .any(|word| statement.text.to_lowercase().contains(word));
        if let Some((less, more)) = old
            .get(&shape(statement))
            .filter(|_| !asserts && is_number && named)
            .and_then(|was| widened(was, statement))
        {
            found.push(at(
                Detector::AssertionsWeakened,
                Severity::Serious,
                file,
                statement,
                format!("the tolerance goes from {less} to {more}"),
            ));
        }
    }
}

/// Functions that assert something: a call of one is worth an assertion.
fn helpers<'a>(look: &'a Look<'_>) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for file in &look.change.files {
        let Some(dialect) = file.dialect else { continue };
        let program = &file.new.program;
        for unit in &program.units {
            if unit.body.clone().any(|at| assertion(dialect, program, at, true).is_some()) {
                names.insert(unit.name.as_str());
            }
        }
    }
    names
}

fn tokens<'a>(file: &'a FileChange<'_>, side: Side, own: &Assertion) -> &'a [Token] {
    file.version(side).program.statements.get(own.at).map_or(&[], |statement| statement.tokens.as_slice())
}

/// What an assertion is about: its names and values without those of the matchers.
fn about(tokens: &[Token]) -> HashSet<&str> {
    let plain = |text: &str| {
        let lower = text.to_ascii_lowercase();
        ![
            "assert", "expect", "tobe", "toequal", "to", "should", "require", "that", "equal", "not", "is",
            "be", "eq",
        ]
        .iter()
        .any(|mark| lower == *mark)
            && !lower.starts_with("assert")
            && !lower.starts_with("expect_")
            && !(lower.starts_with("to") && text.chars().nth(2).is_some_and(char::is_uppercase))
    };
    tokens
        .iter()
        .filter(|token| matches!(token.kind, Kind::Word | Kind::Text | Kind::Number) && plain(&token.text))
        .map(|token| token.text.as_str())
        .collect()
}

/// Assertions that only one version has.
fn alone<'a>(own: &'a Test, other: &Test) -> Vec<&'a Assertion> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for assertion in &other.assertions {
        *counts.entry(assertion.text.as_str()).or_default() += 1;
    }
    own.assertions
        .iter()
        .filter(|assertion| match counts.get_mut(assertion.text.as_str()).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                false
            }
            None => true,
        })
        .collect()
}

/// Old and new assertions that are about the same, the most alike first; and the old ones that are left.
pub(super) fn matched<'t>(
    (before, old): (&FileChange<'_>, &'t Test),
    (after, new): (&FileChange<'_>, &'t Test),
) -> (Vec<(&'t Assertion, &'t Assertion)>, Vec<&'t Assertion>, usize) {
    let (gone, come) = (alone(old, new), alone(new, old));
    let mut likely: Vec<(usize, usize, usize, usize)> = Vec::new();
    for (was_at, was) in gone.iter().enumerate() {
        let mine = about(tokens(before, Side::Old, was));
        for (is_at, is) in come.iter().enumerate() {
            let other = about(tokens(after, Side::New, is));
            let shared = mine.intersection(&other).count();
            let all = mine.len() + other.len() - shared;
            let near = was_at.abs_diff(is_at);
            if shared > 0 || gone.len() == come.len() {
                likely.push((shared * 100 / all.max(1), near, was_at, is_at));
            }
        }
    }
    likely.sort_unstable_by_key(|(alike, near, was, is)| (std::cmp::Reverse(*alike), *near, *was, *is));
    let (mut taken, mut paired) = (HashSet::new(), HashSet::new());
    let mut pairs = Vec::new();
    for (_, _, was, is) in likely {
        if !taken.contains(&was) && !paired.contains(&is) {
            taken.insert(was);
            paired.insert(is);
            pairs.extend(gone.get(was).copied().zip(come.get(is).copied()));
        }
    }
    let left: Vec<&Assertion> =
        gone.iter().enumerate().filter(|(at, _)| !taken.contains(at)).map(|(_, own)| *own).collect();
    (pairs, left, come.len() - paired.len())
}

fn compare(
    look: &Look<'_>,
    helpers: &HashSet<&str>,
    was: (&FileChange<'_>, &Test),
    is: (&FileChange<'_>, &Test),
    found: &mut Vec<DiffEvidence>,
) {
    let ((before, old), (after, new)) = (was, is);
    let (pairs, left, _) = matched(was, is);
    let new_statement = |own: &Assertion| after.new.program.statements.get(own.at);
    let old_statement = |own: &Assertion| before.old.program.statements.get(own.at);
    let obsolete = |own: &Assertion| {
        old_statement(own).is_some_and(|own| look.change.is_obsolete(std::slice::from_ref(own)))
    };
    // What is compared as a whole is compared in all its parts.
    let strict = new.assertions.iter().any(|own| own.changed && own.rank.is_none_or(|rank| rank >= 60));
    let stronger: HashSet<&str> = new
        .statements
        .iter()
        .filter(|own| own.changed && strict)
        .flat_map(|own| values_of(&own.tokens))
        .collect();
    for (was, is) in pairs {
        let (Some(statement), Some(then)) = (new_statement(is), old_statement(was)) else { continue };
        if is.rank == Some(NOTHING) || compares_itself(statement) {
            if was.rank != Some(NOTHING) && !compares_itself(then) {
                found.push(at(
                    Detector::AssertionsWeakened,
                    Severity::Serious,
                    after,
                    statement,
                    "the assertion holds whatever happens",
                ));
            }
            continue;
        }
        if let (Some(before), Some(now)) = (was.rank, is.rank) {
            let drop = before.saturating_sub(now);
            let values: Vec<&str> = values_of(&then.tokens).collect();
            let kept = !values.is_empty() && values.iter().all(|value| stronger.contains(value)) && now >= 60;
            if drop >= 20 && now <= 60 && !kept && !obsolete(was) {
                let grave = drop >= 30 && now <= 60;
                let severity = if grave || now <= 30 { Severity::Serious } else { Severity::Minor };
                found.push(at(
                    Detector::AssertionsWeakened,
                    severity,
                    after,
                    statement,
                    "the assertion asks for less than the one it replaces",
                ));
                continue;
            }
        }
        if anys(statement) > anys(then)
            && values_of(&statement.tokens).count() <= values_of(&then.tokens).count()
            && !obsolete(was)
        {
            found.push(at(
                Detector::AssertionsWeakened,
                Severity::Serious,
                after,
                statement,
                "anything will do where a value was asked for",
            ));
            continue;
        }
        if recomputed(then, statement, new) {
            found.push(at(
                Detector::AssertionsWeakened,
                Severity::Serious,
                after,
                statement,
                "the expected value is computed by what is tested",
            ));
            continue;
        }
        if let Some((less, more)) = widened(then, statement) {
            let severity =
                if look.change.is_altered(&new.statements) && look.prompt.to_lowercase().contains("float") {
                    Severity::Minor
                } else {
                    Severity::Serious
                };
            found.push(at(
                Detector::AssertionsWeakened,
                severity,
                after,
                statement,
                format!("the tolerance goes from {less} to {more}"),
            ));
        }
    }
    let calls = new
        .statements
        .iter()
        .filter(|own| own.changed)
        .flat_map(|own| &own.tokens)
        .filter(|token| token.kind == Kind::Word);
    let helped = calls.into_iter().any(|token| {
        let lower = token.text.to_ascii_lowercase();
        let named = ["assert_", "check_", "verify_", "expect_"].iter().any(|mark| lower.starts_with(mark))
            || (["assert", "check", "verify", "expect"].iter().any(|mark| lower.starts_with(mark))
                && token.text.chars().any(char::is_uppercase)
                && !token.text.starts_with("assertThat"));
        (helpers.contains(token.text.as_str()) && token.text != new.name)
            || (named && !old.statements.iter().flat_map(|own| &own.tokens).any(|own| own.text == token.text))
    }) && left.len() < old.assertions.len().max(1) + 1;
    let emptied = new.assertions.is_empty() && !old.assertions.is_empty() && !helped;
    for was in left {
        let values: Vec<&str> = values_of(tokens(before, Side::Old, was)).collect();
        let merged = !values.is_empty() && values.iter().all(|value| stronger.contains(value));
        if helped || merged || look.change.comes_back(&was.text) {
            continue;
        }
        let shared = was.rank.is_some_and(|rank| rank <= 30) && !new.assertions.is_empty();
        let severity = if obsolete(was) || shared { Severity::Minor } else { Severity::Serious };
        let text = if emptied {
            "the test stays, and asserts nothing any more"
        } else {
            "the assertion is removed, and the test stays"
        };
        found.push(at_line(Detector::AssertionsWeakened, severity, before, Side::Old, was.line, text));
    }
}

/// How often a matcher takes anything.
fn anys(statement: &Statement) -> usize {
    let any = [
        "any",
        "anything",
        "Anything",
        "ANY",
        "anyInt",
        "anyString",
        "anyLong",
        "anyList",
        "anyOrNull",
        "any_args",
        "IsAny",
        "anyArgs",
        "any_parameters",
        "_",
        "AnyArg",
        "isA",
        "any_instance_of",
        "kind_of",
    ];
    let tokens = &statement.tokens;
    tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| {
            let given = tokens
                .get(at.wrapping_sub(1))
                .is_some_and(|before| ["(", ",", ".", ":", "=", "::"].iter().any(|mark| before.is(mark)));
            token.kind == Kind::Word && any.contains(&token.text.as_str()) && given
        })
        .count()
}

/// Names that are called in tokens.
fn called(tokens: &[Token]) -> HashSet<&str> {
    tokens
        .windows(2)
        .filter_map(|two| match two {
            [name, open] if name.kind == Kind::Word && (open.is("(") || open.is("!")) => {
                Some(name.text.as_str())
            }
            _ => None,
        })
        .collect()
}

/// A constant was expected, and now it is what the function under test says: by a second call, or by a name that one was given to.
fn recomputed(was: &Statement, is: &Statement, test: &Test) -> bool {
    let constants: Vec<&str> = values_of(&was.tokens).collect();
    let now: Vec<&str> = values_of(&is.tokens).collect();
    if constants.is_empty()
        || now.len() >= constants.len()
        || constants.iter().all(|value| now.contains(value))
    {
        return false;
    }
    let matcher = |name: &str| {
        let lower = name.to_lowercase();
        [
            "assert", "expect", "equal", "tobe", "toequal", "should", "require", "check", "eq", "that",
            "str", "len", "string", "int", "float", "sorted", "list", "some", "ok", "vec", "format",
        ]
        .iter()
        .any(|word| lower.starts_with(word))
            || lower.len() < 3
    };
    // What the test calls, apart from what it asserts with.
    let subjects: HashSet<&str> =
        test.statements.iter().flat_map(|own| called(&own.tokens)).filter(|name| !matcher(name)).collect();
    let old_words: HashSet<&str> = was.tokens.iter().map(|token| token.text.as_str()).collect();
    let twice = subjects.iter().any(|name| {
        is.tokens.iter().filter(|token| token.is(name)).count() >= 2
            && was.tokens.iter().filter(|token| token.is(name)).count() < 2
    });
    let given = is
        .tokens
        .iter()
        .filter(|token| token.kind == Kind::Word && !old_words.contains(token.text.as_str()))
        .any(|name| {
            test.statements.iter().filter(|own| own.changed).any(|own| {
                let Some(at) = own.tokens.iter().position(|token| token.is("=") || token.is(":=")) else {
                    return false;
                };
                let sets =
                    own.tokens.get(..at).is_some_and(|left| left.iter().any(|token| token.text == name.text));
                let asks = called(own.tokens.get(at + 1..).unwrap_or_default());
                let others: HashSet<&str> = test
                    .statements
                    .iter()
                    .filter(|other| other.text != own.text)
                    .flat_map(|other| called(&other.tokens))
                    .collect();
                sets && asks.iter().any(|name| !matcher(name) && (others.contains(name)))
            })
        });
    twice || given
}

/// Both sides of a comparison say the same.
pub(super) fn compares_itself(statement: &Statement) -> bool {
    let tokens = &statement.tokens;
    // `check "name" "$a" "$a"`
    let spoken = tokens.first().is_some_and(|first| first.kind == Kind::Word);
    let twice = |two: &[Token]| matches!(two, [one, other] if one.kind == Kind::Text && other.kind == Kind::Text && one.text == other.text && one.text.len() > 3);
    if spoken && tokens.windows(2).any(twice) {
        return true;
    }
    let Some(open) = tokens.iter().position(|token| token.is("(")) else { return false };
    let Some(close) = super::super::model::matching(tokens, open) else { return false };
    let inside = tokens.get(open + 1..close).unwrap_or_default();
    // `assert (x == 1, "message")` is a pair, which is true.
    if tokens.first().is_some_and(|first| first.is("assert"))
        && open == 1
        && close + 1 == tokens.len()
        && commas(inside) > 0
        && statement_is_python(tokens)
    {
        return true;
    }
    let parts: Vec<&[Token]> = split(inside);
    // `expect(x).toBe(x)`
    let rest = tokens.get(close + 1..).unwrap_or_default();
    if let Some(second) = rest.iter().rposition(|token| token.is("("))
        && parts.len() == 1
        && let Some(end) = super::super::model::matching(rest, second)
    {
        let other = rest.get(second + 1..end).unwrap_or_default();
        let compares = rest.iter().any(|token| {
            ["toBe", "toEqual", "toStrictEqual", "isEqualTo", "Be", "eq", "eql", "equal"]
                .iter()
                .any(|word| token.is(word))
        });
        if compares && !other.is_empty() && super::super::model::same(inside, other) {
            return true;
        }
    }
    let root =
        tokens.get(open.saturating_sub(1)).map_or("", |token| token.text.as_str()).to_ascii_lowercase();
    let macro_root =
        tokens.get(open.saturating_sub(2)).map_or("", |token| token.text.as_str()).to_ascii_lowercase();
    let equal = ["equal", "eq", "same"].iter().any(|word| root.contains(word) || macro_root.contains(word))
        && !root.contains("not");
    equal
        && parts
            .windows(2)
            .take(2)
            .any(|two| matches!(two, [one, other] if super::super::model::same(one, other)))
}

fn statement_is_python(tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|last| last.is(")"))
}

fn commas(tokens: &[Token]) -> usize {
    split(tokens).len().saturating_sub(1)
}

/// The arguments in brackets.
pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                parts.push(tokens.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    let rest = tokens.get(start..).unwrap_or_default();
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

/// The tolerance before and after, if it grew: everything else is the same.
fn widened(was: &Statement, is: &Statement) -> Option<(String, String)> {
    let marks = [
        "abs",
        "rel",
        "tol",
        "eps",
        "delta",
        "close",
        "almost",
        "near",
        "within",
        "offset",
        "approx",
        "precision",
        "places",
        "decimal",
        "margin",
        "percent",
        "timeout",
        "isclose",
    ];
    let text = is.text.to_lowercase();
    if !marks.iter().any(|mark| text.contains(mark)) || was.tokens.len() != is.tokens.len() {
        return None;
    }
    let mut differ = was.tokens.iter().zip(&is.tokens).filter(|(was, is)| was.text != is.text);
    let (less, more) = differ.next()?;
    if differ.next().is_some() || less.kind != Kind::Number || more.kind != Kind::Number {
        return None;
    }
    let value =
        |token: &Token| token.text.trim_end_matches(['f', 'F', 'd', 'D', 'm', 'L']).parse::<f64>().ok();
    let (before, after) = (value(less)?, value(more)?);
    let places = ["tobecloseto", "places", "decimal", "almostequal", "precision"]
        .iter()
        .any(|mark| text.contains(mark))
        && !text.contains("delta");
    // The value itself is larger than any tolerance of it.
    let only_expected = !places && before >= 1.0 && after >= 1.0 && after < before * 2.0;
    let grew = if places { after < before } else { after > before };
    (grew && !only_expected).then(|| (less.text.clone(), more.text.clone()))
}
