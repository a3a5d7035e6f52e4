//! Worn phrases: jargon, filler, hedges and their like, each said once however often it stands there.

use jury_core::severity::Severity;
use std::collections::BTreeMap;

use super::document::{Block, DraftDocument};
use super::finding::{Findings, Found};
use super::phrases::{self, PhraseKind};
use super::{DraftSubject, keywords, number};

pub(super) fn review(document: &DraftDocument<'_>, subject: &DraftSubject<'_>, findings: &mut Findings<'_>) {
    // What people search for is said in their words.
    let keywords = subject.foundation.get("seo-strategy").map(keywords::read).unwrap_or_default();
    let wanted: Vec<String> = keywords
        .primary
        .iter()
        .chain(&keywords.secondary)
        .map(|keyword| keyword.text.replace('-', " "))
        .collect();
    let all = phrases::phrases();
    let mut found: BTreeMap<usize, (usize, usize, std::ops::Range<usize>)> = BTreeMap::new();
    for sentence in document.prose() {
        let words = document.words_of(&sentence.words);
        for hit in phrases::matcher().find(words) {
            let Some(phrase) = all.get(hit.phrase) else { continue };
            // A stiff word is a transition at the start of a sentence only.
            if phrase.kind == PhraseKind::Transition && hit.start > 0 {
                continue;
            }
            let range = sentence.words.start + hit.start..sentence.words.start + hit.end;
            found.entry(hit.phrase).or_insert((0, sentence.block, range)).0 += 1;
        }
    }
    for (index, (times, block, range)) in found {
        let Some(phrase) = all.get(index) else { continue };
        if wanted.iter().any(|keyword| keyword.contains(phrase.words)) {
            continue;
        }
        let (rule, severity, what) = of_kind(phrase.kind);
        let suggestion = match phrase.instead {
            Some("") => "Leave it out.".to_owned(),
            Some(instead) => format!("Write '{instead}'."),
            None => "Say what it means here, in words a customer would use.".to_owned(),
        };
        let often = if times == 1 { String::new() } else { format!(", {}", super::times(times)) };
        findings.add(Found {
            rule,
            severity,
            anchor: phrase.words,
            description: format!("'{}' is {what}{often}.", phrase.words),
            suggestion,
            quote: document.quote_words(block, document.words_of(&range)),
        });
    }
    dashes(document, findings);
}

fn of_kind(kind: PhraseKind) -> (&'static str, Severity, &'static str) {
    match kind {
        PhraseKind::Jargon => ("copy.jargon", Severity::Moderate, "jargon"),
        PhraseKind::FakeSpecificity => {
            ("copy.fake-specificity", Severity::Moderate, "evidence that names none")
        }
        PhraseKind::Filler => ("copy.filler", Severity::Moderate, "filler"),
        PhraseKind::Intensifier => ("copy.intensifier", Severity::Minor, "an intensifier"),
        PhraseKind::Transition => ("copy.transition", Severity::Minor, "a stiff transition"),
        PhraseKind::Weasel => ("copy.weasel", Severity::Minor, "a weasel word"),
        PhraseKind::Hedge => ("copy.hedge", Severity::Minor, "a hedge"),
        PhraseKind::Wordy => ("copy.wordy", Severity::Minor, "wordy"),
        PhraseKind::Cliche => ("copy.cliche", Severity::Minor, "a cliché"),
    }
}

fn dashes(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let has = |text: &str| text.contains('—') || text.contains(" -- ");
    let with: Vec<&Block<'_>> = document.blocks.iter().filter(|block| has(&block.text)).collect();
    if let Some(first) = with.first() {
        findings.add(Found {
            rule: "copy.em-dash",
            severity: Severity::Minor,
            anchor: "text",
            description: format!("An em dash stands in {}.", number(with.len(), "passage", "passages")),
            suggestion: "Use a full stop, a comma or a colon.".to_owned(),
            quote: first.quote_all().filter(|quote| has(quote)),
        });
    }
}
