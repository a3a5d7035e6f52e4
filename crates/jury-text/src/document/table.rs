//! The checks in words: what each asks, counts and leaves out. Listings and documents are made from this table.

use super::Check;

/// A check in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckInfo {
    /// Which check.
    pub check: Check,
    /// What it asks.
    pub question: &'static str,
    /// What counts as affected.
    pub definition: &'static str,
    /// What does not, though it looks like it.
    pub exemptions: &'static str,
    /// What it examines, in the plural.
    pub unit: &'static str,
}

impl CheckInfo {
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
pub const CHECKS: &[CheckInfo] = &[
    CheckInfo {
        check: Check::DeadLink,
        question: "Does every link lead to a file that exists, and every reference to a definition?",
        definition: "A link or an image, in Markdown or HTML, to a relative path that does not exist; a reference or a footnote without a definition; a version of a changelog without the link that the others have.",
        exemptions: "Other hosts, paths from the root of a site, templates, pages of a forge, `[text]` alone, expressions such as `a[i][j]`, references for rustdoc.",
        unit: "links and references",
    },
    CheckInfo {
        check: Check::DeadAnchor,
        question: "Does every link to a heading lead to one?",
        definition: "A fragment that is not the anchor of a heading or an element with an id, in this document or in a sibling that was looked at. Anchors are made as GitHub makes them.",
        exemptions: "Anchors that a page has without headings: footnotes, lines of code, the top; files whose headings are not known.",
        unit: "links to headings",
    },
    CheckInfo {
        check: Check::HeadingOrder,
        question: "Has the outline one title, no gaps and no doubles?",
        definition: "A level that is left out, no title or several, a heading without words, two headings of one name in one place.",
        exemptions: "A title in the metadata or as HTML, headings with an image, one name in different places.",
        unit: "headings",
    },
    CheckInfo {
        check: Check::UnfinishedMarker,
        question: "Is everything written that was meant to be?",
        definition: "`TODO`, `FIXME`, `XXX`, `TBD`, `???`, filler text, `to be defined` and the like, placeholders in brackets, a block of code that is nothing but a placeholder.",
        exemptions: "Code, quotations, markers as a noun (`a TODO list`), sections that list what is left to do, open boxes of task lists.",
        unit: "passages and blocks",
    },
    CheckInfo {
        check: Check::UndefinedTerm,
        question: "Can a reader find out what every abbreviation and id stands for?",
        definition: "An abbreviation in capitals that is never spelled out; an entry that the glossary owes or leaves empty; an id such as `FR-012` that is referred to and not defined, where others of its kind are.",
        exemptions: "A list of well-known abbreviations, words in capitals for emphasis, names in code or in links, ids whose kind is not defined here.",
        unit: "abbreviations, terms and ids",
    },
    CheckInfo {
        check: Check::UnusedDefinition,
        question: "Is everything that is defined also used?",
        definition: "A link definition or a footnote that nothing refers to, an entry of the glossary that stands nowhere else, an id that nothing refers to where most of its kind are referred to.",
        exemptions: "Comments written as definitions, ids in documents that do not trace them.",
        unit: "definitions",
    },
    CheckInfo {
        check: Check::NoAcceptance,
        question: "Does every requirement say how it is accepted?",
        definition: "A story, a requirement with an id, or a sentence with must or shall under a heading about requirements that has no scenario, criterion or test within it, in its row, or in a section about tests that names it.",
        exemptions: "Documents without requirements; kinds of requirements that are never accepted one by one where another kind is.",
        unit: "requirements",
    },
    CheckInfo {
        check: Check::VagueWord,
        question: "Can every requirement be verified as it is worded?",
        definition: "A word such as fast, appropriate, several or as needed in a sentence that asks for something.",
        exemptions: "Sentences that ask for nothing, quotations and code, adjectives with a figure in the same sentence.",
        unit: "sentences that ask for something",
    },
    CheckInfo {
        check: Check::ContradictoryNumber,
        question: "Has every name one value?",
        definition: "One name with two values of the same kind, in sentences, labels or tables; a list with another number of entries than is said right before it.",
        exemptions: "Versions, dates, ranges, bounds, examples, sentences about another time or environment, changelogs, parallel sections and tables.",
        unit: "named values and counts",
    },
    CheckInfo {
        check: Check::CodeBlock,
        question: "Is every block of code in the language it says?",
        definition: "JSON, TOML and YAML that do not parse; XML and HTML whose elements do not match; shell with an open quotation, bracket or here-document; other languages with brackets or quotations that do not match.",
        exemptions: "Blocks without a language or with one that is not known here, blocks with an ellipsis or a placeholder.",
        unit: "blocks of code",
    },
];

/// The row of a check.
pub fn info(check: Check) -> &'static CheckInfo {
    let found = CHECKS.iter().find(|info| info.check == check);
    debug_assert!(found.is_some(), "every check has a row");
    found.unwrap_or(&CHECKS[0])
}
