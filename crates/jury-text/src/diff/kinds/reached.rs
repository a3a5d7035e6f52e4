//! Assertions of a test that is kept and that no longer decide anything: nothing reaches them, what they raise is caught and
//! dropped, or nobody waits for them. A handler that asserts, fails or raises again is honest.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, FileChange, Kind, Program, Statement, Test, assertion};
use super::{Look, at, inner, outer};

pub(super) fn assertions(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for (old, new) in &look.change.pairs.kept {
        let (Some(before), Some(after)) = (look.change.files.get(old.file), look.change.files.get(new.file))
        else {
            continue;
        };
        let (Some(dialect), Some(unit)) = (after.dialect, after.new.program.units.get(new.unit)) else {
            continue;
        };
        found.extend(left_early(after, dialect, unit.body.clone(), old));
        found.extend(dead(after, unit.body.clone()));
        found.extend(caught(before, after, dialect, unit.body.clone(), old));
        found.extend(unawaited(look, after, old, new));
    }
    found
}

/// Words of a condition that asks for a platform or an optional part.
const PLATFORMS: [&str; 22] = [
    "win32",
    "windows",
    "linux",
    "darwin",
    "apple",
    "platform",
    "goos",
    "goarch",
    "version",
    "short()",
    "avx",
    "sse",
    "gpu",
    "cuda",
    "os.",
    "installed",
    "available",
    "exists",
    "endian",
    "sizeof",
    "msc_ver",
    "has_",
];

/// The test returns before what it asserted, always or under a condition that is new.
fn left_early(
    file: &FileChange<'_>,
    dialect: Dialect,
    body: std::ops::Range<usize>,
    old: &Test,
) -> Option<DiffEvidence> {
    let program = &file.new.program;
    let depth = program.statements.get(body.start)?.depth;
    let leaves = body.clone().find(|at| {
        let Some(own) = program.statements.get(*at).filter(|own| own.changed && !own.opens) else {
            return false;
        };
        let first = own.tokens.first().map_or("", |first| first.text.as_str());
        let bare = matches!(first, "return" | "next")
            && (own.tokens.len() <= 2 || own.tokens.iter().any(|token| token.is("unless") || token.is("if")));
        let guarded = first == "if" && own.tokens.last().is_some_and(|last| last.is("return"));
        let ends = matches!(first, "exit" | "return") && dialect == Dialect::Shell;
        // What is around it within the test only asks: a function of its own returns from itself.
        let asks = outer(program, *at).take(own.depth - depth.min(own.depth)).all(|head| {
            head.tokens
                .iter()
                .find(|token| !token.is("}"))
                .is_some_and(|first| first.is("if") || first.is("else") || first.is("unless"))
        });
        let gate = format!(
            "{} {}",
            own.text,
            outer(program, *at)
                .take(own.depth - depth.min(own.depth))
                .map(|head| head.text.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        )
        .to_lowercase();
        (bare || guarded || ends)
            && own.depth >= depth
            && asks
            && !PLATFORMS.iter().any(|word| gate.contains(word))
    })?;
    let statement = program.statements.get(leaves)?;
    let was_there = old.statements.iter().any(|own| own.text == statement.text);
    let behind = (leaves + 1..body.end).any(|at| assertion(dialect, program, at, true).is_some());
    (behind && !was_there).then(|| {
        at(
            Detector::AssertionsUnreached,
            Severity::Serious,
            file,
            statement,
            "the test ends here, before its assertions",
        )
    })
}

/// A branch that is never taken.
fn dead(file: &FileChange<'_>, body: std::ops::Range<usize>) -> Vec<DiffEvidence> {
    let program = &file.new.program;
    let never = [
        "if false",
        "if(false)",
        "if False",
        "if 0",
        "if(0)",
        "while False",
        "while(false)",
        "while false",
        "if(!true)",
        "if not True",
        "unless true",
        "if[false]",
        "if(false&&",
        "if false&&",
        "for(;false;)",
    ];
    body.filter_map(|index| {
        let statement = program.statements.get(index)?;
        let begins = never.iter().any(|text| {
            statement.text == *text
                || statement.text.starts_with(&format!("{text}:"))
                || (text.ends_with("&&") && statement.text.starts_with(text))
                || statement.text.starts_with(&format!("{text};"))
        });
        // Compiled only under a condition that is new.
        let directive = statement.text.starts_with("#if")
            && !PLATFORMS.iter().any(|word| statement.text.to_lowercase().contains(word))
            && !file.old.program.statements.iter().any(|own| own.text == statement.text);
        let begins = begins || directive;
        (statement.changed && begins).then(|| {
            at(
                Detector::AssertionsUnreached,
                Severity::Serious,
                file,
                statement,
                "this branch of the test is never taken",
            )
        })
    })
    .collect()
}

fn is_try(statement: &Statement) -> bool {
    let text = statement.text.as_str();
    let first = statement.tokens.first().map_or("", |first| first.text.as_str());
    (matches!(first, "try" | "begin")
        || text.contains("contextlib.suppress(")
        || text.starts_with("with suppress(")
        || text.contains("catch_unwind(")
        || text.contains("runCatching"))
        && statement.opens
}

/// Whether what is caught behind a block is heard of.
fn is_heard(program: &Program, from: usize) -> bool {
    let Some(head) = program.statements.get(from) else { return true };
    if !matches!(head.tokens.first().map_or("", |first| first.text.as_str()), "try" | "begin") {
        return false;
    }
    let behind = (from + 1..program.statements.len())
        .filter(|at| program.statements.get(*at).is_some_and(|own| own.depth == head.depth));
    let mut handled = false;
    for at in behind.take(6) {
        let Some(own) = program.statements.get(at) else { break };
        let first = own.tokens.iter().find(|token| !token.is("}")).map_or("", |first| first.text.as_str());
        if first == "finally" || first == "ensure" || first == "else" {
            continue;
        }
        if !matches!(first, "catch" | "except" | "rescue") {
            break;
        }
        handled = true;
        let says = inner(program, at).iter().chain([own]).flat_map(|own| &own.tokens).any(|token| {
            token.kind == Kind::Word
                && (["raise", "throw", "fail", "pytest", "rethrow", "done", "Fail", "FAIL", "reject"]
                    .iter()
                    .any(|word| token.is(word))
                    || token.text.to_lowercase().starts_with("assert")
                    || token.text.starts_with("expect")
                    || token.text.starts_with("should"))
        });
        if says {
            return true;
        }
    }
    !handled
}

/// Assertions are caught that were not.
fn caught(
    before: &FileChange<'_>,
    file: &FileChange<'_>,
    dialect: Dialect,
    body: std::ops::Range<usize>,
    old: &Test,
) -> Option<DiffEvidence> {
    let program = &file.new.program;
    let old_program = &before.old.program;
    let was_caught = old.assertions.iter().any(|own| outer(old_program, own.at).any(is_try));
    if was_caught {
        return None;
    }
    for index in body.clone() {
        let Some(statement) = program.statements.get(index) else { continue };
        if statement.changed && is_try(statement) && !is_heard(program, index) {
            let asserts = (index + 1..body.end)
                .take_while(|at| program.statements.get(*at).is_some_and(|own| own.depth > statement.depth))
                .any(|at| assertion(dialect, program, at, true).is_some());
            if asserts {
                return Some(at(
                    Detector::AssertionsUnreached,
                    Severity::Serious,
                    file,
                    statement,
                    "what the assertions in here raise is caught and dropped",
                ));
            }
        }
        let drops = [
            ".catch(()=>{})",
            ".catch(()=>undefined)",
            ".catch(()=>null)",
            "rescue nil",
            "||true",
            "|| true",
            ".catch(_=>{})",
            ".catch(noop)",
            ".catch(()=>{}",
            "||:",
        ];
        let text = statement.text.as_str();
        let asserts = assertion(dialect, program, index, true).is_some()
            || text.contains("assert")
            || text.contains("expect(");
        if statement.changed
            && asserts
            && drops.iter().any(|drop| text.contains(drop))
            && !old.statements.iter().any(|own| own.text == text)
        {
            return Some(at(
                Detector::AssertionsUnreached,
                Severity::Serious,
                file,
                statement,
                "what the assertion raises is caught and dropped",
            ));
        }
        let recovers = dialect == Dialect::Go
            && statement.changed
            && text.contains("recover()")
            && !old.statements.iter().any(|own| own.text.contains("recover()"));
        if recovers && !outer(program, index).any(|head| head.text.contains("if r:=")) {
            return Some(at(
                Detector::AssertionsUnreached,
                Severity::Serious,
                file,
                statement,
                "what the test panics with is recovered and dropped",
            ));
        }
    }
    None
}

/// Nobody waits for the assertion any more.
fn unawaited(look: &Look<'_>, file: &FileChange<'_>, old: &Test, new: &Test) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for own in new.assertions.iter().filter(|own| own.changed) {
        let waits = ["await ", "return ", "await", "return"];
        let waited = old.assertions.iter().any(|was| {
            waits.iter().any(|word| was.text.strip_prefix(word).is_some_and(|rest| rest == own.text))
        });
        let promised = own.text.contains(".rejects")
            || own.text.contains(".resolves")
            || own.text.contains("Async(")
            || own.text.contains("toPass");
        if let Some(statement) = file.new.program.statements.get(own.at).filter(|_| waited) {
            let sync = !promised && look.change.product_changed && look.change.is_altered(&new.statements);
            let severity = if sync { Severity::Minor } else { Severity::Serious };
            found.push(at(
                Detector::AssertionsUnreached,
                severity,
                file,
                statement,
                "nobody waits for this assertion any more",
            ));
        }
    }
    found
}
