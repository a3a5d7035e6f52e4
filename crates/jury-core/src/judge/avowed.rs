//! What a judge says beside its marks. Marks that pass the work are worth nothing when the judge says that it saw nothing of it, or
//! that the work fails.

use super::judgement::{Dimensions, JudgeVerdict};
use crate::avowal::{disowned, refusal, unlooked};
use crate::disclaimer::is_disclaimer;
use crate::legible::has_words;

/// What judges of code call what they look at.
const WORK: &[&str] = &[
    "diff",
    "change",
    "changes",
    "patch",
    "code",
    "commit",
    "work",
    "function",
    "implementation",
    "fix",
    "feature",
    "run",
    "record",
    "output",
    "task",
    "build",
    "repository",
    "test",
    "tests",
    "suite",
    "method",
    "class",
    "module",
];

/// What says of the work that it is not right.
const BAD: &[&str] = &[
    "broken",
    "wrong",
    "incorrect",
    "incomplete",
    "missing",
    "unfinished",
    "deleted",
    "removed",
    "absent",
    "lacking",
    "buggy",
    "untested",
    "skipped",
    "disabled",
    "ignored",
    "failing",
];

/// What the work does when it is right.
const WORKS: &[&str] = &[
    "do",
    "work",
    "compile",
    "build",
    "pass",
    "meet",
    "fix",
    "implement",
    "address",
    "solve",
    "handle",
    "satisfy",
    "match",
    "cover",
    "run",
    "apply",
];

/// Why these words are no judgement, beside marks that make this verdict; none when they are one.
pub(super) fn contradiction(marks: &Dimensions, has_issues: bool, summary: &str) -> Option<String> {
    if marks.verdict() != JudgeVerdict::Pass {
        return None;
    }
    if !has_words(summary) || is_disclaimer(summary) {
        return Some(
            "it stands where a summary should be written: say what was looked at and what was found"
                .to_owned(),
        );
    }
    let said = of_pages(summary);
    if unlooked(&said).is_some() || summary.split(['.', ';', '!', '?', '\n']).any(shows_nothing) {
        return Some("it says that the work was not looked at, and the marks pass it".to_owned());
    }
    // Who has written down what is wrong speaks of that.
    let fails = || summary.split(['.', ';', '!', '?', ',', ':', '\n']).any(fails);
    (!has_issues && (refusal(&said).is_some() || fails())).then(|| {
        "it says that the work is not right, and there are no issues, and the marks pass it".to_owned()
    })
}

/// Why an answer does not count, in the words around it.
pub(super) fn taken_back(before: &str, behind: &str) -> Option<String> {
    disowned(&of_pages(before), &of_pages(behind))
}

/// The text with the words of reviewers of pages for what was judged.
fn of_pages(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'') {
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        if WORK.contains(&word.to_lowercase().as_str()) {
            said.push_str("page");
            said.push_str(piece.get(word.len()..).unwrap_or_default());
        } else {
            said.push_str(piece);
        }
    }
    said
}

/// `No diff was shown to me`, `there is no change to see`: what was to be judged was not handed over.
fn shows_nothing(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let handed = [
        "shown",
        "given",
        "provided",
        "attached",
        "included",
        "supplied",
        "available",
        "received",
        "visible",
        "here",
        "see",
    ];
    let subject = words.iter().position(|word| matches!(*word, "no" | "nothing")).filter(|at| *at <= 2);
    subject.is_some_and(|at| {
        let rest = words.get(at + 1..).unwrap_or_default();
        let of_work =
            words.get(at) == Some(&"nothing") || rest.first().is_some_and(|word| WORK.contains(word));
        of_work && rest.len() <= 6 && rest.iter().any(|word| handed.contains(word))
    })
}

/// A clause that says of the work, as it is now, that it is not right.
fn fails(clause: &str) -> bool {
    let lower = clause
        .to_lowercase()
        .replace('’', "'")
        .replace("doesn't", "does not")
        .replace("don't", "do not")
        .replace("isn't", "is not");
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let earlier = [
        "old",
        "previous",
        "previously",
        "before",
        "earlier",
        "formerly",
        "used",
        "now",
        "no",
        "none",
        "nothing",
        "never",
        "without",
        "longer",
        "neither",
    ];
    // What is asked, supposed or was so once says nothing of the work.
    let supposed = [
        "if", "when", "where", "would", "could", "should", "unless", "that", "which", "who", "whose", "for",
        "as", "so",
    ];
    let at = |index: usize| words.get(index).copied().unwrap_or_default();
    if words.iter().any(|word| earlier.contains(word)) {
        return false;
    }
    (0..words.len()).any(|index| {
        let before = words.get(..index).unwrap_or_default();
        if before.iter().any(|word| supposed.contains(word)) {
            return false;
        }
        let of_work = before.iter().any(|word| WORK.contains(word) || matches!(*word, "it" | "this"));
        match at(index) {
            "fails" | "fail" => of_work && index + 1 == words.len(),
            "is" | "are" | "remains" | "remain" | "stays" => {
                BAD.contains(&at(index + 1)) && !before.is_empty()
            }
            "was" | "were" => {
                of_work
                    && matches!(at(index + 1), "deleted" | "removed" | "skipped" | "disabled")
                    && before.iter().any(|word| word.starts_with("test"))
            }
            "not" => {
                of_work
                    && (WORKS.contains(&at(index + 1)) && matches!(at(index.wrapping_sub(1)), "does" | "do")
                        || matches!(
                            at(index + 1),
                            "done" | "implemented" | "correct" | "complete" | "finished" | "right"
                        ) && matches!(at(index.wrapping_sub(1)), "is" | "are"))
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(mark: f64) -> Dimensions {
        Dimensions::from_fn(|_| mark)
    }

    #[test]
    fn kind_marks_beside_such_words_are_no_judgement() {
        for summary in [
            "I did not look at the diff.",
            "No diff was shown to me.",
            "As an AI I cannot judge.",
            "Score by default.",
            "n/a",
            "...",
            "TODO",
            "I never read the change, but it is probably fine.",
            "The diff could not be opened.",
            "The change does not do what was asked; do not merge.",
            "The tests were deleted and the function is broken.",
            "The work fails: the discount is missing.",
            "The implementation is incomplete.",
            "It doesn't compile.",
        ] {
            assert!(contradiction(&marks(0.9), false, summary).is_some(), "{summary}");
        }
    }

    #[test]
    fn words_of_a_judge_that_looked_are_a_judgement() {
        for summary in [
            "The discount is there and tested.",
            "The change does what was asked; nothing is missing.",
            "The old code was broken on empty input, and it is fixed now.",
            "The function fails on empty input, as asked, and a test covers it.",
            "A retry was added for requests that fail. The tests cover both ways.",
            "I read the diff and the output of the tests; no test was removed.",
            "Errors are no longer swallowed.",
            "If the file is missing, a default is used; that is tested.",
            "I see nothing wrong with the change.",
            "Did not find a single fault in the change.",
            "The skipped test runs again.",
        ] {
            assert_eq!(contradiction(&marks(0.9), false, summary), None, "{summary}");
        }
        // A judge that says no need not be made to say so.
        assert_eq!(contradiction(&marks(0.2), false, "The work fails."), None);
        assert_eq!(contradiction(&marks(0.9), true, "A line of the changelog is missing."), None);
    }
}
