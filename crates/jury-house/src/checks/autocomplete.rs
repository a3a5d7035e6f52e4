//! Whether `autocomplete` says something a browser knows.

use jury_eye::Node;

use super::causes::Causes;
use crate::finding::{Outcome, Severity};
use crate::page::Page;

const FIELDS: &str = "name honorific-prefix given-name additional-name family-name honorific-suffix nickname \
    organization-title username new-password current-password one-time-code organization street-address address-line1 \
    address-line2 address-line3 address-level4 address-level3 address-level2 address-level1 country country-name \
    postal-code cc-name cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc \
    cc-type transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo";

/// Those that may be told apart as of home, work and so on.
const CONTACT: &str = "tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp";

/// Words that are written to switch it off or on: meant for browsers, not for people.
const SWITCHES: &str = "on off none false true disabled enabled undefined null xoff xon";

pub(super) fn autocomplete(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.snapshot.nodes.iter().filter(|node| applies(node)) {
        let value = node.attribute("autocomplete").unwrap_or_default().trim().to_ascii_lowercase();
        if value.is_empty() || holds(SWITCHES, &value) {
            continue;
        }
        total += 1;
        if !is_valid(&value) {
            let shown: String = value.chars().take(40).collect();
            wrong.add(
                Severity::Serious,
                format!("autocomplete=\"{shown}\" names nothing a browser fills in"),
                node.id,
            );
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} autocomplete values unknown");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

fn applies(node: &Node) -> bool {
    let fills = match node.tag.as_str() {
        "input" => !matches!(
            node.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str(),
            "hidden" | "button" | "submit" | "reset" | "image" | "checkbox" | "radio" | "file"
        ),
        "select" | "textarea" => true,
        _ => false,
    };
    fills
        && (node.rendered || node.exposed)
        && node.attribute("disabled").is_none()
        && node.attribute("aria-disabled") != Some("true")
        && !(node.tab_index().is_some_and(|index| index < 0) && node.role.is_none())
}

fn holds(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == word)
}

/// The grammar of HTML: a section, whose address, which number, the field, and a key at the end.
fn is_valid(value: &str) -> bool {
    let mut words: Vec<&str> = value.split_ascii_whitespace().collect();
    if words.last() == Some(&"webauthn") {
        words.pop();
    }
    let mut words = words.as_slice();
    if let [first, rest @ ..] = words
        && first.starts_with("section-")
    {
        words = rest;
    }
    if let ["shipping" | "billing", rest @ ..] = words {
        words = rest;
    }
    match words {
        [field] => holds(FIELDS, field) || holds(CONTACT, field),
        ["home" | "work" | "mobile" | "fax" | "pager", field] => holds(CONTACT, field),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_that_of_html() {
        for good in [
            "username",
            "work email",
            "section-a shipping street-address",
            "billing home tel",
            "username webauthn",
        ] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["badname", "work photo", "work shipping email", "shipping", "email invalid", "section-a"]
        {
            assert!(!is_valid(bad), "{bad}");
        }
    }
}
