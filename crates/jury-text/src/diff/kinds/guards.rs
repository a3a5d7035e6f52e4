//! Checks of the product that are gone: a condition under which a function refused, and that no other place has now. What is asked for
//! may say so.

use std::collections::HashSet;

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Kind, Statement, UnitKind};
use super::{FileChange, Look, at_line, inner};

pub(super) fn removed(look: &Look<'_>) -> Vec<DiffEvidence> {
    let prompt = look.prompt.to_lowercase();
    let asked = [
        "remove",
        "drop",
        "no longer",
        "allow",
        "accept",
        "relax",
        "delete",
        "without",
        "stop ",
        "disable",
        "permit",
        "instead of",
    ]
    .iter()
    .any(|word| prompt.contains(word));
    let mut found = Vec::new();
    let said = said(look);
    for file in look.change.files.iter().filter(|file| file.is_source() && file.is_whole()) {
        let program = &file.old.program;
        for (index, statement) in program.statements.iter().enumerate().filter(|(_, own)| own.changed) {
            if !refuses(program, index, statement) || program.is_in_test(statement) {
                continue;
            }
            // The function is still there.
            let Some(unit) = program.owner(statement) else { continue };
            let Some(now) = file
                .new
                .program
                .units
                .iter()
                .find(|own| own.kind == UnitKind::Function && own.name == unit.name)
            else {
                continue;
            };
            let body = file.new.program.body(now);
            if body.is_empty() || checked_elsewhere(&said, statement) || rewritten(program.body(unit), body) {
                continue;
            }
            let obsolete =
                look.change.is_obsolete(std::slice::from_ref(statement)) && !look.keeps_behaviour();
            let severity = if asked || obsolete { Severity::Minor } else { Severity::Serious };
            found.push(at_line(
                Detector::GuardRemoved,
                severity,
                file,
                Side::Old,
                statement.line,
                format!("“{}” refused here, and does so no more", unit.name),
            ));
        }
    }
    found
}

/// A condition under which an error is raised, or a call that checks and raises by itself.
fn refuses(program: &super::Program, index: usize, statement: &Statement) -> bool {
    let first = statement.tokens.first().map_or("", |first| first.text.as_str());
    let raises = |own: &Statement| {
        let first = own.tokens.first().map_or("", |first| first.text.as_str());
        matches!(first, "raise" | "throw" | "die" | "abort" | "panic")
            || own.text.starts_with("return Err(")
            || own.text.starts_with("return errors.New")
            || own.text.starts_with("return fmt.Errorf")
            || own.text.contains(",errors.New(")
            || own.text.contains(",fmt.Errorf(")
            || own.text.contains(",Err")
            || own.text.starts_with("bail!(")
            || own.text.starts_with("return-")
            || own.text.starts_with("return EINVAL")
            || own.text.starts_with("exit 1")
            || own.text.starts_with("return res.status(4")
            || own.text.contains("Forbidden") && first == "return"
            || own.text.contains("Unauthorized") && first == "return"
    };
    if matches!(first, "if" | "unless" | "elif" | "guard") {
        return inner(program, index).iter().take(2).any(raises)
            || statement.text.contains("throw ") && statement.text.contains("if(");
    }
    let calls = [
        "validate",
        "authorize",
        "authenticate",
        "ensure",
        "ensure!",
        "require_auth",
        "check_permission",
        "sanitize",
        "escape",
        "verify",
        "requireNonNull",
        "check",
        "require",
        "assert_valid",
        "checkArgument",
        "checkNotNull",
        "ThrowIfNull",
    ];
    let called = statement.tokens.windows(2).any(|two| matches!(two, [name, open] if name.kind == Kind::Word && (open.is("(") || open.is("!")) && calls.iter().any(|call| name.text == *call || name.text.to_lowercase().starts_with(call) && call.len() > 6)));
    let suffix = statement.text.contains("raise ")
        && statement.tokens.iter().any(|token| token.is("if") || token.is("unless"));
    let imported = matches!(first, "import" | "from" | "const" | "use" | "require" | "let" | "var");
    called && !imported && !statement.opens && statement.tokens.len() < 40 || suffix
}

/// What a new statement names, and whether it asks.
struct Said<'a> {
    names: HashSet<&'a str>,
    asks: bool,
}

fn names(own: &Statement) -> HashSet<&str> {
    let words = ["if", "not", "raise", "unless"];
    own.tokens
        .iter()
        .filter(|token| {
            matches!(token.kind, Kind::Word | Kind::Text | Kind::Number)
                && token.text.len() > 1
                && !words.iter().any(|word| token.is(word))
        })
        .map(|token| token.text.as_str())
        .collect()
}

/// The new statements of the product.
fn said<'a>(look: &'a Look<'_>) -> Vec<Said<'a>> {
    let asking = [
        "if", "unless", "elif", "match", "case", "?", "&&", "||", "and", "or", "when", "filter", "switch",
        "while", "guard", "ensure", "in",
    ];
    let checking = ["valid", "check", "ensure", "require"];
    look.change
        .files
        .iter()
        .filter(|file| !file.test)
        .flat_map(FileChange::added)
        .map(|(_, own)| Said {
            names: names(own),
            asks: own.tokens.iter().any(|token| {
                let lower = token.text.to_lowercase();
                asking.iter().any(|word| token.is(word)) || checking.iter().any(|word| lower.contains(word))
            }),
        })
        .collect()
}

/// The same names are asked about in what is new, here or elsewhere.
fn checked_elsewhere(said: &[Said<'_>], statement: &Statement) -> bool {
    let mine = names(statement);
    said.iter().any(|own| own.asks && mine.intersection(&own.names).count() * 2 >= mine.len())
}

/// So little of the function is left that it is another one.
fn rewritten(old: &[Statement], new: &[Statement]) -> bool {
    let kept = old.iter().filter(|own| new.iter().any(|other| other.text == own.text)).count();
    // The guard itself is some statements.
    kept * 10 < old.len().saturating_sub(3) * 8
}
