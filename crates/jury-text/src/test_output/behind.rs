//! What stands behind the summary of a run. The tests are over there, so nothing of it was printed by a test that passed: a
//! line that speaks of an exit code, a crash, a time-out or a failure is about the run itself.

use super::trouble::is_of_a_test_that_passed;

/// Crashes, in any case of letters.
const CRASHES: &[&str] = &[
    "segmentation fault",
    "segfault",
    "core dump",
    "abort trap",
    "bus error",
    "illegal instruction",
    "floating point exception",
    "out of memory",
    "outofmemory",
    "oomkilled",
    "heap limit",
    "stack overflow",
    "overflowed its stack",
    "double free",
    "stack smashing",
    "access violation",
    "sanitizer:",
    "panicked at",
    "fatal error",
    "last few gcs",
    "unhandled",
    "uncaught",
    "crashed",
    "aborted",
    "terminated by",
    "terminated with",
    "signal:",
    "by signal",
    "caught signal",
    "received signal",
    "keyboardinterrupt",
    "undefined behavior",
];

/// Time-outs and runs that were stopped.
const STOPPED: &[&str] = &[
    "timed out",
    "timed-out",
    "timeout exceeded",
    "timeout of",
    "timeout after",
    "timeout:",
    "timeout reached",
    "timeout expired",
    "exceeded timeout",
    "exceeded the",
    "(exceeded",
    "has exceeded",
    "with no output",
    "no output has been",
    "no output was",
    "took longer than",
    "deadline exceeded",
    "time limit",
    "was canceled",
    "was cancelled",
    "been canceled",
    "been cancelled",
    "been terminated",
    "interrupted",
    "disconnected",
    "programmatic focus",
    "| focused",
    "did not complete",
    "did not finish",
    "incomplete:",
];

/// What could not be started, found or built.
const MISSING: &[&str] = &[
    "command not found",
    ": not found",
    "permission denied",
    "no such file or directory",
    "is not recognized",
    "cannot execute",
    "exec format error",
    "no rule to make target",
    "missing script",
    "can't open",
    "cannot open",
    "directory not found",
    "operation not permitted",
    "no space left",
    "cannot find",
    "can't find",
    "could not ",
    "couldn't ",
    "unable to ",
    "undefined reference",
    "undefined symbol",
    "undeclared",
    "no module named",
    ": error",
    "not compile",
    "needs to be updated",
    "unsuccessful",
    "non-zero exit",
    "nonzero exit",
    "errors detected",
];

/// Words that say that something failed, wherever they stand.
const FAILED: &[&str] =
    &["abort", "fail", "fails", "failed", "failing", "failure", "failures", "dubious", "killed"];

/// Words that say so at the beginning of a line, behind a level, and with a number.
const ERRORS: &[&str] = &[
    "error",
    "errors",
    "err",
    "fatal",
    "exception",
    "exceptions",
    "traceback",
    "panic",
    "abort",
    "elifecycle",
    "rejection",
    "rejections",
    "crash",
    "problem",
];

/// Words in front of a failure that did not happen, or that is only a way to go on.
const NEGATIONS: &[&str] = &[
    "no", "not", "none", "never", "without", "zero", "if", "when", "only", "press", "rerun", "re-run", "any",
    "on",
];

/// Marks in front of what failed.
pub(super) const MARKS: &[char] = &['✖', '✘', '✗', '×', '❌', '⨯', '✕'];

/// This line says that the run did not end well. `is_error` when its level says so already.
pub(super) fn is_bad(line: &str, is_error: bool) -> bool {
    if is_of_a_test_that_passed(line) || is_table_row(line) {
        return false;
    }
    let lower = line.to_lowercase();
    let words = words(line);
    if exits_badly(&lower)
        || says(&lower, CRASHES)
        || is_killed(&lower, &words)
        || words.iter().any(Word::is_signal)
    {
        return true;
    }
    let counts_none = words.iter().enumerate().any(|(at, word)| {
        (FAILED.contains(&word.lower.as_str()) || ERRORS.contains(&word.lower.as_str()))
            && is_none(&words, at)
    });
    if (is_error || line.starts_with(MARKS)) && !counts_none {
        return true;
    }
    if words.iter().enumerate().any(|(at, word)| word.is_loud() && !is_none(&words, at)) {
        return true;
    }
    if is_notice(&lower) {
        return false;
    }
    says(&lower, STOPPED)
        || (says(&lower, MISSING) && !lower.contains("setlocale"))
        || begins_badly(&words)
        || words.iter().enumerate().any(|(at, word)| is_failure(&words, at, word))
}

/// A word or a number of a line, with the names of files and programs whole.
#[derive(Debug)]
struct Word<'a> {
    text: &'a str,
    lower: String,
    /// A colon or an equals sign follows.
    labels: bool,
    /// No word follows directly.
    ends: bool,
}

impl Word<'_> {
    /// `3`, and the 1 of `1/3`. Hexadecimal as well.
    fn number(&self) -> Option<u64> {
        let digits = self.lower.split('/').next().unwrap_or_default();
        digits
            .strip_prefix("0x")
            .map_or_else(|| digits.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
    }

    /// `SIGKILL`
    fn is_signal(&self) -> bool {
        self.text.strip_prefix("SIG").is_some_and(|name| {
            (2..=6).contains(&name.len())
                && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        })
    }

    /// `FAILED`: runners write it so when they mean the whole.
    fn is_loud(&self) -> bool {
        matches!(
            self.text,
            "FAIL" | "FAILED" | "FAILURE" | "FAILURES" | "ERROR" | "ERRORS" | "ERR" | "FATAL" | "ELIFECYCLE"
        ) || self.text.starts_with("ERR_")
    }
}

fn words(line: &str) -> Vec<Word<'_>> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | '\\' | '@');
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(begin) = rest.find(part) {
        let begun = rest.get(begin..).unwrap_or_default();
        let end = begun.find(|c: char| !part(c)).unwrap_or(begun.len());
        let (whole, behind) = begun.split_at(end);
        let text = whole.trim_matches(['.', '-', '/', '\\']);
        if !text.is_empty() {
            let next = behind.trim_start();
            words.push(Word {
                text,
                lower: text.to_lowercase(),
                labels: next.starts_with([':', '=']),
                ends: whole.ends_with('.') || !next.starts_with(char::is_alphanumeric),
            });
        }
        rest = behind;
    }
    words
}

/// The phrase is there, and nothing in front of it says that there is none.
fn says(lower: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        lower.split_once(phrase).is_some_and(|(before, behind)| {
            let last = before.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
            let none =
                last.is_some_and(|word| matches!(word, "no" | "0" | "without" | "zero" | "not" | "never"));
            let counted = behind.trim_start_matches([':', '=', ' ']);
            !none && (!counted.starts_with('0') || counted.starts_with("0x"))
        })
    })
}

/// Mutants are killed as well, and that is good.
fn is_killed(lower: &str, words: &[Word<'_>]) -> bool {
    let killed = words.iter().position(|word| word.lower == "killed");
    killed.is_some_and(|at| !is_none(words, at)) && !lower.contains("mut") && !lower.contains(['%', '#'])
}

/// A level that is no failure stands in front of the line, or what it says is known to be harmless.
fn is_notice(lower: &str) -> bool {
    let bare = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let levels = [
        "warn",
        "deprecat",
        "notice",
        "note",
        "info",
        "hint",
        "debug",
        "npm warn",
        "npm notice",
        "press ",
        "tip",
    ];
    levels.iter().any(|level| bare.starts_with(level))
        || (bare.starts_with("node:") && lower.contains("warning"))
        || lower.contains("warning:")
        || lower.contains("failed to exit gracefully")
}

/// `errors.ts | 100 | 80 |`: the name of a file and its figures.
fn is_table_row(line: &str) -> bool {
    let mut cells = line.split('|').skip(1).map(str::trim);
    let first = cells.next();
    let is_figure = |cell: &str| {
        cell.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '%' | '-' | ' ' | '…'))
    };
    first.is_some_and(|cell| !cell.is_empty() && is_figure(cell)) && cells.all(is_figure)
}

/// The word at this place counts nothing: `0 failed`, `Failed: 0`, `no errors`.
fn is_none(words: &[Word<'_>], at: usize) -> bool {
    let next = words.get(at + 1);
    if words.get(at).is_some_and(|word| word.labels)
        && let Some(next) = next.filter(|next| next.number().is_some() || next.lower == "none")
    {
        return next.number().unwrap_or(0) == 0;
    }
    let before = words.get(at.saturating_sub(3)..at).unwrap_or_default();
    for word in before.iter().rev() {
        if let Some(number) = word.number().filter(|_| !word.labels && !word.ends) {
            return number == 0;
        }
        if NEGATIONS.contains(&word.lower.as_str()) {
            return true;
        }
    }
    next.and_then(Word::number) == Some(0)
}

/// The first word is one of an error, or the name of one.
fn begins_badly(words: &[Word<'_>]) -> bool {
    let Some(first) = words.first() else { return false };
    let is_named = (first.text.ends_with("Error") || first.text.ends_with("Exception")) && first.labels;
    (is_named || ERRORS.contains(&first.lower.as_str())) && !is_none(words, 0)
}

/// A failure at this place: said, counted, or behind a level.
fn is_failure(words: &[Word<'_>], at: usize, word: &Word<'_>) -> bool {
    let is = |list: &[&str]| list.contains(&word.lower.as_str());
    if is(FAILED) && word.lower != "killed" {
        return !is_none(words, at);
    }
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    is(ERRORS)
        && before.is_some_and(|before| {
            before.number().is_some_and(|number| number > 0)
                || (before.labels && matches!(before.lower.as_str(), "level" | "lvl" | "severity"))
        })
}

/// The line in front of a summary says that it is not of this run: that it is an example, expected, or of another time.
pub(super) fn is_foreign(line: &str) -> bool {
    const BEGINS: &[&str] = &[
        "simulated",
        "example",
        "sample output",
        "expected",
        "hypothetical",
        "dry run",
        "dry-run",
        "mocked",
        "note: mocked",
        "before my change",
        "before the change",
        "illustrative",
        "placeholder",
        "last known result",
    ];
    const WITHIN: &[&str] =
        &["would look like", "would print", "would be:", "output from ci of", "last known result"];
    let lower = line.to_lowercase();
    let bare = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    // A remark ends with a colon or stands in brackets or behind a mark. What a test is called does not.
    if line.contains(|c: char| c.is_ascii_digit()) {
        // `Expected Fail: 0`: a count of the runner's own.
        return false;
    }
    // `example.com/price` is a name.
    let begins = |word: &str| {
        bare.strip_prefix(word)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', ')', ']', '…']))
    };
    let is_remark =
        line.ends_with([':', ')', ']', '.']) || line.starts_with(['#', '[', '(']) || bare.len() <= 24;
    is_remark && BEGINS.iter().any(|begin| begins(begin)) || WITHIN.iter().any(|words| lower.contains(words))
}

/// An exit code that is not 0, in any words: `exited with 101`, `exit status: 1`, `code: 137`, `returned 255`.
pub(super) fn exits_badly(lower: &str) -> bool {
    const STRONG: &[&str] = &[
        "exit",
        "exits",
        "exited",
        "exiting",
        "exitcode",
        "exit-code",
        "exit_code",
        "rc",
        "returncode",
        "code",
    ];
    const WEAK: &[&str] = &["returned", "returns", "return", "status"];
    const BETWEEN: &[&str] = &[
        "with",
        "code",
        "status",
        "value",
        "exit",
        "error",
        "a",
        "an",
        "non-zero",
        "nonzero",
        "unexpected",
        "signal",
        "is",
        "was",
        "of",
        "to",
        "the",
        "result",
        "code-",
    ];
    if lower.contains("http")
        || !["exit", "rc", "code", "return", "status"].iter().any(|word| lower.contains(word))
    {
        return false;
    }
    let words = words(lower);
    words.iter().enumerate().any(|(at, word)| {
        let is_strong = STRONG.contains(&word.text);
        if !is_strong && !WEAK.contains(&word.text) {
            return false;
        }
        let mut rest = words.iter().skip(at + 1).skip_while(|word| BETWEEN.contains(&word.text));
        let Some(code) = rest.next().filter(|code| !code.text.contains('/')) else { return false };
        if code.number().is_none_or(|number| number == 0) {
            return false;
        }
        match rest.next().map(|next| next.text) {
            None => true,
            Some("as" | "expected") => false,
            // `returned 3 rows` counts something.
            Some(next) => {
                is_strong || code.ends || ["in", "after", "for", "on", "from", "at"].contains(&next)
            }
        }
    })
}
