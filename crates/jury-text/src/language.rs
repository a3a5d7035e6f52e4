//! Guessing the language of a text from its script and its commonest words, and knowing which languages there are.

mod registry;
mod words;

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

/// Languages that are so near to one above that its commonest words are theirs too.
const NEAR: &[(&str, &[&str])] = &[
    ("en", &["sco", "jam", "pcm"]),
    ("de", &["lb", "gsw", "nds", "bar", "pfl"]),
    ("fr", &["oc", "wa", "pcd", "frp", "ht"]),
    ("es", &["gl", "ca", "ast", "an", "lad", "ext"]),
    ("it", &["co", "scn", "vec", "nap", "lmo", "pms"]),
    ("pt", &["gl", "mwl", "kea"]),
    ("nl", &["af", "fy", "vls", "li", "nds", "zea"]),
];

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    Devanagari,
    Thai,
    Chinese,
    Japanese,
    Korean,
}

impl Script {
    fn name(self) -> &'static str {
        match self {
            Self::Latin => "Latin letters",
            Self::Cyrillic => "Cyrillic letters",
            Self::Greek => "Greek letters",
            Self::Arabic => "Arabic letters",
            Self::Hebrew => "Hebrew letters",
            Self::Devanagari => "Devanagari letters",
            Self::Thai => "Thai letters",
            Self::Chinese => "Chinese characters",
            Self::Japanese => "Japanese characters",
            Self::Korean => "Korean characters",
        }
    }

    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            'a'..='z' | 'A'..='Z' | '\u{00c0}'..='\u{024f}' | '\u{1e00}'..='\u{1eff}' => Self::Latin,
            '\u{0370}'..='\u{03ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{0400}'..='\u{052f}' => Self::Cyrillic,
            '\u{0590}'..='\u{05ff}' => Self::Hebrew,
            '\u{0600}'..='\u{06ff}' | '\u{0750}'..='\u{077f}' => Self::Arabic,
            '\u{0900}'..='\u{097f}' => Self::Devanagari,
            '\u{0e00}'..='\u{0e7f}' => Self::Thai,
            '\u{3040}'..='\u{30ff}' => Self::Japanese,
            '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => Self::Chinese,
            '\u{ac00}'..='\u{d7af}' => Self::Korean,
            _ => return None,
        })
    }
}

/// Scripts other than the Latin one.
const OTHERS: [Script; 9] = [
    Script::Cyrillic,
    Script::Greek,
    Script::Arabic,
    Script::Hebrew,
    Script::Devanagari,
    Script::Thai,
    Script::Chinese,
    Script::Japanese,
    Script::Korean,
];

/// Languages that are written in one script and no other. Many are left out: a language that is not here is never
/// contradicted by a script.
const WRITTEN_IN: &[(Script, &[&str])] = &[
    (
        Script::Latin,
        &[
            "en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sk", "sl", "hu", "sv", "da", "nb", "nn",
            "no", "fi", "et", "lv", "lt", "is", "ga", "cy", "ca", "gl", "eu", "hr", "sq", "tr", "vi", "id",
            "af",
        ],
    ),
    (Script::Cyrillic, &["ru", "uk", "be", "bg", "mk"]),
    (Script::Greek, &["el"]),
    (Script::Arabic, &["ar", "fa", "ur"]),
    (Script::Hebrew, &["he"]),
    (Script::Devanagari, &["hi", "mr", "ne"]),
    (Script::Thai, &["th"]),
    (Script::Chinese, &["zh"]),
    (Script::Japanese, &["ja"]),
    (Script::Korean, &["ko"]),
];

/// What can be told about the language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguageReading {
    script: Script,
    /// The language, when more than the script tells it.
    pub language: Option<&'static str>,
}

impl LanguageReading {
    /// What it reads as, in words.
    pub fn name(self) -> &'static str {
        self.language.unwrap_or_else(|| self.script.name())
    }

    /// Whether the text cannot be in the language that a `lang` value names. A script shows only that it is one of the
    /// languages that are written in it.
    pub fn contradicts(self, tag: &str) -> bool {
        let said = primary(tag);
        if self.script == Script::Latin {
            let near = |language: &str| {
                NEAR.iter().any(|(known, near)| *known == language && near.contains(&said.as_str()))
            };
            return self.language.is_some_and(|language| language != said && !near(language));
        }
        // `sr-Latn` says its script itself.
        let says_script = tag.split('-').skip(1).any(|part| part.len() == 4);
        // Short Japanese texts may be in Chinese characters alone.
        let japanese = said == "ja" && self.script == Script::Chinese;
        !says_script
            && !japanese
            && WRITTEN_IN
                .iter()
                .any(|(script, languages)| *script != self.script && languages.contains(&said.as_str()))
    }
}

/// The language subtag of a `lang` value.
pub fn primary(tag: &str) -> String {
    tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether a `lang` value begins with a language that exists.
pub fn is_known(tag: &str) -> bool {
    registry::holds(&primary(tag))
}

/// The language of a text, when its letters or stop words are clear enough to tell.
pub fn detect(text: &str) -> Option<&'static str> {
    read(text)?.language
}

/// What the letters and words of a text tell about its language, when they are clear enough.
pub fn read(text: &str) -> Option<LanguageReading> {
    let letters: Vec<char> =
        text.chars().filter(|ch| ch.is_alphabetic()).take(4_000).flat_map(char::to_lowercase).collect();
    let total = letters.len();
    if total < 20 {
        return None;
    }
    let of = |script: Script| letters.iter().filter(|letter| Script::of(**letter) == Some(script)).count();
    if of(Script::Japanese) * 10 > total {
        return Some(LanguageReading { script: Script::Japanese, language: Some("ja") });
    }
    match OTHERS.into_iter().find(|script| of(*script) * 3 > total) {
        Some(script) => Some(LanguageReading { script, language: by_letters(script, &letters) }),
        None => {
            by_words(text).map(|language| LanguageReading { script: Script::Latin, language: Some(language) })
        }
    }
}

/// The language that these letters of a script belong to, as far as they are its own.
fn by_letters(script: Script, letters: &[char]) -> Option<&'static str> {
    let any = |of: &str| letters.iter().any(|letter| of.contains(*letter));
    let only = |first: char, last: char, more: &str| {
        letters
            .iter()
            .filter(|letter| Script::of(**letter) == Some(script))
            .all(|letter| (first..=last).contains(letter) || more.contains(*letter))
    };
    match script {
        Script::Japanese => Some("ja"),
        Script::Korean => Some("ko"),
        Script::Greek => Some("el"),
        Script::Thai => Some("th"),
        Script::Chinese => {
            letters.iter().all(|letter| Script::of(*letter) != Some(Script::Japanese)).then_some("zh")
        }
        Script::Cyrillic if any("ы") && only('а', 'я', "ё") => Some("ru"),
        Script::Cyrillic if any("їє") && !any("ыъэё") && only('а', 'я', "іїєґ") => Some("uk"),
        Script::Arabic if any("ة") && only('\u{0621}', '\u{0652}', "") => Some("ar"),
        Script::Latin | Script::Cyrillic | Script::Arabic | Script::Hebrew | Script::Devanagari => None,
    }
}

/// The language that a short text is in, when it is not the one that `tag` says: several different words of it, and
/// hardly one of the language that is said. A text without such words tells nothing.
pub fn speaks_another(text: &str, tag: &str) -> Option<&'static str> {
    let said = match primary(tag).as_str() {
        "nb" | "nn" => "no".to_owned(),
        other => other.to_owned(),
    };
    if let Some(reading) = read(text) {
        if reading.script != Script::Latin || reading.language.is_some() {
            return reading.contradicts(tag).then(|| reading.name());
        }
    } else if let Some(script) = short_script(text) {
        let reading = LanguageReading { script, language: None };
        return reading.contradicts(tag).then(|| reading.name());
    }
    let (hits, different) = words::counted(text);
    let of = |language: &str| hits.iter().find(|(known, _)| *known == language).map_or(0, |(_, hits)| *hits);
    let (first, most) = hits.first().copied()?;
    let near = NEAR.iter().any(|(known, near)| *known == first && near.contains(&said.as_str()))
        || SISTERS.iter().any(|sisters| sisters.contains(&first) && sisters.contains(&said.as_str()));
    // Without a list for the language that is said, only a text full of another one's words tells.
    let enough = if words::knows(&said) {
        let own = of(&said);
        most >= LEAST_WORDS && most >= own + LEAST_WORDS && most >= 3 * own
    } else {
        most >= 2 * LEAST_WORDS
    };
    (enough && !near && most * 5 >= different && said != first).then_some(first)
}

/// So many different words of a language tell it from one of which there are none.
const LEAST_WORDS: usize = 3;

/// Languages that share so many words that a short text does not tell them apart.
const SISTERS: &[&[&str]] = &[&["da", "no", "sv"], &["es", "pt", "gl", "ca"], &["de", "nl"]];

/// The script of a text that is too short to be read, when it is all in one.
fn short_script(text: &str) -> Option<Script> {
    let letters: Vec<char> = text.chars().filter(|ch| ch.is_alphabetic()).take(40).collect();
    let script = OTHERS
        .into_iter()
        .find(|script| letters.first().is_some_and(|letter| Script::of(*letter) == Some(*script)))?;
    (letters.len() > 3 && letters.iter().all(|letter| Script::of(*letter) == Some(script))).then_some(script)
}

/// The language whose commonest words are in a text.
fn by_words(text: &str) -> Option<&'static str> {
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
pub fn is_ideographic(text: &str) -> bool {
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
    fn a_script_is_not_one_language() {
        let ukrainian =
            "Ми печемо хліб уночі, щоб уся вулиця мала свіжий хліб. Її люблять усі, і він є завжди.";
        let persian = "ما شب‌ها نان می‌پزیم تا همه خیابان صبح نان تازه داشته باشند و هر روز همین است.";
        let hebrew = "אנחנו אופים לחם בלילה כדי שלכל הרחוב יהיה לחם טרי בבוקר.";
        assert_eq!(detect(ukrainian), Some("uk"));
        assert_eq!((detect(persian), detect(hebrew)), (None, None));
        for (text, right, wrong) in [
            (ukrainian, ["uk", "sr", "kk"], "en"),
            (persian, ["fa", "ur", "ckb"], "de"),
            (hebrew, ["he", "yi", "lad"], "en"),
        ] {
            let reading = read(text).expect("the script is clear");
            assert!(right.iter().all(|tag| !reading.contradicts(tag)), "{right:?}");
            assert!(reading.contradicts(wrong) && reading.contradicts("ja"), "{wrong}");
        }
        let english =
            read("The quick start is for the team that ships with you and your tools.").expect("it is clear");
        assert!(english.contradicts("de-AT") && !english.contradicts("en-GB") && !english.contradicts("sco"));
    }

    #[test]
    fn short_texts_tell_that_they_are_in_another_language() {
        for (text, said, found) in [
            ("Never put your money where you cannot see it", "de", Some("en")),
            ("Wir haben heute für Sie geöffnet", "en", Some("de")),
            ("Il n'y a pas de fumée sans feu", "en", Some("fr")),
            ("Todo lo que usted necesita para su casa", "en-GB", Some("es")),
            ("Never put your money where you cannot see it", "en", None),
            ("Menu du jour", "en", None),
            ("Pizza Margherita, Espresso, Tiramisu", "en", None),
            ("Det er ikke for sent at komme med", "nb", None),
            ("Wir haben heute für Sie geöffnet", "gsw", None),
            ("Куда идёт поезд", "en", Some("Cyrillic letters")),
            ("Kontakt", "en", None),
        ] {
            assert_eq!(speaks_another(text, said), found, "{text} as {said}");
        }
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
