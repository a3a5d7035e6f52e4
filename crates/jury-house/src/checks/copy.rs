//! Whether the words are there and lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jury_eye::{Node, NodeId};

use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::Page;

/// A text that was meant to be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Placeholder {
    Lorem,
    Todo,
    Named,
    Bracketed,
    Template,
    Numbered,
    Nobody,
    Example,
}

impl Placeholder {
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Lorem => "lorem ipsum",
            Self::Todo => "a TODO",
            Self::Named => "the words \"placeholder text\"",
            Self::Bracketed => "a bracketed blank",
            Self::Template => "an unfilled template variable",
            Self::Numbered => "a numbered stand-in",
            Self::Nobody => "a name that stands for anybody",
            Self::Example => "a link to example.com",
        }
    }
}

/// The first sign in a text that it was meant to be replaced.
pub(crate) fn placeholder_in(text: &str) -> Option<Placeholder> {
    let lower = text.to_lowercase();
    if LOREM.iter().any(|words| lower.contains(words)) {
        return Some(Placeholder::Lorem);
    }
    let has_word = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).and_then(|head| head.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
            before.is_none_or(|ch| !ch.is_alphanumeric()) && after.is_none_or(|ch| !ch.is_alphanumeric())
        })
    };
    // "TODO" alone is a column of a board; with words behind it, it is a note to oneself.
    if NOTES.iter().any(|word| has_word(word)) && text.trim() != "TODO" {
        return Some(Placeholder::Todo);
    }
    if is_crossed_out(text) {
        return Some(Placeholder::Todo);
    }
    if STAND_INS.contains(&lower.trim()) {
        return Some(Placeholder::Numbered);
    }
    if NOBODY.iter().any(|name| {
        lower.split_once(name).is_some_and(|(before, after)| {
            !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
        })
    }) {
        return Some(Placeholder::Nobody);
    }
    if NAMED.iter().any(|words| lower.contains(words)) {
        return Some(Placeholder::Named);
    }
    if BLANKS.iter().any(|blank| lower.contains(blank)) {
        return Some(Placeholder::Bracketed);
    }
    if text.split_once(TEMPLATE).is_some_and(|(_, rest)| rest.contains("}}")) {
        return Some(Placeholder::Template);
    }
    None
}

/// Three crosses or more where a value should be: before a colon, behind a currency, twice. Alone they may be a number of
/// the Romans.
fn is_crossed_out(text: &str) -> bool {
    let crosses = |word: &str| word.len() >= 3 && word.bytes().all(|byte| byte == b'X');
    let words: Vec<&str> =
        text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| crosses(word)).collect();
    words.len() > 1
        || words.len() == 1
            && ["XXX:", "$XXX", "€XXX", "XXX%", "XXX %"].iter().any(|mark| text.contains(mark))
}

/// Whether any text of a page can have a placeholder in it. Most pages have none, and looking once is much
/// cheaper than looking at each text.
pub(crate) fn may_hold_placeholders(page: &str) -> bool {
    let found = |page: &str, words: &str| memchr::memmem::find(page.as_bytes(), words.as_bytes()).is_some();
    if NOTES.iter().chain([&TEMPLATE, &"XXX"]).any(|words| found(page, words)) {
        return true;
    }
    let lower = page.to_lowercase();
    LOREM
        .iter()
        .chain(&NAMED)
        .chain(&BLANKS)
        .chain(&NOBODY)
        .chain(STAND_INS)
        .any(|words| found(&lower, words))
}

const LOREM: [&str; 2] = ["lorem ipsum", "dolor sit amet"];
const NOTES: [&str; 3] = ["TODO", "FIXME", "TBD"];
const NAMED: [&str; 3] = ["placeholder text", "placeholder copy", "insert text here"];
const BLANKS: [&str; 8] =
    ["[your ", "[company", "[name]", "[insert", "[product", "[city]", "[email]", "[date]"];
const TEMPLATE: &str = "{{";
const NOBODY: [&str; 2] = ["john doe", "jane doe"];

/// Whole texts that count parts instead of naming them.
const STAND_INS: &[&str] = &[
    "feature one",
    "feature two",
    "feature three",
    "feature 1",
    "feature 2",
    "feature 3",
    "item one",
    "item two",
    "item three",
    "card title",
    "heading goes here",
    "your text here",
    "your headline here",
];

/// Places that exist only in examples.
const EXAMPLE_HOSTS: [&str; 3] = ["example.com", "example.org", "example.net"];

/// Whether a link leads to a place that exists only in examples.
fn leads_to_an_example(node: &Node) -> bool {
    node.tag == "a"
        && node.attribute("href").is_some_and(|address| {
            let host = address
                .trim()
                .split_once("://")
                .map_or("", |(_, rest)| rest.split(['/', '?', '#', ':']).next().unwrap_or_default());
            let host = host.trim_start_matches("www.").to_ascii_lowercase();
            EXAMPLE_HOSTS.contains(&host.as_str())
        })
}

/// Three placeholders are an unfinished page, however long it is.
const PLACEHOLDERS_ZERO_AFTER: f64 = 3.0;

/// A comment nobody sees is a tenth of a placeholder.
const COMMENT: f64 = 0.1;

pub(super) fn placeholders(page: &Page<'_>) -> Outcome {
    if page.snapshot.page.visible_characters == 0 {
        return Outcome::not_applicable();
    }
    let in_code = |node: &Node| matches!(node.tag.as_str(), "code" | "pre" | "kbd" | "samp");
    let mut hits: Vec<(Placeholder, NodeId)> = Vec::new();
    for node in page.exposed() {
        let texts = std::iter::once(node.text.as_str())
            .chain(["alt", "title", "aria-label"].into_iter().filter_map(|name| node.attribute(name)));
        let found = texts
            .filter(|text| !text.is_empty())
            .find_map(placeholder_in)
            .or_else(|| leads_to_an_example(node).then_some(Placeholder::Example));
        if let Some(found) = found
            && !page.is_inside(node, in_code)
        {
            hits.push((found, node.id));
        }
    }
    let kinds: BTreeSet<Placeholder> = hits.iter().map(|(kind, _)| *kind).collect();
    let mut findings: Vec<Finding> = kinds
        .into_iter()
        .map(|kind| {
            let nodes: Vec<NodeId> =
                hits.iter().filter(|(found, _)| *found == kind).map(|(_, node)| *node).collect();
            let what = format!(
                "{} in {}, needs real words ({})",
                kind.describe(),
                counted(nodes.len(), "place"),
                page.places(&nodes)
            );
            let places = count(nodes.len());
            Finding::on(Severity::Critical, nodes, what).because(kind.describe()).figure("places", places, "")
        })
        .collect();
    let comments: Vec<usize> = page
        .source
        .comments
        .iter()
        .filter(|span| page.html.get((*span).clone()).is_some_and(is_note_to_oneself))
        .map(|span| page.source.line(span.start))
        .collect();
    let mut note = counted(hits.len(), "placeholder");
    // Hardly visible in the score. The last look at an artifact keeps it from shipping all the same.
    if let Some(line) = comments.first() {
        let _ = write!(note, ", {} (line {line})", counted(comments.len(), "TODO comment"));
        let mut finding = Finding::page(
            Severity::Minor,
            format!("{} must not ship (line {line})", counted(comments.len(), "TODO comment")),
        )
        .because("TODO comment");
        finding.weight = comments.len();
        findings.push(finding);
    }
    Outcome {
        measure: Measure::Share {
            failing: COMMENT.mul_add(count(comments.len()), count(hits.len())),
            unknown: 0.0,
            total: PLACEHOLDERS_ZERO_AFTER,
            zero_at: 1.0,
        },
        note,
        findings,
        undecided: Vec::new(),
    }
}

/// Whether a comment is a note that should not ship.
pub(crate) fn is_note_to_oneself(comment: &str) -> bool {
    ["TODO", "FIXME", "XXX", "TBD"].iter().any(|word| comment.contains(word))
}

/// Why a link leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DeadLink {
    /// `href="#"`.
    Hash,
    /// `href=""`, or none at all.
    Empty,
    /// `javascript:`.
    Script,
    /// `#id` without an element of that id.
    NoTarget,
    /// A file that is not beside the page.
    NoFile,
    /// `mailto:` without an address, `tel:` without a number.
    Unreachable,
}

impl DeadLink {
    fn describe(self) -> &'static str {
        match self {
            Self::Hash => "to # only",
            Self::Empty => "without an address",
            Self::Script => "to javascript:",
            Self::NoTarget => "to an id that is not on the page",
            Self::NoFile => "to a file that is not beside the page",
            Self::Unreachable => "to no address or number",
        }
    }
}

/// Links that lead nowhere.
pub(crate) fn dead_links(page: &Page<'_>) -> Vec<(NodeId, DeadLink)> {
    let ids: BTreeSet<&str> = page
        .snapshot
        .nodes
        .iter()
        .flat_map(|node| [node.attribute("id"), node.attribute("name").filter(|_| node.tag == "a")])
        .flatten()
        .collect();
    all_links(page).filter_map(|node| dead(node, &ids).map(|reason| (node.id, reason))).collect()
}

fn all_links<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| {
        node.tag == "a"
            && (node.attribute("href").is_some()
                || (node.attribute("role").is_none() && !node.text.is_empty()))
            && !matches!(node.attribute("role"), Some("button" | "tab" | "menuitem"))
    })
}

fn dead(node: &Node, ids: &BTreeSet<&str>) -> Option<DeadLink> {
    // A script answers the click; where it leads cannot be seen from here.
    if node.attribute("onclick").is_some() {
        return None;
    }
    let Some(href) = node.attribute("href").map(str::trim) else {
        let anchors_something = node.attribute("id").is_some() || node.attribute("name").is_some();
        return (!anchors_something).then_some(DeadLink::Empty);
    };
    dead_address(href, &node.name, |id| ids.contains(id))
}

/// Why an address leads nowhere, if it does. A link back to the top may be written as `#`.
pub(crate) fn dead_address(href: &str, text: &str, has_id: impl Fn(&str) -> bool) -> Option<DeadLink> {
    let href = href.trim();
    if href.is_empty() {
        return Some(DeadLink::Empty);
    }
    let lower = href.to_ascii_lowercase();
    if lower.starts_with("javascript:") {
        return Some(DeadLink::Script);
    }
    if let Some(address) = lower.strip_prefix("mailto:") {
        return (!is_mail_address(address)).then_some(DeadLink::Unreachable);
    }
    if let Some(number) = lower.strip_prefix("tel:") {
        return (!is_telephone_number(number)).then_some(DeadLink::Unreachable);
    }
    let fragment = href.strip_prefix('#')?;
    if fragment.is_empty() {
        let to_the_top =
            text.to_lowercase().split(|ch: char| !ch.is_alphanumeric()).any(|word| word == "top");
        return (!to_the_top).then_some(DeadLink::Hash);
    }
    (!has_id(fragment) && fragment != "top" && !fragment.contains('%') && !fragment.contains('/'))
        .then_some(DeadLink::NoTarget)
}

/// Whether a mail can be sent to this: one or more addresses, or a letter without one (`mailto:?subject=`).
fn is_mail_address(address: &str) -> bool {
    let (to, headers) = address.split_once('?').unwrap_or((address, ""));
    if to.is_empty() {
        return headers.contains('=');
    }
    to.split(',').all(|one| {
        let one = one.trim().replace("%40", "@");
        one.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty()
                && !host.is_empty()
                && !host.starts_with('.')
                && !one.contains(char::is_whitespace)
        })
    })
}

/// Whether a number can be dialled: at least three digits, and nothing but what telephones know.
fn is_telephone_number(number: &str) -> bool {
    let number = number.split(';').next().unwrap_or_default().replace("%20", "");
    number.chars().filter(char::is_ascii_digit).count() >= 3
        && number.chars().all(|ch| ch.is_ascii_digit() || "+-.() *#/,pwx".contains(ch))
}

/// Half of the links dead is a page that leads nowhere.
const LINKS_ZERO_AT: f64 = 0.5;

pub(super) fn links(page: &Page<'_>) -> Outcome {
    let (total, mut dead) = (all_links(page).count(), dead_links(page));
    let known: BTreeSet<NodeId> = dead.iter().map(|(node, _)| *node).collect();
    let mut open: Vec<NodeId> = Vec::new();
    for link in all_links(page).filter(|link| !known.contains(&link.id)) {
        let Some(path) = link.attribute("href").and_then(file_address) else { continue };
        match page.is_beside(path) {
            Some(true) => {}
            Some(false) => dead.push((link.id, DeadLink::NoFile)),
            None => open.push(link.id),
        }
    }
    let mut groups: BTreeMap<(DeadLink, String), Vec<NodeId>> = BTreeMap::new();
    for (id, reason) in &dead {
        // One missing part or file is one cause, wherever it is linked from.
        let address = match reason {
            DeadLink::NoTarget | DeadLink::NoFile | DeadLink::Unreachable => {
                page.node(*id).and_then(|node| node.attribute("href")).unwrap_or_default().trim().to_owned()
            }
            DeadLink::Hash | DeadLink::Empty | DeadLink::Script => String::new(),
        };
        groups.entry((*reason, address)).or_default().push(*id);
    }
    let findings = groups
        .into_iter()
        .map(|((reason, address), nodes)| {
            let named = if address.is_empty() { String::new() } else { format!(": {address}") };
            let what = format!(
                "{} {}{named} ({})",
                counted(nodes.len(), "link"),
                reason.describe(),
                page.places(&nodes)
            );
            Finding::on(Severity::Serious, nodes, what).because(format!("{} {address}", reason.describe()))
        })
        .collect();
    let undecided = (!open.is_empty())
        .then(|| {
            let what = format!(
                "{} to files of which nobody knows whether they are there ({})",
                counted(open.len(), "link"),
                page.places(&open)
            );
            Finding::on(Severity::Serious, open, what).because("links to files")
        })
        .into_iter()
        .collect();
    let note = format!("{} of {total} links lead nowhere", dead.len());
    Outcome::share(dead.len(), total, LINKS_ZERO_AT, note, findings).undecided(undecided)
}

/// The path of a link to a file beside the page.
fn file_address(href: &str) -> Option<&str> {
    let href = href.trim();
    let path = href.split(['?', '#']).next().unwrap_or_default();
    // A path from the root of a site, or out of the folder, is not beside the page.
    let beside = !path.is_empty()
        && !path.starts_with('/')
        && !path.contains("..")
        && !path.contains("//")
        && path.split('/').next().is_some_and(|first| !first.contains(':'));
    beside.then_some(path)
}

/// Link and button words that say nothing out of context.
const VAGUE: &[&str] = &[
    "click here",
    "here",
    "read more",
    "learn more",
    "more",
    "link",
    "submit",
    "this",
    "details",
    "info",
    "go",
];

/// Half of the links and buttons saying nothing is where the check is worth nothing.
const VAGUE_ZERO_AT: f64 = 0.5;

pub(super) fn vague_words(page: &Page<'_>) -> Outcome {
    let controls: Vec<(&Node, String)> = page
        .exposed()
        .filter(|node| matches!(node.role.as_deref(), Some("link" | "button")) && !node.name.is_empty())
        .map(|node| {
            let name = node.name.to_lowercase();
            (node, name.trim_matches(|ch: char| !ch.is_alphanumeric()).to_owned())
        })
        .collect();
    let mut vague: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    let mut targets: BTreeMap<&str, BTreeMap<&str, Vec<NodeId>>> = BTreeMap::new();
    for (node, name) in &controls {
        if VAGUE.contains(&name.as_str()) {
            vague.entry(name).or_default().push(node.id);
        } else if node.tag == "a"
            && name.chars().filter(|ch| ch.is_alphabetic()).count() > 1
            && let Some(address) =
                node.attribute("href").map(str::trim).filter(|address| !matches!(*address, "" | "#"))
        {
            targets.entry(name).or_default().entry(address).or_default().push(node.id);
        }
    }
    let mut findings: Vec<Finding> = vague
        .iter()
        .map(|(name, nodes)| {
            let what = format!(
                "\"{name}\" says nothing by itself, needs words that say what follows ({})",
                page.places(nodes)
            );
            Finding::on(Severity::Moderate, nodes.clone(), what).because(*name)
        })
        .collect();
    let mut failing: usize = vague.values().map(Vec::len).sum();
    for (name, addresses) in targets.iter().filter(|(_, addresses)| addresses.len() > 1) {
        let nodes: Vec<NodeId> = addresses.values().flatten().copied().collect();
        failing += nodes.len();
        let what = format!(
            "\"{name}\" leads to {} different addresses, needs names that tell them apart ({})",
            addresses.len(),
            page.places(&nodes)
        );
        findings.push(
            Finding::on(Severity::Moderate, nodes, what)
                .because(format!("{name}, several addresses"))
                .figure("addresses", count(addresses.len()), ""),
        );
    }
    let note = format!("{failing} of {} link and button texts say nothing by themselves", controls.len());
    Outcome::share(failing, controls.len(), VAGUE_ZERO_AT, note, findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_and_telephone_are_told_from_nothing() {
        for good in ["a@b.de", "a@b.de,c@d.org", "?subject=hello", "a%40b.de", "a@b.de?subject=x"] {
            assert!(is_mail_address(good), "{good}");
        }
        for bad in ["", "nobody", "@b.de", "a@", "a b@c.de"] {
            assert!(!is_mail_address(bad), "{bad}");
        }
        assert!(is_telephone_number("+49-30-123 456") && is_telephone_number("112"));
        assert!(!is_telephone_number("") && !is_telephone_number("call-me") && !is_telephone_number("+"));
    }

    #[test]
    fn only_what_lies_beside_is_a_file() {
        assert_eq!(file_address("about.html#team"), Some("about.html"));
        assert_eq!(file_address("./a/b.pdf?x"), Some("./a/b.pdf"));
        for other in ["#a", "/a", "../a", "https://a.b/c", "mailto:a@b", "//a/b", "?x"] {
            assert_eq!(file_address(other), None, "{other}");
        }
    }

    #[test]
    fn placeholders_are_told_from_words() {
        for (text, found) in [
            ("Price: $XXX", true),
            ("Call +1 XXX XXX", true),
            ("Chapter XXX", false),
            ("Feature one", true),
            ("Feature one of many", false),
            ("John Doe, CEO", true),
            ("John Does it", false),
            ("Lorem is a town", false),
        ] {
            assert_eq!(placeholder_in(text).is_some(), found, "{text}");
        }
    }
}
