//! The words of a text in a form in which they can be compared.

use super::numerals::{counted_in, multiplied, spelled};

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordKind {
    Plain,
    /// A number with what it is counted in, as far as that is money or a share.
    Figure,
    /// An address of mail or of a site, or a telephone number.
    Address,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// In lower case, without marks; a number without the marks of its thousands.
    pub(super) form: String,
    /// As it stands in the text.
    pub(super) raw: String,
    pub(super) kind: WordKind,
    /// Whether a sentence, a quotation or a bracket begins with it.
    pub(super) opens: bool,
    /// The number of a list item, the year of a copyright: nothing that is told.
    pub(super) idle: bool,
    /// Where it begins in the text.
    pub(super) at: usize,
    /// What a figure is counted in, beside money; empty if that is not said.
    pub(super) unit: String,
    /// A number word that may say something else, such as "first". Only another figure in its place shows that it was one.
    pub(super) soft: bool,
}

impl Word {
    /// Whether two figures say the same. What is counted may stand elsewhere: in a label, in another cell.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.form == other.form && (self.unit == other.unit || self.unit.is_empty() || other.unit.is_empty())
    }
}

/// A text with plain marks and spaces, and without what cannot be seen. A line break parts texts that stand beside each
/// other.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|ch| !is_invisible(*ch)).map(plain_mark).collect()
}

/// The sentences of a text.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (at, ch) in text.char_indices() {
        let end = at + ch.len_utf8();
        let ends = match ch {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' | '…' => {
                // Not in "e.g. this", "No. 5" or "J. Smith": a sentence begins with a capital or a digit, and what ends
                // in a single letter is an initial.
                let rest = text.get(end..).unwrap_or_default();
                let next = rest.trim_start().chars().find(|ch| ch.is_alphanumeric());
                rest.starts_with(char::is_whitespace)
                    && next
                        .is_some_and(|next| next.is_uppercase() || next.is_ascii_digit() || !next.is_ascii())
                    && !(before.is_uppercase() && is_initial(text, at))
            }
            _ => false,
        };
        before = ch;
        if ends {
            found.push(text.get(start..end).unwrap_or_default());
            start = end;
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// Whether the letter before this place stands alone.
fn is_initial(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    !before.chars().rev().nth(1).is_some_and(char::is_alphanumeric)
}

/// The words of a text with plain marks, in this language.
pub(super) fn words(text: &str, language: Option<&str>) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut opens = true;
    let mut year_of_rights = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let mut push = |form: String, length: usize, kind: WordKind| {
            let raw = rest.get(..length).unwrap_or_default().to_owned();
            let unit = String::new();
            found.push(Word { form, raw, kind, opens, idle: false, at, unit, soft: false });
            opens = false;
        };
        let mut length = first.len_utf8();
        if let Some((address_length, form)) = address(rest) {
            length = address_length;
            push(form, length, WordKind::Address);
            year_of_rights = false;
        } else if first.is_ascii_digit() {
            let (number_length, mut number) = number(rest);
            length = number_length;
            let before = text.get(..at).unwrap_or_default();
            let mut behind = rest.get(length..).unwrap_or_default();
            let idle = is_item(before, rest, length) || year_of_rights && number.len() == 4;
            if let Some(times) = multiplied(&number, behind, language) {
                number = times;
                let gap = behind.len() - behind.trim_start().len();
                length += gap + letters(behind.trim_start());
                behind = rest.get(length..).unwrap_or_default();
            }
            push(format!("{}{number}", unit(before, behind)), length, WordKind::Figure);
            if let Some(word) = found.last_mut() {
                (word.idle, word.unit) = (idle, counted_in(behind));
            }
        } else if is_alone(first) {
            push(first.to_string(), length, WordKind::Plain);
        } else if first.is_alphanumeric() {
            length = letters(rest);
            let form = rest.get(..length).unwrap_or_default().to_lowercase();
            year_of_rights = form == "copyright" || year_of_rights && form == "c";
            push(form, length, WordKind::Plain);
        } else {
            year_of_rights |= first == '©';
            opens |= matches!(
                first,
                '.' | '!' | '?' | '…' | ':' | '"' | '(' | '[' | '–' | '—' | '|' | '•' | '·' | '/' | '\n'
            );
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    without_units(&with_numerals(text, &found, language))
}

/// Whether a number counts an item of a list instead of saying something: `1.`, `2)`, `03`.
fn is_item(before: &str, rest: &str, length: usize) -> bool {
    let own_line = before.rsplit('\n').next().unwrap_or_default();
    let behind = rest.get(length..).unwrap_or_default().split('\n').next().unwrap_or_default();
    let marked = behind.starts_with(". ") || behind.starts_with(") ") || matches!(behind.trim(), "." | ")");
    let counter = rest.starts_with('0') && length == 2 && behind.trim().is_empty();
    own_line.trim().is_empty() && (length <= 2 && marked || counter)
}

/// Numbers that are written as words become figures.
fn with_numerals(text: &str, found: &[Word], language: Option<&str>) -> Vec<Word> {
    let mut result: Vec<Word> = Vec::with_capacity(found.len());
    let mut index = 0;
    while let Some(word) = found.get(index) {
        let row = found.get(index..).unwrap_or_default();
        let row = row.iter().take(MOST_NUMBER_WORDS).take_while(|word| word.kind == WordKind::Plain);
        let row: Vec<(&str, bool)> = row
            .enumerate()
            .map(|(offset, word)| {
                let end = found
                    .get((index + offset).wrapping_sub(1))
                    .map_or(0, |before| before.at + before.raw.len());
                let gap = text.get(end..word.at).unwrap_or_default();
                (word.form.as_str(), gap.len() == 1 && gap.chars().all(|ch| ch == ' ' || ch == '-'))
            })
            .collect();
        let before = result.last().map(|before| before.form.as_str());
        let number = if row.is_empty() { None } else { spelled(&row, before, language) };
        let last = number.as_ref().and_then(|number| found.get(index + number.words - 1));
        if let (Some(number), Some(last)) = (number, last) {
            let end = last.at + last.raw.len();
            let behind = text.get(end..).unwrap_or_default();
            let form = format!("{}{}", unit(text.get(..word.at).unwrap_or_default(), behind), number.number);
            let raw = text.get(word.at..end).unwrap_or_default().to_owned();
            let (kind, unit, soft) = (WordKind::Figure, counted_in(behind), number.soft);
            result.push(Word { form, raw, kind, unit, soft, ..word.clone() });
            index += number.words;
        } else {
            result.push(word.clone());
            index += 1;
        }
    }
    result
}

/// The most words of a number.
const MOST_NUMBER_WORDS: usize = 8;

/// Leaves out the words for what a number beside them is counted in, which its form has.
fn without_units(found: &[Word]) -> Vec<Word> {
    let counts = |index: Option<usize>, form: &str| {
        let word = index.and_then(|index| found.get(index)).filter(|word| word.kind == WordKind::Figure);
        SIGNS.iter().any(|(sign, unit)| *sign == form && word.is_some_and(|word| word.form.starts_with(unit)))
    };
    let kept = found.iter().enumerate().filter(|(index, word)| {
        word.kind != WordKind::Plain
            || !counts(index.checked_sub(1), &word.form) && !counts(Some(index + 1), &word.form)
    });
    kept.map(|(_, word)| word.clone()).collect()
}

/// The plain words of a text, in lower case.
pub fn plain_words(text: &str) -> Vec<String> {
    words(&plain(text), None).into_iter().map(|word| word.form).collect()
}

/// Whether a text, which leads to this address, shows another address.
pub fn shows_another_address(text: &str, leads_to: &str) -> bool {
    let own: Vec<String> = address_forms(leads_to);
    let mut shown = words(&plain(text), None).into_iter().filter(|word| word.kind == WordKind::Address);
    shown.any(|word| !own.contains(&word.form) && !own.iter().any(|form| is_same_call(form, &word.form)))
}

/// Whether two telephone numbers are one, with and without the code of the country.
fn is_same_call(one: &str, other: &str) -> bool {
    match (one.strip_prefix("tel "), other.strip_prefix("tel ")) {
        (Some(one), Some(other)) => one.ends_with(other) || other.ends_with(one),
        (None | Some(_), _) => false,
    }
}

/// What an address is as words: `mailto:` and `tel:` are no part of it.
pub(super) fn address_forms(address: &str) -> Vec<String> {
    let lower = address.trim().to_lowercase();
    let bare = lower.strip_prefix("mailto:").or_else(|| lower.strip_prefix("tel:")).unwrap_or(&lower);
    let bare = bare.split('?').next().unwrap_or_default().replace("%20", " ").replace("%40", "@");
    words(&plain(&bare), None).into_iter().map(|word| word.form).collect()
}

/// Whether two texts have the same words in the same order.
pub fn same_words(one: &str, other: &str) -> bool {
    plain_words(one) == plain_words(other)
}

fn is_invisible(ch: char) -> bool {
    matches!(ch, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}')
}

fn plain_mark(ch: char) -> char {
    match ch {
        '’' | '‘' | 'ʼ' | '`' | '´' => '\'',
        '“' | '”' | '„' | '«' | '»' | '‹' | '›' => '"',
        '‐' | '‑' | '−' => '-',
        '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' => ' ',
        _ => ch,
    }
}

/// Whether a character is a word by itself: scripts that put no space between words.
fn is_alone(ch: char) -> bool {
    matches!(ch, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
        | '\u{e00}'..='\u{e7f}')
        && ch.is_alphanumeric()
}

/// How long the word at the beginning is. An apostrophe inside belongs to it.
fn letters(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let inside = ch == '\'' && chars.peek().is_some_and(|(_, next)| next.is_alphabetic());
        let mark = !ch.is_alphanumeric() && !inside && !is_combining(ch);
        if mark || at > 0 && is_alone(ch) {
            return at;
        }
    }
    text.len()
}

fn is_combining(ch: char) -> bool {
    matches!(ch, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}')
}

/// The length of the number at the beginning and its digits: `1,000` and `1 000` are 1000, `6.50` and `6,5` are 6.5.
fn number(text: &str) -> (usize, String) {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut length = digits(0);
    let mut number = text.get(..length).unwrap_or_default().to_owned();
    let first = length;
    let mut decimals = false;
    while !decimals && let Some(mark) = bytes.get(length).copied() {
        let group = digits(length + 1);
        let more = text.get(length + 1..length + 1 + group).unwrap_or_default();
        match mark {
            b'.' | b',' | b' ' | b'\'' if group == 3 && first <= 3 => number.push_str(more),
            b'.' | b',' if group > 0 => {
                // A third number is that of a version or a date: told apart as they stand.
                let behind = bytes.get(length + 1 + group);
                if matches!(behind, Some(b'.' | b',')) && digits(length + 2 + group) > 0 {
                    break;
                }
                decimals = true;
                let fraction = more.trim_end_matches('0');
                if !fraction.is_empty() {
                    number.push('.');
                    number.push_str(fraction);
                }
            }
            _ => break,
        }
        length += 1 + group;
    }
    let plain = number.trim_start_matches('0');
    (length, if plain.is_empty() || plain.starts_with('.') { format!("0{plain}") } else { plain.to_owned() })
}

/// What numbers are counted in: signs and words, and the sign that their form has.
const SIGNS: &[(&str, &str)] = &[
    ("$", "$"),
    ("usd", "$"),
    ("€", "€"),
    ("eur", "€"),
    ("euro", "€"),
    ("euros", "€"),
    ("dollars", "$"),
    ("dollar", "$"),
    ("£", "£"),
    ("gbp", "£"),
    ("¥", "¥"),
    ("jpy", "¥"),
    ("chf", "chf"),
    ("%", "%"),
    ("percent", "%"),
    ("prozent", "%"),
];

/// What a number is counted in: money or a share of a hundred.
fn unit(before: &str, behind: &str) -> &'static str {
    let (before, behind) = (before.trim_end().to_lowercase(), behind.trim_start().to_lowercase());
    let stands = |sign: &str, ends_before: bool| {
        let (text, letter) = if ends_before {
            (before.strip_suffix(sign), before.strip_suffix(sign).and_then(|rest| rest.chars().next_back()))
        } else {
            (behind.strip_prefix(sign), behind.strip_prefix(sign).and_then(|rest| rest.chars().next()))
        };
        text.is_some() && !(sign.is_ascii() && sign.len() > 1 && letter.is_some_and(char::is_alphabetic))
    };
    let sign = SIGNS.iter().find(|(sign, _)| stands(sign, true) && *sign != "%" || stands(sign, false));
    sign.map_or("", |(_, unit)| unit)
}

/// The address at the beginning of a text, and its form.
fn address(text: &str) -> Option<(usize, String)> {
    let end = text.find(|ch: char| ch.is_whitespace() || "<>\"|".contains(ch)).unwrap_or(text.len());
    let token = text.get(..end)?.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '\'']);
    let lower = token.to_lowercase();
    if let Some(form) = mail(&lower).or_else(|| site(&lower)) {
        return Some((token.len(), form));
    }
    telephone(text)
}

fn mail(token: &str) -> Option<String> {
    let token = token.strip_prefix("mailto:").unwrap_or(token);
    let (name, host) = token.split_once('@')?;
    let good =
        |text: &str| !text.is_empty() && text.chars().all(|ch| ch.is_alphanumeric() || "._+-%".contains(ch));
    (good(name) && good(host) && host.contains('.') && !host.contains('@')).then(|| token.to_owned())
}

fn site(token: &str) -> Option<String> {
    let plain = token.strip_prefix("https://").or_else(|| token.strip_prefix("http://"));
    let plain = plain.or_else(|| token.starts_with("www.").then_some(token))?;
    let plain = plain.strip_prefix("www.").unwrap_or(plain).trim_end_matches('/');
    plain.contains('.').then(|| plain.to_owned())
}

/// A telephone number: seven digits or more in groups, and nothing that is a date or a row of years.
fn telephone(text: &str) -> Option<(usize, String)> {
    let first = text.chars().next()?;
    if !(first.is_ascii_digit() || matches!(first, '+' | '(')) {
        return None;
    }
    let run = text.find(|ch: char| !(ch.is_ascii_digit() || "+() -./".contains(ch))).unwrap_or(text.len());
    let token = text.get(..run)?.trim_end_matches(|ch: char| !ch.is_ascii_digit());
    let groups: Vec<&str> =
        token.split(|ch: char| !ch.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    let digits: String = groups.concat();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let date = matches!(lengths[..], [1 | 2, 1 | 2, 4] | [4, 1 | 2, 1 | 2]);
    let years =
        groups.iter().all(|group| group.len() == 4 && (group.starts_with("19") || group.starts_with("20")));
    let thousands = matches!(lengths[..], [1..=3, ..]) && lengths.iter().skip(1).all(|length| *length == 3);
    let dialled = token.starts_with(['+', '0', '(']) || lengths.len() >= 3 && token.contains(['-', '.']);
    // A sum of money has no leading zero and is parted by threes.
    let plain = thousands && !token.starts_with(['+', '0', '(']) && !token.contains('-');
    (dialled && !date && !years && !plain && (7..=15).contains(&digits.len()))
        .then(|| (token.len(), dialled_form(&digits, token)))
}

/// The digits that are dialled: `(0)` behind a country code is not.
fn dialled_form(digits: &str, token: &str) -> String {
    let digits = if token.starts_with('+') { token.replace("(0)", "") } else { digits.to_owned() };
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    format!("tel {}", digits.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<String> {
        plain_words(text)
    }

    #[test]
    fn marks_case_and_space_do_not_make_another_word() {
        for (one, other) in [
            ("Don’t “wait”", "don't \"wait\""),
            ("co\u{ad}operate", "cooperate"),
            ("€ 6,50", "6.5 EUR"),
            ("$1,000", "1000 USD"),
            ("1 000 000 €", "€1,000,000"),
            ("50 %", "50 percent"),
            ("+49 (0)30 123 456", "+49 30 123456"),
            ("Call 030-1234567 now", "call 030 1234567 now"),
            ("https://www.Acme.com/", "http://acme.com"),
            ("within thirty days", "within 30 days"),
            ("From ten to three", "from 10 to 3"),
            ("two million users", "2 million users"),
            ("the twenty-first of May", "the 21 of May"),
            ("twelve euros", "12 EUR"),
        ] {
            assert_eq!(forms(one), forms(other), "{one}");
        }
        assert_eq!(forms("Write to info@acme.com."), ["write", "to", "info@acme.com"]);
        assert_eq!(forms("東京へ"), ["東", "京", "へ"]);
        assert_ne!(forms("$12"), forms("€12"));
        assert_ne!(forms("12.5"), forms("125"));
    }

    #[test]
    fn dates_versions_and_years_are_no_telephone_numbers() {
        for text in ["12.05.2026", "2019 2020 2021", "1.2.3", "1,250,000 1,300,000", "24/7", "2019-2024"] {
            assert!(
                words(text, None).iter().all(|word| word.kind == WordKind::Figure),
                "{text}: {:?}",
                words(text, None)
            );
        }
        assert!(words("0800 123 4567", None).iter().all(|word| word.kind == WordKind::Address));
    }

    #[test]
    fn the_number_of_an_item_and_the_year_of_a_copyright_tell_nothing() {
        let idle = |text: &str| words(text, None).iter().any(|word| word.idle);
        assert!(idle("1. Mix the dough") && idle("01") && idle("© 2024 Acme") && idle("Copyright 2024"));
        assert!(!idle("24") && !idle("3 loaves") && !idle("Since 1990") && !idle("100. That is all"));
    }

    #[test]
    fn sentences_end_where_the_next_begins() {
        assert_eq!(sentences("We bake. We sell, e.g. bread! J. Smith is here").len(), 3);
        assert_eq!(sentences("Version 2.0 is out").len(), 1);
        assert_eq!(sentences("焼きます。売ります。").len(), 2);
    }
}
