//! Links and frames that have one name and lead to different places, WCAG 2.4.4, 2.4.9 and 4.1.2.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::line::shortened;
use jury_eye::{Node, NodeId};

use super::link_context::{Flow, context, flow, ids, links, tell_something};
use crate::finding::{Finding, Outcome, Severity, count, counted};
use crate::page::Page;

/// The place an address leads to, as far as the address alone tells: the same place may be written in several ways.
fn place(address: &str) -> String {
    let address = address.trim();
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (format!("{}://", scheme.to_ascii_lowercase()), rest),
        None => (String::new(), address),
    };
    let (path, query) = rest.find(['?', '#']).map_or((rest, ""), |at| rest.split_at(at));
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, "" | "..")) => {
                parts.pop();
            }
            "index.html" | "index.htm" => parts.push(""),
            _ => parts.push(part),
        }
    }
    let mut path = parts.join("/");
    if !scheme.is_empty() {
        let (host, behind) = path.find('/').map_or((path.as_str(), ""), |at| path.split_at(at));
        path = format!("{}{behind}", host.to_ascii_lowercase());
    }
    let query = if query == "#" { "" } else { query };
    format!("{scheme}{}{query}", path.strip_suffix('/').unwrap_or(&path))
}

/// Whether two places are different things without a doubt: parts of this page, people to write to, numbers to call. Of
/// files only who opens them knows.
fn surely_differ(places: &BTreeSet<String>) -> bool {
    places.iter().filter(|place| ["#", "mailto:", "tel:"].iter().any(|kind| place.starts_with(kind))).count()
        > 1
}

/// Where a link leads, when its address tells.
fn target(link: &Node) -> Option<String> {
    let address = link.attribute("href").map(str::trim).filter(|address| !matches!(*address, "" | "#"))?;
    (!address.to_ascii_lowercase().starts_with("javascript:") && link.attribute("onclick").is_none())
        .then(|| place(address))
}

fn alike(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Links of one name that lead to different places. Level AAA asks for it out of context, so it is said and not scored.
/// Whether two addresses hold the same thing cannot be told from here; that the page itself says different things
/// around the links tells it.
pub(super) fn same_links(page: &Page<'_>) -> Outcome {
    let named = several_places(page);
    let known = if named.is_empty() { BTreeMap::new() } else { ids(page) };
    // A script that puts a shadow over an element takes what stands in it away, links included.
    let hides = page.html.contains("attachShadow");
    let (mut findings, mut undecided) = (Vec::new(), Vec::new());
    for (name, links) in named {
        let places: BTreeSet<String> = links.iter().map(|(_, place)| place.clone()).collect();
        let told: BTreeSet<String> = links
            .iter()
            .take(MOST_ALIKE)
            .map(|(link, _)| words_around(page, link, &known))
            .filter(|words| tell_something(words))
            .collect();
        let certain = !hides && (surely_differ(&places) || told.len() > 1);
        let nodes: Vec<NodeId> = links.iter().map(|(link, _)| link.id).collect();
        let what = format!(
            "\"{}\" leads to {} different addresses, needs names that tell them apart ({})",
            shortened(&name, 60),
            places.len(),
            page.places(&nodes)
        );
        let list = if certain { &mut findings } else { &mut undecided };
        list.push(
            Finding::on(Severity::Minor, nodes, what).because(format!("{name}, several addresses")).figure(
                "addresses",
                count(places.len()),
                "",
            ),
        );
    }
    Outcome::said(findings).undecided(undecided)
}

/// Of more links of one name the first tell enough.
const MOST_ALIKE: usize = 20;

/// The words of the context of a link.
fn words_around(page: &Page<'_>, link: &Node, ids: &BTreeMap<&str, NodeId>) -> String {
    let around = context(page, link, ids);
    let pieces = around.iter().filter_map(|id| page.node(*id)).flat_map(|root| flow(page, root));
    let words: Vec<String> = pieces
        .filter_map(|piece| match piece {
            Flow::Words(words) => Some(words),
            Flow::Link(_) => None,
        })
        .collect();
    words.join(" ")
}

/// Links by their name, where those of one name lead to more than one place.
fn several_places<'a>(page: &'a Page<'_>) -> BTreeMap<String, Vec<(&'a Node, String)>> {
    let mut named: BTreeMap<String, Vec<(&Node, String)>> = BTreeMap::new();
    for link in links(page) {
        if let Some(place) = target(link) {
            named.entry(alike(&link.name)).or_default().push((link, place));
        }
    }
    named.retain(|_, links| links.windows(2).any(|pair| matches!(pair, [one, other] if one.1 != other.1)));
    named
}

/// Links of one name in one context that lead to different places, where readers see what tells them apart and nobody
/// hears it. Where nothing tells them apart for anybody, nobody is worse off than the others.
pub(super) fn same_in_context(page: &Page<'_>) -> Outcome {
    let named = several_places(page);
    if named.is_empty() {
        return Outcome::not_applicable();
    }
    let ids = ids(page);
    let mut findings = Vec::new();
    let mut failing = 0;
    for (name, all) in named {
        let mut by_context: BTreeMap<BTreeSet<NodeId>, Vec<(&Node, String)>> = BTreeMap::new();
        for (link, place) in all {
            by_context.entry(context(page, link, &ids)).or_default().push((link, place));
        }
        for (around, links) in by_context {
            let places: BTreeSet<String> = links.iter().map(|(_, place)| place.clone()).collect();
            if places.len() < 2 || !can_be_told_by_eye(page, &around, &links) {
                continue;
            }
            let nodes: Vec<NodeId> = links.iter().map(|(link, _)| link.id).collect();
            failing += nodes.len();
            let what = format!(
                "\"{}\" stands {} times in one place and leads to {} addresses, which only the eye tells apart ({})",
                shortened(&name, 60),
                nodes.len(),
                places.len(),
                page.places(&nodes)
            );
            findings
                .push(Finding::on(Severity::Moderate, nodes, what).because(format!("{name} in one context")));
        }
    }
    if findings.is_empty() {
        return Outcome::not_applicable();
    }
    let note = format!("{} of one name in one place", counted(failing, "link"));
    Outcome::share(failing, links(page).count(), 0.5, note, findings)
}

/// Whether links look different, or stand behind different words.
fn can_be_told_by_eye(page: &Page<'_>, around: &BTreeSet<NodeId>, links: &[(&Node, String)]) -> bool {
    let looks: BTreeSet<String> = links
        .iter()
        .map(|(link, _)| {
            let pictures = page.snapshot.descendants(link).filter_map(|inner| inner.attribute("src"));
            format!("{} {}", page.text_inside(link), pictures.collect::<Vec<_>>().join(" "))
        })
        .collect();
    if looks.len() > 1 {
        return true;
    }
    let mut before: BTreeMap<NodeId, String> = BTreeMap::new();
    for root in around.iter().filter_map(|id| page.node(*id)) {
        let mut words = String::new();
        for piece in flow(page, root) {
            match piece {
                Flow::Words(more) => words.push_str(&more),
                Flow::Link(id) => {
                    before.entry(id).or_insert_with(|| std::mem::take(&mut words));
                    words.clear();
                }
            }
        }
    }
    let says = |link: &Node| {
        let words = before.get(&link.id).map(String::as_str).unwrap_or_default();
        let letters: String = words.chars().filter(|ch| ch.is_alphanumeric()).collect();
        letters
    };
    let told: BTreeSet<String> =
        links.iter().map(|(link, _)| says(link)).filter(|words| words.len() > 2).collect();
    told.len() > 1
}

/// What a frame holds, when that is at hand: the page written in it, or a file beside.
fn held<'a>(page: &'a Page<'_>, frame: &'a Node) -> Option<&'a [u8]> {
    if let Some(inside) = frame.attribute("srcdoc") {
        return Some(inside.as_bytes());
    }
    page.subject.beside.get(frame.attribute("src")?.split(['?', '#']).next()?)
}

/// Frames of one name that hold different pages.
pub(super) fn same_frames(page: &Page<'_>) -> Outcome {
    let mut named: BTreeMap<String, Vec<&Node>> = BTreeMap::new();
    let mut total = 0;
    for frame in page.exposed().filter(|node| node.tag == "iframe" && !node.name.is_empty()) {
        total += 1;
        named.entry(alike(&frame.name)).or_default().push(frame);
    }
    let (mut findings, mut undecided) = (Vec::new(), Vec::new());
    let mut failing = 0;
    for (name, frames) in named {
        let addresses: BTreeSet<(Option<&str>, Option<String>)> = frames
            .iter()
            .map(|frame| (frame.attribute("srcdoc"), frame.attribute("src").map(place)))
            .collect();
        if addresses.len() < 2 {
            continue;
        }
        let pages: BTreeSet<&[u8]> = frames.iter().filter_map(|frame| held(page, frame)).collect();
        let all_at_hand = frames.iter().all(|frame| held(page, frame).is_some());
        if pages.len() < 2 && all_at_hand {
            continue;
        }
        let nodes: Vec<NodeId> = frames.iter().map(|frame| frame.id).collect();
        let what = format!(
            "{} named \"{}\" hold different pages, need names that tell them apart ({})",
            counted(nodes.len(), "frame"),
            shortened(&name, 60),
            page.places(&nodes)
        );
        let number = nodes.len();
        let finding = Finding::on(Severity::Moderate, nodes, what).because(format!("frames named {name}"));
        if pages.len() > 1 {
            failing += number;
            findings.push(finding);
        } else {
            undecided.push(finding);
        }
    }
    if findings.is_empty() {
        return Outcome::not_applicable().undecided(undecided);
    }
    let note = format!("{failing} of {total} frames share a name with another page");
    Outcome::share(failing, total, 0.5, note, findings).undecided(undecided)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_may_be_written_in_several_ways() {
        for (one, other) in [
            ("a.html", "./a.html"),
            ("a/../b.html", "b.html"),
            ("HTTPS://Bakery.ORG/", "https://bakery.org"),
            ("bread/index.html", "bread/"),
            ("a.html#", "a.html"),
        ] {
            assert_eq!(place(one), place(other));
        }
        for (one, other) in
            [("a.html", "b.html"), ("#a", "#b"), ("a?x=1", "a?x=2"), ("../a", "a"), ("A.html", "a.html")]
        {
            assert_ne!(place(one), place(other));
        }
    }

    #[test]
    fn parts_of_a_page_are_different_things() {
        let of = |one: &str, other: &str| surely_differ(&BTreeSet::from([place(one), place(other)]));
        assert!(of("#prices", "#people") && of("mailto:a@b.org", "#people"));
        assert!(!of("https://a.org/guide.pdf", "https://b.org/guide.pdf") && !of("guide.html", "#people"));
    }
}
