//! Behaviour: what a reader is asked to do, how much there is to choose from, what presses, what proves, what reassures.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use jury_core::content::Form;
use jury_core::severity::Severity;

use super::claims;
use super::document::{Block, BlockKind, DraftDocument, Link};
use super::finding::{Findings, Found};
use super::phrases::Matcher;
use super::prose::{self, Word};
use super::references::References;
use super::{DraftSubject, figure, number, proof, share, times, verbs};

/// Labels that do not say what happens next.
const GENERIC: &[&str] = &["click here", "go", "learn more", "read more", "start", "submit"];

/// What makes people hurry.
const PRESSURE: &[&str] = &[
    "act fast",
    "act now",
    "almost gone",
    "before it is too late",
    "before it's too late",
    "don't miss",
    "don't wait",
    "ends soon",
    "ends today",
    "ends tonight",
    "expires soon",
    "final chance",
    "going fast",
    "hurry",
    "last chance",
    "limited offer",
    "limited seats",
    "limited spots",
    "limited time",
    "miss out",
    "now or never",
    "offer ends",
    "offer expires",
    "only a few left",
    "seats left",
    "selling fast",
    "selling out",
    "spots are limited",
    "spots left",
    "spots remaining",
    "time is running out",
    "today only",
    "while stocks last",
    "while supplies last",
];

/// What costs something, beside a call to action.
const FRICTION: &[&str] =
    &["buy", "contract", "credit card", "purchase", "register", "registration", "subscribe", "subscription"];

/// What takes the worry away.
const REASSURANCE: &[&str] = &[
    "any time",
    "anytime",
    "cancel",
    "free",
    "money back",
    "no commitment",
    "no contract",
    "no credit card",
    "no obligation",
    "no registration",
    "no risk",
    "no strings",
    "pause",
    "refund",
    "try it first",
    "unsubscribe",
    "without a contract",
    "without a credit card",
    "without registering",
];

/// What touches people: relief, worry, pride.
const FEELING: &[&str] = &[
    "afraid",
    "alone",
    "angry",
    "annoying",
    "anxiety",
    "anxious",
    "awkward",
    "bother",
    "calm",
    "chasing",
    "chaos",
    "comfort",
    "confident",
    "confidence",
    "confused",
    "dread",
    "embarrassing",
    "enjoy",
    "exhausted",
    "fear",
    "forget",
    "frustrated",
    "frustrating",
    "frustration",
    "glad",
    "guess",
    "guilt",
    "happy",
    "hate",
    "headache",
    "hope",
    "hurt",
    "joy",
    "lonely",
    "lost",
    "love",
    "miss",
    "nervous",
    "nightmare",
    "overwhelmed",
    "pain",
    "painful",
    "panic",
    "peace",
    "pride",
    "proud",
    "regret",
    "relax",
    "relief",
    "relieved",
    "rush",
    "safe",
    "scared",
    "scramble",
    "shame",
    "sleep",
    "stop",
    "stress",
    "stressed",
    "struggle",
    "stuck",
    "surprise",
    "surprises",
    "tired",
    "trust",
    "uneasy",
    "waste",
    "weekend",
    "weekends",
    "worried",
    "worry",
    "worrying",
];

/// What makes a claim one that can be checked.
const EVIDENCE: &[&str] = &[
    "average",
    "backed",
    "because",
    "built by",
    "certified",
    "checked",
    "guarantee",
    "measured",
    "open source",
    "proof",
    "proven",
    "rated",
    "result",
    "results",
    "since",
    "source",
    "study",
    "tested",
    "trusted by",
    "used by",
    "verified",
];

pub(super) fn review(document: &DraftDocument<'_>, subject: &DraftSubject<'_>, findings: &mut Findings<'_>) {
    let form = subject.recipe.form;
    labels(document, form, findings);
    load(document, form, findings);
    proof::review(document, &References::read(subject.foundation), findings);
    pressure(document, findings);
    friction(document, findings);
    address(document, findings);
    if form == Form::Page {
        first_screen(document, findings);
        if !document.has_questions() {
            findings.add(Found {
                rule: "behaviour.no-objections",
                severity: Severity::Minor,
                anchor: "objections",
                description: "Nothing answers the questions and objections of a reader.".to_owned(),
                suggestion: "Add three to five questions that buyers ask, with short answers.".to_owned(),
                quote: None,
            });
        }
    }
}

fn labels(document: &DraftDocument<'_>, form: Form, findings: &mut Findings<'_>) {
    let in_hero = document.actions().any(|link| document.hero.contains(&link.block));
    if form == Form::Page && !in_hero {
        findings.add(Found {
            rule: "behaviour.no-action",
            severity: Severity::Serious,
            anchor: "hero",
            description:
                "The first screen asks for nothing: there is no call to action before the first section."
                    .to_owned(),
            suggestion: "Put one call to action under the headline.".to_owned(),
            quote: document.block(document.hero.start).and_then(Block::quote_all),
        });
    }
    let mut distinct: BTreeMap<String, &Link> = BTreeMap::new();
    for link in document.actions() {
        let words = prose::words(&link.text);
        let label: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
        distinct.entry(label.join(" ")).or_insert(link);
    }
    for (label, link) in &distinct {
        let words = prose::words(&link.text);
        let count = prose::count(&words);
        let quote = document.block(link.block).and_then(Block::quote_all);
        let mut add = |rule, description: String, suggestion: &str| {
            let suggestion = suggestion.to_owned();
            findings.add(Found {
                rule,
                severity: Severity::Moderate,
                anchor: label,
                description,
                suggestion,
                quote,
            });
        };
        if GENERIC.contains(&label.as_str()) {
            add(
                "behaviour.generic-action",
                format!("The call to action '{}' does not say what happens next.", link.text.trim()),
                "Name what the reader gets: 'Start my free trial', 'See a sample report'.",
            );
        }
        if !words.first().is_some_and(|word| verbs::is_imperative(&word.lower)) {
            add(
                "behaviour.action-verb",
                format!("The call to action '{}' does not begin with what to do.", link.text.trim()),
                "Begin with a verb: 'Get', 'Try', 'Book', 'See'.",
            );
        }
        if !(2..=5).contains(&count) {
            add(
                "behaviour.action-length",
                format!(
                    "The call to action has {}; 2 to 5 are understood at once.",
                    number(count, "word", "words")
                ),
                "Two to five words: the verb and what the reader gets.",
            );
        }
    }
    if distinct.len() > 2 {
        findings.add(Found {
            rule: "behaviour.many-actions",
            severity: if distinct.len() > 4 { Severity::Serious } else { Severity::Moderate },
            anchor: "actions",
            description: format!(
                "There are {} different calls to action; more than two compete.",
                distinct.len()
            ),
            suggestion: "Choose one, say it the same way everywhere, and make the rest links.".to_owned(),
            quote: distinct
                .values()
                .max_by_key(|link| link.block)
                .and_then(|link| document.block(link.block)?.quote_all()),
        });
    }
}

fn load(document: &DraftDocument<'_>, form: Form, findings: &mut Findings<'_>) {
    let interactive = document.links.len() + document.fields;
    if form == Form::Page && interactive > 10 {
        findings.add(Found {
            rule: "behaviour.attention",
            severity: Severity::Moderate,
            anchor: "links",
            description: format!(
                "There are {interactive} links and fields to one goal; ten to one is the most."
            ),
            suggestion: "Take out the links that do not lead to the goal.".to_owned(),
            quote: None,
        });
    }
    for group in document.groups.iter().filter(|group| group.items > 7) {
        let what = if group.list { "list" } else { "group" };
        let first = document.block(group.first).map_or("", |block| block.text.as_str());
        let anchor = if group.list { first } else { group.heading.as_str() };
        findings.add(Found {
            rule: "behaviour.long-list",
            severity: if group.items > 9 { Severity::Serious } else { Severity::Minor },
            anchor,
            description: format!("A {what} has {} entries; people hold five to seven.", group.items),
            suggestion: "Keep the ones that matter most, or make two groups with a heading each.".to_owned(),
            quote: document.block(group.first).and_then(Block::quote_all),
        });
    }
    if document.fields > 3 {
        findings.add(Found {
            rule: "behaviour.form-fields",
            severity: Severity::Moderate,
            anchor: "form",
            description: format!("A reader has to fill in {} fields; three is the most.", document.fields),
            suggestion: "Ask for what you need now and for the rest later.".to_owned(),
            quote: None,
        });
    }
}

fn pressure(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    static MATCHER: LazyLock<Matcher> = LazyLock::new(|| Matcher::new(PRESSURE.iter().copied()));
    let mut count = 0;
    let mut first = None;
    let head = document.head();
    for document in [document, &head] {
        for sentence in &document.sentences {
            let words = document.words_of(&sentence.words);
            for hit in MATCHER.find(words) {
                count += 1;
                first = first.or_else(|| {
                    words
                        .get(hit.start..hit.end)
                        .and_then(|words| document.quote_words(sentence.block, words))
                });
            }
        }
    }
    if count > 0 {
        findings.add(Found {
            rule: "behaviour.pressure",
            severity: if count >= 2 { Severity::Serious } else { Severity::Moderate },
            anchor: "pressure",
            description: format!("The text presses the reader with scarcity or hurry, {}.", times(count)),
            suggestion: "Give a reason to act instead of a deadline.".to_owned(),
            quote: first,
        });
    }
}

/// What costs something beside a call to action, with nothing that takes the worry away.
fn friction(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    static COSTS: LazyLock<Matcher> = LazyLock::new(|| Matcher::new(FRICTION.iter().copied()));
    static CALMS: LazyLock<Matcher> = LazyLock::new(|| Matcher::new(REASSURANCE.iter().copied()));
    for link in document.actions() {
        // The call itself, what stands before it and what stands after it.
        let near: Vec<usize> = (link.block.saturating_sub(1)..=link.block + 1).collect();
        let words = |at: &usize| {
            document
                .block(*at)
                .filter(|block| !matches!(block.kind, BlockKind::Heading(_)))
                .map(|block| document.block_words(block))
        };
        let calms = near.iter().filter_map(words).any(|words| CALMS.any(words));
        let costs = near.iter().find_map(|at| {
            let words = words(at)?;
            let hit = COSTS.find(words).into_iter().next()?;
            Some((
                FRICTION.get(hit.phrase).copied()?,
                document.quote_words(*at, words.get(hit.start..hit.end)?),
            ))
        });
        if let Some((word, quote)) = costs.filter(|_| !calms) {
            findings.add(Found {
                rule: "behaviour.friction",
                severity: Severity::Minor,
                anchor: word,
                description: format!("'{word}' stands beside a call to action, and nothing takes the worry away."),
                suggestion: "Say beside it what the reader does not risk, if it is true: free, cancel any time, no card.".to_owned(),
                quote,
            });
        }
    }
}

fn address(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let is = |word: &Word, all: &[&str]| all.contains(&word.lower.split('\'').next().unwrap_or_default());
    let you = document.words.iter().filter(|word| is(word, &["you", "your", "yours", "yourself"])).count();
    let us = |word: &&Word| is(word, &["we", "our", "us", "ours", "ourselves"]);
    let we = document.words.iter().filter(us).count();
    if we > you {
        let first = document.words.iter().position(|word| us(&word));
        let quote = first
            .and_then(|at| document.sentence_at(at))
            .and_then(|sentence| document.quote_sentence(sentence));
        findings.add(Found {
            rule: "behaviour.about-us",
            severity: Severity::Moderate,
            anchor: "address",
            description: format!(
                "The text says 'we' {} and 'you' {} ({} to 1).",
                times(we),
                times(you),
                figure(share(you, we))
            ),
            suggestion: "Turn sentences about you into sentences about the reader.".to_owned(),
            quote,
        });
    }
}

fn first_screen(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    static FEELS: LazyLock<HashSet<String>> = LazyLock::new(|| claims::stem_set(FEELING));
    static SHOWS: LazyLock<Matcher> = LazyLock::new(|| Matcher::new(EVIDENCE.iter().copied()));
    let words = document.hero_words();
    let quote = document.block(document.hero.start).and_then(Block::quote_all);
    if !words.iter().any(|word| FEELS.contains(&word.stem)) {
        findings.add(Found {
            rule: "behaviour.no-feeling",
            severity: Severity::Minor,
            anchor: "hero",
            description: "No line of the first screen touches what the reader feels.".to_owned(),
            suggestion: "Name the worry that goes away, or the relief that comes.".to_owned(),
            quote,
        });
    }
    let in_hero = claims::figures(document).any(|(block, ..)| document.hero.contains(&block));
    if !in_hero && !SHOWS.any(words) {
        findings.add(Found {
            rule: "behaviour.no-evidence",
            severity: Severity::Minor,
            anchor: "hero",
            description: "No line of the first screen gives a reason to believe it.".to_owned(),
            suggestion: "Put a figure or a fact from the documents there.".to_owned(),
            quote,
        });
    }
}
