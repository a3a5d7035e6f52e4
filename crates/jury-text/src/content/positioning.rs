//! Drift from the positioning: whether a draft speaks of what the document says, to whom, and claims no more than that.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jury_core::content::Form;
use jury_core::legible::has_words;
use jury_core::severity::Severity;

use super::claims::{self, Claim};
use super::document::{Block, BlockKind, DraftDocument, PagePart, Sentence};
use super::finding::{Findings, Found};
use super::prose::{self, Word};
use super::references::References;
use super::stance::{Stance, Statement, Topic};
use super::{CannotReview, DraftSubject, share};

const HEADINGS: &str = "market category, best customers, alternatives, unique attributes and value";

/// The most alternatives, and the most who it is not for, that are looked for.
const MOST_NAMES: usize = 40;

/// Words that every category and every customer has.
const GENERIC: &[&str] = &[
    "app",
    "application",
    "apps",
    "best",
    "business",
    "businesses",
    "companies",
    "company",
    "customer",
    "customers",
    "day",
    "do",
    "existing",
    "first",
    "good",
    "large",
    "make",
    "month",
    "need",
    "new",
    "one",
    "people",
    "person",
    "platform",
    "product",
    "run",
    "service",
    "services",
    "small",
    "software",
    "solution",
    "system",
    "take",
    "team",
    "teams",
    "thing",
    "time",
    "tool",
    "tools",
    "use",
    "user",
    "users",
    "want",
    "week",
    "work",
];

pub(super) fn review(
    document: &DraftDocument<'_>,
    subject: &DraftSubject<'_>,
    findings: &mut Findings<'_>,
) -> Result<(), CannotReview> {
    let text = subject.foundation.get("positioning").filter(|text| has_words(text));
    let Some(text) = text else {
        return Err(CannotReview::NoDocument { document: "positioning", headings: HEADINGS });
    };
    let stance = Stance::read(text);
    if stance.is_empty() {
        return Err(CannotReview::Unreadable { document: "positioning", headings: HEADINGS });
    }
    let form = subject.recipe.form;
    let references = References::read(subject.foundation);
    if form != Form::Post {
        coverage(document, &stance, findings);
        likeness(document, text, findings);
    }
    unknown(&stance, findings);
    opening(document, form, &stance, findings);
    unsupported(document, &references, findings);
    anti_target(document, &stance, findings);
    competitors(document, &references, findings);
    if form == Form::Page {
        alternatives(document, &stance, findings);
    }
    Ok(())
}

/// Topics that the document says nothing about were not checked, and that is said.
fn unknown(stance: &Stance, findings: &mut Findings<'_>) {
    for topic in Topic::CORE.into_iter().filter(|topic| stance.on(*topic).is_empty()) {
        findings.add(Found {
            rule: "positioning.section-not-judged",
            severity: Severity::Minor,
            anchor: topic.name(),
            description: format!(
                "The positioning document has no section on {}: it was not checked.",
                topic.name()
            ),
            suggestion: format!("Add a heading for {} to positioning.md.", topic.name()),
            quote: None,
        });
    }
}

/// Stems and pairs of stems.
fn grams<'s>(stems: impl Iterator<Item = &'s str>) -> HashSet<String> {
    let mut grams = HashSet::new();
    let mut before: Option<&str> = None;
    for stem in stems {
        grams.insert(stem.to_owned());
        if let Some(before) = before {
            grams.insert(format!("{before} {stem}"));
        }
        before = Some(stem);
    }
    grams
}

fn coverage(document: &DraftDocument<'_>, stance: &Stance, findings: &mut Findings<'_>) {
    let said = grams(document.words.iter().filter(|word| !word.stop).map(|word| word.stem.as_str()));
    for topic in Topic::CORE {
        let wanted: BTreeSet<String> = stance
            .on(topic)
            .iter()
            .flat_map(|line| grams(prose::topics(&line.text).iter().map(String::as_str)))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let found = wanted.iter().filter(|gram| said.contains(*gram)).count();
        let covered = share(found, wanted.len());
        if covered >= 0.40 {
            continue;
        }
        let grave = covered < 0.25 && matches!(topic, Topic::Category | Topic::Customer);
        let missing: Vec<&str> = stance
            .on(topic)
            .iter()
            .filter(|line| !is_said(line, &said))
            .map(|line| line.head.as_str())
            .take(3)
            .collect();
        let suggestion = if missing.is_empty() {
            "Say more of it, in the words of the document.".to_owned()
        } else {
            format!("Speak of what the document names: {}.", missing.join("; "))
        };
        findings.add(Found {
            rule: "positioning.coverage",
            severity: if grave { Severity::Serious } else { Severity::Moderate },
            anchor: topic.name(),
            description: format!(
                "The draft covers {:.0} % of what the positioning says on {}; 40 % is the mark.",
                covered * 100.0,
                topic.name()
            ),
            suggestion,
            quote: None,
        });
    }
}

fn is_said(line: &Statement, said: &HashSet<String>) -> bool {
    let head = prose::topics(&line.head);
    !head.is_empty() && head.iter().all(|stem| said.contains(stem))
}

fn likeness(document: &DraftDocument<'_>, positioning: &str, findings: &mut Findings<'_>) {
    let draft = counted(document.words.iter().filter(|word| !word.stop).map(|word| word.stem.as_str()));
    let lines = super::outline::read(positioning);
    let stems: Vec<String> = lines
        .iter()
        .flat_map(|line| {
            prose::topics(line.label.as_deref().unwrap_or_default())
                .into_iter()
                .chain(prose::topics(&line.text))
        })
        .collect();
    let likeness = cosine(&draft, &counted(stems.iter().map(String::as_str)));
    if likeness < 0.30 {
        findings.add(Found {
            rule: "positioning.drift",
            severity: if likeness < 0.20 { Severity::Serious } else { Severity::Moderate },
            anchor: "draft",
            description: format!("The draft and the positioning speak of different things (likeness {likeness:.2}; 0.30 is the mark)."),
            suggestion: "Begin again from the positioning: for whom, instead of what, with which value.".to_owned(),
            quote: document.block(document.hero.start).and_then(Block::quote_all),
        });
    }
}

fn counted<'s>(stems: impl Iterator<Item = &'s str>) -> BTreeMap<&'s str, f64> {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for stem in stems {
        *counts.entry(stem).or_default() += 1.0;
    }
    counts
}

/// The cosine of two texts; a word that only one of them has weighs more, as the rarer one of two documents.
fn cosine(a: &BTreeMap<&str, f64>, b: &BTreeMap<&str, f64>) -> f64 {
    let rare = 1.5_f64.ln() + 1.0;
    let length = |own: &BTreeMap<&str, f64>, other: &BTreeMap<&str, f64>| {
        own.iter()
            .map(|(stem, count)| count * if other.contains_key(stem) { 1.0 } else { rare })
            .map(|weight| weight * weight)
            .sum::<f64>()
            .sqrt()
    };
    let shared: f64 = a.iter().filter_map(|(stem, count)| b.get(stem).map(|other| count * other)).sum();
    let lengths = length(a, b) * length(b, a);
    if lengths > 0.0 { shared / lengths } else { 0.0 }
}

/// The stems of a topic that tell it from everything else.
fn telling(stems: impl IntoIterator<Item = String>, but: &HashSet<String>) -> HashSet<String> {
    let generic = claims::stem_set(GENERIC);
    let all: HashSet<String> = stems.into_iter().collect();
    let rest: HashSet<String> =
        all.iter().filter(|stem| !generic.contains(*stem) && !but.contains(*stem)).cloned().collect();
    if rest.is_empty() { all } else { rest }
}

fn opening(document: &DraftDocument<'_>, form: Form, stance: &Stance, findings: &mut Findings<'_>) {
    // Of a post everything is the first screen.
    let words: &[Word] = if form == Form::Post { &document.words } else { document.hero_words() };
    let place = if form == Form::Post { "The post" } else { "The opening" };
    let quote =
        document.block(if form == Form::Post { 0 } else { document.hero.start }).and_then(Block::quote_all);
    let none = HashSet::new();
    let says = |terms: &HashSet<String>| words.iter().any(|word| terms.contains(&word.stem));
    // The first line names the category, the rest explains it.
    let named =
        stance.on(Topic::Category).first().map(|line| line.head.split(" for ").next().unwrap_or_default());
    let named = prose::topics(named.unwrap_or_default());
    let category = telling(named, &none);
    let mut add = |rule, severity, topic: Topic, what: &str, suggestion: String| {
        let description = format!("{place} has no word of the {what} in the positioning.");
        findings.add(Found { rule, severity, anchor: topic.name(), description, suggestion, quote });
    };
    let heads = |topic| {
        let heads: Vec<&str> = stance.on(topic).iter().map(|line| line.head.as_str()).take(2).collect();
        heads.join("; ")
    };
    if !category.is_empty() && !says(&category) {
        let suggestion = format!("Say what it is: {}.", heads(Topic::Category));
        add(
            "positioning.opening-category",
            Severity::Serious,
            Topic::Category,
            "market category",
            suggestion,
        );
    }
    // The first sentence says who they are; what follows says how they live.
    let first = |line: &Statement| {
        let range = prose::sentences(&line.text).into_iter().next().unwrap_or_default();
        prose::topics(line.text.get(range).unwrap_or_default())
    };
    let customer = telling(stance.on(Topic::Customer).iter().flat_map(first), &category);
    if !customer.is_empty() && !says(&customer) {
        let suggestion = format!("Say for whom it is: {}.", heads(Topic::Customer));
        add(
            "positioning.opening-customer",
            Severity::Moderate,
            Topic::Customer,
            "best customers",
            suggestion,
        );
    }
    let known: HashSet<String> =
        stance.stems(Topic::Category).into_iter().chain(stance.stems(Topic::Customer)).collect();
    let now = telling(stance.stems(Topic::WhyNow), &known);
    if form == Form::Page && !now.is_empty() && !says(&now) {
        let suggestion = format!("Give the reason to act now: {}.", heads(Topic::WhyNow));
        add("positioning.opening-why-now", Severity::Minor, Topic::WhyNow, "reasons why now", suggestion);
    }
}

fn unsupported(document: &DraftDocument<'_>, references: &References, findings: &mut Findings<'_>) {
    claimed(document, references, |_| true, findings);
}

/// Figures that no document has, and nothing else: whether a superlative is true is a judgement.
pub(super) fn figures(document: &DraftDocument<'_>, references: &References, findings: &mut Findings<'_>) {
    claimed(document, references, |claim| claim.is_figure, findings);
}

fn claimed(
    document: &DraftDocument<'_>,
    references: &References,
    counts: fn(&Claim) -> bool,
    findings: &mut Findings<'_>,
) {
    let (head, markup) = (document.head(), document.markup());
    let mut claims = Vec::new();
    for document in [document, &head, &markup] {
        for claim in claims::unsupported(document, references).into_iter().filter(counts) {
            // What the title promises as well is one claim.
            if !claims.iter().any(|(_, known): &(_, Claim)| known.what == claim.what) {
                claims.push((document, claim));
            }
        }
    }
    for (document, claim) in &claims {
        let Some(block) = document.block(claim.block) else { continue };
        let quote = block.quote(claim.range.clone());
        findings.add(Found {
            rule: "positioning.unsupported-claim",
            severity: Severity::Moderate,
            anchor: &claim.what,
            description: format!(
                "'{}' is a claim that none of the documents supports.",
                quote.unwrap_or(&claim.what)
            ),
            suggestion: "Take it out, or put where it comes from into the documents.".to_owned(),
            quote,
        });
    }
    if claims.len() >= 3 {
        findings.add(Found {
            rule: "positioning.unsupported-claims",
            severity: Severity::Serious,
            anchor: "claims",
            description: format!(
                "{} claims are in none of the documents; three make a promise that nobody gave.",
                claims.len()
            ),
            suggestion: "Claim only what the documents say.".to_owned(),
            quote: None,
        });
    }
}

/// Who the product is not for, spoken to all the same.
fn anti_target(document: &DraftDocument<'_>, stance: &Stance, findings: &mut Findings<'_>) {
    let ours: HashSet<String> =
        [Topic::Customer, Topic::Category].into_iter().flat_map(|topic| stance.stems(topic)).collect();
    for line in stance.on(Topic::NotFor).iter().take(MOST_NAMES) {
        let named = telling(prose::topics(&line.text), &ours);
        let foreign = named.iter().any(|stem| !ours.contains(stem));
        // Two words that belong together, or the only one there is.
        let needed = named.len().min(2);
        if named.is_empty() || !foreign {
            continue;
        }
        let found = document.sentences.iter().find(|sentence| {
            let words = document.words_of(&sentence.words);
            let said = named.iter().filter(|stem| words.iter().any(|word| word.stem == **stem)).count();
            said >= needed && !is_negated(words)
        });
        if let Some(sentence) = found {
            findings.add(Found {
                rule: "positioning.anti-target",
                severity: Severity::Serious,
                anchor: &line.head,
                description: format!("The draft speaks to '{}', whom the positioning leaves out.", line.head),
                suggestion: "Speak to the customers that the positioning names.".to_owned(),
                quote: document.quote_sentence(sentence),
            });
        }
    }
}

fn is_negated(words: &[Word]) -> bool {
    words.iter().any(|word| {
        word.lower.ends_with("n't")
            || matches!(
                word.lower.as_str(),
                "no" | "not" | "never" | "without" | "unlike" | "instead" | "nor"
            )
    })
}

/// Names behind a comparison that no document knows.
fn competitors(document: &DraftDocument<'_>, references: &References, findings: &mut Findings<'_>) {
    let own: HashSet<String> = document
        .name
        .map(|name| prose::words(name.text()))
        .unwrap_or_default()
        .into_iter()
        .map(|word| word.lower)
        .collect();
    let mut found: HashSet<String> = HashSet::new();
    let mut name = |block: usize, words: &[Word]| {
        let strange: Vec<&str> = words
            .iter()
            .filter(|word| !references.knows_word(&word.lower) && !own.contains(&word.lower))
            .map(|word| word.lower.as_str())
            .collect();
        let anchor = strange.join(" ");
        if strange.is_empty() || !found.insert(anchor.clone()) {
            return;
        }
        let quote = document.quote_words(block, words);
        findings.add(Found {
            rule: "positioning.unknown-competitor",
            severity: Severity::Moderate,
            anchor: &anchor,
            description: format!(
                "'{}' is named as an alternative, and no document knows it.",
                quote.unwrap_or(&anchor)
            ),
            suggestion: "Compare with the alternatives of the positioning, or add this one to it.".to_owned(),
            quote,
        });
    };
    for sentence in &document.sentences {
        let Some(block) = document.block(sentence.block) else { continue };
        let words = document.words_of(&sentence.words);
        let title = block.part == PagePart::Alternatives && matches!(block.kind, BlockKind::Heading(3..));
        if title {
            let spelt: Vec<&Word> = words.iter().filter(|word| is_name(block.text.as_str(), word)).collect();
            // One capital begins a heading; two, or one within a word, make a name.
            if spelt.len() >= 2 || spelt.iter().any(|word| has_inner_capital(&block.text, word)) {
                name(sentence.block, words);
            }
            continue;
        }
        for at in compared(words) {
            let named = words.iter().skip(at).take_while(|word| is_name(&block.text, word)).count();
            let named = words.get(at..at + named.min(3)).unwrap_or_default();
            if !named.is_empty() {
                name(sentence.block, named);
            }
        }
    }
}

/// Where the second half of a comparison begins.
fn compared(words: &[Word]) -> impl Iterator<Item = usize> {
    const BEFORE: &[&[&str]] = &[
        &["unlike"],
        &["versus"],
        &["vs"],
        &["than"],
        &["compared", "to"],
        &["compared", "with"],
        &["instead", "of"],
        &["alternative", "to"],
        &["switch", "from"],
        &["switching", "from"],
        &["coming", "from"],
        &["leave"],
        &["replaces"],
        &["replace"],
    ];
    let is = |at: usize, wanted: &[&str]| {
        wanted
            .iter()
            .enumerate()
            .all(|(offset, wanted)| words.get(at + offset).is_some_and(|word| word.lower == *wanted))
    };
    (0..words.len())
        .filter_map(move |at| BEFORE.iter().find(|before| is(at, before)).map(|before| at + before.len()))
}

fn is_name(text: &str, word: &Word) -> bool {
    text.get(word.range.clone()).is_some_and(|spelt| spelt.starts_with(char::is_uppercase))
        && word.lower != "i"
        && !word.stop
}

fn has_inner_capital(text: &str, word: &Word) -> bool {
    text.get(word.range.clone()).is_some_and(|spelt| {
        spelt.chars().skip(1).any(char::is_uppercase) && spelt.chars().any(char::is_lowercase)
    })
}

fn alternatives(document: &DraftDocument<'_>, stance: &Stance, findings: &mut Findings<'_>) {
    let lines = stance.on(Topic::Alternatives);
    if lines.is_empty() {
        return;
    }
    let ours: HashSet<String> = stance.stems(Topic::Category).into_iter().collect();
    let names: Vec<HashSet<String>> = lines
        .iter()
        .filter(|line| line.item || lines.iter().all(|line| !line.item))
        .map(|line| telling(prose::topics(&line.head), &ours))
        .filter(|stems| !stems.is_empty())
        .take(MOST_NAMES)
        .collect();
    let says = |sentence: &Sentence| {
        let words = document.words_of(&sentence.words);
        names.iter().any(|stems| {
            // Long names are seldom said in full.
            let found = stems.iter().filter(|stem| words.iter().any(|word| word.stem == **stem)).count();
            found * 2 >= stems.len() && found > 0
        })
    };
    if !names.is_empty() && !document.sentences.iter().any(says) {
        let named: Vec<&str> =
            lines.iter().filter(|line| line.item).map(|line| line.head.as_str()).take(3).collect();
        findings.add(Found {
            rule: "positioning.no-alternative",
            severity: Severity::Moderate,
            anchor: "alternatives",
            description: "The draft names nothing that people do instead.".to_owned(),
            suggestion: format!("Compare with what they use now: {}.", named.join("; ")),
            quote: None,
        });
    }
}
