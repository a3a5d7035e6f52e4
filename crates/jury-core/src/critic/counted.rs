//! Figures in prose: whether a text says how much was looked at, and how much of it is affected.
//!
//! A figure is a count of something that was checked: `14 of 14`, `none of five`, `0 links`, `checked: 12`, `95 % of the
//! steps`. A number that names something is none: `version 2`, `§3`, `FR-12`, a date, a year, a number that stands alone. A
//! mark is none either: `10/10`, `100 %`, `five out of five`, `5 stars` praise, and do not say of what they are so many. Number
//! words are read in English and in German.

mod direction;
mod matter;
mod supposed;

pub(super) use direction::{looked_at_none, says_the_opposite};
pub(super) use matter::{Matter, affirms, is_against, is_look};
use supposed::{is_supposed, is_unlooked, lacks_part};

/// What the numbers of a text are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Figures {
    /// Something is counted.
    counts: bool,
    /// All that is counted is a part of nothing: `0 of 0`.
    of_nothing: bool,
    /// Something is measured: a time, a size, a price.
    amounts: bool,
}

/// Whether a text counts something that was looked at.
pub fn has_figure(text: &str) -> bool {
    Figures::of(text).counts
}

/// Whether a text counts or measures something: a way to fail is ruled out by a time or a size as well.
pub(super) fn has_amount(text: &str) -> bool {
    let figures = Figures::of(text);
    figures.counts || figures.amounts
}

/// Whether a text counts, and only parts of nothing: `0 of 0`.
pub(super) fn is_of_nothing(text: &str) -> bool {
    let figures = Figures::of(text);
    figures.counts && figures.of_nothing
}

/// Numbers in words, each line those of one number from zero on; the last line those from twenty on, whose value does not
/// matter.
const NUMBERS: &[&str] = &[
    "zero none neither null kein keine keiner keines keins keinen",
    "one ein eine einer eines eins",
    "two zwei",
    "three drei",
    "four vier",
    "five fünf",
    "six sechs",
    "seven sieben",
    "eight acht",
    "nine neun",
    "ten zehn",
    "eleven elf",
    "twelve zwölf",
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty zwanzig thirty dreißig forty fifty hundred hundert",
];

/// The number from which on the value of a number word is not known.
const LARGEST_NAMED: u64 = 13;

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Number words that are more often something else, and count only as a part: `one of five`, `keiner von fünf`.
const ONLY_PARTS: &str =
    "none neither one null kein keine keiner keines keins keinen ein eine einer eines eins";

/// All of them, in front of how many that is: `all five`.
const ALL: &str = "all each every both any alle allen aller jede jeder jedes beide beiden";

/// Between a part and the whole.
const OF: &str = "of von aus out from among the these those all its der den allen insgesamt";

/// What a number behind it names: a part of a text, a version, a product, a place in an order.
const LABELS: &str = "version versions steps ver v release revision rev edition draft build patch section sections sec sect \
    chapter chapters ch part paragraph para clause article art appendix annex figure fig table tab page \
    pages p pp line lines column row step phase stage milestone sprint iteration round pass requirement \
    req criterion item point question issue ticket bug pr story task rule option level tier layer type \
    class grade heading attempt slide score rating no nr number id status error priority severity port rfc iso iec din en ieee http \
    ipv tls utf sha md python java rust node php html css es q quarter week day year month room floor \
    windows wcag since until abschnitt kapitel seite zeile schritt teil punkt nummer tabelle abbildung \
    abb absatz artikel stufe ebene anforderung aufgabe woche quartal jahr seit bis fassung ausgabe stand";

/// What counts, in front of a number that nothing stands behind: `checked 12`.
const COUNTING: &str = "checked found counted examined reviewed affected missing total verified tested matched covered \
    wanted exit of all only exactly passed failed coverage abdeckung geprüft gefunden betroffen gezählt insgesamt fehlen \
    alle";

/// Words behind a number that are not what it counts.
const NOT_COUNTED: &str = "is are was were be has have had does do and or but in on at to for with the a an it its this that \
    these as by so not no too looks seems works reads says covers describes holds means applies if then \
    than which also ist sind war hat und oder aber auf zu für mit die das er sie es dass th st nd rd \
    edition version release";

/// What a month is called: the number beside it is a day or a year.
const MONTHS: &str = "january february march april may june july august september october november december jan feb mar \
    apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember";

/// What is measured and not counted.
const UNITS: &str = "ns µs ms s sec secs second seconds min mins minute minutes h hour hours day days week weeks month \
    months year years b kb mb gb tb kib mib gib px pt em rem eur euro euros usd dollar dollars cents km \
    character characters char chars byte bytes zeichen m cm mm kg g hz mhz ghz sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat \
    monate monaten jahr jahre jahren";

/// What is not there in so many pieces: praise, and how often or by whom somebody looked.
const UNCOUNTABLE: &str = "quality perfection excellence confidence certainty satisfaction compliance clarity stars star \
    thumbs times time mal look looks reads eyes opinions reviewers reviewer doubt doubts worry worries reservations \
    probability likelihood chance sterne qualität zweifel sicherheit wahrscheinlichkeit";

/// What a share is not of: how sure somebody is, or how good it is.
const PRAISE: &str = "sure certain confident convinced likely unlikely probable sicher überzeugt complete compliant correct covered done fine finished \
    good great ok okay perfect ready right safe solid true clean fertig gut korrekt vollständig";

/// Between a number and what it is a number of, without saying that.
const LITTLE: &str = "about around roughly only at least most top over under above below nearly almost than up to by fully \
    etwa rund mindestens über unter fast";

/// The wholes that marks are given in.
const SCALES: [u64; 6] = [3, 5, 6, 10, 20, 100];

/// What marks are called.
const MARKS: &str = "points point marks mark score scores grade rating stars star punkte note";

/// A word of the text.
#[derive(Debug, Clone)]
struct Token {
    /// In small letters, without what stands around it.
    word: String,
    /// It began with a capital letter.
    capital: bool,
    /// A colon or an equals sign stands behind it.
    labels: bool,
    /// It is the first word in brackets.
    opens: bool,
    end: End,
    value: Value,
}

/// What ends behind a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Nothing,
    /// A part of a sentence.
    Part,
    Sentence,
    Question,
}

impl End {
    fn of(tail: &str) -> Self {
        if tail.contains('?') {
            Self::Question
        } else if tail.contains([';', '.', '!']) {
            Self::Sentence
        } else if tail.contains(',') {
            Self::Part
        } else {
            Self::Nothing
        }
    }
}

impl Token {
    /// Whether a sentence or a part of one ends behind it.
    fn ends(&self) -> bool {
        self.end != End::Nothing
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Word,
    /// A whole number in digits.
    Digits(u64),
    /// One in words.
    Named(u64),
    /// A part with its whole, `12/14`.
    Part(u64),
    /// `95%`.
    Share {
        /// None or all of it, which is a way to say so and no count.
        whole: bool,
    },
    /// `4.5:1`.
    Ratio,
    /// A number with its unit, `300ms`, or one that is not whole.
    Amount,
}

impl Figures {
    fn of(text: &str) -> Self {
        if is_unlooked(text) {
            return Self::default();
        }
        let tokens = tokens(text);
        let mut figures = Self { of_nothing: true, ..Self::default() };
        let mut count = |of_nothing: bool| {
            figures.counts = true;
            figures.of_nothing &= of_nothing;
        };
        let mut amounts = false;
        // The last token of a part with its whole.
        let mut taken = 0;
        for (at, token) in tokens.iter().enumerate() {
            if at > 0 && at <= taken {
                continue;
            }
            let before = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|before| !before.ends());
            // `steps (3/3)` are so many of them, `step 3/3` is one.
            let part_of_several = matches!(token.value, Value::Part(_)) && before.is_some_and(is_plural);
            // `step (2 of 2)` is no place in a row.
            let is_apart = token.opens && whole(&tokens, at).is_some();
            if is_name(before) && !part_of_several && !is_apart
                || is_listed(&tokens, at)
                || is_date(&tokens, at)
            {
                // `page 2 of 3`: what a name is one of is no count either.
                let is_label = before.is_some_and(|before| has(LABELS, &before.word) && !is_plural(before));
                taken = whole(&tokens, at).filter(|_| is_label).map_or(taken, |(_, end)| end);
                continue;
            }
            if is_supposed(&tokens, at) || lacks_part(&tokens, at) {
                continue;
            }
            let next = tokens.get(at + 1).filter(|_| !token.ends());
            match token.value {
                Value::Word => {}
                Value::Part(whole) if is_of_things(next, before) => count(whole == 0),
                Value::Part(_) => {}
                Value::Share { whole } => match share(&tokens, at, before, whole) {
                    Kind::Count => count(false),
                    Kind::Amount => amounts = true,
                    Kind::Part { .. } | Kind::Mark { .. } | Kind::Other => {}
                },
                Value::Ratio => count(false),
                Value::Amount => amounts = true,
                Value::Digits(number) | Value::Named(number) => match kind(&tokens, at, before, number) {
                    Kind::Part { whole, end } => {
                        taken = end;
                        count(whole == 0);
                    }
                    Kind::Mark { end } => taken = end,
                    Kind::Count => count(false),
                    Kind::Amount => amounts = true,
                    Kind::Other => {}
                },
            }
        }
        figures.amounts = amounts;
        figures.of_nothing &= figures.counts;
        figures
    }
}

enum Kind {
    /// A part of so many; the whole is the token at the end.
    Part {
        whole: u64,
        end: usize,
    },
    /// A mark, with the token at its end.
    Mark {
        end: usize,
    },
    Count,
    Amount,
    Other,
}

/// What a number is, by what stands around it.
fn kind(tokens: &[Token], at: usize, before: Option<&Token>, number: u64) -> Kind {
    let Some(token) = tokens.get(at) else { return Kind::Other };
    let word = |token: &Token, list: &str| has(list, &token.word);
    if let Some((whole, end)) = whole(tokens, at) {
        // `ten out of ten` is a mark, `ten out of ten links` is not.
        let last = tokens.get(end);
        let behind = tokens.get(end + 1).filter(|_| last.is_some_and(|last| !last.ends()));
        let out = tokens.get(at + 1).is_some_and(|next| next.word == "out");
        let marks = |next: &Token| {
            word(next, UNCOUNTABLE) || word(next, MARKS) && (next.ends() || tokens.get(end + 2).is_none())
        };
        // One of one opinion is not something that was looked at.
        let is_mark = behind.is_some_and(|next| word(next, UNCOUNTABLE))
            || SCALES.contains(&whole)
                && behind.map_or(out, |next| marks(next) || out && word(next, NOT_COUNTED));
        // There are no five of two.
        let is_possible = number <= whole || whole >= LARGEST_NAMED;
        return if is_mark || !is_possible { Kind::Mark { end } } else { Kind::Part { whole, end } };
    }
    let named = matches!(token.value, Value::Named(_));
    if named && has(ONLY_PARTS, &token.word) {
        return Kind::Other;
    }
    let counts = before.is_some_and(|before| word(before, COUNTING) || word(before, ALL));
    match tokens.get(at + 1).filter(|_| !token.ends()) {
        Some(next) if word(next, UNITS) => Kind::Amount,
        Some(next) if word(next, "percent prozent") => {
            share(tokens, at + 1, before, number == 0 || number == 100 || word(token, "hundred hundert"))
        }
        Some(next) if word(next, UNCOUNTABLE) => Kind::Other,
        // `top 5 material`: a place in an order.
        Some(next) if before.is_some_and(|before| word(before, "top best")) && !is_plural(next) => {
            Kind::Other
        }
        // `in 2026 nothing changed`, `the 2026 plan`: a year, unless there are so many of something.
        Some(next) if is_year(number) && !next.word.ends_with('s') && !next.word.ends_with("en") => {
            Kind::Other
        }
        Some(next) if next.value == Value::Word && !word(next, NOT_COUNTED) && is_word(&next.word) => {
            Kind::Count
        }
        Some(_) | None if counts && !named => Kind::Count,
        // `all five`, `links: 12`.
        Some(_) | None
            if counts || (before.is_some_and(|before| before.labels && is_plural(before)) && !named) =>
        {
            Kind::Count
        }
        Some(_) | None => Kind::Other,
    }
}

/// Whether it is said what a part like `12/12` is a part of, behind it or before it.
fn is_of_things(next: Option<&Token>, before: Option<&Token>) -> bool {
    let counted = |next: &Token| {
        let none = has(NOT_COUNTED, &next.word) || has(UNCOUNTABLE, &next.word) || has(MARKS, &next.word);
        next.value == Value::Word && !none && !has(PRAISE, &next.word) && is_word(&next.word)
    };
    next.is_some_and(counted) || before.is_some_and(|before| is_plural(before) && !has(MARKS, &before.word))
}

/// What a share is that ends at this token. It is a count when it says of what; else it is at most an amount.
fn share(tokens: &[Token], at: usize, before: Option<&Token>, whole: bool) -> Kind {
    let next = |step: usize| {
        let between = tokens.get(at..at + step).unwrap_or_default();
        tokens.get(at + step).filter(|_| between.iter().all(|token| !token.ends()))
    };
    let is = |token: Option<&Token>, list: &str| token.is_some_and(|token| has(list, &token.word));
    let beside = before.is_some_and(|before| has(UNCOUNTABLE, &before.word));
    if is(next(1), PRAISE) || is(next(1), UNCOUNTABLE) || beside {
        return Kind::Other;
    }
    let several =
        |token: &Token| is_plural(token) || token.value != Value::Word || has("them denen", &token.word);
    if is(next(1), "of der von aller") {
        let mut of = (2..=5).filter_map(next);
        let vague = (2..=3).any(|step| is(next(step), UNCOUNTABLE));
        let counts = if whole { of.any(several) } else { !vague && !is(next(2), "it everything course") };
        return if counts { Kind::Count } else { Kind::Other };
    }
    let measured = |token: Option<&Token>| is(token, "coverage abdeckung");
    if measured(next(1)) || measured(next(2)) || measured(before) {
        return Kind::Count;
    }
    if whole {
        return Kind::Other;
    }
    let thing = |token: Option<&Token>| {
        token.is_some_and(|token| token.value == Value::Word && is_word(&token.word))
            && !is(token, NOT_COUNTED)
            && !is(token, LITTLE)
    };
    if thing(next(1)) || (thing(before) && !is(before, PRAISE)) { Kind::Count } else { Kind::Amount }
}

/// How many there are of which the number is a part: `3 of the 7`, `none of five`.
fn whole(tokens: &[Token], at: usize) -> Option<(u64, usize)> {
    let mut seen_of = false;
    for index in at..at + 4 {
        if tokens.get(index).is_none_or(Token::ends) {
            return None;
        }
        let next = tokens.get(index + 1)?;
        match next.value {
            Value::Digits(number) | Value::Named(number) if seen_of => return Some((number, index + 1)),
            Value::Word if has(OF, &next.word) => {
                seen_of |= matches!(next.word.as_str(), "of" | "von" | "aus" | "from" | "among");
            }
            Value::Word
            | Value::Digits(_)
            | Value::Named(_)
            | Value::Part(_)
            | Value::Share { .. }
            | Value::Ratio
            | Value::Amount => return None,
        }
    }
    None
}

/// The word in front of a number makes it a name: `version 2`, `Python 3`.
fn is_name(before: Option<&Token>) -> bool {
    let Some(before) = before.filter(|before| before.value == Value::Word) else { return false };
    if has(LABELS, &before.word) {
        // `Lines: 40` are so many lines, `line 40` is one.
        return !(before.labels && has("versions sections chapters pages lines steps", &before.word));
    }
    // A name in front of its number is written with a capital letter, as is the first word of an answer.
    let opens = has(COUNTING, &before.word)
        || has(ALL, &before.word)
        || has(OF, &before.word)
        || has(OPENERS, &before.word);
    before.capital && !before.labels && !opens
}

/// One of several numbers behind one label: `sections 2, 3 and 4`.
fn is_listed(tokens: &[Token], at: usize) -> bool {
    let listed = |token: &&Token| {
        matches!(token.value, Value::Digits(_)) || has("and or to through und oder bis", &token.word)
    };
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev().peekable();
    let mut numbers = 0_usize;
    while let Some(token) = before.next_if(listed) {
        numbers += usize::from(matches!(token.value, Value::Digits(_)));
    }
    numbers > 0
        && before
            .next()
            .is_some_and(|token| token.value == Value::Word && !token.ends() && has(LABELS, &token.word))
}

/// First words of a sentence that a count stands behind.
const OPENERS: &str = "about around at has have in with there are is read looked lists names yes no and contains over \
    nearly almost least most we i compared followed opened went es sind mit etwa rund mindestens ja nein \
    gelesen through for after between together altogether overall result links steps tests sources none";

/// A day of a month, or a year beside one.
fn is_date(tokens: &[Token], at: usize) -> bool {
    let month = |index: Option<usize>| {
        let token = index.and_then(|index| tokens.get(index));
        token.is_some_and(|token| token.value == Value::Word && has(MONTHS, &token.word))
    };
    let Some(Token { value: Value::Digits(number), .. }) = tokens.get(at) else { return false };
    let beside = month(at.checked_sub(1)) || (month(Some(at + 1)) && *number <= 31);
    beside || (is_year(*number) && month(at.checked_sub(2)))
}

fn is_year(number: u64) -> bool {
    (1900..2200).contains(&number)
}

fn is_word(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
}

/// What is counted in front of its number: `links: 12`, `affected = 0`.
fn is_plural(token: &Token) -> bool {
    let word = token.word.as_str();
    has(COUNTING, word) || (word.len() > 3 && word.ends_with('s') && !word.ends_with("ss"))
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let around = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '"' | '“' | '”' | '→');
    let mut opened = false;
    for piece in text.split_inclusive(around) {
        let bare = piece.trim_end_matches(around);
        let first = tokens.len();
        // `affected=0` is two of them.
        let mut rest = bare;
        while let Some((label, behind)) = rest.split_once('=') {
            push(label, true, &mut tokens);
            rest = behind;
        }
        push(rest, false, &mut tokens);
        if let Some(token) = tokens.get_mut(first) {
            token.opens = std::mem::take(&mut opened);
        }
        opened |= piece.ends_with(['(', '[']);
    }
    tokens
}

fn push(piece: &str, labels: bool, tokens: &mut Vec<Token>) {
    if piece.is_empty() {
        if labels && let Some(last) = tokens.last_mut() {
            last.labels = true;
        }
        return;
    }
    let around = [',', ';', '.', ':', '!', '?', '*', '`', '\'', '’'];
    let begun = piece.trim_start_matches(around);
    let bare = begun.trim_end_matches(around);
    let tail = begun.get(bare.len()..).unwrap_or_default();
    if bare.is_empty() {
        if let Some(last) = tokens.last_mut() {
            last.end = match (last.end, piece.contains('?')) {
                (End::Question, _) | (_, true) => End::Question,
                (End::Sentence, false) => End::Sentence,
                (End::Nothing | End::Part, false) => End::Part,
            };
        }
        return;
    }
    let word = bare.to_lowercase();
    let value = value(&word);
    // `95 %` is one number.
    if word == "%"
        && let Some(last) = tokens.last_mut()
        && matches!(last.value, Value::Digits(_) | Value::Amount)
    {
        let whole = matches!(last.value, Value::Digits(0 | 100));
        (last.value, last.end) = (Value::Share { whole }, End::of(tail));
        return;
    }
    // A number with a colon behind it ends what is said before it.
    let end = match End::of(tail) {
        End::Nothing if tail.contains(':') && value != Value::Word => End::Part,
        end @ (End::Nothing | End::Part | End::Sentence | End::Question) => end,
    };
    tokens.push(Token {
        capital: bare.starts_with(char::is_uppercase),
        labels: labels || tail.contains(':'),
        opens: false,
        end,
        value,
        word,
    });
}

fn value(word: &str) -> Value {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((number, _)) = (0_u64..).zip(NUMBERS).find(|(_, words)| has(words, word)) {
        return Value::Named(number);
    }
    if digits(word) {
        return word.parse().map_or(Value::Amount, Value::Digits);
    }
    // `1,234` and `1'234`.
    let joined: String = word.chars().filter(|c| !matches!(c, ',' | '\'' | '’' | '_')).collect();
    if digits(&joined) && word.starts_with(|c: char| c.is_ascii_digit()) {
        return joined.parse().map_or(Value::Amount, Value::Digits);
    }
    if let Some((part, whole)) = word.split_once('/')
        && digits(part)
        && digits(whole)
        && part.len() <= whole.len()
        && part.parse::<u64>().ok() <= whole.parse::<u64>().ok()
    {
        return whole.parse().map_or(Value::Word, Value::Part);
    }
    let is_number = |text: &str| {
        let (whole, rest) = text.split_once(['.', ',']).unwrap_or((text, "0"));
        digits(whole) && digits(rest)
    };
    if let Some(share) = word.strip_suffix('%').filter(|share| is_number(share)) {
        return Value::Share { whole: matches!(share, "0" | "100") };
    }
    if word.strip_suffix(":1").is_some_and(is_number) {
        return Value::Ratio;
    }
    let number = word.trim_start_matches(['$', '€', '£']);
    let number = number.trim_end_matches(|c: char| c.is_alphabetic() || c == '€');
    let unit = word.trim_start_matches(|c: char| !c.is_alphabetic());
    let has_unit = unit.is_empty() || has(UNITS, unit);
    if is_number(number) && has_unit { Value::Amount } else { Value::Word }
}

#[cfg(test)]
mod tests;
