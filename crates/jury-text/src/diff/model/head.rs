//! What a block is by its head: a function, a test, a suite, a class.

use super::dialect::{Dialect, is_test_file};
use super::program::{UnitKind, spelled};
use super::token::{Kind, Token};

/// A head that is known.
pub(super) struct Head {
    pub(super) kind: UnitKind,
    pub(super) name: String,
}

/// Words in front of a bracket that are no function.
const CONTROL: [&str; 24] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "return",
    "else",
    "do",
    "try",
    "synchronized",
    "using",
    "lock",
    "foreach",
    "match",
    "when",
    "elseif",
    "function",
    "new",
    "throw",
    "await",
    "sizeof",
    "fixed",
    "case",
    "assert",
];

const CASES: [&str; 14] = [
    "it",
    "test",
    "specify",
    "xit",
    "xtest",
    "fit",
    "ftest",
    "scenario",
    "example",
    "should",
    "fcontext_it",
    "xspecify",
    "expectIt",
    "fspecify",
];
const GROUPS: [&str; 13] = [
    "describe",
    "context",
    "suite",
    "xdescribe",
    "fdescribe",
    "feature",
    "xcontext",
    "fcontext",
    "group",
    "given",
    "when",
    "Describe",
    "Context",
];

pub(super) fn head(
    dialect: Dialect,
    path: &str,
    tokens: &[Token],
    marks: &str,
    in_class: bool,
) -> Option<Head> {
    let unit = |kind: UnitKind, name: &str| Some(Head { kind, name: name.to_owned() });
    let after = |word: &str| {
        let at = tokens.iter().position(|token| token.is(word))?;
        tokens.get(at + 1..)?.iter().find(|token| matches!(token.kind, Kind::Word | Kind::Text))
    };
    let first = tokens.first()?;
    let first_word = if first.kind == Kind::Text { "" } else { first.text.as_str() };
    let text = tokens.iter().find(|token| token.kind == Kind::Text);
    let classy =
        ["class", "interface", "trait", "impl", "enum", "struct", "object", "module", "namespace", "record"];
    let is_class = || {
        let at = tokens.iter().take(12).position(|token| classy.iter().any(|word| token.is(word)))?;
        let before = tokens.get(..at)?;
        let plain = before.iter().all(|token| {
            token.kind != Kind::Mark
                || matches!(token.text.as_str(), "@" | "#" | "[" | "]" | "(" | ")" | "," | ".")
        });
        let name = tokens.get(at + 1..)?.iter().find(|token| token.kind == Kind::Word)?;
        plain.then_some(name)
    };
    match dialect {
        Dialect::Rust => {
            let at = tokens.iter().position(|token| token.is("fn"));
            if let Some(name) = at.and_then(|at| tokens.get(at + 1)) {
                let attributes = spelled(tokens.get(..at.unwrap_or(0)).unwrap_or_default());
                let test =
                    ["test]", "test(", "rstest", "test_case(", "quickcheck", "bench]", "wasm_bindgen_test"]
                        .iter()
                        .any(|mark| attributes.contains(mark));
                return unit(if test { UnitKind::Test } else { UnitKind::Function }, &name.text);
            }
            let name = after("mod").or_else(is_class)?;
            unit(
                if name.is("tests") || name.is("test") { UnitKind::Group } else { UnitKind::Class },
                &name.text,
            )
        }
        Dialect::Python => {
            if let Some(name) = after("def").filter(|_| matches!(first_word, "def" | "async")) {
                let test = name.text.starts_with("test")
                    && (is_test_file(path) || marks.contains("pytest") || in_class);
                return unit(if test { UnitKind::Test } else { UnitKind::Function }, &name.text);
            }
            let name = after("class").filter(|_| first_word == "class")?;
            unit(UnitKind::Class, &name.text)
        }
        Dialect::Script => {
            let root = tokens
                .iter()
                .find(|token| token.kind == Kind::Word && !token.is("await") && !token.is("export"))?;
            let called = text.is_some() && spelled(tokens).contains('(');
            if called && CASES.contains(&root.text.as_str()) {
                return unit(UnitKind::Test, &text?.text);
            }
            if called
                && (GROUPS.contains(&root.text.as_str())
                    || (root.is("test") && tokens.iter().take(4).any(|token| token.is("describe"))))
            {
                return unit(UnitKind::Group, &text?.text);
            }
            if let Some(name) = is_class().filter(|_| {
                ["class", "export", "abstract", "interface", "enum", "default", "namespace"]
                    .contains(&first_word)
            }) {
                return unit(UnitKind::Class, &name.text);
            }
            if let Some(name) =
                after("function").filter(|_| ["function", "export", "async", "default"].contains(&first_word))
            {
                return unit(UnitKind::Function, &name.text);
            }
            let arrow = tokens.last().is_some_and(|last| last.is("=>"))
                || tokens.iter().any(|token| token.is("function"));
            if ["const", "let", "var", "export"].contains(&first_word) {
                let name = after(if tokens.iter().any(|token| token.is("const")) {
                    "const"
                } else if tokens.iter().any(|token| token.is("let")) {
                    "let"
                } else {
                    "var"
                })?;
                return if arrow { unit(UnitKind::Function, &name.text) } else { None };
            }
            method(tokens, in_class)
        }
        Dialect::Go => {
            if first_word == "func" {
                let mut rest = tokens.get(1..)?;
                if rest.first().is_some_and(|token| token.is("(")) {
                    let end = rest.iter().position(|token| token.is(")"))?;
                    rest = rest.get(end + 1..)?;
                }
                let name = rest.first().filter(|token| token.kind == Kind::Word)?;
                let rest = spelled(rest);
                let test = path.ends_with("_test.go")
                    && ((name.text.starts_with("Test")
                        && rest.contains("*testing.T")
                        && name.text != "TestMain")
                        || name.text.starts_with("Benchmark")
                        || name.text.starts_with("Fuzz")
                        || (name.text.starts_with("Example") && rest.contains("()")));
                return unit(if test { UnitKind::Test } else { UnitKind::Function }, &name.text);
            }
            if first_word == "type" {
                return unit(UnitKind::Class, &tokens.get(1)?.text);
            }
            let spelled = spelled(tokens);
            if spelled.contains(".Run(") && spelled.contains("*testing.T") {
                return unit(UnitKind::Test, &text?.text);
            }
            let root = first_word;
            if (root == "It" || root == "Specify") && text.is_some() {
                return unit(UnitKind::Test, &text?.text);
            }
            GROUPS
                .contains(&root)
                .then(|| text.map(|text| Head { kind: UnitKind::Group, name: text.text.clone() }))?
        }
        Dialect::Java | Dialect::CSharp => {
            if let Some(name) = is_class() {
                return unit(UnitKind::Class, &name.text);
            }
            let own = method(tokens, true)?;
            let spelled = spelled(tokens);
            let marked = if dialect == Dialect::Java {
                ["@Test", "@ParameterizedTest", "@RepeatedTest", "@Theory", "@Property"].iter().any(|mark| {
                    spelled.find(mark).is_some_and(|at| {
                        let tail = spelled.get(at + mark.len()..).unwrap_or_default();
                        !tail.starts_with(|c: char| c.is_alphanumeric())
                    })
                }) || (own.name.starts_with("test")
                    && is_test_file(path)
                    && spelled.contains("public void")
                    && !spelled.contains('@'))
            } else {
                [
                    "[Fact",
                    "[Theory",
                    "[Test]",
                    "[Test(",
                    "[Test,",
                    "[TestMethod",
                    "[TestCase",
                    "[DataTestMethod",
                    "[SkippableFact",
                    "[Property",
                ]
                .iter()
                .any(|mark| spelled.contains(mark))
            };
            unit(if marked { UnitKind::Test } else { UnitKind::Function }, &own.name)
        }
        Dialect::Kotlin => {
            let spelled = spelled(tokens);
            if let Some(at) = tokens.iter().position(|token| token.is("fun")) {
                let rest = tokens.get(at + 1..)?;
                let quoted = rest.first().is_some_and(|token| token.is("`"));
                let name = if quoted {
                    rest.iter()
                        .skip(1)
                        .take_while(|token| !token.is("`"))
                        .map(|token| token.text.as_str())
                        .collect::<Vec<_>>()
                        .join(" ")
                } else {
                    let end = rest.iter().position(|token| token.is("(")).unwrap_or(rest.len());
                    rest.get(..end)?.iter().rfind(|token| token.kind == Kind::Word)?.text.clone()
                };
                let test = ["@Test", "@ParameterizedTest", "@RepeatedTest"]
                    .iter()
                    .any(|mark| spelled.contains(mark));
                return unit(if test { UnitKind::Test } else { UnitKind::Function }, &name);
            }
            if let Some(name) = is_class() {
                return unit(UnitKind::Class, &name.text);
            }
            if is_test_file(path) && CASES.contains(&first_word) && text.is_some() {
                return unit(UnitKind::Test, &text?.text);
            }
            if is_test_file(path) && first.kind == Kind::Text && tokens.len() <= 8 {
                return unit(UnitKind::Test, &first.text);
            }
            (is_test_file(path) && GROUPS.contains(&first_word))
                .then(|| text.map(|text| Head { kind: UnitKind::Group, name: text.text.clone() }))?
        }
        Dialect::C | Dialect::Cpp => {
            let spelled = spelled(tokens);
            let macros = [
                "TEST",
                "TEST_F",
                "TEST_P",
                "TYPED_TEST",
                "TEST_CASE",
                "SCENARIO",
                "SECTION",
                "SUBCASE",
                "BOOST_AUTO_TEST_CASE",
                "TEST_CASE_METHOD",
                "START_TEST",
                "Test",
                "TEST_METHOD",
                "BOOST_FIXTURE_TEST_CASE",
            ];
            if macros.contains(&first_word) && spelled.contains('(') {
                let inner: Vec<&str> = tokens
                    .iter()
                    .skip(2)
                    .take_while(|token| !token.is(")"))
                    .filter(|token| !token.is(","))
                    .map(|token| token.text.as_str())
                    .collect();
                let kind = if matches!(first_word, "SECTION" | "SUBCASE") {
                    UnitKind::Group
                } else {
                    UnitKind::Test
                };
                return Some(Head { kind, name: inner.join(".") });
            }
            if let Some(name) = is_class().filter(|_| !spelled.contains('(')) {
                return unit(UnitKind::Class, &name.text);
            }
            let own = method(tokens, true)?;
            let lower = own.name.to_ascii_lowercase();
            // Every function of a file of tests is one, but for what sets up and what runs them.
            let around = ["main", "setup", "set_up", "teardown", "tear_down", "suite", "runner"];
            let c_test = dialect == Dialect::C
                && is_test_file(path)
                && !around.iter().any(|word| lower.contains(word))
                && spelled.contains("void");
            let test =
                c_test || is_test_file(path) && (lower.starts_with("test_") || lower.ends_with("_test"));
            unit(if test { UnitKind::Test } else { UnitKind::Function }, &own.name)
        }
        Dialect::Ruby => {
            if first_word == "def" {
                let end = tokens.iter().position(|token| token.is("(")).unwrap_or(tokens.len());
                let name = tokens
                    .get(1..end)?
                    .iter()
                    .rev()
                    .find(|token| token.kind != Kind::Mark || token.text.contains('='))?;
                let name = if tokens.get(1).is_some_and(|token| token.is("self")) {
                    tokens.get(3).unwrap_or(name)
                } else {
                    tokens.get(1).unwrap_or(name)
                };
                let test = name.text.starts_with("test_") && is_test_file(path);
                return unit(if test { UnitKind::Test } else { UnitKind::Function }, &name.text);
            }
            if CASES.contains(&first_word) && is_test_file(path) {
                return unit(UnitKind::Test, text.map_or("", |text| text.text.as_str()));
            }
            let root =
                tokens.iter().find(|token| GROUPS.contains(&token.text.as_str()) && token.kind == Kind::Word);
            if let Some(_root) = root.filter(|_| is_test_file(path)) {
                let name = text.map_or_else(|| spelled(tokens), |text| text.text.clone());
                return Some(Head { kind: UnitKind::Group, name });
            }
            let name = is_class().filter(|_| matches!(first_word, "class" | "module"))?;
            unit(UnitKind::Class, &name.text)
        }
        Dialect::Php => {
            if let Some(name) = is_class().filter(|_| !tokens.iter().any(|token| token.is("function"))) {
                return unit(UnitKind::Class, &name.text);
            }
            let spelled = spelled(tokens);
            if CASES.contains(&first_word) && text.is_some() {
                return unit(UnitKind::Test, &text?.text);
            }
            let at = tokens.iter().position(|token| token.is("function"))?;
            let name = tokens.get(at + 1).filter(|token| token.kind == Kind::Word)?;
            let test = is_test_file(path)
                && (name.text.starts_with("test")
                    || spelled.contains("#[Test]")
                    || spelled.contains("#[Test,"));
            unit(if test { UnitKind::Test } else { UnitKind::Function }, &name.text)
        }
        Dialect::Shell => {
            if first.is("@") && tokens.get(1).is_some_and(|token| token.is("test")) {
                return unit(UnitKind::Test, &text?.text);
            }
            let spelled = spelled(tokens);
            let name = if first_word == "function" { tokens.get(1)? } else { first };
            if first_word != "function" && !spelled.contains("()") {
                return None;
            }
            let test = is_test_file(path) && name.text.to_ascii_lowercase().starts_with("test");
            unit(if test { UnitKind::Test } else { UnitKind::Function }, &name.text)
        }
        Dialect::Settings => None,
    }
}

/// A method: a name, what it is given, and nothing that is assigned or called on something.
fn method(tokens: &[Token], in_class: bool) -> Option<Head> {
    // Attributes in front of it have brackets of their own.
    let mut at = 0;
    loop {
        match tokens.get(at) {
            Some(token) if token.is("@") => {
                at += 2;
                while tokens.get(at).is_some_and(|token| token.is(".")) {
                    at += 2;
                }
                if tokens.get(at).is_some_and(|token| token.is("(")) {
                    at = matching(tokens, at)? + 1;
                }
            }
            Some(token) if token.is("[") => at = matching(tokens, at)? + 1,
            Some(_) => break,
            None => return None,
        }
    }
    let rest = tokens.get(at..)?;
    let open = rest.iter().position(|token| token.is("("))?;
    let before = rest.get(..open)?;
    let name = before.last().filter(|token| token.kind == Kind::Word)?;
    let dotted = before.iter().any(|token| {
        token.is("=")
            || token.is(".")
            || token.is("=>")
            || token.is("new")
            || token.is("return")
            || token.is(":=")
    });
    let control = before.iter().any(|token| CONTROL.iter().any(|word| token.is(word)));
    (!dotted && !control && (in_class || before.len() > 1))
        .then(|| Head { kind: UnitKind::Function, name: name.text.clone() })
}

/// The bracket that closes the one at a place.
pub(in crate::diff) fn matching(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
