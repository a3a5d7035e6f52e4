//! Figures that are easily made up, and sentences that come again and again. Whether a figure is true cannot be seen
//! from a page; that nothing stands behind it can.

use std::collections::BTreeMap;

use jury_eye::{Node, NodeId};

use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// Five such places and nobody believes the page any more.
const ZERO_AFTER: f64 = 5.0;

/// From this many times on a sentence is repeated rather than used.
const REPEATED: usize = 3;

/// A sentence of fewer words is a label, and labels come again.
const SENTENCE: usize = 5;

/// What a number is a multiple of.
const MULTIPLIED: &[&str] = &[
    "faster",
    "better",
    "more",
    "cheaper",
    "higher",
    "quicker",
    "less",
    "productivity",
    "growth",
    "roi",
    "engagement",
    "conversion",
    "conversions",
];

/// Whom a page says it is trusted by.
const CROWDS: &[&str] = &[
    "companies",
    "teams",
    "users",
    "customers",
    "developers",
    "businesses",
    "brands",
    "creators",
    "people",
    "clients",
    "organizations",
    "organisations",
];

pub(super) fn claims(page: &Page<'_>) -> Outcome {
    if page.snapshot.page.visible_characters == 0 {
        return Outcome::not_applicable();
    }
    let mut found: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    let mut sentences: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    for node in page.exposed().filter(|node| node.shown && !node.text.is_empty()) {
        if page.is_inside(node, |above| {
            matches!(above.tag.as_str(), "code" | "pre" | "table" | "nav" | "footer" | "button" | "a")
        }) {
            continue;
        }
        if let Some(claim) = claim_in(&node.text)
            && !has_a_source(page, node)
        {
            found.entry(claim).or_default().push(node.id);
        }
        for sentence in node.text.split_inclusive(['.', '!', '?', '。']) {
            let words = sentence.split_whitespace().count();
            let trimmed = sentence.trim();
            if words >= SENTENCE && trimmed.ends_with(['.', '!', '?', '。']) {
                sentences.entry(trimmed.to_lowercase()).or_default().push(node.id);
            }
        }
    }
    let repeated: Vec<(String, Vec<NodeId>)> =
        sentences.into_iter().filter(|(_, nodes)| nodes.len() >= REPEATED).collect();
    let places: usize = found.values().map(Vec::len).sum::<usize>() + repeated.len();
    let mut findings: Vec<Finding> = found
        .into_iter()
        .map(|(claim, nodes)| {
            let what = format!(
                "\"{claim}\" gives no source, needs one or a figure that is known ({})",
                page.places(&nodes)
            );
            Finding::on(Severity::Moderate, nodes, what).because(claim)
        })
        .collect();
    findings.extend(repeated.into_iter().map(|(sentence, nodes)| {
        let short: String = sentence.chars().take(60).collect();
        let times = count(nodes.len());
        let what = format!(
            "\"{short}\" stands here {} times, needs to be said once ({})",
            nodes.len(),
            page.places(&nodes)
        );
        Finding::on(Severity::Moderate, nodes, what).because(short).figure("times", times, "")
    }));
    Outcome {
        measure: Measure::Share { failing: count(places), unknown: 0.0, total: ZERO_AFTER, zero_at: 1.0 },
        note: format!("{} unproven or repeated", crate::finding::counted(places, "claim")),
        findings,
        undecided: Vec::new(),
    }
}

/// Whether something beside a claim says where it comes from.
fn has_a_source(page: &Page<'_>, node: &Node) -> bool {
    let says = |text: &str| {
        let lower = text.to_lowercase();
        ["according to", "source:", "sources:", "measured", "benchmark", "survey", "study", "et al"]
            .iter()
            .any(|words| lower.contains(words))
    };
    says(&node.text)
        || page
            .snapshot
            .descendants(node)
            .any(|inner| matches!(inner.tag.as_str(), "a" | "sup" | "cite") || says(&inner.text))
        || node.parent.and_then(|parent| page.node(parent)).is_some_and(|parent| {
            parent.subtree_end.0 - parent.id.0 < 12
                && page
                    .snapshot
                    .descendants(parent)
                    .any(|inner| matches!(inner.tag.as_str(), "sup" | "cite") || says(&inner.text))
        })
}

/// A claim of a kind that is easily invented, in the words of the text.
fn claim_in(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(['(', ')', ',', ';', ':', '"', '“', '”', '!']))
        .collect();
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index + 1).copied().unwrap_or_default().trim_end_matches('.');
        let after = words.get(index + 2).copied().unwrap_or_default().trim_end_matches('.');
        let (word, percent) = match word.strip_suffix('%') {
            Some(number) => (number, true),
            None => (*word, next == "%"),
        };
        let (next, after) = if percent && next == "%" {
            (after, words.get(index + 3).copied().unwrap_or_default())
        } else {
            (next, after)
        };
        if let Some(number) = word.strip_suffix('x').or_else(|| word.strip_suffix('×'))
            && number.parse::<f64>().is_ok_and(|times| times >= 2.0)
            && MULTIPLIED.contains(&next)
        {
            return Some(format!("{word} {next}"));
        }
        if percent
            && word.parse::<f64>().is_ok_and(|number| number >= 99.0 && number < 100.0)
            && matches!(next, "uptime" | "availability" | "accuracy" | "accurate" | "reliability")
        {
            return Some(format!("{word}% {next}"));
        }
        if percent
            && word == "100"
            && (matches!(next, "satisfaction" | "guaranteed" | "guarantee")
                || after == "guarantee" && next == "satisfaction")
        {
            return Some(format!("100% {next}"));
        }
        if word == "trusted" && next == "by" {
            let crowd = words.iter().skip(index + 2).take(5).map(|word| word.trim_end_matches('.'));
            let counted = words.iter().skip(index + 2).take(3).any(|word| {
                word.chars().filter(char::is_ascii_digit).count() >= 2
                    || matches!(*word, "thousands" | "millions" | "hundreds")
            });
            if let Some(crowd) = crowd.into_iter().find(|word| CROWDS.contains(word)).filter(|_| counted) {
                return Some(format!("trusted by ... {crowd}"));
            }
        }
        if word == "#1"
            && !next.is_empty()
            && !next.starts_with(|ch: char| ch.is_ascii_digit())
            && !matches!(next, "·" | "-" | "—" | "in" | "of")
        {
            return Some(format!("#1 {next}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::claim_in;

    #[test]
    fn claims_are_told_from_figures() {
        for text in [
            "Build 10x faster than before",
            "99.9% uptime, always",
            "99.99 % uptime",
            "Trusted by 10,000+ teams worldwide",
            "Trusted by thousands of companies.",
            "100% satisfaction guarantee",
            "The #1 platform for bread",
        ] {
            assert!(claim_in(text).is_some(), "{text}");
        }
        for text in [
            "Uptime was 98 % in May",
            "Trusted by our neighbours",
            "Issue #1 of the letter",
            "100% of the grain is local",
            "The camera has 10x zoom",
        ] {
            assert_eq!(claim_in(text), None, "{text}");
        }
    }
}
