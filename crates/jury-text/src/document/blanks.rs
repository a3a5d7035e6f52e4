//! Places that somebody was meant to fill in: blanks, variables of templates, fields in brackets, and sentences that say what
//! belongs there. What a document sets as code, quotes or speaks about is left alone, and so are the blanks of a form that is
//! printed, which stand behind their labels.

use std::ops::Range;

use super::passage::{Kind, Mark, Passage};
use super::{ahead, cut};

/// What a field is for.
const FIELDS: &str = "name names company organisation organization date address email e-mail phone title amount price city country \
    client customer product project url website number author role position department manager signature logo industry";

/// What tells the author what to write.
const ORDERS: [&str; 5] = ["your ", "enter ", "describe ", "add your ", "name of "];

/// What stands where a text should be.
const STANDS_FOR: [&str; 8] = [
    "text goes here",
    "content goes here",
    "goes here.",
    "replace this text",
    "replace this with",
    "your text here",
    "your content here",
    "this is placeholder",
];

/// The places of a passage that are to be filled in.
pub(super) fn places(passage: &Passage) -> Vec<Range<usize>> {
    let text = &passage.text;
    let mut found: Vec<Range<usize>> = Vec::new();
    found.extend(blanks(text));
    found.extend(variables(text));
    found.extend(fields(text));
    found.extend(digits_to_come(text));
    let lower = text.to_ascii_lowercase();
    for phrase in STANDS_FOR {
        found.extend(lower.match_indices(phrase).map(|(at, _)| at..at + phrase.len()));
    }
    if passage.kind == Kind::Heading && is_title_to_come(&lower) {
        found.push(0..text.len());
    }
    found.retain(|range| !passage.is(Mark::Code, range.start) && !passage.is_mentioned(range));
    found
}

/// `____` in a sentence. Behind a label it is the field of a form.
fn blanks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("___")).map(|at| from + at) {
        let end = at + text.get(at..).unwrap_or_default().bytes().take_while(|byte| *byte == b'_').count();
        from = end;
        let before = cut(text, 0..at).trim_end();
        let stands_alone = cut(text, 0..at)
            .chars()
            .next_back()
            .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '$' | '€'))
            && cut(text, end..text.len()).chars().next().is_none_or(|c| !c.is_alphanumeric());
        let is_form = before.is_empty() || before.ends_with([':', '|', '_', '?']);
        let said = before.split_whitespace().count() > 1;
        if stands_alone && !is_form && said {
            found.push(at..end);
        }
    }
    found
}

/// `{{ name }}`, `${name}`, `%NAME%`: a name and nothing else. What has dots, pipes or quotes is filled in by a generator.
fn variables(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (open, close) in [("{{", "}}"), ("${", "}"), ("%", "%"), ("<%=", "%>")] {
        for (at, _) in text.match_indices(open) {
            let inside = ahead(text, at + open.len(), 40);
            let Some((name, _)) = inside.split_once(close) else { continue };
            let bare = name.trim();
            let is_name = !bare.is_empty()
                && bare.chars().all(|c| c.is_alphanumeric() || c == '_')
                && bare.starts_with(|c: char| c.is_alphabetic());
            // Between signs of per cent only a name in capital letters is one: `5 % of 6 %`.
            let is_loud = open != "%"
                || bare == name && bare.len() > 2 && bare.chars().all(|c| c.is_uppercase() || c == '_');
            if is_name && is_loud {
                found.push(at..at + open.len() + name.len() + close.len());
            }
        }
    }
    found
}

/// `[Your name]`, `[Company]`.
fn fields(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('[') {
        let Some((label, behind)) = ahead(text, at + 1, 60).split_once(']') else { continue };
        let lower = label.to_lowercase();
        let ordered = ORDERS.iter().any(|order| lower.starts_with(order));
        let words: Vec<&str> = lower.split_whitespace().collect();
        let named = label.starts_with(char::is_uppercase)
            && (1..=3).contains(&words.len())
            && words.last().is_some_and(|last| FIELDS.split_whitespace().any(|field| field == *last));
        let is_known = matches!(lower.as_str(), "your text here");
        if !is_known && (ordered || named) && !behind.starts_with(['(', '[', ':']) {
            found.push(at..at + label.len() + 2);
        }
    }
    found
}

/// `XX %`, `$XX`, `XX.XX`: digits that nobody knew yet.
fn digits_to_come(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let at = from;
        from += word.len();
        let bare = word.trim_end().trim_end_matches(['.', ',', ';', ')', ':', '!']);
        let number = bare.trim_start_matches(['$', '€', '£', '(', '~']).trim_end_matches(['%', '€', '$']);
        let is_unit = number.len() < bare.trim_start_matches('(').len() || number.contains('.');
        let digits = number.chars().filter(|c| *c == 'X').count();
        if is_unit
            && digits > 0
            && number.chars().all(|c| matches!(c, 'X' | '.' | ','))
            && (digits > 1 || bare.contains(['$', '€', '£']))
        {
            found.push(at..at + bare.len());
        }
    }
    found
}

/// `Title here`.
fn is_title_to_come(heading: &str) -> bool {
    let words: Vec<&str> = heading.split_whitespace().collect();
    let nouns = ["title", "heading", "headline", "name", "subtitle", "text", "content", "section"];
    words.len() <= 4 && words.last() == Some(&"here") && words.iter().any(|word| nouns.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::document::{Check, Document, NearbyFiles, measure};

    fn affected(text: &str) -> usize {
        measure(&Document::read(text, &NearbyFiles::Unknown), Check::UnfinishedMarker).affected.len()
    }

    #[test]
    fn what_was_to_be_filled_in_is_found() {
        for text in [
            "The price is ____ and the date is ____ for all of you.",
            "Hello {{ who }}, your order is on the way.",
            "Hello ${name}.",
            "Dear %CUSTOMER%, come in.",
            "Signed by [Your name here] of [Company].",
            "It saves XX% of the time.",
            "It costs $X.XX a month.",
            "Your text goes here.",
            "# Title Here\n\nWords of a text.",
            "To do: write the second chapter.",
            "[//]: # (TODO write)\n\nWords of a text.",
            "Words of a text.\n\n... (rest of the document as before)",
        ] {
            assert!(affected(text) > 0, "{text}");
        }
    }

    #[test]
    fn templates_that_are_spoken_of_and_forms_are_left_alone() {
        for text in [
            "Write `{{ who }}` where the name goes.",
            "```\nHello {{ who }}\n```\n\nThat is a template.",
            "Name: ______",
            "Pages take `[Your name]` from the settings.",
            "See [the company](a.md) and [Date][d].\n\n[d]: b.md",
            "A todo app keeps a list of what is to do.",
            "How to do it: read on.",
            "5 % of 6 % is little.",
            "The XX chromosome is one of two.",
            "{{ site.title }} is filled in by the generator.",
            "Use of `__init__` and ___bold and slanted___ text.",
            "[sic] stands behind an error, and [1] is a note.",
        ] {
            assert_eq!(affected(text), 0, "{text}");
        }
    }
}
