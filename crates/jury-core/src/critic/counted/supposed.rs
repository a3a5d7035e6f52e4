//! Numbers that nobody counted: examples, suppositions, guesses, and wholes of which no part is told.

use super::{End, OF, Token, Value, has};

/// Before a number that somebody thinks of, gives as an example or guesses, and did not count.
const SUPPOSED: &str = "if would could might suppose supposing supposedly assume assuming imagine hypothetically e.g eg example \
    instance allegedly reportedly apparently hopefully unverified perhaps maybe probably presumably possibly guess guessing estimate wenn falls wäre würde beispiel beispielsweise \
    z.b vielleicht vermutlich wahrscheinlich angeblich";

/// So many words behind a supposition are supposed.
const SUPPOSED_WORDS: usize = 8;

/// What stands in front of `of` where a part should be, and is no number.
const NO_PART: &str = "nan n m x y k some many most few several half part parts dozens viele einige manche";

/// What somebody says who did not look.
const NOT_LOOKED: &[&str] = &[
    "did not look",
    "did not check",
    "did not count",
    "did not read",
    "did not verify",
    "didn't look",
    "didn't check",
    "didn't count",
    "didn't read",
    "didn't verify",
    "i have not",
    "i haven't",
    "could not look",
    "could not check",
    "could not open",
    "could not read",
    "without looking",
    "without checking",
    "without counting",
    "without reading",
    "i guess",
    "my guess",
    "a guess",
    "no idea",
    "my impression",
    "unless i misread",
    "i cannot tell",
    "i can't tell",
    "i doubt that",
    "not true that",
    "was not readable",
    "not a real review",
    "nicht geprüft",
    "nicht nachgesehen",
    "geraten",
];

/// What somebody adds to a number that is a guess.
const ADDED: &[&str] =
    &["i think", "i believe", "i hope", "i suppose", "i assume", "hopefully", "not verified", "not checked"];

/// Whether somebody says that nobody looked, or ends with it that it is a guess.
pub(super) fn is_unlooked(text: &str) -> bool {
    let said = text.to_lowercase().replace('’', "'");
    let end = said.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_added = |words: &&str| {
        // `0 of 2 steps are not checked` is a figure.
        end.strip_suffix(*words)
            .is_some_and(|rest| rest.trim_end().ends_with([',', '(', ';', '.', '-', '—', '–']))
    };
    NOT_LOOKED.iter().any(|words| said.contains(words)) || ADDED.iter().any(is_added)
}

/// Whether a number is one that somebody supposes: `if 2 of 2 had one`, `e.g. 3 of 5`.
pub(super) fn is_supposed(tokens: &[Token], at: usize) -> bool {
    let before = tokens.get(..at).unwrap_or_default().iter().rev().take(SUPPOSED_WORDS);
    let same = before.take_while(|token| {
        !matches!(token.end, End::Sentence | End::Question)
            || matches!(token.word.as_str(), "e.g" | "eg" | "z.b")
    });
    same.into_iter().any(|token| has(SUPPOSED, &token.word))
}

/// Whether a number is the whole of something that is no number: `? of 2`, `NaN of 2`, `1.5 of 2`.
pub(super) fn lacks_part(tokens: &[Token], at: usize) -> bool {
    let mut of = false;
    for token in tokens.get(..at).unwrap_or_default().iter().rev() {
        if token.labels || token.ends() && !of {
            return false;
        }
        if token.ends() {
            return true;
        }
        if token.value == Value::Word && has(OF, &token.word) {
            of |= matches!(token.word.as_str(), "of" | "von" | "aus");
            continue;
        }
        return of && (token.value == Value::Amount || has(NO_PART, &token.word));
    }
    of
}
