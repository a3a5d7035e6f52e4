//! Moving about with the keyboard: the order of Tab, keys that do two things, and a way past what comes first.

use std::collections::BTreeMap;

use jury_eye::NodeId;

use super::causes::Causes;
use crate::finding::{Finding, Outcome, Severity, counted};
use crate::page::{Page, selector};

/// `tabindex` above zero, and access keys given twice.
pub(super) fn keys(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    let mut access: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    for node in page.snapshot.nodes.iter().filter(|node| node.rendered) {
        if let Some(index) = node.tab_index() {
            total += 1;
            if index > 0 {
                wrong.add(Severity::Moderate, format!("{} has a tabindex above 0", selector(node)), node.id);
            }
        }
        if let Some(key) = node.attribute("accesskey").filter(|key| !key.trim().is_empty()) {
            total += 1;
            access.entry(key.trim().to_lowercase()).or_default().push(node.id);
        }
    }
    for (key, nodes) in access.into_iter().filter(|(_, nodes)| nodes.len() > 1) {
        for id in nodes {
            wrong.add(Severity::Moderate, format!("access key \"{key}\" is given more than once"), id);
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} tab stops and access keys out of order");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

/// Whether there is a way past what comes first: headings, landmarks or a link that leads somewhere.
pub(super) fn bypass(page: &Page<'_>) -> Outcome {
    let links = page.exposed().filter(|node| node.role.as_deref() == Some("link")).count();
    if links == 0 {
        return Outcome::not_applicable();
    }
    let ids = page.targets();
    // Links to places on the page, before any link that leads away, are there to skip something.
    let first: Vec<_> = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| node.tag == "a" && node.rendered)
        .filter_map(|node| Some((node, node.attribute("href")?)))
        .take_while(|(_, href)| href.starts_with('#'))
        .filter(|(node, href)| href.len() > 1 && says_skip(&node.name))
        .collect();
    let broken: Vec<NodeId> = first
        .iter()
        .filter(|(_, href)| href.strip_prefix('#').is_some_and(|id| !ids.contains(id)))
        .map(|(node, _)| node.id)
        .collect();
    if !broken.is_empty() {
        let what = format!("a skip link leads nowhere ({})", page.places(&broken));
        let finding = Finding::on(Severity::Moderate, broken, what).because("skip link without a target");
        return Outcome::binary("a skip link leads nowhere", Some(finding));
    }
    let has = |role: &str| page.exposed().any(|node| node.role.as_deref() == Some(role));
    if has("heading") || has("main") || first.len() > broken.len() {
        return Outcome::binary("a way past what comes first", None);
    }
    // Whether anything is repeated from page to page cannot be told from one page.
    let what = format!("no heading, main landmark or skip link past {}", counted(links, "link"));
    let finding = Finding::page(Severity::Serious, what).because("no way past repeated content");
    super::structure::unsaid_because(finding, "whether it repeats other pages is not known")
}

fn says_skip(name: &str) -> bool {
    let name = name.to_lowercase();
    ["skip", "jump", "go to", "springe", "zum inhalt", "zum hauptinhalt", "aller au", "saltar", "ir al"]
        .iter()
        .any(|word| name.contains(word))
}
