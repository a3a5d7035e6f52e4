//! Amounts: a number with what it measures, whatever way it is spelled. `25 %`, `a quarter` and `0.25` are one amount, as are
//! `90 minutes` and `1.5 hours`, or `double` and `2x`.

use super::prose::Word;

/// The most amounts of one line that are set against each other.
const MOST_PAIRED: usize = 8;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// A part of something, or so many times it: 1 is all of it.
    Ratio,
    /// A time, in minutes.
    Span,
    /// A sum of money.
    Money,
    /// So many of something.
    Count,
}

/// An amount in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Amount {
    pub(super) measure: Measure,
    /// In the measure's own unit.
    pub(super) value: f64,
    /// The number as it is written.
    pub(super) raw: f64,
    /// The first word of it, and the one behind its last.
    pub(super) start: usize,
    pub(super) end: usize,
}

const ONES: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: &[(&str, f64)] = &[("hundred", 100.0), ("thousand", 1e3), ("million", 1e6), ("billion", 1e9)];

/// Parts by name, with how many of them make a whole.
const PARTS: &[(&str, f64)] = &[
    ("half", 2.0),
    ("halves", 2.0),
    ("third", 3.0),
    ("thirds", 3.0),
    ("quarter", 4.0),
    ("quarters", 4.0),
    ("fifth", 5.0),
    ("fifths", 5.0),
    ("tenth", 10.0),
    ("tenths", 10.0),
];

/// What makes so many times as much of something.
const FACTORS: &[(&str, f64)] = &[
    ("double", 2.0),
    ("doubles", 2.0),
    ("doubled", 2.0),
    ("doubling", 2.0),
    ("twice", 2.0),
    ("twofold", 2.0),
    ("triple", 3.0),
    ("triples", 3.0),
    ("tripled", 3.0),
    ("tripling", 3.0),
    ("threefold", 3.0),
    ("quadruple", 4.0),
    ("quadruples", 4.0),
    ("quadrupled", 4.0),
    ("fivefold", 5.0),
    ("tenfold", 10.0),
    ("halve", 0.5),
    ("halves", 0.5),
    ("halved", 0.5),
    ("halving", 0.5),
];

/// Units of time, in minutes.
const SPANS: &[(&str, f64)] = &[
    ("ms", 1.0 / 60_000.0),
    ("second", 1.0 / 60.0),
    ("sec", 1.0 / 60.0),
    ("secs", 1.0 / 60.0),
    ("s", 1.0 / 60.0),
    ("minute", 1.0),
    ("min", 1.0),
    ("mins", 1.0),
    ("hour", 60.0),
    ("hr", 60.0),
    ("hrs", 60.0),
    ("h", 60.0),
    ("day", 1440.0),
    ("workday", 1440.0),
    ("night", 1440.0),
    ("week", 10_080.0),
    ("month", 43_200.0),
    ("year", 525_600.0),
];

const CURRENCIES: &[&str] =
    &["dollar", "dollars", "euro", "euros", "pound", "pounds", "eur", "usd", "gbp", "chf", "francs"];

fn found<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// The minutes of a unit of time.
fn span(word: &str) -> Option<f64> {
    found(SPANS, word).or_else(|| found(SPANS, word.strip_suffix('s')?))
}

/// The amounts of a text, in order.
pub(super) fn amounts(text: &str, words: &[Word]) -> Vec<Amount> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let next = part(words, at).or_else(|| factor(words, at)).or_else(|| amount(text, words, at));
        at = next.as_ref().map_or(at + 1, |amount| amount.end.max(at + 1));
        all.extend(next);
    }
    for at in (1..all.len()).rev() {
        share_unit(words, &mut all, at);
    }
    all
}

/// `from 30 to 14 days`, `5-10 hours`: a number takes over the unit of the one that it is set against.
fn share_unit(words: &[Word], all: &mut [Amount], at: usize) {
    let Some([one, other]) = all.get_mut(at - 1..=at) else { return };
    let joined = other.start == one.end && words.get(other.start).is_some_and(|word| word.joined);
    let set_against = other.start == one.end + 1 && matches!(lower(words, one.end), "to" | "and" | "or");
    if one.measure == Measure::Count && other.raw > 0.0 && (joined || set_against) {
        (one.measure, one.value) = (other.measure, one.raw * other.value / other.raw);
    }
}

fn lower(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.lower.as_str())
}

/// `half`, `a third`, `two thirds`.
fn part(words: &[Word], at: usize) -> Option<Amount> {
    let (many, at_part) = match spelt(words, at) {
        Some((many, end)) if end < words.len() => (many, end),
        _ => (1.0, at),
    };
    let whole = found(PARTS, lower(words, at_part))?;
    // `half an hour`, `a quarter past`: time, and no part of anything that is told.
    let of_time = (1..=2).any(|step| span(lower(words, at_part + step)).is_some());
    let amount = Amount {
        measure: Measure::Ratio,
        value: many / whole,
        raw: many / whole,
        start: at,
        end: at_part + 1,
    };
    (!of_time).then_some(amount)
}

/// `double`, `tenfold`; not what hangs on another word, as in `double-check`.
fn factor(words: &[Word], at: usize) -> Option<Amount> {
    let value = found(FACTORS, lower(words, at))?;
    let hangs =
        words.get(at).is_some_and(|word| word.joined) || words.get(at + 1).is_some_and(|word| word.joined);
    (!hangs).then_some(Amount { measure: Measure::Ratio, value, raw: value, start: at, end: at + 1 })
}

/// A number and its unit.
fn amount(text: &str, words: &[Word], at: usize) -> Option<Amount> {
    let (raw, mut end, suffix) = number(words, at)?;
    let range = words.get(at)?.range.start..words.get(end.checked_sub(1)?)?.range.end;
    let sign = text.get(..range.start)?.trim_end().chars().next_back();
    let behind = text.get(range.end..)?.trim_start();
    let next = lower(words, end);
    let of = |measure, value, end| Some(Amount { measure, value, raw, start: at, end });
    if matches!(sign, Some('$' | '€' | '£' | '¥')) || behind.starts_with(['$', '€', '£', '¥']) {
        return of(Measure::Money, raw, end);
    }
    if CURRENCIES.contains(&next) {
        return of(Measure::Money, raw, end + 1);
    }
    if behind.starts_with('%') {
        return of(Measure::Ratio, raw / 100.0, end);
    }
    if matches!(next, "percent" | "pct") {
        return of(Measure::Ratio, raw / 100.0, end + 1);
    }
    if next == "per" && lower(words, end + 1) == "cent" {
        return of(Measure::Ratio, raw / 100.0, end + 2);
    }
    if suffix == "x" || behind.starts_with('×') || next == "x" {
        return of(Measure::Ratio, raw, end + usize::from(next == "x"));
    }
    // `ten times a day` is how often; `ten times as many` is how much.
    let than = lower(words, end + 1);
    if next == "times"
        && (matches!(than, "as" | "more" | "less" | "the" | "your")
            || (than.len() > 4 && than.ends_with("er")))
    {
        return of(Measure::Ratio, raw, end + 1);
    }
    let out = usize::from(next == "out");
    if (out == 1 && lower(words, end + 1) == "of" || next == "in")
        && let Some((whole, last, _)) = number(words, end + 1 + out)
        && whole > raw
        && raw > 0.0
        && (out == 1 || matches!(whole.to_string().as_str(), "5" | "10" | "20" | "100"))
    {
        let value = raw / whole;
        return Some(Amount { measure: Measure::Ratio, value, raw: 100.0 * value, start: at, end: last });
    }
    if let Some(minutes) = span(suffix) {
        return of(Measure::Span, raw * minutes, end);
    }
    // `20 more minutes`, `11 working hours`.
    for step in 0..=1 {
        let between = step == 0
            || matches!(
                next,
                "more" | "extra" | "fewer" | "whole" | "full" | "working" | "billable" | "free" | "spare"
            );
        if let Some(minutes) = span(lower(words, end + step)).filter(|_| between) {
            end += step + 1;
            return of(Measure::Span, raw * minutes, end);
        }
    }
    of(Measure::Count, raw, end)
}

/// A number that begins here, the word behind it, and what hangs on it.
fn number(words: &[Word], at: usize) -> Option<(f64, usize, &str)> {
    if let Some((value, end)) = spelt(words, at) {
        return Some((value, end, ""));
    }
    let word = lower(words, at);
    let length = word.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',')).count();
    let (digits, suffix) = word.split_at_checked(length).filter(|(digits, _)| !digits.is_empty())?;
    let mut value: f64 = plain(digits).parse().ok()?;
    let mut end = at + 1;
    let suffix = match suffix {
        "k" => {
            value *= 1e3;
            ""
        }
        "m" | "mio" => {
            value *= 1e6;
            ""
        }
        "" | "x" => suffix,
        _ if span(suffix).is_some() => suffix,
        // `2nd`, `3d`: no number of anything.
        _ => return None,
    };
    if let Some(scale) = found(SCALES, lower(words, end)) {
        value *= scale;
        end += 1;
    }
    Some((value, end, suffix))
}

/// Digits with a point for what is behind it. A comma before three digits groups them, any other is a point.
fn plain(digits: &str) -> String {
    let grouped = digits.split(',').skip(1).all(|group| group.len() == 3 || group.contains('.'));
    if grouped { digits.replace(',', "") } else { digits.replace(',', ".") }
}

/// A number in words, and the word behind it: `eleven`, `twenty-five`, `two hundred and ten`.
fn spelt(words: &[Word], at: usize) -> Option<(f64, usize)> {
    let (mut sum, mut group, mut end, mut seen) = (0.0, 0.0, at, false);
    loop {
        let word = lower(words, end);
        let index = |list: &[&str]| list.iter().position(|name| *name == word);
        if let Some(one) = index(ONES) {
            // `two three` are two numbers.
            if seen && group % 10.0 > 0.0 {
                break;
            }
            group += small(one);
        } else if let Some(ten) = index(TENS) {
            if seen && group % 100.0 > 0.0 {
                break;
            }
            group += 10.0 * small(ten + 2);
        } else if let Some(scale) = found(SCALES, word) {
            group = if seen { group } else { 1.0 } * scale;
            if scale > 100.0 {
                sum += group;
                group = 0.0;
            }
        } else if word == "and" && seen && group >= 100.0 && is_small(lower(words, end + 1)) {
            end += 1;
            continue;
        } else {
            break;
        }
        seen = true;
        end += 1;
    }
    seen.then_some((sum + group, end))
}

fn is_small(word: &str) -> bool {
    ONES.contains(&word) || TENS.contains(&word)
}

#[expect(clippy::cast_precision_loss, reason = "at most twenty")]
fn small(number: usize) -> f64 {
    number as f64
}

/// What follows from two amounts that stand in one line: how far they are apart, and which part of one the other is.
pub(super) fn derived(line: &[Amount]) -> Vec<(Measure, f64)> {
    let mut all = Vec::new();
    let line = line.get(..line.len().min(MOST_PAIRED)).unwrap_or_default();
    for (at, one) in line.iter().enumerate() {
        for other in
            line.get(at + 1..).unwrap_or_default().iter().filter(|other| other.measure == one.measure)
        {
            let (less, more) = (one.value.min(other.value), one.value.max(other.value));
            if less < more && less >= 0.0 {
                all.push((one.measure, more - less));
                all.push((Measure::Ratio, (more - less) / more));
                if less > 0.0 {
                    all.push((Measure::Ratio, more / less));
                }
            }
        }
    }
    all
}

/// Whether two values are the same: up to rounding, or as nearly as `about` means it.
pub(super) fn same(one: f64, other: f64, about: bool) -> bool {
    let most = one.abs().max(other.abs());
    (one - other).abs() <= most * if about { 0.08 } else { 0.02 }
}

/// Whether one share says the same as another: a quarter more is one and a quarter times as much.
pub(super) fn same_ratio(one: f64, other: f64, about: bool) -> bool {
    same(one, other, about) || same(one, other + 1.0, about) || same(one + 1.0, other, about)
}

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;

    fn read(text: &str) -> Vec<(Measure, f64)> {
        amounts(text, &prose::words(text)).iter().map(|amount| (amount.measure, amount.value)).collect()
    }

    #[test]
    fn an_amount_is_the_same_in_every_spelling() {
        let alike = [
            (Measure::Span, 660.0, vec!["11 hours", "eleven hours", "11 hrs", "11h", "660 minutes"]),
            (
                Measure::Ratio,
                0.25,
                vec![
                    "25 %",
                    "25%",
                    "25 percent",
                    "twenty-five per cent",
                    "a quarter of it",
                    "1 out of 4",
                    "25 in 100",
                ],
            ),
            (Measure::Ratio, 2.0, vec!["2x", "double your", "twice as much", "2 times as many", "200 %"]),
            (
                Measure::Money,
                1200.0,
                vec!["$1,200", "1,200 dollars", "€1.2k", "1200 €", "twelve hundred euros"],
            ),
            (Measure::Count, 210.0, vec!["210 bikes", "two hundred and ten bikes"]),
            (
                Measure::Count,
                12_000.0,
                vec!["12,000 shops", "12k shops", "twelve thousand shops", "12 thousand shops"],
            ),
        ];
        for (measure, value, texts) in alike {
            for text in texts {
                let got = read(text);
                let right = matches!(got[..], [(of, number)] if of == measure && same(number, value, false));
                assert!(right, "{text}: {got:?}");
            }
        }
    }

    #[test]
    fn what_only_looks_like_an_amount_is_none() {
        assert_eq!(read("double-check the 2nd one-off"), [(Measure::Count, 1.0)]);
        assert_eq!(read("half an hour"), []);
        assert_eq!(read("ten times a day"), [(Measure::Count, 10.0)]);
        assert_eq!(read("two, three"), [(Measure::Count, 2.0), (Measure::Count, 3.0)]);
    }
}
