//! Which test of the one version is which of the other: by name, by place, by what it says, and by what it asserts. A test that
//! is renamed, moved, split, merged or made a table is not deleted.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::Side;
use super::program::{Statement, UnitKind};
use super::token::{Kind, Token};
use super::{Assertion, FileChange, assertion};

/// A test of a version of a file.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Test {
    /// Which file of the change.
    pub(in crate::diff) file: usize,
    /// Which unit of the program.
    pub(in crate::diff) unit: usize,
    pub(in crate::diff) name: String,
    /// The suites around it, with its own name.
    key: String,
    /// Its statements, without those of tests within it.
    pub(in crate::diff) statements: Vec<Statement>,
    pub(in crate::diff) assertions: Vec<Assertion>,
}

/// The tests of both versions.
#[derive(Debug, Default)]
pub(in crate::diff) struct Pairs {
    pub(in crate::diff) kept: Vec<(Test, Test)>,
    /// Tests of the old version without a counterpart, whose checks do not come back.
    pub(in crate::diff) lost: Vec<Test>,
    /// Tests of the new version without a counterpart.
    pub(in crate::diff) born: Vec<Test>,
}

/// The most tests that are compared by what they say.
const MOST_LEFT: usize = 120;

/// How much of two tests must be the same.
const ALIKE: f64 = 0.5;

fn tests(files: &[FileChange<'_>], side: Side) -> Vec<Test> {
    let mut all = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let program = &file.version(side).program;
        let Some(dialect) = file.dialect else { continue };
        for (unit_at, unit) in program.tests() {
            let mut key: Vec<&str> = program.around(Some(unit_at)).map(|unit| unit.name.as_str()).collect();
            key.reverse();
            // Units stand in the order of their heads: those within this one follow it.
            let inner: HashSet<usize> = program
                .units
                .get(unit_at + 1..)
                .unwrap_or_default()
                .iter()
                .take_while(|other| other.head < unit.body.end)
                .filter(|other| other.kind == UnitKind::Test)
                .flat_map(|other| other.head..other.body.end.max(other.head + 1))
                .collect();
            let own = unit.body.clone().filter(|at| !inner.contains(at));
            let assertions = own.clone().filter_map(|at| assertion(dialect, program, at, true)).collect();
            let statements = own.filter_map(|at| program.statements.get(at).cloned()).collect();
            all.push(Test {
                file: index,
                unit: unit_at,
                name: unit.name.clone(),
                key: key.join(" > "),
                statements,
                assertions,
            });
        }
    }
    all
}

pub(in crate::diff) fn pairs(files: &[FileChange<'_>]) -> Pairs {
    let mut old: Vec<Option<Test>> = tests(files, Side::Old).into_iter().map(Some).collect();
    let mut new: Vec<Option<Test>> = tests(files, Side::New).into_iter().map(Some).collect();
    let mut kept = Vec::new();
    type Name = fn(&Test) -> String;
    let ways: [Name; 4] = [
        |test| format!("{}\n{}", test.file, test.key),
        |test| format!("{}\n{}", test.file, test.name),
        |test| format!("{}\n{}", test.name, said(test)),
        said,
    ];
    for (way, name) in ways.iter().enumerate() {
        pair_by(&mut old, &mut new, &mut kept, |test| {
            // A body without a word is like every other.
            let short = way >= 2 && test.statements.len() < 2;
            (!short).then(|| name(test))
        });
    }
    // The name alone, where it stands once on each side.
    let mut counts: HashMap<String, usize> = HashMap::new();
    for test in old.iter().chain(&new).flatten() {
        *counts.entry(test.name.clone()).or_default() += 1;
    }
    pair_by(&mut old, &mut new, &mut kept, |test| {
        (counts.get(&test.name).copied() <= Some(2)).then(|| test.name.clone())
    });
    alike(&mut old, &mut new, &mut kept);
    let born: Vec<Test> = new.into_iter().flatten().collect();
    let lost = compensated(old.into_iter().flatten().collect(), files);
    Pairs { kept, lost, born }
}

fn pair_by(
    old: &mut [Option<Test>],
    new: &mut [Option<Test>],
    kept: &mut Vec<(Test, Test)>,
    name: impl Fn(&Test) -> Option<String>,
) {
    let mut known: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, test) in new.iter().enumerate().rev() {
        if let Some(key) = test.as_ref().and_then(&name) {
            known.entry(key).or_default().push(at);
        }
    }
    for slot in old.iter_mut() {
        let Some(key) = slot.as_ref().and_then(&name) else { continue };
        let other =
            known.get_mut(&key).and_then(Vec::pop).and_then(|at| new.get_mut(at)).and_then(Option::take);
        if let Some(other) = other
            && let Some(own) = slot.take()
        {
            kept.push((own, other));
        }
    }
}

fn said(test: &Test) -> String {
    test.statements.iter().map(|statement| statement.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// What a test says, as words and values with how often they stand in it; values count for more.
fn bag(test: &Test) -> BTreeMap<&str, f64> {
    let mut bag: BTreeMap<&str, f64> = BTreeMap::new();
    for token in test.statements.iter().flat_map(|statement| &statement.tokens) {
        let weight = match token.kind {
            Kind::Text | Kind::Number => 2.0,
            Kind::Word => 1.0,
            Kind::Mark | Kind::Directive => continue,
        };
        *bag.entry(token.text.as_str()).or_default() += weight;
    }
    bag
}

fn likeness(one: &BTreeMap<&str, f64>, other: &BTreeMap<&str, f64>) -> f64 {
    let shared: f64 =
        one.iter().map(|(word, count)| count.min(other.get(word).copied().unwrap_or_default())).sum();
    let all: f64 = one.values().sum::<f64>() + other.values().sum::<f64>() - shared;
    if all > 0.0 { shared / all } else { 0.0 }
}

/// Pairs those that say most of the same.
fn alike(old: &mut [Option<Test>], new: &mut [Option<Test>], kept: &mut Vec<(Test, Test)>) {
    let left = |tests: &[Option<Test>]| -> Vec<usize> {
        tests
            .iter()
            .enumerate()
            .filter(|(_, test)| test.is_some())
            .map(|(at, _)| at)
            .take(MOST_LEFT)
            .collect()
    };
    let (olds, news) = (left(old), left(new));
    let mut likely: Vec<(u32, usize, usize)> = Vec::new();
    let bags: Vec<(usize, &Test, BTreeMap<&str, f64>)> =
        news.iter().filter_map(|is| new.get(*is)?.as_ref().map(|other| (*is, other, bag(other)))).collect();
    for was in &olds {
        let Some(Some(own)) = old.get(*was) else { continue };
        let mine = bag(own);
        for (is, other, theirs) in &bags {
            let alike = likeness(&mine, theirs);
            let names = name_likeness(&own.name, &other.name);
            // In the same file a like name is an anchor: it was renamed.
            let anchored =
                own.file == other.file && (alike >= 0.35 && names >= 0.5 || names >= 0.75 && alike >= 0.2);
            if alike >= ALIKE || anchored {
                let bonus = f64::from(u8::from(own.file == other.file)) * 0.2 + names * 0.2;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a share of a thousand"
                )]
                likely.push((((alike + bonus) * 1000.0) as u32, *was, *is));
            }
        }
    }
    likely.sort_unstable_by_key(|(rank, was, is)| (std::cmp::Reverse(*rank), *was, *is));
    for (_, was, is) in likely {
        let (Some(own), Some(other)) = (old.get_mut(was), new.get_mut(is)) else { continue };
        if own.is_some() && other.is_some() {
            kept.extend(own.take().zip(other.take()));
        }
    }
}

fn words(name: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut word = String::new();
    for character in name.chars().chain([' ']) {
        let breaks =
            !character.is_alphanumeric() || (character.is_uppercase() && word.ends_with(char::is_lowercase));
        if breaks && !word.is_empty() {
            words.insert(std::mem::take(&mut word).to_lowercase());
        }
        if character.is_alphanumeric() {
            word.push(character);
        }
    }
    words.remove("test");
    words
}

fn name_likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (words(one), words(other));
    let shared = one.intersection(&other).count();
    let all = one.len() + other.len() - shared;
    #[expect(clippy::cast_precision_loss, reason = "words of a name")]
    if all > 0 { shared as f64 / all as f64 } else { 0.0 }
}

/// The values in tokens that somebody chose: texts and numbers.
pub(in crate::diff) fn values_of(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter(|token| token.is_value() && !token.text.is_empty()).map(|token| token.text.as_str())
}

/// Those whose checks do not come back: neither their assertions, nor their inputs and answers in tests that are new.
fn compensated(lost: Vec<Test>, files: &[FileChange<'_>]) -> Vec<Test> {
    let mut texts: HashMap<String, usize> = HashMap::new();
    let mut values: HashSet<&str> = HashSet::new();
    let mut called: HashSet<&str> = HashSet::new();
    for file in files {
        let program = &file.new.program;
        let used: HashSet<&str> = program
            .tests()
            .flat_map(|(_, unit)| program.body(unit))
            .flat_map(|own| &own.tokens)
            .map(|token| token.text.as_str())
            .collect();
        for statement in program.statements.iter().filter(|own| own.changed) {
            // A table of a test stands in the test, above it, or under a name that a test uses.
            let named = statement.tokens.iter().take(6).any(|token| {
                token.kind == Kind::Word && token.text.len() > 2 && used.contains(token.text.as_str())
            });
            let is_test = file.test
                || program.is_in_test(statement)
                || (named && program.owner(statement).is_none() && !used.is_empty());
            if is_test {
                *texts.entry(statement.text.clone()).or_default() += 1;
                values.extend(values_of(&statement.tokens));
                called.extend(
                    statement
                        .tokens
                        .iter()
                        .filter(|token| token.kind == Kind::Word)
                        .map(|token| token.text.as_str()),
                );
            }
        }
        // What stands in a test or a suite that is new belongs to it, and so do its marks.
        let suites =
            program.units.iter().filter(|unit| matches!(unit.kind, UnitKind::Test | UnitKind::Group));
        for unit in suites {
            if let Some(head) = program.head(unit).filter(|head| head.changed) {
                values.extend(values_of(&head.tokens));
                for statement in program.body(unit) {
                    values.extend(values_of(&statement.tokens));
                    called.extend(
                        statement
                            .tokens
                            .iter()
                            .filter(|token| token.kind == Kind::Word)
                            .map(|token| token.text.as_str()),
                    );
                }
            }
        }
    }
    lost.into_iter().filter(|test| !comes_back(test, &mut texts, &values, &called)).collect()
}

fn comes_back(
    test: &Test,
    texts: &mut HashMap<String, usize>,
    values: &HashSet<&str>,
    called: &HashSet<&str>,
) -> bool {
    if test.assertions.is_empty() {
        return test.statements.is_empty();
    }
    let all_there = test.assertions.iter().all(|own| texts.get(&own.text).copied().unwrap_or_default() > 0);
    if all_there {
        for own in &test.assertions {
            if let Some(count) = texts.get_mut(&own.text) {
                *count = count.saturating_sub(1);
            }
        }
        return true;
    }
    // What goes in and what comes out stands in the rows of another test of the same thing.
    let own: Vec<&str> = test.statements.iter().flat_map(|statement| values_of(&statement.tokens)).collect();
    let about = test
        .assertions
        .iter()
        .filter_map(|own| test.statements.iter().find(|statement| statement.text == own.text))
        .flat_map(|statement| &statement.tokens)
        .filter(|token| token.kind == Kind::Word && token.text.len() > 2);
    let shared = about.filter(|token| called.contains(token.text.as_str())).count();
    let back = own.iter().filter(|value| values.contains(*value)).count();
    !own.is_empty() && back * 10 >= own.len() * 8 && shared > 0
}
