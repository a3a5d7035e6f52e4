//! The checks in words: what each asks, counts and leaves out. Listings and documents are made from this table.

use jury_core::rule::{RepairKind, Rule, RuleSubject};
use jury_core::severity::Severity;
use serde::Serialize;

use super::Check;

/// A check in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DocumentRule {
    /// The check that applies it.
    #[serde(skip)]
    pub check: Check,
    /// The rule. Its id is the name in criteria and reports, its title the question.
    #[serde(flatten)]
    pub rule: Rule,
    /// What it examines, in the plural.
    pub unit: &'static str,
}

/// A rule for documents. How much it matters is said by the criterion that uses it.
const fn rule(id: &'static str, title: &'static str, measures: &'static str, exempt: &'static str) -> Rule {
    Rule {
        id,
        subject: RuleSubject::Document,
        severity: Severity::Moderate,
        least: None,
        title,
        measures,
        exempt,
        sources: &[],
        repair: RepairKind::None,
    }
}

impl DocumentRule {
    /// What was examined and affected, on one line.
    pub(super) fn summary(&self, examined: usize, affected: usize) -> String {
        match (examined, affected) {
            (0, 0) => format!("not applicable: no {} to examine", self.unit),
            (_, 0) => format!("none of {examined} {} affected", self.unit),
            _ => format!("{affected} of {examined} {} affected", self.unit),
        }
    }
}

/// Every check, in the order in which they are reported.
pub const CHECKS: &[DocumentRule] = &[
    DocumentRule {
        check: Check::DeadLink,
        rule: rule(
            "dead-link",
            "Does every link lead to a file that exists, and every reference to a definition?",
            "A link or an image, in Markdown or HTML, to a relative path that does not exist; a reference or a footnote without a definition; a version of a changelog without the link that the others have.",
            "Other hosts, paths from the root of a site, templates, pages of a forge, `[text]` alone, expressions such as `a[i][j]`, references for rustdoc.",
        ),
        unit: "links and references",
    },
    DocumentRule {
        check: Check::DeadAnchor,
        rule: rule(
            "dead-anchor",
            "Does every link to a heading lead to one?",
            "A fragment that is not the anchor of a heading or an element with an id, in this document or in a sibling that was looked at. Anchors are made as GitHub makes them.",
            "Anchors that a page has without headings: footnotes, lines of code, the top; files whose headings are not known.",
        ),
        unit: "links to headings",
    },
    DocumentRule {
        check: Check::HeadingOrder,
        rule: rule(
            "heading-order",
            "Has the outline one title, no gaps and no doubles?",
            "A level that is left out, no title or several, a heading without words, two headings of one name in one place.",
            "A title in the metadata or as HTML, headings with an image, one name in different places.",
        ),
        unit: "headings",
    },
    DocumentRule {
        check: Check::UnfinishedMarker,
        rule: rule(
            "unfinished-marker",
            "Is everything written that was meant to be?",
            "`TODO`, `FIXME`, `XXX`, `TBD`, `???`, filler text, `to be defined` and the like, placeholders in brackets, blanks and variables of templates that nobody filled in, marks of left-out text, a block of code that is nothing but a placeholder.",
            "Code, quotations, markers as a noun (`a TODO list`), sections that list what is left to do, open boxes of task lists.",
        ),
        unit: "passages and blocks",
    },
    DocumentRule {
        check: Check::UndefinedTerm,
        rule: rule(
            "undefined-term",
            "Can a reader find out what every abbreviation and id stands for?",
            "An abbreviation in capitals that is never spelled out; an entry that the glossary owes or leaves empty; an id such as `FR-012` that is referred to and not defined, where others of its kind are.",
            "A list of well-known abbreviations, words in capitals for emphasis, names in code or in links, ids whose kind is not defined here.",
        ),
        unit: "abbreviations, terms and ids",
    },
    DocumentRule {
        check: Check::UnusedDefinition,
        rule: rule(
            "unused-definition",
            "Is everything that is defined also used?",
            "A link definition or a footnote that nothing refers to, an entry of the glossary that stands nowhere else, an id that nothing refers to where most of its kind are referred to.",
            "Comments written as definitions, ids in documents that do not trace them.",
        ),
        unit: "definitions",
    },
    DocumentRule {
        check: Check::NoAcceptance,
        rule: rule(
            "no-acceptance",
            "Does every requirement say how it is accepted?",
            "A story, a requirement with an id, or a sentence with must or shall under a heading about requirements that has no scenario, criterion or test within it, in its row, or in a section about tests that names it.",
            "Documents without requirements; kinds of requirements that are never accepted one by one where another kind is.",
        ),
        unit: "requirements",
    },
    DocumentRule {
        check: Check::VagueWord,
        rule: rule(
            "vague-word",
            "Can every requirement be verified as it is worded?",
            "A word such as fast, appropriate, several or as needed in a sentence that asks for something.",
            "Sentences that ask for nothing, quotations and code, adjectives with a figure in the same sentence.",
        ),
        unit: "sentences that ask for something",
    },
    DocumentRule {
        check: Check::ContradictoryNumber,
        rule: rule(
            "contradictory-number",
            "Has every name one value?",
            "One name with two values of the same kind, in sentences, labels or tables; a list with another number of entries than is said right before it.",
            "Versions, dates, ranges, bounds, examples, sentences about another time or environment, changelogs, parallel sections and tables.",
        ),
        unit: "named values and counts",
    },
    DocumentRule {
        check: Check::CodeBlock,
        rule: rule(
            "code-block",
            "Is every block of code in the language it says?",
            "JSON, TOML and YAML that do not parse; XML and HTML whose elements do not match; shell with an open quotation, bracket or here-document; other languages with brackets or quotations that do not match.",
            "Blocks without a language or with one that is not known here, blocks with an ellipsis or a placeholder.",
        ),
        unit: "blocks of code",
    },
];

/// The row of a check.
pub fn info(check: Check) -> &'static DocumentRule {
    let found = CHECKS.iter().find(|info| info.check == check);
    debug_assert!(found.is_some(), "every check has a row");
    found.unwrap_or(&CHECKS[0])
}
