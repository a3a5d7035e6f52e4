//! Whether the words are there and lead somewhere.

use std::collections::BTreeSet;
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
}

impl Placeholder {
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Lorem => "lorem ipsum",
            Self::Todo => "a TODO",
            Self::Named => "the words \"placeholder text\"",
            Self::Bracketed => "a bracketed blank",
            Self::Template => "an unfilled template variable",
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

/// Whether any text of a page can have a placeholder in it. Most pages have none, and looking once is much
/// cheaper than looking at each text.
pub(crate) fn may_hold_placeholders(page: &str) -> bool {
    let found = |page: &str, words: &str| memchr::memmem::find(page.as_bytes(), words.as_bytes()).is_some();
    if NOTES.iter().chain([&TEMPLATE]).any(|words| found(page, words)) {
        return true;
    }
    let lower = page.to_lowercase();
    LOREM.iter().chain(&NAMED).chain(&BLANKS).any(|words| found(&lower, words))
}

const LOREM: [&str; 2] = ["lorem ipsum", "dolor sit amet"];
const NOTES: [&str; 3] = ["TODO", "FIXME", "TBD"];
const NAMED: [&str; 3] = ["placeholder text", "placeholder copy", "insert text here"];
const BLANKS: [&str; 8] =
    ["[your ", "[company", "[name]", "[insert", "[product", "[city]", "[email]", "[date]"];
const TEMPLATE: &str = "{{";

pub(super) fn placeholders(page: &Page<'_>) -> Outcome {
    if page.snapshot.page.visible_characters == 0 {
        return Outcome::not_applicable();
    }
    let in_code = |node: &Node| matches!(node.tag.as_str(), "code" | "pre" | "kbd" | "samp");
    let mut hits: Vec<(Placeholder, NodeId)> = Vec::new();
    for node in page.exposed() {
        let texts = std::iter::once(node.text.as_str())
            .chain(["alt", "title", "aria-label"].into_iter().filter_map(|name| node.attribute(name)));
        if let Some(found) = texts.filter(|text| !text.is_empty()).find_map(placeholder_in)
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
            Finding::on(Severity::Critical, nodes, what)
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
    // Hardly visible in the score, but an artifact with a note to oneself in it must not ship.
    if let Some(line) = comments.first() {
        let _ = write!(note, ", {} (line {line})", counted(comments.len(), "TODO comment"));
        let mut finding = Finding::page(
            Severity::Serious,
            format!("{} must not ship (line {line})", counted(comments.len(), "TODO comment")),
        );
        finding.weight = comments.len();
        findings.push(finding);
    }
    // Three placeholders are an unfinished page, however long it is; a comment is a tenth of one.
    Outcome {
        measure: Measure::Share {
            failing: 0.1f64.mul_add(count(comments.len()), count(hits.len())),
            unknown: 0.0,
            total: 3.0,
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
}

impl DeadLink {
    fn describe(self) -> &'static str {
        match self {
            Self::Hash => "to # only",
            Self::Empty => "without an address",
            Self::Script => "to javascript:",
            Self::NoTarget => "to an id that is not on the page",
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
    if href.to_ascii_lowercase().starts_with("javascript:") {
        return Some(DeadLink::Script);
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

pub(super) fn links(page: &Page<'_>) -> Outcome {
    let (total, dead) = (all_links(page).count(), dead_links(page));
    let reasons: BTreeSet<DeadLink> = dead.iter().map(|(_, reason)| *reason).collect();
    let findings = reasons
        .into_iter()
        .map(|reason| {
            let nodes: Vec<NodeId> =
                dead.iter().filter(|(_, found)| *found == reason).map(|(node, _)| *node).collect();
            let what =
                format!("{} {} ({})", counted(nodes.len(), "link"), reason.describe(), page.places(&nodes));
            Finding::on(Severity::Serious, nodes, what)
        })
        .collect();
    Outcome::share(dead.len(), total, 0.5, format!("{} of {total} links lead nowhere", dead.len()), findings)
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

pub(super) fn vague_words(page: &Page<'_>) -> Outcome {
    let controls: Vec<&Node> = page
        .exposed()
        .filter(|node| matches!(node.role.as_deref(), Some("link" | "button")) && !node.name.is_empty())
        .collect();
    let vague: Vec<NodeId> = controls
        .iter()
        .filter(|node| {
            let name = node.name.to_lowercase();
            VAGUE.contains(&name.trim_matches(|ch: char| !ch.is_alphanumeric()))
        })
        .map(|node| node.id)
        .collect();
    let failing = vague.len();
    let note = format!("{failing} of {} link and button texts say nothing by themselves", controls.len());
    let findings = (failing > 0)
        .then(|| {
            let what = format!("link or button text says nothing by itself ({})", page.places(&vague));
            Finding::on(Severity::Moderate, vague, what)
        })
        .into_iter()
        .collect();
    Outcome::share(failing, controls.len(), 0.5, note, findings)
}
