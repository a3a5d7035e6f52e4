//! Whether a figure says the opposite of the verdict that rests on it.
//!
//! A PASS rests on figures that say that it holds. `0 of 2 requirements have a step` and `2 of 2 are missing` say that it does
//! not. What is asked for is known from the question: to have none of it is bad, unless the question asks for none.

use super::{ALL, NOT_COUNTED, OF, Token, Value, has, tokens, whole};

/// So many words behind a figure say something of it.
const REACH: usize = 10;

/// What nobody wants.
pub(super) const BAD: &str = "missing miss misses lack lacks lacking without fail fails failed failing broken dead wrong incorrect \
    incomplete absent affected unanswered uncovered undefined unclear unresolved unmet unaddressed unsupported open orphaned \
    violated violate violates violation violations invalid inconsistent contradictory untested unfinished vague problem \
    problems defect defects error errors issue issues gap gaps fault faults flaw flaws typo typos conflict conflicts \
    contradiction contradictions unsatisfied ignored forgotten skipped left dropped omitted outdated ambiguous unverified \
    unchecked unread contradict contradicts need needs todo tbd ohne fehlt fehlen fehlend falsch kaputt offen betroffen";

/// What of this says that something is bad by itself, whatever stands behind it: `2 of 2 lack steps`.
const VERBS: &str = "miss misses lack lacks lacking without fail fails failed violate violates contradict contradicts need needs ohne";

/// What of this is a thing, and bad only where it is: `2 of 2 errors are handled` says nothing bad.
pub(super) const THINGS: &str = "problem problems defect defects error errors issue issues gap gaps fault faults flaw flaws typo typos conflict \
    conflicts contradiction contradictions violation violations";

/// What is at fault when it is counted and nothing more is said of it. What was skipped or is open may be so on purpose.
const AT_FAULT: &str = "missing broken dead uncovered unmet unresolved undefined unanswered affected wrong";

/// Of so many somebody looked at none.
pub(super) const LOOKED: &str =
    "looked checked read reviewed examined verified opened inspected geprüft gelesen";

/// What a sentence says of its subject begins with one of these.
pub(super) const SAYING: &str =
    "is are was were be been have has had do does did get gets got hat haben ist sind war waren";

/// From here on something else is spoken of: `3 of 3 steps say what happens when they fail`.
const ASIDE: &str = "what when how whether if who where why wenn ob";

/// What a document should be.
pub(super) const GOOD: &str = "covered cover covers exist exists present met meet meets satisfied satisfy satisfies pass passes passed \
    hold holds resolve resolves resolved complete completed correct valid addressed answered defined fulfilled tested work \
    works taken handled implemented supported stated named documented dated owned erfüllt vorhanden abgedeckt";

/// In front of what something has.
const HAVING: &str = "have has had get gets got with haben hat mit";

const NOT: &str = "not never nicht nie";

const NONE: &str = "no zero 0 kein keine keinen keinem";

/// What a question that asks for all of something has in it.
const ASKS_FOR_ALL: &str = "every each all jede jeder jedes alle";

/// What a question that asks for none of something has in it.
const ASKS_FOR_NONE: &str = "no not nothing none never without free any anything kein keine nichts ohne";

pub(super) fn is_not(word: &str) -> bool {
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

/// What is said of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Good,
    Bad,
    /// Somebody looked at it, and says no more.
    Looked,
}

/// Whether a figure of an answer says that what the question asks for does not hold.
pub(in crate::critic) fn says_the_opposite(answer: &str, question: &str) -> bool {
    let wanted = Wanted::of(question);
    let asks_for_all = tokens(question).iter().any(|token| has(ASKS_FOR_ALL, &token.word));
    let tokens = tokens(answer);
    tokens.iter().enumerate().any(|(at, token)| {
        if let Value::Digits(number) | Value::Named(number) = token.value
            && number > 0
            && is_count_of_bad(&tokens, at)
        {
            return true;
        }
        part(&tokens, at).is_some_and(|(number, all, end)| {
            let holds = holds(&tokens, end, &wanted);
            let is_denied = one_of(&tokens, at).is_none()
                && before(&tokens, at).is_some_and(|before| is_not(&before.word));
            match holds {
                Some(Holds::Good) if is_denied => true,
                // Of all that was asked for, half is missing.
                Some(Holds::Good) if asks_for_all => all > 0 && number * 2 <= all,
                Some(Holds::Good | Holds::Looked) => number == 0 && all > 0,
                Some(Holds::Bad) => number > 0 && number * 2 >= all,
                // `checked 0 of 2`
                None => {
                    let looked = |token: &Token| has(LOOKED, &token.word) && !token.labels;
                    number == 0 && all > 0 && before(&tokens, at).is_some_and(looked)
                }
            }
        })
    })
}

/// Whether a figure says that nobody looked: `0 of 90 files were looked at`. What is good or bad for a way to fail is not known.
pub(in crate::critic) fn looked_at_none(text: &str) -> bool {
    let tokens = tokens(text);
    let nothing = Wanted(None);
    (0..tokens.len()).filter_map(|at| part(&tokens, at)).any(|(number, all, end)| {
        number == 0 && all > 0 && holds(&tokens, end, &nothing) == Some(Holds::Looked)
    })
}

/// A part and its whole: the number, how many there are, and the last word of it.
fn part(tokens: &[Token], at: usize) -> Option<(u64, u64, usize)> {
    let token = tokens.get(at)?;
    let share = |word: &str| word.trim_end_matches('%').parse().ok();
    match token.value {
        Value::Digits(number) | Value::Named(number) => {
            if let Some((all, end)) = whole(tokens, at) {
                return Some((
                    one_of(tokens, at).map_or(number, |is_each| if is_each { all } else { 0 }),
                    all,
                    end,
                ));
            }
            let next = tokens.get(at + 1).filter(|_| !token.ends());
            if next.is_some_and(|next| has("percent prozent", &next.word)) {
                return Some((number, 100, at + 1));
            }
            // `both are missing`, `all 2 are missing`.
            before(tokens, at).filter(|before| has(ALL, &before.word)).map(|_| (number, number, at))
        }
        Value::Part(all) => {
            let number = token.word.split_once('/').and_then(|(part, _)| part.parse().ok());
            number.map(|number| (number, all, at))
        }
        Value::Share { .. } => share(&token.word).map(|number| (number, 100, at)),
        Value::Word | Value::Ratio | Value::Amount => None,
    }
}

/// `each one of two` are both of them, and `not one of two` is none.
fn one_of(tokens: &[Token], at: usize) -> Option<bool> {
    let before =
        before(tokens, at).filter(|_| tokens.get(at).is_some_and(|token| token.value == Value::Named(1)))?;
    if has(ALL, &before.word) { Some(true) } else { is_not(&before.word).then_some(false) }
}

/// `2 missing`: so many of what nobody wants, with nothing behind it that they would be.
fn is_count_of_bad(tokens: &[Token], at: usize) -> bool {
    let next = tokens.get(at + 1).filter(|_| !tokens.get(at).is_none_or(Token::ends));
    let counted = |next: &Token| {
        (next.ends() || tokens.get(at + 2).is_none()) && !next.labels && has(AT_FAULT, &next.word)
    };
    let before = before(tokens, at);
    next.is_some_and(counted)
        && before.is_none_or(|before| !is_not(&before.word) && !has(OF, &before.word) && !before.labels)
}

fn before(tokens: &[Token], at: usize) -> Option<&Token> {
    at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|before| !before.ends())
}

/// Whether what is said behind a figure is good, if that is known.
fn holds(tokens: &[Token], end: usize, wanted: &Wanted) -> Option<Holds> {
    if tokens.get(end).is_none_or(Token::ends) {
        return None;
    }
    let mut turns = 0_usize;
    let (mut known, mut looked) = (false, false);
    let (mut having, mut none, mut says) = (false, false, false);
    for (at, token) in tokens.iter().enumerate().skip(end + 1).take(REACH) {
        let word = token.word.as_str();
        let next = tokens.get(at + 1).filter(|_| !token.ends());
        // `2 of 2 broken rows are handled`: what is counted is called bad, and nothing is said of it yet.
        let names = !says
            && (has(THINGS, word)
                || !has(VERBS, word)
                    && next.is_some_and(|next| next.value == Value::Word && !has(NOT_COUNTED, &next.word)));
        says |= has(SAYING, word) || is_not(word);
        if has(ASIDE, word) {
            break;
        } else if is_not(word) {
            turns += 1;
            having |= ["have", "has", "had"].iter().any(|verb| word.starts_with(verb));
        } else if has(NONE, word) {
            none = true;
        } else if has(HAVING, word) {
            having = true;
        } else if has(BAD, word) && !names {
            turns += 1 + usize::from(std::mem::take(&mut none));
            known = true;
        } else if has(GOOD, word) {
            turns += usize::from(std::mem::take(&mut none));
            known = true;
        } else if has(LOOKED, word) && (says || next.is_none()) {
            // `0 of 12 checked links are dead`: what was looked at is counted, and not how much of it was.
            looked = true;
        } else if having && wanted.is_wanted(word) {
            turns += usize::from(std::mem::take(&mut none));
            known = true;
            having = false;
        }
        if token.ends() {
            break;
        }
    }
    let is_good = turns.is_multiple_of(2);
    match (known, looked) {
        (true, _) => Some(if is_good { Holds::Good } else { Holds::Bad }),
        (false, true) => Some(if is_good { Holds::Looked } else { Holds::Bad }),
        (false, false) => None,
    }
}
