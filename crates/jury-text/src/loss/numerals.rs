//! Numbers that are written as words, and what numbers are counted in.

use crate::language;

/// A number word: how it joins with those beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    /// Up to nineteen.
    Small(f64),
    Tens(f64),
    /// Multiplies what stands before it: hundred, dozen.
    Times(f64),
    /// Multiplies and closes what stands before it: thousand, million.
    Group(f64),
    /// A number of an order, a share, a number of times. It ends a number.
    Place(f64),
}

/// A number at the beginning of a row of words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spelled {
    /// Of how many words it is made.
    pub(super) words: usize,
    /// As digits.
    pub(super) number: String,
    /// Whether the word may say something else: "one of us", "first of all", "the second try".
    pub(super) soft: bool,
}

/// Reads the number that these words begin with, in lower case, each with whether it is tied to the one before it by
/// a space or a hyphen. `before` is the word before them.
pub(super) fn spelled(
    words: &[(&str, bool)],
    before: Option<&str>,
    language: Option<&str>,
) -> Option<Spelled> {
    let language = language.map_or_else(|| "en".to_owned(), language::primary);
    let (mut total, mut current) = (0.0, 0.0);
    let mut last: Option<Part> = None;
    let mut count = 0;
    for (index, (word, tied)) in words.iter().enumerate() {
        if index > 0 && !tied {
            break;
        }
        let joins = matches!(last, Some(Part::Times(_) | Part::Group(_)));
        if joins && matches!(*word, "and") {
            let next = words.get(index + 1).and_then(|(next, _)| part(next, &language));
            if matches!(next, Some(Part::Small(_) | Part::Tens(_) | Part::Place(_))) {
                continue;
            }
            break;
        }
        let Some(found) = part(word, &language) else { break };
        let follows = match (last, found) {
            (None, _) => true,
            (Some(Part::Small(_)), Part::Times(_) | Part::Group(_)) => true,
            // A share: one third, one half.
            (Some(Part::Small(_)), Part::Place(value)) => value > 1.0,
            (Some(Part::Small(_)), Part::Small(_) | Part::Tens(_)) => false,
            (Some(Part::Tens(_)), Part::Small(value) | Part::Place(value)) => value < 10.0,
            (Some(Part::Tens(_)), Part::Group(_)) => true,
            (Some(Part::Tens(_)), Part::Tens(_) | Part::Times(_)) => false,
            (Some(Part::Times(_) | Part::Group(_)), Part::Times(_)) => false,
            (Some(Part::Times(_)), _) => true,
            (Some(Part::Group(_)), found) => !matches!(found, Part::Group(_)),
            (Some(Part::Place(_)), _) => false,
        };
        if !follows {
            break;
        }
        match found {
            Part::Place(value) if matches!(last, Some(Part::Small(_))) => {
                current *= if value < 1.0 { value } else { 1.0 / value };
            }
            Part::Small(value) | Part::Tens(value) | Part::Place(value) => current += value,
            Part::Times(value) => current = f64::max(current, 1.0) * value,
            Part::Group(value) => {
                total += f64::max(current, 1.0) * value;
                current = 0.0;
            }
        }
        last = Some(found);
        count = index + 1;
        if matches!(found, Part::Place(_)) {
            break;
        }
    }
    let last = last?;
    let is_one = count == 1 && last == Part::Small(1.0);
    let next = words.get(count).map(|(next, _)| *next);
    if is_one
        && (before.is_some_and(|word| BEFORE_A_PRONOUN.contains(&word))
            || next.is_none_or(|word| BEHIND_A_PRONOUN.contains(&word)))
    {
        return None;
    }
    let soft = is_one || matches!(last, Part::Place(_));
    Some(Spelled { words: count, number: digits(total + current), soft })
}

/// A number times the word behind it: `2 million`, `1.5 thousand`.
pub(super) fn multiplied(number: &str, behind: &str, language: Option<&str>) -> Option<String> {
    let language = language.map_or_else(|| "en".to_owned(), language::primary);
    let word: String =
        behind.trim_start().chars().take_while(|ch| ch.is_alphabetic()).collect::<String>().to_lowercase();
    match part(&word, &language)? {
        Part::Times(times) | Part::Group(times) => {
            number.parse::<f64>().ok().map(|number| digits(number * times))
        }
        Part::Small(_) | Part::Tens(_) | Part::Place(_) => None,
    }
}

/// A number as digits, without zeros at its end.
fn digits(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Words before and behind "one" where it stands for somebody or something.
const BEFORE_A_PRONOUN: &[&str] = &[
    "no", "the", "this", "that", "each", "every", "any", "which", "some", "another", "good", "new", "right",
    "last", "next", "first",
];
const BEHIND_A_PRONOUN: &[&str] = &[
    "of", "another", "can", "could", "must", "should", "may", "is", "was", "who", "that", "thing", "might",
    "will",
];

const ENGLISH: &[(&str, Part)] = &[
    ("zero", Part::Small(0.0)),
    ("one", Part::Small(1.0)),
    ("two", Part::Small(2.0)),
    ("three", Part::Small(3.0)),
    ("four", Part::Small(4.0)),
    ("five", Part::Small(5.0)),
    ("six", Part::Small(6.0)),
    ("seven", Part::Small(7.0)),
    ("eight", Part::Small(8.0)),
    ("nine", Part::Small(9.0)),
    ("ten", Part::Small(10.0)),
    ("eleven", Part::Small(11.0)),
    ("twelve", Part::Small(12.0)),
    ("thirteen", Part::Small(13.0)),
    ("fourteen", Part::Small(14.0)),
    ("fifteen", Part::Small(15.0)),
    ("sixteen", Part::Small(16.0)),
    ("seventeen", Part::Small(17.0)),
    ("eighteen", Part::Small(18.0)),
    ("nineteen", Part::Small(19.0)),
    ("twenty", Part::Tens(20.0)),
    ("thirty", Part::Tens(30.0)),
    ("forty", Part::Tens(40.0)),
    ("fifty", Part::Tens(50.0)),
    ("sixty", Part::Tens(60.0)),
    ("seventy", Part::Tens(70.0)),
    ("eighty", Part::Tens(80.0)),
    ("ninety", Part::Tens(90.0)),
    ("hundred", Part::Times(100.0)),
    ("hundreds", Part::Times(100.0)),
    ("dozen", Part::Times(12.0)),
    ("dozens", Part::Times(12.0)),
    ("thousand", Part::Group(1e3)),
    ("thousands", Part::Group(1e3)),
    ("million", Part::Group(1e6)),
    ("millions", Part::Group(1e6)),
    ("billion", Part::Group(1e9)),
    ("billions", Part::Group(1e9)),
    ("first", Part::Place(1.0)),
    ("second", Part::Place(2.0)),
    ("third", Part::Place(3.0)),
    ("fourth", Part::Place(4.0)),
    ("fifth", Part::Place(5.0)),
    ("sixth", Part::Place(6.0)),
    ("seventh", Part::Place(7.0)),
    ("eighth", Part::Place(8.0)),
    ("ninth", Part::Place(9.0)),
    ("tenth", Part::Place(10.0)),
    ("eleventh", Part::Place(11.0)),
    ("twelfth", Part::Place(12.0)),
    ("thirteenth", Part::Place(13.0)),
    ("fourteenth", Part::Place(14.0)),
    ("fifteenth", Part::Place(15.0)),
    ("sixteenth", Part::Place(16.0)),
    ("seventeenth", Part::Place(17.0)),
    ("eighteenth", Part::Place(18.0)),
    ("nineteenth", Part::Place(19.0)),
    ("twentieth", Part::Place(20.0)),
    ("thirtieth", Part::Place(30.0)),
    ("fortieth", Part::Place(40.0)),
    ("fiftieth", Part::Place(50.0)),
    ("half", Part::Place(0.5)),
    ("quarter", Part::Place(0.25)),
    ("once", Part::Place(1.0)),
    ("twice", Part::Place(2.0)),
    ("thrice", Part::Place(3.0)),
    ("double", Part::Place(2.0)),
    ("triple", Part::Place(3.0)),
];

/// The small numbers of other languages from two on (one is their article), then tens, hundred and thousand, by value.
const OTHERS: &[(&str, &[(&str, f64)])] = &[
    (
        "de",
        &[
            ("zwei", 2.0),
            ("drei", 3.0),
            ("vier", 4.0),
            ("fünf", 5.0),
            ("sechs", 6.0),
            ("sieben", 7.0),
            ("acht", 8.0),
            ("neun", 9.0),
            ("zehn", 10.0),
            ("elf", 11.0),
            ("zwölf", 12.0),
            ("dreizehn", 13.0),
            ("vierzehn", 14.0),
            ("fünfzehn", 15.0),
            ("sechzehn", 16.0),
            ("siebzehn", 17.0),
            ("achtzehn", 18.0),
            ("neunzehn", 19.0),
            ("zwanzig", 20.0),
            ("dreißig", 30.0),
            ("dreissig", 30.0),
            ("vierzig", 40.0),
            ("fünfzig", 50.0),
            ("sechzig", 60.0),
            ("siebzig", 70.0),
            ("achtzig", 80.0),
            ("neunzig", 90.0),
            ("hundert", 100.0),
            ("tausend", 1000.0),
        ],
    ),
    (
        "fr",
        &[
            ("deux", 2.0),
            ("trois", 3.0),
            ("quatre", 4.0),
            ("cinq", 5.0),
            ("six", 6.0),
            ("sept", 7.0),
            ("huit", 8.0),
            ("dix", 10.0),
            ("onze", 11.0),
            ("douze", 12.0),
            ("treize", 13.0),
            ("quatorze", 14.0),
            ("quinze", 15.0),
            ("seize", 16.0),
            ("vingt", 20.0),
            ("trente", 30.0),
            ("quarante", 40.0),
            ("cinquante", 50.0),
            ("soixante", 60.0),
            ("cent", 100.0),
            ("mille", 1000.0),
        ],
    ),
    (
        "es",
        &[
            ("dos", 2.0),
            ("tres", 3.0),
            ("cuatro", 4.0),
            ("cinco", 5.0),
            ("seis", 6.0),
            ("siete", 7.0),
            ("ocho", 8.0),
            ("nueve", 9.0),
            ("diez", 10.0),
            ("once", 11.0),
            ("doce", 12.0),
            ("trece", 13.0),
            ("catorce", 14.0),
            ("quince", 15.0),
            ("veinte", 20.0),
            ("treinta", 30.0),
            ("cuarenta", 40.0),
            ("cincuenta", 50.0),
            ("sesenta", 60.0),
            ("setenta", 70.0),
            ("ochenta", 80.0),
            ("noventa", 90.0),
            ("cien", 100.0),
            ("ciento", 100.0),
            ("mil", 1000.0),
        ],
    ),
    (
        "it",
        &[
            ("due", 2.0),
            ("tre", 3.0),
            ("quattro", 4.0),
            ("cinque", 5.0),
            ("sei", 6.0),
            ("sette", 7.0),
            ("otto", 8.0),
            ("nove", 9.0),
            ("dieci", 10.0),
            ("undici", 11.0),
            ("dodici", 12.0),
            ("quindici", 15.0),
            ("venti", 20.0),
            ("trenta", 30.0),
            ("quaranta", 40.0),
            ("cinquanta", 50.0),
            ("sessanta", 60.0),
            ("cento", 100.0),
            ("mille", 1000.0),
        ],
    ),
    (
        "pt",
        &[
            ("dois", 2.0),
            ("duas", 2.0),
            ("três", 3.0),
            ("quatro", 4.0),
            ("cinco", 5.0),
            ("seis", 6.0),
            ("sete", 7.0),
            ("oito", 8.0),
            ("nove", 9.0),
            ("dez", 10.0),
            ("onze", 11.0),
            ("doze", 12.0),
            ("quinze", 15.0),
            ("vinte", 20.0),
            ("trinta", 30.0),
            ("quarenta", 40.0),
            ("cinquenta", 50.0),
            ("sessenta", 60.0),
            ("noventa", 90.0),
            ("cem", 100.0),
            ("mil", 1000.0),
        ],
    ),
    (
        "nl",
        &[
            ("twee", 2.0),
            ("drie", 3.0),
            ("vier", 4.0),
            ("vijf", 5.0),
            ("zes", 6.0),
            ("zeven", 7.0),
            ("acht", 8.0),
            ("negen", 9.0),
            ("tien", 10.0),
            ("elf", 11.0),
            ("twaalf", 12.0),
            ("vijftien", 15.0),
            ("twintig", 20.0),
            ("dertig", 30.0),
            ("veertig", 40.0),
            ("vijftig", 50.0),
            ("zestig", 60.0),
            ("zeventig", 70.0),
            ("tachtig", 80.0),
            ("negentig", 90.0),
            ("honderd", 100.0),
            ("duizend", 1000.0),
        ],
    ),
];

fn part(word: &str, language: &str) -> Option<Part> {
    let own = OTHERS.iter().find(|(tag, _)| *tag == language);
    let Some((_, words)) = own else {
        return ENGLISH.iter().find(|(known, _)| *known == word).map(|(_, part)| *part);
    };
    let value = |word: &str| words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value);
    let of = |value: f64| match value {
        _ if value >= 1000.0 => Part::Group(value),
        _ if value >= 100.0 => Part::Times(value),
        _ if value >= 20.0 => Part::Tens(value),
        _ => Part::Small(value),
    };
    // Five and twenty, in one word.
    let turned = || {
        let (small, tens) = word.split_once(if language == "nl" { "en" } else { "und" })?;
        let small = if small == "ein" { 1.0 } else { value(small).filter(|value| *value < 10.0)? };
        Some(Part::Small(small + value(tens).filter(|value| (20.0..100.0).contains(value))?))
    };
    value(word).map(of).or_else(|| turned().filter(|_| matches!(language, "de" | "nl")))
}

/// What numbers are counted in, beside money: the word behind them, and its plain form.
const UNITS: &[(&str, &str)] = &[
    ("second", "second"),
    ("seconds", "second"),
    ("sec", "second"),
    ("secs", "second"),
    ("ms", "ms"),
    ("minute", "minute"),
    ("minutes", "minute"),
    ("min", "minute"),
    ("mins", "minute"),
    ("hour", "hour"),
    ("hours", "hour"),
    ("hrs", "hour"),
    ("hr", "hour"),
    ("h", "hour"),
    ("day", "day"),
    ("days", "day"),
    ("night", "night"),
    ("nights", "night"),
    ("week", "week"),
    ("weeks", "week"),
    ("wk", "week"),
    ("month", "month"),
    ("months", "month"),
    ("mo", "month"),
    ("year", "year"),
    ("years", "year"),
    ("yr", "year"),
    ("yrs", "year"),
    ("am", "am"),
    ("a.m", "am"),
    ("pm", "pm"),
    ("p.m", "pm"),
    ("km", "km"),
    ("kilometres", "km"),
    ("kilometers", "km"),
    ("mile", "mile"),
    ("miles", "mile"),
    ("cm", "cm"),
    ("mm", "mm"),
    ("inch", "inch"),
    ("inches", "inch"),
    ("feet", "foot"),
    ("ft", "foot"),
    ("kg", "kg"),
    ("lb", "pound"),
    ("lbs", "pound"),
    ("kb", "kb"),
    ("mb", "mb"),
    ("gb", "gb"),
    ("tb", "tb"),
    ("tag", "day"),
    ("tage", "day"),
    ("tagen", "day"),
    ("stunde", "hour"),
    ("stunden", "hour"),
    ("minuten", "minute"),
    ("woche", "week"),
    ("wochen", "week"),
    ("monat", "month"),
    ("monate", "month"),
    ("monaten", "month"),
    ("jahr", "year"),
    ("jahre", "year"),
    ("jahren", "year"),
    ("uhr", "uhr"),
    ("x", "times"),
];

/// What a number is counted in, beside money, or what a sum of money is paid for: `30 days`, `10 am`, `€9 per month`. Empty
/// if that is not said.
pub(super) fn counted_in(behind: &str) -> String {
    let lower = behind.chars().take(40).collect::<String>().to_lowercase();
    let rest = lower.trim_start_matches([' ', '-', '\u{a0}', '\n']);
    if let Some(unit) = unit_at(rest) {
        return unit.to_owned();
    }
    // A sign or a word of money may stand between.
    let money = rest.find(|ch: char| !(ch.is_alphabetic() || "€$£¥".contains(ch))).unwrap_or(rest.len());
    let past = rest.get(money..).unwrap_or_default().trim_start();
    let paid = [rest, past].into_iter().find_map(|rest| {
        let per =
            ["/", "per ", "a ", "an ", "pro ", "each "].iter().find_map(|word| rest.strip_prefix(word))?;
        unit_at(per.trim_start())
    });
    paid.map_or_else(String::new, |unit| format!("/{unit}"))
}

fn unit_at(text: &str) -> Option<&'static str> {
    let dotted = text.starts_with("a.m") || text.starts_with("p.m");
    let end = if dotted { 3 } else { text.find(|ch: char| !ch.is_alphanumeric()).unwrap_or(text.len()) };
    let word = text.get(..end)?;
    UNITS.iter().find(|(known, _)| *known == word).map(|(_, unit)| *unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, language: &str) -> Option<(String, usize, bool)> {
        let words: Vec<(&str, bool)> = text.split([' ', '-']).map(|word| (word, true)).collect();
        spelled(&words, None, Some(language)).map(|found| (found.number, found.words, found.soft))
    }

    #[test]
    fn numbers_are_read_in_words() {
        for (text, language, number, count) in [
            ("thirty days", "en", "30", 1),
            ("twenty-five bowls", "en", "25", 2),
            ("one hundred and twenty bowls", "en", "120", 4),
            ("two thousand three hundred", "en", "2300", 4),
            ("ten to three", "en", "10", 1),
            ("two dozen eggs", "en", "24", 2),
            ("three and a half", "en", "3", 1),
            ("fünfundzwanzig tage", "de", "25", 1),
            ("dreißig tage", "de", "30", 1),
            ("trente jours", "fr", "30", 1),
            ("treinta días", "es", "30", 1),
        ] {
            assert_eq!(read(text, language), Some((number.to_owned(), count, false)), "{text}");
        }
        assert_eq!(read("first saturday", "en"), Some(("1".to_owned(), 1, true)));
        assert_eq!(read("twenty-first birthday", "en"), Some(("21".to_owned(), 2, true)));
        assert_eq!(read("one third of it", "en"), Some(("0.3333".to_owned(), 2, true)));
        assert_eq!(read("one day", "en"), Some(("1".to_owned(), 1, true)));
        for text in ["one of us", "often", "tent"] {
            assert_eq!(read(text, "en"), None, "{text}");
        }
        assert_eq!(read("sept", "en"), None);
        assert_eq!(multiplied("1.5", " million users", None), Some("1500000".to_owned()));
    }

    #[test]
    fn what_is_counted_is_told_apart() {
        for (behind, unit) in [
            (" days if", "day"),
            ("-day trial", "day"),
            ("h", "hour"),
            (" a.m.", "am"),
            (" pm", "pm"),
            (" bowls", ""),
            ("", ""),
            (" euros per month", "/month"),
            (" / mo", "/month"),
            (" € a year", "/year"),
            (" dayflowers", ""),
        ] {
            assert_eq!(counted_in(behind), unit, "{behind}");
        }
    }
}
