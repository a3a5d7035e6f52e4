//! Errors that were heard of and are not any more: what a function did without a handler now stands in one that says nothing, or an
//! error is turned into a default. A handler with a reason, for one kind of error, or that reports, is honest.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, FileChange, Kind, Program, Statement};
use super::{Look, at, has_reason, inner};

pub(super) fn errors(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter().filter(|file| file.is_source()) {
        let Some(dialect) = file.dialect else { continue };
        let program = &file.new.program;
        for (index, statement) in file.added() {
            if look.change.moved_here(statement) || program.is_in_test(statement) {
                continue;
            }
            let inside = inner(program, index);
            let last = inside.last().map_or(statement.line, |own| own.line) + 1;
            let reason = has_reason(file, statement.line, last);
            let grave = if handler(dialect, statement) && is_silent(inside) {
                Some(guards_old_code(file, program, index) || inside.is_empty() || demanded(look))
            } else {
                dropped(dialect, file, program, index, statement)
            };
            let Some(grave) = grave else { continue };
            let severity = if grave && !reason && !asked(look) { Severity::Serious } else { Severity::Minor };
            found.push(at(
                Detector::SwallowedError,
                severity,
                file,
                statement,
                "what goes wrong here is not heard of any more",
            ));
        }
    }
    found
}

/// What was asked speaks of going on in spite of errors.
fn asked(look: &Look<'_>) -> bool {
    let prompt = look.prompt.to_lowercase();
    [
        "best effort",
        "best-effort",
        "fall back",
        "fallback",
        "ignore",
        "default to",
        "defaults to",
        "return none",
        "return null",
        "tolerate",
        "gracefully",
        "treat as",
        "optional",
    ]
    .iter()
    .any(|word| prompt.contains(word))
}

/// What was asked wants errors to be heard of.
fn demanded(look: &Look<'_>) -> bool {
    let prompt = look.prompt.to_lowercase();
    [
        "reach the caller",
        "to the caller",
        "propagate",
        "must fail",
        "must be reported",
        "must raise",
        "must throw",
        "surface",
    ]
    .iter()
    .any(|word| prompt.contains(word))
}

/// A handler of any error.
fn handler(dialect: Dialect, statement: &Statement) -> bool {
    let first = statement.tokens.iter().find(|token| !token.is("}")).map_or("", |first| first.text.as_str());
    let has = |word: &str| statement.tokens.iter().any(|token| token.is(word));
    let text = statement.text.as_str();
    match dialect {
        Dialect::Python => {
            first == "except" && (text == "except:" || has("Exception") || has("BaseException"))
                || text.contains("suppress(Exception")
                || text.contains("suppress(BaseException")
        }
        Dialect::Script => {
            first == "catch"
                || text.ends_with(".catch(()=>")
                || text.ends_with(".catch(_=>")
                || text.ends_with(".catch((e)=>")
                || text.ends_with(".catch((err)=>")
        }
        Dialect::Java | Dialect::Kotlin => {
            first == "catch" && (has("Exception") || has("Throwable") || has("RuntimeException"))
        }
        Dialect::CSharp => first == "catch" && (statement.tokens.len() <= 2 || has("Exception")),
        Dialect::Cpp => first == "catch" && (has("...") || has("exception")),
        Dialect::Php => first == "catch" && (has("Throwable") || has("Exception")),
        Dialect::Ruby => {
            first == "rescue" && (statement.tokens.len() <= 3 || has("StandardError") || has("Exception"))
        }
        Dialect::Go | Dialect::Rust | Dialect::C | Dialect::Shell | Dialect::Settings => false,
    }
}

/// Nothing is reported, raised or kept: a constant at most is given back.
fn is_silent(body: &[Statement]) -> bool {
    if body.len() > 2 {
        return false;
    }
    let plain = [
        "return",
        "pass",
        "continue",
        "break",
        "None",
        "null",
        "nil",
        "undefined",
        "true",
        "false",
        "True",
        "False",
        "list",
        "dict",
        "new",
        "Optional",
        "empty",
        "Collections",
        "emptyList",
        "List",
        "of",
        "Map",
        "vec",
        "Promise",
        "resolve",
        "set",
        "Array",
        "string",
        "String",
        "Empty",
        "nullptr",
        "std",
        "nullopt",
        "next",
        "default",
        "listOf",
        "emptyMap",
        "str",
    ];
    body.iter().flat_map(|own| &own.tokens).all(|token| match token.kind {
        Kind::Word => plain.contains(&token.text.as_str()),
        Kind::Number | Kind::Text => true,
        Kind::Mark => !matches!(token.text.as_str(), "=" | "+="),
        Kind::Directive => false,
    })
}

/// What the handler is for stood in the old version without one, or had one that reported.
fn guards_old_code(file: &FileChange<'_>, program: &Program, at: usize) -> bool {
    let Some(head) = program.statements.get(at) else { return false };
    // The block before the handler is what it guards.
    let before = program.statements.get(..at).unwrap_or_default();
    let start = before.iter().rposition(|own| own.depth == head.depth && own.opens);
    let guarded = start.and_then(|start| before.get(start + 1..)).unwrap_or_default();
    let old = &file.old.program.statements;
    let known = guarded.iter().any(|own| own.tokens.len() > 2 && old.iter().any(|was| was.text == own.text));
    let name = program.owner(head).map(|unit| unit.name.as_str());
    let function_was_there = file.old.program.units.iter().any(|unit| Some(unit.name.as_str()) == name);
    known || function_was_there
}

fn dropped(
    dialect: Dialect,
    file: &FileChange<'_>,
    program: &Program,
    index: usize,
    statement: &Statement,
) -> Option<bool> {
    let text = statement.text.as_str();
    let name = program.owner(statement).map(|unit| unit.name.as_str());
    let known = file.old.program.units.iter().find(|unit| Some(unit.name.as_str()) == name);
    let before = known.map(|unit| file.old.program.body(unit)).unwrap_or_default();
    let was = |mark: &str| before.iter().filter(|own| own.text.contains(mark)).count();
    let now = |mark: &str| {
        known
            .and(program.owner(statement))
            .map_or(1, |unit| program.body(unit).iter().filter(|own| own.text.contains(mark)).count())
    };
    let new = |mark: &str| text.contains(mark) && now(mark) > was(mark);
    match dialect {
        Dialect::Rust => {
            let defaults = new(".unwrap_or_default()")
                || new(".ok().unwrap_or")
                || new(".unwrap_or(")
                || new("Err(_)=>") && !text.contains("Err(_)=>Err") && !text.contains("Err(_)=>return Err")
                || new(".unwrap_or_else(|_|");
            if !defaults {
                return None;
            }
            // What was passed on, or made an error of, is not any more.
            let passed = |own: &[Statement]| {
                own.iter()
                    .map(|own| {
                        own.tokens
                            .iter()
                            .filter(|token| {
                                token.is("?")
                                    || token.is("Err")
                                    || token.is("map_err")
                                    || token.is("expect")
                                    || token.is("unwrap")
                            })
                            .count()
                    })
                    .sum::<usize>()
            };
            let after = program.owner(statement).map(|unit| program.body(unit)).unwrap_or_default();
            Some(passed(before) > passed(after) && !before.is_empty())
        }
        Dialect::Go => {
            let asks = statement.tokens.first().is_some_and(|first| first.is("if"))
                && text.contains("err!=nil")
                && statement.opens;
            let body = inner(program, index);
            let gives_nil = body.len() == 1
                && body.iter().all(|own| {
                    own.text.starts_with("return")
                        && !own
                            .tokens
                            .iter()
                            .any(|token| token.is("err") || token.is("fmt") || token.is("errors"))
                        && own.tokens.last().is_some_and(|last| last.is("nil"))
                });
            let recovers = text.contains("recover()")
                && (statement.tokens.iter().take(3).any(|token| token.is("recover") || token.is("_"))
                    || !inner(program, index).iter().flat_map(|own| &own.tokens).any(|token| {
                        token.is("panic") || token.is("err") || token.is("log") || token.is("Errorf")
                    }));
            let ignored = (text.starts_with("_=") || text.contains(",_:=") || text.contains(",_="))
                && known.is_some()
                && was("err!=nil") > now("err!=nil");
            if asks && gives_nil || ignored || recovers { Some(known.is_some()) } else { None }
        }
        Dialect::Kotlin => (new(".getOrNull()") || new(".getOrDefault(") || new("runCatching"))
            .then_some(known.is_some() && !text.contains("getOrThrow") && !text.contains("onFailure")),
        Dialect::Ruby => (new(" rescue nil")
            || new(" rescue ") && !statement.opens && !text.starts_with("rescue"))
        .then(|| {
            let call = text.split(".catch(").next().unwrap_or(text);
            file.old
                .program
                .statements
                .iter()
                .any(|own| own.text.starts_with(call) && !own.text.contains(".catch("))
        }),
        Dialect::Php => {
            let muted = statement
                .tokens
                .windows(2)
                .any(|two| matches!(two, [at, call] if at.is("@") && call.kind == Kind::Word))
                && !text.starts_with('@');
            muted.then_some(known.is_some())
        }
        Dialect::C | Dialect::Cpp => {
            // The result was looked at.
            let void = text.starts_with("(void)") && text.contains('(') && statement.tokens.len() > 5;
            void.then(|| was("if(") > now("if("))
        }
        Dialect::Shell => {
            let quiet = new("||true")
                || new("||:")
                || new("|| true")
                || text == "set +e"
                || text == "set+e"
                || new("2>/dev/null||");
            if !quiet {
                return None;
            }
            let command = text.split("||").next().unwrap_or(text).trim_end_matches("2>/dev/null").trim();
            let stood =
                file.old.program.statements.iter().any(|own| {
                    own.text == command || own.text.starts_with(command) && !own.text.contains("||")
                });
            let cleans = [
                "rm ",
                "kill",
                "rmdir",
                "umount",
                "docker rm",
                "docker stop",
                "grep",
                "unset",
                "read",
                "popd",
                "command-v",
                "which",
                "mkdir",
                "cleanup",
            ]
            .iter()
            .any(|word| command.starts_with(word));
            Some(stood && !cleans && !command.is_empty())
        }
        Dialect::Script => (new(".catch(()=>{})")
            || new(".catch(()=>null)")
            || new(".catch(()=>undefined)")
            || new(".catch(()=>[])")
            || new(".catch(()=>({}))")
            || new(".catch(()=>\"\")"))
        .then(|| {
            let call = text.split(".catch(").next().unwrap_or(text);
            file.old
                .program
                .statements
                .iter()
                .any(|own| own.text.starts_with(call) && !own.text.contains(".catch("))
        }),
        Dialect::Python | Dialect::Java | Dialect::CSharp | Dialect::Settings => None,
    }
}
