//! Whether a page carries everything it needs.

use std::collections::BTreeSet;

use jury_eye::{Node, NodeId};

use crate::finding::{Finding, Measure, Outcome, Severity};
use crate::page::Page;

/// Hosts that serve fonts only: without them the page looks almost the same.
const FONT_HOSTS: &[&str] =
    &["fonts.", "use.typekit.net", "api.fontshare.com", "rsms.me", "fontawesome", "font-awesome"];

/// Scripts that count visitors and paint nothing.
const COUNTERS: &[&str] = &[
    "googletagmanager.com",
    "google-analytics.com",
    "plausible.io",
    "umami",
    "matomo",
    "static.cloudflareinsights.com",
    "clarity.ms",
    "fathom",
    "hotjar.com",
    "segment.com",
    "posthog.com",
];

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
    for node in &page.snapshot.nodes {
        if let Some((kind, address)) = needed(node)
            && !is_at_hand(page, address)
            // A page that came by itself says nothing about the pictures in its folder.
            && !(kind == "image" && page.subject.beside.is_empty() && !is_remote(address))
        {
            add(Missing { kind, address: shortened(address) }, Some(node.id));
        }
    }
    for span in &page.source.styles {
        let text = page.html.get(span.clone()).unwrap_or_default();
        for address in imports(text).into_iter().filter(|address| !is_at_hand(page, address)) {
            add(Missing { kind: "style sheet", address: shortened(&address) }, None);
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
    if findings.is_empty() {
        // Being whole is no merit: it earns nothing, and an empty page has it too.
        return Outcome::not_applicable();
    }
    let note = findings.iter().map(|finding| finding.cause.clone()).take(3).collect::<Vec<_>>().join(", ");
    Outcome {
        measure: Measure::Binary { failed: true },
        note: format!("{} missing: {note}", findings.len()),
        findings,
        undecided: Vec::new(),
    }
}

/// What an element needs to look as it should: the kind of thing and its address.
fn needed(node: &Node) -> Option<(&'static str, &str)> {
    match node.tag.as_str() {
        "link" => {
            let sheet = node.attribute("rel").is_some_and(|rel| {
                rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("stylesheet"))
            });
            let for_print = node.attribute("media").is_some_and(|media| media.trim() == "print");
            node.attribute("href").filter(|_| sheet && !for_print).map(|address| ("style sheet", address))
        }
        "script" => node
            .attribute("src")
            .filter(|address| !COUNTERS.iter().any(|host| address.contains(host)))
            .map(|address| ("script", address)),
        "img" if node.shown => node.attribute("src").map(|address| ("image", address)),
        _ => None,
    }
}

fn is_at_hand(page: &Page<'_>, address: &str) -> bool {
    let address = address.trim();
    let lower = address.to_ascii_lowercase();
    address.is_empty()
        || lower.starts_with("data:")
        || lower.starts_with('#')
        || FONT_HOSTS.iter().any(|host| lower.contains(host))
        || page.beside(address).is_some()
}

fn is_remote(address: &str) -> bool {
    let lower = address.trim().to_ascii_lowercase();
    lower.starts_with("//") || lower.starts_with("http:") || lower.starts_with("https:")
}

/// An address without its query, which may be long and says little.
fn shortened(address: &str) -> String {
    let plain = address.trim().split(['?', '#']).next().unwrap_or_default();
    if plain.chars().count() <= 100 {
        return plain.to_owned();
    }
    plain.chars().take(97).chain("...".chars()).collect()
}

/// The addresses of `@import` rules, comments left out.
fn imports(css: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, behind)| behind);
    }
    plain.push_str(rest);
    plain
        .split("@import")
        .skip(1)
        .filter_map(|rest| {
            let rest = rest.trim_start();
            let inside = rest.strip_prefix("url(").or_else(|| rest.strip_prefix(['"', '\'']))?;
            inside.trim_start_matches(['"', '\'', ' ']).split(['"', '\'', ')', ';']).next().map(str::to_owned)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::imports;

    #[test]
    fn imports_are_told_from_words() {
        let css = "/* @import only what you need */@import url(a.css);@import \"b.css\" screen;p{content:'@import x'}";
        assert_eq!(imports(css), ["a.css", "b.css"]);
    }
}
