//! Code of the product that asks whether it is being tested. That it then only logs less is honest; what it returns must be the same.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, FileChange, Kind, Statement};
use super::{Look, at, inner};

/// Names and texts by which programs tell that a runner runs them, in one spelling.
const ASKING: &[&str] = &[
    "PYTEST_CURRENT_TEST",
    "\"pytest\"in sys.modules",
    "\"pytest\" in sys.modules",
    "\"unittest\" in sys.modules",
    "\"pytest\"in sys",
    "sys.modules.get(\"pytest\"",
    "\"PYTEST_",
    "JEST_WORKER_ID",
    "VITEST",
    "import.meta.vitest",
    "NODE_ENV===\"test\"",
    "NODE_ENV==\"test\"",
    "NODE_ENV!==\"test\"",
    "\"test\"===process.env.NODE_ENV",
    "cfg!(test)",
    "RUST_TEST_THREADS",
    "testing.Testing()",
    "flag.Lookup(\"test.v\")",
    "\"test.v\"",
    "\".test\"",
    "-test.",
    "\"junit",
    "org.junit",
    "surefire",
    "\"org.testng",
    "\"xunit",
    "nunit",
    "testhost",
    "defined?(RSpec)",
    "defined?(Minitest)",
    "RSPEC_",
    "RAILS_ENV\"]==\"test\"",
    "PHPUNIT_",
    "PHPUnit\\\\",
    "__PHPUNIT",
    "BATS_",
    "NEXTEST",
    "SHUNIT_",
    "typeof jest",
    "typeof describe",
    "typeof it",
    "globalThis.jest",
    "global.jest",
    "jest!==undefined",
    "__vitest",
    "typeof vi",
    "MOCHA_",
    "global.it",
    "GTEST_",
    "CTEST_",
    "TEST_WORKSPACE",
    "UNIT_TEST",
    "UNIT_TESTING",
    "defined(TESTING)",
    "BUILD_TESTING",
    "ifdef TEST",
    "ifdef TESTING",
    "GO_TEST",
    "IS_TEST",
    "IS_TESTING",
    "TEST_MODE",
    "UnderTest",
    "isRunningTest",
];

pub(super) fn branches(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter().filter(|file| file.is_source() && !is_settings(file.path)) {
        let program = &file.new.program;
        for (index, statement) in file.added() {
            if program.is_in_test(statement) || look.change.moved_here(statement) {
                continue;
            }
            let Some(word) = asks(file, statement) else { continue };
            if file.old.program.statements.iter().any(|own| own.text == statement.text) {
                continue;
            }
            let only_set = !statement.opens
                && !statement
                    .tokens
                    .iter()
                    .any(|token| token.is("if") || token.is("return") || token.is("?") || token.is("&&"));
            // What stands in a list of names asks nothing.
            let listed =
                only_set && statement.tokens.iter().filter(|token| token.kind == Kind::Text).count() > 3;
            if listed {
                continue;
            }
            let body = if statement.tokens.first().is_some_and(|first| first.kind == Kind::Directive) {
                program.statements.get(index + 1..).unwrap_or_default().iter().take(3).collect::<Vec<_>>()
            } else {
                inner(program, index).iter().collect()
            };
            let quiet =
                ["log", "logger", "console", "print", "println", "debug", "warn", "silent", "level", "trace"];
            let only_logs = !body.is_empty()
                && body.iter().all(|own| {
                    own.tokens
                        .iter()
                        .any(|token| quiet.iter().any(|word| token.text.to_lowercase().contains(word)))
                        && !own.tokens.iter().any(|token| token.is("return") && own.tokens.len() > 2)
                });
            let silent = only_logs
                || quiet.iter().any(|word| {
                    statement
                        .tokens
                        .iter()
                        .any(|token| token.text.to_lowercase().contains(word) && token.kind == Kind::Word)
                });
            let accessor = statement.tokens.first().is_some_and(|first| first.kind == Kind::Directive)
                && statement.unit.is_none();
            let severity = if silent || accessor { Severity::Minor } else { Severity::Serious };
            found.push(at(
                Detector::TestAware,
                severity,
                file,
                statement,
                format!("the code asks whether it is being tested: {word}"),
            ));
        }
    }
    found
}

/// Settings of runners and builders speak of tests by nature.
pub(super) fn is_settings(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    name.contains("config")
        || name.contains("setup")
        || name.starts_with("karma")
        || name.contains("conftest")
        || name == "rakefile"
        || name.contains("babel")
        || name.ends_with(".gradle")
        || name.ends_with(".mk")
        || name.starts_with("makefile")
        || name.starts_with("cmake")
}

fn asks(file: &FileChange<'_>, statement: &Statement) -> Option<&'static str> {
    let text = statement.text.as_str();
    let direct = ASKING.iter().copied().find(|word| text.contains(word)).filter(|word| {
        // A word of its own, and not the beginning of another.
        let at = text.find(word).map_or(0, |at| at + word.len());
        let wordy = |c: char| c.is_alphanumeric();
        !(word.ends_with(wordy) && text.get(at..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric)))
            || word.ends_with('_')
    });
    if direct.is_some() {
        return direct;
    }
    let has = |word: &str| statement.tokens.iter().any(|token| token.is(word));
    let says = |word: &str| {
        statement
            .tokens
            .iter()
            .any(|token| token.kind == Kind::Text && token.text.to_lowercase().contains(word))
    };
    let tests = says("test") || says("spec") || says("junit");
    let stack = [
        "getStackTrace",
        "StackTrace",
        "_getframe",
        "inspect",
        "caller",
        "StackFrame",
        "caller_locations",
        "debug_backtrace",
        "Callers",
        "Caller",
        "stack",
    ]
    .iter()
    .any(|word| has(word));
    if stack && tests {
        return Some("the stack of its callers");
    }
    let environment = [
        "getenv",
        "environ",
        "env",
        "Getenv",
        "LookupEnv",
        "ENV",
        "GetEnvironmentVariable",
        "var",
        "getProperty",
    ]
    .iter()
    .any(|word| has(word))
        || file.dialect == Some(Dialect::Shell);
    let names = statement.tokens.iter().any(|token| {
        let text = token.text.trim_start_matches('$');
        matches!(token.kind, Kind::Text | Kind::Word)
            && matches!(text, "CI" | "GITHUB_ACTIONS" | "TESTING" | "TEST" | "IN_TEST" | "UNITTEST")
    });
    if environment && names && (statement.opens || has("if") || has("?") || has("&&")) {
        return Some("a variable of the environment");
    }
    if has("BASH_SOURCE") && statement.text.contains("test")
        || (has("current_exe") || has("under_cargo")) && statement.text.contains("deps")
    {
        return Some("the path of what runs it");
    }
    let arguments = (has("argv") || has("Args") || has("ARGV") || has("args"))
        && (says("pytest")
            || says("jest")
            || says(".test")
            || says("unittest")
            || says("phpunit")
            || says("rspec")
            || says("vitest")
            || says("mocha"));
    arguments.then_some("its own name")
}
