//! Whether a figure says the opposite of the verdict that rests on it.
//!
//! A PASS rests on figures that say that it holds. `0 of 2 requirements have a step` and `2 of 2 are missing` say that it does
//! not. What is asked for is known from the question: to have none of it is bad, unless the question asks for none.

use super::{ALL, Token, Value, has, tokens, whole};

/// So many words behind a figure say something of it.
const REACH: usize = 10;

/// What nobody wants.
const BAD: &str = "missing miss misses lack lacks lacking without fail fails failed failing broken dead wrong incorrect \
    incomplete absent affected unanswered uncovered undefined unclear unresolved unmet unaddressed unsupported open orphaned \
    violated violate violates violation violations invalid inconsistent contradictory untested unfinished vague problem \
    problems defect defects error errors issue issues gap gaps fault faults flaw flaws typo typos conflict conflicts \
    contradiction contradictions unsatisfied ignored forgotten skipped left ohne fehlt fehlen fehlend falsch kaputt offen betroffen";

/// What a document should be.
const GOOD: &str = "covered cover covers exist exists present met meet meets satisfied satisfy satisfies pass passes passed \
    hold holds resolve resolves resolved complete completed correct valid addressed answered defined fulfilled tested work \
    works taken handled implemented supported stated named documented dated owned erfüllt vorhanden abgedeckt";

/// In front of what something has.
const HAVING: &str = "have has had with haben hat mit";

const NOT: &str = "not never nicht nie";

const NONE: &str = "no kein keine keinen keinem";

/// What a question that asks for none of something has in it.
const ASKS_FOR_NONE: &str = "no not nothing none never without free any anything kein keine nichts ohne";

fn is_not(word: &str) -> bool {
    has(NOT, word) || word.ends_with("n't") || word.ends_with("n’t")
}

/// A word without the end of its plural.
fn bare(word: &str) -> &str {
    word.strip_suffix('s').filter(|rest| rest.len() > 2).unwrap_or(word)
}

/// What a question asks for, if it asks for something.
struct Wanted(Option<Vec<String>>);

impl Wanted {
    fn of(question: &str) -> Self {
        let words: Vec<String> = tokens(question).into_iter().map(|token| token.word).collect();
        let asks_for_none = words.iter().any(|word| has(ASKS_FOR_NONE, word) || has(BAD, word));
        Self((!asks_for_none).then_some(words))
    }

    /// Whether to have this is good. Without a question that is taken for granted.
    fn is_wanted(&self, word: &str) -> bool {
        self.0.as_ref().is_some_and(|words| {
            words.is_empty() || words.iter().any(|own| bare(own) == bare(word) && own.len() > 2)
        })
    }
}

/// Whether a figure of an answer says that what the question asks for does not hold.
pub(in crate::critic) fn says_the_opposite(answer: &str, question: &str) -> bool {
    let tokens = tokens(answer);
    let wanted = Wanted::of(question);
    tokens.iter().enumerate().any(|(at, token)| {
        let part = match token.value {
            Value::Digits(number) | Value::Named(number) => match whole(&tokens, at) {
                Some((all, end)) => Some((number, all, end)),
                // `both are missing`, `all 2 are missing`.
                None => {
                    before(&tokens, at).filter(|before| has(ALL, &before.word)).map(|_| (number, number, at))
                }
            },
            Value::Part(all) => {
                let number = token.word.split_once('/').and_then(|(part, _)| part.parse().ok());
                number.map(|number| (number, all, at))
            }
            Value::Word | Value::Share { .. } | Value::Ratio | Value::Amount => None,
        };
        part.is_some_and(|(number, all, end)| match holds(&tokens, end, &wanted) {
            Some(true) => number == 0 && all > 0,
            Some(false) => number > 0 && number * 2 >= all,
            None => false,
        })
    })
}

fn before(tokens: &[Token], at: usize) -> Option<&Token> {
    at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|before| !before.ends())
}

/// Whether what is said behind a figure is good, if that is known.
fn holds(tokens: &[Token], end: usize, wanted: &Wanted) -> Option<bool> {
    if tokens.get(end).is_none_or(Token::ends) {
        return None;
    }
    let mut turns = 0_usize;
    let mut known = false;
    let (mut having, mut none) = (false, false);
    for token in tokens.iter().skip(end + 1).take(REACH) {
        let word = token.word.as_str();
        if is_not(word) {
            turns += 1;
        } else if has(NONE, word) {
            none = true;
        } else if has(HAVING, word) {
            having = true;
        } else if has(BAD, word) {
            turns += 1 + usize::from(std::mem::take(&mut none));
            known = true;
        } else if has(GOOD, word) {
            turns += usize::from(std::mem::take(&mut none));
            known = true;
        } else if having && wanted.is_wanted(word) {
            turns += usize::from(std::mem::take(&mut none));
            known = true;
            having = false;
        }
        if token.ends() {
            break;
        }
    }
    known.then_some(turns.is_multiple_of(2))
}
