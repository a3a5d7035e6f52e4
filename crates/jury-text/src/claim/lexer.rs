//! Cuts what a panelist writes into words, marks and figures. Where a figure ends is decided here; what it means is not.

use super::ClaimFigure;
use super::words::{CONTRAST, has};

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// A word in lower case, or a selector.
    Word(String),
    /// A mark between words.
    Mark(char),
    /// A figure that can be measured.
    Figure {
        figure: ClaimFigure,
        /// Written with decimals: then it is meant to the tenth.
        exact: bool,
    },
    /// A number that says nothing that could be measured.
    Number,
}

impl Part {
    pub(super) fn word(&self) -> Option<&str> {
        if let Self::Word(word) = self { Some(word) } else { None }
    }

    pub(super) fn is_mark(&self, one_of: &[char]) -> bool {
        matches!(self, Self::Mark(mark) if one_of.contains(mark))
    }
}

/// A sentence and where it stands in the text.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    pub(super) parts: Vec<Part>,
    /// Where each part begins and ends in the text.
    pub(super) spans: Vec<(usize, usize)>,
    pub(super) text: &'a str,
}

/// Words that end with a full stop and no sentence.
const SHORT: &[&str] = &[
    "vs", "min", "max", "approx", "ca", "e.g", "i.e", "etc", "resp", "bzw", "ggf", "mind", "z.b", "incl", "b",
];

/// The longest number that is read.
const LONGEST_NUMBER: usize = 8;

#[derive(Debug, Clone, PartialEq)]
struct Number {
    value: f64,
    decimals: usize,
    unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    None,
    Pixels,
    Roots,
    Other,
}

#[derive(Debug, Clone, PartialEq)]
enum Raw {
    Word(String),
    Mark(char),
    Number(Number),
}

type Placed = (Raw, usize, usize);

/// The sentences of a text.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut sentences = Vec::new();
    let mut sentence: Vec<Placed> = Vec::new();
    for placed in raw(text) {
        let ends = match &placed.0 {
            Raw::Mark('.') => !sentence
                .last()
                .is_some_and(|(last, ..)| matches!(last, Raw::Word(word) if SHORT.contains(&word.as_str()))),
            Raw::Mark(';' | '!' | '?' | '\n' | '|') => true,
            Raw::Mark(_) | Raw::Word(_) | Raw::Number(_) => false,
        };
        if ends {
            sentences.push(std::mem::take(&mut sentence));
        } else if placed.0 != Raw::Mark('.') {
            sentence.push(placed);
        }
    }
    sentences.push(sentence);
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).map(|raw| read(&raw, text)).collect()
}

/// Finds the figures among the parts.
fn read<'a>(raw: &[Placed], text: &'a str) -> Sentence<'a> {
    let about_contrast = raw.iter().any(|(part, ..)| matches!(part, Raw::Word(word) if has(CONTRAST, word)));
    let mut sentence = Sentence { parts: Vec::new(), spans: Vec::new(), text };
    let mut at = 0;
    while let Some((part, from, to)) = raw.get(at) {
        let rest = raw.get(at..).unwrap_or_default();
        let (part, length) = match part {
            Raw::Word(word) => (Part::Word(word.clone()), 1),
            Raw::Mark(mark) => (Part::Mark(*mark), 1),
            Raw::Number(number) => {
                let after_digits = sentence.parts.last().is_some_and(|last| last.is_mark(&[':']))
                    && matches!(sentence.parts.iter().rev().nth(1), Some(Part::Number));
                let found = if after_digits { None } else { ratio(rest, about_contrast) };
                found
                    .or_else(|| list(rest))
                    .or_else(|| range(rest))
                    .or_else(|| contrast(number, rest, &sentence.parts))
                    .unwrap_or_else(|| (single(number), 1))
            }
        };
        let end = raw.get(at + length - 1).map_or(*to, |(_, _, end)| *end);
        sentence.parts.push(part);
        sentence.spans.push((*from, end));
        at += length;
    }
    sentence
}

fn number_at(raw: &[Placed], index: usize) -> Option<&Number> {
    if let Some((Raw::Number(number), ..)) = raw.get(index) { Some(number) } else { None }
}

/// `3.9:1`, `3.9 : 1`, `3.9 to 1`.
fn ratio(raw: &[Placed], about_contrast: bool) -> Option<(Part, usize)> {
    let number = number_at(raw, 0).filter(|number| number.unit == Unit::None)?;
    let one = number_at(raw, 2).filter(|one| {
        one.unit == Unit::None && one.decimals == 0 && (one.value - 1.0).abs() < f64::EPSILON
    })?;
    let ((between, from, to), (_, one_from, _)) = (raw.get(1)?, raw.get(2)?);
    let tight = raw.first().is_some_and(|(_, _, end)| end == from) && to == one_from;
    // `Rule 3: 1 item` and `from 3 to 1 columns` are no ratios.
    let clear = number.decimals > 0 || about_contrast;
    let joined = match between {
        Raw::Mark(':') => tight || clear,
        Raw::Word(word) => matches!(word.as_str(), "to" | "zu") && clear,
        Raw::Mark(_) | Raw::Number(_) => false,
    };
    let goes_on = matches!(raw.get(3), Some((Raw::Mark(':'), ..))) && number_at(raw, 4).is_some();
    if !joined || goes_on || one.decimals > 0 {
        return None;
    }
    let fits = (1.0..=21.0).contains(&number.value) && (number.value > 1.0 || about_contrast);
    let exact = number.decimals > 0;
    let part =
        if fits { Part::Figure { figure: ClaimFigure::Ratio(number.value), exact } } else { Part::Number };
    Some((part, 3))
}

/// `12/16/24`, `12 / 16 / 24`, `12, 16 and 24 px`: three or more of one kind.
fn list(raw: &[Placed]) -> Option<(Part, usize)> {
    let mut numbers = vec![number_at(raw, 0)?];
    let mut length = 1;
    loop {
        let mut next = length;
        while let Some((Raw::Mark('/' | ',' | '&'), ..)) = raw.get(next) {
            next += 1;
        }
        if let Some((Raw::Word(word), ..)) = raw.get(next)
            && matches!(word.as_str(), "and" | "und")
        {
            next += 1;
        }
        // Two numbers side by side are no list, and the next may begin a ratio.
        let Some(number) = number_at(raw, next).filter(|_| next > length) else { break };
        if matches!(raw.get(next + 1), Some((Raw::Mark(':'), ..))) {
            break;
        }
        numbers.push(number);
        length = next + 1;
    }
    let unit = numbers.last().map(|last| last.unit)?;
    let alike = |number: &&Number| number.unit == unit || number.unit == Unit::None;
    if numbers.len() < 3 {
        // `48 and 32 px` says two things at once; which is whose, is anybody's guess.
        let bare = numbers.len() == 2 && numbers.first().is_some_and(|first| first.unit == Unit::None);
        return (bare && unit != Unit::None).then_some((Part::Number, length));
    }
    let small = |number: &&Number| (0.0..=400.0).contains(&number.value);
    if !numbers.iter().all(|number| alike(number) && small(number))
        || !matches!(unit, Unit::None | Unit::Pixels)
    {
        return Some((Part::Number, length));
    }
    let steps = numbers.iter().map(|number| number.value).collect();
    Some((Part::Figure { figure: ClaimFigure::Several(steps), exact: true }, length))
}

/// `14–16px`, `2.1-3.9:1`: from here to there, which no one thing is.
fn range(raw: &[Placed]) -> Option<(Part, usize)> {
    let joined = matches!(raw.get(1), Some((Raw::Mark('-' | '–' | '—'), ..)));
    number_at(raw, 2).filter(|_| joined)?;
    let ratio = matches!(raw.get(3), Some((Raw::Mark(':'), ..))) && number_at(raw, 4).is_some();
    Some((Part::Number, if ratio { 5 } else { 3 }))
}

/// Words that may stand between `contrast` and its number.
const OF: &[&str] =
    &["ratio", "of", "is", "at", "only", "just", "about", "around", "currently", "measures", "text"];

/// A ratio in words, such as `contrast of 3.9`.
fn contrast(number: &Number, raw: &[Placed], before: &[Part]) -> Option<(Part, usize)> {
    let near = before.iter().rev().take(5).map_while(|part| match part {
        Part::Word(word) => Some(word.as_str()),
        Part::Mark(mark) => matches!(mark, ':' | '=' | '~' | '≈').then_some("of"),
        Part::Figure { .. } | Part::Number => None,
    });
    let named = near.skip_while(|word| OF.contains(word)).take(1).any(|word| has(CONTRAST, word));
    let last = !matches!(raw.get(1), Some((Raw::Word(_) | Raw::Mark(':' | '/'), ..)));
    let fits = named
        && number.unit == Unit::None
        && (number.decimals > 0 || last)
        && !matches!(raw.get(1), Some((Raw::Mark(':' | '/'), ..)))
        && (1.0..=21.0).contains(&number.value);
    let exact = number.decimals > 0;
    fits.then_some((Part::Figure { figure: ClaimFigure::Ratio(number.value), exact }, 1))
}

/// A size, such as `64px` or `1.5rem`.
fn single(number: &Number) -> Part {
    let (figure, least, most) = match number.unit {
        Unit::Pixels => (ClaimFigure::Size(number.value), 4.0, 4000.0),
        Unit::Roots => (ClaimFigure::Roots(number.value), 0.25, 25.0),
        Unit::None | Unit::Other => return Part::Number,
    };
    if (least..=most).contains(&number.value) { Part::Figure { figure, exact: true } } else { Part::Number }
}

/// Words, marks and numbers.
fn raw(text: &str) -> Vec<Placed> {
    let mut found: Vec<Placed> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let mut chars = rest.chars();
        let (Some(first), second) = (chars.next(), chars.next()) else { break };
        let starts_name = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() || matches!(c, '-' | '_'));
        let length = if first.is_ascii_digit() {
            let (number, length) = number(rest);
            found.push((Raw::Number(number), at, at + length));
            length
        } else if first.is_alphabetic()
            || matches!(first, '.' | '#') && second.is_some_and(char::is_alphabetic)
        {
            let length = word(rest);
            words(rest.get(..length).unwrap_or_default(), at, &mut found);
            length
        } else if first == '#' {
            // `#333` is a colour.
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '#').unwrap_or(rest.len())
        } else if first == '<' && starts_name(second) {
            // `<h1>` is an element.
            let name: usize =
                rest.chars().skip(1).take_while(|c| c.is_alphanumeric()).map(char::len_utf8).sum();
            words(rest.get(1..=name).unwrap_or_default(), at + 1, &mut found);
            rest.find('>').map_or(1 + name, |end| end + 1)
        } else {
            if is_mark(first) {
                found.push((Raw::Mark(first), at, at + first.len_utf8()));
            }
            first.len_utf8()
        };
        at += length.max(1);
    }
    found
}

fn is_mark(c: char) -> bool {
    c == '\n'
        || !(c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '\'' | '“' | '”' | '„' | '‘' | '’'))
}

/// How long the word is: letters and digits, and what stands between them.
fn word(rest: &str) -> usize {
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let inside = matches!(c, '.' | '#' | '-' | '_' | '\'' | '’')
            && next.is_some_and(|next| next.is_alphabetic() || next == '_' || next == '-' && c != '.')
            || matches!(c, '-' | '_') && next.is_some_and(char::is_alphanumeric);
        if !c.is_alphanumeric() && !inside {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// A word, or the several that hyphens join. A selector stays whole.
fn words(word: &str, at: usize, found: &mut Vec<Placed>) {
    let lower = word.to_lowercase().replace('’', "'");
    let lower = lower.strip_suffix("'s").unwrap_or(&lower).trim_end_matches(['-', '_']);
    let end = at + word.len();
    if lower == "call-to-action" || lower == "calls-to-action" {
        found.push((Raw::Word("cta".to_owned()), at, end));
    } else if lower.contains(['.', '#']) {
        found.push((Raw::Word(lower.to_owned()), at, end));
    } else {
        for part in lower.split('-').filter(|part| !part.is_empty()) {
            found.push((Raw::Word(part.to_owned()), at, end));
        }
    }
}

/// A number with its unit, and how much of the text it is.
fn number(rest: &str) -> (Number, usize) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    let after = rest.get(whole..).unwrap_or_default();
    let fraction = match after.chars().next() {
        Some('.') => digits(after.get(1..).unwrap_or_default()),
        Some(',') => {
            let fraction = digits(after.get(1..).unwrap_or_default());
            let behind = after.get(1 + fraction..).unwrap_or_default();
            let listed = behind.starts_with(',') && behind.get(1..).is_some_and(|next| digits(next) > 0);
            // `3,9:1` and `1,5rem`, and not `12,16,24`.
            if (1..=2).contains(&fraction) && (fraction == 1 || whole == 1) && !listed { fraction } else { 0 }
        }
        _ => 0,
    };
    let mut length = if fraction == 0 { whole } else { whole + 1 + fraction };
    // `1.4.3` is the number of a rule.
    while let Some(next) = rest.get(length..).and_then(|rest| rest.strip_prefix('.')).map(digits)
        && fraction > 0
        && next > 0
    {
        length += 1 + next;
    }
    let plain = rest.get(..length).unwrap_or_default().replace(',', ".");
    let value = if length <= LONGEST_NUMBER { plain.parse().unwrap_or(f64::NAN) } else { f64::NAN };
    let behind = rest.get(length..).unwrap_or_default();
    let gap = usize::from(behind.starts_with([' ', '\u{a0}', '\u{202f}']));
    let spaced: usize = behind.chars().take(gap).map(char::len_utf8).sum();
    let letters: usize = behind
        .get(spaced..)
        .unwrap_or_default()
        .chars()
        .take_while(|c| c.is_alphabetic() || matches!(c, '%' | '×'))
        .map(char::len_utf8)
        .sum();
    let unit = behind.get(spaced..spaced + letters).unwrap_or_default().to_lowercase();
    let unit = match unit.as_str() {
        "px" | "pixel" | "pixels" => Unit::Pixels,
        "rem" | "rems" => Unit::Roots,
        "em" | "pt" | "%" | "vw" | "vh" | "ms" | "ch" | "dp" | "cm" | "mm" => Unit::Other,
        "" => Unit::None,
        _ if spaced == 0 => Unit::Other,
        _ => Unit::None,
    };
    let taken = if unit == Unit::None { length } else { length + spaced + letters };
    (Number { value, decimals: fraction, unit }, taken)
}
