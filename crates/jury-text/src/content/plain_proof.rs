//! Proof in plain words: customers, authorities, results and prices that are told without a quotation or a figure.
//!
//! Proof says who, how many, by whose authority, how much, or for what price. Who is a name, or one of those the product is for
//! who did something; by whose authority is a test, a vote, a certificate or a backer; how much is a share or a multiple of what
//! was before. All of it is a matter of fact: a document of the idea has it, or it was invented. What is said of everybody (`most
//! planners are made for offices`) and of the reader (`your mechanics`) is no proof.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::claims::{self, Unit};
use super::document::{BlockKind, DraftDocument};
use super::names::{self, Token};
use super::prose::Word;
use super::references::References;

/// The name of somebody who is quoted.
pub(super) const SOURCE: &str = "Whose words these are";

/// A name that no document has.
pub(super) const NAME: &str = "A name";

/// Something that no document has.
#[derive(Debug)]
pub(super) struct PlainProof {
    pub(super) anchor: String,
    pub(super) what: &'static str,
    /// The sentence that says it.
    pub(super) sentence: usize,
}

/// What speaks by an authority: it was tested, voted for, certified, granted or paid for by somebody.
const AUTHORITY: &[&str] = &[
    "accredited",
    "acclaimed",
    "audited",
    "award",
    "awarded",
    "awards",
    "backed",
    "certificate",
    "certification",
    "certified",
    "clinically",
    "compliant",
    "endorsed",
    "founded",
    "funded",
    "laureate",
    "licensed",
    "patent",
    "patented",
    "patents",
    "prize",
    "pilot",
    "proven",
    "ranked",
    "research",
    "researchers",
    "scientific",
    "scientifically",
    "scientists",
    "studies",
    "study",
    "survey",
    "surveyed",
    "surveys",
    "trademarked",
    "university",
    "voted",
    "winner",
    "winning",
];

/// Who people are when they stand for all who bought: behind `our`, or as one of them.
const ROLES: &[&str] = &[
    "advisors",
    "backers",
    "buyer",
    "buyers",
    "client",
    "clients",
    "customer",
    "customers",
    "fans",
    "founder",
    "founders",
    "investors",
    "members",
    "partner",
    "partners",
    "readers",
    "reviewers",
    "subscribers",
    "team",
    "testers",
    "user",
    "users",
];

/// One of many, or many of them.
const ONE: &[&str] = &["a", "an", "one", "another", "this"];
const MANY: &[&str] = &["all", "dozens", "every", "hundreds", "many", "millions", "most", "thousands"];

/// What somebody does who was won over.
const OUTCOMES: &[&str] = &[
    "adore",
    "agree",
    "benefit",
    "choose",
    "grow",
    "love",
    "praise",
    "prefer",
    "recommend",
    "renew",
    "results",
    "rely",
    "save",
    "stay",
    "succeed",
    "success",
    "swear",
    "swears",
    "switch",
    "trust",
    "win",
    "wrong",
];

/// What was done or said once: forms of the past that the end of a word does not tell.
const PAST: &[&str] = &[
    "became", "began", "bought", "built", "came", "cut", "fell", "felt", "found", "gave", "got", "grew",
    "kept", "left", "lost", "made", "met", "paid", "ran", "said", "sang", "saw", "slept", "sold", "stood",
    "swore", "told", "took", "went", "won", "wrote",
];

/// Who tells us.
const TELLS: &[&str] = &["tell", "tells", "told", "write", "writes", "wrote"];

/// A part or a multiple of what was before.
const SHARES: &[&str] = &[
    "half", "third", "quarter", "twice", "double", "doubled", "doubles", "triple", "tripled", "triples",
    "tenfold", "halved", "halves",
];

/// What stands behind such a share when it measures something.
const OF_WHAT: &[&str] = &["the", "their", "your", "its", "his", "her", "our", "as", "fewer", "more", "less"];

/// Words that are numbers, from ten on.
const NUMBERS: &[&str] =
    &["dozen", "dozens", "hundred", "hundreds", "thousand", "thousands", "million", "millions"];

/// What a thing does with another one that it fits to.
const FITS: &[&str] =
    &["connects", "connect", "integrates", "integrate", "pairs", "syncs", "sync", "work", "works"];

/// What a heading calls a part that is proof.
const PROOF_PARTS: &[&str] = &[
    "awards",
    "clients",
    "customers",
    "investors",
    "love",
    "partners",
    "praise",
    "press",
    "reviews",
    "stories",
    "testimonials",
];

/// The most sentences that are reported.
const MOST: usize = 100;

/// What of a draft is proof in plain words that no document knows.
pub(super) fn invented(document: &DraftDocument<'_>, references: &References) -> Vec<PlainProof> {
    static PEOPLE: LazyLock<HashSet<String>> = LazyLock::new(|| claims::stem_set(ROLES));
    let mut found = Vec::new();
    let mut part: Option<usize> = None;
    for (index, sentence) in document.sentences.iter().enumerate() {
        let Some(block) = document.block(sentence.block) else { continue };
        let words = document.words_of(&sentence.words);
        if let BlockKind::Heading(level) = block.kind {
            let is_proof =
                words.len() <= 4 && words.iter().any(|word| PROOF_PARTS.contains(&word.lower.as_str()));
            if level <= 2 {
                part = is_proof.then_some(block.section);
            }
        }
        if words.is_empty() || matches!(block.kind, BlockKind::Action) {
            continue;
        }
        let about: Vec<&Word> = words.iter().filter(|word| !word.stop).collect();
        let known = references.has_words(words) || references.has_all(&about);
        let sentence = Told { text: &block.text, words, references, people: &PEOPLE };
        let in_part = part == Some(block.section) && !matches!(block.kind, BlockKind::Heading(_));
        let what = if known {
            None
        } else if in_part {
            Some("What stands among the proof")
        } else if !matches!(block.kind, BlockKind::Heading(_)) && sentence.has_stranger() {
            Some(NAME)
        } else if is_source(document, index, block.kind, &sentence) {
            Some(SOURCE)
        } else if sentence.has_authority() {
            Some("An authority")
        } else if sentence.has_witness() {
            Some("What a customer did or said")
        } else if sentence.has_share() {
            Some("A measured result")
        } else {
            None
        };
        if let Some(what) = what
            && found.len() < MOST
        {
            let anchor: Vec<&str> = about.iter().take(6).map(|word| word.stem.as_str()).collect();
            found.push(PlainProof { anchor: anchor.join(" "), what, sentence: index });
        }
    }
    for (block, at, figure) in claims::figures(document).filter(|(.., figure)| figure.unit == Unit::Money) {
        let at = document.block(block).map(|own| own.words.start + at);
        // What one price is above another one follows from the two.
        let sets_apart = figure
            .near
            .iter()
            .any(|word| matches!(word.as_str(), "than" | "more" | "less" | "cheaper" | "off" | "cost"));
        // Nothing is no price.
        if !sets_apart
            && figure.number != "0"
            && !references.knows(&figure)
            && let Some(sentence) =
                at.and_then(|at| document.sentences.iter().position(|own| own.words.contains(&at)))
        {
            found.push(PlainProof { anchor: format!("price {}", figure.number), what: "A price", sentence });
        }
    }
    found
}

/// A name that is all of a sentence behind another one, or that leads a quotation: whose words they are.
fn is_source(document: &DraftDocument<'_>, at: usize, kind: BlockKind, told: &Told<'_>) -> bool {
    let tokens: Vec<Token<'_>> = names::tokens(told.text, told.words);
    let named = |token: &Token<'_>| {
        token.is_name()
            && !told.references.knows_word(&token.word.lower)
            && !told.references.is_product(&token.word.lower)
    };
    let is_behind = at
        .checked_sub(1)
        .and_then(|at| document.sentences.get(at))
        .is_some_and(|before| document.sentences.get(at).is_some_and(|own| own.block == before.block));
    // Nobody is called `Enjoy!`.
    let calls = told.text.trim_end().ends_with(['!', '?']);
    let alone = is_behind
        && !calls
        && tokens.len() <= 3
        && tokens.iter().all(|token| named(token) || token.is_particle());
    let leads = kind == BlockKind::Quote
        && tokens.first().is_some_and(|first| {
            named(first)
                && told.text.get(first.word.range.end..).is_some_and(|rest| rest.starts_with([':', '*', '_']))
        });
    alone || leads
}

/// A sentence, and what the documents know.
struct Told<'t> {
    text: &'t str,
    words: &'t [Word],
    references: &'t References,
    people: &'t HashSet<String>,
}

impl Told<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// Somebody of those the product is for: a role, or a noun that the documents use of them.
    fn is_person(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| {
            let singular = word.lower.strip_suffix('s').unwrap_or(&word.lower);
            self.people.contains(&word.stem) || names::is_role(singular)
        })
    }

    /// A name that no document has, within a sentence: `Tom from Velo Bern`, `Backed by Y Combinator`.
    fn has_stranger(&self) -> bool {
        let tokens: Vec<Token<'_>> = names::tokens(self.text, self.words);
        let unknown = |token: &Token<'_>| {
            let lower = token.word.lower.as_str();
            let bare = lower.strip_suffix("'s").unwrap_or(lower);
            token.is_name()
                && bare.chars().count() > 1
                && bare.chars().all(char::is_alphabetic)
                && !self.references.knows_word(bare)
                && !self.references.knows_word(bare.trim_end_matches('s'))
        };
        tokens.iter().enumerate().skip(1).any(|(at, token)| {
            let before = self.text.get(..token.word.range.start).unwrap_or_default().trim_end();
            // What begins a sentence, a line or a quotation is written with a capital letter anyway.
            let begins = before.is_empty()
                || before.ends_with(['.', '!', '?', ':', '"', '“', '\'', '‘', '•', '\n', '|', '*', '>']);
            let beside = tokens.get(at + 1).is_some_and(unknown);
            // `the Queue view`, `on Android`, `in March`, `works with Stripe`: a part, a place or a match, and nobody.
            let led = at.checked_sub(1).map_or("", |at| self.word(at));
            let matches = led == "with" && self.words.iter().any(|word| FITS.contains(&word.lower.as_str()));
            let is_place =
                matches!(led, "the" | "on" | "in" | "into" | "onto" | "via" | "than" | "like") || matches;
            unknown(token) && (!begins || beside) && !is_place && !is_technical(token, self.text)
        })
    }

    fn has_authority(&self) -> bool {
        let is_first = |at: usize| {
            self.word(at) == "number"
                && self.word(at + 1) == "one"
                && !matches!(self.word(at + 2), "thing" | "reason" | "job" | "problem")
                || matches!(self.word(at), "best" | "leading" | "top")
                    && (at + 1..at + 5).any(|at| {
                        matches!(
                            self.word(at),
                            "year" | "europe" | "world" | "market" | "country" | "industry"
                        )
                    })
        };
        (0..self.words.len()).any(|at| {
            is_first(at)
                || AUTHORITY.contains(&self.word(at)) && {
                    let near: Vec<&Word> = self.words.iter().filter(|word| !word.stop).collect();
                    !self.references.supports(self.word(at), &near)
                }
        })
    }

    /// `A shop in Leeds closed its diary`, `Mechanics tell us`, `Most shops see results`, `Our customers stay`.
    fn has_witness(&self) -> bool {
        let behind = |at: usize| at + 1..(at + 9).min(self.words.len());
        let tells_us = |at: usize| TELLS.contains(&self.word(at)) && self.word(at + 1) == "us";
        (0..self.words.len()).any(|at| {
            if tells_us(at) {
                return true;
            }
            let noun = (at + 1..at + 3).find(|index| self.is_person(*index));
            let Some(noun) = noun else { return false };
            // Who they are was looked up already when they are named.
            let named = names::tokens(self.text, self.words).iter().skip(1).any(Token::is_name);
            let own = self.word(at) == "our" && self.words.get(noun + 1).is_some() && !named;
            let one = ONE.contains(&self.word(at)) && behind(noun).any(|index| self.is_past(index));
            let many = MANY.contains(&self.word(at))
                && behind(noun).any(|index| OUTCOMES.contains(&self.word(index)));
            own || one || many
        }) || self.is_counted()
            || self.is_person(0) && (1..5).any(|at| OUTCOMES.contains(&self.word(at))) && self.has_share()
            || (0..self.words.len())
                .any(|at| self.word(at) == "swears" || self.word(at) == "swear" && self.word(at + 1) == "by")
    }

    /// Something that somebody did: `closed`, `wrote`. A participle behind `is` or `was` and before a noun is none.
    fn is_past(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        let is_verb =
            self.word(at).len() > 4 && self.word(at).ends_with("ed") || PAST.contains(&self.word(at));
        is_verb
            && !matches!(
                before,
                "is" | "are"
                    | "be"
                    | "been"
                    | "was"
                    | "were"
                    | "the"
                    | "a"
                    | "an"
                    | "you"
                    | "they"
                    | "it"
                    | "not"
            )
    }

    /// `Over 9000 happy mechanics`, `10k shops`, `hundreds of five-star reviews`.
    fn is_counted(&self) -> bool {
        (0..self.words.len()).any(|at| {
            let word = self.word(at);
            let digits = word.trim_end_matches(['k', 'm']).replace(',', "");
            let is_number = digits.len() > 2 && digits.bytes().all(|byte| byte.is_ascii_digit())
                || digits.len() < word.len()
                    && !digits.is_empty()
                    && digits.bytes().all(|byte| byte.is_ascii_digit())
                || NUMBERS.contains(&word);
            let counted = (at + 1..at + 6).find(|index| {
                self.is_person(*index)
                    || matches!(
                        self.word(*index),
                        "reviews"
                            | "ratings"
                            | "downloads"
                            | "shops"
                            | "stores"
                            | "teams"
                            | "companies"
                            | "businesses"
                    )
            });
            is_number
                && counted.is_some_and(|index| {
                    let near: Vec<&Word> = self.words.get(at..=index).unwrap_or_default().iter().collect();
                    !self.references.supports(word, &near)
                })
        })
    }

    /// `Half the no-shows, twice the bikes`, `up by a third`: one share beside another one or beside a word of gain. `Twice the pile`
    /// by itself is a way to say much.
    fn has_share(&self) -> bool {
        const GAINS: &[&str] = &[
            "save", "saves", "saved", "cut", "cuts", "faster", "gain", "less", "fewer", "reduce", "reduced",
            "win", "earn", "grow", "grew",
        ];
        let of_what = |at: usize| {
            SHARES.contains(&self.word(at))
                && OF_WHAT.contains(&self.word(at + 1))
                && !matches!(self.word(at), "third" | "quarter")
        };
        let by = |at: usize| {
            let before = at.checked_sub(1).map_or("", |at| self.word(at));
            let article = matches!(before, "a" | "one" | "two")
                && at.checked_sub(2).is_some_and(|at| self.word(at) == "by");
            SHARES.contains(&self.word(at)) && (article || before == "by")
        };
        let shares = (0..self.words.len()).filter(|at| of_what(*at)).count();
        let gains = self.words.iter().any(|word| GAINS.contains(&word.lower.as_str()));
        shares > 1 || shares > 0 && gains || (0..self.words.len()).any(by)
    }
}

/// A short form in capital letters is of a technique or of a law more often than of a firm.
fn is_technical(token: &Token<'_>, text: &str) -> bool {
    let raw = text.get(token.word.range.clone()).unwrap_or_default();
    raw.chars().all(char::is_uppercase) || raw.to_lowercase() == "wi"
}

#[cfg(test)]
mod tests {
    use jury_core::content::{Draft, Foundation};

    use super::*;

    fn found(text: &str) -> Vec<&'static str> {
        let draft = Draft::Text(format!("# Spokebook\n\n{text}\n"));
        let document = DraftDocument::read(&draft);
        let references = References::read(&Foundation::default());
        let all = [invented(&document, &references), invented(&document.markup(), &references)];
        all.into_iter().flatten().map(|own| own.what).collect()
    }

    #[test]
    fn who_how_many_by_whose_authority_and_how_much_are_proof() {
        for text in [
            "Backed by Y Combinator.",
            "Tom from Velo Bern swears by it.",
            "A mechanic told us that it just works.",
            "One owner wrote: I sleep again.",
            "Studies show that plans on paper fail.",
            "Voted best tool of the year.",
            "Over 9000 happy mechanics.",
            "Half the no-shows, twice the bikes.",
            "Revenue went up by a third.",
            "Our customers stay for years.",
            "## Customers\n\n- Velo Bern\n- Rad & Tat",
            "<blockquote>It saved my marriage. <cite>Ana</cite></blockquote>",
            "> *Ana*: best week of the year",
            "## Pricing\n\nPro: €9 a month.",
        ] {
            assert!(!found(text).is_empty(), "{text}");
        }
        for text in [
            "The plan is on the wall, and everybody sees it.",
            "Ask your own mechanics what they need.",
            "Most planners are made for offices.",
            "Spring makes twice the pile.",
            "Half of it is paper.",
            "Works with Stripe, and on Android.",
            "The Queue view says what is full.",
            "A bike that waits is a bike in the way.",
            "Your customers get a message twice a week.",
            "Send it as PDF, before Monday.",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
