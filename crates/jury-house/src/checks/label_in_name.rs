//! Whether people who speak what they see reach the control they mean: the words on it are part of its name.

use jury_core::line::shortened;
use jury_eye::aria::{self, Naming};
use jury_eye::{NameSource, Node};

use super::causes::Causes;
use crate::finding::{Outcome, Severity};
use crate::page::{Page, selector};

pub(super) fn label_in_name(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed().filter(|node| node.shown && !node.label.is_empty() && is_widget(node)) {
        if !is_words(&node.label)
            || is_drawn_by_a_font(page, node)
            || abbreviates(&node.label, &node.name)
            || abbreviates(&node.name, &node.label)
        {
            continue;
        }
        total += 1;
        if !holds_label(&node.name, &node.label) {
            let cause = format!(
                "{} reads \"{}\" and is named \"{}\"",
                selector(node),
                shortened(&node.label, 40),
                shortened(&node.name, 40)
            );
            wrong.add(Severity::Serious, cause, node.id);
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} controls named without the words on them");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

fn is_widget(node: &Node) -> bool {
    matches!(node.name_source, NameSource::AriaLabel | NameSource::LabelledBy)
        && matches!(
            node.role.as_deref(),
            Some(
                "button"
                    | "checkbox"
                    | "gridcell"
                    | "link"
                    | "menuitem"
                    | "menuitemcheckbox"
                    | "menuitemradio"
                    | "option"
                    | "radio"
                    | "switch"
                    | "tab"
                    | "treeitem"
            )
        )
        && node.role.as_deref().and_then(aria::role).is_some_and(|role| role.naming == Naming::Contents)
}

/// A single sign is a symbol, not a label.
fn is_words(label: &str) -> bool {
    label.chars().filter(|ch| ch.is_alphanumeric()).count() > 1
}

/// Icon fonts draw a picture where a word stands.
fn is_drawn_by_a_font(page: &Page<'_>, node: &Node) -> bool {
    std::iter::once(node)
        .chain(page.snapshot.descendants(node))
        .filter(|part| !part.text.is_empty())
        .filter_map(|part| part.style.as_ref()?.font_families.first())
        .any(|family| {
            let family = family.to_ascii_lowercase();
            ["icon", "symbol", "awesome", "glyph", "material"].iter().any(|word| family.contains(word))
        })
}

fn holds_label(name: &str, label: &str) -> bool {
    let plain = without_brackets(label);
    [label, plain.as_str()].into_iter().any(|label| {
        holds_words(&words(name, true), &words(label, true))
            || holds_words(&words(name, false), &words(label, false))
    })
}

/// Words in lower case. A hyphen either divides words or does not count.
fn words(text: &str, hyphens_divide: bool) -> Vec<String> {
    let text = if hyphens_divide {
        text.to_owned()
    } else {
        text.replace(['-', '\u{2010}', '\u{2011}', '\u{ad}'], "")
    };
    text.to_lowercase()
        .replace(['\u{2019}', '\''], "")
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a text has a short form of words of another: its initials in capitals, or the beginning of a word with a point.
/// Nobody can tell from the letters how such a word is said.
fn abbreviates(short: &str, long: &str) -> bool {
    let long = words(long, true);
    short.split(|ch: char| ch.is_whitespace() || matches!(ch, ',' | '(' | ')' | '/')).any(|word| {
        if let Some(stem) = word.strip_suffix('.').filter(|stem| stem.len() > 1) {
            let stem = stem.to_lowercase();
            return long.iter().any(|word| word.len() > stem.len() && word.starts_with(&stem));
        }
        let capitals = word.chars().count() > 1 && word.chars().all(char::is_uppercase);
        let initials: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
        capitals
            && long
                .windows(initials.len())
                .any(|part| part.iter().zip(&initials).all(|(word, initial)| word.starts_with(*initial)))
    })
}

fn holds_words(name: &[String], label: &[String]) -> bool {
    label.is_empty() || name.windows(label.len()).any(|part| part == label)
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|ch| match ch {
            '(' => {
                depth += 1;
                false
            }
            ')' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_told() {
        assert!(
            abbreviates("FAQ", "Frequently asked questions") && abbreviates("Prof. Meier", "Professor Meier")
        );
        assert!(abbreviates("Open the W3C, the EU", "the european union"));
        assert!(
            !abbreviates("ACT", "WCAG rules") && !abbreviates("Save", "Send") && !abbreviates("End.", "End")
        );
    }

    #[test]
    fn labels_are_found_by_whole_words() {
        for (name, label) in [
            ("Next page in the list", "Next Page"),
            ("Submit", ">>> ** Submit ** <<<"),
            ("compose email", "compose \u{a0} email"),
            ("non-standard", "nonstandard"),
            ("Date", "Date (optional)"),
        ] {
            assert!(holds_label(name, label), "{name:?} holds {label:?}");
        }
        for (name, label) in [
            ("Discover Italy", "Discover It"),
            ("20 21", "2021"),
            ("two zero two three", "2 0 2 3"),
            ("WCAG", "ACT rules"),
            ("Save", "Save [draft]"),
        ] {
            assert!(!holds_label(name, label), "{name:?} does not hold {label:?}");
        }
    }
}
