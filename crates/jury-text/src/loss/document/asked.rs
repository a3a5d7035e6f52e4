//! What was asked to be changed.

use std::collections::BTreeSet;

use super::super::brief::{NEGATIONS, REMOVES, REWRITES};
use super::super::words::{Word, WordKind, sentences};
use super::passage::{Sentence, stem, stems, words_of};
use super::unasked::is_section;

/// Words that say that something should not be there at all.
const SUPERFLUOUS: &[&str] = &[
    "duplicate",
    "duplicated",
    "duplicates",
    "redundant",
    "repeated",
    "repeats",
    "contradict",
    "contradicts",
    "contradiction",
    "contradictory",
    "conflict",
    "conflicts",
    "obsolete",
    "outdated",
    "superfluous",
    "unused",
    "unneeded",
];

/// Words that a part of a document is called by.
const PARTS: &[&str] =
    &["section", "chapter", "part", "paragraph", "heading", "table", "list", "introduction", "summary"];

/// A sentence of what was asked.
#[derive(Debug)]
struct Ask {
    stems: BTreeSet<String>,
    forms: Vec<String>,
    removes: bool,
    rewrites: bool,
}

/// All that was asked to be changed.
#[derive(Debug)]
pub(super) struct Asked {
    asks: Vec<Ask>,
    /// Its letters and digits, for addresses and code.
    squeezed: String,
}

/// The letters and digits of a text.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Asked {
    pub(super) fn of(texts: &[String]) -> Self {
        let parts = texts.iter().flat_map(|text| text.split(['\n', ';', '→']));
        let asks = parts.flat_map(sentences).map(|text| {
            let words = words_of(text);
            let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.form.as_str()));
            let forbids = has(NEGATIONS);
            Ask {
                stems: stems(&words).into_iter().collect(),
                removes: (has(REMOVES) || has(SUPERFLUOUS)) && !forbids,
                rewrites: (has(REWRITES) || has(PARTS)) && !forbids,
                forms: words.into_iter().map(|word| word.form).collect(),
            }
        });
        Self { asks: asks.collect(), squeezed: texts.iter().map(|text| squeezed(text)).collect() }
    }

    /// Whether a text of some length stands in what was asked.
    pub(super) fn names(&self, text: &str) -> bool {
        let text = squeezed(text);
        text.len() >= 3 && self.squeezed.contains(&text)
    }

    /// Whether a text was talked about: half of its words, or all of it.
    pub(super) fn speaks_of(&self, text: &str) -> bool {
        let stems = stems(&words_of(text));
        self.names(text) || self.asks.iter().any(|ask| ask.shares(&stems, 1, 2))
    }

    /// Whether it was asked for that something goes away.
    pub(super) fn removes(&self, sentence: &Sentence) -> bool {
        self.asks
            .iter()
            .any(|ask| ask.removes && (ask.shares(&sentence.stems, 1, 2) || ask.has_heading(&sentence.under)))
    }

    /// Whether it was asked for that what stands under a heading goes away.
    pub(super) fn removes_under(&self, heading: &str) -> bool {
        self.asks.iter().any(|ask| ask.removes && ask.has_heading(heading))
    }

    /// Whether it was asked for that something is told in other words.
    pub(super) fn rewrites(&self, sentence: &Sentence) -> bool {
        self.dates(sentence)
            || self.asks.iter().any(|ask| {
                ask.shares(&sentence.stems, 1, 3)
                    || ask.has_number(sentence)
                    || ask.rewrites && ask.has_heading(&sentence.under)
            })
    }

    /// Whether it was asked for that a heading has other words.
    pub(super) fn renames(&self, heading: &Sentence) -> bool {
        const HEADINGS: &[&str] = &["heading", "title", "rename", "headline", "caption", "name"];
        self.asks.iter().any(|ask| {
            ask.shares(&heading.stems, 1, 2) && HEADINGS.iter().any(|word| ask.stems.contains(&stem(word)))
        })
    }

    /// Whether it was asked for that something says another thing.
    pub(super) fn changes(&self, sentence: &Sentence) -> bool {
        self.asks.iter().any(|ask| {
            ask.shares(&sentence.stems, 1, 2)
                || ask.has_number(sentence)
                || ask.rewrites && ask.has_heading(&sentence.under)
        })
    }

    /// Whether a fact of a sentence was talked about: the fact, and something else that is told there.
    pub(super) fn mentions(&self, fact: &Word, sentence: &Sentence) -> bool {
        let own = if fact.kind == WordKind::Plain { stem(&fact.form) } else { fact.form.clone() };
        self.asks.iter().any(|ask| {
            ask.forms.contains(&fact.form)
                && sentence.stems.iter().any(|stem| *stem != own && ask.stems.contains(stem))
        })
    }

    /// Whether it was asked for when something is, and a sentence says so without saying it well: `by Friday`, `next week`.
    fn dates(&self, sentence: &Sentence) -> bool {
        const ABOUT_DATES: &[&str] =
            &["date", "dated", "dates", "deadline", "due", "when", "day", "datum", "wann"];
        const DATES: &[&str] = &[
            "monday",
            "tuesday",
            "wednesday",
            "thursday",
            "friday",
            "saturday",
            "sunday",
            "today",
            "tomorrow",
            "week",
            "month",
            "soon",
            "later",
            "spring",
            "summer",
            "autumn",
            "winter",
        ];
        let is_date = |word: &Word| DATES.contains(&word.form.as_str());
        sentence.words.iter().any(is_date)
            && self.asks.iter().any(|ask| ask.forms.iter().any(|form| ABOUT_DATES.contains(&form.as_str())))
    }

    /// Whether an entry of the section under this heading was named: `step 3`.
    pub(super) fn speaks_of_entry(&self, heading: &str) -> bool {
        self.asks.iter().any(|ask| {
            ask.forms.windows(2).any(|pair| {
                let [label, number] = pair else { return false };
                number.bytes().all(|byte| byte.is_ascii_digit()) && is_section(heading, label)
            })
        })
    }

    /// Whether one of these words is in what was asked.
    pub(super) fn has_word(&self, form: &str) -> bool {
        self.asks.iter().any(|ask| ask.forms.iter().any(|own| stem(own) == stem(form)))
    }

    /// Whether code was talked about.
    pub(super) fn is_about_code(&self) -> bool {
        const CODE: &[&str] = &[
            "code",
            "block",
            "example",
            "snippet",
            "command",
            "json",
            "yaml",
            "toml",
            "fence",
            "syntax",
            "quotation",
            "bracket",
        ];
        self.asks.iter().any(|ask| CODE.iter().any(|word| ask.stems.contains(&stem(word))))
    }
}

impl Ask {
    /// Whether it has such a share of these words. One word is little to go by, unless it is all that there is.
    fn shares(&self, stems: &[String], part: usize, whole: usize) -> bool {
        let own: BTreeSet<&String> = stems.iter().collect();
        let shared = own.iter().filter(|stem| self.stems.contains(**stem)).count();
        shared > 0 && shared * whole >= own.len() * part
    }

    fn has_heading(&self, heading: &str) -> bool {
        let words = stems(&words_of(heading));
        !words.is_empty() && words.iter().all(|stem| self.stems.contains(stem))
    }

    /// `step 3` is the third entry of a list under a heading that has the word.
    fn has_number(&self, sentence: &Sentence) -> bool {
        let Some(number) = sentence.number.map(|number| number.to_string()) else { return false };
        let under: Vec<String> = stems(&words_of(&sentence.under));
        self.forms.windows(2).any(|pair| {
            let [label, own] = pair else { return false };
            *own == number && under.contains(&stem(label))
        })
    }
}
