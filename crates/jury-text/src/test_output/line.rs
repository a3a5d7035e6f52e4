//! A line of output without colours and without what other programs put in front of it, and the counts that stand in it.

/// The text without escape sequences.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '\u{1b}' {
            if !character.is_control() || matches!(character, '\n' | '\r' | '\t') {
                plain.push(character);
            }
            continue;
        }
        match rest.next() {
            Some('[') => while rest.next().is_some_and(|part| !('@'..='~').contains(&part)) {},
            Some(']') => while rest.next().is_some_and(|part| part != '\u{7}' && part != '\u{1b}') {},
            Some(_) | None => {}
        }
    }
    plain
}

/// The line without the time of a CI service, the level of a build tool, or the name of the package or container that
/// printed it.
pub(super) fn unprefixed(line: &str) -> &str {
    let mut line = line.trim_end();
    loop {
        let Some((first, rest)) = line.trim_start().split_once(' ') else { return line };
        let level = ["[INFO]", "[ERROR]", "[WARNING]", "[info]", "[error]", "[warn]"].contains(&first);
        let package = first.ends_with(':') && first.contains(":test");
        if level || package || is_time(first) {
            line = rest;
        } else if let Some((container, printed)) = line.split_once(" | ")
            && is_container(container.trim())
        {
            line = printed;
        } else {
            return line;
        }
    }
}

/// What a command on this line prints by itself: `$ echo '12 passed, 0 failed'`, as a shell or make shows it.
pub(super) fn echoed(line: &str) -> Option<&str> {
    let command = line.trim_start_matches(['$', '+', '>', '%', '#', '❯', ' ']);
    let text = ["echo ", "printf ", "Write-Host ", "Write-Output "]
        .iter()
        .find_map(|echo| command.strip_prefix(echo))?;
    let text = text.trim_start_matches("-e ").trim_start_matches("-n ").trim();
    let text = text.trim_matches(['"', '\'']);
    Some(text.trim_end_matches("\\n").trim())
}

/// The level in front of the line is that of an error.
pub(super) fn is_error(line: &str) -> bool {
    line.split_whitespace()
        .find(|word| !is_time(word))
        .is_some_and(|word| matches!(word, "[ERROR]" | "[error]"))
}

/// `2026-01-31T12:00:00.000Z`, as services write it in front of each line.
fn is_time(word: &str) -> bool {
    let mut parts = word.splitn(2, 'T');
    let day = parts.next().unwrap_or_default();
    let is_day = day.len() == 10 && day.chars().all(|c| c.is_ascii_digit() || c == '-');
    is_day && parts.next().is_some_and(|time| time.len() >= 8 && time.contains(':'))
}

/// `web-1`, as compose files name what they start.
fn is_container(word: &str) -> bool {
    let (name, number) = word.rsplit_once(['-', '_']).unwrap_or_default();
    !name.is_empty()
        && !name.contains(' ')
        && !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit())
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    Passed,
    Failed,
    Skipped,
    Total,
}

/// The counts of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) passed: Option<u64>,
    pub(super) failed: Option<u64>,
    pub(super) skipped: u64,
    pub(super) total: Option<u64>,
}

impl Tally {
    /// `3 passed, 1 failed` and `Passed: 3, Failed: 1`.
    pub(super) fn of(line: &str) -> Self {
        let tokens = tokens(line);
        let mut tally = Self::default();
        for (at, token) in tokens.iter().enumerate() {
            let Token::Number(number) = token else { continue };
            let behind = tokens.iter().skip(at + 1).map_while(Token::word);
            let counted = counted(behind).or_else(|| label(tokens.get(..at).unwrap_or_default()));
            match counted {
                Some(Counted::Passed) => {
                    tally.passed = Some(tally.passed.unwrap_or(0).saturating_add(*number));
                }
                Some(Counted::Failed) => {
                    tally.failed = Some(tally.failed.unwrap_or(0).saturating_add(*number));
                }
                Some(Counted::Skipped) => tally.skipped = tally.skipped.saturating_add(*number),
                Some(Counted::Total) => tally.total = Some(tally.total.unwrap_or(0).max(*number)),
                None => {}
            }
        }
        tally
    }

    /// The tests that passed: as it is said, or what is left of all of them.
    pub(super) fn passed_of_total(&self) -> u64 {
        let left =
            self.total.unwrap_or(0).saturating_sub(self.failed.unwrap_or(0)).saturating_sub(self.skipped);
        self.passed.unwrap_or(left)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Number(u64),
    Word(String),
    Colon,
    Break,
}

impl Token {
    fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Number(_) | Self::Colon | Self::Break => None,
        }
    }
}

/// The words and whole numbers of a line. `0.12s`, `100%` and `v2` are neither.
fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = line.chars().peekable();
    while let Some(first) = rest.next() {
        if first == ':' || first == '=' {
            tokens.push(Token::Colon);
        } else if first.is_alphanumeric() {
            let mut word = String::from(first);
            while let Some(next) = rest.peek().copied() {
                let mut ahead = rest.clone();
                ahead.next();
                let joins = matches!(next, '.' | ',' | '_' | '-' | '\'')
                    && ahead.peek().is_some_and(char::is_ascii_digit)
                    && word.ends_with(|c: char| c.is_ascii_digit());
                if !next.is_alphanumeric() && next != '%' && !joins {
                    break;
                }
                word.push(next);
                rest.next();
            }
            let digits: String = word.chars().filter(|c| !matches!(c, ',' | '_' | '\'')).collect();
            tokens.push(if word.chars().all(char::is_alphabetic) {
                Token::Word(word.to_lowercase())
            } else {
                digits.parse().map_or(Token::Break, Token::Number)
            });
        } else if !first.is_whitespace() {
            tokens.push(Token::Break);
        }
    }
    tokens
}

/// What the words in front of a number count: `Failures: 1`, `pass 2`. They begin the line or a part of it.
fn label(before: &[Token]) -> Option<Counted> {
    let mut words: Vec<&str> = Vec::new();
    let mut tokens = before.iter().rev().peekable();
    if tokens.peek().is_some_and(|token| **token == Token::Colon) {
        tokens.next();
    }
    for token in tokens {
        match token {
            Token::Word(word) => words.push(word),
            Token::Colon | Token::Break => break,
            // Behind another number the words belong to that one.
            Token::Number(_) => return None,
        }
    }
    if words.len() > 3 {
        return None;
    }
    counted(words.into_iter().rev())
}

const PASSED: &[&str] =
    &["passed", "pass", "passes", "passing", "ok", "succeeded", "successful", "success", "successes"];
const FAILED: &[&str] = &[
    "failed",
    "fail",
    "fails",
    "failing",
    "failure",
    "failures",
    "error",
    "errors",
    "errored",
    "broken",
    "timed",
    "timeout",
    "timeouts",
    "exec",
    "cancelled",
    "crashed",
    "interrupted",
    "undefined",
    "xpass",
    "not",
    "killed",
];
const SKIPPED: &[&str] = &[
    "skipped",
    "skips",
    "skip",
    "ignored",
    "pending",
    "pendings",
    "todo",
    "xfailed",
    "xfail",
    "xpassed",
    "omissions",
    "excluded",
    "disabled",
    "deselected",
    "incomplete",
    "risky",
    "canceled",
    "filtered",
    "invalid",
];
const TOTAL: &[&str] = &[
    "tests",
    "test",
    "total",
    "runs",
    "run",
    "ran",
    "examples",
    "example",
    "specs",
    "spec",
    "scenarios",
    "scenario",
    "doctests",
    "doctest",
    "properties",
    "property",
];

/// What these words count.
fn counted<'a>(words: impl Iterator<Item = &'a str>) -> Option<Counted> {
    let mut total = None;
    for word in words {
        if word == "unexpected" {
            return Some(Counted::Failed);
        }
        if matches!(word, "expected" | "known") || SKIPPED.contains(&word) {
            return Some(Counted::Skipped);
        }
        if PASSED.contains(&word) {
            return Some(Counted::Passed);
        }
        if FAILED.contains(&word) {
            return Some(Counted::Failed);
        }
        if TOTAL.contains(&word) {
            total = Some(Counted::Total);
        }
    }
    total
}
