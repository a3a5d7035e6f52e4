//! Whether a page carries everything it needs.

use std::collections::BTreeSet;

use jury_core::line::shortened;
use jury_eye::{Beside, Coverage, Node, NodeId};

use crate::finding::{Finding, Measure, Outcome, Severity, counted};
use crate::page::Page;

/// What a page needs and does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Missing {
    kind: &'static str,
    address: String,
}

/// A page that needs what is not in it was measured without it, and will look different where it is not to be
/// had. No bar is low enough for a page that was seen in part.
pub(super) fn self_contained(page: &Page<'_>) -> Outcome {
    let mut seen: BTreeSet<Missing> = BTreeSet::new();
    let mut findings = Vec::new();
    let mut add = |missing: Missing, node: Option<NodeId>| {
        let Missing { kind, address } = &missing;
        let what = format!(
            "the page needs the {kind} {address}, which is not in it or beside it, needs it in the page"
        );
        let cause = format!("{kind} {address}");
        if seen.insert(missing) {
            findings.push(Finding::on(Severity::Serious, node.into_iter().collect(), what).because(cause));
        }
    };
    let mut unknown: Vec<NodeId> = Vec::new();
    for node in &page.snapshot.nodes {
        let Some((kind, address)) = needed(node) else { continue };
        match at_hand(page, kind, address) {
            AtHand::Yes => {}
            AtHand::No => add(Missing { kind, address: told(address) }, Some(node.id)),
            AtHand::Unknown => unknown.push(node.id),
        }
    }
    for span in &page.source.styles {
        let text = page.html.get(span.clone()).unwrap_or_default();
        for address in Coverage::imports_of(text) {
            if at_hand(page, "style sheet", &address) == AtHand::No {
                add(Missing { kind: "style sheet", address: told(&address) }, None);
            }
        }
    }
    if page.snapshot.coverage.js_rendered {
        findings.push(
            Finding::page(
                Severity::Serious,
                "the page is built by its scripts and was measured without them, needs its content in the page",
            )
            .because("built by scripts"),
        );
    }
    let undecided = unsaid(page, unknown);
    if findings.is_empty() {
        if !undecided.is_empty() {
            let measure = Measure::Share { failing: 0.0, unknown: 1.0, total: 1.0, zero_at: 1.0 };
            let note = "whether everything is there is not known".to_owned();
            return Outcome { measure, note, findings, undecided };
        }
        // Being whole is no merit: it earns nothing, and an empty page has it too.
        return Outcome::not_applicable();
    }
    let note = findings.iter().map(|finding| finding.cause.clone()).take(3).collect::<Vec<_>>().join(", ");
    Outcome {
        measure: Measure::Binary { failed: true },
        note: format!("{} missing: {note}", findings.len()),
        findings,
        undecided,
    }
}

/// Files of which nobody knows whether they are there.
fn unsaid(page: &Page<'_>, unknown: Vec<NodeId>) -> Vec<Finding> {
    if unknown.is_empty() {
        return Vec::new();
    }
    let what = format!(
        "{} outside of the folder of the page, of which nobody knows whether they are there ({})",
        counted(unknown.len(), "file"),
        page.places(&unknown)
    );
    vec![Finding::on(Severity::Serious, unknown, what).because("files outside of the folder")]
}

/// What an element needs to look as it should: the kind of thing and its address.
fn needed(node: &Node) -> Option<(&'static str, &str)> {
    match node.tag.as_str() {
        "link" => {
            let says = |word: &str| {
                node.attribute("rel")
                    .is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
            };
            let applies = says("stylesheet") && !says("alternate") && node.attribute("disabled").is_none();
            let for_print =
                node.attribute("media").is_some_and(|media| media.trim().eq_ignore_ascii_case("print"));
            node.attribute("href").filter(|_| applies && !for_print).map(|address| ("style sheet", address))
        }
        // A script beside the page is not run here either; what it builds is asked for by itself.
        "script" if node.runs_script() => node
            .attribute("src")
            .filter(|address| is_remote(address) && !Coverage::counts_visitors(address))
            .map(|address| ("script", address)),
        "img" if node.shown => node.attribute("src").map(|address| ("image", address)),
        _ => None,
    }
}

/// Whether a page has what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtHand {
    Yes,
    No,
    /// It has not been looked for.
    Unknown,
}

fn at_hand(page: &Page<'_>, kind: &str, address: &str) -> AtHand {
    if Coverage::serves_fonts(address) {
        return AtHand::Yes;
    }
    let Some(name) = Beside::name_of(address) else {
        return if is_remote(address) { AtHand::No } else { AtHand::Yes };
    };
    let beside = page.subject.beside;
    // Without a root to look in, an address from the root may have been read as one from the folder.
    let seen = beside.has(&name).or_else(|| beside.get(name.trim_start_matches('/')).map(|_| true));
    let elsewhere = name.starts_with('/') || name.starts_with("../");
    match seen {
        Some(true) => AtHand::Yes,
        Some(false) => AtHand::No,
        // A page that came by itself says nothing about the pictures in its folder.
        None if kind == "image" && beside.is_empty() => AtHand::Yes,
        // Nobody has looked there. A page without its style sheet was seen in part, which is said elsewhere.
        None if elsewhere => AtHand::Unknown,
        None => AtHand::No,
    }
}

fn is_remote(address: &str) -> bool {
    let lower = address.trim().to_ascii_lowercase();
    lower.starts_with("//") || lower.starts_with("http:") || lower.starts_with("https:")
}

/// An address without its query, which may be long and says little.
fn told(address: &str) -> String {
    shortened(address.split(['?', '#']).next().unwrap_or_default(), 100)
}
