//! Figures: how numbers are taken out of what a command printed.
//!
//! A pattern is a text with `{}` in the place of the number and `*` for anything: `TOTAL * {}%`. It is looked for in
//! every line; of several lines the last one counts, because totals stand at the end.

use std::collections::BTreeMap;

/// The figures that these patterns find.
pub fn figures(patterns: &BTreeMap<String, String>, output: &str) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    for (name, pattern) in patterns {
        let figure = output.lines().rev().find_map(|line| capture(pattern, line));
        if let Some(figure) = figure {
            found.insert(name.clone(), figure);
        }
    }
    found
}

/// Why a text is no pattern.
pub fn pattern_trouble(pattern: &str) -> Option<&'static str> {
    match pattern.matches("{}").count() {
        0 => Some("it has no {} in the place of the number"),
        1 if pattern.contains('\n') => Some("it has a line break, and lines are looked at one by one"),
        1 => None,
        _ => Some("it has more than one {}"),
    }
}

/// The number in this line.
fn capture(pattern: &str, line: &str) -> Option<f64> {
    let (before, after) = pattern.split_once("{}")?;
    let (lead, last) = before.rsplit_once('*').unwrap_or(("", before));
    let mut rest = line;
    for part in lead.split('*').filter(|part| !part.trim().is_empty()) {
        rest = rest.split_once(part.trim())?.1;
    }
    let last = last.trim();
    if last.is_empty() {
        // Nothing stands directly in front of the number: the first one that fits.
        let mut at = rest;
        loop {
            let start = at.find(|c: char| c.is_ascii_digit())?;
            let (number, tail) = number(at.get(start..)?)?;
            match follows(after, tail) {
                Follows::Here => return Some(number),
                Follows::NotHere => at = tail,
                Follows::Nowhere => return None,
            }
        }
    }
    while let Some((front, behind)) = rest.split_once(last) {
        // `total` is not a part of `subtotal`.
        let is_word = last.starts_with(char::is_alphanumeric) && front.ends_with(char::is_alphanumeric);
        if let Some((number, tail)) = number(behind.trim_start()).filter(|_| !is_word) {
            match follows(after, tail) {
                Follows::Here => return Some(number),
                Follows::NotHere => {}
                Follows::Nowhere => return None,
            }
        }
        rest = behind;
    }
    None
}

/// Whether what the pattern wants stands behind a number.
enum Follows {
    Here,
    /// What must stand directly behind it does not.
    NotHere,
    /// What may stand anywhere behind it stands nowhere, so that no later number has it behind itself either.
    Nowhere,
}

/// Whether what stands behind the number is what the pattern wants there.
fn follows(pattern: &str, mut tail: &str) -> Follows {
    // `5k` and `5e6` are not five.
    if pattern.trim_start_matches('*').is_empty()
        && tail.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    {
        return Follows::NotHere;
    }
    for (index, part) in pattern.split('*').enumerate() {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        let found = if index == 0 {
            tail.trim_start().strip_prefix(part)
        } else {
            tail.split_once(part).map(|(_, behind)| behind)
        };
        match found {
            Some(behind) => tail = behind,
            None if index == 0 => return Follows::NotHere,
            None => return Follows::Nowhere,
        }
    }
    Follows::Here
}

/// The longest number; longer ones are none.
const LONGEST_NUMBER_BYTES: usize = 64;

/// A number at the beginning of a text, and what follows it.
fn number(text: &str) -> Option<(f64, &str)> {
    let mut end = usize::from(text.starts_with('-'));
    let mut point = false;
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(end) {
        let digit_follows = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'0'..=b'9' => {}
            b'.' if !point && digit_follows => point = true,
            _ => break,
        }
        end += 1;
        if end > LONGEST_NUMBER_BYTES {
            return None;
        }
    }
    let (number, tail) = text.split_at_checked(end)?;
    // `1,234` is not one. Whether it is a thousand or a list, nobody knows here, and then there is no figure.
    let mut behind = tail.chars();
    if matches!(behind.next(), Some(',' | '_' | '.' | '\''))
        && behind.next().is_some_and(|c| c.is_ascii_digit())
    {
        return None;
    }
    number.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| (number, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_where_the_pattern_wants_them() {
        assert_eq!(capture("TOTAL * {}%", "TOTAL   120 lines  87.5% covered"), Some(87.5));
        assert_eq!(capture("{} passed", "12 failed, 30 passed"), Some(30.0));
        assert_eq!(capture("errors: {}", "errors: none, errors: -3."), Some(-3.0));
        assert_eq!(capture("a*b{}*z", "a b b7 y z"), Some(7.0));
        assert_eq!(capture("errors: {}", "no such thing"), None);
        let patterns = BTreeMap::from([("n".to_owned(), "n={}".to_owned())]);
        assert_eq!(figures(&patterns, "n=1\nn=2\nm=3"), BTreeMap::from([("n".to_owned(), 2.0)]));
    }

    #[test]
    fn a_part_of_a_number_is_no_number() {
        let read = |pattern: &str, line: &str| {
            let patterns = [("n".to_owned(), pattern.to_owned())].into();
            figures(&patterns, line).get("n").copied()
        };
        for line in ["errors: 1,234", "errors: 1_000", "errors: 5e6", "errors: 5k", "errors: 1.2.3"] {
            assert_eq!(read("errors: {}", line), None, "{line}");
        }
        assert_eq!(read("errors: {}", "errors: 12, warnings: 3"), Some(12.0));
        assert_eq!(read("took {}ms", "took 5ms"), Some(5.0));
        assert_eq!(read("total {}", "subtotal 2"), None);
        assert_eq!(read("total {}", "subtotal 2, total 7"), Some(7.0));
        assert_eq!(read("{}", "12."), Some(12.0));
    }
}
