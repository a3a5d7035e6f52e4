//! Single tests that failed, as runners mark them on their way, and notes that part of the output is left out. A summary below
//! such a line may be of another run, or of what is left.

use super::behind::MARKS;
use super::line::unprefixed;
use super::trouble::is_of_a_test_that_passed;

/// How runners say that one test failed, behind its name.
const LOUD: &[&str] =
    &["FAIL", "FAILED", "FAILURE", "ERROR", "ERRORED", "TIMEOUT", "CRASHED", "ABORTED", "BROKEN"];

/// Headings of lists of what failed.
const HEADINGS: &[&str] = &[
    "failures",
    "errors and failures",
    "failed examples",
    "failed tests",
    "failing tests",
    "failed specs",
    "failed scenarios",
    "test failures",
    "summary of all failing tests",
    "the following tests failed",
    "tests in error",
    "failing scenarios",
    "failed test suites",
    "failed suites",
];

/// `failed` in the languages that runners and their users speak.
const TRANSLATED: &[&str] = &[
    "fehlgeschlagen",
    "fehlgeschlagene",
    "gescheitert",
    "échoué",
    "échouée",
    "échoués",
    "échec",
    "échecs",
    "fallido",
    "fallidos",
    "fallida",
    "falló",
    "fallaron",
    "fallito",
    "falliti",
    "fallita",
    "falhou",
    "falharam",
    "mislukt",
    "gefaald",
    "misslyckades",
    "fejlede",
    "feilet",
    "epäonnistui",
    "nieudany",
    "nieudane",
    "selhal",
    "selhalo",
    "провален",
    "провалено",
    "провалился",
    "неудача",
    "başarısız",
    "失败",
    "失敗",
    "실패",
];

/// Whether this line says that a test failed, in the format of a runner.
pub(super) fn is_red(line: &str) -> bool {
    if is_of_a_test_that_passed(line) {
        return false;
    }
    is_marked(line)
        || is_of_pytest(line)
        || is_behind_its_name(line)
        || is_in_front(line)
        || is_heading(line)
        || is_translated(line)
        || is_status(line)
}

/// `✗ price is cheaper`: one of the marks, and words behind it that count nothing.
fn is_marked(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(MARKS) else { return false };
    let rest = rest.trim_start_matches(['\u{fe0f}', ' ', '\t']);
    let first = rest.split_whitespace().next().unwrap_or_default();
    // What is counted behind a mark is read where counts are.
    rest.contains(char::is_alphabetic)
        && !first.starts_with(|c: char| c.is_ascii_digit())
        && !first.eq_ignore_ascii_case("no")
}

/// `FAILED tests/test_a.py::test_b - …`, `tests/test_a.py::test_b FAILED [ 50%]`, `ERROR tests/test_a.py`
fn is_of_pytest(line: &str) -> bool {
    let is_test = |word: &str| {
        word.contains("::")
            || word
                .split(':')
                .next()
                .is_some_and(|path| path.rsplit_once('.').is_some_and(|(_, end)| end == "py"))
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_word = |word: &&str| matches!(*word, "FAILED" | "ERROR" | "SUBFAIL" | "SUBFAILED");
    match words.as_slice() {
        [first, name, ..] if is_word(first) => is_test(name),
        [name, second, ..] if is_word(second) => is_test(name),
        _ => false,
    }
}

/// `test a ... FAILED`, `price ............ FAIL`, `price: ERROR`, `test_a (tests.T) ... ERROR`
fn is_behind_its_name(line: &str) -> bool {
    // How long it took, and a mark of the level, may stand at the end.
    let bare = line.trim_end_matches(['!', '.', ' ']);
    let bare = match bare.rsplit_once([' ', '\t']) {
        Some((front, last))
            if last
                .trim_matches(['(', ')', '[', ']', 's', 'm', '.'])
                .chars()
                .all(|c| c.is_ascii_digit() || c == '.')
                && last.contains(|c: char| c.is_ascii_digit()) =>
        {
            front.trim_end()
        }
        _ => bare,
    };
    let Some((name, word)) = bare.rsplit_once([' ', '\t', ':', '.', '>', '|', '…']) else { return false };
    let parted = bare.strip_suffix(word).is_some_and(|front| {
        let front = front.trim_end_matches([' ', '\t']);
        front.ends_with(['.', ':', '>', '|', '…', '-', '–', '—']) || bare.contains("  ")
    });
    let lower = name.to_lowercase();
    // What a program is set to, and what a test expects, has no colon of a runner.
    let setting = [
        "level", "severity", "expected", "status", "state", "code", "type", "kind", "want", "got", "=>",
        "returns", "log", "output", "message",
    ];
    LOUD.contains(&word)
        && parted
        && lower.contains(char::is_alphabetic)
        && !setting.iter().any(|own| lower.contains(own))
}

/// `[FAIL] price is cheaper`, `FAIL [   0.010s] price a`, `FAIL src/a.test.ts`, `FAIL: test_a (tests.T)`, `Failed Price.Cheaper [12 ms]`
fn is_in_front(line: &str) -> bool {
    let bracketed = ["[FAIL]", "[FAILED]", "[ FAIL ]", "(FAIL)", "(FAILED)", "[  FAILED  ] "]
        .iter()
        .any(|mark| line.strip_prefix(mark).is_some_and(|rest| rest.contains(char::is_alphabetic)));
    let timed = line.starts_with("FAIL [") || line.starts_with("FAIL  ") && line.contains(['.', '/']);
    let first = line.split_whitespace().nth(1).unwrap_or_default();
    let file = line.starts_with("FAIL ")
        && (first.contains('/') || first.contains(".test.") || first.contains(".spec."));
    let unittest = ["FAIL: ", "ERROR: "].iter().any(|mark| {
        line.strip_prefix(mark).is_some_and(|rest| rest.starts_with("test") && rest.contains('('))
    });
    let dotnet = line.strip_prefix("Failed ").is_some_and(|rest| rest.ends_with("s]") && rest.contains('['));
    let maven = line.contains("<<< FAILURE!") || line.contains("<<< ERROR!");
    let xcode = line.starts_with("Test Case ") && line.contains("' failed (");
    bracketed || timed || file || unittest || dotnet || maven || xcode
}

/// `Failures:`, `=== FAILURES ===`, `There were 2 failures:`, `1) Failure:`
fn is_heading(line: &str) -> bool {
    let bare = line.trim_matches(['=', '-', '_', '*', '#', '⎯', ' ', '●']);
    let lower = bare.trim_end_matches(':').to_lowercase();
    let framed = bare.len() < line.len() || bare.ends_with(':');
    let counted =
        lower.strip_prefix("there was ").or_else(|| lower.strip_prefix("there were ")).is_some_and(|rest| {
            let mut words = rest.split_whitespace();
            words.next().and_then(|number| number.parse::<u64>().ok()).is_some_and(|number| number > 0)
                && words
                    .next()
                    .is_some_and(|word| matches!(word, "failure" | "failures" | "error" | "errors"))
        });
    let listed = line.split_once(") ").is_some_and(|(number, rest)| {
        number.trim().parse::<u64>().is_ok() && matches!(rest.trim(), "Failure:" | "Error:")
    });
    framed && HEADINGS.contains(&lower.as_str()) || counted || listed
}

/// `Test fehlgeschlagen.`, and not `0 fehlgeschlagen`.
fn is_translated(line: &str) -> bool {
    let lower = line.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let wide = |word: &str| !word.is_ascii() && word.chars().next().is_some_and(|c| c as u32 > 0x2e80);
    let at = words
        .iter()
        .position(|word| TRANSLATED.iter().any(|own| word == own || wide(own) && word.contains(own)));
    at.is_some_and(|at| {
        let none = |word: Option<&&str>| {
            word.is_some_and(|word| {
                matches!(
                    *word,
                    "0" | "keine"
                        | "kein"
                        | "nicht"
                        | "aucun"
                        | "aucune"
                        | "sin"
                        | "ningún"
                        | "nessun"
                        | "nenhum"
                        | "geen"
                        | "inga"
                        | "нет"
                )
            })
        };
        !none(at.checked_sub(1).and_then(|before| words.get(before))) && !none(words.get(at + 1))
    })
}

/// `$? = 1`: the status of the command before.
fn is_status(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("$?") else { return false };
    let digits = rest.trim_start_matches([' ', '=', ':', '>', '-', 'i', 's']);
    digits.parse::<u64>().is_ok_and(|status| status > 0)
}

/// A note that part of the output is left out: nobody knows what it said.
pub(super) fn is_left_out(line: &str) -> bool {
    let line = unprefixed(line).trim();
    if is_of_a_test_that_passed(line) || line.len() > 160 {
        return false;
    }
    let lower = line.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let cut = [
        "truncated",
        "omitted",
        "elided",
        "snipped",
        "clipped",
        "suppressed",
        "trimmed",
        "abridged",
        "shortened",
        "redacted",
        "cut",
        "snip",
        "hidden",
        "gekürzt",
        "abgeschnitten",
        "tronqué",
    ];
    let unit = [
        "output",
        "line",
        "lines",
        "log",
        "logs",
        "bytes",
        "byte",
        "characters",
        "chars",
        "kb",
        "mb",
        "kib",
        "mib",
        "messages",
        "rest",
        "remainder",
        "text",
        "stdout",
        "stderr",
        "part",
        "parts",
        "section",
        "tests",
        "results",
        "ausgabe",
        "zeilen",
        "sortie",
    ];
    let is_cut = words.iter().any(|word| cut.contains(word));
    let framed = line.starts_with(['[', '(', '<', '.', '…', '-', '*', '#', '~', '=', '{', '/'])
        || line.starts_with(|c: char| c.is_ascii_digit());
    // In brackets, and nothing else: `[truncated]`, `<snip>`, `[...]`.
    let alone = framed
        && words.len() <= 2
        && is_cut
        && line.ends_with([']', ')', '>', '.', '…', '-', '*', '#', '~', '=', '}', '/']);
    let dots = matches!(line, "[...]" | "[…]" | "(...)" | "(…)" | "<...>" | "{...}");
    let subject = words.first().is_some_and(|first| {
        matches!(
            *first,
            "output" | "log" | "logs" | "truncated" | "omitted" | "stdout" | "remaining" | "rest"
        )
    });
    let noted =
        is_cut && words.len() <= 14 && words.iter().any(|word| unit.contains(word)) && (framed || subject);
    alone || dots || noted || lower.contains("has been truncated") && words.len() <= 20
}

#[cfg(test)]
mod tests {
    use super::{is_left_out, is_red};

    #[test]
    fn a_line_of_a_test_that_failed_is_red() {
        for line in [
            "FAILED tests/test_a.py::test_b - assert 1 == 2",
            "tests/test_a.py::test_b FAILED                       [ 50%]",
            "ERROR tests/test_a.py - ImportError",
            "test b ... FAILED",
            "test_b (tests.T.test_b) ... ERROR",
            "ERROR: test_b (tests.T.test_b)",
            "✗ price is cheaper",
            "✕ is cheaper (3 ms)",
            "❌ price is cheaper",
            "[FAIL] price is cheaper",
            "price ............ FAIL",
            "price: ERROR",
            "FAIL src/a.test.ts",
            "FAIL [   0.010s] price a",
            "Failed Price.Tests.Cheaper [12 ms]",
            "Test Case '-[PriceTests testCheaper]' failed (0.001 seconds).",
            "Tests run: 3, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE!",
            "=================== FAILURES ===================",
            "Failures:",
            "There was 1 failure:",
            "  1) Failure:",
            "Test fehlgeschlagen.",
            "测试失败",
            "$? = 1",
        ] {
            assert!(is_red(line.trim()), "{line}");
        }
    }

    #[test]
    fn what_tests_that_pass_are_called_and_print_is_not() {
        for line in [
            "test parser::FAILED ... ok",
            "ok 3 - says FAILED",
            "✓ shows FAIL",
            "0 fehlgeschlagen, 3 bestanden",
            "Fehlgeschlagen: 0",
            "log level: ERROR",
            "expected status: FAILED",
            "handles errors: yes",
            "Failures: 0",
            "failures: 0",
            "✖ 0 problems",
            "3 passed, 0 failed",
            "ERROR handling is documented in errors.md",
            "FAIL is a word",
            "$? = 0",
            "-------------------------------",
        ] {
            assert!(!is_red(line), "{line}");
        }
    }

    #[test]
    fn notes_of_what_is_left_out_are_seen() {
        for line in [
            "... 12000 lines omitted ...",
            "[output truncated]",
            "[truncated]",
            "<snip>",
            "[...]",
            "(1.2 MB of output omitted)",
            "Output truncated: 40000 bytes",
            "--- 300 lines hidden ---",
        ] {
            assert!(is_left_out(line), "{line}");
        }
        for line in [
            "...",
            ".....F..",
            "test output_is_truncated ... ok",
            "✓ truncated lines are shown (1 ms)",
            "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.",
            "3 passed, 2 skipped",
            "  truncates the text",
            "[100%]",
        ] {
            assert!(!is_left_out(line), "{line}");
        }
    }
}
