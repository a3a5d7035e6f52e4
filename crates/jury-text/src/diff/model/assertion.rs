//! What an assertion asks for, as a number, so that two can be compared: equality asks for more than membership, that for more
//! than truth, and that for more than that there is something.

use super::dialect::Dialect;
use super::head::matching;
use super::program::{Program, Statement, UnitKind};
pub(in crate::diff) use super::ranks::NOTHING;
use super::ranks::{APPROXIMATE, BOUND, MEMBER, PRESENT, SHAPE, TRUTH, VALUE, known, plain};
use super::token::{Kind, Token};

/// An assertion of a test.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Assertion {
    /// Which statement of the program it is.
    pub(in crate::diff) at: usize,
    pub(in crate::diff) line: u64,
    pub(in crate::diff) text: String,
    /// None where the matcher is not known: only its removal counts then.
    pub(in crate::diff) rank: Option<u8>,
    pub(in crate::diff) changed: bool,
}

/// The word in a statement that says it is an assertion, and where it stands.
fn root(dialect: Dialect, tokens: &[Token]) -> Option<usize> {
    let first = tokens.first()?;
    let imports = [
        "import",
        "from",
        "use",
        "using",
        "include",
        "package",
        "require",
        "require_once",
        "local",
        "export",
        "def",
        "fn",
        "func",
        "fun",
        "function",
        "class",
    ];
    let required = first.is("require") && tokens.get(1).is_some_and(|next| next.is("."));
    if first.kind != Kind::Text && imports.iter().any(|word| first.is(word)) && !required {
        return None;
    }
    tokens.iter().position(|token| token.kind == Kind::Word && is_root(dialect, &token.text)).filter(|at| {
        let next = tokens.get(at + 1);
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let word = tokens.get(*at).map_or("", |token| token.text.as_str());
        let called = next.is_some_and(|next| {
            next.is("(") || next.is("!") || next.is(".") || next.is("::") || next.is("<")
        });
        let infix = dialect == Dialect::Kotlin && word.starts_with("should");
        let spaced = matches!(
            dialect,
            Dialect::Python | Dialect::Ruby | Dialect::Shell | Dialect::Java | Dialect::Kotlin
        );
        let named = before.is_some_and(|before| before.is("const") || before.is("let") || before.is("var"));
        !named
            && (called
                || infix
                || (spaced && next.is_some())
                || (dialect == Dialect::Shell)
                || (dialect == Dialect::Script && word.starts_with("assert")))
    })
}

fn is_root(dialect: Dialect, word: &str) -> bool {
    let begins = |marks: &[&str]| marks.iter().any(|mark| word.starts_with(mark));
    if word.ends_with("Error")
        || word.ends_with("Exception")
        || word == "AssertJ"
        || word == "expected"
        || word == "asserts"
    {
        return false;
    }
    begins(&[
        "assert",
        "Assert",
        "ASSERT",
        "prop_assert",
        "debug_assert",
        "TEST_ASSERT",
        "EXPECT_",
        "ck_assert",
        "cr_assert",
        "cr_expect",
        "refute",
        "XCTAssert",
    ]) || match dialect {
        Dialect::Script => word == "expect" || word == "expectTypeOf" || word == "should",
        Dialect::Go => word == "require" || word == "Expect" || word == "Ω",
        Dialect::Java => begins(&["verify", "expectThrows"]) || word == "fail",
        Dialect::Kotlin => {
            begins(&["should", "verify", "coVerify"]) || word == "fail" || word == "expectThat"
        }
        Dialect::Cpp => begins(&["CHECK", "REQUIRE", "BOOST_CHECK", "BOOST_REQUIRE", "BOOST_TEST"]),
        Dialect::C => begins(&["CHECK", "REQUIRE", "mu_assert", "CU_ASSERT"]),
        Dialect::CSharp => matches!(word, "Should" | "Verify" | "ShouldBe") || begins(&["Should"]),
        Dialect::Ruby => {
            begins(&["must_", "wont_", "flunk"])
                || word == "expect"
                || word == "should"
                || word == "is_expected"
                || word == "expect_error"
        }
        Dialect::Php => begins(&["expect", "seeIn", "see"]),
        Dialect::Python => begins(&["self_assert"]) || word == "raises" || word == "fail",
        Dialect::Shell => {
            matches!(word, "fail" | "run_expect" | "check" | "is_equal")
                || begins(&["expect_", "check_eq", "refute"])
        }
        Dialect::Rust => matches!(word, "assert_matches" | "proptest_assert"),
        Dialect::Settings => false,
    }
}

/// Statements with which a test of Go, C or a shell says that it fails.
fn fails(tokens: &[Token]) -> bool {
    let text: Vec<&str> = tokens.iter().take(4).map(|token| token.text.as_str()).collect();
    match text.as_slice() {
        [_, ".", "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow", ..] => true,
        [first, ..] => {
            matches!(*first, "fail" | "abort" | "panic" | "exit" | "FAIL" | "ADD_FAILURE")
                || (*first == "return"
                    && text.get(1).is_some_and(|next| matches!(*next, "1" | "-" | "EXIT_FAILURE")))
        }
        [] => false,
    }
}

/// The assertion that a statement is.
pub(in crate::diff) fn assertion(
    dialect: Dialect,
    program: &Program,
    at: usize,
    in_tests: bool,
) -> Option<Assertion> {
    let statement = program.statements.get(at)?;
    let made = |rank: Option<u8>| {
        Some(Assertion {
            at,
            line: statement.line,
            text: statement.text.clone(),
            rank,
            changed: statement.changed,
        })
    };
    let defines = statement
        .heads
        .and_then(|unit| program.units.get(unit))
        .is_some_and(|unit| unit.kind != UnitKind::Group);
    if defines {
        return None;
    }
    if let Some(root_at) = root(dialect, &statement.tokens) {
        return made(rank(dialect, statement, root_at));
    }
    let first = statement.tokens.first()?;
    if !in_tests {
        return None;
    }
    match dialect {
        Dialect::Go | Dialect::C if first.is("if") => {
            let body = program
                .statements
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .take(4)
                .take_while(|next| next.depth > statement.depth);
            let reports = body.into_iter().any(|next| fails(&next.tokens));
            reports.then(|| made(Some(condition(dialect, &statement.tokens))))?
        }
        Dialect::Shell => {
            let test = first.is("[") || first.is("test");
            let compares = ["diff", "cmp", "grep"].iter().any(|word| first.is(word));
            (test || compares).then(|| {
                made(Some(if compares && !first.is("grep") { VALUE } else { shell(&statement.tokens) }))
            })?
        }
        Dialect::Go
        | Dialect::C
        | Dialect::Rust
        | Dialect::Python
        | Dialect::Script
        | Dialect::Java
        | Dialect::Kotlin
        | Dialect::Cpp
        | Dialect::CSharp
        | Dialect::Ruby
        | Dialect::Php
        | Dialect::Settings => None,
    }
}

fn shell(tokens: &[Token]) -> u8 {
    let has = |text: &str| tokens.iter().any(|token| token.is(text) || token.text == text);
    if has("grep") || has("=~") || has("*") {
        MEMBER
    } else if has("=") || has("==") || has("eq") {
        VALUE
    } else if has("gt") || has("lt") || has("ge") || has("le") || has("!=") || has("ne") {
        BOUND
    } else if has("n") || has("f") || has("e") || has("s") || has("d") {
        PRESENT
    } else {
        TRUTH
    }
}

fn rank(dialect: Dialect, statement: &Statement, root: usize) -> Option<u8> {
    let tokens = statement.tokens.get(root..)?;
    let word = tokens.first()?.text.as_str();
    let negated = tokens.iter().any(|token| {
        matches!(token.text.as_str(), "not" | "not_to" | "to_not" | "NotTo" | "ToNot" | "isNot")
            && token.kind == Kind::Word
    });
    // An operator decides for those that take a condition.
    let takes_condition = matches!(
        word,
        "assert"
            | "assert_true"
            | "assert_false"
            | "assertTrue"
            | "assertFalse"
            | "ASSERT_TRUE"
            | "EXPECT_TRUE"
            | "CHECK"
            | "REQUIRE"
            | "EXPECT_FALSE"
            | "debug_assert"
            | "mu_assert"
            | "ck_assert"
            | "cr_assert"
            | "prop_assert"
            | "BOOST_TEST"
            | "BOOST_CHECK"
            | "TEST_ASSERT"
            | "TEST_ASSERT_TRUE"
            | "BOOST_REQUIRE"
    ) || (matches!(word, "Assert" | "assert" | "require")
        && tokens.get(2).is_some_and(|next| {
            matches!(next.text.as_str(), "True" | "False" | "IsTrue" | "IsFalse" | "ok" | "That" | "isTrue")
        }));
    let called = tokens.get(1).is_some_and(|next| next.is("."));
    if takes_condition
        && !(called && dialect == Dialect::Script && !tokens.get(2).is_some_and(|next| next.is("ok")))
    {
        let bare = condition(dialect, tokens);
        if bare != TRUTH || !called {
            return Some(bare);
        }
    }
    if matches!(word, "raises" | "assertRaises" | "assertThrows" | "raise_error")
        || word.starts_with("assertThrows")
        || word == "assertFailsWith"
    {
        let general = tokens.iter().any(|token| {
            matches!(
                token.text.as_str(),
                "Exception" | "BaseException" | "Throwable" | "Error" | "StandardError"
            )
        });
        let said = tokens.iter().any(|token| token.is("match"));
        return Some(if general && !said {
            PRESENT
        } else if said {
            APPROXIMATE
        } else {
            MEMBER
        });
    }
    let mut found: Option<u8> = if word == "assert"
        || word == "require"
        || word == "Assert"
        || word == "expect"
        || word == "should"
        || word == "be"
    {
        None
    } else {
        known(word)
    };
    let mut depth = 0_usize;
    let mut inner: Option<u8> = None;
    let mut anything = false;
    for token in tokens.iter().skip(1) {
        match token.kind {
            Kind::Mark => match token.text.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            },
            Kind::Word if depth == 0 => {
                if let Some(rank) = known(&token.text)
                    .filter(|_| !matches!(token.text.as_str(), "be" | "a" | "an") || found.is_none())
                {
                    found = Some(rank);
                }
            }
            Kind::Word => {
                anything |=
                    matches!(token.text.as_str(), "anything" | "any" | "Anything" | "ANY" | "It.IsAny");
                if inner.is_none()
                    && matches!(
                        word,
                        "assertThat"
                            | "assert_that"
                            | "EXPECT_THAT"
                            | "ASSERT_THAT"
                            | "That"
                            | "Assert"
                            | "REQUIRE_THAT"
                            | "Expect"
                    )
                {
                    inner = known(&token.text);
                }
            }
            Kind::Number | Kind::Text | Kind::Directive => {}
        }
    }
    // What is compared by an operator behind `be`.
    if tokens.iter().any(|token| token.is("be"))
        && tokens.iter().any(|token| token.is(">") || token.is("<") || token.is(">="))
    {
        found = Some(BOUND);
    }
    let found = found.or(inner)?;
    if anything && found >= MEMBER && last_argument_is_anything(tokens) {
        return Some(PRESENT);
    }
    Some(if negated {
        match found {
            VALUE
                if tokens.iter().any(|token| {
                    matches!(plain(&token.text).as_str(), "tobenull" | "benil" | "isnull" | "benull")
                }) =>
            {
                PRESENT
            }
            TRUTH | PRESENT => found,
            _ => found.min(BOUND),
        }
    } else if word.starts_with("refute") || plain(word).starts_with("assertnotcont") {
        found.min(BOUND)
    } else {
        found
    })
}

/// The only thing that the last matcher is given is that anything will do.
fn last_argument_is_anything(tokens: &[Token]) -> bool {
    let open = tokens.iter().rposition(|token| {
        token.kind == Kind::Word && matches!(token.text.as_str(), "anything" | "any" | "Anything" | "ANY")
    });
    let Some(at) = open else { return false };
    let before: Vec<&str> =
        tokens.get(..at).unwrap_or_default().iter().rev().take(4).map(|token| token.text.as_str()).collect();
    matches!(before.as_slice(), [".", "expect", "(", ..] | ["(" | ",", ..] | [".", "mock", "(" | ",", ..])
}

/// How much a condition asks for.
pub(in crate::diff) fn condition(dialect: Dialect, tokens: &[Token]) -> u8 {
    let open = tokens.iter().position(|token| token.is("("));
    let inner = match (dialect, open) {
        (Dialect::Python, _) => tokens.get(1..).unwrap_or_default(),
        (Dialect::Go, _) if tokens.first().is_some_and(|first| first.is("if")) => {
            let from = tokens.iter().rposition(|token| token.is(";")).map_or(1, |at| at + 1);
            tokens.get(from..).unwrap_or_default()
        }
        (_, Some(open)) => {
            tokens.get(open + 1..matching(tokens, open).unwrap_or(tokens.len())).unwrap_or_default()
        }
        (_, None) => tokens.get(1..).unwrap_or_default(),
    };
    // The message behind a comma says nothing about the condition.
    let mut depth = 0_i32;
    let mut end = inner.len();
    for (at, token) in inner.iter().enumerate() {
        if token.kind == Kind::Mark {
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 0 => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
    }
    let said = inner.get(..end).unwrap_or_default();
    let said = if said.first().is_some_and(|first| first.is("t")) && said.len() == 1 {
        inner.get(end + 1..).unwrap_or_default()
    } else {
        said
    };
    if always(said) {
        return NOTHING;
    }
    said.split(|token| token.is("and") || token.is("&&"))
        .map(|part| single(dialect, part))
        .max()
        .unwrap_or(TRUTH)
}

fn single(dialect: Dialect, said: &[Token]) -> u8 {
    let has = |text: &str| said.iter().any(|token| token.is(text));
    let absent = said.last().is_some_and(|last| {
        matches!(last.text.as_str(), "None" | "null" | "nil" | "NULL" | "nullptr" | "undefined")
    });
    let reports = dialect == Dialect::Go || dialect == Dialect::C;
    let counted = has("len") || has("size") || has("length") || has("count") || has("len()") || has("Len");
    if has("approx") || has("isclose") || has("abs") || has("allclose") || has("fabs") {
        APPROXIMATE
    } else if has("is") && has("not") && absent {
        PRESENT
    } else if has("is") {
        VALUE
    } else if has("in")
        || has("contains")
        || has("Contains")
        || has("startswith")
        || has("starts_with")
        || has("HasPrefix")
        || has("strstr")
        || has("includes")
        || has("endswith")
    {
        MEMBER
    } else if has("matches") || has("Is") || has("As") {
        MEMBER
    } else if has("DeepEqual")
        || has("Diff")
        || has("strcmp")
        || has("memcmp")
        || has("bytes")
        || has("Equal")
    {
        VALUE
    } else if has("==") || has("===") || (has("!=") && reports) {
        if absent {
            if reports && has("!=") {
                TRUTH
            } else if reports {
                PRESENT
            } else {
                VALUE
            }
        } else if counted {
            SHAPE
        } else {
            VALUE
        }
    } else if has("!=") || has("!==") {
        if absent { PRESENT } else { BOUND }
    } else if has(">") || has("<") || has(">=") || has("<=") {
        BOUND
    } else if has("isinstance") || has("hasattr") {
        SHAPE
    } else if has("is_some") || has("is_ok") || has("is_err") {
        PRESENT
    } else if has("is_none") {
        VALUE
    } else {
        TRUTH
    }
}

/// It holds whatever happens: a constant, or a thing that is compared with itself.
pub(in crate::diff) fn always(said: &[Token]) -> bool {
    let truth = |tokens: &[Token]| match tokens {
        [only] => {
            (only.is("True") || only.is("true") || only.is("TRUE"))
                || (only.kind == Kind::Number && only.text != "0")
        }
        _ => false,
    };
    if truth(said) {
        return true;
    }
    if said.split(|token| token.is("or") || token.is("||")).skip(1).any(truth)
        || said
            .split(|token| token.is("or") || token.is("||"))
            .next()
            .is_some_and(|first| first.len() < said.len() && truth(first))
    {
        return true;
    }
    let at = said.iter().position(|token| token.is("==") || token.is("===") || token.is("is"));
    at.is_some_and(|at| {
        let left = said.get(..at).unwrap_or_default();
        let right = said.get(at + 1..).unwrap_or_default();
        same(left, right)
            && said
                .iter()
                .filter(|token| {
                    token.is("==") || token.is("&&") || token.is("||") || token.is("and") || token.is("or")
                })
                .count()
                <= 1
    })
}

/// The same words.
pub(in crate::diff) fn same(left: &[Token], right: &[Token]) -> bool {
    !left.is_empty()
        && left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| left.text == right.text && left.kind == right.kind)
}
