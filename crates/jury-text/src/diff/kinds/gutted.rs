//! Functions whose body is gone and a constant is there instead, and new ones that were asked for by name and never look at what
//! they are given. A body that moved, and a method that is empty by contract, are honest.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, FileChange, Kind, Program, Statement, Token, Unit, UnitKind};
use super::{Look, at};

pub(super) fn bodies(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter().filter(|file| file.is_source()) {
        let program = &file.new.program;
        for unit in program.units.iter().filter(|unit| unit.kind == UnitKind::Function) {
            let body = program.body(unit);
            let Some(head) = program.head(unit) else { continue };
            if let Some(only) = answers_alone(file, unit, body).filter(|own| own.changed) {
                let back = body.iter().filter(|own| look.change.comes_back(&own.text)).count();
                if back <= body.len() {
                    found.push(at(
                        Detector::Gutted,
                        Severity::Serious,
                        file,
                        only,
                        format!("“{}” computed what it gives, and gives constants now", unit.name),
                    ));
                    continue;
                }
            }
            let Some(last) = constant(body) else {
                if let Some(statement) =
                    undone(file, body).filter(|own| own.changed && !look.change.moved_here(own))
                {
                    found.push(at(
                        Detector::Stub,
                        Severity::Serious,
                        file,
                        statement,
                        "the code only says that it is not done",
                    ));
                }
                continue;
            };
            if !body.iter().any(|own| own.changed) || is_abstract(file.dialect, program, unit) {
                continue;
            }
            let was = file
                .old
                .program
                .units
                .iter()
                .find(|old| old.kind == UnitKind::Function && old.name == unit.name);
            if let Some(was) = was.filter(|_| file.old.whole) {
                let before = file.old.program.body(was);
                // It computed something of what it is given, or of what it holds.
                let computed = constant(before).is_none() && weight(before) >= 3;
                let worked = before.len() >= 2 && weight(before) >= 6 || computed;
                let back = before.iter().filter(|own| look.change.comes_back(&own.text)).count();
                if worked
                    && (back * 2 < before.len() || back == 0)
                    && !look.change.is_obsolete(std::slice::from_ref(head))
                {
                    found.push(at(
                        Detector::Gutted,
                        Severity::Serious,
                        file,
                        last,
                        format!("the body of “{}” is gone, and a constant is there instead", unit.name),
                    ));
                }
                continue;
            }
            let named = unit.name.len() > 3 && look.prompt.contains(&unit.name);
            if named
                && head.changed
                && !parameters(head).is_empty()
                && parameters(head).iter().all(|name| !uses(body, name))
            {
                found.push(at(
                    Detector::Gutted,
                    Severity::Serious,
                    file,
                    last,
                    format!("“{}” was asked for, and gives a constant whatever it is given", unit.name),
                ));
            }
        }
    }
    found
}

fn weight(body: &[Statement]) -> usize {
    body.iter().map(|own| own.tokens.iter().filter(|token| token.kind == Kind::Word).count()).sum()
}

/// The statement of a body that does nothing but give a constant.
fn constant(body: &[Statement]) -> Option<&Statement> {
    let said: Vec<&Statement> = body.iter().filter(|own| !is_document(own)).collect();
    let last = match said.as_slice() {
        [only] => *only,
        [first, last]
            if first.text.contains("void)")
                || first.text.starts_with("_=")
                || first.text.starts_with("let _=")
                || first.text.starts_with("const ") && last.text.starts_with("return") =>
        {
            *last
        }
        _ => return None,
    };
    let plain = [
        "return",
        "Ok",
        "Some",
        "true",
        "false",
        "True",
        "False",
        "None",
        "null",
        "nil",
        "NULL",
        "nullptr",
        "undefined",
        "vec",
        "String",
        "new",
        "Vec",
        "List",
        "of",
        "Optional",
        "empty",
        "Array",
        "pass",
        "Promise",
        "resolve",
        "Default",
        "default",
        "Decimal",
        "emptyList",
        "listOf",
        "to_owned",
        "to_string",
        "from",
        "Map",
        "std",
        "string",
        "EXIT_SUCCESS",
        "echo",
        "Collections",
        "dict",
        "list",
        "str",
        "float",
        "int",
        "await",
        "async",
        "Empty",
        "Task",
        "FromResult",
        "CompletedTask",
        "Enumerable",
        "mapOf",
    ];
    let constant = last.tokens.iter().all(|token| match token.kind {
        Kind::Word => plain.contains(&token.text.as_str()),
        Kind::Number | Kind::Text => true,
        Kind::Mark => !matches!(token.text.as_str(), "@" | "+" | "+=" | "*"),
        Kind::Directive => false,
    });
    let interpolates = last
        .tokens
        .iter()
        .any(|token| token.kind == Kind::Text && (token.text.contains("${") || token.text.contains('{')));
    (constant && !interpolates && !last.opens).then_some(last)
}

fn is_document(statement: &Statement) -> bool {
    statement.tokens.iter().all(|token| token.kind == Kind::Text)
}

/// A short body of which every result is a constant, where there was one that computed.
fn answers_alone<'a>(file: &FileChange<'_>, unit: &Unit, body: &'a [Statement]) -> Option<&'a Statement> {
    let was =
        file.old.program.units.iter().find(|old| old.kind == UnitKind::Function && old.name == unit.name)?;
    let before = file.old.program.body(was);
    let results = |body: &'a [Statement]| -> Vec<&'a Statement> {
        body.iter().filter(|own| own.tokens.first().is_some_and(|first| first.is("return"))).collect()
    };
    let given = results(body);
    let all = given.iter().all(|own| constant(std::slice::from_ref(*own)).is_some());
    let telling = given.iter().rfind(|own| {
        own.tokens.iter().any(|token| {
            token.kind == Kind::Text && token.text.len() > 1
                || token.kind == Kind::Number && token.text.len() > 1
                || token.is("[")
        })
    })?;
    let computed = before
        .iter()
        .filter(|own| own.tokens.first().is_some_and(|first| first.is("return")))
        .any(|own| constant(std::slice::from_ref(own)).is_none());
    (all && computed
        && file.old.whole
        && body.len() <= 5
        && before.len() >= body.len() + 4
        && before.len() >= 8)
        .then_some(*telling)
}

/// The names of what a function is given.
fn parameters(head: &Statement) -> Vec<String> {
    let Some(open) = head.tokens.iter().position(|token| token.is("(")) else { return Vec::new() };
    let close = super::super::model::matching(&head.tokens, open).unwrap_or(head.tokens.len());
    let inside = head.tokens.get(open + 1..close).unwrap_or_default();
    super::weakened::split(inside)
        .iter()
        .flat_map(|part| {
            let end = part.iter().position(|token| token.is(":") || token.is("=")).unwrap_or(part.len());
            part.get(..end).unwrap_or_default().iter().filter(|token: &&Token| token.kind == Kind::Word)
        })
        .map(|token| token.text.clone())
        .filter(|name| {
            !matches!(
                name.as_str(),
                "self" | "cls" | "this" | "mut" | "const" | "int" | "String" | "ctx" | "final"
            )
        })
        .collect()
}

fn uses(body: &[Statement], name: &str) -> bool {
    body.iter()
        .flat_map(|own| &own.tokens)
        .any(|token| token.text == name || token.kind == Kind::Text && token.text.contains(name))
}

/// The languages that the older reader does not know.
fn undone<'a>(file: &FileChange<'_>, body: &'a [Statement]) -> Option<&'a Statement> {
    let statement = body.iter().find(|own| !is_document(own))?;
    let text = statement.text.to_lowercase();
    let says = [
        "notimplementederror",
        "notimplementedexception",
        "not implemented",
        "todo(",
        "unimplemented",
        "not yet implemented",
        "fatalerror(\"not",
    ]
    .iter()
    .any(|word| text.contains(word));
    let raises = [
        "raise", "throw", "todo", "abort", "panic", "exit", "echo", "die", "fail", "return", "assert",
        "error",
    ]
    .iter()
    .any(|word| text.starts_with(word));
    let fresh = matches!(
        file.dialect,
        Some(
            Dialect::Kotlin
                | Dialect::C
                | Dialect::Cpp
                | Dialect::CSharp
                | Dialect::Ruby
                | Dialect::Php
                | Dialect::Shell
        )
    );
    (fresh && says && raises && body.len() <= 2 && !text.contains("subclass")).then_some(statement)
}

fn is_abstract(dialect: Option<Dialect>, program: &Program, unit: &Unit) -> bool {
    let head = program.head(unit).map_or("", |head| head.text.as_str());
    let class = program.around(unit.parent).find(|unit| unit.kind == UnitKind::Class);
    let class_head = class.and_then(|class| program.head(class)).map_or("", |head| head.text.as_str());
    let words = [
        "abstract",
        "interface",
        "Protocol",
        "ABC",
        "trait ",
        "Base",
        "Null",
        "Noop",
        "NoOp",
        "Stub",
        "Fake",
        "Mock",
        "Default",
        "Dummy",
    ];
    let _ = dialect;
    unit.marks.contains("abstract")
        || unit.marks.contains("property")
        || head.contains("override")
        || head.contains("@Override")
        || words.iter().any(|word| class_head.contains(word))
        || unit.name.starts_with("__")
}
