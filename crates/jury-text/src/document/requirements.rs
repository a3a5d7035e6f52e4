//! Requirements and how they are accepted. A document without requirements has nothing to examine here.

use std::collections::{BTreeMap, BTreeSet};

use super::identifiers::{self, Ids};
use super::passage::{Kind, Passage};
use super::read::Document;
use super::{Found, shortened};

/// What asks for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Story,
    Id,
    Sentence,
}

struct Requirement<'d> {
    class: Class,
    passage: &'d Passage,
    id: Option<&'d str>,
    /// What belongs to it, in the source.
    scope: std::ops::Range<usize>,
}

/// Words that say how something is accepted.
const ACCEPTANCE: &[&str] = &[
    "acceptance",
    "scenario",
    "verified by",
    "verification:",
    "verify:",
    "verified:",
    "tested by",
    "test:",
    "measured by",
    "fit criterion",
    "done when",
    "accepted when",
    "success criteri",
];

pub(super) fn is_requirements_heading(text: &str) -> bool {
    let text = text.to_lowercase();
    let about = ["requirement", "user stor"].iter().any(|word| text.contains(word));
    // What one needs to build or to run is no requirement of the product.
    let needs = [
        "system requirement",
        "build requirement",
        "prerequisite",
        "minimum",
        "hardware",
        "version",
        "installation",
    ];
    about && !needs.iter().any(|word| text.contains(word))
}

/// Whether a document asks for things: sections of requirements, stories, ids of requirements.
pub(super) fn is_specification(document: &Document<'_>, ids: &Ids) -> bool {
    let ids = ids.defined.keys().filter(|id| identifiers::is_requirement(id)).count() >= 2;
    ids || document.passages.iter().filter(|passage| is_story(passage)).count() >= 2
        || document.headings.iter().any(|heading| is_requirements_heading(&heading.text) && heading.level > 1)
}

fn is_story(passage: &Passage) -> bool {
    let text: String = passage.text.chars().take(200).flat_map(char::to_lowercase).collect();
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
    if passage.kind == Kind::Heading {
        return text.starts_with("user story")
            || (text.starts_with("story ") && text.chars().any(|c| c.is_ascii_digit()));
    }
    let at = text.find("as a ").or_else(|| text.find("as an ")).or_else(|| text.find("as the "));
    at.is_some_and(|at| at < 24)
        && [" i want", " i need", " i can", " we want"].iter().any(|want| text.contains(want))
}

pub(super) fn without_acceptance(document: &Document<'_>) -> Found {
    let ids = document.ids();
    let mut found = Found::default();
    if !is_specification(document, ids) {
        return found;
    }
    let requirements = collect(document, ids);
    let marks = marks(document);
    let referred = referred(document, ids);
    let columns = acceptance_cells(document);
    let accepted = |one: &Requirement<'_>| {
        let index = marks.partition_point(|mark| *mark < one.scope.start);
        let near = marks.get(index).is_some_and(|mark| *mark < one.scope.end);
        let cell = match one.passage.kind {
            Kind::Cell { table, row, .. } => columns.contains(&(table, row)),
            Kind::Paragraph | Kind::Heading | Kind::Item => false,
        };
        near || cell || one.id.is_some_and(|id| referred.contains(id))
    };
    let nothing = marks.is_empty() && referred.is_empty() && columns.is_empty();
    let kind = |one: &Requirement<'_>| (one.class, one.id.map(|id| identifiers::prefix(id).to_owned()));
    let kinds: BTreeSet<_> = requirements.iter().filter(|one| accepted(one)).map(kind).collect();
    for one in &requirements {
        // Where one kind of requirement carries the acceptance of all, the others need none of their own.
        if !nothing && !kinds.contains(&kind(one)) {
            continue;
        }
        found.examined += 1;
        if !accepted(one) {
            let name = one.id.map_or_else(
                || shortened(&one.passage.text.chars().take(60).collect::<String>()),
                ToOwned::to_owned,
            );
            found.add(
                one.passage.source(0),
                &name,
                format!("'{name}' does not say how it is accepted"),
                "add a scenario (given, when, then) or a test that decides it",
            );
        }
    }
    found
}

fn collect<'d>(document: &'d Document<'_>, ids: &'d Ids) -> Vec<Requirement<'d>> {
    let end_of_text = document.text.len();
    let defined: BTreeMap<usize, &str> = ids
        .defined
        .iter()
        .filter(|(id, _)| identifiers::is_requirement(id) || identifiers::prefix(id) == "US")
        .map(|(id, defined)| (defined.passage, id.as_str()))
        .collect();
    let mut requirements: Vec<Requirement<'d>> = Vec::new();
    for (index, passage) in document.passages.iter().enumerate() {
        let id = defined.get(&index).copied();
        let in_story = requirements
            .iter()
            .rev()
            .take(1)
            .any(|one| one.class == Class::Story && one.scope.contains(&passage.start));
        let class =
            if id.is_some_and(|id| identifiers::prefix(id) == "US") || (is_story(passage) && !in_story) {
                Class::Story
            } else if id.is_some() {
                Class::Id
            } else if is_sentence(document, passage) {
                Class::Sentence
            } else {
                continue;
            };
        if in_story && class == Class::Sentence {
            continue;
        }
        let end = match passage.kind {
            Kind::Heading => end_of_section(document, passage.section),
            Kind::Paragraph | Kind::Item | Kind::Cell { .. } => {
                document.heading(passage.section + 1).map_or(end_of_text, |next| next.offset)
            }
        };
        if let Some(last) = requirements
            .last_mut()
            .filter(|last| last.scope.end > passage.start && last.passage.kind != Kind::Heading)
        {
            last.scope.end = passage.start;
        }
        requirements.push(Requirement { class, passage, id, scope: passage.start..end });
    }
    // A single sentence is a remark.
    if requirements.iter().filter(|one| one.class == Class::Sentence).count() < 2 {
        requirements.retain(|one| one.class != Class::Sentence);
    }
    requirements
}

fn is_sentence(document: &Document<'_>, passage: &Passage) -> bool {
    if passage.kind != Kind::Item
        || !document.path(passage.section).any(|(_, heading)| is_requirements_heading(&heading.text))
    {
        return false;
    }
    let acceptance =
        document.path(passage.section).any(|(_, heading)| heading.text.to_lowercase().contains("acceptance"));
    !acceptance
        && passage
            .text
            .split(|c: char| !c.is_alphabetic())
            .any(|word| matches!(word, "must" | "shall" | "MUST" | "SHALL"))
}

/// Where the section of a heading ends, with all that is below it.
fn end_of_section(document: &Document<'_>, section: usize) -> usize {
    let level = document.heading(section).map_or(0, |heading| heading.level);
    let next = document.headings.iter().skip(section).find(|heading| heading.level <= level);
    next.map_or(document.text.len(), |heading| heading.offset)
}

/// Places that speak of acceptance, in order.
fn marks(document: &Document<'_>) -> Vec<usize> {
    let mut marks: Vec<usize> = Vec::new();
    for passage in &document.passages {
        let text = passage.text.to_lowercase();
        let scenario = text.contains("given ") && text.contains("then ")
            || text.starts_with("given ")
            || text.starts_with("then ");
        let head = matches!(passage.kind, Kind::Cell { .. });
        if !head && (scenario || ACCEPTANCE.iter().any(|word| text.contains(word))) {
            marks.push(passage.start);
        }
    }
    for block in &document.blocks {
        let feature = block
            .language
            .as_deref()
            .is_some_and(|language| language.starts_with("gherkin") || language.starts_with("feature"));
        if feature || block.code.contains("Given ") && block.code.contains("Then ") {
            marks.push(block.offset);
        }
    }
    marks.sort_unstable();
    marks
}

/// Ids that a section about tests or acceptance names, or a sentence that says it is about one.
fn referred<'i>(document: &Document<'_>, ids: &'i Ids) -> BTreeSet<&'i str> {
    let about: BTreeSet<usize> = (0..=document.headings.len())
        .filter(|section| identifiers::refers(document, *section) || is_criteria(document, *section))
        .collect();
    let heads: BTreeSet<usize> = document
        .passages
        .iter()
        .filter_map(|passage| match passage.kind {
            Kind::Cell { table, row: 0, .. } if speaks(&passage.text) => Some(table),
            Kind::Cell { .. } | Kind::Paragraph | Kind::Heading | Kind::Item => None,
        })
        .collect();
    ids.uses
        .iter()
        .filter(|one| {
            document.passages.get(one.passage).is_some_and(|passage| {
                let table = matches!(passage.kind, Kind::Cell { table, .. } if heads.contains(&table));
                table || about.contains(&passage.section) || speaks(&passage.text)
            })
        })
        .map(|one| one.id.as_str())
        .collect()
}

fn is_criteria(document: &Document<'_>, section: usize) -> bool {
    document.path(section).any(|(_, heading)| heading.text.to_lowercase().contains("success criteri"))
}

fn speaks(text: &str) -> bool {
    let text = text.to_lowercase();
    ["acceptance", "verif", "scenario", "criteri", "test", "accepted"].iter().any(|word| text.contains(word))
}

/// Rows of tables that have something in a column about acceptance.
fn acceptance_cells(document: &Document<'_>) -> BTreeSet<(usize, usize)> {
    let mut columns: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut rows = BTreeSet::new();
    for passage in &document.passages {
        let Kind::Cell { table, row, column } = passage.kind else { continue };
        if row == 0 && speaks(&passage.text) {
            columns.insert((table, column));
        } else if row > 0 && columns.contains(&(table, column)) {
            let text = passage.text.trim();
            if !matches!(text, "-" | "–" | "—" | "TBD" | "none" | "None" | "n/a" | "?") {
                rows.insert((table, row));
            }
        }
    }
    rows
}
