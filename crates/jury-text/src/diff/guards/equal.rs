//! Whether one statement of a test asks no less than another.

use super::super::code::words;
use super::super::path::Language;
use super::asked::Asked;
use super::statement::{Statement, imports};

/// The text without space outside of texts, and without a comma before a bracket that closes.
pub(in crate::diff) fn packed(text: &str) -> String {
    let mut packed = String::with_capacity(text.len());
    let mut quote = None;
    let mut escaped = false;
    for character in text.chars() {
        match quote {
            Some(end) => {
                packed.push(character);
                if character == end && !escaped {
                    quote = None;
                }
                escaped = character == '\\' && !escaped;
            }
            None if character.is_whitespace() => {}
            None => {
                if matches!(character, '"' | '\'' | '`') {
                    quote = Some(character);
                    escaped = false;
                }
                if matches!(character, ')' | ']' | '}') && packed.ends_with(',') {
                    packed.pop();
                }
                packed.push(character);
            }
        }
    }
    packed
}

/// What is put into work by a statement that should only ask: it ends a test or a program.
pub(super) fn acts(code: &str) -> bool {
    let ending = [
        "exit",
        "_exit",
        "quit",
        "abort",
        "skip",
        "Skip",
        "SkipNow",
        "skipTest",
        "XCTSkip",
        "return",
        "raise",
        "throw",
        "pending",
        "ignore",
        "only",
        "GTEST_SKIP",
        "markTestSkipped",
        "assumeTrue",
        "assumeFalse",
        "catch_unwind",
        "suppress",
        "mock",
        "patch",
        "monkeypatch",
        "stub",
        "spyOn",
        "mockReturnValue",
        "eval",
        "exec",
        "setattr",
        "os",
    ];
    words(code).any(|word| ending.contains(&word))
}

/// The parts of a text between commas that stand in no bracket and in no text.
fn split(text: &str, mark: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i64;
    let mut quote = None;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let here = rest;
        rest = here.get(character.len_utf8()..).unwrap_or_default();
        match (quote, character) {
            (Some(_), '\\') => {
                let next = rest.chars().next();
                if let Some(part) = parts.last_mut() {
                    part.push(character);
                    part.extend(next);
                }
                rest = next.map_or("", |next| rest.get(next.len_utf8()..).unwrap_or_default());
                continue;
            }
            (Some(end), _) if character == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) if depth == 0 && here.starts_with(mark) => {
                parts.push(String::new());
                rest = here.strip_prefix(mark).unwrap_or_default();
                continue;
            }
            (None, _) => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts
}

/// What stands in the brackets of a call that is the whole text: its arguments.
fn arguments(text: &str, call: &str) -> Option<Vec<String>> {
    let rest = text.strip_prefix(call)?;
    let (inner, behind) = closed(rest)?;
    behind
        .trim()
        .is_empty()
        .then(|| split(inner, ",").into_iter().filter(|part| !part.trim().is_empty()).collect())
}

/// What stands in front of the bracket that closes what is open here, and what stands behind it.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1_i64;
    let mut quote = None;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match quote {
            Some(end) => {
                if character == end && !escaped {
                    quote = None;
                }
                escaped = character == '\\' && !escaped;
                continue;
            }
            None => match character {
                '"' | '\'' | '`' => (quote, escaped) = (Some(character), false),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            },
        }
        if depth == 0 {
            return Some((text.get(..at)?, text.get(at + character.len_utf8()..)?));
        }
    }
    None
}

fn is_text(part: &str) -> bool {
    let part = part.trim().trim_start_matches(['f', 'r', '$', '@']);
    let Some(quote) = part.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) else { return false };
    part.len() > 1 && part.ends_with(quote)
}

/// A value that nothing computes.
pub(in crate::diff) fn is_literal(part: &str) -> bool {
    let mut plain = String::new();
    let mut quote = None;
    for character in part.chars() {
        match quote {
            Some(end) if character == end => quote = None,
            Some(_) => {}
            None if matches!(character, '"' | '\'' | '`') => quote = Some(character),
            None => plain.push(character),
        }
    }
    let constants =
        ["true", "false", "True", "False", "None", "null", "nil", "Some", "Ok", "vec", "undefined"];
    !plain.contains("..")
        && words(&plain)
            .all(|word| constants.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Two sides that an assertion holds to be the same, in an order of its own, and whether it takes nothing else for the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compared {
    pub(super) sides: [String; 2],
    strict: bool,
}

fn pair(one: &str, other: &str, strict: bool) -> Option<Compared> {
    let (one, other) = (packed(one), packed(other));
    // What is compared with itself asks nothing; nor do two values that stand there.
    if one.is_empty() || other.is_empty() || one == other || is_literal(&one) && is_literal(&other) {
        return None;
    }
    let mut sides = [one, other];
    sides.sort();
    Some(Compared { sides, strict })
}

/// Calls that compare their first two arguments, and whether strictly.
const CALLS: &[(&str, bool)] = &[
    ("assert_eq!(", true),
    ("self.assertEqual(", true),
    ("self.assertEquals(", true),
    ("assertEquals(", true),
    ("Assertions.assertEquals(", true),
    ("Assert.assertEquals(", true),
    ("assert.strictEqual(", true),
    ("assert.deepStrictEqual(", true),
    ("assert.equal(", false),
    ("assert.deepEqual(", false),
    ("Assert.Equal(", true),
    ("Assert.AreEqual(", true),
    ("$this->assertSame(", true),
    ("self::assertSame(", true),
    ("static::assertSame(", true),
    ("$this->assertEquals(", false),
    ("self::assertEquals(", false),
    ("XCTAssertEqual(", true),
    ("EXPECT_EQ(", true),
    ("ASSERT_EQ(", true),
    ("assert_equal(", true),
];

/// What a statement holds to be the same, if it does that and nothing else.
pub(super) fn compared(language: Language, text: &str) -> Option<Compared> {
    let text = text.trim().trim_end_matches(';').trim();
    for (call, strict) in CALLS {
        if let Some(parts) = arguments(text, call) {
            let [one, other, more @ ..] = parts.as_slice() else { return None };
            // A message, with what is shown in it.
            if more.first().is_some_and(|first| !is_text(first)) {
                return None;
            }
            return pair(one, other, *strict);
        }
    }
    for call in ["assert.Equal(", "require.Equal("] {
        if let Some(parts) = arguments(text, call).filter(|_| language == Language::Go) {
            let [_, one, other, ..] = parts.as_slice() else { return None };
            return pair(one, other, true);
        }
    }
    if let Some(condition) =
        text.strip_prefix("assert ").filter(|_| language == Language::Python || language == Language::Other)
    {
        let parts = split(condition, ",");
        let [condition, more @ ..] = parts.as_slice() else { return None };
        return (more.len() <= 1 && more.iter().all(|part| is_text(part))).then(|| equality(condition))?;
    }
    if let Some(parts) = arguments(text, "assert!(") {
        let [condition, more @ ..] = parts.as_slice() else { return None };
        return more.first().is_none_or(|part| is_text(part)).then(|| equality(condition))?;
    }
    if let Some((subject, rest)) = text.strip_prefix("expect(").and_then(closed) {
        let subject = split(subject, ",");
        let [subject, more @ ..] = subject.as_slice() else { return None };
        if !more.iter().all(|part| is_text(part)) {
            return None;
        }
        for (call, strict) in [
            (".toBe(", true),
            (".toStrictEqual(", true),
            (".toEqual(", false),
            (".to.equal(", true),
            (".to eq(", true),
        ] {
            if let Some(parts) =
                arguments(rest.trim(), call).or_else(|| arguments(rest.trim(), call.trim_start_matches('.')))
            {
                let [value] = parts.as_slice() else { return None };
                let plain = is_literal(value) && !value.contains(['[', '{']);
                return pair(subject, value, strict || plain);
            }
        }
        return None;
    }
    if let Some((subject, rest)) = text.strip_prefix("assertThat(").and_then(closed) {
        let parts = arguments(rest.trim(), ".isEqualTo(")?;
        let [value] = parts.as_slice() else { return None };
        return pair(subject, value, true);
    }
    if language == Language::Go {
        let condition = text.strip_prefix("if ")?.strip_suffix('{')?.trim();
        let (bound, condition) = match condition.split_once("; ") {
            Some((declared, condition)) => (declared.split_once(":="), condition),
            None => (None, condition),
        };
        if ["&&", "||"].iter().any(|word| condition.contains(word)) {
            return None;
        }
        let parts = split(condition, "!=");
        let [one, other] = parts.as_slice() else { return None };
        let bind = |side: &str| match bound {
            Some((name, value)) if name.trim() == side.trim() => value.trim().to_owned(),
            _ => side.to_owned(),
        };
        return pair(&bind(one), &bind(other), true);
    }
    None
}

/// `a == b`, and nothing around it that makes it hold or not ask.
fn equality(condition: &str) -> Option<Compared> {
    let parts = split(condition, "==");
    let [one, other] = parts.as_slice() else { return None };
    let loose = |side: &String| {
        side.contains(['=', '?'])
            || ["||", "&&"].iter().any(|word| side.contains(word))
            || words(side)
                .any(|word| ["or", "and", "if", "else", "in", "not", "is", "lambda"].contains(&word))
    };
    (!loose(one) && !loose(other)).then(|| pair(one, other, true))?
}

/// The statement without the message behind what it asserts.
fn without_message(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(';').trim();
    if let Some(condition) = text.strip_prefix("assert ") {
        let parts = split(condition, ",");
        let [condition, message] = parts.as_slice() else { return None };
        return (is_text(message) && !condition.trim().is_empty())
            .then(|| packed(&format!("assert {condition}")));
    }
    let (call, rest) = text.split_once('(')?;
    let (inner, behind) = closed(rest)?;
    let parts = split(inner, ",");
    let (message, asked) = parts.split_last()?;
    (is_text(message)
        && !asked.is_empty()
        && behind.trim().is_empty()
        && call.to_lowercase().contains("assert"))
    .then(|| packed(&format!("{call}({})", asked.join(","))))
}

/// Whether the new statement asks no less than the old one.
pub(super) fn asks_no_less(
    language: Language,
    was: &Statement<'_>,
    is: &Statement<'_>,
    asked: &Asked,
) -> bool {
    let (old, new) = (packed(&was.text), packed(&is.text));
    let bare = |text: &str| text.trim_end_matches(';').to_owned();
    if bare(&old) == bare(&new) || without_message(&is.text).is_some_and(|short| short == bare(&old)) {
        return true;
    }
    if is_renamed_head(language, was, is) || was.is_report(language) && is.is_report(language) {
        return true;
    }
    if imports(&was.text) && imports(&is.text) && words_of(&was.text).is_subsequence_of(&words_of(&is.text)) {
        return true;
    }
    if asked.is_rename(&was.text, &is.text) || asked.is_value(&was.text, &is.text) {
        return true;
    }
    match (compared(language, &was.text), compared(language, &is.text)) {
        (Some(one), Some(other)) => one.sides == other.sides && (other.strict || !one.strict),
        (None, Some(now)) => is_bounded(&was.text, &now),
        (Some(_) | None, None) => false,
    }
}

/// An assertion that says no more than that there is something, or a bound, becomes one of the value itself.
fn is_bounded(was: &str, now: &Compared) -> bool {
    let old = packed(was);
    let [one, other] = &now.sides;
    let (subject, value) = if is_literal(one) { (other, one) } else { (one, other) };
    if !is_literal(value) || !old.contains(subject.as_str()) {
        return false;
    }
    let nothing = ["None", "null", "nil", "undefined", "false", "False", "0", "\"\"", "''", "[]", "{}"];
    let something =
        ["isnotNone", "NotNull(", "NotNil(", "toBeDefined()", "toBeTruthy()", ".is_some())", "IsNotNone("];
    if something.iter().any(|word| old.contains(word)) {
        return !nothing.contains(&value.as_str());
    }
    let Some(number) = value.parse::<f64>().ok() else { return false };
    let Some((_, behind)) = old.split_once(subject.as_str()) else { return false };
    let bound = |mark: &str| {
        let digits = behind.strip_prefix(mark)?.trim_end_matches([')', ';']);
        digits.parse::<f64>().ok()
    };
    [
        (">=", number.ge(&bound(">=").unwrap_or(f64::NAN))),
        ("<=", number.le(&bound("<=").unwrap_or(f64::NAN))),
        (">", number.gt(&bound(">").unwrap_or(f64::NAN))),
        ("<", number.lt(&bound("<").unwrap_or(f64::NAN))),
    ]
    .iter()
    .any(|(_, holds)| *holds)
}

/// A test that has another name, and is a test for its runner still.
fn is_renamed_head(language: Language, was: &Statement<'_>, is: &Statement<'_>) -> bool {
    if !was.is_head(language)
        || !is.is_head(language)
        || was.is_test_head(language) != is.is_test_head(language)
    {
        return false;
    }
    let shape = |statement: &Statement<'_>| {
        let code = packed(&statement.code);
        // `it` and `test` are two names for one thing.
        code.strip_prefix("it(").map_or(code.clone(), |rest| format!("test({rest}"))
    };
    if shape(was) == shape(is) {
        return true;
    }
    // A function is named in its code: one word is another.
    let (old, new): (Vec<&str>, Vec<&str>) = (words(&was.code).collect(), words(&is.code).collect());
    let differ = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    let keyword = |code: &str| words(code).next().map(str::to_owned);
    let parted = |code: &str| code.split(|c: char| c.is_alphanumeric() || c == '_').collect::<String>();
    // A prefix is how runners are told to leave a test out, where names are what they go by.
    let by_name = !matches!(language, Language::Rust | Language::Java);
    let prefixed = old.iter().zip(&new).any(|(old, new)| old != new && new.ends_with(old));
    old.len() == new.len()
        && differ == 1
        && !(by_name && prefixed)
        && keyword(&was.code) == keyword(&is.code)
        && parted(&packed(&was.code)) == parted(&packed(&is.code))
        && !was.code.contains("class ")
}

/// One more assertion beside those that are there, that does nothing else.
pub(super) fn is_plain_assertion(language: Language, statement: &Statement<'_>) -> bool {
    let text = statement.text.trim();
    if acts(&statement.code) || text.contains("; ") && language != Language::Go {
        return false;
    }
    if language == Language::Go && text.starts_with("if ") {
        return compared(language, text).is_some();
    }
    let lower = statement.code.to_lowercase();
    let begins = [
        "assert",
        "self.assert",
        "expect(",
        "expect!",
        "require.",
        "$this->assert",
        "self::assert",
        "static::assert",
        "xctassert",
        "assertions.",
        "verify(",
        "await expect(",
    ];
    let unread =
        ["expect_", "test_assert", "check(", "check_", "require(", "require_", "should ", "refute ", "flunk"];
    let begins = begins.iter().chain(unread.iter().filter(|_| language == Language::Other));
    let ends =
        text.ends_with(')') || text.ends_with(';') || text.starts_with("assert ") || text.contains(" eq ");
    begins.into_iter().any(|word| lower.starts_with(word)) && ends
}

struct Words<'a>(Vec<&'a str>);

fn words_of(text: &str) -> Words<'_> {
    Words(words(text).collect())
}

impl Words<'_> {
    /// All of them are among the others, in their order.
    fn is_subsequence_of(&self, others: &Self) -> bool {
        let mut rest = others.0.iter();
        self.0.iter().all(|word| rest.any(|other| other == word))
    }
}
