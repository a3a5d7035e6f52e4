//! Whether words were meant to be replaced: lorem ipsum, notes to oneself, blanks.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use jury_eye::{Node, NodeId};

use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::Page;

use super::notes::{all_comments, is_note, is_note_to_oneself};

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
            Self::Example => "a link to a host that stands for any (example.com, .org, .net)",
        }
    }
}

/// The first sign in a text in this language that it was meant to be replaced.
pub(crate) fn placeholder_in(text: &str, language: Option<&str>) -> Option<Placeholder> {
    let lower = text.to_lowercase();
    if LOREM.iter().any(|words| lower.contains(words)) {
        return Some(Placeholder::Lorem);
    }
    if is_note(text, language) || is_crossed_out(text) {
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
    if lower.split('[').skip(1).filter_map(|rest| rest.split_once(']')).any(|(inside, _)| is_a_blank(inside))
    {
        return Some(Placeholder::Bracketed);
    }
    if text.split_once(TEMPLATE).is_some_and(|(_, rest)| {
        // A variable has a name between its brackets; where prose speaks of the brackets there are words.
        rest.split_once("}}").is_some_and(|(inside, _)| is_a_variable(inside))
    }) {
        return Some(Placeholder::Template);
    }
    None
}

/// Whether what stands between two pairs of braces is an expression of a template, and not prose about braces.
fn is_a_variable(inside: &str) -> bool {
    let inside = inside
        .trim()
        .trim_start_matches(['{', '#', '/', '>', '-', '^', '&', ' '])
        .trim_end_matches(['-', '}', ' ']);
    let words = inside.split_whitespace().count();
    let starts = inside.starts_with(|ch: char| ch.is_alphabetic() || matches!(ch, '_' | '$' | '.' | '@'));
    starts
        && !matches!(inside, "and" | "or" | "und" | "oder" | "et" | "y")
        && (words < 3 || inside.contains(['|', '.', '(', '=', '?']))
}

/// Whether the words in brackets name what should stand in their place: `[your name]`, `[date]`, `[company name]`.
fn is_a_blank(inside: &str) -> bool {
    match inside.split_whitespace().collect::<Vec<&str>>()[..] {
        ["your" | "insert", _, ..] => inside.len() <= LONGEST_BLANK,
        ["company" | "name" | "product" | "city" | "email" | "date"]
        | ["company" | "product" | "city" | "email", "name" | "address"]
        | [_, "here"] => true,
        _ => false,
    }
}

const LONGEST_BLANK: usize = 60;

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

pub(crate) const LOREM: [&str; 2] = ["lorem ipsum", "dolor sit amet"];
const NOTES: [&str; 3] = ["TODO", "FIXME", "TBD"];
const NAMED: [&str; 3] = ["placeholder text", "placeholder copy", "insert text here"];
const BLANKS: [&str; 8] = ["[your ", "[insert ", "[company", "[name", "[product", "[city", "[email", "[date"];
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
            .find_map(|text| placeholder_in(text, language_at(page, node)))
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
    let comments: Vec<usize> =
        notes_in_comments(page).iter().map(|span| page.source.line(span.start)).collect();
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

/// The language an element says it is in, or one around it.
fn language_at<'a>(page: &'a Page<'_>, node: &'a Node) -> Option<&'a str> {
    node.attribute("lang").or_else(|| page.snapshot.ancestors(node).find_map(|above| above.attribute("lang")))
}

/// The comments that should not ship, in the page, its style sheets and its scripts.
pub(crate) fn notes_in_comments(page: &Page<'_>) -> Vec<Range<usize>> {
    let language = page.snapshot.page.lang.as_deref();
    let mut found = all_comments(&page.html, &page.source);
    found.retain(|span| page.html.get(span.clone()).is_some_and(|text| is_note_to_oneself(text, language)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_told_from_words() {
        for (text, found) in [
            ("Price: $XXX", true),
            ("Call +1 XXX XXX", true),
            ("Chapter XXX", false),
            ("Feature one", true),
            ("Feature one of many", false),
            ("Dear {{ first_name }}, hello", true),
            ("Hi {{user.name | upper}}", true),
            ("Write {{ and }} around a name", false),
            ("John Doe, CEO", true),
            ("John Does it", false),
            ("Lorem is a town", false),
            ("TODO write this", true),
            ("Call [Your Name] today", true),
            ("[Company name]", true),
            ("[production] is the branch", false),
            ("[email protected]", false),
            ("Press [Insert]", false),
        ] {
            assert_eq!(placeholder_in(text, Some("en")).is_some(), found, "{text}");
        }
    }

    #[test]
    fn all_of_it_is_no_note_in_spanish() {
        for (text, found) in [
            ("TODO EN UN SOLO LUGAR", false),
            ("TODO INCLUIDO", false),
            ("LO TENEMOS TODO: pan y vino", false),
            ("TODO: escribir", true),
            ("TODO(ana) escribir", true),
            ("TODO - escribir", true),
            ("FIXME escribir", true),
        ] {
            assert_eq!(placeholder_in(text, Some("es-MX")).is_some(), found, "{text}");
        }
        assert!(
            !is_note_to_oneself("<!-- MÉTODO -->", Some("en"))
                && !is_note_to_oneself("<!-- TODO EL PAN -->", Some("es"))
        );
        assert!(
            !is_note_to_oneself("<!-- TODO -->", Some("es"))
                && is_note_to_oneself("<!-- TODO -->", Some("en"))
        );
        assert!(is_note_to_oneself("<!-- TODO: more -->", None));
    }
}
