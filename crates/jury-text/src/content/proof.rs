//! Proof: counts of customers, ratings, names of customers, words of theirs, and benefits that were measured. All of it is a
//! matter of fact: a document of the idea knows it, or it was invented.

use std::collections::HashSet;
use std::sync::LazyLock;

use jury_core::severity::Severity;

use super::benefit::{self, Invented};
use super::claims::{self, Figure, Unit};
use super::document::{Block, BlockKind, DraftDocument};
use super::finding::{Findings, Found};
use super::names::{self, Token};
use super::phrases::Matcher;
use super::plain_proof::{self, PlainProof};
use super::prose::Word;
use super::references::{References, has_stars};
use super::testimonial::{self, Unproven};

/// The most phrases that are looked up in the documents. What comes after them counts as unknown.
const MOST_LOOKED_UP: usize = 100;

/// Phrases that always lean on others.
const SOCIAL: &[&str] = &[
    "as featured in",
    "as seen in",
    "as seen on",
    "award winning",
    "customers love",
    "loved by",
    "our customers say",
    "relied on by",
    "trusted by",
];

/// Phrases that lean on others when those are named or are many: "used by Siemens", not "used by the operator".
const SOMETIMES: &[&str] =
    &["chosen by", "featured in", "featured on", "rated by", "recommended by", "used by"];

/// What stands before the names of customers.
const NAMING: &[&str] = &[
    "according to",
    "approved by",
    "brands like",
    "brands such as",
    "case study",
    "certified by",
    "clients include",
    "clients like",
    "clients such as",
    "companies like",
    "companies such as",
    "customers include",
    "customers like",
    "customers such as",
    "endorsed by",
    "engineers at",
    "in use at",
    "partner of",
    "partners include",
    "partnered with",
    "recognised by",
    "recognized by",
    "study by",
    "survey by",
    "team behind",
    "teams at",
    "teams like",
    "used at",
    "users include",
    "winner of",
    "winners of",
];

/// People and firms, when they are counted.
const PEOPLE: &[&str] = &[
    "agencies",
    "brands",
    "businesses",
    "clients",
    "companies",
    "creators",
    "customers",
    "designers",
    "developers",
    "downloads",
    "firms",
    "founders",
    "freelancers",
    "installs",
    "members",
    "organisations",
    "organizations",
    "people",
    "professionals",
    "readers",
    "reviews",
    "signups",
    "startups",
    "subscribers",
    "teams",
    "users",
];

/// Those of them who are always the product's own.
const OWN: &[&str] = &["buyers", "clients", "customers", "installs", "signups", "subscribers", "users"];

/// What invites to many others, before their number.
const INVITES: &[&str] =
    &["chosen", "helped", "join", "joined", "joining", "loved", "serving", "trusted", "used"];

/// Little words between that and the number: "join more than 4,000".
const ABOUT: &[&str] =
    &["about", "almost", "by", "more", "nearly", "our", "over", "some", "than", "the", "those"];

/// What many others do, after their number.
const RELIES: &[&str] = &[
    "chose", "choose", "love", "plan", "relies", "rely", "run", "switched", "trust", "trusts", "use", "uses",
    "work",
];

/// Where people rate things.
const RATED_ON: &[&str] = &["capterra", "g2", "google", "tripadvisor", "trustpilot", "yelp"];

/// What a mark of customers is called, in front of it.
const RATINGS: &[&str] = &["rated", "rating", "ratings", "nps"];

/// What is counted and is nobody.
const MEASURES: &[&str] = &[
    "cent", "day", "days", "euro", "euros", "hour", "hours", "minute", "minutes", "month", "months", "page",
    "pages", "percent", "second", "seconds", "step", "steps", "time", "times", "week", "weeks", "year",
    "years",
];

/// Looks for proof that no document knows.
pub(super) fn review(document: &DraftDocument<'_>, references: &References, findings: &mut Findings<'_>) {
    let mut looked_up = 0;
    let (head, markup) = (document.head(), document.markup());
    for document in [document, &head, &markup] {
        counts(document, references, findings);
        vague_counts(document, references, findings);
        stars(document, references, findings);
        phrases(document, references, &mut looked_up, findings);
        for Invented { anchor, sentence } in benefit::invented(document, references) {
            let quote =
                document.sentences.get(sentence).and_then(|sentence| document.quote_sentence(sentence));
            add(findings, &anchor, "A measured benefit", quote);
        }
        let voices = testimonial::unproven(document, references);
        for PlainProof { anchor, what, sentence } in plain_proof::invented(document, references) {
            let quote =
                document.sentences.get(sentence).and_then(|sentence| document.quote_sentence(sentence));
            // Who is quoted is told as a voice, and not once more as a name in the line of the quotation or behind it.
            let near = sentence.saturating_sub(1)..=sentence + 1;
            let near = near.filter_map(|index| document.quote_sentence(document.sentences.get(index)?));
            let near: Vec<&str> = near.collect();
            let is_voice = |voice: &Unproven<'_>| {
                voice
                    .quote
                    .is_some_and(|said| near.iter().any(|line| said.contains(line) || line.contains(said)))
            };
            if ![plain_proof::SOURCE, plain_proof::NAME].contains(&what) || !voices.iter().any(is_voice) {
                add(findings, &anchor, what, quote);
            }
        }
        for Unproven { anchor, what, quote } in voices {
            add(findings, &anchor, what, quote);
        }
    }
}

fn add(findings: &mut Findings<'_>, anchor: &str, what: &str, quote: Option<&str>) {
    findings.add(Found {
        rule: "behaviour.unproven-proof",
        severity: Severity::Serious,
        anchor,
        description: format!("{what} is in none of the documents."),
        suggestion: "Take it out, or put where it comes from into the documents.".to_owned(),
        quote,
    });
}

/// Customers and ratings in figures.
fn counts(document: &DraftDocument<'_>, references: &References, findings: &mut Findings<'_>) {
    static PEOPLE_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| claims::stem_set(PEOPLE));
    for (index, at, found) in claims::figures(document) {
        let Some(block) = document.block(index) else { continue };
        let words = document.block_words(block);
        let next: Vec<&Word> = words.iter().skip(at + 1).take(3).collect();
        let measures = next.first().is_none_or(|word| MEASURES.contains(&word.lower.as_str()));
        let leaning = !measures && (is_invited(words, at) || relies(words, at + 1, references));
        let people = found.unit == Unit::Plain
            && (next.iter().any(|word| PEOPLE_STEMS.contains(&word.stem)) || leaning);
        let rated = is_rating(block, words, at, &found);
        // Small numbers of people are stories: "two clients", "three teams".
        let many = found.number.len() > 1;
        let known =
            if rated { references.knows(&found) } else { references.knows_count(&found.number, &next) };
        if (people && many || rated) && !known {
            let end = (at + 3).min(words.len());
            let what = if rated { "A rating" } else { "A count of customers" };
            let here = words.get(at..end).unwrap_or_default();
            let anchor = format!("{} {}", found.number, next.first().map_or("", |word| word.stem.as_str()));
            add(findings, &anchor, what, document.quote_words(index, here));
        }
    }
}

/// "4.9/5", "4.9 out of 5", "five stars": not "3 out of 5 jobs".
fn is_rating(block: &Block<'_>, words: &[Word], at: usize, found: &Figure) -> bool {
    let Some(word) = words.get(at) else { return false };
    let rest = block.text.get(word.range.end..).unwrap_or_default();
    if words.get(at + 1).is_some_and(|next| next.stem == "star") || rest.trim_start().starts_with(['★', '⭐'])
    {
        return true;
    }
    // "5.0 on Trustpilot", "Average rating: 4.8", "NPS 72"
    let on = words.get(at + 1).is_some_and(|next| next.lower == "on");
    if on && words.get(at + 2).is_some_and(|site| RATED_ON.contains(&site.lower.as_str()))
        || at
            .checked_sub(1)
            .and_then(|at| words.get(at))
            .is_some_and(|before| RATINGS.contains(&before.lower.as_str()))
    {
        return true;
    }
    let of_five = ["/5", "/ 5", " / 5", " out of 5", " out of five", "/10", " out of 10"];
    let Some(rest) = of_five.iter().find_map(|mark| rest.strip_prefix(mark)) else { return false };
    let then = rest.trim_start_matches([' ', '-']);
    let praised = ["star", "rating", "from ", "by ", "on ", "in reviews", "average"];
    found.number.contains('.') || then.is_empty() || praised.iter().any(|word| then.starts_with(word))
}

/// Whether somebody is invited to join them: "join", "trusted by", in the few words before.
fn is_invited(words: &[Word], at: usize) -> bool {
    let before = words.get(at.saturating_sub(4)..at).unwrap_or_default();
    let mut before = before.iter().rev().skip_while(|word| ABOUT.contains(&word.lower.as_str()));
    before.next().is_some_and(|word| INVITES.contains(&word.lower.as_str()))
}

/// Whether they rely on the product: "shops trust Inkline", "customers use it".
fn relies(words: &[Word], from: usize, references: &References) -> bool {
    let after: Vec<&Word> = words.iter().skip(from).take(8).collect();
    let Some(verb) = after.iter().position(|word| RELIES.contains(&word.lower.as_str())) else {
        return false;
    };
    let it = |word: &&&Word| {
        matches!(word.lower.as_str(), "us" | "our" | "it") || references.is_product(&word.lower)
    };
    after.iter().skip(verb + 1).take(3).any(|word| it(&word))
}

/// "Thousands of customers", "join hundreds of shops".
fn vague_counts(document: &DraftDocument<'_>, references: &References, findings: &mut Findings<'_>) {
    static OWN_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| claims::stem_set(OWN));
    for sentence in document.prose() {
        let words = document.words_of(&sentence.words);
        for (at, word) in words.iter().enumerate() {
            let many = matches!(word.lower.as_str(), "dozens" | "hundreds" | "thousands" | "millions");
            let of = words.get(at + 1).is_some_and(|word| word.lower == "of");
            // "four thousand shops"
            let spelled = matches!(word.lower.as_str(), "hundred" | "thousand" | "million") && !of;
            if !(many && of || spelled) {
                continue;
            }
            let behind = at + 1 + usize::from(of);
            let from = if spelled { at.saturating_sub(1) } else { at };
            let next: Vec<&Word> = words.iter().skip(behind).take(3).collect();
            let own = next.iter().any(|word| OWN_STEMS.contains(&word.stem));
            let measures = next.first().is_none_or(|word| MEASURES.contains(&word.lower.as_str()));
            let leaning = !measures && (is_invited(words, from) || relies(words, behind, references));
            if (own || leaning) && !references.supports(&word.lower, &next) {
                let anchor = format!("{} {}", word.lower, next.first().map_or("", |word| word.stem.as_str()));
                add(findings, &anchor, "A count of customers", document.quote_sentence(sentence));
            }
        }
    }
}

/// Rows of stars.
fn stars(document: &DraftDocument<'_>, references: &References, findings: &mut Findings<'_>) {
    if references.has_stars() {
        return;
    }
    for block in document.blocks.iter().filter(|block| has_stars(&block.text)) {
        add(findings, "stars", "A rating", block.quote_all());
    }
}

/// Phrases that lean on others, and the names of customers.
fn phrases(
    document: &DraftDocument<'_>,
    references: &References,
    looked_up: &mut usize,
    findings: &mut Findings<'_>,
) {
    static ALL: LazyLock<Vec<&str>> =
        LazyLock::new(|| SOCIAL.iter().chain(SOMETIMES).chain(NAMING).copied().collect());
    static MATCHER: LazyLock<Matcher> = LazyLock::new(|| Matcher::new(ALL.iter().copied()));
    for sentence in document.prose() {
        let words = document.words_of(&sentence.words);
        let Some(block) = document.block(sentence.block) else { continue };
        for hit in MATCHER.find(words) {
            let phrase = ALL.get(hit.phrase).copied().unwrap_or_default();
            let rest = words.get(hit.end..).unwrap_or_default();
            let named = names::tokens(&block.text, rest.get(..rest.len().min(8)).unwrap_or_default());
            let title_case =
                matches!(block.kind, BlockKind::Heading(_)) && names::is_title_case(&block.text, words);
            let unknown = !title_case && named.iter().any(|token| is_unknown(token, references));
            let leans = SOCIAL.contains(&phrase)
                || SOMETIMES.contains(&phrase) && (unknown || is_many(rest))
                || NAMING.contains(&phrase) && unknown;
            if !leans {
                continue;
            }
            *looked_up += 1;
            let about: Vec<&Word> = rest.iter().filter(|word| !word.stop).take(4).collect();
            let key = words.get(hit.start).map_or("", |word| word.lower.as_str());
            let known = !unknown
                && (references.supports(key, &about)
                    || words.get(hit.start..).is_some_and(|rest| references.has_words(rest)));
            if !known || *looked_up > MOST_LOOKED_UP {
                let what = format!("What '{phrase}' leans on");
                add(findings, phrase, &what, document.quote_sentence(sentence));
            }
        }
    }
}

/// A name that no document has.
fn is_unknown(token: &Token<'_>, references: &References) -> bool {
    token.is_name() && !references.knows_word(&token.word.lower)
}

/// Whether many are spoken of in the few words that follow.
fn is_many(rest: &[Word]) -> bool {
    let many = |word: &Word| {
        PEOPLE.contains(&word.lower.as_str())
            || matches!(word.lower.as_str(), "dozens" | "hundreds" | "thousands" | "millions" | "leading")
            || word.lower.starts_with(|c: char| c.is_ascii_digit())
    };
    rest.iter().take(4).any(many)
}
