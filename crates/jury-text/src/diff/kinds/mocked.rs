//! Tests that replace the very thing that they assert on. Clocks, networks and other collaborators are replaced by everybody.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{FileChange, Kind, Statement, Test, Token};
use super::{Look, at};

pub(super) fn subjects(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let all = look.change.pairs.kept.iter().map(|(_, new)| new).chain(&look.change.pairs.born);
    for test in all {
        let Some(file) = look.change.files.get(test.file) else { continue };
        let program = &file.new.program;
        let head = program.units.get(test.unit).and_then(|unit| program.head(unit));
        // Decorators stand above the head.
        let above = program.units.get(test.unit).map_or(0, |unit| unit.head);
        let marks = program
            .statements
            .get(above.saturating_sub(4)..above)
            .unwrap_or_default()
            .iter()
            .rev()
            .take_while(|own| own.tokens.first().is_some_and(|first| first.is("@")));
        for statement in test
            .statements
            .iter()
            .chain(head)
            .chain(marks)
            .filter(|own| own.changed && !look.change.moved_here(own))
        {
            if let Some(name) = replaced(statement)
                && asserted(file, test, &name, statement)
            {
                found.push(at(
                    Detector::MockedSubject,
                    Severity::Serious,
                    file,
                    statement,
                    format!("the test replaces `{name}`, and then asserts on it"),
                ));
                break;
            }
        }
    }
    for file in look.change.files.iter().filter(|file| file.test) {
        for (_, statement) in file.added().filter(|(_, own)| own.depth == 0 || own.unit.is_none()) {
            if let Some(module) = module_of(statement).filter(|module| is_own(file.path, module)) {
                let actual = statement.tokens.iter().any(|token| {
                    matches!(token.text.as_str(), "requireActual" | "importActual" | "importOriginal")
                });
                let severity = if actual { Severity::Minor } else { Severity::Serious };
                if !look.change.moved_here(statement) {
                    found.push(at(
                        Detector::MockedSubject,
                        severity,
                        file,
                        statement,
                        format!("the module under test is replaced: {module}"),
                    ));
                }
            }
        }
    }
    found
}

/// The module that a statement replaces.
fn module_of(statement: &Statement) -> Option<&str> {
    let text = statement.text.as_str();
    let mocks = [
        "jest.mock(",
        "vi.mock(",
        "jest.doMock(",
        "vi.doMock(",
        "mock.module(",
        "proxyquire(",
        "jest.unstable_mockModule(",
    ];
    mocks.iter().any(|mark| text.starts_with(mark)).then(|| {
        statement.tokens.iter().find(|token| token.kind == Kind::Text).map(|token| token.text.as_str())
    })?
}

/// The module has the name of the test.
fn is_own(path: &str, module: &str) -> bool {
    let stem = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split('.')
            .next()
            .unwrap_or(name)
            .to_lowercase()
            .replace("test", "")
            .replace("spec", "")
            .trim_matches(['_', '-'])
            .to_owned()
    };
    let module_stem = stem(module);
    module.starts_with(['.', '@', '~', '/']) && !module_stem.is_empty() && module_stem == stem(path)
}

/// The name of the function that a statement replaces.
fn replaced(statement: &Statement) -> Option<String> {
    let tokens = &statement.tokens;
    let text = statement.text.as_str();
    let last_part = |text: &str| text.rsplit(['.', ':', '/']).next().unwrap_or(text).to_owned();
    let first_text =
        || tokens.iter().find(|token| token.kind == Kind::Text).map(|token| last_part(&token.text));
    let texts = || tokens.iter().filter(|token| token.kind == Kind::Text).map(|token| token.text.clone());
    if text.contains("patch.object(")
        || text.contains("setattr(") && !text.starts_with("setattr(self")
        || text.contains("spyOn(") && stubs(text)
        || text.contains(".stub(")
        || text.contains("replace(") && text.contains("sinon")
    {
        let dotted = first_text();
        return dotted.filter(|name| !name.is_empty());
    }
    if text.contains("patch(\"") || text.contains("mocker.patch(\"") {
        return first_text();
    }
    if text.contains("mock.method(") {
        return texts().next();
    }
    // `when(calc.total(…)).thenReturn(…)`, `every { calc.total() } returns 3`
    let given = [
        "thenReturn",
        "thenAnswer",
        "doReturn",
        "returns",
        "Returns",
        "ReturnsAsync",
        "willReturn",
        "mockReturnValue",
        "mockImplementation",
        "mockResolvedValue",
        "and_return",
        "return_value",
        "side_effect",
    ];
    if given.iter().any(|word| tokens.iter().any(|token| token.is(word))) {
        if text.contains("receive(:") || text.contains("receive(") {
            let at = tokens.iter().position(|token| token.is("receive"))?;
            return tokens
                .get(at + 1..)?
                .iter()
                .find(|token| token.kind == Kind::Word)
                .map(|token| token.text.clone());
        }
        if text.contains("method(\"") {
            return first_text();
        }
        let at = tokens.iter().position(|token| given.iter().any(|word| token.is(word)))?;
        let before = tokens.get(..at)?;
        let called = before.windows(3).rev().find_map(|three| match three {
            [dot, name, open]
                if dot.is(".")
                    && name.kind == Kind::Word
                    && open.is("(")
                    && !matches!(name.text.as_str(), "when" | "fn" | "Setup" | "spyOn" | "every") =>
            {
                Some(name.text.clone())
            }
            _ => None,
        });
        return called.or_else(|| {
            before
                .iter()
                .rev()
                .find(|token| {
                    token.kind == Kind::Word
                        && token.text.len() > 2
                        && !matches!(token.text.as_str(), "mock" | "when" | "Setup")
                })
                .map(|token| token.text.clone())
        });
    }
    // `module.function = lambda: 3`, `calc.total = jest.fn()`
    let assigned = tokens.iter().position(|token| token.is("="))?;
    let left = tokens.get(..assigned)?;
    let right = tokens.get(assigned + 1..)?;
    let fake = right.iter().take(4).any(|token: &Token| {
        matches!(
            token.text.as_str(),
            "lambda" | "fn" | "MagicMock" | "Mock" | "AsyncMock" | "=>" | "func" | "stub"
        )
    });
    match left {
        [_, .., dot, name] if dot.is(".") && fake && name.kind == Kind::Word => Some(name.text.clone()),
        _ => None,
    }
}

fn stubs(text: &str) -> bool {
    ["mockReturnValue", "mockImplementation", "mockResolvedValue", "mockRejectedValue", ".returns("]
        .iter()
        .any(|word| text.contains(word))
}

/// The test asserts on what the function gives.
fn asserted(file: &FileChange<'_>, test: &Test, name: &str, own: &Statement) -> bool {
    let usual = [
        "sleep", "now", "time", "fetch", "get", "post", "log", "random", "open", "print", "request", "send",
        "connect", "query", "execute", "read", "write", "findById", "save", "find", "load", "info", "warn",
        "error", "debug", "exit", "environ", "getenv", "run", "call",
    ];
    if usual.contains(&name) || name.len() < 3 {
        return false;
    }
    let calls = |statement: &Statement| {
        statement
            .tokens
            .windows(2)
            .any(|two| matches!(two, [word, open] if word.is(name) && (open.is("(") || open.is("!"))))
    };
    let statements = || test.assertions.iter().filter_map(|own| file.new.program.statements.get(own.at));
    let direct = statements().any(|statement| {
        statement.text != own.text && calls(statement) && !statement.text.contains("toHaveBeenCalled")
    });
    // `result = total(…)` and then an assertion on the result alone.
    let kept =
        test.statements.iter().filter(|statement| statement.text != own.text && calls(statement)).filter_map(
            |statement| {
                let at = statement.tokens.iter().position(|token| token.is("=") || token.is(":="))?;
                statement
                    .tokens
                    .get(..at)?
                    .iter()
                    .rfind(|token| token.kind == Kind::Word)
                    .map(|token| token.text.clone())
            },
        );
    let names: Vec<String> = kept.collect();
    direct
        || statements()
            .any(|statement| names.iter().any(|name| statement.tokens.iter().any(|token| token.is(name))))
}
