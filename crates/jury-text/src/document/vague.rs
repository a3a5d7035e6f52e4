//! Words in requirements that nobody can verify. Only sentences that ask for something are examined: in a story
//! or a report such words do no harm.

use std::collections::BTreeSet;

use super::passage::{Kind, Passage};
use super::read::Document;
use super::{Found, cut, identifiers, requirements};

/// Adjectives and adverbs that a figure in the same sentence makes verifiable.
const UNMEASURED: &[&str] = &[
    "fast",
    "faster",
    "quick",
    "quickly",
    "slow",
    "easy",
    "easily",
    "robust",
    "robustly",
    "user-friendly",
    "intuitive",
    "intuitively",
    "efficient",
    "efficiently",
    "flexible",
    "scalable",
    "seamless",
    "seamlessly",
    "responsive",
    "reliable",
    "reliably",
    "timely",
    "optimal",
    "modern",
    "lightweight",
    "performant",
    "high-quality",
    "significant",
    "significantly",
    "promptly",
];

/// Words that leave the decision to whoever reads them.
const OPEN: &[&str] = &[
    "appropriate",
    "appropriately",
    "adequate",
    "adequately",
    "sufficient",
    "sufficiently",
    "reasonable",
    "reasonably",
    "suitable",
    "suitably",
    "acceptable",
    "etc",
    "some",
    "several",
    "various",
    "many",
    "few",
    "gracefully",
    "properly",
    "securely",
    "periodically",
];

const PHRASES: &[&str] = &[
    "as needed",
    "as necessary",
    "if necessary",
    "when necessary",
    "where necessary",
    "if needed",
    "when needed",
    "if possible",
    "where possible",
    "when possible",
    "as soon as possible",
    "as appropriate",
    "and so on",
    "a number of",
    "best effort",
    "state of the art",
    "user friendly",
    "at regular intervals",
    "near real-time",
    "near real time",
];

pub(super) fn words(document: &Document<'_>) -> Found {
    let ids = document.ids();
    let specification = requirements::is_specification(document, ids);
    let sections: BTreeSet<usize> = (1..=document.headings.len())
        .filter(|section| {
            document.path(*section).any(|(_, heading)| {
                requirements::is_requirements_heading(&heading.text) || is_criteria(&heading.text)
            })
        })
        .collect();
    let mut named: BTreeSet<usize> = BTreeSet::new();
    let mut rows: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (id, defined) in &ids.defined {
        if identifiers::is_requirement(id) {
            named.insert(defined.passage);
            if let Some(Kind::Cell { table, row, .. }) =
                document.passages.get(defined.passage).map(|passage| passage.kind)
            {
                rows.insert((table, row));
            }
        }
    }
    let mut found = Found::default();
    for (index, passage) in document.passages.iter().enumerate() {
        let row = matches!(passage.kind, Kind::Cell { table, row, .. } if rows.contains(&(table, row)));
        if passage.quoted || (passage.kind == Kind::Heading && !named.contains(&index)) {
            continue;
        }
        let about = row || named.contains(&index);
        let within = specification && sections.contains(&passage.section);
        for sentence in passage.sentences() {
            let text = cut(&passage.text, sentence.clone());
            if !is_normative(text, about, within, specification) {
                continue;
            }
            found.examined += 1;
            look(passage, &sentence, about, &mut found);
        }
    }
    found
}

fn is_criteria(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    ["acceptance", "success criteri", "quality goal"].iter().any(|word| heading.contains(word))
}

fn is_normative(text: &str, about: bool, within: bool, specification: bool) -> bool {
    if text.trim_end().ends_with('?') {
        return false;
    }
    about
        || text.split(|c: char| !c.is_alphabetic()).any(|word| match word {
            "MUST" | "SHALL" => true,
            "must" | "shall" => specification,
            "should" | "will" | "SHOULD" => within,
            _ => false,
        })
}

fn look(passage: &Passage, sentence: &std::ops::Range<usize>, about: bool, found: &mut Found) {
    let text = cut(&passage.text, sentence.clone()).to_ascii_lowercase();
    let measured = has_figure(&text);
    let mut places: Vec<(usize, &str)> = Vec::new();
    for phrase in PHRASES {
        places.extend(text.match_indices(phrase).map(|(at, _)| (at, *phrase)));
    }
    let mut at = 0;
    // How many of what is asked for, and not how many ask for it.
    let mut asked = false;
    for word in text.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '-')) {
        let name = word.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '-'));
        let amount = matches!(name, "some" | "several" | "various" | "many" | "few");
        asked |= matches!(name, "must" | "shall" | "should" | "will");
        let vague = match (OPEN.contains(&name), UNMEASURED.contains(&name)) {
            (true, _) => asked || about || !amount,
            // In front of what is asked it names something: "the fast path must".
            (false, unmeasured) => unmeasured && !measured && (asked || about),
        };
        if vague && !is_exempt(&text, at, name) {
            places.push((at, name));
        }
        at += word.len();
    }
    places.sort_unstable();
    places.dedup_by_key(|(at, _)| *at);
    for (at, word) in places {
        let range = sentence.start + at..sentence.start + at + word.len();
        let whole = !cut(&text, at + word.len()..text.len()).starts_with(char::is_alphanumeric)
            && !cut(&text, 0..at).ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '`'));
        if whole && !passage.is_mentioned(&range) {
            let quote = format!("{word}: {}", cut(&passage.text, sentence.clone()).trim());
            found.add(
                passage.source(range.start),
                &quote,
                format!("'{word}' cannot be verified"),
                "say how much, how many or which",
            );
        }
    }
}

/// Uses of a word that are exact after all.
fn is_exempt(text: &str, at: usize, word: &str) -> bool {
    let after = cut(text, at + word.len()..text.len()).trim_start();
    let before = cut(text, 0..at).trim_end();
    match word {
        "many" => {
            before.ends_with("how")
                || before.ends_with("as")
                || before.ends_with("too")
                || after.starts_with("-to")
                || before.ends_with("one-to")
        }
        "few" => before.ends_with("at most a") || before.ends_with("fewer"),
        "fast" => {
            after.starts_with("forward")
                || after.starts_with("path")
                || before.ends_with("fail")
                || after.starts_with("track")
        }
        "sufficient" => before.ends_with("is") || before.ends_with("not") || before.ends_with("are"),
        "some" => after.starts_with("of the") && before.ends_with("not"),
        "slow" | "quick" => {
            after.starts_with("start") || after.starts_with("path") || after.starts_with("query log")
        }
        "faster" => after.starts_with("than"),
        _ => false,
    }
}

/// A number that measures: with a unit, a sign or a bound, and not part of an id.
fn has_figure(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        byte.is_ascii_digit()
            && !before
                .is_some_and(|before| before.is_ascii_alphanumeric() || matches!(before, b'-' | b'.' | b'#'))
    })
}
