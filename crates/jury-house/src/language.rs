//! Guessing the language of a text from its script and its commonest words, and knowing which languages there are.

mod registry;

/// The commonest words of languages that share the Latin script.
const STOP_WORDS: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "the", "and", "of", "to", "is", "for", "with", "your", "you", "that", "it", "are", "on", "we",
            "in",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "das", "und", "ist", "mit", "für", "nicht", "ein", "eine", "sie", "auf", "zu",
            "den", "wir",
        ],
    ),
    (
        "fr",
        &[
            "le", "la", "les", "et", "des", "est", "pour", "vous", "une", "dans", "avec", "sur", "pas", "du",
            "nous",
        ],
    ),
    (
        "es",
        &["el", "los", "las", "y", "que", "para", "con", "una", "por", "su", "es", "del", "se", "no", "más"],
    ),
    (
        "it",
        &[
            "il", "che", "per", "con", "una", "gli", "è", "non", "della", "sono", "di", "più", "le", "nel",
            "tua",
        ],
    ),
    (
        "pt",
        &[
            "o", "os", "que", "para", "com", "uma", "não", "você", "do", "da", "em", "mais", "são", "seu",
            "por",
        ],
    ),
    (
        "nl",
        &[
            "de", "het", "een", "en", "van", "is", "voor", "met", "niet", "op", "je", "zijn", "dat", "te",
            "wij",
        ],
    ),
];

/// Whether a `lang` value begins with a language that exists.
pub(crate) fn is_known(tag: &str) -> bool {
    let primary = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
    registry::holds(&primary)
}

/// The language of a text, when script or stop words are clear enough to tell.
pub(crate) fn detect(text: &str) -> Option<&'static str> {
    let letters = text.chars().filter(|ch| ch.is_alphabetic()).take(4_000);
    let (mut total, mut kana, mut han, mut hangul, mut cyrillic, mut arabic, mut greek) =
        (0_usize, 0, 0, 0, 0, 0, 0);
    for letter in letters {
        total += 1;
        match letter {
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => han += 1,
            '\u{ac00}'..='\u{d7af}' => hangul += 1,
            '\u{0400}'..='\u{04ff}' => cyrillic += 1,
            '\u{0600}'..='\u{06ff}' => arabic += 1,
            '\u{0370}'..='\u{03ff}' => greek += 1,
            _ => {}
        }
    }
    if total < 20 {
        return None;
    }
    let most = |part: usize| part * 3 > total;
    if kana * 10 > total {
        return Some("ja");
    }
    let script = [(han, "zh"), (hangul, "ko"), (cyrillic, "ru"), (arabic, "ar"), (greek, "el")];
    if let Some((_, language)) = script.into_iter().find(|(part, _)| most(*part)) {
        return Some(language);
    }
    let words: Vec<String> = text
        .split(|ch: char| !ch.is_alphabetic())
        .filter(|word| !word.is_empty())
        .take(1_200)
        .map(str::to_lowercase)
        .collect();
    let mut hits: Vec<(usize, &'static str)> = STOP_WORDS
        .iter()
        .map(|(language, stop_words)| {
            let hits = words.iter().filter(|word| stop_words.contains(&word.as_str())).count();
            // One word that is said again and again, such as "no", tells nothing.
            let different = stop_words.iter().filter(|stop| words.iter().any(|word| word == *stop)).count();
            (if different < 3 { 0 } else { hits }, *language)
        })
        .collect();
    hits.sort_by_key(|(hits, _)| std::cmp::Reverse(*hits));
    match hits[..] {
        [(first, language), (second, _), ..]
            if first >= 4 && first * 2 > second * 3 && first * 20 > words.len() =>
        {
            Some(language)
        }
        _ => None,
    }
}

/// Whether a text is written in characters that stand for more than a letter each.
pub(crate) fn is_ideographic(text: &str) -> bool {
    let (mut wide, mut all) = (0_usize, 0_usize);
    for ch in text.chars().filter(|ch| ch.is_alphabetic()) {
        all += 1;
        wide += usize::from(
            matches!(ch, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'),
        );
    }
    wide * 3 > all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        assert_eq!(detect("The quick start is for the team that ships with you and your tools."), Some("en"));
        assert_eq!(
            detect("Die Werkstatt ist für alle da und wir arbeiten mit der Stadt an dem Plan."),
            Some("de")
        );
        assert_eq!(detect("これは日本語の文章です。とても短い文章ですが十分です。"), Some("ja"));
        assert_eq!(detect("Привет, это русский текст для проверки языка"), Some("ru"));
        assert_eq!(detect("Kwartz blimp"), None);
        assert_eq!(
            detect("No fixes reported. No additions. No known issues. No upgrade needed. No summary."),
            None
        );
    }

    #[test]
    fn subtags_are_checked() {
        assert!(is_known("en") && is_known("pt-BR") && is_known("gsw"));
        assert!(
            !is_known("")
                && !is_known("xx")
                && !is_known("xyx")
                && !is_known("english")
                && !is_known("en_US")
        );
    }
}
