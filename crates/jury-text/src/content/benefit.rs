//! Measured benefits: "save 11 hours a week", "earn 312 % more". Whoever puts a number to what a reader gains, or loses
//! without the product, has measured it. So a document of the idea has the number too, in whatever spelling, or it was
//! invented.
//!
//! A share or a factor measures by itself. A time, a sum or a count does when a word of gain stands with it. Prices, dates,
//! years, ordinals, how often something happens, and how long an offer lasts measure nothing.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use jury_core::content::stem::stem;

use super::amounts::{Amount, Measure, amounts, derived, same, same_ratio};
use super::document::{BlockKind, DraftDocument};
use super::prose::{self, Word};
use super::references::References;

/// How many words a word of gain may stand away from its number.
const NEAR_WORDS: usize = 8;

/// The same in a document, where a line may speak of much.
const GAINED_WORDS: usize = 5;

/// The most benefits of a draft that are looked up. What comes after them counts as unknown.
const MOST_LOOKED_UP: usize = 200;

/// Words of gaining, and of losing what could be gained.
const GAINS: &[&str] = &[
    "boost",
    "cheaper",
    "cut",
    "decrease",
    "down",
    "drop",
    "earlier",
    "earn",
    "extra",
    "fall",
    "faster",
    "fewer",
    "gain",
    "grow",
    "growth",
    "higher",
    "improve",
    "improvement",
    "increase",
    "less",
    "lift",
    "lose",
    "lower",
    "more",
    "productive",
    "quicker",
    "raise",
    "reclaim",
    "recoup",
    "recover",
    "reduce",
    "reduction",
    "regain",
    "rise",
    "save",
    "saving",
    "savings",
    "shave",
    "shorter",
    "shrink",
    "slash",
    "sooner",
    "trim",
    "uplift",
    "waste",
    "win",
];

/// Their forms that the ends of words do not tell.
const FORMS: &[&str] =
    &["fell", "grew", "grown", "lost", "losing", "rose", "risen", "shrank", "won", "winning"];

/// What makes a gain of a time, and of nothing else: `5 hours back`, `pays for itself in a week`.
const OF_TIME: &[&str] = &["back", "instead", "itself", "spare"];

/// What many do who are content.
const CONTENT: &[&str] = &["agree", "choose", "love", "prefer", "recommend", "renew", "stay", "switch"];

/// Gains that are gains of so many things only when they are counted against each other.
const MORE: &[&str] = &["additional", "extra", "fewer", "less", "more"];

/// What stands before a time that lasts, comes again or is a date, and measures no gain.
const WHEN: &[&str] = &[
    "after", "at", "before", "each", "every", "first", "for", "last", "next", "on", "past", "since", "until",
];

/// A time in which something is done. It measures a gain only with what it was before, or when something pays for itself.
const WITHIN: &[&str] = &["in", "within", "under", "during"];

/// What an offer or a tax is told with.
const OFFERS: &[&str] = &[
    "annual", "annually", "apr", "billed", "coupon", "deposit", "discount", "rebate", "sale", "tax", "vat",
    "voucher", "yearly",
];

/// What a price is told with. Beside a word of gain it is what is gained: "cut your fees by a third".
const PRICES: &[&str] =
    &["charge", "commission", "cost", "costs", "fee", "fees", "interest", "price", "prices"];

/// Takes a claim back.
const DENIES: &[&str] = &["not", "never", "cannot", "can't", "don't", "doesn't", "won't", "isn't"];

/// What is lost; not to lose it is a gain.
const LOSSES: &[&str] = &["lose", "loses", "losing", "lost", "waste", "wastes", "wasted", "wasting"];

/// Gains that no time is gained by, unless it is "by" so much.
const NOT_OF_TIME: &[&str] = &[
    "boost",
    "cheaper",
    "drop",
    "earn",
    "extra",
    "fall",
    "grow",
    "growth",
    "higher",
    "improve",
    "increase",
    "lift",
    "lower",
    "more",
    "productive",
    "raise",
    "rise",
    "shrink",
    "uplift",
    "down",
];

/// Behind a time that is a moment and no length.
const MOMENTS: &[&str] = &["after", "ago", "ahead", "before", "early", "from", "later", "long", "old"];

/// The number is only near what it was.
const ABOUT: &[&str] = &[
    "about",
    "almost",
    "approximately",
    "around",
    "average",
    "least",
    "more",
    "nearly",
    "over",
    "roughly",
    "some",
    "up",
    "to",
    "than",
];

static GAIN_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    GAINS.iter().map(|word| stem(word)).chain(FORMS.iter().map(|word| (*word).to_owned())).collect()
});

static NOT_OF_TIME_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| NOT_OF_TIME.iter().map(|word| stem(word)).collect());

fn gains(word: &Word) -> bool {
    GAIN_STEMS.contains(&word.stem) || FORMS.contains(&word.lower.as_str())
}

/// What the documents measure.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    known: Vec<Known>,
}

/// An amount of a document, with what its line is about.
#[derive(Debug)]
struct Known {
    measure: Measure,
    value: f64,
    /// What its line is about.
    about: BTreeSet<String>,
    /// A word of gain stands with it.
    gains: bool,
    /// It stands in a row of a table, where the unit may stand in another cell.
    in_a_row: bool,
}

impl Measured {
    /// Takes in a line of a document.
    pub(super) fn add(&mut self, line: &str, in_a_row: bool) {
        let words = prose::words(line);
        let found = amounts(line, &words);
        if found.is_empty() {
            return;
        }
        let about =
            about(words.iter().enumerate().filter(|(at, _)| !is_inside(&found, *at)).map(|(_, word)| word));
        let mut know = |measure, value, gains| {
            self.known.push(Known { measure, value, about: about.clone(), gains, in_a_row });
        };
        let gained: Vec<bool> = found.iter().map(|amount| is_gained(&words, amount)).collect();
        for (amount, gains) in found.iter().zip(&gained) {
            know(amount.measure, amount.value, *gains);
            if in_a_row && amount.measure != Measure::Count {
                know(Measure::Count, amount.raw, *gains);
            }
        }
        // What follows from two numbers follows from a change: `from 18 % to 6 %`, and not from a range.
        let all = gained.iter().all(|gains| *gains);
        if all || in_a_row || words.iter().any(|word| word.lower == "from") {
            for (measure, value) in derived(&found) {
                know(measure, value, all && measure != Measure::Ratio);
            }
        }
    }

    /// Whether a document has the amount of this sentence, as a gain or about the same. The words are those of the sentence
    /// without its amounts.
    fn knows(&self, amount: &Amount, words: &[Word], loosely: bool) -> bool {
        let said = &about(words.iter());
        // A number alone, as in a cell, is about what stands around it.
        let alone = said.is_empty() && !words.iter().any(gains);
        self.known.iter().any(|known| {
            let fits = match (known.measure, amount.measure) {
                (Measure::Ratio, Measure::Ratio) => same_ratio(known.value, amount.value, loosely),
                (Measure::Count, _) if known.in_a_row => same(known.value, amount.raw, loosely),
                // `0.25` in a document is a quarter.
                (Measure::Count, Measure::Ratio) if known.value < 1.0 => {
                    same(known.value, amount.value, loosely)
                }
                (one, other) => one == other && same(known.value, amount.value, loosely),
            };
            // An hour or a sum is gained by itself; a share or a factor is one of something.
            let gained = known.gains && amount.measure != Measure::Ratio;
            fits && (gained || alone || is_alike(&known.about, said))
        })
    }
}

/// Whether a document calls an amount a gain. "More" alone is said of anything.
fn is_gained(words: &[Word], amount: &Amount) -> bool {
    let from = amount.start.saturating_sub(GAINED_WORDS);
    let near = words.get(from..(amount.end + GAINED_WORDS).min(words.len())).unwrap_or_default();
    let vague = |word: &Word| MORE.contains(&word.lower.as_str()) || LOSSES.contains(&word.lower.as_str());
    near.iter().any(|word| gains(word) && !vague(word))
}

/// Whether two texts speak of something in common; `pays` and `payment` do.
fn is_alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let begins = |a: &String, b: &String| a.len() >= 4 && b.starts_with(a.as_str());
    one.iter().any(|a| other.iter().any(|b| a == b || begins(a, b) || begins(b, a)))
}

/// What a line is about: the stems of words that say something, without numbers, times and words of gain.
fn about<'w>(words: impl Iterator<Item = &'w Word>) -> BTreeSet<String> {
    const TIMES: &[&str] =
        &["second", "minut", "hour", "dai", "day", "week", "month", "year", "time", "percent"];
    let says = |word: &&Word| {
        !word.stop
            && !word.lower.starts_with(|c: char| c.is_ascii_digit())
            && !TIMES.iter().any(|time| word.stem.starts_with(time) && word.stem.len() <= time.len() + 1)
            && (!gains(word) || LOSSES.contains(&word.lower.as_str()))
    };
    words.filter(says).map(|word| word.stem.clone()).collect()
}

/// Whether a word is part of an amount: it says how much, and not of what.
fn is_inside(amounts: &[Amount], at: usize) -> bool {
    amounts.iter().any(|amount| (amount.start..amount.end).contains(&at))
}

/// A benefit that no document measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Invented {
    /// What it is about, for its identity.
    pub(super) anchor: String,
    /// The sentence, by its number in the document.
    pub(super) sentence: usize,
}

/// The measured benefits of a draft that no document has.
pub(super) fn invented(document: &DraftDocument<'_>, references: &References) -> Vec<Invented> {
    let measured = references.measured();
    let mut all = Vec::new();
    let mut looked_up = 0;
    for (index, sentence) in document.sentences.iter().enumerate() {
        let Some(block) = document.block(sentence.block).filter(|block| block.kind != BlockKind::Source)
        else {
            continue;
        };
        let words = document.words_of(&sentence.words);
        let found = amounts(&block.text, words);
        // The name of the product is in every line of the documents.
        let said: Vec<Word> = words
            .iter()
            .enumerate()
            .filter(|(at, word)| !is_inside(&found, *at) && !references.is_product(&word.lower))
            .map(|(_, word)| word.clone())
            .collect();
        for amount in &found {
            if !is_benefit(words, amount) {
                continue;
            }
            looked_up += 1;
            let loosely = words.get(amount.start.saturating_sub(3)..amount.start).unwrap_or_default();
            let loosely = loosely.iter().any(|word| ABOUT.contains(&word.lower.as_str()));
            if looked_up > MOST_LOOKED_UP || !measured.knows(amount, &said, loosely) {
                let number = words.get(amount.start).map_or("", |word| word.lower.as_str());
                let next = words.get(amount.end).map_or("", |word| word.stem.as_str());
                all.push(Invented { anchor: format!("{number} {next}"), sentence: index });
            }
        }
    }
    all
}

/// Whether an amount of a sentence says how much is gained.
fn is_benefit(words: &[Word], amount: &Amount) -> bool {
    let lower = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| word.lower.as_str());
    let (before, after) = (lower(amount.start.checked_sub(1)), lower(Some(amount.end)));
    let (first, then) = (lower(Some(amount.start)), lower(Some(amount.end + 1)));
    // The words around it. "More than" and "less than" say how exact the number is, and not what is gained.
    let near = |distance: usize, fits: &dyn Fn(&Word) -> bool| {
        let from = amount.start.saturating_sub(distance);
        let here = words.get(from..(amount.end + distance).min(words.len())).unwrap_or_default();
        here.iter().zip(from..).any(|(word, at)| {
            let compares = MORE.contains(&word.lower.as_str()) && lower(Some(at + 1)) == "than";
            !(amount.start..amount.end).contains(&at) && !compares && fits(word)
        })
    };
    let is = |list: &'static [&'static str]| move |word: &Word| list.contains(&word.lower.as_str());
    if first == "one" && amount.raw <= 1.0 {
        return false;
    }
    let denied = words.get(amount.start.saturating_sub(3)..amount.start).unwrap_or_default();
    let why_not = near(4, &is(&["why"]));
    if denied.iter().any(is(DENIES)) && !near(NEAR_WORDS, &is(LOSSES)) && !why_not {
        return false;
    }
    let gained = near(NEAR_WORDS, &gains);
    let offered = near(5, &is(OFFERS)) || (after == "off" && !matches!(then, "your" | "their"));
    let in_digits = first.starts_with(|c: char| c.is_ascii_digit());
    match amount.measure {
        Measure::Ratio if offered || (near(5, &is(PRICES)) && !gained) => false,
        // `100 % cotton`: a way to say so, unless something grows by it.
        Measure::Ratio if (amount.value - 1.0).abs() < 1e-9 => gained,
        // `3 out of 5 jobs are late` tells how things are.
        Measure::Ratio if is_out_of(words, amount) => gained || near(NEAR_WORDS, &is(CONTENT)),
        Measure::Ratio if in_digits || is_percent(words, amount) => true,
        // `half of it`, `twice a week`.
        Measure::Ratio if matches!(first, "twice" | "half") || first.ends_with("fold") => {
            gained && matches!(after, "as" | "the" | "your" | "more" | "less")
        }
        // `doubles your revenue`: what is doubled is the reader's or a customer's.
        Measure::Ratio if amount.end == amount.start + 1 => matches!(after, "your" | "their" | "our"),
        Measure::Ratio => gained,
        // `Plus costs €20 more` compares prices.
        Measure::Money => {
            let strongly = near(NEAR_WORDS, &|word| gains(word) && !is(MORE)(word));
            strongly && !offered && before != "for" && before != "at"
        }
        Measure::Span => {
            let saved = |word: &Word| gains(word) && !NOT_OF_TIME_STEMS.contains(&word.stem);
            let gained =
                near(NEAR_WORDS, &saved) || near(NEAR_WORDS, &is(OF_TIME)) || before == "by" && gained;
            let compared = near(4, &is(&["itself"])) || near(NEAR_WORDS, &is(&["instead"]));
            let timed = WITHIN.contains(&before) && !compared;
            gained && !timed && !WHEN.contains(&before) && !MOMENTS.contains(&after) && !offered
        }
        Measure::Count => {
            let many = amount.raw >= 10.0;
            many && (MORE.contains(&after) || before == "by" && gained) && !offered
        }
    }
}

/// `9 out of 10`, `nine in ten`.
fn is_out_of(words: &[Word], amount: &Amount) -> bool {
    let inside = words.get(amount.start..amount.end).unwrap_or_default();
    inside.len() > 2 && inside.iter().any(|word| matches!(word.lower.as_str(), "of" | "in"))
}

/// Whether a share in words is one of a hundred: `forty percent`.
fn is_percent(words: &[Word], amount: &Amount) -> bool {
    let last = amount.end.checked_sub(1).and_then(|at| words.get(at));
    last.is_some_and(|word| matches!(word.lower.as_str(), "percent" | "cent" | "pct" | "times" | "x"))
}
