//! Verdicts that are taken back in the same breath.

use crate::critic::verdict::CriterionVerdict;
use crate::legible::has_words;

/// What makes a verdict of the word behind it depend on something else, or on nothing that is known.
const DOUBTS: &[&str] = &[
    "almost",
    "assuming",
    "conditional",
    "conditionally",
    "except",
    "if",
    "ish",
    "likely",
    "maybe",
    "mostly",
    "nearly",
    "once",
    "or",
    "partial",
    "partially",
    "pending",
    "perhaps",
    "possibly",
    "presumably",
    "probably",
    "provided",
    "tentative",
    "tentatively",
    "unless",
    "until",
];

/// What no PASS has behind it. For a DEFER it is a reason.
const RESERVATIONS: &[&str] = &[
    "assumed",
    "blocked",
    "depending",
    "depends",
    "fail",
    "failed",
    "fails",
    "guess",
    "guessed",
    "provisional",
    "provisionally",
    "skip",
    "skipped",
    "subject",
    "tbc",
    "tbd",
    "todo",
    "unchecked",
    "unconfirmed",
    "untested",
    "unverified",
];

/// What makes a PASS one that depends on something, that came about by itself, or that was given against one's own view.
const GIVEN_OTHERWISE: &[&str] = &[
    "although",
    "assumption",
    "caveat",
    "condition",
    "conditions",
    "default",
    "except",
    "formally",
    "grudgingly",
    "however",
    "ignoring",
    "na",
    "nominally",
    "not",
    "proviso",
    "provided",
    "regardless",
    "reluctantly",
    "though",
    "told",
    "trivially",
    "unless",
    "until",
    "vacuous",
    "vacuously",
];

/// Marks that say that all is well.
const MARKS: &[char] =
    &['✅', '✓', '✔', '☑', '👍', '🎉', '🟢', '💯', '✨', '⭐', '🏆', '👏', '😀', '🙂', '\u{fe0f}'];

/// Two words that do the same.
const DOUBTFUL: &[[&str; 2]] = &[
    ["as", "long"],
    ["but", "fail"],
    ["but", "failed"],
    ["but", "fails"],
    ["but", "needs"],
    ["but", "not"],
    ["for", "now"],
    ["i", "assume"],
    ["i", "believe"],
    ["i", "guess"],
    ["i", "hope"],
    ["i", "suppose"],
    ["i", "think"],
    ["in", "part"],
    ["in", "principle"],
    ["in", "theory"],
    ["more", "or"],
    ["needs", "work"],
    ["no", "access"],
    ["not", "checked"],
    ["not", "confirmed"],
    ["not", "looked"],
    ["not", "read"],
    ["not", "reviewed"],
    ["not", "sure"],
    ["not", "tested"],
    ["not", "verified"],
    ["not", "yet"],
    ["to", "be"],
];

/// What is passed `with` it is not passed.
const RESERVED: &[&str] = &[
    "caveat",
    "caveats",
    "condition",
    "conditions",
    "defect",
    "defects",
    "doubt",
    "doubts",
    "exception",
    "exceptions",
    "gap",
    "gaps",
    "issue",
    "issues",
    "problem",
    "problems",
    "reservation",
    "reservations",
];

/// Whether a verdict is taken back by what stands behind it: a question mark, another verdict to choose from, or a word
/// that makes it depend on something.
pub(super) fn is_doubted(rest: &str) -> bool {
    let is_question = |c: char| matches!(c, '?' | '？' | '⁇' | '⁈' | '؟');
    let rest = rest.trim_start_matches(['*', '_', '`', ' ']);
    if rest.starts_with(is_question) || (rest.contains(is_question) && !has_words(rest)) {
        return true;
    }
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| DOUBTS.contains(&word.to_lowercase().as_str()))
}

/// Whether a PASS is taken back by a reservation behind it.
pub(super) fn is_reserved(rest: &str) -> bool {
    let words: Vec<String> = rest
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(5)
        .map(str::to_lowercase)
        .collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_none = |word: &String| matches!(word.as_str(), "no" | "zero" | "0" | "without");
    // Up to the first figure: behind one it is read as an answer.
    let unproven = words.iter().take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    // `not one is open`, `not a single one`
    let denies = word(0) == "not" && matches!(word(1), "one" | "a" | "any");
    let is_quoted = word(0) == QUOTE.trim_end_matches([':', ' ']);
    let otherwise =
        !denies && !is_quoted && unproven.clone().any(|word| GIVEN_OTHERWISE.contains(&word.as_str()));
    let not_applicable = word(0) == "n" && word(1) == "a";
    // `but note that 1 of 3 …` is an answer with a figure; `but I was told to` is none.
    let but = word(0) == "but" && !rest.chars().any(|c| c.is_ascii_digit());
    otherwise
        || not_applicable
        || but
        || has_another_mark(rest)
        || RESERVATIONS.contains(&word(0))
        || DOUBTFUL.contains(&[word(0), word(1)])
        || word(0) == "with"
            && words.iter().skip(1).any(|word| RESERVED.contains(&word.as_str()))
            && !words.iter().any(is_none)
}

/// Whether a picture behind a PASS is none that says so.
fn has_another_mark(rest: &str) -> bool {
    let mut own = rest.trim_start_matches(['*', '_', '`', ' ', '(', '[', '-', '–', '—', ':']).chars();
    let is_picture = |c: char| matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}');
    own.next().is_some_and(|c| is_picture(c) && !MARKS.contains(&c))
}

/// Whether a "no" is taken back in front of its reason: `N?`, `N or Y`, `no idea`, `N (Y on Mondays)`.
pub(super) fn is_undecided(rest: &str) -> bool {
    let arrow = super::line::ARROWS.iter().filter_map(|arrow| rest.find(arrow)).min();
    let own = arrow.and_then(|end| rest.get(..end)).unwrap_or_default();
    let mut words = own.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    is_doubted(own)
        || rest.starts_with('?')
        || words
            .any(|word| matches!(word, "Y" | "Yes" | "YES" | "yes" | "idea" | "clue" | "opinion" | "comment"))
}

/// Stands before a reason that would take its verdict back if it stood in brackets behind it.
const QUOTE: &str = "said: ";

/// A reason that stood on a line of its own, to stand in brackets behind its verdict without taking it back.
pub(super) fn quoted(verdict: CriterionVerdict, detail: String) -> String {
    if needs_quote(verdict, &detail) { format!("{QUOTE}{detail}") } else { detail }
}

/// The reason that was [`quoted`].
pub(super) fn unquoted(verdict: Option<CriterionVerdict>, detail: String) -> String {
    match detail.strip_prefix(QUOTE) {
        Some(inside) if verdict.is_some_and(|verdict| needs_quote(verdict, inside)) => inside.to_owned(),
        _ => detail,
    }
}

/// A reason that is quoted already is quoted once more, so that reading takes off what writing put on.
fn needs_quote(verdict: CriterionVerdict, detail: &str) -> bool {
    let inside = detail.trim_start_matches(QUOTE);
    is_doubted(inside) || verdict == CriterionVerdict::Pass && is_reserved(inside)
}

#[cfg(test)]
mod tests {
    use super::{CriterionVerdict, is_doubted, is_reserved, is_undecided, quoted, unquoted};

    #[test]
    fn a_quoted_reason_reads_back_and_takes_nothing_back() {
        for detail in
            ["if", "said: if", "said: said: or", "said: 5 of 5", "said: ", "5 of 5", "? said: if", ""]
        {
            for verdict in [CriterionVerdict::Pass, CriterionVerdict::Defer] {
                let written = quoted(verdict, detail.to_owned());
                assert!(!is_doubted(&written) && !is_reserved(&written), "{detail}");
                assert_eq!(unquoted(Some(verdict), written), detail);
            }
        }
    }

    #[test]
    fn a_verdict_with_a_doubt_behind_it_is_none() {
        for rest in [
            "?",
            " ?",
            "?!",
            "？",
            "(?)",
            "(maybe)",
            "if the date holds",
            ", probably",
            "-ish",
            "or FAIL",
            "once it is fixed",
        ] {
            assert!(is_doubted(rest.trim_start()), "{rest}");
        }
        for rest in [
            "",
            "(5 of 5)",
            "— all 5 steps have an owner",
            ". Is it dated? 3 of 3 are.",
            "(no doubt: 4 of 4)",
            "!",
        ] {
            assert!(!is_doubted(rest), "{rest}");
        }
    }

    #[test]
    fn a_pass_with_a_reservation_behind_it_is_none() {
        for rest in [
            "(unverified)",
            "(not checked)",
            "(skipped)",
            "(I guess)",
            "with reservations",
            "with 3 open problems",
            "(with caveats)",
            "(no access to the file)",
            "(but fails on Mondays)",
            ": needs work",
            "(FAIL for step 3)",
            "# not really",
            "👎",
            "by default",
            "(vacuous)",
            "(n/a)",
            "on the condition that step 2 is dated",
            ", but I was told to",
            "though it should be dated",
            "❌",
        ] {
            assert!(is_reserved(rest), "{rest}");
        }
        for rest in [
            "(no defects)",
            "with 2 of 2 covered",
            "with no issues in 3 steps",
            "(nothing open)",
            "(not one of 5 is open)",
            "(0 of 3 skipped)",
            "but note that 1 of 3 is unlikely",
            "✅",
            "👍 2 of 2",
            "→ 2 of 2",
            "(every requirement is taken up)",
        ] {
            assert!(!is_reserved(rest), "{rest}");
        }
    }

    #[test]
    fn a_no_that_is_taken_back_decides_nothing() {
        for rest in ["? → 0 of 90", " or Y → 0 of 90", " idea → 0 of 90", " (Y on Mondays) → 0 of 90", "?"]
        {
            assert!(is_undecided(rest), "{rest}");
        }
        for rest in [
            "",
            " → 0 of 90 files had it",
            ", 0 of 90",
            ". If it were so, 0 of 90 would be red",
            " (0 of 90) → it never was",
        ] {
            assert!(!is_undecided(rest), "{rest}");
        }
    }
}
